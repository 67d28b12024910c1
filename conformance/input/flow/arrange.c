// SPDX-License-Identifier: BSD-3-Clause
/*
 * The order of events that wait.
 *
 * Each side's own order is known by its sequence numbers. That of the two sides is as they were
 * recorded, unless something says otherwise: a Reply comes after its Call, what its receiver had
 * acknowledged comes before what the receiver sent then, and of one interface the times tell which
 * frame was late.
 */
#include "conformance/input/flow/arrange.h"

static void append(struct connection *connection, struct held_event *held)
{
    held->next = NULL;
    if (connection->held)
        connection->held_last->next = held;
    else
        connection->held = held;
    connection->held_last = held;
}

/* The first recent event of the other side that waits for this one, or NULL. */
static const struct held_event *find_early(const struct connection *connection,
                                           const struct held_event *new)
{
    for (const struct held_event *held = connection->held; held; held = held->next)
        if (held->place == ORDER_EARLY && order_explains(&new->event, &held->event) &&
            held->frame + REORDER_FRAMES >= new->frame)
            return held;
    return NULL;
}

/* By the times of one interface it came before this one, which was recorded ahead of it. */
static bool came_before(const struct held_event *new, const struct held_event *held)
{
    return stamp_is_before(&new->stamp, &held->stamp) && held->frame + REORDER_FRAMES >= new->frame;
}

/* Whether the new event came after this one of the other side: it is its answer, or it is no answer
 * and its sender had acknowledged the other one, unless the times say otherwise. (An answer that is
 * recorded late comes after acknowledgements of what was sent behind it.) */
static bool precedes(const struct held_event *held, const struct held_event *new)
{
    bool is_send = held->event.type == RPCRDMA_EVENT_SEND, free = new->place == ORDER_FREE;
    return (!(free && new->is_first) && order_explains(&held->event, &new->event)) ||
           (free && new->event.received >= held->sends + !is_send && !came_before(new, held));
}

/* An answer that was recorded late leaves one Call too many, and a late beginning leaves out who
 * began. Of others the times say nothing that would excuse, and clocks may be set. */
static bool times_matter(const struct held_event *new)
{
    return new->place == ORDER_ANSWERS || new->is_first;
}

/* Whether an event of the other side, from this one on, came before that of the new one's side. */
static bool is_preceded(const struct held_event *from, const struct held_event *held)
{
    for (; from && from != held; from = from->next)
        if (from->event.from != held->event.from && precedes(from, held))
            return true;
    return false;
}

/* Its side had acknowledged the new one before. By the times of one interface that acknowledgement
 * may be the one that was recorded early: then it says nothing of this event. */
static bool came_after(const struct connection *connection, const struct held_event *held)
{
    return connection->overdue > 0 && held->by > connection->overdue &&
           !stamp_is_before(&held->stamp, &connection->overdue_stamp);
}

/* The first event of the other side that came after the new one, or NULL: its sender had
 * acknowledged that, or the times say so. An acknowledgement may have been recorded early: nothing
 * goes before what precedes it. */
static const struct held_event *find_later(const struct connection *connection,
                                           const struct held_event *new)
{
    const struct held_event *found = NULL;
    bool late = times_matter(new);
    for (const struct held_event *held = connection->held; held; held = held->next) {
        bool own = held->event.from == new->event.from;
        if (found == NULL && !own &&
            (came_after(connection, held) || (late && came_before(new, held))))
            found = held;
        if (found && (own ? is_preceded(found, held) : precedes(held, new)))
            found = NULL;
    }
    return found;
}

/* Of version 2 the client's first Send comes before the server's first, though no XID may say so:
 * the latter, or NULL. Unless the client had acknowledged that before, and nothing says that its
 * own was recorded late: no acknowledgement, and no request of its side that had to wait. */
static const struct held_event *find_first(const struct connection *connection,
                                           const struct held_event *new)
{
    bool late = connection->overdue > 0 || connection->flow[RPCRDMA_CLIENT].pending.first != NULL;
    if (!source_is_version2(&new->event) || (!late && new->event.received > 0))
        return NULL;
    for (const struct held_event *held = connection->held; held; held = held->next)
        if (held->event.from == RPCRDMA_SERVER && held->event.type == RPCRDMA_EVENT_SEND)
            return held->frame + REORDER_FRAMES >= new->frame ? held : NULL;
    return NULL;
}

/* Insert the new event before an early one of the other side. Each side's own order stays, but a
 * request to disconnect has no place in it. */
static void insert_before(struct connection *connection, struct held_event *new,
                          const struct held_event *early)
{
    struct held_event *rest = connection->held, *after = NULL, **after_end = &after;
    bool found = false;
    connection->held = connection->held_last = NULL;
    while (rest) {
        struct held_event *held = rest;
        rest = held->next;
        found = found || held == early;
        if (!found ||
            (held->event.from == new->event.from && held->event.type != RPCRDMA_EVENT_DISCONNECT)) {
            append(connection, held);
            continue;
        }
        held->next = NULL;
        *after_end = held;
        after_end = &held->next;
    }
    append(connection, new);
    while (after) {
        struct held_event *held = after;
        after = held->next;
        if (held->place == ORDER_EARLY && order_explains(&new->event, &held->event))
            held->place = ORDER_ANSWERS;
        append(connection, held);
    }
}

static unsigned count_early(const struct connection *connection)
{
    unsigned count = 0;
    for (const struct held_event *held = connection->held; held; held = held->next)
        count += held->place == ORDER_EARLY;
    return count;
}

void arrange_add(struct connection *connection, struct held_event *new)
{
    const struct held_event *early = connection->early > 0 ? find_early(connection, new) : NULL;
    if (early == NULL && new->is_first &&new->event.from == RPCRDMA_CLIENT)
        early = find_first(connection, new);
    if (early == NULL && (connection->overdue > 0 || times_matter(new)))
        early = find_later(connection, new);
    connection->early += new->place == ORDER_EARLY;
    if (early == NULL) {
        append(connection, new);
        return;
    }
    insert_before(connection, new, early);
    connection->early = count_early(connection);
}

/* Whether the event's sender had not acknowledged the Call, of the other side, and does nothing
 * that needs it: though it was recorded behind the Call, it may have come before. */
static bool may_precede(const struct held_event *held, const struct held_event *call)
{
    return held->place == ORDER_ANSWERS && held->event.received < call->sends &&
           held->frame <= call->frame + REORDER_FRAMES &&
           !order_explains(&call->event, &held->event);
}

bool arrange_move_before(struct connection *connection)
{
    struct held_event *call = connection->held, *first = NULL, **end = &first;
    struct held_event **link = &call->next, *last = call;
    while (*link) {
        struct held_event *held = *link;
        bool moves = held->event.from != call->event.from;
        for (const struct held_event *c = call; moves && c != held; c = c->next)
            moves = may_precede(held, c);
        if (moves) {
            *link = held->next;
            *end = held;
            end = &held->next;
        } else if (held->event.from == call->event.from && held->is_call) {
            last = held;
            link = &held->next;
        } else {
            break;
        }
    }
    if (first == NULL)
        return false;
    if (*link == NULL)
        connection->held_last = last;
    *end = call;
    connection->held = first;
    return true;
}
