// SPDX-License-Identifier: BSD-3-Clause
/* The mutator of targets that take one Send. */
#include "fuzz/mutators/mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct chance chance = chance_from(seed);
    return mutate_send(data, size, max_size, &chance);
}
