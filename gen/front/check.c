// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the grammar cannot say: names, numbers and the rules of RFC 4506 section 6.4.
 */
#include "gen/front/ast.h"

#include <inttypes.h>
#include <stdio.h>

#include "gen/front/diag.h"
#include "gen/front/names.h"
#include "gen/front/order.h"

/* What a typedef comes to in the end, when it only renames. */
struct meaning {
    enum base_kind base; /* BASE_VOID: an array or an optional, which is no integer */
    struct def *def;     /* BASE_NAMED: an enum, struct or union */
};

struct checker {
    struct spec *spec;
    struct names names;
    struct meaning *meanings; /* by def.index */
};

/* Decimal text of a number, also in use as its name in a scope of numbers. */
struct number_text {
    char text[24];
};

static struct number_text number_text(const struct value *value)
{
    struct number_text result;
    if (value->is_huge)
        snprintf(result.text, sizeof result.text, "%" PRIu64, (uint64_t)value->number);
    else
        snprintf(result.text, sizeof result.text, "%" PRId64, value->number);
    return result;
}

static bool in_range(const struct value *value, int64_t low, int64_t high)
{
    return !value->is_huge && value->number >= low && value->number <= high;
}

static bool is_before(struct loc a, struct loc b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static void note_definition(const struct checker *checker, const struct symbol *symbol)
{
    if (symbol->loc.line > 0)
        diag_note(checker->spec, symbol->loc, "'%s' is defined here", symbol->name);
}

static const char *symbol_kind(const struct symbol *symbol)
{
    if (symbol->enumerator != NULL)
        return "an enumerator";
    return symbol->def->kind == DEF_CONST ? "a constant" : "a type";
}

/* Add a name where it must be new. */
static bool add_unique(struct checker *checker, struct symbol symbol, bool is_inline)
{
    const struct symbol *earlier = names_find(&checker->names, symbol.scope, symbol.name);
    if (earlier == NULL) {
        names_add(&checker->names, symbol);
        return true;
    }
    diag_error(checker->spec, symbol.loc, "'%s'%s is %s", symbol.name,
               is_inline ? ", the name made for this inline type," : "",
               earlier->loc.line == 0 ? "predefined" : "already defined");
    if (earlier->loc.line > 0)
        diag_note(checker->spec, earlier->loc, "the earlier definition is here");
    return false;
}

/* Phase 1: the one name space of types, constants and enumerators. */

/* RFC 4506 section 4.4 */
static void add_predefined(struct checker *checker)
{
    static const char *const names[] = {"FALSE", "TRUE"};
    for (int i = 0; i < 2; i++) {
        struct enumerator *enumerator = diag_alloc(1, sizeof *enumerator);
        enumerator->name = names[i];
        enumerator->value.number = i;
        names_add(&checker->names, (struct symbol){.name = names[i], .enumerator = enumerator});
    }
}

static bool collect_names(struct checker *checker)
{
    for (struct def *def = checker->spec->defs; def != NULL; def = def->next) {
        struct symbol symbol = {.name = def->name, .loc = def->loc, .def = def};
        if (!add_unique(checker, symbol, def->is_inline))
            return false;
        def->index = checker->spec->def_count++;
        for (struct enumerator *e = def->enumerators; e != NULL; e = e->next) {
            symbol = (struct symbol){.name = e->name, .loc = e->loc, .def = def, .enumerator = e};
            if (!add_unique(checker, symbol, false))
                return false;
        }
    }
    return true;
}

/* Phase 2: numbers, then all that declarations name. */

/* Where the number that a symbol stands for is written. */
static const struct value *symbol_value(const struct symbol *symbol)
{
    if (symbol->enumerator != NULL)
        return &symbol->enumerator->value;
    return symbol->def->kind == DEF_CONST ? &symbol->def->constant : NULL;
}

static bool resolve_value(const struct checker *checker, struct value *value, bool earlier_only)
{
    if (value->name == NULL)
        return true;
    const struct symbol *symbol = names_find(&checker->names, NULL, value->name);
    if (symbol == NULL) {
        diag_error(checker->spec, value->loc, "'%s' is not defined", value->name);
        return false;
    }
    const struct value *source = symbol_value(symbol);
    if (source == NULL) {
        diag_error(checker->spec, value->loc, "'%s' is a type, not a number", value->name);
        note_definition(checker, symbol);
        return false;
    }
    if (earlier_only && symbol->loc.line > 0 && !is_before(source->loc, value->loc)) {
        diag_error(checker->spec, value->loc, "'%s' is used before it is defined", value->name);
        note_definition(checker, symbol);
        return false;
    }
    value->number = source->number;
    value->is_huge = source->is_huge;
    value->def = symbol->def;
    return true;
}

/* The order of the definitions is that of the text here, so what stands earlier is resolved. */
static bool resolve_enum(struct checker *checker, struct def *def)
{
    for (struct enumerator *e = def->enumerators; e != NULL; e = e->next) {
        if (!resolve_value(checker, &e->value, true))
            return false;
        struct number_text text = number_text(&e->value);
        if (!in_range(&e->value, INT32_MIN, INT32_MAX)) {
            diag_error(checker->spec, e->value.loc, "%s does not fit the 32 bits of an enum",
                       text.text);
            return false;
        }
        if (names_find(&checker->names, def, text.text) == NULL) {
            const char *name = diag_copy(text.text, sizeof text.text);
            names_add(&checker->names, (struct symbol){.scope = def, .name = name, .loc = e->loc});
        }
    }
    return true;
}

static bool resolve_type(const struct checker *checker, struct decl *decl)
{
    const struct symbol *symbol = names_find(&checker->names, NULL, decl->type_name);
    if (symbol == NULL) {
        diag_error(checker->spec, decl->type_loc, "type '%s' is not defined", decl->type_name);
        return false;
    }
    if (symbol->enumerator != NULL || symbol->def->kind == DEF_CONST) {
        diag_error(checker->spec, decl->type_loc, "'%s' is %s, not a type", decl->type_name,
                   symbol_kind(symbol));
        note_definition(checker, symbol);
        return false;
    }
    decl->def = symbol->def;
    return true;
}

/* RFC 4506 section 6.4 (2): a number or an earlier constant. */
static bool resolve_size(const struct checker *checker, struct value *size)
{
    if (!resolve_value(checker, size, true))
        return false;
    const struct symbol *symbol =
        size->name != NULL ? names_find(&checker->names, NULL, size->name) : NULL;
    if (symbol != NULL && symbol->enumerator != NULL) {
        diag_error(checker->spec, size->loc, "'%s' is an enumerator: only a constant can be a size",
                   size->name);
        note_definition(checker, symbol);
        return false;
    }
    if (!in_range(size, 0, UINT32_MAX)) {
        diag_error(checker->spec, size->loc, "size %s is outside 0 to 4294967295",
                   number_text(size).text);
        return false;
    }
    return true;
}

/* A declaration in a struct or union, or in a typedef, whose name is global: scope NULL. */
static bool resolve_decl(struct checker *checker, const struct def *scope, struct decl *decl)
{
    if (decl->base == BASE_NAMED && !resolve_type(checker, decl))
        return false;
    if (decl->has_size && !resolve_size(checker, &decl->size))
        return false;
    struct symbol symbol = {.scope = scope, .name = decl->name, .loc = decl->loc};
    return scope == NULL || decl->name == NULL || add_unique(checker, symbol, false);
}

static bool resolve_struct(struct checker *checker, struct def *def)
{
    for (struct decl *field = def->fields; field != NULL; field = field->next) {
        if (!resolve_decl(checker, def, field))
            return false;
        def->is_list = field->kind == DECL_OPTIONAL && field->def == def;
    }
    return true;
}

static bool resolve_union(struct checker *checker, struct def *def)
{
    if (!resolve_decl(checker, def, def->discriminant))
        return false;
    for (struct arm *arm = def->arms; arm != NULL; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            if (!resolve_value(checker, &arm->labels[i], false))
                return false;
        if (!resolve_decl(checker, def, arm->decl))
            return false;
    }
    return true;
}

static bool resolve_names(struct checker *checker)
{
    struct def *first = checker->spec->defs;
    for (struct def *def = first; def != NULL; def = def->next)
        if (def->kind == DEF_ENUM && !resolve_enum(checker, def))
            return false;
    for (struct def *def = first; def != NULL; def = def->next) {
        bool resolved = def->kind == DEF_STRUCT    ? resolve_struct(checker, def)
                        : def->kind == DEF_UNION   ? resolve_union(checker, def)
                        : def->kind == DEF_TYPEDEF ? resolve_decl(checker, NULL, def->target)
                                                   : true;
        if (!resolved)
            return false;
    }
    return true;
}

/* Phase 3, when no type contains itself: the discriminants and labels of unions. */

static struct meaning meaning_of(const struct checker *checker, const struct decl *decl)
{
    if (decl->kind != DECL_PLAIN)
        return (struct meaning){BASE_VOID, NULL};
    return decl->base == BASE_NAMED ? checker->meanings[decl->def->index]
                                    : (struct meaning){decl->base, NULL};
}

/* In this order a typedef finds the meaning of what it renames. */
static void find_meanings(struct checker *checker)
{
    checker->meanings = diag_alloc(checker->spec->def_count, sizeof *checker->meanings);
    for (unsigned i = 0; i < checker->spec->def_count; i++) {
        struct def *def = checker->spec->ordered[i];
        checker->meanings[def->index] = def->kind == DEF_TYPEDEF
                                            ? meaning_of(checker, def->target)
                                            : (struct meaning){BASE_NAMED, def};
    }
}

static bool is_discriminant(struct meaning meaning)
{
    switch (meaning.base) {
    case BASE_INT:
    case BASE_UINT:
    case BASE_BOOL:
        return true;
    case BASE_NAMED:
        return meaning.def->kind == DEF_ENUM;
    default:
        return false;
    }
}

static bool is_label(const struct checker *checker, struct meaning meaning,
                     const struct value *label)
{
    switch (meaning.base) {
    case BASE_INT:
        return in_range(label, INT32_MIN, INT32_MAX);
    case BASE_UINT:
        return in_range(label, 0, UINT32_MAX);
    case BASE_BOOL:
        return in_range(label, 0, 1);
    default:
        return names_find(&checker->names, meaning.def, number_text(label).text) != NULL;
    }
}

/* The scope of the labels' numbers is the list of arms; the union itself is that of their names. */
static bool check_label(struct checker *checker, const struct def *def, struct meaning meaning,
                        const struct value *label)
{
    struct number_text text = number_text(label);
    if (!is_label(checker, meaning, label)) {
        diag_error(checker->spec, label->loc, "case %s is not a value of the discriminant '%s'",
                   text.text, def->discriminant->name);
        diag_note(checker->spec, def->discriminant->loc, "the discriminant is here");
        return false;
    }
    const struct symbol *earlier = names_find(&checker->names, def->arms, text.text);
    if (earlier != NULL) {
        diag_error(checker->spec, label->loc, "case %s stands twice in union '%s'", text.text,
                   def->name);
        diag_note(checker->spec, earlier->loc, "the earlier one is here");
        return false;
    }
    const char *name = diag_copy(text.text, sizeof text.text);
    names_add(&checker->names,
              (struct symbol){.scope = def->arms, .name = name, .loc = label->loc});
    return true;
}

static bool check_union(struct checker *checker, const struct def *def)
{
    const struct decl *discriminant = def->discriminant;
    struct meaning meaning = meaning_of(checker, discriminant);
    if (!is_discriminant(meaning)) {
        diag_error(checker->spec, discriminant->loc,
                   "a discriminant must be an int, an unsigned int, a bool or an enum");
        return false;
    }
    for (const struct arm *arm = def->arms; arm != NULL; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            if (!check_label(checker, def, meaning, &arm->labels[i]))
                return false;
    }
    return true;
}

static bool check_unions(struct checker *checker)
{
    find_meanings(checker);
    for (struct def *def = checker->spec->defs; def != NULL; def = def->next)
        if (def->kind == DEF_UNION && !check_union(checker, def))
            return false;
    return true;
}

bool xdr_check(struct spec *spec)
{
    struct checker checker = {.spec = spec};
    add_predefined(&checker);
    return collect_names(&checker) && resolve_names(&checker) && order_definitions(spec) &&
           check_unions(&checker);
}
