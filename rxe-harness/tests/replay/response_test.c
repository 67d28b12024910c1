// SPDX-License-Identifier: BSD-3-Clause
/* What a replay reads in an answer, says of it, and compares: answers written by hand. */
#include "rxe-harness/replay/response.h"
#include "rxe-harness/requester/nfs4_calls.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define XID 0x01020304u

/* ---- an answer ---- */

static uint8_t octets[4096];
static size_t length;
static struct rpcrdma1_header header;
static struct rpcrdma1_segment segments[ANSWER_SEGMENTS + 2];
static struct rpcrdma1_write_chunk chunks[REQUESTER_CHUNKS + 1];
static struct answer answer, other;
static unsigned fetches;

static void begin(enum rpcrdma1_proc procedure)
{
    header = (struct rpcrdma1_header){
        .rdma_xid = XID, .rdma_vers = 1, .rdma_credit = 1, .rdma_body.proc = procedure};
}

/* A Write chunk with segments of these lengths; they are those from `first` on. */
static void write_chunk(uint32_t first, const uint32_t *lengths, uint32_t count)
{
    struct rpcrdma1_write_list *writes = &header.rdma_body.rdma_msg.rdma_writes;
    for (uint32_t i = 0; i < count; i++)
        segments[first + i] =
            (struct rpcrdma1_segment){100 + first + i, lengths[i], 0x1000 * (first + i)};
    chunks[writes->count++].target =
        (struct rpcrdma1_segment_array){.items = segments + first, .count = count};
    writes->items = chunks;
}

static void reply_chunk(uint32_t first, const uint32_t *lengths, uint32_t count)
{
    struct rpcrdma1_write_chunk_opt *chunk = &header.rdma_body.rdma_msg.rdma_reply;
    for (uint32_t i = 0; i < count; i++)
        segments[first + i] =
            (struct rpcrdma1_segment){100 + first + i, lengths[i], 0x1000 * (first + i)};
    chunk->present = true;
    chunk->value.target =
        (struct rpcrdma1_segment_array){.items = segments + first, .count = count};
}

static void end(const uint32_t *words, size_t count)
{
    ptrdiff_t at = rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    ck_assert_int_gt(at, 0);
    length = (size_t)at;
    for (size_t i = 0; i < count; i++, length += 4)
        rpcrdma_xdr_store32(octets + length, words[i]);
}
#define END(...)                                                                                   \
    end((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define ACCEPTED(status) XID, 1, 0, 0, 0, status
#define DENIED(status) XID, 1, 1, status

/* The peer's memory: a Reply as words, from the first segment on. */
static uint8_t far[64];
static size_t fetched;
static bool is_unknown;

static bool fetch(void *arg, uint32_t handle, uint64_t offset, uint8_t *into, size_t count)
{
    ck_assert_ptr_eq(arg, &fetches);
    ck_assert_uint_eq(offset, 0x1000 * (uint64_t)(handle - 100));
    fetches++;
    if (is_unknown)
        return false;
    ck_assert_uint_le(fetched + count, sizeof far);
    memcpy(into, far + fetched, count);
    fetched += count;
    return true;
}

static const struct answer_call test_call = {true, 0x20008167, 1, 1};
static const struct answer_call nfs_call = {true, NFS_PROGRAM, 3, 1};

static void read_answer(const struct answer_call *call)
{
    const struct link_event event = {.type = LINK_RECEIVED, .octets = octets, .length = length};
    fetched = fetches = 0;
    answer_free(&answer);
    answer_read(&answer, &event, call, fetch, &fetches);
}

static void says(const char *expected)
{
    char text[400];
    answer_print(&answer, text, sizeof text);
    ck_assert_str_eq(text, expected);
}

static void setup(void)
{
    answer = other = (struct answer){.length = 0};
    is_unknown = false;
}

static void teardown(void)
{
    answer_free(&answer);
    answer_free(&other);
}

/* ---- what is read ---- */

START_TEST(replies_are_read)
{
    begin(RPCRDMA1_MSG);
    END(ACCEPTED(0), 1, 2, 3);
    read_answer(&test_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_PROCESS);
    ck_assert(answer.accepted && !answer.is_long && !answer.has_status && !answer.has_reply_chunk);
    ck_assert_uint_eq(answer.results, 12);
    ck_assert_uint_eq(answer.length, 28 + 24 + 12);
    ck_assert_uint_eq(answer.chunks, 0);
    ck_assert_uint_eq(answer.segment_count, 0);
    says("a Reply, accept_stat 0, 12 octets of results, Send of 64");
    END(ACCEPTED(3));
    read_answer(&test_call);
    ck_assert_uint_eq(answer.stat, 3);
    says("a Reply, accept_stat 3, 0 octets of results, Send of 52");
    END(ACCEPTED(4));
    read_answer(&test_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_GARBAGE_ARGS);
    says("a Reply, accept_stat 4, 0 octets of results, Send of 52");
    END(DENIED(1), 5);
    read_answer(&test_call);
    ck_assert(!answer.accepted);
    says("a Reply, reject_stat 1, 0 octets of results, Send of 48");
}
END_TEST

/* Of NFS, of every procedure but NULL, where the Call was accepted. */
START_TEST(results_of_nfs_begin_with_a_status)
{
    struct answer_call call = nfs_call;
    begin(RPCRDMA1_MSG);
    END(ACCEPTED(0), 70, 2);
    read_answer(&call);
    ck_assert(answer.has_status);
    ck_assert_uint_eq(answer.status, 70);
    says("a Reply, accept_stat 0, NFS status 70, 8 octets of results, Send of 60");
    END(ACCEPTED(0), 70);
    read_answer(&call);
    ck_assert(answer.has_status);
    END(ACCEPTED(0));
    read_answer(&call);
    ck_assert(!answer.has_status);
    END(ACCEPTED(2), 3, 3);
    read_answer(&call);
    ck_assert(!answer.has_status);
    END(ACCEPTED(4), 3, 3);
    read_answer(&call);
    ck_assert(!answer.has_status);
    END(DENIED(0), 2, 2, 7, 7);
    read_answer(&call);
    ck_assert(!answer.has_status);
    END(ACCEPTED(0), 70, 2);
    call.procedure = 0;
    read_answer(&call);
    ck_assert(!answer.has_status);
    call = nfs_call;
    call.known = false;
    read_answer(&call);
    ck_assert(!answer.has_status);
}
END_TEST

/* The results are those inline, and those in Write chunks with their padding. */
START_TEST(write_chunks_are_read)
{
    begin(RPCRDMA1_MSG);
    write_chunk(0, (const uint32_t[]){8, 5}, 2);
    write_chunk(2, (const uint32_t[]){0}, 1);
    write_chunk(3, (const uint32_t[]){4}, 1);
    reply_chunk(4, (const uint32_t[]){0, 0}, 2);
    END(ACCEPTED(0), 1, 2, 3);
    read_answer(&test_call);
    ck_assert_uint_eq(answer.results, 12 + 16 + 0 + 4);
    ck_assert_uint_eq(answer.chunks, 3);
    ck_assert_uint_eq(answer.chunk_lengths[0], 13);
    ck_assert_uint_eq(answer.chunk_lengths[1], 0);
    ck_assert_uint_eq(answer.chunk_lengths[2], 4);
    ck_assert_uint_eq(answer.segment_count, 6);
    ck_assert(answer.has_reply_chunk);
    ck_assert_uint_eq(fetches, 0); /* nothing is in it */
    says("a Reply, accept_stat 0, 32 octets of results, Send of 188, Write chunk 1 of 13, "
         "Write chunk 2 of 0, Write chunk 3 of 4, Reply chunk unused, segments 8+5+0+4+0+0");
}
END_TEST

/* More than there is room for: they are counted. */
START_TEST(many_chunks_and_segments_are_counted)
{
    uint32_t lengths[ANSWER_SEGMENTS + 1];
    for (uint32_t i = 0; i < COUNT(lengths); i++)
        lengths[i] = i + 1;
    begin(RPCRDMA1_MSG);
    write_chunk(0, lengths, ANSWER_SEGMENTS + 1);
    END(ACCEPTED(0));
    read_answer(&test_call);
    ck_assert_uint_eq(answer.segment_count, ANSWER_SEGMENTS + 1);
    for (uint32_t i = 0; i < ANSWER_SEGMENTS; i++)
        ck_assert_uint_eq(answer.segments[i], i + 1);
    ck_assert_uint_eq(answer.chunk_lengths[0], 65 * 66 / 2);
    begin(RPCRDMA1_MSG);
    for (uint32_t i = 0; i <= REQUESTER_CHUNKS; i++)
        write_chunk(i, (const uint32_t[]){4 * i + 4}, 1);
    END(ACCEPTED(0));
    read_answer(&test_call);
    ck_assert_uint_eq(answer.chunks, REQUESTER_CHUNKS + 1);
    ck_assert_uint_eq(answer.chunk_lengths[REQUESTER_CHUNKS - 1], 4 * REQUESTER_CHUNKS);
    ck_assert_uint_eq(answer.results, 4 * 36); /* of those that are kept */
    char text[400];
    answer_print(&answer, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "Write chunk 8 of 32,"));
    ck_assert_ptr_null(strstr(text, "Write chunk 9"));
}
END_TEST

static void make_far(void)
{
    static const uint32_t words[] = {ACCEPTED(0), 9, 9, 9, 9, 9, 9};
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(far + 4 * i, words[i]);
}

START_TEST(a_long_reply_is_fetched)
{
    make_far();
    begin(RPCRDMA1_NOMSG);
    reply_chunk(0, (const uint32_t[]){10, 0, 30}, 3);
    END(0);
    length -= 4;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_PROCESS);
    ck_assert(answer.is_long && answer.has_reply_chunk && answer.has_status);
    ck_assert_uint_eq(answer.status, 9);
    ck_assert_uint_eq(answer.results, 16);
    ck_assert_uint_eq(answer.segment_count, 3);
    ck_assert_uint_eq(fetches, 3);
    says("a Long Reply, accept_stat 0, NFS status 9, 16 octets of results, Send of 80, "
         "segments 10+0+30");
    /* A Write chunk before it is not of it. */
    write_chunk(3, (const uint32_t[]){8}, 1);
    END(0);
    length -= 4;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_PROCESS);
    ck_assert_uint_eq(answer.results, 16 + 8);
    ck_assert_uint_eq(answer.segments[0], 8);
    ck_assert_uint_eq(fetches, 3);
}
END_TEST

/* Unknown memory, or too much of it. */
START_TEST(a_long_reply_may_be_unknown)
{
    make_far();
    begin(RPCRDMA1_NOMSG);
    reply_chunk(0, (const uint32_t[]){10, 30}, 2);
    END(0);
    length -= 4;
    is_unknown = true;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, 0);
    ck_assert(answer.is_long);
    ck_assert_uint_eq(fetches, 1); /* it is not asked for more */
    says("64 octets that are no Reply");
    is_unknown = false;
    begin(RPCRDMA1_NOMSG);
    reply_chunk(0, (const uint32_t[]){10, ANSWER_LONG_MAX - 9}, 2);
    END(0);
    length -= 4;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, 0);
    ck_assert_uint_eq(fetches, 1);
}
END_TEST

START_TEST(errors_and_others_are_read)
{
    begin(RPCRDMA1_ERROR);
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    END(0);
    length -= 4;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_ERR_CHUNK);
    says("err-chunk");
    header.rdma_vers = 7;
    header.rdma_body.rdma_error = (struct rpcrdma1_error){.err = RPCRDMA1_ERR_VERS};
    header.rdma_body.rdma_error.range.rdma_vers_low = 2;
    header.rdma_body.rdma_error.range.rdma_vers_high = 5;
    END(0);
    length -= 4;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, RPCRDMA_ERR_VERS);
    says("err-vers of version 7, for versions 2 to 5");
    length = 5;
    read_answer(&nfs_call);
    ck_assert_uint_eq(answer.outcome, 0);
    says("5 octets that are no Reply");
    length = 0;
    read_answer(&nfs_call);
    says("0 octets that are no Reply");
    answer.outcome = RPCRDMA_DISCARD;
    says("silence");
    answer.outcome = RPCRDMA_CLOSE;
    says("the end of the connection");
}
END_TEST

/* What does not fit is cut off. */
START_TEST(words_fit)
{
    begin(RPCRDMA1_MSG);
    write_chunk(0, (const uint32_t[]){8, 5}, 2);
    reply_chunk(2, (const uint32_t[]){0}, 1);
    END(ACCEPTED(0), 7);
    read_answer(&nfs_call);
    char whole[400], part[400];
    answer_print(&answer, whole, sizeof whole);
    for (size_t size = 1; size <= strlen(whole) + 1; size++) {
        memset(part, 'x', sizeof part);
        answer_print(&answer, part, size);
        ck_assert_uint_eq(strlen(part), size - 1);
        ck_assert_mem_eq(part, whole, size - 1);
        ck_assert_int_eq(part[size], 'x');
    }
}
END_TEST

/* ---- what differs ---- */

/* A Reply with something of everything. */
static struct answer sample(void)
{
    return (struct answer){.outcome = RPCRDMA_PROCESS,
                           .accepted = true,
                           .has_status = true,
                           .length = 100,
                           .results = 50,
                           .chunks = 2,
                           .has_reply_chunk = true,
                           .chunk_lengths = {8, 4},
                           .segment_count = 3,
                           .segments = {4, 4, 4}};
}

static void compares(enum answer_layer layer)
{
    ck_assert_int_eq(answer_compare(&answer, &other), layer);
    ck_assert_int_eq(answer_compare(&other, &answer), layer);
}

/* Each change is of a layer before those that were changed already. */
START_TEST(the_first_difference_counts)
{
    answer = other = sample();
    compares(ANSWER_SAME);
    other.length++;
    compares(ANSWER_SEND);
    other.segments[2] = 5;
    compares(ANSWER_SEGMENTS_RETURNED);
    other.is_long = true;
    compares(ANSWER_PLACE);
    other.chunk_lengths[1] = 5;
    compares(ANSWER_CHUNKS);
    other.results--;
    compares(ANSWER_RESULTS);
    other.status = 1;
    compares(ANSWER_STATUS);
    other.stat = 1;
    compares(ANSWER_RPC);
    other.outcome = RPCRDMA_DISCARD;
    compares(ANSWER_REACTION);
}
END_TEST

START_TEST(each_part_counts)
{
    answer = other = sample();
    other.has_status = false;
    compares(ANSWER_STATUS);
    other = sample();
    other.accepted = false;
    compares(ANSWER_RPC);
    other = sample();
    other.chunk_lengths[REQUESTER_CHUNKS - 1] = 1;
    compares(ANSWER_CHUNKS);
    other = sample();
    other.chunks++; /* an empty one */
    compares(ANSWER_SEGMENTS_RETURNED);
    other = sample();
    other.has_reply_chunk = false;
    compares(ANSWER_SEGMENTS_RETURNED);
    other = sample();
    other.segment_count++;
    compares(ANSWER_SEGMENTS_RETURNED);
    other = sample();
    other.segments[3] = 9; /* not one of them */
    compares(ANSWER_SAME);
    /* Arguments that are garbage are answered by a Reply as well. */
    other = sample();
    other.outcome = RPCRDMA_GARBAGE_ARGS;
    compares(ANSWER_SAME);
    other.stat = 4;
    compares(ANSWER_RPC);
}
END_TEST

/* Of many segments those that are kept are compared. */
START_TEST(the_last_segment_that_is_kept_counts)
{
    answer = other = sample();
    answer.segment_count = other.segment_count = ANSWER_SEGMENTS + 5;
    compares(ANSWER_SAME);
    other.segments[ANSWER_SEGMENTS - 1] = 1;
    compares(ANSWER_SEGMENTS_RETURNED);
}
END_TEST

START_TEST(what_is_no_reply_differs_by_what_it_says)
{
    answer = other = (struct answer){.outcome = RPCRDMA_ERR_VERS, .vers = 1, .low = 1, .high = 2};
    compares(ANSWER_SAME);
    other.length = 9; /* of an error it says nothing */
    compares(ANSWER_SAME);
    other.vers = 2;
    compares(ANSWER_REACTION);
    other = answer;
    other.low = 0;
    compares(ANSWER_REACTION);
    other = answer;
    other.high = 3;
    compares(ANSWER_REACTION);
    other = answer;
    other.outcome = RPCRDMA_ERR_CHUNK;
    compares(ANSWER_REACTION);
    answer = other = (struct answer){.outcome = 0, .length = 5};
    compares(ANSWER_SAME);
    other.length = 6;
    compares(ANSWER_REACTION);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("response");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, replies_are_read);
    tcase_add_test(tests, results_of_nfs_begin_with_a_status);
    tcase_add_test(tests, write_chunks_are_read);
    tcase_add_test(tests, many_chunks_and_segments_are_counted);
    tcase_add_test(tests, a_long_reply_is_fetched);
    tcase_add_test(tests, a_long_reply_may_be_unknown);
    tcase_add_test(tests, errors_and_others_are_read);
    tcase_add_test(tests, words_fit);
    tcase_add_test(tests, the_first_difference_counts);
    tcase_add_test(tests, each_part_counts);
    tcase_add_test(tests, the_last_segment_that_is_kept_counts);
    tcase_add_test(tests, what_is_no_reply_differs_by_what_it_says);
    return run_tests("response", tests);
}
