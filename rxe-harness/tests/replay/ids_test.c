// SPDX-License-Identifier: BSD-3-Clause
/* What each result of NFS version 4 calls by a name of the server's, how two servers' names are
 * matched, and what becomes of a Call that has them; and the memory that a recorded Send offers. */
#include "rxe-harness/replay/nfs_ids.h"
#include "rxe-harness/replay/recorded_memory.h"
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/transport/segments.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- what results give ---- */

static uint8_t octets[4096];
static size_t length;
static const uint8_t name[16] = "abcdefghijklmnop", second[12] = "ABCDEFGHIJKL";

static void begin(void)
{
    length = 12;
    memset(octets, 0, length);
}

static void add(const struct nfs_resop4 *result)
{
    ptrdiff_t size = nfs_resop4_encode(octets + length, sizeof octets - length, result, NULL);
    ck_assert_int_gt(size, 0);
    length += (size_t)size;
    rpcrdma_xdr_store32(octets + 8, rpcrdma_xdr_load32(octets + 8) + 1);
}

static struct names_given *given(void)
{
    const struct requester_reply reply = {.results = octets, .results_length = length};
    return names_read(&reply, NFS_VERSION, NFS_COMPOUND);
}

static void is_given(const struct names_given *list, unsigned at, enum name_kind kind,
                     const uint8_t *expected, size_t size)
{
    ck_assert_ptr_nonnull(list);
    ck_assert_uint_gt(list->count, at);
    ck_assert_int_eq(list->list[at].kind, kind);
    ck_assert_uint_eq(list->list[at].length, size);
    ck_assert_mem_eq(list->list[at].octets, expected, size);
    ck_assert_uint_eq(list->list[at].entry, 0);
}

/* After a PUTROOTFH: the second result. */
static struct names_given *one(const struct nfs_resop4 *result)
{
    const struct nfs_resop4 root = {.resop = NFS_OP_PUTROOTFH};
    begin();
    add(&root);
    add(result);
    struct names_given *list = given();
    for (unsigned i = 0; list && i < list->count; i++)
        ck_assert_uint_eq(list->list[i].result, 1);
    return list;
}

START_TEST(clients_and_sessions_have_names)
{
    static const uint8_t client[12] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9};
    struct nfs_resop4 result = {.resop = NFS_OP_EXCHANGE_ID};
    result.opexchange_id.eir_resok4.eir_clientid = 0x0102030405060708;
    result.opexchange_id.eir_resok4.eir_sequenceid = 9;
    struct names_given *list = one(&result);
    is_given(list, 0, NAME_FIRST_SESSION, client, 12);
    is_given(list, 1, NAME_CLIENT, client, 8);
    ck_assert_uint_eq(list->count, 2);
    free(list);
    result = (struct nfs_resop4){.resop = NFS_OP_SETCLIENTID};
    result.opsetclientid.resok4.clientid = 0x0102030405060708;
    result.opsetclientid.resok4.setclientid_confirm = name;
    list = one(&result);
    is_given(list, 0, NAME_CLIENT, client, 8);
    is_given(list, 1, NAME_VERIFIER, name, 8);
    ck_assert_uint_eq(list->count, 2);
    free(list);
    result = (struct nfs_resop4){.resop = NFS_OP_CREATE_SESSION};
    result.opcreate_session.csr_resok4.csr_sessionid = name;
    list = one(&result);
    is_given(list, 0, NAME_SESSION, name, 16);
    ck_assert_uint_eq(list->count, 1);
    free(list);
}
END_TEST

START_TEST(states_have_names)
{
    struct nfs_resop4 result = {.resop = NFS_OP_LOCK};
    result.oplock.resok4.lock_stateid.other = name;
    struct names_given *list = one(&result);
    is_given(list, 0, NAME_STATE, name, 12);
    free(list);
    static const enum nfs_open_delegation_type4 types[] = {
        NFS_OPEN_DELEGATE_NONE, NFS_OPEN_DELEGATE_READ, NFS_OPEN_DELEGATE_WRITE};
    for (size_t i = 0; i < COUNT(types); i++) {
        result = (struct nfs_resop4){.resop = NFS_OP_OPEN};
        result.opopen.resok4.stateid.other = name;
        struct nfs_open_delegation4 *delegation = &result.opopen.resok4.delegation;
        delegation->delegation_type = types[i];
        if (types[i] == NFS_OPEN_DELEGATE_READ)
            delegation->read.stateid.other = second;
        if (types[i] == NFS_OPEN_DELEGATE_WRITE) {
            delegation->write.stateid.other = second;
            delegation->write.space_limit.limitby = NFS_NFS_LIMIT_SIZE;
        }
        list = one(&result);
        is_given(list, 0, NAME_STATE, name, 12);
        ck_assert_uint_eq(list->count, i == 0 ? 1 : 2);
        if (i > 0)
            is_given(list, 1, NAME_DELEGATION, second, 12);
        free(list);
    }
}
END_TEST

/* Handles of fewer than 8 octets could stand for something else. */
START_TEST(short_handles_are_no_names)
{
    for (uint32_t size = 1; size < 16; size++) {
        struct nfs_resop4 result = {.resop = NFS_OP_GETFH};
        result.opgetfh.resok4.object = (nfs_fh4){.data = name, .length = size};
        struct names_given *list = one(&result);
        ck_assert_int_eq(list != NULL, size >= 8);
        if (list)
            is_given(list, 0, NAME_FILE, name, size);
        free(list);
    }
}
END_TEST

/* What failed has no name, and neither has what another procedure brings. */
START_TEST(failures_give_nothing)
{
    static const enum nfs_opnum4 operations[] = {
        NFS_OP_EXCHANGE_ID, NFS_OP_SETCLIENTID, NFS_OP_CREATE_SESSION, NFS_OP_GETFH,
        NFS_OP_GETATTR,     NFS_OP_READDIR,     NFS_OP_OPEN,           NFS_OP_LOCK};
    for (size_t i = 0; i < COUNT(operations); i++) {
        begin();
        rpcrdma_xdr_store32(octets + 8, 1);
        rpcrdma_xdr_store32(octets + 12, operations[i]);
        rpcrdma_xdr_store32(octets + 16, NFS_NFS4ERR_IO);
        length = 20;
        ck_assert_ptr_null(given());
    }
    struct nfs_resop4 result = {.resop = NFS_OP_GETFH};
    result.opgetfh.resok4.object = (nfs_fh4){.data = name, .length = 16};
    free(one(&result));
    const struct requester_reply reply = {.results = octets, .results_length = length};
    ck_assert_ptr_null(names_read(&reply, 2, NFS_COMPOUND));
    ck_assert_ptr_null(names_read(&reply, NFS_VERSION, 0));
    ck_assert_ptr_null(names_read(&reply, NFS_VERSION + 1, NFS_COMPOUND));
}
END_TEST

/* ---- names of today ---- */

/* A list of one or two names by hand: where they stand, of which kind, of this many same octets. */
struct row {
    unsigned result;
    enum name_kind kind;
    uint64_t entry;
    size_t length;
    char octet;
};

static struct names_given *list_of(const struct row *rows, unsigned count)
{
    struct names_given *list = calloc(1, sizeof *list + count * sizeof list->list[0]);
    list->count = count;
    for (unsigned i = 0; i < count; i++) {
        list->list[i] = (struct name_given){.result = rows[i].result,
                                            .kind = rows[i].kind,
                                            .entry = rows[i].entry,
                                            .length = rows[i].length};
        memset(list->list[i].octets, rows[i].octet, rows[i].length);
    }
    return list;
}

static void learn(struct replay_names *names, const struct row *old, unsigned old_count,
                  const struct row *fresh, unsigned fresh_count)
{
    struct names_given *was = list_of(old, old_count), *is = list_of(fresh, fresh_count);
    names_learn(names, was, is);
    free(was);
    free(is);
}

START_TEST(names_are_matched)
{
    static const struct {
        struct row old, fresh;
        bool matches;
    } pairs[] = {
        {{1, NAME_FILE, 0, 12, 'o'}, {1, NAME_FILE, 0, 12, 'f'}, true},
        {{1, NAME_FILE, 0, 12, 'o'}, {1, NAME_FILE, 0, 16, 'f'}, true},
        {{1, NAME_FILE, 0, 12, 'o'}, {2, NAME_FILE, 0, 12, 'f'}, false},
        {{1, NAME_FILE, 7, 12, 'o'}, {1, NAME_FILE, 7, 12, 'f'}, true},
        {{1, NAME_FILE, 7, 12, 'o'}, {1, NAME_FILE, 9, 12, 'f'}, false},
        {{1, NAME_SESSION, 0, 16, 'o'}, {1, NAME_FILE, 0, 16, 'f'}, false},
        {{1, NAME_SESSION, 0, 16, 'o'}, {1, NAME_SESSION, 0, 16, 'f'}, true},
        {{1, NAME_SESSION, 0, 16, 'o'}, {1, NAME_SESSION, 0, 12, 'f'}, false},
        {{1, NAME_DELEGATION, 0, 12, 'o'}, {1, NAME_DELEGATION, 0, 12, 'f'}, true},
        {{1, NAME_DELEGATION, 0, 12, 'o'}, {1, NAME_STATE, 0, 12, 'f'}, true},
        {{1, NAME_STATE, 0, 12, 'o'}, {1, NAME_DELEGATION, 0, 12, 'f'}, false},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct replay_names names = {.count = 0};
        learn(&names, &pairs[i].old, 1, &pairs[i].fresh, 1);
        ck_assert_msg(names.count == pairs[i].matches, "pair %zu", i);
        if (pairs[i].matches) {
            ck_assert_uint_eq(names.list[0].old_length, pairs[i].old.length);
            ck_assert_uint_eq(names.list[0].fresh_length, pairs[i].fresh.length);
            ck_assert_int_eq(names.list[0].old[7], 'o');
            ck_assert_int_eq(names.list[0].fresh[7], 'f');
        }
        names_free(&names);
        ck_assert_uint_eq(names.count, 0);
    }
    /* Nothing is learnt of one Reply alone. */
    struct replay_names names = {.count = 0};
    struct names_given *list = list_of(&pairs[0].old, 1);
    names_learn(&names, list, NULL);
    names_learn(&names, NULL, list);
    names_learn(&names, NULL, NULL);
    ck_assert_uint_eq(names.count, 0);
    free(list);
}
END_TEST

/* What was called so is called otherwise later; there is room for many. */
START_TEST(the_last_name_counts)
{
    struct replay_names names = {.count = 0};
    struct row old = {0, NAME_FILE, 0, 8, 'o'}, fresh = {0, NAME_FILE, 0, 8, 'a'};
    learn(&names, &old, 1, &fresh, 1);
    fresh.octet = 'b';
    fresh.length = 12;
    learn(&names, &old, 1, &fresh, 1);
    ck_assert_uint_eq(names.count, 1);
    ck_assert_uint_eq(names.list[0].fresh_length, 12);
    ck_assert_int_eq(names.list[0].fresh[11], 'b');
    for (int i = 0; i < 40; i++) { /* of other octets, and of another length */
        old.octet = (char)(' ' + i);
        old.length = 8 + (size_t)i;
        learn(&names, &old, 1, &fresh, 1);
        ck_assert_uint_eq(names.count, 2 + (size_t)i);
    }
    names_free(&names);
}
END_TEST

/* Of two names that begin alike the longer one; a name may be the last of a Call, with its padding
 * or without. */
START_TEST(the_longest_name_is_replaced)
{
    struct replay_names names = {.count = 0};
    const struct row old[] = {{0, NAME_FILE, 0, 8, 'o'}, {1, NAME_FILE, 0, 10, 'o'}},
                     fresh[] = {{0, NAME_FILE, 0, 8, 'x'}, {1, NAME_FILE, 0, 10, 'y'}};
    uint8_t call[24];
    learn(&names, old, 2, fresh, 2);
    memset(call, 0, sizeof call);
    memset(call + 4, 'o', 10);
    ck_assert_uint_eq(names_apply(&names, call, 16, 16, NULL), 16);
    ck_assert_mem_eq(call, "\0\0\0\0yyyyyyyyyy\0\0", 16);
    memset(call + 4, 'o', 10);
    ck_assert_uint_eq(names_apply(&names, call, 14, 24, NULL), 14); /* without it: the other */
    ck_assert_mem_eq(call, "\0\0\0\0xxxxxxxxoo", 14);
    memset(call, 0, sizeof call);
    memset(call, 'o', 8);
    memset(call + 12, 'o', 8);
    ck_assert_uint_eq(names_apply(&names, call, 24, 24, NULL), 24);
    ck_assert_mem_eq(call, "xxxxxxxx\0\0\0\0xxxxxxxx\0\0\0\0", 24);
    memset(call + 2, 'o', 8); /* not where a word begins */
    memset(call, 0, 2);
    ck_assert_uint_eq(names_apply(&names, call, 12, 24, NULL), 12);
    ck_assert_mem_eq(call + 2, "oooooooo", 8);
    ck_assert_uint_eq(names_apply(&names, call, 0, 24, NULL), 0);
    names_free(&names);
}
END_TEST

/* Another length: only after its count word, where there is room, and so often. */
START_TEST(lengths_change_where_they_can)
{
    struct replay_names names = {.count = 0};
    const struct row old = {0, NAME_FILE, 0, 8, 'o'}, fresh = {0, NAME_FILE, 0, 12, 'f'};
    struct names_shifts shifts = {.count = 0};
    uint8_t call[(NAMES_SHIFTS + 2) * 20];
    learn(&names, &old, 1, &fresh, 1);
    memset(call, 'o', 8); /* no word before it */
    ck_assert_uint_eq(names_apply(&names, call, 8, 64, &shifts), 8);
    rpcrdma_xdr_store32(call, 9); /* another length */
    memset(call + 4, 'o', 8);
    ck_assert_uint_eq(names_apply(&names, call, 12, 64, &shifts), 12);
    rpcrdma_xdr_store32(call, 8);
    ck_assert_uint_eq(names_apply(&names, call, 12, 15, &shifts), 12);
    ck_assert_mem_eq(call + 4, "oooooooo", 8);
    ck_assert_uint_eq(shifts.count, 0);
    ck_assert_uint_eq(names_apply(&names, call, 12, 16, &shifts), 16);
    ck_assert_uint_eq(rpcrdma_xdr_load32(call), 12);
    ck_assert_mem_eq(call + 4, "ffffffffffff", 12);
    shifts.count = 0;
    for (unsigned i = 0; i < NAMES_SHIFTS + 1; i++) {
        rpcrdma_xdr_store32(call + (size_t)12 * i, 8);
        memset(call + (size_t)12 * i + 4, 'o', 8);
    }
    size_t before = (size_t)12 * (NAMES_SHIFTS + 1);
    ck_assert_uint_eq(names_apply(&names, call, before, sizeof call, &shifts),
                      before + (size_t)4 * NAMES_SHIFTS);
    ck_assert_uint_eq(shifts.count, NAMES_SHIFTS);
    for (unsigned i = 0; i < NAMES_SHIFTS; i++) {
        ck_assert_uint_eq(shifts.list[i].at, (size_t)12 * i + 4);
        ck_assert_int_eq(shifts.list[i].by, 4);
    }
    ck_assert_mem_eq(call + (size_t)16 * NAMES_SHIFTS + 4, "oooooooo", 8); /* one too many */
    names_free(&names);
}
END_TEST

/* ---- memory ---- */

static struct rpcrdma1_segment segments[REQUESTER_SEGMENTS + 1];
static struct rpcrdma1_chunk_lists lists;
static struct rpcrdma1_header header;

/* The header of a Call with one Write chunk of these segments. */
static bool collect(struct regions *regions, uint32_t count)
{
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = count}};
    const struct rpcrdma1_header sent = {
        .rdma_xid = 1,
        .rdma_vers = 1,
        .rdma_credit = 1,
        .rdma_body = {.proc = RPCRDMA1_MSG, .rdma_msg.rdma_writes = {.items = &chunk, .count = 1}}};
    *regions = (struct regions){.count = 0};
    ck_assert_int_gt(rpcrdma1_header_encode(octets, sizeof octets, &sent, NULL), 0);
    ck_assert_int_gt(rpcrdma1_header_decode(&header, octets, sizeof octets, NULL, NULL), 0);
    lists = *rpcrdma1_chunks(&header);
    return regions_collect(regions, octets, &lists);
}

START_TEST(segments_of_a_handle_are_one_region)
{
    struct regions regions;
    uint8_t *place;
    segments[0] = (struct rpcrdma1_segment){7, 10, 100};
    segments[1] = (struct rpcrdma1_segment){8, 4, 0};
    segments[2] = (struct rpcrdma1_segment){7, 20, 120};
    segments[3] = (struct rpcrdma1_segment){7, 5, 90};
    ck_assert(collect(&regions, 4));
    ck_assert_uint_eq(regions.count, 2);
    ck_assert_uint_eq(regions.octets, 50 + 4);
    ck_assert_uint_eq(regions.list[0].offset, 90);
    ck_assert_uint_eq(regions.list[0].length, 50);
    ck_assert_uint_eq(regions.list[0].access, LINK_PEER_WRITES);
    static const struct {
        uint32_t handle;
        uint64_t offset;
        size_t length;
        bool there;
    } places[] = {{7, 90, 50, true},  {7, 89, 1, false},        {7, 90, 51, false},
                  {7, 139, 1, true},  {7, 140, 0, true},        {7, 140, 1, false},
                  {7, 141, 0, false}, {8, 0, 4, true},          {9, 90, 1, false},
                  {8, 5, 0, false},   {7, UINT64_MAX, 2, false}};
    for (size_t i = 0; i < COUNT(places); i++) {
        struct region *region =
            regions_find(&regions, places[i].handle, places[i].offset, places[i].length, &place);
        ck_assert_msg((region != NULL) == places[i].there, "place %zu", i);
        if (region)
            ck_assert_ptr_eq(place, region->octets + (places[i].offset - region->offset));
    }
    regions_fill(&regions, 7, 91, name, 3);
    regions_fill(&regions, 7, 139, name, 2); /* too much */
    regions_fill(&regions, 7, 92, name, 0);
    ck_assert_uint_eq(regions.list[0].filled, 3);
    ck_assert_mem_eq(regions.list[0].octets, "\0abc\0", 5);
    ck_assert_uint_eq(regions.list[0].octets[49], 0);
    regions_free(&regions, NULL);
}
END_TEST

START_TEST(there_is_room_for_so_much_memory)
{
    static const struct {
        struct rpcrdma1_segment segments[2];
        bool fits;
    } rows[] = {
        {{{1, REGIONS_OCTETS_MAX, 0}, {1, 1, 5}}, true},
        {{{1, REGIONS_OCTETS_MAX + 1, 0}, {1, 1, 5}}, false},
        {{{1, 1, 0}, {1, 1, REGIONS_OCTETS_MAX - 1}}, true},
        {{{1, 1, 0}, {1, 1, REGIONS_OCTETS_MAX}}, false},
        {{{1, REGIONS_OCTETS_MAX, 0}, {2, 1, 0}}, false},
        {{{1, REGIONS_OCTETS_MAX - 1, 0}, {2, 1, 0}}, true},
        {{{1, 1, UINT64_MAX - 1}, {2, 1, 0}}, true},
        {{{1, 2, UINT64_MAX - 1}, {2, 1, 0}}, false},
    };
    struct regions regions;
    for (size_t i = 0; i < COUNT(rows); i++) {
        memcpy(segments, rows[i].segments, sizeof rows[i].segments);
        ck_assert_msg(collect(&regions, 2) == rows[i].fits, "row %zu", i);
        regions_free(&regions, NULL);
    }
    for (uint32_t i = 0; i <= REQUESTER_SEGMENTS; i++)
        segments[i] = (struct rpcrdma1_segment){i, 1, 0};
    ck_assert(collect(&regions, REQUESTER_SEGMENTS));
    regions_free(&regions, NULL);
    ck_assert(!collect(&regions, REQUESTER_SEGMENTS + 1));
    regions_free(&regions, NULL);
}
END_TEST

/* By the handle and offset of today. */
START_TEST(memory_of_today_is_fetched)
{
    static const struct {
        uint32_t handle;
        uint64_t offset;
        size_t length;
        bool there;
    } places[] = {{70, 1000, 10, true}, {70, 1009, 1, true}, {70, 1010, 0, true},
                  {70, 1010, 1, false}, {70, 999, 1, false}, {70, 1000, 11, false},
                  {71, 1000, 1, false}, {70, 1011, 0, false}};
    struct regions regions;
    uint8_t fetched[16];
    segments[0] = (struct rpcrdma1_segment){7, 10, 100};
    ck_assert(collect(&regions, 1));
    memcpy(regions.list[0].octets, name, 10);
    regions.list[0].piece = (struct link_memory){.handle = 70, .offset = 1000};
    for (size_t i = 0; i < COUNT(places); i++) {
        bool there =
            regions_fetch(&regions, places[i].handle, places[i].offset, fetched, places[i].length);
        ck_assert_msg(there == places[i].there, "place %zu", i);
        if (there)
            ck_assert_mem_eq(fetched, name + (places[i].offset - 1000), places[i].length);
    }
    regions_free(&regions, NULL);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("replay: names and memory");
    tcase_add_test(tests, clients_and_sessions_have_names);
    tcase_add_test(tests, states_have_names);
    tcase_add_test(tests, short_handles_are_no_names);
    tcase_add_test(tests, failures_give_nothing);
    tcase_add_test(tests, names_are_matched);
    tcase_add_test(tests, the_last_name_counts);
    tcase_add_test(tests, the_longest_name_is_replaced);
    tcase_add_test(tests, lengths_change_where_they_can);
    tcase_add_test(tests, segments_of_a_handle_are_one_region);
    tcase_add_test(tests, there_is_room_for_so_much_memory);
    tcase_add_test(tests, memory_of_today_is_fetched);
    return run_tests("replay: names and memory", tests);
}
