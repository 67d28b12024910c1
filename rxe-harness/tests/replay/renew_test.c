// SPDX-License-Identifier: BSD-3-Clause
/* A recorded Send, made anew: names of another length move the Read chunk after them. */
#include "rxe-harness/replay/replay.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define OLD_XID 0x01010101u
#define NEW_XID 0x02020202u
#define OLD_HANDLE 12 /* octets of the file's */
#define CHUNK 8       /* octets of the argument */

static struct probe probe;

static void open_probe(void)
{
    probe = (struct probe){
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION}};
    probe.peer.transport = responder_loopback();
    ck_assert(probe_begin(&probe));
    ck_assert_ptr_nonnull(probe_connect(&probe));
}

static void close_probe(void)
{
    probe_disconnect(&probe);
    results_free(&probe.run.results);
    probe.peer.transport->ops->close(probe.peer.transport);
}

/* The old handle, and one of this length in its place. */
static void learn(struct replay_names *names, size_t fresh_length)
{
    struct names_given *old = calloc(1, sizeof *old + sizeof old->list[0]),
                       *fresh = calloc(1, sizeof *fresh + sizeof fresh->list[0]);
    old->count = fresh->count = 1;
    old->list[0].kind = fresh->list[0].kind = NAME_FILE;
    old->list[0].length = OLD_HANDLE;
    memset(old->list[0].octets, 'o', OLD_HANDLE);
    fresh->list[0].length = fresh_length;
    memset(fresh->list[0].octets, 'f', fresh_length);
    names_learn(names, old, fresh);
    free(old);
    free(fresh);
}

enum { BEGINNING = 12 }; /* of a COMPOUND: no tag, a minor version, a number of operations */

/* A COMPOUND of NFS version 4, as far as it matters: the handle after its length; what is in the
 * Read chunk comes this many octets after it. */
static size_t make_call(uint8_t octets[512], uint32_t after, size_t *handle_at, uint32_t *position)
{
    struct rpcrdma1_read_segment read = {.target = {.handle = 7, .length = CHUNK, .offset = 64}};
    struct rpcrdma1_header header = {
        .rdma_xid = OLD_XID,
        .rdma_vers = 1,
        .rdma_credit = 8,
        .rdma_body = {.proc = RPCRDMA1_MSG, .rdma_msg.rdma_reads = {.items = &read, .count = 1}}};
    *position = REQUESTER_RPC + BEGINNING + 4 + OLD_HANDLE + after;
    read.position = *position;
    memset(octets, 0, 512);
    ptrdiff_t at = rpcrdma1_header_encode(octets, 512, &header, NULL);
    ck_assert_int_gt(at, 0);
    requester_rpc(octets + at, OLD_XID, NFS_PROGRAM, NFS_VERSION, NFS_COMPOUND);
    *handle_at = (size_t)at + REQUESTER_RPC + BEGINNING + 4;
    rpcrdma_xdr_store32(octets + *handle_at - 4, OLD_HANDLE);
    memset(octets + *handle_at, 'o', OLD_HANDLE);
    return *handle_at + OLD_HANDLE + after;
}

static const struct {
    size_t fresh;   /* octets of today's handle */
    uint32_t after; /* octets between the handle and the chunk */
} changes[] = {{12, 8}, {16, 8}, {20, 0}, {8, 8}, {28, 24}, {10, 4}};

START_TEST(the_chunk_comes_after_the_new_name)
{
    uint8_t octets[4096];
    size_t handle_at, fresh = changes[_i].fresh;
    uint32_t position;
    size_t length = make_call(octets, changes[_i].after, &handle_at, &position);
    struct vector_event event = {
        .event = {
            .from = RPCRDMA_CLIENT, .type = RPCRDMA_EVENT_SEND, .data = octets, .length = length}};
    struct vector_test test = {.id = "test", .events = &event, .count = 1};
    struct sent sent = {.old_xid = OLD_XID, .xid = NEW_XID, .length = length};
    open_probe();
    struct replay replay = {.probe = &probe, .test = &test, .sent = &sent};
    learn(&replay.names, fresh);
    ck_assert_ptr_null(replay_renew(&replay, 0, &sent, octets));
    size_t padded = (fresh + 3) & ~(size_t)3;
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment read;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, sent.length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&header.rdma_body.rdma_msg.rdma_reads);
    ck_assert(rpcrdma1_read_list_next(&iter, &read));
    ck_assert_uint_eq(read.position, position + padded - OLD_HANDLE);
    ck_assert_uint_ne(read.target.handle, 7); /* memory of today */
    ck_assert_uint_eq(sent.length, length + padded - OLD_HANDLE);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets), NEW_XID);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + end), NEW_XID);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + handle_at - 4), fresh);
    for (size_t i = 0; i < padded; i++)
        ck_assert_uint_eq(octets[handle_at + i], i < fresh ? 'f' : 0);
    ck_assert(sent.call.known && sent.call.procedure == NFS_COMPOUND);
    regions_free(&sent.regions, probe.requester);
    names_free(&replay.names);
    close_probe();
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("renew");
    tcase_add_loop_test(tests, the_chunk_comes_after_the_new_name, 0, COUNT(changes));
    return run_tests("renew", tests);
}
