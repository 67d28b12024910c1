// SPDX-License-Identifier: BSD-3-Clause
/*
 * Packets that came before their turn.
 *
 * Two mirror ports, or two queues of one network card, may record packets of one flow in the wrong
 * order. The early ones are kept until the late one comes, so that nothing is lost that is in the
 * capture. The list is short: displacements are of a few packets, and after a real loss the
 * sender repeats everything anyway.
 */
#include "conformance/input/flow/pending.h"

#include <stdlib.h>
#include <string.h>

#define PENDING_MAX 64

struct pending *pending_copy(struct memory *memory, const struct packet *packet)
{
    size_t size = sizeof(struct pending) + packet->recorded;
    if (!memory_fits(memory, size)) /* others need not give up theirs for this */
        return NULL;
    struct pending *pending = malloc(size);
    if (pending == NULL)
        return NULL;
    memory->used += size;
    *pending = (struct pending){.size = size, .packet = *packet};
    memcpy(pending->octets, packet->payload, packet->recorded);
    pending->packet.payload = pending->octets;
    return pending;
}

void pending_add(struct memory *memory, struct pending_list *list, const struct packet *packet)
{
    struct pending **link = &list->first;
    while (*link && psn_distance(packet->psn, (*link)->packet.psn) > 0)
        link = &(*link)->next;
    if (list->count == PENDING_MAX || (*link && (*link)->packet.psn == packet->psn))
        return;
    struct pending *pending = pending_copy(memory, packet);
    if (pending == NULL)
        return;
    pending->next = *link;
    *link = pending;
    list->count++;
}

struct pending *pending_take(struct pending_list *list)
{
    struct pending *pending = list->first;
    list->first = pending->next;
    list->count--;
    return pending;
}

void pending_free(struct memory *memory, struct pending *pending)
{
    memory_return(memory, pending->size);
    free(pending);
}

void pending_drop(struct memory *memory, struct pending_list *list)
{
    while (list->first)
        pending_free(memory, pending_take(list));
}
