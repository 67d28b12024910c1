// SPDX-License-Identifier: BSD-3-Clause
/* What came, compared with the specification and with the recording. */
#include "rxe-harness/replay/replay.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/alloc.h"
#include "conformance/run/run.h"

#include <stdlib.h>

static const char *const reasons[] = {
    [ANSWER_SAME] = "as recorded",
    [ANSWER_REACTION] = "another reaction than recorded, but one that is left open",
    [ANSWER_RPC] = "another answer of RPC: the server offers, or makes of the arguments, something "
                   "else than the recorded one",
    [ANSWER_STATUS] = "another status of NFS: files, clients and sessions are not those of the "
                      "recorded server",
    [ANSWER_RESULTS] = "results of another length: what they tell of is not the recorded server's",
    [ANSWER_CHUNKS] = "the same results, but not in the same Write chunks",
    [ANSWER_PLACE] = "what fits inline may be there or in the Reply chunk",
    [ANSWER_SEGMENTS_RETURNED] = "the same results, but cut into other segments",
    [ANSWER_SEND] = "the same results, but an RPC header of another length",
};

bool replay_ended_by(const struct vector_test *test, size_t at)
{
    for (size_t i = at + 1; i < test->count; i++) {
        const struct vector_event *event = &test->events[i];
        if (event->event.type == RPCRDMA_EVENT_SEND && event->event.from == RPCRDMA_CLIENT)
            return false;
        if (event->event.type == RPCRDMA_EVENT_DISCONNECT)
            return event->event.from == RPCRDMA_SERVER;
    }
    return false;
}

static unsigned allowed_of(const struct replay *replay, size_t at)
{
    struct rpcrdma_judgement judgement = {.reactions = RPCRDMA_PROCESS};
    const struct run_event judged = {.event = &replay->test->events[at], .judgement = &judgement};
    unsigned allowed = probe_with_close(run_reactions(&judged));
    if (allowed & RPCRDMA_PROCESS)
        allowed |= RPCRDMA_GARBAGE_ARGS; /* what is good in the transport may not be so in RPC */
    return allowed;
}

/* No more than a comparison says: the transport header is good, and yet the Responder may have no
 * room for the results. */
static bool may_be_full(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    return layer == ANSWER_SAME && sent->live.outcome == RPCRDMA_ERR_CHUNK &&
           (allowed & RPCRDMA_PROCESS);
}

static enum ending ending_of(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    unsigned outcome = sent->live.outcome;
    /* RPC refuses the Call before its arguments are looked at, where they could be garbage. */
    bool refused = outcome == RPCRDMA_PROCESS && !(sent->live.accepted && sent->live.stat == 0) &&
                   (allowed & RPCRDMA_GARBAGE_ARGS);
    if (sent->earlier || may_be_full(sent, layer, allowed))
        return ENDING_TOLERATED;
    if (!(outcome & allowed) && !refused) {
        if (outcome == RPCRDMA_DISCARD)
            return ENDING_SILENT;
        return outcome == RPCRDMA_CLOSE ? ENDING_CLOSED : ENDING_WRONG;
    }
    if (layer == ANSWER_SAME)
        return ENDING_REQUIRED;
    bool wrong = layer == ANSWER_CHUNKS || layer == ANSWER_SEGMENTS_RETURNED;
    return wrong ? ENDING_WRONG : ENDING_TOLERATED;
}

static const char *reason_of(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    if (sent->earlier)
        return "the connection ends as recorded, but earlier";
    if (may_be_full(sent, layer, allowed))
        return "as recorded; right if there is no room for the results";
    if (sent->unknown)
        return "not recorded";
    if (layer == ANSWER_REACTION && !(sent->live.outcome & allowed))
        return "neither recorded nor left open";
    return reasons[layer];
}

static void set_text(struct result *result, const struct sent *sent, enum answer_layer layer,
                     unsigned allowed)
{
    char was[400], is[400], text[600];
    struct alloc_stream expected;
    answer_print(&sent->recorded, was, sizeof was);
    answer_print(&sent->live, is, sizeof is);
    alloc_begin(&expected);
    fprintf(expected.out,
            "as recorded, %s; left open: ", sent->unknown ? "nothing up to the end" : was);
    run_print_reactions(expected.out, allowed);
    result->expected = alloc_end(&expected);
    snprintf(text, sizeof text, "%s; %s", is, reason_of(sent, layer, allowed));
    result->actual = alloc_text(text);
}

void replay_judge(struct replay *replay, size_t at)
{
    const struct vector_event *event = &replay->test->events[at];
    struct sent *sent = &replay->sent[at];
    const json_t *finding = json_array_get(json_object_get(event->expect, "findings"), 0);
    struct result *result =
        probe_result(replay->probe, finding ? vector_text(finding, "rule") : NULL, finding != NULL);
    result->event = (unsigned)at;
    if (sent->went)
        live_exchange(result, sent->went, sent->length, sent->came, sent->came_length);
    else
        live_exchange(result, event->event.data, event->event.length, NULL, 0);
    if (sent->skipped) {
        result->ending = ENDING_NOT_APPLICABLE;
        result->expected = alloc_text("as recorded");
        result->actual = alloc_text(sent->skipped);
        return;
    }
    if (!sent->answered) {
        bool closed = replay->closed && at == replay->last;
        sent->live.outcome = closed ? RPCRDMA_CLOSE : RPCRDMA_DISCARD;
    }
    enum answer_layer layer =
        sent->unknown ? ANSWER_SAME : answer_compare(&sent->recorded, &sent->live);
    sent->earlier = layer == ANSWER_REACTION && sent->live.outcome == RPCRDMA_CLOSE &&
                    replay_ended_by(replay->test, at);
    unsigned allowed = allowed_of(replay, at);
    result->ending = ending_of(sent, layer, allowed);
    if (replay->stalled && !sent->answered && at == replay->last)
        result->ending = ENDING_STALLED;
    set_text(result, sent, layer, allowed);
}

void replay_judge_end(struct replay *replay)
{
    const struct sent *last = &replay->sent[replay->last];
    bool was_closed = replay_ended_by(replay->test, replay->last);
    if (!last->sent || !last->answered || last->recorded.outcome == RPCRDMA_CLOSE ||
        was_closed == replay->closed)
        return;
    struct result *result = probe_result(replay->probe, NULL, false);
    result->event = (unsigned)replay->last;
    result->ending =
        was_closed ? ENDING_TOLERATED : probe_closed_after(ENDING_REQUIRED, last->live.outcome);
    result->expected =
        alloc_text(was_closed ? "as recorded, the end of the connection after the last answer"
                              : "as recorded, a connection that goes on");
    result->actual = alloc_text(was_closed ? "a connection that goes on"
                                           : "the end of the connection after the last answer");
}
