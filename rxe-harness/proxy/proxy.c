// SPDX-License-Identifier: BSD-3-Clause
/* One client's connection, and the one to the target that goes with it. */
#include "rxe-harness/proxy/proxy.h"

#include "rxe-harness/proxy/version2.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/transport/watched.h"

#include "conformance/base/status.h"
#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"
#include "conformance/decode/items_text.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REQUEST_PRIVATE_MAX 56 /* octets that a request to connect has room for on RoCE */
#define ANSWER_PRIVATE_MAX 196
#define CALLS_MAX 1024   /* Calls that wait, of those that are counted */
#define RECORD_EVENT 256 /* octets that an event takes, beside its own */
#define FAULT_NAME 48

enum ended_by { BY_CLIENT = RPCRDMA_CLIENT, BY_SERVER = RPCRDMA_SERVER, BY_PROXY };

struct proxy_session {
    struct proxy *proxy;
    struct link *links[2];   /* to the client, to the server */
    struct chunks chunks[2]; /* of Calls of the client, of the server */
    struct watched watched;  /* without a link: what was relayed is what happened */
    unsigned number;
    uint64_t events;
    bool faulted; /* on purpose: what comes of it is not charged to a peer */
    bool told[RPCRDMA_RULES];
    bool recorded_all, captured_all;
    struct capture_flow flow;
    enum rpcrdma_protocol version2;   /* by which Sends of version 2 are read */
    enum rpcrdma_direction direction; /* of the Send that is being relayed */
    unsigned long sends[2], calls;
    uint32_t waiting[CALLS_MAX]; /* XIDs of the client's */
    unsigned waiting_count;
    bool gone;
    enum ended_by who;
    char why[160];
    uint8_t copy[PROXY_RECEIVE];
};

/* ---- judging ---- */

static const char *const side_names[] = {"client", "server", "proxy"};

static void record(struct proxy_session *session, const struct rpcrdma_event *event,
                   const struct rpcrdma_judgement *judgement)
{
    struct proxy *proxy = session->proxy;
    char name[48];
    /* Where the room ends, what was recorded so far stays whole. */
    if (proxy->recorder == NULL || !session->recorded_all ||
        event->length + RECORD_EVENT > proxy->record_left) {
        session->recorded_all = false;
        return;
    }
    proxy->record_left -= event->length + RECORD_EVENT;
    snprintf(name, sizeof name, "connection %u through the proxy", session->number);
    const struct source_event source = {.event = *event,
                                        .file = "proxy",
                                        .connection = name,
                                        .connection_id = session->number,
                                        .index = session->events,
                                        .config = &session->watched.config};
    if (!record_event(proxy->recorder, &source, judgement))
        session->recorded_all = false;
}

/* Of a finding: the message, by its XID, and the time of day. */
static void say_when(struct result *result, const struct rpcrdma_event *event)
{
    struct timespec now;
    struct tm day;
    struct alloc_stream actual;
    char time[16] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    if (localtime_r(&now.tv_sec, &day))
        strftime(time, sizeof time, "%H:%M:%S", &day);
    alloc_begin(&actual);
    fprintf(actual.out, "%s (", result->actual);
    if (event->type == RPCRDMA_EVENT_SEND && event->length >= 4)
        fprintf(actual.out, "XID 0x%08x, ", rpcrdma_xdr_load32(event->data));
    fprintf(actual.out, "%s.%03ld)", time, now.tv_nsec / 1000000);
    free(result->actual);
    result->actual = alloc_end(&actual);
    result->tells_octets = true;
}

/* Each fault once: other connections have theirs in between. */
static void tell(struct proxy_session *session, const struct rpcrdma_event *event,
                 const struct rpcrdma_finding *finding)
{
    char id[32];
    snprintf(id, sizeof id, "connection-%u", session->number);
    const struct live_case about = {"proxy", id, "What two peers sent each other."};
    struct rpcrdma_event shown = *event;
    if (finding->severity == RPCRDMA_NOTE || session->told[finding->rule])
        return;
    session->told[finding->rule] = true;
    if (shown.length > PROXY_RECEIVE) /* of what an RDMA operation moves, the beginning will do */
        shown.length = PROXY_RECEIVE;
    struct result *result = live_finding(&session->proxy->results, &about, &shown, finding);
    if (result)
        say_when(result, &shown);
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct proxy_session *session = arg;
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++)
        tell(session, event, &judgement->findings[i]);
    record(session, event, judgement);
    session->captured_all = capture_add(&session->flow, event) && session->captured_all;
    if (session->proxy->capture_is_read)
        capture_flush(session->proxy->capture);
    session->events++;
}

static void moved(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length)
{
    struct proxy_session *session = arg;
    watched_moved(&session->watched, RPCRDMA_SERVER, is_write, handle, offset, octets, length);
}

/* Chunks of a Call of the server's: the client reads and writes them. */
static void moved_in_reverse(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                             const uint8_t *octets, size_t length)
{
    struct proxy_session *session = arg;
    watched_moved(&session->watched, RPCRDMA_CLIENT, is_write, handle, offset, octets, length);
}

/* ---- the end ---- */

static void finish(struct proxy_session *session, enum ended_by who, const char *why)
{
    if (session->gone)
        return;
    if (interrupted()) { /* which also breaks off what the proxy does at a peer's memory */
        who = BY_PROXY;
        why = "the proxy was stopped";
    }
    session->gone = true;
    session->who = who;
    snprintf(session->why, sizeof session->why, "%s", why);
    if (who != BY_PROXY)
        watched_end(&session->watched, (enum rpcrdma_endpoint)who);
}

/* The chunks of a Call could not be moved: the caller's memory was refused, or there is none. */
static void finish_chunks(struct proxy_session *session, enum rpcrdma_endpoint caller)
{
    char why[160];
    const struct chunks *chunks = &session->chunks[caller];
    const struct link *link = chunks->caller;
    snprintf(why, sizeof why, "%s%s%.110s", chunks->error, link->why[0] != '\0' ? ": " : "",
             link->why);
    finish(session, chunks->too_much ? BY_PROXY : (enum ended_by)caller, why);
}

/* ---- relaying ---- */

static enum rpcrdma_endpoint other_side(enum rpcrdma_endpoint side)
{
    return side == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

/* No more than the proxy has Receives for. The credit word of -07 counts from the first Send of the
 * connection on (4.2.1), that of the others from the next. */
static void limit_credits(struct proxy_session *session, enum rpcrdma_endpoint from,
                          enum rpcrdma_protocol protocol, size_t length)
{
    bool is_total = protocol == RPCRDMA_PROTOCOL_2_07;
    uint32_t received = is_total ? (uint32_t)session->sends[other_side(from)] : 0;
    if (length < RPCRDMA_AT_CREDIT + 4)
        return;
    uint8_t *word = session->copy + RPCRDMA_AT_CREDIT;
    uint32_t ahead = rpcrdma_xdr_load32(word) - received;
    if (ahead > PROXY_CREDITS && (!is_total || ahead <= INT32_MAX))
        rpcrdma_xdr_store32(word, received + PROXY_CREDITS);
}

/* "drop-reply:3" */
static void name_fault(const struct proxy_fault *fault, char name[FAULT_NAME])
{
    snprintf(name, FAULT_NAME, "%s:%lu", fault->name, fault->number);
}

static struct result *add_fault(struct proxy *proxy, const char *text)
{
    static const struct live_case about = {"proxy", "fault", "What the proxy was asked to do."};
    char name[FAULT_NAME];
    struct result *result = live_result(&proxy->results, &about, NULL, false, "proxy");
    struct alloc_stream actual;
    name_fault(&proxy->fault, name);
    alloc_begin(&actual);
    fprintf(actual.out, "%s: %s", name, text);
    result->actual = alloc_end(&actual);
    result->expected = alloc_text("the fault is injected");
    return result;
}

/* To what it was done. */
static void tell_fault(struct proxy_session *session, const struct rpcrdma_event *send)
{
    char text[ITEMS_BRIEF + 200], brief[ITEMS_BRIEF] = "";
    if (session->proxy->view.binding)
        items_brief(&session->proxy->view, brief);
    snprintf(text, sizeof text, "injected into Send %lu of the %s on connection %u: %s%s%s",
             session->sends[send->from], side_names[send->from], session->number,
             session->direction == RPCRDMA_CALL    ? "a Call"
             : session->direction == RPCRDMA_REPLY ? "a Reply"
                                                   : "no Call or Reply",
             brief[0] != '\0' ? ", " : "", brief);
    struct result *result = add_fault(session->proxy, text);
    result->ending = ENDING_REQUIRED;
    live_exchange(result, send->data, send->length, NULL, 0);
    say_when(result, send);
    say("%s", result->actual);
}

bool proxy_fault_missed(struct proxy *proxy)
{
    char text[96];
    const struct proxy_fault *fault = &proxy->fault;
    if (fault->action == FAULT_NONE || proxy->committed)
        return false;
    snprintf(text, sizeof text, "not injected: the %s sent %lu messages", side_names[fault->from],
             proxy->seen[fault->from]);
    struct result *result = add_fault(proxy, text);
    result->ending = ENDING_NOT_APPLICABLE;
    say("%s", result->actual);
    return true;
}

static bool commit_fault(struct proxy_session *session, enum rpcrdma_endpoint from, size_t *length,
                         bool *twice)
{
    struct proxy *proxy = session->proxy;
    const struct proxy_fault *fault = &proxy->fault;
    if (fault->action == FAULT_NONE || fault->from != from || ++proxy->seen[from] != fault->number)
        return true;
    const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP, .from = from};
    const struct rpcrdma_event send = {
        .type = RPCRDMA_EVENT_SEND, .from = from, .data = session->copy, .length = *length};
    char name[FAULT_NAME], done[FAULT_NAME + 16];
    name_fault(fault, name);
    snprintf(done, sizeof done, "fault %s", name);
    proxy->committed = session->faulted = true;
    tell_fault(session, &send);
    if (proxy->recorder)
        proxy->recorder->gap = done;
    watched_judge(&session->watched, &gap);
    if (proxy->recorder)
        proxy->recorder->gap = NULL;
    *twice = fault->action == FAULT_TWICE;
    if (fault->action == FAULT_CLOSE)
        finish(session, BY_PROXY, "the fault that was asked for");
    *length = proxy_fault_apply(fault, session->copy, *length);
    return fault->action != FAULT_DROP && fault->action != FAULT_CLOSE;
}

/* What cannot be sent is lost with its link, whose end comes after what it still has for us. */
static void pass_on(struct proxy_session *session, enum rpcrdma_endpoint from,
                    enum rpcrdma_protocol protocol, size_t length, const uint32_t *invalidate)
{
    enum rpcrdma_endpoint to = other_side(from);
    struct link *link = session->links[to];
    bool twice = false;
    limit_credits(session, from, protocol, length);
    if (protocol != RPCRDMA_PROTOCOL_1)
        proxy2_limit_properties(session->copy, protocol, length, PROXY_RECEIVE);
    if (!commit_fault(session, from, &length, &twice))
        return;
    for (int i = 0; i < 1 + twice; i++)
        link->ops->send(link, session->copy, length, i == 0 ? invalidate : NULL);
}

/* A Call that is sent again is one Call still. */
static void count_call(struct proxy_session *session, uint32_t xid, bool answered)
{
    unsigned i = 0;
    while (i < session->waiting_count && session->waiting[i] != xid)
        i++;
    bool found = i < session->waiting_count;
    if (found && answered)
        session->waiting[i] = session->waiting[--session->waiting_count];
    if (found || answered)
        return;
    session->calls++;
    if (session->waiting_count < CALLS_MAX)
        session->waiting[session->waiting_count++] = xid;
}

static bool is_error(const struct rpcrdma_judgement *judgement)
{
    return judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR; /* of all versions */
}

static bool is_piece(const struct rpcrdma_judgement *judgement)
{
    return judgement->header_length >= 0 && judgement->kind == RPCRDMA_KIND_RPC &&
           judgement->form == RPCRDMA_FORM_PIECE;
}

static void count(struct proxy_session *session, const struct rpcrdma_event *event,
                  const struct rpcrdma_judgement *judgement)
{
    bool call = false, answer = false;
    session->sends[event->from]++;
    if (event->from == RPCRDMA_CLIENT)
        call = judgement->direction == RPCRDMA_CALL;
    else
        answer =
            is_error(judgement) || (judgement->direction == RPCRDMA_REPLY && !is_piece(judgement));
    if (call || answer)
        count_call(session, judgement->xid, answer);
}

/* By which version a Send is to be read that has not been judged yet. */
static enum rpcrdma_protocol protocol_of(const struct proxy_session *session, size_t length)
{
    bool is_version2 = length >= RPCRDMA_AT_VERSION + 4 &&
                       rpcrdma_xdr_load32(session->copy + RPCRDMA_AT_VERSION) == RPCRDMA_VERSION_2;
    return is_version2 ? session->version2 : RPCRDMA_PROTOCOL_1;
}

/* What it is about, in case that it is the one that a fault is for. */
static void look_at(struct proxy_session *session, const struct rpcrdma_event *send)
{
    struct proxy *proxy = session->proxy;
    const struct source_event source = {.event = *send, .connection_id = session->number};
    if (proxy->fault.action != FAULT_NONE)
        items_look(&proxy->items, &source, &proxy->view);
}

static void relay(struct proxy_session *session, enum rpcrdma_endpoint from,
                  const struct link_event *came)
{
    const struct rpcrdma_judgement *judgement = &session->watched.judgement;
    enum rpcrdma_endpoint other = other_side(from);
    struct chunks *own = &session->chunks[from], *others = &session->chunks[other];
    uint32_t handle = came->handle;
    bool is_known = came->invalidated && chunks_handle(others, came->handle, &handle);
    bool invalidates = is_known && others->invalidates;
    memcpy(session->copy, came->octets, came->length);
    /* What a side wrote comes before its Send that tells of it, as it does on the wire. */
    bool answered =
        chunks_reply(others, protocol_of(session, came->length), session->copy, came->length);
    if (!answered && interrupted()) { /* the Writes were left out by us */
        finish_chunks(session, other);
        return;
    }
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = from,
                                  .data = session->copy,
                                  .length = came->length,
                                  .invalidate = came->invalidated,
                                  .handle = came->invalidated ? handle : 0};
    watched_judge(&session->watched, &event);
    session->direction = judgement->direction; /* which an RDMA Read that follows has not */
    look_at(session, &event);
    if (judgement->protocol != RPCRDMA_PROTOCOL_1)
        session->version2 = judgement->protocol;
    enum rpcrdma_protocol protocol = protocol_of(session, came->length);
    if (answered) /* else the Reply does not arrive */
        count(session, &event, judgement);
    bool is_call = judgement->direction == RPCRDMA_CALL ||
                   (from == RPCRDMA_CLIENT && judgement->direction != RPCRDMA_REPLY);
    if (!answered)
        finish_chunks(session, other);
    else if (is_call && !chunks_call(own, protocol, session->copy, came->length))
        finish_chunks(session, from);
    else
        pass_on(session, from, protocol, came->length, invalidates ? &handle : NULL);
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
            finish(session, (enum ended_by)side, link->why);
        something = something || event.type != LINK_NOTHING;
    }
    return something;
}

bool proxy_gone(const struct proxy_session *session)
{
    return session->gone;
}

/* ---- beginning and end ---- */

/* What a peer said, as it may be announced to the other: no more than the proxy itself can keep to.
 */
static size_t soften(const struct link *said, bool may_invalidate, size_t max,
                     uint8_t octets[LINK_PRIVATE_DATA_MAX])
{
    struct rpcrdma_private_data data;
    int error = rpcrdma_private_data_find(&data, said->private_data, said->private_length);
    size_t length = said->private_length < max ? said->private_length : max;
    bool fits = error == 0 && data.offset + RPCRDMA_PRIVATE_DATA_LENGTH <= length;
    if (error == 0 && !fits && data.offset < length) /* no message rather than half of one */
        length = data.offset;
    memcpy(octets, said->private_data, length);
    if (!fits)
        return length;
    data.remote_invalidation = data.remote_invalidation && may_invalidate;
    data.send_size = data.send_size < PROXY_RECEIVE ? data.send_size : PROXY_RECEIVE;
    data.receive_size = data.receive_size < PROXY_RECEIVE ? data.receive_size : PROXY_RECEIVE;
    rpcrdma_private_data_encode(octets + data.offset, length - data.offset, &data);
    octets[data.offset + 5] |= said->private_data[data.offset + 5] & 0xfe; /* reserved */
    return length;
}

/* A side is held to what it announced to the other, and to what the other announced. */
static void keep_softened(struct link *link, bool may_invalidate, size_t max)
{
    uint8_t octets[LINK_PRIVATE_DATA_MAX];
    link->private_length = soften(link, may_invalidate, max, octets);
    memcpy(link->private_data, octets, link->private_length);
}

struct link *proxy_reach(struct proxy *proxy, const struct link *client)
{
    uint8_t octets[LINK_PRIVATE_DATA_MAX];
    size_t length = soften(client, proxy->target->invalidates, REQUEST_PRIVATE_MAX, octets);
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
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.seen_between = true;
    config.bindings = rpcrdma_bindings;
    config.draft = proxy->draft;
    session->watched.on_event = on_event;
    session->watched.arg = session;
    if (!watched_init(&session->watched, &config)) {
        watched_free(&session->watched);
        free(session);
        return NULL;
    }
    session->proxy = proxy;
    session->links[RPCRDMA_CLIENT] = client;
    session->links[RPCRDMA_SERVER] = server;
    session->chunks[RPCRDMA_CLIENT] = (struct chunks){.caller = client,
                                                      .answerer = server,
                                                      .invalidates = proxy->target->invalidates,
                                                      .moved = moved,
                                                      .arg = session};
    session->chunks[RPCRDMA_SERVER] = (struct chunks){
        .caller = server, .answerer = client, .moved = moved_in_reverse, .arg = session};
    session->number = ++proxy->connections;
    session->recorded_all = true;
    keep_softened(client, proxy->target->invalidates, REQUEST_PRIVATE_MAX);
    keep_softened(server, true, ANSWER_PRIVATE_MAX);
    const struct capture_side sides[2] = {
        {.private_data = client->private_data, .private_length = client->private_length},
        {.private_data = server->private_data, .private_length = server->private_length}};
    session->captured_all = capture_meet(&session->flow, proxy->capture, session->number, sides);
    watched_private(&session->watched, RPCRDMA_CLIENT, client->private_data,
                    client->private_length);
    watched_private(&session->watched, RPCRDMA_SERVER, server->private_data,
                    server->private_length);
    return session;
}

/* A client may leave while Calls wait, and ask again by another connection (RFC 8166 4.5.5, 8.1.3):
 * no more is asked of it than that the memory which it offered stays until then. */
static bool client_left(const struct proxy_session *session)
{
    return session->who == BY_CLIENT && strcmp(session->links[RPCRDMA_CLIENT]->why, LINK_LEFT) == 0;
}

static enum ending ending_of(const struct proxy_session *session)
{
    if (session->waiting_count == 0 || session->faulted)
        return ENDING_REQUIRED;
    return session->who == BY_PROXY ? ENDING_NOT_APPLICABLE
           : client_left(session)   ? ENDING_TOLERATED
                                    : ENDING_CLOSED;
}

static void add_result(struct proxy_session *session)
{
    char id[32], text[400];
    snprintf(id, sizeof id, "connection-%u", session->number);
    const struct live_case about = {"proxy", id, "What two peers sent each other."};
    const struct chunks *chunks = &session->chunks[RPCRDMA_CLIENT];
    struct result *result =
        live_result(&session->proxy->results, &about, NULL, false,
                    side_names[session->who == BY_SERVER ? RPCRDMA_SERVER : RPCRDMA_CLIENT]);
    result->ending = ending_of(session);
    snprintf(text, sizeof text,
             "%lu Calls, %u of them unanswered; %lu and %lu Sends; %llu octets read from and %llu "
             "written to the client; ended by the %s: %s",
             session->calls, session->waiting_count, session->sends[0], session->sends[1],
             (unsigned long long)chunks->relayed[0], (unsigned long long)chunks->relayed[1],
             side_names[session->who], session->why);
    result->actual = alloc_text(text);
    result->expected = alloc_text("every Call is answered, unless the client leaves");
}

void proxy_end(struct proxy_session *session)
{
    finish(session, BY_PROXY, "the proxy was stopped");
    add_result(session);
    for (int side = 0; side < 2; side++)
        chunks_free(&session->chunks[side]);
    for (int side = 0; side < 2; side++)
        session->links[side]->ops->close(session->links[side]);
    bool recorded = session->recorded_all || session->proxy->recorder == NULL;
    if ((!recorded || !session->captured_all) && !session->proxy->said_limit) {
        say("connection %u was %s up to the limit only; of later ones this is not "
            "said again",
            session->number, recorded ? "captured" : "recorded");
        session->proxy->said_limit = true;
    }
    watched_free(&session->watched);
    free(session);
}
