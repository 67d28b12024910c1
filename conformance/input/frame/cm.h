// SPDX-License-Identifier: BSD-3-Clause
/* Connection manager datagrams: which queue pairs are connected, and with what private data. */
#ifndef CONFORMANCE_FRAME_CM_H
#define CONFORMANCE_FRAME_CM_H

#include "conformance/input/frame/packet.h"

enum cm_kind {
    CM_OTHER,
    CM_REQUEST = 0x10,
    CM_REJECT = 0x12,
    CM_REPLY = 0x13,
    CM_DISCONNECT_REQUEST = 0x15,
};

/* Octets of private data in the longest message. */
#define CM_PRIVATE_MAX 196

struct cm_message {
    enum cm_kind kind;
    uint32_t local_id, remote_id; /* communication ids, of the sender and of its peer */
    uint64_t service;             /* request */
    uint32_t queue_pair;          /* request, reply: the sender's; disconnect: its peer's */
    uint32_t psn;                 /* request, reply: the sender's first */
    uint32_t mtu;                 /* request: octets, 0 where it is not known */
    const uint8_t *private_data;  /* request (after the RDMA CM's own header), reply */
    size_t private_length;
};

enum cm_result { CM_NONE, CM_CUT, CM_WHOLE };

/* A datagram: no connection management, or not recorded to its end, or taken apart. */
enum cm_result cm_parse(const struct packet *packet, struct cm_message *message);

/* Whether a service id means this port of the RDMA CM's TCP port space. */
bool cm_service_is_port(uint64_t service, uint16_t port);

#endif
