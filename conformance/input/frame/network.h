// SPDX-License-Identifier: BSD-3-Clause
/* IP, UDP, and the global route header of InfiniBand. */
#ifndef CONFORMANCE_FRAME_NETWORK_H
#define CONFORMANCE_FRAME_NETWORK_H

#include "conformance/input/frame/view.h"

/* Each sets the packet's addresses. */
enum layer network_ip(struct view *view, struct packet *packet);
enum layer network_global_route(struct view *view, struct packet *packet);

enum layer network_udp(struct view *view);

#endif
