// SPDX-License-Identifier: BSD-3-Clause
/* What is left of a frame, and which layer it begins with. */
#ifndef CONFORMANCE_FRAME_VIEW_H
#define CONFORMANCE_FRAME_VIEW_H

#include "conformance/input/frame/packet.h"

struct view {
    const uint8_t *p;
    size_t recorded;
    size_t total; /* on the wire; may be more than was recorded */
};

enum layer_kind {
    LAYER_OTHER, /* nothing that can hold RDMA */
    LAYER_CUT,   /* more of the header would be needed than was recorded */
    LAYER_BAD,   /* RDMA with impossible lengths */
    LAYER_ETHERNET,
    LAYER_TYPE, /* the EtherType is `type` */
    LAYER_IP,   /* of either version */
    LAYER_UDP,
    LAYER_TCP,
    LAYER_GRE,
    LAYER_GRH,  /* InfiniBand's global route header: RoCEv1 begins with it */
    LAYER_BASE, /* InfiniBand's base transport header */
};

struct layer {
    enum layer_kind kind;
    uint32_t type;
};

static inline struct layer layer(enum layer_kind kind)
{
    return (struct layer){.kind = kind};
}

static inline struct layer layer_type(uint32_t type)
{
    return (struct layer){LAYER_TYPE, type};
}

/* Skip octets that were recorded. */
static inline void view_skip(struct view *view, size_t octets)
{
    view->p += octets;
    view->recorded -= octets;
    view->total -= octets < view->total ? octets : view->total;
}

/* What comes next, after this many octets; LAYER_CUT if they were not recorded. */
static inline struct layer view_next(struct view *view, size_t octets, struct layer next)
{
    if (octets > view->recorded)
        return layer(LAYER_CUT);
    view_skip(view, octets);
    return next;
}

/* The padding of lower layers ends where the upper layer's own length says. */
static inline void view_set_total(struct view *view, size_t total)
{
    view->total = total;
    if (view->recorded > total)
        view->recorded = total;
}

#endif
