// SPDX-License-Identifier: BSD-3-Clause
/* `check --json`: one object an event, one at the end. The keys are a contract. */
#include "conformance/describe/json.h"
#include "conformance/describe/parts_json.h"
#include "conformance/base/register.h"
#include "conformance/report/findings/evidence.h"
#include "conformance/decode/place.h"
#include "conformance/report/findings/findings.h"

static void put_time(struct json *json, int64_t time)
{
    char text[TIME_TEXT];
    time_text(time, text);
    json_text(json, "time", text[0] != '\0' ? text : NULL);
}

static void put_evidence(struct json *json, const struct judged *judged,
                         const struct rpcrdma_finding *finding)
{
    struct evidence_list list;
    evidence_collect(&list, judged->history, judged->source, judged->judgement, finding);
    json_open(json, "evidence", '[');
    for (unsigned i = 0; i < list.count; i++) {
        const struct evidence *item = &list.item[i];
        json_open(json, NULL, '{');
        json_text(json, "what", item->what);
        json_optional(json, "event", item->has_place, item->place.at.index);
        json_optional(json, "frame", item->has_place && item->place.at.frame > 0,
                      item->place.at.frame);
        put_time(json, item->place.at.time);
        json_text(json, "text", item->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_finding(struct json *json, const struct rpcrdma_finding *finding,
                        const struct judged *judged)
{
    char address[REGISTER_ADDRESS];
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    json_open(json, NULL, '{');
    rpcrdma_finding_put(json, finding, &judged->source->event);
    json_text(json, "section", register_address(rule->id, address) ? address : NULL);
    put_evidence(json, judged, finding);
    json_close(json, '}');
}

void findings_json(FILE *out, const struct judged *judged)
{
    const struct source_event *source = judged->source;
    struct json json = {.out = out};
    bool is_send = source->event.type == RPCRDMA_EVENT_SEND;
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "event");
    json_text(&json, "file", source->file);
    json_text(&json, "test", source->test);
    json_unsigned(&json, "event", source->index);
    json_text(&json, "type", event_type_name(source->event.type));
    json_text(&json, "connection", source->connection);
    json_optional(&json, "frame", source->frame > 0, source->frame);
    json_text(&json, "from", endpoint_name(source->event.from));
    rpcrdma_judgement_put_read(&json, judged->judgement, is_send);
    json_open(&json, "findings", '[');
    for (unsigned i = 0; i < judged->count; i++)
        put_finding(&json, judged->findings[i], judged);
    json_close(&json, ']');
    rpcrdma_judgement_put_version2(&json, judged->judgement, is_send);
    put_time(&json, source->time);
    json_close(&json, '}');
    json_line(&json);
}

void findings_json_summary(FILE *out, const struct tally *tally, const struct by_rule *by_rule,
                           const struct missed *missed, const struct unanswered *unanswered,
                           const struct known *known, uint64_t expected, const char *incomplete)
{
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "summary");
    json_unsigned(&json, "events", tally->events);
    json_unsigned(&json, "violations", tally->severities[RPCRDMA_VIOLATION]);
    json_unsigned(&json, "warnings", tally->severities[RPCRDMA_WARNING]);
    json_unsigned(&json, "notes", tally->severities[RPCRDMA_NOTE]);
    by_rule_json(&json, by_rule);
    missed_json(&json, missed);
    unanswered_json(&json, unanswered);
    if (known->file)
        json_unsigned(&json, "expected", expected);
    known_json(&json, known);
    if (incomplete)
        json_text(&json, "incomplete", incomplete);
    json_close(&json, '}');
    json_line(&json);
}
