// SPDX-License-Identifier: BSD-3-Clause
/*
 * A link that the checker sees: every Send, RDMA operation and end of the connection is judged, and
 * told together with the judgement. Our Sends are judged before they go, and our RDMA operations
 * once they succeeded; what the peer did is judged before the link's user hears of it.
 */
#ifndef HARNESS_TRANSPORT_WATCHED_H
#define HARNESS_TRANSPORT_WATCHED_H

#include "rxe-harness/transport/transport.h"

#include <rpcrdma/check.h>

struct watched {
    struct link *link;          /* or NULL: its owner tells all events by watched_judge() */
    enum rpcrdma_endpoint side; /* ours */
    /* All of these may be NULL. Told every event after it was judged. */
    void (*on_event)(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement);
    /* In place of a Send of ours, and of waiting for one: calls watched_send() or watched_wait() as
     * often as it likes. */
    bool (*outgoing)(void *arg, const void *octets, size_t length, const uint32_t *invalidate);
    void (*incoming)(void *arg, unsigned timeout, struct link_event *event);
    void *arg, *outgoing_arg; /* of on_event and incoming; of outgoing */

    struct rpcrdma_check_config config;
    struct rpcrdma_check *check;
    void *memory;                       /* its */
    struct rpcrdma_judgement judgement; /* of the last event */
    bool gone;                          /* the connection is, and that was judged */
    struct scene *scene;                /* its latest events, where they are kept, or NULL */
    const struct link_ops *own;         /* the link's, and those in their place */
    struct link_ops ops;
};

/* From now on the latest events of each connection are kept, for the ladders of reports. */
void watched_keep_scenes(void);
/* Of the connection of which something was judged last, be it gone; NULL: nothing was since
 * watched_forget_scene(). */
struct scene;
const struct scene *watched_scene(void);
void watched_forget_scene(void);

/* Make the checker. False: not enough memory, or the configuration asks for too much; either way
 * watched_free() has to be called. */
bool watched_init(struct watched *watched, const struct rpcrdma_check_config *config);
/* From here on the link is watched; its `observe` and `observe_arg` are taken as well. */
void watched_begin(struct watched *watched, struct link *link);
/* The link has its own operations again. It may still be watched through watched_judge(). */
void watched_leave(struct watched *watched);
/* Frees the checker; the link may be gone. */
void watched_free(struct watched *watched);

/* Send as it is, past `outgoing`. */
bool watched_send(struct watched *watched, const void *octets, size_t length,
                  const uint32_t *invalidate);
/* The next event, past `incoming`. */
void watched_wait(struct watched *watched, unsigned timeout, struct link_event *event);
/* The same in two halves, for one who has to do something before a Send is judged: the event as it
 * comes from the link, and judging it. */
void watched_take(struct watched *watched, unsigned timeout, struct link_event *event);
void watched_came(struct watched *watched, const struct link_event *event);

/* What a link does not show: judged and told like the rest. No private data is no event. */
void watched_judge(struct watched *watched, const struct rpcrdma_event *event);
void watched_private(struct watched *watched, enum rpcrdma_endpoint from, const uint8_t *octets,
                     size_t length);
void watched_moved(struct watched *watched, enum rpcrdma_endpoint from, bool is_write,
                   uint32_t handle, uint64_t offset, const uint8_t *octets, size_t length);
/* The end of the connection, once. */
void watched_end(struct watched *watched, enum rpcrdma_endpoint from);

#endif
