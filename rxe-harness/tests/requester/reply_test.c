// SPDX-License-Identifier: BSD-3-Clause
/* What a message means to the reference Requester: messages of both versions, read without a
 * connection. */
#include "rxe-harness/requester/caller.h"
#include "rxe-harness/session/session.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XID 0x01020304u
#define ROOM 40 /* octets of the Reply chunk */

static uint8_t octets[1024], chunk[ROOM], item[64];
static size_t length;
static struct rpcrdma1_header header;
static struct rpcrdma1_segment segments[16];
static struct rpcrdma1_write_chunk writes[REQUESTER_CHUNKS + 1];
static struct requester_pending pending;
static struct requester_reply reply;

static void setup(void)
{
    pending = (struct requester_pending){
        .xid = XID, .reply = chunk, .reply_room = ROOM, .item = item, .item_room = 8};
    for (uint32_t i = 0; i < 2; i++)
        pending.memory.pieces[i] =
            (struct link_memory){.length = 8, .handle = 100 + i, .offset = 0x1000 * i};
    pending.memory.count = 2;
}

static size_t put_words(uint8_t *into, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(into + 4 * i, words[i]);
    return 4 * count;
}
#define PUT(into, ...)                                                                             \
    put_words(into, (const uint32_t[]){__VA_ARGS__},                                               \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* ---- version 1 ---- */

static void begin(enum rpcrdma1_proc procedure)
{
    header = (struct rpcrdma1_header){
        .rdma_xid = XID, .rdma_vers = 1, .rdma_credit = 1, .rdma_body.proc = procedure};
}

static void read1(const uint32_t *words, size_t count, const struct requester_pending *of)
{
    ptrdiff_t end = rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    ck_assert_int_gt(end, 0);
    length = (size_t)end + put_words(octets + end, words, count);
    const struct link_event event = {.type = LINK_RECEIVED, .octets = octets, .length = length};
    requester_read_reply(&event, of, &reply);
    ck_assert_uint_eq(reply.xid, XID);
}
#define READ1(...)                                                                                 \
    read1((const uint32_t[]){__VA_ARGS__},                                                         \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), &pending)
#define ACCEPTED(status) XID, 1, 0, 0, 0, status

static void is_reply(unsigned outcome, bool accepted, uint32_t stat, const char *text)
{
    ck_assert_uint_eq(reply.outcome, outcome);
    ck_assert_int_eq(reply.accepted, accepted);
    ck_assert_uint_eq(reply.stat, stat);
    ck_assert_str_eq(reply.text, text);
}

START_TEST(replies_are_read)
{
    begin(RPCRDMA1_MSG);
    READ1(ACCEPTED(0), 8, 9);
    is_reply(RPCRDMA_PROCESS, true, 0, "a Reply, accept_stat 0");
    ck_assert_uint_eq(reply.results_length, 8);
    ck_assert_ptr_eq(reply.results, octets + length - 8);
    ck_assert(!reply.is_long && !reply.in_chunk);
    READ1(ACCEPTED(3));
    is_reply(RPCRDMA_PROCESS, true, 3, "a Reply, accept_stat 3");
    ck_assert_uint_eq(reply.results_length, 0);
    READ1(ACCEPTED(4));
    is_reply(RPCRDMA_GARBAGE_ARGS, true, 4, "a Reply, accept_stat 4");
    READ1(ACCEPTED(2), 1, 5);
    is_reply(RPCRDMA_PROCESS, true, 2, "a Reply, accept_stat 2");
    READ1(XID, 1, 1, 1, 7);
    is_reply(RPCRDMA_PROCESS, false, 1, "a Reply, reject_stat 1");
    READ1(XID, 1, 1, 0, 2, 2);
    is_reply(RPCRDMA_PROCESS, false, 0, "a Reply, reject_stat 0");
    /* No Reply: a Call, half of one, nothing. */
    READ1(XID, 0, 2, 1, 1, 0, 0, 0, 0, 0);
    is_reply(0, false, 0, "a message that holds no RPC Reply");
    READ1(XID, 1, 0, 0, 0);
    is_reply(0, false, 0, "a message that holds no RPC Reply");
    read1(NULL, 0, &pending);
    is_reply(0, false, 0, "a message that holds no RPC Reply");
}
END_TEST

START_TEST(errors_are_read)
{
    begin(RPCRDMA1_ERROR);
    header.rdma_vers = 3;
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_VERS;
    header.rdma_body.rdma_error.range.rdma_vers_low = 1;
    header.rdma_body.rdma_error.range.rdma_vers_high = 2;
    read1(NULL, 0, &pending);
    is_reply(RPCRDMA_ERR_VERS, false, 0, "err-vers, versions 1 to 2");
    ck_assert_uint_eq(reply.vers, 3);
    ck_assert_uint_eq(reply.low, 1);
    ck_assert_uint_eq(reply.high, 2);
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    read1(NULL, 0, NULL);
    is_reply(RPCRDMA_ERR_CHUNK, false, 0, "err-chunk");
}
END_TEST

START_TEST(other_octets_are_read)
{
    PUT(octets, XID, 1, 32, 3); /* RDMA_DONE */
    struct link_event event = {.type = LINK_RECEIVED, .octets = octets, .length = 16};
    requester_read_reply(&event, NULL, &reply);
    is_reply(0, false, 0, "a message of procedure 3");
    for (event.length = 0; event.length < 16; event.length++) {
        char text[64];
        requester_read_reply(&event, NULL, &reply);
        snprintf(text, sizeof text, "%zu octets that are no header", event.length);
        is_reply(0, false, 0, text);
        ck_assert_uint_eq(reply.xid, event.length < 4 ? 0 : XID);
    }
}
END_TEST

static void write_chunk(uint32_t at, uint32_t count, const uint32_t *lengths)
{
    struct rpcrdma1_write_list *list = &header.rdma_body.rdma_msg.rdma_writes;
    for (uint32_t i = 0; i < count; i++)
        segments[at + i] =
            (struct rpcrdma1_segment){100 + at + i, lengths[i], 0x1000 * (uint64_t)(at + i)};
    writes[list->count++].target =
        (struct rpcrdma1_segment_array){.items = segments + at, .count = count};
    list->items = writes;
}

START_TEST(write_chunks_are_counted)
{
    begin(RPCRDMA1_MSG);
    write_chunk(0, 2, (const uint32_t[]){8, 5});
    READ1(ACCEPTED(0));
    ck_assert_uint_eq(reply.chunks, 1);
    ck_assert_uint_eq(reply.item_length, 13);
    ck_assert(reply.in_chunk);
    begin(RPCRDMA1_MSG);
    write_chunk(0, 1, (const uint32_t[]){0});
    for (uint32_t i = 1; i <= REQUESTER_CHUNKS; i++)
        write_chunk(i, 1, &i);
    READ1(ACCEPTED(0));
    ck_assert_uint_eq(reply.chunks, REQUESTER_CHUNKS + 1);
    ck_assert_uint_eq(reply.item_length, 0);
    ck_assert(!reply.in_chunk);
    for (uint32_t i = 0; i < REQUESTER_CHUNKS; i++)
        ck_assert_uint_eq(reply.chunk_lengths[i], i);
}
END_TEST

static void reply_chunk(uint32_t count, const uint32_t *lengths)
{
    struct rpcrdma1_write_chunk_opt *offered = &header.rdma_body.rdma_msg.rdma_reply;
    for (uint32_t i = 0; i < count; i++)
        segments[8 + i] = (struct rpcrdma1_segment){100, lengths[i], 0};
    offered->present = true;
    offered->value.target = (struct rpcrdma1_segment_array){.items = segments + 8, .count = count};
}

START_TEST(long_replies_are_read)
{
    memset(chunk, 0, sizeof chunk);
    PUT(chunk, ACCEPTED(0), 5, 6, 7, 8);
    begin(RPCRDMA1_NOMSG);
    reply_chunk(2, (const uint32_t[]){24, 16});
    read1(NULL, 0, &pending);
    is_reply(RPCRDMA_PROCESS, true, 0, "a Reply, accept_stat 0");
    ck_assert(reply.is_long);
    ck_assert_uint_eq(reply.results_length, 16);
    ck_assert_ptr_eq(reply.results, chunk + 24);
    reply_chunk(1, (const uint32_t[]){24}); /* so much of it was used */
    read1(NULL, 0, &pending);
    ck_assert_uint_eq(reply.results_length, 0);
    reply_chunk(2, (const uint32_t[]){24, 17});
    read1(NULL, 0, &pending);
    is_reply(0, false, 0, "a Long Reply of 41 octets where 40 fit");
    ck_assert(reply.is_long);
    reply_chunk(1, (const uint32_t[]){0});
    read1(NULL, 0, &pending);
    is_reply(0, false, 0, "a Long Reply of 0 octets where 40 fit");
    reply_chunk(1, (const uint32_t[]){24});
    read1(NULL, 0, NULL);
    is_reply(0, false, 0, "a Long Reply of 24 octets where 0 fit");
    header.rdma_body.rdma_msg.rdma_reply.present = false;
    write_chunk(0, 1, (const uint32_t[]){8});
    read1(NULL, 0, &pending);
    is_reply(0, false, 0, "a Long Reply of 0 octets where 40 fit");
    ck_assert_uint_eq(reply.item_length, 8);
}
END_TEST

START_TEST(nothing_is_read)
{
    struct link link = {.why = "it is gone"};
    const struct requester requester = {.link = &link};
    requester_read_nothing(&requester, false, &reply);
    is_reply(RPCRDMA_DISCARD, false, 0, "silence");
    requester_read_nothing(&requester, true, &reply);
    is_reply(RPCRDMA_CLOSE, false, 0, "the end of the connection: it is gone");
}
END_TEST

/* ---- version 2 ---- */

static struct session_event came;

static void begin2(enum session_event_type type)
{
    header = (struct rpcrdma1_header){.rdma_xid = 0};
    came = (struct session_event){.type = type, .payload = octets};
    came.message.prefix.xid = XID;
    came.message.prefix.version = 2;
    came.message.protocol = RPCRDMA_PROTOCOL_2_07;
}

static void read2(void)
{
    came.message.chunks.rdma_writes = header.rdma_body.rdma_msg.rdma_writes;
    came.message.chunks.rdma_reply = header.rdma_body.rdma_msg.rdma_reply;
    requester_read_event(&came, &pending, &reply);
    ck_assert_uint_eq(reply.xid, XID);
}

START_TEST(replies_of_version_2_are_read)
{
    begin2(SESSION_REPLY);
    came.length = PUT(octets, ACCEPTED(0), 8);
    read2();
    is_reply(RPCRDMA_PROCESS, true, 0, "a Reply, accept_stat 0");
    ck_assert_uint_eq(reply.results_length, 4);
    write_chunk(0, 2, (const uint32_t[]){4, 3});
    read2();
    ck_assert_uint_eq(reply.item_length, 7);
    came.message.form = RPCRDMA_FORM_SPECIAL;
    memset(chunk, 0, sizeof chunk);
    PUT(chunk, ACCEPTED(1));
    reply_chunk(1, (const uint32_t[]){8}); /* of 24 octets of an RPC header */
    read2();
    is_reply(0, false, 0, "a message that holds no RPC Reply");
    pending.memory.pieces[0].length = 24;
    reply_chunk(1, (const uint32_t[]){24});
    read2();
    is_reply(RPCRDMA_PROCESS, true, 1, "a Reply, accept_stat 1");
}
END_TEST

/* Memory that is not this Call's, or more of it than was offered. */
START_TEST(memory_has_to_be_the_calls)
{
    static const struct {
        uint32_t handle, length;
        uint64_t offset;
        bool good;
    } rows[] = {{100, 8, 0, true},  {100, 9, 0, false},      {100, 0, 0, true},
                {101, 8, 0, false}, {101, 8, 0x1000, true},  {101, 0, 0x1000, true},
                {102, 8, 0, false}, {100, 8, 0x1000, false}, {102, 0, 0x2000, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int in_reply = 0; in_reply < 2; in_reply++) {
            begin2(SESSION_REPLY);
            came.length = PUT(octets, ACCEPTED(0));
            if (in_reply)
                reply_chunk(1, &rows[i].length);
            else
                write_chunk(0, 1, &rows[i].length);
            segments[in_reply ? 8 : 0] =
                (struct rpcrdma1_segment){rows[i].handle, rows[i].length, rows[i].offset};
            read2();
            if (rows[i].good)
                is_reply(RPCRDMA_PROCESS, true, 0, "a Reply, accept_stat 0");
            else
                is_reply(0, false, 0, "a Reply in memory that its Call did not offer");
        }
    }
    /* Both pieces are offered, but not in one chunk of this many octets. */
    begin2(SESSION_REPLY);
    came.length = PUT(octets, ACCEPTED(0));
    write_chunk(0, 2, (const uint32_t[]){8, 1});
    read2();
    is_reply(0, false, 0, "a Reply in memory that its Call did not offer");
    pending.item_room = 9;
    read2();
    is_reply(RPCRDMA_PROCESS, true, 0, "a Reply, accept_stat 0");
    write_chunk(2, 1, (const uint32_t[]){1}); /* a second chunk: not of its memory */
    read2();
    is_reply(0, false, 0, "a Reply in memory that its Call did not offer");
}
END_TEST

START_TEST(errors_of_version_2_are_read)
{
    begin2(SESSION_ERROR);
    came.message.error.code = RPCRDMA2_07_ERR_WRITE_RESOURCE;
    came.message.error.values = 2;
    came.message.error.value[0] = 1;
    came.message.error.value[1] = 777;
    read2();
    ck_assert_uint_eq(reply.outcome, RPCRDMA_ERR_WRITE_RESOURCE);
    ck_assert_uint_eq(reply.code, RPCRDMA2_07_ERR_WRITE_RESOURCE);
    ck_assert_uint_eq(reply.vers, 2);
    ck_assert_uint_eq(reply.value[0], 1);
    ck_assert_uint_eq(reply.value[1], 777);
    ck_assert_uint_eq(reply.low, 1);
    ck_assert_uint_eq(reply.high, 777);
    came.message.error.values = 1;
    read2();
    ck_assert_uint_eq(reply.value[0], 1);
    ck_assert_uint_eq(reply.value[1], 0);
    came.message.error.values = 0;
    read2();
    ck_assert_uint_eq(reply.value[0], 0);
    begin2(SESSION_REFUSED);
    came.message.error.code = 99;
    read2();
    ck_assert_str_eq(reply.text, "RDMA2_ERROR code (99), 0 and 0");
    came.message.error.code = RPCRDMA2_07_ERR_BAD_XDR;
    read2();
    char text[64];
    snprintf(text, sizeof text, "RDMA2_ERROR %s (2), 0 and 0",
             rpcrdma_error_name(RPCRDMA_PROTOCOL_2_07, 2));
    ck_assert_str_eq(reply.text, text);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("reply");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, replies_are_read);
    tcase_add_test(tests, errors_are_read);
    tcase_add_test(tests, other_octets_are_read);
    tcase_add_test(tests, write_chunks_are_counted);
    tcase_add_test(tests, long_replies_are_read);
    tcase_add_test(tests, nothing_is_read);
    tcase_add_test(tests, replies_of_version_2_are_read);
    tcase_add_test(tests, memory_has_to_be_the_calls);
    tcase_add_test(tests, errors_of_version_2_are_read);
    return run_tests("reply", tests);
}
