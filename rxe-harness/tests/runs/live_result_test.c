// SPDX-License-Identifier: BSD-3-Clause
/* Live results: their level, what is charged to a peer, what an unfinished run says. */
#include "rxe-harness/report/live.h"

#include "rxe-harness/transport/user/wire.h"
#include "rxe-harness/transport/watched.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"
#include "conformance/report/results/results_groups.h"
#include "codec/tests/support/run_suite.h"

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

/* A peer that takes no connection afterwards has died all the same. */
START_TEST(a_death_excuses_no_crash)
{
    struct live live = LIVE_DEFAULT;
    struct results results = {0};
    add_ended(&results, "good", ENDING_REQUIRED);
    wire_died();
    add_ended(&results, "within", ENDING_CRASHED);
    ck_assert_int_eq(live_report(&live, "who", &results), STATUS_VIOLATED);
    known_free(&live.reports.known);
}
END_TEST

/* One of this rule, of a case of this name; whether it is reported. */
static bool add_finding(struct results *results, const char *name, enum rpcrdma_rule rule)
{
    static const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .from = RPCRDMA_SERVER};
    const struct rpcrdma_finding finding = {.rule = rule,
                                            .severity = RPCRDMA_VIOLATION,
                                            .from = RPCRDMA_SERVER,
                                            .offset = RPCRDMA_NO_OFFSET,
                                            .format = "it"};
    const struct live_case about = {"proxy", name, "What it is."};
    const struct result *result = live_finding(results, &about, &event, &finding);
    if (result) {
        ck_assert_int_eq(result->ending, ENDING_WRONG);
        ck_assert_int_eq(result->offset, -1);
        ck_assert_str_eq(result->from, "server");
    }
    return result != NULL;
}

/* Once in a case, whatever else comes between. */
START_TEST(a_finding_is_told_once_a_case)
{
    enum rpcrdma_rule rule = RPCRDMA_RFC8166_2_2_2_XID_UNIQUE,
                      other = RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL;
    struct results results = {0};
    ck_assert(add_finding(&results, "first", rule));
    ck_assert(add_finding(&results, "first", other));
    ck_assert(!add_finding(&results, "first", rule));
    ck_assert(add_finding(&results, "second", rule));
    ck_assert(!add_finding(&results, "second", rule));
    ck_assert_uint_eq(results.count, 3);
    results_free(&results);
}
END_TEST

/* The findings of a Requester alone, and no notes; each with its place, which the first octet is,
 * too. */
START_TEST(only_the_requester_is_charged)
{
    static const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND};
    const struct live_case about = {"serve", "case", "What it is."};
    for (int row = 0; row < 5; row++) {
        struct results results = {0};
        struct rpcrdma_judgement judgement = {.count = 1};
        judgement.findings[0] =
            (struct rpcrdma_finding){.rule = RPCRDMA_RFC8166_2_2_2_XID_UNIQUE,
                                     .severity = row & 1 ? RPCRDMA_NOTE : RPCRDMA_VIOLATION,
                                     .from = row & 2 ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
                                     .offset = row & 4 ? 0 : 8,
                                     .format = "it"};
        live_requester_findings(&results, &about, &event, &judgement);
        ck_assert_uint_eq(results.count, row % 4 == 0);
        if (row % 4 == 0) {
            ck_assert_str_eq(results.list[0].from, "client");
            ck_assert_int_eq(results.list[0].offset, row == 0 ? 8 : 0);
        }
        results_free(&results);
    }
}
END_TEST

/* Failures have what led to them, up to a number; what is good takes no place of theirs. */
START_TEST(the_first_failures_are_drawn)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct results results = {0};
    struct watched watched = {.side = RPCRDMA_CLIENT};
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                        .from = RPCRDMA_CLIENT,
                                        .data = (const uint8_t *)"octets of no header",
                                        .length = 19};
    watched_keep_scenes();
    ck_assert(watched_init(&watched, &config));
    watched_judge(&watched, &event);
    for (unsigned i = 0; i < RESULT_LADDERS + 2; i++) {
        add_ended(&results, "good", ENDING_REQUIRED);
        add_ended(&results, "bad", ENDING_WRONG);
    }
    unsigned drawn = 0;
    for (size_t i = 0; i < results.count; i++) {
        drawn += results.list[i].scene != NULL;
        ck_assert_int_eq(results.list[i].scene != NULL, i % 2 == 1 && i < 2 * RESULT_LADDERS);
    }
    ck_assert_uint_eq(drawn, RESULT_LADDERS);
    ck_assert_uint_eq(results.scenes, RESULT_LADDERS);
    watched_free(&watched);
    watched_forget_scene();
    results_free(&results);
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
    TCase *tests = tcase_create("live results");
    tcase_add_test(tests, results_have_the_level_of_their_rule);
    tcase_add_test(tests, a_death_excuses_its_case);
    tcase_add_test(tests, a_death_excuses_no_crash);
    tcase_add_test(tests, a_finding_is_told_once_a_case);
    tcase_add_test(tests, only_the_requester_is_charged);
    tcase_add_test(tests, findings_of_a_rule_are_one_group);
    tcase_add_test(tests, what_was_not_run_is_not_missed);
    tcase_add_test(tests, the_first_failures_are_drawn);
    return run_tests("live results", tests);
}
