// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: somebody's parser compared with the strict checker. Each Send is given to it twice,
 * as to a Responder and as to a Requester, and its answer is checked against the reactions that the
 * specification leaves open.
 *
 * With KIT_CONTINUE libFuzzer is run in its fork mode: the parser may crash, and the run goes on.
 */
#include "fuzz/kit/compare.h"
#include "fuzz/kit/version2/compare.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* libFuzzer's own; there is none in a replayer or under another fuzzer. */
extern int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *, size_t))
    __attribute__((weak));
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* No Send is longer; the checker takes what comes. */
#define SEND_MAX 262144
/* libFuzzer's own status of a child that was interrupted: its parent ends as well. */
#define INTERRUPTED 72
#define INTERRUPTED_BY_USER 130
#define OPTIONS_MAX 64
#define PATIENCE 100 /* tenths of a second */

static struct tolerance tolerance;

/* ---- settings, out of the environment ---- */

static uint64_t number_of(const char *name, uint64_t fallback)
{
    char *end;
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0')
        return fallback;
    unsigned long long number = strtoull(text, &end, 0);
    if (*end != '\0') {
        fprintf(stderr, "%s is not a number: %s\n", name, text);
        exit(2);
    }
    return number;
}

static void read_settings(void)
{
    tolerance = TOLERANCE_DEFAULT;
    tolerance.max_read = number_of("KIT_MAX_READ", tolerance.max_read);
    tolerance.max_segments = (uint32_t)number_of("KIT_MAX_SEGMENTS", 0);
    tolerance.max_chunk_segments = (uint32_t)number_of("KIT_MAX_CHUNK_SEGMENTS", 0);
    tolerance.max_read_chunks = (uint32_t)number_of("KIT_MAX_READ_CHUNKS", 0);
    tolerance.max_write_chunks = (uint32_t)number_of("KIT_MAX_WRITE_CHUNKS", 0);
    if (number_of("KIT_OFFERS_WRITE_CHUNKS", 0))
        tolerance.offers |= OFFERS_WRITE_CHUNKS;
    if (number_of("KIT_OFFERS_WRITE_AND_REPLY", 0))
        tolerance.offers |= OFFERS_WRITE_AND_REPLY;
}

/* ---- the end ---- */

static bool goes_on(void)
{
    return getenv("KIT_CONTINUE") != NULL;
}

static atomic_bool is_interrupted;

/* The process that began the run prints the table, and fails if there is anything in it. */
static void end_with_table(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&begun))
        pause(); /* the other thread does it */
    const char *file = getenv("KIT_WRITE_KNOWN");
    unsigned until = (unsigned)number_of("KIT_UNTIL", 0);
    unsigned found = table_print();
    if (file && !table_write(file))
        _Exit(2);
    if (is_interrupted)
        _Exit(INTERRUPTED_BY_USER);
    if (until != 0 && found >= until)
        _Exit(0);
    if (found != 0)
        _Exit(1);
}

/* ---- an interrupt ---- */

/* libFuzzer's parent starts its children by system(), which ignores SIGINT, and takes one that a
 * signal ended for a crash. So all threads of the parent block these signals, and its children too,
 * until libFuzzer has a handler there. */
static sigset_t ending_signals(void)
{
    sigset_t signals;
    struct sigaction hangup;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup */
        sigaddset(&signals, SIGHUP);
    return signals;
}

/* libFuzzer's parent ends when a child says that it was interrupted. A child may start only now, so
 * the signal is repeated; after PATIENCE the parent ends here. */
static void *wait_for_interrupt(void *arg)
{
    static const struct timespec tick = {.tv_nsec = 100000000};
    sigset_t signals = ending_signals();
    int number;
    (void)arg;
    sigwait(&signals, &number);
    is_interrupted = true;
    for (int ticks = 0; ticks < PATIENCE; ticks++) {
        table_interrupt(SIGINT);
        nanosleep(&tick, NULL);
    }
    table_interrupt(SIGKILL);
    end_with_table();
    _Exit(INTERRUPTED_BY_USER);
}

static void watch_for_interrupt(void)
{
    sigset_t signals = ending_signals();
    pthread_t thread;
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0 ||
        pthread_create(&thread, NULL, wait_for_interrupt, NULL) != 0) {
        fprintf(stderr, "no thread could be started that waits for an interrupt\n");
        exit(2);
    }
}

static bool is_blocked;

static void take_interrupts(void)
{
    sigset_t signals = ending_signals();
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    is_blocked = false;
}

/* ---- disagreements ---- */

static void report(const struct disagreement *found)
{
    unsigned until = (unsigned)number_of("KIT_UNTIL", 0);
    if (kit_knows(found->name))
        return;
    if (goes_on()) {
        if (table_count(found) >= until && until != 0)
            _Exit(getenv("KIT_CHILD") ? INTERRUPTED : (table_print(), 0));
        return;
    }
    fprintf(stderr, "\ndisagreement: %s\n    %s\n    ", found->name, found->what);
    for (size_t i = 0; i < found->length && i < 1024; i++)
        fprintf(stderr, "%02x", found->octets[i]);
    fputc('\n', stderr);
    abort();
}

/* ---- options of libFuzzer that anybody would want ---- */

static bool has_option(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], option, strlen(option)) == 0)
            return true;
    return false;
}

/* Single files are inputs to look at again, not corpora to fuzz. */
static bool names_a_file(int argc, char **argv)
{
    struct stat status;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' && stat(argv[i], &status) == 0 && !S_ISDIR(status.st_mode))
            return true;
    return false;
}

static void add_options(int *argc, char ***argv)
{
    static const char *const wanted[] = {
        "-max_len=8192",     "-timeout=10",        "-fork=1",
        "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"};
    static char text[sizeof wanted / sizeof wanted[0]][32];
    static char *options[OPTIONS_MAX];
    bool forks = goes_on() && getenv("KIT_CHILD") == NULL && !names_a_file(*argc, *argv) &&
                 !has_option(*argc, *argv, "-merge") && !has_option(*argc, *argv, "-jobs=") &&
                 !has_option(*argc, *argv, "-fork=0");
    int count = *argc;
    if (getenv("KIT_CHILD") || count + 8 > OPTIONS_MAX)
        return;
    memcpy(options, *argv, (size_t)count * sizeof *options);
    for (size_t i = 0; i < (forks ? sizeof wanted / sizeof wanted[0] : 2); i++) {
        size_t name = strcspn(wanted[i], "=") + 1;
        snprintf(text[i], sizeof text[i], "%.*s", (int)name, wanted[i]);
        if (has_option(*argc, *argv, text[i]))
            continue;
        snprintf(text[i], sizeof text[i], "%s", wanted[i]);
        options[count++] = text[i];
    }
    if (forks) {
        watch_for_interrupt();
        setenv("KIT_CHILD", "1", 1);
    }
    *argc = count;
    *argv = options;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    bool first = getenv("KIT_TABLE_FD") == NULL;
    read_settings();
    if (first && goes_on() && kit_begin && !kit_begin())
        exit(2);
    kit_known_read();
    table_begin();
    if (first && goes_on())
        atexit(end_with_table);
    /* A merge is not interrupted: libFuzzer would begin it again. */
    is_blocked = getenv("KIT_CHILD") && !has_option(*argc, *argv, "-merge");
    if (LLVMFuzzerRunDriver)
        add_options(argc, argv);
    return 0;
}

/* ---- one Send, one role ---- */

static void ask(const uint8_t *octets, size_t length, bool is_reply)
{
    struct disagreement found;
    char rule[KIT_NAME];
    struct question question = {.octets = octets, .length = length, .is_reply = is_reply};
    compare_judge(&question, &tolerance);
    /* A Reply at a Responder, or a Call at a Requester, is for the other half of the peer. */
    if (question.judgement.direction == (is_reply ? RPCRDMA_CALL : RPCRDMA_REPLY))
        return;
    compare_rule(&question, rule);
    table_asking(octets, length, is_reply, rule);
    struct kit_answer answer = kit_parse(octets, length, is_reply);
    table_done();
    if (answer.kind == KIT_UNSUPPORTED)
        return;
    if (rule[0] != '\0' && kit_knows(rule)) {
        table_add(TABLE_KNOWN); /* nothing but a crash is of interest */
        return;
    }
    if (answer.kind == KIT_LIMIT && (question.open & RPCRDMA_PROCESS) &&
        tolerance_has_amounts(RPCRDMA_PROTOCOL_1, octets, length))
        table_add(TABLE_LIMIT);
    else if (compare_disagrees(&question, answer, &found))
        report(&found);
}

/* ---- the same of version 2 ---- */

static bool is_version2(const uint8_t *octets, size_t length)
{
    return length >= 8 && rpcrdma_xdr_load32(octets + 4) == 2;
}

static void ask2(const uint8_t *octets, size_t length, enum kit_draft draft, bool is_reply)
{
    static const enum rpcrdma_protocol protocols[] = {
        [KIT_DRAFT_04] = RPCRDMA_PROTOCOL_2_04, [KIT_DRAFT_07] = RPCRDMA_PROTOCOL_2_07};
    struct disagreement found;
    struct question2 question = {
        .octets = octets, .length = length, .draft = protocols[draft], .is_reply = is_reply};
    compare2_judge(&question, &tolerance);
    if (question.judgement.direction == (is_reply ? RPCRDMA_CALL : RPCRDMA_REPLY))
        return;
    const char *rule = compare2_rule(&question);
    table_asking(octets, length, is_reply, rule);
    struct kit_answer answer = kit_parse2(octets, length, draft, is_reply);
    table_done();
    if (answer.kind == KIT_UNSUPPORTED)
        return;
    if (rule[0] != '\0' && kit_knows(rule))
        table_add(TABLE_KNOWN);
    else if (answer.kind == KIT_LIMIT && (question.open & RPCRDMA_PROCESS) &&
             tolerance_has_amounts(protocols[draft], octets, length))
        table_add(TABLE_LIMIT);
    else if (compare2_disagrees(&question, answer, &found))
        report(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t nothing[1];
    if (is_blocked)
        take_interrupts();
    if (size > SEND_MAX)
        return 0;
    ask(size ? data : nothing, size, false);
    ask(size ? data : nothing, size, true);
    for (int role = 0; kit_parse2 && is_version2(data, size) && role < 2; role++) {
        ask2(data, size, KIT_DRAFT_04, role);
        ask2(data, size, KIT_DRAFT_07, role);
    }
    return 0;
}
