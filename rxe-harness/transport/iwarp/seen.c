// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/seen.h"

#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/wire.h"

#include <netinet/in.h>
#include <string.h>

enum { TCP_SIZE = 20, SEGMENT_MAX = 4096 };
enum { FIN = 0x01, SYN = 0x02, PUSH = 0x08, ACK = 0x10 };
#define WINDOW 0xffff

static size_t put(uint8_t *at, size_t octets, uint32_t value)
{
    for (size_t i = octets; i > 0; value >>= 8)
        at[--i] = (uint8_t)value;
    return octets;
}

static void put_segment(struct iwarp_seen *seen, enum seen_side from, uint8_t flags,
                        const uint8_t *octets, size_t length)
{
    uint8_t packet[IP_MAX + TCP_SIZE + SEGMENT_MAX];
    struct address ends[2];
    int to = 1 - (int)from;
    memcpy(ends[0].octets, seen->address[from], sizeof ends[0].octets);
    memcpy(ends[1].octets, seen->address[to], sizeof ends[1].octets);
    size_t at = ip_put(packet, &ends[0], &ends[1], IPPROTO_TCP);
    at += put(packet + at, 2, seen->port[from]);
    at += put(packet + at, 2, seen->port[to]);
    at += put(packet + at, 4, seen->next[from]);
    at += put(packet + at, 4, flags & ACK ? seen->next[to] : 0);
    at += put(packet + at, 1, TCP_SIZE / 4 << 4);
    at += put(packet + at, 1, flags);
    at += put(packet + at, 2, WINDOW);
    at += put(packet + at, 4, 0); /* no check sum, nothing urgent */
    if (length > 0)
        memcpy(packet + at, octets, length);
    ip_set_length(packet, at + length);
    wire_seen(packet, at + length);
    seen->next[from] += (uint32_t)length + (flags & (SYN | FIN) ? 1 : 0);
}

void seen_begin(struct iwarp_seen *seen, int socket, bool active)
{
    enum seen_side first = active ? SEEN_OURS : SEEN_PEERS;
    struct sockaddr_storage ends[2];
    socklen_t sizes[2] = {sizeof ends[0], sizeof ends[1]};
    *seen = (struct iwarp_seen){.is_watched = wire_is_watched()};
    if (!seen->is_watched)
        return;
    seen->is_watched = getsockname(socket, (struct sockaddr *)&ends[0], &sizes[0]) == 0 &&
                       getpeername(socket, (struct sockaddr *)&ends[1], &sizes[1]) == 0;
    for (int i = 0; seen->is_watched && i < 2; i++) {
        struct address address = ip_address((const struct sockaddr *)&ends[i]);
        memcpy(seen->address[i], address.octets, sizeof seen->address[i]);
        seen->port[i] = ip_port((const struct sockaddr *)&ends[i]);
    }
    if (!seen->is_watched)
        return;
    put_segment(seen, first, SYN, NULL, 0);
    put_segment(seen, 1 - first, SYN | ACK, NULL, 0);
    put_segment(seen, first, ACK, NULL, 0);
}

void seen_octets(struct iwarp_seen *seen, enum seen_side from, const void *octets, size_t length)
{
    const uint8_t *at = octets;
    while (seen->is_watched && length > 0) {
        size_t part = length < SEGMENT_MAX ? length : SEGMENT_MAX;
        put_segment(seen, from, PUSH | ACK, at, part);
        at += part;
        length -= part;
    }
}

void seen_end(struct iwarp_seen *seen, enum seen_side from)
{
    if (seen->is_watched)
        put_segment(seen, from, FIN | ACK, NULL, 0);
}
