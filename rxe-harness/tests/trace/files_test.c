// SPDX-License-Identifier: BSD-3-Clause
/* Files of limited size: the latest are kept. */
#include "rxe-harness/trace/files.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/files_test.XXXXXX", name[64];

static void set_up(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/t.pcapng", folder);
}

/* Its octets, or -1 where it is not there. */
static long size_of(unsigned number)
{
    struct stat status;
    char *file = number > 0 ? trace_file_name(name, number) : strdup(name);
    long size = stat(file, &status) == 0 ? (long)status.st_size : -1;
    unlink(file);
    free(file);
    return size;
}

START_TEST(names)
{
    static const struct {
        const char *name, *third;
    } rows[] = {{"t.pcapng", "t-3.pcapng"},
                {"t", "t-3"},
                {"a.b/t", "a.b/t-3"},
                {"a.b/t.x.pcapng", "a.b/t.x-3.pcapng"},
                {".hidden", ".hidden-3"},
                {"a/.hidden", "a/.hidden-3"},
                {"a/.hidden.pcapng", "a/.hidden-3.pcapng"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *made = trace_file_name(rows[i].name, 3);
        ck_assert_str_eq(made, rows[i].third);
        free(made);
    }
}
END_TEST

static void write_some(struct trace_files *files, size_t octets)
{
    for (size_t i = 0; i < octets; i++)
        putc('x', files->output.stream);
}

START_TEST(one_file_of_any_size)
{
    struct trace_files files = {.name = name};
    FILE *out = trace_files_begin(&files);
    struct capture_file *capture = capture_create(out, SIZE_MAX);
    write_some(&files, 5000);
    ck_assert(trace_files_turn(&files, capture));
    ck_assert_ptr_eq(files.output.stream, out);
    ck_assert(capture_finish(capture));
    ck_assert(trace_files_end(&files, true));
    ck_assert_int_gt(size_of(0), 5000);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Two of five are kept; what another run left is not touched. */
START_TEST(the_latest_are_kept)
{
    struct trace_files files = {.name = name, .size = 1000, .keep = 2};
    struct capture_file *capture = capture_create(trace_files_begin(&files), SIZE_MAX);
    char *other = trace_file_name(name, 6);
    FILE *before = fopen(other, "w");
    fclose(before);
    free(other);
    for (int i = 0; i < 4; i++) {
        write_some(&files, 500);
        ck_assert(trace_files_turn(&files, capture)); /* not yet */
        ck_assert_uint_eq(files.number, i + 1);
        write_some(&files, 500);
        ck_assert(trace_files_turn(&files, capture));
        ck_assert_uint_eq(files.number, i + 2);
    }
    ck_assert(capture_finish(capture));
    ck_assert(trace_files_end(&files, true));
    for (unsigned i = 1; i <= 3; i++)
        ck_assert_int_eq(size_of(i), -1);
    long whole = size_of(4), last = size_of(5);
    ck_assert_int_ge(whole, 1000);
    ck_assert_int_gt(last, 0); /* a capture without a frame */
    ck_assert_int_lt(last, 1000);
    ck_assert_int_eq(size_of(6), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Where there is no room for the next one, the one at work goes on. */
START_TEST(the_next_cannot_be_begun)
{
    struct trace_files files = {.name = name, .size = 1000};
    struct capture_file *capture = capture_create(trace_files_begin(&files), SIZE_MAX);
    char *second = trace_file_name(name, 2);
    ck_assert_int_eq(symlink(second, second), 0); /* it leads to itself */
    FILE *out = files.output.stream;
    write_some(&files, 1000);
    ck_assert(!trace_files_turn(&files, capture));
    ck_assert_ptr_eq(files.output.stream, out);
    write_some(&files, 1000);
    ck_assert(capture_finish(capture));
    ck_assert(trace_files_end(&files, true));
    ck_assert_int_ge(size_of(1), 2000);
    unlink(second);
    free(second);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("files of a trace");
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, one_file_of_any_size);
    tcase_add_test(tests, the_latest_are_kept);
    tcase_add_test(tests, the_next_cannot_be_begun);
    suite_add_tcase(suite, tests);
    TCase *of_names = tcase_create("names");
    tcase_add_test(of_names, names);
    suite_add_tcase(suite, of_names);
    return run_suite(suite);
}
