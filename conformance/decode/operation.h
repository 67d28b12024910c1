// SPDX-License-Identifier: BSD-3-Clause
/* Events other than Sends: RDMA operations, private data, disconnects. */
#ifndef CONFORMANCE_DECODE_OPERATION_H
#define CONFORMANCE_DECODE_OPERATION_H

#include "conformance/input/source.h"

/* "RDMA Read of 4096 octets, handle 0x0000cafe, offset 0x1000" */
void operation_print(FILE *out, const struct rpcrdma_event *event);

/* Its octets in groups of four, `most` of them at most, each line indented. */
void operation_octets(FILE *out, const struct rpcrdma_event *event, size_t most,
                      const char *indent);

/* `decode --json`: one line. */
void operation_json(FILE *out, const struct source_event *event);

/* "RPC-over-RDMA version 1, R=0, sends up to 4096 octets, receives up to 4096"; or why there is no
 * such message in it. */
void private_data_text(const void *octets, size_t length, char *text, size_t size);

#endif
