// SPDX-License-Identifier: BSD-3-Clause
/*
 * Clients that come to the proxy. A thread of its own accepts them and connects to the target for
 * each, which may take seconds, so that those who are relayed do not wait.
 */
#ifndef HARNESS_ARRIVALS_H
#define HARNESS_ARRIVALS_H

#include "rxe-harness/proxy/proxy.h"

#include <pthread.h>

#define ARRIVALS_MAX 16

struct arrivals {
    /* Of the thread. */
    struct proxy *proxy;
    struct transport *listener;
    unsigned limit, accepted; /* limit 0: there is none */
    struct link *server;      /* of the client that is about to be accepted */
    uint8_t answer[LINK_PRIVATE_DATA_MAX];
    pthread_t thread;
    /* Of both. */
    pthread_mutex_t lock;
    bool stops, holds;
    unsigned count;
    struct link *clients[ARRIVALS_MAX], *servers[ARRIVALS_MAX];
};

/* Accept up to `limit` clients. False: there is no thread to be had. */
bool arrivals_begin(struct arrivals *arrivals, struct proxy *proxy, struct transport *listener,
                    unsigned limit);
/* The next one, which belongs to the caller then. False: none has come. */
bool arrivals_take(struct arrivals *arrivals, struct link **client, struct link **server);
/* With `holds` no connection is accepted for the time being. */
void arrivals_hold(struct arrivals *arrivals, bool holds);
/* Connections that were not taken are closed. */
void arrivals_end(struct arrivals *arrivals);

/* To be called while a client waits for its answer: reaches the target first, so that the client
 * learns what the target says. False: the client is rejected. */
bool arrivals_meet(void *arrivals, const struct link *client, struct link_options *answer);

#endif
