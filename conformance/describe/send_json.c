// SPDX-License-Identifier: BSD-3-Clause
/*
 * A Send as JSON. Each part is walked twice, once for the nested object and once for the flat list
 * of fields, so that nothing of it is kept in memory.
 */
#include "conformance/describe/parts_json.h"

#include "conformance/describe/send.h"

#include <inttypes.h>
#include <string.h>

/* Deeper than any header nests: lists are flat for the walker. */
#define NEST_MAX 32

/* ---- The nested object, as the XDR names it ---- */

struct nest {
    struct json *json;
    const char *root; /* key of the outermost object */
    unsigned depth;
    bool begun;
    bool array[NEST_MAX];
};

/* The id of a property stays a number, and its name follows. */
static bool is_property_id(const struct walk_field *field)
{
    return strcmp(field->name, "rdma_which") == 0;
}

/* What is known beyond the octets: the name of a property; its value as `key`, and its name. */
static void put_meaning(struct json *json, const char *key, const struct walk_field *field)
{
    if (is_property_id(field))
        json_text(json, "name", field->text);
    if (!field->has_value)
        return;
    json_unsigned(json, key, field->value);
    if (field->text)
        json_text(json, "valueName", field->text);
}

static void put_value(struct json *json, const char *key, const struct walk_field *field)
{
    char address[24];
    switch (field->kind) {
    case WALK_SIGNED:
        json_signed(json, key, (int64_t)field->number);
        break;
    case WALK_BOOL:
        json_truth(json, key, field->number != 0);
        break;
    case WALK_ENUM:
        if (field->text)
            json_text(json, key, field->text);
        else
            json_unsigned(json, key, field->number);
        break;
    case WALK_OPAQUE:
        json_hex(json, key, field->bytes, (size_t)field->number);
        break;
    case WALK_STRING:
        json_bytes(json, key, (const char *)field->bytes, (size_t)field->number);
        break;
    case WALK_UNSIGNED:
        if (field->text && !is_property_id(field)) {
            json_text(json, key, field->text);
            break;
        }
        /* fall through */
    default:
        /* Many readers of JSON hold numbers as doubles, which end at 2^53. */
        if (field->length == 8) {
            snprintf(address, sizeof address, "0x%" PRIx64, field->number);
            json_text(json, key, address);
        } else {
            json_unsigned(json, key, field->number);
        }
    }
}

static bool put_nested(void *arg, const struct walk_field *field)
{
    struct nest *nest = arg;
    bool in_array = nest->depth > 0 && nest->array[nest->depth - 1];
    const char *key = nest->depth == 0 ? nest->root : in_array ? NULL : field->name;
    nest->begun = true;
    if (field->kind == WALK_BEGIN) {
        if (nest->depth == NEST_MAX)
            return false;
        json_open(nest->json, key, field->array ? '[' : '{');
        nest->array[nest->depth++] = field->array;
    } else if (field->kind == WALK_END) {
        nest->depth--;
        json_close(nest->json, in_array ? ']' : '}');
    } else if (field->is_presence) {
        if (field->number == 0 && !in_array)
            json_none(nest->json, key);
    } else if (field->kind != WALK_COUNT) {
        put_value(nest->json, key, field);
        if (!in_array)
            put_meaning(nest->json, "value", field);
    }
    return true;
}

/* ---- The list of fields ---- */

static bool put_field(void *arg, const struct walk_field *field)
{
    struct json *json = arg;
    if (!rpcrdma_field_is_leaf(field))
        return true;
    json_open(json, NULL, '{');
    json_text(json, "path", field->path);
    json_unsigned(json, "offset", field->offset);
    json_unsigned(json, "length", field->length);
    put_value(json, "value", field);
    put_meaning(json, "number", field);
    json_close(json, '}');
    return json->out == NULL || !ferror(json->out);
}

static void put_length(struct json *json, const char *key, ptrdiff_t length)
{
    if (length >= 0)
        json_unsigned(json, key, (uint64_t)length);
    else
        json_none(json, key);
}

/* ---- The parts ---- */

/* Visits one part of the Send, the one at `offset`. */
static ptrdiff_t walk_part(struct send *send, ptrdiff_t offset, walk_visitor *visit, void *arg)
{
    return offset == 0 ? rpcrdma_send_walk_header(send, visit, arg)
                       : rpcrdma_send_walk_rpc(send, (size_t)offset, visit, arg);
}

static bool pass(void *arg, const struct walk_field *field)
{
    (void)arg, (void)field;
    return true;
}

/* The part nested, under `key`, and as a list of its fields. A fault closes what it left open. */
static void put_part(struct json *json, struct send *send, ptrdiff_t offset, const char *key)
{
    struct nest nest = {.json = json, .root = key};
    walk_part(send, offset, put_nested, &nest);
    while (nest.depth > 0)
        json_close(json, nest.array[--nest.depth] ? ']' : '}');
    if (!nest.begun)
        json_none(json, key);
    json_open(json, "fields", '[');
    walk_part(send, offset, put_field, json);
    json_close(json, ']');
}

static void put_rpc(struct json *json, struct send *send, ptrdiff_t offset)
{
    if (rpcrdma_send_rest(send, offset) != SEND_REST_RPC) {
        json_none(json, "rpc");
        return;
    }
    json_open(json, "rpc", '{');
    json_unsigned(json, "offset", (uint64_t)offset);
    put_length(json, "length", walk_part(send, offset, pass, NULL));
    put_part(json, send, offset, "message");
    json_close(json, '}');
}

static void put_draft(struct json *json, const struct send *send)
{
    json_text(json, "draft", rpcrdma_draft_name(send->protocol));
    if (send->protocol != RPCRDMA_PROTOCOL_1)
        json_truth(json, "draftSure", send->draft_sure);
    else
        json_none(json, "draftSure");
}

static void put_fault(struct json *json, const struct send_fault *fault)
{
    if (!fault->found) {
        json_none(json, "error");
        return;
    }
    json_open(json, "error", '{');
    json_unsigned(json, "offset", fault->offset);
    json_text(json, "field", fault->field[0] != '\0' ? fault->field : NULL);
    json_text(json, "text", fault->text);
    json_close(json, '}');
}

bool rpcrdma_send_put(struct json *json, const struct rpcrdma_event *event)
{
    struct send send = rpcrdma_send_of(event);
    ptrdiff_t header = walk_part(&send, 0, pass, NULL);
    put_draft(json, &send);
    put_length(json, "headerLength", header);
    put_part(json, &send, 0, "header");
    put_rpc(json, &send, header);
    put_fault(json, &send.fault);
    return !send.fault.found;
}

size_t rpcrdma_send_json(const void *octets, size_t length, enum rpcrdma_protocol draft, char *text,
                         size_t size)
{
    struct json json = {.text = text, .size = size};
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND, .data = octets, .length = length, .draft = draft};
    json_open(&json, NULL, '{');
    rpcrdma_send_put(&json, &event);
    json_close(&json, '}');
    return rpcrdma_json_end(&json);
}
