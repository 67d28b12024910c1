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

enum { PATIENCE_FACTOR = 20, LONGEST = SESSION_INLINE };

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
        rpcrdma_xdr_store32(octets + 4 * i, word);
    }
    return pad > 0 ? pad : 4 * send->count;
}

/* Whether silence is what it asks for. A request for properties has an answer. */
static bool has_no_answer(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length)
{
    struct rpcrdma_prefix prefix;
    return rpcrdma_prefix_load(&prefix, octets, length) &&
           !(draft == RPCRDMA_PROTOCOL_2_04 && prefix.procedure == RPCRDMA2_04_REQPROP) &&
           probe2_is_taken_in_silence(draft, octets, length);
}

/* How long an answer to a Send is waited for: where silence would be a failure, a peer on a busy
 * machine has its time. */
static unsigned time_for(const struct probe2_peer *peer, bool is_silent)
{
    unsigned silence = RPCRDMA_DISCARD | (is_silent ? (unsigned)RPCRDMA_PROCESS : 0);
    return peer->wanted & silence ? peer->probe->peer.patience : peer->probe->options.timeout;
}

/* What answers a Send before the last is passed over, but for an error that it does not leave open.
 */
static void wait_between(struct probe2_peer *peer, uint32_t xid, unsigned time)
{
    struct probe2_outcome outcome = probe2_wait(peer, xid, time);
    if (outcome.is_error && !(outcome.reaction & peer->wanted) && peer->early[0] == '\0')
        snprintf(peer->early, sizeof peer->early, "%.150s, to a Send before the last",
                 outcome.text);
}

/* Sends of a case, each after what answers the one before; returns the XID of the last. */
static uint32_t post(struct probe2_peer *peer, const struct probe2_case *test_case, size_t from,
                     size_t to, uint8_t octets[LONGEST], size_t *length)
{
    uint32_t last = peer->first;
    unsigned time = 0;
    for (size_t i = from; i < to; i++) {
        size_t pad = i + 1 == test_case->sends ? test_case->pad : 0;
        *length = test_case->vector ? probe2_vector_send(peer, i, octets)
                                    : make(peer, &test_case->send[i], pad, octets);
        if (i > from)
            wait_between(peer, last, time);
        last = *length < 4 ? 0 : rpcrdma_xdr_load32(octets);
        peer->requester.open = 0;
        peer->requester.broken = -1;
        peer->requester.came_length = 0;
        peer->credit = i < test_case->granting ? &test_case->credit : NULL;
        probe2_post(peer, octets, *length);
        peer->credit = NULL;
        peer->wanted = probe2_open(peer, octets, *length);
        /* Credits that a case withholds withhold answers. */
        time = i < test_case->granting
                   ? peer->probe->peer.patience
                   : time_for(peer, has_no_answer(peer->probe->options.draft, octets, *length));
        peer->backwards =
            peer->backwards || probe2_is_reply(peer->probe->options.draft, octets, *length);
    }
    return last;
}

/* A message that is no RPC, and that the session keeps to itself. */
static bool was_answered(const struct probe2_peer *peer, uint32_t xid, uint32_t type)
{
    struct rpcrdma_prefix prefix;
    return type != 0 &&
           rpcrdma_prefix_load(&prefix, peer->requester.came, peer->requester.came_length) &&
           prefix.version == 2 && prefix.xid == xid && prefix.procedure == type;
}

/* Whether all Calls of the case are answered. */
static bool are_answered(struct probe2_peer *peer, const struct probe2_case *test_case,
                         char text[PROBE_TEXT])
{
    struct probe2_outcome outcome = {.reaction = RPCRDMA_PROCESS};
    while (peer->replies < test_case->replies && outcome.reaction == RPCRDMA_PROCESS)
        outcome = probe2_wait(peer, peer->first + peer->replies, peer->probe->options.timeout);
    if (peer->replies < test_case->replies)
        snprintf(text, PROBE_TEXT, "of %u Calls %u were answered, then %s", test_case->replies,
                 peer->replies, outcome.text);
    return peer->replies >= test_case->replies;
}

/* Where RPC refuses the Call before its arguments are looked at, they could yet be garbage. */
static enum ending ending_of(const struct probe2_peer *peer, const struct probe2_outcome *outcome)
{
    if (outcome->reaction & peer->wanted)
        return ENDING_REQUIRED;
    return outcome->refused && (peer->wanted & RPCRDMA_GARBAGE_ARGS) ? ENDING_TOLERATED
                                                                     : ENDING_WRONG;
}

/* A vector is put to the peer only as it is: the checker says here what it said there. */
static bool is_as_meant(const struct probe2_peer *peer, const struct probe2_case *test_case)
{
    int broken = peer->requester.broken;
    bool is_any = test_case->vector == NULL && !test_case->falls_back;
    if (is_any || !test_case->breaks)
        return is_any || broken < 0;
    return broken >= 0 && strcmp(rpcrdma_requirements[broken].id, test_case->rule) == 0;
}

/* How it ended, and in words. Silence is believed once a NULL was answered after it: by an error,
 * where a message in pieces was left unfinished. */
static enum ending run_on(struct probe2_peer *peer, const struct probe2_case *test_case,
                          char text[PROBE_TEXT])
{
    uint8_t octets[LONGEST];
    size_t from = test_case->anew ? test_case->sends - 1 : 0, length = 0;
    uint32_t xid = post(peer, test_case, from, test_case->sends, octets, &length);
    if (!is_as_meant(peer, test_case)) {
        snprintf(text, PROBE_TEXT, "to this peer it cannot be sent as the vector has it");
        return ENDING_NOT_APPLICABLE;
    }
    bool is_silent = has_no_answer(peer->probe->options.draft, octets, length);
    unsigned time = time_for(peer, is_silent), patience = peer->probe->peer.patience;
    /* The session keeps an answer that is no RPC to itself, and a wait for it lasts to its end. */
    bool is_kept = test_case->answer != 0;
    struct probe2_outcome outcome = probe2_wait(peer, xid, is_kept ? patience : time);
    if (is_kept && outcome.reaction == RPCRDMA_DISCARD &&
        !was_answered(peer, xid, test_case->answer))
        outcome = probe2_wait(peer, xid, time);
    if (outcome.reaction == RPCRDMA_DISCARD &&
        (is_silent || was_answered(peer, xid, test_case->answer)))
        outcome.reaction |= RPCRDMA_PROCESS;
    enum ending ending = peer->early[0] == '\0' ? ending_of(peer, &outcome) : ENDING_WRONG;
    snprintf(text, PROBE_TEXT, "%s", peer->early[0] == '\0' ? outcome.text : peer->early);
    if (ending == ENDING_WRONG || (outcome.reaction & RPCRDMA_CLOSE) || test_case->falls_back)
        return ending;
    if (!are_answered(peer, test_case, text))
        return ENDING_WRONG;
    struct probe2_outcome after = probe2_null(peer);
    if (after.reaction != RPCRDMA_DISCARD && after.reaction != 0)
        return ending;
    snprintf(text, PROBE_TEXT, "%.120s, then to a NULL %.100s", outcome.text, after.text);
    return ENDING_WRONG;
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
    const char *rule = peer && ending_is_failure(ending)
                           ? probe_charged(&peer->requester, test_case->rule)
                           : test_case->rule;
    struct result *result = probe_result(probe, rule, test_case->breaks);
    result->ending = ending;
    result->expected = expectation(test_case, peer ? peer->wanted : 0);
    result->actual = alloc_text(actual ? actual : "as required");
    if (actual && peer)
        live_exchange(result, peer->requester.sent, peer->requester.sent_length,
                      peer->requester.came_length > 0 ? peer->requester.came : NULL,
                      peer->requester.came_length);
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
    if (test_case->vector)
        probe2_take_vector(peer, test_case);
    if (test_case->first || probe2_null(peer).reaction == RPCRDMA_PROCESS)
        return peer;
    probe2_close(peer);
    return NULL;
}

/* What goes on a connection of its own. False: the peer is gone. */
static bool leave(struct probe *probe, const struct probe2_case *test_case, uint32_t xid)
{
    uint8_t octets[LONGEST];
    size_t length;
    struct probe2_peer *peer = begin(probe, test_case, xid);
    if (peer == NULL)
        return false;
    post(peer, test_case, 0, test_case->sends - 1, octets, &length);
    probe2_close(peer);
    return true;
}

static void leave_out(struct probe *probe, const struct probe2_case *test_case, const char *reason)
{
    report(probe, test_case, NULL, ENDING_NOT_APPLICABLE, reason);
}

/* False: the peer is gone. */
static bool play(struct probe *probe, const struct probe2_case *test_case)
{
    char text[PROBE_TEXT] = "";
    uint32_t xid = probe->run.xid + 1;
    probe->run.xid += PROBE2_XIDS;
    struct probe2_peer *peer = NULL;
    if (!test_case->anew || leave(probe, test_case, xid))
        peer = begin(probe, test_case, xid);
    if (peer) {
        enum ending ending = run_on(peer, test_case, text);
        report(probe, test_case, peer, ending, ending == ENDING_REQUIRED ? NULL : text);
    } else {
        leave_out(probe, test_case, "not run: no connection, or no answer to NULL");
        probe->run.not_run += !interrupted();
    }
    probe2_close(peer);
    return peer != NULL;
}

bool probe2_begin(struct probe *probe)
{
    char *error = probe->peer.transport->error;
    probe->run.file = "probe";
    probe->run.xid = probe_first_xid(probe);
    probe_name(probe, "connect", "Connect, and call NULL by version 2.");
    struct probe2_peer *peer = probe2_connect(probe);
    int64_t begun = clock_milliseconds();
    struct probe2_outcome outcome = {.text = ""};
    if (peer)
        outcome = probe2_null(peer);
    int64_t patience = PATIENCE_FACTOR * (clock_milliseconds() - begun);
    probe->peer.patience = patience < probe_patience_min()              ? probe_patience_min()
                           : patience < (int64_t)probe->options.timeout ? (unsigned)patience
                                                                        : probe->options.timeout;
    probe2_close(peer);
    if (outcome.reaction != RPCRDMA_PROCESS && error[0] == '\0')
        snprintf(error, sizeof probe->peer.transport->error,
                 "the peer answers a NULL of version 2 by %s", outcome.text);
    return outcome.reaction == RPCRDMA_PROCESS;
}

/* A case, if it is wanted. */
static void run_case(struct probe *probe, const char *subject, const struct probe2_case *test_case)
{
    const struct probe_about about = {subject,
                                      test_case->id,
                                      test_case->comment,
                                      test_case->rule,
                                      probe2_hazard(probe, test_case),
                                      test_case->breaks};
    if (!probe_wants(probe, &about))
        return;
    probe_name(probe, test_case->id, test_case->comment);
    size_t results = probe->run.results.count;
    const char *reason = probe2_unsuitable(probe, test_case);
    if (reason) {
        leave_out(probe, test_case, reason);
        return;
    }
    bool lives = play(probe, test_case);
    probe_cut(probe, results, &about);
    if (lives) {
        probe->run.survived = test_case->id;
    } else if (!interrupted()) {
        probe->peer.dead = true;
        probe->run.stopped =
            alloc_text(probe->run.survived ? probe->run.survived : "the beginning");
    }
}

static void run_vector(struct probe *probe, const struct probe_row *row,
                       const struct probe_sends *sends)
{
    const struct probe2_case test_case = {.id = row->id,
                                          .comment = row->comment,
                                          .rule = row->rule,
                                          .breaks = row->breaks,
                                          .first = row->first,
                                          .answer = probe2_answer(row->protocol, sends),
                                          .vector = sends,
                                          .sends = sends->count};
    run_case(probe, "Sends of the vectors", &test_case);
}

void probe2_run_cases(struct probe *probe)
{
    probe->run.file = "probe";
    for (const struct probe2_case *each = probe2_cases(probe->options.draft); each->id; each++)
        run_case(probe, "version 2", each);
    probe_each_row(probe, probe->options.draft, run_vector);
    probe->run.file = "probe";
    if (!probe->peer.dead)
        probe2_run_data(probe);
}

static void run_test(struct probe *probe, const struct vector_test *test)
{
    enum rpcrdma_protocol draft = probe->options.draft;
    struct probe_sends *sends = alloc_zeroed(1, sizeof *sends);
    struct story story;
    bool fits = story_of(test, draft, &story);
    for (size_t i = 0; fits && i < story.count; i++)
        fits = probe_sends_add(sends, story.sends[i]->event.data, story.sends[i]->event.length);
    const struct probe_row row = {.id = test->id,
                                  .comment = test->comment,
                                  .rule = fits ? story.rule : NULL,
                                  .breaks = fits && story.breaks,
                                  .first = fits && story.first,
                                  .protocol = draft};
    if (fits)
        run_vector(probe, &row, sends);
    free(sends);
}

void probe2_run_corpus(struct probe *probe, const struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        const struct vector_file *file = &corpus->files[i];
        probe->run.file = file->path;
        for (size_t j = 0; file->draft == probe->options.draft && j < file->count; j++)
            run_test(probe, &file->tests[j]);
    }
}
