// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma vectors --lint`: whether vector files are what they should be, all of them together. */
#ifndef CONFORMANCE_LINT_H
#define CONFORMANCE_LINT_H

#include "conformance/run/corpus.h"

/* Print what is wrong and what is missing, and a sum-up. Returns the number of complaints, without
 * those that were made when the corpus was read. */
unsigned lint(const struct corpus *corpus);

#endif
