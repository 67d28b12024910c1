// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a checker remembers of its connection: the Calls of each side that wait for an answer, the
 * memory that they offer, credits, thresholds. All of it lies in the caller's memory and has its
 * size from the start; what does not fit is forgotten, and then nothing is said about it.
 */
#ifndef CONFORMANCE_STATE_H
#define CONFORMANCE_STATE_H

#include "conformance/check/core/registrations.h"
#include "conformance/check/core/version2.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma1.h>

#define NONE UINT32_MAX

enum memory_kind {
    MEMORY_READ,        /* a read segment, Position Zero or other */
    MEMORY_WRITE,       /* a segment of a Write chunk */
    MEMORY_EMPTY_WRITE, /* stands for a Write chunk without segments */
    MEMORY_REPLY,       /* a segment of the Reply chunk */
};

/* One segment that a Call offers. Those of a Call stand in its order, linked by `next`. */
struct offered_memory {
    uint64_t offset;
    uint32_t handle, length;
    uint32_t moved;                    /* how far RDMA operations were seen to reach into it */
    uint32_t missing;                  /* octets before that, at least, that none of them moved, */
    uint32_t missing_from, missing_to; /* and what is missing is between these */
    uint32_t chunk; /* MEMORY_WRITE: which of the Write chunks; MEMORY_READ: the Position */
    uint32_t call;  /* whose it is */
    uint32_t next;  /* of the same Call, or of the free ones */
    uint32_t hash_next, hash_prev; /* in the bucket of its handle */
    uint32_t registration;         /* the number of the one that it lies in, or 0: not known */
    uint8_t kind;                  /* enum memory_kind */
};

enum call_state {
    CALL_FREE,
    CALL_PENDING,
    CALL_DOUBTFUL, /* something came that may or may not have been taken as its answer */
    CALL_ANSWERED, /* kept for a while, to know what comes too late */
};

/* What was called, to know the same Call when it comes again. A part that is 0 is not known. */
struct identity {
    uint64_t called;    /* RPC version, program, its version, procedure */
    uint64_t length;    /* octets of the RPC message, with what chunks took out */
    uint64_t form;      /* which octets of the arguments are digested */
    uint64_t arguments; /* those in the payload; to be compared in the same form only */
};

/* The first octets of a Long Call or Long Reply, as far as RDMA operations were seen to move them.
 * They tell what is called, and of RPCSEC_GSS how it is protected. Few Calls are Long, so they are
 * kept apart from the Call: rpcrdma_state_lead(). */
#define LEAD_OCTETS 48

struct lead {
    uint8_t length; /* octets that are known */
    bool is_reply;  /* of the Long Reply: what the Long Call was is known by then */
    bool broken;    /* something before it was not seen */
};

/* What an RPC header says of its Call. */
struct called {
    const struct rpcrdma_binding *binding; /* of the program, if applied */
    uint32_t program, version, procedure;  /* if `known` */
    bool known;
    bool shows_arguments; /* RPCSEC_GSS does not hide them */
    bool is_protected;    /* RPCSEC_GSS integrity or privacy */
    bool is_gss_control;  /* of RPCSEC_GSS itself: sets up or ends a context */
};

/* What a Call offers, beside its memory. */
struct offers {
    uint32_t write_chunks, reply_segments;
    uint32_t results; /* that can be in its Write chunks, if `has_results` */
    bool known; /* all of its memory is stored, or all that several Calls with its XID offer */
    bool has_reply_chunk;
    bool has_results; /* all arguments were read */
};

/* Why a Responder must not take a Call. */
enum refusal { REFUSE_NOTHING, REFUSE_HEADER, REFUSE_EXECUTION, REFUSE_INELIGIBLE, REFUSE_MSGP };

struct call {
    uint32_t xid;
    uint8_t from;  /* enum rpcrdma_endpoint */
    uint8_t state; /* enum call_state */
    bool judged;   /* its header decoded, all its memory is stored, and no other Call has its XID */
    bool mixed;    /* messages of several versions had this XID */
    uint32_t rpc_xid;      /* of the RPC message, where it was seen */
    uint32_t version;      /* the header's */
    uint32_t due;          /* messages with this XID that nothing has answered yet */
    uint32_t first, last;  /* memory, or NONE */
    uint32_t newer, older; /* in its row */
    uint32_t hash_next;
    uint64_t posted; /* version 2: Sends of its side before it */

    /* 0 in a new Call, up to its identity: */
    uint32_t type;       /* the header's */
    uint32_t invalidate; /* version 2: the handle that it lets its Reply invalidate, or 0 */
    struct offers offers;
    struct called rpc;
    uint64_t answer; /* the Send that answered it, of those from the other side */
    uint64_t number; /* of its own Send, if it `has_buffer` */
    bool has_buffer; /* its receiver has to have one for it */
    bool resent;     /* it came again: what RDMA moved for the first one is not known any more */
    bool counted;    /* a Call: it takes a credit until answered, unless it `crossed` */
    bool crossed;    /* sent again, and perhaps before the Reply came: it may take none */
    bool is_control; /* version 2: not a Call, or its first piece; no Reply will come */
    bool ended_by_system; /* version 2: by an error that forbids to send it again */
    uint8_t refusal;      /* enum refusal */
    struct lead lead;
    struct identity identity; /* set if `counted`, and not touched before */
};

/* A grant that the sender of Calls may still go by: seen on the way, the answer that lowered it may
 * not have reached that side yet. */
struct grant {
    uint32_t credits;
    uint64_t freed; /* answers that it had when the next grant was on its way */
};
#define GRANTS 16

/* The Calls that one side sends. */
struct traffic {
    uint32_t in_flight;
    uint64_t freed;             /* Calls that were in flight and are not any more */
    struct grant grant[GRANTS]; /* oldest first, each lower than the one before; the last is the
                                   latest */
    uint32_t grants;
    uint64_t calls, answers, errors;
    bool forgot; /* a Call may have been forgotten or missed: an unknown XID proves nothing */
    bool forgot_memory; /* the same of what Calls offer, and of RDMA operations */
};

/* The credits of the latest, or 0. */
static inline uint32_t latest_grant(const struct traffic *traffic)
{
    return traffic->grants > 0 ? traffic->grant[traffic->grants - 1].credits : 0;
}

/* Whether the other side has to have a receive buffer for a Send. */
enum buffer { BUFFER_UNKNOWN, BUFFER_FOR_CALL, BUFFER_FOR_REPLY };

/* Why a receiver has to drop a Send without a sign. */
enum drop { DROP_NOTHING, DROP_SHORT, DROP_DONE, DROP_ERROR };

struct dropped {
    uint32_t xid;
    uint8_t drop; /* enum drop; DROP_NOTHING where a later Send had that XID and was good */
};
#define DROPPED 16

struct side {
    struct dropped dropped[DROPPED]; /* the last of its Sends that had to be */
    uint32_t drops;                  /* so far; number n is at n modulo DROPPED */
    bool speaks_2;                   /* it has sent a message of version 2 that is no RDMA_ERROR */
    uint64_t sends;                  /* that were seen */
    enum buffer due;                 /* for the last of them */
    bool private_data_seen, private_data_good;
    struct rpcrdma_private_data private_data;
};

/* Calls in the order in which they came into the row: each is in one. */
enum { ROW_WAITING, ROW_ANSWERED, ROWS };
struct call_row {
    uint32_t oldest, newest;
};

struct rpcrdma_check {
    struct rpcrdma_check_config config;
    struct traffic traffic[2]; /* by the endpoint that sends the Calls */
    struct side side[2];
    uint32_t negotiated[2]; /* inline thresholds, for Sends of each side; 0 until both are known */
    struct call *calls;
    uint8_t (*leads)[LEAD_OCTETS]; /* of each Call */
    struct offered_memory *memory;
    uint32_t *call_buckets, *memory_buckets;
    uint32_t call_count, memory_count; /* how many there are */
    uint32_t bucket_mask, memory_mask;
    uint32_t free_call, free_memory;
    uint32_t calls_used, memory_used; /* high-water mark; entries beyond it are untouched */
    struct call_row rows[ROWS];
    const struct rpcrdma_binding
        *calls_back;           /* that the client has used, if its server calls back */
    uint32_t callback_program; /* that the client has named for it, or 0 */
    const struct rpcrdma_binding *const *known_bindings; /* whether applied or not */
    struct version2 two;
    struct registrations registrations;
};

/* As rpcrdma_check_init(), which adds the bindings that are known. */
struct rpcrdma_check *rpcrdma_state_init(void *memory, size_t size,
                                         const struct rpcrdma_check_config *config,
                                         const struct rpcrdma_binding *const *known_bindings);

/* Octets of a continued message that are kept for each side. */
uint32_t rpcrdma_continued(const struct rpcrdma_check_config *config);

/* Hash of a word, and the bucket of a Call. */
static inline uint32_t rpcrdma_state_mix(uint32_t word)
{
    word *= 0x9e3779b1u;
    return word ^ word >> 15;
}

static inline uint32_t *rpcrdma_state_bucket(struct rpcrdma_check *check,
                                             enum rpcrdma_endpoint from, uint32_t xid)
{
    return &check->call_buckets[(rpcrdma_state_mix(xid) ^ (uint32_t)from) & check->bucket_mask];
}

/* The Call of this side with this XID, or NULL. */
static inline struct call *rpcrdma_state_find(struct rpcrdma_check *check,
                                              enum rpcrdma_endpoint from, uint32_t xid)
{
    uint32_t i = *rpcrdma_state_bucket(check, from, xid);
    for (; i != NONE; i = check->calls[i].hash_next)
        if (check->calls[i].xid == xid && check->calls[i].from == from)
            return &check->calls[i];
    return NULL;
}

/* A Call of the side that still waits and whose RPC XID, but not header XID, is this one. */
struct call *rpcrdma_state_find_rpc_xid(struct rpcrdma_check *check, enum rpcrdma_endpoint from,
                                        uint32_t xid);

/* Some pending message of this side offers memory that we do not know. */
bool rpcrdma_state_has_unread(const struct rpcrdma_check *check, enum rpcrdma_endpoint from);

/* Remember a new Call, instead of the one known with its XID, or NULL. There is always room: the
 * one answered longest ago goes, or else the one that waits longest. It can take over what the
 * known one offers, which may still be used. */
struct call *rpcrdma_state_add(struct rpcrdma_check *check, struct call *known,
                               enum rpcrdma_endpoint from, uint32_t xid, uint32_t version,
                               bool takes_over);

/* Attach a segment, for which answered Calls have to go if there is no memory left; false if the
 * Calls that wait need all of it. */
bool rpcrdma_state_offer(struct rpcrdma_check *check, struct call *call, enum memory_kind kind,
                         uint32_t chunk, const struct rpcrdma1_segment *segment,
                         uint32_t registration);

/* Whether the Call has Read chunks, which are first in its memory. */
static inline bool rpcrdma_state_has_reads(const struct rpcrdma_check *check,
                                           const struct call *call)
{
    return call->first != NONE && check->memory[call->first].kind == MEMORY_READ;
}

/* Forget what the Call offers. */
void rpcrdma_state_withdraw(struct rpcrdma_check *check, struct call *call);

static inline uint8_t *rpcrdma_state_lead(const struct rpcrdma_check *check,
                                          const struct call *call)
{
    return check->leads[call - check->calls];
}

void rpcrdma_state_set(struct rpcrdma_check *check, struct call *call, enum call_state state);

/* One of the messages with the Call's XID has its answer. */
void rpcrdma_state_answer(struct rpcrdma_check *check, struct call *call);

/* The first, then each next memory of this handle. */
struct offered_memory *rpcrdma_state_memory(struct rpcrdma_check *check, uint32_t handle);
struct offered_memory *rpcrdma_state_memory_next(struct rpcrdma_check *check,
                                                 const struct offered_memory *memory);

/* Something of this connection was not seen. What waits may have been answered, what was answered
 * may have been called again: all Calls are forgotten. */
void rpcrdma_state_gap(struct rpcrdma_check *check);

/* Private data of a side is known: if that of both is, they have negotiated inline thresholds. */
void rpcrdma_state_negotiate(struct rpcrdma_check *check);

/* The inline threshold that both sides have negotiated for Sends of this one, or 0. */
static inline uint32_t rpcrdma_state_negotiated(const struct rpcrdma_check *check,
                                                enum rpcrdma_endpoint from)
{
    return check->negotiated[from];
}

/* The one that is known to hold, or 0. */
static inline uint32_t known_threshold(const struct rpcrdma_check *check,
                                       enum rpcrdma_endpoint from)
{
    uint32_t set = check->config.inline_threshold[from];
    return set != 0 ? set : rpcrdma_state_negotiated(check, from);
}

static inline enum rpcrdma_endpoint other(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

static inline bool is_waiting(const struct call *call)
{
    return call != NULL && (call->state == CALL_PENDING || call->state == CALL_DOUBTFUL);
}

#endif
