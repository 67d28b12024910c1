// SPDX-License-Identifier: BSD-3-Clause
/* An event of a conversation, with the fault that a test wants in it, before the checker. */
#include "conformance/tests/support/conversation.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <string.h>
/* ---- judging ---- */

static void compare(struct talk *talk, unsigned found, const char *rule, const char *text)
{
    bool good = talk->expected ? found == 1 && talk->noticed : found == 0;
    if (good)
        return;
    if (talk->differs) {
        talk->differs(talk, rule, text);
        return;
    }
    ck_abort_msg("seed %llu, event %llu: %u findings, %s: %s; expected: %s",
                 (unsigned long long)talk->seed, (unsigned long long)talk->events, found, rule,
                 text, talk->expected ? talk->expected : "none");
}

void talk_judge(struct talk *talk)
{
    struct rpcrdma_judgement judgement;
    char text[256] = "nothing";
    const char *rule = "none";
    struct rpcrdma_event *event = &talk->out.event;
    enum rpcrdma_endpoint from = event->from;
    uint64_t answered = talk->sends[talk_peer(from)];
    talk->posted = talk->sends[from];
    talk->knows = talk->needs < answered ? talk->needs : answered;
    talk->needs = UINT64_MAX;
    talk->sends[from] += event->type == RPCRDMA_EVENT_SEND;
    if (talk->unseen > 0)
        return;
    if (event->length > talk->snap && event->data) {
        event->missing = event->length - talk->snap;
        event->length = talk->snap;
    }
    rpcrdma_check_event(talk->check, event, &judgement);
    if (talk->judged)
        talk->judged(talk, event);
    talk->events++;
    unsigned found = 0;
    talk->noticed = false;
    for (unsigned i = 0; i < judgement.count; i++) {
        const struct rpcrdma_finding *finding = &judgement.findings[i];
        if (finding->severity == RPCRDMA_NOTE &&
            (!talk->expected ||
             strcmp(rpcrdma_requirements[finding->rule].id, talk->expected) != 0)) {
            talk->notes++;
            continue;
        }
        found++;
        rule = rpcrdma_requirements[finding->rule].id;
        talk->noticed = talk->noticed || (talk->expected && strcmp(rule, talk->expected) == 0);
        rpcrdma_finding_text(finding, text, sizeof text);
    }
    compare(talk, found, rule, text);
}

void talk_begin(struct talk *talk, enum rpcrdma_event_type type, enum rpcrdma_endpoint from)
{
    talk->out.event = (struct rpcrdma_event){.type = type, .from = from, .data = talk->out.octets};
    talk->out.payload = NULL;
    talk->out.payload_length = 0;
    talk->out.header = (struct rpcrdma1_header){.rdma_vers = 1};
}

static void encode(struct talk_out *out)
{
    ptrdiff_t n = rpcrdma1_header_encode(out->octets, sizeof out->octets, &out->header, NULL);
    if (n <= 0 || (size_t)n + out->payload_length > sizeof out->octets - 16)
        ck_abort_msg("the Send does not fit");
    out->header_length = (size_t)n;
    if (out->payload_length > 0)
        memcpy(out->octets + n, out->payload, out->payload_length);
    out->event.length = (size_t)n + out->payload_length;
}

/* Let a test break it, encode and judge it. */
void talk_send(struct talk *talk, struct talk_call *call)
{
    bool watched = talk->unseen == 0;
    bool broken = watched && talk->before && talk->before(talk, call);
    if (talk->out.event.type == RPCRDMA_EVENT_SEND)
        encode(&talk->out);
    broken = broken || (watched && talk->after && talk->after(talk, call));
    /* Which answers have let a Call be is not written down; what serves it needs the Call alone. */
    bool is_call = talk->out.event.from == call->from;
    talk->needs = is_call ? UINT64_MAX : call->known_by;
    if (is_call)
        call->known_by = talk->sends[call->from] + 1;
    if (broken) {
        talk_judge(talk);
        talk->broken = true;
        return;
    }
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->expected = expected;
}
