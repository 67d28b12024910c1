// SPDX-License-Identifier: BSD-3-Clause
/*
 * Shorten how generated functions end: emitters write each step by itself, and the last one can
 * often be returned as it is.
 */
#include "gen/back/emit.h"

#include <string.h>

#include "gen/front/diag.h"

/* The last lines of what was written so far. */
struct tail {
    char *text, *end;
};

/* Where the nth line from the end begins; 1 is the last. */
static char *line_from_end(const struct tail *tail, int n)
{
    char *c = tail->end;
    for (; n > 0 && c > tail->text; n--)
        for (c--; c > tail->text && c[-1] != '\n';)
            c--;
    return c;
}

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* The text of a line between two others, if it begins and ends with them. */
static const char *between(const char *line, const char *head, const char *foot)
{
    size_t length = strcspn(line, "\n"), first = strlen(head), last = strlen(foot);
    if (length < first + last || !starts(line, head) ||
        strncmp(line + length - last, foot, last) != 0)
        return NULL;
    return diag_copy(line + first, length - first - last);
}

/* Whether the statement before the last line is done under a condition, which has to stay. */
static bool is_guarded(const char *before)
{
    const char *end = before + strcspn(before, "\n");
    bool condition = starts(before, "if (") || starts(before, "for (") || starts(before, "else");
    return condition && end[-1] != '{' && end[-1] != ';';
}

static void replace(struct tail *tail, char *from, const char *with)
{
    tail->end = from + sprintf(from, "%s", with);
}

static void shorten_place(struct tail *tail)
{
    char *last = line_from_end(tail, 2);
    char *before = line_from_end(tail, 3);
    const char *octets = between(last, "p += ", ";"), *call;
    if (octets != NULL && !is_guarded(before))
        replace(tail, last, text("return p + %s;\n", octets));
    else if (!is_guarded(line_from_end(tail, 4)) && starts(last, "return NULL;\n") &&
             (call = between(before, "if ((p = ", ") == NULL)")) != NULL)
        replace(tail, before, text("return %s;\n", call));
}

static void shorten_total(struct tail *tail)
{
    char *last = line_from_end(tail, 2), *before = line_from_end(tail, 3);
    if (is_guarded(before))
        return;
    const char *more = between(last, "total += ", ";");
    const char *first = between(before, "int64_t total = ", ";");
    if (more != NULL && first != NULL && strcmp(first, "0") == 0)
        replace(tail, before, text("return %s;\n", more));
    else if (more != NULL && first != NULL && strchr(first, ',') == NULL)
        replace(tail, before, text("return %s + %s;\n", first, more));
    else if (more != NULL)
        replace(tail, last, text("return total + %s;\n", more));
}

char *tidy(const char *code)
{
    struct tail tail = {diag_alloc(strlen(code) + 1, 1), NULL};
    tail.end = tail.text;
    while (*code) {
        size_t length = strcspn(code, "\n");
        length += code[length] == '\n';
        memcpy(tail.end, code, length);
        tail.end += length;
        code += length;
        char *line = line_from_end(&tail, 1);
        if (strncmp(line, "return p;\n", 10) == 0)
            shorten_place(&tail);
        else if (strncmp(line, "return total;\n", 14) == 0)
            shorten_total(&tail);
    }
    *tail.end = '\0';
    return tail.text;
}
