// SPDX-License-Identifier: BSD-3-Clause
/*
 * The shape of a vector file, written once: files are checked against it, and
 * vectors/vector.schema.json is made from it.
 */
#ifndef CONFORMANCE_VECTOR_SCHEMA_H
#define CONFORMANCE_VECTOR_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

enum schema_kind {
    SCHEMA_OBJECT,     /* with these members and no others */
    SCHEMA_ANY_OBJECT, /* with any */
    SCHEMA_MAP,        /* an object whose members are all of one type */
    SCHEMA_ARRAY,
    SCHEMA_TEXT,
    SCHEMA_PATTERN, /* a short text after a regular expression */
    SCHEMA_OCTETS,  /* a text that may be long: a pattern is only for others to read */
    SCHEMA_WORD,
    SCHEMA_INTEGER,
    SCHEMA_BOOLEAN,
    SCHEMA_TRUE,
};

struct schema_type {
    enum schema_kind kind;
    const char *name; /* it has a definition of its own; or NULL */
    const char *description;
    const char *fault;                   /* patterns and octets: what is said of another value */
    const struct schema_member *members; /* of an object, up to one without a key */
    const char *const *one_of;           /* exactly one of these members, up to NULL; or NULL */
    const struct schema_type *item;      /* of a map or an array */
    size_t least;                        /* items of an array */
    bool unique;
    const char *pattern;
    const char *const *words; /* up to NULL */
    json_int_t minimum;       /* 0: none */
};

struct schema_member {
    const char *key;
    const struct schema_type *type;
    bool required;
    const char *description, *fallback; /* the latter as JSON */
};

extern const struct schema_type vector_schema_file;

struct vector_schema {
    /* Called for each fault: where ("tests[2].events[0].send", "" for the whole) and what. */
    void (*fault)(void *arg, const char *where, const char *what);
    void *arg;
};

/* Check a file's JSON. Returns the number of faults. */
unsigned vector_schema_check(const struct vector_schema *schema, json_t *root);

/* The JSON Schema (draft 2020-12). */
json_t *vector_schema_json(void);

#endif
