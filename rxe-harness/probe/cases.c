// SPDX-License-Identifier: BSD-3-Clause
/* Cases in which more happens than one Send: chunks that move, credits, the connection. */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/responder/responder.h"

#include "conformance/base/clock.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 100
#define RUNT 16       /* octets */
#define LATE_MAX 1024 /* answers to Sends of before */

/* ---- items of the test program ---- */

static size_t padding(size_t size)
{
    return (4 - size % 4) % 4;
}

uint8_t *probe_item_arguments(uint32_t procedure, size_t size, size_t *length)
{
    size_t octets = procedure == TEST_STORE || procedure == TEST_ECHO ? size : 0;
    *length = procedure == TEST_NULL ? 0 : 4 + octets + padding(octets);
    uint8_t *args = calloc(1, *length + 4);
    if (args == NULL)
        return NULL;
    rpcrdma_xdr_store32(args, (uint32_t)size);
    for (size_t i = 0; i < octets; i++)
        args[4 + i] = TEST_OCTET(i);
    return args;
}

static const char *compare_item(const struct requester_pending *pending,
                                const struct requester_reply *reply, size_t size,
                                char text[PROBE_TEXT])
{
    const uint8_t *results = reply->results;
    if (reply->results_length < 4 || rpcrdma_xdr_load32(results) != size) {
        snprintf(text, PROBE_TEXT, "a result whose length word is not %zu", size);
        return text;
    }
    bool in_chunk = pending->item != NULL && size > 0;
    size_t beside = in_chunk ? 0 : size + padding(size);
    if (reply->results_length != 4 + beside || (in_chunk && reply->item_length != size)) {
        snprintf(text, PROBE_TEXT, "%zu octets in the Payload stream and %zu in the Write chunk",
                 reply->results_length, reply->item_length);
        return text;
    }
    const uint8_t *item = in_chunk ? pending->item : results + 4;
    for (size_t i = 0; i < size; i++)
        if (item[i] != TEST_OCTET(i)) {
            snprintf(text, PROBE_TEXT, "octet %zu of the item is %u, not %u", i, item[i],
                     TEST_OCTET(i));
            return text;
        }
    return NULL;
}

static const char *compare_sum(const struct requester_reply *reply, size_t size,
                               char text[PROBE_TEXT])
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += TEST_OCTET(i);
    if (reply->results_length == 8 && rpcrdma_xdr_load32(reply->results) == size &&
        rpcrdma_xdr_load32(reply->results + 4) == sum)
        return NULL;
    snprintf(text, PROBE_TEXT, "the Responder saw other octets than the %zu that were sent", size);
    return text;
}

const char *probe_item_compare(const struct requester_pending *pending,
                               const struct requester_reply *reply, uint32_t procedure, size_t size,
                               char text[PROBE_TEXT])
{
    if (procedure == TEST_NULL)
        return NULL;
    return procedure == TEST_STORE ? compare_sum(reply, size, text)
                                   : compare_item(pending, reply, size, text);
}

/* There is one item: of several Write chunks the first one is for it. */
static const char *find_used_chunk(const struct requester_reply *reply,
                                   const struct probe_case *test_case, char text[PROBE_TEXT])
{
    for (unsigned i = 1; i < test_case->write_chunks && i < reply->chunks; i++)
        if (reply->chunk_lengths[i] > 0) {
            snprintf(text, PROBE_TEXT, "Write chunk %u, which nothing is for, has %zu octets",
                     i + 1, reply->chunk_lengths[i]);
            return text;
        }
    return NULL;
}

static const char *judge_transfer(const struct requester_pending *pending,
                                  const struct requester_reply *reply,
                                  const struct probe_case *test_case, char text[PROBE_TEXT])
{
    unsigned wanted = test_case->outcome ? test_case->outcome : (unsigned)RPCRDMA_PROCESS;
    bool good = (reply->outcome & wanted) != 0;
    bool stat = !(reply->outcome & RPCRDMA_PROCESS) || (reply->accepted && reply->stat == 0);
    if (!good || !stat || (reply->outcome == RPCRDMA_PROCESS && reply->xid != pending->xid)) {
        snprintf(text, PROBE_TEXT, "%s", reply->text);
        return text;
    }
    if (test_case->outcome)
        return NULL;
    const char *wrong =
        probe_item_compare(pending, reply, test_case->procedure, test_case->size, text);
    return wrong ? wrong : find_used_chunk(reply, test_case, text);
}

static const char *transfer(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    size_t length;
    uint8_t *args = probe_item_arguments(test_case->procedure, test_case->size, &length);
    if (args == NULL)
        return "not enough memory";
    size_t room = test_case->room ? test_case->room : test_case->size;
    const struct requester_call call = {
        .procedure = test_case->procedure,
        .args = args,
        .args_length = length,
        .item_at = 4,
        .item_length = test_case->size,
        .read_segments = test_case->read_segments,
        .long_segments = test_case->long_segments,
        .write_segments = test_case->write_segments,
        .write_chunks = test_case->write_chunks,
        .reply_segments = test_case->reply_segments,
        .one_handle = test_case->one_handle,
        .write_room = room,
        .reply_room = (test_case->room ? test_case->room : test_case->size + 256) & ~(size_t)3};
    struct requester_pending pending;
    struct requester_reply reply;
    const char *wrong = "the Call does not fit into a Send";
    probe->requester->program = TEST_PROGRAM;
    probe->requester->version = TEST_VERSION;
    if (requester_begin(probe->requester, &call, &pending)) {
        requester_finish(probe->requester, &pending, probe->options.timeout, &reply);
        wrong = judge_transfer(&pending, &reply, test_case, text);
    }
    requester_forget(probe->requester, &pending);
    free(args);
    return wrong;
}

bool probe_connect_announced(struct probe *probe, const struct probe_case *test_case)
{
    uint8_t octets[ANNOUNCEMENT_MAX];
    probe_disconnect(probe);
    probe->run.current.private_length = announcement_encode(test_case->announced, octets);
    probe->run.current.private_data = octets;
    bool good = probe_connect(probe) != NULL;
    probe->run.current.private_data = NULL;
    return good;
}

static const char *transfer_announced(struct probe *probe, const struct probe_case *test_case,
                                      char text[PROBE_TEXT])
{
    bool good = probe_connect_announced(probe, test_case);
    return good ? transfer(probe, test_case, text) : "no connection, or no answer to NULL";
}

const char *probe_garbage(struct probe *probe, bool as_root, struct requester_reply *reply,
                          char text[PROBE_TEXT])
{
    static const uint8_t args[] = {0x7f, 0xff, 0xff, 0xfc, 1, 2, 3, 4};
    const struct requester_call call = {
        .procedure = 1, .args = args, .args_length = sizeof args, .as_root = as_root};
    struct requester_pending pending;
    *reply = (struct requester_reply){.text = "a Send that failed"};
    if (requester_begin(probe->requester, &call, &pending))
        requester_finish(probe->requester, &pending, probe->options.timeout, reply);
    requester_forget(probe->requester, &pending);
    snprintf(text, PROBE_TEXT, "%s", reply->text);
    return reply->outcome == RPCRDMA_GARBAGE_ARGS ? NULL : text;
}

/* A good header, and arguments that do not decode: of STORE. */
static const char *garbage(struct probe *probe, const struct probe_case *test_case,
                           char text[PROBE_TEXT])
{
    struct requester_reply reply;
    (void)test_case;
    probe->requester->program = TEST_PROGRAM;
    probe->requester->version = TEST_VERSION;
    return probe_garbage(probe, false, &reply, text);
}

/* A GATHER of two items whose second Read chunk is at a Position inside the first one. It brings
 * the count of its item along: who puts chunks one after the other, whatever their Positions, has a
 * Call that can be executed. */
static const char *overlapping(struct probe *probe, const struct probe_case *test_case,
                               char text[PROBE_TEXT])
{
    enum { ITEM = 8, FIRST = REQUESTER_RPC + 8 };
    (void)test_case;
    struct requester *peer = probe->requester;
    uint8_t octets[256] = {0}, first[ITEM] = {0}, second[4 + ITEM] = {0, 0, 0, ITEM};
    struct requester_memory memory = {.count = 0};
    struct requester_pending pending = {.xid = ++peer->xid};
    struct requester_reply reply;
    struct link_memory pieces[2];
    if (!requester_expose(peer, &memory, first, ITEM, LINK_PEER_READS, &pieces[0]) ||
        !requester_expose(peer, &memory, second, sizeof second, LINK_PEER_READS, &pieces[1]))
        return "memory cannot be registered";
    const struct rpcrdma1_read_segment reads[] = {
        {FIRST, {pieces[0].handle, ITEM, pieces[0].offset}},
        {FIRST + 4, {pieces[1].handle, sizeof second, pieces[1].offset}}};
    const struct rpcrdma1_header header = {
        .rdma_xid = pending.xid,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = REQUESTER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_MSG, .rdma_msg.rdma_reads = {.items = reads, .count = 2}}};
    size_t end = (size_t)rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    requester_rpc(octets + end, pending.xid, TEST_PROGRAM, TEST_VERSION, TEST_GATHER);
    rpcrdma_xdr_store32(octets + end + REQUESTER_RPC, 2);
    rpcrdma_xdr_store32(octets + end + REQUESTER_RPC + 4, ITEM);
    /* Where the Send fails, the end of the connection is what comes. */
    requester_send(peer, octets, end + FIRST);
    requester_finish(peer, &pending, probe->options.timeout, &reply);
    requester_hide(peer, &memory);
    snprintf(text, PROBE_TEXT, "%s", reply.text);
    return reply.outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS) ? NULL : text;
}

/* ---- credits and order ---- */

/* Each is answered once, in any order. What answers a Send of before is the checker's: a server
 * with several threads may be late with it. */
const char *probe_calls_at_once(struct probe *probe, char text[PROBE_TEXT])
{
    static const struct requester_call null = {.procedure = 0};
    struct requester_pending pending[PROBE_PARALLEL_MAX];
    struct requester *peer = probe->requester;
    bool answered[PROBE_PARALLEL_MAX] = {false};
    unsigned count = peer->granted < PROBE_PARALLEL_MAX ? peer->granted : PROBE_PARALLEL_MAX,
             sent = 0;
    const char *wrong = count == 0 ? "a grant of 0" : NULL;
    for (; wrong == NULL && sent < count; sent++)
        if (!requester_begin(peer, &null, &pending[sent]))
            wrong = "a Send within the grant failed";
    int64_t until = clock_milliseconds() + probe->options.timeout;
    for (unsigned got = 0, late = 0; wrong == NULL && got < count;) {
        struct requester_reply reply;
        int64_t left = until - clock_milliseconds();
        requester_finish(peer, &pending[0], left > 0 ? (unsigned)left : 0, &reply);
        uint32_t place = reply.xid - pending[0].xid;
        bool came = !(reply.outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE));
        if (came && place > UINT32_MAX / 2 && late < LATE_MAX) {
            late++;
            continue;
        }
        got++;
        until = clock_milliseconds() + probe->options.timeout;
        if (reply.outcome != RPCRDMA_PROCESS || place >= count || answered[place]) {
            snprintf(text, PROBE_TEXT, "after %u of %u Replies: %s", got - 1, count, reply.text);
            wrong = text;
        } else {
            answered[place] = true;
        }
    }
    for (unsigned i = 0; i < sent; i++)
        requester_forget(peer, &pending[i]);
    return wrong;
}

static const char *parallel(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    (void)test_case;
    return probe_calls_at_once(probe, text);
}

/* One after the other: more than any grant, so that a credit that gets lost is missed. */
static const char *repeated(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    (void)test_case;
    for (unsigned i = 0; i < REPEATS; i++)
        if (!requester_null(probe->requester, probe->options.timeout)) {
            snprintf(text, PROBE_TEXT, "no Reply to Call %u", i + 1);
            return text;
        }
    return NULL;
}

/* A Send that is dropped uses a Receive, which has to be posted again. */
static const char *runts(struct probe *probe, const struct probe_case *test_case,
                         char text[PROBE_TEXT])
{
    (void)test_case;
    uint8_t octets[REQUESTER_NULL];
    for (unsigned i = 0; i < REPEATS; i++) {
        struct requester *peer = probe->requester;
        requester_null_call(peer, ++peer->xid, octets);
        if (!requester_send(peer, octets, RUNT) || !requester_null(peer, probe->options.timeout)) {
            snprintf(text, PROBE_TEXT, "no Reply to NULL after runt %u", i + 1);
            return text;
        }
    }
    return NULL;
}

/* Faults that are answered, each followed by a Call on the same connection. */
static const char *faults(struct probe *probe, const struct probe_case *test_case,
                          char text[PROBE_TEXT])
{
    (void)test_case;
    uint8_t octets[REQUESTER_NULL];
    struct requester *peer = probe->requester;
    for (unsigned i = 0; i < REPEATS; i++) {
        bool version = i % 2 == 0;
        requester_null_call(peer, ++peer->xid, octets);
        rpcrdma_xdr_store32(octets + (version ? RPCRDMA1_AT_RDMA_VERS : RPCRDMA1_AT_PROC),
                            version ? 9 : 77);
        struct requester_pending pending = {.xid = peer->xid};
        struct requester_reply reply;
        requester_send(peer, octets, sizeof octets); /* where that fails, the end is what comes */
        requester_finish(peer, &pending, probe->options.timeout, &reply);
        unsigned wanted = version ? RPCRDMA_ERR_VERS : RPCRDMA_ERR_CHUNK;
        if (reply.outcome != wanted || reply.xid != pending.xid) {
            snprintf(text, PROBE_TEXT, "%s for fault %u", reply.text, i + 1);
            return text;
        }
        if (!requester_null(peer, probe->options.timeout)) {
            probe->run.current.tolerated = probe_is_gone(probe);
            snprintf(text, PROBE_TEXT, "%s after fault %u",
                     probe->run.current.tolerated ? "the end of the connection"
                                                  : "no Reply to NULL",
                     i + 1);
            return text;
        }
    }
    return NULL;
}

/* ---- the connection ---- */

/* A Position Zero Read chunk in memory that is not there any more. */
static const char *lost_memory(struct probe *probe, const struct probe_case *test_case,
                               char text[PROBE_TEXT])
{
    (void)test_case;
    struct requester *peer = probe->requester;
    uint8_t octets[REQUESTER_LONG_HEADER], rpc[REQUESTER_RPC];
    struct requester_memory memory = {.count = 0};
    struct link_memory piece;
    struct requester_pending pending = {.xid = ++peer->xid};
    struct requester_reply reply;
    requester_rpc(rpc, pending.xid, probe->options.program, probe->options.version, 0);
    if (!requester_expose(peer, &memory, rpc, sizeof rpc, LINK_PEER_READS, &piece))
        return "memory cannot be registered";
    requester_hide(peer, &memory);
    /* Where the Send fails, the end of the connection is what comes. */
    requester_send(peer, octets, requester_long_header(pending.xid, &piece, octets));
    requester_finish(peer, &pending, probe->options.timeout, &reply);
    snprintf(text, PROBE_TEXT, "%s", reply.text);
    return reply.outcome == RPCRDMA_CLOSE || reply.outcome == RPCRDMA_ERR_CHUNK ? NULL : text;
}

/* The same Call on the next connection, too. */
static const char *lost_memory_again(struct probe *probe, const struct probe_case *test_case,
                                     char text[PROBE_TEXT])
{
    const char *wrong = lost_memory(probe, test_case, text);
    if (wrong == NULL && probe_connect(probe) == NULL)
        wrong = "no connection any more";
    return wrong ? wrong : lost_memory(probe, test_case, text);
}

/* The Requester goes away with Calls in flight; the next peer is served. */
static const char *goes_away(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    (void)test_case;
    static const struct requester_call null = {.procedure = 0};
    for (unsigned i = 0; i < 8; i++) {
        struct requester_pending pending;
        if (probe_connect(probe) == NULL) {
            snprintf(text, PROBE_TEXT, "connection %u is refused, or not served", i + 1);
            return text;
        }
        requester_begin(probe->requester, &null, &pending);
        requester_forget(probe->requester, &pending);
        probe_disconnect(probe);
    }
    return probe_connect(probe) ? NULL : "no further connection";
}

#define PULL(octets, segments)                                                                     \
    {                                                                                              \
        .id = "pull-" #octets "-in-" #segments,                                                    \
        .comment = PROBE_SEGMENTS("STORE of " #octets " octets in a Read chunk of ", segments),    \
        .rule = "rfc8166/3.4.5/pull-in-list-order", .run = transfer, .ending = ENDING_WRONG,       \
        .needs_test_program = true, .procedure = TEST_STORE, .size = octets,                       \
        .read_segments = segments                                                                  \
    }
#define PUSH(octets, segments)                                                                     \
    {                                                                                              \
        .id = "push-" #octets "-in-" #segments,                                                    \
        .comment = PROBE_SEGMENTS("FETCH of " #octets " octets into a Write chunk of ", segments), \
        .rule = "rfc8166/4.3.2/eligible-result-pushed", .run = transfer, .ending = ENDING_WRONG,   \
        .needs_test_program = true, .procedure = TEST_FETCH, .size = octets,                       \
        .write_segments = segments                                                                 \
    }
#define LONG_REPLY(octets, segments)                                                               \
    {                                                                                              \
        .id = "long-reply-" #octets "-in-" #segments,                                              \
        .comment = PROBE_SEGMENTS("FETCH of " #octets " octets into a Reply chunk of ", segments), \
        .rule = "rfc8166/3.5.3/reply-chunk-used", .run = transfer, .ending = ENDING_WRONG,         \
        .needs_test_program = true, .procedure = TEST_FETCH, .size = octets,                       \
        .reply_segments = segments                                                                 \
    }
#define LONG_CALL(octets, segments)                                                                \
    {                                                                                              \
        .id = "long-call-" #octets "-in-" #segments,                                               \
        .comment = PROBE_SEGMENTS("STORE of " #octets                                              \
                                  " octets, all of the Call in a Position Zero Read chunk of ",    \
                                  segments),                                                       \
        .rule = "rfc8166/3.5.3/long-call-at-position-zero", .run = transfer,                       \
        .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_STORE,               \
        .size = octets, .long_segments = segments                                                  \
    }
#define ECHO(name, text, octets, ...)                                                              \
    {                                                                                              \
        .id = name, .comment = text, .rule = "rfc8166/3.5.2/arguments-fetched", .run = transfer,   \
        .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_ECHO,                \
        .size = octets, __VA_ARGS__                                                                \
    }

/* clang-format off */
const struct probe_case probe_cases[] = {
    PULL(0, 1), PULL(1, 1), PULL(3, 1), PULL(4, 1), PULL(5, 1), PULL(5, 3), PULL(1023, 1),
    PULL(1023, 7), PULL(1024, 1), PULL(1025, 2), PULL(4096, 1), PULL(65535, 16), PULL(65536, 1),
    PULL(1048575, 31), PULL(1048576, 1), PULL(1048576, 32),
    PUSH(0, 1), PUSH(1, 1), PUSH(3, 1), PUSH(4, 1), PUSH(5, 1), PUSH(5, 3), PUSH(1023, 1),
    PUSH(1023, 7), PUSH(1024, 1), PUSH(1025, 2), PUSH(4096, 1), PUSH(65535, 16), PUSH(65536, 1),
    PUSH(1048575, 31), PUSH(1048576, 1), PUSH(1048576, 32),
    LONG_REPLY(8192, 1), LONG_REPLY(8191, 3), LONG_REPLY(1048576, 1), LONG_REPLY(1048573, 32),
    LONG_CALL(0, 1), LONG_CALL(1, 2), LONG_CALL(8192, 1), LONG_CALL(8191, 5),
    LONG_CALL(1048576, 1), LONG_CALL(1048573, 32),
    {.id = "pull-4099-in-5-of-one-handle",
     .comment = "STORE of 4099 octets in a Read chunk of 5 segments that have one handle.",
     .rule = "rfc8166/3.4.5/pull-in-list-order", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_STORE, .size = 4099, .read_segments = 5,
     .one_handle = true},
    {.id = "push-4099-in-5-of-one-handle",
     .comment = "FETCH of 4099 octets into a Write chunk of 5 segments that have one handle.",
     .rule = "rfc8166/4.3.2/eligible-result-pushed", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 4099, .write_segments = 5,
     .one_handle = true},
    {.id = "inline-echo", .comment = "ECHO of 500 octets, all inline.", .run = transfer,
     .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_ECHO, .size = 500},
    ECHO("echo-chunks", "ECHO of 70001 octets: Read chunk, Write chunk.", 70001,
         .read_segments = 5, .write_segments = 3),
    ECHO("echo-read-and-reply-chunk", "ECHO of 70001 octets: Read chunk, Reply chunk.", 70001,
         .read_segments = 2, .reply_segments = 4),
    ECHO("echo-long-call-long-reply", "ECHO of 9002 octets: Long Call, Long Reply.", 9002,
         .long_segments = 3, .reply_segments = 2),
    ECHO("echo-long-call-with-chunk",
         "ECHO of 9002 octets: Long Call whose item is in a Read chunk of its own.", 9002,
         .long_segments = 2, .read_segments = 3, .write_segments = 2),
    ECHO("echo-all-chunks", "ECHO of 6001 octets: Read chunk, Write chunk, unused Reply chunk.",
         6001, .read_segments = 1, .write_segments = 2, .reply_segments = 2),
    {.id = "short-reply-with-reply-chunk",
     .comment = "ECHO of 100 octets, with a Reply chunk that may stay unused.", .run = transfer,
     .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_ECHO, .size = 100,
     .reply_segments = 2},
    {.id = "write-chunk-with-more-room",
     .comment = "FETCH of 5001 octets into a Write chunk of 20000 octets in 8 segments.",
     .rule = "rfc8166/3.4.6/filled-in-order", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 5001, .write_segments = 8,
     .room = 20000},
    {.id = "write-chunk-beside-unused",
     .comment = "FETCH of 1001 octets with two Write chunks: the second one comes back unused.",
     .rule = "rfc8166/4.3.2.2/returned-unused", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 1001, .write_segments = 2,
     .write_chunks = 2},
    {.id = "reply-beyond-announced-size",
     .comment = "FETCH of 2000 octets by who announces Receives of 1024: the Reply chunk has them.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = transfer_announced,
     .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_FETCH, .size = 2000,
     .reply_segments = 1, .announced = &(const struct announcement){.version = 1, .size = 1024}},
    {.id = "reply-beyond-announced-size-by-its-header",
     .comment = "FETCH of 984 octets by who announces Receives of 1024, which hold the Reply, but "
                "not its header beside it: the Reply chunk has it.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = transfer_announced,
     .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_FETCH, .size = 984,
     .reply_segments = 1, .announced = &(const struct announcement){.version = 1, .size = 1024}},
    {.id = "reply-where-no-invalidation-is-taken",
     .comment = "FETCH of 1001 octets into a Write chunk by who leaves the R bit clear: a plain Send.",
     .rule = "rfc8797/4.1/plain-send-without-support", .run = transfer_announced,
     .ending = ENDING_WRONG, .needs_test_program = true, .procedure = TEST_FETCH, .size = 1001,
     .write_segments = 1, .announced = &(const struct announcement){.version = 1, .size = 4096}},
    {.id = "write-chunk-too-small", .not_by_nfs = "by NFS it is nfs-read-8192-in-2-of-1000",
     .comment = "FETCH of 5000 octets into a Write chunk of 1000: ERR_CHUNK.",
     .rule = "rfc8166/4.5.3/within-offered-memory", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 5000, .write_segments = 2,
     .room = 1000, .outcome = RPCRDMA_ERR_CHUNK},
    {.id = "reply-chunk-too-small", .not_by_nfs = "by NFS it is nfs-getattr-reply-chunk-too-small",
     .comment = "FETCH of 9000 octets with a Reply chunk of 1000: ERR_CHUNK.",
     .rule = "rfc8166/4.5.3/within-offered-memory", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 9000, .reply_segments = 2,
     .room = 1000, .outcome = RPCRDMA_ERR_CHUNK},
    {.id = "no-room-for-reply", .not_by_nfs = "by NFS it is nfs-read-8192-inline",
     .comment = "FETCH of 9000 octets without a chunk to put them into: ERR_CHUNK.",
     .rule = "rfc8166/4.5.3/within-offered-memory", .run = transfer, .ending = ENDING_WRONG,
     .needs_test_program = true, .procedure = TEST_FETCH, .size = 9000,
     .outcome = RPCRDMA_ERR_CHUNK},
    {.id = "arguments-of-garbage",
     .comment = "STORE of an item whose length leaves octets over: GARBAGE_ARGS.",
     .rule = "rfc8166/4.5.2/garbage-args", .run = garbage, .ending = ENDING_WRONG,
     .needs_test_program = true},
    {.id = "read-chunk-inside-another",
     .not_by_nfs = "of NFS no Read chunk may have more than an item, nor its count "
                   "(RFC 8267 section 6.1)",
     .comment = "GATHER of two items, the second in a Read chunk whose Position is inside the first "
                "one: ERR_CHUNK, or GARBAGE_ARGS.",
     .hazard = "several-positions", .rule = "rfc8166/3.4.4.4/chunks-overlap", .run = overlapping,
     .ending = ENDING_WRONG, .needs_test_program = true},
    {.id = "calls-up-to-grant",
     .comment = "As many NULLs at once as are granted, each answered once.",
     .rule = "rfc8166/3.3.1/receives-before-larger-grant", .run = parallel,
     .ending = ENDING_WRONG},
    {.id = "calls-in-a-row", .comment = "A hundred NULLs, one after the other.",
     .rule = "rfc8166/3.3.1/credits-not-counted-down", .run = repeated, .ending = ENDING_SILENT},
    {.id = "runts-in-a-row",
     .comment = "A hundred runts, a NULL after each: dropped Sends give their Receives back.",
     .rule = "rfc8166/4.5/short-message-discarded", .run = runts, .ending = ENDING_SILENT},
    {.id = "faults-in-a-row",
     .comment = "A hundred Calls of version 9 or procedure 77, each answered, a NULL after each.",
     .rule = "rfc8166/4.5/call-error-answered", .run = faults, .ending = ENDING_WRONG},
    {.id = "memory-gone",
     .comment = "A Long Call whose memory is not registered any more: the connection ends, or "
                "ERR_CHUNK; the Call is not just forgotten.",
     .rule = "rfc8166/4.5.4/close-if-not-answered", .run = lost_memory, .ending = ENDING_SILENT},
    {.id = "memory-gone-again",
     .comment = "The same on the next connection: ERR_CHUNK is better, but its end will do.",
     .rule = "rfc8166/4.5.3/err-chunk-after-reconnect", .run = lost_memory_again,
     .ending = ENDING_SILENT},
    {.id = "requester-goes-away",
     .comment = "Eight connections are dropped with a Call in flight; the next one is served.",
     .rule = NULL, .run = goes_away, .ending = ENDING_CRASHED},
    {.id = NULL},
};
/* clang-format on */
