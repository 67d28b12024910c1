// SPDX-License-Identifier: BSD-3-Clause
/* The sink that looks ahead, with a reader of its own: what it keeps back, how much, how long. */
#include "conformance/input/ahead.h"
#include "conformance/tests/support/captures/allocations.h"
#include "conformance/tests/support/captures/seen.h"

/* So long that a copy which is too short, or a sum with the wrong sign, shows. */
static size_t name_length;

static uint32_t given[64][16]; /* sums of the octets of each event, by connection and index */
static uint64_t given_index[64];

static uint32_t sum_of(const uint8_t *data, size_t length)
{
    uint32_t sum = 1;
    for (size_t i = 0; i < length; i++)
        sum = sum * 31 + data[i];
    return sum;
}

/* ---- the sink behind it: a line an event ---- */

static char passed[4096];
static size_t passed_length;
static unsigned passed_events;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(passed + passed_length, sizeof passed - passed_length, format, arguments);
    va_end(arguments);
    if (passed_length + (size_t)length < sizeof passed)
        passed_length += (size_t)length;
}

static const char *letter(const char *name, char text[2])
{
    ck_assert_uint_eq(strlen(name), name_length);
    ck_assert_uint_eq(strspn(name, (char[]){name[0], '\0'}), name_length);
    text[0] = name[0];
    text[1] = '\0';
    return text;
}

/* "a 7 -04" is event 7 of connection "a", by its draft. */
static bool pass_event(void *arg, const struct source_event *event)
{
    static const char *const drafts[] = {[RPCRDMA_PROTOCOL_AUTO] = "",
                                         [RPCRDMA_PROTOCOL_2_04] = " -04",
                                         [RPCRDMA_PROTOCOL_2_07] = " -07"};
    char name[2];
    ck_assert_ptr_eq(arg, &passed);
    ck_assert_str_eq(event->file, "made-up");
    say("%s %" PRIu64 "%s%s%s\n", letter(event->connection, name), event->index,
        drafts[event->event.draft], event->config->mid_stream ? " mid" : "",
        event->event.data ? "" : " unseen");
    if (event->event.data)
        ck_assert_uint_eq(sum_of(event->event.data, event->event.length),
                          given[event->connection_id][event->index % 16]);
    return ++passed_events != stop_after;
}

static void pass_closed(void *arg, uint64_t id)
{
    ck_assert_ptr_eq(arg, &passed);
    say("closed %" PRIu64 "\n", id);
}

static void pass_miss(void *arg, const struct source_miss *miss)
{
    char name[2];
    ck_assert_ptr_eq(arg, &passed);
    say("missed %" PRIu64 " of %s at %" PRIu64 ": %s\n", miss->count,
        miss->connection ? letter(miss->connection, name) : "none", miss->frame, miss->reason);
}

/* What has been passed on since this was last asked. */
static void expect_passed(const char *lines)
{
    ck_assert_str_eq(passed, lines);
    passed_length = passed_events = 0;
    passed[0] = '\0';
}

static void expect_count(unsigned count)
{
    ck_assert_uint_eq(passed_events, count);
    passed_length = passed_events = 0;
    passed[0] = '\0';
}

/* ---- the reader before it: what it gives does not outlive the call ---- */

static const struct source_sink *to;
static bool more;
static char *name_of(unsigned id)
{
    char *name = malloc(name_length + 1);
    ck_assert_ptr_nonnull(name);
    memset(name, (int)('a' + id), name_length);
    name[name_length] = '\0';
    return name;
}

static void give(unsigned id, enum rpcrdma_event_type type, const uint8_t *data, size_t length,
                 bool mid_stream)
{
    char *name = name_of(id);
    uint8_t *copy = data ? malloc(length + 1) : NULL;
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    uint64_t index = given_index[id]++;
    config.mid_stream = mid_stream;
    if (copy)
        memcpy(copy, data, length);
    given[id][index % 16] = copy ? sum_of(copy, length) : 0;
    struct source_event event = {
        .event = {.type = type, .data = copy, .length = length},
        .file = "made-up",
        .connection = name,
        .connection_id = id,
        .index = index,
        .config = &config,
    };
    more = to->event(to->arg, &event);
    memset(name, '?', name_length);
    config.mid_stream = !mid_stream;
    if (copy)
        memset(copy, 0xee, length);
    free(name);
    free(copy);
}

static void give_words(unsigned id, const uint32_t *words, size_t count, bool mid_stream)
{
    uint8_t send[128];
    for (size_t i = 0; i < count; i++)
        put32(send + 4 * i, words[i]);
    give(id, RPCRDMA_EVENT_SEND, send, 4 * count, mid_stream);
}
#define SEND(id, mid_stream, ...)                                                                  \
    give_words(id, (const uint32_t[]){__VA_ARGS__},                                                \
               sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), mid_stream)

/* An UPDPROP of one draft, or a piece of the other; a Call of each. */
static void give_either(unsigned id)
{
    SEND(id, false, 9, 2, 32, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
}

static void give_04(unsigned id)
{
    SEND(id, false, 7, 2, 32, 0, 0, 0, 0, 0, 0, 7, 0, 2, 100003, 4, 0, 0, 0, 0, 0);
}

static void give_07(unsigned id)
{
    SEND(id, false, 7, 2, 32, 10, 0, 0, 0, 0, 7, 0, 2, 100003, 4, 0, 0, 0, 0, 0);
}

static void give_write(unsigned id, size_t length)
{
    static uint8_t written[AHEAD_OCTETS + 1];
    written[0] = (uint8_t)id;
    give(id, RPCRDMA_EVENT_RDMA_WRITE, written, length, false);
}

static void end(unsigned id)
{
    to->closed(to->arg, id);
}

static void miss(int id, uint64_t frame)
{
    char *name = id < 0 ? NULL : name_of((unsigned)id);
    struct source_miss made = {SOURCE_LOST, 3, frame, name, "gone"};
    to->missed(to->arg, &made);
    if (name)
        memset(name, '?', name_length);
    free(name);
}

static void (*script)(void);
static bool script_good;

static bool play(struct source_reader *reader)
{
    to = reader->sink;
    script();
    return script_good;
}

/* What the steps leave kept back is seen afterwards. */
static bool run(void (*steps)(void), bool good, struct source_sink sink)
{
    struct source_reader reader = {NULL,    "made-up",  &options,         &sink,
                                   &counts, read_error, sizeof read_error};
    memset(given_index, 0, sizeof given_index);
    passed_length = passed_events = 0;
    passed[0] = read_error[0] = '\0';
    sink.arg = &passed;
    long alive = allocations_alive();
    script = steps;
    script_good = good;
    good = ahead_read(&reader, play);
    ck_assert_int_eq(allocations_alive(), alive);
    ck_assert_ptr_eq(reader.sink, &sink);
    ck_assert_str_eq(read_error, "");
    return good;
}

static const struct source_sink all = {pass_event, pass_closed, pass_miss, NULL};

/* ---- in order, and whole ---- */

static void everything(void)
{
    miss(2, 1);
    expect_passed("missed 3 of c at 1: gone\n");
    give_write(1, 10);
    expect_passed("b 0\n");
    give_either(0);
    SEND(1, true, 5, 1, 32, 0, 0, 0, 0);
    miss(3, 2);
    miss(-1, 3);
    give(1, RPCRDMA_EVENT_RDMA_READ, NULL, 64, false);
    end(1);
    give_either(0);
    expect_passed("");
    ck_assert(more);
    give_07(0);
    expect_passed("a 0 -07\nb 1 mid\nmissed 3 of d at 2: gone\nmissed 3 of none at 3: gone\n"
                  "b 2 unseen\nclosed 1\na 1 -07\na 2 -07\n");
    give_either(0); /* it is known now */
    give_write(0, 20);
    expect_passed("a 3 -07\na 4 -07\n");
    end(0);
    expect_passed("closed 0\n");
    give_either(0); /* another of this number, otherwise unknown */
    expect_passed("");
}

START_TEST(in_order)
{
    ck_assert(run(everything, true, all));
    expect_passed("a 5\n");
    ck_assert(!run(everything, false, all));
    expect_passed("a 5\n");
}
END_TEST

static void end_and_miss(void)
{
    miss(0, 1);
    give_either(0);
    miss(0, 2);
    end(0);
    give_07(0);
}

/* A sink need not want to know what was missed, or what has ended. */
START_TEST(sink_of_events)
{
    ck_assert(run(end_and_miss, true, (struct source_sink){.event = pass_event}));
    expect_passed("a 0\na 1 -07\n");
}
END_TEST

static void end_undecided(void)
{
    give_either(0);
    give_either(1);
    give_write(0, 8);
    end(0);
    expect_passed("a 0\n");
    give_04(1);
    expect_passed("b 0 -04\na 1\nclosed 0\nb 1 -04\n");
}

/* The end of a connection decides, too. What follows other events still waits for them. */
START_TEST(ended)
{
    ck_assert(run(end_undecided, true, all));
    expect_passed("");
}
END_TEST

/* ---- what decides ---- */

static void sends(void)
{
    for (int i = 1; i < AHEAD_SENDS; i++)
        give_either(0);
    expect_passed("");
    give_either(0);
    expect_count(AHEAD_SENDS);
    give_07(0);
    expect_passed("a 16\n");
}

/* After this many Sends nothing is said of the draft any more. */
START_TEST(of_sends)
{
    ck_assert(run(sends, true, all));
    expect_passed("");
}
END_TEST

static void firsts(void)
{
    SEND(0, false, 7, 2, 32, 7, 1, 1, 4, 8192);
    expect_passed("a 0 -07\n");
    SEND(1, true, 7, 2, 32, 7, 1, 1, 4, 8192);
    SEND(1, false, 7, 2, 32, 7, 1, 1, 4, 8192);
    SEND(2, false, 7, 2, 32, 0, 0, 0, 9); /* no draft reads it */
    expect_passed("");
    give_07(1);
    expect_passed("b 0 -07 mid\nb 1 -07\n");
    give_07(2);
    expect_passed("c 0 -07\nb 2 -07\nc 1 -07\n");
}

/* A CONNPROP can only be the first Send of a connection, and of one whose beginning was seen. What
 * has the type of one draft decides nothing if it cannot be read. */
START_TEST(of_first)
{
    ck_assert(run(firsts, true, all));
    expect_passed("");
}
END_TEST

static void behind_others(void)
{
    give_either(0);
    give_write(1, 8);
    give_either(1);
    give_04(0);
    expect_passed("a 0 -04\nb 0\n");
    give_07(1);
    expect_passed("b 1 -07\na 1 -04\nb 2 -07\n");
}

/* What was waiting for another connection waits for its own from then on. */
START_TEST(of_another)
{
    ck_assert(run(behind_others, true, all));
    expect_passed("");
}
END_TEST

#define MANY 13

static void many(void)
{
    char lines[256] = "";
    for (unsigned i = 0; i < MANY; i++)
        give_either(i * 5 % MANY);
    for (unsigned i = 0; i < MANY; i++) {
        expect_passed("");
        (i % 2 == 0 ? give_04 : give_07)((MANY - 1 - i) * 5 % MANY);
    }
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < MANY; i++) {
            unsigned turn = round == 0 ? i : MANY - 1 - i;
            sprintf(lines + strlen(lines), "%c %d %s\n", 'a' + (char)(turn * 5 % MANY), round,
                    turn % 2 == 0 ? "-04" : "-07");
        }
    expect_passed(lines);
    for (unsigned i = 0; i < MANY; i++) {
        end(i * 3 % MANY);
        passed_length = 0;
        for (unsigned j = 0; j < MANY; j++)
            give_write(j, 8);
        expect_count(MANY);
    }
}

/* Many at once, each of its own draft. */
START_TEST(of_many)
{
    ck_assert(run(many, true, all));
    expect_passed("");
}
END_TEST

/* ---- limits ---- */

static void events(void)
{
    give_either(0);
    give_either(1);
    for (int i = 2; i < AHEAD_EVENTS; i++)
        give_write(2, 8);
    expect_passed("");
    give_write(2, 8);
    expect_passed("a 0\n");
    give_write(2, 8);
    expect_count(AHEAD_EVENTS + 1);
    for (int i = 0; i < AHEAD_EVENTS; i++) {
        give_either(3);
        give_write(2, 8);
        give_04(3);
        expect_count(3);
        end(3);
    }
}

/* This many are kept back, and one more gives up the oldest. What was passed on does not count. */
START_TEST(most_events)
{
    ck_assert(run(events, true, all));
}
END_TEST

static void many_octets(void)
{
    give_either(0);
    give_write(1, AHEAD_OCTETS - 3 * name_length);
    expect_passed("");
    give_write(1, 3 * name_length);
    expect_passed("a 0\nb 0\nb 1\n");
    for (int i = 0; i < 4; i++) {
        give_either(2);
        give_write(1, AHEAD_OCTETS / 2);
        expect_count(0);
        give_04(2);
        expect_count(3);
        end(2);
    }
    give_either(3);
    for (size_t i = 0; i < AHEAD_OCTETS / (name_length + 1000); i++)
        miss(3, 9);
    expect_count(0);
    for (size_t i = 0; i < AHEAD_OCTETS / name_length / 10; i++)
        miss(3, 9);
    expect_count(1);
}

/* Likewise their octets, names and all. */
START_TEST(most_octets)
{
    name_length = 10000;
    ck_assert(run(many_octets, true, all));
}
END_TEST

static void stop_in_the_middle(void)
{
    give_either(0);
    give_write(1, 8);
    give_write(1, 8);
    ck_assert(more);
    give_04(0);
    expect_passed("a 0 -04\nb 0\n");
    ck_assert(!more);
    give_write(1, 8);
    expect_passed("");
    ck_assert(!more);
    end(1);
}

/* A sink that wants no more gets no more, but the ends. */
START_TEST(stopped)
{
    stop_after = 2;
    ck_assert(run(stop_in_the_middle, true, all));
    expect_passed("closed 1\n");
}
END_TEST

static void not_asked(void)
{
    give_either(0);
    expect_passed("a 0\n");
}

/* Where the draft is given nothing is kept. */
START_TEST(given_draft)
{
    options.draft = RPCRDMA_PROTOCOL_2_04;
    ck_assert(run(not_asked, true, all));
}
END_TEST

static void begin(void)
{
    setup();
    name_length = 1000;
}

int main(void)
{
    Suite *suite = suite_create("looking ahead");
    TCase *tests = new_case(suite, "ahead");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, in_order);
    tcase_add_test(tests, sink_of_events);
    tcase_add_test(tests, ended);
    tcase_add_test(tests, of_sends);
    tcase_add_test(tests, of_first);
    tcase_add_test(tests, of_another);
    tcase_add_test(tests, of_many);
    tests = new_case(suite, "limits");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, most_events);
    tcase_add_test(tests, most_octets);
    tcase_add_test(tests, stopped);
    tcase_add_test(tests, given_draft);
    return run_suite(suite);
}
