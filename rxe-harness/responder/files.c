// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/responder/files.h"

#include <stdlib.h>
#include <string.h>

/* False: there is no memory. */
static bool grow(struct files_store *store, uint32_t length)
{
    if (length <= store->length)
        return true;
    uint8_t *octets = realloc(store->octets, length);
    if (octets == NULL)
        return false;
    memset(octets + store->length, 0, length - store->length);
    store->octets = octets;
    store->length = length;
    return true;
}

uint32_t files_write(struct files_store *store, uint64_t offset,
                     const struct rpcrdma_xdr_opaque *data)
{
    if (offset > FILES_SIZE_MAX || data->length > FILES_SIZE_MAX - offset ||
        !grow(store, (uint32_t)offset + data->length))
        return FILES_FBIG;
    if (data->length > 0)
        memcpy(store->octets + offset, data->data, data->length);
    return FILES_OK;
}

bool files_is_link(const struct files_store *store, const struct rpcrdma_xdr_opaque *name)
{
    return name->length > 0 && name->length == store->name_length &&
           memcmp(name->data, store->name, name->length) == 0;
}

uint32_t files_make_link(struct files_store *store, const struct rpcrdma_xdr_opaque *name,
                         const struct rpcrdma_xdr_opaque *target)
{
    if (name->length > FILES_LINK_MAX || target->length > FILES_LINK_MAX)
        return FILES_NAMETOOLONG;
    if (name->length == 0 || store->name_length > 0)
        return FILES_EXIST;
    memcpy(store->name, name->data, store->name_length = name->length);
    if (target->length > 0)
        memcpy(store->target, target->data, target->length);
    store->target_length = target->length;
    return FILES_OK;
}

uint32_t files_remove(struct files_store *store, const struct rpcrdma_xdr_opaque *name)
{
    if (!files_is_link(store, name))
        return FILES_NOENT;
    store->name_length = 0;
    return FILES_OK;
}
