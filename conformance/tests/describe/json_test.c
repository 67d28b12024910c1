// SPDX-License-Identifier: BSD-3-Clause
/* A Send and a judgement as JSON, by the library: whatever the room is, nothing is written beyond
 * it. */
#include "codec/tests/support/run_suite.h"

#include <rpcrdma/check.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t done[] = {0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 3};
static const char done_json[] =
    "{\"draft\":null,\"draftSure\":null,\"headerLength\":16,"
    "\"header\":{\"rdma_xid\":7,\"rdma_vers\":1,\"rdma_credit\":32,\"rdma_body\":{\"proc\":\"RDMA_"
    "DONE\"}},"
    "\"fields\":[{\"path\":\"rdma_xid\",\"offset\":0,\"length\":4,\"value\":7},"
    "{\"path\":\"rdma_vers\",\"offset\":4,\"length\":4,\"value\":1},"
    "{\"path\":\"rdma_credit\",\"offset\":8,\"length\":4,\"value\":32},"
    "{\"path\":\"proc\",\"offset\":12,\"length\":4,\"value\":\"RDMA_DONE\"}],"
    "\"rpc\":null,\"error\":null}";

START_TEST(every_room)
{
    size_t whole = sizeof done_json - 1;
    for (size_t size = 0; size <= whole + 2; size++) {
        char *text = malloc(size > 0 ? size : 1); /* its end is watched by sanitizers */
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_eq(rpcrdma_send_json(done, sizeof done, RPCRDMA_PROTOCOL_AUTO, text, size),
                          whole);
        if (size > 0) {
            size_t shown = size - 1 < whole ? size - 1 : whole;
            ck_assert_uint_eq(strlen(text), shown);
            ck_assert_mem_eq(text, done_json, shown);
        }
        free(text);
    }
    ck_assert_uint_eq(rpcrdma_send_json(done, sizeof done, RPCRDMA_PROTOCOL_AUTO, NULL, 0), whole);
}
END_TEST

START_TEST(nothing)
{
    char text[512];
    rpcrdma_send_json(NULL, 0, RPCRDMA_PROTOCOL_AUTO, text, sizeof text);
    ck_assert_str_eq(text, "{\"draft\":null,\"draftSure\":null,\"headerLength\":null,"
                           "\"header\":{},\"fields\":[],\"rpc\":null,\"error\":{\"offset\":0,"
                           "\"field\":\"rdma_xid\",\"text\":\"the octets end inside the field\"}}");
}
END_TEST

START_TEST(draft)
{
    static const uint8_t send[16] = {0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 32, 0, 0, 0, 3};
    static const struct {
        enum rpcrdma_protocol draft;
        const char *begin;
    } rows[] = {
        {RPCRDMA_PROTOCOL_2_04, "{\"draft\":\"04\",\"draftSure\":true,"},
        {RPCRDMA_PROTOCOL_2_07, "{\"draft\":\"07\",\"draftSure\":true,"},
        {RPCRDMA_PROTOCOL_AUTO, "{\"draft\":\"07\",\"draftSure\":false,"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rpcrdma_send_json(send, sizeof send, rows[i].draft, text, sizeof text);
        ck_assert_mem_eq(text, rows[i].begin, strlen(rows[i].begin));
    }
}
END_TEST

START_TEST(cut_judgement)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = done, .length = sizeof done};
    struct rpcrdma_judgement judgement;
    struct rpcrdma_check_config config = {0};
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    char text[2048], less[100];
    rpcrdma_check_event(rpcrdma_check_init(memory, size, &config), &event, &judgement);
    size_t length = rpcrdma_judgement_json(&judgement, &event, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "\"findings\":[{\"rule\":\"rfc8166/4.6.2/done-not-sent\","));
    ck_assert_uint_eq(rpcrdma_judgement_json(&judgement, &event, NULL, 0), length);
    ck_assert_uint_eq(rpcrdma_judgement_json(&judgement, &event, less, sizeof less), length);
    ck_assert_uint_eq(strlen(less), sizeof less - 1);
    ck_assert_mem_eq(less, text, sizeof less - 1);
    free(memory);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("send_json");
    tcase_add_test(tcase, every_room);
    tcase_add_test(tcase, nothing);
    tcase_add_test(tcase, draft);
    tcase_add_test(tcase, cut_judgement);
    return run_tests("send_json", tcase);
}
