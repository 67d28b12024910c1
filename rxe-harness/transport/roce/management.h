// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connection management (InfiniBand specification, volume 1, chapter 12, and annex A11 for RDMA
 * over IP addresses): the messages that make and end a connection, made here and taken apart.
 */
#ifndef HARNESS_ROCE_MANAGEMENT_H
#define HARNESS_ROCE_MANAGEMENT_H

#include "rxe-harness/transport/roce/frame.h"

enum management_kind {
    MANAGEMENT_NONE,
    MANAGEMENT_REQUEST = 0x10, /* REQ */
    MANAGEMENT_RECEIPT,        /* MRA: the answer takes longer */
    MANAGEMENT_REJECT,         /* REJ */
    MANAGEMENT_REPLY,          /* REP */
    MANAGEMENT_READY,          /* RTU */
    MANAGEMENT_DISCONNECT,     /* DREQ */
    MANAGEMENT_DISCONNECTED,   /* DREP */
};

/* Reasons of a reject (12.6.7.2). */
enum {
    REJECT_NO_RESOURCES = 3,
    REJECT_TIMEOUT = 4, /* a request that its sender gave up */
    REJECT_NO_SERVICE = 8,
    REJECT_STALE = 10,
    REJECT_CONSUMER = 28,
};

/* Octets of private data that a consumer has: in a request after the header with its addresses. */
#define REQUEST_PRIVATE_MAX 56
#define REPLY_PRIVATE_MAX 196

/* One side of a connection, as it describes itself. */
struct management_side {
    uint32_t id;         /* of the communication */
    uint32_t queue_pair; /* 24 bits */
    uint32_t psn;        /* with which the other side's requests begin, 24 bits */
    unsigned serves;     /* RDMA Reads that it serves at once (responder resources) */
    unsigned issues;     /* and that it issues at once (initiator depth) */
};

struct management {
    enum management_kind kind;
    uint64_t transaction;
    struct management_side sender;
    uint32_t receiver;      /* the receiver's id; 0 in a request */
    uint32_t receiver_pair; /* disconnect: the receiver's queue pair */
    uint64_t guid;    /* request, its timeout: of the sender's adapter; with the id it names the
                         connection */
    uint16_t port;    /* request: of RDMA CM's TCP port space */
    uint32_t mtu;     /* request: of the path, in octets; 0: not a valid one */
    unsigned reason;  /* reject */
    int64_t patience; /* receipt: milliseconds until the answer */
    const uint8_t *private_data;
    size_t private_length; /* of what comes: all of the room for it */
};

/* The frame of a message to the peer. `psn` counts datagrams. */
void management_make(struct frame *frame, const struct roce_path *path,
                     const struct management *message, uint32_t psn);
/* False: the packet is no message of connection management. Private data point into it. */
bool management_take(const struct packet *packet, struct management *message);

/* "the peer has no service there (8)"; the text is static but for a number that is not known. */
const char *management_reason(unsigned reason);

#endif
