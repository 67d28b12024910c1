// SPDX-License-Identifier: BSD-3-Clause
/* Clients of NFSv4.1 that `serve` calls in the reverse direction: what they answer is a table. */
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/serve/nfs_client.h"
#include "rxe-harness/tests/support/serve_stage.h"
#include "rxe-harness/transport/loopback.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

enum fault {
    NONE,
    MUTE,        /* answers no Call */
    MUTE_LATER,  /* the first four only */
    UNAVAILABLE, /* PROG_UNAVAIL */
    DENIED,      /* MSG_DENIED */
    NO_RPC,      /* a header, and four octets */
    REFUSES,     /* ERR_CHUNK */
    VERSION,     /* ERR_VERS */
    LEAVES,      /* sends nothing any more, from the first Call on */
    FAILS,       /* CB_COMPOUND's status is not NFS4_OK */
    ONE_RESULT,  /* only that of CB_SEQUENCE */
    CUT_OFF,     /* results that end early */
    KEEPS,       /* does not give the delegation back */
    NO_SESSION,  /* the server has no version 4.1 */
    ONE_RECEIVE, /* for the Replies to its own Calls */
};

static const struct row {
    const char *test;
    enum fault fault;
    enum ending ending;
    const char *says;
} rows[] = {
    {"reverse-null", NONE, ENDING_REQUIRED, "1 Calls"},
    {"reverse-null", MUTE, ENDING_SILENT, "1 of 1"},
    {"reverse-null", UNAVAILABLE, ENDING_WRONG, "accept_stat 1"},
    {"reverse-null", DENIED, ENDING_WRONG, "reject_stat 1"},
    {"reverse-null", NO_RPC, ENDING_WRONG, "no RPC Reply"},
    {"reverse-null", REFUSES, ENDING_WRONG, "err-chunk"},
    {"reverse-null", VERSION, ENDING_WRONG, "err-vers"},
    {"reverse-null", LEAVES, ENDING_NOT_APPLICABLE, "has ended"},
    {"reverse-null", NO_SESSION, ENDING_NOT_APPLICABLE, "no session"},
    {"reverse-null", ONE_RECEIVE, ENDING_CLOSED, "has ended"},
    {"reverse-nulls-up-to-grant", NONE, ENDING_REQUIRED, "9 Calls"},
    {"reverse-nulls-up-to-grant", MUTE, ENDING_SILENT, "1 of 1"},
    {"reverse-nulls-up-to-grant", MUTE_LATER, ENDING_SILENT, "5 of 9"},
    {"reverse-null-with-xid-of-call", NONE, ENDING_REQUIRED, "1 Calls"},
    {"reverse-null-with-xid-of-call", MUTE, ENDING_SILENT, "1 of 1"},
    {"reverse-recall", NONE, ENDING_REQUIRED, "1 Calls"},
    {"reverse-recall", MUTE, ENDING_SILENT, "1 of 1"},
    {"reverse-recall", FAILS, ENDING_WRONG, "status 10033 after 2"},
    {"reverse-recall", ONE_RESULT, ENDING_WRONG, "status 0 after 1"},
    {"reverse-recall", CUT_OFF, ENDING_WRONG, "no results"},
    {"reverse-recall", KEEPS, ENDING_TOLERATED, "not come back"},
    {"reverse-recall", NO_SESSION, ENDING_NOT_APPLICABLE, "no delegation"},
    {"reverse-null-with-chunk", NONE, ENDING_REQUIRED, "1 Calls"},
    {"reverse-null-with-chunk", MUTE, ENDING_SILENT, "1 of 1"},
    {"reverse-null-with-chunk", VERSION, ENDING_WRONG, "err-vers"},
};

/* ---- the client ---- */

static const struct link_ops *honest;
static struct link_ops faulty;
static enum fault fault;
static unsigned answers;

enum { RPC = RPCRDMA1_HEADER_MIN, STATUS = RPC + 20, RESULTS = RPC + 24 };

static bool is_answer(const uint8_t *octets, size_t length)
{
    return rpcrdma_xdr_load32(octets + 12) == RPCRDMA1_ERROR ||
           (length >= RPC + 8 && rpcrdma_xdr_load32(octets + 12) == RPCRDMA1_MSG &&
            rpcrdma_xdr_load32(octets + RPC) == rpcrdma_xdr_load32(octets) &&
            rpcrdma_xdr_load32(octets + RPC + 4) == 1);
}

static size_t make_error(uint8_t *octets, uint32_t code)
{
    const uint32_t words[] = {RPCRDMA1_ERROR, code, 1, 1};
    for (size_t i = 0; i < 4; i++)
        rpcrdma_xdr_store32(octets + 12 + 4 * i, words[i]);
    return code == RPCRDMA1_ERR_VERS ? RPCRDMA1_ERR_VERS_LENGTH : RPCRDMA1_ERR_CHUNK_LENGTH;
}

/* Octets to be sent in place of an answer; 0: none are. */
static size_t spoil(uint8_t *octets, size_t length)
{
    switch (fault) {
    case MUTE:
        return 0;
    case MUTE_LATER:
        return answers > 4 ? 0 : length;
    case UNAVAILABLE:
        rpcrdma_xdr_store32(octets + STATUS, 1);
        return length;
    case DENIED: /* AUTH_ERROR, AUTH_BADCRED */
        for (size_t i = 0; i < 3; i++)
            rpcrdma_xdr_store32(octets + RPC + 8 + 4 * i, 1);
        return RPC + 20;
    case NO_RPC:
        return RPC + 8;
    case REFUSES:
        return make_error(octets, RPCRDMA1_ERR_CHUNK);
    case VERSION:
        return make_error(octets, RPCRDMA1_ERR_VERS);
    case FAILS: /* the status of all, and of CB_RECALL, which is last */
        rpcrdma_xdr_store32(octets + RESULTS, 10033);
        rpcrdma_xdr_store32(octets + length - 4, 10033);
        return length;
    case ONE_RESULT:
        rpcrdma_xdr_store32(octets + RESULTS + 8, 1);
        return length - 8;
    case CUT_OFF:
        return length - 4;
    default:
        return length;
    }
}

static bool is_delegreturn(const uint8_t *octets, size_t length)
{
    return length > 100 && rpcrdma_xdr_load32(octets + length - 20) == 8;
}

static bool send_faulty(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    uint8_t copy[REQUESTER_INLINE];
    memcpy(copy, octets, length);
    if (fault == KEEPS && is_delegreturn(copy, length))
        return true;
    if (fault == LEAVES && (answers > 0 || is_answer(copy, length))) {
        answers++;
        return false;
    }
    if (!is_answer(copy, length))
        return honest->send(link, octets, length, handle);
    answers++;
    length = spoil(copy, length);
    return length == 0 || honest->send(link, copy, length, handle);
}

/* ---- the stage ---- */

static const struct transport_ops *real_ops;
static struct link *connect_with_one(struct transport *transport,
                                     const struct link_options *options)
{
    struct link_options one = *options;
    one.receives = 1;
    return real_ops->connect(transport, &one);
}

static const struct serve_case *case_of(const char *id)
{
    const struct serve_case *it = serve_cases;
    while (it->id && strcmp(it->id, id) != 0)
        it++;
    ck_assert_ptr_nonnull(it->id);
    return it;
}

static void be_client(struct transport *transport)
{
    char text[256];
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    honest = requester->link->ops;
    faulty = *honest;
    faulty.send = send_faulty;
    requester->link->ops = &faulty;
    answers = 0;
    serve_nfs_client(requester, text);
    requester->link->ops = honest;
    requester_close(requester);
}

static void run(const struct row *row, struct serve_stage *stage)
{
    *stage = (struct serve_stage){.test_case = case_of(row->test), .serve.plain.count = 4};
    stage->serve.nfs4 = row->fault == NO_SESSION ? NULL : nfs4_new(false);
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(stage->test_case, octets);
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = stage};
    struct transport *transport = transport_loopback(&peer);
    struct transport_ops ops = *transport->ops;
    real_ops = transport->ops;
    ops.connect = connect_with_one;
    if (row->fault == ONE_RECEIVE)
        transport->ops = &ops;
    fault = row->fault;
    be_client(transport);
    transport->ops = real_ops;
    transport->ops->close(transport);
    nfs4_free(stage->serve.nfs4);
}

START_TEST(an_answer_is_taken_for_what_it_is)
{
    const struct row *row = &rows[_i];
    struct serve_stage stage;
    unsigned met = 0;
    run(row, &stage);
    for (size_t i = 0; i < stage.serve.results.count; i++) {
        const struct result *result = &stage.serve.results.list[i];
        if (strcmp(result->from, "server") != 0)
            continue; /* a finding about an answer */
        ck_assert_msg(result->ending == row->ending && strstr(result->actual, row->says),
                      "%s, fault %d: %s, not %s: %s", row->test, row->fault,
                      ending_names[result->ending], ending_names[row->ending], result->actual);
        met++;
    }
    ck_assert_uint_eq(met, 1);
    results_free(&stage.serve.results);
}
END_TEST

/* Without a fault the client reads the file, and the checker finds nothing in either direction. */
START_TEST(a_sound_client_is_accused_of_nothing)
{
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        const struct row row = {.test = it->id};
        struct serve_stage stage;
        if (it->reverse == SERVE_NO_REVERSE)
            continue;
        run(&row, &stage);
        ck_assert_uint_eq(stage.serve.results.count, 1);
        results_free(&stage.serve.results);
    }
}
END_TEST

/* A Long Call of the client's, sent again while ours has its XID. */
START_TEST(a_long_call_is_no_answer)
{
    static const uint32_t words[] = {7, 1, 32, RPCRDMA1_NOMSG, 1, 0, 0xa, 40, 0, 0x1000, 0, 0, 0};
    struct reverse reverse = {
        .kind = SERVE_REVERSE_SAME_XID, .made = 1, .first_xid = 7, .waits = {true}};
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < sizeof words / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    ck_assert(!reverse_take(&reverse, NULL, octets, sizeof octets));
    ck_assert_str_eq(reverse.wrong, "");
    ck_assert_uint_eq(reverse.answered, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("serve-reverse");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, a_long_call_is_no_answer);
    tcase_add_loop_test(tests, an_answer_is_taken_for_what_it_is, 0, COUNT(rows));
    tcase_add_test(tests, a_sound_client_is_accused_of_nothing);
    return run_tests("serve-reverse", tests);
}
