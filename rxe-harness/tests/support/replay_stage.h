// SPDX-License-Identifier: BSD-3-Clause
/* A recording of a few events, written by hand, sent again to a peer that goes by a list. */
#ifndef HARNESS_REPLAY_STAGE_H
#define HARNESS_REPLAY_STAGE_H

#include "rxe-harness/replay/replay.h"
#include "rxe-harness/responder/responder.h"

#define X 0xfeed0001u   /* in what the peer sends: the XID of what it answers */
#define REPLAY_WORDS 64 /* of a message */
#define REPLAY_EVENTS 16

/* RDMA_MSG without chunks, RPC Calls and Replies. */
#define MSG(xid) xid, 1, 32, 0, 0, 0, 0
#define CALL(xid, program, version, procedure) xid, 0, 2, program, version, procedure, 0, 0, 0, 0
#define ACCEPTED(xid, status) xid, 1, 0, 0, 0, status
#define TEST(xid) MSG(xid), CALL(xid, TEST_PROGRAM, 1, 9)
#define ANSWER(xid) MSG(xid), ACCEPTED(xid, 0)
#define ERR_CHUNK(xid) xid, 1, 32, 4, 2
#define ERR_VERS(xid, low, high) xid, 1, 32, 4, 1, low, high

/* ---- the recording ---- */

extern struct vector_event events[REPLAY_EVENTS];
extern struct vector_test recording;
extern const char *replay_stage_origin; /* of the file; what is not "recorded" is no recording */

struct rpcrdma_event *record(enum rpcrdma_endpoint from, enum rpcrdma_event_type type,
                             const uint32_t *words, size_t count);
/* An RDMA operation of the server's. */
void record_rdma(enum rpcrdma_event_type type, uint32_t handle, uint64_t offset,
                 const uint32_t *words, size_t count);
#define WORDS_OF(...)                                                                              \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define CLIENT(...) record(RPCRDMA_CLIENT, RPCRDMA_EVENT_SEND, WORDS_OF(__VA_ARGS__))
#define SERVER(...) record(RPCRDMA_SERVER, RPCRDMA_EVENT_SEND, WORDS_OF(__VA_ARGS__))
#define READ(handle, offset, ...)                                                                  \
    record_rdma(RPCRDMA_EVENT_RDMA_READ, handle, offset, WORDS_OF(__VA_ARGS__))
#define WRITE(handle, offset, ...)                                                                 \
    record_rdma(RPCRDMA_EVENT_RDMA_WRITE, handle, offset, WORDS_OF(__VA_ARGS__))
/* What the last event leaves open to its receiver: JSON, as vectors have it. */
void leaves_open(const char *reactions);

/* ---- the peer ---- */

enum deed { ANSWERS, IS_SILENT, CLOSES, CLOSES_AFTER };

struct replay_peer {
    struct link *link;
    struct {
        enum deed deed;
        uint32_t words[REPLAY_WORDS];
        size_t count;
    } deeds[REPLAY_EVENTS];
    unsigned told, done;  /* deeds */
    unsigned holds;       /* answers only when this many Calls have come */
    uint32_t grants;      /* not 0: in all that it sends */
    void (*before)(void); /* it answers; or NULL */
    uint8_t came[REPLAY_EVENTS][RESPONDER_INLINE];
    size_t lengths[REPLAY_EVENTS];
    unsigned count, answered; /* Calls that came; those that were answered */
    unsigned at_once;         /* most that were not answered */
    unsigned idle;            /* times that it was asked to go on, and nothing had come */
    bool deaf;                /* to NULL, after the first Call */
};
extern struct replay_peer peer;

/* To the next Call. NULLs are answered besides. */
void does(enum deed deed, const uint32_t *words, size_t count);
#define DOES(deed, ...) does(deed, WORDS_OF(__VA_ARGS__))
uint32_t came_word(unsigned call, size_t word);

/* ---- the replay ---- */

extern struct probe probe;
extern const struct result *judged[REPLAY_EVENTS]; /* what the comparison says */
extern unsigned judgements;

void replay_stage_setup(void);
void replay_stage_teardown(void);
void play(void);
void is_judged(unsigned at, enum ending ending, const char *expected, const char *actual);
#define PLAIN "a Reply, accept_stat 0, 0 octets of results, Send of 52"
#define OPEN "; left open: process, garbage-args"

#endif
