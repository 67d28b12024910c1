// SPDX-License-Identifier: BSD-3-Clause
/*
 * The manual page in mdoc(7). Its prose is a template; SYNOPSIS and the lists of options are made
 * here. Operands and arguments are in capitals in --help and in small letters here, as is usual.
 */
#include "conformance/command/generate.h"

#include "conformance/options/help.h"
#include "conformance/base/status.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

struct man {
    FILE *out;
    const char *name; /* of the command or group whose options are wanted */
    size_t length;
    bool printed;
};

/* Text in mdoc: a backslash is written out, and no line begins as a request. Sentences begin on
 * lines of their own. */
static void put_text(FILE *out, const char *text)
{
    bool begins = true;
    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        begins = *text == '.' && text[1] == ' ';
        if (*text == '\\')
            fputs("\\e", out);
        else
            putc(*text, out);
        if (begins) {
            putc('\n', out);
            text++;
        }
    }
    putc('\n', out);
}

static void put_small(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        putc(tolower((unsigned char)text[i]), out);
}

/* " Ar file", " Ar case , Ns Ar ...", " Ns Op = Ns Ar class": the argument of an option. */
static void put_argument(FILE *out, const struct option_row *row)
{
    const char *argument = row->argument;
    if (argument == NULL)
        return;
    bool optional = argument[0] == '[';
    size_t length = strlen(argument) - (optional ? 2 : 0);
    fputs(optional ? " Ns Op = Ns Ar " : " Ar ", out);
    put_small(out, argument + optional, length);
    if (row->kind == OPTION_NAMES)
        fputs(",...", out);
}

static void put_row(void *arg, const struct command *command, const struct option_row *row)
{
    struct man *man = arg;
    char text[HELP_TEXT];
    bool help = row->kind == OPTION_RETURNED && row->value == OPTION_HELP;
    (void)command; /* only its name would differ */
    fprintf(man->out, ".It %sFl -%s", help ? "Fl h , " : "", row->name);
    put_argument(man->out, row);
    putc('\n', man->out);
    put_text(man->out, help_text(row, text));
    if (row->more) {
        fputs(".Pp\n", man->out);
        put_text(man->out, row->more);
    }
}

static bool is_named(const struct man *man, const char *name)
{
    return name && strlen(name) == man->length && strncmp(name, man->name, man->length) == 0;
}

/* The options of the command that are its own, or those of a shared group, the first time. */
static void put_options(void *arg, const struct command *command)
{
    struct man *man = arg;
    bool own = is_named(man, command->name); /* all groups without a name of their own */
    for (const struct option_group *group = command->groups; group->rows; group++) {
        if (own ? group->name != NULL : man->printed || !is_named(man, group->name))
            continue;
        fputs(".Bl -tag -width Ds\n", man->out);
        for (const struct option_row *row = group->rows; row->name; row++)
            put_row(man, command, row);
        fputs(".El\n", man->out);
        man->printed = true;
    }
}

/* One word of the operands: "[ADDRESS]", "FILE...", "--lint". */
static void put_word(FILE *out, const char *word, size_t length)
{
    bool optional = word[0] == '[';
    const char *close = optional ? memchr(word, ']', length) : NULL;
    if (length > 2 && word[0] == '-') {
        fprintf(out, ".Fl %.*s\n", (int)length - 1, word + 1);
    } else if (close) {
        fputs(".Op Ar ", out);
        put_small(out, word + 1, (size_t)(close - word) - 1);
        putc('\n', out);
        if (close + 1 < word + length)
            fprintf(out, ".Ar %.*s\n", (int)(word + length - close) - 1, close + 1);
    } else {
        fputs(".Ar ", out);
        put_small(out, word, length);
        putc('\n', out);
    }
}

static void put_words(FILE *out, const char *words, size_t length)
{
    for (const char *end = words + length; words < end;) {
        size_t next = strcspn(words, " \n");
        put_word(out, words, next);
        words += next + 1;
    }
}

static void put_option_of_synopsis(FILE *out, const struct option_row *row)
{
    fprintf(out, ".Op Fl -%s", row->name);
    put_argument(out, row);
    putc('\n', out);
}

static void put_synopsis(void *arg, const struct command *command)
{
    struct man *man = arg;
    fprintf(man->out, ".Nm\n.Cm %s\n", command->name);
    for (const struct option_group *group = command->groups; group->rows; group++) {
        if (group->name) {
            fprintf(man->out, ".Op Ar %s\n", group->name);
            continue;
        }
        for (const struct option_row *row = group->rows; row->name; row++)
            put_option_of_synopsis(man->out, row);
    }
    put_words(man->out, command->operands, strlen(command->operands));
    for (const char *form = command->other; form && *form != '\0';) {
        size_t length = strcspn(form, "\n");
        fprintf(man->out, ".Nm\n.Cm %s\n", command->name);
        put_words(man->out, form, length);
        form += length + (form[length] == '\n');
    }
}

static void put_line(struct man *man, command_lists lists, const char *line)
{
    static const char synopsis[] = ".\\\" @synopsis@", options[] = ".\\\" @options ";
    if (strncmp(line, synopsis, sizeof synopsis - 1) == 0) {
        generate_commands(lists, put_synopsis, man);
    } else if (strncmp(line, options, sizeof options - 1) == 0) {
        man->name = line + sizeof options - 1;
        man->length = strcspn(man->name, "@");
        man->printed = false;
        generate_commands(lists, put_options, man);
    } else {
        fputs(line, man->out);
    }
}

bool generate_man(FILE *out, command_lists lists, const char *template)
{
    struct man man = {.out = out};
    char line[1024];
    FILE *in = fopen(template, "r");
    if (in == NULL)
        return false;
    while (fgets(line, sizeof line, in))
        put_line(&man, lists, line);
    int error = ferror(in) ? errno : 0;
    fclose(in);
    errno = error;
    return error == 0;
}
