// SPDX-License-Identifier: BSD-3-Clause
/*
 * One connection of a Requester under test. The reference Responder is given a link that looks on:
 * what comes in is judged, and what goes out is where the unexpected message comes in.
 */
#include "rxe-harness/serve/server.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/transport/watched.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_AFFECTED 2 /* the first Reply that the unexpected message comes with */
#define HOLD 40          /* milliseconds without a Call before held answers go out */
#define STRAYS_MAX 2     /* connections in a row that begin otherwise than the first did */
#define TIMES 4          /* the Requester's credits: it may have more Receives than it says */
#define SERIES_MAX 1024u /* messages, whatever it asks for */
#define SERIES_PAUSE 1   /* milliseconds in which it can drop one */
#define SERIES_TIME 1500 /* milliseconds; after that no more than its credits and one */

static const char bears_it[] = "the Requester tolerates it and goes on";

struct link_options serve_link_options(const struct serve_case *test_case,
                                       uint8_t octets[ANNOUNCEMENT_MAX])
{
    struct link_options options = *responder_options();
    if (test_case->announced) {
        options.private_data = octets;
        options.private_length = announcement_encode(test_case->announced, octets);
    }
    return options;
}

/* ---- looking on ---- */

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct server *server = arg;
    const struct live_case about = {"serve", server->test_case->id, server->test_case->comment};
    serve_fence_written(&server->fence, event);
    live_requester_findings(&server->serve->results, &about, event, judgement);
}

/* After an RDMA_ERROR the Requester had a new connection, and asks again. */
static void note_repeated(struct serve *serve)
{
    struct result *result = &serve->results.list[serve->last_result];
    free(result->actual);
    result->actual = alloc_text(server_ended_again);
    result->ending = ENDING_WRONG;
    serve->ended = false;
}

/* On a busy machine one that was cut off goes on in the middle of its work. Where several in a row
 * begin otherwise than the first connection did it was that one. */
static bool goes_on_in_the_middle(const struct server *server)
{
    struct serve *serve = server->serve;
    bool strays = serve->same && !serve_calls_begin_as(&server->calls, &serve->plain);
    serve->strays = strays ? serve->strays + 1 : 0;
    return strays && serve->strays <= STRAYS_MAX;
}

static void count_call(struct server *server, const struct link_event *event,
                       const struct rpcrdma_judgement *judgement)
{
    struct serve *serve = server->serve;
    struct shape_call read = {.number = server->test_case->several}, several = {.number = 1};
    server->reads += shape_call(&read, event->octets, event->length);
    server->reads_several =
        server->reads_several || shape_call(&several, event->octets, event->length);
    serve_fence_offered(&server->fence, serve, event->octets, event->length);
    size_t header = judgement->header_length < 0 ? event->length : (size_t)judgement->header_length;
    server->asked = judgement->has_credit ? judgement->credit : server->asked;
    if (server->calls.count == 0)
        server->continues = serve_calls_go_on(&serve->last, judgement->xid);
    if (server->continues && serve->ended && judgement->xid == serve->ended_xid)
        note_repeated(serve);
    unsigned before = server->calls.kinds;
    serve_calls_add(&server->calls, judgement->xid, event->octets + header, event->length - header);
    if (before == 0 && server->calls.kinds == 1)
        server->continues = server->continues || goes_on_in_the_middle(server);
    server->repeated = server->repeated || (server->ended && judgement->xid == server->ended_xid);
}

static bool send_unexpected_octets(struct server *server, const uint8_t *octets, size_t length);

/* Call the Requester, as far as it is time to. */
static bool call_back(struct server *server, enum reverse_moment moment, uint32_t xid)
{
    uint8_t octets[REVERSE_OCTETS];
    size_t length;
    if (server->serve->nfs4 == NULL || server->continues)
        return true;
    while ((length = reverse_next(&server->reverse, server->serve->nfs4, moment, xid, octets)) >
           0) {
        server->unexpected_sent = true;
        if (!send_unexpected_octets(server, octets, length))
            return false;
        moment = moment == REVERSE_AFTER_REPLY ? REVERSE_AFTER_ANSWER : moment;
    }
    return true;
}

/* Keep a Send until its turn to be answered comes; an answer to one of our Calls is not for the
 * Responder. */
static void take_in(struct server *server, const struct link_event *event)
{
    if (server->watched.judgement.direction == RPCRDMA_CALL)
        count_call(server, event, &server->watched.judgement);
    server->unexpected_sent = serve_fence_next(&server->fence, server->watched.link,
                                               server->watched.own, server->serve->error_pause) ||
                              server->unexpected_sent;
    server->after += server->unexpected_sent;
    if (reverse_take(&server->reverse, server->serve->nfs4, event->octets, event->length)) {
        call_back(server, REVERSE_AFTER_ANSWER, 0);
        return;
    }
    struct arrival *arrival = &server->arrivals[(server->first + server->count++) % ARRIVALS];
    arrival->event = *event;
    arrival->event.octets = arrival->octets = alloc_copy(event->octets, event->length);
}

static bool send_unexpected(struct server *server, uint32_t xid);

/* As many as Calls wait at once: each has its Receive. At their end the answer. */
static void go_on_with_series(struct server *server)
{
    struct series *series = &server->series;
    uint32_t xid = rpcrdma_xdr_load32(series->answer);
    if (series->sent >= series->least && clock_milliseconds() >= series->until)
        series->count = series->sent;
    bool good = true, is_over = series->sent == series->count;
    for (unsigned i = 0; good && i <= server->count && series->sent < series->count; i++) {
        good = send_unexpected(server, xid);
        series->sent += good;
    }
    if (good && !is_over)
        return;
    if (good)
        watched_send(&server->watched, series->answer, series->length,
                     series->invalidates ? &series->handle : NULL);
    free(series->answer);
    series->answer = NULL;
}

/* What comes meanwhile is answered after it. False: it is not over, and the peer has a turn. */
static bool play_series(struct server *server, unsigned timeout)
{
    struct link_event event = {.type = LINK_NOTHING};
    while (server->series.answer && event.type != LINK_CLOSED) {
        go_on_with_series(server);
        if (timeout == 0)
            return false; /* the peer is driven while it waits */
        event.type = LINK_RECEIVED;
        while (event.type == LINK_RECEIVED && server->count < ARRIVALS) {
            watched_wait(&server->watched, SERIES_PAUSE, &event);
            if (event.type == LINK_RECEIVED)
                take_in(server, &event);
        }
    }
    return true;
}

/* All that has arrived is judged before the first of it is answered: what was in flight together is
 * seen together. Where it is grants that matter the Requester has time to use all of them. */
static void wait_for_all(void *arg, unsigned timeout, struct link_event *event)
{
    struct server *server = arg;
    const struct link *link = server->watched.link;
    unsigned hold = server->test_case->grants && !server->continues ? HOLD : 0;
    free(server->given);
    server->given = NULL;
    *event = (struct link_event){.type = LINK_NOTHING};
    if (!play_series(server, timeout))
        return;
    while (server->count < ARRIVALS) {
        watched_wait(&server->watched, server->count > 0 ? hold : timeout, event);
        if (event->type != LINK_RECEIVED)
            break;
        take_in(server, event);
    }
    if (server->count > 0) {
        struct arrival *arrival = &server->arrivals[server->first];
        *event = arrival->event;
        server->given = arrival->octets;
        server->given_length = event->length;
        server->first = (server->first + 1) % ARRIVALS;
        server->count--;
    } else if (event->type == LINK_CLOSED && !server->gone) {
        server->gone = true;
        server->starved = link->starved;
        server->may_have_refused = link->unexplained || strcmp(link->why, LINK_LEFT) != 0;
        snprintf(server->why, sizeof server->why, "%s", link->why);
    }
}

/* ---- what goes out ---- */

static bool send_one(struct server *server, const uint8_t *octets, size_t length,
                     const uint32_t *handle)
{
    return watched_send(&server->watched, octets, length, handle);
}

/* The first goes into the report. */
static bool send_unexpected_octets(struct server *server, const uint8_t *octets, size_t length)
{
    if (server->unexpected_octets == NULL) {
        server->unexpected_octets = alloc_copy(octets, length);
        server->unexpected_length = length;
    }
    bool good = send_one(server, octets, length, NULL);
    server->reactions = server->watched.judgement.reactions;
    return good;
}

static bool send_unexpected(struct server *server, uint32_t xid)
{
    uint8_t octets[4 * SERVE_WORDS];
    for (size_t i = 0; i < SERVE_WORDS; i++) {
        uint32_t word = server->test_case->words[i];
        word = word == SERVE_XID ? xid : word == SERVE_OTHER_XID ? xid ^ 0x55000000 : word;
        rpcrdma_xdr_store32(octets + 4 * i, word);
    }
    return send_unexpected_octets(server, octets, server->test_case->length);
}

static bool send_faulty(struct server *server, const uint8_t *answer, size_t length)
{
    uint8_t reply[SERVE_FAULTY_MAX];
    size_t octets = serve_faulty_reply(server->test_case->list_fault, answer, length, reply);
    if (octets == 0)
        return true;
    server->unexpected_sent = true;
    bool good = send_unexpected_octets(server, reply, octets);
    /* What it makes of this one alone is asked: the right one, at once, could take its place. */
    poll(NULL, 0, (int)server->serve->error_pause);
    return good;
}

/* It goes out with what the Requester does next, or does not. */
static bool begin_series(struct server *server, const uint8_t *answer, size_t length,
                         const uint32_t *handle)
{
    uint32_t credits = server->asked > RESPONDER_CREDITS ? server->asked : RESPONDER_CREDITS;
    credits = credits < SERIES_MAX / TIMES ? credits : SERIES_MAX / TIMES;
    server->series = (struct series){.count = TIMES * credits + 1,
                                     .least = credits + 1,
                                     .until = clock_milliseconds() + SERIES_TIME,
                                     .answer = alloc_copy(answer, length),
                                     .length = length,
                                     .handle = handle ? *handle : 0,
                                     .invalidates = handle != NULL};
    return true;
}

/* A Reply to READ goes out in the shape of the case, all others as they are. */
static bool send_shaped(struct server *server, const uint8_t *answer, size_t length,
                        const uint32_t *handle)
{
    uint8_t reply[SHAPE_REPLY_MAX];
    unsigned shape = server->test_case->shape;
    struct shape_call call = {.number = server->test_case->several};
    if (server->serve->told)
        call.edition = server->serve->told->edition;
    if (server->given == NULL || !shape_call(&call, server->given, server->given_length))
        return send_one(server, answer, length, handle);
    size_t octets = 0;
    if (shape != SHAPE_READ)
        octets = shape_reply(shape, server->watched.link, &call, answer, length, reply);
    server->unexpected_sent = server->unexpected_sent || octets > 0 || shape == SHAPE_READ;
    return octets > 0 ? send_unexpected_octets(server, reply, octets)
                      : send_one(server, answer, length, handle);
}

static bool answer_with_unexpected(void *arg, const void *octets, size_t length,
                                   const uint32_t *handle)
{
    struct server *server = arg;
    const struct serve_case *test_case = server->test_case;
    uint8_t answer[RESPONDER_INLINE];
    struct nfs4_back_channel channel;
    server->has_back_channel =
        server->has_back_channel ||
        (server->serve->nfs4 && nfs4_back_channel(server->serve->nfs4, &channel));
    if (server->continues)
        return send_one(server, octets, length, handle);
    unsigned number = server->replies++;
    memcpy(answer, octets, length);
    if (test_case->grants && length >= RPCRDMA_AT_CREDIT + sizeof(uint32_t))
        rpcrdma_xdr_store32(answer + RPCRDMA_AT_CREDIT, test_case->grant[number % SERVE_GRANTS]);
    if (test_case->shape != 0)
        return send_shaped(server, answer, length, handle);
    if (test_case->fence != SERVE_NO_FENCE) { /* to take it back is left to the Requester */
        bool good = send_one(server, answer, length, NULL);
        serve_fence_begin(&server->fence, server->given, server->given_length);
        return good;
    }
    if (test_case->list_fault != SERVE_NO_FAULT)
        return send_faulty(server, answer, length) && send_one(server, answer, length, handle);
    if (test_case->reverse != SERVE_NO_REVERSE) {
        uint32_t xid = rpcrdma_xdr_load32(answer);
        return call_back(server, REVERSE_BEFORE_REPLY, xid) &&
               send_one(server, answer, length, handle) &&
               call_back(server, REVERSE_AFTER_REPLY, xid);
    }
    server->unexpected_sent = server->unexpected_sent || number + 1 >= FIRST_AFFECTED;
    if (number + 1 < FIRST_AFFECTED ||
        ((test_case->instead || test_case->series) && number + 1 > FIRST_AFFECTED))
        return send_one(server, answer, length, handle);
    if (test_case->instead) {
        server->ended = true;
        server->ended_xid = rpcrdma_xdr_load32(answer);
        poll(NULL, 0, (int)server->serve->error_pause);
        return send_unexpected(server, server->ended_xid);
    }
    if (test_case->series)
        return begin_series(server, answer, length, handle);
    return (test_case->length == 0 || send_unexpected(server, rpcrdma_xdr_load32(answer))) &&
           send_one(server, answer, length, handle) &&
           (!test_case->twice || send_unexpected_octets(server, answer, length));
}

/* ---- one connection ---- */

static struct server *give_up(struct server *server)
{
    watched_free(&server->watched);
    free(server);
    return NULL;
}

struct server *server_new(struct serve *serve, const struct serve_case *test_case,
                          struct link *link)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct server *server = alloc_zeroed(1, sizeof *server);
    struct watched *watched = &server->watched;
    config.seen_between = true; /* a client may call again before it has the lower grant */
    server->serve = serve;
    server->test_case = test_case;
    *watched = (struct watched){.side = RPCRDMA_SERVER,
                                .on_event = on_event,
                                .outgoing = answer_with_unexpected,
                                .incoming = wait_for_all,
                                .arg = server,
                                .outgoing_arg = server};
    if (!watched_init(watched, &config))
        return give_up(server);
    watched_begin(watched, link);
    watched_private(watched, RPCRDMA_CLIENT, link->private_data, link->private_length);
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(test_case, octets);
    watched_private(watched, RPCRDMA_SERVER, options.private_data, options.private_length);
    server->responder = responder_new(link);
    if (server->responder == NULL) {
        watched_leave(watched);
        return give_up(server);
    }
    responder_announced(server->responder, options.private_data, options.private_length);
    server->reverse.kind = test_case->reverse;
    serve_fence_new(&server->fence, serve, test_case->fence);
    if (serve->told) {
        uint32_t edition = (uint32_t)(test_case - serve_cases) + 1;
        told_begin(serve->told, edition);
        responder_edit(server->responder, edition);
        if (serve->nfs4)
            nfs4_edit(serve->nfs4, test_case->several > 0 ? edition : 0);
    }
    if (serve->nfs4)
        responder_speak_nfs4(server->responder, serve->nfs4);
    return server;
}

bool server_step(struct server *server, unsigned timeout)
{
    return responder_step(server->responder, timeout);
}

bool server_met(const struct server *server)
{
    return server->unexpected_sent;
}

bool server_is_silent(const struct server *server)
{
    return server->calls.count == 0 && !server->gone;
}

bool server_continues(const struct server *server)
{
    return server->continues;
}

bool server_misses_calls(const struct server *server)
{
    return serve_calls_missing(&server->calls, &server->serve->plain) != NULL;
}

void server_measure(struct server *server)
{
    server->serve->plain = server->calls;
    server->serve->leaves = server->gone;
    server->serve->has_back_channel = server->has_back_channel;
    server->serve->reads = server->reads > 0;
    server->serve->reads_several = server->reads_several;
}

/* One more, or that of the first time, which the second takes the place of. */
static struct result *result_for(struct serve *serve, const struct serve_case *test_case)
{
    const struct live_case about = {"serve", test_case->id, test_case->comment};
    if (serve->doubted || serve->unjudged) {
        free(serve->results.list[serve->last_result].actual);
        return &serve->results.list[serve->last_result];
    }
    struct result *result = live_result(&serve->results, &about, test_case->rule, false, "server");
    serve->last_result = serve->results.count - 1;
    result->expected = alloc_text(bears_it);
    return result;
}

void server_finish(struct server *server, const char *failure)
{
    struct serve *serve = server->serve;
    char text[256];
    if (serve->told)
        told_take(serve->told);
    struct result *result = result_for(serve, server->test_case);
    result->ending = server_ending(server, failure, text);
    result->breaks = ending_is_failure(result->ending);
    if (serve->doubted && !serve->lost)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "; only the first time Calls were missing");
    result->actual = alloc_text(text);
    if (server->unexpected_octets) {
        free(result->octets);
        result->octets = server->unexpected_octets;
        result->length = server->unexpected_length;
        server->unexpected_octets = NULL;
    }
    server_free(server);
}

void server_free(struct server *server)
{
    struct serve *serve = server->serve;
    serve->last = server->calls;
    serve->ended = server->ended;
    serve->ended_xid = server->ended_xid;
    responder_free(server->responder);
    for (; server->count > 0; server->count--, server->first = (server->first + 1) % ARRIVALS)
        free(server->arrivals[server->first].octets);
    free(server->given);
    free(server->series.answer);
    free(server->unexpected_octets);
    watched_free(&server->watched);
    free(server);
}

bool serve_wants(struct serve *serve, const struct serve_case *test_case)
{
    return serve_selects_run(&serve->selection, test_case->id, test_case->hazardous,
                             test_case->comment);
}

void serve_inapplicable(struct serve *serve, const struct serve_case *test_case, const char *why)
{
    const struct live_case about = {"serve", test_case->id, test_case->comment};
    struct result *result = live_result(&serve->results, &about, test_case->rule, false, "server");
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text(bears_it);
    result->actual = alloc_text(why);
}

void serve_unjudge(struct serve *serve)
{
    struct result *last = &serve->results.list[serve->last_result];
    free(last->actual);
    last->actual = alloc_text("not judged: Calls are missing, and so they are where nothing "
                              "unexpected is sent");
    last->ending = ENDING_NOT_APPLICABLE;
    last->breaks = serve->lost = false;
    serve->unjudged = true;
}

void serve_nobody(struct serve *serve, const struct serve_case *test_case)
{
    if (serve->lost) {
        struct result *last = &serve->results.list[serve->last_result];
        free(last->actual);
        last->actual = alloc_text("the Requester did not come back after it");
        last->ending = ENDING_CRASHED;
        serve->lost = false;
    }
    if (!serve->doubted && !serve->unjudged)
        serve_inapplicable(serve, test_case,
                           serve->nobody ? serve->nobody : "no Requester connected");
}

static const char cut[] = "not run: interrupted";

bool serve_stopped(struct serve *serve, const struct serve_case *test_case)
{
    if (interrupted())
        serve_inapplicable(serve, test_case, cut);
    return interrupted();
}

void serve_cut(struct serve *serve, size_t before, const struct serve_case *test_case)
{
    if (!interrupted())
        return;
    while (serve->results.count > before)
        results_drop_last(&serve->results);
    serve_inapplicable(serve, test_case, cut);
}
