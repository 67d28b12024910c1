// SPDX-License-Identifier: BSD-3-Clause
/* What the Requester reads in the results of a COMPOUND, with items inline and in Write chunks. */
#include "rxe-harness/requester/nfs4_calls.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 16 /* octets of room of each Write chunk */

static uint8_t octets[8192], items[REQUESTER_CHUNKS * CHUNK];
static size_t length;
static struct requester_reply reply;
static struct nfs_results results;
static const struct requester_pending pending = {.item = items, .item_room = CHUNK};

static void begin(uint32_t status, uint32_t tag, uint32_t count)
{
    memset(octets, 0, sizeof octets);
    rpcrdma_xdr_store32(octets, status);
    rpcrdma_xdr_store32(octets + 4, tag);
    length = 8 + ((tag + 3) & ~3u);
    rpcrdma_xdr_store32(octets + length, count);
    length += 4;
    reply = (struct requester_reply){.results = octets};
}

static void add(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++, length += 4)
        rpcrdma_xdr_store32(octets + length, words[i]);
}
#define ADD(...)                                                                                   \
    add((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define ROOT NFS_OP_PUTROOTFH, 0
/* READ: status, the end, the count word; its data may follow. */
#define READ(eof, count) NFS_OP_READ, 0, eof, count

static bool read_results(void)
{
    /* Octets that end where they end. */
    uint8_t *copy = malloc(length + 1);
    memcpy(copy, octets, length);
    reply.results = copy;
    reply.results_length = length;
    bool good = nfs_read_results(&pending, &reply, &results);
    /* What is pointed at is compared with what is in `octets`. */
    for (unsigned i = 0; i < results.item_count; i++)
        if (!results.items[i].in_chunk && results.items[i].length > 0)
            results.items[i].octets = octets + (results.items[i].octets - copy);
    free(copy);
    return good;
}

static void is_wrong(const char *why)
{
    ck_assert(!read_results());
    ck_assert_str_eq(results.wrong, why);
}

START_TEST(results_have_a_beginning)
{
    char text[64];
    begin(7, 0, 0);
    for (length = 0; length < 12; length++) {
        snprintf(text, sizeof text, "%zu octets that are no COMPOUND's results", length);
        is_wrong(text);
        ck_assert_uint_eq(results.status, length < 4 ? 0 : 7);
    }
    ck_assert(read_results());
    ck_assert_uint_eq(results.status, 7);
    ck_assert_uint_eq(results.count, 0);
    ck_assert_str_eq(results.wrong, "");
    for (uint32_t tag = 1; tag < 9; tag++) {
        begin(0, tag, 2);
        ADD(ROOT, ROOT);
        ck_assert(read_results());
        ck_assert_uint_eq(results.count, 2);
    }
    begin(0, 0, 0);
    rpcrdma_xdr_store32(octets + 4, 1); /* its octets are missing */
    is_wrong("12 octets that are no COMPOUND's results");
    rpcrdma_xdr_store32(octets + 4, UINT32_MAX);
    is_wrong("12 octets that are no COMPOUND's results");
}
END_TEST

START_TEST(there_are_so_many_results)
{
    begin(0, 0, NFS_OPERATIONS);
    for (int i = 0; i < NFS_OPERATIONS; i++)
        ADD(ROOT);
    ck_assert(read_results());
    ck_assert_uint_eq(results.count, NFS_OPERATIONS);
    ADD(ROOT);
    is_wrong("8 octets after the results");
    rpcrdma_xdr_store32(octets + 8, NFS_OPERATIONS + 1);
    is_wrong("340 octets that are no COMPOUND's results");
    begin(0, 0, 2);
    ADD(ROOT, NFS_OP_PUTROOTFH);
    ck_assert(!read_results());
    ck_assert_ptr_nonnull(strstr(results.wrong, "result 2, "));
    ck_assert_uint_eq(results.count, 1);
}
END_TEST

START_TEST(data_are_inline_or_in_chunks)
{
    begin(0, 0, 5);
    ADD(ROOT, READ(1, 5), 0x61626364, 0x65000000, NFS_OP_READ, NFS_NFS4ERR_IO, READ(0, 0),
        NFS_OP_READLINK, 0, 3, 0x78797a00);
    ck_assert(read_results());
    ck_assert_uint_eq(results.item_count, 3);
    ck_assert_uint_eq(results.items[0].length, 5);
    ck_assert_mem_eq(results.items[0].octets, "abcde", 5);
    ck_assert(results.items[0].eof && !results.items[0].in_chunk);
    ck_assert_uint_eq(results.items[1].length, 0);
    ck_assert(!results.items[1].eof && !results.items[1].in_chunk);
    ck_assert_mem_eq(results.items[2].octets, "xyz", 3);
    ck_assert(results.items[2].eof); /* a link is whole */
    /* The first and the third of those in chunks; a READ that failed has none. */
    begin(0, 0, 5);
    ADD(ROOT, READ(1, 5), NFS_OP_READ, NFS_NFS4ERR_IO, READ(0, 4), 0x61626364, NFS_OP_READLINK, 0,
        3);
    reply.chunks = 3;
    reply.chunk_lengths[0] = 5;
    reply.chunk_lengths[2] = 3;
    ck_assert(read_results());
    ck_assert_uint_eq(results.item_count, 3);
    ck_assert(results.items[0].in_chunk && !results.items[1].in_chunk);
    ck_assert_ptr_eq(results.items[0].octets, items);
    ck_assert_mem_eq(results.items[1].octets, "abcd", 4);
    ck_assert_ptr_eq(results.items[2].octets, items + (size_t)2 * CHUNK);
    ck_assert_uint_eq(results.items[2].length, 3);
}
END_TEST

/* The count word says what is in the chunk, and that is what was offered. */
START_TEST(chunks_hold_what_is_counted)
{
    static const struct {
        uint32_t count;
        size_t came;
        bool good;
    } rows[] = {{CHUNK, CHUNK, true},
                {5, 4, false},
                {4, 5, false},
                {CHUNK + 1, CHUNK + 1, false},
                {1, 1, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[96];
        begin(0, 0, 1);
        ADD(READ(0, rows[i].count));
        reply.chunks = 1;
        reply.chunk_lengths[0] = rows[i].came;
        snprintf(text, sizeof text, "a count word of %u where %zu octets are in the Write chunk",
                 rows[i].count, rows[i].came);
        if (rows[i].good)
            ck_assert(read_results());
        else
            is_wrong(text);
    }
    /* A chunk that is not there, or that nobody could offer, is not looked for. */
    begin(0, 0, 1);
    ADD(READ(0, 4), 0x61626364);
    reply.chunk_lengths[0] = 4;
    ck_assert(read_results());
    ck_assert(!results.items[0].in_chunk);
}
END_TEST

START_TEST(there_is_room_for_so_many_items)
{
    begin(0, 0, REQUESTER_CHUNKS + 1);
    reply.chunks = REQUESTER_CHUNKS + 1;
    for (uint32_t i = 0; i < REQUESTER_CHUNKS; i++) {
        reply.chunk_lengths[i] = i + 1;
        ADD(READ(0, i + 1));
    }
    ADD(ROOT);
    ck_assert(read_results());
    ck_assert_uint_eq(results.item_count, REQUESTER_CHUNKS);
    for (uint32_t i = 0; i < REQUESTER_CHUNKS; i++)
        ck_assert_ptr_eq(results.items[i].octets, items + (size_t)i * CHUNK);
    length -= 8;
    ADD(READ(0, 0));
    is_wrong("too many results of READ");
}
END_TEST

/* ---- what else is kept ---- */

static void add_result(const struct nfs_resop4 *result)
{
    ptrdiff_t size = nfs_resop4_encode(octets + length, sizeof octets - length, result, NULL);
    ck_assert_int_gt(size, 0);
    length += (size_t)size;
}

START_TEST(counts_and_sessions_are_kept)
{
    static const uint8_t id[16] = "0123456789abcde", verifier[8];
    struct nfs_entry4_entry entries[3] = {{.cookie = 1}, {.cookie = 2}, {.cookie = 3}};
    struct nfs_resop4 all[] = {{.resop = NFS_OP_EXCHANGE_ID},
                               {.resop = NFS_OP_CREATE_SESSION},
                               {.resop = NFS_OP_SEQUENCE},
                               {.resop = NFS_OP_WRITE},
                               {.resop = NFS_OP_READDIR}};
    all[0].opexchange_id.eir_resok4.eir_clientid = 0x100000002;
    all[0].opexchange_id.eir_resok4.eir_sequenceid = 9;
    all[1].opcreate_session.csr_resok4.csr_sessionid = id;
    all[1].opcreate_session.csr_resok4.csr_flags = 3;
    all[2].opsequence.sr_resok4.sr_sessionid = id;
    all[2].opsequence.sr_resok4.sr_status_flags = 77;
    all[3].opwrite.resok4.count = 5;
    all[3].opwrite.resok4.writeverf = verifier;
    all[4].opreaddir.resok4.cookieverf = verifier;
    all[4].opreaddir.resok4.reply.entries = (struct nfs_entry4){.items = entries, .count = 3};
    begin(0, 0, COUNT(all));
    for (size_t i = 0; i < COUNT(all); i++)
        add_result(&all[i]);
    ck_assert_msg(read_results(), "%s", results.wrong);
    ck_assert_uint_eq(results.count, COUNT(all));
    ck_assert_uint_eq(results.session.client, 0x100000002);
    ck_assert_uint_eq(results.session.client_sequence, 9);
    ck_assert_mem_eq(results.session.id, id, 16);
    ck_assert_uint_eq(results.session.flags, 3);
    ck_assert_uint_eq(results.session_status, 77);
    ck_assert_uint_eq(results.written, 5);
    ck_assert_uint_eq(results.entries, 3);
    /* Of what failed nothing is kept. */
    for (size_t i = 0; i < COUNT(all); i++) {
        begin(NFS_NFS4ERR_IO, 0, 1);
        ADD(all[i].resop, NFS_NFS4ERR_IO);
        ck_assert(read_results());
        ck_assert_uint_eq(results.status, NFS_NFS4ERR_IO);
        ck_assert_uint_eq(results.count, 1);
        ck_assert_uint_eq(results.session.client + results.session.client_sequence +
                              results.session.flags + results.session.id[0] +
                              results.session_status + results.written + results.entries,
                          0);
    }
}
END_TEST

/* The state, and that of a delegation if there is one, of either type. */
START_TEST(what_is_opened_is_kept)
{
    static const uint8_t state[12] = "hello world", delegation[12] = "delegations",
                         nothing[12] = {0};
    static const uint32_t types[] = {NFS_OPEN_DELEGATE_NONE, NFS_OPEN_DELEGATE_READ,
                                     NFS_OPEN_DELEGATE_WRITE};
    struct nfs_resop4 open = {.resop = NFS_OP_OPEN};
    struct nfs_open_delegation4 *given = &open.opopen.resok4.delegation;
    open.opopen.resok4.stateid.other = state;
    given->delegation_type = types[_i];
    if (types[_i] == NFS_OPEN_DELEGATE_READ)
        given->read.stateid.other = delegation;
    if (types[_i] == NFS_OPEN_DELEGATE_WRITE) {
        given->write.stateid.other = delegation;
        given->write.space_limit.limitby = NFS_NFS_LIMIT_SIZE;
    }
    begin(0, 0, 1);
    add_result(&open);
    ck_assert_msg(read_results(), "%s", results.wrong);
    ck_assert(results.is_opened);
    ck_assert_mem_eq(results.opened, state, 12);
    ck_assert_int_eq(results.has_delegation, _i > 0);
    ck_assert_mem_eq(results.delegation, _i > 0 ? delegation : nothing, 12);
    begin(NFS_NFS4ERR_IO, 0, 1);
    ADD(NFS_OP_OPEN, NFS_NFS4ERR_IO);
    ck_assert(read_results());
    ck_assert(!results.is_opened && !results.has_delegation);
}
END_TEST

/* AUTH_NONE is 0, AUTH_SYS 1, RPCSEC_GSS 6; others are beside it. */
START_TEST(gss_is_one_of_the_flavors)
{
    static const struct {
        uint32_t flavors[3], count;
        bool gss;
    } rows[] = {{{1}, 1, false},   {{6}, 1, true},        {{1, 6}, 2, true},
                {{6, 1}, 2, true}, {{0, 1, 7}, 3, false}, {{0}, 0, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        begin(0, 0, 1);
        ADD(NFS_OP_SECINFO_NO_NAME, 0, rows[i].count);
        for (uint32_t j = 0; j < rows[i].count; j++) {
            ADD(rows[i].flavors[j]);
            if (rows[i].flavors[j] == 6)
                ADD(4, 0x2b060105, 0, 1); /* mechanism, quality, service */
        }
        ck_assert_msg(read_results(), "%s", results.wrong);
        ck_assert_int_eq(results.has_gss, rows[i].gss);
    }
    begin(NFS_NFS4ERR_IO, 0, 1);
    ADD(NFS_OP_SECINFO_NO_NAME, NFS_NFS4ERR_IO);
    ck_assert(read_results());
    ck_assert(!results.has_gss);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("results of NFS version 4");
    tcase_add_test(tests, results_have_a_beginning);
    tcase_add_test(tests, there_are_so_many_results);
    tcase_add_test(tests, data_are_inline_or_in_chunks);
    tcase_add_test(tests, chunks_hold_what_is_counted);
    tcase_add_test(tests, there_is_room_for_so_many_items);
    tcase_add_test(tests, counts_and_sessions_are_kept);
    tcase_add_loop_test(tests, what_is_opened_is_kept, 0, 3);
    tcase_add_test(tests, gss_is_one_of_the_flavors);
    return run_tests("results of NFS version 4", tests);
}
