// SPDX-License-Identifier: BSD-3-Clause
/* The reference Requester as a client of NFSv4.1: each of its Calls fails once, or brings something
 * else than it has to. */
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/responder/nfs4_state.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/nfs_client.h"
#include "rxe-harness/transport/loopback.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nfs4 *nfs4;
static struct link_ops honest, faulty;
static unsigned replies, fault; /* so far; the one that is changed, from 1 on */
static uint32_t status;         /* that it says then; 0: its data are changed */
static unsigned stray;          /* the Reply before which another comes, that answers no Call */

static bool send_changed(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    struct rpcrdma1_header header;
    memcpy(copy, octets, length);
    ptrdiff_t end = rpcrdma1_header_decode(&header, copy, length, NULL, NULL);
    if (replies + 1 == stray) {
        rpcrdma_xdr_store32(copy, UINT32_MAX);
        rpcrdma_xdr_store32(copy + end, UINT32_MAX);
        honest.send(link, copy, length, NULL);
        memcpy(copy, octets, length);
    }
    if (++replies == fault && status != 0)
        rpcrdma_xdr_store32(copy + end + 24, status);
    return honest.send(link, copy, length, handle);
}

static bool write_changed(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                          size_t length)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    copy[length - 1] ^= replies + 1 == fault && status == 0;
    return honest.write(link, handle, offset, copy, length);
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    honest = faulty = *link->ops;
    faulty.send = send_changed;
    faulty.write = write_changed;
    link->ops = &faulty;
    struct responder *responder = responder_new(link);
    responder_speak_nfs4(responder, nfs4);
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static char text[256];

static const char *run(void)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    replies = 0;
    const char *wrong = serve_nfs_client(requester, text);
    requester_close(requester);
    transport->ops->close(transport);
    return wrong;
}

static void setup(void)
{
    nfs4 = nfs4_new(false);
    fault = status = stray = 0;
}

static void teardown(void)
{
    nfs4_free(nfs4);
}

/* The last operation of each of its Calls. */
static const uint32_t operations[] = {
    NFS_OP_EXCHANGE_ID, NFS_OP_CREATE_SESSION, NFS_OP_RECLAIM_COMPLETE, NFS_OP_READDIR,
    NFS_OP_OPEN,        NFS_OP_GETATTR,        NFS_OP_GETATTR,          NFS_OP_GETATTR,
    NFS_OP_DELEGRETURN, NFS_OP_CLOSE,          NFS_OP_DESTROY_SESSION,  NFS_OP_DESTROY_CLIENTID};
#define CALLS COUNT(operations)

START_TEST(all_is_good)
{
    ck_assert_ptr_null(run());
    ck_assert_uint_eq(replies, CALLS);
    for (int i = 0; i < NFS4_CLIENTS; i++)
        ck_assert_uint_eq(nfs4->clients[i].id, 0); /* it has tidied up */
    for (int i = 0; i < NFS4_STATES; i++)
        ck_assert_uint_eq(nfs4->states[i].client, 0);
}
END_TEST

/* What answers no Call of its own is not its Reply. */
START_TEST(a_stray_reply_is_passed_over)
{
    stray = (unsigned)_i + 1;
    const char *wrong = run();
    ck_assert_msg(wrong == NULL, "%s", wrong);
    ck_assert_uint_eq(replies, CALLS);
}
END_TEST

START_TEST(each_call_may_fail)
{
    char expected[128];
    fault = (unsigned)_i + 1;
    status = NFS_NFS4ERR_SERVERFAULT;
    const char *wrong = run();
    snprintf(expected, sizeof expected,
             "NFSv4.1, operation %u: a Reply, accept_stat 0, status 10006", operations[_i]);
    ck_assert_ptr_nonnull(wrong);
    ck_assert_str_eq(wrong, expected);
    ck_assert_uint_eq(replies, fault); /* nothing is called after it */
}
END_TEST

/* One octet of what is read is another. */
START_TEST(data_are_compared)
{
    fault = 6 + (unsigned)_i;
    const char *wrong = run();
    ck_assert_ptr_nonnull(wrong);
    ck_assert_str_eq(wrong, "NFSv4.1, operation 9: a Reply, accept_stat 0, status 0");
    ck_assert_uint_eq(replies, fault);
}
END_TEST

/* There is room for the state of OPEN, and for no delegation. */
START_TEST(a_delegation_is_wanted)
{
    for (int i = 1; i < NFS4_STATES; i++)
        nfs4->states[i].client = UINT64_MAX;
    const char *wrong = run();
    ck_assert_ptr_nonnull(wrong);
    ck_assert_str_eq(wrong, "OPEN brings no delegation");
    ck_assert_uint_eq(replies, 8);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("client of NFSv4.1");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, all_is_good);
    tcase_add_loop_test(tests, a_stray_reply_is_passed_over, 0, CALLS);
    tcase_add_loop_test(tests, each_call_may_fail, 0, CALLS);
    tcase_add_loop_test(tests, data_are_compared, 0, 3);
    tcase_add_test(tests, a_delegation_is_wanted);
    return run_tests("client of NFSv4.1", tests);
}
