// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/command_stage.h"

#include "rxe-harness/probe/probe.h"

#include <check.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    exit(stage->command(argc, argv));
}

int command_stage_run(struct command_stage *stage, const char *line)
{
    int status;
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        become(stage, line, fileno(out));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    rewind(out);
    stage->out[fread(stage->out, 1, sizeof stage->out - 1, out)] = '\0';
    fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
