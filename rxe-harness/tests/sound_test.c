// SPDX-License-Identifier: BSD-3-Clause
// sanitized
/*
 * Responders that do what RFC 8166 leaves open, and our own does not: none of the cases fails with
 * them, and none of many random conversations.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/random/random.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define CONVERSATIONS 1500
#define READ_MOST 65536u /* octets of Read chunks, in one that takes no more */

static struct link_ops honest;
static struct {
    uint8_t octets[RESPONDER_INLINE];
    size_t length;
} call; /* that is answered */

static void keep_call(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type != LINK_RECEIVED)
        return;
    call.length = event->length;
    if (event->length > 0)
        memcpy(call.octets, event->octets, event->length);
}

static bool send_err_chunk(struct link *link, uint32_t xid)
{
    const struct rpcrdma1_header header = {
        .rdma_xid = xid,
        .rdma_vers = 1,
        .rdma_credit = RESPONDER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_ERROR, .rdma_error.err = RPCRDMA1_ERR_CHUNK}};
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    rpcrdma1_header_encode(error, sizeof error, &header, NULL);
    return honest.send(link, error, sizeof error, NULL);
}

/* ---- the Reply chunk that is offered is used ---- */

#define SEGMENTS 64

/* Put the Reply into the segments, as far as they take it; sets what is used of each. */
static bool fill(struct link *link, const struct rpcrdma1_segment_array *offered,
                 const uint8_t *octets, size_t length, struct rpcrdma1_segment used[SEGMENTS])
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(offered);
    for (size_t i = 0; rpcrdma1_segment_array_next(&iter, &used[i]); i++) {
        size_t part = length < used[i].length ? length : used[i].length;
        if (part > 0 && !honest.write(link, used[i].handle, used[i].offset, octets, part))
            return false;
        used[i].length = (uint32_t)part;
        octets += part;
        length -= part;
    }
    return true;
}

static bool prefer_reply_chunk(struct link *link, const void *octets, size_t length,
                               const uint32_t *handle)
{
    struct rpcrdma1_header asked, header;
    struct rpcrdma1_segment used[SEGMENTS];
    uint8_t reply[RESPONDER_INLINE];
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    bool known = rpcrdma1_header_decode(&asked, call.octets, call.length, NULL, NULL) >= 0;
    const struct rpcrdma1_chunk_lists *offers = known ? rpcrdma1_chunks(&asked) : NULL;
    if (end < 0 || header.rdma_body.proc != RPCRDMA1_MSG || offers == NULL ||
        !offers->rdma_reply.present || offers->rdma_reply.value.target.count > SEGMENTS)
        return honest.send(link, octets, length, handle);
    const struct rpcrdma1_segment_array *offered = &offers->rdma_reply.value.target;
    size_t payload = length - (size_t)end;
    if (rpcrdma1_segments_length(offered) < payload)
        return send_err_chunk(link, header.rdma_xid);
    if (!fill(link, offered, (const uint8_t *)octets + end, payload, used))
        return false;
    const struct rpcrdma1_chunk_lists lists = header.rdma_body.rdma_msg;
    header.rdma_body.proc = RPCRDMA1_NOMSG;
    header.rdma_body.rdma_nomsg = lists;
    header.rdma_body.rdma_nomsg.rdma_reply.value.target =
        (struct rpcrdma1_segment_array){.items = used, .count = offered->count};
    ptrdiff_t size = rpcrdma1_header_encode(reply, sizeof reply, &header, NULL);
    ck_assert_int_gt(size, 0);
    return honest.send(link, reply, (size_t)size, handle);
}

/* ---- errors, and the end of the connection ---- */

static bool close_after_errors(struct link *link, const void *octets, size_t length,
                               const uint32_t *handle)
{
    uint8_t none[4];
    bool sent = honest.send(link, octets, length, handle);
    if (rpcrdma_xdr_load32((const uint8_t *)octets + 12) == RPCRDMA1_ERROR)
        honest.read(link, 0xdead, 0, none, sizeof none); /* which ends it */
    return sent;
}

/* ---- long Read chunks are not pulled ---- */

static bool refuse_long(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    struct rpcrdma1_header asked;
    struct rpcrdma1_read_segment segment;
    uint64_t read = 0;
    bool known = rpcrdma1_header_decode(&asked, call.octets, call.length, NULL, NULL) >= 0;
    const struct rpcrdma1_chunk_lists *lists = known ? rpcrdma1_chunks(&asked) : NULL;
    if (lists == NULL)
        return honest.send(link, octets, length, handle);
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    while (rpcrdma1_read_list_next(&iter, &segment))
        read += segment.target.length;
    return read > READ_MOST ? send_err_chunk(link, asked.rdma_xid)
                            : honest.send(link, octets, length, handle);
}

/* ---- an RDMA_NOMSG that has no Read list is no Call ---- */

static bool drop_replies(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    struct rpcrdma1_header asked;
    bool known = rpcrdma1_header_decode(&asked, call.octets, call.length, NULL, NULL) >= 0;
    const struct rpcrdma1_chunk_lists *lists = known ? rpcrdma1_chunks(&asked) : NULL;
    bool reply = lists && asked.rdma_vers == 1 && asked.rdma_body.proc == RPCRDMA1_NOMSG &&
                 lists->rdma_reads.count == 0 &&
                 (lists->rdma_writes.count > 0 || lists->rdma_reply.present);
    return reply || honest.send(link, octets, length, handle);
}

static const struct sound {
    const char *name;
    struct link_ops ops;
    const char *skipped; /* cases of the test program, whose sizes it says it takes; or NULL */
    bool parts;          /* from ours, in conversations of random seeds */
    uint64_t seed;       /* from this one on */
} sounds[] = {
    {"ours", {.send = NULL}, NULL, false, 0},
    {"prefers the Reply chunk", {.send = prefer_reply_chunk}, NULL, true, 0},
    {"closes after errors", {.send = close_after_errors}, NULL, true, 0},
    {"drops broken Replies", {.send = drop_replies}, NULL, true, 4000},
    {"takes no long Read chunk",
     {.send = refuse_long},
     "pull-1048*,long-call-1048*,echo-*",
     false,
     0},
};
#define SOUNDS COUNT(sounds)

/* ---- the peer ---- */

static void *begin(void *arg, struct link *link)
{
    static struct link_ops own;
    const struct sound *sound = arg;
    honest = *link->ops;
    own = honest;
    own.wait = keep_call;
    if (sound->ops.send)
        own.send = sound->ops.send;
    link->ops = &own;
    call.length = 0;
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

static struct loopback_peer loopback;
static struct sound current;

static struct probe open_probe(const struct sound *sound)
{
    current = *sound;
    loopback = (struct loopback_peer){
        .options = responder_options(), .begin = begin, .step = step, .end = end, .arg = &current};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true,
                                      .wait = 1},
                          .peer.invalidates = true};
    probe.peer.transport = transport_loopback(&loopback);
    return probe;
}

static void close_probe(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* "pull-*" or a whole id, with commas between. */
static bool is_skipped(const struct sound *sound, const char *id)
{
    for (const char *at = sound->skipped; at && *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, "*,");
        if (strncmp(at, id, length) == 0)
            return true;
        at += strcspn(at, ",");
    }
    return false;
}

START_TEST(no_case_fails)
{
    const struct sound *sound = &sounds[_i];
    struct probe probe = open_probe(sound);
    unsigned judged = 0;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        judged += ending_is_judged(result->ending);
        ck_assert_msg(!ending_is_failure(result->ending) || is_skipped(sound, result->test),
                      "%s: %s: %s", sound->name, result->test, result->actual);
    }
    ck_assert_uint_gt(judged, 350);
    close_probe(&probe);
}
END_TEST

/* No Send of it is changed, so nothing ends it early. */
static bool is_plain(const struct random_conversation *conversation)
{
    bool plain = true;
    for (unsigned i = 0; i < conversation->count; i++)
        plain = plain && conversation->steps[i].change == RANDOM_NONE;
    return plain;
}

START_TEST(no_random_conversation_fails)
{
    struct random_conversation conversation;
    struct random_failure failure;
    uint64_t calls = 0;
    struct probe probe = open_probe(&sounds[_i]);
    ck_assert(probe_begin(&probe));
    /* Of the test program all sizes are taken, which the last one does not. */
    for (uint64_t seed = 0; seed < CONVERSATIONS; seed++) {
        uint64_t before = calls;
        random_make(&conversation, seed, sounds[_i].skipped == NULL);
        ck_assert(random_play(&probe, &conversation, &failure, &calls));
        ck_assert_msg(failure.ending == ENDING_REQUIRED, "%s: seed %u, change %s: %s",
                      sounds[_i].name, (unsigned)seed, random_change_names[failure.change],
                      failure.text);
        if (_i == 0 && is_plain(&conversation)) /* of the others some end it, or take less */
            ck_assert_uint_eq(calls - before, conversation.count);
    }
    close_probe(&probe);
}
END_TEST

/* Beside ours: they part, where both is open, and ours does not part from itself. */
START_TEST(what_is_open_is_tolerated)
{
    struct random_conversation conversation;
    struct random_failure failure;
    uint64_t calls = 0;
    unsigned parted = 0;
    struct probe probe = open_probe(&sounds[_i]), ours = probe;
    ours.peer.transport = responder_loopback();
    probe.against = &ours;
    ck_assert(probe_begin(&probe) && probe_begin(&ours));
    for (uint64_t i = 0; i < CONVERSATIONS; i++) {
        uint64_t seed = sounds[_i].seed + i;
        random_make(&conversation, seed, sounds[_i].skipped == NULL);
        ck_assert(random_play_both(&probe, &conversation, &failure, &calls));
        ck_assert_msg(!ending_is_failure(failure.ending), "%s: seed %u: %s", sounds[_i].name,
                      (unsigned)seed, failure.text);
        parted += failure.ending == ENDING_TOLERATED;
        if (failure.ending == ENDING_TOLERATED && (failure.parted[0] | failure.parted[1]) != 0)
            ck_assert_uint_ne(failure.allowed, 0);
    }
    ck_assert_msg((parted > 0) == sounds[_i].parts, "%s: parted %u times", sounds[_i].name, parted);
    close_probe(&ours);
    close_probe(&probe);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sound");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, no_case_fails, 0, SOUNDS);
    tcase_add_loop_test(tests, no_random_conversation_fails, 0, SOUNDS);
    tcase_add_loop_test(tests, what_is_open_is_tolerated, 0, SOUNDS);
    return run_tests("sound", tests);
}
