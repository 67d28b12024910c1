// SPDX-License-Identifier: BSD-3-Clause
/*
 * One connection of a Requester of version 2 under test. The reference Responder is given a link
 * that looks on: what comes in is judged, and what goes out is where the case comes in. What the
 * case sends beside goes through the Responder's session, which counts it.
 */
#include "rxe-harness/serve/version2/server.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/serve/reverse.h"

#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <rpcrdma/rules.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATER 1000u  /* milliseconds without a Send of the Requester's, before it gets its GRANT */
#define TOGETHER 50u /* milliseconds within which Sends are made at once */
#define IGNORED_MAX 1000 /* messages that are taken at a time, where nobody answers */

/* ---- looking on ---- */

static void note_error(struct server2 *server, const struct rpcrdma_event *event)
{
    struct rpcrdma_message message;
    enum rpcrdma_protocol draft = server->serve->draft;
    if (server->error != 0 ||
        rpcrdma_message_decode(&message, draft, event->data, event->length, NULL) < 0 ||
        message.kind != RPCRDMA_KIND_ERROR)
        return;
    const char *name = rpcrdma_error_name(draft, message.error.code);
    server->error = rpcrdma_reaction_of_error(draft, message.error.code);
    snprintf(server->error_text, sizeof server->error_text, "RDMA2_ERROR %s (%u)",
             name ? name : "code", message.error.code);
}

static void note_properties(struct server2 *server, const struct rpcrdma_event *event)
{
    struct rpcrdma_message message;
    struct rpcrdma_property property;
    if (rpcrdma_message_decode(&message, server->serve->draft, event->data, event->length, NULL) <
            0 ||
        message.kind != RPCRDMA_KIND_PROPERTIES)
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&message.properties.set);
    while (rpcrdma_property_array_next(&iter, &property))
        if (property.id < 32)
            server->told |= UINT32_C(1) << property.id;
}

/* There is one credit: from the second Send after our properties on, each uses a credit that we
 * sent after them, so the Requester has them. */
static void note_length(struct server2 *server, const struct rpcrdma_event *event,
                        const struct rpcrdma_judgement *judgement)
{
    size_t size = server->test_case->receive_size;
    server->sends++;
    if (server->told_at == 0 || server->sends <= server->told_at + 1)
        return;
    server->has_long = server->has_long || event->length > size ||
                       judgement->procedure == RPCRDMA2_07_CALL_MIDDLE ||
                       judgement->procedure == RPCRDMA2_07_CALL_EXTERNAL;
    if (event->length > size && server->too_long == 0)
        server->too_long = event->length;
}

static bool has_small_receives(const struct server2 *server)
{
    return server->serve->draft == RPCRDMA_PROTOCOL_2_07 && server->test_case->receive_size > 0 &&
           server->test_case->receive_size < SESSION_INLINE;
}

/* How far it goes: as many Calls at once, or pieces of one, as it is allowed. */
static void note_limit(struct server2 *server, const struct rpcrdma_judgement *judgement)
{
    bool is_07 = server->serve->draft == RPCRDMA_PROTOCOL_2_07;
    bool is_piece = is_07 && judgement->procedure == RPCRDMA2_07_CALL_MIDDLE;
    bool is_call = judgement->kind == RPCRDMA_KIND_RPC && judgement->direction == RPCRDMA_CALL;
    server->came++;
    bool is_last = server->allowed > 0 && server->came >= server->allowed;
    if (is_07 && is_last && server->test_case->grant[0] != 0)
        server->owes_grant = true; /* one that has more to send waits for it */
    server->reached = server->reached || (is_piece && is_last);
    server->waiting += is_call && !is_piece;
    if (server->waiting > server->most)
        server->most = server->waiting;
}

/* The least that the case allows at once, or 0: it is not about that. */
static uint32_t limit_of(const struct serve2_case *test_case)
{
    uint32_t least = test_case->grant[0] != 0 ? test_case->grant[0] : test_case->credits;
    for (int i = 0; i < SERVE2_GRANTS && test_case->grant[0] != 0; i++)
        if (test_case->grant[i] < least)
            least = test_case->grant[i];
    return least < RESPONDER_CREDITS ? least : 0;
}

/* The limit is never a matter for a Requester that does one thing after the other. */
static bool is_below_limit(const struct server2 *server)
{
    uint32_t limit = limit_of(server->test_case);
    return limit > 0 && !server->reached && server->serve->most <= limit;
}

static void note_came(struct server2 *server, const struct rpcrdma_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    note_limit(server, judgement);
    if (server->returned && server->version == 0 && judgement->has_version)
        server->version = judgement->version;
    if (has_small_receives(server))
        note_length(server, event, judgement);
    if (judgement->kind == RPCRDMA_KIND_PROPERTIES)
        note_properties(server, event);
    server->calls += judgement->kind == RPCRDMA_KIND_RPC && judgement->direction == RPCRDMA_CALL;
    if (server->met && server->unexpected) {
        server->after++;
        note_error(server, event);
    }
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct server2 *server = arg;
    const struct live_case about = {"serve", server->test_case->id, server->test_case->comment};
    live_requester_findings(&server->serve->results, &about, event, judgement);
    if (event->type == RPCRDMA_EVENT_SEND && event->from == RPCRDMA_SERVER)
        server->open = judgement->reactions;
    else if (event->type == RPCRDMA_EVENT_SEND)
        note_came(server, event, judgement);
    else if (event->type == RPCRDMA_EVENT_DISCONNECT)
        snprintf(server->why, sizeof server->why, "%s", server->link->why);
}

static void wait_judged(struct server2 *server, unsigned timeout, struct link_event *event)
{
    if (server->owes_grant && timeout > LATER)
        timeout = LATER; /* the session may wait on in the step in which it withheld credits */
    watched_wait(&server->watched, timeout, event);
}

/* What comes is dropped. */
static void wait_without_answer(struct server2 *server, unsigned timeout, struct link_event *event)
{
    bool silent = server->test_case->how == SERVE2_SILENT;
    int64_t until = clock_milliseconds() + timeout, left = timeout;
    *event = (struct link_event){.type = LINK_RECEIVED};
    for (unsigned i = 0; i < (silent ? IGNORED_MAX : 1) && event->type == LINK_RECEIVED; i++) {
        wait_judged(server, left > 0 ? (unsigned)left : 0, event);
        server->met = server->met || event->type == LINK_RECEIVED;
        left = until - clock_milliseconds();
    }
    if (event->type == LINK_RECEIVED)
        event->type = silent ? LINK_NOTHING : LINK_CLOSED;
}

/* All that comes within some time, before any of it is answered; then one after the other. */
static void wait_for_all(struct server2 *server, unsigned timeout, struct link_event *event)
{
    struct held *held = server->held;
    if (held->given == held->count) {
        held->given = held->count = 0;
        wait_judged(server, timeout, event);
        while (event->type != LINK_NOTHING && event->length <= sizeof held->octets[0]) {
            struct link_event *kept = &held->events[held->count];
            *kept = *event;
            if (event->length > 0)
                kept->octets = memcpy(held->octets[held->count], event->octets, event->length);
            if (++held->count == HELD_MAX || event->type != LINK_RECEIVED)
                break;
            wait_judged(server, TOGETHER, event);
        }
    }
    if (held->given < held->count)
        *event = held->events[held->given++];
}

static void wait_as_told(void *arg, unsigned timeout, struct link_event *event)
{
    struct server2 *server = arg;
    if (server2_may_return(server->test_case) && !server->returned)
        wait_without_answer(server, timeout, event);
    else if (server->held)
        wait_for_all(server, timeout, event);
    else
        wait_judged(server, timeout, event);
}

/* ---- one connection ---- */

static bool make_checker(struct server2 *server)
{
    const struct rpcrdma_check_config config = {
        .draft = server->serve->draft, .max_calls = 128, .max_segments = 256, .seen_between = true};
    server->watched = (struct watched){.side = RPCRDMA_SERVER,
                                       .on_event = on_event,
                                       .outgoing = server2_send,
                                       .incoming = wait_as_told,
                                       .arg = server,
                                       .outgoing_arg = server};
    return watched_init(&server->watched, &config);
}

static bool make_responder(struct server2 *server, struct link *link)
{
    const struct serve2_case *test_case = server->test_case;
    struct session_options options = responder_session_options(server->serve->draft);
    if (test_case->credits != 0)
        options.credits = test_case->credits;
    if (test_case->receive_size != 0)
        options.receive_size = test_case->receive_size;
    options.piece = test_case->piece;
    options.no_properties = test_case->no_properties;
    server->responder = responder_new(link);
    if (server->responder == NULL)
        return false;
    responder_call_back(server->responder, test_case->call_back);
    responder_empty_unused(server->responder, test_case->empty_chunks);
    responder_prefer_reply_chunk(server->responder, test_case->long_replies);
    return test_case->how == SERVE2_REFUSED || server->returned ||
           responder_speak(server->responder, &options);
}

struct link_options serve2_link_options(const struct serve2_case *test_case)
{
    struct link_options options = *responder_options();
    if (options.receive_size < test_case->receive_size)
        options.receive_size = test_case->receive_size;
    return options;
}

/* A connection of the case. False: no memory; the link stays the caller's. */
static bool begin(struct server2 *server, struct link *link)
{
    server->link = link;
    bool good = make_checker(server);
    if (good)
        watched_begin(&server->watched, link);
    if (good && make_responder(server, link))
        return true;
    if (good)
        watched_leave(&server->watched);
    watched_free(&server->watched);
    return false;
}

struct server2 *server2_new(struct serve2 *serve, const struct serve2_case *test_case,
                            struct link *link)
{
    struct server2 *server = alloc_zeroed(1, sizeof *server);
    server->serve = serve;
    server->test_case = test_case;
    if (limit_of(test_case) > 0 || test_case == serve2_cases(serve->draft))
        server->held = alloc_zeroed(1, sizeof *server->held);
    if (begin(server, link))
        return server;
    free(server->held);
    free(server);
    return NULL;
}

bool server2_is_silent(const struct server2 *server)
{
    return server->calls == 0;
}

bool server2_may_return(const struct serve2_case *test_case)
{
    return test_case->how == SERVE2_SILENT || test_case->how == SERVE2_CLOSED;
}

void server2_leave(struct server2 *server)
{
    if (server->responder)
        responder_free(server->responder);
    watched_free(&server->watched);
    server->responder = NULL;
    server->link = NULL;
}

bool server2_return(struct server2 *server, struct link *link)
{
    server->returned = true;
    server->returned = begin(server, link);
    return server->returned;
}

bool server2_has_returned(const struct server2 *server)
{
    return server->returned;
}

/* A Requester that waits for credits gets them once it has nothing else to do. */
static bool grant_later(struct server2 *server)
{
    uint8_t octets[4 * WORD] = {0};
    if (!server->owes_grant)
        return false;
    server->owes_grant = false;
    rpcrdma_xdr_store32(octets + RPCRDMA_AT_VERSION, RPCRDMA_VERSION_2);
    rpcrdma_xdr_store32(octets + RPCRDMA_AT_PROCEDURE, GRANT);
    return session_post(responder_session(server->responder), octets, sizeof octets);
}

bool server2_step(struct server2 *server, unsigned timeout)
{
    return server->responder != NULL &&
           (responder_step(server->responder, timeout) || grant_later(server));
}

/* ---- the result ---- */

/* No text says what a Requester does when other memory is invalidated than it asked for; its link
 * may take it for an error. */
static bool is_ended_by_us(const struct server2 *server)
{
    enum serve2_how how = server->test_case->how;
    return (how == SERVE2_UNASKED || how == SERVE2_OTHER) && server->link &&
           server->link->why[0] != '\0';
}

/* Nothing obliges it to come back (-04 7.2, -07 4.3.2): this is for the reader. */
static void describe_return(const struct server2 *server, char text[256])
{
    if (!server->returned)
        snprintf(text, 256, "as required: it did not come back");
    else if (server->version == 0)
        snprintf(text, 256, "as required: it came back and sent nothing");
    else
        snprintf(text, 256, "as required: it came back in version %u", server->version);
}

/* Whether no error came though one had to. */
static bool lacks_error(const struct server2 *server)
{
    const struct serve2_case *test_case = server->test_case;
    bool knows = test_case->property == 0 || server->told >> test_case->property & 1;
    return test_case->must_answer && knows && server->unexpected && server->error == 0 &&
           server->after > 0;
}

/* Nothing came that shows what became of what was unexpected. */
static bool is_unknown(const struct server2 *server)
{
    bool may_close = server->watched.gone && server->wanted & RPCRDMA_CLOSE;
    return server->unexpected && server->after == 0 && server->error == 0 &&
           server->test_case->rule && !may_close;
}

static enum ending ending_of(const struct server2 *server, const char *failure, char text[256])
{
    if (server->too_long > 0) {
        snprintf(text, 256, "a Send of %zu octets, though our Receives have %u", server->too_long,
                 server->test_case->receive_size);
        return ENDING_WRONG;
    }
    if (!server->met || is_below_limit(server) ||
        (has_small_receives(server) && !server->has_long)) {
        snprintf(text, 256, "%u Calls were made, none of use for this", server->calls);
        return ENDING_NOT_APPLICABLE;
    }
    if (is_ended_by_us(server)) {
        snprintf(text, 256, "as required: the connection ended: %s", server->link->why);
        return ENDING_REQUIRED;
    }
    if (failure) {
        snprintf(text, 256, "%s", failure);
        return ENDING_WRONG;
    }
    if (server2_may_return(server->test_case)) {
        describe_return(server, text);
        return ENDING_REQUIRED;
    }
    struct responder_calls calls = responder_calls(server->responder);
    if (calls.made > calls.answered + 1) { /* one may be on its way */
        snprintf(text, 256, "%u reverse Calls were made, %u were answered%s", calls.made,
                 calls.answered, server->watched.gone ? ", then the connection ended" : "");
        return reverse_end(server->watched.gone, server->link->starved);
    }
    if (server->unexpected && server->error != 0 && !(server->error & server->wanted)) {
        snprintf(text, 256, "%s", server->error_text);
        return ENDING_WRONG;
    }
    if (server->watched.gone && server->unexpected && server->after == 0 &&
        !(server->wanted & RPCRDMA_CLOSE) && !server->serve->leaves) {
        snprintf(text, 256, "the end of the connection: %s", server->why);
        return ENDING_CLOSED;
    }
    if (lacks_error(server)) {
        snprintf(text, 256, "no error, and the Requester went on");
        return ENDING_SILENT;
    }
    if (is_unknown(server)) {
        snprintf(text, 256, "not judged: nothing came after it");
        return ENDING_NOT_APPLICABLE;
    }
    snprintf(text, 256, "as required");
    return ENDING_REQUIRED;
}

static void free_server(struct server2 *server)
{
    server2_leave(server);
    free(server->held);
    free(server);
}

static void measure(struct server2 *server)
{
    server->serve->leaves = server->watched.gone;
    server->serve->most = server->most;
}

void server2_measure(struct server2 *server)
{
    measure(server);
    free_server(server);
}

void server2_finish(struct server2 *server, const char *failure)
{
    const struct serve2_case *test_case = server->test_case;
    if (test_case == serve2_cases(server->serve->draft))
        measure(server);
    const struct live_case about = {"serve", test_case->id, test_case->comment};
    char text[256];
    struct result *result =
        live_result(&server->serve->results, &about, test_case->rule, false, "server");
    result->ending = ending_of(server, failure, text);
    result->breaks = ending_is_failure(result->ending);
    result->expected = alloc_text("the Requester tolerates it and goes on");
    result->actual = alloc_text(text);
    if (server->sent_length > 0)
        live_exchange(result, server->sent, server->sent_length, NULL, 0);
    free_server(server);
}
