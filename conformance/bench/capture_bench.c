// SPDX-License-Identifier: BSD-3-Clause
/*
 * What checking a capture costs: the command on the file that make_capture has written. Of several
 * runs the best counts.
 *
 * usage: capture_bench RPCRDMA CAPTURE
 */
#define _DEFAULT_SOURCE /* wait4 */
#include "codec/bench/measure.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 7
#define GOAL_RATE 500.0  /* MB/s */
#define GOAL_MEMORY 16.0 /* MB */

static double seconds(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static void check(const char *command, const char *file)
{
    int out = open("/dev/null", O_WRONLY);
    if (out >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        execl(command, command, "check", file, (char *)NULL);
    _exit(127);
}

/* Seconds of the processor for one run, and its peak memory in KB. False if it failed. */
static bool run(const char *command, const char *file, double *cpu, long *memory)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0)
        check(command, file);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        return false;
    *cpu = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
    *memory = usage.ru_maxrss;
    return true;
}

int main(int argc, char **argv)
{
    struct stat status;
    double cpu[RUNS];
    long memory = 0;
    if (argc != 3 || stat(argv[2], &status) != 0) {
        fputs("usage: capture_bench RPCRDMA CAPTURE\n", stderr);
        return 2;
    }
    for (int i = 0; i < RUNS; i++) {
        if (!run(argv[1], argv[2], &cpu[i], &memory)) {
            fprintf(stderr, "capture_bench: %s check %s: failed\n", argv[1], argv[2]);
            return 1;
        }
    }
    double size = (double)status.st_size / 1e6, rate = size / least(cpu, RUNS);
    double peak = (double)memory / 1024;
    bool met = rate >= GOAL_RATE && peak < GOAL_MEMORY;
    printf("\nA capture of %.0f MB: %.0f MB a second of processor time, %.1f MB of memory  %s\n"
           "Goals: %.0f MB a second, less than %.0f MB of memory.\n",
           size, rate, peak, met ? "met" : "MISSED", GOAL_RATE, GOAL_MEMORY);
    return met ? 0 : 1;
}
