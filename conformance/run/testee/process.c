// SPDX-License-Identifier: BSD-3-Clause
/* A command of the user's with pipes to and from it. */
#include "conformance/run/testee/process.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/clock.h"
#include "conformance/base/count.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define END_MILLISECONDS 200
#define ORPHAN_ROUNDS 100 /* a process of a chain of them each */
/* What a shell ends with whose command cannot be run. */
#define NO_PERMISSION 126
#define NO_COMMAND 127

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* Ends the group when the command has ended, by SIGKILL as well, and hears no other signal. The
 * command alone holds the other end of `alive`. Its parent goes at once: the testee has no child
 * that it did not make. */
static void start_guard(const int alive[2], const int pipes[], size_t count)
{
    pid_t pid = fork();
    if (pid > 0)
        waitpid(pid, NULL, 0);
    if (pid != 0)
        return;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (fork() != 0)
        _exit(0);
    for (size_t i = 0; i < count; i++)
        close(pipes[i]);
    close(alive[1]);
    char octet;
    if (read(alive[0], &octet, 1) == 0)
        kill(0, SIGKILL);
    _exit(0);
}

/* In the child: never returns. */
static void run(const char *command, const int alive[2], int in, int out, int err)
{
    const int pipes[] = {in, out, err};
    setpgid(0, 0);
    start_guard(alive, pipes, COUNT(pipes));
    signal(SIGPIPE, SIG_DFL);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(err, STDERR_FILENO) >= 0) {
        for (size_t i = 0; i < COUNT(pipes); i++)
            if (pipes[i] > STDERR_FILENO)
                close(pipes[i]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    _exit(127);
}

/* A pipe that is open as long as this process is. */
static bool make_alive(int alive[2])
{
    static int kept[2];
    static bool made;
    if (!made && pipe(kept) != 0)
        return false;
    made = true;
    for (int i = 0; i < 2; i++) {
        fcntl(kept[i], F_SETFD, FD_CLOEXEC);
        alive[i] = kept[i];
    }
    return true;
}

/* Ours, not the child's: a further testee must not hold it open. */
static void set_own(int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
}

enum { TO, FROM, ERRORS, PIPES };

static bool make_pipes(int pipes[PIPES][2])
{
    for (int i = 0; i < PIPES; i++)
        if (pipe(pipes[i]) != 0) {
            int error = errno;
            while (i-- > 0)
                close_pair(pipes[i]);
            errno = error;
            return false;
        }
    return true;
}

bool testee_start(struct testee_process *process, const char *command)
{
    int pipes[PIPES][2], alive[2];
    *process = TESTEE_NO_PROCESS;
    if (!make_alive(alive) || !make_pipes(pipes))
        return false;
#ifdef PR_SET_CHILD_SUBREAPER
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes[TO][1]);
        close(pipes[FROM][0]);
        close(pipes[ERRORS][0]);
        run(command, alive, pipes[TO][0], pipes[FROM][1], pipes[ERRORS][1]);
    }
    if (pid < 0) {
        int error = errno;
        for (int i = 0; i < PIPES; i++)
            close_pair(pipes[i]);
        errno = error;
        return false;
    }
    setpgid(pid, pid); /* here too, so that it is done whichever process comes first */
    close(pipes[TO][0]);
    close(pipes[FROM][1]);
    close(pipes[ERRORS][1]);
    interrupt_child(pid);
    set_own(pipes[TO][1]);
    set_own(pipes[FROM][0]);
    set_own(pipes[ERRORS][0]);
    *process = (struct testee_process){
        .pid = pid, .in = pipes[TO][1], .out = pipes[FROM][0], .err = pipes[ERRORS][0]};
    return true;
}

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
                 {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"},
                 {SIGTERM, "SIGTERM"}, {SIGPIPE, "SIGPIPE"}, {SIGTRAP, "SIGTRAP"},
                 {SIGSYS, "SIGSYS"},   {SIGXCPU, "SIGXCPU"}, {SIGHUP, "SIGHUP"}};
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].number == number)
            return names[i].name;
    return "another signal";
}

static void describe_end(const siginfo_t *info, char *text, size_t size)
{
    int code = info->si_status;
    bool by_signal = info->si_code != CLD_EXITED;
    if (!by_signal &&
        code > 128) { /* so tells a shell of a command that it did not become itself */
        by_signal = true;
        code -= 128;
    }
    if (by_signal)
        snprintf(text, size, "killed by signal %d (%s)", code, signal_name(code));
    else
        snprintf(text, size, "ended with status %d%s", code,
                 code == NO_COMMAND ? ": there is no such command" : "");
}

/* It is not reaped here: until then its process group cannot be another's. */
bool testee_ended(const struct testee_process *process, char *text, size_t size, bool *no_command)
{
    *no_command = false;
    int64_t deadline = clock_milliseconds() + END_MILLISECONDS;
    struct timespec moment = {.tv_nsec = 500000};
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        int failed = waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if (failed == 0 && info.si_pid == process->pid) {
            describe_end(&info, text, size);
            *no_command = info.si_code == CLD_EXITED &&
                          (info.si_status == NO_PERMISSION || info.si_status == NO_COMMAND);
            return true;
        }
        if (clock_milliseconds() >= deadline)
            break;
        nanosleep(&moment, NULL);
    }
    snprintf(text, size, "closed its output");
    return false;
}

/* What left the testee's process group, by setsid(), is a child of ours once its parent has ended:
 * we have no others. */
static void kill_orphans(void)
{
#ifdef PR_SET_CHILD_SUBREAPER
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    for (unsigned round = 0; round < ORPHAN_ROUNDS; round++) {
        long pid;
        bool any = false;
        FILE *children = fopen(path, "r");
        while (children && fscanf(children, "%ld", &pid) == 1) {
            any = kill((pid_t)pid, SIGKILL) == 0 || any;
            waitpid((pid_t)pid, NULL, 0);
        }
        if (children)
            fclose(children);
        if (!any)
            return;
    }
#endif
}

void testee_kill(struct testee_process *process)
{
    if (process->pid <= 0)
        return;
    kill(-process->pid, SIGKILL);
    interrupt_child(0);
    while (waitpid(-process->pid, NULL, 0) > 0 || errno == EINTR)
        continue;
    kill_orphans();
    process->pid = 0;
}

void testee_stop(struct testee_process *process)
{
    testee_kill(process);
    const int pipes[] = {process->in, process->out, process->err};
    for (size_t i = 0; i < COUNT(pipes); i++)
        if (pipes[i] >= 0)
            close(pipes[i]);
    *process = TESTEE_NO_PROCESS;
}
