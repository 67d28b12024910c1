// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: encoders. A sizer a type computes its octets and refuses values that have no encoding;
 * a putter then writes without looking at room. Sizes are added in 64 bits.
 */
#include "back.h"

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
        fprintf(out, "        return xdr_value_at(out, n, \"%s\");\n", step);
    else
        fputs("        return n;\n", out);
}

static bool has_default(const struct def *def)
{
    const struct arm *arm = def->arms;
    while (arm->next)
        arm = arm->next;
    return arm->is_default;
}

/* ---- sizers ---- */

static void size_call(FILE *out, const char *cname, const char *lv, const char *step)
{
    fprintf(out, "    if (XDR_UNLIKELY((n = size_%s(out, &%s)) < 0))\n", cname, lv);
    emit_fail(out, step);
    fputs("    total += n;\n", out);
}

/* The elements of a span to encode; on the wire they have their octets already. */
static void size_span(FILE *out, const char *lv, const char *type, const char *cname, bool simple,
                      uint64_t stride, uint64_t extra, const char *step)
{
    fprintf(out, "    if (%s.wire)\n        total += %s.octets;\n", lv, lv);
    if (simple) {
        fprintf(out, "    else\n        total += %s.count * (int64_t)%" PRIu64 " + %" PRIu64 ";\n",
                lv, stride, extra);
        return;
    }
    fprintf(
        out,
        "    else {\n        const %s *items = %s.items;\n        total += %" PRIu64 ";\n"
        "        for (uint32_t i = 0; i < %s.count; i++) {\n"
        "            if (XDR_UNLIKELY((n = size_%s(out, &items[i])) < 0))\n"
        "                return xdr_value_at_index(out, n, \"%s\", i);\n"
        "            total += n + %" PRIu64 ";\n"
        "            if (XDR_UNLIKELY(total > INT32_MAX))\n"
        "                return xdr_bad_value(out, XDR_E_ARGUMENT, \"%s\");\n        }\n    }\n",
        type, lv, extra, lv, cname, step, extra, step);
}

static void size_array(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    bool simple = back_element_fixed(decl) && (back_element_free(decl) || decl->base == BASE_BOOL);
    if (decl->kind == DECL_VAR && decl->has_size)
        fprintf(out,
                "    if (XDR_UNLIKELY(%s.count > %s))\n"
                "        return xdr_bad_value(out, XDR_E_BOUND, \"%s\");\n",
                lv, bound_of(decl), step);
    if (decl->kind == DECL_FIXED)
        fprintf(out,
                "    if (XDR_UNLIKELY(%s.count != %s))\n"
                "        return xdr_bad_value(out, XDR_E_BOUND, \"%s\");\n",
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
        fprintf(out, "    if (XDR_UNLIKELY((n = xdr_size_opaque(out, %s, &%s)) < 0))\n",
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

/* Arrays and opaques behind a typedef go by its own functions. */
static void each_field(FILE *out, const struct decl *decl, const char *lv, bool is_arm,
                       void (*plain)(FILE *, const struct decl *, const char *, const char *),
                       void (*call)(FILE *, const char *, const char *, const char *))
{
    struct real real = back_real(decl);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        call(out, back_shape(real.alias)->cname, lv, back_step(decl, is_arm));
    else
        plain(out, real.decl, lv,
              back_step(&(struct decl){.name = decl->name,
                                       .kind = real.decl->kind,
                                       .base = real.decl->base,
                                       .def = real.decl->def},
                        is_arm));
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

static void size_union(FILE *out, const struct def *def)
{
    const struct decl *tag = def->discriminant;
    struct real real = back_real(tag);
    const char *field = back_cfield(tag->name);
    fprintf(out, "    total += 4;\n    switch (%sv->%s) {\n",
            real.decl->base == BASE_BOOL ? "(int)" : "", field);
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            fprintf(out, "    case %s:\n", label_text(real.decl, &arm->labels[i]));
        if (arm->is_default) {
            fputs("    default:\n", out);
            if (real.decl->base == BASE_NAMED)
                fprintf(out,
                        "        if (!(%s))\n"
                        "            return xdr_bad_value(out, XDR_E_ENUM, \"%s\");\n",
                        enum_test(real.decl->def, text("(uint32_t)v->%s", field)), tag->name);
        }
        if (arm->decl->kind != DECL_VOID)
            each_field(out, arm->decl, text("v->%s", back_cfield(arm->decl->name)), true, size_decl,
                       size_call);
        fputs("        break;\n", out);
    }
    if (!has_default(def))
        fprintf(out, "    default:\n        return xdr_bad_value(out, XDR_E_UNION, \"%s\");\n",
                tag->name);
    fputs("    }\n", out);
}

static void size_head(FILE *out, const char *cname, const char *type)
{
    fprintf(out,
            "\nXDR_UNUSED static int64_t size_%s(const struct xdr_out *out, const %s *v)\n{\n"
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
            each_field(out, field, text("v->%s", back_cfield(field->name)), false, size_decl,
                       size_call);
        fputs("    return total;\n}\n", out);
    }
    size_head(out, shape->cname, shape->ctype);
    if (def->is_list)
        size_list(out, def);
    else if (def->kind == DEF_ENUM)
        fprintf(out,
                "    if (XDR_UNLIKELY(!(%s)))\n        return xdr_bad_value(out, XDR_E_ENUM, "
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
            each_field(out, field, text("v->%s", back_cfield(field->name)), false, size_decl,
                       size_call);
    fputs("    return total;\n}\n", out);
}

/* ---- putters ---- */

static void put_call(FILE *out, const char *cname, const char *lv, const char *step)
{
    (void)step;
    fprintf(out, "    p = put_%s(p, &%s);\n", cname, lv);
}

static void put_scalar(FILE *out, const struct decl *decl, const char *lv)
{
    static const char *const how[] = {
        "    xdr_store32(p, (uint32_t)%s);\n    p += 4;\n",
        "    xdr_store32(p, %s);\n    p += 4;\n",
        "    xdr_store64(p, (uint64_t)%s);\n    p += 8;\n",
        "    xdr_store64(p, %s);\n    p += 8;\n",
        "    xdr_store_float(p, %s);\n    p += 4;\n",
        "    xdr_store_double(p, %s);\n    p += 8;\n",
        "    p = xdr_put_octets(p, %s, 16);\n",
        "    xdr_store32(p, %s);\n    p += 4;\n",
    };
    const char *format = decl->base == BASE_NAMED ? how[BASE_INT] : how[decl->base];
    const char *hole = strstr(format, "%s");
    fprintf(out, "%.*s%s%s", (int)(hole - format), format, lv, hole + 2);
}

static void put_span(FILE *out, const char *lv, const struct decl *element, const char *type,
                     const char *cname, bool is_list)
{
    fprintf(
        out,
        "    if (%s.wire) {\n        xdr_copy(p, %s.wire, %s.octets);\n        p += %s.octets;\n"
        "    } else {\n        const %s *items = %s.items;\n"
        "        for (uint32_t i = 0; i < %s.count; i++) {\n",
        lv, lv, lv, lv, type, lv, lv);
    if (is_list)
        fputs("            xdr_store32(p, 1);\n            p += 4;\n", out);
    if (element && back_is_scalar(back_real(element).decl))
        put_scalar(out, back_real(element).decl, "items[i]");
    else
        fprintf(out, "            p = put_%s(p, &items[i]);\n", cname);
    fputs("        }\n", out);
    if (is_list)
        fputs("        xdr_store32(p, 0);\n        p += 4;\n", out);
    fputs("    }\n", out);
}

static void put_decl(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    (void)step;
    switch (decl->kind) {
    case DECL_PLAIN:
        if (back_is_scalar(decl))
            put_scalar(out, decl, lv);
        else
            put_call(out, back_element_cname(decl), lv, "");
        return;
    case DECL_FIXED:
    case DECL_VAR:
        if (is_octets(decl)) {
            if (decl->kind == DECL_FIXED)
                fprintf(out, "    p = xdr_put_octets(p, %s, %" PRId64 ");\n", lv,
                        decl->size.number);
            else
                fprintf(out, "    p = xdr_put_opaque(p, &%s);\n", lv);
            return;
        }
        if (decl->kind == DECL_VAR)
            fprintf(out, "    xdr_store32(p, %s.count);\n    p += 4;\n", lv);
        struct decl element = *decl;
        element.kind = DECL_PLAIN;
        put_span(out, lv, &element, back_element_ctype(decl), back_element_cname(decl), false);
        return;
    case DECL_OPTIONAL:
        if (decl->base == BASE_NAMED && decl->def->is_list) {
            put_call(out, back_element_cname(decl), lv, "");
            return;
        }
        fprintf(out, "    xdr_store32(p, %s.present);\n    p += 4;\n    if (%s.present) {\n", lv,
                lv);
        put_call(out, back_element_cname(decl), text("%s.value", lv), "");
        fputs("    }\n", out);
        return;
    case DECL_VOID:
        return;
    }
}

static void put_union(FILE *out, const struct def *def)
{
    const struct decl *tag = def->discriminant;
    struct real real = back_real(tag);
    put_scalar(out, real.decl, text("v->%s", back_cfield(tag->name)));
    fprintf(out, "    switch (%sv->%s) {\n", real.decl->base == BASE_BOOL ? "(int)" : "",
            back_cfield(tag->name));
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            fprintf(out, "    case %s:\n", label_text(real.decl, &arm->labels[i]));
        if (arm->is_default)
            fputs("    default:\n", out);
        if (arm->decl->kind != DECL_VOID)
            each_field(out, arm->decl, text("v->%s", back_cfield(arm->decl->name)), true, put_decl,
                       put_call);
        fputs("        break;\n", out);
    }
    if (!has_default(def))
        fputs("    default:\n        break;\n", out);
    fputs("    }\n", out);
}

static void put_head(FILE *out, const char *cname, const char *type)
{
    fprintf(out, "\nXDR_UNUSED static uint8_t *put_%s(uint8_t *p, const %s *v)\n{\n", cname, type);
}

static void emit_putter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = def->is_list ? back_last_field(def) : NULL;
    if (def->is_list && !shape->item_is_field) {
        put_head(out, shape->item_cname, shape->item);
        for (const struct decl *field = def->fields; field != stop; field = field->next)
            each_field(out, field, text("v->%s", back_cfield(field->name)), false, put_decl,
                       put_call);
        fputs("    return p;\n}\n", out);
    }
    put_head(out, shape->cname, shape->ctype);
    if (def->is_list)
        put_span(out, "(*v)", NULL, shape->item, shape->item_cname, true);
    else if (def->kind == DEF_ENUM)
        fputs("    xdr_store32(p, (uint32_t)*v);\n    p += 4;\n", out);
    else if (def->kind == DEF_UNION)
        put_union(out, def);
    else if (def->kind == DEF_TYPEDEF)
        put_decl(out, def->target, "(*v)", "");
    else
        for (const struct decl *field = def->fields; field; field = field->next)
            each_field(out, field, text("v->%s", back_cfield(field->name)), false, put_decl,
                       put_call);
    fputs("    return p;\n}\n", out);
}

void emit_encoders(FILE *out, const struct spec *spec)
{
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (def->kind == DEF_CONST || !back_shape(def)->reachable)
            continue;
        if (def->kind == DEF_TYPEDEF && back_real(def->target).decl->kind == DECL_PLAIN)
            continue;
        annotate(out, spec, &def->start);
        emit_sizer(out, def);
        emit_putter(out, def);
    }
}
