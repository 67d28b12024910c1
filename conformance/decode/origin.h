// SPDX-License-Identifier: BSD-3-Clause
/* The keys with which each line of `decode --json` begins. */
#ifndef CONFORMANCE_DECODE_ORIGIN_H
#define CONFORMANCE_DECODE_ORIGIN_H

#include "conformance/describe/json.h"
#include "conformance/input/source.h"

void origin_json(struct json *json, const char *kind, const struct source_event *event);

#endif
