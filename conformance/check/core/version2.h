// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a checker remembers of version 2, beside what is common to all versions (state.h): which
 * version and draft the sides speak, and of each side its properties, the message that it is in the
 * middle of, and its credits. A connection of version 1 never looks at it.
 */
#ifndef CONFORMANCE_STATE2_H
#define CONFORMANCE_STATE2_H

#include <rpcrdma/check.h>
#include <rpcrdma/message.h>

/* Properties that both drafts have or -07 alone, by their numbers in -07 less one. */
enum property {
    PROPERTY_SEND_SIZE,
    PROPERTY_RECEIVE_SIZE,
    PROPERTY_SEGMENT_SIZE,
    PROPERTY_SEGMENT_COUNT,
    PROPERTY_REVERSE,
};

enum { DEFAULT_RECEIVE_SIZE = 4096, FIRST_SEND_MAX = 1024 };

/* How far a side is with telling its properties (properties.c). */
enum property_stage {
    STAGE_NONE,
    STAGE_MIDDLE,  /* more has to follow */
    STAGE_FINAL,   /* nothing may follow */
    STAGE_REFUSED, /* its last message was answered by an error */
};

/* -04: a request to change properties that waits for its response. */
enum { PROPERTY_REQUESTS = 4, PROPERTY_REQUESTED = 8 };
struct property_request {
    uint32_t xid, count;
    uint32_t id[PROPERTY_REQUESTED], value[PROPERTY_REQUESTED]; /* of the first of them */
};

struct properties {
    uint32_t value[RPCRDMA_LIMITING_PROPERTIES]; /* by enum property */
    uint8_t told;                                /* bit for each: the side has said it */
    uint8_t known;    /* and the other side can go by it; or has to, of those that bind it */
    uint8_t stage;    /* enum property_stage */
    uint32_t xid;     /* of its last message about them */
    uint64_t told_at; /* Sends of this side before it */
    uint32_t receive_size_before; /* a larger one that the other side may still go by */

    /* Values that arrived with an invalid one: a peer that does not know that property still obeys
     * them. */
    uint8_t unsure;       /* a bit for each */
    uint32_t unsure_size; /* the largest Receive Buffer Size of them, or 0 */
    struct {
        uint32_t value[RPCRDMA_LIMITING_PROPERTIES], unsure_size;
        uint8_t told, unsure;
    } before; /* its last message about them */

    /* Draft -04 (properties04.c); ids below 32 are remembered, by a bit each. */
    bool connprop;        /* it has told by CONNPROP: */
    uint32_t listed;      /* these, */
    uint32_t constant[2]; /* these as unchanging, by either order of bits */
    bool asked;           /* it has asked for a size of the other side, */
    uint32_t asked_size;  /* a smaller one, and had no answer; or 0 */
    struct property_request request[PROPERTY_REQUESTS]; /* oldest first */
    uint32_t requests;
    bool forgot_request;
};

/* A message that a side sends in pieces (continuation.c). */
struct pieces {
    bool open;   /* a first piece came, the last did not */
    bool failed; /* of this XID no further piece is judged */
    bool unseen; /* what went before was not seen: it may be in the middle of a message */
    bool broken; /* a message broke off: pieces of this XID may still come */
    uint32_t broken_xid;
    bool mixed; /* another message came between its pieces: */
    uint32_t mixed_xid;
    bool control_told; /* control messages between pieces were reported */
    uint8_t kind;      /* enum rpcrdma_direction */
    uint8_t reading;   /* what rdma_remaining can count: set of enum remaining */
    uint32_t xid, remaining;
    uint32_t count;
    uint64_t total;  /* octets so far */
    uint64_t last;   /* of the last piece */
    uint32_t limit;  /* the largest for a Send since the message began, or 0: unknown */
    uint8_t *octets; /* the first of them, room for config.continued_octets */
    uint32_t length; /* how many are kept */
    bool cut;        /* some of them were not recorded */
    bool headless;   /* others may have come before */
    uint32_t level;  /* of Reverse-Direction Support that the first piece found (connection.c) */
};

/* -07 (rules/version2/credits.c): modulo 2^32. */
struct credits {
    uint32_t sent_before; /* Sends, before those that were seen */
    uint32_t limit;       /* last total that the other side gave, at first 1 */
    uint32_t beyond;      /* Sends beyond it already, when the last total came */
    bool limited;         /* the other side has given one */
    bool counts_known;    /* false from a gap on */
    uint32_t grants_over; /* RDMA2_GRANT beyond the limit, since it was given */
    bool halves_told;     /* that its totals look like two halves */
};

struct side2 {
    uint64_t sends;         /* of version 2 */
    uint64_t received;      /* of the other side's, those that it surely had before its last one */
    uint32_t refused_types; /* header types that the other side has refused, a bit each */
    bool interrupted;       /* it may have missed something */
    struct properties properties;
    struct pieces pieces;
    struct credits credits;
};

enum version_state {
    VERSION_OPEN,    /* nothing of version 2 was sent */
    VERSION_OFFERED, /* by the client */
    VERSION_SETTLED, /* the server has taken it */
    VERSION_REFUSED, /* the server has answered that it speaks versions `low` to `high` */
};

enum { TOLD_BY_BOTH = 3 };

struct version2 {
    uint8_t state; /* enum version_state */
    uint32_t low, high;
    enum rpcrdma_protocol protocol; /* the draft, as far as it is known */
    bool draft_is_sure, decoded;    /* a Send decoded under it */
    uint8_t told_by;                /* by header types that it alone has: a bit a side */
    struct side2 side[2];
};

#endif
