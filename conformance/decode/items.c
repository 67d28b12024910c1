// SPDX-License-Identifier: BSD-3-Clause
/* What a Send is about, as its upper layer names it. */
#include "conformance/decode/items.h"

#include "conformance/describe/send.h"

#include <rpcrdma/rpcrdma.h>

#define RPC_MESSAGE "RPC message"

enum {
    GSS_DATA = 0,
    GSS_SERVICE_NONE = 1,
    GSS_SERVICE_INTEGRITY = 2,
    GSS_SERVICE_PRIVACY = 3,
    GSS_SERVICE_CHANNEL = 4,
};

/* What hides the arguments of a Call and the results of its Reply, or NULL. */
static const char *hidden_by(const struct rpcrdma_rpc_header *rpc)
{
    if (rpc->gss_malformed)
        return "RPCSEC_GSS";
    if (!rpc->has_gss)
        return NULL;
    if (rpc->gss_proc != GSS_DATA)
        return "context";
    switch (rpc->gss_service) {
    case GSS_SERVICE_NONE:
    case GSS_SERVICE_CHANNEL:
        return NULL;
    case GSS_SERVICE_INTEGRITY:
        return "integrity";
    case GSS_SERVICE_PRIVACY:
        return "privacy";
    }
    return "RPCSEC_GSS";
}

/* ---- Calls that wait ---- */

static struct items_call *slot(struct items *items, uint64_t connection, enum rpcrdma_endpoint from,
                               uint32_t xid)
{
    uint64_t hash = (xid ^ connection << 16 ^ (uint64_t)from << 63) * 0x9e3779b97f4a7c15u;
    return &items->calls[hash >> 32 & (ITEMS_CALLS - 1)];
}

static void find_call(struct items *items, const struct source_event *event,
                      struct items_view *view)
{
    enum rpcrdma_endpoint caller =
        event->event.from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    const struct items_call *call = slot(items, event->connection_id, caller, view->xid);
    if (call->known && call->xid == view->xid && call->from == caller &&
        call->connection == event->connection_id)
        view->call = *call;
}

static void remember_call(struct items *items, const struct source_event *event,
                          struct items_view *view, const struct rpcrdma_rpc_header *rpc)
{
    view->call = (struct items_call){.known = rpc->rpcvers == 2,
                                     .from = event->event.from,
                                     .connection = event->connection_id,
                                     .xid = view->xid,
                                     .program = rpc->prog,
                                     .version = rpc->vers,
                                     .procedure = rpc->proc,
                                     .hidden = hidden_by(rpc)};
    *slot(items, event->connection_id, event->event.from, view->xid) = view->call;
}

/* ---- the parts of a Send ---- */

static void take_lists(struct items_view *view, const struct rpcrdma_message *message)
{
    view->has_lists = message->kind == RPCRDMA_KIND_RPC;
    view->lists = message->chunks;
}

static bool is_callback(const struct items *items, uint32_t program)
{
    for (unsigned i = 0; i < items->callback_count; i++)
        if (items->callbacks[i] == program)
            return true;
    return false;
}

static void remember_callback(struct items *items, uint32_t program)
{
    if (program != 0 && !is_callback(items, program) && items->callback_count < ITEMS_CALLBACKS)
        items->callbacks[items->callback_count++] = program;
}

static void find_binding(const struct items *items, struct items_view *view)
{
    /* The Calls of servers are callbacks, of other programs whatever their numbers are. */
    if (view->call.known && view->call.from == RPCRDMA_SERVER)
        view->binding = is_callback(items, view->call.program) ? &callback_binding : NULL;
    else if (view->call.known)
        view->binding =
            rpcrdma_binding_find(rpcrdma_bindings, view->call.program, view->call.version);
}

static void look_at_rpc(struct items *items, const struct source_event *event, size_t header,
                        struct items_view *view)
{
    struct rpcrdma_rpc_header rpc;
    const uint8_t *octets = (const uint8_t *)event->event.data + header;
    size_t length = event->event.length - header;
    ptrdiff_t n = rpcrdma_rpc_header_decode(&rpc, octets, length, NULL);
    if (n < 0)
        return;
    bool has_content = rpc.is_reply ? rpc.accepted && rpc.accept_stat == 0 : rpc.rpcvers == 2;
    view->is_reply = rpc.is_reply;
    if (rpc.is_reply)
        find_call(items, event, view);
    else
        remember_call(items, event, view, &rpc);
    view->is_readable = has_content && view->call.hidden == NULL && !view->is_piece;
    find_binding(items, view);
    if (view->binding == NULL)
        return;
    length -= (size_t)n;
    view->content = (struct rpcrdma_content){.version = view->call.version,
                                             .procedure = view->call.procedure,
                                             .octets = octets + n,
                                             .length = length,
                                             .position = (uint64_t)n,
                                             .read = length};
}

/* Its RPC message is in the Reply chunk, and not among the octets. */
static void look_at_long_reply(struct items *items, const struct source_event *event,
                               struct items_view *view)
{
    view->is_reply = true;
    find_call(items, event, view);
    find_binding(items, view);
}

/* ---- pieces ---- */

static struct items_pieces *pieces_of(struct items *items, const struct source_event *event)
{
    uint64_t hash =
        (2 * event->connection_id + (event->event.from == RPCRDMA_SERVER)) * 0x9e3779b97f4a7c15u;
    struct items_pieces *pieces = &items->pieces[hash >> 32 & (ITEMS_PIECES - 1)];
    if (pieces->connection != event->connection_id || pieces->from != event->event.from)
        pieces->open = false;
    return pieces;
}

/* Where in its RPC message the payload is, if that comes in pieces. */
static void place_piece(struct items *items, const struct source_event *event,
                        const struct rpcrdma_message *message, bool begins, struct items_view *view)
{
    struct items_pieces *pieces = pieces_of(items, event);
    bool is_last = message->form == RPCRDMA_FORM_INLINE;
    bool goes_on = !begins && pieces->open && pieces->xid == view->xid;
    view->is_piece = !is_last || !begins;
    if (!view->is_piece) {
        pieces->open = false;
        return;
    }
    view->first = goes_on ? pieces->octets : 0;
    view->length = event->event.length + event->event.missing - message->header;
    if (begins || goes_on)
        view->total = view->first + view->length + (is_last ? 0 : message->rpc.remaining);
    *pieces = (struct items_pieces){.open = !is_last && view->total > 0,
                                    .from = event->event.from,
                                    .connection = event->connection_id,
                                    .xid = view->xid,
                                    .octets = view->first + view->length};
}

/* The Call that a later piece belongs to has shown its RPC header. */
static void look_at_later_piece(struct items *items, const struct source_event *event,
                                enum rpcrdma_direction direction, struct items_view *view)
{
    const struct items_call *call = slot(items, event->connection_id, event->event.from, view->xid);
    view->is_reply = direction == RPCRDMA_REPLY;
    if (view->is_reply)
        find_call(items, event, view);
    else if (call->known && call->xid == view->xid && call->from == event->event.from &&
             call->connection == event->connection_id)
        view->call = *call;
    find_binding(items, view);
}

/* ---- chunks ---- */

/* Segments of one Position are one chunk, wherever they stand. */
static void take_reads(struct items_view *view, const struct rpcrdma1_read_list *list)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        uint32_t i = 0;
        while (i < view->read_count && view->read[i].position != segment.position)
            i++;
        if (i == ITEMS_CHUNKS)
            continue;
        if (i == view->read_count)
            view->read[view->read_count++] =
                (struct chunk_item){.kind = CHUNK_READ,
                                    .position = segment.position,
                                    .item = segment.position == 0 ? RPC_MESSAGE : NULL};
        view->read[i].length += segment.target.length;
    }
}

/* ---- names ---- */

struct item_naming {
    struct items_view *view;
    struct rpcrdma_xdr_iter writes; /* those of a Reply that no result has taken */
    uint32_t number;                /* Write chunks passed so far */
    void (*visit)(void *arg, const char *name);
    void *arg;
};

static void name_argument(void *arg, const struct rpcrdma_item *item)
{
    struct items_view *view = ((struct item_naming *)arg)->view;
    for (uint32_t i = 0; item->out && i < view->read_count; i++)
        if (view->read[i].position == item->position)
            view->read[i].item = item->name;
}

static void name_expected(void *arg, const struct rpcrdma_item *item)
{
    struct item_naming *naming = arg;
    if (naming->number < ITEMS_CHUNKS)
        naming->view->write_item[naming->number++] = item->name;
}

static bool result_is_out(void *arg)
{
    struct item_naming *naming = arg;
    struct rpcrdma1_write_chunk chunk;
    if (!rpcrdma1_write_list_next(&naming->writes, &chunk))
        return false;
    naming->number++;
    return rpcrdma1_segments_length(&chunk.target) > 0;
}

static void name_result(void *arg, const struct rpcrdma_item *item)
{
    struct item_naming *naming = arg;
    if (item && item->out && naming->number > 0 && naming->number <= ITEMS_CHUNKS)
        naming->view->write_item[naming->number - 1] = item->name;
}

static void ignore_item(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

static void name_operation(void *arg, const char *name)
{
    const struct item_naming *naming = arg;
    naming->visit(naming->arg, name);
}

/* In the order of their Positions, as decoding wants them. */
static void sort_holes(struct rpcrdma_xdr_hole *holes, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct rpcrdma_xdr_hole hole = holes[i];
        uint32_t k = i;
        for (; k > 0 && holes[k - 1].position > hole.position; k--)
            holes[k] = holes[k - 1];
        holes[k] = hole;
    }
}

/* `callback`: the program of callbacks that it names, or 0. */
static enum rpcrdma_reading read_content(const struct items_view *view,
                                         const struct rpcrdma_item_sink *sink, uint32_t *callback)
{
    struct rpcrdma_xdr_hole holes[ITEMS_CHUNKS];
    struct rpcrdma_xdr_reduction reduction = {.holes = holes};
    struct rpcrdma_content content = view->content;
    if (view->binding == NULL || !view->is_readable)
        return RPCRDMA_UNREADABLE;
    for (uint32_t i = 0; i < view->read_count && !view->is_reply; i++)
        if (view->read[i].position != 0)
            holes[reduction.hole_count++] = (struct rpcrdma_xdr_hole){
                .position = view->read[i].position, .length = view->read[i].length};
    sort_holes(holes, reduction.hole_count);
    content.reduction = &reduction;
    enum rpcrdma_reading reading =
        view->is_reply ? view->binding->reply(&content, sink) : view->binding->call(&content, sink);
    *callback = content.callback_program;
    return reading;
}

static void look_at_message(struct items *items, const struct source_event *event,
                            const struct send *send, const struct rpcrdma_message *message,
                            struct items_view *view)
{
    enum send_rest rest = rpcrdma_send_rest(send, (ptrdiff_t)message->header);
    if (message->protocol == RPCRDMA_PROTOCOL_2_07 && rest != SEND_REST_NONE)
        place_piece(items, event, message, rest == SEND_REST_RPC, view);
    if (rest == SEND_REST_RPC)
        look_at_rpc(items, event, message->header, view);
    else if (rest == SEND_REST_CONTINUED)
        look_at_later_piece(items, event, message->direction, view);
    else if (view->read_count == 0 && view->lists.rdma_reply.present)
        look_at_long_reply(items, event, view);
}

void items_look(struct items *items, const struct source_event *event, struct items_view *view)
{
    struct rpcrdma_message message;
    struct send send = rpcrdma_send_of(&event->event);
    *view = (struct items_view){.has_lists = false};
    if (rpcrdma_message_decode(&message, send.protocol, send.data, send.length, NULL) < 0 ||
        (send.protocol == RPCRDMA_PROTOCOL_1 && message.prefix.version != RPCRDMA_VERSION_1))
        return;
    view->xid = message.prefix.xid;
    take_lists(view, &message);
    if (!view->has_lists)
        return;
    take_reads(view, &message.call_chunk);
    take_reads(view, &message.chunks.rdma_reads);
    look_at_message(items, event, &send, &message, view);
    struct item_naming naming = {.view = view,
                                 .writes = rpcrdma1_write_list_iter(&view->lists.rdma_writes)};
    uint32_t callback = 0;
    read_content(view,
                 &(struct rpcrdma_item_sink){.argument = name_argument,
                                             .expected = name_expected,
                                             .result_is_out = result_is_out,
                                             .result = name_result,
                                             .arg = &naming},
                 &callback);
    remember_callback(items, callback);
}

enum rpcrdma_reading items_operations(const struct items_view *view,
                                      void (*visit)(void *arg, const char *name), void *arg)
{
    if (!view->has_lists)
        return RPCRDMA_UNREADABLE;
    struct item_naming naming = {
        .writes = rpcrdma1_write_list_iter(&view->lists.rdma_writes), .visit = visit, .arg = arg};
    uint32_t callback = 0;
    return read_content(view,
                        &(struct rpcrdma_item_sink){.operation = name_operation,
                                                    .argument = ignore_item,
                                                    .expected = ignore_item,
                                                    .result_is_out = result_is_out,
                                                    .result = ignore_item,
                                                    .arg = &naming},
                        &callback);
}

void items_chunks(const struct items_view *view,
                  void (*visit)(void *arg, const struct chunk_item *chunk), void *arg)
{
    if (!view->has_lists)
        return;
    for (uint32_t i = 0; i < view->read_count; i++)
        visit(arg, &view->read[i]);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&view->lists.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (uint32_t i = 0; rpcrdma1_write_list_next(&iter, &chunk); i++)
        visit(arg, &(struct chunk_item){.kind = CHUNK_WRITE,
                                        .number = i,
                                        .item = i < ITEMS_CHUNKS ? view->write_item[i] : NULL,
                                        .length = rpcrdma1_segments_length(&chunk.target)});
    if (view->lists.rdma_reply.present)
        visit(arg, &(struct chunk_item){
                       .kind = CHUNK_REPLY,
                       .item = RPC_MESSAGE,
                       .length = rpcrdma1_segments_length(&view->lists.rdma_reply.value.target)});
}
