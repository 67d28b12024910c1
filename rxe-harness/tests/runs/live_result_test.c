// SPDX-License-Identifier: BSD-3-Clause
/* Live results: their level, what is charged to a peer, what an unfinished run says. */
#include "rxe-harness/report/live.h"

#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"
#include "conformance/report/results/results_groups.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

static const struct row {
    const char *rule;
    enum result_level level;
    bool exists;
} rows[] = {
    {"rfc8166/3.3.1/calls-within-grant", RESULT_MUST, true},
    {"rfc8166/3.4.5.2/padding-in-read-chunk", RESULT_SHOULD, true},
    {"rfc8166/3.3.1/request-of-zero", RESULT_ADVISORY, true},
    {"rfc8166/3.3.1/no-such-rule", RESULT_MUST, false},
    {NULL, RESULT_MUST, false},
};

START_TEST(results_have_the_level_of_their_rule)
{
    const struct live_case about = {"probe", "case", "What it is."};
    struct results results = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct result *result =
            live_result(&results, &about, rows[i].rule, i % 2 == 1, "server");
        ck_assert_msg(result->level == rows[i].level, "row %zu", i);
        ck_assert_msg((result->rule != NULL) == rows[i].exists, "row %zu", i);
        ck_assert_int_eq(result->breaks, i % 2 == 1);
        ck_assert_int_eq(result->offset, -1);
        ck_assert_str_eq(result->from, "server");
    }
    ck_assert_uint_eq(results.count, COUNT(rows));
    results_free(&results);
}
END_TEST

/* One of a case of this name. */
static void add_ended(struct results *results, const char *name, enum ending ending)
{
    const struct live_case about = {"probe", name, "What it is."};
    struct result *result = live_result(results, &about, NULL, false, "server");
    result->ending = ending;
    result->expected = alloc_text("an answer");
    result->actual = alloc_text(ending_titles[ending]);
}

/* The death of our side excuses the case that it happened in, and none after it. */
START_TEST(a_death_excuses_its_case)
{
    for (int row = 0; row < 4; row++) {
        struct live live = LIVE_DEFAULT;
        struct results results = {0};
        add_ended(&results, "good", ENDING_REQUIRED);
        if (row == 0)
            add_ended(&results, "before", ENDING_CLOSED);
        wire_died();
        add_ended(&results, "within", ENDING_CLOSED);
        add_ended(&results, "within", ENDING_CLOSED);
        if (row == 1)
            add_ended(&results, "after", ENDING_CLOSED);
        if (row == 2) {
            wire_died();
            add_ended(&results, "again", ENDING_CLOSED);
        }
        ck_assert_int_eq(live_report(&live, "who", &results),
                         row < 2 ? STATUS_VIOLATED : STATUS_GOOD);
        known_free(&live.reports.known);
    }
}
END_TEST

/* The XIDs of findings of one kind differ; they are one group all the same. */
START_TEST(findings_of_a_rule_are_one_group)
{
    struct results results = {0};
    struct result_groups groups;
    static const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .from = RPCRDMA_CLIENT};
    static const enum rpcrdma_rule rules[] = {RPCRDMA_RFC8166_2_2_2_XID_UNIQUE,
                                              RPCRDMA_RFC8166_2_2_2_XID_UNIQUE,
                                              RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL};
    for (unsigned i = 0; i < COUNT(rules); i++) {
        char name[16];
        snprintf(name, sizeof name, "connection-%u", i);
        const struct rpcrdma_finding finding = {.rule = rules[i],
                                                .severity = RPCRDMA_VIOLATION,
                                                .from = RPCRDMA_CLIENT,
                                                .offset = RPCRDMA_NO_OFFSET,
                                                .format = "a message with XID 0x%x",
                                                .value = {i}};
        live_finding(&results, &(struct live_case){"proxy", name, "What it is."}, &event, &finding);
    }
    result_groups_make(&groups, &results);
    ck_assert_uint_eq(groups.count, 2);
    ck_assert_uint_eq(groups.list[0].count, 2);
    ck_assert_str_eq(groups.list[0].cause, "rfc8166/2.2.2/xid-unique");
    result_groups_free(&groups);
    results_free(&results);
}
END_TEST

/* What is expected, and was not met since the run was cut short, is no failure of the run. */
START_TEST(what_was_not_run_is_not_missed)
{
    for (int cut = 0; cut < 2; cut++) {
        char file[] = "/tmp/live_result_test.XXXXXX";
        int fd = mkstemp(file);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(dprintf(fd, "later closed\n"), 13);
        close(fd);
        struct live live = LIVE_DEFAULT;
        live.reports.known_file = file;
        ck_assert_int_eq(live_prepare(&live), STATUS_GOOD);
        struct results results = {0};
        add_ended(&results, "first", ENDING_REQUIRED);
        live.reports.incomplete = cut ? "it was cut short" : NULL;
        ck_assert_int_eq(live_report(&live, "who", &results), cut ? STATUS_GOOD : STATUS_VIOLATED);
        known_free(&live.reports.known);
        unlink(file);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live results");
    TCase *tests = tcase_create("live results");
    tcase_add_test(tests, results_have_the_level_of_their_rule);
    tcase_add_test(tests, a_death_excuses_its_case);
    tcase_add_test(tests, findings_of_a_rule_are_one_group);
    tcase_add_test(tests, what_was_not_run_is_not_missed);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
