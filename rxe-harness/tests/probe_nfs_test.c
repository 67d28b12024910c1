// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of NFS against a small server of one file and one link: it is found good, and every
 * fault that is put into it is found.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"

#include <check.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 262144
#define SEGMENTS_MAX 64

enum fault {
    GOOD,
    READ_INLINE,      /* though there is a Write chunk for it */
    READ_WRONG,       /* one octet of the file is another */
    INLINE_WRONG,     /* the same where there is no chunk */
    READ_SHORT_CHUNK, /* says less than its count word */
    READ_SWAPPED,     /* two READs in each other's chunk */
    READ_PADDED,      /* padding is written, too */
    READ_TOO_MUCH,    /* octets behind those asked for */
    READ_TELLS_EOF,   /* fewer octets, and that it were the end */
    FAILED_IN_CHUNK,  /* a failed READ has octets in its chunk */
    WRITE_WRONG,
    WRITE_COUNT,  /* says that it wrote more than it got */
    LINK_COUNTED, /* READLINK: the count word is in the chunk as well */
    LINK_WRONG,
    LIST_IN_CHUNK, /* READDIR's and GETATTR's results in the Write chunk */
    BAD_XDR,       /* NFS4ERR_BADXDR for everything with a Read chunk */
    NAME_BY_CHUNK, /* LOOKUP takes a name that should not be in a chunk */
    NO_ACCESS,
};

struct server {
    struct link *link;
    enum fault fault;
    uint8_t call[MESSAGE_MAX], reply[MESSAGE_MAX];
    size_t call_length, reply_length;
    struct rpcrdma1_header header;
    const struct rpcrdma1_chunk_lists *chunks;
    struct rpcrdma1_write_chunk writes[REQUESTER_CHUNKS];
    struct rpcrdma1_segment segments[SEGMENTS_MAX], replies[SEGMENTS_MAX];
    unsigned write_count, segment_count, used; /* chunks; their segments; chunks that are filled */
};

static uint8_t file[MESSAGE_MAX];
static size_t file_length;
static char link_text[256];
static bool has_link;

/* ---- the Call ---- */

static bool collect(struct server *server, const uint8_t *payload, size_t length)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&server->chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    size_t at = 0, taken = 0;
    bool some = false;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        while (at < read.position && taken < length && !some)
            server->call[at++] = payload[taken++];
        if (read.target.length > MESSAGE_MAX / 2 - at ||
            !server->link->ops->read(server->link, read.target.handle, read.target.offset,
                                     server->call + at, read.target.length))
            return false;
        at += read.target.length;
        some = true;
    }
    while (at % 4 != 0)
        server->call[at++] = 0;
    memcpy(server->call + at, payload + taken, length - taken);
    server->call_length = at + length - taken;
    return true;
}

/* ---- chunks of the Reply ---- */

static void copy_lists(struct server *server)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&server->chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    server->write_count = server->segment_count = server->used = 0;
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        struct rpcrdma_xdr_iter each = rpcrdma1_segment_array_iter(&chunk.target);
        struct rpcrdma1_segment *first = server->segments + server->segment_count;
        while (rpcrdma1_segment_array_next(&each, &server->segments[server->segment_count]))
            server->segment_count++;
        server->writes[server->write_count++].target =
            (struct rpcrdma1_segment_array){.items = first, .count = chunk.target.count};
    }
}

/* Write into a chunk; its segments get the lengths that are used. */
static void push(struct server *server, struct rpcrdma1_segment_array *chunk, const uint8_t *octets,
                 size_t length)
{
    struct rpcrdma1_segment *segments = server->segments + (chunk->items - server->segments);
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t part = length < segments[i].length ? (uint32_t)length : segments[i].length;
        if (part > 0)
            server->link->ops->write(server->link, segments[i].handle, segments[i].offset, octets,
                                     part);
        segments[i].length = part;
        octets += part;
        length -= part;
    }
}

/* ---- operations ---- */

static void put(struct server *server, uint32_t word)
{
    rpcrdma_xdr_store32(server->reply + server->reply_length, word);
    server->reply_length += 4;
}

static void put_item(struct server *server, const uint8_t *octets, uint32_t length, bool chunked)
{
    uint8_t copy[MESSAGE_MAX / 2] = {0};
    bool is_link = octets == (const uint8_t *)link_text;
    memcpy(copy + 4, octets, length);
    bool is_inline = server->write_count == 0;
    if ((server->fault == READ_WRONG && !is_link) || (server->fault == LINK_WRONG && is_link) ||
        (server->fault == INLINE_WRONG && !is_link && is_inline))
        copy[4 + length / 2] ^= 1;
    put(server, length);
    if (!chunked || server->used >= server->write_count) {
        memcpy(server->reply + server->reply_length, copy + 4, length);
        server->reply_length += (length + 3) & ~3u;
        return;
    }
    unsigned number = server->used++;
    if (server->fault == READ_SWAPPED && server->write_count > 1)
        number = 1 - number;
    size_t pushed = length;
    if (server->fault == READ_SHORT_CHUNK)
        pushed = length / 2;
    else if (server->fault == READ_PADDED)
        pushed = (length + 3) & ~(size_t)3;
    bool counted = server->fault == LINK_COUNTED && is_link;
    if (counted) {
        rpcrdma_xdr_store32(copy, length);
        server->reply_length -= 4;
        put(server, 0x61000000);
    }
    push(server, &server->writes[number].target, counted ? copy : copy + 4, pushed);
}

static uint32_t do_read(struct server *server, const struct nfs_READ4args *args, bool at_file)
{
    uint32_t length = args->count;
    if (!at_file) {
        put(server, NFS_NFS4ERR_ISDIR);
        if (server->fault == FAILED_IN_CHUNK && server->write_count > 0)
            push(server, &server->writes[server->used++].target, file, 4);
        return NFS_NFS4ERR_ISDIR;
    }
    if (server->fault == READ_TELLS_EOF)
        length /= 2;
    if (server->fault == READ_TOO_MUCH)
        length += 4;
    put(server, NFS_NFS4_OK);
    put(server, server->fault == READ_TELLS_EOF);
    put_item(server, file + args->offset, length, server->fault != READ_INLINE);
    return NFS_NFS4_OK;
}

static uint32_t do_write(struct server *server, const struct nfs_WRITE4args *args)
{
    memcpy(file + args->offset, args->data.data, args->data.length);
    if (server->fault == WRITE_WRONG)
        file[args->offset + args->data.length / 2] ^= 1;
    file_length = args->offset + args->data.length;
    put(server, NFS_NFS4_OK);
    put(server, args->data.length + (server->fault == WRITE_COUNT));
    put(server, NFS_FILE_SYNC4);
    put(server, 0);
    put(server, 0);
    return NFS_NFS4_OK;
}

static uint32_t do_create(struct server *server, const struct nfs_CREATE4args *args)
{
    const struct rpcrdma_xdr_opaque *text = &args->objtype.linkdata;
    if (has_link) {
        put(server, NFS_NFS4ERR_EXIST);
        return NFS_NFS4ERR_EXIST;
    }
    has_link = true;
    memcpy(link_text, text->data, text->length);
    link_text[text->length] = '\0';
    for (int i = 0; i < 7; i++)
        put(server, 0);
    return NFS_NFS4_OK;
}

static uint32_t do_remove(struct server *server)
{
    uint32_t status = has_link ? NFS_NFS4_OK : NFS_NFS4ERR_NOENT;
    put(server, status);
    for (int i = 0; has_link && i < 5; i++)
        put(server, 0);
    has_link = false;
    return status;
}

/* No attributes, no entries. */
static uint32_t do_list(struct server *server, bool is_folder)
{
    put(server, NFS_NFS4_OK);
    for (int i = 0; i < (is_folder ? 3 : 2); i++)
        put(server, 0);
    if (is_folder)
        put(server, 1);
    if (server->fault == LIST_IN_CHUNK && server->write_count > 0)
        push(server, &server->writes[0].target, server->reply + server->reply_length - 8, 8);
    return NFS_NFS4_OK;
}

static uint32_t operate(struct server *server, const struct nfs_argop4 *op, bool *at_file)
{
    bool reads = server->chunks->rdma_reads.count > 0;
    put(server, op->argop);
    if ((server->fault == BAD_XDR && reads) || server->fault == NO_ACCESS) {
        uint32_t status = server->fault == NO_ACCESS ? NFS_NFS4ERR_ACCESS : NFS_NFS4ERR_BADXDR;
        if (op->argop != NFS_OP_PUTROOTFH) {
            put(server, status);
            return status;
        }
    }
    switch ((int)op->argop) {
    case NFS_OP_READ:
        return do_read(server, &op->opread, *at_file);
    case NFS_OP_WRITE:
        return do_write(server, &op->opwrite);
    case NFS_OP_CREATE:
        return do_create(server, &op->opcreate);
    case NFS_OP_REMOVE:
        return do_remove(server);
    case NFS_OP_READLINK:
        put(server, NFS_NFS4_OK);
        put_item(server, (const uint8_t *)link_text, (uint32_t)strlen(link_text), true);
        return NFS_NFS4_OK;
    case NFS_OP_GETATTR:
    case NFS_OP_READDIR:
        return do_list(server, op->argop == NFS_OP_READDIR);
    default: /* PUTROOTFH, LOOKUP */
        *at_file = op->argop == NFS_OP_LOOKUP;
        put(server, NFS_NFS4_OK);
        return NFS_NFS4_OK;
    }
}

/* A Read chunk beside the Call, and nothing in it that may be there? */
static bool is_ineligible(struct server *server, const struct nfs_COMPOUND4args *args)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&server->chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    struct nfs_argop4 op;
    bool reduced = false, eligible = server->fault == NAME_BY_CHUNK;
    while (rpcrdma1_read_list_next(&iter, &read))
        reduced = reduced || read.position > 0;
    iter = nfs_argop4_array_iter(&args->argarray);
    while (nfs_argop4_array_next(&iter, &op))
        eligible = eligible || op.argop == NFS_OP_WRITE || op.argop == NFS_OP_CREATE;
    return reduced && !eligible;
}

static void compound(struct server *server, size_t at)
{
    struct nfs_COMPOUND4args args;
    struct nfs_argop4 op;
    bool at_file = false;
    uint32_t status = NFS_NFS4_OK, count = 0;
    ck_assert_int_gt(nfs_COMPOUND4args_decode_complete(&args, server->call + at,
                                                       server->call_length - at, NULL, NULL),
                     0);
    if (is_ineligible(server, &args)) {
        rpcrdma_xdr_store32(server->reply + server->reply_length - 4, RPCRDMA_RPC_GARBAGE_ARGS);
        return;
    }
    size_t begin = server->reply_length;
    for (int i = 0; i < 3; i++)
        put(server, 0);
    struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&args.argarray);
    while (status == NFS_NFS4_OK && nfs_argop4_array_next(&iter, &op)) {
        status = operate(server, &op, &at_file);
        count++;
    }
    rpcrdma_xdr_store32(server->reply + begin, status);
    rpcrdma_xdr_store32(server->reply + begin + 8, count);
}

/* ---- the Reply ---- */

static void answer(struct server *server)
{
    struct rpcrdma1_header header = server->header;
    struct rpcrdma1_chunk_lists *lists = &header.rdma_body.rdma_msg;
    uint8_t octets[RESPONDER_INLINE];
    for (unsigned i = server->used; i < server->write_count; i++)
        if (server->fault != LIST_IN_CHUNK)
            push(server, &server->writes[i].target, file, 0);
    lists->rdma_reads = (struct rpcrdma1_read_list){.count = 0};
    lists->rdma_writes =
        (struct rpcrdma1_write_list){.items = server->writes, .count = server->write_count};
    struct rpcrdma1_segment *returned = server->replies;
    struct rpcrdma_xdr_iter iter =
        rpcrdma1_segment_array_iter(&server->chunks->rdma_reply.value.target);
    bool is_long = server->reply_length > 1000 && lists->rdma_reply.present;
    size_t left = is_long ? server->reply_length : 0, count = 0;
    while (lists->rdma_reply.present && rpcrdma1_segment_array_next(&iter, &returned[count])) {
        struct rpcrdma1_segment *segment = &returned[count++];
        segment->length = left < segment->length ? (uint32_t)left : segment->length;
        if (segment->length > 0)
            server->link->ops->write(server->link, segment->handle, segment->offset,
                                     server->reply + server->reply_length - left, segment->length);
        left -= segment->length;
    }
    lists->rdma_reply.value.target =
        (struct rpcrdma1_segment_array){.items = returned, .count = (uint32_t)count};
    header.rdma_credit = 32;
    header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    ptrdiff_t length = rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    ck_assert_int_gt(length, 0);
    size_t payload = is_long ? 0 : server->reply_length;
    ck_assert_uint_le((size_t)length + payload, sizeof octets);
    memcpy(octets + length, server->reply, payload);
    server->link->ops->send(server->link, octets, (size_t)length + payload, NULL);
}

static void serve(struct server *server, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t end = rpcrdma1_header_decode(&server->header, octets, length, NULL, NULL);
    server->chunks = end < 0 ? NULL : rpcrdma1_chunks(&server->header);
    if (server->chunks == NULL || server->header.rdma_vers != RPCRDMA_VERSION_1)
        return; /* of other cases */
    if (!collect(server, octets + end, length - (size_t)end))
        return;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, server->call, server->call_length, NULL);
    if (at < 0)
        return;
    bool unknown = rpc.prog != NFS_PROGRAM && rpc.proc != 0;
    copy_lists(server);
    server->reply_length = 0;
    const uint32_t words[] = {rpc.xid, 1, 0, 0, 0, unknown};
    for (size_t i = 0; i < 6; i++)
        put(server, words[i]);
    if (rpc.prog == NFS_PROGRAM && rpc.proc == NFS_COMPOUND)
        compound(server, (size_t)at);
    answer(server);
}

static void *begin(void *arg, struct link *link)
{
    struct server *server = calloc(1, sizeof *server);
    server->link = link;
    server->fault = *(const enum fault *)arg;
    return server;
}

static bool step(void *peer)
{
    struct server *server = peer;
    struct link_event event;
    server->link->ops->wait(server->link, 0, &event);
    if (event.type == LINK_RECEIVED)
        serve(server, event.octets, event.length);
    return event.type == LINK_RECEIVED;
}

static void finish(void *peer)
{
    struct server *server = peer;
    server->link->ops->close(server->link);
    free(server);
}

/* ---- tests ---- */

static struct probe probe_of(enum fault *fault)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = finish, .arg = fault};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = NFS_PROGRAM,
                                      .version = NFS_VERSION,
                                      .nfs_file = "some/where/probe.data"}};
    probe.peer.transport = transport_loopback(&peer);
    has_link = false;
    file_length = 0;
    return probe;
}

static void run_nfs(struct probe *probe)
{
    ck_assert(probe_begin(probe));
    ck_assert(probe->peer.has_nfs);
    probe_run_cases(probe);
}

static void end_probe(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    probe->peer.transport->ops->close(probe->peer.transport);
}

static bool is_nfs(const struct result *result)
{
    return strncmp(result->test, "nfs-", 4) == 0;
}

START_TEST(a_good_server_is_good)
{
    enum fault fault = GOOD;
    struct probe probe = probe_of(&fault);
    unsigned good = 0;
    run_nfs(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (!is_nfs(result))
            continue;
        ck_assert_msg(result->ending == ENDING_REQUIRED, "%s: %s", result->test, result->actual);
        good++;
    }
    ck_assert_uint_gt(good, 40);
    ck_assert(!has_link);
    end_probe(&probe);
}
END_TEST

static const struct {
    enum fault fault;
    const char *test;
    enum ending ending;
    const char *rule; /* that a finding has to name, or NULL */
} faults[] = {
    {READ_INLINE, "nfs-read-4-in-1", ENDING_REQUIRED, "rfc8166/4.3.2/eligible-result-pushed"},
    {READ_WRONG, "nfs-read-1-in-1", ENDING_WRONG, NULL},
    {READ_WRONG, "nfs-read-64-inline", ENDING_WRONG, NULL},
    {INLINE_WRONG, "nfs-read-64-inline", ENDING_WRONG, NULL},
    /* The WRITE was right. */
    {INLINE_WRONG, "nfs-write-64-inline", ENDING_REQUIRED, NULL},
    {INLINE_WRONG, "nfs-write-3-in-3", ENDING_REQUIRED, NULL},
    {READ_SHORT_CHUNK, "nfs-read-4097-in-5", ENDING_WRONG,
     "rfc8166/3.4.6.2/returned-length-is-item-length"},
    {READ_SWAPPED, "nfs-read-twice", ENDING_WRONG, NULL},
    {READ_PADDED, "nfs-read-3-in-2-of-100", ENDING_WRONG, NULL},
    {READ_TOO_MUCH, "nfs-read-64-inline", ENDING_WRONG, NULL},
    {READ_TELLS_EOF, "nfs-read-65536-in-1", ENDING_WRONG, NULL},
    {FAILED_IN_CHUNK, "nfs-read-of-folder", ENDING_WRONG, NULL},
    {WRITE_WRONG, "nfs-write-3-in-3", ENDING_WRONG, NULL},
    {WRITE_WRONG, "nfs-long-write-8192-in-3", ENDING_WRONG, NULL},
    {WRITE_COUNT, "nfs-write-64-inline", ENDING_WRONG, NULL},
    {LINK_COUNTED, "nfs-readlink-in-1", ENDING_WRONG,
     "rfc8166/3.4.6.2/returned-length-is-item-length"},
    {LINK_WRONG, "nfs-readlink-inline", ENDING_WRONG, NULL},
    {LINK_WRONG, "nfs-create-link-in-3", ENDING_WRONG, NULL},
    {LIST_IN_CHUNK, "nfs-getattr-write-chunk", ENDING_WRONG, NULL},
    {LIST_IN_CHUNK, "nfs-readdir-both-chunks", ENDING_WRONG, NULL},
    {BAD_XDR, "nfs-write-1-in-1", ENDING_WRONG, NULL},
    {BAD_XDR, "nfs-create-link-in-1", ENDING_WRONG, NULL},
    {NAME_BY_CHUNK, "nfs-lookup-by-chunk", ENDING_WRONG, NULL},
    {NO_ACCESS, "nfs-read-1-in-1", ENDING_NOT_APPLICABLE, NULL},
};

START_TEST(a_fault_is_found)
{
    enum fault fault = faults[_i].fault;
    struct probe probe = probe_of(&fault);
    bool ended = false, accused = faults[_i].rule == NULL;
    probe_names_add(&probe.options.cases, faults[_i].test);
    run_nfs(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (strcmp(result->test, faults[_i].test) == 0 && result->ending == faults[_i].ending)
            ended = true;
        if (faults[_i].rule && result->rule && strcmp(result->rule, faults[_i].rule) == 0 &&
            ending_is_failure(result->ending))
            accused = true;
    }
    ck_assert_msg(ended, "%s does not end as it has to", faults[_i].test);
    ck_assert_msg(accused, "%s is not found in %s", faults[_i].rule, faults[_i].test);
    end_probe(&probe);
}
END_TEST

/* Nothing is written that was not named. */
START_TEST(without_a_file_nothing_is_written)
{
    enum fault fault = GOOD;
    struct probe probe = probe_of(&fault);
    unsigned untested = 0;
    probe.options.nfs_file = NULL;
    run_nfs(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++)
        untested += is_nfs(&probe.run.results.list[i]) &&
                    probe.run.results.list[i].ending == ENDING_NOT_APPLICABLE;
    ck_assert_uint_gt(untested, 30);
    ck_assert_uint_eq(file_length, 0);
    end_probe(&probe);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    struct nfs_compound compound;
    struct requester_call call = {.procedure = 0};
    nfs_begin(&compound);
    for (int i = 0; i < NFS_OPERATIONS; i++)
        nfs_getattr(&compound);
    ck_assert_ptr_null(nfs_encode(&compound, &call));
}
END_TEST

/* Whatever comes: no read beyond it, and no more than there is. */
START_TEST(results_may_be_anything)
{
    static const uint8_t good[] = {0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 24, 0, 0, 0, 0,
                                   0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2,  7, 8, 0, 0};
    struct requester_pending pending = {.xid = 1};
    struct nfs_results results;
    for (size_t length = 0; length <= sizeof good; length++) {
        uint8_t *octets = malloc(length + 1);
        memcpy(octets, good, length);
        const struct requester_reply reply = {.results = octets, .results_length = length};
        bool whole = nfs_read_results(&pending, &reply, &results);
        ck_assert_int_eq(whole, length == sizeof good);
        ck_assert(whole || results.wrong[0] != '\0');
        free(octets);
    }
    ck_assert_uint_eq(results.item_count, 1);
    ck_assert_uint_eq(results.items[0].length, 2);
    uint8_t octets[sizeof good];
    for (size_t i = 0; i < 8 * sizeof good; i++) {
        memcpy(octets, good, sizeof good);
        octets[i / 8] ^= (uint8_t)(1 << i % 8);
        const struct requester_reply reply = {
            .results = octets, .results_length = sizeof octets, .chunks = 1, .chunk_lengths = {9}};
        if (nfs_read_results(&pending, &reply, &results))
            ck_assert_uint_le(results.item_count, 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("probe_nfs");
    TCase *tests = tcase_create("probe_nfs");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_good_server_is_good);
    tcase_add_loop_test(tests, a_fault_is_found, 0, sizeof faults / sizeof faults[0]);
    tcase_add_test(tests, without_a_file_nothing_is_written);
    tcase_add_test(tests, what_does_not_fit_is_refused);
    tcase_add_test(tests, results_may_be_anything);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
