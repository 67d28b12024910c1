// SPDX-License-Identifier: BSD-3-Clause
/*
 * Peers that die in some cases, and are started again: each death is charged to its case, all other
 * cases run, and the exit status is not 0 if one did not run.
 */
#include "rxe-harness/tests/support/command_stage.h"

#include "rxe-harness/commands/commands.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the peer ---- */

/* How it dies. */
enum way {
    AT_END,  /* when the connection of a deadly case ends, however long after the case */
    AT_SEND, /* by the first Send of the case, before it answers */
    WAYS,
    IN_LOG = WAYS /* it lives on, and its log tells of a crash, at every Send of the case */
};

#define REFUSALS 5 /* connections that are refused until somebody has started it again */

static struct {
    enum way way;
    unsigned lives;        /* connections that it accepts before it is gone for good */
    unsigned refusals;     /* that are left */
    bool stays_down;       /* until the file `sign` is there */
    bool once;             /* it refuses once, and lives on */
    unsigned deaths, last; /* so far; after this many it is gone for good, if it is not 0 */
} peer_state;

/* One of its connections. Its death ends them all. */
struct life {
    struct responder *responder;
    struct link *link;
    struct life *next;
    const char *doomed; /* the deadly case that it belongs to, or NULL */
    bool is_over;
};

static struct life *lives;
/* Cases that had no time to kill it: it died of another one before their connection ended. */
static const char *spared[32];
static unsigned spared_count;
static struct link_ops honest, watched_ops;
static char sign[] = P_tmpdir "/probe-restart-XXXXXX";

/* By what a case is called: these, each an allowed close; or one of twenty. */
static const char *const deadly[] = {"pull-5-in-3", "calls-in-a-row", "echo-chunks"};
static bool has_deadly, one_of_twenty;
/* Or whatever the case: by a version that it does not speak. */
static bool dies_of_versions;

static bool is_deadly_send(const struct link_event *event)
{
    return dies_of_versions && event->length >= 8 && rpcrdma_xdr_load32(event->octets + 4) > 9;
}

static bool is_deadly(const char *id)
{
    uint32_t hash = 0;
    for (const char *at = id; at && *at; at++)
        hash = hash * 31 + (uint8_t)*at;
    if (one_of_twenty)
        return id && hash % 20 == 0;
    for (size_t i = 0; has_deadly && id && i < COUNT(deadly); i++)
        if (strcmp(id, deadly[i]) == 0)
            return true;
    return false;
}

static void die(void)
{
    if (++peer_state.deaths == peer_state.last)
        peer_state.lives = 0;
    peer_state.refusals = REFUSALS;
    for (struct life *life = lives; life; life = life->next) {
        life->is_over = true;
        life->link->ops->close(life->link);
    }
}

/* A line of a process, which is nothing, and two of a kernel: one result. */
static void write_log(const char *id)
{
    FILE *out = fopen(sign, "a");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "traps: BUG: of a process\nBUG: KASAN: in %s\nOops: in %s\n", id, id);
    fclose(out);
}

static bool is_null(const struct link_event *event)
{
    return event->length == 68 && rpcrdma_xdr_load32(event->octets + 48) == 0 &&
           rpcrdma_xdr_load32(event->octets + 40) == TEST_PROGRAM;
}

static void wait_watched(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || !(is_deadly(command_stage_case) || is_deadly_send(event)))
        return;
    if (peer_state.way == IN_LOG) {
        write_log(command_stage_case);
        return;
    }
    for (struct life *life = lives; life; life = life->next)
        if (life->link == link)
            life->doomed = command_stage_case;
    if (peer_state.way == AT_SEND && !is_null(event)) {
        die();
        *event = (struct link_event){.type = LINK_CLOSED};
    }
}

static void *begin(void *arg, struct link *link)
{
    if (peer_state.lives == 0)
        return NULL;
    if (peer_state.refusals > 0 && (!peer_state.stays_down || access(sign, F_OK) != 0)) {
        peer_state.refusals -= !peer_state.stays_down;
        return NULL;
    }
    if (peer_state.stays_down) {
        peer_state.refusals = 0;
        unlink(sign);
    }
    peer_state.lives--;
    honest = *link->ops;
    watched_ops = honest;
    watched_ops.wait = wait_watched;
    link->ops = &watched_ops;
    struct life *life = calloc(1, sizeof *life);
    *life = (struct life){responder_new(link), link, lives, NULL, false};
    lives = life;
    return life;
}

static bool step(void *peer)
{
    struct life *life = peer;
    return !life->is_over && responder_step(life->responder, 0);
}

static void end(void *peer)
{
    struct life *life = peer, **at = &lives;
    while (*at != life)
        at = &(*at)->next;
    *at = life->next;
    if (life->doomed && !life->is_over && peer_state.once && peer_state.deaths++ == 0)
        peer_state.refusals = 3;
    else if (life->doomed && !life->is_over && !peer_state.once)
        die();
    else if (life->doomed && spared_count < COUNT(spared))
        spared[spared_count++] = life->doomed;
    responder_free(life->responder);
    free(life);
}

static bool was_spared(const char *id)
{
    for (unsigned i = 0; i < spared_count; i++)
        if (peer_state.way == AT_END && strcmp(spared[i], id) == 0)
            return true;
    return false;
}

static struct transport *mortal(void)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    return transport_loopback(&peer);
}

static void live_again(void)
{
    memset(&peer_state, 0, sizeof peer_state);
    peer_state.lives = UINT32_MAX;
    has_deadly = one_of_twenty = dies_of_versions = false;
    spared_count = 0;
    command_stage_case = NULL;
    strcpy(sign + sizeof sign - 7, "XXXXXX");
    int descriptor = mkstemp(sign);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    unlink(sign);
}

static struct probe probe_mortal(void)
{
    return (struct probe){.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .wait = 2000},
                          .peer = {.transport = mortal(), .invalidates = true}};
}

static void finish(struct probe *probe)
{
    probe->peer.dead = true; /* then what is in doubt stays so, and is forgotten */
    probe_doubts_begin(probe);
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

static unsigned count_crashed(const struct probe *probe)
{
    unsigned crashed = 0;
    for (size_t i = 0; i < probe->run.results.count; i++)
        crashed += probe->run.results.list[i].ending == ENDING_CRASHED;
    return crashed;
}

/* ---- tests ---- */

/* In the middle: the rest is not applicable, and it takes no time. */
START_TEST(a_peer_may_die)
{
    struct probe probe = probe_mortal();
    unsigned untested = 0;
    probe.options.wait = 0;
    peer_state.lives = 100;
    ck_assert(probe_begin(&probe));
    probe_run_table(&probe);
    probe_end(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const char *first = strstr(probe.run.results.list[i].actual, "the peer died");
        untested += probe.run.results.list[i].ending == ENDING_NOT_APPLICABLE;
        ck_assert(first == NULL || strstr(first + 1, "the peer died") == NULL); /* once */
    }
    ck_assert_uint_eq(count_crashed(&probe), 1);
    ck_assert_uint_gt(untested, 100);
    ck_assert_uint_eq(untested, probe.run.not_run);
    ck_assert_ptr_nonnull(probe.run.stopped);
    finish(&probe);
}
END_TEST

/* Two refusals are borne, a third one is not. */
START_TEST(a_peer_may_refuse_twice)
{
    struct probe probe = probe_mortal();
    peer_state.refusals = (unsigned)_i;
    ck_assert_int_eq(probe_connect(&probe) != NULL, _i < 3);
    ck_assert_uint_eq(peer_state.refusals, 0);
    probe_disconnect(&probe);
    finish(&probe);
}
END_TEST

START_TEST(each_death_is_charged)
{
    struct probe probe = probe_mortal();
    size_t expected = _i == 1 ? 1 : COUNT(deadly);
    has_deadly = true;
    ck_assert(probe_begin(&probe));
    if (_i == 1) /* as the only case of the run */
        chosen_add(&probe.options.cases, deadly[0]);
    probe_run_cases(&probe);
    probe_end(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_msg((result->ending == ENDING_CRASHED) == is_deadly(result->test), "%s: %s",
                      result->test, result->actual);
        if (result->ending == ENDING_CRASHED)
            ck_assert_ptr_nonnull(strstr(result->actual, "(the peer rejected the connection)"));
    }
    ck_assert_uint_eq(count_crashed(&probe), expected);
    ck_assert_uint_eq(probe.run.not_run, 0);
    ck_assert_ptr_null(probe.run.stopped);
    finish(&probe);
}
END_TEST

/* One case of twenty, of those with several Sends and of the vectors. */
START_TEST(one_death_in_twenty_cases)
{
    struct probe probe = probe_mortal();
    unsigned crashed = 0, ran = 0;
    peer_state.way = (enum way)_i;
    one_of_twenty = true;
    probe.options.hazards.all = true;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        bool died = result->ending == ENDING_CRASHED;
        if (result->ending == ENDING_NOT_APPLICABLE || strcmp(result->from, "client") != 0)
            continue; /* or a finding */
        ran++;
        crashed += died;
        ck_assert_msg(died == (is_deadly(result->test) && !was_spared(result->test)), "%s: %s",
                      result->test, result->actual);
        ck_assert_msg(died || !ending_is_failure(result->ending), "%s: %s", result->test,
                      result->actual);
        ck_assert_msg(died || !strstr(result->actual, "then the end of the connection"), "%s: %s",
                      result->test, result->actual);
    }
    printf("%u of %u cases killed the peer, %u came too late\n", crashed, ran,
           peer_state.way == AT_END ? spared_count : 0);
    ck_assert_uint_gt(ran, 400);
    ck_assert_uint_gt(crashed, 15);
    ck_assert_uint_eq(crashed, peer_state.deaths);
    ck_assert_uint_eq(probe.run.not_run, 0);
    ck_assert_ptr_null(probe.run.stopped);
    finish(&probe);
}
END_TEST

/* A peer that lives, and whose log tells of a crash in some cases: one result each, beside that of
 * the case. */
START_TEST(what_the_log_says_is_charged)
{
    struct probe probe = probe_mortal();
    char text[128];
    write_log("what was before");
    probe.run.log.path = sign;
    peer_state.way = IN_LOG;
    has_deadly = true;
    ck_assert(peer_log_begin(&probe.run.log));
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_end(&probe);
    probe_name(&probe, NULL, NULL);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        snprintf(text, sizeof text, "%s: BUG: KASAN: in %s", sign, result->test);
        ck_assert_msg(result->ending != ENDING_CRASHED || strcmp(result->actual, text) == 0,
                      "%s: %s", result->test, result->actual);
    }
    ck_assert_uint_eq(count_crashed(&probe), COUNT(deadly));
    peer_log_end(&probe.run.log);
    unlink(sign);
    finish(&probe);
}
END_TEST

/* It does not come back by itself, but by the command. */
START_TEST(a_command_brings_it_back)
{
    struct probe probe = probe_mortal();
    char command[128];
    snprintf(command, sizeof command, "touch %s", sign);
    probe.options.wait = 10;
    probe.options.restart = _i == 0 ? command : NULL;
    peer_state.stays_down = true;
    has_deadly = true;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_end(&probe);
    ck_assert_uint_eq(count_crashed(&probe), _i == 0 ? COUNT(deadly) : 1);
    ck_assert_uint_eq(probe.run.not_run > 0, _i == 1);
    ck_assert(_i == 0 || strcmp(probe.run.stopped, deadly[0]) == 0);
    unlink(sign);
    finish(&probe);
}
END_TEST

START_TEST(a_peer_may_be_absent)
{
    struct probe probe = probe_mortal();
    peer_state.lives = 0;
    ck_assert(!probe_begin(&probe));
    ck_assert_str_ne(probe.peer.transport->error, "");
    finish(&probe);
}
END_TEST

/* ---- by the command ---- */

static struct transport *open_mortal(const char *address, bool listen, char *error,
                                     size_t error_size)
{
    return mortal();
}

static struct command_stage stage = {.command = cmd_probe, .open = open_mortal};

/* The cases that a list of known failures holds, each of which has to be deadly. */
static unsigned count_known_deaths(void)
{
    char row[512];
    unsigned deaths = 0;
    FILE *in = fopen(sign, "r");
    ck_assert_ptr_nonnull(in);
    while (fgets(row, sizeof row, in)) {
        char *blank = strchr(row, ' ');
        if (row[0] == '#' || blank == NULL)
            continue;
        *blank = '\0';
        ck_assert_msg(is_deadly(row) && strncmp(blank + 1, "crashed", 7) == 0, "%s %s", row,
                      blank + 1);
        deaths++;
    }
    fclose(in);
    return deaths;
}

#define COMMAND "probe --hazardous --program 536904039 --version 1 --timeout 1 "

/* A list of the deaths makes the next run good, unless a case was not run: then even where nothing
 * happened that is not on it. */
START_TEST(known_deaths_and_the_exit_status)
{
    char line[512];
    one_of_twenty = true;
    peer_state.way = AT_SEND; /* at the end, it depends on time which of two deaths comes first */
    snprintf(line, sizeof line, COMMAND "--wait 5 --write-known %s 192.0.2.1", sign);
    ck_assert_msg(command_stage_run(&stage, line) == 1, "%s", stage.out);
    ck_assert_ptr_null(strstr(stage.out, "stopped at"));
    unsigned deaths = count_known_deaths();
    ck_assert_uint_gt(deaths, 15);

    snprintf(line, sizeof line, COMMAND "--wait 5 --known %s 192.0.2.1", sign);
    ck_assert_msg(command_stage_run(&stage, line) == 0, "%s", stage.out);

    peer_state.last = deaths;
    snprintf(line, sizeof line, COMMAND "--wait 1 --known %s 192.0.2.1", sign);
    ck_assert_msg(command_stage_run(&stage, line) == 1, "%s", stage.out);
    ck_assert_ptr_nonnull(strstr(stage.out, "stopped at"));
    ck_assert_ptr_null(strstr(stage.out, "did not occur"));
    unlink(sign);
}
END_TEST

/* A connection that did not come about once may be chance: who refuses a while and lives is not
 * accused. Who dies each time, or had to be started again, is. */
START_TEST(a_peer_that_is_there_again_dies_twice)
{
    static const struct {
        bool once;
        unsigned last;
        const char *options;
        int status;
        const char *words;
    } rows[] = {{true, 0, "", 0, "but there was one when it was run again"},
                {true, 0, "--restart true ", 1, "3 results, 1 failed"},
                {false, 0, "", 1, "3 results, 3 failed"},
                {false, 4, "", 1, "3 results, 3 failed"}}; /* and is gone before all ran again */
    char line[512];
    has_deadly = true;
    peer_state.once = rows[_i].once;
    peer_state.last = rows[_i].last;
    snprintf(line, sizeof line,
             COMMAND "--wait 1 %s--case pull-5-in-3,calls-in-a-row,echo-chunks 192.0.2.1",
             rows[_i].options);
    ck_assert_msg(command_stage_run(&stage, line) == rows[_i].status, "%s", stage.out);
    ck_assert_msg(strstr(stage.out, rows[_i].words) != NULL, "%s", stage.out);
    /* Each ran once; that not all ran again leaves none out. */
    ck_assert_msg(strstr(stage.out, " not run") == NULL, "%s", stage.out);
}
END_TEST

/* What killed the peer is in no row of what it bore. */
START_TEST(a_random_death_is_no_success)
{
    unsigned deaths = 0;
    dies_of_versions = true; /* at the end of the connection, after the right answer */
    ck_assert_msg(command_stage_run(&stage, COMMAND "--wait 5 --tap --random=1 --conversations 200 "
                                                    "192.0.2.1") == 1,
                  "%s", stage.out);
    for (const char *row = stage.out; (row = strstr(row, " - random-version")) != NULL; row++) {
        while (row > stage.out && row[-1] != '\n')
            row--;
        ck_assert_msg(strncmp(row, "not ok ", 7) == 0, "%s", stage.out);
        row = strstr(row, " - random-version");
        deaths++;
    }
    ck_assert_msg(deaths > 0, "%s", stage.out);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("death");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, live_again, NULL);
    tcase_add_test(tests, a_peer_may_die);
    tcase_add_loop_test(tests, a_peer_may_refuse_twice, 0, 4);
    tcase_add_loop_test(tests, each_death_is_charged, 0, 2);
    tcase_add_loop_test(tests, one_death_in_twenty_cases, 0, WAYS);
    tcase_add_test(tests, what_the_log_says_is_charged);
    tcase_add_loop_test(tests, a_command_brings_it_back, 0, 2);
    tcase_add_test(tests, a_peer_may_be_absent);
    tcase_add_test(tests, known_deaths_and_the_exit_status);
    tcase_add_loop_test(tests, a_peer_that_is_there_again_dies_twice, 0, 4);
    tcase_add_test(tests, a_random_death_is_no_success);
    return run_tests("death", tests);
}
