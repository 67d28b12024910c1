// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connections by connection management.
 *
 * The request names one queue pair and the reply the other, so a connection is known only when
 * both were seen, and requests are kept until then. The reader learns what recognition by content
 * could never show: the private data, the first sequence numbers, the path MTU, and that nothing
 * of the connection is missing before.
 */
#include "conformance/input/capture/establish.h"
#include "conformance/input/frame/cm.h"
#include "conformance/input/flow/hold.h"

#include <rpcrdma/private_data.h>

#include <stdlib.h>
#include <string.h>

#define REQUESTS_MAX 256

struct connection_request {
    bool in_use;
    struct address client, server;
    uint64_t frame, age;
    struct cm_message message;
    uint8_t private_data[CM_PRIVATE_MAX];
};

static bool has_identifier(const uint8_t *octets, size_t length)
{
    struct rpcrdma_private_data data;
    return rpcrdma_private_data_find(&data, octets, length) != RPCRDMA_E_PD_ABSENT;
}

/* Datagrams get lost and are sent again, also after the connection is established. A request with
 * another sequence number, or after the connection has ended, is for a new connection, even if it
 * has the same id and queue pair. */
static bool is_connected(const struct connection_table *table, const struct packet *packet,
                         const struct cm_message *message)
{
    for (const struct connection *c = connection_newest(table); c; c = connection_older(table, c))
        if (!c->closed && !c->end.asked && c->cm_seen &&
            c->comm_id[RPCRDMA_CLIENT] == message->local_id && c->request_psn == message->psn &&
            c->flow[RPCRDMA_SERVER].queue_pair == message->queue_pair &&
            address_equal(&c->flow[RPCRDMA_CLIENT].source, &packet->source))
            return true;
    return false;
}

/* The entry for a request: the one that it replaces, an unused one, or the oldest. NULL if the
 * request is known already. */
static struct connection_request *find_entry(struct request_table *requests,
                                             const struct packet *packet,
                                             const struct cm_message *message)
{
    struct connection_request *entry = &requests->entries[0];
    for (uint32_t i = 0; i < REQUESTS_MAX; i++) {
        struct connection_request *request = &requests->entries[i];
        if (request->in_use && request->message.local_id == message->local_id &&
            address_equal(&request->client, &packet->source)) {
            bool again = request->message.queue_pair == message->queue_pair &&
                         request->message.psn == message->psn;
            return again ? NULL : request;
        }
        if (!request->in_use || (entry->in_use && request->age < entry->age))
            entry = request;
    }
    return entry;
}

static void count_service(struct request_table *requests, uint64_t service)
{
    unsigned i = 0;
    while (i < requests->asked_count && requests->asked[i].service != service)
        i++;
    if (i == requests->asked_count && i < ASKED_MAX)
        requests->asked[requests->asked_count++] = (struct asked_service){.service = service};
    if (i < ASKED_MAX)
        requests->asked[i].count++;
}

static struct connection_request *remember_request(struct request_table *requests,
                                                   const struct connection_table *table,
                                                   const struct packet *packet,
                                                   const struct cm_message *message)
{
    struct connection_request *entry =
        is_connected(table, packet, message) ? NULL : find_entry(requests, packet, message);
    if (entry == NULL)
        return NULL;
    count_service(requests, message->service);
    *entry = (struct connection_request){.in_use = true,
                                         .client = packet->source,
                                         .server = packet->destination,
                                         .frame = packet->frame,
                                         .age = requests->ages++,
                                         .message = *message};
    memcpy(entry->private_data, message->private_data, message->private_length);
    entry->message.private_data = entry->private_data;
    return entry;
}

/* Unless it is all zero: then there was no private data. */
static void take_private_data(struct capture_context *context, struct connection *connection,
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
    hold_event(context, connection, &event, frame);
}

static bool is_wanted(const struct source_options *options,
                      const struct connection_request *request, const struct cm_message *reply)
{
    return options->all_qp || cm_service_is_port(request->message.service, options->port) ||
           has_identifier(request->private_data, request->message.private_length) ||
           has_identifier(reply->private_data, reply->private_length);
}

static void expect_psn(struct flow *flow, uint32_t psn)
{
    flow->psn = psn;
    flow->psn_state = PSN_EXACT;
    flow->psn_announced = true;
}

static void connect_sides(struct connection_table *table, const struct connection_request *request,
                          const struct cm_message *reply, uint64_t reply_frame)
{
    const struct cm_message *message = &request->message;
    if (!is_wanted(table->context->reader->options, request, reply)) {
        connection_displace(table, &request->client, message->queue_pair, &request->server,
                            reply->queue_pair);
        return;
    }
    struct connection *c = connection_add(table, &request->client, message->queue_pair,
                                          &request->server, reply->queue_pair);
    if (c == NULL)
        return;
    c->cm_seen = true;
    c->doubt.state = table->context->reader->options->all_qp ? DOUBT_NONE : DOUBT_OPEN;
    c->mtu = message->mtu;
    c->request_psn = message->psn;
    c->comm_id[RPCRDMA_CLIENT] = message->local_id;
    c->comm_id[RPCRDMA_SERVER] = reply->local_id;
    /* Each side names the number that it expects first from the other. */
    expect_psn(&c->flow[RPCRDMA_CLIENT], reply->psn);
    expect_psn(&c->flow[RPCRDMA_SERVER], message->psn);
    take_private_data(table->context, c, RPCRDMA_CLIENT, request->private_data,
                      message->private_length, request->frame);
    take_private_data(table->context, c, RPCRDMA_SERVER, reply->private_data, reply->private_length,
                      reply_frame);
    c->holds = true;
}

/* A reply that was recorded before its request waits for that a few frames. */
static void remember_reply(struct request_table *requests, const struct packet *packet,
                           const struct cm_message *message)
{
    struct early_reply *early = &requests->early[requests->early_count++ % EARLY_MAX];
    early->message = *message;
    early->frame = packet->frame;
    early->client = packet->destination;
    memcpy(early->data, message->private_data, message->private_length);
    early->message.private_data = early->data;
}

static struct early_reply *find_early(struct request_table *requests, const struct packet *packet,
                                      const struct cm_message *message)
{
    for (unsigned i = 0; i < EARLY_MAX; i++) {
        struct early_reply *early = &requests->early[i];
        if (early->message.kind == CM_REPLY && early->message.remote_id == message->local_id &&
            early->frame + REORDER_FRAMES >= packet->frame &&
            address_equal(&early->client, &packet->source))
            return early;
    }
    return NULL;
}

static void take_request(struct request_table *requests, struct connection_table *table,
                         const struct packet *packet, const struct cm_message *message)
{
    struct connection_request *request = remember_request(requests, table, packet, message);
    struct early_reply *early = request ? find_early(requests, packet, message) : NULL;
    if (early == NULL)
        return;
    request->in_use = false;
    connect_sides(table, request, &early->message, early->frame);
    early->message.kind = CM_OTHER;
}

static void take_answer(struct request_table *requests, struct connection_table *table,
                        const struct packet *packet, const struct cm_message *message)
{
    for (uint32_t i = 0; i < REQUESTS_MAX; i++) {
        struct connection_request *request = &requests->entries[i];
        if (!request->in_use || request->message.local_id != message->remote_id ||
            !address_equal(&request->client, &packet->destination))
            continue;
        request->in_use = false;
        if (message->kind == CM_REPLY)
            connect_sides(table, request, message, packet->frame);
        return;
    }
    if (message->kind == CM_REPLY)
        remember_reply(requests, packet, message);
}

/* The sender names its peer's queue pair, so it is found like any packet of its flow. */
static void disconnect(struct connection_table *table, const struct packet *packet,
                       const struct cm_message *message)
{
    enum rpcrdma_endpoint from;
    struct connection *c =
        connection_find(table, &packet->source, &packet->destination, message->queue_pair, &from);
    if (c == NULL || c->closed ||
        (c->cm_seen && (c->comm_id[from] != message->local_id ||
                        c->comm_id[1 - (int)from] != message->remote_id)))
        return;
    connection_end(table, c, from);
}

void establish_datagram(struct request_table *requests, struct connection_table *table,
                        const struct packet *packet)
{
    struct cm_message message;
    enum cm_result result = cm_parse(packet, &message);
    if (result == CM_CUT)
        source_unread(table->context->reader, packet->frame,
                      "connection management that was not recorded to its end");
    if (result != CM_WHOLE)
        return;
    switch (message.kind) {
    case CM_REQUEST:
        take_request(requests, table, packet, &message);
        return;
    case CM_REPLY:
    case CM_REJECT:
        take_answer(requests, table, packet, &message);
        return;
    case CM_DISCONNECT_REQUEST:
        disconnect(table, packet, &message);
        return;
    case CM_OTHER:
        return;
    }
}

bool request_table_init(struct request_table *requests)
{
    requests->entries = calloc(REQUESTS_MAX, sizeof *requests->entries);
    return requests->entries != NULL;
}

void request_table_done(struct request_table *requests)
{
    free(requests->entries);
}
