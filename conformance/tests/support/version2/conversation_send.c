// SPDX-License-Identifier: BSD-3-Clause
/* What is under way between the two peers, and how the checker sees it. */
#include "conformance/tests/support/version2/conversation.h"
#include "conformance/base/count.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

bool talk2_is_07(const struct talk2 *talk)
{
    return talk->protocol == RPCRDMA_PROTOCOL_2_07;
}

struct talk2_side *talk2_peer(struct talk2 *talk, const struct talk2_side *side)
{
    return &talk->side[side->side == RPCRDMA_CLIENT];
}

/* ---- what a side may send ---- */

bool talk2_may_send(const struct talk2 *talk, const struct talk2_side *side)
{
    if (side->count + 2 * TALK2_CHUNKS * TALK2_SEGMENTS >= TALK2_FLIGHTS)
        return false;
    return !talk2_is_07(talk) || talk->refused || (int32_t)(side->sent + 1 - side->limit) <= 0;
}

uint32_t talk2_most(const struct talk2 *talk, const struct talk2_side *side)
{
    uint32_t most = side->known.told >> RECEIVE_SIZE & 1 ? side->known.value[RECEIVE_SIZE] : 4096;
    if (talk->refused || (side->side == RPCRDMA_CLIENT && !side->heard))
        return 1024;
    if (side->own.told >> SEND_SIZE & 1 && side->own.value[SEND_SIZE] < most)
        most = side->own.value[SEND_SIZE];
    return side->asked_size != 0 && side->asked_size < most ? side->asked_size : most;
}

/* ---- octets ---- */

void talk2_word(struct talk2_flight *flight, uint32_t word)
{
    if (flight->event.length + 4 > TALK2_SEND)
        ck_abort_msg("the Send is full");
    for (int shift = 24; shift >= 0; shift -= 8)
        flight->octets[flight->event.length++] = (uint8_t)(word >> shift);
}

void talk2_octets(struct talk2_flight *flight, const uint8_t *octets, uint32_t length)
{
    if (flight->event.length + length > TALK2_SEND)
        ck_abort_msg("the Send is full");
    memcpy(flight->octets + flight->event.length, octets, length);
    flight->event.length += length;
}

static struct talk2_flight *next_flight(struct talk2_side *side)
{
    if (side->count == TALK2_FLIGHTS)
        ck_abort_msg("too much is under way");
    struct talk2_flight *flight = &side->flights[(side->first + side->count++) % TALK2_FLIGHTS];
    flight->event = (struct rpcrdma_event){.from = side->side, .data = flight->octets};
    flight->meaning = MEANS_NOTHING;
    flight->call = NULL;
    flight->observed = false;
    flight->posted = side->sent;
    flight->knows = side->received;
    flight->values.told = 0;
    return flight;
}

/* The total of -07; of -04 what is granted or asked for. */
static uint32_t credit_of(struct talk2 *talk, struct talk2_side *side)
{
    if (!talk2_is_07(talk) || talk->refused)
        return 32;
    if (chance(&talk->dice, 5))
        side->advertised = 1 + pick(&talk->dice, 40);
    return (side->by_sends ? side->sent : side->received) + side->advertised;
}

struct talk2_flight *talk2_begin(struct talk2 *talk, struct talk2_side *side, uint32_t xid,
                                 uint32_t type)
{
    struct talk2_flight *flight = next_flight(side);
    flight->event.type = RPCRDMA_EVENT_SEND;
    flight->xid = xid;
    flight->credit = credit_of(talk, side);
    flight->type = type;
    side->sent++;
    side->started = true;
    talk2_word(flight, xid);
    talk2_word(flight, talk->refused ? 1 : 2);
    talk2_word(flight, flight->credit);
    talk2_word(flight, type);
    return flight;
}

/* ---- on the way ---- */

static void compare(struct talk2 *talk, const struct rpcrdma_judgement *judgement)
{
    char text[256];
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        if (finding->severity == RPCRDMA_NOTE) {
            talk->notes++;
            continue;
        }
        rpcrdma_finding_text(finding, text, sizeof text);
        talk->accuse(talk, rpcrdma_requirements[finding->rule].id, text);
    }
}

static void count(struct talk2 *talk, const struct rpcrdma_event *event,
                  const struct rpcrdma_judgement *judgement)
{
    talk->events++;
    talk->operations +=
        event->type == RPCRDMA_EVENT_RDMA_READ || event->type == RPCRDMA_EVENT_RDMA_WRITE;
    talk->invalidations += event->invalidate;
    if (event->type == RPCRDMA_EVENT_SEND && judgement->has_procedure &&
        judgement->version == RPCRDMA_VERSION_2 && judgement->procedure < TALK2_TYPES)
        talk->types[judgement->procedure]++;
}

void talk2_judge(struct talk2 *talk, struct rpcrdma_event *event)
{
    struct rpcrdma_judgement judgement;
    if (talk->unseen > 0)
        return;
    if (event->length > talk->snap && event->data) {
        event->missing = event->length - talk->snap;
        event->length = talk->snap;
    }
    /* A block of its own, so that the sanitizer sees a read beyond it. */
    void *copy = talk->noise && event->data ? malloc(event->length + 1) : NULL;
    if (copy)
        event->data = memcpy((char *)copy + 1, event->data, event->length);
    rpcrdma_check_event(talk->check, event, &judgement);
    count(talk, event, &judgement);
    if (talk->judged)
        talk->judged(talk, event, &judgement);
    free(copy);
    compare(talk, &judgement);
}

/* Words that mean something elsewhere, octets that are missing or too many. */
static void make_noise(struct talk2 *talk, struct talk2_flight *flight)
{
    static const uint32_t words[] = {0, 1, 2, 3, 4, 7, 10, 0x7fffffff, 0x80000000, 0xffffffff};
    struct dice *dice = &talk->dice;
    uint32_t most = (uint32_t)flight->event.length / 4;
    for (uint32_t n = pick(dice, 3); n > 0 && most > 0; n--) {
        uint32_t word = words[pick(dice, COUNT(words))];
        uint8_t *at = flight->octets + 4 * (size_t)pick(dice, most < 24 ? most : 24);
        for (int i = 0; i < 4; i++)
            at[i] = (uint8_t)(word >> (24 - 8 * i));
    }
    if (chance(dice, 10))
        flight->event.length = pick(dice, (uint32_t)flight->event.length + 1);
    if (chance(dice, 5))
        flight->event.invalidate = true;
}

static void observe(struct talk2 *talk, struct talk2_flight *flight)
{
    flight->observed = true;
    if (talk->noise && flight->event.type == RPCRDMA_EVENT_SEND)
        make_noise(talk, flight);
    if (talk->spoil && flight->event.type == RPCRDMA_EVENT_SEND)
        talk->spoil(talk, flight);
    talk->seen = flight;
    if (flight->event.type == RPCRDMA_EVENT_SEND || talk->rdma_seen)
        talk2_judge(talk, &flight->event);
    talk->seen = NULL;
}

static void deliver(struct talk2 *talk, struct talk2_side *side)
{
    struct talk2_flight *flight = &side->flights[side->first];
    side->first = (side->first + 1) % TALK2_FLIGHTS;
    side->count--;
    if (flight->event.type == RPCRDMA_EVENT_SEND)
        talk2_take(talk, talk2_peer(talk, side), flight);
}

void talk2_post(struct talk2 *talk, struct talk2_side *side, struct talk2_flight *flight)
{
    if (talk->crossing)
        return;
    observe(talk, flight);
    deliver(talk, side);
}

static struct talk2_flight *next_to_observe(struct talk2_side *side)
{
    for (uint32_t i = 0; i < side->count; i++) {
        struct talk2_flight *flight = &side->flights[(side->first + i) % TALK2_FLIGHTS];
        if (!flight->observed)
            return flight;
    }
    return NULL;
}

/* One of the two directions: what comes next there is seen, or arrives. */
static bool move_one(struct talk2 *talk, struct talk2_side *side)
{
    struct talk2_flight *flight = next_to_observe(side);
    if (side->count == 0)
        return false;
    if (flight && (!side->flights[side->first].observed || chance(&talk->dice, 50)))
        observe(talk, flight);
    else
        deliver(talk, side);
    return true;
}

bool talk2_move(struct talk2 *talk)
{
    unsigned first = pick(&talk->dice, 2);
    return move_one(talk, &talk->side[first]) || move_one(talk, &talk->side[!first]);
}

void talk2_operate(struct talk2 *talk, struct talk2_side *side, enum rpcrdma_event_type type,
                   const struct talk2_chunk *chunk, const uint32_t *lengths)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t length = lengths ? lengths[i] : chunk->segment[i].length;
        if (length == 0)
            continue;
        struct talk2_flight *flight = next_flight(side);
        flight->event.type = type;
        flight->event.data = NULL;
        flight->event.handle = chunk->segment[i].handle;
        flight->event.offset = chunk->segment[i].offset;
        flight->event.length = length;
        talk2_post(talk, side, flight);
    }
}
