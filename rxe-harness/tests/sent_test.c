// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the cases of `probe` and `serve` send, and what the reference peers answer, octet by octet:
 * as sent.tsv has it, a line a case with its events and their digest. A change that alters what
 * cases send names them here. Then the list is written anew by `make accept`, from
 * the top of the tree.
 */
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/serve/version2/serve.h"
#include "rxe-harness/tests/support/digests.h"
#include "rxe-harness/tests/support/nfs/nfs_server.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "rxe-harness/tests/sent.tsv"
#define XIDS 1024 /* of one case */

/* ---- recordings ---- */

/* XIDs depend on the cases before, handles and offsets on where memory came to lie. */
static void add_event(struct digest *digest, enum rpcrdma_protocol protocol,
                      const struct rpcrdma_event *event, uint32_t xids[XIDS], unsigned *known)
{
    uint8_t *copy = calloc(1, event->length + 4);
    if (event->length > 0)
        memcpy(copy, event->data, event->length);
    if (event->type == RPCRDMA_EVENT_SEND && event->length >= 4) {
        if (*known < XIDS)
            xids[(*known)++] = rpcrdma_xdr_load32(copy);
        probe_memory_number(protocol, copy, event->length);
    }
    for (size_t at = 0; at + 4 <= event->length; at += 4)
        for (unsigned i = 0; i < *known; i++)
            if (rpcrdma_xdr_load32(copy + at) == xids[i]) {
                rpcrdma_xdr_store32(copy + at, i);
                break;
            }
    digest_number(digest, event->type);
    digest_number(digest, event->from);
    digest_number(digest, event->length);
    digest_number(digest, event->invalidate);
    digest_octets(digest, copy, event->length);
    digest->events++;
    free(copy);
}

static void add_recording(const struct recorder *recorder, enum rpcrdma_protocol protocol,
                          const char *prefix)
{
    static uint32_t xids[XIDS];
    char path[] = P_tmpdir "/probe-sent-XXXXXX";
    struct corpus corpus = {0};
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert(record_write(recorder, path, "a reference peer"));
    corpus_add(&corpus, path);
    close(descriptor);
    unlink(path);
    ck_assert_int_eq(corpus.status, 0);
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        char id[96];
        unsigned known = 0;
        snprintf(id, sizeof id, "%s %s", prefix, test->comment);
        struct digest *digest = digest_of(id);
        for (size_t j = 0; j < test->count; j++)
            add_event(digest, protocol, &test->events[j].event, xids, &known);
    }
    corpus_free(&corpus);
}

/* How each case ended, in words. */
static void add_results(const struct results *results, const char *prefix)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        char id[96];
        snprintf(id, sizeof id, "%s %s", prefix, result->test);
        struct digest *digest = digest_of(id);
        digest_result(digest, result);
    }
}

/* The cases, or a replay. */
static void run(struct probe *probe, const char *prefix, bool replays)
{
    struct recorder recorder = {0};
    struct corpus recorded = {0};
    probe->run.recording.recorder = &recorder;
    probe->run.recording.left = 16 * PROBE_RECORD_MAX;
    probe->options.timeout = 1000;
    probe->options.hazards.all = true;
    probe->peer.forgets = true;
    probe->peer.invalidates = true;
    ck_assert(probe_begin(probe));
    if (replays) {
        /* Some of the latter is not to be sent. */
        corpus_add(&recorded, "vectors/recorded");
        corpus_add(&recorded, "vectors/reverse-direction.json");
        ck_assert_int_eq(recorded.status, 0);
        probe_run_corpus(probe, &recorded);
    } else {
        probe_run_cases(probe);
        if (probe->options.program == TEST_PROGRAM) /* NFS has no part in the others */
            probe_run_table(probe);
    }
    probe_end(probe);
    add_recording(&recorder, RPCRDMA_PROTOCOL_1, prefix);
    add_results(&probe->run.results, prefix);
    record_free(&recorder);
    corpus_free(&recorded);
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    probe->peer.transport->ops->close(probe->peer.transport);
}

static void probe_reference(const char *prefix, bool replays)
{
    struct probe probe = {
        .options = {.program = TEST_PROGRAM, .version = TEST_VERSION, .nfs_file = FILES_WRITTEN}};
    probe.peer.transport = responder_loopback();
    run(&probe, prefix, replays);
}

static void probe_nfs(const char *prefix)
{
    enum nfs_fault fault = GOOD;
    struct probe probe = {.options = {.program = NFS_PROGRAM,
                                      .version = NFS_VERSION,
                                      .nfs_file = "some/where/probe.data"}};
    probe.peer.transport = nfs_server(&fault);
    run(&probe, prefix, false);
}

/* The reference Responder with NFSv4.1, whose clients, sessions, files and states are others than
 * in the recordings. */
static void *begin(void *arg, struct link *link)
{
    struct responder *responder = responder_new(link);
    responder_speak_nfs4(responder, arg);
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static void replay_nfs(const char *prefix)
{
    struct nfs4 *nfs4 = nfs4_new(false);
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end, .arg = nfs4};
    struct probe probe = {.options = {.program = NFS_PROGRAM, .version = NFS_VERSION}};
    probe.peer.transport = transport_loopback(&peer);
    run(&probe, prefix, true);
    nfs4_free(nfs4);
}

static void add_probe(void)
{
    probe_reference("probe", false);
    probe_reference("replay", true);
    probe_nfs("probe-nfs");
    replay_nfs("replay-nfs");
}

/* ---- the table of `serve` ---- */

static void add_serve(void)
{
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        char id[96];
        uint8_t octets[ANNOUNCEMENT_MAX];
        snprintf(id, sizeof id, "serve %s", it->id);
        struct digest *digest = digest_of(id);
        for (size_t i = 0; i < SERVE_WORDS; i++)
            digest_number(digest, it->words[i]);
        for (size_t i = 0; i < SERVE_GRANTS; i++)
            digest_number(digest, it->grant[i]);
        digest_number(digest, it->length);
        digest_number(digest, it->hazardous | it->instead << 1 | it->twice << 2 | it->grants << 3 |
                                  it->series << 4);
        digest_number(digest, it->list_fault);
        digest_number(digest, it->reverse);
        if (it->announced)
            digest_octets(digest, octets, announcement_encode(it->announced, octets));
        digest->events = 1;
    }
}

/* ---- version 2 ---- */

static void add_words(struct digest *digest, const uint32_t *words, size_t length)
{
    for (size_t i = 0; i < length; i++)
        digest_number(digest, words[i]);
}

static void add_serve2_table(enum rpcrdma_protocol draft, const char *prefix)
{
    for (const struct serve2_case *it = serve2_cases(draft); it->id; it++) {
        char id[96];
        snprintf(id, sizeof id, "%s %s", prefix, it->id);
        struct digest *digest = digest_of(id);
        add_words(digest, it->words, it->count);
        add_words(digest, it->then, it->then_count);
        add_words(digest, it->grant, SERVE2_GRANTS);
        const uint32_t rest[] = {
            it->how,       it->open,           it->chunk_word,
            it->change,    it->of_reply_chunk, it->error_version,
            it->credits,   it->receive_size,   (uint32_t)it->piece,
            it->call_back, it->no_properties,  it->long_replies | (unsigned)it->empty_chunks << 1};
        add_words(digest, rest, COUNT(rest));
        digest->events = 1;
    }
}

static void add_version2(enum rpcrdma_protocol draft, const char *probed, const char *served)
{
    struct recorder recorder = {0};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .draft = draft,
                                      .hazards.all = true},
                          .run.recording = {.recorder = &recorder, .left = 16 * PROBE_RECORD_MAX},
                          .peer = {.transport = responder_loopback_version2(draft),
                                   .invalidates = true,
                                   .forgets = true}};
    struct serve2 serve = {.draft = draft, .timeout = 1000};
    ck_assert(probe2_begin(&probe));
    probe2_run_cases(&probe);
    add_recording(&recorder, draft, probed);
    record_free(&recorder);
    add_results(&probe.run.results, probed);
    results_free(&probe.run.results);
    probe.peer.transport->ops->close(probe.peer.transport);
    add_serve2_table(draft, served);
    serve2_reference(&serve);
    add_results(&serve.results, served);
    results_free(&serve.results);
}

START_TEST(each_case_sends_what_it_always_sent)
{
    digests_clear();
    add_probe();
    add_serve();
    struct serve serve = {.timeout = 1000};
    serve_reference(&serve);
    add_results(&serve.results, "serve");
    results_free(&serve.results);
    add_version2(RPCRDMA_PROTOCOL_2_04, "probe-04", "serve-04");
    add_version2(RPCRDMA_PROTOCOL_2_07, "probe-07", "serve-07");
    ck_assert_uint_gt(digests_compare(LIST, ""), 900);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sent");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_case_sends_what_it_always_sent);
    return run_tests("sent", tests);
}
