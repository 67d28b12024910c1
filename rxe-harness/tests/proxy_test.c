// SPDX-License-Identifier: BSD-3-Clause
/* The proxy between the reference Requester and the reference Responder. */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/links/capture_stage.h"

#include <check.h>
#include <errno.h>
#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEM 100000

struct stage {
    struct proxy proxy;
    struct proxy_session *session;
    struct transport *transport;
    struct requester *requester;
    unsigned findings; /* of the Requester */
};

static void *begin(void *arg, struct link *link)
{
    struct stage *stage = arg;
    struct link *server = proxy_reach(&stage->proxy, link);
    stage->session = server ? proxy_begin(&stage->proxy, link, server) : NULL;
    return stage->session ? stage : NULL;
}

static void end(void *peer)
{
    struct stage *stage = peer;
    if (stage->session)
        proxy_end(stage->session);
    stage->session = NULL;
}

static bool step(void *peer)
{
    struct stage *stage = peer;
    bool something = stage->session && proxy_step(stage->session, 0);
    if (stage->session && proxy_gone(stage->session))
        end(peer);
    return something;
}

static void found(void *arg, const struct rpcrdma_event *event,
                  const struct rpcrdma_finding *finding)
{
    (void)event;
    (void)finding;
    ((struct stage *)arg)->findings++;
}

/* Of the stages that are opened. */
static struct capture_file *stage_capture;
static FILE *stage_stream;
static struct recorder *stage_recorder;
static bool stage_keeps; /* the server cannot invalidate memory, as over verbs */
#define RECORD_LIMIT 20000

static void open_stage(struct stage *stage, const char *fault)
{
    struct link_options options = *responder_options();
    options.receive_size = PROXY_RECEIVE;
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = stage};
    *stage = (struct stage){.proxy.timeout = 1000,
                            .proxy.target = responder_loopback(),
                            .proxy.recorder = stage_recorder,
                            .proxy.record_left = RECORD_LIMIT,
                            .proxy.capture = stage_capture};
    ck_assert_ptr_nonnull(stage->proxy.target);
    stage->proxy.target->invalidates = !stage_keeps;
    if (fault)
        ck_assert(proxy_fault_read(&stage->proxy.fault, fault));
    stage->transport = transport_loopback(&peer);
    stage->requester = requester_open(stage->transport, 1000, true, found, stage);
    ck_assert_ptr_nonnull(stage->requester);
    stage->requester->program = TEST_PROGRAM;
    stage->requester->version = TEST_VERSION;
}

static void close_stage(struct stage *stage)
{
    requester_close(stage->requester);
    ck_assert_ptr_null(stage->session);
    stage->transport->ops->close(stage->transport);
    stage->proxy.target->ops->close(stage->proxy.target);
}

static const struct result *last_result(const struct stage *stage)
{
    ck_assert_uint_gt(stage->proxy.results.count, 0);
    return &stage->proxy.results.list[stage->proxy.results.count - 1];
}

static unsigned outcome(struct stage *stage, const struct requester_call *call)
{
    struct requester_pending pending;
    struct requester_reply reply = {0};
    if (!requester_begin(stage->requester, call, &pending)) {
        requester_forget(stage->requester, &pending);
        return RPCRDMA_CLOSE;
    }
    requester_receive(stage->requester, &pending, 100, &reply);
    if (call->write_segments > 0 && reply.outcome == RPCRDMA_PROCESS) {
        ck_assert(reply.in_chunk);
        ck_assert_uint_eq(reply.item_length, ITEM);
        for (size_t i = 0; i < ITEM; i++)
            ck_assert_uint_eq(pending.item[i], TEST_OCTET(i));
    }
    bool good = reply.outcome != RPCRDMA_PROCESS || (reply.accepted && reply.stat == 0);
    requester_forget(stage->requester, &pending);
    return good ? reply.outcome : 0;
}

static const struct requester_call null_call = {.procedure = TEST_NULL};

/* Every kind of chunk, between two NULLs. */
static void call_with_chunks(struct stage *stage)
{
    static uint8_t count[4], data[4 + ITEM];
    rpcrdma_xdr_store32(count, ITEM);
    rpcrdma_xdr_store32(data, ITEM);
    for (size_t i = 0; i < ITEM; i++)
        data[4 + i] = (uint8_t)(i * 7);
    const struct requester_call calls[] = {
        null_call,
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 5,
         .write_room = ITEM + 20000},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 3,
         .reply_room = ITEM + 512},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = sizeof data,
         .item_at = 4,
         .item_length = ITEM,
         .read_segments = 4},
        {.procedure = TEST_STORE, .args = data, .args_length = sizeof data, .long_segments = 3},
        null_call,
    };
    for (size_t i = 0; i < COUNT(calls); i++)
        ck_assert_uint_eq(outcome(stage, &calls[i]), RPCRDMA_PROCESS);
}

static const struct link_ops *seen_ops;
static unsigned invalidated;

static void count_wait(struct link *link, unsigned timeout, struct link_event *event)
{
    seen_ops->wait(link, timeout, event);
    invalidated += event->type == LINK_RECEIVED && event->invalidated;
}

/* Memory of the client's is invalidated by its own handle: another ends the connection. */
START_TEST(chunks_pass_through)
{
    struct stage stage;
    struct link_ops ops;
    stage_keeps = _i == 1;
    open_stage(&stage, NULL);
    stage_keeps = false;
    seen_ops = stage.requester->link->ops;
    ops = *seen_ops;
    ops.wait = count_wait;
    stage.requester->link->ops = &ops;
    invalidated = 0;
    call_with_chunks(&stage);
    stage.requester->link->ops = seen_ops;
    ck_assert_uint_eq(invalidated, _i == 1 ? 0 : 4);
    close_stage(&stage);
    ck_assert_uint_eq(stage.findings, 0);
    ck_assert_uint_eq(stage.proxy.results.count, 1);
    ck_assert_int_eq(last_result(&stage)->ending, ENDING_REQUIRED);
    ck_assert_ptr_nonnull(strstr(last_result(&stage)->actual, "6 Calls, 0 of them unanswered"));
    results_free(&stage.proxy.results);
}
END_TEST

/* ---- captures ---- */

START_TEST(a_capture_tells_the_same)
{
    char file[] = "/tmp/rpcrdma-proxy-XXXXXX";
    struct captured captured;
    struct stage stage;
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    stage_stream = fdopen(descriptor, "wb");
    stage_capture = capture_create(stage_stream, (size_t)8 << 20);
    ck_assert_ptr_nonnull(stage_capture);
    open_stage(&stage, NULL);
    call_with_chunks(&stage);
    close_stage(&stage);
    ck_assert(capture_finish(stage_capture));
    stage_capture = NULL;
    read_capture(file, &captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.lost, 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 6);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 6);
    ck_assert_uint_eq(captured.findings, 0);
    ck_assert_uint_gt(captured.moved[0], 2 * ITEM);
    ck_assert_uint_gt(captured.moved[1], 2 * ITEM);
    if (has_tshark()) {
        ck_assert_uint_eq(seen_by_tshark(file, "rpcordma.version == 1"), 12);
        ck_assert_uint_eq(seen_by_tshark(file, "infiniband && _ws.malformed"), 0);
        ck_assert_uint_gt(seen_by_tshark(file, "infiniband.reth"), 10);
    }
    results_free(&stage.proxy.results);
    fclose(stage_stream);
    unlink(file);
}
END_TEST

/* However many messages without a content: room is room. */
START_TEST(a_capture_keeps_to_its_limit)
{
    enum { LIMIT = 20000 };
    char file[] = "/tmp/rpcrdma-proxy-XXXXXX";
    static const struct capture_side sides[2];
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = "", .length = 0};
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    FILE *stream = fdopen(descriptor, "wb");
    struct capture_file *capture = capture_create(stream, LIMIT);
    ck_assert_ptr_nonnull(capture);
    unsigned met = 0, sent = 0;
    struct capture_flow flow;
    while (met < 1000 && capture_meet(&flow, capture, ++met, sides))
        for (int i = 0; i < 3; i++)
            sent += capture_add(&flow, &event);
    ck_assert_uint_gt(sent, 9);
    ck_assert_uint_lt(met, 1000);
    ck_assert(capture_finish(capture));
    ck_assert_int_le(lseek(descriptor, 0, SEEK_END), LIMIT + CAPTURE_HEADER);
    fclose(stream);
    unlink(file);
}
END_TEST

/* Octets that nobody saw are cut off, addresses are the peers', and the time is the event's. */
START_TEST(a_capture_leaves_out_what_is_not_known)
{
    char file[] = "/tmp/rpcrdma-proxy-XXXXXX";
    static const uint8_t call[] = {0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                                   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 2};
    static const struct address addresses[2] = {{{0x20, 0x01, 0x0d, 0xb8, [15] = 1}},
                                                {{0x20, 0x01, 0x0d, 0xb8, [15] = 2}}};
    static const struct capture_side sides[2] = {{.address = &addresses[0]},
                                                 {.address = &addresses[1], .port = 20049}};
    struct rpcrdma_event events[] = {
        {.type = RPCRDMA_EVENT_SEND, .data = call, .length = sizeof call, .missing = 101},
        {.type = RPCRDMA_EVENT_RDMA_WRITE, .from = RPCRDMA_SERVER, .missing = 9001, .handle = 7},
        {.type = RPCRDMA_EVENT_RDMA_READ, .from = RPCRDMA_SERVER, .missing = 4096, .handle = 8},
        {.type = RPCRDMA_EVENT_SEND, .data = call, .length = sizeof call},
    };
    struct captured captured;
    struct capture_flow flow;
    FILE *stream = fdopen(mkstemp(file), "wb");
    struct capture_file *capture = capture_create(stream, 1 << 20);
    ck_assert_ptr_nonnull(capture);
    capture_set(capture, INT64_C(1234567890000000789), "process 17 (nfsd)");
    ck_assert(capture_meet(&flow, capture, 1, sides));
    for (size_t i = 0; i < COUNT(events); i++)
        ck_assert(capture_add(&flow, &events[i]));
    ck_assert(capture_finish(capture));
    fclose(stream);
    read_capture(file, &captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.lost, 0);
    ck_assert_uint_eq(captured.unread, 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 2);
    ck_assert_uint_eq(captured.missing, 101 + 9001);
    ck_assert_uint_eq(captured.moved[0], 4096);
    if (has_tshark()) {
        ck_assert_uint_eq(seen_by_tshark(file, "ipv6.src == 2001:db8::1"), 2 + 1 + 1 + 1 + 1);
        ck_assert_uint_eq(seen_by_tshark(file, "frame.time_epoch == 1234567890.000000789"), 13);
        ck_assert_uint_eq(seen_by_tshark(file, "frame.comment contains \"nfsd\""), 1);
        ck_assert_uint_eq(seen_by_tshark(file, "infiniband.reth.dmalen == 9001"), 1);
    }
    unlink(file);
}
END_TEST

/* Where RDMA operations are not seen, nothing follows from there being none. */
START_TEST(a_capture_of_sends_only_says_so)
{
    for (int sends_only = 0; sends_only < 2; sends_only++) {
        char file[] = "/tmp/rpcrdma-proxy-XXXXXX";
        const struct capture_side sides[2] = {{.sends_only = sends_only}, {0}};
        const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = "", .length = 0};
        struct captured captured;
        struct capture_flow flow;
        FILE *stream = fdopen(mkstemp(file), "wb");
        struct capture_file *capture = capture_create(stream, 1 << 20);
        ck_assert_ptr_nonnull(capture);
        ck_assert(capture_meet(&flow, capture, 1, sides));
        ck_assert(capture_add(&flow, &event));
        ck_assert(capture_finish(capture));
        fclose(stream);
        read_capture(file, &captured);
        ck_assert_uint_eq(captured.connections, 1);
        ck_assert_int_eq(captured.operations_seen, !sends_only);
        unlink(file);
    }
}
END_TEST

START_TEST(a_capture_that_is_not_written_is_told)
{
    static const struct capture_side sides[2];
    struct capture_flow flow;
    FILE *stream = fopen("/dev/full", "wb");
    struct capture_file *capture = capture_create(stream, 1 << 20);
    ck_assert_ptr_nonnull(capture);
    for (unsigned i = 1; i < 100; i++)
        ck_assert(capture_meet(&flow, capture, i, sides));
    capture_flush(capture); /* for one who reads along */
    errno = 0;
    ck_assert(!capture_finish(capture));
    ck_assert_int_eq(errno, ENOSPC);
    fclose(stream);
}
END_TEST

/* What is recorded is kept in memory, however little each message has. */
START_TEST(a_record_keeps_to_its_limit)
{
    struct recorder recorder = {0};
    struct stage stage;
    stage_recorder = &recorder;
    open_stage(&stage, NULL);
    for (int i = 0; i < RECORD_LIMIT / 100; i++) {
        struct link_event event;
        ck_assert(requester_send(stage.requester, (const uint8_t *)"", 0));
        requester_wait(stage.requester, 100, &event);
    }
    close_stage(&stage);
    ck_assert_uint_lt(stage.proxy.record_left, 1024);
    stage_recorder = NULL;
    record_free(&recorder);
    results_free(&stage.proxy.results);
}
END_TEST

/* The second message of a side meets the fault: what the Requester sees of its second Call. */
static const struct {
    const char *fault;
    unsigned outcome;
} faults[] = {
    {"drop-call:2", RPCRDMA_DISCARD},     {"drop-reply:2", RPCRDMA_DISCARD},
    {"cut-call:2", RPCRDMA_DISCARD},      {"version-reply:2", RPCRDMA_DISCARD},
    {"twice-reply:2", RPCRDMA_PROCESS},   {"cut-reply:2", RPCRDMA_DISCARD},
    {"xid-reply:2", RPCRDMA_DISCARD},     {"version-call:2", RPCRDMA_ERR_VERS},
    {"grant-zero:2", RPCRDMA_PROCESS},    {"procedure-call:2", RPCRDMA_ERR_CHUNK},
    {"error-reply:2", RPCRDMA_ERR_CHUNK}, {"close-call:2", RPCRDMA_CLOSE},
    {"close-reply:2", RPCRDMA_CLOSE},
};

START_TEST(a_fault_arrives)
{
    struct stage stage;
    open_stage(&stage, faults[_i].fault);
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    ck_assert_uint_eq(outcome(&stage, &null_call), faults[_i].outcome);
    if (faults[_i].outcome != RPCRDMA_CLOSE)
        ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    /* What was done to a peer has a row of its own, and is not held to be its fault. */
    ck_assert_uint_eq(stage.proxy.results.count, 2);
    ck_assert_str_eq(stage.proxy.results.list[0].test, "fault");
    ck_assert_int_eq(last_result(&stage)->ending, ENDING_REQUIRED);
    results_free(&stage.proxy.results);
}
END_TEST

/* What is in the capture but did not arrive is not charged to a peer there either. */
START_TEST(a_capture_of_a_fault_accuses_nobody)
{
    char file[] = "/tmp/rpcrdma-proxy-XXXXXX";
    struct captured captured;
    struct stage stage;
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    stage_stream = fdopen(descriptor, "wb");
    stage_capture = capture_create(stage_stream, (size_t)8 << 20);
    ck_assert_ptr_nonnull(stage_capture);
    open_stage(&stage, faults[_i].fault);
    for (int i = 0; i < 4; i++)
        outcome(&stage, &null_call);
    close_stage(&stage);
    ck_assert(capture_finish(stage_capture));
    stage_capture = NULL;
    read_capture(file, &captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.lost, faults[_i].outcome != RPCRDMA_CLOSE);
    ck_assert_uint_eq(captured.findings, 0);
    results_free(&stage.proxy.results);
    fclose(stage_stream);
    unlink(file);
}
END_TEST

/* ---- private data ---- */

static size_t told_length; /* what was announced to the server */
static uint8_t told[LINK_PRIVATE_DATA_MAX];

static void *hear(void *arg, struct link *link)
{
    (void)arg;
    told_length = link->private_length;
    memcpy(told, link->private_data, told_length);
    return link;
}

static bool idle(void *peer)
{
    (void)peer;
    return false;
}

static void leave(void *peer)
{
    struct link *link = peer;
    link->ops->close(link);
}

/* The message after this many octets of others, and followed by others up to this length: private
 * data that the client sends. */
static void meet_with(size_t before, size_t length)
{
    /* Reserved bits, which are whose they are, pass. */
    const uint8_t reserved = length % 3 == 0 ? 0x40 : 0;
    const uint8_t message[] = {0xf6, 0xab, 0x0e, 0x18, 1, reserved | 1, 0xff, 0xff};
    uint8_t octets[LINK_PRIVATE_DATA_MAX] = {0};
    struct link_options options = *responder_options(), said = *responder_options();
    struct stage stage = {.proxy.timeout = 1000};
    const struct loopback_peer server = {
        .options = &options, .begin = hear, .step = idle, .end = leave};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &stage};
    bool whole = before + sizeof message <= length;
    memcpy(octets + (whole ? before : 0), message, whole ? 8 : length);
    said.private_data = octets;
    said.private_length = length;
    stage.proxy.target = transport_loopback(&server);
    stage.proxy.target->invalidates = length % 2 == 1;
    stage.transport = transport_loopback(&peer);
    struct link *client = stage.transport->ops->connect(stage.transport, &said);
    ck_assert_ptr_nonnull(client);
    client->ops->close(client);
    if (whole && before + 8 <= 56) {
        const uint8_t softened[] = {0xf6, 0xab, 0x0e, 0x18, 1, reserved | (length % 2 == 1),
                                    15,   15};
        ck_assert_uint_eq(told_length, length < 56 ? length : 56);
        ck_assert_mem_eq(told + before, softened, 8);
    } else {
        ck_assert_uint_eq(told_length, !whole ? length : before < 56 ? before : 56);
    }
    /* Half a message is the client's fault only if it sent no more than that. */
    bool is_fault = whole ? reserved != 0 && before + 8 <= 56 : length >= 4;
    ck_assert_uint_eq(stage.proxy.results.count, 1u + is_fault);
    results_free(&stage.proxy.results);
    stage.transport->ops->close(stage.transport);
    stage.proxy.target->ops->close(stage.proxy.target);
}

START_TEST(private_data_may_have_any_length)
{
    for (size_t length = 0; length <= LINK_PRIVATE_DATA_MAX; length++) {
        meet_with(length < 8 ? 0 : length - 8, length);
        if (length > 8)
            meet_with((length - 8) / 2 & ~(size_t)3, length);
    }
}
END_TEST

START_TEST(a_client_that_dies_leaves_nothing)
{
    static uint8_t count[4] = {0, 1, 0, 0};
    const struct requester_call call = {.procedure = TEST_FETCH,
                                        .args = count,
                                        .args_length = 4,
                                        .write_segments = 2,
                                        .write_room = 65536};
    struct stage stage;
    struct requester_pending pending;
    open_stage(&stage, NULL);
    ck_assert(requester_begin(stage.requester, &call, &pending));
    requester_forget(stage.requester, &pending); /* the memory is gone before it is written */
    ck_assert_uint_ne(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    ck_assert_uint_eq(stage.proxy.results.count, 1); /* the server is not accused of it */
    ck_assert_int_eq(last_result(&stage)->ending, ENDING_CLOSED);
    ck_assert_ptr_nonnull(strstr(last_result(&stage)->actual, "RDMA Write"));
    results_free(&stage.proxy.results);
}
END_TEST

START_TEST(a_bad_call_is_found)
{
    struct stage stage;
    uint8_t call[RPCRDMA1_HEADER_MIN + REQUESTER_RPC] = {0};
    open_stage(&stage, NULL);
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    rpcrdma_xdr_store32(call, 0x1234);
    rpcrdma_xdr_store32(call + 4, RPCRDMA_VERSION_1);
    rpcrdma_xdr_store32(call + 8, 8);
    rpcrdma_xdr_store32(call + 16, 7); /* neither 0 nor 1: is there a Read list? */
    requester_rpc(call + RPCRDMA1_HEADER_MIN, 0x1234, TEST_PROGRAM, TEST_VERSION, TEST_NULL);
    ck_assert(requester_send(stage.requester, call, sizeof call));
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    ck_assert_uint_gt(stage.proxy.results.count, 1);
    ck_assert_str_eq(stage.proxy.results.list[0].from, "client");
    ck_assert_int_eq(stage.proxy.results.list[0].ending, ENDING_WRONG);
    results_free(&stage.proxy.results);
}
END_TEST

/* Of messages of each length: what a fault changes, and how long the message is afterwards. */
START_TEST(faults_change_what_they_say)
{
    enum { CUT = 20, MOST = 32 };
    for (const struct proxy_fault *fault = proxy_faults; fault->name; fault++) {
        for (size_t length = 0; length <= MOST; length++) {
            uint8_t octets[PROXY_RECEIVE] = {0}, expected[MOST] = {0};
            size_t end = length;
            for (size_t i = 0; i < length; i++)
                octets[i] = expected[i] = (uint8_t)(0x80 + i);
            if (fault->action == FAULT_WORD && length >= 4 * (fault->word + 1))
                rpcrdma_xdr_store32(expected + 4 * fault->word, fault->value);
            if (fault->action == FAULT_CUT && length > CUT)
                end = CUT;
            if (fault->action == FAULT_ERROR && length >= 12) {
                rpcrdma_xdr_store32(expected + 12, RPCRDMA1_ERROR);
                rpcrdma_xdr_store32(expected + 16, RPCRDMA1_ERR_CHUNK);
                end = 20;
            }
            ck_assert_uint_eq(proxy_fault_apply(fault, octets, length), end);
            ck_assert_mem_eq(octets, expected, end);
        }
    }
}
END_TEST

START_TEST(faults_have_a_name_and_a_number)
{
    struct proxy_fault fault;
    ck_assert(proxy_fault_read(&fault, "grant-zero:12"));
    ck_assert_uint_eq(fault.number, 12);
    const char *const wrong[] = {
        "",           ":1",          "grant-zero",  "grant-zero:",  "grant:1",
        "drop-cal:1", "drop-call:0", "drop-call:x", "drop-call:1x", "drop-call:1\xc3\xa9"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert(!proxy_fault_read(&fault, wrong[i]));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("proxy");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, chunks_pass_through, 0, 2);
    tcase_add_test(tests, a_capture_tells_the_same);
    tcase_add_loop_test(tests, a_fault_arrives, 0, COUNT(faults));
    tcase_add_loop_test(tests, a_capture_of_a_fault_accuses_nobody, 0, COUNT(faults));
    tcase_add_test(tests, a_capture_keeps_to_its_limit);
    tcase_add_test(tests, a_record_keeps_to_its_limit);
    tcase_add_test(tests, a_capture_leaves_out_what_is_not_known);
    tcase_add_test(tests, a_capture_of_sends_only_says_so);
    tcase_add_test(tests, a_capture_that_is_not_written_is_told);
    tcase_add_test(tests, private_data_may_have_any_length);
    tcase_add_test(tests, a_client_that_dies_leaves_nothing);
    tcase_add_test(tests, a_bad_call_is_found);
    tcase_add_test(tests, faults_have_a_name_and_a_number);
    tcase_add_test(tests, faults_change_what_they_say);
    return run_tests("proxy", tests);
}
