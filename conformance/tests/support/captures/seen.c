// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/seen.h"

#include "conformance/input/ahead.h"
#include "conformance/tests/support/captures/allocations.h"
#include "conformance/base/count.h"

#include <unistd.h>

char seen[16384], missed[4096];
size_t seen_length;
unsigned stop_after, events_seen, seen_before_miss, opened, closed, most_open;
uint64_t next_index[8192], last_frame[8192], first_missed;
int64_t last_time;
size_t last_length;
struct rpcrdma_event last_read;
struct source_options options;
struct source_counts counts;
char read_error[512];
uint8_t octets[8192];
bool quiet, displaced, times_differ;
unsigned unopened, one_sided; /* connections, by what was missed */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(seen + seen_length, sizeof seen - seen_length, format, arguments);
    va_end(arguments);
    if (!quiet && length > 0)
        seen_length += (size_t)length;
    ck_assert_uint_lt(seen_length, sizeof seen);
}

void pass_window(void)
{
    for (unsigned i = 0; i < WINDOW + 2; i++)
        ack(CLIENT, 1999, ACK);
}

void part(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn)
{
    size_t at = opcode == OP_SEND_FIRST ? 0 : opcode == OP_SEND_MIDDLE ? 1024 : 2048;
    request(sender, opcode, psn, octets + at, opcode == OP_SEND_LAST ? 52 : 1024);
}

static bool is_version2(const struct rpcrdma_event *e)
{
    return e->type == RPCRDMA_EVENT_SEND && e->length >= 16 &&
           load_be32((const uint8_t *)e->data + 4) == 2;
}

static bool is_operation(const struct rpcrdma_event *e)
{
    return e->type == RPCRDMA_EVENT_RDMA_READ || e->type == RPCRDMA_EVENT_RDMA_WRITE ||
           e->type == RPCRDMA_EVENT_REFUSED;
}

/* "3 send client 68" is frame 3. Octets that are not as written show as "wrong". Of version 2 the
 * type is shown, and the draft where it is known. */
static void say_event(const struct source_event *event)
{
    static const char *const types[] = {"send", "read",   "write",     "private", "disconnect",
                                        "gap",  "atomic", "not-ready", "refused"};
    const struct rpcrdma_event *e = &event->event;
    say("%" PRIu64 " %s", event->frame, types[e->type]);
    if (e->type != RPCRDMA_EVENT_GAP)
        say(" %s", e->from == RPCRDMA_CLIENT ? "client" : "server");
    if (e->type < RPCRDMA_EVENT_DISCONNECT)
        say(" %zu", e->length);
    if (e->missing)
        say("+%zu", e->missing);
    if (is_version2(e))
        say(" type %" PRIu32 "%s", load_be32((const uint8_t *)e->data + 12),
            e->draft == RPCRDMA_PROTOCOL_2_04   ? " -04"
            : e->draft == RPCRDMA_PROTOCOL_2_07 ? " -07"
                                                : "");
    else if (e->type == RPCRDMA_EVENT_SEND && e->length == MESSAGE_LENGTH)
        say(" %" PRIx32, load_be32(e->data));
    else if (e->type < RPCRDMA_EVENT_PRIVATE_DATA && e->data == NULL)
        say(" unseen");
    else if (e->type < RPCRDMA_EVENT_PRIVATE_DATA && e->length > 0 &&
             (e->length > sizeof octets || memcmp(e->data, octets, e->length) != 0))
        say(" wrong");
    if (e->invalidate || e->handle)
        say(" h%" PRIx32, e->handle);
    if (e->type == RPCRDMA_EVENT_REFUSED)
        say("%s %zu", e->is_read ? " read" : "", e->length);
    if (is_operation(e) && e->offset != RDMA_OFFSET)
        say(" at %" PRIx64, e->offset);
    say("%s%s%s\n", e->reads_open ? " reading" : "", e->unconfirmed ? " unconfirmed" : "",
        event->config->mid_stream ? " mid" : "");
}

/* What a capture does not tell is as usual, or as the options say. */
static void check_config(const struct rpcrdma_check_config *config)
{
    const struct rpcrdma_check_config usual = RPCRDMA_CHECK_CONFIG_DEFAULT;
    ck_assert(config->seen_between);
    ck_assert_int_eq(config->operations_seen, !config->mid_stream);
    ck_assert_int_eq((int)config->draft, (int)options.draft);
    ck_assert_ptr_eq(config->bindings, options.bindings);
    for (int side = 0; side < 2; side++) {
        ck_assert_uint_eq(config->inline_threshold[side], usual.inline_threshold[side]);
        ck_assert(!config->registrations_seen[side]);
    }
    ck_assert_uint_eq(config->continued_octets, usual.continued_octets);
}

bool see_event(void *arg, const struct source_event *event)
{
    uint64_t id = event->connection_id;
    ck_assert_ptr_eq(arg, &seen);
    ck_assert_str_eq(event->file, "made-up");
    ck_assert_uint_lt(id, COUNT(next_index));
    ck_assert_uint_le(event->frame, counts.frames);
    bool is_gap =
        event->event.type == RPCRDMA_EVENT_GAP; /* it stands before all that it may explain */
    if (!displaced && !is_gap)
        ck_assert_uint_ge(event->frame, last_frame[id]);
    if (is_gap)
        ck_assert_int_eq(event->time, 0);
    else
        last_frame[id] = event->frame;
    check_config(event->config);
    if (event->event.type < RPCRDMA_EVENT_PRIVATE_DATA && !times_differ)
        ck_assert_int_eq(event->time, (int64_t)event->frame * 1000000000 + 7000);
    last_time = event->time;
    last_length = event->event.length;
    if (event->event.type == RPCRDMA_EVENT_RDMA_READ) {
        last_read = event->event;
        last_read.data = NULL;
    }
    if (event->event.type != RPCRDMA_EVENT_GAP)
        ck_assert_uint_eq(event->index, next_index[id]++);
    if (id >= opened) {
        opened = (unsigned)id + 1;
        say("%u: %s\n", (unsigned)id, event->connection);
    }
    if (opened > 1)
        say("%u: ", (unsigned)id);
    say_event(event);
    return ++events_seen != stop_after;
}

void see_closed(void *arg, uint64_t connection_id)
{
    ck_assert_ptr_eq(arg, &seen);
    if (opened > 1)
        say("%u: ", (unsigned)connection_id);
    say("closed\n");
    unsigned open = (unsigned)counts.connections - closed;
    most_open = open > most_open ? open : most_open;
    closed++;
}

static size_t missed_length;

static void see_missed(void *arg, const struct source_miss *miss)
{
    static const char *const kinds[] = {[SOURCE_LOST] = "lost",
                                        [SOURCE_CUT] = "cut",
                                        [SOURCE_UNREAD] = "unread",
                                        [SOURCE_BROKEN_OFF] = "broken off"};
    ck_assert_ptr_eq(arg, &seen);
    ck_assert_uint_gt(miss->count, 0);
    unopened += miss->kind == SOURCE_UNOPENED;
    one_sided += miss->kind == SOURCE_ONE_SIDED;
    if (miss->kind == SOURCE_UNOPENED || miss->kind == SOURCE_ONE_SIDED)
        return;
    if (first_missed == 0) {
        first_missed = counts.frames;
        seen_before_miss = events_seen;
    }
    if (missed_length < sizeof missed - 256)
        missed_length += (size_t)snprintf(
            missed + missed_length, 256, "%" PRIu64 " %s %" PRIu64 "%s: %s\n", miss->frame,
            kinds[miss->kind], miss->count, miss->connection ? "" : " of none", miss->reason);
}

static bool pass_over(void *arg, const struct source_event *event)
{
    (void)event;
    return ++*(unsigned *)arg != stop_after;
}

static void pass_over_closed(void *arg, uint64_t connection_id)
{
    (void)arg, (void)connection_id;
}

/* The blocks that stay allocated when the capture has been read. */
static long blocks_left(void)
{
    unsigned events = 0;
    char error[sizeof read_error];
    struct source_counts left = {0};
    struct source_options plain = options;
    const struct source_sink sink = {
        .event = pass_over, .closed = pass_over_closed, .arg = &events};
    plain.progress = NULL;
    fflush(capture);
    rewind(capture);
    long alive = allocations_alive();
    struct source_reader reader = {
        fdopen(dup(fileno(capture)), "rb"), "again", &plain, &sink, &left, error, sizeof error};
    ck_assert_ptr_nonnull(reader.stream);
    ahead_read(&reader, source_read_capture);
    if (reader.stream)
        fclose(reader.stream);
    ck_assert_uint_eq(left.unreturned, 0);
    return allocations_alive() - alive;
}

bool read_capture(void)
{
    if (blocks_left() > 0) /* the C library may keep some when it is first used */
        ck_assert_int_eq(blocks_left(), 0);
    const struct source_sink sink = {
        .event = see_event, .closed = see_closed, .missed = see_missed, .arg = &seen};
    memset(&counts, 0, sizeof counts);
    memset(next_index, 0, sizeof next_index);
    memset(last_frame, 0, sizeof last_frame);
    seen_length = events_seen = opened = closed = most_open = 0;
    first_missed = 0;
    seen[0] = read_error[0] = missed[0] = '\0';
    missed_length = unopened = one_sided = 0;
    rewind(capture);
    struct source_reader reader = {capture, "made-up",  &options,         &sink,
                                   &counts, read_error, sizeof read_error};
    bool good = ahead_read(&reader, source_read_capture);
    if (reader.stream)
        fclose(reader.stream);
    return good;
}

void expect(const char *events)
{
    bool good = read_capture();
    ck_assert_str_eq(seen, events);
    ck_assert_str_eq(read_error, "");
    ck_assert(good);
    ck_assert_uint_eq(counts.frames, frames);
    ck_assert_uint_eq(counts.connections, closed);
}

void setup(void)
{
    options = (struct source_options){.port = 20049};
    wrapping = (struct wrapping){.link = LINK_ETHERNET};
    stop_after = 0;
    quiet = displaced = times_differ = false;
    for (size_t i = 0; i < sizeof octets; i++)
        octets[i] = (uint8_t)(i % 251 + 1);
    begin_capture();
}

TCase *new_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return tests;
}
