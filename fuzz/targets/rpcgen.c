// SPDX-License-Identifier: BSD-3-Clause
/* Ask the codec that rpcgen made, within bounds. */
#include "fuzz/targets/rpcgen.h"

#include <rpcrdma/xdr.h>

#include <string.h>

/* Segments that it may reserve in vain: 64 KiB. */
#define COUNT_MAX 4096

struct rpcgen_place {
    const uint8_t *p, *end;
};

/* The next word; false at the end, where that decoder gives up too. */
static bool next(struct rpcgen_place *at, uint32_t *word)
{
    if (at->end - at->p < 4)
        return false;
    *word = rpcrdma_xdr_load32(at->p);
    at->p += 4;
    return true;
}

/* Goes on after a chunk; false where the decoder ends. *safe is cleared if it would reserve too
 * much before it does. */
static bool skip_chunk(struct rpcgen_place *at, bool *safe)
{
    uint32_t count;
    if (!next(at, &count))
        return false;
    if (count > (size_t)(at->end - at->p) / 16) {
        *safe = count <= COUNT_MAX;
        return false;
    }
    at->p += 16 * (size_t)count;
    return true;
}

bool rpcgen_is_safe(const uint8_t *octets, size_t length)
{
    struct rpcgen_place at = {octets, octets + length};
    uint32_t procedure, present;
    bool safe = true;
    if (length > RPCGEN_SIZE_MAX)
        return false;
    if (length < 16)
        return true;
    procedure = rpcrdma_xdr_load32(octets + 12);
    if (procedure > RDMA_MSGP)
        return true;
    at.p += procedure == RDMA_MSGP ? 24 : 16;
    if (at.p > at.end)
        return true;
    while (next(&at, &present) && present != 0) {
        if (at.end - at.p < 20)
            return true;
        at.p += 20;
    }
    while (next(&at, &present) && present != 0)
        if (!skip_chunk(&at, &safe))
            return safe;
    if (next(&at, &present) && present != 0)
        skip_chunk(&at, &safe);
    return safe;
}

ptrdiff_t rpcgen_decode(rdma_msg *message, const uint8_t *octets, size_t length)
{
    XDR xdr;
    memset(message, 0, sizeof *message);
    /* It does not write when it decodes. */
    xdrmem_create(&xdr, (char *)(uintptr_t)octets, (u_int)length, XDR_DECODE);
    return xdr_rdma_msg(&xdr, message) ? (ptrdiff_t)xdr_getpos(&xdr) : -1;
}

void rpcgen_free(rdma_msg *message)
{
    xdr_free((xdrproc_t)xdr_rdma_msg, message);
}
