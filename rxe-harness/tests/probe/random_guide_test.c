// SPDX-License-Identifier: BSD-3-Clause
// once
/*
 * Random conversations that are guided by counters of the peer's code. The peer is the reference
 * Responder, compiled with counters, which commits a fault that takes three things in order: who is
 * guided finds it, and who is not does not, in as many conversations.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/random/random.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE 1000 /* conversations, after which is looked whether it was found */
#define MOST 20      /* times that */

static char path[] = "/tmp/rpcrdma-counters-XXXXXX";

static void *begin(void *arg, struct link *link)
{
    struct responder *responder = responder_new(link);
    if (responder)
        responder_commit(responder, *(const enum responder_fault *)arg);
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(enum responder_fault *fault)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end, .arg = fault};
    struct probe probe = {.options = {.timeout = 5000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .wait = 100,
                                      .hazards.all = true},
                          .peer = {.invalidates = true, .forgets = true}};
    probe.peer.transport = transport_loopback(&peer);
    ck_assert(probe_begin(&probe));
    return probe;
}

static void end_probe(struct probe *probe)
{
    free(probe->run.stopped);
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    probe->peer.transport->ops->close(probe->peer.transport);
}

static struct random_options options_of(struct random_guide *guide, uint64_t seed)
{
    return (struct random_options){.play = random_play,
                                   .announces = true,
                                   .line = RANDOM_SEED(seed),
                                   .guide = guide,
                                   .time = 600000,
                                   .conversations = AT_ONCE};
}

/* The failure that the planted fault is, if it was found. */
static const struct result *found_in(const struct probe *probe)
{
    for (size_t i = 0; i < probe->run.results.count; i++) {
        const struct result *result = &probe->run.results.list[i];
        if (!ending_is_failure(result->ending))
            continue;
        ck_assert_str_eq(result->rule, "rfc8166/4.2.1/xid-equal");
        return result;
    }
    return NULL;
}

/* By its own line alone, and as short. */
static void repeat(const struct result *found, enum responder_fault *fault)
{
    const char *text = strstr(found->comment, " [--random=");
    ck_assert_ptr_nonnull(text);
    char line[1000];
    ck_assert_int_eq(sscanf(text, " [--random=%999[^]]]", line), 1);
    struct probe probe = probe_of(fault);
    struct random_options options = options_of(NULL, 0);
    ck_assert(random_line_read(&options.line, line));
    ck_assert_uint_gt(options.line.count, 1);
    random_run(&probe, &options);
    const struct result *again = found_in(&probe);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(again->comment, found->comment);
    end_probe(&probe);
}

/* From this seed on, until who is guided has found it: then 1 is added for who has. */
static void race(uint64_t seed, unsigned *by_guided, unsigned *by_unguided)
{
    enum responder_fault fault = RESPONDER_LOSES_WORK_REQUESTS;
    struct probe guided = probe_of(&fault), unguided = probe_of(&fault);
    struct random_guide *guide = random_guide_open(path);
    ck_assert_ptr_nonnull(guide);
    const struct result *found = NULL;
    for (uint64_t last = seed + MOST * AT_ONCE; found == NULL && seed < last; seed += AT_ONCE) {
        struct random_options options = options_of(guide, seed);
        random_run(&guided, &options);
        options.guide = NULL;
        random_run(&unguided, &options);
        found = found_in(&guided);
    }
    ck_assert(!random_guide_is_blind(guide));
    if (found)
        repeat(found, &fault);
    *by_guided += found != NULL;
    *by_unguided += found_in(&unguided) != NULL;
    random_guide_close(guide);
    end_probe(&guided);
    end_probe(&unguided);
}

/* Which counters there are depends on the compiler, and with them what one seed finds: so three. */
START_TEST(who_is_guided_finds_what_takes_three_things)
{
    static const uint64_t seeds[] = {1, 200001, 600001};
    unsigned by_guided = 0, by_unguided = 0;
    for (size_t i = 0; i < COUNT(seeds); i++)
        race(seeds[i], &by_guided, &by_unguided);
    ck_assert_uint_gt(by_guided, by_unguided);
}
END_TEST

/* The conversations of a run, in words. */
static FILE *words;

static bool play_and_note(struct probe *probe, const struct random_conversation *conversation,
                          struct random_failure *failure, uint64_t *calls)
{
    random_print(words, conversation);
    fputc('\n', words);
    return random_play(probe, conversation, failure, calls);
}

static char *words_of(uint64_t seed, bool is_guided)
{
    enum responder_fault fault = RESPONDER_FAULTLESS;
    struct probe probe = probe_of(&fault);
    char *text;
    size_t length;
    words = open_memstream(&text, &length);
    struct random_options options = options_of(is_guided ? random_guide_open(path) : NULL, seed);
    options.play = play_and_note;
    options.conversations = 200;
    random_run(&probe, &options);
    ck_assert_ptr_null(found_in(&probe));
    random_guide_close(options.guide);
    end_probe(&probe);
    fclose(words);
    return text;
}

START_TEST(the_same_seed_is_the_same_run)
{
    char *runs[] = {words_of(5, true), words_of(5, true), words_of(6, true), words_of(5, false)};
    ck_assert(strcmp(runs[0], runs[1]) == 0);
    ck_assert(strcmp(runs[0], runs[2]) != 0);
    ck_assert(strcmp(runs[0], runs[3]) != 0);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        free(runs[i]);
}
END_TEST

/* A file that no process maps, as this one maps that at `path`. */
static char played[] = "/tmp/rpcrdma-counters-XXXXXX";

/* A conversation of this seed, of that many steps, which moves these counters. */
static void move(struct random_guide *guide, uint64_t seed, unsigned steps, const char *counters,
                 bool fine)
{
    const struct random_line line = RANDOM_SEED(seed);
    random_guide_clear(guide);
    int file = open(played, O_WRONLY);
    for (; *counters != '\0'; counters++)
        ck_assert_int_eq(pwrite(file, "\1", 1, *counters), 1);
    close(file);
    random_guide_look(guide, &line, steps, fine);
}

/* Of 400 to come, how many are made of that of this seed. */
static unsigned made_of(struct random_guide *guide, uint64_t seed)
{
    unsigned count = 0;
    struct random_line line;
    for (uint64_t next = 1000; next < 1400; next++) {
        random_guide_next(guide, &line, next);
        count += line.words[0].seed == seed;
        ck_assert(line.words[line.count - 1].seed == next);
    }
    return count;
}

/* Counters are named by letters, which are their places in the file. */
START_TEST(what_reached_something_new_is_kept)
{
    int file = mkstemp(played);
    ck_assert_int_eq(pwrite(file, "rpcrdma-counters", 16, 0), 16);
    ck_assert_int_eq(ftruncate(file, 16 + 256), 0);
    close(file);
    struct random_guide *guide = random_guide_open(played);
    ck_assert_ptr_nonnull(guide);
    move(guide, 1, 9, "abc", false); /* it failed */
    ck_assert_uint_eq(made_of(guide, 1), 0);
    move(guide, 2, 9, "abc", true);
    unsigned made = made_of(guide, 2);
    ck_assert_msg(made > 150 && made < 250, "%u", made);
    move(guide, 3, 10, "abc", true); /* longer */
    ck_assert_uint_eq(made_of(guide, 3), 0);
    move(guide, 4, 8, "bc", true); /* shorter, but it does not reach all */
    ck_assert_uint_gt(made_of(guide, 4), 50);
    ck_assert_uint_gt(made_of(guide, 2), 10);
    move(guide, 5, 7, "abc", true);
    ck_assert_uint_eq(made_of(guide, 2) + made_of(guide, 4), 0);
    ck_assert_uint_gt(made_of(guide, 5), 150);
    move(guide, 6, 20, "abcd", true);
    ck_assert_uint_gt(made_of(guide, 6), 50);
    random_guide_forget(guide); /* it killed the peer */
    ck_assert_uint_eq(made_of(guide, 6), 0);
    ck_assert_uint_gt(made_of(guide, 5), 50);
    ck_assert(!random_guide_is_blind(guide));
    move(guide, 7, 1, "", true);
    ck_assert(random_guide_is_blind(guide));
    random_guide_close(guide);
    unlink(played);
}
END_TEST

/* A file of gcov: a function, its counts, and a record of another kind. As of gcc 12 or before. */
static void write_gcov(const char *folder, const char *name, bool is_old, const uint64_t counts[3])
{
    char file[64];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    const uint32_t unit = is_old ? 4 : 1;
    const uint32_t header[] = {0x67636461, 0x4232322a, 1, 0};
    const uint32_t records[] = {0xa1000000, 8 / unit, 0, 0,          0x01000000, 12 / unit,
                                1,          2,        3, 0x01a10000, 24 / unit};
    const uint32_t other[] = {0x01a30000, 8 / unit, 7, 7};
    ck_assert(fwrite(header, 4, is_old ? 3 : 4, out) == (is_old ? 3 : 4));
    ck_assert(fwrite(records, sizeof records, 1, out) == 1);
    ck_assert(fwrite(counts, 8, 3, out) == 3);
    ck_assert(fwrite(other, sizeof other, 1, out) == 1);
    fclose(out);
}

static void counters_are(const bool *moved, const char *expected)
{
    for (size_t i = 0; expected[i] != '\0'; i++)
        ck_assert_msg(moved[i] == (expected[i] == '1'), "%zu of %s", i, expected);
}

/* Of two files, in the order of their names. */
START_TEST(counters_of_gcov_are_compared)
{
    bool is_old = _i == 1;
    char folder[] = "/tmp/rpcrdma-gcov-XXXXXX", file[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_gcov(folder, "b.gcda", is_old, (uint64_t[]){0, 5, 0});
    write_gcov(folder, "a.gcda", is_old, (uint64_t[]){1, 0, 0});
    struct random_counters *counters = random_counters_open(folder);
    ck_assert_ptr_nonnull(counters);
    ck_assert_uint_eq(random_counters_size(counters), 6);
    counters_are(random_counters_look(counters), "100010");
    ck_assert(random_counters_clear(counters));
    counters_are(random_counters_look(counters), "000000");
    write_gcov(folder, "b.gcda", is_old, (uint64_t[]){0, 5, UINT64_C(1) << 40});
    counters_are(random_counters_look(counters), "000001");
    write_gcov(folder, "a.gcda", is_old, (uint64_t[]){2, 1, 0});
    counters_are(random_counters_look(counters), "110001");
    ck_assert(random_counters_clear(counters));
    counters_are(random_counters_look(counters), "000000");
    snprintf(file, sizeof file, "%s/a.gcda", folder);
    unlink(file); /* the module was taken out */
    ck_assert(!random_counters_clear(counters));
    snprintf(file, sizeof file, "%s/b.gcda", folder);
    unlink(file);
    rmdir(folder);
    random_counters_close(counters);
}
END_TEST

int main(void)
{
    int file = mkstemp(path);
    if (file < 0 || setenv("RPCRDMA_COVERAGE", path, 1) != 0)
        return EXIT_FAILURE;
    close(file);
    TCase *tests = tcase_create("guided conversations");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, who_is_guided_finds_what_takes_three_things);
    tcase_add_test(tests, the_same_seed_is_the_same_run);
    tcase_add_loop_test(tests, counters_of_gcov_are_compared, 0, 2);
    tcase_add_test(tests, what_reached_something_new_is_kept);
    int status = run_tests("guided conversations", tests);
    unlink(path);
    return status;
}
