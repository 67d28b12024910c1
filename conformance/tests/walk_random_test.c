// SPDX-License-Identifier: BSD-3-Clause
/*
 * The walk over random operations of NFS version 4, whose types are of every kind: its fields lie
 * end to end from the first octet to the last, brackets close what they opened, and for octets that
 * are no operation it says what the generated decoder says: the error, its offset, its path.
 */
#include "conformance/tests/support/random_xdr.h"
#include "conformance/walk/walk.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <nfs4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS 2000
#define OPEN_MAX 64

extern const struct xdr_type *const rpcrdma_walk_rpcrdma_nfs4_nfs_argop4;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma_nfs4_nfs_resop4;

struct seen {
    const uint8_t *octets;
    size_t at;      /* where the next field has to begin */
    unsigned depth; /* brackets that are open: */
    char open[OPEN_MAX][WALK_PATH];
    const char *type[OPEN_MAX];
    bool array[OPEN_MAX];
    unsigned left, fields; /* until the visitor stops the walk; and that came */
    bool wrong;
};

static unsigned differ;

static bool is_number(enum walk_kind kind)
{
    return kind == WALK_UNSIGNED || kind == WALK_SIGNED || kind == WALK_BOOL || kind == WALK_ENUM ||
           kind == WALK_COUNT;
}

/* A path is that of what encloses it and the name, or an index; an arm that is a struct adds none.
 */
static bool is_path(const struct seen *seen, const struct walk_field *field)
{
    const char *outer = seen->depth > 0 ? seen->open[seen->depth - 1] : "";
    size_t length = strlen(outer);
    const char *rest = field->path + length;
    if (strncmp(field->path, outer, length) != 0)
        return false;
    if (field->name[0] == '\0')
        return rest[0] == '\0' || rest[0] == '[';
    return strcmp(rest + (rest[0] == '.'), field->name) == 0 ||
           (field->kind >= WALK_BEGIN && rest[0] == '\0');
}

/* What the field says is what its octets say. */
static bool is_value(const struct seen *seen, const struct walk_field *field)
{
    const uint8_t *at = seen->octets + field->offset;
    if (!is_number(field->kind))
        return field->bytes == at && field->length == (field->number + 3) / 4 * 4;
    if (field->length == 8)
        return field->number == rpcrdma_xdr_load64(at);
    uint32_t word = rpcrdma_xdr_load32(at);
    bool is_signed = field->kind == WALK_SIGNED || field->kind == WALK_ENUM;
    return field->length == 4 && field->number == (is_signed ? (uint64_t)(int32_t)word : word);
}

static bool leaf(struct seen *seen, const struct walk_field *field)
{
    bool right = field->depth == seen->depth && is_path(seen, field) && !field->array &&
                 is_value(seen, field);
    if (field->kind == WALK_BOOL)
        right = right && field->number <= 1;
    if (field->is_presence)
        right = right && field->kind == WALK_BOOL && field->present == (field->number == 1);
    seen->at += field->length;
    return right;
}

static bool see(void *arg, const struct walk_field *field)
{
    struct seen *seen = arg;
    bool right = field->offset == seen->at;
    seen->fields++;
    if (field->kind == WALK_BEGIN) {
        right = right && field->length == 0 && field->depth == seen->depth &&
                is_path(seen, field) && seen->depth < OPEN_MAX;
        if (right) {
            snprintf(seen->open[seen->depth], WALK_PATH, "%s", field->path);
            seen->type[seen->depth] = field->type;
            seen->array[seen->depth++] = field->array;
        }
    } else if (field->kind == WALK_END) {
        right = right && seen->depth > 0 && field->length == 0 && field->depth == --seen->depth &&
                strcmp(field->path, seen->open[seen->depth]) == 0 &&
                field->type == seen->type[seen->depth] && field->array == seen->array[seen->depth];
    } else {
        right = right && leaf(seen, field);
    }
    if (!right && !seen->wrong && differ < 10)
        printf("at %zu: %s %s\n", field->offset, field->path, field->type);
    seen->wrong = seen->wrong || !right;
    return right && --seen->left > 0;
}

/* ---- beside the decoder ---- */

typedef ptrdiff_t decode_it(const void *octets, size_t length, struct rpcrdma_xdr_error *error);

static ptrdiff_t decode_arguments(const void *octets, size_t length,
                                  struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs4_nfs_argop4 op;
    return rpcrdma_nfs4_nfs_argop4_decode(&op, octets, length, NULL, error);
}

static ptrdiff_t decode_results(const void *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs4_nfs_resop4 op;
    return rpcrdma_nfs4_nfs_resop4_decode(&op, octets, length, NULL, error);
}

static const struct xdr_type *type;
static decode_it *decode;

/* Of two faults the decoder may name the later one: it looks first whether all of a struct is
 * there. The walk names an arm that is a struct by another name, too. */
static bool agree(const struct walk_error *error, const struct rpcrdma_xdr_error *expected)
{
    char path[WALK_PATH] = "";
    rpcrdma_xdr_error_path(expected, path, sizeof path);
    size_t walked = strlen(error->path), length = strlen(path);
    if (expected->code == RPCRDMA_XDR_E_TRUNCATED && error->offset < expected->offset)
        return error->code != RPCRDMA_XDR_E_TRUNCATED && error->code != 0;
    return error->code == expected->code && error->offset == expected->offset && walked >= length &&
           strcmp(error->path + walked - length, path) == 0 &&
           (walked == length || error->path[walked - length - 1] == '.');
}

static void compare(const uint8_t *octets, size_t length, const char *what, size_t place)
{
    struct rpcrdma_xdr_error expected = {0};
    struct walk_error error = {0};
    struct seen seen = {.left = UINT32_MAX};
    char path[WALK_PATH] = "";
    uint8_t *copy = malloc(length + (length == 0));
    memcpy(copy, octets, length);
    seen.octets = copy;
    ptrdiff_t n = decode(copy, length, &expected);
    ptrdiff_t walked = rpcrdma_walk(type, copy, length, see, &seen, &error);
    bool same = (walked < 0 ? -1 : walked) == (n < 0 ? -1 : n) && !seen.wrong;
    if (n < 0) {
        rpcrdma_xdr_error_path(&expected, path, sizeof path);
        same = same && agree(&error, &expected);
    } else {
        same = same && seen.depth == 0 && seen.at == (size_t)n;
    }
    if (!same && differ++ < 10)
        printf("%s %zu: walk %td %d @%zu %s, decoder %td %d @%u %s\n", what, place, walked,
               error.code, error.offset, error.path, n, expected.code, expected.offset, path);
    free(copy);
}

/* The visitor stops the walk at a field, which is the last that it is given; that is no error. */
static void stop(const struct message *message, struct dice *dice)
{
    struct walk_error error = {0};
    struct seen seen = {.octets = message->octets, .left = 1 + pick(dice, 12)};
    unsigned wanted = seen.left;
    ptrdiff_t walked = rpcrdma_walk(type, message->octets, message->length, see, &seen, &error);
    if (walked >= 0 ? seen.fields >= wanted : error.code != 0 || seen.fields != wanted)
        differ++;
}

/* ---- operations ---- */

static void one(struct dice *dice)
{
    static struct message message;
    message.length = 0;
    random_xdr(&message, dice, type);
    size_t length = message.length;
    compare(message.octets, length, "whole", 0);
    stop(&message, dice);
    for (size_t n = 0; n < length; n += n < 64 ? 1 : 64)
        compare(message.octets, n, "cut at", n);
    for (unsigned i = 0; i < 30 && length >= 4; i++) {
        size_t at = 4 * (size_t)pick(dice, (uint32_t)(length / 4));
        uint32_t old = rpcrdma_xdr_load32(message.octets + at);
        const uint32_t values[] = {0,      1, 2, old + 1, old - 1, UINT32_MAX, old ^ 0x01000000,
                                   old | 1};
        rpcrdma_xdr_store32(message.octets + at, values[pick(dice, 8)]);
        compare(message.octets, length, "changed at", at);
        rpcrdma_xdr_store32(message.octets + at, old);
    }
}

START_TEST(operations)
{
    struct dice dice = {20261122};
    type = _i == 0 ? rpcrdma_walk_rpcrdma_nfs4_nfs_argop4 : rpcrdma_walk_rpcrdma_nfs4_nfs_resop4;
    decode = _i == 0 ? decode_arguments : decode_results;
    differ = 0;
    for (unsigned i = 0; i < OPERATIONS; i++)
        one(&dice);
    ck_assert_uint_eq(differ, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("operations");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, operations, 0, 2);
    return run_tests("walk over random values", tests);
}
