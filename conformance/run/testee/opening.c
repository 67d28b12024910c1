// SPDX-License-Identifier: BSD-3-Clause
/* The opening vector, modest enough for a parser that has limits. */
#include "conformance/run/testee/opening.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* A generator with only good states: the sequence of Weyl, mixed (splitmix64). */
static uint32_t next_word(uint64_t *state)
{
    uint64_t word = *state += 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(word >> 32);
}

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    rpcrdma_xdr_store32(at, word);
    return at + 4;
}

/* A chunk of 1 to 4 segments, and no more than `most`, of 4 to 68 KiB each. */
static uint8_t *put_chunk(uint8_t *at, uint64_t *state, uint32_t most)
{
    uint32_t count = 1 + next_word(state) % (OPENING_SEGMENTS / 2);
    count = count < most ? count : most;
    at = put_word(put_word(at, 1), count);
    for (uint32_t i = 0; i < count; i++) {
        at = put_word(at, next_word(state));
        at = put_word(at, 4096 + next_word(state) % 65536);
        at = put_word(at, next_word(state) >> 1);
        at = put_word(at, next_word(state));
    }
    return at;
}

/* NULL of NFS version 3 after the header, which ends at `at`. */
static void finish(struct opening *opening, uint8_t *at, uint32_t xid)
{
    const uint32_t null_call[] = {xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0};
    opening->header_length = (size_t)(at - opening->octets);
    for (size_t i = 0; i < COUNT(null_call); i++)
        at = put_word(at, null_call[i]);
    opening->length = (size_t)(at - opening->octets);
}

void opening_make(struct opening *opening, uint32_t seed, const struct tolerance *limits)
{
    uint32_t all = limits->max_segments ? limits->max_segments : OPENING_SEGMENTS;
    uint32_t most = all > 1 ? all / 2 : 1; /* in each of the two chunks */
    if (limits->max_chunk_segments && limits->max_chunk_segments < most)
        most = limits->max_chunk_segments;
    uint64_t state = seed;
    uint8_t *at = opening->octets;
    uint32_t xid = next_word(&state);
    at = put_word(put_word(at, xid), RPCRDMA_VERSION_1);
    at = put_word(put_word(at, 1 + next_word(&state) % 1024), RPCRDMA1_MSG);
    at = put_word(at, 0);                                         /* Read list */
    at = put_word(put_chunk(at, &state, most), 0);                /* Write list */
    at = all > 1 ? put_chunk(at, &state, most) : put_word(at, 0); /* Reply chunk */
    finish(opening, at, xid);
}

void opening_make2(struct opening *opening, enum rpcrdma_protocol draft, uint32_t seed)
{
    uint64_t state = seed;
    uint32_t xid = next_word(&state);
    bool is_04 = draft == RPCRDMA_PROTOCOL_2_04;
    uint8_t *at = put_word(put_word(opening->octets, xid), 2);
    at = put_word(put_word(at, 1 + next_word(&state) % 1024),
                  rpcrdma_inline_type(draft, RPCRDMA_CALL));
    int zeros = is_04 ? 5 : 4; /* the direction, the handle, three lists */
    while (zeros-- > 0)
        at = put_word(at, 0);
    finish(opening, at, xid);
}
