// SPDX-License-Identifier: BSD-3-Clause
/*
 * The mutator of conversations: drop, repeat and reorder events, add those of RDMA and whole
 * exchanges, mutate a Send.
 */
#include "fuzz/mutators/conversation.h"
#include "fuzz/mutators/mutator.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>

#define EVENTS 64
#define SEND_MAX 4096

struct script {
    struct rpcrdma_event events[EVENTS];
    uint32_t count;
};

static void read_script(struct script *script, const uint8_t *data, size_t size)
{
    const uint8_t *at = data + CONVERSATION_SETTINGS;
    script->count = 0;
    while (script->count < EVENTS &&
           conversation_next(&at, data + size, &script->events[script->count]))
        script->count++;
}

/* Perhaps not an operation on memory of the Call, but what its owner does with that; true where it
 * comes before the Call. */
static bool make_within(const struct rpcrdma_event *call, struct rpcrdma_event *event,
                        struct chance *chance)
{
    static const enum rpcrdma_event_type types[] = {
        RPCRDMA_EVENT_REGISTERED, RPCRDMA_EVENT_INVALIDATED, RPCRDMA_EVENT_COMPLETED};
    unsigned choice = (unsigned)chance_below(chance, 6);
    if (choice > 2)
        return false;
    event->type = types[choice];
    event->from = call->from;
    event->access = RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE;
    event->xid = call->length < 4 ? 0 : rpcrdma_xdr_load32(call->data);
    return event->type == RPCRDMA_EVENT_REGISTERED;
}

/* An RDMA operation on memory that a Call offers: that of its first read or write segment. */
static bool make_operation(const struct rpcrdma_event *call, struct rpcrdma_event *operation)
{
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    if (rpcrdma1_header_decode(&header, call->data, call->length, NULL, NULL) < 0)
        return false;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (lists == NULL)
        return false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    *operation = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_READ,
                                        .from = call->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER
                                                                             : RPCRDMA_CLIENT};
    if (rpcrdma1_read_list_next(&iter, &read)) {
        segment = read.target;
    } else {
        operation->type = RPCRDMA_EVENT_RDMA_WRITE;
        iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
        if (rpcrdma1_write_list_next(&iter, &chunk))
            iter = rpcrdma1_segment_array_iter(&chunk.target);
        else if (lists->rdma_reply.present)
            iter = rpcrdma1_segment_array_iter(&lists->rdma_reply.value.target);
        else
            return false;
        if (!rpcrdma1_segment_array_next(&iter, &segment))
            return false;
    }
    operation->handle = segment.handle;
    operation->offset = segment.offset;
    operation->length = segment.length > UINT16_MAX ? UINT16_MAX : segment.length;
    return true;
}

/* Open a place in the script; false if it is full. */
static bool insert(struct script *script, uint32_t at, const struct rpcrdma_event *event)
{
    struct rpcrdma_event copy = *event;
    if (script->count == EVENTS)
        return false;
    memmove(&script->events[at + 1], &script->events[at],
            (script->count - at) * sizeof script->events[0]);
    script->events[at] = copy;
    script->count++;
    return true;
}

static void mutate_event(struct rpcrdma_event *event, uint8_t *room, struct chance *chance)
{
    if (event->type != RPCRDMA_EVENT_SEND || event->data == NULL || event->length > SEND_MAX ||
        chance_below(chance, 5) == 0) {
        event->offset += chance_below(chance, 64);
        event->missing = chance_below(chance, 3) ? 0 : chance_below(chance, 4096);
        event->invalidate = chance_below(chance, 4) == 0;
        return;
    }
    if (event->length > 0)
        memcpy(room, event->data, event->length);
    event->length = is_send2(room, event->length)
                        ? mutate_send2(room, event->length, SEND_MAX, chance)
                        : mutate_send(room, event->length, SEND_MAX, chance);
    event->data = room;
}

/* The same message under another XID, in the header and after it. */
static void change_xid(struct rpcrdma_event *event, uint8_t *room, struct chance *chance)
{
    struct rpcrdma1_header header;
    uint32_t xid = chance_below(chance, 8);
    if (event->type != RPCRDMA_EVENT_SEND || event->data == NULL || event->length > SEND_MAX ||
        event->length < 4)
        return;
    ptrdiff_t n = rpcrdma1_header_decode(&header, event->data, event->length, NULL, NULL);
    memcpy(room, event->data, event->length);
    rpcrdma_xdr_store32(room, xid);
    if (n >= 0 && event->length - (size_t)n >= 4)
        rpcrdma_xdr_store32(room + n, xid);
    event->data = room;
}

static void edit(struct script *script, uint8_t *room, struct chance *chance)
{
    uint32_t at = chance_below(chance, script->count), other = chance_below(chance, script->count);
    static uint8_t rooms[3][EXCHANGE_MAX];
    struct rpcrdma_event *events = script->events, event = events[at], made[3];
    switch (chance_below(chance, 10)) {
    case 0: /* drop */
        script->count--;
        memmove(&events[at], &events[at + 1], (script->count - at) * sizeof *events);
        break;
    case 1: /* repeat, near or far, perhaps as another */
        if (chance_below(chance, 2))
            change_xid(&event, room, chance);
        insert(script, other, &event);
        break;
    case 2: /* reorder */
        events[at] = events[other];
        events[other] = event;
        break;
    case 3: /* the other side says it */
        events[at].from = event.from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
        break;
    case 4:
        if (event.type == RPCRDMA_EVENT_SEND && make_operation(&events[at], &event))
            insert(script, make_within(&events[at], &event, chance) ? at : at + 1, &event);
        break;
    case 5:
        event = (struct rpcrdma_event){.type = chance_below(chance, 2) ? RPCRDMA_EVENT_GAP
                                                                       : RPCRDMA_EVENT_DISCONNECT,
                                       .data = room};
        insert(script, at, &event);
        break;
    case 6:
        for (unsigned i = make_exchange(made, rooms, chance); i > 0; i--)
            insert(script, at, &made[i - 1]);
        break;
    default:
        mutate_event(&events[at], room, chance);
        break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    static struct script script;
    static uint8_t room[SEND_MAX], whole[65536];
    struct chance chance = chance_from(seed);
    size_t capacity = max_size < sizeof whole ? max_size : sizeof whole;
    if (size < CONVERSATION_SETTINGS + CONVERSATION_EVENT || capacity < size ||
        chance_below(&chance, 6) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    read_script(&script, data, size);
    edit(&script, room, &chance);
    size_t length = CONVERSATION_SETTINGS;
    memcpy(whole, data, length);
    if (chance_below(&chance, 16) == 0)
        whole[chance_below(&chance, CONVERSATION_SETTINGS)] = (uint8_t)chance_below(&chance, 256);
    for (uint32_t i = 0; i < script.count; i++)
        length = conversation_put(whole, length, capacity, &script.events[i]);
    memcpy(data, whole, length);
    return length;
}
