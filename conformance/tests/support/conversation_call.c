// SPDX-License-Identifier: BSD-3-Clause
/* Calls of a conversation: what they ask, which of their forms they have, which memory they offer.
 */
#include "conformance/tests/support/conversation.h"

#include <check.h>
#include <rpcrdma/binding.h>
#include <string.h>

uint64_t talk_chunk_length(const struct rpcrdma1_segment *segments, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += segments[i].length;
    return sum;
}

enum rpcrdma_endpoint talk_peer(enum rpcrdma_endpoint from)
{
    return from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

/* ---- memory ---- */

static struct rpcrdma1_segment new_segment(struct talk *talk, uint32_t length)
{
    struct rpcrdma1_segment segment = {.length = length};
    bool apart = chance(&talk->dice, 70);
    segment.handle = talk->one_handle ? 0x42 : (uint32_t)(talk->next_address >> 4);
    segment.offset = talk->next_address;
    talk->next_address += segment.length + (apart ? 64 : 0);
    if (!talk->one_handle)
        talk->next_address += 16; /* another handle for the next one */
    return segment;
}

/* Octets of memory in this many segments, some of which can be empty. */
static void cut(struct talk *talk, uint32_t octets, uint32_t count, uint32_t *lengths)
{
    for (uint32_t i = 0; i < count; i++) {
        lengths[i] = i + 1 == count ? octets : pick(&talk->dice, octets + 1);
        octets -= lengths[i];
    }
}

static void make_chunk(struct talk *talk, struct talk_chunk *chunk, uint32_t octets, uint32_t count)
{
    uint32_t lengths[TALK_SEGMENTS];
    chunk->count = count;
    cut(talk, octets, count, lengths);
    for (uint32_t i = 0; i < count; i++)
        chunk->segment[i] = new_segment(talk, lengths[i]);
}

/* ---- RPC ---- */

static bool is_sealed(const struct talk_call *call)
{
    return call->service == 2 || call->service == 3;
}

bool talk_is_plain(const struct talk_call *call)
{
    return call->service == 0 || (call->gss_proc == 0 && !is_sealed(call));
}

static void put_gss_credential(struct talk *talk, const struct talk_call *call,
                               struct message *message)
{
    uint32_t handle = pick(&talk->dice, 16);
    message_word(message, 20 + ((handle + 3) & ~(uint32_t)3));
    message_word(message, 1);
    message_word(message, call->gss_proc);
    message_word(message, call->gss_seq);
    message_word(message, call->service);
    message_opaque(message, &talk->dice, handle);
}

static void put_sys_credential(struct talk *talk, struct message *message)
{
    uint32_t name = pick(&talk->dice, 20), groups = pick(&talk->dice, 17);
    message_word(message, 20 + ((name + 3) & ~(uint32_t)3) + 4 * groups);
    message_random(message, &talk->dice, 1);
    message_opaque(message, &talk->dice, name);
    message_random(message, &talk->dice, 2);
    message_word(message, groups);
    message_random(message, &talk->dice, groups);
}

void talk_put_verifier(struct talk *talk, const struct talk_call *call, struct message *message)
{
    bool gss = call->service != 0 && (call->gss_proc == 0 || call->gss_proc == 3);
    message_word(message, gss ? 6 : 0);
    if (gss)
        message_opaque(message, &talk->dice, 4 * pick(&talk->dice, 10));
    else
        message_word(message, 0);
}

static void put_call_header(struct talk *talk, const struct talk_call *call,
                            struct message *message)
{
    message_begin(message);
    message_word(message, call->xid);
    message_word(message, 0);
    message_word(message, 2);
    message_word(message, call->asked.program);
    message_word(message, call->asked.version);
    message_word(message, call->asked.procedure);
    message_word(message, call->flavor);
    if (call->flavor == 6)
        put_gss_credential(talk, call, message);
    else if (call->flavor == 1)
        put_sys_credential(talk, message);
    else
        message_word(message, 0);
    talk_put_verifier(talk, call, message);
}

void talk_put_anything(struct talk *talk, struct message *message, uint32_t most_items)
{
    message_random(message, &talk->dice, pick(&talk->dice, 30));
    for (uint32_t i = pick(&talk->dice, most_items + 1); i > 0; i--) {
        message_opaque(message, &talk->dice, 1 + pick(&talk->dice, 1200));
        message_is_item(message);
        message_random(message, &talk->dice, pick(&talk->dice, 10));
    }
}

/* ---- Calls ---- */

/* Read chunks for the items that leave the message, and for the message itself if it is long. */
static void make_read_chunk(struct talk *talk, struct talk_call *call, uint32_t position,
                            uint32_t octets)
{
    uint32_t lengths[TALK_SEGMENTS], count = 1 + pick(&talk->dice, TALK_SEGMENTS);
    cut(talk, octets, count, lengths);
    for (uint32_t i = 0; i < count; i++)
        call->read[call->reads++] =
            (struct rpcrdma1_read_segment){position, new_segment(talk, lengths[i])};
}

/* The order of the chunks means nothing: sometimes the first goes last, whole or in part. */
static void turn_read_list(struct talk *talk, struct talk_call *call)
{
    uint32_t head = 1;
    while (head < call->reads && call->read[head].position == call->read[0].position)
        head++;
    if (head == call->reads)
        return;
    for (; head > 0 && pick(&talk->dice, 2); head--) {
        struct rpcrdma1_read_segment moved = call->read[0];
        memmove(&call->read[0], &call->read[1], (call->reads - 1) * sizeof moved);
        call->read[call->reads - 1] = moved;
    }
}

/* Entries of one Position are joined in the order of the list. */
static void find_sources(struct talk_call *call)
{
    for (uint32_t i = 0; i < call->reads; i++) {
        const uint8_t *source = call->read[i].position == 0
                                    ? call->content->call_stream
                                    : call->content->call.octets + call->read[i].position;
        for (uint32_t k = 0; k < i; k++)
            if (call->read[k].position == call->read[i].position)
                source += call->read[k].target.length;
        call->source[i] = source;
    }
}

static void make_reads(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    call->reads = 0;
    if (call->is_long)
        make_read_chunk(talk, call, 0, (uint32_t)call->content->call_length);
    for (unsigned i = 0; i < message->items; i++)
        if (call->out >> i & 1)
            make_read_chunk(talk, call, (uint32_t)message->item[i].at, message->item[i].length);
    if (call->reads > 0)
        turn_read_list(talk, call);
    find_sources(call);
}

/* Memory for results. What a Write chunk can hold is all that its result can have, or that and
 * more than padding. */
static void make_results(struct talk *talk, struct talk_call *call)
{
    struct dice *dice = &talk->dice;
    uint64_t most = 0;
    bool writes = !is_sealed(call) && chance(dice, 60);
    call->writes = 0;
    for (uint32_t i = 0; call->is_nfs && i < call->asked.results; i++) {
        uint32_t length = call->asked.most[i] == NFS_ANY ? 1024 : call->asked.most[i];
        bool empty = chance(dice, 10), listed = writes && i < TALK_CHUNKS && chance(dice, 90);
        writes = writes && listed;
        if (listed)
            make_chunk(talk, &call->write[call->writes++], length + (chance(dice, 50) ? 0 : 64),
                       empty ? 0 : 1 + pick(dice, TALK_SEGMENTS));
        if (!listed || empty)
            most += length + 8;
    }
    if (call->is_nfs && call->asked.results == 0 && chance(dice, 5)) /* needless */
        make_chunk(talk, &call->write[call->writes++], 100 + pick(dice, 900), 1);
    for (uint32_t i = pick(dice, TALK_CHUNKS + 1); !call->is_nfs && writes && i > 0; i--)
        make_chunk(talk, &call->write[call->writes++], pick(dice, 3000),
                   pick(dice, TALK_SEGMENTS + 1));
    call->has_reply = most + 400 > talk->threshold[talk_peer(call->from)] || chance(dice, 40) ||
                      (call->is_nfs && call->asked.unbounded);
    if (call->has_reply)
        make_chunk(talk, &call->reply, (uint32_t)most + pick(dice, 3000),
                   1 + pick(dice, TALK_SEGMENTS));
}

size_t talk_header_length(const struct talk_call *call)
{
    size_t length = 28 + 24 * call->reads;
    for (uint32_t i = 0; i < call->writes; i++)
        length += 8 + 16 * call->write[i].count;
    return length + (call->has_reply ? 4 + 16 * call->reply.count : 0);
}

/* Which of the forms that are open to a Call this one has. */
void talk_shape_call(struct talk *talk, struct talk_call *call)
{
    struct talk_content *content = call->content;
    call->out = talk_is_plain(call) && chance(&talk->dice, 60) ? pick(&talk->dice, 16) : 0;
    for (unsigned i = 0; i < MESSAGE_ITEMS; i++)
        if (i >= content->call.items || content->call.item[i].length == 0)
            call->out &= ~(1u << i);
    content->call_length = message_reduce(&content->call, call->out, content->call_stream);
    call->is_long = chance(&talk->dice, 15);
    make_results(talk, call);
    make_reads(talk, call);
    if (!call->is_long &&
        talk_header_length(call) + content->call_length > talk->threshold[call->from]) {
        call->is_long = true;
        make_reads(talk, call);
    }
}

static void choose_credential(struct talk *talk, struct talk_call *call)
{
    struct dice *dice = &talk->dice;
    call->flavor = chance(dice, 30) ? 6 : pick(dice, 2);
    if (call->flavor != 6)
        return;
    call->service = 1 + pick(dice, 4);
    call->gss_proc = chance(dice, 20) ? 1 + pick(dice, 3) : 0;
    call->gss_seq = pick(dice, 1000);
}

static void put_arguments(struct talk *talk, struct talk_call *call)
{
    struct dice *dice = &talk->dice;
    struct message *message = &call->content->call;
    message_begin_body(message);
    if (is_sealed(call) || call->gss_proc != 0)
        message_opaque(message, dice, pick(dice, 400));
    else if (call->is_nfs)
        nfs_arguments(&call->asked, dice, message);
    else
        talk_put_anything(talk, message, MESSAGE_ITEMS);
}

/* What is called: of NFS, and of others. A server of NFS calls back. */
static void choose_program(struct talk *talk, struct talk_call *call)
{
    struct dice *dice = &talk->dice;
    bool bound = talk->config.bindings != NULL;
    if (bound && call->from == RPCRDMA_CLIENT && chance(dice, 90)) {
        nfs_choose(&call->asked, dice);
        call->is_nfs = talk_is_plain(call);
    } else if (bound) {
        call->asked = (struct nfs_asked){.program = 0x20000000 + pick(dice, 9), .version = 1};
        call->asked.procedure = 1 + pick(dice, 9);
    } else {
        call->asked = (struct nfs_asked){.program = 100003, .procedure = 1};
        call->asked.version = chance(dice, 50) ? 3 : 4;
    }
}

static void make_callback(struct talk *talk, struct talk_call *call)
{
    struct message arguments;
    message_begin(&arguments);
    nfs_callback(&call->asked, &talk->dice, &arguments);
    put_call_header(talk, call, &call->content->call);
    struct message *message = &call->content->call;
    memcpy(message->octets + message->length, arguments.octets, arguments.length);
    message->length += arguments.length;
    call->is_nfs = true;
}

void talk_make_call(struct talk *talk, struct talk_call *call, enum rpcrdma_endpoint from)
{
    struct talk_content *content = call->content;
    *call = (struct talk_call){.active = true, .from = from, .copies = 1, .content = content};
    call->xid = talk->next_xid[from]++;
    call->unseen = talk->unseen > 0;
    choose_credential(talk, call);
    if (from == RPCRDMA_SERVER && talk_is_plain(call) && chance(&talk->dice, 50)) {
        make_callback(talk, call);
    } else {
        choose_program(talk, call);
        put_call_header(talk, call, &content->call);
        put_arguments(talk, call);
    }
    talk_shape_call(talk, call);
}

void talk_offer_results(struct talk_out *out, struct talk_call *call)
{
    struct rpcrdma1_chunk_lists *lists = &out->header.rdma_body.rdma_msg;
    for (uint32_t i = 0; i < call->writes; i++) {
        out->writes[i] = (struct rpcrdma1_write_chunk){.target = {.count = call->write[i].count}};
        out->writes[i].target.items = call->write[i].segment;
    }
    lists->rdma_writes.items = out->writes;
    lists->rdma_writes.count = call->writes;
    lists->rdma_reply.present = call->has_reply;
    lists->rdma_reply.value.target.items = call->reply.segment;
    lists->rdma_reply.value.target.count = call->reply.count;
}

void talk_send_call(struct talk *talk, struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    talk_begin(talk, RPCRDMA_EVENT_SEND, call->from);
    out->header.rdma_xid = call->xid;
    out->header.rdma_credit = 1 + pick(&talk->dice, 64);
    out->header.rdma_body.proc = call->is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    struct rpcrdma1_chunk_lists *lists = &out->header.rdma_body.rdma_msg;
    lists->rdma_reads.items = call->read;
    lists->rdma_reads.count = call->reads;
    talk_offer_results(out, call);
    if (!call->is_long) {
        out->payload = call->content->call_stream;
        out->payload_length = call->content->call_length;
    }
    talk_send(talk, call);
    talk->called[call->from] = true;
}
