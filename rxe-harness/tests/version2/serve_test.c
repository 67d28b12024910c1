// SPDX-License-Identifier: BSD-3-Clause
/*
 * Serving a Requester of version 2: the sound reference Requester has no failure in any case of
 * either draft, ten runs out of ten. That faults are named planted2_test sees.
 */
#include "rxe-harness/serve/version2/serve.h"

#include "conformance/base/register.h"
#include "codec/tests/support/run_suite.h"

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

/* ---- a Requester that names no handle ---- */

static const struct link_ops *named_ops;
static struct link_ops nameless_ops;
static uint32_t type, at; /* of its Calls; where they name the handle */

static bool send_nameless(struct link *link, const void *sent, size_t length,
                          const uint32_t *handle)
{
    uint8_t octets[8192];
    ck_assert_uint_le(length, sizeof octets);
    memcpy(octets, sent, length);
    if (length > at + 4 && rpcrdma_xdr_load32(octets + 12) == type)
        rpcrdma_xdr_store32(octets + at, 0);
    return named_ops->send(link, octets, length, handle);
}

static void take_name(void *arg, struct link *link)
{
    (void)arg;
    named_ops = link->ops;
    nameless_ops = *named_ops;
    nameless_ops.send = send_nameless;
    link->ops = &nameless_ops;
}

/* Then no other handle than the named one can be invalidated. */
START_TEST(other_than_none)
{
    bool is_04 = drafts[_i] == RPCRDMA_PROTOCOL_2_04;
    struct serve2 serve = {.draft = drafts[_i], .timeout = 100, .tamper = take_name};
    chosen_add(&serve.selection.cases, "v2-invalidate-other");
    type = is_04 ? 0 : 10;
    at = is_04 ? 20 : 16;
    serve2_reference(&serve);
    ck_assert_uint_eq(serve.results.count, 1);
    ck_assert_msg(serve.results.list[0].ending == ENDING_NOT_APPLICABLE, "%s",
                  serve.results.list[0].actual);
    results_free(&serve.results);
    chosen_free(&serve.selection.cases);
}
END_TEST

START_TEST(one_case_is_chosen)
{
    struct serve2 serve = {.draft = drafts[_i], .timeout = 100};
    chosen_add(&serve.selection.cases, "v2-reply-twice");
    serve2_reference(&serve);
    ck_assert_uint_eq(serve.results.count, 1);
    ck_assert_str_eq(serve.results.list[0].test, "v2-reply-twice");
    results_free(&serve.results);
    chosen_free(&serve.selection.cases);
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
                    a->error_version != b->error_version || a->error_low != b->error_low ||
                    a->no_properties != b->no_properties || a->empty_chunks != b->empty_chunks ||
                    a->long_replies != b->long_replies || a->of_reply_chunk != b->of_reply_chunk ||
                    a->chunk_word != b->chunk_word ||
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
    TCase *cases = tcase_create("serve of version 2");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, sound_requester_has_no_failure, 0, 20);
    tcase_add_loop_test(cases, other_than_none, 0, 2);
    tcase_add_loop_test(cases, one_case_is_chosen, 0, 2);
    tcase_add_loop_test(cases, cases_differ, 0, 2);
    return run_tests("serve of version 2", cases);
}
