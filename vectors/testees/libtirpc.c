// SPDX-License-Identifier: BSD-3-Clause
/*
 * A testee: a receiver that leaves everything but the procedure to what rpcgen makes of the XDR of
 * RFC 8166, on libtirpc. That accepts more than it should; the report shows what.
 *
 * Compile with the folder of rpcgen's rfc8166.h in the include path.
 */
#include "lines.h"

#include <rfc8166.h>

#define HEADER_MIN 28

static uint32_t word(const uint8_t *octets)
{
    return (uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 | (uint32_t)octets[2] << 8 |
           octets[3];
}

/* Octets of the header, or -1. */
static long decode(const uint8_t *octets, size_t length)
{
    XDR xdr;
    rdma_msg header;
    void *buffer = malloc(length); /* libtirpc wants it writable */
    if (buffer == NULL)
        return -1;
    memcpy(buffer, octets, length);
    memset(&header, 0, sizeof header);
    xdrmem_create(&xdr, buffer, (u_int)length, XDR_DECODE);
    long end = xdr_rdma_msg(&xdr, &header) ? (long)xdr_getpos(&xdr) : -1;
    xdr_destroy(&xdr);
    xdr_free((xdrproc_t)xdr_rdma_msg, (char *)&header);
    free(buffer);
    return end;
}

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    uint32_t procedure = length < 16 ? RDMA_DONE : word(octets + 12);
    bool is_error = procedure == RDMA_ERROR;
    if (procedure == RDMA_DONE || (is_error && !is_reply) || (!is_error && length < HEADER_MIN))
        return ANSWER_DISCARD;
    long end = procedure == RDMA_MSGP ? -1 : decode(octets, length);
    if (end < 0)
        return is_reply ? ANSWER_DISCARD : ANSWER_ERR_CHUNK;
    return end;
}

int main(void)
{
    return testee_main(judge);
}
