// SPDX-License-Identifier: BSD-3-Clause
/*
 * Serving a Requester that is tested: the reference Responder answers it, and from its second Call
 * on something unexpected comes with each answer, or it is called itself. All that the Requester
 * sends is judged.
 *
 * Every connection is a case. What the Requester does on the first, where nothing unexpected comes,
 * is the measure for the others.
 */
#ifndef HARNESS_SERVE_H
#define HARNESS_SERVE_H

#include "rxe-harness/serve/calls.h"
#include "rxe-harness/report/peer_log.h"
#include "rxe-harness/serve/reverse.h"
#include "rxe-harness/serve/selection.h"
#include "rxe-harness/serve/shape.h"
#include "rxe-harness/serve/told.h"
#include "rxe-harness/transport/announcement.h"
#include "rxe-harness/transport/transport.h"

#include "conformance/report/results/results.h"

#include <rpcrdma/rpcrdma.h>

/* Stand for the XID of the Call that is answered, and for an unused one. */
#define SERVE_XID 0xfeed0001u
#define SERVE_OTHER_XID 0xfeed0002u
#define SERVE_WORDS 24
#define SERVE_GRANTS 6

/* What is wrong with the Write list of a Reply that comes before the answer; it says that the
 * procedure failed. */
enum serve_list_fault {
    SERVE_NO_FAULT, /* there is no such Reply */
    SERVE_LONGER,   /* a segment has more octets than was offered */
    SERVE_FOREIGN,  /* the handle is another one */
    SERVE_SURPLUS,  /* there is a segment more than was offered */
    SERVE_ABSENT,   /* there is no list */
};

/* What is tried with memory that the Requester should have taken back. */
#define SERVE_FENCE_MOST 4096u /* octets; of what is longer the first ones */
enum serve_fence_kind {
    SERVE_NO_FENCE,
    SERVE_READ_AFTER,     /* what was offered to be read is read */
    SERVE_WRITTEN_AFTER,  /* what was written is written again */
    SERVE_READ_ELSEWHERE, /* what was offered to be read on an earlier connection is read */
};

struct serve_case {
    const char *id, *comment, *rule;
    uint32_t words[SERVE_WORDS]; /* the unexpected message */
    size_t length;               /* its octets; 0: none */
    bool series;    /* it comes more often than the Requester has Receives, and then the answer */
    bool hazardous; /* it may do worse to a peer than end its connection */
    enum serve_list_fault list_fault; /* or else it is made of an answer with a Write list */
    bool instead;                     /* it takes the answer's place, once */
    bool twice;                       /* the answer comes twice */
    unsigned shape;                   /* or else of Replies to READ: enum serve_shape */
    unsigned several;      /* to the READ of this number of a COMPOUND, from 1 on; 0: to NFSv3's */
    enum told_wanted read; /* and what comes of it */
    enum serve_reverse reverse;  /* or else Calls to the Requester */
    enum serve_fence_kind fence; /* or else what the Requester offered is used again */
    bool grants;                 /* these are granted, one after the other, again and again */
    uint32_t grant[SERVE_GRANTS];
    const struct announcement *announced; /* takes the place of the Responder's; or NULL */
};
/* Up to one without an id. */
extern const struct serve_case serve_cases[];

struct serve {
    struct results results;
    unsigned timeout;         /* milliseconds for a Requester to connect, and for a case in all */
    unsigned error_pause;     /* milliseconds before RDMA_ERROR: the Call's own Send is over then;
                               * and between a faulty Reply and the right one */
    struct serve_calls plain; /* what it calls where nothing unexpected comes; none: not measured */
    bool leaves;              /* it ended that connection itself */
    bool has_back_channel;    /* it had a session of NFSv4.1 there, with a back channel */
    bool reads, reads_several; /* it read a file by NFSv3 there; it called several READs at once */
    struct nfs4 *nfs4;         /* what clients hold, or NULL: version 4.1 is not served */
    struct told_reads *told;   /* what clients say that they read, or NULL: they do not */
    struct serve_calls last;   /* on the connection before this one */
    bool ended;                /* RDMA_ERROR was sent there for a Call */
    uint32_t ended_xid;
    struct rpcrdma1_segment offered; /* to be read, by the last Call that did */
    size_t last_result;              /* of the case before this one */
    bool lost;                       /* there Calls were missing */
    bool is_silent;                  /* and the connection had not ended */
    bool is_cut_short;    /* the time for a case was over while the Requester still did something */
    bool doubted;         /* for that it fails, and the same case is under way once more */
    bool unjudged;        /* or it fell silent, and the same */
    unsigned strays;      /* connections in a row that began otherwise than the first */
    const char *nobody;   /* came, or was ever heard: no connection is awaited any more; or NULL */
    unsigned connections; /* that came */
    bool same;            /* the Requester is said to make the same Calls on every connection */
    struct serve_selection selection;
    struct peer_log log;
};

#define SERVE_FAULTY_MAX 512
/* Make the faulty Reply of an answer. Returns its octets, or 0: the answer has not one Write chunk.
 */
size_t serve_faulty_reply(enum serve_list_fault fault, const uint8_t *answer, size_t length,
                          uint8_t reply[SERVE_FAULTY_MAX]);

/* Whether the peer can still use what a Call offered, two Calls after its Reply or on the next
 * connection (fence.c). That takes nothing from a Requester but its connection, which ends where it
 * was taken back; what is written is what was written there before. */
struct serve_fence {
    enum serve_fence_kind kind;
    bool is_armed, is_open;
    struct rpcrdma1_segment memory;
    uint8_t octets[SERVE_FENCE_MOST]; /* to be written */
    unsigned later;                   /* Calls that came after the Reply */
};
/* A connection begins; a Call came; it was written to memory of one. */
void serve_fence_new(struct serve_fence *fence, const struct serve *serve,
                     enum serve_fence_kind kind);
void serve_fence_offered(struct serve_fence *fence, struct serve *serve, const uint8_t *call,
                         size_t length);
void serve_fence_written(struct serve_fence *fence, const struct rpcrdma_event *event);
/* This Call has its Reply now. */
void serve_fence_begin(struct serve_fence *fence, const uint8_t *call, size_t length);
/* Another Call came. True: it was tried, by these operations of the link. */
bool serve_fence_next(struct serve_fence *fence, struct link *link, const struct link_ops *ops,
                      unsigned pause);

/* One connection, which is one case. */
struct server;
struct link_options serve_link_options(const struct serve_case *test_case,
                                       uint8_t octets[ANNOUNCEMENT_MAX]);
struct server *server_new(struct serve *serve, const struct serve_case *test_case,
                          struct link *link);
/* False: there was nothing to do, or the connection is gone. */
bool server_step(struct server *server, unsigned timeout);
/* Whether it came to the unexpected message. */
bool server_met(const struct server *server);
/* Whether it was held without a Call. */
bool server_is_silent(const struct server *server);
/* Whether it went on with Calls of the connection before; and whether there were Calls missing
 * that are made where nothing unexpected comes. */
bool server_continues(const struct server *server);
bool server_misses_calls(const struct server *server);
/* Make this connection the measure for others. */
void server_measure(struct server *server);
void server_free(struct server *server);
/* Write the result and free it. `failure`: what the Requester says went wrong, or NULL. */
void server_finish(struct server *server, const char *failure);

bool serve_wants(struct serve *serve, const struct serve_case *test_case);
/* What was said of the last case is not known after all: Calls are missing in any case. */
void serve_unjudge(struct serve *serve);
/* A case for which no Requester came. Where it was lost in the case before, that is its end; the
 * same where that case is this one, once more. */
void serve_nobody(struct serve *serve, const struct serve_case *test_case);
void serve_inapplicable(struct serve *serve, const struct serve_case *test_case, const char *why);

/* Whether the run is interrupted: the case is then one that was not run. */
bool serve_stopped(struct serve *serve, const struct serve_case *test_case);
/* The same after a case, but nothing of it counts: that is what came after the first `before`
 * results. */
void serve_cut(struct serve *serve, size_t before, const struct serve_case *test_case);

/* The reference Requester over loopback, once a case. */
void serve_reference(struct serve *serve);
/* The peers that connect, one case a connection. */
void serve_peers(struct serve *serve, struct transport *transport);

#endif
