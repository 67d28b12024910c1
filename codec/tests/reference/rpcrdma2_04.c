// SPDX-License-Identifier: BSD-3-Clause
/* What rpcgen makes of the XDR of draft-cel-nfsv4-rpcrdma-version-two-04. */
#include "codec/tests/reference/reference.h"

/* The draft's msg_type is also one of libtirpc's RPC headers: take only its XDR. */
#include <rpc/types.h>
#include <rpc/xdr.h>
#define _TIRPC_RPC_H
#define CLIENT void
#define SVCXPRT void
#include <rpcrdma2_04.h>

long reference_rpcrdma2_04(const void *octets, size_t length)
{
    return reference_read((void (*)(void))xdr_rpcrdma2_xprt_hdr, sizeof(rpcrdma2_xprt_hdr), octets,
                          length);
}
