// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/management.h"

#include "rxe-harness/transport/user/wire.h"

#include <string.h>

enum {
    DATAGRAM = 8, /* queue key and source queue pair */
    MAD_SIZE = 256,
    MAD_HEADER = 24,
    MAD_TRANSACTION = 8,
    MAD_ATTRIBUTE = 16,
    MESSAGE_SIZE = MAD_SIZE - MAD_HEADER,
};
#define QUEUE_KEY 0x80010000u
#define MAD_BEGIN 0x01070203u /* version 1, class 7: communication management, version 2, Send */
#define TCP_PORTS UINT64_C(0x0000000001060000)

/* Offsets in the messages (12.6.5 to 12.6.12). */
enum {
    LOCAL_ID = 0,
    REMOTE_ID = 4,
    REQUEST_SERVICE = 8,
    REQUEST_GUID = 16,
    REQUEST_QUEUE_PAIR = 32,
    REQUEST_SERVES = 35,
    REQUEST_ISSUES = 39,
    REQUEST_REMOTE_TIMEOUT = 43,
    REQUEST_PSN = 44,
    REQUEST_LOCAL_TIMEOUT = 47,
    REQUEST_PARTITION = 48,
    REQUEST_MTU = 50,
    REQUEST_RETRIES = 51,
    REQUEST_LIDS = 52,
    REQUEST_LOCAL_GID = 56,
    REQUEST_REMOTE_GID = 72,
    REQUEST_HOPS = 93,
    REQUEST_ACK_TIMEOUT = 95,
    REQUEST_ADDRESSES = 140, /* the header of RDMA CM */
    ADDRESSES_VERSION = 1,
    ADDRESSES_PORT = 2,
    ADDRESSES_FROM = 4,
    ADDRESSES_TO = 20,
    ADDRESSES_SIZE = 36,
    REPLY_QUEUE_PAIR = 12,
    REPLY_PSN = 20,
    REPLY_SERVES = 24,
    REPLY_ISSUES = 25,
    REPLY_DELAY = 26,
    REPLY_RETRIES = 27,
    REPLY_GUID = 28,
    REPLY_PRIVATE = 36,
    RECEIPT_TIMEOUT = 9,
    REJECT_MESSAGE = 8,
    REJECT_LENGTH = 9,
    REJECT_REASON = 10,
    REJECT_GUID = 12, /* additional information, of a timeout */
    DISCONNECT_QUEUE_PAIR = 8,
};

enum {
    CM_TIMEOUT = 18,      /* 4.096 us * 2^18: about 1 s, before a message is sent again */
    RECEIPT_TIME = 20,    /* about 4 s, for which the peer is asked to wait */
    ACK_TIMEOUT = 17,     /* about 0.5 s, after which the peer sends again */
    ACK_TIMEOUT_BAD = 15, /* about 0.13 s, over a bad wire */
    ACK_DELAY = 15,
    RETRIES = 6, /* that the peer has; not 7, which some take for "for ever", as it is of RNR */
    UNREADY_RETRIES = 7, /* for ever */
    HOPS = 64,
};

static void set(uint8_t *at, size_t octets, uint64_t value)
{
    for (; octets > 0; value >>= 8)
        at[--octets] = (uint8_t)value;
}

/* 1: 256 octets to 5: 4096. */
static unsigned mtu_code(uint32_t mtu)
{
    unsigned code = 1;
    while (code < 5 && 128u << code < mtu)
        code++;
    return code;
}

static void put_private(uint8_t *at, size_t room, const struct management *message)
{
    size_t length = message->private_length < room ? message->private_length : room;
    if (length > 0)
        memcpy(at, message->private_data, length);
}

static void put_request(uint8_t *p, const struct roce_path *path, const struct management *message)
{
    const struct management_side *sender = &message->sender;
    bool v6 = path_is_v6(path);
    set(p + REQUEST_SERVICE, 8, TCP_PORTS | message->port);
    set(p + REQUEST_GUID, 8, message->guid);
    set(p + REQUEST_QUEUE_PAIR, 3, sender->queue_pair);
    p[REQUEST_SERVES] = (uint8_t)sender->serves;
    p[REQUEST_ISSUES] = (uint8_t)sender->issues;
    p[REQUEST_REMOTE_TIMEOUT] = CM_TIMEOUT << 3; /* and a reliable connection: 0 */
    set(p + REQUEST_PSN, 3, sender->psn);
    p[REQUEST_LOCAL_TIMEOUT] = CM_TIMEOUT << 3 | RETRIES;
    set(p + REQUEST_PARTITION, 2, PARTITION_DEFAULT);
    p[REQUEST_MTU] = (uint8_t)(mtu_code(message->mtu) << 4 | UNREADY_RETRIES);
    p[REQUEST_RETRIES] = 15 << 4;
    set(p + REQUEST_LIDS, 4, UINT32_MAX);
    memcpy(p + REQUEST_LOCAL_GID, path->local.octets, 16);
    memcpy(p + REQUEST_REMOTE_GID, path->remote.octets, 16);
    p[REQUEST_HOPS] = HOPS;
    p[REQUEST_ACK_TIMEOUT] = (uint8_t)((wire_is_set() ? ACK_TIMEOUT_BAD : ACK_TIMEOUT) << 3);
    uint8_t *addresses = p + REQUEST_ADDRESSES;
    size_t skip = v6 ? 0 : 12; /* IPv4 is in the last four octets, after zeros */
    addresses[ADDRESSES_VERSION] = v6 ? 0x60 : 0x40;
    set(addresses + ADDRESSES_PORT, 2, ROCE_PORT);
    memcpy(addresses + ADDRESSES_FROM + skip, path->local.octets + skip, 16 - skip);
    memcpy(addresses + ADDRESSES_TO + skip, path->remote.octets + skip, 16 - skip);
    put_private(addresses + ADDRESSES_SIZE, REQUEST_PRIVATE_MAX, message);
}

static void put_reply(uint8_t *p, const struct management *message)
{
    const struct management_side *sender = &message->sender;
    set(p + REPLY_QUEUE_PAIR, 3, sender->queue_pair);
    set(p + REPLY_PSN, 3, sender->psn);
    p[REPLY_SERVES] = (uint8_t)sender->serves;
    p[REPLY_ISSUES] = (uint8_t)sender->issues;
    p[REPLY_DELAY] = ACK_DELAY << 3;
    p[REPLY_RETRIES] = UNREADY_RETRIES << 5;
    set(p + REPLY_GUID, 8, message->guid);
    put_private(p + REPLY_PRIVATE, REPLY_PRIVATE_MAX, message);
}

static void put_message(uint8_t *p, const struct roce_path *path, const struct management *message)
{
    set(p + LOCAL_ID, 4, message->sender.id);
    set(p + REMOTE_ID, 4, message->receiver);
    switch (message->kind) {
    case MANAGEMENT_REQUEST:
        put_request(p, path, message);
        break;
    case MANAGEMENT_REPLY:
        put_reply(p, message);
        break;
    case MANAGEMENT_REJECT:
        set(p + REJECT_REASON, 2, message->reason);
        if (message->reason == REJECT_TIMEOUT) {
            p[REJECT_MESSAGE] = 2 << 6; /* no message of the peer's; else a request: 0 */
            p[REJECT_LENGTH] = 8 << 1;
            set(p + REJECT_GUID, 8, message->guid);
        }
        break;
    case MANAGEMENT_RECEIPT:
        p[RECEIPT_TIMEOUT] = RECEIPT_TIME << 3;
        break;
    case MANAGEMENT_DISCONNECT:
        set(p + DISCONNECT_QUEUE_PAIR, 3, message->receiver_pair);
        break;
    case MANAGEMENT_READY:
    case MANAGEMENT_DISCONNECTED:
    case MANAGEMENT_NONE:
        break;
    }
}

void management_make(struct frame *frame, const struct roce_path *path,
                     const struct management *message, uint32_t psn)
{
    uint8_t mad[MAD_SIZE] = {0};
    set(mad, 4, MAD_BEGIN);
    set(mad + MAD_TRANSACTION, 8, message->transaction);
    set(mad + MAD_ATTRIBUTE, 2, message->kind);
    put_message(mad + MAD_HEADER, path, message);
    frame_begin(frame, path, OP_DATAGRAM, QUEUE_PAIR_MANAGEMENT, psn, false);
    frame_put(frame, 4, QUEUE_KEY);
    frame_put(frame, 4, QUEUE_PAIR_MANAGEMENT);
    frame_put_octets(frame, mad, sizeof mad);
    frame_seal(frame);
}

/* ---- taken apart ---- */

static void take_request(const uint8_t *p, struct management *message)
{
    unsigned mtu = p[REQUEST_MTU] >> 4;
    uint64_t service = load_be64(p + REQUEST_SERVICE);
    message->sender.queue_pair = load_be24(p + REQUEST_QUEUE_PAIR);
    message->sender.psn = load_be24(p + REQUEST_PSN);
    message->sender.serves = p[REQUEST_SERVES];
    message->sender.issues = p[REQUEST_ISSUES];
    message->guid = load_be64(p + REQUEST_GUID);
    message->port = (service & ~UINT64_C(0xffff)) == TCP_PORTS ? (uint16_t)service : 0;
    message->mtu = mtu >= 1 && mtu <= 5 ? 128u << mtu : 0;
    message->private_data = p + REQUEST_ADDRESSES + ADDRESSES_SIZE;
    message->private_length = REQUEST_PRIVATE_MAX;
}

static void take_reply(const uint8_t *p, struct management *message)
{
    message->sender.queue_pair = load_be24(p + REPLY_QUEUE_PAIR);
    message->sender.psn = load_be24(p + REPLY_PSN);
    message->sender.serves = p[REPLY_SERVES];
    message->sender.issues = p[REPLY_ISSUES];
    message->private_data = p + REPLY_PRIVATE;
    message->private_length = REPLY_PRIVATE_MAX;
}

static void take_reject(const uint8_t *p, struct management *message)
{
    message->reason = load_be16(p + REJECT_REASON);
    if (message->reason == REJECT_TIMEOUT && p[REJECT_LENGTH] >> 1 >= 8)
        message->guid = load_be64(p + REJECT_GUID);
}

bool management_take(const struct packet *packet, struct management *message)
{
    if (packet->opcode != OP_DATAGRAM || packet->queue_pair != QUEUE_PAIR_MANAGEMENT ||
        packet->total < DATAGRAM + MAD_SIZE)
        return false;
    const uint8_t *mad = packet->payload + DATAGRAM, *p = mad + MAD_HEADER;
    unsigned kind = load_be16(mad + MAD_ATTRIBUTE);
    if (load_be24(mad) != MAD_BEGIN >> 8 || kind < MANAGEMENT_REQUEST ||
        kind > MANAGEMENT_DISCONNECTED)
        return false;
    *message = (struct management){.kind = (enum management_kind)kind,
                                   .transaction = load_be64(mad + MAD_TRANSACTION),
                                   .sender.id = load_be32(p + LOCAL_ID),
                                   .receiver = load_be32(p + REMOTE_ID)};
    if (kind == MANAGEMENT_REQUEST)
        take_request(p, message);
    else if (kind == MANAGEMENT_REPLY)
        take_reply(p, message);
    else if (kind == MANAGEMENT_REJECT)
        take_reject(p, message);
    else if (kind == MANAGEMENT_DISCONNECT)
        message->receiver_pair = load_be24(p + DISCONNECT_QUEUE_PAIR);
    else if (kind == MANAGEMENT_RECEIPT) /* 4.096 us to the power */
        message->patience = (int64_t)(UINT64_C(4096) << (p[RECEIPT_TIMEOUT] >> 3)) / 1000000;
    return true;
}

const char *management_reason(unsigned reason)
{
    switch (reason) {
    case REJECT_NO_RESOURCES:
        return "the peer has no resources (3)";
    case REJECT_TIMEOUT:
        return "the peer gave up waiting (4)";
    case REJECT_NO_SERVICE:
        return "the peer has no service at this port (8)";
    case REJECT_STALE:
        return "the peer takes the connection for an older one (10)";
    case REJECT_CONSUMER:
        return "the peer's consumer rejected the connection (28)";
    default:
        return "the peer rejected the connection";
    }
}
