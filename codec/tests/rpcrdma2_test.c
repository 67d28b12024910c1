// SPDX-License-Identifier: BSD-3-Clause
/* The codecs of both version 2 drafts on octets laid down by hand. */
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

/* A segment's words, a read segment's, and where their fields begin. */
#define HLOO 0xa1, 0x1000, 0x1, 0x2
#define PHLOO 40, HLOO
#define SEGMENT_AT(o, path)                                                                        \
    AT(o, path ".rdma_handle"), AT((o) + 4, path ".rdma_length"), AT((o) + 8, path ".rdma_offset")
#define READ_AT(o, path)                                                                           \
    AT(o, path), AT((o) + 4, path ".rdma_position"), SEGMENT_AT((o) + 8, path ".rdma_target")

/* ---- draft -04: one header ---- */

DECODER(decode, rpcrdma2_04_header, rpcrdma2_04_header)

#define FIXED(proc) 0x11223344, 2, 32, proc
#define FIXED_AT AT(0, "rdma_xid"), AT(4, "rdma_vers"), AT(8, "rdma_credit"), AT(12, "rdma_proc")
#define LISTS_AT FIXED_AT, AT(16, "rdma_direction"), AT(20, "rdma_inv_handle")

START_TEST(without_chunks)
{
    for (uint32_t proc = 0; proc < 2; proc++)
        for (uint32_t direction = 0; direction < 2; direction++)
            CHECK_OBJECT(decode, WORDS(FIXED(proc), direction, 0xbeef, 0, 0, 0), LISTS_AT,
                         AT(24, "rdma_reads[0]"), AT(28, "rdma_writes[0]"), AT(32, "rdma_reply"));
}
END_TEST

START_TEST(reply_chunk)
{
    CHECK_OBJECT(decode, WORDS(FIXED(1), 1, 0, 0, 0, 1, 1, HLOO), LISTS_AT, AT(24, "rdma_reads[0]"),
                 AT(28, "rdma_writes[0]"), AT(32, "rdma_reply"),
                 COUNT_AT(36, "rdma_reply.rdma_target", 16));
}
END_TEST

START_TEST(all_lists)
{
    CHECK_OBJECT(decode,
                 WORDS(FIXED(0), 0, 7, 1, PHLOO, 1, PHLOO, 0, 1, 2, HLOO, HLOO, 1, 0, 0, 1, 0),
                 LISTS_AT, READ_AT(24, "rdma_reads[0]"), READ_AT(48, "rdma_reads[1]"),
                 AT(72, "rdma_reads[2]"), AT(76, "rdma_writes[0]"),
                 COUNT_AT(80, "rdma_writes[0].rdma_target", 32), AT(116, "rdma_writes[1]"),
                 AT(120, "rdma_writes[1].rdma_target"), AT(124, "rdma_writes[2]"),
                 AT(128, "rdma_reply"), AT(132, "rdma_reply.rdma_target"));
}
END_TEST

START_TEST(values)
{
    struct octets octets =
        WORDS(0x11223344, 2, 77, 0, 1, 0xbeef, 1, PHLOO, 0, 1, 1, 0xb1, 5, 6, 7, 0, 0);
    struct rpcrdma2_04_header header;
    struct rpcrdma2_04_read_segment read;
    struct rpcrdma2_04_write_chunk chunk;
    struct rpcrdma2_04_segment segment;
    ck_assert_int_eq(rpcrdma2_04_header_decode(&header, octets.at, octets.length, NULL, NULL),
                     (ptrdiff_t)octets.length);
    ck_assert_uint_eq(header.rdma_xid, 0x11223344);
    ck_assert_uint_eq(header.rdma_vers, 2);
    ck_assert_uint_eq(header.rdma_credit, 77);
    const struct rpcrdma2_04_chunk_lists *lists = &header.rdma_body.rdma_chunks;
    ck_assert_int_eq(lists->rdma_direction, RPCRDMA2_04_REPLY);
    ck_assert_uint_eq(lists->rdma_inv_handle, 0xbeef);
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_read_list_iter(&lists->rdma_reads);
    ck_assert(rpcrdma2_04_read_list_next(&iter, &read));
    ck_assert_uint_eq(read.rdma_position, 40);
    ck_assert_uint_eq(read.rdma_target.rdma_handle, 0xa1);
    ck_assert_uint_eq(read.rdma_target.rdma_length, 0x1000);
    ck_assert_uint_eq(read.rdma_target.rdma_offset, 0x100000002);
    ck_assert(!rpcrdma2_04_read_list_next(&iter, &read));
    iter = rpcrdma2_04_write_list_iter(&lists->rdma_writes);
    ck_assert(rpcrdma2_04_write_list_next(&iter, &chunk));
    ck_assert(!rpcrdma2_04_write_list_next(&iter, &chunk));
    iter = rpcrdma2_04_segment_array_iter(&chunk.rdma_target);
    ck_assert(rpcrdma2_04_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(segment.rdma_handle, 0xb1);
    ck_assert_uint_eq(segment.rdma_length, 5);
    ck_assert_uint_eq(segment.rdma_offset, 0x600000007);
    ck_assert(!rpcrdma2_04_segment_array_next(&iter, &segment));
    ck_assert(!lists->rdma_reply.present);
}
END_TEST

START_TEST(errors)
{
    const uint32_t bare[] = {2, 3, 9, 10};
    for (int i = 0; i < 4; i++)
        CHECK_OBJECT(decode, WORDS(FIXED(4), bare[i]), FIXED_AT, AT(16, "rdma_err"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 1, 2, 2), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_vers_low"), AT(24, "rdma_vers_high"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 4, 8), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_max_chunks"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 5, 8), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_max_chunks"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 6, 8), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_max_segments"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 7, 1, 4096), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_chunk_index"), AT(24, "rdma_length_needed"));
    CHECK_OBJECT(decode, WORDS(FIXED(4), 8, 4096), FIXED_AT, AT(16, "rdma_err"),
                 AT(20, "rdma_length_needed"));
}
END_TEST

START_TEST(optional)
{
    struct octets five = WORDS(FIXED(5), 0, 99, 5, 0x01020304, 0x05000000);
    ck_assert_uint_eq(five.length, 36);
    CHECK_OBJECT(decode, five, FIXED_AT, AT(16, "rdma_optdir"), AT(20, "rdma_opttype"),
                 COUNT_AT(24, "rdma_optinfo", 8));
    five.at[35] = 1;
    check_bad(decode, five, RPCRDMA_XDR_E_PAD, 33, "rdma_optinfo");
    check_bad(decode, WORDS(FIXED(5), 2, 99, 0), RPCRDMA_XDR_E_ENUM, 16, "rdma_optdir");
}
END_TEST

START_TEST(properties)
{
    CHECK_OBJECT(decode, WORDS(FIXED(6), 1, 1, 4, 4096, 0), FIXED_AT, COUNT_AT(16, "rdma_start", 8),
                 AT(20, "rdma_start[0].rdma_which"), COUNT_AT(24, "rdma_start[0].rdma_data", 4),
                 AT(32, "rdma_nochg"));
    CHECK_OBJECT(decode, WORDS(FIXED(6), 0, 2, 0x80000000, 1), FIXED_AT, AT(16, "rdma_start"),
                 COUNT_AT(20, "rdma_nochg", 8));
    CHECK_OBJECT(decode, WORDS(FIXED(7), 2, 1, 0, 2, 2, 0x01020000), FIXED_AT,
                 COUNT_AT(16, "rdma_want", 16), AT(20, "rdma_want[0].rdma_which"),
                 AT(24, "rdma_want[0].rdma_data"), AT(28, "rdma_want[1].rdma_which"),
                 COUNT_AT(32, "rdma_want[1].rdma_data", 4));
    CHECK_OBJECT(decode, WORDS(FIXED(8), 1, 3, 1, 5, 0), FIXED_AT, COUNT_AT(16, "rdma_done", 4),
                 COUNT_AT(24, "rdma_rejected", 4), AT(32, "rdma_other"));
    CHECK_OBJECT(decode, WORDS(FIXED(9), 1, 7, 0), FIXED_AT, COUNT_AT(16, "rdma_now", 8),
                 AT(20, "rdma_now[0].rdma_which"), AT(24, "rdma_now[0].rdma_data"));
}
END_TEST

START_TEST(bad_words)
{
    const uint32_t procedures[] = {2, 3, 10, 0x100, 0xffffffff};
    for (int i = 0; i < 5; i++)
        check_bad(decode, WORDS(FIXED(procedures[i]), 0, 0, 0, 0, 0), RPCRDMA_XDR_E_ENUM, 12,
                  "rdma_proc");
    check_bad(decode, WORDS(FIXED(4), 0), RPCRDMA_XDR_E_ENUM, 16, "rdma_err");
    check_bad(decode, WORDS(FIXED(4), 11), RPCRDMA_XDR_E_ENUM, 16, "rdma_err");
    check_bad(decode, WORDS(FIXED(0), 2, 0, 0, 0, 0), RPCRDMA_XDR_E_ENUM, 16, "rdma_direction");
    check_bad(decode, WORDS(FIXED(0), 0, 0, 2, 0, 0), RPCRDMA_XDR_E_PRESENCE, 24, "rdma_reads[0]");
    check_bad(decode, WORDS(FIXED(0), 0, 0, 1, PHLOO, 2, 0, 0), RPCRDMA_XDR_E_PRESENCE, 48,
              "rdma_reads[1]");
    check_bad(decode, WORDS(FIXED(0), 0, 0, 0, 1, 0, 0x100, 0), RPCRDMA_XDR_E_PRESENCE, 36,
              "rdma_writes[1]");
    check_bad(decode, WORDS(FIXED(0), 0, 0, 0, 0, 3), RPCRDMA_XDR_E_PRESENCE, 32, "rdma_reply");
}
END_TEST

START_TEST(huge_counts)
{
    const uint32_t counts[] = {0x0fffffff, 0x10000001, 0x20000001, 0x40000001, 0xffffffff};
    for (int i = 0; i < 5; i++) {
        uint32_t n = counts[i];
        check_bad(decode, WORDS(FIXED(0), 0, 0, 0, 1, n, HLOO, 0, 0), RPCRDMA_XDR_E_COUNT, 32,
                  "rdma_writes[0].rdma_target");
        check_bad(decode, WORDS(FIXED(6), n, 1, 0, 2, 0), RPCRDMA_XDR_E_COUNT, 16, "rdma_start");
        check_bad(decode, WORDS(FIXED(6), 1, 1, n, 2, 0), RPCRDMA_XDR_E_COUNT, 24,
                  "rdma_start[0].rdma_data");
        check_bad(decode, WORDS(FIXED(6), 0, n, 1), RPCRDMA_XDR_E_COUNT, 20, "rdma_nochg");
        check_bad(decode, WORDS(FIXED(5), 0, 0, n, 1), RPCRDMA_XDR_E_COUNT, 24, "rdma_optinfo");
    }
}
END_TEST

/* ---- draft -07: a body for each header type, after four fixed words ---- */

DECODER(decode_prefix, rpcrdma2_07_hdr_prefix, rpcrdma2_07_hdr_prefix)
DECODER(decode_error, rpcrdma2_07_hdr_error, rpcrdma2_07_hdr_error)
DECODER(decode_connprop, rpcrdma2_07_hdr_connprop, rpcrdma2_07_hdr_connprop)
DECODER(decode_call_external, rpcrdma2_07_hdr_call_external, rpcrdma2_07_hdr_call_external)
DECODER(decode_call_middle, rpcrdma2_07_hdr_call_middle, rpcrdma2_07_hdr_call_middle)
DECODER(decode_call_inline, rpcrdma2_07_hdr_call_inline, rpcrdma2_07_hdr_call_inline)
DECODER(decode_reply_external, rpcrdma2_07_hdr_reply_external, rpcrdma2_07_hdr_reply_external)
DECODER(decode_reply_middle, rpcrdma2_07_hdr_reply_middle, rpcrdma2_07_hdr_reply_middle)
DECODER(decode_reply_inline, rpcrdma2_07_hdr_reply_inline, rpcrdma2_07_hdr_reply_inline)

START_TEST(prefix_07)
{
    CHECK_OBJECT(decode_prefix, WORDS(0x11223344, 2, 32, 0xffffffff), AT(0, "rdma_start.rdma_xid"),
                 AT(4, "rdma_start.rdma_vers"), AT(8, "rdma_start.rdma_credit"),
                 AT(12, "rdma_start.rdma_htype"));
}
END_TEST

/* Codes are plain numbers here, and any that names no arm carries nothing. */
START_TEST(errors_07)
{
    const uint32_t bare[] = {0, 2, 3, 4, 5, 11, 100, 0xffffffff};
    for (int i = 0; i < 8; i++)
        CHECK_OBJECT(decode_error, WORDS(bare[i]), AT(0, "rdma_err"));
    CHECK_OBJECT(decode_error, WORDS(1, 1, 2), AT(0, "rdma_err"), AT(4, "rdma_vers_low"),
                 AT(8, "rdma_vers_high"));
    CHECK_OBJECT(decode_error, WORDS(6, 8), AT(0, "rdma_err"), AT(4, "rdma_max_chunks"));
    CHECK_OBJECT(decode_error, WORDS(7, 8), AT(0, "rdma_err"), AT(4, "rdma_max_chunks"));
    CHECK_OBJECT(decode_error, WORDS(8, 8), AT(0, "rdma_err"), AT(4, "rdma_max_segments"));
    CHECK_OBJECT(decode_error, WORDS(9, 1, 4096), AT(0, "rdma_err"), AT(4, "rdma_chunk_index"),
                 AT(8, "rdma_length_needed"));
    CHECK_OBJECT(decode_error, WORDS(10, 4096), AT(0, "rdma_err"), AT(4, "rdma_length_needed"));
}
END_TEST

START_TEST(connprop_07)
{
    CHECK_OBJECT(decode_connprop, WORDS(0), AT(0, "rdma_props"));
    CHECK_OBJECT(decode_connprop, WORDS(1, 6, 3, 0x61626300), COUNT_AT(0, "rdma_props", 8),
                 AT(4, "rdma_props[0].rdma_which"), COUNT_AT(8, "rdma_props[0].rdma_data", 4));
    check_bad(decode_connprop, WORDS(1, 6, 3, 0x61626364), RPCRDMA_XDR_E_PAD, 15,
              "rdma_props[0].rdma_data");
    check_bad(decode_connprop, WORDS(0x20000001, 6, 0), RPCRDMA_XDR_E_COUNT, 0, "rdma_props");
}
END_TEST

START_TEST(call_external_07)
{
    CHECK_OBJECT(decode_call_external, WORDS(0xbeef, 1, PHLOO, 0, 1, PHLOO, 0, 1, 1, HLOO, 0, 1, 0),
                 AT(0, "rdma_inv_handle"), READ_AT(4, "rdma_call[0]"), AT(28, "rdma_call[1]"),
                 READ_AT(32, "rdma_reads[0]"), AT(56, "rdma_reads[1]"),
                 AT(60, "rdma_provisional_writes[0]"),
                 COUNT_AT(64, "rdma_provisional_writes[0].rdma_target", 16),
                 AT(84, "rdma_provisional_writes[1]"), AT(88, "rdma_provisional_reply"),
                 AT(92, "rdma_provisional_reply.rdma_target"));
    check_bad(decode_call_external, WORDS(0, 0, 0, 0, 2), RPCRDMA_XDR_E_PRESENCE, 16,
              "rdma_provisional_reply");
    check_bad(decode_call_external, WORDS(0, 7, 0, 0, 0), RPCRDMA_XDR_E_PRESENCE, 4,
              "rdma_call[0]");
}
END_TEST

START_TEST(call_inline_07)
{
    CHECK_OBJECT(decode_call_inline, WORDS(0, 0, 0, 0, 0x11223344), AT(0, "rdma_inv_handle"),
                 AT(4, "rdma_reads[0]"), AT(8, "rdma_provisional_writes[0]"),
                 AT(12, "rdma_provisional_reply"), AT(16, "rdma_rpc_first_word"));
    CHECK_OBJECT(decode_call_inline, WORDS(0, 1, PHLOO, 0, 0, 1, 2, HLOO, HLOO, 0x11223344),
                 AT(0, "rdma_inv_handle"), READ_AT(4, "rdma_reads[0]"), AT(28, "rdma_reads[1]"),
                 AT(32, "rdma_provisional_writes[0]"), AT(36, "rdma_provisional_reply"),
                 COUNT_AT(40, "rdma_provisional_reply.rdma_target", 32),
                 AT(76, "rdma_rpc_first_word"));
}
END_TEST

START_TEST(reply_07)
{
    CHECK_OBJECT(decode_reply_external, WORDS(1, 2, HLOO, HLOO, 0, 1, 1, HLOO),
                 AT(0, "rdma_writes[0]"), COUNT_AT(4, "rdma_writes[0].rdma_target", 32),
                 AT(40, "rdma_writes[1]"), AT(44, "rdma_reply"),
                 COUNT_AT(48, "rdma_reply.rdma_target", 16));
    CHECK_OBJECT(decode_reply_inline, WORDS(1, 0, 0, 0x11223344), AT(0, "rdma_writes[0]"),
                 AT(4, "rdma_writes[0].rdma_target"), AT(8, "rdma_writes[1]"),
                 AT(12, "rdma_rpc_first_word"));
    check_bad(decode_reply_inline, WORDS(1, 0x10000001, HLOO), RPCRDMA_XDR_E_COUNT, 4,
              "rdma_writes[0].rdma_target");
}
END_TEST

START_TEST(middle_07)
{
    CHECK_OBJECT(decode_call_middle, WORDS(3, 0x11223344), AT(0, "rdma_remaining"),
                 AT(4, "rdma_rpc_first_word"));
    CHECK_OBJECT(decode_reply_middle, WORDS(3, 0x11223344), AT(0, "rdma_remaining"),
                 AT(4, "rdma_rpc_first_word"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpcrdma2");
    TCase *four = tcase_create("draft 04"), *seven = tcase_create("draft 07");
    tcase_add_test(four, without_chunks);
    tcase_add_test(four, reply_chunk);
    tcase_add_test(four, all_lists);
    tcase_add_test(four, values);
    tcase_add_test(four, errors);
    tcase_add_test(four, optional);
    tcase_add_test(four, properties);
    tcase_add_test(four, bad_words);
    tcase_add_test(four, huge_counts);
    tcase_add_test(seven, prefix_07);
    tcase_add_test(seven, errors_07);
    tcase_add_test(seven, connprop_07);
    tcase_add_test(seven, call_external_07);
    tcase_add_test(seven, call_inline_07);
    tcase_add_test(seven, reply_07);
    tcase_add_test(seven, middle_07);
    suite_add_tcase(suite, four);
    suite_add_tcase(suite, seven);
    return run_suite(suite);
}
