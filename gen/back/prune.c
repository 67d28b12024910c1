// SPDX-License-Identifier: BSD-3-Clause
/*
 * Leave out what nobody calls. Emitters make functions for every type as if all were needed, which
 * keeps them simple; here those stay that what is kept refers to. A function is emitted after all
 * that it calls, so one pass from the end to the beginning marks them.
 */
#include "gen/back/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gen/front/diag.h"
#include "gen/front/names.h"

enum { BEGIN_FUNCTION = 1, BEGIN_KEPT = 2, BEGIN_TITLE = 3 };

struct code_piece {
    const char *name; /* of the function, or NULL: it stays */
    const char *title;
    const char *code;
    size_t length;
    bool needed;
};

struct code_pieces {
    struct code_piece *at;
    size_t count, room;
    const char *title;
};

void emit_title(FILE *out, const char *title)
{
    fprintf(out, "%c%s\n", BEGIN_TITLE, title);
}

void emit_function(FILE *out, const char *name)
{
    fprintf(out, "%c%s\n", BEGIN_FUNCTION, name);
}

void emit_kept(FILE *out)
{
    fprintf(out, "%c\n", BEGIN_KEPT);
}

static bool is_mark(char c)
{
    return c == BEGIN_FUNCTION || c == BEGIN_KEPT || c == BEGIN_TITLE;
}

static void add(struct code_pieces *pieces, const char *name, const char *code)
{
    if (pieces->count == pieces->room) {
        size_t room = pieces->room ? 2 * pieces->room : 64;
        struct code_piece *larger = diag_alloc(room, sizeof *larger);
        if (pieces->count)
            memcpy(larger, pieces->at, pieces->count * sizeof *larger);
        pieces->at = larger;
        pieces->room = room;
    }
    size_t length = 0;
    while (code[length] && !is_mark(code[length]))
        length++;
    pieces->at[pieces->count++] =
        (struct code_piece){name, name ? pieces->title : NULL, code, length, name == NULL};
}

static void split(struct code_pieces *pieces, const char *code)
{
    add(pieces, NULL, code);
    while (*(code += strcspn(code, "\001\002\003"))) {
        const char *line = code + 1;
        size_t length = strcspn(line, "\n");
        char mark = *code;
        code = line + length + 1;
        if (mark == BEGIN_TITLE)
            pieces->title = diag_copy(line, length);
        else
            add(pieces, mark == BEGIN_KEPT ? NULL : diag_copy(line, length), code);
    }
}

/* Mark the functions that a piece names. */
static void mark(struct code_pieces *pieces, const struct names *names,
                 const struct code_piece *piece)
{
    const char *end = piece->code + piece->length;
    for (const char *c = piece->code; c < end;) {
        size_t length = 0;
        while (isalnum((unsigned char)c[length]) || c[length] == '_')
            length++;
        struct symbol *symbol = length ? names_find(names, pieces, diag_copy(c, length)) : NULL;
        if (symbol)
            pieces->at[symbol->index].needed = true;
        c += length ? length : 1;
    }
}

char *prune(const char *code)
{
    struct code_pieces pieces = {0};
    struct names names = {0};
    split(&pieces, code);
    for (size_t i = 0; i < pieces.count; i++)
        if (pieces.at[i].name)
            names_add(&names,
                      (struct symbol){.scope = &pieces, .name = pieces.at[i].name, .index = i});
    for (size_t i = pieces.count; i-- > 0;)
        if (pieces.at[i].needed)
            mark(&pieces, &names, &pieces.at[i]);
    char *kept = diag_alloc(2 * strlen(code) + 1, 1), *end = kept;
    const char *title = NULL;
    for (size_t i = 0; i < pieces.count; i++) {
        const struct code_piece *piece = &pieces.at[i];
        if (!piece->needed)
            continue;
        if (piece->title && piece->title != title)
            end += sprintf(end, "\n/* %s */\n", piece->title);
        else
            *end++ = '\n';
        if (piece->title)
            title = piece->title;
        memcpy(end, piece->code, piece->length);
        end += piece->length;
    }
    *end = '\0';
    return kept;
}
