// SPDX-License-Identifier: BSD-3-Clause
/* A connection of the reference Requester: announced, opened, and the version settled. */
#include "rxe-harness/requester/caller.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/report/ladder/scene.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what the checker sees ---- */

static size_t keep(uint8_t octets[REQUESTER_INLINE], const uint8_t *from, size_t length)
{
    size_t kept = length < REQUESTER_INLINE ? length : REQUESTER_INLINE;
    if (kept > 0)
        memcpy(octets, from, kept);
    return kept;
}

static void note_sent(struct requester *requester, const struct rpcrdma_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    requester->open = judgement->reactions;
    requester->broken = judgement->count > 0 ? (int)judgement->findings[0].rule : -1;
    observe_sent(requester->observer, event->data, event->length);
    requester->sent_length = keep(requester->sent, event->data, event->length);
    requester->came_length = 0;
}

static void note_came(struct requester *requester, const struct rpcrdma_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    requester->reactions = judgement->reactions;
    requester->came_length = keep(requester->came, event->data, event->length);
    requester->messages++;
    if (judgement->has_credit && judgement->direction != RPCRDMA_CALL) /* a Call asks for some */
        requester->granted = judgement->credit;
}

static void show(const struct requester *requester, const struct rpcrdma_check_config *config,
                 const struct rpcrdma_event *event, const struct rpcrdma_judgement *judgement)
{
    if (requester->witness)
        requester->witness(requester->finding_arg, config, event, judgement);
}

/* These rest on what was seen in memory. What a Reply alone tells charges nobody. */
static bool tells_of_unwritten(const struct rpcrdma_finding *finding)
{
    return finding->rule == RPCRDMA_RFC8166_3_4_6_RETURNED_LENGTH_WRITTEN ||
           finding->rule == RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_LENGTH_WRITTEN;
}

static void on_shown(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    const struct requester *requester = arg;
    show(requester, &requester->shown.config, event, judgement);
    for (unsigned i = 0; requester->finding && i < judgement->count; i++)
        if (requester->observer->unwritten && tells_of_unwritten(&judgement->findings[i]))
            requester->finding(requester->finding_arg, event, &judgement->findings[i]);
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct requester *requester = arg;
    bool is_send = event->type == RPCRDMA_EVENT_SEND, ours = event->from == RPCRDMA_CLIENT;
    if (is_send && ours)
        note_sent(requester, event, judgement);
    else if (is_send)
        note_came(requester, event, judgement);
    if (requester->observer)
        watched_judge(&requester->shown, event);
    else
        show(requester, &requester->watched.config, event, judgement);
    for (unsigned i = 0; requester->finding && i < judgement->count; i++)
        if (judgement->findings[i].from == RPCRDMA_SERVER)
            requester->finding(requester->finding_arg, event, &judgement->findings[i]);
}

static void conclude_move(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                          const uint8_t *octets, size_t length)
{
    watched_moved(arg, RPCRDMA_SERVER, is_write, handle, offset, octets, length);
}

/* What a Reply tells of RDMA operations was before it. */
static void wait_and_observe(void *arg, unsigned timeout, struct link_event *event)
{
    struct requester *requester = arg;
    watched_take(&requester->watched, timeout, event);
    if (event->type == LINK_RECEIVED)
        observe_reply(requester->observer, event->octets, event->length);
    requester->late = requester->late || requester->observer->late;
    watched_came(&requester->watched, event);
}

static bool make_observer(struct requester *requester, const struct rpcrdma_check_config *config)
{
    requester->observer = calloc(1, sizeof *requester->observer);
    requester->shown.on_event = on_shown;
    requester->shown.arg = requester;
    if (requester->observer == NULL || !watched_init(&requester->shown, config))
        return false;
    scene_end(requester->shown.scene); /* reports draw what is judged */
    requester->shown.scene = NULL;
    requester->observer->moved = conclude_move;
    requester->observer->arg = &requester->shown;
    return true;
}

static bool make_checker(struct requester *requester, const struct requester_options *wanted,
                         enum rpcrdma_protocol protocol)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.max_calls = 2 * REQUESTER_RECEIVES;
    config.max_segments = 256;
    config.bindings = wanted->binding ? rpcrdma_bindings : NULL;
    bool is_version2 = rpcrdma_protocol_is_draft(protocol);
    config.draft = is_version2 ? protocol : RPCRDMA_PROTOCOL_AUTO;
    config.seen_between = is_version2; /* Sends of both sides cross */
    requester->watched.on_event = on_event;
    requester->watched.incoming = wanted->infers ? wait_and_observe : NULL;
    requester->watched.arg = requester;
    return watched_init(&requester->watched, &config) &&
           (!wanted->infers || make_observer(requester, &config));
}

/* ---- announcing ---- */

/* The private data that the peer is sent, and what it says. */
struct announced {
    uint8_t octets[RPCRDMA_PRIVATE_DATA_LENGTH]; /* ours */
    const uint8_t *said;
    size_t length;
    bool tells; /* what follows */
    struct rpcrdma_private_data data;
};

static void announce(const struct requester_options *wanted, struct announced *announced)
{
    const struct rpcrdma_private_data own = {.remote_invalidation = wanted->invalidates,
                                             .send_size = REQUESTER_INLINE,
                                             .receive_size = REQUESTER_INLINE};
    bool replaced = wanted->private_data != NULL;
    rpcrdma_private_data_encode(announced->octets, sizeof announced->octets, &own);
    announced->said = replaced ? wanted->private_data : announced->octets;
    announced->length = replaced ? wanted->private_length : sizeof announced->octets;
    announced->tells =
        rpcrdma_private_data_find(&announced->data, announced->said, announced->length) == 0;
}

/* ---- opening ---- */

uint32_t requester_fresh_xid(void)
{
    struct timespec now;
    uint32_t xid;
    clock_gettime(CLOCK_REALTIME, &now);
    xid = ((uint32_t)now.tv_sec << 20) + (uint32_t)now.tv_nsec / 1000 + ((uint32_t)getpid() << 16);
    if (wire_is_set()) /* all that is sent goes by the seed */
        wire_random(&xid, sizeof xid);
    return xid;
}

static struct requester *make(const struct requester_options *wanted,
                              enum rpcrdma_protocol protocol)
{
    struct requester *requester = calloc(1, sizeof *requester);
    if (requester == NULL)
        return NULL;
    requester->caller = &requester_version1;
    requester->finding = wanted->finding;
    requester->witness = wanted->witness;
    requester->finding_arg = wanted->arg;
    requester->xid = wanted->xid != 0 ? wanted->xid : 0x7e570000;
    requester->program = wanted->program;
    requester->version = wanted->version;
    requester->invalidates = wanted->invalidates;
    requester->granted = 1;
    requester->linger = wanted->linger;
    if (make_checker(requester, wanted, protocol))
        return requester;
    requester_close(requester);
    return NULL;
}

/* What both sides said holds from the first Send on. */
static void begin(struct requester *requester, const struct requester_options *wanted,
                  const struct announced *own)
{
    struct link *link = requester->link;
    struct watched *watched = &requester->watched;
    struct rpcrdma_private_data peer;
    uint32_t thresholds[2];
    if (wanted->tamper)
        wanted->tamper(wanted->arg, link);
    watched_begin(watched, link);
    if (wanted->infers)
        link->observe = NULL;
    bool told = rpcrdma_private_data_find(&peer, link->private_data, link->private_length) == 0;
    rpcrdma_inline_thresholds(own->tells ? &own->data : NULL, told ? &peer : NULL, thresholds);
    requester->send_limit =
        thresholds[0] < REQUESTER_INLINE ? thresholds[0] : (uint32_t)REQUESTER_INLINE;
    watched_private(watched, RPCRDMA_CLIENT, own->said, own->length);
    watched_private(watched, RPCRDMA_SERVER, link->private_data, link->private_length);
}

static struct requester *open_connection(struct transport *transport,
                                         const struct requester_options *wanted,
                                         enum rpcrdma_protocol protocol)
{
    struct announced own;
    announce(wanted, &own);
    const struct link_options options = {
        .receive_size = wanted->told_size > REQUESTER_INLINE ? wanted->told_size : REQUESTER_INLINE,
        .receives = REQUESTER_RECEIVES,
        .private_data = own.said,
        .private_length = own.length,
        .timeout = wanted->timeout};
    struct requester *requester = make(wanted, protocol);
    if (requester == NULL) {
        snprintf(transport->error, sizeof transport->error, "not enough memory");
        return NULL;
    }
    transport->error[0] = '\0';
    requester->link = transport->ops->connect(transport, &options);
    if (requester->link == NULL) {
        requester_close(requester);
        return NULL;
    }
    begin(requester, wanted, &own);
    return requester;
}

/* ---- settling the version ---- */

static void use_version1(struct requester *requester)
{
    requester->caller->forget(requester);
    requester->caller = &requester_version1;
}

struct requester *requester_connect(struct transport *transport,
                                    const struct requester_options *wanted)
{
    struct requester *requester = open_connection(transport, wanted, wanted->draft);
    if (requester == NULL || !rpcrdma_protocol_is_draft(wanted->draft))
        return requester;
    enum requester_settled settled = requester_offer_version2(requester, wanted);
    if (settled == REQUESTER_SPEAKS_1 && !wanted->no_fallback)
        use_version1(requester);
    if (settled == REQUESTER_SPEAKS_2 || requester->caller == &requester_version1)
        return requester;
    const char *why = requester->link->why;
    snprintf(transport->error, sizeof transport->error, "version 2 is not spoken: %.200s",
             why[0] != '\0' ? why : "no answer to its first message");
    requester_close(requester);
    return settled == REQUESTER_UNANSWERED && !wanted->no_fallback
               ? open_connection(transport, wanted, RPCRDMA_PROTOCOL_1)
               : NULL;
}

struct requester *requester_open(struct transport *transport, unsigned timeout, bool invalidates,
                                 requester_finding *finding, void *arg)
{
    const struct requester_options options = {
        .timeout = timeout, .invalidates = invalidates, .finding = finding, .arg = arg};
    return requester_connect(transport, &options);
}
