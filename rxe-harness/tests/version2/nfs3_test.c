// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS version 3 over version 2, of either draft: our Requester looks up, writes, reads and lists in
 * chunks, in pieces and inline, against the reference Responder, and compares octet by octet. The
 * proxy between the two has the checker look on, with the rules of NFS.
 */
#include "rxe-harness/requester/nfs3_calls.h"
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/tests/support/proxy_stage.h"
#include "rxe-harness/tests/support/responder_stage.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

static const enum rpcrdma_protocol protocols[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

#define LONGEST 1048576 /* octets of a READ and of a WRITE */

static struct transport *transport;
static struct responder_stage stage = {.every = 3};
static struct nfs3_client client;
static struct session_options options;

static void open_client(const enum rpcrdma_protocol *protocol, bool through_proxy)
{
    options = (struct session_options){.protocol = *protocol,
                                       .active = true,
                                       .credits = 8,
                                       .send_size = SESSION_INLINE,
                                       .receive_size = SESSION_INLINE,
                                       .segments = 64,
                                       .reverse = RPCRDMA2_07_RVRSDIR_GENL,
                                       .message_max = RESPONDER_MESSAGE_MAX,
                                       .queue_max = RESPONDER_MESSAGE_MAX};
    const struct link_options receives = {.receive_size = SESSION_INLINE,
                                          .receives = session_receives(&options)};
    stage.draft = *protocol;
    transport = responder_stage_open(&stage);
    if (through_proxy)
        transport = proxy_stage_open(transport, *protocol);
    client = (struct nfs3_client){.protocol = *protocol, .timeout = 5000, .invalidates = true};
    client.link = transport->ops->connect(transport, &receives);
    ck_assert_ptr_nonnull(client.link);
    client.session = session_new(client.link, &options);
    ck_assert_ptr_nonnull(client.session);
}

static void close_client(void)
{
    session_free(client.session);
    client.link->ops->close(client.link);
}

START_TEST(data_moves)
{
    open_client(&protocols[_i], false);
    ck_assert_msg(nfs3_exercise(&client, LONGEST), "%s", client.error);
    struct session_counts counts = session_counts(client.session);
    ck_assert_uint_eq(counts.version, 2);
    ck_assert_uint_gt(client.invalidated, 50);
    ck_assert(protocols[_i] == RPCRDMA_PROTOCOL_2_04 || counts.pieces_sent > 270);
    ck_assert_uint_gt(client.answered, 20);
    close_client();
    ck_assert_uint_ge(stage.calls.executed + 1,
                      stage.calls.made); /* the last one may be under way */
    ck_assert_uint_ge(client.answered, stage.calls.answered);
    transport->ops->close(transport);
}
END_TEST

START_TEST(data_moves_through_the_proxy)
{
    open_client(&protocols[_i], true);
    ck_assert_msg(nfs3_exercise(&client, LONGEST), "%s", client.error);
    ck_assert_uint_gt(client.invalidated, 50);
    ck_assert_uint_gt(client.answered, 20);
    close_client();
    ck_assert_uint_eq(proxy.results.count, 1);
    ck_assert_msg(proxy_stage_accused("client") + proxy_stage_accused("server") == 0, "%s",
                  proxy.results.list[0].actual);
    ck_assert_msg(proxy.results.list[0].ending == ENDING_REQUIRED, "%s",
                  proxy.results.list[0].actual);
    proxy_stage_close(transport);
}
END_TEST

/* ---- what is not as it should be is found ---- */

static const struct link_ops *own_ops;
static struct link_ops ops;
static unsigned countdown;

/* One octet of what comes, late in it, is another. */
static void wait_wrong(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[SESSION_INLINE];
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < 1000 || countdown == 0 || --countdown > 0)
        return;
    memcpy(octets, event->octets, event->length);
    octets[900] ^= 1;
    event->octets = octets;
}

static bool expose_wrong(struct link *link, struct link_memory *memory, unsigned access)
{
    if (access == LINK_PEER_READS && memory->length > 500 && --countdown == 0)
        memory->octets[memory->length - 7] ^= 1;
    return own_ops->expose(link, memory, access);
}

START_TEST(wrong_octets_are_found)
{
    open_client(&protocols[_i / 2], false);
    own_ops = client.link->ops;
    ops = *own_ops;
    if (_i % 2 == 0)
        ops.wait = wait_wrong;
    else
        ops.expose = expose_wrong;
    countdown = 3;
    client.link->ops = &ops;
    ck_assert(!nfs3_exercise(&client, LONGEST));
    ck_assert_msg(strstr(client.error, "another") != NULL, "%s", client.error);
    client.link->ops = own_ops;
    close_client();
    transport->ops->close(transport);
}
END_TEST

/* ---- a peer that makes Calls, and never replies ---- */

static void wait_call(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[4 * 19];
    static uint32_t xid;
    bool is_04 = client.protocol == RPCRDMA_PROTOCOL_2_04;
    const uint32_t head[] = {++xid, 2, 1 << 20, is_04 ? 0 : RPCRDMA2_07_CALL_INLINE, 0};
    const uint32_t call[] = {xid, 0, 2, REVERSE_PROGRAM, REVERSE_VERSION, 0, 0, 0, 0, 0};
    size_t at = 0, lists = is_04 ? 4 : 3; /* -04: after the direction */
    (void)link, (void)timeout;
    memset(octets, 0, sizeof octets);
    for (size_t i = 0; i < sizeof head / 4; i++, at += 4)
        rpcrdma_xdr_store32(octets + at, head[i]);
    at += 4 * lists;
    for (size_t i = 0; i < sizeof call / 4; i++, at += 4)
        rpcrdma_xdr_store32(octets + at, call[i]);
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = octets, .length = at};
}

START_TEST(a_peer_that_only_calls_is_left)
{
    struct nfs3_handle handle;
    open_client(&protocols[_i], false);
    own_ops = client.link->ops;
    ops = *own_ops;
    ops.wait = wait_call;
    client.link->ops = &ops;
    ck_assert(!nfs3_lookup(&client, "written", &handle));
    ck_assert_uint_gt(client.answered, 10);
    ck_assert_uint_lt(client.answered, 100);
    client.link->ops = own_ops;
    close_client();
    transport->ops->close(transport);
}
END_TEST

/* ---- answers to Calls that nobody made, before the one that is waited for ---- */

static unsigned strays; /* this many came */

static void wait_strays(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[4 * 16];
    bool is_04 = client.protocol == RPCRDMA_PROTOCOL_2_04;
    const uint32_t xid = 0x51a1;
    const uint32_t error[] = {xid, 2, 1, 4, 2}; /* BAD_XDR */
    const uint32_t reply04[] = {xid, 2, 1, 0, 1, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0};
    const uint32_t reply07[] = {xid, 2, 1, RPCRDMA2_07_REPLY_INLINE, 0, xid, 1, 0, 0, 0, 0};
    const uint32_t *words = strays % 2 == 0 ? error : is_04 ? reply04 : reply07;
    size_t count = strays % 2 == 0 ? 5 : is_04 ? 15 : 11;
    if (countdown == 0) {
        own_ops->wait(link, timeout, event);
        return;
    }
    countdown--, strays++;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = octets, .length = 4 * count};
}

START_TEST(strays_are_passed_over)
{
    struct nfs3_handle handle;
    open_client(&protocols[_i], false);
    ck_assert_msg(nfs3_lookup(&client, "written", &handle), "%s", client.error);
    own_ops = client.link->ops;
    ops = *own_ops;
    ops.wait = wait_strays;
    client.link->ops = &ops;
    strays = 0, countdown = 5;
    ck_assert_msg(nfs3_lookup(&client, "written", &handle), "%s", client.error);
    ck_assert_uint_eq(strays, 5);
    countdown = 1000000; /* and nothing else */
    ck_assert(!nfs3_lookup(&client, "written", &handle));
    ck_assert_uint_lt(strays, 200);
    client.link->ops = own_ops;
    close_client();
    transport->ops->close(transport);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("NFS version 3 over version 2");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, data_moves, 0, 2);
    tcase_add_loop_test(cases, data_moves_through_the_proxy, 0, 2);
    tcase_add_loop_test(cases, wrong_octets_are_found, 0, 4);
    tcase_add_loop_test(cases, a_peer_that_only_calls_is_left, 0, 2);
    tcase_add_loop_test(cases, strays_are_passed_over, 0, 2);
    return run_tests("NFS version 3 over version 2", cases);
}
