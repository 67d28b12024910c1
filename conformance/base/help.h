// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma COMMAND --help`. */
#ifndef CONFORMANCE_HELP_H
#define CONFORMANCE_HELP_H

#include "conformance/base/command.h"

#include <stdio.h>

void help_print(FILE *out, const struct command *command);

/* "--known FILE", "--hazardous[=CLASS]", "-h, --help"; returns its length. */
unsigned help_option(const struct option_row *row, char *text, size_t size);

#endif
