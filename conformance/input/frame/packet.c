// SPDX-License-Identifier: BSD-3-Clause
/*
 * One frame: from the link layer down to the InfiniBand headers.
 *
 * Each layer narrows one view of the frame, which knows both what was recorded and what was on the
 * wire: a capture may cut frames short, and then only the lengths in the headers tell how much is
 * missing. A layer names the next, and the loop here calls it; so any tunnel may carry any other,
 * without recursion, up to a limit. Nothing is read past what was recorded, and no layer can widen
 * the view again.
 */
#include "conformance/input/frame/link.h"
#include "conformance/input/frame/network.h"
#include "conformance/input/frame/tunnel.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define LAYERS_MAX 16

enum { BASE_SIZE = 12, CHECK_SUM = 4 };

/* ---- InfiniBand ---- */

enum extended {
    HAS_RETH = 1,
    HAS_AETH = 2,
    HAS_IMMEDIATE = 4,
    HAS_INVALIDATE = 8,
    HAS_ATOMIC = 16
};

enum {
    RETH_SIZE = 16,
    AETH_SIZE = 4,
    INVALIDATE_SIZE = 4,
    IMMEDIATE_SIZE = 4,
    ATOMIC_SIZE = 28,
};

static unsigned extended_headers(uint8_t opcode)
{
    switch (opcode) {
    case OP_WRITE_FIRST:
    case OP_WRITE_ONLY:
    case OP_READ_REQUEST:
        return HAS_RETH;
    case OP_WRITE_ONLY_IMMEDIATE:
        return HAS_RETH | HAS_IMMEDIATE;
    case OP_SEND_LAST_IMMEDIATE:
    case OP_SEND_ONLY_IMMEDIATE:
    case OP_WRITE_LAST_IMMEDIATE:
        return HAS_IMMEDIATE;
    case OP_READ_FIRST:
    case OP_READ_LAST:
    case OP_READ_ONLY:
    case OP_ACKNOWLEDGE:
    case OP_ATOMIC_ACKNOWLEDGE:
        return HAS_AETH;
    case OP_SEND_LAST_INVALIDATE:
    case OP_SEND_ONLY_INVALIDATE:
        return HAS_INVALIDATE;
    case OP_COMPARE_SWAP:
    case OP_FETCH_ADD:
        return HAS_ATOMIC;
    default:
        return 0;
    }
}

static bool has_room(const struct view *view, unsigned has)
{
    size_t size = 0;
    size += has & HAS_RETH ? RETH_SIZE : 0u;
    size += has & HAS_AETH ? AETH_SIZE : 0u;
    size += has & HAS_INVALIDATE ? INVALIDATE_SIZE : 0u;
    size += has & HAS_IMMEDIATE ? IMMEDIATE_SIZE : 0u;
    size += has & HAS_ATOMIC ? ATOMIC_SIZE : 0u;
    return view->recorded >= size;
}

/* False if the headers were not recorded to their end. */
static bool parse_extended(struct view *view, struct packet *packet)
{
    unsigned has = extended_headers(packet->opcode);
    packet->offset = 0;
    packet->handle = packet->length = 0;
    packet->syndrome = 0;
    if (has == 0)
        return true;
    if (!has_room(view, has))
        return false;
    if (has & (HAS_RETH | HAS_ATOMIC)) {
        packet->offset = load_be64(view->p);
        packet->handle = load_be32(view->p + 8);
        packet->length = has & HAS_RETH ? load_be32(view->p + 12) : 0;
        view_skip(view, has & HAS_RETH ? RETH_SIZE : ATOMIC_SIZE);
    }
    if (has & HAS_AETH) {
        packet->syndrome = view->p[0];
        view_skip(view, AETH_SIZE);
    }
    if (has & HAS_INVALIDATE) {
        packet->handle = load_be32(view->p);
        view_skip(view, INVALIDATE_SIZE);
    }
    if (has & HAS_IMMEDIATE)
        view_skip(view, IMMEDIATE_SIZE);
    return true;
}

static enum packet_kind parse_base(struct view *view, struct packet *packet)
{
    if (view->recorded < BASE_SIZE)
        return view->total < BASE_SIZE + CHECK_SUM ? PACKET_BAD : PACKET_CUT;
    size_t pad = view->p[1] >> 4 & 3;
    packet->opcode = view->p[0];
    packet->queue_pair = load_be24(view->p + 5);
    packet->psn = load_be24(view->p + 9);
    view_skip(view, BASE_SIZE);
    if (!parse_extended(view, packet) || view->total < pad + CHECK_SUM)
        return PACKET_BAD;
    packet->total = view->total - pad - CHECK_SUM;
    packet->recorded = view->recorded < packet->total ? view->recorded : packet->total;
    packet->payload = view->p;
    return PACKET_ROCE;
}

static enum packet_kind set_segment(const struct view *view, struct packet *packet)
{
    packet->payload = view->p;
    packet->recorded = view->recorded;
    packet->total = view->total;
    return PACKET_TCP;
}

static struct layer parse_layer(struct layer next, struct view *view, struct packet *packet)
{
    switch (next.kind) {
    case LAYER_ETHERNET:
        return link_ethernet(view);
    case LAYER_TYPE:
        return tunnel_type(view, next.type);
    case LAYER_IP:
        return network_ip(view, packet);
    case LAYER_UDP:
        return network_udp(view);
    case LAYER_GRE:
        return tunnel_gre(view);
    case LAYER_GRH:
        return network_global_route(view, packet);
    default:
        return next;
    }
}

enum packet_kind packet_parse(int link_type, const uint8_t *frame, size_t recorded, size_t total,
                              struct packet *packet)
{
    struct view view = {frame, recorded, total};
    struct layer next = link_parse(link_type, &view, packet);
    for (int i = 0; i < LAYERS_MAX; i++) {
        switch (next.kind) {
        case LAYER_BASE:
            return parse_base(&view, packet);
        case LAYER_TCP:
            return set_segment(&view, packet);
        case LAYER_BAD:
            return PACKET_BAD;
        case LAYER_CUT:
            return PACKET_CUT;
        case LAYER_OTHER:
            return PACKET_OTHER;
        default:
            next = parse_layer(next, &view, packet);
        }
    }
    return PACKET_OTHER;
}

void address_text(const struct address *address, char *text)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t local[14] = {[10] = 0xfe, [11] = 0xfe};
    char inner[INET6_ADDRSTRLEN];
    if (memcmp(address->octets, mapped, sizeof mapped) == 0) {
        inet_ntop(AF_INET, address->octets + 12, text, ADDRESS_TEXT);
    } else if (memcmp(address->octets, local, sizeof local) == 0) {
        snprintf(text, ADDRESS_TEXT, "lid%u", (unsigned)load_be16(address->octets + 14));
    } else {
        inet_ntop(AF_INET6, address->octets, inner, sizeof inner);
        snprintf(text, ADDRESS_TEXT, "[%s]", inner);
    }
}
