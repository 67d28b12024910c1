// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a session sends, against the worked examples, which were made from the XDR of the drafts by
 * a program of its own: the same message gives the same octets. The credit word is left out: it
 * says how many messages were received in the example's conversation.
 */
#include "rxe-harness/tests/support/session_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLES "codec/tests/data/version2.txt"
#define LENGTH_MAX 1024

static uint8_t wanted[LENGTH_MAX];
static size_t wanted_length, wanted_header;

static void load(const char *name)
{
    static char line[8192], hex[8192];
    char found[64], draft[3], from[16];
    FILE *file = fopen(EXAMPLES, "r");
    ck_assert_ptr_nonnull(file);
    do
        ck_assert_msg(fgets(line, sizeof line, file) != NULL, "no example %s", name);
    while (sscanf(line, "%63s %2s %15s %zu %8191s", found, draft, from, &wanted_header, hex) != 5 ||
           strcmp(found, name) != 0);
    fclose(file);
    unsigned octet;
    wanted_length = 0;
    for (const char *at = hex; sscanf(at, "%2x", &octet) == 1; at += 2)
        wanted[wanted_length++] = (uint8_t)octet;
}

/* ---- messages of the examples, in our words ---- */

static const struct rpcrdma1_read_segment reads04[] = {{44, {0xa1, 4096, 0x10000}},
                                                       {44, {0xa2, 904, 0x20000}}};
static const struct rpcrdma1_read_segment reads07[] = {
    {44, {0xa1, 4096, 0x10000}}, {44, {0xa2, 905, 0x20000}}, {5052, {0xa3, 16, 0x28000}}};
static const struct rpcrdma1_segment write_offer[] = {{0xb1, 8192, 0x30000}};
static const struct rpcrdma1_segment write_used[] = {{0xb1, 6000, 0x30000}};
static const struct rpcrdma1_segment reply_offer[] = {{0xc1, 2048, 0x40000}};
static const struct rpcrdma1_segment reply_unused[] = {{0xc1, 0, 0x40000}};
static const struct rpcrdma1_read_segment call_chunk[] = {{0, {0xd1, 4096, 0x50000}},
                                                          {0, {0xd2, 1000, 0x60000}}};
static const struct rpcrdma1_read_segment special_reads[] = {{4000, {0xa1, 512, 0x10000}}};
static const struct rpcrdma1_segment special_offer[] = {{0xc1, 8192, 0x40000},
                                                        {0xc2, 8192, 0x48000}};
static const struct rpcrdma1_segment special_used[] = {{0xc1, 8192, 0x40000}, {0xc2, 328, 0x48000}};

#define ITEMS(list)                                                                                \
    {                                                                                              \
        .items = list, .count = COUNT(list)                                                        \
    }
static const struct rpcrdma1_write_chunk offered04[] = {{ITEMS(write_offer)}};
static const struct rpcrdma1_write_chunk offered07[] = {{ITEMS(write_offer)}, {{.count = 0}}};
static const struct rpcrdma1_write_chunk used07[] = {{ITEMS(write_used)}, {{.count = 0}}};

static const uint32_t invalidated = 0xb1;

/* Without XID and payload, which are those of the example. */
static const struct {
    const char *name;
    enum rpcrdma_protocol draft;
    struct session_message message;
} messages[] = {
    {"04-null/0", RPCRDMA_PROTOCOL_2_04, {.direction = RPCRDMA_CALL}},
    {"04-null/1", RPCRDMA_PROTOCOL_2_04, {.direction = RPCRDMA_REPLY}},
    {"04-chunks-invalidate/0",
     RPCRDMA_PROTOCOL_2_04,
     {.direction = RPCRDMA_CALL,
      .invalidate = 0xb1,
      .reads = ITEMS(reads04),
      .writes = ITEMS(offered04),
      .reply = {true, {ITEMS(reply_offer)}}}},
    {"04-chunks-invalidate/1",
     RPCRDMA_PROTOCOL_2_04,
     {.direction = RPCRDMA_REPLY,
      .invalidates = &invalidated,
      .writes = ITEMS(offered04),
      .reply = {true, {ITEMS(reply_unused)}}}},
    {"07-negotiation/0", RPCRDMA_PROTOCOL_2_07, {.direction = RPCRDMA_CALL}},
    {"07-chunks-invalidate/0",
     RPCRDMA_PROTOCOL_2_07,
     {.direction = RPCRDMA_CALL,
      .invalidate = 0xb1,
      .reads = ITEMS(reads07),
      .writes = ITEMS(offered07),
      .reply = {true, {ITEMS(reply_offer)}}}},
    {"07-chunks-invalidate/1",
     RPCRDMA_PROTOCOL_2_07,
     {.direction = RPCRDMA_REPLY, .invalidates = &invalidated, .writes = ITEMS(used07)}},
    {"07-special/0",
     RPCRDMA_PROTOCOL_2_07,
     {.direction = RPCRDMA_CALL,
      .external = true,
      .call = ITEMS(call_chunk),
      .reads = ITEMS(special_reads),
      .reply = {true, {ITEMS(special_offer)}}}},
    {"07-special/1",
     RPCRDMA_PROTOCOL_2_07,
     {.direction = RPCRDMA_REPLY, .external = true, .reply = {true, {ITEMS(special_used)}}}},
};

/* ---- what is sent ---- */

#define SENDS_MAX 4

static struct {
    uint8_t octets[LENGTH_MAX];
    size_t length;
    bool invalidates;
    uint32_t handle;
} sent[SENDS_MAX];
static unsigned count;

static bool keep(struct link *link, const void *octets, size_t length, const uint32_t *invalidate)
{
    (void)link;
    ck_assert_uint_le(length, LENGTH_MAX);
    ck_assert_uint_lt(count, SENDS_MAX);
    memcpy(sent[count].octets, octets, length);
    sent[count].length = length;
    sent[count].invalidates = invalidate != NULL;
    sent[count++].handle = invalidate ? *invalidate : 0;
    return true;
}

/* The n-th Send is this example. */
static void is_example(unsigned n, const char *name)
{
    load(name);
    ck_assert_uint_gt(count, n);
    ck_assert_msg(sent[n].length == wanted_length, "%s: %zu octets, not %zu", name, sent[n].length,
                  wanted_length);
    memcpy(sent[n].octets + 8, wanted + 8, 4); /* credits */
    for (size_t i = 0; i < wanted_length; i++)
        ck_assert_msg(sent[n].octets[i] == wanted[i], "%s: octet %zu is 0x%02x, not 0x%02x", name,
                      i, sent[n].octets[i], wanted[i]);
}

/* A session that has spoken already, so that all that it has to say is sent at once. */
static struct session *speak(enum rpcrdma_protocol draft, bool active, struct link *link,
                             size_t piece)
{
    static const uint32_t first04[] = {1, 2, 99, 0, 0, 0, 0, 0, 0, 1, 0, 2, 1, 1, 0, 0, 0, 0, 0};
    static const uint32_t first07[] = {1, 2, 99, 10, 0, 0, 0, 0, 1, 0, 2, 1, 1, 0, 0, 0, 0, 0};
    const struct session_options own = {.protocol = draft,
                                        .active = active,
                                        .no_properties = true,
                                        .credits = 16,
                                        .send_size = SESSION_INLINE,
                                        .receive_size = SESSION_INLINE,
                                        .segments = 16,
                                        .message_max = 4096,
                                        .queue_max = 65536,
                                        .piece = piece};
    struct session *session = session_new(link, &own);
    ck_assert_ptr_nonnull(session);
    sessions[PASSIVE] = session;
    if (active)
        return session;
    if (draft == RPCRDMA_PROTOCOL_2_04)
        send_raw(ACTIVE, first04, COUNT(first04));
    else
        send_raw(ACTIVE, first07, COUNT(first07));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
    return session;
}

static struct link_ops kept;

static void begin(enum rpcrdma_protocol draft, bool active, size_t piece)
{
    use_draft(draft);
    connect_sides(false, false);
    speak(draft, active, links[PASSIVE], piece);
    kept = *own_ops;
    kept.send = keep;
    links[PASSIVE]->ops = &kept;
    count = 0;
}

START_TEST(test_messages)
{
    struct session_message message = messages[_i].message;
    load(messages[_i].name);
    begin(messages[_i].draft, message.direction == RPCRDMA_CALL, 0);
    message.xid = rpcrdma_xdr_load32(wanted);
    message.rpc = message.external ? NULL : wanted + wanted_header;
    message.length = wanted_length - wanted_header;
    ck_assert(session_send(sessions[PASSIVE], &message));
    after(PASSIVE);
    is_example(0, messages[_i].name);
    ck_assert_int_eq(sent[0].invalidates, message.invalidates != NULL);
    ck_assert(!sent[0].invalidates || sent[0].handle == invalidated);
}
END_TEST

/* The Reply of 48 octets in two pieces, of which the session cuts the first where the example does.
 */
START_TEST(test_pieces)
{
    uint8_t rpc[48];
    load("07-continued/3");
    memcpy(rpc, wanted + wanted_header, 40);
    uint32_t xid = rpcrdma_xdr_load32(wanted);
    load("07-continued/4");
    memcpy(rpc + 40, wanted + wanted_header, 8);
    const struct session_message message = {
        .direction = RPCRDMA_REPLY, .xid = xid, .rpc = rpc, .length = sizeof rpc};
    begin(RPCRDMA_PROTOCOL_2_07, false, 40);
    ck_assert(session_send(sessions[PASSIVE], &message));
    after(PASSIVE);
    is_example(0, "07-continued/3");
    is_example(1, "07-continued/4");
}
END_TEST

static const struct {
    const char *name;
    enum rpcrdma_protocol draft;
    uint32_t code, values[2];
} errors[] = {
    {"04-errors/0", RPCRDMA_PROTOCOL_2_04, RPCRDMA2_07_ERR_WRITE_RESOURCE, {1, 9000}},
    {"07-errors/0", RPCRDMA_PROTOCOL_2_07, RPCRDMA2_07_ERR_INVAL_CONT, {0, 0}},
    {"07-errors/1", RPCRDMA_PROTOCOL_2_07, RPCRDMA2_07_ERR_READ_CHUNKS, {1, 0}},
    {"07-errors/2", RPCRDMA_PROTOCOL_2_07, RPCRDMA2_07_ERR_SEGMENTS, {16, 0}},
    {"07-errors/3", RPCRDMA_PROTOCOL_2_07, RPCRDMA2_07_ERR_WRITE_RESOURCE, {2, 9000}},
    {"07-errors/4", RPCRDMA_PROTOCOL_2_07, RPCRDMA2_07_ERR_REPLY_RESOURCE, {12000, 0}},
};

START_TEST(test_errors)
{
    load(errors[_i].name);
    begin(errors[_i].draft, false, 0);
    ck_assert(session_send_error(sessions[PASSIVE], rpcrdma_xdr_load32(wanted), errors[_i].code,
                                 errors[_i].values));
    after(PASSIVE);
    is_example(0, errors[_i].name);
}
END_TEST

/* An optional message draws the error of the example. */
START_TEST(test_option)
{
    begin(RPCRDMA_PROTOCOL_2_04, false, 0);
    load("04-errors/1");
    ck_assert(own_ops->send(links[ACTIVE], wanted, wanted_length, NULL));
    after(PASSIVE);
    is_example(0, "04-errors/2");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("session and worked examples");
    tcase_add_checked_fixture(cases, stage_setup, stage_teardown);
    tcase_add_loop_test(cases, test_messages, 0, COUNT(messages));
    tcase_add_test(cases, test_pieces);
    tcase_add_loop_test(cases, test_errors, 0, COUNT(errors));
    tcase_add_test(cases, test_option);
    return run_tests("session and worked examples", cases);
}
