// SPDX-License-Identifier: BSD-3-Clause
/* Which draft a Send of version 2 follows, and the names that the drafts give. */
#include <rpcrdma/message.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#include <stdio.h>

#define EXAMPLES "codec/tests/data/version2.txt"

/* ---- worked examples ---- */

struct example {
    char name[64];
    enum rpcrdma_protocol draft;
    size_t header;
    struct octets octets;
};

static void put_hex(struct octets *octets, const char *hex)
{
    unsigned octet;
    for (; sscanf(hex, "%2x", &octet) == 1; hex += 2)
        octets->at[octets->length++] = (uint8_t)octet;
}

/* The next Send of the file; false at its end. */
static bool next_example(FILE *file, struct example *example)
{
    static char line[8192], hex[8192];
    char draft[3], from[16];
    *example = (struct example){.header = 0};
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == ' ' || line[0] == '\n')
            continue;
        ck_assert_int_eq(sscanf(line, "%63s %2s %15s %zu %8191s", example->name, draft, from,
                                &example->header, hex),
                         5);
        ck_assert_uint_le(strlen(hex), 2 * sizeof example->octets.at);
        put_hex(&example->octets, hex);
        example->draft = strcmp(draft, "04") == 0 ? RPCRDMA_PROTOCOL_2_04 : RPCRDMA_PROTOCOL_2_07;
        return true;
    }
    return false;
}

/* Each is read to where its payload begins. */
static void check_decodes(const struct example *example)
{
    struct rpcrdma_message message;
    ck_assert_msg(rpcrdma_message_decode(&message, example->draft, example->octets.at,
                                         example->octets.length,
                                         NULL) == (ptrdiff_t)example->header,
                  "%s", example->name);
}

/* Sends that are a message of both drafts, or of version 1. */
static bool shows_no_draft(const struct example *example)
{
    static const char *const names[] = {
        "04-properties/1",  /* REQPROP or CONNPROP_FINAL */
        "07-negotiation/1", /* ERR_VERS */
        "07-properties/2",  /* CONNPROP_FINAL or REQPROP */
        "07-properties/3",  /* the same */
        "07-errors/1",      /* READ_CHUNKS or SEGMENTS */
        "07-errors/2",      /* SEGMENTS or REPLY_RESOURCE */
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], example->name) == 0)
            return true;
    return false;
}

/* A REQPROP cannot be a first message; what else shows no draft is taken for -07, but for what
 * would be an unlikely piece. */
static void check_guess(const struct example *example)
{
    bool sure = false;
    uint8_t *copy = exact(example->octets.at, example->octets.length);
    enum rpcrdma_protocol guess = rpcrdma_guess_draft(copy, example->octets.length, false, &sure);
    bool none = shows_no_draft(example);
    ck_assert_msg(sure == !none, "%s: %d", example->name, sure);
    if (!none || strcmp(example->name, "04-properties/3") == 0)
        ck_assert_msg(guess == example->draft, "%s: %d", example->name, guess);
    else
        ck_assert_msg(guess == RPCRDMA_PROTOCOL_2_07, "%s", example->name);
    drop(copy);
}

/* Whatever is cut off: no look beyond the end, and what is sure is a message of that draft. */
static void check_prefixes(const struct example *example)
{
    for (size_t length = 0; length < example->octets.length; length++) {
        uint8_t *copy = exact(example->octets.at, length);
        struct rpcrdma_message message;
        for (int first = 0; first < 2; first++) {
            bool sure = true;
            enum rpcrdma_protocol guess = rpcrdma_guess_draft(copy, length, first, &sure);
            ck_assert_int_ne(guess, RPCRDMA_PROTOCOL_1);
            if (length < 16)
                ck_assert_msg(!sure && guess == RPCRDMA_PROTOCOL_2_07, "%s", example->name);
            if (sure && copy[15] >= 4 && copy[15] <= 9)
                ck_assert_msg(rpcrdma_message_decode(&message, guess, copy, length, NULL) >= 0,
                              "%s, %zu octets", example->name, length);
        }
        drop(copy);
    }
}

START_TEST(examples)
{
    struct example example;
    FILE *file = fopen(EXAMPLES, "r");
    ck_assert_ptr_nonnull(file);
    unsigned count = 0;
    for (; next_example(file, &example); count++) {
        check_prefixes(&example);
        /* One is of version 1. */
        if (rpcrdma_xdr_load32(example.octets.at + 4) == 1 && example.octets.at[15] == 0)
            continue;
        check_decodes(&example);
        check_guess(&example);
    }
    ck_assert_uint_eq(count, 34);
    fclose(file);
}
END_TEST

/* ---- single Sends ---- */

static void check_one(struct octets octets, bool first, enum rpcrdma_protocol draft, bool sure)
{
    bool is_sure = !sure;
    ck_assert_int_eq(rpcrdma_guess_draft(octets.at, octets.length, first, &is_sure), draft);
    ck_assert_int_eq(is_sure, sure);
}

#define TYPE(type) 0x11223344, 2, 32, type

START_TEST(types)
{
    /* What one draft alone has, whatever follows. */
    for (uint32_t type = 0; type < 2; type++)
        check_one(WORDS(TYPE(type), 7), false, RPCRDMA_PROTOCOL_2_04, true);
    for (uint32_t type = 10; type < 14; type++)
        check_one(WORDS(TYPE(type), 7), false, RPCRDMA_PROTOCOL_2_07, true);
    /* What is no prefix, whatever came before. */
    check_one(WORDS(0x11223344, 2, 32), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(0), 7), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(0x11223344, 2, 32), true, RPCRDMA_PROTOCOL_2_07, false);
    /* What neither has. */
    check_one(WORDS(TYPE(2), 0), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(3)), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(14), 0), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(0xffffffff)), false, RPCRDMA_PROTOCOL_2_07, false);
}
END_TEST

START_TEST(grant_or_optional)
{
    check_one(WORDS(TYPE(5)), false, RPCRDMA_PROTOCOL_2_07, true);
    /* With a word too many it still is not that of an OPTIONAL. */
    check_one(WORDS(TYPE(5), 0), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(5), 0, 99, 0), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(5), 1, 99, 4, 7, 0x99, 0), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(5), 2, 99, 0), false, RPCRDMA_PROTOCOL_2_07, false);
}
END_TEST

START_TEST(properties)
{
    /* CONNPROP ends with a set of numbers, CONNPROP_MIDDLE before it. */
    check_one(WORDS(TYPE(6), 1, 1, 4, 8192, 0), true, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(6), 1, 1, 4, 8192), true, RPCRDMA_PROTOCOL_2_07, true);
    check_one(WORDS(TYPE(6), 1, 1, 8, 8192), true, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(7), 1, 1, 4, 8192), true, RPCRDMA_PROTOCOL_2_07, true);
    check_one(WORDS(TYPE(7), 1, 1, 4, 8192), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(7), 1, 1, 8, 8192), true, RPCRDMA_PROTOCOL_2_07, false);
    /* RESPROP, and a Call in a chunk. */
    check_one(WORDS(TYPE(8), 0, 0, 0), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(8), 0, 0, 0, 0, 0), false, RPCRDMA_PROTOCOL_2_07, true);
    check_one(WORDS(TYPE(8), 0, 0, 0, 0, 0, 0), false, RPCRDMA_PROTOCOL_2_07, false);
    /* UPDPROP, and a piece of a Call. */
    check_one(WORDS(TYPE(9), 0), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(9), 36, 0x11223344, 0, 2), false, RPCRDMA_PROTOCOL_2_07, true);
    check_one(WORDS(TYPE(9), 1, 1, 4, 8192), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(9), 1, 1, 4, 8192), true, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(9), 3, 1, 0, 2, 0, 9, 0), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(9), 4, 1, 0, 2, 0, 9, 0, 10, 0), false, RPCRDMA_PROTOCOL_2_04, false);
    check_one(WORDS(TYPE(9), 3, 0x11223344), false, RPCRDMA_PROTOCOL_2_07, true);
}
END_TEST

START_TEST(errors)
{
    check_one(WORDS(TYPE(4), 2), false, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(4), 2), true, RPCRDMA_PROTOCOL_2_07, false);
    check_one(WORDS(TYPE(4), 4, 3), false, RPCRDMA_PROTOCOL_2_04, true);
    check_one(WORDS(TYPE(4), 4), false, RPCRDMA_PROTOCOL_2_07, true);
    check_one(WORDS(TYPE(4), 100), false, RPCRDMA_PROTOCOL_2_07, true);
}
END_TEST

/* ---- names ---- */

typedef const char *naming(enum rpcrdma_protocol protocol, uint32_t number);

static void check_names(naming *name, enum rpcrdma_protocol protocol, uint32_t first,
                        const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(name(protocol, first + (uint32_t)i), names[i]);
    ck_assert_ptr_null(name(protocol, first + (uint32_t)count));
    ck_assert_ptr_null(name(protocol, first - 1));
    ck_assert_ptr_null(name(protocol, UINT32_MAX));
}
#define CHECK_NAMES(name, protocol, first, ...)                                                    \
    check_names(name, protocol, first, (const char *const[]){__VA_ARGS__},                         \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

START_TEST(names)
{
    CHECK_NAMES(rpcrdma_type_name, RPCRDMA_PROTOCOL_1, 0, "RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP",
                "RDMA_DONE", "RDMA_ERROR");
    CHECK_NAMES(rpcrdma_type_name, RPCRDMA_PROTOCOL_2_04, 4, "RDMA2_ERROR", "RDMA2_OPTIONAL",
                "RDMA2_CONNPROP", "RDMA2_REQPROP", "RDMA2_RESPROP", "RDMA2_UPDPROP");
    ck_assert_str_eq(rpcrdma_type_name(RPCRDMA_PROTOCOL_2_04, 1), "RDMA2_NOMSG");
    ck_assert_ptr_null(rpcrdma_type_name(RPCRDMA_PROTOCOL_2_07, 3));
    CHECK_NAMES(rpcrdma_type_name, RPCRDMA_PROTOCOL_2_07, 4, "RDMA2_ERROR", "RDMA2_GRANT",
                "RDMA2_CONNPROP_MIDDLE", "RDMA2_CONNPROP_FINAL", "RDMA2_CALL_EXTERNAL",
                "RDMA2_CALL_MIDDLE", "RDMA2_CALL_INLINE", "RDMA2_REPLY_EXTERNAL",
                "RDMA2_REPLY_MIDDLE", "RDMA2_REPLY_INLINE");
    CHECK_NAMES(rpcrdma_error_name, RPCRDMA_PROTOCOL_1, 1, "ERR_VERS", "ERR_CHUNK");
    CHECK_NAMES(rpcrdma_error_name, RPCRDMA_PROTOCOL_2_04, 1, "RDMA2_ERR_VERS", "RDMA2_ERR_BAD_XDR",
                "RDMA2_ERR_INVALID_PROC", "RDMA2_ERR_READ_CHUNKS", "RDMA2_ERR_WRITE_CHUNKS",
                "RDMA2_ERR_SEGMENTS", "RDMA2_ERR_WRITE_RESOURCE", "RDMA2_ERR_REPLY_RESOURCE",
                "RDMA2_ERR_INVALID_OPTION", "RDMA2_ERR_SYSTEM");
    CHECK_NAMES(rpcrdma_error_name, RPCRDMA_PROTOCOL_2_07, 1, "RDMA2_ERR_VERS", "RDMA2_ERR_BAD_XDR",
                "RDMA2_ERR_BAD_PROPVAL", "RDMA2_ERR_INVAL_HTYPE", "RDMA2_ERR_INVAL_CONT",
                "RDMA2_ERR_READ_CHUNKS", "RDMA2_ERR_WRITE_CHUNKS", "RDMA2_ERR_SEGMENTS",
                "RDMA2_ERR_WRITE_RESOURCE", "RDMA2_ERR_REPLY_RESOURCE", "RDMA2_ERR_VERS_MISMATCH");
    ck_assert_str_eq(rpcrdma_error_name(RPCRDMA_PROTOCOL_2_07, 100), "RDMA2_ERR_SYSTEM");
    CHECK_NAMES(rpcrdma_property_name, RPCRDMA_PROTOCOL_2_04, 1, "RDMA2_PROPID_RBSIZ",
                "RDMA2_PROPID_BRS");
    CHECK_NAMES(rpcrdma_property_name, RPCRDMA_PROTOCOL_2_07, 1, "RDMA2_PROPID_SBSIZ",
                "RDMA2_PROPID_RBSIZ", "RDMA2_PROPID_RSSIZ", "RDMA2_PROPID_RCSIZ",
                "RDMA2_PROPID_BRS", "RDMA2_PROPID_HOSTAUTH");
    CHECK_NAMES(rpcrdma_reverse_name, RPCRDMA_PROTOCOL_2_04, 0, "RDMA2_BKREQSUP_NONE",
                "RDMA2_BKREQSUP_INLINE", "RDMA2_BKREQSUP_GENL");
    CHECK_NAMES(rpcrdma_reverse_name, RPCRDMA_PROTOCOL_2_07, 0, "RDMA2_RVRSDIR_NONE",
                "RDMA2_RVRSDIR_SIMPLE", "RDMA2_RVRSDIR_CONT", "RDMA2_RVRSDIR_GENL");
    ck_assert_str_eq(rpcrdma_type_name(RPCRDMA_PROTOCOL_2_04, 0), "RDMA2_MSG");
    const enum rpcrdma_protocol none = (enum rpcrdma_protocol)99;
    ck_assert_ptr_null(rpcrdma_type_name(RPCRDMA_PROTOCOL_AUTO, 1));
    ck_assert_ptr_null(rpcrdma_type_name(none, 1));
    ck_assert_ptr_null(rpcrdma_error_name(none, 1));
    ck_assert_ptr_null(rpcrdma_property_name(none, 1));
    ck_assert_ptr_null(rpcrdma_reverse_name(none, 1));
    ck_assert_ptr_null(rpcrdma_property_name(RPCRDMA_PROTOCOL_1, 1));
    ck_assert_ptr_null(rpcrdma_reverse_name(RPCRDMA_PROTOCOL_1, 1));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("draft");
    tcase_add_test(tcase, examples);
    tcase_add_test(tcase, types);
    tcase_add_test(tcase, grant_or_optional);
    tcase_add_test(tcase, properties);
    tcase_add_test(tcase, errors);
    tcase_add_test(tcase, names);
    return run_tests("draft", tcase);
}
