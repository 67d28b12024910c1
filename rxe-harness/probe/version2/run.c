// SPDX-License-Identifier: BSD-3-Clause
/* Running the cases of version 2. */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <rpcrdma/rpcrdma2_04.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 40, PATIENCE_FACTOR = 20, LONGEST = SESSION_INLINE };

/* The octets of a Send; its length. */
static size_t make(const struct probe2_peer *peer, const struct probe2_send *send, size_t pad,
                   uint8_t octets[LONGEST])
{
    const struct probe_options *options = &peer->probe->options;
    memset(octets, 0, LONGEST);
    for (size_t i = 0; i < send->count; i++) {
        uint32_t word = send->words[i];
        if (word >= PROBE2_XID && word < PROBE2_PROGRAM)
            word = word - PROBE2_XID + peer->first;
        else if (word == PROBE2_PROGRAM || word == PROBE2_VERSION)
            word = word == PROBE2_PROGRAM ? options->program : options->version;
        else if (word == PROBE2_HANDLE)
            word = peer->memory.handle;
        else if (word == PROBE2_OFFSET_HIGH || word == PROBE2_OFFSET_LOW)
            word = (uint32_t)(word == PROBE2_OFFSET_HIGH ? peer->memory.offset >> 32
                                                         : peer->memory.offset);
        rpcrdma_xdr_store32(octets + 4 * i, word);
    }
    return pad > 0 ? pad : 4 * send->count;
}

/* Sends of a case, each after what answers the one before; returns the XID of the last. */
static uint32_t post(struct probe2_peer *peer, const struct probe2_case *test_case, size_t from,
                     size_t to, uint8_t octets[LONGEST])
{
    uint32_t last = peer->first;
    rpcrdma_xdr_store32(peer->rpc, peer->first); /* a Call in a chunk has the XID of its header */
    for (size_t i = from; i < to; i++) {
        size_t pad = i + 1 == test_case->sends ? test_case->pad : 0;
        size_t length = make(peer, &test_case->send[i], pad, octets);
        if (i > from)
            probe2_wait(peer, last, peer->probe->peer.patience);
        last = rpcrdma_xdr_load32(octets);
        peer->open = 0;
        peer->came_length = 0;
        peer->credit = i < test_case->granting ? &test_case->credit : NULL;
        probe2_post(peer, octets, length);
        peer->credit = NULL;
        peer->wanted = peer->open | test_case->open;
    }
    return last;
}

/* Whether it is taken without an answer: a GRANT, properties, a piece that is not the last. A
 * request for properties has one. */
static bool has_no_answer(enum rpcrdma_protocol draft, const uint8_t *octets)
{
    struct rpcrdma_prefix prefix;
    if (!rpcrdma_prefix_load(&prefix, octets, RPCRDMA2_07_HDR_PREFIX_SIZE))
        return false;
    uint32_t type = prefix.procedure;
    if (draft == RPCRDMA_PROTOCOL_2_04)
        return type == RPCRDMA2_04_CONNPROP || type == RPCRDMA2_04_RESPROP ||
               type == RPCRDMA2_04_UPDPROP;
    return type == RPCRDMA2_07_CALL_MIDDLE ||
           (type >= RPCRDMA2_07_GRANT && type <= RPCRDMA2_07_CONNPROP_FINAL);
}

/* A message that is no RPC, and that the session keeps to itself. */
static bool was_answered(const struct probe2_peer *peer, uint32_t xid, uint32_t type)
{
    struct rpcrdma_prefix prefix;
    return type != 0 && rpcrdma_prefix_load(&prefix, peer->came, peer->came_length) &&
           prefix.version == 2 && prefix.xid == xid && prefix.procedure == type;
}

/* Whether all Calls of the case are answered. */
static bool are_answered(struct probe2_peer *peer, const struct probe2_case *test_case,
                         char text[PROBE_TEXT])
{
    struct probe2_outcome outcome = {.reaction = RPCRDMA_PROCESS};
    while (peer->replies < test_case->replies && outcome.reaction == RPCRDMA_PROCESS)
        outcome = probe2_wait(peer, peer->first + peer->replies, peer->probe->options.timeout);
    snprintf(text, PROBE_TEXT, "of %u Calls %u were answered, then %s", test_case->replies,
             peer->replies, outcome.text);
    return peer->replies >= test_case->replies;
}

/* Returns what is wrong, or NULL. Silence is believed once a NULL was answered after it: by an
 * error, where a message in pieces was left unfinished. */
static const char *run_on(struct probe2_peer *peer, const struct probe2_case *test_case,
                          char text[PROBE_TEXT])
{
    uint8_t octets[LONGEST];
    size_t from = test_case->anew ? test_case->sends - 1 : 0;
    uint32_t xid = post(peer, test_case, from, test_case->sends, octets);
    struct probe2_outcome outcome = probe2_wait(peer, xid, peer->probe->peer.patience);
    bool ended = outcome.reaction & RPCRDMA_CLOSE;
    if (outcome.reaction == RPCRDMA_DISCARD && (has_no_answer(peer->probe->options.draft, octets) ||
                                                was_answered(peer, xid, test_case->answer)))
        outcome.reaction |= RPCRDMA_PROCESS;
    if (!(outcome.reaction & peer->wanted)) {
        snprintf(text, PROBE_TEXT, "%s", outcome.text);
        return text;
    }
    if (!ended && !are_answered(peer, test_case, text))
        return text;
    struct probe2_outcome after = {.reaction = RPCRDMA_PROCESS};
    if (!ended)
        after = probe2_null(peer);
    if (after.reaction != RPCRDMA_DISCARD && after.reaction != 0)
        return NULL;
    snprintf(text, PROBE_TEXT, "%s, then to a NULL %s", outcome.text, after.text);
    return text;
}

/* What the case is, and the reactions that its last Send leaves open. */
static char *expectation(const struct probe2_case *test_case, unsigned open)
{
    struct alloc_stream text;
    alloc_begin(&text);
    fputs(test_case->comment, text.out);
    const char *between = open ? " Open: " : "";
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (open & 1u << i) {
            fprintf(text.out, "%s%s", between,
                    rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
            between = ", ";
        }
    return alloc_end(&text);
}

static void report(struct probe *probe, const struct probe2_case *test_case,
                   const struct probe2_peer *peer, enum ending ending, const char *actual)
{
    struct result *result = probe_result(probe, test_case->rule, false);
    result->ending = ending;
    result->expected = expectation(test_case, peer ? peer->wanted : 0);
    result->actual = alloc_text(actual ? actual : "as required");
    if (actual && peer)
        live_exchange(result, peer->sent, peer->sent_length,
                      peer->came_length > 0 ? peer->came : NULL, peer->came_length);
}

/* A connection for a case. NULL: the peer is gone. */
static struct probe2_peer *begin(struct probe *probe, const struct probe2_case *test_case,
                                 uint32_t xid)
{
    struct probe2_peer *peer = probe2_connect(probe);
    if (peer == NULL)
        return NULL;
    peer->first = xid;
    peer->withholds = test_case->granting > 0;
    if (test_case->first || probe2_null(peer).reaction == RPCRDMA_PROCESS)
        return peer;
    probe2_close(peer);
    return NULL;
}

/* What goes on a connection of its own. False: the peer is gone. */
static bool leave(struct probe *probe, const struct probe2_case *test_case, uint32_t xid)
{
    uint8_t octets[LONGEST];
    struct probe2_peer *peer = begin(probe, test_case, xid);
    if (peer == NULL)
        return false;
    post(peer, test_case, 0, test_case->sends - 1, octets);
    probe2_close(peer);
    return true;
}

/* False: the peer is gone. */
static bool run_case(struct probe *probe, const struct probe2_case *test_case)
{
    char text[PROBE_TEXT] = "";
    uint32_t xid = probe->run.xid + 1;
    probe->run.xid += PROBE2_XIDS;
    struct probe2_peer *peer = NULL;
    if (!test_case->anew || leave(probe, test_case, xid))
        peer = begin(probe, test_case, xid);
    if (peer) {
        const char *wrong = run_on(peer, test_case, text);
        report(probe, test_case, peer, wrong ? ENDING_WRONG : ENDING_REQUIRED, wrong);
    } else {
        report(probe, test_case, NULL, ENDING_NOT_APPLICABLE,
               "not run: no connection, or no answer to NULL");
        probe->run.not_run += !interrupted();
    }
    probe2_close(peer);
    return peer != NULL;
}

bool probe2_begin(struct probe *probe)
{
    char *error = probe->peer.transport->error;
    probe->run.file = "probe";
    probe->run.xid = probe->peer.forgets ? 0x7e500000 : (uint32_t)clock_milliseconds() << 12;
    probe_name(probe, "connect", "Connect, and call NULL by version 2.");
    struct probe2_peer *peer = probe2_connect(probe);
    int64_t begun = clock_milliseconds();
    struct probe2_outcome outcome = {.text = ""};
    if (peer)
        outcome = probe2_null(peer);
    int64_t patience = PATIENCE_FACTOR * (clock_milliseconds() - begun);
    probe->peer.patience = patience < PATIENCE                          ? PATIENCE
                           : patience < (int64_t)probe->options.timeout ? (unsigned)patience
                                                                        : probe->options.timeout;
    probe2_close(peer);
    if (outcome.reaction != RPCRDMA_PROCESS && error[0] == '\0')
        snprintf(error, sizeof probe->peer.transport->error,
                 "the peer answers a NULL of version 2 by %s", outcome.text);
    return outcome.reaction == RPCRDMA_PROCESS;
}

const struct probe2_case *probe2_cases(enum rpcrdma_protocol draft)
{
    return draft == RPCRDMA_PROTOCOL_2_04 ? probe2_cases04 : probe2_cases07;
}

void probe2_run_cases(struct probe *probe)
{
    const char *before = "the beginning";
    probe->run.file = "probe";
    for (const struct probe2_case *test_case = probe2_cases(probe->options.draft); test_case->id;
         test_case++) {
        const struct probe_about about = {"version 2",     test_case->id, test_case->comment,
                                          test_case->rule, NULL,          false};
        if (!probe_wants(probe, &about))
            continue;
        probe_name(probe, test_case->id, test_case->comment);
        size_t results = probe->run.results.count;
        bool lives = run_case(probe, test_case);
        if (lives)
            before = test_case->id;
        probe_cut(probe, results, &about);
        if (lives || interrupted())
            continue;
        probe->peer.dead = true;
        probe->run.stopped = alloc_text(before);
    }
    if (!probe->peer.dead)
        probe2_run_data(probe);
}
