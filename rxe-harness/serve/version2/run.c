// SPDX-License-Identifier: BSD-3-Clause
/* Whom version 2 is served: the reference Requester over loopback, or the peer that connects. */
#include "rxe-harness/serve/version2/serve.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <stdio.h>

#define TIMEOUT 1000u  /* milliseconds for a Reply */
#define PATIENCE 5000u /* milliseconds between two Calls */
#define SILENT_MAX 4   /* connections of a Requester that was never heard */

const struct serve2_case *serve2_cases(enum rpcrdma_protocol draft)
{
    return draft == RPCRDMA_PROTOCOL_2_04 ? serve2_cases04 : serve2_cases07;
}

/* ---- the reference Requester ---- */

struct stage {
    struct serve2 *serve;
    const struct serve2_case *test_case;
    struct server2 *server;
};

static void *begin(void *arg, struct link *link)
{
    struct stage *stage = arg;
    if (stage->server)
        return server2_return(stage->server, link) ? stage : NULL;
    stage->server = server2_new(stage->serve, stage->test_case, link);
    return stage->server ? stage : NULL;
}

static bool step(void *peer)
{
    const struct stage *stage = peer;
    bool went_on = server2_step(stage->server, 0);
    if (!went_on && stage->test_case->how == SERVE2_CLOSED && !server2_has_returned(stage->server))
        server2_leave(stage->server);
    return went_on;
}

/* The Requester gave up before all was done, and its link is gone with it. */
static void end(void *peer)
{
    struct stage *stage = peer;
    bool may_return = stage->server && server2_may_return(stage->test_case) &&
                      !server2_has_returned(stage->server);
    if (may_return) {
        server2_leave(stage->server);
        return;
    }
    if (stage->server)
        server2_finish(stage->server, stage->test_case->error_low > RPCRDMA_VERSION_2
                                          ? NULL
                                          : "version 2 was not settled");
    stage->server = NULL;
}

static void meet(struct serve2 *serve, const struct serve2_case *test_case)
{
    struct stage stage = {.serve = serve, .test_case = test_case};
    const struct requester_options options = {.timeout = TIMEOUT,
                                              .draft = serve->draft,
                                              .invalidates = true,
                                              .tamper = serve->tamper,
                                              .arg = serve->tamper_arg,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    const struct link_options receives = serve2_link_options(test_case);
    const struct loopback_peer peer = {
        .options = &receives, .begin = begin, .step = step, .end = end, .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    if (transport == NULL)
        return;
    struct requester *requester = requester_connect(transport, &options);
    if (requester) {
        char text[256];
        bool is_refused = test_case->how == SERVE2_INSTEAD;
        server2_finish(stage.server, requester_call_test(requester, is_refused, TIMEOUT, text));
        stage.server = NULL;
        requester_close(requester);
    }
    if (stage.server)
        server2_finish(stage.server, NULL);
    transport->ops->close(transport);
}

/* ---- the peer that connects ---- */

static void not_run(struct serve2 *serve, const struct serve2_case *test_case, const char *why)
{
    const struct live_case about = {"serve", test_case->id, test_case->comment};
    struct result *result = live_result(&serve->results, &about, test_case->rule, false, "server");
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text("the Requester tolerates it and goes on");
    result->actual = alloc_text(why);
}

static struct link *await_link(struct serve2 *serve, struct transport *transport,
                               const struct serve2_case *test_case)
{
    int64_t until = clock_milliseconds() + serve->timeout, left;
    const struct link_options options = serve2_link_options(test_case);
    while ((left = until - clock_milliseconds()) > 0) {
        struct link *link = transport->ops->accept(transport, &options, (unsigned)left);
        if (link)
            return link;
        if (transport->error[0] != '\0')
            say("%s", transport->error);
    }
    return NULL;
}

static struct server2 *await(struct serve2 *serve, struct transport *transport,
                             const struct serve2_case *test_case)
{
    struct link *link = await_link(serve, transport, test_case);
    struct server2 *server = link ? server2_new(serve, test_case, link) : NULL;
    serve->connections += link != NULL;
    if (link && server == NULL)
        link->ops->close(link);
    if (link == NULL)
        serve->nobody =
            serve->connections > 0 ? "no further Requester connected" : "no Requester connected";
    return server;
}

static void attend(struct serve2 *serve, struct server2 *server, unsigned longest)
{
    unsigned patience = serve->timeout < longest ? serve->timeout : longest;
    int64_t began = clock_milliseconds(), until = began + serve->timeout, now = began;
    int64_t first = began + patience; /* whatever comes before a Call is not waited on for longer */
    while (now < (server2_is_silent(server) ? first : until) && server2_step(server, patience))
        now = clock_milliseconds();
}

static void note_silence(struct serve2 *serve, const struct server2 *server)
{
    serve->was_heard = serve->was_heard || !server2_is_silent(server);
    serve->silent = server2_is_silent(server) ? serve->silent + 1 : 0;
    if (serve->silent == SILENT_MAX && !serve->was_heard)
        serve->nobody = "the Requester makes no Calls";
}

/* Silence lasts as long as we have time: the Requester's own may be long. */
static void attend_case(struct serve2 *serve, struct transport *transport, struct server2 *server,
                        const struct serve2_case *test_case)
{
    attend(serve, server, test_case->how == SERVE2_SILENT ? serve->timeout : PATIENCE);
    if (!server2_may_return(test_case))
        return;
    server2_leave(server);
    struct link *link = await_link(serve, transport, test_case);
    if (link && server2_return(server, link))
        attend(serve, server, PATIENCE);
    else if (link)
        link->ops->close(link);
}

/* A connection on which nothing unexpected comes. */
static bool measure(struct serve2 *serve, struct transport *transport,
                    const struct serve2_case *first)
{
    struct server2 *server = await(serve, transport, first);
    if (server == NULL)
        return false;
    attend(serve, server, PATIENCE);
    note_silence(serve, server);
    server2_measure(server);
    return true;
}

/* ---- cases ---- */

static bool wants(struct serve2 *serve, const struct serve2_case *test_case)
{
    return serve_selects_run(&serve->selection, test_case->id, false, test_case->comment);
}

static void turn(struct serve2 *serve, const struct serve2_case *test_case)
{
    const struct live_case about = {"serve", test_case->id, test_case->comment};
    peer_log_turn(&serve->log, &serve->results, &about);
}

/* Of a case that is interrupted nothing counts; those after it are not run. */
static void cut(struct serve2 *serve, size_t before, const struct serve2_case *test_case)
{
    if (!interrupted())
        return;
    while (serve->results.count > before)
        results_drop_last(&serve->results);
    not_run(serve, test_case, "not run: interrupted");
}

void serve2_reference(struct serve2 *serve)
{
    for (const struct serve2_case *each = serve2_cases(serve->draft); each->id; each++) {
        if (!wants(serve, each))
            continue;
        turn(serve, each);
        size_t before = serve->results.count;
        if (!interrupted())
            meet(serve, each);
        cut(serve, before, each);
    }
    peer_log_turn(&serve->log, &serve->results, NULL);
}

void serve2_peers(struct serve2 *serve, struct transport *transport)
{
    const struct serve2_case *first = serve2_cases(serve->draft);
    bool measured = false, gone = false; /* none came within the time: none will */
    for (const struct serve2_case *each = first; each->id; each++) {
        if (!wants(serve, each))
            continue;
        turn(serve, each);
        size_t before = serve->results.count;
        gone = gone || serve->nobody || interrupted();
        if (!gone && each != first && !measured)
            gone = !measure(serve, transport, first);
        measured = true;
        struct server2 *server = gone ? NULL : await(serve, transport, each);
        gone = server == NULL;
        if (server) {
            attend_case(serve, transport, server, each);
            note_silence(serve, server);
            server2_finish(server, NULL);
        } else {
            not_run(serve, each, serve->nobody ? serve->nobody : "no Requester connected");
        }
        cut(serve, before, each);
    }
    peer_log_turn(&serve->log, &serve->results, NULL);
}
