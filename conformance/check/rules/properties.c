// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transport properties of version 2 (draft -07 section 5, draft -04 section 5): what each side
 * tells, and the limits that follow.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* By enum property; -04 has two, with numbers of its own. */
static int property_of(const struct rpcrdma_send *send, uint32_t id)
{
    if (is_04(send))
        return id == RPCRDMA2_04_PROPID_RBSIZ ? PROPERTY_RECEIVE_SIZE
               : id == RPCRDMA2_04_PROPID_BRS ? PROPERTY_REVERSE
                                              : -1;
    return id >= RPCRDMA2_07_PROPID_SBSIZ && id <= RPCRDMA2_07_PROPID_BRS
               ? (int)(id - RPCRDMA2_07_PROPID_SBSIZ)
               : -1;
}

/* What a request wants is not yet so; after an answer to one an update says what is. */
static bool tells(const struct rpcrdma_send *send)
{
    uint32_t type = send->message.prefix.procedure;
    return send->message.kind == RPCRDMA_KIND_PROPERTIES &&
           (!is_04(send) || type == RPCRDMA2_04_CONNPROP || type == RPCRDMA2_04_UPDPROP);
}

static void take_properties(struct rpcrdma_send *send)
{
    struct properties *properties =
        &send->review.check->two.side[send->review.event->from].properties;
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property)) {
        int which = property_of(send, property.id);
        if (which < 0 || property.value.length != 4)
            continue;
        properties->value[which] = rpcrdma_xdr_load32(property.value.data);
        properties->told |= (uint8_t)(1u << which);
    }
    properties->known = properties->told;
}

void rpcrdma_judge_properties(struct rpcrdma_send *send)
{
    if (tells(send))
        take_properties(send);
}
