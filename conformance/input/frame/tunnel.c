// SPDX-License-Identifier: BSD-3-Clause
/*
 * Tags and tunnels: VLAN, MPLS, PPPoE, GRE, ERSPAN, VXLAN.
 *
 * Switches mirror RDMA traffic inside ERSPAN, and data centres carry it inside the others. Each
 * parser takes off one header and names the layer after it; packet.c limits how many there may be.
 */
#include "conformance/input/frame/layers.h"

enum {
    TAG_SIZE = 4,
    MPLS_SIZE = 4,
    MPLS_BOTTOM = 1, /* in the third octet */
    MPLS_CONTROL_WORD = 4,
    PPPOE_SIZE = 6,
    PPPOE_PPP_SIZE = 8, /* with the protocol of PPP */
    VXLAN_SIZE = 8,
    VXLAN_VALID = 0x08,
    GRE_SIZE = 4,
    ERSPAN2_SIZE = 8,
    ERSPAN3_SIZE = 12,
    ERSPAN3_OPTION = 8,
};

enum { GRE_CHECK_SUM = 0x8000, GRE_ROUTING = 0x4000, GRE_KEY = 0x2000, GRE_SEQUENCE = 0x1000 };
enum { GRE_VERSION = 0x0007 };

/* ---- EtherTypes ---- */

static enum layer parse_tag(struct view *view)
{
    if (view_left(view) < TAG_SIZE)
        return LAYER_CUT;
    uint32_t type = load_be16(view->p + 2);
    return view_next(view, TAG_SIZE, view_type(view, type));
}

/* One label. What comes after the last is not named: its first octet shows it. */
static enum layer parse_mpls(struct view *view)
{
    if (view_left(view) < MPLS_SIZE)
        return LAYER_CUT;
    bool bottom = view->p[2] & MPLS_BOTTOM;
    view_skip(view, MPLS_SIZE);
    if (!bottom)
        return view_type(view, 0x8847);
    if (view_left(view) < 1)
        return LAYER_CUT;
    switch (view->p[0] >> 4) {
    case 4:
    case 6:
        return LAYER_IP;
    case 0: /* the control word of a pseudowire */
        return view_next(view, MPLS_CONTROL_WORD, LAYER_ETHERNET);
    default:
        return LAYER_ETHERNET;
    }
}

static enum layer parse_pppoe(struct view *view)
{
    if (view_left(view) < PPPOE_PPP_SIZE)
        return LAYER_CUT;
    size_t length = load_be16(view->p + 4);
    uint32_t protocol = load_be16(view->p + PPPOE_SIZE);
    if (protocol != 0x0021 && protocol != 0x0057)
        return LAYER_OTHER;
    view_set_total(view, PPPOE_SIZE + length);
    return view_next(view, PPPOE_PPP_SIZE, LAYER_IP);
}

enum layer tunnel_type(struct view *view, uint32_t type)
{
    switch (type) {
    case ETHERTYPE_IP4:
    case ETHERTYPE_IP6:
        return LAYER_IP;
    case ETHERTYPE_ROCE1:
        return LAYER_GRH;
    case 0x8100: /* VLAN, and its outer forms */
    case 0x88a8:
    case 0x9100:
        return parse_tag(view);
    case 0x8847: /* MPLS, and its multicast form */
    case 0x8848:
        return parse_mpls(view);
    case 0x8864:
        return parse_pppoe(view);
    case 0x88e5:
        return LAYER_MACSEC;
    default:
        return LAYER_OTHER;
    }
}

/* ---- GRE and what only GRE carries ---- */

/* Type I has no header of its own, and no sequence number in that of GRE. */
static enum layer parse_erspan(struct view *view, bool has_sequence)
{
    return view_next(view, has_sequence ? ERSPAN2_SIZE : 0, LAYER_ETHERNET);
}

static enum layer parse_erspan3(struct view *view)
{
    if (view_left(view) < ERSPAN3_SIZE)
        return LAYER_CUT;
    bool option = view->p[11] & 1;
    unsigned frame_type = view->p[10] >> 2 & 31; /* 0: Ethernet, 2: IP */
    enum layer next = frame_type == 0 ? LAYER_ETHERNET : frame_type == 2 ? LAYER_IP : LAYER_OTHER;
    return view_next(view, ERSPAN3_SIZE + (option ? ERSPAN3_OPTION : 0u), next);
}

enum layer tunnel_gre(struct view *view)
{
    if (view_left(view) < GRE_SIZE)
        return LAYER_CUT;
    unsigned flags = load_be16(view->p);
    uint32_t type = load_be16(view->p + 2);
    if (flags & (GRE_ROUTING | GRE_VERSION))
        return LAYER_OTHER;
    size_t size = GRE_SIZE;
    size += flags & GRE_CHECK_SUM ? 4u : 0;
    size += flags & GRE_KEY ? 4u : 0;
    size += flags & GRE_SEQUENCE ? 4u : 0;
    if (view_left(view) < (ptrdiff_t)size)
        return LAYER_CUT;
    view_skip(view, size);
    if (type == 0x88be)
        return parse_erspan(view, flags & GRE_SEQUENCE);
    if (type == 0x22eb)
        return parse_erspan3(view);
    return type == 0x6558 ? LAYER_ETHERNET : view_type(view, type);
}

enum layer tunnel_vxlan(struct view *view)
{
    if (view_left(view) < VXLAN_SIZE)
        return LAYER_CUT;
    bool valid = view->p[0] & VXLAN_VALID;
    return view_next(view, VXLAN_SIZE, valid ? LAYER_ETHERNET : LAYER_OTHER);
}
