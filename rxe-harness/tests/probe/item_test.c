// SPDX-License-Identifier: BSD-3-Clause
/* Items of the test program that come back in a Write chunk: in which `probe` finds a fault. */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"

#include <check.h>
#include <stdlib.h>

/* An item of 5 octets in its Write chunk: the length that comes back is its own, and so are all of
 * its octets. */
START_TEST(an_item_is_compared)
{
    static const struct {
        uint32_t size, returned;
        int octet; /* that is another one, or -1 */
        bool good;
    } items[] = {{5, 5, -1, true}, {4, 5, -1, false}, {5, 4, -1, false}, {5, 6, -1, false},
                 {5, 5, 0, false}, {5, 5, 4, false},  {5, 5, 5, true}};
    uint8_t item[8], results[4];
    char text[PROBE_TEXT];
    for (size_t i = 0; i < sizeof item; i++)
        item[i] = TEST_OCTET(i);
    if (items[_i].octet >= 0)
        item[items[_i].octet] ^= 1;
    rpcrdma_xdr_store32(results, items[_i].size);
    const struct requester_pending pending = {.item = item};
    const struct requester_reply reply = {
        .results = results, .results_length = 4, .item_length = items[_i].returned};
    const char *wrong = probe_item_compare(&pending, &reply, TEST_FETCH, 5, text);
    ck_assert_msg((wrong == NULL) == items[_i].good, "%s", wrong ? wrong : "nothing is wrong");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("item");
    TCase *tests = tcase_create("item");
    tcase_add_loop_test(tests, an_item_is_compared, 0, 7);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
