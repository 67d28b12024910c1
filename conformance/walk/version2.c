// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/walk/version2.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#define BODY(name) rpcrdma_walk_rpcrdma2_07_hdr_##name
extern const struct xdr_type *const BODY(error);
extern const struct xdr_type *const BODY(connprop);
extern const struct xdr_type *const BODY(call_external);
extern const struct xdr_type *const BODY(call_middle);
extern const struct xdr_type *const BODY(call_inline);
extern const struct xdr_type *const BODY(reply_external);
extern const struct xdr_type *const BODY(reply_middle);
extern const struct xdr_type *const BODY(reply_inline);

const struct xdr_type *rpcrdma_walk2_body(uint32_t type)
{
    switch (type) {
    case RPCRDMA2_07_ERROR:
        return BODY(error);
    case RPCRDMA2_07_CONNPROP_MIDDLE:
    case RPCRDMA2_07_CONNPROP_FINAL:
        return BODY(connprop);
    case RPCRDMA2_07_CALL_EXTERNAL:
        return BODY(call_external);
    case RPCRDMA2_07_CALL_MIDDLE:
        return BODY(call_middle);
    case RPCRDMA2_07_CALL_INLINE:
        return BODY(call_inline);
    case RPCRDMA2_07_REPLY_EXTERNAL:
        return BODY(reply_external);
    case RPCRDMA2_07_REPLY_MIDDLE:
        return BODY(reply_middle);
    case RPCRDMA2_07_REPLY_INLINE:
        return BODY(reply_inline);
    default:
        return NULL;
    }
}

bool rpcrdma_walk2_has_no_body(uint32_t type)
{
    return type == RPCRDMA2_07_GRANT;
}

bool rpcrdma_walk2_has_first_word(uint32_t type)
{
    return type == RPCRDMA2_07_CALL_MIDDLE || type == RPCRDMA2_07_CALL_INLINE ||
           type == RPCRDMA2_07_REPLY_MIDDLE || type == RPCRDMA2_07_REPLY_INLINE;
}

bool rpcrdma_walk2_is_word(enum rpcrdma_protocol draft, uint32_t property)
{
    return draft != RPCRDMA_PROTOCOL_2_07 || property != RPCRDMA2_07_PROPID_HOSTAUTH;
}

bool rpcrdma_walk2_is_reverse_support(enum rpcrdma_protocol draft, uint32_t property)
{
    return property == (draft == RPCRDMA_PROTOCOL_2_04 ? (uint32_t)RPCRDMA2_04_PROPID_BRS
                                                       : (uint32_t)RPCRDMA2_07_PROPID_BRS);
}
