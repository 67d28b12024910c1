// SPDX-License-Identifier: BSD-3-Clause
/* Cases of how a connection begins: private data of all kinds, and the first Call. */
#include "rxe-harness/probe/probe.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>

#define FIRST_CALL 1024 /* octets that every receiver takes (RFC 8166 3.3.3) */

/* Whatever the private data say: who asks for a connection gets one that works. */
static const char *greet(struct probe *probe, const struct probe_case *each, char text[256])
{
    probe->private_data = each->private_data;
    probe->private_length = each->private_length;
    bool good = probe_connect(probe) != NULL;
    probe->private_data = NULL;
    probe_disconnect(probe);
    (void)text;
    return good ? NULL : "no connection, or no answer to NULL";
}

/* NULL has no arguments; what stands behind it fills the Send. */
static const char *first_call(struct probe *probe, const struct probe_case *each, char text[256])
{
    uint8_t octets[FIRST_CALL] = {0};
    struct requester *peer = probe_open(probe);
    if (peer == NULL)
        return "no connection";
    struct requester_pending pending = {.xid = ++peer->xid};
    struct requester_reply reply;
    const uint32_t words[] = {pending.xid, RPCRDMA_VERSION_1, REQUESTER_CREDITS, RPCRDMA1_MSG};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    requester_rpc(octets + RPCRDMA1_HEADER_MIN, pending.xid, probe->program, probe->version, 0);
    requester_send(peer, octets, sizeof octets); /* where that fails, the end is what comes */
    requester_finish(peer, &pending, probe->timeout, &reply);
    snprintf(text, 256, "%s", reply.text);
    (void)each;
    return (reply.outcome & (RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS)) && reply.xid == pending.xid
               ? NULL
               : text;
}

#define PRIVATE(name, octets, requirement, text)                                                   \
    {                                                                                              \
        .id = name, .comment = text, .rule = requirement, .run = greet, .ending = ENDING_CRASHED,  \
        .private_data = octets, .private_length = sizeof octets - 1                                \
    }

/* clang-format off */
const struct probe_case probe_connection_cases[] = {
    PRIVATE("no-private-data", "", "rfc8797/5.1/defaults-without-message",
            "Connect without private data."),
    PRIVATE("private-data-of-others", "no RPC-over-RDMA here", "rfc8797/5.1/defaults-without-message",
            "Connect with private data of another protocol."),
    PRIVATE("private-data-behind-others", "xyz\xf6\xab\x0e\x18\x01\x00\x03\x03",
            "rfc8797/5.2/identifier-searched",
            "The message stands behind three octets of something else."),
    PRIVATE("private-data-with-reserved-bits", "\xf6\xab\x0e\x18\x01\xfe\x03\x03",
            "rfc8797/4/reserved-bits-ignored", "All reserved bits are set."),
    PRIVATE("private-data-of-version-two", "\xf6\xab\x0e\x18\x02\x01\xff\xff",
            "rfc8797/5.2/content-checked", "A message of format version 2."),
    PRIVATE("private-data-cut-off", "\xf6\xab\x0e\x18\x01", "rfc8797/5.2/content-checked",
            "The message ends behind its version; transports may fill up with zeros."),
    PRIVATE("private-data-of-largest-sizes", "\xf6\xab\x0e\x18\x01\x00\xff\xff",
            "rfc8166/6.3/peers-independent-of-parameters", "Sends of 256 KiB are announced."),
    PRIVATE("private-data-of-smallest-sizes", "\xf6\xab\x0e\x18\x01\x00\x00\x00",
            "rfc8166/6.3/peers-independent-of-parameters", "Sends of 1024 octets are announced."),
    {.id = "first-call-of-1024-octets",
     .comment = "The first Call of a connection fills 1024 octets.",
     .rule = "rfc8166/3.3.3/first-exchange", .run = first_call, .ending = ENDING_WRONG},
    {.id = NULL},
};
/* clang-format on */
