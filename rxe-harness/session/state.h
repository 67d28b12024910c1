// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the session share. */
#ifndef HARNESS_SESSION_STATE_H
#define HARNESS_SESSION_STATE_H

#include "rxe-harness/session/session.h"

#define SESSION_FAILED 4 /* XIDs of pieces that were refused and whose rest is dropped */

/* A message that waits: its body without the first word of the payload, then its payload. */
struct outgoing {
    struct outgoing *next;
    uint32_t xid, version, type, middle; /* middle: type of its pieces, or 0 */
    size_t body, length, at;             /* octets: of the body, of the payload, of that sent */
    bool invalidates;
    uint32_t handle;
    uint8_t octets[];
};

enum session_version { SESSION_NEW, SESSION_SETTLED, SESSION_PASSES, SESSION_OVER };

/* Transport properties come in a sequence of their own from each side (6.3.4). */
enum session_stage { STAGE_NONE, STAGE_MIDDLE, STAGE_FINAL };

struct session {
    struct link *link;
    struct session_options options;
    enum session_version state;

    /* Credits: counts and totals of 32 bits that wrap (4.2.1). */
    uint32_t sent, received;
    uint32_t limit;                  /* so many may we have sent */
    uint32_t told;                   /* so many may the peer, by our last word */
    bool sent_grant, received_grant; /* the last of each was one */

    struct outgoing *first, *last;
    size_t queued, errors; /* octets; messages that are errors */
    bool told_properties;
    uint8_t *buffer; /* of options.send_size octets */

    enum session_stage stage; /* of the peer's properties */
    uint32_t peer_receive_size, peer_reverse;

    struct {
        bool open;
        enum rpcrdma_direction direction;
        uint32_t xid;
        uint32_t remaining, last_piece; /* by the last Send, and its octets */
        bool after, including;          /* readings of rdma_remaining that all pieces fit */
        uint8_t *octets;
        size_t length, room;
    } in;
    uint32_t failed[SESSION_FAILED];
    unsigned failed_count;

    uint32_t grants_sent, pieces_sent;
};

/* outgoing.c */
bool session_queue_control(struct session *session, uint32_t xid, uint32_t version, uint32_t type,
                           const uint8_t *body, size_t length);
bool session_queue_properties(struct session *session);
bool session_queue_error(struct session *session, const struct rpcrdma_prefix *about, uint32_t code,
                         const uint32_t values[2]);
void session_drop_queue(struct session *session);
void session_pump(struct session *session);
uint32_t session_send_limit(const struct session *session);

/* incoming.c: false where the Send leads to no event. */
bool session_take(struct session *session, const struct link_event *came,
                  struct session_event *event);

#endif
