// SPDX-License-Identifier: BSD-3-Clause
/* Calls in the reverse direction: when they are due, word by word as RFC 8166, RFC 5531 and RFC
 * 8881 section 20 have them, and what is made of the answers. */
#include "rxe-harness/serve/reverse.h"
#include "rxe-harness/tests/support/nfs4_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 0x0cb00001u
#define PROGRAM 0x40000000 /* that the stage's client has for them */

static struct reverse reverse;
static uint8_t octets[REVERSE_OCTETS];
static size_t length;
static char text[256];

static void begin_case(enum serve_reverse kind, bool delegates)
{
    reverse = (struct reverse){.kind = kind};
    begin(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    if (!delegates)
        return;
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, "file");
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
}

/* The client shows that it knows of its delegation. */
static void use_delegation(void)
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_read(&compound, 0, 1);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
}

static bool next(enum reverse_moment moment, uint32_t xid)
{
    length = reverse_next(&reverse, nfs4, moment, xid, octets);
    return length > 0;
}

static void is_sent(const uint32_t *words, size_t count)
{
    ck_assert_uint_ge(length, 4 * count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rpcrdma_xdr_load32(octets + 4 * i) == words[i], "word %zu", i);
}
#define IS_SENT(...)                                                                               \
    is_sent((const uint32_t[]){__VA_ARGS__},                                                       \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define NULL_CALL(xid) xid, 0, 2, PROGRAM, 1, 0, 0, 0, 0, 0

static bool takes(const uint32_t *words, size_t count)
{
    uint8_t came[256];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(came + 4 * i, words[i]);
    return reverse_take(&reverse, nfs4, came, 4 * count);
}
#define TAKES(...)                                                                                 \
    takes((const uint32_t[]){__VA_ARGS__},                                                         \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define ANSWER(xid, grant) xid, 1, grant, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0

static enum ending ending(bool gone, bool starved)
{
    return reverse_ending(&reverse, nfs4, gone, starved, text);
}

/* ---- Calls ---- */

/* After the second Reply over the back channel's session; then no more. */
START_TEST(a_null_is_due_after_two_replies)
{
    begin_case(SERVE_REVERSE_NULL, false);
    ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    ck_assert(!next(REVERSE_BEFORE_REPLY, 7));
    ck_assert(!next(REVERSE_AFTER_ANSWER, 7));
    ck_assert(next(REVERSE_AFTER_REPLY, 7));
    ck_assert_uint_eq(length, 4 * 17);
    IS_SENT(FIRST, 1, 16, 0, 0, 0, 0, NULL_CALL(FIRST));
    ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    ck_assert_uint_eq(reverse.made, 1);
    ck_assert(TAKES(ANSWER(FIRST, 5)));
    ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    ck_assert_int_eq(ending(false, false), ENDING_REQUIRED);
    ck_assert_str_eq(text, "1 Calls in the reverse direction are answered");
}
END_TEST

START_TEST(nothing_is_due_without_a_back_channel)
{
    begin_case(SERVE_REVERSE_NULL, false);
    nfs4_connect(nfs4);
    for (int i = 0; i < 4; i++)
        ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    ck_assert_uint_eq(reverse.replies, 0);
    begin_case(SERVE_NO_REVERSE, false);
    session.client_sequence++;
    begin_session(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    for (int i = 0; i < 4; i++)
        ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    ck_assert_uint_eq(reverse.replies, 4);
}
END_TEST

/* Before the Reply to the client's own Call of that XID. */
START_TEST(a_null_has_the_xid_of_a_call)
{
    begin_case(SERVE_REVERSE_SAME_XID, false);
    for (int i = 0; i < 2; i++) {
        ck_assert(!next(REVERSE_BEFORE_REPLY, 7));
        ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    }
    ck_assert(!next(REVERSE_AFTER_REPLY, 8));
    ck_assert(next(REVERSE_BEFORE_REPLY, 9));
    IS_SENT(9, 1, 16, 0, 0, 0, 0, NULL_CALL(9));
    /* The client's own Calls are not its answers. */
    ck_assert(!TAKES(9, 1, 8, 0, 0, 0, 0, NULL_CALL(9)));
    ck_assert(!TAKES(9, 1, 8, 1, 1, 0, 77, 40, 0, 0, 0, 0, 0)); /* a Long Call */
    ck_assert(TAKES(ANSWER(9, 1)));
}
END_TEST

START_TEST(as_many_are_due_as_are_granted)
{
    static const struct {
        uint32_t grant;
        unsigned calls;
    } rows[] = {{0, 0}, {1, 1}, {5, 5}, {16, 16}, {17, 16}, {UINT32_MAX, 16}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        nfs4_stage_teardown();
        nfs4_stage_setup();
        begin_case(SERVE_REVERSE_GRANT, false);
        next(REVERSE_AFTER_REPLY, 7);
        ck_assert(next(REVERSE_AFTER_REPLY, 7));
        ck_assert(!next(REVERSE_AFTER_ANSWER, 7));
        ck_assert(TAKES(ANSWER(FIRST, rows[i].grant)));
        for (unsigned j = 0; j < rows[i].calls; j++) {
            ck_assert(next(REVERSE_AFTER_ANSWER, 7));
            IS_SENT(FIRST + 1 + j, 1, 16, 0, 0, 0, 0, NULL_CALL(FIRST + 1 + j));
        }
        ck_assert(!next(REVERSE_AFTER_ANSWER, 7));
        for (unsigned j = rows[i].calls; j > 0; j--) /* in any order */
            ck_assert(TAKES(ANSWER(FIRST + j, 1)));
        ck_assert_uint_eq(reverse.answered, 1 + rows[i].calls);
        ck_assert_int_eq(ending(false, false), ENDING_REQUIRED);
    }
}
END_TEST

START_TEST(a_null_has_a_chunk)
{
    begin_case(SERVE_REVERSE_CHUNK, false);
    next(REVERSE_AFTER_REPLY, 7);
    ck_assert(next(REVERSE_AFTER_REPLY, 7));
    ck_assert_uint_eq(length, 4 * 23);
    IS_SENT(FIRST, 1, 16, 0, 0, 1, 1, 0x8167, 64, 0, 4096, 0, 0, NULL_CALL(FIRST));
    /* Who has no chunks there says ERR_CHUNK. What follows it makes it no Call. */
    ck_assert(_i == 0 ? TAKES(FIRST, 1, 1, 4, 2)
                      : TAKES(FIRST, 1, 1, 4, 2, FIRST, 0, 2, PROGRAM, 1, 0));
    ck_assert_int_eq(ending(false, false), ENDING_REQUIRED);
}
END_TEST

/* CB_SEQUENCE and CB_RECALL, once the client knows of the delegation. */
START_TEST(a_delegation_is_recalled)
{
    struct nfs4_delegation delegation;
    struct nfs4_back_channel channel;
    begin_case(SERVE_REVERSE_RECALL, true);
    for (int i = 0; i < 3; i++)
        ck_assert(!next(REVERSE_AFTER_REPLY, 7));
    use_delegation();
    ck_assert(nfs4_delegation(nfs4, &delegation));
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert(next(REVERSE_AFTER_REPLY, 7));
    IS_SENT(FIRST, 1, 16, 0, 0, 0, 0, FIRST, 0, 2, PROGRAM, 1, 1, 0, 0, 0, 0, /* CB_COMPOUND */
            0, 1, 0, 2, 11);
    const uint8_t *at = octets + 4 * 22;
    ck_assert_mem_eq(at, channel.session, 16);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 16), 1); /* sequence, slot, highest, cache, lists */
    for (size_t i = 5; i < 9; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(at + 4 * i), 0);
    at += 36;
    ck_assert_uint_eq(rpcrdma_xdr_load32(at), 4); /* CB_RECALL */
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 4), 1);
    ck_assert_mem_eq(at + 8, delegation.other, 12);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 20), 0); /* not truncated */
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 24), 8);
    ck_assert_mem_eq(at + 28, "the file", 8);
    ck_assert_ptr_eq(at + 36, octets + length);
    /* The answer: both are done. The slot of the back channel is used. */
    ck_assert(TAKES(ANSWER(FIRST, 1), 0, 0, 2, 11, 0, 1, 2, 3, 4, 1, 0, 0, 0, 4, 0));
    ck_assert_str_eq(reverse.wrong, "");
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.sequence, 2);
    ck_assert_int_eq(ending(false, false), ENDING_TOLERATED);
    ck_assert_str_eq(text, "the delegation has not come back yet");
    nfs_begin_in_session(&compound, &session, false);
    nfs_return_delegation(&compound, delegation.other);
    call();
    ck_assert_int_eq(ending(false, false), ENDING_REQUIRED);
}
END_TEST

/* ---- answers ---- */

static const struct {
    enum serve_reverse kind;
    uint32_t words[24];
    size_t count;
    const char *wrong; /* NULL: it is no answer; "": it is a good one */
    uint32_t sequence; /* of the back channel then */
} answers[] = {
    {SERVE_REVERSE_NULL, {ANSWER(FIRST, 1)}, 13, "", 1},
    {SERVE_REVERSE_NULL, {ANSWER(FIRST + 1, 1)}, 13, NULL, 1},
    {SERVE_REVERSE_NULL, {ANSWER(FIRST - 1, 1)}, 13, NULL, 1},
    {SERVE_REVERSE_NULL, {FIRST, 1, 1, 0}, 4, NULL, 1},
    {SERVE_REVERSE_NULL, {FIRST, 1, 1, 4, 2}, 5, "err-chunk", 1},
    {SERVE_REVERSE_NULL, {FIRST, 1, 1, 4, 1, 1, 1}, 7, "err-vers", 1},
    {SERVE_REVERSE_CHUNK, {FIRST, 1, 1, 4, 1, 1, 1}, 7, "err-vers", 1},
    {SERVE_REVERSE_NULL,
     {FIRST, 1, 1, 0, 0, 0, 0, FIRST, 1, 0, 0, 0, 3},
     13,
     "a Reply, accept_stat 3",
     1},
    {SERVE_REVERSE_NULL,
     {FIRST, 1, 1, 0, 0, 0, 0, FIRST, 1, 1, 1, 5},
     12,
     "a Reply, reject_stat 1",
     1},
    {SERVE_REVERSE_NULL,
     {FIRST, 1, 1, 0, 0, 0, 0, FIRST, 1, 0},
     10,
     "a message that holds no RPC Reply",
     1},
    {SERVE_REVERSE_RECALL,
     {ANSWER(FIRST, 1), 0, 0},
     15,
     "8 octets that are no results of CB_COMPOUND",
     1},
    {SERVE_REVERSE_RECALL,
     {ANSWER(FIRST, 1), 10008, 0, 1, 11, 10008},
     18,
     "CB_COMPOUND of two operations: status 10008 after 1 results",
     1},
    {SERVE_REVERSE_RECALL,
     {ANSWER(FIRST, 1), 0, 0, 0},
     16,
     "CB_COMPOUND of two operations: status 0 after 0 results",
     1},
    {SERVE_REVERSE_RECALL,
     {ANSWER(FIRST, 1), 0, 0, 3, 4, 0, 4, 0, 4, 0},
     22,
     "CB_COMPOUND of two operations: status 0 after 3 results",
     1},
};

START_TEST(answers_are_judged)
{
    begin_case(answers[_i].kind, answers[_i].kind == SERVE_REVERSE_RECALL);
    if (answers[_i].kind == SERVE_REVERSE_RECALL)
        use_delegation();
    next(REVERSE_AFTER_REPLY, 7);
    ck_assert(next(REVERSE_AFTER_REPLY, 7));
    ck_assert_int_eq(takes(answers[_i].words, answers[_i].count), answers[_i].wrong != NULL);
    ck_assert_uint_eq(reverse.answered, answers[_i].wrong != NULL);
    struct nfs4_back_channel channel;
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.sequence, answers[_i].sequence);
    if (answers[_i].wrong == NULL) {
        ck_assert_int_eq(ending(false, false), ENDING_SILENT);
        ck_assert_str_eq(text, "1 of 1 Calls in the reverse direction are not answered");
        ck_assert_int_eq(ending(true, false), ENDING_NOT_APPLICABLE);
        ck_assert_str_eq(text, "1 of 1 Calls in the reverse direction are not answered, the "
                               "connection has ended");
        ck_assert_int_eq(ending(true, true), ENDING_CLOSED);
        return;
    }
    ck_assert_str_eq(reverse.wrong, answers[_i].wrong);
    ck_assert(!takes(answers[_i].words, answers[_i].count)); /* once */
    ck_assert_int_eq(ending(false, false),
                     answers[_i].wrong[0] == '\0' ? ENDING_REQUIRED : ENDING_WRONG);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("reverse");
    tcase_add_checked_fixture(tests, nfs4_stage_setup, nfs4_stage_teardown);
    tcase_add_test(tests, a_null_is_due_after_two_replies);
    tcase_add_test(tests, nothing_is_due_without_a_back_channel);
    tcase_add_test(tests, a_null_has_the_xid_of_a_call);
    tcase_add_test(tests, as_many_are_due_as_are_granted);
    tcase_add_loop_test(tests, a_null_has_a_chunk, 0, 2);
    tcase_add_test(tests, a_delegation_is_recalled);
    tcase_add_loop_test(tests, answers_are_judged, 0, COUNT(answers));
    return run_tests("reverse", tests);
}
