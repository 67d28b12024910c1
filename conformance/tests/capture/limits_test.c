// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader with little memory, with none, and with many connections that lack a half. */
#include "conformance/input/ahead.h"
#include "conformance/tests/support/captures/allocations.h"
#include "conformance/tests/support/captures/segments.h"

/* ---- allocation that fails ---- */

/* Everything that takes memory: messages and Reads in parts, packets ahead, events that wait. */
static void fill_connection(uint32_t number)
{
    /* Of version 2: an UPDPROP of one draft, or a piece of the other. */
    static const uint8_t undecided[32] = {
        [3] = 9, [7] = 2, [11] = 32, [15] = 9, [19] = 1, [23] = 1, [27] = 4, [30] = 16};
    uint32_t client = 1000, server = 2000;
    peer[0].queue_pair = 0x100 + number;
    peer[1].queue_pair = 0x200 + number;
    peer[0].comm_id = 0x1000 + number;
    peer[1].comm_id = 0x2000 + number;
    establish();
    request(CLIENT, OP_SEND_ONLY, client++, undecided, sizeof undecided);
    call(CLIENT, client++, number);
    request(CLIENT, OP_SEND_FIRST, client++, octets, 1024);
    rdma(SERVER, OP_READ_REQUEST, server, 0x77, 3000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, server, ACK, octets, 1024);
    request(CLIENT, OP_SEND_LAST, client++, octets + 1024, 1000);
    request(CLIENT, OP_SEND_ONLY, client + 1, octets, 500); /* ahead of the next */
    rdma(SERVER, OP_WRITE_FIRST, server + 3, 0x78, 2000, octets, 1024);
    response(CLIENT, OP_READ_MIDDLE, server + 1, 0, octets, 1024);
}

#define FILLED 6

static void fill(void)
{
    for (uint32_t i = 0; i < FILLED; i++)
        fill_connection(i);
    quiet = displaced = true;
}

/* The same of iWARP: FPDUs, messages and Reads in parts, segments that wait for others. */
static void fill_iwarp(void)
{
    begin();
    quiet = displaced = true;
    for (uint16_t i = 0; i < FILLED; i++) {
        port[0] = (uint16_t)(900 + i);
        for (int side = 0; side < 2; side++)
            made[side] = (struct fpdus){.limit = 700};
        connect_iwarp();
        put_send(&made[0], message(i, RPCRDMA_CALL), MESSAGE_LENGTH);
        put_send(&made[0], octets, 2000);
        put_read_request(&made[1], 0x51, 0x100, 0x21, 0x9000, 2000);
        put_tagged(&made[1], DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 2000);
        segment(SERVER, ACKS, made[1].octets, made[1].length - 900);
        segment(CLIENT, ACKS, made[0].octets, made[0].length - 900);
        segment(CLIENT, ACKS, made[0].octets + made[0].length - 900, 600);
        if (i % 2 == 0) { /* the others go on to the end */
            segment_at(CLIENT, next[0] + 300, ACKS, octets, 200);
            continue;
        }
        segment(CLIENT, ACKS, made[0].octets + made[0].length - 300, 300);
        segment(SERVER, ACKS, made[1].octets + made[1].length - 900, 900);
        made[0].length = 0;
        put_tagged(&made[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 2000);
        segment(CLIENT, ACKS, made[0].octets, made[0].length);
    }
}

/* The file is given to the reader again and again; it is kept as octets. */
static uint8_t kept[262144];
static size_t kept_length;
static unsigned needed; /* allocations of the latest reading */

static void keep(void)
{
    kept_length = (size_t)ftell(capture);
    ck_assert_uint_le(kept_length, sizeof kept);
    rewind(capture);
    ck_assert_uint_eq(fread(kept, 1, kept_length, capture), kept_length);
    fclose(capture);
}

static void rewrite(void)
{
    capture = tmpfile();
    ck_assert_ptr_nonnull(capture);
    ck_assert_uint_eq(fwrite(kept, 1, kept_length, capture), kept_length);
}

/* Events are counted only: the sink must not allocate. Those of one side come in their order. */
static uint64_t latest[64][2];
static bool in_order;

static bool count_event(void *arg, const struct source_event *event)
{
    if (event->event.type != RPCRDMA_EVENT_GAP && event->connection_id < 64) {
        uint64_t *frame = &latest[event->connection_id][event->event.from];
        in_order = in_order && event->frame >= *frame;
        *frame = event->frame;
    }
    *(uint64_t *)arg += event->event.type != RPCRDMA_EVENT_GAP;
    return true;
}

static void count_closed(void *arg, uint64_t connection_id)
{
    (void)arg;
    (void)connection_id;
    closed++;
}

/* The allocation of this number fails, and all after it or none. Nothing stays allocated. */
static bool read_failing(unsigned number, bool and_later, bool drafts)
{
    uint64_t events = 0;
    long alive = allocations_alive();
    const struct source_sink sink = {.event = count_event, .closed = count_closed, .arg = &events};
    rewrite();
    rewind(capture);
    counts = (struct source_counts){0};
    closed = 0;
    read_error[0] = '\0';
    struct source_reader reader = {capture, "made-up",  &options,         &sink,
                                   &counts, read_error, sizeof read_error};
    memset(latest, 0, sizeof latest);
    in_order = true;
    allocations_fail(number, and_later);
    bool good = drafts ? ahead_read(&reader, source_read_capture) : source_read_capture(&reader);
    needed = allocations_made();
    allocations_fail(0, false);
    if (reader.stream)
        fclose(reader.stream);
    ck_assert_int_eq(allocations_alive(), alive);
    ck_assert(in_order);
    ck_assert_uint_eq(counts.unreturned, 0);
    ck_assert(events == counts.events || (drafts && !good));
    return good;
}

/* Wherever memory ends, the reader says so or goes on with less, and every connection is closed. */
START_TEST(allocation_fails)
{
    if (!allocations_counted)
        return;
    bool and_later = _i & 1, drafts = _i & 2, iwarp = _i & 4;
    if (iwarp)
        fill_iwarp();
    else
        fill();
    keep();
    ck_assert(read_failing(0, false, drafts));
    uint64_t events = counts.events;
    unsigned all = needed;
    ck_assert_uint_gt(all, 20);
    for (unsigned n = 1; n <= all; n++) {
        bool good = read_failing(n, and_later, drafts);
        ck_assert_int_eq(good, read_error[0] == '\0');
        ck_assert(closed == counts.connections || (drafts && !good));
        ck_assert_uint_le(counts.events, events);
        ck_assert(!good || counts.connections == FILLED || iwarp); /* which need memory each */
    }
}
END_TEST

/* ---- memory that is limited ---- */

/* However little it is: what does not fit is counted, nothing else happens. */
START_TEST(little_memory)
{
    fill();
    keep();
    rewrite();
    options.memory = 1u << 24;
    ck_assert(read_capture());
    uint64_t all = counts.events;
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], 0);
    for (size_t memory = 1; memory < 65536; memory += memory / 7 + 1) {
        rewrite();
        options.memory = memory;
        ck_assert_msg(read_capture(), "%zu: %s", memory, read_error);
        ck_assert_uint_eq(closed, counts.connections);
        ck_assert_uint_eq(counts.connections, FILLED);
        ck_assert_uint_ge(counts.events + counts.missed[SOURCE_LOST], all);
    }
}
END_TEST

/* An older connection gives up its memory for a newer one, and not the other way round. */
START_TEST(older_gives_up)
{
    options.memory = 12000;
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 4096);
    request(CLIENT, OP_SEND_MIDDLE, 1001, octets, 4096);
    peer[0] = (struct synthetic_peer){1, 0x21, 0x3333, 1000};
    peer[1] = (struct synthetic_peer){2, 0x22, 0x4444, 2000};
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 4096);
    request(CLIENT, OP_SEND_LAST, 1001, octets + 4096, 1000);
    first_connection();
    request(CLIENT, OP_SEND_LAST, 1002, octets, 4096);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "\n7 gap\n"));
    ck_assert_ptr_nonnull(strstr(seen, "1: 8 send client 5096\n"));
    ck_assert_uint_eq(counts.events, 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

/* What gives up an RDMA Read under way counts it as lost. */
START_TEST(reads_are_given_up)
{
    options.memory = 12000;
    establish();
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 12288, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    for (uint32_t i = 1; i < 8; i++)
        response(CLIENT, OP_READ_MIDDLE, 2000 + i, 0, octets, 1024);
    peer[0] = (struct synthetic_peer){1, 0x21, 0x3333, 1000};
    peer[1] = (struct synthetic_peer){2, 0x22, 0x4444, 2000};
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 4096);
    request(CLIENT, OP_SEND_LAST, 1001, octets + 4096, 1000);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "send client 5096\n"));
    ck_assert_uint_eq(counts.events, 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

/* The newest connection gives up the events that wait in it only if the memory of the older ones is
 * not enough. */
START_TEST(newest_gives_up_last)
{
    options.memory = 12000;
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 4096);
    request(CLIENT, OP_SEND_MIDDLE, 1001, octets + 4096, 4096);
    peer[0] = (struct synthetic_peer){1, 0x21, 0x3333, 1000};
    peer[1] = (struct synthetic_peer){2, 0x22, 0x4444, 2000};
    establish();
    reply(SERVER, 2000, 0xa);
    request(SERVER, OP_SEND_FIRST, 2001, octets, 4096);
    if (_i == 1)
        request(SERVER, OP_SEND_MIDDLE, 2002, octets, 8192);
    call(CLIENT, 1000, 0xa);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, _i == 0 ? "1: 9 send client 68 a\n1: 7 send server 68 a\n"
                                               : "1: 7 send server 68 a unconfirmed\n0: closed\n"));
}
END_TEST

/* A packet that is ahead of its turn is kept up to a limit; then it counts as missing. */
START_TEST(too_far_ahead)
{
    establish();
    for (uint32_t i = 1; i <= 100; i++)
        call(CLIENT, 1000 + i, i);
    call(CLIENT, 1000, 0xa);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 65);
    ck_assert_uint_eq(counts.events + counts.missed[SOURCE_LOST], 65);
}
END_TEST

/* ---- connections with one known half ---- */

#define HALVES 60

static void half(uint32_t number)
{
    peer[0] = (struct synthetic_peer){1, 0x1000 + number, 0, 0};
    peer[1] = (struct synthetic_peer){2, 0x2000 + number, 0, 0};
}

/* All their Calls first, and then the Replies, in another order. */
START_TEST(many_halves)
{
    for (uint32_t i = 0; i < HALVES; i++) {
        half(i);
        call(CLIENT, 1000 + 100 * i, 0x100 + i);
    }
    for (uint32_t i = 0; i < HALVES; i++) {
        half(i * 7 % HALVES);
        reply(SERVER, 500000 + i, 0x100 + i * 7 % HALVES);
    }
    for (uint32_t i = 0; i < HALVES; i++) {
        half(i);
        call(CLIENT, 1001 + 100 * i, 0x200 + i);
    }
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, HALVES);
    ck_assert_uint_eq(counts.events, 3 * HALVES);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    for (uint32_t i = 0; i < HALVES; i++)
        ck_assert_uint_eq(next_index[i], 3);
}
END_TEST

/* The end of a connection with both halves known, or its queue pairs' next use, is nothing
 * to one that waits for its other half. */
START_TEST(half_outlives_others)
{
    half(0);
    call(CLIENT, 100, 0xa);
    pass_window();
    peer[0] = (struct synthetic_peer){1, 0x77, 0x77, 1};
    peer[1] = (struct synthetic_peer){2, 0x78, 0x78, 1};
    for (int i = 0; i < 2; i++) {
        establish();
        if (_i == 0)
            cm_disconnect(CLIENT);
        peer[0].first_psn++;
        peer[1].first_psn++;
    }
    half(0);
    reply(SERVER, 500, 0xa);
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, 3);
    ck_assert_uint_eq(next_index[0], 2);
}
END_TEST

/* The queue pair of a half that is known is taken by a connection with both. */
START_TEST(half_is_displaced)
{
    half(0);
    reply(SERVER, 100, 0xa); /* to the client's 0x1000 */
    half(1);
    call(CLIENT, 200, 0xb); /* to the server's 0x2001 */
    pass_window();
    peer[0] = (struct synthetic_peer){1, 0x1000, 0x77, 1};
    peer[1] = (struct synthetic_peer){2, 0x2001, 0x78, 1};
    establish();
    call(CLIENT, 1, 0xc);
    reply(SERVER, 1, 0xc);
    expect("0: 192.0.2.1:0x1000-192.0.2.2:?\n1 send server 68 a mid\n"
           "1: 192.0.2.1:?-192.0.2.2:0x2001\n1: 2 send client 68 b mid\n"
           "0: 30 disconnect client mid\n0: closed\n1: 30 disconnect client mid\n1: closed\n"
           "2: 192.0.2.1:0x1000-192.0.2.2:0x2001\n2: 31 send client 68 c\n2: 32 send server 68 c\n"
           "2: closed\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture limits");
    TCase *tests = new_case(suite, "memory");
    tcase_add_loop_test(tests, allocation_fails, 0, 8);
    tcase_add_test(tests, little_memory);
    tcase_add_test(tests, older_gives_up);
    tcase_add_test(tests, reads_are_given_up);
    tcase_add_loop_test(tests, newest_gives_up_last, 0, 2);
    tcase_add_test(tests, too_far_ahead);
    tests = new_case(suite, "halves");
    tcase_add_test(tests, many_halves);
    tcase_add_loop_test(tests, half_outlives_others, 0, 2);
    tcase_add_test(tests, half_is_displaced);
    return run_suite(suite);
}
