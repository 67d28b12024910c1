// SPDX-License-Identifier: BSD-3-Clause
/* The disagreements that are expected: the list that KIT_KNOWN names. */
#ifndef FUZZ_KIT_KNOWN_H
#define FUZZ_KIT_KNOWN_H

#include <stdbool.h>

/* Read the list: a name as the table prints it in each line, and optionally # and a reason. Ends
 * the program with status 2 if that cannot be read. Crashes cannot be expected. */
void known_read(void);

/* Whether the list has this name. */
bool known_has(const char *name);

#endif
