// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/page_stage.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEADER 16

uint8_t page[4096];
size_t page_used;

uint64_t monotonic(int64_t later)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)(time.tv_sec * INT64_C(1000000000) + time.tv_nsec + later);
}

void page_begin(uint64_t time)
{
    memset(page, 0, sizeof page);
    memcpy(page, &time, sizeof time);
    page_used = HEADER;
}

void page_word(uint32_t word)
{
    memcpy(page + page_used, &word, sizeof word);
    page_used += sizeof word;
}

void page_record(unsigned type, uint32_t delta, const void *octets, size_t length)
{
    page_word(delta << 5 | type);
    if (type == 0)
        page_word((uint32_t)length + 4);
    memcpy(page + page_used, octets, length);
    page_used += (length + 3) / 4 * 4;
}

void page_commit(uint64_t flags)
{
    uint64_t commit = (page_used - HEADER) | flags;
    memcpy(page + 8, &commit, sizeof commit);
}

void rings_write(const char *folder, const char *name, const void *octets, size_t length, int how)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | how, 0600);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, octets, length), (ssize_t)length);
    close(file);
}

void rings_fill(const char *folder, unsigned processor)
{
    char name[40];
    snprintf(name, sizeof name, "per_cpu/cpu%u/trace_pipe_raw", processor);
    rings_write(folder, name, page, sizeof page, O_APPEND);
}

void rings_make(char *folder, unsigned processors)
{
    char path[64];
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/per_cpu", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    for (unsigned i = 0; i < processors; i++) {
        snprintf(path, sizeof path, "%s/per_cpu/cpu%u", folder, i);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        snprintf(path, sizeof path, "per_cpu/cpu%u/trace_pipe_raw", i);
        rings_write(folder, path, "", 0, 0);
    }
}

void rings_remove(const char *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
