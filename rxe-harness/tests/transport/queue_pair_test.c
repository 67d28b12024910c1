// SPDX-License-Identifier: BSD-3-Clause
/* Two queue pairs without socket, thread or clock: a test says which packets get lost and what time
 * it is, and compares what went with what has to (InfiniBand specification, volume 1, chapter 9).
 */
#include "rxe-harness/transport/roce/queue_pair.h"

#include "conformance/base/count.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MTU 256
#define FIRST_PSN 0xfffffeu /* so that the numbers wrap */
#define WIRE 256
#define HANDLE 7
#define RETRY ((int64_t)RETRY_TIME * 1000)

enum side { ASKS, SERVES };

struct passing {
    enum side to;
    struct frame frame;
    struct packet packet;
    bool asks;
};

static struct queue_pair pairs[2];
static struct passing wire[WIRE];
static unsigned wire_first, wire_end;
static const char *losses; /* of what goes, in this order */
static char went[8192];
static uint8_t from[20 * MTU], to[20 * MTU];
static struct exposed memory;
static struct work work;

/* ---- the wire ---- */

/* A letter and the number; "?": an acknowledgement is wanted; "/": messages complete so far. */
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
    if (strncmp(losses, text, length) != 0 || (losses[length] != ' ' && losses[length] != '\0'))
        return false;
    losses += length + (losses[length] == ' ');
    return true;
}

static void transmit(void *arg, struct frame *frame)
{
    enum side side = arg == &pairs[ASKS] ? SERVES : ASKS;
    struct passing *passing = &wire[wire_end];
    size_t length = frame->length - frame->begin, at = strlen(went);
    char text[32];
    ck_assert_uint_lt(wire_end, WIRE);
    memcpy(frame_room(&passing->frame, &pairs[side].path), frame->octets + frame->begin, length);
    ck_assert(frame_take(&passing->frame, &pairs[side].path, ROCE_PORT, length, &passing->packet,
                         &passing->asks));
    passing->to = side;
    describe(passing, text);
    bool is_gone = is_lost(text);
    wire_end += !is_gone;
    snprintf(went + at, sizeof went - at, is_gone ? "(%s) " : "%s ", text);
}

/* All that is under way arrives, and what follows from it. */
static void arrive(int64_t now)
{
    while (wire_first < wire_end) {
        const struct passing *passing = &wire[wire_first++];
        struct queue_pair *pair = &pairs[passing->to];
        if (passing->packet.opcode >= OP_READ_FIRST && passing->packet.opcode <= OP_ACKNOWLEDGE)
            roce_requester_take(pair, &passing->packet, now);
        else
            roce_responder_take(pair, &passing->packet, passing->asks);
        while (roce_responder_run(pair))
            ;
    }
    wire_first = wire_end = 0;
}

static void run(int64_t now)
{
    roce_requester_run(&pairs[ASKS], now);
    arrive(now);
}

#define expect_wire(expected)                                                                      \
    do {                                                                                           \
        ck_assert_str_eq(went, expected);                                                          \
        ck_assert_str_eq(losses, "");                                                              \
        went[0] = '\0';                                                                            \
    } while (0)

/* ---- what is asked ---- */

static void begin(enum work_kind kind, size_t length, int64_t now)
{
    work = (struct work){.kind = kind,
                         .from = from,
                         .to = to,
                         .length = length,
                         .handle = HANDLE,
                         .offset = memory.offset};
    pairs[ASKS].end.work = &work;
    roce_requester_begin(&pairs[ASKS], now);
    arrive(now);
}

static void do_all(enum work_kind kind, size_t length, const char *gets_lost)
{
    losses = gets_lost;
    begin(kind, length, 0);
    for (int64_t now = RETRY; work.state == WORK_UNDER_WAY && now < 100 * RETRY; now += RETRY)
        run(now);
    ck_assert_int_eq(work.state, WORK_DONE);
}

/* The other side learns of one thing, and gives the Receive of a Send back. */
static void expect_one(bool is_send, bool is_write, size_t length)
{
    struct user_end *end = &pairs[SERVES].end;
    struct happening *happening = end_next(end);
    ck_assert_ptr_nonnull(happening);
    ck_assert_int_eq(happening->is_send, is_send);
    ck_assert_int_eq(happening->is_write, is_write);
    ck_assert_uint_eq(happening->length, length);
    ck_assert_mem_eq(happening->octets, from, length);
    free(happening);
    end->taken -= is_send;
    ck_assert_uint_eq(end->taken, 0);
    ck_assert_uint_eq(end->waiting, 0);
    ck_assert_ptr_null(end_next(end));
}

static void set_up(void)
{
    wire_first = wire_end = 0;
    went[0] = '\0';
    losses = "";
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i * 7 + i / MTU);
    memset(to, 0, sizeof to);
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
    memory = (struct exposed){.octets = from,
                              .offset = 0x100000000,
                              .length = sizeof from,
                              .handle = HANDLE,
                              .access = LINK_PEER_READS | LINK_PEER_WRITES};
    pairs[SERVES].end.memory = &memory;
}

static void tear_down(void)
{
    for (int i = 0; i < 2; i++)
        roce_responder_end(&pairs[i]);
}

/* ---- in order, and lost ---- */

/* Each message counts once, whatever it is. */
START_TEST(messages_are_counted)
{
    do_all(WORK_SEND, 1, "");
    expect_one(true, false, 1);
    do_all(WORK_WRITE, MTU + 1, "");
    expect_one(false, true, MTU + 1);
    do_all(WORK_READ, 2 * MTU, "");
    expect_one(false, false, 2 * MTU);
    ck_assert_mem_eq(to, from, 2 * MTU);
    do_all(WORK_SEND, 0, "");
    expect_one(true, false, 0);
    expect_wire("S0? A0/1 W1 W2? A2/2 r3:512 p3 p4/3 S5? A5/4 ");
}
END_TEST

/* What is missing is asked for at once, in the second message like in the first. */
START_TEST(each_loss_is_said)
{
    do_all(WORK_SEND, 3 * MTU, "S1");
    expect_one(true, false, 3 * MTU);
    do_all(WORK_SEND, 4 * MTU, "S4");
    expect_one(true, false, 4 * MTU);
    expect_wire("S0 (S1) S2? N1/0 S1 S2? A2/1 S3 (S4) S5 S6? N4/1 S4 S5 S6? A6/2 ");
}
END_TEST

/* What comes twice is acknowledged, and happens once. */
START_TEST(an_answer_is_lost)
{
    do_all(WORK_SEND, 1, "A0/1");
    expect_one(true, false, 1);
    do_all(WORK_WRITE, MTU + 1, "A2/2");
    expect_one(false, true, MTU + 1);
    do_all(WORK_READ, 3 * MTU, "p4");
    expect_one(false, false, 3 * MTU);
    ck_assert_mem_eq(to, from, 3 * MTU);
    expect_wire("S0? (A0/1) S0? A0/1 W1 W2? (A2/2) W1 W2? A1/2 A2/2 "
                "r3:768 p3 (p4) p5/3 r4:512 p4 p5/3 ");
}
END_TEST

/* A Send that comes again is acknowledged alone, not the Read that came after it: its response may
 * be lost. */
START_TEST(an_old_send_is_acknowledged_alone)
{
    do_all(WORK_SEND, 1, "");
    struct passing again = wire[0];
    losses = "p1/2";
    begin(WORK_READ, 1, 0);
    roce_responder_take(&pairs[SERVES], &again.packet, true);
    run(RETRY);
    expect_wire("S0? A0/1 r1:1 (p1/2) A0/2 r1:1 p1/2 ");
}
END_TEST

/* Not only when a timer says so; and once, for what was asked for before comes as well. */
START_TEST(a_gap_is_asked_for_at_once)
{
    losses = "p1 p2";
    begin(WORK_READ, 5 * MTU, 0);
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_mem_eq(to, from, 5 * MTU);
    expect_one(false, false, 5 * MTU);
    expect_wire("r0:1280 p0 (p1) (p2) p3 p4/1 r1:1024 p1 p2 p3 p4/1 ");
}
END_TEST

/* In what is asked for again there may be another one: that is asked for at once as well. */
START_TEST(each_gap_is_asked_for_at_once)
{
    losses = "p1 p3 p3";
    begin(WORK_READ, 5 * MTU, 0);
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_mem_eq(to, from, 5 * MTU);
    expect_one(false, false, 5 * MTU);
    expect_wire("r0:1280 p0 (p1) p2 (p3) p4/1 r1:1024 p1 p2 (p3) p4/1 r3:512 p3 p4/1 ");
}
END_TEST

/* As many requests at once as the peer serves, each for a part of it; one that is over makes room
 * for the next. */
START_TEST(reads_are_under_way_together)
{
    losses = "";
    pairs[ASKS].reads = 2;
    begin(WORK_READ, 20 * MTU, 0);
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_mem_eq(to, from, 20 * MTU);
    expect_wire("r0:2048 r8:2048 p0 p1 p2 p3 p4 p5 p6 p7/1 p8 p9 p10 p11 p12 p13 p14 p15/2 "
                "r16:1024 p16 p17 p18 p19/3 ");
}
END_TEST

/* From the one that is missing all that was asked for is asked for again, and ends where it did. */
START_TEST(a_gap_takes_back_all_reads)
{
    losses = "p6 p7/1";
    pairs[ASKS].reads = 2;
    begin(WORK_READ, 12 * MTU, 0);
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_mem_eq(to, from, 12 * MTU);
    expect_wire("r0:2048 r8:1024 p0 p1 p2 p3 p4 p5 (p6) (p7/1) p8 p9 p10 p11/2 "
                "r6:512 r8:1024 p6 p7/2 p8 p9 p10 p11/2 ");
}
END_TEST

/* A NAK of a later request says nothing of responses: they are lost, or not. */
START_TEST(a_nak_brings_no_data)
{
    losses = "r8:2048 p6 p7/1";
    pairs[ASKS].reads = 3;
    begin(WORK_READ, 20 * MTU, 0);
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_mem_eq(to, from, 20 * MTU);
}
END_TEST

/* ---- how often ---- */

/* `times` without an answer, and then one. */
static void answer_after(unsigned times)
{
    char all[16 * RETRIES] = "", word[16];
    unsigned number = (pairs[ASKS].next_psn - FIRST_PSN) & PSN_MASK;
    snprintf(word, sizeof word, "S%u? ", number);
    for (unsigned i = 0; i < times; i++)
        strcat(all, word);
    do_all(WORK_SEND, 1, all);
    expect_one(true, false, 1);
}

/* So often for each message. */
START_TEST(silence_ends_it)
{
    answer_after(RETRIES);
    answer_after(RETRIES);
    losses = "S2? S2? S2? S2? S2? S2? S2? S2?";
    begin(WORK_SEND, 1, 0);
    static const int64_t waits[RETRIES + 1] = {1, 2, 4, 8, 16, 16, 16, 16}; /* times RETRY */
    int64_t now = 0;
    for (unsigned i = 0; i < RETRIES; i++) {
        const char *before = losses;
        run(now + waits[i] * RETRY - 1);
        ck_assert_ptr_eq(losses, before);
        run(now += waits[i] * RETRY);
        ck_assert_ptr_ne(losses, before);
    }
    ck_assert_str_eq(losses, "");
    ck_assert_int_eq(work.state, WORK_UNDER_WAY);
    run(now + waits[RETRIES] * RETRY - 1);
    ck_assert_int_eq(work.state, WORK_UNDER_WAY);
    run(now + waits[RETRIES] * RETRY);
    ck_assert_int_eq(work.state, WORK_FAILED);
    ck_assert_str_eq(pairs[ASKS].end.why, "transport retry counter exceeded");
    ck_assert(!pairs[ASKS].end.starved);
}
END_TEST

/* The peer says "not ready" this often, 640 microseconds each. Returns when it did so last. */
static int64_t stay_unready(unsigned times, int64_t now)
{
    for (unsigned i = 1; i < times; i++) {
        went[0] = '\0';
        run(now + 639);
        ck_assert_str_eq(went, "");
        now += 640;
        run(now);
        ck_assert_str_ne(went, "");
    }
    return now;
}

START_TEST(a_peer_may_be_unready)
{
    pairs[SERVES].end.receives = 0;
    begin(WORK_SEND, 1, 0);
    expect_wire("S0? R0/0 ");
    int64_t now = stay_unready(RNR_RETRIES, 0);
    expect_wire("S0? R0/0 ");
    ck_assert_int_eq(work.state, WORK_UNDER_WAY);
    pairs[SERVES].end.receives = 1;
    run(now + 640);
    ck_assert_int_eq(work.state, WORK_DONE);
    expect_wire("S0? A0/1 ");
    expect_one(true, false, 1);
    /* As often for the next message; once more is too often. */
    pairs[SERVES].end.receives = 0;
    begin(WORK_SEND, 1, 0);
    now = stay_unready(RNR_RETRIES, 0);
    ck_assert_int_eq(work.state, WORK_UNDER_WAY);
    run(now + 640);
    ck_assert_int_eq(work.state, WORK_FAILED);
    ck_assert(pairs[ASKS].end.starved);
    ck_assert_str_eq(pairs[ASKS].end.why, "RNR retry counter exceeded");
}
END_TEST

/* Until then. */
static void expect_no_more(int64_t from_time, int64_t until)
{
    size_t before = strlen(went);
    ck_assert_int_eq(roce_requester_run(&pairs[ASKS], from_time), until);
    run(until - 1);
    ck_assert_uint_eq(strlen(went), before);
}

/* The peer says this of a packet. */
static void answer(unsigned syndrome, uint32_t number, int64_t now)
{
    const struct packet packet = {
        .opcode = OP_ACKNOWLEDGE, .psn = psn_add(FIRST_PSN, number), .syndrome = (uint8_t)syndrome};
    roce_requester_take(&pairs[ASKS], &packet, now);
    wire_end = 0;
}

/* After "not ready" nothing goes before its time (table 45: 10 us times 2^(n/2), or 3 * 2^(n/2 - 1)
 * for odd n, and 655.36 ms for 0), and the packet once then; silence is counted from there. */
START_TEST(unready_takes_its_time)
{
    unsigned half = (unsigned)_i / 2;
    int64_t time = _i == 0 ? 655360 : _i == 1 ? 10 : (_i % 2 ? 15 : 10) * ((int64_t)1 << half);
    losses = "S0? S0? S0?";
    begin(WORK_SEND, 1, 0);
    answer(SYNDROME_RNR | (unsigned)_i, 0, 0);
    expect_no_more(0, time);
    run(time);
    expect_no_more(time, time + RETRY);
    run(time + RETRY);
    expect_wire("(S0?) (S0?) (S0?) ");
}
END_TEST

/* Each packet that is taken renews the patience with those after it. */
START_TEST(progress_renews_patience)
{
    int64_t now = 0;
    work = (struct work){
        .kind = WORK_WRITE, .from = from, .length = 3 * MTU, .handle = HANDLE, .offset = 1};
    pairs[ASKS].end.work = &work;
    roce_requester_begin(&pairs[ASKS], now);
    for (uint32_t number = 0; number < 3; number++) {
        for (unsigned i = 0; i < RETRIES; i++) {
            if (_i == 0)
                answer(NAK_SEQUENCE, number, now);
            else
                roce_requester_run(&pairs[ASKS], now += RETRY_TIME_MAX * 1000);
            wire_end = 0;
        }
        for (unsigned i = 0; i < RNR_RETRIES; i++)
            answer(SYNDROME_RNR | RNR_TIMER, number, now);
        roce_requester_run(&pairs[ASKS], now += 640);
        ck_assert_int_eq(work.state, WORK_UNDER_WAY);
        answer(ACK_WITHOUT_CREDITS, number, now);
    }
    ck_assert_int_eq(work.state, WORK_DONE);
}
END_TEST

/* An acknowledgement that was overtaken by a later one takes nothing back. */
START_TEST(an_old_word_changes_nothing)
{
    losses = "W0 W1 W2?";
    begin(WORK_WRITE, 3 * MTU, 0);
    answer(ACK_WITHOUT_CREDITS, 1, 0);
    answer(ACK_WITHOUT_CREDITS, 0, 0);
    losses = "W2?";
    run(RETRY);
    expect_wire("(W0) (W1) (W2?) (W2?) ");
    answer(ACK_WITHOUT_CREDITS, 2, RETRY);
    ck_assert_int_eq(work.state, WORK_DONE);
}
END_TEST

/* ---- what is refused ---- */

/* The memory is hidden while an RDMA Write of several packets goes on. */
START_TEST(memory_is_hidden_in_the_middle)
{
    losses = "W1 W2?";
    begin(WORK_WRITE, 3 * MTU, 0);
    end_forget(&pairs[SERVES].end, &memory);
    run(RETRY);
    expect_wire("W0 (W1) (W2?) W0 W1 W2? A0/0 X1/0 ");
    ck_assert_int_eq(work.state, WORK_FAILED);
    ck_assert_str_eq(pairs[ASKS].end.why, "remote access error");
    ck_assert(!pairs[SERVES].end.open);
    ck_assert_ptr_null(end_next(&pairs[SERVES].end));
}
END_TEST

static void ask(unsigned opcode, uint32_t number, size_t length)
{
    const struct packet packet = {.opcode = (uint8_t)opcode,
                                  .psn = psn_add(FIRST_PSN, number),
                                  .handle = HANDLE,
                                  .offset = memory.offset,
                                  .length = 2 * MTU,
                                  .payload = from,
                                  .recorded = length,
                                  .total = length};
    roce_responder_take(&pairs[SERVES], &packet, true);
}

/* Two packets with their lengths; the answer is about the second. */
static const struct {
    struct {
        unsigned opcode;
        size_t length;
    } first, second;
    const char *went;
} orders[] = {
    {{OP_SEND_FIRST, MTU}, {OP_SEND_LAST, 1}, "A1/1 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_MIDDLE, MTU}, "A1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_MIDDLE, MTU - 1}, "I1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_LAST, 3 * MTU}, "A1/1 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_LAST, 3 * MTU + 1}, "I1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_FIRST, MTU}, "I1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_SEND_ONLY, 1}, "I1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_WRITE_LAST, MTU}, "I1/0 "},
    {{OP_SEND_FIRST, MTU}, {OP_READ_REQUEST, 0}, "I1/0 "},
    {{OP_SEND_ONLY, 1}, {OP_SEND_MIDDLE, MTU}, "I1/1 "},
    {{OP_SEND_ONLY, 1}, {OP_SEND_LAST, 1}, "I1/1 "},
    {{OP_SEND_ONLY, 1}, {OP_SEND_ONLY, 1}, "R1/1 "},
    {{OP_SEND_ONLY, 1}, {OP_SEND_ONLY_IMMEDIATE, 1}, "I1/1 "},
    {{OP_SEND_ONLY, 1}, {OP_FETCH_ADD, 0}, "I1/1 "},
    {{OP_WRITE_FIRST, MTU}, {OP_WRITE_LAST, MTU}, "A1/1 "},
    {{OP_WRITE_FIRST, MTU}, {OP_WRITE_LAST, MTU - 1}, "I1/0 "},
    {{OP_WRITE_FIRST, MTU}, {OP_WRITE_MIDDLE, MTU}, "A1/0 "},
    {{OP_WRITE_FIRST, MTU}, {OP_WRITE_MIDDLE, MTU - 1}, "I1/0 "},
    {{OP_WRITE_FIRST, MTU}, {OP_SEND_LAST, MTU}, "I1/0 "},
    {{OP_WRITE_ONLY, 2 * MTU}, {OP_WRITE_LAST, MTU}, "I1/1 "},
};

START_TEST(messages_have_a_beginning_and_an_end)
{
    ask(orders[_i].first.opcode, 0, orders[_i].first.length);
    went[0] = '\0';
    ask(orders[_i].second.opcode, 1, orders[_i].second.length);
    ck_assert_str_eq(went, orders[_i].went);
    ck_assert_int_eq(pairs[SERVES].end.open, orders[_i].went[0] != 'I');
}
END_TEST

/* Twice as many as are agreed on: each may be asked for again. */
START_TEST(reads_are_bounded)
{
    for (unsigned i = 0; i < 2 * READS_SERVED; i++)
        ask(OP_READ_REQUEST, 2 * i, 0);
    ck_assert(pairs[SERVES].end.open);
    ask(OP_READ_REQUEST, 4 * READS_SERVED, 0);
    ck_assert(!pairs[SERVES].end.open);
    while (roce_responder_run(&pairs[SERVES]))
        ;
    ck_assert_str_eq(went + strlen(went) - strlen(" p63/32 I64/32 "), " p63/32 I64/32 ");
}
END_TEST

/* Who does not look at what happened is not flooded. */
START_TEST(a_peer_waits)
{
    struct user_end *end = &pairs[SERVES].end;
    ask(OP_WRITE_ONLY, 0, 2 * MTU);
    size_t one = end->waiting;
    end->waiting = WAITING_MAX;
    ask(OP_WRITE_ONLY, 1, 2 * MTU);
    ck_assert_uint_eq(end->waiting, WAITING_MAX + one);
    ask(OP_WRITE_ONLY, 2, 2 * MTU);
    ck_assert_uint_eq(end->waiting, WAITING_MAX + one);
    free(end_next(end));
    ask(OP_WRITE_ONLY, 2, 2 * MTU);
    ck_assert_uint_eq(end->waiting, WAITING_MAX + one);
    expect_wire("A0/1 A1/2 A2/3 ");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue pairs of RoCE");
    TCase *test = tcase_create("queue pair");
    tcase_add_checked_fixture(test, set_up, tear_down);
    tcase_add_test(test, messages_are_counted);
    tcase_add_test(test, each_loss_is_said);
    tcase_add_test(test, an_answer_is_lost);
    tcase_add_test(test, an_old_send_is_acknowledged_alone);
    tcase_add_test(test, a_gap_is_asked_for_at_once);
    tcase_add_test(test, each_gap_is_asked_for_at_once);
    tcase_add_test(test, reads_are_under_way_together);
    tcase_add_test(test, a_gap_takes_back_all_reads);
    tcase_add_test(test, a_nak_brings_no_data);
    tcase_add_test(test, silence_ends_it);
    tcase_add_loop_test(test, unready_takes_its_time, 0, 32);
    tcase_add_test(test, memory_is_hidden_in_the_middle);
    tcase_add_test(test, a_peer_may_be_unready);
    tcase_add_test(test, an_old_word_changes_nothing);
    tcase_add_loop_test(test, progress_renews_patience, 0, 2);
    tcase_add_loop_test(test, messages_have_a_beginning_and_an_end, 0, COUNT(orders));
    tcase_add_test(test, reads_are_bounded);
    tcase_add_test(test, a_peer_waits);
    suite_add_tcase(suite, test);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
