// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: choosing a union's arm, the same way in decoders, sizers and encoders. Arms that hold
 * nothing need no code of their own, only their labels.
 */
#include "gen/back/emit.h"

#include <inttypes.h>

/* Few labels are tested one after the other, the specification's first first: faster than a table.
 */
#define CHAIN_MAX 6

struct union_choice {
    FILE *out;
    const struct def *def;
    const struct decl *tag;
    const char *value; /* the discriminant, as an expression */
    const char *otherwise;
};

static const char *label_text(const struct union_choice *choice, const struct value *label)
{
    if (label->name && choice->tag->base == BASE_NAMED)
        return back_constant(label->name);
    return text("%" PRId64, label->number);
}

static bool is_void(const struct arm *arm)
{
    return !arm->is_default && arm->decl->kind == DECL_VOID;
}

/* An arm whose struct is also that of an earlier arm is done with it: both have the same place, and
 * the step of neither is in an error's path. */
static bool is_same(const struct arm *a, const struct arm *b)
{
    const struct decl *x = back_real(a->decl).decl, *y = back_real(b->decl).decl;
    return !a->is_default && !b->is_default && x->kind == DECL_PLAIN && y->kind == DECL_PLAIN &&
           x->base == BASE_NAMED && y->base == BASE_NAMED && x->def->kind == DEF_STRUCT &&
           back_shape(x->def) == back_shape(y->def);
}

const struct arm *emit_arm_place(const struct def *def, const struct arm *arm)
{
    for (const struct arm *earlier = def->arms; earlier != arm; earlier = earlier->next)
        if (is_same(earlier, arm))
            return earlier;
    return arm;
}

static bool is_done(const struct union_choice *choice, const struct arm *arm)
{
    return emit_arm_place(choice->def, arm) != arm;
}

/* The default arm's code, the statement for values without an arm, or "" for nothing to do. */
static char *rest_code(const struct union_choice *choice, arm_emitter *emit)
{
    char *code = NULL;
    FILE *memory = emit_memory(&code);
    const struct arm *arm = choice->def->arms;
    while (arm->next)
        arm = arm->next;
    if (arm->is_default)
        emit(memory, choice->def, arm);
    else
        fprintf(memory, "%s\n", choice->otherwise);
    emit_close(memory, &code);
    return code;
}

/* "v->proc == A || v->proc == B", of one arm; "v->proc != C && …", of all that hold nothing. */
static void put_labels(const struct union_choice *choice, const struct arm *arm,
                       const char *compare, const char *join, bool *first)
{
    for (unsigned i = 0; i < arm->label_count; i++, *first = false)
        fprintf(choice->out, "%s%s %s %s", *first ? "" : join, choice->value, compare,
                label_text(choice, &arm->labels[i]));
}

static void emit_chain(const struct union_choice *choice, arm_emitter *emit, const char *rest)
{
    FILE *out = choice->out;
    const char *before = "";
    bool any_void = false;
    for (const struct arm *arm = choice->def->arms; arm; arm = arm->next) {
        bool first = true;
        any_void = any_void || is_void(arm);
        if (is_void(arm) || arm->is_default || is_done(choice, arm))
            continue;
        fprintf(out, "%sif (", before);
        for (const struct arm *same = arm; same; same = same->next)
            if (same == arm || is_same(arm, same))
                put_labels(choice, same, "==", " || ", &first);
        fputs(") {\n", out);
        emit(out, choice->def, arm);
        before = "} else ";
    }
    if (*rest && any_void) {
        bool first = true;
        fprintf(out, "%sif (", before);
        for (const struct arm *arm = choice->def->arms; arm; arm = arm->next)
            if (is_void(arm))
                put_labels(choice, arm, "!=", " && ", &first);
        fprintf(out, ") {\n%s}\n", rest);
    } else if (*rest) {
        fprintf(out, "%s{\n%s}\n", before, rest);
    } else if (*before) {
        fputs("}\n", out);
    }
}

static void put_cases(const struct union_choice *choice, const struct arm *arm)
{
    for (unsigned i = 0; i < arm->label_count; i++)
        fprintf(choice->out, "case %s:\n", label_text(choice, &arm->labels[i]));
}

static void emit_switch(const struct union_choice *choice, arm_emitter *emit, const char *rest)
{
    FILE *out = choice->out;
    bool any_void = false;
    fprintf(out, "switch (%s) {\n", choice->value);
    for (int pass = 0; pass < 2; pass++) {
        for (const struct arm *arm = choice->def->arms; arm; arm = arm->next) {
            if (arm->is_default || is_void(arm) != (pass == 1) || is_done(choice, arm))
                continue;
            for (const struct arm *same = arm; same; same = same->next)
                if (same == arm || is_same(arm, same))
                    put_cases(choice, same);
            if (pass == 0) {
                emit(out, choice->def, arm);
                fputs("break;\n", out);
            }
            any_void = any_void || pass == 1;
        }
    }
    if (any_void)
        fputs("break;\n", out);
    fprintf(out, "default:\n%sbreak;\n}\n", rest);
}

void emit_arms(FILE *out, const struct def *def, arm_emitter *emit, const char *otherwise)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    unsigned labels = 0;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        labels += arm->label_count;
    const char *value = text("%sv->%s", tag->base == BASE_BOOL ? "(int)" : "",
                             back_cfield(def->discriminant->name));
    const struct union_choice choice = {out, def, tag, value, otherwise};
    char *rest = rest_code(&choice, emit);
    if (labels <= CHAIN_MAX)
        emit_chain(&choice, emit, rest);
    else
        emit_switch(&choice, emit, rest);
}
