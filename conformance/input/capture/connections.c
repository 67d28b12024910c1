// SPDX-License-Identifier: BSD-3-Clause
/*
 * The table of connections.
 *
 * Every packet is looked up here, so the two flows of a connection are hashed separately, by what
 * the packet itself shows: addresses and the destination's queue pair. Entries are never moved,
 * and a closed connection stays until its entry is needed: late packets of it must not begin a new
 * connection. The table knows when each connection was used last, and so decides which of them
 * gives up its memory.
 */
#include "conformance/input/capture/connections.h"
#include "conformance/input/flow/flow.h"
#include "conformance/input/flow/hold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Frames in which packets may come that crossed the request to disconnect: those of a Send of 64
 * KiB in packets of 1 KiB. */
#define ENDING_FRAMES 64

/* Connections remembered at a time. */
#define CONNECTIONS_MAX 4096
#define BUCKETS 8192

/* ---- flows by addresses and queue pair ---- */

static uint32_t hash(const struct address *source, const struct address *destination,
                     uint32_t queue_pair)
{
    uint32_t sum = queue_pair * 0x9e3779b1u;
    for (int i = 0; i < 16; i += 4)
        sum = (sum ^ load_be32(source->octets + i) ^ load_be32(destination->octets + i) * 31) *
              0x85ebca6bu;
    return (sum ^ sum >> 15) % BUCKETS;
}

static struct flow *flow_at(struct connection_table *table, uint32_t index)
{
    return &table->entries[index / 2]->flow[index % 2];
}

static bool flow_is(const struct flow *flow, const struct address *source,
                    const struct address *destination, uint32_t queue_pair)
{
    return flow->queue_pair == queue_pair && address_equal(&flow->source, source) &&
           address_equal(&flow->destination, destination);
}

static uint32_t find(struct connection_table *table, const struct address *source,
                     const struct address *destination, uint32_t queue_pair)
{
    /* Mostly it is the flow found last, or the other one of its connection. */
    for (uint32_t flip = 0; flip < 2 && table->last != NO_INDEX; flip++)
        if (flow_is(flow_at(table, table->last ^ flip), source, destination, queue_pair))
            return table->last ^= flip;
    uint32_t i = table->buckets[hash(source, destination, queue_pair)];
    while (i != NO_INDEX && !flow_is(flow_at(table, i), source, destination, queue_pair))
        i = flow_at(table, i)->hash_next;
    if (i != NO_INDEX)
        table->last = i;
    return i;
}

struct connection *connection_find(struct connection_table *table, const struct address *source,
                                   const struct address *destination, uint32_t queue_pair,
                                   enum rpcrdma_endpoint *sender)
{
    uint32_t index = find(table, source, destination, queue_pair);
    *sender = (enum rpcrdma_endpoint)(index % 2);
    return index == NO_INDEX ? NULL : table->entries[index / 2];
}

static void insert(struct connection_table *table, uint32_t index)
{
    struct flow *flow = flow_at(table, index);
    uint32_t *bucket = &table->buckets[hash(&flow->source, &flow->destination, flow->queue_pair)];
    flow->hash_next = *bucket;
    *bucket = index;
}

/* A flow that is not known yet is in no bucket. */
static void take_out(struct connection_table *table, uint32_t index)
{
    struct flow *flow = flow_at(table, index);
    uint32_t *link = &table->buckets[hash(&flow->source, &flow->destination, flow->queue_pair)];
    while (*link != NO_INDEX && *link != index)
        link = &flow_at(table, *link)->hash_next;
    if (*link == index)
        *link = flow->hash_next;
    if (table->last / 2 == index / 2)
        table->last = NO_INDEX;
}

/* ---- order of use ---- */

static void unlink_use(struct connection_table *table, struct connection *c)
{
    if (c->older != NO_INDEX)
        table->entries[c->older]->newer = c->newer;
    else
        table->oldest = c->newer;
    if (c->newer != NO_INDEX)
        table->entries[c->newer]->older = c->older;
    else
        table->newest = c->older;
}

static void link_newest(struct connection_table *table, struct connection *c)
{
    uint32_t index = c->index;
    c->older = table->newest;
    c->newer = NO_INDEX;
    if (table->newest != NO_INDEX)
        table->entries[table->newest]->newer = index;
    else
        table->oldest = index;
    table->newest = index;
}

void connection_touch(struct connection_table *table, struct connection *connection)
{
    if (table->newest == connection->index)
        return;
    unlink_use(table, connection);
    link_newest(table, connection);
}

/* The connection in use is the newest: it keeps what it assembles, and at the end gives up the
 * events it holds. */
static void evict(void *arg, size_t octets)
{
    struct connection_table *table = arg;
    struct capture_context *context = table->context;
    uint32_t i = table->oldest;
    for (; i != table->newest && !memory_fits(&context->memory, octets);
         i = table->entries[i]->newer)
        flow_evict(context, table->entries[i]);
    if (i != NO_INDEX && !memory_fits(&context->memory, octets))
        hold_evict(context, table->entries[i]);
}

/* ---- connections ---- */

/* The last events, and the end. */
static void finish(struct connection_table *table, struct connection *connection)
{
    const struct source_sink *sink = table->context->reader->sink;
    hold_end(table->context, connection);
    hold_missing_parts(table->context, connection);
    connection->undecided = false;
    if (sink->closed)
        sink->closed(sink->arg, connection->id);
}

void connection_close(struct connection_table *table, struct connection *connection)
{
    if (connection->closed)
        return;
    if (known_flow(connection) >= 0)
        table->half_open--;
    flow_end(table->context, connection);
    connection->closed = true;
    connection->undecided = hold_is_undecided(table->context, connection);
    if (!connection->undecided)
        finish(table, connection);
}

static void emit_end(struct capture_context *context, struct connection *connection,
                     enum rpcrdma_endpoint by)
{
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = by};
    connection->end.asked = true;
    connection->end.frame = context->frame;
    if (!connection->failed)
        hold_event(context, connection, &event, context->frame);
}

static void close_oldest_ending(struct connection_table *table)
{
    const struct ending oldest = table->ending[0];
    struct connection *c = table->entries[oldest.index];
    table->ending_count--;
    memmove(table->ending, table->ending + 1, table->ending_count * sizeof oldest);
    if (c->in_use && c->id == oldest.id)
        connection_close(table, c);
}

void connection_end(struct connection_table *table, struct connection *connection,
                    enum rpcrdma_endpoint by)
{
    if (connection->end.asked)
        return;
    emit_end(table->context, connection, by);
    if (table->ending_count == ENDING_MAX)
        close_oldest_ending(table);
    table->ending[table->ending_count++] = (struct ending){connection->index, connection->id};
}

void connection_settle_ends(struct connection_table *table)
{
    while (table->ending_count > 0) {
        const struct ending *oldest = &table->ending[0];
        const struct connection *c = table->entries[oldest->index];
        if (c->in_use && c->id == oldest->id && !c->closed &&
            table->context->frame <= c->end.frame + ENDING_FRAMES)
            return;
        close_oldest_ending(table);
    }
}

/* Free the entry. */
static void forget(struct connection_table *table, struct connection *connection)
{
    uint32_t index = connection->index;
    connection_close(table, connection);
    if (connection->undecided)
        finish(table, connection);
    take_out(table, 2 * index);
    take_out(table, 2 * index + 1);
    unlink_use(table, connection);
    connection->in_use = false;
    connection->newer = table->unused;
    table->unused = index;
}

#define QUEUE_PAIR_TEXT (sizeof "0xffffffff")

static const char *queue_pair_text(const struct flow *to, char text[QUEUE_PAIR_TEXT])
{
    if (to->queue_pair == NO_QUEUE_PAIR)
        return "?";
    snprintf(text, QUEUE_PAIR_TEXT, "0x%" PRIx32, to->queue_pair);
    return text;
}

/* A side's queue pair is the one that the other side sends to. */
static void set_name(struct connection *c)
{
    const struct flow *sent = &c->flow[RPCRDMA_CLIENT], *back = &c->flow[RPCRDMA_SERVER];
    char client[ADDRESS_TEXT], server[ADDRESS_TEXT];
    char of_client[QUEUE_PAIR_TEXT], of_server[QUEUE_PAIR_TEXT];
    address_text(&sent->source, client);
    address_text(&sent->destination, server);
    snprintf(c->name, sizeof c->name, "%s:%s-%s:%s", client, queue_pair_text(back, of_client),
             server, queue_pair_text(sent, of_server));
}

static void displace(struct connection_table *table, const struct address *source,
                     const struct address *destination, uint32_t queue_pair)
{
    uint32_t index =
        queue_pair == NO_QUEUE_PAIR ? NO_INDEX : find(table, source, destination, queue_pair);
    if (index == NO_INDEX)
        return;
    struct connection *c = table->entries[index / 2];
    if (!c->closed && !c->end.asked)
        emit_end(table->context, c, RPCRDMA_CLIENT);
    forget(table, c);
}

static void mark_displaced(struct connection_table *table, const struct address *source,
                           const struct address *destination, uint32_t queue_pair)
{
    displace(table, source, destination, queue_pair);
    table->displaced[hash(source, destination, queue_pair)] = true;
}

bool connection_is_displaced(const struct connection_table *table, const struct packet *packet)
{
    return table->displaced[hash(&packet->source, &packet->destination, packet->queue_pair)];
}

void connection_displace(struct connection_table *table, const struct address *client,
                         uint32_t client_queue_pair, const struct address *server,
                         uint32_t server_queue_pair)
{
    mark_displaced(table, server, client, client_queue_pair);
    mark_displaced(table, client, server, server_queue_pair);
}

/* NO_INDEX if there is no memory for any. */
static uint32_t take_entry(struct connection_table *table)
{
    bool full = table->used == CONNECTIONS_MAX;
    if (table->unused == NO_INDEX && !full) {
        struct connection *made = calloc(1, sizeof *made);
        if (made) {
            table->entries[table->used] = made;
            return table->used++;
        }
    }
    if (table->unused == NO_INDEX && table->oldest != NO_INDEX)
        forget(table, table->entries[table->oldest]);
    uint32_t index = table->unused;
    if (index != NO_INDEX)
        table->unused = table->entries[index]->newer;
    return index;
}

struct connection *connection_add(struct connection_table *table, const struct address *client,
                                  uint32_t client_queue_pair, const struct address *server,
                                  uint32_t server_queue_pair)
{
    const struct source_reader *reader = table->context->reader;
    displace(table, server, client, client_queue_pair);
    displace(table, client, server, server_queue_pair);
    uint32_t index = take_entry(table);
    if (index == NO_INDEX)
        return NULL;
    struct connection *c = table->entries[index];
    *c = (struct connection){.in_use = true, .index = index, .id = table->ids++};
    c->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    c->config.seen_between = true;
    c->config.operations_seen = !table->context->sends_only;
    c->config.registrations_seen[RPCRDMA_CLIENT] = table->context->within_client;
    c->config.bindings = reader->options->bindings;
    c->config.draft = reader->options->draft;
    c->flow[RPCRDMA_CLIENT] =
        (struct flow){.source = *client, .destination = *server, .queue_pair = server_queue_pair};
    c->flow[RPCRDMA_SERVER] =
        (struct flow){.source = *server, .destination = *client, .queue_pair = client_queue_pair};
    if (server_queue_pair != NO_QUEUE_PAIR)
        insert(table, 2 * index + RPCRDMA_CLIENT);
    if (client_queue_pair != NO_QUEUE_PAIR)
        insert(table, 2 * index + RPCRDMA_SERVER);
    link_newest(table, c);
    set_name(c);
    if (known_flow(c) >= 0)
        table->half_open++;
    reader->counts->connections++;
    return c;
}

void connection_complete(struct connection_table *table, struct connection *connection,
                         enum rpcrdma_endpoint sender, uint32_t queue_pair)
{
    uint32_t index = connection->index;
    connection->flow[sender].queue_pair = queue_pair;
    insert(table, 2 * index + (uint32_t)sender);
    set_name(connection);
    table->half_open--;
}

void connection_join(struct connection_table *table, struct connection *into,
                     struct connection *from)
{
    int there = known_flow(from), here = 1 - known_flow(into);
    take_out(table, 2 * from->index + (uint32_t)there);
    into->flow[here] = from->flow[there];
    from->flow[there] = (struct flow){.queue_pair = NO_QUEUE_PAIR};
    table->half_open--; /* `from` has no flow now, and is not counted when it is closed */
    forget(table, from);
    connection_complete(table, into, (enum rpcrdma_endpoint)here, into->flow[here].queue_pair);
    /* The checker of `into` has not seen the events of `from`. */
    hold_gap(table->context, into, table->context->frame);
}

bool connection_table_init(struct connection_table *table, struct capture_context *context)
{
    table->context = context;
    context->memory.evict = evict;
    context->memory.arg = table;
    table->entries = calloc(CONNECTIONS_MAX, sizeof *table->entries);
    table->buckets = malloc(BUCKETS * sizeof *table->buckets);
    table->displaced = calloc(BUCKETS, sizeof *table->displaced);
    table->unused = table->oldest = table->newest = table->last = NO_INDEX;
    if (!table->entries || !table->buckets || !table->displaced)
        return false;
    memset(table->buckets, 0xff, BUCKETS * sizeof *table->buckets);
    return true;
}

void connection_table_done(struct connection_table *table)
{
    for (uint32_t i = table->oldest; table->entries && i != NO_INDEX; i = table->entries[i]->newer)
        connection_close(table, table->entries[i]);
    table->context->ends = true;
    while (table->entries && table->oldest != NO_INDEX)
        forget(table, table->entries[table->oldest]);
    for (uint32_t i = 0; i < table->used; i++)
        free(table->entries[i]);
    free(table->entries);
    free(table->buckets);
    free(table->displaced);
}
