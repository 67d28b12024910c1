// SPDX-License-Identifier: BSD-3-Clause
/*
 * Every run of the model of version 1 (spec/models) before the checker. Standard input has a run a
 * line, as spec/models/observer.pml prints it.
 *
 * usage: judge_runs client|server|between [RULE...]
 *
 * The first argument says who saw the runs. Without RULE nothing above a note may be found. With it
 * the last event of each run breaks this rule: it has to be named there, and what else is said
 * before is an accusation. A last event that is not named is counted by what was said instead; the
 * first of each is printed.
 */
#include "conformance/tests/support/play.h"

enum { CALL = 1, REPLY, ERROR, READ, DATA, WRITE };
enum { NO_CHUNK, READ_CHUNK, WRITE_CHUNK, REPLY_CHUNK };
enum { INVALIDATES = 1, RETURNS = 2, STRAY = 4, FORBIDDEN = 128 };
enum { CALLS = 8, UNOFFERED = 0xdead };

struct run {
    struct rpcrdma_check *check;
    bool invalidation, accused, named;
    unsigned connection, offered[CALLS], sends[2], sends_before_read[CALLS];
    uint64_t events;
    char **rules;   /* that are broken, up to a NULL */
    char said[256]; /* of the last event */
};

static struct rpcrdma_check_config config;
static max_align_t memory[64 * 1024];

/* ---- judging ---- */

static void judge(struct run *run, const char *text, bool is_broken)
{
    struct rpcrdma_judgement judgement;
    play_judge(run->check, text, &judgement);
    run->events++;
    snprintf(run->said, sizeof run->said, "nothing");
    for (unsigned i = 0; i < judgement.count; i++) {
        const struct rpcrdma_finding *finding = &judgement.findings[i];
        const char *id = rpcrdma_requirements[finding->rule].id;
        for (char **rule = run->rules; is_broken && *rule; rule++)
            run->named = run->named || strcmp(id, *rule) == 0;
        if (!is_broken && finding->severity != RPCRDMA_NOTE)
            run->accused = true;
        snprintf(run->said, sizeof run->said, "%s", id);
    }
}

static void connect(struct run *run)
{
    run->connection++;
    memset(run->sends, 0, sizeof run->sends);
    run->check = rpcrdma_check_init(memory, sizeof memory, &config);
    ck_assert_ptr_nonnull(run->check);
    judge(run, "> private 0xf6ab0e18 0x01010000", false);
    judge(run,
          run->invalidation ? "< private 0xf6ab0e18 0x01010000" : "< private 0xf6ab0e18 0x01000000",
          false);
}

/* ---- events ---- */

/* Lists of a Call, or of its Reply, which returns this many octets. */
static void lists(char *text, size_t size, unsigned kind, unsigned handle, unsigned octets)
{
    const char *forms[] = {"0 0 0", "1 40 %u %u 0 0 0 0 0", "0 1 1 %u %u 0 0 0 0",
                           "0 0 1 1 %u %u 0 0"};
    snprintf(text, size, forms[kind], handle, octets);
}

static void take(struct run *run, const unsigned *word)
{
    bool is_broken = word[0] & FORBIDDEN, is_reply, is_long;
    unsigned side = word[0] >> 6 & 1, what = word[0] & 0x3f, n = word[1] & 15;
    unsigned xid = 0x1000 + (word[1] >> 4), handle = 0x100 * run->connection + n, octets;
    char text[512], chunks[128];
    ck_assert_uint_lt(n, CALLS);
    if (what == CALL)
        run->offered[n] = word[3];
    if (what == READ) { /* only its place is of interest */
        run->sends_before_read[n] = run->sends[side];
        return;
    }
    if (what == DATA) /* it comes from the memory's side */
        side = !side;
    const char from = "><"[side];
    unsigned kind = run->offered[n];
    octets = kind == READ_CHUNK ? 8 : kind == REPLY_CHUNK ? 24 : 8;
    is_reply = what == REPLY;
    is_long = is_reply && kind == REPLY_CHUNK && word[3] & RETURNS;
    if (what == CALL)
        lists(chunks, sizeof chunks, kind, handle, octets);
    else
        lists(chunks, sizeof chunks, kind == READ_CHUNK ? NO_CHUNK : kind, handle,
              word[3] & RETURNS ? octets : 0);
    switch (what) {
    case CALL:
        snprintf(text, sizeof text, "%c %u 1 %u 0 %s %u 0 2 100003 3 %u 0 0 0 0", from, xid,
                 word[2], chunks, xid, n);
        break;
    case REPLY:
        snprintf(text, sizeof text, "%c %u 1 %u %u %s", from, xid, word[2], is_long, chunks);
        if (!is_long)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %u 1 0 0 0 0", xid);
        if (word[3] & INVALIDATES)
            snprintf(text + strlen(text), sizeof text - strlen(text), " inv:%u",
                     word[3] & STRAY ? UNOFFERED : handle);
        break;
    case ERROR:
        snprintf(text, sizeof text, "%c %u 1 %u 4 2", from, xid, word[2]);
        break;
    case DATA:
        snprintf(text, sizeof text, "%c read %u 0 %u sent:%u", from, handle, octets,
                 run->sends_before_read[n]);
        break;
    case WRITE:
        snprintf(text, sizeof text, "%c write %u 0 %u", from, word[3] & STRAY ? UNOFFERED : handle,
                 octets);
        break;
    default:
        ck_abort_msg("no event: %u", what);
    }
    judge(run, text, is_broken);
    run->sends[side] += what <= ERROR;
}

static void play(struct run *run, char *line)
{
    unsigned left_out, invalidation, word[4];
    int at = 0;
    ck_assert_int_eq(sscanf(line, "run %u %u%n", &left_out, &invalidation, &at), 2);
    run->invalidation = invalidation;
    connect(run);
    for (line += at;
         sscanf(line, " %2x%2x%2x%2x%n", &word[0], &word[1], &word[2], &word[3], &at) == 4;
         line += at)
        if (word[0] == 0)
            connect(run);
        else
            take(run, word);
}

/* ---- what was said of last events that were not named ---- */

static struct {
    char text[256];
    unsigned count;
} missed[32];

static void miss(const char *said, const char *line)
{
    unsigned i = 0;
    while (i < COUNT(missed) - 1 && missed[i].count > 0 && strcmp(missed[i].text, said) != 0)
        i++;
    if (missed[i].count++ == 0) {
        snprintf(missed[i].text, sizeof missed[i].text, "%s", said);
        printf("    first with %s: %s", said, line);
    }
}

static char **argument;

START_TEST(every_run)
{
    static char line[1024];
    char **rules = argument + 2;
    unsigned runs = 0, accused = 0, named = 0;
    uint64_t events = 0;
    config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.max_calls = 16;
    config.seen_between = strcmp(argument[1], "between") == 0;
    config.operations_seen = true;
    for (; fgets(line, sizeof line, stdin); runs++) {
        struct run run = {.rules = rules};
        play(&run, line);
        events += run.events;
        named += run.named;
        if (run.accused && accused++ == 0)
            printf("    accused: %s", line);
        if (*rules && !run.named)
            miss(run.said, line);
    }
    printf("%s, %s: %u runs, %llu events, %u accused", *rules ? *rules : "conforming", argument[1],
           runs, (unsigned long long)events, accused);
    if (*rules)
        printf(", %u named", named);
    for (unsigned i = 0; missed[i].count > 0; i++)
        printf(", %u with %s", missed[i].count, missed[i].text);
    printf("\n");
    ck_assert_uint_gt(runs, 0);
    ck_assert_uint_eq(accused, 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("runs");
    TCase *tests = tcase_create("runs");
    if (argc < 2)
        return EXIT_FAILURE;
    argument = argv;
    tcase_add_test(tests, every_run);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
