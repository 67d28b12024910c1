// SPDX-License-Identifier: BSD-3-Clause
/*
 * What judging costs: NFS Calls and Replies through the whole checker beside decoding alone, and
 * hostile messages, for which the cost of each segment must not grow with their number. The
 * best of some rounds; times are of this machine in this run.
 */
#include "codec/bench/measure.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 41
#define PAIRS 10000 /* a round: milliseconds, which a busy machine leaves whole now and then */
#define MOST_SEGMENTS 10000

#define GOAL_EVENT 28.0    /* times decoding its header alone */
#define GOAL_BOUND 2.0     /* with the binding, times without it */
#define GOAL_VERSION_2 1.5 /* times version 1 */
#define GOAL_FLAT 2.0      /* dearest over cheapest length of a list, ns a segment */

static void fail(const char *why)
{
    fprintf(stderr, "check_bench: %s\n", why);
    exit(1);
}

/* ---- a connection ---- */

static void *memory;
static size_t memory_size;

static const struct rpcrdma_binding *const *bindings; /* that checkers apply */
static enum rpcrdma_protocol draft;                   /* that both sides speak */

static struct rpcrdma_check *connect_again(void)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.bindings = bindings;
    config.draft = draft;
    config.inline_threshold[0] = config.inline_threshold[1] = 1u << 20;
    if (memory == NULL) {
        memory_size = rpcrdma_check_size(&config);
        memory = malloc(memory_size);
    }
    struct rpcrdma_check *check = rpcrdma_check_init(memory, memory_size, &config);
    if (check == NULL)
        fail("no memory");
    return check;
}

/* ---- NFS ---- */

struct message {
    uint8_t octets[512];
    size_t length;
    size_t handle, rpc; /* where they begin, of the words that differ from message to message */
};

static void add(struct message *message, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++, message->length += 4)
        rpcrdma_xdr_store32(message->octets + message->length, words[i]);
}

/* The transport headers of a Call and of its Reply, with one Write chunk of one segment. */
struct headers {
    const char *name;
    enum rpcrdma_protocol draft;
    uint32_t call[15], reply[15];
    unsigned call_words, reply_words;
    unsigned call_handle, reply_handle; /* which word */
    bool sums_credits;                  /* the credit word is a total */
};

enum { VERSION_1, DRAFT_04, DRAFT_07, PROTOCOLS };
static const struct headers headers[PROTOCOLS] = {
    [VERSION_1] = {"version 1",
                   RPCRDMA_PROTOCOL_AUTO,
                   {0, 1, 32, RPCRDMA1_MSG, 0, 1, 1, 0, 4096, 0, 0, 0, 0},
                   {0, 1, 32, RPCRDMA1_MSG, 0, 1, 1, 0, 4096, 0, 0, 0, 0},
                   13,
                   13,
                   7,
                   7,
                   false},
    [DRAFT_04] = {"draft -04",
                  RPCRDMA_PROTOCOL_2_04,
                  {0, 2, 32, 0, 0, 0, 0, 1, 1, 0, 4096, 0, 0, 0, 0},
                  {0, 2, 32, 0, 1, 0, 0, 1, 1, 0, 4096, 0, 0, 0, 0},
                  15,
                  15,
                  9,
                  9,
                  false},
    [DRAFT_07] = {"draft -07",
                  RPCRDMA_PROTOCOL_2_07,
                  {0, 2, 0, 0, 0, 0, 1, 1, 0, 4096, 0, 0, 0, 0},
                  {0, 2, 0, 0, 1, 1, 0, 4096, 0, 0, 0},
                  14,
                  11,
                  8,
                  6,
                  true},
};

/* A READ Call with a Write chunk, of `rpc` octets after the header, and the Reply to it. */
static void make_pair(const struct headers *under, struct message *call, struct message *reply,
                      unsigned rpc)
{
    static const uint32_t rpc_call[] = {0, 0, 2, 100003, 3, 6, 0, 0, 0, 0};
    static const uint32_t rpc_reply[] = {0, 1, 0, 0, 0, 0};
    static const uint32_t arguments[64];
    *call = (struct message){.handle = 4 * under->call_handle, .rpc = 4 * under->call_words};
    *reply = (struct message){.handle = 4 * under->reply_handle, .rpc = 4 * under->reply_words};
    add(call, under->call, under->call_words);
    add(call, rpc_call, 10);
    add(call, arguments, (rpc - 40) / 4);
    add(reply, under->reply, under->reply_words);
    add(reply, rpc_reply, 6);
    add(reply, arguments, (rpc - 40) / 4);
    rpcrdma_xdr_store32(call->octets + 12, rpcrdma_inline_type(under->draft, RPCRDMA_CALL));
    rpcrdma_xdr_store32(reply->octets + 12, rpcrdma_inline_type(under->draft, RPCRDMA_REPLY));
}

static void set_xid(struct message *message, uint32_t xid)
{
    rpcrdma_xdr_store32(message->octets, xid);
    rpcrdma_xdr_store32(message->octets + message->handle, 0x1000 + xid % 4096);
    rpcrdma_xdr_store32(message->octets + message->rpc, xid);
}

static void set_credits(struct message *message, uint32_t credits)
{
    rpcrdma_xdr_store32(message->octets + RPCRDMA1_AT_RDMA_CREDIT, credits);
}

static struct rpcrdma_event send_of(enum rpcrdma_endpoint from, const struct message *message)
{
    return (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                  .from = from,
                                  .data = message->octets,
                                  .length = message->length};
}

static void judge(struct rpcrdma_check *check, const struct rpcrdma_event *event)
{
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(check, event, &judgement);
    if (judgement.count != 0)
        fail("a good message was found wanting");
}

static double check_pairs(const struct headers *under, unsigned rpc)
{
    static uint32_t xid;
    draft = under->draft;
    struct rpcrdma_check *check = connect_again();
    struct message call, reply;
    draft = RPCRDMA_PROTOCOL_AUTO;
    make_pair(under, &call, &reply, rpc);
    const struct rpcrdma_event calls = send_of(RPCRDMA_CLIENT, &call);
    const struct rpcrdma_event replies = send_of(RPCRDMA_SERVER, &reply);
    double start = now();
    for (unsigned i = 0; i < PAIRS; i++, xid++) {
        if (under->sums_credits) {
            set_credits(&call, i + 33);
            set_credits(&reply, i + 33);
        }
        set_xid(&call, xid);
        judge(check, &calls);
        set_xid(&reply, xid);
        judge(check, &replies);
    }
    return (now() - start) / (2 * PAIRS);
}

static double decode_pairs(unsigned rpc)
{
    struct message messages[2];
    make_pair(&headers[VERSION_1], &messages[0], &messages[1], rpc);
    double start = now();
    for (unsigned i = 0; i < 2 * PAIRS; i++) {
        struct rpcrdma1_header header;
        const uint8_t *octets = messages[i % 2].octets;
        set_xid(&messages[i % 2], i);
        HIDE(octets);
        ptrdiff_t n = rpcrdma1_header_decode(&header, octets, messages[i % 2].length, NULL, NULL);
        USE(n);
        USE(&header);
    }
    return (now() - start) / (2 * PAIRS);
}

static bool bench_nfs(void)
{
    static const unsigned lengths[] = {40, 100};
    bool met = true;
    printf("%-22s %12s %12s %8s  %s\n", "NFS Call and Reply", "judged ns", "decoded ns", "times",
           "goal");
    for (unsigned i = 0; i < 2; i++) {
        double judged[ROUNDS], decoded[ROUNDS];
        check_pairs(&headers[VERSION_1], lengths[i]); /* warm */
        for (unsigned round = 0; round < ROUNDS; round++) {
            judged[round] = check_pairs(&headers[VERSION_1], lengths[i]);
            decoded[round] = decode_pairs(lengths[i]);
        }
        double ns = least(judged, ROUNDS), alone = least(decoded, ROUNDS);
        bool good = ns <= GOAL_EVENT * alone;
        printf("%-14s %3u + 52 %12.1f %12.1f %8.1f  %s\n", "octets", lengths[i], ns, alone,
               ns / alone, good ? "met" : "MISSED");
        met = met && good;
    }
    return met;
}

/* ---- version 2 ---- */

static bool bench_version_2(void)
{
    double ns[PROTOCOLS][ROUNDS], one = 0;
    bool met = true;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < PROTOCOLS; i++)
            ns[i][round] = check_pairs(&headers[i], 100);
    printf("\n%-22s %12s %12s  %s\n", "the same under", "judged ns", "x version 1", "goal");
    for (unsigned i = 0; i < PROTOCOLS; i++) {
        double best = least(ns[i], ROUNDS);
        one = i == VERSION_1 ? best : one;
        bool good = best <= GOAL_VERSION_2 * one;
        printf("%-22s %12.1f %12.2f  %s\n", headers[i].name, best, best / one,
               i == VERSION_1 ? ""
               : good         ? "met"
                              : "MISSED");
        met = met && good;
    }
    return met;
}

/* ---- COMPOUND ---- */

/* {SEQUENCE, PUTFH, READ, GETATTR} of 4096 octets, as a client of NFS version 4.2 sends it. */
static void make_compound(struct message *call, struct message *reply)
{
    static const uint32_t header[] = {0, 1, 32, 0, 0, 1, 1, 0x1000, 4096, 0, 0, 0, 0};
    static const uint32_t rpc_call[] = {0, 0, 2, 100003, 4, 1, 1, 24, 1, 0, 0, 0, 1, 0, 0, 0};
    static const uint32_t arguments[] = {
        0,  2,  4,                              /* no tag, minor version, operations */
        53, 11, 12, 13,   14, 1, 0,    0,    0, /* SEQUENCE */
        22, 28, 1,  2,    3,  4, 5,    6,    7, /* PUTFH */
        25, 1,  2,  3,    4,  0, 8192, 4096,    /* READ */
        9,  2,  0,  0x30,                       /* GETATTR */
    };
    static const uint32_t rpc_reply[] = {0, 1, 0, 0, 0, 0};
    static const uint32_t results[] = {
        0,  0, 4,                                   /* status, no tag, results */
        53, 0, 11, 12,   13,   14, 1, 0, 63, 63, 0, /* SEQUENCE */
        22, 0,                                      /* PUTFH */
        25, 0, 0,  4096,                            /* READ, its data in the Write chunk */
        9,  0, 2,  0,    0x30, 16, 0, 1, 0,  2,     /* GETATTR */
    };
    *call = *reply = (struct message){.handle = 28, .rpc = 52};
    add(call, header, 13);
    add(call, rpc_call, 16);
    add(call, arguments, sizeof arguments / 4);
    add(reply, header, 13);
    add(reply, rpc_reply, 6);
    add(reply, results, sizeof results / 4);
}

static double check_compounds(void)
{
    static uint32_t xid;
    struct message call, reply;
    struct rpcrdma_check *check = connect_again();
    make_compound(&call, &reply);
    const struct rpcrdma_event calls = send_of(RPCRDMA_CLIENT, &call);
    const struct rpcrdma_event replies = send_of(RPCRDMA_SERVER, &reply);
    double start = now();
    for (unsigned i = 0; i < PAIRS; i++, xid++) {
        set_xid(&call, xid);
        judge(check, &calls);
        set_xid(&reply, xid);
        judge(check, &replies);
    }
    return (now() - start) / (2 * PAIRS);
}

/* Were the COMPOUND not read, a Reply without its data would pass. */
static void be_sure_it_is_read(void)
{
    struct message call, reply;
    struct rpcrdma_check *check = connect_again();
    struct rpcrdma_judgement judgement;
    make_compound(&call, &reply);
    const struct rpcrdma_event calls = send_of(RPCRDMA_CLIENT, &call);
    const struct rpcrdma_event replies = send_of(RPCRDMA_SERVER, &reply);
    judge(check, &calls);
    rpcrdma_xdr_store32(reply.octets + 32, 4095);
    rpcrdma_check_event(check, &replies, &judgement);
    if (judgement.count != 1)
        fail("a bad COMPOUND passed");
}

static bool bench_compound(void)
{
    double bound[ROUNDS], free[ROUNDS];
    bindings = rpcrdma_bindings;
    be_sure_it_is_read();
    for (unsigned round = 0; round < ROUNDS; round++) {
        bindings = rpcrdma_bindings;
        bound[round] = check_compounds();
        bindings = NULL;
        free[round] = check_compounds();
    }
    double ns = least(bound, ROUNDS), without = least(free, ROUNDS);
    bool met = ns <= GOAL_BOUND * without;
    printf("\nCOMPOUND of SEQUENCE, PUTFH, READ, GETATTR and its Reply: %.1f ns a message with the "
           "binding, %.1f without  %s\n",
           ns, without, met ? "met" : "MISSED");
    return met;
}

/* ---- hostile lists ---- */

enum shape { SORTED, UNSORTED, INTERLEAVED, ONE_HANDLE, WRITES, EMPTY_WRITES, REPLY, SHAPES };
static const char *const shape_names[SHAPES] = {
    "reads, sorted",    "reads, unsorted",     "reads, interleaved", "reads, one handle",
    "writes, one each", "writes, no segments", "Reply chunk"};

static uint8_t wide[24 * MOST_SEGMENTS + 256];

static uint8_t *put(uint8_t *p, uint32_t word)
{
    rpcrdma_xdr_store32(p, word);
    return p + 4;
}

static uint8_t *put_segment(uint8_t *p, uint32_t handle)
{
    p = put(put(put(p, handle), 8), 0);
    return put(p, handle * 64);
}

static uint32_t position(enum shape shape, uint32_t i, uint32_t count)
{
    switch (shape) {
    case UNSORTED:
        return 40 + 8 * (count - i);
    case INTERLEAVED:
        return 40 + 8 * (i * 7 % 61);
    default:
        return 40 + 8 * i;
    }
}

/* A Call whose lists have this many entries; returns its length. */
static size_t make_hostile(enum shape shape, uint32_t count)
{
    static const uint32_t rpc[] = {7, 0, 2, 100003, 3, 6, 0, 0, 0, 0};
    uint8_t *p = put(put(put(put(wide, 7), 1), 32), RPCRDMA1_MSG);
    for (uint32_t i = 0; shape <= ONE_HANDLE && i < count; i++)
        p = put_segment(put(put(p, 1), position(shape, i, count)),
                        shape == ONE_HANDLE ? 5 : 1000 + i);
    p = put(p, 0);
    for (uint32_t i = 0; shape == WRITES && i < count; i++)
        p = put_segment(put(put(p, 1), 1), 1000 + i);
    for (uint32_t i = 0; shape == EMPTY_WRITES && i < count; i++)
        p = put(put(p, 1), 0);
    p = put(p, 0);
    p = put(p, shape == REPLY);
    if (shape == REPLY)
        p = put(p, count);
    for (uint32_t i = 0; shape == REPLY && i < count; i++)
        p = put_segment(p, 1000 + i);
    for (unsigned i = 0; i < 10; i++)
        p = put(p, rpc[i]);
    return (size_t)(p - wide);
}

/* One event is shorter than the system call that asks for the processor's time. */
static double wall(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double judge_hostile(enum shape shape, uint32_t count)
{
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND, .data = wide, .length = make_hostile(shape, count)};
    struct rpcrdma_judgement judgement;
    uint32_t repeat = MOST_SEGMENTS / count;
    double ns = 0;
    for (uint32_t i = 0; i < repeat; i++) {
        struct rpcrdma_check *check = connect_again();
        double start = wall();
        rpcrdma_check_event(check, &event, &judgement);
        ns += wall() - start;
        if (judgement.header_length < 0)
            fail("a hostile list does not decode");
    }
    return ns / repeat / count;
}

static bool bench_hostile(void)
{
    bool met = true;
    printf("\n%-22s %9s %9s %9s %9s  %s\n", "segments", "10", "100", "1000", "10000",
           "ns a segment");
    for (int shape = 0; shape < SHAPES; shape++) {
        double ns[4];
        uint32_t count = 10;
        for (int i = 0; i < 4; i++, count *= 10) {
            double times[ROUNDS];
            for (unsigned round = 0; round < ROUNDS; round++)
                times[round] = judge_hostile((enum shape)shape, count);
            ns[i] = least(times, ROUNDS);
        }
        /* The cost of the message is shared by ten segments. */
        double least = ns[1] < ns[2] ? ns[1] : ns[2];
        bool flat = ns[3] <= GOAL_FLAT * least && ns[2] <= GOAL_FLAT * ns[1];
        printf("%-22s %9.1f %9.1f %9.1f %9.1f  %s\n", shape_names[shape], ns[0], ns[1], ns[2],
               ns[3], flat ? "flat" : "GROWS");
        met = met && flat;
    }
    return met;
}

/* ---- hostile operations ---- */

/* RDMA Reads and stray errors while a table of Calls waits. */
static bool bench_crowd(void)
{
    struct rpcrdma_check *check = connect_again();
    struct rpcrdma_judgement judgement;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = wide};
    double read[ROUNDS], error[ROUNDS];
    for (uint32_t i = 0; i < 250; i++) {
        event.length = make_hostile(ONE_HANDLE, 8);
        rpcrdma_xdr_store32(wide, i);
        rpcrdma_check_event(check, &event, &judgement);
    }
    static const uint32_t words[] = {999999, 1, 1, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK};
    struct message stray = {.length = 0};
    add(&stray, words, 5);
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now();
        for (unsigned i = 0; i < 1000; i++) {
            event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_READ,
                                           .from = RPCRDMA_SERVER,
                                           .handle = 5,
                                           .offset = 5 * 64 + 4,
                                           .length = 64};
            rpcrdma_check_event(check, &event, &judgement);
        }
        read[round] = (now() - start) / 1000;
        start = now();
        for (unsigned i = 0; i < 1000; i++) {
            event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                           .from = RPCRDMA_SERVER,
                                           .data = stray.octets,
                                           .length = stray.length};
            rpcrdma_check_event(check, &event, &judgement);
        }
        error[round] = (now() - start) / 1000;
    }
    printf("\n250 Calls wait, 2000 segments of one handle: %.0f ns an RDMA Read, %.0f ns a stray "
           "RDMA_ERROR\n",
           least(read, ROUNDS), least(error, ROUNDS));
    return true;
}

int main(void)
{
    bool met = bench_nfs();
    met = bench_version_2() && met;
    met = bench_compound() && met;
    met = bench_hostile() && met;
    met = bench_crowd() && met;
    printf(
        "Goals: an event %.0f times what decoding takes, with the binding %.0f times what it takes "
        "without; version 2 within %.1f times version 1; a segment's cost within %.0f times, "
        "whatever the list.\n",
        GOAL_EVENT, GOAL_BOUND, GOAL_VERSION_2, GOAL_FLAT);
    return met ? 0 : 1;
}
