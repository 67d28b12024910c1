// SPDX-License-Identifier: BSD-3-Clause
/* The errors that a session sends: each code with its numbers, word by word as the XDR of the draft
 * has them. */
#include "rxe-harness/session/state.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>

/* The code as -07 has it; what follows in a message of -07, and of -04, from the code on. */
static const struct {
    uint32_t code;
    unsigned words07, words04;
    uint32_t in07[3], in04[3];
} errors[] = {
    {RPCRDMA2_07_ERR_VERS, 3, 3, {1, 0x11, 0x22}, {1, 0x11, 0x22}},
    {RPCRDMA2_07_ERR_VERS_MISMATCH, 1, 3, {11}, {1, 0x11, 0x22}},
    {RPCRDMA2_07_ERR_BAD_XDR, 1, 1, {2}, {2}},
    {RPCRDMA2_07_ERR_BAD_PROPVAL, 1, 1, {3}, {2}},
    {RPCRDMA2_07_ERR_INVAL_HTYPE, 1, 1, {4}, {3}},
    {RPCRDMA2_07_ERR_INVAL_CONT, 1, 1, {5}, {2}},
    {RPCRDMA2_07_ERR_READ_CHUNKS, 2, 2, {6, 0x11}, {4, 0x11}},
    {RPCRDMA2_07_ERR_WRITE_CHUNKS, 2, 2, {7, 0x11}, {5, 0x11}},
    {RPCRDMA2_07_ERR_SEGMENTS, 2, 2, {8, 0x11}, {6, 0x11}},
    {RPCRDMA2_07_ERR_WRITE_RESOURCE, 3, 3, {9, 0x11, 0x22}, {7, 0x11, 0x22}},
    {RPCRDMA2_07_ERR_REPLY_RESOURCE, 2, 2, {10, 0x11}, {8, 0x11}},
    {RPCRDMA2_07_ERR_SYSTEM, 1, 1, {100}, {10}},
};

static void is(const uint8_t *body, ptrdiff_t length, const uint32_t *words, unsigned count)
{
    ck_assert_int_eq((int)length, (int)(4 * count));
    for (unsigned i = 0; i < count; i++)
        ck_assert_msg(rpcrdma_xdr_load32(body + 4 * i) == words[i], "word %u: %#x", i,
                      rpcrdma_xdr_load32(body + 4 * i));
}

START_TEST(each_error_has_its_numbers)
{
    static const uint32_t values[2] = {0x11, 0x22};
    uint8_t body[SESSION_ERROR_MAX];
    ptrdiff_t length = session_encode_error07(body, errors[_i].code, values);
    is(body, length, errors[_i].in07, errors[_i].words07);
    length = session_encode_error04(body, errors[_i].code, values);
    is(body, length, errors[_i].in04, errors[_i].words04);
}
END_TEST

/* What -04 alone has. */
START_TEST(an_option_that_is_not_there)
{
    static const uint32_t values[2] = {0x11, 0x22}, words[] = {9};
    uint8_t body[SESSION_ERROR_MAX];
    is(body, session_encode_error04(body, SESSION_INVALID_OPTION, values), words, COUNT(words));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("errors");
    tcase_add_loop_test(tests, each_error_has_its_numbers, 0, COUNT(errors));
    tcase_add_test(tests, an_option_that_is_not_there);
    return run_tests("errors of a session", tests);
}
