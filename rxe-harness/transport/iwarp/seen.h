// SPDX-License-Identifier: BSD-3-Clause
/* The octets of a TCP connection as segments, for who looks on (wire.h): a socket shows none. Their
 * sizes, and when each is acknowledged, are not those of the wire. */
#ifndef HARNESS_IWARP_SEEN_H
#define HARNESS_IWARP_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum seen_side { SEEN_OURS, SEEN_PEERS };

struct iwarp_seen {
    bool is_watched;
    uint8_t address[2][16]; /* of IPv6, or IPv4 mapped */
    uint16_t port[2];
    uint32_t next[2]; /* sequence numbers */
};

/* The connection is there; `active`: we asked for it. */
void seen_begin(struct iwarp_seen *seen, int socket, bool active);
void seen_octets(struct iwarp_seen *seen, enum seen_side from, const void *octets, size_t length);
/* This side sends nothing more. */
void seen_end(struct iwarp_seen *seen, enum seen_side from);

#endif
