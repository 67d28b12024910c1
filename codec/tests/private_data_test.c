// SPDX-License-Identifier: BSD-3-Clause
/* RDMA-CM private data on octets laid down by hand (RFC 8797). */
#include <rpcrdma/private_data.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#define IDENTIFIER 0xf6, 0xab, 0x0e, 0x18

static int find(struct rpcrdma_private_data *data, const uint8_t *octets, size_t length)
{
    uint8_t *copy = exact(octets, length);
    int found = rpcrdma_private_data_find(data, copy, length);
    drop(copy);
    return found;
}
#define FIND(data, ...)                                                                            \
    find(data, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

START_TEST(fields)
{
    struct rpcrdma_private_data data;
    ck_assert_int_eq(FIND(&data, IDENTIFIER, 1, 0, 3, 7), 0);
    ck_assert_uint_eq(data.version, 1);
    ck_assert(!data.remote_invalidation);
    ck_assert_uint_eq(data.send_size, 4096);
    ck_assert_uint_eq(data.receive_size, 8192);
    ck_assert_uint_eq(data.offset, 0);
    ck_assert_int_eq(FIND(&data, IDENTIFIER, 1, 1, 0, 255), 0);
    ck_assert(data.remote_invalidation);
    ck_assert_uint_eq(data.send_size, 1024);
    ck_assert_uint_eq(data.receive_size, 262144);
}
END_TEST

/* A receiver ignores the seven bits beside R. */
START_TEST(reserved_bits)
{
    struct rpcrdma_private_data data;
    ck_assert_int_eq(FIND(&data, IDENTIFIER, 1, 0xfe, 0, 0), 0);
    ck_assert(!data.remote_invalidation);
    ck_assert_int_eq(FIND(&data, IDENTIFIER, 1, 0xff, 0, 0), 0);
    ck_assert(data.remote_invalidation);
}
END_TEST

/* Octets of other layers come before and after it; the longest private data is 196 octets. */
START_TEST(any_alignment)
{
    const uint8_t message[] = {IDENTIFIER, 1, 1, 2, 3};
    for (size_t before = 0; before <= 196 - sizeof message; before++) {
        uint8_t octets[196];
        struct rpcrdma_private_data data;
        memset(octets, 0xf6, sizeof octets); /* like the identifier's first octet */
        memcpy(octets + before, message, sizeof message);
        ck_assert_int_eq(find(&data, octets, sizeof octets), 0);
        ck_assert_uint_eq(data.offset, before);
        ck_assert_uint_eq(data.send_size, 3072);
        ck_assert_int_eq(find(&data, octets, before + sizeof message), 0);
        ck_assert_uint_eq(data.receive_size, 4096);
    }
}
END_TEST

START_TEST(almost_the_identifier)
{
    struct rpcrdma_private_data data;
    ck_assert_int_eq(FIND(&data, 0xf6, 0xab, 0xf6, 0xab, 0x0e, 0x18, 1, 0, 0, 0), 0);
    ck_assert_uint_eq(data.offset, 2);
    ck_assert_int_eq(FIND(&data, 0x18, 0x0e, 0xab, 0xf6, 1, 0, 0, 0), RPCRDMA_E_PD_ABSENT);
    ck_assert_int_eq(FIND(&data, 0xf6, 0xab, 0x0e, 0x19, 1, 0, 0, 0), RPCRDMA_E_PD_ABSENT);
}
END_TEST

START_TEST(absent)
{
    struct rpcrdma_private_data data;
    static const uint8_t zero[196];
    for (size_t length = 0; length <= sizeof zero; length++)
        ck_assert_int_eq(find(&data, zero, length), RPCRDMA_E_PD_ABSENT);
    ck_assert_int_eq(rpcrdma_private_data_find(&data, NULL, 0), RPCRDMA_E_PD_ABSENT);
}
END_TEST

START_TEST(truncated)
{
    const uint8_t octets[] = {9, 9, 9, IDENTIFIER, 1, 1, 2, 3};
    struct rpcrdma_private_data data;
    for (size_t before = 0; before <= 3; before++) { /* octets, of which none need be there */
        const uint8_t *from = octets + 3 - before;
        for (size_t length = 0; length < before + 4; length++)
            ck_assert_int_eq(find(&data, from, length), RPCRDMA_E_PD_ABSENT);
        for (size_t length = before + 4; length < before + 8; length++) {
            ck_assert_int_eq(find(&data, from, length), RPCRDMA_E_PD_TRUNCATED);
            ck_assert_uint_eq(data.offset, before);
        }
        ck_assert_int_eq(find(&data, from, before + 8), 0);
    }
}
END_TEST

START_TEST(other_versions)
{
    for (unsigned version = 0; version < 256; version++) {
        struct rpcrdma_private_data data;
        int found = FIND(&data, 0, IDENTIFIER, (uint8_t)version, 0, 0, 0);
        ck_assert_int_eq(found, version == 1 ? 0 : RPCRDMA_E_PD_VERSION);
        ck_assert_uint_eq(data.version, version);
        ck_assert_uint_eq(data.offset, 1);
    }
}
END_TEST

/* The first one counts, even if only the second is of use. */
START_TEST(identifier_twice)
{
    struct rpcrdma_private_data data;
    ck_assert_int_eq(FIND(&data, IDENTIFIER, 1, 0, 4, 4, IDENTIFIER, 1, 0, 8, 8), 0);
    ck_assert_uint_eq(data.send_size, 5120);
    ck_assert_int_eq(FIND(&data, IDENTIFIER, IDENTIFIER, 1, 0, 8, 8), RPCRDMA_E_PD_VERSION);
    ck_assert_uint_eq(data.version, 0xf6);
}
END_TEST

START_TEST(encoded)
{
    uint8_t octets[9];
    const struct rpcrdma_private_data data = {
        .remote_invalidation = true, .send_size = 4096, .receive_size = 262144};
    const uint8_t want[] = {IDENTIFIER, 1, 1, 3, 255};
    ck_assert_int_eq(rpcrdma_private_data_encode(octets, sizeof octets, &data), 8);
    ck_assert_mem_eq(octets, want, sizeof want);
    for (size_t room = 0; room < 8; room++) {
        static const uint8_t zero[8];
        uint8_t *exactly = exact(zero, room);
        ck_assert_int_eq(rpcrdma_private_data_encode(exactly, room, &data), RPCRDMA_XDR_E_SPACE);
        ck_assert_mem_eq(exactly, zero, room);
        drop(exactly);
    }
}
END_TEST

START_TEST(sizes_are_rounded_down)
{
    static const struct {
        uint32_t size;
        uint8_t octet;
    } sizes[] = {{0, 0},        {1023, 0},     {1024, 0},     {2047, 0},        {2048, 1},
                 {262143, 254}, {262144, 255}, {263168, 255}, {0xffffffff, 255}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t octets[8];
        struct rpcrdma_private_data data = {.send_size = sizes[i].size,
                                            .receive_size = sizes[i].size};
        ck_assert_int_eq(rpcrdma_private_data_encode(octets, 8, &data), 8);
        ck_assert_uint_eq(octets[6], sizes[i].octet);
        ck_assert_uint_eq(octets[7], sizes[i].octet);
    }
}
END_TEST

START_TEST(what_is_encoded_is_found)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint8_t octets[11] = {0};
        struct rpcrdma_private_data found, data = {.remote_invalidation = i & 1,
                                                   .send_size = 1024 * (i + 1),
                                                   .receive_size = 1024 * (256 - i)};
        size_t offset = i % 4;
        ck_assert_int_eq(rpcrdma_private_data_encode(octets + offset, 8, &data), 8);
        ck_assert_int_eq(rpcrdma_private_data_find(&found, octets, sizeof octets), 0);
        ck_assert_uint_eq(found.offset, offset);
        ck_assert_int_eq(found.remote_invalidation, data.remote_invalidation);
        ck_assert_uint_eq(found.send_size, data.send_size);
        ck_assert_uint_eq(found.receive_size, data.receive_size);
    }
}
END_TEST

static void check_thresholds(const struct rpcrdma_private_data *client,
                             const struct rpcrdma_private_data *server, uint32_t from_client,
                             uint32_t from_server)
{
    uint32_t threshold[2];
    rpcrdma_inline_thresholds(client, server, threshold);
    ck_assert_uint_eq(threshold[0], from_client);
    ck_assert_uint_eq(threshold[1], from_server);
}

START_TEST(thresholds)
{
    const struct rpcrdma_private_data small = {.send_size = 2048, .receive_size = 3072},
                                      large = {.send_size = 8192, .receive_size = 16384},
                                      uneven = {.send_size = 32768, .receive_size = 1024};
    check_thresholds(NULL, NULL, 1024, 1024);
    check_thresholds(&large, NULL, 1024, 1024);
    check_thresholds(NULL, &large, 1024, 1024);
    check_thresholds(&small, &large, 2048, 3072);
    check_thresholds(&large, &small, 3072, 2048);
    check_thresholds(&large, &uneven, 1024, 16384);
    check_thresholds(&uneven, &large, 16384, 1024);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("private_data");
    TCase *find_case = tcase_create("find"), *make = tcase_create("encode");
    tcase_add_test(find_case, fields);
    tcase_add_test(find_case, reserved_bits);
    tcase_add_test(find_case, any_alignment);
    tcase_add_test(find_case, almost_the_identifier);
    tcase_add_test(find_case, absent);
    tcase_add_test(find_case, truncated);
    tcase_add_test(find_case, other_versions);
    tcase_add_test(find_case, identifier_twice);
    tcase_add_test(make, encoded);
    tcase_add_test(make, sizes_are_rounded_down);
    tcase_add_test(make, what_is_encoded_is_found);
    tcase_add_test(make, thresholds);
    suite_add_tcase(suite, find_case);
    suite_add_tcase(suite, make);
    return run_suite(suite);
}
