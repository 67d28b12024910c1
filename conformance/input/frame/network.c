// SPDX-License-Identifier: BSD-3-Clause
/*
 * The network layer.
 *
 * Its own length tells where the packet ends, so from here on it is known how much is missing of a
 * packet that was not recorded to its end. The innermost addresses count: they are those of the
 * two hosts, while outer ones are of tunnels.
 */
#include "conformance/input/frame/layers.h"

enum {
    IP4_SIZE = 20,
    IP4_FRAGMENT = 0x3fff, /* offset, and that more follow */
    IP6_SIZE = 40,
    IP6_EXTENSIONS_MAX = 8,
    GRH_SIZE = 40,
    GRH_NEXT_BASE = 0x1b,
    UDP_SIZE = 8,
    PORT_ROCE = 4791,
};

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PROTOCOL_GRE = 47, PROTOCOL_ESP = 50 };

static enum layer protocol_layer(unsigned protocol)
{
    switch (protocol) {
    case PROTOCOL_TCP:
        return LAYER_TCP;
    case PROTOCOL_UDP:
        return LAYER_UDP;
    case PROTOCOL_GRE:
        return LAYER_GRE;
    case PROTOCOL_ESP:
        return LAYER_ESP;
    case 4: /* IP in IP */
    case 41:
        return LAYER_IP;
    default:
        return LAYER_OTHER;
    }
}

static void set_ip4(struct address *address, const uint8_t *octets)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    memcpy(address->octets, mapped, sizeof mapped);
    memcpy(address->octets + sizeof mapped, octets, 4);
}

/* RDMA packets are never fragmented: a fragment is not one of them. */
static enum layer parse_ip4(struct view *view, struct packet *packet)
{
    if (view_left(view) < IP4_SIZE)
        return LAYER_CUT;
    size_t header = (size_t)(view->p[0] & 15) * 4, total = load_be16(view->p + 2);
    unsigned protocol = view->p[9];
    if (header < IP4_SIZE || total < header || (load_be16(view->p + 6) & IP4_FRAGMENT) != 0)
        return LAYER_OTHER;
    set_ip4(&packet->source, view->p + 12);
    set_ip4(&packet->destination, view->p + 16);
    view_set_total(view, total);
    return view_next(view, header, protocol_layer(protocol));
}

static void set_ip6(struct packet *packet, const uint8_t *source)
{
    memcpy(packet->source.octets, source, 16);
    memcpy(packet->destination.octets, source + 16, 16);
}

/* Hop-by-hop options, routing, destination options. */
static bool is_extension(unsigned next)
{
    return next == 0 || next == 43 || next == 60;
}

static enum layer parse_ip6(struct view *view, struct packet *packet)
{
    if (view_left(view) < IP6_SIZE)
        return LAYER_CUT;
    unsigned next = view->p[6];
    set_ip6(packet, view->p + 8);
    view_set_total(view, IP6_SIZE + load_be16(view->p + 4));
    view_skip(view, IP6_SIZE);
    for (int i = 0; i < IP6_EXTENSIONS_MAX && is_extension(next); i++) {
        if (view_left(view) < 8)
            return LAYER_CUT;
        size_t size = 8 + (size_t)view->p[1] * 8;
        next = view->p[0];
        if (view_left(view) < (ptrdiff_t)size)
            return LAYER_CUT;
        view_skip(view, size);
    }
    return protocol_layer(next);
}

enum layer network_ip(struct view *view, struct packet *packet)
{
    if (view_left(view) < 1)
        return LAYER_CUT;
    packet->network = view->p;
    switch (view->p[0] >> 4) {
    case 4:
        return parse_ip4(view, packet);
    case 6:
        return parse_ip6(view, packet);
    default:
        return LAYER_OTHER;
    }
}

enum layer network_global_route(struct view *view, struct packet *packet)
{
    if (view_left(view) < GRH_SIZE)
        return LAYER_CUT;
    if (view->p[6] != GRH_NEXT_BASE)
        return LAYER_OTHER;
    set_ip6(packet, view->p + 8);
    packet->network = NULL;
    view_set_total(view, GRH_SIZE + load_be16(view->p + 4));
    return view_next(view, GRH_SIZE, LAYER_BASE);
}

enum layer network_udp(struct view *view)
{
    if (view_left(view) < UDP_SIZE)
        return LAYER_CUT;
    unsigned port = load_be16(view->p + 2);
    size_t length = load_be16(view->p + 4);
    if (port != PORT_ROCE && port != PORT_VXLAN)
        return LAYER_OTHER;
    if (length < UDP_SIZE || (ptrdiff_t)length > view_total(view))
        return port == PORT_ROCE ? LAYER_BAD : LAYER_OTHER;
    view_set_total(view, length);
    view_skip(view, UDP_SIZE);
    return port == PORT_ROCE ? LAYER_BASE : tunnel_vxlan(view);
}
