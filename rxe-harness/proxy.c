// SPDX-License-Identifier: BSD-3-Clause
/* One client's connection, and the one to the target that goes with it. */
#include "proxy.h"

#include "live.h"

#include <alloc.h>

#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_PRIVATE_MAX 56 /* octets that a request to connect has room for on RoCE */
#define ANSWER_PRIVATE_MAX 196

struct proxy_session {
    struct proxy *proxy;
    struct link *links[2]; /* to the client, to the server */
    struct chunks chunks;
    struct rpcrdma_check_config config;
    void *memory;
    struct rpcrdma_check *check;
    unsigned number;
    uint64_t events;
    bool faulted; /* on purpose: what comes of it is nobody's departure */
    bool recorded_all, captured_all;
    struct capture_flow flow;
    unsigned long sends[2], calls, replies;
    uint64_t moved[2]; /* octets read from the client, written to it */
    bool gone;
    enum rpcrdma_endpoint who; /* ended it */
    char why[160];
    uint8_t copy[PROXY_RECEIVE];
};

/* ---- judging ---- */

static const char *const side_names[] = {"client", "server"};

static void record(struct proxy_session *session, const struct rpcrdma_event *event,
                   const struct rpcrdma_verdict *verdict)
{
    struct proxy *proxy = session->proxy;
    char name[48];
    /* Where the room ends, what was recorded so far stays whole. */
    if (proxy->recorder == NULL || !session->recorded_all || event->length > proxy->record_left) {
        session->recorded_all = false;
        return;
    }
    proxy->record_left -= event->length;
    snprintf(name, sizeof name, "connection %u through the proxy", session->number);
    const struct source_event source = {.event = *event,
                                        .file = "proxy",
                                        .connection = name,
                                        .connection_id = session->number,
                                        .index = session->events,
                                        .config = &session->config};
    if (!record_event(proxy->recorder, &source, verdict))
        session->recorded_all = false;
}

static void judge(struct proxy_session *session, const struct rpcrdma_event *event,
                  struct rpcrdma_verdict *verdict)
{
    char id[32];
    snprintf(id, sizeof id, "connection-%u", session->number);
    const struct live_case about = {"proxy", id, "What two peers sent each other."};
    bool read = event->type == RPCRDMA_EVENT_RDMA_READ;
    rpcrdma_check_event(session->check, event, verdict);
    for (unsigned i = 0; i < verdict->count && i < RPCRDMA_FINDINGS; i++) {
        const struct rpcrdma_finding *finding = &verdict->findings[i];
        /* The proxy reads what the client offers: the server does not answer for that. */
        bool ours = read && strcmp(rpcrdma_requirements[finding->rule].role, "responder") == 0;
        if (!ours && finding->grade != RPCRDMA_NOTE)
            live_finding(&session->proxy->results, &about, event, finding);
    }
    record(session, event, verdict);
    session->captured_all = capture_add(&session->flow, event) && session->captured_all;
    session->events++;
}

static void judge_private(struct proxy_session *session, enum rpcrdma_endpoint from)
{
    const struct link *link = session->links[from];
    struct rpcrdma_verdict verdict;
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_PRIVATE_DATA,
                                        .from = from,
                                        .data = link->private_data,
                                        .length = link->private_length};
    if (link->private_length > 0)
        judge(session, &event, &verdict);
}

static void moved(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length)
{
    struct proxy_session *session = arg;
    struct rpcrdma_verdict verdict;
    const struct rpcrdma_event event = {.type = is_write ? RPCRDMA_EVENT_RDMA_WRITE
                                                         : RPCRDMA_EVENT_RDMA_READ,
                                        .from = RPCRDMA_SERVER,
                                        .data = octets,
                                        .length = length,
                                        .handle = handle,
                                        .offset = offset};
    session->moved[is_write] += length;
    judge(session, &event, &verdict);
}

/* ---- the end ---- */

static void finish(struct proxy_session *session, enum rpcrdma_endpoint who, const char *why)
{
    struct rpcrdma_verdict verdict;
    if (session->gone)
        return;
    session->gone = true;
    session->who = who;
    snprintf(session->why, sizeof session->why, "%s", why);
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = who};
    judge(session, &event, &verdict);
}

/* An operation failed, ours or that of a link which is gone by now. */
static void finish_failed(struct proxy_session *session, enum rpcrdma_endpoint who,
                          const char *what)
{
    char why[160];
    const struct link *link = session->links[who];
    snprintf(why, sizeof why, "%s%s%.110s", what, link->why[0] != '\0' ? ": " : "", link->why);
    finish(session, who, why);
}

/* ---- relaying ---- */

static bool commit_fault(struct proxy_session *session, enum rpcrdma_endpoint from, size_t *length,
                         bool *twice)
{
    const struct proxy_fault *fault = &session->proxy->fault;
    struct rpcrdma_verdict verdict;
    if (fault->action == FAULT_NONE || fault->from != from ||
        ++session->proxy->seen[from] != fault->number)
        return true;
    const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP, .from = from};
    session->faulted = true;
    judge(session, &gap, &verdict);
    *twice = fault->action == FAULT_TWICE;
    if (fault->action == FAULT_CLOSE)
        finish(session, from, "the fault that was asked for");
    *length = proxy_fault_apply(fault, session->copy, *length);
    return fault->action != FAULT_DROP && fault->action != FAULT_CLOSE;
}

static bool pass_on(struct proxy_session *session, enum rpcrdma_endpoint from, size_t length)
{
    enum rpcrdma_endpoint to = from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    struct link *link = session->links[to];
    bool twice = false;
    if (!commit_fault(session, from, &length, &twice))
        return true;
    for (int i = 0; i < 1 + twice; i++) {
        if (!link->ops->send(link, session->copy, length, NULL)) {
            finish_failed(session, to, "a Send did not arrive");
            return false;
        }
    }
    return true;
}

static void count(struct proxy_session *session, const struct rpcrdma_event *event,
                  const struct rpcrdma_verdict *verdict)
{
    session->sends[event->from]++;
    if (event->from == RPCRDMA_CLIENT)
        session->calls += verdict->direction == RPCRDMA_CALL;
    else
        session->replies += verdict->direction == RPCRDMA_REPLY ||
                            (verdict->has_procedure && verdict->procedure == RPCRDMA1_ERROR);
}

static void relay(struct proxy_session *session, enum rpcrdma_endpoint from,
                  const struct link_event *came)
{
    struct rpcrdma_verdict verdict;
    struct chunks *chunks = &session->chunks;
    bool client = from == RPCRDMA_CLIENT;
    memcpy(session->copy, came->octets, came->length);
    /* What the server wrote comes before the Send that tells of it, as it does on the wire. */
    bool good = client || chunks_reply(chunks, session->copy, came->length);
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = from,
                                  .data = session->copy,
                                  .length = came->length,
                                  .invalidate = came->invalidated,
                                  .handle = came->handle};
    judge(session, &event, &verdict);
    count(session, &event, &verdict);
    if (client && verdict.direction != RPCRDMA_REPLY)
        good = chunks_call(chunks, session->copy, came->length);
    if (!good)
        finish_failed(session, RPCRDMA_CLIENT, chunks->error);
    else
        pass_on(session, from, came->length);
}

bool proxy_step(struct proxy_session *session, unsigned timeout)
{
    bool something = false;
    for (int side = 0; side < 2 && !session->gone; side++) {
        struct link *link = session->links[side];
        struct link_event event;
        link->ops->wait(link, timeout, &event);
        if (event.type == LINK_RECEIVED && event.length <= PROXY_RECEIVE)
            relay(session, (enum rpcrdma_endpoint)side, &event);
        else if (event.type == LINK_CLOSED)
            finish(session, (enum rpcrdma_endpoint)side, link->why);
        something = something || event.type != LINK_NOTHING;
    }
    return something;
}

bool proxy_gone(const struct proxy_session *session)
{
    return session->gone;
}

/* ---- beginning and end ---- */

/* What a peer said, as the other may be told it: no more than the proxy itself can keep to. */
static size_t soften(const struct link *said, bool may_invalidate, size_t max,
                     uint8_t octets[LINK_PRIVATE_DATA_MAX])
{
    struct rpcrdma_private_data data;
    size_t length = said->private_length < max ? said->private_length : max;
    memcpy(octets, said->private_data, length);
    if (rpcrdma_private_data_find(&data, octets, length) != 0)
        return length;
    data.remote_invalidation = data.remote_invalidation && may_invalidate;
    data.send_size = data.send_size < PROXY_RECEIVE ? data.send_size : PROXY_RECEIVE;
    data.receive_size = data.receive_size < PROXY_RECEIVE ? data.receive_size : PROXY_RECEIVE;
    rpcrdma_private_data_encode(octets + data.offset, length - data.offset, &data);
    return length;
}

struct link *proxy_reach(struct proxy *proxy, const struct link *client)
{
    uint8_t octets[LINK_PRIVATE_DATA_MAX];
    /* Memory that is registered for the server is not the client's, to be invalidated there. */
    size_t length = soften(client, false, REQUEST_PRIVATE_MAX, octets);
    const struct link_options options = {.receive_size = PROXY_RECEIVE,
                                         .receives = PROXY_RECEIVES,
                                         .private_data = octets,
                                         .private_length = length,
                                         .timeout = proxy->timeout};
    return proxy->target->ops->connect(proxy->target, &options);
}

size_t proxy_answer(const struct link *server, uint8_t octets[LINK_PRIVATE_DATA_MAX])
{
    return soften(server, true, ANSWER_PRIVATE_MAX, octets);
}

struct proxy_session *proxy_begin(struct proxy *proxy, struct link *client, struct link *server)
{
    struct proxy_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    session->config.captured = true;
    session->config.bindings = rpcrdma_bindings;
    size_t size = rpcrdma_check_size(&session->config);
    session->memory = calloc(1, size);
    session->check =
        session->memory ? rpcrdma_check_init(session->memory, size, &session->config) : NULL;
    if (session->check == NULL) {
        free(session->memory);
        free(session);
        return NULL;
    }
    session->proxy = proxy;
    session->links[RPCRDMA_CLIENT] = client;
    session->links[RPCRDMA_SERVER] = server;
    session->chunks =
        (struct chunks){.client = client, .server = server, .moved = moved, .arg = session};
    session->number = ++proxy->connections;
    session->recorded_all = session->captured_all = true;
    capture_meet(&session->flow, proxy->capture, session->number, session->links);
    judge_private(session, RPCRDMA_CLIENT);
    judge_private(session, RPCRDMA_SERVER);
    return session;
}

static void add_result(struct proxy_session *session)
{
    char id[32], text[400];
    snprintf(id, sizeof id, "connection-%u", session->number);
    const struct live_case about = {"proxy", id, "What two peers sent each other."};
    struct result *result =
        live_result(&session->proxy->results, &about, NULL, false, side_names[session->who]);
    unsigned long open = session->calls > session->replies ? session->calls - session->replies : 0;
    result->ending = open == 0 || session->faulted ? ENDING_REQUIRED : ENDING_CLOSED;
    snprintf(text, sizeof text,
             "%lu Calls, %lu of them unanswered; %lu and %lu Sends; %llu octets read from and %llu "
             "written to the client; ended by the %s: %s",
             session->calls, open, session->sends[0], session->sends[1],
             (unsigned long long)session->moved[0], (unsigned long long)session->moved[1],
             side_names[session->who], session->why);
    result->actual = alloc_text(text);
    result->expected = alloc_text("every Call is answered before the connection ends");
}

void proxy_end(struct proxy_session *session)
{
    finish(session, RPCRDMA_CLIENT, "the proxy was stopped");
    add_result(session);
    chunks_free(&session->chunks);
    for (int side = 0; side < 2; side++)
        session->links[side]->ops->close(session->links[side]);
    bool recorded = session->recorded_all || session->proxy->recorder == NULL;
    if (!recorded || !session->captured_all)
        fprintf(stderr, "rpcrdma: connection %u was %s up to the limit only\n", session->number,
                recorded ? "captured" : "recorded");
    free(session->memory);
    free(session);
}
