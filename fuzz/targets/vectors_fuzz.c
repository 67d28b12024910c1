// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: the readers of text: vector JSON, and Sends in hexadecimal. */
#include "fuzz/targets/input.h"

#include <rpcrdma/rpcrdma.h>

static void read_as(input_reader *reader, enum source_format format, const uint8_t *data,
                    size_t size)
{
    struct source_options options = {.format = format, .port = RPCRDMA_NFS_PORT};
    struct input_seen seen = {0};
    input_read(reader, input_stream(data, size), &options, &seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > FUZZ_SIZE_MAX)
        return 0;
    read_as(source_read_vectors, SOURCE_VECTORS, data, size);
    read_as(source_read_text, SOURCE_HEX, data, size);
    return 0;
}
