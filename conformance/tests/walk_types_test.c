// SPDX-License-Identifier: BSD-3-Clause
/* The walk over types that no specification here has all of: every base type by itself, in arrays
 * and in unions, cut short and with counts that cannot be.
 */
#include "conformance/walk/tables.h"
#include "conformance/walk/walk.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <rpcrdma/xdr.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BASE(kind) (&rpcrdma_xdr_base_types[kind])
#define MEMBERS(members) COUNT(members)

/* ---- what a field says ---- */

static const struct {
    enum xdr_type_kind type;
    size_t size;
    enum walk_kind kind;
    uint64_t of_ones; /* the number of octets that are all ones; of opaque ones their count */
    const char *name;
} bases[] = {
    {XT_INT, 4, WALK_SIGNED, UINT64_MAX, "int"},
    {XT_UINT, 4, WALK_UNSIGNED, UINT32_MAX, "unsigned int"},
    {XT_HYPER, 8, WALK_SIGNED, UINT64_MAX, "hyper"},
    {XT_UHYPER, 8, WALK_UNSIGNED, UINT64_MAX, "unsigned hyper"},
    {XT_FLOAT, 4, WALK_OPAQUE, 4, "float"},
    {XT_DOUBLE, 8, WALK_OPAQUE, 8, "double"},
    {XT_QUADRUPLE, 16, WALK_OPAQUE, 16, "quadruple"},
    {XT_BOOL, 4, WALK_BOOL, 0, "bool"},
};
#define BASES MEMBERS(bases)

static struct walk_field last; /* that is neither bracket nor count */
static unsigned fields, brackets;

static bool see(void *arg, const struct walk_field *field)
{
    ck_assert_ptr_eq(arg, &last);
    if (field->kind == WALK_BEGIN || field->kind == WALK_END) {
        brackets++;
    } else {
        fields++;
        last = *field;
    }
    return true;
}

static ptrdiff_t walk(const struct xdr_type *type, const void *octets, size_t length,
                      struct walk_error *error)
{
    fields = brackets = 0;
    memset(error, 0x5a, sizeof *error);
    return rpcrdma_walk(type, octets, length, see, &last, error);
}

static void assert_fault(const struct xdr_type *type, const void *octets, size_t length, int code,
                         size_t offset, const char *path)
{
    struct walk_error error;
    ck_assert_int_eq(walk(type, octets, length, &error), -1);
    ck_assert_int_eq(error.code, code);
    ck_assert_uint_eq(error.offset, offset);
    ck_assert_str_eq(error.path, path);
}

START_TEST(number)
{
    const struct xdr_type *type = BASE(bases[_i].type);
    size_t size = bases[_i].size;
    struct walk_error error;
    uint8_t octets[20];
    memset(octets, bases[_i].type == XT_BOOL ? 0 : 0xff, sizeof octets);
    ck_assert_int_eq(walk(type, octets, sizeof octets, &error), (ptrdiff_t)size);
    ck_assert_int_eq(error.code, 0);
    ck_assert_uint_eq(error.offset, 0);
    ck_assert_str_eq(error.path, "");
    ck_assert_uint_eq(fields, 1);
    ck_assert_int_eq(last.kind, bases[_i].kind);
    ck_assert_uint_eq(last.number, bases[_i].of_ones);
    ck_assert_uint_eq(last.length, size);
    ck_assert_uint_eq(last.offset, 0);
    ck_assert_uint_eq(last.depth, 0);
    ck_assert_ptr_eq(last.bytes, octets);
    ck_assert_str_eq(last.type, bases[_i].name);
    ck_assert_int_eq(walk(type, octets, size, &error), (ptrdiff_t)size);
    assert_fault(type, octets, size - 1, RPCRDMA_XDR_E_TRUNCATED, 0, "");
    assert_fault(type, octets, 0, RPCRDMA_XDR_E_TRUNCATED, 0, "");
    assert_fault(type, NULL, size, RPCRDMA_XDR_E_TRUNCATED, 0, "");
    ck_assert_uint_eq(fields, 0);
    ck_assert_int_eq(rpcrdma_walk(type, octets, size, see, &last, NULL), (ptrdiff_t)size);
}
END_TEST

START_TEST(truth)
{
    static const uint8_t one[4] = {0, 0, 0, 1}, two[4] = {0, 0, 0, 2};
    struct walk_error error;
    ck_assert_int_eq(walk(BASE(XT_BOOL), one, 4, &error), 4);
    ck_assert_uint_eq(last.number, 1);
    assert_fault(BASE(XT_BOOL), two, 4, RPCRDMA_XDR_E_BOOL, 0, "");
}
END_TEST

/* Values below 0 are those of the table as well. */
START_TEST(named)
{
    static const struct xdr_enumerator values[] = {{"MINUS", -2}, {"ONE", 1}};
    static const struct xdr_type type = {XT_ENUM, "names", 2, NULL, values, NULL};
    static const uint8_t minus[4] = {0xff, 0xff, 0xff, 0xfe}, one[4] = {0, 0, 0, 1}, none[4] = {0};
    struct walk_error error;
    ck_assert_int_eq(walk(&type, minus, 4, &error), 4);
    ck_assert_str_eq(last.text, "MINUS");
    ck_assert_int_eq(walk(&type, one, 4, &error), 4);
    ck_assert_int_eq(last.kind, WALK_ENUM);
    ck_assert_str_eq(last.text, "ONE");
    assert_fault(&type, none, 4, RPCRDMA_XDR_E_ENUM, 0, "");
}
END_TEST

/* ---- arrays ---- */

/* More elements than there can be octets for are refused at the count, before any is shown. */
static void assert_array(const struct xdr_type *element, size_t least)
{
    const struct xdr_member member = {"a", element, XS_VAR, 3};
    const struct xdr_type type = {XT_STRUCT, "array", 1, &member, NULL, NULL};
    struct walk_error error;
    uint8_t octets[4 + 4 * 32] = {0, 0, 0, 3};
    ck_assert_int_eq(walk(&type, octets, sizeof octets, &error), (ptrdiff_t)(4 + 3 * least));
    ck_assert_int_eq(walk(&type, octets, 4 + 3 * least, &error), (ptrdiff_t)(4 + 3 * least));
    assert_fault(&type, octets, 3 + 3 * least, RPCRDMA_XDR_E_COUNT, 0, "a");
    ck_assert_uint_eq(fields, 1);
    octets[3] = 4;
    assert_fault(&type, octets, sizeof octets, RPCRDMA_XDR_E_BOUND, 0, "a");
    ck_assert_uint_eq(fields, 0);
    assert_fault(&type, octets, 3, RPCRDMA_XDR_E_TRUNCATED, 0, "a");
    octets[3] = 0;
    ck_assert_int_eq(walk(&type, octets, 4, &error), 4);
}

START_TEST(arrays)
{
    assert_array(BASE(bases[_i].type), bases[_i].size);
}
END_TEST

#define STRUCT(members)                                                                            \
    {                                                                                              \
        XT_STRUCT, "s", MEMBERS(members), members, NULL, NULL                                      \
    }

/* The least that elements of other types take. */
START_TEST(least)
{
    static const struct xdr_member target = {"n", BASE(XT_HYPER), XS_PLAIN, 0};
    static const struct xdr_type alias = {XT_TYPEDEF, "alias", 1, &target, NULL, NULL};
    static const struct xdr_member fixed[] = {{"f", BASE(XT_OPAQUE), XS_FIXED, 5},
                                              {"g", BASE(XT_HYPER), XS_FIXED, 3}};
    static const struct xdr_member counted[] = {{"v", BASE(XT_OPAQUE), XS_VAR, 9},
                                                {"o", BASE(XT_HYPER), XS_OPTIONAL, 0},
                                                {"n", &alias, XS_PLAIN, 0}};
    static const struct xdr_type of_fixed = STRUCT(fixed), of_counted = STRUCT(counted);
    static const struct xdr_enumerator zero = {"ZERO", 0};
    static const struct xdr_type names = {XT_ENUM, "names", 1, NULL, &zero, NULL};
    assert_array(&alias, 8);
    assert_array(&of_fixed, 8 + 24);
    assert_array(&of_counted, 4 + 4 + 8);
    assert_array(&names, 4);
}
END_TEST

/* ---- unions ---- */

static const struct xdr_member tag = {"tag", BASE(XT_UINT), XS_PLAIN, 0};
static const struct xdr_case cases[] = {{0, false, {"zero", BASE(XT_HYPER), XS_PLAIN, 0}},
                                        {0xffffffff, false, {"most", NULL, XS_VOID, 0}},
                                        {7, false, {"seven", BASE(XT_UINT), XS_PLAIN, 0}}};
static const struct xdr_type choice = {XT_UNION, "choice", 3, &tag, NULL, cases};

START_TEST(arms)
{
    uint8_t octets[16] = {0};
    struct walk_error error;
    ck_assert_int_eq(walk(&choice, octets, sizeof octets, &error), 12);
    ck_assert_str_eq(last.name, "zero");
    assert_fault(&choice, octets, 11, RPCRDMA_XDR_E_TRUNCATED, 4, "zero");
    rpcrdma_xdr_store32(octets, 0xffffffff);
    ck_assert_int_eq(walk(&choice, octets, sizeof octets, &error), 4);
    rpcrdma_xdr_store32(octets, 7);
    ck_assert_int_eq(walk(&choice, octets, sizeof octets, &error), 8);
    ck_assert_str_eq(last.name, "seven");
    rpcrdma_xdr_store32(octets, 8);
    assert_fault(&choice, octets, sizeof octets, RPCRDMA_XDR_E_UNION, 0, "tag");
}
END_TEST

/* A tag that can be negative is compared as such, through a typedef as well. */
START_TEST(negative_arm)
{
    static const struct xdr_member target = {"t", BASE(XT_INT), XS_PLAIN, 0};
    static const struct xdr_type alias = {XT_TYPEDEF, "alias", 1, &target, NULL, NULL};
    static const struct xdr_member by_alias = {"tag", &alias, XS_PLAIN, 0};
    static const struct xdr_case minus[] = {{-1, false, {"minus", NULL, XS_VOID, 0}},
                                            {0, true, {"rest", BASE(XT_UINT), XS_PLAIN, 0}}};
    static const struct xdr_type type = {XT_UNION, "choice", 2, &by_alias, NULL, minus};
    uint8_t octets[8] = {0xff, 0xff, 0xff, 0xff};
    struct walk_error error;
    ck_assert_int_eq(walk(&type, octets, sizeof octets, &error), 4);
    octets[0] = 0;
    ck_assert_int_eq(walk(&type, octets, sizeof octets, &error), 8);
    ck_assert_str_eq(last.name, "rest");
}
END_TEST

/* In an array a union takes its tag, and what its smallest arm takes. */
START_TEST(least_arm)
{
    static const struct xdr_case larger[] = {{5, false, {"five", BASE(XT_HYPER), XS_PLAIN, 0}},
                                             {0, false, {"zero", BASE(XT_UINT), XS_PLAIN, 0}},
                                             {6, false, {"six", BASE(XT_HYPER), XS_PLAIN, 0}}};
    static const struct xdr_type type = {XT_UNION, "choice", 3, &tag, NULL, larger};
    const struct xdr_member member = {"a", &choice, XS_VAR, 9};
    const struct xdr_type unions = {XT_STRUCT, "array", 1, &member, NULL, NULL};
    struct walk_error error;
    uint8_t octets[12];
    assert_array(&type, 8);
    memset(octets, 0xff, sizeof octets); /* arms without octets */
    rpcrdma_xdr_store32(octets, 2);
    ck_assert_int_eq(walk(&unions, octets, 12, &error), 12);
    assert_fault(&unions, octets, 11, RPCRDMA_XDR_E_COUNT, 0, "a");
}
END_TEST

/* ---- octets ---- */

/* Octets of each length, counted and not: as many as their padding makes whole words, which is of
 * zeros. */
START_TEST(octets_of)
{
    uint32_t length = (uint32_t)_i / 2;
    bool counted = _i % 2, text = _i % 4 == 1;
    const struct xdr_member member = {"o", BASE(text ? XT_STRING : XT_OPAQUE),
                                      counted ? XS_VAR : XS_FIXED, length};
    const struct xdr_type type = {XT_STRUCT, "octets", 1, &member, NULL, NULL};
    size_t at = counted ? 4 : 0, padded = (length + 3) / 4 * 4;
    struct walk_error error;
    uint8_t octets[16] = {0, 0, 0, (uint8_t)(counted ? length : 0)};
    memset(octets + at, 0xff, length);
    ck_assert_int_eq(walk(&type, octets, sizeof octets, &error), (ptrdiff_t)(at + padded));
    ck_assert_int_eq(last.kind, text ? WALK_STRING : WALK_OPAQUE);
    ck_assert_uint_eq(last.number, length);
    ck_assert_uint_eq(last.length, padded);
    ck_assert_ptr_eq(last.bytes, octets + at);
    ck_assert_int_eq(walk(&type, octets, at + padded, &error), (ptrdiff_t)(at + padded));
    if (length > 0)
        assert_fault(&type, octets, at + padded - 1,
                     counted ? RPCRDMA_XDR_E_COUNT : RPCRDMA_XDR_E_TRUNCATED, 0, "o");
    for (size_t pad = at + length; pad < at + padded; pad++) {
        octets[pad] = 1;
        assert_fault(&type, octets, sizeof octets, RPCRDMA_XDR_E_PAD, at + length, "o");
        octets[pad] = 0;
    }
    octets[3]++;
    if (counted)
        assert_fault(&type, octets, sizeof octets, RPCRDMA_XDR_E_BOUND, 0, "o");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("types");
    tcase_add_loop_test(tests, number, 0, BASES);
    tcase_add_test(tests, truth);
    tcase_add_test(tests, named);
    tcase_add_loop_test(tests, arrays, 0, BASES);
    tcase_add_test(tests, least);
    tcase_add_test(tests, arms);
    tcase_add_test(tests, negative_arm);
    tcase_add_test(tests, least_arm);
    tcase_add_loop_test(tests, octets_of, 0, 20);
    return run_tests("walk over types", tests);
}
