// SPDX-License-Identifier: BSD-3-Clause
/* malloc() and its like of the test program: counted, and made to fail. Not under a sanitizer,
 * which has its own. */
#ifndef CONFORMANCE_ALLOCATIONS_H
#define CONFORMANCE_ALLOCATIONS_H

#include <stdbool.h>

/* Whether allocations are counted; if not, nothing fails and no block is alive. */
extern const bool allocations_counted;

/* Blocks that are allocated now, of all threads. */
long allocations_alive(void);

/* From now on the allocation with this number, from 1, fails, and if `and_later` each after it; 0:
 * none does. The numbers begin anew. */
void allocations_fail(unsigned number, bool and_later);

/* How many there were since then. */
unsigned allocations_made(void);

#endif
