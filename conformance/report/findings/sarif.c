// SPDX-License-Identifier: BSD-3-Clause
/*
 * A result names its rule by the row of the register: all rows are listed in the tool's
 * description, which is written first, so that results need not be kept in memory. A SARIF region
 * counts lines or octets of a file. Hex text has lines; for the rest the place is in the message
 * and the properties.
 */
#include "conformance/report/findings/sarif.h"

#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/report/findings/evidence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

static const char *level_name(int severity)
{
    return severity == RPCRDMA_VIOLATION ? "error"
           : severity == RPCRDMA_WARNING ? "warning"
           : severity == RPCRDMA_NOTE    ? "note"
                                         : "none";
}

static void put_message(struct json *json, const char *key, const char *text)
{
    json_open(json, key, '{');
    json_text(json, "text", text);
    json_close(json, '}');
}

/* ---- the tool ---- */

static void put_rule(struct json *json, const struct rpcrdma_requirement *rule)
{
    char address[REGISTER_ADDRESS], page[REGISTER_PAGE];
    json_open(json, NULL, '{');
    json_text(json, "id", rule->id);
    put_message(json, "shortDescription", rule->text);
    if (register_page(rule->id, page))
        json_text(json, "helpUri", page);
    else if (register_address(rule->id, address))
        json_text(json, "helpUri", address);
    json_open(json, "defaultConfiguration", '{');
    json_text(json, "level", level_name(rule->severity));
    json_close(json, '}');
    json_open(json, "properties", '{');
    json_text(json, "level", rpcrdma_rule_level_name(rule->level));
    json_text(json, "role", rpcrdma_rule_role_name(rule->role));
    json_text(json, "scope", rpcrdma_rule_scope_name(rule->scope));
    json_close(json, '}');
    json_close(json, '}');
}

static void put_tool(struct json *json)
{
    json_open(json, "tool", '{');
    json_open(json, "driver", '{');
    json_text(json, "name", "rpcrdma");
    json_text(json, "version", RPCRDMA_KIT_VERSION);
    json_text(json, "informationUri", "https://www.rfc-editor.org/rfc/rfc8166");
    json_open(json, "rules", '[');
    for (unsigned i = 0; i < RPCRDMA_RULES; i++)
        put_rule(json, &rpcrdma_requirements[i]);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
}

bool sarif_begin(struct sarif *sarif, const char *file)
{
    struct json *json = &sarif->json;
    if (!output_begin(&sarif->out, file))
        return false;
    *json = (struct json){.out = sarif->out.stream};
    json_open(json, NULL, '{');
    json_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(json, "version", "2.1.0");
    json_open(json, "runs", '[');
    json_open(json, NULL, '{');
    put_tool(json);
    json_text(json, "columnKind", "utf16CodeUnits");
    json_open(json, "results", '[');
    return true;
}

/* ---- results ---- */

/* A relative reference (RFC 3986), or a file URI (RFC 8089) where the path is absolute: what has a
 * meaning there, or is not ASCII, is escaped. */
static void put_uri(struct json *json, const char *file)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char text[3 * 1024 + 1] = "file://";
    size_t length = file[0] == '/' ? strlen(text) : 0;
    if (strcmp(file, "-") == 0)
        file = "standard-input";
    for (; *file != '\0' && length + 4 < sizeof text; file++)
        if (strchr(plain, *file))
            text[length++] = *file;
        else
            length += (size_t)snprintf(text + length, 4, "%%%02X", (unsigned)(unsigned char)*file);
    text[length] = '\0';
    json_text(json, "uri", text);
}

static void put_location(struct json *json, const struct source_event *event)
{
    json_open(json, "locations", '[');
    json_open(json, NULL, '{');
    json_open(json, "physicalLocation", '{');
    json_open(json, "artifactLocation", '{');
    put_uri(json, event->file);
    json_close(json, '}');
    if (event->line > 0) {
        json_open(json, "region", '{');
        json_unsigned(json, "startLine", event->line);
        json_close(json, '}');
    }
    json_close(json, '}');
    json_open(json, "logicalLocations", '[');
    json_open(json, NULL, '{');
    json_text(json, "fullyQualifiedName", event->connection);
    json_text(json, "kind", event->test ? "test" : "connection");
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static void put_properties(struct json *json, const struct judged *judged,
                           const struct rpcrdma_finding *finding)
{
    const struct source_event *source = judged->source;
    char field[256], time[TIME_TEXT];
    json_open(json, "properties", '{');
    json_text(json, "from", endpoint_name(finding->from));
    json_unsigned(json, "event", source->index);
    if (source->frame > 0)
        json_unsigned(json, "frame", source->frame);
    if (finding->offset >= 0)
        json_unsigned(json, "offset", (uint64_t)finding->offset);
    if (rpcrdma_finding_field(finding, &source->event, field, sizeof field))
        json_text(json, "field", field);
    time_text(source->time, time);
    if (time[0] != '\0')
        json_text(json, "time", time);
    struct evidence_list list;
    evidence_collect(&list, judged->history, source, judged->judgement, finding);
    json_open(json, "evidence", '[');
    for (unsigned i = 0; i < list.count; i++)
        json_text(json, NULL, list.item[i].text);
    json_close(json, ']');
    json_close(json, '}');
}

void sarif_add(struct sarif *sarif, const struct judged *judged,
               const struct rpcrdma_finding *finding)
{
    struct json *json = &sarif->json;
    char what[TEXT_MAX], where[160], text[sizeof what + sizeof where + 2];
    if (sarif->out.stream == NULL)
        return;
    if (sarif->written == SARIF_MAX) {
        sarif->left_out++;
        return;
    }
    sarif->written++;
    rpcrdma_finding_text(finding, what, sizeof what);
    struct place place = place_of(judged->source);
    place_text(&place, where, sizeof where);
    snprintf(text, sizeof text, "%s: %s", where, what);
    json_open(json, NULL, '{');
    json_text(json, "ruleId", rpcrdma_requirements[finding->rule].id);
    json_unsigned(json, "ruleIndex", finding->rule);
    json_text(json, "level", level_name((int)finding->severity));
    put_message(json, "message", text);
    put_location(json, judged->source);
    put_properties(json, judged, finding);
    json_close(json, '}');
}

/* ---- the end ---- */

static void put_notification(struct json *json, const char *level, uint64_t count, const char *text)
{
    char line[160];
    snprintf(line, sizeof line, count > 0 ? "%s: %" PRIu64 : "%s", text, count);
    json_open(json, NULL, '{');
    json_text(json, "level", level);
    put_message(json, "message", line);
    json_close(json, '}');
}

static void put_stale(struct json *json, const char *entry)
{
    struct alloc_stream stream;
    alloc_begin(&stream);
    fprintf(stream.out, "expected failure '%s' did not occur", entry);
    char *text = alloc_end(&stream);
    json_open(json, NULL, '{');
    json_text(json, "level", "error");
    put_message(json, "message", text);
    json_close(json, '}');
    free(text);
}

bool sarif_end(struct sarif *sarif, const struct missed *missed, const struct known *known,
               const char *incomplete)
{
    struct json *json = &sarif->json;
    if (sarif->out.stream == NULL)
        return true;
    json_close(json, ']');
    json_open(json, "invocations", '[');
    json_open(json, NULL, '{');
    json_truth(json, "executionSuccessful", incomplete == NULL);
    json_open(json, "toolExecutionNotifications", '[');
    for (int kind = 0; kind < SOURCE_MISS_KINDS; kind++) {
        const char *what = missed_kind_text((enum source_miss_kind)kind);
        if (what && missed->total[kind] > 0)
            put_notification(json, "warning", missed->total[kind], what);
    }
    for (size_t i = 0; i < known->stale_count; i++)
        put_stale(json, known->stale[i]);
    if (incomplete)
        put_notification(json, "error", 0, incomplete);
    if (sarif->left_out > 0)
        put_notification(json, "warning", sarif->left_out, "further results, left out");
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_line(json);
    return output_end(&sarif->out);
}
