// SPDX-License-Identifier: BSD-3-Clause
/*
 * Runs a fuzz target without a fuzzer: over files and folders, or over standard input, as AFL++
 * gives it (with or without @@). Prints how many inputs it took. With REPLAY_NAMES set it names
 * each input before it runs: the last is the one that the target did not survive.
 *
 * REPLAY_TIMES=N runs each input N times and prints the rate.
 */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

#define INPUT_MAX (4u << 20)

static uint64_t inputs, runs;
static unsigned long times = 1;

static void run(const uint8_t *octets, size_t length)
{
    /* A block of its own size, so that a sanitizer sees a read beyond it. */
    uint8_t *copy = malloc(length ? length : 1);
    FUZZ_ASSERT(copy != NULL);
    memcpy(copy, octets, length);
    for (unsigned long i = 0; i < times; i++, runs++)
        LLVMFuzzerTestOneInput(copy, length);
    free(copy);
    inputs++;
}

static bool run_stream(FILE *stream, const char *name)
{
    static uint8_t room[INPUT_MAX];
    size_t length = fread(room, 1, sizeof room, stream);
    if (ferror(stream)) {
        fprintf(stderr, "%s: cannot be read\n", name);
        return false;
    }
    run(room, length);
    return true;
}

static bool run_file(const char *name)
{
    const char *names = getenv("REPLAY_NAMES");
    FILE *stream = fopen(name, "rb");
    if (stream == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", name);
        return false;
    }
    if (names)
        fprintf(stderr, "%s\n", name);
    bool good = run_stream(stream, name);
    fclose(stream);
    return good;
}

/* The files of a folder, not of those in it. */
static bool run_folder(const char *name)
{
    bool good = true;
    DIR *folder = opendir(name);
    if (folder == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", name);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        struct stat status;
        int n = snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (n < 0 || (size_t)n >= sizeof path || stat(path, &status) != 0) {
            fprintf(stderr, "%s/%s: cannot be opened\n", name, entry->d_name);
            good = false;
        } else if (S_ISREG(status.st_mode)) {
            good &= run_file(path);
        }
    }
    closedir(folder);
    return good;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    const char *repeat = getenv("REPLAY_TIMES");
    bool good = true;
    if (repeat)
        times = strtoul(repeat, NULL, 10);
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    double begun = now();
    if (argc < 2)
        good = run_stream(stdin, "standard input");
    for (int i = 1; i < argc; i++) {
        struct stat status;
        bool folder = stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode);
        good &= folder ? run_folder(argv[i]) : run_file(argv[i]);
    }
    double seconds = now() - begun;
    printf("%llu inputs", (unsigned long long)inputs);
    if (repeat && seconds > 0)
        printf(", %.0f a second", (double)runs / seconds);
    printf("\n");
    return good ? 0 : 1;
}
