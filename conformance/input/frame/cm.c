// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connection manager datagrams (InfiniBand specification, 12.6).
 *
 * Only the fields that lead to queue pairs, sequence numbers and private data are read, at fixed
 * offsets: the messages have no variable parts, and every datagram has the same length.
 */
#include "conformance/input/frame/cm.h"

enum {
    DATAGRAM_HEADER = 8, /* queue key and source queue pair */
    MAD_HEADER = 24,
    MAD_CLASS_CM = 0x07,
    MAD_ATTRIBUTE = 16,
    MAD_SIZE = 256,
    QUEUE_PAIR_CM = 1,
};

/* Offsets in the messages. */
enum {
    REQUEST_SERVICE = 8,
    REQUEST_QUEUE_PAIR = 32,
    REQUEST_PSN = 44,
    REQUEST_MTU = 50,
    REQUEST_PRIVATE = 140,
    REQUEST_PRIVATE_SIZE = 92,
    RDMA_CM_HEADER = 36, /* addresses and port, before the consumer's own private data */
    REPLY_QUEUE_PAIR = 12,
    REPLY_PSN = 20,
    REPLY_PRIVATE = 36,
    REPLY_PRIVATE_SIZE = 196,
    DISCONNECT_QUEUE_PAIR = 8,
};

static void parse_request(const uint8_t *p, struct cm_message *message)
{
    unsigned mtu = p[REQUEST_MTU] >> 4;
    message->service = load_be64(p + REQUEST_SERVICE);
    message->queue_pair = load_be24(p + REQUEST_QUEUE_PAIR);
    message->psn = load_be24(p + REQUEST_PSN);
    message->mtu = mtu >= 1 && mtu <= 5 ? 128u << mtu : 0;
    message->private_data = p + REQUEST_PRIVATE + RDMA_CM_HEADER;
    message->private_length = REQUEST_PRIVATE_SIZE - RDMA_CM_HEADER;
}

static void parse_reply(const uint8_t *p, struct cm_message *message)
{
    message->queue_pair = load_be24(p + REPLY_QUEUE_PAIR);
    message->psn = load_be24(p + REPLY_PSN);
    message->private_data = p + REPLY_PRIVATE;
    message->private_length = REPLY_PRIVATE_SIZE;
}

enum cm_result cm_parse(const struct packet *packet, struct cm_message *message)
{
    if (packet->opcode != OP_DATAGRAM || packet->queue_pair != QUEUE_PAIR_CM ||
        packet->total < DATAGRAM_HEADER + MAD_SIZE)
        return CM_NONE;
    if (packet->recorded < DATAGRAM_HEADER + 2)
        return CM_CUT;
    const uint8_t *mad = packet->payload + DATAGRAM_HEADER;
    const uint8_t *p = mad + MAD_HEADER;
    if (mad[1] != MAD_CLASS_CM)
        return CM_NONE;
    if (packet->recorded < DATAGRAM_HEADER + MAD_SIZE)
        return CM_CUT;
    *message = (struct cm_message){
        .kind = CM_OTHER, .local_id = load_be32(p), .remote_id = load_be32(p + 4)};
    switch (load_be16(mad + MAD_ATTRIBUTE)) {
    case CM_REQUEST:
        message->kind = CM_REQUEST;
        parse_request(p, message);
        break;
    case CM_REPLY:
        message->kind = CM_REPLY;
        parse_reply(p, message);
        break;
    case CM_REJECT:
        message->kind = CM_REJECT;
        break;
    case CM_DISCONNECT_REQUEST:
        message->kind = CM_DISCONNECT_REQUEST;
        message->queue_pair = load_be24(p + DISCONNECT_QUEUE_PAIR);
        break;
    }
    return CM_WHOLE;
}

bool cm_service_is_port(uint64_t service, uint16_t port)
{
    return service == (UINT64_C(0x0000000001060000) | port);
}
