// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/requester.h"

#include "rxe-harness/requester/version2.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAX (RPCRDMA1_HEADER_MIN + 24 * REQUESTER_SEGMENTS + 64)

/* ---- the connection, under the checker's eyes ---- */

static size_t keep(uint8_t octets[REQUESTER_INLINE], const uint8_t *from, size_t length)
{
    size_t kept = length < REQUESTER_INLINE ? length : REQUESTER_INLINE;
    if (kept > 0)
        memcpy(octets, from, kept);
    return kept;
}

static void note_sent(struct requester *requester, const struct rpcrdma_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    requester->open = judgement->reactions;
    requester->broken = judgement->count > 0 ? (int)judgement->findings[0].rule : -1;
    infer_sent(requester->infer, event->data, event->length);
    requester->sent_length = keep(requester->sent, event->data, event->length);
    requester->came_length = 0;
}

static void note_came(struct requester *requester, const struct rpcrdma_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    requester->reactions = judgement->reactions;
    requester->came_length = keep(requester->came, event->data, event->length);
    if (judgement->has_credit)
        requester->granted = judgement->credit;
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct requester *requester = arg;
    bool is_send = event->type == RPCRDMA_EVENT_SEND, ours = event->from == RPCRDMA_CLIENT;
    if (is_send && ours)
        note_sent(requester, event, judgement);
    else if (is_send)
        note_came(requester, event, judgement);
    if (requester->witness)
        requester->witness(requester->finding_arg, &requester->watched.config, event, judgement);
    for (unsigned i = 0; !ours && requester->finding && i < judgement->count; i++)
        requester->finding(requester->finding_arg, event, &judgement->findings[i]);
}

static void conclude_move(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                          const uint8_t *octets, size_t length)
{
    watched_moved(arg, RPCRDMA_SERVER, is_write, handle, offset, octets, length);
}

/* What a Reply tells of RDMA operations was before it. */
static void wait_and_infer(void *arg, unsigned timeout, struct link_event *event)
{
    struct requester *requester = arg;
    watched_take(&requester->watched, timeout, event);
    if (event->type == LINK_RECEIVED)
        infer_reply(requester->infer, event->octets, event->length);
    watched_came(&requester->watched, event);
}

static bool make_checker(struct requester *requester, const struct requester_options *wanted)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.max_calls = 2 * REQUESTER_RECEIVES;
    config.max_segments = 256;
    config.bindings = wanted->binding ? rpcrdma_bindings : NULL;
    config.draft = wanted->draft == RPCRDMA_PROTOCOL_2_04   ? RPCRDMA_DRAFT_04
                   : wanted->draft == RPCRDMA_PROTOCOL_2_07 ? RPCRDMA_DRAFT_07
                                                            : RPCRDMA_DRAFT_AUTO;
    config.captured = wanted->draft != RPCRDMA_PROTOCOL_1; /* Sends of both sides cross */
    requester->watched.on_event = on_event;
    requester->watched.incoming = wanted->infers ? wait_and_infer : NULL;
    requester->watched.arg = requester;
    return watched_init(&requester->watched, &config);
}

static struct infer *make_infer(struct requester *requester)
{
    struct infer *infer = calloc(1, sizeof *infer);
    if (infer) {
        infer->moved = conclude_move;
        infer->arg = &requester->watched;
    }
    return infer;
}

struct requester *requester_open(struct transport *transport, unsigned timeout, bool invalidates,
                                 requester_finding *finding, void *arg)
{
    const struct requester_options options = {
        .timeout = timeout, .invalidates = invalidates, .finding = finding, .arg = arg};
    return requester_connect(transport, &options);
}

struct requester *requester_connect(struct transport *transport,
                                    const struct requester_options *wanted)
{
    uint8_t octets[RPCRDMA_PRIVATE_DATA_LENGTH];
    struct rpcrdma_private_data own = {.remote_invalidation = wanted->invalidates,
                                       .send_size = REQUESTER_INLINE,
                                       .receive_size = REQUESTER_INLINE},
                                peer;
    rpcrdma_private_data_encode(octets, sizeof octets, &own);
    const uint8_t *said = wanted->private_data ? wanted->private_data : octets;
    size_t length = wanted->private_data ? wanted->private_length : sizeof octets;
    bool tells = rpcrdma_private_data_find(&own, said, length) == 0;
    const struct link_options options = {
        .receive_size = wanted->told_size > REQUESTER_INLINE ? wanted->told_size : REQUESTER_INLINE,
        .receives = REQUESTER_RECEIVES,
        .private_data = said,
        .private_length = length,
        .timeout = wanted->timeout};
    struct requester *requester = calloc(1, sizeof *requester);
    if (requester && wanted->infers)
        requester->infer = make_infer(requester);
    if (requester == NULL || !make_checker(requester, wanted) ||
        (wanted->infers && requester->infer == NULL)) {
        snprintf(transport->error, sizeof transport->error, "not enough memory");
        if (requester)
            requester_close(requester);
        return NULL;
    }
    transport->error[0] = '\0';
    requester->link = transport->ops->connect(transport, &options);
    if (requester->link == NULL) {
        requester_close(requester);
        return NULL;
    }
    struct link *link = requester->link;
    if (wanted->tamper)
        wanted->tamper(wanted->arg, link);
    requester->finding = wanted->finding;
    requester->witness = wanted->witness;
    requester->finding_arg = wanted->arg;
    requester->xid = 0x7e570000;
    requester->program = wanted->program;
    requester->version = wanted->version;
    requester->invalidates = wanted->invalidates;
    requester->granted = 1;
    watched_begin(&requester->watched, link);
    if (wanted->infers)
        link->observe = NULL;
    bool told = rpcrdma_private_data_find(&peer, link->private_data, link->private_length) == 0;
    uint32_t thresholds[2];
    rpcrdma_inline_thresholds(tells ? &own : NULL, told ? &peer : NULL, thresholds);
    requester->send_limit =
        thresholds[0] < REQUESTER_INLINE ? thresholds[0] : (uint32_t)REQUESTER_INLINE;
    watched_private(&requester->watched, RPCRDMA_CLIENT, said, length);
    watched_private(&requester->watched, RPCRDMA_SERVER, link->private_data, link->private_length);
    if (wanted->draft == RPCRDMA_PROTOCOL_1 || requester_settle2(requester, wanted))
        return requester;
    snprintf(transport->error, sizeof transport->error, "version 2 is not spoken: %.200s",
             link->why[0] != '\0' ? link->why : "no answer to its first message");
    bool returns = requester->unanswered && !wanted->no_fallback;
    struct requester_options old = *wanted;
    old.draft = RPCRDMA_PROTOCOL_1;
    requester_close(requester);
    return returns ? requester_connect(transport, &old) : NULL;
}

void requester_close(struct requester *requester)
{
    if (requester->link)
        watched_end(&requester->watched, RPCRDMA_CLIENT);
    session_free(requester->session);
    if (requester->link)
        requester->link->ops->close(requester->link);
    infer_free(requester->infer);
    watched_free(&requester->watched);
    free(requester);
}

bool requester_send(struct requester *requester, const uint8_t *octets, size_t length)
{
    return requester->link->ops->send(requester->link, octets, length, NULL);
}

void requester_wait(struct requester *requester, unsigned timeout, struct link_event *event)
{
    requester->link->ops->wait(requester->link, timeout, event);
}

bool requester_gone(const struct requester *requester)
{
    return requester->watched.gone;
}

/* ---- memory ---- */

bool requester_expose(struct requester *requester, struct requester_memory *memory, uint8_t *octets,
                      size_t length, unsigned access, struct link_memory *piece)
{
    static uint8_t nothing[8]; /* what no octet of is used still has a handle */
    if (memory->count == REQUESTER_SEGMENTS)
        return false;
    *piece = (struct link_memory){.octets = length > 0 ? octets : nothing,
                                  .length = length > 0 ? length : sizeof nothing};
    if (!requester->link->ops->expose(requester->link, piece, access))
        return false;
    infer_exposed(requester->infer, piece);
    memory->pieces[memory->count++] = *piece;
    return true;
}

void requester_hide(struct requester *requester, struct requester_memory *memory)
{
    for (unsigned i = 0; i < memory->count; i++) {
        infer_hidden(requester->infer, &memory->pieces[i]);
        requester->link->ops->hide(requester->link, &memory->pieces[i]);
    }
    memory->count = 0;
}

/* Cut octets into `count` segments of about the same length; none is empty unless they all are. */
static bool expose_chunk(struct requester *requester, struct requester_memory *memory,
                         uint8_t *octets, size_t length, unsigned count, unsigned access,
                         struct rpcrdma1_segment *segments)
{
    for (unsigned i = 0; i < count; i++) {
        size_t part = length / (count - i);
        struct link_memory piece;
        if (!requester_expose(requester, memory, octets, part, access, &piece))
            return false;
        segments[i] = (struct rpcrdma1_segment){
            .handle = piece.handle, .length = (uint32_t)part, .offset = piece.offset};
        octets += part;
        length -= part;
    }
    return true;
}

/* ---- Calls ---- */

void requester_rpc(uint8_t octets[REQUESTER_RPC], uint32_t xid, uint32_t program, uint32_t version,
                   uint32_t procedure)
{
    const uint32_t words[REQUESTER_RPC / 4] = {xid, 0, 2, program, version, procedure};
    for (size_t i = 0; i < REQUESTER_RPC / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
}

void requester_null_call(const struct requester *requester, uint32_t xid,
                         uint8_t octets[REQUESTER_NULL])
{
    const struct rpcrdma1_header header = {.rdma_xid = xid,
                                           .rdma_vers = RPCRDMA_VERSION_1,
                                           .rdma_credit = REQUESTER_CREDITS,
                                           .rdma_body.proc = RPCRDMA1_MSG};
    rpcrdma1_header_encode(octets, RPCRDMA1_HEADER_MIN, &header, NULL);
    requester_rpc(octets + RPCRDMA1_HEADER_MIN, xid, requester->program, requester->version, 0);
}

size_t requester_long_header(uint32_t xid, const struct link_memory *memory,
                             uint8_t octets[REQUESTER_LONG_HEADER])
{
    const struct rpcrdma1_read_segment segment = {.target = {.handle = memory->handle,
                                                             .length = (uint32_t)memory->length,
                                                             .offset = memory->offset}};
    const struct rpcrdma1_header header = {
        .rdma_xid = xid,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = REQUESTER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_NOMSG,
                      .rdma_nomsg.rdma_reads = {.items = &segment, .count = 1}}};
    ptrdiff_t length = rpcrdma1_header_encode(octets, REQUESTER_LONG_HEADER, &header, NULL);
    return length < 0 ? 0 : (size_t)length;
}

/* Everything that a header points at while it is encoded. */
struct draft {
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment reads[REQUESTER_SEGMENTS];
    struct rpcrdma1_segment parts[REQUESTER_SEGMENTS], writes[REQUESTER_SEGMENTS],
        replies[REQUESTER_SEGMENTS];
    struct rpcrdma1_write_chunk write[REQUESTER_CHUNKS];
    uint32_t read_count;
};

static bool add_read_chunk(struct requester *requester, struct requester_pending *pending,
                           struct draft *draft, uint8_t *octets, size_t length, unsigned segments,
                           size_t position)
{
    if (segments > REQUESTER_SEGMENTS - draft->read_count ||
        !expose_chunk(requester, &pending->memory, octets, length, segments, LINK_PEER_READS,
                      draft->parts))
        return false;
    for (unsigned i = 0; i < segments; i++)
        draft->reads[draft->read_count++] = (struct rpcrdma1_read_segment){
            .position = (uint32_t)position, .target = draft->parts[i]};
    return true;
}

/* Room for eligible results: chunks of the same size, one after the other. */
static bool add_writes(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, struct draft *draft)
{
    unsigned chunks = call->write_chunks > 0 ? call->write_chunks : 1;
    if (chunks > REQUESTER_CHUNKS || call->write_segments > REQUESTER_SEGMENTS / chunks)
        return false;
    pending->item_room = call->write_room;
    pending->item = calloc(chunks, call->write_room + 1);
    bool good = pending->item != NULL;
    for (unsigned i = 0; good && i < chunks; i++) {
        struct rpcrdma1_segment *segments = draft->writes + (size_t)i * call->write_segments;
        good = expose_chunk(requester, &pending->memory, pending->item + i * call->write_room,
                            call->write_room, call->write_segments, LINK_PEER_WRITES, segments);
        draft->write[i].target =
            (struct rpcrdma1_segment_array){.items = segments, .count = call->write_segments};
    }
    draft->header.rdma_body.rdma_msg.rdma_writes =
        (struct rpcrdma1_write_list){.items = draft->write, .count = chunks};
    return good;
}

/* Room for results. */
static bool add_rooms(struct requester *requester, const struct requester_call *call,
                      struct requester_pending *pending, struct draft *draft)
{
    struct rpcrdma1_chunk_lists *lists = &draft->header.rdma_body.rdma_msg;
    bool has_writes = call->write_segments > 0 || call->write_chunks > 0;
    bool good = !has_writes || add_writes(requester, call, pending, draft);
    if (good && call->reply_segments > 0) {
        pending->reply_room = call->reply_room;
        pending->reply = calloc(1, call->reply_room + 1);
        good = pending->reply &&
               expose_chunk(requester, &pending->memory, pending->reply, call->reply_room,
                            call->reply_segments, LINK_PEER_WRITES, draft->replies);
        lists->rdma_reply.present = true;
        lists->rdma_reply.value.target =
            (struct rpcrdma1_segment_array){.items = draft->replies, .count = call->reply_segments};
    }
    return good;
}

static size_t rpc_length(const struct requester_call *call)
{
    return call->as_root ? REQUESTER_RPC_SYS : REQUESTER_RPC;
}

/* AUTH_SYS: no stamp, no name, user and group 0. */
static void put_credential(uint8_t octets[REQUESTER_RPC_SYS])
{
    memset(octets + REQUESTER_RPC - 16, 0, REQUESTER_RPC_SYS - (REQUESTER_RPC - 16));
    rpcrdma_xdr_store32(octets + REQUESTER_RPC - 16, 1);
    rpcrdma_xdr_store32(octets + REQUESTER_RPC - 12, REQUESTER_RPC_SYS - REQUESTER_RPC);
}

/* Items that are taken out, each this many octets after the one before. */
static unsigned items_of(const struct requester_call *call)
{
    unsigned items = call->read_items > 0 ? call->read_items : 1;
    return call->read_segments > 0 ? items : 0;
}

static size_t stride_of(const struct requester_call *call)
{
    return 4 + call->item_length + (4 - call->item_length % 4) % 4;
}

/* The Call's octets, reduced ones first; then those of the items that were taken out. */
static size_t lay_out(const struct requester_call *call, const struct requester *requester,
                      uint8_t *octets)
{
    size_t rpc = rpc_length(call), length = rpc, from = 0;
    requester_rpc(octets, requester->xid, requester->program, requester->version, call->procedure);
    if (call->as_root)
        put_credential(octets);
    for (unsigned i = 0; i <= items_of(call); i++) { /* what is before each item, and after all */
        size_t at = call->item_at + i * stride_of(call);
        size_t until = i < items_of(call) ? at : call->args_length;
        if (until > from)
            memcpy(octets + length, call->args + from, until - from);
        length += until - from;
        from = at + stride_of(call) - 4;
    }
    for (unsigned i = 0; i < items_of(call); i++)
        memcpy(octets + length + i * call->item_length,
               call->args + call->item_at + i * stride_of(call), call->item_length);
    return length;
}

/* The lists, with memory for all that they name; the octets that go into the Send. */
static bool build_lists(struct requester *requester, const struct requester_call *call,
                        struct requester_pending *pending, struct draft *draft, size_t *inlined)
{
    pending->call = malloc(rpc_length(call) + call->args_length + 4);
    if (pending->call == NULL)
        return false;
    size_t payload = lay_out(call, requester, pending->call);
    bool is_long = call->long_segments > 0;
    if (is_long &&
        !add_read_chunk(requester, pending, draft, pending->call, payload, call->long_segments, 0))
        return false;
    for (unsigned i = 0; i < items_of(call); i++)
        if (!add_read_chunk(requester, pending, draft,
                            pending->call + payload + i * call->item_length, call->item_length,
                            call->read_segments,
                            rpc_length(call) + call->item_at + i * stride_of(call)))
            return false;
    draft->header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    draft->header.rdma_body.rdma_msg.rdma_reads =
        (struct rpcrdma1_read_list){.items = draft->reads, .count = draft->read_count};
    *inlined = is_long ? 0 : payload;
    return add_rooms(requester, call, pending, draft);
}

static bool build_call(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, struct draft *draft,
                       uint8_t octets[REQUESTER_INLINE], size_t *length)
{
    size_t inlined;
    if (!build_lists(requester, call, pending, draft, &inlined))
        return false;
    ptrdiff_t header = rpcrdma1_header_encode(octets, REQUESTER_INLINE, &draft->header, NULL);
    if (header < 0 || inlined > requester->send_limit ||
        (size_t)header > requester->send_limit - inlined)
        return false;
    memcpy(octets + header, pending->call, inlined);
    *length = (size_t)header + inlined;
    return true;
}

bool requester_prepare(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, uint8_t octets[REQUESTER_INLINE],
                       size_t *length)
{
    struct draft *draft = calloc(1, sizeof *draft);
    *pending = (struct requester_pending){.xid = ++requester->xid};
    if (draft == NULL)
        return false;
    draft->header.rdma_xid = requester->xid;
    draft->header.rdma_vers = RPCRDMA_VERSION_1;
    draft->header.rdma_credit = REQUESTER_CREDITS;
    bool good = build_call(requester, call, pending, draft, octets, length);
    free(draft);
    return good;
}

/* The same lists as a message of version 2: what holds the Call is apart from the data items. The
 * first handle is the one that may be invalidated. */
static bool begin2(struct requester *requester, const struct requester_call *call,
                   struct requester_pending *pending)
{
    struct draft *draft = calloc(1, sizeof *draft);
    size_t length;
    *pending = (struct requester_pending){.xid = ++requester->xid};
    bool good = draft && build_lists(requester, call, pending, draft, &length);
    if (good) {
        const struct rpcrdma1_chunk_lists *lists = &draft->header.rdma_body.rdma_msg;
        uint32_t apart = call->long_segments;
        const struct session_message message = {
            .direction = RPCRDMA_CALL,
            .xid = pending->xid,
            .rpc = pending->call,
            .length = length,
            .external = apart > 0,
            .invalidate = requester->invalidates && pending->memory.count > 0
                              ? pending->memory.pieces[0].handle
                              : 0,
            .call = {.items = draft->reads, .count = apart},
            .reads = {.items = draft->reads + apart, .count = draft->read_count - apart},
            .writes = lists->rdma_writes,
            .reply = lists->rdma_reply};
        good = session_send(requester->session, &message);
    }
    free(draft);
    return good;
}

bool requester_begin(struct requester *requester, const struct requester_call *call,
                     struct requester_pending *pending)
{
    uint8_t octets[REQUESTER_INLINE];
    size_t length;
    if (requester->session == NULL)
        return requester_prepare(requester, call, pending, octets, &length) &&
               requester_send(requester, octets, length);
    if (begin2(requester, call, pending))
        return true;
    if (call->long_segments > 0)
        return false;
    struct requester_call longer = *call;
    longer.long_segments = 1;
    requester_forget(requester, pending);
    return begin2(requester, &longer, pending);
}

/* ---- Replies ---- */

void requester_finish(struct requester *requester, struct requester_pending *pending,
                      unsigned timeout, struct requester_reply *reply)
{
    struct link_event event;
    if (requester->session) {
        requester_finish2(requester, pending, timeout, reply);
        return;
    }
    requester_wait(requester, timeout, &event);
    if (event.type == LINK_RECEIVED) {
        requester_read_reply(&event, pending, reply);
        return;
    }
    requester_read_nothing(requester, event.type == LINK_CLOSED, reply);
}

#define DROPPED_MAX 64

void requester_receive(struct requester *requester, struct requester_pending *pending,
                       unsigned timeout, struct requester_reply *reply)
{
    const unsigned taken = RPCRDMA_PROCESS | RPCRDMA_TERMINATE;
    for (unsigned i = 0; i < DROPPED_MAX; i++) {
        requester_finish(requester, pending, timeout, reply);
        bool nothing = reply->outcome == RPCRDMA_DISCARD || reply->outcome == RPCRDMA_CLOSE;
        bool fits = reply->outcome != 0 && reply->xid == pending->xid;
        /* By version 2 the session and reply.c have looked at it. */
        if (nothing || (fits && (requester->session || (requester->reactions & taken))))
            return;
    }
}

void requester_forget(struct requester *requester, struct requester_pending *pending)
{
    requester_hide(requester, &pending->memory);
    free(pending->call);
    free(pending->item);
    free(pending->reply);
    *pending = (struct requester_pending){.xid = 0};
}

bool requester_null(struct requester *requester, unsigned timeout)
{
    const struct requester_call call = {.procedure = 0};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    bool good = requester_begin(requester, &call, &pending);
    /* A late answer to what came before is not this one's. */
    for (unsigned tries = 0; good && tries < 8 && reply.xid != pending.xid; tries++) {
        requester_finish(requester, &pending, timeout, &reply);
        good = reply.outcome != RPCRDMA_DISCARD && reply.outcome != RPCRDMA_CLOSE;
    }
    good = good && reply.xid == pending.xid &&
           (reply.outcome == RPCRDMA_PROCESS || reply.outcome == RPCRDMA_GARBAGE_ARGS);
    requester_forget(requester, &pending);
    return good;
}
