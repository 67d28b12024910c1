// SPDX-License-Identifier: BSD-3-Clause
/* Calls, their answers, and both of them in pieces. */
#include "conformance/tests/support/version2/conversation.h"
#include "conformance/base/count.h"

#include <check.h>
#include <string.h>

enum { CALL = 0, REPLY = 1, VERSION_1_MSG = 0 };
enum {
    ERROR = 4,
    CALL_EXTERNAL = 8,
    CALL_MIDDLE,
    CALL_INLINE,
    REPLY_EXTERNAL,
    REPLY_MIDDLE,
    REPLY_INLINE
};
enum { MSG_04 = 0, NOMSG_04 = 1 };
enum { CALL_MIN = 40, REPLY_MIN = 24 }; /* octets of an RPC header */

static const struct talk2_chunk nothing;

/* ---- RPC messages ---- */

void talk2_put(uint8_t *octets, uint32_t *length, uint32_t word)
{
    if (*length + 4 > TALK2_PAYLOAD)
        ck_abort_msg("the message is full");
    for (int shift = 24; shift >= 0; shift -= 8)
        octets[(*length)++] = (uint8_t)(word >> shift);
}

static void put_random(struct talk2 *talk, uint8_t *octets, uint32_t *length, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        talk2_put(octets, length, (uint32_t)dice_roll(&talk->dice));
}

/* ---- memory ---- */

static uint32_t most_segments(const struct talk2_side *side)
{
    uint32_t told = side->known.told >> SEGMENT_COUNT & 1 ? side->known.value[SEGMENT_COUNT] : 16;
    return told / (2 * TALK2_CHUNKS + 2);
}

void talk2_make_chunk(struct talk2 *talk, const struct talk2_side *side, struct talk2_chunk *chunk,
                      uint32_t octets, bool whole_words)
{
    uint32_t most = most_segments(side), count = 1;
    *chunk = nothing;
    if (most > 1 && octets >= 16)
        count += pick(&talk->dice, most < TALK2_SEGMENTS ? most : TALK2_SEGMENTS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = i + 1 == count ? octets : pick(&talk->dice, octets);
        if (whole_words && i + 1 < count)
            length &= ~3u;
        chunk->segment[i] = (struct talk2_segment){talk->next_handle, length, talk->next_address};
        talk->next_handle += 1 + pick(&talk->dice, 3);
        talk->next_address += length + pick(&talk->dice, 5000);
        octets -= length;
    }
    chunk->count = count;
}

static uint64_t length_of(const struct talk2_chunk *chunk)
{
    uint64_t length = 0;
    for (uint32_t i = 0; i < chunk->count; i++)
        length += chunk->segment[i].length;
    return length;
}

void talk2_fill(struct talk2_chunk *chunk, uint32_t octets)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t here = octets < chunk->segment[i].length ? octets : chunk->segment[i].length;
        chunk->returned[i] = here;
        octets -= here;
    }
}

/* ---- what a Call is ---- */

/* Which forms the client takes from its server. */
enum level { NOT_AT_ALL, SIMPLE, IN_PIECES, ALL };

static enum level level_of(const struct talk2 *talk, const struct talk2_side *side)
{
    bool told = side->known.told >> REVERSE & 1;
    uint32_t value = side->known.value[REVERSE];
    if (side->side == RPCRDMA_CLIENT)
        return ALL;
    if (talk2_is_07(talk))
        return told ? (enum level)value : NOT_AT_ALL;
    if (!side->heard)
        return NOT_AT_ALL;
    return !told || value == 1 ? SIMPLE : value == 0 ? NOT_AT_ALL : ALL;
}

/* Arguments: words and opaque items, some of which leave for Read chunks. */
static void make_arguments(struct talk2 *talk, const struct talk2_side *side,
                           struct talk2_call *call, bool chunks)
{
    struct dice *dice = &talk->dice;
    uint32_t unreduced = call->length, most = chance(dice, 20) ? 2000 : 40;
    for (unsigned i = pick(dice, 4); i > 0; i--) {
        uint32_t room = (TALK2_PAYLOAD - call->length) / 4 - 1;
        uint32_t words = pick(dice, most < room ? most : room), item = 1 + pick(dice, 3000);
        put_random(talk, call->payload, &call->length, words);
        unreduced += 4 * words;
        if (!chunks || call->reads == TALK2_CHUNKS || chance(dice, 40) || most_segments(side) == 0)
            continue;
        talk2_put(call->payload, &call->length, item);
        unreduced += 4;
        call->position[call->reads] = unreduced;
        talk2_make_chunk(talk, side, &call->read[call->reads++], item, false);
        unreduced += (item + 3) & ~3u;
    }
}

/* So long is a Call in one Send, without what it carries. */
static uint32_t header_length(const struct talk2 *talk, const struct talk2_call *call)
{
    uint32_t length = talk2_is_07(talk) ? 32 : 36;
    for (uint32_t i = 0; i < call->reads; i++)
        length += 24 * call->read[i].count;
    for (uint32_t i = 0; i < call->writes; i++)
        length += 8 + 16 * call->write[i].count;
    return length + (call->has_reply ? 4 + 16 * call->reply.count : 0);
}

static void offer_results(struct talk2 *talk, const struct talk2_side *side,
                          struct talk2_call *call)
{
    struct dice *dice = &talk->dice;
    if (most_segments(side) == 0)
        return;
    for (unsigned i = pick(dice, TALK2_CHUNKS); i > 0; i--)
        talk2_make_chunk(talk, side, &call->write[call->writes++], 1 + pick(dice, 5000), false);
    call->has_reply = chance(dice, 30);
    if (call->has_reply)
        talk2_make_chunk(talk, side, &call->reply, 4 * (10 + pick(dice, 2500)), true);
}

static void choose_handle(struct talk2 *talk, struct talk2_call *call)
{
    call->invalidate = call->reads > 0    ? call->read[0].segment[0].handle
                       : call->writes > 0 ? call->write[0].segment[0].handle
                       : call->has_reply  ? call->reply.segment[0].handle
                       : call->is_special ? call->body.segment[0].handle
                                          : 0;
    if (chance(&talk->dice, 50))
        call->invalidate = 0;
}

static void make_call(struct talk2 *talk, const struct talk2_side *side, struct talk2_call *call,
                      enum level level)
{
    bool chunks = level == ALL && !talk->refused && side->heard;
    call->plain = level != ALL || talk->refused || chance(&talk->dice, 20);
    call->nfs = talk2_nfs_procedure(talk, chunks && !call->plain && most_segments(side) > 0);
    uint32_t program = call->nfs != 0 ? 100003 : 0x20049999;
    uint32_t procedure = call->nfs != 0 ? call->nfs : pick(&talk->dice, 20);
    uint32_t words[] = {call->xid, CALL, 2, program, 3, procedure, 0, 0, 0, 0};
    for (unsigned i = 0; i < COUNT(words); i++)
        talk2_put(call->payload, &call->length, words[i]);
    if (call->nfs != 0)
        talk2_nfs_arguments(talk, side, call);
    else if (!call->plain)
        make_arguments(talk, side, call, chunks);
    if (chunks && !call->plain && call->nfs == 0)
        offer_results(talk, side, call);
    uint32_t length = header_length(talk, call) + call->length;
    bool fits = length <= talk2_most(talk, side);
    call->is_special = chunks && most_segments(side) > 0 &&
                       (chance(&talk->dice, 10) || (!fits && !talk2_is_07(talk)));
    if (call->is_special)
        talk2_make_chunk(talk, side, &call->body, call->length, true);
    if (!fits && !call->is_special && !talk2_is_07(talk))
        call->length = CALL_MIN; /* arguments that fit: none, and nothing for chunks to take */
    if (call->length == CALL_MIN)
        call->reads = 0;
    choose_handle(talk, call);
}

/* ---- how it is written ---- */

static void put_segment(struct talk2_flight *flight, const struct talk2_segment *segment,
                        uint32_t length)
{
    talk2_word(flight, segment->handle);
    talk2_word(flight, length);
    talk2_word(flight, (uint32_t)(segment->offset >> 32));
    talk2_word(flight, (uint32_t)segment->offset);
}

static void put_reads(struct talk2_flight *flight, uint32_t position,
                      const struct talk2_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        talk2_word(flight, 1);
        talk2_word(flight, position);
        put_segment(flight, &chunk->segment[i], chunk->segment[i].length);
    }
}

static void put_array(struct talk2_flight *flight, const struct talk2_chunk *chunk, bool returned)
{
    talk2_word(flight, chunk->count);
    for (uint32_t i = 0; i < chunk->count; i++)
        put_segment(flight, &chunk->segment[i],
                    returned ? chunk->returned[i] : chunk->segment[i].length);
}

static void put_read_list(struct talk2_flight *flight, const struct talk2_call *call)
{
    for (uint32_t i = 0; i < call->reads; i++)
        put_reads(flight, call->position[i], &call->read[i]);
    talk2_word(flight, 0);
}

static void put_write_list(struct talk2_flight *flight, const struct talk2_call *call,
                           bool returned)
{
    for (uint32_t i = 0; i < call->writes; i++) {
        talk2_word(flight, 1);
        put_array(flight, &call->write[i], returned);
    }
    talk2_word(flight, 0);
}

static void put_reply_chunk(struct talk2_flight *flight, const struct talk2_call *call,
                            bool returned)
{
    talk2_word(flight, call->has_reply);
    if (call->has_reply)
        put_array(flight, &call->reply, returned);
}

static void put_lists_04(struct talk2_flight *flight, const struct talk2_call *call,
                         uint32_t direction)
{
    talk2_word(flight, direction);
    talk2_word(flight, direction == CALL ? call->invalidate : 0);
    if (direction == CALL && call->is_special)
        put_reads(flight, 0, &call->body);
    if (direction == CALL)
        put_read_list(flight, call);
    else
        talk2_word(flight, 0);
    put_write_list(flight, call, direction == REPLY);
    put_reply_chunk(flight, call, direction == REPLY);
}

static void put_lists_1(struct talk2_flight *flight)
{
    for (int i = 0; i < 3; i++)
        talk2_word(flight, 0);
}

static struct talk2_flight *begin_call(struct talk2 *talk, struct talk2_side *side,
                                       const struct talk2_call *call)
{
    bool special = call->is_special;
    struct talk2_flight *flight =
        talk2_begin(talk, side, call->xid,
                    talk->refused        ? VERSION_1_MSG
                    : !talk2_is_07(talk) ? (special ? NOMSG_04 : MSG_04)
                                         : (special ? CALL_EXTERNAL : CALL_INLINE));
    if (talk->refused) {
        put_lists_1(flight);
    } else if (!talk2_is_07(talk)) {
        put_lists_04(flight, call, CALL);
    } else {
        talk2_word(flight, call->invalidate);
        if (special) {
            put_reads(flight, 0, &call->body);
            talk2_word(flight, 0);
        }
        put_read_list(flight, call);
        put_write_list(flight, call, false);
        put_reply_chunk(flight, call, false);
    }
    return flight;
}

static void send_call(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call,
                      uint32_t from)
{
    struct talk2_flight *flight = begin_call(talk, side, call);
    flight->meaning = MEANS_CALL;
    flight->call = call;
    if (!call->is_special)
        talk2_octets(flight, call->payload + from, call->length - from);
    talk2_post(talk, side, flight);
}

/* A piece, with this many octets of the rest. */
static void send_piece(struct talk2 *talk, struct talk2_side *side, const struct talk2_call *call,
                       uint32_t octets)
{
    bool is_call = side->message == THE_CALL;
    const uint8_t *payload = is_call ? call->payload : call->answer;
    uint32_t length = is_call ? call->length : call->answer_length;
    struct talk2_flight *flight =
        talk2_begin(talk, side, call->xid, is_call ? CALL_MIDDLE : REPLY_MIDDLE);
    talk2_word(flight, length - side->done - octets);
    talk2_octets(flight, payload + side->done, octets);
    side->done += octets;
    talk2_post(talk, side, flight);
}

static bool can_call(const struct talk2 *talk, const struct talk2_side *side)
{
    if (talk2_is_07(talk) && !talk->refused)
        return true;
    return side->in_flight < (side->answered ? side->granted : 1);
}

static struct talk2_call *free_call(struct talk2_side *side)
{
    for (unsigned i = 0; i < TALK2_CALLS; i++)
        if (!side->calls[i].active)
            return &side->calls[i];
    return NULL;
}

static bool fits(const struct talk2 *talk, const struct talk2_side *side,
                 const struct talk2_call *call)
{
    return header_length(talk, call) + call->length <= talk2_most(talk, side);
}

static void start_call(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call)
{
    bool pieces =
        talk2_is_07(talk) && !talk->refused && !call->is_special &&
        (!fits(talk, side, call) || (chance(&talk->dice, 20) && level_of(talk, side) >= IN_PIECES));
    side->in_flight++;
    side->current = call;
    side->done = 0;
    if (pieces) {
        side->message = THE_CALL;
        talk2_next_piece(talk, side);
    } else {
        send_call(talk, side, call, 0);
    }
}

static uint32_t choose_xid(struct talk2 *talk, struct talk2_side *side)
{
    const struct talk2_side *peer = talk2_peer(talk, side);
    bool same = talk->same_xids && side->side == RPCRDMA_SERVER;
    for (unsigned i = 0; same && i < TALK2_CALLS; i++)
        if (peer->calls[i].active && (int32_t)(peer->calls[i].xid - side->next_xid) > 0)
            side->next_xid = peer->calls[i].xid;
    return side->next_xid++;
}

bool talk2_call(struct talk2 *talk, struct talk2_side *side)
{
    enum level level = level_of(talk, side);
    struct talk2_call *call = free_call(side);
    if (call == NULL || level == NOT_AT_ALL || !can_call(talk, side))
        return false;
    call->active = true;
    call->received = call->again = call->has_reply = false;
    call->reads = call->writes = call->length = 0;
    call->xid = choose_xid(talk, side);
    make_call(talk, side, call, level);
    start_call(talk, side, call);
    return true;
}

/* The other side takes it as it is, or in pieces. */
static bool takes(const struct talk2 *talk, const struct talk2_side *side,
                  const struct talk2_call *call)
{
    bool chunks = call->is_special || call->reads > 0;
    bool small = call->is_special || fits(talk, side, call);
    if (!small && !talk2_is_07(talk))
        return false;
    return level_of(talk, side) >= (chunks ? ALL : small ? SIMPLE : IN_PIECES);
}

/* After an error about resources, the same Call again, with other memory or none. */
bool talk2_call_again(struct talk2 *talk, struct talk2_side *side)
{
    for (unsigned i = 0; i < TALK2_CALLS; i++) {
        struct talk2_call *call = &side->calls[i];
        if (!call->active || !call->again || !can_call(talk, side))
            continue;
        call->again = false;
        call->writes = 0;
        call->has_reply = false;
        call->invalidate = 0;
        if (!takes(talk, side, call)) {
            call->active = false; /* the other side takes less now: given up */
            continue;
        }
        start_call(talk, side, call);
        return true;
    }
    return false;
}

/* ---- answers ---- */

static void make_answer(struct talk2 *talk, struct talk2_call *call, bool small)
{
    struct dice *dice = &talk->dice;
    uint32_t words[] = {call->xid, REPLY, 0, 0, 0, 0};
    call->answer_length = 0;
    for (unsigned i = 0; i < COUNT(words); i++)
        talk2_put(call->answer, &call->answer_length, words[i]);
    if (call->nfs != 0) {
        talk2_nfs_results(talk, call);
        return;
    }
    for (uint32_t i = 0; i < call->writes; i++) {
        uint32_t room = (uint32_t)length_of(&call->write[i]);
        uint32_t octets = chance(dice, 70) ? 1 + pick(dice, room) : 0;
        talk2_fill(&call->write[i], octets);
        talk2_put(call->answer, &call->answer_length, octets);
    }
    if (!call->plain && !small)
        put_random(talk, call->answer, &call->answer_length,
                   pick(dice, chance(dice, 20) ? 2500 : 40));
}

static uint32_t reply_header(const struct talk2 *talk, const struct talk2_call *call)
{
    uint32_t length = talk2_is_07(talk) ? 20 : 36;
    for (uint32_t i = 0; i < call->writes; i++)
        length += 8 + 16 * call->write[i].count;
    return length + (call->has_reply && !talk2_is_07(talk) ? 4 + 16 * call->reply.count : 0);
}

static void invalidate(struct talk2 *talk, struct talk2_flight *flight,
                       const struct talk2_call *call)
{
    if (call->invalidate == 0 || chance(&talk->dice, 30))
        return;
    flight->event.invalidate = true;
    flight->event.handle = call->invalidate;
}

static void send_reply(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call,
                       uint32_t from, bool special)
{
    uint32_t type = talk->refused        ? VERSION_1_MSG
                    : !talk2_is_07(talk) ? (special ? NOMSG_04 : MSG_04)
                                         : (special ? REPLY_EXTERNAL : REPLY_INLINE);
    struct talk2_flight *flight = talk2_begin(talk, side, call->xid, type);
    flight->meaning = MEANS_ANSWER;
    flight->call = call;
    call->received = false;
    if (talk->refused) {
        put_lists_1(flight);
    } else if (!talk2_is_07(talk)) {
        put_lists_04(flight, call, REPLY);
    } else {
        put_write_list(flight, call, true);
        if (special)
            put_reply_chunk(flight, call, true);
    }
    if (!special)
        talk2_octets(flight, call->answer + from, call->answer_length - from);
    if (!talk->refused)
        invalidate(talk, flight, call);
    talk2_post(talk, side, flight);
}

static void move_memory(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call,
                        bool special)
{
    if (call->is_special)
        talk2_operate(talk, side, RPCRDMA_EVENT_RDMA_READ, &call->body, NULL);
    for (uint32_t i = 0; i < call->reads; i++)
        talk2_operate(talk, side, RPCRDMA_EVENT_RDMA_READ, &call->read[i], NULL);
    for (uint32_t i = 0; i < call->writes; i++)
        talk2_operate(talk, side, RPCRDMA_EVENT_RDMA_WRITE, &call->write[i],
                      call->write[i].returned);
    if (special)
        talk2_operate(talk, side, RPCRDMA_EVENT_RDMA_WRITE, &call->reply, call->reply.returned);
}

static void send_error(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call,
                       uint32_t code, unsigned values, uint32_t first, uint32_t second)
{
    struct talk2_flight *flight = talk2_begin(talk, side, call->xid, ERROR);
    bool again = values > 0 && chance(&talk->dice, 50);
    talk2_word(flight, code);
    if (values > 0)
        talk2_word(flight, first);
    if (values > 1)
        talk2_word(flight, second);
    flight->meaning = again ? MEANS_REFUSAL : MEANS_ANSWER;
    flight->call = call;
    call->received = false;
    talk2_post(talk, side, flight);
}

/* Codes have other numbers in -04. */
static void refuse(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call)
{
    bool is_07 = talk2_is_07(talk);
    uint32_t more = 1 + pick(&talk->dice, 100000);
    if (call->writes > 0 && chance(&talk->dice, 50))
        send_error(talk, side, call, is_07 ? 9 : 7, 2, 1,
                   (uint32_t)length_of(&call->write[0]) + more);
    else if (call->writes > 0)
        send_error(talk, side, call, is_07 ? 7 : 5, 1, pick(&talk->dice, call->writes), 0);
    else if (call->reads > 0)
        send_error(talk, side, call, is_07 ? 6 : 4, 1, 0, 0);
    else if (call->has_reply)
        send_error(talk, side, call, is_07 ? 10 : 8, 1, (uint32_t)length_of(&call->reply) + more,
                   0);
    else
        send_error(talk, side, call, is_07 ? 100 : 10, 0, 0, 0);
}

static void answer(struct talk2 *talk, struct talk2_side *side, struct talk2_call *call)
{
    struct dice *dice = &talk->dice;
    uint32_t most = talk2_most(talk, side), header = reply_header(talk, call);
    make_answer(talk, call, false);
    bool room = call->has_reply && length_of(&call->reply) >= call->answer_length;
    if (!talk2_is_07(talk) && !room && header + call->answer_length > most)
        make_answer(talk, call, true);
    bool fits = header + call->answer_length <= most;
    bool special = room && (!fits || chance(dice, 20));
    if (call->has_reply)
        talk2_fill(&call->reply, special ? call->answer_length : 0);
    move_memory(talk, side, call, special);
    side->current = call;
    side->done = 0;
    if (talk2_is_07(talk) && !talk->refused && !special && (!fits || chance(dice, 20)))
        side->message = THE_REPLY;
    else
        send_reply(talk, side, call, 0, special);
}

bool talk2_answer(struct talk2 *talk, struct talk2_side *side)
{
    struct talk2_side *caller = talk2_peer(talk, side);
    unsigned first = pick(&talk->dice, TALK2_CALLS);
    for (unsigned i = 0; i < TALK2_CALLS; i++) {
        struct talk2_call *call = &caller->calls[(first + i) % TALK2_CALLS];
        if (!call->active || !call->received)
            continue;
        if (!talk->refused && call->nfs == 0 && chance(&talk->dice, 5))
            refuse(talk, side, call);
        else
            answer(talk, side, call);
        return true;
    }
    return false;
}

/* ---- pieces ---- */

static void end_message(struct talk2 *talk, struct talk2_side *side)
{
    enum talk2_message message = side->message;
    side->message = NO_MESSAGE;
    if (message == THE_CALL)
        send_call(talk, side, side->current, side->done);
    else
        send_reply(talk, side, side->current, side->done, false);
}

bool talk2_next_piece(struct talk2 *talk, struct talk2_side *side)
{
    const struct talk2_call *call = side->current;
    bool is_call = side->message == THE_CALL;
    uint32_t header = is_call ? header_length(talk, call) : reply_header(talk, call);
    uint32_t rest = (is_call ? call->length : call->answer_length) - side->done;
    uint32_t most = talk2_most(talk, side), piece = most - 20;
    if (side->done > 0 && header + rest <= most && chance(&talk->dice, 60)) {
        end_message(talk, side);
        return true;
    }
    if (rest < 8) {
        end_message(talk, side);
        return true;
    }
    if (piece > rest - 4)
        piece = rest - 4;
    if (chance(&talk->dice, 60))
        piece = 4 + pick(&talk->dice, piece - 3);
    send_piece(talk, side, call, piece);
    return true;
}
