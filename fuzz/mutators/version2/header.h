// SPDX-License-Identifier: BSD-3-Clause
/* Mutations of a Send of version 2. */
#ifndef FUZZ_HEADER2_H
#define FUZZ_HEADER2_H

#include "fuzz/mutators/mutator.h"

#include <stdbool.h>

bool is_send2(const uint8_t *data, size_t size);

/* Change its type, its credit word, what remains of a message in pieces, a property, or a field or
 * element of whatever its type has. Returns the new size. */
size_t mutate_send2(uint8_t *data, size_t size, size_t max_size, struct chance *chance);

#endif
