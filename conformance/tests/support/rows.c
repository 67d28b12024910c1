// SPDX-License-Identifier: BSD-3-Clause
/* The rows of a test program, and the tests of them. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"

static struct table {
    const struct play_row *rows;
    size_t count;
} tables[64];
static size_t table_count;

void play_rows(const struct play_row *rows, size_t count)
{
    if (table_count == COUNT(tables))
        abort(); /* before main(): Check is not there yet */
    tables[table_count++] = (struct table){rows, count};
}

unsigned play_each_row(void (*visit)(const struct play_row *row))
{
    unsigned rows = 0;
    for (size_t t = 0; t < table_count; t++)
        for (size_t i = 0; i < tables[t].count; i++, rows++)
            visit(&tables[t].rows[i]);
    return rows;
}

static const struct play_row *row_at(size_t index)
{
    size_t t = 0;
    for (; index >= tables[t].count; t++)
        index -= tables[t].count;
    return &tables[t].rows[index];
}

START_TEST(as_it_says)
{
    play_row(row_at((size_t)_i));
}
END_TEST

/* As far as version 2 has such a message. */
START_TEST(in_drafts)
{
    translate_row(row_at((size_t)_i), RPCRDMA_PROTOCOL_2_04);
    translate_row(row_at((size_t)_i), RPCRDMA_PROTOCOL_2_07);
}
END_TEST

static enum rpcrdma_rule_scope wanted_scope;

static bool is_broken_by_row(const char *id)
{
    char name[128];
    snprintf(name, sizeof name, " %s", strncmp(id, "rfc8166/", 8) == 0 ? id + 8 : id);
    for (size_t t = 0; t < table_count; t++)
        for (size_t i = 0; i < tables[t].count; i++) {
            const struct play_row *row = &tables[t].rows[i];
            const char *at = row->judgement ? strstr(row->judgement, name) : NULL;
            if (at && strchr(" ;", at[strlen(name)]) && row->near[0])
                return true;
        }
    return false;
}

START_TEST(all_rules)
{
    for (int rule = 0; rule < RPCRDMA_RULES; rule++) {
        const struct rpcrdma_requirement *requirement = &rpcrdma_requirements[rule];
        if (requirement->severity >= 0 && requirement->scope == wanted_scope &&
            strncmp(requirement->id, "rfc", 3) == 0)
            ck_assert_msg(is_broken_by_row(requirement->id), "no row breaks %s, with a near miss",
                          requirement->id);
    }
}
END_TEST

static int row_count(void)
{
    size_t rows = 0;
    for (size_t t = 0; t < table_count; t++)
        rows += tables[t].count;
    return (int)rows;
}

static TCase *begin(const char *name, Suite **suite)
{
    TCase *tests = tcase_create(name);
    *suite = suite_create(name);
    suite_add_tcase(*suite, tests);
    tcase_add_loop_test(tests, as_it_says, 0, row_count());
    return tests;
}

int play_version1(const char *name, int scope, void (*more)(TCase *tests))
{
    Suite *suite;
    TCase *tests = begin(name, &suite);
    tcase_add_loop_test(tests, in_drafts, 0, row_count());
    if (more)
        more(tests);
    wanted_scope = (enum rpcrdma_rule_scope)scope;
    if (scope != PLAY_NO_SCOPE)
        tcase_add_test(tests, all_rules);
    return run_suite(suite);
}

int play_version2(const char *name)
{
    Suite *suite;
    begin(name, &suite);
    return run_suite(suite);
}
