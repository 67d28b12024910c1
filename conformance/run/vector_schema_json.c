// SPDX-License-Identifier: BSD-3-Clause
/* The tables as a JSON Schema. Types that have a name are defined once and referred to. */
#include "conformance/input/vector_words.h"
#include "conformance/run/vector_schema.h"

#include <stdio.h>

static json_t *describe(json_t *definitions, const struct schema_type *type);

/* The type where it is used: by its name, or as it is. */
static json_t *refer(json_t *definitions, const struct schema_type *type)
{
    char reference[64];
    if (type->name == NULL)
        return describe(definitions, type);
    if (json_object_get(definitions, type->name) == NULL) {
        json_object_set_new(definitions, type->name, json_object()); /* its place in the order */
        json_object_set_new(definitions, type->name, describe(definitions, type));
    }
    snprintf(reference, sizeof reference, "#/$defs/%s", type->name);
    return json_pack("{s:s}", "$ref", reference);
}

static json_t *list(const char *const *words)
{
    json_t *array = json_array();
    for (; *words; words++)
        json_array_append_new(array, json_string(*words));
    return array;
}

static void describe_object(json_t *json, json_t *definitions, const struct schema_type *type)
{
    json_t *required = json_array(), *properties = json_object(), *one_of = json_array();
    for (const struct schema_member *member = type->members; member->key; member++) {
        json_t *property = refer(definitions, member->type);
        if (member->required)
            json_array_append_new(required, json_string(member->key));
        if (member->description)
            json_object_set_new(property, "description", json_string(member->description));
        if (member->fallback)
            json_object_set_new(property, "default",
                                json_loads(member->fallback, JSON_DECODE_ANY, NULL));
        json_object_set_new(properties, member->key, property);
    }
    for (const char *const *key = type->one_of; key && *key; key++)
        json_array_append_new(one_of, json_pack("{s:[s]}", "required", *key));
    if (json_array_size(required) > 0)
        json_object_set(json, "required", required);
    json_object_set_new(json, "additionalProperties", json_false());
    if (json_array_size(one_of) > 0)
        json_object_set(json, "oneOf", one_of);
    json_object_set_new(json, "properties", properties);
    json_decref(required);
    json_decref(one_of);
}

static const char *type_name(enum schema_kind kind)
{
    switch (kind) {
    case SCHEMA_OBJECT:
    case SCHEMA_ANY_OBJECT:
    case SCHEMA_MAP:
        return "object";
    case SCHEMA_ARRAY:
        return "array";
    case SCHEMA_INTEGER:
        return "integer";
    case SCHEMA_BOOLEAN:
        return "boolean";
    case SCHEMA_WORD:
    case SCHEMA_TRUE:
        return NULL; /* their values say it */
    default:
        return "string";
    }
}

static json_t *describe(json_t *definitions, const struct schema_type *type)
{
    json_t *json = json_object();
    if (type->description)
        json_object_set_new(json, "description", json_string(type->description));
    if (type_name(type->kind))
        json_object_set_new(json, "type", json_string(type_name(type->kind)));
    if (type->kind == SCHEMA_OBJECT)
        describe_object(json, definitions, type);
    if (type->kind == SCHEMA_MAP)
        json_object_set_new(json, "additionalProperties", refer(definitions, type->item));
    if (type->least > 0)
        json_object_set_new(json, "minItems", json_integer((json_int_t)type->least));
    if (type->unique)
        json_object_set_new(json, "uniqueItems", json_true());
    if (type->kind == SCHEMA_ARRAY)
        json_object_set_new(json, "items", refer(definitions, type->item));
    if (type->pattern)
        json_object_set_new(json, "pattern", json_string(type->pattern));
    if (type->words)
        json_object_set_new(json, "enum", list(type->words));
    if (type->minimum > 0)
        json_object_set_new(json, "minimum", json_integer(type->minimum));
    if (type->kind == SCHEMA_TRUE)
        json_object_set_new(json, "const", json_true());
    return json;
}

json_t *vector_schema_json(void)
{
    json_t *definitions = json_object();
    json_t *json =
        json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                  "$id", VECTOR_SCHEMA, "title", "RPC-over-RDMA conformance vectors");
    json_t *file = describe(definitions, &vector_schema_file);
    json_object_update(json, file);
    json_decref(file);
    json_object_set_new(json, "$defs", definitions);
    return json;
}
