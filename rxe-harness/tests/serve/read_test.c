// SPDX-License-Identifier: BSD-3-Clause
/* What a client read: the lines that say it, and which shapes of Replies show which fault. */
#include "rxe-harness/serve/nfs_client.h"
#include "rxe-harness/serve/read_client.h"
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/serve_stage.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- lines ---- */

/* The sum of a file's first octets; `damage`: one of them is another. */
static uint32_t sum_of(uint32_t edition, const char *name, size_t length, bool damage)
{
    static uint8_t octets[CONTENT_SIZE + 1];
    content_fill(edition, content_file(name, strlen(name)), 0, octets, length);
    octets[length / 2] ^= damage;
    return told_sum_end(told_sum(0, octets, length), length);
}

static void wrong_is(const struct told_reads *told, const char *text)
{
    ck_assert_msg(text ? strstr(told->wrong, text) != NULL : told->wrong[0] == '\0',
                  "'%s' says '%s'", text ? text : "", told->wrong);
}

START_TEST(the_sum_is_that_of_cksum)
{
    ck_assert_uint_eq(told_sum_end(0, 0), 4294967295u);
    ck_assert_uint_eq(told_sum_end(told_sum(0, (const uint8_t *)"123456789", 9), 9), 930766865u);
}
END_TEST

START_TEST(the_content_follows_from_its_place)
{
    uint8_t whole[100], part[60], other[100];
    content_fill(3, 7, 1000, whole, sizeof whole);
    content_fill(3, 7, 1037, part, sizeof part);
    ck_assert_mem_eq(whole + 37, part, sizeof part);
    static const struct {
        uint32_t edition, file;
        uint64_t offset;
    } others[] = {{3, 7, 1004}, {3, 7, 1008}, {3, 8, 1000}, {4, 7, 1000}, {7, 3, 1000}};
    for (size_t i = 0; i < COUNT(others); i++) {
        size_t same = 0;
        content_fill(others[i].edition, others[i].file, others[i].offset, other, sizeof other);
        for (size_t at = 0; at < sizeof other; at++)
            same += whole[at] == other[at];
        ck_assert_uint_lt(same, 8);
    }
}
END_TEST

START_TEST(wrong_data_is_told_from_right)
{
    static const struct {
        uint32_t edition; /* of what is read in case 5 */
        size_t length;
        bool damage;
        const char *wrong; /* or NULL */
        unsigned right;
    } rows[] = {{5, CONTENT_SIZE, false, NULL, 1},
                {5, CONTENT_SIZE, true, "octets that are not its", 0},
                {6, CONTENT_SIZE, false, "octets that are not its", 0},
                {5, CONTENT_SIZE - 1, false, "61442 of 61443 octets, without an error", 0},
                {5, 4096, true, "which are not its own", 0},
                {5, 0, false, "0 of 61443 octets, without an error", 0},
                {5, CONTENT_SIZE + 1, false, "has 61444 octets", 0},
                {4, CONTENT_SIZE, false, NULL, 0}, /* late */
                {3, CONTENT_SIZE, false, "octets of an earlier case", 0},
                {2, CONTENT_SIZE, false, "octets of an earlier case", 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct told_reads told = {.source = -1};
        told_begin(&told, 3);
        told_read(&told, "file", sum_of(3, "file", CONTENT_SIZE, false), CONTENT_SIZE);
        ck_assert_uint_eq(told.right, 1);
        told_begin(&told, 5);
        told_read(&told, "/mnt/file",
                  sum_of(rows[i].edition, "file", rows[i].length, rows[i].damage), rows[i].length);
        wrong_is(&told, rows[i].wrong);
        ck_assert_uint_eq(told.right, rows[i].right);
    }
}
END_TEST

/* Of an earlier case's data only those that were not read yet are late: once. */
START_TEST(late_data_come_once)
{
    static const struct {
        uint32_t first, then; /* editions of what is read in case 5 */
        bool wrong;
    } rows[] = {{4, 4, true}, {4, 3, true}, {3, 4, false}, {5, 4, true}, {4, 5, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct told_reads told = {.source = -1};
        told_begin(&told, 5);
        told_read(&told, "file", sum_of(rows[i].first, "file", CONTENT_SIZE, false), CONTENT_SIZE);
        wrong_is(&told, NULL);
        told_read(&told, "file", sum_of(rows[i].then, "file", CONTENT_SIZE, false), CONTENT_SIZE);
        wrong_is(&told, rows[i].wrong ? "octets of an earlier case" : NULL);
        ck_assert_uint_eq(told.right, rows[i].first == 5 || rows[i].then == 5);
        told_begin(&told, 6); /* nothing of that is said of the next case */
        wrong_is(&told, NULL);
        ck_assert_uint_eq(told.right, 0);
    }
}
END_TEST

/* Up to a number of files; data of others count as well. */
START_TEST(files_are_remembered)
{
    struct told_reads told = {.source = -1};
    char name[16];
    told_begin(&told, 5);
    for (unsigned times = 0; times < 2; times++)
        for (unsigned i = 0; i < TOLD_FILES + 2; i++) {
            snprintf(name, sizeof name, "file%u", i);
            told_read(&told, name, sum_of(5, name, CONTENT_SIZE, false), CONTENT_SIZE);
        }
    wrong_is(&told, NULL);
    ck_assert_uint_eq(told.files, TOLD_FILES);
    ck_assert_uint_eq(told.right, 2 * (TOLD_FILES + 2));
    snprintf(name, sizeof name, "file%u", TOLD_FILES - 1);
    told_read(&told, name, sum_of(4, name, CONTENT_SIZE, false), CONTENT_SIZE);
    wrong_is(&told, "octets of an earlier case");
}
END_TEST

/* What is said of a case, and how it ends: of data that were read, that are wrong, or of none. */
START_TEST(endings_follow_from_what_was_read)
{
    static const struct {
        enum told_wanted wanted;
        bool right, wrong, decided;
        enum ending ending;
        const char *text;
    } rows[] = {
        {TOLD_RECEIVED, false, true, true, ENDING_REQUIRED, "the Reply was received"},
        {TOLD_DATA, true, false, true, ENDING_REQUIRED, "the right data"},
        {TOLD_DATA, false, false, true, ENDING_WRONG, "not read, though the Reply is right: why"},
        {TOLD_DATA, true, true, true, ENDING_WRONG, "wrong"},
        {TOLD_ERROR, false, false, true, ENDING_REQUIRED, "not read: why"},
        {TOLD_ERROR, true, false, true, ENDING_WRONG, "the data are taken all the same"},
        {TOLD_DATA_OR_ERROR, true, false, true, ENDING_REQUIRED, "the right data"},
        {TOLD_DATA_OR_ERROR, false, false, true, ENDING_REQUIRED, "not read: why"},
        {TOLD_DATA_OR_ERROR, false, true, true, ENDING_WRONG, "wrong"},
        {TOLD_ANYTHING, true, false, false, ENDING_WRONG, NULL},
        {TOLD_ANYTHING, false, true, true, ENDING_WRONG, "wrong"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct told_reads told = {.source = -1, .right = rows[i].right};
        enum ending ending;
        char text[256] = "";
        if (rows[i].wrong)
            strcpy(told.wrong, "wrong");
        ck_assert_int_eq(told_ending(&told, rows[i].wanted, "why", &ending, text), rows[i].decided);
        ck_assert_msg(ending == rows[i].ending, "row %zu", i);
        if (rows[i].text)
            ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

START_TEST(another_files_data_are_wrong)
{
    struct told_reads told = {.source = -1};
    told_begin(&told, 5);
    told_read(&told, "b", sum_of(5, "a", CONTENT_SIZE, false), CONTENT_SIZE);
    wrong_is(&told, "'b' has 61443 octets that are not its 61443");
}
END_TEST

/* Lines come in parts; some are none of cksum's; one is longer than any line. */
START_TEST(lines_are_read_as_they_come)
{
    char path[] = "/tmp/told.XXXXXX", line[100];
    int file = mkstemp(path);
    struct told_reads told;
    ck_assert_int_ge(file, 0);
    ck_assert(told_open(&told, path));
    told_begin(&told, 2);
    told_take(&told);
    int length = snprintf(line, sizeof line, "%u %u /mnt/a b\n",
                          sum_of(2, "a b", CONTENT_SIZE, false), CONTENT_SIZE);
    ck_assert_int_eq(write(file, line, 9), 9);
    told_take(&told);
    ck_assert_uint_eq(told.right, 0);
    ck_assert_int_eq(write(file, line + 9, (size_t)length - 9), length - 9);
    told_take(&told);
    ck_assert_uint_eq(told.right, 1);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(write(file, "0123456789012345678901234567890", 31), 31);
    static const char rest[] = "\n\n17\n17 4096\n-1 x y\n";
    ck_assert_int_eq(write(file, rest, sizeof rest - 1), sizeof rest - 1);
    told_take(&told);
    wrong_is(&told, NULL);
    ck_assert_int_eq(write(file, "1 61443 /mnt/a b\n", 17), 17);
    told_take(&told);
    wrong_is(&told, "'a b'");
    told_close(&told);
    close(file);
    unlink(path);
    ck_assert(!told_open(&told, "/nowhere/told"));
}
END_TEST

START_TEST(a_source_without_end_does_not_hold_us)
{
    struct told_reads told;
    ck_assert(told_open(&told, "/dev/zero"));
    told_begin(&told, 1);
    told_take(&told);
    told_close(&told);
}
END_TEST

/* ---- shapes and faults ---- */

static const struct read_row {
    unsigned fault;    /* enum read_fault, or enum reads_fault */
    const char *found; /* by these cases, a space after each */
    const char *how;   /* what one of them says */
} faults[] = {
    {READ_FAULTLESS, "", ""},
    {READ_TRUSTS_CHUNK,
     "read-inline-chunk-unused read-nowhere-chunk-unused "
     "read-inline-chunk-empty read-inline-chunk-absent read-nowhere-chunk-empty "
     "read-nowhere-chunk-absent "
     "read-segments-with-gaps read-chunk-shorter ",
     "wrong data"},
    {READ_TAKES_INLINE, "read-inline-chunk-unused ", "taken all the same"},
    {READ_IGNORES_GAPS, "read-segments-with-gaps ", "wrong data"},
    {READ_BELIEVES_COUNT, "read-segments-with-gaps read-chunk-shorter ", "wrong data"},
    {READ_BELIEVES_CHUNK, "read-chunk-shorter read-chunk-longer ", "wrong data"},
    {READ_IGNORES_STATUS, "read-failed-chunk-used ", "wrong data"},
    {READ_LOOSE_ITEMS, "read-inline-attributes-in-chunk ", "taken all the same"},
    {READ_FIXED_HEAD, "read-short-results ", "wrong data"},
};

/* Of several READs at once. */
static const struct read_row several[] = {
    {READS_FAULTLESS, "", ""},
    {READS_SECOND_INTO_FIRST, "read-several-plainly ", "wrong data"},
    {READS_COUNTS_USED, "read-several-plainly ", "wrong data"},
    {READS_NOTHING_IN_NONE, "read-several-plainly ", "wrong data"},
    {READS_TAKES_INLINE, "read-several-second-inline-chunk-unused ", "taken all the same"},
    {READS_TRUSTS_LIST,
     "read-several-first-nowhere-chunk-unused read-several-list-shorter "
     "read-several-second-chunk-shorter ",
     "wrong data"},
    {READS_IGNORES_STATUS, "read-several-second-failed ", "wrong data"},
};

static void meet(const struct serve_case *test_case, unsigned fault, struct results *results)
{
    struct told_reads told = {.source = -1};
    struct serve_stage stage = {.test_case = test_case, .serve.told = &told};
    struct nfs4 *nfs4 = stage.serve.nfs4 = nfs4_new(false);
    const struct link_options options = *responder_options();
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    char text[256];
    if (test_case->several > 0)
        serve_nfs_reader(requester, (enum reads_fault)fault, &told, text);
    else
        read_client(requester, (enum read_fault)fault, &told, text);
    requester_close(requester);
    transport->ops->close(transport);
    nfs4_free(nfs4);
    *results = stage.serve.results;
}

static void find(const struct read_row *row, bool of_several)
{
    char found[1024] = "";
    bool told = row->how[0] == '\0';
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        struct results results;
        if (it->shape == 0 || (it->several > 0) != of_several)
            continue;
        meet(it, row->fault, &results);
        ck_assert_uint_eq(results.count, 1);
        const struct result *result = &results.list[0];
        ck_assert_msg(result->ending != ENDING_NOT_APPLICABLE, "%s: %s", it->id, result->actual);
        if (ending_is_failure(result->ending)) {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", it->id);
            ck_assert_str_eq(result->rule, it->rule);
            told = told || strstr(result->actual, row->how);
        }
        results_free(&results);
    }
    ck_assert_str_eq(found, row->found);
    ck_assert(told);
}

START_TEST(a_fault_is_found_by_what_was_read)
{
    find(&faults[_i], false);
}
END_TEST

START_TEST(a_fault_with_several_is_found_by_what_was_read)
{
    find(&several[_i], true);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("read");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_sum_is_that_of_cksum);
    tcase_add_test(tests, the_content_follows_from_its_place);
    tcase_add_test(tests, wrong_data_is_told_from_right);
    tcase_add_test(tests, late_data_come_once);
    tcase_add_test(tests, files_are_remembered);
    tcase_add_test(tests, endings_follow_from_what_was_read);
    tcase_add_test(tests, another_files_data_are_wrong);
    tcase_add_test(tests, lines_are_read_as_they_come);
    tcase_add_test(tests, a_source_without_end_does_not_hold_us);
    tcase_add_loop_test(tests, a_fault_is_found_by_what_was_read, 0, COUNT(faults));
    tcase_add_loop_test(tests, a_fault_with_several_is_found_by_what_was_read, 0, COUNT(several));
    return run_tests("read", tests);
}
