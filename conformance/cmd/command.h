// SPDX-License-Identifier: BSD-3-Clause
/* The commands of `rpcrdma`, and what all of them agree on. */
#ifndef CONFORMANCE_COMMAND_H
#define CONFORMANCE_COMMAND_H

#include <stdio.h>

#ifndef RPCRDMA_VERSION
#define RPCRDMA_VERSION "0.1.0"
#endif

enum status {
    STATUS_GOOD = 0,
    STATUS_VIOLATED = 1, /* check: a violation; decode: a Send that does not decode */
    STATUS_USAGE = 2,
    STATUS_UNREADABLE = 3, /* an input, or the output; outweighs STATUS_VIOLATED */
};

/* Each takes its own argv: argv[0] is the command's name. Returns an enum status. */
int cmd_check(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_vectors(int argc, char **argv);
/* rxe-harness/ */
int cmd_probe(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_proxy(int argc, char **argv);

extern const char help_rpcrdma[], help_check[], help_decode[], help_rules[], help_vectors[],
    help_probe[], help_serve[], help_proxy[];

/* Say on stderr what is wrong with the command line; returns STATUS_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Say on stderr in one line that a file is not what it should be; returns STATUS_UNREADABLE. */
int file_error(const char *file, const char *text);

/* At the end of a command: what was written has to have arrived. Returns the status to exit with.
 */
int close_output(int status);

/* Whether writing has failed; the first time it is true, errno is kept for close_output(). */
int output_failed(FILE *out);

#endif
