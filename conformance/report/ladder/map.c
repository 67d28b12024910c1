// SPDX-License-Identifier: BSD-3-Clause
/*
 * The chunks of one Call as a map.
 *
 * The Call is the event itself, or the one that it answers, or the one whose memory it touches. Its
 * beginning is remembered as evidence (history.h); where its header is longer than that there is no
 * map.
 */
#include "conformance/base/count.h"
#include "conformance/input/frame/look.h"
#include "conformance/report/ladder/ladder.h"

#include <rpcrdma/message.h>

#include <inttypes.h>
#include <string.h>

/* ---- the Call's segments ---- */

static void add_segment(struct ladder_map *map, int list, unsigned chunk,
                        const struct rpcrdma1_segment *segment)
{
    if (map->segments == LADDER_SEGMENTS) {
        map->left_out++;
        return;
    }
    struct ladder_segment *added = &map->segment[map->segments++];
    *added = (struct ladder_segment){
        .chunk = chunk, .handle = segment->handle, .length = segment->length};
    added->list = list;
    added->offset = segment->offset;
}

static void add_reads(struct ladder_map *map, const struct rpcrdma1_read_list *list)
{
    struct rpcrdma1_read_segment read;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    while (rpcrdma1_read_list_next(&iter, &read))
        add_segment(map, LADDER_READ, read.position, &read.target);
}

static void add_chunk(struct ladder_map *map, int list, unsigned number,
                      const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma1_segment segment;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    while (rpcrdma1_segment_array_next(&iter, &segment))
        add_segment(map, list, number, &segment);
}

static void add_lists(struct ladder_map *map, const struct rpcrdma_message *message)
{
    struct rpcrdma1_write_chunk chunk;
    unsigned number = 0;
    add_reads(map, &message->call_chunk);
    add_reads(map, &message->chunks.rdma_reads);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message->chunks.rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        add_chunk(map, LADDER_WRITE, number++, &chunk.target);
    if (message->chunks.rdma_reply.present)
        add_chunk(map, LADDER_REPLY, 0, &message->chunks.rdma_reply.value.target);
}

static bool add_call(struct ladder_map *map, const void *octets, size_t length)
{
    struct rpcrdma_message message;
    *map = (struct ladder_map){.partial = false};
    if (octets == NULL || !look_decode(&message, octets, length) ||
        message.kind != RPCRDMA_KIND_RPC || message.direction == RPCRDMA_REPLY)
        return false;
    map->xid = message.prefix.xid;
    add_lists(map, &message);
    return map->segments > 0;
}

static bool add_known_call(struct ladder_map *map, const struct history_call *call)
{
    return call && add_call(map, call->octets,
                            call->length < HISTORY_OCTETS ? call->length : HISTORY_OCTETS);
}

/* ---- which Call ---- */

static enum rpcrdma_endpoint peer_of(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

static bool has_handle(const struct ladder_map *map, uint32_t handle)
{
    for (unsigned i = 0; i < map->segments; i++)
        if (map->segment[i].handle == handle)
            return true;
    return false;
}

/* The latest Call of that side that offered the memory. */
static bool add_owner(struct ladder_map *map, const struct history *history,
                      enum rpcrdma_endpoint caller, uint32_t handle)
{
    struct ladder_map tried;
    uint64_t number = 0;
    bool found = false;
    for (uint32_t i = 0; i < history->size; i++) {
        const struct history_call *call = &history->calls[i];
        if (call->used && call->from == caller && (!found || call->number > number) &&
            add_known_call(&tried, call) && has_handle(&tried, handle)) {
            *map = tried;
            number = call->number;
            found = true;
        }
    }
    return found;
}

/* Whose memory it is, the Call's; false if the event belongs to none that is known. */
static bool find_call(struct ladder_map *map, const struct judged *judged,
                      enum rpcrdma_endpoint *caller)
{
    const struct rpcrdma_event *event = &judged->source->event;
    const struct rpcrdma_judgement *judgement = judged->judgement;
    *caller = peer_of(event->from);
    switch (event->type) {
    case RPCRDMA_EVENT_SEND:
        if (judgement->direction == RPCRDMA_CALL) {
            *caller = event->from;
            return add_call(map, event->data, event->length);
        }
        return judgement->has_xid && judged->history &&
               add_known_call(map, history_find(judged->history, *caller, judgement->xid));
    case RPCRDMA_EVENT_COMPLETED:
        *caller = event->from;
        return judged->history &&
               add_known_call(map, history_find(judged->history, *caller, event->xid));
    case RPCRDMA_EVENT_REFUSED:
        *caller = event->from;
        return judged->history && add_owner(map, judged->history, *caller, event->handle);
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
        return judged->history && add_owner(map, judged->history, *caller, event->handle);
    default:
        return false;
    }
}

/* ---- what became of them ---- */

/* The part of the operation that lies in the segment, counted from its beginning; false: none. */
static bool clip(const struct ladder_segment *segment, const struct ladder_operation *operation,
                 uint64_t *begin, uint64_t *end)
{
    uint64_t from = segment->offset, room = segment->length;
    if (operation->handle != segment->handle || operation->length == 0)
        return false;
    bool before = operation->offset < from;
    uint64_t skipped = before ? from - operation->offset : 0;
    if (skipped >= operation->length)
        return false;
    *begin = before ? 0 : operation->offset - from;
    if (*begin >= room)
        return false;
    uint64_t length = operation->length - skipped;
    *end = length < room - *begin ? *begin + length : room;
    return true;
}

/* Octets of the segment below `until` and not below `at`, up to where that changes: how many
 * operations touch them. */
static unsigned depth_at(const struct ladder_map *map, const struct ladder_segment *segment,
                         uint64_t at, uint64_t *until)
{
    unsigned depth = 0;
    for (unsigned i = 0; i < map->operations; i++) {
        uint64_t begin, end;
        if (!clip(segment, &map->operation[i], &begin, &end))
            continue;
        depth += begin <= at && at < end;
        if (begin > at && begin < *until)
            *until = begin;
        if (end > at && end < *until)
            *until = end;
    }
    return depth;
}

static void measure(struct ladder_map *map, struct ladder_segment *segment)
{
    uint64_t next;
    for (uint64_t at = 0; at < segment->length; at = next) {
        next = segment->length;
        unsigned depth = depth_at(map, segment, at, &next);
        segment->moved += depth > 0 ? next - at : 0;
        segment->twice += depth > 1 ? next - at : 0;
    }
}

/* What an operation touched outside of all segments with its handle counts for the first of them.
 */
static void measure_beyond(struct ladder_map *map, const struct ladder_operation *operation)
{
    struct ladder_segment *first = NULL;
    uint64_t left = operation->length, begin, end;
    for (unsigned i = 0; i < map->segments; i++) {
        struct ladder_segment *segment = &map->segment[i];
        if (segment->handle == operation->handle && first == NULL)
            first = segment;
        if (clip(segment, operation, &begin, &end))
            left -= end - begin < left ? end - begin : left;
    }
    if (first)
        first->beyond += left;
}

enum ladder_touch ladder_touched(const struct ladder_map *map, const struct ladder_segment *segment,
                                 unsigned part, unsigned parts)
{
    uint64_t begin = (uint64_t)segment->length * part / parts, next;
    uint64_t end = (uint64_t)segment->length * (part + 1) / parts;
    unsigned least = 2, most = 0;
    if (end == begin && segment->length > 0)
        end++; /* fewer octets than parts */
    for (uint64_t at = begin; at < end; at = next) {
        next = end;
        unsigned depth = depth_at(map, segment, at, &next);
        least = depth < least ? depth : least;
        most = depth > most ? depth : most;
    }
    if (end == begin || most == 0)
        return LADDER_NOT;
    return most > 1 ? LADDER_TWICE : least == 0 ? LADDER_PARTLY : LADDER_ONCE;
}

static void add_operations(struct ladder_map *map, const struct ladder_window *window,
                           enum rpcrdma_endpoint caller)
{
    uint64_t end = window->added, first = end > LADDER_WINDOW ? end - LADDER_WINDOW : 0;
    bool began = false;
    for (uint64_t at = first; at < end; at++) {
        const struct ladder_row *row = &window->row[at % LADDER_WINDOW];
        bool is_operation =
            row->type == RPCRDMA_EVENT_RDMA_READ || row->type == RPCRDMA_EVENT_RDMA_WRITE;
        if (row->has_xid && row->xid == map->xid && row->from == caller) {
            began = true;
            map->operations = 0; /* an earlier Call had the same XID */
            map->partial = false;
        }
        map->partial |= row->type == RPCRDMA_EVENT_GAP;
        if (!is_operation || row->from == caller || !has_handle(map, row->handle))
            continue;
        if (map->operations == LADDER_OPERATIONS)
            map->partial = true;
        else
            map->operation[map->operations++] =
                (struct ladder_operation){row->handle, row->offset, row->length};
    }
    map->partial |= !began;
}

/* ---- what a Reply returned ---- */

struct ladder_return {
    struct ladder_map *map;
    unsigned at; /* the segment that is looked at next */
};

static void return_chunk(struct ladder_return *returned, int list, unsigned number,
                         const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma1_segment segment;
    struct ladder_map *map = returned->map;
    while (returned->at < map->segments &&
           ((int)map->segment[returned->at].list != list ||
            (list == LADDER_WRITE && map->segment[returned->at].chunk < number)))
        returned->at++;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    while (rpcrdma1_segment_array_next(&iter, &segment) && returned->at < map->segments) {
        struct ladder_segment *offered = &map->segment[returned->at];
        if ((int)offered->list != list || offered->chunk != number)
            return;
        offered->is_returned = true;
        offered->returned = segment.length;
        returned->at++;
    }
}

static void add_returned(struct ladder_map *map, const struct rpcrdma_event *event)
{
    struct ladder_return returned = {.map = map};
    struct rpcrdma_message message;
    struct rpcrdma1_write_chunk chunk;
    unsigned number = 0;
    if (event->data == NULL || !look_decode(&message, event->data, event->length) ||
        message.kind != RPCRDMA_KIND_RPC)
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message.chunks.rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        return_chunk(&returned, LADDER_WRITE, number++, &chunk.target);
    if (message.chunks.rdma_reply.present)
        return_chunk(&returned, LADDER_REPLY, 0, &message.chunks.rdma_reply.value.target);
}

void ladder_map_make(struct ladder_map *map, const struct ladder_window *window,
                     const struct judged *judged)
{
    const struct rpcrdma_event *event = &judged->source->event;
    const struct rpcrdma_check_config *config = judged->source->config;
    enum rpcrdma_endpoint caller;
    if (!find_call(map, judged, &caller)) {
        *map = (struct ladder_map){.segments = 0};
        return;
    }
    map->offered = event->type == RPCRDMA_EVENT_SEND && event->from == caller;
    if (map->offered)
        return;
    add_operations(map, window, caller);
    map->partial |= config && !config->operations_seen;
    for (unsigned i = 0; i < map->segments; i++)
        measure(map, &map->segment[i]);
    for (unsigned i = 0; i < map->operations && map->left_out == 0; i++)
        measure_beyond(map, &map->operation[i]);
    if (event->type == RPCRDMA_EVENT_SEND)
        add_returned(map, event);
}

/* ---- words ---- */

void ladder_chunk_name(const struct ladder_segment *segment, char *text, size_t size)
{
    if (segment->list == LADDER_READ)
        snprintf(text, size, "Read chunk at %u", segment->chunk);
    else if (segment->list == LADDER_WRITE)
        snprintf(text, size, "Write chunk %u", segment->chunk);
    else
        snprintf(text, size, "Reply chunk");
}

void ladder_chunk_text(const struct ladder_map *map, const struct ladder_segment *segment,
                       char *text, size_t size)
{
    const char *verb = segment->list == LADDER_READ ? "read" : "written";
    int length = snprintf(text, size, "%" PRIu32 " octets offered", segment->length);
    if (map->offered)
        return;
    length +=
        snprintf(text + length, size - (size_t)length, ", %" PRIu64 " %s", segment->moved, verb);
    const struct {
        bool applies;
        uint64_t count;
        const char *what;
    } rest[] = {
        {segment->moved < segment->length && !map->partial, segment->length - segment->moved,
         "not"},
        {segment->twice > 0, segment->twice, "twice"},
        {segment->beyond > 0, segment->beyond, "outside"},
        {segment->is_returned, segment->returned, "returned"},
    };
    for (size_t i = 0; i < COUNT(rest) && length > 0 && (size_t)length < size; i++)
        if (rest[i].applies)
            length += snprintf(text + length, size - (size_t)length, ", %" PRIu64 " %s",
                               rest[i].count, rest[i].what);
}
