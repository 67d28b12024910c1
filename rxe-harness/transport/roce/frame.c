// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/frame.h"

#include "conformance/input/frame/icrc.h"
#include "rxe-harness/transport/user/ip.h"

#include <netinet/in.h>
#include <pcap/dlt.h>
#include <string.h>

enum { BASE_MIGRATED = 0x40, BASE_ACKNOWLEDGE = 0x80 };
enum { BASE_FLAGS = 1, BASE_ASKS = 8 }; /* offsets in the base transport header */

bool path_is_v6(const struct roce_path *path)
{
    return ip_is_v6(&path->local);
}

socklen_t path_remote(const struct roce_path *path, struct sockaddr_storage *address)
{
    *address = (struct sockaddr_storage){0};
    if (path_is_v6(path)) {
        struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(ROCE_PORT)};
        memcpy(&v6.sin6_addr, path->remote.octets, 16);
        v6.sin6_scope_id = path->scope;
        memcpy(address, &v6, sizeof v6);
        return sizeof v6;
    }
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT)};
    memcpy(&v4.sin_addr, path->remote.octets + 12, 4);
    memcpy(address, &v4, sizeof v4);
    return sizeof v4;
}

/* ---- numbers ---- */

static void set(uint8_t *at, size_t octets, uint64_t value)
{
    for (; octets > 0; value >>= 8)
        at[--octets] = (uint8_t)value;
}

void frame_put(struct frame *frame, size_t octets, uint64_t value)
{
    set(frame->octets + frame->length, octets, value);
    frame->length += octets;
}

void frame_put_octets(struct frame *frame, const void *octets, size_t length)
{
    if (length > 0)
        memcpy(frame->octets + frame->length, octets, length);
    frame->length += length;
}

/* ---- headers ---- */

static void put_headers(struct frame *frame, const struct address *from, const struct address *to,
                        uint16_t port)
{
    frame->length = ip_put(frame->octets, from, to, IPPROTO_UDP);
    frame_put(frame, 2, port);
    frame_put(frame, 2, ROCE_PORT);
    frame_put(frame, 4, 0); /* length, and no check sum: the invariant CRC covers more */
    frame->begin = frame->length;
}

/* The lengths, which include the CRC. */
static void set_lengths(struct frame *frame)
{
    size_t ip = frame->begin - FRAME_UDP;
    ip_set_length(frame->octets, frame->length);
    set(frame->octets + ip + 4, 2, frame->length - ip);
}

void frame_begin(struct frame *frame, const struct roce_path *path, enum opcode opcode,
                 uint32_t queue_pair, uint32_t psn, bool acknowledge)
{
    bool connected = opcode != OP_DATAGRAM;
    put_headers(frame, &path->local, &path->remote, ROCE_PORT);
    frame_put(frame, 1, opcode);
    frame_put(frame, 1, connected ? BASE_MIGRATED : 0);
    frame_put(frame, 2, PARTITION_DEFAULT);
    frame_put(frame, 4, queue_pair);
    frame_put(frame, 4, (acknowledge ? (uint32_t)BASE_ACKNOWLEDGE << 24 : 0) | (psn & PSN_MASK));
}

void frame_seal(struct frame *frame)
{
    size_t pad = (0 - (frame->length - frame->begin)) & 3, ip = frame->begin - FRAME_UDP;
    frame_put(frame, pad, 0);
    frame->octets[frame->begin + BASE_FLAGS] |= (uint8_t)(pad << 4);
    frame->length += ICRC_SIZE;
    set_lengths(frame);
    uint32_t crc = icrc_compute(frame->octets, ip, frame->length - ICRC_SIZE);
    for (size_t i = 0; i < ICRC_SIZE; i++, crc >>= 8)
        frame->octets[frame->length - ICRC_SIZE + i] = (uint8_t)crc;
}

uint8_t *frame_room(struct frame *frame, const struct roce_path *path)
{
    return frame->octets + (path_is_v6(path) ? IP6_SIZE : IP4_SIZE) + FRAME_UDP;
}

bool frame_take(struct frame *frame, const struct roce_path *path, uint16_t port, size_t length,
                struct packet *packet, bool *acknowledge)
{
    if (length < FRAME_BASE + ICRC_SIZE)
        return false;
    put_headers(frame, &path->remote, &path->local, port);
    frame->length += length;
    set_lengths(frame);
    const uint8_t *at = frame->octets + frame->length - ICRC_SIZE;
    uint32_t crc =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    if (!icrc_fits(frame->octets, frame->begin - FRAME_UDP, frame->length - ICRC_SIZE, crc))
        return false;
    *acknowledge = frame->octets[frame->begin + BASE_ASKS] & BASE_ACKNOWLEDGE;
    return packet_parse(DLT_RAW, frame->octets, frame->length, frame->length, packet) ==
           PACKET_ROCE;
}
