// SPDX-License-Identifier: BSD-3-Clause
/* What the files of this folder share: a recorded conversation that is being replayed. */
#ifndef HARNESS_REPLAY_H
#define HARNESS_REPLAY_H

#include "rxe-harness/replay/response.h"
#include "rxe-harness/replay/nfs_ids.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/replay/recorded_memory.h"

/* One Send of the recorded client. */
struct sent {
    const char *skipped; /* why it was not sent, or NULL */
    bool sent, answered;
    bool is_reply; /* nothing answers it */
    bool unknown;  /* the recording ends before an answer */
    bool earlier;  /* the connection ended after it in the recording, and now before the answer */
    uint32_t old_xid, xid;
    size_t length;
    struct answer_call call;
    struct regions regions;
    size_t answer; /* the event that answers it in the recording; 0: none does */
    struct answer recorded, live;
    uint8_t *went, *came; /* octets of today's Send and of its answer, or NULL */
    size_t came_length;
};

struct replay {
    struct probe *probe;
    const struct vector_test *test;
    struct sent *sent;         /* one an event */
    struct replay_names names; /* of the recorded server, and what they are today */
    size_t last;               /* the event that was sent last */
    unsigned waiting;          /* Calls that the recording shows answered, and are not yet */
    unsigned dropped;          /* Sends that nothing answers, since a pause */
    bool missed;               /* an answer that was recorded did not come */
    bool closed, stalled;
};

/* Memory, names and XIDs of today: makes of the recorded octets of a Send, in a buffer as long as
 * the peer takes, those that are sent. Returns why that cannot be, or NULL. */
const char *replay_renew(struct replay *replay, size_t at, struct sent *sent, uint8_t *octets);

/* Whether the recorded server ended the connection, and this was the last Send before. */
bool replay_ended_by(const struct vector_test *test, size_t at);

/* The result of a Send; and that of the end of the connection, where every Send had an answer. */
void replay_judge(struct replay *replay, size_t at);
void replay_judge_end(struct replay *replay);

#endif
