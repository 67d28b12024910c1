// SPDX-License-Identifier: BSD-3-Clause
/* Counting. */
#include "conformance/report/figures/figures.h"

#include "conformance/base/alloc.h"
#include "conformance/decode/items_text.h"
#include "conformance/report/figures/waiting.h"
#include "conformance/report/results/known.h"

#include <rpcrdma/message.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static struct figures_row *procedure_row(struct figures *figures, const char *name)
{
    if (figures->procedures_end == NULL)
        figures->procedures_end = &figures->procedures;
    if (figures->procedure_count + 1 >= FIGURES_PROCEDURES)
        name = "others";
    struct figures_procedure *procedure = figures->procedures;
    while (procedure && strcmp(procedure->name, name) != 0)
        procedure = procedure->next;
    if (procedure)
        return &procedure->row;
    procedure = alloc_zeroed(1, sizeof *procedure);
    snprintf(procedure->name, sizeof procedure->name, "%s", name);
    *figures->procedures_end = procedure;
    figures->procedures_end = &procedure->next;
    figures->procedure_count++;
    return &procedure->row;
}

struct figures_connection *figures_connect(struct figures *figures,
                                           const struct source_event *event)
{
    struct figures_connection *connection = alloc_zeroed(1, sizeof *connection);
    snprintf(connection->name, sizeof connection->name, "%s", event->connection);
    connection->file = event->file;
    connection->is_extra = figures->connection_count++ >= FIGURES_CONNECTIONS;
    if (connection->is_extra)
        return connection;
    if (figures->connections_end == NULL)
        figures->connections_end = &figures->connections;
    *figures->connections_end = connection;
    figures->connections_end = &connection->next;
    return connection;
}

/* Adds `count` to the connection, and to the procedure unless that is NULL. */
static void count(struct figures_connection *connection, struct figures_row *procedure,
                  enum figure figure, uint64_t number)
{
    connection->row.count[figure] += number;
    if (procedure)
        procedure->count[figure] += number;
}

static void row_add(struct figures_row *row, const struct figures_row *other)
{
    for (int i = 0; i < FIGURE_COUNTED; i++) {
        uint64_t *sum = &row->count[i], number = other->count[i];
        bool replaces = figure_names[i].how == FIGURE_MOST
                            ? number > *sum
                            : *sum == 0 || (number > 0 && number < *sum);
        if (figure_names[i].how == FIGURE_ADDS)
            *sum += number;
        else if (replaces)
            *sum = number;
    }
    histogram_merge(&row->time, &other->time);
}

/* ---- what a Send offers, and what it returns ---- */

struct amounts {
    uint64_t chunks, used, segments, octets;
};

static void add_array(struct amounts *amounts, const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma1_segment segment;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    uint64_t octets = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment)) {
        amounts->segments++;
        octets += segment.length;
    }
    amounts->chunks++;
    amounts->used += octets > 0;
    amounts->octets += octets;
}

static struct amounts amounts_of_reads(const struct rpcrdma1_read_list *list)
{
    struct amounts amounts = {0};
    struct rpcrdma1_read_segment segment;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        amounts.segments++;
        amounts.octets += segment.target.length;
    }
    return amounts;
}

static struct amounts amounts_of_writes(const struct rpcrdma1_write_list *list)
{
    struct amounts amounts = {0};
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(list);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        add_array(&amounts, &chunk.target);
    return amounts;
}

static struct amounts amounts_of_reply(const struct rpcrdma1_chunk_lists *lists)
{
    struct amounts amounts = {0};
    if (lists->rdma_reply.present)
        add_array(&amounts, &lists->rdma_reply.value.target);
    return amounts;
}

/* Returns how many segments there are. */
static uint64_t count_offers(struct figures_connection *connection, struct figures_row *row,
                             const struct rpcrdma_message *message)
{
    const struct rpcrdma1_chunk_lists *lists = &message->chunks;
    struct amounts first = amounts_of_reads(&message->call_chunk);
    struct amounts reads = amounts_of_reads(&lists->rdma_reads);
    struct amounts writes = amounts_of_writes(&lists->rdma_writes);
    struct amounts reply = amounts_of_reply(lists);
    count(connection, row, FIGURE_READ_SEGMENTS, first.segments + reads.segments);
    count(connection, row, FIGURE_READ_OFFERED, first.octets + reads.octets);
    count(connection, row, FIGURE_WRITE_CHUNKS, writes.chunks);
    count(connection, row, FIGURE_WRITE_SEGMENTS, writes.segments);
    count(connection, row, FIGURE_WRITE_OFFERED, writes.octets);
    count(connection, row, FIGURE_REPLY_CHUNKS, reply.chunks);
    count(connection, row, FIGURE_REPLY_SEGMENTS, reply.segments);
    count(connection, row, FIGURE_REPLY_OFFERED, reply.octets);
    return first.segments + reads.segments + writes.segments + reply.segments;
}

static void count_returns(struct figures_connection *connection, struct figures_row *row,
                          const struct rpcrdma_message *message)
{
    struct amounts writes = amounts_of_writes(&message->chunks.rdma_writes);
    struct amounts reply = amounts_of_reply(&message->chunks);
    count(connection, row, FIGURE_WRITE_CHUNKS_USED, writes.used);
    count(connection, row, FIGURE_WRITE_RETURNED, writes.octets);
    count(connection, row, FIGURE_REPLY_CHUNKS_USED, reply.used);
    count(connection, row, FIGURE_REPLY_RETURNED, reply.octets);
}

static void add_read_handles(struct waiting_calls *waiting, struct waiting_call *call,
                             const struct rpcrdma1_read_list *list)
{
    struct rpcrdma1_read_segment segment;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    while (rpcrdma1_read_list_next(&iter, &segment))
        waiting_add_handle(waiting, call, segment.target.handle);
}

static void add_array_handles(struct waiting_calls *waiting, struct waiting_call *call,
                              const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma1_segment segment;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    while (rpcrdma1_segment_array_next(&iter, &segment))
        waiting_add_handle(waiting, call, segment.handle);
}

static void add_handles(struct waiting_calls *waiting, struct waiting_call *call,
                        const struct rpcrdma_message *message)
{
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message->chunks.rdma_writes);
    add_read_handles(waiting, call, &message->call_chunk);
    add_read_handles(waiting, call, &message->chunks.rdma_reads);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        add_array_handles(waiting, call, &chunk.target);
    if (message->chunks.rdma_reply.present)
        add_array_handles(waiting, call, &message->chunks.rdma_reply.value.target);
}

/* ---- Calls ---- */

/* Both hosts, without their ports and queue pairs; 0 of what is no capture. */
static uint64_t peers_of(const struct source_event *event)
{
    uint64_t hash = 0xcbf29ce484222325u;
    if (event->frame == 0)
        return 0;
    for (int side = 0; side < 2; side++) {
        char peer[128];
        source_peer(peer, sizeof peer, event->connection, side);
        for (const char *p = peer; *p != '\0'; p++)
            hash = (hash ^ (uint8_t)*p) * 0x100000001b3u;
        hash = (hash ^ 0xff) * 0x100000001b3u;
    }
    return hash | 1;
}

static struct figures_row *row_of_call(struct figures *figures, const struct items_view *view,
                                       enum rpcrdma_endpoint from)
{
    char name[FIGURES_NAME], brief[ITEMS_BRIEF];
    const struct items_call *call = &view->call;
    const char *comma = call->hidden ? ", " : "", *hidden = call->hidden ? call->hidden : "";
    const char *whose = from == RPCRDMA_SERVER ? "callback " : "";
    items_brief(view, brief);
    if (view->binding)
        snprintf(name, sizeof name, "%s %" PRIu32 " %s%s%s", view->binding->name, call->version,
                 brief, comma, hidden);
    else if (call->known)
        snprintf(name, sizeof name,
                 "%sprogram %" PRIu32 " version %" PRIu32 " procedure %" PRIu32 "%s%s", whose,
                 call->program, call->version, call->procedure, comma, hidden);
    else
        snprintf(name, sizeof name, "%sprocedure not seen", whose);
    return procedure_row(figures, name);
}

static void forget(struct waiting_call *call)
{
    count(call->owner, call->row, FIGURE_UNANSWERED, 1);
}

/* The client has one Call more or less in flight. */
static void change_in_flight(struct figures_connection *connection, enum rpcrdma_endpoint from,
                             bool one_more, int64_t time)
{
    uint64_t *counts = connection->row.count;
    if (from != RPCRDMA_CLIENT)
        return;
    connection->in_flight += one_more ? 1 : -(connection->in_flight > 0);
    if (connection->in_flight > counts[FIGURE_IN_FLIGHT])
        counts[FIGURE_IN_FLIGHT] = connection->in_flight;
    counts[FIGURE_AT_GRANT] +=
        one_more && connection->granted > 0 && connection->in_flight >= connection->granted;
    if (time > 0)
        timeline_add(&connection->timeline, time, connection->in_flight, connection->granted);
}

struct sight {
    struct figures *figures;
    struct figures_connection *connection;
    const struct source_event *event;
    const struct rpcrdma_message *message;
};

static void wait_for(const struct sight *sight, const struct waiting_call *call, uint64_t segments)
{
    struct waiting_calls *waiting = sight->figures->waiting;
    uint32_t handles = segments > WAITING_HANDLES ? WAITING_HANDLES : (uint32_t)segments;
    add_handles(waiting, waiting_add(waiting, call, handles, forget), sight->message);
    change_in_flight(sight->connection, call->from, true, sight->event->time);
}

static void see_call(const struct sight *sight, const struct items_view *view)
{
    const struct rpcrdma_event *send = &sight->event->event;
    struct figures_connection *connection = sight->connection;
    struct waiting_calls *waiting = sight->figures->waiting;
    struct waiting_call call = {.connection = sight->event->connection_id,
                                .peers = peers_of(sight->event),
                                .from = send->from,
                                .xid = sight->message->prefix.xid,
                                .time = sight->event->time,
                                .owner = connection};
    struct waiting_call *known = waiting_find(waiting, call.connection, call.from, call.xid);
    bool is_later_piece = view->is_piece && (view->first > 0 || view->total == 0);
    if (is_later_piece) {
        count(connection, known ? known->row : NULL, FIGURE_CALL_OCTETS,
              send->length + send->missing);
        return;
    }
    call.row = row_of_call(sight->figures, view, send->from);
    call.row->count[FIGURE_REGISTRATIONS] += connection->registered[send->from];
    connection->registered[send->from] = 0;
    count(connection, call.row, FIGURE_CALL_OCTETS, send->length + send->missing);
    uint64_t segments = count_offers(connection, call.row, sight->message);
    if (known) {
        count(connection, call.row, FIGURE_RETRANSMITTED, 1);
        return;
    }
    if (call.peers != 0)
        known = waiting_find_closed(waiting, call.peers, call.from, call.xid, call.row);
    count(connection, call.row, known ? FIGURE_RETRANSMITTED : FIGURE_CALLS, 1);
    if (known) {
        call.time = known->time;
        waiting_remove(waiting, known);
    }
    wait_for(sight, &call, segments);
}

/* ---- Replies ---- */

/* The credit word of a Call asks for credits; only that of an answer grants them. */
static void see_grant(const struct sight *sight)
{
    const struct rpcrdma_message *message = sight->message;
    uint64_t *counts = sight->connection->row.count;
    uint32_t granted = message->prefix.credit;
    if (sight->event->event.from != RPCRDMA_SERVER || granted == 0 ||
        message->protocol == RPCRDMA_PROTOCOL_2_07) /* where the word counts messages */
        return;
    sight->connection->granted = granted;
    if (granted > counts[FIGURE_GRANTED_MOST])
        counts[FIGURE_GRANTED_MOST] = granted;
    if (counts[FIGURE_GRANTED_LEAST] == 0 || granted < counts[FIGURE_GRANTED_LEAST])
        counts[FIGURE_GRANTED_LEAST] = granted;
}

static void end_wait(const struct sight *sight, struct waiting_call *call, enum figure how)
{
    int64_t time = sight->event->time;
    count(sight->connection, call->row, how, 1);
    if (call->time > 0 && time >= call->time) {
        histogram_add(&sight->connection->row.time, (uint64_t)(time - call->time));
        histogram_add(&call->row->time, (uint64_t)(time - call->time));
    }
    change_in_flight(sight->connection, call->from, false, time);
    waiting_remove(sight->figures->waiting, call);
}

static void see_answer(const struct sight *sight)
{
    const struct rpcrdma_event *send = &sight->event->event;
    const struct rpcrdma_message *message = sight->message;
    struct figures_connection *connection = sight->connection;
    enum rpcrdma_endpoint caller = send->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    struct waiting_call *call = waiting_find(sight->figures->waiting, sight->event->connection_id,
                                             caller, message->prefix.xid);
    struct figures_row *row = call ? call->row : NULL;
    bool is_error = message->kind == RPCRDMA_KIND_ERROR;
    bool is_last = is_error || message->form != RPCRDMA_FORM_PIECE;
    if (!is_error) {
        count(connection, row, FIGURE_REPLY_OCTETS, send->length + send->missing);
        count_returns(connection, row, message);
    }
    count(connection, row, FIGURE_INVALIDATIONS, send->invalidate);
    if (call == NULL)
        count(connection, NULL, FIGURE_STRAY_REPLIES, is_last);
    else if (is_last)
        end_wait(sight, call, is_error ? FIGURE_ERRORS : FIGURE_REPLIES);
}

static void see_send(const struct sight *sight, const struct rpcrdma_judgement *judgement)
{
    const struct rpcrdma_event *send = &sight->event->event;
    struct items_view view;
    items_look(sight->figures->items, sight->event, &view);
    count(sight->connection, NULL, FIGURE_SENDS, 1);
    if (judgement->header_length < 0 || send->data == NULL)
        return;
    bool is_rpc = judgement->kind == RPCRDMA_KIND_RPC;
    if (is_rpc && judgement->direction == RPCRDMA_CALL) {
        see_call(sight, &view);
    } else if (judgement->kind == RPCRDMA_KIND_ERROR ||
               (is_rpc && judgement->direction == RPCRDMA_REPLY)) {
        see_grant(sight);
        see_answer(sight);
    }
}

/* ---- RDMA operations ---- */

static void see_operation(const struct sight *sight)
{
    const struct rpcrdma_event *operation = &sight->event->event;
    bool is_read = operation->type == RPCRDMA_EVENT_RDMA_READ;
    enum rpcrdma_endpoint caller =
        operation->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    const struct waiting_call *call = waiting_find_handle(
        sight->figures->waiting, sight->event->connection_id, caller, operation->handle);
    struct figures_row *row = call ? call->row : NULL;
    count(sight->connection, row, is_read ? FIGURE_RDMA_READS : FIGURE_RDMA_WRITES, 1);
    count(sight->connection, row, is_read ? FIGURE_RDMA_READ_OCTETS : FIGURE_RDMA_WRITE_OCTETS,
          operation->length + operation->missing);
    if (call == NULL)
        count(sight->connection, NULL, is_read ? FIGURE_STRAY_READS : FIGURE_STRAY_WRITES, 1);
}

/* ---- events ---- */

static void see_time(struct figures *figures, int64_t time)
{
    if (time <= 0)
        return;
    if (figures->first == 0 || time < figures->first)
        figures->first = time;
    if (time > figures->last)
        figures->last = time;
}

void figures_add(struct figures *figures, struct figures_connection *connection,
                 const struct source_event *event, const struct rpcrdma_judgement *judgement)
{
    struct rpcrdma_message message;
    struct sight sight = {figures, connection, event, &message};
    if (event->event.type == RPCRDMA_EVENT_GAP)
        return;
    figures->events++;
    see_time(figures, event->time);
    if (strcmp(connection->name, event->connection) != 0) /* its other side was found */
        snprintf(connection->name, sizeof connection->name, "%s", event->connection);
    switch (event->event.type) {
    case RPCRDMA_EVENT_SEND:
        if (judgement->header_length >= 0)
            rpcrdma_message_decode(&message, judgement->protocol, event->event.data,
                                   event->event.length, NULL);
        see_send(&sight, judgement);
        break;
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
        see_operation(&sight);
        break;
    case RPCRDMA_EVENT_NOT_READY:
        count(connection, NULL, FIGURE_NOT_READY, 1);
        break;
    case RPCRDMA_EVENT_REFUSED:
        count(connection, NULL, FIGURE_REFUSED, 1);
        break;
    case RPCRDMA_EVENT_REGISTERED:
        count(connection, NULL, FIGURE_REGISTRATIONS, 1);
        connection->registered[event->event.from]++;
        break;
    case RPCRDMA_EVENT_PRIVATE_DATA:
    case RPCRDMA_EVENT_DISCONNECT:
    case RPCRDMA_EVENT_ATOMIC:
    case RPCRDMA_EVENT_INVALIDATED:
    case RPCRDMA_EVENT_COMPLETED:
    case RPCRDMA_EVENT_GAP:
        break;
    }
}

/* ---- files ---- */

void figures_begin_file(struct figures *figures)
{
    if (figures->nobody == NULL)
        figures->nobody = alloc_zeroed(1, sizeof *figures->nobody);
    figures->waiting = waiting_make();
    figures->items = alloc_zeroed(1, sizeof *figures->items);
}

void figures_close(struct figures *figures, struct figures_connection *connection)
{
    struct waiting_calls *waiting = figures->waiting;
    while (connection->calls) {
        struct waiting_call *call = connection->calls;
        if (call->peers == 0) { /* of vectors: no other connection is between the same hosts */
            forget(call);
            waiting_remove(waiting, call);
            continue;
        }
        struct waiting_call *same =
            waiting_find_closed(waiting, call->peers, call->from, call->xid, call->row);
        if (same) { /* so that they do not pile up */
            forget(same);
            waiting_remove(waiting, same);
        }
        waiting_close(waiting, call);
        if (connection->is_extra)
            call->owner = figures->nobody;
    }
    if (connection->is_extra) {
        row_add(&figures->rest, &connection->row);
        free(connection);
    }
}

void figures_end_file(struct figures *figures)
{
    for (struct waiting_call *call; (call = waiting_oldest(figures->waiting)) != NULL;) {
        forget(call);
        waiting_remove(figures->waiting, call);
    }
    waiting_free(figures->waiting);
    free(figures->items);
    figures->waiting = NULL;
    figures->items = NULL;
}

void figures_sum(struct figures *figures)
{
    figures->total = figures->rest;
    if (figures->nobody)
        row_add(&figures->total, &figures->nobody->row);
    for (const struct figures_connection *at = figures->connections; at; at = at->next)
        row_add(&figures->total, &at->row);
}

void figures_free(struct figures *figures)
{
    for (struct figures_procedure *at = figures->procedures, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    for (struct figures_connection *at = figures->connections, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    free(figures->nobody);
    *figures = (struct figures){.events = 0};
}
