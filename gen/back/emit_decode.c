// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: decoders. One static getter a type, from a place in the octets to the place after it,
 * or NULL after noting the error. A getter that fails leaves the path's inner steps; each caller
 * adds its own. Nothing here calls itself: xdr_check() admits no recursion but that of lists, which
 * are loops.
 */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- enums ---- */

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
    const char *name = text("is_%s", back_shape(def)->cname);
    emit_function(out, name);
    EMIT(out, "static bool {name}(uint32_t value)\n{\nswitch ((int32_t)value) {\n", "name", name);
    for (const struct enumerator *e = def->enumerators; e; e = e->next)
        if (!is_repeated(def, e))
            fprintf(out, "case %s:\n", back_constant(e->name));
    fputs("return true;\n}\nreturn false;\n}\n", out);
}

/* ---- fixed runs ---- */

static void emit_bad(FILE *out, const char *condition, const char *code, const char *at,
                     const char *path)
{
    EMIT(out,
         "if (RPCRDMA_XDR_UNLIKELY({condition}))\n"
         "return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_{code}, {at}, \"{path}\");\n",
         "condition", condition, "code", code, "at", at, "path", path);
}

static void emit_leaf_check(FILE *out, const struct leaf *leaf)
{
    const struct decl *decl = leaf->real.decl;
    const char *at = emit_at("p", leaf->offset);
    uint64_t size = (uint64_t)decl->size.number;
    if (decl->kind == DECL_FIXED && size % 4 != 0)
        emit_bad(
            out,
            text("!rpcrdma_xdr_pad_is_zero(p + %u, %" PRIu64 ")", leaf->offset + leaf->size, size),
            "PAD", emit_at("p", leaf->offset + size), leaf->path);
    else if (decl->kind == DECL_PLAIN && decl->base == BASE_BOOL)
        emit_bad(out, text("rpcrdma_xdr_load32(%s) > 1", at), "BOOL", at, leaf->path);
    else if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED && !leaf->is_covered)
        emit_bad(out, text("!(%s)", enum_test(decl->def, text("rpcrdma_xdr_load32(%s)", at))),
                 "ENUM", at, leaf->path);
}

static void emit_run(FILE *out, const struct run *run)
{
    fprintf(out,
            "if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < %u)) {\n"
            "static const struct rpcrdma_xdr_run run[] = {",
            run->size);
    for (unsigned i = 0; i < run->count; i++)
        fprintf(out, "%s{%u, \"%s\"}", i ? ", " : "", run->leaves[i].offset + run->leaves[i].size,
                run->leaves[i].path);
    fputs("};\nreturn rpcrdma_xdr_short(in, p, run);\n}\n", out);
    for (unsigned i = 0; i < run->count; i++) {
        emit_leaf_check(out, &run->leaves[i]);
        emit_load(out, &run->leaves[i], "v->", "p");
    }
    fprintf(out, "p += %u;\n", run->size);
}

/* ---- fields ---- */

static const char *limit_of(const struct def *owner, const struct decl *decl)
{
    if (!back_needs_limit(decl))
        return "0";
    return text("RPCRDMA_XDR_LIMIT(in, %s, %s)", back_limits_type(), back_limit(owner, decl));
}

static void emit_get_call(FILE *out, const char *cname, const char *address, const char *fail)
{
    EMIT(out, "if ((p = get_{name}(in, p, {v})) == NULL)\nreturn {fail};\n", "name", cname, "v",
         address, "fail", fail);
}

/* The elements of an array whose count is known, one by one. */
static void emit_elements(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    EMIT(out,
         "{wire} = p;\n{\nuint32_t i;\n{invariant}"
         "for (i = 0; i < {count}; i++) {\n{type} element;\n"
         "if ((p = get_{name}(in, p, &element)) == NULL)\n"
         "return rpcrdma_xdr_at_index(in, \"{step}\", i);\n}\n}\n"
         "{octets} = (uint32_t)(p - {wire});\n",
         "wire", emit_member(lv, "wire"), "count", emit_member(lv, "count"), "octets",
         emit_member(lv, "octets"), "type", back_element_ctype(decl), "name",
         back_element_cname(decl), "step", step, "invariant", acsl_element_loop(decl, lv));
}

static void emit_var_array(FILE *out, const struct def *owner, const struct decl *decl,
                           const char *lv, const char *step, const char *fail)
{
    bool same = back_element_fixed(decl) && back_element_any_bits(decl);
    EMIT(out,
         "if ((p = rpcrdma_xdr_get_{what}(in, p, {bound}, {limit}, {least}, {into})) == NULL)\n"
         "return {fail};\n",
         "what", same ? "array" : "count", "bound", emit_bound(decl), "limit",
         limit_of(owner, decl), "least", decimal(back_element_least(decl)), "into",
         same ? text("&%s, &%s, &%s", emit_member(lv, "wire"), emit_member(lv, "count"),
                     emit_member(lv, "octets"))
              : text("&%s", emit_member(lv, "count")),
         "fail", fail);
    if (!same)
        emit_elements(out, decl, lv, step);
}

static void emit_fixed_array(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    const char *least = decimal(back_least(decl));
    emit_bad(out, text("rpcrdma_xdr_left(in, p) < %s", least), "TRUNCATED", "p", step);
    fprintf(out, "%s = %" PRId64 ";\n", emit_member(lv, "count"), decl->size.number);
    if (back_element_fixed(decl) && back_element_any_bits(decl))
        EMIT(out, "{wire} = p;\n{octets} = {least};\np += {least};\n", "wire",
             emit_member(lv, "wire"), "octets", emit_member(lv, "octets"), "least", least);
    else
        emit_elements(out, decl, lv, step);
}

static void emit_optional(FILE *out, const struct decl *decl, const char *lv, const char *step,
                          const char *fail)
{
    if (back_is_list(decl)) {
        EMIT(out, "if ((p = get_{name}(in, p, {v}, \"{step}\")) == NULL)\nreturn NULL;\n", "name",
             back_element_cname(decl), "v", emit_address(lv), "step", step);
        return;
    }
    EMIT(out,
         "if ((p = rpcrdma_xdr_get_presence(in, p, &{present})) == NULL)\nreturn {fail};\n"
         "if ({present} && (p = get_{name}(in, p, &{value})) == NULL)\nreturn {fail};\n",
         "present", emit_member(lv, "present"), "fail", fail, "name", back_element_cname(decl),
         "value", emit_member(lv, "value"));
}

/* Read one declaration, typedefs seen through, into the lvalue. */
static void emit_get(FILE *out, const struct def *owner, const struct decl *decl, const char *lv,
                     const char *step)
{
    const char *fail = *step ? text("rpcrdma_xdr_at(in, \"%s\")", step) : "NULL";
    switch (decl->kind) {
    case DECL_PLAIN:
        emit_get_call(out, back_element_cname(decl), emit_address(lv), fail);
        return;
    case DECL_VAR:
        if (back_is_octets(decl))
            EMIT(out,
                 "if ((p = rpcrdma_xdr_get_opaque(in, p, {bound}, {limit}, {v})) == NULL)\n"
                 "return {fail};\n",
                 "bound", emit_bound(decl), "limit", limit_of(owner, decl), "v", emit_address(lv),
                 "fail", fail);
        else
            emit_var_array(out, owner, decl, lv, step, fail);
        return;
    case DECL_FIXED:
        emit_fixed_array(out, decl, lv, step);
        return;
    case DECL_OPTIONAL:
        emit_optional(out, decl, lv, step, fail);
        return;
    case DECL_VOID:
        return;
    }
}

/* A declaration under typedefs: an array or opaque goes by the typedef's own getter. */
static void emit_field(FILE *out, const struct def *owner, const struct decl *decl, const char *lv,
                       bool is_arm)
{
    struct real real = back_real(decl);
    const char *step = back_step(decl, is_arm);
    if (real.alias && real.decl->kind != DECL_PLAIN) {
        emit_get_call(out, back_shape(real.alias)->cname, emit_address(lv),
                      *step ? text("rpcrdma_xdr_at(in, \"%s\")", step) : "NULL");
        return;
    }
    const struct decl seen = {
        .name = decl->name, .kind = DECL_PLAIN, .base = real.decl->base, .def = real.decl->def};
    emit_get(out, owner, real.decl, lv, real.alias ? back_step(&seen, is_arm) : step);
}

/* A union's discriminant belongs to the run before it, which saves a comparison. */
static void emit_union_in_run(FILE *out, struct run *run, const struct def *def, const char *field)
{
    back_add_discriminant(run, def, field);
    emit_run(out, run);
    emit_get_call(out, text("%s_arm", back_shape(def)->cname), text("&v->%s", field), "NULL");
}

static void emit_fields(FILE *out, const struct def *def, const struct decl *stop)
{
    for (const struct decl *field = def->fields; field != stop;) {
        struct run run = back_run(&field, stop);
        if (field != stop && back_union(field)) {
            emit_union_in_run(out, &run, back_union(field), back_cfield(field->name));
            field = field->next;
        } else if (run.count > 0) {
            emit_run(out, &run);
        } else {
            emit_field(out, def, field, text("v->%s", back_cfield(field->name)), false);
            field = field->next;
        }
    }
}

/* ---- getters ---- */

/* `what` else holds of its result. */
static void emit_getter_head(FILE *out, const char *stem, const char *type, const char *more,
                             const char *what, bool is_arm)
{
    emit_function(out, text("get_%s", stem));
    acsl_getter(out, what, is_arm);
    EMIT(out,
         "RPCRDMA_XDR_GETTER const uint8_t *get_{name}(const struct rpcrdma_xdr_in *in, "
         "const uint8_t *p, {type} *v{more})\n{\n{split}",
         "name", stem, "type", type, "more", more, "split",
         cname_naming()->eva ? "/*@ dynamic_split p == (const uint8_t *)0; */\n;\n" : "");
}

static const char list_getter[] =
    "const uint32_t limit = RPCRDMA_XDR_LIMIT(in, {limits}, {limit});\n"
    "uint32_t n = 0;\nbool present;\nv->wire = p;\n"
    "{invariant}for (;;) {\n{item} entry;\nconst uint8_t *at = p;\n"
    "if ((p = rpcrdma_xdr_get_presence(in, p, &present)) == NULL)\n"
    "return rpcrdma_xdr_at_index(in, name, n);\n"
    "if (!present)\nbreak;\n"
    "if (RPCRDMA_XDR_UNLIKELY(limit != 0 && n >= limit)) {\n"
    "rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_LIMIT, at, \"\");\n"
    "return rpcrdma_xdr_at_index(in, name, n);\n}\n"
    "if ((p = get_{entry}(in, p, &entry)) == NULL)\n"
    "return rpcrdma_xdr_at_index(in, name, n);\nn++;\n{skip}"
    "}\nv->count = n;\nv->octets = (uint32_t)(p - v->wire);\nreturn p;\n}\n";

static void emit_list_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = back_last_field(def);
    const uint64_t entry = back_entry_least(def);
    bool any_bits = true;
    for (const struct decl *field = def->fields; field != stop; field = field->next)
        any_bits = any_bits && back_any_bits(field);
    if (!shape->item_is_field) {
        emit_getter_head(out, shape->item_cname, shape->item, "",
                         acsl_view(def, stop, entry - 4, false), false);
        emit_fields(out, def, stop);
        fputs("return p;\n}\n", out);
    }
    const char *skip = text("if (limit == 0)\n"
                            "p = rpcrdma_xdr_skip_entries(in, p, %" PRIu64 ", &n);\n",
                            entry);
    emit_getter_head(
        out, shape->cname, shape->ctype, ", const char *name",
        text("v->wire == p && v->octets == \\result - p &&\n%s", acsl_view(def, NULL, 4, false)),
        false);
    EMIT(out, list_getter, "limits", back_limits_type(), "limit", back_list_limit(def), "item",
         shape->item, "entry", shape->item_cname, "skip", any_bits ? skip : "", "invariant",
         acsl_list_loop(def));
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
    struct run run = back_run(&(const struct decl *){NULL}, NULL);
    emit_getter_head(out, text("%s_arm", shape->cname), shape->ctype, "",
                     acsl_view(def, NULL, shape->least - 4, false), true);
    char *arms = NULL;
    FILE *memory = emit_memory(&arms);
    emit_arms(memory, def, emit_arm,
              text("p = rpcrdma_xdr_bad(in, %s, p - 4, \"%s\");",
                   back_covers(def) ? "RPCRDMA_XDR_E_ENUM" : "RPCRDMA_XDR_E_UNION", tag->name));
    emit_close(memory, &arms);
    fprintf(out, "%s%s%sreturn p;\n}\n", strstr(arms, "(in, ") ? "" : "(void)in;\n",
            strstr(arms, "v->") ? "" : "(void)v;\n", arms);
    emit_getter_head(out, shape->cname, shape->ctype, "",
                     acsl_view(def, NULL, shape->least, shape->fixed), false);
    back_add_discriminant(&run, def, NULL);
    emit_run(out, &run);
    fprintf(out, "return get_%s_arm(in, p, v);\n}\n", shape->cname);
}

static void emit_enum_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (strncmp(enum_test(def, ""), "is_", 3) == 0)
        emit_enum_test(out, def);
    emit_getter_head(out, shape->cname, shape->ctype, "", "\\result == p + 4", false);
    emit_bad(out, "rpcrdma_xdr_left(in, p) < 4", "TRUNCATED", "p", "");
    emit_bad(out, text("!(%s)", enum_test(def, "rpcrdma_xdr_load32(p)")), "ENUM", "p", "");
    EMIT(out, "*v = ({type})rpcrdma_xdr_load32(p);\nreturn p + 4;\n}\n", "type", shape->ctype);
}

static void emit_typedef_getter(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *target = def->target;
    emit_getter_head(out, shape->cname, shape->ctype, "",
                     acsl_view(def, NULL, shape->least, shape->fixed), false);
    if (target->kind == DECL_FIXED && target->base == BASE_OPAQUE) {
        struct leaf leaf = {"", "", {target, NULL}, 0, (uint32_t)back_least(target), false};
        emit_bad(out, text("rpcrdma_xdr_left(in, p) < %u", leaf.size), "TRUNCATED", "p", "");
        emit_leaf_check(out, &leaf);
        fprintf(out, "*v = p;\nreturn p + %u;\n}\n", leaf.size);
        return;
    }
    emit_get(out, def, target, "(*v)", "");
    fputs("return p;\n}\n", out);
}

void emit_decoder(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    switch (def->kind) {
    case DEF_CONST:
        return;
    case DEF_ENUM:
        emit_enum_getter(out, def);
        return;
    case DEF_STRUCT:
        if (def->is_list) {
            emit_list_getter(out, def);
            return;
        }
        emit_getter_head(out, shape->cname, shape->ctype, "",
                         acsl_view(def, NULL, shape->least, shape->fixed), false);
        emit_fields(out, def, NULL);
        fputs("return p;\n}\n", out);
        return;
    case DEF_UNION:
        emit_union_getter(out, def);
        return;
    case DEF_TYPEDEF:
        emit_typedef_getter(out, def);
        return;
    }
}
