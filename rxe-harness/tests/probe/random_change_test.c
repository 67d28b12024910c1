// SPDX-License-Identifier: BSD-3-Clause
/* Random conversations of version 1: each change is what its name says, and so are the words. */
#include "rxe-harness/random/random.h"

#include "conformance/base/alloc.h"
#include "rxe-harness/transport/test_program.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 256
#define PLAIN 7      /* words of its header */
#define WITH_READ 13 /* and with a Read segment */
#define RPC_CALL 7, 0, 2, 0x20008166, 1, 1, 0, 0, 0, 0, 5, 6

static const uint32_t plain[] = {7, 1, 30, RPCRDMA1_MSG, 0, 0, 0, RPC_CALL};
static const uint32_t with_read[] = {7, 1, 30, RPCRDMA1_MSG, 1, 40, 0xa, 8, 0, 0,
                                     0, 0, 0,  RPC_CALL};
#define WHOLE sizeof plain

static size_t change(const uint32_t *before, size_t count, enum random_change which, uint32_t at,
                     uint32_t value, uint32_t words[WORDS_MAX], uint32_t *changed)
{
    const struct random_step step = {.change = which, .at = at, .value = value};
    uint8_t octets[REQUESTER_INLINE];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, before[i]);
    size_t length = random_change_octets(&step, octets, 4 * count);
    ck_assert_uint_le(length, 4 * WORDS_MAX);
    *changed = 0;
    for (size_t i = 0; i < length / 4; i++) {
        words[i] = rpcrdma_xdr_load32(octets + 4 * i);
        *changed |= i < count && words[i] != before[i] ? 1u << i : 0;
    }
    return length;
}
#define CHANGE(which, at, value) change(plain, sizeof plain / 4, which, at, value, words, &changed)
#define CHANGE_READ(which, at, value)                                                              \
    change(with_read, sizeof with_read / 4, which, at, value, words, &changed)

START_TEST(a_change_is_what_it_says)
{
    uint32_t words[WORDS_MAX], changed, value = (uint32_t)_i;
    ck_assert_uint_eq(CHANGE(RANDOM_NONE, value, value), WHOLE);
    ck_assert_uint_eq(changed, 0);
    ck_assert_uint_eq(CHANGE(RANDOM_VERSION, 0, 99 + value), WHOLE);
    ck_assert(changed == 1u << 1 && words[1] == 99 + value);
    ck_assert_uint_eq(CHANGE(RANDOM_PROCEDURE, 0, 99 + value), WHOLE);
    ck_assert(changed == 1u << 3 && words[3] == 99 + value);
    ck_assert_uint_eq(CHANGE(RANDOM_CREDIT, 0, 99 + value), WHOLE);
    ck_assert(changed == 1u << 2 && words[2] == 99 + value);
    ck_assert_uint_eq(CHANGE(RANDOM_WORD, value, 77), WHOLE);
    ck_assert_uint_eq(changed, 1u << (4 + value % 3));
    ck_assert_uint_eq(CHANGE(RANDOM_XID, 0, value), WHOLE);
    ck_assert_uint_eq(changed, 1u << PLAIN);
    ck_assert_uint_eq(CHANGE(RANDOM_TYPE, 0, value), WHOLE);
    ck_assert_uint_eq(changed, 1u << (PLAIN + 1));
    ck_assert_uint_eq(CHANGE(RANDOM_ARGUMENT, 0, value), WHOLE);
    ck_assert(changed == 1u << (PLAIN + 10) && words[PLAIN + 10] > 0x7fffff00);
    size_t length = CHANGE(RANDOM_CUT, value, 0);
    ck_assert(length >= RPCRDMA1_HEADER_MIN - 1 && length < WHOLE && changed == 0);
    ck_assert_uint_lt(CHANGE(RANDOM_RUNT, value, 0), RPCRDMA1_HEADER_MIN);
    length = CHANGE(RANDOM_MORE, value, value);
    ck_assert(length > WHOLE && length <= 1024 && changed == 0);
    for (size_t i = WHOLE / 4; i < length / 4; i++)
        ck_assert_uint_eq(words[i], 0);
    ck_assert_uint_eq(CHANGE_READ(RANDOM_POSITION, value, value), sizeof with_read);
    ck_assert(changed == 1u << 5 && words[5] > 40 && words[5] <= 40 + 64);
    CHANGE_READ(RANDOM_HANDLE, value, value);
    ck_assert_uint_eq(changed, 1u << 6);
    CHANGE_READ(RANDOM_LENGTH, value, 99 + value);
    ck_assert(changed == 1u << 7 && words[7] == 99 + value);
    CHANGE(RANDOM_HANDLE, value, value); /* there is none */
    ck_assert_uint_eq(changed, 0);
}
END_TEST

/* From one octet less than all to one less than a header; from an empty Send to one octet less than
 * a header; from one octet more up to what every peer takes. */
START_TEST(changes_reach_their_limits)
{
    uint32_t words[WORDS_MAX], changed;
    size_t most[3] = {0}, least[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    static const enum random_change changes[] = {RANDOM_CUT, RANDOM_RUNT, RANDOM_MORE};
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t at = 0; at < 200; at++) {
            size_t length = CHANGE(changes[i], at, at);
            most[i] = length > most[i] ? length : most[i];
            least[i] = length < least[i] ? length : least[i];
        }
    ck_assert(most[0] == WHOLE - 1 && least[0] == RPCRDMA1_HEADER_MIN - 1);
    ck_assert(most[1] == RPCRDMA1_HEADER_MIN - 1 && least[1] == 0);
    ck_assert(most[2] == RPCRDMA_DEFAULT_INLINE && least[2] > WHOLE && least[2] <= WHOLE + 4);
}
END_TEST

/* There is room for a little more, or for none; and of the RPC message there is one word. */
START_TEST(changes_keep_to_the_send)
{
    static uint8_t octets[REQUESTER_INLINE];
    struct random_step step = {.change = RANDOM_MORE, .at = 63, .value = (uint32_t)_i};
    for (size_t length = RPCRDMA_DEFAULT_INLINE - 2; length < RPCRDMA_DEFAULT_INLINE + 3;
         length++) {
        const size_t larger = length < RPCRDMA_DEFAULT_INLINE ? RPCRDMA_DEFAULT_INLINE : length;
        ck_assert_uint_eq(random_change_octets(&step, octets, length), larger);
    }
    for (size_t i = 0; i < PLAIN; i++)
        rpcrdma_xdr_store32(octets + 4 * i, plain[i]);
    rpcrdma_xdr_store32(octets + sizeof(uint32_t) * PLAIN, 7);
    for (size_t length = 4 * PLAIN; length <= 4 * PLAIN + 4; length++) {
        step = (struct random_step){.change = RANDOM_XID};
        ck_assert_uint_eq(random_change_octets(&step, octets, length), length);
        ck_assert_int_eq(rpcrdma_xdr_load32(octets + sizeof(uint32_t) * PLAIN) != 7,
                         length == 4 * PLAIN + 4);
    }
}
END_TEST

/* The argument's first word is all that there is of it, or not even that; and credentials of four
 * octets leave no room for it. */
START_TEST(an_argument_may_be_a_word)
{
    static uint8_t octets[REQUESTER_INLINE];
    const struct random_step step = {.change = RANDOM_ARGUMENT};
    enum { AT = 4 * (PLAIN + 10) };
    for (size_t length = AT; length <= AT + 4; length++) {
        for (size_t i = 0; i < sizeof plain / 4; i++)
            rpcrdma_xdr_store32(octets + 4 * i, i == PLAIN + 7 ? 4 * (uint32_t)_i : plain[i]);
        ck_assert_uint_eq(random_change_octets(&step, octets, length), length);
        ck_assert_int_eq(rpcrdma_xdr_load32(octets + AT) != 5, _i == 0 && length == AT + 4);
    }
}
END_TEST

START_TEST(some_changes_are_of_segments)
{
    unsigned segments = 0;
    for (int change = 0; change < RANDOM_CHANGES; change++)
        segments |= (unsigned)random_changes_segments((enum random_change)change) << change;
    ck_assert_uint_eq(segments, 1u << RANDOM_WORD | 1u << RANDOM_POSITION | 1u << RANDOM_LENGTH |
                                    1u << RANDOM_HANDLE);
}
END_TEST

START_TEST(words_say_what_there_is)
{
    static const struct {
        struct random_step step;
        const char *text;
    } rows[] = {
        {{.procedure = TEST_NULL}, "NULL"},
        {{.procedure = TEST_STORE, .size = 9}, "STORE 9"},
        {{.procedure = TEST_STORE, .size = 9, .long_segments = 2}, "STORE 9, a Long Call in 2"},
        {{.procedure = TEST_STORE, .size = 9, .read_segments = 3}, "STORE 9, Read chunk in 3"},
        {{.procedure = TEST_FETCH, .size = 9, .write_segments = 1, .write_room = 12},
         "FETCH 9, Write chunk of 12 in 1"},
        {{.procedure = TEST_FETCH, .size = 9, .reply_segments = 1, .reply_room = 64},
         "FETCH 9, Reply chunk of 64 in 1"},
        {{.procedure = TEST_ECHO,
          .size = 9,
          .read_segments = 1,
          .write_segments = 1,
          .write_room = 9},
         "ECHO 9, Read chunk in 1, Write chunk of 9 in 1"},
        {{.procedure = TEST_STORE, .size = 9, .long_segments = 1}, "STORE 9, a Long Call in 1"},
        {{.procedure = TEST_NULL, .change = RANDOM_CREDIT, .at = 3, .value = 255},
         "NULL, changed: "},
    };
    struct random_conversation one = {.count = 1}, two = {.count = 2};
    struct alloc_stream text;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        one.steps[0] = rows[i].step;
        alloc_begin(&text);
        random_print(text.out, &one);
        char *said = alloc_end(&text);
        if (rows[i].step.change == RANDOM_NONE)
            ck_assert_str_eq(said, rows[i].text);
        else
            ck_assert_msg(strstr(said, rows[i].text) == said && strstr(said, "(3, 0xff)"), "%s",
                          said);
        free(said);
    }
    for (int together = 0; together < 2; together++) {
        two.steps[0] = (struct random_step){.procedure = TEST_NULL, .together = together};
        two.steps[1] = (struct random_step){.procedure = TEST_STORE, .size = 1};
        alloc_begin(&text);
        random_print(text.out, &two);
        char *said = alloc_end(&text);
        ck_assert_str_eq(said, together ? "NULL & STORE 1" : "NULL; STORE 1");
        free(said);
    }
}
END_TEST

/* ---- what conversations are made of ---- */

#define SEEDS 7000 /* of each change as many */

/* How large it gets, and in how many cases it is there at all. */
struct range {
    const char *name;
    uint32_t least, most;
    unsigned there, cases;
};

static void count(struct range *range, uint32_t value, bool is_there)
{
    range->cases++;
    range->least = range->cases == 1 || value < range->least ? value : range->least;
    range->most = range->cases == 1 || value > range->most ? value : range->most;
    range->there += is_there;
}

/* This share, by a tenth of it and half a percent. */
static void is_share(const struct range *range, unsigned thousandth)
{
    double share = 1000.0 * range->there / range->cases, slack = thousandth / 10.0 + 5;
    ck_assert_msg(share > thousandth - slack && share < thousandth + slack, "%s: %.0f of 1000",
                  range->name, share);
}

static void is_range(const struct range *range, uint32_t least, uint32_t most)
{
    ck_assert_msg(range->least == least && range->most == most, "%s: %u to %u", range->name,
                  range->least, range->most);
}

/* A Call of any shape can be executed: results that are not inline have their chunk, arguments that
 * are too long for a Send are in one. */
static void is_sound(const struct random_step *step)
{
    const bool brings = step->procedure == TEST_FETCH || step->procedure == TEST_ECHO;
    const bool takes = step->procedure == TEST_STORE || step->procedure == TEST_ECHO;
    ck_assert(step->procedure != TEST_NULL || step->size == 0);
    ck_assert(takes || step->read_segments == 0);
    ck_assert(!takes || step->size <= 400 || step->read_segments + step->long_segments > 0);
    ck_assert(!brings || step->size <= 400 || step->write_segments + step->reply_segments > 0);
    ck_assert(step->write_segments == 0 || step->write_room > 0);
    ck_assert(step->reply_segments == 0 || (step->reply_room >= 16 && step->reply_room % 4 == 0));
    ck_assert_uint_le(step->size, 65536 + 7);
}

static struct range steps = {.name = "steps"}, sizes = {.name = "sizes"},
                    reads = {.name = "Read segments"}, longs = {.name = "long segments"},
                    writes = {.name = "Write segments"}, replies = {.name = "Reply segments"},
                    bare = {.name = "long segments of small Calls"},
                    half = {.name = "Write rooms that are too small"},
                    together = {.name = "together"}, all = {.name = "all at once"},
                    announces = {.name = "private data"}, cut = {.name = "cut"},
                    others = {.name = "others'"}, flags = {.name = "flags"},
                    versions = {.name = "versions"};
static unsigned procedures[4];

static void count_announcement(const struct announcement *said)
{
    count(&cut, (uint32_t)said->cut, said->cut > 0);
    count(&others, 0, said->before != NULL);
    count(&flags, said->flags, said->flags != 0);
    count(&versions, said->version, said->version == 1);
    ck_assert(said->size == 1024 || said->size == 2048 || said->size == 4096);
    ck_assert_uint_eq(said->flags & 1, 0); /* it does not take Send With Invalidate */
}

static void count_step(const struct random_step *step)
{
    ck_assert_uint_lt(step->procedure, 4);
    procedures[step->procedure]++;
    count(&sizes, step->size, true);
    count(&writes, step->write_segments, step->write_segments > 0);
    count(&replies, step->reply_segments, step->reply_segments > 0);
    count(&longs, step->long_segments, step->long_segments > 0);
    count(&together, 0, step->together);
    if (step->procedure == TEST_NULL || step->procedure == TEST_FETCH)
        count(&bare, step->long_segments, step->long_segments > 0);
    if (step->procedure == TEST_STORE || step->procedure == TEST_ECHO)
        count(&reads, step->read_segments, step->read_segments > 0);
    if (step->procedure == TEST_FETCH && step->write_segments > 0 && step->size > 128)
        count(&half, 0, step->write_room < step->size);
}

static void count_conversation(uint64_t seed)
{
    static struct random_conversation conversation;
    unsigned changes = 0, joined = 0;
    random_make(&conversation, seed, true);
    count(&steps, conversation.count, true);
    count(&announces, 0, conversation.announces);
    if (conversation.announces)
        count_announcement(&conversation.announced);
    for (unsigned i = 0; i < conversation.count; i++) {
        const struct random_step *step = &conversation.steps[i];
        is_sound(step);
        count_step(step);
        joined += step->together;
        changes += step->change != RANDOM_NONE;
        ck_assert(step->change == RANDOM_NONE || step->change == seed % RANDOM_CHANGES);
    }
    ck_assert_uint_eq(changes, seed % RANDOM_CHANGES != RANDOM_NONE);
    if (conversation.count > 8) /* where it is no chance */
        count(&all, 0, joined == conversation.count);
}

START_TEST(conversations_are_of_all_kinds)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        count_conversation(seed);
    is_range(&steps, 1, RANDOM_STEPS);
    is_range(&sizes, 0, 65536 + 7);
    is_range(&writes, 0, 5);
    is_range(&replies, 0, 4);
    is_range(&reads, 0, 5);
    is_range(&longs, 0, 4);
    is_range(&versions, 0, 2);
    is_range(&cut, 0, 4);
    is_range(&flags, 0, 0xfe);
    is_share(&announces, 250);
    is_share(&writes, 500);
    is_range(&bare, 0, 3);
    is_share(&bare, 200);
    is_share(&half, 125);
    is_share(&cut, 250);
    is_share(&others, 333);
    is_share(&flags, 500);
    is_share(&versions, 333);
    is_share(&all, 167);
    is_share(&together, 375); /* one in four, and one conversation in six */
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_gt(procedures[i], sizes.cases / 5);
}
END_TEST

/* Of a peer that does not execute the test program, and the same again of the same seed. */
START_TEST(a_conversation_depends_on_its_seed)
{
    static struct random_conversation one, two;
    unsigned same = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        random_make(&one, seed, false);
        for (unsigned i = 0; i < one.count; i++)
            ck_assert(one.steps[i].procedure == TEST_NULL && one.steps[i].size == 0);
        random_make(&one, seed, true);
        random_make(&two, seed, true);
        ck_assert_uint_eq(one.count, two.count);
        ck_assert_mem_eq(one.steps, two.steps, one.count * sizeof one.steps[0]);
        random_make(&two, seed + 1, true);
        same += one.count == two.count &&
                memcmp(one.steps, two.steps, one.count * sizeof one.steps[0]) == 0;
    }
    ck_assert_uint_lt(same, 3);
}
END_TEST

#define LINES 300

static unsigned changes_of(const struct random_conversation *conversation, bool offers)
{
    unsigned changes = 0;
    ck_assert(conversation->count > 0 && conversation->count <= RANDOM_STEPS);
    for (unsigned i = 0; i < conversation->count; i++) {
        const struct random_step *step = &conversation->steps[i];
        is_sound(step);
        ck_assert((offers || step->procedure == TEST_NULL) && step->change < RANDOM_CHANGES);
        changes += conversation->steps[i].change != RANDOM_NONE;
    }
    return changes;
}

static bool is_same_step(const struct random_step *a, const struct random_step *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Made of others, conversations are as good as those that are new: of Calls that conform, but for
 * one Send at most. They keep something, and are longer and shorter; the changed Send is another,
 * or none. */
START_TEST(mutants_are_conversations)
{
    static struct random_conversation one, two;
    unsigned longer = 0, shorter = 0, cleared = 0, changed = 0, kept = 0, begins = 0, whole = 0;
    for (uint64_t seed = 0; seed < LINES; seed++) {
        struct random_line line = RANDOM_SEED(seed), other = RANDOM_SEED(seed + 1);
        random_line_make(&one, &line, _i != 0);
        ck_assert_uint_le(changes_of(&one, _i != 0), 1);
        ck_assert(random_line_add(&line, NULL, RANDOM_MUTATED, seed));
        random_line_make(&two, &line, _i != 0);
        ck_assert_uint_le(changes_of(&two, _i != 0), 1);
        longer += two.count > one.count;
        shorter += two.count < one.count;
        kept += is_same_step(&one.steps[0], &two.steps[0]);
        cleared += changes_of(&one, _i != 0) == 1 && changes_of(&two, _i != 0) == 0;
        changed += changes_of(&one, _i != 0) == 0 && changes_of(&two, _i != 0) == 1;
        ck_assert(random_line_add(&line, &other, RANDOM_SPLICED, seed));
        random_line_make(&one, &line, _i != 0);
        ck_assert_uint_le(changes_of(&one, _i != 0), 1);
        struct random_step first = one.steps[0];
        first.change = two.steps[0].change;
        ck_assert(is_same_step(&first, &two.steps[0]));
        for (uint64_t next = 1000 * seed; random_line_add(&line, NULL, RANDOM_MUTATED, next);
             next++)
            continue;
        random_line_make(&two, &line, _i != 0);
        ck_assert_uint_le(changes_of(&two, _i != 0), 1);
        random_line_make(&two, &other, _i != 0);
        begins += one.count == RANDOM_STEPS;
        first = one.steps[one.count - 1];
        first.change = two.steps[two.count - 1].change;
        whole += is_same_step(&first, &two.steps[two.count - 1]);
    }
    ck_assert_msg(longer > LINES / 8 && shorter > LINES / 8, "%u, %u of %u", longer, shorter,
                  LINES);
    ck_assert_msg(kept > LINES / 3 && kept < LINES, "%u", kept);
    ck_assert_msg(cleared > 0 && changed > 0, "%u, %u", cleared, changed);
    ck_assert_msg(begins > 0 && whole > LINES / 2, "%u, %u", begins, whole);
}
END_TEST

#define TEN(tens)                                                                                  \
    "+" tens "1+" tens "2+" tens "3+" tens "4+" tens "5+" tens "6+" tens "7+" tens "8+" tens "9+7"
#define LONGEST "0" TEN("1") TEN("2") TEN("3") "+1"

/* The same line makes the same conversation, and is the same text; what is too long stays as it
 * was. */
START_TEST(lines_of_seeds_are_kept)
{
    static const char *const good[] = {"0", "18446744073709551615", "7+19,4x23", "1,2,3,4x5x6x7",
                                       LONGEST};
    static struct random_conversation one, two;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct random_line line, again;
        struct alloc_stream text;
        ck_assert(random_line_read(&line, good[i]));
        alloc_begin(&text);
        random_line_print(text.out, &line);
        char *words = alloc_end(&text);
        ck_assert_str_eq(words, good[i]);
        free(words);
        ck_assert(random_line_read(&again, good[i]));
        random_line_make(&one, &line, true);
        random_line_make(&two, &again, true);
        ck_assert_uint_eq(one.count, two.count);
        ck_assert_mem_eq(one.steps, two.steps, one.count * sizeof one.steps[0]);
        again = line;
        ck_assert_int_eq(random_line_add(&again, NULL, RANDOM_MUTATED, 9),
                         line.count < RANDOM_LINE);
        ck_assert_uint_eq(again.count, line.count < RANDOM_LINE ? line.count + 1 : RANDOM_LINE);
    }
    struct random_line deep, left;
    ck_assert(random_line_read(&left, "1") && random_line_read(&deep, good[3]));
    ck_assert(!random_line_add(&left, &deep, RANDOM_SPLICED, 9)); /* five at once */
    ck_assert_uint_eq(left.count, 1);
    ck_assert(random_line_add(&deep, &left, RANDOM_SPLICED, 9));
    ck_assert_uint_eq(deep.count, 9);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("changes at random");
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, a_change_is_what_it_says, 0, 70);
    tcase_add_test(tests, changes_reach_their_limits);
    tcase_add_loop_test(tests, changes_keep_to_the_send, 0, 2);
    tcase_add_loop_test(tests, an_argument_may_be_a_word, 0, 2);
    tcase_add_test(tests, some_changes_are_of_segments);
    tcase_add_test(tests, words_say_what_there_is);
    tcase_add_test(tests, conversations_are_of_all_kinds);
    tcase_add_test(tests, a_conversation_depends_on_its_seed);
    tcase_add_loop_test(tests, mutants_are_conversations, 0, 2);
    tcase_add_test(tests, lines_of_seeds_are_kept);
    return run_tests("changes at random", tests);
}
