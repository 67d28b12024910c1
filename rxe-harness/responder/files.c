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

/* ---- content ---- */

/* Spreads each bit over all: the finisher of splitmix64. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

uint32_t content_file(const void *name, size_t length)
{
    const uint8_t *octets = name;
    uint64_t word = length;
    for (size_t i = 0; i < length; i++)
        word = mix(word ^ octets[i]);
    return (uint32_t)word;
}

void content_fill(uint32_t edition, uint32_t file, uint64_t offset, uint8_t *octets, size_t length)
{
    uint64_t seed = mix((uint64_t)edition << 32 | file);
    for (size_t i = 0; i < length; i++) {
        uint64_t at = offset + i;
        octets[i] = (uint8_t)(mix(seed + at / 8) >> 8 * (at % 8));
    }
}
