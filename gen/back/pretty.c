// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lay out generated C: indentation follows braces, long lines break, blank lines come one at a
 * time, so that emitters need not know how deep they are. Output is read by people, and by
 * compilers that warn of misleading indentation.
 */
#include "gen/back/emit.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 100, INDENT = 4 };

struct layout {
    FILE *out;
    int braces;
    bool in_comment;
    bool annotation; /* the comment is one for Frama-C */
    bool guarded;    /* the line before was a condition without braces */
    bool gap;        /* an empty line is due before the next */
    bool may_gap;    /* something was written */
};

/* ---- reading a line ---- */

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Count the braces that a line opens and closes, outside comments; strings hold names. */
static void scan(struct layout *layout, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (layout->in_comment)
            layout->in_comment = !starts(line + i, "*/");
        else if (starts(line + i, "/*"))
            layout->in_comment = true;
        else
            layout->braces += (line[i] == '{') - (line[i] == '}');
}

static bool is_label(const char *line, size_t length)
{
    return line[length - 1] == ':' && (starts(line, "case ") || starts(line, "default"));
}

/* ---- breaking a line ---- */

enum { NO_BREAK = 1000, LAST_RESORT = 200 };

/* How bad a break after octet i reads: by the depth it is at; after a comma or an operator, and
 * only where there is none after an opening parenthesis or an assignment. */
static int badness(const char *line, size_t i, int depth)
{
    if (line[i] == '(' && line[i + 1] != ')')
        return LAST_RESORT + depth;
    if (line[i + 1] != ' ')
        return NO_BREAK;
    if (line[i] == '=' && line[i - 1] == ' ')
        return LAST_RESORT + depth;
    if (line[i] == ',' || line[i] == '?' || strncmp(line + i - 1, "&&", 2) == 0 ||
        strncmp(line + i - 1, "||", 2) == 0)
        return depth;
    return NO_BREAK;
}

/* What is open where a line breaks: the columns under which each parenthesis' contents go on. */
struct nesting {
    int columns[64];
    int depth;
};

static void follow(struct nesting *nesting, char c, int column)
{
    if ((c == '(' || c == '{') && nesting->depth < 63)
        nesting->columns[++nesting->depth] = column + 1;
    else if ((c == ')' || c == '}') && nesting->depth > 0)
        nesting->depth--;
}

/* The last of the best places to break text that begins at a column, or the first that is too late:
 * how many octets go before it, 0 if there is none. The nesting becomes that at the break. */
static size_t find_break(const char *text, size_t length, int column, struct nesting *nesting)
{
    struct nesting here = *nesting;
    size_t best = 0;
    int least = NO_BREAK - 1;
    for (size_t i = 0; i < length && (column + (int)i < COLUMNS || best == 0); i++) {
        follow(&here, text[i], column + (int)i);
        int bad = badness(text, i, here.depth);
        if (bad <= least) {
            best = i + 1;
            least = bad;
            *nesting = here;
        }
    }
    return best;
}

/* Break a line where it reads well; what goes on goes below its parenthesis, or is only indented.
 * Returns the longest line; writes nothing if out is NULL. */
static int lay_out(FILE *out, int indent, const char *text, size_t length, bool below)
{
    struct nesting nesting = {.columns = {indent + INDENT}};
    int column = indent, longest = 0;
    while (length > 0) {
        size_t end = length;
        if (column + (int)length > COLUMNS) {
            end = find_break(text, length, column, &nesting);
            end = end > 0 ? end : length;
        }
        if (column + (int)end > longest)
            longest = column + (int)end;
        if (out)
            fprintf(out, "%*s%.*s\n", column, "", (int)end, text);
        bool opened = text[end - 1] == '(';
        column = below && !opened ? nesting.columns[nesting.depth] : indent + INDENT;
        nesting.columns[nesting.depth] = column;
        for (text += end, length -= end; length > 0 && *text == ' '; length--)
            text++;
    }
    return longest;
}

/* A comment of one line that is too long continues on the next. */
static void put_long_comment(struct layout *layout, int indent, const char *line, size_t length)
{
    const char *lead = "";
    while (length > 0) {
        size_t room = (size_t)(COLUMNS - indent) - strlen(lead), end = length;
        if (end > room)
            for (end = room; end > room / 2 && line[end] != ' ';)
                end--;
        fprintf(layout->out, "%*s%s%.*s\n", indent, "", lead, (int)end, line);
        line += end;
        length -= end;
        for (; length > 0 && *line == ' '; length--)
            line++;
        lead = layout->annotation ? "" : layout->in_comment ? "* " : " * ";
    }
}

static void put_broken(struct layout *layout, int indent, const char *line, size_t length)
{
    bool below = lay_out(NULL, indent, line, length, true) <= COLUMNS;
    lay_out(layout->out, indent, line, length, below);
}

/* A comment after code goes before it where both do not fit. */
static void put_code(struct layout *layout, int indent, const char *line, size_t length)
{
    size_t code = 0;
    for (size_t i = 1; i < length && code == 0; i++)
        if (strncmp(line + i, " /* ", 4) == 0)
            code = i;
    if (indent + (int)length > COLUMNS && code > 0) {
        put_long_comment(layout, indent, line + code + 1, length - code - 1);
        length = code;
    }
    if (starts(line, "/*") || layout->in_comment)
        put_long_comment(layout, indent, line, length);
    else
        put_broken(layout, indent, line, length);
}

/* ---- lines ---- */

static bool is_condition(const char *line, size_t length)
{
    return (starts(line, "if ") || starts(line, "else") || starts(line, "for ") ||
            starts(line, "} else if")) &&
           line[length - 1] != '{';
}

static void put_line(struct layout *layout, const char *line, size_t length)
{
    bool comment = layout->in_comment, closes = line[0] == '}';
    layout->annotation = starts(line, "/*@") || (comment && layout->annotation);
    int depth = layout->braces - closes - is_label(line, length) + layout->guarded;
    if (line[0] == '#' || depth < 0)
        depth = 0;
    if (layout->gap && layout->may_gap && !closes)
        fputc('\n', layout->out);
    layout->gap = false;
    if (line[0] == '#')
        fprintf(layout->out, "%.*s\n", (int)length, line);
    else
        put_code(layout, INDENT * depth + (comment ? 1 : 0), line, length);
    layout->may_gap = true;
    if (starts(line, "extern \"C\"") || (layout->braces == 0 && closes))
        return; /* what they enclose is at the margin */
    scan(layout, line, length);
    if (!comment && !starts(line, "/*"))
        layout->guarded = is_condition(line, length);
}

void pretty(FILE *out, const char *code)
{
    struct layout layout = {.out = out};
    while (*code) {
        size_t length = strcspn(code, "\n");
        const char *next = code + length + (code[length] == '\n');
        while (length > 0 && isspace((unsigned char)*code))
            code++, length--;
        if (length == 0)
            layout.gap = true;
        else
            put_line(&layout, code, length);
        code = next;
    }
}
