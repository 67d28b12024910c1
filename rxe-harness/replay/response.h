// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a Responder did with one Send, as far as two of them, or one today and one in a recording,
 * can be compared: layer by layer, so that another result of NFS is not taken for a fault of the
 * transport.
 */
#ifndef HARNESS_ANSWER_H
#define HARNESS_ANSWER_H

#include "rxe-harness/replay/nfs_ids.h"
#include "rxe-harness/requester/requester.h"

#define ANSWER_SEGMENTS 64
#define ANSWER_LONG_MAX 1048576 /* octets of a Long Reply that are looked at */

struct answer {
    unsigned outcome; /* enum rpcrdma_reaction, as in struct requester_reply; 0: not answered */
    bool accepted;
    uint32_t stat;
    bool has_status; /* NFS has one in all results */
    uint32_t status;
    uint32_t vers, low, high;
    size_t length; /* of the Send */
    bool is_long;
    uint64_t results; /* octets, with all that is in Write chunks and its padding */
    unsigned chunks;  /* Write chunks */
    bool has_reply_chunk;
    size_t chunk_lengths[REQUESTER_CHUNKS];
    unsigned segment_count; /* of Write and Reply chunks, in order */
    uint32_t segments[ANSWER_SEGMENTS];
    struct names_given *names; /* by the results of NFS; or NULL */
};

/* Where the Reply chunk's octets are. False: not known. */
typedef bool answer_fetch(void *arg, uint32_t handle, uint64_t offset, uint8_t *octets,
                          size_t length);

/* What the Call was. */
struct answer_call {
    bool known;
    uint32_t program, version, procedure;
};

void answer_read(struct answer *answer, const struct link_event *event,
                 const struct answer_call *call, answer_fetch *fetch, void *arg);

void answer_free(struct answer *answer);

/* In words. */
void answer_print(const struct answer *answer, char *text, size_t size);

/* The first layer in which two answers differ. */
enum answer_layer {
    ANSWER_SAME,
    ANSWER_REACTION, /* a Reply, an error, silence, the end of the connection */
    ANSWER_RPC,      /* accept_stat, reject_stat */
    ANSWER_STATUS,   /* of NFS */
    ANSWER_RESULTS,  /* their length */
    ANSWER_CHUNKS,   /* what is in which Write chunk */
    ANSWER_PLACE,    /* in the Reply chunk or inline */
    ANSWER_SEGMENTS_RETURNED,
    ANSWER_SEND, /* its length */
};
enum answer_layer answer_compare(const struct answer *a, const struct answer *b);

#endif
