// SPDX-License-Identifier: BSD-3-Clause
/* The lists of a flow: requests that are not acknowledged, and packets before their turn. */
#include "conformance/input/flow/pending.h"
#include "conformance/input/flow/unacknowledged.h"
#include "conformance/tests/support/captures/seen.h"

/* ---- requests that are not acknowledged ---- */

#define FIRST 0xfffff0u /* so that the numbers wrap */
#define PACKETS 3u      /* of each request */

static struct unacknowledged list;

/* Every third is an RDMA Write; before request `i` came this many Sends. */
static bool is_send(unsigned i)
{
    return i % 3 != 2;
}

static uint64_t sends_before(unsigned i)
{
    return i - i / 3;
}

static uint32_t first_of(unsigned i)
{
    return psn_add(FIRST, i * PACKETS);
}

static void add(unsigned i)
{
    const struct sent_request request = {.first_psn = first_of(i),
                                         .last_psn = psn_add(first_of(i), PACKETS - 1),
                                         .handle = i,
                                         .number = sends_before(i),
                                         .is_send = is_send(i)};
    unacknowledged_add(&list, &request);
}

/* Requests from this one up to that one are known, by each of their numbers, and no others. */
static void expect_known(unsigned from, unsigned to)
{
    ck_assert_uint_eq(list.count, to - from);
    ck_assert_ptr_null(unacknowledged_find(&list, psn_add(first_of(from), PSN_MASK)));
    ck_assert_ptr_null(unacknowledged_find(&list, first_of(to)));
    for (unsigned i = from; i < to; i++)
        for (uint32_t packet = 0; packet < PACKETS; packet++) {
            const struct sent_request *found =
                unacknowledged_find(&list, psn_add(first_of(i), packet));
            ck_assert_ptr_nonnull(found);
            ck_assert_uint_eq(found->handle, i);
        }
}

/* Acknowledged this many at a time, and from each packet of the last on: only its last counts. */
START_TEST(acknowledged)
{
    unsigned added = 0, gone = 0, step = (unsigned)_i;
    uint64_t known = 0;
    list = (struct unacknowledged){0};
    for (int round = 0; round < 20; round++) {
        while (added - gone < UNACKNOWLEDGED_MAX)
            add(added++);
        expect_known(gone, added);
        uint64_t before = known;
        for (uint32_t packet = 0; packet < PACKETS; packet++) {
            bool last = packet == PACKETS - 1;
            unsigned named = gone + step - 1;
            known = unacknowledged_take(&list, psn_add(first_of(named), packet), known);
            uint64_t expected = last       ? sends_before(named + 1)
                                : step > 1 ? sends_before(named)
                                           : before;
            ck_assert_uint_eq(known, expected);
        }
        gone += step;
        expect_known(gone, added);
        ck_assert_uint_eq(unacknowledged_take(&list, psn_add(first_of(gone), PSN_MASK), known),
                          known);
    }
}
END_TEST

/* More than there is room for: the oldest are forgotten, the numbers of the others stay right. */
START_TEST(forgotten)
{
    list = (struct unacknowledged){0};
    ck_assert_uint_eq(unacknowledged_take(&list, FIRST, 77), 77);
    for (unsigned i = 0; i < 3 * UNACKNOWLEDGED_MAX; i++) {
        add(i);
        unsigned from = i < UNACKNOWLEDGED_MAX ? 0 : i + 1 - UNACKNOWLEDGED_MAX;
        expect_known(from, i + 1);
    }
    unsigned last = 3 * UNACKNOWLEDGED_MAX - 1;
    ck_assert_uint_eq(unacknowledged_take(&list, psn_add(first_of(last), PACKETS - 1), 0),
                      sends_before(last + 1));
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

/* ---- packets before their turn ---- */

static struct memory memory;
static struct pending_list pending;

static void no_eviction(void *arg, size_t count)
{
    (void)arg, (void)count;
    ck_abort_msg("others had to give up theirs");
}

static void begin(void)
{
    setup();
    memory = (struct memory){.max = 1 << 20, .evict = no_eviction};
    pending = (struct pending_list){0};
}

/* Its octets are gone when the next one comes. */
static void keep(uint32_t psn, size_t length)
{
    uint8_t *content = malloc(length + 1);
    memset(content, (int)(psn & 0xff), length);
    const struct packet packet = {
        .psn = psn, .payload = content, .recorded = length, .total = length, .frame = psn};
    pending_add(&memory, &pending, &packet);
    free(content);
}

static void expect_next(uint32_t psn, size_t length)
{
    unsigned count = pending.count;
    struct pending *next = pending_take(&pending);
    ck_assert_uint_eq(next->packet.psn, psn);
    ck_assert_uint_eq(next->packet.recorded, length);
    for (size_t i = 0; i < length; i++)
        ck_assert_uint_eq(next->packet.payload[i], psn & 0xff);
    ck_assert_uint_eq(pending.count, count - 1);
    pending_free(&memory, next);
}

/* However they come, and once of each number: they leave in order, the first of a number stays. */
START_TEST(in_order)
{
    static const uint32_t steps[] = {1, 3, 5, 7, 31, 63}; /* with 64 they meet every number */
    for (unsigned i = 0; i < 64; i++) {
        uint32_t number = i * steps[_i] % 64;
        keep(psn_add(FIRST, number), 10 + number);
        keep(psn_add(FIRST, number), 500);
    }
    ck_assert_uint_eq(pending.count, 64);
    keep(psn_add(FIRST, 64), 1); /* there are enough of them, whichever it is */
    keep(psn_add(FIRST, PSN_MASK), 1);
    size_t used = 0;
    for (uint32_t number = 0; number < 64; number++)
        used += sizeof(struct pending) + 10 + number;
    ck_assert_uint_eq(memory.used, used);
    for (uint32_t number = 0; number < 64; number++)
        expect_next(psn_add(FIRST, number), 10 + number);
    ck_assert_ptr_null(pending.first);
    ck_assert_uint_eq(memory.used, 0);
}
END_TEST

/* Nothing is given up for them. */
START_TEST(limited)
{
    memory.max = 2 * (sizeof(struct pending) + 100);
    keep(1, 100);
    keep(2, 101);
    keep(3, 100);
    keep(4, 0);
    ck_assert_uint_eq(pending.count, 2);
    expect_next(1, 100);
    keep(5, 0);
    pending_drop(&memory, &pending);
    ck_assert_ptr_null(pending.first);
    ck_assert_uint_eq(pending.count, 0);
    ck_assert_uint_eq(memory.used, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lists of a flow");
    TCase *tests = new_case(suite, "not acknowledged");
    tcase_add_loop_test(tests, acknowledged, 1, UNACKNOWLEDGED_MAX + 1);
    tcase_add_test(tests, forgotten);
    tests = new_case(suite, "before their turn");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_loop_test(tests, in_order, 0, 6);
    tcase_add_test(tests, limited);
    return run_suite(suite);
}
