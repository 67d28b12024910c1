// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of NFS: by version 4.0 where the peer has it, else in a session, else by version 3
 * (nfs3.c): operations whose items may be in chunks (RFC 8267 section 6), and some whose may not.
 * What is right in the lists the checker says, by the binding; here the contents and the statuses
 * are looked at. Only the file that was named is written, and a link beside it.
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"
#include "rxe-harness/probe/probe.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

#define MINOR_MAX 2 /* versions 4.1 and 4.2 */

static const struct requester_call all_inline;

/* ---- the file ---- */

void nfs_data_at_file(const struct probe *probe, struct nfs_compound *compound)
{
    nfs_begin(compound);
    nfs_lookup(compound, probe->options.nfs_file, strlen(probe->options.nfs_file));
}

void nfs_data_file_missing(struct probe *probe, const char *wrong)
{
    static const uint32_t says[] = {NFS_NFS4ERR_NOENT, NFS_NFS4ERR_NOTDIR,  NFS_NFS4ERR_ISDIR,
                                    NFS_NFS4ERR_INVAL, NFS_NFS4ERR_SYMLINK, NFS_NFS4ERR_WRONG_TYPE};
    for (size_t i = 0; i < COUNT(says); i++)
        if (probe->run.current.status == says[i])
            snprintf(probe->peer.no_file, sizeof probe->peer.no_file,
                     "the peer has no regular file '%s' (--nfs-file): %.100s",
                     probe->options.nfs_file, wrong);
}

void probe_find_file(struct probe *probe)
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    char text[PROBE_TEXT];
    const char *wrong = NULL;
    bool is_by_version3 = !probe->peer.has_nfs && probe->peer.nfs3.usable;
    if (probe->options.nfs_file == NULL || !(probe->peer.has_nfs || is_by_version3) ||
        !probe_connect(probe))
        return;
    if (is_by_version3) {
        wrong = probe_nfs3_read_first(probe, text);
    } else {
        nfs_data_at_file(probe, &compound);
        nfs_read(&compound, 0, 1);
        wrong = exchange_call(probe, &compound, all_inline, NFS_NFS4_OK, &exchange, text);
        exchange_end(probe, &exchange);
        exchange_leave(probe);
    }
    if (wrong)
        nfs_data_file_missing(probe, wrong);
    probe_disconnect(probe);
    if (probe->against == NULL || probe->peer.no_file[0] != '\0')
        return;
    probe_find_file(probe->against); /* what one of the two lacks is asked of neither */
    if (probe->against->peer.no_file[0] != '\0')
        snprintf(probe->peer.no_file, sizeof probe->peer.no_file, "of --against, %.360s",
                 probe->against->peer.no_file);
}

static const char *write_part(struct probe *probe, const void *arg,
                              const struct nfs_data_part *part, struct requester_call shape,
                              uint32_t *written, char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    (void)arg;
    nfs_data_at_file(probe, &compound);
    nfs_write(&compound, part->at, part->octets, part->length);
    const char *wrong = exchange_call(probe, &compound, shape, NFS_NFS4_OK, &exchange, text);
    *written = exchange.results.written;
    exchange_end(probe, &exchange);
    return wrong;
}

const char *nfs_data_write(struct probe *probe, const struct probe_case *test_case,
                           const struct requester_call *shape, size_t size, char text[PROBE_TEXT])
{
    return nfs_data_write_all(probe, test_case, shape, size, write_part, NULL, text);
}

/* There is no room for what is asked: ERR_CHUNK, so much less that it fits, or NFS says no. */
static const char *read_too_much(struct probe *probe, const struct probe_case *test_case,
                                 char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    struct requester_call shape = nfs_data_shape(test_case);
    const char *wrong = nfs_data_write(probe, test_case, NULL, test_case->size, text);
    if (wrong)
        return wrong;
    nfs_data_at_file(probe, &compound);
    nfs_read(&compound, 0, (uint32_t)test_case->size);
    wrong = exchange_call(probe, &compound, shape, NFS_NFS4_OK, &exchange, text);
    const struct nfs_item *item = &exchange.results.items[0];
    bool refused = exchange.reply.outcome == RPCRDMA_PROCESS && exchange.results.wrong[0] == '\0' &&
                   exchange.results.status != NFS_NFS4_OK;
    if (exchange.reply.outcome == RPCRDMA_ERR_CHUNK || refused)
        wrong = NULL;
    else if (wrong == NULL && exchange.results.item_count != 1)
        wrong = "another number of items than of READs";
    else if (wrong == NULL)
        wrong = nfs_data_compare(test_case, item, 0, test_case->size, text);
    exchange_end(probe, &exchange);
    return wrong;
}

const char *probe_nfs_read(struct probe *probe, const struct probe_case *test_case,
                           char text[PROBE_TEXT])
{
    const char *wrong = nfs_data_write(probe, test_case, NULL, test_case->size, text);
    return wrong ? wrong : nfs_data_read(probe, test_case, nfs_data_shape(test_case), text);
}

/* A READ that fails says nothing of the WRITE before: another one has the last word, in another way
 * where there is one. */
static const char *read_back(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    struct requester_call inlined = all_inline, chunk = all_inline;
    chunk.write_segments = 1;
    chunk.write_room = test_case->size;
    bool is_short = test_case->size <= NFS_SHORT;
    const char *wrong = nfs_data_read(probe, test_case, is_short ? inlined : chunk, text);
    if (wrong == NULL || requester_gone(probe->requester))
        return wrong;
    probe->run.current.inapplicable = false;
    return nfs_data_read(probe, test_case, chunk, text);
}

const char *probe_nfs_write(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    struct requester_call shape = nfs_data_shape(test_case);
    const char *wrong = nfs_data_write(probe, test_case, &shape, test_case->size, text);
    return wrong ? wrong : read_back(probe, test_case, text);
}

/* ---- links ---- */

static void at_folder(const struct probe *probe, const struct nfs_data_link *names,
                      struct nfs_compound *compound)
{
    nfs_begin(compound);
    nfs_lookup(compound, probe->options.nfs_file, names->folder);
}

static const char *remove_link(struct probe *probe, const struct nfs_data_link *names,
                               uint32_t status, char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    at_folder(probe, names, &compound);
    nfs_remove(&compound, names->name);
    const char *wrong = exchange_call(probe, &compound, all_inline, status, &exchange, text);
    exchange_end(probe, &exchange);
    return wrong;
}

struct link_call {
    const struct nfs_data_link *names;
    struct requester_call shape;
    bool may_exist; /* the link: a server need not remember that it has made it */
};

static const char *create_link(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct link_call *call = arg;
    struct nfs_compound compound;
    struct probe_exchange exchange;
    at_folder(probe, call->names, &compound);
    nfs_create_link(&compound, call->names->name, call->names->target);
    const char *wrong = exchange_call(probe, &compound, call->shape, NFS_NFS4_OK, &exchange, text);
    if (wrong && call->may_exist && exchange.results.status == NFS_NFS4ERR_EXIST) {
        probe->run.current.inapplicable = false;
        wrong = NULL;
    }
    exchange_end(probe, &exchange);
    return wrong;
}

static const char *read_link(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct link_call *call = arg;
    const struct nfs_data_link *names = call->names;
    struct nfs_compound compound;
    struct probe_exchange exchange;
    size_t length = strlen(names->target);
    at_folder(probe, names, &compound);
    nfs_lookup(&compound, names->name, strlen(names->name));
    nfs_readlink(&compound);
    const char *wrong = exchange_call(probe, &compound, call->shape, NFS_NFS4_OK, &exchange, text);
    const struct nfs_item *item = &exchange.results.items[0];
    if (wrong == NULL && (exchange.results.item_count != 1 || item->length != length ||
                          memcmp(item->octets, names->target, length) != 0)) {
        snprintf(text, PROBE_TEXT, "READLINK brings %u octets that are not the %zu of the link",
                 item->length, length);
        wrong = text;
    }
    exchange_end(probe, &exchange);
    return wrong;
}

/* In a session it is the slot that tells a Call that comes again. */
static bool is_told_by_slot(struct probe *probe, const struct probe_case *test_case)
{
    bool told = test_case->again && probe->peer.minor > 0;
    probe->run.current.inapplicable = probe->run.current.inapplicable || told;
    return told;
}
static const char told_by_slot[] = "the peer has sessions alone, which know a Call by its slot";

/* A link is created and read: the one or the other by chunks, and perhaps twice. */
static const char *use_link(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    struct nfs_data_link names;
    bool creates = test_case->procedure == NFS_OP_CREATE;
    if (is_told_by_slot(probe, test_case))
        return told_by_slot;
    nfs_data_name_link(probe, test_case, &names);
    remove_link(probe, &names, NFS_NFS4_OK, text); /* one that was left over */
    probe->run.current.inapplicable = false;
    struct link_call create = {&names, creates ? nfs_data_shape(test_case) : all_inline, false},
                     read = {&names, creates ? all_inline : nfs_data_shape(test_case), false};
    const char *wrong = create_link(probe, &create, text);
    if (wrong)
        return wrong;
    create.may_exist = true;
    if (test_case->again && creates)
        wrong = nfs_data_again(probe, NFS_DATA_ELSEWHERE, create_link, &create, text);
    if (wrong == NULL)
        wrong = read_link(probe, &read, text);
    if (wrong == NULL && test_case->again && !creates)
        wrong = nfs_data_again(probe, NFS_DATA_ELSEWHERE, read_link, &read, text);
    if (wrong == NULL)
        return remove_link(probe, &names, NFS_NFS4_OK, text);
    char ignored[PROBE_TEXT];
    bool inapplicable = probe->run.current.inapplicable;
    remove_link(probe, &names, NFS_NFS4_OK, ignored);
    probe->run.current.inapplicable = inapplicable;
    return wrong;
}

/* ---- what needs no file ---- */

/* READ of a folder fails, and its chunk comes back with nothing in it. */
static const char *read_folder(struct probe *probe, const struct probe_case *test_case,
                               char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    nfs_begin(&compound);
    nfs_read(&compound, 0, (uint32_t)test_case->size);
    const char *wrong = exchange_call(probe, &compound, nfs_data_shape(test_case),
                                      NFS_NFS4ERR_ISDIR, &exchange, text);
    if (wrong && exchange.results.status != NFS_NFS4_OK && exchange.results.wrong[0] == '\0' &&
        exchange.results.count == 2)
        wrong = NULL; /* fails for another reason */
    if (wrong == NULL && (exchange.reply.chunks != 1 || exchange.reply.chunk_lengths[0] != 0)) {
        snprintf(text, PROBE_TEXT, "%u Write chunks came back, the first of %zu octets",
                 exchange.reply.chunks, exchange.reply.chunk_lengths[0]);
        wrong = text;
    }
    probe->run.current.inapplicable = probe->run.current.inapplicable && wrong != NULL;
    exchange_end(probe, &exchange);
    return wrong;
}

/* Results that are not eligible: inline or in the Reply chunk, never in a Write chunk. */
static const char *list(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct probe_case *test_case = arg;
    struct nfs_compound compound;
    struct probe_exchange exchange;
    nfs_begin(&compound);
    for (size_t i = 0; test_case->procedure == NFS_OP_GETATTR && i < test_case->size; i++)
        nfs_getattr(&compound);
    if (test_case->procedure == NFS_OP_READDIR)
        nfs_readdir(&compound, (uint32_t)test_case->size);
    struct requester_call shape = nfs_data_shape(test_case);
    shape.write_room = test_case->write_segments > 0 ? 4096 : 0;
    const char *wrong = exchange_call(probe, &compound, shape, NFS_NFS4_OK, &exchange, text);
    if (wrong == NULL && exchange.reply.in_chunk) {
        snprintf(text, PROBE_TEXT, "%zu octets came in the Write chunk",
                 exchange.reply.item_length);
        wrong = text;
    }
    if (wrong == NULL && exchange.results.count != compound.count) {
        snprintf(text, PROBE_TEXT, "%u results of %u operations", exchange.results.count,
                 compound.count);
        wrong = text;
    }
    exchange_end(probe, &exchange);
    return wrong;
}

static const char *not_eligible(struct probe *probe, const struct probe_case *test_case,
                                char text[PROBE_TEXT])
{
    if (is_told_by_slot(probe, test_case))
        return told_by_slot;
    const char *wrong = list(probe, test_case, text);
    return wrong || !test_case->again
               ? wrong
               : nfs_data_again(probe, NFS_DATA_ELSEWHERE, list, test_case, text);
}

/* One octet less than the Reply takes, which is asked for once with room for all of it; 0: it was
 * not in the Reply chunk. */
static size_t almost_enough(struct probe *probe, const struct nfs_compound *compound,
                            struct requester_call shape, char text[PROBE_TEXT])
{
    struct probe_exchange exchange;
    const char *wrong = exchange_call(probe, compound, shape, NFS_NFS4_OK, &exchange, text);
    const struct requester_reply *reply = &exchange.reply;
    size_t octets = wrong == NULL && reply->is_long
                        ? (size_t)(reply->results - exchange.pending.reply) + reply->results_length
                        : 1;
    exchange_end(probe, &exchange);
    return octets - 1;
}

/* More attributes than fit: ERR_CHUNK, or NFS says that it cannot. */
static const char *too_many_attributes(struct probe *probe, const struct probe_case *test_case,
                                       char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    struct requester_call shape = nfs_data_shape(test_case);
    nfs_begin(&compound);
    for (size_t i = 0; i < test_case->size; i++)
        nfs_getattr(&compound);
    if (test_case->reply_segments > 0 && test_case->room == 0) {
        shape.reply_room = almost_enough(probe, &compound, shape, text);
        probe->run.current.inapplicable = shape.reply_room == 0;
        if (shape.reply_room == 0)
            return "with room for all of them the Reply is not in the Reply chunk";
    }
    const char *wrong =
        exchange_call(probe, &compound, shape, NFS_NFS4ERR_RESOURCE, &exchange, text);
    unsigned outcome = exchange.reply.outcome;
    bool refused = outcome == RPCRDMA_PROCESS && exchange.results.wrong[0] == '\0' &&
                   exchange.results.status != NFS_NFS4_OK;
    if (outcome == RPCRDMA_ERR_CHUNK || refused)
        wrong = NULL;
    probe->run.current.inapplicable = false;
    exchange_end(probe, &exchange);
    return wrong;
}

bool probe_find_nfs(struct probe *probe)
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    char text[PROBE_TEXT];
    nfs_begin(&compound);
    probe->peer.minor = 0;
    bool found = exchange_call(probe, &compound, all_inline, NFS_NFS4_OK, &exchange, text) == NULL;
    bool is_later = !found && exchange.results.status == NFS_NFS4ERR_MINOR_VERS_MISMATCH;
    exchange_end(probe, &exchange);
    for (uint32_t minor = 1; is_later && !found && minor <= MINOR_MAX; minor++) {
        probe->peer.minor = minor;
        found = exchange_call(probe, &compound, all_inline, NFS_NFS4_OK, &exchange, text) == NULL;
        exchange_end(probe, &exchange);
        exchange_leave(probe);
    }
    return found;
}

/* ---- the cases ---- */

/* ---- what is not eligible ---- */

/* The name of a LOOKUP in a Read chunk: the Call is refused, whatever the name is. */
static const char *lookup_by_chunk(struct probe *probe, const struct probe_case *test_case,
                                   char text[PROBE_TEXT])
{
    char name[256];
    struct nfs_compound compound;
    struct probe_exchange exchange = {.reply.text = "a Send that failed"};
    struct requester_call shape = {.read_segments = test_case->read_segments, .as_root = true};
    memset(name, 'x', test_case->size);
    nfs_begin(&compound);
    nfs_lookup(&compound, name, test_case->size);
    const char *wrong = exchange_dress(probe, &compound, text);
    if (wrong)
        return wrong;
    exchange.args = nfs_encode(&compound, &shape);
    if (exchange.args == NULL)
        return "the Call cannot be encoded";
    shape.item_at = shape.args_length - test_case->size; /* of four octets' multiple: no padding */
    shape.item_length = test_case->size;
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = NFS_VERSION;
    if (requester_begin(probe->requester, &shape, &exchange.pending))
        requester_finish(probe->requester, &exchange.pending, probe->options.timeout,
                         &exchange.reply);
    snprintf(text, PROBE_TEXT, "%s", exchange.reply.text);
    exchange_end(probe, &exchange);
    return exchange.reply.outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS) ? NULL : text;
}

#define READ(octets, segments)                                                                     \
    {                                                                                              \
        .id = "nfs-read-" #octets "-in-" #segments,                                                \
        .comment =                                                                                 \
            PROBE_SEGMENTS("NFS READ of " #octets " octets into a Write chunk of ", segments),     \
        .rule = "rfc8267/6.4.1/matching-chunk-used", .run = probe_nfs_read,                        \
        .run3 = probe_nfs3_read, .ending = ENDING_WRONG, .needs_file = true,                       \
        .procedure = NFS_OP_READ, .size = octets, .write_segments = segments                       \
    }
#define READ_ROOM(octets, segments, octets_of_room)                                                \
    {                                                                                              \
        .id = "nfs-read-" #octets "-in-" #segments "-of-" #octets_of_room,                         \
        .comment = PROBE_SEGMENTS("NFS READ of " #octets                                           \
                                  " octets into a Write chunk of " #octets_of_room " octets in ",  \
                                  segments),                                                       \
        .rule = "rfc8166/3.4.6/filled-in-order", .run = probe_nfs_read, .run3 = probe_nfs3_read,   \
        .ending = ENDING_WRONG, .needs_file = true, .procedure = NFS_OP_READ, .size = octets,      \
        .room = octets_of_room, .write_segments = segments                                         \
    }
#define WRITE(octets, segments)                                                                    \
    {                                                                                              \
        .id = "nfs-write-" #octets "-in-" #segments,                                               \
        .comment =                                                                                 \
            PROBE_SEGMENTS("NFS WRITE of " #octets " octets out of a Read chunk of ", segments),   \
        .rule = "rfc8166/3.5.2/arguments-fetched", .run = probe_nfs_write,                         \
        .run3 = probe_nfs3_write, .ending = ENDING_WRONG, .needs_file = true,                      \
        .procedure = NFS_OP_WRITE, .size = octets, .read_segments = segments                       \
    }
#define LONG_WRITE(octets, segments)                                                               \
    {                                                                                              \
        .id = "nfs-long-write-" #octets "-in-" #segments,                                          \
        .comment = PROBE_SEGMENTS("NFS WRITE of " #octets                                          \
                                  " octets, all of the Call in a Position Zero Read chunk of ",    \
                                  segments),                                                       \
        .rule = "rfc8166/3.5.3/long-call-at-position-zero", .run = probe_nfs_write,                \
        .run3 = probe_nfs3_write, .ending = ENDING_WRONG, .needs_file = true,                      \
        .procedure = NFS_OP_WRITE, .size = octets, .long_segments = segments                       \
    }
#define LINK(name, text, operation, octets, ...)                                                   \
    {                                                                                              \
        .id = name, .comment = text, .run = use_link, .run3 = probe_nfs3_link,                     \
        .ending = ENDING_WRONG, .needs_file = true, .procedure = operation, .size = octets,        \
        __VA_ARGS__                                                                                \
    }
#define BESIDE(name, text, operation, octets, ...)                                                 \
    {                                                                                              \
        .id = name, .comment = text, .run = not_eligible, .ending = ENDING_WRONG,                  \
        .needs_nfs = true, .procedure = operation, .size = octets, __VA_ARGS__                     \
    }

/* clang-format off */
const struct probe_case probe_nfs_cases[] = {
    READ(1, 1), READ(3, 1), READ(3, 2), READ(4, 1), READ(4, 2), READ(4097, 1), READ(4097, 2),
    READ(4097, 5), READ(65536, 1), READ(65536, 2), READ(65536, 5),
    READ_ROOM(1, 1, 4096), READ_ROOM(1, 5, 4096), READ_ROOM(3, 2, 100), READ_ROOM(4, 5, 1000),
    READ_ROOM(4097, 1, 8192), READ_ROOM(4097, 5, 20000), READ_ROOM(65536, 2, 131072),
    {.id = "nfs-read-4099-in-5-of-one-handle",
     .comment = "NFS READ of 4099 octets into a Write chunk of 5 segments that have one handle.",
     .rule = "rfc8267/6.4.1/matching-chunk-used", .run = probe_nfs_read, .run3 = probe_nfs3_read, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_READ, .size = 4099, .write_segments = 5, .one_handle = true},
    {.id = "nfs-read-64-inline", .comment = "NFS READ of 64 octets without chunks.",
     .rule = "rfc8267/6.4.1/no-list-means-inline", .run = probe_nfs_read, .run3 = probe_nfs3_read, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_READ, .size = 64},
    {.id = "nfs-read-8192-inline",
     .comment = "NFS READ of 8192 octets without a chunk to put them into: ERR_CHUNK, fewer "
                "octets, or a status of NFS.",
     .hazard = "results-too-long", .rule = "rfc8166/4.5.3/within-offered-memory", .run = read_too_much, .run3 = probe_nfs3_read, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_READ, .size = 8192},
    {.id = "nfs-read-8192-in-2-of-1000",
     .comment = "NFS READ of 8192 octets into a Write chunk of 1000: ERR_CHUNK, fewer "
                "octets, or a status of NFS.",
     .hazard = "chunk-too-short", .rule = "rfc8166/4.5.3/within-offered-memory", .run = read_too_much, .run3 = probe_nfs3_read, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_READ, .size = 8192, .write_segments = 2,
     .room = 1000},
    {.id = "nfs-read-4097-in-2-of-4096",
     .comment = "NFS READ of 4097 octets into a Write chunk that is one octet too short: ERR_CHUNK, "
                "fewer octets, or a status of NFS.",
     .hazard = "chunk-too-short", .rule = "rfc8166/4.5.3/within-offered-memory", .run = read_too_much, .run3 = probe_nfs3_read, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_READ, .size = 4097, .write_segments = 2,
     .room = 4096},
    {.id = "nfs-getattr-reply-chunk-too-small",
     .comment = "NFSv4 GETATTR, 36 of them in one COMPOUND, with a Reply chunk of 400 octets: "
                "ERR_CHUNK, or a status of NFS.",
     .rule = "rfc8166/4.5.3/within-offered-memory", .run = too_many_attributes,
     .ending = ENDING_WRONG, .needs_nfs = true, .procedure = NFS_OP_GETATTR, .size = 36,
     .reply_segments = 2, .room = 400},
    {.id = "nfs-getattr-reply-chunk-short-by-one",
     .comment = "NFSv4 GETATTR, 36 of them in one COMPOUND, with a Reply chunk that is one octet too "
                "short: ERR_CHUNK, or a status of NFS.",
     .rule = "rfc8166/4.5.3/within-offered-memory", .run = too_many_attributes,
     .ending = ENDING_WRONG, .needs_nfs = true, .procedure = NFS_OP_GETATTR, .size = 36,
     .reply_segments = 2},
    {.id = "nfs-getattr-no-room",
     .comment = "NFSv4 GETATTR, 36 of them in one COMPOUND, without a Reply chunk: ERR_CHUNK, or "
                "a status of NFS.",
     .hazard = "results-too-long", .rule = "rfc8166/4.5.3/within-offered-memory", .run = too_many_attributes,
     .ending = ENDING_WRONG, .needs_nfs = true, .procedure = NFS_OP_GETATTR, .size = 36},
    {.id = "nfs-read-of-folder",
     .comment = "NFS READ of a folder: it fails, and the Write chunk comes back with nothing.",
     .rule = "rfc8166/4.3.2.2/returned-unused", .run = read_folder, .run3 = probe_nfs3_read_folder, .ending = ENDING_WRONG,
     .needs_nfs = true, .procedure = NFS_OP_READ, .size = 1000, .write_segments = 2},
    WRITE(1, 1), WRITE(3, 1), WRITE(3, 3), WRITE(65536, 1), WRITE(65536, 7), WRITE(65535, 4),
    {.id = "nfs-write-65533-in-4-of-one-handle",
     .comment = "NFS WRITE of 65533 octets out of a Read chunk of 4 segments that have one handle.",
     .rule = "rfc8166/3.5.2/arguments-fetched", .run = probe_nfs_write, .run3 = probe_nfs3_write,
     .ending = ENDING_WRONG, .needs_file = true, .procedure = NFS_OP_WRITE, .size = 65533,
     .read_segments = 4, .one_handle = true},
    {.id = "nfs-inline-write-64", .comment = "NFS WRITE of 64 octets without chunks.",
     .run = probe_nfs_write, .run3 = probe_nfs3_write, .ending = ENDING_WRONG,
     .needs_file = true, .procedure = NFS_OP_WRITE, .size = 64},
    LONG_WRITE(64, 1), LONG_WRITE(8192, 1), LONG_WRITE(8192, 3),
    LINK("nfs-create-link-inline", "NFS CREATE of a link, inline.", NFS_OP_CREATE, 100,
         .rule = "rfc8267/6.1/arguments-eligible"),
    LINK("nfs-create-link-in-1", "NFS CREATE of a link: its 100 octets in a Read chunk.",
         NFS_OP_CREATE, 100, .rule = "rfc8267/6.1/arguments-eligible", .read_segments = 1),
    LINK("nfs-create-link-in-3",
         "NFS CREATE of a link: its 101 octets in a Read chunk of 3 segments.",
         NFS_OP_CREATE, 101, .rule = "rfc8267/6.1/arguments-eligible", .read_segments = 3),
    LINK("nfs-readlink-inline", "NFS READLINK of 101 octets, inline.", NFS_OP_READLINK, 101,
         .rule = "rfc8267/6.4.1/no-list-means-inline"),
    LINK("nfs-readlink-in-1", "NFS READLINK of 101 octets into a Write chunk.",
         NFS_OP_READLINK, 101, .rule = "rfc8267/6.4.1/matching-chunk-used", .write_segments = 1,
         .room = 4096),
    LINK("nfs-readlink-in-3", "NFS READLINK of 102 octets into a Write chunk of 3 segments.",
         NFS_OP_READLINK, 102, .rule = "rfc8267/6.4.1/matching-chunk-used", .write_segments = 3,
         .room = 150),
    LINK("nfs-create-link-again",
         "NFS CREATE of a link, its 100 octets in a Read chunk, sent again by its XID on a new "
         "connection, and by version 3 on the same one, too: as before, or that the link exists.",
         NFS_OP_CREATE, 100, .rule = "rfc8267/6.1/arguments-eligible", .read_segments = 1,
         .again = true),
    LINK("nfs-readlink-again",
         "NFS READLINK of 101 octets, sent again so: into the Write chunk that it has then.",
         NFS_OP_READLINK, 101, .rule = "rfc8267/6.4.1/matching-chunk-used", .write_segments = 2,
         .room = 150, .again = true),
    BESIDE("nfs-getattr-inline", "NFS GETATTR, inline.", NFS_OP_GETATTR, 1,
           .run3 = probe_nfs3_not_eligible,
           .rule = "rfc8166/4.3.2/eligible-result-pushed"),
    BESIDE("nfs-getattr-write-chunk",
           "NFS GETATTR with a Write chunk, which nothing of it may use.", NFS_OP_GETATTR, 1,
           .run3 = probe_nfs3_not_eligible,
           .rule = "rfc8166/4.3.2.2/returned-unused", .write_segments = 2),
    BESIDE("nfs-getattr-long-reply",
           "NFSv4 GETATTR, 32 of them in one COMPOUND: the Reply is in the Reply chunk.",
           NFS_OP_GETATTR, 32, .rule = "rfc8166/3.5.3/reply-chunk-used", .reply_segments = 3),
    BESIDE("nfs-readdir-reply-chunk", "NFS READDIR with a Reply chunk: there or inline.",
           NFS_OP_READDIR, 8192, .run3 = probe_nfs3_not_eligible,
           .rule = "rfc8166/3.5.3/reply-chunk-used", .reply_segments = 2),
    BESIDE("nfs-readdir-both-chunks",
           "NFS READDIR with a Reply chunk and a Write chunk, which nothing of it may use.",
           NFS_OP_READDIR, 8192, .run3 = probe_nfs3_not_eligible,
           .rule = "rfc8166/4.3.2.2/returned-unused", .reply_segments = 1,
           .write_segments = 1),
    BESIDE("nfs-readdir-again",
           "NFS READDIR, sent again so: in the Reply chunk that it has then, or inline.",
           NFS_OP_READDIR, 8192, .run3 = probe_nfs3_not_eligible,
           .rule = "rfc8166/3.5.3/reply-chunk-used", .reply_segments = 2, .again = true),
    BESIDE("nfs-getattr-again",
           "NFSv4 GETATTR, 32 of them in one COMPOUND, sent again so: in the Reply chunk that it has "
           "then.",
           NFS_OP_GETATTR, 32, .rule = "rfc8166/3.5.3/reply-chunk-used", .reply_segments = 3,
           .again = true),
    {.id = "nfs-lookup-by-chunk",
     .comment = "NFS LOOKUP of a name in a Read chunk, which is not eligible: ERR_CHUNK, or "
                "GARBAGE_ARGS.",
     .rule = "rfc8166/6.1/ineligible-call-not-executed", .run = lookup_by_chunk, .run3 = probe_nfs3_lookup,
     .ending = ENDING_WRONG, .needs_nfs = true, .procedure = NFS_OP_LOOKUP, .size = 64,
     .read_segments = 1},
    {.id = NULL},
};
/* clang-format on */
