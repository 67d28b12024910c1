// SPDX-License-Identifier: BSD-3-Clause
/* What the Requester makes of Calls: names of a path, chunks at their limits, Calls of the
 * server's. */
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- a server that keeps what comes ---- */

static struct {
    struct link *link;
    struct transport *transport;
    struct requester *requester;
    uint8_t came[1024];
    size_t length;
    unsigned messages;
} stage;

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    stage.link = link;
    return &stage;
}

static bool step(void *peer)
{
    struct link_event event;
    (void)peer;
    stage.link->ops->wait(stage.link, 0, &event);
    if (event.type != LINK_RECEIVED)
        return false;
    stage.length = event.length < sizeof stage.came ? event.length : sizeof stage.came;
    memcpy(stage.came, event.octets, stage.length);
    stage.messages++;
    return true;
}

static void end(void *peer)
{
    (void)peer;
    stage.link->ops->close(stage.link);
}

static void open_stage(void)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    memset(&stage, 0, sizeof stage);
    stage.transport = transport_loopback(&peer);
    stage.requester = requester_open(stage.transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(stage.requester);
}

static void close_stage(void)
{
    requester_close(stage.requester);
    stage.transport->ops->close(stage.transport);
}

/* ---- paths ---- */

static const struct {
    const char *path, *names[4];
} paths[] = {
    {"file", {"file"}},    {"a/b", {"a", "b"}}, {"some/where/far", {"some", "where", "far"}},
    {"a//b/", {"a", "b"}}, {"/a", {"a"}},       {"", {NULL}},
};

START_TEST(each_name_of_a_path_is_looked_up)
{
    struct nfs_compound compound;
    unsigned count = 0;
    nfs_begin(&compound);
    nfs_lookup(&compound, paths[_i].path, strlen(paths[_i].path));
    while (count < 4 && paths[_i].names[count])
        count++;
    ck_assert_uint_eq(compound.count, 1 + count);
    ck_assert_uint_eq(compound.minor, 0);
    for (unsigned i = 0; i < count; i++) {
        const struct nfs_argop4 *operation = &compound.operations[1 + i];
        const struct rpcrdma_xdr_opaque *name = &operation->oplookup.objname;
        ck_assert_int_eq(operation->argop, NFS_OP_LOOKUP);
        ck_assert_uint_eq(name->length, strlen(paths[_i].names[i]));
        ck_assert_mem_eq(name->data, paths[_i].names[i], name->length);
    }
}
END_TEST

/* ---- limits of a Call ---- */

static const uint8_t argument[68] = {0, 0, 0, 64};

static const struct {
    unsigned read_segments, long_segments, write_segments, write_chunks, reply_segments;
    bool fits;
} shapes[] = {
    {.fits = true},
    {.read_segments = 20, .fits = true},
    {.read_segments = REQUESTER_SEGMENTS + 1},
    {.long_segments = 20, .read_segments = 20, .fits = true},
    {.long_segments = REQUESTER_SEGMENTS, .read_segments = 1},
    {.write_segments = 4, .write_chunks = REQUESTER_CHUNKS, .fits = true},
    {.write_segments = 1, .write_chunks = REQUESTER_CHUNKS + 1},
    {.write_segments = REQUESTER_SEGMENTS / REQUESTER_CHUNKS,
     .write_chunks = REQUESTER_CHUNKS,
     .fits = true},
    {.write_segments = REQUESTER_SEGMENTS / REQUESTER_CHUNKS + 1, .write_chunks = REQUESTER_CHUNKS},
    {.write_segments = REQUESTER_SEGMENTS + 1},
    {.reply_segments = 30, .fits = true},
    {.reply_segments = REQUESTER_SEGMENTS + 1},
};

START_TEST(what_is_too_much_is_not_begun)
{
    const struct requester_call call = {.procedure = TEST_ECHO,
                                        .args = argument,
                                        .args_length = sizeof argument,
                                        .item_at = 4,
                                        .item_length = 64,
                                        .read_segments = shapes[_i].read_segments,
                                        .long_segments = shapes[_i].long_segments,
                                        .write_segments = shapes[_i].write_segments,
                                        .write_chunks = shapes[_i].write_chunks,
                                        .write_room = 1000,
                                        .reply_segments = shapes[_i].reply_segments,
                                        .reply_room = 1000};
    struct requester_pending pending;
    uint8_t octets[REQUESTER_INLINE];
    size_t length = 0;
    open_stage();
    ck_assert_int_eq(requester_prepare(stage.requester, &call, &pending, octets, &length),
                     shapes[_i].fits);
    unsigned chunks = shapes[_i].write_chunks > 0 ? shapes[_i].write_chunks : 1;
    unsigned segments = shapes[_i].read_segments + shapes[_i].long_segments +
                        chunks * shapes[_i].write_segments + shapes[_i].reply_segments;
    if (shapes[_i].fits)
        ck_assert_uint_eq(pending.memory.count, segments);
    requester_forget(stage.requester, &pending);
    close_stage();
}
END_TEST

/* ---- Calls of the server's ---- */

static const struct {
    uint32_t words[17];
    size_t length;
    bool answered;
    uint32_t status;
} calls[] = {
    {{77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1, 0, 0, 0, 0, 0}, 68, true, 0},
    {{77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1, 1, 0, 0, 0, 0}, 68, true, 4},
    {{77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1, 2, 0, 0, 0, 0}, 68, true, 3},
    {{77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM + 1, 1, 0, 0, 0, 0, 0}, 68, true, 1},
    {{77, 1, 8, 0, 0, 0, 0, 77, 1, 0, 0, 0, 0}, 52, false, 0},            /* a Reply */
    {{77, 2, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1}, 68, false, 0}, /* of version 2 */
    {{77, 1, 8, 1, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1}, 68, false, 0}, /* RDMA_NOMSG */
    {{77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM, 1}, 60, false, 0}, /* cut off */
    {{77, 1, 8, 4, 2}, 20, false, 0},
};

START_TEST(a_call_of_the_servers_is_answered)
{
    uint8_t octets[sizeof calls[0].words];
    struct link_event event;
    open_stage();
    for (size_t i = 0; i < 17; i++)
        rpcrdma_xdr_store32(octets + 4 * i, calls[_i].words[i]);
    ck_assert(stage.link->ops->send(stage.link, octets, calls[_i].length, NULL));
    requester_wait(stage.requester, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_int_eq(requester_answer_call(stage.requester), calls[_i].answered);
    ck_assert_uint_eq(stage.requester->answered, calls[_i].answered);
    requester_wait(stage.requester, 100, &event);
    ck_assert_uint_eq(stage.messages, calls[_i].answered);
    if (calls[_i].answered) {
        ck_assert_uint_eq(stage.requester->granted, 1); /* what a Call asks for is no grant */
        const uint32_t reply[] = {77, 1, REVERSE_CREDITS, 0, 0, 0, 0, 77, 1, 0,
                                  0,  0, calls[_i].status};
        ck_assert_uint_eq(stage.length, sizeof reply);
        for (size_t i = 0; i < sizeof reply / 4; i++)
            ck_assert_uint_eq(rpcrdma_xdr_load32(stage.came + 4 * i), reply[i]);
    }
    close_stage();
}
END_TEST

/* What is known of CB_COMPOUND is done up to the first operation that is not. */
static const struct {
    uint32_t words[16]; /* the operations */
    unsigned count, status, results[2];
    bool recalled;
} compounds[] = {
    {{1, 4, 9, 1, 2, 3, 0, 0}, 8, 0, {4}, true},
    {{1, 10044}, 2, 10044, {10044}, false},
    {{2, 10044, 4, 9, 1, 2, 3, 0, 0}, 9, 10044, {10044}, false},
    {{2, 4, 9, 1, 2, 3, 0, 0, 10044}, 9, 10044, {4, 10044}, true},
};

START_TEST(a_compound_of_the_servers_is_executed)
{
    const uint32_t before[] = {77, 1, 8, 0, 0, 0, 0, 77, 0, 2, REVERSE_PROGRAM,
                               1,  1, 0, 0, 0, 0, 0, 1,  0};
    uint8_t octets[sizeof before + sizeof compounds[0].words];
    struct link_event event;
    open_stage();
    for (size_t i = 0; i < COUNT(before) + compounds[_i].count; i++)
        rpcrdma_xdr_store32(octets + 4 * i,
                            i < COUNT(before) ? before[i] : compounds[_i].words[i - COUNT(before)]);
    ck_assert(stage.link->ops->send(stage.link, octets,
                                    sizeof before + 4 * (size_t)compounds[_i].count, NULL));
    requester_wait(stage.requester, 100, &event);
    ck_assert(requester_answer_call(stage.requester));
    requester_wait(stage.requester, 100, &event);
    ck_assert_uint_eq(rpcrdma_xdr_load32(stage.came + 48), 0); /* accepted, SUCCESS */
    const unsigned *results = compounds[_i].results;
    const uint32_t count = results[1] != 0 ? 2 : 1;
    const uint32_t reply[] = {compounds[_i].status,
                              0,
                              count,
                              results[0],
                              results[0] == 4 ? 0 : compounds[_i].status,
                              results[1],
                              compounds[_i].status};
    ck_assert_uint_eq(stage.length, 52 + 12 + 8 * (size_t)count);
    for (size_t i = 0; 52 + 4 * i < stage.length; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(stage.came + 52 + 4 * i), reply[i]);
    ck_assert_int_eq(stage.requester->recalled, compounds[_i].recalled);
    close_stage();
}
END_TEST

/* ---- sessions ---- */

/* Each Call of the slot has the next number, and names the session. */
START_TEST(the_slot_counts_its_calls)
{
    struct nfs_session session = {.id = {1, 2, 3}};
    for (uint32_t i = 1; i <= 3; i++) {
        struct nfs_compound compound;
        struct requester_call call = {.procedure = 0};
        struct nfs_COMPOUND4args args;
        struct nfs_argop4 operation;
        nfs_begin_in_session(&compound, &session, i == 2);
        uint8_t *octets = nfs_encode(&compound, &call);
        ck_assert_ptr_nonnull(octets);
        ck_assert_int_gt(
            nfs_COMPOUND4args_decode_complete(&args, octets, call.args_length, NULL, NULL), 0);
        ck_assert_uint_eq(args.minorversion, 1);
        ck_assert_uint_eq(args.argarray.count, 2);
        struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&args.argarray);
        ck_assert(nfs_argop4_array_next(&iter, &operation));
        ck_assert_int_eq(operation.argop, NFS_OP_SEQUENCE);
        ck_assert_uint_eq(operation.opsequence.sa_sequenceid, i);
        ck_assert_uint_eq(operation.opsequence.sa_slotid, 0);
        ck_assert_int_eq(operation.opsequence.sa_cachethis, i == 2);
        ck_assert_mem_eq(operation.opsequence.sa_sessionid, session.id, sizeof session.id);
        ck_assert(nfs_argop4_array_next(&iter, &operation));
        ck_assert_int_eq(operation.argop, NFS_OP_PUTROOTFH);
        free(octets);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("calls");
    tcase_add_loop_test(tests, each_name_of_a_path_is_looked_up, 0, COUNT(paths));
    tcase_add_loop_test(tests, what_is_too_much_is_not_begun, 0, COUNT(shapes));
    tcase_add_loop_test(tests, a_call_of_the_servers_is_answered, 0, COUNT(calls));
    tcase_add_loop_test(tests, a_compound_of_the_servers_is_executed, 0, COUNT(compounds));
    tcase_add_test(tests, the_slot_counts_its_calls);
    return run_tests("calls", tests);
}
