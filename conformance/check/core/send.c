// SPDX-License-Identifier: BSD-3-Clause
/* One event under judgement: how it begins, and how a broken rule is reported. */
#include "conformance/check/core/checker.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

#ifdef RPCRDMA_TEST_MUTANT
/* Only for conformance/tests/mutants.sh: a checker that does not know the rule of this name. */
#include <stdlib.h>
static bool is_mutated(enum rpcrdma_rule rule)
{
    const char *mutant = getenv("RPCRDMA_TEST_MUTANT");
    return mutant && strcmp(mutant, rpcrdma_requirements[rule].id) == 0;
}
#define IS_MUTATED(rule) is_mutated(rule)
#else
#define IS_MUTATED(rule) false
#endif

void rpcrdma_report(struct send *send, enum rpcrdma_rule rule, int64_t offset, const char *format,
                    uint64_t a, uint64_t b, uint64_t c)
{
    struct rpcrdma_judgement *verdict = send->verdict;
    if (IS_MUTATED(rule))
        return;
    for (unsigned i = 0; i < verdict->count; i++)
        if (verdict->findings[i].rule == rule)
            return;
    if (verdict->count == RPCRDMA_FINDINGS)
        return;
    verdict->findings[verdict->count++] = (struct rpcrdma_finding){
        .rule = rule,
        .severity = (enum rpcrdma_severity)rpcrdma_requirements[rule].severity,
        .offset = offset,
        .format = format,
        .value = {a, b, c},
    };
}

/* To take the message in, or, of an RDMA_ERROR, to end its RPC. */
#define GOING_ON ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_TERMINATE))

void rpcrdma_react(struct send *send, enum receiver receiver, unsigned reactions)
{
    unsigned *open = &send->reactions[receiver];
    if (*open & GOING_ON)
        *open = (*open & ~GOING_ON) | reactions;
}

void rpcrdma_allow(struct send *send, enum receiver receiver, unsigned reactions)
{
    send->reactions[receiver] |= reactions;
}

static void begin_verdict(struct rpcrdma_judgement *verdict)
{
    verdict->has_xid = verdict->has_version = verdict->has_credit = verdict->has_procedure = false;
    verdict->xid = verdict->version = verdict->credit = verdict->procedure = 0;
    verdict->direction = RPCRDMA_DIRECTION_UNKNOWN;
    verdict->header_length = -1;
    verdict->reactions = 0;
    verdict->count = 0;
}

static void load_words(struct rpcrdma_judgement *verdict, const uint8_t *octets, size_t length)
{
    if ((verdict->has_xid = length >= 4))
        verdict->xid = rpcrdma_xdr_load32(octets);
    if ((verdict->has_version = length >= 8))
        verdict->version = rpcrdma_xdr_load32(octets + 4);
    if ((verdict->has_credit = length >= 12))
        verdict->credit = rpcrdma_xdr_load32(octets + 8);
    if ((verdict->has_procedure = length >= 16))
        verdict->procedure = rpcrdma_xdr_load32(octets + 12);
}

/* Field by field: the large tables in it are filled only where they are used. */
void rpcrdma_send_begin(struct send *send, struct rpcrdma_check *check,
                        const struct rpcrdma_event *event, struct rpcrdma_judgement *verdict)
{
    static const uint8_t nothing[1];
    begin_verdict(verdict);
    send->check = check;
    send->event = event;
    send->verdict = verdict;
    send->octets = event->data ? event->data : nothing;
    send->length = event->data ? event->length : 0;
    send->total = (uint64_t)event->length + event->missing;
    if (send->total < event->length)
        send->total = UINT64_MAX;
    send->missing = send->total - send->length;
    send->state = HEADER_NONE;
    send->chunks = NULL;
    send->payload = NULL;
    send->payload_length = 0;
    send->payload_total = 0;
    send->position_zero_length = 0;
    send->has_position_zero = false;
    send->reads.count = 0;
    send->reads.ascending = true;
    send->reads.interleaved = send->reads.overlap = false;
    send->rpc_length = -1;
    send->answers = NULL;
    send->is_protected = false;
    send->receivers = 0;
    send->reactions[RECEIVER_RESPONDER] = send->reactions[RECEIVER_REQUESTER] = RPCRDMA_PROCESS;
    if (event->type == RPCRDMA_EVENT_SEND)
        load_words(verdict, send->octets, send->length);
}

enum { GSS_SERVICE_NONE = 1, GSS_SERVICE_CHANNEL = 4 };

/* Whether the arguments are in the payload as the upper layer wrote them (RFC 2203). */
bool rpcrdma_send_shows_arguments(const struct send *send)
{
    const struct rpcrdma_rpc_header *rpc = &send->rpc;
    return rpc->rpcvers == 2 && !send->is_protected && !rpc->gss_malformed &&
           (!rpc->has_gss || (rpc->gss_proc == 0 && (rpc->gss_service == GSS_SERVICE_NONE ||
                                                     rpc->gss_service == GSS_SERVICE_CHANNEL)));
}
