// SPDX-License-Identifier: BSD-3-Clause
/*
 * One packet of RoCEv2 (InfiniBand specification, volume 1, chapter 9 and annex A17), with the
 * headers of IP and UDP that the invariant CRC covers. What comes is taken apart by the reader of
 * captures.
 */
#ifndef HARNESS_ROCE_FRAME_H
#define HARNESS_ROCE_FRAME_H

#include "conformance/input/frame/packet.h"

#include <sys/socket.h>

#define ROCE_PORT 4791
#define ROCE_MTU_MAX 4096
#define QUEUE_PAIR_MANAGEMENT 1
#define PARTITION_DEFAULT 0xffff

enum {
    FRAME_IP_MAX = 40,
    FRAME_UDP = 8,
    FRAME_BASE = 12,
    FRAME_EXTENDED_MAX = 28,
    /* The largest packet, padded, with its CRC. */
    FRAME_MAX = FRAME_IP_MAX + FRAME_UDP + FRAME_BASE + FRAME_EXTENDED_MAX + ROCE_MTU_MAX + 3 + 4,
};

/* Between two addresses, of one family. */
struct roce_path {
    struct address local, remote; /* IPv4 mapped */
    uint32_t scope;               /* of a link-local address of IPv6: the interface */
};

bool path_is_v6(const struct roce_path *path);
/* The remote address and RoCE's port, to send to. Returns its size. */
socklen_t path_remote(const struct roce_path *path, struct sockaddr_storage *address);

struct frame {
    uint8_t octets[FRAME_MAX]; /* from the IP header on */
    size_t begin;              /* where the payload of UDP begins */
    size_t length;
};

/* ---- made: begin, what follows the base header, seal ---- */

/* `acknowledge`: the sender asks for an acknowledgement of this packet. */
void frame_begin(struct frame *frame, const struct roce_path *path, enum opcode opcode,
                 uint32_t queue_pair, uint32_t psn, bool acknowledge);
/* A number of this many octets, in network byte order. */
void frame_put(struct frame *frame, size_t octets, uint64_t value);
void frame_put_octets(struct frame *frame, const void *octets, size_t length);
/* Padding, lengths, CRC. The payload of UDP is what is sent by a socket. */
void frame_seal(struct frame *frame);

/* ---- taken ---- */

/* Room for the payload of UDP that comes by this path. */
uint8_t *frame_room(struct frame *frame, const struct roce_path *path);
/* `length` octets have come from this port; false: they are no packet of RoCE, or the CRC is wrong.
 * The packet points into the frame; *acknowledge as above. */
bool frame_take(struct frame *frame, const struct roce_path *path, uint16_t port, size_t length,
                struct packet *packet, bool *acknowledge);

#endif
