// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS Calls and Replies of all versions that bindings know, each with one item that can go by
 * chunk: 8 octets, so that it has no padding.
 */
#include "fuzz/mutators/mutator.h"
#include "conformance/base/count.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma1.h>

#include <string.h>

#define WORDS_MAX 48
#define ITEM_WORDS 2
#define HANDLE 0x77

/* Arguments or results. item: the word after the count of the item, or 0 where there is none. */
struct words {
    uint32_t count, item;
    uint32_t word[WORDS_MAX];
};

struct exchange {
    uint32_t program, version, procedure;
    struct words arguments, results;
};

#define FH3 4, 0xabcdabcd
#define FH2 1, 2, 3, 4, 5, 6, 7, 8
#define ITEM 0x61626364, 0x65666768
#define ATTRIBUTES2 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
#define STATEID 1, 2, 3, 4

static const struct exchange exchanges[] = {
    /* version 3: READ, WRITE, READLINK, SYMLINK; a READ that fails; NULL */
    {100003, 3, 6, {5, 0, {FH3, 0, 0, 8}}, {7, 5, {0, 0, 8, 1, 8, ITEM}}},
    {100003, 3, 7, {9, 7, {FH3, 0, 0, 8, 2, 8, ITEM}}, {7, 0, {0, 0, 0, 8, 2, 1, 2}}},
    {100003, 3, 5, {2, 0, {FH3}}, {5, 3, {0, 0, 8, ITEM}}},
    {100003, 3, 10, {13, 11, {FH3, 1, 0x61000000, 0, 0, 0, 0, 0, 0, 8, ITEM}}, {4, 0, {0}}},
    {100003, 3, 6, {5, 0, {FH3, 0, 0, 8}}, {2, 0, {5, 0}}},
    {100003, 3, 0, {0, 0, {0}}, {0, 0, {0}}},
    /* version 2 */
    {100003, 2, 6, {11, 0, {FH2, 0, 8, 8}}, {21, 19, {0, ATTRIBUTES2, 8, ITEM}}},
    {100003, 2, 8, {14, 12, {FH2, 0, 0, 8, 8, ITEM}}, {18, 0, {0, ATTRIBUTES2}}},
    {100003, 2, 5, {8, 0, {FH2}}, {4, 2, {0, 8, ITEM}}},
    {100003, 2, 13, {21, 11, {FH2, 1, 0x61000000, 8, ITEM, 1, 2, 3, 4, 5, 6, 7, 8}}, {1, 0, {0}}},
    /* version 4: PUTFH and READ, WRITE, READLINK, CREATE of a link */
    {100003,
     4,
     1,
     {13, 0, {0, 1, 2, 22, FH3, 25, STATEID, 0, 0}},
     {10, 8, {0, 0, 2, 22, 0, 25, 0, 1, 8, ITEM}}},
    {100003,
     4,
     1,
     {17, 15, {0, 1, 2, 22, FH3, 38, STATEID, 0, 0, 2, 8, ITEM}},
     {11, 0, {0, 0, 2, 22, 0, 38, 0, 8, 2, 1, 2}}},
    {100003, 4, 1, {7, 0, {0, 1, 2, 22, FH3, 27}}, {10, 8, {0, 0, 2, 22, 0, 27, 0, 8, ITEM}}},
    {100003,
     4,
     1,
     {15, 9, {0, 1, 2, 22, FH3, 6, 5, 8, ITEM, 1, 0x61000000, 0, 0}},
     {10, 0, {0, 0, 2, 22, 0, 6, 0, 0, 1, 2}}},
    /* NFSACL */
    {100227, 3, 0, {0, 0, {0}}, {0, 0, {0}}},
};

/* How one of them goes. */
struct way {
    uint32_t xid;
    bool reduced;  /* the argument in a Read chunk */
    bool offered;  /* a Write chunk */
    bool returned; /* the result in it */
    bool is_long;  /* the Call in a Position Zero Read chunk */
    bool has_gss;
    uint32_t gss_procedure, gss_service;
};

static size_t put(uint8_t *room, size_t at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 4)
        rpcrdma_xdr_store32(room + at, words[i]);
    return at;
}

/* Arguments or results, perhaps without the item. */
static size_t put_words(uint8_t *room, size_t at, const struct words *words, bool reduced)
{
    if (!reduced)
        return put(room, at, words->word, words->count);
    uint32_t behind = words->item + ITEM_WORDS;
    at = put(room, at, words->word, words->item);
    return put(room, at, words->word + behind, words->count - behind);
}

/* An RPC Call, or what is left of it. */
static size_t put_call(uint8_t *room, size_t at, const struct exchange *exchange,
                       const struct way *way)
{
    const uint32_t head[] = {way->xid,           0, 2, exchange->program, exchange->version,
                             exchange->procedure};
    const uint32_t gss[] = {6, 20, 1, way->gss_procedure, 9, way->gss_service, 0, 0, 0};
    const uint32_t none[] = {0, 0, 0, 0};
    at = put(room, at, head, sizeof head / 4);
    at = way->has_gss ? put(room, at, gss, sizeof gss / 4) : put(room, at, none, sizeof none / 4);
    return put_words(room, at, &exchange->arguments, way->reduced);
}

static size_t make_call(uint8_t *room, const struct exchange *exchange, const struct way *way,
                        size_t rpc_length)
{
    uint32_t before = way->has_gss ? 60 : 40;
    struct rpcrdma1_read_segment reads[2] = {
        {0, {HANDLE + 2, (uint32_t)rpc_length, 0x3000}},
        {before + 4 * exchange->arguments.item, {HANDLE, 4 * ITEM_WORDS, 0x1000}}};
    struct rpcrdma1_segment write = {HANDLE + 1, 64, 0x2000};
    struct rpcrdma1_write_chunk chunk = {{{.items = &write}, .count = 1}};
    struct rpcrdma1_header header = {way->xid, 1, 32, {.proc = RPCRDMA1_MSG}};
    if (way->is_long)
        header.rdma_body.proc = RPCRDMA1_NOMSG;
    header.rdma_body.rdma_msg = (struct rpcrdma1_chunk_lists){
        .rdma_reads = {{.items = way->is_long ? reads : reads + 1},
                       .count = (uint32_t)way->is_long + way->reduced},
        .rdma_writes = {{.items = &chunk}, .count = way->offered}};
    ptrdiff_t n = rpcrdma1_header_encode(room, EXCHANGE_MAX, &header, NULL);
    size_t at = n < 0 ? 0 : (size_t)n;
    return way->is_long ? at : put_call(room, at, exchange, way);
}

static size_t make_reply(uint8_t *room, const struct exchange *exchange, const struct way *way)
{
    struct rpcrdma1_segment write = {HANDLE + 1, way->returned ? 4 * ITEM_WORDS : 0, 0x2000};
    struct rpcrdma1_write_chunk chunk = {{{.items = &write}, .count = 1}};
    struct rpcrdma1_header header = {way->xid, 1, 32, {.proc = RPCRDMA1_MSG}};
    const uint32_t rpc[] = {way->xid, 1, 0, 0, 0, 0};
    header.rdma_body.rdma_msg =
        (struct rpcrdma1_chunk_lists){.rdma_writes = {{.items = &chunk}, .count = way->offered}};
    ptrdiff_t n = rpcrdma1_header_encode(room, EXCHANGE_MAX, &header, NULL);
    size_t at = put(room, n < 0 ? 0 : (size_t)n, rpc, sizeof rpc / 4);
    return put_words(room, at, &exchange->results, way->returned);
}

static struct way choose_way(const struct exchange *exchange, struct chance *chance)
{
    struct way way = {.xid = 0x1000 + chance_below(chance, 2)};
    way.reduced = exchange->arguments.item && chance_below(chance, 2);
    way.offered = chance_below(chance, 2);
    way.returned = exchange->results.item && way.offered && chance_below(chance, 2);
    way.is_long = chance_below(chance, 4) == 0;
    way.has_gss = chance_below(chance, 4) == 0;
    way.gss_procedure = chance_below(chance, 2);
    way.gss_service = 1 + chance_below(chance, 3);
    return way;
}

unsigned make_exchange(struct rpcrdma_event *events, uint8_t rooms[3][EXCHANGE_MAX],
                       struct chance *chance)
{
    const struct exchange *exchange = &exchanges[chance_below(chance, COUNT(exchanges))];
    struct way way = choose_way(exchange, chance);
    unsigned count = 1;
    size_t rpc = put_call(rooms[1], 0, exchange, &way);
    events[0] = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                       .from = RPCRDMA_CLIENT,
                                       .data = rooms[0],
                                       .length = make_call(rooms[0], exchange, &way, rpc)};
    if (way.is_long)
        events[count++] = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_READ,
                                                 .from = RPCRDMA_SERVER,
                                                 .data = rooms[1],
                                                 .length = rpc,
                                                 .handle = HANDLE + 2,
                                                 .offset = 0x3000};
    events[count++] = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                             .from = RPCRDMA_SERVER,
                                             .data = rooms[2],
                                             .length = make_reply(rooms[2], exchange, &way)};
    return count;
}
