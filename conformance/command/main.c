// SPDX-License-Identifier: BSD-3-Clause
/* The command `rpcrdma`: finds the command that is meant, and says what goes wrong. */
#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/interrupt.h"
#include "conformance/command/commands.h"
#include "conformance/command/generate.h"
#include "conformance/base/nearest.h"
#include "conformance/options/gather.h"
#include "conformance/options/help.h"
#include "conformance/report/outcome/gathered.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const own_commands[] = {
    &command_check, &command_decode, &command_stat, &command_rules, &command_vectors, NULL,
};
static const struct command *const *const tables[] = {own_commands, more_commands, NULL};

static void print_help(void)
{
    fputs("Usage: rpcrdma COMMAND [OPTION]... [FILE]...\n"
          "Check RPC-over-RDMA (RFC 8166) traffic and peers for protocol conformance.\n"
          "\n"
          "Commands:\n",
          stdout);
    for (size_t i = 0; tables[i]; i++)
        for (const struct command *const *command = tables[i]; *command; command++)
            printf("  %-8s %s\n", (*command)->name, (*command)->summary);
    fputs("\n"
          "  --help     print this text; after a COMMAND, the text of that command, as does\n"
          "             help COMMAND\n"
          "  --version  print the version\n"
          "\n"
          "Exit status: 0 no violation, 1 violations found, 2 wrong usage, 3 an input\n"
          "is unreadable or not what it claims to be (or the output cannot be written),\n"
          "4 no peer could be reached, 130 interrupted.\n",
          stdout);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; tables[i]; i++)
        for (const struct command *const *command = tables[i]; *command; command++)
            if (strcmp(name, (*command)->name) == 0)
                return *command;
    return NULL;
}

static int unknown(const char *word)
{
    char meant[NEAREST_TEXT];
    struct nearest nearest = nearest_begin(word);
    for (size_t i = 0; tables[i]; i++)
        for (const struct command *const *command = tables[i]; *command; command++)
            nearest_try(&nearest, (*command)->name);
    static const char *const others[] = {"--help", "--version", "help", "version"};
    for (size_t i = 0; i < COUNT(others); i++)
        nearest_try(&nearest, others[i]);
    return usage_error(NULL, "unknown %s '%s'%s", word[0] == '-' ? "option" : "command", word,
                       nearest_text(nearest.word, meant));
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int help(const char *word)
{
    const struct command *command = word ? find_command(word) : NULL;
    if (word && command == NULL)
        return unknown(word);
    if (command)
        help_print(stdout, command);
    else
        print_help();
    return close_output(STATUS_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    char **words = alloc_zeroed((size_t)argc + 1, sizeof *words); /* getopt_long() sorts them */
    memcpy(words, argv, (size_t)argc * sizeof *words);
    int status = command->run(argc - 1, argv + 1);
    if (gather_folder() && status != STATUS_USAGE) {
        const struct gathered gathered = {gather_index(), gather_folder(), gather_names(), words};
        status = gathered_index(&gathered, command, interrupted() ? STATUS_INTERRUPTED : status);
    }
    free(words);
    return interrupt_status(status);
}

int main(int argc, char **argv)
{
    /* A testee that goes away is a write error like any other; see also close_output(). */
    signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    json_set_alloc_funcs(alloc_octets, free); /* which the library itself does not always survive */
    if (argc < 2) {
        print_help();
        return close_output(STATUS_USAGE);
    }
    const char *word = argv[1];
    if (is_one_of(word, "--help", "-h", "help"))
        return help(argv[2]);
    if (is_one_of(word, "--version", "-V", "version")) {
        puts("rpcrdma " RPCRDMA_KIT_VERSION);
        return close_output(STATUS_GOOD);
    }
    if (strcmp(word, "--generate") == 0)
        return generate(tables, argc - 2, argv + 2);
    const struct command *command = find_command(word);
    return command ? run(command, argc, argv) : unknown(word);
}
