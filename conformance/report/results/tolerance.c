// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/results/tolerance.h"

#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rules.h>

#include <string.h>

/* Whether a rule lets the receiver of what breaks it go on with the message, if only to find that
 * it cannot be answered as it would like to be. */
static bool lets_process(const struct rpcrdma_requirement *rule, bool is_reply)
{
    uint32_t going_on = RPCRDMA_PROCESS | RPCRDMA_TERMINATE | (is_reply ? 0 : RPCRDMA_GARBAGE_ARGS);
    return (rule->reactions & going_on) != 0;
}

/* Whether what a receiver does instead is known: of a Requester only what a Requester can do. */
static bool refuses(const struct rpcrdma_requirement *rule, bool is_reply)
{
    return !is_reply || (rule->reactions & (RPCRDMA_DISCARD | RPCRDMA_CLOSE)) != 0;
}

bool tolerance_is_shown(enum rpcrdma_rule rule, bool is_reply)
{
    const struct rpcrdma_requirement *row = &rpcrdma_requirements[rule];
    /* That no octets follow the header is seen by who looks beyond the header. */
    return rule != RPCRDMA_RFC8166_4_2_4_MSG_HAS_PAYLOAD && row->scope == RPCRDMA_SCOPE_HEADER &&
           refuses(row, is_reply) && !lets_process(row, is_reply);
}

bool tolerance_is_blind(const struct rpcrdma_judgement *judgement, bool is_reply)
{
    /* An RDMA_ERROR to a Responder shows what it is, whatever rule it is filed under. */
    if (!is_reply && judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR)
        return false;
    for (unsigned i = 0; i < judgement->count; i++)
        if (tolerance_is_shown(judgement->findings[i].rule, is_reply))
            return false;
    return judgement->header_length >= 0;
}

/* ---- what a header asks of its receiver ---- */

struct demand {
    uint64_t read;          /* octets of all Read chunks */
    uint64_t octets;        /* of all chunks */
    uint32_t segments;      /* of all chunks */
    uint32_t longest_chunk; /* segments */
    uint32_t read_chunks, write_chunks;
    bool has_write_list, has_reply_chunk;
};

static void count_segments(struct demand *demand, uint32_t count)
{
    demand->segments += count;
    demand->longest_chunk = count > demand->longest_chunk ? count : demand->longest_chunk;
}

static void count_chunk(struct demand *demand, const struct rpcrdma1_segment_array *target)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(target);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        demand->octets += segment.length;
    count_segments(demand, target->count);
}

/* Segments of one Position that follow each other are one chunk. */
static void count_reads(struct demand *demand, const struct rpcrdma1_read_list *reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment entry;
    uint32_t position = 0, count = 0;
    while (rpcrdma1_read_list_next(&iter, &entry)) {
        if (count == 0 || entry.position != position) {
            count_segments(demand, count);
            demand->read_chunks++;
            count = 0;
        }
        count++;
        position = entry.position;
        demand->read += entry.target.length;
    }
    count_segments(demand, count);
    demand->octets += demand->read;
}

static bool measure(struct demand *demand, enum rpcrdma_protocol protocol, const uint8_t *octets,
                    size_t length)
{
    struct rpcrdma_message message;
    *demand = (struct demand){0};
    if (rpcrdma_message_decode(&message, protocol, octets, length, NULL) < 0 ||
        message.kind != RPCRDMA_KIND_RPC)
        return false;
    count_reads(demand, &message.call_chunk);
    count_reads(demand, &message.chunks.rdma_reads);
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message.chunks.rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        demand->write_chunks++;
        count_chunk(demand, &chunk.target);
    }
    demand->has_write_list = demand->write_chunks != 0;
    demand->has_reply_chunk = message.chunks.rdma_reply.present;
    if (demand->has_reply_chunk)
        count_chunk(demand, &message.chunks.rdma_reply.value.target);
    return true;
}

bool tolerance_has_amounts(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length)
{
    struct demand demand;
    return measure(&demand, protocol, octets, length) &&
           (demand.read_chunks > 0 || demand.segments > 1 || demand.octets > 0 ||
            demand.write_chunks + demand.has_reply_chunk > 1);
}

static bool exceeds(uint32_t count, uint32_t limit)
{
    return limit != 0 && count > limit;
}

/* What either role may be short of. */
static bool is_beyond(const struct tolerance *tolerance, const struct demand *demand)
{
    return exceeds(demand->segments, tolerance->max_segments) ||
           exceeds(demand->longest_chunk, tolerance->max_chunk_segments) ||
           exceeds(demand->read_chunks, tolerance->max_read_chunks) ||
           exceeds(demand->write_chunks, tolerance->max_write_chunks);
}

/* RFC 8166 sections 3.4.4 and 8.1.4; RFC 8267 section 6.4.2: a Responder sets the limits. */
static unsigned of_responder(const struct tolerance *tolerance, const struct demand *demand)
{
    bool too_much = demand->read > tolerance->max_read || is_beyond(tolerance, demand);
    return too_much ? (unsigned)(RPCRDMA_ERR_CHUNK | RPCRDMA_CLOSE) : 0;
}

/* A Reply belongs to a Call (sections 3.4.6 and 4.3.3): this Requester never makes that Call. */
static unsigned of_requester(const struct tolerance *tolerance, const struct demand *demand)
{
    bool foreign = (demand->write_chunks > 1 && !(tolerance->offers & OFFERS_WRITE_CHUNKS)) ||
                   (demand->has_write_list && demand->has_reply_chunk &&
                    !(tolerance->offers & OFFERS_WRITE_AND_REPLY)) ||
                   is_beyond(tolerance, demand);
    return foreign ? (unsigned)(RPCRDMA_DISCARD | RPCRDMA_TERMINATE | RPCRDMA_CLOSE) : 0;
}

bool tolerance_speaks(const struct tolerance *tolerance, uint32_t version)
{
    return version < 64 && (tolerance->versions >> version & 1) != 0;
}

/* What answers a version that this Requester never sent answers no Call of its own. */
static bool answers_unsent(const struct tolerance *tolerance,
                           const struct rpcrdma_judgement *judgement)
{
    return judgement->has_version && !tolerance_speaks(tolerance, judgement->version);
}

unsigned tolerance_reactions(const struct tolerance *tolerance,
                             const struct rpcrdma_judgement *judgement, const uint8_t *octets,
                             size_t length, bool is_reply)
{
    struct demand demand;
    unsigned more = 0;
    if (tolerance_is_blind(judgement, is_reply))
        more |= RPCRDMA_PROCESS;
    if (is_reply && answers_unsent(tolerance, judgement))
        more |= RPCRDMA_DISCARD;
    if (measure(&demand, RPCRDMA_PROTOCOL_1, octets, length))
        more |= is_reply ? of_requester(tolerance, &demand) : of_responder(tolerance, &demand);
    return more;
}

/* ---- version 2 ---- */

/* Whether a receiver can see that the rule is broken, and must not go on. */
static bool is_shown2(enum rpcrdma_rule rule, bool conversation)
{
    const struct rpcrdma_requirement *row = &rpcrdma_requirements[rule];
    bool is_connection = conversation && row->scope == RPCRDMA_SCOPE_CONNECTION;
    return (is_connection || row->scope == RPCRDMA_SCOPE_HEADER) &&
           (row->reactions & (RPCRDMA_PROCESS | RPCRDMA_TERMINATE)) == 0;
}

static bool is_blind2(const struct rpcrdma_judgement *judgement, bool conversation)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (is_shown2(judgement->findings[i].rule, conversation))
            return false;
    return judgement->header_length >= 0;
}

/* A later piece does not begin with its XID, as a whole message does. */
static bool is_later_piece(const struct rpcrdma_message *message, const uint8_t *octets,
                           size_t length)
{
    return message->kind == RPCRDMA_KIND_RPC && message->form != RPCRDMA_FORM_SPECIAL &&
           length >= message->header + 4 &&
           rpcrdma_xdr_load32(octets + message->header) != message->prefix.xid;
}

unsigned tolerance_reactions2(const struct tolerance *tolerance,
                              const struct rpcrdma_judgement *judgement, const uint8_t *octets,
                              size_t length, bool is_reply, bool conversation)
{
    const unsigned version_errors = RPCRDMA_ERR_VERS | RPCRDMA_ERR_VERS_MISMATCH;
    struct rpcrdma_message message;
    unsigned more = is_blind2(judgement, conversation) ? RPCRDMA_PROCESS : 0;
    if (is_reply && judgement->version != 2 && answers_unsent(tolerance, judgement))
        more |= RPCRDMA_DISCARD;
    if (conversation)
        return more;
    /* Refused for what was said of versions before. */
    if (judgement->has_version && judgement->version == 2 && judgement->reactions & version_errors)
        more |= RPCRDMA_PROCESS;
    if (judgement->protocol == RPCRDMA_PROTOCOL_1 ||
        rpcrdma_message_decode(&message, judgement->protocol, octets, length, NULL) < 0)
        return more;
    if (message.kind == RPCRDMA_KIND_ERROR) /* what it answers is not seen */
        more |= RPCRDMA_DISCARD;
    if (is_later_piece(&message, octets, length))
        more |= RPCRDMA_ERR_BAD_XDR | RPCRDMA_DISCARD;
    return more;
}
