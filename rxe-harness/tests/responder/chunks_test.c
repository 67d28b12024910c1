// SPDX-License-Identifier: BSD-3-Clause
/* What the reference Responder makes of chunks: a Call is put together out of them, and they are
 * filled and returned with its Reply (RFC 8166 section 3.4 and 4.3). */
#include "rxe-harness/tests/support/work_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- a Call in pieces ---- */

static struct returned returned;
static struct rpcrdma1_read_segment reads[8];

static void offer(uint32_t position, uint32_t length, uint32_t at)
{
    struct rpcrdma1_read_list *list = &work.message.chunks.rdma_reads;
    reads[list->count] = (struct rpcrdma1_read_segment){
        .position = position, .target = {.handle = 7, .length = length, .offset = WORK_BASE + at}};
    list->items = reads;
    list->count++;
}

/* The payload is 'p's. */
static bool collect(size_t payload)
{
    static uint8_t octets[64];
    memset(octets, 'p', sizeof octets);
    work.payload = octets;
    work.payload_length = payload;
    memset(responder.call, 0xee, 256);
    return responder_collect(&work);
}

/* Of the Call: 'p' of the payload, '0' of padding, 'm' of the peer's work_memory from `at` on. */
static void is_collected(const char *pattern, unsigned at)
{
    ck_assert_uint_eq(work.call_length, strlen(pattern));
    for (size_t i = 0; pattern[i]; i++) {
        unsigned octet = pattern[i] == 'p' ? 'p' : pattern[i] == '0' ? 0 : work_memory[at];
        at += pattern[i] == 'm';
        ck_assert_msg(responder.call[i] == octet, "octet %zu", i);
    }
}

START_TEST(the_call_is_put_together)
{
    ck_assert(collect(12));
    is_collected("pppppppppppp", 0);
    offer(4, 3, 0);
    ck_assert(collect(12));
    is_collected("ppppmmm0pppppppp", 0);
    offer(4, 3, 3); /* a second segment of the same chunk */
    ck_assert(collect(12));
    is_collected("ppppmmmmmm00pppppppp", 0);
    offer(16, 5, 6); /* a second chunk, after all before it */
    ck_assert(collect(12));
    is_collected("ppppmmmmmm00ppppmmmmm000pppp", 0);
}
END_TEST

START_TEST(chunks_come_in_any_order)
{
    offer(12, 4, 5);
    offer(4, 5, 0);
    ck_assert(collect(8));
    is_collected("ppppmmmmm000mmmmpppp", 0);
}
END_TEST

START_TEST(chunks_may_be_first_and_last)
{
    offer(8, 4, 0);
    ck_assert(collect(8));
    is_collected("ppppppppmmmm", 0);
    work.message.chunks.rdma_reads.count = 0;
    offer(0, 4, 0); /* Position 0 of a message that is not special */
    ck_assert(collect(8));
    is_collected("mmmmpppppppp", 0);
}
END_TEST

/* The payload is too short for that Position, or another chunk covers it. */
START_TEST(positions_have_to_be_reached)
{
    offer(12, 4, 0);
    ck_assert(!collect(8));
    ck_assert(collect(12));
    offer(14, 4, 0);
    ck_assert(!collect(64));
    work.message.chunks.rdma_reads.count = 0;
    offer(UINT32_MAX - 1, 4, 0);
    ck_assert(!collect(64));
    work.message.chunks.rdma_reads.count = 0;
    offer(4, 4, 0);
    reads[0].target.handle = WORK_DENIED;
    ck_assert(!collect(64));
}
END_TEST

/* A special form: the payload is in the chunk of Position Zero. */
START_TEST(a_special_call_is_put_together)
{
    work.message.form = RPCRDMA_FORM_SPECIAL;
    work.message.protocol = RPCRDMA_PROTOCOL_1;
    offer(0, 7, 100);
    offer(0, 6, 107);
    ck_assert(collect(0));
    is_collected("mmmmmmmmmmmmm000", 100);
    /* What is there is a payload with its own chunks. */
    offer(4, 2, 0);
    ck_assert(collect(0));
    ck_assert_uint_eq(work.call_length, 20);
    ck_assert_mem_eq(responder.call, work_memory + 100, 4);
    ck_assert_mem_eq(responder.call + 4, work_memory, 2);
    ck_assert_mem_eq(responder.call + 6, "\0\0", 2);
    ck_assert_mem_eq(responder.call + 8, work_memory + 104, 9);
    ck_assert_mem_eq(responder.call + 17, "\0\0\0", 3);
    reads[1].target.handle = WORK_DENIED;
    ck_assert(!collect(0));
}
END_TEST

/* By -07 it has a list of its own. */
START_TEST(a_call_chunk_is_apart)
{
    struct rpcrdma1_read_segment segment = {
        .position = 0, .target = {.handle = 7, .length = 8, .offset = WORK_BASE + 50}};
    work.message.form = RPCRDMA_FORM_SPECIAL;
    work.message.protocol = RPCRDMA_PROTOCOL_2_07;
    work.message.call_chunk = (struct rpcrdma1_read_list){.items = &segment, .count = 1};
    ck_assert(collect(0));
    is_collected("mmmmmmmm", 50);
    offer(4, 4, 0);
    ck_assert(collect(0));
    ck_assert_uint_eq(work.call_length, 12);
    ck_assert_mem_eq(responder.call, work_memory + 50, 4);
    ck_assert_mem_eq(responder.call + 4, work_memory, 4);
    ck_assert_mem_eq(responder.call + 8, work_memory + 54, 4);
    work.message.protocol = RPCRDMA_PROTOCOL_2_04; /* there it has none */
    ck_assert(collect(0) == false);
}
END_TEST

START_TEST(no_call_is_longer_than_the_most)
{
    offer(4, RESPONDER_MESSAGE_MAX - 8, 0);
    ck_assert(collect(8));
    ck_assert_uint_eq(work.call_length, RESPONDER_MESSAGE_MAX);
    ck_assert(!collect(9));
    reads[0].target.length = RESPONDER_MESSAGE_MAX - 4;
    ck_assert(collect(4));
    reads[0].target.length = RESPONDER_MESSAGE_MAX - 5; /* with its padding */
    ck_assert(collect(4));
    ck_assert_uint_eq(work.call_length, RESPONDER_MESSAGE_MAX);
    ck_assert(!collect(5));
    reads[0].target.length = RESPONDER_MESSAGE_MAX - 3;
    ck_assert(!collect(4));
    reads[0].target.length = UINT32_MAX;
    ck_assert(!collect(4));
}
END_TEST

/* ---- the chunks of the Reply ---- */

static struct rpcrdma1_segment segments[8];
static struct rpcrdma1_write_chunk chunks[WRITE_CHUNKS_MAX + 1];

/* Segments of these lengths, beside each other, with handles from 10 on. */
static struct rpcrdma1_segment_array segments_of(const uint32_t *lengths, uint32_t count)
{
    uint64_t offset = WORK_BASE;
    for (uint32_t i = 0; i < count; offset += lengths[i++])
        segments[i] = (struct rpcrdma1_segment){10 + i, lengths[i], offset};
    return (struct rpcrdma1_segment_array){.items = segments, .count = count};
}

START_TEST(a_chunk_is_filled)
{
    static const uint32_t lengths[] = {4, 0, 3, 5};
    static const uint8_t data[] = "abcdefghijkl";
    const struct rpcrdma1_segment_array offered = segments_of(lengths, 4);
    for (uint32_t length = 0; length <= 12; length++) {
        struct rpcrdma1_segment_array filled;
        returned.segment_count = 2; /* another chunk's */
        memset(work_memory, '-', 16);
        work_writes = 0;
        ck_assert(responder_fill(&work, &returned, &offered, &filled, data, length));
        ck_assert_uint_eq(filled.count, 4);
        ck_assert_ptr_eq(filled.items, returned.segments + 2);
        ck_assert_uint_eq(returned.segment_count, 6);
        uint32_t left = length, used = 0;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t part = left < lengths[i] ? left : lengths[i];
            ck_assert_uint_eq(filled.items[i].handle, 10 + i);
            ck_assert_uint_eq(filled.items[i].offset, segments[i].offset);
            ck_assert_uint_eq(filled.items[i].length, part);
            left -= part;
            used += part > 0;
        }
        ck_assert_uint_eq(work_writes, used);
        ck_assert_mem_eq(work_memory, data, length);
        ck_assert_uint_eq(work_memory[length], '-');
    }
    struct rpcrdma1_segment_array filled;
    ck_assert(!responder_fill(&work, &returned, &offered, &filled, data, 13));
    segments[2].handle = WORK_DENIED;
    ck_assert(responder_fill(&work, &returned, &offered, &filled, data, 4));
    ck_assert(!responder_fill(&work, &returned, &offered, &filled, data, 5));
}
END_TEST

START_TEST(there_is_room_for_so_many_segments)
{
    static const uint32_t lengths[] = {4, 4};
    const struct rpcrdma1_segment_array offered = segments_of(lengths, 2);
    struct rpcrdma1_segment_array filled;
    returned.segment_count = SEGMENTS_MAX - 2;
    ck_assert(responder_fill(&work, &returned, &offered, &filled, work_memory, 0));
    ck_assert_uint_eq(returned.segment_count, SEGMENTS_MAX);
    returned.segment_count = SEGMENTS_MAX - 1;
    ck_assert(!responder_fill(&work, &returned, &offered, &filled, work_memory, 0));
}
END_TEST

/* A Reply of 28 octets with an item of this length in it, and 8 octets after its padding. */
static void reply_with(size_t item)
{
    size_t padded = (item + 3) & ~(size_t)3;
    memset(responder.reply, 'r', 28);
    memset(responder.reply + 28, 'i', item);
    memset(responder.reply + 28 + item, 0, padded - item);
    memset(responder.reply + 28 + padded, 'a', 8);
    work.item_count = 1;
    work.items[0].at = 28;
    work.items[0].length = item;
    work.reply_length = 28 + padded + 8;
    returned.write_count = returned.segment_count = 0;
    memset(work_memory, '-', 64);
}

static void is_reduced(size_t item)
{
    ck_assert_uint_eq(work.reply_length, 36);
    ck_assert_uint_eq(responder.reply[27], 'r');
    ck_assert_mem_eq(responder.reply + 28, "aaaaaaaa", 8);
    for (size_t i = 0; i < 16; i++)
        ck_assert_uint_eq(work_memory[i], i < item ? 'i' : '-');
}

static void offer_writes(uint32_t count)
{
    work.message.chunks.rdma_writes = (struct rpcrdma1_write_list){.items = chunks, .count = count};
}

START_TEST(the_first_write_chunk_takes_the_item)
{
    static const uint32_t lengths[] = {4, 8, 16};
    const struct rpcrdma1_segment_array all = segments_of(lengths, 3);
    chunks[0].target = (struct rpcrdma1_segment_array){.items = all.items, .count = 2};
    chunks[1].target = (struct rpcrdma1_segment_array){.items = all.items + 2, .count = 1};
    offer_writes(2);
    for (size_t item = 0; item <= 12; item++) {
        reply_with(item);
        ck_assert(responder_fill_writes(&work, &returned));
        is_reduced(item);
        ck_assert_uint_eq(returned.write_count, 2);
        ck_assert_uint_eq(rpcrdma1_segments_length(&returned.writes[0].target), item);
        ck_assert_uint_eq(returned.writes[1].target.count, 1);
        ck_assert_uint_eq(returned.writes[1].target.items[0].handle, 12);
        ck_assert_uint_eq(returned.writes[1].target.items[0].length, 0);
    }
    reply_with(13);
    ck_assert(!responder_fill_writes(&work, &returned));
}
END_TEST

/* Without segments it takes nothing, and neither does the second then. */
START_TEST(an_empty_write_chunk_takes_nothing)
{
    static const uint32_t lengths[] = {16};
    chunks[0].target = (struct rpcrdma1_segment_array){.count = 0};
    chunks[1].target = segments_of(lengths, 1);
    offer_writes(2);
    reply_with(5);
    ck_assert(responder_fill_writes(&work, &returned));
    ck_assert_uint_eq(work.reply_length, 28 + 8 + 8);
    ck_assert_uint_eq(work_writes, 0);
    ck_assert_uint_eq(returned.writes[1].target.count, 1);
    ck_assert_uint_eq(returned.writes[1].target.items[0].length, 0);
    offer_writes(0);
    reply_with(5);
    ck_assert(responder_fill_writes(&work, &returned));
    ck_assert_uint_eq(work.reply_length, 28 + 8 + 8);
    ck_assert_uint_eq(returned.write_count, 0);
    chunks[0].target = chunks[1].target;
    offer_writes(1);
    reply_with(5);
    work.item_count = 0;
    ck_assert(responder_fill_writes(&work, &returned));
    ck_assert_uint_eq(work.reply_length, 28 + 8 + 8);
    ck_assert_uint_eq(returned.writes[0].target.items[0].length, 0);
}
END_TEST

START_TEST(unused_write_chunks_come_back_empty_if_wanted)
{
    static const uint32_t lengths[] = {8, 8};
    const struct rpcrdma1_segment_array all = segments_of(lengths, 2);
    responder.empties_unused = true;
    chunks[0].target = (struct rpcrdma1_segment_array){.items = all.items, .count = 1};
    chunks[1].target = (struct rpcrdma1_segment_array){.items = all.items + 1, .count = 1};
    offer_writes(2);
    reply_with(5);
    ck_assert(responder_fill_writes(&work, &returned));
    ck_assert_uint_eq(returned.writes[0].target.count, 1);
    ck_assert_uint_eq(returned.writes[1].target.count, 0);
    is_reduced(5);
}
END_TEST

START_TEST(there_is_room_for_so_many_write_chunks)
{
    memset(chunks, 0, sizeof chunks);
    reply_with(0);
    work.item_count = 0;
    offer_writes(WRITE_CHUNKS_MAX);
    ck_assert(responder_fill_writes(&work, &returned));
    ck_assert_uint_eq(returned.write_count, WRITE_CHUNKS_MAX);
    returned.write_count = 0;
    offer_writes(WRITE_CHUNKS_MAX + 1);
    ck_assert(!responder_fill_writes(&work, &returned));
}
END_TEST

/* ---- the handle that a Reply may invalidate ---- */

START_TEST(the_first_handle_is_found)
{
    static const uint32_t lengths[] = {8, 8};
    const struct rpcrdma1_segment_array all = segments_of(lengths, 2);
    struct rpcrdma1_chunk_lists *lists = &work.message.chunks;
    uint32_t handle = 0;
    ck_assert(!responder_offered_handle(lists, &handle));
    lists->rdma_reply.present = true;
    ck_assert(!responder_offered_handle(lists, &handle));
    lists->rdma_reply.value.target =
        (struct rpcrdma1_segment_array){.items = all.items + 1, .count = 1};
    ck_assert(responder_offered_handle(lists, &handle));
    ck_assert_uint_eq(handle, 11);
    memset(chunks, 0, sizeof chunks);
    offer_writes(2);
    ck_assert(responder_offered_handle(lists, &handle));
    ck_assert_uint_eq(handle, 11);
    chunks[1].target = (struct rpcrdma1_segment_array){.items = all.items, .count = 1};
    ck_assert(responder_offered_handle(lists, &handle));
    ck_assert_uint_eq(handle, 10);
    offer(4, 4, 0);
    ck_assert(responder_offered_handle(lists, &handle));
    ck_assert_uint_eq(handle, 7);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("chunks of the Responder");
    tcase_add_checked_fixture(tests, work_stage_setup, work_stage_teardown);
    tcase_add_test(tests, the_call_is_put_together);
    tcase_add_test(tests, chunks_come_in_any_order);
    tcase_add_test(tests, chunks_may_be_first_and_last);
    tcase_add_test(tests, positions_have_to_be_reached);
    tcase_add_test(tests, a_special_call_is_put_together);
    tcase_add_test(tests, a_call_chunk_is_apart);
    tcase_add_test(tests, no_call_is_longer_than_the_most);
    tcase_add_test(tests, a_chunk_is_filled);
    tcase_add_test(tests, there_is_room_for_so_many_segments);
    tcase_add_test(tests, the_first_write_chunk_takes_the_item);
    tcase_add_test(tests, an_empty_write_chunk_takes_nothing);
    tcase_add_test(tests, unused_write_chunks_come_back_empty_if_wanted);
    tcase_add_test(tests, there_is_room_for_so_many_write_chunks);
    tcase_add_test(tests, the_first_handle_is_found);
    return run_tests("chunks of the Responder", tests);
}
