// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/models/version1.h"

#include "conformance/base/count.h"

#include <check.h>
#include <string.h>

uint32_t xid_of(const struct seen *seen)
{
    return 0x1000 + seen->xid;
}

size_t make_send(uint8_t octets[SEND_MAX], const struct seen *seen, const struct offered *offered,
                 const uint8_t *rpc, size_t length)
{
    const struct rpcrdma1_read_segment read = {.position = offered->position,
                                               .target = offered->segment};
    const struct rpcrdma1_segment_array target = {.items = &offered->segment, .count = 1};
    const struct rpcrdma1_write_chunk chunk = {.target = target};
    struct rpcrdma1_header header = {
        .rdma_xid = xid_of(seen), .rdma_vers = RPCRDMA_VERSION_1, .rdma_credit = seen->credits};
    struct rpcrdma1_chunk_lists *lists = &header.rdma_body.rdma_msg;
    bool is_long = offered->kind == REPLY_CHUNK && seen->what == REPLY && seen->flags & RETURNS;
    header.rdma_body.proc = seen->what == ERROR ? RPCRDMA1_ERROR
                            : is_long           ? RPCRDMA1_NOMSG
                                                : RPCRDMA1_MSG;
    if (seen->what == ERROR)
        header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    else if (offered->kind == READ_CHUNK && seen->what == CALL)
        lists->rdma_reads = (struct rpcrdma1_read_list){.items = &read, .count = 1};
    else if (offered->kind == WRITE_CHUNK)
        lists->rdma_writes = (struct rpcrdma1_write_list){.items = &chunk, .count = 1};
    else if (offered->kind == REPLY_CHUNK) {
        lists->rdma_reply.present = true;
        lists->rdma_reply.value.target = target;
    }
    ptrdiff_t end = rpcrdma1_header_encode(octets, SEND_MAX, &header, NULL);
    ck_assert(!rpcrdma_xdr_failed(end) && (size_t)end + length <= SEND_MAX);
    if (seen->what == ERROR || is_long)
        return (size_t)end;
    memcpy(octets + end, rpc, length);
    return (size_t)end + length;
}

static size_t put_words(uint8_t *octets, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return 4 * count;
}

size_t make_rpc_call(uint8_t octets[RPC_CALL], uint32_t xid, uint32_t program, uint32_t version,
                     uint32_t procedure)
{
    const uint32_t words[RPC_CALL / 4] = {xid, 0, 2, program, version, procedure};
    return put_words(octets, words, COUNT(words));
}

size_t make_rpc_reply(uint8_t octets[RPC_REPLY], uint32_t xid)
{
    const uint32_t words[RPC_REPLY / 4] = {xid, 1};
    return put_words(octets, words, COUNT(words));
}

static struct rpcrdma1_segment first_of(const struct rpcrdma1_segment_array *target)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(target);
    struct rpcrdma1_segment segment = {0};
    if (target->count != 1 || !rpcrdma1_segment_array_next(&iter, &segment))
        wrong("a chunk of %u segments", (unsigned)target->count);
    return segment;
}

static void read_lists(const struct rpcrdma1_chunk_lists *lists, struct offered *offered)
{
    struct rpcrdma_xdr_iter reads = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma_xdr_iter writes = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk chunk;
    if (lists->rdma_reads.count + lists->rdma_writes.count + lists->rdma_reply.present > 1)
        wrong("more than one chunk");
    if (rpcrdma1_read_list_next(&reads, &read))
        *offered = (struct offered){READ_CHUNK, read.target, read.position};
    else if (rpcrdma1_write_list_next(&writes, &chunk))
        *offered = (struct offered){WRITE_CHUNK, first_of(&chunk.target), 0};
    else if (lists->rdma_reply.present)
        *offered = (struct offered){REPLY_CHUNK, first_of(&lists->rdma_reply.value.target), 0};
}

struct seen read_send(const uint8_t *octets, size_t length, uint32_t full, struct offered *offered,
                      size_t *payload)
{
    struct rpcrdma1_header header;
    struct seen seen = {.side = own};
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    *offered = (struct offered){.kind = NO_CHUNK};
    *payload = length;
    if (rpcrdma_xdr_failed(end)) {
        wrong("a Send does not decode");
        return seen;
    }
    *payload = (size_t)end;
    seen.xid = header.rdma_xid - 0x1000;
    seen.credits = header.rdma_credit == full ? grant_max : header.rdma_credit;
    seen.what = ERROR;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (lists == NULL)
        return seen;
    read_lists(lists, offered);
    bool is_long = header.rdma_body.proc == RPCRDMA1_NOMSG;
    if (!is_long && length < *payload + 8)
        wrong("no RPC message");
    else if (!is_long && rpcrdma_xdr_load32(octets + end) != header.rdma_xid)
        wrong("the XID of RPC is another");
    bool is_call = !is_long && walk.wrong[0] == '\0' && rpcrdma_xdr_load32(octets + end + 4) == 0;
    seen.what = is_call ? CALL : REPLY;
    if (is_call)
        seen.flags = offered->kind;
    else if (offered->segment.length > 0)
        seen.flags = RETURNS;
    return seen;
}
