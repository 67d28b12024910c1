// SPDX-License-Identifier: BSD-3-Clause
/*
 * Whole runs: what they report, record and capture is what told.tsv has, and when they are over all
 * of their memory is free.
 */
#include "rxe-harness/tests/support/command_stage.h"
#include "rxe-harness/tests/support/digests.h"
#include "rxe-harness/tests/support/nfs/nfs_server.h"
#include "rxe-harness/tests/support/proxy_stage.h"

#include "rxe-harness/commands/commands.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/proxy/capture.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"

#include "conformance/run/corpus.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <malloc.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "rxe-harness/tests/told.tsv"

/* ---- what is added to a digest ---- */

/* The proxy puts the time of day at the end of what it says, in brackets. */
static void add_results(struct digest *digest, const struct results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        struct result result = results->list[i];
        char text[1024];
        bool of_proxy = strcmp(result.file, "proxy") == 0;
        if (!of_proxy && !digests_knows_case(result.test))
            continue;
        snprintf(text, sizeof text, "%s", result.actual ? result.actual : "");
        char *time = result.tells_octets ? strrchr(text, '(') : NULL;
        if (time)
            *time = '\0';
        result.actual = text;
        digest_result(digest, &result);
    }
}

/* The packets of a pcapng file without their times. */
static void add_capture(struct digest *digest, const char *path)
{
    enum { PACKET = 6 };
    static uint8_t octets[1 << 20];
    uint32_t head[2], lengths[2];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fread(head, sizeof head, 1, file) == 1) {
        ck_assert_uint_le(head[1], sizeof octets);
        ck_assert_uint_eq(fread(octets, 1, head[1] - sizeof head, file), head[1] - sizeof head);
        if (head[0] != PACKET)
            continue;
        memcpy(lengths, octets + 12, sizeof lengths);
        ck_assert_uint_le(lengths[0], head[1] - 32);
        digest_number(digest, lengths[1]);
        digest_octets(digest, octets + 20, lengths[0]);
        digest->events++;
    }
    fclose(file);
}

static void add_file(struct digest *digest, const char *path)
{
    char line[65536];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        digest_text(digest, line);
    fclose(file);
}

/* ---- runs ---- */

/* A recording has the name of its file in it. */
static char folder[] = P_tmpdir "/told-XXXXXX", recorded[64], captured[64];

static void make_folder(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(recorded, sizeof recorded, "%s/recorded.json", folder);
    snprintf(captured, sizeof captured, "%s/captured.pcap", folder);
}

static void remove_folder(void)
{
    unlink(recorded);
    unlink(captured);
    rmdir(folder);
}

/* All cases but those of the vectors, to which some are added often: XIDs follow from the place of
 * a case. With a recording or without. */
static void probe_all(struct digest *digest, struct transport *transport, bool nfs, bool records)
{
    struct recorder recorder = {0};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = nfs ? NFS_PROGRAM : TEST_PROGRAM,
                                      .version = nfs ? NFS_VERSION : TEST_VERSION,
                                      .nfs_file = nfs ? "some/where/probe.data" : NULL,
                                      .hazards.all = true,
                                      .wait = 1},
                          .peer = {.transport = transport, .forgets = true},
                          .run.recording = {.recorder = &recorder, .left = PROBE_RECORD_MAX / 8}};
    probe.peer.infers = records;
    probe.run.recording.left *= records;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_end(&probe);
    add_results(digest, &probe.run.results);
    if (records) {
        ck_assert(record_write(&recorder, recorded, "a peer"));
        add_file(digest, recorded);
    }
    record_free(&recorder);
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    free(probe.run.stopped);
}

static void probe_reference(struct digest *digest)
{
    struct transport *transport = responder_loopback();
    probe_all(digest, transport, false, true);
    transport->ops->close(transport);
}

static void probe_nfs(struct digest *digest)
{
    enum nfs_fault fault = GOOD;
    struct transport *transport = nfs_server(&fault);
    probe_all(digest, transport, true, true);
    transport->ops->close(transport);
}

/* The room for the recording ends in the middle. */
static void through_proxy(struct digest *digest, struct transport *target, bool nfs)
{
    struct recorder recorder = {0};
    FILE *stream = fopen(captured, "wb");
    proxy.capture = capture_create(stream, 1 << 20);
    ck_assert_ptr_nonnull(proxy.capture);
    proxy.recorder = &recorder;
    proxy.record_left = 100000;
    struct transport *transport = proxy_stage_open(target, RPCRDMA_PROTOCOL_AUTO);
    probe_all(digest, transport, nfs, false);
    add_results(digest, &proxy.results);
    ck_assert(capture_finish(proxy.capture));
    fclose(stream);
    add_capture(digest, captured);
    ck_assert(record_write(&recorder, recorded, "two peers"));
    add_file(digest, recorded);
    record_free(&recorder);
    proxy_stage_close(transport);
}

static void relay_reference(struct digest *digest)
{
    through_proxy(digest, responder_loopback(), false);
}

static void relay_nfs(struct digest *digest)
{
    static enum nfs_fault fault = GOOD;
    through_proxy(digest, nfs_server(&fault), true);
}

static void replay(struct digest *digest)
{
    struct corpus corpus = {0};
    struct probe probe = {
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION},
        .peer = {.transport = responder_loopback(), .forgets = true}};
    corpus_add(&corpus, "vectors/recorded/linux-6.1-errors.json");
    ck_assert_int_eq(corpus.status, 0);
    ck_assert(probe_begin(&probe));
    probe_run_corpus(&probe, &corpus);
    probe_end(&probe);
    add_results(digest, &probe.run.results);
    corpus_free(&corpus);
    results_free(&probe.run.results);
    probe.peer.transport->ops->close(probe.peer.transport);
}

static void serve_all(struct digest *digest)
{
    struct serve serve = {.timeout = 1000, .selection.hazardous = true};
    serve_reference(&serve);
    add_results(digest, &serve.results);
    results_free(&serve.results);
}

/* Each case with its class and its text, without being run. */
static void add_list(struct digest *digest, struct command_stage *stage, const char *line)
{
    bool is_known = false;
    ck_assert_int_eq(command_stage_run(stage, line), 0);
    for (char *row = strtok(stage->out, "\n"); row; row = strtok(NULL, "\n")) {
        char id[96];
        snprintf(id, sizeof id, "%.*s", (int)strcspn(row, " "), row);
        /* Its text is indented; a subject has a number sign before it. */
        is_known = id[0] ? id[0] == '#' || digests_knows_case(id) : is_known;
        digest_text(digest, is_known ? row : NULL);
        digest->events += is_known;
    }
}

static void list_cases(struct digest *digest)
{
    static struct command_stage stage;
    stage.command = cmd_probe;
    add_list(digest, &stage, "probe --list");
    stage.command = cmd_serve;
    add_list(digest, &stage, "serve --list");
}

/* What the proxy's faults make of messages of several lengths. */
static void break_messages(struct digest *digest)
{
    for (const struct proxy_fault *fault = proxy_faults; fault->name; fault++)
        for (size_t length = 0; length <= 64; length += 4) {
            uint8_t octets[PROXY_RECEIVE];
            struct proxy_fault copy;
            char text[64];
            for (size_t i = 0; i < sizeof octets; i++)
                octets[i] = (uint8_t)(i * 7 + 1);
            snprintf(text, sizeof text, "%s:%zu", fault->name, length + 1);
            ck_assert(proxy_fault_read(&copy, text));
            digest_text(digest, copy.text);
            digest_number(digest, copy.number);
            digest_number(digest, copy.from);
            digest_octets(digest, octets, proxy_fault_apply(&copy, octets, length));
            digest->events++;
        }
}

static const struct {
    const char *name;
    void (*run)(struct digest *digest);
} runs[] = {
    {"run lists ", list_cases},
    {"run faults of the proxy ", break_messages},
    {"run probe of Calls ", probe_reference},
    {"run probe of NFS ", probe_nfs},
    {"run proxy for Calls ", relay_reference},
    {"run proxy for NFS ", relay_nfs},
    {"run replay of errors ", replay},
    {"run serve ", serve_all},
};

START_TEST(a_run_tells_what_it_always_told)
{
    digests_clear();
    runs[_i].run(digest_of(runs[_i].name));
    ck_assert_uint_eq(digests_compare(LIST, runs[_i].name), 1);
}
END_TEST

/* What the second and the third time leave; the first time may keep some for good. Under sanitizers
 * nothing is counted here, and the leak checker looks. */
START_TEST(a_run_leaves_no_memory)
{
    runs[_i].run(digest_of("left"));
    size_t before = mallinfo2().uordblks;
    runs[_i].run(digest_of("left"));
    runs[_i].run(digest_of("left"));
    ck_assert_uint_eq(mallinfo2().uordblks, before);
}
END_TEST

/* Memory that is free has to be counted as free: without glibc's caches. */
static void without_caches(void)
{
    static const char tunables[] = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0";
    char *const arguments[] = {(char[]){"told_test"}, NULL};
    const char *set = getenv("GLIBC_TUNABLES");
    if (set && strcmp(set, tunables) == 0)
        return;
    if (setenv("GLIBC_TUNABLES", tunables, 1) == 0)
        execv("/proc/self/exe", arguments);
}

int main(void)
{
    without_caches();
    TCase *tests = tcase_create("told");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, a_run_tells_what_it_always_told, 0, COUNT(runs));
    tcase_add_loop_test(tests, a_run_leaves_no_memory, 0, COUNT(runs));
    return run_tests("told", tests);
}
