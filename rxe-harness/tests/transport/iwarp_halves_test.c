// SPDX-License-Identifier: BSD-3-Clause
/* FPDUs, and both halves of an iWARP connection, without thread and socket. */
#include "rxe-harness/transport/iwarp/fpdu.h"
#include "rxe-harness/transport/iwarp/socket.h"
#include "rxe-harness/transport/iwarp/start.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE 7
#define RECEIVE 64

static struct fpdu_out out;
static struct iwarp_socket own, peer;
static uint8_t octets[1 << 12];
static struct exposed memory;

/* ---- how long ---- */

/* Octets on the wire of an FPDU with such a ULPDU, which begins where a marker is due. */
static size_t size_on_wire(size_t length, bool markers)
{
    static const uint8_t payload[1 << 16];
    out.markers = markers;
    out.position = out.from = out.to = 0;
    fpdu_begin(&out, length);
    fpdu_put(&out, payload, length);
    fpdu_end(&out);
    return out.to;
}

/* It is one segment, and with one more word it is not (RFC 5044, 5.1). */
START_TEST(an_fpdu_is_one_segment)
{
    bool markers = _i == 1;
    for (size_t segment = 128; segment < 9000; segment++) {
        size_t most = fpdu_ulpdu_max(segment, markers);
        ck_assert_uint_le(size_on_wire(most, markers), segment);
        ck_assert_uint_gt(size_on_wire(most + (markers ? 12 : 4), markers), segment);
    }
    /* Smaller segments carry parts; the length has 16 bits. */
    ck_assert_uint_eq(fpdu_ulpdu_max(1, markers), fpdu_ulpdu_max(128, markers));
    ck_assert_uint_le(fpdu_ulpdu_max(1 << 20, markers), UINT16_MAX);
}
END_TEST

/* ---- what the peer asks ---- */

static void set_up(void)
{
    memset(&own, 0, sizeof own);
    out.markers = false;
    out.position = out.from = out.to = 0;
    own.responder.sends = own.responder.reads = 1;
    own.end.open = own.end.observed = true;
    own.end.receives = 2;
    own.end.receive_size = RECEIVE;
    own.ulpdu_max = 1024;
    memory = (struct exposed){.octets = octets,
                              .offset = 0x100000000,
                              .length = sizeof octets,
                              .handle = HANDLE,
                              .access = LINK_PEER_READS | LINK_PEER_WRITES};
    own.end.memory = &memory;
}

static void tear_down(void)
{
    end_free(&own.end);
    free(own.responder.building);
}

/* The ULPDU that is put out is what the peer sends us. */
static void take_what_is_put(void)
{
    size_t length = (size_t)out.octets[out.from] << 8 | out.octets[out.from + 1];
    iwarp_responder_take(&own, out.octets + out.from + 2, length);
    out.from = out.to = 0;
}

static void store(uint8_t *at, unsigned size, uint64_t number)
{
    while (size-- > 0) {
        at[size] = (uint8_t)number;
        number >>= 8;
    }
}

static void ask_read(uint32_t number, uint32_t length)
{
    uint8_t request[READ_REQUEST_SIZE] = {[3] = 9};
    store(request + 12, 4, length);
    store(request + 16, 4, HANDLE);
    store(request + 20, 8, memory.offset);
    iwarp_put_untagged(&out, OP_READ_REQUEST, true, 0, QUEUE_READ_REQUEST, number, 0, request,
                       sizeof request);
    take_what_is_put();
}

static void ask_send(uint32_t number, size_t at, size_t length, bool last)
{
    iwarp_put_untagged(&out, OP_SEND, last, 0, QUEUE_SEND, number, at, octets, length);
    take_what_is_put();
}

static void answer_reads(void)
{
    while (iwarp_responder_put(&own))
        own.out.from = own.out.to = 0;
}

/* As many at once as are agreed on, again and again; one more is refused. */
START_TEST(reads_are_bounded)
{
    uint32_t number = 1;
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < READS_SERVED; i++)
            ask_read(number++, 3000);
        ck_assert(own.end.open);
        ck_assert_uint_eq(own.responder.due_count, READS_SERVED);
        answer_reads();
        ck_assert_uint_eq(own.responder.due_count, 0);
    }
    for (unsigned i = 0; i <= READS_SERVED; i++) {
        ck_assert(own.end.open);
        ask_read(number++, 3000);
    }
    ck_assert(!own.end.open);
    ck_assert_int_eq(own.refusal.reason, DDP_NO_BUFFER);
}
END_TEST

/* A request for a Read is one segment (RFC 5040, 4.4). */
START_TEST(a_read_is_asked_for_in_one_segment)
{
    uint8_t request[READ_REQUEST_SIZE] = {[3] = 9};
    store(request + 16, 4, HANDLE);
    store(request + 20, 8, memory.offset);
    iwarp_put_untagged(&out, OP_READ_REQUEST, _i == 0, 0, QUEUE_READ_REQUEST, 1, 0, request,
                       sizeof request);
    take_what_is_put();
    ck_assert_int_eq(own.end.open, _i == 0);
    ck_assert_uint_eq(own.responder.due_count, _i == 0);
    ck_assert(_i == 0 || own.refusal.reason == DDP_TOO_LONG);
}
END_TEST

/* A Send takes a Receive from its first segment on, until the owner has given it back. */
START_TEST(receives_are_counted)
{
    ask_send(1, 0, RECEIVE, true);
    ask_send(2, 0, RECEIVE / 2, false);
    ask_send(2, RECEIVE / 2, RECEIVE / 2, true);
    ck_assert(own.end.open);
    ck_assert_uint_eq(own.end.taken, 2);
    for (int i = 0; i < 2; i++) {
        struct happening *send = end_next(&own.end);
        ck_assert_uint_eq(send->length, RECEIVE);
        ck_assert_mem_eq(send->octets, octets, RECEIVE);
        free(send);
    }
    ck_assert_uint_eq(own.end.waiting, 0);
    own.end.taken--; /* given back */
    ask_send(3, 0, 1, true);
    ck_assert(own.end.open);
    ask_send(4, 0, 1, true);
    ck_assert(!own.end.open);
    ck_assert_int_eq(own.refusal.reason, DDP_NO_BUFFER);
}
END_TEST

/* Segments that go on one after the other are one RDMA Write; the rest is another. */
START_TEST(writes_are_put_together)
{
    static const struct {
        uint64_t at;
        size_t length;
        bool last;
    } segments[] = {{0, 100, false}, {100, 50, true},  {150, 10, false},
                    {200, 10, true}, {210, 10, false}, {220, 10, true}};
    static const size_t lengths[] = {150, 10, 10, 20};
    for (size_t i = 0; i < COUNT(segments); i++) {
        iwarp_put_tagged(&out, OP_WRITE, segments[i].last, HANDLE, memory.offset + segments[i].at,
                         octets, segments[i].length);
        take_what_is_put();
    }
    ck_assert(own.end.open);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct happening *happening = end_next(&own.end);
        ck_assert_ptr_nonnull(happening);
        ck_assert(happening->is_write);
        ck_assert_uint_eq(happening->length, lengths[i]);
        free(happening);
    }
    ck_assert_ptr_null(end_next(&own.end));
    ck_assert_ptr_null(own.end.written);
}
END_TEST

/* ---- what we ask ---- */

/* The next ULPDU that our end has put out; the peer is another end, and takes it. */
static struct ddp_segment pass(struct iwarp_socket *from, struct iwarp_socket *to)
{
    const uint8_t *fpdu = from->out.octets + from->out.from;
    size_t length = (size_t)fpdu[0] << 8 | fpdu[1];
    struct ddp_segment segment;
    ck_assert_uint_le(length, from->ulpdu_max);
    ck_assert(ddp_parse(fpdu + 2, length, length, &segment));
    iwarp_responder_take(to, fpdu + 2, length);
    from->out.from = from->out.to = 0;
    ck_assert(to->end.open);
    return segment;
}

/* As the link's owner does it: one thing at a time, until it is done. */
static unsigned ask(struct work *work, uint32_t number)
{
    unsigned segments = 0;
    own.end.work = work;
    own.requester.sent = own.requester.filled = 0;
    own.requester.asked = own.requester.came = 0;
    while (iwarp_requester_put(&own)) {
        struct ddp_segment segment = pass(&own, &peer);
        ck_assert(segment.tagged || segment.number == number);
        while (iwarp_responder_put(&peer)) {
            pass(&peer, &own);
            segments++;
        }
        segments += work->kind != WORK_READ;
    }
    ck_assert_int_eq(work->state, WORK_DONE);
    return segments;
}

static void set_up_both(void)
{
    set_up();
    for (size_t i = 0; i < sizeof octets; i++)
        octets[i] = (uint8_t)(i * 7 + i / 256);
    peer = own;
    own.ulpdu_max = peer.ulpdu_max = 100;
    own.requester.sends = own.requester.reads = 1;
    own.terms.active = peer.begun = own.begun = true;
    own.terms.reads = READS_ISSUED;
    peer.end.receive_size = sizeof octets;
    peer.end.receives = 8;
    own.end.memory = NULL;
}

static void tear_down_both(void)
{
    end_free(&peer.end);
    tear_down();
}

/* Lengths about those of one, two and more segments, and how many these are: after a header, so
 * much of a ULPDU is left. */
static const size_t around[] = {0, 1, 81, 82, 83, 85, 86, 87, 163, 164, 165, 172, 173, 1000};

static unsigned segments_of(size_t length, size_t room)
{
    return length == 0 ? 1 : (unsigned)((length + room - 1) / room);
}

/* Sends arrive whole in as few segments as can be, and count up by one. */
START_TEST(a_send_takes_segments)
{
    uint32_t number = 1;
    for (size_t i = 0; i < COUNT(around); i++) {
        struct work work = {.kind = WORK_SEND, .from = octets + i, .length = around[i]};
        ck_assert_uint_eq(ask(&work, number++), segments_of(around[i], 100 - UNTAGGED_SIZE));
        struct happening *send = end_next(&peer.end);
        ck_assert_ptr_nonnull(send);
        ck_assert(send->is_send);
        ck_assert_uint_eq(send->length, around[i]);
        ck_assert_mem_eq(send->octets, octets + i, around[i]);
        free(send);
        peer.end.taken--;
    }
    ck_assert_ptr_null(end_next(&peer.end));
}
END_TEST

/* A Write fills its range and no octet beside it; a Read brings the same back. */
START_TEST(memory_takes_segments)
{
    static uint8_t far[1 << 12], back[1 << 12];
    uint32_t number = 1;
    memory.octets = far;
    for (size_t i = 0; i < COUNT(around); i++) {
        struct work work = {.kind = WORK_WRITE,
                            .from = octets,
                            .length = around[i],
                            .handle = HANDLE,
                            .offset = memory.offset + 10};
        memset(far, 0xee, sizeof far);
        memset(back, 0xdd, sizeof back);
        unsigned segments = segments_of(around[i], 100 - TAGGED_SIZE);
        ck_assert_uint_eq(ask(&work, 0), segments);
        ck_assert_mem_eq(far + 10, octets, around[i]);
        ck_assert_uint_eq(far[9], 0xee);
        ck_assert_uint_eq(far[10 + around[i]], 0xee);
        work = (struct work){.kind = WORK_READ,
                             .to = back + 10,
                             .length = around[i],
                             .handle = HANDLE,
                             .offset = memory.offset + 10};
        ck_assert_uint_eq(ask(&work, number++), segments);
        ck_assert_mem_eq(back + 10, octets, around[i]);
        ck_assert_uint_eq(back[9], 0xdd);
        ck_assert_uint_eq(back[10 + around[i]], 0xdd);
    }
}
END_TEST

/* What comes where no Read is under way, or not at its place, or too much or too little of it. */
START_TEST(a_response_is_checked)
{
    static const struct {
        int handle, offset; /* beside what is expected */
        size_t length;
        bool asked, last;
        enum reason reason;
    } responses[] = {
        {0, 0, 20, false, true, DDP_HANDLE},       {1, 0, 20, true, true, DDP_HANDLE},
        {0, 1, 19, true, true, DDP_BOUNDS},        {0, 0, 21, true, true, DDP_BOUNDS},
        {0, 0, 19, true, true, RDMAP_UNSPECIFIED},
    };
    uint8_t to[32];
    struct work work = {.kind = WORK_READ, .to = to, .length = 20, .handle = HANDLE};
    memset(to, 0xdd, sizeof to);
    own.end.work = responses[_i].asked ? &work : NULL;
    if (responses[_i].asked)
        ck_assert(iwarp_requester_put(&own));
    iwarp_put_tagged(&out, OP_READ_RESPONSE, responses[_i].last,
                     own.requester.sink + (uint32_t)responses[_i].handle,
                     (uint64_t)responses[_i].offset, octets, responses[_i].length);
    take_what_is_put();
    ck_assert(!own.end.open);
    ck_assert_int_eq(own.refusal.reason, responses[_i].reason);
    ck_assert(!responses[_i].asked || work.state == WORK_FAILED);
    for (size_t i = 0; i < sizeof to; i++)
        ck_assert(to[i] == 0xdd || (i < 19 && responses[_i].reason == RDMAP_UNSPECIFIED));
}
END_TEST

/* What a peer says of the Reads that it serves at once, and how many we ask for. */
START_TEST(a_peer_says_how_many_reads)
{
    static const uint16_t served[] = {0, 1, 3, READS_ISSUED, 100}, issued[] = {0, 1, 3, 4, 4};
    static const struct iwarp_wishes wishes = {.revision = 2, .crc = true};
    struct mpa_start reply = {.revision = 2, .enhanced = true, .ird = served[_i]};
    struct iwarp_terms terms;
    ck_assert_ptr_null(start_agree(&wishes, &reply, &terms));
    ck_assert_uint_eq(terms.reads, issued[_i]);
    uint8_t frame[MPA_START_MAX];
    struct mpa_start own_reply;
    size_t length = start_make_reply(frame, &wishes, &reply, NULL, 0, &terms);
    ck_assert_int_eq(mpa_start_parse(frame, length, true, &own_reply), MPA_PARSED);
    ck_assert_uint_eq(own_reply.ord & MPA_DEPTH, issued[_i]);
    reply = (struct mpa_start){.revision = 1};
    ck_assert_ptr_null(start_agree(&wishes, &reply, &terms));
    ck_assert_uint_eq(terms.reads, 1);
}
END_TEST

#define PARTS 6

/* As many parts of a Read as the peer serves are asked for at once, another one when one is whole;
 * none twice. */
START_TEST(parts_of_a_read_are_under_way)
{
    static uint8_t far[PARTS * READ_PART - 100], back[sizeof far];
    struct work work = {.kind = WORK_READ,
                        .to = back,
                        .length = sizeof far,
                        .handle = HANDLE,
                        .offset = memory.offset};
    for (size_t i = 0; i < sizeof far; i++)
        far[i] = (uint8_t)(i * 7 + i / 256 + i / READ_PART);
    memory.octets = far;
    memory.length = sizeof far;
    own.ulpdu_max = peer.ulpdu_max = 1024;
    own.terms.reads = (unsigned)_i;
    own.end.work = &work;
    unsigned asked = 0, most = 0;
    while (work.state == WORK_UNDER_WAY) {
        while (iwarp_requester_put(&own)) {
            struct ddp_segment request = pass(&own, &peer);
            ck_assert_uint_eq(request.number, ++asked);
        }
        unsigned due = peer.responder.due_count;
        most = due > most ? due : most;
        ck_assert_uint_eq(due, PARTS - own.requester.came < (unsigned)_i
                                   ? PARTS - own.requester.came
                                   : (unsigned)_i);
        while (peer.responder.due_count == due) {
            ck_assert(iwarp_responder_put(&peer));
            pass(&peer, &own);
        }
    }
    ck_assert_int_eq(work.state, WORK_DONE);
    ck_assert_uint_eq(asked, PARTS);
    ck_assert_uint_eq(most, (unsigned)_i);
    ck_assert_mem_eq(back, far, sizeof far);
}
END_TEST

/* A response that goes on into the next part, or ends before its own does, or belongs to a part
 * that was not asked for. */
START_TEST(a_part_is_checked)
{
    static const enum reason reasons[] = {DDP_BOUNDS, RDMAP_UNSPECIFIED, DDP_HANDLE};
    static uint8_t to[3 * READ_PART], from[READ_PART + 1];
    struct work work = {.kind = WORK_READ, .to = to, .length = sizeof to, .handle = HANDLE};
    memset(to, 0xdd, sizeof to);
    own.terms.reads = 1;
    own.end.work = &work;
    ck_assert(iwarp_requester_put(&own));
    ck_assert(!iwarp_requester_put(&own));
    struct ddp_segment segment = {.tagged = true,
                                  .last = true,
                                  .handle = own.requester.sink,
                                  .payload = from,
                                  .length = READ_PART + (_i == 0) - (_i == 1)};
    iwarp_requester_take(&own, &segment, from, segment.length);
    if (_i == 2) {
        ck_assert(own.end.open);
        segment.offset = READ_PART;
        iwarp_requester_take(&own, &segment, from, segment.length);
    }
    ck_assert(!own.end.open);
    ck_assert_int_eq(own.refusal.reason, reasons[_i]);
    ck_assert_uint_eq(to[READ_PART], 0xdd);
}
END_TEST

/* To a peer that serves no Reads none is sent. */
START_TEST(a_peer_may_serve_no_reads)
{
    uint8_t to[1];
    struct work work = {.kind = WORK_READ, .to = to, .length = 1, .handle = HANDLE};
    own.terms.reads = 0;
    own.end.work = &work;
    ck_assert(!iwarp_requester_put(&own));
    ck_assert_uint_eq(own.out.to, 0);
    ck_assert_int_eq(work.state, WORK_FAILED);
    ck_assert_str_eq(own.end.why, "the peer serves no RDMA Reads");
}
END_TEST

/* The message by which the peer begins is not told, but a Send has a number (RFC 6581, 9). */
START_TEST(a_greeting_is_counted)
{
    own.terms.greeting = _i == 0 ? GREETING_SEND : GREETING_WRITE;
    if (_i == 0) {
        ask_send(1, 0, 0, true);
    } else {
        iwarp_put_tagged(&out, OP_WRITE, true, 0, 0, octets, 0);
        take_what_is_put();
    }
    ck_assert(own.begun);
    ck_assert_ptr_null(end_next(&own.end));
    ask_send(_i == 0 ? 2 : 1, 0, 10, true);
    ck_assert(own.end.open);
    struct happening *send = end_next(&own.end);
    ck_assert_ptr_nonnull(send);
    ck_assert_uint_eq(send->length, 10);
    free(send);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("halves of iWARP");
    TCase *test = tcase_create("halves");
    tcase_add_checked_fixture(test, set_up, tear_down);
    tcase_set_timeout(test, 30);
    tcase_add_loop_test(test, an_fpdu_is_one_segment, 0, 2);
    tcase_add_test(test, reads_are_bounded);
    tcase_add_loop_test(test, a_read_is_asked_for_in_one_segment, 0, 2);
    tcase_add_test(test, receives_are_counted);
    tcase_add_loop_test(test, a_greeting_is_counted, 0, 2);
    tcase_add_test(test, writes_are_put_together);
    suite_add_tcase(suite, test);
    test = tcase_create("both");
    tcase_add_checked_fixture(test, set_up_both, tear_down_both);
    tcase_add_test(test, a_send_takes_segments);
    tcase_add_test(test, memory_takes_segments);
    tcase_add_loop_test(test, a_response_is_checked, 0, 5);
    tcase_add_test(test, a_peer_may_serve_no_reads);
    tcase_add_loop_test(test, a_peer_says_how_many_reads, 0, 5);
    tcase_add_loop_test(test, parts_of_a_read_are_under_way, 1, READS_ISSUED + 1);
    tcase_add_loop_test(test, a_part_is_checked, 0, 3);
    suite_add_tcase(suite, test);
    return run_suite(suite);
}
