// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder by version 2, over loopback: data goes inline, in pieces and in chunks of
 * every kind and is compared octet by octet, with the checker looking on.
 */
#include "rxe-harness/responder/nfs3.h"
#include "rxe-harness/tests/support/responder_stage.h"
#include "rxe-harness/session/session.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/check.h>
#include <rpcrdma/rules.h>
#include <stdlib.h>
#include <string.h>

#define RPC 40 /* octets of a Call's header; a Reply has 24 */
#define REPLY_RPC 24
#define BIG 1000000 /* octets of data that no Send holds */

static struct responder_stage stage = {.draft = RPCRDMA_PROTOCOL_2_07};
static struct transport *transport;
static struct link *link;
static struct session *session;
static const struct link_ops *own_ops;
static struct link_ops spy_ops;
static struct rpcrdma_check *checker;
static void *checker_memory;
static uint32_t xid;

/* ---- the checker ---- */

static void judge(const struct rpcrdma_event *event)
{
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(checker, event, &judgement);
    for (unsigned i = 0; i < judgement.count; i++)
        ck_assert_msg(judgement.findings[i].severity == RPCRDMA_NOTE, "%s",
                      rpcrdma_requirements[judgement.findings[i].rule].id);
}

static bool spy_send(struct link *to, const void *octets, size_t length, const uint32_t *handle)
{
    judge(&(struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND, .data = octets, .length = length});
    return own_ops->send(to, octets, length, handle);
}

static void spy_wait(struct link *from, unsigned timeout, struct link_event *event)
{
    own_ops->wait(from, timeout, event);
    if (event->type == LINK_RECEIVED)
        judge(&(struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                      .from = RPCRDMA_SERVER,
                                      .data = event->octets,
                                      .length = event->length,
                                      .invalidate = event->invalidated,
                                      .handle = event->handle});
}

static void observe(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                    const uint8_t *octets, size_t length)
{
    judge(&(struct rpcrdma_event){.type =
                                      is_write ? RPCRDMA_EVENT_RDMA_WRITE : RPCRDMA_EVENT_RDMA_READ,
                                  .from = RPCRDMA_SERVER,
                                  .data = octets,
                                  .length = length,
                                  .handle = handle,
                                  .offset = offset});
}

static void setup(void)
{
    static const struct session_options options = {.protocol = RPCRDMA_PROTOCOL_2_07,
                                                   .active = true,
                                                   .credits = 8,
                                                   .send_size = SESSION_INLINE,
                                                   .receive_size = SESSION_INLINE,
                                                   .segments = 64,
                                                   .message_max = RESPONDER_MESSAGE_MAX,
                                                   .queue_max = RESPONDER_MESSAGE_MAX};
    static const struct link_options receives = {.receive_size = SESSION_INLINE,
                                                 .receives = 8 + SESSION_SPARE};
    static const struct rpcrdma_check_config config = {
        .draft = RPCRDMA_PROTOCOL_2_07, .seen_between = true, .max_read_chunk = 2 * BIG};
    size_t size = rpcrdma_check_size(&config);
    checker_memory = malloc(size);
    checker = rpcrdma_check_init(checker_memory, size, &config);
    transport = responder_stage_open(&stage);
    link = transport->ops->connect(transport, &receives);
    ck_assert_ptr_nonnull(link);
    own_ops = link->ops;
    spy_ops = *own_ops;
    spy_ops.send = spy_send;
    spy_ops.wait = spy_wait;
    link->ops = &spy_ops;
    link->observe = observe;
    session = session_new(link, &options);
    xid = 0x100;
}

static void teardown(void)
{
    session_free(session);
    link->ops->close(link);
    transport->ops->close(transport);
    free(checker_memory);
}

/* ---- Calls ---- */

static uint8_t data_octet(size_t i)
{
    return (uint8_t)(i * 7 + i / 256);
}

/* The header and arguments of a Call of the test program: with data, or with a count alone. */
static uint8_t *make_call(uint32_t procedure, size_t data, uint32_t count, size_t *length)
{
    uint8_t *rpc = calloc(1, RPC + 4 + data + 3);
    const uint32_t words[] = {++xid, 0, 2, TEST_PROGRAM, TEST_VERSION, procedure};
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(rpc + 4 * i, words[i]);
    *length = RPC;
    if (procedure == TEST_NULL)
        return rpc;
    rpcrdma_xdr_store32(rpc + RPC, procedure == TEST_FETCH ? count : (uint32_t)data);
    for (size_t i = 0; i < data; i++)
        rpc[RPC + 4 + i] = data_octet(i);
    *length = RPC + 4 + (data + 3) / 4 * 4;
    return rpc;
}

static struct session_event answer(void)
{
    struct session_event event;
    do
        session_wait(session, 100, &event);
    while (event.type == SESSION_NOTHING && session_waiting(session) > 0);
    ck_assert_msg(event.type != SESSION_CLOSED, "%s", link->why);
    ck_assert_uint_eq(event.message.prefix.xid, xid);
    return event;
}

static struct session_event call_inline(uint8_t *rpc, size_t length, struct session_message message)
{
    message.direction = RPCRDMA_CALL;
    message.xid = xid;
    message.rpc = rpc;
    message.length = length;
    ck_assert(session_send(session, &message));
    free(rpc);
    return answer();
}

static struct link_memory expose(size_t length, unsigned access)
{
    struct link_memory memory = {.octets = calloc(1, length), .length = length};
    ck_assert(link->ops->expose(link, &memory, access));
    return memory;
}

static void hide(struct link_memory *memory)
{
    link->ops->hide(link, memory);
    free(memory->octets);
}

/* A chunk of memory in three segments. */
static void cut(const struct link_memory *memory, struct rpcrdma1_segment segments[3])
{
    uint32_t third = (uint32_t)memory->length / 3 / 4 * 4;
    for (uint32_t i = 0; i < 3; i++)
        segments[i] = (struct rpcrdma1_segment){
            memory->handle, i < 2 ? third : (uint32_t)memory->length - 2 * third,
            memory->offset + i * third};
}

static void is_success(const struct session_event *event, size_t length)
{
    ck_assert_int_eq(event->type, SESSION_REPLY);
    ck_assert_uint_eq(event->length, length);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event->payload), xid);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event->payload + 20), 0);
}

static void is_pattern(const uint8_t *octets, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ck_assert_uint_eq(octets[i], TEST_OCTET(i));
}

static const size_t sizes[] = {0, 1, 4, 1000, 3000, 4000, 5000, BIG};

/* ---- inline and in pieces ---- */

START_TEST(null_is_answered)
{
    size_t length;
    uint8_t *rpc = make_call(TEST_NULL, 0, 0, &length);
    struct session_event event =
        call_inline(rpc, length, (struct session_message){.invalidate = 0});
    is_success(&event, REPLY_RPC);
    ck_assert_uint_eq(session_counts(session).version, 2);
}
END_TEST

START_TEST(data_is_echoed)
{
    size_t length, size = sizes[_i];
    uint8_t *rpc = make_call(TEST_ECHO, size, 0, &length);
    struct session_event event =
        call_inline(rpc, length, (struct session_message){.invalidate = 0});
    is_success(&event, REPLY_RPC + 4 + (size + 3) / 4 * 4);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.payload + REPLY_RPC), size);
    for (size_t i = 0; i < size; i++)
        ck_assert_uint_eq(event.payload[REPLY_RPC + 4 + i], data_octet(i));
    ck_assert(session_counts(session).pieces_sent > 0 || size < 5000);
}
END_TEST

/* ---- chunks ---- */

START_TEST(data_is_fetched_by_a_write_chunk)
{
    size_t length, size = sizes[_i];
    uint8_t *rpc = make_call(TEST_FETCH, 0, (uint32_t)size, &length);
    struct link_memory memory = expose(size + 100, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    const struct rpcrdma1_write_chunk chunk = {{{.items = segments}, .count = 3}};
    struct session_event event =
        call_inline(rpc, length,
                    (struct session_message){.invalidate = memory.handle,
                                             .writes = {.items = &chunk, .count = 1}});
    is_success(&event, REPLY_RPC + 4);
    ck_assert(event.invalidated && event.handle == memory.handle);
    ck_assert_uint_eq(rpcrdma1_write_list_segments(&event.message.chunks.rdma_writes), 3);
    is_pattern(memory.octets, size);
    hide(&memory);
}
END_TEST

START_TEST(a_long_reply_goes_into_the_reply_chunk)
{
    size_t length, size = sizes[_i];
    uint8_t *rpc = make_call(TEST_FETCH, 0, (uint32_t)size, &length);
    struct link_memory memory = expose(REPLY_RPC + 4 + size + 3, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    struct session_event event =
        call_inline(rpc, length,
                    (struct session_message){.reply = {true, {{{.items = segments}, .count = 3}}}});
    ck_assert_int_eq(event.type, SESSION_REPLY);
    bool is_long = size > 4000;
    ck_assert_int_eq(event.message.form, is_long ? RPCRDMA_FORM_SPECIAL : RPCRDMA_FORM_INLINE);
    const uint8_t *reply = is_long ? memory.octets : event.payload;
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply), xid);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply + REPLY_RPC), size);
    is_pattern(reply + REPLY_RPC + 4, size);
    hide(&memory);
}
END_TEST

START_TEST(a_small_reply_goes_into_a_reply_chunk_that_is_preferred)
{
    size_t length, size = 100;
    uint8_t *rpc = make_call(TEST_FETCH, 0, (uint32_t)size, &length);
    struct link_memory memory = expose(REPLY_RPC + 4 + size, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    responder_prefer_reply_chunk(stage.responder, true);
    struct session_event event =
        call_inline(rpc, length,
                    (struct session_message){.reply = {true, {{{.items = segments}, .count = 3}}}});
    ck_assert_int_eq(event.type, SESSION_REPLY);
    ck_assert_int_eq(event.message.form, RPCRDMA_FORM_SPECIAL);
    ck_assert_uint_eq(rpcrdma_xdr_load32(memory.octets + REPLY_RPC), size);
    is_pattern(memory.octets + REPLY_RPC + 4, size);
    hide(&memory);
}
END_TEST

/* Without segments, or with all of them. */
START_TEST(an_unused_write_chunk_comes_back)
{
    size_t length;
    uint8_t *rpc = make_call(TEST_NULL, 0, 0, &length);
    struct link_memory memory = expose(100, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    const struct rpcrdma1_write_chunk chunk = {{{.items = segments}, .count = 3}};
    responder_empty_unused(stage.responder, _i);
    struct session_event event =
        call_inline(rpc, length, (struct session_message){.writes = {.items = &chunk, .count = 1}});
    is_success(&event, REPLY_RPC);
    const struct rpcrdma1_write_list *writes = &event.message.chunks.rdma_writes;
    ck_assert_uint_eq(writes->count, 1);
    ck_assert_uint_eq(rpcrdma1_write_list_segments(writes), _i ? 0 : 3);
    hide(&memory);
}
END_TEST

START_TEST(a_short_reply_chunk_is_passed_over)
{
    size_t length;
    uint8_t *rpc = make_call(TEST_FETCH, 0, BIG, &length);
    struct link_memory memory = expose(8192, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    struct session_event event =
        call_inline(rpc, length,
                    (struct session_message){.reply = {true, {{{.items = segments}, .count = 3}}}});
    is_success(&event, REPLY_RPC + 4 + BIG);
    is_pattern(event.payload + REPLY_RPC + 4, BIG);
    hide(&memory);
}
END_TEST

START_TEST(a_short_write_chunk_is_refused)
{
    size_t length;
    uint8_t *rpc = make_call(TEST_FETCH, 0, 5000, &length);
    struct link_memory memory = expose(4096, LINK_PEER_WRITES);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    const struct rpcrdma1_write_chunk chunk = {{{.items = segments}, .count = 3}};
    struct session_event event =
        call_inline(rpc, length, (struct session_message){.writes = {.items = &chunk, .count = 1}});
    ck_assert_int_eq(event.type, SESSION_ERROR);
    ck_assert_uint_eq(event.message.error.code, RPCRDMA2_07_ERR_WRITE_RESOURCE);
    ck_assert_uint_eq(event.message.error.value[0], 1);
    ck_assert_uint_eq(event.message.error.value[1], 5000);
    hide(&memory);
}
END_TEST

/* STORE sums up the octets that came. */
static void is_stored(const struct session_event *event, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data_octet(i);
    is_success(event, REPLY_RPC + 8);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event->payload + REPLY_RPC), size);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event->payload + REPLY_RPC + 4), sum);
}

START_TEST(data_is_stored_by_a_read_chunk)
{
    size_t length, size = sizes[_i] + 5;
    uint8_t *rpc = make_call(TEST_STORE, size, 0, &length);
    struct link_memory memory = expose(size, LINK_PEER_READS);
    memcpy(memory.octets, rpc + RPC + 4, size);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    struct rpcrdma1_read_segment reads[3];
    for (int i = 0; i < 3; i++)
        reads[i] = (struct rpcrdma1_read_segment){RPC + 4, segments[i]};
    struct session_event event = call_inline(
        rpc, RPC + 4, (struct session_message){.reads = {{.items = reads}, .count = 3}});
    is_stored(&event, size);
    hide(&memory);
}
END_TEST

START_TEST(an_external_call_is_read)
{
    size_t length, size = sizes[_i] + 5;
    uint8_t *rpc = make_call(TEST_STORE, size, 0, &length);
    struct link_memory memory = expose(length, LINK_PEER_READS);
    memcpy(memory.octets, rpc, length);
    struct rpcrdma1_segment segments[3];
    cut(&memory, segments);
    struct rpcrdma1_read_segment reads[3];
    for (int i = 0; i < 3; i++)
        reads[i] = (struct rpcrdma1_read_segment){0, segments[i]};
    struct session_event event = call_inline(
        rpc, 0,
        (struct session_message){
            .external = true, .invalidate = memory.handle, .call = {{.items = reads}, .count = 3}});
    is_stored(&event, size);
    ck_assert(event.invalidated);
    hide(&memory);
}
END_TEST

/* The results of a procedure of NFS version 3 are the same by either version. */
START_TEST(nfs3_is_answered)
{
    static const uint32_t procedures[] = {0, 1, 3, 4, 6, 16, 19};
    uint8_t rpc[RPC + 64] = {0}, *copy = malloc(sizeof rpc);
    const uint32_t words[] = {++xid, 0, 2, NFS3_PROGRAM, NFS3_VERSION, procedures[_i]};
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(rpc + 4 * i, words[i]);
    memcpy(copy, rpc, sizeof rpc);
    static struct nfs3_results results;
    struct files_store store = {.length = 0};
    if (procedures[_i] != 0)
        ck_assert(responder_nfs3(&store, procedures[_i], rpc + RPC, 64, &results));
    struct session_event event =
        call_inline(copy, sizeof rpc, (struct session_message){.invalidate = 0});
    size_t data = results.has_data ? 4 + (results.data_length + 3) / 4 * 4 : 0;
    is_success(&event, REPLY_RPC + results.length + data);
    ck_assert_mem_eq(event.payload + REPLY_RPC, results.octets, results.length);
}
END_TEST

/* ---- version 1 ---- */

START_TEST(version1_is_answered_by_version1)
{
    static const uint32_t words[] = {9, 1, 1, 0, 0, 0, 0, 9, 0, 2, TEST_PROGRAM, 1, 0, 0, 0, 0, 0};
    uint8_t octets[sizeof words];
    struct link_event event;
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    for (int i = 0; i < 3; i++) {
        ck_assert(own_ops->send(link, octets, sizeof octets, NULL));
        own_ops->wait(link, 100, &event);
        ck_assert_uint_eq(event.length, 28 + REPLY_RPC);
        ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 4), 1);
    }
}
END_TEST

int main(void)
{
    enum { SIZES = COUNT(sizes) };
    TCase *cases = tcase_create("responder of version 2");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, null_is_answered);
    tcase_add_loop_test(cases, data_is_echoed, 0, SIZES);
    tcase_add_loop_test(cases, data_is_fetched_by_a_write_chunk, 0, SIZES);
    tcase_add_loop_test(cases, a_long_reply_goes_into_the_reply_chunk, 0, SIZES);
    tcase_add_test(cases, a_small_reply_goes_into_a_reply_chunk_that_is_preferred);
    tcase_add_loop_test(cases, an_unused_write_chunk_comes_back, 0, 2);
    tcase_add_test(cases, a_short_reply_chunk_is_passed_over);
    tcase_add_test(cases, a_short_write_chunk_is_refused);
    tcase_add_loop_test(cases, data_is_stored_by_a_read_chunk, 0, SIZES);
    tcase_add_loop_test(cases, an_external_call_is_read, 0, SIZES);
    tcase_add_loop_test(cases, nfs3_is_answered, 0, 7);
    tcase_add_test(cases, version1_is_answered_by_version1);
    return run_tests("responder of version 2", cases);
}
