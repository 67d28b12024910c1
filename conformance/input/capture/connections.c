// SPDX-License-Identifier: BSD-3-Clause
/* Connections of a capture: who talks to whom, from connection management or by recognition. */
#include "conformance/input/capture/connections.h"

#include <rpcrdma/private_data.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 8192

/* The connection in use is the newest: it keeps what it puts together. */
bool memory_take(struct peers *peers, size_t octets)
{
    uint32_t i = peers->oldest;
    while (octets > peers->memory_max - peers->memory) {
        while (i != peers->newest && !lanes_yield(peers, &peers->connections[i]))
            i = peers->connections[i].newer;
        if (i == peers->newest && !held_yield(peers, &peers->connections[i]))
            return false;
    }
    peers->memory += octets;
    return true;
}

bool buffer_add(struct peers *peers, struct buffer *buffer, const uint8_t *octets, size_t count)
{
    if (count == 0)
        return true;
    if (count > buffer->capacity - buffer->length) {
        size_t capacity = buffer->capacity ? buffer->capacity : 4096;
        while (capacity - buffer->length < count)
            capacity *= 2;
        if (capacity > MESSAGE_MAX || !memory_take(peers, capacity - buffer->capacity))
            return false;
        uint8_t *grown = realloc(buffer->octets, capacity);
        if (grown == NULL) {
            peers->memory -= capacity - buffer->capacity;
            return false;
        }
        buffer->octets = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->octets + buffer->length, octets, count);
    buffer->length += count;
    return true;
}

void buffer_free(struct peers *peers, struct buffer *buffer)
{
    peers->memory -= buffer->capacity;
    free(buffer->octets);
    *buffer = (struct buffer){0};
}

/* ---- table of lanes ---- */

static uint32_t hash(const struct address *source, const struct address *destination,
                     uint32_t queue_pair)
{
    uint32_t sum = queue_pair * 0x9e3779b1u;
    for (int i = 0; i < 16; i += 4)
        sum = (sum ^ load_be32(source->octets + i) ^ load_be32(destination->octets + i) * 31) *
              0x85ebca6bu;
    return (sum ^ sum >> 15) % BUCKETS;
}

static bool same(const struct address *a, const struct address *b)
{
    return memcmp(a->octets, b->octets, sizeof a->octets) == 0;
}

static struct lane *lane_at(struct peers *peers, uint32_t index)
{
    return &peers->connections[index / 2].lane[index % 2];
}

static bool lane_is(const struct lane *lane, const struct packet *packet)
{
    return lane->queue_pair == packet->queue_pair && same(&lane->source, &packet->source) &&
           same(&lane->destination, &packet->destination);
}

static uint32_t find(struct peers *peers, const struct packet *packet)
{
    /* Mostly it is the lane found last, or the other one of its connection. */
    for (uint32_t flip = 0; flip < 2 && peers->last != NOBODY; flip++)
        if (lane_is(lane_at(peers, peers->last ^ flip), packet))
            return peers->last ^= flip;
    uint32_t i = peers->buckets[hash(&packet->source, &packet->destination, packet->queue_pair)];
    while (i != NOBODY && !lane_is(lane_at(peers, i), packet))
        i = lane_at(peers, i)->hash_next;
    if (i != NOBODY)
        peers->last = i;
    return i;
}

static void insert(struct peers *peers, uint32_t index)
{
    struct lane *lane = lane_at(peers, index);
    uint32_t *bucket = &peers->buckets[hash(&lane->source, &lane->destination, lane->queue_pair)];
    lane->hash_next = *bucket;
    *bucket = index;
}

static void take_out(struct peers *peers, uint32_t index)
{
    struct lane *lane = lane_at(peers, index);
    if (lane->queue_pair == NOBODY)
        return;
    uint32_t *link = &peers->buckets[hash(&lane->source, &lane->destination, lane->queue_pair)];
    while (*link != NOBODY && *link != index)
        link = &lane_at(peers, *link)->hash_next;
    if (*link == index)
        *link = lane->hash_next;
    if (peers->last / 2 == index / 2)
        peers->last = NOBODY;
}

/* ---- connections ---- */

static void unlink_use(struct peers *peers, struct connection *c)
{
    if (c->older != NOBODY)
        peers->connections[c->older].newer = c->newer;
    else
        peers->oldest = c->newer;
    if (c->newer != NOBODY)
        peers->connections[c->newer].older = c->older;
    else
        peers->newest = c->older;
}

static void link_newest(struct peers *peers, struct connection *c)
{
    uint32_t index = (uint32_t)(c - peers->connections);
    c->older = peers->newest;
    c->newer = NOBODY;
    if (peers->newest != NOBODY)
        peers->connections[peers->newest].newer = index;
    else
        peers->oldest = index;
    peers->newest = index;
}

void peers_close(struct peers *peers, struct connection *connection)
{
    if (connection->closed)
        return;
    if (known_lane(connection) >= 0)
        peers->half_open--;
    held_end(peers, connection);
    connection->closed = true;
    lane_reset(peers, &connection->lane[0]);
    lane_reset(peers, &connection->lane[1]);
    if (peers->sink->closed)
        peers->sink->closed(peers->sink->arg, connection->id);
}

/* A closed connection keeps its lanes, so that late packets are not taken for a new one. */
static void forget(struct peers *peers, struct connection *connection)
{
    uint32_t index = (uint32_t)(connection - peers->connections);
    peers_close(peers, connection);
    take_out(peers, 2 * index);
    take_out(peers, 2 * index + 1);
    unlink_use(peers, connection);
    connection->in_use = false;
    connection->newer = peers->free;
    peers->free = index;
}

static void set_name(struct connection *c)
{
    char client[ADDRESS_TEXT], server[ADDRESS_TEXT], queue_pairs[2][16];
    for (int i = 0; i < 2; i++) {
        uint32_t own = c->lane[1 - i].queue_pair; /* what the other side sends to */
        if (own == NOBODY)
            snprintf(queue_pairs[i], sizeof queue_pairs[i], "?");
        else
            snprintf(queue_pairs[i], sizeof queue_pairs[i], "0x%" PRIx32, own);
    }
    address_text(&c->lane[0].source, client);
    address_text(&c->lane[0].destination, server);
    snprintf(c->name, sizeof c->name, "%s:%s-%s:%s", client, queue_pairs[0], server,
             queue_pairs[1]);
}

/* The queue pair has a new connection; so its old one has ended, if unseen. */
static void drop_lane_user(struct peers *peers, const struct address *source,
                           const struct address *destination, uint32_t queue_pair)
{
    struct packet key = {.source = *source, .destination = *destination, .queue_pair = queue_pair};
    uint32_t index = find(peers, &key);
    if (index == NOBODY)
        return;
    struct connection *c = connection_of(peers, index);
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = RPCRDMA_CLIENT};
    if (!c->closed)
        peers_emit(peers, c, &event, peers->frame);
    forget(peers, c);
}

static void drop_lane_users(struct peers *peers, const struct address *client,
                            uint32_t client_queue_pair, const struct address *server,
                            uint32_t server_queue_pair)
{
    if (client_queue_pair != NOBODY)
        drop_lane_user(peers, server, client, client_queue_pair);
    if (server_queue_pair != NOBODY)
        drop_lane_user(peers, client, server, server_queue_pair);
}

struct connection *peers_add(struct peers *peers, const struct address *client,
                             uint32_t client_queue_pair, const struct address *server,
                             uint32_t server_queue_pair)
{
    drop_lane_users(peers, client, client_queue_pair, server, server_queue_pair);
    if (peers->free == NOBODY && peers->used == CONNECTIONS_MAX)
        forget(peers, &peers->connections[peers->oldest]);
    uint32_t index = peers->free;
    if (index != NOBODY)
        peers->free = peers->connections[index].newer;
    else
        index = peers->used++;
    struct connection *c = &peers->connections[index];
    *c = (struct connection){.in_use = true, .id = peers->ids++};
    c->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    c->config.captured = true;
    c->config.bindings = peers->options->bindings;
    c->lane[RPCRDMA_CLIENT] =
        (struct lane){.source = *client, .destination = *server, .queue_pair = server_queue_pair};
    c->lane[RPCRDMA_SERVER] =
        (struct lane){.source = *server, .destination = *client, .queue_pair = client_queue_pair};
    if (server_queue_pair != NOBODY)
        insert(peers, 2 * index + RPCRDMA_CLIENT);
    if (client_queue_pair != NOBODY)
        insert(peers, 2 * index + RPCRDMA_SERVER);
    link_newest(peers, c);
    set_name(c);
    if (known_lane(c) >= 0)
        peers->half_open++;
    peers->counts->connections++;
    return c;
}

void peers_set_queue_pair(struct peers *peers, struct connection *connection,
                          enum rpcrdma_endpoint sender, uint32_t queue_pair)
{
    uint32_t index = (uint32_t)(connection - peers->connections);
    connection->lane[sender].queue_pair = queue_pair;
    insert(peers, 2 * index + (uint32_t)sender);
    set_name(connection);
    peers->half_open--;
}

void peers_join(struct peers *peers, struct connection *into, struct connection *from)
{
    int there = known_lane(from), here = 1 - known_lane(into);
    struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    take_out(peers, 2 * (uint32_t)(from - peers->connections) + (uint32_t)there);
    into->lane[here] = from->lane[there];
    from->lane[there] = (struct lane){.queue_pair = NOBODY};
    peers->half_open--; /* `from` knows no lane now, and is not counted when it is closed */
    forget(peers, from);
    peers_set_queue_pair(peers, into, (enum rpcrdma_endpoint)here, into->lane[here].queue_pair);
    peers_emit(peers, into, &gap, peers->frame); /* what `from` said was not told of `into` */
}

/* ---- connection management ---- */

static bool has_identifier(const uint8_t *octets, size_t length)
{
    struct rpcrdma_private_data data;
    return rpcrdma_private_data_find(&data, octets, length) != RPCRDMA_E_PD_ABSENT;
}

/* Datagrams get lost and are sent again, also after the connection stands. */
static bool is_connected(const struct peers *peers, const struct packet *packet,
                         const struct cm_message *message)
{
    for (uint32_t i = peers->newest; i != NOBODY; i = peers->connections[i].older) {
        const struct connection *c = &peers->connections[i];
        if (c->cm_seen && c->comm_id[RPCRDMA_CLIENT] == message->local_id &&
            c->lane[RPCRDMA_SERVER].queue_pair == message->queue_pair &&
            same(&c->lane[RPCRDMA_CLIENT].source, &packet->source))
            return true;
    }
    return false;
}

static void remember_request(struct peers *peers, const struct packet *packet,
                             const struct cm_message *message)
{
    if (is_connected(peers, packet, message))
        return;
    struct request *slot = &peers->requests[0];
    for (uint32_t i = 0; i < REQUESTS_MAX; i++) {
        struct request *request = &peers->requests[i];
        if (request->in_use && request->message.local_id == message->local_id &&
            same(&request->client, &packet->source)) {
            if (request->message.queue_pair == message->queue_pair &&
                request->message.psn == message->psn)
                return; /* sent again */
            slot = request;
            break;
        }
        if (!request->in_use || (slot->in_use && request->age < slot->age))
            slot = request;
    }
    *slot = (struct request){.in_use = true,
                             .client = packet->source,
                             .server = packet->destination,
                             .frame = packet->frame,
                             .age = peers->ages++,
                             .message = *message};
    memcpy(slot->private_data, message->private_data, message->private_length);
}

static void emit_private_data(struct peers *peers, struct connection *connection,
                              enum rpcrdma_endpoint from, const uint8_t *octets, size_t length,
                              uint64_t frame)
{
    size_t used = length;
    while (used > 0 && octets[used - 1] == 0)
        used--;
    if (used == 0)
        return;
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_PRIVATE_DATA, .from = from, .data = octets, .length = length};
    peers_emit(peers, connection, &event, frame);
}

static void connect_peers(struct peers *peers, struct request *request, const struct packet *packet,
                          const struct cm_message *reply)
{
    const struct cm_message *message = &request->message;
    bool wanted = peers->options->all_qp ||
                  cm_service_is_port(message->service, peers->options->port) ||
                  has_identifier(request->private_data, message->private_length) ||
                  has_identifier(reply->private_data, reply->private_length);
    request->in_use = false;
    if (!wanted) {
        drop_lane_users(peers, &request->client, message->queue_pair, &request->server,
                        reply->queue_pair);
        return;
    }
    struct connection *c = peers_add(peers, &request->client, message->queue_pair, &request->server,
                                     reply->queue_pair);
    c->cm_seen = true;
    c->mtu = message->mtu;
    c->comm_id[RPCRDMA_CLIENT] = message->local_id;
    c->comm_id[RPCRDMA_SERVER] = reply->local_id;
    /* Each side names the number that it expects first from the other. */
    c->lane[RPCRDMA_CLIENT].psn = reply->psn;
    c->lane[RPCRDMA_SERVER].psn = message->psn;
    c->lane[RPCRDMA_CLIENT].psn_known = c->lane[RPCRDMA_SERVER].psn_known = true;
    c->lane[RPCRDMA_CLIENT].psn_told = c->lane[RPCRDMA_SERVER].psn_told = true;
    emit_private_data(peers, c, RPCRDMA_CLIENT, request->private_data, message->private_length,
                      request->frame);
    emit_private_data(peers, c, RPCRDMA_SERVER, reply->private_data, reply->private_length,
                      packet->frame);
    c->holds = true;
}

/* The sender names its peer's queue pair, so it is found like any packet of its lane. */
static void disconnect(struct peers *peers, const struct packet *packet,
                       const struct cm_message *message)
{
    struct packet key = *packet;
    key.queue_pair = message->queue_pair;
    uint32_t index = find(peers, &key), from = index % 2;
    struct connection *c = index != NOBODY ? connection_of(peers, index) : NULL;
    if (c == NULL || c->closed ||
        (c->cm_seen &&
         (c->comm_id[from] != message->local_id || c->comm_id[1 - from] != message->remote_id)))
        return;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT,
                                  .from = (enum rpcrdma_endpoint)from};
    peers_emit(peers, c, &event, packet->frame);
    peers_close(peers, c);
}

static void manage(struct peers *peers, const struct packet *packet)
{
    struct cm_message message;
    if (!cm_parse(packet, &message))
        return;
    switch (message.kind) {
    case CM_REQUEST:
        remember_request(peers, packet, &message);
        return;
    case CM_REPLY:
    case CM_REJECT:
        for (uint32_t i = 0; i < REQUESTS_MAX; i++) {
            struct request *request = &peers->requests[i];
            if (!request->in_use || request->message.local_id != message.remote_id ||
                !same(&request->client, &packet->destination))
                continue;
            if (message.kind == CM_REPLY)
                connect_peers(peers, request, packet, &message);
            request->in_use = false;
            return;
        }
        return;
    case CM_DISCONNECT_REQUEST:
        disconnect(peers, packet, &message);
        return;
    case CM_OTHER:
        return;
    }
}

/* ---- packets ---- */

void peers_packet(struct peers *peers, const struct packet *packet)
{
    peers->frame = packet->frame;
    if (packet->opcode == OP_DATAGRAM) {
        manage(peers, packet);
        return;
    }
    if (packet->opcode > OP_RC_LAST)
        return;
    uint32_t index = find(peers, packet);
    enum rpcrdma_endpoint sender = (enum rpcrdma_endpoint)(index % 2);
    struct connection *c = index != NOBODY ? connection_of(peers, index) : NULL;
    if (c == NULL || known_lane(c) >= 0)
        c = recognise(peers, packet, c, &sender);
    if (c == NULL || c->closed)
        return;
    if (peers->newest != (uint32_t)(c - peers->connections)) {
        unlink_use(peers, c);
        link_newest(peers, c);
    }
    lane_packet(peers, c, sender, packet);
}

bool peers_init(struct peers *peers)
{
    peers->connections = calloc(CONNECTIONS_MAX, sizeof *peers->connections);
    peers->buckets = malloc(BUCKETS * sizeof *peers->buckets);
    peers->requests = calloc(REQUESTS_MAX, sizeof *peers->requests);
    peers->free = peers->oldest = peers->newest = peers->last = NOBODY;
    if (!peers->connections || !peers->buckets || !peers->requests)
        return false;
    memset(peers->buckets, 0xff, BUCKETS * sizeof *peers->buckets);
    return true;
}

void peers_done(struct peers *peers)
{
    while (peers->connections && peers->oldest != NOBODY)
        forget(peers, &peers->connections[peers->oldest]);
    free(peers->connections);
    free(peers->buckets);
    free(peers->requests);
}
