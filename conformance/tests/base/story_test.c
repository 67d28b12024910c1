// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a client can send of a vector by itself: which Sends of which vectors, after what, and which
 * rule that is about.
 */
#include "conformance/run/story.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <string.h>

static struct corpus corpus;

static const struct vector_test *find(const char *id, enum rpcrdma_protocol *protocol)
{
    for (size_t i = 0; i < corpus.count; i++)
        for (size_t k = 0; k < corpus.files[i].count; k++)
            if (strcmp(corpus.files[i].tests[k].id, id) == 0) {
                enum rpcrdma_protocol draft = corpus.files[i].draft;
                *protocol = draft == RPCRDMA_PROTOCOL_AUTO ? RPCRDMA_PROTOCOL_1 : draft;
                return &corpus.files[i].tests[k];
            }
    return NULL;
}

/* clang-format off */
/* Sends of it; 0: none, for its settings, its length, or what else happens in it. */
static const struct row {
    const char *id;
    size_t count;
    bool first, breaks;
    const char *rule;
} rows[] = {
    {"04-done-raises-the-level", 0, false, false, NULL},
    {"04-example-errors", 0, false, false, NULL},
    {"04-nfs-empty-write-chunk-for-read", 0, false, false, NULL},
    {"04-one-handle-for-two-calls", 0, false, false, NULL},
    {"04-reading-credits-of-the-other-direction", 0, false, false, NULL},
    {"04-reverse-before-anything", 0, false, false, NULL},
    {"04-send-of-4100", 0, false, false, NULL},
    {"04-constant-changes", 2, false, true, "rpcrdma2-04/5.3.1/constant-kept"},
    {"04-first-send-of-1028", 1, true, true, "rpcrdma2-04/7/first-send-of-1024"},
    {"04-first-send-of-24", 1, true, true, "rpcrdma2-04/7/first-send-of-28"},
    {"04-later-version-executed", 1, false, true, "rfc8166/4.2.2/version-one"},
    {"04-left-out-changes", 2, false, true, "rpcrdma2-04/5.3.1/left-out-kept"},
    {"04-level-fell-before", 1, false, false, NULL},
    {"04-other-memory-refused", 1, false, false, NULL},
    {"04-returned-segment-stays-in-address-space", 1, false, true, "rfc8166/3.4.3/segment-within-address-space"},
    {"04-size-grows-at-once", 1, false, false, NULL},
    {"04-size-shrinks", 2, false, true, "rpcrdma2-04/5.2.1/size-shrinks-unasked"},
    {"04-unknown-property-first", 1, false, false, "rpcrdma2-04/5.1.1/value-form"},
    {"07-bad-value-of-the-unknown", 0, false, false, NULL},
    {"07-credits-off", 0, false, false, NULL},
    {"07-error-in-another-version", 0, false, false, NULL},
    {"07-example-continued", 0, false, false, NULL},
    {"07-final-of-4096", 0, false, false, NULL},
    {"07-goes-on-outside-the-range", 0, false, false, NULL},
    {"07-halves-agreed", 0, false, false, NULL},
    {"07-limit-wraps-and-is-exceeded", 0, false, false, NULL},
    {"07-nfs-callback-inline", 0, false, false, NULL},
    {"07-offered-and-registered", 0, false, false, NULL},
    {"07-same-xid-is-no-answer", 0, false, false, NULL},
    {"07-server-first", 0, false, false, NULL},
    {"07-authentication-in-two-rounds", 1, false, false, "rpcrdma2-07/5.1/value-form"},
    {"07-error-bad-xdr", 1, false, true, "rpcrdma2-07/7.2/xdr-encoded"},
    {"07-error-inval-htype", 1, false, true, "rpcrdma2-07/6.1/type-defined"},
    {"07-external-after-middle", 2, false, true, "rpcrdma2-07/6.3.6/call-continues"},
    {"07-final-only", 1, false, false, "rpcrdma2-07/5.1/value-form"},
    {"07-first-piece-xid-differs", 2, false, true, "rpcrdma2-07/7.2/xid-equal"},
    {"07-first-send-is-piece", 1, true, true, "rpcrdma2-07/4.3/first-send-is-piece"},
    {"07-first-send-of-1028", 1, true, true, "rpcrdma2-07/4.3/first-send-of-1024"},
    {"07-first-send-of-20", 1, true, true, "rpcrdma2-07/4.3/first-send-of-28"},
    {"07-four-pieces", 4, false, false, "rpcrdma2-07/6.3.6/call-remaining"},
    {"07-odd-cut", 2, false, false, "rpcrdma2-07/4.5.3/payload-whole-words"},
    {"07-piece-of-one-octet-at-last", 2, false, false, "rpcrdma2-07/6.3.6/call-remaining"},
    {"07-pieces-of-a-word", 10, false, false, "rpcrdma2-07/6.3.6/call-remaining"},
    {"07-positions-in-the-whole", 2, false, false, "rpcrdma2-07/4.5.1/position-in-bounds"},
    {"07-refusal-of-nothing", 1, false, false, NULL},
    {"07-reply-chunk-segment-left-out", 1, false, false, NULL},
    {"07-two-finals", 2, false, true, "rpcrdma2-07/6.3.4/nothing-after-final"},
    {"07-xid-zero", 1, false, false, "rpcrdma2-07/7.2/xid-equal"},
    {"call-above-agreed-threshold", 0, false, false, NULL},
    {"call-again-below-lowered-grant", 0, false, false, NULL},
    {"call-that-invalidates", 0, false, false, NULL},
    {"long-call-of-server-with-same-xid", 0, false, false, NULL},
    {"nfs41-read-inline", 0, false, false, NULL},
    {"private-data-with-tail", 0, false, false, NULL},
    {"reading-reply-that-fits-without-its-header", 0, false, false, NULL},
    {"registered-before-the-beginning", 0, false, false, NULL},
    {"reverse-call-with-message-type-of-two", 0, false, false, NULL},
    {"version-range-just-above-failed-version", 0, false, false, NULL},
    {"xprtrdma-all-lists-push-over-threshold", 0, false, false, NULL},
    {"credential-of-unaligned-length", 1, false, false, "rfc8166/4/rpc-layout"},
    {"offered-to-be-read-registered-to-be-written", 1, false, true, "rfc8166/3.4.5/memory-registered"},
    {"position-at-end-of-position-zero-chunk", 1, false, false, "rfc8166/3.4.4.4/chunks-overlap"},
    {"reading-grant-above-request", 1, false, false, NULL},
    {"reading-requester-drops-reply-with-read-list", 1, false, false, NULL},
    {"replies-grant-one-credit", 1, false, false, "rfc8166/3.3.1/request-of-zero"},
    {"returned-and-never-written", 1, false, false, NULL},
    {"runt-of-3-octets", 1, false, true, "rfc8166/4.5/minimal-header"},
    {"svcrdma-procedure-seven", 1, false, true, "rfc8166/4.5.2/procedure-defined"},
    {"svcrdma-read-chunk-ends-on-page-256", 1, false, false, NULL},
    {"long-reply-of-20-octets", 1, false, false, NULL},
    {"04-send-of-4096", 1, false, false, NULL},
    {"svcrdma-getattr-reply-of-1100-octets", 0, false, false, NULL},
    {"reverse-reply-of-version-three", 0, false, false, NULL},
    {"07-unread-between-pieces", 2, false, true, "rpcrdma2-07/7.2/xdr-encoded"},
    {"gss-token-inline", 1, false, false, "rfc8166/8.2.2/gss-elements-not-reduced"},
    {"07-client-refuses-continuation", 2, false, false, NULL},
    {"no-buffer-for-second-reply", 1, false, false, NULL},
    {"err-vers-answers-version-two", 0, false, false, NULL},
};
/* clang-format on */

START_TEST(of_a_vector)
{
    const struct row *row = &rows[_i];
    enum rpcrdma_protocol protocol = RPCRDMA_PROTOCOL_AUTO;
    const struct vector_test *test = find(row->id, &protocol);
    struct story story;
    ck_assert_msg(test != NULL, "no vector %s", row->id);
    ck_assert_msg(story_of(test, protocol, &story) == (row->count > 0), "%s", row->id);
    if (row->count == 0)
        return;
    ck_assert_uint_eq(story.count, row->count);
    ck_assert_int_eq(story.first, row->first);
    ck_assert_int_eq(story.breaks, row->breaks);
    ck_assert_pstr_eq(story.rule, row->rule);
}
END_TEST

static bool is_sent(const struct vector_event *event)
{
    return event->event.type == RPCRDMA_EVENT_SEND && event->event.from == RPCRDMA_CLIENT;
}

static bool is_broken(const struct vector_event *event)
{
    return json_array_size(json_object_get(event->expect, "findings")) > 0;
}

/* The last that breaks a rule, or else the last. */
static size_t subject_of(const struct vector_test *test)
{
    size_t last = 0, broken = test->count;
    for (size_t i = 0; i < test->count; i++)
        if (is_sent(&test->events[i])) {
            last = i;
            broken = is_broken(&test->events[i]) ? i : broken;
        }
    return broken < test->count ? broken : last;
}

/* Of all vectors: they are Sends of the client, one after the other, up to the one that it is
 * about. */
static unsigned look_at(const struct vector_test *test, enum rpcrdma_protocol protocol)
{
    struct story story;
    if (!story_of(test, protocol, &story))
        return 0;
    size_t at = subject_of(test);
    for (size_t i = story.count; i-- > 0; at--) {
        while (!is_sent(&test->events[at]))
            at--;
        ck_assert_msg(story.sends[i] == &test->events[at], "%s: %zu", test->id, i);
        ck_assert(!story.sends[i]->event.invalidate && story.sends[i]->event.length <= 4096);
    }
    ck_assert(protocol != RPCRDMA_PROTOCOL_1 || (story.count == 1 && !story.first));
    return 1;
}

START_TEST(of_all_vectors)
{
    unsigned found = 0, all = 0;
    for (size_t i = 0; i < corpus.count; i++)
        for (size_t k = 0; k < corpus.files[i].count; k++, all++)
            found +=
                look_at(&corpus.files[i].tests[k], corpus.files[i].draft == RPCRDMA_PROTOCOL_AUTO
                                                       ? RPCRDMA_PROTOCOL_1
                                                       : corpus.files[i].draft);
    ck_assert_msg(3 * found > 2 * all - 100 && 4 * found < 3 * all, "%u of %u", found, all);
}
END_TEST

/* Memory is bounded for all files together: each takes some of it. */
START_TEST(files_take_memory)
{
    struct corpus files = {0};
    corpus_add(&files, "vectors/thresholds.json");
    size_t one = files.taken;
    corpus_add(&files, "vectors/message.json");
    size_t two = files.taken - one;
    corpus_add(&files, "vectors/thresholds.json");
    ck_assert(one > 0 && two > 0 && files.taken == 2 * one + two);
    corpus_free(&files);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("stories");
    corpus_add(&corpus, "vectors");
    tcase_add_loop_test(tests, of_a_vector, 0, COUNT(rows));
    tcase_add_test(tests, of_all_vectors);
    tcase_add_test(tests, files_take_memory);
    return run_tests("stories", tests);
}
