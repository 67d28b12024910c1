// SPDX-License-Identifier: BSD-3-Clause
/* Rules that are named on the command line. */
#ifndef CONFORMANCE_FILTER_H
#define CONFORMANCE_FILTER_H

#include <stdbool.h>

/* Add a rule to a set by row of the register, made when it is NULL. False after a complaint. */
bool filter_add_rule(const char *command, const char *id, bool **rules);

#endif
