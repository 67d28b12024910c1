// SPDX-License-Identifier: BSD-3-Clause
/* What is left open to a live Responder of version 2, beyond what the checker says of the Send. */
#include "rxe-harness/probe/version2/probe.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>

#define OF_REPLY                                                                                   \
    (RPCRDMA_DISCARD | RPCRDMA_ERR_INVAL_HTYPE | RPCRDMA_ERR_INVAL_CONT | RPCRDMA_ERR_BAD_XDR |    \
     RPCRDMA_ERR_SYSTEM)
#define OF_ROOM (PROBE2_WITHOUT_MEMORY & ~RPCRDMA_CLOSE)

enum memory { NONE, THERE, FULL, LARGE, ABSENT };

static const struct {
    enum rpcrdma_protocol draft;
    uint32_t version, type, word; /* the word after the prefix */
    size_t length;
    unsigned open; /* says the checker */
    bool backwards;
    enum memory memory;
    unsigned wanted;
} sends[] = {
#define D07 RPCRDMA_PROTOCOL_2_07
#define D04 RPCRDMA_PROTOCOL_2_04
#define CALL07 2, RPCRDMA2_07_CALL_INLINE, 0
#define CALL04 2, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL
#define PROPERTIES04 2, RPCRDMA2_04_REQPROP, 0
    /* Nothing is added to what the checker says. */
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_XDR, false, NONE, RPCRDMA_ERR_BAD_XDR},
    {D04, CALL04, 64, RPCRDMA_ERR_BAD_XDR, false, NONE, RPCRDMA_ERR_BAD_XDR},
    {D07, CALL07, 64, RPCRDMA_DISCARD, false, NONE, RPCRDMA_DISCARD},
    /* Who goes on may find that the arguments are garbage. */
    {D07, CALL07, 64, RPCRDMA_PROCESS, false, NONE, RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS},
    /* Replies need not be known. */
    {D07, 2, RPCRDMA2_07_REPLY_EXTERNAL, 0, 64, 0, false, NONE, OF_REPLY | RPCRDMA_CLOSE},
    {D07, 2, RPCRDMA2_07_REPLY_INLINE, 0, 64, 0, false, NONE, OF_REPLY | RPCRDMA_CLOSE},
    {D07, 2, RPCRDMA2_07_REPLY_MIDDLE, 0, 64, 0, false, NONE,
     OF_REPLY | RPCRDMA_CLOSE | RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS},
    {D04, 2, RPCRDMA2_04_MSG, RPCRDMA2_04_REPLY, 64, 0, false, NONE, OF_REPLY | RPCRDMA_CLOSE},
    {D04, 2, RPCRDMA2_04_NOMSG, RPCRDMA2_04_REPLY, 64, 0, false, NONE, OF_REPLY | RPCRDMA_CLOSE},
    {D04, 1, RPCRDMA2_04_MSG, RPCRDMA2_04_REPLY, 64, 0, false, NONE, 0}, /* version 1 */
    {D04, 1, RPCRDMA2_04_REQPROP, 0, 64, 0, false, NONE, 0},
    {D04, 2, RPCRDMA2_04_MSG, RPCRDMA2_04_REPLY, 19, 0, false, NONE, RPCRDMA_DISCARD},
    /* What was dropped before began nothing that this could go on with. */
    {D07, CALL07, 64, RPCRDMA_ERR_INVAL_CONT, false, NONE, RPCRDMA_ERR_INVAL_CONT},
    {D07, CALL07, 64, RPCRDMA_ERR_INVAL_CONT, true, NONE,
     RPCRDMA_ERR_INVAL_CONT | RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS},
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_XDR, true, NONE, RPCRDMA_ERR_BAD_XDR},
    /* Operations on properties are optional, and what a value has to be need not be known. */
    {D04, PROPERTIES04, 64, 0, false, NONE,
     RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC | RPCRDMA_PROCESS |
         RPCRDMA_GARBAGE_ARGS},
    {D04, 2, RPCRDMA2_04_CONNPROP, 99, 64, 0, false, NONE, /* 99 are not there */
     RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC},
    {D07, PROPERTIES04, 64, 0, false, NONE, 0},
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_PROPVAL, false, NONE,
     RPCRDMA_ERR_BAD_PROPVAL | RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS},
    /* Too short for a header, by the one draft and by the other. */
    {D07, CALL07, 20, RPCRDMA_ERR_BAD_XDR, false, NONE, RPCRDMA_ERR_BAD_XDR},
    {D07, CALL07, 19, RPCRDMA_ERR_BAD_XDR, false, NONE,
     RPCRDMA_ERR_BAD_XDR | RPCRDMA_DISCARD | RPCRDMA_CLOSE},
    {D04, CALL04, 28, RPCRDMA_ERR_BAD_XDR, false, NONE, RPCRDMA_ERR_BAD_XDR},
    {D04, CALL04, 27, RPCRDMA_ERR_BAD_XDR, false, NONE,
     RPCRDMA_ERR_BAD_XDR | RPCRDMA_DISCARD | RPCRDMA_CLOSE},
    /* Memory that is not there is found by who goes on, or reads a chunk before it refuses. */
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_XDR, false, THERE, RPCRDMA_ERR_BAD_XDR},
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_XDR, false, FULL, RPCRDMA_ERR_BAD_XDR},
    {D07, CALL07, 64, RPCRDMA_ERR_BAD_XDR, false, ABSENT, RPCRDMA_ERR_BAD_XDR | RPCRDMA_CLOSE},
    {D07, CALL07, 64, RPCRDMA_PROCESS, false, FULL,
     RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | OF_ROOM},
    {D07, CALL07, 64, RPCRDMA_PROCESS, false, LARGE,
     RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | OF_ROOM},
    {D07, CALL07, 64, RPCRDMA_PROCESS, false, ABSENT,
     RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | PROBE2_WITHOUT_MEMORY},
};

START_TEST(what_follows_for_a_live_peer_is_open)
{
    struct probe probe = {.options.draft = sends[_i].draft};
    enum memory memory = sends[_i].memory;
    struct probe_memory moved[] = {
        {.moved = true},
        {.moved = memory != ABSENT, .large = memory == LARGE, .full = memory == FULL}};
    struct probe2_peer peer = {.probe = &probe,
                               .requester.open = sends[_i].open,
                               .backwards = sends[_i].backwards,
                               .moved = moved,
                               .moved_count = memory == NONE ? 0 : COUNT(moved)};
    uint8_t octets[64] = {0};
    rpcrdma_xdr_store32(octets + 4, sends[_i].version);
    rpcrdma_xdr_store32(octets + 12, sends[_i].type);
    rpcrdma_xdr_store32(octets + 16, sends[_i].word);
    ck_assert_msg(probe2_open(&peer, octets, sends[_i].length) == sends[_i].wanted,
                  "row %d: %#x, not %#x", _i, probe2_open(&peer, octets, sends[_i].length),
                  sends[_i].wanted);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("version2");
    tcase_add_loop_test(tests, what_follows_for_a_live_peer_is_open, 0, COUNT(sends));
    return run_tests("what is open to a Responder of version 2", tests);
}
