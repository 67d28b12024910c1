// SPDX-License-Identifier: BSD-3-Clause
/* Fields are found by name in type information that is made here. */
#include "rxe-harness/trace/probes.h"
#include "codec/tests/support/run_suite.h"

#include <bpf/btf.h>

#include <check.h>
#include <string.h>

static struct btf *types;
static char error[128];

/*
 * struct inner { u32 first; u32 second; };
 * struct held { u64 before; struct inner link; void *buffer; };
 * struct outer { const struct inner *to; union { u32 a; struct { u16 pad; u16 b; }; }; u32 bits :
 * 3; struct inner each[4]; }; typedef struct outer outer_t; void looked_at(outer_t *outer, const
 * struct inner *link, u8 small);
 */
static void make_types(void)
{
    types = btf__new_empty();
    ck_assert_ptr_nonnull(types);
    int u8 = btf__add_int(types, "u8", 1, 0), u16 = btf__add_int(types, "u16", 2, 0),
        u32 = btf__add_int(types, "u32", 4, 0), u64 = btf__add_int(types, "u64", 8, 0);
    int any = btf__add_ptr(types, 0);
    int inner = btf__add_struct(types, "inner", 8);
    btf__add_field(types, "first", u32, 0, 0);
    btf__add_field(types, "second", u32, 32, 0);
    btf__add_struct(types, "held", 24);
    btf__add_field(types, "before", u64, 0, 0);
    btf__add_field(types, "link", inner, 64, 0);
    btf__add_field(types, "buffer", any, 128, 0);
    int to_inner = btf__add_ptr(types, btf__add_const(types, inner));
    int unnamed = btf__add_struct(types, NULL, 4);
    btf__add_field(types, "pad", u16, 0, 0);
    btf__add_field(types, "b", u16, 16, 0);
    int either = btf__add_union(types, NULL, 4);
    btf__add_field(types, "a", u32, 0, 0);
    btf__add_field(types, NULL, unnamed, 0, 0);
    int four = btf__add_array(types, u64, inner, 4);
    int outer = btf__add_struct(types, "outer", 48);
    btf__add_field(types, "to", to_inner, 0, 0);
    btf__add_field(types, NULL, either, 64, 0);
    btf__add_field(types, "bits", u32, 96, 3);
    btf__add_field(types, "each", four, 128, 0);
    int to_outer = btf__add_ptr(types, btf__add_typedef(types, "outer_t", outer));
    int proto = btf__add_func_proto(types, 0);
    btf__add_func_param(types, "outer", to_outer);
    btf__add_func_param(types, "link", to_inner);
    btf__add_func_param(types, "small", u8);
    ck_assert_int_gt(btf__add_func(types, "looked_at", BTF_FUNC_STATIC, proto), 0);
}

static void free_types(void)
{
    btf__free(types);
}

struct row {
    const char *expression, *text; /* what it is, or why it is not */
    size_t size;                   /* 0: it is not */
};

static const struct row rows[] = {
    {"small", "$arg3", 1},
    {"outer", "$arg1", 8},
    {"outer->to", "+0($arg1)", 8},
    {"outer->to->second", "+4(+0($arg1))", 4},
    {"outer->a", "+8($arg1)", 4},
    {"outer->b", "+10($arg1)", 2},
    {"outer->each[0].first", "+16($arg1)", 4},
    {"outer->each[3].second", "+44($arg1)", 4},
    {"outer->each[1]", "+24($arg1)", 8},
    {"outer->to[2].first", "+16(+0($arg1))", 4},
    {"link^held.link->buffer", "+8($arg2)", 8},
    {"link^held.link->before", "-8($arg2)", 8},
    {"link^held.link->link", "+0($arg2)", 8},
    {"link^held.link[2].buffer", "+56($arg2)", 8},
    {"outer->bits", "no field 'bits' in 'outer'", 0}, /* no octets of its own */
    {"outer->third", "no field 'third' in 'outer'", 0},
    {"outer->each", "outer->each: neither a number nor a pointer nor a structure", 0},
    {"return", "return: neither a number nor a pointer nor a structure", 0}, /* void */
    {"inner", "no parameter 'inner' of 'looked_at'", 0},
    {"small->first", "first: no pointer is before it", 0},
    {"link^held.buffers", "no field 'buffers' in 'held'", 0},
    {"link^held", "held: which member?", 0},
    {"outer->to[x]", "x]: no index", 0},
    {"outer->", ": a name is missing", 0},
    {"", ": a name is missing", 0},
};

START_TEST(finds_by_name)
{
    const struct row *row = &rows[_i];
    struct layout_fetch fetch = {0};
    bool found = layout_find(types, "looked_at", row->expression, &fetch, error, sizeof error);
    ck_assert_msg(found == (row->size > 0), "%s: %s", row->expression, found ? fetch.text : error);
    ck_assert_str_eq(found ? fetch.text : error, row->text);
    ck_assert_uint_eq(found ? fetch.size : 0, row->size);
}
END_TEST

START_TEST(says_which_function_is_missing)
{
    struct layout_fetch fetch;
    ck_assert(!layout_find(types, "looked_for", "outer", &fetch, error, sizeof error));
    ck_assert_str_eq(error, "no function 'looked_for'");
}
END_TEST

START_TEST(takes_the_function_that_there_is)
{
    static const struct trace_field fields[] = {{"number", "outer->to->first", 0, 0},
                                                {"entry0", "outer", 0, 0},
                                                {"entry1", "link^held.link->buffer", PROBE_WORD, 0},
                                                {"octets", "link^held.link->buffer", 2, 1},
                                                {0}};
#define OF_MODULE .sides = TRACE_SERVER, .module = "module", .is_content = true
    static const struct trace_probe probe = {"event", .functions = {"newer", "looked_at"},
                                             .fields = fields, OF_MODULE},
                                    more = {"event", .functions = {"looked_at"},
                                            .fields = &fields[1], OF_MODULE},
                                    none = {"event", .functions = {"newer"}, .fields = fields,
                                            OF_MODULE};
    char line[PROBE_LINE];
    ck_assert(probe_line(&probe, types, "group", 4096, line, error, sizeof error));
    ck_assert_str_eq(line, "p:group/event module:looked_at number=+0(+0($arg1)):x32 "
                           "entry0=$arg1:x64 entry1=+0(+8($arg2)):x64 "
                           "octets1=+512(+8($arg2)):x64[64] octets2=+1024(+8($arg2)):x64[64]");
    /* What begins at the end of what is asked for, or behind it, is left out; which entry it was is
     * nothing of its own. */
    ck_assert(probe_line(&probe, types, "group", 1024, line, error, sizeof error));
    ck_assert_str_eq(line, "p:group/event module:looked_at number=+0(+0($arg1)):x32 "
                           "entry0=$arg1:x64 entry1=+0(+8($arg2)):x64 "
                           "octets1=+512(+8($arg2)):x64[64]");
    ck_assert(probe_line(&more, types, "group", 512, line, error, sizeof error));
    ck_assert_str_eq(line, "");
    ck_assert(!probe_line(&none, types, "group", 4096, line, error, sizeof error));
    ck_assert_str_eq(error, "no function 'newer' in 'module'");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("types");
    tcase_add_checked_fixture(tests, make_types, free_types);
    tcase_add_loop_test(tests, finds_by_name, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tests, says_which_function_is_missing);
    tcase_add_test(tests, takes_the_function_that_there_is);
    return run_tests("layout", tests);
}
