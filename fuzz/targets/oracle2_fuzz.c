// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the codec of version 2 draft -04 against what rpcgen makes of the same XDR. They
 * agree on what is accepted, its length and its values, and theirs writes the octets again.
 */
#include "fuzz/fuzz.h"

#include <rpcrdma/rpcrdma2_04.h>

/* The draft's msg_type is also one of libtirpc's RPC headers: take only its XDR. */
#include <rpc/types.h>
#include <rpc/xdr.h>
#define _TIRPC_RPC_H
#define CLIENT void
#define SVCXPRT void
#include "rpcrdma2_04.h"
#include "conformance/base/count.h"

/* Octets of input with which its recursion, once for each entry of a list, stays within a small
 * stack. */
#define OCTETS_MAX 65536

/* Where its decoder goes on after a fault that ours finds, it is not asked. */
static const struct {
    int code;
    const char *reason;
} lenient[] = {
    {RPCRDMA_XDR_E_PRESENCE,
     "xdr_pointer() takes every word but 0 for 1 (RFC 4506 sections 4.4, 4.19)"},
    {RPCRDMA_XDR_E_ENUM, "xdr_enum() takes every word (section 4.3)"},
    {RPCRDMA_XDR_E_PAD, "xdr_opaque() does not look at the padding (section 4.10)"},
    {RPCRDMA_XDR_E_COUNT,
     "it reserves what a count says before it looks for it, and that of the elements"},
};

static void same_segment(const struct rpcrdma2_04_segment *own, const rpcrdma2_segment *theirs)
{
    FUZZ_ASSERT(own->rdma_handle == theirs->rdma_handle);
    FUZZ_ASSERT(own->rdma_length == theirs->rdma_length);
    FUZZ_ASSERT(own->rdma_offset == theirs->rdma_offset);
}

static void same_chunk(const struct rpcrdma2_04_write_chunk *own,
                       const rpcrdma2_write_chunk *theirs)
{
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_segment_array_iter(&own->rdma_target);
    struct rpcrdma2_04_segment segment;
    FUZZ_ASSERT(own->rdma_target.count == theirs->rdma_target.rdma_target_len);
    for (uint32_t i = 0; rpcrdma2_04_segment_array_next(&iter, &segment); i++)
        same_segment(&segment, &theirs->rdma_target.rdma_target_val[i]);
}

static void same_lists(const struct rpcrdma2_04_chunk_lists *own,
                       const rpcrdma2_chunk_lists *theirs)
{
    const struct rpcrdma2_read_list *r = theirs->rdma_reads;
    const struct rpcrdma2_write_list *w = theirs->rdma_writes;
    struct rpcrdma2_04_read_segment read;
    struct rpcrdma2_04_write_chunk chunk;
    FUZZ_ASSERT((uint32_t)own->rdma_direction == (uint32_t)theirs->rdma_direction);
    FUZZ_ASSERT(own->rdma_inv_handle == theirs->rdma_inv_handle);
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_read_list_iter(&own->rdma_reads);
    for (; rpcrdma2_04_read_list_next(&iter, &read); r = r->rdma_next) {
        FUZZ_ASSERT(r != NULL && read.rdma_position == r->rdma_entry.rdma_position);
        same_segment(&read.rdma_target, &r->rdma_entry.rdma_target);
    }
    FUZZ_ASSERT(r == NULL);
    iter = rpcrdma2_04_write_list_iter(&own->rdma_writes);
    for (; rpcrdma2_04_write_list_next(&iter, &chunk); w = w->rdma_next) {
        FUZZ_ASSERT(w != NULL);
        same_chunk(&chunk, &w->rdma_entry);
    }
    FUZZ_ASSERT(w == NULL);
    FUZZ_ASSERT(own->rdma_reply.present == (theirs->rdma_reply != NULL));
    if (theirs->rdma_reply)
        same_chunk(&own->rdma_reply.value, theirs->rdma_reply);
}

static void same_properties(const rpcrdma2_04_propset *own, const rpcrdma2_propset *theirs)
{
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_propval_array_iter(own);
    struct rpcrdma2_04_propval property;
    FUZZ_ASSERT(own->count == theirs->rpcrdma2_propset_len);
    for (uint32_t i = 0; rpcrdma2_04_propval_array_next(&iter, &property); i++) {
        const rpcrdma2_propval *other = &theirs->rpcrdma2_propset_val[i];
        uint32_t length = property.rdma_data.length;
        FUZZ_ASSERT(property.rdma_which == other->rdma_which);
        FUZZ_ASSERT(length == other->rdma_data.rdma_data_len);
        FUZZ_ASSERT(length == 0 ||
                    memcmp(property.rdma_data.data, other->rdma_data.rdma_data_val, length) == 0);
    }
}

static void same_values(const struct rpcrdma2_04_header *own, const rpcrdma2_xprt_hdr *theirs)
{
    const struct rpcrdma2_04_body *body = &own->rdma_body;
    FUZZ_ASSERT(own->rdma_xid == theirs->rdma_xid && own->rdma_vers == theirs->rdma_vers);
    FUZZ_ASSERT(own->rdma_credit == theirs->rdma_credit);
    FUZZ_ASSERT((uint32_t)body->rdma_proc == (uint32_t)theirs->rdma_body.rdma_proc);
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
    case RPCRDMA2_04_NOMSG:
        same_lists(&body->rdma_chunks, &theirs->rdma_body.rpcrdma2_body_u.rdma_chunks);
        break;
    case RPCRDMA2_04_ERROR:
        FUZZ_ASSERT((uint32_t)body->rdma_error.rdma_err ==
                    (uint32_t)theirs->rdma_body.rpcrdma2_body_u.rdma_error.rdma_err);
        break;
    case RPCRDMA2_04_CONNPROP:
        same_properties(&body->rdma_connprop.rdma_start,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_connprop.rdma_start);
        break;
    case RPCRDMA2_04_REQPROP:
        same_properties(&body->rdma_reqprop.rdma_want,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_reqprop.rdma_want);
        break;
    case RPCRDMA2_04_RESPROP:
        same_properties(&body->rdma_resprop.rdma_other,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_resprop.rdma_other);
        break;
    case RPCRDMA2_04_UPDPROP:
        same_properties(&body->rdma_updprop.rdma_now,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_updprop.rdma_now);
        break;
    case RPCRDMA2_04_OPTIONAL:
        break; /* no field that equal octets leave in doubt */
    }
}

static bool is_comparable(ptrdiff_t length)
{
    for (size_t i = 0; i < COUNT(lenient); i++)
        if (lenient[i].code == length)
            return false;
    return true;
}

/* It does not write when it decodes. */
static bool decode(rpcrdma2_xprt_hdr *header, const uint8_t *data, size_t size, size_t *length)
{
    XDR xdr;
    memset(header, 0, sizeof *header);
    xdrmem_create(&xdr, (char *)(uintptr_t)data, (u_int)size, XDR_DECODE);
    bool good = xdr_rpcrdma2_xprt_hdr(&xdr, header);
    *length = xdr_getpos(&xdr);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t room[OCTETS_MAX];
    struct rpcrdma2_04_header header;
    rpcrdma2_xprt_hdr theirs;
    size_t taken;
    XDR xdr;
    if (size > OCTETS_MAX)
        return 0;
    ptrdiff_t length = rpcrdma2_04_header_decode(&header, data, size, NULL, NULL);
    if (!is_comparable(length))
        return 0;
    FUZZ_ASSERT(decode(&theirs, data, size, &taken) == (length >= 0));
    if (length >= 0) {
        FUZZ_ASSERT(taken == (size_t)length);
        same_values(&header, &theirs);
        xdrmem_create(&xdr, (char *)room, sizeof room, XDR_ENCODE);
        FUZZ_ASSERT(xdr_rpcrdma2_xprt_hdr(&xdr, &theirs));
        FUZZ_ASSERT(xdr_getpos(&xdr) == taken && memcmp(room, data, taken) == 0);
    }
    xdr_free((xdrproc_t)xdr_rpcrdma2_xprt_hdr, &theirs);
    return 0;
}
