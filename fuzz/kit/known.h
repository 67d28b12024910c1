// SPDX-License-Identifier: BSD-3-Clause
/* The disagreements that are expected: the list that KIT_KNOWN names. */
#ifndef FUZZ_KIT_KNOWN_H
#define FUZZ_KIT_KNOWN_H

#include <stdbool.h>

/* Read the list, of conformance/report/results/known.h. Ends the program with status 2 if that
 * cannot be read. Crashes cannot be expected. */
void kit_known_read(void);

/* Whether the list has a wrong answer of this name. */
bool kit_knows(const char *name);

#endif
