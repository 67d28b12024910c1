// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the schema cannot say of vectors: ids are unique over all files, rules exist, flags are
 * explained; and, of a whole folder, every rule that a passive checker applies is broken by one
 * vector and nearly by another.
 */
#include "conformance/run/corpus.h"

#include "conformance/base/alloc.h"
#include "conformance/base/nearest.h"
#include "conformance/base/register.h"
#include "conformance/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct lint_state {
    unsigned complaints, pending;
    bool broken[RPCRDMA_RULES], near_miss[RPCRDMA_RULES];
    size_t tests, events;
};

static void complain(struct lint_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct lint_state *state, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_put(stdout, text);
    putchar('\n');
    state->complaints++;
}

/* ---- ids ---- */

struct named {
    const char *id, *path;
};

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->id, ((const struct named *)b)->id);
}

static void check_ids(struct lint_state *state, const struct corpus *corpus)
{
    struct named *all = alloc_zeroed(state->tests, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t j = 0; j < corpus->files[i].count; j++)
            all[count++] = (struct named){corpus->files[i].tests[j].id, corpus->files[i].path};
    qsort(all, count, sizeof *all, compare_named);
    for (size_t i = 1; i < count; i++)
        if (strcmp(all[i].id, all[i - 1].id) == 0)
            complain(state, "%s: test %s: %s has a test of this id too", all[i].path, all[i].id,
                     all[i - 1].path);
    free(all);
}

/* ---- flags ---- */

static void check_flags(struct lint_state *state, const struct vector_file *file)
{
    json_t *notes = json_object_get(file->root, "notes"), *used = json_object(), *flag, *note;
    size_t index;
    for (size_t i = 0; i < file->count; i++)
        json_array_foreach(json_object_get(file->tests[i].json, "flags"), index, flag)
        {
            const char *name = json_string_value(flag);
            json_object_set_new(used, name, json_true());
            if (json_object_get(notes, name) == NULL)
                complain(state, "%s: test %s: flag \"%s\" is explained nowhere in the notes",
                         file->path, file->tests[i].id, name);
        }
    const char *name;
    json_object_foreach(notes, name, note)
    {
        if (json_object_get(used, name) == NULL)
            complain(state, "%s: note \"%s\" explains a flag that no test carries", file->path,
                     name);
    }
    json_decref(used);
}

/* ---- rules ---- */

/* The row of the rule that a vector names, or -1 after a complaint. */
static int known_rule(struct lint_state *state, const struct vector_file *file,
                      const struct vector_test *test, const char *id)
{
    int row = register_find(id);
    if (row < 0) {
        char meant[NEAREST_TEXT];
        complain(state, "%s: test %s: no rule '%s'%s", file->path, test->id, id,
                 nearest_text(register_nearest(id), meant));
    }
    return row;
}

static void check_rules(struct lint_state *state, const struct vector_file *file,
                        const struct vector_test *test)
{
    bool broken[RPCRDMA_RULES] = {false};
    json_t *item;
    size_t index;
    for (size_t i = 0; i < test->count; i++)
        json_array_foreach(json_object_get(test->events[i].expect, "findings"), index, item)
        {
            int row = known_rule(state, file, test, vector_text(item, "rule"));
            if (row >= 0)
                broken[row] = state->broken[row] = true;
        }
    json_array_foreach(json_object_get(test->json, "nearMiss"), index, item)
    {
        int row = known_rule(state, file, test, json_string_value(item));
        if (row >= 0 && broken[row])
            complain(state, "%s: test %s: breaks '%s' and is no near miss of it", file->path,
                     test->id, json_string_value(item));
        else if (row >= 0)
            state->near_miss[row] = true;
    }
}

/* ---- coverage ---- */

static bool is_passive(const struct rpcrdma_requirement *rule)
{
    return rule->severity >= 0;
}

/* What unjudged.tsv says is missing is not complained of, unless it is there. */
static bool is_pending(struct lint_state *state, unsigned rule)
{
    const char *id = rpcrdma_requirements[rule].id;
    if (!rpcrdma_requirements[rule].lacks_vectors || !is_passive(&rpcrdma_requirements[rule]))
        return false;
    if (state->broken[rule] && state->near_miss[rule])
        complain(state, "vectors show %s: spec/requirements/unjudged.tsv says that none does", id);
    state->pending++;
    return true;
}

static unsigned check_coverage(struct lint_state *state)
{
    unsigned passive = 0;
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        const struct rpcrdma_requirement *rule = &rpcrdma_requirements[i];
        if (is_pending(state, i) || !is_passive(rule))
            continue;
        passive++;
        if (!state->broken[i])
            complain(state, "no vector breaks %s", rule->id);
        if (!state->near_miss[i])
            complain(state, "no near miss of %s", rule->id);
    }
    return passive;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

unsigned lint(const struct corpus *corpus)
{
    struct lint_state state = {0};
    for (size_t i = 0; i < corpus->count; i++) {
        const struct vector_file *file = &corpus->files[i];
        state.tests += file->count;
        check_flags(&state, file);
        for (size_t j = 0; j < file->count; j++) {
            state.events += file->tests[j].count;
            check_rules(&state, file, &file->tests[j]);
        }
    }
    check_ids(&state, corpus);
    unsigned passive = corpus->folders ? check_coverage(&state) : 0;
    unsigned complaints = state.complaints + corpus->faults;
    printf("%zu file%s, %zu test%s, %zu event%s", corpus->count, plural(corpus->count), state.tests,
           plural(state.tests), state.events, plural(state.events));
    if (corpus->folders)
        printf(", %u rules to cover", passive);
    printf(": %u complaint%s\n", complaints, plural(complaints));
    if (state.pending > 0)
        printf("%u rules have no vectors yet: spec/requirements/unjudged.tsv\n", state.pending);
    return state.complaints;
}
