// SPDX-License-Identifier: BSD-3-Clause
/* What parses one layer, and says which is the next. */
#ifndef CONFORMANCE_FRAME_LAYERS_H
#define CONFORMANCE_FRAME_LAYERS_H

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

/* The layer after the link header. The packet's addresses may be set. */
enum layer link_parse(int link_type, struct view *view, struct packet *packet);

/* The Ethernet header. */
enum layer link_ethernet(struct view *view);

/* Each sets the packet's addresses. */
enum layer network_ip(struct view *view, struct packet *packet);
enum layer network_global_route(struct view *view, struct packet *packet);

enum layer network_udp(struct view *view);

#endif
