// SPDX-License-Identifier: BSD-3-Clause
/*
 * Calls that wait for their answer, found by connection, side and XID, or by a handle that they
 * offered. Their number is limited: beyond, the oldest is given up.
 */
#ifndef CONFORMANCE_WAITING_H
#define CONFORMANCE_WAITING_H

#include "conformance/report/figures/figures.h"

enum { WAITING_CALLS = 65536, WAITING_HANDLES = 1048576 };

struct waiting_handle {
    struct waiting_handle *next, **link; /* of the same bucket, later ones first */
    struct waiting_call *call;
    uint32_t handle;
};

struct waiting_call {
    struct waiting_call *next, **link;  /* of the same bucket */
    struct waiting_call *older, *newer; /* of all */
    uint64_t connection;
    bool closed;    /* its connection has ended */
    uint64_t peers; /* which two hosts */
    enum rpcrdma_endpoint from;
    uint32_t xid;
    int64_t time; /* when it was sent first, or 0 */
    struct figures_row *row;
    struct figures_connection *owner;
    struct waiting_call *sibling, **sibling_link; /* of an open connection */
    uint32_t handle_count, handle_room;
    struct waiting_handle handles[];
};

struct waiting_calls *waiting_make(void);
void waiting_free(struct waiting_calls *waiting);

/* The Call that waits on the connection, or NULL. */
struct waiting_call *waiting_find(const struct waiting_calls *waiting, uint64_t connection,
                                  enum rpcrdma_endpoint from, uint32_t xid);
/* One of the procedure whose connection between the same hosts has ended. */
struct waiting_call *waiting_find_closed(const struct waiting_calls *waiting, uint64_t peers,
                                         enum rpcrdma_endpoint from, uint32_t xid,
                                         const struct figures_row *row);
/* The latest Call of this side that offered the handle, or NULL. */
struct waiting_call *waiting_find_handle(const struct waiting_calls *waiting, uint64_t connection,
                                         enum rpcrdma_endpoint from, uint32_t handle);

/* A copy of `call`, as one of its owner's Calls, with room for handles; where as many wait as can,
 * the oldest is given to `forget` first. */
struct waiting_call *waiting_add(struct waiting_calls *waiting, const struct waiting_call *call,
                                 uint32_t handles, void (*forget)(struct waiting_call *));
/* Nothing where there is no room for it. */
void waiting_add_handle(struct waiting_calls *waiting, struct waiting_call *call, uint32_t handle);
/* Its connection has ended: it is no longer among its Calls, and has no handles. */
void waiting_close(struct waiting_calls *waiting, struct waiting_call *call);
void waiting_remove(struct waiting_calls *waiting, struct waiting_call *call);

/* The one that has waited longest, or NULL. */
struct waiting_call *waiting_oldest(const struct waiting_calls *waiting);

#endif
