// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/layout.h"

#include <bpf/btf.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 64
#define DEPTH_MAX 16 /* of unnamed structures in structures, and of types of types */

/* The steps taken. While `in_memory`, a value of `type` lies at the address `base` plus `offset`
 * octets; else it is `base`. */
struct layout_way {
    const struct btf *types;
    const char *at; /* in the expression */
    char base[sizeof((struct layout_fetch *)0)->text];
    int64_t offset; /* octets */
    uint32_t type;
    bool in_memory;
    char *error;
    size_t size;
};

static bool fail(struct layout_way *way, const char *format, const char *name, const char *of)
{
    snprintf(way->error, way->size, format, name, of);
    return false;
}

static const char *name_of(const struct layout_way *way, uint32_t offset)
{
    const char *name = btf__name_by_offset(way->types, offset);
    return name ? name : "";
}

/* What a type is, without its other names and qualifiers; NULL for void and what is no type. */
static const struct btf_type *bare(const struct layout_way *way, uint32_t *id)
{
    const struct btf_type *type = btf__type_by_id(way->types, *id);
    for (unsigned depth = 0; type && depth < DEPTH_MAX; depth++) {
        if (!btf_is_mod(type) && !btf_is_typedef(type))
            return *id == 0 ? NULL : type;
        *id = type->type;
        type = btf__type_by_id(way->types, *id);
    }
    return NULL;
}

static bool take_name(struct layout_way *way, char name[NAME_SIZE])
{
    size_t length = strcspn(way->at, "->.[^");
    if (length == 0 || length >= NAME_SIZE)
        return fail(way, "%s: a name is missing%s", way->at, "");
    memcpy(name, way->at, length);
    name[length] = '\0';
    way->at += length;
    return true;
}

/* Read the value, so that what follows is relative to it. */
static bool load(struct layout_way *way)
{
    char text[sizeof way->base];
    if (!way->in_memory)
        return true;
    int length = snprintf(text, sizeof text, "%+lld(%s)", (long long)way->offset, way->base);
    if (length < 0 || (size_t)length >= sizeof text)
        return fail(way, "%s: too many steps%s", way->at, "");
    memcpy(way->base, text, sizeof text);
    way->offset = 0;
    way->in_memory = false;
    return true;
}

/* Find a member in a structure, also in unnamed ones in it. */
static bool find_member(const struct layout_way *way, uint32_t structure, const char *name,
                        unsigned depth, int64_t *bits, uint32_t *found)
{
    const struct btf_type *type = bare(way, &structure);
    if (type == NULL || !btf_is_composite(type) || depth == DEPTH_MAX)
        return false;
    const struct btf_member *member = btf_members(type);
    for (uint32_t i = 0; i < btf_vlen(type); i++, member++) {
        const char *each = name_of(way, member->name_off);
        int64_t before = *bits;
        *bits += btf_member_bit_offset(type, i);
        if (strcmp(each, name) == 0 && btf_member_bitfield_size(type, i) == 0) {
            *found = member->type;
            return true;
        }
        if (*each == '\0' && find_member(way, member->type, name, depth + 1, bits, found))
            return true;
        *bits = before;
    }
    return false;
}

static bool step_member(struct layout_way *way)
{
    char name[NAME_SIZE];
    int64_t bits = 0;
    uint32_t found, structure = way->type;
    if (!take_name(way, name))
        return false;
    const struct btf_type *type = bare(way, &structure);
    if (!find_member(way, structure, name, 0, &bits, &found))
        return fail(way, "no field '%s' in '%s'", name,
                    type ? name_of(way, type->name_off) : "void");
    way->offset += bits / 8;
    way->type = found;
    return true;
}

/* To what it points to, or, for an array, to its first element. */
static bool step_through(struct layout_way *way, bool arrays)
{
    const struct btf_type *type = bare(way, &way->type);
    if (type && btf_is_array(type) && arrays) {
        way->type = btf_array(type)->type;
        return true;
    }
    if (type == NULL || !btf_is_ptr(type))
        return fail(way, "%s: no pointer is before it%s", way->at, "");
    if (!load(way))
        return false;
    way->type = type->type;
    way->in_memory = true;
    return true;
}

static bool step_element(struct layout_way *way)
{
    char *end;
    unsigned long index = strtoul(way->at, &end, 10);
    if (end == way->at || *end != ']' || index > 1024)
        return fail(way, "%s: no index%s", way->at, "");
    const struct btf_type *type = bare(way, &way->type);
    /* A holder may be one of several, side by side. */
    if (!(type && btf_is_composite(type) && way->in_memory) && !step_through(way, true))
        return false;
    int64_t size = btf__resolve_size(way->types, way->type);
    if (size <= 0)
        return fail(way, "%s: its elements have no size%s", way->at, "");
    way->offset += (int64_t)index * size;
    way->at = end + 1;
    return true;
}

static bool step_holder(struct layout_way *way)
{
    char holder[NAME_SIZE], name[NAME_SIZE];
    int64_t bits = 0;
    uint32_t found;
    if (!take_name(way, holder))
        return false;
    if (*way->at++ != '.')
        return fail(way, "%s: which member?%s", holder, "");
    if (!take_name(way, name) || !step_through(way, false))
        return false;
    int32_t id = btf__find_by_name_kind(way->types, holder, BTF_KIND_STRUCT);
    if (id <= 0 || !find_member(way, (uint32_t)id, name, 0, &bits, &found))
        return fail(way, "no field '%s' in '%s'", name, holder);
    way->offset -= bits / 8;
    way->type = (uint32_t)id;
    /* It lies there, as if by a pointer: "->" goes on from it. */
    return true;
}

static bool step(struct layout_way *way)
{
    if (strncmp(way->at, "->", 2) == 0) {
        way->at += 2;
        const struct btf_type *type = bare(way, &way->type);
        /* A holder is where it is already. */
        if (!(type && btf_is_composite(type) && way->in_memory) && !step_through(way, false))
            return false;
        return step_member(way);
    }
    switch (*way->at++) {
    case '.':
        return step_member(way);
    case '[':
        return step_element(way);
    case '^':
        return step_holder(way);
    default:
        return fail(way, "%s: no step%s", way->at - 1, "");
    }
}

/* The parameter that the expression begins with. */
static bool begin(struct layout_way *way, const char *function)
{
    char name[NAME_SIZE];
    int32_t id = btf__find_by_name_kind(way->types, function, BTF_KIND_FUNC);
    const struct btf_type *type = id > 0 ? btf__type_by_id(way->types, (uint32_t)id) : NULL;
    type = type ? btf__type_by_id(way->types, type->type) : NULL;
    if (type == NULL || !btf_is_func_proto(type))
        return fail(way, "no function '%s'%s", function, "");
    if (!take_name(way, name))
        return false;
    if (strcmp(name, "return") == 0) {
        snprintf(way->base, sizeof way->base, "$retval");
        way->type = type->type;
        return true;
    }
    const struct btf_param *parameter = btf_params(type);
    for (unsigned i = 0; i < btf_vlen(type); i++) {
        if (strcmp(name_of(way, parameter[i].name_off), name) != 0)
            continue;
        snprintf(way->base, sizeof way->base, "$arg%u", i + 1);
        way->type = parameter[i].type;
        return true;
    }
    return fail(way, "no parameter '%s' of '%s'", name, function);
}

bool layout_find(const struct btf *types, const char *function, const char *expression,
                 struct layout_fetch *fetch, char *error, size_t size)
{
    struct layout_way way = {.types = types, .at = expression, .error = error, .size = size};
    if (!begin(&way, function))
        return false;
    while (*way.at)
        if (!step(&way))
            return false;
    const struct btf_type *type = bare(&way, &way.type);
    if (type == NULL || !(btf_is_int(type) || btf_is_any_enum(type) || btf_is_ptr(type) ||
                          (btf_is_composite(type) && way.in_memory)))
        return fail(&way, "%s: neither a number nor a pointer nor a structure%s", expression, "");
    fetch->size = btf_is_ptr(type) ? btf__pointer_size(types) : type->size;
    if (!load(&way))
        return false;
    memcpy(fetch->text, way.base, sizeof way.base);
    return true;
}
