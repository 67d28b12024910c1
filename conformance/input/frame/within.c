// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/frame/within.h"

#include "conformance/base/count.h"
#include "conformance/input/buffer/octets.h"

#include <rpcrdma/xdr.h>

#include <string.h>

enum { AT_HANDLE = 4, AT_XID = 8, AT_OFFSET = 12, AT_LENGTH = 20, AT_NAME = 28 };

static const char name[8] = "rpcrdma";

/* Its number is one more than its place. */
static const enum rpcrdma_event_type kinds[] = {RPCRDMA_EVENT_REGISTERED, RPCRDMA_EVENT_INVALIDATED,
                                                RPCRDMA_EVENT_COMPLETED};

bool within_read(const uint8_t *octets, size_t length, struct rpcrdma_event *event)
{
    if (length != WITHIN_OCTETS || memcmp(octets + AT_NAME, name, sizeof name) != 0 ||
        octets[0] == 0 || octets[0] > COUNT(kinds))
        return false;
    uint64_t size = load_be64(octets + AT_LENGTH);
    event->type = kinds[octets[0] - 1];
    event->access = octets[1] & (RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE);
    event->handle = load_be32(octets + AT_HANDLE);
    event->xid = load_be32(octets + AT_XID);
    event->offset = load_be64(octets + AT_OFFSET);
    event->length = size < SIZE_MAX ? (size_t)size : SIZE_MAX;
    return true;
}

bool within_write(const struct rpcrdma_event *event, uint8_t octets[WITHIN_OCTETS])
{
    memset(octets, 0, WITHIN_OCTETS);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (event->type == kinds[i])
            octets[0] = (uint8_t)(i + 1);
    if (octets[0] == 0)
        return false;
    octets[1] = (uint8_t)event->access;
    rpcrdma_xdr_store32(octets + AT_HANDLE, event->handle);
    rpcrdma_xdr_store32(octets + AT_XID, event->xid);
    rpcrdma_xdr_store64(octets + AT_OFFSET, event->offset);
    rpcrdma_xdr_store64(octets + AT_LENGTH, event->length);
    memcpy(octets + AT_NAME, name, sizeof name);
    return true;
}
