// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/calls.h"

#include <rpcrdma/rpc_header.h>

static bool are_same(const struct serve_kind *a, const struct serve_kind *b)
{
    return a->program == b->program && a->version == b->version && a->procedure == b->procedure;
}

static bool has(const struct serve_calls *calls, const struct serve_kind *kind)
{
    for (unsigned i = 0; i < calls->kinds; i++)
        if (are_same(&calls->list[i], kind))
            return true;
    return false;
}

void serve_calls_add(struct serve_calls *calls, uint32_t xid, const uint8_t *payload, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    if (calls->count == 0)
        calls->first_xid = xid;
    calls->xids[calls->count++ % SERVE_XIDS] = xid;
    if (rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, payload, length, NULL)) || rpc.is_reply)
        return;
    const struct serve_kind kind = {rpc.prog, rpc.vers, rpc.proc};
    if (calls->kinds < SERVE_KINDS && !has(calls, &kind))
        calls->list[calls->kinds++] = kind;
}

bool serve_calls_go_on(const struct serve_calls *calls, uint32_t xid)
{
    for (unsigned i = 0; i < calls->count && i < SERVE_XIDS && xid != calls->first_xid; i++)
        if (calls->xids[i] == xid)
            return true;
    return false;
}

bool serve_calls_begin_as(const struct serve_calls *calls, const struct serve_calls *plain)
{
    return calls->kinds == 0 || plain->kinds == 0 || are_same(&calls->list[0], &plain->list[0]);
}

const struct serve_kind *serve_calls_missing(const struct serve_calls *calls,
                                             const struct serve_calls *plain)
{
    if (!serve_calls_begin_as(calls, plain))
        return NULL;
    for (unsigned i = 0; i < plain->kinds && calls->kinds < SERVE_KINDS; i++)
        if (!has(calls, &plain->list[i]))
            return &plain->list[i];
    return NULL;
}
