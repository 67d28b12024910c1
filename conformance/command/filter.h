// SPDX-License-Identifier: BSD-3-Clause
/* Rules that are named on the command line. */
#ifndef CONFORMANCE_FILTER_H
#define CONFORMANCE_FILTER_H

#include "conformance/base/chosen.h"

/* The rules that are named, or those of sections that are, as a set by row of the register; NULL
 * where none is named. False after a complaint. */
bool filter_rules(const char *command, struct chosen *names, bool **rules);

#endif
