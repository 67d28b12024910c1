// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * RDMA-CM private data of RPC-over-RDMA (RFC 8797): what two peers tell each other while they
 * connect, and what follows from it.
 */
#ifndef RPCRDMA_PRIVATE_DATA_H
#define RPCRDMA_PRIVATE_DATA_H

#include <rpcrdma/xdr.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RPCRDMA_PRIVATE_DATA_MAGIC 0xf6ab0e18u
#define RPCRDMA_PRIVATE_DATA_LENGTH 8u

/* Errors, beside those of rpcrdma/xdr.h. All of them mean: act as if nothing was sent (5.1). */
#define RPCRDMA_PRIVATE_DATA_ERRORS(error)                                                         \
    error(PD_ABSENT, -401, "the private data does not hold the identifier")                        \
        error(PD_TRUNCATED, -402, "the private data ends inside the message")                      \
            error(PD_VERSION, -403, "the format version of the private data is not 1")

#define RPCRDMA_PRIVATE_DATA_ENUMERATOR(name, number, text) RPCRDMA_E_##name = number,
enum rpcrdma_private_data_error { RPCRDMA_PRIVATE_DATA_ERRORS(RPCRDMA_PRIVATE_DATA_ENUMERATOR) };
#undef RPCRDMA_PRIVATE_DATA_ENUMERATOR

struct rpcrdma_private_data {
    uint8_t version;
    bool remote_invalidation;         /* R: the sender takes Send With Invalidate */
    uint32_t send_size, receive_size; /* octets, 1024 to 262144 */
    size_t offset;                    /* decoded: where the identifier begins */
};

/*
 * Find and decode the message in `length` octets of private data; it stands at any alignment, for
 * other layers may have put theirs before it (5.2). Returns 0, or an error; data->offset is set but
 * for RPCRDMA_E_PD_ABSENT, data->version too for RPCRDMA_E_PD_VERSION.
 */
RPCRDMA_API int rpcrdma_private_data_find(struct rpcrdma_private_data *data, const void *buf,
                                          size_t length);

/*
 * Encode version 1 at buf. Sizes are rounded down to a multiple of 1024 and into the range that has
 * an encoding (4.2). Returns the octets written, or RPCRDMA_XDR_E_SPACE if length is below
 * RPCRDMA_PRIVATE_DATA_LENGTH.
 */
RPCRDMA_API ptrdiff_t rpcrdma_private_data_encode(void *buf, size_t length,
                                                  const struct rpcrdma_private_data *data);

/*
 * The inline thresholds in octets that follow (4.2): threshold[0] for Sends from the client,
 * threshold[1] for those from the server. NULL stands for a side whose private data is absent or
 * not understood.
 */
RPCRDMA_API void rpcrdma_inline_thresholds(const struct rpcrdma_private_data *client,
                                           const struct rpcrdma_private_data *server,
                                           uint32_t threshold[2]);

#ifdef __cplusplus
}
#endif
#endif
