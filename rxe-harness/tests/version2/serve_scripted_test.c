// SPDX-License-Identifier: BSD-3-Clause
/*
 * Requesters of version 2 that connect to `serve --draft` one after the other: who they are is a
 * script of octets that shares nothing with our session.
 */
#include "rxe-harness/serve/version2/serve.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 4, CREDITS = 90, PATIENCE = 2000 };

enum manner {
    TOLERATES, /* drops what is unexpected */
    OFFENDED,  /* leaves at what is unexpected */
    OBJECTS,   /* answers it by an error that is not open to it */
    IN_TWO,    /* sends each of its Calls in two pieces (-07) */
    WAITS,     /* for credits (-07), but leaves after PATIENCE; its first Send is of properties */
};

static enum rpcrdma_protocol draft;
static enum manner manner;
static unsigned connections; /* that are still to come */
static unsigned open;

struct scripted {
    struct link link; /* first */
    uint32_t xid, objected;
    unsigned made, sent, received;
    uint32_t granted; /* -07: it may send so much in all */
    bool waiting, halved, objects, gone;
    uint8_t octets[128];
};

static struct scripted *scripted_of(struct link *link)
{
    return (struct scripted *)link;
}

/* A Send of the Responder's. */
static bool take(struct link *link, const void *sent, size_t length, const uint32_t *invalidate)
{
    struct scripted *own = scripted_of(link);
    bool is_04 = draft == RPCRDMA_PROTOCOL_2_04;
    uint32_t words[8] = {0};
    (void)invalidate;
    own->received++;
    for (size_t i = 0; i < 8 && 4 * i + 4 <= length; i++)
        words[i] = rpcrdma_xdr_load32((const uint8_t *)sent + 4 * i);
    bool is_grant = !is_04 && words[3] == 5;
    own->granted = words[2];
    bool is_reply = own->waiting && words[1] == 2 && words[0] == own->xid &&
                    (is_04 ? words[3] == 0 && words[4] == 1 && length == 60
                           : words[3] == 13 && words[4] == 0 && words[5] == own->xid);
    if (is_reply)
        own->waiting = false;
    else if (manner == OFFENDED && !is_grant)
        own->gone = true;
    else if (manner == OBJECTS && !is_grant)
        own->objects = true;
    own->objected = words[0];
    return !own->gone;
}

static void put(struct scripted *own, const uint32_t *words, size_t count, struct link_event *event)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(own->octets + 4 * i, words[i]);
    uint32_t credit = draft == RPCRDMA_PROTOCOL_2_04 ? CREDITS : own->received + CREDITS;
    own->sent++;
    rpcrdma_xdr_store32(own->octets + 8, credit);
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = own->octets, .length = 4 * count};
}

static void speak(struct link *link, unsigned timeout, struct link_event *event)
{
    struct scripted *own = scripted_of(link);
    bool starves = manner == WAITS && own->sent >= own->granted;
    own->gone = own->gone || (starves && timeout > PATIENCE);
    *event = (struct link_event){.type = own->gone ? LINK_CLOSED : LINK_NOTHING};
    if (own->gone || starves)
        return;
    if (manner == WAITS && own->sent == 0) {
        const uint32_t properties[] = {0, 2, 0, 7, 0};
        put(own, properties, COUNT(properties), event);
        return;
    }
    if (own->objects) { /* code 11 of -04 and 77 of -07 are undefined */
        const uint32_t error[] = {
            own->objected, 2, 0, 4, draft == RPCRDMA_PROTOCOL_2_04 ? 2 : 8, 1};
        own->objects = false;
        put(own, error, draft == RPCRDMA_PROTOCOL_2_04 ? 5 : 6, event);
    } else if (own->halved) {
        const uint32_t rest[] = {own->xid,     2, 0, 10, 0, 0, 0, 0, 0, 2, TEST_PROGRAM,
                                 TEST_VERSION, 0, 0, 0,  0, 0};
        own->halved = false;
        put(own, rest, COUNT(rest), event);
    } else if (!own->waiting && own->made < CALLS) {
        uint32_t xid = own->xid += 16;
        const uint32_t new[] = {xid,          2, 0, 10, 0, 0, 0, 0, xid, 0, 2, TEST_PROGRAM,
                                TEST_VERSION, 0, 0, 0,  0, 0};
        const uint32_t old[] = {xid,          2, 0, 0, 0, 0, 0, 0, 0, xid, 0, 2, TEST_PROGRAM,
                                TEST_VERSION, 0, 0, 0, 0, 0};
        own->waiting = true;
        own->made++;
        const uint32_t piece[] = {xid, 2, 0, 9, 36, xid};
        own->halved = manner == IN_TWO;
        if (own->halved)
            put(own, piece, COUNT(piece), event);
        else if (draft == RPCRDMA_PROTOCOL_2_04)
            put(own, old, COUNT(old), event);
        else
            put(own, new, COUNT(new), event);
    }
}

static void finish(struct link *link)
{
    open--;
    free(link);
}

static const struct link_ops link_ops = {.send = take, .wait = speak, .close = finish};

static struct link *come(struct transport *transport, const struct link_options *options,
                         unsigned timeout)
{
    (void)options;
    (void)timeout;
    transport->error[0] = '\0';
    if (connections == 0)
        return NULL;
    struct scripted *own = calloc(1, sizeof *own);
    own->link.ops = &link_ops;
    own->granted = 1;
    connections--;
    open++;
    return &own->link;
}

static const struct transport_ops transport_ops = {.accept = come};
static struct serve2 serve;

static void run(enum rpcrdma_protocol by, enum manner in, unsigned times)
{
    struct transport transport = {.ops = &transport_ops};
    draft = by;
    manner = in;
    connections = times;
    serve = (struct serve2){.draft = by, .timeout = in == WAITS ? 60000 : 30};
    serve2_peers(&serve, &transport);
    ck_assert_uint_eq(open, 0);
}

static const struct result *result_of(const char *test)
{
    for (size_t i = 0; i < serve.results.count; i++)
        if (strcmp(serve.results.list[i].test, test) == 0 &&
            strcmp(serve.results.list[i].from, "server") == 0)
            return &serve.results.list[i];
    ck_abort_msg("no case %s", test);
}

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

/* Its Calls offer no chunk, and their Replies are short. */
static bool lacks_occasion(const struct result *result)
{
    static const char *const tests[] = {"v2-reply-in-pieces",     "v2-reply-external-small",
                                        "v2-reply-nomsg-small",   "v2-write-chunk-empty",
                                        "v2-write-chunk-foreign", "v2-reply-chunk-longer",
                                        "v2-invalidate-other",    "v2-credits-1",
                                        "v2-credits-2",           "v2-grants-rise-and-fall",
                                        "v2-grant-of-one"};
    for (size_t i = 0; i < COUNT(tests); i++)
        if (strcmp(result->test, tests[i]) == 0)
            return true;
    return draft == RPCRDMA_PROTOCOL_2_07 && strcmp(result->test, "v2-receive-size-1024") == 0;
}

/* It calls NULL alone, whose Reply has no two pieces and no chunks; and it knows no version 1. */
START_TEST(one_that_bears_all)
{
    run(drafts[_i], TOLERATES, 1000);
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *result = &serve.results.list[i];
        bool apart = lacks_occasion(result) || strncmp(result->test, "v2-refused", 10) == 0 ||
                     strncmp(result->test, "v2-write-chunk", 14) == 0 ||
                     strncmp(result->test, "v2-reply-chunk", 14) == 0 ||
                     strncmp(result->test, "v2-error-", 9) == 0 ||
                     strncmp(result->test, "v2-reverse", 10) == 0 ||
                     strcmp(result->test, "v2-reply-in-odd-pieces") == 0 ||
                     strcmp(result->test, "v2-reply-pieces-foreign") == 0 ||
                     strcmp(result->test, "v2-grant-later") == 0;
        if (!apart && result->ending != ENDING_REQUIRED) {
            const char *test = result->test;
            bool answers = strncmp(test, "v2-type", 7) == 0 || strstr(test, "property-after") ||
                           strstr(test, "optional-call") || strstr(test, "reqprop");
            ck_assert_msg(answers, "%s: %s", test, result->actual);
        }
    }
    results_free(&serve.results);
}
END_TEST

START_TEST(one_that_gives_no_occasion)
{
    unsigned found = 0;
    run(drafts[_i], TOLERATES, 1000);
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *result = &serve.results.list[i];
        if (!lacks_occasion(result) || strcmp(result->from, "server") != 0)
            continue;
        found++;
        ck_assert_msg(result->ending == ENDING_NOT_APPLICABLE, "%s: %s", result->test,
                      result->actual);
    }
    ck_assert_uint_eq(found, drafts[_i] == RPCRDMA_PROTOCOL_2_04 ? 6 : 10);
    results_free(&serve.results);
}
END_TEST

/* Its Calls have two Sends, but it makes one after the other: two at once it never needs. */
START_TEST(one_call_in_pieces_is_one)
{
    run(RPCRDMA_PROTOCOL_2_07, IN_TWO, 1000);
    ck_assert_int_eq(result_of("serve-plainly")->ending, ENDING_REQUIRED);
    ck_assert_int_eq(result_of("v2-credits-1")->ending, ENDING_REQUIRED);
    ck_assert_msg(result_of("v2-credits-2")->ending == ENDING_NOT_APPLICABLE, "%s",
                  result_of("v2-credits-2")->actual);
    results_free(&serve.results);
}
END_TEST

/* The one that tolerates all has a fault: it does not wait for credits. */
START_TEST(one_that_does_not_wait)
{
    bool named = false;
    run(RPCRDMA_PROTOCOL_2_07, TOLERATES, 1000);
    for (size_t i = 0; i < serve.results.count; i++)
        named =
            named || (strcmp(serve.results.list[i].test, "v2-grant-later") == 0 &&
                      serve.results.list[i].rule &&
                      strcmp(serve.results.list[i].rule, "rpcrdma2-07/4.2.1/send-at-limit") == 0);
    ck_assert(named);
    results_free(&serve.results);
}
END_TEST

START_TEST(one_that_waits_gets_its_grant_soon)
{
    run(RPCRDMA_PROTOCOL_2_07, WAITS, 1000);
    ck_assert_int_eq(result_of("v2-grant-later")->ending, ENDING_REQUIRED);
    results_free(&serve.results);
}
END_TEST

START_TEST(one_that_leaves)
{
    run(drafts[_i], OFFENDED, 1000);
    ck_assert_int_eq(result_of("serve-plainly")->ending, ENDING_REQUIRED);
    ck_assert_int_eq(result_of("v2-reply-of-unknown-xid")->ending, ENDING_CLOSED);
    ck_assert_int_eq(result_of("v2-reply-cut-off")->ending, ENDING_CLOSED);
    results_free(&serve.results);
}
END_TEST

START_TEST(one_that_answers_what_is_to_be_dropped)
{
    run(drafts[_i], OBJECTS, 1000);
    ck_assert_int_eq(result_of("serve-plainly")->ending, ENDING_REQUIRED);
    ck_assert_int_eq(result_of("v2-reply-cut-off")->ending, ENDING_WRONG);
    ck_assert_int_eq(result_of("v2-error-of-unknown-xid")->ending, ENDING_WRONG);
    results_free(&serve.results);
}
END_TEST

/* It speaks version 2 again, and is refused. */
START_TEST(one_that_comes_back)
{
    run(drafts[_i], TOLERATES, 1000);
    ck_assert_str_eq(result_of("v2-silence")->actual, "as required: it came back in version 2");
    ck_assert_str_eq(result_of("v2-close")->actual, "as required: it came back in version 2");
    results_free(&serve.results);
}
END_TEST

START_TEST(nobody_comes_any_more)
{
    run(drafts[_i], TOLERATES, 3);
    ck_assert_int_eq(result_of("serve-plainly")->ending, ENDING_REQUIRED);
    ck_assert_int_eq(result_of("v2-runt-12")->ending, ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(result_of("v2-runt-12")->actual, "no further Requester connected");
    ck_assert_str_eq(result_of("v2-silence")->actual, "as required: it did not come back");
    ck_assert_int_eq(result_of("v2-silence")->ending, ENDING_REQUIRED);
    results_free(&serve.results);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("serve of version 2 to scripts");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, one_that_bears_all, 0, 2);
    tcase_add_test(cases, one_call_in_pieces_is_one);
    tcase_add_test(cases, one_that_does_not_wait);
    tcase_add_test(cases, one_that_waits_gets_its_grant_soon);
    tcase_add_loop_test(cases, one_that_leaves, 0, 2);
    tcase_add_loop_test(cases, one_that_answers_what_is_to_be_dropped, 0, 2);
    tcase_add_loop_test(cases, one_that_gives_no_occasion, 0, 2);
    tcase_add_loop_test(cases, one_that_comes_back, 0, 2);
    tcase_add_loop_test(cases, nobody_comes_any_more, 0, 2);
    return run_tests("serve of version 2 to scripts", cases);
}
