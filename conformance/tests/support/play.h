// SPDX-License-Identifier: BSD-3-Clause
/*
 * Events and judgements as text, so that a test of a rule is a row of a table.
 *
 * An event is "> ..." of the client or "< ..." of the server. A Send is given word by word as it
 * stands on the wire, each a decimal or hexadecimal number or one of these:
 *
 *   none       three absent chunk lists
 *   call       an RPC Call (NFS version 3, NULL) of 40 octets; call4: of NFS version 4
 *   reply      an RPC Reply (accepted, success) of 24 octets
 *   gss:P:S    an RPC Call of 60 octets with RPCSEC_GSS procedure P and service S
 *   call:X     the same with this XID; without it, that of the transport header
 *   *N         N words of zeros;  +N: N octets of zeros
 *   cut:N      the last N octets were not recorded
 *   inv:H      the Send invalidates handle H
 *   reading    RDMA Reads that its side had asked for were not seen to end
 *   sent:N     of an RDMA Read: this many Sends of its side preceded the request
 *
 * Others are "read H OFFSET LENGTH [WORDS]" and "write H OFFSET LENGTH [WORDS]", an RDMA operation
 * and what it moved, if that was seen; "private WORDS"; "gap"; "end", a disconnect; "atomic H
 * OFFSET LENGTH"; "notready N", no buffer for the Send after this many; "refused-read H OFFSET
 * LENGTH" and "refused-write", of the other side; "registered H OFFSET LENGTH r w", with one of the
 * last two or both; "invalidated H"; "completed XID". An event that begins with "?" may make
 * findings; the others before the last may not. What begins with "= " is no event: after the last
 * one it says what its last finding is in words.
 *
 * A judgement is "V rfc8797/4/slug @OFFSET; N 4.5/slug -> reaction,reaction": findings in order, V,
 * W or N for the severity, sections without a document are of RFC 8166.
 */
#ifndef CONFORMANCE_TESTS_PLAY_H
#define CONFORMANCE_TESTS_PLAY_H

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAY_OCTETS 65536
#define PLAY_EVENTS 14

struct play_message {
    struct rpcrdma_event event;
    size_t length;
    uint8_t octets[PLAY_OCTETS];
};

void play_word(struct play_message *message, uint64_t word);
void play_words(struct play_message *message, const uint32_t *words, size_t count);
void play_parse(struct play_message *message, const char *text);

/* ---- judgements ---- */

/* The event at this place, or NULL where they end. */
const char *play_event(const char *const *events, unsigned i);
void play_render(const struct rpcrdma_judgement *judgement, char *text, size_t size);

/* ---- rows ---- */

/* Events whose last one breaks rules, and others that come as near as can be and do not. */
struct play_row {
    const char *judgement; /* of the last of the events */
    const char *events[PLAY_EVENTS];
    const char *near[PLAY_EVENTS];
    const char *near_verdict;           /* NULL: "-> process"; or near_of_version_1 */
    struct rpcrdma_check_config config; /* max_calls 0: the default */
};
/* "-> process" as well, but the near miss is none in version 2. */
extern const char near_of_version_1[];
#define DEFAULTS                                                                                   \
    {                                                                                              \
        .max_calls = 0                                                                             \
    }

void play_judge(struct rpcrdma_check *check, const char *text, struct rpcrdma_judgement *judgement);
void play_row(const struct play_row *row);

/* Rows whose neighbours are judged by sums_test: neighbours/sums.h. */
void play_rows(const struct play_row *rows, size_t count);
/* Those of all tables; returns how many there are. */
unsigned play_each_row(void (*visit)(const struct play_row *row));
#define PLAY_ROWS(rows)                                                                            \
    __attribute__((constructor)) static void add_##rows(void)                                      \
    {                                                                                              \
        play_rows(rows, COUNT(rows));                                                              \
    }

/*
 * A main() that tests the rows of its program: each is judged as it says. Those of version 1 are
 * judged in both drafts as well, as far as version 2 has such a message, and every passive rule of
 * `scope` is named by the judgement of a row that has a near miss. `more` adds other tests, or is
 * NULL.
 */
enum { PLAY_NO_SCOPE = -1 };
int play_version1(const char *name, int scope, void (*more)(TCase *tests));
int play_version2(const char *name);

#endif
