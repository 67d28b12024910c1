// SPDX-License-Identifier: BSD-3-Clause
/* What the files of serve2 share of a connection. */
#ifndef HARNESS_SERVE2_SERVER2_H
#define HARNESS_SERVE2_SERVER2_H

#include "rxe-harness/serve/version2/serve.h"

#include "rxe-harness/transport/watched.h"

#include <rpcrdma/rpcrdma2_07.h>

enum { WORD = sizeof(uint32_t), GRANT = RPCRDMA2_07_GRANT };

#define HELD_MAX 64

/* What came before we granted anything more: only so it shows whether it was beyond the limit. */
struct held {
    unsigned count, given;
    struct link_event events[HELD_MAX];
    uint8_t octets[HELD_MAX][SESSION_INLINE];
};

struct server2 {
    struct serve2 *serve;
    struct link *link;
    const struct serve2_case *test_case;
    struct responder *responder;
    struct watched watched; /* the link that the Responder is given */
    unsigned calls, replies, pieces;
    unsigned after; /* messages that came after the unexpected one */
    bool met, withheld,
        owes_grant;  /* it came to what the case is about; a GRANT is still to be sent */
    unsigned open;   /* reactions that our last Send leaves to the Requester */
    unsigned wanted; /* and that of the case */
    bool unexpected; /* that was no Reply as it should be */
    unsigned error;  /* the reaction that its first error after it is, or 0 */
    char error_text[80];
    unsigned sends;   /* of the Requester's */
    unsigned told_at; /* as many of them came before our properties went; 0: these did not go */
    bool has_long;    /* it then had a Call that a Send of the size told does not hold */
    size_t too_long;  /* octets of a Send that was beyond that size, or 0 */
    uint32_t came;    /* Sends of the Requester's */
    uint32_t allowed; /* -07: Sends in all, that our last one allows */
    unsigned waiting, most; /* Calls that are not answered; the most so far */
    bool reached;           /* -07: it had more to send of a Call when it had no credit any more */
    struct held *held;      /* Sends that came and wait, until no more comes; or NULL */
    uint32_t told;          /* properties that it has told: 1 << N is property N, of the first 31 */
    uint8_t sent[SESSION_INLINE]; /* by the case */
    size_t sent_length;
    char why[128];
    bool returned;
    uint32_t version; /* of the first message on the second connection; 0: none came */
};

/* outgoing.c: a Send of the Responder's, and where the case comes in. */
bool server2_send(void *arg, const void *sent, size_t length, const uint32_t *handle);

#endif
