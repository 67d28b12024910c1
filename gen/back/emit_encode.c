// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: encoders. A putter a type writes a value and returns the place after it, or NULL if
 * there is no room or the value has no encoding; which of the two, the sizer says afterwards. So
 * what can be encoded is looked at once.
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

static void put_room(FILE *out, const char *octets)
{
    EMIT(out, "if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(room, p) < {octets}))\nreturn NULL;\n",
         "octets", octets);
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
    put_room(out, decimal(run->size));
    put_leaves(out, run, "v->");
    fprintf(out, "p += %u;\n", run->size);
}

static void put_call(FILE *out, const char *cname, const char *address)
{
    EMIT(out, "if ((p = put_{name}(room, p, {v})) == NULL)\nreturn NULL;\n", "name", cname, "v",
         address);
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
    return run->count > 0 && field == stop;
}

/* The loop around what stores one item at p. */
static void put_loop(FILE *out, const char *lv, const char *type)
{
    EMIT(out,
         "const {type} *item = {items};\n"
         "for (uint32_t i = {count}; i > 0; i--, item++) {\n",
         "type", type, "items", emit_member(lv, "items"), "count", emit_member(lv, "count"));
}

/* Items of fixed size: one look at the room, then stores alone. */
static void put_fixed_items(FILE *out, const char *lv, const char *type, const struct run *run,
                            const struct decl *scalar, bool is_list)
{
    uint64_t stride = (is_list ? 4 : 0) + (scalar ? back_least(scalar) : run->size);
    EMIT(
        out,
        "if (RPCRDMA_XDR_UNLIKELY((uint64_t){count} * {stride}{end} > rpcrdma_xdr_left(room, p)))\n"
        "return NULL;\n",
        "count", emit_member(lv, "count"), "stride", decimal(stride), "end", is_list ? " + 4" : "");
    put_loop(out, lv, type);
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
    fprintf(out, "p += %" PRIu64 ";\n}\n", stride);
    if (is_list)
        fputs("rpcrdma_xdr_store32(p, 0);\np += 4;\n", out);
}

static void put_presence(FILE *out, const char *value)
{
    put_room(out, "4");
    EMIT(out, "rpcrdma_xdr_store32(p, {value});\np += 4;\n", "value", value);
}

static void put_items(FILE *out, const char *lv, const char *type, const char *cname, bool is_list)
{
    put_loop(out, lv, type);
    if (is_list)
        put_presence(out, "1");
    put_call(out, cname, "item");
    fputs("}\n", out);
    if (is_list)
        put_presence(out, "0");
}

static void put_span(FILE *out, const char *lv, const struct decl *element, const struct def *list,
                     const char *type, const char *cname)
{
    struct run run;
    const struct decl *scalar = element ? back_real(element).decl : NULL;
    EMIT(out,
         "if ({octets}) {\n"
         "if (room->values_only || RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(room, p) < {octets}))\n"
         "return NULL;\n"
         "rpcrdma_xdr_copy(p, {wire}, {octets});\np += {octets};\n} else {\n",
         "octets", emit_member(lv, "octets"), "wire", emit_member(lv, "wire"));
    if (scalar && back_is_scalar(scalar))
        put_fixed_items(out, lv, type, NULL, scalar, false);
    else if (fixed_item(element, list, &run))
        put_fixed_items(out, lv, type, &run, NULL, list != NULL);
    else
        put_items(out, lv, type, cname, list != NULL);
    fputs("}\n", out);
}

/* ---- fields ---- */

static void put_array(FILE *out, const struct decl *decl, const char *lv)
{
    struct decl element = *decl;
    element.kind = DECL_PLAIN;
    const char *count = emit_member(lv, "count");
    if (decl->kind == DECL_FIXED || decl->has_size)
        EMIT(out, "if (RPCRDMA_XDR_UNLIKELY({count} {compare} {bound}))\nreturn NULL;\n", "count",
             count, "compare", decl->kind == DECL_FIXED ? "!=" : ">", "bound", emit_bound(decl));
    if (decl->kind == DECL_VAR)
        put_presence(out, count);
    put_span(out, lv, &element, NULL, back_element_ctype(decl), back_element_cname(decl));
}

static void put_octets(FILE *out, const struct decl *decl, const char *lv)
{
    if (decl->kind == DECL_FIXED) {
        put_room(out, decimal(back_least(decl)));
        fprintf(out, "p = rpcrdma_xdr_put_octets(p, %s, %" PRId64 ");\n", lv, decl->size.number);
        return;
    }
    const char *length = emit_member(lv, "length");
    if (decl->has_size)
        EMIT(out, "if (RPCRDMA_XDR_UNLIKELY({length} > {bound}))\nreturn NULL;\n", "length", length,
             "bound", emit_bound(decl));
    put_room(out, text("4 + rpcrdma_xdr_round(%s)", length));
    fprintf(out, "p = rpcrdma_xdr_put_opaque(p, %s);\n", emit_address(lv));
}

static void put_optional(FILE *out, const struct decl *decl, const char *lv)
{
    if (back_is_list(decl)) {
        put_call(out, back_element_cname(decl), emit_address(lv));
        return;
    }
    put_presence(out, emit_member(lv, "present"));
    EMIT(out, "if ({present} && (p = put_{name}(room, p, &{value})) == NULL)\nreturn NULL;\n",
         "present", emit_member(lv, "present"), "name", back_element_cname(decl), "value",
         emit_member(lv, "value"));
}

/* A declaration, typedefs seen through only where they rename. */
static void put_decl(FILE *out, const struct decl *decl, const char *lv)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        if (back_is_scalar(decl)) {
            put_room(out, decimal(back_least(decl)));
            put_test(out, decl, lv);
            put_leaf(out, decl, lv, 0);
            fprintf(out, "p += %" PRIu64 ";\n", back_least(decl));
        } else {
            put_call(out, back_element_cname(decl), emit_address(lv));
        }
        return;
    case DECL_FIXED:
    case DECL_VAR:
        if (back_is_octets(decl))
            put_octets(out, decl, lv);
        else
            put_array(out, decl, lv);
        return;
    case DECL_OPTIONAL:
        put_optional(out, decl, lv);
        return;
    case DECL_VOID:
        return;
    }
}

/* Arrays and opaques under a typedef go by its own putter. */
static void put_field(FILE *out, const struct decl *field)
{
    const char *lv = text("v->%s", field->name ? back_cfield(field->name) : "");
    struct real real = back_real(field);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        put_call(out, back_shape(real.alias)->cname, emit_address(lv));
    else
        put_decl(out, real.decl, lv);
}

/* A union's discriminant belongs to the run before it, which saves a comparison. */
static void put_union_in_run(FILE *out, struct run *run, const struct def *def, const char *field)
{
    back_add_discriminant(run, def, field);
    put_run(out, run);
    put_call(out, text("%s_arm", back_shape(def)->cname), text("&v->%s", field));
}

static void put_fields(FILE *out, const struct def *def, const struct decl *stop)
{
    for (const struct decl *field = def->fields; field != stop;) {
        struct run run = back_run(&field, stop);
        if (field != stop && back_union(field)) {
            put_union_in_run(out, &run, back_union(field), back_cfield(field->name));
            field = field->next;
            continue;
        }
        if (run.count > 0) {
            put_run(out, &run);
            continue;
        }
        put_field(out, field);
        field = field->next;
    }
}

static void put_arm(FILE *out, const struct def *def, const struct arm *arm)
{
    (void)def;
    if (arm->decl->kind != DECL_VOID)
        put_field(out, arm->decl);
}

/* ---- putters ---- */

static void put_head(FILE *out, const char *cname, const char *type)
{
    emit_function(out, text("put_%s", cname));
    EMIT(out,
         "RPCRDMA_XDR_PUTTER uint8_t *put_{name}(const struct rpcrdma_xdr_room *room, uint8_t *p, "
         "const {type} *v)\n{\n",
         "name", cname, "type", type);
}

/* The arm, once the discriminant is written; and a union on its own, with its discriminant. */
static void put_union(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    char *arms = NULL;
    FILE *memory = emit_memory(&arms);
    emit_arms(memory, def, put_arm, "return NULL;");
    emit_close(memory, &arms);
    put_head(out, text("%s_arm", shape->cname), shape->ctype);
    fprintf(out, "%s%s%sreturn p;\n}\n", strstr(arms, "room, ") ? "" : "(void)room;\n",
            strstr(arms, "v->") ? "" : "(void)v;\n", arms);
    put_head(out, shape->cname, shape->ctype);
    struct run run = back_run(&(const struct decl *){NULL}, NULL);
    back_add_discriminant(&run, def, NULL);
    put_run(out, &run);
    EMIT(out, "return put_{name}_arm(room, p, v);\n}\n", "name", shape->cname);
}

void emit_putter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (def->is_list && !shape->item_is_field) {
        put_head(out, shape->item_cname, shape->item);
        put_fields(out, def, back_last_field(def));
        fputs("return p;\n}\n", out);
    }
    if (def->kind == DEF_UNION) {
        put_union(out, def);
        return;
    }
    put_head(out, shape->cname, shape->ctype);
    if (def->is_list)
        put_span(out, "(*v)", NULL, def, shape->item, shape->item_cname);
    else if (def->kind == DEF_ENUM)
        EMIT(out,
             "if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(room, p) < 4 || !({test})))\nreturn NULL;\n"
             "rpcrdma_xdr_store32(p, (uint32_t)*v);\np += 4;\n",
             "test", enum_test(def, "(uint32_t)*v"));
    else if (def->kind == DEF_TYPEDEF)
        put_decl(out, def->target, "(*v)");
    else
        put_fields(out, def, NULL);
    fputs("return p;\n}\n", out);
}
