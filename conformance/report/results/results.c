// SPDX-License-Identifier: BSD-3-Clause
/* Results: the two axes, their names, and sums over them. */
#include "conformance/report/results/results.h"

#include "conformance/base/text.h"
#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"

#include <stdlib.h>
#include <string.h>

const char *const level_names[RESULT_LEVELS] = {"must", "should", "advisory"};

const char *const grade_names[GRADES] = {"good", "none", "remark", "warning", "bad", "broken"};

const char *const grade_titles[GRADES] = {
    "good", "not tested", "remark", "a SHOULD is not met", "a MUST is not met", "unsound",
};

struct result *results_add(struct results *results)
{
    results->list =
        alloc_room(results->list, results->count, &results->room, sizeof *results->list);
    struct result *result = &results->list[results->count++];
    *result = (struct result){.offset = -1};
    return result;
}

static void free_result(struct result *result)
{
    char *texts[] = {result->file,         result->test,         result->comment,
                     result->from,         result->type,         result->rule,
                     result->expected,     result->actual,       result->field,
                     result->way,          result->role,         result->testee.question,
                     result->alike.wanted, result->alike.got,    result->alike.cause,
                     result->testee.log,   result->testee.answer};
    for (size_t j = 0; j < COUNT(texts); j++)
        free(texts[j]);
    free(result->octets);
    free(result->answer);
    free(result->scene);
}

void results_drop_last(struct results *results)
{
    struct result *last = &results->list[--results->count];
    results->scenes -= last->scene != NULL;
    free_result(last);
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        free_result(&results->list[i]);
    free(results->list);
    const struct results_about *about = &results->about;
    char *texts[] = {results->subject, results->wire, about->peer,    about->release, about->side,
                     about->transport, about->date,   about->version, about->kit};
    for (size_t i = 0; i < COUNT(texts); i++)
        free(texts[i]);
    *results = (struct results){0};
}

enum result_level level_of_rule(const struct rpcrdma_requirement *rule)
{
    switch (rule->level) {
    case RPCRDMA_LEVEL_MUST:
        return RESULT_MUST;
    case RPCRDMA_LEVEL_SHOULD:
    case RPCRDMA_LEVEL_DERIVED:
        return RESULT_SHOULD;
    case RPCRDMA_LEVEL_ADVISORY:
    case RPCRDMA_LEVEL_NONE:
        break;
    }
    return RESULT_ADVISORY;
}

enum grade grade_of(enum ending ending, enum result_level level)
{
    static const enum grade by_level[RESULT_LEVELS] = {GRADE_BAD, GRADE_WARNING, GRADE_REMARK};
    switch (ending) {
    case ENDING_REQUIRED:
        return GRADE_GOOD;
    case ENDING_TOLERATED:
    case ENDING_LIMIT:
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

size_t results_known(const struct results *results)
{
    size_t known = 0;
    for (size_t i = 0; i < results->count; i++)
        known += results->list[i].known;
    return known;
}

size_t results_judged(const struct results *results)
{
    size_t judged = 0;
    for (size_t i = 0; i < results->count; i++)
        judged += ending_is_judged(results->list[i].ending) && !results->list[i].opening;
    return judged;
}

size_t results_stale(const struct results *results)
{
    return results->known ? results->known->stale_count : 0;
}

int results_status(const struct results *results)
{
    if (results->known)
        known_complain(results->known);
    if (results_judged(results) == 0)
        say("nothing was judged");
    else if (results_failed(results) == 0 && results_stale(results) == 0)
        return STATUS_GOOD;
    return STATUS_VIOLATED;
}

size_t results_legal(const struct results *results, size_t *refused, size_t *misread)
{
    size_t legal = 0;
    *refused = *misread = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        if (!result->testee.legal || !ending_is_judged(result->ending))
            continue;
        legal++;
        *refused += result->testee.refused && ending_is_failure(result->ending);
        *misread += !result->testee.refused && result->ending == ENDING_WRONG;
    }
    return legal;
}

/* Whether it is expected. What is not judged by a rule is never expected of recorded traffic. */
static bool is_expected(const struct result *result, struct known *known)
{
    const struct known_failure failure = {.test = result->test,
                                          .event = result->event,
                                          .ending = result->ending,
                                          .rule = result->rule,
                                          .way = result->way,
                                          .answer = result->testee.answer};
    if (known->kind == KNOWN_TESTS)
        return known_failure(known, &failure);
    return result->rule && !ending_is_broken(result->ending) &&
           known_finding(known, result->rule, result->from, "*");
}

void results_apply_known(struct results *results, struct known *known)
{
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->list[i];
        if (ending_is_judged(result->ending))
            known_judged(known, result->test, result->event);
        if (ending_is_failure(result->ending) && !result->opening)
            result->known = is_expected(result, known);
    }
    known_settle(known);
    results->known = known;
}

bool results_opening_failed(const struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->list[i].opening && ending_is_failure(results->list[i].ending))
            return true;
    return false;
}

void result_print_name(FILE *out, const struct result *result)
{
    text_put(out, result->test);
    if (result->event > 0)
        fprintf(out, ":event %u", result->event);
}
