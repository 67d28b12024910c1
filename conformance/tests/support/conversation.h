// SPDX-License-Identifier: BSD-3-Clause
/*
 * Conversations of two peers that keep all rules, made at random: Calls and answers of both
 * directions with every kind of credential, NFS and other programs, chunks of every shape, Calls
 * that are sent again in the same or another form, RDMA Reads and Writes, errors of RPC and of the
 * transport, credits that rise and fall, captures that begin in the middle. A seed decides
 * everything.
 */
#ifndef CONFORMANCE_TESTS_CONVERSATION_H
#define CONFORMANCE_TESTS_CONVERSATION_H

#include "conformance/tests/support/nfs_content.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma1.h>

#define TALK_CALLS 16   /* of one side that wait at once */
#define TALK_SEGMENTS 4 /* a chunk */
#define TALK_CHUNKS 3
#define TALK_READS ((MESSAGE_ITEMS + 1) * TALK_SEGMENTS)

struct talk_chunk {
    uint32_t count;
    struct rpcrdma1_segment segment[TALK_SEGMENTS]; /* as offered */
    struct rpcrdma1_segment returned[TALK_SEGMENTS];
    bool returned_empty;
};

/* What a Call and its answer consist of: kept apart, for it is large. */
struct talk_content {
    struct message call, reply;
    uint8_t call_stream[MESSAGE_MAX], reply_stream[MESSAGE_MAX]; /* without what is in chunks */
    size_t call_length, reply_length;
};

/* A Call that waits for its answer. */
struct talk_call {
    bool active;
    bool answered; /* but a copy of it is not */
    bool again;    /* sent once more in another form: another entry has the Call itself */
    bool doubled;  /* there are such two */
    bool unseen;   /* sent before the capture began */
    bool marked;   /* by a breaker, of what its answer has to show */
    enum rpcrdma_endpoint from;
    uint32_t xid, flavor, service, gss_seq, gss_proc; /* service 0: no RPCSEC_GSS */
    struct nfs_asked asked;
    bool is_nfs; /* and its content can be read */
    uint32_t reads, writes;
    struct rpcrdma1_read_segment read[TALK_READS];
    const uint8_t *source[TALK_READS]; /* what is there */
    uint32_t out;                      /* items that are in Read chunks */
    struct talk_chunk write[TALK_CHUNKS], reply;
    uint32_t served[TALK_CHUNKS]; /* item of the Reply that a Write chunk takes, or -1 */
    bool is_long, has_reply, planned, fails, long_reply;
    uint32_t status;                /* enum talk_status */
    uint32_t next_read, next_write; /* what RDMA moves next */
    uint32_t copies;                /* that nothing has answered */
    uint64_t known_by;              /* Sends of its side up to it, and to each copy */
    struct talk_content *content;
};

/* What a Reply reports. */
enum talk_status { TALK_SUCCESS, TALK_ERROR, TALK_MISMATCH, TALK_DENIED, TALK_RPC_MISMATCH };

/* What is about to be sent. */
struct talk_out {
    struct rpcrdma_event event;
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk writes[TALK_CHUNKS];
    const uint8_t *payload;
    size_t payload_length, header_length;
    uint8_t octets[MESSAGE_MAX + 2048];
};

struct talk {
    uint64_t seed, events, notes;
    struct dice dice;
    struct rpcrdma_check_config config;
    struct rpcrdma_check *check;
    struct talk_call calls[2][TALK_CALLS];
    struct talk_content content[2][TALK_CALLS];
    uint32_t grant[2], next_xid[2], threshold[2];
    bool replied[2], failed[2]; /* RDMA_ERROR is no such reply */
    bool called[2];
    uint64_t next_address;
    bool one_handle, rdma_seen, content_seen, invalidates, other_forms;
    uint32_t unseen; /* steps before the capture begins */
    size_t snap;     /* octets that the capture keeps of an event */
    struct talk_out out;
    uint64_t sends[2]; /* of each side */
    /* Of the event that is judged: Sends of its side before it; and of the other side, those
     * without which it could not have been, all of them if nothing else is known. */
    uint64_t posted, knows;
    uint64_t needs; /* the same, of what will be judged */
    void (*judged)(struct talk *talk, const struct rpcrdma_event *event); /* or NULL */
    /* Called before an event is encoded and after it; true: judge it otherwise. */
    bool (*before)(struct talk *talk, struct talk_call *call);
    bool (*after)(struct talk *talk, struct talk_call *call);
    const char *expected; /* rule that before() or after() has broken */
    bool broken, noticed;
    /* Told of a finding above a note where nothing was broken, of a break that is not named, and of
     * one that is not the only thing named; or NULL: the test fails there. */
    void (*differs)(struct talk *talk, const char *rule, const char *text);
};

void talk_start(struct talk *talk, uint64_t seed, void *memory, size_t size);
void talk_step(struct talk *talk);

/* For those who break it. */
void talk_judge(struct talk *talk);
void talk_begin(struct talk *talk, enum rpcrdma_event_type type, enum rpcrdma_endpoint from);
void talk_send_call(struct talk *talk, struct talk_call *call);
void talk_make_call(struct talk *talk, struct talk_call *call, enum rpcrdma_endpoint from);
void talk_send(struct talk *talk, struct talk_call *call);
uint32_t talk_in_flight(const struct talk *talk, enum rpcrdma_endpoint from);

/* Of a Call: which of the forms that are open to it this one has; the octets of its header, or of
 * its Reply's but for the Read list; whether RPCSEC_GSS leaves its content as its program wrote it.
 */
void talk_shape_call(struct talk *talk, struct talk_call *call);
size_t talk_header_length(const struct talk_call *call);
bool talk_is_plain(const struct talk_call *call);

/* Write list and Reply chunk of the Send that is made. */
void talk_offer_results(struct talk_out *out, struct talk_call *call);

uint64_t talk_chunk_length(const struct rpcrdma1_segment *segments, uint32_t count);
enum rpcrdma_endpoint talk_peer(enum rpcrdma_endpoint from);
void talk_put_verifier(struct talk *talk, const struct talk_call *call, struct message *message);
/* Words, and items among them that a chunk can take: of an unknown program. */
void talk_put_anything(struct talk *talk, struct message *message, uint32_t most_items);

#endif
