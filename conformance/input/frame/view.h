// SPDX-License-Identifier: BSD-3-Clause
/* What is left of a frame, and which layer it begins with. */
#ifndef CONFORMANCE_FRAME_VIEW_H
#define CONFORMANCE_FRAME_VIEW_H

#include "conformance/input/frame/packet.h"

struct view {
    const uint8_t *p, *end; /* as far as it was recorded */
    ptrdiff_t missing;      /* octets after that, on the wire */
    uint32_t type;          /* LAYER_TYPE: the EtherType */
};

/* Octets that were recorded, and that were on the wire. Macros, for the proof: what is compared
 * with them bounds p. */
#define view_left(view) ((view)->end - (view)->p)
#define view_total(view) (view_left(view) + (view)->missing)

/* What comes next. */
enum layer {
    LAYER_OTHER, /* nothing that can hold RDMA */
    LAYER_CUT,   /* more of the header would be needed than was recorded */
    LAYER_BAD,   /* RDMA with impossible lengths */
    LAYER_ETHERNET,
    LAYER_TYPE, /* what the EtherType says */
    LAYER_IP,   /* of either version */
    LAYER_UDP,
    LAYER_TCP,
    LAYER_ESP,
    LAYER_MACSEC,
    LAYER_GRE,
    LAYER_GRH,  /* InfiniBand's global route header: RoCEv1 begins with it */
    LAYER_BASE, /* InfiniBand's base transport header */
};

static inline enum layer view_type(struct view *view, uint32_t type)
{
    view->type = type;
    return LAYER_TYPE;
}

/* Skip octets that were recorded. */
static inline void view_skip(struct view *view, size_t octets)
{
    view->p += octets;
}

/* What comes next, after this many octets; LAYER_CUT if they were not recorded. */
static inline enum layer view_next(struct view *view, size_t octets, enum layer next)
{
    if (view_left(view) < (ptrdiff_t)octets)
        return LAYER_CUT;
    view_skip(view, octets);
    return next;
}

/* The padding of lower layers ends where the upper layer's own length says. */
static inline void view_set_total(struct view *view, ptrdiff_t total)
{
    ptrdiff_t beyond = view_left(view) - total;
    view->missing = 0;
    if (beyond >= 0)
        view->end -= beyond;
    else
        view->missing = -beyond;
}

#endif
