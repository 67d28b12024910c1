// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the session share. */
#ifndef HARNESS_SESSION_STATE_H
#define HARNESS_SESSION_STATE_H

#include "rxe-harness/session/session.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#define SESSION_FAILED 4     /* XIDs of pieces that were refused and whose rest is dropped */
#define SESSION_ERROR_MAX 32 /* octets of an error's body, at most */

/* Both drafts begin with the same four words. */
enum { SESSION_PREFIX = RPCRDMA2_07_HDR_PREFIX_SIZE, SESSION_WORD = 4, SESSION_NO_ERROR = 0 };

/* A message that waits: its body without the first word of the payload, then its payload. */
struct outgoing {
    struct outgoing *next;
    uint32_t xid, version, type, middle; /* middle: type of its pieces, or 0 */
    bool is_call, is_reply;              /* an RPC message */
    uint32_t level;          /* reverse Call: least RPCRDMA2_07_RVRSDIR_* for it, or 0 */
    size_t body, length, at; /* octets: of the body, of the payload, of that sent */
    bool invalidates;
    uint32_t handle;
    uint8_t octets[];
};

/* A code that -07 has not; in the place of one of its own. */
enum { SESSION_INVALID_OPTION = 0x40000004 };

/* -04 has no name in C for the levels of its reverse direction (5.2.2). */
enum { SESSION_04_NONE, SESSION_04_INLINE, SESSION_04_GENL, SESSION_04_LEVELS };

enum session_version { SESSION_NEW, SESSION_SETTLED, SESSION_PASSES, SESSION_OVER };

/* Transport properties of -07 come in a sequence of their own from each side (6.3.4). */
enum session_stage { STAGE_NONE, STAGE_MIDDLE, STAGE_FINAL };

/* Credits of -07: counts and totals of 32 bits that wrap (4.2.1). */
struct session_totals {
    uint32_t sent, received;         /* Sends; of -04 for reports alone */
    uint32_t limit;                  /* this many may we have sent */
    uint32_t told;                   /* this many may the peer, by our last word */
    bool sent_grant, received_grant; /* the last of each was one */
};

/* Credits of -04 are those of version 1: Calls in flight. */
struct session_calls {
    uint32_t granted; /* 0: nothing yet */
    uint32_t *flying; /* XIDs, up to options.credits of them */
    uint32_t in_flight;
};

struct session {
    struct link *link;
    struct session_options options;
    enum session_version state;

    struct session_totals totals;
    struct session_calls calls;

    struct outgoing *first, **end;
    size_t queued, errors; /* octets; messages that are errors */
    bool told_properties;
    bool has_unsent; /* a Call was dropped: an event says so before more is sent */
    uint32_t unsent;
    bool broken;     /* a message was begun that cannot be ended */
    uint8_t *buffer; /* of options.send_size octets */

    enum session_stage stage; /* of the peer's properties */
    uint32_t peer_receive_size;
    uint32_t peer_reverse; /* RPCRDMA2_07_RVRSDIR_*, also for -04 */

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

/* A span of one version's types as that of another, whose octets are the same. */
#define COPY_SPAN(to, from)                                                                        \
    ((to).wire = (from).wire, (to).count = (from).count, (to).octets = (from).octets)

static inline bool session_is_04(const struct session *session)
{
    return session->options.protocol == RPCRDMA_PROTOCOL_2_04;
}

/* outgoing.c: a message without payload at the end of the queue; an error, whose code is that of
 * -07. */
bool session_queue_control(struct session *session, uint32_t xid, uint32_t version, uint32_t type,
                           const uint8_t *body, size_t length);
bool session_queue_error(struct session *session, const struct rpcrdma_prefix *about, uint32_t code,
                         const uint32_t values[2]);
/* Take the message out of the queue to which this points. */
void session_drop(struct session *session, struct outgoing **at);
void session_drop_queue(struct session *session);
void session_pump(struct session *session);
uint32_t session_send_limit(const struct session *session);
/* Write the prefix and send what is in the buffer. */
bool session_send_buffer(struct session *session, const struct outgoing *out, uint32_t type,
                         uint32_t credit, size_t length, const uint32_t *invalidates);
/* Send what is left of a message, with its body. */
bool session_send_rest(struct session *session, const struct outgoing *out, uint32_t credit);
/* Whether a message of this level may go in pieces (-07). */
bool session_may_continue(const struct session *session, uint32_t level);
/* The peer has lowered what it takes after this was queued: a Requester whose Reply cannot be sent
 * learns so, and so does the caller of a Call. False: nothing more may be sent now. */
bool session_give_up(struct session *session, struct outgoing **at);

/* outgoing07.c, outgoing04.c: the octets of a message's body in session->buffer, or -1. */
ptrdiff_t session_encode07(struct session *session, const struct session_message *message);
ptrdiff_t session_encode04(struct session *session, const struct session_message *message);
ptrdiff_t session_encode_error07(uint8_t body[SESSION_ERROR_MAX], uint32_t code,
                                 const uint32_t values[2]);
ptrdiff_t session_encode_error04(uint8_t body[SESSION_ERROR_MAX], uint32_t code,
                                 const uint32_t values[2]);
bool session_queue_properties07(struct session *session);
bool session_queue_properties04(struct session *session);
/* The level of -04 for one of RPCRDMA2_07_RVRSDIR_*. */
uint32_t session_level04(uint32_t reverse);
/* Answer the request of this XID: which of its properties have the value that is wanted. */
bool session_queue_response04(struct session *session, uint32_t xid, const uint32_t *done,
                              const uint32_t *rejected, uint32_t words);
void session_pump07(struct session *session);
void session_pump04(struct session *session);
/* Calls that may be made beside those that are in flight. */
int32_t session_calls_left04(const struct session *session);

/* incoming.c: false where the Send leads to no event. */
bool session_take(struct session *session, const struct link_event *came,
                  struct session_event *event);
bool session_take07(struct session *session, const struct link_event *came,
                    const struct rpcrdma_prefix *prefix, struct session_event *event);
bool session_take04(struct session *session, const struct link_event *came,
                    const struct rpcrdma_prefix *prefix, struct session_event *event);
/* An error, which is never answered. */
bool session_take_error(struct session *session, const struct link_event *came,
                        struct session_event *event);

#endif
