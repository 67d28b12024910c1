// SPDX-License-Identifier: BSD-3-Clause
/* The Sends of a case get XIDs of their own, and stay as they were to each other; and the rule that
 * binds who gets them. */
#include "conformance/base/count.h"
#include "rxe-harness/probe/probe.h"

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

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, xids_are_fresh);
    tcase_add_loop_test(tests, who_reacts_is_bound, 0, COUNT(bound));
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
