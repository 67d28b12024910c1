// SPDX-License-Identifier: BSD-3-Clause
/* Chunks of Calls and their answers, by themselves: whose memory is named, read, written and
 * forgotten, and what is too much. */
#include "rxe-harness/proxy/chunks.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

/* ---- both sides ---- */

enum { XID = 7, BAD = 0xbad, ROOM = 256 };
enum { READS = 0x100, WRITES = 0x200 }; /* handles of the first memory of ours */
enum { GUARD = 64 };                    /* octets between segments */

struct operation {
    bool is_write;
    uint32_t handle;
    uint64_t offset;
    size_t length;
    uint8_t first; /* octet */
};

static struct {
    uint8_t memory[ROOM]; /* the caller's, at offset 0 */
    struct operation done[16], told[16];
    unsigned count, told_count;
    unsigned exposed, kind[2], hidden;
    unsigned refuses; /* the number of the memory that cannot be exposed */
    uint8_t read_first;
} peers;

static struct link caller, answerer;
static struct chunks chunks;
static uint8_t octets[1024];
static size_t length;

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    ck_assert_ptr_eq(link, &answerer);
    if (++peers.exposed == peers.refuses)
        return false;
    unsigned number = peers.kind[access == LINK_PEER_WRITES]++;
    memory->handle = (access == LINK_PEER_READS ? READS : WRITES) + 0x1000 * number;
    memory->offset = (access == LINK_PEER_READS ? 0x10000 : 0x20000) + 0x100000 * (uint64_t)number;
    memory->own = memory;
    if (access == LINK_PEER_READS)
        peers.read_first = memory->octets[0];
    else
        ck_assert_uint_eq(access, LINK_PEER_WRITES);
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    ck_assert_ptr_eq(link, &answerer);
    peers.hidden++;
    memory->own = NULL;
}

static bool read_caller(struct link *link, uint32_t handle, uint64_t offset, void *to, size_t size)
{
    ck_assert_ptr_eq(link, &caller);
    ck_assert_uint_le(offset + size, ROOM);
    memcpy(to, peers.memory + offset, size);
    return handle != BAD;
}

static bool write_caller(struct link *link, uint32_t handle, uint64_t offset, const void *from,
                         size_t size)
{
    ck_assert_ptr_eq(link, &caller);
    peers.done[peers.count++] =
        (struct operation){true, handle, offset, size, *(const uint8_t *)from};
    return handle != BAD;
}

static void moved(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *data,
                  size_t size)
{
    ck_assert_ptr_eq(arg, &peers);
    ck_assert_uint_lt(peers.told_count, COUNT(peers.told));
    peers.told[peers.told_count++] = (struct operation){is_write, handle, offset, size, data[0]};
}

static void set_up(void)
{
    static const struct link_ops ops = {
        .expose = expose, .hide = hide, .read = read_caller, .write = write_caller};
    caller = answerer = (struct link){.ops = &ops};
    memset(&peers, 0, sizeof peers);
    chunks =
        (struct chunks){.caller = &caller, .answerer = &answerer, .moved = moved, .arg = &peers};
    for (size_t i = 0; i < ROOM; i++)
        peers.memory[i] = (uint8_t)(i + 1);
}

/* Whatever is left is given back. */
static void tear_down(void)
{
    chunks_free(&chunks);
    ck_assert_uint_eq(chunks.count, 0);
    ck_assert_uint_eq(chunks.octets, 0);
    ck_assert_uint_eq(peers.hidden, peers.exposed - (peers.refuses > 0));
}

/* ---- messages ---- */

#define SEGMENT(handle, length, offset) handle, length, 0, offset
#define READ(position, ...) 1, position, SEGMENT(__VA_ARGS__)
#define NONE 0
#define CALL XID, 0, 2, 100003, 3, 1
#define REPLY XID, 1, 0, 0, 0, 0

static void put(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    length = 4 * count;
}
#define PUT(...) put((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static uint32_t word(size_t at)
{
    return rpcrdma_xdr_load32(octets + 4 * at);
}

static bool calls(enum rpcrdma_protocol protocol)
{
    return chunks_call(&chunks, protocol, octets, length);
}

static bool replies(enum rpcrdma_protocol protocol)
{
    return chunks_reply(&chunks, protocol, octets, length);
}

static void is_segment(size_t at, uint32_t handle, uint32_t size, uint32_t offset)
{
    ck_assert_uint_eq(word(at), handle);
    ck_assert_uint_eq(word(at + 1), size);
    ck_assert_uint_eq(word(at + 2), 0);
    ck_assert_uint_eq(word(at + 3), offset);
}

static void is_told(unsigned at, bool is_write, uint32_t handle, uint64_t offset, size_t size,
                    uint8_t first)
{
    const struct operation *told = &peers.told[at];
    ck_assert_uint_lt(at, peers.told_count);
    ck_assert_int_eq(told->is_write, is_write);
    ck_assert_uint_eq(told->handle, handle);
    ck_assert_uint_eq(told->offset, offset);
    ck_assert_uint_eq(told->length, size);
    ck_assert_uint_eq(told->first, first);
}

/* ---- a Call and its answer ---- */

static void put_call(void)
{
    PUT(XID, 1, 32, RPCRDMA1_MSG,                                                  /**/
        READ(40, 17, 8, 0x10), READ(40, 18, 0, 0x20), READ(40, 19, 4, 0x30), NONE, /**/
        1, 2, SEGMENT(21, 8, 0x40), SEGMENT(22, 4, 0x48), NONE,                    /**/
        1, 1, SEGMENT(23, 4, 0x50),                                                /**/
        CALL);
}

START_TEST(a_call_names_memory_of_ours)
{
    uint32_t handle = 0;
    put_call();
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    is_segment(6, READS, 8, 0x10000);
    is_segment(12, READS, 0, 0x10008);
    is_segment(18, READS, 4, 0x10008);
    is_segment(25, WRITES, 8, 0x20000);
    is_segment(29, WRITES, 4, 0x20000 + 8 + GUARD);
    is_segment(36, WRITES, 4, 0x20000 + 12 + 2 * GUARD);
    ck_assert_uint_eq(word(40), XID);
    ck_assert_uint_eq(peers.told_count, 2);
    is_told(0, false, 17, 0x10, 8, 0x11);
    is_told(1, false, 19, 0x30, 4, 0x31);
    ck_assert_uint_eq(peers.read_first, 0x11); /* it was read before it is exposed */
    ck_assert_uint_eq(chunks.calls->reads.octets[8], 0x31);
    ck_assert_uint_eq(chunks.count, 1);
    ck_assert_uint_eq(chunks.octets, 12 + 16 + 3 * GUARD);
    ck_assert_uint_eq(chunks.relayed[0], 8 + 4);
    ck_assert(chunks_handle(&chunks, READS, &handle));
    ck_assert_uint_eq(handle, 17);
    ck_assert(chunks_handle(&chunks, WRITES, &handle));
    ck_assert_uint_eq(handle, 21);
    ck_assert(!chunks_handle(&chunks, 0x300, &handle));
    ck_assert(!chunks_handle(&chunks, 17, &handle));
}
END_TEST

/* What came back shorter is written so far; what is not of ours stays; what comes back twice is
 * written once. */
START_TEST(an_answer_names_the_callers_memory)
{
    put_call();
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    for (size_t i = 0; i < chunks.calls->writes.length; i++)
        if (i < 8 || (i >= 8 + GUARD && i < 12 + GUARD) ||
            (i >= 12 + 2 * GUARD && i < 16 + 2 * GUARD))
            chunks.calls->writes.octets[i] = (uint8_t)(0x80 + i);
    PUT(XID, 1, 32, RPCRDMA1_MSG, NONE,                                            /**/
        1, 4, SEGMENT(WRITES, 8, 0), SEGMENT(WRITES, 3, 0), SEGMENT(WRITES, 8, 0), /**/
        SEGMENT(99, 8, 0x20000), NONE,                                             /**/
        1, 1, SEGMENT(WRITES, 0, 0),                                               /**/
        REPLY);
    rpcrdma_xdr_store32(octets + 4 * 10, 0x20000);
    rpcrdma_xdr_store32(octets + 4 * 14, 0x20000 + 8 + GUARD);
    rpcrdma_xdr_store32(octets + 4 * 18, 0x20000);
    rpcrdma_xdr_store32(octets + 4 * 29, 0x20000 + 12 + 2 * GUARD);
    peers.told_count = 0;
    ck_assert(replies(RPCRDMA_PROTOCOL_1));
    is_segment(7, 21, 8, 0x40);
    is_segment(11, 22, 3, 0x48);
    is_segment(15, 21, 8, 0x40);
    is_segment(19, 99, 8, 0x20000);
    is_segment(26, 23, 0, 0x50);
    ck_assert_uint_eq(peers.count, 2);
    ck_assert_uint_eq(peers.told_count, 2);
    is_told(0, true, 21, 0x40, 8, 0x80);
    is_told(1, true, 22, 0x48, 3, (uint8_t)(0x80 + 8 + GUARD));
    for (unsigned i = 0; i < 2; i++)
        ck_assert_mem_eq(&peers.done[i], &peers.told[i], sizeof peers.done[i]);
    ck_assert_uint_eq(chunks.count, 0);
    ck_assert_uint_eq(chunks.octets, 0);
    ck_assert_uint_eq(chunks.relayed[1], 8 + 3);
    ck_assert_uint_eq(peers.hidden, 2);
}
END_TEST

/* ---- what is an answer ---- */

static const struct {
    const char *what;
    enum rpcrdma_protocol protocol;
    uint32_t words[24];
    size_t count;
    bool answers;
} messages[] = {
#define ROW(what, protocol, answers, ...)                                                          \
    {                                                                                              \
        what, protocol, {__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, answers        \
    }
    ROW("a Reply", RPCRDMA_PROTOCOL_1, true, XID, 1, 32, RPCRDMA1_MSG, 0, 0, 0, REPLY),
    ROW("another's Reply", RPCRDMA_PROTOCOL_1, false, XID + 1, 1, 32, RPCRDMA1_MSG, 0, 0, 0, REPLY),
    ROW("a Call", RPCRDMA_PROTOCOL_1, false, XID, 1, 32, RPCRDMA1_MSG, 0, 0, 0, CALL),
    ROW("as much of a Call as is one", RPCRDMA_PROTOCOL_1, false, XID, 1, 32, RPCRDMA1_MSG, 0, 0, 0,
        XID, 0),
    ROW("less of it", RPCRDMA_PROTOCOL_1, true, XID, 1, 32, RPCRDMA1_MSG, 0, 0, 0, XID),
    ROW("nothing of it", RPCRDMA_PROTOCOL_1, true, XID, 1, 32, RPCRDMA1_MSG, 0, 0, 0),
    ROW("a Long Reply", RPCRDMA_PROTOCOL_1, true, XID, 1, 32, RPCRDMA1_NOMSG, 0, 0, 0),
    ROW("a Long Call", RPCRDMA_PROTOCOL_1, false, XID, 1, 32, RPCRDMA1_NOMSG, READ(0, 3, 40, 0), 0,
        0, 0),
    ROW("an error", RPCRDMA_PROTOCOL_1, true, XID, 1, 32, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK),
    ROW("half a header", RPCRDMA_PROTOCOL_1, false, XID, 1, 32, RPCRDMA1_MSG, 0, 0),
    ROW("-04: a Reply", RPCRDMA_PROTOCOL_2_04, true, XID, 2, 32, RPCRDMA2_04_MSG, RPCRDMA2_04_REPLY,
        0, 0, 0, 0, REPLY),
    ROW("-04: a Call", RPCRDMA_PROTOCOL_2_04, false, XID, 2, 32, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL,
        0, 0, 0, 0, CALL),
    ROW("-07: a piece of a Reply", RPCRDMA_PROTOCOL_2_07, false, XID, 2, 32,
        RPCRDMA2_07_REPLY_MIDDLE, 20, REPLY),
    ROW("-07: a Reply", RPCRDMA_PROTOCOL_2_07, true, XID, 2, 32, RPCRDMA2_07_REPLY_INLINE, 0, 0,
        REPLY),
};

START_TEST(one_message_is_the_answer)
{
    uint8_t before[sizeof octets];
    PUT(XID, 1, 32, RPCRDMA1_MSG, READ(40, 17, 8, 0x10), NONE, NONE, NONE, CALL);
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    put(messages[_i].words, messages[_i].count);
    memcpy(before, octets, length);
    ck_assert(replies(messages[_i].protocol));
    ck_assert_msg((chunks.count == 0) == messages[_i].answers, "%s", messages[_i].what);
    ck_assert_mem_eq(before, octets, length);
}
END_TEST

/* What is no Call, or has no chunks, goes on as it is. */
START_TEST(some_have_nothing_to_move)
{
    uint8_t before[sizeof octets];
    switch (_i) {
    case 0:
        PUT(XID, 1, 32, RPCRDMA1_MSG, NONE, NONE, NONE, CALL);
        break;
    case 1: /* the version is another's */
        PUT(XID, 2, 32, RPCRDMA1_MSG, READ(40, 17, 8, 0x10), NONE, NONE, NONE, CALL);
        break;
    case 2: /* it ends in its lists */
        PUT(XID, 1, 32, RPCRDMA1_MSG, READ(40, 17, 8, 0x10), NONE, NONE);
        break;
    default:
        PUT(XID, 1, 32, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK);
        break;
    }
    memcpy(before, octets, length);
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    ck_assert_mem_eq(before, octets, length);
    ck_assert_uint_eq(chunks.count, 0);
    ck_assert_uint_eq(peers.exposed, 0);
}
END_TEST

/* ---- a handle that is named ---- */

/* By version 2: it becomes that of the memory that stands for it, or 0. */
START_TEST(a_named_handle_becomes_ours)
{
    static const struct {
        bool invalidates;
        uint32_t named, ours, first_read, first_write;
    } rows[] = {{true, 18, READS, 18, 21},  {true, 17, READS, 17, 21}, {true, 22, WRITES, 17, 22},
                {true, 21, WRITES, 17, 21}, {true, 99, 0, 17, 21},     {true, 0, 0, 17, 21},
                {false, 18, 0, 17, 21}};
    const bool is_07 = _i >= (int)COUNT(rows);
    const enum rpcrdma_protocol protocol = is_07 ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_2_04;
    const size_t row = (size_t)_i % COUNT(rows), at = is_07 ? 4 : 5;
    uint32_t handle = 0;
    chunks.invalidates = rows[row].invalidates;
    if (is_07)
        PUT(XID, 2, 32, RPCRDMA2_07_CALL_INLINE, rows[row].named, READ(40, 17, 8, 0x10),
            READ(40, 18, 8, 0x20), NONE, 1, 2, SEGMENT(21, 8, 0x40), SEGMENT(22, 8, 0x48), NONE,
            NONE, CALL);
    else
        PUT(XID, 2, 32, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL, rows[row].named, READ(40, 17, 8, 0x10),
            READ(40, 18, 8, 0x20), NONE, 1, 2, SEGMENT(21, 8, 0x40), SEGMENT(22, 8, 0x48), NONE,
            NONE, CALL);
    ck_assert(calls(protocol));
    ck_assert_uint_eq(chunks.count, 1);
    ck_assert_uint_eq(word(at), rows[row].ours);
    ck_assert(chunks_handle(&chunks, READS, &handle));
    ck_assert_uint_eq(handle, rows[row].first_read);
    ck_assert(chunks_handle(&chunks, WRITES, &handle));
    ck_assert_uint_eq(handle, rows[row].first_write);
}
END_TEST

START_TEST(without_chunks_no_handle_is_named)
{
    chunks.invalidates = true;
    PUT(XID, 2, 32, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL, 18, NONE, NONE, NONE, CALL);
    ck_assert(calls(RPCRDMA_PROTOCOL_2_04));
    ck_assert_uint_eq(word(5), 0);
    PUT(XID, 2, 32, RPCRDMA2_04_MSG, RPCRDMA2_04_REPLY, 18, NONE, NONE, NONE, REPLY);
    ck_assert(calls(RPCRDMA_PROTOCOL_2_04));
    ck_assert_uint_eq(word(5), 18); /* of what is no Call it says something else */
}
END_TEST

/* Segments without octets have memory of ours as well, and the first that has octets its name. */
START_TEST(segments_may_have_no_octets)
{
    uint32_t handle = 0;
    PUT(XID, 1, 32, RPCRDMA1_MSG, READ(40, 17, 0, 0x10), NONE, 1, 2, SEGMENT(21, 0, 0x40),
        SEGMENT(22, _i == 0 ? 4 : 0, 0x48), NONE, NONE, CALL);
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    is_segment(6, READS, 0, 0x10000);
    is_segment(13, WRITES, 0, 0x20000);
    is_segment(17, WRITES, _i == 0 ? 4 : 0, 0x20000 + GUARD);
    ck_assert_uint_eq(peers.told_count, 0);
    ck_assert(chunks_handle(&chunks, READS, &handle));
    ck_assert_uint_eq(handle, 17);
    ck_assert(chunks_handle(&chunks, WRITES, &handle));
    ck_assert_uint_eq(handle, _i == 0 ? 22 : 21);
}
END_TEST

/* ---- what fails ---- */

/* Whose fault it is. */
START_TEST(a_call_may_fail)
{
    static const struct {
        uint32_t handle;
        unsigned refuses;
        bool too_much;
        const char *error;
    } rows[] = {{BAD, 0, false, "an RDMA Read of the caller's memory failed"},
                {19, 1, true, "no memory for the chunks of a Call"},
                {19, 2, true, "no memory for the chunks of a Call"}};
    PUT(XID, 1, 32, RPCRDMA1_MSG, READ(40, 17, 8, 0x10), READ(40, rows[_i].handle, 8, 0x10), NONE,
        1, 1, SEGMENT(21, 8, 0x40), NONE, NONE, CALL);
    peers.refuses = rows[_i].refuses;
    ck_assert(!calls(RPCRDMA_PROTOCOL_1));
    ck_assert_str_eq(chunks.error, rows[_i].error);
    ck_assert_int_eq(chunks.too_much, rows[_i].too_much);
    ck_assert_uint_eq(peers.told_count, (unsigned)_i == 1 ? 0 : _i == 0 ? 1 : 2);
}
END_TEST

/* Nothing more is written, or told, of what the caller's memory refused. */
START_TEST(an_answer_may_fail)
{
    PUT(XID, 1, 32, RPCRDMA1_MSG, NONE, 1, 2, SEGMENT(BAD, 4, 0x40), SEGMENT(22, 4, 0x48), NONE,
        NONE, CALL);
    ck_assert(calls(RPCRDMA_PROTOCOL_1));
    PUT(XID, 1, 32, RPCRDMA1_MSG, NONE, 1, 2, SEGMENT(WRITES, 4, 0x20000),
        SEGMENT(WRITES, 4, 0x20000 + 4 + GUARD), NONE, NONE, REPLY);
    ck_assert(!replies(RPCRDMA_PROTOCOL_1));
    ck_assert_str_eq(chunks.error, "an RDMA Write to the caller's memory failed");
    ck_assert(!chunks.too_much);
    ck_assert_uint_eq(peers.count, 1);
    ck_assert_uint_eq(peers.told_count, 0);
    is_segment(7, BAD, 4, 0x40);
    is_segment(11, 22, 4, 0x48);
    ck_assert_uint_eq(chunks.count, 0);
}
END_TEST

/* ---- limits ---- */

/* One Write chunk of one segment. */
static bool offer(uint32_t size)
{
    PUT(XID, 1, 32, RPCRDMA1_MSG, NONE, 1, 1, SEGMENT(21, size, 0), NONE, NONE, CALL);
    return calls(RPCRDMA_PROTOCOL_1);
}

/* An error brings no memory back: of several Calls of one XID it answers the oldest. */
START_TEST(an_error_answers_the_oldest_of_one_xid)
{
    for (uint32_t i = 1; i <= 3; i++)
        ck_assert(offer(i));
    for (unsigned left = 2; left > 0; left--) {
        PUT(XID, 1, 32, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK);
        ck_assert(replies(RPCRDMA_PROTOCOL_1));
        ck_assert_uint_eq(chunks.count, left);
        ck_assert_uint_eq(chunks.calls->pieces[0].length, 3); /* the newest is there still */
    }
}
END_TEST

/* What is between segments is memory, too: a Call that would take the last octet but for that is
 * refused, and the limit holds for those after it. */
START_TEST(what_is_between_segments_counts)
{
    while (CHUNKS_TOTAL_MAX - chunks.octets >= CHUNKS_CALL_MAX)
        ck_assert(offer(CHUNKS_CALL_MAX));
    ck_assert(!offer((uint32_t)(CHUNKS_TOTAL_MAX - chunks.octets)));
    ck_assert(chunks.too_much);
    ck_assert(!offer(CHUNKS_CALL_MAX));
    ck_assert_uint_le(chunks.octets, CHUNKS_TOTAL_MAX);
}
END_TEST

/* Of one Call, on either side, and of Calls. */
START_TEST(there_is_a_limit)
{
    static const uint64_t most = CHUNKS_CALL_MAX;
    ck_assert(offer((uint32_t)most));
    ck_assert(!offer((uint32_t)most + 1));
    ck_assert(chunks.too_much);
    PUT(XID, 1, 32, RPCRDMA1_MSG, READ(40, 17, (uint32_t)most + 1, 0), NONE, NONE, NONE, CALL);
    ck_assert(!calls(RPCRDMA_PROTOCOL_1));
    ck_assert_str_eq(chunks.error, "the chunks of Calls take more memory than there is for them");
    while (chunks.count < CHUNKS_CALLS_MAX)
        ck_assert(offer(1));
    ck_assert(!offer(1));
    ck_assert_uint_eq(chunks.count, CHUNKS_CALLS_MAX);
}
END_TEST

/* Of several Calls with one XID it is the one whose memory comes back, in whatever order. */
START_TEST(memory_tells_which_call_is_answered)
{
    for (int i = 0; i < 3; i++)
        ck_assert(offer(4));
    PUT(XID, 1, 32, RPCRDMA1_MSG, NONE, 1, 1, SEGMENT(WRITES + 0x1000, 4, 0x120000), NONE, NONE,
        REPLY);
    ck_assert(replies(RPCRDMA_PROTOCOL_1));
    ck_assert_uint_eq(chunks.count, 2);
    ck_assert_uint_eq(chunks.calls->writes.handle, WRITES + 0x2000);
    ck_assert_uint_eq(chunks.calls->next->writes.handle, WRITES);
    is_segment(7, 21, 4, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("chunks");
    tcase_set_timeout(tests, 60); /* much memory is filled */
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_call_names_memory_of_ours);
    tcase_add_test(tests, an_answer_names_the_callers_memory);
    tcase_add_loop_test(tests, one_message_is_the_answer, 0, COUNT(messages));
    tcase_add_loop_test(tests, some_have_nothing_to_move, 0, 4);
    tcase_add_loop_test(tests, a_named_handle_becomes_ours, 0, 14);
    tcase_add_test(tests, without_chunks_no_handle_is_named);
    tcase_add_loop_test(tests, segments_may_have_no_octets, 0, 2);
    tcase_add_loop_test(tests, a_call_may_fail, 0, 3);
    tcase_add_test(tests, an_answer_may_fail);
    tcase_add_test(tests, an_error_answers_the_oldest_of_one_xid);
    tcase_add_test(tests, what_is_between_segments_counts);
    tcase_add_test(tests, there_is_a_limit);
    tcase_add_test(tests, memory_tells_which_call_is_answered);
    return run_tests("chunks", tests);
}
