// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/exchange.h"

#include "rxe-harness/requester/reverse.h"

#include "conformance/base/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 8 /* Calls of the server's that may come before the Reply */

const char *exchange_meaning(uint32_t status)
{
    switch (status) {
    case NFS_NFS4ERR_PERM:
    case NFS_NFS4ERR_ACCESS:
        return " (no permission)";
    case NFS_NFS4ERR_NOENT:
        return " (no such file)";
    case NFS_NFS4ERR_NOTDIR:
        return " (not a directory)";
    case NFS_NFS4ERR_ISDIR:
        return " (a directory)";
    case NFS_NFS4ERR_ROFS:
        return " (read-only file system)";
    default:
        return "";
    }
}

/* The peer does not let us, or not now: that is no fault of its transport. */
static bool is_refusal(uint32_t status)
{
    static const uint32_t refusals[] = {
        NFS_NFS4ERR_PERM,         NFS_NFS4ERR_NOENT,
        NFS_NFS4ERR_ACCESS,       NFS_NFS4ERR_EXIST,
        NFS_NFS4ERR_NOTDIR,       NFS_NFS4ERR_ISDIR,
        NFS_NFS4ERR_NOSPC,        NFS_NFS4ERR_ROFS,
        NFS_NFS4ERR_DQUOT,        NFS_NFS4ERR_DELAY,
        NFS_NFS4ERR_LOCKED,       NFS_NFS4ERR_GRACE,
        NFS_NFS4ERR_SHARE_DENIED, NFS_NFS4ERR_WRONGSEC,
        NFS_NFS4ERR_BAD_STATEID,  NFS_NFS4ERR_OPENMODE,
        NFS_NFS4ERR_NOTSUPP,      NFS_NFS4ERR_REQ_TOO_BIG,
        NFS_NFS4ERR_REP_TOO_BIG,  NFS_NFS4ERR_REP_TOO_BIG_TO_CACHE,
        NFS_NFS4ERR_TOO_MANY_OPS, NFS_NFS4ERR_RESOURCE,
        NFS_NFS4ERR_FBIG,
    };
    for (size_t i = 0; i < COUNT(refusals); i++)
        if (refusals[i] == status)
            return true;
    return false;
}

bool exchange_take_call(struct probe *probe)
{
    struct requester *peer = probe->requester;
    struct probe_held *held = probe->run.current.held;
    if (held == NULL || held->length > 0)
        return requester_answer_call(peer);
    if (!requester_is_called(peer))
        return false;
    held->length = peer->came_length;
    memcpy(held->octets, peer->came, held->length);
    return true;
}

/* A server that calls in the reverse direction gets its answer first. */
static void finish(struct probe *probe, struct probe_exchange *exchange)
{
    for (int tries = 0; tries < TRIES; tries++) {
        requester_finish(probe->requester, &exchange->pending, probe->options.timeout,
                         &exchange->reply);
        if (exchange->reply.outcome != 0 || !exchange_take_call(probe))
            return;
    }
}

/* ---- peers without version 4.0 ---- */

const char *exchange_dress(struct probe *probe, struct nfs_compound *compound,
                           char text[PROBE_TEXT])
{
    struct probe_current *current = &probe->run.current;
    bool in_session = compound->minor > 0; /* it has its SEQUENCE, or may not have one */
    if (probe->peer.minor == 0)
        return NULL;
    compound->minor = probe->peer.minor;
    if (in_session)
        return NULL;
    if (current->slot_unsure)
        exchange_leave(probe);
    const char *wrong =
        current->in_session ? NULL : probe_begin_session(probe, 0, &current->session, text);
    if (wrong)
        return wrong;
    current->in_session = true;
    current->slot_unsure = false;
    nfs_enter_session(compound, &current->session);
    return NULL;
}

void exchange_leave(struct probe *probe)
{
    if (probe->run.current.in_session && probe->requester && !requester_gone(probe->requester))
        probe_end_session(probe, &probe->run.current.session);
    probe->run.current.in_session = false;
}

/* ---- a Call ---- */

bool exchange_begin(struct probe *probe, const struct requester_call *call,
                    struct requester_pending *pending, struct requester_reply *reply)
{
    *reply = (struct requester_reply){.outcome = 0};
    if (requester_begin(probe->requester, call, pending))
        return true;
    requester_finish(probe->requester, pending, probe->peer.patience, reply);
    bool ended = reply->outcome == RPCRDMA_CLOSE;
    probe->run.current.inapplicable = !ended;
    return ended;
}

const char *exchange_judge(struct probe *probe, const struct requester_pending *pending,
                           const struct requester_reply *reply, char text[PROBE_TEXT])
{
    probe->run.current.refused = reply->outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
    if (reply->outcome == RPCRDMA_PROCESS && reply->accepted && reply->stat == 0 &&
        reply->xid == pending->xid)
        return NULL;
    bool nothing = (reply->outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE)) != 0;
    bool is_other = !nothing && reply->xid != pending->xid;
    if (nothing && probe->run.current.nothing == 0) /* what comes after it follows from it */
        probe->run.current.nothing = reply->outcome;
    snprintf(text, PROBE_TEXT, "%s%s", reply->text, is_other ? ", of another XID" : "");
    return text;
}

const char *exchange_call(struct probe *probe, const struct nfs_compound *compound,
                          struct requester_call shape, uint32_t status,
                          struct probe_exchange *exchange, char text[PROBE_TEXT])
{
    struct nfs_compound dressed = *compound;
    *exchange = (struct probe_exchange){.args = NULL};
    const char *wrong = exchange_dress(probe, &dressed, text);
    if (wrong)
        return wrong;
    unsigned added = dressed.count - compound->count; /* SEQUENCE, which is not the case's */
    shape.as_root = true;
    exchange->args = nfs_encode(&dressed, &shape);
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = NFS_VERSION;
    const struct requester_reply *reply = &exchange->reply;
    if (exchange->args == NULL) {
        probe->run.current.inapplicable = true;
        return EXCHANGE_UNSENT;
    }
    if (!exchange_begin(probe, &shape, &exchange->pending, &exchange->reply))
        return EXCHANGE_UNSENT;
    probe->run.current.slot_unsure = added > 0;
    if (reply->outcome == 0)
        finish(probe, exchange);
    wrong = exchange_judge(probe, &exchange->pending, reply, text);
    if (wrong)
        return wrong;
    if (!nfs_read_results(&exchange->pending, reply, &exchange->results)) {
        snprintf(text, PROBE_TEXT, "results that cannot be read: %s", exchange->results.wrong);
        return text;
    }
    probe->run.current.slot_unsure =
        added > 0 && exchange->results.count <= added && exchange->results.status != NFS_NFS4_OK;
    exchange->results.count -= exchange->results.count > 0 ? added : 0;
    probe->run.current.status = exchange->results.status;
    if (exchange->results.status == status)
        return NULL;
    probe->run.current.inapplicable = is_refusal(exchange->results.status);
    snprintf(text, PROBE_TEXT, "NFS status %u%s by operation %u", exchange->results.status,
             exchange_meaning(exchange->results.status), exchange->results.count);
    return text;
}

void exchange_end(struct probe *probe, struct probe_exchange *exchange)
{
    requester_forget(probe->requester, &exchange->pending);
    free(exchange->args);
}

const char *exchange_plain(struct probe *probe, const struct nfs_compound *compound,
                           const struct requester_call *shape, struct nfs_results *results,
                           char text[PROBE_TEXT])
{
    struct probe_exchange exchange;
    const char *wrong = exchange_call(probe, compound, *shape, NFS_NFS4_OK, &exchange, text);
    *results = exchange.results;
    exchange_end(probe, &exchange);
    if (wrong && results->status == NFS_NFS4ERR_MINOR_VERS_MISMATCH) {
        probe->run.current.inapplicable = true;
        return "the peer offers no NFS version 4.1";
    }
    return wrong;
}
