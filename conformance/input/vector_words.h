// SPDX-License-Identifier: BSD-3-Clause
/* Words of vector files that more than one program reads or writes. */
#ifndef CONFORMANCE_VECTOR_WORDS_H
#define CONFORMANCE_VECTOR_WORDS_H

#include <rpcrdma/check.h>

#include <stddef.h>

#define VECTOR_SCHEMA "rpcrdma-vectors-v1"
#define VECTOR_VERSION_1 "rpcrdma1"
#define VECTOR_VERSION_2_04 "rpcrdma2-04"
#define VECTOR_VERSION_2_07 "rpcrdma2-07" /* may hold Sends of version 1: negotiation */

/* What "told" names, in the order of rpcrdma_check_config.property. */
#define VECTOR_PROPERTIES "sbsiz", "rbsiz", "rssiz", "rcsiz", "brs"

/* What "access" and "registrations" say: read and write, or client and server, as bits from 1 on.
 */
#define VECTOR_ACCESS "read", "write", "both"
#define VECTOR_SIDES "client", "server", "both"

/* What an event is, and the member that says so; it has exactly one of these. */
#define VECTOR_EVENT_KINDS(event)                                                                  \
    event(RPCRDMA_EVENT_SEND, "send") event(RPCRDMA_EVENT_PRIVATE_DATA, "privateData")             \
        event(RPCRDMA_EVENT_RDMA_READ, "rdmaRead") event(RPCRDMA_EVENT_RDMA_WRITE, "rdmaWrite")    \
            event(RPCRDMA_EVENT_DISCONNECT, "disconnect") event(RPCRDMA_EVENT_ATOMIC, "atomic")    \
                event(RPCRDMA_EVENT_NOT_READY, "notReady") event(RPCRDMA_EVENT_REFUSED, "refused") \
                    event(RPCRDMA_EVENT_GAP, "gap") event(RPCRDMA_EVENT_REGISTERED, "registered")  \
                        event(RPCRDMA_EVENT_INVALIDATED, "invalidated")                            \
                            event(RPCRDMA_EVENT_COMPLETED, "completed")
#define VECTOR_EVENT_KEY(type, key) key,

/* NULL for no type. */
static inline const char *vector_event_key(enum rpcrdma_event_type type)
{
#define VECTOR_EVENT_RETURN(type_, key)                                                            \
    if (type == type_)                                                                             \
        return key;
    VECTOR_EVENT_KINDS(VECTOR_EVENT_RETURN)
#undef VECTOR_EVENT_RETURN
    return NULL;
}

#endif
