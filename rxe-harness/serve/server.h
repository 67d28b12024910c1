// SPDX-License-Identifier: BSD-3-Clause
/* One connection of a Requester under test, while it lasts: what plays it and what judges it share
 * this. */
#ifndef HARNESS_SERVE_SERVER_H
#define HARNESS_SERVE_SERVER_H

#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/transport/watched.h"

#define ARRIVALS (2 * RESPONDER_CREDITS)

struct arrival {
    struct link_event event;
    uint8_t *octets;
};

/* Messages at fault that come in a row before an answer. */
struct series {
    unsigned sent, count; /* the number sent, and of all */
    unsigned least;       /* of them, however long they take */
    int64_t until;        /* when there are no more than that: its patience has an end as well */
    uint8_t *answer;      /* NULL: there is none under way */
    size_t length;
    uint32_t handle; /* that it invalidates, if it does */
    bool invalidates;
};

struct server {
    struct serve *serve;
    const struct serve_case *test_case;
    struct responder *responder;
    struct watched watched;            /* the link that the Responder is given */
    struct arrival arrivals[ARRIVALS]; /* from `first` on, around the end */
    unsigned first, count;
    uint8_t *given; /* octets of the one that is answered */
    size_t given_length;
    struct serve_calls calls;
    struct reverse reverse;
    struct series series;
    struct serve_fence fence;
    uint32_t asked; /* credits, by the last Call */
    unsigned replies;
    unsigned reads;             /* Calls of READ that the case could be about */
    bool reads_several;         /* in one COMPOUND */
    unsigned after;             /* messages that came after the first unexpected one */
    bool unexpected_sent;       /* it was sent */
    uint8_t *unexpected_octets; /* the first that was */
    size_t unexpected_length;
    unsigned reactions;   /* that it leaves open */
    bool continues;       /* with Calls of the connection before: nothing unexpected comes */
    bool ended, repeated; /* RDMA_ERROR was sent for this Call; and it came again */
    uint32_t ended_xid;
    bool gone, starved, has_back_channel;
    /* Over iWARP a Write is done when it has gone out: that the memory is not there is said by the
     * end of the connection. */
    bool may_have_refused;
    char why[128];
};

/* It ends a Call by RDMA_ERROR, and this is what is wrong where the Call comes all the same. */
extern const char server_ended_again[];
/* How the case ended, which `text` says. `failure`: what the Requester says went wrong, or NULL. */
enum ending server_ending(const struct server *server, const char *failure, char text[256]);

#endif
