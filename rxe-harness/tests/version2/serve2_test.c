// SPDX-License-Identifier: BSD-3-Clause
/*
 * Serving a Requester of version 2: the sound reference Requester has no failure in any case of
 * either draft, ten runs out of ten. That faults are named planted2_test sees.
 */
#include "rxe-harness/serve2/serve2.h"

#include "conformance/base/register.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

START_TEST(sound_requester_has_no_failure)
{
    struct serve2 serve = {.draft = drafts[_i % 2], .timeout = 100};
    serve2_reference(&serve);
    ck_assert_uint_ge(serve.results.count, 50);
    for (size_t i = 0; i < serve.results.count; i++)
        ck_assert_msg(serve.results.list[i].ending == ENDING_REQUIRED, "%s: %s",
                      serve.results.list[i].test, serve.results.list[i].actual);
    results_free(&serve.results);
}
END_TEST

START_TEST(one_case_is_chosen)
{
    struct serve2 serve = {.draft = drafts[_i], .timeout = 100, .only = "v2-reply-twice"};
    serve2_reference(&serve);
    ck_assert_uint_eq(serve.results.count, 1);
    ck_assert_str_eq(serve.results.list[0].test, "v2-reply-twice");
    results_free(&serve.results);
}
END_TEST

/* No two cases are the same, and each names a rule of the register. */
START_TEST(cases_differ)
{
    const struct serve2_case *cases = serve2_cases(drafts[_i]);
    for (const struct serve2_case *a = cases; a->id; a++) {
        ck_assert_msg(register_find(a->rule) >= 0, "%s: %s", a->id, a->rule);
        for (const struct serve2_case *b = cases; b != a; b++) {
            ck_assert_str_ne(a->id, b->id);
            ck_assert_msg(
                a->how != b->how || a->count != b->count || a->credits != b->credits ||
                    a->receive_size != b->receive_size || a->piece != b->piece ||
                    a->call_back != b->call_back || a->change != b->change ||
                    a->error_version != b->error_version || a->no_properties != b->no_properties ||
                    a->empty_chunks != b->empty_chunks || a->long_replies != b->long_replies ||
                    a->of_reply_chunk != b->of_reply_chunk || a->chunk_word != b->chunk_word ||
                    memcmp(a->then, b->then, sizeof a->then) != 0 ||
                    memcmp(a->grant, b->grant, sizeof a->grant) != 0 ||
                    memcmp(a->words, b->words, sizeof a->words) != 0,
                "%s and %s", a->id, b->id);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("serve of version 2");
    TCase *cases = tcase_create("serve of version 2");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, sound_requester_has_no_failure, 0, 20);
    tcase_add_loop_test(cases, one_case_is_chosen, 0, 2);
    tcase_add_loop_test(cases, cases_differ, 0, 2);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
