// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/flow/doubt.h"

#include "conformance/input/buffer/octets.h"

#include <rpcrdma/private_data.h>

/* Three Sends without one that can be ours are of another protocol; a faulty peer may err once. */
#define SENDS_OF_OTHERS 3
/* RDMA operations may precede them. */
#define WAITING_MAX 64
/* Above, it is no version that anybody errs to. */
#define VERSION_MAX 16

static bool is_of_other(const struct rpcrdma_event *event)
{
    const uint8_t *octets = event->data;
    if (event->length < 16)
        return false;
    uint32_t version = load_be32(octets + 4);
    return version == 0 || version > VERSION_MAX;
}

static enum doubt_state after(struct doubt *doubt, const struct rpcrdma_event *event)
{
    struct rpcrdma_private_data found;
    switch (event->type) {
    case RPCRDMA_EVENT_PRIVATE_DATA:
        return rpcrdma_private_data_find(&found, event->data, event->length) == RPCRDMA_E_PD_ABSENT
                   ? DOUBT_OPEN
                   : DOUBT_NONE;
    case RPCRDMA_EVENT_SEND:
        if (!is_of_other(event))
            return DOUBT_NONE;
        return ++doubt->sends < SENDS_OF_OTHERS ? DOUBT_OPEN : DOUBT_OTHER;
    default:
        return DOUBT_OPEN;
    }
}

enum doubt_state doubt_judge(struct doubt *doubt, const struct rpcrdma_event *event)
{
    if (doubt->state == DOUBT_OPEN)
        doubt->state = ++doubt->waiting > WAITING_MAX ? DOUBT_NONE : after(doubt, event);
    return doubt->state;
}
