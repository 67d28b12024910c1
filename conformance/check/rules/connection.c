// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connection scope: credits, order, inline thresholds, private data, both directions (RFC 8166
 * section 3.3, RFC 8167, RFC 8797).
 *
 * These rules depend on what was sent before, and an observer knows less of that than the peers do:
 * messages can be lost to the capture, refused, or still on their way. Where that matters the
 * limits used here are the widest that any peer could have in mind, and after a gap there are none.
 */
#include "conformance/check/rules/rules.h"

#include <string.h>

#include <rpcrdma/rpc.h>

/* ---- inline thresholds ---- */

static void too_long(struct rpcrdma_send *send, enum rpcrdma_rule rule, const char *is,
                     uint64_t limit)
{
    break_rule(&send->review, rule, RPCRDMA_NO_OFFSET,
               EITHER_MAY(ALSO | RPCRDMA_CLOSE, ALSO | RPCRDMA_CLOSE), is, send->total, limit);
}

static bool offered_reply_chunk(const struct rpcrdma_send *send)
{
    return is_reply(send) && is_inline(send) && send->answers &&
           send->answers->offers.has_reply_chunk;
}

/* This side announced its settings, and what the other side said is no RFC 8797 message. */
static bool bound_to_defaults(const struct rpcrdma_check *check, enum rpcrdma_endpoint from)
{
    const struct side *peer = &check->side[other(from)];
    return check->side[from].private_data_good && peer->private_data_seen &&
           !peer->private_data_good;
}

/* It announced them, and nothing at all was seen of the other side. */
static bool is_alone(const struct rpcrdma_check *check, enum rpcrdma_endpoint from)
{
    return check->side[from].private_data_good && !check->side[other(from)].private_data_seen &&
           !check->config.mid_stream && !check->traffic[from].forgot &&
           !check->traffic[other(from)].forgot;
}

static enum rpcrdma_rule above_default(const struct rpcrdma_check *check,
                                       enum rpcrdma_endpoint from)
{
    if (bound_to_defaults(check, from))
        return RPCRDMA_RFC8797_5_1_DEFAULTS_WITHOUT_MESSAGE;
    return is_alone(check, from) ? RPCRDMA_RFC8797_5_1_DEFAULTS_IN_SILENCE
                                 : RPCRDMA_RFC8166_3_3_3_SEND_ABOVE_DEFAULT;
}

static void check_threshold(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    uint32_t limit = known_threshold(check, from);
    if (limit != 0) {
        if (send->total > limit)
            too_long(send,
                     offered_reply_chunk(send) ? RPCRDMA_RFC8166_3_5_3_REPLY_CHUNK_USED
                                               : RPCRDMA_RFC8166_4_2_4_SEND_WITHIN_THRESHOLD,
                     "the Send has %u octets; the inline threshold is %u", limit);
    } else if (send->total > RPCRDMA_DEFAULT_INLINE) {
        too_long(send, above_default(check, from),
                 "the Send has %u octets; the default threshold is %u", RPCRDMA_DEFAULT_INLINE);
    }
}

/* ---- remote invalidation ---- */

static void check_invalidation(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct side *client = &check->side[RPCRDMA_CLIENT];
    const struct side *server = &check->side[RPCRDMA_SERVER];
    if (!send->review.event->invalidate)
        return;
    if (client->private_data_good && server->private_data_good) {
        if (client->private_data.remote_invalidation && server->private_data.remote_invalidation)
            return;
        break_rule(&send->review, RPCRDMA_RFC8797_4_1_PLAIN_SEND_WITHOUT_SUPPORT, RPCRDMA_NO_OFFSET,
                   REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
                   "a Send With Invalidate, which not both sides support");
    } else if (bound_to_defaults(check, send->review.event->from)) {
        break_rule(&send->review, RPCRDMA_RFC8797_5_1_DEFAULTS_WITHOUT_MESSAGE, RPCRDMA_NO_OFFSET,
                   REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
                   "a Send With Invalidate to a peer that sent no private data of RFC 8797");
    }
}

/* ---- credits ---- */

/* This many Calls are in flight, as seen here. By an older grant the Requester has not seen the
 * answers since, and counts more. */
static bool allows(const struct traffic *traffic, uint32_t i, uint64_t in_flight)
{
    const struct grant *grant = &traffic->grant[i];
    uint64_t unseen = i + 1 < traffic->grants ? traffic->freed - grant->freed : 0;
    return in_flight + unseen <= grant->credits;
}

/* It goes from grant to grant and never back: those that allow no Call any more are dropped, but
 * for the latest. */
static bool is_granted(struct traffic *traffic, uint64_t in_flight)
{
    uint32_t i = 0, last = traffic->grants - 1;
    while (i < last && !allows(traffic, i, in_flight))
        i++;
    if (i > 0) {
        traffic->grants -= i;
        memmove(traffic->grant, traffic->grant + i, traffic->grants * sizeof traffic->grant[0]);
    }
    return allows(traffic, 0, in_flight);
}

/* An answer that may have been dropped, or that says nothing, lowers no grant. */
static void add_grant(struct traffic *traffic, uint32_t credits, uint64_t freed_before)
{
    if (traffic->grants == GRANTS) { /* both of the two oldest, as if they had come together */
        traffic->grant[1].credits = traffic->grant[0].credits;
        memmove(traffic->grant, traffic->grant + 1, --traffic->grants * sizeof traffic->grant[0]);
    }
    if (traffic->grants > 0)
        traffic->grant[traffic->grants - 1].freed = freed_before;
    while (traffic->grants > 0 && traffic->grant[traffic->grants - 1].credits <= credits)
        traffic->grants--;
    traffic->grant[traffic->grants++] = (struct grant){.credits = credits};
}

/* The Requester asks for few credits, and its Calls exceed them sooner than the grant. */
static void check_request(struct rpcrdma_send *send, uint64_t in_flight)
{
    uint32_t asked = send->review.judgement->credit;
    if (asked != 0 && in_flight > asked &&
        asked < latest_grant(&send->review.check->traffic[send->review.event->from]))
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_REQUEST,
                   RPCRDMA1_AT_RDMA_CREDIT, NO_REACTION,
                   "%u Calls are in flight; the Requester asks for %u", in_flight, asked);
}

static void check_credits(struct rpcrdma_send *send)
{
    struct traffic *traffic = &send->review.check->traffic[send->review.event->from];
    uint64_t in_flight = (uint64_t)traffic->in_flight + 1;
    if (traffic->forgot)
        return;
    if (traffic->answers == 0 && in_flight > 1) {
        if (traffic->errors == 0)
            break_rule(&send->review, RPCRDMA_RFC8166_3_3_3_ONE_CREDIT_AT_FIRST, RPCRDMA_NO_OFFSET,
                       RESPONDER_MAY(ALSO | RPCRDMA_CLOSE),
                       "%u Calls are in flight, and nothing was answered yet", in_flight);
        else
            break_rule(&send->review, RPCRDMA_RFC8166_3_3_3_VALID_REPLY_FIRST, RPCRDMA_NO_OFFSET,
                       RESPONDER_MAY(ALSO | RPCRDMA_CLOSE),
                       "%u Calls are in flight, and nothing but RDMA_ERROR was received",
                       in_flight);
    } else if (traffic->grants > 0 && !is_granted(traffic, in_flight)) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_GRANT, RPCRDMA_NO_OFFSET,
                   RESPONDER_MAY(ALSO | RPCRDMA_CLOSE), "%u Calls are in flight; %u are granted",
                   in_flight, latest_grant(traffic));
    } else {
        check_request(send, in_flight);
    }
}

/* Where Calls go both ways the credit word of a header whose RPC message is not in view is ignored:
 * it could be a request (RFC 8167 section 4.1). Headers of -04 say it; errors are answers. */
static bool may_be_request(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    return !is_inline(send) && !is_04(send) &&
           (check->config.reverse_direction || check->traffic[send->review.event->from].calls > 0);
}

/* A message that its receiver can drop need not have brought the Requester its grant. */
void rpcrdma_take_grant(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    struct traffic *traffic = &send->review.check->traffic[other(send->review.event->from)];
    uint32_t credits = send->review.judgement->credit;
    bool sure = !(send->review.open[RPCRDMA_REQUESTER] & RPCRDMA_DISCARD) && !may_be_request(send);
    if (credits < latest_grant(traffic) && (!sure || credits == 0))
        return;
    if (!check->config.seen_between)
        traffic->grants = 0;
    if (credits != 0)
        add_grant(traffic, credits, send->freed_before);
}

/* ---- Calls ---- */

static uint64_t add_to_digest(uint64_t sum, uint64_t number)
{
    sum = (sum ^ number) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

/* Of whole words of the payload, two at a time; never 0. Two sums, neither of which waits for the
 * other. */
static inline uint64_t digest(const struct rpcrdma_send *send, size_t from, size_t to)
{
    const uint8_t *at = send->payload.octets + from, *end = send->payload.octets + to;
    uint64_t sum = from, other_sum = 1;
    for (; end - at >= 16; at += 16) {
        sum = add_to_digest(sum, rpcrdma_xdr_load64(at));
        other_sum = add_to_digest(other_sum, rpcrdma_xdr_load64(at + 8));
    }
    if (end - at >= 8) {
        sum = add_to_digest(sum, rpcrdma_xdr_load64(at));
        at += 8;
    }
    if (end - at >= 4)
        other_sum = add_to_digest(other_sum, rpcrdma_xdr_load32(at));
    return add_to_digest(sum, other_sum) | 1;
}

/* Octets that its Read chunks hold of the RPC message, those at Position Zero apart. */
static uint64_t reduced_octets(const struct rpcrdma_send *send)
{
    uint64_t octets = 0;
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        octets += rpcrdma_xdr_round(send->reads.chunk[i].length);
    return octets;
}

/* Arguments are digested as far as the payload has them. */
#define DIGESTED 256

/*
 * A Call that is sent again may have another form: what is in chunks is its sender's choice each
 * time, and so is how memory is registered. Credential and verifier stay out of it: RPCSEC_GSS has
 * new ones each time that a Call is sent, and with them new arguments where it protects these (RFC
 * 2203 section 5.3.3.1).
 */
static inline struct identity identify(const struct rpcrdma_send *send)
{
    bool has_rpc = !rpcrdma_xdr_failed(send->rpc_length);
    size_t recorded = send->payload.length < DIGESTED ? send->payload.length : DIGESTED;
    uint64_t called = 0, length = 0, form = 0, arguments = 0;
    if (recorded >= RPCRDMA_RPC_CALL_AT_CRED_FLAVOR) {
        const uint8_t *at = send->payload.octets + RPCRDMA_RPC_CALL_AT_RPCVERS;
        called = add_to_digest(1, rpcrdma_xdr_load64(at));
        called = add_to_digest(called, rpcrdma_xdr_load64(at + 8)) | 1;
    }
    if (has_rpc && send->rpc.cred_flavor == RPCRDMA_RPC_GSS)
        return (struct identity){.called = called};
    if (send->reads.count <= READ_CHUNKS && !send->reads.overlap)
        length = (is_special(send) ? send->position_zero_length : send->payload.total) +
                 reduced_octets(send);
    if (has_rpc && recorded >= (size_t)send->rpc_length) {
        size_t from = (size_t)send->rpc_length;
        form = add_to_digest(send->payload.total,
                             (uint64_t)send->reads.count << 32 | (recorded - from));
        for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
            form = add_to_digest(form, send->reads.chunk[i].position);
        arguments = digest(send, from, recorded);
    }
    return (struct identity){called, length, form, arguments};
}

static bool differ(uint64_t a, uint64_t b)
{
    return a != 0 && b != 0 && a != b;
}

static bool is_same(const struct identity *a, const struct identity *b)
{
    return !differ(a->called, b->called) && !differ(a->length, b->length) &&
           (a->form != b->form || !differ(a->arguments, b->arguments));
}

/* What tells another Call apart is known of both. */
static bool is_surely_same(const struct identity *identity, const struct call *known)
{
    return known->counted && known->identity.called != 0 &&
           known->identity.called == identity->called && is_same(&known->identity, identity);
}

bool rpcrdma_is_surely_same(const struct rpcrdma_send *send, const struct call *known)
{
    struct identity identity = identify(send);
    return is_surely_same(&identity, known);
}

/* Called for each segment that a Call offers, in order, which stands at these octets; false ends
 * the walk. */
typedef bool visit_offer(void *arg, enum memory_kind kind, uint32_t chunk,
                         const struct rpcrdma1_segment *segment, const uint8_t *at);

/* Each of the two visitors has its own walk, without calls. */
#define WALK static inline __attribute__((always_inline)) bool

WALK walk_segments(visit_offer *visit, void *arg, enum memory_kind kind, uint32_t chunk,
                   const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_segment_array_next(&iter, &segment); at = iter.p)
        if (!visit(arg, kind, chunk, &segment, at))
            return false;
    return true;
}

WALK walk_reads(visit_offer *visit, void *arg, const struct rpcrdma1_read_list *reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_read_list_next(&iter, &segment); at = iter.p)
        if (!visit(arg, MEMORY_READ, segment.position, &segment.target, at + ENTRY_AT_HANDLE))
            return false;
    return true;
}

WALK walk_offer(const struct rpcrdma_message *message, visit_offer *visit, void *arg)
{
    static const struct rpcrdma1_segment none;
    const struct rpcrdma1_chunk_lists *chunks = &message->chunks;
    if ((message->call_chunk.count > 0 && !walk_reads(visit, arg, &message->call_chunk)) ||
        !walk_reads(visit, arg, &chunks->rdma_reads))
        return false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (uint32_t n = 0; rpcrdma1_write_list_next(&iter, &chunk); n++)
        if (chunk.target.count == 0 ? !visit(arg, MEMORY_EMPTY_WRITE, n, &none, NULL)
                                    : !walk_segments(visit, arg, MEMORY_WRITE, n, &chunk.target))
            return false;
    return !chunks->rdma_reply.present ||
           walk_segments(visit, arg, MEMORY_REPLY, 0, &chunks->rdma_reply.value.target);
}

struct offer {
    struct rpcrdma_check *check;
    struct call *call;
    struct rpcrdma_send *send; /* that offers it, where it is stored */
    uint32_t next;             /* to compare with */
};

static inline bool store_segment(void *arg, enum memory_kind kind, uint32_t chunk,
                                 const struct rpcrdma1_segment *segment, const uint8_t *at)
{
    const struct offer *offer = arg;
    bool empty = kind == MEMORY_EMPTY_WRITE;
    uint32_t registration = 0;
    if (offer->check->config.registrations_seen[offer->call->from] && !empty)
        registration = rpcrdma_judge_offered(offer->send, offer->call->resent, kind, segment,
                                             place(offer->send, at));
    return rpcrdma_state_offer(offer->check, offer->call, kind, chunk, empty ? NULL : segment,
                               registration);
}

static bool compare_segment(void *arg, enum memory_kind kind, uint32_t chunk,
                            const struct rpcrdma1_segment *segment, const uint8_t *at)
{
    struct offer *offer = arg;
    (void)at;
    const struct offered_memory *memory = &offer->check->memory[offer->next];
    if (offer->next == NONE || memory->kind != kind || memory->chunk != chunk ||
        memory->handle != segment->handle || memory->length != segment->length ||
        memory->offset != segment->offset)
        return false;
    offer->next = memory->next;
    return true;
}

/* The very Call that is known, sent again. */
__attribute__((noinline)) static bool is_same_call(const struct rpcrdma_send *send,
                                                   const struct identity *identity,
                                                   struct call *known)
{
    struct offer offer = {.check = send->review.check, .call = known, .next = known->first};
    return known->judged && is_same(&known->identity, identity) &&
           known->offers.has_reply_chunk == send->chunks->rdma_reply.present &&
           walk_offer(&send->message, compare_segment, &offer) && offer.next == NONE;
}

/* Two Calls that wait under one XID, or one that offers other memory than before: whatever answers
 * them, it is not known which it is for. */
static bool is_ambiguous(const struct rpcrdma_send *send, const struct identity *identity,
                         struct call *known)
{
    return is_waiting(known) && known->counted && !is_same_call(send, identity, known);
}

/* Seen on the way a copy can come after the Reply, and have been sent before. Whether a copy takes
 * a credit of its own is open (section 3.3.1). */
static bool may_have_crossed(const struct rpcrdma_check *check, const struct identity *identity,
                             const struct call *known)
{
    if (!known || !known->counted)
        return false;
    return known->state == CALL_PENDING
               ? known->crossed
               : check->config.seen_between && is_surely_same(identity, known);
}

static struct call *remember_call(struct rpcrdma_send *send, const struct identity *identity,
                                  struct call *known, bool crossed)
{
    struct rpcrdma_check *check = send->review.check;
    struct traffic *traffic = &check->traffic[send->review.event->from];
    bool ambiguous = is_ambiguous(send, identity, known), resent = is_waiting(known);
    bool other_offers_known = !resent || known->offers.known || known->is_control;
    struct call *call =
        rpcrdma_state_add(check, known, send->review.event->from, send->review.judgement->xid,
                          send->review.judgement->version, ambiguous);
    const struct rpcrdma1_write_chunk_opt *reply = &send->chunks->rdma_reply;
    struct offer offer = {.check = check, .call = call, .send = send};
    traffic->calls++;
    traffic->in_flight += !crossed;
    call->counted = true;
    call->crossed = crossed;
    call->type = send->review.judgement->procedure;
    call->invalidate =
        send->message.protocol == RPCRDMA_PROTOCOL_1 ? 0 : send->message.rpc.invalidate;
    call->resent = resent;
    call->identity = *identity;
    call->rpc.is_protected = send->is_protected;
    call->refusal = (uint8_t)rpcrdma_refusal(send);
    call->offers.has_results = send->has_results;
    call->offers.results = send->results;
    if (!rpcrdma_xdr_failed(send->rpc_length)) {
        call->rpc_xid = send->rpc.xid;
        rpcrdma_take_program(call, &send->rpc, send->binding);
    }
    call->offers.write_chunks = send->chunks->rdma_writes.count;
    call->offers.has_reply_chunk = reply->present;
    if (reply->present)
        call->offers.reply_segments = reply->value.target.count;
    bool stored = walk_offer(&send->message, store_segment, &offer);
    if (!stored)
        rpcrdma_state_withdraw(check, call);
    call->judged = stored && !ambiguous;
    call->offers.known = stored && other_offers_known;
    traffic->forgot_memory = traffic->forgot_memory || !call->offers.known;
    return call;
}

/* Returns what is remembered of the Call. */
struct call *rpcrdma_take_call(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    struct call *known = rpcrdma_state_find(check, from, send->review.judgement->xid);
    bool again = known && known->state == CALL_PENDING && known->counted;
    struct identity identity = identify(send);
    bool crossed = may_have_crossed(check, &identity, known);
    bool is_2 = send->message.protocol != RPCRDMA_PROTOCOL_1;
    if (known && known->is_control) /* it waits for no answer */
        rpcrdma_state_set(check, known, CALL_ANSWERED);
    if (from == RPCRDMA_SERVER && !is_2 && check->traffic[RPCRDMA_CLIENT].calls == 0 &&
        !check->config.reverse_direction && !check->traffic[RPCRDMA_SERVER].forgot) {
        break_rule(&send->review, RPCRDMA_RFC8167_6_PEER_PREPARED, RPCRDMA_NO_OFFSET,
                   RESPONDER_MAY(ALSO | RPCRDMA_DISCARD | RPCRDMA_CLOSE),
                   "a Call from the server before any from its client");
    }
    if (again && !is_same(&known->identity, &identity))
        break_rule(&send->review, RPCRDMA_RFC8166_2_2_2_XID_UNIQUE, 0, NO_REACTION,
                   "another Call with XID 0x%x is still waiting for its Reply", known->xid);
    if (!again && !is_07(send) && !crossed)
        check_credits(send);
    if (send->review.event->invalidate)
        break_rule(&send->review, RPCRDMA_RFC8797_4_1_INVALIDATE_OWN_TRANSACTION, RPCRDMA_NO_OFFSET,
                   RESPONDER_MAY(ALSO | RPCRDMA_CLOSE),
                   "a Call invalidates handle 0x%x; only an answer can",
                   send->review.event->handle);
    return remember_call(send, &identity, known, crossed);
}

/* ---- every Send ---- */

/* Octets of an RPC message that tell its direction. */
enum { FIRST_WORDS = RPCRDMA_RPC_AT_MTYPE + 4 };

/* The capture ends before it is known what this was: a Call, an answer, and to what. */
static bool is_unseen(const struct rpcrdma_send *send)
{
    return send->state == HEADER_UNSEEN ||
           (send->state == HEADER_DECODED && send->chunks && send->payload.length < FIRST_WORDS &&
            send->payload.total >= FIRST_WORDS &&
            send->review.judgement->direction == RPCRDMA_DIRECTION_UNKNOWN);
}

/* No Call that could be judged, but its receiver may take it for one and answer by RDMA_ERROR. */
static bool may_be_answered(const struct rpcrdma_send *send)
{
    const struct traffic *traffic = &send->review.check->traffic[send->review.event->from];
    if (!send->may_be_refused || is_reply(send))
        return false;
    /* A side that does not call has sent a bad Reply. */
    return !send->answers || traffic->calls > 0 || traffic->forgot ||
           send->review.check->config.reverse_direction;
}

/* A message of version 2 that was understood, and is no Call that waits for its Reply. */
static bool is_control(const struct rpcrdma_send *send)
{
    return send->state == HEADER_DECODED &&
           (send->message.kind != RPCRDMA_KIND_RPC || send->message.form == RPCRDMA_FORM_PIECE);
}

void rpcrdma_take_message(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    uint32_t version = send->review.judgement->version;
    struct call *known =
        rpcrdma_state_find(check, send->review.event->from, send->review.judgement->xid);
    if (!is_waiting(known)) {
        struct call *call = rpcrdma_state_add(check, known, send->review.event->from,
                                              send->review.judgement->xid, version, false);
        call->refusal = (uint8_t)rpcrdma_refusal(send);
        call->type = send->review.judgement->procedure;
        call->is_control = is_control(send);
    } else if (known->due < UINT32_MAX) {
        known->due++;
        known->offers.known = known->offers.known && is_control(send);
        known->refusal = REFUSE_NOTHING;
        known->mixed = known->mixed || known->version != version;
    }
}

void rpcrdma_judge_connection(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    bool decoded = send->state == HEADER_DECODED;
    if (send->is_foreign)
        return;
    check_threshold(send);
    check->side[from].sends++;
    check->side[from].due = BUFFER_UNKNOWN;
    if (send->drop != DROP_NOTHING || check->side[from].drops > 0)
        rpcrdma_take_dropped(send);
    if (decoded && is_call(send)) {
        struct call *call = rpcrdma_take_call(send);
        enum buffer due = rpcrdma_buffer_for_call(&check->traffic[from], call);
        call->has_buffer = due == BUFFER_FOR_CALL;
        call->number = check->side[from].sends - 1;
        check->side[from].due = due;
        return;
    }
    if (is_unseen(send))
        rpcrdma_state_gap(check);
    else if (may_be_answered(send))
        rpcrdma_take_message(send);
    if (!decoded)
        return;
    check_invalidation(send);
    if (send->answers || send->named)
        rpcrdma_take_grant(send);
    check->side[from].due = rpcrdma_buffer_for_answer(send->answers);
}

/* ---- private data ---- */

void rpcrdma_judge_private_data(struct review *review)
{
    const struct rpcrdma_event *event = review->event;
    const uint8_t *octets = event->data;
    size_t length = octets ? event->length : 0;
    struct side *side = &review->check->side[event->from];
    struct rpcrdma_private_data data;
    if (event->missing > 0)
        return;
    side->private_data_seen = true;
    int error = rpcrdma_private_data_find(&data, octets, length);
    if (error == RPCRDMA_E_PD_TRUNCATED) {
        break_rule(review, RPCRDMA_RFC8797_4_EIGHT_OCTETS, (int64_t)data.offset, NO_REACTION,
                   "of the 8 octets that the identifier begins, %u are there",
                   length - data.offset);
        return;
    }
    if (error == RPCRDMA_E_PD_VERSION) {
        break_rule(review, RPCRDMA_RFC8797_4_VERSION_KNOWN, (int64_t)data.offset + 4, NO_REACTION,
                   "the format version is %u, not 1", data.version);
        return;
    }
    if (error != 0)
        return;
    side->private_data_good = true;
    side->private_data = data;
    rpcrdma_state_negotiate(review->check);
    if (data.offset > 0)
        break_rule(review, RPCRDMA_RFC8797_4_FORMAT_AT_START, (int64_t)data.offset, NO_REACTION,
                   "the message begins at octet %u of the private data", data.offset);
    if (octets[data.offset + 5] & 0xfe)
        break_rule(review, RPCRDMA_RFC8797_4_RESERVED_BITS_ZERO, (int64_t)data.offset + 5,
                   NO_REACTION, "the flags octet is 0x%x; only bit 0 is defined",
                   octets[data.offset + 5]);
}
