// SPDX-License-Identifier: BSD-3-Clause
/* The live commands of `rpcrdma`. */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

#include "conformance/options/command.h"

extern const struct command command_probe, command_serve, command_proxy, command_respond,
    command_request, command_trace, command_matrix;

/* What this folder adds to the commands; up to NULL. */
extern const struct command *const more_commands[];

int cmd_probe(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_proxy(int argc, char **argv);
int cmd_respond(int argc, char **argv);
int cmd_request(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_matrix(int argc, char **argv);

#endif
