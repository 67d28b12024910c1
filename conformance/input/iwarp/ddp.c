// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/iwarp/ddp.h"
#include "conformance/input/buffer/octets.h"

/* Whether this is the queue that the untagged messages of an opcode go to. */
static bool is_queue_of(uint8_t opcode, uint32_t queue)
{
    switch (opcode) {
    case OP_SEND:
    case OP_SEND_INVALIDATE:
    case OP_SEND_SOLICITED:
    case OP_SEND_SOLICITED_INVALIDATE:
        return queue == QUEUE_SEND;
    case OP_READ_REQUEST:
        return queue == QUEUE_READ_REQUEST;
    case OP_TERMINATE:
        return queue == QUEUE_TERMINATE;
    default:
        break;
    }
    return false;
}

bool ddp_parse(const uint8_t *octets, size_t recorded, size_t length, struct ddp_segment *segment)
{
    if (recorded < TAGGED_SIZE || (octets[0] & DDP_VERSION_MASK) != DDP_VERSION ||
        (octets[1] & RDMAP_VERSION_MASK) != RDMAP_VERSION)
        return false;
    bool tagged = octets[0] & DDP_TAGGED;
    size_t header = tagged ? TAGGED_SIZE : UNTAGGED_SIZE;
    if (recorded < header || length < header)
        return false;
    *segment = (struct ddp_segment){
        .tagged = tagged,
        .last = octets[0] & DDP_LAST,
        .opcode = octets[1] & RDMAP_OPCODE_MASK,
        .handle = load_be32(octets + 2),
        .payload = octets + header,
        .recorded = recorded - header,
        .length = length - header,
    };
    if (tagged) {
        segment->offset = load_be64(octets + 6);
        return segment->opcode == OP_WRITE || segment->opcode == OP_READ_RESPONSE;
    }
    segment->queue = load_be32(octets + 6);
    segment->number = load_be32(octets + 10);
    segment->message_offset = load_be32(octets + 14);
    return is_queue_of(segment->opcode, segment->queue);
}
