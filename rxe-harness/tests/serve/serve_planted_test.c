// SPDX-License-Identifier: BSD-3-Clause
/*
 * For each rule that `serve` tests a Requester that breaks it: one of the cases that `rules` names
 * for it has to fail, and none of them with the reference Requester.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/nfs_client.h"
#include "rxe-harness/serve/read_client.h"
#include "rxe-harness/serve/serve.h"

#include "conformance/run/vector_index.h"
#include "rxe-harness/tests/support/digests.h"
#include "rxe-harness/tests/support/serve_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a Requester does ---- */

static const struct requester_call null_call = {.procedure = TEST_NULL};
static const uint8_t stored[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
static const struct requester_call store_call = {.procedure = TEST_STORE,
                                                 .args = stored,
                                                 .args_length = 12,
                                                 .item_at = 4,
                                                 .item_length = 5,
                                                 .read_segments = 1};
static const uint8_t fetched[4] = {0, 0, 0x20, 0};
static const struct requester_call fetch_call = {.procedure = TEST_FETCH,
                                                 .args = fetched,
                                                 .args_length = 4,
                                                 .write_segments = 3,
                                                 .write_room = 8192};

/* As it has to be; returns the first octets of the item, or NULL where there was no good Reply. */
static bool call(struct requester *requester, const struct requester_call *shape)
{
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    if (requester_begin(requester, shape, &pending))
        requester_receive(requester, &pending, 100, &reply);
    requester_forget(requester, &pending);
    return reply.outcome == RPCRDMA_PROCESS;
}

static void leave(struct requester *requester)
{
    requester->link->ops->close(requester->link);
    requester->link = NULL;
}

static void behave(struct requester *requester)
{
    for (int i = 0; i < 4; i++)
        call(requester, i == 2 ? &fetch_call : i == 3 ? &store_call : &null_call);
}

/* The first message is its Reply, whatever it is; where it is not valid the connection is given up.
 */
static void take_offence(struct requester *requester)
{
    struct requester_pending pending;
    struct requester_reply reply;
    call(requester, &null_call);
    if (requester_begin(requester, &null_call, &pending))
        requester_finish(requester, &pending, 100, &reply);
    requester_forget(requester, &pending);
    leave(requester);
}

/* The memory of a Call is gone before it was used. */
static void withdraw(struct requester *requester)
{
    struct requester_pending pending;
    call(requester, &null_call);
    requester_begin(requester, &store_call, &pending);
    requester_hide(requester, &pending.memory);
    call(requester, &null_call);
    requester_forget(requester, &pending);
}

/* The memory of a Call is left to the peer. */
static void keep_or_hide(struct requester *requester, const struct requester_call *shape,
                         bool keeps)
{
    struct requester_pending pending;
    struct requester_reply reply;
    bool begun = requester_begin(requester, shape, &pending);
    if (begun)
        requester_receive(requester, &pending, 100, &reply);
    if (!keeps)
        requester_forget(requester, &pending);
    for (int i = 0; i < 2; i++)
        call(requester, &null_call);
    if (keeps)
        requester_forget(requester, &pending);
}

static void leave_open(struct requester *requester)
{
    keep_or_hide(requester, &store_call, true);
}

static void take_back(struct requester *requester)
{
    keep_or_hide(requester, &store_call, false);
}

static void leave_open_to_writes(struct requester *requester)
{
    keep_or_hide(requester, &fetch_call, true);
}

static void take_back_from_writes(struct requester *requester)
{
    keep_or_hide(requester, &fetch_call, false);
}

/* What was offered before: the first handle of each loopback, which no Call of these has. */
static const struct rpcrdma1_segment of_before = {
    .handle = 0x1101, .length = 4, .offset = UINT64_C(0x1101) << 24 | UINT64_C(0x7f00000000000000)};

/* All connections share what is registered. */
static void share_memory(struct requester *requester)
{
    static uint8_t octets[4];
    struct requester_memory memory = {.count = 0};
    struct link_memory piece;
    requester_expose(requester, &memory, octets, sizeof octets, LINK_PEER_READS, &piece);
    behave(requester);
    requester_hide(requester, &memory);
}

/* An error does not end the Call: it is made again. */
static void ask_again(struct requester *requester)
{
    for (int i = 0; i < 4; i++) {
        call(requester, &null_call);
        requester->xid -= i == 1 ? 1 : 0;
    }
}

static void refuse(struct requester *requester, bool refused)
{
    if (refused)
        leave(requester);
    else
        behave(requester);
}

static int find_data(const struct requester *requester, struct rpcrdma_private_data *data)
{
    const struct link *link = requester->link;
    return rpcrdma_private_data_find(data, link->private_data, link->private_length);
}

static void refuse_reserved(struct requester *requester)
{
    const struct link *link = requester->link;
    refuse(requester, link->private_length >= 8 && (link->private_data[5] & 0xfe));
}

static void refuse_after_others(struct requester *requester)
{
    struct rpcrdma_private_data data;
    refuse(requester, find_data(requester, &data) == 0 && data.offset > 0);
}

static void refuse_unknown(struct requester *requester)
{
    struct rpcrdma_private_data data;
    int code = find_data(requester, &data);
    refuse(requester, code == RPCRDMA_E_PD_VERSION || code == RPCRDMA_E_PD_TRUNCATED);
}

static void send_too_much(struct requester *requester)
{
    uint8_t args[1504] = {0, 0, 1500 >> 8, 1500 & 0xff};
    const struct requester_call shape = {
        .procedure = TEST_STORE, .args = args, .args_length = sizeof args};
    requester->send_limit = 4096;
    call(requester, &null_call);
    call(requester, &null_call);
    call(requester, &shape);
}

static void be_client(struct requester *requester)
{
    char text[256];
    serve_nfs_client(requester, text);
}

/* Calls of the server's that have chunks are dropped. */
static const struct link_ops *own_ops;
static bool swallow_errors(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    const uint8_t *words = octets;
    return rpcrdma_xdr_load32(words + 12) == RPCRDMA1_ERROR ||
           own_ops->send(link, octets, length, handle);
}

static void drop_chunks(struct requester *requester)
{
    struct link_ops ops = *requester->link->ops;
    own_ops = requester->link->ops;
    ops.send = swallow_errors;
    requester->link->ops = &ops;
    be_client(requester);
    requester->link->ops = own_ops;
}

/* What a client of NFSv3 says that it read. */
static struct told_reads told;

static void read_by(struct requester *requester, enum read_fault fault)
{
    char text[256];
    read_client(requester, fault, &told, text);
}

static void read_file(struct requester *requester)
{
    read_by(requester, READ_FAULTLESS);
}

/* Others follow, whatever was read. */
static void read_and_go_on(struct requester *requester)
{
    read_file(requester);
    call(requester, &null_call);
}

static void trust_chunk(struct requester *requester)
{
    read_by(requester, READ_TRUSTS_CHUNK);
}

static void take_inline(struct requester *requester)
{
    read_by(requester, READ_TAKES_INLINE);
}

static void take_loose_items(struct requester *requester)
{
    read_by(requester, READ_LOOSE_ITEMS);
}

static void ignore_gaps(struct requester *requester)
{
    read_by(requester, READ_IGNORES_GAPS);
}

static void splice_at_fixed_place(struct requester *requester)
{
    read_by(requester, READ_FIXED_HEAD);
}

static const struct planted {
    const char *rule;
    void (*drive)(struct requester *requester);
    unsigned receives;                          /* this many as it posts, less one; 0: enough */
    void (*sound)(struct requester *requester); /* or `behave` */
    size_t receive_size;                        /* or 0: enough */
} planted[] = {
    {"rfc8166/2.3.2/receives-posted", behave, 1, NULL, 0},
    {"rfc8166/3.3.3/receive-1024", read_and_go_on, 0, read_and_go_on, 1023},
    {"rfc8166/3.4.5.1/release-after-reply", withdraw, 0, NULL, 0},
    {"rfc8166/4.5/short-message-discarded", take_offence, 0, NULL, 0},
    {"rfc8166/4.5/reply-error-discarded", take_offence, 0, NULL, 0},
    {"rfc8166/4.5/error-is-permanent", ask_again, 0, NULL, 0},
    {"rfc8166/4.5/undecodable-error-discarded", take_offence, 0, NULL, 0},
    {"rfc8166/4.6.1/msgp-discarded", take_offence, 0, NULL, 0},
    {"rfc8166/4.6.2/done-discarded", take_offence, 0, NULL, 0},
    {"rfc8166/6.2/reply-resources-first", behave, 1, NULL, 0},
    {"rfc8167/4.3.1/client-receives", be_client, 2, be_client, 0},
    {"rfc8167/5.3/chunks-refused", drop_chunks, 0, be_client, 0},
    {"rfc8166/3.4.1/decoder-skips", splice_at_fixed_place, 0, read_file, 0},
    {"rfc8166/3.4.6.1/joined-in-array-order", ignore_gaps, 0, read_file, 0},
    {"rfc8166/4.3.2.2/memory-may-have-changed", trust_chunk, 0, read_file, 0},
    {"rfc8166/6.1/ineligible-result-ends-rpc", take_loose_items, 0, read_file, 0},
    {"rfc8166/6.1/unreduced-result-ends-rpc", take_inline, 0, read_file, 0},
    {"rfc8166/4.4.1/memory-fenced", leave_open_to_writes, 0, take_back_from_writes, 0},
    {"rfc8166/8.1.1/foreign-handles-fail", share_memory, 0, NULL, 0},
    {"rfc8166/8.1.3/invalidated-at-once", leave_open, 0, take_back, 0},
    {"rfc8797/4/ready-for-other-values", send_too_much, 0, NULL, 0},
    {"rfc8797/4/reserved-bits-ignored", refuse_reserved, 0, NULL, 0},
    {"rfc8797/5.2/identifier-searched", refuse_after_others, 0, NULL, 0},
    {"rfc8797/5.2/content-checked", refuse_unknown, 0, NULL, 0},
};
#define PLANTED COUNT(planted)

/* ---- the stage ---- */

static const struct transport_ops *real_ops;
static unsigned receives;
static size_t receive_size;
static struct link *connect_with_few(struct transport *transport,
                                     const struct link_options *options)
{
    struct link_options few = *options;
    if (receives > 0)
        few.receives = receives - 1;
    if (receive_size > 0)
        few.receive_size = receive_size;
    return real_ops->connect(transport, &few);
}

/* Returns how many results failed, and adds them to a digest or to none. */
static unsigned meet(const struct planted *fault, const struct serve_case *test_case,
                     struct digest *digest)
{
    struct serve_stage stage = {
        .test_case = test_case, .serve.plain.count = 4, .serve.offered = of_before};
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(test_case, octets);
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = &stage};
    told = (struct told_reads){.source = -1};
    stage.serve.told = &told;
    struct transport *transport = transport_loopback(&peer);
    struct transport_ops ops = *transport->ops;
    real_ops = transport->ops;
    ops.connect = connect_with_few;
    receives = fault->receives;
    receive_size = fault->receive_size;
    transport->ops = &ops;
    stage.serve.nfs4 = nfs4_new(false);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    fault->drive(requester);
    requester_close(requester);
    transport->ops = real_ops;
    transport->ops->close(transport);
    nfs4_free(stage.serve.nfs4);
    unsigned failed = 0;
    for (size_t i = 0; i < stage.serve.results.count; i++) {
        failed += ending_is_failure(stage.serve.results.list[i].ending);
        if (digest)
            digest_result(digest, &stage.serve.results.list[i]);
    }
    results_free(&stage.serve.results);
    return failed;
}

/* Of all the cases that are named for the rule. */
static unsigned run_rule(const struct planted *fault, const char *rule)
{
    unsigned failed = 0, met = 0;
    for (const struct live_index_row *row = live_index; row->rule; row++) {
        if (strcmp(row->rule, rule) != 0 || strcmp(row->command, "serve") != 0)
            continue;
        for (const struct serve_case *it = serve_cases; it->id; it++) {
            const char *at = strstr(row->cases, it->id);
            size_t length = strlen(it->id);
            if (at == NULL || (at[length] != '\0' && at[length] != ',') ||
                (at > row->cases && at[-1] != ' '))
                continue;
            failed += meet(fault, it, NULL);
            met++;
        }
    }
    ck_assert_msg(met > 0, "%s: no case", rule);
    return failed;
}

START_TEST(a_planted_fault_is_found)
{
    size_t too_small = planted[_i].receive_size;
    const struct planted sound = {.drive = planted[_i].sound ? planted[_i].sound : behave,
                                  .receive_size = too_small > 0 ? too_small + 1 : 0};
    ck_assert_msg(run_rule(&sound, planted[_i].rule) == 0, "%s: a sound Requester fails",
                  planted[_i].rule);
    ck_assert_msg(run_rule(&planted[_i], planted[_i].rule) > 0, "%s: not found", planted[_i].rule);
}
END_TEST

/* What is said of each Requester in each case, as told.tsv has it. */
START_TEST(each_fault_is_told_as_always)
{
    char id[96];
    snprintf(id, sizeof id, "serve %d %s ", _i, planted[_i].rule);
    for (const struct serve_case *it = serve_cases; it->id; it++)
        meet(&planted[_i], it, digest_of(id));
    ck_assert_uint_eq(digests_compare("rxe-harness/tests/told.tsv", id), 1);
}
END_TEST

START_TEST(each_rule_has_a_fault)
{
    for (const struct live_index_row *row = live_index; row->rule; row++) {
        bool found = strcmp(row->command, "serve") != 0 || strncmp(row->cases, "none: ", 6) == 0;
        for (size_t i = 0; i < PLANTED; i++)
            found = found || strcmp(planted[i].rule, row->rule) == 0;
        ck_assert_msg(found, "no planted fault breaks %s", row->rule);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("serve-planted");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_planted_fault_is_found, 0, PLANTED);
    tcase_add_loop_test(tests, each_fault_is_told_as_always, 0, PLANTED);
    tcase_add_test(tests, each_rule_has_a_fault);
    return run_tests("serve-planted", tests);
}
