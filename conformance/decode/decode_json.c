// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/decode/decode_json.h"

#include "conformance/decode/items_text.h"
#include "conformance/decode/place.h"
#include "conformance/describe/json.h"
#include "conformance/describe/parts_json.h"

void origin_json(struct json *json, const char *kind, const struct source_event *event)
{
    json_text(json, "kind", kind);
    json_text(json, "file", event->file);
    if (event->test) {
        json_text(json, "test", event->test);
        json_unsigned(json, "event", event->index);
    } else if (event->frame) {
        json_unsigned(json, "frame", event->frame);
        json_text(json, "connection", event->connection);
    } else if (event->line) {
        json_unsigned(json, "line", event->line);
    }
    if (event->event.type == RPCRDMA_EVENT_GAP)
        return; /* of either side, of unknown length */
    json_text(json, "from", endpoint_name(event->event.from));
    json_unsigned(json, "length", event->event.length);
}

bool decode_json_items(FILE *out, const struct source_event *event, const struct items_view *view)
{
    struct json json = {.out = out};
    json_open(&json, NULL, '{');
    origin_json(&json, "send", event);
    bool decodes = rpcrdma_send_put(&json, &event->event);
    if (view != NULL)
        items_put(&json, view);
    json_close(&json, '}');
    json_line(&json);
    return decodes;
}

bool decode_json(FILE *out, const struct source_event *event)
{
    return decode_json_items(out, event, NULL);
}
