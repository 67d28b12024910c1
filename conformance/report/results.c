// SPDX-License-Identifier: BSD-3-Clause
/* Results: the two axes, their names, and sums over them. */
#include "conformance/report/results.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/register.h"

#include <stdlib.h>
#include <string.h>

const char *const ending_names[ENDINGS] = {
    "as-required", "tolerated", "wrong-answer", "silent", "closed",
    "stalled",     "crashed",   "garbled",      "early",  "not-applicable",
};

const char *const ending_titles[ENDINGS] = {
    "as required", "tolerated", "wrong answer", "silent", "closed",
    "stalled",     "crashed",   "garbled",      "early",  "not applicable",
};

const char *const ending_meanings[ENDINGS] = {
    "The answer is one that the specification leaves open.",
    "The fault is not in the transport header, and a parser of headers cannot see it.",
    "The answer, or the finding, is another than the specification leaves open.",
    "No answer where there has to be one.",
    "The peer closed its output, or the connection, but goes on running.",
    "No answer within the time allowed.",
    "The peer ended, by itself or by a signal.",
    "The answer is none of the line protocol.",
    "The answer came before the question was there to be read.",
    "Not asked, or the peer does not support it.",
};

const char *const level_names[RESULT_LEVELS] = {"must", "should", "advisory"};

const char *const grade_names[GRADES] = {"good", "none", "remark", "warning", "bad", "broken"};

const char *const grade_titles[GRADES] = {
    "good", "not tested", "remark", "departure from a SHOULD", "departure from a MUST", "unsound",
};

struct result *results_add(struct results *results)
{
    results->list =
        alloc_room(results->list, results->count, &results->room, sizeof *results->list);
    struct result *result = &results->list[results->count++];
    *result = (struct result){.offset = -1};
    return result;
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->list[i];
        char *texts[] = {result->file,     result->test,   result->comment,
                         result->from,     result->type,   result->rule,
                         result->expected, result->actual, result->field};
        for (size_t j = 0; j < COUNT(texts); j++)
            free(texts[j]);
        free(result->octets);
        free(result->answer);
    }
    free(results->list);
    free(results->subject);
    *results = (struct results){0};
}

enum result_level level_of_rule(const struct rpcrdma_requirement *rule)
{
    if (strcmp(rule->level, "must") == 0)
        return RESULT_MUST;
    bool should = strcmp(rule->level, "should") == 0 || strcmp(rule->level, "derived") == 0;
    return should ? RESULT_SHOULD : RESULT_ADVISORY;
}

bool ending_is_failure(enum ending ending)
{
    return ending != ENDING_REQUIRED && ending != ENDING_TOLERATED &&
           ending != ENDING_NOT_APPLICABLE;
}

enum grade grade_of(enum ending ending, enum result_level level)
{
    static const enum grade by_level[RESULT_LEVELS] = {GRADE_BAD, GRADE_WARNING, GRADE_REMARK};
    switch (ending) {
    case ENDING_REQUIRED:
        return GRADE_GOOD;
    case ENDING_TOLERATED:
        return GRADE_REMARK;
    case ENDING_NOT_APPLICABLE:
        return GRADE_NONE;
    case ENDING_WRONG:
    case ENDING_SILENT:
    case ENDING_CLOSED:
        return by_level[level];
    default:
        return GRADE_BROKEN;
    }
}

size_t results_failed(const struct results *results)
{
    size_t failed = 0;
    for (size_t i = 0; i < results->count; i++)
        failed += ending_is_failure(results->list[i].ending) && !results->list[i].known;
    return failed;
}

size_t results_count(const struct results *results, enum ending ending, enum result_level level)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->list[i].ending == ending && results->list[i].level == level;
    return count;
}

void results_apply_known(struct results *results, struct known *known)
{
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->list[i];
        int row = result->rule ? register_find(result->rule) : -1;
        if (ending_is_failure(result->ending))
            result->known = known_failure(known, result->test, row);
    }
}

void result_print_name(FILE *out, const struct result *result)
{
    fputs(result->test, out);
    if (result->event > 0)
        fprintf(out, ":event %u", result->event);
}
