// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: decoders. One static getter a type, from a place in the octets to the place behind it,
 * or NULL after noting the error. A getter that fails leaves the path's inner steps; each caller
 * adds its own. Nothing here calls itself: xdr_check() admits no recursion but that of lists, which
 * are loops.
 */
#include "gen/back/shape.h"

#include <inttypes.h>
#include <string.h>

/* Two names for one value are one value. */
static bool is_repeated(const struct def *def, const struct enumerator *enumerator)
{
    for (const struct enumerator *e = def->enumerators; e != enumerator; e = e->next)
        if (e->value.number == enumerator->value.number)
            return true;
    return false;
}

const char *enum_test(const struct def *def, const char *value)
{
    int64_t low = def->enumerators->value.number, high = low;
    uint64_t count = 0;
    for (const struct enumerator *e = def->enumerators; e; e = e->next) {
        low = e->value.number < low ? e->value.number : low;
        high = e->value.number > high ? e->value.number : high;
        count += !is_repeated(def, e);
    }
    if ((uint64_t)(high - low) + 1 != count)
        return text("is_%s(%s)", back_shape(def)->cname, value);
    if (low == 0)
        return text("%s <= %" PRId64, value, high);
    return text("%s - %" PRIu32 "U <= %" PRId64, value, (uint32_t)low, high - low);
}

/* Enumerators with gaps between them need a function that knows them. */
static void emit_enum_test(FILE *out, const struct def *def)
{
    const char *test = enum_test(def, "value");
    if (strncmp(test, "is_", 3) != 0)
        return;
    fprintf(out,
            "\nRPCRDMA_XDR_UNUSED static bool is_%s(uint32_t value)\n{\n    switch "
            "((int32_t)value) {\n",
            back_shape(def)->cname);
    for (const struct enumerator *e = def->enumerators; e; e = e->next)
        if (!is_repeated(def, e))
            fprintf(out, "    case %s:\n", back_constant(e->name));
    fputs("        return true;\n    }\n    return false;\n}\n", out);
}

static void emit_getter_head(FILE *out, const char *stem, const char *type)
{
    fprintf(out,
            "RPCRDMA_XDR_GETTER const uint8_t *get_%s(const struct rpcrdma_xdr_in *in, const "
            "uint8_t *p, %s *v)\n{\n",
            stem, type);
}

static void emit_leaf_check(FILE *out, const struct leaf *leaf)
{
    const struct decl *decl = leaf->real.decl;
    const char *at = text("p + %u", leaf->offset);
    if (decl->kind == DECL_FIXED && decl->size.number % 4 != 0)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(!rpcrdma_xdr_pad_is_zero(%s + %" PRId64 ", %" PRId64
                ")))\n"
                "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_PAD, %s + %" PRId64
                ", \"%s\");\n",
                at, decl->size.number, decl->size.number, at, decl->size.number, leaf->path);
    else if (decl->kind == DECL_PLAIN && decl->base == BASE_BOOL)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_load32(%s) > 1))\n"
                "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_BOOL, %s, \"%s\");\n",
                at, at, leaf->path);
    else if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED && !leaf->is_covered)
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(!(%s)))\n"
                "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_ENUM, %s, \"%s\");\n",
                enum_test(decl->def, text("rpcrdma_xdr_load32(%s)", at)), at, leaf->path);
}

static void emit_run(FILE *out, const struct run *run)
{
    fprintf(out,
            "    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < %u)) {\n        static const "
            "struct rpcrdma_xdr_run "
            "run[] = {",
            run->size);
    for (unsigned i = 0; i < run->count; i++)
        fprintf(out, "%s{%u, \"%s\"}", i ? ", " : "", run->leaves[i].offset + run->leaves[i].size,
                run->leaves[i].path);
    fputs("};\n        return rpcrdma_xdr_short(in, p, run);\n    }\n", out);
    for (unsigned i = 0; i < run->count; i++) {
        emit_leaf_check(out, &run->leaves[i]);
        emit_load(out, &run->leaves[i], "v->", "p");
    }
    fprintf(out, "    p += %u;\n", run->size);
}

static const char *limit_of(const struct def *owner, const struct decl *decl)
{
    if (!back_needs_limit(decl))
        return "0";
    return text("in->limits ? ((const %s *)in->limits)->%s : 0", back_limits_type(),
                back_limit(owner, decl));
}

static const char *bound_of(const struct decl *decl)
{
    return decl->has_size ? text("%" PRIu64 "U", (uint64_t)decl->size.number) : "UINT32_MAX";
}

/* The elements of an array whose count is known: v->LV.count. */
static void emit_elements(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    fprintf(out, "    %s.wire = p;\n", lv);
    if (back_element_fixed(decl) && back_element_free(decl))
        fprintf(out, "    p += %s.count * (size_t)%" PRIu64 ";\n", lv, back_element_least(decl));
    else
        fprintf(out,
                "    for (uint32_t i = 0; i < %s.count; i++) {\n        %s element;\n"
                "        if ((p = get_%s(in, p, &element)) == NULL)\n"
                "            return rpcrdma_xdr_at_index(in, \"%s\", i);\n    }\n",
                lv, back_element_ctype(decl), back_element_cname(decl), step);
    fprintf(out, "    %s.octets = (uint32_t)(p - %s.wire);\n", lv, lv);
}

/* Read one declaration, typedefs seen through, into the lvalue. */
static void emit_get(FILE *out, const struct def *owner, const struct decl *decl, const char *lv,
                     const char *step)
{
    bool octets = decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
    const char *fail = *step ? text("rpcrdma_xdr_at(in, \"%s\")", step) : "NULL";
    switch (decl->kind) {
    case DECL_PLAIN:
        fprintf(out, "    if ((p = get_%s(in, p, &%s)) == NULL)\n        return %s;\n",
                back_element_cname(decl), lv, fail);
        return;
    case DECL_VAR:
        if (octets) {
            fprintf(out,
                    "    if ((p = rpcrdma_xdr_get_opaque(in, p, %s, %s, &%s)) == NULL)\n        "
                    "return %s;\n",
                    bound_of(decl), limit_of(owner, decl), lv, fail);
            return;
        }
        fprintf(out,
                "    if ((p = rpcrdma_xdr_get_count(in, p, %s, %s, %" PRIu64
                ", &%s.count)) == NULL)\n"
                "        return %s;\n",
                bound_of(decl), limit_of(owner, decl), back_element_least(decl), lv, fail);
        emit_elements(out, decl, lv, step);
        return;
    case DECL_FIXED:
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < %" PRIu64 "))\n"
                "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, \"%s\");\n    "
                "%s.count = %" PRId64 ";\n",
                back_least(decl), step, lv, decl->size.number);
        emit_elements(out, decl, lv, step);
        return;
    case DECL_OPTIONAL:
        if (decl->base == BASE_NAMED && decl->def->is_list) {
            fprintf(out,
                    "    if ((p = get_%s(in, p, &%s, \"%s\")) == NULL)\n        return NULL;\n",
                    back_element_cname(decl), lv, step);
            return;
        }
        fprintf(out,
                "    if ((p = rpcrdma_xdr_get_presence(in, p, &%s.present)) == NULL)\n        "
                "return %s;\n"
                "    if (%s.present && (p = get_%s(in, p, &%s.value)) == NULL)\n"
                "        return %s;\n",
                lv, fail, lv, back_element_cname(decl), lv, fail);
        return;
    case DECL_VOID:
        return;
    }
}

/* A declaration behind typedefs: an array or opaque goes by the typedef's own getter. */
static void emit_field(FILE *out, const struct def *owner, const struct decl *decl, const char *lv,
                       bool is_arm)
{
    struct real real = back_real(decl);
    const char *step = back_step(decl, is_arm);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        fprintf(out, "    if ((p = get_%s(in, p, &%s)) == NULL)\n        return %s;\n",
                back_shape(real.alias)->cname, lv,
                *step ? text("rpcrdma_xdr_at(in, \"%s\")", step) : "NULL");
    else
        emit_get(out, owner, real.decl, lv,
                 real.alias ? back_step(&(struct decl){.name = decl->name,
                                                       .kind = DECL_PLAIN,
                                                       .base = real.decl->base,
                                                       .def = real.decl->def},
                                        is_arm)
                            : step);
}

static const struct def *union_of(const struct decl *field)
{
    const struct decl *is = back_real(field).decl;
    return is->kind == DECL_PLAIN && is->base == BASE_NAMED && is->def->kind == DEF_UNION ? is->def
                                                                                          : NULL;
}

/* Whether the arms name every value of the enum: then whoever has none is no value of it. Not where
 * there is a default arm, which would take it. */
static bool covers(const struct def *def)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    if (tag->base != BASE_NAMED)
        return false;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        if (arm->is_default)
            return false;
    for (const struct enumerator *e = tag->def->enumerators; e; e = e->next) {
        bool found = false;
        for (const struct arm *arm = def->arms; arm; arm = arm->next)
            for (unsigned i = 0; i < arm->label_count; i++)
                found = found || arm->labels[i].number == e->value.number;
        if (!found)
            return false;
    }
    return true;
}

/* A union's discriminant belongs to the run before it: one comparison more would be one too many.
 */
static void emit_union_in_run(FILE *out, struct run *run, const struct def *def, const char *field)
{
    const struct decl *tag = def->discriminant;
    run->leaves[run->count++] = (struct leaf){text("%s.%s", field, back_cfield(tag->name)),
                                              tag->name,
                                              back_real(tag),
                                              run->size,
                                              4,
                                              covers(def)};
    run->size += 4;
    emit_run(out, run);
    fprintf(out, "    if ((p = get_%s_arm(in, p, &v->%s)) == NULL)\n        return NULL;\n",
            back_shape(def)->cname, field);
}

static void emit_fields(FILE *out, const struct def *def, const struct decl *stop)
{
    for (const struct decl *field = def->fields; field != stop;) {
        struct run run = back_run(&field, stop);
        if (field != stop && union_of(field)) {
            emit_union_in_run(out, &run, union_of(field), back_cfield(field->name));
            field = field->next;
            continue;
        }
        if (run.count > 0) {
            emit_run(out, &run);
            continue;
        }
        emit_field(out, def, field, text("v->%s", back_cfield(field->name)), false);
        field = field->next;
    }
}

static void emit_list_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = back_last_field(def);
    uint64_t entry = 0;
    bool fixed = true, is_free = true;
    for (const struct decl *field = def->fields; field != stop; field = field->next) {
        entry += back_least(field);
        fixed = fixed && back_fixed(field);
        is_free = is_free && back_free(field);
    }
    if (!shape->item_is_field) {
        emit_getter_head(out, shape->item_cname, shape->item);
        emit_fields(out, def, stop);
        fputs("    return p;\n}\n\n", out);
    }
    fprintf(out,
            "RPCRDMA_XDR_GETTER const uint8_t *get_%s(const struct rpcrdma_xdr_in *in, const "
            "uint8_t *p, %s *v,\n"
            "const char *name)\n{\n"
            "const uint32_t limit = in->limits ? ((const %s *)in->limits)->%s : 0;\n"
            "uint32_t n = 0;\nbool present;\nv->wire = p;\n",
            shape->cname, shape->ctype, back_limits_type(), back_list_limit(def));
    fprintf(out,
            "for (;;) {\n%s entry;\nconst uint8_t *at = p;\n"
            "if ((p = rpcrdma_xdr_get_presence(in, p, &present)) == NULL)\n"
            "return rpcrdma_xdr_at_index(in, name, n);\n"
            "if (!present)\nbreak;\n"
            "if (RPCRDMA_XDR_UNLIKELY(limit != 0 && n >= limit)) {\n"
            "rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_LIMIT, at, \"\");\n"
            "return rpcrdma_xdr_at_index(in, name, n);\n}\n"
            "if ((p = get_%s(in, p, &entry)) == NULL)\n"
            "return rpcrdma_xdr_at_index(in, name, n);\nn++;\n",
            shape->item, shape->item_cname);
    if (fixed && is_free)
        fprintf(out, "if (limit == 0)\np = rpcrdma_xdr_skip_entries(in, p, %" PRIu64 ", &n);\n",
                entry + 4);
    fputs("}\nv->count = n;\nv->octets = (uint32_t)(p - v->wire);\nreturn p;\n}\n", out);
}

static void emit_arm(FILE *out, const struct def *def, const struct arm *arm)
{
    const struct decl *field = arm->decl;
    const struct decl *is = back_real(field).decl;
    struct run run = {NULL, 0, 0};
    if (field->kind == DECL_VOID)
        return;
    if (back_is_scalar(is) || (is->kind == DECL_FIXED && is->base == BASE_OPAQUE))
        run = back_run(&(const struct decl *){field}, field->next);
    if (run.count > 0)
        emit_run(out, &run);
    else
        emit_field(out, def, field, text("v->%s", back_cfield(field->name)), true);
}

/* The arm, once the discriminant is in the view; and a union on its own, with its discriminant. */
static void emit_union_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *tag = def->discriminant;
    struct leaf leaf = {back_cfield(tag->name), tag->name, back_real(tag), 0, 4, covers(def)};
    emit_getter_head(out, text("%s_arm", shape->cname), shape->ctype);
    fputs("(void)in;\n", out); /* arms may all be void */
    emit_arms(out, def, emit_arm,
              text("return rpcrdma_xdr_bad(in, %s, p - 4, \"%s\");",
                   covers(def) ? "RPCRDMA_XDR_E_ENUM" : "RPCRDMA_XDR_E_UNION", tag->name));
    fputs("return p;\n}\n\n", out);
    emit_getter_head(out, shape->cname, shape->ctype);
    emit_run(out, &(struct run){&leaf, 1, 4});
    fprintf(out, "return get_%s_arm(in, p, v);\n}\n", shape->cname);
}

static void emit_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    switch (def->kind) {
    case DEF_CONST:
        return;
    case DEF_ENUM:
        emit_enum_test(out, def);
        fputc('\n', out);
        emit_getter_head(out, shape->cname, shape->ctype);
        fprintf(out,
                "    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < 4))\n"
                "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, \"\");\n"
                "    if (RPCRDMA_XDR_UNLIKELY(!(%s)))\n        return rpcrdma_xdr_bad(in, "
                "RPCRDMA_XDR_E_ENUM, p, \"\");\n"
                "    *v = (%s)rpcrdma_xdr_load32(p);\n    return p + 4;\n}\n",
                enum_test(def, "rpcrdma_xdr_load32(p)"), shape->ctype);
        return;
    case DEF_STRUCT:
        if (def->is_list) {
            emit_list_getter(out, def);
            return;
        }
        emit_getter_head(out, shape->cname, shape->ctype);
        emit_fields(out, def, NULL);
        fputs("    return p;\n}\n", out);
        return;
    case DEF_UNION:
        emit_union_getter(out, def);
        return;
    case DEF_TYPEDEF:
        if (back_real(def->target).decl->kind == DECL_PLAIN)
            return;
        emit_getter_head(out, shape->cname, shape->ctype);
        if (def->target->kind == DECL_FIXED && def->target->base == BASE_OPAQUE) {
            const struct decl *target = def->target;
            struct leaf leaf = {"", "", {target, NULL}, 0, (uint32_t)back_least(target), false};
            fprintf(out,
                    "    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < %u))\n"
                    "        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, \"\");\n",
                    leaf.size);
            emit_leaf_check(out, &leaf);
            fprintf(out, "    *v = p;\n    return p + %u;\n}\n", leaf.size);
            return;
        }
        emit_get(out, def, def->target, "(*v)", "");
        fputs("    return p;\n}\n", out);
        return;
    }
}

void emit_decoders(FILE *out, const struct spec *spec)
{
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (def->kind == DEF_CONST || !back_shape(def)->reachable)
            continue;
        annotate(out, spec, &def->start);
        emit_getter(out, def);
    }
}
