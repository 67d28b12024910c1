// SPDX-License-Identifier: BSD-3-Clause
/* The connections of one file that are open: a checker each. */
#ifndef CONFORMANCE_CONNECTIONS_H
#define CONFORMANCE_CONNECTIONS_H

#include <rpcrdma/check.h>

struct open_connection {
    uint64_t id;
    struct open_connection *next;
    struct rpcrdma_check *check;
    void *summary; /* the command's own, or NULL */
    void *history; /* the command's own, or NULL; freed with the connection */
    void *window;  /* likewise */
};

struct connections {
    struct open_connection **buckets; /* a power of two of them */
    size_t size, count;
    uint64_t made;                /* in all */
    struct open_connection *last; /* the one asked for last: most events come in runs */
    void (*ended)(void *arg,
                  struct open_connection *connection); /* before it is dropped; or NULL */
    void *arg;
};

/* The connection, made with `config` if it is new; NULL where memory does not suffice. */
struct open_connection *connections_get(struct connections *connections, uint64_t id,
                                        const struct rpcrdma_check_config *config);

/* Whether --connection means it: WANTED is its name, or one of its sides ("192.0.2.1:0x11"), or the
 * address of one; NULL means all. */
bool connection_is_meant(const char *name, const char *wanted);

void connections_drop(struct connections *connections, uint64_t id);
void connections_free(struct connections *connections);

#endif
