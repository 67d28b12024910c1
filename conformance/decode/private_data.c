// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/decode/operation.h"

#include <rpcrdma/private_data.h>

#include <inttypes.h>
#include <stdio.h>

void private_data_text(const void *octets, size_t length, char *text, size_t size)
{
    struct rpcrdma_private_data data;
    int error = rpcrdma_private_data_find(&data, octets, length);
    if (error == RPCRDMA_E_PD_TRUNCATED)
        snprintf(text, size, "an RPC-over-RDMA message at octet %zu that is cut off", data.offset);
    else if (error == RPCRDMA_E_PD_VERSION)
        snprintf(text, size, "an RPC-over-RDMA message of unknown format version %u",
                 (unsigned)data.version);
    else if (error != 0)
        snprintf(text, size, "no RPC-over-RDMA message in %zu octets", length);
    else
        snprintf(text, size,
                 "RPC-over-RDMA format version %u, R=%d, sends up to %" PRIu32
                 " octets, receives up to %" PRIu32,
                 (unsigned)data.version, data.remote_invalidation, data.send_size,
                 data.receive_size);
}
