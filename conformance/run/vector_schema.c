// SPDX-License-Identifier: BSD-3-Clause
/*
 * The schema of vector files, as tables: each object has its members, each member its test. How
 * deep a test goes is fixed by the tables, not by the file.
 */
#include "conformance/run/vector_schema.h"

#include "conformance/base/count.h"

#include <register_words.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct walk_state {
    const struct vector_schema *schema;
    unsigned faults;
    char where[160];
};

typedef void tester(struct walk_state *state, json_t *value);

struct member {
    const char *key;
    tester *test;
    bool required;
};

static void fault(struct walk_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fault(struct walk_state *state, const char *format, ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (char *p = what; *p != '\0'; p++) /* it may quote the file */
        if (iscntrl((unsigned char)*p))
            *p = '?';
    state->faults++;
    state->schema->fault(state->schema->arg, state->where, what);
}

/* Test a value under a longer path. */
static void below(struct walk_state *state, const char *step, tester *test, json_t *value)
{
    size_t length = strlen(state->where);
    snprintf(state->where + length, sizeof state->where - length, "%s%s",
             length > 0 && step[0] != '[' ? "." : "", step);
    test(state, value);
    state->where[length] = '\0';
}

static const struct member *find_member(const struct member *members, const char *key)
{
    for (; members->key; members++)
        if (strcmp(members->key, key) == 0)
            return members;
    return NULL;
}

static bool object(struct walk_state *state, json_t *value, const struct member *members)
{
    if (!json_is_object(value)) {
        fault(state, "is no object");
        return false;
    }
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        const struct member *member = find_member(members, key);
        if (member)
            below(state, key, member->test, item);
        else
            fault(state, "has an unknown member \"%.40s\"", key);
    }
    for (; members->key; members++)
        if (members->required && json_object_get(value, members->key) == NULL)
            fault(state, "has no \"%s\"", members->key);
    return true;
}

static void array(struct walk_state *state, json_t *value, size_t least, tester *test)
{
    if (!json_is_array(value)) {
        fault(state, "is no array");
        return;
    }
    if (json_array_size(value) < least)
        fault(state, "is empty");
    size_t index;
    json_t *item;
    json_array_foreach(value, index, item)
    {
        char step[32];
        snprintf(step, sizeof step, "[%zu]", index);
        below(state, step, test, item);
    }
}

/* No string stands in the array twice; what is no string has had its fault. */
static void unique(struct walk_state *state, json_t *value)
{
    json_t *seen = json_object(), *item;
    size_t index;
    json_array_foreach(value, index, item)
    {
        const char *string = json_string_value(item);
        if (string && json_object_get(seen, string))
            fault(state, "has \"%.40s\" twice", string);
        else if (string)
            json_object_set_new(seen, string, json_true());
    }
    json_decref(seen);
}

/* ---- plain values ---- */

static void text(struct walk_state *state, json_t *value)
{
    if (!json_is_string(value))
        fault(state, "is no string");
}

static void texts(struct walk_state *state, json_t *value)
{
    array(state, value, 0, text);
}

static void whole(struct walk_state *state, json_t *value)
{
    if (!json_is_integer(value))
        fault(state, "is no whole number");
}

static void threshold(struct walk_state *state, json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 1024)
        fault(state, "is no whole number from 1024");
}

static void truth(struct walk_state *state, json_t *value)
{
    if (!json_is_boolean(value))
        fault(state, "is neither true nor false");
}

static void only_true(struct walk_state *state, json_t *value)
{
    if (!json_is_true(value))
        fault(state, "is not true");
}

static void any_object(struct walk_state *state, json_t *value)
{
    if (!json_is_object(value))
        fault(state, "is no object");
}

static void word(struct walk_state *state, json_t *value, const char *const *words)
{
    const char *found = json_string_value(value);
    for (; found && *words; words++)
        if (strcmp(found, *words) == 0)
            return;
    fault(state, "is none of the words that the schema lists");
}

/* Calls word() with a list of its own. */
#define WORDS(name, ...)                                                                           \
    static void name(struct walk_state *state, json_t *value)                                      \
    {                                                                                              \
        static const char *const words[] = {__VA_ARGS__, NULL};                                    \
        word(state, value, words);                                                                 \
    }

WORDS(schema_name, "rpcrdma-vectors-v1")
WORDS(protocol, "rpcrdma1", "rpcrdma2-04")
WORDS(origin, "spec", "recorded", "field-bug", "fuzz", "made")
WORDS(kind, "basic", "edge-case", "malformed", "known-bug", "legacy", "hostile")
WORDS(binding, "none", "nfs")
WORDS(endpoint, "client", "server")
WORDS(verdict, "violation", "warning", "note")
WORDS(reaction, REGISTER_REACTION_LIST)

/* ---- patterns ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_small(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z');
}

static bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Words of small letters and digits, with one hyphen between two: up to `end`. */
static bool is_words(const char *p, const char *end)
{
    for (const char *start = p; p < end; p++)
        if (!is_small(*p) && !(*p == '-' && p > start && p[-1] != '-' && p + 1 < end))
            return false;
    return p == end;
}

static void hex(struct walk_state *state, json_t *value)
{
    const char *p = json_string_value(value);
    const char *end = p ? p + json_string_length(value) : NULL;
    bool good = p != NULL;
    while (good && p < end) {
        good = end - p >= 2 && is_hex_digit(p[0]) && is_hex_digit(p[1]);
        p += 2;
        if (good && p < end && (*p == ' ' || *p == '\n'))
            p++;
    }
    if (!good)
        fault(state, "is no string of pairs of lower-case hexadecimal digits");
}

static void address(struct walk_state *state, json_t *value)
{
    const char *p = json_string_value(value);
    size_t length = json_string_length(value);
    bool good = p && length >= 3 && length <= 18 && strncmp(p, "0x", 2) == 0;
    for (size_t i = 2; good && i < length; i++)
        good = is_hex_digit(p[i]);
    if (!good)
        fault(state, "is no \"0x\" with 1 to 16 lower-case hexadecimal digits");
}

static void test_id(struct walk_state *state, json_t *value)
{
    const char *p = json_string_value(value);
    size_t length = json_string_length(value);
    if (p == NULL || length == 0 || !is_words(p, p + length))
        fault(state, "is no id of lower-case words and hyphens");
}

/* Digits or capitals, then ".digits" any number of times. */
static bool is_section(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && (is_digit(*p) || (*p >= 'A' && *p <= 'Z')))
        p++;
    if (p == start)
        return false;
    for (; p < end; p++)
        if (!is_digit(*p) && !(*p == '.' && p + 1 < end && is_digit(p[1])))
            return false;
    return true;
}

static void rule(struct walk_state *state, json_t *value)
{
    const char *p = json_string_value(value);
    const char *end = p ? p + json_string_length(value) : NULL;
    const char *first = p ? memchr(p, '/', (size_t)(end - p)) : NULL;
    const char *second = first ? memchr(first + 1, '/', (size_t)(end - first - 1)) : NULL;
    bool good = second && first > p && second + 1 < end && is_section(first + 1, second) &&
                is_words(second + 1, end);
    for (; good && p < first; p++)
        good = is_small(*p) || *p == '.' || *p == '-';
    if (!good)
        fault(state, "is no rule: document/section/slug");
}

/* ---- objects, from the inside out ---- */

static void finding(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {
        {"rule", rule, true}, {"verdict", verdict, true}, {"offset", whole, false}, {0}};
    object(state, value, members);
}

static void findings(struct walk_state *state, json_t *value)
{
    array(state, value, 0, finding);
}

static void reactions(struct walk_state *state, json_t *value)
{
    array(state, value, 1, reaction);
}

static void expect(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {{"findings", findings, false},
                                            {"headerLength", whole, false},
                                            {"reaction", reactions, false},
                                            {"header", any_object, false},
                                            {0}};
    object(state, value, members);
}

static void transfer(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {
        {"handle", whole, true}, {"offset", address, true}, {"data", hex, true}, {0}};
    object(state, value, members);
}

static void event(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {{"from", endpoint, true},
                                            {"send", hex, false},
                                            {"invalidate", whole, false},
                                            {"privateData", hex, false},
                                            {"rdmaRead", transfer, false},
                                            {"rdmaWrite", transfer, false},
                                            {"disconnect", only_true, false},
                                            {"expect", expect, false},
                                            {0}};
    static const char *const kinds[] = {"send", "privateData", "rdmaRead", "rdmaWrite",
                                        "disconnect"};
    if (!object(state, value, members))
        return;
    unsigned count = 0;
    for (size_t i = 0; i < COUNT(kinds); i++)
        count += json_object_get(value, kinds[i]) != NULL;
    if (count != 1)
        fault(state, "has %s of send, privateData, rdmaRead, rdmaWrite, disconnect",
              count == 0 ? "none" : "more than one");
}

static void events(struct walk_state *state, json_t *value)
{
    array(state, value, 1, event);
}

static void settings(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {{"clientToServerInline", threshold, false},
                                            {"serverToClientInline", threshold, false},
                                            {"ulb", binding, false},
                                            {"reverseDirection", truth, false},
                                            {"maxReadChunk", whole, false},
                                            {"midStream", truth, false},
                                            {"captured", truth, false},
                                            {0}};
    object(state, value, members);
}

static void flags(struct walk_state *state, json_t *value)
{
    array(state, value, 0, text);
    unique(state, value);
}

static void near_miss(struct walk_state *state, json_t *value)
{
    array(state, value, 1, rule);
    unique(state, value);
}

static void one_test(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {{"id", test_id, true},
                                            {"comment", text, true},
                                            {"flags", flags, false},
                                            {"nearMiss", near_miss, false},
                                            {"settings", settings, false},
                                            {"events", events, true},
                                            {0}};
    object(state, value, members);
}

static void tests(struct walk_state *state, json_t *value)
{
    array(state, value, 1, one_test);
}

static void note(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {
        {"kind", kind, true}, {"description", text, true}, {"links", texts, false}, {0}};
    object(state, value, members);
}

static void notes(struct walk_state *state, json_t *value)
{
    const char *key;
    json_t *item;
    if (!json_is_object(value)) {
        fault(state, "is no object");
        return;
    }
    json_object_foreach(value, key, item) below(state, key, note, item);
}

static void source(struct walk_state *state, json_t *value)
{
    static const struct member members[] = {
        {"origin", origin, true}, {"reference", text, false}, {0}};
    object(state, value, members);
}

unsigned vector_schema_check(const struct vector_schema *schema, json_t *root)
{
    static const struct member members[] = {{"schema", schema_name, true},
                                            {"protocol", protocol, true},
                                            {"title", text, true},
                                            {"source", source, false},
                                            {"notes", notes, false},
                                            {"tests", tests, true},
                                            {0}};
    struct walk_state state = {.schema = schema};
    object(&state, root, members);
    return state.faults;
}
