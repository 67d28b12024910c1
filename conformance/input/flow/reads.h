// SPDX-License-Identifier: BSD-3-Clause
/* The RDMA Reads that one side has requested and whose responses have not all been seen. */
#ifndef CONFORMANCE_FLOW_READS_H
#define CONFORMANCE_FLOW_READS_H

#include "conformance/input/flow/connection.h"

/* How many packets, and so sequence numbers, the response takes; 0 if that is not known. */
uint32_t reads_packets(const struct connection *connection, uint32_t length);

/* An RDMA Read request of `requester`. */
void reads_request(struct capture_context *context, struct connection *connection,
                   enum rpcrdma_endpoint requester, const struct packet *packet);

/* The first packet of a message, which others follow, was of this length: the path MTU. */
void reads_mtu(struct connection *connection, uint32_t mtu);

/* Where the path MTU is not known: a packet from the middle of a response shows it, and the last
 * one how many there are, also where they were recorded before the first. */
void reads_learn_early(struct connection *connection, enum rpcrdma_endpoint requester,
                       const struct packet *packet);

/* Learn the path MTU from the first packet of a response to `requester`. False if connection
 * management named another size: the numbers of later requests were then counted wrongly. */
bool reads_learn_mtu(struct connection *connection, enum rpcrdma_endpoint requester,
                     const struct packet *packet);

/* Some have not ended. The flow has Reads. */
bool reads_under_way(const struct flow *flow);

/* An RDMA Read request that repeats a number: the rest of a Read is requested again. */
void reads_request_again(struct flow *flow, uint32_t psn);

/* A packet of a response to `requester`. */
void reads_response(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint requester, const struct packet *packet);

/* In this frame the peer acknowledged `psn`: the responses of earlier Reads have passed. The flow
 * has Reads. */
void reads_acknowledged(struct flow *flow, uint32_t psn, uint64_t frame);

/* In this frame the requester went on to send: so have responses of which the last packet came. */
void reads_go_on(struct flow *flow, uint64_t frame);

/* Reads whose responses had passed before frame `until` will not be completed any more. The
 * requester has Reads. */
void reads_settle(struct capture_context *context, struct connection *connection,
                  enum rpcrdma_endpoint requester, uint64_t until);

/* The frame of the first request that may still be completed although its response has passed, or
 * UINT64_MAX. */
uint64_t reads_awaited(const struct flow *flow);

/* The Read that has this number: an event that describes it. False if there is none. */
bool reads_describe(const struct flow *flow, uint32_t psn, struct rpcrdma_event *event);

/* Drop all. Returns how many there were. */
unsigned reads_free(struct capture_context *context, struct flow *flow);

#endif
