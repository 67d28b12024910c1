// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: sizers. One a type: how many octets a value takes, or why it has no encoding. What
 * every value takes is one number; a type of which all values take the same, and are valid, needs
 * no sizer. Sizes are added in 64 bits.
 */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- which sizers can fail ---- */

/* Elements of one size, none of them invalid: this many octets each. */
static bool is_simple(const struct decl *element)
{
    const struct def *def = back_element_def(element);
    return back_element_fixed(element) && (def == NULL || !emit_sizer_fails(def));
}

static bool decl_fails(const struct decl *decl)
{
    bool named = decl->kind != DECL_VOID && decl->base == BASE_NAMED;
    switch (decl->kind) {
    case DECL_PLAIN:
    case DECL_OPTIONAL:
        return named && emit_sizer_fails(decl->def);
    case DECL_FIXED:
        return !back_is_octets(decl);
    case DECL_VAR:
        return decl->has_size || (!back_is_octets(decl) && !is_simple(decl));
    case DECL_VOID:
        break;
    }
    return false;
}

static bool entry_is_simple(const struct def *list)
{
    const struct decl *stop = back_last_field(list);
    for (const struct decl *field = list->fields; field != stop; field = field->next)
        if (!back_fixed(field) || decl_fails(field))
            return false;
    return true;
}

static bool entry_fails(const struct def *list)
{
    const struct decl *stop = back_last_field(list);
    for (const struct decl *field = list->fields; field != stop; field = field->next)
        if (decl_fails(field))
            return true;
    return false;
}

/* A value without an arm has no encoding; nor has one that is not in the enum. */
static bool union_fails(const struct def *def)
{
    bool all = false;
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        if (decl_fails(arm->decl))
            return true;
        all = all || arm->is_default;
    }
    return !all || back_real(def->discriminant).decl->base == BASE_NAMED;
}

bool emit_sizer_fails(const struct def *def)
{
    switch (def->kind) {
    case DEF_UNION:
        return union_fails(def);
    case DEF_STRUCT:
        if (def->is_list)
            return !entry_is_simple(def);
        for (const struct decl *field = def->fields; field; field = field->next)
            if (decl_fails(field))
                return true;
        return false;
    case DEF_TYPEDEF:
        return decl_fails(def->target);
    default:
        break;
    }
    return true;
}

/* ---- what is always there ---- */

/* The octets of a field that need no look at its value. */
static uint64_t constant_of(const struct decl *field)
{
    struct real real = back_real(field);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        return back_fixed(real.decl) && !decl_fails(real.decl) ? back_least(real.decl) : 0;
    if (back_is_list(real.decl))
        return 0;
    if (back_is_scalar(real.decl) || (back_fixed(real.decl) && !decl_fails(real.decl)))
        return back_least(real.decl);
    return real.decl->kind == DECL_VAR || real.decl->kind == DECL_OPTIONAL ? 4 : 0;
}

static bool needs_no_sizer(const struct def *def)
{
    return back_shape(def)->fixed && !emit_sizer_fails(def);
}

/* ---- what depends on the value ---- */

static void size_bad(FILE *out, const char *condition, const char *code, const char *step)
{
    EMIT(out,
         "if (RPCRDMA_XDR_UNLIKELY({condition}))\n"
         "return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_{code}, \"{step}\");\n",
         "condition", condition, "code", code, "step", step);
}

/* Add what a type's sizer says, and `extra`. */
static void size_call(FILE *out, bool fails, const char *cname, const char *address,
                      const char *fail, uint64_t extra)
{
    const char *more = extra ? text(" + %" PRIu64, extra) : "";
    if (!fails)
        EMIT(out, "total += size_{name}({v}){more};\n", "name", cname, "v", address, "more", more);
    else
        EMIT(out,
             "if (RPCRDMA_XDR_UNLIKELY((n = size_{name}(out, {v})) < 0))\nreturn {fail};\n"
             "total += n{more};\n",
             "name", cname, "v", address, "fail", fail, "more", more);
}

static const char *fail_at(const char *step)
{
    return *step ? text("rpcrdma_xdr_value_at(out, n, \"%s\")", step) : "n";
}

/* The elements of a span to encode, one by one; on the wire they have their octets already. */
static void size_items(FILE *out, const char *lv, const char *type, const char *call,
                       uint64_t extra, const char *step, const char *sum)
{
    EMIT(out,
         "if ({octets}) {\ntotal += {octets};\n} else {\nconst {type} *items = {items};\nuint32_t "
         "i;\n{last}"
         "{invariant}for (i = 0; i < {count}; i++) {\n{call}"
         "if (RPCRDMA_XDR_UNLIKELY(total > INT32_MAX))\n"
         "return rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_ARGUMENT, \"{step}\");\n}\n}\n",
         "octets", emit_member(lv, "octets"), "type", type, "items", emit_member(lv, "items"),
         "last", extra ? text("total += %" PRIu64 ";\n", extra) : "", "count",
         emit_member(lv, "count"), "call", call, "step", step, "invariant",
         acsl_size_loop(lv, sum, strstr(call, "(n = ") != NULL));
}

static void size_simple_items(FILE *out, const char *lv, uint64_t stride, uint64_t extra)
{
    EMIT(out, "total += rpcrdma_xdr_size_items({octets}, {count}, {stride}, {extra});\n", "octets",
         emit_member(lv, "octets"), "count", emit_member(lv, "count"), "stride", decimal(stride),
         "extra", decimal(extra));
}

/* The statements that size one item, for a loop over i. */
static char *call_code(bool fails, const char *cname, const char *step, uint64_t extra)
{
    char *code = NULL;
    FILE *memory = emit_memory(&code);
    size_call(memory, fails, cname, "&items[i]",
              text("rpcrdma_xdr_value_at_index(out, n, \"%s\", i)", step), extra);
    emit_close(memory, &code);
    return code;
}

static void size_array(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    if (decl->kind == DECL_FIXED || decl->has_size)
        size_bad(out,
                 text("%s %s %s", emit_member(lv, "count"), decl->kind == DECL_FIXED ? "!=" : ">",
                      emit_bound(decl)),
                 "BOUND", step);
    if (is_simple(decl)) {
        size_simple_items(out, lv, back_element_least(decl), 0);
        return;
    }
    char *code =
        call_code(emit_sizer_fails(back_element_def(decl)), back_element_cname(decl), step, 0);
    size_items(out, lv, back_element_ctype(decl), code, 0, step, back_element_cname(decl));
}

static void size_value(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    if (back_is_scalar(decl)) {
        if (decl->base == BASE_NAMED)
            size_bad(out, text("!(%s)", enum_test(decl->def, text("(uint32_t)%s", lv))), "ENUM",
                     step);
    } else if (!needs_no_sizer(decl->def)) {
        size_call(out, emit_sizer_fails(decl->def), back_element_cname(decl), emit_address(lv),
                  fail_at(step), 0);
    }
}

static void size_optional(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    if (back_is_list(decl)) {
        size_call(out, emit_sizer_fails(decl->def), back_element_cname(decl), emit_address(lv),
                  fail_at(step), 0);
        return;
    }
    const struct def *def = back_element_def(decl);
    const char *value = emit_member(lv, "value");
    bool fails = emit_sizer_fails(def);
    fprintf(out, "if (%s)%s\n", emit_member(lv, "present"), fails ? " {" : "");
    if (needs_no_sizer(def))
        fprintf(out, "total += %" PRIu64 ";\n", back_shape(def)->least);
    else
        size_call(out, fails, back_element_cname(decl), emit_address(value), fail_at(step), 0);
    fputs(fails ? "}\n" : "", out);
}

/* What constant_of() leaves of a declaration. */
static void size_decl(FILE *out, const struct decl *decl, const char *lv, const char *step)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        size_value(out, decl, lv, step);
        return;
    case DECL_FIXED:
        if (!back_is_octets(decl))
            size_array(out, decl, lv, step);
        return;
    case DECL_VAR:
        if (!back_is_octets(decl)) {
            size_array(out, decl, lv, step);
            return;
        }
        const char *length = emit_member(lv, "length");
        if (decl->has_size)
            size_bad(out, text("%s > %s", length, emit_bound(decl)), "BOUND", step);
        fprintf(out, "total += rpcrdma_xdr_round(%s);\n", length);
        return;
    case DECL_OPTIONAL:
        size_optional(out, decl, lv, step);
        return;
    case DECL_VOID:
        return;
    }
}

/* Arrays and opaques under a typedef go by its own sizer. */
static void size_field(FILE *out, const struct decl *field, bool is_arm)
{
    const char *lv = text("v->%s", back_cfield(field->name));
    struct real real = back_real(field);
    struct decl seen = *real.decl;
    seen.name = field->name;
    if (!real.alias || real.decl->kind == DECL_PLAIN)
        size_decl(out, real.decl, lv, back_step(&seen, is_arm));
    else if (!needs_no_sizer(real.alias))
        size_call(out, emit_sizer_fails(real.alias), back_shape(real.alias)->cname,
                  emit_address(lv), fail_at(back_step(field, is_arm)), 0);
}

/* The last field whose sizer can fail, and so note an error. Before its octets are added, a proof
 * learns that those of the fields before it have not changed. */
static void size_last(FILE *out, const struct decl *fields, const struct decl *last)
{
    static const char sum[] = "total += n;\n";
    char *code = NULL;
    FILE *memory = emit_memory(&code);
    size_field(memory, last, false);
    emit_close(memory, &code);
    size_t length = strlen(code), own = sizeof sum - 1;
    own = length >= own && strcmp(code + length - own, sum) == 0 ? own : 0;
    fprintf(out, "%.*s", (int)(length - own), code);
    for (const struct decl *field = fields; field != last; field = field->next)
        if (!back_fixed(field) && !decl_fails(back_real(field).decl))
            acsl_sized(out, field, text("v->%s", back_cfield(field->name)));
    fputs(code + length - own, out);
}

static void size_fields(FILE *out, const struct decl *fields, const struct decl *stop)
{
    const struct decl *last = NULL;
    for (const struct decl *field = fields; field != stop; field = field->next)
        if (decl_fails(back_real(field).decl))
            last = field;
    for (const struct decl *field = fields; field != stop; field = field->next)
        if (field == last)
            size_last(out, fields, last);
        else
            size_field(out, field, false);
}

static void size_list(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (entry_is_simple(def)) {
        uint64_t least = 4;
        const struct decl *stop = back_last_field(def);
        for (const struct decl *field = def->fields; field != stop; field = field->next)
            least += back_least(field);
        size_simple_items(out, "(*v)", least, 4);
        return;
    }
    char *code = call_code(entry_fails(def), shape->item_cname, "", 4);
    size_items(out, "(*v)", shape->item, code, 4, "", shape->cname);
}

static void size_arm(FILE *out, const struct def *def, const struct arm *arm)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    if (arm->is_default && tag->base == BASE_NAMED)
        size_bad(out,
                 text("!(%s)", enum_test(tag->def, text("(uint32_t)v->%s",
                                                        back_cfield(def->discriminant->name)))),
                 "ENUM", def->discriminant->name);
    if (arm->decl->kind == DECL_VOID)
        return;
    uint64_t constant = constant_of(arm->decl);
    if (constant)
        fprintf(out, "total += %" PRIu64 ";\n", constant);
    size_field(out, arm->decl, true);
}

/* ---- functions ---- */

/* Around the body, which tells whether sizes of others are added. */
static void size_function(FILE *out, const struct def *def, const char *cname, const char *type,
                          bool fails, uint64_t constant, const char *body)
{
    emit_function(out, text("size_%s", cname));
    acsl_sizer(out, cname, def, fails);
    EMIT(out,
         "static int64_t size_{name}({out}const {type} *v)\n{\n"
         "int64_t total = {constant}{n};\n{body}return total;\n}\n",
         "name", cname, "out", fails ? "const struct rpcrdma_xdr_out *out, " : "", "type", type,
         "constant", decimal(constant), "n", strstr(body, "(n = ") ? ", n" : "", "body", body);
}

static uint64_t constants_of(const struct decl *field, const struct decl *stop)
{
    uint64_t total = 0;
    for (; field != stop; field = field->next)
        total += constant_of(field);
    return total;
}

static uint64_t size_body(FILE *out, const struct def *def)
{
    switch (def->kind) {
    case DEF_ENUM:
        size_bad(out, text("!(%s)", enum_test(def, "(uint32_t)*v")), "ENUM", "");
        return 4;
    case DEF_UNION:
        emit_arms(out, def, size_arm,
                  text("total = rpcrdma_xdr_bad_value(out, RPCRDMA_XDR_E_UNION, \"%s\");",
                       def->discriminant->name));
        return 4;
    case DEF_TYPEDEF:
        size_decl(out, def->target, "(*v)", "");
        return constant_of(def->target);
    default:
        if (def->is_list) {
            size_list(out, def);
            return 0;
        }
        size_fields(out, def->fields, NULL);
        return constants_of(def->fields, NULL);
    }
}

void emit_sizer(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    char *body = NULL;
    if (def->is_list && !shape->item_is_field && !entry_is_simple(def)) {
        const struct decl *stop = back_last_field(def);
        FILE *memory = emit_memory(&body);
        size_fields(memory, def->fields, stop);
        emit_close(memory, &body);
        size_function(out, def, shape->item_cname, shape->item, entry_fails(def),
                      constants_of(def->fields, stop), body);
    }
    FILE *memory = emit_memory(&body);
    uint64_t constant = size_body(memory, def);
    emit_close(memory, &body);
    size_function(out, def, shape->cname, shape->ctype, emit_sizer_fails(def), constant, body);
}
