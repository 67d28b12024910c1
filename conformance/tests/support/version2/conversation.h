// SPDX-License-Identifier: BSD-3-Clause
/*
 * Conversations of two peers of version 2 that keep all rules of their draft, made at random:
 * negotiation, properties, Calls and answers of both directions with every kind of chunk, messages
 * in pieces, credits and grants, errors, remote invalidation. Each peer knows only what has reached
 * it; Sends can cross on the wire, and then the checker sees them from between the two. All octets
 * are written by hand. A seed decides everything.
 */
#ifndef CONFORMANCE_TESTS_CONVERSATION2_H
#define CONFORMANCE_TESTS_CONVERSATION2_H

#include "conformance/tests/support/dice.h"

#include <rpcrdma/check.h>

#define TALK2_CALLS 6    /* of one side that wait at once */
#define TALK2_SEGMENTS 4 /* a chunk */
#define TALK2_CHUNKS 3
#define TALK2_PAYLOAD 12288
#define TALK2_SEND (TALK2_PAYLOAD + 2048)
#define TALK2_FLIGHTS 40 /* Sends and RDMA operations of one side that are under way */
#define TALK2_PROPERTIES 5
#define TALK2_TYPES 14 /* of headers, of which each draft has some */

enum talk2_property { SEND_SIZE, RECEIVE_SIZE, SEGMENT_SIZE, SEGMENT_COUNT, REVERSE };

struct talk2_segment {
    uint32_t handle, length;
    uint64_t offset;
};

struct talk2_chunk {
    uint32_t count;
    struct talk2_segment segment[TALK2_SEGMENTS];
    uint32_t returned[TALK2_SEGMENTS]; /* lengths */
};

struct talk2_call {
    bool active;   /* at its Requester */
    bool received; /* by its Responder, and not answered */
    uint32_t xid, invalidate;
    uint32_t nfs, count;     /* procedure of NFS version 3, or 0, and the octets that it moves */
    bool plain;              /* no results, and so no chunks for them */
    bool again;              /* sent anew after an error about resources */
    bool is_special;         /* the Call is in a chunk */
    struct talk2_chunk body; /* that chunk */
    uint32_t reads, writes;
    uint32_t position[TALK2_CHUNKS];
    struct talk2_chunk read[TALK2_CHUNKS], write[TALK2_CHUNKS], reply;
    bool has_reply;
    uint32_t length, answer_length;
    uint8_t payload[TALK2_PAYLOAD], answer[TALK2_PAYLOAD];
};

struct talk2_values {
    uint8_t told; /* by enum talk2_property */
    uint32_t value[TALK2_PROPERTIES];
};

/* What a Send tells the side that takes it. */
enum talk2_meaning {
    MEANS_NOTHING, /* a grant, or a piece that is not the last */
    MEANS_CALL,
    MEANS_ANSWER,  /* a Reply or an error that ends its Call */
    MEANS_REFUSAL, /* an error after which the Call comes again */
    MEANS_VALUES,
    MEANS_REQUEST,
    MEANS_RESPONSE,
    MEANS_OPTION,
    MEANS_OLD_VERSION, /* ERR_VERS */
};

struct talk2_flight {
    struct rpcrdma_event event;
    enum talk2_meaning meaning;
    struct talk2_call *call;
    uint32_t xid, credit, type;
    struct talk2_values values;
    bool observed;
    uint64_t posted, knows; /* Sends of its side before it, and of the other's that had arrived */
    uint8_t octets[TALK2_SEND];
};

/* A message that takes more than one Send. */
enum talk2_message { NO_MESSAGE, THE_CALL, THE_REPLY, THE_PROPERTIES };

struct talk2_side {
    enum rpcrdma_endpoint side;
    bool heard;   /* something of version 2 came */
    bool started; /* something was sent */

    /* Draft -07: all modulo 2^32. */
    uint32_t sent, received, limit, advertised;
    bool by_sends, grant_beyond;

    /* Draft -04, and version 1 */
    uint32_t granted, in_flight;
    bool answered;

    struct talk2_values own, known; /* what it has told, what it knows of the other side */
    bool told_all;                  /* FINAL of -07, CONNPROP of -04 */
    uint32_t asked_xid, asked_size; /* -04: a request of its own that waits; or 0 */
    uint32_t to_answer;             /* -04: XID of a request of the other side; or 0 */
    struct talk2_values wanted;
    uint32_t refused_option; /* XID, or 0 */

    enum talk2_message message; /* that it is in the middle of */
    struct talk2_call *current;
    uint32_t done; /* octets, or messages */

    struct talk2_call calls[TALK2_CALLS];
    uint32_t next_xid;

    struct talk2_flight flights[TALK2_FLIGHTS];
    uint32_t first, count;
};

struct talk2 {
    uint64_t seed, events, notes;
    uint64_t types[TALK2_TYPES], invalidations, operations; /* of the events: how many */
    struct dice dice;
    enum rpcrdma_protocol protocol; /* of version 2 */
    struct rpcrdma_check_config config;
    struct rpcrdma_check *check;
    bool crossing;   /* Sends take their time */
    bool same_xids;  /* Calls of the server have the XIDs of Calls of the client that wait */
    bool falls_back; /* the server speaks version 1 alone */
    bool refused;    /* and has said so, or the client has heard it */
    bool rdma_seen;
    uint32_t unseen; /* steps before the capture begins */
    size_t snap;     /* octets that the capture keeps of a Send */
    bool noise;      /* the checker sees other octets than were sent */
    uint32_t next_handle;
    uint64_t next_address;
    struct talk2_side side[2];
    const struct talk2_flight *seen; /* what is judged, if it is under way */
    /* Can change what the checker sees of a Send; or NULL. */
    bool (*spoil)(struct talk2 *talk, struct talk2_flight *flight);
    void (*accuse)(struct talk2 *talk, const char *rule, const char *text);
    void (*judged)(struct talk2 *talk, const struct rpcrdma_event *event,
                   const struct rpcrdma_judgement *judgement); /* or NULL */
};

void talk2_start(struct talk2 *talk, uint64_t seed, void *memory, size_t size);

/* False where neither side can go on. */
bool talk2_step(struct talk2 *talk);

/* An event of its own, such as a gap. */
void talk2_judge(struct talk2 *talk, struct rpcrdma_event *event);

/* ---- inside: Sends (conversation_send.c) ---- */

bool talk2_is_07(const struct talk2 *talk);

/* A Send of this side with its header's first words, and its octets one by one. */
struct talk2_flight *talk2_begin(struct talk2 *talk, struct talk2_side *side, uint32_t xid,
                                 uint32_t type);
void talk2_word(struct talk2_flight *flight, uint32_t word);
void talk2_octets(struct talk2_flight *flight, const uint8_t *octets, uint32_t length);
void talk2_post(struct talk2 *talk, struct talk2_side *side, struct talk2_flight *flight);

/* An RDMA operation of this side. */
void talk2_operate(struct talk2 *talk, struct talk2_side *side, enum rpcrdma_event_type type,
                   const struct talk2_chunk *chunk, const uint32_t *lengths);

bool talk2_move(struct talk2 *talk); /* something that is under way goes on */
struct talk2_side *talk2_peer(struct talk2 *talk, const struct talk2_side *side);

/* A Send may be posted; the most octets that it may have. */
bool talk2_may_send(const struct talk2 *talk, const struct talk2_side *side);
uint32_t talk2_most(const struct talk2 *talk, const struct talk2_side *side);

/* ---- inside: Calls and answers (conversation_call.c) ---- */

bool talk2_call(struct talk2 *talk, struct talk2_side *side);
bool talk2_answer(struct talk2 *talk, struct talk2_side *side);
bool talk2_call_again(struct talk2 *talk, struct talk2_side *side);
bool talk2_next_piece(struct talk2 *talk, struct talk2_side *side);

/* A word of an RPC message; memory for this many octets; what is returned of it. */
void talk2_put(uint8_t *octets, uint32_t *length, uint32_t word);
void talk2_make_chunk(struct talk2 *talk, const struct talk2_side *side, struct talk2_chunk *chunk,
                      uint32_t octets, bool whole_words);
void talk2_fill(struct talk2_chunk *chunk, uint32_t octets);

/* ---- inside: READ and WRITE of NFS version 3 (conversation_nfs.c) ---- */

uint32_t talk2_nfs_procedure(struct talk2 *talk, bool chunks); /* or 0 */
void talk2_nfs_arguments(struct talk2 *talk, const struct talk2_side *side,
                         struct talk2_call *call);
void talk2_nfs_results(struct talk2 *talk, struct talk2_call *call);

/* ---- inside: the rest (conversation.c) ---- */

void talk2_take(struct talk2 *talk, struct talk2_side *side, const struct talk2_flight *flight);

#endif
