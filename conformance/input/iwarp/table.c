// SPDX-License-Identifier: BSD-3-Clause
/*
 * The table of iWARP connections.
 *
 * A connection is known by the request of MPA with which it begins. If the capture lacks that, a
 * segment must be one FPDU, with a whole Send in it, which looks like RPC-over-RDMA. A connection
 * that is over stays until its entry is needed, so that what comes late does not begin another.
 */
#include "conformance/input/iwarp/table.h"
#include "conformance/input/buffer/octets.h"

#include <string.h>

/* Connections remembered at a time. */
#define CONNECTIONS_MAX 1024

/* ---- by addresses and ports ---- */

static uint32_t hash_end(const struct iwarp_endpoint *end)
{
    uint32_t sum = end->port * 0x9e3779b1u;
    for (int i = 0; i < 16; i += 4)
        sum = (sum ^ load_be32(end->address + i)) * 0x85ebca6bu;
    return sum ^ sum >> 15;
}

/* The same for both directions. */
static uint32_t bucket_number(const struct iwarp_endpoint end[2])
{
    return (hash_end(&end[0]) + hash_end(&end[1])) % IWARP_BUCKETS;
}

static struct iwarp_connection **bucket_of(struct iwarp_table *table,
                                           const struct iwarp_endpoint end[2])
{
    return &table->buckets[bucket_number(end)];
}

static bool is_end(const struct iwarp_endpoint *a, const struct iwarp_endpoint *b)
{
    return a->port == b->port && memcmp(a->address, b->address, sizeof a->address) == 0;
}

/* `end`: of the sender, and of the receiver. */
static bool is_between(const struct iwarp_connection *c, const struct iwarp_endpoint end[2],
                       enum rpcrdma_endpoint *side)
{
    for (int i = 0; i < 2; i++)
        if (is_end(&c->end[i], &end[0]) && is_end(&c->end[1 - i], &end[1])) {
            *side = (enum rpcrdma_endpoint)i;
            return true;
        }
    return false;
}

/* Mostly it is the one used last. */
static struct iwarp_connection *find(const struct iwarp_table *table,
                                     const struct iwarp_endpoint end[2],
                                     enum rpcrdma_endpoint *side)
{
    struct iwarp_connection *c = table->newest;
    if (c && is_between(c, end, side))
        return c;
    c = table->buckets[bucket_number(end)];
    while (c && !is_between(c, end, side))
        c = c->next;
    return c;
}

/* ---- order of use ---- */

static void unlink_use(struct iwarp_table *table, struct iwarp_connection *c)
{
    *(c->older ? &c->older->newer : &table->oldest) = c->newer;
    *(c->newer ? &c->newer->older : &table->newest) = c->older;
}

static void link_newest(struct iwarp_table *table, struct iwarp_connection *c)
{
    c->older = table->newest;
    c->newer = NULL;
    *(c->older ? &c->older->newer : &table->oldest) = c;
    table->newest = c;
}

/* ---- connections ---- */

static void forget(struct iwarp_table *table, struct iwarp_connection *c)
{
    struct iwarp_connection **link = bucket_of(table, c->end);
    iwarp_connection_end(c, table->frame);
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    unlink_use(table, c);
    table->count--;
    iwarp_connection_free(c);
}

static struct iwarp_connection *add(struct iwarp_table *table, const struct iwarp_endpoint *client,
                                    const struct iwarp_endpoint *server)
{
    if (table->count == CONNECTIONS_MAX)
        forget(table, table->oldest);
    struct iwarp_connection *c;
    while ((c = iwarp_connection_new(table->memory, &table->output, &table->options,
                                     table->retransmitted)) == NULL) {
        if (table->oldest == NULL)
            return NULL;
        forget(table, table->oldest);
    }
    c->end[RPCRDMA_CLIENT] = *client;
    c->end[RPCRDMA_SERVER] = *server;
    struct iwarp_connection **bucket = bucket_of(table, c->end);
    c->next = *bucket;
    *bucket = c;
    link_newest(table, c);
    table->count++;
    return c;
}

/* ---- connections whose beginning is missing ---- */

/* Whether the segment is one Send of RPC-over-RDMA and nothing else. `*is_iwarp`: it is at least
 * one message of RDMAP. */
static bool is_send(const struct iwarp_table *table, const struct tcp_segment *segment,
                    bool *is_iwarp, bool *from_client)
{
    size_t length, recorded, total;
    const uint8_t *ulpdu =
        mpa_only_ulpdu(segment->payload, segment->recorded, segment->total, &length);
    *is_iwarp = false;
    if (ulpdu == NULL)
        return false;
    size_t at_hand = segment->recorded - (size_t)(ulpdu - segment->payload);
    at_hand = at_hand < length ? at_hand : length;
    *is_iwarp = rdmap_is_plausible(ulpdu, at_hand, length);
    const uint8_t *send = rdmap_whole_send(ulpdu, at_hand, length, &recorded, &total);
    return *is_iwarp && send != NULL &&
           table->output.is_wanted(table->output.arg, send, recorded, total, from_client);
}

static enum iwarp_taken recognise(struct iwarp_table *table, const struct iwarp_endpoint end[2],
                                  const struct tcp_segment *segment)
{
    bool is_iwarp, from_client;
    if (!is_send(table, segment, &is_iwarp, &from_client))
        return is_iwarp ? IWARP_UNKNOWN_CONNECTION : IWARP_NOT_IWARP;
    struct iwarp_connection *c = add(table, &end[!from_client], &end[from_client]);
    if (c == NULL)
        return IWARP_UNKNOWN_CONNECTION;
    enum rpcrdma_endpoint side = from_client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    iwarp_connection_join(c, side, segment);
    return IWARP_TAKEN;
}

/* ---- segments ---- */

static enum iwarp_taken take_first(struct iwarp_table *table, const struct iwarp_endpoint end[2],
                                   const struct tcp_segment *segment)
{
    if (!mpa_is_request(segment->payload, segment->recorded))
        return recognise(table, end, segment);
    struct iwarp_connection *c = add(table, &end[0], &end[1]);
    if (c == NULL)
        return IWARP_UNKNOWN_CONNECTION;
    iwarp_connection_begin(c, segment);
    return IWARP_TAKEN;
}

/* Whether this segment begins another connection between the same ports: not a SYN of this one that
 * was recorded late. */
static bool is_another(const struct iwarp_connection *c, const struct tcp_segment *segment)
{
    return (segment->syn && !segment->ack && segment->sequence + 1 != c->first) ||
           (c->phase == IWARP_OVER && segment->sequence != c->first &&
            mpa_is_request(segment->payload, segment->recorded));
}

static void set_ends(struct iwarp_endpoint end[2], const uint8_t *source,
                     const uint8_t *destination, const struct tcp_segment *segment)
{
    end[0].port = segment->source_port;
    end[1].port = segment->destination_port;
    memcpy(end[0].address, source, sizeof end[0].address);
    memcpy(end[1].address, destination, sizeof end[1].address);
}

bool iwarp_knows(const struct iwarp_table *table, const uint8_t *source, const uint8_t *destination,
                 const struct tcp_segment *segment)
{
    struct iwarp_endpoint end[2];
    set_ends(end, source, destination, segment);
    enum rpcrdma_endpoint side;
    const struct iwarp_connection *c = find(table, end, &side);
    return c && !is_another(c, segment);
}

bool iwarp_recognises(const struct iwarp_table *table, const struct tcp_segment *segment)
{
    bool is_iwarp, from_client;
    return is_send(table, segment, &is_iwarp, &from_client);
}

enum iwarp_taken iwarp_take(struct iwarp_table *table, const uint8_t *source,
                            const uint8_t *destination, const struct tcp_segment *segment)
{
    struct iwarp_endpoint end[2];
    set_ends(end, source, destination, segment);
    table->frame = segment->frame;
    enum rpcrdma_endpoint side;
    struct iwarp_connection *c = find(table, end, &side);
    if (c && is_another(c, segment)) {
        iwarp_connection_displace(c, segment->frame);
        forget(table, c);
        c = NULL;
    }
    if (c == NULL)
        return take_first(table, end, segment);
    unlink_use(table, c);
    link_newest(table, c);
    if (iwarp_connection_is_after_end(c, side, segment))
        return IWARP_AFTER_END;
    iwarp_connection_take(c, side, segment);
    return IWARP_TAKEN;
}

void iwarp_evict(struct iwarp_table *table, size_t octets)
{
    /* The one in use is the newest: it keeps what it has. */
    for (struct iwarp_connection *c = table->oldest;
         c && c != table->newest && !memory_fits(table->memory, octets); c = c->newer)
        iwarp_connection_evict(c, table->frame);
}

void iwarp_table_done(struct iwarp_table *table)
{
    while (table->oldest)
        forget(table, table->oldest);
}
