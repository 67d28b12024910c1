// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/nfs_data.h"

#include "rxe-harness/probe/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINK_SUFFIX ".link"
#define FIRST 100                   /* octets of each READ but the last */
#define TIMES 16                    /* a server of several threads may fail in some alone */
#define NOWHERE (UINT64_C(1) << 40) /* a place that no file has */
#define PORTION 65536               /* octets of a plain WRITE at most */
#define WRITES 64                   /* of one item at most, and one */
#define REPLY_ROOM 16384
#define BESIDE 1024 /* octets of a Reply at most beside the data */

static uint32_t seed_of(const struct probe_case *test_case)
{
    uint32_t seed = 0;
    for (const char *p = test_case->id; *p != '\0'; p++)
        seed = seed * 31 + (uint8_t)*p;
    return seed;
}

/* An octet of the file. They differ from case to case: what an earlier one left is not taken for
 * this one's. */
static uint8_t octet(uint32_t seed, size_t at)
{
    return (uint8_t)(seed + at * 7 + (at >> 8) * 13);
}

uint8_t *nfs_data_make(const struct probe_case *test_case, size_t size)
{
    uint8_t *data = malloc(size + 1);
    uint32_t seed = seed_of(test_case);
    for (size_t i = 0; data && i < size; i++)
        data[i] = octet(seed, i);
    return data;
}

struct requester_call nfs_data_shape(const struct probe_case *test_case)
{
    size_t room = test_case->room ? test_case->room : test_case->size;
    size_t all = (test_case->size + BESIDE) & ~(size_t)3;
    if (test_case->room)
        all = test_case->room;
    else if (all < REPLY_ROOM)
        all = REPLY_ROOM;
    return (struct requester_call){.read_segments = test_case->read_segments,
                                   .long_segments = test_case->long_segments,
                                   .write_segments = test_case->write_segments,
                                   .write_chunks = test_case->write_chunks,
                                   .write_room = room,
                                   .reply_segments = test_case->reply_segments,
                                   .one_handle = test_case->one_handle,
                                   .reply_room = all};
}

enum {
    PLACE = 512
}; /* octets by which a place in the file is recognized: 256 can be the same elsewhere */

/* How many octets of the item, from `at` on, are those of the file at `offset`. */
static uint32_t run_of(uint32_t seed, const struct nfs_item *item, uint32_t at, uint32_t offset)
{
    uint32_t count = 0;
    while (at + count < item->length &&
           item->octets[at + count] == octet(seed, (size_t)offset + count))
        count++;
    return count;
}

/* What is there in place of the octets that are wrong from `at` on, if it is of another place. */
static void name_place(uint32_t seed, const struct nfs_item *item, uint32_t at, char *text,
                       size_t size)
{
    uint32_t longest = PLACE - 1, from = 0;
    for (uint32_t offset = 0; offset < NFS_FAR + item->length; offset += 4) {
        uint32_t count = run_of(seed, item, at, offset);
        if (count > longest)
            longest = count, from = offset;
    }
    if (longest >= PLACE)
        snprintf(text, size, "; %u octets there are those of octet %u of the file", longest, from);
}

const char *nfs_data_compare(const struct probe_case *test_case, const struct nfs_item *item,
                             uint32_t offset, size_t size, char text[PROBE_TEXT])
{
    uint32_t seed = seed_of(test_case);
    /* Less is right as well, where it is not the end. */
    bool is_less = item->length < size && (item->length == 0 || item->eof);
    if (item->length > size || is_less) {
        snprintf(text, PROBE_TEXT, "READ of %zu octets brought %u", size, item->length);
        return text;
    }
    for (uint32_t i = 0; i < item->length; i++)
        if (item->octets[i] != octet(seed, offset + i)) {
            int end = snprintf(text, PROBE_TEXT, "octet %u of %u that READ brought is %u, not %u",
                               i, item->length, item->octets[i], octet(seed, offset + i));
            name_place(seed, item, i, text + end, PROBE_TEXT - (size_t)end);
            return text;
        }
    return NULL;
}

struct requester_call nfs_data_plain(size_t size, bool is_write)
{
    unsigned segments = size > NFS_SHORT ? 1 : 0;
    return (struct requester_call){.read_segments = is_write ? segments : 0,
                                   .write_segments = is_write ? 0 : segments,
                                   .write_room = size};
}

const char *nfs_data_write_all(struct probe *probe, const struct probe_case *test_case,
                               const struct requester_call *shape, size_t size,
                               nfs_data_writer *write, const void *arg, char text[PROBE_TEXT])
{
    uint8_t *data = nfs_data_make(test_case, size);
    const char *wrong = data ? NULL : "not enough memory";
    uint32_t at = 0, written = 0, most = shape ? (uint32_t)size : PORTION;
    for (unsigned writes = 0; wrong == NULL && (writes == 0 || at < size); writes++) {
        uint32_t left = (uint32_t)size - at;
        const struct nfs_data_part part = {data + at, at, left < most ? left : most};
        bool is_shaped = shape && writes == 0;
        written = 0;
        wrong = write(probe, arg, &part, is_shaped ? *shape : nfs_data_plain(part.length, true),
                      &written, text);
        bool is_less = wrong == NULL && written < part.length && written > 0;
        if (wrong == NULL && written != part.length && (!is_less || writes == WRITES)) {
            probe->run.current.inapplicable = is_less;
            snprintf(text, PROBE_TEXT, "WRITE of %u octets wrote %u", part.length, written);
            wrong = text;
        }
        at += written;
        most = PORTION;
    }
    free(data);
    return wrong;
}

static const char *make_by_xid(struct probe *probe, uint32_t xid, nfs_data_maker *make,
                               const void *arg, char text[PROBE_TEXT])
{
    uint32_t last = probe->requester->xid;
    probe->requester->xid = xid - 1;
    const char *wrong = make(probe, arg, text);
    probe->requester->xid = last;
    return wrong;
}

const char *nfs_data_again(struct probe *probe, unsigned places, nfs_data_maker *make,
                           const void *arg, char text[PROBE_TEXT])
{
    uint32_t xid = probe->requester->xid;
    const char *wrong = NULL;
    if (places & NFS_DATA_HERE)
        wrong = make_by_xid(probe, xid, make, arg, text);
    if (wrong || !(places & NFS_DATA_ELSEWHERE))
        return wrong;
    return probe_connect(probe) ? make_by_xid(probe, xid, make, arg, text)
                                : "no connection any more";
}

void nfs_data_name_link(const struct probe *probe, const struct probe_case *test_case,
                        struct nfs_data_link *names)
{
    const char *slash = strrchr(probe->options.nfs_file, '/');
    const char *base = slash ? slash + 1 : probe->options.nfs_file;
    names->folder = (size_t)(base - probe->options.nfs_file);
    snprintf(names->name, sizeof names->name, "%s" LINK_SUFFIX, base);
    uint32_t seed = seed_of(test_case);
    for (size_t i = 0; i < test_case->size; i++)
        names->target[i] = (char)('a' + octet(seed, i) % 26);
    names->target[test_case->size] = '\0';
}

/* ---- several READs in one COMPOUND ---- */

/* Each READ has the Write chunk of its number, as far as there are any; without one, or with an
 * empty one, its data come inline (RFC 8267 section 6.4.1). */

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
    const char *wrong = nfs_data_write(probe, test_case, NULL, all, text);
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
/* clang-format off */
const struct probe_case probe_nfs_reads_cases[] = {
    READS("nfs-read-twice",
          "NFSv4 READ of 100 octets and one of 4097 in one COMPOUND, a Write chunk for each"
          NFS_OR_REFUSED,
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
          "NFSv4: an empty Write chunk for the first of two READs, which comes inline" NFS_OR_REFUSED,
          300, .reads = 2, .rule = "rfc8267/6.4.1/inline-for-empty-chunk", .empty_chunks = 1),
    READS("nfs-read-thrice-second-chunk-empty",
          "NFSv4: an empty Write chunk between two others, for the second of three READs" NFS_OR_REFUSED,
          300, .reads = 3, .rule = "rfc8267/6.4.1/inline-for-empty-chunk", .empty_chunks = 2),
    READS("nfs-read-twice-first-brings-nothing",
          "NFSv4: the first of two READs is beyond the end, and its Write chunk comes back unused"
          NFS_OR_REFUSED,
          300, .reads = 2, .rule = "rfc8267/6.4.1/chunks-in-order", .room = 4096, .nothing_first = true),
    READS("nfs-read-beside-unused-chunk",
          "NFSv4 READ of 4097 octets with two Write chunks: the second one comes back unused"
          NFS_OR_REFUSED,
          4097, .rule = "rfc8267/6.4.1/matching-chunk-used", .write_chunks = 2),
    {.id = NULL},
};
/* clang-format on */
