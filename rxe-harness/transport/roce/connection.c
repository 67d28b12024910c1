// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/connection.h"

#include "rxe-harness/transport/user/wait.h"

#include <stdlib.h>

/* Microseconds until a message is sent again, which are doubled so often. */
#define AGAIN_TIME INT64_C(128000)
#define AGAIN_DOUBLED 4
#define PATIENCE_MAX INT64_C(60000000) /* that a peer can ask for */

static void say_why(struct roce_connection *connection, enum management_kind kind, unsigned reason)
{
    const struct management message = {.kind = kind,
                                       .transaction = connection->transaction,
                                       .sender = connection->own,
                                       .receiver = connection->peer.id,
                                       .receiver_pair = connection->peer.queue_pair,
                                       .guid = connection->guid,
                                       .port = connection->port,
                                       .mtu = connection->pair.mtu,
                                       .reason = reason,
                                       .private_data = connection->said,
                                       .private_length = connection->said_length};
    host_manage(connection->host, &connection->pair.path, &message, &connection->datagrams);
}

static void say(struct roce_connection *connection, enum management_kind kind)
{
    say_why(connection, kind, 0);
}

static void transmit(void *arg, struct frame *frame)
{
    struct roce_connection *connection = arg;
    uint8_t opcode = frame->octets[frame->begin];
    bool responds = opcode >= OP_READ_FIRST && opcode <= OP_ACKNOWLEDGE;
    host_transmit(connection->host, &connection->pair.path, frame,
                  responds ? &connection->responses : &connection->requests);
}

static void say_again_later(struct roce_connection *connection, int64_t now)
{
    connection->again = now + (AGAIN_TIME << connection->tries);
    connection->tries += connection->tries < AGAIN_DOUBLED;
}

void connection_over(struct roce_connection *connection, const char *why)
{
    if (connection->state == CONNECTION_OVER)
        return;
    connection->state = CONNECTION_OVER;
    connection->why = why;
    connection->again = INT64_MAX;
    end_fail(&connection->pair.end, why);
    pthread_cond_broadcast(&connection->changed);
}

/* ---- beginning ---- */

/* Numbers that no earlier connection had. */
static void take_numbers(struct roce_connection *connection, const struct roce_request *request)
{
    uint32_t chance[6] = {0};
    wire_random(chance, sizeof chance);
    connection->own = (struct management_side){.id = request ? request->id : chance[0],
                                               .queue_pair = 16 + chance[1] % 0xffff00,
                                               .psn = chance[2] & PSN_MASK,
                                               .serves = READS_SERVED,
                                               .issues = READS_SERVED};
    if (connection->active) {
        connection->transaction = chance[3];
        connection->guid =
            UINT64_C(0x0200000000000000) | (uint64_t)chance[4] << 16 | (chance[5] & 0xffff);
    }
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* What the two sides tell each other; `serves` and `issues` of one side bound the other's. */
static void meet(struct roce_connection *connection, const struct management *message)
{
    struct queue_pair *pair = &connection->pair;
    connection->peer = message->sender;
    connection->own.serves = least(connection->own.serves, message->sender.issues);
    connection->own.issues = least(connection->own.issues, message->sender.serves);
    pair->number = connection->own.queue_pair;
    pair->peer = message->sender.queue_pair;
    pair->reads = least(READS_ISSUED, connection->own.issues);
    pair->next_psn = message->sender.psn;
    pair->expected = connection->own.psn;
}

struct roce_connection *connection_new(struct roce_host *host, const struct roce_path *path,
                                       const struct roce_request *request)
{
    struct roce_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL || !wait_condition(&connection->changed)) {
        free(connection);
        return NULL;
    }
    connection->host = host;
    connection->active = request == NULL;
    connection->again = INT64_MAX;
    connection->pair.path = *path;
    connection->pair.transmit = transmit;
    connection->pair.transmit_arg = connection;
    connection->pair.end.last = &connection->pair.end.first;
    if (request) {
        connection->state = CONNECTION_MET;
        connection->transaction = request->message.transaction;
        connection->guid = request->message.guid;
        connection->port = request->message.port;
        connection->pair.mtu = request->message.mtu;
        connection->private_length = REQUEST_PRIVATE_MAX;
        memcpy(connection->private_data, request->private_data, REQUEST_PRIVATE_MAX);
    }
    take_numbers(connection, request);
    wire_begin(&connection->datagrams.chance);
    wire_begin(&connection->requests);
    wire_begin(&connection->responses);
    wire_begin(&connection->pair.end.chance);
    if (request)
        meet(connection, &request->message);
    connection->pair.number = connection->own.queue_pair;
    connection->next = host->connections;
    host->connections = connection;
    return connection;
}

void connection_begin(struct roce_connection *connection, const void *private_data, size_t length,
                      int64_t now)
{
    if (connection->state == CONNECTION_OVER) /* whom it would answer has given up, or left */
        return;
    size_t most = connection->active ? REQUEST_PRIVATE_MAX : REPLY_PRIVATE_MAX;
    connection->said_length = length < most ? length : most;
    if (length > 0)
        memcpy(connection->said, private_data, connection->said_length);
    connection->state = connection->active ? CONNECTION_ASKED : CONNECTION_ANSWERED;
    connection->pair.end.open = !connection->active;
    say(connection, connection->active ? MANAGEMENT_REQUEST : MANAGEMENT_REPLY);
    say_again_later(connection, now);
    host_wake(connection->host);
}

void connection_reject(struct roce_connection *connection)
{
    connection->said_length = 0;
    say_why(connection, MANAGEMENT_REJECT, REJECT_CONSUMER);
    connection_over(connection, "rejected");
}

void connection_give_up(struct roce_connection *connection)
{
    if (connection->state == CONNECTION_ASKED)
        say_why(connection, MANAGEMENT_REJECT, REJECT_TIMEOUT);
}

void connection_disconnect(struct roce_connection *connection)
{
    say(connection, MANAGEMENT_DISCONNECT);
    connection->parting = true;
}

void connection_remove(struct roce_connection *connection)
{
    struct roce_connection **at = &connection->host->connections;
    while (*at != connection)
        at = &(*at)->next;
    *at = connection->next;
    end_fail(&connection->pair.end, NULL);
    roce_responder_end(&connection->pair);
    pthread_cond_destroy(&connection->changed);
    free(connection);
}

/* ---- what comes ---- */

static void open_connection(struct roce_connection *connection)
{
    connection->state = CONNECTION_OPEN;
    connection->again = INT64_MAX;
    connection->pair.end.open = true;
    pthread_cond_broadcast(&connection->changed);
}

static void take_reply(struct roce_connection *connection, const struct management *message)
{
    if (connection->state == CONNECTION_ASKED) {
        meet(connection, message);
        connection->private_length = message->private_length;
        memcpy(connection->private_data, message->private_data, message->private_length);
        open_connection(connection);
    }
    if (connection->state == CONNECTION_OPEN) /* or again: what we said was lost */
        say(connection, MANAGEMENT_READY);
}

/* The peer knows that it is over. */
static void part(struct roce_connection *connection, const char *why)
{
    connection->parting = false;
    connection_over(connection, why);
    pthread_cond_broadcast(&connection->changed);
}

void connection_take_management(struct roce_connection *connection,
                                const struct management *message, int64_t now)
{
    enum connection_state state = connection->state;
    switch (message->kind) {
    case MANAGEMENT_REQUEST:
        if (state == CONNECTION_ANSWERED)
            say(connection, MANAGEMENT_REPLY);
        else if (state == CONNECTION_MET)
            say(connection, MANAGEMENT_RECEIPT);
        break;
    case MANAGEMENT_RECEIPT:
        if (state == CONNECTION_ASKED || state == CONNECTION_ANSWERED)
            connection->again =
                now +
                (message->patience < PATIENCE_MAX / 1000 ? message->patience * 1000 : PATIENCE_MAX);
        break;
    case MANAGEMENT_REPLY:
        if (connection->active)
            take_reply(connection, message);
        break;
    case MANAGEMENT_READY:
        if (state == CONNECTION_ANSWERED)
            open_connection(connection);
        break;
    case MANAGEMENT_REJECT:
        connection->reason = message->reason;
        connection_over(connection, management_reason(message->reason));
        break;
    case MANAGEMENT_DISCONNECT:
        if (message->receiver_pair != connection->own.queue_pair)
            break; /* of another connection, whose id was this */
        say(connection, MANAGEMENT_DISCONNECTED);
        part(connection, LINK_LEFT);
        break;
    case MANAGEMENT_DISCONNECTED:
        part(connection, "disconnected");
        break;
    case MANAGEMENT_NONE:
        break;
    }
}

void connection_take(struct roce_connection *connection, const struct packet *packet,
                     bool acknowledge, int64_t now)
{
    if (connection->state == CONNECTION_ANSWERED) /* the peer has our reply: it uses it */
        open_connection(connection);
    if (packet->opcode >= OP_READ_FIRST && packet->opcode <= OP_ACKNOWLEDGE)
        roce_requester_take(&connection->pair, packet, now);
    else
        roce_responder_take(&connection->pair, packet, acknowledge);
    pthread_cond_broadcast(&connection->changed);
}

int64_t connection_run(struct roce_connection *connection, int64_t now, bool *more)
{
    struct queue_pair *pair = &connection->pair;
    *more = roce_responder_run(pair);
    int64_t due = roce_requester_run(pair, now);
    if (now >= connection->again) {
        say(connection, connection->active ? MANAGEMENT_REQUEST : MANAGEMENT_REPLY);
        say_again_later(connection, now);
    }
    if (connection->state == CONNECTION_OPEN && !pair->end.open && !*more) {
        connection_disconnect(connection);
        connection_over(connection, pair->end.why);
    }
    return due < connection->again ? due : connection->again;
}
