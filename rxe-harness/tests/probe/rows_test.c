// SPDX-License-Identifier: BSD-3-Clause
/* The Sends of a case get XIDs of their own, and stay as they were to each other; and the rule that
 * binds who gets them. In an item that comes back in a Write chunk `probe` finds a fault. */
#include "conformance/base/count.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>

#define FIRST 0x500
#define NULL_CALL(xid) xid, 0, 2, 0x20008166, 1, 0, 0, 0, 0, 0
#define MSG(xid) xid, 1, 32, 0, 0, 0, 0
#define GRANT 0, 2, 9, 5
#define INLINE(xid) xid, 2, 9, 10, 0, 0, 0, 0
#define WORDS(...) {__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

static const struct sent {
    struct {
        uint32_t words[20];
        size_t count;
    } before, after;
} version1[] =
    {
        {{WORDS(MSG(7), NULL_CALL(7))}, {WORDS(MSG(FIRST), NULL_CALL(FIRST))}},
        {{WORDS(MSG(9), NULL_CALL(9))}, {WORDS(MSG(FIRST + 1), NULL_CALL(FIRST + 1))}},
        {{WORDS(MSG(7), NULL_CALL(7))}, {WORDS(MSG(FIRST), NULL_CALL(FIRST))}},
        {{WORDS(MSG(0), NULL_CALL(9))}, {WORDS(MSG(FIRST + 2), NULL_CALL(9))}},
        {{WORDS(9)}, {WORDS(FIRST + 1)}},
},
  version2[] = {
      {{WORDS(INLINE(7), NULL_CALL(7))}, {WORDS(INLINE(FIRST), NULL_CALL(FIRST))}},
      {{WORDS(GRANT)}, {WORDS(GRANT)}}, /* it has no XID */
      {{WORDS(INLINE(9), NULL_CALL(9))}, {WORDS(INLINE(FIRST + 1), NULL_CALL(FIRST + 1))}},
      {{WORDS(INLINE(7), NULL_CALL(9))}, {WORDS(INLINE(FIRST), NULL_CALL(9))}},
};

static void freshen(enum rpcrdma_protocol protocol, const struct sent *sent, size_t count)
{
    struct probe_sends sends = {.count = 0};
    uint8_t octets[sizeof sent->before.words];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sent[i].before.count; j++)
            rpcrdma_xdr_store32(octets + 4 * j, sent[i].before.words[j]);
        ck_assert(probe_sends_add(&sends, octets, 4 * sent[i].before.count));
    }
    probe_sends_freshen(&sends, protocol, FIRST);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sent[i].after.count; j++)
            ck_assert_msg(rpcrdma_xdr_load32(sends.octets + sends.at[i] + 4 * j) ==
                              sent[i].after.words[j],
                          "Send %zu, word %zu", i, j);
}

START_TEST(xids_are_fresh)
{
    freshen(RPCRDMA_PROTOCOL_1, version1, COUNT(version1));
    freshen(RPCRDMA_PROTOCOL_2_07, version2, COUNT(version2));
}
END_TEST

/* What RFC 8166 tells a Responder to do with a Send, by the sections named in the ids. */
static const struct {
    uint32_t words[8];
    size_t length;
    unsigned reactions;
    const char *rule; /* NULL: none says it of this Send */
} bound[] = {
    {{7, 1, 32, 4, 2}, 20, RPCRDMA_DISCARD, "rfc8166/4.2.4/responder-drops-error"},
    {{7, 1, 32, 4, 2, 0, 0}, 28, RPCRDMA_DISCARD, "rfc8166/4.2.4/responder-drops-error"},
    {{7, 1, 32, 3}, 16, RPCRDMA_DISCARD, "rfc8166/4.6.2/done-discarded"},
    {{7, 1, 32, 0, 0, 0}, 24, RPCRDMA_DISCARD, "rfc8166/4.5/short-message-discarded"},
    {{7, 1, 32, 0}, 15, RPCRDMA_DISCARD | RPCRDMA_CLOSE, "rfc8166/4.5/short-message-discarded"},
    {{7}, 0, RPCRDMA_DISCARD, "rfc8166/4.5/short-message-discarded"},
    {{7, 9, 32, 4, 2}, 20, RPCRDMA_DISCARD, "rfc8166/4.5/short-message-discarded"},
    {{7, 9, 32, 0, 0, 0, 0}, 28, RPCRDMA_ERR_VERS, "rfc8166/4.5.1/unsupported-version-answered"},
    {{7, 1, 32, 2, 0, 0, 0, 0}, 32, RPCRDMA_ERR_CHUNK, "rfc8166/4.6.1/msgp-refused"},
    {{7, 1, 32, 9, 0, 0, 0}, 28, RPCRDMA_ERR_CHUNK, "rfc8166/4.5.2/xdr-error-answered"},
    {{7, 1, 32, 0, 2, 0, 0},
     28,
     RPCRDMA_ERR_CHUNK | RPCRDMA_CLOSE,
     "rfc8166/4.5.2/xdr-error-answered"},
    {{7, 1, 32, 0, 2, 0, 0}, 28, RPCRDMA_ERR_CHUNK | RPCRDMA_PROCESS, NULL},
    {{7, 1, 32, 0, 2, 0, 0}, 28, RPCRDMA_ERR_CHUNK | RPCRDMA_DISCARD, NULL},
    {{7, 1, 32, 0, 0, 0, 0}, 28, RPCRDMA_DISCARD, NULL},
};

START_TEST(who_reacts_is_bound)
{
    uint8_t octets[sizeof bound->words];
    for (size_t i = 0; i < COUNT(bound->words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, bound[_i].words[i]);
    const char *rule = probe_receiver_rule(octets, bound[_i].length, bound[_i].reactions);
    if (bound[_i].rule == NULL)
        ck_assert_ptr_null(rule);
    else
        ck_assert_str_eq(rule ? rule : "none", bound[_i].rule);
}
END_TEST

/* RFC 8166 section 4.1: a Long Call has a Position Zero Read chunk, a Long Reply a Reply chunk and
 * no Read list; of all else the message type tells, which is 0 in a Call. */
#define READ_0 1, 0, 0xa, 40, 0, 0x1000
#define CHUNK_OF_ONE 1, 1, 0xb, 4, 0, 0x2000
static const struct {
    struct {
        uint32_t words[24];
        size_t count;
    } send;
    bool is_reply;
} directions[] = {
    {{WORDS(MSG(7), 7, 0, 2, 3)}, false},
    {{WORDS(MSG(7), 7, 1, 0, 0, 0, 0)}, true},
    {{WORDS(MSG(7), 7)}, false}, /* it ends before the message type */
    {{WORDS(7, 1, 32, 0, 2, 0, 0, 7, 1)}, false},
    {{WORDS(7, 1, 32, 1, READ_0, 0, 0, 0)}, false},
    {{WORDS(7, 1, 32, 1, READ_0, 0, 0, CHUNK_OF_ONE)}, false},
    {{WORDS(7, 1, 32, 1, READ_0, 0, CHUNK_OF_ONE, 0, 0)}, false},
    {{WORDS(7, 1, 32, 1, 0, 0, CHUNK_OF_ONE)}, true},
    {{WORDS(7, 1, 32, 1, 0, CHUNK_OF_ONE, 0, 0)}, true},
    {{WORDS(7, 1, 32, 1, 0, 0, 0)}, false},
};

START_TEST(a_reply_is_told_from_a_call)
{
    uint8_t octets[sizeof directions->send.words];
    size_t count = directions[_i].send.count;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, directions[_i].send.words[i]);
    ck_assert_int_eq(probe_reads_as_reply(octets, 4 * count), directions[_i].is_reply);
}
END_TEST

/* A Call that a server may execute is sent to none but those who asked for it: one of NFS, when NFS
 * is what is probed. */
static const struct {
    struct {
        uint32_t words[20];
        size_t count;
    } send;
    uint32_t program; /* that is probed */
    bool is_harmless;
} executed[] = {
    {{WORDS(MSG(7), 7, 0, 2, NFS_PROGRAM, 3, 7, 0, 0, 0, 0)}, TEST_PROGRAM, false},
    {{WORDS(MSG(7), 7, 0, 2, NFS_PROGRAM, 3, 7, 0, 0, 0, 0)}, NFS_PROGRAM, true},
    {{WORDS(MSG(7), 7, 0, 2, NFS_PROGRAM, 3, 0, 0, 0, 0, 0)}, TEST_PROGRAM, true}, /* NULL */
    {{WORDS(MSG(7), 7, 0, 2, TEST_PROGRAM, 1, 1, 0, 0, 0, 0)}, TEST_PROGRAM, true},
    {{WORDS(MSG(7), 7, 1, 0, 0, 0, 0)}, TEST_PROGRAM, true},                 /* a Reply */
    {{WORDS(MSG(7), 7, 0, 2, NFS_PROGRAM, 3, 7, 0, 0)}, TEST_PROGRAM, true}, /* cut off */
    {{WORDS(7, 1, 32, 1, READ_0, 0, 0, 0)}, TEST_PROGRAM, true},             /* of a NULL */
    {{WORDS(7, 1, 32, 0, 2, 0, 0, 7, 0, 2, NFS_PROGRAM, 3, 7, 0, 0, 0, 0)}, TEST_PROGRAM, true},
};

START_TEST(nothing_is_executed_unasked)
{
    uint8_t octets[sizeof executed->send.words];
    size_t count = executed[_i].send.count;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, executed[_i].send.words[i]);
    ck_assert_int_eq(probe_is_harmless(executed[_i].program, RPCRDMA_PROTOCOL_1, octets, 4 * count),
                     executed[_i].is_harmless);
}
END_TEST

/* An item of 5 octets in its Write chunk: the length that comes back is its own, and so are all of
 * its octets. */
START_TEST(an_item_is_compared)
{
    static const struct {
        uint32_t size, returned;
        int octet; /* that is another one, or -1 */
        bool good;
    } items[] = {{5, 5, -1, true}, {4, 5, -1, false}, {5, 4, -1, false}, {5, 6, -1, false},
                 {5, 5, 0, false}, {5, 5, 4, false},  {5, 5, 5, true}};
    uint8_t item[8], results[4];
    char text[PROBE_TEXT];
    for (size_t i = 0; i < sizeof item; i++)
        item[i] = TEST_OCTET(i);
    if (items[_i].octet >= 0)
        item[items[_i].octet] ^= 1;
    rpcrdma_xdr_store32(results, items[_i].size);
    const struct requester_pending pending = {.item = item};
    const struct requester_reply reply = {
        .results = results, .results_length = 4, .item_length = items[_i].returned};
    const char *wrong = probe_item_compare(&pending, &reply, TEST_FETCH, 5, text);
    ck_assert_msg((wrong == NULL) == items[_i].good, "%s", wrong ? wrong : "nothing is wrong");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, xids_are_fresh);
    tcase_add_loop_test(tests, who_reacts_is_bound, 0, COUNT(bound));
    tcase_add_loop_test(tests, a_reply_is_told_from_a_call, 0, COUNT(directions));
    tcase_add_loop_test(tests, nothing_is_executed_unasked, 0, COUNT(executed));
    tcase_add_loop_test(tests, an_item_is_compared, 0, 7);
    return run_tests("rows", tests);
}
