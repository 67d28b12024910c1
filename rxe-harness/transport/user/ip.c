// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/ip.h"

#include <netinet/in.h>
#include <string.h>

enum { DO_NOT_FRAGMENT = 0x40, HOPS = 64 };

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

bool ip_is_v6(const struct address *address)
{
    return memcmp(address->octets, mapped, sizeof mapped) != 0;
}

struct address ip_address(const struct sockaddr *address)
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

/* Both families have it at the same place. */
uint16_t ip_port(const struct sockaddr *address)
{
    struct sockaddr_in v4;
    memcpy(&v4, address, sizeof v4);
    return ntohs(v4.sin_port);
}

/* The identification is 0: so a socket sends where fragments are forbidden. */
size_t ip_put(uint8_t *octets, const struct address *from, const struct address *to,
              uint8_t protocol)
{
    bool v6 = ip_is_v6(from);
    memset(octets, 0, v6 ? IP6_SIZE : IP4_SIZE); /* what follows may be there already */
    if (v6) {
        octets[0] = 0x60;
        octets[6] = protocol;
        octets[7] = HOPS;
        memcpy(octets + 8, from->octets, 16);
        memcpy(octets + 24, to->octets, 16);
        return IP6_SIZE;
    }
    octets[0] = 0x45;
    octets[6] = DO_NOT_FRAGMENT;
    octets[8] = HOPS;
    octets[9] = protocol;
    memcpy(octets + 12, from->octets + sizeof mapped, 4);
    memcpy(octets + 16, to->octets + sizeof mapped, 4);
    return IP4_SIZE;
}

void ip_set_length(uint8_t *octets, size_t length)
{
    bool v6 = octets[0] >> 4 == 6;
    size_t value = v6 ? length - IP6_SIZE : length;
    octets[v6 ? 4 : 2] = (uint8_t)(value >> 8);
    octets[v6 ? 5 : 3] = (uint8_t)value;
}
