// SPDX-License-Identifier: BSD-3-Clause
/* The steps of a conversation: who calls, who reads and writes memory, who answers. */
#include "conformance/tests/support/conversation.h"

#include <check.h>
#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>
#include <string.h>
/* ---- Calls that come again ---- */

static struct talk_call *free_entry(struct talk *talk, enum rpcrdma_endpoint from)
{
    for (unsigned i = 0; i < TALK_CALLS; i++)
        if (!talk->calls[from][i].active)
            return &talk->calls[from][i];
    return NULL;
}

/* The same RPC message, reduced and registered anew. Not where only the second is captured: nothing
 * tells then that there are two, and no rule on what a Reply copies could ever speak. */
static void send_in_other_form(struct talk *talk, struct talk_call *call)
{
    struct talk_call *again = free_entry(talk, call->from);
    if (again == NULL)
        return;
    struct talk_content *content = again->content;
    call->doubled = true;
    *again = *call;
    again->content = content;
    content->call = call->content->call;
    again->again = true;
    again->copies = 1;
    talk_shape_call(talk, again);
    talk_send_call(talk, again);
}

static void send_again(struct talk *talk, struct talk_call *call)
{
    if (talk->other_forms && !call->unseen && call->copies == 1 && !call->again &&
        call->next_read == 0 && chance(&talk->dice, 50)) {
        send_in_other_form(talk, call);
        return;
    }
    call->copies++;
    talk_send_call(talk, call);
}

/* ---- RDMA ---- */

static void operate(struct talk *talk, struct talk_call *call, enum rpcrdma_event_type type,
                    const struct rpcrdma1_segment *segment, const uint8_t *source)
{
    struct talk_out *out = &talk->out;
    uint32_t length = segment->length;
    if (!talk->rdma_seen || length == 0)
        return;
    uint32_t half = chance(&talk->dice, 30) ? pick(&talk->dice, length) : 0;
    for (int part = 0; part < 2 && !talk->broken; part++) {
        uint32_t from_octet = part ? half : 0, octets = part ? length - half : half;
        if (octets == 0)
            continue;
        talk_begin(talk, type, talk_peer(call->from));
        out->event.data = talk->content_seen && source ? source + from_octet : NULL;
        out->event.handle = segment->handle;
        out->event.offset = segment->offset + from_octet;
        out->event.length = octets;
        talk_send(talk, call);
    }
}

/* ---- answers ---- */

/* How the answer uses the memory that the Call offers. */
static void fill(struct talk_chunk *chunk, uint64_t octets)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->returned[i] = chunk->segment[i];
        uint32_t here =
            octets < chunk->segment[i].length ? (uint32_t)octets : chunk->segment[i].length;
        chunk->returned[i].length = here;
        octets -= here;
    }
}

static void put_reply_header(struct talk *talk, const struct talk_call *call,
                             struct message *message)
{
    struct dice *dice = &talk->dice;
    uint32_t stat = call->status == TALK_SUCCESS    ? 0
                    : call->status == TALK_MISMATCH ? 2
                    : chance(dice, 20)              ? 1
                                                    : 3 + pick(dice, 3);
    message_begin(message);
    message_word(message, call->xid);
    message_word(message, 1);
    message_word(message, call->status >= TALK_DENIED);
    if (call->status == TALK_RPC_MISMATCH) {
        message_word(message, 0), message_word(message, 2), message_word(message, 2);
    } else if (call->status == TALK_DENIED) {
        message_word(message, 1), message_word(message, pick(dice, 19));
    } else {
        talk_put_verifier(talk, call, message);
        message_word(message, stat);
        if (stat == 2)
            message_word(message, 3), message_word(message, 4);
    }
}

/* Rooms of Write chunks, or what can go inline. */
static void find_rooms(struct talk_call *call, uint32_t *room)
{
    for (uint32_t i = 0; i < NFS_OPERATIONS; i++) {
        uint32_t most = i < call->asked.results ? call->asked.most[i] : 0;
        room[i] = most == NFS_ANY ? 200 : most;
        if (i < call->writes && call->write[i].count > 0) {
            uint64_t length = talk_chunk_length(call->write[i].segment, call->write[i].count);
            room[i] = room[i] < length || most == NFS_ANY ? room[i] : (uint32_t)length;
        }
    }
}

static void put_results(struct talk *talk, struct talk_call *call)
{
    uint32_t room[NFS_OPERATIONS];
    struct message *message = &call->content->reply;
    put_reply_header(talk, call, message);
    find_rooms(call, room);
    if (call->status != TALK_SUCCESS)
        return;
    message_begin_body(message);
    if (!talk_is_plain(call))
        message_opaque(message, &talk->dice, pick(&talk->dice, 400));
    else if (call->is_nfs && call->from == RPCRDMA_CLIENT)
        nfs_results(&call->asked, &talk->dice, room, message);
    else
        talk_put_anything(talk, message, TALK_CHUNKS);
}

/* Results that are in chunks; a chunk that has room takes its result. */
static uint32_t use_chunks(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->reply;
    uint32_t out = 0;
    bool gap = false;
    for (uint32_t i = 0; i < call->writes; i++) {
        struct talk_chunk *chunk = &call->write[i];
        uint64_t room = talk_chunk_length(chunk->segment, chunk->count);
        uint32_t length = talk_is_plain(call) && i < message->items ? message->item[i].length : 0;
        bool used = length > 0 && length <= room && !gap;
        if (!call->is_nfs && used)
            used = chance(&talk->dice, 80);
        call->served[i] = used ? i : UINT32_MAX;
        out |= (uint32_t)used << i;
        fill(chunk, used ? length : 0);
        chunk->returned_empty = !used && call->asked.version == 4 && chance(&talk->dice, 50);
        gap = gap || (!used && !call->is_nfs && room > 0);
    }
    return out;
}

static void plan(struct talk *talk, struct talk_call *call)
{
    struct talk_content *content = call->content;
    call->planned = true;
    call->status = chance(&talk->dice, 90) ? TALK_SUCCESS : 1 + pick(&talk->dice, 4);
    put_results(talk, call);
    uint32_t out = use_chunks(talk, call);
    uint64_t room = call->has_reply ? talk_chunk_length(call->reply.segment, call->reply.count) : 0;
    content->reply_length = message_reduce(&content->reply, out, content->reply_stream);
    size_t lists = talk_header_length(call) - 24 * call->reads;
    bool fits = lists + content->reply_length <= talk->threshold[talk_peer(call->from)];
    call->long_reply = room >= content->reply_length && (!fits || chance(&talk->dice, 50));
    call->fails = !fits && !call->long_reply;
    fill(&call->reply, call->long_reply ? content->reply_length : 0);
}

/* The n-th segment that is written, through all chunks; NULL after the last. */
static const struct rpcrdma1_segment *written(const struct talk_call *call, uint32_t n,
                                              const uint8_t **source)
{
    uint64_t before = 0;
    *source = NULL;
    for (uint32_t i = 0; i < call->writes; i++) {
        if (n >= call->write[i].count) {
            n -= call->write[i].count;
            continue;
        }
        before = talk_chunk_length(call->write[i].returned, n);
        if (call->served[i] != UINT32_MAX)
            *source = call->content->reply.octets + call->content->reply.item[i].at + before;
        return &call->write[i].returned[n];
    }
    if (!call->has_reply || n >= call->reply.count)
        return NULL;
    *source = call->content->reply_stream + talk_chunk_length(call->reply.returned, n);
    return &call->reply.returned[n];
}

static void grant(struct talk *talk, enum rpcrdma_endpoint to, uint32_t credits)
{
    talk->out.header.rdma_credit = credits;
    talk->grant[to] = credits;
}

static void send_error(struct talk *talk, struct talk_call *call)
{
    talk_begin(talk, RPCRDMA_EVENT_SEND, talk_peer(call->from));
    talk->out.header.rdma_xid = call->xid;
    talk->out.header.rdma_body.proc = RPCRDMA1_ERROR;
    talk->out.header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    grant(talk, call->from, 1 + pick(&talk->dice, TALK_CALLS));
    talk_send(talk, call);
    talk->failed[call->from] = true;
}

static void invalidate(struct talk *talk, const struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    const uint8_t *source;
    const struct rpcrdma1_segment *segment = written(call, pick(&talk->dice, 4), &source);
    /* What several Calls offer is no transaction's own. */
    if (!talk->invalidates || talk->one_handle || chance(&talk->dice, 50))
        return;
    if (call->reads > 0 && chance(&talk->dice, 50))
        segment = &call->read[pick(&talk->dice, call->reads)].target;
    event->invalidate = segment != NULL;
    event->handle = segment ? segment->handle : 0;
}

static void send_reply(struct talk *talk, struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    talk_begin(talk, RPCRDMA_EVENT_SEND, talk_peer(call->from));
    out->header.rdma_xid = call->xid;
    out->header.rdma_body.proc = call->long_reply ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    struct rpcrdma1_chunk_lists *lists = &out->header.rdma_body.rdma_msg;
    *lists = (struct rpcrdma1_chunk_lists){.rdma_reply = {.present = call->has_reply}};
    talk_offer_results(out, call);
    for (uint32_t i = 0; i < call->writes; i++) {
        out->writes[i].target.items = call->write[i].returned;
        if (call->write[i].returned_empty)
            out->writes[i].target.count = 0;
    }
    lists->rdma_reply.value.target.items = call->reply.returned;
    if (!call->long_reply) {
        out->payload = call->content->reply_stream;
        out->payload_length = call->content->reply_length;
    }
    grant(talk, call->from, 1 + pick(&talk->dice, TALK_CALLS));
    invalidate(talk, call);
    talk_send(talk, call);
    talk->replied[call->from] = true;
}

/* What has this XID is not in flight any more, whichever of its messages was answered. */
static void settle(struct talk *talk, const struct talk_call *call)
{
    for (unsigned i = 0; i < TALK_CALLS; i++)
        if (talk->calls[call->from][i].active && talk->calls[call->from][i].xid == call->xid)
            talk->calls[call->from][i].answered = true;
}

static void answer(struct talk *talk, struct talk_call *call)
{
    call->fails ? send_error(talk, call) : send_reply(talk, call);
    settle(talk, call);
    if (--call->copies == 0)
        call->active = false;
}

/* The Responder's next step with this Call. */
static void serve(struct talk *talk, struct talk_call *call)
{
    const struct rpcrdma1_segment *segment;
    const uint8_t *source;
    if (call->next_read < call->reads) {
        operate(talk, call, RPCRDMA_EVENT_RDMA_READ, &call->read[call->next_read].target,
                call->source[call->next_read]);
        call->next_read++;
    } else if (!call->planned) {
        plan(talk, call);
        call->fails = call->fails || chance(&talk->dice, 3);
        if (call->fails)
            answer(talk, call);
    } else if (call->fails) {
        answer(talk, call);
    } else if ((segment = written(call, call->next_write, &source)) != NULL) {
        operate(talk, call, RPCRDMA_EVENT_RDMA_WRITE, segment, source);
        call->next_write++;
    } else {
        answer(talk, call);
    }
}

/* ---- the conversation ---- */

uint32_t talk_in_flight(const struct talk *talk, enum rpcrdma_endpoint from)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < TALK_CALLS; i++) {
        const struct talk_call *call = &talk->calls[from][i];
        count += call->active && !call->answered && !call->again;
    }
    return count;
}

static bool may_call(const struct talk *talk, enum rpcrdma_endpoint from)
{
    if (from == RPCRDMA_SERVER && !talk->called[RPCRDMA_CLIENT])
        return false;
    return talk_in_flight(talk, from) < (talk->replied[from] ? talk->grant[from] : 1);
}

void talk_step(struct talk *talk)
{
    struct dice *dice = &talk->dice;
    enum rpcrdma_endpoint from = chance(dice, 80) ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    struct talk_call *call = &talk->calls[from][pick(dice, TALK_CALLS)];
    if (!call->active) {
        if (may_call(talk, from)) {
            talk_make_call(talk, call, from);
            talk_send_call(talk, call);
        }
    } else if (!call->answered && !call->planned && chance(dice, 2)) {
        send_again(talk, call);
    } else {
        serve(talk, call);
    }
    talk->unseen -= talk->unseen > 0;
}

/* What the peers told each other while they connected, or what the settings say. */
static void connect(struct talk *talk)
{
    uint8_t octets[2][8];
    bool all = chance(&talk->dice, 30);
    for (unsigned side = 0; side < 2; side++)
        talk->threshold[side] = talk->config.inline_threshold[side] ? 2048 : RPCRDMA_DEFAULT_INLINE;
    if (!all)
        return;
    for (unsigned side = 0; side < 2; side++) {
        struct rpcrdma_private_data data = {1, true, 4096, 4096, 0};
        rpcrdma_private_data_encode(octets[side], 8, &data);
        talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_PRIVATE_DATA,
                                                 .from = (enum rpcrdma_endpoint)side,
                                                 .data = octets[side],
                                                 .length = 8};
        size_t snap = talk->snap;
        talk->snap = 8;
        talk_judge(talk);
        talk->snap = snap;
        if (talk->config.inline_threshold[side] == 0)
            talk->threshold[side] = 4096;
    }
    talk->invalidates = true;
}

static void choose_settings(struct talk *talk)
{
    struct dice *dice = &talk->dice;
    talk->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    talk->config.max_calls = chance(dice, 50) ? 256 : TALK_CALLS;
    talk->config.max_segments = 1024;
    talk->config.reverse_direction = chance(dice, 30);
    talk->config.seen_between = chance(dice, 30);
    talk->config.mid_stream = chance(dice, 20);
    if (chance(dice, 70))
        talk->config.bindings = rpcrdma_bindings;
    if (chance(dice, 30))
        talk->config.inline_threshold[0] = talk->config.inline_threshold[1] = 2048;
    talk->one_handle = chance(dice, 30);
    talk->rdma_seen = chance(dice, 70);
    talk->content_seen = chance(dice, 80);
    talk->other_forms = chance(dice, 50);
}

void talk_start(struct talk *talk, uint64_t seed, void *memory, size_t size)
{
    memset(talk, 0, offsetof(struct talk, content));
    memset(&talk->grant, 0, sizeof *talk - offsetof(struct talk, grant));
    talk->seed = seed;
    talk->dice.state = seed;
    talk->snap = SIZE_MAX;
    talk->needs = UINT64_MAX;
    for (unsigned i = 0; i < 2 * TALK_CALLS; i++)
        talk->calls[i / TALK_CALLS][i % TALK_CALLS].content =
            &talk->content[i / TALK_CALLS][i % TALK_CALLS];
    choose_settings(talk);
    talk->check = rpcrdma_check_init(memory, size, &talk->config);
    if (talk->check == NULL)
        ck_abort_msg("the checker does not fit");
    talk->next_xid[0] = (uint32_t)dice_roll(&talk->dice);
    talk->next_xid[1] =
        chance(&talk->dice, 50) ? talk->next_xid[0] : (uint32_t)dice_roll(&talk->dice);
    talk->next_address = dice_roll(&talk->dice) >> 8;
    connect(talk);
    if (talk->config.mid_stream)
        talk->unseen = pick(&talk->dice, 200);
}
