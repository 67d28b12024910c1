// SPDX-License-Identifier: BSD-3-Clause
/* The log of a peer: what is read of it when, to which case it is put down, what is written into
 * it. */
#include "rxe-harness/report/peer_log.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static char path[] = P_tmpdir "/peer-log-XXXXXX";
static struct peer_log peer;
static struct results results;

static void begin(void)
{
    strcpy(path + sizeof path - 7, "XXXXXX");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq((int)write(descriptor, "Oops before\n", 12), 12);
    close(descriptor);
    results = (struct results){0};
    peer = (struct peer_log){.path = path};
    ck_assert(peer_log_begin(&peer));
}

static void end(void)
{
    peer_log_end(&peer);
    results_free(&results);
    unlink(path);
}

static void add(const char *text, int flags)
{
    int descriptor = open(path, O_WRONLY | flags);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq((int)write(descriptor, text, strlen(text)), (int)strlen(text));
    close(descriptor);
}

/* What the turn after a case of this name makes a result of, or NULL. */
static const char *turn(const char *ended)
{
    static const struct live_case next = {"probe", "next", "comment"};
    size_t before = results.count;
    peer.running = (struct live_case){"probe", ended, "comment"};
    peer_log_turn(&peer, &results, &next);
    ck_assert_uint_le(results.count, before + 1);
    if (results.count == before)
        return NULL;
    const struct result *result = &results.list[before];
    ck_assert_int_eq(result->ending, ENDING_CRASHED);
    ck_assert_str_eq(result->test, ended);
    ck_assert_int_eq(strncmp(result->actual, peer.path, strlen(peer.path)), 0);
    return result->actual + strlen(peer.path) + 2;
}

/* Lines as kernels and sanitizers write them; and such as tell of no crash. */
static const struct {
    const char *line;
    bool tells;
} lines[] = {
    {"BUG: KASAN: slab-use-after-free in svc_rdma_recvfrom+0x1/0x2", true},
    {"WARNING: CPU: 1 PID: 99 at net/sunrpc/xprt.c:1 f+0x1/0x2", true},
    {"WARNING: possible circular locking dependency detected", true},
    {"INFO: task nfsd:99 blocked for more than 30 seconds.", true},
    {"general protection fault, probably for non-canonical address 0xdead", true},
    {"kernel BUG at lib/list_debug.c:59!", true},
    {"Oops: 0000 [#1] PREEMPT SMP KASAN", true},
    {"UBSAN: array-index-out-of-bounds in net/sunrpc/x.c:7:1", true},
    {"==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x1", true},
    {"x.c:3:1: runtime error: load of misaligned address", true},
    {"traps: server[281] general protection fault ip:1 sp:2 error:0", false},
    {"Out of memory: Killed process 487 (server)", false},
    {"nfsd: last server has exited, flushing export cache", false},
};

START_TEST(a_line_tells_or_does_not)
{
    char text[256];
    snprintf(text, sizeof text, "%s\n", lines[_i].line);
    add(text, O_APPEND);
    const char *said = turn("one");
    ck_assert_int_eq(said != NULL, lines[_i].tells);
    ck_assert(said == NULL || strcmp(said, lines[_i].line) == 0);
    ck_assert_ptr_null(turn("two"));
}
END_TEST

/* One result a case, the first line; and the case after has one of its own. */
START_TEST(the_first_line_of_each_case)
{
    ck_assert_ptr_null(turn("before anything"));
    add("all is well\nBUG: 1\nBUG: 2\n", O_APPEND);
    ck_assert_str_eq(turn("one"), "BUG: 1");
    ck_assert_ptr_null(turn("two"));
    add("BUG: 3\n", O_APPEND);
    ck_assert_str_eq(turn("three"), "BUG: 3");
}
END_TEST

/* Half a line says nothing yet. */
START_TEST(a_line_in_two_parts)
{
    add("BUG: the first", O_APPEND);
    ck_assert_ptr_null(turn("one"));
    add(" half\n", O_APPEND);
    ck_assert_str_eq(turn("two"), "BUG: the first half");
}
END_TEST

START_TEST(a_file_begun_anew)
{
    ck_assert_ptr_null(turn("one"));
    add("Oops\n", O_TRUNC);
    ck_assert_str_eq(turn("two"), "Oops");
}
END_TEST

/* A line without an end is cut, and what comes after it is a line again. */
START_TEST(a_line_without_end)
{
    char text[5000];
    memset(text, 'x', sizeof text);
    memcpy(text, "BUG:", 4);
    text[sizeof text - 1] = '\0';
    add(text, O_APPEND);
    ck_assert_ptr_null(turn("one"));
    add("\nOops\n", O_APPEND);
    const char *said = turn("two");
    ck_assert_uint_lt(strlen(said), sizeof peer.line);
    ck_assert_int_eq(strncmp(said, "BUG:xxx", 7), 0);
    add("Oops\n", O_APPEND);
    ck_assert_str_eq(turn("three"), "Oops");
}
END_TEST

/* Before the first case there is none to put it down to. */
START_TEST(what_no_case_did)
{
    add("Oops\n", O_APPEND);
    ck_assert_ptr_null(turn(NULL));
    ck_assert_ptr_null(turn("one"));
}
END_TEST

START_TEST(no_such_log)
{
    struct peer_log none = {.path = "/proc/no such file"}, folder = {.path = "/"};
    ck_assert(!peer_log_begin(&none));
    ck_assert(!peer_log_begin(&folder));
}
END_TEST

/* As /dev/kmsg does: it takes names, and gives records. */
START_TEST(a_log_that_takes_lines)
{
    char name[256], text[64] = "";
    struct termios settings;
    int kernel, other;
    ck_assert_int_eq(openpty(&kernel, &other, name, NULL, NULL), 0);
    ck_assert_int_eq(tcgetattr(other, &settings), 0);
    cfmakeraw(&settings);
    ck_assert_int_eq(tcsetattr(other, TCSANOW, &settings), 0);
    peer_log_end(&peer);
    peer = (struct peer_log){.path = name};
    ck_assert(peer_log_begin(&peer));
    static const char record[] = "4,1071,52391,-;BUG: in a record\n SUBSYSTEM=net\n";
    ck_assert_int_eq((int)write(kernel, record, sizeof record - 1), (int)sizeof record - 1);
    ck_assert_str_eq(turn("one"), "BUG: in a record");
    ck_assert_int_gt((int)read(kernel, text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "rpcrdma: next\n");
    peer_log_turn(&peer, &results, NULL); /* after the last case there is no name to take */
    ck_assert_int_eq(fcntl(kernel, F_SETFL, O_NONBLOCK), 0);
    ck_assert_int_lt((int)read(kernel, text, sizeof text - 1), 0);
    close(kernel);
    close(other);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("peer log");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, a_line_tells_or_does_not, 0, COUNT(lines));
    tcase_add_test(tests, the_first_line_of_each_case);
    tcase_add_test(tests, a_line_in_two_parts);
    tcase_add_test(tests, a_file_begun_anew);
    tcase_add_test(tests, a_line_without_end);
    tcase_add_test(tests, what_no_case_did);
    tcase_add_test(tests, no_such_log);
    tcase_add_test(tests, a_log_that_takes_lines);
    return run_tests("peer log", tests);
}
