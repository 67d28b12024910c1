// SPDX-License-Identifier: BSD-3-Clause
/*
 * What was seen, written down as vectors: one test a connection, with what the checker said of each
 * event. What a vector cannot hold (packets that were missing, octets that were cut off) leaves its
 * connection out.
 */
#ifndef CONFORMANCE_RECORD_H
#define CONFORMANCE_RECORD_H

#include "conformance/input/source.h"
#include "conformance/run/spill.h"

struct record_test; /* a connection that is open */

/* Of a connection that is closed only a number is kept in memory: where its text begins. */
struct recorder {
    struct record_test **open, *recent; /* a hash table: a power of two of buckets */
    size_t bucket_count, open_count;
    uint64_t *begins; /* by connection, in the order of their first events; 0: not to be written */
    size_t count, room;
    struct spill said;           /* the tests, as text */
    enum rpcrdma_protocol draft; /* of version 2, where the user names it */
    bool has_unnamed;            /* connections of version 2, and no name of a draft */
    const char *gap; /* what the next gap is, which is then recorded; or NULL: it leaves its
                        connection out */
};

/* Take an event down, and the judgement on it. Returns false, with errno set, where the temporary
 * file cannot be written. */
bool record_event(struct recorder *recorder, const struct source_event *event,
                  const struct rpcrdma_judgement *judgement);

/* The connection has no further events. */
void record_closed(struct recorder *recorder, const char *file, uint64_t connection_id);

/*
 * Write the file. Ids of tests are made of the file's name ("linux-6.1.json": linux-6-1-1 and so
 * on); `reference` says what was recorded. Complains and returns false if it cannot be written, or
 * there is nothing to write.
 */
bool record_write(const struct recorder *recorder, const char *file, const char *reference);

void record_free(struct recorder *recorder);

#endif
