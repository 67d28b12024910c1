// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: the capture reader, with little memory, and with all queue pairs as well. */
#include "fuzz/targets/input.h"

#include <rpcrdma/rpcrdma.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source_options options = {
        .format = SOURCE_CAPTURE, .port = RPCRDMA_NFS_PORT, .memory = 1u << 20};
    struct input_seen seen = {0}, all = {0};
    if (size == 0 || size > 4 * FUZZ_SIZE_MAX)
        return 0;
    options.all_qp = data[size - 1] & 1;
    bool good = input_read(source_read_capture, input_stream(data, size), &options, &seen);
    if (data[size - 1] & 6)
        return 0;
    FUZZ_ASSERT(input_read(source_read_capture, input_stream(data, size), &options, &all) == good);
    FUZZ_ASSERT(all.events == seen.events && all.sum == seen.sum);
    return 0;
}
