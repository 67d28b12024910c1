// SPDX-License-Identifier: BSD-3-Clause
/* Options: those that commands share, and how to complain of all of them. */
#ifndef CONFORMANCE_OPTIONS_H
#define CONFORMANCE_OPTIONS_H

#include "conformance/input/source.h"
#include "conformance/base/terminal.h"

#include <getopt.h>

/* Values for getopt_long(); a command's own begin at OPTION_OWN. */
enum {
    OPTION_HELP = 'h',
    OPTION_JSON = 256,
    OPTION_COLOR,
    OPTION_FORMAT,
    OPTION_FROM,
    OPTION_PORT,
    OPTION_ALL_QP,
    OPTION_MEMORY,
    OPTION_OWN,
};

/* clang-format off */
#define OPTIONS_OUTPUT                                                                             \
    {"help", no_argument, NULL, OPTION_HELP},                                                      \
    {"json", no_argument, NULL, OPTION_JSON},                                                      \
    {"color", required_argument, NULL, OPTION_COLOR}
#define OPTIONS_INPUT                                                                              \
    {"format", required_argument, NULL, OPTION_FORMAT},                                            \
    {"from", required_argument, NULL, OPTION_FROM},                                                \
    {"port", required_argument, NULL, OPTION_PORT},                                                \
    {"all-qp", no_argument, NULL, OPTION_ALL_QP},                                                  \
    {"memory", required_argument, NULL, OPTION_MEMORY}
/* clang-format on */

struct options {
    bool json;
    enum color_when color;
    struct source_options source;
};

#define OPTIONS_DEFAULT ((struct options){.source = {.port = 20049}})

/*
 * The next option, already taken care of where it is one that commands share. Returns a command's
 * own, OPTION_HELP, -1 at the end of the options, or 0 after it has complained: exit with
 * STATUS_USAGE.
 */
int options_next(int argc, char **argv, const struct option *table, struct options *options);

/* The place of `word` in a NULL-terminated list, or -1. */
int word_index(const char *word, const char *const *words);

#endif
