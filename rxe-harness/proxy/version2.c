// SPDX-License-Identifier: BSD-3-Clause
/* What the proxy changes in Sends of version 2. */
#include "rxe-harness/proxy/version2.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

static void limit_sizes(uint8_t *octets, enum rpcrdma_protocol protocol,
                        const struct rpcrdma_property_array *set, uint32_t limit)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property)) {
        bool is_size =
            protocol == RPCRDMA_PROTOCOL_2_07
                ? property.id == RPCRDMA2_07_PROPID_SBSIZ || property.id == RPCRDMA2_07_PROPID_RBSIZ
                : property.id == RPCRDMA2_04_PROPID_RBSIZ;
        if (is_size && property.value.length == 4 &&
            rpcrdma_xdr_load32(property.value.data) > limit)
            rpcrdma_xdr_store32(octets + (property.value.data - octets), limit);
    }
}

void proxy2_limit_properties(uint8_t *octets, enum rpcrdma_protocol protocol, size_t length,
                             uint32_t limit)
{
    struct rpcrdma_message message;
    if (rpcrdma_message_decode(&message, protocol, octets, length, NULL) < 0 ||
        message.kind != RPCRDMA_KIND_PROPERTIES)
        return;
    limit_sizes(octets, protocol, &message.properties.set, limit);
    limit_sizes(octets, protocol, &message.properties.other, limit);
}

/* Where a Call of version 2 names the handle, in both of its types. */
enum {
    HANDLE_07 = RPCRDMA2_07_HDR_PREFIX_SIZE + RPCRDMA2_07_HDR_CALL_INLINE_AT_RDMA_INV_HANDLE,
    HANDLE_04 = RPCRDMA2_04_MSG_AT_RDMA_INV_HANDLE
};
_Static_assert((int)RPCRDMA2_07_HDR_CALL_INLINE_AT_RDMA_INV_HANDLE ==
                       (int)RPCRDMA2_07_HDR_CALL_EXTERNAL_AT_RDMA_INV_HANDLE &&
                   (int)RPCRDMA2_04_MSG_AT_RDMA_INV_HANDLE ==
                       (int)RPCRDMA2_04_NOMSG_AT_RDMA_INV_HANDLE,
               "one place a draft");

void proxy2_name_handle(uint8_t *octets, const struct rpcrdma_message *message, uint32_t handle)
{
    if (message->protocol != RPCRDMA_PROTOCOL_1)
        rpcrdma_xdr_store32(
            octets + (message->protocol == RPCRDMA_PROTOCOL_2_07 ? HANDLE_07 : HANDLE_04), handle);
}
