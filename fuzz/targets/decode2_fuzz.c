// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the codecs of both version 2 drafts. Draft -04 has one header; -07 has one for each
 * type, after a common prefix: all of them are tried.
 */
#include "fuzz/fuzz.h"
#include "fuzz/values.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* ---- spans of both drafts, which are alike, as values ---- */

#define DRAFT(draft)                                                                               \
    FUZZ_VALUES(draft##segment_array, draft##segment, 0)                                           \
    FUZZ_VALUES(draft##read_list, draft##read_segment, 4)                                          \
    FUZZ_VALUES(draft##write_list, draft##write_chunk, 4)                                          \
    FUZZ_VALUES(draft##propval_array, draft##propval, 0)                                           \
    static struct draft##propval_array draft##properties(const struct draft##propval_array *wire)  \
    {                                                                                              \
        struct draft##propval_array values = draft##propval_array_values(wire);                    \
        for (uint32_t i = 0; i < values.count; i++)                                                \
            fuzz_check_inside(values.items[i].rdma_data.data, values.items[i].rdma_data.length);   \
        return values;                                                                             \
    }                                                                                              \
    static void draft##writes(struct draft##write_list *writes)                                    \
    {                                                                                              \
        *writes = draft##write_list_values(writes);                                                \
        /* These items are ours: fuzz_values() made them. */                                       \
        struct draft##write_chunk *chunks = (struct draft##write_chunk *)(uintptr_t)writes->items; \
        for (uint32_t i = 0; i < writes->count; i++)                                               \
            chunks[i].rdma_target = draft##segment_array_values(&chunks[i].rdma_target);           \
    }                                                                                              \
    static void draft##reply(struct draft##write_chunk_opt *reply)                                 \
    {                                                                                              \
        if (reply->present)                                                                        \
            reply->value.rdma_target = draft##segment_array_values(&reply->value.rdma_target);     \
    }

DRAFT(rpcrdma2_04_)
DRAFT(rpcrdma2_07_)

/* Spans of values of which one counts too much. */
#define LARGE_WRITES(draft, codec, view, writes)                                                   \
    do {                                                                                           \
        struct draft##write_chunk *chunks =                                                        \
            (struct draft##write_chunk *)(uintptr_t)(writes)->items;                               \
        if ((writes)->count > 0)                                                                   \
            FUZZ_TOO_LARGE(codec, view, chunks[0].rdma_target.count);                              \
    } while (0)
#define LARGE_REPLY(codec, view, reply)                                                            \
    do {                                                                                           \
        if ((reply)->present)                                                                      \
            FUZZ_TOO_LARGE(codec, view, (reply)->value.rdma_target.count);                         \
    } while (0)
#define LARGE_PROPERTIES(draft, codec, view, properties)                                           \
    do {                                                                                           \
        struct draft##propval *first = (struct draft##propval *)(uintptr_t)(properties)->items;    \
        if ((properties)->count > 0)                                                               \
            FUZZ_TOO_LARGE(codec, view, first->rdma_data.length);                                  \
    } while (0)

static struct rpcrdma_xdr_uint32_array ids_values(const struct rpcrdma_xdr_uint32_array *wire)
{
    uint32_t *items = fuzz_values(wire->count, sizeof *items), count = 0, beyond;
    struct rpcrdma_xdr_iter iter = RPCRDMA_XDR_ITER(wire);
    while (count < wire->count && rpcrdma_xdr_uint32_next(&iter, &items[count]))
        count++;
    fuzz_check_inside(wire->wire, 4 * (size_t)wire->count);
    FUZZ_ASSERT(count == wire->count && !rpcrdma_xdr_uint32_next(&iter, &beyond) &&
                (wire->octets == 0 || iter.p == iter.end));
    return (struct rpcrdma_xdr_uint32_array){.items = items, .count = count};
}

/* ---- draft -04 ---- */

FUZZ_CODEC(decode_04, rpcrdma2_04_header, rpcrdma2_04_limits)

static void values_04(struct rpcrdma2_04_body *body)
{
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
    case RPCRDMA2_04_NOMSG:
        body->rdma_chunks.rdma_reads = rpcrdma2_04_read_list_values(&body->rdma_chunks.rdma_reads);
        rpcrdma2_04_writes(&body->rdma_chunks.rdma_writes);
        rpcrdma2_04_reply(&body->rdma_chunks.rdma_reply);
        break;
    case RPCRDMA2_04_ERROR:
        break;
    case RPCRDMA2_04_OPTIONAL:
        fuzz_check_inside(body->rdma_optional.rdma_optinfo.data,
                          body->rdma_optional.rdma_optinfo.length);
        break;
    case RPCRDMA2_04_CONNPROP:
        body->rdma_connprop.rdma_start = rpcrdma2_04_properties(&body->rdma_connprop.rdma_start);
        body->rdma_connprop.rdma_nochg = ids_values(&body->rdma_connprop.rdma_nochg);
        break;
    case RPCRDMA2_04_REQPROP:
        body->rdma_reqprop.rdma_want = rpcrdma2_04_properties(&body->rdma_reqprop.rdma_want);
        break;
    case RPCRDMA2_04_RESPROP:
        body->rdma_resprop.rdma_done = ids_values(&body->rdma_resprop.rdma_done);
        body->rdma_resprop.rdma_rejected = ids_values(&body->rdma_resprop.rdma_rejected);
        body->rdma_resprop.rdma_other = rpcrdma2_04_properties(&body->rdma_resprop.rdma_other);
        break;
    case RPCRDMA2_04_UPDPROP:
        body->rdma_updprop.rdma_now = rpcrdma2_04_properties(&body->rdma_updprop.rdma_now);
        break;
    }
}

static void check_large_04(struct rpcrdma2_04_header *view)
{
    struct rpcrdma2_04_body *body = &view->rdma_body;
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
    case RPCRDMA2_04_NOMSG:
        FUZZ_TOO_LARGE(rpcrdma2_04_header, view, body->rdma_chunks.rdma_reads.count);
        LARGE_WRITES(rpcrdma2_04_, rpcrdma2_04_header, view, &body->rdma_chunks.rdma_writes);
        LARGE_REPLY(rpcrdma2_04_header, view, &body->rdma_chunks.rdma_reply);
        break;
    case RPCRDMA2_04_ERROR:
        break;
    case RPCRDMA2_04_OPTIONAL:
        FUZZ_TOO_LARGE(rpcrdma2_04_header, view, body->rdma_optional.rdma_optinfo.length);
        break;
    case RPCRDMA2_04_CONNPROP:
        LARGE_PROPERTIES(rpcrdma2_04_, rpcrdma2_04_header, view, &body->rdma_connprop.rdma_start);
        FUZZ_TOO_LARGE(rpcrdma2_04_header, view, body->rdma_connprop.rdma_nochg.count);
        break;
    case RPCRDMA2_04_REQPROP:
        LARGE_PROPERTIES(rpcrdma2_04_, rpcrdma2_04_header, view, &body->rdma_reqprop.rdma_want);
        break;
    case RPCRDMA2_04_RESPROP:
        FUZZ_TOO_LARGE(rpcrdma2_04_header, view, body->rdma_resprop.rdma_done.count);
        FUZZ_TOO_LARGE(rpcrdma2_04_header, view, body->rdma_resprop.rdma_rejected.count);
        LARGE_PROPERTIES(rpcrdma2_04_, rpcrdma2_04_header, view, &body->rdma_resprop.rdma_other);
        break;
    case RPCRDMA2_04_UPDPROP:
        LARGE_PROPERTIES(rpcrdma2_04_, rpcrdma2_04_header, view, &body->rdma_updprop.rdma_now);
        break;
    }
}

/* Enumerators that the draft does not have are not values. */
static void check_refused_04(struct rpcrdma2_04_header *view)
{
    static const uint32_t undefined = 99;
    struct rpcrdma2_04_body *body = &view->rdma_body;
    int code = RPCRDMA_XDR_E_ENUM;
    if (body->rdma_proc <= RPCRDMA2_04_NOMSG)
        memcpy(&body->rdma_chunks.rdma_direction, &undefined, 4);
    else if (body->rdma_proc == RPCRDMA2_04_ERROR)
        memcpy(&body->rdma_error.rdma_err, &undefined, 4);
    else if (body->rdma_proc == RPCRDMA2_04_OPTIONAL)
        memcpy(&body->rdma_optional.rdma_optdir, &undefined, 4);
    else
        memcpy(&body->rdma_proc, &undefined, 4);
    if (body->rdma_proc == RPCRDMA2_04_ERROR || body->rdma_proc > RPCRDMA2_04_OPTIONAL)
        code = RPCRDMA_XDR_E_UNION; /* the union is the one that looks */
    FUZZ_REFUSES(rpcrdma2_04_header, view, code);
}

static void check_04(const uint8_t *octets, size_t length)
{
    struct rpcrdma2_04_header view;
    struct rpcrdma_xdr_error error;
    ptrdiff_t n = decode_04(octets, length, &view, &error);
    fuzz_check_walk(rpcrdma_walk_rpcrdma2_04_header, octets, length, n, &error);
    if (n < 0)
        return;
    values_04(&view.rdma_body);
    FUZZ_ENCODES(rpcrdma2_04_header, &view, octets, n);
    check_large_04(&view);
    check_refused_04(&view);
}

/* ---- draft -07 ---- */

FUZZ_CODEC(decode_prefix, rpcrdma2_07_hdr_prefix, rpcrdma2_07_limits)
FUZZ_CODEC(decode_error, rpcrdma2_07_hdr_error, rpcrdma2_07_limits)
FUZZ_CODEC(decode_connprop, rpcrdma2_07_hdr_connprop, rpcrdma2_07_limits)
FUZZ_CODEC(decode_call_external, rpcrdma2_07_hdr_call_external, rpcrdma2_07_limits)
FUZZ_CODEC(decode_call_middle, rpcrdma2_07_hdr_call_middle, rpcrdma2_07_limits)
FUZZ_CODEC(decode_call_inline, rpcrdma2_07_hdr_call_inline, rpcrdma2_07_limits)
FUZZ_CODEC(decode_reply_external, rpcrdma2_07_hdr_reply_external, rpcrdma2_07_limits)
FUZZ_CODEC(decode_reply_middle, rpcrdma2_07_hdr_reply_middle, rpcrdma2_07_limits)
FUZZ_CODEC(decode_reply_inline, rpcrdma2_07_hdr_reply_inline, rpcrdma2_07_limits)

/* Types that have no spans are values as they are decoded. */
#define SCALARS(name)                                                                              \
    static void values_##name(struct rpcrdma2_07_hdr_##name *view)                                 \
    {                                                                                              \
        (void)view;                                                                                \
    }                                                                                              \
    static void large_##name(struct rpcrdma2_07_hdr_##name *view)                                  \
    {                                                                                              \
        (void)view;                                                                                \
    }
SCALARS(prefix)
SCALARS(error)
SCALARS(call_middle)
SCALARS(reply_middle)

static void values_connprop(struct rpcrdma2_07_hdr_connprop *view)
{
    view->rdma_props = rpcrdma2_07_properties(&view->rdma_props);
}
static void large_connprop(struct rpcrdma2_07_hdr_connprop *view)
{
    LARGE_PROPERTIES(rpcrdma2_07_, rpcrdma2_07_hdr_connprop, view, &view->rdma_props);
}

static void values_call_external(struct rpcrdma2_07_hdr_call_external *view)
{
    view->rdma_call = rpcrdma2_07_read_list_values(&view->rdma_call);
    view->rdma_reads = rpcrdma2_07_read_list_values(&view->rdma_reads);
    rpcrdma2_07_writes(&view->rdma_provisional_writes);
    rpcrdma2_07_reply(&view->rdma_provisional_reply);
}
static void large_call_external(struct rpcrdma2_07_hdr_call_external *view)
{
    FUZZ_TOO_LARGE(rpcrdma2_07_hdr_call_external, view, view->rdma_call.count);
    FUZZ_TOO_LARGE(rpcrdma2_07_hdr_call_external, view, view->rdma_reads.count);
    LARGE_WRITES(rpcrdma2_07_, rpcrdma2_07_hdr_call_external, view, &view->rdma_provisional_writes);
    LARGE_REPLY(rpcrdma2_07_hdr_call_external, view, &view->rdma_provisional_reply);
}

static void values_call_inline(struct rpcrdma2_07_hdr_call_inline *view)
{
    view->rdma_reads = rpcrdma2_07_read_list_values(&view->rdma_reads);
    rpcrdma2_07_writes(&view->rdma_provisional_writes);
    rpcrdma2_07_reply(&view->rdma_provisional_reply);
}
static void large_call_inline(struct rpcrdma2_07_hdr_call_inline *view)
{
    FUZZ_TOO_LARGE(rpcrdma2_07_hdr_call_inline, view, view->rdma_reads.count);
    LARGE_WRITES(rpcrdma2_07_, rpcrdma2_07_hdr_call_inline, view, &view->rdma_provisional_writes);
    LARGE_REPLY(rpcrdma2_07_hdr_call_inline, view, &view->rdma_provisional_reply);
}

static void values_reply_external(struct rpcrdma2_07_hdr_reply_external *view)
{
    rpcrdma2_07_writes(&view->rdma_writes);
    rpcrdma2_07_reply(&view->rdma_reply);
}
static void large_reply_external(struct rpcrdma2_07_hdr_reply_external *view)
{
    LARGE_WRITES(rpcrdma2_07_, rpcrdma2_07_hdr_reply_external, view, &view->rdma_writes);
    LARGE_REPLY(rpcrdma2_07_hdr_reply_external, view, &view->rdma_reply);
}

static void values_reply_inline(struct rpcrdma2_07_hdr_reply_inline *view)
{
    rpcrdma2_07_writes(&view->rdma_writes);
}
static void large_reply_inline(struct rpcrdma2_07_hdr_reply_inline *view)
{
    LARGE_WRITES(rpcrdma2_07_, rpcrdma2_07_hdr_reply_inline, view, &view->rdma_writes);
}

/* Each root has its table (that of -04 is in walk.h). */
#define TRY(name)                                                                                  \
    static void try_##name(const uint8_t *octets, size_t length)                                   \
    {                                                                                              \
        extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_##name;                   \
        struct rpcrdma2_07_hdr_##name view;                                                        \
        struct rpcrdma_xdr_error error;                                                            \
        ptrdiff_t n = decode_##name(octets, length, &view, &error);                                \
        fuzz_check_walk(rpcrdma_walk_rpcrdma2_07_hdr_##name, octets, length, n, &error);           \
        if (n < 0)                                                                                 \
            return;                                                                                \
        values_##name(&view);                                                                      \
        FUZZ_ENCODES(rpcrdma2_07_hdr_##name, &view, octets, n);                                    \
        large_##name(&view);                                                                       \
    }
TRY(prefix)
TRY(error)
TRY(connprop)
TRY(call_external)
TRY(call_middle)
TRY(call_inline)
TRY(reply_external)
TRY(reply_middle)
TRY(reply_inline)

static void check_07(const uint8_t *octets, size_t length)
{
    try_prefix(octets, length);
    try_error(octets, length);
    try_connprop(octets, length);
    try_call_external(octets, length);
    try_call_middle(octets, length);
    try_call_inline(octets, length);
    try_reply_external(octets, length);
    try_reply_middle(octets, length);
    try_reply_inline(octets, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > FUZZ_SIZE_MAX)
        return 0;
    check_04(data, size);
    check_07(data, size);
    return 0;
}
