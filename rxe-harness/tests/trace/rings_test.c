// SPDX-License-Identifier: BSD-3-Clause
/* What stands in the rings of several processors comes in the order of time, and each function's
 * entry as one. The kernel's folder is one of files here. */
#include "rxe-harness/tests/support/links/page_stage.h"
#include "rxe-harness/tests/support/links/sighting_stage.h"
#include "rxe-harness/trace/trace.h"

#include "conformance/base/count.h"
#include "conformance/input/source.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
enum { HEAD = 28, REST = 40 }; /* octets of a Send, in the first record and in the second */
enum { SENDS = 10, MORE, RECEIVES, OTHERS };

static struct tracefs tracefs;
static struct trace *trace;
static char folder[] = "/tmp/rings_test.XXXXXX", error[256];

static void add_event(const char *name, unsigned id, const struct ring_field *fields, size_t count)
{
    struct tracefs_event *event = &tracefs.events[tracefs.count++];
    snprintf(event->name, sizeof event->name, "%s", name);
    event->format = (struct ring_format){.id = id, .count = (unsigned)count};
    memcpy(event->format.fields, fields, count * sizeof *fields);
}

/* Which entry it was; where one of the two is equal, it may be another one. */
static const struct ring_field
    sends[] = {{"common_pid", 4, 4}, {"entry0", 2, 1},   {"entry1", 3, 1},
               {"connection", 8, 8}, {"header", 16, 8},  {"pieces", 24, 8},
               {"length0", 32, 8},   {"length1", 40, 8}, {"octets0", 48, HEAD}},
    more[] = {{"common_pid", 4, 4}, {"entry0", 2, 1}, {"entry1", 3, 1}, {"head0", 8, REST}},
    receives[] = {
        {"common_pid", 4, 4}, {"connection", 8, 8}, {"length", 16, 8}, {"octets0", 24, HEAD}};

static void set_up(void)
{
    rings_make(folder, 2);
    tracefs = (struct tracefs){.root = folder, .lock = -1};
    strcpy(tracefs.instance, folder);
    add_event("client_sends", SENDS, sends, COUNT(sends));
    add_event("client_receives", RECEIVES, receives, COUNT(receives));
    add_event("client_receiver", OTHERS, receives, COUNT(receives)); /* a name as long */
    add_event("client_sends_more", MORE, more, COUNT(more));
    stage_begin();
    stage_connect_client();
    trace = trace_open(&tracefs, stage.assembler, error, sizeof error);
    ck_assert_msg(trace != NULL, "%s", error);
}

static void tear_down(void)
{
    trace_close(trace);
    rings_remove(folder);
}

static void put(uint16_t id, uint32_t pid, uint32_t delta, uint8_t *record, size_t length)
{
    memcpy(record, &id, sizeof id);
    memcpy(record + 4, &pid, sizeof pid);
    page_record(0, delta, record, length);
}

/* The first octets of a Call: header and a head, whose rest is in the other record. */
static void put_send(uint32_t pid, uint32_t delta, uint32_t xid)
{
    const uint64_t numbers[] = {ID, HEAD, 2, HEAD, REST};
    uint8_t record[48 + HEAD] = {0};
    memcpy(record + 8, numbers, sizeof numbers);
    record[2] = xid % 2;
    record[3] = (uint8_t)xid;
    rpcrdma_xdr_store32(record + 48, xid);
    rpcrdma_xdr_store32(record + 48 + 4, 1);
    rpcrdma_xdr_store32(record + 48 + 8, 1);
    put(SENDS, pid, delta, record, sizeof record);
}

static void put_more(uint32_t pid, uint32_t delta, uint32_t xid)
{
    uint8_t record[8 + REST] = {0};
    record[2] = xid % 2;
    record[3] = (uint8_t)xid;
    rpcrdma_xdr_store32(record + 8, xid);
    put(MORE, pid, delta, record, sizeof record);
}

/* A Send of the server's, which one record has whole. */
static void put_receive(uint32_t xid)
{
    const uint64_t numbers[] = {ID, HEAD};
    uint8_t record[24 + HEAD] = {0};
    memcpy(record + 8, numbers, sizeof numbers);
    rpcrdma_xdr_store32(record + 24, xid);
    rpcrdma_xdr_store32(record + 24 + 4, 1);
    rpcrdma_xdr_store32(record + 24 + 8, 1);
    put(RECEIVES, PID, 0, record, sizeof record);
}

static void put_both(uint32_t pid, uint32_t delta, uint32_t xid)
{
    put_send(pid, delta, xid);
    put_more(pid, 0, xid);
}

static void end_page(unsigned processor, uint64_t flags)
{
    page_commit(flags);
    rings_fill(folder, processor);
}

static void read_page(unsigned processor, uint64_t flags)
{
    end_page(processor, flags);
    trace_read(trace, false);
}

static void next_page(uint64_t time)
{
    end_page(0, 0);
    page_begin(time);
}

/* ---- what came of them ---- */

static struct {
    uint32_t xid;
    bool whole; /* and its rest is its own */
    int64_t time;
} came[80];
static unsigned count, gaps;

static bool on_event(void *arg, const struct source_event *source)
{
    const struct rpcrdma_event *event = &source->event;
    (void)arg;
    gaps += event->type == RPCRDMA_EVENT_GAP;
    if (event->type != RPCRDMA_EVENT_SEND)
        return true;
    ck_assert_uint_lt(count, COUNT(came));
    came[count].xid = rpcrdma_xdr_load32(event->data);
    came[count].time = source->time;
    came[count].whole = event->missing == 0;
    if (event->length > HEAD)
        ck_assert_uint_eq(rpcrdma_xdr_load32((const uint8_t *)event->data + HEAD), came[count].xid);
    else if (event->missing > 0)
        ck_assert_uint_eq(event->missing, REST);
    count++;
    return true;
}

/* All that is left is read, and the capture that was made of it. */
static void finish(void)
{
    const struct source_options options = {.port = 20049, .memory = 16u << 20};
    const struct source_sink sink = {.event = on_event};
    struct source_counts counts = {0};
    trace_read(trace, true);
    ck_assert(capture_finish(stage.capture));
    fclose(stage.stream);
    count = gaps = 0;
    ck_assert_msg(source_read(stage.file, &options, &sink, &counts, error, sizeof error), "%s",
                  error);
    assembler_free(stage.assembler);
    unlink(stage.file);
}

static void finish_page(void)
{
    end_page(0, 0);
    finish();
}

static void came_in_order(uint32_t all)
{
    ck_assert_uint_eq(count, all);
    for (uint32_t i = 0; i < all; i++)
        ck_assert_uint_eq(came[i].xid, i + 1);
}

static uint64_t sends_so_far(void)
{
    return assembler_counts(stage.assembler)->sends;
}

static void are_lost(uint64_t overwritten, uint64_t missed, uint64_t broken)
{
    const struct trace_losses *losses = trace_losses(trace);
    ck_assert_uint_eq(losses->overwritten, overwritten);
    ck_assert_uint_eq(losses->missed, missed);
    ck_assert_uint_eq(losses->broken, broken);
}

/* ---- order ---- */

/* Of one time: as they were read. */
START_TEST(records_come_in_the_order_of_time)
{
    uint64_t past = monotonic(-SECOND);
    page_begin(past);
    put_both(1, 0, 3);
    put_both(1, 20, 6);
    next_page(past + 30);
    put_both(1, 0, 7);
    next_page(past - 10);
    put_both(2, 0, 1);
    put_both(2, 5, 2);
    put_both(2, 5, 4);
    put_both(2, 10, 5);
    end_page(1, 0);
    finish();
    came_in_order(7);
    for (uint32_t i = 0; i < count; i++)
        ck_assert(came[i].whole);
    ck_assert_uint_eq(gaps, 0);
}
END_TEST

START_TEST(records_have_their_time)
{
    struct timespec before, after;
    clock_gettime(CLOCK_REALTIME, &before);
    page_begin(monotonic(-3 * SECOND));
    put_both(1, 0, 1);
    put_both(1, 2000, 2);
    end_page(0, 0);
    clock_gettime(CLOCK_REALTIME, &after);
    finish();
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(came[1].time - came[0].time, 2000);
    /* How the clocks differ was asked one after the other. */
    ck_assert_int_ge(came[0].time + 3 * SECOND, before.tv_sec * SECOND + before.tv_nsec - SECOND);
    ck_assert_int_le(came[0].time + 3 * SECOND, after.tv_sec * SECOND + after.tv_nsec);
}
END_TEST

/* Another processor may have seen something before what is new. */
START_TEST(what_is_new_waits)
{
    page_begin(monotonic(-SECOND));
    put_both(1, 0, 1);
    next_page(monotonic(100 * SECOND));
    put_both(1, 0, 3);
    put_both(1, 0, 4);
    read_page(0, 0);
    ck_assert_uint_eq(sends_so_far(), 1);
    page_begin(monotonic(-SECOND));
    put_both(1, 0, 2);
    read_page(1, 0);
    ck_assert_uint_eq(sends_so_far(), 2);
    trace_read(trace, false);
    ck_assert_uint_eq(sends_so_far(), 2);
    finish();
    came_in_order(4);
}
END_TEST

/* ---- two records of one entry ---- */

/* 0: with the header; 1: with the rest. The order is the kernel's. */
static int begins;

static void put_pair(uint32_t delta, uint32_t xid)
{
    for (int i = 0; i < 2; i++)
        (i == begins ? put_send : put_more)(1, i == 0 ? delta : 1, xid);
}

/* That which comes second alone. */
static void put_second(uint32_t pid, uint32_t delta, uint32_t xid)
{
    (begins == 0 ? put_more : put_send)(pid, delta, xid);
}

/* In either order, also with those of another thread in between. */
START_TEST(two_records_are_one_send)
{
    begins = _i;
    page_begin(monotonic(-SECOND));
    put_pair(0, 1);
    (_i == 0 ? put_send : put_more)(1, 100, 2);
    (_i == 0 ? put_send : put_more)(2, 0, 3);
    put_second(1, 1, 2);
    put_second(2, 0, 3);
    next_page(monotonic(-SECOND / 2));
    put_send(1, 0, 4);
    put_pair(100, 5); /* the rest of 4 was lost, or comes too late */
    finish_page();
    came_in_order(5);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(came[i].whole, i != 3);
}
END_TEST

/* Where the first record of an entry was lost, its other one is not that of the next entry, nor of
 * any that follow, however close they are: from the beginning on, and behind a loss. */
START_TEST(no_rest_is_that_of_another_entry)
{
    const uint32_t at_once = _i / 2 == 1, lost = _i % 2 == 0; /* nothing without its beginning */
    const uint32_t before = 1 - at_once;
    begins = _i % 2;
    page_begin(monotonic(-SECOND));
    for (uint32_t xid = 0; !at_once && xid < 2; xid++)
        put_pair(0, xid);
    next_page(monotonic(-SECOND / 2));
    put_second(1, 0, 2);
    for (uint32_t xid = 3; xid < 6; xid++)
        put_pair(xid == 4 ? 0 : 20, xid);
    end_page(0, at_once ? 0 : PAGE_LOST);
    finish();
    ck_assert_uint_eq(count, 4 - lost + 2 * before);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(came[i].xid, i + 2 * at_once + (i >= 2 * before ? lost : 0));
        ck_assert_int_eq(came[i].whole, came[i].xid != 2);
    }
    ck_assert_uint_eq(trace_losses(trace)->unpaired, 1);
    ck_assert_uint_eq(gaps > 0, lost || !at_once);
}
END_TEST

/* The same Call once more: which two of three records are of one entry, only the order says. */
START_TEST(what_is_not_certain_is_not_joined)
{
    static const struct {
        unsigned count, whole; /* bits: which */
    } rows[] = {{2, 2}, {3, 4}, {3, 7}, {4, 13}, {2, 2}, {2, 2}};
    const bool is_known = _i / 2 == 1, is_lost = _i / 2 == 2;
    begins = _i % 2;
    page_begin(monotonic(-SECOND));
    if (is_known)
        put_pair(0, 1);
    put_second(1, 20, 7);
    if (is_lost) { /* what followed */
        (begins == 0 ? put_send : put_more)(1, 1, 7);
        end_page(0, 0);
        page_begin(monotonic(-SECOND / 2));
    } else {
        put_pair(1, 7);
    }
    put_pair(20, 8);
    end_page(0, is_lost ? PAGE_LOST : 0);
    finish();
    ck_assert_uint_eq(trace_losses(trace)->unpaired, is_known ? 1 : is_lost ? 2 : 3);
    ck_assert_uint_eq(count, rows[_i].count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(came[i].whole, rows[_i].whole >> i & 1);
}
END_TEST

/* A rest is that of the same thread on the same processor; of nothing else it is of no use. */
START_TEST(a_rest_is_the_same_threads)
{
    const uint32_t pid = _i == 0 ? 2 : 1;
    const uint64_t past = monotonic(-SECOND);
    page_begin(past);
    put_send(1, 0, 1);
    next_page(past + 1);
    put_more(pid, 0, 1);
    read_page(_i == 0 ? 0 : 1, 0);
    ck_assert_uint_eq(sends_so_far(), 0); /* its rest may come yet */
    page_begin(monotonic(-SECOND / 4));
    put_send(3, 0, 3);
    finish_page();
    ck_assert_uint_eq(count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(came[i].xid, 1 + 2 * i);
        ck_assert(!came[i].whole);
    }
}
END_TEST

/* What waits in vain comes before what is newer. */
START_TEST(what_waits_keeps_its_place)
{
    const uint64_t past = monotonic(-SECOND);
    page_begin(past);
    put_send(1, 0, 1);
    put_send(2, 1, 2);
    next_page(past + SECOND / 2);
    put_receive(3);
    finish_page();
    came_in_order(3);
    ck_assert_uint_eq(trace_losses(trace)->unpaired, 2);
}
END_TEST

/* A processor that was not scheduled between two records: its entry ends with the second. */
START_TEST(a_processor_that_waits_is_waited_for)
{
    const uint64_t past = monotonic(-SECOND / 4);
    page_begin(past);
    put_send(1, 0, 2);
    next_page(past + SECOND / 20);
    put_receive(1);
    read_page(0, 0);
    ck_assert_uint_eq(sends_so_far(), 0);
    page_begin(past + SECOND / 10);
    put_more(1, 0, 2);
    finish_page();
    came_in_order(2);
    ck_assert(came[1].whole);
}
END_TEST

/* The other event of a function is one of its name, not of one that is as long. */
START_TEST(what_has_no_other_does_not_wait)
{
    page_begin(monotonic(-SECOND));
    put_receive(1);
    read_page(0, 0);
    ck_assert_uint_eq(sends_so_far(), 1);
    finish();
    ck_assert_uint_eq(count, 1);
    ck_assert(came[0].whole);
}
END_TEST

/* More wait than there is room for: those that have waited longest go without their rest. */
START_TEST(some_wait_in_vain)
{
    enum { ROOM = 64, LOST = 2 };
    const uint64_t past = monotonic(-SECOND);
    for (uint32_t xid = 1; xid <= ROOM + LOST;) {
        page_begin(past + xid);
        for (uint32_t end = xid + ROOM / 4; xid < end && xid <= ROOM + LOST; xid++)
            put_send(xid, 1, xid);
        read_page(0, 0);
        ck_assert_uint_eq(sends_so_far(), xid > ROOM + LOST ? LOST : 0);
    }
    page_begin(past + SECOND / 1000);
    for (uint32_t xid = LOST + 1; xid <= ROOM + LOST; xid++)
        put_more(xid, 1, xid);
    finish_page();
    came_in_order(ROOM + LOST);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(came[i].whole, i >= LOST);
}
END_TEST

/* How many, where the kernel says so. */
START_TEST(what_was_overwritten_is_counted)
{
    static const uint64_t lost = 42;
    for (int i = 0; i < 3; i++) {
        page_begin(monotonic(-SECOND));
        put_both(1, 0, 1);
        memcpy(page + page_used, &lost, sizeof lost);
        read_page(0, i == 0 ? 0 : i == 1 ? PAGE_LOST : PAGE_COUNTED);
        are_lost(i == 0 ? 0 : i == 1 ? 1 : 43, 0, 0);
    }
    finish();
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(gaps, 2);
}
END_TEST

/* What has its rest on the processor where some were lost may wait in vain, all of it. */
START_TEST(a_loss_is_one_processors)
{
    const uint64_t past = monotonic(-SECOND);
    page_begin(past);
    put_send(1, 0, 1);
    put_send(2, 1, 2);
    next_page(past + 10);
    end_page(_i == 0 ? 0 : 1, PAGE_LOST);
    page_begin(past + 20);
    put_more(1, 0, 1);
    put_more(2, 0, 2);
    put_both(3, 1, 3);
    finish_page();
    are_lost(1, 0, 0);
    came_in_order(3);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(came[i].whole, _i == 1 || i == 2);
    ck_assert_uint_eq(gaps, 1);
}
END_TEST

/* What comes before the place is read. */
START_TEST(a_broken_page_is_a_loss)
{
    page_begin(monotonic(-SECOND));
    put_both(1, 0, 1);
    page_word(0); /* a record that is longer than the page */
    page_word(5000);
    next_page(monotonic(-SECOND / 2));
    put_both(1, 0, 2);
    finish_page();
    are_lost(0, 0, 1);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(gaps, 1);
}
END_TEST

/* Of probes of ours alone, and each time that there are more. */
START_TEST(probes_that_did_not_fire_are_a_loss)
{
    static const char *const profiles[] = {"  client_sends   100   0\n  somebody_elses 7 8\n",
                                           "  client_sends   100   2\n  somebody_elses 7 8\n"
                                           "  client_receives  1   1\n",
                                           NULL, "  client_sends   103   4\n"};
    static const uint64_t missed[] = {0, 3, 3, 4};
    for (unsigned i = 0; i < COUNT(profiles); i++) {
        if (profiles[i])
            rings_write(folder, "kprobe_profile", profiles[i], strlen(profiles[i]), O_TRUNC);
        page_begin(monotonic(-SECOND));
        put_both(1, 0, i);
        read_page(0, 0);
        are_lost(0, missed[i], 0);
    }
    finish();
    ck_assert_uint_eq(count, COUNT(profiles));
    ck_assert_uint_eq(gaps, 2);
}
END_TEST

/* Events of somebody else's in the ring, and records without octets. */
START_TEST(what_is_not_ours_is_passed_over)
{
    uint8_t record[16] = {0};
    page_begin(monotonic(-SECOND));
    put(99, 1, 0, record, sizeof record);
    put_both(1, 0, 1);
    page_record(0, 0, record, 0);
    put_both(1, 0, 2);
    finish_page();
    are_lost(0, 0, 0);
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(one_ring_is_enough)
{
    static char folder_was[sizeof folder];
    const unsigned processors = (unsigned)_i;
    const int before = dup(STDIN_FILENO);
    close(before);
    trace_close(trace);
    const int after = dup(STDIN_FILENO); /* the first number that is free */
    close(after);
    ck_assert_int_lt(after, before);
    strcpy(folder_was, folder);
    rings_make(folder, processors);
    strcpy(tracefs.instance, folder);
    trace = trace_open(&tracefs, stage.assembler, error, sizeof error);
    ck_assert_int_eq(trace != NULL, processors > 0);
    if (processors > 0) {
        page_begin(monotonic(-SECOND));
        put_both(1, 0, 1);
        end_page(0, 0);
        trace_read(trace, true);
        ck_assert_uint_eq(sends_so_far(), 1);
    } else {
        ck_assert_ptr_nonnull(strstr(error, folder));
        ck_assert_ptr_nonnull(strstr(error, "per_cpu: No such file"));
    }
    rings_remove(folder);
    strcpy(folder, folder_was);
    strcpy(tracefs.instance, folder);
    if (trace == NULL)
        trace = trace_open(&tracefs, stage.assembler, error, sizeof error);
    finish();
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("rings");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, records_have_their_time);
    tcase_add_test(tests, a_processor_that_waits_is_waited_for);
    tcase_add_test(tests, what_has_no_other_does_not_wait);
    tcase_add_test(tests, what_waits_keeps_its_place);
    tcase_add_loop_test(tests, two_records_are_one_send, 0, 2);
    tcase_add_loop_test(tests, no_rest_is_that_of_another_entry, 0, 4);
    tcase_add_loop_test(tests, what_is_not_certain_is_not_joined, 0, 6);
    tcase_add_test(tests, some_wait_in_vain);
    tcase_add_test(tests, what_was_overwritten_is_counted);
    tcase_add_test(tests, a_broken_page_is_a_loss);
    tcase_add_test(tests, probes_that_did_not_fire_are_a_loss);
    tcase_add_test(tests, what_is_not_ours_is_passed_over);
    tcase_add_loop_test(tests, one_ring_is_enough, 0, 2);
    tcase_add_loop_test(tests, a_rest_is_the_same_threads, 0, 1);
    if (sysconf(_SC_NPROCESSORS_CONF) > 1) { /* else there is one ring */
        tcase_add_test(tests, records_come_in_the_order_of_time);
        tcase_add_test(tests, what_is_new_waits);
        tcase_add_loop_test(tests, a_rest_is_the_same_threads, 1, 2);
        tcase_add_loop_test(tests, a_loss_is_one_processors, 0, 2);
    } else {
        puts("skip: one processor\n0 passed, 0 failed, 5 skipped");
    }
    return run_tests("rings", tests);
}
