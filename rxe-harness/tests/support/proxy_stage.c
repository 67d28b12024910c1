// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/proxy_stage.h"

#include "rxe-harness/transport/loopback.h"

#include <string.h>

struct proxy proxy;
static struct proxy_session *sessions[PROXY_STAGE_CONNECTIONS + 1]; /* NULL: over */

static void *begin(void *arg, struct link *link)
{
    struct proxy_session **session = sessions;
    while (*session)
        session++;
    if (session == sessions + PROXY_STAGE_CONNECTIONS)
        return NULL;
    struct link *server = proxy_reach(arg, link);
    *session = server ? proxy_begin(arg, link, server) : NULL;
    return *session ? session : NULL;
}

static void end(void *peer)
{
    struct proxy_session **session = peer;
    if (*session)
        proxy_end(*session);
    *session = NULL;
}

static bool step(void *peer)
{
    struct proxy_session **session = peer;
    bool something = *session && proxy_step(*session, 0);
    if (*session && proxy_gone(*session))
        end(peer);
    return something;
}

struct transport *proxy_stage_open(struct transport *target, enum rpcrdma_protocol draft)
{
    static const struct link_options options = {.receive_size = PROXY_RECEIVE,
                                                .receives = PROXY_RECEIVES};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &proxy};
    proxy.timeout = 1000;
    proxy.draft = draft;
    proxy.target = target;
    return transport_loopback(&peer);
}

void proxy_stage_close(struct transport *transport)
{
    transport->ops->close(transport);
    proxy.target->ops->close(proxy.target);
    results_free(&proxy.results);
    proxy = (struct proxy){.timeout = 0};
}

bool proxy_stage_gone(void)
{
    bool gone = true;
    for (unsigned i = 0; i < PROXY_STAGE_CONNECTIONS; i++)
        gone = gone && sessions[i] == NULL;
    return gone;
}

unsigned proxy_stage_accused(const char *side)
{
    unsigned count = 0;
    for (size_t i = 0; i < proxy.results.count; i++) {
        const struct result *result = &proxy.results.list[i];
        count += result->rule != NULL && strcmp(result->from, side) == 0;
    }
    return count;
}
