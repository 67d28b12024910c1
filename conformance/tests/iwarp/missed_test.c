// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and iWARP: what it says of what it could not read, and what decides how the
 * octets are read. */
#include "conformance/tests/support/captures/segments.h"

static const uint8_t identifier[8] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};

#define NOT_FRAMED "iWARP: where an FPDU begins in the segment is not known\n"
#define TCP_MISSING "TCP segments are missing\n"

/* Reading the capture tells these misses, and shows no octets that were not sent. */
static void expect_missed(const char *expected)
{
    read_capture();
    ck_assert_str_eq(missed, expected);
    ck_assert_ptr_null(strstr(seen, "wrong"));
}

static void expect_seen(const char *part)
{
    ck_assert_msg(strstr(seen, part) != NULL, "%s is missing in:\n%s", part, seen);
}

static void handshake(unsigned client, unsigned server)
{
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    segment(CLIENT, ACKS, NULL, 0);
    start(CLIENT, (uint8_t)client, 1, NULL, 0);
    start(SERVER, (uint8_t)server, 1, NULL, 0);
}

/* What was made, in one segment. */
static void send_made(enum rpcrdma_endpoint from)
{
    segment(from, ACKS, made[from].octets, made[from].length);
    made[from].length = 0;
}

/* ---- what the frames that start MPA say ---- */

/* Either side can ask for check sums, for both directions. */
START_TEST(check_sums)
{
    bool used = _i > 0;
    handshake(_i & 1 ? 0x40 : 0, _i & 2 ? 0x40 : 0);
    for (int side = 0; side < 2; side++) {
        made[side].crc = true;
        put_send(&made[side], octets, 100);
        made[side].octets[2 + 18 + 99] ^= 1;
        send_made((enum rpcrdma_endpoint)side);
        put_send(&made[side], octets, 101);
        send_made((enum rpcrdma_endpoint)side);
    }
    port[1] = 20049;
    read_capture();
    ck_assert_str_eq(missed, used ? "7 lost 1: wrong check sum of MPA\n"
                                    "9 lost 1: wrong check sum of MPA\n"
                                  : "");
    expect_seen(" send client 101\n");
    expect_seen(" send server 101\n");
    ck_assert((strstr(seen, " send client 100 wrong\n") != NULL) == !used);
    ck_assert((strstr(seen, " send server 100 wrong\n") != NULL) == !used);
}
END_TEST

/* Each side gets markers if it asked for them itself. */
START_TEST(marked)
{
    handshake(_i & 1 ? 0x80 : 0, _i & 2 ? 0x80 : 0);
    made[SERVER].markers = _i & 1;
    made[CLIENT].markers = _i & 2;
    for (int i = 0; i < 3; i++)
        for (int side = 0; side < 2; side++) {
            made[side].limit = 700;
            put_send(&made[side], octets, 1500);
            flush((enum rpcrdma_endpoint)side);
        }
    expect_missed("");
    ck_assert_uint_eq(counts.events, 6);
}
END_TEST

/* A side refuses by its reply; the same flag in a request means nothing. */
START_TEST(refused_by_reply_only)
{
    start(CLIENT, 0x20, 1, NULL, 0);
    start(SERVER, 0, 1, NULL, 0);
    send_call(1);
    expect_missed("");
    ck_assert_uint_eq(counts.events, 1);
}
END_TEST

/* The identifier shows that a connection is ours, at any port and from either side, also before a
 * version that is not known, or cut short. */
START_TEST(identified)
{
    uint8_t data[8];
    enum rpcrdma_endpoint by = _i < 4 ? CLIENT : SERVER, other = (enum rpcrdma_endpoint)(1 - by);
    memcpy(data, identifier, sizeof data);
    data[4] = _i % 4 == 1 ? 2 : 1;
    data[0] ^= _i % 4 == 3;
    size_t length = _i % 4 == 2 ? 5 : 8;
    port[1] = 4711;
    start(CLIENT, 0, 1, data, other == SERVER ? length : 0);
    start(SERVER, 0, 1, data, other == SERVER ? 0 : length);
    read_capture();
    ck_assert_uint_eq(counts.connections, _i % 4 != 3);
    ck_assert_uint_eq(counts.events, _i % 4 != 3);
}
END_TEST

/* ---- misses ---- */

START_TEST(wrong_marker)
{
    markers = true;
    connect_iwarp();
    put_send(&made[0], octets, 900);
    made[0].octets[514] ^= 1;
    segment(CLIENT, ACKS, made[0].octets, made[0].length);
    expect_missed("6 lost 1: wrong marker of MPA\n");
}
END_TEST

/* Not even the length of an FPDU was recorded. */
START_TEST(too_little)
{
    connect_iwarp();
    send_call(1);
    wrapping.snap = 14 + 20 + 32 + 1;
    send_call(2);
    wrapping.snap = 0;
    send_call(3);
    expect_missed("8 lost 1: the capture kept too little of a segment to find the next FPDU\n");
    expect_seen("8 send client 68 3\n");
}
END_TEST

/* Of what an RDMA Read read only the beginning was recorded. */
START_TEST(response_cut)
{
    connect_iwarp();
    send_call(1);
    put_read_request(&made[1], 0x21, 0x100, 0x12, RDMA_OFFSET, 800);
    flush(SERVER);
    made[0].length = 0;
    put_tagged(&made[0], DDP_OPCODE_READ_RESPONSE, 0x21, 0x100, octets, 800);
    wrapping.snap = 14 + 20 + 32 + 200;
    send_made(CLIENT);
    expect_missed("8 cut 1: the capture has only their beginnings; tcpdump and dumpcap record all "
                  "with -s 0\n");
    expect_seen("8 read server 800 unseen h12\n");
}
END_TEST

/* What is no message of RDMAP, in an FPDU of its own. */
START_TEST(not_rdmap)
{
    connect_iwarp();
    send_call(1);
    made[0].length = 0;
    put_fpdu(&made[0], octets, 100);
    send_made(CLIENT);
    put_send(&made[0], message(2, RPCRDMA_CALL), MESSAGE_LENGTH);
    send_made(CLIENT);
    expect_missed("7 unread 1: iWARP: not a message of RDMAP, or cut short\n");
    expect_seen("7 gap\n8 send client 68 2\n");
}
END_TEST

/* The other side does not answer as MPA does. */
START_TEST(wrong_start)
{
    start(CLIENT, 0, 1, NULL, 0);
    segment(SERVER, ACKS, octets, _i == 0 ? 100 : 12);
    send_call(0xa);
    expect_missed("2 unread 1: iWARP: malformed start of MPA\n");
    ck_assert_str_eq(seen, "closed\n");
    ck_assert_uint_eq(counts.events, 0);
}
END_TEST

/* The reply of MPA was not recorded. */
START_TEST(start_missing)
{
    times_differ = true; /* what waits for others is passed on later */
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, NULL, 0);
    frame_lost = frame_number + 1;
    start(SERVER, 0, 1, NULL, 0);
    send_call(1);
    for (int i = 0; i < 80; i++)
        segment(CLIENT, ACKS, NULL, 0);
    send_call(2);
    read_capture();
    ck_assert_ptr_nonnull(
        strstr(missed, " unread 1: iWARP: the frames that start MPA were not recorded\n"));
    expect_seen(" send client 68 2 mid\n");
}
END_TEST

/* Of the client's first frame not all was recorded. Its first twenty octets tell where it ends, so
 * that the next FPDU is found though it comes in two segments; less does not. */
START_TEST(start_cut)
{
    static const size_t kept[] = {16, 19, 20, 40};
    uint8_t to[256];
    size_t total = put_mpa_start(to, false, 0, 1, octets, 100);
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    wrapping.snap = 14 + 20 + 32 + kept[_i];
    segment(CLIENT, ACKS, to, total);
    wrapping.snap = 0;
    start(SERVER, 0, 1, NULL, 0);
    put_send(&made[0], message(1, RPCRDMA_CALL), MESSAGE_LENGTH);
    segment(CLIENT, ACKS, made[0].octets, 50);
    segment(CLIENT, ACKS, made[0].octets + 50, made[0].length - 50);
    made[0].length = 0;
    put_send(&made[0], message(2, RPCRDMA_CALL), MESSAGE_LENGTH);
    send_made(CLIENT);
    read_capture();
    ck_assert((strstr(seen, "6 send client 68 1 mid\n") != NULL) == (_i >= 2));
    expect_seen("7 send client 68 2 mid\n");
    ck_assert_str_eq(missed,
                     _i >= 2 ? "4 unread 1: iWARP: the frames that start MPA were not recorded\n"
                             : "4 unread 1: iWARP: the frames that start MPA were not recorded\n"
                               "5 unread 1: " NOT_FRAMED "6 unread 1: " NOT_FRAMED);
}
END_TEST

/* A side's frame and its first FPDU in one segment, the FPDU in part. */
START_TEST(start_and_more)
{
    uint8_t to[256];
    size_t total = put_mpa_start(to, true, 0, 1, octets, _i == 0 ? 0 : 30);
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, NULL, 0);
    put_send(&made[1], message(1, RPCRDMA_CALL), MESSAGE_LENGTH);
    memcpy(to + total, made[1].octets, 60);
    segment(SERVER, ACKS, to, total + 60);
    segment(SERVER, ACKS, made[1].octets + 60, made[1].length - 60);
    expect_missed("");
    expect_seen("5 send server 68 1\n");
}
END_TEST

/* The same, and only the beginning of the segment was recorded: the next FPDU is found. */
START_TEST(start_and_more_cut)
{
    uint8_t to[256];
    size_t total = put_mpa_start(to, true, 0, 1, octets, 100);
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, NULL, 0);
    put_send(&made[1], message(1, RPCRDMA_REPLY), MESSAGE_LENGTH);
    memcpy(to + total, made[1].octets, made[1].length);
    wrapping.snap = 14 + 20 + 32 + 40;
    segment(SERVER, ACKS, to, total + made[1].length);
    wrapping.snap = 0;
    made[1].length = 0;
    put_send(&made[1], message(2, RPCRDMA_REPLY), MESSAGE_LENGTH);
    send_made(SERVER);
    read_capture();
    expect_seen("5 send server 68 2 mid\n");
    ck_assert_str_eq(missed,
                     "4 unread 1: iWARP: the frames that start MPA were not recorded\n"
                     "4 unread 1: " NOT_FRAMED
                     "5 lost 1: the capture kept too little of a segment to find the next FPDU\n");
}
END_TEST

/* What comes after octets that were not recorded is not taken for them, though it would do. */
START_TEST(start_cut_and_rest)
{
    uint8_t to[256];
    size_t total = put_mpa_start(to, true, 0, 1, octets, 100);
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, NULL, 0);
    put_send(&made[1], message(1, RPCRDMA_REPLY), MESSAGE_LENGTH);
    memcpy(to + total, made[1].octets, made[1].length);
    wrapping.snap = 14 + 20 + 32 + 40;
    segment(SERVER, ACKS, to, 60);
    wrapping.snap = 0;
    segment(SERVER, ACKS, to + 60, total + made[1].length - 60);
    expect_missed("5 unread 1: iWARP: the frames that start MPA were not recorded\n");
    ck_assert_str_eq(seen, IWARP "5 send server 68 1 mid\nclosed\n");
}
END_TEST

/* A frame that starts MPA, even if its length is unknown, has an end all the same. */
START_TEST(start_without_end)
{
    uint8_t to[900] = {0};
    put_mpa_start(to, true, 0, 1, octets, 512);
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, NULL, 0);
    wrapping.snap = 14 + 20 + 32 + 10;
    segment(SERVER, ACKS, to, 231);
    segment(SERVER, ACKS, to + 231, 300);
    segment(SERVER, ACKS, to + 531, _i == 0 ? 1 : 300);
    wrapping.snap = 0;
    expect_missed("6 unread 1: iWARP: malformed start of MPA\n");
}
END_TEST

/* Octets are missing in the middle of one Send: it is lost, and only it. */
START_TEST(segment_missing)
{
    made[0].limit = 400;
    connect_iwarp();
    send_call(1);
    put_send(&made[0], octets, 900);
    segment_size = 200;
    frame_lost = frame_number + 2;
    flush(CLIENT);
    segment_size = 0;
    for (int i = 0; i < 3; i++)
        segment(SERVER, ACKS, NULL, 0);
    send_call(2);
    read_capture();
    ck_assert_ptr_nonnull(strstr(missed, " lost 1: " TCP_MISSING));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    expect_seen(" send client 68 2\n");
}
END_TEST

/* TCP at the port; iWARP that no Send identifies; iWARP at another port. */
START_TEST(unknown)
{
    static const char *const said[] = {
        "1 unread 1 of none: TCP at the port of RPC-over-RDMA, but not known to be iWARP\n",
        "1 unread 1 of none: TCP at the port of RPC-over-RDMA, but not known to be iWARP\n",
        "1 unread 1 of none: iWARP of a connection whose beginning is missing\n",
        "1 unread 1 of none: iWARP of a connection whose beginning is missing\n",
        "",
        "",
    };
    port[1] = _i < 4 ? 20049 : 4711;
    switch (_i) {
    case 0:
    case 4:
        segment(CLIENT, ACKS, octets, 100);
        break;
    case 1:
        segment(SERVER, ACKS, octets, 1);
        break;
    case 2:
        put_tagged(&made[1], DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 100);
        flush(SERVER);
        break;
    default:
        put_send(&made[0], octets, 100);
        flush(CLIENT);
    }
    segment(SERVER, ACKS, NULL, 0);
    ck_assert(!read_capture());
    ck_assert_str_eq(missed, said[_i]);
    ck_assert_uint_eq(counts.connections, 0);
}
END_TEST

/* With all queue pairs wanted, one at another port is said to be missing, too. */
START_TEST(unknown_wanted)
{
    options.all_qp = true;
    port[1] = 4711;
    put_tagged(&made[1], DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 100);
    flush(SERVER);
    ck_assert(!read_capture());
    ck_assert_str_eq(missed,
                     "1 unread 1 of none: iWARP of a connection whose beginning is missing\n");
}
END_TEST

/* A connection is joined by a Send of either side. What the other side is in the middle of cannot
 * be read, what begins after it can. */
START_TEST(joined)
{
    enum rpcrdma_endpoint by = _i == 0 ? CLIENT : SERVER, other = (enum rpcrdma_endpoint)(1 - by);
    put_send(&made[by], message(1, _i == 0 ? RPCRDMA_CALL : RPCRDMA_REPLY), MESSAGE_LENGTH);
    flush(by);
    segment(other, ACKS, octets, 100);
    put_send(&made[other], message(2, _i == 0 ? RPCRDMA_REPLY : RPCRDMA_CALL), MESSAGE_LENGTH);
    flush(other);
    expect_missed("2 unread 1: " NOT_FRAMED);
    expect_seen(_i == 0 ? IWARP "1 send client 68 1 mid\n2 gap mid\n3 send server 68 2 mid\n"
                        : IWARP "1 send server 68 1 mid\n2 gap mid\n3 send client 68 2 mid\n");
}
END_TEST

/* ---- after the end ---- */

/* What a side sends after its own end is said, be it one octet; what the other side sends, and what
 * was sent again, is not. */
START_TEST(after_end)
{
    enum rpcrdma_endpoint by = _i < 4 ? CLIENT : SERVER, other = (enum rpcrdma_endpoint)(1 - by);
    connect_iwarp();
    send_call(1);
    uint32_t before = next[by];
    segment(by, FIN | ACKS, NULL, 0);
    switch (_i % 4) {
    case 0:
        segment(by, ACKS, octets, 1);
        break;
    case 1:
        segment(other, ACKS, octets, 100);
        break;
    case 2:
        segment(by, ACKS, NULL, 0);
        break;
    default:
        segment_at(by, before - 10, ACKS, octets, 10);
    }
    expect_missed(
        _i % 4 == 0 ? "8 unread 1 of none: iWARP of a side that had ended its connection\n" : "");
}
END_TEST

/* The ports are used again, and the SYN was not recorded: the request of MPA begins another
 * connection, unless it is the same once more. */
START_TEST(ports_used_again)
{
    uint32_t first[2] = {next[0], next[1]};
    start(CLIENT, 0, 1, NULL, 0);
    start(SERVER, 0, 1, NULL, 0);
    send_call(1);
    segment(SERVER, RESET, NULL, 0);
    next[0] = first[0] + (_i == 0 ? 5000 : 0);
    next[1] = first[1] + (_i == 0 ? 5000 : 0);
    start(CLIENT, 0, 1, NULL, 0);
    start(SERVER, 0, 1, NULL, 0);
    made[0].length = made[0].sends = 0;
    send_call(2);
    read_capture();
    ck_assert_uint_eq(counts.connections, _i == 0 ? 2 : 1);
    ck_assert((strstr(seen, " send client 68 2\n") != NULL) == (_i == 0));
}
END_TEST

/* A segment of a Send begins as a request of MPA does: it begins no other connection, as long as
 * this one is not over. */
START_TEST(looks_like_request)
{
    uint8_t content[900];
    memcpy(content, octets, sizeof content);
    memcpy(content + 400 - 2 - 18, "MPA ID Req Frame\0\1\0", 20);
    connect_iwarp();
    put_send(&made[0], content, sizeof content);
    segment_size = 400;
    flush(CLIENT);
    send_reply(1);
    expect(IWARP "8 send client 900 wrong\n9 send server 68 1\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* Many connections at once, of which each side's segments come in turn: each has its own. */
START_TEST(many)
{
    enum { MANY = 900 };
    static uint32_t at[MANY][2];
    quiet = true;
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < MANY; i++) {
            port[0] = (uint16_t)((i + 1) * (i + 1) % 65521); /* a prime: none twice */
            for (int side = 0; side < 2; side++) {
                made[side].sends = round ? round - 1 : 0;
                next[side] = round ? at[i][side] : 1000u * i;
            }
            if (round == 0) {
                start(CLIENT, 0, 1, NULL, 0);
                start(SERVER, 0, 1, NULL, 0);
            } else {
                put_send(&made[0], message(i, RPCRDMA_CALL), MESSAGE_LENGTH);
                send_made(CLIENT);
                put_send(&made[1], message(i, RPCRDMA_REPLY), MESSAGE_LENGTH);
                send_made(SERVER);
            }
            memcpy(at[i], next, sizeof next);
        }
    expect_missed("");
    ck_assert_uint_eq(counts.connections, MANY);
    ck_assert_uint_eq(counts.events, 4 * MANY);
    for (unsigned i = 0; i < MANY; i++)
        ck_assert_uint_eq(next_index[i], 4);
}
END_TEST

/* ---- memory ---- */

/* One connection has a message in part, and another needs memory for its own; then the first gets
 * the rest. The message: a Send in one FPDU or in several, an RDMA Write, a Send that waits for its
 * beginning. */
static void compete(int kind, size_t limit)
{
    static uint8_t rest[16384];
    begin();
    options.memory = limit;
    times_differ = true; /* as above */
    connect_iwarp();
    made[0].limit = kind == 0 ? 16000 : 4000;
    if (kind == 2)
        put_tagged(&made[0], DDP_OPCODE_WRITE, 0x11, RDMA_OFFSET, octets, 8000);
    else
        put_send(&made[0], octets, 8000);
    size_t length = made[0].length, at = kind == 3 ? 1000 : 0, end = length - 600;
    uint32_t first = next[0], kept[2] = {first + (uint32_t)length, next[1]};
    memcpy(rest, made[0].octets, length);
    segment_at(CLIENT, first + (uint32_t)at, ACKS, rest + at, end - at);
    port[0] = 901;
    next[0] = 70000;
    made[0].length = made[0].sends = 0;
    made[0].limit = 4000;
    handshake(0, 0);
    put_send(&made[0], octets, 8001);
    segment(CLIENT, ACKS, made[0].octets, made[0].length - 600);
    segment(CLIENT, ACKS, made[0].octets + made[0].length - 600, 600);
    port[0] = 900;
    memcpy(next, kept, sizeof next);
    segment_at(CLIENT, first, ACKS, rest, at);
    segment_at(CLIENT, first + (uint32_t)end, ACKS, rest + end, 600);
    made[0].length = 0;
    made[0].sends = kind != 2;
    put_send(&made[0], message(2, RPCRDMA_CALL), MESSAGE_LENGTH);
    send_made(CLIENT);
    for (int i = 0; i < 80; i++)
        segment(SERVER, ACKS, NULL, 0);
}

/* However much memory there is: what the older connection has is given up for the newer one, once,
 * and it is said why. Nothing else is lost, unless there is not enough for one. */
START_TEST(given_up)
{
    unsigned whole = 0, given = 0;
    for (size_t limit = 4000; limit < 60000; limit += 1000) {
        compete(_i, limit);
        read_capture();
        bool older = strstr(seen, _i == 2 ? " write client 8000 h11\n" : " send client 8000\n");
        bool newer = strstr(seen, " send client 8001\n");
        ck_assert_ptr_null(strstr(seen, "wrong"));
        ck_assert_int_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_UNREAD] == 0,
                         older && newer);
        whole += older && newer;
        given += !older && newer;
        /* At one limit its connection is given up as well, and goes on in mid-stream. */
        if (!older && newer && strstr(seen, " send client 68 2 mid\n") == NULL) {
            expect_seen(" send client 68 2\n");
            const char *why = _i < 3 ? " lost 1: no memory is left to put it together\n"
                                     : " lost 1: " TCP_MISSING;
            ck_assert_msg(strstr(missed, why) != NULL, "%s", missed);
        }
    }
    ck_assert_uint_gt(whole, 0);
    ck_assert_uint_gt(given, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("missed");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, check_sums, 0, 4);
    tcase_add_loop_test(tests, marked, 0, 4);
    tcase_add_test(tests, refused_by_reply_only);
    tcase_add_loop_test(tests, identified, 0, 8);
    tcase_add_test(tests, wrong_marker);
    tcase_add_test(tests, too_little);
    tcase_add_test(tests, response_cut);
    tcase_add_test(tests, not_rdmap);
    tcase_add_loop_test(tests, wrong_start, 0, 2);
    tcase_add_test(tests, start_missing);
    tcase_add_loop_test(tests, start_cut, 0, 4);
    tcase_add_loop_test(tests, start_and_more, 0, 2);
    tcase_add_test(tests, start_and_more_cut);
    tcase_add_test(tests, start_cut_and_rest);
    tcase_add_loop_test(tests, start_without_end, 0, 2);
    tcase_add_test(tests, segment_missing);
    tcase_add_loop_test(tests, unknown, 0, 6);
    tcase_add_test(tests, unknown_wanted);
    tcase_add_loop_test(tests, joined, 0, 2);
    tcase_add_loop_test(tests, after_end, 0, 8);
    tcase_add_loop_test(tests, ports_used_again, 0, 2);
    tcase_add_test(tests, looks_like_request);
    tcase_add_test(tests, many);
    tcase_add_loop_test(tests, given_up, 0, 4);
    return run_tests("iWARP that is missed", tests);
}
