// SPDX-License-Identifier: BSD-3-Clause
/* The rows of a ladder, and which of them one sees of a long connection. */
#include "conformance/report/ladder/ladder.h"
#include "conformance/base/count.h"
#include "conformance/decode/items_text.h"
#include "conformance/decode/operation.h"
#include "conformance/decode/place.h"

#include <rpcrdma/message.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { NEAREST = 4 }; /* rows just before the event that are shown in any case */
enum { UPPER_MAX = 18 };

/* ---- the text of a row ---- */

static void append(struct ladder_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct ladder_row *row, const char *format, ...)
{
    size_t length = strlen(row->text);
    va_list args;
    va_start(args, format);
    vsnprintf(row->text + length, sizeof row->text - length, format, args);
    va_end(args);
}

static void append_upper(struct ladder_row *row, const struct source_event *event)
{
    static struct items items; /* a Call needs no other */
    static struct items_view view;
    char brief[ITEMS_BRIEF];
    items_look(&items, event, &view);
    if (view.binding == NULL)
        return;
    items_brief(&view, brief);
    bool cut = strlen(brief) > UPPER_MAX;
    append(row, ", %.*s%s", cut ? UPPER_MAX - 3 : UPPER_MAX, brief, cut ? "..." : "");
}

static void append_error(struct ladder_row *row, const struct rpcrdma_event *event,
                         enum rpcrdma_protocol protocol)
{
    struct rpcrdma_message message;
    ptrdiff_t header = rpcrdma_message_decode(&message, protocol, event->data, event->length, NULL);
    if (rpcrdma_xdr_failed(header) || message.kind != RPCRDMA_KIND_ERROR)
        return;
    const char *name = rpcrdma_error_name(protocol, message.error.code);
    if (name)
        append(row, ", %s", name);
    else
        append(row, ", error %" PRIu32, message.error.code);
}

static void put_send(struct ladder_row *row, const struct judged *judged)
{
    const struct rpcrdma_event *event = &judged->source->event;
    row->length = event->length;
    const struct rpcrdma_judgement *judgement = judged->judgement;
    bool decodes = judgement->header_length >= 0;
    bool is_call = judgement->direction == RPCRDMA_CALL, has_error = false;
    const char *type = judgement->has_procedure
                           ? rpcrdma_type_name(judgement->protocol, judgement->procedure)
                           : NULL;
    bool is_rpc = judgement->direction != RPCRDMA_DIRECTION_UNKNOWN;
    if (type && (!is_rpc || (decodes && judgement->kind != RPCRDMA_KIND_RPC))) {
        has_error = decodes && judgement->kind == RPCRDMA_KIND_ERROR;
        append(row, "%s", type);
    } else {
        append(row, "%s",
               judgement->direction == RPCRDMA_DIRECTION_UNKNOWN ? "Send"
               : is_call                                         ? "Call"
                                                                 : "Reply");
    }
    if (judgement->has_xid)
        append(row, " 0x%08" PRIx32, judgement->xid);
    if (has_error)
        append_error(row, event, judgement->protocol);
    else if (decodes && is_call)
        append_upper(row, judged->source);
    append(row, ", %zu octets%s", event->length + event->missing,
           event->invalidate ? ", invalidates" : "");
}

static void put_operation(struct ladder_row *row, const struct rpcrdma_event *event)
{
    const char *what = event->type == RPCRDMA_EVENT_RDMA_READ    ? "RDMA Read"
                       : event->type == RPCRDMA_EVENT_RDMA_WRITE ? "RDMA Write"
                       : event->type == RPCRDMA_EVENT_ATOMIC     ? "atomic"
                       : event->is_read                          ? "refused: RDMA Read"
                                                                 : "refused: RDMA Write";
    row->handle = event->handle;
    row->offset = event->offset;
    row->length = event->length + event->missing;
    append(row, "%s", what);
    if (event->type != RPCRDMA_EVENT_ATOMIC)
        append(row, " %" PRIu64 " octets", row->length);
    append(row, ", 0x%08" PRIx32, event->handle);
}

static void put_text(struct ladder_row *row, const struct judged *judged)
{
    const struct rpcrdma_event *event = &judged->source->event;
    switch (event->type) {
    case RPCRDMA_EVENT_SEND:
        put_send(row, judged);
        return;
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
    case RPCRDMA_EVENT_ATOMIC:
    case RPCRDMA_EVENT_REFUSED:
        put_operation(row, event);
        return;
    case RPCRDMA_EVENT_PRIVATE_DATA:
        append(row, "private data, %zu octets", event->length);
        return;
    case RPCRDMA_EVENT_NOT_READY:
        append(row, "not ready: no receive buffer");
        return;
    case RPCRDMA_EVENT_DISCONNECT:
        append(row, "disconnect");
        return;
    case RPCRDMA_EVENT_REGISTERED:
        row->handle = event->handle;
        append(row, "%s registers %zu octets, 0x%08" PRIx32, endpoint_name(event->from),
               event->length, event->handle);
        return;
    case RPCRDMA_EVENT_INVALIDATED:
        row->handle = event->handle;
        append(row, "%s invalidates 0x%08" PRIx32, endpoint_name(event->from), event->handle);
        return;
    case RPCRDMA_EVENT_COMPLETED:
        append(row, "%s: RPC 0x%08" PRIx32 " is over", endpoint_name(event->from), event->xid);
        return;
    case RPCRDMA_EVENT_GAP:
        append(row, "something was not seen");
        if (judged->source->frame > 0)
            append(row, ", as frame %" PRIu64 " shows", judged->source->frame);
        return;
    }
}

void ladder_row_of(struct ladder_row *row, const struct judged *judged)
{
    const struct rpcrdma_event *event = &judged->source->event;
    const struct rpcrdma_judgement *judgement = judged->judgement;
    *row = (struct ladder_row){.type = event->type, .from = event->from};
    row->place = place_of(judged->source);
    bool is_over = event->type == RPCRDMA_EVENT_COMPLETED;
    row->has_xid = is_over || (event->type == RPCRDMA_EVENT_SEND && judgement->has_xid);
    row->xid = is_over ? event->xid : row->has_xid ? judgement->xid : 0;
    row->count = judged->count;
    for (unsigned i = 0; i < judged->count && i < LADDER_RULES; i++) {
        row->rule[i] = judged->findings[i]->rule;
        row->severity[i] = judged->findings[i]->severity;
    }
    put_text(row, judged);
}

bool ladder_crosses(const struct ladder_row *row)
{
    return row->type != RPCRDMA_EVENT_GAP && row->type != RPCRDMA_EVENT_REGISTERED &&
           row->type != RPCRDMA_EVENT_INVALIDATED && row->type != RPCRDMA_EVENT_COMPLETED;
}

void ladder_place(const struct ladder_row *row, char text[LADDER_PLACE])
{
    if (row->place.test[0] != '\0') /* which the heading names */
        snprintf(text, LADDER_PLACE, "event %" PRIu64, row->place.at.index);
    else if (row->type == RPCRDMA_EVENT_GAP) /* no frame is in its place */
        text[0] = '\0';
    else
        place_text(&row->place, text, LADDER_PLACE);
}

int64_t ladder_start(const struct ladder *ladder)
{
    for (unsigned i = 0; i < ladder->count; i++)
        if (ladder->row[i].place.at.time > 0)
            return ladder->row[i].place.at.time;
    return 0;
}

void ladder_time(const struct ladder_row *row, int64_t start, char text[LADDER_TIME])
{
    int64_t time = row->place.at.time;
    text[0] = '\0';
    if (time > 0 && start > 0)
        snprintf(text, LADDER_TIME, "%+.6f", (double)(time - start) / 1e9);
}

/* ---- the window ---- */

static const struct ladder_row *row_at(const struct ladder_window *window, uint64_t number)
{
    return &window->row[number % LADDER_WINDOW];
}

/* Several gaps in a row are one. */
static bool is_gap_again(const struct ladder_window *window, const struct judged *judged)
{
    return judged->source->event.type == RPCRDMA_EVENT_GAP && window->added > 0 &&
           row_at(window, window->added - 1)->type == RPCRDMA_EVENT_GAP;
}

static void add_following(struct ladder **following, const struct ladder_row *row)
{
    struct ladder *ladder = *following;
    ladder->row[ladder->count++] = *row;
    if (++ladder->after == LADDER_AFTER)
        *following = NULL;
}

void ladder_add(struct ladder_window *window, const struct judged *judged)
{
    if (is_gap_again(window, judged))
        return;
    struct ladder_row *row = &window->row[window->added++ % LADDER_WINDOW];
    ladder_row_of(row, judged);
    for (int i = 0; i < LADDER_FOLLOWING; i++)
        if (window->following[i])
            add_following(&window->following[i], row);
}

void ladder_follow(struct ladder_window *window, struct ladder *ladder)
{
    for (int i = 0; i < LADDER_FOLLOWING; i++)
        if (window->following[i] == NULL) {
            window->following[i] = ladder;
            return;
        }
}

/* ---- what is shown of it ---- */

static bool is_of_map(const struct ladder_map *map, const struct ladder_row *row)
{
    bool has_memory = row->type == RPCRDMA_EVENT_RDMA_READ ||
                      row->type == RPCRDMA_EVENT_RDMA_WRITE || row->type == RPCRDMA_EVENT_REFUSED ||
                      row->type == RPCRDMA_EVENT_REGISTERED ||
                      row->type == RPCRDMA_EVENT_INVALIDATED;
    for (unsigned i = 0; has_memory && i < map->segments; i++)
        if (map->segment[i].handle == row->handle)
            return true;
    return map->segments > 0 && row->has_xid && row->xid == map->xid;
}

/* The rows that one sees: those of the Call of the row at `mark`, those just before it, and some
 * that follow. */
static void choose(struct ladder *ladder, const struct ladder_window *window, uint64_t mark,
                   uint64_t end)
{
    uint64_t first = window->added > LADDER_WINDOW ? window->added - LADDER_WINDOW : 0;
    bool is_shown[LADDER_WINDOW] = {false};
    unsigned shown = 0, left_out = 0;
    const struct ladder_row *about = row_at(window, mark);
    for (uint64_t at = mark + 1; at > first && shown < LADDER_ROWS; at--) {
        const struct ladder_row *row = row_at(window, at - 1);
        bool same = about->has_xid && row->has_xid && row->xid == about->xid;
        bool shows = mark + 1 - at < NEAREST || same || is_of_map(&ladder->map, row);
        is_shown[at - 1 - first] = shows;
        shown += shows;
    }
    for (uint64_t at = first; at < end; at++) {
        if (at <= mark && !is_shown[at - first]) {
            left_out += ladder->count > 0;
            continue;
        }
        struct ladder_row *row = &ladder->row[ladder->count++];
        *row = *row_at(window, at);
        row->left_out = left_out;
        row->marked = at == mark;
        left_out = 0;
    }
}

void ladder_take(struct ladder *ladder, const struct ladder_window *window,
                 const struct judged *judged)
{
    *ladder = (struct ladder){.count = 0};
    ladder_map_make(&ladder->map, window, judged);
    choose(ladder, window, window->added - 1, window->added);
}

void ladder_choose(struct ladder *ladder, const struct ladder_window *window,
                   const struct ladder_map *map, uint64_t mark)
{
    uint64_t first = window->added > LADDER_WINDOW ? window->added - LADDER_WINDOW : 0;
    bool is_marked = mark < window->added && mark >= first;
    uint64_t last = is_marked ? mark : window->added - 1;
    uint64_t end = window->added - last > LADDER_AFTER ? last + 1 + LADDER_AFTER : window->added;
    *ladder = (struct ladder){.map = *map};
    choose(ladder, window, last, end);
    for (unsigned i = 0; i < ladder->count && !is_marked; i++)
        ladder->row[i].marked = false;
}
