// SPDX-License-Identifier: BSD-3-Clause
/* `check --json`: one object an event, one at the end. The keys are a contract. */
#include "conformance/describe/json.h"
#include "conformance/base/register.h"
#include "conformance/report/findings/evidence.h"
#include "conformance/decode/place.h"
#include "conformance/report/findings/findings.h"
#include "conformance/describe/send.h"

static void put_number(struct json *json, const char *key, bool present, uint64_t number)
{
    if (present)
        json_unsigned(json, key, number);
    else
        json_none(json, key);
}

static void put_reactions(struct json *json, unsigned reactions)
{
    json_open(json, "reaction", '[');
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (reactions & 1u << i)
            json_text(json, NULL, rpcrdma_reaction_name((enum rpcrdma_reaction)(1 << i)));
    json_close(json, ']');
}

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
        put_number(json, "event", item->has_place, item->place.at.index);
        put_number(json, "frame", item->has_place && item->place.at.frame > 0,
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
    const struct rpcrdma_event *event = &judged->source->event;
    char address[REGISTER_ADDRESS];
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    char field[256], text[512];
    bool has_field = rpcrdma_finding_field(finding, event, field, sizeof field);
    rpcrdma_finding_text(finding, text, sizeof text);
    json_open(json, NULL, '{');
    json_text(json, "rule", rule->id);
    json_text(json, "level", rpcrdma_rule_level_name(rule->level));
    json_text(json, "severity", rpcrdma_severity_name(finding->severity));
    put_number(json, "offset", finding->offset >= 0, (uint64_t)finding->offset);
    json_text(json, "field", has_field ? field : NULL);
    json_text(json, "text", text);
    json_text(json, "section", register_address(rule->id, address) ? address : NULL);
    put_evidence(json, judged, finding);
    json_close(json, '}');
}

/* All null for version 1. */
static void put_version2(struct json *json, const struct rpcrdma_judgement *judgement, bool is_send)
{
    static const char *const kinds[] = {
        [RPCRDMA_KIND_RPC] = "rpc",           [RPCRDMA_KIND_ERROR] = "error",
        [RPCRDMA_KIND_GRANT] = "grant",       [RPCRDMA_KIND_PROPERTIES] = "properties",
        [RPCRDMA_KIND_OPTIONAL] = "optional", [RPCRDMA_KIND_LEGACY] = NULL};
    static const char *const forms[] = {[RPCRDMA_FORM_INLINE] = "inline",
                                        [RPCRDMA_FORM_PIECE] = "piece",
                                        [RPCRDMA_FORM_SPECIAL] = "special"};
    bool is_2 = is_send && judgement->protocol != RPCRDMA_PROTOCOL_1;
    bool decodes = is_2 && judgement->header_length >= 0;
    bool is_rpc = decodes && judgement->kind == RPCRDMA_KIND_RPC;
    json_text(json, "draft", is_2 ? rpcrdma_draft_name(judgement->protocol) : NULL);
    if (is_2)
        json_truth(json, "draftSure", judgement->draft_is_sure);
    else
        json_none(json, "draftSure");
    json_text(json, "messageKind", decodes ? kinds[judgement->kind] : NULL);
    json_text(json, "form", is_rpc ? forms[judgement->form] : NULL);
    put_number(json, "remaining", is_rpc && judgement->form == RPCRDMA_FORM_PIECE,
               judgement->remaining);
}

/* What the checker read in a Send; null where it is too short, and for events other than Sends. */
static void put_header(struct json *json, const struct rpcrdma_judgement *judgement, bool is_send)
{
    bool has_name = is_send && judgement->has_procedure;
    put_number(json, "xid", is_send && judgement->has_xid, judgement->xid);
    put_number(json, "version", is_send && judgement->has_version, judgement->version);
    put_number(json, "credit", is_send && judgement->has_credit, judgement->credit);
    json_text(json, "procedure",
              has_name ? rpcrdma_type_name(judgement->protocol, judgement->procedure) : NULL);
    json_text(json, "direction",
              !is_send                                ? NULL
              : judgement->direction == RPCRDMA_CALL  ? "call"
              : judgement->direction == RPCRDMA_REPLY ? "reply"
                                                      : NULL);
    put_number(json, "headerLength", is_send && judgement->header_length >= 0,
               (uint64_t)judgement->header_length);
    put_reactions(json, is_send ? judgement->reactions : 0);
}

void findings_json(FILE *out, const struct judged *judged)
{
    const struct source_event *source = judged->source;
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "event");
    json_text(&json, "file", source->file);
    json_text(&json, "test", source->test);
    json_unsigned(&json, "event", source->index);
    json_text(&json, "type", event_type_name(source->event.type));
    json_text(&json, "connection", source->connection);
    put_number(&json, "frame", source->frame > 0, source->frame);
    json_text(&json, "from", endpoint_name(source->event.from));
    put_header(&json, judged->judgement, source->event.type == RPCRDMA_EVENT_SEND);
    json_open(&json, "findings", '[');
    for (unsigned i = 0; i < judged->count; i++)
        put_finding(&json, judged->findings[i], judged);
    json_close(&json, ']');
    put_version2(&json, judged->judgement, source->event.type == RPCRDMA_EVENT_SEND);
    put_time(&json, source->time);
    json_close(&json, '}');
    json_line(&json);
}

void findings_json_summary(FILE *out, const struct tally *tally, const struct by_rule *by_rule,
                           const struct missed *missed, const char *incomplete)
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
    if (incomplete)
        json_text(&json, "incomplete", incomplete);
    json_close(&json, '}');
    json_line(&json);
}
