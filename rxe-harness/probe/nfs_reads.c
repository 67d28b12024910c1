// SPDX-License-Identifier: BSD-3-Clause
/*
 * Several READs in one COMPOUND: each has the Write chunk of its number, as far as there are any;
 * without one, or with an empty one, its data come inline (RFC 8267 section 6.4.1).
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"

#include <stdio.h>

#define FIRST 100                   /* octets of each READ but the last */
#define TIMES 16                    /* a server of several threads may fail in some alone */
#define NOWHERE (UINT64_C(1) << 40) /* a place that no file has */

static unsigned reads_of(const struct probe_case *test_case)
{
    return test_case->reads > 0 ? test_case->reads : 1;
}

static size_t size_of(const struct probe_case *test_case, unsigned number)
{
    return number + 1 < reads_of(test_case) ? FIRST : test_case->size;
}

static bool is_nothing(const struct probe_case *test_case, unsigned number)
{
    return number == 0 && test_case->nothing_first;
}

/* What one of them brought; beyond the end that is nothing. */
static const char *compare(const struct probe_case *test_case, const struct nfs_item *item,
                           unsigned number, char text[PROBE_TEXT])
{
    char what[PROBE_TEXT];
    const char *wrong = NULL;
    if (!is_nothing(test_case, number))
        wrong =
            nfs_data_compare(test_case, item, number * NFS_FAR, size_of(test_case, number), what);
    else if (item->length > 0)
        wrong = "READ beyond the end brought octets";
    if (wrong == NULL || reads_of(test_case) == 1)
        return wrong == what ? snprintf(text, PROBE_TEXT, "%s", what), text : wrong;
    snprintf(text, PROBE_TEXT, "READ %u of %u: %.200s", number + 1, reads_of(test_case), wrong);
    return text;
}

/* Whether this is no fault, though not what was asked for: no server has to take more than one
 * Write chunk (section 6.4.2); where there is too little room it can refuse, or NFS can. */
static bool is_refusal(const struct requester_call *shape, size_t size,
                       const struct probe_exchange *exchange)
{
    unsigned outcome = exchange->reply.outcome;
    bool is_short = shape->write_segments > 0 && shape->write_room < size;
    if (shape->write_chunks > 1 && (outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS)))
        return true;
    return is_short && (outcome == RPCRDMA_ERR_CHUNK ||
                        (outcome == RPCRDMA_PROCESS && exchange->results.wrong[0] == '\0' &&
                         exchange->results.status != NFS_NFS4_OK));
}

const char *nfs_data_read(struct probe *probe, const struct probe_case *test_case,
                          struct requester_call shape, char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    unsigned reads = reads_of(test_case);
    nfs_data_at_file(probe, &compound);
    for (unsigned i = 0; i < reads; i++)
        nfs_read(&compound, is_nothing(test_case, i) ? NOWHERE : (uint64_t)i * NFS_FAR,
                 (uint32_t)size_of(test_case, i));
    shape.write_chunks = shape.write_segments == 0 ? 0
                         : test_case->write_chunks ? test_case->write_chunks
                                                   : reads;
    shape.empty_chunks = test_case->empty_chunks;
    const char *wrong = exchange_call(probe, &compound, shape, NFS_NFS4_OK, &exchange, text);
    bool refused = wrong && is_refusal(&shape, test_case->size, &exchange);
    unsigned came = exchange.results.item_count;
    if (refused)
        wrong = NULL;
    else if (wrong == NULL && came != reads)
        wrong = "another number of items than of READs";
    for (unsigned i = 0; wrong == NULL && i < came && i < reads; i++)
        wrong = compare(test_case, &exchange.results.items[i], i, text);
    exchange_end(probe, &exchange);
    return wrong;
}

static const char *read_several(struct probe *probe, const struct probe_case *test_case,
                                char text[PROBE_TEXT])
{
    size_t all = (reads_of(test_case) - 1) * NFS_FAR + test_case->size;
    const char *wrong = nfs_data_write(probe, test_case, nfs_data_plain(all, true), all, text);
    for (int i = 0; i < TIMES && wrong == NULL; i++)
        wrong = nfs_data_read(probe, test_case, nfs_data_shape(test_case), text);
    return wrong;
}

#define READS(name, text, octets, ...)                                                             \
    {                                                                                              \
        .id = name, .comment = text, .run = read_several, .ending = ENDING_WRONG,                  \
        .needs_file = true, .procedure = NFS_OP_READ, .size = octets, .write_segments = 2,         \
        __VA_ARGS__                                                                                \
    }
#define OR_REFUSED "; or ERR_CHUNK or GARBAGE_ARGS, if that is more than the server takes."

/* clang-format off */
const struct probe_case probe_nfs_reads_cases[] = {
    READS("nfs-read-twice",
          "NFSv4 READ of 100 octets and one of 4097 in one COMPOUND, a Write chunk for each"
          OR_REFUSED,
          4097, .reads = 2, .rule = "rfc8267/6.4.1/chunks-in-order"),
    READS("nfs-read-twice-second-chunk-too-small",
          "NFSv4: the same, but the second Write chunk is one octet too short: ERR_CHUNK, "
          "GARBAGE_ARGS, fewer octets, or a status of NFS.",
          4097, .reads = 2, .rule = "rfc8166/4.5.3/within-offered-memory", .room = 4096,
          .hazard = "chunk-too-short"),
    READS("nfs-read-twice-one-chunk",
          "NFSv4 READ of 100 octets and one of 300 in one COMPOUND: the first one has a Write chunk, "
          "the second one comes inline.",
          300, .reads = 2, .rule = "rfc8267/6.4.1/surplus-inline", .write_chunks = 1),
    READS("nfs-read-twice-first-chunk-empty",
          "NFSv4: an empty Write chunk for the first of two READs, which comes inline" OR_REFUSED,
          300, .reads = 2, .rule = "rfc8267/6.4.1/inline-for-empty-chunk", .empty_chunks = 1),
    READS("nfs-read-thrice-second-chunk-empty",
          "NFSv4: an empty Write chunk between two others, for the second of three READs" OR_REFUSED,
          300, .reads = 3, .rule = "rfc8267/6.4.1/inline-for-empty-chunk", .empty_chunks = 2),
    READS("nfs-read-twice-first-brings-nothing",
          "NFSv4: the first of two READs is beyond the end, and its Write chunk comes back unused"
          OR_REFUSED,
          300, .reads = 2, .rule = "rfc8267/6.4.1/chunks-in-order", .room = 4096, .nothing_first = true),
    READS("nfs-read-beside-unused-chunk",
          "NFSv4 READ of 4097 octets with two Write chunks: the second one comes back unused"
          OR_REFUSED,
          4097, .rule = "rfc8267/6.4.1/matching-chunk-used", .write_chunks = 2),
    {.id = NULL},
};
/* clang-format on */
