// SPDX-License-Identifier: BSD-3-Clause
/*
 * One side of a connection that speaks version 2 over any link, as draft-cel-nfsv4-rpcrdma-
 * version-two-04 or draft-ietf-nfsv4-rpcrdma-version-two-07 has it: it settles the version,
 * exchanges transport properties and keeps to the credits that it has. -07: it counts and grants
 * credits, cuts messages into pieces and joins the peer's. -04: its Calls wait until fewer are in
 * flight than were granted; what one Send does not hold goes in chunks, which is not the session's.
 * What is above it sees whole RPC messages with their chunk lists. Where the peers settle on
 * version 1, Sends pass as they are.
 *
 * It shares the codec with the checker and nothing else, so each can be tested by the other. The
 * readings that it follows are those of spec/version-2-defects.md: a credit word of -07 is what was
 * received plus what is advertised; nothing but pieces is sent within a continued message.
 */
#ifndef HARNESS_SESSION_H
#define HARNESS_SESSION_H

#include "rxe-harness/transport/transport.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_07.h>

#define SESSION_FIRST 1024u   /* octets of the first Send, which a version 1 peer can take */
#define SESSION_INLINE 4096u  /* of all others, until a property says another size */
#define SESSION_SPARE 2u      /* Receives beyond the credits: one in use; a GRANT, or properties */
#define SESSION_ERRORS_MAX 32 /* that wait to be sent; a peer that causes more is disconnected */

/* Reverse Calls that the active side takes (-07 4.6.4); -04 likewise. */
enum session_reverse {
    SESSION_REVERSE_NONE = RPCRDMA2_07_RVRSDIR_NONE,
    SESSION_REVERSE_INLINE = RPCRDMA2_07_RVRSDIR_SIMPLE,
    SESSION_REVERSE_PIECES = RPCRDMA2_07_RVRSDIR_CONT,
    SESSION_REVERSE_ALL = RPCRDMA2_07_RVRSDIR_GENL,
};

struct session_options {
    enum rpcrdma_protocol protocol; /* RPCRDMA_PROTOCOL_2_04 or RPCRDMA_PROTOCOL_2_07 */
    bool active;                    /* this side connected; the other settles the version */
    bool no_properties;             /* do not exchange transport properties */
    uint32_t credits;               /* that are advertised, and -04: Calls in flight; 1 at least */
    uint32_t send_size;             /* octets of a Send at most, SESSION_INLINE at least */
    uint32_t receive_size;          /* of the link's Receives; SESSION_INLINE at least */
    uint32_t segments;              /* in one header that are taken */
    enum session_reverse reverse;   /* of the active side: what it takes */
    size_t message_max;             /* octets of a message in pieces that are joined (-07) */
    size_t queue_max;               /* octets that wait to be sent */
    size_t piece; /* octets of payload of each piece at most, 8 at least; 0: what fits */
};

/* A message to be sent. Its lists may hold items or views. */
struct session_message {
    enum rpcrdma_direction direction;
    uint32_t xid;
    const uint8_t *rpc; /* Payload stream; none of an external message */
    size_t length;
    bool external;
    uint32_t invalidate;             /* Call: the handle that may be invalidated, or 0 */
    const uint32_t *invalidates;     /* Reply: the handle that its Send invalidates, or NULL */
    struct rpcrdma1_read_list call;  /* external Call: where it is */
    struct rpcrdma1_read_list reads; /* Call */
    struct rpcrdma1_write_list writes;
    struct rpcrdma1_write_chunk_opt reply; /* Call; external Reply; -04: any Reply */
};

enum session_event_type {
    SESSION_NOTHING, /* the time is over */
    SESSION_CALL,
    SESSION_REPLY,
    SESSION_ERROR,    /* from the peer, about the message of this XID */
    SESSION_REFUSED,  /* ERR_VERS to our first message: message.error.value is the range */
    SESSION_UNSENT,   /* our Call of this XID was dropped: the peer has lowered what it takes */
    SESSION_VERSION1, /* the peers speak version 1: a Send as it came */
    SESSION_CLOSED,   /* the connection is gone, or of no more use; link->why says how */
};

/* What is pointed to lives until the next call with the session. */
struct session_event {
    enum session_event_type type;
    struct rpcrdma_message message; /* the header; of pieces, that of the last */
    const uint8_t *payload;         /* the RPC message, joined; VERSION1: the Send */
    size_t length;
    bool invalidated;
    uint32_t handle;
};

/* Figures of a connection, for reports and tests. */
struct session_counts {
    uint32_t sent, received; /* Sends */
    uint32_t grants_sent, pieces_sent;
    uint32_t version;    /* 0: not settled */
    uint32_t send_limit; /* octets of a Send of ours */
    int32_t left;        /* that the peer's credits allow: Sends (-07), Calls (-04) */
};

struct session;

/* Receives that the link has to post: for -07 this many Sends as it advertises; for -04 the Replies
 * to its Calls, and the Calls that it grants. Each has options.receive_size octets. */
unsigned session_receives(const struct session_options *options);
/* The link stays the caller's. NULL: no memory. */
struct session *session_new(struct link *link, const struct session_options *options);
void session_free(struct session *session);

/* Queue a message; its octets are copied. False: queue_max is reached, no piece of it (-04: not all
 * of it) fits the peer's Receives, the peer does not take reverse Calls, or the version is 1. */
bool session_send(struct session *session, const struct session_message *message);
/* Queue an error about the message of this XID, with the values that its code has. The code is that
 * of -07; -04 has the error of the same name, or one for it. */
bool session_send_error(struct session *session, uint32_t xid, uint32_t code,
                        const uint32_t values[2]);
/* Send octets at once and as they are, but for the credit word: a fault of a test's. */
bool session_post(struct session *session, uint8_t *octets, size_t length);
/* Send what the peer's credits allow, grant it what it may lack, and wait for an event. */
void session_wait(struct session *session, unsigned timeout, struct session_event *event);

/* Messages that wait for credits. */
size_t session_waiting(const struct session *session);
struct session_counts session_counts(const struct session *session);

#endif
