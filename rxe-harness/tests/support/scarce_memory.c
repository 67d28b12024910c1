// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/scarce_memory.h"

#include <stddef.h>

static unsigned left;
static bool failed;

void scarce_memory_fail(unsigned number)
{
    left = number;
    failed = false;
}

bool scarce_memory_failed(void)
{
    return failed;
}

static bool is_out(void)
{
    bool out = left == 1;
    left -= left > 0;
    failed = failed || out;
    return out;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return is_out() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return is_out() ? NULL : __real_calloc(count, size);
}
