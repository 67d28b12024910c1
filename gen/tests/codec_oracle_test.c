// SPDX-License-Identifier: BSD-3-Clause
/*
 * What xdrgen generates of codec.x against what rpcgen makes of it: random values give the same
 * octets and fields, and octets changed at random are accepted by ours only if theirs takes them.
 *
 * ORACLE_OBJECTS (default 30,000) says how many, ORACLE_SEED where to begin.
 */
#include <test/codec.h>

#include "codec.h"
#include "codec/tests/support/shape.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4096
#define MANY 4 /* elements, entries, strings: at most */

static uint64_t seed, begun;

/* Compared without Check's assertions: they are slow. */
#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            ck_abort_msg("seed 0x%" PRIx64 ": %s is not %s", begun, #a, #b);                       \
    } while (0)

/* ---- random values ---- */

/* What a value points at; also filled from a view, through the iterators. */
struct store {
    int32_t fixed[2], row[4], rows[3][4], numbers[4];
    int64_t wide[2];
    uint64_t far[2];
    bool flags[4];
    enum test_color colors[MANY], three[3];
    test_quad quads[3];
    uint32_t few[TEST_MAX], list[TEST_MAX];
    struct test_scalars structs[2];
    test_blob blobs[2];
    test_name labels[MANY];
    struct test_entry_entry entries[MANY];
    struct test_pair_entry pairs[MANY];
};

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

static uint64_t number(void)
{
    return shape_random(&seed) * 0x9e3779b97f4a7c15;
}

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(number() >> 33) % bound;
}

/* Letters: rpcgen's strings end at a zero octet. */
static struct rpcrdma_xdr_opaque some_text(uint32_t bound)
{
    uint32_t length = below((bound < 20 ? bound : 20) + 1);
    return (struct rpcrdma_xdr_opaque){(const uint8_t *)letters + below(26 - length + 1), length};
}

static enum test_color some_color(void)
{
    static const enum test_color colors[] = {TEST_BLACK, TEST_RED, TEST_GREEN, TEST_BLUE};
    return colors[below(4)];
}

static struct test_scalars some_scalars(void)
{
    return (struct test_scalars){.i = (int32_t)number(),
                                 .u = (uint32_t)number(),
                                 .h = (int64_t)number(),
                                 .uh = number(),
                                 .f = (float)below(1000) / 8,
                                 .d = (double)below(1000) / -16,
                                 .b = below(2),
                                 .c = some_color()};
}

static void fill(struct store *s)
{
    for (int i = 0; i < 2; i++) {
        s->fixed[i] = (int32_t)number();
        s->wide[i] = (int64_t)number();
        s->far[i] = number();
        s->structs[i] = some_scalars();
        s->blobs[i] = some_text(7);
    }
    for (int i = 0; i < 4; i++) {
        s->row[i] = (int32_t)number();
        s->numbers[i] = (int32_t)number();
        s->flags[i] = below(2);
    }
    for (int i = 0; i < 3; i++) {
        s->three[i] = some_color();
        for (int j = 0; j < 4; j++)
            s->rows[i][j] = (int32_t)number();
        s->quads[i] = (test_quad){.items = s->rows[i], .count = 4};
    }
    for (int i = 0; i < TEST_MAX; i++)
        s->few[i] = s->list[i] = (uint32_t)number();
    for (int i = 0; i < MANY; i++) {
        s->colors[i] = some_color();
        s->labels[i] = some_text(9);
        s->entries[i] =
            (struct test_entry_entry){(uint32_t)number(), some_text(7), {.known = false}};
        if (below(2))
            s->entries[i].flag = (struct test_by_bool){.known = true, .value_ = (int64_t)number()};
        s->pairs[i] = (struct test_pair_entry){(int32_t)number(), (int64_t)number()};
    }
}

static struct test_by_int some_by_int(void)
{
    static const int32_t kinds[] = {-1, 0, 7, 1, INT32_MIN, INT32_MAX};
    struct test_by_int value = {.kind = kinds[below(6)]};
    if (value.kind == 0 || value.kind == 7)
        value.text = some_text(9);
    else if (value.kind != -1)
        value.rest = some_text(TEST_MAX);
    return value;
}

static struct test_by_color some_by_color(const struct store *s)
{
    struct test_by_color value = {.kind = some_color()};
    if (value.kind == TEST_RED) /* has no arm */
        value.kind = TEST_GREEN;
    if (value.kind == TEST_BLACK) {
        value.maybe.present = below(2);
        value.maybe.value = s->structs[1];
    } else if (value.kind == TEST_GREEN) {
        value.list = (test_numbers){.items = s->list, .count = below(TEST_MAX + 1)};
    }
    return value;
}

static void make(struct test_everything *v, struct store *s)
{
    fill(s);
    *v = (struct test_everything){.one = some_scalars(), .last = some_text(20)};
    v->two = (struct test_texts){.fixed = (const uint8_t *)letters + below(20),
                                 .six = (const uint8_t *)letters};
    v->two.any = some_text(20);
    v->two.bound = some_text(7);
    v->two.text = some_text(20);
    v->two.short_text = some_text(9);
    v->three.fixed = (struct rpcrdma_xdr_int32_array){.items = s->fixed, .count = 2};
    v->three.wide = (struct rpcrdma_xdr_int64_array){.items = s->wide, .count = 2};
    v->three.far = (struct rpcrdma_xdr_uint64_array){.items = s->far, .count = below(3)};
    v->three.flags = (struct rpcrdma_xdr_bool_array){.items = s->flags, .count = below(5)};
    v->three.colors = (struct test_color_array){.items = s->colors, .count = below(MANY + 1)};
    v->three.three = (test_palette){.items = s->three, .count = 3};
    v->three.row = (test_quad){.items = s->row, .count = 4};
    v->three.rows = (test_matrix){.items = s->quads, .count = below(4)};
    v->three.few = (test_numbers){.items = s->few, .count = below(TEST_MAX + 1)};
    v->three.structs = (struct test_scalars_array){.items = s->structs, .count = below(3)};
    v->three.blobs = (struct test_blob_array){.items = s->blobs, .count = 2};
    v->three.labels = (test_names){.items = s->labels, .count = below(MANY + 1)};
    v->four = s->entries[0].flag;
    v->five = some_by_int();
    v->six = some_by_color(s);
    v->seven.kind = below(2) ? 4294967295 : below(1000);
    if (v->seven.kind == 4294967295)
        v->seven.body = (const uint8_t *)letters + below(20);
    v->eight.entries = (struct test_entry){.items = s->entries, .count = below(MANY + 1)};
    v->eight.pairs = (struct test_pair){.items = s->pairs, .count = below(MANY + 1)};
    v->eight.shade = (struct test_color_opt){below(2), some_color()};
    v->eight.numbers.present = below(2);
    v->eight.numbers.value = (test_quad){.items = s->numbers, .count = 4};
}

/* ---- from a view back to values ---- */

/* Walk a span with its iterator into an array, and let the span point there. */
#define UNFOLD(span, room, iterator, next)                                                         \
    do {                                                                                           \
        struct rpcrdma_xdr_iter iter_ = iterator;                                                  \
        uint32_t n_ = 0;                                                                           \
        for (; n_ < (span).count; n_++)                                                            \
            SAME(next(&iter_, &(room)[n_]), true);                                                 \
        SAME(next(&iter_, &(room)[0]), false);                                                     \
        (span).items = (room);                                                                     \
        (span).octets = 0;                                                                         \
    } while (0)
#define UNFOLD_WORDS(span, room, next) UNFOLD(span, room, RPCRDMA_XDR_ITER(&(span)), next)
#define UNFOLD_TYPE(span, room, type) UNFOLD(span, room, type##_iter(&(span)), type##_next)

static void unfold(struct test_everything *v, struct store *s)
{
    struct test_arrays *a = &v->three;
    UNFOLD_WORDS(a->fixed, s->fixed, rpcrdma_xdr_int32_next);
    UNFOLD_WORDS(a->wide, s->wide, rpcrdma_xdr_int64_next);
    UNFOLD_WORDS(a->far, s->far, rpcrdma_xdr_uint64_next);
    UNFOLD_WORDS(a->flags, s->flags, rpcrdma_xdr_bool_next);
    UNFOLD_TYPE(a->colors, s->colors, test_color_array);
    UNFOLD_TYPE(a->three, s->three, test_color_array);
    UNFOLD_WORDS(a->row, s->row, rpcrdma_xdr_int32_next);
    UNFOLD_TYPE(a->rows, s->quads, test_quad_array);
    for (uint32_t i = 0; i < a->rows.count; i++)
        UNFOLD_WORDS(s->quads[i], s->rows[i], rpcrdma_xdr_int32_next);
    UNFOLD_WORDS(a->few, s->few, rpcrdma_xdr_uint32_next);
    UNFOLD_TYPE(a->structs, s->structs, test_scalars_array);
    UNFOLD_TYPE(a->blobs, s->blobs, test_blob_array);
    UNFOLD_TYPE(a->labels, s->labels, test_name_array);
    if (v->six.kind == TEST_GREEN)
        UNFOLD_WORDS(v->six.list, s->list, rpcrdma_xdr_uint32_next);
    UNFOLD_TYPE(v->eight.entries, s->entries, test_entry);
    UNFOLD_TYPE(v->eight.pairs, s->pairs, test_pair);
    if (v->eight.numbers.present)
        UNFOLD_WORDS(v->eight.numbers.value, s->numbers, rpcrdma_xdr_int32_next);
}

/* ---- field by field ---- */

static void same_scalars(const struct test_scalars *own, const scalars *theirs)
{
    SAME(own->i, theirs->i);
    SAME(own->u, theirs->u);
    SAME(own->h, theirs->h);
    SAME(own->uh, theirs->uh);
    SAME(own->f, theirs->f);
    SAME(own->d, theirs->d);
    SAME(own->b, theirs->b);
    SAME((int)own->c, (int)theirs->c);
}

static void same_octets(const struct rpcrdma_xdr_opaque *own, const char *theirs, size_t length)
{
    SAME(own->length, length);
    SAME(length != 0 && memcmp(own->data, theirs, length) != 0, false);
}

static void same_arrays(const struct test_arrays *own, const arrays *theirs)
{
    for (int i = 0; i < 2; i++) {
        SAME(own->fixed.items[i], theirs->fixed[i]);
        SAME(own->wide.items[i], theirs->wide[i]);
        same_octets(&own->blobs.items[i], theirs->blobs[i].blob_val, theirs->blobs[i].blob_len);
    }
    SAME(own->far.count, theirs->far.far_len);
    for (uint32_t i = 0; i < own->far.count; i++)
        SAME(own->far.items[i], theirs->far.far_val[i]);
    SAME(own->flags.count, theirs->flags.flags_len);
    for (uint32_t i = 0; i < own->flags.count; i++)
        SAME(own->flags.items[i], theirs->flags.flags_val[i]);
    SAME(own->colors.count, theirs->colors.colors_len);
    for (uint32_t i = 0; i < own->colors.count; i++)
        SAME((int)own->colors.items[i], (int)theirs->colors.colors_val[i]);
    for (int i = 0; i < 3; i++)
        SAME((int)own->three.items[i], (int)theirs->three[i]);
    SAME(own->rows.count, theirs->rows.matrix_len);
    for (int i = 0; i < 4; i++) {
        SAME(own->row.items[i], theirs->row[i]);
        for (uint32_t j = 0; j < own->rows.count; j++)
            SAME(own->rows.items[j].items[i], theirs->rows.matrix_val[j][i]);
    }
    SAME(own->few.count, theirs->few.numbers_len);
    for (uint32_t i = 0; i < own->few.count; i++)
        SAME(own->few.items[i], theirs->few.numbers_val[i]);
    SAME(own->structs.count, theirs->structs.structs_len);
    for (uint32_t i = 0; i < own->structs.count; i++)
        same_scalars(&own->structs.items[i], &theirs->structs.structs_val[i]);
    SAME(own->labels.count, theirs->labels.names_len);
    for (uint32_t i = 0; i < own->labels.count; i++)
        same_octets(&own->labels.items[i], theirs->labels.names_val[i],
                    strlen(theirs->labels.names_val[i]));
}

static void same_unions(const struct test_everything *own, const everything *theirs)
{
    SAME(own->four.known, theirs->four.known);
    if (own->four.known)
        SAME(own->four.value_, theirs->four.by_bool_u.value);
    SAME(own->five.kind, theirs->five.kind);
    if (own->five.kind == 0 || own->five.kind == 7)
        same_octets(&own->five.text, theirs->five.by_int_u.text,
                    strlen(theirs->five.by_int_u.text));
    else if (own->five.kind != -1)
        same_octets(&own->five.rest, theirs->five.by_int_u.rest.rest_val,
                    theirs->five.by_int_u.rest.rest_len);
    SAME((int)own->six.kind, (int)theirs->six.kind);
    if (own->six.kind == TEST_BLACK) {
        SAME(own->six.maybe.present, theirs->six.by_color_u.maybe != NULL);
        if (own->six.maybe.present)
            same_scalars(&own->six.maybe.value, theirs->six.by_color_u.maybe);
    } else if (own->six.kind == TEST_GREEN) {
        SAME(own->six.list.count, theirs->six.by_color_u.list.numbers_len);
    }
    SAME(own->seven.kind, theirs->seven.kind);
    if (own->seven.kind == 4294967295)
        SAME(memcmp(own->seven.body, theirs->seven.by_unsigned_u.body, 6), 0);
}

static void same_chains(const struct test_chains *own, const chains *theirs)
{
    const entry *e = theirs->entries;
    for (uint32_t i = 0; i < own->entries.count; i++, e = e->next) {
        SAME(e != NULL, true);
        SAME(own->entries.items[i].key, e->key);
        same_octets(&own->entries.items[i].value_, e->value.blob_val, e->value.blob_len);
        SAME(own->entries.items[i].flag.known, e->flag.known);
        if (e->flag.known)
            SAME(own->entries.items[i].flag.value_, e->flag.by_bool_u.value);
    }
    SAME(e == NULL, true);
    const pair *p = theirs->pairs;
    for (uint32_t i = 0; i < own->pairs.count; i++, p = p->next) {
        SAME(p != NULL, true);
        SAME(own->pairs.items[i].left, p->left);
        SAME(own->pairs.items[i].right, p->right);
    }
    SAME(p == NULL, true);
    SAME(own->shade.present, theirs->shade != NULL);
    if (own->shade.present)
        SAME((int)own->shade.value, (int)*theirs->shade);
    SAME(own->numbers.present, theirs->numbers != NULL);
    for (int i = 0; i < 4 && own->numbers.present; i++)
        SAME(own->numbers.value.items[i], (*theirs->numbers)[i]);
}

static void same_values(const struct test_everything *own, const everything *theirs)
{
    same_scalars(&own->one, &theirs->one);
    SAME(memcmp(own->two.fixed, theirs->two.fixed, 3), 0);
    SAME(memcmp(own->two.six, theirs->two.six, 6), 0);
    same_octets(&own->two.any, theirs->two.any.any_val, theirs->two.any.any_len);
    same_octets(&own->two.bound, theirs->two.bound.blob_val, theirs->two.bound.blob_len);
    same_octets(&own->two.text, theirs->two.text, strlen(theirs->two.text));
    same_octets(&own->two.short_text, theirs->two.short_text, strlen(theirs->two.short_text));
    same_arrays(&own->three, &theirs->three);
    same_unions(own, theirs);
    same_chains(&own->eight, &theirs->eight);
    same_octets(&own->last, theirs->last, strlen(theirs->last));
}

/* ---- the tests ---- */

static void one(void)
{
    static struct store from, to;
    static uint8_t own[ROOM], again[ROOM];
    struct test_everything value, view;
    everything theirs;
    XDR xdr;
    make(&value, &from);
    ptrdiff_t n = test_everything_size(&value, NULL);
    SAME(n > 0 && n < ROOM, true);
    SAME(test_everything_encode(own, (size_t)n - 1, &value, NULL), RPCRDMA_XDR_E_SPACE);
    SAME(test_everything_encode(own, (size_t)n, &value, NULL), n);

    memset(&theirs, 0, sizeof theirs);
    xdrmem_create(&xdr, (char *)own, (u_int)n, XDR_DECODE);
    SAME(xdr_everything(&xdr, &theirs), TRUE);
    SAME(xdr_getpos(&xdr), n);
    same_values(&value, &theirs);
    xdrmem_create(&xdr, (char *)again, ROOM, XDR_ENCODE);
    SAME(xdr_everything(&xdr, &theirs), TRUE);
    SAME(xdr_getpos(&xdr), n);
    SAME(memcmp(own, again, (size_t)n), 0);

    SAME(test_everything_decode_complete(&view, again, (size_t)n, NULL, NULL), n);
    unfold(&view, &to);
    same_values(&view, &theirs);
    SAME(test_everything_encode(own, (size_t)n, &view, NULL), n);
    SAME(memcmp(own, again, (size_t)n), 0);
    xdr_free((xdrproc_t)xdr_everything, &theirs);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

START_TEST(same_octets_and_values)
{
    uint64_t count = number_from("ORACLE_OBJECTS", 30000);
    seed = number_from("ORACLE_SEED", 0x4506);
    for (uint64_t i = 0; i < count; i++) {
        begun = seed;
        one();
    }
    printf("%" PRIu64 " objects\n", count);
}
END_TEST

/* True if ours takes it; then theirs does, and ours writes the same octets again. */
static bool taken(const uint8_t *octets, size_t length)
{
    static uint8_t again[ROOM];
    struct test_everything view;
    struct rpcrdma_xdr_error error;
    everything theirs;
    XDR xdr;
    uint8_t *memory = malloc(length + 1), *copy = memory + 1; /* ends where its memory ends */
    ck_assert_ptr_nonnull(memory);
    memcpy(copy, octets, length);
    ptrdiff_t n = test_everything_decode(&view, copy, length, NULL, &error);
    if (n < 0) {
        SAME(error.offset <= length && error.code == n && n <= -200 && n > -300, true);
        free(memory);
        return false;
    }
    SAME(test_everything_encode(again, ROOM, &view, NULL), n);
    SAME(memcmp(again, octets, (size_t)n), 0);
    memset(&theirs, 0, sizeof theirs);
    xdrmem_create(&xdr, (char *)copy, (u_int)length, XDR_DECODE);
    SAME(xdr_everything(&xdr, &theirs), TRUE);
    SAME(xdr_getpos(&xdr), n);
    xdr_free((xdrproc_t)xdr_everything, &theirs);
    free(memory);
    return true;
}

START_TEST(changed_at_random)
{
    static struct store store;
    static uint8_t octets[ROOM];
    struct test_everything value;
    uint64_t count = number_from("ORACLE_OBJECTS", 30000) / 3, good = 0;
    seed = number_from("ORACLE_SEED", 0x4506);
    for (uint64_t i = 0; i < count; i++) {
        begun = seed;
        make(&value, &store);
        size_t n = (size_t)test_everything_encode(octets, ROOM, &value, NULL);
        SAME(taken(octets, n), true);
        SAME(taken(octets, below((uint32_t)n)), false);
        for (int j = 0; j < 8; j++) {
            uint8_t *at = octets + below((uint32_t)n), was = *at;
            *at ^= (uint8_t)(1 << below(8));
            good += taken(octets, n);
            *at = was;
        }
    }
    /* Most octets are free data; some are counts, words of few values, padding. */
    ck_assert_uint_gt(good, 2 * count);
    ck_assert_uint_lt(good, 7 * count);
    printf("%" PRIu64 " objects, %" PRIu64 " of %" PRIu64 " changes taken\n", count, good,
           8 * count);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("rpcgen");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, same_octets_and_values);
    tcase_add_test(all, changed_at_random);
    return run_tests("codec_oracle", all);
}
