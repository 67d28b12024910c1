// SPDX-License-Identifier: BSD-3-Clause
/* The steps of a conversation: who tells its properties, calls, answers, grants. */
#include "conformance/tests/support/version2/conversation.h"

#include <check.h>
#include <rpcrdma/binding.h>
#include <string.h>

enum { ERROR = 4, GRANT_07 = 5, MIDDLE_07 = 6, FINAL_07 = 7 };
enum { OPTIONAL_04 = 5, CONNPROP_04 = 6, REQPROP_04, RESPROP_04, UPDPROP_04 };
enum { ERR_VERS = 1, ERR_INVALID_PROC_04 = 3, ERR_INVALID_OPTION_04 = 9 };

/* ---- properties ---- */

/* The numbers of -04, or of -07. */
static uint32_t id_of(const struct talk2 *talk, enum talk2_property property)
{
    return talk2_is_07(talk) ? property + 1 : property == RECEIVE_SIZE ? 1 : 2;
}

static uint32_t choose_value(struct talk2 *talk, enum talk2_property property)
{
    struct dice *dice = &talk->dice;
    switch (property) {
    case SEND_SIZE:
    case RECEIVE_SIZE:
        return 1024 + 4 * pick(dice, chance(dice, 30) ? 768 : 3000);
    case SEGMENT_SIZE:
        return 1u << (20 + pick(dice, 3));
    case SEGMENT_COUNT:
        return 16 + pick(dice, 50);
    case REVERSE:
        return pick(dice, talk2_is_07(talk) ? 4 : 3);
    }
    return 0;
}

static void put_value(struct talk2_flight *flight, uint32_t id, uint32_t value)
{
    talk2_word(flight, id);
    talk2_word(flight, 4);
    talk2_word(flight, value);
}

/* Unknown ids, with any octets. */
static void put_unknown(struct talk2 *talk, struct talk2_flight *flight)
{
    uint32_t length = pick(&talk->dice, 20);
    talk2_word(flight, 0x7ffffff0 + pick(&talk->dice, 14));
    talk2_word(flight, length);
    for (uint32_t i = 0; i < length; i += 4)
        talk2_word(flight, 0);
}

/* Tell some properties that were not told. */
static void put_set(struct talk2 *talk, struct talk2_side *side, struct talk2_flight *flight)
{
    uint8_t chosen = 0;
    bool unknown = chance(&talk->dice, 30);
    uint32_t count = unknown;
    for (int i = 0; i < TALK2_PROPERTIES; i++) {
        bool exists = talk2_is_07(talk) || i == RECEIVE_SIZE || i == REVERSE;
        bool again = talk2_is_07(talk) && i == REVERSE;
        if (!exists || (side->own.told >> i & 1 && !again) || chance(&talk->dice, 50))
            continue;
        chosen |= (uint8_t)(1u << i);
        count++;
    }
    talk2_word(flight, count);
    for (int i = 0; i < TALK2_PROPERTIES; i++) {
        if (!(chosen >> i & 1))
            continue;
        flight->values.value[i] = side->own.value[i] = choose_value(talk, (enum talk2_property)i);
        put_value(flight, id_of(talk, (enum talk2_property)i), side->own.value[i]);
    }
    if (unknown)
        put_unknown(talk, flight);
    side->own.told |= chosen;
    flight->values.told = chosen;
    flight->meaning = MEANS_VALUES;
}

static uint32_t property_xid(struct talk2_side *side)
{
    return 0x50000000 + side->next_xid++;
}

/* -07: a number of MIDDLE, then FINAL. */
static bool tell_07(struct talk2 *talk, struct talk2_side *side)
{
    bool last = side->done == 0;
    struct talk2_flight *flight =
        talk2_begin(talk, side, property_xid(side), last ? FINAL_07 : MIDDLE_07);
    put_set(talk, side, flight);
    if (last)
        side->message = NO_MESSAGE;
    else
        side->done--;
    talk2_post(talk, side, flight);
    return true;
}

static bool tell_04(struct talk2 *talk, struct talk2_side *side)
{
    struct talk2_flight *flight = talk2_begin(talk, side, property_xid(side), CONNPROP_04);
    put_set(talk, side, flight);
    talk2_word(flight, 0);
    talk2_post(talk, side, flight);
    return true;
}

static bool start_telling(struct talk2 *talk, struct talk2_side *side)
{
    if (side->told_all)
        return false;
    side->told_all = true;
    if (!talk2_is_07(talk))
        return tell_04(talk, side);
    side->message = THE_PROPERTIES;
    side->done = chance(&talk->dice, 30) ? 1 + pick(&talk->dice, 2) : 0;
    return tell_07(talk, side);
}

/* -04: ask for a value that the other side has told; it says yes or no, or gives another. */
static bool ask_04(struct talk2 *talk, struct talk2_side *side)
{
    enum talk2_property what = chance(&talk->dice, 30) ? REVERSE : RECEIVE_SIZE;
    if (side->asked_xid != 0 || !(side->known.told >> what & 1))
        return false;
    uint32_t value = choose_value(talk, what);
    struct talk2_flight *flight = talk2_begin(talk, side, property_xid(side), REQPROP_04);
    talk2_word(flight, 1);
    put_value(flight, id_of(talk, what), value);
    side->asked_xid = flight->xid;
    side->asked_size = what == RECEIVE_SIZE && value < side->known.value[RECEIVE_SIZE] ? value : 0;
    flight->meaning = MEANS_REQUEST;
    flight->values.told = (uint8_t)(1 << what);
    flight->values.value[what] = value;
    talk2_post(talk, side, flight);
    return true;
}

/* By an error all of a request is rejected. */
enum { DONE, REJECTED, OTHER, REFUSED };

static void put_response(struct talk2 *talk, struct talk2_side *side, struct talk2_flight *flight,
                         enum talk2_property what, unsigned answer)
{
    for (unsigned set = DONE; set <= REJECTED; set++) {
        talk2_word(flight, answer == set);
        if (answer == set)
            talk2_word(flight, talk->seed % 2 ? 1 : 0x80000000);
    }
    talk2_word(flight, answer == OTHER);
    if (answer != REJECTED)
        side->own.value[what] =
            answer == DONE ? side->wanted.value[what] : choose_value(talk, what);
    if (answer == OTHER)
        put_value(flight, id_of(talk, what), side->own.value[what]);
}

static bool respond_04(struct talk2 *talk, struct talk2_side *side)
{
    enum talk2_property what = side->wanted.told >> REVERSE & 1 ? REVERSE : RECEIVE_SIZE;
    unsigned answer = pick(&talk->dice, 4);
    if (side->to_answer == 0)
        return false;
    struct talk2_flight *flight =
        talk2_begin(talk, side, side->to_answer, answer == REFUSED ? ERROR : RESPROP_04);
    side->to_answer = 0;
    if (answer == REFUSED)
        talk2_word(flight, ERR_INVALID_PROC_04);
    else
        put_response(talk, side, flight, what, answer);
    flight->meaning = MEANS_RESPONSE;
    flight->values.told = (uint8_t)(1 << what);
    flight->values.value[what] = side->own.value[what];
    talk2_post(talk, side, flight);
    return true;
}

/* -04: a larger size than before, unasked, or any level. */
static bool update_04(struct talk2 *talk, struct talk2_side *side)
{
    enum talk2_property what = chance(&talk->dice, 30) ? REVERSE : RECEIVE_SIZE;
    if (!(side->own.told >> what & 1) || side->to_answer != 0 ||
        talk2_peer(talk, side)->asked_xid != 0)
        return false;
    struct talk2_flight *flight = talk2_begin(talk, side, property_xid(side), UPDPROP_04);
    if (what == REVERSE)
        side->own.value[what] = choose_value(talk, what);
    else
        side->own.value[what] += 4 * (1 + pick(&talk->dice, 500));
    talk2_word(flight, 1);
    put_value(flight, id_of(talk, what), side->own.value[what]);
    flight->meaning = MEANS_VALUES;
    flight->values.told = (uint8_t)(1 << what);
    flight->values.value[what] = side->own.value[what];
    talk2_post(talk, side, flight);
    return true;
}

/* -04: an option that the other side does not know. */
static bool option_04(struct talk2 *talk, struct talk2_side *side)
{
    struct talk2_flight *flight = talk2_begin(talk, side, property_xid(side), OPTIONAL_04);
    talk2_word(flight, side->side == RPCRDMA_SERVER);
    talk2_word(flight, 1000 + pick(&talk->dice, 1000));
    talk2_word(flight, 8);
    talk2_word(flight, 1), talk2_word(flight, 2);
    flight->meaning = MEANS_OPTION;
    talk2_post(talk, side, flight);
    return true;
}

static bool refuse_option(struct talk2 *talk, struct talk2_side *side)
{
    if (side->refused_option == 0)
        return false;
    struct talk2_flight *flight = talk2_begin(talk, side, side->refused_option, ERROR);
    talk2_word(flight, ERR_INVALID_OPTION_04);
    side->refused_option = 0;
    talk2_post(talk, side, flight);
    return true;
}

static bool manage_properties(struct talk2 *talk, struct talk2_side *side)
{
    if (talk2_is_07(talk) || chance(&talk->dice, 30))
        return start_telling(talk, side);
    if (side->side == RPCRDMA_SERVER && !side->heard)
        return false;
    switch (pick(&talk->dice, 4)) {
    case 0:
        return ask_04(talk, side);
    case 1:
        return respond_04(talk, side);
    case 2:
        return update_04(talk, side);
    default:
        return side->side == RPCRDMA_CLIENT ? option_04(talk, side) : refuse_option(talk, side);
    }
}

/* ---- grants ---- */

/* A side that has nothing to say renews the other's credits, beyond its own by one. */
static bool grant(struct talk2 *talk, struct talk2_side *side)
{
    bool beyond = !talk2_may_send(talk, side);
    if (!talk2_is_07(talk) || talk->falls_back || side->message != NO_MESSAGE || !side->heard ||
        side->count > TALK2_FLIGHTS / 2 || (beyond && side->grant_beyond))
        return false;
    side->grant_beyond = beyond;
    talk2_post(talk, side, talk2_begin(talk, side, 0, GRANT_07));
    return true;
}

/* ---- what comes ---- */

static void take_values(struct talk2_side *side, const struct talk2_values *values)
{
    for (int i = 0; i < TALK2_PROPERTIES; i++)
        if (values->told >> i & 1)
            side->known.value[i] = values->value[i];
    side->known.told |= values->told;
}

static void take_answer(struct talk2_side *side, const struct talk2_flight *flight, bool again)
{
    side->in_flight--;
    side->answered = side->answered || flight->type != ERROR;
    side->granted = flight->credit;
    flight->call->active = again;
    flight->call->again = again;
}

void talk2_take(struct talk2 *talk, struct talk2_side *side, const struct talk2_flight *flight)
{
    side->received++;
    if (flight->meaning != MEANS_OLD_VERSION) {
        side->limit = flight->credit;
        side->grant_beyond = false;
        side->heard = true;
    }
    switch (flight->meaning) {
    case MEANS_NOTHING:
        break;
    case MEANS_CALL:
        flight->call->received = true;
        break;
    case MEANS_ANSWER:
    case MEANS_REFUSAL:
        take_answer(side, flight, flight->meaning == MEANS_REFUSAL);
        break;
    case MEANS_VALUES:
        take_values(side, &flight->values);
        break;
    case MEANS_REQUEST:
        side->to_answer = flight->xid;
        side->wanted = flight->values;
        break;
    case MEANS_RESPONSE:
        take_values(side, &flight->values);
        side->asked_xid = side->asked_size = 0;
        break;
    case MEANS_OPTION:
        side->refused_option = flight->xid;
        break;
    case MEANS_OLD_VERSION:
        talk->refused = true;
        side->calls[0].active = side->answered = false;
        side->in_flight = 0;
        break;
    }
}

/* ---- steps ---- */

/* A server of version 1 alone: one error, and then both sides speak that. */
static bool refuse_version(struct talk2 *talk, struct talk2_side *server)
{
    struct talk2_side *client = talk2_peer(talk, server);
    if (!client->calls[0].received)
        return false;
    struct talk2_flight *flight = talk2_begin(talk, server, client->calls[0].xid, ERROR);
    client->calls[0].received = false;
    talk2_word(flight, ERR_VERS);
    talk2_word(flight, 1), talk2_word(flight, 1);
    flight->meaning = MEANS_OLD_VERSION;
    talk2_post(talk, server, flight);
    return true;
}

static bool speak_version_1(struct talk2 *talk, struct talk2_side *side)
{
    if (side->side == RPCRDMA_CLIENT)
        return (!side->started || talk->refused) && talk2_call(talk, side);
    return talk->refused ? talk2_answer(talk, side) : refuse_version(talk, side);
}

/* The client's first message is a Call, or its properties. */
static bool open_conversation(struct talk2 *talk, struct talk2_side *side)
{
    if (side->side == RPCRDMA_SERVER)
        return false;
    return chance(&talk->dice, 30) ? start_telling(talk, side) : talk2_call(talk, side);
}

static bool act(struct talk2 *talk, struct talk2_side *side)
{
    struct dice *dice = &talk->dice;
    if (!talk2_may_send(talk, side))
        return grant(talk, side);
    if (talk->falls_back)
        return speak_version_1(talk, side);
    if (side->message == THE_PROPERTIES)
        return tell_07(talk, side);
    if (side->message != NO_MESSAGE)
        return talk2_next_piece(talk, side);
    if (!side->heard)
        return !side->started && open_conversation(talk, side);
    if (chance(dice, talk2_is_07(talk) ? 6 : 12))
        return manage_properties(talk, side);
    if (chance(dice, 4))
        return grant(talk, side);
    if (chance(dice, 50))
        return talk2_answer(talk, side) || talk2_call_again(talk, side) || talk2_call(talk, side);
    return talk2_call(talk, side) || talk2_answer(talk, side);
}

bool talk2_step(struct talk2 *talk)
{
    if (talk->unseen > 0)
        talk->unseen--;
    if (talk->crossing && chance(&talk->dice, 55) && talk2_move(talk))
        return true;
    unsigned first = pick(&talk->dice, 2);
    if (act(talk, &talk->side[first]) || act(talk, &talk->side[!first]) || talk2_move(talk))
        return true;
    return grant(talk, &talk->side[first]) || grant(talk, &talk->side[!first]);
}

static void start_side(struct talk2 *talk, enum rpcrdma_endpoint endpoint)
{
    struct talk2_side *side = &talk->side[endpoint];
    memset(side, 0, offsetof(struct talk2_side, flights));
    side->side = endpoint;
    side->first = side->count = 0;
    side->limit = 1;
    side->advertised = 1 + pick(&talk->dice, 30);
    side->by_sends = chance(&talk->dice, 20);
    side->next_xid = (uint32_t)dice_roll(&talk->dice) & 0x0fffffff;
}

void talk2_start(struct talk2 *talk, uint64_t seed, void *memory, size_t size)
{
    struct dice dice = {seed};
    talk->seed = seed;
    talk->events = talk->notes = talk->invalidations = talk->operations = 0;
    memset(talk->types, 0, sizeof talk->types);
    talk->protocol = chance(&dice, 55) ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_2_04;
    talk->crossing = chance(&dice, 60);
    talk->falls_back = chance(&dice, 5);
    talk->refused = false;
    talk->rdma_seen = chance(&dice, 70);
    talk->unseen = chance(&dice, 20) && !talk->falls_back ? pick(&dice, 60) : 0;
    talk->snap = TALK2_SEND;
    talk->noise = false;
    talk->judged = NULL;
    talk->spoil = NULL;
    talk->seen = NULL;
    talk->next_handle = 1 + (uint32_t)dice_roll(&dice) % 100000;
    talk->next_address = dice_roll(&dice) >> 2;
    talk->dice = dice;
    start_side(talk, RPCRDMA_CLIENT);
    start_side(talk, RPCRDMA_SERVER);
    talk->same_xids = chance(&talk->dice, 25);
    if (talk->same_xids)
        talk->side[RPCRDMA_SERVER].next_xid = talk->side[RPCRDMA_CLIENT].next_xid;
    talk->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    talk->config.draft = chance(&talk->dice, 25) ? RPCRDMA_PROTOCOL_AUTO : talk->protocol;
    talk->config.seen_between = talk->crossing;
    talk->config.mid_stream = talk->unseen > 0;
    talk->config.max_segments = 256;
    talk->config.continued_octets = chance(&talk->dice, 30) ? 4 << pick(&talk->dice, 12) : 0;
    if (chance(&talk->dice, 5))
        talk->config.credits = RPCRDMA_CREDITS_OFF;
    talk->config.bindings = chance(&talk->dice, 50) ? rpcrdma_bindings : NULL;
    talk->check = rpcrdma_check_init(memory, size, &talk->config);
    ck_assert_ptr_nonnull(talk->check);
}
