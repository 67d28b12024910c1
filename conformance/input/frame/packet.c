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
#include "conformance/input/frame/icrc.h"
#include "conformance/input/frame/layers.h"

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

/* A header of this size, or NULL if it was not recorded to its end. */
static const uint8_t *take_header(struct view *view, size_t size)
{
    if (view_left(view) < (ptrdiff_t)size)
        return NULL;
    const uint8_t *header = view->p;
    view_skip(view, size);
    return header;
}

/* False if the headers were not recorded to their end. */
static bool parse_extended(struct view *view, struct packet *packet)
{
    unsigned has = extended_headers(packet->opcode);
    const uint8_t *header;
    packet->offset = 0;
    packet->handle = packet->length = 0;
    packet->syndrome = 0;
    if (has & (HAS_RETH | HAS_ATOMIC)) {
        if ((header = take_header(view, has & HAS_RETH ? RETH_SIZE : ATOMIC_SIZE)) == NULL)
            return false;
        packet->offset = load_be64(header);
        packet->handle = load_be32(header + 8);
        packet->length = has & HAS_RETH ? load_be32(header + 12) : 0;
    }
    if (has & HAS_AETH) {
        if ((header = take_header(view, AETH_SIZE)) == NULL)
            return false;
        packet->syndrome = header[0];
    }
    if (has & HAS_INVALIDATE) {
        if ((header = take_header(view, INVALIDATE_SIZE)) == NULL)
            return false;
        packet->handle = load_be32(header);
    }
    return !(has & HAS_IMMEDIATE) || take_header(view, IMMEDIATE_SIZE) != NULL;
}

static enum packet_kind parse_base(struct view *view, struct packet *packet)
{
    if (view_left(view) < BASE_SIZE)
        return view_total(view) < BASE_SIZE + CHECK_SUM ? PACKET_BAD : PACKET_CUT;
    ptrdiff_t pad = view->p[1] >> 4 & 3;
    packet->opcode = view->p[0];
    packet->queue_pair = load_be24(view->p + 5);
    packet->psn = load_be24(view->p + 9);
    packet->sum = view->missing == 0 ? view->end - CHECK_SUM : NULL;
    view_skip(view, BASE_SIZE);
    if (!parse_extended(view, packet) || view_total(view) < pad + CHECK_SUM)
        return PACKET_BAD;
    view_set_total(view, view_total(view) - pad - CHECK_SUM);
    packet->total = (size_t)view_total(view);
    packet->recorded = (size_t)view_left(view);
    packet->payload = view->p;
    return PACKET_ROCE;
}

static enum packet_kind set_segment(const struct view *view, struct packet *packet)
{
    packet->payload = view->p;
    packet->recorded = (size_t)view_left(view);
    packet->total = (size_t)view_total(view);
    return PACKET_TCP;
}

/* The last layer that is parsed here, or what ended before it. */
static enum layer parse_layers(enum layer next, struct view *view, struct packet *packet)
{
    for (int i = 0; i < LAYERS_MAX; i++) {
        switch (next) {
        case LAYER_ETHERNET:
            next = link_ethernet(view);
            break;
        case LAYER_TYPE:
            next = tunnel_type(view, view->type);
            break;
        case LAYER_IP:
            next = network_ip(view, packet);
            break;
        case LAYER_UDP:
            next = network_udp(view);
            break;
        case LAYER_GRE:
            next = tunnel_gre(view);
            break;
        case LAYER_GRH:
            next = network_global_route(view, packet);
            break;
        default:
            return next;
        }
    }
    return LAYER_OTHER;
}

static enum packet_kind parse_view(int link_type, struct view *view, struct packet *packet)
{
    enum layer first = link_parse(link_type, view, packet);
    switch (parse_layers(first, view, packet)) {
    case LAYER_BASE:
        return parse_base(view, packet);
    case LAYER_TCP:
        return set_segment(view, packet);
    case LAYER_ESP:
        return PACKET_ESP;
    case LAYER_MACSEC:
        return PACKET_MACSEC;
    case LAYER_BAD:
        return PACKET_BAD;
    case LAYER_CUT:
        return PACKET_CUT;
    default:
        return PACKET_OTHER;
    }
}

enum packet_kind packet_parse(int link_type, const uint8_t *frame, size_t recorded, size_t total,
                              struct packet *packet)
{
    struct view view = {.p = frame, .end = frame + recorded};
    packet->network = packet->sum = NULL;
    view_set_total(&view, (ptrdiff_t)total);
    return parse_view(link_type, &view, packet);
}

/* ---- is it whole? ---- */

static bool is_data_alone(uint8_t opcode)
{
    return opcode == OP_WRITE_MIDDLE || opcode == OP_WRITE_LAST ||
           (opcode >= OP_READ_FIRST && opcode <= OP_READ_ONLY);
}

enum packet_sum packet_sum(const struct packet *packet)
{
    enum { IP4_SIZE = 20, IP6_SIZE = 40 };
    if (packet->network == NULL || packet->sum == NULL || is_data_alone(packet->opcode))
        return SUM_UNKNOWN;
    size_t header = packet->network[0] >> 4 == 4 ? IP4_SIZE : IP6_SIZE;
    bool has_options = header == IP4_SIZE && (packet->network[0] & 0xf) != IP4_SIZE / 4;
    uint32_t sum = load_be32(packet->sum);
    if (has_options || sum == 0)
        return SUM_UNKNOWN;
    sum = sum >> 24 | (sum >> 8 & 0xff00) | (sum << 8 & 0xff0000) | sum << 24;
    size_t length = (size_t)(packet->sum - packet->network);
    if (icrc_compute(packet->network, header, length) == sum)
        return SUM_RIGHT;
    return icrc_fits(packet->network, header, length, sum) ? SUM_UNKNOWN : SUM_WRONG;
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

/* ---- in words ---- */

static const char *roce_what(uint8_t opcode)
{
    if (opcode <= OP_SEND_ONLY_IMMEDIATE || opcode == OP_SEND_LAST_INVALIDATE ||
        opcode == OP_SEND_ONLY_INVALIDATE)
        return "a packet of a Send";
    if (opcode <= OP_WRITE_ONLY_IMMEDIATE)
        return "a packet of an RDMA Write";
    if (opcode == OP_READ_REQUEST)
        return "the request of an RDMA Read";
    if (opcode <= OP_READ_ONLY)
        return "a packet of the response to an RDMA Read";
    if (opcode <= OP_ATOMIC_ACKNOWLEDGE)
        return "an acknowledgement";
    return opcode == OP_DATAGRAM ? "a message of connection management" : "another RDMA packet";
}

const char *packet_what(enum packet_kind kind, const struct packet *packet)
{
    static const char *const names[] = {
        [PACKET_OTHER] = "no RDMA packet",
        [PACKET_CUT] = "cut before it shows what it is",
        [PACKET_BAD] = "an RDMA packet of impossible length",
        [PACKET_TCP] = "a TCP segment",
        [PACKET_ESP] = "encrypted",
        [PACKET_MACSEC] = "encrypted",
    };
    return kind == PACKET_ROCE ? roce_what(packet->opcode) : names[kind];
}
