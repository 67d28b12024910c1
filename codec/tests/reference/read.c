// SPDX-License-Identifier: BSD-3-Clause
/* An XDR object read by libtirpc, and written again. */
#include "codec/tests/reference/reference.h"

#include <rpc/rpc.h>
#include <stdlib.h>
#include <string.h>

/* xdrmem takes memory that it may write to, and here only reads it. */
static char *copy_of(const void *octets, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy && length > 0)
        memcpy(copy, octets, length);
    return copy;
}

long reference_read(void (*function)(void), size_t size, const void *octets, size_t length)
{
    xdrproc_t xdr_value = (xdrproc_t)function;
    char *copy = copy_of(octets, length), *again = malloc(length + 1);
    void *value = calloc(1, size);
    XDR xdr;
    long taken = REFERENCE_REFUSES;
    if (copy && again && value) {
        xdrmem_create(&xdr, copy, (u_int)length, XDR_DECODE);
        if (xdr_value(&xdr, value))
            taken = (long)xdr_getpos(&xdr);
        xdrmem_create(&xdr, again, (u_int)length, XDR_ENCODE);
        if (taken >= 0 && (!xdr_value(&xdr, value) || (long)xdr_getpos(&xdr) != taken ||
                           memcmp(again, octets, (size_t)taken) != 0))
            taken = REFERENCE_DIFFERS;
        xdr_free(xdr_value, value);
    }
    free(value);
    free(again);
    free(copy);
    return taken;
}
