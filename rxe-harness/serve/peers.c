// SPDX-License-Identifier: BSD-3-Clause
/* Whom `serve` serves: the reference Requester over loopback, or the peer that connects. */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/nfs_client.h"
#include "rxe-harness/serve/read_client.h"
#include "rxe-harness/serve/serve.h"

#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/count.h"
#include "conformance/base/clock.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>

#define MORE 2000u   /* octets of arguments, which a Send of the default size does not hold */
#define TRIES 4      /* connections, for one on which enough Calls are made */
#define SILENCES 2   /* of one that makes the same Calls each time, for the same case */
#define SILENT_MAX 4 /* of a Requester that was never heard: each takes all of its patience */
/* milliseconds; and in pauses, as long as the longest so far */
#define PATIENCE_FIRST 5000u
#define PATIENCE_LEAVING 10000u
#define PATIENCE_MIN 1000u
#define PAUSES 10u
#define ERROR_PAUSE 50u

/* ---- the reference Requester ---- */

struct serve_stage {
    struct serve *serve;
    const struct serve_case *test_case;
    struct server *server;
};

static void *begin(void *arg, struct link *link)
{
    struct serve_stage *stage = arg;
    stage->server = server_new(stage->serve, stage->test_case, link);
    return stage->server ? stage : NULL;
}

static bool step(void *peer)
{
    return server_step(((struct serve_stage *)peer)->server, 0);
}

static void end(void *peer)
{
    (void)peer; /* server_finish() closes */
}

/* The second Call is the one that meets what is unexpected. */
static const char *make_calls(struct requester *requester, const struct serve_case *test_case,
                              char text[256])
{
    static const uint8_t count[4] = {0, 0, 0x30, 0}, data[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
    static const uint8_t little[4] = {0, 0, 0, 100};
    static const uint8_t more[4 + MORE] = {0, 0, MORE >> 8, MORE & 0xff};
    const struct requester_call calls[] = {
        {.procedure = TEST_NULL},
        {.procedure = TEST_FETCH, .args = little, .args_length = 4},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 2,
         .write_room = 12288},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 2,
         .reply_room = 12800},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = 12,
         .item_at = 4,
         .item_length = 5,
         .read_segments = 2},
        {.procedure = TEST_STORE, .args = data, .args_length = 12, .long_segments = 1},
        {.procedure = TEST_STORE, .args = more, .args_length = sizeof more},
        {.procedure = TEST_NULL},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct requester_pending pending;
        struct requester_reply reply = {.text = "a Call that cannot be sent"};
        struct requester_call call = calls[i];
        call.long_segments +=
            call.args == more && requester->send_limit < REQUESTER_NULL + sizeof more;
        if (requester_begin(requester, &call, &pending))
            requester_receive(requester, &pending, 1000, &reply);
        requester_forget(requester, &pending);
        bool error = reply.outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_VERS);
        bool brings = calls[i].procedure != TEST_FETCH || reply.in_chunk || reply.is_long ||
                      reply.results_length > 4;
        bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0 && brings;
        if (test_case->fence != SERVE_NO_FENCE && requester_gone(requester))
            return NULL; /* what was tried ended the connection */
        if (i == 1 && test_case->instead ? !error : !good) {
            snprintf(text, 256, "Call %zu: %.150s", i + 1, reply.text);
            return text;
        }
    }
    return NULL;
}

static const char *be_client(struct serve *serve, struct requester *requester,
                             const struct serve_case *test_case, char text[256])
{
    if (test_case->several > 0)
        return serve_nfs_reader(requester, READS_FAULTLESS, serve->told, text);
    if (test_case->shape != 0)
        return read_client(requester, READ_FAULTLESS, serve->told, text);
    if (test_case->reverse != SERVE_NO_REVERSE)
        return serve_nfs_client(requester, text);
    return make_calls(requester, test_case, text);
}

/* `told`: the result is wanted. */
static void meet(struct serve *serve, const struct serve_case *test_case, bool told)
{
    struct serve_stage stage = {.serve = serve, .test_case = test_case};
    serve->unjudged = false;
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(test_case, octets);
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester =
        transport ? requester_open(transport, 1000, true, NULL, NULL) : NULL;
    if (requester) {
        char text[256];
        requester->program = TEST_PROGRAM;
        requester->version = TEST_VERSION;
        const char *failure = be_client(serve, requester, test_case, text);
        if (told)
            server_finish(stage.server, failure);
        else
            server_free(stage.server);
        requester_close(requester);
    } else if (told) {
        serve_nobody(serve, test_case);
    }
    if (transport)
        transport->ops->close(transport);
}

/* It has nothing to fear. */
void serve_reference(struct serve *serve)
{
    struct told_reads told = {.source = -1};
    serve->selection.hazardous = true;
    serve->told = &told;
    serve->nfs4 = nfs4_new(false);
    for (const struct serve_case *test_case = serve_cases; test_case->id; test_case++) {
        if (!serve_wants(serve, test_case) || serve_stopped(serve, test_case))
            continue;
        const struct live_case about = {"serve", test_case->id, test_case->comment};
        peer_log_turn(&serve->log, &serve->results, &about);
        size_t before = serve->results.count;
        if (test_case->fence == SERVE_READ_ELSEWHERE)
            meet(serve, serve_cases, false);
        meet(serve, test_case, true);
        serve_cut(serve, before, test_case);
    }
    peer_log_turn(&serve->log, &serve->results, NULL);
    nfs4_free(serve->nfs4);
    serve->told = NULL;
}

/* ---- the peer that connects ---- */

struct peers {
    struct serve *serve;
    struct transport *transport;
    unsigned pause;  /* milliseconds: the longest between an answer and the next Call */
    unsigned silent; /* connections in a row that were held without a Call */
};

static unsigned at_most(unsigned number, unsigned limit)
{
    return number < limit ? number : limit;
}

/* How long a Requester may do nothing before its case is over. One that ended the first connection
 * itself is expected to do so again; of another the pace is known. */
static unsigned patience(const struct peers *peers)
{
    const struct serve *serve = peers->serve;
    if (serve->plain.count == 0)
        return at_most(PATIENCE_FIRST, serve->timeout);
    if (serve->leaves)
        return at_most(PATIENCE_LEAVING, serve->timeout);
    unsigned adapted = PAUSES * peers->pause;
    return at_most(adapted > PATIENCE_MIN ? adapted : PATIENCE_MIN, serve->timeout);
}

/* The next that connects; one whose connection fails is reported, and another one awaited. */
static struct server *await(struct peers *peers, const struct serve_case *test_case)
{
    struct transport *transport = peers->transport;
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(test_case, octets);
    int64_t until = clock_milliseconds() + peers->serve->timeout, left;
    while (!peers->serve->nobody && (left = until - clock_milliseconds()) > 0) {
        struct link *link = transport->ops->accept(transport, &options, (unsigned)left);
        struct server *server = link ? server_new(peers->serve, test_case, link) : NULL;
        peers->serve->connections += link != NULL;
        if (server)
            return server;
        if (link)
            link->ops->close(link);
        if (transport->error[0] != '\0')
            say("%s", transport->error);
    }
    if (peers->serve->nobody == NULL)
        peers->serve->nobody = peers->serve->connections > 0 ? "no further Requester connected"
                                                             : "no Requester connected";
    return NULL;
}

static void attend(struct peers *peers, struct server *server)
{
    int64_t began = clock_milliseconds(), until = began + peers->serve->timeout;
    unsigned time = patience(peers);
    int64_t first = began + time; /* whatever comes before a Call is not waited on for longer */
    bool more = true;
    while (began < (server_is_silent(server) ? first : until) &&
           (more = server_step(server, time))) {
        int64_t now = clock_milliseconds();
        if (now - began > peers->pause)
            peers->pause = (unsigned)(now - began);
        began = now;
    }
    peers->serve->is_cut_short = more;
    peers->silent = server_is_silent(server) ? peers->silent + 1 : 0;
    if (peers->silent == SILENT_MAX && peers->serve->plain.count == 0)
        peers->serve->nobody = "the Requester makes no Calls";
}

/* Where Calls were missing and nothing else is known: whether they come now, where nothing
 * unexpected is sent. If they do not the Requester is slow, or idle, and what it made of the case
 * is not known. */
static void confirm_silence(struct peers *peers)
{
    struct serve *serve = peers->serve;
    bool is_slow = false, settled = false;
    for (unsigned tries = 1; !settled && tries <= TRIES; tries++) {
        struct server *server = await(peers, serve_cases);
        if (server == NULL)
            return; /* it did not come back at all: what was said of the case stays */
        attend(peers, server);
        settled = !server_continues(server) || interrupted();
        is_slow = server_misses_calls(server);
        server_free(server);
    }
    if (settled && is_slow)
        serve_unjudge(serve);
}

/* A connection on which too few Calls were made is inconclusive, and one that goes on with Calls of
 * the case before is not of this case: then another one is waited for. So it is, once, where Calls
 * were missing: on a busy machine an RPC may have timed out. `told`: the result is wanted, else
 * only the measure is. */
static void meet_once(struct peers *peers, const struct serve_case *test_case, bool told)
{
    struct serve *serve = peers->serve;
    bool met = false;
    for (unsigned tries = 1; !met && tries <= TRIES; tries++) {
        struct server *server = await(peers, test_case);
        if (server == NULL) {
            if (told && !interrupted())
                serve_nobody(serve, test_case);
            break;
        }
        attend(peers, server);
        if (interrupted()) {
            server_free(server);
            break;
        }
        met = server_met(server);
        if (met && test_case == serve_cases)
            server_measure(server);
        if (!told || (!met && (serve->doubted || tries < TRIES))) {
            server_free(server);
            continue;
        }
        server_finish(server, NULL);
        serve->doubted =
            !serve->doubted && serve->lost && serve->results.list[serve->last_result].breaks;
        met = met && !serve->doubted;
    }
    bool failed = serve->lost && serve->is_silent && serve->results.list[serve->last_result].breaks;
    if (told && met && failed)
        confirm_silence(peers);
    serve->doubted = false;
}

/* Silence after what is unexpected says nothing. One that does the same each time is asked again.
 */
static void meet_one(struct peers *peers, const struct serve_case *test_case, bool told)
{
    struct serve *serve = peers->serve;
    unsigned tries = 0;
    serve->unjudged = false;
    do
        meet_once(peers, test_case, told);
    while (serve->unjudged && serve->same && ++tries < SILENCES && !interrupted() &&
           serve->nobody == NULL);
    serve->unjudged = false;
}

/* Why a case cannot be met by what the first connection was, or NULL. */
static const char *inapplicable(const struct serve *serve, const struct serve_case *test_case)
{
    if (test_case->shape != 0 && serve->told == NULL)
        return "the Requester does not say what it read: --read";
    if (serve->plain.count == 0)
        return NULL;
    if (test_case->reverse != SERVE_NO_REVERSE && !serve->has_back_channel)
        return "the Requester has no session of NFSv4.1 with a back channel";
    if (test_case->several > 0)
        return serve->reads_several ? NULL : "the Requester calls no COMPOUND of several READs";
    if (test_case->shape != 0 && !serve->reads)
        return "the Requester reads no file by NFSv3";
    return NULL;
}

void serve_peers(struct serve *serve, struct transport *transport)
{
    struct peers peers = {.serve = serve, .transport = transport};
    serve->error_pause = ERROR_PAUSE;
    serve->nfs4 = nfs4_new(false);
    for (const struct serve_case *test_case = serve_cases; test_case->id; test_case++) {
        if (!serve_wants(serve, test_case) || serve_stopped(serve, test_case))
            continue;
        const struct live_case about = {"serve", test_case->id, test_case->comment};
        peer_log_turn(&serve->log, &serve->results, &about);
        size_t before = serve->results.count;
        if (serve->selection.cases.count > 0 && test_case != serve_cases)
            meet_one(&peers, serve_cases, false);
        const char *why = inapplicable(serve, test_case);
        if (why)
            serve_inapplicable(serve, test_case, why);
        else
            meet_one(&peers, test_case, true);
        serve_cut(serve, before, test_case);
    }
    peer_log_turn(&serve->log, &serve->results, NULL);
    nfs4_free(serve->nfs4);
}
