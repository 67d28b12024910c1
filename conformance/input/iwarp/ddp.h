// SPDX-License-Identifier: BSD-3-Clause
/* The headers of DDP segments (RFC 5041) with what RDMAP (RFC 5040) has in them. */
#ifndef CONFORMANCE_IWARP_DDP_H
#define CONFORMANCE_IWARP_DDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TAGGED_SIZE = 14, UNTAGGED_SIZE = 18, READ_REQUEST_SIZE = 28 };
enum { DDP_TAGGED = 0x80, DDP_LAST = 0x40, DDP_VERSION_MASK = 0x03, DDP_VERSION = 1 };
enum { RDMAP_VERSION_MASK = 0xc0, RDMAP_VERSION = 0x40, RDMAP_OPCODE_MASK = 0x0f };
enum { QUEUE_SEND, QUEUE_READ_REQUEST, QUEUE_TERMINATE };

enum rdmap_opcode {
    OP_WRITE,
    OP_READ_REQUEST,
    OP_READ_RESPONSE,
    OP_SEND,
    OP_SEND_INVALIDATE,
    OP_SEND_SOLICITED,
    OP_SEND_SOLICITED_INVALIDATE,
    OP_TERMINATE,
};

struct ddp_segment {
    bool tagged, last;
    uint8_t opcode;
    uint32_t handle;                        /* tagged: where it goes; untagged: to be invalidated */
    uint64_t offset;                        /* tagged */
    uint32_t queue, number, message_offset; /* untagged */
    const uint8_t *payload;
    size_t recorded, length;
    uint64_t frame; /* the caller's */
};

/* False if the header is not one of RDMAP's, or not all of it is among the `recorded` octets. */
bool ddp_parse(const uint8_t *octets, size_t recorded, size_t length, struct ddp_segment *segment);

#endif
