// SPDX-License-Identifier: BSD-3-Clause
/* What the reference Responder answers to a Call that is whole: the Reply word by word, as RFC 5531
 * section 9 and spec/testprog.x have it. */
#include "rxe-harness/responder/nfs4.h"
#include "rxe-harness/tests/support/work_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void call(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(responder.call + 4 * i, words[i]);
    work.call_length = 4 * count;
    work.item_count = 0;
}
#define CALL(...)                                                                                  \
    call((const uint32_t[]){__VA_ARGS__},                                                          \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* An RPC Call's header without credentials. */
#define RPC(program, version, procedure) WORK_XID, 0, 2, program, version, procedure, 0, 0, 0, 0
#define TEST(procedure) RPC(TEST_PROGRAM, TEST_VERSION, procedure)

static void is_answered(const uint32_t *words, size_t count)
{
    ck_assert(responder_execute(&work));
    ck_assert_uint_eq(work.reply_length, 4 * count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rpcrdma_xdr_load32(responder.reply + 4 * i) == words[i],
                      "word %zu: 0x%x, not 0x%x", i, rpcrdma_xdr_load32(responder.reply + 4 * i),
                      words[i]);
}
#define IS_ANSWERED(...)                                                                           \
    is_answered((const uint32_t[]){__VA_ARGS__},                                                   \
                sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* An accepted Reply's header, with this accept_stat. */
#define REPLY(status) WORK_XID, 1, 0, 0, 0, status
enum { SUCCESS = 0, PROG_UNAVAIL = 1, PROG_MISMATCH = 2, PROC_UNAVAIL = 3, GARBAGE_ARGS = 4 };

START_TEST(programs_are_told_apart)
{
    static const struct {
        uint32_t program, version, procedure, status;
    } calls[] = {
        {TEST_PROGRAM, TEST_VERSION, 0, SUCCESS},
        {TEST_PROGRAM, 2, 0, SUCCESS},
        {77, 1, 0, SUCCESS},
        {77, 1, 1, PROG_UNAVAIL},
        {TEST_PROGRAM + 1, TEST_VERSION, 1, PROG_UNAVAIL},
        {TEST_PROGRAM - 1, TEST_VERSION, 1, PROG_UNAVAIL},
        {TEST_PROGRAM, TEST_VERSION, 5, PROC_UNAVAIL},
        {TEST_PROGRAM, TEST_VERSION, UINT32_MAX, PROC_UNAVAIL},
        {NFS3_PROGRAM, 3, 0, SUCCESS},
        {NFS3_PROGRAM, 3, 2, PROC_UNAVAIL},
        {NFS3_PROGRAM, 2, 1, PROG_UNAVAIL},
        {NFS3_PROGRAM, 4, 1, PROG_UNAVAIL}, /* no NFSv4.1 is there */
        {NFS3_PROGRAM + 1, 3, 1, PROG_UNAVAIL},
        {NFS3_PROGRAM - 1, 3, 1, PROG_UNAVAIL},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        CALL(RPC(calls[i].program, calls[i].version, calls[i].procedure));
        IS_ANSWERED(REPLY(calls[i].status));
        ck_assert_uint_eq(work.item_count, 0);
    }
    /* With the lowest and the highest version that there is (RFC 5531 section 9). */
    for (uint32_t version = 0; version < 4; version++) {
        CALL(RPC(TEST_PROGRAM, version, 9));
        if (version != TEST_VERSION)
            IS_ANSWERED(REPLY(PROG_MISMATCH), TEST_VERSION, TEST_VERSION);
        CALL(RPC(TEST_PROGRAM, version, TEST_STORE), 0);
        if (version == TEST_VERSION)
            IS_ANSWERED(REPLY(SUCCESS), 0, 0);
        else
            IS_ANSWERED(REPLY(PROG_MISMATCH), TEST_VERSION, TEST_VERSION);
    }
}
END_TEST

START_TEST(what_is_no_call_is_not_answered)
{
    CALL(WORK_XID, 0, 2, 77, 1, 0, 0, 0, 0); /* cut off */
    ck_assert(!responder_execute(&work));
    CALL(REPLY(0));
    ck_assert(!responder_execute(&work));
    CALL(WORK_XID, 0, 3, 77, 1, 0, 0, 0, 0, 0);
    ck_assert(!responder_execute(&work));
    CALL(WORK_XID, 0, 1, 77, 1, 0, 0, 0, 0, 0);
    ck_assert(!responder_execute(&work));
    CALL(WORK_XID + 1, 0, 2, 77, 1, 0, 0, 0, 0, 0);
    ck_assert(!responder_execute(&work));
    CALL(WORK_XID - 1, 0, 2, 77, 1, 0, 0, 0, 0, 0);
    ck_assert(!responder_execute(&work));
    work.call_length = 0;
    ck_assert(!responder_execute(&work));
}
END_TEST

/* With credentials the arguments come later. */
START_TEST(credentials_are_passed_over)
{
    CALL(WORK_XID, 0, 2, TEST_PROGRAM, TEST_VERSION, TEST_STORE, 1, 8, 7, 7, 0, 0, 1, 0xff000000);
    IS_ANSWERED(REPLY(SUCCESS), 1, 255);
}
END_TEST

/* ---- the test program: spec/testprog.x ---- */

START_TEST(data_are_stored)
{
    CALL(TEST(TEST_STORE), 0);
    IS_ANSWERED(REPLY(SUCCESS), 0, 0);
    CALL(TEST(TEST_STORE), 5, 0x01020304, 0xff000000);
    IS_ANSWERED(REPLY(SUCCESS), 5, 1 + 2 + 3 + 4 + 255);
    CALL(TEST(TEST_STORE), 4, 0xffffffff);
    IS_ANSWERED(REPLY(SUCCESS), 4, 4 * 255);
    ck_assert_uint_eq(work.item_count, 0);
    CALL(TEST(TEST_GATHER), 0);
    IS_ANSWERED(REPLY(SUCCESS), 0, 0);
    CALL(TEST(TEST_GATHER), 3, 1, 0x10000000, 0, 4, 0x20202020);
    IS_ANSWERED(REPLY(SUCCESS), 5, 0x90);
    ck_assert_uint_eq(work.item_count, 0);
}
END_TEST

/* Too few, too many, padding that is missing. */
START_TEST(arguments_have_to_be_whole)
{
    static const uint32_t wrong[][14] = {
        {TEST(TEST_STORE), 5, 1}, {TEST(TEST_STORE), 4, 1, 2}, {TEST(TEST_FETCH), 1, 2},
        {TEST(TEST_GATHER), 1},   {TEST(TEST_GATHER), 1, 4},   {TEST(TEST_GATHER), 0, 0},
        {TEST(TEST_ECHO), 1},     {TEST(TEST_ECHO), 0, 0},     {TEST(TEST_STORE), UINT32_MAX},
    };
    static const size_t counts[] = {12, 13, 12, 11, 12, 12, 11, 12, 11};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        call(wrong[i], counts[i]);
        IS_ANSWERED(REPLY(GARBAGE_ARGS));
        ck_assert_uint_eq(work.item_count, 0);
    }
    for (uint32_t procedure = TEST_STORE; procedure <= TEST_GATHER; procedure++) {
        CALL(TEST(procedure));
        IS_ANSWERED(REPLY(GARBAGE_ARGS));
    }
}
END_TEST

/* The octets, zeros after them, and where they are. */
static void holds_item(size_t length, bool is_echo)
{
    size_t padded = (length + 3) & ~(size_t)3;
    ck_assert(responder_execute(&work));
    ck_assert_uint_eq(work.item_count, 1);
    ck_assert_uint_eq(rpcrdma_xdr_load32(responder.reply + 20), SUCCESS);
    ck_assert_uint_eq(rpcrdma_xdr_load32(responder.reply + 24), length);
    ck_assert_uint_eq(work.items[0].at, 28);
    ck_assert_uint_eq(work.items[0].length, length);
    ck_assert_uint_eq(work.reply_length, 28 + padded);
    size_t same = 0;
    while (same < padded && responder.reply[28 + same] == (same >= length ? 0
                                                           : is_echo      ? 0x55
                                                                          : same % 251))
        same++;
    ck_assert_uint_eq(same, padded);
}

START_TEST(data_are_fetched_and_echoed)
{
    static const uint32_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 251, 252, 1000};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        memset(responder.reply, 0xee, 4096);
        CALL(TEST(TEST_FETCH), lengths[i]);
        holds_item(lengths[i], false);
        memset(responder.reply, 0xee, 4096);
        CALL(TEST(TEST_ECHO), lengths[i]);
        memset(responder.call + 44, 0, 1004);
        memset(responder.call + 44, 0x55, lengths[i]);
        work.call_length = 44 + ((lengths[i] + 3) & ~3u);
        holds_item(lengths[i], true);
    }
}
END_TEST

/* A Reply that is as long as the longest message, with 64 octets beside the data. */
START_TEST(no_reply_is_longer_than_the_most)
{
    CALL(TEST(TEST_FETCH), RESPONDER_MESSAGE_MAX - 64);
    holds_item(RESPONDER_MESSAGE_MAX - 64, false);
    CALL(TEST(TEST_FETCH), RESPONDER_MESSAGE_MAX - 63);
    IS_ANSWERED(REPLY(GARBAGE_ARGS));
    CALL(TEST(TEST_FETCH), UINT32_MAX);
    IS_ANSWERED(REPLY(GARBAGE_ARGS));
}
END_TEST

/* ---- NFS ---- */

START_TEST(nfs3_is_executed)
{
    static const uint32_t written[] = {0x77726974, 0x74656e00}; /* the handle */
    CALL(RPC(NFS3_PROGRAM, 3, 1), 1);                           /* GETATTR, cut off */
    IS_ANSWERED(REPLY(SUCCESS), 10001);
    CALL(RPC(NFS3_PROGRAM, 3, 7), 8, written[0], written[1], 0, 0, 6, 2, 6, 0x68656c6c, 0x6f210000);
    ck_assert(responder_execute(&work));
    ck_assert_uint_eq(work.reply_length, 24 + 4 * (1 + 1 + 1 + 21 + 4));
    ck_assert_uint_eq(rpcrdma_xdr_load32(responder.reply + 24), 0);
    ck_assert_uint_eq(work.item_count, 0);
    memset(responder.reply, 0xee, 4096);
    CALL(RPC(NFS3_PROGRAM, 3, 6), 8, written[0], written[1], 0, 1, 100);
    ck_assert(responder_execute(&work));
    ck_assert_uint_eq(work.item_count, 1);
    const uint8_t *results = responder.reply + 24 + 4 * (1 + 1 + 21);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results), 5);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results + 4), 1); /* the end */
    ck_assert_uint_eq(rpcrdma_xdr_load32(results + 8), 5);
    ck_assert_mem_eq(results + 12, "ello!\0\0\0", 8);
    ck_assert_uint_eq(work.items[0].at, (size_t)(results + 12 - responder.reply));
    ck_assert_uint_eq(work.items[0].length, 5);
    ck_assert_uint_eq(work.reply_length, work.items[0].at + 8);
    CALL(RPC(NFS3_PROGRAM, 3, 6), 4, 1, 0, 0, 9); /* of the one file: TEST_OCTET */
    ck_assert(responder_execute(&work));
    ck_assert_mem_eq(results + 12, "\0\1\2\3\4\5\6\7\10\0\0\0", 12);
}
END_TEST

START_TEST(nfs4_is_executed)
{
    responder.nfs4 = nfs4_new(false);
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, 0));
    IS_ANSWERED(REPLY(SUCCESS));
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, 2));
    IS_ANSWERED(REPLY(PROC_UNAVAIL));
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, NFS4_COMPOUND), 0);
    IS_ANSWERED(REPLY(GARBAGE_ARGS));
    CALL(RPC(NFS4_PROGRAM, 5, NFS4_COMPOUND), 0, 1, 0);
    IS_ANSWERED(REPLY(PROG_UNAVAIL));
    CALL(RPC(NFS4_PROGRAM - 1, NFS4_VERSION, NFS4_COMPOUND), 0, 1, 0);
    IS_ANSWERED(REPLY(PROG_UNAVAIL));
    /* No operation: no status but that of all, the tag, and no result. */
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, NFS4_COMPOUND), 5, 0x61626364, 0x65000000, 1, 0);
    IS_ANSWERED(REPLY(SUCCESS), 0, 5, 0x61626364, 0x65000000, 0);
    ck_assert_uint_eq(work.item_count, 0);
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, NFS4_COMPOUND), 0, 0, 0);
    IS_ANSWERED(REPLY(SUCCESS), 10021, 0, 0); /* MINOR_VERS_MISMATCH */
    /* PUTROOTFH without SEQUENCE: OP_NOT_IN_SESSION. */
    CALL(RPC(NFS4_PROGRAM, NFS4_VERSION, NFS4_COMPOUND), 0, 1, 1, 24);
    IS_ANSWERED(REPLY(SUCCESS), 10071, 0, 1, 24, 10071);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("execute");
    tcase_add_checked_fixture(tests, work_stage_setup, work_stage_teardown);
    tcase_add_test(tests, programs_are_told_apart);
    tcase_add_test(tests, what_is_no_call_is_not_answered);
    tcase_add_test(tests, credentials_are_passed_over);
    tcase_add_test(tests, data_are_stored);
    tcase_add_test(tests, arguments_have_to_be_whole);
    tcase_add_test(tests, data_are_fetched_and_echoed);
    tcase_add_test(tests, no_reply_is_longer_than_the_most);
    tcase_add_test(tests, nfs3_is_executed);
    tcase_add_test(tests, nfs4_is_executed);
    return run_tests("execute", tests);
}
