// SPDX-License-Identifier: BSD-3-Clause
/*
 * One decoder, called in every way: any octets, any length, limits and error there or not. HEADER,
 * TYPE and LIMITS name it.
 */
#include HEADER

#include <__fc_builtin.h>

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define DECODE CAT(TYPE, _decode)
#define DECODE_COMPLETE CAT(TYPE, _decode_complete)

int main(void)
{
    struct TYPE view;
    struct rpcrdma_xdr_error error;
    struct LIMITS limits;
    size_t length = (size_t)Frama_C_interval(0, PROOF_LENGTH);
    const uint8_t *octets = proof_octets + (PROOF_LENGTH - length);
    size_t too_long = (size_t)2147483648 + (unsigned)any;
    ptrdiff_t n = 0;
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    Frama_C_make_unknown((char *)&limits, sizeof limits);
    switch (any) {
    case 0:
        n = DECODE(&view, octets, length, NULL, NULL);
        break;
    case 1:
        n = DECODE(&view, octets, length, NULL, &error);
        break;
    case 2:
        n = DECODE(&view, octets, length, &limits, NULL);
        break;
    case 3:
        n = DECODE(&view, octets, length, &limits, &error);
        break;
    case 4:
        n = DECODE(&view, octets, too_long, any ? &limits : NULL, &error);
        break;
    case 5:
        n = DECODE(&view, NULL, 0, any ? &limits : NULL, &error);
        break;
    case 6:
        n = DECODE_COMPLETE(&view, octets, length, NULL, NULL);
        break;
    default:
        n = DECODE_COMPLETE(&view, octets, length, &limits, &error);
    }
    return n < 0;
}
