// SPDX-License-Identifier: BSD-3-Clause
/* Words of a Send of version 2, to break. */
#ifndef CONFORMANCE_TESTS_VERSION2_OCTETS_H
#define CONFORMANCE_TESTS_VERSION2_OCTETS_H

#include "conformance/tests/support/version2/conversation.h"

#include <rpcrdma/rpcrdma.h>

enum { AT_XID = 0, AT_VERS = 4, AT_CREDIT = 8, AT_TYPE = 12, PREFIX = 16 };

/* All bits where there is no such word. */
static inline uint32_t word(const struct talk2_flight *flight, size_t at)
{
    return at + 4 <= flight->event.length ? rpcrdma_xdr_load32(flight->octets + at) : UINT32_MAX;
}

/* False if it is not there. */
static inline bool set(struct talk2_flight *flight, size_t at, uint32_t value)
{
    if (at + 4 > flight->event.length)
        return false;
    rpcrdma_xdr_store32(flight->octets + at, value);
    return true;
}

/* False if there is no more of it. */
static inline bool cut(struct talk2_flight *flight, size_t length)
{
    bool good = length < flight->event.length;
    flight->event.length = good ? length : flight->event.length;
    return good;
}

#endif
