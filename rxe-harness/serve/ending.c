// SPDX-License-Identifier: BSD-3-Clause
/* How a case of `serve` ended. */
#include "rxe-harness/serve/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UNDER_WAY 1 /* messages that may cross the first unexpected one */

const char server_ended_again[] = "the Call that has ended comes again";

/* What may not be possible. */
static const char *const memory_of[] = {
    [SERVE_READ_AFTER] = "after its Reply, to read the memory of a Call",
    [SERVE_WRITTEN_AFTER] = "after its Reply, to write to the memory of a Call",
    [SERVE_READ_ELSEWHERE] = "to read the memory of a Call of an earlier connection",
};

/* A Requester that does the same each time makes Calls, where nothing unexpected comes, that it
 * does not make here: an answer did not reach it. What follows an RDMA_ERROR is its own affair. */
static bool lost_calls(const struct server *server, char text[256])
{
    const struct serve_case *test_case = server->test_case;
    struct serve *serve = server->serve;
    const struct serve_kind *kind = !serve->same || test_case->instead
                                        ? NULL
                                        : serve_calls_missing(&server->calls, &serve->plain);
    serve->lost = kind != NULL;
    serve->is_silent = kind != NULL && !server->gone;
    if (kind)
        snprintf(text, 256,
                 "not borne: no Call of program %" PRIu32 ", version %" PRIu32
                 ", procedure %" PRIu32 " any more, which comes where nothing unexpected is sent",
                 kind->program, kind->version, kind->procedure);
    return kind != NULL;
}

/* Nothing came that shows what became of what was unexpected. */
static bool is_unknown(const struct server *server)
{
    bool may_close = server->gone && server->reactions & RPCRDMA_CLOSE;
    return server->after == 0 && server->unexpected_octets && server->test_case->rule &&
           !server->test_case->instead && !may_close;
}

enum ending server_ending(const struct server *server, const char *failure, char text[256])
{
    enum ending read;
    server->serve->lost = server->serve->unjudged = false;
    /* Only Replies were sent, one for each Call. */
    if (server->starved && server->unexpected_octets == NULL && !server->test_case->twice) {
        snprintf(text, 256, "a Reply found no Receive: %s", server->why);
        return ENDING_CLOSED;
    }
    /* A Call waits all the time: there has to be one for its Reply. */
    if (server->starved && server->test_case->series) {
        snprintf(text, 256, "a Send found no Receive after %u such messages: %s",
                 server->series.sent, server->why);
        return ENDING_CLOSED;
    }
    /* It makes Calls elsewhere: this private data is what keeps it from them. */
    if (server->test_case->announced && server->calls.count == 0 &&
        server->serve->plain.count > 0) {
        snprintf(text, 256, "the Requester connected, and made no Call");
        return ENDING_CLOSED;
    }
    if (!server_met(server) && server->test_case->shape != 0 && server->reads > 0) {
        snprintf(text, 256, "%s",
                 server->test_case->several > 0
                     ? "no READ of this number has a Write chunk"
                     : "of the Write chunks of READs none has two segments or more");
        return ENDING_NOT_APPLICABLE;
    }
    if (!server_met(server)) {
        snprintf(text, 256, "the Requester made %u Calls, none of use for this%s",
                 server->calls.count,
                 server->test_case->reverse != SERVE_NO_REVERSE
                     ? ": no session with a back channel, or no delegation"
                     : "");
        return ENDING_NOT_APPLICABLE;
    }
    if (server->test_case->fence != SERVE_NO_FENCE) {
        bool is_open = server->fence.is_open && !(server->test_case->fence == SERVE_WRITTEN_AFTER &&
                                                  server->may_have_refused);
        snprintf(text, 256, "%s: %s", memory_of[server->test_case->fence],
                 is_open ? "it can" : "not any more");
        return is_open ? ENDING_WRONG : ENDING_REQUIRED;
    }
    if (server->serve->told && server->reads > 0 &&
        !(server->test_case->shape & SHAPE_FULL && server->may_have_refused) &&
        told_ending(server->serve->told, server->test_case->read, failure, &read, text))
        return read;
    if (server->test_case->reverse != SERVE_NO_REVERSE && failure == NULL)
        return reverse_ending(&server->reverse, server->serve->nfs4,
                              server->gone && server->after <= UNDER_WAY, server->starved, text);
    if (failure || server->repeated) {
        snprintf(text, 256, "%s", failure ? failure : server_ended_again);
        return ENDING_WRONG;
    }
    /* Where no rule is at stake all of this is open. */
    bool lost = lost_calls(server, text);
    if (lost && server->serve->is_cut_short) {
        server->serve->lost = false;
        snprintf(text, 256, "its time was over before all Calls were made (--timeout)");
        return ENDING_NOT_APPLICABLE;
    }
    if (lost)
        return server->test_case->rule ? ENDING_WRONG : ENDING_REQUIRED;
    if (server->gone && server->after == 0 && !(server->reactions & RPCRDMA_CLOSE) &&
        !server->test_case->instead && server->test_case->rule && !server->serve->leaves) {
        snprintf(text, 256, "the end of the connection: %s", server->why);
        return ENDING_CLOSED;
    }
    if (is_unknown(server)) {
        server->serve->unjudged = true;
        snprintf(text, 256, "not judged: no Call came after it");
        return ENDING_NOT_APPLICABLE;
    }
    snprintf(text, 256, server->after > 0 ? "the Requester went on" : "no further Call");
    return ENDING_REQUIRED;
}
