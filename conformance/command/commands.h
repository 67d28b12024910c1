// SPDX-License-Identifier: BSD-3-Clause
/* The commands of `rpcrdma`. */
#ifndef CONFORMANCE_COMMANDS_H
#define CONFORMANCE_COMMANDS_H

#include "conformance/base/chosen.h"
#include "conformance/base/status.h"
#include "conformance/options/command.h"

extern const struct command command_check, command_decode, command_stat, command_rules,
    command_vectors;

/* The commands that other folders add, up to NULL. */
extern const struct command *const more_commands[];

int cmd_check(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_vectors(int argc, char **argv);

/* The rules that are named, or those of sections that are, as a set by row of the register; NULL
 * where none is named. False after a complaint. */
bool filter_rules(const char *command, struct chosen *names, bool **rules);

#endif
