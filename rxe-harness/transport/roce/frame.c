// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/frame.h"

#include "rxe-harness/transport/roce/icrc.h"

#include <netinet/in.h>
#include <pcap/dlt.h>
#include <string.h>

enum { IP4_SIZE = 20, IP6_SIZE = 40, IP4_DO_NOT_FRAGMENT = 0x4000, HOPS = 64 };
enum { BASE_MIGRATED = 0x40, BASE_ACKNOWLEDGE = 0x80 };
enum { BASE_FLAGS = 1, BASE_ASKS = 8 }; /* offsets in the base transport header */

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

bool path_is_v6(const struct roce_path *path)
{
    return memcmp(path->local.octets, mapped, sizeof mapped) != 0;
}

struct address path_address(const struct sockaddr *address)
{
    struct address out = {{0}};
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        memcpy(out.octets, &v6.sin6_addr, 16);
    } else {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        memcpy(out.octets, mapped, sizeof mapped);
        memcpy(out.octets + sizeof mapped, &v4.sin_addr, 4);
    }
    return out;
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
    memcpy(&v4.sin_addr, path->remote.octets + sizeof mapped, 4);
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

/* The identification is 0: so a socket sends where fragments are forbidden. */
static void put_ip4(struct frame *frame, const struct address *from, const struct address *to)
{
    frame_put(frame, 4, 0x45000000);
    frame_put(frame, 4, IP4_DO_NOT_FRAGMENT);
    frame_put(frame, 4, (uint32_t)HOPS << 24 | (uint32_t)IPPROTO_UDP << 16);
    frame_put_octets(frame, from->octets + sizeof mapped, 4);
    frame_put_octets(frame, to->octets + sizeof mapped, 4);
}

static void put_ip6(struct frame *frame, const struct address *from, const struct address *to)
{
    frame_put(frame, 4, 0x60000000);
    frame_put(frame, 4, (uint32_t)IPPROTO_UDP << 8 | HOPS);
    frame_put_octets(frame, from->octets, 16);
    frame_put_octets(frame, to->octets, 16);
}

static void put_headers(struct frame *frame, bool v6, const struct address *from,
                        const struct address *to, uint16_t port)
{
    frame->length = 0;
    if (v6)
        put_ip6(frame, from, to);
    else
        put_ip4(frame, from, to);
    frame_put(frame, 2, port);
    frame_put(frame, 2, ROCE_PORT);
    frame_put(frame, 4, 0); /* length, and no check sum: the invariant CRC covers more */
    frame->begin = frame->length;
}

/* The lengths, which include the CRC. */
static void set_lengths(struct frame *frame)
{
    size_t ip = frame->begin - FRAME_UDP;
    set(frame->octets + (ip == IP4_SIZE ? 2 : 4), 2,
        ip == IP4_SIZE ? frame->length : frame->length - IP6_SIZE);
    set(frame->octets + ip + 4, 2, frame->length - ip);
}

void frame_begin(struct frame *frame, const struct roce_path *path, enum opcode opcode,
                 uint32_t queue_pair, uint32_t psn, bool acknowledge)
{
    bool connected = opcode != OP_DATAGRAM;
    put_headers(frame, path_is_v6(path), &path->local, &path->remote, ROCE_PORT);
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
    put_headers(frame, path_is_v6(path), &path->remote, &path->local, port);
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
