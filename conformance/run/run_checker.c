// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors against our own checker: it finds exactly what is expected, no more and no less, and
 * gives the header length, the header's fields and the reactions that the vector names.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/status.h"
#include "conformance/decode/decode_json.h"
#include "conformance/base/register.h"
#include "conformance/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

static const struct rpcrdma_finding *find_actual(const struct rpcrdma_judgement *judgement,
                                                 const char *rule)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (strcmp(rpcrdma_requirements[judgement->findings[i].rule].id, rule) == 0)
            return &judgement->findings[i];
    return NULL;
}

static bool is_expected(const json_t *findings, const struct rpcrdma_finding *actual)
{
    const char *id = rpcrdma_requirements[actual->rule].id;
    json_t *item;
    size_t index;
    json_array_foreach(findings, index, item)
    {
        if (strcmp(vector_text(item, "rule"), id) == 0)
            return true;
    }
    return false;
}

static bool findings_agree(const json_t *findings, const struct rpcrdma_judgement *judgement)
{
    json_t *item;
    size_t index;
    bool agree = json_array_size(findings) == judgement->count;
    json_array_foreach(findings, index, item)
    {
        const struct rpcrdma_finding *actual = find_actual(judgement, vector_text(item, "rule"));
        const json_t *offset = json_object_get(item, "offset");
        agree =
            agree && actual &&
            strcmp(rpcrdma_severity_name(actual->severity), vector_text(item, "severity")) == 0 &&
            (offset == NULL || json_integer_value(offset) == actual->offset);
    }
    for (unsigned i = 0; i < judgement->count; i++)
        agree = agree && is_expected(findings, &judgement->findings[i]);
    return agree;
}

static void print_finding(FILE *out, const char *before, const char *judgement, const char *rule)
{
    fprintf(out, "%s%s %s", before, judgement, rule);
}

static void print_expected(FILE *out, const json_t *findings)
{
    json_t *item;
    size_t index;
    json_array_foreach(findings, index, item)
    {
        const json_t *offset = json_object_get(item, "offset");
        print_finding(out, index > 0 ? ", " : "", vector_text(item, "severity"),
                      vector_text(item, "rule"));
        if (offset)
            fprintf(out, " at octet %" PRId64, (int64_t)json_integer_value(offset));
    }
    if (json_array_size(findings) == 0)
        fputs("no finding", out);
}

static void print_actual(FILE *out, const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        print_finding(out, i > 0 ? ", " : "", rpcrdma_severity_name(finding->severity),
                      rpcrdma_requirements[finding->rule].id);
        if (finding->offset >= 0)
            fprintf(out, " at octet %" PRId64, finding->offset);
    }
    if (judgement->count == 0)
        fputs("no finding", out);
}

/* ---- the decoded header ---- */

static json_t *decoded_header(const struct run_event *event)
{
    struct source_event source = {.event = event->event->event, .file = event->file->path};
    struct alloc_stream line;
    alloc_begin(&line);
    decode_json(line.out, &source);
    char *text = alloc_end(&line);
    json_t *decoded = json_loads(text, 0, NULL);
    json_t *header = json_incref(json_object_get(decoded, "header"));
    json_decref(decoded);
    free(text);
    return header;
}

static void print_header(FILE *out, const json_t *header)
{
    char *text = header ? json_dumps(header, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    fprintf(out, "; header %s", text ? text : "none");
    free(text);
}

/* ---- one event ---- */

static bool compare(const struct run_event *event, FILE *expected, FILE *actual)
{
    const json_t *expect = event->event->expect;
    const struct rpcrdma_judgement *judgement = event->judgement;
    const json_t *findings = json_object_get(expect, "findings");
    bool agree = findings_agree(findings, judgement);
    print_expected(expected, findings);
    print_actual(actual, judgement);
    const json_t *length = json_object_get(expect, "headerLength");
    if (length) {
        agree = agree && json_integer_value(length) == judgement->header_length;
        fprintf(expected, "; header of %" PRId64 " octets", (int64_t)json_integer_value(length));
        if (judgement->header_length >= 0)
            fprintf(actual, "; header of %" PRId64 " octets", judgement->header_length);
        else
            fputs("; header that does not decode", actual);
    }
    if (json_object_get(expect, "reaction")) {
        unsigned reactions = run_reactions(event);
        agree = agree && reactions == judgement->reactions;
        fputs("; reactions: ", expected);
        run_print_reactions(expected, reactions);
        fputs("; reactions: ", actual);
        run_print_reactions(actual, judgement->reactions);
    }
    const json_t *header = json_object_get(expect, "header");
    if (header && event->event->event.type == RPCRDMA_EVENT_SEND) {
        json_t *decoded = decoded_header(event);
        agree = agree && json_equal(header, decoded);
        print_header(expected, header);
        print_header(actual, decoded);
        json_decref(decoded);
    }
    return agree;
}

static void judge(void *arg, const struct run_event *event)
{
    (void)arg;
    struct result *result = event->result;
    struct alloc_stream expected, actual;
    alloc_begin(&expected);
    alloc_begin(&actual);
    bool agree = compare(event, expected.out, actual.out);
    result->expected = alloc_end(&expected);
    result->actual = alloc_end(&actual);
    result->ending = agree ? ENDING_REQUIRED : ENDING_WRONG;
    /* A false accusation is filed under the rule that it names. */
    result->accused = !agree && result->rule == NULL && event->judgement->count > 0;
    if (result->accused)
        result->rule = alloc_text(rpcrdma_requirements[event->judgement->findings[0].rule].id);
}

void run_checker(const struct corpus *corpus, struct results *results)
{
    results->subject = alloc_text("checker of rpcrdma " RPCRDMA_KIT_VERSION);
    run_visit(corpus, results, judge, NULL);
}
