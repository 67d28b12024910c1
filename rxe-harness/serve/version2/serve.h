// SPDX-License-Identifier: BSD-3-Clause
/*
 * Serving a Requester of version 2 that is tested, by either draft: the reference Responder answers
 * it, with other settings than usual or with something unexpected once it has made its second Call.
 * All that the Requester sends is judged by the checker, which also says what our unexpected Send
 * leaves open to it. Every connection is a case.
 */
#ifndef HARNESS_SERVE2_H
#define HARNESS_SERVE2_H

#include "rxe-harness/report/peer_log.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/selection.h"

#include "conformance/report/results/results.h"

#define SERVE2_WORDS 24
#define SERVE2_THEN 8 /* words of a second Send */
#define SERVE2_GRANTS 6

enum {
    SERVE2_XID = 0x5eed0000,    /* that of the Call that is answered */
    SERVE2_NO_XID = 0x5eed8000, /* so far after it that no Call of the connection comes to it */
};

enum serve2_how {
    SERVE2_PLAINLY, /* with the case's settings alone */
    SERVE2_BEFORE,  /* the words are sent before the Reply */
    SERVE2_FIRST,   /* or before anything else */
    SERVE2_BETWEEN, /* or after the second piece of Replies */
    SERVE2_INSTEAD, /* and in its place */
    SERVE2_TWICE,   /* the Reply comes twice */
    SERVE2_CHANGED, /* a Reply that returns a Write chunk, or a Reply chunk, has one of its words
                       changed; then the good one comes */
    SERVE2_UNASKED, /* the Reply invalidates a handle that was never offered */
    SERVE2_OTHER,   /* or one of a Write chunk of the Call's, but not the one it is to invalidate */
    SERVE2_REFUSED, /* version 2 is not spoken: ERR_VERS, and then version 1 */
    SERVE2_SILENT,  /* nothing is answered on the first connection; version 1 is spoken on the next
                     */
    SERVE2_CLOSED,  /* the first connection ends at its first message; then the same */
    SERVE2_LATER,   /* -07: the first answer grants nothing; a GRANT comes later */
};

struct serve2_case {
    const char *id, *comment, *rule;
    enum serve2_how how;
    uint32_t words[SERVE2_WORDS]; /* their credit word, here 0, is filled in */
    size_t count;
    uint32_t then[SERVE2_THEN]; /* BEFORE: a second Send of this kind, or none */
    size_t then_count;
    unsigned open;       /* reactions to them beside those that the checker leaves open, or 0 */
    unsigned chunk_word; /* of the chunk that is changed: 0 count, 1 handle, 2 length */
    uint32_t change;     /* what is added to it */
    bool of_reply_chunk; /* it is the Reply chunk */
    bool must_answer; /* the last of them draws an error from every receiver: from one that has told
                         this property, which it knows then; 0: from all */
    uint32_t property;
    uint32_t error_version; /* REFUSED: the version word of the error; 0: that of the offer */
    uint32_t error_low, error_high; /* and the versions that it names; 0: version 1 */
    uint32_t grant[SERVE2_GRANTS];  /* granted (-04), or advertised (-07), by one Reply after the
                                       other; 0: as usual */
    /* Settings of the session that are not the usual ones, or 0. */
    uint32_t credits, receive_size;
    size_t piece;
    unsigned call_back; /* a reverse Call after each this many Calls */
    bool no_properties;
    bool empty_chunks; /* Write chunks that are not used come back without segments */
    bool long_replies; /* what a Reply chunk holds goes there, though a Send would hold it */
};
/* Up to one without an id; the first is the measure for the others. */
const struct serve2_case *serve2_cases(enum rpcrdma_protocol draft);
extern const struct serve2_case serve2_cases04[], serve2_cases07[];

struct serve2 {
    struct results results;
    enum rpcrdma_protocol draft;
    unsigned timeout; /* milliseconds for a Requester to connect, and between two of its Calls */
    struct serve_selection selection;
    bool leaves;   /* the Requester ended the connection itself where nothing unexpected came */
    unsigned most; /* Calls that it had under way there at once */
    const char *nobody;   /* came, or was ever heard: no connection is awaited any more; or NULL */
    unsigned connections; /* that came */
    unsigned silent;      /* of these, in a row, on which no Call was made */
    bool was_heard;       /* there was a Call on one */
    struct peer_log log;
    /* Shown the reference Requester's link before it is used; or NULL. */
    void (*tamper)(void *arg, struct link *link);
    void *tamper_arg;
};

/* What the transport is asked for: the Responder's, with Receives of the size that the case says.
 */
struct link_options serve2_link_options(const struct serve2_case *test_case);

/* One connection. NULL: no memory; the link stays the caller's. */
struct server2 *server2_new(struct serve2 *serve, const struct serve2_case *test_case,
                            struct link *link);
/* False: there was nothing to do, or the connection is gone. */
bool server2_step(struct server2 *server, unsigned timeout);
/* No Call was made on it. */
bool server2_is_silent(const struct server2 *server);
/* The case may have a second connection: SILENT and CLOSED. */
bool server2_may_return(const struct serve2_case *test_case);
/* End the first connection, if that is still to be done, and free its link. */
void server2_leave(struct server2 *server);
/* The second one. False: no memory; the link stays the caller's. */
bool server2_return(struct server2 *server, struct link *link);
bool server2_has_returned(const struct server2 *server);
/* Make this connection the measure for others, and free it. */
void server2_measure(struct server2 *server);
/* Write the result and free it. `failure`: what the Requester itself says went wrong, or NULL. */
void server2_finish(struct server2 *server, const char *failure);

/* The reference Requester over loopback, once a case. */
void serve2_reference(struct serve2 *serve);
/* The peers that connect, one case a connection. */
void serve2_peers(struct serve2 *serve, struct transport *transport);

#endif
