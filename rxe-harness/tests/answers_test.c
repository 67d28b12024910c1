// SPDX-License-Identifier: BSD-3-Clause
/*
 * A peer that answers one Send as a table says, and everything else as it should: how the probe
 * takes it.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/digests.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum answer {
    SUCCESS,     /* a Reply of RPC, accept_stat 0 */
    UNAVAILABLE, /* PROG_UNAVAIL */
    GARBAGE,     /* GARBAGE_ARGS */
    DENIED,      /* MSG_DENIED */
    ERROR_CHUNK,
    ERROR_VERS,
    SILENCE,
    CLOSE,
    OTHER_XID,   /* the Reply to no known Call, and again and again */
    LATE,        /* after the next Call's Reply */
    HANG,        /* nothing is answered any more */
    NO_RPC,      /* a header, and octets that are no RPC message */
    CLOSE_LATER, /* ERR_CHUNK, and the end with the next Call */
    CLOSE_LAST,  /* silence; the next Call is answered, and then comes the end */
    ANSWERS,     /* of told.tsv */
    LATE_LAST,   /* like LATE, and then the end */
    ERROR_LAST,  /* ERR_CHUNK; the next Call is answered, and then comes the end */
    ERROR_STRAY  /* the same, but a Reply to no Call in place of the end */
};

static const struct row {
    const char *test;
    enum answer answer;
    enum ending ending;
} rows[] = {
    /* A Call that has to be executed. */
    {"smallest-call", SUCCESS, ENDING_REQUIRED},
    {"smallest-call", UNAVAILABLE, ENDING_REQUIRED},
    {"smallest-call", GARBAGE, ENDING_REQUIRED},
    {"smallest-call", DENIED, ENDING_REQUIRED},
    {"smallest-call", ERROR_CHUNK, ENDING_WRONG},
    {"smallest-call", ERROR_VERS, ENDING_WRONG},
    {"smallest-call", SILENCE, ENDING_SILENT},
    {"smallest-call", CLOSE, ENDING_CLOSED},
    {"smallest-call", OTHER_XID, ENDING_WRONG},
    {"smallest-call", LATE, ENDING_REQUIRED},
    {"smallest-call", HANG, ENDING_STALLED},
    {"smallest-call", NO_RPC, ENDING_WRONG},
    {"smallest-call", CLOSE_LATER, ENDING_CLOSED},
    /* One that the text neither has answered nor dropped. */
    {"call-ends-after-rpc-version", SUCCESS, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", GARBAGE, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", ERROR_CHUNK, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", ERROR_VERS, ENDING_WRONG},
    {"call-ends-after-rpc-version", SILENCE, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", CLOSE, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", CLOSE_LAST, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", CLOSE_LATER, ENDING_REQUIRED},
    {"call-ends-after-rpc-version", HANG, ENDING_STALLED},
    {"call-ends-after-rpc-version", ERROR_LAST, ENDING_REQUIRED},
    {"msg-without-payload-after-lists", CLOSE, ENDING_REQUIRED},
    {"msg-without-payload-after-lists", ERROR_CHUNK, ENDING_REQUIRED},
    {"msg-without-payload-after-lists", SUCCESS, ENDING_WRONG},
    /* One that has to be answered by ERR_CHUNK. */
    {"read-list-presence-of-two", SUCCESS, ENDING_WRONG},
    {"read-list-presence-of-two", UNAVAILABLE, ENDING_WRONG},
    {"read-list-presence-of-two", GARBAGE, ENDING_WRONG},
    {"read-list-presence-of-two", ERROR_CHUNK, ENDING_REQUIRED},
    {"read-list-presence-of-two", ERROR_VERS, ENDING_WRONG},
    {"read-list-presence-of-two", SILENCE, ENDING_SILENT},
    {"read-list-presence-of-two", CLOSE, ENDING_CLOSED},
    {"read-list-presence-of-two", LATE, ENDING_WRONG},
    {"read-list-presence-of-two", HANG, ENDING_STALLED},
    {"read-list-presence-of-two", CLOSE_LATER, ENDING_TOLERATED},
    {"read-list-presence-of-two", ERROR_LAST, ENDING_TOLERATED},
    /* One that may be answered by RPC as well: RPC's refusal comes before the arguments. */
    {"position-and-length-wrap-together", ERROR_CHUNK, ENDING_REQUIRED},
    {"position-and-length-wrap-together", GARBAGE, ENDING_REQUIRED},
    {"position-and-length-wrap-together", UNAVAILABLE, ENDING_TOLERATED},
    {"position-and-length-wrap-together", DENIED, ENDING_TOLERATED},
    {"position-and-length-wrap-together", SUCCESS, ENDING_WRONG},
    {"position-and-length-wrap-together", CLOSE, ENDING_REQUIRED},
    {"position-and-length-wrap-together", SILENCE, ENDING_SILENT},
    {"position-and-length-wrap-together", CLOSE_LAST, ENDING_REQUIRED},
    {"smallest-call", CLOSE_LAST, ENDING_SILENT},
    /* Its answer counts, and not what comes after it. */
    {"position-and-length-wrap-together", LATE_LAST, ENDING_WRONG},
    /* How much may be read for a Call is the Responder's affair, from some size on. */
    {"svcrdma-read-chunk-ends-on-page-256", ERROR_CHUNK, ENDING_REQUIRED},
    {"svcrdma-read-chunk-ends-on-page-256", SILENCE, ENDING_SILENT},
    {"chunks-back-to-back", ERROR_CHUNK, ENDING_WRONG},
    /* What has to be dropped. */
    {"runt-of-16-octets", SILENCE, ENDING_REQUIRED},
    {"runt-of-16-octets", ERROR_CHUNK, ENDING_WRONG},
    {"runt-of-16-octets", SUCCESS, ENDING_WRONG},
    {"runt-of-16-octets", CLOSE, ENDING_CLOSED},
    {"runt-of-16-octets", HANG, ENDING_STALLED},
    {"done-of-16-octets", SILENCE, ENDING_REQUIRED},
    {"done-of-16-octets", ERROR_CHUNK, ENDING_WRONG},
    {"reading-order-error-to-responder", SILENCE, ENDING_REQUIRED},
    {"reading-order-error-to-responder", ERROR_CHUNK, ENDING_WRONG},
    /* A version that nobody speaks. */
    {"version-zero", ERROR_VERS, ENDING_REQUIRED},
    {"version-zero", ERROR_CHUNK, ENDING_WRONG},
    {"version-zero", SUCCESS, ENDING_WRONG},
};

/* ---- the peer ---- */

struct peer {
    struct link *link;
    enum answer answer;
    unsigned messages;
    bool hangs, closes, closes_last;
    uint32_t late; /* the XID that is answered later, or 0 */
};

static void send_reply(struct peer *peer, uint32_t xid, bool accepted, uint32_t stat)
{
    const struct rpcrdma1_header header = {.rdma_xid = xid,
                                           .rdma_vers = RPCRDMA_VERSION_1,
                                           .rdma_credit = RESPONDER_CREDITS,
                                           .rdma_body.proc = RPCRDMA1_MSG};
    uint8_t octets[RPCRDMA1_HEADER_MIN + 24];
    rpcrdma1_header_encode(octets, RPCRDMA1_HEADER_MIN, &header, NULL);
    const uint32_t taken[] = {xid, 1, 0, 0, 0, stat}, denied[] = {xid, 1, 1, 1, 1};
    size_t words = accepted ? 6 : 5;
    for (size_t i = 0; i < words; i++)
        rpcrdma_xdr_store32(octets + RPCRDMA1_HEADER_MIN + 4 * i, accepted ? taken[i] : denied[i]);
    peer->link->ops->send(peer->link, octets, RPCRDMA1_HEADER_MIN + 4 * words, NULL);
}

static void send_error(struct peer *peer, uint32_t xid, bool chunk)
{
    struct rpcrdma1_header header = {.rdma_xid = xid,
                                     .rdma_vers = RPCRDMA_VERSION_1,
                                     .rdma_credit = RESPONDER_CREDITS,
                                     .rdma_body = {.proc = RPCRDMA1_ERROR}};
    uint8_t octets[RPCRDMA1_ERR_VERS_LENGTH];
    header.rdma_body.rdma_error.err = chunk ? RPCRDMA1_ERR_CHUNK : RPCRDMA1_ERR_VERS;
    header.rdma_body.rdma_error.range.rdma_vers_low = 1;
    header.rdma_body.rdma_error.range.rdma_vers_high = 1;
    ptrdiff_t length = rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    peer->link->ops->send(peer->link, octets, (size_t)length, NULL);
}

static void close_link(struct peer *peer)
{
    peer->link->ops->close(peer->link);
    peer->link = NULL;
}

static void answer(struct peer *peer, uint32_t xid)
{
    switch (peer->answer) {
    case SUCCESS:
        send_reply(peer, xid, true, 0);
        break;
    case UNAVAILABLE:
        send_reply(peer, xid, true, 1);
        break;
    case GARBAGE:
        send_reply(peer, xid, true, 4);
        break;
    case DENIED:
        send_reply(peer, xid, false, 0);
        break;
    case ERROR_CHUNK:
    case ERROR_VERS:
        send_error(peer, xid, peer->answer == ERROR_CHUNK);
        break;
    case CLOSE_LATER:
        send_error(peer, xid, true);
        peer->closes = true;
        break;
    case CLOSE_LAST:
        peer->closes_last = true;
        break;
    case SILENCE:
        break;
    case CLOSE:
        close_link(peer);
        break;
    case OTHER_XID:
        for (uint32_t i = 1; i < 20; i++)
            send_reply(peer, xid ^ (i << 24), true, 0);
        break;
    case ERROR_LAST:
        send_error(peer, xid, true);
        peer->closes_last = true;
        break;
    case ERROR_STRAY:
        send_error(peer, xid, true);
        peer->late = xid ^ 0x40000000;
        break;
    case LATE_LAST:
        peer->closes_last = true;
        peer->late = xid;
        break;
    case LATE:
        peer->late = xid;
        break;
    case HANG:
        peer->hangs = true;
        break;
    case ANSWERS:
        break;
    case NO_RPC: {
        const struct rpcrdma1_header header = {.rdma_xid = xid,
                                               .rdma_vers = RPCRDMA_VERSION_1,
                                               .rdma_credit = RESPONDER_CREDITS,
                                               .rdma_body.proc = RPCRDMA1_MSG};
        uint8_t octets[RPCRDMA1_HEADER_MIN + 4] = {0};
        rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
        peer->link->ops->send(peer->link, octets, sizeof octets, NULL);
        break;
    }
    }
}

static bool armed;  /* with the answer to the second message of a connection */
static bool always; /* or to all from there on */
static void *begin(void *arg, struct link *link)
{
    struct peer *peer = calloc(1, sizeof *peer);
    *peer = (struct peer){.link = link, .answer = ((const struct row *)arg)->answer};
    return peer;
}

static bool step(void *arg)
{
    struct peer *peer = arg;
    struct link_event event = {.type = LINK_NOTHING};
    if (peer->link)
        peer->link->ops->wait(peer->link, 0, &event);
    if (event.type != LINK_RECEIVED)
        return false;
    uint32_t xid = event.length < 4 ? 0 : rpcrdma_xdr_load32(event.octets);
    unsigned number = peer->messages++;
    if (peer->closes) {
        close_link(peer);
    } else if (armed && (number == 1 || (always && number > 1))) {
        answer(peer, xid);
    } else if (!peer->hangs) {
        send_reply(peer, xid, true, 0);
        if (peer->late != 0)
            send_reply(peer, peer->late, true, 0);
        peer->late = 0;
        if (peer->closes_last)
            close_link(peer);
    }
    return true;
}

static void end(void *arg)
{
    struct peer *peer = arg;
    if (peer->link)
        peer->link->ops->close(peer->link);
    free(peer);
}

/* The probe's peer from here on: the row has to outlive it. */
static void meet(struct probe *probe, const struct row *row)
{
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin,
                                       .step = step,
                                       .end = end,
                                       .arg = (void *)(uintptr_t)row};
    probe->options.timeout = 100;
    probe->options.program = TEST_PROGRAM;
    probe->options.version = TEST_VERSION;
    probe->options.wait = 1;
    probe->peer.transport = transport_loopback(&peer);
    armed = false;
    if (row->test)
        chosen_add(&probe->options.cases, row->test);
    ck_assert(probe_begin(probe));
    armed = true;
}

static void part(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* With a recording, by odd numbers, and without: that changes no verdict. */
START_TEST(an_answer_is_taken_for_what_it_is)
{
    const struct row *row = &rows[_i / 2];
    struct recorder recorder = {0};
    struct probe probe = {.run.recording.recorder = _i % 2 ? &recorder : NULL};
    unsigned met = 0;
    meet(&probe, row);
    probe_run_table(&probe);
    probe_end(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (strcmp(result->from, "client") != 0)
            continue; /* a finding about an answer */
        ck_assert_msg(result->ending == row->ending, "%s, answer %d: %s, not %s: %s", row->test,
                      row->answer, ending_names[result->ending], ending_names[row->ending],
                      result->actual);
        met++;
    }
    ck_assert_msg(met == 1, "%s: no such case", row->test);
    record_free(&recorder);
    part(&probe);
}
END_TEST

/* What comes when a case is over is no other case's. */
START_TEST(a_case_that_is_over_accuses_nobody)
{
    static const struct row row = {"read-list-presence-of-two", ERROR_STRAY, ENDING_REQUIRED};
    struct probe probe = {.run.results.count = 0};
    meet(&probe, &row);
    probe_run_table(&probe);
    ck_assert_uint_eq(probe.run.watch.count, 1);
    probe_end(&probe);
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert_int_eq(probe.run.results.list[0].ending, ENDING_REQUIRED);
    part(&probe);
}
END_TEST

/* What is recorded of a connection that is looked at later has its end as well: here the server's.
 */
START_TEST(a_connection_that_ends_later_is_recorded_to_its_end)
{
    static const struct row row = {"read-list-presence-of-two", CLOSE_LATER, ENDING_TOLERATED};
    struct recorder recorder = {0};
    struct corpus corpus = {0};
    char path[] = P_tmpdir "/answers-XXXXXX";
    struct probe probe = {.run.recording = {.recorder = &recorder, .left = PROBE_RECORD_MAX}};
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    meet(&probe, &row);
    probe_run_table(&probe);
    probe_end(&probe);
    ck_assert(record_write(&recorder, path, "a Responder that closes late"));
    corpus_add(&corpus, path);
    ck_assert_int_eq(corpus.status, 0);
    unsigned ended = 0;
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        const struct rpcrdma_event *last = &test->events[test->count - 1].event;
        ck_assert_int_eq(last->type, RPCRDMA_EVENT_DISCONNECT);
        ended += last->from == RPCRDMA_SERVER;
    }
    ck_assert_uint_eq(ended, 1);
    corpus_free(&corpus);
    close(descriptor);
    unlink(path);
    record_free(&recorder);
    part(&probe);
}
END_TEST

/* Sends that no vector is, and what a vector like them would leave open. */
#define WORDS(...)                                                                                 \
    {__VA_ARGS__}, sizeof(const uint32_t[])                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define NULL_CALL 7, 0, 2, 0x20008166, 1, 0, 0, 0, 0, 0
#define HUGE 0x7fffffff /* octets that are not set aside */
static const struct own_row {
    struct {
        uint32_t words[24];
        size_t length;
    } send;
    unsigned reactions;
    struct row row;
} own_rows[] = {
    /* What may be a Reply need not be answered, but for its version, which a Responder refuses
     * before it looks at the rest (4.5.1). */
    {{WORDS(7, 1, 32, 1, 0, 0, 1, 1, 0xb, 4, 0, 0x2000)},
     RPCRDMA_ERR_CHUNK,
     {.answer = SILENCE, .ending = ENDING_REQUIRED}},
    {{WORDS(7, 1, 32, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0)},
     RPCRDMA_PROCESS,
     {.answer = SILENCE, .ending = ENDING_REQUIRED}},
    {{WORDS(7, 9, 32, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0)},
     RPCRDMA_ERR_VERS,
     {.answer = SILENCE, .ending = ENDING_SILENT}},
    /* Memory that is not there cannot be used: that is an error, or the end (4.5.3, 4.5.4). */
    {{WORDS(7, 1, 32, 0, 0, 1, 1, 0xb, HUGE, 0, 0x2000, 0, 0, NULL_CALL)},
     RPCRDMA_PROCESS,
     {.answer = ERROR_CHUNK, .ending = ENDING_REQUIRED}},
    {{WORDS(7, 1, 32, 0, 0, 1, 1, 0xb, HUGE, 0, 0x2000, 0, 0, NULL_CALL)},
     RPCRDMA_PROCESS,
     {.answer = CLOSE, .ending = ENDING_REQUIRED}},
    {{WORDS(7, 1, 32, 0, 0, 1, 1, 0xb, HUGE, 0, 0x2000, 0, 0, NULL_CALL)},
     RPCRDMA_GARBAGE_ARGS,
     {.answer = ERROR_CHUNK, .ending = ENDING_WRONG}},
    {{WORDS(7, 1, 32, 0, 0, 1, 1, 0xb, 64, 0, 0x2000, 0, 0, NULL_CALL)},
     RPCRDMA_PROCESS,
     {.answer = ERROR_CHUNK, .ending = ENDING_WRONG}},
};

START_TEST(what_is_open_follows_from_the_send)
{
    const struct own_row *own = &own_rows[_i];
    struct probe probe = {.options.hazards.all = true};
    uint8_t octets[sizeof own->send.words];
    for (size_t i = 0; i < own->send.length / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, own->send.words[i]);
    const struct probe_send send = {.subject = "own",
                                    .id = "own",
                                    .comment = "own",
                                    .octets = octets,
                                    .length = own->send.length,
                                    .reactions = own->reactions};
    meet(&probe, &own->row);
    probe_run_send(&probe, &send);
    probe_end(&probe);
    ck_assert_uint_gt(probe.run.results.count, 0);
    const struct result *result = &probe.run.results.list[0];
    ck_assert_msg(result->ending == own->row.ending, "%s, not %s: %s", ending_names[result->ending],
                  ending_names[own->row.ending], result->actual);
    part(&probe);
}
END_TEST

/* What is said of each answer in each case, as told.tsv has it. */
START_TEST(each_answer_is_told_as_always)
{
    const struct row row = {.answer = (enum answer)(_i % ANSWERS)};
    struct probe probe = {.options.hazards.all = true, .peer.forgets = true};
    char id[64];
    always = false;
    meet(&probe, &row);
    always = _i >= ANSWERS;
    probe.peer.has_test_program = true;
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    snprintf(id, sizeof id, "answer %d%s ", _i % ANSWERS, always ? ", always" : "");
    digest_results(digest_of(id), &probe.run.results);
    ck_assert_uint_eq(digests_compare("rxe-harness/tests/told.tsv", id), 1);
    free(probe.run.stopped);
    part(&probe);
    always = false;
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("answers");
    tcase_add_loop_test(tests, an_answer_is_taken_for_what_it_is, 0, 2 * COUNT(rows));
    tcase_add_test(tests, a_case_that_is_over_accuses_nobody);
    tcase_add_loop_test(tests, what_is_open_follows_from_the_send, 0, COUNT(own_rows));
    tcase_add_test(tests, a_connection_that_ends_later_is_recorded_to_its_end);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_answer_is_told_as_always, 0, 2 * ANSWERS);
    return run_tests("answers", tests);
}
