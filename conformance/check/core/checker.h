// SPDX-License-Identifier: BSD-3-Clause
/* Inside librpcrdma-check: one Send as the scopes see it, and how they report. */
#ifndef CONFORMANCE_CHECKER_H
#define CONFORMANCE_CHECKER_H

#include "conformance/check/core/state.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma1.h>
#include <rpcrdma/xdr.h>

/* How far the header of a Send could be understood. */
enum header_state {
    HEADER_NONE,      /* not looked at: too short, or of another version or procedure */
    HEADER_MALFORMED, /* its XDR is wrong */
    HEADER_UNSEEN,    /* it ends beyond what was recorded */
    HEADER_DECODED,
};

/* The receiver's role in taking this Send, as far as it can be told: a set. */
enum receiver { RECEIVER_RESPONDER = 1, RECEIVER_REQUESTER = 2 };

/* Distinct Read chunks that are told apart when Positions do not ascend. More than this, out of
 * order, are not held against each other: memory is fixed, and no upper layer has so many. */
#define READ_CHUNKS 64

struct read_chunk {
    uint32_t position;
    uint64_t length;
    int64_t at; /* its first entry */
};

struct read_chunks {
    struct read_chunk chunk[READ_CHUNKS]; /* sorted once the list was checked */
    uint32_t count; /* of distinct Positions, those that are aligned and not zero */
    bool ascending;
    bool interleaved, overlap;
    struct read_chunk last;
    struct read_chunk *current; /* where the last segment went, or NULL */
};

/*
 * One Send, decoded once for all scopes.
 */
struct send {
    struct rpcrdma_check *check;
    const struct rpcrdma_event *event;
    struct rpcrdma_judgement *verdict;
    const uint8_t *octets;
    size_t length;    /* recorded */
    uint64_t total;   /* on the wire */
    uint64_t missing; /* total - length */
    enum header_state state;
    struct rpcrdma1_header header;             /* HEADER_DECODED */
    const struct rpcrdma1_chunk_lists *chunks; /* of RDMA_MSG and RDMA_NOMSG; or NULL */
    const uint8_t *payload;                    /* RDMA_MSG: behind the header */
    size_t payload_length;                     /* recorded */
    uint64_t payload_total;
    uint64_t position_zero_length; /* octets of the Position Zero Read chunk */
    bool has_position_zero;
    struct read_chunks reads; /* of a Call with a Read list */
    ptrdiff_t rpc_length;     /* RDMA_MSG: octets of the RPC header, or -1 */
    struct rpcrdma_rpc_header rpc;
    struct call *answers; /* Reply, RDMA_ERROR: the Call that waits for it, or NULL */
    bool is_protected;    /* RPCSEC_GSS integrity or privacy */
    unsigned receivers;
    unsigned reactions[3]; /* by enum receiver: what each role may do */
};

/* Begin to judge an event: an empty verdict, but for the words of a Send. */
void rpcrdma_send_begin(struct send *send, struct rpcrdma_check *check,
                        const struct rpcrdma_event *event, struct rpcrdma_judgement *verdict);

/*
 * Report that this Send breaks a rule; the register gives the severity. A rule is reported once a
 * Send, at its first place. `format` holds up to three %u (decimal) or %x (hexadecimal) for the
 * values and lives forever.
 */
void rpcrdma_report(struct send *send, enum rpcrdma_rule rule, int64_t offset, const char *format,
                    uint64_t a, uint64_t b, uint64_t c);

/* A fault was found: instead of going on, the receiver in this role may do these (to go on among
 * them, if it need not see the fault). Where an earlier fault has stopped it already, that decides.
 */
void rpcrdma_react(struct send *send, enum receiver receiver, unsigned reactions);
/* It may do these as well as what it may do already. */
void rpcrdma_allow(struct send *send, enum receiver receiver, unsigned reactions);

/* Octets before a place in the Send. */
static inline int64_t place(const struct send *send, const uint8_t *at)
{
    return at - send->octets;
}

/* Decode the header and apply the rules of header scope (header.c). */
void rpcrdma_judge_header(struct send *send);

/* The rules of header scope that look at chunk lists (chunks.c). */
void rpcrdma_judge_chunks(struct send *send);

/* What header and payload show together (message.c). */
void rpcrdma_judge_message(struct send *send);

bool rpcrdma_is_nfs4(const struct rpcrdma_rpc_header *rpc);

/* The same of an RPC message that RDMA moved: `content` holds its first octets. */
void rpcrdma_judge_long_call(struct send *send, struct call *call, uint64_t total);

/* An answer and its Call (transaction.c). */
void rpcrdma_find_answered(struct send *send);
void rpcrdma_judge_answer(struct send *send);

/* What went before on the connection (connection.c). */
void rpcrdma_judge_connection(struct send *send);
void rpcrdma_judge_private_data(struct send *send);

/* What the upper layer's binding allows (binding.c). */
void rpcrdma_judge_binding(struct send *send);

/* Whether a Call's arguments are in the payload as the upper layer wrote them. */
bool rpcrdma_send_shows_arguments(const struct send *send);

/* What RFC 8267 says beyond that (nfs_lists.c): a Call of NFS version 4 from the client, and a
 * Long Call. */
void rpcrdma_nfs4_lists(struct send *send);
void rpcrdma_nfs4_long_callback(struct send *send);

/* RDMA operations (transfer.c). */
void rpcrdma_judge_transfer(struct send *send);

#endif
