// SPDX-License-Identifier: BSD-3-Clause
/* A judgement as JSON. */
#include "conformance/describe/parts_json.h"

#include "conformance/describe/send.h"

static void put_reactions(struct json *json, unsigned reactions)
{
    json_open(json, "reaction", '[');
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (reactions & 1u << i)
            json_text(json, NULL, rpcrdma_reaction_name((enum rpcrdma_reaction)(1 << i)));
    json_close(json, ']');
}

void rpcrdma_judgement_put_read(struct json *json, const struct rpcrdma_judgement *judgement,
                                bool is_send)
{
    bool has_name = is_send && judgement->has_procedure;
    json_optional(json, "xid", is_send && judgement->has_xid, judgement->xid);
    json_optional(json, "version", is_send && judgement->has_version, judgement->version);
    json_optional(json, "credit", is_send && judgement->has_credit, judgement->credit);
    json_text(json, "procedure",
              has_name ? rpcrdma_type_name(judgement->protocol, judgement->procedure) : NULL);
    json_text(json, "direction",
              !is_send                                ? NULL
              : judgement->direction == RPCRDMA_CALL  ? "call"
              : judgement->direction == RPCRDMA_REPLY ? "reply"
                                                      : NULL);
    json_optional(json, "headerLength", is_send && judgement->header_length >= 0,
                  (uint64_t)judgement->header_length);
    put_reactions(json, is_send ? judgement->reactions : 0);
}

void rpcrdma_finding_put(struct json *json, const struct rpcrdma_finding *finding,
                         const struct rpcrdma_event *event)
{
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    char field[256], text[512];
    bool has_field = rpcrdma_finding_field(finding, event, field, sizeof field);
    rpcrdma_finding_text(finding, text, sizeof text);
    json_text(json, "rule", rule->id);
    json_text(json, "level", rpcrdma_rule_level_name(rule->level));
    json_text(json, "severity", rpcrdma_severity_name(finding->severity));
    json_text(json, "brokenBy", finding->from == RPCRDMA_CLIENT ? "client" : "server");
    json_optional(json, "offset", finding->offset >= 0, (uint64_t)finding->offset);
    json_text(json, "field", has_field ? field : NULL);
    json_text(json, "text", text);
}

void rpcrdma_judgement_put_version2(struct json *json, const struct rpcrdma_judgement *judgement,
                                    bool is_send)
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
    json_optional(json, "remaining", is_rpc && judgement->form == RPCRDMA_FORM_PIECE,
                  judgement->remaining);
}

size_t rpcrdma_judgement_json(const struct rpcrdma_judgement *judgement,
                              const struct rpcrdma_event *event, char *text, size_t size)
{
    struct json json = {.text = text, .size = size};
    bool is_send = event->type == RPCRDMA_EVENT_SEND;
    json_open(&json, NULL, '{');
    rpcrdma_judgement_put_read(&json, judgement, is_send);
    json_open(&json, "findings", '[');
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++) {
        json_open(&json, NULL, '{');
        rpcrdma_finding_put(&json, &judgement->findings[i], event);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    rpcrdma_judgement_put_version2(&json, judgement, is_send);
    json_close(&json, '}');
    return rpcrdma_json_end(&json);
}
