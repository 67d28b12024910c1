// SPDX-License-Identifier: BSD-3-Clause
/*
 * For each rule that `probe` tests a Responder that breaks it: one of the cases that `rules` names
 * for it has to fail, and none of them with a sound Responder. The faults are put between the
 * reference Responder and its link. Rules whose cases need NFS are in probe_nfs_test.c.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/random/random.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/digests.h"

#include "conformance/run/vector_index.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct link_ops honest;

static unsigned sends;

/* ---- what a Responder does wrong ---- */

static bool is_error(const uint8_t *octets)
{
    return rpcrdma_xdr_load32(octets + 12) == RPCRDMA1_ERROR;
}

/* A Reply as if all had been well. */
static bool send_success(struct link *link, uint32_t xid)
{
    const struct rpcrdma1_header header = {.rdma_xid = xid,
                                           .rdma_vers = 1,
                                           .rdma_credit = RESPONDER_CREDITS,
                                           .rdma_body.proc = RPCRDMA1_MSG};
    uint8_t octets[RPCRDMA1_HEADER_MIN + 24] = {0};
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    rpcrdma_xdr_store32(octets + RPCRDMA1_HEADER_MIN, xid);
    rpcrdma_xdr_store32(octets + RPCRDMA1_HEADER_MIN + 4, 1);
    return honest.send(link, octets, sizeof octets, NULL);
}

static bool succeed_always(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    if (is_error(octets))
        return send_success(link, rpcrdma_xdr_load32(octets));
    return honest.send(link, octets, length, handle);
}

static bool never_garbage(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    const uint8_t *word = octets;
    bool garbage = length == RPCRDMA1_HEADER_MIN + 24 && !is_error(octets) &&
                   rpcrdma_xdr_load32(word + length - 4) == 4;
    return garbage ? send_success(link, rpcrdma_xdr_load32(octets))
                   : honest.send(link, octets, length, handle);
}

static bool swallow_errors(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    return is_error(octets) || honest.send(link, octets, length, handle);
}

static bool lose_receives(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return ++sends >= 9 || honest.send(link, octets, length, handle);
}

/* A grant that is larger than the Receives that there are. */
static bool grant_too_much(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    if (length >= 12)
        rpcrdma_xdr_store32(copy + 8, 2 * PROBE_PARALLEL_MAX);
    return honest.send(link, copy, length, handle);
}

static void answer_what_is_dropped(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < 4)
        return;
    struct rpcrdma_prefix prefix;
    bool whole = event->length >= 16 && rpcrdma_prefix_load(&prefix, event->octets, event->length);
    bool drop =
        event->length < RPCRDMA1_HEADER_MIN ||
        (whole && (prefix.procedure == RPCRDMA1_DONE || prefix.procedure == RPCRDMA1_ERROR));
    const struct rpcrdma1_header header = {
        .rdma_xid = rpcrdma_xdr_load32(event->octets),
        .rdma_vers = 1,
        .rdma_credit = RESPONDER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_ERROR, .rdma_error.err = RPCRDMA1_ERR_CHUNK}};
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    rpcrdma1_header_encode(error, sizeof error, &header, NULL);
    if (drop)
        honest.send(link, error, sizeof error, NULL);
}

/* Nothing is fetched: what is there is used. */
static bool forget_read(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    (void)link, (void)handle, (void)offset;
    memset(octets, 0, length);
    return true;
}

/* Segments in another order than that of the list. */
static struct earlier {
    uint32_t handle;
    uint64_t offset;
    size_t length;
} earlier;

static bool read_elsewhere(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                           size_t length)
{
    bool good = honest.read(link, handle, offset, octets, length);
    if (good && earlier.length == length && earlier.handle != handle)
        good = honest.read(link, earlier.handle, earlier.offset, octets, length);
    earlier = (struct earlier){handle, offset, length};
    return good;
}

/* ---- private data that it does not take ---- */

static bool refuses_reserved(const struct link *link)
{
    return link->private_length >= 8 && (link->private_data[5] & 0xfe);
}

static bool refuses_after_others(const struct link *link)
{
    struct rpcrdma_private_data data;
    return rpcrdma_private_data_find(&data, link->private_data, link->private_length) == 0 &&
           data.offset > 0;
}

static bool refuses_unknown(const struct link *link)
{
    struct rpcrdma_private_data data;
    int code = rpcrdma_private_data_find(&data, link->private_data, link->private_length);
    return code == RPCRDMA_E_PD_VERSION || code == RPCRDMA_E_PD_TRUNCATED;
}

static bool refuses_other_sizes(const struct link *link)
{
    struct rpcrdma_private_data data;
    return rpcrdma_private_data_find(&data, link->private_data, link->private_length) == 0 &&
           data.send_size != RESPONDER_INLINE;
}

/* ---- the table ---- */

static const struct planted {
    const char *rule;
    struct link_ops ops;
    bool (*refuses)(const struct link *link);
    unsigned receives;   /* fewer than its grant, or 0 */
    size_t receive_size; /* or 0 */
} planted[] = {
    {.rule = "rfc8166/2.3.2/receives-posted", .ops = {.send = lose_receives}},
    {.rule = "rfc8166/3.3.1/receives-before-larger-grant",
     .ops = {.send = grant_too_much},
     .receives = 8},
    {.rule = "rfc8166/3.3.3/first-exchange", .receive_size = 512},
    {.rule = "rfc8166/3.3.3/receive-1024", .receive_size = 1000},
    {.rule = "rfc8166/3.4.1/decoder-skips", .ops = {.read = forget_read}},
    {.rule = "rfc8166/3.4.4/sizes-checked", .ops = {.send = succeed_always}},
    {.rule = "rfc8166/3.4.5/pull-in-list-order", .ops = {.read = read_elsewhere}},
    {.rule = "rfc8166/3.5.2/arguments-fetched", .ops = {.read = forget_read}},
    {.rule = "rfc8166/4.2.4/responder-drops-error", .ops = {.wait = answer_what_is_dropped}},
    {.rule = "rfc8166/4.5/basic-checks", .ops = {.send = succeed_always}},
    {.rule = "rfc8166/4.5/short-message-discarded", .ops = {.wait = answer_what_is_dropped}},
    {.rule = "rfc8166/4.5/call-error-answered", .ops = {.send = swallow_errors}},
    {.rule = "rfc8166/4.5.2/nomsg-without-lists-is-error", .ops = {.send = succeed_always}},
    {.rule = "rfc8166/4.5.2/xid-mismatch-is-error", .ops = {.send = succeed_always}},
    {.rule = "rfc8166/4.5.2/garbage-args", .ops = {.send = never_garbage}},
    {.rule = "rfc8166/4.5.3/err-chunk-after-reconnect",
     .ops = {.send = swallow_errors, .read = forget_read}},
    {.rule = "rfc8166/4.6.1/msgp-refused", .ops = {.send = succeed_always}},
    {.rule = "rfc8166/4.6.2/done-discarded", .ops = {.wait = answer_what_is_dropped}},
    {.rule = "rfc8166/6.3/peers-independent-of-parameters", .refuses = refuses_other_sizes},
    {.rule = "rfc8166/8.1.4/large-chunk-refused", .ops = {.send = swallow_errors}},
    {.rule = "rfc8797/4/reserved-bits-ignored", .refuses = refuses_reserved},
    {.rule = "rfc8797/5.2/identifier-searched", .refuses = refuses_after_others},
    {.rule = "rfc8797/5.2/content-checked", .refuses = refuses_unknown},
};
#define PLANTED COUNT(planted)

/* ---- the peer ---- */

static void *begin(void *arg, struct link *link)
{
    earlier = (struct earlier){.length = 0};
    static struct link_ops faulty;
    const struct planted *fault = arg;
    if (fault->refuses && fault->refuses(link))
        return NULL;
    honest = *link->ops;
    faulty = honest;
    if (fault->ops.send)
        faulty.send = fault->ops.send;
    if (fault->ops.read)
        faulty.read = fault->ops.read;
    if (fault->ops.wait)
        faulty.wait = fault->ops.wait;
    link->ops = &faulty;
    sends = 0;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(const struct planted *fault, struct link_options *options,
                             struct loopback_peer *peer)
{
    static struct planted copy;
    copy = *fault;
    *options = *responder_options();
    options->receives = fault->receives ? fault->receives : options->receives;
    options->receive_size = fault->receive_size ? fault->receive_size : options->receive_size;
    *peer = (struct loopback_peer){
        .options = options, .begin = begin, .step = step, .end = end, .arg = &copy};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true,
                                      .wait = 1},
                          .peer.invalidates = true};
    probe.peer.transport = transport_loopback(peer);
    return probe;
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* Runs the cases of a rule; returns how many results failed, of all that were judged. */
static unsigned run_rule(const struct planted *fault, const char *rule, unsigned *judged)
{
    struct link_options options;
    struct loopback_peer peer;
    struct probe probe = probe_of(fault, &options, &peer);
    unsigned failed = 0;
    chosen_add(&probe.options.rules, rule);
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    *judged = 0;
    for (size_t i = 0; i < probe.run.results.count; i++) {
        enum ending ending = probe.run.results.list[i].ending;
        failed += ending_is_failure(ending);
        *judged += ending != ENDING_NOT_APPLICABLE;
    }
    finish(&probe);
    return failed;
}

START_TEST(a_planted_fault_is_found)
{
    static const struct planted none;
    unsigned judged;
    ck_assert_msg(run_rule(&none, planted[_i].rule, &judged) == 0, "%s: a sound peer fails",
                  planted[_i].rule);
    ck_assert_msg(judged > 0, "%s: nothing is judged", planted[_i].rule);
    ck_assert_msg(run_rule(&planted[_i], planted[_i].rule, &judged) > 0, "%s: not found",
                  planted[_i].rule);
}
END_TEST

/* What is said of each fault in each case, as told.tsv has it. */
START_TEST(each_fault_is_told_as_always)
{
    struct link_options options;
    struct loopback_peer peer;
    char id[96];
    struct probe probe = probe_of(&planted[_i], &options, &peer);
    probe.peer.forgets = true;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    snprintf(id, sizeof id, "planted %d %s ", _i, planted[_i].rule);
    digest_results(digest_of(id), &probe.run.results);
    ck_assert_uint_eq(digests_compare("rxe-harness/tests/told.tsv", id), 1);
    finish(&probe);
}
END_TEST

/* Conversations that nobody thought of find it as well, and are cut down to a few Calls. */
#define CONVERSATIONS 5000
static void find_at_random(struct probe *probe, const char *rule, bool has_fault)
{
    struct random_conversation conversation;
    struct random_failure failure = {.ending = ENDING_REQUIRED};
    uint64_t calls = 0, limit = has_fault ? CONVERSATIONS : 500;
    for (uint64_t seed = 0; seed < limit && failure.ending == ENDING_REQUIRED; seed++) {
        random_make(&conversation, seed, true);
        ck_assert(random_play(probe, &conversation, &failure, &calls));
    }
    if (!has_fault) {
        ck_assert_msg(failure.ending == ENDING_REQUIRED, "a sound peer: %s", failure.text);
        return;
    }
    ck_assert_msg(failure.ending != ENDING_REQUIRED, "%s: not found at random", rule);
    random_shrink(probe, random_play, &conversation, &failure);
    ck_assert_msg(conversation.count <= 10, "%s: %u Calls are left", rule, conversation.count);
    ck_assert(random_play(probe, &conversation, &failure, &calls));
    ck_assert(failure.ending != ENDING_REQUIRED);
}

START_TEST(a_planted_fault_is_found_at_random)
{
    static const struct planted none;
    const struct planted *fault = _i < (int)PLANTED ? &planted[_i] : &none;
    struct link_options options;
    struct loopback_peer peer;
    struct probe probe = probe_of(fault, &options, &peer);
    ck_assert(probe_begin(&probe));
    find_at_random(&probe, fault->rule, fault->rule != NULL);
    finish(&probe);
}
END_TEST

/* Beside a sound peer it is found as well, whichever of the two has it; with two that have it
 * nothing is said. */
START_TEST(a_planted_fault_is_where_two_part)
{
    const struct planted *fault = &planted[_i];
    struct random_conversation conversation;
    struct random_failure failure, swapped;
    struct link_options options;
    struct loopback_peer peer;
    uint64_t calls = 0;
    struct probe faulty = probe_of(fault, &options, &peer), sound = faulty, twin = faulty;
    sound.peer.transport = responder_loopback();
    twin.peer.transport = transport_loopback(&peer);
    ck_assert(probe_begin(&faulty) && probe_begin(&sound) && probe_begin(&twin));
    failure.ending = ENDING_REQUIRED;
    uint64_t seed = 0;
    for (; seed < CONVERSATIONS && !ending_is_failure(failure.ending); seed++) {
        random_make(&conversation, seed, true);
        faulty.against = &sound;
        ck_assert(random_play_both(&faulty, &conversation, &failure, &calls));
    }
    ck_assert_msg(ending_is_failure(failure.ending), "%s: not found", fault->rule);
    ck_assert(!failure.by_other);
    sound.against = &faulty;
    ck_assert(random_play_both(&sound, &conversation, &swapped, &calls));
    ck_assert_int_eq(swapped.ending, failure.ending);
    ck_assert(swapped.by_other);
    ck_assert_uint_eq(swapped.parted[0], failure.parted[1]);
    faulty.against = &twin;
    ck_assert(random_play_both(&faulty, &conversation, &failure, &calls));
    ck_assert_msg(failure.ending == ENDING_REQUIRED, "%s: both do it: %s", fault->rule,
                  failure.text);
    finish(&twin);
    finish(&sound);
    finish(&faulty);
}
END_TEST

static struct {
    struct random_conversation killer; /* after which there is no connection */
    unsigned plays, deaths, most;      /* so often it dies */
    bool dead;
} mortal;

/* The second conversation kills. */
static bool play_mortal(struct probe *probe, const struct random_conversation *conversation,
                        struct random_failure *failure, uint64_t *calls)
{
    bool died = mortal.dead;
    (void)probe;
    ++*calls;
    *failure = (struct random_failure){.ending = ENDING_REQUIRED, .rule = -1};
    mortal.dead = false;
    if (died)
        return false;
    if (++mortal.plays == 2)
        mortal.killer = *conversation;
    mortal.dead = mortal.plays >= 2 && mortal.deaths < mortal.most &&
                  memcmp(&mortal.killer, conversation, sizeof *conversation) == 0;
    mortal.deaths += mortal.dead;
    return true;
}

/* A connection that does not come about is a death where the same conversation causes it again, and
 * once more. */
START_TEST(a_peer_dies_each_time)
{
    static const struct {
        unsigned deaths, died, plays; /* all six, and what was held again */
    } rows[] = {{1, 0, 8}, {2, 0, 9}, {3, 1, 8}};
    const struct planted fault = {.rule = "any"};
    const struct random_options random = {
        .play = play_mortal, .line = RANDOM_SEED(1), .time = 20000, .conversations = 6};
    struct link_options options;
    struct loopback_peer peer;
    struct probe probe = probe_of(&fault, &options, &peer);
    unsigned died = 0;
    memset(&mortal, 0, sizeof mortal);
    mortal.most = rows[_i].deaths;
    ck_assert(probe_begin(&probe));
    random_run(&probe, &random);
    for (size_t i = 0; i < probe.run.results.count; i++)
        died += probe.run.results.list[i].ending == ENDING_CRASHED;
    ck_assert_uint_eq(died, rows[_i].died);
    ck_assert_uint_eq(mortal.plays, rows[_i].plays);
    probe_disconnect(&probe); /* which the fake play leaves to others */
    finish(&probe);
}
END_TEST

/* What was found is written as a vector, and fails again when it is sent again. */
START_TEST(what_is_found_is_recorded)
{
    const struct planted fault = {.rule = "any", .ops = {.send = succeed_always}};
    const struct random_options random = {
        .play = random_play, .announces = true, .line = RANDOM_SEED(1), .time = 1500};
    char path[] = P_tmpdir "/probe-random-XXXXXX";
    int descriptor = mkstemp(path);
    struct recorder recorder = {0};
    struct corpus corpus = {0};
    struct link_options options;
    struct loopback_peer peer;
    struct probe probe = probe_of(&fault, &options, &peer);
    unsigned failed = 0;
    ck_assert_int_ge(descriptor, 0);
    ck_assert(probe_begin(&probe));
    probe.run.recording.recorder = &recorder;
    probe.run.recording.left = PROBE_RECORD_MAX;
    random_run(&probe, &random);
    ck_assert_uint_gt(probe.run.results.count, 3);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        bool is_failure = ending_is_failure(probe.run.results.list[i].ending);
        for (size_t j = 0; j < i; j++) /* a change that failed has not held as well */
            ck_assert(is_failure == ending_is_failure(probe.run.results.list[j].ending) ||
                      strcmp(probe.run.results.list[i].test, probe.run.results.list[j].test) != 0);
        failed += is_failure;
    }
    ck_assert_uint_gt(failed, 0);
    probe.run.recording.recorder = NULL;
    ck_assert(record_write(&recorder, path, "a Responder that succeeds always"));
    record_free(&recorder);
    corpus_add(&corpus, path);
    close(descriptor);
    unlink(path);
    ck_assert_int_eq(corpus.status, 0);
    failed = 0;
    size_t before = probe.run.results.count;
    probe_run_corpus(&probe, &corpus);
    for (size_t i = before; i < probe.run.results.count; i++)
        failed += ending_is_failure(probe.run.results.list[i].ending);
    ck_assert_uint_gt(failed, 0);
    corpus_free(&corpus);
    finish(&probe);
}
END_TEST

static bool is_planted(const char *rule)
{
    for (size_t i = 0; i < PLANTED; i++)
        if (strcmp(planted[i].rule, rule) == 0)
            return true;
    return false;
}

/* Every rule that `rules` says is probed has a fault here, or its cases need NFS (probe_nfs_test.c)
 * or are about what stands beside the endpoint (probe/around_test.c). */
START_TEST(each_rule_has_a_fault)
{
    for (const struct live_index_row *row = live_index; row->rule; row++) {
        bool none = strncmp(row->cases, "none: ", 6) == 0;
        bool nfs = strncmp(row->cases, "nfs", 3) == 0;
        bool around = strncmp(row->cases, "around-", 7) == 0;
        if (strcmp(row->command, "probe") == 0 && !none && !nfs && !around)
            ck_assert_msg(is_planted(row->rule), "no planted fault breaks %s", row->rule);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("planted");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_planted_fault_is_found, 0, PLANTED);
    tcase_add_loop_test(tests, each_fault_is_told_as_always, 0, PLANTED);
    tcase_add_loop_test(tests, a_planted_fault_is_found_at_random, 0, PLANTED + 1);
    tcase_add_loop_test(tests, a_planted_fault_is_where_two_part, 0, PLANTED);
    tcase_add_loop_test(tests, a_peer_dies_each_time, 0, 3);
    tcase_add_test(tests, what_is_found_is_recorded);
    tcase_add_test(tests, each_rule_has_a_fault);
    return run_tests("planted", tests);
}
