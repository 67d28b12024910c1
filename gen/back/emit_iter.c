// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: iterators over arrays and lists. Elements of fixed size are loaded in the caller's
 * loop, by functions of the header; others by their getter, in the source.
 */
#include "gen/back/emit.h"

#include <inttypes.h>

/* A span's iterator: of a list, or of an array of these elements. */
struct span {
    const char *name, *type;
    const struct def *item;
    uint64_t skip, stride; /* octets of an entry before its item, a list's presence word; and at
                            * least in all */
    const char *getter;
};

static const char next_head[] =
    "bool {name}_next(struct rpcrdma_xdr_iter *iter, {type} *out)\n{\n"
    "if (iter->left == 0)\nreturn false;\niter->left--;\n"
    "if (iter->end == NULL)\nreturn RPCRDMA_XDR_ITER_ITEM(iter, out, {type});\n";

static struct span list_span(const struct def *def)
{
    const struct shape *shape = back_shape(def);
    const struct def *item = shape->item_is_field ? def->fields->def : def;
    return (struct span){shape->cname,          shape->item,      item, 4,
                         back_entry_least(def), shape->item_cname};
}

static struct span array_span(const struct def *def)
{
    const struct shape *shape = back_shape(def);
    return (struct span){
        text("%s_array", shape->cname), shape->ctype, def, 0, shape->least, shape->cname};
}

/* ---- in the header ---- */

static void emit_inline_next(FILE *out, const struct span *span)
{
    const struct decl *field = span->item->fields;
    const struct decl *stop = span->item->is_list ? back_last_field(span->item) : NULL;
    struct run run = back_run(&field, stop);
    acsl_next(out, span->stride, true, "");
    fputs("static inline ", out);
    EMIT(out, next_head, "name", span->name, "type", span->type);
    for (unsigned i = 0; i < run.count; i++) {
        struct leaf leaf = run.leaves[i];
        leaf.offset += (uint32_t)span->skip;
        emit_load(out, &leaf, "out->", "iter->p");
    }
    fprintf(out, "iter->p += %" PRIu64 ";\nreturn true;\n}\n", span->skip + run.size);
}

/* Where an element is one array of elements that are. The count is looked at again: an iterator
 * never leaves its span, even if the octets changed under it. */
static void emit_inline_array_next(FILE *out, const struct span *span)
{
    const struct decl *array = span->item->fields;
    const char *least = decimal(back_element_least(array)), *field = back_cfield(array->name);
    acsl_next(
        out, span->stride, false,
        text(" &&\nout->%s.wire + out->%s.octets == iter->p &&\n\\old(iter->p) < out->%s.wire "
             "&& out->%s.count * %s == out->%s.octets",
             field, field, field, field, least, field));
    fputs("static inline ", out);
    EMIT(out, next_head, "name", span->name, "type", span->type);
    EMIT(out,
         "size_t left = (size_t)(iter->end - iter->p);\n"
         "if (left < {head})\nreturn false;\n"
         "const uint8_t *p = iter->p + {head};\n"
         "uint32_t count = rpcrdma_xdr_load32(p - 4);\n"
         "if (count > (left - {head}) / {least})\nreturn false;\n"
         "out->{field}.wire = p;\nout->{field}.count = count;\n"
         "out->{field}.octets = count * {least};\n"
         "iter->p = p + out->{field}.octets;\nreturn true;\n}\n",
         "head", decimal(span->skip + 4), "least", least, "field", field);
}

/* Up to `max` elements at once, without an iterator. */
static void emit_copy(FILE *out, const struct span *span)
{
    const struct decl *field = span->item->fields;
    struct run run = back_run(&field, span->item->is_list ? back_last_field(span->item) : NULL);
    const char *stride = decimal(span->skip + run.size);
    bool turned = back_is_turned(&run, span->skip > 0);
    EMIT(out,
         "\n/* Copy the first elements, at most max of them; returns how many. */\n"
         "static inline uint32_t {name}_copy(const struct {name} *span, {type} *items, "
         "uint32_t max)\n{\n"
         "uint32_t count = span->count < max ? span->count : max;\n"
         "const uint8_t *p = span->wire;\nuint32_t i;\n"
         "if (span->octets == 0) {\n"
         "for (i = 0; i < count; i++)\nitems[i] = span->items[i];\nreturn count;\n}\n"
         "{turn}for (i = 0; i < count; i++, p += {stride}) {\n",
         "name", span->name, "type", span->type, "stride", stride, "turn",
         turned ? text("if (sizeof *items == %s) {\nrpcrdma_xdr_copy_%s(items, p, count);\n"
                       "return count;\n}\n",
                       stride, stride)
                : "");
    for (unsigned i = 0; i < run.count; i++) {
        struct leaf leaf = run.leaves[i];
        leaf.offset += (uint32_t)span->skip;
        emit_load(out, &leaf, "items[i].", "p");
    }
    fputs("}\nreturn count;\n}\n", out);
}

static bool is_inline(const struct span *span)
{
    return back_is_run(span->item) || back_is_array(span->item);
}

static void emit_inline_iterator(FILE *out, const struct span *span)
{
    fputc('\n', out);
    acsl_iter(out, span->stride, back_is_run(span->item));
    EMIT(out,
         "static inline struct rpcrdma_xdr_iter {name}_iter(const struct {name} *span)\n{\n"
         "return RPCRDMA_XDR_ITER(span);\n}\n\n",
         "name", span->name);
    if (back_is_run(span->item)) {
        emit_inline_next(out, span);
        emit_copy(out, span);
    } else if (back_is_array(span->item))
        emit_inline_array_next(out, span);
    else
        EMIT(out, "RPCRDMA_API bool {name}_next(struct rpcrdma_xdr_iter *iter, {type} *out);\n",
             "name", span->name, "type", span->type);
}

void emit_inline_iterators(FILE *out, const struct def *def)
{
    if (def->is_list)
        emit_inline_iterator(out, (struct span[]){list_span(def)});
    if (back_shape(def)->in_array)
        emit_inline_iterator(out, (struct span[]){array_span(def)});
}

/* ---- in the source ---- */

/* Elements of variable size are read by their getter, which checks them again. */
static void emit_next(FILE *out, const struct span *span)
{
    if (is_inline(span))
        return;
    emit_kept(out);
    acsl_next(out, span->stride, false, acsl_element_view(span->item));
    EMIT(out, next_head, "name", span->name, "type", span->type);
    EMIT(out,
         "struct rpcrdma_xdr_error error;\n"
         "const struct rpcrdma_xdr_in in = {iter->p, iter->end, NULL, &error, NULL};\n"
         "const uint8_t *p = iter->p;\n{skip}"
         "if ((p = get_{getter}(&in, p, out)) == NULL)\nreturn false;\n"
         "iter->p = p;\nreturn true;\n}\n",
         "skip", span->skip ? "if (rpcrdma_xdr_left(&in, p) < 4)\nreturn false;\np += 4;\n" : "",
         "getter", span->getter);
}

void emit_iterators(FILE *out, const struct def *def)
{
    if (def->is_list)
        emit_next(out, (struct span[]){list_span(def)});
    if (back_shape(def)->in_array)
        emit_next(out, (struct span[]){array_span(def)});
}
