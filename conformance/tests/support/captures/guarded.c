// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/guarded.h"

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const uint8_t *guarded(const uint8_t *octets, size_t length)
{
    static uint8_t *end;
    if (end == NULL) {
        size_t guard = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *area = mmap(NULL, GUARDED_MAX + guard, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert(area != MAP_FAILED);
        end = area + GUARDED_MAX;
        ck_assert_int_eq(mprotect(end, guard, PROT_NONE), 0);
    }
    ck_assert_uint_le(length, GUARDED_MAX);
    return length ? memcpy(end - length, octets, length) : end;
}
