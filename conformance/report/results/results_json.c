// SPDX-License-Identifier: BSD-3-Clause
/* Results as JSON, one object a line: to write, and to read again for a report on several peers. */
#include "conformance/input/reader/json_input.h"
#include "conformance/base/alloc.h"
#include "conformance/base/status.h"
#include "conformance/describe/json.h"
#include "conformance/base/register.h"
#include "conformance/report/results/results.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "rpcrdma-results-v1"
#define LINE_MAX_OCTETS ((size_t)64 << 20)

/* ---- writing ---- */

static void put_some(struct json *json, const char *key, const char *text)
{
    if (text)
        json_text(json, key, text);
}

/* What only a testee's results have. */
static void put_question(struct json *json, const struct result *result)
{
    int row = result->rule ? register_find(result->rule) : -1;
    json_text(json, "role", result->role);
    put_some(json, "requirement", row < 0 ? NULL : rpcrdma_requirements[row].text);
    put_some(json, "question", result->testee.question);
    put_some(json, "wanted", result->alike.wanted);
    put_some(json, "got", result->alike.got);
    put_some(json, "cause", result->alike.cause);
    put_some(json, "stderr", result->testee.log);
    json_truth(json, "legal", result->testee.legal);
    json_truth(json, "refused", result->testee.refused);
    json_truth(json, "unseen", result->unseen);
    json_truth(json, "opening", result->opening);
}

static void put_result(FILE *out, const struct result *result, bool has_question)
{
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "result");
    json_text(&json, "file", result->file);
    json_text(&json, "test", result->test);
    json_unsigned(&json, "event", result->event);
    json_text(&json, "comment", result->comment);
    json_text(&json, "from", result->from);
    json_text(&json, "type", result->type);
    json_text(&json, "rule", result->rule);
    json_truth(&json, "breaks", result->breaks);
    if (result->accused)
        json_truth(&json, "accused", true);
    json_text(&json, "way", result->way);
    json_text(&json, "level", level_names[result->level]);
    json_text(&json, "ending", ending_names[result->ending]);
    json_truth(&json, "known", result->known);
    json_text(&json, "expected", result->expected);
    json_text(&json, "actual", result->actual);
    if (result->offset >= 0)
        json_signed(&json, "offset", result->offset);
    else
        json_none(&json, "offset");
    json_text(&json, "field", result->field);
    json_hex(&json, "octets", result->octets, result->length);
    if (result->left_out)
        json_truth(&json, "octetsLeftOut", true);
    if (result->answer)
        json_hex(&json, "answer", result->answer, result->answer_length);
    if (result->role && has_question)
        put_question(&json, result);
    json_close(&json, '}');
    json_line(&json);
}

static void put_summary(FILE *out, const struct results *results)
{
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "summary");
    json_unsigned(&json, "results", results->count);
    json_unsigned(&json, "failed", results_failed(results));
    if (results->incomplete)
        json_text(&json, "incomplete", results->incomplete);
    if (results->known)
        known_json(&json, results->known);
    size_t refused, misread, legal = results_legal(results, &refused, &misread);
    if (legal > 0) {
        json_unsigned(&json, "legalSends", legal);
        json_unsigned(&json, "legalSendsRefused", refused);
    }
    for (int ending = 0; ending < ENDINGS; ending++) {
        size_t count = 0;
        for (int level = 0; level < RESULT_LEVELS; level++)
            count += results_count(results, (enum ending)ending, (enum result_level)level);
        json_unsigned(&json, ending_names[ending], count);
    }
    json_close(&json, '}');
    json_line(&json);
}

static void put_run(FILE *out, const struct results *results)
{
    const struct results_about *about = &results->about;
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "run");
    json_text(&json, "schema", SCHEMA);
    json_text(&json, "version", about->version ? about->version : RPCRDMA_KIT_VERSION);
    json_text(&json, "subject", results->subject);
    if (results->seed > 0)
        json_unsigned(&json, "seed", results->seed);
    put_some(&json, "wire", results->wire);
    put_some(&json, "peer", about->peer);
    put_some(&json, "release", about->release);
    put_some(&json, "side", about->side);
    put_some(&json, "transport", about->transport);
    put_some(&json, "date", about->date);
    put_some(&json, "kit", about->kit);
    json_close(&json, '}');
    json_line(&json);
}

void results_json(FILE *out, const struct results *results)
{
    put_run(out, results);
    for (size_t i = 0; i < results->count; i++)
        put_result(out, &results->list[i], true);
    put_summary(out, results);
}

/* ---- writing the names alone of what ended well ---- */

static bool are_alike(const struct result *a, const struct result *b)
{
    bool same_rule = a->rule && b->rule ? strcmp(a->rule, b->rule) == 0 : a->rule == b->rule;
    return same_rule && a->ending == b->ending && a->level == b->level && a->unseen == b->unseen;
}

static void put_alike(FILE *out, const struct results *results, size_t first, bool *done)
{
    struct json json = {.out = out};
    const struct result *model = &results->list[first];
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "ended");
    json_text(&json, "rule", model->rule);
    json_text(&json, "level", level_names[model->level]);
    json_text(&json, "ending", ending_names[model->ending]);
    json_truth(&json, "unseen", model->unseen);
    json_open(&json, "tests", '[');
    for (size_t i = first; i < results->count; i++) {
        const struct result *result = &results->list[i];
        if (done[i] || !are_alike(result, model))
            continue;
        done[i] = true;
        struct alloc_stream name;
        alloc_begin(&name);
        fputs(result->test, name.out);
        if (result->event > 0)
            fprintf(name.out, ":%u", result->event);
        char *text = alloc_end(&name);
        json_text(&json, NULL, text);
        free(text);
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_line(&json);
}

void results_json_small(FILE *out, const struct results *results)
{
    bool *done = alloc_zeroed(results->count, sizeof *done);
    put_run(out, results);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        if (ending_is_failure(result->ending))
            put_result(out, result, false);
        else if (!done[i])
            put_alike(out, results, i, done);
    }
    put_summary(out, results);
    free(done);
}

/* ---- reading ---- */

/* A copy of a text; NULL where it is null or absent. */
static char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? alloc_text(text) : NULL;
}

/* The place of a member's word in a list, or -1. */
static int word_of(const json_t *object, const char *key, const char *const *words, int count)
{
    const char *word = json_string_value(json_object_get(object, key));
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_octets(const json_t *object, const char *key, uint8_t **octets, size_t *length)
{
    const char *text = json_string_value(json_object_get(object, key));
    size_t digits = text ? strlen(text) : 1;
    if (digits % 2 != 0)
        return false;
    *octets = alloc_zeroed(digits / 2, 1);
    for (size_t i = 0; i < digits; i += 2) {
        int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        (*octets)[(*length)++] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_result(struct results *results, const json_t *object)
{
    struct result *result = results_add(results);
    int level = word_of(object, "level", level_names, RESULT_LEVELS);
    int ending = word_of(object, "ending", ending_names, ENDINGS);
    json_int_t event = json_integer_value(json_object_get(object, "event"));
    const json_t *offset = json_object_get(object, "offset");
    *result = (struct result){
        .file = text_of(object, "file"),
        .test = text_of(object, "test"),
        .comment = text_of(object, "comment"),
        .from = text_of(object, "from"),
        .type = text_of(object, "type"),
        .rule = text_of(object, "rule"),
        .way = text_of(object, "way"),
        .breaks = json_is_true(json_object_get(object, "breaks")),
        .accused = json_is_true(json_object_get(object, "accused")),
        .known = json_is_true(json_object_get(object, "known")),
        .expected = text_of(object, "expected"),
        .actual = text_of(object, "actual"),
        .field = text_of(object, "field"),
        .role = text_of(object, "role"),
        .testee.question = text_of(object, "question"),
        .alike.wanted = text_of(object, "wanted"),
        .alike.got = text_of(object, "got"),
        .alike.cause = text_of(object, "cause"),
        .testee.log = text_of(object, "stderr"),
        .testee.legal = json_is_true(json_object_get(object, "legal")),
        .testee.refused = json_is_true(json_object_get(object, "refused")),
        .unseen = json_is_true(json_object_get(object, "unseen")),
        .opening = json_is_true(json_object_get(object, "opening")),
        .offset = json_is_integer(offset) ? json_integer_value(offset) : -1,
    };
    if (level < 0 || ending < 0 || event < 0 || event > UINT32_MAX || result->test == NULL ||
        result->comment == NULL || result->from == NULL || result->type == NULL ||
        result->expected == NULL || result->actual == NULL ||
        !read_octets(object, "octets", &result->octets, &result->length) ||
        (json_object_get(object, "answer") &&
         !read_octets(object, "answer", &result->answer, &result->answer_length)))
        return false;
    result->left_out = json_is_true(json_object_get(object, "octetsLeftOut"));
    result->level = (enum result_level)level;
    result->ending = (enum ending)ending;
    result->event = (unsigned)event;
    return true;
}

/* "read-list-count:2": a name and its event. */
static bool read_name(struct result *result, const char *name)
{
    char *text = alloc_text(name), *colon = strrchr(text, ':'), *end = NULL;
    unsigned long event = colon ? strtoul(colon + 1, &end, 10) : 0;
    result->test = text;
    if (colon == NULL)
        return true;
    *colon = '\0';
    result->event = (unsigned)event;
    return colon[1] >= '1' && colon[1] <= '9' && *end == '\0' && event <= UINT32_MAX;
}

/* Tests that ended alike, by their names. */
static bool read_ended(struct results *results, const json_t *object)
{
    int level = word_of(object, "level", level_names, RESULT_LEVELS);
    int ending = word_of(object, "ending", ending_names, ENDINGS);
    const json_t *tests = json_object_get(object, "tests"), *test;
    size_t index;
    if (level < 0 || ending < 0 || ending_is_failure((enum ending)ending) ||
        json_array_size(tests) == 0)
        return false;
    json_array_foreach(tests, index, test)
    {
        struct result *result = results_add(results);
        *result = (struct result){.comment = alloc_text(""),
                                  .from = alloc_text("client"),
                                  .type = alloc_text("send"),
                                  .rule = text_of(object, "rule"),
                                  .expected = alloc_text(""),
                                  .actual = alloc_text(""),
                                  .octets = alloc_copy("", 0),
                                  .unseen = json_is_true(json_object_get(object, "unseen")),
                                  .level = (enum result_level)level,
                                  .ending = (enum ending)ending,
                                  .offset = -1};
        if (!json_is_string(test) || !read_name(result, json_string_value(test)))
            return false;
    }
    return true;
}

static void read_about(struct results_about *about, const json_t *object)
{
    *about = (struct results_about){
        .peer = text_of(object, "peer"),
        .release = text_of(object, "release"),
        .side = text_of(object, "side"),
        .transport = text_of(object, "transport"),
        .date = text_of(object, "date"),
        .version = text_of(object, "version"),
        .kit = text_of(object, "kit"),
    };
}

/* Returns NULL, or what is wrong. */
static const char *read_line(struct results *results, const char *line, size_t length, bool *ended)
{
    json_error_t error;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    const char *kind = json_string_value(json_object_get(object, "kind")), *wrong = NULL;
    if (kind == NULL) {
        wrong = "is not an object with a \"kind\"";
    } else if (results->subject == NULL) {
        const char *schema = json_string_value(json_object_get(object, "schema"));
        results->subject = text_of(object, "subject");
        results->wire = text_of(object, "wire");
        read_about(&results->about, object);
        if (schema == NULL || strcmp(schema, SCHEMA) != 0 || results->subject == NULL)
            wrong = "does not begin results of the schema " SCHEMA;
    } else if (strcmp(kind, "result") == 0) {
        wrong = read_result(results, object) ? NULL : "is not a complete result";
    } else if (strcmp(kind, "ended") == 0) {
        wrong = read_ended(results, object) ? NULL : "is not a list of tests that ended well";
    } else if (strcmp(kind, "summary") == 0) {
        *ended = true;
        if (json_object_get(object, "incomplete"))
            results->incomplete = "not all was run";
    } else {
        wrong = "is of an unknown kind";
    }
    json_decref(object);
    return wrong;
}

/* A line of any length that may be taken. Returns its length, or 0 where there is none. */
static size_t next_line(FILE *in, char **line, size_t *room)
{
    size_t length = 0;
    int octet;
    while (length <= LINE_MAX_OCTETS && (octet = getc(in)) != EOF) {
        *line = alloc_room(*line, length, room, 1);
        (*line)[length++] = (char)octet;
        if (octet == '\n')
            break;
    }
    return length;
}

bool results_read(struct results *results, const char *file)
{
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0, number = 0, length;
    struct json_reckoning reckoning = {.left = JSON_INPUT_MEMORY};
    bool ended = false;
    const char *wrong = NULL;
    while (wrong == NULL && (length = next_line(in, &line, &room)) > 0) {
        number++;
        wrong = length > LINE_MAX_OCTETS                 ? "is too long"
                : ended                                  ? "comes after the summary"
                : !json_reckon(&reckoning, line, length) ? "takes too much memory"
                                                         : read_line(results, line, length, &ended);
    }
    if (wrong == NULL && ferror(in))
        wrong = strerror(errno);
    else if (wrong == NULL && !ended)
        wrong = "is the last one, and there is no summary: the run was cut short";
    free(line);
    fclose(in);
    if (wrong == NULL)
        return true;
    char text[160];
    snprintf(text, sizeof text, "line %zu %s", number, wrong);
    file_error(file, text);
    return false;
}
