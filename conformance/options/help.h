// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma COMMAND --help`. */
#ifndef CONFORMANCE_HELP_H
#define CONFORMANCE_HELP_H

#include "conformance/options/command.h"

#include <stdio.h>

void help_print(FILE *out, const struct command *command);

/* Words with blanks between as "must, should or advisory"; returns text. */
const char *help_words(const char *words, char *text, size_t size);

/* The row's help; "{words}" in it is replaced by its words. Returns text. */
#define HELP_TEXT 512
const char *help_text(const struct option_row *row, char text[HELP_TEXT]);

#endif
