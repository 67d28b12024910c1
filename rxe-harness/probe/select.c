// SPDX-License-Identifier: BSD-3-Clause
/* Which cases are run: --case, --skip, --from, --rule, hazardous classes; and --list. */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/nearest.h"
#include "conformance/base/count.h"
#include "conformance/run/run.h"
#include "conformance/run/vector_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                : chosen_means(name, about->id))
            return true;
        cases += length;
        cases += strspn(cases, ", ");
    }
    return false;
}

/* About one of these rules: it is the case's own, or `rules` names the case for it. */
static bool has_rule(struct chosen *rules, const struct probe_about *about)
{
    bool found = chosen_has_rule(rules, about->rule);
    for (const struct live_index_row *row = live_index; row->rule; row++)
        if (strcmp(row->command, "probe") == 0 && is_listed(row->cases, about))
            found = chosen_has_rule(rules, row->rule) || found;
    return found;
}

static void list(struct probe *probe, const struct probe_about *about)
{
    const struct run_listed listed = {about->subject, about->id,     about->comment,
                                      about->rule,    about->hazard, about->breaks};
    run_list_case(&listed, probe->run.selection.subject, probe->run.selection.listing);
    probe->run.selection.subject = about->subject;
}

static bool is_selected(struct probe *probe, const struct probe_about *about)
{
    struct probe_options *options = &probe->options;
    if (probe->run.doubts.again)
        return probe_is_doubted(probe, about->id);
    bool wanted = options->cases.count == 0 || chosen_has(&options->cases, about->id);
    wanted = !chosen_has(&options->skipped, about->id) && wanted;
    wanted = (options->rules.count == 0 || has_rule(&options->rules, about)) && wanted;
    if (options->from && strcmp(options->from, about->id) == 0)
        probe->run.selection.begun = true;
    return wanted && (options->from == NULL || probe->run.selection.begun);
}

bool probe_wants(struct probe *probe, const struct probe_about *about)
{
    probe->run.current.place++;
    if (probe->run.selection.nearest)
        nearest_try(probe->run.selection.nearest, about->id);
    if (!is_selected(probe, about))
        return false;
    bool is_open = about->hazard == NULL || chosen_names(&probe->options.cases, about->id) ||
                   chosen_has(&probe->options.hazards, about->hazard);
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

const char *probe_names_missing(const struct probe_options *options, const struct probe_run *run)
{
    if (options->from && !run->selection.begun)
        return options->from;
    const char *name = chosen_missing(&options->cases);
    name = name ? name : chosen_missing(&options->skipped);
    return name ? name : chosen_missing(&options->rules);
}

void probe_options_free(struct probe_options *options)
{
    chosen_free(&options->cases);
    chosen_free(&options->skipped);
    chosen_free(&options->rules);
    chosen_free(&options->hazards);
}
