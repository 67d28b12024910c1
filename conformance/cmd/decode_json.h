// SPDX-License-Identifier: BSD-3-Clause
/* A Send as JSON: `decode --json`. */
#ifndef CONFORMANCE_DECODE_JSON_H
#define CONFORMANCE_DECODE_JSON_H

#include "../input/source.h"

/* Print one line. Returns whether the Send decodes. */
bool decode_json(FILE *out, const struct source_event *event);

#endif
