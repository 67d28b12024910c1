// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/* RDMA-CM private data of RPC-over-RDMA (RFC 8797). */
#include <rpcrdma/private_data.h>

#include <rpcrdma/xdr_runtime.h>

enum {
    AT_VERSION = 4,
    AT_FLAGS = 5,
    AT_SEND_SIZE = 6,
    AT_RECEIVE_SIZE = 7,
    FLAG_R = 1,
    UNIT = 1024
};

static uint32_t size_of_octet(uint8_t octet)
{
    return ((uint32_t)octet + 1) * UNIT;
}

static uint8_t octet_of_size(uint32_t size)
{
    if (size < UNIT)
        return 0;
    return size / UNIT > 256 ? 255 : (uint8_t)(size / UNIT - 1);
}

int rpcrdma_private_data_find(struct rpcrdma_private_data *data, const void *buf, size_t length)
{
    if (length < 4)
        return RPCRDMA_E_PD_ABSENT;
    const uint8_t *end = rpcrdma_xdr_end(buf, length);
    size_t left = length;
    while (left >= 4 && rpcrdma_xdr_load32(end - left) != RPCRDMA_PRIVATE_DATA_MAGIC)
        left--;
    if (left < 4)
        return RPCRDMA_E_PD_ABSENT;
    const uint8_t *octets = end - left;
    *data = (struct rpcrdma_private_data){.offset = length - left};
    if (left < RPCRDMA_PRIVATE_DATA_LENGTH)
        return RPCRDMA_E_PD_TRUNCATED;
    data->version = octets[AT_VERSION];
    if (data->version != 1)
        return RPCRDMA_E_PD_VERSION;
    data->remote_invalidation = octets[AT_FLAGS] & FLAG_R;
    data->send_size = size_of_octet(octets[AT_SEND_SIZE]);
    data->receive_size = size_of_octet(octets[AT_RECEIVE_SIZE]);
    return 0;
}

ptrdiff_t rpcrdma_private_data_encode(void *buf, size_t length,
                                      const struct rpcrdma_private_data *data)
{
    uint8_t *octets = buf;
    if (length < RPCRDMA_PRIVATE_DATA_LENGTH)
        return RPCRDMA_XDR_E_SPACE;
    rpcrdma_xdr_store32(octets, RPCRDMA_PRIVATE_DATA_MAGIC);
    octets[AT_VERSION] = 1;
    octets[AT_FLAGS] = data->remote_invalidation ? FLAG_R : 0;
    octets[AT_SEND_SIZE] = octet_of_size(data->send_size);
    octets[AT_RECEIVE_SIZE] = octet_of_size(data->receive_size);
    return RPCRDMA_PRIVATE_DATA_LENGTH;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void rpcrdma_inline_thresholds(const struct rpcrdma_private_data *client,
                               const struct rpcrdma_private_data *server, uint32_t threshold[2])
{
    static const struct rpcrdma_private_data none = {.send_size = UNIT, .receive_size = UNIT};
    client = client ? client : &none;
    server = server ? server : &none;
    threshold[0] = smaller(client->send_size, server->receive_size);
    threshold[1] = smaller(server->send_size, client->receive_size);
}
