// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: messages of version 2 draft -07 against what rpcgen makes of the same XDR, prefix
 * and body by themselves. They agree on what is accepted and on its length, and what rpcgen's
 * decoder takes it writes again.
 */
#include "fuzz/fuzz.h"

#include "codec/tests/reference/reference.h"

#include <rpcrdma/message.h>

/* Octets of input with which its recursion, once for each entry of a list, stays within a small
 * stack. */
#define OCTETS_MAX 65536

/* Where its decoder goes on after a fault that ours finds: see oracle2_fuzz.c. */
static bool is_comparable(ptrdiff_t code)
{
    return code != RPCRDMA_XDR_E_PRESENCE && code != RPCRDMA_XDR_E_PAD &&
           code != RPCRDMA_XDR_E_COUNT;
}

/* Its XDR counts the first word of an RPC message to the header. */
static long length_of(const struct rpcrdma_message *message)
{
    bool has_word = message->kind == RPCRDMA_KIND_RPC && message->form != RPCRDMA_FORM_SPECIAL;
    return (long)message->header + (has_word ? 4 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma_message message;
    if (size > OCTETS_MAX)
        return 0;
    ptrdiff_t n = rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, data, size, NULL);
    if (!is_comparable(n))
        return 0;
    long theirs = reference_rpcrdma2_07(data, size);
    FUZZ_ASSERT(theirs == (n < 0 ? REFERENCE_REFUSES : length_of(&message)));
    return 0;
}
