// SPDX-License-Identifier: BSD-3-Clause
/* The probes that are set: whose they are, that one event has room for what it reads, and that its
 * second part goes on where the first one ends. What the kernel calls it only a kernel can say. */
#include "rxe-harness/trace/probes.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_MAX 3072u /* octets of one event */
#define MORE "_more"

static bool begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool begins(const struct trace_probe *probe, const char *with)
{
    return begins_with(probe->name, with);
}

static bool is_more(const struct trace_probe *probe)
{
    const char *more = strstr(probe->name, MORE);
    return more && more[strlen(MORE)] == '\0';
}

/* The probe whose rest it is. */
static const struct trace_probe *first_of(const struct trace_probe *more)
{
    const size_t length = strlen(more->name) - strlen(MORE);
    for (const struct trace_probe *each = trace_probes; each->name; each++)
        if (strlen(each->name) == length && begins(more, each->name))
            return each;
    ck_abort_msg("%s is the rest of nothing", more->name);
    return NULL;
}

static const struct trace_field *find(const struct trace_probe *probe, const char *name)
{
    for (const struct trace_field *each = probe->fields; each->name; each++)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

START_TEST(sides_and_subjects_are_those_of_names)
{
    static const struct {
        const char *name;
        unsigned sides;
        bool operations, registrations, content;
    } rows[] = {{"requests", TRACE_SERVER, false, false, false},
                {"accepts", TRACE_SERVER, false, false, false},
                {"server_ends", TRACE_SERVER, false, false, false},
                {"server_", TRACE_SERVER, false, false, true},
                {"operation", TRACE_SERVER, true, false, false},
                {"connects", TRACE_CLIENT, false, false, false},
                {"answers", TRACE_CLIENT, false, false, false},
                {"client_", TRACE_CLIENT, false, false, true},
                {"invalidations", TRACE_CLIENT, false, true, false},
                {"completions", TRACE_CLIENT, false, true, false},
                {"releases", TRACE_CLIENT, false, true, false},
                {"disconnects", TRACE_BOTH, false, false, false}};
    unsigned in_place = 0;
    for (const struct trace_probe *probe = trace_probes; probe->name; probe++) {
        size_t i = 0;
        while (i < COUNT(rows) && !begins(probe, rows[i].name))
            i++;
        ck_assert_msg(i < COUNT(rows), "%s", probe->name);
        bool registers = rows[i].registrations || find(probe, "last") != NULL;
        ck_assert_msg(probe->sides == rows[i].sides, "%s: side", probe->name);
        ck_assert_msg(probe->of_operations == rows[i].operations, "%s: operations", probe->name);
        ck_assert_msg(probe->is_content == rows[i].content, "%s: content", probe->name);
        ck_assert_msg(probe->of_registrations == registers, "%s: registrations", probe->name);
        ck_assert_msg(probe->at_return == begins(probe, "operation_rows"), "%s", probe->name);
        ck_assert_msg(!probe->without_registrations || strcmp(probe->name, probe[1].name) == 0,
                      "%s: in place of what?", probe->name);
        in_place += probe->without_registrations;
        ck_assert_uint_lt(strlen(probe->name), 32);
        ck_assert(probe->functions[0] != NULL && probe->functions[2] == NULL);
        ck_assert_msg(probe->fields[0].name != NULL, "%s reads nothing", probe->name);
    }
    ck_assert_uint_eq(in_place, 1);
}
END_TEST

START_TEST(an_event_has_room)
{
    for (const struct trace_probe *probe = trace_probes; probe->name; probe++) {
        size_t octets = 0;
        for (const struct trace_field *each = probe->fields; each->name; each++) {
            const bool is_address =
                strcmp(each->name, "from") == 0 || strcmp(each->name, "to") == 0;
            const bool is_word = each->pieces == 0 || each->pieces == PROBE_WORD;
            octets += !is_word ? each->pieces * (size_t)PROBE_PIECE : is_address ? 32 : 8;
            ck_assert_msg(is_more(probe) || each->first == 0, "%s: %s", probe->name, each->name);
            ck_assert_msg(!is_word || each->first == 0, "%s: %s", probe->name, each->name);
            const struct trace_field *same = find(probe, each->name);
            ck_assert_msg(same == each, "%s: %s is there twice", probe->name, each->name);
        }
        ck_assert_msg(octets <= EVENT_MAX, "%s: %zu octets", probe->name, octets);
    }
}
END_TEST

/* Of the same function, and no piece twice, or left out; of Sends as many as are ever read. */
START_TEST(a_rest_goes_on)
{
    unsigned rests = 0;
    for (const struct trace_probe *more = trace_probes; more->name; more++) {
        if (!is_more(more))
            continue;
        const struct trace_probe *first = first_of(more);
        ck_assert_str_eq(more->module, first->module);
        for (int i = 0; i < 2; i++)
            ck_assert(more->functions[i] == first->functions[i] ||
                      strcmp(more->functions[i], first->functions[i]) == 0);
        for (const struct trace_field *each = more->fields; each->name; each++) {
            const struct trace_field *before = find(first, each->name);
            if (each->pieces == 0 || begins_with(each->name, PROBE_ENTRY))
                continue;
            rests++;
            ck_assert_msg(before != NULL, "%s: %s", more->name, each->name);
            ck_assert_str_eq(each->expression, before->expression);
            ck_assert_msg(each->first == before->pieces, "%s: %s", more->name, each->name);
            ck_assert_msg(!more->is_content ||
                              (before->pieces + each->pieces) * PROBE_PIECE == PROBE_SEND_MAX,
                          "%s: %s: %u pieces", more->name, each->name, each->pieces);
        }
    }
    ck_assert_uint_eq(rests, 7);
}
END_TEST

/* Which entry it was, a rest and what it is the rest of say alike, and nothing else does. */
START_TEST(a_rest_says_whose_it_is)
{
    for (const struct trace_probe *more = trace_probes; more->name; more++) {
        const struct trace_probe *first = is_more(more) ? first_of(more) : NULL;
        unsigned entries = 0;
        for (const struct trace_field *each = more->fields; each->name && first; each++) {
            if (!begins_with(each->name, PROBE_ENTRY))
                continue;
            const struct trace_field *same = find(first, each->name);
            ck_assert_msg(same != NULL, "%s: %s", more->name, each->name);
            ck_assert_str_eq(each->expression, same->expression);
            ck_assert_uint_eq(each->pieces, same->pieces);
            entries++;
        }
        for (const struct trace_field *each = first ? first->fields : more->fields; each->name;
             each++)
            entries -= first && begins_with(each->name, PROBE_ENTRY);
        ck_assert_msg(entries == 0, "%s", more->name);
        ck_assert_msg(!first || (find(more, PROBE_ENTRY "0") && find(more, PROBE_ENTRY "1")), "%s",
                      more->name);
    }
}
END_TEST

/* What is numbered begins at 0, and has no gap: as many as the assembler reads. */
START_TEST(numbered_fields_are_in_order)
{
    static const struct {
        const char *probe, *field;
        unsigned count;
    } rows[] = {{"server_sends", "length", 4},     {"client_sends", "length", 3},
                {"operations", "handle", 4},       {"operations", "offset", 4},
                {"operations", "length", 4},       {"operation_rows", "handle", 9},
                {"operation_rows", "offset", 9},   {"operation_rows", "pieces", 9},
                {"client_sends_more", "handle", 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct trace_probe *probe = trace_probes;
        char name[32];
        while (strcmp(probe->name, rows[i].probe) != 0 || probe->without_registrations)
            probe++;
        for (unsigned n = 0; n <= rows[i].count; n++) {
            snprintf(name, sizeof name, "%s%u", rows[i].field, n);
            const struct trace_field *field = find(probe, name);
            ck_assert_msg((field != NULL) == (n < rows[i].count), "%s: %s", probe->name, name);
            ck_assert(field == NULL || field->pieces == 0);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("probes");
    tcase_add_test(tests, sides_and_subjects_are_those_of_names);
    tcase_add_test(tests, an_event_has_room);
    tcase_add_test(tests, a_rest_goes_on);
    tcase_add_test(tests, a_rest_says_whose_it_is);
    tcase_add_test(tests, numbered_fields_are_in_order);
    return run_tests("probes", tests);
}
