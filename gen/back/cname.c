// SPDX-License-Identifier: BSD-3-Clause
/* Names in C of what a specification defines. */
#include "gen/back/cname.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/front/diag.h"

static struct naming *names;

char *text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *memory = diag_alloc((size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(memory, (size_t)length + 1, format, args);
    va_end(args);
    return memory;
}

void cname_begin(struct naming *naming)
{
    names = naming;
}

const struct naming *cname_naming(void)
{
    return names;
}

const char *cname_renamed(const char *name)
{
    for (unsigned i = 0; i < names->rename_count; i++) {
        if (strcmp(names->renames[i].from, name) == 0) {
            names->renames[i].used = true;
            return names->renames[i].to;
        }
    }
    return NULL;
}

/* As it is without this front, unless nothing would be left of it. */
static const char *stripped(const char *name, const char *front)
{
    size_t length = front ? strlen(front) : 0;
    return length > 0 && strncmp(name, front, length) == 0 && name[length] ? name + length : name;
}

const char *cname_stem(const char *name)
{
    const char *to = cname_renamed(name);
    return to != NULL ? to : stripped(name, names->strip);
}

const char *back_constant(const char *name)
{
    const char *to = cname_renamed(name);
    return text("%s%s", names->const_prefix, to ? to : stripped(name, names->const_strip));
}

const char *back_limits_type(void)
{
    return text("struct %slimits", names->prefix);
}

const char *back_prefix(void)
{
    return names->prefix;
}

const char *back_cfield(const char *name)
{
    static const char *const keywords[] = {
        "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
        "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
        "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
        "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
        "volatile", "while",  "bool",   "wire",     "items",    "present",  "value",
    };
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(name, keywords[i]) == 0)
            return text("%s_", name);
    return name;
}

const char *cname_base(enum base_kind base)
{
    switch (base) {
    case BASE_INT:
        return "int32_t";
    case BASE_UINT:
        return "uint32_t";
    case BASE_HYPER:
        return "int64_t";
    case BASE_UHYPER:
        return "uint64_t";
    case BASE_FLOAT:
        return "float";
    case BASE_DOUBLE:
        return "double";
    case BASE_QUADRUPLE:
        return "const uint8_t *"; /* C11 has no such type: its 16 octets */
    case BASE_BOOL:
        return "bool";
    default:
        return "void";
    }
}

const char *back_element_ctype(const struct decl *decl)
{
    if (decl->base != BASE_NAMED)
        return cname_base(decl->base);
    return back_shape(decl->def)->ctype;
}

const char *back_element_cname(const struct decl *decl)
{
    const struct def *def = back_element_def(decl);
    if (def != NULL)
        return back_shape(def)->cname;
    switch (back_element_real(decl).decl->base) {
    case BASE_INT:
        return "rpcrdma_xdr_int32";
    case BASE_UINT:
        return "rpcrdma_xdr_uint32";
    case BASE_HYPER:
        return "rpcrdma_xdr_int64";
    case BASE_UHYPER:
        return "rpcrdma_xdr_uint64";
    default:
        return "rpcrdma_xdr_bool";
    }
}

const char *back_ctype(const struct decl *decl)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        return back_element_ctype(decl);
    case DECL_FIXED:
    case DECL_VAR:
        if (decl->base == BASE_OPAQUE || decl->base == BASE_STRING)
            return decl->kind == DECL_FIXED ? "const uint8_t *" : "struct rpcrdma_xdr_opaque";
        return text("struct %s_array", back_element_cname(decl));
    case DECL_OPTIONAL:
        if (decl->base == BASE_NAMED && decl->def->is_list)
            return back_shape(decl->def)->ctype;
        return text("struct %s_opt", back_element_cname(decl));
    case DECL_VOID:
        break;
    }
    return "void";
}

/* ---- limits, paths ---- */

bool back_needs_limit(const struct decl *decl)
{
    return decl->kind == DECL_VAR && !decl->has_size;
}

const char *back_limit(const struct def *owner, const struct decl *decl)
{
    return owner->kind == DEF_TYPEDEF ? back_cfield(cname_stem(owner->name))
                                      : text("%s_%s", cname_stem(owner->name), decl->name);
}

const char *back_list_limit(const struct def *list)
{
    return back_cfield(cname_stem(list->name));
}

const char *back_step(const struct decl *decl, bool is_arm)
{
    if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED &&
        (decl->def->kind == DEF_UNION || (is_arm && decl->def->kind == DEF_STRUCT)))
        return "";
    return decl->name ? decl->name : "";
}
