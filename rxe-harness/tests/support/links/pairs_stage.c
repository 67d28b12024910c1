// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/pairs_stage.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIRE 256

struct queue_pair pairs[2];
struct passing pairs_wire[WIRE];
unsigned pairs_wire_end;
static unsigned wire_first;
const char *pairs_losses;
char pairs_went[8192];
uint8_t pairs_from[20 * MTU], pairs_to[20 * MTU];
struct exposed pairs_memory;
struct work pairs_work;

/* ---- the wire ---- */

static void describe(const struct passing *passing, char text[32])
{
    static const char letters[] = "SSS.S.WWW.W.rpppp";
    const struct packet *packet = &passing->packet;
    const uint8_t *extended = passing->frame.octets + passing->frame.begin + FRAME_BASE;
    uint32_t number = (packet->psn - FIRST_PSN) & PSN_MASK;
    char letter = packet->opcode < sizeof letters - 1 ? letters[packet->opcode] : 'S';
    if (packet->opcode == OP_ACKNOWLEDGE)
        letter = packet->syndrome == ACK_WITHOUT_CREDITS   ? 'A'
                 : packet->syndrome == NAK_SEQUENCE        ? 'N'
                 : packet->syndrome == NAK_INVALID         ? 'I'
                 : packet->syndrome == NAK_ACCESS          ? 'X'
                 : packet->syndrome == (SYNDROME_RNR | 12) ? 'R'
                                                           : '!';
    if (packet->opcode >= OP_READ_LAST && packet->opcode <= OP_ACKNOWLEDGE)
        snprintf(text, 32, "%c%u/%u", letter, number, load_be32(extended) & PSN_MASK);
    else if (packet->opcode == OP_READ_REQUEST)
        snprintf(text, 32, "r%u:%u", number, packet->length);
    else
        snprintf(text, 32, "%c%u%s", letter, number, passing->asks ? "?" : "");
}

static bool is_lost(const char *text)
{
    size_t length = strlen(text);
    if (strncmp(pairs_losses, text, length) != 0 ||
        (pairs_losses[length] != ' ' && pairs_losses[length] != '\0'))
        return false;
    pairs_losses += length + (pairs_losses[length] == ' ');
    return true;
}

static void transmit(void *arg, struct frame *frame)
{
    enum side side = arg == &pairs[ASKS] ? SERVES : ASKS;
    struct passing *passing = &pairs_wire[pairs_wire_end];
    size_t length = frame->length - frame->begin, at = strlen(pairs_went);
    char text[32];
    ck_assert_uint_lt(pairs_wire_end, WIRE);
    memcpy(frame_room(&passing->frame, &pairs[side].path), frame->octets + frame->begin, length);
    ck_assert(frame_take(&passing->frame, &pairs[side].path, ROCE_PORT, length, &passing->packet,
                         &passing->asks));
    passing->to = side;
    describe(passing, text);
    bool is_gone = is_lost(text);
    pairs_wire_end += !is_gone;
    snprintf(pairs_went + at, sizeof pairs_went - at, is_gone ? "(%s) " : "%s ", text);
}

/* All that is under way arrives, and what follows from it. */
static void arrive(int64_t now)
{
    while (wire_first < pairs_wire_end) {
        const struct passing *passing = &pairs_wire[wire_first++];
        struct queue_pair *pair = &pairs[passing->to];
        if (passing->packet.opcode >= OP_READ_FIRST && passing->packet.opcode <= OP_ACKNOWLEDGE)
            roce_requester_take(pair, &passing->packet, now);
        else
            roce_responder_take(pair, &passing->packet, passing->asks);
        while (roce_responder_run(pair))
            ;
    }
    wire_first = pairs_wire_end = 0;
}

void pairs_run(int64_t now)
{
    roce_requester_run(&pairs[ASKS], now);
    arrive(now);
}

/* ---- what is asked ---- */

void pairs_begin(enum work_kind kind, size_t length, int64_t now)
{
    pairs_work = (struct work){.kind = kind,
                               .from = pairs_from,
                               .to = pairs_to,
                               .length = length,
                               .handle = HANDLE,
                               .offset = pairs_memory.offset};
    pairs[ASKS].end.work = &pairs_work;
    roce_requester_begin(&pairs[ASKS], now);
    arrive(now);
}

void pairs_do_all(enum work_kind kind, size_t length, const char *losses)
{
    pairs_losses = losses;
    pairs_begin(kind, length, 0);
    for (int64_t now = RETRY; pairs_work.state == WORK_UNDER_WAY && now < 100 * RETRY; now += RETRY)
        pairs_run(now);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
}

void pairs_expect_one(bool is_send, bool is_write, size_t length)
{
    struct user_end *end = &pairs[SERVES].end;
    struct happening *happening = end_next(end);
    ck_assert_ptr_nonnull(happening);
    ck_assert_int_eq(happening->is_send, is_send);
    ck_assert_int_eq(happening->is_write, is_write);
    ck_assert_uint_eq(happening->length, length);
    ck_assert_mem_eq(happening->octets, pairs_from, length);
    free(happening);
    end->taken -= is_send;
    ck_assert_uint_eq(end->taken, 0);
    ck_assert_uint_eq(end->waiting, 0);
    ck_assert_ptr_null(end_next(end));
}

void pairs_set_up(void)
{
    wire_first = pairs_wire_end = 0;
    pairs_went[0] = '\0';
    pairs_losses = "";
    for (size_t i = 0; i < sizeof pairs_from; i++)
        pairs_from[i] = (uint8_t)(i * 7 + i / MTU);
    memset(pairs_to, 0, sizeof pairs_to);
    for (int i = 0; i < 2; i++) {
        struct queue_pair *pair = &pairs[i];
        *pair = (struct queue_pair){.mtu = MTU, .transmit = transmit, .transmit_arg = pair};
        pair->next_psn = pair->expected = FIRST_PSN;
        pair->end.open = pair->end.observed = true;
        pair->end.receives = 1;
        pair->end.receive_size = 4 * MTU;
        pair->path.local.octets[10] = pair->path.local.octets[11] = 0xff;
        pair->path.remote = pair->path.local;
        pair->path.local.octets[15] = (uint8_t)i;
        pair->path.remote.octets[15] = (uint8_t)(1 - i);
    }
    pairs_memory = (struct exposed){.octets = pairs_from,
                                    .offset = 0x100000000,
                                    .length = sizeof pairs_from,
                                    .handle = HANDLE,
                                    .access = LINK_PEER_READS | LINK_PEER_WRITES};
    pairs[SERVES].end.memory = &pairs_memory;
}

void pairs_tear_down(void)
{
    for (int i = 0; i < 2; i++)
        roce_responder_end(&pairs[i]);
}
