// SPDX-License-Identifier: BSD-3-Clause
/* Whole packets against those of rdma_rxe (Linux 6.1): what its two sides asked and answered in
 * recorded captures is asked and answered by our queue pairs, and what goes out is compared octet
 * by octet, the invariant CRC included.
 *
 * Taken from the recorded packet is only what the InfiniBand specification leaves to the sender:
 * the IP header and the port of UDP, whether an acknowledgement or an event is asked for, and the
 * state of path migration.
 */
#include "conformance/input/frame/icrc.h"
#include "rxe-harness/transport/roce/management.h"
#include "rxe-harness/transport/roce/queue_pair.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <pcap/dlt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ETHERNET = 14, MIGRATION_AND_EVENT = 0xc0, ASKS = 0x80, AT_FLAGS = 1, AT_ASKS = 8 };

struct recorded {
    uint8_t octets[FRAME_MAX];
    size_t length, ip; /* without Ethernet's header; octets of the IP header */
    struct packet packet;
};

static struct recorded *all;
static size_t count;
static uint32_t mtu;

/* ---- the capture ---- */

static void read_capture(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t record[16], ethernet[ETHERNET];
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_int_eq(fseek(file, 24, SEEK_SET), 0);
    count = mtu = 0;
    while (fread(record, 1, sizeof record, file) == sizeof record) {
        size_t length = (size_t)record[8] | (size_t)record[9] << 8;
        all = realloc(all, (count + 1) * sizeof *all);
        struct recorded *r = &all[count];
        ck_assert(length > ETHERNET && length - ETHERNET <= sizeof r->octets);
        ck_assert_uint_eq(fread(ethernet, 1, ETHERNET, file), ETHERNET);
        r->length = length - ETHERNET;
        ck_assert_uint_eq(fread(r->octets, 1, r->length, file), r->length);
        r->ip = r->octets[0] >> 4 == 6 ? 40 : 20;
        count += packet_parse(DLT_RAW, r->octets, r->length, r->length, &r->packet) == PACKET_ROCE;
    }
    fclose(file);
    for (size_t i = 0; i < count; i++) { /* it was moved */
        struct recorded *r = &all[i];
        packet_parse(DLT_RAW, r->octets, r->length, r->length, &r->packet);
        if (r->packet.opcode <= OP_RC_LAST && r->packet.total > mtu)
            mtu = (uint32_t)r->packet.total;
    }
}

static bool same_way(const struct packet *a, const struct packet *b)
{
    return a->opcode != OP_DATAGRAM && b->opcode != OP_DATAGRAM && a->queue_pair == b->queue_pair &&
           address_equal(&a->source, &b->source) && address_equal(&a->destination, &b->destination);
}

/* `made`, with what is left to the sender as it was recorded. */
static void expect_recorded(struct frame made, const struct recorded *r)
{
    uint8_t *begin = made.octets + made.begin;
    const uint8_t *recorded = r->octets + made.begin;
    ck_assert_uint_eq(made.begin, r->ip + FRAME_UDP);
    ck_assert_uint_eq(made.length, r->length);
    ck_assert_mem_eq(made.octets + made.begin - 4, recorded - 4, 2); /* UDP's length */
    ck_assert_mem_eq(made.octets + made.begin - 6, recorded - 6, 2); /* and its port */
    memcpy(made.octets, r->octets, made.begin);
    begin[AT_FLAGS] = (uint8_t)((begin[AT_FLAGS] & ~MIGRATION_AND_EVENT) |
                                (recorded[AT_FLAGS] & MIGRATION_AND_EVENT));
    begin[AT_ASKS] = (uint8_t)((begin[AT_ASKS] & ~ASKS) | (recorded[AT_ASKS] & ASKS));
    uint32_t crc = icrc_compute(made.octets, r->ip, made.length - ICRC_SIZE);
    for (size_t i = 0; i < ICRC_SIZE; i++, crc >>= 8)
        made.octets[made.length - ICRC_SIZE + i] = (uint8_t)crc;
    ck_assert_msg(memcmp(begin, recorded, made.length - made.begin) == 0,
                  "opcode %u, PSN %u of queue pair %u is another packet", r->packet.opcode,
                  r->packet.psn, r->packet.queue_pair);
}

/* ---- what is asked ---- */

static struct frame sent[4096];
static size_t sent_count;

static void keep(void *arg, struct frame *frame)
{
    (void)arg;
    ck_assert_uint_lt(sent_count, sizeof sent / sizeof *sent);
    sent[sent_count++] = *frame;
}

/* The whole message that begins with all[first]; the numbers of its packets. 0: not all of it was
 * recorded. */
static size_t message_at(size_t first, size_t *packets, size_t room)
{
    size_t length = 0;
    for (size_t i = first; i < count && length < room; i++) {
        const struct packet *packet = &all[i].packet;
        if (!same_way(packet, &all[first].packet) || packet_is_response(packet) ||
            packet->psn != psn_add(all[first].packet.psn, (uint32_t)length))
            continue;
        packets[length++] = i;
        if (packet->opcode != OP_SEND_FIRST && packet->opcode != OP_SEND_MIDDLE &&
            packet->opcode != OP_WRITE_FIRST && packet->opcode != OP_WRITE_MIDDLE)
            return length;
    }
    return 0;
}

static bool begins(uint8_t opcode)
{
    return opcode == OP_SEND_FIRST || opcode == OP_SEND_ONLY || opcode == OP_SEND_ONLY_INVALIDATE ||
           opcode == OP_WRITE_FIRST || opcode == OP_WRITE_ONLY || opcode == OP_READ_REQUEST;
}

static struct queue_pair pair_of(const struct packet *sends)
{
    struct queue_pair pair = {.peer = sends->queue_pair, .mtu = mtu, .transmit = keep};
    pair.path.local = sends->source;
    pair.path.remote = sends->destination;
    pair.end.open = true;
    pair.end.receives = 1;
    pair.end.receive_size = 1 << 20;
    return pair;
}

/* Ask for it to its end, which the peer acknowledges. */
static void ask(struct work *work, const struct packet *first)
{
    struct queue_pair pair = pair_of(first);
    pair.next_psn = first->psn;
    pair.end.work = work;
    sent_count = 0;
    roce_requester_begin(&pair, 0);
    while (work->kind != WORK_READ && work->state == WORK_UNDER_WAY) {
        struct packet ack = {.opcode = OP_ACKNOWLEDGE,
                             .psn = psn_add(first->psn, pair.way.sent - 1),
                             .syndrome = ACK_WITHOUT_CREDITS};
        roce_requester_take(&pair, &ack, 0);
    }
}

/* An RDMA Read of many packets is asked for in parts: then the first part's length is ours. */
static void expect_read(const struct recorded *r)
{
    struct work work = {.kind = WORK_READ,
                        .length = r->packet.length,
                        .handle = r->packet.handle,
                        .offset = r->packet.offset};
    ask(&work, &r->packet);
    uint8_t *length = sent[0].octets + sent[0].begin + FRAME_BASE + 12;
    if (work.length > READ_PART * mtu) {
        ck_assert_uint_eq(load_be32(length), READ_PART * mtu);
        memcpy(length, r->octets + sent[0].begin + FRAME_BASE + 12, 4);
    }
    expect_recorded(sent[0], r);
}

static void expect_data(const size_t *packets, size_t length)
{
    static uint8_t octets[1 << 20];
    const struct packet *first = &all[packets[0]].packet, *last = &all[packets[length - 1]].packet;
    bool is_write = first->opcode >= OP_WRITE_FIRST && first->opcode <= OP_WRITE_ONLY;
    struct work work = {.kind = is_write ? WORK_WRITE : WORK_SEND,
                        .from = octets,
                        .handle = first->handle,
                        .offset = first->offset};
    if (last->opcode == OP_SEND_LAST_INVALIDATE || last->opcode == OP_SEND_ONLY_INVALIDATE)
        work.invalidate = &last->handle;
    for (size_t i = 0; i < length; i++) {
        const struct packet *packet = &all[packets[i]].packet;
        ck_assert_uint_le(work.length + packet->total, sizeof octets);
        memcpy(octets + work.length, packet->payload, packet->total);
        work.length += packet->total;
    }
    ask(&work, first);
    ck_assert_uint_eq(sent_count, length);
    for (size_t i = 0; i < length; i++)
        expect_recorded(sent[i], &all[packets[i]]);
}

/* The least of each kind that a capture has, so that none is passed over. */
static const struct {
    const char *path;
    unsigned requests, answers, management; /* packets */
} captures[] = {
    {"vectors/recorded/linux-6.1-nfs42.pcap", 1370, 700, 5},
    {"vectors/recorded/linux-6.1-work-roce.pcap", 432, 425, 6},
    {"vectors/recorded/linux-6.1-errors.pcap", 163, 160, 212},
};

START_TEST(requests_are_those_of_rxe)
{
    size_t packets[1024], compared = 0;
    read_capture(captures[_i].path);
    for (size_t i = 0; i < count; i++) {
        if (!begins(all[i].packet.opcode))
            continue;
        size_t length = message_at(i, packets, sizeof packets / sizeof *packets);
        compared += length;
        if (length > 0 && all[i].packet.opcode == OP_READ_REQUEST)
            expect_read(&all[i]);
        else if (length > 0)
            expect_data(packets, length);
    }
    ck_assert_uint_ge(compared, captures[_i].requests);
}
END_TEST

/* ---- what is answered ---- */

static bool is_request(const struct packet *packet, uint32_t queue_pair)
{
    return packet->opcode != OP_DATAGRAM && !packet_is_response(packet) &&
           packet->queue_pair == queue_pair;
}

/* An answer to who asked this, whose queue pair is `to`. */
static bool is_answer(const struct packet *packet, const struct packet *request, uint32_t to)
{
    return packet->opcode != OP_DATAGRAM && packet_is_response(packet) &&
           packet->queue_pair == to && address_equal(&packet->source, &request->destination) &&
           address_equal(&packet->destination, &request->source);
}

/* What an RDMA Read brought. */
static void gather_read(const struct packet *request, uint32_t to, uint8_t *octets)
{
    uint32_t filled = 0, psn = request->psn;
    for (size_t i = 0; i < count && filled < request->length; i++) {
        const struct packet *packet = &all[i].packet;
        if (!is_answer(packet, request, to) || packet->psn != psn ||
            packet->opcode == OP_ACKNOWLEDGE)
            continue;
        ck_assert_uint_le(filled + packet->total, request->length);
        memcpy(octets + filled, packet->payload, packet->total);
        filled += (uint32_t)packet->total;
        psn = psn_add(psn, 1);
    }
    ck_assert_uint_eq(filled, request->length);
}

/* A queue pair answers what all[first] and those after it ask; its answers go to `to`. All memory
 * that is named is there. */
static void answer_all(size_t first, uint32_t to)
{
    static uint8_t octets[1 << 20];
    const struct packet *opens = &all[first].packet;
    struct exposed memory;
    struct queue_pair pair = pair_of(opens);
    pair.path = (struct roce_path){.local = opens->destination, .remote = opens->source};
    pair.peer = to;
    pair.expected = opens->psn;
    sent_count = 0;
    for (size_t i = first; i < count; i++) {
        const struct packet *packet = &all[i].packet;
        if (!same_way(packet, opens) || packet_is_response(packet))
            continue;
        if (packet->handle != 0) {
            memory = (struct exposed){.octets = octets,
                                      .handle = packet->handle,
                                      .offset = packet->offset,
                                      .length = packet->length,
                                      .access = LINK_PEER_READS | LINK_PEER_WRITES};
            pair.end.memory = &memory;
        }
        if (packet->opcode == OP_READ_REQUEST)
            gather_read(packet, to, octets);
        roce_responder_take(&pair, packet, all[i].octets[all[i].ip + FRAME_UDP + AT_ASKS] & ASKS);
        while (roce_responder_run(&pair))
            ;
        for (struct happening *h; (h = end_next(&pair.end)) != NULL; free(h))
            pair.end.taken = 0;
    }
    roce_responder_end(&pair);
}

/* Our answer of the same kind about the same PSN; NULL: there is none. */
static const struct frame *sent_as(const struct packet *packet)
{
    for (size_t i = 0; i < sent_count; i++) {
        const uint8_t *base = sent[i].octets + sent[i].begin;
        if (base[0] == packet->opcode && load_be24(base + 9) == packet->psn)
            return &sent[i];
    }
    return NULL;
}

/* Of the queue pair `asked`, to `to`. What it refuses is its own matter. Returns how many. */
static unsigned expect_answers(uint32_t asked, uint32_t to)
{
    unsigned compared = 0;
    size_t first = 0;
    while (first < count && !is_request(&all[first].packet, asked))
        first++;
    if (first == count)
        return 0;
    answer_all(first, to);
    for (size_t i = 0; i < count; i++) {
        const struct packet *packet = &all[i].packet;
        if (!is_answer(packet, &all[first].packet, to) ||
            (packet->syndrome & SYNDROME_KIND) != SYNDROME_ACK)
            continue;
        const struct frame *frame = sent_as(packet);
        ck_assert_msg(frame != NULL, "nothing is answered about PSN %u", packet->psn);
        expect_recorded(*frame, &all[i]);
        compared++;
    }
    return compared;
}

/* The reply to this request to connect; false: there is none. */
static bool find_reply(const struct management *request, struct management *reply)
{
    for (size_t i = 0; i < count; i++)
        if (management_take(&all[i].packet, reply) && reply->kind == MANAGEMENT_REPLY &&
            reply->receiver == request->sender.id)
            return true;
    return false;
}

START_TEST(answers_are_those_of_rxe)
{
    unsigned compared = 0;
    struct management request, reply;
    read_capture(captures[_i].path);
    for (size_t i = 0; i < count; i++) {
        if (!management_take(&all[i].packet, &request) || request.kind != MANAGEMENT_REQUEST ||
            !find_reply(&request, &reply))
            continue;
        compared += expect_answers(reply.sender.queue_pair, request.sender.queue_pair);
        compared += expect_answers(request.sender.queue_pair, reply.sender.queue_pair);
    }
    ck_assert_uint_ge(compared, captures[_i].answers);
}
END_TEST

/* ---- how a connection is made and ended ---- */

/* What each side chooses: offsets in the message (12.6.5 to 12.6.9), and octets. */
static const struct {
    enum management_kind kind;
    size_t at, octets;
} chosen[] = {
    {MANAGEMENT_REQUEST, 43, 1},  /* how long it waits for the peer's answer */
    {MANAGEMENT_REQUEST, 47, 1},  /* and the peer for its own; retries */
    {MANAGEMENT_REQUEST, 50, 1},  /* retries where there is no Receive; the MTU, compared below */
    {MANAGEMENT_REQUEST, 88, 3},  /* flow label */
    {MANAGEMENT_REQUEST, 95, 1},  /* timeout of an acknowledgement */
    {MANAGEMENT_REQUEST, 142, 2}, /* RDMA CM's header: the port that it comes from */
    {MANAGEMENT_REPLY, 27, 1},    /* retries where there is no Receive */
    {MANAGEMENT_REPLY, 28, 8},    /* the adapter's identifier */
};

START_TEST(management_is_that_of_linux)
{
    unsigned compared = 0;
    read_capture(captures[_i].path);
    for (size_t i = 0; i < count; i++) {
        const struct packet *packet = &all[i].packet;
        struct management message;
        struct frame frame;
        if (!management_take(packet, &message))
            continue;
        const struct roce_path path = {.local = packet->source, .remote = packet->destination};
        management_make(&frame, &path, &message, packet->psn);
        size_t begin = frame.begin + FRAME_BASE + 8 + 24; /* behind DETH and the header of a MAD */
        if (message.kind == MANAGEMENT_REQUEST)
            ck_assert_uint_eq(frame.octets[begin + 50] >> 4, all[i].octets[begin + 50] >> 4);
        for (size_t j = 0; j < sizeof chosen / sizeof *chosen; j++)
            if (chosen[j].kind == message.kind)
                memcpy(frame.octets + begin + chosen[j].at, all[i].octets + begin + chosen[j].at,
                       chosen[j].octets);
        expect_recorded(frame, &all[i]);
        compared++;
    }
    ck_assert_uint_ge(compared, captures[_i].management);
}
END_TEST

int main(void)
{
    const int captured = sizeof captures / sizeof *captures;
    TCase *tcase = tcase_create("rxe");
    tcase_add_loop_test(tcase, requests_are_those_of_rxe, 0, captured);
    tcase_add_loop_test(tcase, answers_are_those_of_rxe, 0, captured);
    tcase_add_loop_test(tcase, management_is_that_of_linux, 0, captured);
    int failed = run_tests("recorded packets", tcase);
    free(all);
    return failed;
}
