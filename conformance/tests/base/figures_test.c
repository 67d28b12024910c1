// SPDX-License-Identifier: BSD-3-Clause
/* The parts that figures are counted with: histograms, timeline, Calls that wait. */
#include "conformance/base/count.h"
#include "conformance/report/figures/waiting.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- histograms ---- */

START_TEST(bars)
{
    /* Each bar begins where the one before ends, and is an eighth of its beginning at most. */
    for (unsigned i = 0; i + 1 < HISTOGRAM_BARS; i++) {
        uint64_t from = histogram_from(i), next = histogram_from(i + 1);
        ck_assert_uint_lt(from, next);
        ck_assert_uint_le(next - from, from / 8 > 0 ? from / 8 : 1);
        struct histogram histogram = {.count = 0};
        histogram_add(&histogram, from);
        histogram_add(&histogram, next - 1);
        ck_assert_uint_eq(histogram.bar[i], 2);
    }
    struct histogram most = {.count = 0};
    histogram_add(&most, UINT64_MAX);
    ck_assert_uint_eq(most.bar[HISTOGRAM_BARS - 1], 1);
    ck_assert_uint_eq(histogram_percentile(&most, 50), UINT64_MAX);
    histogram_add(&most, UINT64_MAX);
    ck_assert_uint_eq(most.sum, UINT64_MAX);
}
END_TEST

START_TEST(percentiles)
{
    struct histogram one = {.count = 0}, two = {.count = 0};
    ck_assert_uint_eq(histogram_percentile(&one, 50), 0);
    ck_assert_uint_eq(histogram_mean(&one), 0);
    for (uint64_t i = 1; i <= 7; i++) /* which have a bar each */
        histogram_add(&one, i);
    ck_assert_uint_eq(histogram_percentile(&one, 50), 4);
    ck_assert_uint_eq(histogram_percentile(&one, 0), 1);
    ck_assert_uint_eq(histogram_percentile(&one, 99), 7);
    ck_assert_uint_eq(histogram_mean(&one), 4);
    histogram_add(&two, 1000000);
    ck_assert_uint_eq(histogram_percentile(&two, 1), 1000000); /* not beyond the longest */
    histogram_merge(&one, &two);
    ck_assert_uint_eq(one.count, 8);
    ck_assert_uint_eq(one.most, 1000000);
    ck_assert_uint_eq(one.sum, 28 + 1000000);
    ck_assert_uint_eq(histogram_percentile(&one, 100), 1000000);
    unsigned first = 0, last = 0;
    ck_assert(histogram_range(&one, &first, &last));
    ck_assert_uint_eq(histogram_from(first), 1);
    ck_assert(histogram_from(last) <= 1000000 && 1000000 < histogram_from(last + 1));
}
END_TEST

/* ---- timeline ---- */

START_TEST(steps)
{
    struct timeline timeline = {.begun = false};
    timeline_add(&timeline, 5000, 1, 10);
    timeline_add(&timeline, 5000 + 1000 * (TIMELINE_STEPS - 1), 2, 0);
    ck_assert_int_eq(timeline.width, 1000);
    ck_assert_uint_eq(timeline.used, TIMELINE_STEPS);
    timeline_add(&timeline, 4000, 7, 0); /* before the first */
    ck_assert_uint_eq(timeline.step[0].in_flight, 7);
    ck_assert_uint_eq(timeline.step[0].granted, 10);
    timeline_mark(&timeline, 5000 + 3500);
    timeline_mark(&timeline, 5000 + 1000 * TIMELINE_STEPS); /* which was not added: not there */
    ck_assert(timeline.step[3].marked && !timeline.step[2].marked && !timeline.step[4].marked);
    timeline_add(&timeline, 5000 + 1000 * TIMELINE_STEPS, 3, 20); /* beyond the last */
    ck_assert(timeline.step[1].marked && !timeline.step[0].marked && !timeline.step[2].marked);
    ck_assert_int_eq(timeline.width, 2000);
    ck_assert_uint_eq(timeline.used, TIMELINE_STEPS / 2 + 1);
    ck_assert_uint_eq(timeline.step[0].in_flight, 7);
    ck_assert_uint_eq(timeline.step[TIMELINE_STEPS / 2 - 1].in_flight, 2);
    ck_assert_uint_eq(timeline.step[TIMELINE_STEPS / 2].granted, 20);
    ck_assert(!timeline.step[1].seen);
    timeline_add(&timeline, INT64_MAX, 4, 0); /* a clock that jumps */
    ck_assert_uint_le(timeline.used, TIMELINE_STEPS);
    ck_assert_uint_eq(timeline.step[0].in_flight, 7);
}
END_TEST

/* Two connections at once: Calls in flight add up, and a grant holds until the next one. */
START_TEST(a_sum_over_connections)
{
    struct timeline first = {.begun = false}, second = {.begun = false}, sum = {.begun = false};
    const struct timeline none = {.begun = false};
    timeline_add(&first, 0, 2, 10);
    timeline_add(&first, 1000 * (TIMELINE_STEPS - 1), 3, 0);
    timeline_add(&second, 1000 * (TIMELINE_STEPS / 2), 5, 7);
    timeline_span(&sum, &first);
    timeline_span(&sum, &none);
    timeline_span(&sum, &second);
    ck_assert_int_eq(sum.start, 0);
    ck_assert_uint_eq(sum.used, TIMELINE_STEPS);
    timeline_sum(&sum, &first);
    timeline_sum(&sum, &second);
    ck_assert_uint_eq(sum.step[0].in_flight, 2);
    ck_assert_uint_eq(sum.step[0].granted, 10);
    ck_assert_uint_eq(sum.step[TIMELINE_STEPS / 4].in_flight, 0);
    ck_assert_uint_eq(sum.step[TIMELINE_STEPS / 4].granted, 10);
    ck_assert_uint_eq(sum.step[TIMELINE_STEPS / 2].in_flight, 5);
    ck_assert_uint_eq(sum.step[TIMELINE_STEPS / 2].granted, 17);
    ck_assert_uint_eq(sum.step[TIMELINE_STEPS - 1].in_flight, 3);
}
END_TEST

/* ---- Calls that wait ---- */

static unsigned forgotten;
static uint32_t last_forgotten;

static void forget(struct waiting_call *call)
{
    forgotten++;
    last_forgotten = call->xid;
}

static struct waiting_call *add(struct waiting_calls *waiting, struct figures_connection *owner,
                                uint64_t connection, uint32_t xid)
{
    struct waiting_call call = {.connection = connection, .xid = xid, .peers = 1, .owner = owner};
    return waiting_add(waiting, &call, 2, forget);
}

START_TEST(finds)
{
    struct waiting_calls *waiting = waiting_make();
    struct figures_connection owner = {.calls = NULL};
    struct figures_row row = {.count = {0}};
    struct waiting_call *one = add(waiting, &owner, 1, 7), *two = add(waiting, &owner, 2, 7);
    ck_assert_ptr_eq(waiting_find(waiting, 1, RPCRDMA_CLIENT, 7), one);
    ck_assert_ptr_eq(waiting_find(waiting, 2, RPCRDMA_CLIENT, 7), two);
    ck_assert_ptr_null(waiting_find(waiting, 1, RPCRDMA_SERVER, 7));
    waiting_add_handle(waiting, one, 50);
    waiting_add_handle(waiting, two, 50);
    waiting_add_handle(waiting, one, 51);
    waiting_add_handle(waiting, one, 52); /* for which there is no room */
    ck_assert_ptr_eq(waiting_find_handle(waiting, 1, RPCRDMA_CLIENT, 50), one);
    ck_assert_ptr_eq(waiting_find_handle(waiting, 2, RPCRDMA_CLIENT, 50), two);
    ck_assert_ptr_null(waiting_find_handle(waiting, 1, RPCRDMA_CLIENT, 52));
    struct waiting_call *later = add(waiting, &owner, 1, 8);
    waiting_add_handle(waiting, later, 50);
    ck_assert_ptr_eq(waiting_find_handle(waiting, 1, RPCRDMA_CLIENT, 50), later);
    waiting_remove(waiting, later);
    ck_assert_ptr_eq(waiting_find_handle(waiting, 1, RPCRDMA_CLIENT, 50), one);
    one->row = &row;
    waiting_close(waiting, one);
    ck_assert_ptr_null(waiting_find(waiting, 1, RPCRDMA_CLIENT, 7));
    ck_assert_ptr_null(waiting_find_handle(waiting, 1, RPCRDMA_CLIENT, 50));
    ck_assert_ptr_eq(waiting_find_closed(waiting, 1, RPCRDMA_CLIENT, 7, &row), one);
    ck_assert_ptr_null(waiting_find_closed(waiting, 2, RPCRDMA_CLIENT, 7, &row));
    ck_assert_ptr_eq(owner.calls, two);
    ck_assert_ptr_null(two->sibling);
    waiting_free(waiting);
}
END_TEST

START_TEST(is_bounded)
{
    struct waiting_calls *waiting = waiting_make();
    struct figures_connection owner = {.calls = NULL};
    forgotten = 0;
    for (uint32_t i = 0; i < WAITING_CALLS + 3; i++)
        add(waiting, &owner, 0, i);
    ck_assert_uint_eq(forgotten, 3);
    ck_assert_uint_eq(last_forgotten, 2);
    ck_assert_uint_eq(waiting_oldest(waiting)->xid, 3);
    ck_assert_ptr_null(waiting_find(waiting, 0, RPCRDMA_CLIENT, 2));
    ck_assert_ptr_nonnull(waiting_find(waiting, 0, RPCRDMA_CLIENT, WAITING_CALLS + 2));
    waiting_free(waiting);
}
END_TEST

START_TEST(handles_are_bounded)
{
    struct waiting_calls *waiting = waiting_make();
    struct figures_connection owner = {.calls = NULL};
    struct waiting_call call = {.xid = 1, .owner = &owner};
    struct waiting_call *all = waiting_add(waiting, &call, WAITING_HANDLES, forget);
    call.xid = 2;
    struct waiting_call *none = waiting_add(waiting, &call, 1, forget);
    waiting_add_handle(waiting, none, 5);
    ck_assert_ptr_null(waiting_find_handle(waiting, 0, RPCRDMA_CLIENT, 5));
    waiting_remove(waiting, all);
    call.xid = 3;
    waiting_add_handle(waiting, waiting_add(waiting, &call, 1, forget), 5);
    ck_assert_ptr_nonnull(waiting_find_handle(waiting, 0, RPCRDMA_CLIENT, 5));
    waiting_free(waiting);
}
END_TEST

/* ---- Calls on several connections ---- */

static struct figures figures;

struct lane {
    struct rpcrdma_check *check;
    void *memory;
    struct figures_connection *connection;
    const char *name;
    uint64_t id;
};

static void open_lane(struct lane *lane, const char *name, uint64_t id)
{
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    size_t size = rpcrdma_check_size(&config);
    *lane = (struct lane){.memory = malloc(size), .name = name, .id = id};
    lane->check = rpcrdma_check_init(lane->memory, size, &config);
}

static void close_lane(struct lane *lane)
{
    figures_close(&figures, lane->connection);
    free(lane->memory);
}

/* A NULL of NFS version 3, or the Reply to one, as a frame that was captured then. */
static void add_null(struct lane *lane, uint32_t xid, bool is_reply, int64_t time)
{
    const uint32_t words[] = {xid,
                              1,
                              32,
                              0,
                              0,
                              0,
                              0,
                              xid,
                              is_reply,
                              is_reply ? 0 : 2,
                              is_reply ? 0 : 100003,
                              is_reply ? 0 : 3,
                              0,
                              0,
                              0,
                              0,
                              0};
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    const struct source_event event = {.event = {.type = RPCRDMA_EVENT_SEND,
                                                 .from = is_reply ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
                                                 .data = octets,
                                                 .length = is_reply ? 52 : sizeof octets},
                                       .file = "test",
                                       .connection = lane->name,
                                       .connection_id = lane->id,
                                       .frame = 1,
                                       .time = time};
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(lane->check, &event.event, &judgement);
    if (lane->connection == NULL)
        lane->connection = figures_connect(&figures, &event);
    figures_add(&figures, lane->connection, &event, &judgement);
}

static uint64_t total(enum figure figure)
{
    uint64_t value = 0;
    figures_sum(&figures);
    ck_assert(figure_value(&figures.total, figure, &value));
    return value;
}

/* Between the same two hosts a Call that waited when its connection ended is sent again; between
 * others it is another. */
START_TEST(sent_again_on_another_connection)
{
    struct lane first, second, others;
    open_lane(&first, "192.0.2.1:0x11-192.0.2.2:0x12", 0);
    open_lane(&second, "192.0.2.1:0x13-192.0.2.2:0x14", 1);
    open_lane(&others, "192.0.2.1:0x11-192.0.2.3:0x12", 2);
    figures_begin_file(&figures);
    add_null(&first, 5, false, 1000);
    add_null(&first, 6, false, 1100);
    add_null(&second, 6, false, 1200); /* while the first one still waits: it is another */
    close_lane(&first);
    add_null(&others, 5, false, 1500);
    add_null(&others, 5, true, 1600);
    add_null(&second, 5, false, 2000);
    add_null(&second, 5, true, 5000);
    close_lane(&second);
    close_lane(&others);
    figures_end_file(&figures);
    ck_assert_uint_eq(total(FIGURE_CALLS), 4);
    ck_assert_uint_eq(total(FIGURE_RETRANSMITTED), 1);
    ck_assert_uint_eq(total(FIGURE_REPLIES), 2);
    ck_assert_uint_eq(total(FIGURE_UNANSWERED), 2);
    ck_assert_uint_eq(total(FIGURE_TIME_MOST), 4000); /* from the first Call on */
    ck_assert_int_eq(figures.first, 1000);
    ck_assert_int_eq(figures.last, 5000);
    figures_free(&figures);
}
END_TEST

/* ---- values as text ---- */

START_TEST(texts)
{
    static const struct {
        enum figure_unit unit;
        double value;
        const char *text;
    } rows[] = {
        {UNIT_COUNT, 0, "0"},
        {UNIT_COUNT, 9999, "9999"},
        {UNIT_COUNT, 10000, "10k"},
        {UNIT_OCTETS, 10240, "10.2k"},
        {UNIT_OCTETS, 1234567, "1.23M"},
        {UNIT_COUNT, 0.5, "0.50"},
        {UNIT_NANOSECONDS, 999, "999 ns"},
        {UNIT_NANOSECONDS, 1500, "1.50 us"},
        {UNIT_NANOSECONDS, 12345678, "12.3 ms"},
        {UNIT_NANOSECONDS, 2e9, "2 s"},
    };
    char text[FIGURE_TEXT];
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_str_eq(figure_text(rows[i].unit, rows[i].value, text), rows[i].text);
    for (int i = 0; i < FIGURES; i++) {
        ck_assert_ptr_nonnull(figure_names[i].key);
        ck_assert_int_eq(figure_find(figure_names[i].key, strlen(figure_names[i].key)), i);
    }
    ck_assert_int_eq(figure_find("call", 4), FIGURES);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("figures");
    tcase_add_test(tcase, bars);
    tcase_add_test(tcase, percentiles);
    tcase_add_test(tcase, steps);
    tcase_add_test(tcase, a_sum_over_connections);
    tcase_add_test(tcase, finds);
    tcase_add_test(tcase, is_bounded);
    tcase_add_test(tcase, handles_are_bounded);
    tcase_add_test(tcase, sent_again_on_another_connection);
    tcase_add_test(tcase, texts);
    return run_tests("figures", tcase);
}
