// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of many Sends at fault, more of them than the peer has Receives, with nothing good between:
 * each uses a Receive, which has to be there again for what comes after. Never are more under way
 * than the peer granted, the Call that follows them included.
 */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>

#define TIMES 3          /* the grant: a peer may post more Receives than it says */
#define SERIES_MAX 1024u /* Sends, whatever is granted */

struct probe_series {
    /* Change a NULL into the Send of this number; returns its length. */
    size_t (*spoil)(unsigned number, uint8_t octets[REQUESTER_NULL]);
    bool by_time; /* pauses, and no good Calls, are what lets the peer drop what it was sent */
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void set_word(uint8_t *octets, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(octets + at, word);
}

static size_t runt(unsigned number, uint8_t octets[REQUESTER_NULL])
{
    static const size_t lengths[] = {1, 4, 15, 16, 20, 24, 27};
    (void)octets;
    return lengths[number % COUNT(lengths)];
}

static size_t rdma_error(unsigned number, uint8_t octets[REQUESTER_NULL])
{
    bool vers = number % 2 == 0;
    set_word(octets, RPCRDMA1_AT_PROC, RPCRDMA1_ERROR);
    set_word(octets, RPCRDMA1_AT_PROC + 4, vers ? RPCRDMA1_ERR_VERS : RPCRDMA1_ERR_CHUNK);
    set_word(octets, RPCRDMA1_AT_PROC + 8, RPCRDMA_VERSION_1);
    set_word(octets, RPCRDMA1_AT_PROC + 12, RPCRDMA_VERSION_1);
    return vers ? RPCRDMA1_ERR_VERS_LENGTH : RPCRDMA1_ERR_CHUNK_LENGTH;
}

/* Another version, another procedure, a Read list that is cut off. */
static size_t bad_call(unsigned number, uint8_t octets[REQUESTER_NULL])
{
    if (number % 3 == 0)
        set_word(octets, RPCRDMA1_AT_RDMA_VERS, 9);
    else if (number % 3 == 1)
        set_word(octets, RPCRDMA1_AT_PROC, 77);
    else
        set_word(octets, RPCRDMA1_AT_PROC + 4, 1);
    return number % 3 == 2 ? RPCRDMA1_HEADER_MIN : REQUESTER_NULL;
}

static unsigned error_for(unsigned number)
{
    return number % 3 == 0 ? RPCRDMA_ERR_VERS : RPCRDMA_ERR_CHUNK;
}

/* Where it fails, the end of the connection is what comes. */
static void send_spoiled(struct probe *probe, const struct probe_series *series, unsigned number)
{
    uint8_t octets[REQUESTER_NULL];
    requester_null_call(probe->requester, ++probe->requester->xid, octets);
    requester_send(probe->requester, octets, series->spoil(number, octets));
}

static const char *tell(struct probe *probe, const struct requester_reply *reply, const char *what,
                        unsigned sent, char text[PROBE_TEXT])
{
    probe->run.current.nothing = reply->outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE);
    snprintf(text, PROBE_TEXT, "%s %s %u of them", reply->text, what, sent);
    return text;
}

/* A NULL. What comes before its Reply answers what should have been dropped, which the checker
 * tells. */
static const char *good_one(struct probe *probe, unsigned sent, char text[PROBE_TEXT])
{
    static const struct requester_call null = {.procedure = 0};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    requester_begin(probe->requester, &null, &pending);
    for (unsigned i = 0; i <= sent && reply.xid != pending.xid; i++) {
        requester_finish(probe->requester, &pending, probe->options.timeout, &reply);
        if (reply.outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE))
            break;
    }
    requester_forget(probe->requester, &pending);
    bool good = (reply.outcome & (RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS)) != 0;
    return good ? NULL : tell(probe, &reply, "for a NULL after", sent, text);
}

/* Until nothing has come for some time. */
static void wait_for_drops(struct probe *probe)
{
    struct link_event event = {.type = LINK_RECEIVED};
    for (unsigned i = 0; i <= PROBE_PARALLEL_MAX && event.type == LINK_RECEIVED; i++)
        requester_wait(probe->requester, probe->peer.patience, &event);
}

/* All Receives are there at the end. */
static const char *all_again(struct probe *probe, unsigned sent, char text[PROBE_TEXT])
{
    char some[PROBE_TEXT];
    const char *wrong = good_one(probe, sent, text);
    if (wrong)
        return wrong;
    wrong = probe_calls_at_once(probe, some);
    if (wrong)
        snprintf(text, PROBE_TEXT, "%.150s, after %u of them and a good Call", wrong, sent);
    return wrong ? text : NULL;
}

/* What has to be dropped: the Reply to a later Call shows that it was. */
static const char *dropped(struct probe *probe, const struct probe_case *test_case,
                           char text[PROBE_TEXT])
{
    const struct probe_series *series = test_case->series;
    unsigned granted = smaller(probe->requester->granted, SERIES_MAX / TIMES), sent = 0;
    unsigned at_once = smaller(granted, PROBE_PARALLEL_MAX) - 1;
    const char *wrong = NULL;
    if (granted < 2) {
        probe->run.current.inapplicable = true;
        return "its grant has no room for a Send beside a Call";
    }
    while (wrong == NULL && sent < TIMES * granted) {
        for (unsigned i = 0; i < at_once; i++)
            send_spoiled(probe, series, sent++);
        if (series->by_time)
            wait_for_drops(probe);
        else
            wrong = good_one(probe, sent, text);
    }
    wrong = wrong ? wrong : all_again(probe, sent, text);
    /* No text says by when a Receive has to be there again. */
    probe->run.current.tolerated = wrong && series->by_time && probe_is_gone(probe);
    return wrong;
}

/* What has to be answered: each answer lets the next one go. */
static const char *answered(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    bool answered[SERIES_MAX] = {false};
    struct requester *peer = probe->requester;
    struct requester_pending pending = {.xid = peer->xid + 1};
    struct requester_reply reply;
    unsigned granted = smaller(peer->granted, SERIES_MAX / TIMES), sent = 0;
    unsigned at_once = smaller(granted, PROBE_PARALLEL_MAX);
    for (unsigned came = 0; came < TIMES * granted; came++) {
        while (sent < TIMES * granted && sent - came < at_once)
            send_spoiled(probe, test_case->series, sent++);
        requester_finish(peer, &pending, probe->options.timeout, &reply);
        uint32_t place = reply.xid - pending.xid;
        if (reply.outcome == RPCRDMA_CLOSE && came > 0 && !peer->link->starved)
            probe->run.current.tolerated = true; /* to close after an error is not forbidden */
        if (place >= sent || answered[place] || reply.outcome != error_for(place))
            return tell(probe, &reply, "after", came, text);
        answered[place] = true;
    }
    return all_again(probe, sent, text);
}

static const struct probe_series runts_by_calls = {runt, false}, runts_by_time = {runt, true},
                                 errors_by_calls = {rdma_error, false},
                                 errors_by_time = {rdma_error, true}, bad_calls = {bad_call, false};

const struct probe_case probe_series_cases[] = {
    {.id = "series-of-runts",
     .comment = "As many runts at once as are granted, less one, then a NULL; thrice and more.",
     .rule = "rfc8166/4.5/short-message-discarded",
     .run = dropped,
     .ending = ENDING_WRONG,
     .series = &runts_by_calls},
    {.id = "series-of-errors",
     .comment = "As many RDMA_ERRORs at once as are granted, less one, then a NULL; thrice and "
                "more.",
     .rule = "rfc8166/4.2.4/responder-drops-error",
     .run = dropped,
     .ending = ENDING_WRONG,
     .series = &errors_by_calls},
    {.id = "series-of-faults",
     .comment = "As many Calls at fault at once as are granted, then another one for each "
                "RDMA_ERROR, thrice as many; NULLs after the last.",
     .rule = "rfc8166/4.5/call-error-answered",
     .run = answered,
     .ending = ENDING_WRONG,
     .series = &bad_calls},
    {.id = "series-of-runts-beyond-grant",
     .comment = "Runts alone, thrice as many as are granted, with pauses in which they can be "
                "dropped; then NULLs.",
     .rule = "rfc8166/4.5/short-message-discarded",
     .run = dropped,
     .ending = ENDING_WRONG,
     .series = &runts_by_time},
    {.id = "series-of-errors-beyond-grant",
     .comment = "RDMA_ERRORs alone, thrice as many as are granted, with pauses in which they can "
                "be dropped; then NULLs.",
     .rule = "rfc8166/4.2.4/responder-drops-error",
     .run = dropped,
     .ending = ENDING_WRONG,
     .series = &errors_by_time},
    {.id = NULL},
};
