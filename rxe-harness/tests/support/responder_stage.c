// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/responder_stage.h"

#include "rxe-harness/transport/loopback.h"

#include <check.h>

static void *begin(void *arg, struct link *link)
{
    struct responder_stage *stage = arg;
    stage->responder = responder_new(link);
    ck_assert(!rpcrdma_protocol_is_draft(stage->draft) ||
              responder_speak_version2(stage->responder, stage->draft));
    responder_call_back(stage->responder, stage->every);
    return stage;
}

static bool step(void *peer)
{
    return responder_step(((struct responder_stage *)peer)->responder, 0);
}

static void end(void *peer)
{
    struct responder_stage *stage = peer;
    stage->calls = responder_calls(stage->responder);
    responder_free(stage->responder);
    stage->responder = NULL;
}

struct transport *responder_stage_open(struct responder_stage *stage)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end, .arg = stage};
    return transport_loopback(&peer);
}
