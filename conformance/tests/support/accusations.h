// SPDX-License-Identifier: BSD-3-Clause
/* What random conversations are accused of, though they keep all rules: by rule, the first in full.
 */
#ifndef CONFORMANCE_TESTS_ACCUSATIONS_H
#define CONFORMANCE_TESTS_ACCUSATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* A number of the environment, or `otherwise`. */
uint64_t setting(const char *name, uint64_t otherwise);

/* `rule` is compared by its address. */
void accuse(const char *rule, const char *text, uint64_t seed, uint64_t event);
/* Prints them, if there are any. */
bool is_not_accused(void);

#endif
