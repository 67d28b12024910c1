// SPDX-License-Identifier: BSD-3-Clause
/*
 * A queue pair of a reliable connection (InfiniBand specification, volume 1, chapter 9), both of
 * its halves: requester.c sends our requests, responder.c serves the peer's. It is driven by
 * packets and by the clock, and sends by a function; it has no thread and no lock of its own.
 *
 * One request of ours is under way at a time, of any number of packets: what uses it waits for its
 * end anyway. Lost packets are sent again from the first that is missing.
 */
#ifndef HARNESS_ROCE_QUEUE_PAIR_H
#define HARNESS_ROCE_QUEUE_PAIR_H

#include "rxe-harness/transport/roce/frame.h"
#include "rxe-harness/transport/transport.h"

#include <stdint.h>

enum {
    READS_SERVED = 16,                    /* RDMA Reads of the peer's at once */
    RESPONSES_MAX = 2 * READS_SERVED + 1, /* with an acknowledgement after each */
    WINDOW = 64,                          /* packets under way */
    READ_PART = 32,     /* packets that one request asks for: no more than a socket's room */
    RETRY_TIME = 500,   /* milliseconds without a sign of life until a request is sent again */
    RETRIES = 7,        /* of these, one after the other */
    RNR_RETRIES = 6,    /* while the peer has no Receive */
    RESPONSE_BURST = 32 /* packets of responses in one go, before others have their turn */
};

/* Octets of what happened that wait for the owner to look; beyond, the peer is not answered. */
#define WAITING_MAX (64u << 20)

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

enum work_kind { WORK_SEND, WORK_WRITE, WORK_READ };
enum work_state { WORK_UNDER_WAY, WORK_DONE, WORK_FAILED };

struct work {
    enum work_kind kind;
    enum work_state state;
    const uint8_t *from; /* of a Send or a Write */
    uint8_t *to;         /* of a Read */
    size_t length;
    uint32_t handle; /* Write, Read */
    uint64_t offset;
    const uint32_t *invalidate; /* Send */
    uint32_t first;             /* PSN */
    uint32_t packets, sent, done;
    unsigned tries, not_ready;
    int64_t deadline;   /* milliseconds: then what is not acknowledged is sent again */
    int64_t not_before; /* microseconds: the peer was not ready */
};

/* ---- what the peer asks ---- */

struct roce_memory {
    struct roce_memory *next;
    uint8_t *octets;
    uint64_t offset, length;
    uint32_t handle;
    unsigned access; /* enum link_access */
};

/* A response that is due; in the order of the requests. */
struct response {
    uint32_t psn;
    uint8_t syndrome;
    bool is_read;
    uint32_t handle, length; /* of an RDMA Read */
    uint64_t offset;
    uint32_t sent; /* packets of it */
};

/* What happened here, in order, for the owner to look at. */
struct happening {
    struct happening *next;
    bool is_send, is_write, invalidated;
    uint32_t handle; /* of the RDMA operation; that was invalidated */
    uint64_t offset;
    size_t length;
    uint8_t octets[];
};

struct queue_pair {
    uint32_t number, peer, mtu;
    struct roce_path path;
    void (*transmit)(void *arg, struct frame *frame);
    void *transmit_arg;
    bool open;
    const char *why; /* it is not open any more; NULL: by its owner */
    bool starved;    /* since the peer had no Receive */

    /* requester.c */
    struct work *work;
    uint32_t next_psn;

    /* responder.c */
    uint32_t expected, served; /* the next PSN; requests that are complete (MSN) */
    bool waits;                /* a NAK is out: the peer begins again from `expected` */
    struct roce_memory *memory;
    struct response responses[RESPONSES_MAX];
    unsigned responses_first, responses_count;
    enum {
        INSIDE_NOTHING,
        INSIDE_SEND,
        INSIDE_WRITE
    } inside;                    /* a message whose last packet is due */
    struct happening *building;  /* the Send */
    struct roce_memory *written; /* by the Write */
    uint32_t write_handle;
    uint64_t write_offset;
    size_t write_length;
    size_t filled; /* octets of the message so far */
    size_t receive_size;
    unsigned receives, taken; /* posted; with a Send that the owner has not given back */
    bool observed;            /* the owner looks at RDMA operations */
    struct happening *first, **last;
    size_t waiting; /* octets of them */
};

/* ---- requester.c ---- */

/* work->kind to work->invalidate are set; the work stays until its state is another. */
void roce_requester_begin(struct queue_pair *pair, struct work *work, int64_t now);
/* An acknowledgement, or a response to an RDMA Read. `now`: microseconds, here and below. */
void roce_requester_take(struct queue_pair *pair, const struct packet *packet, int64_t now);
/* Send what may be sent, again if it is time. Returns when there is something to do next,
 * INT64_MAX: when something comes. */
int64_t roce_requester_run(struct queue_pair *pair, int64_t now);
/* Nothing will be answered any more. */
void roce_requester_end(struct queue_pair *pair);

/* ---- responder.c ---- */

/* A request of the peer's. */
void roce_responder_take(struct queue_pair *pair, const struct packet *packet, bool acknowledge);
/* Send what is due; true: there is more. */
bool roce_responder_run(struct queue_pair *pair);
/* The first thing that happened, which the caller frees; NULL: nothing. */
struct happening *roce_responder_next(struct queue_pair *pair);
/* The memory is not the peer's any more. */
void roce_responder_forget(struct queue_pair *pair, struct roce_memory *memory);
void roce_responder_end(struct queue_pair *pair);

/* The queue pair is over; the first reason counts. */
void queue_pair_fail(struct queue_pair *pair, const char *why);
/* Packets that this many octets take; 0 octets take one. */
uint32_t queue_pair_packets(const struct queue_pair *pair, size_t length);

#endif
