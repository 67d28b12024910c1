// SPDX-License-Identifier: BSD-3-Clause
/* One message of any version: what each type of each version becomes, and where errors lie. */
#include <rpcrdma/message.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#define FIXED1(procedure) 0x11223344, 1, 32, procedure
#define FIXED2(type) 0x11223344, 2, 32, type
#define HLOO 0xa1, 0x1000, 0x1, 0x2

static struct rpcrdma_message message;

static ptrdiff_t decode(enum rpcrdma_protocol protocol, const struct octets *octets)
{
    memset(&message, 0xa5, sizeof message);
    uint8_t *copy = exact(octets->at, octets->length);
    ptrdiff_t n = rpcrdma_message_decode(&message, protocol, copy, octets->length, NULL);
    drop(copy);
    return n;
}

/* Views point into the octets, which have to stay. */
static struct octets kept;
#define KEEP(protocol, ...)                                                                        \
    (kept = WORDS(__VA_ARGS__), memset(&message, 0xa5, sizeof message),                            \
     rpcrdma_message_decode(&message, protocol, kept.at, kept.length, NULL))

static void check_lists(uint32_t call, uint32_t reads, uint32_t writes, bool reply)
{
    ck_assert_uint_eq(message.call_chunk.count, call);
    ck_assert_uint_eq(message.chunks.rdma_reads.count, reads);
    ck_assert_uint_eq(message.chunks.rdma_writes.count, writes);
    ck_assert_int_eq(message.chunks.rdma_reply.present, reply);
}

/* Cut at any octet of its header, a message does not decode, says the same twice, and offers
 * nothing. */
static void check_cuts(enum rpcrdma_protocol protocol, const struct octets *octets, size_t header)
{
    struct rpcrdma_xdr_error error;
    struct rpcrdma_message before;
    memset(&before, 0xa5, sizeof before);
    for (size_t length = 0; length < header; length++) {
        uint8_t *copy = exact(octets->at, length);
        memset(&message, 0xa5, sizeof message);
        ptrdiff_t n = rpcrdma_message_decode(&message, protocol, copy, length, &error);
        drop(copy);
        ck_assert_int_eq(n, error.code);
        ck_assert(n == RPCRDMA_XDR_E_TRUNCATED || n == RPCRDMA_XDR_E_COUNT);
        ck_assert_uint_le(error.offset, length);
        check_lists(0, 0, 0, false);
        ck_assert_int_eq((int)message.direction, RPCRDMA_DIRECTION_UNKNOWN);
        ck_assert_int_eq((int)message.kind, RPCRDMA_KIND_RPC);
        ck_assert_int_eq((int)message.form, RPCRDMA_FORM_INLINE);
        ck_assert_uint_eq(message.header, before.header);
    }
}

/* Decode, and compare what all kinds have. */
static void check_message(enum rpcrdma_protocol protocol, struct octets octets, int kind, int form,
                          int direction, size_t header)
{
    check_cuts(protocol, &octets, header);
    ck_assert_int_eq(decode(protocol, &octets), (ptrdiff_t)header);
    ck_assert_int_eq(message.protocol, protocol);
    ck_assert_int_eq((int)message.kind, kind);
    if (kind == RPCRDMA_KIND_RPC) {
        ck_assert_int_eq((int)message.form, form);
        if (form != RPCRDMA_FORM_PIECE)
            ck_assert_uint_eq(message.rpc.remaining, 0);
        if (direction != RPCRDMA_CALL || form == RPCRDMA_FORM_PIECE)
            ck_assert_uint_eq(message.rpc.invalidate, 0);
    }
    ck_assert_int_eq((int)message.direction, direction);
    ck_assert_uint_eq(message.header, header);
    ck_assert_uint_eq(message.prefix.xid, 0x11223344);
    ck_assert_uint_eq(message.prefix.credit, 32);
}

static void check_error_values(uint32_t code, uint32_t values, uint32_t first, uint32_t second)
{
    ck_assert_int_eq(message.kind, RPCRDMA_KIND_ERROR);
    ck_assert_uint_eq(message.error.code, code);
    ck_assert_uint_eq(message.error.values, values);
    ck_assert_uint_eq(message.error.value[0], first);
    ck_assert_uint_eq(message.error.value[1], second);
    check_lists(0, 0, 0, false);
}

/* ---- version 1 ---- */

START_TEST(version1)
{
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED1(0), 1, 40, HLOO, 0, 1, 1, HLOO, 0, 0, 7, 0),
                  RPCRDMA_KIND_RPC, RPCRDMA_FORM_INLINE, RPCRDMA_DIRECTION_UNKNOWN, 76);
    check_lists(0, 1, 1, false);
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED1(1), 0, 0, 1, 1, HLOO), RPCRDMA_KIND_RPC,
                  RPCRDMA_FORM_SPECIAL, RPCRDMA_DIRECTION_UNKNOWN, 48);
    check_lists(0, 0, 0, true);
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED1(3)), RPCRDMA_KIND_LEGACY, 0,
                  RPCRDMA_DIRECTION_UNKNOWN, 16);
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED1(2), 8, 64, 0, 0, 0), RPCRDMA_KIND_LEGACY, 0,
                  RPCRDMA_DIRECTION_UNKNOWN, 36);
    check_lists(0, 0, 0, false);
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED2(4), 1, 1, 3), RPCRDMA_KIND_ERROR, 0,
                  RPCRDMA_DIRECTION_UNKNOWN, 28);
    check_error_values(1, 2, 1, 3);
    ck_assert_uint_eq(message.prefix.version, 2);
    check_message(RPCRDMA_PROTOCOL_1, WORDS(FIXED1(4), 2), RPCRDMA_KIND_ERROR, 0,
                  RPCRDMA_DIRECTION_UNKNOWN, 20);
    check_error_values(2, 0, 0, 0);
}
END_TEST

/* ---- draft -04 ---- */

START_TEST(version2_04)
{
    check_message(RPCRDMA_PROTOCOL_2_04, WORDS(FIXED2(0), 0, 0xbeef, 1, 0, HLOO, 0, 0, 0),
                  RPCRDMA_KIND_RPC, RPCRDMA_FORM_INLINE, RPCRDMA_CALL, 60);
    ck_assert_uint_eq(message.rpc.invalidate, 0xbeef);
    check_lists(0, 1, 0, false);
    check_message(RPCRDMA_PROTOCOL_2_04, WORDS(FIXED2(1), 1, 0, 0, 0, 1, 1, HLOO), RPCRDMA_KIND_RPC,
                  RPCRDMA_FORM_SPECIAL, RPCRDMA_REPLY, 56);
    check_lists(0, 0, 0, true);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 1, 2, 3), 28);
    check_error_values(1, 2, 2, 3);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 5, 9), 24);
    check_error_values(5, 1, 9, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 6, 9), 24);
    check_error_values(6, 1, 9, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 7, 2, 9), 28);
    check_error_values(7, 2, 2, 9);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 8, 77), 24);
    check_error_values(8, 1, 77, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(4), 10), 20);
    check_error_values(10, 0, 0, 0);
    check_message(RPCRDMA_PROTOCOL_2_04, WORDS(FIXED2(5), 1, 77, 4, 0x01020304),
                  RPCRDMA_KIND_OPTIONAL, 0, RPCRDMA_DIRECTION_UNKNOWN, 32);
    ck_assert_uint_eq(message.optional.direction, 1);
    ck_assert_uint_eq(message.optional.type, 77);
    ck_assert_uint_eq(message.optional.info.length, 4);
    check_lists(0, 0, 0, false);
}
END_TEST

static void check_property(const struct rpcrdma_property_array *set, uint32_t id, uint32_t value)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    ck_assert(rpcrdma_property_array_next(&iter, &property));
    ck_assert_uint_eq(property.id, id);
    ck_assert_uint_eq(property.value.length, 4);
    ck_assert_uint_eq(rpcrdma_xdr_load32(property.value.data), value);
    ck_assert(!rpcrdma_property_array_next(&iter, &property));
}

/* Properties that a caller has laid out, rather than decoded: each, and no more. */
START_TEST(own_properties)
{
    static const struct rpcrdma_property own[] = {{.id = 1}, {.id = 7}, {.id = 3}};
    for (uint32_t count = 0; count <= 3; count++) {
        struct rpcrdma_property_array array = {.items = own, .count = count};
        struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&array);
        struct rpcrdma_property property;
        for (uint32_t i = 0; i < count; i++) {
            ck_assert(rpcrdma_property_array_next(&iter, &property));
            ck_assert_uint_eq(property.id, own[i].id);
        }
        ck_assert(!rpcrdma_property_array_next(&iter, &property));
    }
}
END_TEST

/* How long each of the lists of properties is. */
static void check_properties(uint32_t set, uint32_t unchanging, uint32_t done, uint32_t rejected,
                             uint32_t other)
{
    ck_assert_int_eq(message.kind, RPCRDMA_KIND_PROPERTIES);
    ck_assert_uint_eq(message.properties.set.count, set);
    ck_assert_uint_eq(message.properties.unchanging.count, unchanging);
    ck_assert_uint_eq(message.properties.done.count, done);
    ck_assert_uint_eq(message.properties.rejected.count, rejected);
    ck_assert_uint_eq(message.properties.other.count, other);
    check_lists(0, 0, 0, false);
}

START_TEST(properties_04)
{
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(6), 1, 1, 4, 8192, 1, 2), 40);
    check_properties(1, 1, 0, 0, 0);
    check_property(&message.properties.set, 1, 8192);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(7), 1, 2, 4, 5), 32);
    check_properties(1, 0, 0, 0, 0);
    check_property(&message.properties.set, 2, 5);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(8), 1, 1, 2, 2, 3, 1, 9, 4, 6), 52);
    check_properties(0, 0, 1, 2, 1);
    check_property(&message.properties.other, 9, 6);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(9), 1, 1, 4, 4096), 32);
    check_properties(1, 0, 0, 0, 0);
    check_property(&message.properties.set, 1, 4096);
}
END_TEST

/* ---- draft -07 ---- */

START_TEST(version2_07)
{
    check_message(RPCRDMA_PROTOCOL_2_07,
                  WORDS(FIXED2(8), 0xbeef, 1, 0, HLOO, 0, 1, 60, HLOO, 0, 1, 0, 0, 1, 1, HLOO),
                  RPCRDMA_KIND_RPC, RPCRDMA_FORM_SPECIAL, RPCRDMA_CALL, 112);
    check_lists(1, 1, 1, true);
    ck_assert_uint_eq(message.rpc.invalidate, 0xbeef);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(9), 500, 0x11223344), RPCRDMA_KIND_RPC,
                  RPCRDMA_FORM_PIECE, RPCRDMA_CALL, 20);
    ck_assert_uint_eq(message.rpc.remaining, 500);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(10), 7, 0, 0, 0, 0x11223344, 0),
                  RPCRDMA_KIND_RPC, RPCRDMA_FORM_INLINE, RPCRDMA_CALL, 32);
    ck_assert_uint_eq(message.rpc.invalidate, 7);
    check_lists(0, 0, 0, false);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(11), 0, 1, 1, HLOO), RPCRDMA_KIND_RPC,
                  RPCRDMA_FORM_SPECIAL, RPCRDMA_REPLY, 44);
    check_lists(0, 0, 0, true);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(12), 8, 0x11223344), RPCRDMA_KIND_RPC,
                  RPCRDMA_FORM_PIECE, RPCRDMA_REPLY, 20);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(13), 1, 1, HLOO, 0, 0x11223344, 1),
                  RPCRDMA_KIND_RPC, RPCRDMA_FORM_INLINE, RPCRDMA_REPLY, 44);
    check_lists(0, 0, 1, false);
    check_message(RPCRDMA_PROTOCOL_2_07, WORDS(FIXED2(5)), RPCRDMA_KIND_GRANT, 0,
                  RPCRDMA_DIRECTION_UNKNOWN, 16);
    check_lists(0, 0, 0, false);
}
END_TEST

/* Every list, of all messages that have it: each with one segment, of a handle of its own. */
#define SEGMENT(handle) handle, 100, 0, 0
#define READS SEGMENT(0x71)
#define WRITES 1, 1, SEGMENT(0x72), 0
#define ANSWER 1, 1, SEGMENT(0x73)

static void check_segments(const struct rpcrdma1_segment_array *segments, uint32_t handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
    ck_assert_uint_eq(segment.handle, handle);
    ck_assert_uint_eq(segment.length, 100);
    ck_assert(!rpcrdma1_segment_array_next(&iter, &segment));
}

static void check_reads(const struct rpcrdma1_read_list *list, uint32_t handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    struct rpcrdma1_read_segment read;
    ck_assert(rpcrdma1_read_list_next(&iter, &read));
    ck_assert_uint_eq(read.target.handle, handle);
    ck_assert(!rpcrdma1_read_list_next(&iter, &read));
}

static void check_chunks(bool call, bool reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message.chunks.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    check_lists(call, reads, 1, true);
    if (call)
        check_reads(&message.call_chunk, 0x70);
    if (reads)
        check_reads(&message.chunks.rdma_reads, 0x71);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    check_segments(&chunk.target, 0x72);
    check_segments(&message.chunks.rdma_reply.value.target, 0x73);
}

START_TEST(all_lists)
{
    for (uint32_t type = 0; type < 2; type++) {
        ck_assert_int_gt(KEEP(RPCRDMA_PROTOCOL_1, FIXED1(type), 1, 40, READS, 0, WRITES, ANSWER),
                         0);
        check_chunks(false, true);
        ck_assert_int_gt(
            KEEP(RPCRDMA_PROTOCOL_2_04, FIXED2(type), 0, 0xbeef, 1, 40, READS, 0, WRITES, ANSWER),
            0);
        check_chunks(false, true);
    }
    ck_assert_int_gt(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(8), 0xbeef, 1, 0, SEGMENT(0x70), 0, 1, 60,
                          READS, 0, WRITES, ANSWER),
                     0);
    check_chunks(true, true);
    ck_assert_int_gt(
        KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(10), 7, 1, 60, READS, 0, WRITES, ANSWER, 0x11223344), 0);
    check_chunks(false, true);
    ck_assert_int_gt(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(11), WRITES, ANSWER), 0);
    check_chunks(false, false);
}
END_TEST

START_TEST(others_07)
{
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(6), 1, 2, 4, 8192), 32);
    check_properties(1, 0, 0, 0, 0);
    check_property(&message.properties.set, 2, 8192);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(7), 0), 20);
    check_properties(0, 0, 0, 0, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 1, 1, 2), 28);
    check_error_values(1, 2, 1, 2);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 6, 3), 24);
    check_error_values(6, 1, 3, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 8, 4), 24);
    check_error_values(8, 1, 4, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 9, 3, 99), 28);
    check_error_values(9, 2, 3, 99);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 10, 98), 24);
    check_error_values(10, 1, 98, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(4), 77), 20);
    check_error_values(77, 0, 0, 0);
    ck_assert_int_eq(KEEP(RPCRDMA_PROTOCOL_2_07, FIXED2(14)), RPCRDMA_XDR_E_UNION);
}
END_TEST

/* ---- what does not decode ---- */

/* Errors and properties whose end is missing. */
START_TEST(cut)
{
    const struct octets of_04[] = {
        WORDS(FIXED2(4), 1, 2, 3),
        WORDS(FIXED2(4), 7, 2, 9),
        WORDS(FIXED2(4), 8, 77),
        WORDS(FIXED2(5), 1, 77, 4, 0x01020304),
        WORDS(FIXED2(6), 1, 1, 4, 8192, 1, 2),
        WORDS(FIXED2(7), 1, 2, 4, 5),
        WORDS(FIXED2(8), 1, 1, 2, 2, 3, 1, 9, 4, 6),
        WORDS(FIXED2(9), 1, 1, 4, 4096),
    };
    const struct octets of_07[] = {
        WORDS(FIXED2(4), 1, 1, 2),
        WORDS(FIXED2(4), 9, 3, 99),
        WORDS(FIXED2(6), 1, 2, 4, 8192),
        WORDS(FIXED2(7), 1, 2, 4, 8192),
    };
    for (size_t i = 0; i < sizeof of_04 / sizeof *of_04; i++)
        check_cuts(RPCRDMA_PROTOCOL_2_04, &of_04[i], of_04[i].length);
    for (size_t i = 0; i < sizeof of_07 / sizeof *of_07; i++)
        check_cuts(RPCRDMA_PROTOCOL_2_07, &of_07[i], of_07[i].length);
}
END_TEST

static void check_fault(enum rpcrdma_protocol protocol, const struct octets *octets, int code,
                        uint32_t offset, const char *path)
{
    struct rpcrdma_xdr_error error;
    char text[128];
    uint8_t *copy = exact(octets->at, octets->length);
    ck_assert_int_eq(rpcrdma_message_decode(&message, protocol, copy, octets->length, &error),
                     code);
    drop(copy);
    rpcrdma_xdr_error_path(&error, text, sizeof text);
    ck_assert_int_eq(error.code, code);
    ck_assert_uint_eq(error.offset, offset);
    ck_assert_str_eq(text, path);
    check_lists(0, 0, 0, false);
}

#define CHECK_FAULT(protocol, code, offset, path, ...)                                             \
    do {                                                                                           \
        struct octets all = WORDS(__VA_ARGS__);                                                    \
        check_fault(protocol, &all, code, offset, path);                                           \
    } while (0)

START_TEST(faults)
{
    CHECK_FAULT(RPCRDMA_PROTOCOL_1, RPCRDMA_XDR_E_PRESENCE, 20, "rdma_writes[0]", FIXED1(0), 0, 2,
                0);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_04, RPCRDMA_XDR_E_ENUM, 16, "rdma_direction", FIXED2(0), 2, 0, 0,
                0, 0);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_07, RPCRDMA_XDR_E_TRUNCATED, 12, "rdma_start.rdma_htype",
                0x11223344, 2, 32);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_07, RPCRDMA_XDR_E_UNION, 12, "rdma_htype", FIXED2(3), 0);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_07, RPCRDMA_XDR_E_UNION, 12, "rdma_htype", FIXED2(14), 0);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_07, RPCRDMA_XDR_E_PRESENCE, 24, "rdma_provisional_writes[0]",
                FIXED2(10), 0, 0, 3, 0, 0);
    CHECK_FAULT(RPCRDMA_PROTOCOL_2_07, RPCRDMA_XDR_E_TRUNCATED, 32, "rdma_rpc_first_word",
                FIXED2(10), 0, 0, 0, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("message");
    tcase_add_test(tcase, version1);
    tcase_add_test(tcase, version2_04);
    tcase_add_test(tcase, own_properties);
    tcase_add_test(tcase, properties_04);
    tcase_add_test(tcase, version2_07);
    tcase_add_test(tcase, all_lists);
    tcase_add_test(tcase, others_07);
    tcase_add_test(tcase, cut);
    tcase_add_test(tcase, faults);
    return run_tests("message", tcase);
}
