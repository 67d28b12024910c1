// SPDX-License-Identifier: BSD-3-Clause
/* Captures made up packet by packet: RoCEv2 between two queue pairs, as tests want them. */
#ifndef CONFORMANCE_SYNTHETIC_H
#define CONFORMANCE_SYNTHETIC_H

#include "conformance/input/frame/packet.h"

#include <pcap/pcap.h>
#include <rpcrdma/check.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

/* A pcap file of its own link type (the numbers of the file format, where they differ from DLT). */
enum { LINK_ETHERNET = 1, LINK_LOOP = 108, LINK_NULL = 0, LINK_RAW = 101 };
enum { LINK_SLL = 113, LINK_IPV4 = 228, LINK_IPV6 = 229, LINK_SLL2 = 276 };

/* What stands before the InfiniBand headers, and how much of a frame is kept. */
struct wrapping {
    int link;
    unsigned vlan_tags, ip4_options; /* of 4 octets */
    bool ip6;
    unsigned ip6_extensions;
    uint16_t fragment; /* IPv4 flags and offset */
    size_t snap;       /* 0: all */
};

extern struct wrapping wrapping;
extern FILE *capture;
extern uint64_t frames;
extern uint32_t seconds_late; /* seconds since which a frame had waited when it was recorded */

/* The two sides of the connection that is written now; queue_pair and psn are their own. */
struct synthetic_peer {
    uint8_t host; /* last octet of its address */
    uint32_t queue_pair, comm_id, first_psn;
};
extern struct synthetic_peer peer[2];

uint8_t *put16(uint8_t *p, unsigned v);
uint8_t *put32(uint8_t *p, uint32_t v);
uint8_t *put(uint8_t *p, const void *octets, size_t count);
void first_connection(void);
void begin_capture(void);

/* Any octets as a frame. */
void frame(const uint8_t *octets, size_t length);

/* The latest frame of the capture, without the record's header. Returns its length. */
#define FRAME_MAX 512
size_t latest_frame(uint8_t octets[FRAME_MAX]);

/* A packet: extended headers, then payload. */
void packet(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t queue_pair, uint32_t psn,
            const void *extended, size_t extended_length, const void *payload, size_t length);
void request(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, const void *payload,
             size_t length);
void invalidate(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint32_t handle,
                const void *payload, size_t length);

/* RDMA Write (first or only packet) and RDMA Read request. */
void rdma(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint32_t handle,
          uint32_t total, const void *payload, size_t length);
#define RDMA_OFFSET UINT64_C(0x1000000020)

/* Acknowledgement or RDMA Read response (first, last, only). */
void response(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint8_t syndrome,
              const void *payload, size_t length);

enum { ACK = 0x1f, NAK_RNR = 0x20, NAK_SEQUENCE = 0x60, NAK_ACCESS = 0x62 };

void ack(enum rpcrdma_endpoint sender, uint32_t psn, uint8_t syndrome);

/* ---- connection management ---- */

void cm_request(uint16_t port, const void *private_data, size_t length);
void cm_reply(const void *private_data, size_t length);
void cm_reject(void);
void cm_disconnect(enum rpcrdma_endpoint sender);

/* A connection without private data, at the usual port. */
void establish(void);

/* ---- Sends ---- */

/* A version 1 RDMA_MSG with no chunks and the first words of an RPC message. */
const uint8_t *message(uint32_t xid, enum rpcrdma_direction direction);
#define MESSAGE_LENGTH 68

void call(enum rpcrdma_endpoint sender, uint32_t psn, uint32_t xid);
void reply(enum rpcrdma_endpoint sender, uint32_t psn, uint32_t xid);

#endif
