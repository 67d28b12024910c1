// SPDX-License-Identifier: BSD-3-Clause
/* What RFC 8267 asks of NFS version 4 beyond its binding: hooks of rpcrdma_binding_nfs4. */
#ifndef CONFORMANCE_RFC8267_H
#define CONFORMANCE_RFC8267_H

#include <rpcrdma/binding.h>

void rpcrdma_rfc8267_lists(struct rpcrdma_send *send);
void rpcrdma_rfc8267_long_callback(struct rpcrdma_send *send);
void rpcrdma_rfc8267_no_result(struct rpcrdma_send *send,
                               const struct rpcrdma1_segment_array *returned, uint32_t number);
void rpcrdma_rfc8267_surplus_result(struct rpcrdma_send *send, uint32_t number);

#endif
