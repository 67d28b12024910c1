// SPDX-License-Identifier: BSD-3-Clause
/* The live commands of `rpcrdma`. */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

int cmd_probe(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_proxy(int argc, char **argv);

extern const char help_probe[], help_serve[], help_proxy[];

#endif
