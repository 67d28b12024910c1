// SPDX-License-Identifier: BSD-3-Clause
/* Neighbours with a Send more: of each kind that a version has, whole, and of a few octets. */
#include "conformance/tests/support/neighbours/walk.h"
#include "conformance/base/count.h"

#include <rpcrdma/xdr.h>
#include <stdlib.h>

#define CREDITS 3
#define CALL 0, 0, 2, 536870913, 1, 0, 0, 0, 0, 0 /* the first word becomes the XID */
#define REPLY 0, 1, 0, 0, 0, 0
#define NO_LISTS 0, 0, 0

static const struct {
    unsigned count, xid_at; /* words; where the XID of the RPC message is, or 0 */
    uint32_t words[20];
} messages[] = {
    {0, 0, {0}},
    {3, 0, {0, 1, CREDITS}},
    /* version 1: RPC messages here and in chunks, errors, RDMA_DONE */
    {17, 7, {0, 1, CREDITS, 0, NO_LISTS, CALL}},
    {13, 7, {0, 1, CREDITS, 0, NO_LISTS, REPLY}},
    {7, 0, {0, 1, CREDITS, 1, NO_LISTS}},
    {5, 0, {0, 1, CREDITS, 4, 2}},
    {7, 0, {0, 1, CREDITS, 4, 1, 1, 1}},
    {4, 0, {0, 1, CREDITS, 3}},
    /* version 2: draft -04, with the direction after the type */
    {19, 9, {0, 2, CREDITS, 0, 0, 0, NO_LISTS, CALL}},
    {15, 9, {0, 2, CREDITS, 0, 1, 0, NO_LISTS, REPLY}},
    {7, 0, {0, 2, CREDITS, 5, 0, 99, 0}},
    {7, 0, {0, 2, CREDITS, 5, 1, 99, 0}},
    {6, 0, {0, 2, CREDITS, 6, 0, 0}},
    {5, 0, {0, 2, CREDITS, 7, 0}},
    {5, 0, {0, 2, CREDITS, 9, 0}},
    /* both drafts, by the type; -07 */
    {5, 0, {0, 2, CREDITS, 4, 2}},
    {7, 0, {0, 2, CREDITS, 4, 1, 2, 2}},
    {4, 0, {0, 2, CREDITS, 5}},
    {8, 5, {0, 2, CREDITS, 9, 28, 0, 0, 2}},
    {18, 8, {0, 2, CREDITS, 10, 0, NO_LISTS, CALL}},
    {7, 5, {0, 2, CREDITS, 12, 16, 0, 1}},
    {11, 5, {0, 2, CREDITS, 13, 0, REPLY}},
};

/* The XID of that event, or of the first. */
static uint32_t xid_of(const struct story *story, unsigned at)
{
    const struct rpcrdma_event *event = &story->events[at < story->count ? at : 0];
    bool has_xid = event->type == RPCRDMA_EVENT_SEND && event->data && event->length >= 4;
    return has_xid ? rpcrdma_xdr_load32(event->data) : 0;
}

void neighbours_messages(const struct neighbours_walk *walk, unsigned at)
{
    uint32_t xid = xid_of(walk->story, at);
    if (walk->story->count + 1 >= STORY_EVENTS)
        return;
    for (unsigned n = 0; n < 2 * COUNT(messages); n++) {
        unsigned kind = n / 2, length = messages[kind].count * 4;
        uint8_t *octets = neighbours_room(length);
        for (unsigned i = 0; i < messages[kind].count; i++)
            rpcrdma_xdr_store32(octets + 4 * i, i == 0 || i == messages[kind].xid_at
                                                    ? xid
                                                    : messages[kind].words[i]);
        const struct rpcrdma_event event = {
            .type = RPCRDMA_EVENT_SEND, .from = n & 1, .data = octets, .length = length};
        neighbours_insert(walk, at, &event, "message", n);
        free(octets);
    }
}
