// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases that are in place of the test program's, against a small server of NFS: faults of it are
 * found, what it need not take accuses it of nothing, and what is left out says why.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/tests/support/nfs/nfs_probe.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static bool is_in_place(const struct result *result)
{
    return strncmp(result->comment, "By NFS", 6) == 0;
}

/* By each minor version that may be a server's lowest. */
START_TEST(a_good_server_is_good)
{
    enum nfs_fault fault = GOOD;
    struct probe probe = nfs_probe_of(&fault);
    unsigned in_place = 0;
    nfs_server_minor = (unsigned)_i;
    probe.peer.infers = _i == 1;
    probe.options.hazards.all = true;
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (!is_in_place(result))
            continue;
        ck_assert_msg(result->ending == ENDING_REQUIRED, "%s: %s", result->test, result->actual);
        in_place++;
    }
    ck_assert_uint_eq(in_place, 48);
    ck_assert_int_eq(nfs_server_clients, 0);
    nfs_probe_end(&probe);
}
END_TEST

static const struct {
    enum nfs_fault fault;
    const char *test;
    enum ending ending;
    const char *rule; /* that a finding has to name, or NULL */
} faults[] = {
    {WRITE_WRONG, "pull-5-in-3", ENDING_WRONG, NULL},
    {WRITE_WRONG, "long-call-8191-in-5", ENDING_WRONG, NULL},
    {WRITE_WRONG, "pull-1048575-in-31", ENDING_WRONG, NULL},
    {WRITE_WRONG, "pull-4099-in-5-of-one-handle", ENDING_WRONG, NULL},
    {WRITE_COUNT, "pull-0-in-1", ENDING_WRONG, NULL},
    {BAD_XDR, "pull-1025-in-2", ENDING_WRONG, NULL},
    {WRITES_LESS, "pull-65535-in-16", ENDING_REQUIRED, NULL},
    {WRITES_LESS, "push-1048576-in-32", ENDING_REQUIRED, NULL},
    {WRITES_LESS, "echo-chunks", ENDING_NOT_APPLICABLE, NULL},
    {READ_WRONG, "push-1023-in-7", ENDING_WRONG, NULL},
    {READ_TOO_MUCH, "push-0-in-1", ENDING_WRONG, NULL},
    {READ_INLINE, "push-5-in-3", ENDING_REQUIRED, "rfc8166/4.3.2/eligible-result-pushed"},
    {READ_WRONG, "long-reply-8191-in-3", ENDING_WRONG, NULL},
    {READ_PADDED, "write-chunk-with-more-room", ENDING_WRONG, NULL},
    {IN_ALL_CHUNKS, "write-chunk-beside-unused", ENDING_REQUIRED,
     "rfc8166/6.1/only-eligible-reduced"},
    {NO_WRITE_LIST, "write-chunk-beside-unused", ENDING_REQUIRED, NULL},
    {NO_WRITE_LIST, "push-1-in-1", ENDING_NOT_APPLICABLE, NULL}, /* by nfs-read-1-in-1 */
    {NO_WRITE_LIST, "push-5-in-1", ENDING_WRONG, NULL},
    {MANY_REFUSED, "pull-1048576-in-32", ENDING_TOLERATED, NULL},
    {MANY_REFUSED, "push-1048575-in-31", ENDING_TOLERATED, NULL},
    {MANY_REFUSED, "long-reply-1048573-in-32", ENDING_TOLERATED, NULL},
    {MANY_REFUSED, "push-65535-in-16", ENDING_REQUIRED, NULL},
    {SIXTEEN_REFUSED, "push-65535-in-16", ENDING_WRONG, NULL},
    {SIXTEEN_REFUSED, "pull-65535-in-16", ENDING_WRONG, NULL},
    {LARGE_REFUSED, "pull-1048576-in-1", ENDING_TOLERATED, NULL},
    {LARGE_REFUSED, "long-call-1048576-in-1", ENDING_TOLERATED, NULL},
    {LARGE_REFUSED, "push-1048576-in-1", ENDING_REQUIRED, NULL}, /* written piece by piece */
    {READ_WRONG, "echo-chunks", ENDING_WRONG, NULL},
    {WRITE_WRONG, "echo-read-and-reply-chunk", ENDING_WRONG, NULL},
    {WRITE_COUNT, "inline-echo", ENDING_WRONG, NULL},
    {BAD_XDR, "echo-long-call-with-chunk", ENDING_WRONG, NULL},
    {READ_WRONG, "short-reply-with-reply-chunk", ENDING_WRONG, NULL},
    {ITEM_TWICE, "echo-all-chunks", ENDING_NOT_APPLICABLE, "rfc8166/4.3.2/pushed-item-left-out"},
    {ITEM_OF_ZEROS, "echo-all-chunks", ENDING_WRONG, NULL},
    {ITEM_UNWRITTEN, "echo-all-chunks", ENDING_NOT_APPLICABLE,
     "rfc8166/4.3.3/reply-chunk-length-written"},
    {ITEM_TWICE, "echo-long-call-long-reply", ENDING_REQUIRED, NULL},
    {READ_WRONG, "reply-beyond-announced-size", ENDING_WRONG, NULL},
    {HEADER_FORGOTTEN, "reply-beyond-announced-size-by-its-header", ENDING_REQUIRED,
     "rfc8166/3.5.3/reply-chunk-used"},
    {HEADER_FORGOTTEN, "reply-beyond-announced-size", ENDING_REQUIRED, NULL},
    {READ_WRONG, "reply-where-no-invalidation-is-taken", ENDING_WRONG, NULL},
    {GARBAGE_STATUS, "arguments-of-garbage", ENDING_TOLERATED, NULL},
    {GARBAGE_TAKEN, "arguments-of-garbage", ENDING_WRONG, NULL},
};

/* By version 4.0, where RDMA Writes are seen, or by 4.2 alone, where they are concluded. */
START_TEST(a_fault_is_found)
{
    size_t at = (size_t)_i % COUNT(faults);
    enum nfs_fault fault = faults[at].fault;
    nfs_server_minor = _i >= (int)COUNT(faults) ? 2 : 0;
    struct probe probe = nfs_probe_of(&fault);
    bool ended = false, accused = faults[at].rule == NULL;
    probe.peer.infers = nfs_server_minor > 0;
    probe.options.hazards.all = true;
    chosen_add(&probe.options.cases, faults[at].test);
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ended = ended || result->ending == faults[at].ending;
        accused = accused || (result->rule && strcmp(result->rule, faults[at].rule) == 0 &&
                              ending_is_failure(result->ending));
    }
    ck_assert_msg(ended, "%s does not end as it has to: %s", faults[at].test,
                  probe.run.results.list[0].actual);
    ck_assert_msg(accused, "%s is not found in %s", faults[at].rule, faults[at].test);
    nfs_probe_end(&probe);
}
END_TEST

/* By NFS some of them belong to a hazardous class. */
START_TEST(a_hazardous_one_is_left_out)
{
    static const struct {
        const char *hazard;
        unsigned more;
    } rows[] = {{"empty-read-segment", 1}, {"long-messages", 5}};
    enum nfs_fault fault = GOOD;
    unsigned plain = 0;
    for (size_t i = 0; i <= COUNT(rows); i++) {
        struct probe probe = nfs_probe_of(&fault);
        chosen_add(&probe.options.cases, "pull-*");
        chosen_add(&probe.options.cases, "long-call-*");
        if (i > 0)
            chosen_add(&probe.options.hazards, rows[i - 1].hazard);
        nfs_probe_run(&probe);
        unsigned in_place = 0;
        for (size_t j = 0; j < probe.run.results.count; j++)
            in_place += is_in_place(&probe.run.results.list[j]);
        if (i == 0)
            plain = in_place;
        ck_assert_uint_eq(in_place - plain, i == 0 ? 0 : rows[i - 1].more);
        nfs_probe_end(&probe);
    }
}
END_TEST

/* The log of a peer names a case when the next one begins. */
START_TEST(words_of_the_case_before_stay)
{
    enum nfs_fault fault = GOOD;
    struct probe probe = nfs_probe_of(&fault);
    const struct results *results = &probe.run.results;
    chosen_add(&probe.options.cases, "pull-4-in-1");
    chosen_add(&probe.options.cases, "pull-5-in-1");
    nfs_probe_run(&probe);
    ck_assert_uint_eq(results->count, 2);
    ck_assert_str_eq(probe.run.current.comment, results->list[1].comment);
    ck_assert_str_eq(probe.run.comments[0], results->list[0].comment);
    nfs_probe_end(&probe);
}
END_TEST

/* A case of NFS with the chunks of one of the test program is run once, and is said to be it. */
START_TEST(what_nfs_has_is_named)
{
    static const char by_nfs[] = "the peer does not offer the test program; by NFS it is ";
    enum nfs_fault fault = GOOD;
    struct probe probe = nfs_probe_of(&fault);
    const struct results *results = &probe.run.results;
    unsigned named = 0, others = 0;
    probe.options.hazards.all = true;
    nfs_probe_run(&probe);
    for (size_t i = 0; i < results->count; i++) {
        const char *actual = results->list[i].actual;
        bool is_good = false;
        others += strstr(actual, "test program; of NFS") != NULL;
        if (strncmp(actual, by_nfs, sizeof by_nfs - 1) != 0)
            continue;
        named++;
        for (size_t j = 0; j < results->count; j++)
            is_good = is_good || (strcmp(results->list[j].test, actual + sizeof by_nfs - 1) == 0 &&
                                  results->list[j].ending == ENDING_REQUIRED);
        ck_assert_msg(is_good, "%s: %s", results->list[i].test, actual);
    }
    ck_assert_uint_eq(named, 12);
    ck_assert_uint_eq(others, 1);
    nfs_probe_end(&probe);
}
END_TEST

/* An item of no octets has a place, too. */
START_TEST(the_item_is_found)
{
    struct nfs_compound compound;
    struct requester_call call = {.procedure = 0};
    nfs_begin(&compound);
    nfs_write(&compound, 0, (const uint8_t *)"", 0);
    uint8_t *args = nfs_encode(&compound, &call);
    ck_assert_ptr_nonnull(args);
    ck_assert_uint_eq(call.item_at, call.args_length);
    ck_assert_uint_eq(call.item_length, 0);
    free(args);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs-in-place");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_good_server_is_good, 0, 3);
    tcase_add_loop_test(tests, a_fault_is_found, 0, 2 * COUNT(faults));
    tcase_add_test(tests, a_hazardous_one_is_left_out);
    tcase_add_test(tests, words_of_the_case_before_stay);
    tcase_add_test(tests, what_nfs_has_is_named);
    tcase_add_test(tests, the_item_is_found);
    return run_tests("nfs-in-place", tests);
}
