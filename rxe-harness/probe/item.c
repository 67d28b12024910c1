// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/responder/responder.h"

#include <stdio.h>
#include <stdlib.h>

static size_t padding(size_t size)
{
    return (4 - size % 4) % 4;
}

uint8_t *probe_item_arguments(uint32_t procedure, size_t size, size_t *length)
{
    size_t octets = procedure == TEST_STORE || procedure == TEST_ECHO ? size : 0;
    *length = procedure == TEST_NULL ? 0 : 4 + octets + padding(octets);
    uint8_t *args = calloc(1, *length + 4);
    if (args == NULL)
        return NULL;
    rpcrdma_xdr_store32(args, (uint32_t)size);
    for (size_t i = 0; i < octets; i++)
        args[4 + i] = TEST_OCTET(i);
    return args;
}

static const char *compare_item(const struct requester_pending *pending,
                                const struct requester_reply *reply, size_t size,
                                char text[PROBE_TEXT])
{
    const uint8_t *results = reply->results;
    if (reply->results_length < 4 || rpcrdma_xdr_load32(results) != size) {
        snprintf(text, PROBE_TEXT, "a result whose length word is not %zu", size);
        return text;
    }
    bool in_chunk = pending->item != NULL && size > 0;
    size_t beside = in_chunk ? 0 : size + padding(size);
    if (reply->results_length != 4 + beside || (in_chunk && reply->item_length != size)) {
        snprintf(text, PROBE_TEXT, "%zu octets in the Payload stream and %zu in the Write chunk",
                 reply->results_length, reply->item_length);
        return text;
    }
    const uint8_t *item = in_chunk ? pending->item : results + 4;
    for (size_t i = 0; i < size; i++)
        if (item[i] != TEST_OCTET(i)) {
            snprintf(text, PROBE_TEXT, "octet %zu of the item is %u, not %u", i, item[i],
                     TEST_OCTET(i));
            return text;
        }
    return NULL;
}

static const char *compare_sum(const struct requester_reply *reply, size_t size,
                               char text[PROBE_TEXT])
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += TEST_OCTET(i);
    if (reply->results_length == 8 && rpcrdma_xdr_load32(reply->results) == size &&
        rpcrdma_xdr_load32(reply->results + 4) == sum)
        return NULL;
    snprintf(text, PROBE_TEXT, "the Responder saw other octets than the %zu that were sent", size);
    return text;
}

const char *probe_item_compare(const struct requester_pending *pending,
                               const struct requester_reply *reply, uint32_t procedure, size_t size,
                               char text[PROBE_TEXT])
{
    if (procedure == TEST_NULL)
        return NULL;
    return procedure == TEST_STORE ? compare_sum(reply, size, text)
                                   : compare_item(pending, reply, size, text);
}
