// SPDX-License-Identifier: BSD-3-Clause
/* What every run of vectors begins with: the checker's judgement, and what the vector is about. */
#include "conformance/run/run.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/decode/place.h"
#include "conformance/base/register.h"
#include "conformance/base/text.h"
#include "conformance/report/ladder/scene.h"

#include <rpcrdma/rpcrdma1.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

unsigned run_reactions(const struct run_event *event)
{
    json_t *list = json_object_get(event->event->expect, "reaction"), *item;
    unsigned reactions = 0;
    size_t index;
    json_array_foreach(list, index, item)
    {
        for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
            if (strcmp(json_string_value(item),
                       rpcrdma_reaction_name((enum rpcrdma_reaction)(1 << i))) == 0)
                reactions |= 1u << i;
    }
    return list ? reactions : event->judgement->reactions;
}

void run_print_reactions(FILE *out, unsigned reactions)
{
    const char *between = "";
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (reactions & 1u << i) {
            fprintf(out, "%s%s", between, rpcrdma_reaction_name((enum rpcrdma_reaction)(1 << i)));
            between = ", ";
        }
    if (reactions == 0)
        fputs("none", out);
}

/* Of the rules that a vector breaks, the one of the highest level; the first of those. */
static int broken_rule(const json_t *expect, const json_t **finding)
{
    json_t *item;
    size_t index;
    int found = -1;
    json_array_foreach(json_object_get(expect, "findings"), index, item)
    {
        int row = register_find(vector_text(item, "rule"));
        if (row < 0 || (found >= 0 && level_of_rule(&rpcrdma_requirements[row]) >=
                                          level_of_rule(&rpcrdma_requirements[found])))
            continue;
        found = row;
        *finding = item;
    }
    return found;
}

static void set_place(struct result *result, const struct run_event *event, int row,
                      const json_t *expected)
{
    const struct rpcrdma_judgement *judgement = event->judgement;
    const json_t *offset = json_object_get(expected, "offset");
    struct rpcrdma_finding finding = {.rule = (enum rpcrdma_rule)row, .offset = -1};
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == finding.rule)
            finding = judgement->findings[i];
    if (offset)
        finding.offset = json_integer_value(offset);
    char field[256];
    result->offset = finding.offset >= 0 ? finding.offset : -1;
    if (finding.offset >= 0 &&
        rpcrdma_finding_field(&finding, &event->event->event, field, sizeof field))
        result->field = alloc_text(field);
}

/* What breaks strict XDR has several ways to do so. */
static char *way_of(int row, const struct rpcrdma_event *sent)
{
    struct rpcrdma1_header header;
    if (row != RPCRDMA_RFC8166_4_XDR_ENCODED || sent->type != RPCRDMA_EVENT_SEND)
        return NULL;
    ptrdiff_t code = rpcrdma1_header_decode(&header, sent->data, sent->length, NULL, NULL);
    return code < 0 ? alloc_text(rpcrdma_xdr_error_name((int)code)) : NULL;
}

static const char *near_miss(const struct vector_test *test)
{
    return json_string_value(json_array_get(json_object_get(test->json, "nearMiss"), 0));
}

static struct result *describe(struct results *results, const struct run_event *event)
{
    const json_t *finding = NULL;
    int row = broken_rule(event->event->expect, &finding);
    const char *rule = row >= 0 ? rpcrdma_requirements[row].id : near_miss(event->test);
    struct result *result = results_add(results);
    const struct rpcrdma_event *sent = &event->event->event;
    *result = (struct result){
        .file = alloc_text(event->file->path),
        .test = alloc_text(event->test->id),
        .comment = alloc_text(event->test->comment),
        .event = (unsigned)event->index,
        .from = alloc_text(endpoint_name(sent->from)),
        .type = alloc_text(event_type_name(sent->type)),
        .rule = rule ? alloc_text(rule) : NULL,
        .way = way_of(row, sent),
        .breaks = row >= 0,
        .level = row >= 0 ? level_of_rule(&rpcrdma_requirements[row]) : RESULT_MUST,
        .octets = alloc_copy(sent->data, sent->data ? sent->length : 0),
        .length = sent->data ? sent->length : 0,
        .offset = -1,
    };
    if (row >= 0)
        set_place(result, event, row, finding);
    return result;
}

/* ---- a list of them ---- */

void run_list_case(const struct run_listed *listed, const char *before, struct json *json)
{
    if (json) {
        json_open(json, NULL, '{');
        json_text(json, "kind", "case");
        json_text(json, "subject", listed->subject);
        json_text(json, "id", listed->id);
        json_text(json, "rule", listed->rule);
        json_truth(json, "breaks", listed->breaks);
        json_text(json, "hazard", listed->hazard);
        json_text(json, "comment", listed->comment);
        json_close(json, '}');
        json_line(json);
        return;
    }
    if (before == NULL || strcmp(before, listed->subject) != 0) {
        fputs(before ? "\n# " : "# ", stdout);
        text_put(stdout, listed->subject);
        putchar('\n');
    }
    text_put(stdout, listed->id);
    if (listed->hazard)
        printf(" (hazardous: %s)", listed->hazard);
    fputs("\n    ", stdout);
    text_put(stdout, listed->comment);
    putchar('\n');
}

/* With the first rule that it breaks, or else nearly breaks. */
static void list_test(const struct vector_file *file, const struct vector_test *test,
                      const char *before, struct json *json)
{
    const json_t *finding = NULL;
    int row = -1;
    for (size_t i = 0; i < test->count && row < 0; i++)
        row = broken_rule(test->events[i].expect, &finding);
    const struct run_listed listed = {.subject = file->path,
                                      .id = test->id,
                                      .comment = test->comment ? test->comment : "",
                                      .rule =
                                          row >= 0 ? rpcrdma_requirements[row].id : near_miss(test),
                                      .breaks = row >= 0};
    run_list_case(&listed, before, json);
}

void run_list(const struct corpus *corpus, struct json *json)
{
    const char *before = NULL;
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t k = 0; k < corpus->files[i].count; k++) {
            list_test(&corpus->files[i], &corpus->files[i].tests[k], before, json);
            before = corpus->files[i].path;
        }
}

/* ---- which vectors ---- */

static bool is_about(const struct vector_test *test, struct chosen *rules)
{
    bool found = false;
    json_t *item;
    size_t index;
    for (size_t i = 0; i < test->count; i++)
        json_array_foreach(json_object_get(test->events[i].expect, "findings"), index, item)
            found |= chosen_has_rule(rules, vector_text(item, "rule"));
    json_array_foreach(json_object_get(test->json, "nearMiss"), index, item) found |=
        chosen_has_rule(rules, json_string_value(item));
    return found;
}

bool run_has(const struct corpus *corpus, const char *word)
{
    struct chosen rules = {0};
    bool found = false;
    chosen_add(&rules, word);
    for (size_t i = 0; i < corpus->count && !found; i++)
        for (size_t k = 0; k < corpus->files[i].count && !found; k++) {
            const struct vector_test *test = &corpus->files[i].tests[k];
            found = strcmp(test->id, word) == 0 || is_about(test, &rules);
        }
    chosen_free(&rules);
    return found;
}

static void select_tests(struct vector_file *file, struct run_filter *filter)
{
    size_t kept = 0;
    for (size_t i = 0; i < file->count; i++) {
        struct vector_test test = file->tests[i];
        bool wanted = chosen_has(&filter->cases, test.id);
        wanted |= is_about(&test, &filter->rules);
        if (wanted) {
            file->tests[i] = file->tests[kept];
            file->tests[kept++] = test;
        }
    }
    for (size_t i = kept; i < file->count; i++)
        corpus_free_test(&file->tests[i]);
    file->count = kept;
}

const char *run_select(struct corpus *corpus, struct run_filter *filter)
{
    if (filter->cases.count + filter->rules.count == 0)
        return NULL;
    for (size_t i = 0; i < corpus->count; i++)
        select_tests(&corpus->files[i], filter);
    const char *missing = chosen_missing(&filter->cases);
    return missing ? missing : chosen_missing(&filter->rules);
}

/* ---- visiting them ---- */

static void visit_test(const struct vector_file *file, const struct vector_test *test,
                       struct results *results, run_visitor *visit, void *arg)
{
    size_t size = rpcrdma_check_size(&test->config);
    void *memory = alloc_zeroed(size, 1);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &test->config);
    struct rpcrdma_judgement judgement;
    struct run_event event = {
        .file = file,
        .test = test,
        .either_role = test->config.reverse_direction,
        .judgement = &judgement,
    };
    for (size_t i = 0; check && i < test->count; i++) {
        const struct rpcrdma_event *sent = &test->events[i].event;
        rpcrdma_check_event(check, sent, &judgement);
        event.event = &test->events[i];
        event.index = i;
        event.result = describe(results, &event);
        visit(arg, &event);
        bool server_calls = sent->from == RPCRDMA_SERVER && judgement.direction == RPCRDMA_CALL;
        event.either_role = event.either_role || server_calls;
    }
    free(memory);
}

void run_visit(const struct corpus *corpus, struct results *results, run_visitor *visit, void *arg)
{
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t j = 0; j < corpus->files[i].count && !interrupted(); j++)
            visit_test(&corpus->files[i], &corpus->files[i].tests[j], results, visit, arg);
}

/* ---- the ladder of one ---- */

static const struct vector_test *find_test(const struct corpus *corpus, const struct result *result)
{
    for (size_t i = 0; result->file && i < corpus->count; i++)
        for (size_t j = 0; j < corpus->files[i].count; j++)
            if (strcmp(corpus->files[i].path, result->file) == 0 &&
                strcmp(corpus->files[i].tests[j].id, result->test) == 0)
                return &corpus->files[i].tests[j];
    return NULL;
}

void run_draw(FILE *out, const struct result *result, const void *corpus)
{
    const struct vector_test *test = find_test(corpus, result);
    if (test == NULL) {
        scene_draw(out, result, NULL);
        return;
    }
    size_t size = rpcrdma_check_size(&test->config);
    void *memory = alloc_zeroed(size, 1);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &test->config);
    struct rpcrdma_judgement judgement;
    struct scene *scene = scene_begin(&test->config);
    for (size_t i = 0; check && i < test->count; i++) {
        rpcrdma_check_event(check, &test->events[i].event, &judgement);
        scene_add(scene, &test->events[i].event, &judgement, 0);
        if (i == result->event)
            scene_mark_latest(scene);
        if (i == (size_t)result->event + SCENE_AFTER)
            break;
    }
    scene_draw(out, result, scene);
    scene_end(scene);
    free(memory);
}
