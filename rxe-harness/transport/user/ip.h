// SPDX-License-Identifier: BSD-3-Clause
/* Addresses and headers of IP, as sockets have and send them. */
#ifndef HARNESS_USER_IP_H
#define HARNESS_USER_IP_H

#include "conformance/input/frame/packet.h"

#include <sys/socket.h>

enum { IP4_SIZE = 20, IP6_SIZE = 40, IP_MAX = IP6_SIZE };

/* The address of an IPv4 (then mapped) or IPv6 socket address, and its port. */
struct address ip_address(const struct sockaddr *address);
uint16_t ip_port(const struct sockaddr *address);
bool ip_is_v6(const struct address *address);

/* Make a header for what goes between two addresses of one family, without length and check sum.
 * Returns its size; what follows is not touched. */
size_t ip_put(uint8_t *octets, const struct address *from, const struct address *to,
              uint8_t protocol);
/* The length of the whole packet, up to 65535. */
void ip_set_length(uint8_t *octets, size_t length);

#endif
