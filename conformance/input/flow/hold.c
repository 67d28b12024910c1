// SPDX-License-Identifier: BSD-3-Clause
/*
 * Events that wait until it is certain that the capture missed nothing before them.
 *
 * If a Call and its acknowledgement are missing, the Reply arrives without a Call, and only the
 * next request of the Call's sender shows, by its sequence number, that there was another. So what
 * one side did is passed on once a later request of the other side is the next in order. If one is
 * missing, the checker gets a gap event first; from then on it draws no conclusion from what it has
 * not seen, and nothing waits. While events wait, those of the two sides can be put in order, too:
 * see order.c.
 */
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/arrange.h"
#include "conformance/input/flow/reads.h"

#include <stdlib.h>
#include <string.h>

static void miss(struct capture_context *context, const struct connection *connection,
                 enum source_miss_kind kind, uint64_t count, uint64_t frame, const char *reason)
{
    const struct source_miss miss = {.kind = kind,
                                     .count = count,
                                     .frame = frame,
                                     .connection = connection->name,
                                     .reason = reason};
    if (count > 0)
        source_missed(context->reader, &miss);
}

void hold_lost(struct capture_context *context, struct connection *connection, uint64_t count,
               uint64_t frame)
{
    connection->lost += count;
    miss(context, connection, SOURCE_LOST, count, frame, "packets are missing");
}

void hold_broken_off(struct capture_context *context, const struct connection *connection,
                     uint64_t count, uint64_t frame)
{
    miss(context, connection, SOURCE_BROKEN_OFF, count, frame, "the connection ended");
}

void hold_missing_parts(struct capture_context *context, const struct connection *connection)
{
    if (connection->events == 0)
        return;
    if (connection->config.mid_stream)
        miss(context, connection, SOURCE_UNOPENED, 1, 0,
             "inline thresholds, remote invalidation and the first credits are not known");
    if (connection->seen[RPCRDMA_CLIENT] != connection->seen[RPCRDMA_SERVER])
        miss(context, connection, SOURCE_ONE_SIDED, 1, 0, "what needs both sides was not judged");
}

void hold_cut(struct capture_context *context, const struct connection *connection, uint64_t frame)
{
    miss(context, connection, SOURCE_CUT, 1, frame,
         "the capture has only their beginnings; tcpdump and dumpcap record all with -s 0");
}

static void emit(struct capture_context *context, struct connection *connection,
                 const struct rpcrdma_event *event, uint64_t frame, struct stamp stamp)
{
    struct source_reader *reader = context->reader;
    struct source_event out = {
        .event = *event,
        .file = reader->file,
        .connection = connection->name,
        .connection_id = connection->id,
        .index = connection->events,
        .frame = frame,
        .time = stamp.time,
        .config = &connection->config,
    };
    out.event.draft = connection->config.draft;
    if (context->stop)
        return;
    if (event->type != RPCRDMA_EVENT_GAP) {
        connection->events++;
        reader->counts->events++;
        if (event->missing > 0)
            hold_cut(context, connection, frame);
    }
    if (!reader->sink->event(reader->sink->arg, &out))
        context->stop = true;
}

/* ---- what may be of another protocol ---- */

/* For all connections. It is not of context->memory: to make room there, events are passed on, and
 * this is done while one is. */
#define DOUBTED_MAX ((size_t)1 << 20)

static void other_protocol(struct capture_context *context, struct connection *connection,
                           const struct rpcrdma_event *event, uint64_t frame)
{
    if (event->type == RPCRDMA_EVENT_SEND)
        miss(context, connection, SOURCE_UNREAD, 1, frame,
             "Sends of another protocol: none has a version of RPC-over-RDMA");
}

/* They are judged, or they are of another protocol. */
static void end_doubt(struct capture_context *context, struct connection *connection, bool is_other)
{
    while (connection->doubted) {
        struct held_event *held = connection->doubted;
        connection->doubted = held->next;
        if (is_other)
            other_protocol(context, connection, &held->event, held->frame);
        else
            emit(context, connection, &held->event, held->frame, held->stamp);
        context->doubted -= held->size;
        free(held);
    }
    if (connection->doubt.state != DOUBT_OTHER)
        connection->doubt.state = DOUBT_NONE;
}

static bool doubt_event(struct capture_context *context, struct connection *connection,
                        const struct rpcrdma_event *event, uint64_t frame, struct stamp stamp)
{
    size_t length = event->data ? event->length : 0, size = sizeof(struct held_event) + length;
    struct held_event *held = size <= DOUBTED_MAX - context->doubted ? malloc(size) : NULL;
    if (held == NULL)
        return false;
    context->doubted += size;
    *held = (struct held_event){.frame = frame, .stamp = stamp, .size = size, .event = *event};
    if (event->data)
        held->event.data = memcpy(held->octets, event->data, length);
    held->next = NULL;
    if (connection->doubted)
        connection->doubted_last->next = held;
    else
        connection->doubted = held;
    connection->doubted_last = held;
    return true;
}

static void begin_other(struct capture_context *context, struct connection *connection)
{
    context->others++;
    end_doubt(context, connection, true);
}

/* With --all-qp every connection is judged. Those that look like another protocol are counted. */
static void overrule(struct capture_context *context, struct connection *connection,
                     const struct rpcrdma_event *event)
{
    struct doubt *doubt = &connection->overruled;
    if (connection->events == 0 && doubt->waiting == 0)
        doubt->state = DOUBT_OPEN;
    if (doubt->state == DOUBT_OPEN && doubt_judge(doubt, event) == DOUBT_OTHER)
        context->reader->counts->overruled++;
}

static void pass_on(struct capture_context *context, struct connection *connection,
                    const struct rpcrdma_event *event, uint64_t frame, struct stamp stamp)
{
    enum doubt_state before = connection->doubt.state;
    if (context->reader->options->all_qp)
        overrule(context, connection, event);
    if (before == DOUBT_NONE) {
        emit(context, connection, event, frame, stamp);
        return;
    }
    switch (doubt_judge(&connection->doubt, event)) {
    case DOUBT_OPEN:
        if (doubt_event(context, connection, event, frame, stamp))
            return;
        break;
    case DOUBT_OTHER:
        if (before == DOUBT_OPEN)
            begin_other(context, connection);
        other_protocol(context, connection, event, frame);
        return;
    case DOUBT_NONE:
        break;
    }
    if (before == DOUBT_OPEN)
        end_doubt(context, connection, false);
    emit(context, connection, event, frame, stamp);
}

/* ---- what waits for what may be missing ---- */

static void pass_on_oldest(struct capture_context *context, struct connection *connection)
{
    struct held_event *held = connection->held;
    connection->held = held->next;
    connection->early -= held->place == ORDER_EARLY;
    pass_on(context, connection, &held->event, held->frame, held->stamp);
    memory_block_return(&context->memory, held, held->size);
}

static void pass_on_all(struct capture_context *context, struct connection *connection)
{
    while (connection->held)
        pass_on_oldest(context, connection);
}

/* Those that seem early, and that no later request of the other side confirms. */
static void mark_unconfirmed(const struct connection *connection)
{
    for (struct held_event *held = connection->held; held; held = held->next) {
        const struct flow *other = &connection->flow[1 - (int)held->event.from];
        held->event.unconfirmed = held->place == ORDER_EARLY && other->whole_until <= held->frame;
    }
}

/* Nothing confirms them any more. */
static void pass_on_unconfirmed(struct capture_context *context, struct connection *connection)
{
    mark_unconfirmed(connection);
    pass_on_all(context, connection);
}

/* Those that were recorded before this frame, and what goes before them. */
static void pass_on_before(struct capture_context *context, struct connection *connection,
                           uint64_t frame)
{
    const struct held_event *last = NULL;
    for (const struct held_event *held = connection->held; held; held = held->next)
        if (held->frame < frame)
            last = held;
    for (bool more = last != NULL; more;) {
        more = connection->held != last;
        pass_on_oldest(context, connection);
    }
}

/* It has no time of its own: the frame that shows it may come after what waited. */
static void pass_on_gap(struct capture_context *context, struct connection *connection,
                        uint64_t frame)
{
    static const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    pass_on(context, connection, &gap, frame, (struct stamp){0});
}

/* Those before which nothing was missing: they only wait to be acknowledged. */
static void pass_on_whole(struct capture_context *context, struct connection *connection)
{
    while (connection->holds && connection->held && connection->held->is_call &&
           connection->flow[1 - (int)connection->held->event.from].whole_until >
               connection->held->frame)
        pass_on_oldest(context, connection);
}

/* A gap goes before those that wait: what they answer may be lost. Of version 2 it goes after them
 * as well: there a message in pieces may have broken off. */
void hold_begin_gap(struct capture_context *context, struct connection *connection, uint64_t frame)
{
    bool in_pieces = false;
    pass_on_whole(context, connection);
    for (const struct held_event *held = connection->held; held; held = held->next)
        in_pieces = in_pieces || source_is_version2(&held->event);
    pass_on_gap(context, connection, frame);
    connection->holds = false;
    if (!in_pieces)
        return;
    pass_on_before(context, connection, frame);
    pass_on_gap(context, connection, frame);
}

/* Whether requests that the other side had received, or responses that have passed, were not seen
 * yet. They may still come. */
static bool awaits(const struct connection *connection)
{
    for (int i = 0; i < 2; i++)
        if (connection->flow[i].unseen.count > 0 ||
            reads_awaited(&connection->flow[i]) != UINT64_MAX)
            return true;
    return false;
}

void hold_end_gap(struct capture_context *context, struct connection *connection)
{
    if (!connection->holds && !awaits(connection))
        pass_on_all(context, connection);
}

void hold_gap(struct capture_context *context, struct connection *connection, uint64_t frame)
{
    hold_begin_gap(context, connection, frame);
    hold_end_gap(context, connection);
}

static struct held_event *copy_event(struct capture_context *context,
                                     const struct rpcrdma_event *event, uint64_t frame)
{
    struct memory *memory = &context->memory;
    size_t length = event->data ? event->length : 0, size = sizeof(struct held_event) + length;
    struct held_event *held = memory_block(memory, size);
    if (held == NULL)
        return NULL;
    held->frame = held->by = frame;
    held->stamp = context->stamp;
    held->size = size;
    held->event = *event;
    if (event->data)
        held->event.data = held->octets;
    if (length > 0)
        memcpy(held->octets, event->data, length);
    return held;
}

/* In version 2 a client begins; messages before any Call may all have the same XID. */
static enum order_place place_of_first(const struct held_event *first)
{
    if (first->event.from == RPCRDMA_CLIENT && source_is_version2(&first->event))
        return ORDER_FREE;
    return first->event.from == RPCRDMA_SERVER && first->place == ORDER_FREE ? ORDER_ANSWERS
                                                                             : first->place;
}

/* False if there is no memory. */
static bool hold(struct capture_context *context, struct connection *connection,
                 const struct rpcrdma_event *event, uint64_t frame)
{
    struct held_event *held = copy_event(context, event, frame);
    if (held == NULL)
        return false;
    held->sends = connection->flow[event->from].sends;
    /* Where nothing waits as a rule, not all was noted. */
    held->place = connection->holds ? order_note(&connection->order, event) : ORDER_FREE;
    const struct flow *other = &connection->flow[1 - (int)event->from];
    held->is_first = connection->holds && held->sends == 1 && event->type == RPCRDMA_EVENT_SEND;
    if (held->is_first)
        held->place = place_of_first(held);
    /* Of a Call the acknowledgement may have been recorded early, and nothing else speaks for it.
     */
    if (connection->overdue > 0 && held->place != ORDER_FREE)
        held->by = connection->overdue;
    if (held->place == ORDER_ANSWERS && event->received < other->sends)
        connection->unsure = frame;
    held->is_call = held->place == ORDER_FREE && event->type == RPCRDMA_EVENT_SEND &&
                    ((held->sends > 1 && other->sends == 0) || !source_is_version2(event));
    arrange_add(connection, held);
    return true;
}

bool hold_is_undecided(const struct capture_context *context, const struct connection *connection)
{
    return connection->early > 0 && connection->holds && !context->ends &&
           context->reader->counts->missed[SOURCE_LOST] == 0;
}

void hold_event(struct capture_context *context, struct connection *connection,
                const struct rpcrdma_event *event, uint64_t frame)
{
    bool waits = connection->holds || awaits(connection);
    if (waits && hold(context, connection, event, frame))
        return;
    struct rpcrdma_event now = *event;
    if (waits) {
        now.unconfirmed = order_note(&connection->order, event) == ORDER_EARLY;
        pass_on_unconfirmed(context, connection);
    }
    if (!connection->holds)
        pass_on_before(context, connection, frame);
    pass_on(context, connection, &now, frame, context->stamp);
}

/* Whether nothing before the first of all can be missing any more. */
static bool is_released(const struct capture_context *context, const struct connection *connection,
                        bool *moves)
{
    const struct held_event *held = connection->held;
    const struct flow *own = &connection->flow[held->event.from];
    const struct flow *other = &connection->flow[1 - (int)held->event.from];
    bool seen = own->received >= held->sends;
    if (context->frame <= held->frame + REORDER_FRAMES &&
        ((held->is_call && !seen) || stamp_is_before(&context->stamp, &held->stamp)))
        return false;
    *moves = held->is_call && seen && connection->unsure > held->frame;
    return other->whole_until > held->frame + (held->place == ORDER_EARLY ? REORDER_FRAMES : 0);
}

void hold_release(struct capture_context *context, struct connection *connection)
{
    if (!connection->holds) {
        hold_end_gap(context, connection);
        return;
    }
    if (connection->held == NULL)
        return;
    uint64_t end = UINT64_MAX;
    bool moves;
    for (int side = 0; side < 2; side++)
        if (connection->flow[side].reads_over) {
            uint64_t first = reads_awaited(&connection->flow[side]);
            end = first < end ? first : end;
        }
    while (connection->held && connection->held->frame < end &&
           is_released(context, connection, &moves))
        if (!moves || !arrange_move_before(connection))
            pass_on_oldest(context, connection);
}

void hold_evict(struct capture_context *context, struct connection *connection)
{
    pass_on_unconfirmed(context, connection);
    end_doubt(context, connection, false);
}

/* An answer to a side of which no Send was seen: the capture must lack its Call. */
static bool answers_silence(const struct connection *connection)
{
    for (const struct held_event *held = connection->held; held; held = held->next)
        if (held->place == ORDER_EARLY && held->event.type == RPCRDMA_EVENT_SEND &&
            connection->flow[1 - (int)held->event.from].sends == 0)
            return true;
    return false;
}

/* Nothing that is missing can explain it, for that is of other connections: all that the other side
 * had sent by then was seen, as it was before what is refused; or the Call waits. Of version 2 all
 * Sends count: they carry credits. */
static bool is_certain(const struct connection *connection, const struct held_event *held)
{
    const struct flow *other = &connection->flow[1 - (int)held->event.from];
    bool refuses =
        held->event.type == RPCRDMA_EVENT_NOT_READY || held->event.type == RPCRDMA_EVENT_REFUSED;
    return connection->lost == 0 &&
           (refuses || other->whole_until > held->frame ||
            (held->place == ORDER_ANSWERS && !source_is_version2(&held->event)));
}

void hold_end(struct capture_context *context, struct connection *connection)
{
    bool silent = connection->early > 0 && answers_silence(connection);
    bool missing = context->reader->counts->missed[SOURCE_LOST] > 0 ||
                   connection->flow[0].stalled || connection->flow[1].stalled || silent;
    if (silent)
        hold_lost(context, connection, 1, connection->held->frame);
    while (missing && connection->held && is_certain(connection, connection->held))
        pass_on_oldest(context, connection);
    if (missing)
        pass_on_whole(context, connection);
    if (missing && connection->held)
        hold_gap(context, connection, connection->held->frame);
    pass_on_unconfirmed(context, connection);
    end_doubt(context, connection, false);
}
