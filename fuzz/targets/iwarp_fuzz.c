// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: iWARP from a peer that sends anything (rxe-harness/transport/iwarp). The first octet
 * chooses the side and its options. By one of them the rest is the frame by which MPA begins; else
 * ULPDUs, each after an octet that says what we do meanwhile and two with its length, to both
 * halves of RDMAP.
 */
#include "fuzz/fuzz.h"
#include "rxe-harness/transport/iwarp/socket.h"
#include "rxe-harness/transport/iwarp/start.h"

enum { HEADER = 3, HANDLE = 7, MEMORY = 3000, RECEIVES = 3, RECEIVE_SIZE = 700 };

static struct exposed memory;
static struct work work;
static uint8_t mine[MEMORY], *theirs;

/* ---- how it begins ---- */

static void take_start(const uint8_t *data, size_t size, bool is_reply, unsigned options)
{
    static struct start_frame frame;
    uint8_t reply[MPA_START_MAX];
    const struct iwarp_wishes wishes = {
        .revision = options & 4 ? 2 : 1, .crc = options & 8, .markers = options & 16};
    struct iwarp_terms terms;
    frame.have = 0;
    while (size > 0 && start_missing(&frame) > 0) {
        size_t part = start_missing(&frame) < size ? start_missing(&frame) : size;
        FUZZ_ASSERT(part <= MPA_START_MAX - frame.have);
        memcpy(frame.octets + frame.have, data, part);
        frame.have += part;
        data += part;
        size -= part;
    }
    if (start_missing(&frame) > 0 || start_parse(&frame, is_reply) != NULL)
        return;
    const struct mpa_start *parsed = &frame.parsed;
    FUZZ_ASSERT(parsed->private_length <= MPA_START_MAX);
    for (size_t i = 0; i < parsed->private_length; i++)
        mine[i] = parsed->private_data[i];
    if (is_reply)
        start_agree(&wishes, parsed, &terms);
    else
        FUZZ_ASSERT(start_make_reply(reply, &wishes, parsed, mine, 8, &terms) <= sizeof reply);
    if (!is_reply)
        FUZZ_ASSERT(start_make_reject(reply, parsed) <= sizeof reply);
}

/* ---- what comes then ---- */

static void act(struct iwarp_socket *own, unsigned what)
{
    struct user_end *end = &own->end;
    if (what & 1 && end->open && end->work == NULL) {
        work = (struct work){.kind = (enum work_kind)(what >> 1 & 3) % 3,
                             .from = mine,
                             .to = mine,
                             .length = (what >> 3) * 90,
                             .handle = 1};
        end->work = &work;
        own->requester.sent = own->requester.filled = 0;
        own->requester.asked = false;
    }
    if (what & 2) {
        struct happening *happening = end_next(end);
        end->taken -= happening && happening->is_send;
        free(happening);
    }
    if (what & 4) {
        end_forget(end, &memory);
        memory.next = NULL;
        end->memory = &memory;
    }
    for (unsigned i = 0; i < 8 && end->open; i++) {
        iwarp_responder_put(own);
        iwarp_requester_put(own);
        FUZZ_ASSERT(own->out.to <= FPDU_ROOM);
        own->out.from = own->out.to = 0;
    }
}

static void check(const struct iwarp_socket *own)
{
    const struct user_end *end = &own->end;
    FUZZ_ASSERT(end->taken <= end->receives);
    FUZZ_ASSERT(own->responder.due_count <= READS_SERVED);
    FUZZ_ASSERT(end->open || end->why != NULL);
    FUZZ_ASSERT(end->work == NULL || end->open);
    FUZZ_ASSERT(!own->refusal.due || !end->open);
    if (own->refusal.due) {
        static struct fpdu_out out;
        out.from = out.to = 0;
        terminate_put(&out, own->refusal.reason,
                      own->refusal.recorded > 0 ? own->refusal.culprit : NULL,
                      own->refusal.recorded, own->refusal.length);
        FUZZ_ASSERT(out.to <= TERMINATE_ROOM);
    }
}

static struct iwarp_socket *begin(unsigned options)
{
    static struct iwarp_socket own;
    static const struct wire_faults shuffled = {.rate[WIRE_SHUFFLE] = 500000, .seed = 1};
    memset(&own, 0, offsetof(struct iwarp_socket, out));
    memset(&own.refusal, 0, sizeof own.refusal);
    own.terms.active = options & 2;
    own.terms.reads = true;
    own.terms.greeting = options >> 2 & 3;
    own.out.markers = options & 16;
    own.out.position = own.out.from = own.out.to = 0;
    own.requester.sends = own.requester.reads = 1;
    own.responder.sends = own.responder.reads = 1;
    own.end.open = own.end.observed = true;
    own.end.receives = RECEIVES;
    own.end.receive_size = RECEIVE_SIZE;
    own.ulpdu_max = 500;
    wire_set(options & 32 ? &shuffled : NULL);
    wire_begin(&own.end.chance);
    memory = (struct exposed){.octets = theirs,
                              .offset = 0x1000,
                              .length = MEMORY,
                              .handle = HANDLE,
                              .access = LINK_PEER_READS | LINK_PEER_WRITES};
    own.end.memory = &memory;
    return &own;
}

static void take_ulpdus(const uint8_t *data, size_t size, unsigned options)
{
    struct iwarp_socket *own = begin(options);
    while (size >= HEADER && own->end.open) {
        unsigned what = data[0];
        size_t length = (size_t)(data[1] << 8 | data[2]);
        data += HEADER;
        size -= HEADER;
        length = length < size ? length : size;
        uint8_t *ulpdu = malloc(length > 0 ? length : 1); /* so that an octet too many is seen */
        memcpy(ulpdu, data, length);
        iwarp_responder_take(own, ulpdu, length);
        free(ulpdu);
        act(own, what);
        check(own);
        data += length;
        size -= length;
    }
    end_free(&own->end);
    free(own->responder.building);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    theirs = malloc(MEMORY);
    memset(theirs, 1, MEMORY);
    if (data[0] & 1)
        take_start(data + 1, size - 1, data[0] & 2, data[0]);
    else
        take_ulpdus(data + 1, size - 1, data[0]);
    free(theirs);
    return 0;
}
