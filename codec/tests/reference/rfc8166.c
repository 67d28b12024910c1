// SPDX-License-Identifier: BSD-3-Clause
/* What rpcgen makes of the XDR of RFC 8166. */
#include "codec/tests/reference/reference.h"

#include <rfc8166.h>

long reference_rfc8166(const void *octets, size_t length)
{
    return reference_read((void (*)(void))xdr_rdma_msg, sizeof(rdma_msg), octets, length);
}
