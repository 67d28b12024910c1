// SPDX-License-Identifier: BSD-3-Clause
/* NFS version 3 against the reference Responder, in all ways that data can go. */
#include "rxe-harness/requester/nfs3_calls.h"

#include "conformance/base/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1048576u
#define ENTRIES 1000
#define FIRST_ID 100

static const char *const ways[NFS3_WAYS] = {"in the payload", "in a chunk",
                                            "in a chunk as a whole"};

static bool differs(struct nfs3_client *client, const char *what, uint32_t length)
{
    snprintf(client->error, sizeof client->error, "%s: what came back of %u octets is another",
             what, length);
    return false;
}

/* -04 has no pieces: what one Send does not hold cannot be in the payload. */
static bool can_go(const struct nfs3_client *client, enum nfs3_way way, uint32_t length)
{
    return way != NFS3_PAYLOAD || client->protocol != RPCRDMA_PROTOCOL_2_04 ||
           length <= SESSION_INLINE / 2;
}

static uint8_t octet_of(uint32_t length, unsigned round, uint32_t i)
{
    return (uint8_t)(i * 13 + i / 256 * 7 + length + round * 101);
}

/* Write so much by one way, and read it by all. */
static bool move(struct nfs3_client *client, const struct nfs3_handle *file, unsigned way,
                 uint32_t length, uint8_t *there, uint8_t *back)
{
    uint64_t offset = length % 5;
    for (uint32_t i = 0; i < length; i++)
        there[i] = octet_of(length, way, i);
    if (!can_go(client, (enum nfs3_way)way, length))
        return true;
    if (!nfs3_write(client, (enum nfs3_way)way, file, offset, there, length))
        return false;
    for (unsigned by = 0; by < NFS3_WAYS; by++) {
        if (!can_go(client, (enum nfs3_way)by, length))
            continue;
        memset(back, 0xee, length);
        if (!nfs3_read(client, (enum nfs3_way)by, file, offset, back, length))
            return false;
        if (memcmp(there, back, length) != 0)
            return differs(client, ways[by], length);
    }
    return true;
}

static bool move_all(struct nfs3_client *client, const struct nfs3_handle *file, uint32_t longest)
{
    static const uint32_t sizes[] = {0, 1, 3, 4, 1000, 2047, 4096, 5001, 65536, LONGEST};
    uint8_t *there = malloc(LONGEST), *back = malloc(LONGEST);
    bool good = there && back;
    for (size_t i = 0; good && i < COUNT(sizes) && sizes[i] <= longest; i++)
        for (unsigned way = 0; good && way < NFS3_WAYS; way++)
            good = move(client, file, way, sizes[i], there, back);
    free(there);
    free(back);
    return good;
}

static bool is_next(void *arg, const char *name, uint64_t id)
{
    unsigned *seen = arg;
    char expected[NFS3_NAME_MAX];
    snprintf(expected, sizeof expected, "entry %u of many", ++*seen);
    return strcmp(name, expected) == 0 && id == FIRST_ID + *seen;
}

static bool list(struct nfs3_client *client, const struct nfs3_handle *directory, enum nfs3_way way,
                 uint32_t count)
{
    unsigned seen = 0;
    uint64_t cookie = 0;
    bool last = false;
    for (unsigned calls = 0; !last && calls < ENTRIES; calls++)
        if (!nfs3_readdir(client, way, directory, &cookie, count, &last, is_next, &seen))
            return false;
    return seen == ENTRIES || differs(client, "READDIR", seen);
}

bool nfs3_exercise(struct nfs3_client *client, uint32_t longest)
{
    struct nfs3_handle file, directory;
    if (!nfs3_lookup(client, "written", &file) || !nfs3_lookup(client, "many", &directory))
        return false;
    if (!move_all(client, &file, longest))
        return false;
    /* No result of READDIR may leave the message by itself. */
    static const uint32_t counts[] = {2000, 8192, 65536};
    for (size_t i = 0; i < COUNT(counts) && counts[i] <= longest; i++)
        if ((can_go(client, NFS3_PAYLOAD, counts[i]) &&
             !list(client, &directory, NFS3_PAYLOAD, counts[i])) ||
            !list(client, &directory, NFS3_EXTERNAL, counts[i]))
            return false;
    return true;
}
