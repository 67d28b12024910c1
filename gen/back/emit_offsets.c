// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: where on the wire the words are whose place is fixed, and how many octets a thing takes
 * at least, as constants of the header. A root's words count from its start; those of a list's
 * entry or of an element, from the start of that. Behind a union's discriminant the place depends
 * on its value: constants from there on begin with the name of that value.
 */
#include "gen/back/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "gen/front/diag.h"

/* Fields, structs laid flat, up to the next union or field of variable size and beyond. */
struct spot {
    const char *path;
    const struct decl *decl; /* typedefs seen through */
    const struct spot *next;
};

/* The constants so far: one name must not mean two places. */
struct offsets {
    FILE *out;
    struct offset {
        const char *name;
        uint64_t value;
        struct offset *next;
    } * seen;
    const struct loc *loc;
    bool failed;
};

static const char *upper(const char *name)
{
    char *copy = text("%s", name);
    for (char *c = copy; *c; c++)
        *c = *c == '.' ? '_' : (char)toupper((unsigned char)*c);
    return copy;
}

static const char heading[] =
    "\n/*\n"
    " * Where words of fixed place are, in octets; the word of an array or of opaque data is its\n"
    " * count, that of optional data says whether it is there. An entry of a list begins with "
    "that\n"
    " * word. SIZE is what all of it takes, SIZE_MIN what it takes at least.\n"
    " */\nenum {\n";

static void define(struct offsets *offsets, const char *name, uint64_t value)
{
    for (const struct offset *seen = offsets->seen; seen; seen = seen->next) {
        if (strcmp(seen->name, name) == 0) {
            if (seen->value != value && !offsets->failed) {
                offsets->failed = true;
                fprintf(stderr, "%s:%u:%u: error: two offsets with one name: '%s'\n",
                        offsets->loc->file, offsets->loc->line, offsets->loc->column, name);
            }
            return;
        }
    }
    if (offsets->seen == NULL)
        fputs(heading, offsets->out);
    struct offset *offset = diag_alloc(1, sizeof *offset);
    *offset = (struct offset){name, value, offsets->seen};
    offsets->seen = offset;
    fprintf(offsets->out, "%s = %" PRIu64 ",\n", name, value);
}

static const struct spot *flatten(const char *path, const struct decl *field,
                                  const struct decl *stop, const struct spot *rest);

static const struct spot *flatten_one(const char *path, const struct decl *decl,
                                      const struct spot *rest)
{
    const struct decl *is = back_real(decl).decl;
    if (is->kind == DECL_VOID)
        return rest;
    if (is->kind == DECL_PLAIN && is->base == BASE_NAMED && is->def->kind == DEF_STRUCT)
        return flatten(path, is->def->fields, NULL, rest);
    struct spot *spot = diag_alloc(1, sizeof *spot);
    *spot = (struct spot){path, is, rest};
    return spot;
}

static const char *join(const char *path, const char *step)
{
    return *path && *step ? text("%s.%s", path, step) : *path ? path : step;
}

static const struct spot *flatten(const char *path, const struct decl *field,
                                  const struct decl *stop, const struct spot *rest)
{
    if (field == stop)
        return rest;
    rest = flatten(path, field->next, stop, rest);
    return flatten_one(join(path, back_step(field, false)), field, rest);
}

/* SIZE if all of them is fixed, else SIZE_MIN. */
static void define_size(struct offsets *offsets, const char *prefix, const struct spot *spots,
                        uint64_t offset)
{
    bool fixed = true;
    for (; spots; spots = spots->next) {
        offset += back_least(spots->decl);
        fixed = fixed && back_fixed(spots->decl);
    }
    define(offsets, text("%sSIZE%s", prefix, fixed ? "" : "_MIN"), offset);
}

static void define_all(struct offsets *offsets, const char *prefix, const struct spot *spots,
                       uint64_t offset);

static void define_arms(struct offsets *offsets, const struct spot *spot, const struct def *def,
                        uint64_t offset)
{
    if (back_real(def->discriminant).decl->base != BASE_NAMED)
        return; /* no value has a name */
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        const char *step = arm->decl->kind == DECL_VOID ? "" : back_step(arm->decl, true);
        const struct spot *spots = flatten_one(join(spot->path, step), arm->decl, spot->next);
        for (unsigned i = 0; i < arm->label_count; i++)
            define_all(offsets, text("%s_", back_constant(arm->labels[i].name)), spots, offset);
    }
}

static void define_all(struct offsets *offsets, const char *prefix, const struct spot *spots,
                       uint64_t offset)
{
    define_size(offsets, prefix, spots, offset);
    for (const struct spot *spot = spots; spot; spot = spot->next) {
        bool chooses = back_union(spot->decl) != NULL;
        const char *path =
            chooses ? join(spot->path, spot->decl->def->discriminant->name) : spot->path;
        define(offsets, text("%sAT_%s", prefix, upper(path)), offset);
        if (chooses)
            define_arms(offsets, spot, spot->decl->def, offset + 4);
        if (!back_fixed(spot->decl)) /* no union is */
            return;
        offset += back_least(spot->decl);
    }
}

static void define_def(struct offsets *offsets, struct def *def, const char *prefix)
{
    const struct decl plain = {.name = "", .kind = DECL_PLAIN, .base = BASE_NAMED, .def = def};
    offsets->loc = &def->loc;
    if (!def->is_list) {
        define_all(offsets, prefix, flatten_one("", &plain, NULL), 0);
        return;
    }
    const struct spot *entry = back_shape(def)->item_is_field
                                   ? flatten_one("", def->fields, NULL)
                                   : flatten("", def->fields, back_last_field(def), NULL);
    define_all(offsets, text("%sENTRY_", prefix), entry, 4);
}

static bool is_root(const struct spec *spec, const struct def *def, const char *const *roots,
                    unsigned root_count)
{
    for (unsigned i = 0; i < root_count; i++)
        if (back_root(spec, roots[i]) == def)
            return true;
    return false;
}

bool emit_offsets(FILE *out, const struct spec *spec, const struct naming *naming,
                  const char *const *roots, unsigned root_count)
{
    struct offsets offsets = {.out = out};
    for (unsigned i = 0; i < spec->def_count; i++) {
        struct def *def = spec->ordered[i];
        const struct shape *shape = back_shape(def);
        bool root = is_root(spec, def, roots, root_count);
        bool repeated = def->is_list || shape->in_array || shape->in_optional;
        if ((def->kind != DEF_STRUCT && def->kind != DEF_UNION) || !shape->reachable ||
            !(root || repeated))
            continue;
        bool alone = root && root_count == 1;
        define_def(&offsets, def,
                   alone ? naming->const_prefix
                         : text("%s%s_", naming->const_prefix, upper(shape->stem)));
    }
    if (offsets.seen)
        fputs("};\n", out);
    return !offsets.failed;
}
