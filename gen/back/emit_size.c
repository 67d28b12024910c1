// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: sizers. One a type: how many octets a value takes, or why it has no encoding. Sizes are
 * added in 64 bits.
 */
#include "gen/back/shape.h"

#include <inttypes.h>
#include <string.h>

static const char *bound_of(const struct decl *decl)
{
    return decl->has_size ? text("%" PRIu64 "U", (uint64_t)decl->size.number) : "UINT32_MAX";
}

static bool is_octets(const struct decl *decl)
{
    return decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
}

static void emit_fail(FILE *out, const char *step)
{
    if (*step)
        fprintf(out, "        return rpcrdma_xdr_value_at(out, n, \"%s\");\n", step);
    else
        fputs("        return n;\n", out);
}

static void size_call(FILE *out, const char *cname, const char *lv, const char *step)
{
    fprintf(out, "    if (RPCRDMA_XDR_UNLIKELY((n = size_%s(out, &%s)) < 0))\n", cname, lv);
    emit_fail(out, step);
    fputs("    total += n;\n", out);
}

/* The elements of a span to encode; on the wire they have their octets already. */
static void size_span(FILE *out, const char *lv, const char *type, const char *cname, bool simple,
                      uint64_t stride, uint64_t extra, const char *step)
{
    fprintf(out, "    if (%s.octets)\n        total += %s.octets;\n", lv, lv);
    if (simple) {
        fprintf(out, "    else\n        total += %s.count * (int64_t)%" PRIu64 " + %" PRIu64 ";\n",
                lv, stride, extra);
        return;
    }
    fprintf(out,
            "    else {\n        const %s *items = %s.items;\n        total += %" PRIu64 ";\n"
            "        for (uint32_t i = 0; i < %s.count; i++) {\n"
            "            if (RPCRDMA_XDR_UNLIKELY((n = size_%s(out, &items[i])) < 0))\n"
            "                return rpcrdma_xdr_value_at_index(out, n, \"%s\", i);\n"
            "            total += n + %" PRIu64 ";\n"
            "            if (RPCRDMA_XDR_UNLIKELY(total > INT32_MAX))\n"
            "                return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_ARGUMENT, \"%s\");\n  "
            "      }\n    }\n",
            type, lv, extra, lv, cname, step, extra, step);
}

static void size_array(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    bool is_bool = strcmp(back_element_cname(decl), "rpcrdma_xdr_bool") == 0;
    bool simple = back_element_fixed(decl) && (back_element_free(decl) || is_bool);
    if (decl->kind == DECL_VAR && decl->has_size)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(%s.count > %s))\n"
                "        return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_BOUND, \"%s\");\n",
                lv, bound_of(decl), step);
    if (decl->kind == DECL_FIXED)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(%s.count != %s))\n"
                "        return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_BOUND, \"%s\");\n",
                lv, bound_of(decl), step);
    else
        fputs("    total += 4;\n", out);
    size_span(out, lv, back_element_ctype(decl), back_element_cname(decl), simple,
              back_element_least(decl), 0, step);
}

static void size_decl(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        if (back_is_scalar(decl) && decl->base != BASE_NAMED)
            fprintf(out, "    total += %" PRIu64 ";\n", back_least(decl));
        else
            size_call(out, back_element_cname(decl), lv, step);
        return;
    case DECL_FIXED:
        if (is_octets(decl))
            fprintf(out, "    total += %" PRIu64 ";\n", back_least(decl));
        else
            size_array(out, decl, lv, step);
        return;
    case DECL_VAR:
        if (!is_octets(decl)) {
            size_array(out, decl, lv, step);
            return;
        }
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY((n = rpcrdma_xdr_size_opaque(out, %s, &%s)) < 0))\n",
                bound_of(decl), lv);
        emit_fail(out, step);
        fputs("    total += n;\n", out);
        return;
    case DECL_OPTIONAL:
        if (decl->base == BASE_NAMED && decl->def->is_list) {
            size_call(out, back_element_cname(decl), lv, step);
            return;
        }
        fprintf(out, "    total += 4;\n    if (%s.present) {\n", lv);
        size_call(out, back_element_cname(decl), text("%s.value", lv), step);
        fputs("    }\n", out);
        return;
    case DECL_VOID:
        return;
    }
}

/* Arrays and opaques behind a typedef go by its own sizer. */
static void size_field(FILE *out, const struct decl *field, bool is_arm)
{
    const char *lv = text("v->%s", back_cfield(field->name));
    struct real real = back_real(field);
    struct decl seen = *real.decl;
    seen.name = field->name;
    if (real.alias && real.decl->kind != DECL_PLAIN)
        size_call(out, back_shape(real.alias)->cname, lv, back_step(field, is_arm));
    else
        size_decl(out, real.decl, lv, back_step(&seen, is_arm));
}

static void size_list(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = back_last_field(def);
    uint64_t least = 0;
    bool is_free = true;
    for (const struct decl *field = def->fields; field != stop; field = field->next) {
        least += back_least(field);
        is_free = is_free && back_free(field);
    }
    size_span(out, "(*v)", shape->item, shape->item_cname, is_free, least + 4, 4, "");
}

static void size_arm(FILE *out, const struct def *def, const struct arm *arm)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    if (arm->is_default && tag->base == BASE_NAMED)
        fprintf(out, "if (!(%s))\nreturn rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_ENUM, \"%s\");\n",
                enum_test(tag->def, text("(uint32_t)v->%s", back_cfield(def->discriminant->name))),
                def->discriminant->name);
    if (arm->decl->kind != DECL_VOID)
        size_field(out, arm->decl, true);
}

static void size_union(FILE *out, const struct def *def)
{
    fputs("total += 4;\n", out);
    emit_arms(out, def, size_arm,
              text("return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_UNION, \"%s\");",
                   def->discriminant->name));
}

static void size_head(FILE *out, const char *cname, const char *type)
{
    fprintf(out,
            "\nRPCRDMA_XDR_UNUSED static int64_t size_%s(const struct rpcrdma_xdr_out *out, const "
            "%s *v)\n{\n"
            "    int64_t total = 0, n = 0;\n    (void)out, (void)v, (void)n;\n",
            cname, type);
}

static void emit_sizer(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = def->is_list ? back_last_field(def) : NULL;
    if (def->is_list && !shape->item_is_field) {
        size_head(out, shape->item_cname, shape->item);
        for (const struct decl *field = def->fields; field != stop; field = field->next)
            size_field(out, field, false);
        fputs("    return total;\n}\n", out);
    }
    size_head(out, shape->cname, shape->ctype);
    if (def->is_list)
        size_list(out, def);
    else if (def->kind == DEF_ENUM)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(!(%s)))\n        return rpcrdma_xdr_bad_value(out, "
                "RPCRDMA_XDR_E_ENUM, "
                "\"\");\n    total = 4;\n",
                enum_test(def, "(uint32_t)*v"));
    else if (def->kind == DEF_UNION)
        size_union(out, def);
    else if (def->kind == DEF_TYPEDEF)
        size_decl(out, def->target, "(*v)", "");
    else if (shape->free)
        fprintf(out, "    total = %" PRIu64 ";\n", shape->least);
    else
        for (const struct decl *field = def->fields; field; field = field->next)
            size_field(out, field, false);
    fputs("    return total;\n}\n", out);
}

void emit_sizers(FILE *out, const struct spec *spec)
{
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (!back_is_encoded(def))
            continue;
        annotate(out, spec, &def->start);
        emit_sizer(out, def);
    }
}
