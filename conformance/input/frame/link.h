// SPDX-License-Identifier: BSD-3-Clause
/* Link types of captures. */
#ifndef CONFORMANCE_FRAME_LINK_H
#define CONFORMANCE_FRAME_LINK_H

#include "conformance/input/frame/view.h"

/* The layer after the link header. The packet's addresses may be set. */
enum layer link_parse(int link_type, struct view *view, struct packet *packet);

/* The Ethernet header. */
enum layer link_ethernet(struct view *view);

#endif
