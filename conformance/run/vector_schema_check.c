// SPDX-License-Identifier: BSD-3-Clause
/* A file's JSON against the tables. How deep a check goes is fixed by them, not by the file. */
#include "conformance/base/count.h"
#include "conformance/run/vector_schema.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PATTERN_OCTETS 256 /* of a text that is matched against one */
#define PATTERNS 8

struct walk {
    const struct vector_schema *schema;
    unsigned faults;
    char where[160];
};

static void check(struct walk *walk, const struct schema_type *type, json_t *value);

static void fault(struct walk *walk, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fault(struct walk *walk, const char *format, ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (char *p = what; *p != '\0'; p++) /* it may quote the file */
        if (iscntrl((unsigned char)*p))
            *p = '?';
    walk->faults++;
    walk->schema->fault(walk->schema->arg, walk->where, what);
}

/* Check a value under a longer path. */
static void check_below(struct walk *walk, const char *step, const struct schema_type *type,
                        json_t *value)
{
    size_t length = strlen(walk->where);
    snprintf(walk->where + length, sizeof walk->where - length, "%s%s",
             length > 0 && step[0] != '[' ? "." : "", step);
    check(walk, type, value);
    walk->where[length] = '\0';
}

/* ---- objects ---- */

static const struct schema_member *find_member(const struct schema_type *type, const char *key)
{
    for (const struct schema_member *member = type->members; member->key; member++)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

static void check_one_of(struct walk *walk, const struct schema_type *type, json_t *value)
{
    char words[96] = "";
    unsigned count = 0;
    for (const char *const *key = type->one_of; *key; key++) {
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", length > 0 ? ", " : "", *key);
        count += json_object_get(value, *key) != NULL;
    }
    if (count != 1)
        fault(walk, "has %s of %s", count == 0 ? "none" : "more than one", words);
}

static void check_object(struct walk *walk, const struct schema_type *type, json_t *value)
{
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        const struct schema_member *member = find_member(type, key);
        if (member)
            check_below(walk, key, member->type, item);
        else
            fault(walk, "has an unknown member \"%.40s\"", key);
    }
    for (const struct schema_member *member = type->members; member->key; member++)
        if (member->required && json_object_get(value, member->key) == NULL)
            fault(walk, "has no \"%s\"", member->key);
    if (type->one_of)
        check_one_of(walk, type, value);
}

static void check_map(struct walk *walk, const struct schema_type *type, json_t *value)
{
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item) check_below(walk, key, type->item, item);
}

/* ---- arrays ---- */

/* What is not a string has had its fault. */
static void check_unique(struct walk *walk, json_t *value)
{
    json_t *seen = json_object(), *item;
    size_t index;
    json_array_foreach(value, index, item)
    {
        const char *string = json_string_value(item);
        if (string && json_object_get(seen, string))
            fault(walk, "has \"%.40s\" twice", string);
        else if (string)
            json_object_set_new(seen, string, json_true());
    }
    json_decref(seen);
}

static void check_array(struct walk *walk, const struct schema_type *type, json_t *value)
{
    size_t index;
    json_t *item;
    if (json_array_size(value) < type->least)
        fault(walk, "is empty");
    json_array_foreach(value, index, item)
    {
        char step[32];
        snprintf(step, sizeof step, "[%zu]", index);
        check_below(walk, step, type->item, item);
    }
    if (type->unique)
        check_unique(walk, value);
}

/* ---- texts ---- */

/* Compiled once each. */
static const regex_t *compiled(const char *pattern)
{
    static struct {
        const char *pattern;
        regex_t regex;
    } known[PATTERNS];
    for (size_t i = 0; i < COUNT(known); i++) {
        if (known[i].pattern == pattern)
            return &known[i].regex;
        if (known[i].pattern == NULL &&
            regcomp(&known[i].regex, pattern, REG_EXTENDED | REG_NOSUB) == 0) {
            known[i].pattern = pattern;
            return &known[i].regex;
        }
    }
    return NULL;
}

static bool matches(const char *pattern, const json_t *value)
{
    const char *string = json_string_value(value);
    size_t length = json_string_length(value);
    const regex_t *regex = compiled(pattern);
    return string && regex && length <= PATTERN_OCTETS && strlen(string) == length &&
           strchr(string, '\n') == NULL && regexec(regex, string, 0, NULL, 0) == 0;
}

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Pairs of digits, each followed by at most one blank or newline. */
static bool is_octets(const json_t *value)
{
    const char *p = json_string_value(value);
    const char *end = p ? p + json_string_length(value) : NULL;
    while (p && p < end) {
        if (end - p < 2 || !is_hex_digit(p[0]) || !is_hex_digit(p[1]))
            return false;
        p += 2;
        if (p < end && (*p == ' ' || *p == '\n'))
            p++;
    }
    return p != NULL;
}

static bool is_word(const char *const *words, const json_t *value)
{
    const char *found = json_string_value(value);
    for (; found && *words; words++)
        if (strcmp(found, *words) == 0)
            return true;
    return false;
}

/* ---- every type ---- */

static bool is_integer(const struct schema_type *type, const json_t *value)
{
    return json_is_integer(value) &&
           (type->minimum == 0 || json_integer_value(value) >= type->minimum);
}

static void check_plain(struct walk *walk, const struct schema_type *type, json_t *value)
{
    if (type->kind == SCHEMA_TEXT && !json_is_string(value))
        fault(walk, "is not a string");
    else if (type->kind == SCHEMA_PATTERN && !matches(type->pattern, value))
        fault(walk, "%s", type->fault);
    else if (type->kind == SCHEMA_OCTETS && !is_octets(value))
        fault(walk, "%s", type->fault);
    else if (type->kind == SCHEMA_WORD && !is_word(type->words, value))
        fault(walk, "is not among the words that the schema lists");
    else if (type->kind == SCHEMA_INTEGER && !is_integer(type, value) && type->minimum > 0)
        fault(walk, "must be an integer >= %" JSON_INTEGER_FORMAT, type->minimum);
    else if (type->kind == SCHEMA_INTEGER && !is_integer(type, value))
        fault(walk, "is not an integer");
    else if (type->kind == SCHEMA_BOOLEAN && !json_is_boolean(value))
        fault(walk, "is neither true nor false");
    else if (type->kind == SCHEMA_TRUE && !json_is_true(value))
        fault(walk, "is not true");
}

static void check(struct walk *walk, const struct schema_type *type, json_t *value)
{
    bool wants_object = type->kind <= SCHEMA_MAP;
    if (wants_object && !json_is_object(value))
        fault(walk, "is not an object");
    else if (type->kind == SCHEMA_ARRAY && !json_is_array(value))
        fault(walk, "is not an array");
    else if (type->kind == SCHEMA_OBJECT)
        check_object(walk, type, value);
    else if (type->kind == SCHEMA_MAP)
        check_map(walk, type, value);
    else if (type->kind == SCHEMA_ARRAY)
        check_array(walk, type, value);
    else
        check_plain(walk, type, value);
}

unsigned vector_schema_check(const struct vector_schema *schema, json_t *root)
{
    struct walk walk = {.schema = schema};
    check(&walk, &vector_schema_file, root);
    return walk.faults;
}
