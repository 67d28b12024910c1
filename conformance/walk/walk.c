// SPDX-License-Identifier: BSD-3-Clause
/* Walk over XDR by tables. Depth is that of the types, never of the input: lists are loops. */
#include "conformance/walk/walk.h"

#include "conformance/walk/tables.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>
#include <string.h>

const struct xdr_type rpcrdma_xdr_base_types[XT_STRING + 1] = {
    [XT_INT] = {.kind = XT_INT, .name = "int"},
    [XT_UINT] = {.kind = XT_UINT, .name = "unsigned int"},
    [XT_HYPER] = {.kind = XT_HYPER, .name = "hyper"},
    [XT_UHYPER] = {.kind = XT_UHYPER, .name = "unsigned hyper"},
    [XT_FLOAT] = {.kind = XT_FLOAT, .name = "float"},
    [XT_DOUBLE] = {.kind = XT_DOUBLE, .name = "double"},
    [XT_QUADRUPLE] = {.kind = XT_QUADRUPLE, .name = "quadruple"},
    [XT_BOOL] = {.kind = XT_BOOL, .name = "bool"},
    [XT_OPAQUE] = {.kind = XT_OPAQUE, .name = "opaque"},
    [XT_STRING] = {.kind = XT_STRING, .name = "string"},
};

struct walker {
    const uint8_t *base, *p, *end;
    walk_visitor *visit;
    void *arg;
    struct walk_error *error;
    unsigned depth;
    size_t path_length;
    char path[WALK_PATH];
};

static size_t left(const struct walker *w)
{
    return (size_t)(w->end - w->p);
}

static bool fail(struct walker *w, int code, const uint8_t *at)
{
    w->error->code = code;
    w->error->offset = (size_t)(at - w->base);
    memcpy(w->error->path, w->path, sizeof w->path);
    return false;
}

/* The path has this many more octets, or as many of them as there is room for. */
static size_t extend(struct walker *w, int octets)
{
    size_t before = w->path_length, room = sizeof w->path - 1 - before;
    w->path_length += (size_t)octets < room ? (size_t)octets : room;
    return before;
}

/* Append a step to the path; returns what to cut it back to. */
static size_t enter(struct walker *w, const char *name)
{
    size_t at = w->path_length;
    if (name[0] == '\0')
        return at;
    return extend(w, snprintf(w->path + at, sizeof w->path - at, "%s%s", at ? "." : "", name));
}

static size_t enter_index(struct walker *w, uint32_t index)
{
    size_t at = w->path_length;
    return extend(w, snprintf(w->path + at, sizeof w->path - at, "[%u]", index));
}

static void leave(struct walker *w, size_t length)
{
    w->path_length = length;
    w->path[length] = '\0';
}

/* Hand a field that ends at w->p to the visitor. */
static bool show(struct walker *w, struct walk_field *field, const uint8_t *at)
{
    field->path = w->path;
    field->depth = w->depth;
    field->offset = (size_t)(at - w->base);
    field->length = (size_t)(w->p - at);
    return w->visit(w->arg, field);
}

static bool show_bracket(struct walker *w, enum walk_kind kind, const char *name,
                         const struct xdr_type *type, bool array)
{
    if (kind == WALK_END)
        w->depth--;
    struct walk_field field = {.kind = kind, .name = name, .type = type->name, .array = array};
    bool go_on = show(w, &field, w->p);
    if (kind == WALK_BEGIN)
        w->depth++;
    return go_on;
}

static bool walk_presence(struct walker *w, const struct xdr_member *member, const char *name,
                          bool *present)
{
    const uint8_t *at = w->p;
    if (left(w) < 4)
        return fail(w, RPCRDMA_XDR_E_TRUNCATED, at);
    uint32_t word = rpcrdma_xdr_load32(at);
    if (word > 1)
        return fail(w, RPCRDMA_XDR_E_PRESENCE, at);
    *present = word == 1;
    w->p += 4;
    struct walk_field field = {.kind = WALK_BOOL,
                               .name = name,
                               .type = member->type->name,
                               .is_presence = true,
                               .present = *present,
                               .number = word};
    return show(w, &field, at);
}

static const char *enumerator(const struct xdr_type *type, int32_t value)
{
    for (uint32_t i = 0; i < type->count; i++)
        if (type->values[i].value == value)
            return type->values[i].name;
    return NULL;
}

static bool walk_number(struct walker *w, const struct xdr_type *type, const char *name)
{
    static const uint8_t sizes[] = {
        [XT_INT] = 4,   [XT_UINT] = 4,   [XT_HYPER] = 8,      [XT_UHYPER] = 8,
        [XT_FLOAT] = 4, [XT_DOUBLE] = 8, [XT_QUADRUPLE] = 16, [XT_BOOL] = 4};
    const uint8_t *at = w->p;
    size_t size = type->kind == XT_ENUM ? 4 : sizes[type->kind];
    if (left(w) < size)
        return fail(w, RPCRDMA_XDR_E_TRUNCATED, at);
    w->p += size;
    struct walk_field field = {
        .kind = WALK_UNSIGNED, .name = name, .type = type->name, .bytes = at};
    field.number = size == 8 ? rpcrdma_xdr_load64(at) : rpcrdma_xdr_load32(at);
    switch (type->kind) {
    case XT_INT:
        field.number = (uint64_t)(int64_t)(int32_t)field.number;
        field.kind = WALK_SIGNED;
        break;
    case XT_HYPER:
        field.kind = WALK_SIGNED;
        break;
    case XT_FLOAT:
    case XT_DOUBLE:
    case XT_QUADRUPLE:
        field.kind = WALK_OPAQUE;
        field.number = size;
        break;
    case XT_BOOL:
        field.kind = WALK_BOOL;
        if (field.number > 1)
            return fail(w, RPCRDMA_XDR_E_BOOL, at);
        break;
    case XT_ENUM:
        field.kind = WALK_ENUM;
        field.text = enumerator(type, (int32_t)field.number);
        if (field.text == NULL)
            return fail(w, RPCRDMA_XDR_E_ENUM, at);
        break;
    default:
        break;
    }
    return show(w, &field, at);
}

static bool walk_count(struct walker *w, const struct xdr_member *member, uint32_t *count,
                       const char *name)
{
    const uint8_t *at = w->p;
    if (left(w) < 4)
        return fail(w, RPCRDMA_XDR_E_TRUNCATED, at);
    *count = rpcrdma_xdr_load32(at);
    if (*count > member->size)
        return fail(w, RPCRDMA_XDR_E_BOUND, at);
    w->p += 4;
    struct walk_field field = {
        .kind = WALK_COUNT, .name = name, .type = member->type->name, .number = *count};
    return show(w, &field, at);
}

static bool walk_octets(struct walker *w, const struct xdr_member *member, const char *name)
{
    uint32_t count = member->size;
    const uint8_t *count_at = w->p;
    if (member->shape == XS_VAR && !walk_count(w, member, &count, name))
        return false;
    const uint8_t *at = w->p;
    uint64_t padded = ((uint64_t)count + 3) & ~(uint64_t)3;
    if (padded > left(w))
        return member->shape == XS_VAR ? fail(w, RPCRDMA_XDR_E_COUNT, count_at)
                                       : fail(w, RPCRDMA_XDR_E_TRUNCATED, at);
    for (const uint8_t *pad = at + count; pad < at + padded; pad++)
        if (*pad != 0)
            return fail(w, RPCRDMA_XDR_E_PAD, at + count);
    w->p += padded;
    struct walk_field field = {.kind = member->type->kind == XT_STRING ? WALK_STRING : WALK_OPAQUE,
                               .name = name,
                               .type = member->type->name,
                               .bytes = at,
                               .number = count};
    return show(w, &field, at);
}

static bool walk_member(struct walker *w, const struct xdr_member *member, const char *step);

/* The least octets that a value of the type takes: a count of more than fit is known at once. */
static uint64_t least(const struct xdr_type *type);

static uint64_t member_least(const struct xdr_member *member)
{
    switch (member->shape) {
    case XS_PLAIN:
        return least(member->type);
    case XS_FIXED:
        return member->type->kind == XT_OPAQUE ? ((uint64_t)member->size + 3) / 4 * 4
                                               : member->size * least(member->type);
    case XS_VOID:
        return 0;
    default:
        return 4;
    }
}

static uint64_t least(const struct xdr_type *type)
{
    uint64_t total = 0;
    switch (type->kind) {
    case XT_HYPER:
    case XT_UHYPER:
    case XT_DOUBLE:
        return 8;
    case XT_QUADRUPLE:
        return 16;
    case XT_STRUCT:
    case XT_TYPEDEF:
        for (uint32_t i = 0; i < type->count; i++)
            total += member_least(&type->members[i]);
        return total;
    case XT_UNION:
        total = UINT64_MAX - 4;
        for (uint32_t i = 0; i < type->count; i++) {
            uint64_t arm = member_least(&type->cases[i].arm);
            total = arm < total ? arm : total;
        }
        return total + 4;
    default:
        return 4;
    }
}

static const struct xdr_type *seen_through(const struct xdr_type *type)
{
    while (type->kind == XT_TYPEDEF && type->members[0].shape == XS_PLAIN)
        type = type->members[0].type;
    return type;
}

static bool walk_type(struct walker *w, const struct xdr_type *type, const char *name);

static bool walk_array(struct walker *w, const struct xdr_member *member, const char *name)
{
    uint32_t count = member->size;
    const uint8_t *at = w->p;
    if (!show_bracket(w, WALK_BEGIN, name, member->type, true))
        return false;
    if (member->shape == XS_VAR) {
        if (!walk_count(w, member, &count, ""))
            return false;
        if (count > left(w) / least(member->type))
            return fail(w, RPCRDMA_XDR_E_COUNT, at);
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t before = enter_index(w, i);
        if (!walk_type(w, member->type, ""))
            return false;
        leave(w, before);
    }
    return show_bracket(w, WALK_END, name, member->type, true);
}

/* One entry: its fields, or those of the one struct that it is. */
static bool walk_entry(struct walker *w, const struct xdr_type *type)
{
    const struct xdr_member *only = type->count == 1 ? &type->members[0] : NULL;
    if (only && only->shape == XS_PLAIN && only->type->kind == XT_STRUCT)
        return walk_type(w, only->type, "");
    if (!show_bracket(w, WALK_BEGIN, "", type, false))
        return false;
    for (uint32_t i = 0; i < type->count; i++)
        if (!walk_member(w, &type->members[i], type->members[i].name))
            return false;
    return show_bracket(w, WALK_END, "", type, false);
}

static bool walk_list(struct walker *w, const struct xdr_member *member, const char *name)
{
    if (!show_bracket(w, WALK_BEGIN, name, member->type, true))
        return false;
    for (uint32_t i = 0;; i++) {
        bool present;
        size_t before = enter_index(w, i);
        if (!walk_presence(w, member, "", &present))
            return false;
        if (present && !walk_entry(w, member->type))
            return false;
        leave(w, before);
        if (!present)
            break;
    }
    return show_bracket(w, WALK_END, name, member->type, true);
}

static bool walk_union(struct walker *w, const struct xdr_type *type, const char *name)
{
    if (!show_bracket(w, WALK_BEGIN, name, type, false))
        return false;
    const uint8_t *at = w->p;
    if (!walk_member(w, &type->members[0], type->members[0].name))
        return false;
    const struct xdr_type *tag = seen_through(type->members[0].type);
    uint32_t word = rpcrdma_xdr_load32(at);
    int64_t value = tag->kind == XT_UINT ? (int64_t)word : (int32_t)word;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct xdr_case *row = &type->cases[i];
        if (row->is_default || row->label == value) {
            bool is_struct = row->arm.shape == XS_PLAIN &&
                             (row->arm.type->kind == XT_STRUCT || row->arm.type->kind == XT_UNION);
            if (!walk_member(w, &row->arm, is_struct ? "" : row->arm.name))
                return false;
            return show_bracket(w, WALK_END, name, type, false);
        }
    }
    enter(w, type->members[0].name);
    return fail(w, RPCRDMA_XDR_E_UNION, at);
}

static bool walk_type(struct walker *w, const struct xdr_type *type, const char *name)
{
    switch (type->kind) {
    case XT_STRUCT:
        if (!show_bracket(w, WALK_BEGIN, name, type, false))
            return false;
        for (uint32_t i = 0; i < type->count; i++)
            if (!walk_member(w, &type->members[i], type->members[i].name))
                return false;
        return show_bracket(w, WALK_END, name, type, false);
    case XT_UNION:
        return walk_union(w, type, name);
    case XT_TYPEDEF: {
        struct xdr_member target = type->members[0];
        target.name = name;
        return walk_member(w, &target, "");
    }
    default:
        return walk_number(w, type, name);
    }
}

/* `step` is what the member adds to the path; its name is shown in any case. */
static bool walk_member(struct walker *w, const struct xdr_member *member, const char *step)
{
    if (member->shape == XS_PLAIN && member->type->kind == XT_UNION)
        step = "";
    size_t before = enter(w, step);
    bool go_on = true, present;
    bool octets =
        member->type && (member->type->kind == XT_OPAQUE || member->type->kind == XT_STRING);
    switch (member->shape) {
    case XS_PLAIN:
        go_on = walk_type(w, member->type, member->name);
        break;
    case XS_FIXED:
    case XS_VAR:
        go_on = octets ? walk_octets(w, member, member->name) : walk_array(w, member, member->name);
        break;
    case XS_OPTIONAL:
        if (member->type->kind == XT_LIST) {
            go_on = walk_list(w, member, member->name);
            break;
        }
        go_on = walk_presence(w, member, member->name, &present) &&
                (!present || walk_type(w, member->type, member->name));
        break;
    case XS_VOID:
        break;
    }
    if (go_on)
        leave(w, before);
    return go_on;
}

ptrdiff_t rpcrdma_walk(const struct xdr_type *type, const void *buf, size_t length,
                       walk_visitor *visit, void *arg, struct walk_error *error)
{
    struct walk_error local;
    static const uint8_t nothing[1];
    struct walker w = {.base = buf ? buf : nothing, .visit = visit, .arg = arg};
    w.p = w.base;
    w.end = w.base + (buf ? length : 0);
    w.error = error ? error : &local;
    w.error->code = 0;
    w.error->offset = 0;
    w.error->path[0] = '\0';
    return walk_type(&w, type, "") ? w.p - w.base : -1;
}
