// SPDX-License-Identifier: BSD-3-Clause
/* Cases of how a connection begins: private data of all kinds, and the first Call. */
#include "rxe-harness/probe/probe.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>

#define FIRST_CALL 1024 /* octets that every receiver takes (RFC 8166 3.3.3) */

/* Whatever the private data say: who asks for a connection gets one that works. */
static const char *greet(struct probe *probe, const struct probe_case *test_case,
                         char text[PROBE_TEXT])
{
    uint8_t octets[ANNOUNCEMENT_MAX];
    probe->run.current.private_length = announcement_encode(test_case->announced, octets);
    probe->run.current.private_data = octets;
    bool good = probe_connect(probe) != NULL;
    probe->run.current.private_data = NULL;
    probe_disconnect(probe);
    (void)text;
    return good ? NULL : "no connection, or no answer to NULL";
}

/* NULL has no arguments; what comes after it fills the Send. Silence counts only if it comes
 * again on another connection: a device may lose what arrives just as it connects. */
static const char *first_call(struct probe *probe, const struct probe_case *test_case,
                              char text[PROBE_TEXT])
{
    (void)test_case;
    uint8_t octets[FIRST_CALL] = {0};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply = {.outcome = RPCRDMA_DISCARD};
    for (int tries = 0; tries < 2 && reply.outcome == RPCRDMA_DISCARD; tries++) {
        struct requester *peer = probe_open(probe);
        if (peer == NULL)
            return "no connection";
        pending.xid = ++peer->xid;
        requester_null_call(peer, pending.xid, octets);
        requester_send(peer, octets, sizeof octets); /* where that fails, the end is what comes */
        requester_finish(peer, &pending, probe->options.timeout, &reply);
    }
    snprintf(text, PROBE_TEXT, "%s", reply.text);
    return (reply.outcome & (RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS)) && reply.xid == pending.xid
               ? NULL
               : text;
}

#define PRIVATE(name, requirement, text, ...)                                                      \
    {                                                                                              \
        .id = name, .comment = text, .rule = requirement, .run = greet, .ending = ENDING_CRASHED,  \
        .announced = &(const struct announcement)                                                  \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define SIZE 4096

/* clang-format off */
const struct probe_case probe_connection_cases[] = {
    PRIVATE("no-private-data", "rfc8797/5.1/defaults-without-message",
            "Connect without private data.", .version = 0),
    PRIVATE("private-data-of-others", "rfc8797/5.1/defaults-without-message",
            "Connect with private data of another protocol.", .before = "no RPC-over-RDMA here"),
    PRIVATE("private-data-after-others", "rfc8797/5.2/identifier-searched",
            "Three octets of another layer come before the message.",
            .before = "xyz", .version = 1, .size = SIZE),
    PRIVATE("private-data-with-reserved-bits", "rfc8797/4/reserved-bits-ignored",
            "All reserved bits are set.", .version = 1, .flags = 0xfe, .size = SIZE),
    PRIVATE("private-data-of-version-two", "rfc8797/5.2/content-checked",
            "A message of format version 2.", .version = 2, .flags = 1, .size = 262144),
    PRIVATE("private-data-cut-off", "rfc8797/5.2/content-checked",
            "The message ends after its version; transports may fill up with zeros.",
            .version = 1, .cut = 3),
    PRIVATE("private-data-of-largest-sizes", "rfc8166/6.3/peers-independent-of-parameters",
            "Sends of 256 KiB are announced.", .version = 1, .size = 262144),
    PRIVATE("private-data-of-smallest-sizes", "rfc8166/6.3/peers-independent-of-parameters",
            "Sends of 1024 octets are announced.", .version = 1, .size = 1024),
    {.id = "first-call-of-1024-octets",
     .comment = "The first Call of a connection fills 1024 octets.",
     .rule = "rfc8166/3.3.3/first-exchange", .run = first_call, .ending = ENDING_WRONG},
    {.id = NULL},
};
/* clang-format on */
