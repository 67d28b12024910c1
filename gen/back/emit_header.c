// SPDX-License-Identifier: BSD-3-Clause
/* Back end: the public header of a codec. Types in the order of the specification, then calls. */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

static void declare(FILE *out, const struct spec *spec, const struct decl *decl)
{
    if (decl->kind == DECL_VOID)
        return;
    const char *type = back_ctype(decl);
    bool pointer = type[strlen(type) - 1] == '*';
    fprintf(out, "%s%s%s;", type, pointer ? "" : " ", back_cfield(decl->name));
    emit_note(out, spec, decl->loc.line);
    fputc('\n', out);
}

static void emit_enum(FILE *out, const struct spec *spec, const struct def *def)
{
    fprintf(out, "enum %s {\n", back_shape(def)->cname);
    for (const struct enumerator *e = def->enumerators; e; e = e->next) {
        fprintf(out, "%s = %" PRId64 ",", back_constant(e->name), e->value.number);
        emit_note(out, spec, e->loc.line);
        fputc('\n', out);
    }
    fputs("};\n", out);
}

static void emit_struct(FILE *out, const struct spec *spec, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct decl *stop = NULL;
    if (def->is_list) {
        stop = back_last_field(def);
        if (shape->item_is_field) {
            fprintf(out, "RPCRDMA_XDR_SPAN(%s, %s);\n", shape->cname, shape->item);
            return;
        }
    }
    fprintf(out, "struct %s {\n", def->is_list ? shape->item_cname : shape->cname);
    for (const struct decl *field = def->fields; field != stop; field = field->next)
        declare(out, spec, field);
    fputs("};\n", out);
    if (def->is_list)
        fprintf(out, "RPCRDMA_XDR_SPAN(%s, %s);\n", shape->cname, shape->item);
}

static void emit_union(FILE *out, const struct spec *spec, const struct def *def)
{
    fprintf(out, "struct %s {\n", back_shape(def)->cname);
    declare(out, spec, def->discriminant);
    bool any = false;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        any = any || arm->decl->kind != DECL_VOID;
    if (any) {
        fputs("union {\n", out);
        for (const struct arm *arm = def->arms; arm; arm = arm->next)
            declare(out, spec, arm->decl);
        fputs("};\n", out);
    }
    fputs("};\n", out);
}

static void emit_typedef(FILE *out, const struct def *def)
{
    const char *type = back_ctype(def->target);
    if (strcmp(back_shape(def)->ctype, back_shape(def)->cname) != 0)
        return; /* a bare integer */
    bool pointer = type[strlen(type) - 1] == '*';
    fprintf(out, "typedef %s%s%s;\n", type, pointer ? "" : " ", back_shape(def)->cname);
}

static void emit_wrappers(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (shape->in_array)
        fprintf(out, "RPCRDMA_XDR_SPAN(%s_array, %s);\n", shape->cname, shape->ctype);
    if (shape->in_optional && !def->is_list)
        fprintf(out, "struct %s_opt {\nbool present;\n%s value;\n};\n", shape->cname, shape->ctype);
}

/* Whether it has one. */
static bool emit_limit(FILE *out, const struct def *def, const struct decl *decl)
{
    if (!back_needs_limit(decl))
        return false;
    bool octets = decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
    fprintf(out, "uint32_t %s; /* %s */\n", back_limit(def, decl), octets ? "octets" : "elements");
    return true;
}

static bool emit_limit_fields(FILE *out, const struct def *def)
{
    bool any = def->is_list;
    if (def->is_list)
        fprintf(out, "uint32_t %s; /* entries */\n", back_list_limit(def));
    const struct decl *field = def->kind == DEF_TYPEDEF ? def->target : def->fields;
    for (; field; field = field->next)
        any |= emit_limit(out, def, field);
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        any |= emit_limit(out, def, arm->decl);
    return any;
}

static const char limits_comment[] =
    "\n/*\n"
    " * Bounds for what the specification leaves unbounded; 0 sets none. The octets at hand bound\n"
    " * everything in any case. A count above its limit is RPCRDMA_XDR_E_LIMIT.\n"
    " */\n";

static void emit_limits(FILE *out, const struct spec *spec)
{
    bool any = false;
    fprintf(out, "%s%s {\n", limits_comment, back_limits_type());
    for (unsigned i = 0; i < spec->def_count; i++)
        if (back_is_emitted(spec->ordered[i]))
            any |= emit_limit_fields(out, spec->ordered[i]);
    if (!any)
        fputs("uint32_t none; /* this specification bounds all by itself */\n", out);
    fputs("};\n", out);
}

static void emit_constant(FILE *out, const struct spec *spec, const struct def *def)
{
    fprintf(out, "#define %s %" PRId64 "%s", back_constant(def->name), def->constant.number,
            def->constant.number > INT32_MAX ? "U" : "");
    emit_note(out, spec, def->loc.line);
    fputc('\n', out);
}

static bool is_bare(const struct def *def)
{
    return def->kind == DEF_TYPEDEF && strcmp(back_shape(def)->ctype, back_shape(def)->cname) != 0;
}

static void emit_type(FILE *out, const struct spec *spec, const struct naming *naming,
                      const struct def *def)
{
    if (!def->is_inline && !is_bare(def))
        fprintf(out, "\n/* %s */\n", emit_origin(spec, naming, def));
    switch (def->kind) {
    case DEF_ENUM:
        emit_enum(out, spec, def);
        break;
    case DEF_STRUCT:
        emit_struct(out, spec, def);
        break;
    case DEF_UNION:
        emit_union(out, spec, def);
        break;
    default:
        emit_typedef(out, def);
        break;
    }
    emit_wrappers(out, def);
}

static void emit_types(FILE *out, const struct spec *spec, const struct naming *naming)
{
    bool constants = false;
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (def->kind == DEF_CONST) {
            fputs(constants ? "" : "\n", out);
            emit_constant(out, spec, def);
        } else if (back_is_emitted(def)) {
            emit_type(out, spec, naming, def);
        }
        constants = def->kind == DEF_CONST;
    }
}

bool emit_header(FILE *out, const struct spec *spec, const struct naming *naming, const char *guard,
                 const char *const *roots, unsigned root_count)
{
    emit_banner(out, spec, naming);
    fprintf(out,
            "#ifndef %s\n#define %s\n\n"
            "#include <rpcrdma/xdr.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
            guard, guard);
    emit_types(out, spec, naming);
    bool done = !naming->offsets || emit_offsets(out, spec, naming, roots, root_count);
    emit_limits(out, spec);
    fputs("\n/* Elements of arrays and lists, one by one: next returns false after the last. */\n",
          out);
    for (unsigned i = 0; i < spec->def_count; i++)
        if (back_is_emitted(spec->ordered[i]))
            emit_inline_iterators(out, spec->ordered[i]);
    for (unsigned i = 0; i < root_count; i++)
        emit_call_declarations(out, back_root(spec, roots[i]), naming->reduced);
    fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", out);
    return done;
}
