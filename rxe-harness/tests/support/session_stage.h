// SPDX-License-Identifier: BSD-3-Clause
/* A loopback connection with a session of version 2 at either end or at both, and the checker. */
#ifndef HARNESS_TEST_SESSION_STAGE_H
#define HARNESS_TEST_SESSION_STAGE_H

#include "rxe-harness/session/session.h"

enum side { ACTIVE, PASSIVE };

#define RPC 40 /* octets of the smallest message here: an RPC Call header */

extern struct link *links[2];
extern struct session *sessions[2];
extern struct session_options options[2];
extern const struct link_ops *own_ops; /* of the links, that the checker does not see */
extern unsigned findings;              /* of the checker, above a note */

void stage_setup(void);
void stage_teardown(void);
/* Both sides speak this draft; after stage_setup() it is -07. */
void use_draft(enum rpcrdma_protocol draft);
/* Let the checker see all Sends from now on. */
void look_on(void);
/* A session at this end, or a raw link. */
void connect_sides(bool active, bool passive);

uint32_t any(uint32_t below);
void seed_any(uint32_t seed);

bool send_rpc(enum side side, enum rpcrdma_direction direction, uint32_t xid, size_t length);
/* An RPC message: its header, then octets that depend on XID and place. To be freed. */
uint8_t *make_rpc(uint32_t xid, enum rpcrdma_direction direction, size_t length);
/* The event has the message that send_rpc() sent. */
void is_whole(const struct session_event *event);
/* Send 32-bit words from this side, whether it has a session or not. */
void send_raw(enum side side, const uint32_t *words, size_t count);
#define SEND(side, ...)                                                                            \
    send_raw(side, (const uint32_t[]){__VA_ARGS__},                                                \
             sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
/* The next Send that came to a raw side. */
struct link_event raw(enum side side);
/* What the session of this side makes of all that has come. */
struct session_event after(enum side side);
/* Let the sides go on, in any order, until this one has such an event. */
struct session_event until(enum side side, enum session_event_type type);

#endif
