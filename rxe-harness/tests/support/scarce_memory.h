// SPDX-License-Identifier: BSD-3-Clause
/* Memory that runs out: malloc() and calloc() of our own code (the linker's --wrap). */
#ifndef HARNESS_TEST_SCARCE_MEMORY_H
#define HARNESS_TEST_SCARCE_MEMORY_H

#include <stdbool.h>

/* The allocation of this number from now on, from 1, fails, and no other; 0: none. */
void scarce_memory_fail(unsigned number);
/* Whether it has come to it. */
bool scarce_memory_failed(void);

#endif
