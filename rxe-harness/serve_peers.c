// SPDX-License-Identifier: BSD-3-Clause
/* Whom `serve` serves: the reference Requester over loopback, or whoever connects. */
#include "loopback.h"
#include "requester.h"
#include "responder.h"
#include "serve.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>
#include <time.h>

/* ---- the reference Requester ---- */

struct stage {
    struct serve *serve;
    const struct serve_case *each;
    struct server *server;
};

static void *begin(void *arg, struct link *link)
{
    struct stage *stage = arg;
    stage->server = server_new(stage->serve, stage->each, link);
    return stage->server ? stage : NULL;
}

static bool step(void *peer)
{
    return server_step(((struct stage *)peer)->server, 0);
}

static void end(void *peer)
{
    (void)peer; /* server_finish() closes */
}

/* The second Call is the one that meets what is odd. */
static const char *make_calls(struct requester *requester, const struct serve_case *each,
                              char text[256])
{
    static const uint8_t count[4] = {0, 0, 0x20, 0}, data[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
    const struct requester_call calls[] = {
        {.procedure = TEST_NULL},
        {.procedure = TEST_NULL},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 2,
         .write_room = 8192},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 2,
         .reply_room = 8704},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = 12,
         .item_at = 4,
         .item_length = 5,
         .read_segments = 2},
        {.procedure = TEST_STORE, .args = data, .args_length = 12, .long_segments = 1},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct requester_pending pending;
        struct requester_reply reply = {.text = "a Call that cannot be sent"};
        if (requester_begin(requester, &calls[i], &pending))
            requester_receive(requester, &pending, 1000, &reply);
        requester_forget(requester, &pending);
        bool error = reply.outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_VERS);
        bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
        if (i == 1 && each->instead ? !error : !good) {
            snprintf(text, 256, "Call %zu: %.150s", i + 1, reply.text);
            return text;
        }
    }
    return NULL;
}

static void meet(struct serve *serve, const struct serve_case *each)
{
    struct stage stage = {.serve = serve, .each = each};
    const struct loopback_peer peer = {
        .options = serve_link_options, .begin = begin, .step = step, .end = end, .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester =
        transport ? requester_open(transport, 1000, true, NULL, NULL) : NULL;
    if (requester) {
        char text[256];
        requester->program = TEST_PROGRAM;
        requester->version = TEST_VERSION;
        server_finish(stage.server, make_calls(requester, each, text));
        requester_close(requester);
    } else {
        serve_nobody(serve, each);
    }
    if (transport)
        transport->ops->close(transport);
}

void serve_reference(struct serve *serve)
{
    for (const struct serve_case *each = serve_cases; each->id; each++)
        if (serve_wants(serve, each))
            meet(serve, each);
}

/* ---- whoever connects ---- */

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void serve_peers(struct serve *serve, struct transport *transport)
{
    bool nobody = false;
    for (const struct serve_case *each = serve_cases; each->id; each++) {
        if (!serve_wants(serve, each))
            continue;
        transport->error[0] = '\0';
        struct link *link =
            nobody ? NULL : transport->ops->accept(transport, serve_link_options, serve->timeout);
        struct server *server = link ? server_new(serve, each, link) : NULL;
        if (server == NULL) {
            nobody = true;
            if (transport->error[0] != '\0')
                fprintf(stderr, "rpcrdma: %s\n", transport->error);
            if (link)
                link->ops->close(link);
            serve_nobody(serve, each);
            continue;
        }
        int64_t until = milliseconds() + serve->timeout;
        while (server_step(server, serve->patience) && milliseconds() < until)
            continue;
        server_finish(server, NULL);
    }
}
