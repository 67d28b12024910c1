// SPDX-License-Identifier: BSD-3-Clause
/*
 * Binding scope: which items are in chunks, held against what their protocol's binding allows (RFC
 * 8166 sections 3.4, 4.3 and 6.1).
 */
#include "conformance/check/core/checker.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>

static uint64_t round_up(uint64_t octets)
{
    return (octets + 3) & ~(uint64_t)3;
}

static void refuse_argument(struct send *send)
{
    rpcrdma_react(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
}

static void terminate(struct send *send)
{
    rpcrdma_react(send, RECEIVER_REQUESTER, RPCRDMA_TERMINATE);
}

static struct rpcrdma_content content_of(const struct send *send)
{
    size_t length = send->payload_length - (size_t)send->rpc_length;
    return (struct rpcrdma_content){.octets = send->payload + send->rpc_length,
                                    .length = length,
                                    .position = (uint64_t)send->rpc_length,
                                    .read = length};
}

/* ---- Calls ---- */

struct call_items {
    struct send *send;
    struct rpcrdma_xdr_reduction *reduction;
    bool eligible[READ_CHUNKS]; /* the items that were found in Read chunks */
    uint32_t expected;          /* eligible results, so far */
    uint32_t arguments;         /* eligible arguments */
    uint64_t most;              /* octets of results that can come back inline, at least */
    struct rpcrdma_xdr_iter writes;
};

static int64_t place_of_hole(const struct send *send, const struct rpcrdma_xdr_hole *hole)
{
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        if (send->reads.chunk[i].position == hole->position)
            return send->reads.chunk[i].at;
    return RPCRDMA_NO_OFFSET;
}

/* The length of a Read chunk against its item's count word. */
static void check_length(struct send *send, const struct rpcrdma_xdr_hole *hole, uint64_t count)
{
    int64_t at = place_of_hole(send, hole) + 12;
    if (hole->length == count)
        return;
    if (hole->length == round_up(count)) {
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_2_PADDING_IN_READ_CHUNK, at,
                       "the Read chunk of %u octets holds the padding of an item of %u",
                       hole->length, count, 0);
        return;
    }
    if (hole->length > count)
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_2_PADDED_CHUNK_LENGTH, at,
                       "the Read chunk has %u octets, its item %u", hole->length, count, 0);
    else
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_2_UNPADDED_CHUNK_LENGTH, at,
                       "the Read chunk has only %u octets of an item of %u", hole->length, count,
                       0);
    refuse_argument(send);
}

/* The Read chunk that holds this item, or NULL; it is accounted for then. */
static const struct rpcrdma_xdr_hole *account(struct call_items *items,
                                              const struct rpcrdma_item *item)
{
    const struct rpcrdma_xdr_reduction *reduction = items->reduction;
    for (uint32_t i = 0; item->out && i < reduction->hole_count; i++) {
        if (reduction->holes[i].position == item->position) {
            items->eligible[i] = true;
            return &reduction->holes[i];
        }
    }
    return NULL;
}

static void on_argument(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    const struct rpcrdma_xdr_hole *hole = account(items, item);
    items->arguments++;
    if (hole != NULL)
        check_length(items->send, hole, item->length);
}

/* The Write chunk that serves the next eligible result. */
static void on_expected(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    struct rpcrdma1_write_chunk chunk;
    items->expected++;
    if (!rpcrdma1_write_list_next(&items->writes, &chunk) || chunk.target.count == 0) {
        if (item->length != RPCRDMA_ITEM_ANY)
            items->most += round_up(item->length) + item->beside;
        return;
    }
    uint64_t room = rpcrdma1_segments_length(&chunk.target);
    int64_t at = place(items->send, chunk.target.wire) + 4;
    if (item->length == RPCRDMA_ITEM_ANY)
        return;
    if (room < item->length) {
        rpcrdma_report(items->send, RPCRDMA_RFC8166_3_4_6_ROOM_FOR_LARGEST_RESULT, at,
                       "the Write chunk has room for %u octets of a result of up to %u", room,
                       item->length, 0);
        rpcrdma_allow(items->send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK);
    } else if (item->length % 4 != 0 && room >= round_up(item->length) &&
               room - item->length <= 4) { /* more is a larger buffer */
        rpcrdma_report(
            items->send, RPCRDMA_RFC8166_3_4_6_2_ROOM_FOR_PADDING, at,
            "the Write chunk has room for %u octets, padding included; the result has up to %u",
            room, item->length, 0);
    }
}

/* An item that is in a chunk and in the payload as well is looked for among so many; and all. */
#define GUESSES 8
#define ALL UINT32_MAX
#define NO_RESULT (UINT32_MAX - 1)

/* What the binding shows of a Call's Read chunks when it reads the arguments. */
struct call_reading {
    const struct rpcrdma_binding *binding;
    struct rpcrdma_content content;
    enum rpcrdma_reading end;
};

static void take_reduction(const struct send *send, struct rpcrdma_xdr_hole *holes,
                           struct rpcrdma_xdr_reduction *reduction)
{
    *reduction = (struct rpcrdma_xdr_reduction){.holes = holes};
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        holes[reduction->hole_count++] = (struct rpcrdma_xdr_hole){
            .position = send->reads.chunk[i].position, .length = send->reads.chunk[i].length};
}

static bool is_whole(enum rpcrdma_reading end, const struct rpcrdma_content *content)
{
    return end == RPCRDMA_READ_ALL && content->read == content->length;
}

static void ignore_item(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

static void only_account(void *arg, const struct rpcrdma_item *item)
{
    account(arg, item);
}

/* The arguments decode to their last octet as if the Read chunk of this number were not there, or,
 * if it is ALL, as if none were. */
static bool reads_without(const struct send *send, const struct call_reading *reading,
                          uint32_t number)
{
    static const struct rpcrdma_item_sink sink = {.argument = ignore_item, .expected = ignore_item};
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    struct rpcrdma_content content = reading->content;
    take_reduction(send, holes, &reduction);
    reduction.hole_count = number == ALL ? 0 : reduction.hole_count - 1;
    for (uint32_t i = number; i < reduction.hole_count; i++)
        holes[i] = holes[i + 1];
    content.reduction = &reduction;
    content.read = content.length;
    return is_whole(reading->binding->call(&content, &sink), &content);
}

/* They do if the Read chunk of this number stands where decoding failed: its Position is wrong. */
static bool reads_moved(struct send *send, const struct call_reading *reading, uint32_t number)
{
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    take_reduction(send, holes, &reduction);
    struct call_items items = {.send = send, .reduction = &reduction};
    const struct rpcrdma_item_sink sink = {
        .argument = only_account, .expected = ignore_item, .arg = &items};
    struct rpcrdma_content content = reading->content;
    uint64_t position =
        content.position + content.read + reading->content.reduction->removed + 4; /* count word */
    if ((number > 0 && holes[number - 1].position >= position) ||
        (number + 1 < reduction.hole_count && holes[number + 1].position <= position))
        return false;
    holes[number].position = position;
    content.reduction = &reduction;
    content.read = content.length;
    return is_whole(reading->binding->call(&content, &sink), &content) && items.eligible[number];
}

/* A Read chunk at which no eligible item was found. Behind what could not be read nothing is known.
 */
static bool check_hole(struct send *send, const struct call_items *items,
                       const struct call_reading *reading, uint32_t number)
{
    const struct rpcrdma_xdr_hole *hole = &items->reduction->holes[number];
    uint64_t known = reading->content.position + reading->content.read + items->reduction->removed;
    int64_t at = place_of_hole(send, hole) + 4;
    if (!hole->taken && reading->end == RPCRDMA_UNREADABLE && reads_moved(send, reading, number))
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_POSITION_OF_ITEM, at,
                       "the item is not at Position %u, but at %u", hole->position, known + 4, 0);
    else if (!hole->taken && reading->end != RPCRDMA_READ_ALL && hole->position >= known)
        return false;
    else if (hole->taken || items->arguments == 0)
        rpcrdma_report(send, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED, at,
                       "no item at Position %u is eligible", hole->position, 0, 0);
    else
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_POSITION_OF_ITEM, at,
                       "no eligible item begins at Position %u", hole->position, 0, 0);
    refuse_argument(send);
    return true;
}

static void check_holes(struct send *send, const struct call_items *items,
                        const struct call_reading *reading)
{
    for (uint32_t i = 0; i < items->reduction->hole_count; i++)
        if (!items->eligible[i] && check_hole(send, items, reading, i))
            return;
}

/* Whether an item stands in the payload as well as in its Read chunk: what comes behind it is then
 * out of place. */
static bool is_left_in(const struct send *send, const struct call_items *items,
                       const struct call_reading *reading)
{
    uint32_t taken = 0;
    if (is_whole(reading->end, &reading->content))
        return false;
    for (uint32_t i = 0; i < items->reduction->hole_count; i++) {
        if (!items->reduction->holes[i].taken || send->reads.chunk[i].length == 0)
            continue;
        if (++taken <= GUESSES && reads_without(send, reading, i))
            return true;
    }
    return taken > 1 && reads_without(send, reading, ALL);
}

static void check_write_chunks(struct send *send, const struct call_items *items)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    if (writes->count == 0)
        return;
    if (items->expected == 0)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_2_WRITE_LIST_NOT_NEEDED, place(send, writes->wire),
                       "a Write list, though no result of this Call is eligible", 0, 0, 0);
    else if (items->expected == 1 && writes->count > 1)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_2_1_SINGLE_WRITE_CHUNK, place(send, writes->wire),
                       "%u Write chunks for the only eligible result", writes->count, 0, 0);
    else if (items->expected == 1 && rpcrdma1_write_list_next(&iter, &chunk) &&
             chunk.target.count == 0)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_2_3_NO_LIST_FOR_SOLE_RESULT,
                       place(send, writes->wire),
                       "an empty Write chunk for the only eligible result", 0, 0, 0);
}

/* The least that a Reply has beside its results: both headers, without chunks. */
enum { REPLY_LEAST = 28 + 24 };

static void check_reply_room(struct send *send, const struct call_items *items)
{
    uint32_t limit = rpcrdma_state_threshold(send->check, other(send->event->from));
    if (limit == 0 || send->chunks->rdma_reply.present || items->most == 0 ||
        REPLY_LEAST + items->most <= limit)
        return;
    rpcrdma_report(send, RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_NEEDED,
                   place(send, send->chunks->rdma_writes.wire) + send->chunks->rdma_writes.octets,
                   "the Reply can bring %u octets of results inline, above the threshold of %u",
                   items->most, limit, 0);
    rpcrdma_allow(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK);
}

static void check_call_items(struct send *send, const struct rpcrdma_binding *binding)
{
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    take_reduction(send, holes, &reduction);
    struct call_items items = {.send = send,
                               .reduction = &reduction,
                               .writes = rpcrdma1_write_list_iter(&send->chunks->rdma_writes)};
    const struct rpcrdma_item_sink sink = {
        .argument = on_argument, .expected = on_expected, .arg = &items};
    struct call_reading reading = {binding, content_of(send), RPCRDMA_READ_ALL};
    unsigned found = send->verdict->count;
    reading.content.version = send->rpc.vers;
    reading.content.procedure = send->rpc.proc;
    reading.content.reduction = &reduction;
    reading.end = binding->call(&reading.content, &sink);
    if (is_left_in(send, &items, &reading)) {
        send->verdict->count = found; /* what it said was of octets out of place */
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_1_REDUCED_ITEM_LEFT_OUT,
                       send->reads.chunk[0].at + 4,
                       "an item is in the payload and in a Read chunk as well", 0, 0, 0);
        refuse_argument(send);
        return;
    }
    check_holes(send, &items, &reading);
    if (reading.end != RPCRDMA_READ_ALL)
        return;
    check_write_chunks(send, &items);
    check_reply_room(send, &items);
}

/* ---- Replies ---- */

struct reply_items {
    struct send *send;
    struct rpcrdma_xdr_iter returned;  /* Write chunks */
    struct rpcrdma1_write_chunk chunk; /* that serves the result at hand */
    bool has_chunk, is_nfs4;
    uint64_t length; /* octets that it returns */
    uint32_t number; /* of the chunk that serves the next result */
    uint32_t used;   /* chunks with octets, of all */
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
    items->number++;
    return items->length > 0;
}

/* A READ or READLINK failed, and so left its chunk alone. RFC 8267 wants it back empty, RFC 8166
 * unused: either will do. */
static void on_no_result(const struct reply_items *items)
{
    struct send *send = items->send;
    struct rpcrdma_xdr_iter iter = items->returned;
    struct rpcrdma1_write_chunk chunk;
    if (!items->is_nfs4 || !rpcrdma1_write_list_next(&iter, &chunk) ||
        room_offered(send, items->number) == 0)
        return;
    int64_t at = place(send, chunk.target.wire) - 4;
    if (chunk.target.count == 0)
        rpcrdma_report(send, RPCRDMA_RFC8267_6_4_1_FAILED_READ_EMPTY, at,
                       "rdma_writes[%u], of an operation that failed, comes back empty",
                       items->number, 0, 0);
    else if (rpcrdma1_segments_length(&chunk.target) == 0)
        rpcrdma_report(send, RPCRDMA_RFC8267_6_4_1_FAILED_READ_UNUSED, at,
                       "rdma_writes[%u], of an operation that failed, comes back unused",
                       items->number, 0, 0);
}

static void on_result(void *arg, const struct rpcrdma_item *item)
{
    struct reply_items *items = arg;
    struct send *send = items->send;
    if (item == NULL) {
        on_no_result(items);
        return;
    }
    if (!items->has_chunk)
        return;
    uint32_t number = items->number - 1;
    int64_t at = place(send, items->chunk.target.wire) - 4;
    if (items->length > 0) {
        items->served++;
        if (item->length == items->length)
            return;
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_6_2_RETURNED_LENGTH_IS_ITEM_LENGTH, at,
                       "rdma_writes[%u] returns %u octets of a result of %u", number, items->length,
                       item->length);
        terminate(send);
    } else if (item->length > 0 && room_offered(send, number) > 0) {
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED, at,
                       "a result of %u octets is inline, though rdma_writes[%u] has room",
                       item->length, number, 0);
        terminate(send);
    }
}

/* A guess at what is out: as the Write chunks say, but for the result of this number, or ALL. */
struct guess {
    struct rpcrdma_xdr_iter returned;
    uint32_t number, inside;
};

static bool guess_is_out(void *arg)
{
    struct guess *guess = arg;
    struct rpcrdma1_write_chunk chunk;
    bool used = rpcrdma1_write_list_next(&guess->returned, &chunk) &&
                rpcrdma1_segments_length(&chunk.target) > 0;
    return used && guess->number++ != guess->inside && guess->inside != ALL;
}

/* The results decode to their last octet with what `reduction` says and this one in the payload. */
static bool holds_results(const struct rpcrdma_binding *binding, struct rpcrdma_content content,
                          const struct rpcrdma1_write_list *writes,
                          struct rpcrdma_xdr_reduction *reduction, uint32_t inside)
{
    struct guess guess = {.returned = rpcrdma1_write_list_iter(writes), .inside = inside};
    const struct rpcrdma_item_sink sink = {
        .result_is_out = guess_is_out, .result = ignore_item, .arg = &guess};
    content.reduction = reduction;
    content.read = content.length;
    return is_whole(binding->reply(&content, &sink), &content);
}

/* Whether a result is in the payload as well as in its Write chunk. */
static bool is_result_left_in(const struct rpcrdma_binding *binding,
                              const struct rpcrdma_content *content,
                              const struct rpcrdma1_write_list *writes, uint32_t used)
{
    struct rpcrdma_xdr_reduction nothing = {0};
    for (uint32_t i = 0; i < used && i < GUESSES; i++, nothing = (struct rpcrdma_xdr_reduction){0})
        if (holds_results(binding, *content, writes, &nothing, i))
            return true;
    return used > 1 && holds_results(binding, *content, writes, &nothing, ALL);
}

/* Whether the item at which decoding failed is out as well: one that is not eligible. */
static bool lacks_another(const struct rpcrdma_binding *binding,
                          const struct rpcrdma_content *content,
                          const struct rpcrdma1_write_list *writes)
{
    struct rpcrdma_xdr_hole hole = {.position = content->position + content->read +
                                                content->reduction->removed + 4}; /* count word */
    struct rpcrdma_xdr_reduction reduction = {.holes = &hole, .hole_count = 1};
    return holds_results(binding, *content, writes, &reduction, NO_RESULT) && hole.taken;
}

static uint32_t used_chunks(const struct rpcrdma1_write_list *writes)
{
    uint32_t used = 0;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        used += rpcrdma1_segments_length(&chunk.target) > 0;
    return used;
}

static void check_reply_items(struct send *send, const struct rpcrdma_binding *binding)
{
    const struct call *call = send->answers;
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    struct rpcrdma_xdr_reduction reduction = {0};
    struct reply_items items = {.send = send,
                                .returned = rpcrdma1_write_list_iter(writes),
                                .is_nfs4 = binding == &rpcrdma_binding_nfs4,
                                .used = used_chunks(writes)};
    const struct rpcrdma_item_sink sink = {
        .result_is_out = on_result_is_out, .result = on_result, .arg = &items};
    struct rpcrdma_content content = content_of(send);
    unsigned found = send->verdict->count;
    content.version = call->program_version;
    content.procedure = call->procedure;
    content.reduction = &reduction;
    enum rpcrdma_reading end = binding->reply(&content, &sink);
    if (reduction.removed > 0 && !is_whole(end, &content) &&
        is_result_left_in(binding, &content, writes, items.used)) {
        send->verdict->count = found;
        rpcrdma_report(send, RPCRDMA_RFC8166_4_3_2_PUSHED_ITEM_LEFT_OUT, place(send, writes->wire),
                       "a result is in its Write chunk and in the payload as well", 0, 0, 0);
        terminate(send);
    } else if (items.used > items.served &&
               (end == RPCRDMA_READ_ALL ||
                (end == RPCRDMA_UNREADABLE && lacks_another(binding, &content, writes)))) {
        rpcrdma_report(send, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED, place(send, writes->wire),
                       "%u Write chunks return octets, but %u results are eligible", items.used,
                       items.served, 0);
        terminate(send);
    }
}

/* ---- which messages ---- */

static bool is_violated(const struct rpcrdma_judgement *verdict)
{
    for (unsigned i = 0; i < verdict->count; i++)
        if (verdict->findings[i].severity == RPCRDMA_VIOLATION)
            return true;
    return false;
}

/* Calls of servers are callbacks: other programs, whatever their numbers are. */
static void check_call_binding(struct send *send)
{
    const struct rpcrdma_binding *binding =
        rpcrdma_binding_find(send->check->config.bindings, send->rpc.prog, send->rpc.vers);
    if (binding == NULL || send->event->from != RPCRDMA_CLIENT)
        return;
    if (binding == &rpcrdma_binding_nfs4)
        rpcrdma_nfs4_lists(send);
    if (rpcrdma_send_shows_arguments(send) && !is_violated(send->verdict) && !send->reads.overlap &&
        !send->has_position_zero && send->reads.count <= READ_CHUNKS && send->event->missing == 0)
        check_call_items(send, binding);
}

static void check_reply_binding(struct send *send)
{
    const struct call *call = send->answers;
    if (call == NULL || !call->judged || !call->has_program || call->from != RPCRDMA_CLIENT ||
        !send->rpc.accepted || send->rpc.accept_stat != 0 || send->event->missing > 0 ||
        is_violated(send->verdict))
        return;
    const struct rpcrdma_binding *binding =
        rpcrdma_binding_find(send->check->config.bindings, call->program, call->program_version);
    if (binding)
        check_reply_items(send, binding);
}

void rpcrdma_judge_binding(struct send *send)
{
    if (send->check->config.bindings == NULL)
        return;
    if (send->verdict->procedure == RPCRDMA1_NOMSG)
        rpcrdma_nfs4_long_callback(send);
    else if (send->rpc_length >= 0 && send->verdict->procedure == RPCRDMA1_MSG) {
        if (send->rpc.is_reply)
            check_reply_binding(send);
        else
            check_call_binding(send);
    }
}
