// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a command is, and its options. Each option is one row of a table. The parser, --help, the
 * manual page and the completions of bash, zsh and fish are all made from these tables.
 */
#ifndef CONFORMANCE_COMMAND_H
#define CONFORMANCE_COMMAND_H

#include "conformance/base/chosen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an option does with its argument. */
enum option_kind {
    OPTION_RETURNED, /* the command handles it: options_parse() passes on `value` */
    OPTION_FLAG,     /* sets a bool */
    OPTION_TEXT,     /* a const char * */
    OPTION_INPUT,    /* the same: a file or folder that is read */
    OPTION_OUTPUT,   /* the same: a file that is written */
    OPTION_WORD,     /* an enum: which of `words` the argument is; without one, the first */
    OPTION_NUMBER,   /* a uint32_t, decimal or 0x */
    OPTION_SECONDS,  /* 0.01 to 3600, kept as an unsigned number of milliseconds */
    OPTION_SIZE,     /* a size_t: 65536, 64K, 1G */
    OPTION_PORT,     /* a uint16_t */
    OPTION_NAMES,    /* a struct chosen: it may be given again, and takes several with commas */
};

struct option_row {
    const char *name;     /* NULL ends a table */
    const char *argument; /* "FILE"; "[CLASS]" may be left out; NULL: it takes none. FILE, FOLDER,
                             COMMAND, RULE, CASE and ID are completed as such. A row with FILE or
                             FOLDER is an OPTION_INPUT or an OPTION_OUTPUT */
    const char *help;     /* a sentence or two; "{words}" is replaced by the words */
    enum option_kind kind;
    size_t at;            /* where in the command's settings it is kept */
    int value;            /* OPTION_RETURNED */
    const char *words;    /* the argument is one of these words, or NULL */
    const int *values;    /* OPTION_WORD: what the words stand for; NULL: their index */
    const char *updates;  /* OPTION_OUTPUT: the option that may read the same file, or NULL */
    const char *gathered; /* OPTION_OUTPUT: its name in the folder of --output, or NULL */
    const char *more;     /* what the manual page says beyond that, or NULL */
};

/*
 * How a row says what it does, as its last members: SETS(FLAG, struct check, explain). The type of
 * the member has to fit.
 */
#define SETS(kind_, type, member)                                                                  \
    .kind = OPTION_##kind_, .at = _Generic(((type *)0)->member, OPTION_TYPE_##kind_                \
                                           : offsetof(type, member))
#define RETURNS(value_) .kind = OPTION_RETURNED, .value = (value_)
#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_TEXT const char *
#define OPTION_TYPE_INPUT const char *
#define OPTION_TYPE_OUTPUT const char *
#define OPTION_TYPE_WORD unsigned
#define OPTION_TYPE_NUMBER uint32_t
#define OPTION_TYPE_SECONDS unsigned
#define OPTION_TYPE_SIZE size_t
#define OPTION_TYPE_PORT uint16_t
#define OPTION_TYPE_NAMES struct chosen

/* Options that are listed together. */
struct option_group {
    const char *heading; /* in --help, or NULL */
    const char *name;    /* of a group that commands share, in the manual page; else NULL */
    const struct option_row *rows;
};

struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an enum status */
    const char *summary;
    const char *operands;              /* "FILE...": with FILE in it, they are read */
    const char *other;                 /* other forms, one a line, "--list"; or NULL */
    const char *text;                  /* what it does, for --help */
    const struct option_group *groups; /* up to one without rows */
    const char *status;                /* its exit statuses */
    const char *ends[2]; /* 0 and 1 on the page of --output; NULL: as of a command that tests */
};

/* Values of options that a command handles begin here. */
enum { OPTION_HELP = 'h', OPTION_OWN = 256 };

#endif
