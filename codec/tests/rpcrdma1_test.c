// SPDX-License-Identifier: BSD-3-Clause
/* The version 1 codec on octets laid down by hand: RFC 8166 section 4.7, and what is no header. */
#include "codec/tests/support/run_suite.h"

#include <rpcrdma/rpcrdma.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- laying down words ---- */

struct wire {
    uint8_t *octets;
    size_t length, room;
};

static void put(struct wire *w, uint32_t word)
{
    if (w->length + 4 > w->room) {
        w->room = w->room ? 2 * w->room : 256;
        w->octets = realloc(w->octets, w->room);
        ck_assert_ptr_nonnull(w->octets);
    }
    rpcrdma_xdr_store32(w->octets + w->length, word);
    w->length += 4;
}

static struct wire words(const uint32_t *word, size_t count)
{
    struct wire w = {0};
    for (size_t i = 0; i < count; i++)
        put(&w, word[i]);
    return w;
}
#define WORDS(...)                                                                                 \
    words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Fixed words, then H L O O, and P H L O O as section 4.7 writes segments. */
#define FIXED(proc) 0x11223344, 1, 32, proc
#define HLOO 0xa1, 0x1000, 0x1, 0x2
#define PHLOO 40, HLOO

/* Decode a copy of just these octets, so that a sanitizer sees any look beyond them. */
static ptrdiff_t decode(const struct wire *w, size_t length, struct rpcrdma1_header *header,
                        struct rpcrdma_xdr_error *error)
{
    uint8_t *copy = malloc(length ? length : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, w->octets, length);
    ptrdiff_t n = rpcrdma1_header_decode(header, copy, length, NULL, error);
    if (n >= 0) {
        uint8_t again[8192];
        ck_assert_int_eq(rpcrdma1_header_encode(again, sizeof again, header, NULL), n);
        ck_assert_mem_eq(again, copy, (size_t)n);
    }
    free(copy);
    return n;
}

/* It takes just its own octets, alone, with a payload after it, and nothing shorter will do. */
static void check_good(struct wire w, size_t octets)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    ck_assert_uint_eq(w.length, octets);
    ck_assert_int_eq(decode(&w, octets, &header, NULL), (ptrdiff_t)octets);
    ck_assert_int_eq(rpcrdma1_header_decode_complete(&header, w.octets, octets, NULL, NULL),
                     (ptrdiff_t)octets);
    put(&w, 0xffffffff);
    ck_assert_int_eq(decode(&w, octets + 4, &header, NULL), (ptrdiff_t)octets);
    ck_assert_int_eq(rpcrdma1_header_decode_complete(&header, w.octets, octets + 4, NULL, &error),
                     RPCRDMA_XDR_E_TRAILING);
    ck_assert_uint_eq(error.offset, octets);
    for (size_t cut = 0; cut < octets; cut++) {
        ptrdiff_t n = decode(&w, cut, &header, &error);
        ck_assert_msg(n == RPCRDMA_XDR_E_TRUNCATED || n == RPCRDMA_XDR_E_COUNT, "cut at %zu: %td",
                      cut, n);
        ck_assert_uint_le(error.offset, cut);
    }
    free(w.octets);
}

static void check_bad(struct wire w, int code, uint32_t offset, const char *path)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    char text[128];
    ck_assert_int_eq(decode(&w, w.length, &header, &error), code);
    ck_assert_int_eq(error.code, code);
    ck_assert_uint_eq(error.offset, offset);
    rpcrdma_xdr_error_path(&error, text, sizeof text);
    ck_assert_str_eq(text, path);
    free(w.octets);
}

/* ---- section 4.7 and the sizes of all procedures ---- */

START_TEST(without_chunks)
{
    check_good(WORDS(FIXED(0), 0, 0, 0), 28);
}
END_TEST

START_TEST(read_list)
{
    check_good(WORDS(FIXED(0), 1, PHLOO, 1, PHLOO, 1, PHLOO, 0, 0, 0), 16 + 76 + 8);
    check_good(WORDS(FIXED(0), 1, PHLOO, 1, 100, HLOO, 0, 0, 0), 16 + 52 + 8);
}
END_TEST

START_TEST(write_list)
{
    check_good(WORDS(FIXED(0), 0, 1, 3, HLOO, HLOO, HLOO, 1, 2, HLOO, HLOO, 0, 0), 20 + 100 + 4);
    check_good(WORDS(FIXED(0), 0, 1, 0, 0, 0), 20 + 12 + 4);
}
END_TEST

START_TEST(reply_chunk)
{
    check_good(WORDS(FIXED(1), 0, 0, 1, 2, HLOO, HLOO), 64);
    check_good(WORDS(FIXED(1), 0, 0, 1, 0), 32);
}
END_TEST

START_TEST(other_procedures)
{
    check_good(WORDS(FIXED(2), 8, 1024, 0, 0, 0), 36);
    check_good(WORDS(FIXED(3)), 16);
    check_good(WORDS(0x11223344, 7, 32, 4, 1, 1, 1), 28);
    check_good(WORDS(FIXED(4), 2), 20);
}
END_TEST

START_TEST(rich_header)
{
    check_good(WORDS(FIXED(0), 1, PHLOO, 1, 0, HLOO, 1, 100, HLOO, 0, 1, 2, HLOO, HLOO, 1, 0, 1, 1,
                     HLOO, 0, 1, 3, HLOO, HLOO, HLOO),
               16 + 76 + (40 + 8 + 24 + 4) + 56);
}
END_TEST

START_TEST(values)
{
    struct wire w = WORDS(0x11223344, 9, 77, 0, 1, 40, 0xa1, 0x1000, 0x1, 0x2, 0, 1, 1, 0xb1, 5, 6,
                          7, 0, 1, 1, 0xc1, 8, 9, 10);
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, NULL, NULL),
                     (ptrdiff_t)w.length);
    ck_assert_uint_eq(header.rdma_xid, 0x11223344);
    ck_assert_uint_eq(header.rdma_vers, 9);
    ck_assert_uint_eq(header.rdma_credit, 77);
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    ck_assert(rpcrdma1_read_list_next(&iter, &read));
    ck_assert_uint_eq(read.position, 40);
    ck_assert_uint_eq(read.target.handle, 0xa1);
    ck_assert_uint_eq(read.target.length, 0x1000);
    ck_assert_uint_eq(read.target.offset, 0x100000002);
    ck_assert(!rpcrdma1_read_list_next(&iter, &read));
    iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    ck_assert(!rpcrdma1_write_list_next(&iter, &chunk));
    ck_assert_uint_eq(rpcrdma1_write_list_segments(&lists->rdma_writes), 1);
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(segment.handle, 0xb1);
    ck_assert_uint_eq(segment.offset, 0x600000007);
    ck_assert(!rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert(lists->rdma_reply.present);
    ck_assert_uint_eq(rpcrdma1_segments_length(&lists->rdma_reply.value.target), 8);
    free(w.octets);
}
END_TEST

/* Elements at once are those one by one, from the wire and from values, and no more than asked for.
 */
START_TEST(copies)
{
    struct wire w = WORDS(FIXED(0), 1, PHLOO, 1, 100, HLOO, 0, 1, 3, HLOO, 5, 6, 7, 8, HLOO, 0, 0);
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment reads[3], read;
    struct rpcrdma1_segment segments[4], segment;
    struct rpcrdma1_write_chunk chunk;
    ck_assert_int_gt(rpcrdma1_header_decode(&header, w.octets, w.length, NULL, NULL), 0);
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    ck_assert_uint_eq(rpcrdma1_read_list_copy(&lists->rdma_reads, reads, 3), 2);
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    for (int i = 0; rpcrdma1_read_list_next(&iter, &read); i++) {
        ck_assert_uint_eq(read.position, reads[i].position);
        ck_assert_mem_eq(&read.target, &reads[i].target, sizeof read.target);
    }
    iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    ck_assert_uint_eq(rpcrdma1_segment_array_copy(&chunk.target, segments, 4), 3);
    ck_assert_uint_eq(segments[1].handle, 5);
    ck_assert_uint_eq(segments[1].offset, 0x700000008);
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    for (int i = 0; rpcrdma1_segment_array_next(&iter, &segment); i++)
        ck_assert_mem_eq(&segment, &segments[i], sizeof segment);
    struct rpcrdma1_segment_array given = {.items = segments, .count = 3};
    struct rpcrdma1_segment again[3] = {{0}};
    ck_assert_uint_eq(rpcrdma1_segment_array_copy(&given, again, 2), 2);
    ck_assert_mem_eq(again, segments, 2 * sizeof segment);
    ck_assert_uint_eq(again[2].handle, 0);
    iter = rpcrdma1_segment_array_iter(&given);
    for (int i = 0; i < 3; i++) {
        ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
        ck_assert_mem_eq(&segment, &segments[i], sizeof segment);
    }
    ck_assert(!rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(rpcrdma1_segment_array_copy(&given, again, 0), 0);
    free(w.octets);
}
END_TEST

/* The words that the constants name are those that encoding put there. */
START_TEST(offsets)
{
    struct wire w = WORDS(1, 2, 3, 4, RPCRDMA1_ERR_VERS, 6, 7);
    ck_assert_uint_eq(w.length, RPCRDMA1_ERR_VERS_SIZE);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_AT_RDMA_XID), 1);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_AT_RDMA_VERS), 2);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_AT_RDMA_CREDIT), 3);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_AT_PROC), 4);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_ERROR_AT_ERR), RPCRDMA1_ERR_VERS);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_ERR_VERS_AT_RDMA_VERS_LOW), 6);
    ck_assert_uint_eq(rpcrdma_xdr_load32(w.octets + RPCRDMA1_ERR_VERS_AT_RDMA_VERS_HIGH), 7);
    free(w.octets);
    w = WORDS(FIXED(RPCRDMA1_MSG), 1, 40, 41, 42, 43, 44, 0, 0, 0);
    const uint8_t *entry = w.octets + RPCRDMA1_MSG_AT_RDMA_READS;
    const uint8_t *segment = entry + RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_HANDLE;
    ck_assert_uint_eq(w.length, RPCRDMA1_MSG_SIZE_MIN + RPCRDMA1_READ_LIST_ENTRY_SIZE);
    ck_assert_uint_eq(rpcrdma_xdr_load32(entry + RPCRDMA1_READ_LIST_ENTRY_AT_POSITION), 40);
    ck_assert_uint_eq(rpcrdma_xdr_load32(entry + RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_LENGTH), 42);
    ck_assert_uint_eq(rpcrdma_xdr_load32(segment + RPCRDMA1_SEGMENT_AT_LENGTH), 42);
    ck_assert_uint_eq(rpcrdma_xdr_load32(segment + RPCRDMA1_SEGMENT_AT_OFFSET), 43);
    ck_assert_uint_eq(RPCRDMA1_READ_LIST_ENTRY_SIZE - RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_HANDLE,
                      RPCRDMA1_SEGMENT_SIZE);
    free(w.octets);
}
END_TEST

/* ---- what is no header ---- */

START_TEST(bad_words)
{
    check_bad(WORDS(FIXED(5), 0, 0, 0), RPCRDMA_XDR_E_ENUM, 12, "proc");
    check_bad(WORDS(FIXED(0xffffffff), 0, 0, 0), RPCRDMA_XDR_E_ENUM, 12, "proc");
    check_bad(WORDS(FIXED(4), 0), RPCRDMA_XDR_E_ENUM, 16, "err");
    check_bad(WORDS(FIXED(4), 3), RPCRDMA_XDR_E_ENUM, 16, "err");
}
END_TEST

START_TEST(bad_presence)
{
    check_bad(WORDS(FIXED(0), 2, 0, 0), RPCRDMA_XDR_E_PRESENCE, 16, "rdma_reads[0]");
    check_bad(WORDS(FIXED(0), 0xffffffff, 0, 0), RPCRDMA_XDR_E_PRESENCE, 16, "rdma_reads[0]");
    check_bad(WORDS(FIXED(0), 1, PHLOO, 0x01000000, 0, 0), RPCRDMA_XDR_E_PRESENCE, 40,
              "rdma_reads[1]");
    check_bad(WORDS(FIXED(0), 0, 2, 0), RPCRDMA_XDR_E_PRESENCE, 20, "rdma_writes[0]");
    check_bad(WORDS(FIXED(0), 0, 1, 0, 3, 0), RPCRDMA_XDR_E_PRESENCE, 28, "rdma_writes[1]");
    check_bad(WORDS(FIXED(0), 0, 0, 2), RPCRDMA_XDR_E_PRESENCE, 24, "rdma_reply");
    check_bad(WORDS(FIXED(2), 0, 0, 9, 0, 0), RPCRDMA_XDR_E_PRESENCE, 24, "rdma_reads[0]");
}
END_TEST

START_TEST(truncated)
{
    check_bad(WORDS(0), RPCRDMA_XDR_E_TRUNCATED, 4, "rdma_vers");
    check_bad(WORDS(FIXED(0)), RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_reads[0]");
    check_bad(WORDS(FIXED(0), 1, 40, 0xa1), RPCRDMA_XDR_E_TRUNCATED, 28,
              "rdma_reads[0].target.length");
    check_bad(WORDS(FIXED(0), 1, PHLOO), RPCRDMA_XDR_E_TRUNCATED, 40, "rdma_reads[1]");
    check_bad(WORDS(FIXED(0), 0, 1), RPCRDMA_XDR_E_TRUNCATED, 24, "rdma_writes[0].target");
    check_bad(WORDS(FIXED(0), 0, 0, 1), RPCRDMA_XDR_E_TRUNCATED, 28, "rdma_reply.target");
    check_bad(WORDS(FIXED(4), 1, 1), RPCRDMA_XDR_E_TRUNCATED, 24, "rdma_vers_high");
    check_bad(WORDS(FIXED(2), 0), RPCRDMA_XDR_E_TRUNCATED, 20, "rdma_thresh");
}
END_TEST

static const uint32_t huge_counts[] = {2,          0x0fffffff, 0x10000000, 0x10000001,
                                       0x40000001, 0x80000000, 0xffffffff};

START_TEST(huge_count)
{
    uint32_t count = huge_counts[_i];
    check_bad(WORDS(FIXED(0), 0, 1, count, HLOO, 0, 0), RPCRDMA_XDR_E_COUNT, 24,
              "rdma_writes[0].target");
    check_bad(WORDS(FIXED(1), 0, 0, 1, count, HLOO), RPCRDMA_XDR_E_COUNT, 28, "rdma_reply.target");
}
END_TEST

START_TEST(count_that_just_fits)
{
    check_good(WORDS(FIXED(1), 0, 0, 1, 1, HLOO), 48);
    check_bad(WORDS(FIXED(1), 0, 0, 1, 1, 0xa1, 0x1000, 1), RPCRDMA_XDR_E_COUNT, 28,
              "rdma_reply.target");
}
END_TEST

START_TEST(long_read_list)
{
    struct wire w = WORDS(FIXED(0));
    for (int i = 0; i < 100000; i++) {
        const uint32_t entry[] = {1, PHLOO};
        for (size_t j = 0; j < sizeof entry / 4; j++)
            put(&w, entry[j]);
    }
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    char path[64];
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, NULL, &error),
                     RPCRDMA_XDR_E_TRUNCATED);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "rdma_reads[100000]");
    for (int i = 0; i < 3; i++)
        put(&w, 0);
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, NULL, NULL),
                     (ptrdiff_t)w.length);
    ck_assert_uint_eq(rpcrdma1_chunks(&header)->rdma_reads.count, 100000);
    rpcrdma_xdr_store32(w.octets + 16 + 77777 * 24, 2);
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, NULL, &error),
                     RPCRDMA_XDR_E_PRESENCE);
    ck_assert_uint_eq(error.offset, 16 + 77777 * 24);
    free(w.octets);
}
END_TEST

/* ---- limits, space, arguments ---- */

START_TEST(callers_limits)
{
    struct wire w = WORDS(FIXED(0), 1, PHLOO, 1, PHLOO, 0, 1, 2, HLOO, HLOO, 1, 0, 0, 0);
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    char path[64];
    struct rpcrdma1_limits limits = {.read_list = 2, .write_list = 2, .write_chunk_target = 2};
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, &limits, NULL),
                     (ptrdiff_t)w.length);
    limits.read_list = 1;
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, &limits, &error),
                     RPCRDMA_XDR_E_LIMIT);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "rdma_reads[1]");
    ck_assert_uint_eq(error.offset, 40);
    limits = (struct rpcrdma1_limits){.write_list = 1};
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, &limits, &error),
                     RPCRDMA_XDR_E_LIMIT);
    limits = (struct rpcrdma1_limits){.write_chunk_target = 1};
    ck_assert_int_eq(rpcrdma1_header_decode(&header, w.octets, w.length, &limits, &error),
                     RPCRDMA_XDR_E_LIMIT);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "rdma_writes[0].target");
    free(w.octets);
}
END_TEST

START_TEST(no_space)
{
    static const struct rpcrdma1_segment segments[2] = {{1, 2, 3}, {4, 5, 6}};
    const struct rpcrdma1_write_chunk chunks[1] = {{.target = {.items = segments, .count = 2}}};
    struct rpcrdma1_header header = {.rdma_vers = 1};
    header.rdma_body.rdma_msg.rdma_writes =
        (struct rpcrdma1_write_list){.items = chunks, .count = 1};
    ptrdiff_t size = rpcrdma1_header_size(&header, NULL);
    ck_assert_int_eq(size, 28 + 8 + 32);
    for (size_t room = 0; room <= (size_t)size; room++) {
        uint8_t *exact = malloc(room ? room : 1);
        struct rpcrdma_xdr_error error;
        ptrdiff_t n = rpcrdma1_header_encode(exact, room, &header, &error);
        ck_assert_int_eq(n, room == (size_t)size ? size : RPCRDMA_XDR_E_SPACE);
        free(exact);
    }
}
END_TEST

START_TEST(values_without_encoding)
{
    uint8_t room[64];
    struct rpcrdma_xdr_error error;
    char path[32];
    struct rpcrdma1_header header = {.rdma_body.proc = (enum rpcrdma1_proc)5};
    ck_assert_int_eq(rpcrdma1_header_encode(room, sizeof room, &header, &error),
                     RPCRDMA_XDR_E_UNION);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "proc");
    header.rdma_body.proc = RPCRDMA1_ERROR;
    header.rdma_body.rdma_error.err = (enum rpcrdma1_errcode)3;
    ck_assert_int_eq(rpcrdma1_header_encode(room, sizeof room, &header, &error),
                     RPCRDMA_XDR_E_UNION);
}
END_TEST

START_TEST(arguments)
{
    struct rpcrdma1_header header;
    uint8_t octet = 0;
    ck_assert_int_eq(rpcrdma1_header_decode(&header, NULL, 0, NULL, NULL), RPCRDMA_XDR_E_TRUNCATED);
    ck_assert_int_eq(rpcrdma1_header_decode(&header, &octet, (size_t)INT32_MAX + 1, NULL, NULL),
                     RPCRDMA_XDR_E_ARGUMENT);
}
END_TEST

START_TEST(answers)
{
    struct rpcrdma_prefix prefix;
    struct wire w = WORDS(1, 2, 3, 4);
    ck_assert(rpcrdma_prefix_load(&prefix, w.octets, 16));
    ck_assert_uint_eq(prefix.procedure, 4);
    ck_assert(!rpcrdma_prefix_load(&prefix, w.octets, 15));
    free(w.octets);
    ck_assert_uint_eq(rpcrdma1_error_answer(RPCRDMA_XDR_E_COUNT, RPCRDMA_RESPONDER),
                      RPCRDMA1_ERR_CHUNK);
    ck_assert_uint_eq(rpcrdma1_error_answer(RPCRDMA_XDR_E_LIMIT, RPCRDMA_RESPONDER),
                      RPCRDMA1_ERR_CHUNK);
    ck_assert_uint_eq(rpcrdma1_error_answer(RPCRDMA_XDR_E_COUNT, RPCRDMA_REQUESTER), 0);
    ck_assert_uint_eq(rpcrdma1_error_answer(RPCRDMA_XDR_E_SPACE, RPCRDMA_RESPONDER), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpcrdma1");
    TCase *good = tcase_create("good"), *bad = tcase_create("bad"), *use = tcase_create("use");
    tcase_add_test(good, without_chunks);
    tcase_add_test(good, read_list);
    tcase_add_test(good, write_list);
    tcase_add_test(good, reply_chunk);
    tcase_add_test(good, other_procedures);
    tcase_add_test(good, rich_header);
    tcase_add_test(good, values);
    tcase_add_test(good, offsets);
    tcase_add_test(good, copies);
    tcase_add_test(bad, bad_words);
    tcase_add_test(bad, bad_presence);
    tcase_add_test(bad, truncated);
    tcase_add_loop_test(bad, huge_count, 0, (int)(sizeof huge_counts / sizeof huge_counts[0]));
    tcase_add_test(bad, count_that_just_fits);
    tcase_add_test(bad, long_read_list);
    tcase_add_test(use, callers_limits);
    tcase_add_test(use, no_space);
    tcase_add_test(use, values_without_encoding);
    tcase_add_test(use, arguments);
    tcase_add_test(use, answers);
    suite_add_tcase(suite, good);
    suite_add_tcase(suite, bad);
    suite_add_tcase(suite, use);
    return run_suite(suite);
}
