// SPDX-License-Identifier: BSD-3-Clause
/*
 * Options: getopt_long() from the tables of a command. The table of getopt is made for each run, so
 * that an option is written down once.
 */
#include "conformance/options/options.h"

#include "conformance/base/alloc.h"
#include "conformance/base/nearest.h"
#include "conformance/base/register.h"
#include "conformance/options/gather.h"
#include "conformance/options/help.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64, FIRST_INDEX = 256 }; /* indices of getopt are no characters */

const int option_drafts[] = {RPCRDMA_PROTOCOL_AUTO, RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

const struct option_row options_input[] = {
    {"format", "FORMAT",
     "hex (one Send a line), raw (one Send a file), vectors (JSON), capture (pcap, pcapng; may "
     "be compressed), or auto: by the content (the default)",
     .words = "auto hex raw vectors capture", SETS(WORD, struct options, source.format)},
    {"from", "SIDE", "client or server: who sent hex and raw Sends (client)",
     .words = "client server", SETS(WORD, struct options, source.from),
     .more = "The client is the side that opened the connection."},
    {"draft", "DRAFT", "the draft that Sends of version 2 follow: {words} (auto)",
     .words = OPTION_DRAFTS, .values = option_drafts, SETS(WORD, struct options, source.draft),
     .more =
         "Both drafts say version 2 on the wire. With auto, the draft is the one that the Sends "
         "show, and 07 where none shows it. Vectors name their draft themselves."},
    {"port", "PORT", "captures: port of the RPC-over-RDMA service (20049)",
     SETS(PORT, struct options, source.port),
     .more = "Over RoCE and InfiniBand, of the RDMA connection manager; over iWARP, of TCP. "
             "Connections to other ports are recognised by their private data or first Send."},
    {"all-qp", NULL, "captures: treat every reliable connection as RPC-over-RDMA",
     SETS(FLAG, struct options, source.all_qp)},
    {"memory", "SIZE", "captures: memory for reassembly and connections, such as 64M or 1G (64M)",
     SETS(SIZE, struct options, source.memory),
     .more = "SIZE is a number of octets, which K, M or G may follow."},
    {0}};

const struct option_row options_output[] = {
    {"json", NULL, "print one JSON object a line", SETS(FLAG, struct options, json)},
    OPTION_ROW_COLOR,
    OPTION_ROW_HELP,
    {0}};

int word_index(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (int i = 0; *words != '\0'; i++) {
        size_t next = strcspn(words, " ");
        if (next == length && strncmp(words, word, length) == 0)
            return i;
        words += next + (words[next] == ' ');
    }
    return -1;
}

/* ---- arguments ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number without sign; *end is left at what follows it. */
static bool parse_number(const char *text, int base, uint64_t *number, char **end)
{
    if (!is_digit(*text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, end, base);
    *number = value;
    return errno == 0;
}

static bool parse_whole(const char *text, int base, uint64_t most, uint64_t *number)
{
    char *end;
    return parse_number(text, base, number, &end) && *end == '\0' && *number <= most;
}

/* 65536, 64K, 256M, 2G: powers of 1024. */
static bool parse_size(const char *text, size_t *size)
{
    static const char units[] = "KMG";
    uint64_t number;
    char *end;
    if (!parse_number(text, 10, &number, &end) || number == 0)
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

static bool parse_seconds(const char *text, unsigned *milliseconds)
{
    char *end = NULL;
    errno = 0;
    double seconds = is_digit(*text) ? strtod(text, &end) : -1;
    if (!(seconds >= 0.01 && seconds <= 3600) || *end != '\0' || errno != 0)
        return false;
    *milliseconds = (unsigned)(seconds * 1000);
    return true;
}

/* ---- what an option sets ---- */

static bool set_word(void *to, const struct option_row *row, const char *argument)
{
    int index = argument ? word_index(argument, row->words) : 0;
    if (index < 0)
        return false;
    /* what every enum here is compatible with */
    unsigned value = (unsigned)(row->values ? row->values[index] : index);
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_number(void *to, const char *argument)
{
    uint64_t number;
    if (!parse_whole(argument, 0, UINT32_MAX, &number))
        return false;
    *(uint32_t *)to = (uint32_t)number;
    return true;
}

static bool set_port(void *to, const char *argument)
{
    uint64_t number;
    if (!parse_whole(argument, 10, UINT16_MAX, &number) || number == 0)
        return false;
    *(uint16_t *)to = (uint16_t)number;
    return true;
}

static bool set_names(struct chosen *names, const struct option_row *row, const char *argument)
{
    size_t before = names->count;
    chosen_add(names, argument);
    for (size_t i = before; row->words && i < names->count; i++)
        if (word_index(names->list[i].text, row->words) < 0)
            return false;
    return true;
}

static bool set(const struct option_row *row, void *settings, const char *argument)
{
    void *to = (char *)settings + row->at;
    switch (row->kind) {
    case OPTION_FLAG:
        return *(bool *)to = true;
    case OPTION_TEXT:
    case OPTION_INPUT:
    case OPTION_OUTPUT:
        if (row->words && word_index(argument, row->words) < 0)
            return false;
        *(const char **)to = argument;
        return true;
    case OPTION_WORD:
        return set_word(to, row, argument);
    case OPTION_NUMBER:
        return set_number(to, argument);
    case OPTION_SECONDS:
        return parse_seconds(argument, to);
    case OPTION_SIZE:
        return parse_size(argument, to);
    case OPTION_PORT:
        return set_port(to, argument);
    case OPTION_NAMES:
        return set_names(to, row, argument);
    default:
        return true;
    }
}

/* ---- complaints ---- */

static int wrong_argument(const struct command *command, const struct option_row *row,
                          const char *argument)
{
    static const char *const wanted[] = {
        [OPTION_NUMBER] = "a number of 32 bits",
        [OPTION_SECONDS] = "seconds, 0.01 to 3600",
        [OPTION_SIZE] = "a size such as 64M",
        [OPTION_PORT] = "a port, 1 to 65535",
    };
    char words[256];
    return usage_error(command->name, "option '--%s' takes %s, not '%s'", row->name,
                       row->words ? help_words(row->words, words, sizeof words) : wanted[row->kind],
                       argument);
}

/* "--jsno" is near "--json", and so is "--jsno=FILE". */
static const char *nearest_option(const char *word, const struct option *table,
                                  char text[NEAREST_TEXT])
{
    char name[64], option[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    struct nearest nearest = nearest_begin(name);
    for (; table->name; table++)
        nearest_try(&nearest, table->name);
    snprintf(option, sizeof option, "--%s", nearest.word ? nearest.word : "");
    return nearest_text(nearest.word ? option : NULL, text);
}

static int complain(const struct command *command, int found, char **argv,
                    const struct option *table)
{
    /* After a long option optind has already passed it; in a cluster of letters it need not have.
     */
    const char *word = argv[optind - 1];
    if (found == ':')
        return usage_error(command->name, "option '--%s' needs an argument",
                           table[optopt - FIRST_INDEX].name);
    if (optopt >= FIRST_INDEX)
        return usage_error(command->name, "option '--%s' takes no argument",
                           table[optopt - FIRST_INDEX].name);
    if (optopt != 0)
        return usage_error(command->name, "unknown option '-%c'", optopt);
    char meant[NEAREST_TEXT];
    return usage_error(command->name, "unknown option '%s'%s", word,
                       nearest_option(word, table, meant));
}

/* ---- files ---- */

int options_check_files(const struct command *command, int operands, char *const *names,
                        const void *settings)
{
    struct named_file *files = alloc_zeroed((size_t)operands + ROWS_MAX + 1, sizeof *files);
    size_t count = 0;
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name && count < ROWS_MAX; row++) {
            bool is_file = row->kind == OPTION_INPUT || row->kind == OPTION_OUTPUT;
            const char *name =
                is_file ? *(const char *const *)((const char *)settings + row->at) : NULL;
            if (name)
                files[count++] = (struct named_file){row->name, name, row->updates,
                                                     .is_written = row->kind == OPTION_OUTPUT};
        }
    if (gather_index())
        files[count++] = (struct named_file){"output", gather_index(), NULL, .is_written = true};
    for (int i = 0; strstr(command->operands, "FILE") && i < operands; i++)
        files[count++] = (struct named_file){.name = names[i]};
    int status = overwrite_check(command->name, files, count);
    free(files);
    return status == STATUS_GOOD ? -1 : status;
}

/* ---- getopt ---- */

/* Fill in the table of getopt, and beside it the row of each of its entries. */
static void make_table(const struct command *command, struct option *table,
                       const struct option_row **rows)
{
    int count = 0;
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name && count < ROWS_MAX; row++) {
            int has = row->argument == NULL     ? no_argument
                      : row->argument[0] == '[' ? optional_argument
                                                : required_argument;
            table[count] = (struct option){row->name, has, NULL, FIRST_INDEX + count};
            rows[count++] = row;
        }
    table[count] = (struct option){0};
}

/* The text of an option; NULL: none, or the command has no such option. */
static const char *text_of(const struct command *command, const void *settings, const char *name)
{
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return *(const char *const *)((const char *)settings + row->at);
    return NULL;
}

/* The files of --output are named when all others are known to harm nothing, and asked as those. */
static int end_parsing(const struct command *command, int operands, char *const *names,
                       void *settings)
{
    const char *folder = text_of(command, settings, "output");
    register_set_site(text_of(command, settings, "site"));
    int status = options_check_files(command, operands, names, settings);
    if (status != -1 || folder == NULL)
        return status;
    if (!gather_files(command, settings, folder))
        return STATUS_UNREADABLE;
    return options_check_files(command, operands, names, settings);
}

int options_parse(const struct command *command, int argc, char **argv, void *settings,
                  bool (*own)(void *settings, int value, const char *argument))
{
    struct option table[ROWS_MAX + 1];
    const struct option_row *rows[ROWS_MAX];
    make_table(command, table, rows);
    for (;;) {
        opterr = 0;
        optopt = 0;
        int found = getopt_long(argc, argv, ":h", table, NULL);
        if (found == -1)
            return end_parsing(command, argc - optind, argv + optind, settings);
        if (found == '?' || found == ':')
            return complain(command, found, argv, table);
        const struct option_row *row = found == OPTION_HELP ? NULL : rows[found - FIRST_INDEX];
        if (row == NULL || (row->kind == OPTION_RETURNED && row->value == OPTION_HELP)) {
            help_print(stdout, command);
            return close_output(STATUS_GOOD);
        }
        if (row->kind == OPTION_RETURNED && !own(settings, row->value, optarg))
            return STATUS_USAGE;
        if (!set(row, settings, optarg))
            return wrong_argument(command, row, optarg);
    }
}
