// SPDX-License-Identifier: BSD-3-Clause
/* Queue pairs: what is lost, refused or not ready (InfiniBand specification, volume 1, chapter 9).
 */
#include "rxe-harness/transport/roce/queue_pair.h"

#include "rxe-harness/tests/support/links/pairs_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in order, and lost ---- */

/* Each message counts once, whatever it is. */
START_TEST(messages_are_counted)
{
    pairs_do_all(WORK_SEND, 1, "");
    pairs_expect_one(true, false, 1);
    pairs_do_all(WORK_WRITE, MTU + 1, "");
    pairs_expect_one(false, true, MTU + 1);
    pairs_do_all(WORK_READ, 2 * MTU, "");
    pairs_expect_one(false, false, 2 * MTU);
    ck_assert_mem_eq(pairs_to, pairs_from, 2 * MTU);
    pairs_do_all(WORK_SEND, 0, "");
    pairs_expect_one(true, false, 0);
    expect_wire("S0? A0/1 W1 W2? A2/2 r3:512 p3 p4/3 S5? A5/4 ");
}
END_TEST

/* What is missing is asked for at once, in the second message like in the first. */
START_TEST(each_loss_is_said)
{
    pairs_do_all(WORK_SEND, 3 * MTU, "S1");
    pairs_expect_one(true, false, 3 * MTU);
    pairs_do_all(WORK_SEND, 4 * MTU, "S4");
    pairs_expect_one(true, false, 4 * MTU);
    expect_wire("S0 (S1) S2? N1/0 S1 S2? A2/1 S3 (S4) S5 S6? N4/1 S4 S5 S6? A6/2 ");
}
END_TEST

/* What comes twice is acknowledged, and happens once. */
START_TEST(an_answer_is_lost)
{
    pairs_do_all(WORK_SEND, 1, "A0/1");
    pairs_expect_one(true, false, 1);
    pairs_do_all(WORK_WRITE, MTU + 1, "A2/2");
    pairs_expect_one(false, true, MTU + 1);
    pairs_do_all(WORK_READ, 3 * MTU, "p4");
    pairs_expect_one(false, false, 3 * MTU);
    ck_assert_mem_eq(pairs_to, pairs_from, 3 * MTU);
    expect_wire("S0? (A0/1) S0? A0/1 W1 W2? (A2/2) W1 W2? A1/2 A2/2 "
                "r3:768 p3 (p4) p5/3 r4:512 p4 p5/3 ");
}
END_TEST

/* A Send that comes again is acknowledged alone, not the Read that came after it: its response may
 * be lost. */
START_TEST(an_old_send_is_acknowledged_alone)
{
    pairs_do_all(WORK_SEND, 1, "");
    struct passing again = pairs_wire[0];
    pairs_losses = "p1/2";
    pairs_begin(WORK_READ, 1, 0);
    roce_responder_take(&pairs[SERVES], &again.packet, true);
    pairs_run(RETRY);
    expect_wire("S0? A0/1 r1:1 (p1/2) A0/2 r1:1 p1/2 ");
}
END_TEST

/* Not only when a timer says so; and once, for what was asked for before comes as well. */
START_TEST(a_gap_is_asked_for_at_once)
{
    pairs_losses = "p1 p2";
    pairs_begin(WORK_READ, 5 * MTU, 0);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    ck_assert_mem_eq(pairs_to, pairs_from, 5 * MTU);
    pairs_expect_one(false, false, 5 * MTU);
    expect_wire("r0:1280 p0 (p1) (p2) p3 p4/1 r1:1024 p1 p2 p3 p4/1 ");
}
END_TEST

/* In what is asked for again there may be another one: that is asked for at once as well. */
START_TEST(each_gap_is_asked_for_at_once)
{
    pairs_losses = "p1 p3 p3";
    pairs_begin(WORK_READ, 5 * MTU, 0);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    ck_assert_mem_eq(pairs_to, pairs_from, 5 * MTU);
    pairs_expect_one(false, false, 5 * MTU);
    expect_wire("r0:1280 p0 (p1) p2 (p3) p4/1 r1:1024 p1 p2 (p3) p4/1 r3:512 p3 p4/1 ");
}
END_TEST

/* As many requests at once as the peer serves, each for a part of it; one that is over makes room
 * for the next. */
START_TEST(reads_are_under_way_together)
{
    pairs_losses = "";
    pairs[ASKS].reads = 2;
    pairs_begin(WORK_READ, 20 * MTU, 0);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    ck_assert_mem_eq(pairs_to, pairs_from, 20 * MTU);
    expect_wire("r0:2048 r8:2048 p0 p1 p2 p3 p4 p5 p6 p7/1 p8 p9 p10 p11 p12 p13 p14 p15/2 "
                "r16:1024 p16 p17 p18 p19/3 ");
}
END_TEST

/* From the one that is missing all that was asked for is asked for again, and ends where it did. */
START_TEST(a_gap_takes_back_all_reads)
{
    pairs_losses = "p6 p7/1";
    pairs[ASKS].reads = 2;
    pairs_begin(WORK_READ, 12 * MTU, 0);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    ck_assert_mem_eq(pairs_to, pairs_from, 12 * MTU);
    expect_wire("r0:2048 r8:1024 p0 p1 p2 p3 p4 p5 (p6) (p7/1) p8 p9 p10 p11/2 "
                "r6:512 r8:1024 p6 p7/2 p8 p9 p10 p11/2 ");
}
END_TEST

/* A NAK of a later request says nothing of responses: they are lost, or not. */
START_TEST(a_nak_brings_no_data)
{
    pairs_losses = "r8:2048 p6 p7/1";
    pairs[ASKS].reads = 3;
    pairs_begin(WORK_READ, 20 * MTU, 0);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    ck_assert_mem_eq(pairs_to, pairs_from, 20 * MTU);
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
    pairs_do_all(WORK_SEND, 1, all);
    pairs_expect_one(true, false, 1);
}

/* So often for each message. */
START_TEST(silence_ends_it)
{
    answer_after(RETRIES);
    answer_after(RETRIES);
    pairs_losses = "S2? S2? S2? S2? S2? S2? S2? S2?";
    pairs_begin(WORK_SEND, 1, 0);
    static const int64_t waits[RETRIES + 1] = {1, 2, 4, 8, 16, 16, 16, 16}; /* times RETRY */
    int64_t now = 0;
    for (unsigned i = 0; i < RETRIES; i++) {
        const char *before = pairs_losses;
        pairs_run(now + waits[i] * RETRY - 1);
        ck_assert_ptr_eq(pairs_losses, before);
        pairs_run(now += waits[i] * RETRY);
        ck_assert_ptr_ne(pairs_losses, before);
    }
    ck_assert_str_eq(pairs_losses, "");
    ck_assert_int_eq(pairs_work.state, WORK_UNDER_WAY);
    pairs_run(now + waits[RETRIES] * RETRY - 1);
    ck_assert_int_eq(pairs_work.state, WORK_UNDER_WAY);
    pairs_run(now + waits[RETRIES] * RETRY);
    ck_assert_int_eq(pairs_work.state, WORK_FAILED);
    ck_assert_str_eq(pairs[ASKS].end.why, "transport retry counter exceeded");
    ck_assert(!pairs[ASKS].end.starved);
}
END_TEST

/* The peer says "not ready" this often, 640 microseconds each. Returns when it did so last. */
static int64_t stay_unready(unsigned times, int64_t now)
{
    for (unsigned i = 1; i < times; i++) {
        pairs_went[0] = '\0';
        pairs_run(now + 639);
        ck_assert_str_eq(pairs_went, "");
        now += 640;
        pairs_run(now);
        ck_assert_str_ne(pairs_went, "");
    }
    return now;
}

START_TEST(a_peer_may_be_unready)
{
    pairs[SERVES].end.receives = 0;
    pairs_begin(WORK_SEND, 1, 0);
    expect_wire("S0? R0/0 ");
    int64_t now = stay_unready(RNR_RETRIES, 0);
    expect_wire("S0? R0/0 ");
    ck_assert_int_eq(pairs_work.state, WORK_UNDER_WAY);
    pairs[SERVES].end.receives = 1;
    pairs_run(now + 640);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
    expect_wire("S0? A0/1 ");
    pairs_expect_one(true, false, 1);
    /* As often for the next message; once more is too often. */
    pairs[SERVES].end.receives = 0;
    pairs_begin(WORK_SEND, 1, 0);
    now = stay_unready(RNR_RETRIES, 0);
    ck_assert_int_eq(pairs_work.state, WORK_UNDER_WAY);
    pairs_run(now + 640);
    ck_assert_int_eq(pairs_work.state, WORK_FAILED);
    ck_assert(pairs[ASKS].end.starved);
    ck_assert_str_eq(pairs[ASKS].end.why, "RNR retry counter exceeded");
}
END_TEST

/* Until then. */
static void expect_no_more(int64_t from_time, int64_t until)
{
    size_t before = strlen(pairs_went);
    ck_assert_int_eq(roce_requester_run(&pairs[ASKS], from_time), until);
    pairs_run(until - 1);
    ck_assert_uint_eq(strlen(pairs_went), before);
}

/* The peer says this of a packet. */
static void answer(unsigned syndrome, uint32_t number, int64_t now)
{
    const struct packet packet = {
        .opcode = OP_ACKNOWLEDGE, .psn = psn_add(FIRST_PSN, number), .syndrome = (uint8_t)syndrome};
    roce_requester_take(&pairs[ASKS], &packet, now);
    pairs_wire_end = 0;
}

/* After "not ready" nothing goes before its time (table 45: 10 us times 2^(n/2), or 3 * 2^(n/2 - 1)
 * for odd n, and 655.36 ms for 0), and the packet once then; silence is counted from there. */
START_TEST(unready_takes_its_time)
{
    unsigned half = (unsigned)_i / 2;
    int64_t time = _i == 0 ? 655360 : _i == 1 ? 10 : (_i % 2 ? 15 : 10) * ((int64_t)1 << half);
    pairs_losses = "S0? S0? S0?";
    pairs_begin(WORK_SEND, 1, 0);
    answer(SYNDROME_RNR | (unsigned)_i, 0, 0);
    expect_no_more(0, time);
    pairs_run(time);
    expect_no_more(time, time + RETRY);
    pairs_run(time + RETRY);
    expect_wire("(S0?) (S0?) (S0?) ");
}
END_TEST

/* Each packet that is taken renews the patience with those after it. */
START_TEST(progress_renews_patience)
{
    int64_t now = 0;
    pairs_work = (struct work){
        .kind = WORK_WRITE, .from = pairs_from, .length = 3 * MTU, .handle = HANDLE, .offset = 1};
    pairs[ASKS].end.work = &pairs_work;
    roce_requester_begin(&pairs[ASKS], now);
    for (uint32_t number = 0; number < 3; number++) {
        for (unsigned i = 0; i < RETRIES; i++) {
            if (_i == 0)
                answer(NAK_SEQUENCE, number, now);
            else
                roce_requester_run(&pairs[ASKS], now += RETRY_TIME_MAX * 1000);
            pairs_wire_end = 0;
        }
        for (unsigned i = 0; i < RNR_RETRIES; i++)
            answer(SYNDROME_RNR | RNR_TIMER, number, now);
        roce_requester_run(&pairs[ASKS], now += 640);
        ck_assert_int_eq(pairs_work.state, WORK_UNDER_WAY);
        answer(ACK_WITHOUT_CREDITS, number, now);
    }
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
}
END_TEST

/* An acknowledgement that was overtaken by a later one takes nothing back. */
START_TEST(an_old_word_changes_nothing)
{
    pairs_losses = "W0 W1 W2?";
    pairs_begin(WORK_WRITE, 3 * MTU, 0);
    answer(ACK_WITHOUT_CREDITS, 1, 0);
    answer(ACK_WITHOUT_CREDITS, 0, 0);
    pairs_losses = "W2?";
    pairs_run(RETRY);
    expect_wire("(W0) (W1) (W2?) (W2?) ");
    answer(ACK_WITHOUT_CREDITS, 2, RETRY);
    ck_assert_int_eq(pairs_work.state, WORK_DONE);
}
END_TEST

/* ---- what is refused ---- */

/* The memory is hidden while an RDMA Write of several packets goes on. */
START_TEST(memory_is_hidden_in_the_middle)
{
    pairs_losses = "W1 W2?";
    pairs_begin(WORK_WRITE, 3 * MTU, 0);
    end_forget(&pairs[SERVES].end, &pairs_memory);
    pairs_run(RETRY);
    expect_wire("W0 (W1) (W2?) W0 W1 W2? A0/0 X1/0 ");
    ck_assert_int_eq(pairs_work.state, WORK_FAILED);
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
                                  .offset = pairs_memory.offset,
                                  .length = 2 * MTU,
                                  .payload = pairs_from,
                                  .recorded = length,
                                  .total = length};
    roce_responder_take(&pairs[SERVES], &packet, true);
}

/* An RDMA Read of this many packets. */
static void ask_read(uint32_t number, uint32_t packets)
{
    const struct packet packet = {.opcode = OP_READ_REQUEST,
                                  .psn = psn_add(FIRST_PSN, number),
                                  .handle = HANDLE,
                                  .offset = pairs_memory.offset,
                                  .length = packets * MTU};
    roce_responder_take(&pairs[SERVES], &packet, true);
}

/* All that is due. */
static void respond(void)
{
    while (roce_responder_run(&pairs[SERVES]))
        ;
    pairs_wire_end = 0;
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
    pairs_went[0] = '\0';
    ask(orders[_i].second.opcode, 1, orders[_i].second.length);
    ck_assert_str_eq(pairs_went, orders[_i].went);
    ck_assert_int_eq(pairs[SERVES].end.open, orders[_i].went[0] != 'I');
}
END_TEST

/* No octet is written beyond the length that the first packet says. */
START_TEST(a_write_is_as_long_as_it_says)
{
    ask(OP_WRITE_FIRST, 0, MTU);
    ask(OP_WRITE_MIDDLE, 1, MTU);
    ask(OP_WRITE_MIDDLE, 2, MTU);
    expect_wire("A0/0 A1/0 I2/0 ");
    ck_assert(!pairs[SERVES].end.open);
}
END_TEST

/* What an RDMA Read brings has the length that was asked for: no octet more, and none less. */
START_TEST(a_response_is_as_long_as_was_asked)
{
    const struct packet packet = {
        .opcode = OP_READ_ONLY, .psn = FIRST_PSN, .payload = pairs_from, .total = (size_t)(9 + _i)};
    pairs_losses = "r0:10";
    pairs_begin(WORK_READ, 10, 0);
    roce_requester_take(&pairs[ASKS], &packet, 0);
    ck_assert_int_eq(pairs_work.state, _i == 1 ? WORK_DONE : WORK_FAILED);
    if (_i != 1)
        ck_assert_str_eq(pairs[ASKS].end.why, "a response to an RDMA Read has the wrong length");
}
END_TEST

/* As many packets as that are under way, and the peer is asked at the half and at the end, also
 * again. */
START_TEST(a_window_is_filled)
{
    static uint8_t octets[4 * WINDOW * MTU];
    struct work work = {.kind = WORK_WRITE, .from = octets, .length = sizeof octets};
    char expected[16];
    pairs[ASKS].end.work = &work;
    roce_requester_begin(&pairs[ASKS], 0);
    for (uint32_t done = 0; done <= WINDOW; done += WINDOW / 2) {
        snprintf(expected, sizeof expected, "W%u? ", done + WINDOW - 1);
        ck_assert_str_eq(pairs_went + strlen(pairs_went) - strlen(expected), expected);
        pairs_went[0] = '\0';
        answer(NAK_SEQUENCE, done, 0); /* all of them once more */
        ck_assert_str_eq(pairs_went + strlen(pairs_went) - strlen(expected), expected);
        snprintf(expected, sizeof expected, "W%u? ", done + WINDOW / 2 - 1);
        ck_assert_ptr_nonnull(strstr(pairs_went, expected));
        pairs_went[0] = '\0';
        answer(ACK_WITHOUT_CREDITS, done + WINDOW / 2 - 1, 0);
    }
}
END_TEST

/* Twice as many as are agreed on are taken. */
START_TEST(reads_are_bounded)
{
    for (unsigned i = 0; i < 2 * READS_SERVED; i++)
        ask(OP_READ_REQUEST, 2 * i, 0);
    ck_assert(pairs[SERVES].end.open);
    ask(OP_READ_REQUEST, 4 * READS_SERVED, 0);
    ck_assert(!pairs[SERVES].end.open);
    respond();
    ck_assert_str_eq(pairs_went + strlen(pairs_went) - strlen(" p63/32 I64/32 "),
                     " p63/32 I64/32 ");
}
END_TEST

/* ---- RDMA Reads that come again ---- */

/* While it is due it is due once: of it what was asked for last. */
START_TEST(a_read_is_due_once)
{
    ask_read(0, 3);
    ask_read(3, 2);
    ask_read(0, 3);
    ask_read(1, 2);
    respond();
    expect_wire("p1 p2/2 p3 p4/2 ");
}
END_TEST

/* What comes after it begins again, for the peer takes nothing of that before. */
START_TEST(reads_that_come_again_are_in_order)
{
    ask_read(0, 20);
    ask_read(20, RESPONSE_BURST - 20 + 2);
    ck_assert(roce_responder_run(&pairs[SERVES]));
    pairs_went[0] = '\0';
    ask_read(18, 2);
    respond();
    expect_wire("p18 p19/2 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33/2 ");
}
END_TEST

/* Acknowledgements stay behind the Reads that they cover; an old one waits for no later Read. */
START_TEST(acknowledgements_are_in_order)
{
    ask_read(0, 2);
    ask(OP_SEND_ONLY, 2, 1);
    ask_read(0, 2);
    respond();
    expect_wire("p0 p1/2 A2/2 ");
    ask_read(3, 2);
    ask(OP_SEND_ONLY, 2, 1);
    expect_wire("A2/3 ");
    ask_read(0, 2);
    ask(OP_SEND_ONLY, 2, 1);
    respond();
    expect_wire("p0 p1/3 A2/3 p3 p4/3 ");
}
END_TEST

/* As often as it likes: those are not more Reads than were agreed on. */
START_TEST(reads_come_again_and_again)
{
    for (unsigned times = 0; times < 8; times++)
        for (unsigned i = 0; i < READS_SERVED; i++)
            ask_read(2 * i, 2);
    ck_assert(pairs[SERVES].end.open);
    ck_assert_uint_eq(pairs[SERVES].responses_count, READS_SERVED);
    respond();
    /* Nor are others than those, if it has its answers without telling: they are not kept. */
    for (unsigned i = READS_SERVED; i < DUE_MAX; i++) {
        ask_read(2 * i, 2);
        respond();
    }
    for (unsigned i = 0; i < DUE_MAX; i++)
        ask_read(2 * i, 2);
    ck_assert(pairs[SERVES].end.open);
    ck_assert_uint_eq(pairs[SERVES].responses_count, DUE_AGAIN_MAX);
    ask_read(2 * DUE_MAX, 2); /* nor is there less room for a new one */
    ck_assert(pairs[SERVES].end.open);
    ck_assert_uint_eq(pairs[SERVES].responses_count, DUE_AGAIN_MAX + 1);
}
END_TEST

/* The peer had it, and we took the memory back: it does not need it. If it does, it hears. */
START_TEST(memory_is_gone_when_it_comes_again)
{
    ask_read(0, 2);
    respond();
    ask_read(0, 2);
    end_forget(&pairs[SERVES].end, &pairs_memory);
    respond();
    ask_read(0, 2);
    ask(OP_SEND_ONLY, 2, 1);
    expect_wire("p0 p1/1 X0/1 X0/1 A2/2 ");
    ck_assert(pairs[SERVES].end.open);
}
END_TEST

/* Asked for once. */
START_TEST(memory_is_gone_while_a_read_is_due)
{
    ask_read(0, 2);
    end_forget(&pairs[SERVES].end, &pairs_memory);
    respond();
    expect_wire("X0/1 ");
    ck_assert(!pairs[SERVES].end.open);
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
    TCase *test = tcase_create("queue pair");
    tcase_add_checked_fixture(test, pairs_set_up, pairs_tear_down);
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
    tcase_add_test(test, a_write_is_as_long_as_it_says);
    tcase_add_loop_test(test, a_response_is_as_long_as_was_asked, 0, 3);
    tcase_add_test(test, a_window_is_filled);
    tcase_add_test(test, reads_are_bounded);
    tcase_add_test(test, a_read_is_due_once);
    tcase_add_test(test, reads_that_come_again_are_in_order);
    tcase_add_test(test, acknowledgements_are_in_order);
    tcase_add_test(test, reads_come_again_and_again);
    tcase_add_test(test, memory_is_gone_when_it_comes_again);
    tcase_add_test(test, memory_is_gone_while_a_read_is_due);
    tcase_add_test(test, a_peer_waits);
    return run_tests("queue pairs of RoCE", test);
}
