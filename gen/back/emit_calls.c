// SPDX-License-Identifier: BSD-3-Clause
/* Back end: the calls of a root, declared in the header and defined in the source. */
#include "gen/back/emit.h"

/* ---- declarations ---- */

static const char declarations[] =
    "\n/*\n"
    " * Decode the {xdr} at the start of `length` octets at buf. More may follow it (a prefix\n"
    " * decoding). Every octet of it is validated; the view points into buf. limits and error may\n"
    " * be NULL.\n"
    " *\n"
    " * Returns the octets it takes, or a negative error: RPCRDMA_XDR_E_ARGUMENT if length is "
    "above\n"
    " * 2^31-1; RPCRDMA_XDR_E_TRUNCATED, _PRESENCE, _BOOL, _ENUM, _UNION, _COUNT, _BOUND or _PAD "
    "if\n"
    " * the octets are malformed; RPCRDMA_XDR_E_LIMIT. The view is not to be used after an error.\n"
    " */\n"
    "RPCRDMA_API ptrdiff_t {name}_decode({type} *view, const void *buf, size_t length, "
    "const {limits} *limits, struct rpcrdma_xdr_error *error);\n"
    "\n/* The same where all the octets belong to it: any that follow are RPCRDMA_XDR_E_TRAILING. "
    "*/\n"
    "RPCRDMA_API ptrdiff_t {name}_decode_complete({type} *view, const void *buf, size_t length, "
    "const {limits} *limits, struct rpcrdma_xdr_error *error);\n"
    "\n/* The octets that {name}_encode() writes, or a negative error as it returns. */\n"
    "RPCRDMA_API ptrdiff_t {name}_size(const {type} *value, struct rpcrdma_xdr_error *error);\n"
    "\n/*\n"
    " * Encode value at buf, which has room for `length` octets. Spans with `wire` set are copied "
    "as\n"
    " * they are: they must come from a decoding. error may be NULL.\n"
    " *\n"
    " * Returns the octets written, or a negative error: RPCRDMA_XDR_E_SPACE if they are more "
    "than\n"
    " * length; RPCRDMA_XDR_E_ARGUMENT if they are more than 2^31-1; RPCRDMA_XDR_E_ENUM, _UNION "
    "or\n"
    " * _BOUND if a value has no encoding. After an error the buffer holds no object.\n"
    " */\n"
    "RPCRDMA_API ptrdiff_t {name}_encode(void *buf, size_t length, const {type} *value, "
    "struct rpcrdma_xdr_error *error);\n";

static const char reduced_declaration[] =
    "\n/* As {name}_decode(), of an object without the items that the reduction took out. */\n"
    "RPCRDMA_API ptrdiff_t {name}_decode_reduced({type} *view, const void *buf, size_t length, "
    "struct rpcrdma_xdr_reduction *reduction, struct rpcrdma_xdr_error *error);\n";

void emit_call_declarations(FILE *out, const struct def *root, bool reduced)
{
    const struct shape *shape = back_shape(root);
    EMIT(out, declarations, "xdr", root->name, "name", shape->cname, "type", shape->ctype, "limits",
         back_limits_type());
    if (reduced)
        EMIT(out, reduced_declaration, "name", shape->cname, "type", shape->ctype);
}

/* ---- definitions ---- */

/* With an error to fill in, and limits or items that were taken out. */
static const char decode_body[] =
    "{\nstruct rpcrdma_xdr_error local;\n"
    "if (error == NULL)\nerror = &local;\n"
    "if (RPCRDMA_XDR_UNLIKELY(length > INT32_MAX || buf == NULL)) {\n"
    "rpcrdma_xdr_note(error, buf ? RPCRDMA_XDR_E_ARGUMENT : RPCRDMA_XDR_E_TRUNCATED, 0, \"\");\n"
    "return error->code;\n}\n"
    "const struct rpcrdma_xdr_in in = {buf, rpcrdma_xdr_end(buf, length), {limits}, error, "
    "{reduction}};\n"
    "const uint8_t *p = get_{name}(&in, in.base, view);\n"
    "return p != NULL ? p - in.base : error->code;\n}\n";

/* Without: what fails, or has limits, is decoded by the slow one. That is called at two places so
 * that what only it needs keeps no register busy in between. */
static const char fast_decode[] =
    "ptrdiff_t {name}_decode({type} *view, const void *buf, size_t length, "
    "const {limits} *limits, struct rpcrdma_xdr_error *error)\n{\n"
    "if (RPCRDMA_XDR_UNLIKELY(limits != NULL || length - 1 >= INT32_MAX)) /* buf may be NULL */\n"
    "return {name}_decode_slowly(view, buf, length, limits, error);\n"
    "const struct rpcrdma_xdr_in in = {buf, rpcrdma_xdr_end(buf, length), NULL, NULL, NULL};\n"
    "const uint8_t *p = get_{name}(&in, in.base, view);\n"
    "if (RPCRDMA_XDR_LIKELY(p != NULL))\nreturn p - in.base;\n"
    "return {name}_decode_slowly(view, in.base, (size_t)(in.end - in.base), NULL, error);\n}\n";

static const char decode_complete[] =
    "ptrdiff_t {name}_decode_complete({type} *view, const void *buf, size_t length, "
    "const {limits} *limits, struct rpcrdma_xdr_error *error)\n{\n"
    "ptrdiff_t n = {name}_decode(view, buf, length, limits, error);\n"
    "if (RPCRDMA_XDR_LIKELY(n < 0 || (size_t)n == length))\nreturn n;\n"
    "if (error != NULL)\nrpcrdma_xdr_note(error, RPCRDMA_XDR_E_TRAILING, (size_t)n, \"\");\n"
    "return RPCRDMA_XDR_E_TRAILING;\n}\n";

static const char size[] =
    "ptrdiff_t {name}_size(const {type} *value, struct rpcrdma_xdr_error *error)\n{\n"
    "struct rpcrdma_xdr_error local;\n"
    "const struct rpcrdma_xdr_out out = {error ? error : &local};\n"
    "{own}int64_t n = size_{name}({out}value);\n"
    "if (RPCRDMA_XDR_UNLIKELY(n > INT32_MAX))\n"
    "n = rpcrdma_xdr_bad_value(&out, RPCRDMA_XDR_E_ARGUMENT, \"\");\n"
    "return (ptrdiff_t)n;\n}\n";

static const char size_is_constant[] =
    "ptrdiff_t {name}_size(const {type} *value, struct rpcrdma_xdr_error *error)\n{\n"
    "(void)value, (void)error;\nreturn {least};\n}\n";

static const char encode_head[] =
    "{storage}ptrdiff_t {name}_encode{how}(void *buf, size_t length, const {type} *value, "
    "struct rpcrdma_xdr_error *error)\n{\n"
    "const struct rpcrdma_xdr_room room = {(uint8_t *)buf + length, {values_only}};\n";

static const char encode_tail[] =
    "const uint8_t *p = length < {least} ? NULL : put_{name}(&room, buf, value, 0);\n"
    "if (RPCRDMA_XDR_LIKELY(p != NULL && p - (uint8_t *)buf <= INT32_MAX))\n"
    "return p - (uint8_t *)buf;\n"
    "ptrdiff_t n = {name}_size(value, error);\n"
    "if (n < 0)\nreturn n;\n"
    "if (error != NULL)\nrpcrdma_xdr_note(error, RPCRDMA_XDR_E_SPACE, 0, \"\");\n"
    "return RPCRDMA_XDR_E_SPACE;\n}\n";

/* Room for the least and for no more than an object may take: one comparison to the compiler. */
static const char fast_encode[] =
    "if (RPCRDMA_XDR_LIKELY(length >= {least} && length <= INT32_MAX)) {\n"
    "const uint8_t *p = put_{name}(&room, buf, value, 0);\n"
    "if (RPCRDMA_XDR_LIKELY(p != NULL))\nreturn p - (uint8_t *)buf;\n}\n"
    "return {name}_encode_slowly(buf, length, value, error);\n}\n";

/* A fast one writes values alone, so that it calls nothing; spans on the wire are copied by the
 * other, which also says what is wrong. */
static void emit_encode(FILE *out, const struct shape *shape, bool fast)
{
    const char *name = shape->cname, *type = shape->ctype, *least = decimal(shape->least);
    fputc('\n', out);
    acsl_encode(out, shape);
    EMIT(out, encode_head, "storage", fast ? "static RPCRDMA_XDR_NOINLINE " : "", "name", name,
         "how", fast ? "_slowly" : "", "type", type, "values_only", "false");
    EMIT(out, encode_tail, "name", name, "least", least);
    if (!fast)
        return;
    fputc('\n', out);
    acsl_encode(out, shape);
    EMIT(out, encode_head, "storage", "", "name", name, "how", "", "type", type, "values_only",
         "true");
    EMIT(out, fast_encode, "name", name, "least", least);
}

static void emit_decode(FILE *out, const struct def *root, bool fast)
{
    const struct shape *shape = back_shape(root);
    const char *name = shape->cname, *type = shape->ctype;
    acsl_decode(out, root, false);
    EMIT(out,
         "{storage}ptrdiff_t {name}_decode{how}({type} *view, const void *buf, size_t length, "
         "const {limits} *limits, struct rpcrdma_xdr_error *error)\n",
         "storage", fast ? "static RPCRDMA_XDR_COLD " : "", "name", name, "how",
         fast ? "_slowly" : "", "type", type, "limits", back_limits_type());
    EMIT(out, decode_body, "name", name, "limits", "limits", "reduction", "NULL");
    if (!fast)
        return;
    fputc('\n', out);
    acsl_decode(out, root, false);
    EMIT(out, fast_decode, "name", name, "type", type, "limits", back_limits_type());
}

void emit_calls(FILE *out, const struct def *root, const struct naming *naming)
{
    const struct shape *shape = back_shape(root);
    const char *name = shape->cname, *type = shape->ctype;
    bool fails = emit_sizer_fails(root);
    emit_kept(out);
    emit_decode(out, root, naming->inline_all);
    fputc('\n', out);
    acsl_decode(out, root, true);
    EMIT(out, decode_complete, "name", name, "type", type, "limits", back_limits_type());
    fputc('\n', out);
    acsl_size(out, shape);
    EMIT(out, shape->fixed && !fails ? size_is_constant : size, "name", name, "type", type, "out",
         fails ? "&out, " : "", "own", fails ? acsl_own(shape) : "", "least",
         decimal(shape->least));
    emit_encode(out, shape, naming->inline_all);
    if (!naming->reduced)
        return;
    EMIT(out,
         "\nptrdiff_t {name}_decode_reduced({type} *view, const void *buf, size_t length, "
         "struct rpcrdma_xdr_reduction *reduction, struct rpcrdma_xdr_error *error)\n",
         "name", name, "type", type);
    EMIT(out, decode_body, "name", name, "limits", "NULL", "reduction", "reduction");
}
