// SPDX-License-Identifier: BSD-3-Clause
/* Which kinds of Calls a Requester makes on a connection. */
#ifndef HARNESS_SERVE_CALLS_H
#define HARNESS_SERVE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVE_KINDS 32 /* more are not kept */
#define SERVE_XIDS 64  /* of the last Calls */

struct serve_kind {
    uint32_t program, version, procedure;
};

struct serve_calls {
    unsigned count; /* of Calls */
    unsigned kinds;
    struct serve_kind list[SERVE_KINDS]; /* in the order of their first Calls */
    uint32_t first_xid;
    uint32_t xids[SERVE_XIDS]; /* of Call n at n modulo SERVE_XIDS */
};

/* A Call's XID and Payload stream, from its RPC header on; one that does not decode is counted. */
void serve_calls_add(struct serve_calls *calls, uint32_t xid, const uint8_t *payload,
                     size_t length);

/* Whether a connection that begins with this XID goes on where these Calls stopped; one that begins
 * as they did begins anew. */
bool serve_calls_go_on(const struct serve_calls *calls, uint32_t xid);

/* Whether the first Calls are of the same kind; true where one of them is not known. */
bool serve_calls_begin_as(const struct serve_calls *calls, const struct serve_calls *plain);

/* The first kind of `plain` that is not among these, or NULL; NULL, too, where these begin with
 * another kind: what goes on in the middle is not known to be all. */
const struct serve_kind *serve_calls_missing(const struct serve_calls *calls,
                                             const struct serve_calls *plain);

#endif
