// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: packets of RoCEv2 from a peer that sends anything (rxe-harness/transport/roce), to
 * their parser and to both halves of a queue pair. The first octet chooses the path and its MTU;
 * then come packets, each after an octet that says what we do meanwhile, one with its place near
 * the PSN that is due, and two with its length. Its check sum is made right.
 */
#include "fuzz/fuzz.h"
#include "conformance/input/frame/icrc.h"
#include "rxe-harness/transport/roce/management.h"
#include "rxe-harness/transport/roce/queue_pair.h"
#include "rxe-harness/transport/user/ip.h"

enum { HEADER = 4, HANDLE = 7, MEMORY = 3000, RECEIVES = 3, RECEIVE_SIZE = 700 };

static struct exposed memory;
static uint8_t mine[MEMORY], *sent;
static struct work work;

/* What goes out is a packet that we would take. */
static void transmit(void *arg, struct frame *frame)
{
    struct queue_pair *pair = arg;
    struct frame back;
    struct packet packet;
    bool asks;
    size_t length = frame->length - frame->begin;
    const struct roce_path there = {.local = pair->path.remote, .remote = pair->path.local};
    FUZZ_ASSERT(frame->length <= FRAME_MAX);
    memcpy(frame_room(&back, &there), frame->octets + frame->begin, length);
    FUZZ_ASSERT(frame_take(&back, &there, ROCE_PORT, length, &packet, &asks));
    FUZZ_ASSERT(packet.queue_pair == pair->peer && packet.total <= pair->mtu);
}

/* The check sum is made right where there is room for one. */
static bool receive(const struct roce_path *path, const uint8_t *octets, size_t length,
                    struct frame *frame, struct packet *packet, bool *asks)
{
    uint8_t *room = frame_room(frame, path);
    memcpy(room, octets, length);
    if (frame_take(frame, path, ROCE_PORT, length, packet, asks))
        return true;
    if (length < FRAME_BASE + ICRC_SIZE)
        return false;
    uint32_t sum = icrc_compute(frame->octets, (size_t)(room - frame->octets) - FRAME_UDP,
                                (size_t)(room - frame->octets) + length - ICRC_SIZE);
    for (size_t i = 0; i < ICRC_SIZE; i++, sum >>= 8)
        room[length - ICRC_SIZE + i] = (uint8_t)sum;
    return frame_take(frame, path, ROCE_PORT, length, packet, asks);
}

static void take(struct queue_pair *pair, struct packet *packet, int near, bool asks, int64_t now)
{
    struct management message;
    if (packet->opcode == OP_DATAGRAM) {
        if (management_take(packet, &message)) {
            FUZZ_ASSERT(message.private_length <= REPLY_PRIVATE_MAX);
            for (size_t i = 0; i < message.private_length; i++)
                mine[i] = message.private_data[i]; /* all of it is there */
            FUZZ_ASSERT(management_reason(message.reason) != NULL);
        }
        return;
    }
    bool is_response = packet->opcode >= OP_READ_FIRST && packet->opcode <= OP_ACKNOWLEDGE;
    uint32_t due = is_response ? psn_add(pair->way.first, pair->way.done) : pair->expected;
    packet->psn = psn_add(due, (uint32_t)near & PSN_MASK);
    if (is_response)
        roce_requester_take(pair, packet, now);
    else
        roce_responder_take(pair, packet, asks);
}

/* What its owner does, by the bits of an octet. */
static void act(struct queue_pair *pair, unsigned what, int64_t now)
{
    struct user_end *end = &pair->end;
    if (what & 1 && end->open && end->work == NULL) {
        work = (struct work){.kind = (enum work_kind)(what >> 1 & 3) % 3,
                             .from = mine,
                             .to = mine,
                             .length = (what >> 3) * 90,
                             .handle = 1};
        end->work = &work;
        roce_requester_begin(pair, now);
    }
    if (what & 2) {
        struct happening *happening = end_next(end);
        end->taken -= happening && happening->is_send;
        free(happening);
    }
    if (what & 4 && end->open)
        end_forget(end, &memory);
    if (what & 4) {
        memory.next = NULL;
        end->memory = &memory;
    }
    roce_requester_run(pair, now);
    for (unsigned burst = 0; burst < 4 && roce_responder_run(pair); burst++)
        ;
}

static void check(const struct queue_pair *pair)
{
    const struct user_end *end = &pair->end;
    FUZZ_ASSERT(end->taken <= end->receives);
    FUZZ_ASSERT(pair->responses_count <= RESPONSES_MAX);
    FUZZ_ASSERT(pair->way.done <= pair->way.sent && pair->way.sent <= pair->way.packets);
    FUZZ_ASSERT(end->open || end->why != NULL);
    FUZZ_ASSERT(end->work == NULL || end->open);
    FUZZ_ASSERT(pair->inside != INSIDE_SEND || pair->building || !end->open);
}

static struct queue_pair *begin(unsigned options)
{
    static struct queue_pair pair;
    static const struct wire_faults shuffled = {.rate[WIRE_SHUFFLE] = 500000, .seed = 1};
    pair = (struct queue_pair){.number = 5, .peer = 6, .mtu = 256u << (options & 3) % 3};
    pair.transmit = transmit;
    pair.transmit_arg = &pair;
    for (unsigned i = 10; i < 12 && !(options & 8); i++)
        pair.path.local.octets[i] = pair.path.remote.octets[i] = 0xff; /* IPv4 */
    pair.path.remote.octets[15] = 1;
    pair.end.open = pair.end.observed = true;
    pair.end.receives = RECEIVES;
    pair.end.receive_size = RECEIVE_SIZE;
    wire_set(options & 16 ? &shuffled : NULL);
    wire_begin(&pair.end.chance);
    memory = (struct exposed){.octets = sent,
                              .offset = 0x1000,
                              .length = MEMORY,
                              .handle = HANDLE,
                              .access = LINK_PEER_READS | LINK_PEER_WRITES};
    pair.end.memory = &memory;
    return &pair;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    sent = malloc(MEMORY); /* so that an octet too many is seen */
    memset(sent, 1, MEMORY);
    struct queue_pair *pair = begin(data[0]);
    int64_t now = 1;
    for (data++, size--; size >= HEADER; now += 100000) {
        struct frame frame;
        struct packet packet;
        bool asks;
        unsigned what = data[0];
        int near = (int8_t)data[1];
        /* No more than a socket is asked for. */
        size_t most =
            (size_t)(frame.octets + sizeof frame.octets - frame_room(&frame, &pair->path));
        size_t length = (size_t)(data[2] << 8 | data[3]) % (most + 1);
        data += HEADER;
        size -= HEADER;
        length = length < size ? length : size;
        if (receive(&pair->path, data, length, &frame, &packet, &asks))
            take(pair, &packet, near, asks, now);
        act(pair, what, now);
        check(pair);
        data += length;
        size -= length;
    }
    roce_responder_end(pair);
    free(sent);
    return 0;
}
