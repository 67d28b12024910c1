// SPDX-License-Identifier: BSD-3-Clause
/* Sends and RDMA Writes out of packets, and what refuses them: by every opcode and syndrome. */
#include "conformance/input/flow/message.h"
#include "conformance/input/flow/reads.h"
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

/* ---- opcodes ---- */

START_TEST(begins_and_ends)
{
    for (unsigned opcode = 0; opcode <= OP_RC_LAST; opcode++) {
        bool begins = opcode == 0x00 || opcode == 0x04 || opcode == 0x05 || opcode == 0x17;
        bool ends = opcode == 0x02 || opcode == 0x03 || opcode == 0x04 || opcode == 0x05 ||
                    opcode == 0x16 || opcode == 0x17;
        ck_assert_msg(message_begins_send((uint8_t)opcode) == begins, "0x%02x", opcode);
        ck_assert_msg(message_ends_send((uint8_t)opcode) == ends, "0x%02x", opcode);
    }
}
END_TEST

/* A Send with or without immediate data, or an invalidated handle, be that 0; of one packet or of
 * two. */
START_TEST(invalidations)
{
    static const struct {
        uint8_t opcode;
        size_t extended;
        const char *handle;
    } rows[] = {
        {OP_SEND_ONLY, 0, ""}, {OP_SEND_ONLY_IMMEDIATE, 4, ""}, {OP_SEND_ONLY_INVALIDATE, 4, " h0"},
        {OP_SEND_LAST, 0, ""}, {OP_SEND_LAST_IMMEDIATE, 4, ""}, {OP_SEND_LAST_INVALIDATE, 4, " h0"},
    };
    static const uint8_t zeros[4];
    char expected[128];
    bool two = _i >= 3;
    establish();
    if (two)
        request(CLIENT, OP_SEND_FIRST, 1000, octets, 1024);
    packet(CLIENT, rows[_i].opcode, 0x12, two ? 1001 : 1000, zeros, rows[_i].extended,
           octets + (two ? 1024 : 0), 100);
    snprintf(expected, sizeof expected, NAME "%d send client %d%s\nclosed\n", two ? 4 : 3,
             two ? 1124 : 100, rows[_i].handle);
    expect(expected);
}
END_TEST

/* What is recorded of packets after one that was cut is not taken for what follows its beginning.
 */
START_TEST(cut_in_the_middle)
{
    bool write = _i >= 3;
    char expected[128];
    establish();
    for (int i = 0; i < 3; i++) {
        static const uint8_t opcodes[2][3] = {{OP_SEND_FIRST, OP_SEND_MIDDLE, OP_SEND_LAST},
                                              {OP_WRITE_FIRST, OP_WRITE_MIDDLE, OP_WRITE_LAST}};
        wrapping.snap = i == _i % 3 ? 14 + 20 + 8 + 12 + (write && i == 0 ? 16 : 0) + 10 : 0;
        if (write && i == 0)
            rdma(SERVER, OP_WRITE_FIRST, 2000, 0x77, 3072, octets, 1024);
        else
            request(SERVER, opcodes[write][i], 2000 + (uint32_t)i, octets + 1024 * i, 1024);
    }
    wrapping.snap = 0;
    ck_assert(read_capture());
    snprintf(expected, sizeof expected, " %s server %d+%d", write ? "write" : "send",
             1024 * (_i % 3) + 10, 3072 - 1024 * (_i % 3) - 10);
    ck_assert_msg(strstr(seen, expected) != NULL, "%s", seen);
    ck_assert_ptr_null(strstr(seen, "wrong"));
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], 1);
}
END_TEST

/* A message that is begun and not ended is lost where the next begins. */
START_TEST(not_ended)
{
    static const uint8_t seconds[] = {OP_SEND_ONLY,   OP_WRITE_ONLY, OP_SEND_FIRST,
                                      OP_WRITE_FIRST, OP_WRITE_LAST, OP_WRITE_MIDDLE};
    uint8_t second = seconds[_i];
    establish();
    call(CLIENT, 1000, 0xa);
    request(SERVER, OP_SEND_FIRST, 2000, octets, 1024);
    if (second == OP_WRITE_ONLY || second == OP_WRITE_FIRST)
        rdma(SERVER, second, 2001, 0x78, 1024, octets, 1024);
    else
        request(SERVER, second, 2001, octets, 1024);
    ck_assert(read_capture());
    ck_assert_ptr_eq(strstr(missed, "5 lost 1: packets are missing\n"), missed);
}
END_TEST

/* ---- RDMA Reads ---- */

/* A response takes as many packets as its octets need, and one if there are none. */
START_TEST(packets_of_a_read)
{
    static const uint32_t mtus[] = {256, 1024, 4096};
    for (size_t i = 0; i < COUNT(mtus); i++) {
        const struct connection connection = {.mtu = mtus[i]};
        ck_assert_uint_eq(reads_packets(&connection, 0), 1);
        for (uint32_t packets = 1; packets < 5; packets++) {
            ck_assert_uint_eq(reads_packets(&connection, (packets - 1) * mtus[i] + 1), packets);
            ck_assert_uint_eq(reads_packets(&connection, packets * mtus[i]), packets);
        }
        ck_assert_uint_eq(reads_packets(&connection, UINT32_MAX), (1ull << 32) / mtus[i]);
    }
    const struct connection unknown = {.mtu = 0};
    ck_assert_uint_eq(reads_packets(&unknown, 0), 1);
    ck_assert_uint_eq(reads_packets(&unknown, 256), 1); /* no path MTU is smaller */
    ck_assert_uint_eq(reads_packets(&unknown, 257), 0);
}
END_TEST

/* As many Reads as are remembered, without a response. With one more, all before it are lost; it is
 * remembered itself, and those after it. */
START_TEST(many_reads)
{
    char expected[128];
    uint32_t most = 64;
    establish();
    call(CLIENT, 1000, 0xa);
    for (uint32_t i = 0; i < most + (uint32_t)_i; i++)
        rdma(SERVER, OP_READ_REQUEST, 2000 + i, 0x100 + i, 100, NULL, 0);
    uint64_t latest = frames;
    for (uint32_t i = _i ? most : 0; i < most + (uint32_t)_i; i++)
        response(CLIENT, OP_READ_ONLY, 2000 + i, ACK, octets, 100);
    call(CLIENT, 1001, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, _i ? 2 + (unsigned)_i : 2 + most);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], _i ? most : 0);
    snprintf(expected, sizeof expected, "%u lost %u: packets are missing\n",
             (unsigned)latest + 1 - (unsigned)_i, most);
    ck_assert_str_eq(missed, _i ? expected : "");
}
END_TEST

/* A response that is recorded behind the Reply and its acknowledgement is taken, if it comes within
 * the window; until then the Reply waits. The Sends before it are those before its request. */
START_TEST(late_response)
{
    uint64_t late = _i == 1 ? WINDOW + 1 : WINDOW;
    bool within = _i != 1, after = _i == 2;
    establish();
    call(CLIENT, 1000, 0xa);
    if (after)
        reply(SERVER, 2000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000 + (uint32_t)after, 0x77, 100, NULL, 0);
    if (!after)
        reply(SERVER, 2001, 0xa);
    ack(CLIENT, 2001, ACK);
    call(CLIENT, 1001, 0xb);
    while (frames < 5 + late)
        ack(SERVER, 1000, ACK);
    response(CLIENT, OP_READ_ONLY, 2000 + (uint32_t)after, ACK, octets, 100);
    displaced = true;
    ck_assert(read_capture());
    ck_assert((strstr(seen, "gap\n") != NULL) == !within);
    ck_assert((strstr(seen, " read server 100 h77") != NULL) == within);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], !within);
    if (within) {
        ck_assert(last_read.has_order);
        ck_assert_uint_eq(last_read.sent, after);
    }
}
END_TEST

/* Begun in the middle: by a response the number of the next request is known, and one that is
 * recorded early waits for its turn. */
START_TEST(number_by_response)
{
    bool one_packet = _i == 0;
    uint32_t next = one_packet ? 2002 : 2003, length = one_packet ? 1000 : 1500;
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    call(CLIENT, 1001, 0xb);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, length, NULL, 0);
    response(CLIENT, one_packet ? OP_READ_ONLY : OP_READ_FIRST, 2001, ACK, octets,
             one_packet ? 1000 : 1024);
    if (!one_packet)
        response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 1024, 476);
    reply(SERVER, next + 1, 0xc);
    reply(SERVER, next, 0xb);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "send server 68 b"));
    ck_assert_ptr_nonnull(strstr(seen, "send server 68 c"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.retransmitted, 0);
}
END_TEST

/* ---- refusals ---- */

/* Of an RDMA Write one code says that memory was refused; of a Send one kind that there was no
 * buffer. */
START_TEST(syndromes)
{
    for (unsigned syndrome = 0; syndrome < 0x80; syndrome++) {
        begin_capture();
        establish();
        call(CLIENT, 1000, 0xa);
        rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 100, octets, 100);
        ack(SERVER, 1000, (uint8_t)(_i == 0 ? syndrome : ACK));
        ack(CLIENT, 2000, (uint8_t)(_i == 1 ? syndrome : ACK));
        ck_assert(read_capture());
        bool refused = _i == 1 && syndrome == NAK_ACCESS;
        bool not_ready = _i == 0 && syndrome >> 5 == 1;
        if ((strstr(seen, "refused") != NULL) != refused ||
            (strstr(seen, "not-ready") != NULL) != not_ready)
            ck_abort_msg("0x%02x: %s", syndrome, seen);
    }
}
END_TEST

/* The refused RDMA Write was not recorded to its end: its length is that on the wire. */
START_TEST(cut_and_refused)
{
    establish();
    call(CLIENT, 1000, 0xa);
    wrapping.snap = 14 + 20 + 8 + 12 + 16 + 10;
    rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 100, octets, 100);
    wrapping.snap = 0;
    ack(CLIENT, 2000, NAK_ACCESS);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "\n5 refused client h77 100\n"));
}
END_TEST

/* A refusal of what is under way, or was before it: an RDMA Write is refused, a Send has no buffer,
 * and not the other way round. */
START_TEST(refused_under_way)
{
    bool write = _i & 1, ready = _i & 2, before = _i & 4;
    establish();
    call(CLIENT, 1000, 0xa);
    ack(CLIENT, 1999, ACK);
    if (write)
        rdma(SERVER, OP_WRITE_FIRST, 2000, 0x77, 2048, octets, 1024);
    else
        request(SERVER, OP_SEND_FIRST, 2000, octets, 1024);
    ack(CLIENT, before ? 1999 : 2000, ready ? NAK_ACCESS : NAK_RNR);
    ck_assert(read_capture());
    ck_assert((strstr(seen, "6 refused client h77 2048\n") != NULL) == (write && ready && !before));
    ck_assert((strstr(seen, "6 not-ready client\n") != NULL) == (!write && !ready && !before));
    ck_assert((strstr(seen, "refused") != NULL) == (write && ready && !before));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("messages out of packets");
    TCase *tests = new_case(suite, "messages");
    tcase_add_test(tests, begins_and_ends);
    tcase_add_loop_test(tests, invalidations, 0, 6);
    tcase_add_loop_test(tests, cut_in_the_middle, 0, 6);
    tcase_add_loop_test(tests, not_ended, 0, 6);
    tcase_add_test(tests, packets_of_a_read);
    tcase_add_loop_test(tests, many_reads, 0, 3);
    tcase_add_loop_test(tests, late_response, 0, 3);
    tcase_add_loop_test(tests, number_by_response, 0, 2);
    tests = new_case(suite, "refusals");
    tcase_add_loop_test(tests, syndromes, 0, 2);
    tcase_add_test(tests, cut_and_refused);
    tcase_add_loop_test(tests, refused_under_way, 0, 8);
    return run_suite(suite);
}
