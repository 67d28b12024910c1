// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/session_stage.h"

#include "rxe-harness/transport/loopback.h"

#include <check.h>
#include <rpcrdma/check.h>
#include <rpcrdma/rules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 64 /* of each side, that the checker remembers at a time */

static const struct session_options plain = {.protocol = RPCRDMA_PROTOCOL_2_07,
                                             .credits = 16,
                                             .send_size = SESSION_INLINE,
                                             .receive_size = SESSION_INLINE,
                                             .segments = 16,
                                             .reverse = RPCRDMA2_07_RVRSDIR_GENL,
                                             .message_max = 4 << 20,
                                             .queue_max = 8 << 20};

static struct transport *transport;
struct link *links[2];
struct session *sessions[2];
struct session_options options[2];
static struct link_options link_options[2];
static uint32_t random_state;

/* ---- the checker looks on ---- */

const struct link_ops *own_ops;
static struct link_ops spy_ops;
static struct rpcrdma_check *checker;
static void *checker_memory;
unsigned findings;

static bool spy(struct link *link, const void *octets, size_t length, const uint32_t *invalidate)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = link == links[ACTIVE] ? RPCRDMA_CLIENT : RPCRDMA_SERVER,
                                  .data = octets,
                                  .length = length};
    struct rpcrdma_judgement judgement;
    if (checker) {
        rpcrdma_check_event(checker, &event, &judgement);
        for (unsigned i = 0; i < judgement.count; i++) {
            const struct rpcrdma_finding *finding = &judgement.findings[i];
            char text[200];
            if (finding->severity == RPCRDMA_NOTE)
                continue;
            findings++;
            rpcrdma_finding_text(finding, text, sizeof text);
            fprintf(stderr, "%s: %s\n", rpcrdma_requirements[finding->rule].id, text);
        }
    }
    return own_ops->send(link, octets, length, invalidate);
}

void look_on(void)
{
    const struct rpcrdma_check_config config = {
        .draft = options[ACTIVE].protocol, .max_calls = 2 * CALLS_MAX, .seen_between = true};
    size_t size = rpcrdma_check_size(&config);
    checker_memory = malloc(size);
    checker = rpcrdma_check_init(checker_memory, size, &config);
    ck_assert_ptr_nonnull(checker);
    findings = 0;
}

/* ---- a connection ---- */

static void *begin(void *arg, struct link *link)
{
    links[PASSIVE] = link;
    return arg;
}

static bool step(void *peer)
{
    (void)peer;
    return false;
}

static void end(void *peer)
{
    (void)peer;
}

static void open_links(void)
{
    for (int i = 0; i < 2; i++)
        link_options[i] = (struct link_options){.receive_size = options[i].receive_size,
                                                .receives = session_receives(&options[i])};
    const struct loopback_peer peer = {.options = &link_options[PASSIVE],
                                       .begin = begin,
                                       .step = step,
                                       .end = end,
                                       .arg = &transport};
    transport = transport_loopback(&peer);
    links[ACTIVE] = transport->ops->connect(transport, &link_options[ACTIVE]);
    ck_assert_ptr_nonnull(links[ACTIVE]);
    own_ops = links[ACTIVE]->ops;
    spy_ops = *own_ops;
    spy_ops.send = spy;
    links[ACTIVE]->ops = links[PASSIVE]->ops = &spy_ops;
}

void stage_setup(void)
{
    options[ACTIVE] = options[PASSIVE] = plain;
    options[ACTIVE].active = true;
    random_state = 1;
}

void use_draft(enum rpcrdma_protocol draft)
{
    options[ACTIVE].protocol = options[PASSIVE].protocol = draft;
}

void connect_sides(bool active, bool passive)
{
    open_links();
    sessions[ACTIVE] = active ? session_new(links[ACTIVE], &options[ACTIVE]) : NULL;
    sessions[PASSIVE] = passive ? session_new(links[PASSIVE], &options[PASSIVE]) : NULL;
}

void stage_teardown(void)
{
    for (int i = 0; i < 2; i++) {
        session_free(sessions[i]);
        sessions[i] = NULL;
    }
    links[PASSIVE]->ops->close(links[PASSIVE]);
    links[ACTIVE]->ops->close(links[ACTIVE]);
    transport->ops->close(transport);
    free(checker_memory);
    checker_memory = NULL;
    checker = NULL;
}

void seed_any(uint32_t seed)
{
    random_state = seed;
}

uint32_t any(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)random_state * below) >> 32);
}

uint8_t *make_rpc(uint32_t xid, enum rpcrdma_direction direction, size_t length)
{
    uint8_t *rpc = calloc(1, length);
    rpcrdma_xdr_store32(rpc, xid);
    rpcrdma_xdr_store32(rpc + 4, direction == RPCRDMA_CALL ? 0 : 1);
    if (direction == RPCRDMA_CALL) {
        rpcrdma_xdr_store32(rpc + 8, 2);
        rpcrdma_xdr_store32(rpc + 12, 0x20000000);
        rpcrdma_xdr_store32(rpc + 16, 1);
    }
    for (size_t i = RPC; i < length; i++)
        rpc[i] = (uint8_t)(xid + i % 251);
    return rpc;
}

bool send_rpc(enum side side, enum rpcrdma_direction direction, uint32_t xid, size_t length)
{
    uint8_t *rpc = make_rpc(xid, direction, length);
    const struct session_message message = {
        .direction = direction, .xid = xid, .rpc = rpc, .length = length};
    bool good = session_send(sessions[side], &message);
    free(rpc);
    return good;
}

void is_whole(const struct session_event *event)
{
    uint8_t *rpc =
        make_rpc(event->message.prefix.xid,
                 event->type == SESSION_CALL ? RPCRDMA_CALL : RPCRDMA_REPLY, event->length);
    ck_assert_mem_eq(event->payload, rpc, event->length);
    free(rpc);
}

static uint32_t all_sent(void)
{
    return session_counts(sessions[ACTIVE]).sent + session_counts(sessions[PASSIVE]).sent;
}

struct session_event until(enum side side, enum session_event_type type)
{
    struct session_event event;
    for (uint32_t idle = 0, before = 0; idle < 100; before = all_sent()) {
        enum side next = (enum side)any(2);
        session_wait(sessions[next], 0, &event);
        idle = all_sent() == before ? idle + 1 : 0;
        if (event.type == SESSION_NOTHING)
            continue;
        ck_assert_msg(next == side, "side %d: event %d, %s", next, event.type, links[next]->why);
        ck_assert_int_eq(event.type, type);
        return event;
    }
    ck_abort_msg("it stalls");
}

void send_raw(enum side side, const uint32_t *words, size_t count)
{
    uint8_t octets[512];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    ck_assert(own_ops->send(links[side], octets, 4 * count, NULL));
}

struct link_event raw(enum side side)
{
    struct link_event event;
    own_ops->wait(links[side], 0, &event);
    return event;
}

struct session_event after(enum side side)
{
    struct session_event event;
    session_wait(sessions[side], 0, &event);
    return event;
}
