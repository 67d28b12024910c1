// SPDX-License-Identifier: BSD-3-Clause
/* The shape of a vector file: what vectors/vector.schema.json asks of it. */
#ifndef CONFORMANCE_VECTOR_SCHEMA_H
#define CONFORMANCE_VECTOR_SCHEMA_H

#include <jansson.h>

struct vector_schema {
    /* Told of each fault: where ("tests[2].events[0].send", "" for the whole) and what. */
    void (*fault)(void *arg, const char *where, const char *what);
    void *arg;
};

/* Hold a file's JSON against the schema. Returns the number of faults. */
unsigned vector_schema_check(const struct vector_schema *schema, json_t *root);

#endif
