// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of version 2 in which data is moved: inline, in pieces and in chunks of every kind, by the
 * reference Requester. They need a Responder that executes the test program.
 */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/requester/version2/offer.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <stdio.h>
#include <string.h>

#define DATA 9000u /* octets: more than two Sends hold, and no whole words */
#define ARGS (4 + (DATA + 3) / 4 * 4)

#define WORDS 8      /* of properties */
#define LARGE 16384u /* which a Send would hold all of them in */
#define MANY 40      /* segments of a Read chunk; a Responder may refuse this many */
#define ITEMS 20     /* of GATHER, each in a Read chunk; this many, too */
#define ITEM (DATA / ITEMS)
#define GATHERED (4 + ITEMS * (4 + (ITEM + 3) / 4 * 4))

struct data_case {
    const char *id, *comment;
    const char *rule04, *rule07; /* NULL: no case of that draft */
    struct requester_call call;  /* its arguments are made from its procedure */
    bool burst;                  /* this many of it at once as there are credits for */
    unsigned repeats;            /* this many of it, one after the other; 0: one */
    uint32_t told_size;          /* Receive Buffer Size that the Requester tells; 0: as usual */
    bool asks;                   /* -04: first that the peer take as much in a Send */
    bool tells_badly;            /* beside a value that is refused, so that it does not hold */
    size_t piece;                /* -07: octets of payload of each piece at most; 0: what fits */
    enum { AS_USUAL, ASKED, UNASKED } invalidation;
};

/* clang-format off */
static const struct data_case data_cases[] = {
    {.id = "v2-fetch", .comment = "More data than a Send holds: in pieces (-07), or an error that says how much is needed, and then in a Reply chunk (-04).",
     .rule04 = "rpcrdma2-04/6.2.4/reply-too-long", .rule07 = "rpcrdma2-07/6.6.2/pieces-joined",
     .call = {.procedure = TEST_FETCH}},
    {.id = "v2-receive-size-1024", .comment = "The Requester tells Receives of 1024 octets: no Send of the Replies is longer.",
     .rule04 = "rpcrdma2-04/2.3/send-within-threshold",
     .rule07 = "rpcrdma2-07/5.2.2/send-within-receive-size",
     .call = {.procedure = TEST_FETCH}, .told_size = 1024},
    {.id = "v2-receive-size-8192", .comment = "It tells Receives of 8192 octets: none is longer than that.",
     .rule04 = "rpcrdma2-04/2.3/send-within-threshold",
     .rule07 = "rpcrdma2-07/5.2.2/send-within-receive-size",
     .call = {.procedure = TEST_FETCH}, .told_size = 8192},
    {.id = "v2-receive-size-refused", .comment = "It tells Receives of 16384 octets beside a value that is refused: none is longer than they were.",
     .rule07 = "rpcrdma2-07/7.2.2/bad-value-nothing-applied",
     .call = {.procedure = TEST_FETCH}, .told_size = LARGE, .tells_badly = true},
    {.id = "v2-receive-size-asked", .comment = "It is asked to take Sends of 16384 octets: where it says that this is done, it takes one.",
     .rule04 = "rpcrdma2-04/5.3.3/done-in-effect",
     .call = {.procedure = TEST_NULL}, .asks = true},
    {.id = "v2-fetch-write-chunk", .comment = "Data goes into a Write chunk of three segments.",
     .rule04 = "rfc8166/3.4.6/filled-in-order",
     .rule07 = "rpcrdma2-07/4.5.2.1/filled-in-order",
     .call = {.procedure = TEST_FETCH, .write_segments = 3, .write_room = DATA + 100}},
    {.id = "v2-fetch-write-chunks-two", .comment = "The second of two Write chunks comes back unused.",
     .rule04 = "rfc8166/3.4.6/filled-in-order",
     .rule07 = "rpcrdma2-07/4.5.2.1/chunks-used-in-order",
     .call = {.procedure = TEST_FETCH, .write_segments = 1, .write_room = DATA, .write_chunks = 2}},
    {.id = "v2-fetch-write-chunk-empty", .comment = "A Write chunk without segments has no room for the data: they come as if there were none, or an error says what is needed.",
     .rule04 = "rpcrdma2-04/6.2.4/reply-too-long",
     .rule07 = "rpcrdma2-07/4.5.2/inline-for-empty-chunk",
     .call = {.procedure = TEST_FETCH, .write_chunks = 1}},
    {.id = "v2-invalidate-asked", .comment = "Send With Invalidate is of the handle that the Call named, if it is used.",
     .rule04 = "rpcrdma2-04/6.2.3/handle-of-call", .rule07 = "rpcrdma2-07/6.5/handle-of-call",
     .call = {.procedure = TEST_FETCH, .write_segments = 2, .write_room = DATA}, .invalidation = ASKED},
    {.id = "v2-invalidate-zero", .comment = "A Call that names no handle is answered by a plain Send.",
     .rule04 = "rpcrdma2-04/6.2.3/plain-send", .rule07 = "rpcrdma2-07/6.5/plain-send-if-zero",
     .call = {.procedure = TEST_FETCH, .write_segments = 2, .write_room = DATA}, .invalidation = UNASKED},
    {.id = "v2-fetch-reply-chunk", .comment = "A Reply that no Send holds goes into a Reply chunk of two segments.",
     .rule04 = "rfc8166/3.5.3/reply-chunk-used", .rule07 = "rpcrdma2-07/6.6.3/reply-chunk-used",
     .call = {.procedure = TEST_FETCH, .reply_segments = 2, .reply_room = DATA + 512}},
    {.id = "v2-reply-chunk-short", .comment = "A Reply chunk that is too short is not used, but pieces (-07), or an error says what is needed; with that much the Call succeeds.",
     .rule04 = "rpcrdma2-04/6.2.4/reply-too-long",
     .rule07 = "rpcrdma2-07/6.6.4/continued-rather-than-refused",
     .call = {.procedure = TEST_FETCH, .reply_segments = 1, .reply_room = 5000}},
    {.id = "v2-write-chunk-short", .comment = "A Write chunk that is too short draws the error that says what is needed; with that much the Call succeeds.",
     .rule04 = "rpcrdma2-04/6.2.4/write-chunk-too-small",
     .rule07 = "rpcrdma2-07/7.3.4/write-chunk-too-small",
     .call = {.procedure = TEST_FETCH, .write_segments = 1, .write_room = 5000}},
    {.id = "v2-store", .comment = "Arguments that no Send holds: in pieces (-07), or in a Position-Zero Read chunk (-04).",
     .rule04 = "rfc8166/4.2.4/nomsg-holds-payload", .rule07 = "rpcrdma2-07/6.6.2/pieces-joined",
     .call = {.procedure = TEST_STORE}},
    {.id = "v2-store-odd-pieces", .comment = "They come in pieces of 613 octets, which end within words.",
     .rule07 = "rpcrdma2-07/6.6.2/pieces-joined",
     .call = {.procedure = TEST_STORE}, .piece = 613},
    {.id = "v2-store-read-chunk", .comment = "Data is read from a Read chunk of three segments.",
     .rule04 = "rfc8166/3.4.5/position-in-bounds", .rule07 = "rpcrdma2-07/4.5.1/position-of-item",
     .call = {.procedure = TEST_STORE, .read_segments = 3, .item_at = 4, .item_length = DATA}},
    {.id = "v2-many-segments", .comment = "A Read chunk of 40 segments is read, or refused by SEGMENTS with a smaller maximum.",
     .rule04 = "rpcrdma2-04/6.2.4/too-many-segments",
     .rule07 = "rpcrdma2-07/7.3.3/too-many-segments",
     .call = {.procedure = TEST_STORE, .read_segments = MANY, .item_at = 4, .item_length = DATA}},
    {.id = "v2-many-read-chunks", .comment = "Twenty Read chunks of an item each are read, or refused by READ_CHUNKS or SEGMENTS with a smaller maximum.",
     .rule04 = "rpcrdma2-04/6.2.4/too-many-read-chunks",
     .rule07 = "rpcrdma2-07/7.3.1/too-many-read-chunks",
     .call = {.procedure = TEST_GATHER, .read_segments = 1, .item_at = 8, .item_length = ITEM, .read_items = ITEMS}},
    {.id = "v2-store-external", .comment = "The Call is read from a chunk of two segments.",
     .rule04 = "rfc8166/4.2.4/nomsg-holds-payload",
     .rule07 = "rpcrdma2-07/6.3.5/call-chunk-holds-payload",
     .call = {.procedure = TEST_STORE, .long_segments = 2}},
    {.id = "v2-credits-burst", .comment = "As many Calls of NULL at once as there are credits for are all answered.",
     .rule04 = "rfc8166/2.3.2/receives-posted",
     .rule07 = "rpcrdma2-07/4.2.1/receives-as-advertised",
     .call = {.procedure = TEST_NULL}, .burst = true},
    {.id = "v2-credits-300", .comment = "300 Calls of NULL, one after the other on one connection, are all answered: more than there ever were credits at once.",
     .rule07 = "rpcrdma2-07/4.2.1/total-above-count",
     .call = {.procedure = TEST_NULL}, .repeats = 300},
};
/* clang-format on */

static void found(void *arg, const struct rpcrdma_event *event,
                  const struct rpcrdma_finding *finding)
{
    struct probe *probe = arg;
    const struct live_case about = {probe->run.file, probe->run.current.id,
                                    probe->run.current.comment};
    if (finding->severity > RPCRDMA_NOTE)
        live_finding(&probe->run.results, &about, event, finding);
}

/* The arguments of a Call; their length. */
static size_t fill(const struct requester_call *call, uint8_t args[GATHERED])
{
    bool gathers = call->procedure == TEST_GATHER;
    size_t at = 0, item = gathers ? ITEM : DATA;
    memset(args, 0, GATHERED);
    if (call->procedure == TEST_NULL)
        return 0;
    if (call->procedure == TEST_FETCH) {
        rpcrdma_xdr_store32(args, DATA);
        return 4;
    }
    if (gathers) {
        rpcrdma_xdr_store32(args, ITEMS);
        at = 4;
    }
    for (size_t i = 0; i < DATA; i += item) {
        rpcrdma_xdr_store32(args + at, (uint32_t)item);
        for (size_t j = 0; j < item; j++)
            args[at + 4 + j] = TEST_OCTET(i + j);
        at += 4 + (item + 3) / 4 * 4;
    }
    return at;
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
    for (unsigned i = 1; i < reply->chunks && i < REQUESTER_CHUNKS; i++)
        if (reply->chunk_lengths[i] > 0) /* for nothing */
            return false;
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
    if (test_case->call.procedure == TEST_NULL)
        return reply->results_length == 0;
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
    bool is_short = call->write_segments + call->write_chunks > 0 && call->write_room < DATA;
    bool is_nowhere = call->write_segments == 0 && call->reply_room < DATA;
    if (call->procedure != TEST_FETCH)
        return false;
    return (is_short && reply->outcome == RPCRDMA_ERR_WRITE_RESOURCE && reply->value[1] == 0) ||
           (is_nowhere && reply->outcome == RPCRDMA_ERR_REPLY_RESOURCE && reply->value[0] == 0);
}

static bool has_too_many(const struct data_case *test_case, const struct requester_reply *reply)
{
    const struct requester_call *call = &test_case->call;
    bool items = call->read_items > 0;
    return ((items && reply->outcome == RPCRDMA_ERR_READ_CHUNKS) ||
            ((items || call->read_segments == MANY) && reply->outcome == RPCRDMA_ERR_SEGMENTS)) &&
           reply->value[0] < (items ? ITEMS : MANY);
}

/* Returns what is wrong, or NULL. */
static const char *run_on(struct requester *requester, const struct data_case *test_case,
                          unsigned timeout, char text[PROBE_TEXT])
{
    static uint8_t args[GATHERED];
    struct requester_call call = test_case->call;
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    call.args_length = fill(&call, args);
    call.args = args;
    bool begun = requester_call2(requester, &call, &pending, timeout, &reply);
    bool good = begun && reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
    if (begun && (lacks_room(test_case, &reply) || has_too_many(test_case, &reply)))
        good = true;
    else if (!good)
        snprintf(text, PROBE_TEXT, "%.200s", reply.text);
    else if (!is_right(test_case, &reply, &pending))
        good = false, snprintf(text, PROBE_TEXT, "a Reply with other data");
    requester_forget(requester, &pending);
    return good ? NULL : text;
}

/* Words after the prefix, of an XID of its own; and what answers them. */
static void exchange(struct requester *requester, uint32_t type, const uint32_t *words,
                     size_t count, unsigned timeout, struct requester_reply *reply)
{
    const uint32_t prefix[] = {++requester->xid, RPCRDMA_VERSION_2, 0, type};
    struct requester_pending pending = {.xid = requester->xid};
    uint8_t octets[4 * (COUNT(prefix) + WORDS)];
    for (size_t i = 0; i < COUNT(prefix) + count; i++)
        rpcrdma_xdr_store32(octets + 4 * i,
                            i < COUNT(prefix) ? prefix[i] : words[i - COUNT(prefix)]);
    requester->came_length = 0;
    session_post(requester->session, octets, 4 * (COUNT(prefix) + count));
    requester_finish(requester, &pending, timeout, reply);
}

/* NULL where the set of properties was refused. */
static const char *tell_badly(struct requester *requester, unsigned timeout, char text[PROBE_TEXT])
{
    static const uint32_t words[] = {
        2, RPCRDMA2_07_PROPID_RBSIZ, 4, LARGE, RPCRDMA2_07_PROPID_SBSIZ, 2, 0};
    struct requester_reply reply;
    exchange(requester, RPCRDMA2_07_CONNPROP_FINAL, words, COUNT(words), timeout, &reply);
    snprintf(text, PROBE_TEXT, "the value is not refused: %.150s", reply.text);
    return reply.outcome == RPCRDMA_ERR_BAD_PROPVAL ? NULL : text;
}

/* NULL where the peer says that it takes as much: the first bit of rdma_done. */
static const char *ask(struct requester *requester, unsigned patience)
{
    static const uint32_t words[] = {1, RPCRDMA2_04_PROPID_RBSIZ, 4, LARGE};
    const uint8_t *came = requester->came;
    struct requester_reply reply;
    exchange(requester, RPCRDMA2_04_REQPROP, words, COUNT(words), patience, &reply);
    if (requester->came_length < RPCRDMA_PREFIX_LENGTH + 8 ||
        rpcrdma_xdr_load32(came) != requester->xid ||
        rpcrdma_xdr_load32(came + RPCRDMA_AT_PROCEDURE) != RPCRDMA2_04_RESPROP)
        return "it answers no RDMA2_REQPROP";
    bool done = rpcrdma_xdr_load32(came + RPCRDMA_PREFIX_LENGTH) > 0 &&
                (rpcrdma_xdr_load32(came + RPCRDMA_PREFIX_LENGTH + 4) & 1);
    return done ? NULL : "the peer says that it does not change the size";
}

/* A NULL fills as much. */
static const char *run_asked(struct requester *requester, unsigned patience, unsigned timeout,
                             char text[PROBE_TEXT], const char **reason)
{
    static const struct probe_offer null = {.message = OFFER_NULL_04};
    static uint8_t octets[LARGE];
    struct requester_reply reply;
    *reason = ask(requester, patience);
    if (*reason)
        return *reason;
    struct requester_pending pending = {.xid = ++requester->xid};
    memset(octets, 0, sizeof octets);
    offer_encode(requester, &null, NULL, octets);
    session_post(requester->session, octets, sizeof octets);
    requester_finish(requester, &pending, timeout, &reply);
    snprintf(text, PROBE_TEXT, "a Send of %u octets: %.150s", LARGE, reply.text);
    return reply.outcome == RPCRDMA_PROCESS ? NULL : text;
}

/* The Reply takes as many Sends as it does without what was refused. */
static const char *run_refused(struct requester *requester, const struct data_case *test_case,
                               unsigned timeout, char text[PROBE_TEXT], const char **reason)
{
    *reason = tell_badly(requester, timeout, text);
    uint32_t before = session_counts(requester->session).received;
    const char *wrong = *reason ? *reason : run_on(requester, test_case, timeout, text);
    uint32_t sends = session_counts(requester->session).received - before;
    if (wrong || sends > DATA / SESSION_INLINE)
        return wrong;
    snprintf(text, PROBE_TEXT, "more than %u octets in %u Sends: it took what it refused", DATA,
             sends);
    return text;
}

/* The same, again and again. */
static const char *repeat_on(struct requester *requester, const struct data_case *test_case,
                             unsigned timeout, char text[PROBE_TEXT])
{
    char last[PROBE_TEXT];
    for (unsigned i = 0; i < test_case->repeats; i++)
        if (run_on(requester, test_case, timeout, last)) {
            snprintf(text, PROBE_TEXT, "of %u Calls %u were answered, then %.150s",
                     test_case->repeats, i, last);
            return text;
        }
    return NULL;
}

/* The same for this many at once as there are credits for, but no more than ours allow Replies. */
static const char *burst_on(struct requester *requester, const struct data_case *test_case,
                            unsigned timeout, char text[PROBE_TEXT])
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
            snprintf(text, PROBE_TEXT, "of %u Calls %u were answered, then %.150s", made, answered,
                     reply.text);
            return text;
        }
        is_answered[reply.xid - first] = true;
    }
    return NULL;
}

/* Returns what is wrong, or NULL; `reason` where that says nothing of the peer, and the rule that
 * it is charged to. */
static const char *connect_and_run(struct probe *probe, const struct data_case *test_case,
                                   char text[PROBE_TEXT], const char **reason, const char **rule)
{
    bool invalidates = test_case->invalidation == AS_USUAL ? probe->peer.invalidates
                                                           : test_case->invalidation == ASKED;
    const struct requester_options options = {
        .timeout = probe->options.timeout,
        .draft = probe->options.draft,
        .no_fallback = true,
        .xid = probe->run.xid,
        .told_size = test_case->told_size,
        .no_properties = test_case->tells_badly || test_case->asks,
        .piece = test_case->piece,
        .invalidates = invalidates,
        .program = probe->options.program,
        .version = probe->options.version,
        .finding = found,
        .witness = probe->run.recording.recorder ? probe_record : NULL,
        .arg = probe};
    probe_begin_recording(probe);
    struct requester *requester = requester_connect(probe->peer.transport, &options);
    if (requester == NULL)
        return probe->peer.transport->error;
    unsigned timeout = probe->options.timeout;
    const char *wrong =
        test_case->asks          ? run_asked(requester, probe->peer.patience, timeout, text, reason)
        : test_case->tells_badly ? run_refused(requester, test_case, timeout, text, reason)
        : test_case->burst       ? burst_on(requester, test_case, timeout, text)
        : test_case->repeats     ? repeat_on(requester, test_case, timeout, text)
                                 : run_on(requester, test_case, timeout, text);
    if (requester->unsent)
        *reason = "the peer has lowered what it takes";
    if (wrong && !*reason)
        *rule = probe_charged(requester, *rule);
    probe->run.xid = requester->xid;
    requester_close(requester);
    return wrong;
}

/* NULL: it can be run. */
static const char *obstacle(const struct probe *probe, const struct data_case *test_case)
{
    if (probe->options.program != TEST_PROGRAM)
        return "the peer does not execute the test program";
    if (test_case->invalidation == ASKED && !probe->peer.invalidates)
        return "the transport cannot invalidate memory remotely";
    return NULL;
}

static void run_case(struct probe *probe, const struct data_case *test_case, const char *rule)
{
    char text[PROBE_TEXT] = "";
    const char *reason = obstacle(probe, test_case);
    const char *wrong = reason ? NULL : connect_and_run(probe, test_case, text, &reason, &rule);
    struct result *result = probe_result(probe, rule, false);
    result->ending = reason ? ENDING_NOT_APPLICABLE : wrong ? ENDING_WRONG : ENDING_REQUIRED;
    result->expected = alloc_text("the data, octet by octet");
    result->actual = alloc_text(reason ? reason : wrong ? wrong : "as required");
}

void probe2_run_data(struct probe *probe)
{
    bool is_04 = probe->options.draft == RPCRDMA_PROTOCOL_2_04;
    for (size_t i = 0; i < COUNT(data_cases); i++) {
        const struct data_case *each = &data_cases[i];
        const char *rule = is_04 ? each->rule04 : each->rule07;
        const struct probe_about about = {"data", each->id, each->comment, rule, NULL, false};
        if (rule == NULL || !probe_wants(probe, &about))
            continue;
        probe_name(probe, each->id, each->comment);
        run_case(probe, each, rule);
    }
}
