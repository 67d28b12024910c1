// SPDX-License-Identifier: BSD-3-Clause
/*
 * Rules that compare the entries of a list with each other, on random lists of up to 700 entries:
 * what the checker finds with its tables of fixed size is what a plain search finds.
 */
#include "conformance/tests/support/dice.h"
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma1.h>
#include <rpcrdma/xdr.h>

#include <stdalign.h>
#include <stdlib.h>

#define LISTS 30000
#define ENTRIES 700
#define RESULTS_COMPARED 16 /* segments before it, of result memory */
#define CHUNKS_COMPARED 64

static uint8_t wire[24 * ENTRIES + 256];

static uint8_t *put(uint8_t *p, uint32_t word)
{
    rpcrdma_xdr_store32(p, word);
    return p + 4;
}

static uint8_t *put_segment(uint8_t *p, const struct rpcrdma1_segment *segment)
{
    p = put(put(p, segment->handle), segment->length);
    return put(put(p, (uint32_t)(segment->offset >> 32)), (uint32_t)segment->offset);
}

static uint8_t *put_call(uint8_t *p)
{
    static const uint32_t words[] = {7, 0, 2, 100003, 3, 6, 0, 0, 0, 0};
    for (unsigned i = 0; i < COUNT(words); i++)
        p = put(p, words[i]);
    return p;
}

/* Offset of the finding, or RPCRDMA_NO_OFFSET. */
static int64_t find(const struct rpcrdma_judgement *judgement, enum rpcrdma_rule rule)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rule)
            return judgement->findings[i].offset;
    return RPCRDMA_NO_OFFSET;
}

static void judge(const uint8_t *end, struct rpcrdma_judgement *judgement)
{
    alignas(max_align_t) static uint8_t memory[65536];
    const struct rpcrdma_check_config config = {.max_calls = 4, .max_segments = 8};
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    ck_assert_ptr_nonnull(check);
    const struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND, .data = wire, .length = (size_t)(end - wire)};
    rpcrdma_check_event(check, &event, judgement);
    ck_assert_int_ge(judgement->header_length, 0);
}

/* ---- memory offered for two results ---- */

static bool share(const struct rpcrdma1_segment *a, const struct rpcrdma1_segment *b)
{
    return a->length > 0 && b->length > 0 && a->handle == b->handle &&
           a->offset < b->offset + b->length && b->offset < a->offset + a->length;
}

/* The first segment that shares memory with one of those before it, those without octets aside. */
static int expect_shared(const struct rpcrdma1_segment *segments, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = i - 1, seen = 0; j >= 0 && seen < RESULTS_COMPARED; j--) {
            if (share(&segments[i], &segments[j]))
                return i;
            seen += segments[j].length > 0;
        }
    return -1;
}

START_TEST(result_memory)
{
    struct dice dice = {20261122};
    struct rpcrdma1_segment segments[ENTRIES];
    unsigned found = 0;
    for (unsigned n = 0; n < LISTS; n++) {
        int count = (int)pick(&dice, chance(&dice, 20) ? ENTRIES : 60);
        uint32_t handles = 1 + pick(&dice, chance(&dice, 50) ? 20 : 100000);
        uint32_t places = 1 + pick(&dice, chance(&dice, 50) ? 50 : 100000);
        for (int i = 0; i < count; i++)
            segments[i] = (struct rpcrdma1_segment){.handle = pick(&dice, handles) * 256,
                                                    .length = pick(&dice, 10),
                                                    .offset = pick(&dice, places) * 8};
        uint8_t *p = put(put(put(put(wire, 7), 1), 32), RPCRDMA1_MSG);
        p = put(put(put(put(p, 0), 0), 1), (uint32_t)count);
        const uint8_t *first = p;
        for (int i = 0; i < count; i++)
            p = put_segment(p, &segments[i]);
        struct rpcrdma_judgement judgement;
        judge(put_call(p), &judgement);
        int expected = expect_shared(segments, count);
        ck_assert_int_eq(find(&judgement, RPCRDMA_RFC8166_3_4_3_RESULT_MEMORY_ONCE),
                         expected < 0 ? RPCRDMA_NO_OFFSET : first - wire + 16 * expected);
        found += expected >= 0;
    }
    ck_assert_uint_gt(found, LISTS / 10);
    ck_assert_uint_lt(found, LISTS - LISTS / 10);
}
END_TEST

/* ---- Read chunks ---- */

struct chunk {
    uint32_t position, length;
    int at;
};

struct expected {
    int interleaved, overlap; /* entry, or -1 */
};

static int compare(const void *a, const void *b)
{
    const struct chunk *one = a, *two = b;
    return (one->position > two->position) - (one->position < two->position);
}

static bool overlaps(const struct chunk *low, uint32_t position)
{
    return low->position + (low->length + 3) / 4 * 4 > position;
}

/* While Positions ascend, neighbours are compared; once one is less than the one before it, all
 * chunks, if there are not more than the checker compares. */
static struct expected expect_chunks(const struct chunk *entries, int count)
{
    struct expected expected = {-1, -1};
    struct chunk chunks[ENTRIES];
    int known = 0;
    bool descends = false;
    for (int i = 0; i < count; i++) {
        const struct chunk *entry = &entries[i];
        bool same = i > 0 && entry->position == entries[i - 1].position;
        descends = descends || (i > 0 && entry->position < entries[i - 1].position);
        int j = same ? 0 : known;
        while (descends && !same && --j >= 0 &&
               (j >= CHUNKS_COMPARED || chunks[j].position != entry->position))
            ;
        if (descends && !same && j >= 0) {
            if (expected.interleaved < 0)
                expected.interleaved = i;
            chunks[j].length += entry->length;
            continue;
        }
        if (same) {
            for (j = known - 1; chunks[j].position != entry->position; j--)
                ;
            chunks[j].length += entry->length;
            continue;
        }
        if (!descends && known > 0 && expected.overlap < 0 &&
            overlaps(&chunks[known - 1], entry->position))
            expected.overlap = i;
        chunks[known++] = (struct chunk){entry->position, entry->length, i};
    }
    if (!descends || known > CHUNKS_COMPARED || expected.overlap >= 0)
        return expected;
    qsort(chunks, (size_t)known, sizeof chunks[0], compare);
    for (int i = 1; i < known && expected.overlap < 0; i++)
        if (overlaps(&chunks[i - 1], chunks[i].position))
            expected.overlap = chunks[i].at;
    return expected;
}

static void fill(struct dice *dice, struct chunk *entries, int count)
{
    uint32_t positions = 1 + pick(dice, chance(dice, 50) ? 80 : 2000);
    uint32_t apart = 4 + 4 * pick(dice, 8), longest = 1 + pick(dice, 2 * apart);
    uint32_t disorder = pick(dice, 4) * pick(dice, 30), position = 0;
    for (int i = 0; i < count; i++) {
        if (chance(dice, disorder))
            position = pick(dice, positions);
        else
            position += !chance(dice, 20);
        entries[i] =
            (struct chunk){.position = 40 + position * apart, .length = 1 + pick(dice, longest)};
    }
}

START_TEST(read_chunks)
{
    struct dice dice = {20261123};
    static struct chunk entries[ENTRIES];
    unsigned interleaved = 0, overlap = 0;
    for (unsigned n = 0; n < LISTS; n++) {
        int count = (int)pick(&dice, chance(&dice, 20) ? ENTRIES : 120);
        fill(&dice, entries, count);
        uint8_t *p = put(put(put(put(wire, 7), 1), 32), RPCRDMA1_MSG);
        for (int i = 0; i < count; i++)
            p = put_segment(put(put(p, 1), entries[i].position),
                            &(struct rpcrdma1_segment){.handle = 5, .length = entries[i].length});
        struct rpcrdma_judgement judgement;
        judge(put_call(put(put(put(p, 0), 0), 0)), &judgement);
        struct expected expected = expect_chunks(entries, count);
        ck_assert_int_eq(find(&judgement, RPCRDMA_RFC8166_3_4_5_INTERLEAVED_CHUNKS),
                         expected.interleaved < 0 ? RPCRDMA_NO_OFFSET
                                                  : 16 + 24 * expected.interleaved + 4);
        ck_assert_int_eq(find(&judgement, RPCRDMA_RFC8166_3_4_4_4_CHUNKS_OVERLAP),
                         expected.overlap < 0 ? RPCRDMA_NO_OFFSET : 16 + 24 * expected.overlap + 4);
        interleaved += expected.interleaved >= 0;
        overlap += expected.overlap >= 0;
    }
    ck_assert_uint_gt(interleaved, LISTS / 10);
    ck_assert_uint_gt(overlap, LISTS / 10);
    ck_assert_uint_lt(interleaved, LISTS - LISTS / 10);
    ck_assert_uint_lt(overlap, LISTS - LISTS / 10);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, result_memory);
    tcase_add_test(tcase, read_chunks);
    return run_tests("chunk_lists", tcase);
}
