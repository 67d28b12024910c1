// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: CM private data (RFC 8797), of two sides, and the thresholds that follow. */
#include "fuzz/fuzz.h"

#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

static bool find(struct rpcrdma_private_data *data, const uint8_t *octets, size_t length)
{
    struct rpcrdma_private_data again;
    uint8_t room[RPCRDMA_PRIVATE_DATA_LENGTH + 1];
    int code = rpcrdma_private_data_find(data, octets, length);
    if (code == RPCRDMA_E_PD_ABSENT) {
        for (size_t i = 0; i + 4 <= length; i++)
            FUZZ_ASSERT(rpcrdma_xdr_load32(octets + i) != RPCRDMA_PRIVATE_DATA_MAGIC);
        return false;
    }
    FUZZ_ASSERT(data->offset <= length - 4);
    FUZZ_ASSERT(rpcrdma_xdr_load32(octets + data->offset) == RPCRDMA_PRIVATE_DATA_MAGIC);
    if (code != 0) {
        FUZZ_ASSERT(code == RPCRDMA_E_PD_TRUNCATED || code == RPCRDMA_E_PD_VERSION);
        FUZZ_ASSERT(code != RPCRDMA_E_PD_VERSION || data->version != 1);
        return false;
    }
    FUZZ_ASSERT(data->offset <= length - RPCRDMA_PRIVATE_DATA_LENGTH && data->version == 1);
    FUZZ_ASSERT(data->send_size >= 1024 && data->send_size <= 262144);
    FUZZ_ASSERT(data->receive_size >= 1024 && data->receive_size <= 262144);

    /* Encoded again, it means the same; reserved flags are not kept. */
    room[RPCRDMA_PRIVATE_DATA_LENGTH] = FUZZ_GUARD;
    FUZZ_ASSERT(rpcrdma_private_data_encode(room, 8, data) == 8);
    FUZZ_ASSERT(room[RPCRDMA_PRIVATE_DATA_LENGTH] == FUZZ_GUARD);
    FUZZ_ASSERT(rpcrdma_private_data_encode(room, 7, data) == RPCRDMA_XDR_E_SPACE);
    FUZZ_ASSERT(rpcrdma_private_data_find(&again, room, 8) == 0 && again.offset == 0);
    FUZZ_ASSERT(again.send_size == data->send_size && again.receive_size == data->receive_size);
    FUZZ_ASSERT(again.remote_invalidation == data->remote_invalidation);
    FUZZ_ASSERT(memcmp(room, octets + data->offset, 5) == 0);
    return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Every code has a name and a text, or neither. */
static void check_names(int code)
{
    const char *name = rpcrdma_xdr_error_name(code), *text = rpcrdma_xdr_error_text(code);
    bool known = strcmp(name, "unknown XDR error") != 0;
    FUZZ_ASSERT(known == (strcmp(text, "unknown XDR error") != 0));
    if (known)
        FUZZ_ASSERT(strstr(name, "_E_") != NULL && strlen(text) > 10);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma_private_data client, server, odd;
    uint32_t threshold[2];
    uint8_t room[RPCRDMA_PRIVATE_DATA_LENGTH];
    size_t half = size / 2;
    if (size == 2)
        check_names(-(data[0] << 8 | data[1]));
    bool has_client = find(&client, data, half);
    bool has_server = find(&server, data + half, size - half);
    rpcrdma_inline_thresholds(has_client ? &client : NULL, has_server ? &server : NULL, threshold);
    uint32_t up = least(has_client ? client.send_size : RPCRDMA_DEFAULT_INLINE,
                        has_server ? server.receive_size : RPCRDMA_DEFAULT_INLINE);
    uint32_t down = least(has_server ? server.send_size : RPCRDMA_DEFAULT_INLINE,
                          has_client ? client.receive_size : RPCRDMA_DEFAULT_INLINE);
    FUZZ_ASSERT(threshold[0] == up && threshold[1] == down);
    find(&client, data, size);

    /* Any sizes can be encoded. */
    if (size < 8)
        return 0;
    odd = (struct rpcrdma_private_data){.version = 1,
                                        .send_size = rpcrdma_xdr_load32(data),
                                        .receive_size = rpcrdma_xdr_load32(data + 4)};
    FUZZ_ASSERT(rpcrdma_private_data_encode(room, sizeof room, &odd) == 8);
    FUZZ_ASSERT(find(&client, room, sizeof room));
    FUZZ_ASSERT(client.send_size <= odd.send_size || client.send_size == 1024);
    return 0;
}
