// SPDX-License-Identifier: BSD-3-Clause
/* Parsing the options of a command, and those that commands share. */
#ifndef CONFORMANCE_OPTIONS_H
#define CONFORMANCE_OPTIONS_H

#include "conformance/options/command.h"
#include "conformance/base/terminal.h"
#include "conformance/input/source.h"

#include <rpcrdma/rpcrdma.h>

#include <getopt.h> /* optind */

/* The settings of every command begin with these. */
struct options {
    bool json;
    enum color_when color;
    const char *folder; /* --output, or NULL; see gather.h */
    const char *site;   /* --site, or NULL; see register.h */
    struct source_options source;
};

#define OPTIONS_DEFAULT ((struct options){.source = {.port = RPCRDMA_NFS_PORT}})

/* Shared rows. */
extern const struct option_row options_input[], options_output[];
#define OPTION_GROUP_INPUT                                                                         \
    {                                                                                              \
        "Input (FILE '-' is standard input; the format is found by the content)", "input-options", \
            options_input                                                                          \
    }
#define OPTION_GROUP_OUTPUT                                                                        \
    {                                                                                              \
        "Output", "output-options", options_output                                                 \
    }
#define OPTION_ROW_COLOR                                                                           \
    {                                                                                              \
        "color", "WHEN", "auto (on a terminal, unless NO_COLOR is set), always or never",          \
            .words = "auto always never", SETS(WORD, struct options, color)                        \
    }
#define OPTION_ROW_FOLDER                                                                          \
    {                                                                                              \
        "output", "FOLDER", "write every report into FOLDER, and index.html, which names them",    \
            SETS(OUTPUT, struct options, folder),                                                  \
            .more = "FOLDER is made if need be. A report that has an option of its own is where "  \
                    "that says, and index.html names the place."                                   \
    }
#define OPTION_ROW_SITE                                                                            \
    {                                                                                              \
        "site", "URL",                                                                             \
            "where the pages of 'make site' are: HTML and SARIF link each rule to its "            \
            "row there",                                                                           \
            SETS(TEXT, struct options, site)                                                       \
    }
#define OPTION_ROW_HELP                                                                            \
    {                                                                                              \
        "help", NULL, "print this text", RETURNS(OPTION_HELP)                                      \
    }

/*
 * Take the options of a command; optind is then the first operand. `own` is called for those that
 * the command handles itself and returns false after a complaint; it may be NULL where there are
 * none. Returns -1 to go on, or the status to exit with.
 */
int options_parse(const struct command *command, int argc, char **argv, void *settings,
                  bool (*own)(void *settings, int value, const char *argument));

/*
 * Nothing that the options given write may be a file that they, or the operands, read, nor another
 * that they write. options_parse() has asked that; a command asks again for files that are not on
 * the command line. Returns -1 to go on, or STATUS_USAGE.
 */
int options_check_files(const struct command *command, int operands, char *const *names,
                        const void *settings);

/* The drafts of version 2, or auto, as words and as enum rpcrdma_protocol. */
#define OPTION_DRAFTS "auto 04 07"
extern const int option_drafts[];

/* The index of `word` among words separated by blanks, or -1. */
int word_index(const char *word, const char *words);

#endif
