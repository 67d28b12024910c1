// SPDX-License-Identifier: BSD-3-Clause
/* Shapes on the wire and names in C of the definitions of a checked specification. */
#include "gen/back/shape.h"

#include "gen/front/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static struct naming *names;
static const char *limits_type;

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

/* ---- names ---- */

static const char *renamed(const char *name)
{
    for (unsigned i = 0; i < names->rename_count; i++) {
        if (strcmp(names->renames[i].from, name) == 0) {
            names->renames[i].used = true;
            return names->renames[i].to;
        }
    }
    return NULL;
}

static const char *stripped(const char *name)
{
    const char *to = renamed(name);
    if (to != NULL)
        return to;
    size_t length = names->strip ? strlen(names->strip) : 0;
    return length > 0 && strncmp(name, names->strip, length) == 0 && name[length] ? name + length
                                                                                  : name;
}

const char *back_constant(const char *name)
{
    const char *to = renamed(name);
    return text("%s%s", names->const_prefix, to ? to : name);
}

const char *back_limits_type(void)
{
    return limits_type;
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

static const char *base_ctype(enum base_kind base)
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

struct real back_real(const struct decl *decl)
{
    struct real real = {decl, NULL};
    while (real.decl->kind == DECL_PLAIN && real.decl->base == BASE_NAMED &&
           real.decl->def->kind == DEF_TYPEDEF) {
        real.alias = real.decl->def;
        real.decl = real.decl->def->target;
    }
    return real;
}

/* A typedef of a bare integer type is that type in C: "uint32" needs no name of its own. */
static bool is_bare_integer(const struct def *def)
{
    return def->kind == DEF_TYPEDEF && def->target->kind == DECL_PLAIN &&
           def->target->base <= BASE_UHYPER;
}

const char *back_element_ctype(const struct decl *decl)
{
    if (decl->base != BASE_NAMED)
        return base_ctype(decl->base);
    return back_shape(decl->def)->ctype;
}

/* One element of the declaration, seen through typedefs. */
static struct real element_real(const struct decl *decl)
{
    struct decl plain = *decl;
    plain.kind = DECL_PLAIN;
    struct real real = back_real(&plain);
    if (real.decl == &plain)
        real.decl = decl;
    return real;
}

/* The definition whose name an element's functions and wrappers carry; NULL for a base type. */
static const struct def *element_def(const struct decl *decl)
{
    struct real real = element_real(decl);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        return real.alias;
    return real.decl->base == BASE_NAMED ? real.decl->def : NULL;
}

const char *back_element_cname(const struct decl *decl)
{
    const struct def *def = element_def(decl);
    if (def != NULL)
        return back_shape(def)->cname;
    switch (element_real(decl).decl->base) {
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

/* ---- sizes ---- */

bool back_is_scalar(const struct decl *decl)
{
    return decl->kind == DECL_PLAIN &&
           (decl->base <= BASE_BOOL || (decl->base == BASE_NAMED && decl->def->kind == DEF_ENUM));
}

uint64_t back_element_least(const struct decl *decl)
{
    switch (decl->base) {
    case BASE_INT:
    case BASE_UINT:
    case BASE_FLOAT:
    case BASE_BOOL:
        return 4;
    case BASE_HYPER:
    case BASE_UHYPER:
    case BASE_DOUBLE:
        return 8;
    case BASE_QUADRUPLE:
        return 16;
    case BASE_NAMED:
        return back_shape(decl->def)->least;
    default:
        return 1;
    }
}

bool back_element_fixed(const struct decl *decl)
{
    return decl->base != BASE_NAMED || back_shape(decl->def)->fixed;
}

bool back_element_free(const struct decl *decl)
{
    return decl->base == BASE_NAMED ? back_shape(decl->def)->free : decl->base != BASE_BOOL;
}

uint64_t back_least(const struct decl *decl)
{
    uint64_t count = (uint64_t)decl->size.number;
    switch (decl->kind) {
    case DECL_PLAIN:
        return back_element_least(decl);
    case DECL_FIXED:
        if (decl->base == BASE_OPAQUE)
            return (count + 3) & ~(uint64_t)3;
        return count * back_element_least(decl);
    case DECL_VAR:
    case DECL_OPTIONAL:
        return 4;
    case DECL_VOID:
        break;
    }
    return 0;
}

bool back_fixed(const struct decl *decl)
{
    switch (decl->kind) {
    case DECL_PLAIN:
        return back_element_fixed(decl);
    case DECL_FIXED:
        return decl->base == BASE_OPAQUE || back_element_fixed(decl);
    case DECL_VOID:
        return true;
    default:
        return false;
    }
}

bool back_free(const struct decl *decl)
{
    if (!back_fixed(decl))
        return false;
    if (decl->kind == DECL_FIXED && decl->base == BASE_OPAQUE)
        return decl->size.number % 4 == 0;
    return decl->kind == DECL_VOID || back_element_free(decl);
}

static void shape_struct(const struct def *def, struct shape *shape)
{
    shape->fixed = shape->free = true;
    for (const struct decl *field = def->fields; field; field = field->next) {
        shape->least += back_least(field);
        shape->fixed = shape->fixed && back_fixed(field);
        shape->free = shape->free && back_free(field);
    }
}

static void shape_union(const struct def *def, struct shape *shape)
{
    uint64_t least = UINT64_MAX;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        if (back_least(arm->decl) < least)
            least = back_least(arm->decl);
    shape->least = 4 + least;
}

const struct decl *back_last_field(const struct def *def)
{
    const struct decl *last = def->fields;
    while (last->next)
        last = last->next;
    return last;
}

/* A list is a presence word, then entries: the struct without its last field. */
static void shape_list(const struct def *def, struct shape *shape)
{
    const struct decl *last = back_last_field(def);
    shape->item_is_field = def->fields->next == last && def->fields->kind == DECL_PLAIN &&
                           def->fields->base == BASE_NAMED &&
                           def->fields->def->kind == DEF_STRUCT && !def->fields->def->is_list;
    if (shape->item_is_field) {
        shape->item = back_element_ctype(def->fields);
        shape->item_cname = back_element_cname(def->fields);
    } else {
        shape->item_cname = text("%s_entry", shape->cname);
        shape->item = text("struct %s", shape->item_cname);
    }
    shape->least = 4;
}

static void shape_def(struct def *def)
{
    struct shape *shape = def->back_end;
    if (def->kind == DEF_CONST)
        return;
    shape->stem = stripped(def->name);
    shape->cname = text("%s%s", names->prefix, shape->stem);
    switch (def->kind) {
    case DEF_ENUM:
        shape->ctype = text("enum %s", shape->cname);
        shape->least = 4;
        shape->fixed = true;
        break;
    case DEF_STRUCT:
        shape->ctype = text("struct %s", shape->cname);
        if (def->is_list)
            shape_list(def, shape);
        else
            shape_struct(def, shape);
        break;
    case DEF_UNION:
        shape->ctype = text("struct %s", shape->cname);
        shape_union(def, shape);
        break;
    default:
        shape->ctype = is_bare_integer(def) ? base_ctype(def->target->base) : shape->cname;
        shape->least = back_least(def->target);
        shape->fixed = back_fixed(def->target);
        shape->free = back_free(def->target);
    }
}

/* ---- what the roots reach ---- */

static bool refuse(const struct loc *loc, const char *why, const char *name)
{
    fprintf(stderr, "%s:%u:%u: error: %s: '%s'\n", loc->file, loc->line, loc->column, why, name);
    return false;
}

static const char list_misused[] = "a linked list can only be used through a pointer",
                  too_large[] = "this takes more than 2^31-1 octets";

static bool use_decl(const struct decl *decl, bool *changed)
{
    if (decl->kind != DECL_VOID && decl->base == BASE_NAMED) {
        struct shape *shape = back_shape(decl->def);
        *changed = *changed || !shape->reachable;
        shape->reachable = true;
        const struct def *element = element_def(decl);
        if (element != NULL) {
            struct shape *of = back_shape(element);
            of->in_array = of->in_array || decl->kind == DECL_FIXED || decl->kind == DECL_VAR;
            of->in_optional = of->in_optional || decl->kind == DECL_OPTIONAL;
        }
        if (decl->def->is_list && decl->kind != DECL_OPTIONAL)
            return refuse(&decl->type_loc, list_misused, decl->type_name);
    }
    bool array = decl->kind == DECL_FIXED || decl->kind == DECL_VAR;
    if (array && back_element_least(decl) == 0)
        return refuse(&decl->loc, "an array of elements that take no octets", decl->name);
    if (decl->kind == DECL_FIXED && decl->size.number == 0)
        return refuse(&decl->loc, "an array of no elements", decl->name);
    if (back_least(decl) > INT32_MAX)
        return refuse(&decl->loc, too_large, decl->name);
    enum base_kind base = element_real(decl).decl->base;
    if (array && element_def(decl) == NULL && base >= BASE_FLOAT && base <= BASE_QUADRUPLE)
        return refuse(&decl->loc, "arrays of floating-point numbers are not supported", decl->name);
    if (decl->kind == DECL_OPTIONAL && element_def(decl) == NULL)
        return refuse(&decl->loc, "optional data of a base type needs a struct around it",
                      decl->name);
    return true;
}

static bool use_def(const struct def *def, bool *changed)
{
    switch (def->kind) {
    case DEF_STRUCT:
        for (const struct decl *field = def->fields; field; field = field->next)
            if (!use_decl(field, changed))
                return false;
        return back_shape(def)->least <= INT32_MAX || refuse(&def->loc, too_large, def->name);
    case DEF_UNION:
        for (const struct arm *arm = def->arms; arm; arm = arm->next)
            if (!use_decl(arm->decl, changed))
                return false;
        return use_decl(def->discriminant, changed);
    case DEF_TYPEDEF:
        return use_decl(def->target, changed);
    default:
        return true;
    }
}

const struct def *back_root(const struct spec *spec, const char *name)
{
    for (const struct def *def = spec->defs; def; def = def->next)
        if (strcmp(def->name, name) == 0 && def->kind != DEF_CONST)
            return def;
    return NULL;
}

static bool reach(struct spec *spec, const char *const *roots, unsigned root_count)
{
    for (unsigned i = 0; i < root_count; i++) {
        const struct def *root = back_root(spec, roots[i]);
        if (root == NULL) {
            fprintf(stderr, "xdrgen: %s defines no type '%s'\n", spec->file, roots[i]);
            return false;
        }
        if (root->is_list)
            return refuse(&root->loc, list_misused, root->name);
        back_shape(root)->reachable = true;
    }
    if (root_count == 0)
        for (struct def *def = spec->defs; def; def = def->next)
            back_shape(def)->reachable = true;
    /* Backwards through the order of containment one pass is enough, but for lists. */
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = spec->def_count; i-- > 0;)
            if (back_shape(spec->ordered[i])->reachable && !use_def(spec->ordered[i], &changed))
                return false;
    }
    return true;
}

/* A void field is nothing: no later step has to know of it. C has no struct without members. */
static bool drop_voids(struct def *def)
{
    for (struct decl **field = &def->fields; *field;)
        if ((*field)->kind == DECL_VOID)
            *field = (*field)->next;
        else
            field = &(*field)->next;
    if (def->kind == DEF_STRUCT && (def->fields == NULL || (def->is_list && !def->fields->next)))
        return refuse(&def->loc, "a struct that holds nothing", def->name);
    return true;
}

bool back_prepare(struct spec *spec, struct naming *naming, const char *const *roots,
                  unsigned root_count)
{
    names = naming;
    limits_type = text("struct %slimits", naming->prefix);
    struct shape *shapes = diag_alloc(spec->def_count + 1, sizeof *shapes);
    for (unsigned i = 0; i < spec->def_count; i++) {
        if (!drop_voids(spec->ordered[i]))
            return false;
        spec->ordered[i]->back_end = &shapes[i];
        shape_def(spec->ordered[i]);
    }
    for (struct def *def = spec->defs; def; def = def->next) {
        if (def->kind == DEF_CONST)
            renamed(def->name);
        for (const struct enumerator *e = def->enumerators; e; e = e->next)
            renamed(e->name);
    }
    for (unsigned i = 0; i < naming->rename_count; i++)
        if (!naming->renames[i].used)
            return refuse(&naming->renames[i].loc, "the specification has no such name to rename",
                          naming->renames[i].from);
    return reach(spec, roots, root_count);
}

/* ---- limits, paths ---- */

bool back_needs_limit(const struct decl *decl)
{
    return decl->kind == DECL_VAR && !decl->has_size;
}

const char *back_limit(const struct def *owner, const struct decl *decl)
{
    return owner->kind == DEF_TYPEDEF ? back_cfield(stripped(owner->name))
                                      : text("%s_%s", stripped(owner->name), decl->name);
}

const char *back_list_limit(const struct def *list)
{
    return back_cfield(stripped(list->name));
}

const char *back_step(const struct decl *decl, bool is_arm)
{
    if (decl->kind == DECL_PLAIN && decl->base == BASE_NAMED &&
        (decl->def->kind == DEF_UNION || (is_arm && decl->def->kind == DEF_STRUCT)))
        return "";
    return decl->name ? decl->name : "";
}

void annotate(FILE *out, const struct spec *spec, const struct loc *loc)
{
    const char *file = strrchr(spec->file, '/');
    const char *line = loc->line <= spec->line_count ? spec->lines[loc->line - 1] : "";
    while (isspace((unsigned char)*line))
        line++;
    const char *comment = strstr(line, "/*");
    int length = comment ? (int)(comment - line) : (int)strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    fprintf(out, "\n/* %s:%u: %.*s */\n", file ? file + 1 : spec->file, loc->line, length, line);
}

/* ---- fixed runs ---- */

#define RUN_MAX 64

static bool flatten(struct run *run, const struct decl *decl, const char *lvalue, const char *path)
{
    struct real real = back_real(decl);
    const struct decl *is = real.decl;
    if (is->kind == DECL_PLAIN && is->base == BASE_NAMED && is->def->kind == DEF_STRUCT &&
        back_shape(is->def)->fixed) {
        for (const struct decl *field = is->def->fields; field; field = field->next)
            if (!flatten(run, field, text("%s.%s", lvalue, back_cfield(field->name)),
                         text("%s.%s", path, field->name)))
                return false;
        return true;
    }
    bool octets = is->kind == DECL_FIXED && is->base == BASE_OPAQUE;
    if ((!back_is_scalar(is) && !octets) || run->count == RUN_MAX)
        return false;
    struct leaf *leaf = &run->leaves[run->count++];
    *leaf = (struct leaf){lvalue, path, real, run->size, (uint32_t)back_least(is), false};
    run->size += leaf->size;
    return true;
}

struct run back_run(const struct decl **field, const struct decl *stop)
{
    struct run run = {diag_alloc(RUN_MAX + 1, sizeof *run.leaves), 0, 0};
    for (; *field != stop; *field = (*field)->next) {
        struct run before = run;
        if (!flatten(&run, *field, back_cfield((*field)->name), (*field)->name)) {
            run = before;
            break;
        }
    }
    return run;
}

bool back_is_encoded(const struct def *def)
{
    return def->kind != DEF_CONST && back_shape(def)->reachable &&
           (def->kind != DEF_TYPEDEF || back_real(def->target).decl->kind != DECL_PLAIN);
}

bool back_is_run(const struct def *def)
{
    const struct decl *field = def->fields;
    const struct decl *stop = def->is_list ? back_last_field(def) : NULL;
    return def->kind == DEF_STRUCT && back_run(&field, stop).count > 0 && field == stop;
}

bool back_is_array(const struct def *def)
{
    const struct decl *field = def->fields;
    return def->kind == DEF_STRUCT && !def->is_list && field->next == NULL &&
           field->kind == DECL_VAR && field->base == BASE_NAMED && back_element_fixed(field) &&
           back_element_free(field);
}
