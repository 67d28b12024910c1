// SPDX-License-Identifier: BSD-3-Clause
/* Lay out generated C: indentation follows braces, so that emitters need not know how deep they
 * are. Output is read by people, and by compilers that warn of misleading indentation. */
#include "gen/back/shape.h"

#include <ctype.h>
#include <string.h>

struct layout {
    int braces, parens;
    bool in_comment;
    bool guarded; /* the line before was a condition without braces */
};

/* Count what a line opens and closes, outside strings and comments. */
static void scan(struct layout *layout, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (layout->in_comment) {
            if (strncmp(line + i, "*/", 2) == 0)
                layout->in_comment = false, i++;
            continue;
        }
        if (strncmp(line + i, "/*", 2) == 0) {
            layout->in_comment = true;
            i++;
        } else if (line[i] == '"') {
            for (i++; i < length && line[i] != '"'; i++)
                i += line[i] == '\\';
        } else {
            layout->braces += (line[i] == '{') - (line[i] == '}');
            layout->parens += (line[i] == '(') - (line[i] == ')');
        }
    }
}

static bool is_label(const char *line, size_t length)
{
    return line[length - 1] == ':' &&
           (strncmp(line, "case ", 5) == 0 || strncmp(line, "default", 7) == 0);
}

static void put_line(FILE *out, struct layout *layout, const char *line, size_t length)
{
    bool comment = layout->in_comment, first = line[0] == '}';
    int depth =
        layout->braces - first - is_label(line, length) + (layout->parens > 0) + layout->guarded;
    if (line[0] == '#' || depth < 0)
        depth = 0;
    fprintf(out, "%*s%.*s\n", 4 * depth + (comment ? 1 : 0), "", (int)length, line);
    if (strncmp(line, "extern \"C\"", 10) == 0 || (layout->braces == 0 && line[0] == '}'))
        return; /* what they enclose stands at the margin */
    scan(layout, line, length);
    bool condition = strncmp(line, "if ", 3) == 0 || strncmp(line, "else", 4) == 0 ||
                     strncmp(line, "for ", 4) == 0 || (layout->guarded && layout->parens > 0);
    layout->guarded = condition && line[length - 1] != '{' && line[length - 1] != ';';
    if (layout->parens > 0)
        layout->guarded = false;
}

void pretty(FILE *out, const char *code)
{
    struct layout layout = {0};
    while (*code) {
        size_t length = strcspn(code, "\n");
        const char *next = code + length + (code[length] == '\n');
        while (length > 0 && isspace((unsigned char)*code))
            code++, length--;
        if (length == 0)
            fputc('\n', out);
        else
            put_line(out, &layout, code, length);
        code = next;
    }
}
