// SPDX-License-Identifier: BSD-3-Clause
/* A Send as JSON: `decode --json`. */
#ifndef CONFORMANCE_DECODE_JSON_H
#define CONFORMANCE_DECODE_JSON_H

#include "conformance/decode/items.h"
#include "conformance/describe/json.h"

/* Print one line. Returns whether the Send decodes. */
bool decode_json(FILE *out, const struct source_event *event);

/* The same with what the Send is about. */
bool decode_json_items(FILE *out, const struct source_event *event, const struct items_view *view);

/* Where an event comes from: the first keys of its line. */
void origin_json(struct json *json, const char *kind, const struct source_event *event);

#endif
