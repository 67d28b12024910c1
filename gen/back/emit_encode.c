// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: encoders. A putter a type writes a value and returns the place behind it, or NULL if
 * there is no room or the value has no encoding; which of the two, the sizer says afterwards. So
 * what can be encoded is looked at once.
 */
#include "gen/back/shape.h"

#include <inttypes.h>
#include <string.h>

/* What a value must satisfy that its C type does not see to. */
static void put_test(FILE *out, const struct decl *decl, const char *value)
{
    if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED && decl->def->kind == DEF_ENUM)
        fprintf(out, "if (RPCRDMA_XDR_UNLIKELY(!(%s)))\nreturn NULL;\n",
                enum_test(decl->def, text("(uint32_t)%s", value)));
}

static void put_room(FILE *out, const char *octets)
{
    fprintf(out, "if (RPCRDMA_XDR_UNLIKELY((size_t)(end - p) < %s))\nreturn NULL;\n", octets);
}

/* Store a scalar or fixed opaque at a fixed distance from p. */
static void put_leaf(FILE *out, const struct decl *decl, const char *value, uint32_t offset)
{
    static const char *const store[] = {
        "rpcrdma_xdr_store32(p + %u, (uint32_t)",
        "rpcrdma_xdr_store32(p + %u, ",
        "rpcrdma_xdr_store64(p + %u, (uint64_t)",
        "rpcrdma_xdr_store64(p + %u, ",
        "rpcrdma_xdr_store_float(p + %u, ",
        "rpcrdma_xdr_store_double(p + %u, ",
        "rpcrdma_xdr_copy(p + %u, ",
        "rpcrdma_xdr_store32(p + %u, ",
    };
    if (decl->kind == DECL_FIXED) {
        fprintf(out, "rpcrdma_xdr_put_octets(p + %u, %s, %" PRId64 ");\n", offset, value,
                decl->size.number);
        return;
    }
    const char *how = decl->base == BASE_NAMED ? store[BASE_INT] : store[decl->base];
    const char *hole = strstr(how, "%u");
    fprintf(out, "%.*s%u%s%s%s);\n", (int)(hole - how), how, offset, hole + 2, value,
            decl->base == BASE_QUADRUPLE ? ", 16" : "");
}

static void put_leaves(FILE *out, const struct run *run, const char *view)
{
    for (unsigned i = 0; i < run->count; i++)
        put_test(out, run->leaves[i].real.decl, text("%s%s", view, run->leaves[i].lvalue));
    for (unsigned i = 0; i < run->count; i++)
        put_leaf(out, run->leaves[i].real.decl, text("%s%s", view, run->leaves[i].lvalue),
                 run->leaves[i].offset);
}

static void put_run(FILE *out, const struct run *run)
{
    put_room(out, text("%u", run->size));
    put_leaves(out, run, "v->");
    fprintf(out, "p += %u;\n", run->size);
}

static void put_call(FILE *out, const char *cname, const char *lv)
{
    fprintf(out, "if ((p = put_%s(p, end, &%s)) == NULL)\nreturn NULL;\n", cname, lv);
}

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

/* Items of fixed size: one look at the room, then stores alone. */
static void put_fixed_items(FILE *out, const char *lv, const char *type, const struct run *run,
                            const struct decl *scalar, bool is_list)
{
    uint64_t stride = (is_list ? 4 : 0) + (scalar ? back_least(scalar) : run->size);
    fprintf(out,
            "if (RPCRDMA_XDR_UNLIKELY((uint64_t)%s.count * %" PRIu64 "%s > (size_t)(end - p)))\n"
            "return NULL;\nconst %s *item = %s.items;\n"
            "for (uint32_t i = %s.count; i > 0; i--, item++) {\n",
            lv, stride, is_list ? " + 4" : "", type, lv, lv);
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

static void put_items(FILE *out, const char *lv, const char *type, const char *cname, bool is_list)
{
    fprintf(out, "const %s *item = %s.items;\nfor (uint32_t i = %s.count; i > 0; i--, item++) {\n",
            type, lv, lv);
    if (is_list) {
        put_room(out, "4");
        fputs("rpcrdma_xdr_store32(p, 1);\np += 4;\n", out);
    }
    put_call(out, cname, "*item");
    fputs("}\n", out);
    if (is_list) {
        put_room(out, "4");
        fputs("rpcrdma_xdr_store32(p, 0);\np += 4;\n", out);
    }
}

static void put_span(FILE *out, const char *lv, const struct decl *element, const struct def *list,
                     const char *type, const char *cname)
{
    struct run run;
    const struct decl *scalar = element ? back_real(element).decl : NULL;
    fprintf(
        out,
        "if (%s.octets) {\nif (RPCRDMA_XDR_UNLIKELY((size_t)(end - p) < %s.octets))\nreturn NULL;\n"
        "rpcrdma_xdr_copy(p, %s.wire, %s.octets);\np += %s.octets;\n} else {\n",
        lv, lv, lv, lv, lv);
    if (scalar && back_is_scalar(scalar))
        put_fixed_items(out, lv, type, NULL, scalar, false);
    else if (fixed_item(element, list, &run))
        put_fixed_items(out, lv, type, &run, NULL, list != NULL);
    else
        put_items(out, lv, type, cname, list != NULL);
    fputs("}\n", out);
}

static void put_array(FILE *out, const struct decl *decl, const char *lv)
{
    struct decl element = *decl;
    element.kind = DECL_PLAIN;
    if (decl->kind == DECL_FIXED || decl->has_size)
        fprintf(out, "if (RPCRDMA_XDR_UNLIKELY(%s.count %s %" PRIu64 "U))\nreturn NULL;\n", lv,
                decl->kind == DECL_FIXED ? "!=" : ">", (uint64_t)decl->size.number);
    if (decl->kind == DECL_VAR) {
        put_room(out, "4");
        fprintf(out, "rpcrdma_xdr_store32(p, %s.count);\np += 4;\n", lv);
    }
    put_span(out, lv, &element, NULL, back_element_ctype(decl), back_element_cname(decl));
}

static void put_octets(FILE *out, const struct decl *decl, const char *lv)
{
    if (decl->kind == DECL_FIXED) {
        put_room(out, text("%" PRIu64, back_least(decl)));
        fprintf(out, "p = rpcrdma_xdr_put_octets(p, %s, %" PRId64 ");\n", lv, decl->size.number);
        return;
    }
    if (decl->has_size)
        fprintf(out, "if (RPCRDMA_XDR_UNLIKELY(%s.length > %" PRIu64 "U))\nreturn NULL;\n", lv,
                (uint64_t)decl->size.number);
    put_room(out, text("4 + rpcrdma_xdr_round(%s.length)", lv));
    fprintf(out, "p = rpcrdma_xdr_put_opaque(p, &%s);\n", lv);
}

static void put_optional(FILE *out, const struct decl *decl, const char *lv)
{
    if (decl->base == BASE_NAMED && decl->def->is_list) {
        put_call(out, back_element_cname(decl), lv);
        return;
    }
    put_room(out, "4");
    fprintf(out, "rpcrdma_xdr_store32(p, %s.present);\np += 4;\nif (%s.present) {\n", lv, lv);
    put_call(out, back_element_cname(decl), text("%s.value", lv));
    fputs("}\n", out);
}

/* A declaration, typedefs seen through only where they rename. */
static void put_decl(FILE *out, const struct decl *decl, const char *lv)
{
    bool octets = decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
    switch (decl->kind) {
    case DECL_PLAIN:
        if (back_is_scalar(decl)) {
            put_room(out, text("%" PRIu64, back_least(decl)));
            put_test(out, decl, lv);
            put_leaf(out, decl, lv, 0);
            fprintf(out, "p += %" PRIu64 ";\n", back_least(decl));
        } else {
            put_call(out, back_element_cname(decl), lv);
        }
        return;
    case DECL_FIXED:
    case DECL_VAR:
        if (octets)
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

/* Arrays and opaques behind a typedef go by its own putter. */
static void put_field(FILE *out, const struct decl *field)
{
    const char *lv = text("v->%s", field->name ? back_cfield(field->name) : "");
    struct real real = back_real(field);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        put_call(out, back_shape(real.alias)->cname, lv);
    else
        put_decl(out, real.decl, lv);
}

static void put_fields(FILE *out, const struct def *def, const struct decl *stop)
{
    for (const struct decl *field = def->fields; field != stop;) {
        struct run run = back_run(&field, stop);
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

static void put_union(FILE *out, const struct def *def)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    put_decl(out, tag, text("v->%s", back_cfield(def->discriminant->name)));
    emit_arms(out, def, put_arm, "return NULL;");
}

static void put_head(FILE *out, const char *cname, const char *type)
{
    fprintf(
        out,
        "\nRPCRDMA_XDR_PUTTER uint8_t *put_%s(uint8_t *p, const uint8_t *end, const %s *v)\n{\n",
        cname, type);
}

static void emit_putter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (def->is_list && !shape->item_is_field) {
        put_head(out, shape->item_cname, shape->item);
        put_fields(out, def, back_last_field(def));
        fputs("return p;\n}\n", out);
    }
    put_head(out, shape->cname, shape->ctype);
    if (def->is_list)
        put_span(out, "(*v)", NULL, def, shape->item, shape->item_cname);
    else if (def->kind == DEF_ENUM)
        fprintf(out,
                "if (RPCRDMA_XDR_UNLIKELY((size_t)(end - p) < 4 || !(%s)))\nreturn NULL;\n"
                "rpcrdma_xdr_store32(p, (uint32_t)*v);\np += 4;\n",
                enum_test(def, "(uint32_t)*v"));
    else if (def->kind == DEF_UNION)
        put_union(out, def);
    else if (def->kind == DEF_TYPEDEF)
        put_decl(out, def->target, "(*v)");
    else
        put_fields(out, def, NULL);
    fputs("return p;\n}\n", out);
}

void emit_putters(FILE *out, const struct spec *spec)
{
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (!back_is_encoded(def))
            continue;
        annotate(out, spec, &def->start);
        emit_putter(out, def);
    }
}
