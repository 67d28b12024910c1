// SPDX-License-Identifier: BSD-3-Clause
/*
 * One decoder of objects without the items that a reduction took out: any octets, any length, any
 * reduction. HEADER and TYPE name it.
 */
#include HEADER

#include <__fc_builtin.h>

enum { HOLES = 8 };

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

int main(void)
{
    struct TYPE view;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_hole holes[HOLES];
    struct rpcrdma_xdr_reduction reduction = {
        .holes = holes,
        .hole_count = (uint32_t)Frama_C_interval(0, HOLES),
        .before = (uint64_t)(unsigned)any,
        .next_item = any != 0,
    };
    size_t length = (size_t)Frama_C_interval(0, PROOF_LENGTH);
    const uint8_t *octets = proof_octets + (PROOF_LENGTH - length);
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    for (int i = 0; i < HOLES; i++) {
        holes[i].position = (uint64_t)(unsigned)any;
        holes[i].length = (uint64_t)(unsigned)any;
        holes[i].taken = any != 0;
        holes[i].count = (uint32_t)any;
    }
    return CAT(TYPE, _decode_reduced)(&view, octets, length, &reduction, any ? &error : NULL) < 0;
}
