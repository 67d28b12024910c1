// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the reference Requester share: how Calls are made by either version, their
 * chunk lists, and what a message means. */
#ifndef HARNESS_REQUESTER_CALLER_H
#define HARNESS_REQUESTER_CALLER_H

#include "rxe-harness/requester/requester.h"

struct session_event;

/* The version that Calls are made by. */
struct caller {
    bool (*begin)(struct requester *requester, const struct requester_call *call,
                  struct requester_pending *pending);
    /* Wait for a message, and say what it means. */
    void (*finish)(struct requester *requester, struct requester_pending *pending, unsigned timeout,
                   struct requester_reply *reply);
    /* Whether the message that came last is one that a Requester acts on. */
    bool (*takes)(const struct requester *requester);
    /* Free what it keeps with the Requester. */
    void (*forget)(struct requester *requester);
    bool lengthens; /* what one Send does not hold goes in several, or in chunks, by itself */
};
extern const struct caller requester_version1;

/* version2.c: offer version 2 by a NULL. Unless it is SPEAKS_1, Calls are made by it from then on;
 * otherwise the caller has to choose anew. */
enum requester_settled {
    REQUESTER_SPEAKS_2,
    REQUESTER_SPEAKS_1,
    REQUESTER_UNANSWERED, /* silence, or the end of the connection */
    REQUESTER_UNSETTLED,
};
enum requester_settled requester_offer_version2(struct requester *requester,
                                                const struct requester_options *wanted);

/* lists.c: everything that a header points at while it is encoded. */
struct call_lists {
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment reads[REQUESTER_SEGMENTS];
    struct rpcrdma1_segment parts[REQUESTER_SEGMENTS], writes[REQUESTER_SEGMENTS],
        replies[REQUESTER_SEGMENTS];
    struct rpcrdma1_write_chunk write[REQUESTER_CHUNKS];
    uint32_t read_count;
};
/* The lists, with memory for all that they name; `inlined`: the octets that go into the Send. */
bool requester_build_lists(struct requester *requester, const struct requester_call *call,
                           struct requester_pending *pending, struct call_lists *draft,
                           size_t *inlined);

/* reply.c: the RPC message; the Write chunks that came back; the message in the Reply chunk. */
void requester_read_rpc(struct requester_reply *reply, const uint8_t *octets, size_t length);
void requester_read_writes(struct requester_reply *reply, const struct rpcrdma1_write_list *writes);
void requester_read_long(const struct rpcrdma1_chunk_lists *lists,
                         const struct requester_pending *pending, struct requester_reply *reply);
/* What it means that nothing came. */
void requester_read_nothing(const struct requester *requester, bool closed,
                            struct requester_reply *reply);
/* version2.c: what a Reply or an error of version 2 means. */
void requester_read_event(const struct session_event *event,
                          const struct requester_pending *pending, struct requester_reply *reply);

#endif
