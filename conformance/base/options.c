// SPDX-License-Identifier: BSD-3-Clause
/* Options that commands share. */
#include "conformance/base/options.h"

#include "conformance/base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int word_index(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

/* A plain decimal number; *end is left at what follows it. */
static bool parse_number(const char *text, uint64_t *number, char **end)
{
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, end, 10);
    *number = value;
    return errno == 0;
}

static bool parse_port(const char *text, uint16_t *port)
{
    uint64_t number;
    char *end;
    if (!parse_number(text, &number, &end) || *end != '\0' || number < 1 || number > UINT16_MAX)
        return false;
    *port = (uint16_t)number;
    return true;
}

/* 65536, 64K, 256M, 2G: powers of 1024. */
static bool parse_size(const char *text, size_t *size)
{
    static const char units[] = "KMG";
    uint64_t number;
    char *end;
    if (!parse_number(text, &number, &end) || number == 0)
        return false;
    unsigned shift = 0;
    if (*end != '\0') {
        const char *unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
        if (unit == NULL || end[1] != '\0')
            return false;
        shift = 10 * (unsigned)(unit - units + 1);
    }
    if (number > SIZE_MAX >> shift)
        return false;
    *size = (size_t)number << shift;
    return true;
}

static bool parse_word(const char *text, const char *const *words, int *index)
{
    *index = word_index(text, words);
    return *index >= 0;
}

/* Returns false with *wanted saying what the argument has to be. */
static bool apply(int option, struct options *options, const char **wanted)
{
    static const char *const formats[] = {"hex", "raw", "vectors", "capture", NULL};
    static const char *const sides[] = {"client", "server", NULL};
    static const char *const whens[] = {"auto", "always", "never", NULL};
    int index;
    switch (option) {
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_ALL_QP:
        options->source.all_qp = true;
        return true;
    case OPTION_COLOR:
        *wanted = "auto, always or never";
        if (!parse_word(optarg, whens, &index))
            return false;
        options->color = (enum color_when)index;
        return true;
    case OPTION_FORMAT:
        *wanted = "hex, raw, vectors or capture";
        if (!parse_word(optarg, formats, &index))
            return false;
        options->source.format = (enum source_format)(SOURCE_HEX + index);
        return true;
    case OPTION_FROM:
        *wanted = "client or server";
        if (!parse_word(optarg, sides, &index))
            return false;
        options->source.from = index == 0 ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
        return true;
    case OPTION_PORT:
        *wanted = "a number from 1 to 65535";
        return parse_port(optarg, &options->source.port);
    default: /* OPTION_MEMORY */
        *wanted = "a number of octets, or one with K, M or G";
        return parse_size(optarg, &options->source.memory);
    }
}

static const char *long_name(const struct option *table, int value)
{
    for (; table->name; table++)
        if (table->val == value)
            return table->name;
    return "";
}

static void complain(int found, const char *command, char **argv, const struct option *table)
{
    /* After a long option optind is already behind it; in a cluster of letters it need not be. */
    const char *word = argv[optind - 1];
    if (found == ':')
        usage_error(command, "option '--%s' needs an argument", long_name(table, optopt));
    else if (optopt > UINT8_MAX || (optopt == OPTION_HELP && strncmp(word, "--", 2) == 0))
        usage_error(command, "option '--%s' takes no argument", long_name(table, optopt));
    else if (optopt != 0)
        usage_error(command, "unknown option '-%c'", optopt);
    else
        usage_error(command, "unknown option '%s'", word);
}

int options_next(int argc, char **argv, const struct option *table, struct options *options)
{
    for (;;) {
        opterr = 0;
        optopt = 0;
        int found = getopt_long(argc, argv, ":h", table, NULL);
        if (found == -1 || found == OPTION_HELP || found >= OPTION_OWN)
            return found;
        if (found == '?' || found == ':') {
            complain(found, argv[0], argv, table);
            return 0;
        }
        const char *wanted = NULL;
        if (!apply(found, options, &wanted)) {
            usage_error(argv[0], "option '--%s' takes %s, not '%s'", long_name(table, found),
                        wanted, optarg);
            return 0;
        }
    }
}
