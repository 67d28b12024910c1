// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transport properties: what a side tells of itself (draft -07 sections 5, 6.3.3 and 6.3.4; draft
 * -04 section 5.1). A message with a bad value changes nothing where the property is known, and is
 * taken without that value where it is not. What follows from the values is in limits.c and
 * connection.c, the requests of -04 are in properties04.c.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

enum {
    AT_TYPE = RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_HTYPE,
    NUMBER = 4, /* octets of a value that is a number */
};

#define BOTH_MAY(set) EITHER_MAY(set, set)

static struct properties *own(const struct rpcrdma_send *send)
{
    return &send->own->properties;
}

int rpcrdma_property_of(const struct rpcrdma_send *send, uint32_t id)
{
    if (!is_04(send))
        return id >= RPCRDMA2_07_PROPID_SBSIZ && id <= RPCRDMA2_07_PROPID_BRS ? (int)id - 1 : -1;
    return id == RPCRDMA2_04_PROPID_RBSIZ ? PROPERTY_RECEIVE_SIZE
           : id == RPCRDMA2_04_PROPID_BRS ? PROPERTY_REVERSE
                                          : -1;
}

/* ---- the form of a value ---- */

/* A receiver that does not know the property passes over it, whatever its octets are. */
static uint32_t refusal(const struct rpcrdma_send *send)
{
    return is_04(send) ? RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC
                       : RPCRDMA_ERR_BAD_PROPVAL;
}

static void bad_form(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    uint32_t open = ALSO | refusal(send);
    break_rule(&send->review,
               is_04(send) ? RPCRDMA2_04_5_1_1_VALUE_FORM : RPCRDMA2_07_5_1_VALUE_FORM,
               place(send, property->value.data) - NUMBER, BOTH_MAY(open),
               "the value of property %u has %u octets, too few for what it is", property->id,
               property->value.length);
}

static void too_long(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    uint32_t open = ALSO | refusal(send);
    break_rule(&send->review,
               is_04(send) ? RPCRDMA2_04_5_1_1_VALUE_TOO_LONG : RPCRDMA2_07_5_1_VALUE_TOO_LONG,
               place(send, property->value.data) - NUMBER, BOTH_MAY(open),
               "the value of property %u has %u octets; a number has %u", property->id,
               property->value.length, NUMBER);
}

/* The value is itself a count, this many octets, and what fills them up to whole words. */
static bool is_authentication(const struct rpcrdma_xdr_opaque *value)
{
    return value->length >= NUMBER &&
           rpcrdma_xdr_round(rpcrdma_xdr_load32(value->data)) <= value->length - NUMBER;
}

/* Of -04, where it is an enum of 0 to 2: another value is not of its type. */
enum { LAST_REVERSE_04 = 2 };

static bool is_in_enum(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    bool is_enum = is_04(send) && rpcrdma_property_of(send, property->id) == PROPERTY_REVERSE;
    uint32_t value = is_enum ? rpcrdma_xdr_load32(property->value.data) : 0;
    if (value > LAST_REVERSE_04)
        break_rule(&send->review, RPCRDMA2_04_5_1_1_VALUE_FORM, place(send, property->value.data),
                   BOTH_MAY(ALSO | refusal(send)), "the value of property %u is %u; the last is %u",
                   property->id, value, LAST_REVERSE_04);
    return value <= LAST_REVERSE_04;
}

static bool check_form(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    bool is_number = rpcrdma_property_of(send, property->id) >= 0;
    bool authenticates = is_07(send) && property->id == RPCRDMA2_07_PROPID_HOSTAUTH;
    uint32_t length = property->value.length;
    if (length == 0 || (!is_number && !authenticates))
        return true;
    if (is_number ? length < NUMBER : !is_authentication(&property->value)) {
        bad_form(send, property);
        return false;
    }
    if (is_number && length > NUMBER)
        too_long(send, property);
    return is_in_enum(send, property);
}

/* Whether all values have their form: otherwise none is taken. */
static bool check_set(struct rpcrdma_send *send, const struct rpcrdma_property_array *set)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    bool good = true;
    while (rpcrdma_property_array_next(&iter, &property))
        good = check_form(send, &property) && good;
    return good;
}

/* ---- what a value says ---- */

/* Nothing is known to forbid them. */
static void note_value(struct rpcrdma_send *send, const struct rpcrdma_property *property,
                       enum property which, uint32_t value)
{
    const struct properties *known = own(send);
    int64_t at = place(send, property->value.data);
    if ((known->told & ~known->unsure) >> which & 1 && known->value[which] != value)
        break_rule(&send->review, RPCRDMA2_07_5_1_PROPERTY_TWICE, at, NO_REACTION,
                   "property %u is %u here and was %u before", property->id, value,
                   known->value[which]);
    if (which == PROPERTY_RECEIVE_SIZE && value < DEFAULT_RECEIVE_SIZE)
        break_rule(&send->review, RPCRDMA2_07_5_2_2_RECEIVE_SIZE_SMALL, at, NO_REACTION,
                   "the Receive Buffer Size is %u, less than the %u octets of the default", value,
                   DEFAULT_RECEIVE_SIZE);
    if (which == PROPERTY_REVERSE && value > RPCRDMA2_07_RVRSDIR_GENL)
        break_rule(&send->review, RPCRDMA2_07_5_2_5_REVERSE_VALUE_DEFINED, at,
                   BOTH_MAY(ALSO | RPCRDMA_ERR_BAD_PROPVAL),
                   "Reverse-Direction Support is %u, which stands for nothing", value);
}

/* The size that holds, or the largest where an unseen message may have told it. */
static uint32_t size_before(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct properties *known = &send->own->properties;
    if (known->told >> PROPERTY_RECEIVE_SIZE & 1)
        return known->value[PROPERTY_RECEIVE_SIZE];
    return check->config.mid_stream || check->traffic[send->review.event->from].forgot
               ? UINT32_MAX
               : DEFAULT_RECEIVE_SIZE;
}

/* A smaller size binds the other side once it knows of it, a larger one is open to it at once. */
static void hold_size(struct rpcrdma_send *send, uint32_t value)
{
    struct properties *known = own(send);
    uint32_t before = size_before(send);
    if (before < known->unsure_size)
        before = known->unsure_size;
    if (before > value && before > known->receive_size_before)
        known->receive_size_before = before;
}

/* The last word on it is certain. */
static void settle(struct properties *known, enum property which)
{
    known->unsure &= (uint8_t) ~(1u << which);
    if (which == PROPERTY_RECEIVE_SIZE)
        known->unsure_size = 0;
}

void rpcrdma_change_property(struct rpcrdma_send *send, enum property which, uint32_t value)
{
    struct properties *known = own(send);
    if (which == PROPERTY_RECEIVE_SIZE)
        hold_size(send, value);
    bool between = send->review.check->config.seen_between;
    bool changes = !(known->told >> which & 1) || known->value[which] != value;
    known->value[which] = value;
    known->told |= (uint8_t)(1u << which);
    settle(known, which);
    if (which == PROPERTY_RECEIVE_SIZE || !between)
        known->known |= (uint8_t)(1u << which);
    else if (changes) /* once the other side has it */
        known->known &= (uint8_t) ~(1u << which);
    known->told_at = send->own->sends;
}

/* The default is as if nothing had been told. */
static void forget_property(struct rpcrdma_send *send, enum property which)
{
    struct properties *known = own(send);
    if (which == PROPERTY_RECEIVE_SIZE)
        hold_size(send, DEFAULT_RECEIVE_SIZE);
    settle(known, which);
    if (which != PROPERTY_RECEIVE_SIZE && known->told >> which & 1 &&
        send->review.check->config.seen_between)
        known->unsure |= (uint8_t)(1u << which); /* the other side may go by what it heard */
    known->told &= (uint8_t) ~(1u << which);
    known->known &= (uint8_t) ~(1u << which);
}

void rpcrdma_take_property(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    int which = rpcrdma_property_of(send, property->id);
    if (which < 0)
        return;
    if (property->value.length == 0) {
        forget_property(send, (enum property)which);
        return;
    }
    uint32_t value = rpcrdma_xdr_load32(property->value.data);
    if (is_07(send))
        note_value(send, property, (enum property)which, value);
    rpcrdma_change_property(send, (enum property)which, value);
}

static void take_set(struct rpcrdma_send *send, const struct rpcrdma_property_array *set)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property))
        rpcrdma_take_property(send, &property);
}

/* ---- what may hold: beside an invalid value, or where it is not known what was done ---- */

void rpcrdma_change_perhaps(struct rpcrdma_send *send, enum property which, uint32_t value)
{
    struct properties *known = own(send);
    known->unsure |= (uint8_t)(1u << which);
    if (which == PROPERTY_RECEIVE_SIZE && value > known->unsure_size)
        known->unsure_size = value;
    else if (which != PROPERTY_RECEIVE_SIZE)
        known->known &= (uint8_t) ~(1u << which);
}

static void take_perhaps(struct rpcrdma_send *send, const struct rpcrdma_property *property)
{
    int which = rpcrdma_property_of(send, property->id);
    uint32_t length = property->value.length;
    if (which >= 0 && (length == 0 || length >= NUMBER))
        rpcrdma_change_perhaps(send, (enum property)which,
                               length == 0 ? DEFAULT_RECEIVE_SIZE
                                           : rpcrdma_xdr_load32(property->value.data));
}

/* None of them holds for sure: of a size the larger one, of the others none. */
void rpcrdma_take_set_perhaps(struct rpcrdma_send *send, const struct rpcrdma_property_array *set)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property))
        take_perhaps(send, &property);
}

/* ---- the sequence of -07: any number of MIDDLE, one FINAL ---- */

/* False where its receiver must drop it. */
static bool check_stage(struct rpcrdma_send *send, struct properties *known)
{
    if (known->stage == STAGE_FINAL) {
        break_rule(&send->review, RPCRDMA2_07_6_3_4_NOTHING_AFTER_FINAL, AT_TYPE,
                   BOTH_MAY(RPCRDMA_ERR_INVAL_CONT), "properties after the last of them");
        return false;
    }
    if (known->stage == STAGE_REFUSED)
        break_rule(&send->review, RPCRDMA2_07_6_3_4_FINAL_AFTER_REFUSED, AT_TYPE,
                   BOTH_MAY(ALSO | RPCRDMA_ERR_INVAL_CONT),
                   "properties after the last of them, which were refused");
    return true;
}

static void remember(struct properties *known)
{
    memcpy(known->before.value, known->value, sizeof known->value);
    known->before.unsure_size = known->unsure_size;
    known->before.told = known->told;
    known->before.unsure = known->unsure;
}

static void take_properties07(struct rpcrdma_send *send)
{
    struct properties *known = own(send);
    bool final = send->message.prefix.procedure == RPCRDMA2_07_CONNPROP_FINAL;
    bool good = check_set(send, &send->message.properties.set);
    if (!check_stage(send, known))
        return;
    remember(known);
    if (good)
        take_set(send, &send->message.properties.set);
    else
        rpcrdma_take_set_perhaps(send, &send->message.properties.set);
    known->xid = send->message.prefix.xid;
    known->stage = !final ? STAGE_MIDDLE : good ? STAGE_FINAL : STAGE_REFUSED;
}

/* What the other side goes by: of the size, the larger one where there are two. */
static uint8_t sure(const struct properties *known)
{
    return known->told & (uint8_t)(~known->unsure | 1u << PROPERTY_RECEIVE_SIZE);
}

/* The other side has refused the last message about them: the values before it hold. */
static void take_refusal(struct rpcrdma_send *send)
{
    struct side2 *side = send->peer;
    struct properties *known = &side->properties;
    if (send->message.kind != RPCRDMA_KIND_ERROR || send->message.prefix.xid != known->xid ||
        known->stage == STAGE_NONE || (send->answers && !send->answers->is_control))
        return;
    uint32_t size = known->value[PROPERTY_RECEIVE_SIZE];
    if (known->told >> PROPERTY_RECEIVE_SIZE & 1 && size > known->receive_size_before)
        known->receive_size_before = size;
    memcpy(known->value, known->before.value, sizeof known->value);
    known->unsure_size = known->before.unsure_size;
    known->told = known->before.told;
    known->unsure = known->before.unsure;
    known->known = sure(known);
    known->stage = STAGE_REFUSED;
}

/* Between the first and the last of the properties stands nothing else. */
static void check_interruption(struct rpcrdma_send *send)
{
    struct properties *known = own(send);
    enum rpcrdma_kind kind = send->message.kind;
    if (known->stage != STAGE_MIDDLE || kind == RPCRDMA_KIND_PROPERTIES)
        return;
    if (kind == RPCRDMA_KIND_GRANT || kind == RPCRDMA_KIND_ERROR) {
        rpcrdma_judge_control_between(send);
        return;
    }
    known->stage = STAGE_NONE;
    break_rule(&send->review, RPCRDMA2_07_6_3_3_PROPERTIES_CONTINUE, AT_TYPE,
               BOTH_MAY(RPCRDMA_ERR_INVAL_CONT),
               "a message of type %u, where more properties were to follow",
               send->review.judgement->procedure);
}

void rpcrdma_judge_unread(struct rpcrdma_send *send)
{
    const struct properties *known = own(send);
    uint32_t type = send->review.judgement->procedure;
    bool tells = type == RPCRDMA2_07_CONNPROP_MIDDLE || type == RPCRDMA2_07_CONNPROP_FINAL;
    bool over = known->stage == STAGE_FINAL || known->stage == STAGE_REFUSED;
    if (is_07(send) && send->may_be_refused && (known->stage == STAGE_MIDDLE || (over && tells)))
        rpcrdma_react(&send->review, BOTH_MAY(ALSO | RPCRDMA_ERR_INVAL_CONT));
}

/* ---- what the other side knows of it ---- */

bool rpcrdma_knows(const struct rpcrdma_check *check, enum rpcrdma_endpoint side, uint64_t posted)
{
    return !check->config.seen_between || check->two.side[side].received > posted;
}

/* An error without a direction may be about a Reply instead, if this side has called, too. */
static bool is_certain_answer(const struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    return send->answers &&
           (judgement->procedure != RPCRDMA2_07_ERROR ||
            !rpcrdma_state_find(send->review.check, send->review.event->from, judgement->xid));
}

void rpcrdma_take_received(struct rpcrdma_send *send)
{
    struct side2 *side = send->own;
    if (is_certain_answer(send) && send->answers->posted >= side->received)
        side->received = send->answers->posted + 1;
}

/* After this Send the other side's values hold: its sender has received them. */
static void end_reserve(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    struct properties *peer = &send->peer->properties;
    if (!rpcrdma_knows(check, from, peer->told_at))
        return;
    peer->known = sure(peer);
    peer->receive_size_before = 0;
}

static void take_properties04(struct rpcrdma_send *send)
{
    bool good = check_set(send, &send->message.properties.set);
    if (check_set(send, &send->message.properties.other) && good) {
        rpcrdma_judge_properties04(send);
        return;
    }
    rpcrdma_forget_properties04(send);
    /* What a side wants of the other it has not itself. */
    if (send->message.prefix.procedure != RPCRDMA2_04_REQPROP)
        rpcrdma_take_set_perhaps(send, &send->message.properties.set);
    rpcrdma_take_set_perhaps(send, &send->message.properties.other);
}

void rpcrdma_judge_properties(struct rpcrdma_send *send)
{
    rpcrdma_judge_limits2(send);
    if (is_07(send)) {
        check_interruption(send);
        take_refusal(send);
        if (send->message.kind == RPCRDMA_KIND_PROPERTIES)
            take_properties07(send);
    } else if (send->message.kind == RPCRDMA_KIND_PROPERTIES) {
        take_properties04(send);
    } else if (send->message.kind == RPCRDMA_KIND_ERROR) {
        rpcrdma_take_refusal04(send);
    }
    end_reserve(send);
}
