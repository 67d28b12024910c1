// SPDX-License-Identifier: BSD-3-Clause
/* RDMAP over DDP: messages put together out of segments. */
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/messages.h"
#include "conformance/base/count.h"

START_TEST(sends)
{
    put_send(&sides[0], octets, 0);
    put_send(&sides[0], octets, 99);
    put_send(&sides[0], octets, 100);
    put_send(&sides[0], octets, 101);
    put_send(&sides[0], octets, 1000);
    put_untagged(&sides[0], DDP_OPCODE_SEND_INVALIDATE, 0x77, octets, 150);
    put_untagged(&sides[0], DDP_OPCODE_SEND_SOLICITED, 0x77, octets, 50);
    put_untagged(&sides[0], 6, 0x78, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, ">send:0 >send:99 >send:100 >send:101 >send:1000 >send:150@77 "
                           ">send:50 >send:50@78 ");
}
END_TEST

START_TEST(writes)
{
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 90);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0x12000, octets, 500);
    put_send(&sides[1], octets, 60);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x12, 0x3000, octets, 0);
    pass_all(SERVER);
    ck_assert_str_eq(told, "<write:90@11/1000 <write:500@11/12000 <send:60 <write:0@12/3000 ");
}
END_TEST

/* A message of each kind that stays in part: end() looks that what was kept of it is returned. */
START_TEST(ends_in_part)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    put_tagged(&sides[0], DDP_OPCODE_WRITE, 0x11, 0, octets, 250);
    put_send(&sides[0], octets, 250);
    size_t at = 0;
    for (int passed = 0; passed < 3 * _i; passed++) /* each has three segments */
        at += fpdu_size(load_be16(sides[0].octets + at));
    memmove(sides[0].octets, sides[0].octets + at, 2 * fpdu_size(118));
    sides[0].length = 2 * fpdu_size(118);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "");
    ck_assert_uint_gt(memory.used, 0);
    rdmap_end(&rdmap, at_frame);
    ck_assert_str_eq(told, _i == 2 ? "lost:1 " : "");
    ck_assert_uint_eq(memory.used, 0);
}
END_TEST

/* The first two octets of a ULPDU and its queue: DDP's version, RDMAP's, an opcode that has this
 * queue, or memory, and reserved bits that are 0. With others set it is one, but not plausible. */
START_TEST(first_octets)
{
    static const uint8_t queue_of[16] = {9, 1, 9, 0, 0, 0, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9};
    uint8_t ulpdu[18 + 28] = {0};
    for (unsigned value = 0; value < 0x10000; value++)
        for (uint8_t queue = 0; queue < 4; queue++) {
            unsigned ddp = value >> 8, rdmap_octet = value & 255, opcode = value & 15;
            bool tagged = ddp & 0x80, reserved = (ddp & 0x3c) || (rdmap_octet & 0x30);
            bool good = (ddp & 3) == 1 && rdmap_octet >> 6 == 1 &&
                        (tagged ? opcode == 0 || opcode == 2 : queue == queue_of[opcode]);
            ulpdu[0] = (uint8_t)ddp;
            ulpdu[1] = (uint8_t)rdmap_octet;
            ulpdu[9] = queue;
            size_t recorded, length;
            bool whole = good && !tagged && queue == 0 && ddp & 0x40;
            if (rdmap_is_plausible(ulpdu, sizeof ulpdu, sizeof ulpdu) != (good && !reserved) ||
                (rdmap_whole_send(ulpdu, sizeof ulpdu, sizeof ulpdu, &recorded, &length) != NULL) !=
                    whole)
                ck_abort_msg("0x%04x, queue %u", value, queue);
        }
}
END_TEST

/* A ULPDU has at least its header: 14 octets if it names memory, else 18. */
START_TEST(header_lengths)
{
    size_t header = _i == 0 ? 14 : 18;
    const uint8_t ulpdu[20] = {_i == 0 ? 0xc1 : 0x41, _i == 0 ? 0x40 : 0x43};
    for (size_t length = 0; length <= sizeof ulpdu; length++)
        for (size_t recorded = 0; recorded <= length; recorded++)
            ck_assert(rdmap_is_plausible(guarded(ulpdu, recorded), recorded, length) ==
                      (recorded >= header));
    for (size_t length = 0; length <= sizeof ulpdu; length++)
        ck_assert(rdmap_is_plausible(ulpdu, sizeof ulpdu, length) == (length >= header));
}
END_TEST

/* A whole Send, and what is not. */
START_TEST(whole_send)
{
    size_t recorded = 0, total = 0;
    put_send(&sides[0], octets, 80);
    put_send(&sides[0], octets, 250);                                  /* three segments */
    put_tagged(&sides[0], DDP_OPCODE_WRITE, 0, 0, octets, 80);         /* all zeros where */
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0, 0, octets, 80); /* a Send has its place */
    put_read_request(&sides[0], 0, 0, 0, 0, 0);
    put_untagged(&sides[0], DDP_OPCODE_TERMINATE, 0, octets, 4);
    unsigned number = 0;
    for (size_t at = 0; at < sides[0].length; number++) {
        const uint8_t *ulpdu = sides[0].octets + at + 2;
        size_t length = load_be16(ulpdu - 2);
        const uint8_t *payload = rdmap_whole_send(ulpdu, length, length, &recorded, &total);
        ck_assert_msg((payload != NULL) == (number == 0), "%u", number);
        if (payload) {
            ck_assert_ptr_eq(payload, ulpdu + 18);
            ck_assert_uint_eq(recorded, 80);
            ck_assert_uint_eq(total, 80);
            for (size_t kept = 0; kept < length; kept++) {
                payload = rdmap_whole_send(ulpdu, kept, length, &recorded, &total);
                ck_assert((payload != NULL) == (kept >= 18));
                ck_assert(payload == NULL || (recorded == kept - 18 && total == 80));
            }
        }
        at += fpdu_size(length);
    }
    ck_assert_uint_eq(number, 8);
}
END_TEST

/* Any segment of five Sends missing: each incomplete Send is counted once. */
START_TEST(send_lost)
{
    static const unsigned segments_before[] = {0, 1, 4, 5, 7, 8};
    for (int i = 0; i < 5; i++)
        put_send(&sides[0], octets, (size_t[]){80, 250, 90, 180, 60}[i]);
    pass_on(CLIENT, SIZE_MAX, (unsigned)_i);
    rdmap_end(&rdmap, at_frame);
    ck_assert_uint_eq(lost_sends, 1);
    int lost_one = 0;
    while (segments_before[lost_one + 1] <= (unsigned)_i)
        lost_one++;
    for (int i = 0; i < 5; i++) {
        char one[32];
        snprintf(one, sizeof one, ">send:%d ", (int[]){80, 250, 90, 180, 60}[i]);
        ck_assert((strstr(told, one) == NULL) == (i == lost_one));
    }
}
END_TEST

START_TEST(many_sends_lost)
{
    put_send(&sides[0], octets, 10);
    sides[0].sends += 7;
    put_send(&sides[0], octets, 20);
    sides[0].sends -= 3; /* numbers that go back explain nothing */
    put_send(&sides[0], octets, 30);
    pass_all(CLIENT);
    ck_assert_str_eq(told, ">send:10 lost:7 >send:20 lost:1 >send:30 ");
}
END_TEST

/* Up to a thousand or so are taken at their word; a number further ahead is that of one message. */
START_TEST(most_sends_lost)
{
    put_send(&sides[0], octets, 10);
    sides[0].sends += 1024 + (uint32_t)_i;
    put_send(&sides[0], octets, 20);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? ">send:10 lost:1024 >send:20 " : ">send:10 lost:1 >send:20 ");
}
END_TEST

START_TEST(first_send_lost)
{
    sides[1].sends = 2;
    put_send(&sides[1], octets, 10);
    pass_all(SERVER);
    ck_assert_str_eq(told, "lost:2 <send:10 ");
}
END_TEST

/* A Send of which a part came does not go on as the next one. */
START_TEST(rest_of_a_send_lost)
{
    put_send(&sides[0], octets, 250);
    size_t first = fpdu_size(118), all = sides[0].length;
    put_send(&sides[0], octets, 50);
    memmove(sides[0].octets + first, sides[0].octets + all, sides[0].length - all);
    sides[0].length -= all - first;
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:1 >send:50 ");
}
END_TEST

/* A part of a Send has the octets that follow those before: none twice, none left out. */
START_TEST(offset_of_a_part)
{
    put_send(&sides[0], octets, 250);
    put32(sides[0].octets + fpdu_size(118) + 2 + 14, 100 + (uint32_t)_i - 1);
    put_send(&sides[0], octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 1 ? ">send:250 >send:50 " : "lost:1 >send:50 ");
}
END_TEST

/* The beginning of the connection was not seen: the first number is as it comes, and from then on
 * they are counted; of Sends and of RDMA Reads each on its own. */
START_TEST(mid_stream_lost)
{
    rdmap = (struct rdmap){.memory = &memory, .handler = &rdmap_handler, .arg = &rdmap};
    sides[0].sends = 77;
    sides[0].reads = 99;
    put_send(&sides[0], octets, 10);
    put_read_request(&sides[0], 1, 0, 2, 3, 50);
    sides[0].sends += 2;
    put_send(&sides[0], octets, 20);
    sides[0].reads += 3;
    put_read_request(&sides[0], 1, 100, 2, 3, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, ">send:10 lost:2 >send:20 lost:3 ");
}
END_TEST

/* The beginning of the connection was not seen: numbers are as they come. */
START_TEST(mid_stream)
{
    rdmap = (struct rdmap){.memory = &memory, .handler = &rdmap_handler, .arg = &rdmap};
    sides[0].sends = 0xfffffffe;
    put_send(&sides[0], octets, 10);
    put_send(&sides[0], octets, 20);
    put_send(&sides[0], octets, 30);
    pass_all(CLIENT);
    ck_assert_str_eq(told, ">send:10 >send:20 >send:30 ");
}
END_TEST

START_TEST(write_lost)
{
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0, octets, 250);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x12, 0, octets, 50);
    pass_on(SERVER, SIZE_MAX, 1);
    ck_assert_ptr_nonnull(strstr(told, "<write:50@12 "));
    ck_assert_ptr_null(strstr(told, "write:250"));
}
END_TEST

START_TEST(gathered_out_of_order)
{
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0x100, octets, 100);
    sides[1].octets[2] = 0x81; /* not the last; what follows goes elsewhere */
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0x400, octets, 100);
    pass_all(SERVER);
    ck_assert_str_eq(told, "lost:1 <write:100@11/400 ");
}
END_TEST

/* The same memory region, but not the octets after those before; or the octets, but another region:
 * it is another RDMA Write. */
START_TEST(write_elsewhere)
{
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0x100, octets, 100);
    sides[1].octets[2] = 0x81; /* not the last */
    put_tagged(&sides[1], DDP_OPCODE_WRITE,
               _i == 0   ? 0x12
               : _i == 3 ? 0x10
                         : 0x11,
               _i == 2 ? 0x163 : 0x164, octets, 50);
    pass_all(SERVER);
    if (_i == 1)
        ck_assert_ptr_eq(strstr(told, "<write:150@11/100"), told);
    else
        ck_assert_str_eq(told, _i == 0   ? "lost:1 <write:50@12/164 "
                               : _i == 2 ? "lost:1 <write:50@11/163 "
                                         : "lost:1 <write:50@10/164 ");
}
END_TEST

/* Of each segment only so much was recorded. */
START_TEST(cut)
{
    put_send(&sides[1], octets, 80);
    put_send(&sides[1], octets, 250);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0, octets, 250);
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 150);
    pass_on(SERVER, 18 + 60, UINT_MAX);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 150);
    pass_on(CLIENT, 18 + 60, UINT_MAX);
    ck_assert_str_eq(told, "<send:60+20 <send:60+190 <write:64+186@11 cut <read:150@21/9000? ");
}
END_TEST

START_TEST(cut_in_headers)
{
    put_send(&sides[1], octets, 80);
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 150);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 0x11, 0, octets, 50);
    pass_on(SERVER, (size_t)_i, UINT_MAX);
    if (_i < 14)
        ck_assert_str_eq(told, "unread unread unread ");
    else if (_i < 18)
        ck_assert_ptr_eq(strstr(told, "unread unread <write:"), told);
    else
        ck_assert_ptr_nonnull(strstr(told, "lost:1 <write:"));
}
END_TEST

START_TEST(not_rdmap)
{
    static const struct {
        uint8_t ddp, rdmap, queue;
    } wrong[] = {{0x40, 0x43, 0}, {0x42, 0x43, 0}, {0x41, 0x03, 0}, {0x41, 0x83, 0},
                 {0x41, 0x43, 1}, {0x41, 0x41, 0}, {0x41, 0x47, 0}, {0x41, 0x40, 0},
                 {0xc1, 0x43, 0}, {0x41, 0x48, 0}, {0xc1, 0x4f, 0}, {0x41, 0x40, 3},
                 {0x41, 0x48, 3}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        uint8_t ulpdu[60] = {wrong[i].ddp, wrong[i].rdmap};
        ulpdu[9] = wrong[i].queue;
        ck_assert(!rdmap_is_plausible(ulpdu, sizeof ulpdu, sizeof ulpdu));
        rdmap_take(&rdmap, CLIENT, ulpdu, sizeof ulpdu, sizeof ulpdu, ++at_frame);
        ck_assert_str_eq(told, "unread ");
        told_length = 0;
    }
    uint8_t reserved[60] = {0x45, 0x43};
    ck_assert(!rdmap_is_plausible(reserved, 60, 60));
    reserved[0] = 0x41;
    ck_assert(rdmap_is_plausible(reserved, 60, 60));
    ck_assert(!rdmap_is_plausible(reserved, 60, 17));
}
END_TEST

START_TEST(terminates)
{
    uint8_t why[4] = {0x01};
    put_untagged(&sides[1], DDP_OPCODE_TERMINATE, 0, why, sizeof why);
    pass_all(SERVER);
    ck_assert_str_eq(told, "<terminated ");
}
END_TEST

/* A Terminate message of this kind (layer, type of error), with the headers that it names. */
static void put_terminate(uint8_t kind, uint8_t headers, const struct fpdus *culprit)
{
    uint8_t why[64] = {kind, 0, headers};
    size_t length = load_be16(culprit->octets);
    memcpy(why + 4, culprit->octets, 2 + (length < 46 ? length : 46));
    put_untagged(&sides[1], DDP_OPCODE_TERMINATE, 0, why, sizeof why);
}

START_TEST(refuses)
{
    static struct fpdus read, write, send;
    read.length = write.length = send.length = 0;
    put_read_request(&read, 0x51, 0x100, 0x21, 0x9000, 250);
    put_tagged(&write, DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 90);
    put_send(&send, octets, 90);
    put_terminate(0x01, 0xe0, &read);
    put_terminate(0x11, 0xc0, &write);
    put_terminate(0x11, 0xc0, &send);  /* not memory that was offered */
    put_terminate(0x01, 0xc0, &read);  /* does not say what was to be read */
    put_terminate(0x02, 0xe0, &read);  /* another error */
    put_terminate(0x11, 0x40, &write); /* no length */
    put_terminate(0x11, 0x80, &write); /* no header */
    put_terminate(0x01, 0x60, &read);
    put_terminate(0x01, 0xe0, &send);
    pass_all(SERVER);
    ck_assert_str_eq(told,
                     "<refused-read:250@21/9000? <terminated <refused:90@11/1000? <terminated "
                     "<terminated <terminated <terminated <terminated <terminated "
                     "<terminated <terminated ");
}
END_TEST

/* Two kinds of errors refuse memory, and the headers that are there say which: of every kind, with
 * every flag, by every culprit. */
START_TEST(refusals)
{
    static struct fpdus culprit;
    culprit.length = 0;
    if (_i == 0)
        put_read_request(&culprit, 0x51, 0x100, 0x21, 0x9000, 250);
    else if (_i == 1)
        put_tagged(&culprit, DDP_OPCODE_WRITE, 0x11, 0x1000, octets, 90);
    else if (_i == 2)
        put_tagged(&culprit, DDP_OPCODE_READ_RESPONSE, 0x11, 0x1000, octets, 90);
    else
        put_untagged(&culprit, (unsigned)_i, 0, octets, 90);
    for (unsigned kind = 0; kind < 256; kind++)
        for (unsigned headers = 0; headers < 256; headers += 0x10) {
            bool memory_refused = (kind == 0x01 || kind == 0x11) && (headers & 0xc0) == 0xc0;
            told[told_length = 0] = '\0';
            put_terminate((uint8_t)kind, (uint8_t)(headers | 0x0f), &culprit);
            pass_all(SERVER);
            const char *expected = "<terminated ";
            if (memory_refused && _i == 0 && headers & 0x20)
                expected = "<refused-read:250@21/9000? <terminated ";
            else if (memory_refused && _i == 1)
                expected = "<refused:90@11/1000? <terminated ";
            if (strcmp(told, expected) != 0)
                ck_abort_msg("0x%02x 0x%02x: %s", kind, headers, told);
        }
}
END_TEST

/* Cut anywhere. */
START_TEST(refuses_in_part)
{
    static struct fpdus read;
    read.length = 0;
    put_read_request(&read, 0x51, 0x100, 0x21, 0x9000, 250);
    put_terminate(0x01, 0xe0, &read);
    pass_on(SERVER, 18 + (size_t)_i, UINT_MAX);
    ck_assert_str_eq(told, _i < 4 + 2 + 18 + 28 ? "<terminated "
                                                : "<refused-read:250@21/9000? <terminated ");
}
END_TEST

/* RFC 6581: the client begins with a message of no length, of one kind or another. */
START_TEST(ready_to_receive)
{
    rdmap.ready_to_receive = true;
    if (_i == 0)
        put_send(&sides[0], octets, 0);
    else if (_i == 1)
        put_tagged(&sides[0], DDP_OPCODE_WRITE, 0, 0, octets, 0);
    else
        put_read_request(&sides[0], 0x99aabbcc, 0x55667788, 0xddeeff01, 0x23456789, 0);
    pass_all(CLIENT);
    if (_i == 2)
        put_tagged(&sides[1], DDP_OPCODE_READ_RESPONSE, 0, 0, octets, 0);
    pass_all(SERVER);
    ck_assert_str_eq(told, "");
    put_send(&sides[0], octets, 0); /* the second one means what it says */
    put_tagged(&sides[0], DDP_OPCODE_WRITE, 1, 2, octets, 0);
    pass_all(CLIENT);
    ck_assert_str_eq(told, ">send:0 >write:0@1/2 ");
}
END_TEST

/* It is the client's first message, and of no length; nothing else is passed over for it. */
START_TEST(not_ready_to_receive)
{
    rdmap.ready_to_receive = true;
    put_send(&sides[1], octets, 0);
    put_tagged(&sides[1], DDP_OPCODE_WRITE, 1, 2, octets, 0);
    pass_all(SERVER);
    if (_i == 0)
        put_send(&sides[0], octets, 1);
    else
        put_tagged(&sides[0], DDP_OPCODE_WRITE, 1, 2, octets, 1);
    put_send(&sides[0], octets, 0);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? "<send:0 <write:0@1/2 >send:1 >send:0 "
                                   : "<send:0 <write:0@1/2 >write:1@1/2 >send:0 ");
}
END_TEST

START_TEST(no_room)
{
    memory.max = 0;
    put_send(&sides[0], octets, 250);
    put_send(&sides[0], octets, 50);
    put_tagged(&sides[0], DDP_OPCODE_WRITE, 1, 0, octets, 250);
    put_read_request(&sides[0], 1, 2, 3, 4, 5);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:1 >send:50 lost:1 lost:1 ");
}
END_TEST

START_TEST(evicted)
{
    put_send(&sides[0], octets, 250);
    put_send(&sides[0], octets, 50);
    const size_t segment = 124;
    uint8_t *last = sides[0].octets + 2 * segment; /* of the three segments of the first */
    sides[0].length = segment;
    pass_all(CLIENT);
    ck_assert_uint_gt(memory.used, 0);
    rdmap_evict(&rdmap, at_frame);
    ck_assert_uint_eq(memory.used, 0);
    rdmap_evict(&rdmap, at_frame); /* nothing is left to be lost */
    memmove(sides[0].octets, last, 152);
    sides[0].length = 152;
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:0 lost:1 >send:50 ");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("RDMAP");
    tcase_add_checked_fixture(tests, begin_messages, end_messages);
    tcase_add_test(tests, sends);
    tcase_add_test(tests, writes);
    tcase_add_test(tests, rest_of_a_send_lost);
    tcase_add_loop_test(tests, ends_in_part, 0, 3);
    tcase_add_test(tests, first_octets);
    tcase_add_loop_test(tests, header_lengths, 0, 2);
    tcase_add_test(tests, whole_send);
    tcase_add_loop_test(tests, send_lost, 0, 8);
    tcase_add_test(tests, many_sends_lost);
    tcase_add_loop_test(tests, most_sends_lost, 0, 2);
    tcase_add_test(tests, first_send_lost);
    tcase_add_loop_test(tests, offset_of_a_part, 0, 3);
    tcase_add_test(tests, mid_stream_lost);
    tcase_add_test(tests, mid_stream);
    tcase_add_test(tests, write_lost);
    tcase_add_test(tests, gathered_out_of_order);
    tcase_add_loop_test(tests, write_elsewhere, 0, 4);
    tcase_add_test(tests, cut);
    tcase_add_loop_test(tests, cut_in_headers, 0, 18 + 28);
    tcase_add_test(tests, not_rdmap);
    tcase_add_test(tests, terminates);
    tcase_add_test(tests, refuses);
    tcase_add_loop_test(tests, refusals, 0, 8);
    tcase_add_loop_test(tests, refuses_in_part, 0, 60);
    tcase_add_loop_test(tests, ready_to_receive, 0, 3);
    tcase_add_loop_test(tests, not_ready_to_receive, 0, 2);
    tcase_add_test(tests, no_room);
    tcase_add_test(tests, evicted);
    return run_tests("iWARP: RDMAP", tests);
}
