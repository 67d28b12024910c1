// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule with what chunks and payload hold. */
#include "conformance/tests/support/breaks/breaks.h"

#include <rpcrdma/rpcrdma.h>
#include <string.h>

static uint8_t payload[2 * MESSAGE_MAX];

/* ---- Calls ---- */

/* An inline Call of NFS whose arguments can be read, with this many items in Read chunks. */
static bool is_nfs_call(const struct talk *talk, const struct talk_call *call, unsigned out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < MESSAGE_ITEMS; i++)
        count += call->out >> i & 1;
    return talk_is_call(talk, call) && call->is_nfs && call->from == RPCRDMA_CLIENT &&
           !call->is_long && count == out && talk->config.bindings;
}

static void set_payload(struct talk *talk, size_t length)
{
    talk->out.payload = payload;
    talk->out.payload_length = length;
}

static bool argument_left_in(struct talk *talk, struct talk_call *call)
{
    if (!is_nfs_call(talk, call, 1))
        return false;
    set_payload(talk, message_reduce(&call->content->call, 0, payload));
    return true;
}

/* The last segment of the only Read chunk. */
static struct rpcrdma1_segment *last_read(struct talk_call *call)
{
    return call->reads > 0 ? &call->read[call->reads - 1].target : NULL;
}

static bool read_chunk_too_short(struct talk *talk, struct talk_call *call)
{
    if (!is_nfs_call(talk, call, 1) || last_read(call)->length < 2)
        return false;
    last_read(call)->length -= 1 + pick(&talk->dice, last_read(call)->length - 1);
    return true;
}

static bool read_chunk_too_long(struct talk *talk, struct talk_call *call)
{
    if (!is_nfs_call(talk, call, 1))
        return false;
    last_read(call)->length += 4 + pick(&talk->dice, 100);
    return true;
}

static bool padding_in_read_chunk(struct talk *talk, struct talk_call *call)
{
    uint64_t length = 0;
    if (!is_nfs_call(talk, call, 1))
        return false;
    for (uint32_t i = 0; i < call->reads; i++)
        length += call->read[i].target.length;
    last_read(call)->length += -length & 3;
    return length % 4 != 0;
}

static bool move(struct talk *talk, struct talk_call *call, int64_t by)
{
    if (!is_nfs_call(talk, call, 1))
        return false;
    int64_t position = (int64_t)call->read[0].position + by;
    if (position < (int64_t)call->content->call.body ||
        position > (int64_t)call->content->call_length)
        return false;
    for (uint32_t i = 0; i < call->reads; i++)
        call->read[i].position = (uint32_t)position;
    return true;
}

static bool position_too_low(struct talk *talk, struct talk_call *call)
{
    return move(talk, call, chance(&talk->dice, 50) ? -4 : -8);
}

static bool position_too_high(struct talk *talk, struct talk_call *call)
{
    return move(talk, call, chance(&talk->dice, 50) ? 4 : 8);
}

static bool position_far_too_high(struct talk *talk, struct talk_call *call)
{
    return move(talk, call, 12 + 4 * (int64_t)pick(&talk->dice, 8));
}

/* The item goes without its count word, or this goes into the Read chunk as well. */
static bool lose_count(struct talk *talk, struct talk_call *call, uint32_t moved)
{
    const struct message *message = &call->content->call;
    uint32_t out = 0;
    if (!is_nfs_call(talk, call, 1))
        return false;
    while (!(call->out >> out & 1))
        out++;
    size_t count = message->item[out].at - 4;
    if (count != call->read[0].position - 4) /* an item before it is out as well */
        return false;
    size_t length = message_reduce(message, call->out, payload);
    memmove(payload + count, payload + count + 4, length - count - 4);
    set_payload(talk, length - 4);
    for (uint32_t i = 0; i < call->reads; i++)
        call->read[i].position -= moved;
    call->read[0].target.length += moved;
    return true;
}

static bool count_moved(struct talk *talk, struct talk_call *call)
{
    return lose_count(talk, call, 4);
}

/* Where nothing comes after the item, the Position is out of bounds. */
static bool count_lost(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    const struct message_item *item = &message->item[0];
    return message->items == 1 && item->at + ((item->length + 3) & ~3u) < message->length &&
           lose_count(talk, call, 0);
}

/* A directory whose entries can pass the threshold is read without a Reply chunk. */
static bool no_room_for_directory(struct talk *talk, struct talk_call *call)
{
    enum { READDIR = 16, READDIRPLUS = 17, BESIDE = 56 };
    const struct message *message = &call->content->call;
    bool plus = call->asked.version == 3 && call->asked.procedure == READDIRPLUS;
    bool knows_threshold = talk->invalidates || talk->config.inline_threshold[RPCRDMA_SERVER] > 0;
    if (!is_nfs_call(talk, call, 0) || !knows_threshold || call->asked.version == 4 ||
        (call->asked.procedure != READDIR && !plus))
        return false;
    const uint8_t *end = message->octets + message->length;
    uint32_t most = rpcrdma_xdr_load32(end - 4);
    if (plus && rpcrdma_xdr_load32(end - 8) < most)
        most = rpcrdma_xdr_load32(end - 8);
    if (BESIDE + (most & ~3u) <= talk->threshold[RPCRDMA_SERVER])
        return false;
    talk_lists(talk)->rdma_reply.present = false;
    return true;
}

/* One run of octets leaves the payload for a Read chunk. */
static void reduce_other(struct talk *talk, struct talk_call *call, const struct message_item *item)
{
    static struct message other;
    other = call->content->call;
    other.items = 1;
    other.item[0] = *item;
    call->read[0] = (struct rpcrdma1_read_segment){(uint32_t)item->at, {9, item->length, 9}};
    talk_lists(talk)->rdma_reads.items = call->read;
    talk_lists(talk)->rdma_reads.count = 1;
    set_payload(talk, message_reduce(&other, 1, payload));
}

static bool ineligible_argument(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    if (!is_nfs_call(talk, call, 0) || message->others == 0)
        return false;
    reduce_other(talk, call, &message->other[pick(&talk->dice, message->others)]);
    return true;
}

static bool reduced_under_gss(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    if (!talk_is_call(talk, call) || call->is_long || call->gss_proc != 0 ||
        (call->service != 2 && call->service != 3) || message->others == 0 ||
        message->other[0].length == 0)
        return false;
    reduce_other(talk, call, &message->other[0]);
    return true;
}

static bool reduced_context_setup(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    if (!talk_is_call(talk, call) || call->is_long || call->gss_proc == 0 || message->others == 0)
        return false;
    reduce_other(talk, call, &message->other[0]);
    return true;
}

static bool second_at_first(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || talk->config.mid_stream || talk->replied[call->from] ||
        talk->failed[call->from] || talk_in_flight(talk, call->from) != 1 || call->is_long)
        return false;
    talk_judge_first(talk);
    static const uint8_t header[28] = {[7] = 1, [11] = 64};
    memcpy(talk->out.octets, header, sizeof header);
    rpcrdma_xdr_store32(talk->out.octets, ~call->xid);
    memcpy(talk->out.octets + 28, call->content->call.octets, 20);
    memset(talk->out.octets + 48, 0, 20);
    rpcrdma_xdr_store32(talk->out.octets + 28, ~call->xid);
    talk->out.event = (struct rpcrdma_event){
        .type = RPCRDMA_EVENT_SEND, .from = call->from, .data = talk->out.octets, .length = 68};
    return true;
}

static bool above_threshold(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || call->is_long || talk->config.bindings ||
        talk->threshold[call->from] == RPCRDMA_DEFAULT_INLINE)
        return false;
    while (talk->out.event.length <= talk->threshold[call->from])
        memset(talk->out.octets + talk->out.event.length, 0, 4), talk->out.event.length += 4;
    return true;
}

/* ---- Long Calls and Replies ---- */

/* The first octets of one are moved. */
static bool moves_message(const struct talk *talk, const struct talk_call *call,
                          const uint8_t *stream)
{
    const struct rpcrdma_event *event = &talk->out.event;
    return !talk_is_send(talk) && event->data == stream && event->length >= 8 && !call->unseen &&
           !call->doubled && call->copies == 1 && !talk->one_handle;
}

static bool other_xid(struct talk *talk, const struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    memcpy(payload, event->data, event->length);
    rpcrdma_xdr_store32(payload, ~call->xid);
    event->data = payload;
    return true;
}

static bool long_call_xid(struct talk *talk, struct talk_call *call)
{
    return moves_message(talk, call, call->content->call_stream) && other_xid(talk, call);
}

/* ---- Replies ---- */

/* A Reply of NFS that was read, inline, and reports success. */
static bool is_nfs_reply(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_reply(talk, call) && call->is_nfs && call->from == RPCRDMA_CLIENT &&
           call->copies == 1 && !call->is_long && !call->long_reply && talk->config.bindings &&
           call->status == TALK_SUCCESS;
}

/* The Write chunk that served a result, by its number; or -1. */
static int served_chunk(const struct talk_call *call)
{
    for (uint32_t i = 0; i < call->writes; i++)
        if (call->served[i] != UINT32_MAX)
            return (int)i;
    return -1;
}

static uint32_t items_out(const struct talk_call *call)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < call->writes; i++)
        out |= (uint32_t)(call->served[i] != UINT32_MAX) << i;
    return out;
}

static bool result_left_in(struct talk *talk, struct talk_call *call)
{
    if (!is_nfs_reply(talk, call) || served_chunk(call) < 0)
        return false;
    set_payload(talk, message_reduce(&call->content->reply, 0, payload));
    return talk->out.payload_length + talk_header_length(call) <= talk->threshold[RPCRDMA_SERVER];
}

static bool result_pushed(struct talk *talk, struct talk_call *call)
{
    int n = served_chunk(call);
    if (!is_nfs_reply(talk, call) || n < 0)
        return false;
    struct talk_chunk *chunk = &call->write[n];
    for (uint32_t i = 0; i < chunk->count; i++)
        chunk->returned[i].length = 0;
    set_payload(talk, message_reduce(&call->content->reply, items_out(call) & ~(1u << n), payload));
    return talk->out.payload_length + talk_header_length(call) <= talk->threshold[RPCRDMA_SERVER];
}

static bool count_pushed(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->reply;
    int n = served_chunk(call);
    if (!is_nfs_reply(talk, call) || n < 0 || talk->rdma_seen || message->items != 1)
        return false;
    struct talk_chunk *chunk = &call->write[n];
    if (chunk->count != 1 || chunk->segment[0].length < message->item[0].length + 4)
        return false;
    size_t count = message->item[0].at - 4;
    size_t length = message_reduce(message, items_out(call), payload);
    memmove(payload + count, payload + count + 4, length - count - 4);
    set_payload(talk, length - 4);
    chunk->returned[0].length += 4;
    return true;
}

static bool result_too_short(struct talk *talk, struct talk_call *call)
{
    int n = served_chunk(call);
    if (!is_nfs_reply(talk, call) || n < 0 || talk->rdma_seen)
        return false;
    struct rpcrdma1_segment *segment = call->write[n].returned;
    while (segment->length == 0)
        segment++;
    if (segment->length < 2 || segment + 1 < call->write[n].returned + call->write[n].count)
        return false;
    segment->length--;
    return true;
}

static bool returned_not_written(struct talk *talk, struct talk_call *call)
{
    int n = served_chunk(call);
    if (!talk_is_reply(talk, call) || n < 0 || !talk->rdma_seen || call->copies > 1 ||
        talk->config.bindings || talk->one_handle || talk->config.mid_stream)
        return false;
    struct rpcrdma1_segment *segment = call->write[n].returned;
    while (segment->length == 0)
        segment++;
    if (segment->length < 8 || segment + 1 < call->write[n].returned + call->write[n].count)
        return false;
    segment->length -= 5;
    return true;
}

static bool filled_out_of_order(struct talk *talk, struct talk_call *call)
{
    struct talk_chunk *chunk = &call->write[0];
    if (!talk_is_reply(talk, call) || call->writes == 0 || call->copies > 1 || talk->rdma_seen ||
        talk->config.bindings || chunk->returned_empty || chunk->count < 2 ||
        chunk->segment[0].length == 0 || chunk->segment[1].length == 0 ||
        call->status != TALK_SUCCESS)
        return false;
    chunk->returned[0].length = chunk->segment[0].length - 1;
    chunk->returned[1].length = 1;
    return true;
}

static bool read_after_reply(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->reads == 0 || call->copies > 1 ||
        call->read[0].target.length == 0 || talk->config.seen_between || talk->config.mid_stream ||
        talk->one_handle)
        return false;
    talk_judge_first(talk);
    talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_READ,
                                             .from = talk->out.event.from,
                                             .handle = call->read[0].target.handle,
                                             .offset = call->read[0].target.offset,
                                             .length = 1};
    return true;
}

/* ---- RDMA_ERROR ---- */

static bool error_version(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_error(talk, call))
        return false;
    rpcrdma_xdr_store32(talk->out.octets + 4, 2 + pick(&talk->dice, 9));
    return true;
}

static bool error_xid(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_error(talk, call) || talk->config.mid_stream)
        return false;
    rpcrdma_xdr_store32(talk->out.octets, ~call->xid);
    return true;
}

const struct talk_break talk_content_breaks[] = {
    {"argument left in", "rfc8166/4.3.1/reduced-item-left-out", argument_left_in, NULL, 0, NULL},
    {"read chunk too short", "rfc8166/3.4.5.2/unpadded-chunk-length", read_chunk_too_short, NULL, 0,
     NULL},
    {"read chunk too long", "rfc8166/3.4.5.2/padded-chunk-length", read_chunk_too_long, NULL, 0,
     NULL},
    {"padding in read chunk", "rfc8166/3.4.5.2/padding-in-read-chunk", padding_in_read_chunk, NULL,
     0, NULL},
    {"position too low", "rfc8166/3.4.5/position-of-item", position_too_low, NULL, 0, NULL},
    {"position too high", "rfc8166/3.4.5/position-of-item", position_too_high, NULL, 98,
     SAME_OCTETS},
    {"position far too high", "rfc8166/3.4.5/position-of-item", position_far_too_high, NULL, 0,
     NULL},
    {"count word in chunk", "rfc8166/3.4.4.1/count-stays", count_moved, NULL, 98, SAME_OCTETS},
    {"count word nowhere", "rfc8166/3.4.4.1/count-stays", count_lost, NULL, 96, SAME_OCTETS},
    {"no room for a directory", "rfc8166/4.3.3/reply-chunk-needed", no_room_for_directory, NULL, 0,
     NULL},
    {"ineligible argument", "rfc8166/6.1/only-eligible-reduced", ineligible_argument, NULL, 0,
     NULL},
    {"reduced under gss", "rfc8166/8.2.2.3/payload-not-reduced", reduced_under_gss, NULL, 0, NULL},
    {"reduced context setup", "rfc8166/8.2.2/gss-elements-not-reduced", reduced_context_setup, NULL,
     0, NULL},
    {"second call at first", "rfc8166/3.3.3/one-credit-at-first", NULL, second_at_first, 0, NULL},
    {"above threshold", "rfc8166/4.2.4/send-within-threshold", NULL, above_threshold, 0, NULL},
    {"xid of long call", "rfc8166/4.2.1/xid-equal", long_call_xid, NULL, 0, NULL},
    {"result left in", "rfc8166/4.3.2/pushed-item-left-out", result_left_in, NULL, 98, SAME_OCTETS},
    {"result pushed", "rfc8166/4.3.2/eligible-result-pushed", result_pushed, NULL, 0, NULL},
    {"count word pushed", "rfc8166/3.4.4.1/count-stays", count_pushed, NULL, 98, SAME_OCTETS},
    {"result too short", "rfc8166/3.4.6.2/returned-length-is-item-length", result_too_short, NULL,
     0, NULL},
    {"returned, not written", "rfc8166/3.4.6/returned-length-written", returned_not_written, NULL,
     95, CAME_TWICE},
    {"filled out of order", "rfc8166/3.4.6/filled-in-order", filled_out_of_order, NULL, 0, NULL},
    {"read after reply", "rfc8166/3.4.5.1/reads-before-reply", NULL, read_after_reply, 0, NULL},
    {"version of error", "rfc8166/4.5/error-version", NULL, error_version, 0, NULL},
    {"xid of error", "rfc8166/4.5/error-without-call", NULL, error_xid, 0, NULL},
    {NULL, NULL, NULL, NULL, 0, NULL},
};
