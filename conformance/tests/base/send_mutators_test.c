// SPDX-License-Identifier: BSD-3-Clause
/*
 * The mutators of one Send: each edit is one that it is meant to be, and all of these are made.
 */
#include "fuzz/mutators/mutator.c"

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"
#include "conformance/base/count.h"

#include <check.h>

/* ---- the others ---- */

static unsigned plain; /* calls of libFuzzer's own mutation */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    ck_assert_uint_le(size, max_size);
    plain++;
    return size;
}

/* ---- words ---- */

enum { TRIES = 20000 };

/* clang-format off */
START_TEST(words_near)
{
    enum { MANY = 200000, AT = 1000000, STEPS = 7, WORDS = 32 };
    static const uint32_t words[WORDS] = {AT - 4, AT - 1, AT + 1, AT + 2, AT + 3, AT + 4, AT + 24,
        0, 1, 2, 3, 4, 7, 20, 39, 40, 44, 1023, 1024, 1025, 4096, 65536, 100003, 0x0fffffff, 0x10000000,
        0x10000001, 0x7fffffff, 0x80000000, 0xfffffff8, 0xfffffffc, 0xfffffffe, 0xffffffff};
    unsigned seen[WORDS + 1] = {0}, k;
    struct chance chance = chance_from(7);
    for (unsigned i = 0; i < MANY; i++) {
        uint32_t word = near(&chance, AT);
        for (k = 0; k < WORDS && words[k] != word; k++)
            continue;
        seen[k]++;
    }
    for (k = 0; k < WORDS; k++)
        is_about(seen[k], k < STEPS ? MANY / 2 / STEPS : MANY * 3 / 8 / (WORDS - STEPS), "word", k);
    is_about(seen[WORDS], MANY / 8, "any word", 0);
}
END_TEST
/* clang-format on */

/* ---- lists ---- */

#define SEGMENT(n) ((struct rpcrdma1_segment){10 + (n), 24 + (n), 0x100 * (n)})

/* Which member of a segment was changed: 0 to 2, 3: it ends where addresses do, 4: a length that
 * wraps sums; 5: none, 6: no edit. */
static unsigned edit_of(const struct rpcrdma1_segment *is, const struct rpcrdma1_segment *was)
{
    bool handle = is->handle != was->handle, length = is->length != was->length;
    bool offset = is->offset != was->offset;
    if (handle + length + offset > 1)
        return 6;
    if (offset)
        return is->offset + is->length + 1 <= 2 ? 3 : (is->offset - was->offset) >> 32 == 0 ? 2 : 6;
    return handle ? 0 : !length ? 5 : is->length >= UINT32_MAX - 7 ? 4 : 1;
}

START_TEST(segments)
{
    unsigned seen[7] = {0}, ends[3] = {0}, wraps[8] = {0};
    struct chance chance = chance_from(3);
    for (unsigned i = 0; i < TRIES; i++) {
        struct rpcrdma1_segment was = SEGMENT(1), is = was;
        edit_segment(&is, &chance);
        unsigned edit = edit_of(&is, &was);
        seen[edit]++;
        if (edit == 3)
            ends[is.offset + is.length + 1]++;
        if (edit == 4)
            wraps[UINT32_MAX - is.length]++;
    }
    ck_assert_uint_eq(seen[6], 0);
    for (unsigned i = 0; i < 5; i++)
        is_about(seen[i], TRIES / 5, "edit of a segment", i);
    for (unsigned i = 0; i < 3; i++)
        is_about(ends[i], TRIES / 15, "end", i);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_gt(wraps[i], TRIES / 5 / 16);
}
END_TEST

/* Lists of three entries by the same name: what an edit made of one. */
enum list_edit { ADDED, DROPPED, TWICE, EXCHANGED, SPLIT, CHANGED, LIST_EDITS };

struct entry {
    uint32_t position;
    struct rpcrdma1_segment target;
};

static void make_entries(struct entry made[3], uint32_t position)
{
    for (uint32_t i = 0; i < 3; i++)
        made[i] = (struct entry){position * (i + 1), SEGMENT(i)};
}

static bool is_entry(const struct entry *a, const struct entry *b)
{
    return a->position == b->position && a->target.handle == b->target.handle &&
           a->target.length == b->target.length && a->target.offset == b->target.offset;
}

static bool begins(const struct entry *is, const struct entry *with, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_entry(&is[i], &with[i]))
            return false;
    return true;
}

static bool is_half(const struct entry *is, const struct entry *was, uint32_t from, uint32_t length)
{
    struct entry half = *was;
    half.target.length = length;
    half.target.offset += from;
    return is_entry(is, &half);
}

/* *changed: the one that was; LIST_EDITS: no edit. */
static enum list_edit list_edit(const struct entry *is, size_t count, const struct entry was[3],
                                size_t *changed)
{
    size_t differ = 0;
    for (size_t i = 0; count == 2 && i < 3; i++)
        if (begins(is, was, i) && begins(is + i, was + i + 1, 2 - i))
            return DROPPED;
    for (size_t i = 0; count == 4 && i < 3; i++) {
        if (!begins(is, was, i) || !begins(is + i + 2, was + i + 1, 2 - i))
            continue;
        uint32_t length = was[i].target.length, half = length / 2;
        if (is_entry(&is[i], &was[i]) && is_entry(&is[i + 1], &was[i]))
            return TWICE;
        if (is_half(&is[i], &was[i], 0, half) && is_half(&is[i + 1], &was[i], half, length - half))
            return SPLIT;
        if (is_entry(&is[i + 1], &was[i]))
            return ADDED;
    }
    for (size_t i = 0; count == 3 && i < 3; i++)
        if (!is_entry(&is[i], &was[i])) {
            *changed = i;
            differ++;
        }
    if (count != 3 || differ > 2)
        return LIST_EDITS;
    size_t other = 0;
    while (differ == 2 && (other == *changed || is_entry(&is[other], &was[other])))
        other++;
    if (differ == 2)
        return is_entry(&is[other], &was[*changed]) && is_entry(&is[*changed], &was[other])
                   ? EXCHANGED
                   : LIST_EDITS;
    return CHANGED;
}

static void is_each_edit(const unsigned seen[LIST_EDITS + 1], unsigned of, unsigned changed)
{
    ck_assert_uint_eq(seen[LIST_EDITS], 0);
    for (unsigned i = 0; i < CHANGED; i++)
        is_about(seen[i], i == EXCHANGED ? TRIES / of * 2 / 3 : TRIES / of, "edit of a list", i);
    is_about(seen[CHANGED], changed, "edit of an entry", 0);
}

START_TEST(read_list)
{
    unsigned seen[LIST_EDITS + 1] = {0}, positions = 0, others = 0, near_it = 0;
    struct entry was[3];
    struct chance chance = chance_from(5);
    make_entries(was, 100000);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        struct entry is[READS];
        size_t changed = 0;
        model.read_count = 3;
        for (uint32_t k = 0; k < 3; k++)
            model.reads[k] = (struct rpcrdma1_read_segment){was[k].position, was[k].target};
        edit_reads(&model, &chance);
        for (uint32_t k = 0; k < model.read_count; k++)
            is[k] = (struct entry){model.reads[k].position, model.reads[k].target};
        enum list_edit edit = list_edit(is, model.read_count, was, &changed);
        seen[edit]++;
        if (edit == ADDED) { /* it is aligned */
            bool fits = false;
            for (uint32_t k = 0; k < model.read_count; k++)
                fits |= is[k].position % 4 == 0 && !is_entry(&is[k], &was[k < 3 ? k : 2]);
            ck_assert(fits);
        }
        const struct entry *one = &is[changed], *before = &was[changed];
        if (edit != CHANGED || is_entry(one, before))
            continue;
        positions += one->position != before->position;
        near_it += one->position - before->position + 4 <= 28;
        for (unsigned k = 0; k < 3; k++)
            others += k != changed && one->position == was[k].position;
        ck_assert(one->position == before->position || edit_of(&one->target, &before->target) == 5);
    }
    /* Of two that are chosen to be exchanged, or for a Position, one in three is the same. */
    is_each_edit(seen, 8, TRIES / 8 * 3 + TRIES / 8 / 3);
    is_about(others, TRIES / 8 * 2 / 3, "Position of another", 0);
    ck_assert(positions > TRIES / 8 * 3 / 2 && near_it > TRIES / 16);
}
END_TEST

START_TEST(chunk_of_segments)
{
    unsigned seen[LIST_EDITS + 1] = {0};
    struct entry was[3];
    struct chance chance = chance_from(11);
    make_entries(was, 0);
    for (unsigned i = 0; i < TRIES; i++) {
        struct chunk chunk = {.count = 3};
        struct entry is[SEGMENTS];
        size_t changed = 0;
        for (size_t k = 0; k < 3; k++)
            chunk.segments[k] = SEGMENT((uint32_t)k);
        edit_chunk(&chunk, &chance);
        for (uint32_t k = 0; k < chunk.count; k++)
            is[k] = (struct entry){0, chunk.segments[k]};
        enum list_edit edit = list_edit(is, chunk.count, was, &changed);
        ck_assert(edit != CHANGED || edit_of(&is[changed].target, &was[changed].target) != 6);
        seen[edit]++;
    }
    is_each_edit(seen, 6, TRIES / 6 + TRIES / 6 / 3);
}
END_TEST

/* A Write chunk is its first segment here. */
START_TEST(write_list)
{
    unsigned seen[LIST_EDITS + 1] = {0};
    struct entry was[3];
    struct chance chance = chance_from(13);
    make_entries(was, 0);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        struct entry is[WRITES];
        size_t changed = 0, edited = 0;
        model = (struct model){.write_count = 3};
        for (size_t k = 0; k < 3; k++)
            model.writes[k] = (struct chunk){1, {SEGMENT((uint32_t)k)}};
        edit_writes(&model, &chance);
        for (uint32_t k = 0; k < model.write_count; k++) {
            edited += k < 3 && (model.writes[k].count != 1 ||
                                edit_of(&model.writes[k].segments[0], &was[k].target) < 5);
            is[k] = (struct entry){0, model.writes[k].segments[0]};
        }
        enum list_edit edit = model.write_count == 3 && edited == 1
                                  ? CHANGED
                                  : list_edit(is, model.write_count, was, &changed);
        seen[edit]++;
    }
    ck_assert_uint_eq(seen[LIST_EDITS] + seen[SPLIT], 0);
    for (unsigned i = 0; i < EXCHANGED; i++)
        is_about(seen[i], TRIES / 6, "edit of the Write list", i);
    is_about(seen[EXCHANGED], TRIES / 6 * 2 / 3, "exchanged", 0);
    is_about(seen[CHANGED], TRIES / 3 + TRIES / 18, "edit of a Write chunk", 0);
}
END_TEST

/* What is full gets no more, what is empty gets one. */
START_TEST(where_lists_end)
{
    struct chance chance = chance_from(17);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        struct chunk chunk = {.count = SEGMENTS};
        model = (struct model){.read_count = READS, .write_count = WRITES};
        edit_reads(&model, &chance);
        edit_writes(&model, &chance);
        edit_chunk(&chunk, &chance);
        ck_assert(model.read_count - (READS - 1) <= 1 && model.write_count - (WRITES - 1) <= 1);
        ck_assert(chunk.count - (SEGMENTS - 1) <= 1);
        model = (struct model){.read_count = 0};
        chunk.count = 0;
        edit_reads(&model, &chance);
        edit_writes(&model, &chance);
        edit_chunk(&chunk, &chance);
        ck_assert(model.read_count == 1 && model.reads[0].position % 4 == 0);
        ck_assert(model.write_count == 1 && model.writes[0].count == 1 && chunk.count == 1);
    }
}
END_TEST

START_TEST(fixed_words)
{
    unsigned xids = 0, versions[4] = {0}, credits = 0, errors[2] = {0}, procedures[4] = {0};
    unsigned ranges[4][4] = {{0}};
    struct chance chance = chance_from(19);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        struct rpcrdma1_header *header = &model.header;
        *header = (struct rpcrdma1_header){7000000, 9, 32000000, {.proc = RPCRDMA1_ERROR + 1}};
        edit_fixed(&model, &chance);
        const struct rpcrdma1_body *body = &header->rdma_body;
        ck_assert_int_eq((header->rdma_xid != 7000000) + (header->rdma_vers != 9) +
                             (header->rdma_credit != 32000000) + (body->proc != RPCRDMA1_ERROR + 1),
                         1);
        xids += header->rdma_xid != 7000000;
        credits += header->rdma_credit != 32000000;
        if (header->rdma_vers != 9)
            versions[header->rdma_vers == 1   ? 0
                     : header->rdma_vers == 2 ? 1
                     : header->rdma_vers == 0 ? 2
                                              : 3]++;
        if (body->proc < RPCRDMA1_ERROR)
            procedures[body->proc]++;
        if (body->proc != RPCRDMA1_ERROR)
            continue;
        errors[body->rdma_error.err - 1]++;
        ck_assert(body->rdma_error.range.rdma_vers_low < 4 &&
                  body->rdma_error.range.rdma_vers_high < 4);
        ranges[body->rdma_error.range.rdma_vers_low][body->rdma_error.range.rdma_vers_high]++;
    }
    is_about(xids, TRIES / 5, "XID", 0);
    is_about(credits, TRIES / 5, "credit", 0);
    for (unsigned i = 0; i < 4; i++) {
        is_about(versions[i], TRIES / 35 * (i == 0 ? 3 : i == 3 ? 2 : 1), "version", i);
        is_about(procedures[i], TRIES / 20, "procedure", i);
    }
    for (unsigned i = 0; i < 16; i++)
        ck_assert_uint_gt(ranges[i / 4][i % 4], TRIES / 5 / 16 / 2);
    for (unsigned i = 0; i < 2; i++)
        is_about(errors[i], TRIES / 10, "error", i);
}
END_TEST

/* Which part of a Send an edit is of. */
START_TEST(parts_are_chosen)
{
    unsigned reads = 0, writes = 0, dropped = 0, kept = 0;
    struct chance chance = chance_from(43);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        model = (struct model){.has_reply = true};
        edit(&model, &chance);
        reads += model.read_count;
        writes += model.write_count;
        dropped += !model.has_reply;
        kept += model.has_reply && model.reply.count == 1;
    }
    is_about(reads, TRIES / 8 * 3, "Read list", 0);
    is_about(writes, TRIES / 8 * 2, "Write list", 0);
    is_about(dropped, TRIES / 24, "no Reply chunk", 0);
    is_about(kept, TRIES / 12, "Reply chunk", 0);
}
END_TEST

/* ---- taking apart and putting together ---- */

/* clang-format off */
#define READ(position, handle, length, offset) 1, position, handle, length, 0, offset
#define LISTS READ(4, 11, 24, 0x100), 0, 0
#define REPLY 1, 1, 51, 16, 0, 0x200, 99
#define CHUNKS READ(4, 11, 24, 0x100), READ(8, 12, 4, 0x200), 0, \
    1, 2, 21, 8, 0, 0x300, 22, 9, 0, 0x400, 1, 0, 0, 1, 2, 31, 1, 0, 0x500, 32, 2, 0, 0x600
static const struct {
    uint32_t word[48];
    size_t count;
} sends[] = {
    {{7, 1, 32, 0, CHUNKS}, 40}, {{7, 1, 32, 1, CHUNKS}, 40}, {{7, 1, 32, 2, 8, 9, CHUNKS}, 42},
    {{7, 1, 32, 3}, 4}, {{7, 1, 32, 4, 1, 2, 3}, 7}, {{7, 1, 32, 4, 2}, 5}, {{7, 1, 32, 0, 0, 0, 0}, 7},
};
/* clang-format on */

START_TEST(parts_of_a_send)
{
    static struct model model;
    uint8_t octets[256], again[256];
    size_t size = store_words(octets, sends[_i].word, sends[_i].count);
    ck_assert_int_eq(take_apart(&model, octets, size), (ptrdiff_t)size);
    ck_assert_int_eq(put_together(&model, again, sizeof again), (ptrdiff_t)size);
    ck_assert_int_eq(memcmp(octets, again, size), 0);
    ck_assert_int_lt(take_apart(&model, octets, size - 1), 0);
    ck_assert_uint_eq(model.read_count + model.write_count + model.has_reply, 0);
}
END_TEST

START_TEST(full_lists)
{
    static struct model model, again;
    static uint8_t octets[65536];
    model = (struct model){{7, 1, 32, {.proc = RPCRDMA1_MSG}}, READS, WRITES, .has_reply = true};
    model.reply.count = SEGMENTS;
    for (uint32_t i = 0; i < WRITES; i++)
        model.writes[i].count = SEGMENTS;
    ptrdiff_t size = put_together(&model, octets, sizeof octets);
    ck_assert_int_eq(take_apart(&again, octets, (size_t)size), size);
    ck_assert(again.read_count == READS && again.write_count == WRITES && again.has_reply);
    ck_assert(again.writes[WRITES - 1].count == SEGMENTS && again.reply.count == SEGMENTS);
}
END_TEST

/* ---- damage ---- */

START_TEST(fields_of_a_send)
{
    static const uint32_t send[] = {7000000, 1, 32, 0, READ(4, 11, 24, 0x100), 0, 0, 1, 0};
    enum { WORDS = COUNT(send), SEEDS = 20 * TRIES };
    /* An offset of 64 bits is changed in its first half; presence words and counts weigh more. */
    static const unsigned weight[WORDS] = {1, 1, 1, 1, 4, 1, 1, 1, 1, 0, 4, 4, 4, 4};
    unsigned changed[WORDS] = {0}, cuts[4 * WORDS + 1] = {0}, wraps = 0, all = 0;
    unsigned other_flag[WORDS] = {0}, two[WORDS] = {0};
    for (unsigned i = 0; i < WORDS; i++)
        all += weight[i];
    struct chance chance = chance_from(23);
    for (unsigned i = 0; i < SEEDS; i++) {
        uint8_t octets[sizeof send];
        size_t size = store_words(octets, send, WORDS);
        size = mutate_field(rpcrdma_walk_rpcrdma1_header, octets, size, &chance);
        ck_assert_uint_le(size, sizeof send);
        cuts[size]++;
        if (size < sizeof send)
            continue;
        unsigned differ = 0;
        for (unsigned k = 0; k < WORDS; k++) {
            uint32_t word = rpcrdma_xdr_load32(octets + 4 * k);
            differ += word != send[k];
            changed[k] += word != send[k];
            other_flag[k] += word == !send[k];
            two[k] += word == 2;
            wraps += k == WORDS - 1 && word == 0x10000000;
        }
        ck_assert_uint_le(differ, 1);
    }
    for (unsigned k = 0; k < WORDS; k++) {
        unsigned of = SEEDS / all * weight[k] / 4 * 3;
        ck_assert_msg(changed[k] <= of * 21 / 20 && changed[k] >= of * 4 / 5, "word %u: %u of %u",
                      k, changed[k], of);
    }
    for (unsigned k = 0; k < 3; k++) {
        static const unsigned flags[] = {4, 10, 12};
        unsigned of = SEEDS / all * 3;
        is_about(other_flag[flags[k]], of / 2 + of / 4 / 100, "the other presence", k);
        is_about(two[flags[k]], of / 4, "presence of two", k);
    }
    is_about(wraps, SEEDS / all * 3 / 2, "a count that wraps", 0);
    /* A cut at a field, or within, or behind it. */
    ck_assert_uint_eq(cuts[0], 0);
    for (unsigned n = 1; n < 4 * WORDS; n++)
        ck_assert_msg((cuts[n] > 0) == (n <= 36 || n >= 40), "cut at %u: %u times", n, cuts[n]);
    for (unsigned n = 1; n < 4; n++)
        is_about(cuts[4 * 4 + n], SEEDS / all * 4 / 4 / 5, "cut within a word", n);
}
END_TEST

/* ---- what follows ---- */

START_TEST(messages_that_follow)
{
    static const uint32_t messages[][10] = {{7, 0, 2, 100003, 3, 0, 0, 0, 0, 0},
                                            {7, 1, 0, 0, 0, 0}};
    static const size_t words[] = {10, 6};
    unsigned seen[3] = {0};
    struct model model = {.header.rdma_xid = 7};
    struct chance chance = chance_from(29);
    for (unsigned i = 0; i < TRIES; i++) {
        uint8_t octets[8 + 40], expected[40];
        size_t room = 8 + (size_t)_i;
        memset(octets, 0xee, sizeof octets);
        size_t size = put_rpc(&model, octets, 8, room, &chance);
        ck_assert_uint_le(size, room);
        unsigned which = size == 8 ? 2 : size == 8 + 24;
        if (which < 2) {
            ck_assert_uint_eq(size - 8, store_words(expected, messages[which], words[which]));
            ck_assert_int_eq(memcmp(octets + 8, expected, size - 8), 0);
        }
        seen[which]++;
    }
    is_about(seen[0], _i >= 40 ? TRIES / 2 : 0, "Call", 0);
    is_about(seen[1], _i >= 24 ? TRIES / 2 : 0, "Reply", 0);
}
END_TEST

START_TEST(payloads)
{
    static const uint8_t payload[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint8_t xid[4] = {0, 0, 0, 7};
    unsigned same = 0, renamed = 0, none = 0, messages = 0;
    struct model model = {.header.rdma_xid = 7};
    struct chance chance = chance_from(31);
    plain = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        uint8_t octets[80];
        memset(octets, 0xee, sizeof octets);
        size_t size = put_payload(&model, octets, 8, sizeof octets, payload, 12, &chance);
        none += size == 8;
        messages += size == 8 + 40 || size == 8 + 24;
        if (size != 20)
            continue;
        ck_assert_int_eq(memcmp(octets + 12, payload + 4, 8), 0);
        same += memcmp(octets + 8, payload, 4) == 0;
        renamed += memcmp(octets + 8, xid, 4) == 0;
        /* What has no room is cut. */
        ck_assert_uint_le(put_payload(&model, octets, 8, 14, payload, 12, &chance), 14);
    }
    is_about(messages, TRIES / 8, "a message", 0);
    is_about(none, TRIES * 7 / 8 / 16, "nothing", 0);
    is_about(renamed, TRIES * 7 / 8 * 15 / 16 / 4, "the XID of the header", 0);
    is_about(same, TRIES * 7 / 8 * 15 / 16 * 3 / 4, "as it was", 0);
    is_about(plain, TRIES * 7 / 8 * 15 / 16 / 4 * 37 / 20, "octets", 0);
}
END_TEST

/* ---- a whole Send ---- */

/* What does not decode, or has no room, is left to libFuzzer, and one of five. */
START_TEST(sends_that_stay_octets)
{
    static const uint32_t send[] = {7, 1, 32, 0, LISTS, REPLY};
    unsigned left[2] = {0};
    struct chance chance = chance_from(37);
    for (unsigned i = 0; i < 3 * TRIES; i++) {
        uint8_t octets[4096];
        size_t size = store_words(octets, send, COUNT(send)), cut = i % 3 == 0 ? 8 : 0;
        size_t room = i % 3 == 1 ? size : sizeof octets;
        plain = 0;
        ck_assert_uint_le(mutate_send(octets, size - cut, room, &chance), room);
        ck_assert(cut == 0 || plain == 1); /* it ends in its Reply chunk */
        if (cut == 0)
            left[room > size] += plain > 0;
    }
    ck_assert_uint_gt(left[0], left[1] + TRIES / 5);
    ck_assert(left[1] > TRIES / 5 && left[1] < TRIES / 2);
}
END_TEST

/* One to three edits; what follows mostly stays; and one in three is damaged at a field. */
START_TEST(edits_of_a_send)
{
    static const uint32_t send[] = {7000000, 9, 32000000, 0, LISTS, REPLY};
    static const uint8_t payload[4] = {0, 0, 0, 99};
    unsigned edited = 0, kept = 0, damaged = 0, several = 0;
    struct chance chance = chance_from(47);
    for (unsigned i = 0; i < TRIES; i++) {
        static struct model model;
        uint8_t octets[4096];
        size_t size = store_words(octets, send, COUNT(send));
        plain = 0;
        size = mutate_send(octets, size, sizeof octets, &chance);
        if (plain > 0)
            continue;
        const struct rpcrdma1_header *header = &model.header;
        edited += 1;
        damaged += take_apart(&model, octets, size) < 0;
        kept += size >= 4 && memcmp(octets + size - 4, payload, 4) == 0;
        several += (header->rdma_xid != 7000000) + (header->rdma_vers != 9) +
                       (header->rdma_credit != 32000000) + (model.read_count != 1) +
                       (model.write_count != 0) + !model.has_reply >=
                   3;
    }
    is_about(edited, TRIES / 5 * 4 * 4 / 5, "edited", 0);
    is_about(kept, edited / 2, "followed by its payload", 0);
    is_about(damaged, edited * 22 / 100, "damaged at a field", 0);
    is_about(several, edited * 27 / 200, "edited three times", 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("one Send");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, words_near);
    tcase_add_test(tests, segments);
    tcase_add_test(tests, read_list);
    tcase_add_test(tests, chunk_of_segments);
    tcase_add_test(tests, write_list);
    tcase_add_test(tests, where_lists_end);
    tcase_add_test(tests, fixed_words);
    tcase_add_test(tests, parts_are_chosen);
    tcase_add_loop_test(tests, parts_of_a_send, 0, COUNT(sends));
    tcase_add_test(tests, full_lists);
    tcase_add_test(tests, fields_of_a_send);
    tcase_add_loop_test(tests, messages_that_follow, 23, 25);
    tcase_add_loop_test(tests, messages_that_follow, 39, 41);
    tcase_add_test(tests, payloads);
    tcase_add_test(tests, sends_that_stay_octets);
    tcase_add_test(tests, edits_of_a_send);
    return run_tests("mutators of one Send", tests);
}
