// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/allocations.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
const bool allocations_counted = false;
#else
const bool allocations_counted = true;
#endif

static atomic_long alive;
static atomic_uint made;
static unsigned failing;
static bool later_fail;

long allocations_alive(void)
{
    return alive;
}

void allocations_fail(unsigned number, bool and_later)
{
    failing = number;
    later_fail = and_later;
    made = 0;
}

unsigned allocations_made(void)
{
    return made;
}

#if !defined(__SANITIZE_ADDRESS__) && !HAS_FEATURE(address_sanitizer)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static bool refuses(void)
{
    unsigned number = ++made;
    return failing > 0 && (number == failing || (later_fail && number > failing));
}

static void *born(void *memory)
{
    alive += memory != NULL;
    return memory;
}

void *malloc(size_t size)
{
    return refuses() ? NULL : born(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return refuses() ? NULL : born(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (refuses())
        return NULL;
    void *grown = __libc_realloc(memory, size);
    return memory ? grown : born(grown);
}

void free(void *memory)
{
    alive -= memory != NULL;
    __libc_free(memory);
}
#endif
