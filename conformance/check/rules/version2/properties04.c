// SPDX-License-Identifier: BSD-3-Clause
/*
 * How properties change in draft -04 (sections 5.2 and 5.3): a side tells them (CONNPROP), asks the
 * other to change some (REQPROP), is answered (RESPROP), or tells what it has changed (UPDPROP).
 *
 * Members of a set are numbered by bits, and the draft does not say which end of a word is bit 0:
 * both are tried before anything is said, but for one in which bits stand for no member.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>

/* Values of backward support, whose enum no message has as its type. */
enum { BACKWARD_INLINE = 1 };

enum {
    AT_XID = RPCRDMA2_04_AT_RDMA_XID,
    AT_DONE = RPCRDMA2_04_RESPROP_AT_RDMA_DONE,
    BITS = 32, /* of a word; and this many ids are remembered one by one */
};

/* The orders in which bits can be numbered. */
enum { FROM_LOW_END, FROM_HIGH_END, BIT_ORDERS };

static struct properties *of(const struct rpcrdma_send *send, enum rpcrdma_endpoint side)
{
    return &send->review.check->two.side[side].properties;
}

static struct properties *own(const struct rpcrdma_send *send)
{
    return of(send, send->review.event->from);
}

static struct properties *peer(const struct rpcrdma_send *send)
{
    return of(send, other(send->review.event->from));
}

static uint32_t bit_of(uint32_t id)
{
    return id < BITS ? 1u << id : 0;
}

static bool is_member(const struct rpcrdma_xdr_uint32_array *subset, uint32_t n, int order)
{
    if (n / BITS >= subset->count)
        return false;
    uint32_t word = rpcrdma_xdr_load32(subset->wire + (size_t)4 * (n / BITS));
    return word >> (order == FROM_LOW_END ? n % BITS : BITS - 1 - n % BITS) & 1;
}

/* In this order of bits some of them stand for nothing of the set. */
static bool has_strays(const struct rpcrdma_xdr_uint32_array *subset, uint32_t count, int order)
{
    for (uint32_t n = count; n < subset->count * BITS; n++)
        if (is_member(subset, n, order))
            return true;
    return false;
}

static uint32_t value_of(const struct rpcrdma_property *property, uint32_t otherwise)
{
    return property->value.length >= 4 ? rpcrdma_xdr_load32(property->value.data) : otherwise;
}

static uint32_t default_of(uint32_t id)
{
    return id == RPCRDMA2_04_PROPID_RBSIZ ? DEFAULT_RECEIVE_SIZE : BACKWARD_INLINE;
}

/* What the side is known to have told, or its default. */
static uint32_t known_value(const struct properties *known, int which, uint32_t id)
{
    return known->told >> which & 1 ? known->value[which] : default_of(id);
}

/* ---- CONNPROP ---- */

/* An order in which bits stand for no member is not the one that was meant. */
static void settle_order(struct properties *known, const struct rpcrdma_xdr_uint32_array *subset,
                         uint32_t count)
{
    bool low = !has_strays(subset, count, FROM_LOW_END);
    bool high = !has_strays(subset, count, FROM_HIGH_END);
    if (low && !high)
        known->constant[FROM_HIGH_END] = known->constant[FROM_LOW_END];
    else if (high && !low)
        known->constant[FROM_LOW_END] = known->constant[FROM_HIGH_END];
}

static void take_connprop(struct rpcrdma_send *send)
{
    struct properties *known = own(send);
    const struct rpcrdma_xdr_uint32_array *unchanging = &send->message.properties.unchanging;
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.set);
    struct rpcrdma_property property;
    known->connprop = true;
    known->listed = known->constant[FROM_LOW_END] = known->constant[FROM_HIGH_END] = 0;
    uint32_t n = 0;
    for (; rpcrdma_property_array_next(&iter, &property); n++) {
        rpcrdma_take_property(send, &property);
        known->listed |= bit_of(property.id);
        for (int order = 0; order < BIT_ORDERS; order++)
            if (is_member(unchanging, n, order))
                known->constant[order] |= bit_of(property.id);
    }
    settle_order(known, unchanging, n);
    known->told_at = send->own->sends;
}

static bool is_left_out(const struct properties *known, uint32_t id)
{
    return known->connprop && bit_of(id) != 0 && !(known->listed & bit_of(id));
}

/* ---- UPDPROP ---- */

static void check_update(struct rpcrdma_send *send, const struct rpcrdma_property *property,
                         int which)
{
    const struct properties *known = own(send);
    uint32_t id = property->id, before = known_value(known, which, id);
    uint32_t now = value_of(property, default_of(id));
    int64_t at = place(send, property->value.data);
    bool is_sure = !(known->unsure >> which & 1);
    if (is_left_out(known, id) && now != default_of(id))
        break_rule(&send->review, RPCRDMA2_04_5_3_1_LEFT_OUT_KEPT, at, NO_REACTION,
                   "property %u changes to %u, and the CONNPROP of this side left it out", id, now);
    else if (is_sure &&
             known->constant[FROM_LOW_END] & known->constant[FROM_HIGH_END] & bit_of(id) &&
             now != before)
        break_rule(&send->review, RPCRDMA2_04_5_3_1_CONSTANT_KEPT, at, NO_REACTION,
                   "property %u changes from %u to %u, and this side has called it constant", id,
                   before, now);
    if (is_sure && which == PROPERTY_RECEIVE_SIZE && now < before && !peer(send)->asked &&
        !known->forgot_request)
        break_rule(&send->review, RPCRDMA2_04_5_2_1_SIZE_SHRINKS_UNASKED, at, NO_REACTION,
                   "the Receive Buffer Size falls from %u to %u unrequested", before, now);
}

static void take_update(struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property)) {
        int which = rpcrdma_property_of(send, property.id);
        if (which < 0)
            continue;
        check_update(send, &property, which);
        rpcrdma_take_property(send, &property);
        if (which == PROPERTY_RECEIVE_SIZE)
            peer(send)->asked_size = 0; /* superseded */
    }
}

/* ---- REQPROP ---- */

static struct property_request *next_request(struct properties *known)
{
    if (known->requests < PROPERTY_REQUESTS)
        return &known->request[known->requests++];
    known->forgot_request = true;
    for (unsigned i = 1; i < PROPERTY_REQUESTS; i++)
        known->request[i - 1] = known->request[i];
    return &known->request[PROPERTY_REQUESTS - 1];
}

static void check_wanted(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    const struct properties *asked = peer(send);
    uint32_t now = value_of(property, default_of(property->id));
    bool sure = rpcrdma_knows(send->review.check, send->review.event->from, asked->told_at) &&
                !asked->forgot_request;
    if (is_left_out(asked, property->id) && sure)
        break_rule(&send->review, RPCRDMA2_04_5_3_1_LEFT_OUT_NOT_REQUESTED,
                   place(send, property->value.data), NO_REACTION,
                   "property %u, which the CONNPROP of the other side left out", property->id);
    if (rpcrdma_property_of(send, property->id) != PROPERTY_RECEIVE_SIZE)
        return;
    own(send)->asked = true;
    own(send)->asked_size =
        sure && now < known_value(asked, PROPERTY_RECEIVE_SIZE, property->id) ? now : 0;
}

static void take_request(struct rpcrdma_send *send)
{
    struct property_request *request = next_request(own(send));
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.set);
    struct rpcrdma_property property;
    *request = (struct property_request){.xid = send->message.prefix.xid};
    for (; rpcrdma_property_array_next(&iter, &property); request->count++) {
        check_wanted(send, &property);
        if (request->count < PROPERTY_REQUESTED) {
            request->id[request->count] = property.id;
            request->value[request->count] = value_of(&property, default_of(property.id));
        }
    }
}

/* ---- RESPROP ---- */

static struct property_request *find_request(struct properties *known, uint32_t xid)
{
    for (uint32_t i = 0; i < known->requests; i++)
        if (known->request[i].xid == xid)
            return &known->request[i];
    return NULL;
}

static void remove_request(struct properties *known, struct property_request *request)
{
    for (known->requests--; request < &known->request[known->requests]; request++)
        request[0] = request[1];
}

/* Which member of the request has this id; its count if none. */
static uint32_t member_of(const struct property_request *request, uint32_t id)
{
    uint32_t n = 0;
    while (n < request->count && request->id[n] != id)
        n++;
    return n;
}

/* Its members are known, and each has another id. */
static bool is_plain(const struct property_request *request)
{
    if (request->count > PROPERTY_REQUESTED)
        return false;
    for (uint32_t n = 0; n < request->count; n++)
        if (member_of(request, request->id[n]) != n)
            return false;
    return true;
}

/* The members that rdma_other gives other values, as bits. */
static uint32_t find_others(struct rpcrdma_send *send, const struct property_request *request)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.other);
    struct rpcrdma_property property;
    uint32_t others = 0;
    while (rpcrdma_property_array_next(&iter, &property)) {
        uint32_t n = member_of(request, property.id);
        if (n < request->count)
            others |= 1u << n;
        else
            break_rule(&send->review, RPCRDMA2_04_5_3_3_OTHER_WAS_REQUESTED,
                       place(send, property.value.data), NO_REACTION,
                       "property %u is given another value, and was not in the request",
                       property.id);
    }
    return others;
}

static uint32_t members(const struct rpcrdma_xdr_uint32_array *subset, uint32_t count, int order)
{
    uint32_t bits = 0;
    for (uint32_t n = 0; n < count; n++)
        bits |= (uint32_t)is_member(subset, n, order) << n;
    return bits;
}

static void check_subsets(struct rpcrdma_send *send, const struct property_request *request,
                          uint32_t others)
{
    const struct rpcrdma_xdr_uint32_array *done = &send->message.properties.done;
    const struct rpcrdma_xdr_uint32_array *rejected = &send->message.properties.rejected;
    uint32_t count = request->count, all = (1u << count) - 1;
    unsigned orders = 0, overlaps = 0, gaps = 0, uncovered = 0;
    for (int order = 0; order < BIT_ORDERS; order++) {
        uint32_t yes = members(done, count, order), no = members(rejected, count, order);
        bool gap = (yes | no | others) != all;
        uncovered += gap;
        if (has_strays(done, count, order) || has_strays(rejected, count, order))
            continue;
        orders++;
        overlaps += ((yes & no) | (yes & others) | (no & others)) != 0;
        gaps += gap;
    }
    if (overlaps > 0 && overlaps == orders)
        break_rule(&send->review, RPCRDMA2_04_5_3_3_SUBSETS_APART, AT_DONE, NO_REACTION,
                   "a property is in two of done, rejected and other");
    if ((gaps > 0 && gaps == orders) || uncovered == BIT_ORDERS)
        break_rule(&send->review, RPCRDMA2_04_5_3_3_SUBSETS_COVER, AT_DONE, NO_REACTION,
                   "of the %u properties of the request some are neither done, rejected nor other",
                   count);
}

/* Numbered in this order, the bits of both sets stand for members of the request. */
static bool is_possible(const struct rpcrdma_send *send, uint32_t count, int order)
{
    return !has_strays(&send->message.properties.done, count, order) &&
           !has_strays(&send->message.properties.rejected, count, order);
}

/* What is done holds from now on. A request has so few members that one order at most is possible
 * for their bits; where none is, what one of them says may hold. */
static void take_done(struct rpcrdma_send *send, const struct property_request *request)
{
    const struct rpcrdma_xdr_uint32_array *done = &send->message.properties.done;
    bool low = is_possible(send, request->count, FROM_LOW_END);
    bool high = is_possible(send, request->count, FROM_HIGH_END);
    bool either = low == high;
    for (uint32_t n = 0; n < request->count; n++) {
        int which = rpcrdma_property_of(send, request->id[n]);
        bool by_low = (low || either) && is_member(done, n, FROM_LOW_END);
        bool by_high = (high || either) && is_member(done, n, FROM_HIGH_END);
        if (which < 0 || !(by_low || by_high))
            continue;
        if (either && by_low != by_high)
            rpcrdma_change_perhaps(send, (enum property)which, request->value[n]);
        else
            rpcrdma_change_property(send, (enum property)which, request->value[n]);
    }
}

/* Something was done that is not known: any value may hold. */
static void forget_values(struct rpcrdma_send *send)
{
    rpcrdma_change_perhaps(send, PROPERTY_RECEIVE_SIZE, UINT32_MAX);
    rpcrdma_change_perhaps(send, PROPERTY_REVERSE, 0);
}

static void forget_done(struct rpcrdma_send *send)
{
    if (has_strays(&send->message.properties.done, 0, FROM_LOW_END))
        forget_values(send);
}

static void take_response(struct rpcrdma_send *send)
{
    struct properties *asking = peer(send);
    struct property_request *request = find_request(asking, send->message.prefix.xid);
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&send->message.properties.other);
    struct rpcrdma_property property;
    if (request == NULL) {
        if (!asking->forgot_request)
            break_rule(&send->review, RPCRDMA2_04_5_3_3_RESPONSE_MATCHES, AT_XID,
                       EITHER_MAY(ALSO | RPCRDMA_DISCARD, ALSO | RPCRDMA_DISCARD),
                       "no request of the other side with XID 0x%x waits",
                       send->message.prefix.xid);
        forget_done(send);
        rpcrdma_take_set_perhaps(send, &send->message.properties.other);
        return;
    }
    if (is_plain(request)) {
        check_subsets(send, request, find_others(send, request));
        take_done(send, request);
    } else {
        forget_done(send);
    }
    while (rpcrdma_property_array_next(&iter, &property))
        rpcrdma_take_property(send, &property);
    asking->asked_size = 0;
    remove_request(asking, request);
}

/* ---- an error that answers a request: it is rejected as a whole (5.2) ---- */

void rpcrdma_take_refusal04(struct rpcrdma_send *send)
{
    struct properties *asking = peer(send);
    struct property_request *request = find_request(asking, send->message.prefix.xid);
    if (request == NULL && !asking->forgot_request)
        return;
    asking->asked_size = 0;
    if (request == NULL)
        return;
    remove_request(asking, request);
    if (send->answers == NULL || !send->answers->is_control) /* it may have been a Call's */
        asking->forgot_request = true;
}

/* ---- a message with an invalid value ---- */

void rpcrdma_forget_properties04(struct rpcrdma_send *send)
{
    struct properties *asking = peer(send);
    switch (send->message.prefix.procedure) {
    case RPCRDMA2_04_CONNPROP:
        own(send)->connprop = false;
        own(send)->constant[FROM_LOW_END] = own(send)->constant[FROM_HIGH_END] = 0;
        break;
    case RPCRDMA2_04_REQPROP:
        own(send)->asked = own(send)->forgot_request = true;
        break;
    case RPCRDMA2_04_RESPROP:
        forget_values(send);
        asking->forgot_request = true;
        /* fall through */
    case RPCRDMA2_04_UPDPROP:
        asking->asked_size = 0;
        break;
    }
}

void rpcrdma_judge_properties04(struct rpcrdma_send *send)
{
    switch (send->message.prefix.procedure) {
    case RPCRDMA2_04_CONNPROP:
        take_connprop(send);
        break;
    case RPCRDMA2_04_UPDPROP:
        take_update(send);
        break;
    case RPCRDMA2_04_REQPROP:
        take_request(send);
        break;
    case RPCRDMA2_04_RESPROP:
        take_response(send);
        break;
    }
}
