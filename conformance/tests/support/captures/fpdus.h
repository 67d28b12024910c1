// SPDX-License-Identifier: BSD-3-Clause
/* iWARP made up: what one side sends after the connection's start, octet by octet. */
#ifndef CONFORMANCE_FPDUS_H
#define CONFORMANCE_FPDUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fpdus {
    bool markers, crc;
    uint32_t sends, reads; /* message numbers given so far */
    size_t limit;          /* of a ULPDU; messages that are longer become several */
    uint8_t octets[1 << 18];
    size_t length;
};

/* One FPDU with this ULPDU. */
void put_fpdu(struct fpdus *to, const uint8_t *ulpdu, size_t length);

enum { DDP_OPCODE_WRITE, DDP_OPCODE_READ_REQUEST, DDP_OPCODE_READ_RESPONSE, DDP_OPCODE_SEND };
enum { DDP_OPCODE_SEND_INVALIDATE = 4, DDP_OPCODE_SEND_SOLICITED, DDP_OPCODE_TERMINATE = 7 };

/* A message to a queue; `handle` is what is invalidated. */
void put_untagged(struct fpdus *to, unsigned opcode, uint32_t handle, const uint8_t *payload,
                  size_t length);
/* A message to memory: RDMA Write or Read Response. */
void put_tagged(struct fpdus *to, unsigned opcode, uint32_t handle, uint64_t offset,
                const uint8_t *payload, size_t length);
void put_send(struct fpdus *to, const uint8_t *payload, size_t length);
void put_read_request(struct fpdus *to, uint32_t sink, uint64_t sink_offset, uint32_t source,
                      uint64_t source_offset, uint32_t length);

/* The frame that starts a connection. Returns its length. */
size_t put_mpa_start(uint8_t *to, bool is_reply, uint8_t flags, uint8_t revision,
                     const uint8_t *private_data, size_t length);

#endif
