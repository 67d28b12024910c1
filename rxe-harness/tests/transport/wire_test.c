// SPDX-License-Identifier: BSD-3-Clause
/* The faults of a wire: in words, by their rates, and by a seed. */
#include "rxe-harness/transport/roce/host.h"
#include "rxe-harness/transport/user/end.h"
#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/link.h"
#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire_words.h"

#include "rxe-harness/tests/support/links/pairs_stage.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "conformance/input/frame/icrc.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char error[256];

/* ---- words ---- */

static const struct {
    const char *given, *printed;
} good[] = {
    {"seed=7", "seed=7"},
    {"seed=18446744073709551615", "seed=18446744073709551615"},
    {"seed=0,loss=1%", "loss=1%,seed=0"},
    {"loss=0.05%,reorder=99.95%,seed=1", "loss=0.05%,reorder=99.95%,seed=1"},
    {"loss=0.0001%,seed=1", "loss=0.0001%,seed=1"},
    {"delay=0.001ms,mtu=256,seed=1", "delay=0.001ms,mtu=256,seed=1"},
    {"delay=1000ms,mtu=4096,seed=1", "delay=1000ms,mtu=4096,seed=1"},
    {"die=100%,shuffle=100%,rnr=100%,cut-read=100%,no-ack=100%,damage=25%,reorder=25%,"
     "duplicate=25%,loss=25%,seed=1",
     "loss=25%,duplicate=25%,reorder=25%,damage=25%,no-ack=100%,cut-read=100%,rnr=100%,"
     "shuffle=100%,die=100%,seed=1"},
};

START_TEST(words_are_taken_and_printed)
{
    struct wire_faults faults;
    char text[WIRE_TEXT];
    ck_assert_msg(wire_parse(good[_i].given, &faults, error, sizeof error), "%s", error);
    wire_print(&faults, text);
    ck_assert_str_eq(text, good[_i].printed);
}
END_TEST

static const struct {
    const char *given, *wrong;
} bad[] = {
    {"", "there is no ''; the names are loss, duplicate, reorder, damage, no-ack, cut-read, rnr, "
         "shuffle, die, delay, mtu, seed"},
    {"loss=1%,", "there is no ''"},
    {"los=1%", "there is no 'los'"},
    {"lossy=1%", "there is no 'lossy'"},
    {"loss", "'loss' takes a rate such as 1% or 0.05%, up to 100%"},
    {"loss=", "'loss' takes a rate"},
    {"loss=1", "'loss' takes a rate"},
    {"loss=%", "'loss' takes a rate"},
    {"loss=0%", "'loss' takes a rate"},
    {"loss=100.0001%", "'loss' takes a rate"},
    {"loss=0.00001%", "'loss' takes a rate"},
    {"loss=1.%", "'loss' takes a rate"},
    {"loss=.5%", "'loss' takes a rate"},
    {"loss=-1%", "'loss' takes a rate"},
    {"loss=1%%", "'loss' takes a rate"},
    {"loss=99999999999999999999%", "'loss' takes a rate"},
    {"loss=000000000000000000000000000000000000001%", "'loss' takes a rate"},
    {"loss=1%,seed=2,loss=1%", "'loss' is given twice"},
    {"loss=50%,damage=50.0001%", "more than 100% of the packets"},
    {"delay=5", "'delay' takes a time such as 5ms or 0.2ms, up to 1000ms"},
    {"delay=1000.001ms", "'delay' takes a time"},
    {"delay=0ms", "'delay' takes a time"},
    {"mtu=255", "'mtu' takes a number of octets from 256 to 4096"},
    {"mtu=4097", "'mtu' takes a number"},
    {"seed=18446744073709551616", "'seed' takes a number"},
    {"seed=1x", "'seed' takes a number"},
};

START_TEST(other_words_are_refused)
{
    struct wire_faults faults;
    error[0] = '\0';
    ck_assert_msg(!wire_parse(bad[_i].given, &faults, error, sizeof error), "%s", bad[_i].given);
    ck_assert_msg(strncmp(error, bad[_i].wrong, strlen(bad[_i].wrong)) == 0, "%s: %s",
                  bad[_i].given, error);
}
END_TEST

static const struct {
    const char *given;
    enum wire_transport transport;
    bool listens;
    const char *wrong; /* NULL: nothing */
} fits[] = {
    {"loss=1%,mtu=512", WIRE_ROCE, false, NULL},
    {"loss=1%,mtu=513", WIRE_ROCE, false, "'mtu' takes 256, 512, 1024, 2048 or 4096 over roce://"},
    {"mtu=512", WIRE_ROCE, true, "'mtu' is for who connects: over roce:// that side chooses it"},
    {"shuffle=1%,die=1%,delay=1ms,mtu=513", WIRE_IWARP, true, NULL},
    {"loss=1%", WIRE_IWARP, false, "'loss' is for roce://: TCP repairs it, or has no such thing"},
    {"rnr=1%", WIRE_IWARP, false, "'rnr' is for roce://: TCP repairs it, or has no such thing"},
};

START_TEST(a_transport_has_its_words)
{
    struct wire_faults faults;
    error[0] = '\0';
    ck_assert(wire_parse(fits[_i].given, &faults, error, sizeof error));
    bool done = wire_fits(&faults, fits[_i].transport, fits[_i].listens, error, sizeof error);
    ck_assert_int_eq(done, fits[_i].wrong == NULL);
    ck_assert_str_eq(error, fits[_i].wrong ? fits[_i].wrong : "");
}
END_TEST

/* Without one in words, two runs hardly have the same. */
START_TEST(a_seed_is_found)
{
    struct wire_faults faults[2];
    for (int i = 0; i < 2; i++)
        ck_assert(wire_parse("loss=1%", &faults[i], error, sizeof error));
    ck_assert_uint_ne(faults[0].seed, faults[1].seed);
}
END_TEST

/* ---- chances ---- */

#define DRAWS 100000

START_TEST(rates_are_kept)
{
    static const struct wire_faults faults = {
        .rate = {10000, 20000, 30000, 40000, [WIRE_DEATH] = 500000}, .seed = 3};
    unsigned counts[WIRE_FAULTS + 1] = {0}, deaths = 0;
    struct wire_chance chance;
    wire_set(&faults);
    wire_begin(&chance);
    for (int i = 0; i < DRAWS; i++) {
        counts[wire_next(&chance)]++;
        deaths += wire_happens(&chance, WIRE_DEATH);
        ck_assert(!wire_happens(&chance, WIRE_SHUFFLE));
        ck_assert_uint_lt(wire_below(&chance, 3), 3);
    }
    for (unsigned i = 0; i < WIRE_PACKET_FAULTS; i++) /* five standard deviations */
        ck_assert_msg(counts[i] > (i + 1) * 1000 - 310 && counts[i] < (i + 1) * 1000 + 310,
                      "%u: %u", i, counts[i]);
    ck_assert_uint_eq(counts[WIRE_NONE], DRAWS - counts[0] - counts[1] - counts[2] - counts[3]);
    ck_assert_uint_gt(deaths, DRAWS / 2 - 1000);
    ck_assert_uint_lt(deaths, DRAWS / 2 + 1000);
    wire_set(NULL);
    ck_assert_int_eq(wire_next(&chance), WIRE_NONE);
    ck_assert(!wire_happens(&chance, WIRE_DEATH));
}
END_TEST

/* What one sequence has drawn does not matter to another, nor how often. */
START_TEST(a_seed_repeats)
{
    static const struct wire_faults faults = {.rate = {250000, 250000, 250000}, .seed = 11};
    enum wire_fault first[100];
    uint64_t octets[2];
    for (int time = 0; time < 2; time++) {
        struct wire_chance chance[2];
        wire_set(&faults);
        wire_begin(&chance[0]);
        wire_begin(&chance[1]);
        ck_assert_uint_ne(chance[0].state, chance[1].state);
        for (int i = 0; i < 7 * time; i++)
            wire_next(&chance[0]);
        for (size_t i = 0; i < COUNT(first); i++)
            if (time == 0)
                first[i] = wire_next(&chance[1]);
            else
                ck_assert_int_eq(wire_next(&chance[1]), first[i]);
        wire_random(&octets[time], sizeof octets[0]);
    }
    ck_assert_uint_eq(octets[0], octets[1]);
    wire_set(NULL);
}
END_TEST

/* ---- what becomes of packets ---- */

static char seen[64]; /* the last digit of each packet's number; "!": its check sum is wrong */

static void look(void *arg, const uint8_t *packet, size_t length)
{
    const uint8_t *end = packet + length - ICRC_SIZE;
    uint32_t crc =
        (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
    size_t at = strlen(seen), number = IP4_SIZE + FRAME_UDP + FRAME_BASE - 1;
    (void)arg;
    ck_assert_uint_lt(at + 2, sizeof seen);
    snprintf(seen + at, sizeof seen - at, "%u%s", packet[number] % 10u,
             icrc_fits(packet, IP4_SIZE, length - ICRC_SIZE, crc) ? "" : "!");
}

static void transmit(struct roce_host *host, uint32_t number, struct wire_chance *chance)
{
    struct roce_path path = {.local.octets = {[10] = 0xff, 0xff, 127, 0, 0, 1}};
    struct frame frame;
    path.remote = path.local;
    frame_begin(&frame, &path, OP_SEND_ONLY, 99, number, true);
    frame_put(&frame, 4, number);
    frame_seal(&frame);
    host_transmit(host, &path, &frame, chance);
}

/* Packets 0 to 3 of one sender, and 7 of another: nobody else's goes before one that is late. */
static const struct {
    enum wire_fault fault;
    const char *seen;
} packets[] = {
    {WIRE_NONE, "01237"},        {WIRE_LOSS, ""},        {WIRE_DUPLICATE, "0011223377"},
    {WIRE_DAMAGE, "0!1!2!3!7!"}, {WIRE_REORDER, "1032"}, {WIRE_SHUFFLE, "01237"},
};

START_TEST(packets_are_lost_or_not)
{
    struct wire_faults faults = {.seed = 1};
    struct roce_host host = {.socket = socket(AF_INET, SOCK_DGRAM, 0), .wake = {-1, -1}};
    struct wire_chance own, others;
    if (packets[_i].fault != WIRE_NONE)
        faults.rate[packets[_i].fault] = 1000000;
    seen[0] = '\0';
    wire_set(&faults);
    wire_begin(&own);
    wire_begin(&others);
    wire_watch(look, NULL);
    for (uint32_t number = 0; number < 4; number++)
        transmit(&host, number, &own);
    transmit(&host, 7, &others);
    ck_assert_str_eq(seen, packets[_i].seen);
    if (packets[_i].fault == WIRE_REORDER) { /* 7 is late */
        transmit(&host, 4, &own);
        ck_assert_str_eq(seen, "10324");
        transmit(&host, 8, &others);
        ck_assert_str_eq(seen, "1032487");
        ck_assert_ptr_null(host.held);
    }
    wire_watch(NULL, NULL);
    wire_set(NULL);
    close(host.socket);
}
END_TEST

/* ---- what becomes of messages ---- */

#define SEEDS 32

/* Two new queue pairs, for which this always happens by chance. */
static void begin_anew(enum wire_fault fault, uint64_t seed)
{
    struct wire_faults faults = {.seed = seed};
    faults.rate[fault] = 1000000;
    pairs_tear_down();
    pairs_set_up();
    wire_set(&faults);
    wire_begin(&pairs[ASKS].end.chance);
    wire_begin(&pairs[SERVES].end.chance);
}

/* Acknowledgements alone: that there is no Receive is said. */
START_TEST(acknowledgements_are_withheld)
{
    begin_anew(WIRE_NO_ACK, 1);
    pairs_begin(WORK_SEND, 1, 0);
    pairs_run(RETRY);
    expect_wire("S0? S0? ");
    wire_set(NULL);
    pairs_run(3 * RETRY);
    expect_wire("S0? A0/1 ");
    begin_anew(WIRE_NO_ACK, 1);
    pairs[SERVES].end.receives = 0;
    pairs_begin(WORK_SEND, 1, 0);
    expect_wire("S0? R0/0 ");
    wire_set(NULL);
}
END_TEST

/* Before the first packet, or after the last, nothing is cut, and by chance at each place between;
 * what is lost is asked for. */
START_TEST(responses_are_cut)
{
    unsigned early = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        begin_anew(WIRE_CUT_READ, seed);
        pairs_begin(WORK_READ, 3 * MTU, 0);
        bool is_early = strcmp(pairs_went, "r0:768 p0 ") == 0;
        ck_assert_msg(is_early || strcmp(pairs_went, "r0:768 p0 p1 ") == 0, "%s", pairs_went);
        early += is_early;
        wire_set(NULL);
        pairs_run(RETRY);
        ck_assert_int_eq(pairs_work.state, WORK_DONE);
        ck_assert_mem_eq(pairs_to, pairs_from, 3 * MTU);
    }
    ck_assert_uint_gt(early, 0);
    ck_assert_uint_lt(early, SEEDS);
    begin_anew(WIRE_CUT_READ, 1);
    pairs_begin(WORK_READ, MTU, 0);
    expect_wire("r0:256 p0/1 ");
    wire_set(NULL);
}
END_TEST

/* Once, or up to three times, in a row: fewer than a sender accepts. */
START_TEST(sends_are_refused_for_a_time)
{
    unsigned times[4] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        unsigned refusals = 0;
        begin_anew(WIRE_NOT_READY, seed);
        pairs_begin(WORK_SEND, 1, 0);
        for (int64_t now = 640; pairs_work.state == WORK_UNDER_WAY; now += 640, refusals++)
            pairs_run(now);
        ck_assert_int_eq(pairs_work.state, WORK_DONE);
        pairs_expect_one(true, false, 1);
        ck_assert(refusals >= 1 && refusals <= 3);
        times[refusals]++;
    }
    ck_assert(times[1] > 0 && times[2] > 0 && times[3] > 0);
    wire_set(NULL);
}
END_TEST

/* After a packet and before the last one: a message of one packet is whole, and a Read no message
 * of ours. */
START_TEST(a_queue_pair_dies)
{
    unsigned early = 0, deaths = wire_deaths();
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        begin_anew(WIRE_DEATH, seed);
        pairs_begin(seed % 2 ? WORK_SEND : WORK_WRITE, 3 * MTU, 0);
        ck_assert_int_eq(pairs_work.state, WORK_FAILED);
        ck_assert_ptr_nonnull(strstr(pairs[ASKS].end.why, "our queue pair died"));
        size_t went = strlen(pairs_went) / strlen("S0 ");
        ck_assert(went == 1 || went == 2);
        early += went == 1;
        ck_assert_uint_eq(wire_deaths(), deaths + seed);
    }
    ck_assert_uint_gt(early, 0);
    ck_assert_uint_lt(early, SEEDS);
    begin_anew(WIRE_DEATH, 1);
    pairs_do_all(WORK_SEND, MTU, "");
    pairs_expect_one(true, false, MTU);
    pairs_do_all(WORK_READ, 3 * MTU, "");
    wire_set(NULL);
}
END_TEST

/* ---- Writes in any order ---- */

static uint8_t octets[8];
static struct exposed memory = {
    .octets = octets, .offset = 0x1000, .length = 8, .handle = 5, .access = LINK_PEER_WRITES};
static struct user_end end;

static void set_up(void)
{
    static const struct wire_faults faults = {.rate[WIRE_SHUFFLE] = 1000000, .seed = 5};
    wire_set(&faults);
    memset(octets, 0, sizeof octets);
    end = (struct user_end){.open = true, .observed = true, .memory = &memory};
    end.last = &end.first;
    memory.next = NULL;
    wire_begin(&end.chance);
}

static void tear_down(void)
{
    end_free(&end);
    wire_set(NULL);
}

static void write_one(uint64_t at, const char *text)
{
    end_write(&end, &memory, 0x1000 + at, (const uint8_t *)text, strlen(text));
    end_written(&end, &memory, 5, 0x1000 + at, strlen(text));
}

/* They are there when they have to be, and whole; the owner hears of each before what comes then.
 */
START_TEST(all_writes_are_placed)
{
    write_one(0, "abc");
    write_one(3, "defgh");
    ck_assert_int_eq(octets[0], 0);
    ck_assert_ptr_null(end.first);
    ck_assert_uint_gt(end.held_octets, 8);
    end_place(&end);
    ck_assert_uint_eq(end.held_octets, 0); /* or there would be no room for later ones */
    ck_assert_mem_eq(octets, "abcdefgh", 8);
    for (int i = 0; i < 2; i++) {
        struct happening *told = end_next(&end);
        ck_assert(told->is_write);
        ck_assert_uint_eq(told->offset, i == 0 ? 0x1000 : 0x1003);
        ck_assert_mem_eq(told->octets, i == 0 ? "abc" : "defgh", told->length);
        free(told);
    }
    ck_assert_ptr_null(end_next(&end));
}
END_TEST

/* Who writes twice to one place finds the one or the other. */
START_TEST(writes_have_no_order)
{
    unsigned last = 0;
    for (int i = 0; i < 100; i++) {
        write_one(0, "a");
        write_one(0, "b");
        end_place(&end);
        last += octets[0] == 'b';
    }
    ck_assert_uint_gt(last, 30);
    ck_assert_uint_lt(last, 70);
}
END_TEST

/* There is an end of what is held. */
START_TEST(not_all_writes_are_held)
{
    enum { SIZE = 1 << 16, MOST = 16 << 20 };
    static uint8_t there[SIZE], large[SIZE];
    struct exposed place = {.octets = there, .length = SIZE, .handle = 6};
    size_t most = 0;
    unsigned writes = 0;
    memset(large, 0x77, sizeof large);
    end.memory = &place;
    do {
        most = end.held_octets;
        ck_assert_uint_eq(there[0], 0);
        end_write(&end, &place, 0, large, sizeof large);
        ck_assert_uint_le(end.held_octets, MOST);
    } while (++writes < 1000 && end.held_octets > most);
    ck_assert_uint_gt(most, MOST - 2 * SIZE);
    ck_assert_mem_eq(there, large, sizeof large);
}
END_TEST

/* Memory that is not the peer's any more is not written to. */
START_TEST(memory_goes_with_its_writes)
{
    write_one(0, "abc");
    end_forget(&end, &memory);
    ck_assert_mem_eq(octets, "abc", 3);
    end_place(&end);
    write_one(0, "x"); /* is freed with the end */
}
END_TEST

/* ---- links ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static unsigned begun;

static void begin_nothing(struct user_link *link)
{
    (void)link;
    begun++;
}

/* What is under way ends after its time; then the connection is gone, for that reason. */
START_TEST(an_operation_has_its_time)
{
    const struct link_options options = {.timeout = 50};
    struct user_link *own = user_link_new(&options);
    struct user_end of_link = {.open = true};
    struct link_event event;
    uint8_t octet = 0;
    of_link.last = &of_link.first;
    ck_assert(wait_condition(&changed));
    begun = 0;
    own->end = &of_link;
    own->lock = &lock;
    own->changed = &changed;
    own->begin = begin_nothing;
    int64_t begin = clock_milliseconds();
    struct link *link = &own->link;
    ck_assert(!(_i == 0   ? link->ops->send(link, &octet, 1, NULL)
                : _i == 1 ? link->ops->read(link, 1, 1, &octet, 1)
                          : link->ops->write(link, 1, 1, &octet, 1)));
    ck_assert_int_ge((int)(clock_milliseconds() - begin), 49);
    ck_assert_int_lt((int)(clock_milliseconds() - begin), 4000);
    ck_assert_uint_eq(begun, 1);
    ck_assert(!of_link.open);
    ck_assert_ptr_null(of_link.work);
    ck_assert_str_eq(link->why, "an operation did not complete in time");
    of_link.why = "another reason";
    ck_assert(!link->ops->send(link, &octet, 1, NULL));
    ck_assert(!link->ops->read(link, 1, 1, &octet, 1));
    ck_assert_uint_eq(begun, 1);
    link->ops->wait(link, 5000, &event);
    ck_assert_int_eq(event.type, LINK_CLOSED);
    ck_assert_str_eq(link->why, "an operation did not complete in time");
    free(own);
    pthread_cond_destroy(&changed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults of a wire");
    TCase *test = tcase_create("words");
    tcase_add_loop_test(test, words_are_taken_and_printed, 0, COUNT(good));
    tcase_add_loop_test(test, other_words_are_refused, 0, COUNT(bad));
    tcase_add_loop_test(test, a_transport_has_its_words, 0, COUNT(fits));
    tcase_add_test(test, a_seed_is_found);
    tcase_add_test(test, rates_are_kept);
    tcase_add_test(test, a_seed_repeats);
    tcase_add_loop_test(test, packets_are_lost_or_not, 0, COUNT(packets));
    suite_add_tcase(suite, test);
    test = tcase_create("messages");
    tcase_add_checked_fixture(test, pairs_set_up, pairs_tear_down);
    tcase_add_test(test, acknowledgements_are_withheld);
    tcase_add_test(test, responses_are_cut);
    tcase_add_test(test, sends_are_refused_for_a_time);
    tcase_add_test(test, a_queue_pair_dies);
    suite_add_tcase(suite, test);
    test = tcase_create("Writes");
    tcase_add_checked_fixture(test, set_up, tear_down);
    tcase_add_test(test, all_writes_are_placed);
    tcase_add_test(test, writes_have_no_order);
    tcase_add_test(test, memory_goes_with_its_writes);
    tcase_add_test(test, not_all_writes_are_held);
    suite_add_tcase(suite, test);
    test = tcase_create("links");
    tcase_add_loop_test(test, an_operation_has_its_time, 0, 3);
    suite_add_tcase(suite, test);
    return run_suite(suite);
}
