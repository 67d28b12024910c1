// SPDX-License-Identifier: BSD-3-Clause
/*
 * What rpcgen makes of the XDR of draft-ietf-nfsv4-rpcrdma-version-two-07: a prefix, and a body for
 * each header type.
 */
#include "codec/tests/reference/reference.h"

#include <rpc/types.h>
#include <rpc/xdr.h>
#define _TIRPC_RPC_H
#define CLIENT void
#define SVCXPRT void
#include <rpcrdma2_07.h>

#define PREFIX 16
#define BODY(type, name)                                                                           \
    {                                                                                              \
        RDMA2_07_##type, (void (*)(void))xdr_rpcrdma2_07_hdr_##name,                               \
            sizeof(rpcrdma2_07_hdr_##name)                                                         \
    }

static const struct {
    uint32_t type;
    void (*xdr)(void);
    size_t size;
} bodies[] = {
    BODY(ERROR, error),
    BODY(CONNPROP_MIDDLE, connprop),
    BODY(CONNPROP_FINAL, connprop),
    BODY(CALL_EXTERNAL, call_external),
    BODY(CALL_MIDDLE, call_middle),
    BODY(CALL_INLINE, call_inline),
    BODY(REPLY_EXTERNAL, reply_external),
    BODY(REPLY_MIDDLE, reply_middle),
    BODY(REPLY_INLINE, reply_inline),
};

long reference_rpcrdma2_07(const void *octets, size_t length)
{
    const unsigned char *at = octets;
    long prefix = reference_read((void (*)(void))xdr_rpcrdma2_07_hdr_prefix,
                                 sizeof(rpcrdma2_07_hdr_prefix), octets, length);
    if (prefix != PREFIX)
        return prefix;
    uint32_t type =
        (uint32_t)at[12] << 24 | (uint32_t)at[13] << 16 | (uint32_t)at[14] << 8 | at[15];
    if (type == RDMA2_07_GRANT)
        return PREFIX;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        if (bodies[i].type != type)
            continue;
        long body = reference_read(bodies[i].xdr, bodies[i].size, at + PREFIX, length - PREFIX);
        return body < 0 ? body : PREFIX + body;
    }
    return REFERENCE_REFUSES;
}
