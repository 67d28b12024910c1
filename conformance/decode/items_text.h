// SPDX-License-Identifier: BSD-3-Clause
/* What a Send is about, as lines for people and as JSON. */
#ifndef CONFORMANCE_ITEMS_TEXT_H
#define CONFORMANCE_ITEMS_TEXT_H

#include "conformance/decode/items.h"
#include "conformance/describe/json.h"

/* "NFS version 4 COMPOUND: SEQUENCE, PUTFH"; nothing where that is not known. */
void items_print_upper(FILE *out, const struct items_view *view);

/* The operations of a COMPOUND, or the procedure: "READ, GETATTR". SEQUENCE and PUTFH, which begin
 * nearly every COMPOUND, are left out. "" where the program is not known. */
#define ITEMS_BRIEF 256
void items_brief(const struct items_view *view, char text[ITEMS_BRIEF]);

/* A line of the procedure and its operations, where they are known, and one for each chunk. */
void items_print(FILE *out, const struct items_view *view);

/* The keys "upper" and "chunks". */
void items_put(struct json *json, const struct items_view *view);

#endif
