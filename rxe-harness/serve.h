// SPDX-License-Identifier: BSD-3-Clause
/*
 * Serving a Requester that is tested: the reference Responder answers it, and beside the answer to
 * its second Call comes something odd. All that the Requester sends is judged.
 */
#ifndef HARNESS_SERVE_H
#define HARNESS_SERVE_H

#include "transport.h"

#include <results.h>

/* Stand for the XID of the Call that is answered, and for one that nobody has used. */
#define SERVE_XID 0xfeed0001u
#define SERVE_OTHER_XID 0xfeed0002u
#define SERVE_WORDS 24
#define SERVE_GRANTS 6

struct serve_case {
    const char *id, *comment, *rule;
    uint32_t words[SERVE_WORDS]; /* the odd message */
    size_t length;               /* its octets; 0: none */
    bool instead;                /* it takes the answer's place */
    bool twice;                  /* the answer comes twice */
    bool grants;                 /* these are granted, one after the other */
    uint32_t grant[SERVE_GRANTS];
};
/* Up to one without an id. */
extern const struct serve_case serve_cases[];

struct serve {
    struct results results;
    unsigned timeout;  /* milliseconds for a Requester to connect, and for a case in all */
    unsigned patience; /* milliseconds after which a Requester has nothing more to say */
    const char *only;
    bool list;
    unsigned shown;
};

/* One connection, which is one case. */
struct server;
extern const struct link_options *const serve_link_options;
struct server *server_new(struct serve *serve, const struct serve_case *each, struct link *link);
/* False: there was nothing to do, or the connection is gone. */
bool server_step(struct server *server, unsigned timeout);
bool server_gone(const struct server *server);
/* Write the result and free it. `failure`: what the Requester says went wrong, or NULL. */
void server_finish(struct server *server, const char *failure);

bool serve_wants(struct serve *serve, const struct serve_case *each);
/* A case for which no Requester came. */
void serve_nobody(struct serve *serve, const struct serve_case *each);

/* The reference Requester over loopback, once a case. */
void serve_reference(struct serve *serve);
/* Whoever connects, one case a connection. */
void serve_peers(struct serve *serve, struct transport *transport);

#endif
