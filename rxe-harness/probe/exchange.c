// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/exchange.h"

#include "rxe-harness/requester/reverse.h"

#include "conformance/base/count.h"

#include <stdio.h>
#include <stdlib.h>

#define TRIES 8 /* Calls of the server's that may come before the Reply */

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
        NFS_NFS4ERR_TOO_MANY_OPS,
    };
    for (size_t i = 0; i < COUNT(refusals); i++)
        if (refusals[i] == status)
            return true;
    return false;
}

/* A server that calls in the reverse direction gets its answer first. */
static void finish(struct probe *probe, struct probe_exchange *exchange)
{
    for (int tries = 0; tries < TRIES; tries++) {
        requester_finish(probe->requester, &exchange->pending, probe->options.timeout,
                         &exchange->reply);
        if (exchange->reply.outcome != 0 || !requester_answer_call(probe->requester))
            return;
    }
}

const char *exchange_call(struct probe *probe, const struct nfs_compound *compound,
                          struct requester_call shape, uint32_t status,
                          struct probe_exchange *exchange, char text[PROBE_TEXT])
{
    *exchange = (struct probe_exchange){.args = NULL};
    shape.as_root = true;
    exchange->args = nfs_encode(compound, &shape);
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = NFS_VERSION;
    if (exchange->args == NULL || !requester_begin(probe->requester, &shape, &exchange->pending)) {
        probe->run.current.inapplicable = !requester_gone(probe->requester);
        return "the Call does not fit into a Send, or the Send failed";
    }
    const struct requester_reply *reply = &exchange->reply;
    finish(probe, exchange);
    if (reply->outcome != RPCRDMA_PROCESS || !reply->accepted || reply->stat != 0 ||
        reply->xid != exchange->pending.xid) {
        bool nothing = (reply->outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE)) != 0;
        bool is_other = !nothing && reply->xid != exchange->pending.xid;
        if (nothing && probe->run.current.nothing == 0) /* what comes after it follows from it */
            probe->run.current.nothing = reply->outcome;
        snprintf(text, PROBE_TEXT, "%s%s", reply->text, is_other ? ", of another XID" : "");
        return text;
    }
    if (!nfs_read_results(&exchange->pending, reply, &exchange->results)) {
        snprintf(text, PROBE_TEXT, "results that cannot be read: %s", exchange->results.wrong);
        return text;
    }
    if (exchange->results.status == status)
        return NULL;
    probe->run.current.inapplicable = is_refusal(exchange->results.status);
    snprintf(text, PROBE_TEXT, "NFS status %u by operation %u", exchange->results.status,
             exchange->results.count);
    return text;
}

void exchange_end(struct probe *probe, struct probe_exchange *exchange)
{
    requester_forget(probe->requester, &exchange->pending);
    free(exchange->args);
}
