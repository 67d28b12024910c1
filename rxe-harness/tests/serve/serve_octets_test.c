// SPDX-License-Identifier: BSD-3-Clause
/*
 * What `serve` sends unexpectedly, judged by the checker after a Call that waits: each message
 * breaks the rule that it is there for, and no other, and leaves to the Requester what the case
 * asks of it.
 */
#include "rxe-harness/serve/serve.h"

#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define WAITING 0x11223344u

static const struct row {
    const char *id, *broken; /* the rule that it breaks, or NULL */
    unsigned reactions;
} rows[] = {
    {"reply-of-unknown-xid", "rfc8166/2.2.2/reply-matches-call", RPCRDMA_DISCARD},
    {"error-of-unknown-xid", "rfc8166/4.5/error-without-call", RPCRDMA_DISCARD},
    {"vers-error-of-unknown-xid", "rfc8166/4.5.1/version-range-excludes-failed", RPCRDMA_DISCARD},
    {"undefined-error", "rfc8166/4.5/error-code-defined", RPCRDMA_DISCARD},
    {"truncated-error", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"undefined-error-of-call", "rfc8166/4.5/error-code-defined", RPCRDMA_DISCARD},
    {"truncated-error-of-call", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"error-without-code", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"error-chunk", NULL, RPCRDMA_TERMINATE},
    {"error-vers", NULL, RPCRDMA_TERMINATE},
    {"empty-send", "rfc8166/4.5/minimal-header", RPCRDMA_DISCARD},
    {"runt-reply", "rfc8166/4.5/minimal-header", RPCRDMA_DISCARD},
    {"reply-of-27-octets", "rfc8166/4.5/minimal-header", RPCRDMA_DISCARD},
    {"reply-of-version-two", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"reply-of-version-zero", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"v2-reply-04", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"v2-reply-07", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"v2-error-of-call", NULL, RPCRDMA_DISCARD},
    {"v2-grant", "rfc8166/4.5/minimal-header", RPCRDMA_DISCARD},
    {"v2-connprop", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"reply-in-msgp", "rfc8166/4.6.1/msgp-not-sent", RPCRDMA_DISCARD},
    {"done-from-server", "rfc8166/4.6.2/done-not-sent", RPCRDMA_DISCARD},
    {"reply-of-procedure-77", "rfc8166/4.5.2/procedure-defined", RPCRDMA_DISCARD},
    {"reply-read-list-of-two", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"reply-with-read-list", "rfc8166/4.3.1/reply-read-list-empty", RPCRDMA_DISCARD},
    {"reply-write-list-cut-off", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"reply-write-count-overflows", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"reply-nomsg-without-lists", "rfc8166/4.2.4/nomsg-list-present", RPCRDMA_DISCARD},
    {"reply-with-unasked-write-list", "rfc8166/3.4.3/memory-from-requester", RPCRDMA_DISCARD},
    {"reply-in-unasked-reply-chunk", "rfc8166/3.4.3/memory-from-requester", RPCRDMA_DISCARD},
    {"call-from-server", NULL, RPCRDMA_PROCESS},
    {"series-of-runts", "rfc8166/4.5/minimal-header", RPCRDMA_DISCARD},
    {"series-of-replies-of-version-zero", "rfc8166/4.2.2/version-one", RPCRDMA_DISCARD},
    {"series-of-replies-cut-off", "rfc8166/4/xdr-encoded", RPCRDMA_DISCARD},
    {"series-of-replies-of-unknown-xid", "rfc8166/2.2.2/reply-matches-call", RPCRDMA_DISCARD},
    {"series-of-errors", "rfc8166/4.5/error-without-call", RPCRDMA_DISCARD},
};

static size_t put_words(const struct serve_case *test_case, uint8_t octets[4 * SERVE_WORDS])
{
    for (size_t i = 0; i < SERVE_WORDS; i++) {
        uint32_t word = test_case->words[i];
        word = word == SERVE_XID ? WAITING : word == SERVE_OTHER_XID ? WAITING ^ 0x55000000 : word;
        rpcrdma_xdr_store32(octets + 4 * i, word);
    }
    return test_case->length;
}

/* A NULL waits. */
static void play_call(struct rpcrdma_check *check)
{
    const struct requester requester = {.program = TEST_PROGRAM, .version = TEST_VERSION};
    uint8_t octets[REQUESTER_NULL];
    struct rpcrdma_judgement judgement;
    requester_null_call(&requester, WAITING, octets);
    const struct rpcrdma_event event = {
        .from = RPCRDMA_CLIENT, .data = octets, .length = sizeof octets};
    rpcrdma_check_event(check, &event, &judgement);
    ck_assert_uint_eq(judgement.count, 0);
}

static struct rpcrdma_judgement judge(const uint8_t *octets, size_t length)
{
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    size_t size = rpcrdma_check_size(&config);
    void *memory = calloc(1, size);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    struct rpcrdma_judgement judgement;
    const struct rpcrdma_event event = {.from = RPCRDMA_SERVER, .data = octets, .length = length};
    play_call(check);
    rpcrdma_check_event(check, &event, &judgement);
    free(memory);
    return judgement;
}

START_TEST(each_message_is_what_its_case_says)
{
    unsigned messages = 0;
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        uint8_t octets[4 * SERVE_WORDS];
        if (it->length == 0)
            continue;
        ck_assert_uint_lt(messages, COUNT(rows));
        const struct row *row = &rows[messages++];
        struct rpcrdma_judgement judgement = judge(octets, put_words(it, octets));
        ck_assert_str_eq(it->id, row->id);
        ck_assert_msg(judgement.reactions == row->reactions, "%s leaves 0x%x open", it->id,
                      judgement.reactions);
        ck_assert_msg((judgement.count > 0) == (row->broken != NULL), "%s breaks %u rules", it->id,
                      judgement.count);
        if (row->broken)
            ck_assert_str_eq(rpcrdma_requirements[judgement.findings[0].rule].id, row->broken);
    }
    ck_assert_uint_eq(messages, COUNT(rows));
}
END_TEST

/* The RPC message that it ends with, where its XID comes again; or its end. */
static size_t find_rpc(const struct serve_case *it)
{
    size_t words = it->length / 4;
    for (size_t i = 5; i < words; i++)
        if (it->words[i] == it->words[0])
            return i;
    return words;
}

/* Its XID stands for one; its version is 1; it grants 32, as the total of -07 after the first Send;
 * the RPC message is a good Reply, of NFS a failure, or the NULL of a case; memory has one name;
 * and after the end there is nothing. */
START_TEST(what_a_case_is_not_about_is_as_in_others)
{
    static const uint32_t reply[] = {1, 0, 0, 0, 0, 5, 0},
                          null_call[] = {0, 2, 0x20008167, 1, 0, 0, 0, 0, 0};
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        const size_t words = it->length / 4, rpc = find_rpc(it);
        const bool is_call = strcmp(it->id, "call-from-server") == 0;
        const bool is_07 = strncmp(it->id, "v2-", 3) == 0 && strcmp(it->id, "v2-reply-04") != 0;
        if (it->length == 0)
            continue;
        ck_assert_msg(it->words[0] == SERVE_XID || it->words[0] == SERVE_OTHER_XID, "%s", it->id);
        const uint32_t version =
            strstr(it->id, "-of-version-zero")                                    ? 0
            : strstr(it->id, "-of-version-two") || strncmp(it->id, "v2-", 3) == 0 ? 2
                                                                                  : 1;
        ck_assert_msg(words < 2 || it->words[1] == version, "%s: version", it->id);
        ck_assert_msg(words < 3 || it->words[2] == (is_07 ? 33 : 32), "%s: credits", it->id);
        ck_assert_msg(rpc == words || words - rpc == (is_call ? 10 : 6) || words - rpc == 8,
                      "%s: %zu words of RPC", it->id, words - rpc);
        for (size_t i = rpc + 1; i < words; i++)
            ck_assert_msg(it->words[i] == (is_call ? null_call : reply)[i - rpc - 1],
                          "%s: word %zu", it->id, i);
        for (size_t i = 4; i < rpc; i++)
            ck_assert_msg(it->words[i] != 0xa || i + 1 == words ||
                              ((it->words[i + 1] == 64 || it->words[i + 1] == 4) &&
                               it->words[i + 2] == 0 && it->words[i + 3] == 0),
                          "%s: a segment", it->id);
        for (size_t i = (it->length + 3) / 4; i < SERVE_WORDS; i++)
            ck_assert_msg(it->words[i] == 0, "%s: word %zu, after its end", it->id, i);
    }
}
END_TEST

/* What private data say but for what the case is about, and that a case is about one thing. */
START_TEST(a_case_is_about_one_thing)
{
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        const unsigned subjects = (it->length > 0) + (it->list_fault != 0) + (it->shape != 0) +
                                  it->twice + it->grants + (it->announced != NULL) +
                                  (it->reverse != 0) + (it->fence != 0);
        ck_assert_msg(subjects == (it != serve_cases), "%s: %u subjects", it->id, subjects);
        ck_assert_msg(!it->instead || it->length > 0, "%s: nothing instead", it->id);
        ck_assert_msg(!it->series || (it->hazardous && it->length > 0), "%s: a series", it->id);
        ck_assert_msg((it->shape & SHAPE_READ) || it->shape == 0, "%s: not of READ", it->id);
        ck_assert_msg(it->read == 0 || it->shape != 0, "%s: no data", it->id);
        if (it->announced == NULL)
            continue;
        const bool none = it->announced->size == 0;
        ck_assert_msg(none || (it->announced->size % 1024 == 0 && it->announced->size <= 262144),
                      "%s: size", it->id);
        ck_assert_msg(it->announced->version ==
                          (none                                                 ? 0
                           : strcmp(it->id, "private-data-of-version-two") == 0 ? 2
                                                                                : 1),
                      "%s: version", it->id);
    }
}
END_TEST

/* The name of a case of READ says what is done to the Reply; all others are read as they are. */
START_TEST(shapes_are_those_that_names_say)
{
    static const struct {
        const char *word;
        unsigned shape;
    } words[] = {{"-inline", SHAPE_INLINE},
                 {"-in-both", SHAPE_INLINE},
                 {"-unused", SHAPE_UNUSED},
                 {"-in-1024-", SHAPE_UNUSED | SHAPE_FULL},
                 {"-empty", SHAPE_EMPTY},
                 {"-absent", SHAPE_ABSENT},
                 {"-list-shorter", SHAPE_ABSENT},
                 {"-chunk-shorter", SHAPE_SHORTER},
                 {"-longer", SHAPE_LONGER},
                 {"-gaps", SHAPE_GAPS},
                 {"-failed", SHAPE_FAILED},
                 {"-short-results", SHAPE_SHORT},
                 {"-attributes-in-chunk", SHAPE_MISPLACED}};
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        unsigned shape = SHAPE_READ;
        if (strncmp(it->id, "read-", 5) != 0) {
            ck_assert_msg(it->shape == 0 && it->several == 0, "%s", it->id);
            continue;
        }
        for (size_t i = 0; i < COUNT(words); i++)
            shape |= strstr(it->id, words[i].word) ? words[i].shape : 0;
        ck_assert_msg(it->shape == shape, "%s: 0x%x, not 0x%x", it->id, it->shape, shape);
        const bool is_several = strstr(it->id, "-several-") != NULL;
        const bool second = strstr(it->id, "-second-") || strstr(it->id, "-list-");
        ck_assert_msg(it->several == (is_several ? 1u + second : 0u), "%s: %u", it->id,
                      it->several);
    }
}
END_TEST

START_TEST(no_two_messages_are_the_same)
{
    for (const struct serve_case *it = serve_cases; it->id; it++)
        for (const struct serve_case *other = serve_cases; other != it; other++) {
            ck_assert_str_ne(it->id, other->id);
            ck_assert_msg(it->length == 0 || it->length != other->length ||
                              it->series != other->series ||
                              memcmp(it->words, other->words, sizeof it->words) != 0,
                          "%s and %s send the same", it->id, other->id);
        }
}
END_TEST

/* ---- Replies whose Write list is not that of the Call ---- */

static const struct {
    enum serve_list_fault fault;
    uint32_t count, handle, length; /* of the segments; of the first */
} lists[] = {
    {SERVE_LONGER, 2, 0xa1, 1u << 20},
    {SERVE_FOREIGN, 2, 0xa1 ^ 0x5a5a0000, 100},
    {SERVE_SURPLUS, 3, 0xa1, 100},
    {SERVE_ABSENT, 0, 0, 0},
};

START_TEST(a_faulty_list_differs_in_one_thing)
{
    const struct rpcrdma1_segment segments[] = {{.handle = 0xa1, .length = 100, .offset = 4096},
                                                {.handle = 0xa2, .length = 50, .offset = 8192}};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = 2}};
    const struct rpcrdma1_header header = {
        .rdma_xid = WAITING,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = 32,
        .rdma_body = {.proc = RPCRDMA1_MSG, .rdma_msg.rdma_writes = {.items = &chunk, .count = 1}}};
    uint8_t answer[256], reply[SERVE_FAULTY_MAX];
    ptrdiff_t length = rpcrdma1_header_encode(answer, sizeof answer, &header, NULL);
    ck_assert_int_gt(length, 0);
    size_t octets = serve_faulty_reply(lists[_i].fault, answer, (size_t)length, reply);
    struct rpcrdma1_header read;
    ptrdiff_t end = rpcrdma1_header_decode(&read, reply, octets, NULL, NULL);
    ck_assert_int_gt(end, 0);
    ck_assert_uint_eq(octets, (size_t)end + 32);
    ck_assert_uint_eq(read.rdma_xid, WAITING);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply + end), WAITING);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply + end + 4), 1);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply + end + 24), 5);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&read.rdma_body.rdma_msg.rdma_writes);
    struct rpcrdma1_write_chunk back = {.target.count = 0};
    struct rpcrdma1_segment segment;
    ck_assert(rpcrdma1_write_list_next(&iter, &back) == (lists[_i].count > 0));
    if (lists[_i].count == 0)
        return;
    ck_assert_uint_eq(back.target.count, lists[_i].count);
    iter = rpcrdma1_segment_array_iter(&back.target);
    ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(segment.handle, lists[_i].handle);
    ck_assert_uint_eq(segment.length, lists[_i].length);
    ck_assert_uint_eq(segment.offset, 4096);
    ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(segment.handle, 0xa2);
    ck_assert_uint_eq(segment.length, 50);
    ck_assert_uint_eq(judge(reply, octets).reactions & RPCRDMA_PROCESS, 0);
}
END_TEST

START_TEST(without_a_write_chunk_there_is_none)
{
    const struct requester requester = {.program = TEST_PROGRAM, .version = TEST_VERSION};
    uint8_t octets[REQUESTER_NULL], reply[SERVE_FAULTY_MAX];
    requester_null_call(&requester, WAITING, octets);
    ck_assert_uint_eq(serve_faulty_reply(SERVE_LONGER, octets, sizeof octets, reply), 0);
    ck_assert_uint_eq(serve_faulty_reply(SERVE_LONGER, octets, 20, reply), 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("serve-octets");
    tcase_add_test(tests, each_message_is_what_its_case_says);
    tcase_add_test(tests, what_a_case_is_not_about_is_as_in_others);
    tcase_add_test(tests, a_case_is_about_one_thing);
    tcase_add_test(tests, shapes_are_those_that_names_say);
    tcase_add_test(tests, no_two_messages_are_the_same);
    tcase_add_loop_test(tests, a_faulty_list_differs_in_one_thing, 0, COUNT(lists));
    tcase_add_test(tests, without_a_write_chunk_there_is_none);
    return run_tests("serve-octets", tests);
}
