// SPDX-License-Identifier: BSD-3-Clause
/*
 * A peer that remembers what it has answered takes a Call of a known XID for one that comes again
 * (RFC 8166 section 4.2.1): no two connections of a run have an XID in common, nor, by version 2,
 * two cases, of which one may begin on a connection and go on by another.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/alloc.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>

struct seen {
    uint32_t xid;
    const char *test;
    unsigned connection;
};
static struct seen *seen;
static size_t count, room;
static unsigned connections;
static struct probe probe;
static const struct link_ops *own_ops;
static struct link_ops noting_ops;

static void wait_and_note(struct link *link, unsigned timeout, struct link_event *event)
{
    own_ops->wait(link, timeout, event);
    uint32_t xid =
        event->type == LINK_RECEIVED && event->length >= 4 ? rpcrdma_xdr_load32(event->octets) : 0;
    if (xid == 0) /* which a case may be about, and what is no Call has */
        return;
    seen = alloc_room(seen, count, &room, sizeof *seen);
    seen[count++] = (struct seen){xid, probe.run.current.id, connections};
}

static void *begin(void *arg, struct link *link)
{
    const enum rpcrdma_protocol *draft = arg;
    own_ops = link->ops;
    connections++;
    noting_ops = *own_ops;
    noting_ops.wait = wait_and_note;
    link->ops = &noting_ops;
    struct responder *responder = responder_new(link);
    if (*draft != RPCRDMA_PROTOCOL_AUTO)
        ck_assert(responder_speak_version2(responder, *draft));
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

static int by_xid(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    return (left->xid > right->xid) - (left->xid < right->xid);
}

START_TEST(cases_have_none_in_common)
{
    enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_AUTO, RPCRDMA_PROTOCOL_2_04,
                                      RPCRDMA_PROTOCOL_2_07};
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin,
                                       .step = step,
                                       .end = end,
                                       .arg = &drafts[_i]};
    probe = (struct probe){.options = {.timeout = 100,
                                       .program = TEST_PROGRAM,
                                       .version = TEST_VERSION,
                                       .draft = drafts[_i],
                                       .hazards.all = true},
                           .peer = {.transport = transport_loopback(&peer), .invalidates = true}};
    if (drafts[_i] == RPCRDMA_PROTOCOL_AUTO) {
        ck_assert(probe_begin(&probe));
        probe_run_cases(&probe);
        probe_run_table(&probe);
        probe_end(&probe);
    } else {
        ck_assert(probe2_begin(&probe));
        probe2_run_cases(&probe);
    }
    ck_assert_uint_gt(count, 500);
    qsort(seen, count, sizeof *seen, by_xid);
    for (size_t i = 1; i < count; i++) {
        bool is_one = _i > 0 ? seen[i].test == seen[i - 1].test
                             : seen[i].connection == seen[i - 1].connection;
        ck_assert_msg(seen[i].xid != seen[i - 1].xid || is_one, "0x%08x: %s and %s", seen[i].xid,
                      seen[i - 1].test, seen[i].test);
    }
    free(seen);
    seen = NULL; /* where tests do not fork, the next one begins anew */
    count = room = 0;
    connections = 0;
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    free(probe.run.stopped);
    probe.peer.transport->ops->close(probe.peer.transport);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("XIDs of a probe");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, cases_have_none_in_common, 0, 3);
    return run_tests("XIDs of a probe", tests);
}
