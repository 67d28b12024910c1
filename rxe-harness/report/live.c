// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/report/live.h"

#include "rxe-harness/transport/user/wire.h"
#include "rxe-harness/transport/watched.h"

#include "conformance/base/status.h"
#include "conformance/base/alloc.h"
#include "conformance/options/gather.h"
#include "conformance/options/options.h"
#include "conformance/base/register.h"
#include "conformance/report/ladder/scene.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- results ---- */

/* Only what failed is drawn, and not all of it. */
static void drop_scene(struct results *results, struct result *result)
{
    results->scenes -= result->scene != NULL;
    free(result->scene);
    result->scene = NULL;
}

void live_scene(struct results *results, struct result *result)
{
    drop_scene(results, result);
    if (results->scenes < RESULT_LADDERS)
        result->scene = scene_copy(watched_scene());
    results->scenes += result->scene != NULL;
}

static void drop_scene_of_last(struct results *results)
{
    struct result *last = results->count > 0 ? &results->list[results->count - 1] : NULL;
    if (last && !ending_is_failure(last->ending))
        drop_scene(results, last);
}

struct result *live_result(struct results *results, const struct live_case *about, const char *rule,
                           bool breaks, const char *from)
{
    drop_scene_of_last(results);
    struct result *result = results_add(results);
    int row = rule ? register_find(rule) : -1;
    *result =
        (struct result){.file = alloc_text(about->file),
                        .test = alloc_text(about->id),
                        .comment = alloc_text(about->comment),
                        .from = alloc_text(from),
                        .type = alloc_text("send"),
                        .rule = row >= 0 ? alloc_text(rule) : NULL,
                        .breaks = breaks,
                        .level = row >= 0 ? level_of_rule(&rpcrdma_requirements[row]) : RESULT_MUST,
                        .deaths = wire_deaths(),
                        .octets = alloc_copy("", 0),
                        .offset = -1};
    live_scene(results, result);
    return result;
}

void live_exchange(struct result *result, const void *octets, size_t length, const void *answer,
                   size_t answer_length)
{
    free(result->octets);
    free(result->answer);
    result->octets = alloc_copy(octets ? octets : "", octets ? length : 0);
    result->length = octets ? length : 0;
    result->answer = answer ? alloc_copy(answer, answer_length) : NULL;
    result->answer_length = answer ? answer_length : 0;
}

/* One fault a case is reported once, however often it is repeated. */
static bool is_told(const struct results *results, const struct live_case *about, const char *rule)
{
    for (size_t i = results->count; i > 0; i--) {
        const struct result *result = &results->list[i - 1];
        if (strcmp(result->test, about->id) != 0)
            return false;
        if (result->rule && strcmp(result->rule, rule) == 0)
            return true;
    }
    return false;
}

struct result *live_finding(struct results *results, const struct live_case *about,
                            const struct rpcrdma_event *event,
                            const struct rpcrdma_finding *finding)
{
    char text[512], field[256];
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    if (is_told(results, about, rule->id))
        return NULL;
    bool client = finding->from == RPCRDMA_CLIENT;
    struct result *result =
        live_result(results, about, rule->id, true, client ? "client" : "server");
    scene_mark_latest(result->scene);
    rpcrdma_finding_text(finding, text, sizeof text);
    result->expected = alloc_text("no finding in what the peer does");
    result->actual = alloc_text(text);
    result->alike.got = alloc_text("a finding"); /* whatever XIDs and handles its text has */
    result->ending = ENDING_WRONG;
    live_exchange(result, event->data, event->length, NULL, 0);
    result->offset = finding->offset >= 0 ? finding->offset : -1;
    if (rpcrdma_finding_field(finding, event, field, sizeof field))
        result->field = alloc_text(field);
    return result;
}

void live_requester_findings(struct results *results, const struct live_case *about,
                             const struct rpcrdma_event *event,
                             const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        if (finding->from == RPCRDMA_CLIENT && finding->severity != RPCRDMA_NOTE)
            live_finding(results, about, event, finding);
    }
}

/* ---- reports ---- */

static void excuse(struct result *result)
{
    struct alloc_stream actual;
    if (!ending_is_failure(result->ending) || result->ending == ENDING_CRASHED)
        return;
    alloc_begin(&actual);
    fprintf(actual.out, "not judged, since our side died in the midst of a message: %s",
            result->actual);
    free(result->actual);
    result->actual = alloc_end(&actual);
    result->ending = ENDING_NOT_APPLICABLE;
}

/* A connection that the wire ended is not the peer's fault, in whatever the case ended; but one
 * that takes no connection afterwards has died. */
static void excuse_deaths(struct results *results)
{
    unsigned before = 0;
    for (size_t i = 0, end; i < results->count; i = end) {
        const char *test = results->list[i].test;
        for (end = i + 1; end < results->count; end++)
            if (strcmp(results->list[end].test, test) != 0)
                break;
        unsigned after = results->list[end - 1].deaths;
        for (size_t j = i; j < end && after > before; j++)
            excuse(&results->list[j]);
        before = after;
    }
}

static bool goes_with_list(const char *command, const char *option, bool is_given)
{
    if (is_given)
        usage_error(command, "option '--list' runs no case: it does not go with '--%s'", option);
    return !is_given;
}

bool live_list_fits(const char *command, const struct reports *reports, bool has_json,
                    const struct live_file *files)
{
    bool fits = goes_with_list(command, "output", gather_folder() != NULL) &&
                goes_with_list(command, "json", !has_json && reports->json) &&
                goes_with_list(command, "junit", reports->junit != NULL) &&
                goes_with_list(command, "html", reports->html != NULL) &&
                goes_with_list(command, "tap", reports->tap != 0) &&
                goes_with_list(command, "write-known", reports->write_known != NULL);
    for (; fits && files->option; files++)
        fits = goes_with_list(command, files->option, files->file != NULL);
    return fits;
}

int live_prepare(struct live *live)
{
    if (live->reports.html)
        watched_keep_scenes();
    return reports_prepare(&live->reports);
}

int live_report(struct live *live, const char *who, struct results *results)
{
    results->draw = scene_draw_own;
    watched_forget_scene();
    excuse_deaths(results);
    int status = reports_write(&live->reports, who, results);
    results_free(results);
    return status;
}

/* ---- addresses ---- */

bool live_is_loopback(const char *address)
{
    return address == NULL || strcmp(address, "loopback") == 0 || strcmp(address, "loopback:") == 0;
}

bool live_address_fits(const char *command, const char *address, bool listen)
{
    const char *why = transport_misread(address, listen);
    if (why)
        usage_error(command, "%s: %s", address, why);
    return why == NULL;
}

bool live_draft(const char *name, enum rpcrdma_protocol *draft)
{
    int index = word_index(name, OPTION_DRAFTS);
    if (index <= 0)
        return false;
    *draft = (enum rpcrdma_protocol)option_drafts[index];
    return true;
}

struct transport *live_verbs(const char *address, bool listen)
{
    char error[256] = "";
    struct transport *transport = transport_open(address, listen, error, sizeof error);
    if (transport == NULL)
        say("%s: %s", address, error);
    return transport;
}
