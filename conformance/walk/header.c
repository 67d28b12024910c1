// SPDX-License-Identifier: BSD-3-Clause
/* Headers of all versions, by the tables of each. */
#include "conformance/walk/header.h"
#include "conformance/walk/version2.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>
#include <string.h>

extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_07_hdr_prefix;
/* In the XDR of -07 these steps are no field of a message. */
#define PREFIX_STEP "rdma_start"
#define FIRST_WORD "rdma_rpc_first_word"

/* Passes fields on under their names, as parts of one header. */
struct relay {
    enum rpcrdma_protocol protocol;
    walk_visitor *visit;
    void *arg;
    size_t base;       /* where in the Send the part begins */
    bool is_part;      /* -07: its outermost brackets are left out */
    uint32_t type;     /* -07: of the message */
    uint32_t property; /* the last id seen */
};

/* ---- names ---- */

/* All known properties are one word, but what -07 has for authentication. */
static void name_value(const struct relay *relay, struct walk_field *field)
{
    if (field->number != 4 || rpcrdma_property_name(relay->protocol, relay->property) == NULL ||
        !rpcrdma_walk2_is_word(relay->protocol, relay->property))
        return;
    field->has_value = true;
    field->value = rpcrdma_xdr_load32(field->bytes);
    if (rpcrdma_walk2_is_reverse_support(relay->protocol, relay->property))
        field->text = rpcrdma_reverse_name(relay->protocol, field->value);
}

static void name_field(struct relay *relay, struct walk_field *field)
{
    uint32_t number = (uint32_t)field->number;
    if (field->kind == WALK_OPAQUE && strcmp(field->name, "rdma_data") == 0) {
        name_value(relay, field);
    } else if (field->kind != WALK_UNSIGNED) {
        return;
    } else if (strcmp(field->name, "rdma_which") == 0) {
        relay->property = number;
        field->text = rpcrdma_property_name(relay->protocol, number);
    } else if (strcmp(field->name, "rdma_htype") == 0) {
        relay->type = number;
        field->text = rpcrdma_type_name(relay->protocol, number);
    } else if (strcmp(field->name, "rdma_err") == 0) {
        field->text = rpcrdma_error_name(relay->protocol, number);
    }
}

/* ---- parts ---- */

static const char *without_prefix_step(const char *path)
{
    size_t length = sizeof PREFIX_STEP - 1;
    return strncmp(path, PREFIX_STEP ".", length + 1) == 0 ? path + length + 1 : path;
}

static bool relay(void *arg, const struct walk_field *field)
{
    struct relay *to = arg;
    struct walk_field named = *field;
    bool is_bracket = field->kind == WALK_BEGIN || field->kind == WALK_END;
    if (is_bracket && to->is_part && (field->depth == 0 || strcmp(field->name, PREFIX_STEP) == 0))
        return true;
    if (strcmp(field->name, FIRST_WORD) == 0)
        return true;
    named.offset += to->base;
    named.path = without_prefix_step(field->path);
    if (to->is_part && named.path != field->path)
        named.depth--;
    name_field(to, &named);
    return to->visit(to->arg, &named);
}

static ptrdiff_t walk_part(struct relay *to, const struct xdr_type *type, const uint8_t *octets,
                           size_t length, struct walk_error *error)
{
    ptrdiff_t n = rpcrdma_walk(type, octets + to->base, length - to->base, relay, to, error);
    if (n < 0 && error->code != 0) {
        const char *path = without_prefix_step(error->path);
        error->offset += to->base;
        memmove(error->path, path, strlen(path) + 1);
    }
    return n;
}

/* ---- version 2, draft -07 ---- */

static ptrdiff_t unknown_type(struct walk_error *error)
{
    error->code = RPCRDMA_XDR_E_UNION;
    error->offset = RPCRDMA_AT_PROCEDURE;
    snprintf(error->path, sizeof error->path, "rdma_htype");
    return -1;
}

static bool bracket(const struct relay *to, enum walk_kind kind, size_t offset)
{
    return to->visit(
        to->arg,
        &(struct walk_field){
            .kind = kind, .path = "", .name = "", .type = "rpcrdma2_header", .offset = offset});
}

static ptrdiff_t walk2_07(struct relay *to, const uint8_t *octets, size_t length,
                          struct walk_error *error)
{
    ptrdiff_t n = 0;
    to->is_part = true;
    if (!bracket(to, WALK_BEGIN, 0) ||
        walk_part(to, rpcrdma_walk_rpcrdma2_07_hdr_prefix, octets, length, error) < 0)
        return -1;
    to->base = RPCRDMA_PREFIX_LENGTH;
    const struct xdr_type *body = rpcrdma_walk2_body(to->type);
    if (body == NULL && !rpcrdma_walk2_has_no_body(to->type))
        return unknown_type(error);
    if (body != NULL && (n = walk_part(to, body, octets, length, error)) < 0)
        return -1;
    n += (ptrdiff_t)to->base - (rpcrdma_walk2_has_first_word(to->type) ? 4 : 0);
    return bracket(to, WALK_END, (size_t)n) ? n : -1;
}

ptrdiff_t rpcrdma_walk_header(enum rpcrdma_protocol protocol, const void *octets, size_t length,
                              walk_visitor *visit, void *arg, struct walk_error *error)
{
    struct walk_error local;
    static const uint8_t nothing[1];
    struct relay to = {.protocol = protocol, .visit = visit, .arg = arg};
    error = error ? error : &local;
    error->code = 0;
    if (octets == NULL)
        octets = nothing, length = 0;
    switch (protocol) {
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    case RPCRDMA_PROTOCOL_1:
        return rpcrdma_walk(rpcrdma_walk_rpcrdma1_header, octets, length, visit, arg, error);
    case RPCRDMA_PROTOCOL_2_04:
        return walk_part(&to, rpcrdma_walk_rpcrdma2_04_header, octets, length, error);
    case RPCRDMA_PROTOCOL_2_07:
        return walk2_07(&to, octets, length, error);
    }
    return -1;
}
