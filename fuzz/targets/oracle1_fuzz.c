// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the version 1 codec against its two rivals, which share no code with it: the walk by
 * tables, and what rpcgen makes of the same XDR. They agree on what is accepted, its length, its
 * values and the place of the fault.
 */
#include "fuzz/fuzz.h"
#include "fuzz/targets/rpcgen.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

/* Where rpcgen's decoder is not as strict as RFC 4506, whatever it says does not count. */
static const struct {
    int code;
    const char *reason;
} lenient[] = {
    {RPCRDMA_XDR_E_PRESENCE,
     "xdr_pointer() takes every word but 0 for 1 (RFC 4506 sections 4.4, 4.19)"},
};

static bool is_lenient(int code)
{
    for (size_t i = 0; i < COUNT(lenient); i++)
        if (lenient[i].code == code)
            return true;
    return false;
}

static void check_segments(const struct rpcrdma1_segment_array *own, const xdr_write_chunk *theirs)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(own);
    struct rpcrdma1_segment segment;
    FUZZ_ASSERT(own->count == theirs->target.target_len);
    for (uint32_t i = 0; rpcrdma1_segment_array_next(&iter, &segment); i++) {
        const xdr_rdma_segment *other = &theirs->target.target_val[i];
        FUZZ_ASSERT(segment.handle == other->handle && segment.length == other->length);
        FUZZ_ASSERT(segment.offset == other->offset);
    }
}

static void check_lists(const struct rpcrdma1_read_list *reads,
                        const struct rpcrdma1_write_list *writes,
                        const struct rpcrdma1_write_chunk_opt *reply, const xdr_read_list *r,
                        const xdr_write_list *w, const xdr_write_chunk *theirs)
{
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    for (; rpcrdma1_read_list_next(&iter, &read); r = r->next) {
        FUZZ_ASSERT(r != NULL && read.position == r->entry.position);
        FUZZ_ASSERT(read.target.handle == r->entry.target.handle);
        FUZZ_ASSERT(read.target.length == r->entry.target.length);
        FUZZ_ASSERT(read.target.offset == r->entry.target.offset);
    }
    FUZZ_ASSERT(r == NULL);
    iter = rpcrdma1_write_list_iter(writes);
    for (; rpcrdma1_write_list_next(&iter, &chunk); w = w->next) {
        FUZZ_ASSERT(w != NULL);
        check_segments(&chunk.target, &w->entry);
    }
    FUZZ_ASSERT(w == NULL);
    FUZZ_ASSERT(reply->present == (theirs != NULL));
    if (theirs)
        check_segments(&reply->value.target, theirs);
}

static void check_values(const struct rpcrdma1_header *own, const rdma_msg *theirs)
{
    const struct rpcrdma1_body *body = &own->rdma_body;
    const rpc_rdma_header *lists = &theirs->rdma_body.rdma_body_u.rdma_msg;
    const rpc_rdma_header_padded *padded = &theirs->rdma_body.rdma_body_u.rdma_msgp;
    const rpc_rdma_error *error = &theirs->rdma_body.rdma_body_u.rdma_error;
    FUZZ_ASSERT(own->rdma_xid == theirs->rdma_xid && own->rdma_vers == theirs->rdma_vers);
    FUZZ_ASSERT(own->rdma_credit == theirs->rdma_credit);
    FUZZ_ASSERT((uint32_t)body->proc == (uint32_t)theirs->rdma_body.proc);
    switch (body->proc) {
    case RPCRDMA1_MSG:
    case RPCRDMA1_NOMSG:
        check_lists(&body->rdma_msg.rdma_reads, &body->rdma_msg.rdma_writes,
                    &body->rdma_msg.rdma_reply, lists->rdma_reads, lists->rdma_writes,
                    lists->rdma_reply);
        break;
    case RPCRDMA1_MSGP:
        FUZZ_ASSERT(body->rdma_msgp.rdma_align == padded->rdma_align);
        FUZZ_ASSERT(body->rdma_msgp.rdma_thresh == padded->rdma_thresh);
        check_lists(&body->rdma_msgp.rdma_reads, &body->rdma_msgp.rdma_writes,
                    &body->rdma_msgp.rdma_reply, padded->rdma_reads, padded->rdma_writes,
                    padded->rdma_reply);
        break;
    case RPCRDMA1_DONE:
        break;
    case RPCRDMA1_ERROR:
        FUZZ_ASSERT((uint32_t)body->rdma_error.err == (uint32_t)error->err);
        if (error->err != ERR_VERS)
            break;
        FUZZ_ASSERT(body->rdma_error.range.rdma_vers_low ==
                    error->rpc_rdma_error_u.range.rdma_vers_low);
        FUZZ_ASSERT(body->rdma_error.range.rdma_vers_high ==
                    error->rpc_rdma_error_u.range.rdma_vers_high);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    rdma_msg message;
    if (size > FUZZ_SIZE_MAX)
        return 0;
    ptrdiff_t length = rpcrdma1_header_decode(&header, data, size, NULL, &error);
    fuzz_check_walk(rpcrdma_walk_rpcrdma1_header, data, size, length, &error);
    if (!rpcgen_is_safe(data, size)) {
        /* What it would reserve in vain is no header. */
        FUZZ_ASSERT(length < 0);
        return 0;
    }
    ptrdiff_t theirs = rpcgen_decode(&message, data, size);
    if (length >= 0 || !is_lenient((int)length))
        FUZZ_ASSERT(theirs == (length < 0 ? -1 : length));
    if (length >= 0)
        check_values(&header, &message);
    rpcgen_free(&message);
    return 0;
}
