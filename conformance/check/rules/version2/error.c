// SPDX-License-Identifier: BSD-3-Clause
/* The octets of an error of version 2: section 7 of -07, section 6.2.4 of -04. */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* Of the errors that are chosen only that about the version has values. */
static ptrdiff_t encode_04(uint8_t *answer, const struct rpcrdma_prefix *prefix, uint32_t code)
{
    struct rpcrdma2_04_header header = {
        .rdma_xid = prefix->xid,
        .rdma_vers = prefix->version,
        .rdma_credit = prefix->credit,
        .rdma_body = {.rdma_proc = RPCRDMA2_04_ERROR,
                      .rdma_error = {.rdma_err = (enum rpcrdma2_04_errcode)code}}};
    header.rdma_body.rdma_error.rdma_vrange.rdma_vers_low = RPCRDMA_VERSION_2;
    header.rdma_body.rdma_error.rdma_vrange.rdma_vers_high = RPCRDMA_VERSION_2;
    return rpcrdma2_04_header_encode(answer, RPCRDMA_ANSWER_MAX, &header, NULL);
}

static ptrdiff_t encode_07(uint8_t *answer, const struct rpcrdma_prefix *prefix, uint32_t code)
{
    const struct rpcrdma2_07_hdr_prefix start = {.rdma_start = {.rdma_xid = prefix->xid,
                                                                .rdma_vers = prefix->version,
                                                                .rdma_credit = prefix->credit,
                                                                .rdma_htype = RPCRDMA2_07_ERROR}};
    struct rpcrdma2_07_hdr_error body = {.rdma_err = code};
    body.rdma_vrange.rdma_vers_low = body.rdma_vrange.rdma_vers_high = RPCRDMA_VERSION_2;
    ptrdiff_t length = rpcrdma2_07_hdr_prefix_encode(answer, RPCRDMA_ANSWER_MAX, &start, NULL);
    if (rpcrdma_xdr_failed(length))
        return length;
    ptrdiff_t more = rpcrdma2_07_hdr_error_encode(answer + length,
                                                  RPCRDMA_ANSWER_MAX - (size_t)length, &body, NULL);
    return rpcrdma_xdr_failed(more) ? more : length + more;
}

/* The last code that either draft defines. */
#define CODES RPCRDMA2_07_ERR_SYSTEM

static uint32_t code_of(enum rpcrdma_protocol protocol, enum rpcrdma_reaction reaction)
{
    for (uint32_t code = 0; code <= CODES; code++)
        if (rpcrdma_reaction_of_error(protocol, code) == (uint32_t)reaction)
            return code;
    return 0;
}

ptrdiff_t rpcrdma_encode_error2(enum rpcrdma_protocol draft, uint8_t *answer,
                                const struct rpcrdma_prefix *prefix, enum rpcrdma_reaction reaction)
{
    uint32_t code = code_of(draft, reaction);
    return draft == RPCRDMA_PROTOCOL_2_04 ? encode_04(answer, prefix, code)
                                          : encode_07(answer, prefix, code);
}
