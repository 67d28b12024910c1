// SPDX-License-Identifier: BSD-3-Clause
/*
 * The mutators of objects that have a table and of conversations: what comes out is one of the
 * edits that they are for, and each of these comes out. What they leave to others is noted only;
 * those of one Send are in send_mutators_test.c.
 */
#include "fuzz/mutators/mutator_conversation.c"
#include "fuzz/mutators/mutator_fields.c"

#define make_exchange make_exchange_itself
#define put_words put_words_itself
unsigned make_exchange(struct rpcrdma_event *events, uint8_t rooms[3][EXCHANGE_MAX],
                       struct chance *chance);
#include "fuzz/mutators/exchange.c"
#undef WORDS_MAX
#undef make_exchange
#undef put_words

#include "codec/tests/support/run_suite.h"
#include "conformance/base/count.h"
#include "conformance/walk/header.h"

#include <rpcrdma/binding.h>

#include <check.h>
#include <stdio.h>

/* ---- the others ---- */

static unsigned plain, broken; /* calls */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    plain++;
    return size;
}

size_t mutate_field(const struct xdr_type *type, uint8_t *data, size_t size, struct chance *chance)
{
    broken++;
    return size;
}

static size_t mark(uint8_t *data, size_t size, size_t max_size, uint8_t with)
{
    ck_assert_uint_eq(max_size, SEND_MAX);
    memset(data + size, with, 4);
    return size + 4;
}

size_t mutate_send(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    return mark(data, size, max_size, 1);
}

size_t mutate_send2(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    return mark(data, size, max_size, 2);
}

bool is_send2(const uint8_t *data, size_t size)
{
    return size >= 8 && rpcrdma_xdr_load32(data + 4) == 2;
}

static const uint8_t asked[] = {0, 0, 0, 7, 1}, answered[] = {0, 0, 0, 7, 2};
static const struct rpcrdma_event made_events[3] = {
    {.type = RPCRDMA_EVENT_SEND, .from = RPCRDMA_CLIENT, .data = asked, .length = sizeof asked},
    {.type = RPCRDMA_EVENT_RDMA_READ, .from = RPCRDMA_SERVER, .data = asked, .length = 3},
    {.type = RPCRDMA_EVENT_SEND, .from = RPCRDMA_SERVER, .data = answered, .length = 5}};

unsigned make_exchange(struct rpcrdma_event *events, uint8_t rooms[3][EXCHANGE_MAX],
                       struct chance *chance)
{
    memcpy(events, made_events, sizeof made_events);
    return 3;
}

static size_t put_words(uint8_t *octets, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return 4 * count;
}

/* ---- objects that have a table ---- */

static const uint32_t header[] = {
    7, 1, 32, 0,                                                          /* fixed words */
    1, 4, 11, 12, 0, 13, 1,  8,  21, 22, 0, 23, 1,  9,  31, 32, 0, 33, 0, /* Read list */
    1, 2, 41, 42, 0, 43, 51, 52, 0,  53, 1, 1,  61, 62, 0,  63, 0,        /* Write list */
    1, 2, 71, 72, 0, 73, 81, 82, 0,  83                                   /* Reply chunk */
};

/* Its elements, in words. */
static const struct element elements[] = {
    {4, 10, 0},   {10, 16, 0}, {16, 22, 0},  {23, 33, 0},  {25, 29, 24},
    {29, 33, 24}, {33, 39, 0}, {35, 39, 34}, {42, 46, 41}, {46, 50, 41},
};
enum { ELEMENTS = COUNT(elements), FIELD_SEEDS = 24000, WORDS_MAX = 64 };

struct object {
    uint32_t word[WORDS_MAX];
    size_t count;
};

static struct object original(void)
{
    struct object object = {.count = COUNT(header)};
    memcpy(object.word, header, sizeof header);
    return object;
}

/* The element `times` times in its place: 0 drops it. */
static struct object with(const struct element *element, unsigned times)
{
    struct object object = original();
    size_t length = element->end - element->begin;
    object.count = element->begin;
    for (unsigned i = 0; i < times; i++, object.count += length)
        memcpy(object.word + object.count, header + element->begin, 4 * length);
    memcpy(object.word + object.count, header + element->end, 4 * (COUNT(header) - element->end));
    object.count += COUNT(header) - element->end;
    if (element->count)
        object.word[element->count] = header[element->count] - 1 + times;
    return object;
}

static struct object exchanged(const struct element *a, const struct element *b)
{
    struct object object = original();
    memcpy(object.word + a->begin, header + b->begin, 4 * (b->end - b->begin));
    memcpy(object.word + b->begin, header + a->begin, 4 * (a->end - a->begin));
    return object;
}

static bool is_object(const struct object *object, const uint8_t *octets, size_t size)
{
    uint8_t expected[4 * WORDS_MAX];
    return put_words(expected, object->word, object->count) == size &&
           memcmp(expected, octets, size) == 0;
}

struct tally {
    unsigned same, dropped[ELEMENTS], repeated[ELEMENTS], exchanged[ELEMENTS][ELEMENTS];
};

/* Which edit it is; false: none. */
static bool add_up(struct tally *tally, const uint8_t *octets, size_t size)
{
    struct object object = original();
    if (is_object(&object, octets, size)) {
        tally->same++;
        return true;
    }
    for (unsigned i = 0; i < ELEMENTS; i++)
        for (unsigned times = 0; times <= 2; times += 2) {
            object = with(&elements[i], times);
            if (is_object(&object, octets, size)) {
                ++*(times ? &tally->repeated[i] : &tally->dropped[i]);
                return true;
            }
        }
    for (unsigned i = 0; i < ELEMENTS; i++)
        for (unsigned j = i + 1; j < ELEMENTS; j++) {
            object = exchanged(&elements[i], &elements[j]);
            if (is_object(&object, octets, size)) {
                tally->exchanged[i][j]++;
                return true;
            }
        }
    return false;
}

#define LENGTH(i) (4 * (elements[i].end - elements[i].begin))

static void mutate_all(struct tally *tally, size_t room)
{
    *tally = (struct tally){.same = 0};
    plain = broken = 0;
    for (unsigned seed = 1; seed <= FIELD_SEEDS; seed++) {
        size_t max_size = sizeof header + room;
        uint8_t *octets = malloc(max_size);
        struct chance chance = chance_from(seed);
        unsigned others = plain + broken;
        size_t size = put_words(octets, header, COUNT(header));
        size = mutate_fields(rpcrdma_walk_rpcrdma1_header, octets, size, max_size, &chance);
        ck_assert_uint_le(size, max_size);
        if (plain + broken == others)
            ck_assert_msg(add_up(tally, octets, size), "seed %u: no edit", seed);
        free(octets);
    }
}

/* To a factor of two. */
static void is_near(unsigned count, unsigned expected, const char *what, unsigned number)
{
    ck_assert_msg(2 * count > expected && count < 2 * expected, "%s %u: %u times, not %u", what,
                  number, count, expected);
}

START_TEST(elements_of_an_object)
{
    static struct tally tally;
    mutate_all(&tally, 64);
    is_near(plain, FIELD_SEEDS / 4, "octets", 0);
    is_near(broken, FIELD_SEEDS / 4, "a field", 0);
    ck_assert_uint_lt(tally.same, FIELD_SEEDS / 6 * 3 / 4); /* two of different lengths */
    for (unsigned i = 0; i < ELEMENTS; i++) {
        is_near(tally.dropped[i], FIELD_SEEDS / 6 / ELEMENTS, "dropped", i);
        is_near(tally.repeated[i], FIELD_SEEDS / 6 / ELEMENTS, "repeated", i);
        for (unsigned j = i + 1; j < ELEMENTS; j++)
            ck_assert_msg((tally.exchanged[i][j] > 10) == (LENGTH(i) == LENGTH(j)),
                          "%u and %u exchanged %u times", i, j, tally.exchanged[i][j]);
    }
}
END_TEST

START_TEST(elements_where_room_ends)
{
    static const size_t rooms[] = {0, 15, 16, 23, 24, 39, 40};
    static struct tally tally;
    mutate_all(&tally, rooms[_i]);
    for (unsigned i = 0; i < ELEMENTS; i++)
        ck_assert_msg((tally.repeated[i] > 0) == (LENGTH(i) <= rooms[_i]),
                      "room of %zu: %u repeated %u times", rooms[_i], i, tally.repeated[i]);
}
END_TEST

START_TEST(an_object_without_elements)
{
    static const uint32_t empty[] = {7, 1, 32, 0, 0, 0, 0};
    plain = broken = 0;
    for (unsigned seed = 1; seed <= 1000; seed++) {
        uint8_t octets[sizeof empty];
        struct chance chance = chance_from(seed);
        put_words(octets, empty, COUNT(empty));
        mutate_fields(rpcrdma_walk_rpcrdma1_header, octets, sizeof octets, sizeof octets, &chance);
        ck_assert_uint_eq(plain + broken, seed);
    }
}
END_TEST

/* ---- conversations ---- */

enum { EVENTS_HERE = 6, SEEDS = 150000, CANDIDATES = 512, ROOM = 2048, XIDS = 8 };

/* Calls that offer a Read chunk and more, a large Write chunk, a Reply chunk; a Reply; and what
 * version 1 does not decode. */
static const uint32_t sends[EVENTS_HERE][20] = {
    {7, 1, 32, 0, 1, 4, 11, 8, 0, 0x1000, 0, 1, 1, 22, 8, 0, 0x2000, 0, 0, 7},
    {0},
    {7, 1, 32, 0, 0, 1, 1, 22, 8, 0, 0x2000, 0, 0, 7, 1},
    {8, 1, 32, 0, 0, 1, 1, 33, 0x20000, 0, 0x3000, 0, 0, 8, 0},
    {9, 1, 32, 0, 0, 0, 1, 1, 44, 16, 0, 0x4000, 9, 0},
    {10, 2, 32, 99, 10},
};
static const size_t send_words[EVENTS_HERE] = {20, 0, 15, 15, 14, 5};
/* Octets of the header, after which the XID comes again; 0: it does not decode. */
static const size_t headers[EVENTS_HERE] = {76, 0, 52, 52, 48, 0};
/* The first memory that each offers, as the other side uses it. */
static const struct rpcrdma_event operations[EVENTS_HERE] = {
    [0] = {.type = RPCRDMA_EVENT_RDMA_READ,
           .from = RPCRDMA_SERVER,
           .handle = 11,
           .length = 8,
           .offset = 0x1000},
    [2] = {.type = RPCRDMA_EVENT_RDMA_WRITE,
           .from = RPCRDMA_CLIENT,
           .handle = 22,
           .length = 8,
           .offset = 0x2000},
    [3] = {.type = RPCRDMA_EVENT_RDMA_WRITE,
           .from = RPCRDMA_SERVER,
           .handle = 33,
           .length = 65535,
           .offset = 0x3000},
    [4] = {.type = RPCRDMA_EVENT_RDMA_WRITE,
           .from = RPCRDMA_SERVER,
           .handle = 44,
           .length = 16,
           .offset = 0x4000},
};

static uint8_t octets_of[EVENTS_HERE][80];
static struct rpcrdma_event script[EVENTS_HERE];
static const uint8_t settings[CONVERSATION_SETTINGS] = {1, 2, 3, 4};

static void make_script(void)
{
    for (unsigned i = 0; i < EVENTS_HERE; i++)
        script[i] =
            (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                   .from = i == 2 ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
                                   .data = octets_of[i],
                                   .length = put_words(octets_of[i], sends[i], send_words[i])};
    script[1] = operations[0];
}

struct candidate {
    char name[40];
    unsigned found;
    size_t length;
    uint8_t octets[ROOM];
};
static struct candidate candidates[CANDIDATES];
static unsigned candidate_count;

static size_t encode(uint8_t *octets, const struct rpcrdma_event *events, unsigned count)
{
    size_t length = sizeof settings;
    memcpy(octets, settings, length);
    for (unsigned i = 0; i < count; i++)
        length = conversation_put(octets, length, ROOM, &events[i]);
    return length;
}

/* The script with `out` events from `at` on replaced by others. */
static void expect(const char *name, unsigned i, unsigned j, unsigned at, unsigned out,
                   const struct rpcrdma_event *in, unsigned count)
{
    struct rpcrdma_event events[EVENTS_HERE + 3];
    struct candidate *added = &candidates[candidate_count++];
    ck_assert_uint_le(candidate_count, CANDIDATES);
    memcpy(events, script, at * sizeof *events);
    memcpy(events + at, in, count * sizeof *events);
    memcpy(events + at + count, script + at + out, (EVENTS_HERE - at - out) * sizeof *events);
    snprintf(added->name, sizeof added->name, "%s %u %u", name, i, j);
    added->length = encode(added->octets, events, EVENTS_HERE + count - out);
}

static void expect_copies(unsigned i, unsigned j)
{
    struct rpcrdma_event event = script[i];
    uint8_t octets[80];
    expect("copy", i, j, j, 0, &event, 1);
    for (uint32_t xid = 0; xid < XIDS && i != 1; xid++) {
        memcpy(octets, octets_of[i], sizeof octets);
        rpcrdma_xdr_store32(octets, xid);
        if (headers[i] > 0)
            rpcrdma_xdr_store32(octets + headers[i], xid);
        event.data = octets;
        expect("copy of another XID", i, j, j, 0, &event, 1);
    }
}

static void expect_operations(unsigned i)
{
    static const enum rpcrdma_event_type types[] = {
        RPCRDMA_EVENT_REGISTERED, RPCRDMA_EVENT_INVALIDATED, RPCRDMA_EVENT_COMPLETED};
    struct rpcrdma_event event = operations[i];
    if (i == 1 || i == 5)
        return;
    expect("operation", i, 0, i + 1, 0, &event, 1);
    event.from = script[i].from;
    event.access = RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE;
    event.xid = sends[i][0];
    for (unsigned j = 0; j < COUNT(types); j++) {
        event.type = types[j];
        expect("within", i, j, j == 0 ? i : i + 1, 0, &event, 1);
    }
}

static void expect_others(unsigned i)
{
    static const enum rpcrdma_event_type ends[] = {RPCRDMA_EVENT_GAP, RPCRDMA_EVENT_DISCONNECT};
    struct rpcrdma_event event = script[i];
    uint8_t octets[84];
    expect("drop", i, 0, i, 1, script, 0);
    event.from = event.from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    expect("other side", i, 0, i, 1, &event, 1);
    for (unsigned j = 0; j < COUNT(ends); j++) {
        event = (struct rpcrdma_event){.type = ends[j], .data = octets};
        expect("end", i, j, i, 0, &event, 1);
    }
    expect("exchange", i, 0, i, 0, made_events, COUNT(made_events));
    if (i == 1)
        return;
    event = script[i];
    memcpy(octets, event.data, event.length);
    memset(octets + event.length, i == 5 ? 2 : 1, 4);
    event.data = octets;
    event.length += 4;
    expect("mutated", i, 0, i, 1, &event, 1);
}

static void expect_all(void)
{
    struct rpcrdma_event events[EVENTS_HERE];
    candidate_count = 0;
    expect("same", 0, 0, 0, 0, script, 0);
    for (unsigned i = 0; i < EVENTS_HERE; i++) {
        expect_others(i);
        expect_operations(i);
        for (unsigned j = 0; j < EVENTS_HERE; j++) {
            expect_copies(i, j);
            memcpy(events, script, sizeof events);
            events[i] = script[j];
            events[j] = script[i];
            if (i < j)
                expect("reordered", i, j, 0, EVENTS_HERE, events, EVENTS_HERE);
        }
    }
}

/* What is not in the octets of a Send: where an operation is, what is missing, what is invalidated.
 */
struct words_around {
    unsigned offset, missing, invalidate;
};

static bool is_changed_around(const uint8_t *octets, size_t length, struct words_around *seen)
{
    const uint8_t *at = octets + sizeof settings, *end = octets + length;
    unsigned differ = 0;
    for (unsigned i = 0; i < EVENTS_HERE; i++) {
        struct rpcrdma_event event;
        const struct rpcrdma_event *was = &script[i];
        if (!conversation_next(&at, end, &event) || event.type != was->type ||
            event.from != was->from || event.length != was->length || event.handle != was->handle ||
            (event.data == NULL) != (was->data == NULL) ||
            (was->data && memcmp(event.data, was->data, was->length) != 0) ||
            event.offset - was->offset >= 64 || event.missing >= 4096)
            return false;
        if (event.offset == was->offset && event.missing == 0 && !event.invalidate)
            continue;
        differ++;
        seen->offset += event.offset != was->offset;
        seen->missing += event.missing > 0;
        seen->invalidate += event.invalidate;
    }
    return differ <= 1 && at == end;
}

/* Each candidate that these octets are. */
static bool note_candidates(const uint8_t *octets, size_t length)
{
    bool found = false;
    for (unsigned i = 0; i < candidate_count; i++)
        if (candidates[i].length == length &&
            memcmp(candidates[i].octets + sizeof settings, octets + sizeof settings,
                   length - sizeof settings) == 0) {
            candidates[i].found++;
            found = true;
        }
    return found;
}

START_TEST(events_of_a_conversation)
{
    struct words_around around = {0};
    unsigned set[CONVERSATION_SETTINGS] = {0};
    make_script();
    expect_all();
    plain = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        uint8_t octets[ROOM];
        unsigned others = plain, changed = 0;
        size_t length = encode(octets, script, EVENTS_HERE);
        length = LLVMFuzzerCustomMutator(octets, length, sizeof octets, seed);
        if (plain > others)
            continue;
        for (unsigned i = 0; i < COUNT(set); i++) {
            changed += octets[i] != settings[i];
            set[i] += octets[i] != settings[i];
        }
        ck_assert_uint_le(changed, 1);
        ck_assert_msg(note_candidates(octets, length) || is_changed_around(octets, length, &around),
                      "seed %u: no edit", seed);
    }
    for (unsigned i = 0; i < candidate_count; i++)
        ck_assert_msg(candidates[i].found > 0, "never: %s", candidates[i].name);
    is_near(plain, SEEDS / 6, "octets", 0);
    for (unsigned i = 0; i < COUNT(set); i++)
        is_near(set[i], SEEDS / 6 * 5 / 16 / 4, "setting", i);
    ck_assert(around.offset > 1000 && around.missing > 1000 && around.invalidate > 1000);
}
END_TEST

/* Nothing is written beyond the room; nor does a script grow without end. */
START_TEST(conversations_where_room_ends)
{
    struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    size_t full = CONVERSATION_SETTINGS + (size_t)EVENTS * CONVERSATION_EVENT;
    unsigned most = 0;
    for (unsigned seed = 1; seed <= 3000; seed++) {
        size_t length = sizeof settings, room = full + (_i == 0 ? 0 : ROOM);
        uint8_t *octets = malloc(room);
        memcpy(octets, settings, length);
        while (length < full)
            length = conversation_put(octets, length, room, &gap);
        length = LLVMFuzzerCustomMutator(octets, length, room, seed);
        ck_assert_uint_le(length, full);
        most += length == full;
        free(octets);
    }
    ck_assert(most > 1000);
}
END_TEST

/* ---- exchanges ---- */

/* What the checker may have to say of one: the Write list may be in vain, the Call may be answered
 * before it was fetched, and under RPCSEC_GSS nothing may be reduced. */
static bool is_meant(enum rpcrdma_rule rule, const struct way *way)
{
    switch (rule) {
    case RPCRDMA_RFC8166_4_3_2_WRITE_LIST_NOT_NEEDED:
    case RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED:
        return way->offered && !way->returned;
    case RPCRDMA_RFC8166_3_4_4_1_COUNT_STAYS:
        return way->offered;
    case RPCRDMA_RFC8166_3_5_2_ANSWERED_BEFORE_FETCHED:
        return way->is_long && way->reduced;
    case RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED:
        return way->has_gss && way->gss_procedure == 1;
    case RPCRDMA_RFC8166_8_2_2_3_PAYLOAD_NOT_REDUCED:
        return way->has_gss && way->gss_service > 1 && way->reduced;
    case RPCRDMA_RFC8166_8_2_2_3_RESULT_NOT_REDUCED:
        return way->has_gss && way->gss_service > 1 && way->returned;
    case RPCRDMA_RFC8166_8_2_2_3_WRITE_LIST_UNDER_GSS:
        return way->has_gss && way->gss_service > 1 && way->offered;
    default:
        return false;
    }
}

START_TEST(exchanges_of_nfs)
{
    enum { OFTEN = 8000 };
    static _Alignas(max_align_t) unsigned char memory[1 << 16];
    const struct rpcrdma_check_config config = {
        .max_calls = 8, .max_segments = 16, .bindings = rpcrdma_bindings};
    unsigned by_number[COUNT(exchanges)] = {0}, xids[2] = {0};
    unsigned ways[6] = {0}, services[4] = {0};
    for (unsigned seed = 1; seed <= OFTEN; seed++) {
        struct chance chance = chance_from(seed), same = chance;
        uint8_t rooms[3][EXCHANGE_MAX];
        struct rpcrdma_event events[3];
        uint32_t number = chance_below(&same, COUNT(exchanges));
        const struct exchange *exchange = &exchanges[number];
        struct way way = choose_way(exchange, &same);
        unsigned count = make_exchange_itself(events, rooms, &chance);
        struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
        ck_assert_uint_eq(count, way.is_long ? 3 : 2);
        ck_assert(events[0].from == RPCRDMA_CLIENT && events[count - 1].from == RPCRDMA_SERVER);
        for (unsigned i = 0; i < count; i++) {
            struct rpcrdma_judgement judgement;
            rpcrdma_check_event(check, &events[i], &judgement);
            ck_assert_uint_eq(rpcrdma_xdr_load32(events[i].data), way.xid);
            ck_assert(i > 0 || way.is_long || judgement.direction == RPCRDMA_CALL);
            ck_assert(i < 2 || judgement.direction == RPCRDMA_REPLY);
            for (unsigned k = 0; k < judgement.count; k++)
                ck_assert_msg(is_meant(judgement.findings[k].rule, &way), "seed %u, event %u: %s",
                              seed, i, rpcrdma_requirements[judgement.findings[k].rule].id);
        }
        by_number[number]++;
        xids[way.xid - 0x1000]++;
        const bool is[] = {way.reduced, way.offered, way.returned,
                           way.is_long, way.has_gss, way.has_gss && way.gss_procedure == 1};
        for (unsigned i = 0; i < COUNT(is); i++)
            ways[i] += is[i];
        services[way.gss_service]++;
        ck_assert(!way.reduced || exchange->arguments.item);
        ck_assert(!way.returned || (exchange->results.item && way.offered));
    }
    for (unsigned i = 0; i < COUNT(by_number); i++)
        ck_assert_uint_gt(by_number[i], OFTEN / COUNT(by_number) / 2);
    is_near(xids[0], OFTEN / 2, "XID", 0);
    is_near(ways[0], OFTEN * 6 / 15 / 2, "reduced", 0);
    is_near(ways[1], OFTEN / 2, "offered", 0);
    is_near(ways[2], OFTEN * 6 / 15 / 4, "returned", 0);
    is_near(ways[3], OFTEN / 4, "long", 0);
    is_near(ways[4], OFTEN / 4, "of RPCSEC_GSS", 0);
    is_near(ways[5], OFTEN / 8, "of a context that is made", 0);
    for (unsigned i = 1; i < 4; i++)
        is_near(services[i], OFTEN / 3, "service", i);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("mutators");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, elements_of_an_object);
    tcase_add_loop_test(tests, elements_where_room_ends, 0, 7);
    tcase_add_test(tests, an_object_without_elements);
    tcase_add_test(tests, events_of_a_conversation);
    tcase_add_loop_test(tests, conversations_where_room_ends, 0, 2);
    tcase_add_test(tests, exchanges_of_nfs);
    return run_tests("mutators", tests);
}
