// SPDX-License-Identifier: BSD-3-Clause
/*
 * A queue pair of a reliable connection (InfiniBand specification, volume 1, chapter 9), both of
 * its halves: requester.c sends our requests, responder.c serves the peer's. It is driven by
 * packets and by the clock, and sends by a function; it has no thread and no lock of its own.
 *
 * One piece of work of ours is under way at a time, of any number of packets: what uses it waits
 * for its end anyway. Of an RDMA Read that is several requests, each for a part of it, a few at
 * once. Lost packets are sent again from the first that is missing.
 */
#ifndef HARNESS_ROCE_QUEUE_PAIR_H
#define HARNESS_ROCE_QUEUE_PAIR_H

#include "rxe-harness/transport/roce/frame.h"
#include "rxe-harness/transport/user/end.h"

#include <stdint.h>

enum {
    READS_SERVED = 16,                /* RDMA Reads of the peer's at once */
    DUE_AGAIN_MAX = 2 * READS_SERVED, /* with an acknowledgement after each */
    DUE_MAX = 2 * DUE_AGAIN_MAX,      /* beside as many that are asked for again */
    RESPONSES_MAX = DUE_MAX + 1,
    WINDOW = 64,      /* packets under way */
    READS_ISSUED = 4, /* of ours, unless the peer serves fewer */
    READ_PART = 8,    /* packets that one asks for: all together no more than a socket's room */
    RETRY_TIME = 64,  /* milliseconds without a sign of life until a request is sent again */
    RETRY_TIME_MAX = 1024, /* they are doubled each time, up to these */
    RETRIES = 7,           /* of these, one after the other */
    RNR_RETRIES = 6,       /* while the peer has no Receive */
    RESPONSE_BURST = 32    /* packets of responses in one go, before others have their turn */
};

/* The AETH's syndrome (9.7.5.1). */
enum {
    SYNDROME_KIND = 0xe0,
    SYNDROME_ACK = 0x00,
    SYNDROME_RNR = 0x20,
    SYNDROME_NAK = 0x60,
    ACK_WITHOUT_CREDITS = 0x1f,
    NAK_SEQUENCE = 0x60,
    NAK_INVALID = 0x61,
    NAK_ACCESS = 0x62,
    NAK_OPERATION = 0x63,
    RNR_TIMER = 12 /* 0.64 ms */
};

/* ---- what we ask ---- */

struct roce_way {   /* how far our request is */
    uint32_t first; /* PSN */
    uint32_t packets, sent, done;
    unsigned tries, not_ready;
    bool gap;           /* of a Read: a lost response has been asked for again */
    uint32_t life;      /* packets of it until the queue pair dies (wire.h); 0: it lives */
    int64_t deadline;   /* milliseconds: then what is not acknowledged is sent again */
    int64_t not_before; /* microseconds: the peer was not ready */
};

/* ---- what the peer asks ---- */

/* A response that is due; in the order of PSNs. */
struct response {
    uint32_t psn;
    uint8_t syndrome;
    bool is_read, is_again;
    uint32_t handle, length; /* of an RDMA Read */
    uint64_t offset;
    uint32_t sent; /* packets of it */
    uint32_t life; /* packets of it until it is cut (wire.h); 0: it is not */
};

struct queue_pair {
    uint32_t number, peer, mtu;
    unsigned reads; /* RDMA Reads of ours that may be under way; 0 is as 1 */
    struct roce_path path;
    void (*transmit)(void *arg, struct frame *frame);
    void *transmit_arg;
    struct user_end end;

    /* requester.c */
    struct roce_way way; /* of end.work */
    uint32_t next_psn;

    /* responder.c */
    uint32_t expected, served; /* the next PSN; requests that are complete (MSN) */
    bool waits;                /* a NAK is out: the peer begins again from `expected` */
    unsigned not_ready;        /* the Send that is due is refused so often, less one (wire.h) */
    struct response responses[RESPONSES_MAX];
    unsigned responses_first, responses_count;
    enum {
        INSIDE_NOTHING,
        INSIDE_SEND,
        INSIDE_WRITE
    } inside;                   /* a message whose last packet is due */
    struct happening *building; /* the Send */
    uint32_t write_handle;
    uint64_t write_offset;
    size_t write_length;
    size_t filled; /* octets of the message so far */
};

/* ---- requester.c ---- */

/* Begin end.work. */
void roce_requester_begin(struct queue_pair *pair, int64_t now);
/* An acknowledgement, or a response to an RDMA Read. `now`: microseconds, here and below. */
void roce_requester_take(struct queue_pair *pair, const struct packet *packet, int64_t now);
/* Send what may be sent, again if it is time. Returns when there is something to do next,
 * INT64_MAX: when something comes. */
int64_t roce_requester_run(struct queue_pair *pair, int64_t now);

/* ---- responder.c ---- */

/* A request of the peer's. */
void roce_responder_take(struct queue_pair *pair, const struct packet *packet, bool acknowledge);
/* Send what is due; true: there is more. */
bool roce_responder_run(struct queue_pair *pair);
void roce_responder_end(struct queue_pair *pair);

/* Packets that this many octets take; 0 octets take one. */
uint32_t queue_pair_packets(const struct queue_pair *pair, size_t length);

#endif
