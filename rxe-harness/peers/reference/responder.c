// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder as a program of its own, over verbs: an example of a server that is
 * tested in the virtual machine (make live PEER=), and a peer for clients on real hardware.
 *
 *   responder [--version-2] [--draft 04|07] [--call-back N] [--die-on PROCEDURE] [ADDRESS]
 *
 * With --version-2 or --draft it takes version 2 as well as version 1, by this draft (07); with
 * --call-back it calls the client back after each N of its Calls of version 2. With --die-on it
 * ends, as a server that crashes, when a Send has this word as its procedure.
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
static enum rpcrdma_protocol draft; /* RPCRDMA_PROTOCOL_AUTO: version 1 alone */
static unsigned call_back;

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
    if (rpcrdma_protocol_is_draft(draft) && !responder_speak_version2(responder, draft)) {
        responder_free(responder);
        return;
    }
    responder_call_back(responder, call_back);
    if (pthread_create(&thread, NULL, serve, responder) == 0)
        pthread_detach(thread);
    else
        responder_free(responder);
}

/* The address, or NULL: wrong usage. */
static const char *parse(int argc, char **argv)
{
    int next = 1;
    for (; next < argc && strncmp(argv[next], "--", 2) == 0; next++) {
        const char *option = argv[next];
        const char *value = next + 1 < argc ? argv[next + 1] : "";
        if (strcmp(option, "--version-2") == 0) {
            draft = RPCRDMA_PROTOCOL_2_07;
            continue;
        }
        if (strcmp(option, "--draft") == 0 && strcmp(value, "04") == 0)
            draft = RPCRDMA_PROTOCOL_2_04;
        else if (strcmp(option, "--draft") == 0 && strcmp(value, "07") == 0)
            draft = RPCRDMA_PROTOCOL_2_07;
        else if (strcmp(option, "--call-back") == 0)
            call_back = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(option, "--die-on") == 0)
            deadly = (uint32_t)strtoul(value, NULL, 0);
        else
            return NULL;
        next++;
    }
    return next < argc ? argv[next] : "0.0.0.0";
}

int main(int argc, char **argv)
{
    const char *address = parse(argc, argv);
    if (address == NULL) {
        fputs("usage: responder [--version-2] [--draft 04|07] [--call-back N] "
              "[--die-on PROCEDURE] [ADDRESS]\n",
              stderr);
        return 2;
    }
    char error[256] = "";
    struct transport *transport = transport_open(address, true, error, sizeof error);
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
