// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: the first lines of every file. What is generated derives from the specification, so a
 * copyright notice at the specification's beginning goes along, as such notices ask.
 */
#include "gen/back/emit.h"

#include <string.h>

/* The comments before the first definition: the one that says Copyright. */
static bool find_notice(const struct spec *spec, unsigned *first, unsigned *last)
{
    unsigned end = spec->ordered && spec->defs ? spec->defs->start.line - 1 : spec->line_count;
    bool found = false;
    for (unsigned i = 0; i < end; i++) {
        if (strncmp(spec->lines[i], "/*", 2) == 0)
            *first = i;
        found = found || strstr(spec->lines[i], "Copyright (c)");
        if (strstr(spec->lines[i], "*/") && found) {
            *last = i;
            return true;
        }
    }
    return false;
}

void emit_banner(FILE *out, const struct spec *spec, const struct naming *naming)
{
    const char *file = strrchr(spec->file, '/');
    if (naming->banner[0])
        fprintf(out, "%s\n", naming->banner);
    else
        fprintf(out, "/* Made by xdrgen from %s: do not edit. */\n", file ? file + 1 : spec->file);
    unsigned first = 0, last = 0;
    if (find_notice(spec, &first, &last))
        for (unsigned i = first; i <= last; i++)
            fprintf(out, "%s\n", spec->lines[i]);
    fputc('\n', out);
}
