// SPDX-License-Identifier: BSD-3-Clause
/*
 * JSON of strangers. A parsed value takes up to a hundred times the octets that say it, and the
 * JSON library ends the process where memory runs out in a string; so what a text would take is
 * reckoned before it is parsed, from above.
 */
#ifndef CONFORMANCE_JSON_INPUT_H
#define CONFORMANCE_JSON_INPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define JSON_INPUT_FILE ((size_t)64 << 20)    /* octets of a file */
#define JSON_INPUT_MEMORY ((size_t)512 << 20) /* for what is kept of all files at a time */

/* A text that is read piece by piece: begin with all but `left` zero. */
struct json_reckoning {
    size_t left; /* octets of memory that may still be taken */
    bool in_string, is_escaped;
};

/* Returns whether it may be parsed so far. */
bool json_reckon(struct json_reckoning *reckoning, const char *octets, size_t length);

/*
 * Read the rest of a stream as one JSON value, whose objects have no key twice. *memory is what may
 * be taken, and is lowered by it. Returns NULL with one line in `error`, which may quote the file.
 */
json_t *json_input(FILE *stream, size_t *memory, char *error, size_t error_size);

#endif
