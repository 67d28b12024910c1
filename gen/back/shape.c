// SPDX-License-Identifier: BSD-3-Clause
/* Shapes on the wire of the definitions of a checked specification, and what the roots reach. */
#include "gen/back/shape.h"

#include <stdio.h>
#include <string.h>

#include "gen/back/cname.h"
#include "gen/front/diag.h"

static bool refuse(const struct loc *loc, const char *why, const char *name)
{
    fprintf(stderr, "%s:%u:%u: error: %s: '%s'\n", loc->file, loc->line, loc->column, why, name);
    return false;
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

/* One element of the declaration, seen through typedefs. */
struct real back_element_real(const struct decl *decl)
{
    if (decl->base != BASE_NAMED || decl->def->kind != DEF_TYPEDEF)
        return (struct real){decl, NULL};
    struct real real = back_real(decl->def->target);
    if (real.alias == NULL)
        real.alias = decl->def;
    return real;
}

/* The definition whose name an element's functions and wrappers carry; NULL for a base type. */
const struct def *back_element_def(const struct decl *decl)
{
    struct real real = back_element_real(decl);
    if (real.alias && real.decl->kind != DECL_PLAIN)
        return real.alias;
    return real.decl->base == BASE_NAMED ? real.decl->def : NULL;
}

bool back_is_scalar(const struct decl *decl)
{
    return decl->kind == DECL_PLAIN &&
           (decl->base <= BASE_BOOL || (decl->base == BASE_NAMED && decl->def->kind == DEF_ENUM));
}

bool back_is_octets(const struct decl *decl)
{
    return decl->base == BASE_OPAQUE || decl->base == BASE_STRING;
}

const struct def *back_union(const struct decl *decl)
{
    const struct decl *is = back_real(decl).decl;
    return is->kind == DECL_PLAIN && is->base == BASE_NAMED && is->def->kind == DEF_UNION ? is->def
                                                                                          : NULL;
}

bool back_is_list(const struct decl *decl)
{
    return decl->kind == DECL_OPTIONAL && decl->base == BASE_NAMED && decl->def->is_list;
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
        break;
    }
    return 1; /* of octets */
}

bool back_element_fixed(const struct decl *decl)
{
    return decl->base != BASE_NAMED || back_shape(decl->def)->fixed;
}

bool back_element_any_bits(const struct decl *decl)
{
    return decl->base == BASE_NAMED ? back_shape(decl->def)->any_bits : decl->base != BASE_BOOL;
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
        break;
    }
    return false;
}

bool back_any_bits(const struct decl *decl)
{
    if (!back_fixed(decl))
        return false;
    if (decl->kind == DECL_FIXED && decl->base == BASE_OPAQUE)
        return decl->size.number % 4 == 0;
    return decl->kind == DECL_VOID || back_element_any_bits(decl);
}

static void shape_struct(const struct def *def, struct shape *shape)
{
    shape->fixed = shape->any_bits = true;
    for (const struct decl *field = def->fields; field; field = field->next) {
        shape->least += back_least(field);
        shape->fixed = shape->fixed && back_fixed(field);
        shape->any_bits = shape->any_bits && back_any_bits(field);
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

uint64_t back_entry_least(const struct def *list)
{
    uint64_t least = 4;
    const struct decl *stop = back_last_field(list);
    for (const struct decl *field = list->fields; field != stop; field = field->next)
        least += back_least(field);
    return least;
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

static bool is_renaming(const struct def *def)
{
    return def->kind == DEF_TYPEDEF && back_real(def->target).decl->kind == DECL_PLAIN;
}

static void shape_def(struct def *def)
{
    struct shape *shape = back_shape(def);
    shape->def = def;
    shape->stem = cname_stem(def->name);
    shape->cname = text("%s%s", back_prefix(), shape->stem);
    switch (def->kind) {
    case DEF_CONST:
        break;
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
    case DEF_TYPEDEF:
        shape->ctype = is_bare_integer(def) ? cname_base(def->target->base) : shape->cname;
        shape->least = back_least(def->target);
        shape->fixed = back_fixed(def->target);
        shape->any_bits = back_any_bits(def->target);
        break;
    }
}

/* ---- two definitions that are one type in C ---- */

static bool is_same_decl(const struct decl *a, const struct decl *b)
{
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->base == b->base &&
           (a->base != BASE_NAMED || back_shape(a->def) == back_shape(b->def)) &&
           a->has_size == b->has_size && a->size.number == b->size.number;
}

static bool is_same_struct(const struct def *a, const struct def *b)
{
    if (a->kind != DEF_STRUCT || b->kind != DEF_STRUCT || a->is_list || b->is_list)
        return false;
    const struct decl *x = a->fields, *y = b->fields;
    for (; x && y && is_same_decl(x, y); x = x->next)
        y = y->next;
    return x == NULL && y == NULL;
}

/* Structs with the same fields may be given one name, and share the first one's shape then. */
static bool share(struct spec *spec, unsigned i)
{
    struct def *def = spec->ordered[i];
    for (unsigned j = 0; j < i; j++) {
        struct def *earlier = spec->ordered[j];
        if (def->kind == DEF_CONST || earlier->kind == DEF_CONST ||
            strcmp(back_shape(earlier)->cname, back_shape(def)->cname) != 0)
            continue;
        if (!is_same_struct(earlier, def))
            return refuse(&def->loc, "another type with other fields has the same name in C",
                          back_shape(def)->cname);
        def->back_end = earlier->back_end;
        return true;
    }
    return true;
}

/* ---- what the roots reach ---- */

static const char list_misused[] = "a linked list can only be used through a pointer",
                  too_large[] = "this takes more than 2^31-1 octets";

static bool use_decl(const struct decl *decl, bool *changed)
{
    if (decl->kind != DECL_VOID && decl->base == BASE_NAMED) {
        struct shape *shape = back_shape(decl->def);
        *changed = *changed || !shape->reachable;
        shape->reachable = true;
        const struct def *element = back_element_def(decl);
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
    enum base_kind base = back_element_real(decl).decl->base;
    if (array && back_element_def(decl) == NULL && base >= BASE_FLOAT && base <= BASE_QUADRUPLE)
        return refuse(&decl->loc, "arrays of floating-point numbers are not supported", decl->name);
    if (decl->kind == DECL_OPTIONAL && back_element_def(decl) == NULL)
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
        break;
    }
    return true;
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

bool back_is_encoded(const struct def *def)
{
    return back_is_emitted(def) && !is_renaming(def);
}

bool back_is_emitted(const struct def *def)
{
    return def->kind != DEF_CONST && back_shape(def)->reachable && back_shape(def)->def == def;
}

/* A name that is to be replaced and does not occur is a slip in the list. */
static bool all_renamed(const struct spec *spec, const struct naming *naming)
{
    for (const struct def *def = spec->defs; def; def = def->next) {
        if (def->kind == DEF_CONST)
            cname_renamed(def->name);
        for (const struct enumerator *e = def->enumerators; e; e = e->next)
            cname_renamed(e->name);
    }
    for (unsigned i = 0; i < naming->rename_count; i++)
        if (!naming->renames[i].used)
            return refuse(&naming->renames[i].loc, "the specification has no such name to rename",
                          naming->renames[i].from);
    return true;
}

bool back_prepare(struct spec *spec, struct naming *naming, const char *const *roots,
                  unsigned root_count)
{
    cname_begin(naming);
    struct shape *shapes = diag_alloc(spec->def_count + 1, sizeof *shapes);
    for (unsigned i = 0; i < spec->def_count; i++) {
        if (!drop_voids(spec->ordered[i]))
            return false;
        spec->ordered[i]->back_end = &shapes[i];
        shape_def(spec->ordered[i]);
        if (!share(spec, i))
            return false;
    }
    return all_renamed(spec, naming) && reach(spec, roots, root_count);
}
