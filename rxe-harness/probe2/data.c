// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of version 2 in which data is moved: inline, in pieces and in chunks of every kind, by the
 * reference Requester. They need a Responder that executes the test program.
 */
#include "rxe-harness/probe2/probe2.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdio.h>
#include <string.h>

#define DATA 9000u /* octets: more than two Sends hold, and no whole words */
#define ARGS (4 + (DATA + 3) / 4 * 4)

#define MANY 40 /* segments of a Read chunk; a Responder may refuse so many */

struct data_case {
    const char *id, *comment;
    const char *rule04, *rule07; /* NULL: no case of that draft */
    struct requester_call call;  /* its arguments are made from its procedure */
    bool burst;                  /* so many of it at once as there are credits for */
    uint32_t told_size;          /* Receive Buffer Size that the Requester tells; 0: as usual */
};

/* clang-format off */
static const struct data_case data_cases[] = {
    {.id = "v2-fetch", .comment = "More data than a Send holds: in pieces (-07), or an error that says how much is needed, and then in a Reply chunk (-04).",
     .rule04 = "rpcrdma2-04/6.2.4/reply-too-long", .rule07 = "rpcrdma2-07/6.6.2/pieces-joined",
     .call = {.procedure = TEST_FETCH}},
    {.id = "v2-receive-size-1024", .comment = "The Requester tells Receives of 1024 octets: no Send of the Replies is longer.",
     .rule07 = "rpcrdma2-07/5.2.2/send-within-receive-size",
     .call = {.procedure = TEST_FETCH}, .told_size = 1024},
    {.id = "v2-fetch-write-chunk", .comment = "Data goes into a Write chunk of three segments.",
     .rule04 = "rfc8166/3.4.6/filled-in-order",
     .rule07 = "rpcrdma2-07/4.5.2.1/filled-in-order",
     .call = {.procedure = TEST_FETCH, .write_segments = 3, .write_room = DATA + 100}},
    {.id = "v2-fetch-write-chunks-two", .comment = "The second of two Write chunks comes back unused.",
     .rule04 = "rfc8166/3.4.6/filled-in-order",
     .rule07 = "rpcrdma2-07/4.5.2.1/chunks-used-in-order",
     .call = {.procedure = TEST_FETCH, .write_segments = 1, .write_room = DATA, .write_chunks = 2}},
    {.id = "v2-fetch-reply-chunk", .comment = "A Reply that no Send holds goes into a Reply chunk of two segments.",
     .rule04 = "rfc8166/3.5.3/reply-chunk-used", .rule07 = "rpcrdma2-07/6.6.3/reply-chunk-used",
     .call = {.procedure = TEST_FETCH, .reply_segments = 2, .reply_room = DATA + 512}},
    {.id = "v2-write-chunk-short", .comment = "A Write chunk that is too short draws the error that says what is needed; with that much the Call succeeds.",
     .rule04 = "rpcrdma2-04/6.2.4/write-chunk-too-small",
     .rule07 = "rpcrdma2-07/7.3.4/write-chunk-too-small",
     .call = {.procedure = TEST_FETCH, .write_segments = 1, .write_room = 5000}},
    {.id = "v2-store", .comment = "Arguments that no Send holds: in pieces (-07), or in a Position-Zero Read chunk (-04).",
     .rule04 = "rfc8166/4.2.4/nomsg-holds-payload", .rule07 = "rpcrdma2-07/6.6.2/pieces-joined",
     .call = {.procedure = TEST_STORE}},
    {.id = "v2-store-read-chunk", .comment = "Data is read from a Read chunk of three segments.",
     .rule04 = "rfc8166/3.4.5/position-in-bounds", .rule07 = "rpcrdma2-07/4.5.1/position-of-item",
     .call = {.procedure = TEST_STORE, .read_segments = 3, .item_at = 4, .item_length = DATA}},
    {.id = "v2-many-segments", .comment = "A Read chunk of 40 segments is read, or refused by SEGMENTS with a smaller maximum.",
     .rule04 = "rpcrdma2-04/6.2.4/too-many-segments",
     .rule07 = "rpcrdma2-07/7.3.3/too-many-segments",
     .call = {.procedure = TEST_STORE, .read_segments = MANY, .item_at = 4, .item_length = DATA}},
    {.id = "v2-store-external", .comment = "The Call is read from a chunk of two segments.",
     .rule04 = "rfc8166/4.2.4/nomsg-holds-payload",
     .rule07 = "rpcrdma2-07/6.3.5/call-chunk-holds-payload",
     .call = {.procedure = TEST_STORE, .long_segments = 2}},
    {.id = "v2-credits-burst", .comment = "As many Calls of NULL at once as there are credits for are all answered.",
     .rule07 = "rpcrdma2-07/4.2.1/receives-as-advertised",
     .call = {.procedure = TEST_NULL}, .burst = true},
};
/* clang-format on */

static void found(void *arg, const struct rpcrdma_event *event,
                  const struct rpcrdma_finding *finding)
{
    struct probe *probe = arg;
    const struct live_case about = {probe->run.file, probe->run.case_id, probe->run.case_comment};
    if (finding->severity > RPCRDMA_NOTE)
        live_finding(&probe->run.results, &about, event, finding);
}

static void fill(uint8_t args[ARGS])
{
    memset(args, 0, ARGS);
    rpcrdma_xdr_store32(args, DATA);
    for (size_t i = 0; i < DATA; i++)
        args[4 + i] = TEST_OCTET(i);
}

static uint32_t sum(void)
{
    uint32_t total = 0;
    for (size_t i = 0; i < DATA; i++)
        total += TEST_OCTET(i);
    return total;
}

static bool has_data(const struct requester_reply *reply, const struct requester_pending *pending)
{
    size_t inlined = reply->results_length;
    const uint8_t *data = reply->in_chunk ? pending->item : reply->results + 4;
    size_t same = 0;
    if (inlined < 4 || rpcrdma_xdr_load32(reply->results) != DATA ||
        (reply->in_chunk ? reply->item_length != DATA : inlined != ARGS))
        return false;
    while (same < DATA && data[same] == TEST_OCTET(same))
        same++;
    return same == DATA;
}

static bool is_right(const struct data_case *test_case, const struct requester_reply *reply,
                     const struct requester_pending *pending)
{
    if (test_case->call.procedure == TEST_FETCH)
        return has_data(reply, pending);
    return reply->results_length == 8 && rpcrdma_xdr_load32(reply->results) == DATA &&
           rpcrdma_xdr_load32(reply->results + 4) == sum();
}

/* An error for want of room that does not say how much is needed: 0 is open to a Responder that
 * does not know (-04 6.2.4, -07 7.3.4 and 7.3.5). */
static bool lacks_room(const struct data_case *test_case, const struct requester_reply *reply)
{
    const struct requester_call *call = &test_case->call;
    bool is_short = call->write_segments > 0 && call->write_room < DATA;
    bool is_nowhere = call->write_segments == 0 && call->reply_segments == 0;
    if (call->procedure != TEST_FETCH)
        return false;
    return (is_short && reply->outcome == RPCRDMA_ERR_WRITE_RESOURCE && reply->value[1] == 0) ||
           (is_nowhere && reply->outcome == RPCRDMA_ERR_REPLY_RESOURCE && reply->value[0] == 0);
}

static bool has_too_many(const struct data_case *test_case, const struct requester_reply *reply)
{
    return test_case->call.read_segments == MANY && reply->outcome == RPCRDMA_ERR_SEGMENTS &&
           reply->value[0] < MANY;
}

/* Returns what is wrong, or NULL. */
static const char *run_on(struct requester *requester, const struct data_case *test_case,
                          unsigned timeout, char text[256])
{
    static uint8_t args[ARGS];
    struct requester_call call = test_case->call;
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    fill(args);
    call.args = args;
    call.args_length = call.procedure == TEST_FETCH ? 4 : sizeof args;
    bool begun = requester_call2(requester, &call, &pending, timeout, &reply);
    bool good = begun && reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
    if (begun && (lacks_room(test_case, &reply) || has_too_many(test_case, &reply)))
        good = true;
    else if (!good)
        snprintf(text, 256, "%.200s", reply.text);
    else if (!is_right(test_case, &reply, &pending))
        good = false, snprintf(text, 256, "a Reply with other data");
    requester_forget(requester, &pending);
    return good ? NULL : text;
}

/* The same for so many at once as there are credits for, but no more than ours allow Replies. */
static const char *burst_on(struct requester *requester, const struct data_case *test_case,
                            unsigned timeout, char text[256])
{
    bool is_answered[REQUESTER_CREDITS] = {false};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    uint32_t first = requester->xid + 1, made = 0;
    while (made < REQUESTER_CREDITS && session_counts(requester->session).left > 0 &&
           requester_begin(requester, &test_case->call, &pending)) {
        made++;
        requester_forget(requester, &pending);
    }
    for (uint32_t answered = 0; answered < made; answered++) {
        requester_finish(requester, &pending, timeout, &reply);
        bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0 &&
                    reply.xid - first < made && !is_answered[reply.xid - first];
        if (!good) {
            snprintf(text, 256, "of %u Calls %u were answered, then %.150s", made, answered,
                     reply.text);
            return text;
        }
        is_answered[reply.xid - first] = true;
    }
    return NULL;
}

static void run_case(struct probe *probe, const struct data_case *test_case, const char *rule)
{
    const struct requester_options options = {.timeout = probe->options.timeout,
                                              .draft = probe->options.draft,
                                              .no_fallback = true,
                                              .told_size = test_case->told_size,
                                              .invalidates = probe->peer.invalidates,
                                              .program = probe->options.program,
                                              .version = probe->options.version,
                                              .finding = found,
                                              .arg = probe};
    char text[256] = "";
    struct requester *requester = requester_connect(probe->peer.transport, &options);
    const char *wrong = probe->peer.transport->error;
    if (requester)
        wrong = (test_case->burst ? burst_on : run_on)(requester, test_case, probe->options.timeout,
                                                       text);
    struct result *result = probe_result(probe, rule, false);
    result->ending = wrong ? ENDING_WRONG : ENDING_REQUIRED;
    result->expected = alloc_text("the data, octet by octet");
    result->actual = alloc_text(wrong ? wrong : "as required");
    if (requester)
        requester_close(requester);
}

void probe2_run_data(struct probe *probe)
{
    bool is_04 = probe->options.draft == RPCRDMA_PROTOCOL_2_04;
    bool has_program = probe->options.program == TEST_PROGRAM;
    for (size_t i = 0; i < sizeof data_cases / sizeof *data_cases; i++) {
        const struct data_case *each = &data_cases[i];
        const char *rule = is_04 ? each->rule04 : each->rule07;
        const struct probe_about about = {"data", each->id, each->comment, rule, NULL, false};
        if (rule == NULL || !probe_wants(probe, &about))
            continue;
        probe_name(probe, each->id, each->comment);
        if (has_program) {
            run_case(probe, each, rule);
            continue;
        }
        struct result *result = probe_result(probe, rule, false);
        result->ending = ENDING_NOT_APPLICABLE;
        result->expected = alloc_text("the data, octet by octet");
        result->actual = alloc_text("the peer does not execute the test program");
    }
}
