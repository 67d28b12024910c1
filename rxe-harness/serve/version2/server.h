// SPDX-License-Identifier: BSD-3-Clause
/* What the files of serve2 share of a connection. */
#ifndef HARNESS_SERVE2_SERVER2_H
#define HARNESS_SERVE2_SERVER2_H

#include "rxe-harness/serve/version2/serve.h"

#include <rpcrdma/check.h>

enum { WORD = 4, CREDIT_AT = 8, VERSION_AT = 4, TYPE_AT = 12, ERROR = 4, GRANT = 5 };

struct server2 {
    struct serve2 *serve;
    struct link *link;
    const struct serve2_case *test_case;
    struct responder *responder;
    const struct link_ops *own;
    struct link_ops ops; /* what the Responder is given */
    void *memory;
    struct rpcrdma_check *check;
    unsigned calls, replies, pieces;
    unsigned after; /* messages that came after the unexpected one */
    bool met, withheld,
        owes_grant;  /* it came to what the case is about; a GRANT is still to be sent */
    unsigned open;   /* reactions that our last Send leaves to the Requester */
    unsigned wanted; /* and that of the case */
    bool unexpected; /* that was no Reply as it should be */
    unsigned error;  /* the reaction that its first error after it is, or 0 */
    char error_text[80];
    uint8_t sent[SESSION_INLINE]; /* by the case */
    size_t sent_length;
    bool gone;
    char why[128];
    bool returned;
    uint32_t version; /* of the first message on the second connection; 0: none came */
};

/* The checker sees it; what the Requester does wrong is reported. */
void server2_judge(struct server2 *server, const struct rpcrdma_event *event,
                   struct rpcrdma_judgement *judgement);
/* outgoing.c: `send` of the link that the Responder is given. */
bool server2_send(struct link *link, const void *sent, size_t length, const uint32_t *handle);

#endif
