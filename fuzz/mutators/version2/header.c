// SPDX-License-Identifier: BSD-3-Clause
/* Sends of version 2: types, counters that are almost right, and the bodies by their tables. */
#include "fuzz/mutators/mutator.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma2_07.h>
#include <rpcrdma/xdr.h>

#include <string.h>

enum { AT_VERSION = 4, AT_CREDIT = 8, AT_TYPE = 12, PREFIX = 16 };

extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_04_header;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_error;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_connprop;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_call_external;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_call_middle;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_call_inline;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_reply_external;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_reply_inline;

static const struct xdr_type *body_of(uint32_t type)
{
    switch (type) {
    case RPCRDMA2_07_ERROR:
        return rpcrdma_walk_rpcrdma2_07_hdr_error;
    case RPCRDMA2_07_CONNPROP_MIDDLE:
    case RPCRDMA2_07_CONNPROP_FINAL:
        return rpcrdma_walk_rpcrdma2_07_hdr_connprop;
    case RPCRDMA2_07_CALL_EXTERNAL:
        return rpcrdma_walk_rpcrdma2_07_hdr_call_external;
    case RPCRDMA2_07_CALL_MIDDLE:
    case RPCRDMA2_07_REPLY_MIDDLE:
        return rpcrdma_walk_rpcrdma2_07_hdr_call_middle;
    case RPCRDMA2_07_CALL_INLINE:
        return rpcrdma_walk_rpcrdma2_07_hdr_call_inline;
    case RPCRDMA2_07_REPLY_EXTERNAL:
        return rpcrdma_walk_rpcrdma2_07_hdr_reply_external;
    case RPCRDMA2_07_REPLY_INLINE:
        return rpcrdma_walk_rpcrdma2_07_hdr_reply_inline;
    default:
        return NULL;
    }
}

bool is_send2(const uint8_t *data, size_t size)
{
    return size >= PREFIX && rpcrdma_xdr_load32(data + AT_VERSION) == 2;
}

/* A count that is almost right. */
static void nudge(uint8_t *word, struct chance *chance)
{
    static const int32_t steps[] = {-65536, -16, -4, -2, -1, 1, 2, 4, 16, 65536};
    uint32_t step = (uint32_t)steps[chance_below(chance, COUNT(steps))];
    rpcrdma_xdr_store32(word, rpcrdma_xdr_load32(word) + step);
}

static size_t mutate_body(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    const struct xdr_type *body = body_of(rpcrdma_xdr_load32(data + AT_TYPE));
    if (body == NULL || chance_below(chance, 8) == 0)
        return mutate_fields(rpcrdma_walk_rpcrdma2_04_header, data, size, max_size, chance);
    return PREFIX + mutate_fields(body, data + PREFIX, size - PREFIX, max_size - PREFIX, chance);
}

/* Between CALL_EXTERNAL and CALL_INLINE the lists move as they are: one has a list more. */
static size_t move_lists(uint8_t *data, size_t size, size_t max_size)
{
    const size_t at = PREFIX + 4; /* after the handle */
    uint32_t type = rpcrdma_xdr_load32(data + AT_TYPE);
    if (type == RPCRDMA2_07_CALL_INLINE && size >= at && size + 4 <= max_size) {
        memmove(data + at + 4, data + at, size - at);
        memset(data + at, 0, 4); /* an absent Call chunk */
        rpcrdma_xdr_store32(data + AT_TYPE, RPCRDMA2_07_CALL_EXTERNAL);
        return size + 4;
    }
    if (type == RPCRDMA2_07_CALL_EXTERNAL)
        rpcrdma_xdr_store32(data + AT_TYPE, RPCRDMA2_07_CALL_INLINE);
    return size;
}

size_t mutate_send2(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    switch (chance_below(chance, 8)) {
    case 0:
        rpcrdma_xdr_store32(data + AT_TYPE, chance_below(chance, RPCRDMA2_07_REPLY_INLINE + 2));
        return size;
    case 1:
        nudge(data + AT_CREDIT, chance);
        return size;
    case 2: /* what remains, a code, a count */
        if (size >= PREFIX + 4)
            nudge(data + PREFIX, chance);
        return size;
    case 3:
        return move_lists(data, size, max_size);
    case 4:
        return LLVMFuzzerMutate(data, size, max_size);
    default:
        return mutate_body(data, size, max_size, chance);
    }
}
