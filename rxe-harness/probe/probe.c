// SPDX-License-Identifier: BSD-3-Clause
/* What all cases share: connections, patience, findings, results. */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/session/session.h"
#include "rxe-harness/transport/watched.h"

#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"
#include "conformance/base/count.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROBE_CONNECTION_MAX (256u << 10) /* octets that are recorded of one */

/* ---- results ---- */

/* Of cases that are about Receives themselves, or about a Call of the peer's, which takes one. */
static const char *const on_receives[] = {
    "rfc8166/3.3.1/receives-before-larger-grant",
    "rfc8166/3.3.3/first-exchange",
    "rfc8166/3.3.3/receive-1024",
    "rfc8167/4.3.2/server-receives",
    "rpcrdma2-07/4.2.1.1/spare-receive",
};

/* No more was under way than the peer said; of -07 that is counted in Sends. */
static bool was_granted(const struct requester *peer, bool is_07)
{
    return is_07 ? session_counts(peer->session).left >= 0 : peer->granted >= 2;
}

const char *probe_charged(const struct requester *peer, const char *rule)
{
    bool is_07 = peer->session && peer->watched.config.draft == RPCRDMA_PROTOCOL_2_07;
    if (peer->link == NULL || !peer->link->starved || !was_granted(peer, is_07))
        return rule;
    for (size_t i = 0; rule && i < COUNT(on_receives); i++)
        if (strcmp(rule, on_receives[i]) == 0)
            return rule;
    return is_07 ? "rpcrdma2-07/4.2.1/receives-as-advertised" : "rfc8166/2.3.2/receives-posted";
}

struct result *probe_result(struct probe *probe, const char *rule, bool breaks)
{
    const struct live_case about = {probe->run.file, probe->run.current.id,
                                    probe->run.current.comment};
    return live_result(&probe->run.results, &about, rule, breaks, "client");
}

static bool is_in_version_2(const struct rpcrdma_event *event)
{
    struct rpcrdma_prefix prefix;
    return event->type == RPCRDMA_EVENT_SEND &&
           rpcrdma_prefix_load(&prefix, event->data, event->length) && prefix.version == 2;
}

static void on_finding(void *arg, const struct rpcrdma_event *event,
                       const struct rpcrdma_finding *finding)
{
    struct probe *probe = arg;
    const struct live_case about = {probe->run.file, probe->run.current.id,
                                    probe->run.current.comment};
    bool own = probe->run.current.xids_differ && finding->rule == RPCRDMA_RFC8166_4_2_1_XID_EQUAL;
    own = own || (probe->run.current.error_open &&
                  finding->rule == RPCRDMA_RFC8166_4_5_ERROR_WITHOUT_CALL && event->length >= 4 &&
                  rpcrdma_xdr_load32(event->data) == probe->requester->xid);
    own = own || (probe->run.current.offers_2 && is_in_version_2(event));
    /* Segments come back as they were sent. */
    own = own || (finding->rule == RPCRDMA_RFC8166_3_4_3_SEGMENT_WITHIN_ADDRESS_SPACE &&
                  probe->requester && probe->requester->broken == (int)finding->rule);
    own = own || probe->run.current.linger > 0; /* the first time has said it */
    if (probe->run.finding) {
        if (finding->severity != RPCRDMA_NOTE && !own)
            probe->run.finding(probe->run.finding_arg, event, finding);
        return;
    }
    const struct requester *peer = probe->requester;
    struct result *result = finding->severity != RPCRDMA_NOTE && !own
                                ? live_finding(&probe->run.results, &about, event, finding)
                                : NULL;
    if (result && peer && event->type == RPCRDMA_EVENT_SEND)
        live_exchange(result, event->data, event->length, peer->sent, peer->sent_length);
}

void probe_name(struct probe *probe, const char *id, const char *comment)
{
    const struct live_case about = {probe->run.file, id, comment};
    peer_log_turn(&probe->run.log, &probe->run.results, &about);
    watched_forget_scene();
    /* Nothing is left of the case before. */
    probe->run.current =
        (struct probe_current){.id = id, .comment = comment, .place = probe->run.current.place};
}

/* ---- recording ---- */

/* A connection that is longer than the room for it is left out: half of one proves nothing. */
void probe_record(void *arg, const struct rpcrdma_check_config *config,
                  const struct rpcrdma_event *event, const struct rpcrdma_judgement *judgement)
{
    struct probe *probe = arg;
    struct source_event source = {.event = *event,
                                  .file = "probe",
                                  .connection = probe->run.current.id,
                                  .connection_id = probe->run.recording.connections,
                                  .config = config};
    if (event->length > probe->run.recording.connection_left ||
        event->length > probe->run.recording.left) {
        probe->run.recording.connection_left = 0;
        source.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_GAP, .from = event->from};
    } else {
        probe->run.recording.connection_left -= event->length;
        probe->run.recording.left -= event->length;
    }
    record_event(probe->run.recording.recorder, &source, judgement);
}

void probe_record_end(struct probe *probe, const struct requester *peer, unsigned connection)
{
    const struct source_event source = {
        .event = {.type = RPCRDMA_EVENT_DISCONNECT,
                  .from = requester_gone(peer) ? RPCRDMA_SERVER : RPCRDMA_CLIENT},
        .file = "probe",
        .connection_id = connection,
        .config = &peer->watched.config};
    record_event(probe->run.recording.recorder, &source, &peer->watched.judgement);
}

void probe_begin_recording(struct probe *probe)
{
    probe->run.recording.connections++;
    probe->run.recording.connection_left = PROBE_CONNECTION_MAX;
}

/* ---- connections ---- */

void probe_disconnect(struct probe *probe)
{
    if (probe->requester) {
        probe->run.xid = probe->requester->xid;
        requester_close(probe->requester);
    }
    probe->requester = NULL;
}

#define TRIES 4 /* messages that may come before the end */

bool probe_is_gone(struct probe *probe)
{
    struct link_event event = {.type = LINK_RECEIVED};
    for (int tries = 0; tries < TRIES && event.type == LINK_RECEIVED; tries++)
        requester_wait(probe->requester, probe->peer.patience, &event);
    return requester_gone(probe->requester);
}

bool probe_is_over(const struct probe *probe)
{
    return probe->run.until > 0 && clock_milliseconds() >= probe->run.until;
}

struct requester *probe_open(struct probe *probe)
{
    bool is_version1 = !rpcrdma_protocol_is_draft(probe->options.draft);
    probe_disconnect(probe); /* whose XIDs the next has not */
    const struct requester_options options = {
        .timeout = probe->options.timeout,
        .draft = probe->options.draft,
        .no_fallback = true,
        .xid = probe->run.xid,
        .program = probe->options.program,
        .version = probe->options.version,
        .invalidates = probe->peer.invalidates,
        .private_data = probe->run.current.private_data,
        .private_length = probe->run.current.private_length,
        .infers = probe->peer.infers && is_version1,
        .binding = true,
        .finding = on_finding,
        .linger = probe->run.current.linger,
        .witness =
            probe->run.recording.recorder && probe->run.current.linger == 0 ? probe_record : NULL,
        .arg = probe};
    probe_begin_recording(probe);
    probe->requester = requester_connect(probe->peer.transport, &options);
    if (probe->requester == NULL)
        return NULL;
    probe->requester->program = probe->options.program;
    probe->requester->version = probe->options.version;
    return probe->requester;
}

struct requester *probe_connect(struct probe *probe)
{
    /* A peer that was hurt may take a while to come back. */
    probe->run.unanswering = 0;
    for (int tries = 0; tries == 0 || (tries < 3 && !probe_is_over(probe)); tries++) {
        if (probe_open(probe) && requester_null(probe->requester, probe->options.timeout))
            return probe->requester;
        probe->run.unanswering += probe->requester ? probe->requester->messages : 0;
    }
    const char *why = probe->requester ? probe->requester->link->why : probe->peer.transport->error;
    snprintf(probe->run.unmet, sizeof probe->run.unmet, "%s", why);
    probe_disconnect(probe);
    return NULL;
}
