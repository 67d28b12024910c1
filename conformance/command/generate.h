// SPDX-License-Identifier: BSD-3-Clause
/*
 * `rpcrdma --generate WHAT`: what is made from the tables of the commands when the project is
 * built.
 *
 *   man TEMPLATE       the manual page: the template, its marks replaced
 *   bash, zsh, fish    completions
 *   files              the options that take a file, and whether it is read or written
 */
#ifndef CONFORMANCE_GENERATE_H
#define CONFORMANCE_GENERATE_H

#include "conformance/options/command.h"

#include <stdio.h>

/* Lists of commands; each list and the list of lists end with NULL. */
typedef const struct command *const *const *command_lists;

/* Returns the status to exit with. */
int generate(command_lists lists, int argc, char **argv);

/* In the template a line .\" @synopsis@ stands for that of all commands, .\" @options NAME@ for the
 * options of a command or of a group that commands share. False if it cannot be read. */
bool generate_man(FILE *out, command_lists lists, const char *template);

void generate_bash(FILE *out, command_lists lists);
void generate_zsh(FILE *out, command_lists lists);
void generate_fish(FILE *out, command_lists lists);

/* What an argument is completed with. */
enum complete {
    COMPLETE_NOTHING,
    COMPLETE_WORDS,
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_COMMAND,
    COMPLETE_RULE,
    COMPLETE_CASE,   /* of `probe` or `serve` */
    COMPLETE_VECTOR, /* the id of one */
    COMPLETE_KINDS
};
enum complete generate_kind(const struct option_row *row);
/* The same of a command's operands. */
enum complete generate_operands(const struct command *command);

/* Calls `each` for every command, and for every option of a command. */
void generate_commands(command_lists lists, void (*each)(void *arg, const struct command *),
                       void *arg);
void generate_rows(const struct command *command,
                   void (*each)(void *arg, const struct command *, const struct option_row *),
                   void *arg);

#endif
