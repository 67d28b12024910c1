// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma proxy` as it is called, between clients that are sound and the reference Responder: what
 * its options write, and with which status it ends. */
#include "rxe-harness/tests/support/command_stage.h"
#include "rxe-harness/tests/support/hostile_link.h"
#include "rxe-harness/tests/support/links/capture_stage.h"

#include "conformance/run/run.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 4 /* of a client that is sound */
#define OLD "yesterday\n"
#define FAULTS 14 /* in proxy_faults[] */

static unsigned clients;        /* that come; 0: without end */
static bool nobody;             /* comes */
static const char *unreachable; /* this address is */
static struct hostile coming;

static struct transport *open_sound(const char *address, bool listen, char *error,
                                    size_t error_size)
{
    if (unreachable && strcmp(address, unreachable) == 0) {
        snprintf(error, error_size, "no such host");
        return NULL;
    }
    coming = (struct hostile){.connections = nobody ? 1 : clients, .opened = nobody};
    return listen ? hostile_open(&coming) : responder_loopback();
}

static struct command_stage stage = {.command = cmd_proxy, .open = open_sound, .limit = 60};
static char folder[] = "/tmp/proxy_command.XXXXXX", capture[64], record[64];

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static bool has(const char *name, const char *text)
{
    char is[64] = "";
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    is[fread(is, 1, sizeof is - 1, file)] = '\0';
    fclose(file);
    return strcmp(is, text) == 0;
}

static bool contains(const char *name, const char *text)
{
    char line[65536];
    bool found = false;
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    while (!found && fgets(line, sizeof line, file))
        found = strstr(line, text) != NULL;
    fclose(file);
    return found;
}

static void set_up(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(capture, sizeof capture, "%s/capture.pcap", folder);
    snprintf(record, sizeof record, "%s/record.json", folder);
    clients = 3;
    nobody = false;
    unreachable = NULL;
}

static void tear_down(void)
{
    unlink(capture);
    unlink(record);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left */
}

/* Returns its status. */
static int run(const char *options)
{
    char line[512];
    snprintf(line, sizeof line, "proxy --timeout 1 --capture %s --record %s %s 192.0.2.1 192.0.2.2",
             capture, record, options);
    return command_stage_run(&stage, line);
}

static void says(const char *text)
{
    ck_assert_msg(strstr(stage.out, text) != NULL, "no '%s' in: %.2000s", text, stage.out);
}

static size_t recorded_sends(void)
{
    struct corpus corpus = {0};
    size_t sends = 0;
    corpus_add(&corpus, record);
    ck_assert_int_eq(corpus.status, 0);
    ck_assert_uint_eq(corpus.count, 1);
    for (size_t i = 0; i < corpus.files[0].count; i++)
        for (size_t n = 0; n < corpus.files[0].tests[i].count; n++)
            sends += corpus.files[0].tests[i].events[n].event.type == RPCRDMA_EVENT_SEND;
    corpus_free(&corpus);
    return sends;
}

START_TEST(all_is_captured_and_recorded)
{
    struct captured captured;
    ck_assert_msg(run("") == 0, "%s", stage.out);
    says("clients of 192.0.2.1, and 192.0.2.2: 3 results, 0 failed");
    read_capture(capture, &captured);
    ck_assert_uint_eq(captured.connections, 3);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 3 * CALLS);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 3 * CALLS);
    ck_assert_uint_eq(captured.findings, 0);
    ck_assert_uint_eq(recorded_sends(), 2 * 3 * CALLS);
}
END_TEST

/* It ends after that many connections, though more would come. */
START_TEST(connections_are_counted)
{
    clients = 0;
    ck_assert_int_eq(run("--connections 2"), 0);
    says(": 2 results, 0 failed");
    ck_assert_uint_eq(recorded_sends(), 2 * 2 * CALLS);
}
END_TEST

static size_t recorded_gaps(void)
{
    struct corpus corpus = {0};
    size_t gaps = 0;
    corpus_add(&corpus, record);
    ck_assert_int_eq(corpus.status, 0);
    for (size_t i = 0; i < corpus.files[0].count; i++)
        for (size_t n = 0; n < corpus.files[0].tests[i].count; n++)
            gaps += corpus.files[0].tests[i].events[n].event.type == RPCRDMA_EVENT_GAP;
    corpus_free(&corpus);
    return gaps;
}

/* Of the record with the checker, by itself. */
static size_t disagreements(void)
{
    struct corpus corpus = {0};
    struct results results = {0};
    corpus_add(&corpus, record);
    run_checker(&corpus, &results);
    ck_assert_uint_gt(results.count, 1);
    size_t failed = results_failed(&results);
    results_free(&results);
    corpus_free(&corpus);
    return failed;
}

/* The fault has a row, and a mark in the record; what comes of it is charged to nobody, now and
 * when the record is checked. */
START_TEST(a_fault_is_injected)
{
    char option[64], told[128];
    const struct proxy_fault *fault = &proxy_faults[_i];
    snprintf(option, sizeof option, "--connections 1 --fault %s:2", fault->name);
    ck_assert_msg(run(option) == 0, "%s", stage.out);
    says("2 results, 0 failed");
    ck_assert_uint_eq(recorded_gaps(), 1);
    snprintf(told, sizeof told, "{\"from\":\"%s\",\"gap\":\"fault %s:2\"}",
             fault->from == RPCRDMA_CLIENT ? "client" : "server", fault->name);
    ck_assert_msg(contains(record, told), "no %s", told);
    ck_assert_uint_eq(disagreements(), 0);
}
END_TEST

START_TEST(a_fault_is_told)
{
    ck_assert_int_eq(run("--connections 1 --fault drop-reply:2"), 0);
    says("drop-reply:2: injected into Send 2 of the server on connection 1: a Reply, NULL (XID 0x");
}
END_TEST

/* Each Send of the side counts, of whichever connection. */
START_TEST(a_fault_never_comes)
{
    char option[64];
    snprintf(option, sizeof option, "--fault drop-reply:%u", 3 * CALLS + 1);
    ck_assert_int_eq(run(option), 1);
    says("not injected: the server sent 12 messages");
    ck_assert_uint_eq(recorded_gaps(), 0);
}
END_TEST

/* Where nothing was relayed the files of yesterday stay. */
START_TEST(nobody_comes)
{
    static const char *const nowhere[] = {NULL, "192.0.2.1", "192.0.2.2"};
    unreachable = nowhere[_i];
    nobody = true;
    put(capture, OLD);
    put(record, OLD);
    ck_assert_int_eq(run(""), 4);
    says(_i == 0 ? "192.0.2.1: no connection was relayed" : "no such host");
    ck_assert(has(capture, OLD) && has(record, OLD));
}
END_TEST

START_TEST(nothing_can_be_written)
{
    snprintf(_i == 0 ? capture : record, sizeof capture, "%s/none/file", folder);
    ck_assert_int_eq(run(""), 3);
    says("/none/file: No such file or directory");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("runs");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, all_is_captured_and_recorded);
    tcase_add_test(tests, connections_are_counted);
    tcase_add_loop_test(tests, a_fault_is_injected, 0, FAULTS);
    tcase_add_test(tests, a_fault_is_told);
    tcase_add_test(tests, a_fault_never_comes);
    tcase_add_loop_test(tests, nobody_comes, 0, 3);
    tcase_add_loop_test(tests, nothing_can_be_written, 0, 2);
    return run_tests("proxy, as it is called", tests);
}
