// SPDX-License-Identifier: BSD-3-Clause
/* Several frames that were recorded late or early together: what a request and its acknowledgement
 * say then is the same as that of peers who did otherwise, but for the times. */
#include "conformance/base/count.h"
#include "conformance/tests/support/captures/files.h"
#include "conformance/tests/support/captures/seen.h"

/* Frames that are recorded now are that much older. */
static void recorded_late(uint32_t seconds)
{
    seconds_late = seconds;
    times_differ = displaced = true;
}

/* A Reply and its acknowledgement, of whatever age, behind the Call that followed them; a message
 * that follows ends all waiting. */
static void record_reply(uint32_t seconds, unsigned between)
{
    establish();
    call(CLIENT, 1000, 0x9);
    reply(SERVER, 2000, 0x9);
    ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xa);
    ack(SERVER, 1001, ACK);
    call(CLIENT, 1002, 0xb);
    ack(SERVER, 1002, ACK);
    for (unsigned i = 0; i < between; i++)
        ack(SERVER, 1002, ACK);
    recorded_late(seconds);
    reply(SERVER, 2001, 0xa);
    ack(CLIENT, 2001, ACK);
    recorded_late(0);
    reply(SERVER, 2002, 0xb);
    call(CLIENT, 1003, 0xc);
}

/* By the times of one interface it came before the Call, within the window. */
START_TEST(reply_late)
{
    static const struct {
        uint32_t seconds, between;
        bool goes_before;
    } cases[] = {{3, 0, true},  {2, 0, false},  {1, 0, false},
                 {0, 0, false}, {26, 22, true}, {27, 23, false}};
    record_reply(cases[_i].seconds, cases[_i].between);
    ck_assert(read_capture());
    const char *b = strstr(seen, "8 send client 68 b\n"), *a = strstr(seen, " send server 68 a\n");
    ck_assert(a && b);
    ck_assert_msg((a < b) == cases[_i].goes_before, "%s", seen);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* The frames again as pcapng, those of the Reply and its acknowledgement by the same interface, by
 * another one, by that of another section, or without a time. */
enum clock { CLOCK_SAME, CLOCK_OTHER, CLOCK_SECTION, CLOCK_NONE };
static void write_pcapng(enum clock clock)
{
    uint8_t octets_of[FRAME_MAX];
    uint32_t record[4];
    FILE *written = capture;
    begin_capture();
    format = (struct format){.next_generation = true};
    convert();
    write_interface(LINK_ETHERNET, NULL, 0);
    ck_assert_int_eq(fseek(written, 24, SEEK_SET), 0);
    for (int number = 1; fread(record, sizeof record, 1, written) == 1; number++) {
        ck_assert_uint_le(record[2], sizeof octets_of);
        ck_assert_uint_eq(fread(octets_of, 1, record[2], written), record[2]);
        bool late = number == 10 || number == 11;
        if (clock == CLOCK_SECTION && (number == 10 || number == 12))
            begin_section();
        format.interface = clock == CLOCK_OTHER && late;
        format.ticks = clock == CLOCK_NONE && late ? 0 : record[0] * UINT64_C(1000000);
        write_record(octets_of, record[2]);
    }
    fclose(written);
}

/* Clocks of two interfaces are not compared, nor is what has no time. */
START_TEST(other_interface)
{
    record_reply(3, 0);
    write_pcapng((enum clock)_i);
    ck_assert_msg(read_capture(), "%s", read_error);
    const char *b = strstr(seen, "8 send client 68 b\n"),
               *a = strstr(seen, "10 send server 68 a\n");
    ck_assert_msg(a && b && (a < b) == (_i == CLOCK_SAME), "%s", seen);
}
END_TEST

/* So does what begins late, though it ends behind the Call that was acknowledged. */
START_TEST(operation_late)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    call(CLIENT, 1001, 0xb);
    ack(SERVER, 1001, ACK);
    recorded_late(5);
    rdma(SERVER, OP_WRITE_FIRST, 2000, 0x77, 1500, octets, 1024);
    request(SERVER, OP_WRITE_LAST, 2001, octets + 1024, 476);
    reply(SERVER, 2002, 0xa);
    recorded_late(0);
    reply(SERVER, 2003, 0xb);
    call(CLIENT, 1002, 0xc);
    expect(NAME "3 send client 68 a\n8 write server 1500 h77\n9 send server 68 a\n"
                "5 send client 68 b\n10 send server 68 b\n11 send client 68 c\nclosed\n");
}
END_TEST

/* A Call that its times put before a Reply stays behind it: that excuses nobody, and a clock may
 * have been set. */
START_TEST(call_late)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    ack(CLIENT, 2000, ACK);
    recorded_late(3);
    call(CLIENT, 1001, 0xb);
    recorded_late(0);
    reply(SERVER, 2001, 0xb);
    expect(NAME "3 send client 68 a\n5 send server 68 a\n7 send client 68 b\n8 send server 68 b\n"
                "closed\n");
}
END_TEST

/* A Reply that was recorded early with its acknowledgement draws no other one before its Call. */
START_TEST(reply_early)
{
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    reply(SERVER, 2002, 0xc);
    ack(CLIENT, 2002, ACK);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2001, 0xb);
    call(CLIENT, 1002, 0xc);
    call(CLIENT, 1003, 0xd);
    displaced = true;
    expect(NAME "3 send client 68 a\n4 send server 68 a\n7 send client 68 b\n8 send server 68 b\n"
                "9 send client 68 c\n5 send server 68 c\n10 send client 68 d\nclosed\n");
}
END_TEST

/* The acknowledgement of a Call was recorded ahead of the Call, and of a Reply that by its time
 * came before both: the Call goes before that Reply only where the times do not say so. */
START_TEST(acknowledged_early)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    recorded_late(_i == 0 ? 2 : 0);
    reply(SERVER, 2000, 0xa);
    recorded_late(0);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2001, 0xb);
    call(CLIENT, 1002, 0xc);
    expect(_i == 0 ? NAME "3 send client 68 a\n5 send server 68 a\n6 send client 68 b\n"
                          "7 send server 68 b\n8 send client 68 c\nclosed\n"
                   : NAME "3 send client 68 a\n6 send client 68 b\n5 send server 68 a\n"
                          "7 send server 68 b\n8 send client 68 c\nclosed\n");
}
END_TEST

/* Without the path MTU: a response waits for its RDMA Read, though a later one is requested. */
START_TEST(requests_exchanged)
{
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xb);
    pass_window();
    rdma(SERVER, OP_READ_REQUEST, 2004, 0x78, 1500, NULL, 0);
    request(CLIENT, OP_READ_MIDDLE, 2002, octets + 1024, 1024);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 3000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2001, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2003, ACK, octets + 2048, 952);
    response(CLIENT, OP_READ_FIRST, 2004, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2005, ACK, octets + 1024, 476);
    reply(SERVER, 2006, 0xb);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_msg(strstr(seen, "read server 3000 h77") && strstr(seen, "read server 1500 h78"),
                  "%s", seen);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorded late together");
    TCase *tests = new_case(suite, "late");
    tcase_add_loop_test(tests, reply_late, 0, 6);
    tcase_add_loop_test(tests, other_interface, 0, CLOCK_NONE + 1);
    tcase_add_test(tests, operation_late);
    tcase_add_test(tests, call_late);
    tcase_add_test(tests, reply_early);
    tcase_add_loop_test(tests, acknowledged_early, 0, 2);
    tcase_add_test(tests, requests_exchanged);
    return run_suite(suite);
}
