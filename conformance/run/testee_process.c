// SPDX-License-Identifier: BSD-3-Clause
/* A command of the user's with pipes to and from it. */
#include "conformance/run/testee_process.h"

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

int64_t testee_now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* In the child: never returns. */
static void run(const char *command, int in, int out)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted run leaves none behind that hangs */
#endif
    signal(SIGPIPE, SIG_DFL);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
        if (in > STDERR_FILENO)
            close(in);
        if (out > STDERR_FILENO)
            close(out);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    _exit(127);
}

/* Ours, not the child's: a further testee must not hold it open. */
static void set_own(int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool testee_start(struct testee_process *process, const char *command)
{
    int to[2], from[2];
    *process = TESTEE_NO_PROCESS;
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close_pair(to);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(to[1]);
        close(from[0]);
        run(command, to[0], from[1]);
    }
    if (pid < 0) {
        int error = errno;
        close_pair(to);
        close_pair(from);
        errno = error;
        return false;
    }
    setpgid(pid, pid); /* here too, so that it is done whoever comes first */
    close(to[0]);
    close(from[1]);
    set_own(to[1]);
    set_own(from[0]);
    *process = (struct testee_process){.pid = pid, .in = to[1], .out = from[0]};
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
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
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
                 code == 127 ? ": there is no such command" : "");
}

/* It is not reaped here: until then its process group cannot be another's. */
bool testee_ended(const struct testee_process *process, char *text, size_t size)
{
    int64_t deadline = testee_now() + END_MILLISECONDS;
    struct timespec moment = {.tv_nsec = 500000};
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        int failed = waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if (failed == 0 && info.si_pid == process->pid) {
            describe_end(&info, text, size);
            return true;
        }
        if (testee_now() >= deadline)
            break;
        nanosleep(&moment, NULL);
    }
    snprintf(text, size, "closed its output");
    return false;
}

void testee_stop(struct testee_process *process)
{
    if (process->pid > 0) {
        kill(-process->pid, SIGKILL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (process->in >= 0)
        close(process->in);
    if (process->out >= 0)
        close(process->out);
    *process = TESTEE_NO_PROCESS;
}
