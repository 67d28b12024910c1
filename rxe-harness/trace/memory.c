// SPDX-License-Identifier: BSD-3-Clause
/* What the client does with its memory: a Send registers it, a completion or a Reply takes it back,
 * and the RPC is over. */
#include "rxe-harness/trace/traced.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { REGISTERED_MAX = 4 }; /* pieces of memory that the probe reads of a Send */

/* enum ib_uverbs_access_flags (ib_user_verbs.h). */
enum { ACCESS_REMOTE_WRITE = 2, ACCESS_REMOTE_READ = 4 };

static uint64_t of_piece(const struct sighting *sighting, const char *name, unsigned piece)
{
    char text[16];
    snprintf(text, sizeof text, "%s%u", name, piece);
    return sighting_number(sighting, text);
}

static void add_registered(struct assembler *assembler, struct traced *traced,
                           const struct sighting *sighting, unsigned piece)
{
    uint64_t access = of_piece(sighting, "access", piece);
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_REGISTERED,
        .from = RPCRDMA_CLIENT,
        .handle = (uint32_t)of_piece(sighting, "handle", piece),
        .offset = of_piece(sighting, "offset", piece),
        .length = (size_t)of_piece(sighting, "size", piece),
        .access = (access & ACCESS_REMOTE_READ ? (unsigned)RPCRDMA_ACCESS_READ : 0) |
                  (access & ACCESS_REMOTE_WRITE ? (unsigned)RPCRDMA_ACCESS_WRITE : 0)};
    assembler->counts.registrations++;
    capture_add(&traced->flow, &event);
}

/* The list goes from `memory0` on to `last`; where it is empty, both are its head, and so is what
 * comes next. */
void traced_registers(struct assembler *assembler, struct traced *traced,
                      const struct sighting *sighting)
{
    uint64_t last = sighting_number(sighting, "last");
    bool is_empty = last == 0 || of_piece(sighting, "memory", 0) == of_piece(sighting, "memory", 1);
    bool ends = is_empty;
    if (traced->ignored)
        return;
    for (unsigned i = 0; i < REGISTERED_MAX && !ends; i++) {
        add_registered(assembler, traced, sighting, i);
        ends = of_piece(sighting, "memory", i) == last;
    }
    if (!ends || last == 0) {
        assembler->counts.unplaced++;
        traced_gap(traced);
    }
}

/* Of a connection that is known and has not ended; others began before all that was seen. */
static struct traced *client_of(struct assembler *assembler, const struct sighting *sighting)
{
    struct traced *traced =
        traced_find(assembler, sighting_number(sighting, "connection"), RPCRDMA_CLIENT);
    return traced == NULL || traced->ignored || traced->ended ? NULL : traced;
}

void traced_invalidation(struct assembler *assembler, const struct sighting *sighting)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_INVALIDATED,
                                  .from = RPCRDMA_CLIENT,
                                  .handle = (uint32_t)sighting_number(sighting, "handle")};
    struct traced *traced = client_of(assembler, sighting);
    if (traced && sighting_number(sighting, "status") == 0) /* else the connection ends */
        capture_add(&traced->flow, &event);
}

static void complete(struct assembler *assembler, const struct sighting *sighting)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_COMPLETED,
                                  .from = RPCRDMA_CLIENT,
                                  .xid = ntohl((uint32_t)sighting_number(sighting, "xid"))};
    struct traced *traced = client_of(assembler, sighting);
    if (traced)
        capture_add(&traced->flow, &event);
}

void traced_completion(struct assembler *assembler, const struct sighting *sighting)
{
    assembler->over[assembler->next_over++ % WAITING] = (struct over){
        sighting_number(sighting, "connection"), (uint32_t)sighting_number(sighting, "xid")};
    complete(assembler, sighting);
}

/* What was not completed by its Reply is over now. */
void traced_release(struct assembler *assembler, const struct sighting *sighting)
{
    uint64_t connection = sighting_number(sighting, "connection");
    uint32_t xid = (uint32_t)sighting_number(sighting, "xid");
    for (unsigned i = 0; i < WAITING; i++)
        if (assembler->over[i].connection == connection && assembler->over[i].xid == xid &&
            connection != 0) {
            assembler->over[i].connection = 0;
            return;
        }
    complete(assembler, sighting);
}
