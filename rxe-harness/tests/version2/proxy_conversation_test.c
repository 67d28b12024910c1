// SPDX-License-Identifier: BSD-3-Clause
// sanitized
/*
 * Random conversations of two peers of version 2, of either draft, that pass through the proxy:
 * each Send arrives as it was sent but for where memory is and what is to be invalidated, what the
 * peers move arrives octet by octet in the memory that was offered for it, and no peer is accused.
 */
#include "rxe-harness/tests/support/proxy_stage.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/transport/segments.h"

#include "conformance/tests/support/version2/conversation.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

#define CONVERSATIONS 60
#define STEPS 400 /* of one conversation */
#define RECEIVES 300

/* A segment that a Call offered. */
struct offered {
    struct offered *next;
    enum rpcrdma_endpoint caller;
    uint32_t xid;
    uint32_t handle, length; /* in the conversation */
    uint64_t offset;
    enum segment_list list;
    struct link_memory memory; /* the caller's */
    uint32_t there;            /* handle and offset as the answerer sees them */
    uint64_t offset_there;
};

static struct link *links[2]; /* the ends of the two peers */
static struct offered *all;
static struct talk2 *talking;
static uint64_t moved[2];
static unsigned compared[RPCRDMA_PROTOCOL_2_07 + 1], named, renamed;

/* ---- the two peers, and the proxy between them ---- */

static void *begin_server(void *arg, struct link *link)
{
    links[RPCRDMA_SERVER] = link;
    return arg;
}

static bool step_server(void *peer)
{
    (void)peer;
    return false;
}

static void end_server(void *peer)
{
    (void)peer;
}

static const struct link_options options = {.receive_size = PROXY_RECEIVE, .receives = RECEIVES};

static struct transport *meet(enum rpcrdma_protocol draft)
{
    const struct loopback_peer server = {.options = &options,
                                         .begin = begin_server,
                                         .step = step_server,
                                         .end = end_server,
                                         .arg = &all};
    struct transport *transport = proxy_stage_open(transport_loopback(&server), draft);
    links[RPCRDMA_CLIENT] = transport->ops->connect(transport, &options);
    ck_assert_ptr_nonnull(links[RPCRDMA_CLIENT]);
    return transport;
}

/* ---- memory ---- */

static uint8_t octet_of(uint32_t handle, size_t i)
{
    return (uint8_t)(handle * 31 + i * 7 + i / 256);
}

static bool is_of(const struct offered *offered, enum rpcrdma_endpoint caller, uint32_t xid)
{
    return offered->caller == caller && offered->xid == xid;
}

static void forget(enum rpcrdma_endpoint caller, uint32_t xid)
{
    for (struct offered **at = &all; *at;) {
        struct offered *offered = *at;
        if (!is_of(offered, caller, xid)) {
            at = &offered->next;
            continue;
        }
        *at = offered->next;
        links[caller]->ops->hide(links[caller], &offered->memory);
        free(offered->memory.octets);
        free(offered);
    }
}

struct passing {
    enum rpcrdma_endpoint caller;
    const struct talk2_call *call;
    uint32_t xid;
    uint64_t special; /* octets of the message that is in a chunk, so far */
    struct offered *next;
    bool in_call_chunk;
    uint32_t position;
};

/* An RPC message in a chunk is the conversation's own; other octets are known by their place. */
static void fill(struct passing *passing, uint8_t *octets, uint32_t handle, uint32_t length,
                 const uint8_t *message)
{
    for (size_t i = 0; i < length; i++)
        octets[i] = message ? message[passing->special + i] : octet_of(handle, i);
    if (message)
        passing->special += length;
}

static bool holds_call(const struct passing *passing, const uint8_t *segment,
                       enum segment_list list)
{
    const struct talk2_chunk *body = &passing->call->body;
    uint32_t handle = rpcrdma_xdr_load32(segment);
    for (uint32_t i = 0; list == SEGMENT_READ && passing->call->is_special && i < body->count; i++)
        if (body->segment[i].handle == handle)
            return true;
    return false;
}

/* A segment of a Call: memory of the caller's, in the place of the conversation's. */
static bool offer(void *arg, uint8_t *segment, enum segment_list list)
{
    struct passing *passing = arg;
    struct link *link = links[passing->caller];
    struct offered *offered = calloc(1, sizeof *offered);
    offered->caller = passing->caller;
    offered->xid = passing->xid;
    offered->list = list;
    offered->handle = rpcrdma_xdr_load32(segment);
    offered->length = rpcrdma_xdr_load32(segment + 4);
    offered->offset = rpcrdma_xdr_load64(segment + 8);
    offered->memory.length = offered->length;
    offered->memory.octets = calloc(1, (size_t)offered->length + 1);
    if (list == SEGMENT_READ)
        fill(passing, offered->memory.octets, offered->handle, offered->length,
             holds_call(passing, segment, list) ? passing->call->payload : NULL);
    ck_assert(link->ops->expose(link, &offered->memory,
                                list == SEGMENT_READ ? LINK_PEER_READS : LINK_PEER_WRITES));
    rpcrdma_xdr_store32(segment, offered->memory.handle);
    rpcrdma_xdr_store64(segment + 8, offered->memory.offset);
    struct offered **last = &all;
    while (*last)
        last = &(*last)->next;
    *last = offered;
    return true;
}

static struct offered *next_offered(struct passing *passing)
{
    struct offered *offered = passing->next;
    while (offered && !is_of(offered, passing->caller, passing->xid))
        offered = offered->next;
    ck_assert_ptr_nonnull(offered);
    passing->next = offered->next;
    return offered;
}

static size_t place_of_handle(const struct rpcrdma_message *message)
{
    return message->protocol == RPCRDMA_PROTOCOL_2_04 ? RPCRDMA2_04_MSG_AT_RDMA_INV_HANDLE
                                                      : RPCRDMA2_07_HDR_PREFIX_SIZE;
}

/* What the Call names to be invalidated is one of its segments. */
static void name_handle(uint8_t *octets, const struct rpcrdma_message *message,
                        enum rpcrdma_endpoint caller)
{
    const struct offered *offered = all;
    if (message->rpc.invalidate == 0)
        return;
    while (offered && (!is_of(offered, caller, message->prefix.xid) ||
                       offered->handle != message->rpc.invalidate))
        offered = offered->next;
    ck_assert_ptr_nonnull(offered);
    rpcrdma_xdr_store32(octets + place_of_handle(message), offered->memory.handle);
    named++;
}

/* The same segment as it arrived: what the answerer reads by it. */
static bool look(void *arg, uint8_t *segment, enum segment_list list)
{
    struct offered *offered = next_offered(arg);
    struct link *link = links[!offered->caller];
    uint8_t *octets = malloc((size_t)offered->length + 1);
    ck_assert_int_eq(offered->list, list);
    offered->there = rpcrdma_xdr_load32(segment);
    offered->offset_there = rpcrdma_xdr_load64(segment + 8);
    ck_assert_uint_eq(rpcrdma_xdr_load32(segment + 4), offered->length);
    if (list == SEGMENT_READ && offered->length > 0) {
        ck_assert(
            link->ops->read(link, offered->there, offered->offset_there, octets, offered->length));
        ck_assert_mem_eq(octets, offered->memory.octets, offered->length);
        moved[0] += offered->length;
    }
    free(octets);
    return true;
}

static struct offered *find_returned(const struct passing *passing, const uint8_t *segment)
{
    struct offered *offered = all;
    while (offered && (!is_of(offered, passing->caller, passing->xid) ||
                       offered->handle != rpcrdma_xdr_load32(segment) ||
                       offered->offset != rpcrdma_xdr_load64(segment + 8)))
        offered = offered->next;
    ck_assert_ptr_nonnull(offered);
    return offered;
}

/* A segment that a Reply returns: written, and as the answerer knows it. */
static bool write_back(void *arg, uint8_t *segment, enum segment_list list)
{
    struct passing *passing = arg;
    struct offered *offered = find_returned(passing, segment);
    struct link *link = links[!passing->caller];
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    uint8_t *octets = malloc((size_t)length + 1);
    fill(passing, octets, offered->handle, length,
         list == SEGMENT_REPLY ? passing->call->answer : NULL);
    if (length > 0)
        ck_assert(link->ops->write(link, offered->there, offered->offset_there, octets, length));
    free(octets);
    rpcrdma_xdr_store32(segment, offered->there);
    rpcrdma_xdr_store64(segment + 8, offered->offset_there);
    return true;
}

/* As it arrived: the caller's own segment again, with what was written. */
static bool is_back(void *arg, uint8_t *segment, enum segment_list list)
{
    struct passing *passing = arg;
    struct offered *offered = all;
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    while (offered && (!is_of(offered, passing->caller, passing->xid) ||
                       offered->memory.handle != rpcrdma_xdr_load32(segment)))
        offered = offered->next;
    ck_assert_ptr_nonnull(offered);
    ck_assert_uint_eq(rpcrdma_xdr_load64(segment + 8), offered->memory.offset);
    ck_assert_uint_le(length, offered->length);
    uint8_t *octets = malloc((size_t)length + 1);
    fill(passing, octets, offered->handle, length,
         list == SEGMENT_REPLY ? passing->call->answer : NULL);
    ck_assert_mem_eq(offered->memory.octets, octets, length);
    for (size_t i = length; i < offered->length; i++)
        ck_assert_uint_eq(offered->memory.octets[i], 0);
    moved[1] += length;
    free(octets);
    return true;
}

/* ---- Sends ---- */

static const struct talk2_call *call_of(enum rpcrdma_endpoint caller, uint32_t xid)
{
    const struct talk2_side *side = &talking->side[caller];
    for (unsigned i = 0; i < TALK2_CALLS; i++)
        if (side->calls[i].active && side->calls[i].xid == xid)
            return &side->calls[i];
    ck_abort_msg("no Call has this XID");
}

static bool mask(void *arg, uint8_t *segment, enum segment_list list)
{
    (void)arg;
    (void)list;
    rpcrdma_xdr_store32(segment, 0);
    rpcrdma_xdr_store64(segment + 8, 0);
    return true;
}

/* What the proxy is to change, alike. */
static void mask_all(uint8_t *octets, const struct rpcrdma_message *message)
{
    if (message->kind != RPCRDMA_KIND_RPC || message->form == RPCRDMA_FORM_PIECE)
        return;
    segments_each_of(octets, message, mask, NULL);
    if (message->protocol != RPCRDMA_PROTOCOL_1 && message->direction == RPCRDMA_CALL)
        rpcrdma_xdr_store32(octets + place_of_handle(message), 0);
}

static struct rpcrdma_message decode(const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    bool is_version2 = rpcrdma_xdr_load32(octets + 4) == 2;
    ptrdiff_t end = rpcrdma_message_decode(
        &message, is_version2 ? talking->protocol : RPCRDMA_PROTOCOL_1, octets, length, NULL);
    ck_assert_int_ge(end, 0);
    return message;
}

/* The Send as the other peer gets it. */
static uint8_t *pass(enum rpcrdma_endpoint from, const uint8_t *octets, size_t length)
{
    static uint8_t arrived[PROXY_RECEIVE];
    struct link_event event;
    ck_assert(links[from]->ops->send(links[from], octets, length, NULL));
    links[RPCRDMA_CLIENT]->ops->wait(links[RPCRDMA_CLIENT], 0, &event);
    if (from == RPCRDMA_CLIENT)
        links[RPCRDMA_SERVER]->ops->wait(links[RPCRDMA_SERVER], 0, &event);
    ck_assert_msg(event.type == LINK_RECEIVED, "%s", links[RPCRDMA_CLIENT]->why);
    ck_assert(!event.invalidated);
    ck_assert_uint_eq(event.length, length);
    memcpy(arrived, event.octets, length);
    return arrived;
}

static bool is_another(void *arg, uint8_t *segment, enum segment_list list)
{
    (void)list;
    return rpcrdma_xdr_load32(segment) != *(const uint32_t *)arg;
}

/* What may be invalidated is, there as well, memory of the Call; in the reverse direction none. */
static void check_named(uint8_t *arrived, const struct rpcrdma_message *came,
                        enum rpcrdma_endpoint from, const struct rpcrdma_message *sent)
{
    uint32_t handle = came->rpc.invalidate;
    if (sent->rpc.invalidate == 0 || from == RPCRDMA_SERVER || handle == 0)
        ck_assert_uint_eq(handle, 0);
    else
        ck_assert(!segments_each_of(arrived, came, is_another, &handle));
    renamed += handle != 0;
}

static void relay(enum rpcrdma_endpoint from, const uint8_t *data, size_t length)
{
    static uint8_t octets[PROXY_RECEIVE], other[PROXY_RECEIVE];
    memcpy(octets, data, length);
    struct rpcrdma_message message = decode(octets, length);
    bool whole = message.kind == RPCRDMA_KIND_RPC && message.form != RPCRDMA_FORM_PIECE &&
                 message.direction != RPCRDMA_DIRECTION_UNKNOWN;
    bool is_call = whole && message.direction == RPCRDMA_CALL;
    enum rpcrdma_endpoint caller = is_call ? from : !from;
    struct passing passing = {.caller = caller, .xid = message.prefix.xid};
    if (whole) {
        passing.call = call_of(caller, message.prefix.xid);
        segments_each_of(octets, &message, is_call ? offer : write_back, &passing);
    }
    if (is_call)
        name_handle(octets, &message, from);
    uint8_t *arrived = pass(from, octets, length);
    struct rpcrdma_message came = decode(arrived, length);
    memcpy(other, arrived, length);
    struct rpcrdma_message masked = decode(other, length);
    if (is_call)
        check_named(arrived, &came, from, &message);
    mask_all(octets, &message);
    mask_all(other, &masked);
    ck_assert_mem_eq(octets, other, length);
    compared[message.protocol]++;
    passing.special = 0;
    passing.next = all;
    if (whole)
        segments_each_of(arrived, &came, is_call ? look : is_back, &passing);
    if (message.kind == RPCRDMA_KIND_ERROR || (whole && !is_call))
        forget(!from, message.prefix.xid);
}

static void on_event(struct talk2 *talk, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    (void)judgement;
    talking = talk;
    if (event->type == RPCRDMA_EVENT_SEND)
        relay(event->from, event->data, event->length);
}

/* ---- tests ---- */

static void accuse_nobody(struct talk2 *talk, const char *rule, const char *text)
{
    ck_abort_msg("conversation %llu: %s: %s", (unsigned long long)talk->seed, rule, text);
}

static void hold(uint64_t seed, enum rpcrdma_protocol draft)
{
    static max_align_t memory[128 * 1024];
    static struct talk2 talk;
    talk2_start(&talk, seed, memory, sizeof memory);
    talk.unseen = 0; /* nothing passes the proxy unseen */
    talk.accuse = accuse_nobody;
    talk.judged = on_event;
    if (draft != RPCRDMA_PROTOCOL_AUTO)
        draft = talk2_is_07(&talk) ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_2_04;
    struct transport *transport = meet(draft);
    for (unsigned i = 0; i < STEPS && talk2_step(&talk); i++)
        ;
    for (unsigned i = 0; i < proxy.results.count; i++)
        ck_abort_msg("conversation %llu: %s", (unsigned long long)seed,
                     proxy.results.list[i].actual);
    while (all)
        forget(all->caller, all->xid);
    links[RPCRDMA_CLIENT]->ops->close(links[RPCRDMA_CLIENT]);
    proxy_stage_close(transport);
}

START_TEST(conversations_pass)
{
    memset(compared, 0, sizeof compared);
    memset(moved, 0, sizeof moved);
    named = renamed = 0;
    for (uint64_t seed = 1; seed <= CONVERSATIONS; seed++)
        hold(seed, (enum rpcrdma_protocol)_i);
    ck_assert_uint_gt(compared[RPCRDMA_PROTOCOL_2_04], 10 * CONVERSATIONS);
    ck_assert_uint_gt(compared[RPCRDMA_PROTOCOL_2_07], 20 * CONVERSATIONS);
    ck_assert_uint_gt(compared[RPCRDMA_PROTOCOL_1], 0); /* where a server has refused version 2 */
    ck_assert_uint_gt(named, CONVERSATIONS);
    ck_assert_uint_gt(renamed, CONVERSATIONS / 2);
    ck_assert_uint_gt(moved[0], 1000 * CONVERSATIONS);
    ck_assert_uint_gt(moved[1], 1000 * CONVERSATIONS);
}
END_TEST

/* ---- what the proxy can keep to ---- */

/* The first half of these words is sent, and arrives as the second. */
static void arrives(enum rpcrdma_endpoint from, const uint32_t *words, size_t count)
{
    uint8_t octets[256];
    for (size_t i = 0; i < count / 2; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    const uint8_t *arrived = pass(from, octets, 4 * (count / 2));
    for (size_t i = 0; i < count / 2; i++)
        ck_assert_msg(rpcrdma_xdr_load32(arrived + 4 * i) == words[count / 2 + i],
                      "word %zu is 0x%x", i, rpcrdma_xdr_load32(arrived + 4 * i));
}
#define ARRIVES(from, ...)                                                                         \
    arrives(from, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4)

static void part(struct transport *transport)
{
    links[RPCRDMA_CLIENT]->ops->close(links[RPCRDMA_CLIENT]);
    proxy_stage_close(transport);
}

/* A Call's NULL, as the conversation begins. */
#define NULL_REST 0, 2, 0x20008167, 1, 0, 0, 0, 0, 0
#define NULL_07(credit) 7, 2, credit, 10, 0, 0, 0, 0, 7, NULL_REST
#define TOLD_07(credit, size) 0, 2, credit, 7, 3, 1, 4, size, 2, 4, size, 4, 4, 99999
#define TOLD_04(credit, size) 0, 2, credit, 6, 1, 1, 4, size, 0

START_TEST(credits_and_sizes_are_limited)
{
    struct transport *transport = meet(RPCRDMA_PROTOCOL_2_07);
    ARRIVES(RPCRDMA_CLIENT, NULL_07(1000), NULL_07(PROXY_CREDITS));
    /* One Send of the client's was received; the word is a total. */
    ARRIVES(RPCRDMA_SERVER, TOLD_07(1000, 65536), TOLD_07(1 + PROXY_CREDITS, PROXY_RECEIVE));
    ARRIVES(RPCRDMA_CLIENT, TOLD_07(90, PROXY_RECEIVE + 1), TOLD_07(90, PROXY_RECEIVE));
    ARRIVES(RPCRDMA_SERVER, 0, 2, 2 + PROXY_CREDITS, 5, 0, 2, 2 + PROXY_CREDITS, 5);
    ARRIVES(RPCRDMA_SERVER, 0, 2, 3 + PROXY_CREDITS, 5, 0, 2, 2 + PROXY_CREDITS, 5);
    part(transport);
    transport = meet(RPCRDMA_PROTOCOL_2_04);
    ARRIVES(RPCRDMA_CLIENT, TOLD_04(1000, 65536), TOLD_04(PROXY_CREDITS, PROXY_RECEIVE));
    ARRIVES(RPCRDMA_SERVER, TOLD_04(PROXY_CREDITS, 8192), TOLD_04(PROXY_CREDITS, 8192));
    part(transport);
}
END_TEST

/* ---- octets that nobody should send ---- */

static unsigned noises;

static void send_noise(struct talk2 *talk, const struct rpcrdma_event *event,
                       const struct rpcrdma_judgement *judgement)
{
    struct link *link = links[event->from];
    struct link_event came;
    (void)talk;
    (void)judgement;
    if (event->type != RPCRDMA_EVENT_SEND || proxy_stage_gone())
        return;
    link->ops->send(link, event->data, event->length, NULL);
    links[RPCRDMA_CLIENT]->ops->wait(links[RPCRDMA_CLIENT], 0, &came);
    if (!proxy_stage_gone()) /* the server's end goes with the proxy's */
        links[RPCRDMA_SERVER]->ops->wait(links[RPCRDMA_SERVER], 0, &came);
    noises++;
}

static void ignore(struct talk2 *talk, const char *rule, const char *text)
{
    (void)talk;
    (void)rule;
    (void)text;
}

START_TEST(noise_is_survived)
{
    static max_align_t memory[128 * 1024];
    static struct talk2 talk;
    noises = 0;
    for (uint64_t seed = 1000; seed < 1200; seed++) {
        talk2_start(&talk, seed, memory, sizeof memory);
        talk.unseen = 0;
        talk.noise = true;
        talk.accuse = ignore;
        talk.judged = send_noise;
        struct transport *transport = meet(RPCRDMA_PROTOCOL_AUTO);
        for (unsigned i = 0; i < STEPS && !proxy_stage_gone() && talk2_step(&talk); i++)
            ;
        links[RPCRDMA_CLIENT]->ops->close(links[RPCRDMA_CLIENT]);
        proxy_stage_close(transport);
    }
    ck_assert_uint_gt(noises, 1000);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("conversations of version 2 through the proxy");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, conversations_pass, RPCRDMA_PROTOCOL_AUTO,
                        RPCRDMA_PROTOCOL_2_04 + 1);
    tcase_add_test(cases, credits_and_sizes_are_limited);
    tcase_add_test(cases, noise_is_survived);
    return run_tests("conversations of version 2 through the proxy", cases);
}
