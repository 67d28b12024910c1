// SPDX-License-Identifier: BSD-3-Clause
/*
 * The link layer: one table row for each link type.
 *
 * To add a link type: add a row with the length of its header and the offset of its EtherType, or a
 * function where that is not enough. All else follows: what the row leads to is parsed as after
 * any other link.
 */
#include "conformance/input/frame/layers.h"
#include "conformance/base/count.h"

#include <pcap/dlt.h>

/* ---- InfiniBand (DLT 247): the local route header ---- */

enum {
    LRH_SIZE = 8,
    LRH_NEXT_MASK = 3,
    LRH_NEXT_BASE = 2, /* below: raw packets */
    LRH_NEXT_GLOBAL = 3,
    LRH_LENGTH_MASK = 0x7ff, /* in words of 4 octets, from this header to the invariant CRC */
};

/* Without a global route header, local identifiers are all the addresses there are. */
static void set_local(struct address *address, const uint8_t *lid)
{
    memset(address->octets, 0, sizeof address->octets);
    memset(address->octets + 10, 0xfe, 2);
    memcpy(address->octets + 14, lid, 2);
}

static enum layer parse_infiniband(struct view *view, struct packet *packet)
{
    if (view_left(view) < LRH_SIZE)
        return LAYER_CUT;
    unsigned next = view->p[1] & LRH_NEXT_MASK;
    size_t length = (load_be16(view->p + 4) & LRH_LENGTH_MASK) * 4;
    if (next < LRH_NEXT_BASE)
        return LAYER_OTHER;
    if (length < LRH_SIZE)
        return LAYER_BAD;
    set_local(&packet->destination, view->p + 2);
    set_local(&packet->source, view->p + 6);
    view_set_total(view, length);
    return view_next(view, LRH_SIZE, next == LRH_NEXT_GLOBAL ? LAYER_GRH : LAYER_BASE);
}

/* ---- ERF (DLT 197): records of Endace cards ---- */

enum {
    ERF_SIZE = 16,
    ERF_TYPE_AT = 8,
    ERF_MORE = 0x80, /* extension headers of 8 octets follow; the last has this bit clear */
    ERF_EXTENSION = 8,
    ERF_EXTENSIONS_MAX = 16,
    ERF_ETHERNET_PAD = 2,
};

enum {
    ERF_ETHERNET = 2,
    ERF_COLOR_ETHERNET = 11,
    ERF_DSM_COLOR_ETHERNET = 16,
    ERF_COLOR_HASH_ETHERNET = 20,
    ERF_INFINIBAND = 21,
    ERF_IP4 = 22,
    ERF_IP6 = 23,
};

static enum layer parse_erf_record(unsigned type, struct view *view, struct packet *packet)
{
    switch (type) {
    case ERF_ETHERNET:
    case ERF_COLOR_ETHERNET:
    case ERF_DSM_COLOR_ETHERNET:
    case ERF_COLOR_HASH_ETHERNET:
        return view_next(view, ERF_ETHERNET_PAD, LAYER_ETHERNET);
    case ERF_INFINIBAND:
        return parse_infiniband(view, packet);
    case ERF_IP4:
    case ERF_IP6:
        return LAYER_IP;
    default:
        return LAYER_OTHER;
    }
}

static enum layer parse_erf(struct view *view, struct packet *packet)
{
    if (view_left(view) < ERF_SIZE)
        return LAYER_CUT;
    unsigned type = view->p[ERF_TYPE_AT];
    bool more = type & ERF_MORE;
    view_skip(view, ERF_SIZE);
    for (int i = 0; more && i < ERF_EXTENSIONS_MAX; i++) {
        if (view_left(view) < ERF_EXTENSION)
            return LAYER_CUT;
        more = view->p[0] & ERF_MORE;
        view_skip(view, ERF_EXTENSION);
    }
    return more ? LAYER_OTHER : parse_erf_record(type & ~ERF_MORE, view, packet);
}

/* ---- the table ---- */

#define NO_TYPE SIZE_MAX /* IP, whose version shows which */

static const struct link {
    int type;               /* as libpcap numbers them */
    size_t header, type_at; /* length of the header, offset of the EtherType */
    enum layer (*parse)(struct view *view, struct packet *packet); /* instead; or NULL */
} links[] = {
    {DLT_EN10MB, 14, 12, NULL},
    {DLT_LINUX_SLL, 16, 14, NULL},
    {DLT_LINUX_SLL2, 20, 0, NULL},
    {DLT_NULL, 4, NO_TYPE, NULL},
    {DLT_LOOP, 4, NO_TYPE, NULL},
    {DLT_RAW, 0, NO_TYPE, NULL},
    {DLT_IPV4, 0, NO_TYPE, NULL},
    {DLT_IPV6, 0, NO_TYPE, NULL},
    {DLT_INFINIBAND, 0, 0, parse_infiniband},
    {DLT_ERF, 0, 0, parse_erf},
};

static const struct link *find_link(int type)
{
    for (size_t i = 0; i < COUNT(links); i++)
        if (links[i].type == type)
            return &links[i];
    return NULL;
}

bool packet_link_known(int link_type)
{
    return find_link(link_type) != NULL;
}

static enum layer parse_row(const struct link *link, struct view *view)
{
    if (view_left(view) < (ptrdiff_t)link->header)
        return LAYER_CUT;
    enum layer next =
        link->type_at == NO_TYPE ? LAYER_IP : view_type(view, load_be16(view->p + link->type_at));
    view_skip(view, link->header);
    return next;
}

enum layer link_parse(int link_type, struct view *view, struct packet *packet)
{
    const struct link *link = find_link(link_type);
    if (link == NULL)
        return LAYER_OTHER;
    return link->parse ? link->parse(view, packet) : parse_row(link, view);
}

enum layer link_ethernet(struct view *view)
{
    return parse_row(&links[0], view);
}
