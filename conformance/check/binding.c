// SPDX-License-Identifier: BSD-3-Clause
/*
 * Binding scope: which items are in chunks, held against what their protocol's binding allows (RFC
 * 8166 sections 3.4, 4.3 and 6.1).
 */
#include "checker.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>

#include <string.h>

static uint64_t round_up(uint64_t octets)
{
    return (octets + 3) & ~(uint64_t)3;
}

static const struct rpcrdma_binding *find_binding(const struct send *send, uint32_t program,
                                                  uint32_t version)
{
    const struct rpcrdma_binding *const *next = send->check->config.bindings;
    for (; next && *next; next++)
        if ((*next)->program == program && version >= (*next)->low_version &&
            version <= (*next)->high_version)
            return *next;
    return NULL;
}

static void refuse_argument(struct send *send)
{
    react(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
}

/* ---- Calls ---- */

struct call_items {
    struct send *send;
    struct xdr_reduction *reduction;
    uint32_t expected;  /* eligible results, so far */
    uint32_t arguments; /* eligible arguments */
    uint64_t most;      /* octets of results that can come back inline, at least */
    struct xdr_iter writes;
};

static struct xdr_hole *hole_at(const struct xdr_reduction *reduction, uint64_t position)
{
    for (uint32_t i = 0; i < reduction->hole_count; i++)
        if (reduction->holes[i].position == position)
            return &reduction->holes[i];
    return NULL;
}

static int64_t place_of_hole(const struct send *send, const struct xdr_hole *hole)
{
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        if (send->reads.chunk[i].position == hole->position)
            return send->reads.chunk[i].at;
    return RPCRDMA_NO_OFFSET;
}

/* The length of a Read chunk against its item's count word. */
static void check_length(struct send *send, const struct xdr_hole *hole, uint32_t count)
{
    int64_t at = place_of_hole(send, hole) + 12;
    if (hole->length == count)
        return;
    if (hole->length == round_up(count)) {
        report(send, RPCRDMA_RFC8166_3_4_5_2_PADDING_IN_READ_CHUNK, at,
               "the Read chunk of %u octets holds the padding of an item of %u", hole->length,
               count, 0);
        return;
    }
    if (hole->length > count)
        report(send, RPCRDMA_RFC8166_3_4_5_2_PADDED_CHUNK_LENGTH, at,
               "the Read chunk has %u octets, its item %u", hole->length, count, 0);
    else
        report(send, RPCRDMA_RFC8166_3_4_5_2_UNPADDED_CHUNK_LENGTH, at,
               "the Read chunk has only %u octets of an item of %u", hole->length, count, 0);
    refuse_argument(send);
}

static void on_argument(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    items->arguments++;
    if (!item->out)
        return;
    struct xdr_hole *hole = hole_at(items->reduction, item->position);
    if (hole == NULL)
        return;
    hole->count = UINT32_MAX; /* it is accounted for: eligible */
    check_length(items->send, hole, item->length);
}

/* The Write chunk that serves the next eligible result. */
static void on_expected(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    struct rpcrdma1_write_chunk chunk;
    items->expected++;
    if (!rpcrdma1_write_list_next(&items->writes, &chunk) || chunk.target.count == 0) {
        if (item->length != UINT32_MAX)
            items->most += round_up(item->length);
        return;
    }
    uint64_t room = rpcrdma1_segments_length(&chunk.target);
    int64_t at = place(items->send, chunk.target.wire) + 4;
    if (item->length == UINT32_MAX)
        return;
    if (room < item->length) {
        report(items->send, RPCRDMA_RFC8166_3_4_6_ROOM_FOR_LARGEST_RESULT, at,
               "the Write chunk has room for %u octets of a result of up to %u", room, item->length,
               0);
        react(items->send, RECEIVER_RESPONDER,
              items->send->reactions[RECEIVER_RESPONDER] | RPCRDMA_ERR_CHUNK);
    } else if (item->length % 4 != 0 && room >= round_up(item->length)) {
        report(items->send, RPCRDMA_RFC8166_3_4_6_2_ROOM_FOR_PADDING, at,
               "the Write chunk has room for %u octets, padding included; the result has up to %u",
               room, item->length, 0);
    }
}

static void check_holes(struct send *send, const struct call_items *items,
                        enum rpcrdma_reading reading)
{
    const struct xdr_reduction *reduction = items->reduction;
    for (uint32_t i = 0; i < reduction->hole_count; i++) {
        const struct xdr_hole *hole = &reduction->holes[i];
        if (hole->taken && hole->count == UINT32_MAX)
            continue;
        /* Behind what could not be read nothing is known. */
        if (!hole->taken && reading == RPCRDMA_READ_PART)
            return;
        int64_t at = place_of_hole(send, hole) + 4;
        if (hole->taken || items->arguments == 0)
            report(send, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED, at,
                   "no item at Position %u is eligible", hole->position, 0, 0);
        else
            report(send, RPCRDMA_RFC8166_3_4_5_POSITION_OF_ITEM, at,
                   "no eligible item begins at Position %u", hole->position, 0, 0);
        refuse_argument(send);
        return;
    }
}

static void check_write_chunks(struct send *send, const struct call_items *items)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    struct rpcrdma1_write_chunk chunk;
    struct xdr_iter iter = rpcrdma1_write_list_iter(writes);
    if (writes->count == 0)
        return;
    if (items->expected == 0)
        report(send, RPCRDMA_RFC8166_4_3_2_WRITE_LIST_NOT_NEEDED, place(send, writes->wire),
               "a Write list, though no result of this Call is eligible", 0, 0, 0);
    else if (items->expected == 1 && writes->count > 1)
        report(send, RPCRDMA_RFC8166_4_3_2_1_SINGLE_WRITE_CHUNK, place(send, writes->wire),
               "%u Write chunks for the only eligible result", writes->count, 0, 0);
    else if (items->expected == 1 && rpcrdma1_write_list_next(&iter, &chunk) &&
             chunk.target.count == 0)
        report(send, RPCRDMA_RFC8166_4_3_2_3_NO_LIST_FOR_SOLE_RESULT, place(send, writes->wire),
               "an empty Write chunk for the only eligible result", 0, 0, 0);
}

/* The least that a Reply has beside its results: both headers, without chunks. */
enum { REPLY_LEAST = 28 + 24 };

static void check_reply_room(struct send *send, const struct call_items *items)
{
    uint32_t limit = known_threshold(send->check, other(send->event->from));
    if (limit == 0 || send->chunks->rdma_reply.present || items->most == 0 ||
        REPLY_LEAST + items->most <= limit)
        return;
    report(send, RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_NEEDED,
           place(send, send->chunks->rdma_writes.wire) + send->chunks->rdma_writes.octets,
           "the Reply can bring %u octets of results inline, above the threshold of %u",
           items->most, limit, 0);
    react(send, RECEIVER_RESPONDER, send->reactions[RECEIVER_RESPONDER] | RPCRDMA_ERR_CHUNK);
}

static void take_reduction(const struct send *send, struct xdr_hole *holes,
                           struct xdr_reduction *reduction)
{
    *reduction = (struct xdr_reduction){.holes = holes};
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        holes[reduction->hole_count++] = (struct xdr_hole){
            .position = send->reads.chunk[i].position, .length = send->reads.chunk[i].length};
}

static bool reads_whole(const struct rpcrdma_binding *binding, struct rpcrdma_content content,
                        const struct rpcrdma_item_sink *sink)
{
    struct xdr_reduction nothing = {0};
    content.reduction = &nothing;
    return binding->call(&content, sink) == RPCRDMA_READ_ALL;
}

static void ignore_item(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

static void check_call_items(struct send *send, const struct rpcrdma_binding *binding)
{
    struct xdr_hole holes[READ_CHUNKS];
    struct xdr_reduction reduction;
    take_reduction(send, holes, &reduction);
    struct call_items items = {.send = send,
                               .reduction = &reduction,
                               .writes = rpcrdma1_write_list_iter(&send->chunks->rdma_writes)};
    const struct rpcrdma_item_sink sink = {
        .argument = on_argument, .expected = on_expected, .arg = &items};
    const struct rpcrdma_content content = {
        .version = send->rpc.vers,
        .procedure = send->rpc.proc,
        .octets = send->payload + send->rpc_length,
        .length = send->payload_length - (size_t)send->rpc_length,
        .position = (uint64_t)send->rpc_length,
        .reduction = &reduction,
    };
    enum rpcrdma_reading reading = binding->call(&content, &sink);
    if (reading == RPCRDMA_UNREADABLE && reduction.hole_count > 0) {
        const struct rpcrdma_item_sink quiet = {.argument = ignore_item, .expected = ignore_item};
        if (reads_whole(binding, content, &quiet)) {
            report(send, RPCRDMA_RFC8166_4_3_1_REDUCED_ITEM_LEFT_OUT, send->reads.chunk[0].at + 4,
                   "the item of the Read chunk at Position %u is in the payload as well",
                   send->reads.chunk[0].position, 0, 0);
            refuse_argument(send);
            return;
        }
    }
    check_holes(send, &items, reading);
    if (reading != RPCRDMA_READ_ALL)
        return;
    check_write_chunks(send, &items);
    check_reply_room(send, &items);
}

/* ---- Replies ---- */

struct reply_items {
    struct send *send;
    struct xdr_reduction *reduction;
    struct xdr_iter returned;          /* Write chunks */
    struct rpcrdma1_write_chunk chunk; /* that serves the result at hand */
    bool has_chunk;
    uint64_t length; /* octets that it returns */
    uint32_t number;
    uint32_t used; /* chunks with octets, of all */
    uint32_t served;
};

/* Room that the Call offered in its Write chunk of this number. */
static uint64_t room_offered(const struct send *send, uint32_t number)
{
    const struct memory *all = send->check->memory;
    uint64_t room = 0;
    for (uint32_t i = send->answers->first; i != NONE; i = all[i].next)
        if (all[i].kind == MEMORY_WRITE && all[i].chunk == number)
            room += all[i].length;
    return room;
}

static bool on_result_is_out(void *arg)
{
    struct reply_items *items = arg;
    items->has_chunk = rpcrdma1_write_list_next(&items->returned, &items->chunk);
    items->length = items->has_chunk ? rpcrdma1_segments_length(&items->chunk.target) : 0;
    return items->length > 0;
}

static void terminate(struct send *send)
{
    react(send, RECEIVER_REQUESTER, RPCRDMA_TERMINATE);
}

static void on_result(void *arg, const struct rpcrdma_item *item)
{
    struct reply_items *items = arg;
    struct send *send = items->send;
    uint32_t number = items->number++;
    if (item == NULL || !items->has_chunk)
        return;
    int64_t at = place(send, items->chunk.target.wire) - 4;
    if (items->length > 0)
        items->served++;
    if (item->out && item->length != items->length) {
        report(send, RPCRDMA_RFC8166_3_4_6_2_RETURNED_LENGTH_IS_ITEM_LENGTH, at,
               "%u octets are returned in Write chunk %u for a result of %u", items->length, number,
               item->length);
        terminate(send);
    } else if (!item->out && items->length == 0 && item->length > 0 &&
               room_offered(send, number) > 0) {
        report(send, RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED, at,
               "a result of %u octets is inline, though Write chunk %u has room", item->length,
               number, 0);
        terminate(send);
    }
}

static bool on_nothing_out(void *arg)
{
    (void)arg;
    return false;
}

static void check_reply_items(struct send *send, const struct rpcrdma_binding *binding)
{
    const struct call *call = send->answers;
    struct xdr_reduction reduction = {0};
    struct reply_items items = {.send = send,
                                .reduction = &reduction,
                                .returned = rpcrdma1_write_list_iter(&send->chunks->rdma_writes)};
    const struct rpcrdma_item_sink sink = {
        .result_is_out = on_result_is_out, .result = on_result, .arg = &items};
    struct rpcrdma_content content = {
        .version = call->program_version,
        .procedure = call->procedure,
        .octets = send->payload + send->rpc_length,
        .length = send->payload_length - (size_t)send->rpc_length,
        .position = (uint64_t)send->rpc_length,
        .reduction = &reduction,
    };
    struct rpcrdma1_write_chunk chunk;
    struct xdr_iter iter = rpcrdma1_write_list_iter(&send->chunks->rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        items.used += rpcrdma1_segments_length(&chunk.target) > 0;
    enum rpcrdma_reading reading = binding->reply(&content, &sink);
    if (reading == RPCRDMA_UNREADABLE && items.used > 0) {
        const struct rpcrdma_item_sink quiet = {.result_is_out = on_nothing_out,
                                                .result = ignore_item};
        struct xdr_reduction nothing = {0};
        content.reduction = &nothing;
        if (binding->reply(&content, &quiet) == RPCRDMA_READ_ALL) {
            report(send, RPCRDMA_RFC8166_4_3_2_PUSHED_ITEM_LEFT_OUT,
                   place(send, send->chunks->rdma_writes.wire),
                   "a result is in its Write chunk and in the payload as well", 0, 0, 0);
            terminate(send);
        }
        return;
    }
    if (reading == RPCRDMA_READ_ALL && items.used > items.served) {
        report(send, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED,
               place(send, send->chunks->rdma_writes.wire),
               "%u Write chunks return octets, but %u results are eligible", items.used,
               items.served, 0);
        terminate(send);
    }
}

void check_binding(struct send *send)
{
    const struct rpcrdma_binding *binding;
    const struct rpcrdma_rpc_header *rpc = &send->rpc;
    if (send->check->config.bindings == NULL || send->rpc_length < 0 || send->is_protected ||
        send->verdict->procedure != RPCRDMA1_MSG || send->event->missing > 0 ||
        send->reads.count > READ_CHUNKS)
        return;
    if (!rpc->is_reply) {
        binding = find_binding(send, rpc->prog, rpc->vers);
        if (binding && rpc->rpcvers == 2 && !send->reads.overlap && send->verdict->count == 0)
            check_call_items(send, binding);
        return;
    }
    const struct call *call = send->answers;
    if (call == NULL || !call->judged || !call->has_program || call->is_protected ||
        !rpc->accepted || rpc->accept_stat != 0 || send->verdict->count > 0)
        return;
    binding = find_binding(send, call->program, call->program_version);
    if (binding)
        check_reply_items(send, binding);
}
