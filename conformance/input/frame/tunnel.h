// SPDX-License-Identifier: BSD-3-Clause
/* Layers that carry frames or packets of another network. */
#ifndef CONFORMANCE_FRAME_TUNNEL_H
#define CONFORMANCE_FRAME_TUNNEL_H

#include "conformance/input/frame/view.h"

#define ETHERTYPE_IP4 0x0800u
#define ETHERTYPE_IP6 0x86ddu
#define ETHERTYPE_ROCE1 0x8915u
#define PORT_VXLAN 4789u

/* What follows an EtherType: a tag, a tunnel or a network layer. */
enum layer tunnel_type(struct view *view, uint32_t type);

enum layer tunnel_gre(struct view *view);

/* The payload of UDP to PORT_VXLAN. */
enum layer tunnel_vxlan(struct view *view);

#endif
