// SPDX-License-Identifier: BSD-3-Clause
/* Back end: the public header of a codec. Types in the order of the specification, then calls. */
#include "gen/back/shape.h"

#include <inttypes.h>
#include <string.h>

/* The specification's own words on a line, as a comment behind the field it declares. */
static void field_note(FILE *out, const struct spec *spec, const struct decl *decl)
{
    const char *line = decl->loc.line <= spec->line_count ? spec->lines[decl->loc.line - 1] : "";
    const char *open = strstr(line, "/*");
    const char *close = open ? strstr(open, "*/") : NULL;
    fprintf(out, " /* %u", decl->loc.line);
    if (close && close > open + 3)
        fprintf(out, ": %.*s", (int)(close - open - 3 - (close[-1] == ' ')), open + 3);
    fputs(" */\n", out);
}

static void declare(FILE *out, const struct spec *spec, const struct decl *decl, const char *indent)
{
    if (decl->kind == DECL_VOID)
        return;
    const char *type = back_ctype(decl);
    bool pointer = type[strlen(type) - 1] == '*';
    fprintf(out, "%s%s%s%s;", indent, type, pointer ? "" : " ", back_cfield(decl->name));
    field_note(out, spec, decl);
}

static void emit_enum(FILE *out, const struct def *def)
{
    fprintf(out, "enum %s {\n", back_shape(def)->cname);
    for (const struct enumerator *e = def->enumerators; e; e = e->next)
        fprintf(out, "    %s = %" PRId64 ",\n", back_constant(e->name), e->value.number);
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
        declare(out, spec, field, "    ");
    fputs("};\n", out);
    if (def->is_list)
        fprintf(out, "RPCRDMA_XDR_SPAN(%s, %s);\n", shape->cname, shape->item);
}

static void emit_union(FILE *out, const struct spec *spec, const struct def *def)
{
    fprintf(out, "struct %s {\n", back_shape(def)->cname);
    declare(out, spec, def->discriminant, "    ");
    bool any = false;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        any = any || arm->decl->kind != DECL_VOID;
    if (any) {
        fputs("    union {\n", out);
        for (const struct arm *arm = def->arms; arm; arm = arm->next)
            declare(out, spec, arm->decl, "        ");
        fputs("    };\n", out);
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
        fprintf(out, "struct %s_opt {\n    bool present;\n    %s value;\n};\n", shape->cname,
                shape->ctype);
}

void emit_load(FILE *out, const struct leaf *leaf, const char *target, const char *at)
{
    const struct decl *decl = leaf->real.decl;
    fprintf(out, "    %s%s = ", target, leaf->lvalue);
    if (decl->kind == DECL_FIXED)
        fprintf(out, "%s + %u;\n", at, leaf->offset);
    else if (decl->base == BASE_NAMED)
        fprintf(out, "(%s)rpcrdma_xdr_load32(%s + %u);\n", back_element_ctype(decl), at,
                leaf->offset);
    else {
        static const char *const load[] = {
            "(int32_t)rpcrdma_xdr_load32(",
            "rpcrdma_xdr_load32(",
            "(int64_t)rpcrdma_xdr_load64(",
            "rpcrdma_xdr_load64(",
            "rpcrdma_xdr_load_float(",
            "rpcrdma_xdr_load_double(",
            "(",
            "1 == rpcrdma_xdr_load32(",
        };
        fprintf(out, "%s%s + %u);\n", load[decl->base], at, leaf->offset);
    }
}

/* Elements of fixed size are loaded in the caller's loop, without a call. */
static void emit_inline_next(FILE *out, const char *stem, const char *type, const struct def *item,
                             uint64_t skip)
{
    const struct decl *field = item->fields;
    const struct decl *stop = item->is_list ? back_last_field(item) : NULL;
    uint64_t stride = skip;
    fprintf(out,
            "static inline bool %s_next(struct rpcrdma_xdr_iter *iter, %s *out)\n{\n"
            "    if (iter->left == 0)\n        return false;\n    iter->left--;\n"
            "    if (iter->items)\n        return RPCRDMA_XDR_ITER_ITEM(iter, out, %s);\n",
            stem, type, type);
    struct run run = back_run(&field, stop);
    for (unsigned i = 0; i < run.count; i++) {
        struct leaf leaf = run.leaves[i];
        leaf.offset += (uint32_t)skip;
        emit_load(out, &leaf, "out->", "iter->p");
    }
    stride += run.size;
    fprintf(out, "    iter->p += %" PRIu64 ";\n    return true;\n}\n", stride);
}

/* The same where an element is one array of elements that are. The count is looked at again: an
 * iterator never leaves its span, even if the octets changed under it. */
static void emit_inline_array_next(FILE *out, const char *stem, const char *type,
                                   const struct decl *array, uint64_t skip)
{
    const char *field = back_cfield(array->name);
    fprintf(out,
            "static inline bool %s_next(struct rpcrdma_xdr_iter *iter, %s *out)\n{\n"
            "if (iter->left == 0)\nreturn false;\niter->left--;\n"
            "if (iter->items)\nreturn RPCRDMA_XDR_ITER_ITEM(iter, out, %s);\n"
            "size_t left = (size_t)(iter->end - iter->p);\n"
            "if (left < %" PRIu64 ")\nreturn false;\n"
            "const uint8_t *p = iter->p + %" PRIu64 ";\n"
            "uint32_t count = rpcrdma_xdr_load32(p - 4);\n"
            "if (count > (left - %" PRIu64 ") / %" PRIu64 ")\nreturn false;\n",
            stem, type, type, skip + 4, skip + 4, skip + 4, back_element_least(array));
    fprintf(out,
            "out->%s.wire = p;\nout->%s.count = count;\n"
            "out->%s.octets = count * %" PRIu64 ";\n"
            "iter->p = p + out->%s.octets;\nreturn true;\n}\n",
            field, field, field, back_element_least(array), field);
}

static void emit_iterator(FILE *out, const char *span, const char *stem, const char *type,
                          const struct def *item, uint64_t skip)
{
    fprintf(out,
            "\nstatic inline struct rpcrdma_xdr_iter %s_iter(const struct %s *span)\n{\n"
            "    return RPCRDMA_XDR_ITER(span);\n}\n",
            span, span);
    if (back_is_run(item))
        emit_inline_next(out, stem, type, item, skip);
    else if (back_is_array(item))
        emit_inline_array_next(out, stem, type, item->fields, skip);
    else
        fprintf(out, "RPCRDMA_API bool %s_next(struct rpcrdma_xdr_iter *iter, %s *out);\n", stem,
                type);
}

static void emit_iterators(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (def->is_list) {
        const struct def *item = shape->item_is_field ? def->fields->def : def;
        emit_iterator(out, shape->cname, shape->cname, shape->item, item, 4);
    }
    if (shape->in_array)
        emit_iterator(out, text("%s_array", shape->cname), text("%s_array", shape->cname),
                      shape->ctype, def, 0);
}

static unsigned emit_limit(FILE *out, const struct def *def, const struct decl *decl)
{
    if (!back_needs_limit(decl))
        return 0;
    bool octets = decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
    fprintf(out, "uint32_t %s; /* %s */\n", back_limit(def, decl), octets ? "octets" : "elements");
    return 1;
}

static unsigned emit_limit_fields(FILE *out, const struct def *def)
{
    unsigned count = 0;
    if (def->is_list) {
        fprintf(out, "uint32_t %s; /* entries */\n", back_list_limit(def));
        count++;
    }
    const struct decl *field = def->kind == DEF_TYPEDEF ? def->target : def->fields;
    for (; field; field = field->next)
        count += emit_limit(out, def, field);
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        count += emit_limit(out, def, arm->decl);
    return count;
}

static void emit_limits(FILE *out, const struct spec *spec)
{
    unsigned count = 0;
    fprintf(out,
            "\n/*\n* Bounds for what the specification leaves unbounded; 0 sets none. The octets "
            "at hand\n"
            "* bound everything in any case. A count above its limit is "
            "RPCRDMA_XDR_E_LIMIT.\n*/\n%s {\n",
            back_limits_type());
    for (unsigned i = 0; i < spec->def_count; i++)
        if (back_shape(spec->ordered[i])->reachable)
            count += emit_limit_fields(out, spec->ordered[i]);
    if (count == 0)
        fputs("uint32_t none; /* this specification bounds all by itself */\n", out);
    fputs("};\n", out);
}

static void emit_calls(FILE *out, const struct def *root, bool reduced)
{
    const char *name = back_shape(root)->cname;
    const char *type = back_shape(root)->ctype;
    fprintf(out,
            "\n/*\n"
            " * Decode the %s at the start of `length` octets at buf. More may follow it (a\n"
            " * prefix decoding). Every octet of it is validated; the view points into buf. limits "
            "and\n"
            " * error may be NULL.\n"
            " *\n"
            " * Returns the octets it takes, or a negative error: RPCRDMA_XDR_E_ARGUMENT if length "
            "is above\n"
            " * 2^31-1; RPCRDMA_XDR_E_TRUNCATED, _PRESENCE, _BOOL, _ENUM, _UNION, _COUNT, _BOUND "
            "or _PAD if "
            "the\n"
            " * octets are malformed; RPCRDMA_XDR_E_LIMIT. The view is not to be used after an "
            "error.\n */\n"
            "RPCRDMA_API ptrdiff_t %s_decode(%s *view, const void *buf, size_t length,\n"
            "    const %s *limits, struct rpcrdma_xdr_error *error);\n",
            root->name, name, type, back_limits_type());
    fprintf(out,
            "\n/* The same where all the octets belong to it: any that follow are "
            "RPCRDMA_XDR_E_TRAILING. */\n"
            "RPCRDMA_API ptrdiff_t %s_decode_complete(%s *view, const void *buf, size_t length,\n"
            "    const %s *limits, struct rpcrdma_xdr_error *error);\n",
            name, type, back_limits_type());
    fprintf(out,
            "\n/* The octets that %s_encode() writes, or a negative error as it returns. */\n"
            "RPCRDMA_API ptrdiff_t %s_size(const %s *value, struct rpcrdma_xdr_error *error);\n",
            name, name, type);
    fprintf(
        out,
        "\n/*\n"
        " * Encode value at buf, which has room for `length` octets. Spans with `wire` set are\n"
        " * copied as they are: they must come from a decoding. error may be NULL.\n"
        " *\n"
        " * Returns the octets written, or a negative error: RPCRDMA_XDR_E_SPACE if they are more "
        "than\n"
        " * length; RPCRDMA_XDR_E_ARGUMENT if they are more than 2^31-1; RPCRDMA_XDR_E_ENUM, "
        "_UNION or _BOUND if "
        "a\n"
        " * value has no encoding. After an error the buffer holds no object.\n */\n"
        "RPCRDMA_API ptrdiff_t %s_encode(void *buf, size_t length, const %s *value,\n"
        "    struct rpcrdma_xdr_error *error);\n",
        name, type);
    if (reduced)
        fprintf(
            out,
            "\n/* As %s_decode(), of an object of which the reduction's items were taken out. */\n"
            "RPCRDMA_API ptrdiff_t %s_decode_reduced(%s *view, const void *buf, size_t length,\n"
            "struct rpcrdma_xdr_reduction *reduction, struct rpcrdma_xdr_error *error);\n",
            name, name, type);
}

static void emit_type(FILE *out, const struct spec *spec, const struct def *def)
{
    if (!def->is_inline)
        annotate(out, spec, &def->start);
    switch (def->kind) {
    case DEF_CONST:
        fprintf(out, "#define %s %" PRId64 "%s\n", back_constant(def->name), def->constant.number,
                def->constant.number > INT32_MAX ? "U" : "");
        return;
    case DEF_ENUM:
        emit_enum(out, def);
        break;
    case DEF_STRUCT:
        emit_struct(out, spec, def);
        break;
    case DEF_UNION:
        emit_union(out, spec, def);
        break;
    case DEF_TYPEDEF:
        emit_typedef(out, def);
        break;
    }
    emit_wrappers(out, def);
}

bool emit_header(FILE *out, const struct spec *spec, const struct naming *naming, const char *guard,
                 const char *const *roots, unsigned root_count)
{
    emit_banner(out, spec, naming);
    fprintf(out,
            "#ifndef %s\n#define %s\n\n"
            "#include <rpcrdma/xdr.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
            guard, guard);
    for (unsigned i = 0; i < spec->def_count; i++)
        if (spec->ordered[i]->kind == DEF_CONST || back_shape(spec->ordered[i])->reachable)
            emit_type(out, spec, spec->ordered[i]);
    bool done = !naming->offsets || emit_offsets(out, spec, naming, roots, root_count);
    emit_limits(out, spec);
    fputs("\n/* Elements of arrays and lists, one by one: next returns false after the last. */\n",
          out);
    for (unsigned i = 0; i < spec->def_count; i++)
        if (spec->ordered[i]->kind != DEF_CONST && back_shape(spec->ordered[i])->reachable)
            emit_iterators(out, spec->ordered[i]);
    for (unsigned i = 0; i < root_count; i++)
        emit_calls(out, back_root(spec, roots[i]), naming->reduced);
    fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", out);
    return done;
}
