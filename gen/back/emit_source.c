// SPDX-License-Identifier: BSD-3-Clause
/* Back end: the source file of a codec, around its decoders and encoders. */
#include "gen/back/shape.h"

#include <inttypes.h>
#include <string.h>

/* Elements of variable size are read by their getter, which checks them again: an iterator never
 * leaves its span, even if the octets changed under it. */
static void emit_next(FILE *out, const char *stem, const char *type, const char *getter,
                      bool is_list)
{
    fprintf(out,
            "\nbool %s_next(struct rpcrdma_xdr_iter *iter, %s *out)\n{\n"
            "    if (iter->left == 0)\n        return false;\n    iter->left--;\n"
            "    if (iter->items)\n        return RPCRDMA_XDR_ITER_ITEM(iter, out, %s);\n"
            "    struct rpcrdma_xdr_error error;\n"
            "    const struct rpcrdma_xdr_in in = {iter->p, iter->end, NULL, &error, NULL};\n"
            "    const uint8_t *p = iter->p;\n",
            stem, type, type);
    if (is_list)
        fputs("    if (rpcrdma_xdr_left(&in, p) < 4)\n        return false;\n    p += 4;\n", out);
    fprintf(out,
            "    if ((p = get_%s(&in, p, out)) == NULL)\n        return false;\n"
            "    iter->p = p;\n    return true;\n}\n",
            getter);
}

/* The header has inline forms of those whose elements are simple. */
static bool is_inline(const struct def *item)
{
    return back_is_run(item) || back_is_array(item);
}

static void emit_iterators(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (def->is_list && !is_inline(shape->item_is_field ? def->fields->def : def))
        emit_next(out, shape->cname, shape->item, shape->item_cname, true);
    if (shape->in_array && !is_inline(def))
        emit_next(out, text("%s_array", shape->cname), shape->ctype, shape->cname, false);
}

static void emit_calls(FILE *out, const struct def *root, const struct naming *naming)
{
    bool fast = naming->inline_all;
    const char *name = back_shape(root)->cname;
    const char *type = back_shape(root)->ctype;
    const char *limits = back_limits_type();
    fprintf(out,
            "\n%sptrdiff_t %s_decode%s(%s *view, const void *buf, size_t length,\n"
            "const %s *limits, struct rpcrdma_xdr_error *error)\n{\n"
            "struct rpcrdma_xdr_error local;\n"
            "if (error == NULL)\nerror = &local;\n"
            "if (RPCRDMA_XDR_UNLIKELY(length > INT32_MAX || buf == NULL)) {\n"
            "rpcrdma_xdr_note(error, buf ? RPCRDMA_XDR_E_ARGUMENT : RPCRDMA_XDR_E_TRUNCATED, 0, "
            "\"\");\n"
            "return error->code;\n}\n"
            "const struct rpcrdma_xdr_in in = {buf, (const uint8_t *)buf + length, limits, error, "
            "NULL};\n"
            "const uint8_t *p = get_%s(&in, in.base, view);\n"
            "return p != NULL ? p - in.base : error->code;\n}\n",
            fast ? "static RPCRDMA_XDR_COLD " : "", name, fast ? "_slowly" : "", type, limits,
            name);
    if (fast) /* two calls of the other: in between, what it needs but not they leaves its register
               */
        fprintf(
            out,
            "\nptrdiff_t %s_decode(%s *view, const void *buf, size_t length,\n"
            "const %s *limits, struct rpcrdma_xdr_error *error)\n{\n"
            "if (RPCRDMA_XDR_UNLIKELY(limits != NULL || length - 1 >= INT32_MAX)) /* buf may be "
            "NULL */\n"
            "return %s_decode_slowly(view, buf, length, limits, error);\n"
            "const struct rpcrdma_xdr_in in = {buf, (const uint8_t *)buf + length, NULL, NULL, "
            "NULL};\n"
            "const uint8_t *p = get_%s(&in, in.base, view);\n"
            "if (RPCRDMA_XDR_LIKELY(p != NULL))\nreturn p - in.base;\n"
            "return %s_decode_slowly(view, in.base, (size_t)(in.end - in.base), NULL, error);\n}\n",
            name, type, limits, name, name, name);
    fprintf(
        out,
        "\nptrdiff_t %s_decode_complete(%s *view, const void *buf, size_t length,\n"
        "const %s *limits, struct rpcrdma_xdr_error *error)\n{\n"
        "ptrdiff_t n = %s_decode(view, buf, length, limits, error);\n"
        "if (RPCRDMA_XDR_LIKELY(n < 0 || (size_t)n == length))\nreturn n;\n"
        "if (error != NULL)\nrpcrdma_xdr_note(error, RPCRDMA_XDR_E_TRAILING, (size_t)n, \"\");\n"
        "return RPCRDMA_XDR_E_TRAILING;\n}\n",
        name, type, limits, name);
    fprintf(out,
            "\nptrdiff_t %s_size(const %s *value, struct rpcrdma_xdr_error *error)\n{\n"
            "struct rpcrdma_xdr_error local;\n"
            "const struct rpcrdma_xdr_out out = {error ? error : &local};\n"
            "int64_t n = size_%s(&out, value);\n"
            "return (ptrdiff_t)(RPCRDMA_XDR_LIKELY(n <= INT32_MAX) ? n : "
            "rpcrdma_xdr_bad_value(&out, RPCRDMA_XDR_E_ARGUMENT, \"\"));\n}\n",
            name, type, name);
    fprintf(
        out,
        "\nptrdiff_t %s_encode(void *buf, size_t length, const %s *value, struct rpcrdma_xdr_error "
        "*error)\n{\n"
        "const uint8_t *end = (uint8_t *)buf + length;\n"
        "const uint8_t *p = put_%s(buf, end, value);\n"
        "if (RPCRDMA_XDR_LIKELY(p != NULL && p - (uint8_t *)buf <= INT32_MAX))\n"
        "return p - (uint8_t *)buf;\n"
        "ptrdiff_t n = %s_size(value, error);\n"
        "if (n < 0)\nreturn n;\n"
        "if (error != NULL)\nrpcrdma_xdr_note(error, RPCRDMA_XDR_E_SPACE, 0, \"\");\n"
        "return RPCRDMA_XDR_E_SPACE;\n}\n",
        name, type, name, name);
    if (naming->reduced)
        fprintf(
            out,
            "\nptrdiff_t %s_decode_reduced(%s *view, const void *buf, size_t length,\n"
            "struct rpcrdma_xdr_reduction *reduction, struct rpcrdma_xdr_error *error)\n{\n"
            "struct rpcrdma_xdr_error local;\n"
            "if (error == NULL)\nerror = &local;\n"
            "if (RPCRDMA_XDR_UNLIKELY(length > INT32_MAX || buf == NULL)) {\n"
            "rpcrdma_xdr_note(error, buf ? RPCRDMA_XDR_E_ARGUMENT : RPCRDMA_XDR_E_TRUNCATED, 0, "
            "\"\");\n"
            "return error->code;\n}\n"
            "const struct rpcrdma_xdr_in in = {buf, (const uint8_t *)buf + length, NULL, error, "
            "reduction};\n"
            "const uint8_t *p = get_%s(&in, in.base, view);\n"
            "return p != NULL ? p - in.base : error->code;\n}\n",
            name, type, name);
}

void emit_source(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *include, const char *const *roots, unsigned root_count)
{
    emit_banner(out, spec, naming);
    fprintf(out, "#include <rpcrdma/xdr_runtime.h>\n#include <%s>\n", include);
    const char *how = naming->inline_all ? " inline __attribute__((always_inline))" : "";
    fprintf(out,
            "\n#define RPCRDMA_XDR_GETTER RPCRDMA_XDR_UNUSED static%s\n#define RPCRDMA_XDR_PUTTER "
            "RPCRDMA_XDR_UNUSED static%s\n",
            how, how);
    emit_decoders(out, spec);
    emit_sizers(out, spec);
    emit_putters(out, spec);
    for (unsigned i = 0; i < spec->def_count; i++)
        if (spec->ordered[i]->kind != DEF_CONST && back_shape(spec->ordered[i])->reachable)
            emit_iterators(out, spec->ordered[i]);
    for (unsigned i = 0; i < root_count; i++)
        emit_calls(out, back_root(spec, roots[i]), naming);
}
