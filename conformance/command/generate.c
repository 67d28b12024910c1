// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/command/generate.h"

#include "conformance/base/count.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <string.h>

enum complete generate_kind(const struct option_row *row)
{
    static const struct {
        const char *argument;
        enum complete kind;
    } kinds[] = {
        {"FILE", COMPLETE_FILE}, {"FOLDER", COMPLETE_FOLDER}, {"COMMAND", COMPLETE_COMMAND},
        {"RULE", COMPLETE_RULE}, {"CASE", COMPLETE_CASE},     {"ID", COMPLETE_VECTOR},
    };
    if (row->words)
        return COMPLETE_WORDS;
    for (size_t i = 0; row->argument && i < COUNT(kinds); i++)
        if (strcmp(row->argument, kinds[i].argument) == 0)
            return kinds[i].kind;
    return COMPLETE_NOTHING;
}

enum complete generate_operands(const struct command *command)
{
    return strstr(command->operands, "FILE")   ? COMPLETE_FILE
           : strstr(command->operands, "RULE") ? COMPLETE_RULE
                                               : COMPLETE_NOTHING;
}

void generate_commands(command_lists lists, void (*each)(void *arg, const struct command *),
                       void *arg)
{
    for (; *lists; lists++)
        for (const struct command *const *command = *lists; *command; command++)
            each(arg, *command);
}

void generate_rows(const struct command *command,
                   void (*each)(void *arg, const struct command *, const struct option_row *),
                   void *arg)
{
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name; row++)
            each(arg, command, row);
}

/* "check --html FILE written", for the tests. */
static void print_file(void *arg, const struct command *command, const struct option_row *row)
{
    const char *direction = row->kind == OPTION_INPUT    ? "read"
                            : row->kind == OPTION_OUTPUT ? "written"
                                                         : "unknown";
    (void)arg;
    if (row->kind == OPTION_INPUT || row->kind == OPTION_OUTPUT ||
        (row->argument && (strstr(row->argument, "FILE") || strstr(row->argument, "FOLDER"))))
        printf("%s --%s %s %s\n", command->name, row->name, row->argument, direction);
}

int generate(command_lists lists, int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out, command_lists lists);
    } shells[] = {{"bash", generate_bash}, {"zsh", generate_zsh}, {"fish", generate_fish}};
    for (size_t i = 0; argc == 1 && i < COUNT(shells); i++)
        if (strcmp(argv[0], shells[i].name) == 0) {
            shells[i].print(stdout, lists);
            return close_output(STATUS_GOOD);
        }
    if (argc == 1 && strcmp(argv[0], "files") == 0) {
        for (; *lists; lists++)
            for (const struct command *const *command = *lists; *command; command++)
                generate_rows(*command, print_file, NULL);
        return close_output(STATUS_GOOD);
    }
    if (argc != 2 || strcmp(argv[0], "man") != 0)
        return usage_error(NULL,
                           "option '--generate' takes man TEMPLATE, bash, zsh, fish or files");
    if (!generate_man(stdout, lists, argv[1]))
        return file_error(argv[1], strerror(errno));
    return close_output(STATUS_GOOD);
}
