// SPDX-License-Identifier: BSD-3-Clause
/*
 * The headers of one frame: link, IP, UDP, InfiniBand.
 *
 * Each layer narrows one view of the frame, which knows both what was recorded and what was on the
 * wire: a capture may cut frames short, and then only the lengths in the headers tell how much is
 * missing. Nothing is read past what was recorded, and no layer can widen the view again.
 */
#include "conformance/input/frame/packet.h"

#include <pcap/dlt.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum { ETHERTYPE_IP4 = 0x0800, ETHERTYPE_IP6 = 0x86dd, VLAN_TAGS = 4, IP6_EXTENSIONS = 8 };
enum { PROTOCOL_UDP = 17, PORT_ROCE = 4791, UDP_SIZE = 8, BTH_SIZE = 12, CHECK_SUM = 4 };

/* What is left of a frame. `total` may be more than was recorded. */
struct view {
    const uint8_t *p;
    size_t recorded;
    size_t total;
};

static bool skip(struct view *view, size_t octets)
{
    if (octets > view->recorded)
        return false;
    view->p += octets;
    view->recorded -= octets;
    view->total -= octets < view->total ? octets : view->total;
    return true;
}

/* Lower layers' padding ends where the upper layer's own length says. */
static bool set_total(struct view *view, size_t total)
{
    view->total = total;
    if (view->recorded > total)
        view->recorded = total;
    return true;
}

/* Tags follow a link header that ends in a type. */
static bool parse_vlan(struct view *view, uint32_t *type)
{
    for (int i = 0; i < VLAN_TAGS && (*type == 0x8100 || *type == 0x88a8 || *type == 0x9100); i++) {
        if (view->recorded < 4)
            return false;
        *type = load_be16(view->p + 2);
        skip(view, 4);
    }
    return true;
}

/* The link types: how long the header is, and where in it the EtherType is found. */
#define NO_ETHERTYPE SIZE_MAX /* the IP version tells */
static const struct link {
    int type; /* as libpcap numbers them */
    size_t header, ethertype_at;
} links[] = {
    {DLT_EN10MB, 14, 12},        {DLT_LINUX_SLL, 16, 14},     {DLT_LINUX_SLL2, 20, 0},
    {DLT_NULL, 4, NO_ETHERTYPE}, {DLT_LOOP, 4, NO_ETHERTYPE}, {DLT_RAW, 0, NO_ETHERTYPE},
    {DLT_IPV4, 0, NO_ETHERTYPE}, {DLT_IPV6, 0, NO_ETHERTYPE},
};

static const struct link *find_link(int type)
{
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (links[i].type == type)
            return &links[i];
    return NULL;
}

bool packet_link_known(int link_type)
{
    return find_link(link_type) != NULL;
}

static bool parse_link(int link_type, struct view *view, uint32_t *type)
{
    const struct link *link = find_link(link_type);
    if (link == NULL || view->recorded < link->header)
        return false;
    if (link->ethertype_at != NO_ETHERTYPE) {
        *type = load_be16(view->p + link->ethertype_at);
        return skip(view, link->header) && parse_vlan(view, type);
    }
    if (!skip(view, link->header) || view->recorded < 1)
        return false;
    *type = view->p[0] >> 4 == 6 ? ETHERTYPE_IP6 : ETHERTYPE_IP4;
    return true;
}

static void set_ip4(struct address *address, const uint8_t *octets)
{
    memset(address->octets, 0, 10);
    memset(address->octets + 10, 0xff, 2);
    memcpy(address->octets + 12, octets, 4);
}

/* RoCEv2 packets are never fragmented: a fragment is not one of them. */
static bool parse_ip4(struct view *view, struct packet *packet)
{
    if (view->recorded < 20 || view->p[0] >> 4 != 4)
        return false;
    size_t header = (size_t)(view->p[0] & 15) * 4, total = load_be16(view->p + 2);
    if (header < 20 || total < header || view->p[9] != PROTOCOL_UDP ||
        (load_be16(view->p + 6) & 0x3fff) != 0)
        return false;
    set_ip4(&packet->source, view->p + 12);
    set_ip4(&packet->destination, view->p + 16);
    return set_total(view, total) && skip(view, header);
}

static bool parse_ip6(struct view *view, struct packet *packet)
{
    if (view->recorded < 40 || view->p[0] >> 4 != 6)
        return false;
    uint8_t next = view->p[6];
    memcpy(packet->source.octets, view->p + 8, 16);
    memcpy(packet->destination.octets, view->p + 24, 16);
    set_total(view, 40 + load_be16(view->p + 4));
    skip(view, 40);
    for (int i = 0; i < IP6_EXTENSIONS && (next == 0 || next == 43 || next == 60); i++) {
        if (view->recorded < 8)
            return false;
        next = view->p[0];
        if (!skip(view, 8 + (size_t)view->p[1] * 8))
            return false;
    }
    return next == PROTOCOL_UDP;
}

/* ---- InfiniBand ---- */

enum extended {
    HAS_RETH = 1,
    HAS_AETH = 2,
    HAS_IMMEDIATE = 4,
    HAS_INVALIDATE = 8,
    HAS_ATOMIC = 16
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

static bool parse_extended(struct view *view, struct packet *packet)
{
    unsigned has = extended_headers(packet->opcode);
    packet->offset = 0;
    packet->handle = packet->length = 0;
    packet->syndrome = 0;
    if (has & HAS_RETH) {
        if (view->recorded < 16)
            return false;
        packet->offset = load_be64(view->p);
        packet->handle = load_be32(view->p + 8);
        packet->length = load_be32(view->p + 12);
        skip(view, 16);
    }
    if (has & HAS_AETH) {
        if (view->recorded < 4)
            return false;
        packet->syndrome = view->p[0];
        skip(view, 4);
    }
    if (has & HAS_INVALIDATE) {
        if (view->recorded < 4)
            return false;
        packet->handle = load_be32(view->p);
        skip(view, 4);
    }
    if (has & HAS_ATOMIC) {
        if (view->recorded < 28)
            return false;
        packet->offset = load_be64(view->p);
        packet->handle = load_be32(view->p + 8);
        skip(view, 28);
    }
    return !(has & HAS_IMMEDIATE) || skip(view, 4);
}

static enum packet_kind parse_infiniband(struct view *view, struct packet *packet)
{
    if (view->recorded < BTH_SIZE)
        return PACKET_BAD;
    size_t pad = view->p[1] >> 4 & 3;
    packet->opcode = view->p[0];
    packet->queue_pair = load_be24(view->p + 5);
    packet->psn = load_be24(view->p + 9);
    skip(view, BTH_SIZE);
    if (!parse_extended(view, packet) || view->total < pad + CHECK_SUM)
        return PACKET_BAD;
    packet->total = view->total - pad - CHECK_SUM;
    packet->recorded = view->recorded < packet->total ? view->recorded : packet->total;
    packet->payload = view->p;
    return PACKET_ROCE;
}

enum packet_kind packet_parse(int link_type, const uint8_t *frame, size_t recorded,
                              struct packet *packet)
{
    struct view view = {frame, recorded, recorded};
    uint32_t type;
    if (!parse_link(link_type, &view, &type))
        return PACKET_OTHER;
    if (!(type == ETHERTYPE_IP4 && parse_ip4(&view, packet)) &&
        !(type == ETHERTYPE_IP6 && parse_ip6(&view, packet)))
        return PACKET_OTHER;
    if (view.recorded < UDP_SIZE || load_be16(view.p + 2) != PORT_ROCE)
        return PACKET_OTHER;
    size_t udp = load_be16(view.p + 4);
    if (udp < UDP_SIZE || udp > view.total)
        return PACKET_BAD;
    set_total(&view, udp);
    skip(&view, UDP_SIZE);
    return parse_infiniband(&view, packet);
}

void address_text(const struct address *address, char *text)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char inner[INET6_ADDRSTRLEN];
    if (memcmp(address->octets, mapped, sizeof mapped) == 0) {
        inet_ntop(AF_INET, address->octets + 12, text, ADDRESS_TEXT);
        return;
    }
    inet_ntop(AF_INET6, address->octets, inner, sizeof inner);
    snprintf(text, ADDRESS_TEXT, "[%s]", inner);
}
