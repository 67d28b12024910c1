// SPDX-License-Identifier: BSD-3-Clause
/*
 * Requests that have not been acknowledged.
 *
 * Acknowledgements name sequence numbers, but the checker counts Sends: this list translates. It
 * is a small ring, because an acknowledgement covers everything before it. If the ring
 * overflows, the forgotten request is acknowledged with the next one, which can only be later.
 */
#include "conformance/input/flow/unacknowledged.h"

#include <stddef.h>

void unacknowledged_add(struct unacknowledged *list, const struct sent_request *request)
{
    if (list->count == UNACKNOWLEDGED_MAX) {
        list->begin = (list->begin + 1) % UNACKNOWLEDGED_MAX;
        list->count--;
    }
    list->requests[(list->begin + list->count++) % UNACKNOWLEDGED_MAX] = *request;
}

uint64_t unacknowledged_take(struct unacknowledged *list, uint32_t psn, uint64_t known)
{
    while (list->count > 0) {
        const struct sent_request *request = &list->requests[list->begin];
        if (psn_distance(psn, request->last_psn) < 0)
            break;
        known = request->number + request->is_send;
        list->begin = (list->begin + 1) % UNACKNOWLEDGED_MAX;
        list->count--;
    }
    return known;
}

const struct sent_request *unacknowledged_find(const struct unacknowledged *list, uint32_t psn)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct sent_request *request =
            &list->requests[(list->begin + i) % UNACKNOWLEDGED_MAX];
        if (psn_distance(psn, request->first_psn) >= 0 && psn_distance(psn, request->last_psn) <= 0)
            return request;
    }
    return NULL;
}
