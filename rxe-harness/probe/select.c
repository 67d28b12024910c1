// SPDX-License-Identifier: BSD-3-Clause
/* Which cases are run: --case, --skip, --from, --rule, hazardous classes; and --list. */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/text.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/count.h"
#include "conformance/base/alloc.h"
#include "conformance/run/vector_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void probe_names_add(struct probe_names *names, const char *name)
{
    size_t room = names->count;
    names->list = alloc_room(names->list, names->count, &room, sizeof *names->list);
    bool *met = alloc_zeroed(room, sizeof *met);
    if (names->count > 0)
        memcpy(met, names->met, names->count * sizeof *met);
    free(names->met);
    names->met = met;
    names->list[names->count++] = name;
}

/* `name` may end with * or, as that of rules may, before a slash. */
static bool matches(const char *name, const char *id, bool is_rule)
{
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '*')
        return strncmp(name, id, length - 1) == 0;
    return strncmp(name, id, length) == 0 && (id[length] == '\0' || (is_rule && id[length] == '/'));
}

static bool has(struct probe_names *names, const char *id, bool is_rule)
{
    bool found = false;
    for (size_t i = 0; id && i < names->count; i++)
        if (matches(names->list[i], id, is_rule))
            found = names->met[i] = true;
    return found;
}

/* By its own id, and not by a pattern: then it is run though it is hazardous. */
static bool is_named(const struct probe_names *names, const char *id)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], id) == 0)
            return true;
    return false;
}

/* Whether a list of case ids, "a, push-*, vectors that break RULE", has this case. */
static bool is_listed(const char *cases, const struct probe_about *about)
{
    static const char breaks[] = "vectors that break ";
    while (*cases != '\0') {
        char name[128];
        size_t length = strcspn(cases, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, cases);
        bool is_rule = strncmp(name, breaks, sizeof breaks - 1) == 0;
        if (is_rule
                ? about->breaks && about->rule && strcmp(about->rule, name + sizeof breaks - 1) == 0
                : matches(name, about->id, false))
            return true;
        cases += length;
        cases += strspn(cases, ", ");
    }
    return false;
}

/* About one of these rules: it is the case's own, or `rules` names the case for it. */
static bool has_rule(struct probe_names *rules, const struct probe_about *about)
{
    bool found = has(rules, about->rule, true);
    for (const struct live_index_row *row = live_index; row->rule; row++)
        if (strcmp(row->command, "probe") == 0 && is_listed(row->cases, about))
            found = has(rules, row->rule, true) || found;
    return found;
}

static void list(struct probe *probe, const struct probe_about *about)
{
    struct json *json = probe->run.selection.listing;
    if (json) {
        json_open(json, NULL, '{');
        json_text(json, "kind", "case");
        json_text(json, "subject", about->subject);
        json_text(json, "id", about->id);
        json_text(json, "rule", about->rule);
        json_truth(json, "breaks", about->breaks);
        json_text(json, "hazard", about->hazard);
        json_text(json, "comment", about->comment);
        json_close(json, '}');
        json_line(json);
        return;
    }
    const char *before = probe->run.selection.subject;
    if (before == NULL || strcmp(before, about->subject) != 0) {
        fputs(before ? "\n# " : "# ", stdout);
        text_put(stdout, about->subject);
        putchar('\n');
    }
    probe->run.selection.subject = about->subject;
    text_put(stdout, about->id);
    printf("%s%s%s\n    ", about->hazard ? " (hazardous: " : "", about->hazard ? about->hazard : "",
           about->hazard ? ")" : "");
    text_put(stdout, about->comment);
    putchar('\n');
}

static bool is_selected(struct probe *probe, const struct probe_about *about)
{
    struct probe_options *options = &probe->options;
    bool wanted = options->cases.count == 0 || has(&options->cases, about->id, false);
    wanted = !has(&options->skipped, about->id, false) && wanted;
    wanted = (options->rules.count == 0 || has_rule(&options->rules, about)) && wanted;
    if (options->from && strcmp(options->from, about->id) == 0)
        probe->run.selection.begun = true;
    return wanted && (options->from == NULL || probe->run.selection.begun);
}

bool probe_wants(struct probe *probe, const struct probe_about *about)
{
    probe->run.current.place++;
    if (!is_selected(probe, about))
        return false;
    bool is_open = about->hazard == NULL || is_named(&probe->options.cases, about->id) ||
                   probe_hazard_wanted(probe->options.hazards, about->hazard);
    probe->run.selection.wanted += is_open;
    if (probe->run.selection.mode == PROBE_LIST)
        list(probe, about);
    if (probe->run.selection.mode != PROBE_RUN || !is_open)
        return false;
    probe->run.progress.file = about->id;
    progress_show(&probe->run.progress, probe->run.selection.wanted, probe->run.selection.total);
    bool over = probe->peer.dead || interrupted();
    if (over)
        probe_not_run(probe, about);
    return !over;
}

static const char *missing(const struct probe_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!names->met[i])
            return names->list[i];
    return NULL;
}

const char *probe_names_missing(const struct probe_options *options, const struct probe_run *run)
{
    if (options->from && !run->selection.begun)
        return options->from;
    const char *name = missing(&options->cases);
    name = name ? name : missing(&options->skipped);
    return name ? name : missing(&options->rules);
}

void probe_options_free(struct probe_options *options)
{
    struct probe_names *const names[] = {&options->cases, &options->skipped, &options->rules};
    for (size_t i = 0; i < COUNT(names); i++) {
        free(names[i]->list);
        free(names[i]->met);
    }
}
