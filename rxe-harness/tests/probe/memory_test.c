// SPDX-License-Identifier: BSD-3-Clause
/* Where the segments of a Send of `probe` come to lie. */
#include "rxe-harness/probe/memory.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1u << 20)

enum list { READ, CALL, WRITE, REPLY }; /* CALL: a Read segment at Position zero */

struct segment {
    enum list list;
    uint32_t handle, length;
    uint64_t offset;
};

/* Two of them, and what they are in what is sent: whether there is memory for each, and how far the
 * second one begins after the first, if both are in one piece. */
static const struct row {
    struct segment segments[2];
    bool there[2];
    bool together;
    int64_t apart;
} rows[] = {
    {{{READ, 1, 100, 0}, {READ, 1, 100, 50}}, {true, true}, true, 50},
    {{{READ, 1, 100, 50}, {READ, 1, 100, 0}}, {true, true}, true, -50},
    {{{READ, 1, 100, 0}, {READ, 1, 100, 99}}, {true, true}, true, 99},
    {{{READ, 1, 100, 0}, {READ, 1, 100, 100}}, {true, true}, false, 0},
    {{{READ, 1, 100, 100}, {READ, 1, 100, 0}}, {true, true}, false, 0},
    {{{READ, 1, 100, 100}, {READ, 1, 100, 1}}, {true, true}, true, -99},
    {{{READ, 1, 10, 20}, {READ, 1, 100, 0}}, {true, true}, true, -20},
    {{{READ, 1, 100, 0}, {READ, 1, 10, 20}}, {true, true}, true, 20},
    {{{READ, 1, 100, 0}, {READ, 2, 100, 50}}, {true, true}, false, 0},
    {{{READ, 1, 100, 0}, {WRITE, 1, 100, 50}}, {true, true}, true, 50},
    {{{WRITE, 1, 100, 0}, {REPLY, 1, 100, 0}}, {true, true}, true, 0},
    {{{REPLY, 1, 100, 0}, {REPLY, 2, 60, 500}}, {true, true}, false, 0},
    {{{READ, 1, 4 * MIB, 0}, {READ, 2, 1, 0}}, {true, false}, false, 0},
    {{{READ, 1, 4 * MIB + 1, 0}, {READ, 2, 1, 0}}, {false, true}, false, 0},
    {{{READ, 1, 3 * MIB, 0}, {READ, 2, MIB + 1, 0}}, {true, false}, false, 0},
    {{{READ, 1, 3 * MIB, 0}, {READ, 2, MIB, 0}}, {true, true}, false, 0},
    {{{CALL, 1, 3 * MIB, 0}, {CALL, 2, MIB, 0}}, {true, true}, false, 0},
    {{{CALL, 1, 3 * MIB, 0}, {CALL, 2, MIB + 1, 0}}, {true, false}, false, 0},
    {{{CALL, 1, 3 * MIB, 0}, {READ, 2, 3 * MIB, 0}}, {true, true}, false, 0},
    {{{READ, 1, 1, 0}, {REPLY, 2, 23, 0}}, {true, true}, false, 0},
    {{{READ, 1, 1, 0}, {REPLY, 2, 24, 0}}, {true, true}, false, 0},
    {{{READ, 1, 2, UINT64_MAX}, {READ, 2, 2, UINT64_MAX - 1}}, {false, true}, false, 0},
};

static size_t make(const struct row *row, uint8_t octets[512])
{
    struct rpcrdma1_read_segment reads[2];
    struct rpcrdma1_segment writes[2], replies[2];
    struct rpcrdma1_write_chunk chunk = {.target.items = writes};
    struct rpcrdma1_header header = {
        .rdma_xid = 7, .rdma_vers = 1, .rdma_credit = 1, .rdma_body.proc = RPCRDMA1_MSG};
    struct rpcrdma1_chunk_lists *lists = &header.rdma_body.rdma_msg;
    lists->rdma_reads.items = reads;
    lists->rdma_writes.items = &chunk;
    lists->rdma_reply.value.target.items = replies;
    for (int i = 0; i < 2; i++) {
        const struct segment *from = &row->segments[i];
        const struct rpcrdma1_segment segment = {
            .handle = from->handle, .length = from->length, .offset = from->offset};
        if (from->list == WRITE) {
            writes[chunk.target.count++] = segment;
            lists->rdma_writes.count = 1;
        } else if (from->list == REPLY) {
            replies[lists->rdma_reply.value.target.count++] = segment;
            lists->rdma_reply.present = true;
        } else {
            reads[lists->rdma_reads.count++] = (struct rpcrdma1_read_segment){
                .position = from->list == CALL ? 0 : 44, .target = segment};
        }
    }
    ptrdiff_t length = rpcrdma1_header_encode(octets, 512, &header, NULL);
    ck_assert_int_gt(length, 0);
    return (size_t)length;
}

/* In the order of the row: no row has two segments of lists that change places. */
static void read_back(const uint8_t *octets, size_t length, struct rpcrdma1_segment found[2])
{
    struct rpcrdma1_header header;
    unsigned count = 0;
    ck_assert_int_gt(rpcrdma1_header_decode(&header, octets, length, NULL, NULL), 0);
    const struct rpcrdma1_chunk_lists *lists = &header.rdma_body.rdma_msg;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    while (rpcrdma1_read_list_next(&iter, &read))
        found[count++] = read.target;
    struct rpcrdma1_write_chunk chunk;
    iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        struct rpcrdma_xdr_iter each = rpcrdma1_segment_array_iter(&chunk.target);
        while (count < 2 && rpcrdma1_segment_array_next(&each, &found[count]))
            count++;
    }
    if (lists->rdma_reply.present) {
        iter = rpcrdma1_segment_array_iter(&lists->rdma_reply.value.target);
        while (count < 2 && rpcrdma1_segment_array_next(&iter, &found[count]))
            count++;
    }
    ck_assert_uint_eq(count, 2);
}

static unsigned access_of(enum list list)
{
    return list == READ ? LINK_PEER_READS : LINK_PEER_WRITES;
}

START_TEST(segments_keep_what_they_have_to_do_with_each_other)
{
    const struct row *row = &rows[_i];
    struct transport *transport = responder_loopback();
    struct requester *requester = requester_open(transport, 100, false, NULL, NULL);
    struct probe_memory memory;
    struct rpcrdma1_segment found[2];
    uint8_t octets[512];
    size_t length = make(row, octets);
    probe_memory_move(&memory, requester, RPCRDMA_PROTOCOL_1, octets, length);
    read_back(octets, length, found);
    ck_assert_int_eq(memory.moved, row->there[0] && row->there[1]);
    size_t room = 0; /* of the Reply chunk: all of its segments */
    for (int i = 0; i < 2; i++)
        room += row->segments[i].list == REPLY && row->there[i] ? row->segments[i].length : 0;
    ck_assert_uint_eq(memory.reply.reply_room, room);
    ck_assert_int_eq(memory.full, room > 0 && room < 24); /* a Reply without results has these */
    for (int i = 0; i < 2; i++) {
        const struct segment *from = &row->segments[i];
        bool stays = found[i].handle == from->handle && found[i].offset == from->offset;
        ck_assert_msg(stays != row->there[i], "segment %d", i + 1);
        ck_assert_uint_eq(found[i].length, from->length);
    }
    if (row->there[0] && row->there[1])
        ck_assert_int_eq(found[0].handle == found[1].handle, row->together);
    if (row->together) {
        ck_assert_int_eq((int64_t)(found[1].offset - found[0].offset), row->apart);
        ck_assert_uint_eq(memory.count, 1);
        for (int i = 0; i < 2; i++) {
            const struct segment *from = &row->segments[i];
            ck_assert_uint_le(memory.stretches[0].first, from->offset);
            ck_assert_uint_ge(memory.stretches[0].last, from->offset + from->length - 1);
        }
        ck_assert_uint_eq(memory.stretches[0].access,
                          access_of(row->segments[0].list) | access_of(row->segments[1].list));
    }
    probe_memory_free(&memory, requester);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

/* A Call of draft -07: the handle that may be invalidated follows its segment, wherever that is
 * moved; what names no memory that is there cannot be invalidated. And what a Responder has to read
 * for it is the sum of both Read lists. */
#define CALL_OF(inv, length, offset, length2)                                                      \
    {                                                                                              \
        7, 2, 32, RPCRDMA2_07_CALL_EXTERNAL, inv, 1, 0, 0xa, length, (offset) >> 32,               \
            (uint32_t)(offset), 0, 1, 44, 0xb, length2, 0, 0x2000, 0, 0, 0                         \
    }
enum { AT_INVALIDATE = 4, AT_CALL_HANDLE = 7, AT_READ_HANDLE = 14, CALL_WORDS = 21 };
static const struct {
    uint32_t words[CALL_WORDS];
    int follows; /* the word that has the handle, or 0: none */
    bool moved, large;
} calls07[] = {
    {CALL_OF(0xb, 40, UINT64_C(0x1000), 8), AT_READ_HANDLE, true, false},
    {CALL_OF(0xa, 40, UINT64_C(0x1000), 8), AT_CALL_HANDLE, true, false},
    {CALL_OF(0, 40, UINT64_C(0x1000), 8), 0, true, false},
    {CALL_OF(0xc, 40, UINT64_C(0x1000), 8), 0, false, false}, /* a handle that it does not have */
    {CALL_OF(0xa, 40, UINT64_MAX - 8, 8), 0, false, false},   /* beyond the address space */
    {CALL_OF(0, 65528, UINT64_C(0x1000), 8), 0, true, false},
    {CALL_OF(0, 65532, UINT64_C(0x1000), 8), 0, true, true},
    {CALL_OF(0, 8, UINT64_C(0x1000), 65532), 0, true, true},
};

START_TEST(a_call_of_07_is_moved_with_its_handle)
{
    struct transport *transport = responder_loopback();
    struct requester *requester = requester_open(transport, 100, false, NULL, NULL);
    struct probe_memory memory;
    uint8_t octets[4 * CALL_WORDS];
    for (size_t i = 0; i < CALL_WORDS; i++)
        rpcrdma_xdr_store32(octets + 4 * i, calls07[_i].words[i]);
    uint32_t before = calls07[_i].words[AT_INVALIDATE];
    probe_memory_move(&memory, requester, RPCRDMA_PROTOCOL_2_07, octets, sizeof octets);
    uint32_t after = rpcrdma_xdr_load32(octets + 4 * (size_t)AT_INVALIDATE);
    int follows = calls07[_i].follows;
    ck_assert_uint_eq(after, follows ? rpcrdma_xdr_load32(octets + 4 * follows) : before);
    ck_assert_int_eq(follows && after == before, 0);
    ck_assert_int_eq(memory.moved, calls07[_i].moved);
    ck_assert_int_eq(memory.invalidates, before != 0);
    ck_assert_int_eq(memory.large, calls07[_i].large);
    probe_memory_free(&memory, requester);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("memory");
    tcase_add_loop_test(tests, segments_keep_what_they_have_to_do_with_each_other, 0, COUNT(rows));
    tcase_add_loop_test(tests, a_call_of_07_is_moved_with_its_handle, 0, COUNT(calls07));
    return run_tests("memory", tests);
}
