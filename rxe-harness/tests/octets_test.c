// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the cases of `probe` really send, by a recording of a run: no two send the same, and each
 * sends what its rule is about.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct corpus corpus;
static struct probe probe;

static void record(void)
{
    struct recorder recorder = {0};
    char path[] = P_tmpdir "/probe-octets-XXXXXX";
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    probe = (struct probe){.options = {.timeout = 1000,
                                       .program = TEST_PROGRAM,
                                       .version = TEST_VERSION,
                                       .nfs_file = FILES_WRITTEN,
                                       .hazards.all = true},
                           .peer.invalidates = true};
    probe.peer.transport = responder_loopback();
    probe.run.recording.recorder = &recorder;
    probe.run.recording.left = 4 * PROBE_RECORD_MAX;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    ck_assert(record_write(&recorder, path, "the reference Responder"));
    record_free(&recorder);
    corpus_add(&corpus, path);
    close(descriptor);
    unlink(path);
    ck_assert_int_eq(corpus.status, 0);
}

static void forget(void)
{
    corpus_free(&corpus);
    results_free(&probe.run.results);
    probe.peer.transport->ops->close(probe.peer.transport);
}

/* ---- no two are the same ---- */

/* Connections of a case, one after the other; XIDs and handles do not count. */
struct sent {
    const char *id;
    uint8_t *octets;
    size_t length;
};

static void append(struct sent *sent, const struct rpcrdma_event *event)
{
    sent->octets = realloc(sent->octets, sent->length + event->length + 8);
    uint8_t *at = sent->octets + sent->length;
    rpcrdma_xdr_store32(at, (uint32_t)event->type);
    rpcrdma_xdr_store32(at + 4, (uint32_t)event->length);
    if (event->length > 0)
        memcpy(at + 8, event->data, event->length);
    if (event->type == RPCRDMA_EVENT_SEND && event->length >= 4) {
        probe_freshen(RPCRDMA_PROTOCOL_1, at + 8, event->length, 0);
        probe_memory_number(RPCRDMA_PROTOCOL_1, at + 8, event->length);
    }
    sent->length += event->length + 8;
}

static size_t collect(struct sent *list)
{
    size_t count = 0;
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        if (count == 0 || strcmp(list[count - 1].id, test->comment) != 0)
            list[count++] = (struct sent){.id = test->comment};
        for (size_t j = 0; j < test->count; j++)
            if (test->events[j].event.from == RPCRDMA_CLIENT &&
                (test->events[j].event.type == RPCRDMA_EVENT_SEND ||
                 test->events[j].event.type == RPCRDMA_EVENT_PRIVATE_DATA))
                append(&list[count - 1], &test->events[j].event);
    }
    return count;
}

/* Each writes, and reads back, by one segment: what is judged is the one there, and the other here.
 */
static bool are_known(const char *a, const char *b)
{
    return strcmp(a, "nfs-read-65536-in-1") == 0 && strcmp(b, "nfs-write-65536-in-1") == 0;
}

START_TEST(no_two_cases_send_the_same)
{
    record();
    struct sent *list = calloc(corpus.files[0].count, sizeof *list);
    size_t count = collect(list);
    ck_assert_uint_gt(count, 350);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(are_known(list[j].id, list[i].id) || list[i].length != list[j].length ||
                              memcmp(list[i].octets, list[j].octets, list[i].length) != 0,
                          "%s and %s send the same", list[j].id, list[i].id);
    for (size_t i = 0; i < count; i++)
        free(list[i].octets);
    free(list);
    forget();
}
END_TEST

/* ---- what a rule is about ---- */

enum {
    READS = 1,     /* a Read list */
    WRITES = 2,    /* a Write list */
    REPLY = 4,     /* a Reply chunk */
    NOMSG = 8,     /* RDMA_NOMSG */
    SHORT = 16,    /* less than a header */
    BAD = 32,      /* another version, or an undefined procedure */
    MANY = 64,     /* more than eight Sends */
    PRIVATE = 128, /* private data other than the Requester's */
    CALL = 256,    /* an RPC Call with all that is around it */
    LARGE = 512,   /* a Send of 1024 octets */
    GSS = 1024,    /* a credential of RPCSEC_GSS */
    NO_PRIVATE = 2048,
    ERROR = 4096, /* an RDMA_ERROR */
};

/* Of rules, or of all that begin so, by which a case goes without breaking them: it sends one of
 * these. */
static const struct {
    const char *rule;
    unsigned features;
} subjects[] = {
    {"rfc8166/2.2.2/message-type", CALL | NOMSG},
    {"rfc8166/3.3.1/request-of-zero", CALL | NOMSG},
    {"rfc8166/3.3.1/", MANY},
    {"rfc8166/3.3.3/first-exchange", LARGE},
    {"rfc8166/3.4.2/", READS},
    {"rfc8166/3.4.3/segment-within-address-space", READS | WRITES | REPLY},
    {"rfc8166/3.4.3/", READS | WRITES | REPLY},
    {"rfc8166/3.4.4.4/payload-whole-words", CALL},
    {"rfc8166/3.4.4/", READS | WRITES | REPLY},
    {"rfc8166/3.4.4.4/", READS},
    {"rfc8166/3.4.5", READS},
    {"rfc8166/3.4.6/", WRITES},
    {"rfc8166/3.5.2/", READS},
    {"rfc8166/3.5.3/position-zero-in-msg", READS},
    {"rfc8166/3.5.3/special-chunk-whole-words", READS | REPLY},
    {"rfc8166/3.5.3/long-call-at-position-zero", NOMSG},
    {"rfc8166/3.5.3/reply-chunk-used", REPLY},
    {"rfc8166/4.2.1/xid-equal", CALL},
    {"rfc8166/4.2.4/responder-drops-error", ERROR},
    {"rfc8166/4.2.4/", NOMSG},
    {"rfc8166/4.3.2/eligible-result-pushed", WRITES | CALL}, /* what is not eligible: inline */
    {"rfc8166/4.3.2", WRITES},
    {"rfc8166/4.3.3/", REPLY},
    {"rfc8166/4.5/call-error-answered", BAD},
    {"rfc8166/4.5.1/unsupported-version-answered", BAD},
    {"rfc8166/4.5/minimal-header", CALL | NOMSG},
    {"rfc8166/4.5/short-message-discarded", SHORT},
    {"rfc8166/4.5.2/garbage-args", CALL},
    {"rfc8166/4.5.3/err-chunk-after-reconnect", NOMSG},
    {"rfc8166/4.5.3/within-offered-memory", WRITES | REPLY | CALL},
    {"rfc8166/4.5.4/", NOMSG},
    {"rfc8166/4/rpc-layout", CALL},
    {"rfc8166/4/xdr-encoded", READS | WRITES | REPLY},
    {"rfc8166/6.1/", READS},
    {"rfc8166/6.3/", PRIVATE},
    {"rfc8166/8.2.2", GSS},
    {"rfc8167/4.3.2/", CALL},
    {"rfc8267/6.1/", READS | CALL}, /* by a chunk, or inline */
    {"rfc8267/6.4.1/no-list-means-inline", CALL},
    {"rfc8267/6.4.1/", WRITES},
    {"rfc8797/5.1/", PRIVATE | NO_PRIVATE},
    {"rfc8797/", PRIVATE},
};

static unsigned features_of_send(const struct rpcrdma_event *event)
{
    struct rpcrdma1_header header;
    struct rpcrdma_prefix prefix = {.procedure = 0};
    ptrdiff_t end = rpcrdma1_header_decode(&header, event->data, event->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    unsigned features = event->length < RPCRDMA1_HEADER_MIN ? SHORT : 0;
    features |= event->length == 1024 ? LARGE : 0;
    if (rpcrdma_prefix_load(&prefix, event->data, event->length) &&
        (prefix.version != RPCRDMA_VERSION_1 || prefix.procedure > RPCRDMA1_ERROR))
        features |= BAD;
    features |= prefix.procedure == RPCRDMA1_ERROR ? ERROR : 0;
    if (lists == NULL)
        return features;
    const uint8_t *rpc = (const uint8_t *)event->data + end;
    size_t length = event->length - (size_t)end;
    features |= header.rdma_body.proc == RPCRDMA1_NOMSG ? NOMSG : 0;
    features |= length >= 40 ? CALL : 0;
    features |= length >= 28 && rpcrdma_xdr_load32(rpc + 24) == 6 ? GSS : 0;
    features |= lists->rdma_reads.count > 0 ? READS : 0;
    features |= lists->rdma_writes.count > 0 ? WRITES : 0;
    return features | (lists->rdma_reply.present ? REPLY : 0);
}

static bool is_own(const struct rpcrdma_event *event)
{
    static const uint8_t own[] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
    return event->length == sizeof own && memcmp(event->data, own, sizeof own) == 0;
}

static unsigned features_of_case(const char *id)
{
    unsigned features = 0, sends = 0;
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        bool announced = false;
        if (strcmp(test->comment, id) != 0)
            continue;
        for (size_t j = 0; j < test->count; j++) {
            const struct rpcrdma_event *event = &test->events[j].event;
            if (event->from != RPCRDMA_CLIENT)
                continue;
            announced = announced || event->type == RPCRDMA_EVENT_PRIVATE_DATA;
            if (event->type == RPCRDMA_EVENT_PRIVATE_DATA && !is_own(event))
                features |= PRIVATE;
            if (event->type == RPCRDMA_EVENT_SEND && ++sends)
                features |= features_of_send(event);
        }
        features |= announced ? 0 : NO_PRIVATE;
    }
    return features | (sends > 8 ? MANY : 0);
}

static bool sends_what_breaks(const char *id, const char *rule)
{
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        for (size_t j = 0; strcmp(test->comment, id) == 0 && j < test->count; j++) {
            const json_t *findings = json_object_get(test->events[j].expect, "findings");
            for (size_t k = 0; k < json_array_size(findings); k++)
                if (test->events[j].event.from == RPCRDMA_CLIENT &&
                    strcmp(vector_text(json_array_get(findings, k), "rule"), rule) == 0)
                    return true;
        }
    }
    return false;
}

static unsigned subject_of(const char *rule)
{
    for (size_t i = 0; i < COUNT(subjects); i++)
        if (strncmp(subjects[i].rule, rule, strlen(subjects[i].rule)) == 0)
            return subjects[i].features;
    return 0;
}

static bool is_recorded(const char *id)
{
    for (size_t i = 0; i < corpus.files[0].count; i++)
        if (strcmp(corpus.files[0].tests[i].comment, id) == 0)
            return true;
    return false;
}

START_TEST(each_case_sends_what_its_rule_is_about)
{
    unsigned broken = 0, others = 0;
    record();
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_int_ne(result->ending, ENDING_NOT_APPLICABLE);
        if (result->rule == NULL || !is_recorded(result->test)) /* above 256 KiB */
            continue;
        if (result->breaks) {
            const char *rule = result->alike.cause ? result->alike.cause : result->rule;
            ck_assert_msg(sends_what_breaks(result->test, rule),
                          "%s is a case that breaks %s, and no Send of it does", result->test,
                          rule);
            broken++;
            continue;
        }
        ck_assert_msg(subject_of(result->rule) != 0,
                      "%s is about %s, of which `subjects` in octets_test.c has no row",
                      result->test, result->rule);
        ck_assert_msg(features_of_case(result->test) & subject_of(result->rule),
                      "%s is about %s, and sends nothing of what its row of `subjects` names",
                      result->test, result->rule);
        others++;
    }
    ck_assert_uint_gt(broken, 150);
    ck_assert_uint_gt(others, 100);
    forget();
}
END_TEST

/* The tables of cases: every id once, and as many as there are of each kind. */
static unsigned count_ids(const struct probe_case *cases, const char *prefix)
{
    unsigned count = 0;
    for (const struct probe_case *it = cases; it->id; it++) {
        count += strncmp(it->id, prefix, strlen(prefix)) == 0;
        for (const struct probe_case *other = cases; other != it; other++)
            ck_assert_str_ne(it->id, other->id);
    }
    return count;
}

START_TEST(each_case_is_there_once)
{
    ck_assert_uint_eq(count_ids(probe_cases, "pull-"), 17);
    ck_assert_uint_eq(count_ids(probe_cases, "push-"), 17);
    ck_assert_uint_eq(count_ids(probe_cases, "long-reply-"), 4);
    ck_assert_uint_eq(count_ids(probe_cases, "long-call-"), 6);
    ck_assert_uint_eq(count_ids(probe_nfs_cases, "nfs-long-write-"), 3);
    ck_assert_uint_eq(count_ids(probe_connection_cases, "private-data-"), 7);
    for (const struct probe_row *row = probe_table; row->id; row++)
        for (const struct probe_row *other = probe_table; other != row; other++)
            ck_assert_str_ne(row->id, other->id);
}
END_TEST

static bool announces(const char *test)
{
    return strstr(test, "private-data") || strstr(test, "reply-beyond-announced-size") ||
           strstr(test, "reply-where-no-invalidation-is-taken");
}

/* Private data of a case are its own: the next one has the Requester's again. */
START_TEST(private_data_are_of_their_case)
{
    record();
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        const struct vector_test *test = &corpus.files[0].tests[i];
        if (!announces(test->comment))
            ck_assert_msg(!(features_of_case(test->comment) & (PRIVATE | NO_PRIVATE)),
                          "%s has other private data", test->comment);
    }
    forget();
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("octets");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_two_cases_send_the_same);
    tcase_add_test(tests, each_case_sends_what_its_rule_is_about);
    tcase_add_test(tests, each_case_is_there_once);
    tcase_add_test(tests, private_data_are_of_their_case);
    return run_tests("octets", tests);
}
