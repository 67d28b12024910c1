// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a client can send of a vector by itself: which Sends of which vectors, after what, and which
 * rule that is about; and how the answer of a testee ends a question.
 */
#include "conformance/run/story.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/report/results/tolerance.h"
#include "conformance/run/testee/judge.h"
#include "conformance/run/testee/opening.h"
#include "conformance/run/vector_schema.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
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

/* ---- how an answer ends a question ---- */

static size_t put_words(uint8_t *octets, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return 4 * count;
}

/* clang-format off */
static const uint32_t plain_words[] = {7, 1, 32, 0, 0, 0, 0, 7, 0, 2, 100003, 3, 0, 0, 0, 0, 0},
    read_words[] = {7, 1, 32, 0, 1, 40, 0xa, 4, 1, 2, 0, 0, 0, 7, 0, 2, 100003, 3, 0, 0, 0, 0, 0},
    later_words[] = {7, 2, 32, 0, 0, 0, 0};
enum { R = TESTEE_RESPONDER, Q = TESTEE_REQUESTER, C = TESTEE_CODEC };
enum { V1 = RPCRDMA_PROTOCOL_AUTO, V07 = RPCRDMA_PROTOCOL_2_07 };
enum { PIECE = 1, FIRST_WORD = 2, IS_ERROR = 4, READS = 8, LATER = 16 };
#define PROCESS RPCRDMA_PROCESS
#define DISCARD RPCRDMA_DISCARD
#define CHUNK RPCRDMA_ERR_CHUNK
#define XDR RPCRDMA_ERR_BAD_XDR
#define CHUNK_OF "error 0000000700000001000000200000000400000002"
#define VERS_OF "error 00000007000000020000002000000004000000010000000100000001"

static const struct {
    int role, draft, more;
    unsigned reactions, tolerated;
    const char *line;
    enum ending ending;
    const char *word; /* for lists of expected failures */
} answers[] = {
    {R, V1, 0, PROCESS, 0, "accept", ENDING_REQUIRED, "accept"},
    {R, V1, 0, PROCESS, 0, "accept 28", ENDING_REQUIRED, "accept"},
    {R, V1, 0, PROCESS, 0, "accept 32", ENDING_WRONG, "accept-length"},
    {R, V1, 0, PROCESS, 0, "accept 24", ENDING_WRONG, "accept-length"},
    {R, V1, 0, PROCESS, 0, "accept 28 xid=7 proc=0", ENDING_REQUIRED, "accept"},
    {R, V1, 0, PROCESS, 0, "accept 28 xid=7 proc=1", ENDING_WRONG, "accept-fields"},
    {R, V1, 0, PROCESS, 0, "discard", ENDING_WRONG, "discard"},
    {R, V1, 0, PROCESS, 0, "refuse", ENDING_WRONG, "refuse"},
    {R, V1, 0, PROCESS, 0, "error err-vers", ENDING_WRONG, "err-vers"},
    {R, V1, 0, PROCESS, 0, "close", ENDING_WRONG, "close"},
    {R, V1, 0, PROCESS, 0, "fail", ENDING_WRONG, "fail"},
    {R, V1, 0, PROCESS, 0, "limit", ENDING_WRONG, "limit"},
    {R, V1, READS, PROCESS, 0, "limit", ENDING_LIMIT, "limit"},
    {R, V1, 0, PROCESS, 0, "unsupported", ENDING_NOT_APPLICABLE, NULL},
    {R, V1, PIECE, PROCESS, 0, "more", ENDING_GARBLED, "more"},
    {R, V1, 0, PROCESS, 0, "ok", ENDING_GARBLED, NULL},
    {R, V1, 0, PROCESS, DISCARD, "discard", ENDING_TOLERATED, "discard"},
    {R, V1, 0, PROCESS, DISCARD, "refuse", ENDING_TOLERATED, "refuse"},
    {R, V1, 0, PROCESS, DISCARD, "close", ENDING_CLOSED, "close"},
    {R, V1, 0, PROCESS, CHUNK | RPCRDMA_CLOSE, "close", ENDING_TOLERATED, "close"},
    {R, V1, 0, PROCESS, CHUNK, "error err-chunk", ENDING_TOLERATED, "err-chunk"},
    {R, V1, 0, PROCESS, CHUNK, CHUNK_OF, ENDING_TOLERATED, "err-chunk"},
    {R, V1, 0, DISCARD, 0, "accept", ENDING_WRONG, "accept"},
    {R, V1, 0, DISCARD, PROCESS, "accept", ENDING_TOLERATED, "accept"},
    {R, V1, 0, DISCARD, 0, "discard", ENDING_REQUIRED, "discard"},
    {R, V1, 0, DISCARD, 0, "refuse", ENDING_REQUIRED, "refuse"},
    {R, V1, 0, DISCARD, 0, "close", ENDING_CLOSED, "close"},
    {R, V1, 0, DISCARD, 0, "fail", ENDING_WRONG, "fail"},
    {R, V1, READS, DISCARD, 0, "limit", ENDING_REQUIRED, "limit"},
    {R, V1, 0, DISCARD, 0, "error err-chunk", ENDING_WRONG, "err-chunk"},
    {R, V1, 0, RPCRDMA_ERR_VERS, 0, "error err-vers", ENDING_REQUIRED, "err-vers"},
    {R, V1, 0, RPCRDMA_ERR_VERS, 0, "error err-chunk", ENDING_WRONG, "err-chunk"},
    {R, V1, 0, RPCRDMA_ERR_VERS, 0, "discard", ENDING_WRONG, "discard"},
    {R, V1, 0, CHUNK, 0, "error err-chunk", ENDING_REQUIRED, "err-chunk"},
    {R, V1, 0, CHUNK, 0, "error err-vers", ENDING_WRONG, "err-vers"},
    {R, V1, 0, CHUNK, 0, CHUNK_OF, ENDING_REQUIRED, "err-chunk"},
    {R, V1, 0, RPCRDMA_ERR_VERS, 0, CHUNK_OF, ENDING_WRONG, "err-chunk"},
    {R, V1, LATER, RPCRDMA_ERR_VERS, 0, VERS_OF, ENDING_REQUIRED, "err-vers"},
    {R, V1, LATER, DISCARD, 0, VERS_OF, ENDING_WRONG, "err-vers"},
    {R, V1, 0, CHUNK, 0, "error 0000000800000001000000200000000400000002", ENDING_WRONG, "error"},
    {R, V1, 0, CHUNK, 0, "error 0000000700000001000000000000000400000002", ENDING_WRONG, "error"},
    {R, V1, 0, CHUNK, 0, "error 000000070000000100000020000000040000", ENDING_WRONG, "error"},
    {R, V1, 0, RPCRDMA_GARBAGE_ARGS, 0, "accept", ENDING_REQUIRED, "accept"},
    {R, V1, 0, RPCRDMA_GARBAGE_ARGS, 0, "fail", ENDING_REQUIRED, "fail"},
    {Q, V1, 0, RPCRDMA_GARBAGE_ARGS, 0, "fail", ENDING_WRONG, "fail"},
    {Q, V1, 0, RPCRDMA_TERMINATE, 0, "fail", ENDING_REQUIRED, "fail"},
    {R, V1, 0, RPCRDMA_TERMINATE, 0, "fail", ENDING_WRONG, "fail"},
    {Q, V1, 0, RPCRDMA_TERMINATE, 0, "accept", ENDING_REQUIRED, "accept"},
    {Q, V1, 0, PROCESS, 0, "fail", ENDING_WRONG, "fail"},
    {Q, V1, IS_ERROR, PROCESS, 0, "fail", ENDING_REQUIRED, "fail"},
    {Q, V1, IS_ERROR, PROCESS, 0, "discard", ENDING_WRONG, "discard"},
    {R, V1, 0, RPCRDMA_CLOSE, 0, "close", ENDING_REQUIRED, "close"},
    {R, V1, 0, RPCRDMA_CLOSE, 0, "refuse", ENDING_REQUIRED, "refuse"},
    {R, V1, 0, RPCRDMA_CLOSE, 0, "discard", ENDING_WRONG, "discard"},
    {C, V1, 0, DISCARD, 0, "error err-vers", ENDING_REQUIRED, "err-vers"},
    {C, V1, 0, DISCARD, 0, "close", ENDING_REQUIRED, "close"},
    {C, V1, 0, DISCARD, 0, "accept", ENDING_WRONG, "accept"},
    {C, V1, 0, PROCESS, 0, "refuse", ENDING_WRONG, "refuse"},
    {C, V1, 0, PROCESS, 0, "accept 28", ENDING_REQUIRED, "accept"},
    {R, V07, 0, XDR, 0, "error err-bad-xdr", ENDING_REQUIRED, "err-bad-xdr"},
    {R, V07, 0, XDR, 0, "error err-chunk", ENDING_REQUIRED, "err-chunk"},
    {R, V1, 0, CHUNK, 0, "error err-bad-xdr", ENDING_REQUIRED, "err-bad-xdr"},
    {R, V07, 0, RPCRDMA_ERR_INVAL_CONT, 0, "error err-inval-htype", ENDING_WRONG, "err-inval-htype"},
    {R, V07, PIECE, PROCESS, 0, "more", ENDING_REQUIRED, "more"},
    {R, V07, PIECE, DISCARD, PROCESS, "more", ENDING_TOLERATED, "more"},
    {R, V07, PIECE, DISCARD, 0, "more", ENDING_WRONG, "more"},
    {R, V07, 0, PROCESS, 0, "more", ENDING_WRONG, "more"},
    {R, V07, FIRST_WORD, PROCESS, 0, "accept 32", ENDING_REQUIRED, "accept"},
    {R, V07, FIRST_WORD, PROCESS, 0, "accept 28", ENDING_REQUIRED, "accept"},
    {R, V07, FIRST_WORD, PROCESS, 0, "accept 36", ENDING_WRONG, "accept-length"},
    {R, V07, FIRST_WORD, PROCESS, 0, "accept 24", ENDING_WRONG, "accept-length"},
    {R, V07, 0, PROCESS, 0, "accept 32", ENDING_WRONG, "accept-length"},
};
/* clang-format on */

START_TEST(an_answer_ends_a_question)
{
    bool reads = answers[_i].more & READS, later = answers[_i].more & LATER;
    uint8_t octets[sizeof read_words];
    size_t length = reads   ? put_words(octets, read_words, COUNT(read_words))
                    : later ? put_words(octets, later_words, COUNT(later_words))
                            : put_words(octets, plain_words, COUNT(plain_words));
    const struct question question = {.role = (enum testee_role)answers[_i].role,
                                      .octets = octets,
                                      .length = length,
                                      .reactions = answers[_i].reactions,
                                      .tolerated = answers[_i].tolerated,
                                      .header_length = 28,
                                      .draft = (enum rpcrdma_protocol)answers[_i].draft,
                                      .is_piece = answers[_i].more & PIECE,
                                      .has_first_word = answers[_i].more & FIRST_WORD,
                                      .is_error = answers[_i].more & IS_ERROR};
    struct testee_answer answer = {0};
    struct alloc_stream stream;
    ck_assert_msg(testee_parse(answers[_i].line, &answer), "%s", answers[_i].line);
    alloc_begin(&stream);
    struct judge_words words = {.why = stream.out, .got = stream.out, .fault = stream.out};
    enum ending ending = judge_answer(&question, &answer, &words);
    ck_assert_msg(ending == answers[_i].ending, "row %d, %s: %s, not %s", _i, answers[_i].line,
                  ending_names[ending], ending_names[answers[_i].ending]);
    if (answers[_i].word)
        ck_assert_str_eq(words.answer, answers[_i].word);
    free(alloc_end(&stream));
}
END_TEST

/* What is no answer. */
START_TEST(an_end_is_told_apart)
{
    static const struct {
        enum testee_said said;
        enum ending ending;
    } ends[] = {{TESTEE_CLOSED, ENDING_CLOSED},
                {TESTEE_CRASHED, ENDING_CRASHED},
                {TESTEE_STALLED, ENDING_STALLED},
                {TESTEE_GARBLED, ENDING_GARBLED},
                {TESTEE_EARLY, ENDING_EARLY}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        const struct testee_answer answer = {.said = ends[i].said, .fields = "", .text = "x"};
        const struct question question = {.reactions = DISCARD};
        struct alloc_stream stream;
        alloc_begin(&stream);
        struct judge_words words = {.why = stream.out, .got = stream.out, .fault = stream.out};
        ck_assert_int_eq(judge_answer(&question, &answer, &words), ends[i].ending);
        ck_assert(!testee_refuses(&answer));
        char *text = alloc_end(&stream);
        ck_assert_str_eq(text, "x");
        free(text);
    }
}
END_TEST

START_TEST(what_is_wanted_is_said)
{
    static const struct {
        int role;
        int64_t length;
        unsigned reactions, tolerated;
        bool with_length;
        const char *said;
    } cases[] = {
        {R, 28, PROCESS, 0, true, "accept 28"},
        {R, 28, PROCESS, 0, false, "accept"},
        {R, -1, PROCESS, 0, true, "accept"},
        {R, 0, PROCESS, 0, true, "accept 0"},
        {R, 28, PROCESS | DISCARD, 0, true, "accept 28 or discard"},
        {R, 28, DISCARD | CHUNK | RPCRDMA_ERR_VERS, 0, true,
         "discard or error err-vers or error err-chunk"},
        {Q, 28, RPCRDMA_TERMINATE, 0, true, "accept 28"},
        {R, 28, RPCRDMA_GARBAGE_ARGS | RPCRDMA_CLOSE, 0, true, "accept 28 or close"},
        {R, 28, PROCESS, DISCARD | RPCRDMA_CLOSE, true, "accept 28 (tolerated: discard or close)"},
        {R, 28, PROCESS | DISCARD, DISCARD, true, "accept 28 or discard"},
        {R, 28, DISCARD, PROCESS, true, "discard"},
        {R, 28, DISCARD, CHUNK, true, "discard"},
        {C, -1, DISCARD, 0, true, "refuse"},
        {C, 28, PROCESS, 0, true, "accept 28"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct question question = {.role = (enum testee_role)cases[i].role,
                                          .header_length = cases[i].length,
                                          .reactions = cases[i].reactions,
                                          .tolerated = cases[i].tolerated};
        struct alloc_stream stream;
        alloc_begin(&stream);
        judge_print_wanted(stream.out, &question, cases[i].with_length);
        char *said = alloc_end(&stream);
        ck_assert_str_eq(said, cases[i].said);
        free(said);
    }
}
END_TEST

/* ---- limits of a testee ---- */

/* Read chunks of 30 and 5 octets, of two segments and one; two Write chunks, of three and one; a
 * Reply chunk of four. */
static const uint32_t all_words[] = {7, 1,  32,  0, 1, 0, 0xa, 10, 0, 0,  1,  0, 0xa, 20, 0,  0,
                                     1, 8,  0xa, 5, 0, 0, 0,   1,  3, 11, 1,  0, 0,   11, 2,  0,
                                     0, 11, 3,   0, 0, 1, 1,   12, 4, 0,  0,  0, 1,   4,  13, 1,
                                     0, 0,  13,  1, 0, 0, 13,  1,  0, 0,  13, 1, 0,   0};

START_TEST(limits_are_what_they_say)
{
    static const struct {
        struct tolerance limits;
        bool of_call, of_reply;
    } cases[] = {
        {{.max_read = UINT64_MAX, .offers = 3}, false, false},
        {{.max_read = 35, .offers = 3}, false, false},
        {{.max_read = 34, .offers = 3}, true, false},
        {{.max_read = UINT64_MAX, .max_segments = 11, .offers = 3}, false, false},
        {{.max_read = UINT64_MAX, .max_segments = 10, .offers = 3}, true, true},
        {{.max_read = UINT64_MAX, .max_chunk_segments = 4, .offers = 3}, false, false},
        {{.max_read = UINT64_MAX, .max_chunk_segments = 3, .offers = 3}, true, true},
        {{.max_read = UINT64_MAX, .max_read_chunks = 2, .offers = 3}, false, false},
        {{.max_read = UINT64_MAX, .max_read_chunks = 1, .offers = 3}, true, true},
        {{.max_read = UINT64_MAX, .max_write_chunks = 2, .offers = 3}, false, false},
        {{.max_read = UINT64_MAX, .max_write_chunks = 1, .offers = 3}, true, true},
        {{.max_read = UINT64_MAX, .offers = OFFERS_WRITE_CHUNKS}, false, true},
        {{.max_read = UINT64_MAX, .offers = OFFERS_WRITE_AND_REPLY}, false, true},
    };
    uint8_t octets[sizeof all_words];
    size_t length = put_words(octets, all_words, COUNT(all_words));
    const struct rpcrdma_judgement judgement = {.header_length = -1};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(tolerance_reactions(&cases[i].limits, &judgement, octets, length, false) ==
                          (cases[i].of_call ? (unsigned)(CHUNK | RPCRDMA_CLOSE) : 0),
                      "row %zu", i);
        ck_assert_msg(
            tolerance_reactions(&cases[i].limits, &judgement, octets, length, true) ==
                (cases[i].of_reply ? (unsigned)(DISCARD | RPCRDMA_TERMINATE | RPCRDMA_CLOSE) : 0),
            "row %zu", i);
    }
}
END_TEST

START_TEST(what_can_be_beyond_a_limit)
{
    static const struct {
        uint32_t words[24];
        size_t count;
        bool has;
    } cases[] = {
        {{7, 1, 32, 0, 0, 0, 0}, 7, false},
        {{7, 1, 32, 0, 1, 0, 10, 0, 0, 0, 0, 0, 0}, 13, true}, /* a Read list */
        {{7, 1, 32, 0, 0, 1, 1, 11, 0, 0, 0, 0, 0}, 13, false},
        {{7, 1, 32, 0, 0, 1, 1, 11, 1, 0, 0, 0, 0}, 13, true},              /* octets */
        {{7, 1, 32, 0, 0, 1, 2, 11, 0, 0, 0, 11, 0, 0, 0, 0, 0}, 17, true}, /* segments */
        {{7, 1, 32, 0, 0, 1, 0, 1, 0, 0, 0}, 11, true},                     /* two Write chunks */
        {{7, 1, 32, 0, 0, 1, 0, 0, 0}, 9, false},
        {{7, 1, 32, 0, 0, 1, 0, 0, 1, 0}, 10, true}, /* and a Reply chunk */
        {{7, 1, 32, 0, 0, 0, 1, 0}, 8, false},
        {{7, 1, 32, 0, 0, 0, 1, 1, 11, 1, 0, 0}, 12, true},
        {{7, 1, 32, 0, 0, 0, 1, 1, 11, 1, 0}, 11, false}, /* cut off */
        {{7, 1, 32, 4, 2}, 5, false},
    };
    uint8_t octets[sizeof cases[0].words];
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t length = put_words(octets, cases[i].words, cases[i].count);
        ck_assert_msg(tolerance_has_amounts(RPCRDMA_PROTOCOL_1, octets, length) == cases[i].has,
                      "row %zu", i);
    }
    const struct tolerance speaks = {.versions = UINT64_C(1) << 63 | 1 << 2};
    ck_assert(tolerance_speaks(&speaks, 2) && tolerance_speaks(&speaks, 63));
    ck_assert(!tolerance_speaks(&speaks, 1) && !tolerance_speaks(&speaks, 64));
}
END_TEST

START_TEST(openings_are_good_calls)
{
    for (enum rpcrdma_protocol draft = RPCRDMA_PROTOCOL_1; draft <= RPCRDMA_PROTOCOL_2_07; draft++)
        for (uint32_t seed = 0; seed < 200; seed++) {
            struct opening opening;
            struct rpcrdma_message message;
            const struct rpcrdma_judgement none = {0};
            struct tolerance limits = {.max_segments = seed % 9, .max_chunk_segments = seed % 4};
            if (draft == RPCRDMA_PROTOCOL_1)
                opening_make(&opening, seed, &limits);
            else
                opening_make2(&opening, draft, seed);
            ptrdiff_t header =
                rpcrdma_message_decode(&message, draft, opening.octets, opening.length, NULL);
            ck_assert_int_eq(header, (ptrdiff_t)opening.header_length);
            ck_assert_uint_eq(opening.length, opening.header_length + 40);
            const uint8_t *rpc = opening.octets + header;
            ck_assert_uint_eq(rpcrdma_xdr_load32(rpc), message.prefix.xid);
            ck_assert(rpcrdma_xdr_load32(rpc + 4) == 0 && rpcrdma_xdr_load32(rpc + 12) == 100003);
            ck_assert(message.kind == RPCRDMA_KIND_RPC && message.prefix.credit >= 1 &&
                      message.prefix.credit <= 1024 && message.chunks.rdma_reads.count == 0);
            bool has_chunks = draft == RPCRDMA_PROTOCOL_1;
            ck_assert(message.chunks.rdma_writes.count == has_chunks &&
                      message.chunks.rdma_reply.present ==
                          (has_chunks && limits.max_segments != 1));
            ck_assert(!(tolerance_reactions(&limits, &none, opening.octets, opening.length, false) &
                        RPCRDMA_ERR_CHUNK));
        }
}
END_TEST

/* clang-format off */
#define END ",\"disconnect\":true"
#define MEMORY(what, word, offset, length) ",\"" what "\":{" word "\"handle\":7,\"offset\":\"" offset "\"" length "}"
#define FINDING(more) END ",\"expect\":{\"findings\":[{\"rule\":\"rfc8166/4/x\"" more "}]}"
static const struct {
    const char *test, *event;
    unsigned faults;
} shapes[] = {
    {"", END, 0},
    {"", ",\"disconnect\":false", 1},
    {",\"settings\":{\"midStream\":true,\"maxReadChunk\":1,\"serverToClientInline\":1024,\"registrations\":\"both\"}", END, 0},
    {",\"settings\":{\"midStream\":1}", END, 1},
    {",\"settings\":{\"maxReadChunk\":0}", END, 1},
    {",\"settings\":{\"serverToClientInline\":1023,\"ulb\":\"nfs4\"}", END, 2},
    {",\"settings\":{\"registrations\":\"none\"}", END, 1},
    {",\"settings\":{\"told\":{\"server\":{\"brs\":\"1\"}}}", END, 1},
    {",\"flags\":[\"a\",\"b\",\"a\"]", END, 1},
    {",\"nearMiss\":[]", END, 1},
    {",\"nearMiss\":[\"rfc8166/4.5/x-y\",\"rfc8166/A.1/x\"]", END, 0},
    {",\"nearMiss\":[\"rfc8166/4.5/x-\"]", END, 1},
    {",\"nearMiss\":[\"rfc8166/4.5.x/x\"]", END, 1},
    {"", "", 1},
    {"", END ",\"gap\":\"x\"", 1},
    {"", ",\"notReady\":3", 0},
    {"", ",\"notReady\":\"3\"", 1},
    {"", ",\"send\":\"00 0f\\n00\"", 0},
    {"", ",\"send\":\" 00\"", 1},
    {"", ",\"send\":\"0F\"", 1},
    {"", ",\"send\":\"00 0\"", 1},
    {"", ",\"send\":\"00\\t00\"", 1},
    {"", MEMORY("rdmaRead", "", "0x0123456789abcdef", ",\"data\":\"00\""), 0},
    {"", MEMORY("rdmaRead", "", "0x00123456789abcdef", ",\"data\":\"00\""), 1},
    {"", MEMORY("rdmaWrite", "", "0x1", ""), 1},
    {"", MEMORY("registered", "\"access\":\"both\",", "0x1", ",\"length\":1"), 0},
    {"", MEMORY("registered", "\"access\":\"both\",", "0x1", ",\"length\":0"), 1},
    {"", MEMORY("refused", "\"operation\":\"write\",", "0x1", ",\"length\":1"), 0},
    {"", MEMORY("refused", "\"operation\":\"atomic\",", "0x1", ",\"length\":1"), 1},
    {"", FINDING(",\"severity\":\"note\",\"offset\":0"), 0},
    {"", FINDING(",\"severity\":\"note\",\"offset\":1.5"), 1},
    {"", FINDING(",\"severity\":\"error\""), 1},
    {"", FINDING(",\"text\":1"), 2},
};
/* clang-format on */

static void count_fault(void *arg, const char *where, const char *what)
{
    ck_assert(where[0] != '\0' && what[0] != '\0');
    ++*(unsigned *)arg;
}

START_TEST(shapes_of_vectors)
{
    char text[1024];
    unsigned told = 0;
    snprintf(
        text, sizeof text,
        "{\"schema\":\"rpcrdma-vectors-v1\",\"protocol\":\"rpcrdma1\",\"title\":\"t\",\"tests\":"
        "[{\"id\":\"a\",\"comment\":\"c\"%s,\"events\":[{\"from\":\"client\"%s}]}]}",
        shapes[_i].test, shapes[_i].event);
    json_t *root = json_loads(text, 0, NULL);
    ck_assert_msg(root != NULL, "%s", text);
    const struct vector_schema schema = {.fault = count_fault, .arg = &told};
    ck_assert_msg(vector_schema_check(&schema, root) == shapes[_i].faults, "%u faults in %s", told,
                  text);
    ck_assert_uint_eq(told, shapes[_i].faults);
    json_decref(root);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("stories");
    corpus_add(&corpus, "vectors");
    tcase_add_loop_test(tests, of_a_vector, 0, COUNT(rows));
    tcase_add_test(tests, of_all_vectors);
    tcase_add_test(tests, files_take_memory);
    tcase_add_loop_test(tests, an_answer_ends_a_question, 0, COUNT(answers));
    tcase_add_test(tests, an_end_is_told_apart);
    tcase_add_test(tests, what_is_wanted_is_said);
    tcase_add_test(tests, limits_are_what_they_say);
    tcase_add_test(tests, what_can_be_beyond_a_limit);
    tcase_add_test(tests, openings_are_good_calls);
    tcase_add_loop_test(tests, shapes_of_vectors, 0, COUNT(shapes));
    return run_tests("stories", tests);
}
