// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/proxy/arrivals.h"

#include "conformance/base/status.h"

#include <poll.h>
#include <stdio.h>

#define LOOK 100 /* milliseconds after which the thread sees that it is to end */

bool arrivals_meet(void *arg, const struct link *client, struct link_options *answer)
{
    struct arrivals *arrivals = arg;
    struct proxy *proxy = arrivals->proxy;
    proxy->target->error[0] = '\0';
    arrivals->server = proxy_reach(proxy, client);
    if (arrivals->server == NULL) {
        say("%s: %s", proxy->target_name ? proxy->target_name : "target", proxy->target->error);
        return false;
    }
    answer->private_length = proxy_answer(arrivals->server, arrivals->answer);
    answer->private_data = arrivals->answer;
    return true;
}

static void close_both(struct link *client, struct link *server)
{
    if (client)
        client->ops->close(client);
    if (server)
        server->ops->close(server);
}

static void accept_one(struct arrivals *arrivals)
{
    struct transport *listener = arrivals->listener;
    const struct link_options options = {.receive_size = PROXY_RECEIVE,
                                         .receives = PROXY_RECEIVES,
                                         .timeout = arrivals->proxy->timeout};
    arrivals->server = NULL;
    listener->error[0] = '\0';
    struct link *client = listener->ops->accept(listener, &options, LOOK);
    if (client == NULL || arrivals->server == NULL) {
        close_both(client, arrivals->server);
        if (listener->error[0] != '\0')
            say("%s", listener->error);
        return;
    }
    arrivals->accepted++;
    pthread_mutex_lock(&arrivals->lock);
    arrivals->clients[arrivals->count] = client;
    arrivals->servers[arrivals->count++] = arrivals->server;
    pthread_mutex_unlock(&arrivals->lock);
}

static void *run(void *arg)
{
    struct arrivals *arrivals = arg;
    for (;;) {
        pthread_mutex_lock(&arrivals->lock);
        bool stops = arrivals->stops;
        bool waits = arrivals->holds || arrivals->count == ARRIVALS_MAX;
        pthread_mutex_unlock(&arrivals->lock);
        if (stops)
            return NULL;
        if (waits || (arrivals->limit > 0 && arrivals->accepted >= arrivals->limit))
            poll(NULL, 0, 1);
        else
            accept_one(arrivals);
    }
}

bool arrivals_begin(struct arrivals *arrivals, struct proxy *proxy, struct transport *listener,
                    unsigned limit)
{
    *arrivals = (struct arrivals){.proxy = proxy, .listener = listener, .limit = limit};
    pthread_mutex_init(&arrivals->lock, NULL);
    return pthread_create(&arrivals->thread, NULL, run, arrivals) == 0;
}

bool arrivals_take(struct arrivals *arrivals, struct link **client, struct link **server)
{
    pthread_mutex_lock(&arrivals->lock);
    bool some = arrivals->count > 0;
    if (some) {
        *client = arrivals->clients[0];
        *server = arrivals->servers[0];
        arrivals->count--;
        for (unsigned i = 0; i < arrivals->count; i++) {
            arrivals->clients[i] = arrivals->clients[i + 1];
            arrivals->servers[i] = arrivals->servers[i + 1];
        }
    }
    pthread_mutex_unlock(&arrivals->lock);
    return some;
}

void arrivals_hold(struct arrivals *arrivals, bool holds)
{
    pthread_mutex_lock(&arrivals->lock);
    arrivals->holds = holds;
    pthread_mutex_unlock(&arrivals->lock);
}

void arrivals_end(struct arrivals *arrivals)
{
    struct link *client, *server;
    pthread_mutex_lock(&arrivals->lock);
    arrivals->stops = true;
    pthread_mutex_unlock(&arrivals->lock);
    pthread_join(arrivals->thread, NULL);
    while (arrivals_take(arrivals, &client, &server))
        close_both(client, server);
    pthread_mutex_destroy(&arrivals->lock);
}
