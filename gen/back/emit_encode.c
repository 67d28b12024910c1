// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: encoders. A putter a type writes a value and returns the place after it, or NULL if
 * there is no room or the value has no encoding; which of the two, the sizer says afterwards. So
 * what can be encoded is looked at once.
 *
 * Before a putter is called, there is room for the least that its type takes and for `after` octets
 * more; after it there is room for those. So only what varies is compared with the room.
 */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- scalars and runs ---- */

/* What a value must satisfy that its C type does not see to. */
static void put_test(FILE *out, const struct decl *decl, const char *value)
{
    if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED && decl->def->kind == DEF_ENUM)
        EMIT(out, "if (RPCRDMA_XDR_UNLIKELY(!({test})))\nreturn NULL;\n", "test",
             enum_test(decl->def, text("(uint32_t)%s", value)));
}

/* What has to follow a part of which `rest` octets at least follow in the same type. */
static const char *after(uint64_t rest)
{
    return rest ? text("after + %" PRIu64, rest) : "after";
}

/* `octets` besides what follows. */
static void put_room(FILE *out, const char *octets, uint64_t rest)
{
    EMIT(out,
         "if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(room, p) < {octets} + {after}))\n"
         "return NULL;\n",
         "octets", octets, "after", after(rest));
}

/* Store a scalar or fixed opaque at a fixed distance from p. */
static void put_leaf(FILE *out, const struct decl *decl, const char *value, uint32_t offset)
{
    static const char *const store[] = {
        "rpcrdma_xdr_store32({at}, (uint32_t){value});\n",
        "rpcrdma_xdr_store32({at}, {value});\n",
        "rpcrdma_xdr_store64({at}, (uint64_t){value});\n",
        "rpcrdma_xdr_store64({at}, {value});\n",
        "rpcrdma_xdr_store_float({at}, {value});\n",
        "rpcrdma_xdr_store_double({at}, {value});\n",
        "rpcrdma_xdr_copy({at}, {value}, 16);\n",
        "rpcrdma_xdr_store32({at}, {value});\n",
    };
    const char *how = "rpcrdma_xdr_put_octets({at}, {value}, {size});\n";
    if (decl->kind != DECL_FIXED)
        how = store[decl->base == BASE_NAMED ? BASE_INT : decl->base];
    EMIT(out, how, "at", emit_at("p", offset), "value", value, "size",
         decimal((uint64_t)decl->size.number));
}

static void put_leaves(FILE *out, const struct run *run, const char *view)
{
    for (unsigned i = 0; i < run->count; i++)
        if (!run->leaves[i].is_covered)
            put_test(out, run->leaves[i].real.decl, text("%s%s", view, run->leaves[i].lvalue));
    for (unsigned i = 0; i < run->count; i++)
        put_leaf(out, run->leaves[i].real.decl, text("%s%s", view, run->leaves[i].lvalue),
                 run->leaves[i].offset);
}

static void put_run(FILE *out, const struct run *run)
{
    put_leaves(out, run, "v->");
    fprintf(out, "p += %u;\n", run->size);
}

static void put_call(FILE *out, const char *cname, const char *address, uint64_t rest)
{
    EMIT(out, "if ((p = put_{name}(room, p, {v}, {after})) == NULL)\nreturn NULL;\n", "name", cname,
         "v", address, "after", after(rest));
}

/* ---- spans ---- */

/*
 * An item that is one fixed run, or a scalar: room is checked for all of them together. Fills the
 * run with the item's leaves, as fields of "item->".
 */
static bool fixed_item(const struct decl *element, const struct def *list, struct run *run)
{
    const struct decl *field = NULL, *stop = NULL;
    if (list && !back_shape(list)->item_is_field) {
        field = list->fields;
        stop = back_last_field(list);
    } else {
        const struct decl *is = back_real(list ? list->fields : element).decl;
        if (is->kind != DECL_PLAIN || is->base != BASE_NAMED || is->def->kind != DEF_STRUCT ||
            is->def->is_list)
            return false;
        field = is->def->fields;
    }
    *run = back_run(&field, stop);
    return field == stop;
}

/* The octets of one item, a list's presence word included, at least. */
static uint64_t least_item(const struct decl *element, const struct def *list)
{
    uint64_t least = list ? 4 : back_element_least(element);
    const struct decl *stop = list ? back_last_field(list) : NULL;
    for (const struct decl *field = list ? list->fields : NULL; field != stop; field = field->next)
        least += back_least(field);
    return least;
}

/* The loop around what stores one item at p. */
static void put_loop(FILE *out, const char *lv, const char *type, const char *invariant)
{
    EMIT(out,
         "const {type} *item = {items};\nuint32_t i;\n{invariant}"
         "for (i = {count}; i > 0; i--, item++) {\n",
         "invariant", invariant, "type", type, "items", emit_member(lv, "items"), "count",
         emit_member(lv, "count"));
}

/* Whether the runtime turns many such items at once: they may have any value, so no enums. */
static bool is_turned(const struct run *run)
{
    for (unsigned i = 0; i < run->count; i++)
        if (run->leaves[i].real.decl->base == BASE_NAMED)
            return false;
    return back_is_turned(run, false);
}

/* Many of them are left to the encoder that may call others. */
static void put_many(FILE *out, const char *lv)
{
    EMIT(out,
         "if (RPCRDMA_XDR_MANY({count})) {\n"
         "if (room->values_only)\nreturn NULL;\n"
         "rpcrdma_xdr_copy_16(p, (const uint8_t *){items}, {count});\n"
         "p += (size_t){count} * 16;\n} else {\n",
         "count", emit_member(lv, "count"), "items", emit_member(lv, "items"));
}

/* Items of fixed size: one look at the room, then stores alone. */
static void put_fixed_items(FILE *out, const char *lv, const char *type, const struct run *run,
                            const struct decl *scalar, bool is_list, uint64_t rest)
{
    uint64_t stride = (is_list ? 4 : 0) + (scalar ? back_least(scalar) : run->size);
    bool many = !is_list && !scalar && is_turned(run);
    EMIT(out,
         "if ((uint64_t){count} * {stride} + {after} > rpcrdma_xdr_left(room, p))\n"
         "return NULL;\n",
         "count", emit_member(lv, "count"), "stride", decimal(stride), "after",
         after(rest + (is_list ? 4 : 0)));
    if (many)
        put_many(out, lv);
    put_loop(out, lv, type, acsl_put_loop(lv, stride, after(rest + (is_list ? 4 : 0))));
    if (is_list)
        fputs("rpcrdma_xdr_store32(p, 1);\n", out);
    if (scalar) {
        put_test(out, scalar, "*item");
        put_leaf(out, scalar, "*item", 0);
    } else {
        struct run shifted = *run;
        for (unsigned i = 0; is_list && i < shifted.count; i++)
            shifted.leaves[i].offset += 4;
        put_leaves(out, &shifted, "item->");
    }
    fprintf(out, "p += %" PRIu64 ";\n}\n%s", stride, many ? "}\n" : "");
}

static void put_word(FILE *out, const char *value)
{
    EMIT(out, "rpcrdma_xdr_store32(p, {value});\np += 4;\n", "value", value);
}

static void put_items(FILE *out, const char *lv, const char *type, const char *cname,
                      uint64_t least, bool is_list, uint64_t rest, const char *sum)
{
    rest += is_list ? 4 : 0;
    EMIT(out,
         "const {type} *item = {items};\nconst uint32_t count = {count};\nuint32_t i;\n{invariant}"
         "for (i = 0; i < count; i++, item++) {\n",
         "type", type, "items", emit_member(lv, "items"), "count", emit_member(lv, "count"),
         "invariant", acsl_put_sum_loop(lv, sum, after(rest)));
    put_room(out, decimal(least), rest);
    if (is_list)
        put_word(out, "1");
    put_call(out, cname, "item", rest);
    fputs("}\n", out);
}

static void put_span(FILE *out, const char *lv, const struct decl *element, const struct def *list,
                     const char *type, const char *cname, uint64_t rest)
{
    struct run run;
    const struct decl *scalar = element ? back_real(element).decl : NULL;
    EMIT(out,
         "if ({octets}) {\n"
         "if (room->values_only || "
         "RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(room, p) < (uint64_t){octets} + {after}))\n"
         "return NULL;\n"
         "rpcrdma_xdr_copy(p, {wire}, {octets});\np += {octets};\n} else {begin}if ({count}) {\n",
         "begin", list ? "{\n" : "", "octets", emit_member(lv, "octets"), "wire",
         emit_member(lv, "wire"), "count", emit_member(lv, "count"), "after", after(rest));
    if (scalar && back_is_scalar(scalar))
        put_fixed_items(out, lv, type, NULL, scalar, false, rest);
    else if (fixed_item(element, list, &run))
        put_fixed_items(out, lv, type, &run, NULL, list != NULL, rest);
    else
        put_items(out, lv, type, cname, least_item(element, list), list != NULL, rest,
                  list ? back_shape(list)->cname : cname);
    fputs("}\n", out);
    if (!list)
        return;
    put_word(out, "0");
    fputs("}\n", out);
}

/* ---- fields ---- */

static void put_array(FILE *out, const struct decl *decl, const char *lv, uint64_t rest)
{
    struct decl element = *decl;
    element.kind = DECL_PLAIN;
    const char *count = emit_member(lv, "count");
    if (decl->kind == DECL_FIXED || decl->has_size)
        EMIT(out, "if (RPCRDMA_XDR_UNLIKELY({count} {compare} {bound}))\nreturn NULL;\n", "count",
             count, "compare", decl->kind == DECL_FIXED ? "!=" : ">", "bound", emit_bound(decl));
    if (decl->kind == DECL_VAR)
        put_word(out, count);
    put_span(out, lv, &element, NULL, back_element_ctype(decl), back_element_cname(decl), rest);
}

static void put_octets(FILE *out, const struct decl *decl, const char *lv, uint64_t rest)
{
    if (decl->kind == DECL_FIXED) {
        fprintf(out, "p = rpcrdma_xdr_put_octets(p, %s, %" PRId64 ");\n", lv, decl->size.number);
        return;
    }
    const char *length = emit_member(lv, "length");
    if (decl->has_size)
        EMIT(out, "if (RPCRDMA_XDR_UNLIKELY({length} > {bound}))\nreturn NULL;\n", "length", length,
             "bound", emit_bound(decl));
    put_room(out, text("4 + rpcrdma_xdr_round(%s)", length), rest);
    fprintf(out, "p = rpcrdma_xdr_put_opaque(p, %s);\n", emit_address(lv));
}

static void put_optional(FILE *out, const struct decl *decl, const char *lv, uint64_t rest)
{
    const char *present = emit_member(lv, "present");
    if (back_is_list(decl)) {
        put_call(out, back_element_cname(decl), emit_address(lv), rest);
        return;
    }
    put_word(out, present);
    EMIT(out, "if ({present}) {\n", "present", present);
    put_room(out, decimal(back_element_least(decl)), rest);
    put_call(out, back_element_cname(decl), text("&%s", emit_member(lv, "value")), rest);
    fputs("}\n", out);
}

/* A declaration, typedefs seen through only where they rename. */
static void put_decl(FILE *out, const struct decl *decl, const char *lv, uint64_t rest)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        if (back_is_scalar(decl)) {
            put_test(out, decl, lv);
            put_leaf(out, decl, lv, 0);
            fprintf(out, "p += %" PRIu64 ";\n", back_least(decl));
        } else {
            put_call(out, back_element_cname(decl), emit_address(lv), rest);
        }
        return;
    case DECL_FIXED:
    case DECL_VAR:
        if (back_is_octets(decl))
            put_octets(out, decl, lv, rest);
        else
            put_array(out, decl, lv, rest);
        return;
    case DECL_OPTIONAL:
        put_optional(out, decl, lv, rest);
        return;
    case DECL_VOID:
        return;
    }
}

/* Arrays and opaques under a typedef go by its own putter. */
static void put_field(FILE *out, const struct decl *field, uint64_t rest)
{
    const char *lv = text("v->%s", field->name ? back_cfield(field->name) : "");
    struct real real = back_real(field);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        put_call(out, back_shape(real.alias)->cname, emit_address(lv), rest);
    else
        put_decl(out, real.decl, lv, rest);
}

/* What the fields from here on take at least. */
static uint64_t least_of(const struct decl *field, const struct decl *stop)
{
    uint64_t least = 0;
    for (; field != stop; field = field->next)
        least += back_least(field);
    return least;
}

/* A union's discriminant belongs to the run before it. */
static void put_union_in_run(FILE *out, struct run *run, const struct def *def, const char *field,
                             uint64_t rest)
{
    back_add_discriminant(run, def, field);
    put_run(out, run);
    put_call(out, text("%s_arm", back_shape(def)->cname), text("&v->%s", field), rest);
}

static void put_fields(FILE *out, const struct def *def, const struct decl *stop)
{
    for (const struct decl *field = def->fields; field != stop;) {
        struct run run = back_run(&field, stop);
        uint64_t rest = field != stop ? least_of(field->next, stop) : 0;
        if (field != stop && back_union(field)) {
            put_union_in_run(out, &run, back_union(field), back_cfield(field->name), rest);
            field = field->next;
            continue;
        }
        if (run.count > 0) {
            put_run(out, &run);
            continue;
        }
        put_field(out, field, rest);
        field = field->next;
    }
}

/* An arm may take more than the least of them. */
static void put_arm(FILE *out, const struct def *def, const struct arm *arm)
{
    if (back_least(arm->decl) > back_shape(def)->least - 4)
        put_room(out, decimal(back_least(arm->decl)), 0);
    put_field(out, arm->decl, 0);
}

/* ---- putters ---- */

static void put_function(FILE *out, const char *cname, const char *type, const char *body,
                         const struct def *def, uint64_t least, bool is_arm)
{
    emit_function(out, text("put_%s", cname));
    acsl_putter(out, is_arm ? back_shape(def)->cname : cname, def, least, is_arm);
    EMIT(out,
         "RPCRDMA_XDR_PUTTER uint8_t *put_{name}(const struct rpcrdma_xdr_room *room, uint8_t *p, "
         "const {type} *v, size_t after)\n{\n{room}{v}{after}{body}return p;\n}\n",
         "name", cname, "type", type, "room", strstr(body, "(room, p") ? "" : "(void)room;\n", "v",
         strstr(body, "v->") || strstr(body, "*v") || strstr(body, ", v,") ? "" : "(void)v;\n",
         "after", strstr(body, " after") ? "" : "(void)after;\n", "body", body);
}

/* The arm, once the discriminant is written; and a union on its own, with its discriminant. */
static void put_union(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    char *body = NULL;
    FILE *memory = emit_memory(&body);
    emit_arms(memory, def, put_arm, "p = NULL;");
    emit_close(memory, &body);
    put_function(out, text("%s_arm", shape->cname), shape->ctype, body, def, shape->least - 4,
                 true);
    memory = emit_memory(&body);
    struct run run = back_run(&(const struct decl *){NULL}, NULL);
    back_add_discriminant(&run, def, NULL);
    put_run(memory, &run);
    put_call(memory, text("%s_arm", shape->cname), "v", 0);
    emit_close(memory, &body);
    put_function(out, shape->cname, shape->ctype, body, def, shape->least, false);
}

static void put_body(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (def->is_list)
        put_span(out, "(*v)", NULL, def, shape->item, shape->item_cname, 0);
    else if (def->kind == DEF_ENUM)
        EMIT(out,
             "if (RPCRDMA_XDR_UNLIKELY(!({test})))\nreturn NULL;\n"
             "rpcrdma_xdr_store32(p, (uint32_t)*v);\np += 4;\n",
             "test", enum_test(def, "(uint32_t)*v"));
    else if (def->kind == DEF_TYPEDEF)
        put_decl(out, def->target, "(*v)", 0);
    else
        put_fields(out, def, NULL);
}

void emit_putter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    char *body = NULL;
    FILE *memory;
    if (def->is_list && !shape->item_is_field) {
        memory = emit_memory(&body);
        put_fields(memory, def, back_last_field(def));
        emit_close(memory, &body);
        put_function(out, shape->item_cname, shape->item, body, def, least_item(NULL, def) - 4,
                     false);
    }
    if (def->kind == DEF_UNION) {
        put_union(out, def);
        return;
    }
    memory = emit_memory(&body);
    put_body(memory, def);
    emit_close(memory, &body);
    put_function(out, shape->cname, shape->ctype, body, def, shape->least, false);
}
