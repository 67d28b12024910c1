// SPDX-License-Identifier: BSD-3-Clause
/* Fixed runs: neighbouring fields of fixed size, laid flat. */
#include "gen/back/run.h"

#include "gen/back/cname.h"
#include "gen/front/diag.h"

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

bool back_covers(const struct def *def)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    if (tag->base != BASE_NAMED)
        return false;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        if (arm->is_default)
            return false;
    for (const struct enumerator *e = tag->def->enumerators; e; e = e->next) {
        bool found = false;
        for (const struct arm *arm = def->arms; arm; arm = arm->next)
            for (unsigned i = 0; i < arm->label_count; i++)
                found = found || arm->labels[i].number == e->value.number;
        if (!found)
            return false;
    }
    return true;
}

void back_add_discriminant(struct run *run, const struct def *def, const char *field)
{
    const struct decl *tag = def->discriminant;
    const char *name = back_cfield(tag->name);
    run->leaves[run->count++] = (struct leaf){field ? text("%s.%s", field, name) : name,
                                              tag->name,
                                              back_real(tag),
                                              run->size,
                                              4,
                                              back_covers(def)};
    run->size += 4;
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
           back_element_any_bits(field);
}

bool back_is_turned(const struct run *run, bool in_list)
{
    static const uint32_t sizes[] = {4, 4, 4, 8};
    unsigned skipped = in_list ? 0 : 1, count = 4 - skipped;
    for (unsigned i = 0; i < run->count && i < count; i++) {
        const struct decl *decl = run->leaves[i].real.decl;
        if (run->leaves[i].size != sizes[i + skipped] || decl->kind != DECL_PLAIN ||
            decl->base == BASE_BOOL)
            return false;
    }
    return run->count == count;
}
