// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder as a program of its own, over verbs: an example of a server that is
 * tested in the virtual machine (make live PEER=), and a peer for clients on real hardware.
 *
 *   responder [--version-2] [--die-on PROCEDURE] [ADDRESS]
 *
 * With --version-2 it takes version 2 (draft -07) as well as version 1. With --die-on it ends, as a
 * server that crashes, when a Send has this word as its procedure.
 */
#include "rxe-harness/responder/responder.h"

#include <rpcrdma/rpcrdma.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1000       /* milliseconds */
#define ACCEPT 3600000u /* milliseconds */

static struct link_ops honest, mortal;
static uint32_t deadly;
static bool version2;

static void wait_and_die(struct link *link, unsigned timeout, struct link_event *event)
{
    struct rpcrdma_prefix prefix;
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED &&
        rpcrdma_prefix_load(&prefix, event->octets, event->length) && prefix.procedure == deadly)
        abort();
}

static void *serve(void *arg)
{
    struct responder *responder = arg;
    while (!responder_gone(responder))
        responder_step(responder, STEP);
    responder_free(responder);
    return NULL;
}

static void begin(struct link *link)
{
    pthread_t thread;
    if (deadly != 0) {
        honest = *link->ops;
        mortal = honest;
        mortal.wait = wait_and_die;
        link->ops = &mortal;
    }
    struct responder *responder = responder_new(link);
    if (responder == NULL) {
        link->ops->close(link);
        return;
    }
    if (version2 && !responder_speak_version2(responder)) {
        responder_free(responder);
        return;
    }
    if (pthread_create(&thread, NULL, serve, responder) == 0)
        pthread_detach(thread);
    else
        responder_free(responder);
}

int main(int argc, char **argv)
{
    int next = 1;
    if (argc > 1 && strcmp(argv[1], "--version-2") == 0) {
        version2 = true;
        argc--;
        argv++;
    }
    if (argc > 2 && strcmp(argv[1], "--die-on") == 0) {
        deadly = (uint32_t)strtoul(argv[2], NULL, 0);
        next = 3;
    }
    char error[256] = "";
    const char *address = next < argc ? argv[next] : "0.0.0.0";
    struct transport *transport = transport_verbs(address, true, error, sizeof error);
    if (transport == NULL) {
        fprintf(stderr, "responder: %s: %s\n", address, error);
        return 4;
    }
    for (;;) {
        struct link *link = transport->ops->accept(transport, responder_options(), ACCEPT);
        if (link)
            begin(link);
        else if (transport->error[0] != '\0')
            fprintf(stderr, "responder: %s\n", transport->error);
    }
}
