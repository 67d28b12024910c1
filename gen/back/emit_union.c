// SPDX-License-Identifier: BSD-3-Clause
/* Back end: choosing a union's arm, the same way in decoders, sizers and encoders. */
#include "gen/back/shape.h"

#include <inttypes.h>

/* Few labels are tested one after the other, the specification's first first: faster than a table.
 */
#define CHAIN_MAX 6

static const char *label_text(const struct decl *tag, const struct value *label)
{
    if (label->name && tag->base == BASE_NAMED)
        return back_constant(label->name);
    return text("%" PRId64, label->number);
}

static void emit_chain(FILE *out, const struct def *def, const struct decl *tag, const char *value,
                       arm_emitter *emit, const char *otherwise)
{
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        if (arm != def->arms)
            fputs(" else ", out);
        for (unsigned i = 0; i < arm->label_count; i++)
            fprintf(out, "%s%s == %s", i ? " || " : "if (", value,
                    label_text(tag, &arm->labels[i]));
        fputs(arm->is_default ? "{\n" : ") {\n", out);
        emit(out, def, arm);
        fputs("}", out);
        if (!arm->next && !arm->is_default)
            fprintf(out, " else {\n%s\n}", otherwise);
    }
    fputs("\n", out);
}

static void emit_switch(FILE *out, const struct def *def, const struct decl *tag, const char *value,
                        arm_emitter *emit, const char *otherwise)
{
    bool default_arm = false;
    fprintf(out, "switch (%s) {\n", value);
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            fprintf(out, "case %s:\n", label_text(tag, &arm->labels[i]));
        if (arm->is_default)
            fputs("default:\n", out);
        default_arm = default_arm || arm->is_default;
        emit(out, def, arm);
        fputs("break;\n", out);
    }
    if (!default_arm)
        fprintf(out, "default:\n%s\n", otherwise);
    fputs("}\n", out);
}

void emit_arms(FILE *out, const struct def *def, arm_emitter *emit, const char *otherwise)
{
    const struct decl *tag = back_real(def->discriminant).decl;
    unsigned labels = 0;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        labels += arm->label_count;
    const char *value = text("%sv->%s", tag->base == BASE_BOOL ? "(int)" : "",
                             back_cfield(def->discriminant->name));
    if (labels <= CHAIN_MAX && def->arms->label_count > 0)
        emit_chain(out, def, tag, value, emit, otherwise);
    else
        emit_switch(out, def, tag, value, emit, otherwise);
}
