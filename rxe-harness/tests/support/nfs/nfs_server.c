// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/nfs/nfs_server.h"

#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX NFS_CALL_MAX
#define SEGMENTS_MAX 64
#define ATTRIBUTES 160 /* octets of one GETATTR */

struct server {
    struct link *link;
    enum nfs_fault fault;
    uint8_t call[MESSAGE_MAX], reply[MESSAGE_MAX];
    size_t call_length, reply_length;
    size_t unwritten; /* at its end */
    struct rpcrdma1_header header;
    const struct rpcrdma1_chunk_lists *chunks;
    struct rpcrdma1_write_chunk writes[REQUESTER_CHUNKS];
    struct rpcrdma1_segment segments[SEGMENTS_MAX], replies[SEGMENTS_MAX];
    bool no_room;                              /* for the results */
    unsigned write_count, segment_count, used; /* chunks; their segments; chunks that are filled */
    struct nfs_clients clients;
    bool is_compound;
};

static uint8_t file[MESSAGE_MAX];
unsigned nfs_server_word;
unsigned nfs_server_minor;
uint32_t nfs_server_refusal = NFS_NFS4ERR_ACCESS;
int nfs_server_clients;
unsigned nfs_server_versions = 1 << 2 | 1 << 3 | 1 << 4;
size_t nfs_server_file_length;
static char link_text[256];
bool nfs_server_has_link;
static uint32_t last_xid; /* and the Send that answered it */
static uint8_t last_answer[RESPONDER_INLINE];
static size_t last_length;

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

static size_t room_of(const struct rpcrdma1_segment_array *chunk)
{
    size_t room = 0;
    for (uint32_t i = 0; i < chunk->count; i++)
        room += chunk->items[i].length;
    return room;
}

/* An item in a Write chunk makes the Reply chunk's results longer, too. */
static bool has_surplus(const struct server *server)
{
    return (server->fault == ITEM_TWICE || server->fault == ITEM_OF_ZEROS ||
            server->fault == ITEM_UNWRITTEN) &&
           server->chunks->rdma_reply.present;
}

static void put_item(struct server *server, const uint8_t *octets, uint32_t length, bool chunked)
{
    static uint8_t copy[MESSAGE_MAX / 2];
    bool is_link = octets == (const uint8_t *)link_text;
    memset(copy, 0, 4);
    memcpy(copy + 4, octets, length);
    memset(copy + 4 + length, 0, 4);
    bool is_inline = !chunked || server->used >= server->write_count ||
                     (length == 0 && server->fault == NOTHING_IN_NONE);
    if (!is_inline && server->writes[server->used].target.count == 0)
        is_inline = ++server->used == server->write_count || server->fault != EMPTY_SKIPPED;
    if (((server->fault == READ_WRONG || server->fault == READ_FITS_WRONG) && !is_link) ||
        (server->fault == LINK_WRONG && is_link) ||
        (server->fault == INLINE_WRONG && !is_link && is_inline))
        copy[4 + length / 2] ^= 1;
    if (server->fault == READ_PAGE_TWICE && length >= 12288)
        memcpy(copy + 4 + 8192, octets + 4096, 4096);
    put(server, length);
    if (is_inline) {
        memcpy(server->reply + server->reply_length, copy + 4, length);
        server->reply_length += (length + 3) & ~3u;
        return;
    }
    if (has_surplus(server)) {
        memset(server->reply + server->reply_length, 0, length);
        if (server->fault == ITEM_TWICE)
            memcpy(server->reply + server->reply_length, copy + 4, length);
        server->reply_length += (length + 3) & ~3u;
        server->unwritten = server->fault == ITEM_UNWRITTEN ? (length + 3) & ~3u : 0;
    }
    unsigned number = server->used++;
    if (server->fault == READ_SWAPPED && server->write_count > 1)
        number = server->write_count - 1 - number;
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
    server->no_room = server->no_room || room_of(&server->writes[number].target) < pushed;
    do
        push(server, &server->writes[number++].target, counted ? copy : copy + 4, pushed);
    while (server->fault == IN_ALL_CHUNKS && (server->used = number) < server->write_count);
}

#define INLINE_DATA 512 /* octets that READ_FITS brings without a chunk */

static uint32_t do_read(struct server *server, const struct nfs_READ4args *args, bool at_file)
{
    bool is_beyond = args->offset >= MESSAGE_MAX;
    uint32_t length = is_beyond ? 0 : args->count;
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
    if (server->fault == READ_FITS || server->fault == READ_FITS_WRONG) {
        bool chunked = server->used < server->write_count;
        size_t room = chunked ? room_of(&server->writes[server->used].target) : INLINE_DATA;
        length = length < room ? length : (uint32_t)room;
    }
    put(server, NFS_NFS4_OK);
    put(server, is_beyond || server->fault == READ_TELLS_EOF);
    put_item(server, is_beyond ? file : file + args->offset, length, server->fault != READ_INLINE);
    return NFS_NFS4_OK;
}

#define LARGE 100000 /* octets of a Call that LARGE_REFUSED takes at most */
#define LESS 30000   /* octets that WRITES_LESS writes at most */

static uint32_t do_write(struct server *server, const struct nfs_WRITE4args *args)
{
    uint32_t length = args->data.length;
    if (server->fault == WRITES_LESS && length > LESS)
        length = LESS;
    memcpy(file + args->offset, args->data.data, length);
    if (server->fault == WRITE_WRONG)
        file[args->offset + length / 2] ^= 1;
    nfs_server_file_length = args->offset + length;
    put(server, NFS_NFS4_OK);
    put(server, length + (server->fault == WRITE_COUNT));
    put(server, NFS_FILE_SYNC4);
    put(server, 0);
    put(server, 0);
    return NFS_NFS4_OK;
}

static uint32_t do_create(struct server *server, const struct nfs_CREATE4args *args)
{
    const struct rpcrdma_xdr_opaque *text = &args->objtype.linkdata;
    if (nfs_server_has_link) {
        put(server, NFS_NFS4ERR_EXIST);
        return NFS_NFS4ERR_EXIST;
    }
    nfs_server_has_link = true;
    memcpy(link_text, text->data, text->length);
    link_text[text->length] = '\0';
    for (int i = 0; i < 7; i++)
        put(server, 0);
    return NFS_NFS4_OK;
}

static uint32_t do_remove(struct server *server)
{
    uint32_t status = nfs_server_has_link ? NFS_NFS4_OK : NFS_NFS4ERR_NOENT;
    put(server, status);
    for (int i = 0; nfs_server_has_link && i < 5; i++)
        put(server, 0);
    nfs_server_has_link = false;
    return status;
}

/* No attributes, no entries. */
static uint32_t do_list(struct server *server, bool is_folder)
{
    put(server, NFS_NFS4_OK);
    if (is_folder) { /* verifier, no entries, the end */
        for (int i = 0; i < 3; i++)
            put(server, 0);
        put(server, 1);
    } else { /* no attributes that it names, and many octets of them */
        put(server, 0);
        put(server, ATTRIBUTES);
        for (int i = 0; i < ATTRIBUTES / 4; i++)
            put(server, 0);
    }
    if (server->fault == LIST_IN_CHUNK && server->write_count > 0)
        push(server, &server->writes[0].target, server->reply + server->reply_length - 8, 8);
    return NFS_NFS4_OK;
}

static void put_words(struct server *server, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(server, words[i]);
}

/* ---- the reverse direction ---- */

static void call_back(struct server *server)
{
    uint8_t octets[256];
    size_t length = nfs_clients_call(&server->clients, server->fault, octets);
    server->link->ops->send(server->link, octets, length, NULL);
}

static void take_answer(struct server *server)
{
    uint8_t none[4];
    bool is_lost = server->fault == ANSWER_LOST || server->fault == RECALL_LOST;
    if (is_lost) /* memory that is not there ends the connection as well */
        server->link->ops->read(server->link, 0xdead, 0, none, sizeof none);
    else if (server->fault != ANSWER_DENIED)
        server->clients.answered++;
}

static uint32_t operate(struct server *server, const struct nfs_argop4 *op, bool *at_file)
{
    bool reads = server->chunks->rdma_reads.count > 0;
    put(server, op->argop);
    if ((server->fault == BAD_XDR && reads) || server->fault == NO_ACCESS) {
        uint32_t status = server->fault == NO_ACCESS ? nfs_server_refusal : NFS_NFS4ERR_BADXDR;
        if (op->argop != NFS_OP_PUTROOTFH) {
            put(server, status);
            return status;
        }
    }
    uint32_t words[NFS_CLIENTS_WORDS];
    size_t count = nfs_clients_execute(&server->clients, server->fault, op, words);
    if (count > 0) {
        nfs_server_clients += op->argop == NFS_OP_EXCHANGE_ID;
        put_words(server, words, count);
        return words[0];
    }
    switch ((int)op->argop) {
    case NFS_OP_READ:
        return do_read(server, &op->opread, *at_file);
    case NFS_OP_WRITE:
        return do_write(server, &op->opwrite);
    case NFS_OP_CREATE:
        if (server->fault == NO_CREATE) {
            put(server, NFS_NFS4ERR_ROFS);
            return NFS_NFS4ERR_ROFS;
        }
        return do_create(server, &op->opcreate);
    case NFS_OP_REMOVE:
        return do_remove(server);
    case NFS_OP_READLINK:
        put(server, NFS_NFS4_OK);
        put_item(server, (const uint8_t *)link_text, (uint32_t)strlen(link_text), true);
        return NFS_NFS4_OK;
    case NFS_OP_SECINFO_NO_NAME: /* one flavor: RPCSEC_GSS without a mechanism, or AUTH_SYS */
        if (server->fault == TAKES_GSS)
            put_words(server, (const uint32_t[]){NFS_NFS4_OK, 1, NFS_RPCSEC_GSS, 0, 0, 1}, 6);
        else
            put_words(server, (const uint32_t[]){NFS_NFS4_OK, 1, 1}, 3);
        return NFS_NFS4_OK;
    case NFS_OP_GETATTR:
    case NFS_OP_READDIR:
        return do_list(server, op->argop == NFS_OP_READDIR);
    default: /* PUTROOTFH, LOOKUP, DESTROY_CLIENTID */
        nfs_server_clients -= op->argop == NFS_OP_DESTROY_CLIENTID;
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
    bool is_garbage = nfs_COMPOUND4args_decode_complete(&args, server->call + at,
                                                        server->call_length - at, NULL, NULL) < 0;
    if (is_garbage && (server->fault == GARBAGE_STATUS || server->fault == GARBAGE_TAKEN)) {
        put(server, server->fault == GARBAGE_TAKEN ? NFS_NFS4_OK : NFS_NFS4ERR_BADXDR);
        put(server, 0);
        put(server, 0);
        return;
    }
    if (is_garbage || is_ineligible(server, &args)) {
        rpcrdma_xdr_store32(server->reply + server->reply_length - 4, RPCRDMA_RPC_GARBAGE_ARGS);
        return;
    }
    size_t begin = server->reply_length;
    for (int i = 0; i < 3; i++)
        put(server, 0);
    if (args.minorversion < nfs_server_minor ||
        (args.minorversion > 0 && server->fault == NO_SESSIONS)) {
        rpcrdma_xdr_store32(server->reply + begin, NFS_NFS4ERR_MINOR_VERS_MISMATCH);
        return;
    }
    struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&args.argarray);
    while (status == NFS_NFS4_OK && nfs_argop4_array_next(&iter, &op)) {
        size_t before = server->reply_length;
        status = operate(server, &op, &at_file);
        bool lost = op.argop == NFS_OP_SEQUENCE && server->fault == SEQUENCE_LOST;
        server->reply_length = lost ? before : server->reply_length;
        count += !lost;
    }
    rpcrdma_xdr_store32(server->reply + begin, status);
    rpcrdma_xdr_store32(server->reply + begin + 8, count);
}

static void break_results(struct server *server, size_t begin)
{
    size_t at = begin + 4 * (size_t)nfs_server_word;
    if (at >= server->reply_length)
        return;
    if (server->fault == WORD_CHANGED)
        server->reply[at + 3] ^= 1;
    if (server->fault == WORDS_CUT)
        server->reply_length = at;
}

/* ---- the Reply ---- */

static void refuse(struct server *server)
{
    const struct rpcrdma1_header header = {
        .rdma_xid = server->header.rdma_xid,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = 32,
        .rdma_body = {.proc = RPCRDMA1_ERROR, .rdma_error.err = RPCRDMA1_ERR_CHUNK}};
    uint8_t octets[RPCRDMA1_ERR_CHUNK_LENGTH];
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    server->link->ops->send(server->link, octets, sizeof octets, NULL);
}

static void answer(struct server *server);

static void refuse_by_status(struct server *server)
{
    server->reply_length = 24; /* as many octets as the RPC header has */
    put(server, NFS_NFS4ERR_RESOURCE);
    put(server, 0);
    put(server, 0);
    server->no_room = false;
    copy_lists(server);
    answer(server);
}

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
    if (server->fault == NO_CHUNKS_BACK)
        lists->rdma_writes.count = 0;
    struct rpcrdma1_segment *returned = server->replies;
    struct rpcrdma_xdr_iter iter = {.left = 0};
    if (lists->rdma_reply.present)
        iter = rpcrdma1_segment_array_iter(&server->chunks->rdma_reply.value.target);
    size_t most = server->fault == HEADER_FORGOTTEN ? 1024 : 1000;
    bool is_long =
        (server->reply_length > most && lists->rdma_reply.present) || has_surplus(server);
    size_t left = is_long ? server->reply_length : 0, count = 0;
    while (lists->rdma_reply.present && rpcrdma1_segment_array_next(&iter, &returned[count])) {
        struct rpcrdma1_segment *segment = &returned[count++];
        segment->length = left < segment->length ? (uint32_t)left : segment->length;
        size_t written = left > server->unwritten ? left - server->unwritten : 0;
        written = written < segment->length ? written : segment->length;
        if (written > 0)
            server->link->ops->write(server->link, segment->handle, segment->offset,
                                     server->reply + server->reply_length - left, written);
        left -= segment->length;
    }
    lists->rdma_reply.value.target =
        (struct rpcrdma1_segment_array){.items = returned, .count = (uint32_t)count};
    header.rdma_credit = 32;
    header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    ptrdiff_t length = rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    size_t payload = is_long ? 0 : server->reply_length;
    bool fits = length >= 0 && (size_t)length + payload <= sizeof octets && left == 0;
    if ((!fits || server->no_room) && server->fault == REFUSED_BY_STATUS) {
        refuse_by_status(server);
        return;
    }
    if ((!fits || server->no_room) && server->fault != CUT_OFF) {
        refuse(server);
        return;
    }
    if (!fits)
        payload = sizeof octets - (size_t)length;
    memcpy(octets + length, server->reply, payload);
    length += (ptrdiff_t)payload;
    if (server->is_compound) {
        last_length = (size_t)length;
        memcpy(last_answer, octets, last_length);
    }
    server->link->ops->send(server->link, octets, (size_t)length, NULL);
}

/* Whether this COMPOUND comes again, and the fault was what to do then. */
static bool is_again(struct server *server, uint32_t xid)
{
    bool again = xid == last_xid;
    last_xid = xid;
    if (again && server->fault == AGAIN_VERBATIM)
        server->link->ops->send(server->link, last_answer, last_length, NULL);
    else if (again && server->fault == AGAIN_REFUSED)
        refuse(server);
    return again && server->fault >= AGAIN_SILENT && server->fault <= AGAIN_VERBATIM;
}

static bool has_too_many(const struct server *server)
{
    unsigned most = server->fault == MANY_REFUSED ? 16 : server->fault == SIXTEEN_REFUSED ? 15 : 64;
    const struct rpcrdma1_chunk_lists *chunks = server->chunks;
    return chunks->rdma_reads.count > most || server->segment_count > most ||
           (chunks->rdma_reply.present && chunks->rdma_reply.value.target.count > most);
}

static void serve(struct server *server, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t end = rpcrdma1_header_decode(&server->header, octets, length, NULL, NULL);
    server->chunks = end < 0 ? NULL : rpcrdma1_chunks(&server->header);
    if (server->chunks == NULL || server->header.rdma_vers != RPCRDMA_VERSION_1)
        return; /* of other cases */
    if (!nfs_call_collect(server->link, server->chunks, octets + end, length - (size_t)end,
                          server->call, &server->call_length))
        return;
    if (server->fault == LARGE_REFUSED && server->call_length > LARGE) {
        refuse(server);
        return;
    }
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, server->call, server->call_length, NULL);
    if (at < 0)
        return;
    if (rpc.is_reply) {
        take_answer(server);
        return;
    }
    bool unknown = rpc.prog != NFS_PROGRAM && rpc.proc != 0;
    bool mismatch =
        rpc.prog == NFS_PROGRAM && (rpc.vers > 4 || !(nfs_server_versions >> rpc.vers & 1));
    server->is_compound = rpc.proc == NFS_COMPOUND;
    if (server->is_compound && is_again(server, rpc.xid))
        return;
    if (server->fault == CALLED_SILENT && server->clients.has_back_channel &&
        server->clients.answered == 0)
        return;
    copy_lists(server);
    bool two = server->write_count > 1, garbled = two && server->fault == GARBAGE_TWICE;
    if (has_too_many(server)) {
        refuse(server);
        return;
    }
    if ((server->fault == SILENT_TWICE && two) ||
        (server->fault == SILENT_NAME && server->chunks->rdma_reads.count > 0))
        return;
    if (server->fault == NO_WRITE_LIST && server->write_count > 0) {
        refuse(server);
        return;
    }
    server->reply_length = server->unwritten = 0;
    server->no_room = false;
    const uint32_t words[] = {rpc.xid, 1, 0, 0, 0, mismatch ? 2 : garbled ? 4 : unknown, 2, 4};
    for (size_t i = 0; i < (mismatch ? 8 : 6); i++)
        put(server, words[i]);
    if (rpc.prog == NFS_PROGRAM && rpc.proc == NFS_COMPOUND && !mismatch && !garbled) {
        size_t begin = server->reply_length;
        compound(server, (size_t)at);
        break_results(server, begin);
    }
    if ((server->fault == RECALLS_FIRST || server->fault == CALLS_EARLY) &&
        server->clients.calls > 0) {
        call_back(server);
        server->clients.calls--;
    }
    if (server->fault < KEEPS_WAITING || server->clients.calls == 0)
        answer(server);
    if (server->fault == KEEPS_QUIET)
        server->clients.calls = 0;
    for (; server->clients.calls > 0; server->clients.calls--)
        call_back(server);
}

static void *begin(void *arg, struct link *link)
{
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    server->link = link;
    server->fault = *(const enum nfs_fault *)arg;
    return server;
}

static bool step(void *peer)
{
    static const uint8_t stray[52] = {[7] = 1, [11] = 8, [35] = 1};
    struct server *server = peer;
    struct link_event event;
    if (server->clients.has_back_channel && server->fault == NEVER_SILENT)
        server->link->ops->send(server->link, stray, sizeof stray, NULL);
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

struct transport *nfs_server(enum nfs_fault *fault)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = finish, .arg = fault};
    nfs_server_has_link = false;
    nfs_server_file_length = 0;
    last_xid = 0;
    nfs_clients_reset();
    return transport_loopback(&peer);
}
