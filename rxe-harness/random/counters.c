// SPDX-License-Identifier: BSD-3-Clause
/*
 * Counters of a peer's code. A server in user space maps a file (fuzz/kit/counters.c), which is
 * read and written here, not mapped: a peer may cut it. A kernel has those of gcov, a file for each
 * of its sources, of which each holds records: a tag, a length and so much content. These are read
 * only, and compared with what they were.
 */
#include "rxe-harness/random/random.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "rpcrdma-counters"
#define BEGIN (sizeof MAGIC - 1) /* of the counters, in the file */
#define COUNTERS_MAX (1u << 24)
#define GCOV_MAGIC 0x67636461u /* "gcda" */
#define GCOV_COUNTS 0x01a10000u
#define GCOV_FILE_MAX (1u << 20) /* octets */

struct random_counters {
    const char *path;
    size_t size;
    bool *moved;
    uint8_t *octets;       /* of a file as it was read */
    int file;              /* that the peer maps; -1: it is gcov's */
    struct dirent **names; /* of gcov's files */
    size_t name_count;
    size_t header, unit; /* of these: octets before the records, and in one of their lengths */
    uint64_t *before;    /* what they counted */
};

/* ---- a file that the peer maps ---- */

static bool open_mapped(struct random_counters *counters)
{
    char magic[BEGIN];
    struct stat status;
    counters->file = open(counters->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (counters->file < 0 || fstat(counters->file, &status) != 0) {
        say("%s: %s", counters->path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode) || status.st_size <= (off_t)BEGIN ||
        status.st_size > (off_t)(BEGIN + COUNTERS_MAX) ||
        pread(counters->file, magic, BEGIN, 0) != (ssize_t)BEGIN ||
        memcmp(magic, MAGIC, BEGIN) != 0) {
        say("%s: these are not the counters of a peer", counters->path);
        return false;
    }
    counters->size = (size_t)status.st_size - BEGIN;
    counters->octets = alloc_zeroed(counters->size, 1);
    return true;
}

static void look_mapped(struct random_counters *counters)
{
    memset(counters->octets, 0, counters->size);
    if (pread(counters->file, counters->octets, counters->size, BEGIN) < 0)
        say("%s: %s", counters->path, strerror(errno));
    for (size_t i = 0; i < counters->size; i++)
        counters->moved[i] = counters->octets[i] != 0;
}

static bool clear_mapped(struct random_counters *counters)
{
    memset(counters->octets, 0, counters->size);
    if (pwrite(counters->file, counters->octets, counters->size, BEGIN) == (ssize_t)counters->size)
        return true;
    say("%s: %s", counters->path, strerror(errno));
    return false;
}

/* ---- those of gcov ---- */

static uint32_t word_at(const uint8_t *octets)
{
    uint32_t word;
    memcpy(&word, octets, sizeof word); /* of this machine's own kernel */
    return word;
}

/* A record. Counts that are all 0 may be left out; the length is negative then. */
struct record {
    uint32_t tag;
    size_t content; /* octets */
    size_t counts;
    bool are_zeros;
};

/* That at `at`. False: there is none, or it is cut. */
static bool record_at(const struct random_counters *counters, size_t at, size_t length,
                      struct record *record)
{
    if (at > length || length - at < 8)
        return false;
    uint32_t size = word_at(counters->octets + at + 4);
    *record = (struct record){.tag = word_at(counters->octets + at)};
    record->are_zeros = record->tag == GCOV_COUNTS && size > INT32_MAX;
    uint64_t octets = (record->are_zeros ? UINT64_C(0x100000000) - size : size) * counters->unit;
    if (record->tag == 0 || octets > (record->are_zeros ? 8 * COUNTERS_MAX : length - at - 8))
        return false;
    record->counts = record->tag == GCOV_COUNTS ? (size_t)octets / 8 : 0;
    record->content = record->are_zeros ? 0 : (size_t)octets;
    return true;
}

/* Whether these are the records of the whole file; those of a program end with one or two words of
 * 0. */
static bool are_records(const struct random_counters *counters, size_t length)
{
    static const uint8_t end[8];
    struct record record;
    size_t at = counters->header;
    while (record_at(counters, at, length, &record))
        at += 8 + record.content;
    size_t rest = at <= length ? length - at : SIZE_MAX;
    return at > counters->header && (rest == 0 || rest == 4 || rest == 8) &&
           memcmp(counters->octets + at, end, rest) == 0;
}

/* Read a file. Returns its length, or 0: it cannot be read, as was said. */
static size_t read_gcov(const struct random_counters *counters, const char *name)
{
    struct alloc_stream stream;
    struct stat status;
    alloc_begin(&stream);
    fprintf(stream.out, "%s/%s", counters->path, name);
    char *path = alloc_end(&stream);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t length = 0;
    ssize_t got = file < 0 || fstat(file, &status) != 0 ? -1 : 1;
    bool is_regular = got > 0 && S_ISREG(status.st_mode);
    while (is_regular && (got = read(file, counters->octets + length, GCOV_FILE_MAX - length)) > 0)
        length += (size_t)got;
    bool good = is_regular && got == 0 && length >= 16 && length < GCOV_FILE_MAX &&
                word_at(counters->octets) == GCOV_MAGIC;
    if (got < 0)
        say("%s: %s", path, strerror(errno));
    else if (!good)
        say("%s: these are not counters of gcov", path);
    if (file >= 0)
        close(file);
    free(path);
    return good ? length : 0;
}

/* What is done with each count. */
typedef void take_count(struct random_counters *counters, size_t at, uint64_t count);

static void compare_count(struct random_counters *counters, size_t at, uint64_t count)
{
    counters->moved[at] = count != counters->before[at];
}

static void keep_count(struct random_counters *counters, size_t at, uint64_t count)
{
    counters->before[at] = count;
}

/* Those of a file of which so much was read, after `first` others; returns how many they are. */
static size_t take_file(struct random_counters *counters, size_t length, size_t first,
                        take_count *take)
{
    struct record record;
    size_t all = 0;
    for (size_t at = counters->header; record_at(counters, at, length, &record);
         at += 8 + record.content)
        for (size_t i = 0; i < record.counts; i++, all++) {
            uint64_t count = 0;
            if (!record.are_zeros)
                memcpy(&count, counters->octets + at + 8 + 8 * i, sizeof count);
            if (take && first + all < counters->size)
                take(counters, first + all, count);
        }
    return all;
}

/* Those of all files, and how many they are. False: they cannot be read, as was said. */
static bool take_all(struct random_counters *counters, take_count *take, size_t *all)
{
    *all = 0;
    for (size_t i = 0; i < counters->name_count; i++) {
        const char *name = counters->names[i]->d_name;
        size_t length = read_gcov(counters, name);
        if (length > 0 && !are_records(counters, length)) {
            say("%s/%s: these are not counters of gcov", counters->path, name);
            length = 0;
        }
        if (length == 0)
            return false;
        *all += take_file(counters, length, *all, take);
    }
    return true;
}

/* Since gcc 12 lengths are in octets, and the header has a word more. False: the first file cannot
 * be read, as was said. */
static bool find_format(struct random_counters *counters)
{
    size_t length = read_gcov(counters, counters->names[0]->d_name);
    counters->header = 12;
    counters->unit = 4;
    if (length > 0 && !are_records(counters, length)) {
        counters->header = 16;
        counters->unit = 1;
    }
    return length > 0;
}

static int is_gcov(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".gcda") == 0;
}

static bool open_gcov(struct random_counters *counters)
{
    int count = scandir(counters->path, &counters->names, is_gcov, alphasort);
    if (count < 0) {
        say("%s: %s", counters->path, strerror(errno));
        return false;
    }
    counters->name_count = (size_t)count;
    counters->octets = alloc_zeroed(GCOV_FILE_MAX, 1);
    if (count > 0 && (!find_format(counters) || !take_all(counters, NULL, &counters->size)))
        return false;
    if (counters->size == 0 || counters->size > COUNTERS_MAX) {
        say("%s: no counters of gcov (*.gcda) are in this folder%s", counters->path,
            counters->size > 0 ? ", but too many" : "");
        return false;
    }
    counters->before = alloc_zeroed(counters->size, sizeof *counters->before);
    return true;
}

/* ---- either ---- */

struct random_counters *random_counters_open(const char *path)
{
    struct random_counters *counters = alloc_zeroed(1, sizeof *counters);
    struct stat status;
    bool good = false;
    counters->path = path;
    counters->file = -1;
    if (stat(path, &status) != 0)
        say("%s: %s", path, strerror(errno));
    else
        good = S_ISDIR(status.st_mode) ? open_gcov(counters) : open_mapped(counters);
    if (!good) {
        random_counters_close(counters);
        return NULL;
    }
    counters->moved = alloc_zeroed(counters->size, sizeof *counters->moved);
    return counters;
}

void random_counters_close(struct random_counters *counters)
{
    if (counters->file >= 0)
        close(counters->file);
    while (counters->name_count > 0)
        free(counters->names[--counters->name_count]);
    free(counters->names);
    free(counters->before);
    free(counters->octets);
    free(counters->moved);
    free(counters);
}

size_t random_counters_size(const struct random_counters *counters)
{
    return counters->size;
}

bool random_counters_clear(struct random_counters *counters)
{
    size_t all;
    return counters->file >= 0 ? clear_mapped(counters) : take_all(counters, keep_count, &all);
}

const bool *random_counters_look(struct random_counters *counters)
{
    size_t all;
    memset(counters->moved, 0, counters->size * sizeof *counters->moved);
    if (counters->file >= 0)
        look_mapped(counters);
    else if (!take_all(counters, compare_count, &all))
        memset(counters->moved, 0, counters->size * sizeof *counters->moved);
    return counters->moved;
}
