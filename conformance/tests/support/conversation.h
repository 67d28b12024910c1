// SPDX-License-Identifier: BSD-3-Clause
/*
 * Conversations of two peers that keep all rules, made at random: Calls and answers of both
 * directions, chunks of every shape, RDMA Reads and Writes, credits that rise and fall. A seed
 * decides everything.
 */
#ifndef CONFORMANCE_TESTS_CONVERSATION_H
#define CONFORMANCE_TESTS_CONVERSATION_H

#include <check.h>
#include <rpcrdma/check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define TALK_CALLS 16   /* of one side that wait at once */
#define TALK_SEGMENTS 4 /* a chunk */
#define TALK_CHUNKS 3
#define TALK_SEND 8192

struct talk_chunk {
    uint32_t count;
    struct rpcrdma1_segment segment[TALK_SEGMENTS]; /* as offered */
    struct rpcrdma1_segment returned[TALK_SEGMENTS];
    bool returned_empty;
};

/* A Call that waits for its answer. */
struct talk_call {
    bool active;
    bool answered; /* but a copy of it is not */
    enum rpcrdma_endpoint from;
    uint32_t xid, service, gss_seq, gss_proc, nfs_version; /* service 0: no RPCSEC_GSS */
    uint32_t reads, writes, arguments;                     /* arguments: words inline */
    struct rpcrdma1_read_segment read[TALK_CHUNKS * TALK_SEGMENTS + TALK_SEGMENTS];
    struct talk_chunk write[TALK_CHUNKS], reply;
    bool is_long, has_reply, planned, long_reply;
    uint32_t next_read, next_write; /* what RDMA moves next */
    uint32_t copies;                /* that nothing has answered */
};

/* What is about to be sent. */
struct talk_out {
    struct rpcrdma_event event;
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk writes[TALK_CHUNKS];
    uint32_t payload_words, payload[TALK_SEND / 4];
    size_t header_length;
    uint8_t octets[TALK_SEND];
};

struct talk {
    uint64_t seed, random, events, notes;
    struct rpcrdma_check_config config;
    struct rpcrdma_check *check;
    struct talk_call calls[2][TALK_CALLS];
    uint32_t grant[2], next_xid[2], threshold[2];
    bool replied[2];
    bool called[2];
    uint64_t next_address;
    bool one_handle, rdma_seen, invalidates;
    size_t snap; /* octets that the capture keeps of an event */
    struct talk_out out;
    /* Called before an event is encoded and after it; true: judge it otherwise. */
    bool (*before)(struct talk *talk, struct talk_call *call);
    bool (*after)(struct talk *talk, struct talk_call *call);
    const char *expected; /* rule that before() or after() has broken */
    bool broken;
};

/* ---- numbers ---- */

static inline uint64_t talk_random(struct talk *talk)
{
    uint64_t z = talk->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One of 0 to n - 1. */
static inline uint32_t pick(struct talk *talk, uint32_t n)
{
    return (uint32_t)((talk_random(talk) >> 32) * n >> 32);
}

static inline bool chance(struct talk *talk, uint32_t percent)
{
    return pick(talk, 100) < percent;
}

static inline uint64_t chunk_length(const struct rpcrdma1_segment *segments, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += segments[i].length;
    return sum;
}

/* ---- judging ---- */

static inline void talk_judge(struct talk *talk)
{
    struct rpcrdma_judgement verdict;
    char text[256] = "nothing";
    const char *rule = "none";
    struct rpcrdma_event *event = &talk->out.event;
    if (event->length > talk->snap && event->data) {
        event->missing = event->length - talk->snap;
        event->length = talk->snap;
    }
    rpcrdma_check_event(talk->check, event, &verdict);
    talk->events++;
    unsigned found = 0;
    for (unsigned i = 0; i < verdict.count; i++) {
        if (verdict.findings[i].severity == RPCRDMA_NOTE) {
            talk->notes++;
            continue;
        }
        found++;
        rule = rpcrdma_requirements[verdict.findings[i].rule].id;
        rpcrdma_finding_text(&verdict.findings[i], text, sizeof text);
    }
    if (talk->expected)
        ck_assert_msg(found == 1 && strcmp(rule, talk->expected) == 0,
                      "seed %llu, event %llu: %u findings, %s: %s; not %s",
                      (unsigned long long)talk->seed, (unsigned long long)talk->events, found, rule,
                      text, talk->expected);
    else
        ck_assert_msg(found == 0, "seed %llu, event %llu: %s: %s", (unsigned long long)talk->seed,
                      (unsigned long long)talk->events, rule, text);
}

static inline void talk_begin(struct talk *talk, enum rpcrdma_event_type type,
                              enum rpcrdma_endpoint from)
{
    talk->out.event = (struct rpcrdma_event){.type = type, .from = from, .data = talk->out.octets};
    talk->out.payload_words = 0;
    talk->out.header = (struct rpcrdma1_header){.rdma_vers = 1};
}

/* Let a test break it, encode and judge it. */
static inline void talk_send(struct talk *talk, struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    bool broken = talk->before && talk->before(talk, call);
    if (out->event.type == RPCRDMA_EVENT_SEND) {
        ptrdiff_t n = rpcrdma1_header_encode(out->octets, sizeof out->octets, &out->header, NULL);
        ck_assert_int_gt(n, 0);
        out->header_length = (size_t)n;
        for (uint32_t i = 0; i < out->payload_words; i++, n += 4)
            rpcrdma_xdr_store32(out->octets + n, out->payload[i]);
        out->event.length = (size_t)n;
    }
    broken = broken || (talk->after && talk->after(talk, call));
    if (!broken) {
        const char *expected = talk->expected;
        talk->expected = NULL;
        talk_judge(talk);
        talk->expected = expected;
        return;
    }
    talk_judge(talk);
    talk->broken = true;
}

/* ---- memory and RPC ---- */

static inline struct rpcrdma1_segment new_segment(struct talk *talk, uint32_t most)
{
    struct rpcrdma1_segment segment = {.length = pick(talk, most + 1)};
    bool apart = chance(talk, 70);
    segment.handle = talk->one_handle ? 0x42 : (uint32_t)(talk->next_address >> 4);
    segment.offset = talk->next_address;
    talk->next_address += segment.length + (apart ? 64 : 0);
    if (!talk->one_handle)
        talk->next_address += 16; /* another handle for the next one */
    return segment;
}

static inline void push(struct talk *talk, uint32_t word)
{
    talk->out.payload[talk->out.payload_words++] = word;
}

static inline void push_some(struct talk *talk, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        push(talk, (uint32_t)talk_random(talk));
}

static inline void push_call(struct talk *talk, const struct talk_call *call)
{
    const uint32_t fixed[] = {call->xid, 0, 2, 100003, call->nfs_version, 1};
    for (unsigned i = 0; i < 6; i++)
        push(talk, fixed[i]);
    if (call->service == 0) {
        push(talk, 0), push(talk, 0);
    } else {
        const uint32_t gss[] = {6, 24, 1, call->gss_proc, call->gss_seq, call->service, 4, 0x77};
        for (unsigned i = 0; i < 8; i++)
            push(talk, gss[i]);
    }
    push(talk, 0), push(talk, 0);
}

static inline bool is_sealed(const struct talk_call *call)
{
    return call->service == 2 || call->service == 3;
}

/* ---- Calls ---- */

static inline void make_chunk(struct talk *talk, struct talk_chunk *chunk, uint32_t least)
{
    chunk->count = least + pick(talk, TALK_SEGMENTS + 1 - least);
    for (uint32_t i = 0; i < chunk->count; i++)
        chunk->segment[i] = new_segment(talk, 3000);
}

/* Read chunks at ascending places of the arguments; `base` octets go before these. */
static inline void make_reads(struct talk *talk, struct talk_call *call, uint32_t base)
{
    uint32_t chunks = pick(talk, TALK_CHUNKS + 1), inline_words = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < chunks; i++) {
        uint32_t first = call->reads, segments = 1 + pick(talk, TALK_SEGMENTS);
        inline_words += pick(talk, call->arguments - inline_words + 1);
        uint64_t length = 0;
        for (uint32_t s = 0; s < segments; s++) {
            struct rpcrdma1_read_segment *read = &call->read[call->reads++];
            read->position = base + 4 * inline_words + (uint32_t)before;
            read->target = new_segment(talk, 5000);
            length += read->target.length;
        }
        if (length == 0)
            call->read[first].target.length = 1, length = 1, talk->next_address += 64;
        before += (length + 3) & ~(uint64_t)3;
    }
    /* The order of the chunks means nothing: sometimes the first goes last. */
    uint32_t head = 1;
    while (head < call->reads && call->read[head].position == call->read[0].position)
        head++;
    for (; head > 0 && chunks > 1 && pick(talk, 2); head--) {
        struct rpcrdma1_read_segment moved = call->read[0];
        memmove(&call->read[0], &call->read[1], (call->reads - 1) * sizeof moved);
        call->read[call->reads - 1] = moved;
    }
}

/* The Position Zero chunk before them: `octets` in up to four segments. */
static inline void make_position_zero(struct talk *talk, struct talk_call *call, uint32_t octets)
{
    uint32_t segments = 1 + pick(talk, TALK_SEGMENTS);
    for (uint32_t i = 0; i < segments; i++) {
        struct rpcrdma1_read_segment *read = &call->read[call->reads++];
        *read = (struct rpcrdma1_read_segment){.target = new_segment(talk, 0)};
        read->target.length = i + 1 == segments ? octets : pick(talk, octets + 1);
        talk->next_address += read->target.length;
        octets -= read->target.length;
    }
}

static inline void make_call(struct talk *talk, struct talk_call *call, enum rpcrdma_endpoint from)
{
    *call = (struct talk_call){.active = true, .from = from, .copies = 1};
    call->xid = talk->next_xid[from]++;
    call->nfs_version = chance(talk, 50) ? 3 : 4;
    call->service = chance(talk, 30) ? 1 + pick(talk, 4) : 0;
    call->gss_proc = chance(talk, 20) ? 1 + pick(talk, 3) : 0;
    call->gss_seq = pick(talk, 1000);
    call->arguments = pick(talk, 60);
    bool sets_up = call->service != 0 && call->gss_proc != 0;
    bool plain = !sets_up && !is_sealed(call);
    uint32_t rpc = 4 * (call->service ? 16 : 10);
    call->is_long = chance(talk, 15);
    if (call->is_long)
        make_position_zero(talk, call, rpc + 4 * call->arguments);
    if (plain && chance(talk, 40)) {
        struct talk_call only_reads = {.arguments = call->arguments};
        make_reads(talk, &only_reads, rpc);
        memcpy(&call->read[call->reads], only_reads.read, only_reads.reads * sizeof call->read[0]);
        call->reads += only_reads.reads;
    }
    call->writes = plain && chance(talk, 50) ? pick(talk, TALK_CHUNKS + 1) : 0;
    for (uint32_t i = 0; i < call->writes; i++)
        make_chunk(talk, &call->write[i], 0);
    call->has_reply = chance(talk, 40);
    if (call->has_reply)
        make_chunk(talk, &call->reply, 1);
}

static inline void send_call(struct talk *talk, struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    talk_begin(talk, RPCRDMA_EVENT_SEND, call->from);
    out->header.rdma_xid = call->xid;
    out->header.rdma_credit = 1 + pick(talk, 64);
    out->header.rdma_body.proc = call->is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    struct rpcrdma1_chunk_lists *lists = &out->header.rdma_body.rdma_msg;
    lists->rdma_reads.items = call->read;
    lists->rdma_reads.count = call->reads;
    for (uint32_t i = 0; i < call->writes; i++) {
        out->writes[i] = (struct rpcrdma1_write_chunk){.target = {.count = call->write[i].count}};
        out->writes[i].target.items = call->write[i].segment;
    }
    lists->rdma_writes.items = out->writes;
    lists->rdma_writes.count = call->writes;
    lists->rdma_reply.present = call->has_reply;
    lists->rdma_reply.value.target.items = call->reply.segment;
    lists->rdma_reply.value.target.count = call->reply.count;
    if (!call->is_long) {
        push_call(talk, call);
        for (uint32_t i = 0; i < call->arguments; i++)
            push(talk, call->xid + i + (is_sealed(call) ? call->gss_seq : 0));
    }
    talk_send(talk, call);
    talk->called[call->from] = true;
}

static inline void send_again(struct talk *talk, struct talk_call *call)
{
    call->copies++;
    call->gss_seq++;
    send_call(talk, call);
}

/* ---- RDMA ---- */

/* The RPC message of a Long Call, as far as the operation brings it. */
static inline void fill_long_call(struct talk *talk, const struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    out->payload_words = 0;
    push_call(talk, call);
    push_some(talk, call->arguments);
    for (uint32_t i = 0; i < out->payload_words; i++)
        rpcrdma_xdr_store32(out->octets + 4 * i, out->payload[i]);
}

static inline void operate(struct talk *talk, struct talk_call *call, enum rpcrdma_event_type type,
                           const struct rpcrdma1_segment *segment, uint32_t length)
{
    struct talk_out *out = &talk->out;
    if (!talk->rdma_seen || length == 0)
        return;
    enum rpcrdma_endpoint from = call->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    uint32_t half = chance(talk, 30) ? pick(talk, length) : 0;
    bool position_zero = type == RPCRDMA_EVENT_RDMA_READ && call->is_long && call->next_read == 0;
    for (int part = 0; part < 2 && !talk->broken; part++) {
        uint32_t from_octet = part ? half : 0, octets = part ? length - half : half;
        if (octets == 0)
            continue;
        talk_begin(talk, type, from);
        if (position_zero && from_octet == 0)
            fill_long_call(talk, call);
        else
            out->event.data = NULL;
        out->event.handle = segment->handle;
        out->event.offset = segment->offset + from_octet;
        out->event.length = octets;
        talk_send(talk, call);
    }
}

/* ---- answers ---- */

/* How the answer uses the memory that the Call offers. */
static inline void fill(struct talk *talk, struct talk_chunk *chunk, uint64_t octets)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->returned[i] = chunk->segment[i];
        uint32_t here =
            octets < chunk->segment[i].length ? (uint32_t)octets : chunk->segment[i].length;
        chunk->returned[i].length = here;
        octets -= here;
    }
    (void)talk;
}

static inline void plan(struct talk *talk, struct talk_call *call)
{
    call->planned = true;
    uint64_t room = chunk_length(call->reply.segment, call->reply.count);
    call->long_reply = call->has_reply && room >= 24 && chance(talk, 50);
    fill(talk, &call->reply,
         call->long_reply ? 20 + 4 * (uint64_t)pick(talk, (uint32_t)(room - 20) / 4 + 1) : 0);
    for (uint32_t i = 0; i < call->writes; i++) {
        struct talk_chunk *chunk = &call->write[i];
        room = chunk_length(chunk->segment, chunk->count);
        uint64_t used = chance(talk, 70) ? pick(talk, (uint32_t)room + 1) : 0;
        fill(talk, chunk, used);
        chunk->returned_empty = used == 0 && call->nfs_version == 4 && chance(talk, 50);
    }
}

/* The n-th segment that is written, through all chunks; NULL behind the last. */
static inline const struct rpcrdma1_segment *written(const struct talk_call *call, uint32_t n)
{
    for (uint32_t i = 0; i < call->writes; i++) {
        if (n < call->write[i].count)
            return &call->write[i].returned[n];
        n -= call->write[i].count;
    }
    return n < call->reply.count ? &call->reply.returned[n] : NULL;
}

static inline void push_reply(struct talk *talk, const struct talk_call *call)
{
    push(talk, call->xid), push(talk, 1);
    if (chance(talk, 10)) { /* denied: RPC_MISMATCH, or AUTH_ERROR */
        push(talk, 1);
        if (chance(talk, 50))
            push(talk, 0), push(talk, 2), push(talk, 2);
        else
            push(talk, 1), push(talk, pick(talk, 19));
        return;
    }
    push(talk, 0), push(talk, 0), push(talk, 0);
    uint32_t stat = chance(talk, 90) ? 0 : pick(talk, 6);
    push(talk, stat);
    if (stat == 2)
        push(talk, 3), push(talk, 4);
    else if (stat == 0)
        push_some(talk, pick(talk, 60));
}

static inline void grant(struct talk *talk, enum rpcrdma_endpoint to, uint32_t credits)
{
    talk->out.header.rdma_credit = credits;
    talk->grant[to] = credits;
}

static inline void send_error(struct talk *talk, struct talk_call *call)
{
    talk_begin(talk, RPCRDMA_EVENT_SEND,
               call->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT);
    talk->out.header.rdma_xid = call->xid;
    talk->out.header.rdma_body.proc = RPCRDMA1_ERROR;
    talk->out.header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    grant(talk, call->from, 1 + pick(talk, TALK_CALLS));
    talk_send(talk, call);
}

static inline void invalidate(struct talk *talk, const struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    const struct rpcrdma1_segment *segment = written(call, pick(talk, 4));
    if (!talk->invalidates || chance(talk, 50))
        return;
    if (call->reads > 0 && chance(talk, 50))
        segment = &call->read[pick(talk, call->reads)].target;
    event->invalidate = segment != NULL;
    event->handle = segment ? segment->handle : 0;
}

static inline void send_reply(struct talk *talk, struct talk_call *call)
{
    struct talk_out *out = &talk->out;
    talk_begin(talk, RPCRDMA_EVENT_SEND,
               call->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT);
    out->header.rdma_xid = call->xid;
    out->header.rdma_body.proc = call->long_reply ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    struct rpcrdma1_chunk_lists *lists = &out->header.rdma_body.rdma_msg;
    *lists = (struct rpcrdma1_chunk_lists){.rdma_reply = {.present = call->has_reply}};
    for (uint32_t i = 0; i < call->writes; i++) {
        const struct talk_chunk *chunk = &call->write[i];
        out->writes[i] = (struct rpcrdma1_write_chunk){
            .target = {.count = chunk->returned_empty ? 0 : chunk->count}};
        out->writes[i].target.items = chunk->returned;
    }
    lists->rdma_writes.items = out->writes;
    lists->rdma_writes.count = call->writes;
    lists->rdma_reply.value.target.items = call->reply.returned;
    lists->rdma_reply.value.target.count = call->reply.count;
    if (!call->long_reply)
        push_reply(talk, call);
    grant(talk, call->from, 1 + pick(talk, TALK_CALLS));
    invalidate(talk, call);
    talk_send(talk, call);
    talk->replied[call->from] = true;
}

static inline void answer(struct talk *talk, struct talk_call *call, bool error)
{
    error ? send_error(talk, call) : send_reply(talk, call);
    call->answered = true;
    if (--call->copies == 0)
        call->active = false;
}

/* The Responder's next step with this Call. */
static inline void serve(struct talk *talk, struct talk_call *call)
{
    const struct rpcrdma1_segment *segment;
    if (call->answered) {
        answer(talk, call, !call->planned);
    } else if (call->next_read < call->reads) {
        const struct rpcrdma1_segment *read = &call->read[call->next_read].target;
        operate(talk, call, RPCRDMA_EVENT_RDMA_READ, read, read->length);
        call->next_read++;
    } else if (!call->planned) {
        if (chance(talk, 3))
            answer(talk, call, true);
        else
            plan(talk, call);
    } else if ((segment = written(call, call->next_write)) != NULL) {
        operate(talk, call, RPCRDMA_EVENT_RDMA_WRITE, segment, segment->length);
        call->next_write++;
    } else {
        answer(talk, call, false);
    }
}

/* ---- the conversation ---- */

static inline uint32_t in_flight(const struct talk *talk, enum rpcrdma_endpoint from)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < TALK_CALLS; i++)
        count += talk->calls[from][i].active && !talk->calls[from][i].answered;
    return count;
}

static inline bool may_call(const struct talk *talk, enum rpcrdma_endpoint from)
{
    if (from == RPCRDMA_SERVER && !talk->called[RPCRDMA_CLIENT])
        return false;
    return in_flight(talk, from) < (talk->replied[from] ? talk->grant[from] : 1);
}

static inline void talk_step(struct talk *talk)
{
    enum rpcrdma_endpoint from = chance(talk, 80) ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    struct talk_call *call = &talk->calls[from][pick(talk, TALK_CALLS)];
    if (!call->active) {
        if (may_call(talk, from)) {
            make_call(talk, call, from);
            send_call(talk, call);
        }
    } else if (!call->answered && !call->planned && chance(talk, 2)) {
        send_again(talk, call);
    } else {
        serve(talk, call);
    }
}

/* What the peers told each other while they connected, or what the settings say. */
static inline void talk_connect(struct talk *talk)
{
    bool all = chance(talk, 30);
    uint8_t octets[2][8];
    talk->threshold[0] = talk->threshold[1] = RPCRDMA_DEFAULT_INLINE;
    if (!all)
        return;
    for (unsigned side = 0; side < 2; side++) {
        struct rpcrdma_private_data data = {1, true, 4096, 4096, 0};
        rpcrdma_private_data_encode(octets[side], 8, &data);
        talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_PRIVATE_DATA,
                                                 .from = (enum rpcrdma_endpoint)side,
                                                 .data = octets[side],
                                                 .length = 8};
        size_t snap = talk->snap;
        talk->snap = 8;
        talk_judge(talk);
        talk->snap = snap;
    }
    talk->invalidates = true;
}

static inline void talk_start(struct talk *talk, uint64_t seed, void *memory, size_t size)
{
    *talk = (struct talk){.seed = seed, .random = seed, .snap = SIZE_MAX};
    talk->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    talk->config.max_calls = chance(talk, 50) ? 256 : TALK_CALLS;
    talk->config.max_segments = 1024;
    talk->config.reverse_direction = chance(talk, 30);
    talk->config.captured = chance(talk, 30);
    talk->config.mid_stream = chance(talk, 10);
    if (chance(talk, 30))
        talk->config.inline_threshold[0] = talk->config.inline_threshold[1] = 2048;
    talk->check = rpcrdma_check_init(memory, size, &talk->config);
    ck_assert_ptr_nonnull(talk->check);
    talk->one_handle = chance(talk, 30);
    talk->rdma_seen = chance(talk, 70);
    talk->next_xid[0] = (uint32_t)talk_random(talk);
    talk->next_xid[1] = chance(talk, 50) ? talk->next_xid[0] : (uint32_t)talk_random(talk);
    talk->next_address = talk_random(talk) >> 8;
    talk_connect(talk);
}

#endif
