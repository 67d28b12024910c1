// SPDX-License-Identifier: BSD-3-Clause
/*
 * Limits that the other side has told (draft -07 sections 5.2.3 and 5.2.4), or that a side has
 * asked it for (draft -04 section 5.2.1). Those of the length of a Send are in connection.c.
 */
#include "conformance/check/rules/rules.h"

/* A peer that tells less than this has sent more itself to tell it. */
#define LEAST_LIMIT FIRST_SEND_MAX

/* Defaults of draft -07, section 5.2. */
enum { DEFAULT_SEGMENT_SIZE = 1 << 20, DEFAULT_SEGMENT_COUNT = 16 };

static bool is_unknown(const struct rpcrdma_send *send, enum rpcrdma_endpoint side)
{
    const struct rpcrdma_check *check = send->review.check;
    return check->config.mid_stream || check->traffic[side].forgot;
}

/* -04: who asks for a smaller size keeps to it. */
static void check_asked_size(struct rpcrdma_send *send)
{
    const struct properties *own = &send->own->properties;
    uint32_t asked = own->asked_size < LEAST_LIMIT ? LEAST_LIMIT : own->asked_size;
    if (own->asked_size != 0 && send->total > asked)
        break_rule(&send->review, RPCRDMA2_04_5_2_1_ASKED_SIZE_KEPT, RPCRDMA_NO_OFFSET, NO_REACTION,
                   "the Send has %u octets; its sender asked for a size of %u", send->total, asked);
}

/* ---- segments ---- */

struct segments {
    uint32_t count, longest;
    int64_t at; /* of the longest: where its length is */
};

static void add_segment(struct segments *all, uint32_t length, int64_t at)
{
    all->count++;
    if (length <= all->longest)
        return;
    all->longest = length;
    all->at = at;
}

static void add_reads(const struct rpcrdma_send *send, const struct rpcrdma1_read_list *reads,
                      struct segments *all)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_read_list_next(&iter, &segment); at = iter.p)
        add_segment(all, segment.target.length, place(send, at) + ENTRY_AT_LENGTH);
}

static void add_array(const struct rpcrdma_send *send, const struct rpcrdma1_segment_array *array,
                      struct segments *all)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(array);
    struct rpcrdma1_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_segment_array_next(&iter, &segment); at = iter.p)
        add_segment(all, segment.length, place(send, at) + SEGMENT_AT_LENGTH);
}

static struct segments segments_of(const struct rpcrdma_send *send)
{
    const struct rpcrdma1_chunk_lists *chunks = &send->message.chunks;
    struct segments all = {0, 0, RPCRDMA_NO_OFFSET};
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    if (send->message.call_chunk.count > 0)
        add_reads(send, &send->message.call_chunk, &all);
    if (chunks->rdma_reads.count > 0)
        add_reads(send, &chunks->rdma_reads, &all);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        add_array(send, &chunk.target, &all);
    if (chunks->rdma_reply.present)
        add_array(send, &chunks->rdma_reply.value.target, &all);
    return all;
}

static void check_segment_size(struct rpcrdma_send *send, const struct properties *peer,
                               const struct segments *all, bool unknown)
{
    uint32_t told = peer->value[PROPERTY_SEGMENT_SIZE];
    if (peer->known >> PROPERTY_SEGMENT_SIZE & 1 && told != 0 && all->longest > told)
        break_rule(&send->review, RPCRDMA2_07_5_2_3_SEGMENT_WITHIN_TOLD, all->at,
                   RESPONDER_MAY(ALSO | RPCRDMA_ERR_SYSTEM | RPCRDMA_ERR_SEGMENTS),
                   "a segment of %u octets; the other side told a most of %u", all->longest, told);
    else if (!((peer->told | peer->unsure) >> PROPERTY_SEGMENT_SIZE & 1) && !unknown &&
             all->longest > DEFAULT_SEGMENT_SIZE)
        break_rule(&send->review, RPCRDMA2_07_5_2_3_SEGMENT_ABOVE_DEFAULT, all->at, NO_REACTION,
                   "a segment of %u octets; the other side told no most, and the default is %u",
                   all->longest, DEFAULT_SEGMENT_SIZE);
}

static void check_segment_count(struct rpcrdma_send *send, const struct properties *peer,
                                const struct segments *all, bool unknown)
{
    uint32_t told = peer->value[PROPERTY_SEGMENT_COUNT];
    struct reactions open = RESPONDER_MAY(ALSO | RPCRDMA_ERR_SEGMENTS);
    if (peer->known >> PROPERTY_SEGMENT_COUNT & 1 && told != 0 && all->count > told)
        break_rule(&send->review, RPCRDMA2_07_5_2_4_SEGMENTS_WITHIN_TOLD, RPCRDMA_NO_OFFSET, open,
                   "%u segments; the other side told a most of %u", all->count, told);
    else if (!((peer->told | peer->unsure) >> PROPERTY_SEGMENT_COUNT & 1) && !unknown &&
             all->count > DEFAULT_SEGMENT_COUNT)
        break_rule(&send->review, RPCRDMA2_07_5_2_4_SEGMENTS_ABOVE_DEFAULT, RPCRDMA_NO_OFFSET, open,
                   "%u segments; the other side told no most, and the default is %u", all->count,
                   DEFAULT_SEGMENT_COUNT);
}

void rpcrdma_judge_limits2(struct rpcrdma_send *send)
{
    if (is_04(send)) {
        check_asked_size(send);
    } else if (is_call(send) && send->chunks != NULL) {
        struct segments all = segments_of(send);
        bool unknown = is_unknown(send, other(send->review.event->from));
        check_segment_size(send, &send->peer->properties, &all, unknown);
        check_segment_count(send, &send->peer->properties, &all, unknown);
    }
}
