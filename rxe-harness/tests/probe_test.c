// SPDX-License-Identifier: BSD-3-Clause
/*
 * The probe finds nothing wrong with the reference Responder, and finds each fault that is put
 * into it: the Responder's link is made to lie.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

static struct link_ops honest, faulty;
static unsigned sends;

static bool is_error(const uint8_t *octets)
{
    return rpcrdma_xdr_load32(octets + 12) == RPCRDMA1_ERROR;
}

static bool change(struct link *link, const uint8_t *octets, size_t length, size_t at,
                   uint32_t word, const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    if (at + 4 <= length)
        rpcrdma_xdr_store32(copy + at, word);
    return honest.send(link, copy, length, handle);
}

/* ---- faults ---- */

static bool swallow_errors(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    return is_error(octets) || honest.send(link, octets, length, handle);
}

/* An error waits until the next Send overtakes it. */
static uint8_t held[RPCRDMA1_ERR_VERS_LENGTH];
static size_t held_length;
static bool late_errors(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    if (is_error(octets)) {
        held_length = length;
        memcpy(held, octets, length);
        return true;
    }
    bool good = honest.send(link, octets, length, handle);
    if (held_length > 0)
        honest.send(link, held, held_length, NULL);
    held_length = 0;
    return good;
}

static bool close_on_error(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    if (!is_error(octets))
        return honest.send(link, octets, length, handle);
    honest.close(link);
    return false;
}

/* Its error does not come, and the connection ends before anything else does. */
static bool close_on_next(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    if (held_length == 0 && !is_error(octets))
        return honest.send(link, octets, length, handle);
    held_length = length;
    if (!is_error(octets))
        honest.close(link);
    return is_error(octets);
}

static bool errors_of_xid_0(struct link *link, const void *octets, size_t length,
                            const uint32_t *handle)
{
    if (is_error(octets))
        return change(link, octets, length, 0, 0, handle);
    return honest.send(link, octets, length, handle);
}

static bool chunk_for_version(struct link *link, const void *octets, size_t length,
                              const uint32_t *handle)
{
    if (!is_error(octets))
        return honest.send(link, octets, length, handle);
    return change(link, octets, RPCRDMA1_ERR_CHUNK_LENGTH, 16, RPCRDMA1_ERR_CHUNK, handle);
}

/* The Reply chunk is always used, and found too small. */
static bool reply_chunk_too_small(struct link *link, const void *octets, size_t length,
                                  const uint32_t *handle)
{
    struct rpcrdma1_header header;
    if (is_error(octets) || rpcrdma1_header_decode(&header, octets, length, NULL, NULL) < 0 ||
        !rpcrdma1_chunks(&header)->rdma_reply.present)
        return honest.send(link, octets, length, handle);
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    header.rdma_body.proc = RPCRDMA1_ERROR;
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    rpcrdma1_header_encode(error, sizeof error, &header, NULL);
    return honest.send(link, error, sizeof error, NULL);
}

/* A second Write chunk is returned, and filled, as the first one is. */
static bool fill_all_chunks(struct link *link, const void *octets, size_t length,
                            const uint32_t *handle)
{
    static const uint8_t zeros[1 << 20];
    enum { SEGMENTS = 2 };
    uint8_t copy[RESPONDER_INLINE];
    size_t at = 24, other = at + 4 + 16 * SEGMENTS + 4; /* the counts of segments of both */
    const uint8_t *words = octets;
    memcpy(copy, octets, length);
    bool both = !is_error(octets) && length > other && rpcrdma_xdr_load32(words + 16) == 0 &&
                rpcrdma_xdr_load32(words + 20) == 1 && rpcrdma_xdr_load32(words + at) == SEGMENTS &&
                rpcrdma_xdr_load32(words + other - 4) == 1;
    for (unsigned i = 0; both && i < SEGMENTS; i++) {
        const uint8_t *from = words + at + 4 + 16 * i;
        uint8_t *to = copy + other + 4 + 16 * i;
        memcpy(to + 4, from + 4, 4);
        honest.write(link, rpcrdma_xdr_load32(to), rpcrdma_xdr_load64(to + 8), zeros,
                     rpcrdma_xdr_load32(to + 4));
    }
    return honest.send(link, copy, length, handle);
}

static bool grant_of_zero(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return change(link, octets, length, 8, 0, handle);
}

static bool lose_the_50th(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return ++sends >= 50 || honest.send(link, octets, length, handle);
}

static bool invalidate_nothing(struct link *link, const void *octets, size_t length,
                               const uint32_t *handle)
{
    (void)handle;
    static const uint32_t unknown = 0xbad;
    return honest.send(link, octets, length, is_error(octets) ? NULL : &unknown);
}

/* The Receive of what comes with a fault is not posted again. */
static bool is_runt(const struct link_event *event)
{
    return event->length < RPCRDMA1_HEADER_MIN && event->length % 4 != 0;
}

static bool is_error_to_us(const struct link_event *event)
{
    return event->length >= RPCRDMA1_ERR_CHUNK_LENGTH && is_error(event->octets);
}

static bool is_bad_call(const struct link_event *event)
{
    return event->length >= RPCRDMA1_HEADER_MIN &&
           (rpcrdma_xdr_load32(event->octets + 4) != 1 || event->octets[15] == 77);
}

/* A runt is answered, by a thread so late that other Replies come before. */
static uint32_t late_xid;
static unsigned replies_since;

static void note_runts(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED && is_runt(event) && event->length >= 4) {
        late_xid = rpcrdma_xdr_load32(event->octets);
        replies_since = 0;
    }
}

static bool answer_runts_late(struct link *link, const void *octets, size_t length,
                              const uint32_t *handle)
{
    uint8_t answer[RPCRDMA1_ERR_CHUNK_LENGTH];
    bool good = honest.send(link, octets, length, handle);
    if (late_xid == 0 || ++replies_since < 3)
        return good;
    const struct rpcrdma1_header header = {
        .rdma_xid = late_xid,
        .rdma_vers = 1,
        .rdma_credit = RESPONDER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_ERROR, .rdma_error.err = RPCRDMA1_ERR_CHUNK}};
    rpcrdma1_header_encode(answer, sizeof answer, &header, NULL);
    late_xid = 0;
    return good && honest.send(link, answer, sizeof answer, NULL);
}

/* Two Read chunks of one segment each are put one after the other, whatever the second Position is.
 */
static void join_chunks(struct link *link, unsigned timeout, struct link_event *event)
{
    enum { SECOND = 16 + 24 }; /* where the second entry of the list is */
    static uint8_t copy[RESPONDER_INLINE];
    honest.wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < SECOND + 24 ||
        event->octets[SECOND + 3] != 1)
        return;
    const uint8_t *first = event->octets + SECOND - 20;
    memcpy(copy, event->octets, event->length);
    rpcrdma_xdr_store32(copy + SECOND + 4,
                        rpcrdma_xdr_load32(first) + rpcrdma_xdr_load32(first + 8));
    event->octets = copy;
}

static void leak(struct link *link, unsigned timeout, struct link_event *event,
                 bool (*is_lost)(const struct link_event *event))
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED && is_lost(event))
        loopback_lose_receive(link);
}

/* What fills the first Send of a connection is lost: always, or once. */
static void lose_the_largest(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED && event->length == 1024)
        *event = (struct link_event){.type = LINK_NOTHING};
}

static void lose_one_of_the_largest(struct link *link, unsigned timeout, struct link_event *event)
{
    static bool is_lost;
    honest.wait(link, timeout, event);
    if (!is_lost && event->type == LINK_RECEIVED && event->length == 1024) {
        *event = (struct link_event){.type = LINK_NOTHING};
        is_lost = true;
    }
}

static void leak_runts(struct link *link, unsigned timeout, struct link_event *event)
{
    leak(link, timeout, event, is_runt);
}

static void leak_errors(struct link *link, unsigned timeout, struct link_event *event)
{
    leak(link, timeout, event, is_error_to_us);
}

static void leak_bad_calls(struct link *link, unsigned timeout, struct link_event *event)
{
    leak(link, timeout, event, is_bad_call);
}

static bool write_wrong(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                        size_t length)
{
    uint8_t *copy = malloc(length + 1);
    memcpy(copy, octets, length);
    copy[length - 1] ^= 1;
    bool good = honest.write(link, handle, offset, copy, length);
    free(copy);
    return good;
}

static bool write_half(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                       size_t length)
{
    return honest.write(link, handle, offset, octets, length / 2);
}

static bool write_padding(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                          size_t length)
{
    return honest.write(link, handle, offset, octets, (length + 3) & ~(size_t)3);
}

static bool read_wrong(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                       size_t length)
{
    bool good = honest.read(link, handle, offset, octets, length);
    if (good && length > 0)
        ((uint8_t *)octets)[length / 2] ^= 1;
    return good;
}

static bool read_beyond(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    return honest.read(link, handle, offset, octets, length + 1);
}

/* One handle means one place: the offsets of later segments are not looked at. */
static uint64_t place_of(uint32_t handle, uint64_t offset)
{
    static struct {
        uint32_t handle;
        uint64_t offset;
    } first;
    if (first.handle != handle)
        first.handle = handle, first.offset = offset;
    return first.offset;
}

static bool read_first_place(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                             size_t length)
{
    return honest.read(link, handle, place_of(handle, offset), octets, length);
}

static bool write_first_place(struct link *link, uint32_t handle, uint64_t offset,
                              const void *octets, size_t length)
{
    return honest.write(link, handle, place_of(handle, offset), octets, length);
}

/* It forgets the header where it looks whether a Reply fits, and there is no way back then. */
static bool forget_header(struct link *link, const void *sent, size_t length,
                          const uint32_t *handle)
{
    const uint8_t *octets = sent;
    enum { REPLY_LENGTH = RPCRDMA1_HEADER_MIN + 8 }; /* of its first segment */
    bool is_long = rpcrdma_xdr_load32(octets + RPCRDMA1_AT_PROC) == RPCRDMA1_NOMSG;
    if (!is_long || length < REPLY_LENGTH + 4 || rpcrdma_xdr_load32(octets + REPLY_LENGTH) > 1024)
        return honest.send(link, sent, length, handle);
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    memcpy(error, octets, 12);
    rpcrdma_xdr_store32(error + RPCRDMA1_AT_PROC, RPCRDMA1_ERROR);
    rpcrdma_xdr_store32(error + RPCRDMA1_AT_PROC + 4, RPCRDMA1_ERR_CHUNK);
    return honest.send(link, error, sizeof error, NULL);
}

static const struct {
    struct link_ops ops;
    const char *test; /* that has to fail */
    enum ending ending;
    const char *rule; /* that a finding has to name, or NULL */
} faults[] = {
    {{.send = swallow_errors}, "read-list-presence-of-two", ENDING_SILENT, NULL},
    {{.send = swallow_errors}, "faults-in-a-row", ENDING_WRONG, NULL},
    {{.send = swallow_errors}, "no-room-for-reply", ENDING_WRONG, NULL},
    {{.send = late_errors}, "read-list-presence-of-two", ENDING_REQUIRED, NULL},
    {{.send = close_on_error}, "read-list-presence-of-two", ENDING_CLOSED, NULL},
    /* ERR_CHUNK is open where no Reply fits, and only there. */
    {{.send = reply_chunk_too_small}, "reply-chunk-of-empty-segments", ENDING_REQUIRED, NULL},
    {{.send = reply_chunk_too_small},
     "reply-chunk-with-room-after-empty-segment",
     ENDING_REQUIRED,
     NULL},
    {{.send = reply_chunk_too_small}, "short-reply-with-reply-chunk", ENDING_WRONG, NULL},
    /* So is the end of the connection where there is no memory of that size. */
    {{.send = close_on_error}, "position-and-length-wrap-together", ENDING_REQUIRED, NULL},
    {{.send = close_on_error}, "reading-overlap-that-wraps", ENDING_REQUIRED, NULL},
    {{.send = close_on_next}, "position-and-length-wrap-together", ENDING_REQUIRED, NULL},
    {{.send = errors_of_xid_0},
     "read-list-presence-of-two",
     ENDING_WRONG,
     "rfc8166/4.5/error-without-call"},
    {{.send = chunk_for_version}, "faults-in-a-row", ENDING_WRONG, NULL},
    {{.send = grant_of_zero}, "smallest-call", ENDING_WRONG, "rfc8166/3.3.1/grant-not-zero"},
    {{.send = lose_the_50th}, "calls-in-a-row", ENDING_SILENT, NULL},
    {{.send = lose_the_50th}, "runts-in-a-row", ENDING_SILENT, NULL},
    {{.wait = lose_the_largest}, "first-call-of-1024-octets", ENDING_WRONG, NULL},
    {{.wait = lose_one_of_the_largest}, "first-call-of-1024-octets", ENDING_REQUIRED, NULL},
    {{.wait = leak_runts}, "series-of-runts", ENDING_CLOSED, NULL},
    {{.wait = leak_runts}, "series-of-errors", ENDING_REQUIRED, NULL},
    {{.wait = leak_runts}, "series-of-faults", ENDING_REQUIRED, NULL},
    {{.wait = leak_runts}, "series-of-runts-beyond-grant", ENDING_TOLERATED, NULL},
    {{.wait = note_runts, .send = answer_runts_late},
     "series-of-runts",
     ENDING_REQUIRED,
     "rfc8166/4.5/short-message-discarded"},
    {{.wait = leak_errors}, "series-of-runts", ENDING_REQUIRED, NULL},
    {{.wait = leak_errors}, "series-of-errors", ENDING_CLOSED, NULL},
    {{.wait = leak_errors}, "series-of-errors-beyond-grant", ENDING_TOLERATED, NULL},
    {{.wait = leak_bad_calls}, "series-of-runts", ENDING_REQUIRED, NULL},
    {{.wait = leak_bad_calls}, "series-of-faults", ENDING_CLOSED, NULL},
    {{.send = swallow_errors}, "series-of-faults", ENDING_SILENT, NULL},
    {{.send = chunk_for_version}, "series-of-faults", ENDING_WRONG, NULL},
    {{.send = close_on_error}, "series-of-faults", ENDING_CLOSED, NULL},
    {{.send = invalidate_nothing}, "push-5-in-1", ENDING_CRASHED, NULL},
    {{.write = write_wrong}, "push-1023-in-7", ENDING_WRONG, NULL},
    {{.write = write_half},
     "push-1024-in-1",
     ENDING_WRONG,
     "rfc8166/3.4.6/returned-length-written"},
    {{.write = write_wrong}, "long-reply-8191-in-3", ENDING_WRONG, NULL},
    {{.write = write_padding}, "write-chunk-with-more-room", ENDING_WRONG, NULL},
    {{.wait = join_chunks}, "read-chunk-inside-another", ENDING_WRONG, NULL},
    {{.send = fill_all_chunks}, "write-chunk-beside-unused", ENDING_WRONG, NULL},
    {{.read = read_wrong}, "pull-5-in-3", ENDING_WRONG, NULL},
    {{.read = read_wrong}, "long-call-8191-in-5", ENDING_WRONG, NULL},
    {{.read = read_beyond}, "pull-1024-in-1", ENDING_WRONG, NULL},
    {{.read = read_first_place}, "pull-4099-in-5-of-one-handle", ENDING_WRONG, NULL},
    {{.read = read_first_place}, "pull-5-in-3", ENDING_REQUIRED, NULL},
    {{.write = write_first_place}, "push-4099-in-5-of-one-handle", ENDING_WRONG, NULL},
    {{.write = write_first_place}, "push-5-in-3", ENDING_REQUIRED, NULL},
    {{.send = forget_header}, "reply-beyond-announced-size-by-its-header", ENDING_WRONG, NULL},
    {{.send = forget_header}, "reply-beyond-announced-size", ENDING_REQUIRED, NULL},
};

/* ---- the peer ---- */

static bool is_deaf;

static void *begin(void *arg, struct link *link)
{
    const struct link_ops *fault = arg;
    if (fault) {
        honest = *link->ops;
        faulty = honest;
        if (fault->send)
            faulty.send = fault->send;
        if (fault->read)
            faulty.read = fault->read;
        if (fault->write)
            faulty.write = fault->write;
        if (fault->wait)
            faulty.wait = fault->wait;
        link->ops = &faulty;
    }
    if (is_deaf) {
        const struct link_options *own = responder_options();
        memcpy(link->private_data, own->private_data, own->private_length);
        link->private_length = own->private_length;
    }
    sends = 0;
    held_length = 0;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(const struct link_ops *fault)
{
    static struct link_ops given;
    if (fault)
        given = *fault;
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin,
                                       .step = step,
                                       .end = end,
                                       .arg = fault ? &given : NULL};
    struct probe probe = {
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION},
        .peer.invalidates = true};
    probe.peer.transport = transport_loopback(&peer);
    return probe;
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

START_TEST(the_reference_responder_is_good)
{
    struct probe probe = probe_of(NULL);
    probe.options.hazards.all = true;
    ck_assert(probe_begin(&probe));
    ck_assert(probe.peer.has_test_program);
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    ck_assert_uint_gt(probe.run.results.count, 400);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_msg(!ending_is_failure(result->ending), "%s: %s", result->test, result->actual);
    }
    finish(&probe);
}
END_TEST

static void find_fault(const struct link_ops *fault, const char *test, enum ending ending,
                       const char *rule)
{
    struct probe probe = probe_of(fault);
    bool ended = false, accused = rule == NULL;
    chosen_add(&probe.options.cases, test);
    if (probe_begin(&probe)) {
        probe.peer.has_test_program = true;
        probe_run_cases(&probe);
        probe_run_table(&probe);
        probe_end(&probe);
    } else {
        ended = ending == ENDING_CRASHED;
    }
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ended = ended || (strcmp(result->test, test) == 0 && result->ending == ending);
        accused = accused || (result->rule && strcmp(result->rule, rule) == 0 &&
                              ending_is_failure(result->ending));
    }
    ck_assert_msg(ended, "%s does not end as it has to", test);
    ck_assert_msg(accused, "%s is not found in %s", rule, test);
    finish(&probe);
}

START_TEST(a_fault_is_found)
{
    find_fault(&faults[_i].ops, faults[_i].test, faults[_i].ending, faults[_i].rule);
}
END_TEST

/* It goes by its own private data in place of the Requester's. */
START_TEST(what_is_announced_counts)
{
    static const struct link_ops none;
    is_deaf = true;
    find_fault(&none, "reply-beyond-announced-size", ENDING_WRONG,
               "rfc8166/3.5.3/reply-chunk-used");
    find_fault(&none, "reply-where-no-invalidation-is-taken", ENDING_WRONG,
               "rfc8797/4.1/plain-send-without-support");
    is_deaf = false;
}
END_TEST

/* What is looked at once more keeps its XIDs: none comes a second time. It is not kept for long. */
START_TEST(a_connection_is_watched)
{
    static const struct {
        unsigned patience;
        int64_t time;
    } rows[] = {{0, 0}, {10, 60}, {83, 498}, {84, 500}, {100000, 500}};
    const struct probe_memory memory = {0};
    struct probe probe = probe_of(NULL);
    ck_assert(probe_begin(&probe));
    probe_name(&probe, "case", "comment");
    probe_result(&probe, NULL, false);
    for (unsigned i = 0; i < COUNT(rows); i++) {
        ck_assert_ptr_nonnull(probe_connect(&probe));
        probe.requester->xid += 5000;
        uint32_t xid = probe.requester->xid;
        probe.peer.patience = rows[i].patience;
        int64_t before = clock_milliseconds();
        probe_watch(&probe, &memory);
        int64_t after = clock_milliseconds();
        ck_assert_ptr_null(probe.requester);
        ck_assert_uint_eq(probe.run.xid, xid);
        ck_assert_uint_eq(probe.run.watch.count, 1);
        ck_assert_int_ge(probe.run.watch.list[0].until, before + rows[i].time);
        ck_assert_int_le(probe.run.watch.list[0].until, after + rows[i].time);
        probe_drop_watched(&probe);
        ck_assert_uint_eq(probe.run.watch.count, 0);
    }
    finish(&probe);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("probe");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_reference_responder_is_good);
    tcase_add_test(tests, a_connection_is_watched);
    tcase_add_loop_test(tests, a_fault_is_found, 0, COUNT(faults));
    tcase_add_test(tests, what_is_announced_counts);
    return run_tests("probe", tests);
}
