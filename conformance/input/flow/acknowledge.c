// SPDX-License-Identifier: BSD-3-Clause
/*
 * Negative acknowledgements.
 *
 * A NAK names the number of the first packet that was not taken, and a code. Which Send or RDMA
 * operation that was is known here alone, so it is looked up and becomes an event with everything
 * the checker needs; whether it breaks a rule depends on what was granted and offered, which is
 * not known here.
 */
#include "conformance/input/flow/acknowledge.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/reads.h"

enum {
    SYNDROME_KIND_SHIFT = 5,
    SYNDROME_KIND_MASK = 3,
    SYNDROME_CODE_MASK = 31,
    SYNDROME_ACK = 0,
    SYNDROME_RNR = 1,
    SYNDROME_NAK = 3,
    NAK_SEQUENCE = 0,
    NAK_ACCESS = 2,
    NAK_LAST_FATAL = 3
};

static unsigned kind_of(const struct packet *packet)
{
    return packet->syndrome >> SYNDROME_KIND_SHIFT & SYNDROME_KIND_MASK;
}

static unsigned code_of(const struct packet *packet)
{
    return packet->syndrome & SYNDROME_CODE_MASK;
}

enum acknowledgement acknowledgement_kind(const struct packet *packet)
{
    unsigned kind = kind_of(packet), code = code_of(packet);
    if (kind == SYNDROME_ACK)
        return ACKNOWLEDGED;
    /* Invalid request, access error, operational error. */
    bool fatal = kind == SYNDROME_NAK && code > NAK_SEQUENCE && code <= NAK_LAST_FATAL;
    return fatal ? REFUSED_FOR_GOOD : REFUSED_FOR_NOW;
}

/* The Send or RDMA Write that this number belongs to. False if it is not known any more. */
static bool find_request(const struct flow *flow, uint32_t psn, struct sent_request *request)
{
    const struct assembly *assembly = &flow->assembly;
    const struct sent_request *known = unacknowledged_find(&flow->unacknowledged, psn);
    if (known) {
        *request = *known;
        return true;
    }
    if (assembly->kind == MESSAGE_NONE || psn_distance(psn, assembly->first_psn) < 0)
        return false;
    *request = (struct sent_request){.handle = assembly->handle,
                                     .length = assembly->length,
                                     .offset = assembly->offset,
                                     .number = flow->sends,
                                     .is_send = assembly->kind == MESSAGE_SEND};
    return true;
}

/* A Send may be refused many times until there is a buffer: that is one event. */
static void not_ready(struct capture_context *context, struct connection *connection,
                      enum rpcrdma_endpoint receiver, const struct packet *packet)
{
    struct flow *flow = &connection->flow[1 - (int)receiver];
    struct sent_request request;
    if (!find_request(flow, packet->psn, &request) || !request.is_send ||
        request.number < flow->not_ready)
        return;
    flow->not_ready = request.number + 1;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_NOT_READY,
                                  .from = receiver,
                                  .has_order = true,
                                  .sent = connection->flow[receiver].sends,
                                  .received = request.number};
    hold_event(context, connection, &event, packet->frame);
}

static void refused(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint receiver, const struct packet *packet)
{
    const struct flow *flow = &connection->flow[1 - (int)receiver];
    struct sent_request request;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_REFUSED, .from = receiver};
    if (!reads_describe(flow, packet->psn, &event)) {
        if (!find_request(flow, packet->psn, &request) || request.is_send)
            return;
        event.handle = request.handle;
        event.offset = request.offset;
        event.length = request.length;
    }
    hold_event(context, connection, &event, packet->frame);
}

void acknowledge_refusal(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint receiver, const struct packet *packet)
{
    if (kind_of(packet) == SYNDROME_RNR)
        not_ready(context, connection, receiver, packet);
    else if (kind_of(packet) == SYNDROME_NAK && code_of(packet) == NAK_ACCESS)
        refused(context, connection, receiver, packet);
}
