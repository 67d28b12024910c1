// SPDX-License-Identifier: BSD-3-Clause
/*
 * Peers that do harm to each live command: it ends in the time of its row, in bounded memory, with
 * the status that is documented, and says what the peer did. TABLE=1 prints times and memory.
 */
#include "rxe-harness/tests/support/command_stage.h"
#include "rxe-harness/tests/support/hostile_link.h"

#include "conformance/base/count.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE "probe --program 536904039 --version 1 --timeout 1 --wait 1 192.0.2.1"
#define SERVE "serve --timeout 1 192.0.2.1 --case runt-reply"
#define SERVE2 "serve --timeout 1 192.0.2.1 --case v2-reverse --draft "
#define PROXY "proxy --timeout 1 192.0.2.1 192.0.2.2"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#define SANITIZED __has_feature(address_sanitizer) /* which takes memory of its own */

#define NOT HOSTILE_NOT
#define MEMORY_MAX (64L << 10) /* KiB */
#define TIMES 3                /* that a busy machine, with sanitizers, may take longer */

static const struct row {
    const char *line;
    int (*command)(int argc, char **argv);
    enum hostile_manner client, server;
    unsigned connections;        /* of clients */
    unsigned sound;              /* messages before the server does harm */
    unsigned seconds, interrupt; /* interrupt: milliseconds after which it is, or 0 */
    int status;
    const char *says;
} rows[] = {
    /* ---- a Responder ---- */
    {PROBE, cmd_probe, NOT, HOSTILE_SILENT, 0, 0, 6, 0, 4, "the peer answers no NULL"},
    {PROBE, cmd_probe, NOT, HOSTILE_DRIPS, 0, 0, 6, 0, 4, "the peer answers no NULL"},
    {PROBE, cmd_probe, NOT, HOSTILE_FLOODS, 0, 0, 6, 0, 4, "messages came, and not its Reply"},
    {PROBE, cmd_probe, NOT, HOSTILE_HURRY, 0, 0, 6, 0, 4, "version 1: the peer has left"},
    {PROBE, cmd_probe, NOT, HOSTILE_DRIPS, 0, 60, 20, 0, 1, "2.2.2/reply-matches-call"},
    {PROBE " --random=1 --seconds 2", cmd_probe, NOT, HOSTILE_SILENT, 0, 60, 5, 0, 1,
     "no answer to NULL"},
    /* ---- a Requester ---- */
    {SERVE, cmd_serve, HOSTILE_SILENT, NOT, 1000, 0, 6, 0, 4, "the Requester makes no Calls"},
    {"serve --timeout 1 192.0.2.1", cmd_serve, HOSTILE_SILENT, NOT, 1000, 0, 6, 0, 4,
     "the Requester makes no Calls"},
    {SERVE, cmd_serve, HOSTILE_FLOODS, NOT, 1000, 0, 6, 0, 1, "4.2.2/version-one"},
    {SERVE, cmd_serve, HOSTILE_DRIPS, NOT, 1000, 0, 12, 0, 1, "2.2.2/reply-matches-call"},
    {SERVE, cmd_serve, HOSTILE_PIECES, NOT, 1000, 0, 12, 0, 1, "4.1/pieces-not-mixed"},
    {SERVE, cmd_serve, HOSTILE_HURRY, NOT, 1000, 0, 3, 0, 4, "none of 8 connections"},
    {"serve --timeout 25 192.0.2.1", cmd_serve, HOSTILE_FLOODS, NOT, 1000, 0, 30, 0, 1,
     "the Requester makes no Calls"},
    {"serve --timeout 1 192.0.2.1", cmd_serve, HOSTILE_LEAVES, NOT, 1000, 0, 3, 0, 0,
     "not applicable"},
    {SERVE2 "04", cmd_serve, HOSTILE_SILENT, NOT, 1000, 0, 6, 0, 4, "none of 2 connections"},
    {"serve --timeout 25 192.0.2.1 --draft 07", cmd_serve, HOSTILE_FLOODS, NOT, 1000, 0, 30, 0, 1,
     "the Requester makes no Calls"},
    {SERVE2 "04", cmd_serve, HOSTILE_FLOODS, NOT, 1000, 0, 6, 0, 1, "4.2.2/version-one"},
    {SERVE2 "07", cmd_serve, HOSTILE_PIECES, NOT, 1000, 0, 3, 0, 1, "4.1/pieces-not-mixed"},
    {SERVE2 "07", cmd_serve, HOSTILE_DRIPS, NOT, 1000, 0, 6, 0, 1, "2.2.2/reply-matches-call"},
    /* ---- either, through the proxy ---- */
    {PROXY, cmd_proxy, HOSTILE_SILENT, NOT, 4, 0, 6, 2000, 0, "4 results"},
    {PROXY, cmd_proxy, HOSTILE_SILENT, NOT, 100, 0, 6, 2000, 0, "100 results"}, /* all at once */
    {PROXY, cmd_proxy, HOSTILE_FLOODS, NOT, 4, 0, 6, 2000, 1, "4.2.2/version-one"},
    {PROXY, cmd_proxy, HOSTILE_PIECES, NOT, 4, 0, 6, 2000, 1, "client sent"},
    {PROXY, cmd_proxy, HOSTILE_HURRY, NOT, 1000, 0, 6, 0, 0, "1000 results, 0 failed"},
    {PROXY, cmd_proxy, HOSTILE_LEAVES, NOT, 1000, 0, 6, 0, 0, "1000 results, 0 failed"},
    {PROXY, cmd_proxy, NOT, NOT, 1000, 0, 6, 0, 0, "1000 results, 0 failed"},
    {PROXY, cmd_proxy, NOT, HOSTILE_SILENT, 4, 1, 6, 0, 1, "of them unanswered"},
    {PROXY, cmd_proxy, NOT, HOSTILE_FLOODS, 4, 1, 6, 0, 1, "server sent"},
    {PROXY, cmd_proxy, NOT, HOSTILE_XIDS, 4, 1, 6, 0, 1, "2.2.2/reply-matches-call"},
    {PROXY, cmd_proxy, NOT, HOSTILE_HURRY, 1000, 1, 6, 0, 1, "of them unanswered"},
    {PROXY, cmd_proxy, NOT, HOSTILE_LEAVES, 1000, 1, 6, 0, 1, "of them unanswered"},
};

static const struct row *row;
static struct hostile clients, servers;

static struct transport *open_hostile(const char *address, bool listen, char *error,
                                      size_t error_size)
{
    (void)address, (void)error, (void)error_size;
    if (listen) {
        clients = (struct hostile){.manner = row->client, .connections = row->connections};
        return hostile_open(&clients);
    }
    servers =
        (struct hostile){.manner = row->server, .sound = row->sound, .inner = responder_loopback()};
    return hostile_open(&servers);
}

static struct command_stage stage = {.open = open_hostile};

START_TEST(ends_and_says_what_was_done)
{
    row = &rows[_i];
    stage.command = row->command;
    stage.limit = TIMES * row->seconds;
    stage.interrupt = row->interrupt;
    int status = command_stage_run(&stage, row->line);
    if (getenv("TABLE"))
        printf("%-60s manner %d %d: %6lld ms, %7ld KiB, status %d\n", row->line, (int)row->client,
               (int)row->server, (long long)stage.time, stage.kibibytes, status);
    ck_assert_msg(status == row->status, "row %d: status %d, not %d: %.2000s", _i, status,
                  row->status, stage.out);
    ck_assert_msg(strstr(stage.out, row->says) != NULL, "row %d: no '%s' in: %.3000s", _i,
                  row->says, stage.out);
    ck_assert_int_le(stage.time, 1000 * (int64_t)(TIMES * row->seconds));
    if (!SANITIZED)
        ck_assert_int_le(stage.kibibytes, MEMORY_MAX);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("hostile peers");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, ends_and_says_what_was_done, 0, COUNT(rows));
    return run_tests("hostile peers", tests);
}
