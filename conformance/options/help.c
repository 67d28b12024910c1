// SPDX-License-Identifier: BSD-3-Clause
/* What --help prints of a command, from its table. The manual page says more. */
#include "conformance/options/help.h"

#include "conformance/base/terminal.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 2, HELP_COLUMN = 22 };

const char *help_words(const char *words, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    while (*words != '\0' && length < size) {
        size_t next = strcspn(words, " ");
        const char *rest = words + next + (words[next] == ' ');
        bool last = strchr(rest, ' ') == NULL;
        length += (size_t)snprintf(text + length, size - length, "%.*s%s", (int)next, words,
                                   *rest == '\0' ? ""
                                   : last        ? " or "
                                                 : ", ");
        words = rest;
    }
    return text;
}

const char *help_text(const struct option_row *row, char text[HELP_TEXT])
{
    static const char mark[] = "{words}";
    const char *found = row->words ? strstr(row->help, mark) : NULL;
    char words[256];
    if (found)
        snprintf(text, HELP_TEXT, "%.*s%s%s", (int)(found - row->help), row->help,
                 help_words(row->words, words, sizeof words), found + sizeof mark - 1);
    else
        snprintf(text, HELP_TEXT, "%s", row->help);
    return text;
}

/* "--known FILE", "--case CASE,...", "--hazardous[=CLASS,...]", "-h, --help"; returns its length.
 */
static unsigned option_text(const struct option_row *row, char *text, size_t size)
{
    bool help = row->kind == OPTION_RETURNED && row->value == OPTION_HELP;
    const char *argument = row->argument ? row->argument : "";
    bool optional = argument[0] == '[';
    const char *between = row->argument == NULL ? "" : optional ? "[=" : " ";
    return (unsigned)snprintf(text, size, "%s--%s%s%.*s%s%s", help ? "-h, " : "", row->name,
                              between, (int)strlen(argument) - 2 * optional, argument + optional,
                              row->kind == OPTION_NAMES ? ",..." : "", optional ? "]" : "");
}

static void print_row(FILE *out, const struct option_row *row)
{
    char name[64], text[HELP_TEXT];
    unsigned length = option_text(row, name, sizeof name);
    fprintf(out, "%*s%s", INDENT, "", name);
    if (INDENT + length + 1 > HELP_COLUMN)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(out, "%*s", (int)(HELP_COLUMN - INDENT - length), "");
    terminal_wrap(out, help_text(row, text), HELP_COLUMN, HELP_COLUMN, WIDTH);
}

/* The other forms stand one a line. */
static void print_usage(FILE *out, const struct command *command)
{
    fprintf(out, "Usage: rpcrdma %s [OPTION]...%s%s\n", command->name,
            *command->operands ? " " : "", command->operands);
    for (const char *form = command->other; form && *form != '\0';) {
        size_t length = strcspn(form, "\n");
        fprintf(out, "       rpcrdma %s %.*s\n", command->name, (int)length, form);
        form += length + (form[length] == '\n');
    }
}

void help_print(FILE *out, const struct command *command)
{
    print_usage(out, command);
    terminal_wrap(out, command->text, 0, 0, WIDTH);
    for (const struct option_group *group = command->groups; group->rows; group++) {
        putc('\n', out);
        if (group->heading)
            fprintf(out, "%s:\n", group->heading);
        for (const struct option_row *row = group->rows; row->name; row++)
            print_row(out, row);
    }
    fputs("\nExit status: ", out);
    terminal_wrap(out, command->status, 13, 0, WIDTH);
}
