// SPDX-License-Identifier: BSD-3-Clause
/* The command `rpcrdma`: finds the command that is meant, and says what goes wrong. */
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"check", cmd_check}, {"decode", cmd_decode}, {"rules", cmd_rules}, {"vectors", cmd_vectors},
    {"probe", cmd_probe}, {"serve", cmd_serve},   {"proxy", cmd_proxy},
};

int usage_error(const char *command, const char *format, ...)
{
    const char *blank = command ? " " : "";
    command = command ? command : "";
    fprintf(stderr, "rpcrdma%s%s: ", blank, command);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'rpcrdma%s%s --help'.\n", blank, command);
    return STATUS_USAGE;
}

int file_error(const char *file, const char *text)
{
    fprintf(stderr, "rpcrdma: %s: %s\n", strcmp(file, "-") == 0 ? "standard input" : file, text);
    return STATUS_UNREADABLE;
}

static int output_errno;

int output_failed(FILE *out)
{
    if (!ferror(out))
        return 0;
    if (output_errno == 0)
        output_errno = errno != 0 ? errno : EIO;
    return 1;
}

int close_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !output_failed(stdout))
        return status;
    output_failed(stdout);
    return file_error("standard output", strerror(output_errno != 0 ? output_errno : EIO));
}

static int print(const char *text)
{
    fputs(text, stdout);
    return close_output(STATUS_GOOD);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is a write error like any other */
    if (argc < 2)
        return usage_error(NULL, "no command given");
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print(help_rpcrdma);
    if (strcmp(word, "--version") == 0)
        return print("rpcrdma " RPCRDMA_VERSION "\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return usage_error(NULL, "unknown %s '%s'", word[0] == '-' ? "option" : "command", word);
}
