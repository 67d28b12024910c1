// SPDX-License-Identifier: BSD-3-Clause
/* The opening vector, modest enough for a parser that has limits. */
#include "conformance/run/testee/opening.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

/* A generator of which every state is good: the sequence of Weyl, mixed (splitmix64). */
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

/* A chunk of 1 to 4 segments, of 4 to 68 KiB each. */
static uint8_t *put_chunk(uint8_t *at, uint64_t *state)
{
    uint32_t count = 1 + next_word(state) % (OPENING_SEGMENTS / 2);
    at = put_word(put_word(at, 1), count);
    for (uint32_t i = 0; i < count; i++) {
        at = put_word(at, next_word(state));
        at = put_word(at, 4096 + next_word(state) % 65536);
        at = put_word(at, next_word(state) >> 1);
        at = put_word(at, next_word(state));
    }
    return at;
}

void opening_make(struct opening *opening, uint32_t seed)
{
    uint64_t state = seed;
    uint8_t *at = opening->octets;
    uint32_t xid = next_word(&state);
    at = put_word(put_word(at, xid), RPCRDMA_VERSION_1);
    at = put_word(put_word(at, 1 + next_word(&state) % 1024), RPCRDMA1_MSG);
    at = put_word(at, 0);                    /* Read list */
    at = put_word(put_chunk(at, &state), 0); /* Write list */
    at = put_chunk(at, &state);              /* Reply chunk */
    opening->header_length = (size_t)(at - opening->octets);
    const uint32_t null_call[] = {xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0}; /* of NFS version 3 */
    for (size_t i = 0; i < COUNT(null_call); i++)
        at = put_word(at, null_call[i]);
    opening->length = (size_t)(at - opening->octets);
}
