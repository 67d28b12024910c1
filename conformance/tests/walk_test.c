// SPDX-License-Identifier: BSD-3-Clause
/* The walk over a transport header: every field in its order, with what is known of its value. */
#include "conformance/walk/header.h"
#include "conformance/walk/tables.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <rpcrdma/message.h>
#include <rpcrdma/xdr.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char seen[8192];
static size_t seen_length;
static unsigned left; /* fields until the visitor stops the walk; 0: never */

/* A line a field: its depth as indentation, path, offset, length, number, name. */
static bool see(void *arg, const struct walk_field *field)
{
    static const char *const kinds[] = {"unsigned", "signed", "bool", "enum", "opaque",
                                        "string",   "count",  "{",    "}"};
    ck_assert_ptr_eq(arg, seen);
    seen_length += (size_t)snprintf(seen + seen_length, sizeof seen - seen_length, "%*s%s %s @%zu",
                                    2 * (int)field->depth, "", kinds[field->kind],
                                    field->path[0] ? field->path : "-", field->offset);
    if (field->kind < WALK_BEGIN)
        seen_length += (size_t)snprintf(seen + seen_length, sizeof seen - seen_length,
                                        "+%zu = %" PRIu64 "%s%s", field->length, field->number,
                                        field->text ? " " : "", field->text ? field->text : "");
    if (field->has_value)
        seen_length += (size_t)snprintf(seen + seen_length, sizeof seen - seen_length,
                                        " value %" PRIu32, field->value);
    seen_length += (size_t)snprintf(seen + seen_length, sizeof seen - seen_length, "\n");
    ck_assert_uint_lt(seen_length, sizeof seen);
    return left == 0 || --left > 0;
}

static ptrdiff_t walk(enum rpcrdma_protocol protocol, const uint32_t *words, size_t count,
                      struct walk_error *error)
{
    uint8_t octets[256];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    seen_length = 0;
    seen[0] = '\0';
    *error = (struct walk_error){0};
    return rpcrdma_walk_header(protocol, octets, 4 * count, see, seen, error);
}

/* Properties of one word have a value, where it is known what they are; in -07 the outermost
 * brackets of prefix and body are those of one header. */
static const struct {
    enum rpcrdma_protocol protocol;
    uint32_t words[24];
    size_t count;
    const char *fields;
} headers[] = {
    {RPCRDMA_PROTOCOL_2_07,
     {0xa, 2, 32, 7, 5, 1, 4, 8192, 2, 4, 1, 6, 4, 7, 99, 4, 7, 1, 3, 0},
     20,
     "{ - @0\n"
     "  unsigned rdma_xid @0+4 = 10\n"
     "  unsigned rdma_vers @4+4 = 2\n"
     "  unsigned rdma_credit @8+4 = 32\n"
     "  unsigned rdma_htype @12+4 = 7 RDMA2_CONNPROP_FINAL\n"
     "  { rdma_props @16\n"
     "    count rdma_props @16+4 = 5\n"
     "    { rdma_props[0] @20\n"
     "      unsigned rdma_props[0].rdma_which @20+4 = 1 RDMA2_PROPID_SBSIZ\n"
     "      count rdma_props[0].rdma_data @24+4 = 4\n"
     "      opaque rdma_props[0].rdma_data @28+4 = 4 value 8192\n"
     "    } rdma_props[0] @32\n"
     "    { rdma_props[1] @32\n"
     "      unsigned rdma_props[1].rdma_which @32+4 = 2 RDMA2_PROPID_RBSIZ\n"
     "      count rdma_props[1].rdma_data @36+4 = 4\n"
     "      opaque rdma_props[1].rdma_data @40+4 = 4 value 1\n"
     "    } rdma_props[1] @44\n"
     "    { rdma_props[2] @44\n"
     "      unsigned rdma_props[2].rdma_which @44+4 = 6 RDMA2_PROPID_HOSTAUTH\n"
     "      count rdma_props[2].rdma_data @48+4 = 4\n"
     "      opaque rdma_props[2].rdma_data @52+4 = 4\n"
     "    } rdma_props[2] @56\n"
     "    { rdma_props[3] @56\n"
     "      unsigned rdma_props[3].rdma_which @56+4 = 99\n"
     "      count rdma_props[3].rdma_data @60+4 = 4\n"
     "      opaque rdma_props[3].rdma_data @64+4 = 4\n"
     "    } rdma_props[3] @68\n"
     "    { rdma_props[4] @68\n"
     "      unsigned rdma_props[4].rdma_which @68+4 = 1 RDMA2_PROPID_SBSIZ\n"
     "      count rdma_props[4].rdma_data @72+4 = 3\n"
     "      opaque rdma_props[4].rdma_data @76+4 = 3\n"
     "    } rdma_props[4] @80\n"
     "  } rdma_props @80\n"
     "} - @80\n"},
    {RPCRDMA_PROTOCOL_2_07,
     {0xa, 2, 32, 4, 5},
     5,
     "{ - @0\n"
     "  unsigned rdma_xid @0+4 = 10\n"
     "  unsigned rdma_vers @4+4 = 2\n"
     "  unsigned rdma_credit @8+4 = 32\n"
     "  unsigned rdma_htype @12+4 = 4 RDMA2_ERROR\n"
     "  unsigned rdma_err @16+4 = 5 RDMA2_ERR_INVAL_CONT\n"
     "} - @20\n"},
    {RPCRDMA_PROTOCOL_2_04,
     {0xa, 2, 32, 6, 3, 1, 4, 8192, 2, 4, 1, 6, 4, 7, 0},
     15,
     "{ - @0\n"
     "  unsigned rdma_xid @0+4 = 10\n"
     "  unsigned rdma_vers @4+4 = 2\n"
     "  unsigned rdma_credit @8+4 = 32\n"
     "  { - @12\n"
     "    enum rdma_proc @12+4 = 6 RDMA2_CONNPROP\n"
     "    { - @16\n"
     "      { rdma_start @16\n"
     "        count rdma_start @16+4 = 3\n"
     "        { rdma_start[0] @20\n"
     "          unsigned rdma_start[0].rdma_which @20+4 = 1 RDMA2_PROPID_RBSIZ\n"
     "          count rdma_start[0].rdma_data @24+4 = 4\n"
     "          opaque rdma_start[0].rdma_data @28+4 = 4 value 8192\n"
     "        } rdma_start[0] @32\n"
     "        { rdma_start[1] @32\n"
     "          unsigned rdma_start[1].rdma_which @32+4 = 2 RDMA2_PROPID_BRS\n"
     "          count rdma_start[1].rdma_data @36+4 = 4\n"
     "          opaque rdma_start[1].rdma_data @40+4 = 4 RDMA2_BKREQSUP_INLINE value 1\n"
     "        } rdma_start[1] @44\n"
     "        { rdma_start[2] @44\n"
     "          unsigned rdma_start[2].rdma_which @44+4 = 6\n"
     "          count rdma_start[2].rdma_data @48+4 = 4\n"
     "          opaque rdma_start[2].rdma_data @52+4 = 4\n"
     "        } rdma_start[2] @56\n"
     "      } rdma_start @56\n"
     "      { rdma_nochg @56\n"
     "        count rdma_nochg @56+4 = 0\n"
     "      } rdma_nochg @60\n"
     "    } - @60\n"
     "  } - @60\n"
     "} - @60\n"},
};

START_TEST(fields)
{
    struct walk_error error;
    left = 0;
    ck_assert_int_eq(walk(headers[_i].protocol, headers[_i].words, headers[_i].count, &error),
                     4 * (int)headers[_i].count);
    ck_assert_str_eq(seen, headers[_i].fields);
}
END_TEST

/* A visitor stops the walk at any field, and no error is reported. */
START_TEST(stopped)
{
    const char *end = headers[_i].fields;
    for (unsigned n = 1; (end = strchr(end, '\n')) != NULL && end[1] != '\0'; n++) {
        struct walk_error error;
        left = n;
        ck_assert_int_eq(walk(headers[_i].protocol, headers[_i].words, headers[_i].count, &error),
                         -1);
        ck_assert_int_eq(error.code, 0);
        ck_assert_uint_eq(seen_length, (size_t)(++end - headers[_i].fields));
        ck_assert_int_eq(strncmp(seen, headers[_i].fields, seen_length), 0);
    }
}
END_TEST

/* Cut anywhere, the header is malformed at the field that is cut, and those before were seen. */
START_TEST(truncated)
{
    for (size_t count = 0; count < headers[_i].count; count++) {
        struct walk_error error;
        left = 0;
        ck_assert_int_eq(walk(headers[_i].protocol, headers[_i].words, count, &error), -1);
        ck_assert(error.code == RPCRDMA_XDR_E_TRUNCATED ||
                  error.code == RPCRDMA_XDR_E_COUNT); /* more entries than there is room for */
        ck_assert_uint_le(error.offset, 4 * count);
        ck_assert_ptr_null(strstr(error.path, "rdma_start.rdma_"));
        ck_assert_int_eq(strncmp(seen, headers[_i].fields, seen_length), 0);
    }
}
END_TEST

/* Of each type of each version: how long a header is, and what is wrong with one that is cut, is
 * what the decoder says. */
START_TEST(the_decoder_agrees)
{
    static const enum rpcrdma_protocol protocols[] = {RPCRDMA_PROTOCOL_1, RPCRDMA_PROTOCOL_2_04,
                                                      RPCRDMA_PROTOCOL_2_07};
    unsigned good = 0;
    left = 0;
    for (uint32_t type = 0; type < 16; type++) {
        const uint32_t words[24] = {0xa, protocols[_i] == RPCRDMA_PROTOCOL_1 ? 1 : 2, 32, type};
        for (size_t count = 0; count <= COUNT(words); count++) {
            uint8_t octets[sizeof words];
            struct walk_error error;
            struct rpcrdma_xdr_error expected;
            struct rpcrdma_message message;
            for (size_t i = 0; i < count; i++)
                rpcrdma_xdr_store32(octets + 4 * i, words[i]);
            ptrdiff_t end =
                rpcrdma_message_decode(&message, protocols[_i], octets, 4 * count, &expected);
            ptrdiff_t walked = walk(protocols[_i], words, count, &error);
            if (rpcrdma_xdr_failed(end)) {
                ck_assert_int_eq(walked, -1);
                ck_assert_int_eq(error.code, expected.code);
                ck_assert_uint_eq(error.offset, expected.offset);
            } else {
                ck_assert_int_eq(walked, end);
                good++;
            }
        }
    }
    ck_assert_uint_gt(good, 4);
}
END_TEST

/* ---- long paths ---- */

/* Members of this name in each other: a structure, an array of two, a number. */
static char name[WALK_PATH + 16];
static const struct xdr_type *const number = &rpcrdma_xdr_base_types[XT_UINT];
static char paths[16][2 * WALK_PATH];
static unsigned path_count;

static bool see_path(void *arg, const struct walk_field *field)
{
    (void)arg;
    snprintf(paths[path_count++], sizeof paths[0], "%s", field->path);
    return true;
}

/* A path has WALK_PATH - 1 octets at most; what follows has its own again. */
START_TEST(long_paths)
{
    const struct xdr_member inner = {"x", number, XS_PLAIN, 0};
    const struct xdr_type element = {XT_STRUCT, "element", 1, &inner, NULL, NULL};
    const struct xdr_member members[] = {{name, &element, XS_FIXED, 2}, {"y", number, XS_PLAIN, 0}};
    const struct xdr_type root = {XT_STRUCT, "root", 2, members, NULL, NULL};
    static const char *const steps[] = {"", "[0]", "[0].x", "[0]", "[1]", "[1].x", "[1]", ""};
    const uint8_t octets[12] = {0};
    struct walk_error error = {0};
    memset(name, 'n', sizeof name);
    name[WALK_PATH - 12 + _i] = '\0';
    path_count = 0;
    ck_assert_int_eq(rpcrdma_walk(&root, octets, sizeof octets, see_path, NULL, &error), 12);
    ck_assert_uint_eq(path_count, 11); /* with the brackets of the root, and y */
    for (unsigned i = 0; i < 8; i++) {
        char expected[2 * WALK_PATH];
        snprintf(expected, sizeof expected, "%s%s", name, steps[i]);
        expected[WALK_PATH - 1] = '\0';
        ck_assert_str_eq(paths[i + 1], expected);
    }
    ck_assert_str_eq(paths[9], "y");
    ck_assert_str_eq(paths[10], "");
}
END_TEST

#define HEADERS ((int)COUNT(headers))

int main(void)
{
    TCase *tests = tcase_create("headers");
    tcase_add_loop_test(tests, fields, 0, HEADERS);
    tcase_add_loop_test(tests, stopped, 0, HEADERS);
    tcase_add_loop_test(tests, truncated, 0, HEADERS);
    tcase_add_loop_test(tests, the_decoder_agrees, 0, 3);
    tcase_add_loop_test(tests, long_paths, 0, 20);
    return run_tests("walk", tests);
}
