// SPDX-License-Identifier: BSD-3-Clause
/* The commands of `rpcrdma`. */
#ifndef CONFORMANCE_COMMAND_H
#define CONFORMANCE_COMMAND_H

#include "conformance/base/status.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an enum status */
    const char *summary;               /* for `rpcrdma --help` */
};

/* The commands that other folders bring along, up to one without a name. */
extern const struct command more_commands[];

int cmd_check(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_vectors(int argc, char **argv);

extern const char help_check[], help_decode[], help_rules[], help_vectors[];

#endif
