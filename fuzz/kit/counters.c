// SPDX-License-Identifier: BSD-3-Clause
/*
 * Counters of a peer's own code, for `rpcrdma probe --random --coverage FILE`. Compile the peer
 * with -fsanitize-coverage=trace-pc-guard (clang) or -fsanitize-coverage=trace-pc (gcc), this file
 * without, link both, and start it with RPCRDMA_COVERAGE=FILE in its environment. The file begins
 * with 16 octets that say what it is; each octet after them counts what was reached, up to 255.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC "rpcrdma-counters"
#define BEGIN (sizeof MAGIC - 1)
#define COUNTERS 65536u

void __sanitizer_cov_trace_pc_guard_init(uint32_t *guard, uint32_t *end);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
void __sanitizer_cov_trace_pc(void);

/* NULL: no file is named, or not yet: constructors are counted before main() begins. */
static uint8_t *map_file(void)
{
    static uint8_t nowhere[BEGIN + COUNTERS];
    const char *path = getenv("RPCRDMA_COVERAGE");
    void *map = MAP_FAILED;
    if (path == NULL)
        return NULL;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0 && ftruncate(file, sizeof nowhere) == 0)
        map = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memcpy(map == MAP_FAILED ? nowhere : map, MAGIC, BEGIN);
}

static void count(uint32_t number)
{
    static uint8_t *mapped;
    mapped = mapped ? mapped : map_file();
    if (mapped == NULL)
        return;
    uint8_t *counter = &mapped[BEGIN + number % COUNTERS];
    if (*counter < UINT8_MAX)
        ++*counter;
}

/* clang has a number for each place. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *guard, uint32_t *end)
{
    static uint32_t last;
    for (; guard < end && *guard == 0; guard++)
        *guard = ++last;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    count(*guard);
}

/* gcc has the place itself: how far it is from here does not change from run to run. */
void __sanitizer_cov_trace_pc(void)
{
    uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&count;
    count((uint32_t)place * 0x9e3779b1u >> 16);
}
