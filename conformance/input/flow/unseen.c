// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/flow/unseen.h"

#include <stddef.h>
#include <string.h>

const struct unseen_entry *unseen_last(const struct unseen *list)
{
    return list->count > 0 ? &list->entries[list->count - 1] : NULL;
}

/* If there is no room, the last entry gives way: a request is then known to have been received by a
 * later frame, which is true as well. */
void unseen_add(struct unseen *list, uint32_t psn, uint64_t frame, struct stamp stamp)
{
    const struct unseen_entry *last = unseen_last(list);
    if (last && psn_distance(psn, last->psn) <= 0)
        return;
    list->count -= list->count == UNSEEN_MAX;
    list->entries[list->count++] = (struct unseen_entry){psn, frame, stamp};
}

void unseen_drop(struct unseen *list, uint32_t psn)
{
    unsigned seen = 0;
    while (seen < list->count && psn_distance(list->entries[seen].psn, psn) < 0)
        seen++;
    list->count -= seen;
    memmove(list->entries, list->entries + seen, list->count * sizeof list->entries[0]);
}

const struct unseen_entry *unseen_find(const struct unseen *list, uint32_t psn)
{
    for (unsigned i = 0; i < list->count; i++)
        if (psn_distance(psn, list->entries[i].psn) <= 0)
            return &list->entries[i];
    return NULL;
}

const struct unseen_entry *unseen_before(const struct unseen *list, uint64_t frame)
{
    const struct unseen_entry *found = NULL;
    for (unsigned i = 0; i < list->count && list->entries[i].frame < frame; i++)
        found = &list->entries[i];
    return found;
}
