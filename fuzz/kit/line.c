// SPDX-License-Identifier: BSD-3-Clause
/*
 * A parser in another process, in any language. KIT_TESTEE is its command; it is started once, is
 * asked `call HEX` or `reply HEX`, a line each, and answers with a line of the protocol of
 * `rpcrdma vectors --testee` (vectors/README.md). One that ends, says something else, or nothing
 * for KIT_TIMEOUT seconds (default 5) is a finding: the fuzzer keeps the Send that made it do so.
 */
#include "kit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to_testee;
static int from_testee = -1;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "\nthe testee %s\n", what);
    abort();
}

static void start(void)
{
    const char *command = getenv("KIT_TESTEE");
    int in[2], out[2];
    if (command == NULL) {
        fputs("KIT_TESTEE has to be the command that starts the parser\n", stderr);
        _exit(2);
    }
    signal(SIGPIPE, SIG_IGN);
    if (pipe(in) != 0 || pipe(out) != 0)
        give_up("cannot be given a pipe");
    pid_t child = fork();
    if (child == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_testee = child > 0 ? fdopen(in[1], "w") : NULL;
    from_testee = out[0];
    if (to_testee == NULL)
        give_up("cannot be started");
}

static void ask(const uint8_t *octets, size_t length, bool is_reply)
{
    fputs(is_reply ? "reply " : "call ", to_testee);
    for (size_t i = 0; i < length; i++)
        fprintf(to_testee, "%02x", octets[i]);
    fputc('\n', to_testee);
    if (fflush(to_testee) != 0)
        give_up("has ended");
}

/* One line, without its end. */
static void hear(char *line, size_t size)
{
    const char *limit = getenv("KIT_TIMEOUT");
    int timeout = limit ? atoi(limit) * 1000 : 5000;
    for (size_t length = 0; length + 1 < size; length++) {
        struct pollfd ready = {.fd = from_testee, .events = POLLIN};
        if (poll(&ready, 1, timeout) <= 0)
            give_up("hangs");
        if (read(from_testee, line + length, 1) != 1)
            give_up("has ended");
        if (line[length] == '\n') {
            line[length] = '\0';
            return;
        }
    }
    give_up("answers more than a line");
}

/* "error HEX", an RDMA_ERROR: its code is the fifth word. */
static bool is_error(const char *text, struct kit_answer *answer)
{
    if (strlen(text) < 40 || strspn(text, "0123456789abcdefABCDEF") != strlen(text))
        return false;
    if (strncmp(text + 32, "00000001", 8) == 0)
        answer->kind = KIT_ERR_VERS;
    else if (strncmp(text + 32, "00000002", 8) == 0)
        answer->kind = KIT_ERR_CHUNK;
    else
        return false;
    return true;
}

/* "accept N", perhaps with what was decoded, of which only the runner of vectors makes use. */
static bool is_accept(const char *text, struct kit_answer *answer)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long long length = strtoull(text, &end, 10);
    *answer = (struct kit_answer){KIT_ACCEPT, (size_t)length};
    return (*end == '\0' || *end == ' ') && length <= SIZE_MAX;
}

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    static const struct {
        const char *text;
        enum kit_kind kind;
    } answers[] = {{"error err-vers", KIT_ERR_VERS},
                   {"error err-chunk", KIT_ERR_CHUNK},
                   {"discard", KIT_DISCARD},
                   {"refuse", KIT_REFUSE},
                   {"limit", KIT_LIMIT},
                   {"close", KIT_CLOSE},
                   {"fail", KIT_FAIL},
                   {"unsupported", KIT_UNSUPPORTED}};
    static char line[1 << 20];
    struct kit_answer answer = {KIT_ACCEPT, KIT_NO_LENGTH};
    if (to_testee == NULL)
        start();
    ask(octets, length, is_reply);
    hear(line, sizeof line);
    line[strcspn(line, "\r")] = '\0';
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (strcmp(line, answers[i].text) == 0)
            return (struct kit_answer){answers[i].kind, 0};
    if (strcmp(line, "accept") == 0 ||
        (strncmp(line, "accept ", 7) == 0 && is_accept(line + 7, &answer)) ||
        (strncmp(line, "error ", 6) == 0 && is_error(line + 6, &answer)))
        return answer;
    give_up("answers with a line that is not part of the protocol");
}

/* Asks a good Call: a command that is mistyped, or a parser that cannot start, would crash on every
 * Send. */
static _Noreturn void try(void)
{
    static const uint8_t null_call[68] = {
        [3] = 1, [7] = 1, [11] = 32, [31] = 1, [39] = 2, [40] = 0x20, 0, 0x81, 0x66, [47] = 1};
    static char line[1 << 20];
    start();
    ask(null_call, sizeof null_call, false);
    hear(line, sizeof line);
    _exit(0);
}

bool kit_begin(void)
{
    const char *command = getenv("KIT_TESTEE");
    int status;
    if (command == NULL || *command == '\0') {
        fputs("no parser to fuzz: KIT_PARSER has to be its source file, or KIT_TESTEE the command "
              "that starts it\n",
              stderr);
        return false;
    }
    pid_t child = fork();
    if (child == 0)
        try();
    if (child < 0 || waitpid(child, &status, 0) != child || status == 0)
        return true;
    fprintf(stderr,
            "KIT_TESTEE='%s' has no answer to a good Call: nothing is fuzzed. Try it with rpcrdma "
            "vectors --testee\n",
            command);
    return false;
}
