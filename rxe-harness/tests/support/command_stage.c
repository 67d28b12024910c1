// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/command_stage.h"

#include "rxe-harness/probe/probe.h"

#include "conformance/base/clock.h"
#include "conformance/base/interrupt.h"

#include <check.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 64

const char *command_stage_case;
static struct command_stage *running;

/* ---- in place of the harness's own functions, by the linker's --wrap ---- */

void __real_probe_name(struct probe *probe, const char *id, const char *comment);
void __wrap_probe_name(struct probe *probe, const char *id, const char *comment);
void __wrap_probe_name(struct probe *probe, const char *id, const char *comment)
{
    command_stage_case = id;
    __real_probe_name(probe, id, comment);
}

struct transport *__real_transport_verbs(const char *address, bool listen, char *error,
                                         size_t error_size);
struct transport *__wrap_transport_verbs(const char *address, bool listen, char *error,
                                         size_t error_size);
struct transport *__wrap_transport_verbs(const char *address, bool listen, char *error,
                                         size_t error_size)
{
    return (running ? running->open : __real_transport_verbs)(address, listen, error, error_size);
}

/* ---- the process ---- */

static void become(struct command_stage *stage, const char *line, int out)
{
    char words[4096];
    char *argv[WORDS + 1] = {NULL};
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word && argc < WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    running = stage;
    optind = 0;
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
        _exit(127);
    interrupt_catch(); /* as main() does; what Check has set would end the test as well */
    alarm(stage->limit);
    exit(stage->command(argc, argv));
}

int command_stage_run(struct command_stage *stage, const char *line)
{
    int status;
    struct rusage usage;
    int64_t begun = clock_milliseconds();
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        become(stage, line, fileno(out));
    if (stage->interrupt > 0) {
        poll(NULL, 0, (int)stage->interrupt);
        kill(child, SIGINT);
    }
    ck_assert_int_eq(wait4(child, &status, 0, &usage), child);
    stage->time = clock_milliseconds() - begun;
    stage->kibibytes = usage.ru_maxrss;
    rewind(out);
    stage->out[fread(stage->out, 1, sizeof stage->out - 1, out)] = '\0';
    fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
