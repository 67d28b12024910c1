// SPDX-License-Identifier: BSD-3-Clause
/* Sends of vectors, put to a live peer: with XIDs and memory of today's. */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <rpcrdma/rpcrdma2_04.h>

#include <stdlib.h>
#include <string.h>

static size_t length_of(const struct probe_sends *sends, size_t which)
{
    return sends->at[which + 1] - sends->at[which];
}

void probe2_take_vector(struct probe2_peer *peer, const struct probe2_case *test_case)
{
    peer->vector = alloc_zeroed(1, sizeof *peer->vector);
    peer->moved = alloc_zeroed(test_case->sends, sizeof *peer->moved);
    *peer->vector = *test_case->vector;
    probe_sends_freshen(peer->vector, peer->probe->options.draft, peer->first);
}

/* What the peer reads as a Call is a NULL of an unknown program. */
size_t probe2_vector_send(struct probe2_peer *peer, size_t which, uint8_t octets[SESSION_INLINE])
{
    size_t length = length_of(peer->vector, which);
    struct probe_memory *memory = &peer->moved[peer->moved_count++];
    memcpy(octets, peer->vector->octets + peer->vector->at[which], length);
    probe_memory_move(memory, &peer->requester, peer->probe->options.draft, octets, length);
    requester_rpc(memory->call, length < 4 ? 0 : rpcrdma_xdr_load32(octets), TEST_PROGRAM,
                  TEST_VERSION, 0);
    return length;
}

void probe2_forget_vector(struct probe2_peer *peer)
{
    for (size_t i = 0; i < peer->moved_count; i++)
        probe_memory_free(&peer->moved[i], &peer->requester);
    free(peer->moved);
    free(peer->vector);
}

uint32_t probe2_answer(enum rpcrdma_protocol draft, const struct probe_sends *sends)
{
    struct rpcrdma_prefix prefix;
    size_t last = sends->count - 1;
    bool asks =
        draft == RPCRDMA_PROTOCOL_2_04 &&
        rpcrdma_prefix_load(&prefix, sends->octets + sends->at[last], length_of(sends, last)) &&
        prefix.procedure == RPCRDMA2_04_REQPROP;
    return asks ? RPCRDMA2_04_RESPROP : 0;
}

const char *probe2_hazard(const struct probe *probe, const struct probe2_case *test_case)
{
    const struct probe_sends *sends = test_case->vector;
    const char *hazard = NULL;
    for (size_t i = 0; sends && i < sends->count && hazard == NULL; i++)
        hazard =
            probe_hazard(probe->options.draft, sends->octets + sends->at[i], length_of(sends, i));
    return hazard;
}

static bool may_invalidate(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    return !rpcrdma_xdr_failed(rpcrdma_message_decode(&message, draft, octets, length, NULL)) &&
           message.kind == RPCRDMA_KIND_RPC && message.direction == RPCRDMA_CALL &&
           message.form != RPCRDMA_FORM_PIECE && message.rpc.invalidate != 0;
}

const char *probe2_unsuitable(const struct probe *probe, const struct probe2_case *test_case)
{
    enum rpcrdma_protocol draft = probe->options.draft;
    const struct probe_sends *sends = test_case->vector;
    for (size_t i = 0; sends && i < sends->count; i++) {
        const uint8_t *octets = sends->octets + sends->at[i];
        /* The binding of NFS may refuse these Calls, whose arguments no NFS has. */
        if (!probe_is_harmless(TEST_PROGRAM, draft, octets, length_of(sends, i)))
            return "a Call of NFS, whose arguments are made up";
        if (!probe->peer.invalidates && may_invalidate(draft, octets, length_of(sends, i)))
            return "the transport cannot invalidate memory remotely";
    }
    return NULL;
}
