// SPDX-License-Identifier: BSD-3-Clause
/* RPC headers on octets laid down by hand (RFC 5531 section 9, RFC 2203 section 5). */
#include <rpcrdma/rpc_header.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

DECODER(message, rpcrdma_rpc_msg, rpcrdma_rpc_msg)

/* The flat header says what the generated codec says, and fails where it fails. */
static ptrdiff_t decode(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_rpc_header header, before;
    struct rpcrdma_xdr_error flat;
    ptrdiff_t n = message(octets, length, error);
    memset(&before, 0x5a, sizeof before);
    memcpy(&header, &before, sizeof header);
    ck_assert_int_eq(rpcrdma_rpc_header_decode(&header, octets, length, &flat), n);
    if (n < 0) {
        ck_assert_int_eq(flat.code, error->code);
        ck_assert_uint_eq(flat.offset, error->offset);
        ck_assert_mem_eq(&header, &before, sizeof header);
    }
    return n;
}

static struct rpcrdma_rpc_header header_of(struct octets octets, size_t length)
{
    struct rpcrdma_rpc_header header;
    uint8_t *copy = exact(octets.at, octets.length);
    ck_assert_int_eq(rpcrdma_rpc_header_decode(&header, copy, octets.length, NULL),
                     (ptrdiff_t)length);
    drop(copy);
    return header;
}

#define XID 0x11223344
#define CALL_OF(flavor, ...) XID, 0, 2, 100003, 4, 1, flavor, __VA_ARGS__
#define NO_AUTH 0, 0

/* ---- Calls ---- */

START_TEST(call)
{
    CHECK_OBJECT(decode, WORDS(CALL_OF(1, 8, 0xaa, 0xbb), 2, 4, 0xcc), AT(0, "xid"), AT(4, "mtype"),
                 AT(8, "rpcvers"), AT(12, "prog"), AT(16, "vers"), AT(20, "proc"),
                 AT(24, "cred.flavor"), COUNT_AT(28, "cred.body", 8), AT(40, "verf.flavor"),
                 COUNT_AT(44, "verf.body", 4));
    struct rpcrdma_rpc_header header =
        header_of(WORDS(CALL_OF(1, 8, 0xaa, 0xbb), 2, 4, 0xcc, 0xdddd), 52);
    ck_assert_uint_eq(header.xid, XID);
    ck_assert(!header.is_reply);
    ck_assert_uint_eq(header.rpcvers, 2);
    ck_assert_uint_eq(header.prog, 100003);
    ck_assert_uint_eq(header.vers, 4);
    ck_assert_uint_eq(header.proc, 1);
    ck_assert_uint_eq(header.cred_flavor, 1);
    ck_assert_uint_eq(header.cred_offset, 24);
    ck_assert_uint_eq(header.verf_flavor, 2);
    ck_assert(!header.has_gss && !header.gss_malformed);
}
END_TEST

/* Any number is a version of RPC, a program, a flavor: only the executor of the Call knows. */
START_TEST(call_of_any_numbers)
{
    struct rpcrdma_rpc_header header =
        header_of(WORDS(0, 0, 3, 0xffffffff, 0, 0x80000000, 390004, 0, 0xffffffff, 0), 40);
    ck_assert_uint_eq(header.rpcvers, 3);
    ck_assert_uint_eq(header.prog, 0xffffffff);
    ck_assert_uint_eq(header.proc, 0x80000000);
    ck_assert_uint_eq(header.cred_flavor, 390004);
    ck_assert_uint_eq(header.verf_flavor, 0xffffffff);
}
END_TEST

START_TEST(neither_call_nor_reply)
{
    check_bad(decode, WORDS(XID, 2, 2, 100003, 4, 1, NO_AUTH, NO_AUTH), RPCRDMA_XDR_E_ENUM, 4,
              "mtype");
    check_bad(decode, WORDS(XID, 0xffffffff, 0), RPCRDMA_XDR_E_ENUM, 4, "mtype");
}
END_TEST

static struct octets call_with_bodies(uint32_t cred, uint32_t verf)
{
    static const uint8_t zero[512];
    struct octets octets = WORDS(CALL_OF(1, cred));
    put_bytes(&octets, zero, (cred + 3) & ~3u);
    put_word(&octets, 0);
    put_word(&octets, verf);
    put_bytes(&octets, zero, (verf + 3) & ~3u);
    return octets;
}

START_TEST(longest_bodies)
{
    header_of(call_with_bodies(400, 400), 24 + 408 + 408);
    check_bad(decode, call_with_bodies(401, 0), RPCRDMA_XDR_E_BOUND, 28, "cred.body");
    check_bad(decode, call_with_bodies(400, 401), RPCRDMA_XDR_E_BOUND, 24 + 408 + 4, "verf.body");
    check_bad(decode, WORDS(CALL_OF(1, 0xffffffff), NO_AUTH), RPCRDMA_XDR_E_BOUND, 28, "cred.body");
    check_bad(decode, WORDS(CALL_OF(1, 12), NO_AUTH), RPCRDMA_XDR_E_COUNT, 28, "cred.body");
}
END_TEST

START_TEST(padding)
{
    for (uint32_t body = 1; body <= 3; body++) {
        struct octets octets = call_with_bodies(body, 0);
        header_of(octets, 44);
        for (uint32_t at = body; at < 4; at++) {
            struct octets bad = octets;
            bad.at[32 + at] = 1;
            check_bad(decode, bad, RPCRDMA_XDR_E_PAD, 32 + body, "cred.body");
        }
    }
}
END_TEST

/* ---- RPCSEC_GSS ---- */

START_TEST(gss)
{
    for (uint32_t proc = 0; proc < 7; proc++)
        for (uint32_t service = 1; service < 5; service++) {
            struct rpcrdma_rpc_header header = header_of(
                WORDS(CALL_OF(6, 24, 1, proc, 77 + proc, service, 3, 0x61626300), 6, 4, 0xcc), 68);
            ck_assert(header.has_gss && !header.gss_malformed);
            ck_assert_uint_eq(header.gss_version, 1);
            ck_assert_uint_eq(header.gss_proc, proc);
            ck_assert_uint_eq(header.gss_seq, 77 + proc);
            ck_assert_uint_eq(header.gss_service, service);
        }
    struct rpcrdma_rpc_header first = header_of(WORDS(CALL_OF(6, 20, 1, 1, 0, 1, 0), NO_AUTH), 60);
    ck_assert(first.has_gss);
}
END_TEST

static void check_malformed_gss(struct octets octets)
{
    struct rpcrdma_rpc_header header = header_of(octets, octets.length);
    ck_assert_uint_eq(header.cred_flavor, 6);
    ck_assert(!header.has_gss && header.gss_malformed);
    ck_assert_uint_eq(header.gss_service, 0);
}

/* The RPC header itself is sound: only its credential is not. */
START_TEST(malformed_gss)
{
    check_malformed_gss(WORDS(CALL_OF(6, 0), NO_AUTH));
    check_malformed_gss(WORDS(CALL_OF(6, 16, 1, 0, 7, 3), NO_AUTH));                /* no handle */
    check_malformed_gss(WORDS(CALL_OF(6, 20, 1, 0, 7, 3, 4), NO_AUTH));             /* cut */
    check_malformed_gss(WORDS(CALL_OF(6, 24, 1, 0, 7, 3, 0, 0), NO_AUTH));          /* after it */
    check_malformed_gss(WORDS(CALL_OF(6, 24, 1, 0, 7, 3, 1, 0x61000001), NO_AUTH)); /* padding */
    check_malformed_gss(WORDS(CALL_OF(6, 20, 1, 0, 7, 3, 0xffffffff), NO_AUTH));
}
END_TEST

START_TEST(gss_body_of_another_flavor)
{
    struct rpcrdma_rpc_header header =
        header_of(WORDS(CALL_OF(390003, 20, 1, 0, 7, 3, 0), NO_AUTH), 60);
    ck_assert(!header.has_gss && !header.gss_malformed);
}
END_TEST

/* ---- Replies ---- */

START_TEST(accepted)
{
    for (uint32_t stat = 0; stat < 6; stat++) {
        if (stat == RPCRDMA_RPC_PROG_MISMATCH)
            continue;
        CHECK_OBJECT(decode, WORDS(XID, 1, 0, 6, 4, 0xcc, stat), AT(0, "xid"), AT(4, "mtype"),
                     AT(8, "stat"), AT(12, "verf.flavor"), COUNT_AT(16, "verf.body", 4),
                     AT(24, "stat"));
        struct rpcrdma_rpc_header header = header_of(WORDS(XID, 1, 0, 6, 4, 0xcc, stat, 99), 28);
        ck_assert_uint_eq(header.xid, XID);
        ck_assert(header.is_reply && header.accepted);
        ck_assert_uint_eq(header.verf_flavor, 6);
        ck_assert_uint_eq(header.accept_stat, stat);
        ck_assert(!header.has_gss && !header.gss_malformed);
    }
}
END_TEST

START_TEST(program_mismatch)
{
    CHECK_OBJECT(decode, WORDS(XID, 1, 0, NO_AUTH, 2, 3, 4), AT(0, "xid"), AT(4, "mtype"),
                 AT(8, "stat"), AT(12, "verf.flavor"), AT(16, "verf.body"), AT(20, "stat"),
                 AT(24, "low"), AT(28, "high"));
    struct rpcrdma_rpc_header header = header_of(WORDS(XID, 1, 0, NO_AUTH, 2, 3, 4), 32);
    ck_assert_uint_eq(header.accept_stat, RPCRDMA_RPC_PROG_MISMATCH);
}
END_TEST

START_TEST(denied)
{
    CHECK_OBJECT(decode, WORDS(XID, 1, 1, 0, 2, 2), AT(0, "xid"), AT(4, "mtype"), AT(8, "stat"),
                 AT(12, "stat"), AT(16, "low"), AT(20, "high"));
    struct rpcrdma_rpc_header header = header_of(WORDS(XID, 1, 1, 0, 2, 2), 24);
    ck_assert(header.is_reply && !header.accepted);
    ck_assert_uint_eq(header.reject_stat, RPCRDMA_RPC_MISMATCH);
    for (uint32_t why = 0; why <= 18; why++) {
        CHECK_OBJECT(decode, WORDS(XID, 1, 1, 1, why), AT(0, "xid"), AT(4, "mtype"), AT(8, "stat"),
                     AT(12, "stat"), AT(16, "why"));
        header = header_of(WORDS(XID, 1, 1, 1, why), 20);
        ck_assert(header.is_reply && !header.accepted);
        ck_assert_uint_eq(header.reject_stat, RPCRDMA_RPC_AUTH_ERROR);
    }
}
END_TEST

START_TEST(bad_replies)
{
    check_bad(decode, WORDS(XID, 1, 2, NO_AUTH, 0), RPCRDMA_XDR_E_ENUM, 8, "stat");
    check_bad(decode, WORDS(XID, 1, 0, NO_AUTH, 6), RPCRDMA_XDR_E_ENUM, 20, "stat");
    check_bad(decode, WORDS(XID, 1, 0, NO_AUTH, 0x80000000), RPCRDMA_XDR_E_ENUM, 20, "stat");
    check_bad(decode, WORDS(XID, 1, 1, 2, 0, 0), RPCRDMA_XDR_E_ENUM, 12, "stat");
    check_bad(decode, WORDS(XID, 1, 1, 1, 19), RPCRDMA_XDR_E_ENUM, 16, "why");
    check_bad(decode, WORDS(XID, 1, 0, 0, 401), RPCRDMA_XDR_E_BOUND, 16, "verf.body");
}
END_TEST

START_TEST(no_octets)
{
    struct rpcrdma_rpc_header header;
    uint8_t octet = 0;
    ck_assert_int_eq(rpcrdma_rpc_header_decode(&header, NULL, 0, NULL), RPCRDMA_XDR_E_TRUNCATED);
    ck_assert_int_eq(rpcrdma_rpc_header_decode(&header, &octet, (size_t)INT32_MAX + 1, NULL),
                     RPCRDMA_XDR_E_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpc_header");
    TCase *calls = tcase_create("calls"), *replies = tcase_create("replies");
    tcase_add_test(calls, call);
    tcase_add_test(calls, call_of_any_numbers);
    tcase_add_test(calls, neither_call_nor_reply);
    tcase_add_test(calls, longest_bodies);
    tcase_add_test(calls, padding);
    tcase_add_test(calls, gss);
    tcase_add_test(calls, malformed_gss);
    tcase_add_test(calls, gss_body_of_another_flavor);
    tcase_add_test(replies, accepted);
    tcase_add_test(replies, program_mismatch);
    tcase_add_test(replies, denied);
    tcase_add_test(replies, bad_replies);
    tcase_add_test(replies, no_octets);
    suite_add_tcase(suite, calls);
    suite_add_tcase(suite, replies);
    return run_suite(suite);
}
