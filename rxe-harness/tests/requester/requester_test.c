// SPDX-License-Identifier: BSD-3-Clause
/* The reference Requester by version 1 on a link that is a list: what it sends for a Call, word by
 * word and with what is in its chunks, and what it takes for the Reply. */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/session/session.h"
#include "rxe-harness/transport/test_program.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <poll.h>
#include <rpcrdma/private_data.h>
#include <stdlib.h>
#include <string.h>

/* ---- the link ---- */

#define MESSAGES 2080

static struct {
    struct link link;
    struct link_options options; /* that it was opened with */
    uint8_t private_data[64];
    uint8_t sent[REQUESTER_INLINE];
    size_t length;
    unsigned sends;
    struct link_memory memory[REQUESTER_SEGMENTS];
    unsigned access[REQUESTER_SEGMENTS], exposed, hidden;
    struct {
        uint8_t octets[64];
        size_t length;
    } messages[MESSAGES]; /* that come, if their length is not 0; after the last one: the end */
    unsigned count, taken, pause; /* milliseconds before each */
    bool ends, closed;
} side;

static bool send_octets(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    (void)link;
    ck_assert_ptr_null(handle);
    ck_assert_uint_le(length, sizeof side.sent);
    memcpy(side.sent, octets, length);
    side.length = length;
    side.sends++;
    return true;
}

static void wait_octets(struct link *link, unsigned timeout, struct link_event *event)
{
    (void)link;
    *event = (struct link_event){.type = LINK_NOTHING};
    if (side.pause > 0)
        poll(NULL, 0, (int)(timeout < side.pause ? timeout : side.pause));
    if (side.taken == side.count || timeout < side.pause) {
        event->type = side.ends ? LINK_CLOSED : LINK_NOTHING;
        return;
    }
    event->length = side.messages[side.taken].length;
    event->type = event->length > 0 ? LINK_RECEIVED : LINK_NOTHING;
    event->octets = side.messages[side.taken++].octets;
}

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    (void)link;
    ck_assert_uint_lt(side.exposed, REQUESTER_SEGMENTS);
    memory->handle = 100 + side.exposed;
    memory->offset = 0x1000 * (uint64_t)(side.exposed + 1);
    side.access[side.exposed] = access;
    side.memory[side.exposed++] = *memory;
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    (void)link, (void)memory;
    side.hidden++;
}

static const struct link_ops ops;

static void close_link(struct link *link)
{
    link->ops = &ops; /* it is there still for the next Requester, unlike another link */
    side.closed = true;
}

static const struct link_ops ops = {
    .send = send_octets, .wait = wait_octets, .expose = expose, .hide = hide, .close = close_link};

static struct link *connect_link(struct transport *transport, const struct link_options *options)
{
    (void)transport;
    side.options = *options;
    side.link.ops = &ops;
    ck_assert_uint_le(options->private_length, sizeof side.private_data);
    memcpy(side.private_data, options->private_data, options->private_length);
    return &side.link;
}

static const struct transport_ops transport_ops = {.connect = connect_link};
static struct transport transport = {.ops = &transport_ops};
static struct requester *requester;
static struct requester_pending pending;
static struct requester_reply reply;

static void setup(void)
{
    memset(&side, 0, sizeof side);
    side.link.ops = &ops;
    const struct rpcrdma_private_data said = {.send_size = 4096, .receive_size = 4096};
    rpcrdma_private_data_encode(side.link.private_data, sizeof side.link.private_data, &said);
    side.link.private_length = RPCRDMA_PRIVATE_DATA_LENGTH;
    requester = requester_open(&transport, 1, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
}

static void teardown(void)
{
    requester_close(requester);
    ck_assert(side.closed);
}

/* ---- a Call, as it was sent ---- */

static struct rpcrdma1_header header;
static const struct rpcrdma1_chunk_lists *lists;
static uint8_t whole[8192]; /* the RPC message, put together again */
static size_t whole_length;

/* What the memory of this handle holds. */
static const struct link_memory *memory_of(uint32_t handle, uint64_t offset, uint32_t length,
                                           unsigned access)
{
    ck_assert_uint_ge(handle, 100);
    ck_assert_uint_lt(handle - 100, side.exposed);
    const struct link_memory *memory = &side.memory[handle - 100];
    ck_assert_uint_eq(memory->offset, offset);
    ck_assert_uint_eq(side.access[handle - 100], access);
    ck_assert(memory->length == length || (length == 0 && memory->length == 8));
    return memory;
}

/* Read chunks of the Position that comes next, and the octets of the Send between. */
static unsigned put_together(const uint8_t *payload, size_t length, bool is_long)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    unsigned count = 0;
    uint32_t last = 0;
    size_t chunk = 0, taken = 0;
    uint8_t special[8192];
    size_t special_length = 0;
    whole_length = 0;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        const struct rpcrdma1_segment *target = &read.target;
        const struct link_memory *memory =
            memory_of(target->handle, target->offset, target->length, LINK_PEER_READS);
        count++;
        if (is_long && read.position == 0) {
            memcpy(special + special_length, memory->octets, target->length);
            special_length += target->length;
            payload = special;
            length = special_length;
            continue;
        }
        if (read.position != last) {
            memset(whole + whole_length, 0, (4 - chunk % 4) % 4);
            whole_length += (4 - chunk % 4) % 4;
            ck_assert_uint_ge(read.position, whole_length);
            size_t part = read.position - whole_length;
            memcpy(whole + whole_length, payload + taken, part);
            whole_length += part;
            taken += part;
            chunk = 0;
        }
        last = read.position;
        memcpy(whole + whole_length, memory->octets, target->length);
        whole_length += target->length;
        chunk += target->length;
    }
    size_t padding = (4 - chunk % 4) % 4;
    memset(whole + whole_length, 0, padding);
    whole_length += padding;
    memcpy(whole + whole_length, payload + taken, length - taken);
    whole_length += length - taken;
    return count;
}

/* Segments of one chunk: about the same length, and none empty unless they all are. */
static void are_even(const struct rpcrdma1_segment_array *array, unsigned count, size_t length)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(array);
    struct rpcrdma1_segment segment;
    ck_assert_uint_eq(array->count, count);
    while (rpcrdma1_segment_array_next(&iter, &segment)) {
        memory_of(segment.handle, segment.offset, segment.length, LINK_PEER_WRITES);
        ck_assert_uint_ge(segment.length, length / count);
        ck_assert_uint_le(segment.length, (length + count - 1) / count);
    }
    ck_assert_uint_eq(rpcrdma1_segments_length(array), length);
}

/* Items of this many octets, each after its length, and a word at the end. */
static uint8_t args[4096];
static size_t args_length;

static void make_args(uint32_t items, uint32_t item)
{
    size_t at = 0;
    memset(args, 0, sizeof args);
    for (uint32_t i = 0; i < items; i++) {
        rpcrdma_xdr_store32(args + at, item);
        memset(args + at + 4, (int)('a' + i), item);
        at += 4 + ((item + 3) & ~3u);
    }
    rpcrdma_xdr_store32(args + at, 0x77777777);
    args_length = at + 4;
}

static const struct {
    unsigned items, read_segments, read_items, long_segments, write_segments, write_chunks,
        reply_segments;
    uint32_t item, room;
    bool as_root;
} shapes[] = {
    {.items = 1, .item = 5},
    {.items = 1, .item = 5, .as_root = true},
    {.items = 1, .item = 8, .read_segments = 1},
    {.items = 1, .item = 5, .read_segments = 3},
    {.items = 1, .item = 1, .read_segments = 1, .as_root = true},
    {.items = 1, .item = 0, .read_segments = 2},
    {.items = 1, .item = 100, .read_segments = 7},
    {.items = 3, .item = 5, .read_segments = 2, .read_items = 3},
    {.items = 3, .item = 8, .read_segments = 1, .read_items = 3},
    {.items = 2, .item = 8, .read_segments = 1},
    {.items = 1, .item = 5, .long_segments = 1},
    {.items = 1, .item = 7, .long_segments = 3, .as_root = true},
    {.items = 2, .item = 7, .long_segments = 2, .read_segments = 2, .read_items = 2},
    {.items = 1, .item = 5, .write_segments = 1, .room = 100},
    {.items = 1, .item = 5, .write_segments = 3, .write_chunks = 2, .room = 100},
    {.items = 1, .item = 5, .write_segments = 2, .room = 1},
    {.items = 1, .item = 5, .write_chunks = 2, .room = 100},
    {.items = 1, .item = 5, .reply_segments = 3, .room = 10},
    {.items = 1,
     .item = 5,
     .read_segments = 1,
     .write_segments = 1,
     .reply_segments = 1,
     .room = 3},
};

static struct requester_call call_of(int shape)
{
    make_args(shapes[shape].items, shapes[shape].item);
    return (struct requester_call){.procedure = 9,
                                   .args = args,
                                   .args_length = args_length,
                                   .item_at = 4,
                                   .item_length = shapes[shape].item,
                                   .read_segments = shapes[shape].read_segments,
                                   .read_items = shapes[shape].read_items,
                                   .long_segments = shapes[shape].long_segments,
                                   .write_segments = shapes[shape].write_segments,
                                   .write_chunks = shapes[shape].write_chunks,
                                   .write_room = shapes[shape].room,
                                   .reply_segments = shapes[shape].reply_segments,
                                   .reply_room = shapes[shape].room,
                                   .as_root = shapes[shape].as_root};
}

START_TEST(calls_are_sent)
{
    const struct requester_call call = call_of(_i);
    const uint32_t xid = requester->xid + 1;
    ck_assert(requester_begin(requester, &call, &pending));
    ck_assert_uint_eq(side.sends, 1);
    ck_assert_uint_eq(pending.xid, xid);
    if (call.read_segments == 0 || call.item_length > 0) /* an empty segment is no good */
        ck_assert_int_eq(requester->broken, -1);
    ptrdiff_t end = rpcrdma1_header_decode(&header, side.sent, side.length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    lists = rpcrdma1_chunks(&header);
    ck_assert_uint_eq(header.rdma_xid, xid);
    ck_assert_uint_eq(header.rdma_vers, 1);
    ck_assert_uint_eq(header.rdma_credit, REQUESTER_CREDITS);
    ck_assert_int_eq(header.rdma_body.proc, call.long_segments ? RPCRDMA1_NOMSG : RPCRDMA1_MSG);
    unsigned items = call.read_segments == 0 ? 0 : call.read_items ? call.read_items : 1;
    unsigned reads =
        put_together(side.sent + end, side.length - (size_t)end, call.long_segments > 0);
    ck_assert_uint_eq(reads, call.long_segments + items * call.read_segments);
    /* The RPC message: header, credential, arguments. */
    const uint32_t rpc[] = {xid, 0, 2, TEST_PROGRAM, TEST_VERSION, 9, call.as_root, 0, 0, 0};
    size_t before = call.as_root ? 60 : 40;
    ck_assert_uint_eq(whole_length, before + args_length);
    for (size_t i = 0; i < 7; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(whole + 4 * i), rpc[i]);
    for (size_t i = 7; i < before / 4; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(whole + 4 * i), i == 7 && call.as_root ? 20 : 0);
    ck_assert_mem_eq(whole + before, args, args_length);
    /* Room for results. */
    unsigned chunks = call.write_chunks ? call.write_chunks : call.write_segments > 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    ck_assert_uint_eq(lists->rdma_writes.count, chunks);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (call.write_segments > 0)
            are_even(&chunk.target, call.write_segments, call.write_room);
        else
            ck_assert_uint_eq(chunk.target.count, 0);
    ck_assert_int_eq(lists->rdma_reply.present, call.reply_segments > 0);
    if (call.reply_segments > 0)
        are_even(&lists->rdma_reply.value.target, call.reply_segments, call.reply_room);
    ck_assert_uint_eq(side.exposed, reads + chunks * call.write_segments + call.reply_segments);
    requester_forget(requester, &pending);
    ck_assert_uint_eq(side.hidden, side.exposed);
    ck_assert_uint_eq(pending.memory.count, 0);
}
END_TEST

/* What the peer takes, and not an octet more. */
START_TEST(a_send_is_no_longer_than_the_peer_takes)
{
    const struct requester_call call = call_of(2);
    ck_assert(requester_begin(requester, &call, &pending));
    const size_t length = side.length;
    requester_forget(requester, &pending);
    requester->send_limit = (uint32_t)length;
    side.exposed = 0;
    ck_assert(requester_begin(requester, &call, &pending));
    requester_forget(requester, &pending);
    for (requester->send_limit = 0; requester->send_limit < length; requester->send_limit++) {
        side.exposed = 0;
        ck_assert(!requester_begin(requester, &call, &pending));
        requester_forget(requester, &pending);
    }
    ck_assert_uint_eq(side.sends, 2);
}
END_TEST

START_TEST(small_messages_are_made)
{
    uint8_t octets[REQUESTER_LONG_HEADER], null[REQUESTER_NULL];
    const struct link_memory memory = {.length = 40, .handle = 7, .offset = 0x100000002};
    const uint32_t header_words[] = {0x01020304, 1, REQUESTER_CREDITS, 1, 1, 0, 7, 40, 1, 2, 0,
                                     0,          0};
    const uint32_t null_words[] = {0x01020304,
                                   1,
                                   REQUESTER_CREDITS,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0x01020304,
                                   0,
                                   2,
                                   TEST_PROGRAM,
                                   TEST_VERSION,
                                   0,
                                   0,
                                   0,
                                   0,
                                   0};
    ck_assert_uint_eq(requester_long_header(0x01020304, &memory, octets), sizeof header_words);
    for (size_t i = 0; i < COUNT(header_words); i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 4 * i), header_words[i]);
    requester_null_call(requester, 0x01020304, null);
    ck_assert_uint_eq(sizeof null_words, REQUESTER_NULL);
    for (size_t i = 0; i < COUNT(null_words); i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(null + 4 * i), null_words[i]);
}
END_TEST

/* ---- connecting ---- */

START_TEST(private_data_settle_the_sizes)
{
    static const struct {
        bool says;
        uint32_t takes, limit;
    } peers[] = {{true, 4096, 4096}, {true, 1024, 1024}, {true, 8192, 4096}, {false, 0, 1024}};
    struct rpcrdma_private_data own;
    ck_assert_int_eq(
        rpcrdma_private_data_find(&own, side.private_data, side.options.private_length), 0);
    ck_assert(own.remote_invalidation);
    ck_assert_uint_eq(own.send_size, REQUESTER_INLINE);
    ck_assert_uint_eq(own.receive_size, REQUESTER_INLINE);
    ck_assert_uint_eq(side.options.receive_size, REQUESTER_INLINE);
    ck_assert_uint_eq(side.options.receives, REQUESTER_RECEIVES);
    ck_assert_uint_eq(side.options.timeout, 1);
    for (size_t i = 0; i < COUNT(peers); i++) {
        const struct rpcrdma_private_data said = {.send_size = 4096,
                                                  .receive_size = peers[i].takes};
        requester_close(requester);
        rpcrdma_private_data_encode(side.link.private_data, sizeof side.link.private_data, &said);
        side.link.private_length = peers[i].says ? RPCRDMA_PRIVATE_DATA_LENGTH : 0;
        requester = requester_open(&transport, 1, false, NULL, NULL);
        ck_assert_uint_eq(requester->send_limit, peers[i].limit);
        ck_assert_uint_eq(requester->granted, 1);
        rpcrdma_private_data_find(&own, side.private_data, side.options.private_length);
        ck_assert(!own.remote_invalidation);
    }
}
END_TEST

/* A peer that says nothing, or goes, is asked once more by version 1, unless that is not wanted. */
START_TEST(version_2_may_not_be_spoken)
{
    struct requester_options options = {
        .timeout = 1, .draft = RPCRDMA_PROTOCOL_2_07, .program = TEST_PROGRAM, .version = 1};
    for (int ends = 0; ends < 2; ends++) {
        side.ends = ends;
        strcpy(side.link.why, ends ? "it went" : "");
        options.no_fallback = true;
        side.sends = 0;
        ck_assert_ptr_null(requester_connect(&transport, &options));
        ck_assert_str_eq(transport.error,
                         ends ? "version 2 is not spoken: it went"
                              : "version 2 is not spoken: no answer to its first message");
        ck_assert_uint_eq(side.sends, 1);
        ck_assert_uint_eq(rpcrdma_xdr_load32(side.sent + 4), 2);
        ck_assert_uint_le(side.length, SESSION_FIRST);
        options.no_fallback = false;
        struct requester *old = requester_connect(&transport, &options);
        ck_assert_ptr_nonnull(old);
        ck_assert_ptr_null(old->session);
        ck_assert_str_eq(transport.error, "");
        ck_assert_uint_eq(old->program, TEST_PROGRAM);
        requester_close(old);
    }
}
END_TEST

/* ---- what comes ---- */

static void comes(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(side.messages[side.count].octets + 4 * i, words[i]);
    side.messages[side.count++].length = 4 * count;
}
#define COMES(...)                                                                                 \
    comes((const uint32_t[]){__VA_ARGS__},                                                         \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define REPLY(xid, grant) xid, 1, grant, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0

static const struct requester_call null = {.procedure = 0};

START_TEST(a_reply_is_taken)
{
    ck_assert(requester_begin(requester, &null, &pending));
    COMES(REPLY(pending.xid, 17));
    requester_finish(requester, &pending, 1, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_PROCESS);
    ck_assert_uint_eq(requester->granted, 17);
    ck_assert_uint_eq(requester->came_length, 52);
    ck_assert_mem_eq(requester->came, side.messages[0].octets, 52);
    ck_assert_uint_eq(requester->sent_length, 68);
    ck_assert_mem_eq(requester->sent, side.sent, 68);
    requester_finish(requester, &pending, 1, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_DISCARD);
    ck_assert(!requester_gone(requester));
    side.ends = true;
    requester_finish(requester, &pending, 1, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_CLOSE);
    ck_assert(requester_gone(requester));
    requester_forget(requester, &pending);
}
END_TEST

/* Of what is no answer to this Call 2047 messages are dropped: the 2048th is looked at. */
START_TEST(strays_are_dropped)
{
    enum { LOOKED_AT = 2048 };
    for (unsigned strays = LOOKED_AT - 2; strays <= LOOKED_AT; strays++) {
        side.count = side.taken = 0;
        ck_assert(requester_begin(requester, &null, &pending));
        for (unsigned i = 0; i < strays; i++)
            COMES(REPLY(pending.xid + 1, 8));
        COMES(REPLY(pending.xid, 8));
        requester_receive(requester, &pending, 1, &reply);
        ck_assert_int_eq(reply.xid == pending.xid, strays < LOOKED_AT);
        ck_assert_uint_eq(side.taken, strays < LOOKED_AT ? strays + 1 : LOOKED_AT);
        requester_forget(requester, &pending);
    }
}
END_TEST

/* Each comes in time for a wait of its own; the time is that of all together. */
START_TEST(strays_do_not_hold_a_call)
{
    side.pause = 10;
    ck_assert(requester_begin(requester, &null, &pending));
    for (unsigned i = 0; i < 100; i++)
        COMES(REPLY(pending.xid + 1, 8));
    COMES(REPLY(pending.xid, 8));
    requester_receive(requester, &pending, 50, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_DISCARD);
    ck_assert_uint_le(side.taken, 5);
    requester_forget(requester, &pending);
    side.count = side.taken = 0;
    for (unsigned i = 0; i < 7; i++)
        COMES(REPLY(requester->xid + 9, 8));
    COMES(REPLY(requester->xid + 1, 8));
    ck_assert(!requester_null(requester, 50));
    ck_assert_uint_le(side.taken, 5);
}
END_TEST

/* A message of this XID that a Requester has to drop is dropped; errors are taken. */
START_TEST(faulty_replies_are_dropped)
{
    side.count = 0;
    ck_assert(requester_begin(requester, &null, &pending));
    COMES(pending.xid, 2, 8, 0, 0, 0, 0, pending.xid, 1, 0, 0, 0, 0); /* of version 2 */
    COMES(pending.xid, 1, 8);
    COMES(pending.xid, 1, 8, 4, 2);
    requester_receive(requester, &pending, 1, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_ERR_CHUNK);
    ck_assert_uint_eq(side.taken, 3);
    requester_receive(requester, &pending, 1, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_DISCARD);
    requester_forget(requester, &pending);
}
END_TEST

/* Seven late answers may come before that to NULL. */
START_TEST(null_is_answered)
{
    static const struct {
        unsigned strays;
        bool good;
    } rows[] = {{0, true}, {7, true}, {8, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t xid = requester->xid + 1;
        side.count = side.taken = 0;
        for (unsigned j = 0; j < rows[i].strays; j++)
            COMES(REPLY(xid + 9, 8));
        COMES(REPLY(xid, 8));
        ck_assert_int_eq(requester_null(requester, 1), rows[i].good);
    }
    side.count = side.taken = 0;
    ck_assert(!requester_null(requester, 1)); /* silence */
    uint32_t xid = requester->xid + 1;
    COMES(xid, 1, 8, 4, 2);
    ck_assert(!requester_null(requester, 1)); /* an error */
    xid++;
    side.count = side.taken = 0;
    COMES(xid, 1, 8, 0, 0, 0, 0, xid, 1, 0, 0, 0, 4); /* GARBAGE_ARGS is a Reply */
    ck_assert(requester_null(requester, 1));
    side.count = side.taken = 0;
    side.ends = true;
    ck_assert(!requester_null(requester, 1));
}
END_TEST

/* An answer belongs to what was sent before it: with the next Send there is none. */
START_TEST(an_answer_is_of_the_last_send)
{
    static const uint8_t short_send[8] = {1};
    struct link_event event;
    side.messages[0].length = 28;
    side.count = 1;
    for (int i = 0; i < 2; i++) {
        ck_assert(requester_send(requester, short_send, sizeof short_send));
        ck_assert_uint_eq(requester->sent_length, sizeof short_send);
        ck_assert_uint_eq(requester->came_length, 0);
        requester_wait(requester, 1, &event);
        ck_assert_uint_eq(requester->came_length, i == 0 ? 28 : 0);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("requester");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, calls_are_sent, 0, COUNT(shapes));
    tcase_add_test(tests, a_send_is_no_longer_than_the_peer_takes);
    tcase_add_test(tests, small_messages_are_made);
    tcase_add_test(tests, private_data_settle_the_sizes);
    tcase_add_test(tests, version_2_may_not_be_spoken);
    tcase_add_test(tests, a_reply_is_taken);
    tcase_add_test(tests, strays_are_dropped);
    tcase_add_test(tests, strays_do_not_hold_a_call);
    tcase_add_test(tests, faulty_replies_are_dropped);
    tcase_add_test(tests, null_is_answered);
    tcase_add_test(tests, an_answer_is_of_the_last_send);
    return run_tests("requester", tests);
}
