// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Headers in pieces: how much of a Send has to lie in one before it is decoded. The same walk as
 * that of the decoder, over what is there, and it looks at nothing but presence words and counts.
 */
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/xdr_runtime.h>

/* The least that follows each of the lists: their ends, and what is looked at after the header. */
enum {
    WORD = 4,
    PAYLOAD = 4,
    AFTER_WRITES = WORD + PAYLOAD,
    AFTER_READS = WORD + AFTER_WRITES,
    MANY = 256, /* octets of a list */
    TIMES = 4,
};

/* All of it inlined, so that the walk stays in registers. */
#define STEP static inline __attribute__((always_inline)) bool

/* Places are in 64 bits, which no sum of them exceeds. */
struct header_walk {
    const uint8_t *octets;
    uint64_t have, length;
    uint64_t at;
    uint64_t needs; /* set where the walk ends */
};

/* Whether all of the next `octets` are there, or what is needed so that they are; in a list that
 * has taken many octets already, `times` as many, or it would be walked once for each entry. */
STEP is_there(struct header_walk *walk, uint64_t octets, uint64_t times)
{
    uint64_t wanted = walk->at + octets;
    if (RPCRDMA_XDR_LIKELY(wanted <= walk->have))
        return true;
    if (walk->have >= MANY && wanted < times * walk->have)
        wanted = times * walk->have;
    walk->needs = wanted < walk->length ? wanted : walk->length;
    return false;
}

/* The rest changes nothing: the decoder fails before it. But a receiver takes less for a runt. */
STEP ends(struct header_walk *walk)
{
    walk->needs = walk->at > RPCRDMA1_HEADER_MIN ? walk->at : RPCRDMA1_HEADER_MIN;
    return false;
}

/* A presence word. Whether the walk goes on: then *present is set. */
STEP passes_presence(struct header_walk *walk, uint64_t after, uint64_t times, bool *present)
{
    if (!is_there(walk, WORD + after, times))
        return false;
    uint32_t word = rpcrdma_xdr_load32(walk->octets + walk->at);
    walk->at += WORD;
    *present = word == 1;
    return word <= 1 || ends(walk);
}

STEP passes_segments(struct header_walk *walk, uint64_t after, uint32_t limit)
{
    if (!is_there(walk, WORD + after, 1))
        return false;
    uint32_t count = rpcrdma_xdr_load32(walk->octets + walk->at);
    walk->at += WORD;
    if (count > (walk->length - walk->at) / RPCRDMA1_SEGMENT_SIZE || (limit != 0 && count > limit))
        return ends(walk);
    walk->at += (uint64_t)count * RPCRDMA1_SEGMENT_SIZE;
    return true;
}

/* Whether one more is within a limit, of which 0 sets none. */
STEP is_within(uint32_t passed, uint32_t limit)
{
    return limit == 0 || passed < limit;
}

STEP passes_lists(struct header_walk *walk, const struct rpcrdma1_limits *limits)
{
    bool present = true;
    uint32_t i;
    for (i = 0; present; i++) {
        if (!passes_presence(walk, AFTER_READS, TIMES, &present))
            return false;
        if (present && !is_within(i, limits->read_list))
            return ends(walk);
        walk->at += present ? RPCRDMA1_READ_LIST_ENTRY_SIZE - WORD : 0;
    }
    present = true;
    for (i = 0; present; i++) {
        if (!passes_presence(walk, AFTER_WRITES, TIMES, &present))
            return false;
        if (present && !is_within(i, limits->write_list))
            return ends(walk);
        if (present && !passes_segments(walk, WORD + AFTER_WRITES, limits->write_chunk_target))
            return false;
    }
    return passes_presence(walk, PAYLOAD, 1, &present) &&
           (!present || passes_segments(walk, PAYLOAD, limits->write_chunk_target)) &&
           is_there(walk, PAYLOAD, 1);
}

size_t rpcrdma1_header_needs(const void *first, size_t have, size_t length,
                             const struct rpcrdma1_limits *limits)
{
    static const struct rpcrdma1_limits none;
    struct header_walk walk = {(const uint8_t *)first, have < length ? have : length, length, 0, 0};
    if (!is_there(&walk, RPCRDMA1_HEADER_MIN, 1))
        return (size_t)walk.needs;
    uint32_t procedure = rpcrdma_xdr_load32(walk.octets + RPCRDMA_AT_PROCEDURE);
    if (procedure > RPCRDMA1_MSGP)
        return RPCRDMA1_HEADER_MIN;
    walk.at = procedure == RPCRDMA1_MSGP ? RPCRDMA1_MSGP_AT_RDMA_READS : RPCRDMA1_MSG_AT_RDMA_READS;
    if (passes_lists(&walk, limits != NULL ? limits : &none))
        walk.needs = walk.at + PAYLOAD;
    return (size_t)walk.needs;
}
