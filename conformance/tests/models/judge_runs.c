// SPDX-License-Identifier: BSD-3-Clause
/*
 * Every run of a model (spec/models) before the checker. Standard input has a run a line, as
 * spec/models/observer.pml prints it.
 *
 * usage: judge_runs version1|draft04|version2 client|server|between [RULE...]
 *
 * The first argument is the model: version2 is that of draft -07, and draft04 that of version 1 in
 * the words of draft -04, whose credits and chunks are the same. The second says who saw the runs.
 * Without RULE nothing above a note may be found. With it the last event of each run breaks this
 * rule: it has to be named there, and what else is said before is an accusation. A last event that
 * is not named is counted by what was said instead; the first of each is printed.
 */
#include "conformance/tests/support/alone.h"
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"

#include <stdarg.h>

enum { CALL = 1, REPLY, ERROR, READ, DATA, WRITE };
/* Of version 2; in it CALL and REPLY are the last of their pieces. */
enum { CALL_PIECE = 7, REPLY_PIECE, REFRESH, MIDDLE, FINAL, ERR_VERS, VERSION_1, SHORT };
enum { NO_CHUNK, READ_CHUNK, WRITE_CHUNK, REPLY_CHUNK, BOTH_CHUNKS };
enum {
    INVALIDATES = 1,
    RETURNS = 2,
    STRAY = 4,
    ELSEWHERE = 8,
    FEW = 8,
    TAKES = 16,
    FORBIDDEN = 128
};
enum { CALLS = 8, NOTHING_SAID = 2, WAYS = 3, ARGUMENTS = 0x80, UNOFFERED = 0xdead };

struct run {
    struct rpcrdma_check *check;
    bool is_2, is_04, invalidation, accused, named;
    unsigned way;          /* of those in which a side says that it does not support invalidation */
    unsigned in_pieces[2]; /* a side is in the middle of the message of this one, and 1 */
    unsigned connection, controls, handle, client_xid, offered[CALLS], caller[CALLS], sends[2],
        sends_before_read[CALLS];
    uint64_t events;
    char **rules;                    /* that are broken, up to a NULL */
    char said[256], accusation[256]; /* of the last event; the first that is one */
};

static struct rpcrdma_check_config config;
static max_align_t memory[64 * 1024];

/* ---- judging ---- */

/* The number of this id, which `other` may have in draft -04. */
static bool is_rule(const struct run *run, const char *id, enum rpcrdma_rule other)
{
    for (int rule = 0; run->is_04 && rule < RPCRDMA_RULES; rule++)
        if (strcmp(rpcrdma_requirements[rule].id, id) == 0)
            return rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_04, (enum rpcrdma_rule)rule) == other;
    return strcmp(rpcrdma_requirements[other].id, id) == 0;
}

/* What Replies invalidate their Calls have named. */
static void judge_04(struct run *run, const char *text, struct rpcrdma_judgement *judgement)
{
    static struct play_message message;
    play_parse(&message, text);
    ck_assert(translate_send(&message, RPCRDMA_PROTOCOL_2_04, run->invalidation ? run->handle : 0));
    message.event.data = message.length > 0 ? message.octets : NULL;
    rpcrdma_check_event(run->check, &message.event, judgement);
}

/* Without private data of the peer another rule holds than with data that say "not supported". */
static bool is_of_way(const struct run *run, const char *id)
{
    if (strcmp(id, "rfc8797/5.1/defaults-without-message") == 0)
        return run->way == NOTHING_SAID;
    return run->way != NOTHING_SAID || strcmp(id, "rfc8797/4.1/plain-send-without-support") != 0;
}

static void judge(struct run *run, const char *text, bool is_broken)
{
    struct rpcrdma_judgement judgement;
    if (run->is_04)
        judge_04(run, text, &judgement);
    else
        play_judge(run->check, text, &judgement);
    run->events++;
    snprintf(run->said, sizeof run->said, "nothing");
    for (unsigned i = 0; i < judgement.count; i++) {
        const struct rpcrdma_finding *finding = &judgement.findings[i];
        const char *id = rpcrdma_requirements[finding->rule].id;
        for (char **rule = run->rules; is_broken && *rule; rule++)
            run->named =
                run->named || (is_of_way(run, *rule) && is_rule(run, *rule, finding->rule));
        if (!is_broken && finding->severity != RPCRDMA_NOTE && !run->accused) {
            run->accused = true;
            snprintf(run->accusation, sizeof run->accusation, "%s", id);
        }
        snprintf(run->said, sizeof run->said, "%s", id);
    }
}

#define SUPPORTS " private 0xf6ab0e18 0x01010000"
#define DOES_NOT " private 0xf6ab0e18 0x01000000"

static void connect(struct run *run)
{
    run->connection++;
    memset(run->sends, 0, sizeof run->sends);
    memset(run->in_pieces, 0, sizeof run->in_pieces);
    run->check = rpcrdma_check_init(memory, sizeof memory, &config);
    ck_assert_ptr_nonnull(run->check);
    if (run->is_2 || run->is_04)
        return;
    static const char *const client[WAYS] = {">" SUPPORTS, ">" DOES_NOT, "> private 0"};
    judge(run, client[run->invalidation ? 0 : run->way], false);
    judge(run, run->invalidation || run->way > 0 ? "<" SUPPORTS : "<" DOES_NOT, false);
}

/* ---- events ---- */

struct seen {
    unsigned side, what, n, xid, credits, flags, kind, handle;
};

/* One with the length that the text has by now. */
__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text + strlen(text), 512 - strlen(text), format, args);
    va_end(args);
}

static unsigned octets_of(unsigned kind)
{
    return kind == REPLY_CHUNK ? 24 : 8;
}

/* The three lists of a Call, or of a Reply of version 1, which returns this many octets. */
static void add_lists(char *text, unsigned kind, unsigned handle, unsigned octets)
{
    switch (kind) {
    case READ_CHUNK:
        add(text, " 1 40 %u %u 0 0 0 0 0", handle, octets);
        break;
    case BOTH_CHUNKS:
        add(text, " 1 40 %u %u 0 0 0 1 1 %u %u 0 0 0 0", handle + ARGUMENTS, octets, handle,
            octets);
        break;
    case WRITE_CHUNK:
        add(text, " 0 1 1 %u %u 0 0 0 0", handle, octets);
        break;
    case REPLY_CHUNK:
        add(text, " 0 0 1 1 %u %u 0 0", handle, octets);
        break;
    default:
        add(text, " none");
    }
}

static void add_send1(const struct seen *seen, char *text)
{
    unsigned returned = seen->flags & RETURNS ? octets_of(seen->kind) : 0;
    bool is_long = seen->kind == REPLY_CHUNK && returned > 0;
    add(text, "%u 1 %u", seen->xid, seen->credits);
    if (seen->what == ERROR) {
        add(text, " 4 2");
        return;
    }
    add(text, " %u", seen->what == REPLY && is_long);
    if (seen->what == CALL) {
        add_lists(text, seen->kind, seen->handle, octets_of(seen->kind));
        add(text, " %u 0 2 100003 3 %u 0 0 0 0", seen->xid, seen->n);
        return;
    }
    const unsigned results[] = {[NO_CHUNK] = returned > 0 ? WRITE_CHUNK : NO_CHUNK,
                                [WRITE_CHUNK] = WRITE_CHUNK,
                                [REPLY_CHUNK] = REPLY_CHUNK,
                                [BOTH_CHUNKS] = WRITE_CHUNK};
    add_lists(text, results[seen->kind], seen->flags & ELSEWHERE ? UNOFFERED : seen->handle,
              returned);
    if (!is_long)
        add(text, " %u 1 0 0 0 0", seen->xid);
}

/* What is no RPC message, or of another version. */
static void add_control(struct run *run, const struct seen *seen, char *text)
{
    bool is_call = seen->side == 0;
    switch (seen->what) {
    case REFRESH:
    case SHORT:
        add(text, "0 2 %u 5", seen->credits);
        break;
    case MIDDLE:
        add(text, "%u 2 %u 6 0", seen->xid, seen->credits);
        break;
    case FINAL: /* with support of the reverse direction */
        add(text, "%u 2 %u 7 1 5 4 3", seen->xid, seen->credits);
        break;
    case ERROR:
        add(text, "%u 2 %u 4 2", seen->xid, seen->credits);
        break;
    case ERR_VERS:
        add(text, "%u 2 %u 4 1 1 1", run->client_xid, seen->credits);
        break;
    case VERSION_1:
        add(text, "%u 1 %u 0 none %s", seen->xid, seen->credits, is_call ? "call" : "reply");
        break;
    default:
        ck_abort_msg("no event: %u", seen->what);
    }
}

/* The header of a Reply of draft -07. */
static void add_reply2(const struct seen *seen, char *text)
{
    unsigned returned = seen->flags & RETURNS ? octets_of(seen->kind) : 0;
    bool has_writes =
        seen->kind == NO_CHUNK || seen->kind == WRITE_CHUNK || seen->kind == BOTH_CHUNKS;
    if (seen->kind == REPLY_CHUNK && returned > 0)
        add(text, "%u 2 %u 11 0 1 1 %u %u 0 0", seen->xid, seen->credits, seen->handle, returned);
    else if (has_writes)
        add(text, "%u 2 %u 13 1 1 %u %u 0 0 0", seen->xid, seen->credits, seen->handle, returned);
    else
        add(text, "%u 2 %u 13 0", seen->xid, seen->credits);
}

/* Of draft -07. In pieces a Call has 24 octets and 16, a Reply 16 and 8. */
static void add_send2(struct run *run, const struct seen *seen, char *text)
{
    unsigned *in_pieces = &run->in_pieces[seen->side];
    bool is_rest = *in_pieces == seen->n + 1;
    unsigned prefix[] = {seen->xid, seen->credits}, few = seen->flags & FEW ? 2 : 0;
    switch (seen->what) {
    case CALL_PIECE:
        add(text, "%u 2 %u 9 %u %u 0 2 100003 3 %u", prefix[0], prefix[1], few ? few : 16,
            seen->xid, seen->n);
        *in_pieces = seen->n + 1;
        return;
    case REPLY_PIECE:
        add(text, "%u 2 %u 12 %u %u 1 0 0", prefix[0], prefix[1], few ? few : 8, seen->xid);
        *in_pieces = seen->n + 1;
        return;
    case CALL:
        add(text, "%u 2 %u 10 %u", prefix[0], prefix[1], run->invalidation ? seen->handle : 0);
        /* One that the model has without chunks offers memory that nobody writes to. */
        add_lists(text, seen->kind == NO_CHUNK ? WRITE_CHUNK : seen->kind, seen->handle,
                  octets_of(seen->kind));
        if (!is_rest)
            add(text, " %u 0 2 100003 3 %u", seen->xid, seen->n);
        add(text, " 0 0 0 0");
        break;
    case REPLY:
        add_reply2(seen, text);
        if (seen->kind == REPLY_CHUNK && seen->flags & RETURNS)
            return;
        if (!is_rest)
            add(text, " %u 1 0 0", seen->xid);
        add(text, " 0 0");
        break;
    default:
        add_control(run, seen, text);
        return;
    }
    *in_pieces = is_rest ? 0 : *in_pieces;
}

/* It comes in two, the second half first: RDMA Writes have no order among each other. */
static void judge_write(struct run *run, const struct seen *seen, bool is_broken)
{
    unsigned half = octets_of(seen->kind) / 2;
    for (unsigned offset = half;; offset = 0) {
        char text[512] = {"><"[seen->side], ' ', '\0'};
        add(text, "write %u %u %u", seen->handle, offset, half);
        judge(run, text, is_broken);
        if (offset == 0)
            return;
    }
}

/* Behind the end of what was offered for results, or where nothing was. */
static void judge_stray_write(struct run *run, const struct seen *seen)
{
    unsigned octets = octets_of(seen->kind);
    bool has_end = seen->kind >= WRITE_CHUNK && run->caller[seen->n] != seen->side;
    char text[512] = {"><"[seen->side], ' ', '\0'};
    add(text, "write %u %u %u", has_end ? seen->handle : UNOFFERED, has_end ? octets : 0, octets);
    judge(run, text, true);
}

static void take(struct run *run, const unsigned *word)
{
    unsigned n = word[1] & 15, what = word[0] & 0x3f;
    ck_assert_uint_lt(n, CALLS);
    if (what == CALL) {
        run->offered[n] = word[3] & 7;
        run->caller[n] = word[0] >> 6 & 1;
    }
    struct seen seen = {.side = word[0] >> 6 & 1,
                        .what = what,
                        .n = n,
                        .xid = 0x1000 + (word[1] >> 4),
                        .credits = word[2],
                        .flags = word[3],
                        .kind = run->offered[n],
                        .handle = 0x100 * run->connection + n};
    if (what == MIDDLE || what == FINAL)
        seen.xid = 0x2000 + run->controls++;
    if (seen.side == 0)
        run->client_xid = seen.xid;
    run->handle = seen.kind == NO_CHUNK ? 0 : seen.handle;
    unsigned handle = seen.flags & STRAY ? UNOFFERED : seen.handle;
    if (what == READ) { /* only its place is of interest */
        run->sends_before_read[n] = run->sends[seen.side];
        return;
    }
    if (what == WRITE) {
        if (seen.flags & STRAY)
            judge_stray_write(run, &seen);
        else
            judge_write(run, &seen, word[0] & FORBIDDEN);
        return;
    }
    /* What was read comes from the memory's side. */
    char text[512] = {"><"[what == DATA ? !seen.side : seen.side], ' ', '\0'};
    if (what == DATA)
        add(text, "read %u 0 %u sent:%u", handle + (seen.kind == BOTH_CHUNKS ? ARGUMENTS : 0),
            octets_of(seen.kind), run->sends_before_read[n]);
    else if (run->is_2)
        add_send2(run, &seen, text);
    else
        add_send1(&seen, text);
    if (seen.flags & (what == CALL ? TAKES : INVALIDATES) && what != DATA && what != VERSION_1)
        add(text, " inv:%u", handle);
    judge(run, text, word[0] & FORBIDDEN);
    run->sends[seen.side] += what != DATA;
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

/* In each way, until one is accused, or not named. */
static void play_ways(struct run *run, char *line)
{
    const struct run begin = *run;
    unsigned ways, way = 0;
    do {
        uint64_t events = run->events;
        *run = begin;
        run->events = events;
        run->way = way++;
        play(run, line);
        ways = run->invalidation || run->is_2 || run->is_04 ? 1 : WAYS;
    } while (way < ways && !run->accused && (run->named || !*run->rules));
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
    char **rules = argument + 3;
    unsigned runs = 0, accused = 0, named = 0;
    uint64_t events = 0;
    config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.max_calls = 16;
    config.operations_seen = true;
    bool is_2 = strcmp(argument[1], "version2") == 0;
    bool is_04 = strcmp(argument[1], "draft04") == 0;
    config.seen_between = strcmp(argument[2], "client") != 0;
    if (is_2 || is_04)
        config.draft = is_2 ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_2_04;
    for (; fgets(line, sizeof line, stdin); runs++) {
        struct run run = {.rules = rules, .is_2 = is_2, .is_04 = is_04};
        play_ways(&run, line);
        events += run.events;
        named += run.named;
        if (run.accused && accused++ == 0)
            printf("    accused by %s: %s", run.accusation, line);
        if (*rules && !run.named)
            miss(run.said, line);
    }
    printf("%s, %s: %u runs, %llu events, %u accused", *rules ? *rules : "conforming", argument[2],
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
    if (argc < 3)
        return EXIT_FAILURE;
    argument = argv;
    return run_alone(every_run);
}
