// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of NFS against a small server of one file and one link: it is found good, and every
 * fault that is put into it is found.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/random/random.h"
#include "rxe-harness/tests/support/digests.h"
#include "rxe-harness/tests/support/nfs/nfs_probe.h"

#include "conformance/run/vector_index.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- tests ---- */

static bool is_nfs(const struct result *result)
{
    return strncmp(result->test, "nfs", 3) == 0;
}

/* By each minor version that may be a server's lowest. */
START_TEST(a_good_server_is_good)
{
    enum nfs_fault fault = GOOD;
    nfs_server_minor = (unsigned)_i;
    struct probe probe = nfs_probe_of(&fault);
    unsigned good = 0;
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (!is_nfs(result))
            continue;
        bool by_slot =
            _i > 0 && strncmp(result->test, "nfs-", 4) == 0 && strstr(result->test, "-again");
        ck_assert_msg(result->ending == (by_slot ? ENDING_NOT_APPLICABLE : ENDING_REQUIRED),
                      "%s: %s", result->test, result->actual);
        good++;
    }
    ck_assert_uint_gt(good, 50);
    ck_assert(!nfs_server_has_link);
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
    {READ_INLINE, "nfs-read-4-in-1", ENDING_REQUIRED, "rfc8166/4.3.2/eligible-result-pushed"},
    {READ_WRONG, "nfs-read-1-in-1", ENDING_WRONG, NULL},
    {READ_WRONG, "nfs-read-64-inline", ENDING_WRONG, NULL},
    {INLINE_WRONG, "nfs-read-64-inline", ENDING_WRONG, NULL},
    /* The WRITE was right. */
    {INLINE_WRONG, "nfs-inline-write-64", ENDING_REQUIRED, NULL},
    {INLINE_WRONG, "nfs-write-3-in-3", ENDING_REQUIRED, NULL},
    {READ_SHORT_CHUNK, "nfs-read-4097-in-5", ENDING_WRONG,
     "rfc8166/3.4.6.2/returned-length-is-item-length"},
    {READ_SWAPPED, "nfs-read-twice", ENDING_WRONG, NULL},
    {READ_SWAPPED, "nfs-read-thrice-second-chunk-empty", ENDING_WRONG, NULL},
    {READ_SWAPPED, "nfs-read-beside-unused-chunk", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-read-twice-second-chunk-too-small", ENDING_WRONG, NULL},
    {READ_FITS, "nfs-read-twice-second-chunk-too-small", ENDING_REQUIRED, NULL},
    {READ_FITS_WRONG, "nfs-read-twice-second-chunk-too-small", ENDING_WRONG, NULL},
    {REFUSED_BY_STATUS, "nfs-read-twice-second-chunk-too-small", ENDING_REQUIRED, NULL},
    {INLINE_WRONG, "nfs-read-twice-one-chunk", ENDING_WRONG, NULL},
    {READ_INLINE, "nfs-read-twice-one-chunk", ENDING_REQUIRED,
     "rfc8166/4.3.2/eligible-result-pushed"},
    {NO_WRITE_LIST, "nfs-read-twice-one-chunk", ENDING_WRONG, NULL}, /* every server takes one */
    {INLINE_WRONG, "nfs-read-twice-first-chunk-empty", ENDING_WRONG, NULL},
    {EMPTY_SKIPPED, "nfs-read-twice-first-chunk-empty", ENDING_WRONG, NULL},
    {EMPTY_SKIPPED, "nfs-read-thrice-second-chunk-empty", ENDING_WRONG, NULL},
    {NOTHING_IN_NONE, "nfs-read-twice-first-brings-nothing", ENDING_WRONG, NULL},
    {READ_TOO_MUCH, "nfs-read-twice-first-brings-nothing", ENDING_WRONG, NULL},
    {GARBAGE_TWICE, "nfs-read-twice", ENDING_REQUIRED, NULL},
    {GARBAGE_TWICE, "nfs-read-twice-one-chunk", ENDING_REQUIRED, NULL},
    {IN_ALL_CHUNKS, "nfs-read-beside-unused-chunk", ENDING_REQUIRED,
     "rfc8166/6.1/only-eligible-reduced"},
    {NO_WRITE_LIST, "nfs-read-beside-unused-chunk", ENDING_REQUIRED, NULL}, /* too many for it */
    {READ_PADDED, "nfs-read-3-in-2-of-100", ENDING_WRONG, NULL},
    {READ_TOO_MUCH, "nfs-read-64-inline", ENDING_WRONG, NULL},
    {READ_TELLS_EOF, "nfs-read-65536-in-1", ENDING_WRONG, NULL},
    {FAILED_IN_CHUNK, "nfs-read-of-folder", ENDING_WRONG, NULL},
    {WRITE_WRONG, "nfs-write-3-in-3", ENDING_WRONG, NULL},
    {WRITE_WRONG, "nfs-long-write-8192-in-3", ENDING_WRONG, NULL},
    {WRITE_COUNT, "nfs-inline-write-64", ENDING_WRONG, NULL},
    {LINK_COUNTED, "nfs-readlink-in-1", ENDING_WRONG,
     "rfc8166/3.4.6.2/returned-length-is-item-length"},
    {LINK_WRONG, "nfs-readlink-inline", ENDING_WRONG, NULL},
    {LINK_WRONG, "nfs-create-link-in-3", ENDING_WRONG, NULL},
    {LIST_IN_CHUNK, "nfs-getattr-write-chunk", ENDING_WRONG, NULL},
    {LIST_IN_CHUNK, "nfs-readdir-both-chunks", ENDING_WRONG, NULL},
    {BAD_XDR, "nfs-write-1-in-1", ENDING_WRONG, NULL},
    {BAD_XDR, "nfs-create-link-in-1", ENDING_WRONG, NULL},
    {NAME_BY_CHUNK, "nfs-lookup-by-chunk", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-read-8192-inline", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-read-8192-in-2-of-1000", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-getattr-reply-chunk-too-small", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-getattr-no-room", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-read-4097-in-2-of-4096", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs-getattr-reply-chunk-short-by-one", ENDING_WRONG, NULL},
    {READ_FITS, "nfs-read-4097-in-2-of-4096", ENDING_REQUIRED, NULL},
    {READ_FITS, "nfs-read-8192-in-2-of-1000", ENDING_REQUIRED, NULL},
    {READ_FITS, "nfs-read-8192-inline", ENDING_REQUIRED, NULL},
    {READ_FITS_WRONG, "nfs-read-8192-in-2-of-1000", ENDING_WRONG, NULL},
    {READ_FITS_WRONG, "nfs-read-8192-inline", ENDING_WRONG, NULL},
    {NO_CHUNKS_BACK, "nfs-read-of-folder", ENDING_WRONG, NULL},
    {REFUSED_BY_STATUS, "nfs-read-8192-in-2-of-1000", ENDING_REQUIRED, NULL},
    {REFUSED_BY_STATUS, "nfs-read-8192-inline", ENDING_REQUIRED, NULL},
    {REFUSED_BY_STATUS, "nfs-getattr-reply-chunk-too-small", ENDING_REQUIRED, NULL},
    {REFUSED_BY_STATUS, "nfs-getattr-no-room", ENDING_REQUIRED, NULL},
    {REFUSED_BY_STATUS, "nfs-getattr-reply-chunk-short-by-one", ENDING_REQUIRED, NULL},
    {NO_ACCESS, "nfs-read-1-in-1", ENDING_NOT_APPLICABLE, NULL},
    {NO_CREATE, "nfs-create-link-in-1", ENDING_NOT_APPLICABLE, NULL},
    {NO_CREATE, "nfs-readlink-in-3", ENDING_NOT_APPLICABLE, NULL},
    {NO_SESSIONS, "nfs41-exchange-id", ENDING_NOT_APPLICABLE, NULL},
    {NO_SESSIONS, "nfs41-data-5000-in-2", ENDING_NOT_APPLICABLE, NULL},
    {NO_SESSIONS, "nfs41-back-channel", ENDING_NOT_APPLICABLE, NULL},
    {NO_BACK_CHANNEL, "nfs41-back-channel", ENDING_NOT_APPLICABLE, NULL},
    {NEVER_CALLS, "nfs41-back-channel", ENDING_NOT_APPLICABLE, NULL},
    {CALLS_TWICE, "nfs41-back-channel", ENDING_REQUIRED, NULL},
    {NEVER_SILENT, "nfs41-back-channel", ENDING_NOT_APPLICABLE, NULL},
    {ANSWER_LOST, "nfs41-back-channel", ENDING_CLOSED, NULL},
    {ANSWER_DENIED, "nfs41-back-channel", ENDING_TOLERATED, NULL},
    {SLOT_FORGETS, "nfs41-slot-again", ENDING_WRONG, NULL},
    {SLOT_FORGETS, "nfs41-sequence", ENDING_REQUIRED, NULL},
    {SLOT_FORGETS, "nfs41-slot-again-elsewhere", ENDING_WRONG, NULL},
    {AGAIN_SILENT, "nfs41-slot-again-elsewhere", ENDING_REQUIRED, NULL}, /* it has other XIDs */
    {CALLED_SILENT, "nfs41-session-ends-while-called", ENDING_SILENT, NULL},
    {NEVER_CALLS, "nfs41-session-ends-while-called", ENDING_NOT_APPLICABLE, NULL},
    {ANSWER_LOST, "nfs41-session-ends-while-called", ENDING_CLOSED, NULL},
    {CALLS_TWICE, "nfs41-session-ends-while-called", ENDING_REQUIRED, NULL},
    {SEQUENCE_LOST, "nfs41-sequence", ENDING_WRONG, NULL},
    {READ_WRONG, "nfs41-data-5000-in-2", ENDING_WRONG, NULL},
    {WRITE_COUNT, "nfs41-data-5000-in-2", ENDING_WRONG, NULL},
    {READ_INLINE, "nfs41-data-5000-in-2", ENDING_WRONG, NULL},
    {WRITE_WRONG, "nfs41-data-65533-in-5", ENDING_WRONG, NULL},
    {LIST_IN_CHUNK, "nfs41-getattr-write-chunk", ENDING_WRONG, NULL},
    {CUT_OFF, "nfs41-getattr-long-reply", ENDING_REQUIRED, NULL},
};

/* Calls that come again by their XIDs, which version 4.0 alone knows them by. */
static const struct {
    enum nfs_fault fault;
    const char *test;
    enum ending ending;
} repeated[] = {
    {AGAIN_SILENT, "nfs-create-link-again", ENDING_SILENT},
    {AGAIN_SILENT, "nfs-getattr-again", ENDING_SILENT},
    {AGAIN_REFUSED, "nfs-create-link-again", ENDING_WRONG},
    {AGAIN_REFUSED, "nfs-readdir-again", ENDING_WRONG},
    {AGAIN_VERBATIM, "nfs-create-link-again", ENDING_REQUIRED}, /* nothing of it is in a chunk */
    {AGAIN_VERBATIM, "nfs-readlink-again", ENDING_WRONG},
    {AGAIN_VERBATIM, "nfs-getattr-again", ENDING_WRONG},
    {NO_CREATE, "nfs-create-link-again", ENDING_NOT_APPLICABLE},
    {LINK_WRONG, "nfs-readlink-again", ENDING_WRONG},
};

START_TEST(what_comes_again_is_answered)
{
    enum nfs_fault fault = repeated[_i].fault;
    nfs_server_minor = 0;
    struct probe probe = nfs_probe_of(&fault);
    const struct result *found = NULL;
    probe.options.timeout = 200;
    chosen_add(&probe.options.cases, repeated[_i].test);
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count && found == NULL; i++)
        if (strcmp(probe.run.results.list[i].test, repeated[_i].test) == 0 &&
            probe.run.results.list[i].ending == repeated[_i].ending)
            found = &probe.run.results.list[i];
    ck_assert_msg(found != NULL, "%s: %s", probe.run.results.list[0].test,
                  probe.run.results.list[0].actual);
    ck_assert(!nfs_server_has_link);
    nfs_probe_end(&probe);
}
END_TEST

/* By version 4.0, or by 4.2 alone; without sessions there is no other. */
START_TEST(a_fault_is_found)
{
    bool in_session = _i >= (int)COUNT(faults);
    size_t at = (size_t)_i % COUNT(faults);
    enum nfs_fault fault = faults[at].fault;
    if (in_session && (fault == NO_SESSIONS || fault == NO_ACCESS || fault == SEQUENCE_LOST))
        return; /* no COMPOUND can succeed */
    nfs_server_minor = in_session ? 2 : 0;
    struct probe probe = nfs_probe_of(&fault);
    bool ended = false, accused = faults[at].rule == NULL;
    chosen_add(&probe.options.cases, faults[at].test);
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (strcmp(result->test, faults[at].test) == 0 && result->ending == faults[at].ending)
            ended = true;
        if (faults[at].rule && result->rule && strcmp(result->rule, faults[at].rule) == 0 &&
            ending_is_failure(result->ending))
            accused = true;
    }
    ck_assert_msg(ended, "%s does not end as it has to: %s", faults[at].test,
                  probe.run.results.list[0].actual);
    ck_assert_msg(accused, "%s is not found in %s", faults[at].rule, faults[at].test);
    nfs_probe_end(&probe);
}
END_TEST

/* What a server may or may not let a client do, now or ever, is no fault of its transport (RFC 7530
 * section 13.1); that it cannot read a Call which is well formed is one. */
static const struct {
    uint32_t status;
    enum ending ending;
} refusals[] = {
    {NFS_NFS4ERR_PERM, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_NOENT, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_ACCESS, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_NOTDIR, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_DELAY, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_GRACE, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_LOCKED, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_WRONGSEC, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_NOTSUPP, ENDING_NOT_APPLICABLE},
    {NFS_NFS4ERR_BADXDR, ENDING_WRONG},
    {NFS_NFS4ERR_INVAL, ENDING_WRONG},
    {NFS_NFS4ERR_SERVERFAULT, ENDING_WRONG},
    {NFS_NFS4ERR_OP_ILLEGAL, ENDING_WRONG},
};

START_TEST(a_refusal_is_told_from_a_fault)
{
    enum nfs_fault fault = NO_ACCESS;
    nfs_server_minor = 0;
    nfs_server_refusal = refusals[_i].status;
    struct probe probe = nfs_probe_of(&fault);
    chosen_add(&probe.options.cases, "nfs-read-1-in-1");
    nfs_probe_run(&probe);
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert_msg(probe.run.results.list[0].ending == refusals[_i].ending, "status %u: %s",
                  refusals[_i].status, probe.run.results.list[0].actual);
    nfs_probe_end(&probe);
    nfs_server_refusal = NFS_NFS4ERR_ACCESS;
}
END_TEST

/* A Call that is refused before the slot counts it: the next one has a session of its own. */
START_TEST(a_refused_call_leaves_the_slot_unsure)
{
    enum nfs_fault fault = NO_WRITE_LIST;
    nfs_server_minor = 1;
    struct probe probe = nfs_probe_of(&fault);
    chosen_add(&probe.options.cases, "nfs-readlink-in-1");
    nfs_probe_run(&probe);
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert(!nfs_server_has_link);
    ck_assert_int_eq(nfs_server_clients, 0);
    nfs_probe_end(&probe);
}
END_TEST

/* Wrong data that are the file's own of another place say of which. */
START_TEST(data_of_another_place_are_recognized)
{
    static const struct {
        enum nfs_fault fault;
        const char *test, *text;
    } rows[] = {
        {READ_PAGE_TWICE, "nfs-read-65536-in-1",
         "octet 8192 of 65536 that READ brought is 242, not 194; 4096 octets there are those of "
         "octet 4096 of the file"},
        {READ_WRONG, "nfs-read-64-inline", "octet 32 of 64 that READ brought is"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum nfs_fault fault = rows[i].fault;
        struct probe probe = nfs_probe_of(&fault);
        bool told = false;
        chosen_add(&probe.options.cases, rows[i].test);
        nfs_probe_run(&probe);
        for (size_t j = 0; j < probe.run.results.count; j++) {
            const char *actual = probe.run.results.list[j].actual;
            bool placed = actual && strstr(actual, "those of octet") != NULL;
            told = told ||
                   (actual && strstr(actual, rows[i].text) && placed == (fault == READ_PAGE_TWICE));
        }
        ck_assert_msg(told, "%s: not told: %s", rows[i].test, rows[i].text);
        nfs_probe_end(&probe);
    }
}
END_TEST

/* For each rule whose cases need NFS a server that breaks it. */
static const struct {
    const char *rule;
    enum nfs_fault fault;
} planted[] = {
    {"rfc8166/4.3.2.2/unconsumed-chunk-taken-next", FAILED_IN_CHUNK},
    {"rfc8166/6.1/ineligible-call-reported", SILENT_NAME},
    {"rfc8267/6.4.2/simple-lists-accepted", NO_WRITE_LIST},
    {"rfc8267/6.4.2/complexity-answered", SILENT_TWICE},
    {"rfc8167/4.3.2/server-receives", ANSWER_LOST},
};
#define PLANTED COUNT(planted)

static unsigned run_rule(enum nfs_fault fault, const char *rule)
{
    struct probe probe = nfs_probe_of(&fault);
    unsigned failed = 0;
    probe.options.timeout = 200;
    chosen_add(&probe.options.rules, rule);
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++)
        failed += ending_is_failure(probe.run.results.list[i].ending);
    ck_assert_uint_gt(probe.run.results.count, 0);
    nfs_probe_end(&probe);
    return failed;
}

START_TEST(a_planted_fault_is_found)
{
    ck_assert_uint_eq(run_rule(GOOD, planted[_i].rule), 0);
    ck_assert_msg(run_rule(planted[_i].fault, planted[_i].rule) > 0, "%s: not found",
                  planted[_i].rule);
}
END_TEST

START_TEST(each_rule_has_a_fault)
{
    for (const struct live_index_row *row = live_index; row->rule; row++) {
        bool found = strcmp(row->command, "probe") != 0 || strncmp(row->cases, "nfs", 3) != 0;
        for (size_t i = 0; i < PLANTED; i++)
            found = found || strcmp(planted[i].rule, row->rule) == 0;
        ck_assert_msg(found, "no planted fault breaks %s", row->rule);
    }
}
END_TEST

/* What is said of a fault in each case, as told.tsv has it. Returns how many of NFS failed. */
static unsigned tell(enum nfs_fault fault, const char *id)
{
    struct probe probe = nfs_probe_of(&fault);
    unsigned failed = 0;
    probe.options.hazards.all = true;
    probe.peer.forgets = true;
    ck_assert(probe_begin(&probe));
    probe.peer.has_nfs = true; /* though its first COMPOUND may have failed */
    probe_run_cases(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++)
        failed += is_nfs(&probe.run.results.list[i]) &&
                  ending_is_failure(probe.run.results.list[i].ending);
    digest_results(digest_of(id), &probe.run.results);
    ck_assert_uint_eq(digests_compare("rxe-harness/tests/told.tsv", id), 1);
    free(probe.run.stopped);
    nfs_probe_end(&probe);
    return failed;
}

START_TEST(each_fault_is_told_as_always)
{
    char id[64];
    snprintf(id, sizeof id, "NFS %d ", _i);
    tell((enum nfs_fault)_i, id);
}
END_TEST

/* The first words of results: status, no tag, how many there are, and two words of each. */
#define WORDS 40

START_TEST(each_word_of_results_counts)
{
    char id[64];
    nfs_server_word = (unsigned)_i;
    snprintf(id, sizeof id, "NFS word %d ", _i);
    unsigned failed = tell(WORD_CHANGED, id);
    ck_assert(failed > 0 || _i == 0 || _i >= 3); /* another status is a refusal */
    snprintf(id, sizeof id, "NFS cut %d ", _i);
    ck_assert_uint_gt(tell(WORDS_CUT, id), 0);
}
END_TEST

/* Conversations of READ and WRITE, with this server and a good one. */
static const struct {
    enum nfs_fault fault;
    enum ending ending; /* of the first that does not end as required */
} random_faults[] = {
    {GOOD, ENDING_REQUIRED},       {READ_WRONG, ENDING_WRONG},  {READ_SHORT_CHUNK, ENDING_WRONG},
    {READ_TOO_MUCH, ENDING_WRONG}, {WRITE_WRONG, ENDING_WRONG}, {NO_CHUNKS_BACK, ENDING_WRONG},
    {BAD_XDR, ENDING_TOLERATED}, /* NFS says no: its affair */
};
#define RANDOM_FAULTS ((int)COUNT(random_faults))

START_TEST(random_conversations_read_and_write)
{
    enum nfs_fault fault = random_faults[_i % RANDOM_FAULTS].fault, none = GOOD;
    enum ending wanted = random_faults[_i % RANDOM_FAULTS].ending, ending = ENDING_REQUIRED;
    struct random_conversation conversation;
    struct random_failure failure = {.ending = ENDING_REQUIRED};
    uint64_t calls = 0;
    nfs_server_minor = _i < RANDOM_FAULTS ? 0 : 2;
    nfs_server_clients = 0; /* of tests before it, where they do not fork */
    struct probe probe = nfs_probe_of(&fault), good = nfs_probe_of(&none);
    ck_assert(probe_begin(&probe) && probe_begin(&good));
    ck_assert(random_nfs_begin(&good));
    probe.against = &good;
    for (uint64_t seed = 0; seed < 300 && ending != wanted; seed++) {
        random_make(&conversation, seed, true);
        conversation.by_nfs = true;
        ck_assert(random_play_both(&probe, &conversation, &failure, &calls));
        ending = failure.ending;
        ck_assert_msg(ending == ENDING_REQUIRED || ending == wanted, "seed %u: %s", (unsigned)seed,
                      failure.text);
    }
    ck_assert_int_eq(ending, wanted);
    ck_assert(!failure.by_other);
    ck_assert_int_eq(nfs_server_clients, 0);
    nfs_probe_end(&good);
    nfs_probe_end(&probe);
}
END_TEST

/* A run of them, whose file is written first. */
START_TEST(a_random_run_reads_and_writes)
{
    enum nfs_fault fault = _i == 0 ? GOOD : READ_WRONG;
    const struct random_options options = {.play = random_play,
                                           .announces = true,
                                           .line = RANDOM_SEED(7),
                                           .time = 20000,
                                           .conversations = 60};
    struct probe probe = nfs_probe_of(&fault);
    bool is_told = false;
    nfs_server_minor = 0;
    ck_assert(probe_begin(&probe));
    random_run(&probe, &options);
    ck_assert_uint_gt(nfs_server_file_length, 0);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (ending_is_failure(result->ending))
            is_told = is_told ||
                      (strstr(result->comment, "READ") && strstr(result->actual, "other octets"));
    }
    ck_assert(is_told == (fault != GOOD));
    nfs_probe_end(&probe);
}
END_TEST

/* Of two peers both have to have it. */
START_TEST(the_file_is_looked_for_at_both)
{
    enum nfs_fault good = GOOD, none = GOOD;
    static const char wanted[] =
        "of --against, the peer has no regular file 'missing' (--nfs-file)";
    nfs_server_minor = 0;
    struct probe probe = nfs_probe_of(&good), other = nfs_probe_of(&none);
    ck_assert(probe_begin(&probe) && probe_begin(&other));
    probe.against = &other;
    probe_find_file(&probe);
    ck_assert_str_eq(probe.peer.no_file, "");
    none = NO_ACCESS;
    nfs_server_refusal = NFS_NFS4ERR_NOENT;
    other.options.nfs_file = "missing";
    probe_find_file(&probe);
    nfs_server_refusal = NFS_NFS4ERR_ACCESS;
    ck_assert_msg(strncmp(probe.peer.no_file, wanted, strlen(wanted)) == 0, "%s",
                  probe.peer.no_file);
    nfs_probe_end(&other);
    nfs_probe_end(&probe);
}
END_TEST

/* Nothing is written that was not named. */
START_TEST(without_a_file_nothing_is_written)
{
    enum nfs_fault fault = GOOD;
    struct probe probe = nfs_probe_of(&fault);
    unsigned untested = 0;
    probe.options.nfs_file = NULL;
    nfs_probe_run(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++)
        untested += is_nfs(&probe.run.results.list[i]) &&
                    probe.run.results.list[i].ending == ENDING_NOT_APPLICABLE;
    ck_assert_uint_gt(untested, 30);
    ck_assert_uint_eq(nfs_server_file_length, 0);
    nfs_probe_end(&probe);
}
END_TEST

/* A case whose Call does not fit into a Send is not applicable, and says so. */
START_TEST(a_call_that_does_not_fit_is_left_out)
{
    static const char deep[] = "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/"
                               "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/f";
    enum nfs_fault fault = GOOD;
    struct probe probe = nfs_probe_of(&fault);
    probe.options.nfs_file = deep;
    chosen_add(&probe.options.cases, "nfs-read-1-in-1");
    nfs_probe_run(&probe);
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert_int_eq(probe.run.results.list[0].ending, ENDING_NOT_APPLICABLE);
    ck_assert_ptr_nonnull(strstr(probe.run.results.list[0].actual, "does not fit"));
    nfs_probe_end(&probe);
}
END_TEST

/* Nor is one refused by the server a failure; what it says is in the text. */
START_TEST(a_refusal_is_reported)
{
    enum nfs_fault fault = NO_CREATE;
    struct probe probe = nfs_probe_of(&fault);
    chosen_add(&probe.options.cases, "nfs-create-link-in-1");
    nfs_probe_run(&probe);
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert_ptr_nonnull(strstr(probe.run.results.list[0].actual, "NFS status 30"));
    nfs_probe_end(&probe);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    struct nfs_compound compound;
    struct requester_call call = {.procedure = 0};
    nfs_begin(&compound);
    for (int i = 0; i < NFS_OPERATIONS; i++)
        nfs_getattr(&compound);
    ck_assert_ptr_null(nfs_encode(&compound, &call));
}
END_TEST

/* Whatever comes: no read beyond it, and no more than there is. */
START_TEST(results_may_be_anything)
{
    static const uint8_t good[] = {0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 24, 0, 0, 0, 0,
                                   0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2,  7, 8, 0, 0};
    struct requester_pending pending = {.xid = 1};
    struct nfs_results results;
    for (size_t length = 0; length <= sizeof good; length++) {
        uint8_t *octets = malloc(length + 1);
        memcpy(octets, good, length);
        const struct requester_reply reply = {.results = octets, .results_length = length};
        bool whole = nfs_read_results(&pending, &reply, &results);
        ck_assert_int_eq(whole, length == sizeof good);
        ck_assert(whole || results.wrong[0] != '\0');
        free(octets);
    }
    ck_assert_uint_eq(results.item_count, 1);
    ck_assert_uint_eq(results.items[0].length, 2);
    uint8_t octets[sizeof good];
    for (size_t i = 0; i < 8 * sizeof good; i++) {
        memcpy(octets, good, sizeof good);
        octets[i / 8] ^= (uint8_t)(1 << i % 8);
        const struct requester_reply reply = {
            .results = octets, .results_length = sizeof octets, .chunks = 1, .chunk_lengths = {9}};
        if (nfs_read_results(&pending, &reply, &results))
            ck_assert_uint_le(results.item_count, 1);
    }
}
END_TEST

/* With CK_FORK=no all tests share it. */
static void reset_minor(void)
{
    nfs_server_minor = 0;
}

int main(void)
{
    TCase *tests = tcase_create("probe_nfs");
    tcase_add_checked_fixture(tests, reset_minor, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_good_server_is_good, 0, 3);
    tcase_add_test(tests, data_of_another_place_are_recognized);
    tcase_add_test(tests, a_refused_call_leaves_the_slot_unsure);
    tcase_add_loop_test(tests, a_refusal_is_told_from_a_fault, 0, COUNT(refusals));
    tcase_add_loop_test(tests, a_fault_is_found, 0, 2 * COUNT(faults));
    tcase_add_loop_test(tests, what_comes_again_is_answered, 0, COUNT(repeated));
    tcase_add_loop_test(tests, a_planted_fault_is_found, 0, PLANTED);
    tcase_add_loop_test(tests, each_fault_is_told_as_always, 0, READ_PAGE_TWICE + 1);
    tcase_add_loop_test(tests, each_word_of_results_counts, 0, WORDS);
    tcase_add_test(tests, each_rule_has_a_fault);
    tcase_add_loop_test(tests, random_conversations_read_and_write, 0, 2 * RANDOM_FAULTS);
    tcase_add_loop_test(tests, a_random_run_reads_and_writes, 0, 2);
    tcase_add_test(tests, the_file_is_looked_for_at_both);
    tcase_add_test(tests, without_a_file_nothing_is_written);
    tcase_add_test(tests, a_call_that_does_not_fit_is_left_out);
    tcase_add_test(tests, a_refusal_is_reported);
    tcase_add_test(tests, what_does_not_fit_is_refused);
    tcase_add_test(tests, results_may_be_anything);
    return run_tests("probe_nfs", tests);
}
