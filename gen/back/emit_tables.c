// SPDX-License-Identifier: BSD-3-Clause
/* Back end: tables that describe each type, for a table-driven reader (conformance/walk/walk.c).
 */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

static void put_member(FILE *out, const struct decl *decl)
{
    static const char *const shapes[] = {"XS_PLAIN", "XS_FIXED", "XS_VAR", "XS_OPTIONAL",
                                         "XS_VOID"};
    static const char *const bases[] = {"XT_INT",    "XT_UINT",   "XT_HYPER",     "XT_UHYPER",
                                        "XT_FLOAT",  "XT_DOUBLE", "XT_QUADRUPLE", "XT_BOOL",
                                        "XT_OPAQUE", "XT_STRING"};
    if (decl->kind == DECL_VOID) {
        fputs("{\"\", 0, XS_VOID, 0}", out);
        return;
    }
    fprintf(out, "{\"%s\", ", decl->name);
    if (decl->base == BASE_NAMED)
        fprintf(out, "&type_%s", decl->def->name);
    else
        fprintf(out, "&rpcrdma_xdr_base_types[%s]", bases[decl->base]);
    fprintf(out, ", %s, %" PRIu64 "U}", shapes[decl->kind],
            decl->kind == DECL_VAR && !decl->has_size ? UINT32_MAX : (uint64_t)decl->size.number);
}

static unsigned put_members(FILE *out, const struct def *def)
{
    const struct decl *stop = def->is_list ? back_last_field(def) : NULL;
    const struct decl *field = def->kind == DEF_TYPEDEF ? def->target
                               : def->kind == DEF_UNION ? def->discriminant
                                                        : def->fields;
    unsigned count = 0;
    fprintf(out, "static const struct xdr_member members_%s[] = {\n", def->name);
    for (; field != stop; field = field->next, count++) {
        put_member(out, field);
        fputs(",\n", out);
        if (def->kind != DEF_STRUCT) {
            count++;
            break;
        }
    }
    fputs("};\n", out);
    return count;
}

static unsigned emit_cases(FILE *out, const struct def *def)
{
    unsigned count = 0;
    fprintf(out, "static const struct xdr_case cases_%s[] = {\n", def->name);
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++, count++) {
            fprintf(out, "{%" PRId64 ", false, ", arm->labels[i].number);
            put_member(out, arm->decl);
            fputs("},\n", out);
        }
        if (arm->is_default) {
            fputs("{0, true, ", out);
            put_member(out, arm->decl);
            fputs("},\n", out);
            count++;
        }
    }
    fputs("};\n", out);
    return count;
}

static unsigned emit_values(FILE *out, const struct def *def)
{
    unsigned count = 0;
    fprintf(out, "static const struct xdr_enumerator values_%s[] = {\n", def->name);
    for (const struct enumerator *e = def->enumerators; e; e = e->next, count++)
        fprintf(out, "{\"%s\", %" PRId64 "},\n", e->name, e->value.number);
    fputs("};\n", out);
    return count;
}

static void emit_row(FILE *out, const struct def *def, const char *kind, unsigned count,
                     const char *members, const char *values, const char *cases)
{
    fprintf(out, "static const struct xdr_type type_%s = {%s, \"%s\", %u", def->name, kind,
            def->name, count);
    const char *const tables[] = {members, values, cases};
    for (int i = 0; i < 3; i++)
        if (tables[i])
            fprintf(out, ", %s_%s", tables[i], def->name);
        else
            fputs(", 0", out);
    fputs("};\n", out);
}

static void emit_table(FILE *out, const struct def *def)
{
    switch (def->kind) {
    case DEF_CONST:
        return;
    case DEF_ENUM:
        emit_row(out, def, "XT_ENUM", emit_values(out, def), NULL, "values", NULL);
        return;
    case DEF_STRUCT:
        emit_row(out, def, def->is_list ? "XT_LIST" : "XT_STRUCT", put_members(out, def), "members",
                 NULL, NULL);
        return;
    case DEF_UNION:
        put_members(out, def);
        emit_row(out, def, "XT_UNION", emit_cases(out, def), "members", NULL, "cases");
        return;
    case DEF_TYPEDEF:
        emit_row(out, def, "XT_TYPEDEF", put_members(out, def), "members", NULL, NULL);
        return;
    }
}

void emit_tables(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *const *roots, unsigned root_count)
{
    emit_banner(out, spec, naming);
    fputs("#include \"conformance/walk/tables.h\"\n", out);
    for (unsigned i = 0; i < spec->def_count; i++) {
        const struct def *def = spec->ordered[i];
        if (def->kind == DEF_CONST || !back_shape(def)->reachable)
            continue;
        fprintf(out, "\n/* %s */\n", emit_origin(spec, naming, def));
        emit_table(out, def);
    }
    for (unsigned i = 0; i < root_count; i++) {
        const struct def *root = back_root(spec, roots[i]);
        EMIT(out,
             "\nextern const struct xdr_type *const rpcrdma_walk_{name};\n"
             "const struct xdr_type *const rpcrdma_walk_{name} = &type_{xdr};\n",
             "name", back_shape(root)->cname, "xdr", root->name);
    }
}
