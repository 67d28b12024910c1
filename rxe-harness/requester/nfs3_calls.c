// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/nfs3_calls.h"

#include "conformance/base/count.h"
#include "rxe-harness/requester/reverse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM 100003u
#define VERSION 3u
#define HEADER 40u       /* octets of an RPC Call header without credentials */
#define REPLY_HEADER 24u /* of an accepted Reply without a verifier */
#define ATTRIBUTES 84u   /* fattr3 */
#define WAITS_MAX 64     /* for one Reply */

enum { LOOKUP = 3, READ = 6, WRITE = 7, READDIR = 16 };

static bool fail(struct nfs3_client *client, const char *why)
{
    snprintf(client->error, sizeof client->error, "XID 0x%08x: %s", client->xid, why);
    return false;
}

/* ---- a Call ---- */

struct nfs3_call {
    enum nfs3_way way;
    uint32_t procedure;
    uint8_t *rpc; /* header and arguments */
    size_t length;
    size_t item_at, item_length;           /* WRITE's data, padding not counted */
    uint32_t data_room;                    /* of READ's data */
    size_t reply_room;                     /* of the whole Reply */
    struct link_memory given, data, reply; /* to read; to write to */
    struct rpcrdma1_read_segment reads[NFS3_SEGMENTS];
    struct rpcrdma1_segment data_segments[NFS3_SEGMENTS], reply_segments[NFS3_SEGMENTS];
    struct rpcrdma1_write_chunk write;
};

/* The Reply, from its results on. */
struct nfs3_read {
    const uint8_t *octets;
    size_t length;
};

static void put(struct nfs3_call *call, uint32_t word)
{
    rpcrdma_xdr_store32(call->rpc + call->length, word);
    call->length += 4;
}

static void put_opaque(struct nfs3_call *call, const void *octets, size_t length)
{
    put(call, (uint32_t)length);
    if (length > 0)
        memcpy(call->rpc + call->length, octets, length);
    call->length += (length + 3) / 4 * 4;
}

/* Room for these arguments beside the header, a handle and some words. False: no memory. */
static bool begin(struct nfs3_client *client, struct nfs3_call *call, enum nfs3_way way,
                  uint32_t procedure, size_t arguments)
{
    const uint32_t words[] = {++client->xid, 0, 2, PROGRAM, VERSION, procedure, 0, 0, 0, 0};
    *call = (struct nfs3_call){.way = way, .procedure = procedure};
    call->rpc = calloc(1, HEADER + NFS3_HANDLE_MAX + 64 + arguments);
    if (call->rpc == NULL)
        return fail(client, "no memory");
    for (size_t i = 0; i < COUNT(words); i++)
        put(call, words[i]);
    return true;
}

static bool expose(struct nfs3_client *client, struct link_memory *memory, const uint8_t *octets,
                   size_t length, unsigned access)
{
    memory->length = length;
    memory->octets = calloc(1, length + 1);
    if (memory->octets && octets)
        memcpy(memory->octets, octets, length);
    if (memory->octets && client->link->ops->expose(client->link, memory, access))
        return true;
    free(memory->octets);
    memory->octets = NULL;
    return fail(client, "no memory for a chunk");
}

static void end(struct nfs3_client *client, struct nfs3_call *call)
{
    struct link_memory *all[] = {&call->given, &call->data, &call->reply};
    for (size_t i = 0; i < COUNT(all); i++) {
        if (all[i]->octets)
            client->link->ops->hide(client->link, all[i]);
        free(all[i]->octets);
    }
    free(call->rpc);
}

/* The chunk in segments of whole words, the last of what is left. */
static void cut(const struct link_memory *memory, struct rpcrdma1_segment segments[NFS3_SEGMENTS])
{
    uint32_t part = (uint32_t)memory->length / NFS3_SEGMENTS / 4 * 4;
    for (uint32_t i = 0; i < NFS3_SEGMENTS; i++)
        segments[i] = (struct rpcrdma1_segment){
            .handle = memory->handle,
            .length = i + 1 < NFS3_SEGMENTS ? part
                                            : (uint32_t)memory->length - (NFS3_SEGMENTS - 1) * part,
            .offset = memory->offset + (uint64_t)i * part};
}

static void cut_reads(struct nfs3_call *call, uint32_t position)
{
    struct rpcrdma1_segment segments[NFS3_SEGMENTS];
    cut(&call->given, segments);
    for (uint32_t i = 0; i < NFS3_SEGMENTS; i++)
        call->reads[i] =
            (struct rpcrdma1_read_segment){.position = position, .target = segments[i]};
}

/* What leaves the Payload stream of the Call: WRITE's data, or everything. */
static bool give(struct nfs3_client *client, struct nfs3_call *call,
                 struct session_message *message)
{
    const struct rpcrdma1_read_list reads = {.items = call->reads, .count = NFS3_SEGMENTS};
    if (call->way == NFS3_EXTERNAL) {
        message->external = true;
        if (!expose(client, &call->given, call->rpc, call->length, LINK_PEER_READS))
            return false;
        cut_reads(call, 0);
        message->call = reads;
        message->length = 0;
    } else if (call->way == NFS3_CHUNK && call->item_length > 0) {
        if (!expose(client, &call->given, call->rpc + call->item_at, call->item_length,
                    LINK_PEER_READS))
            return false;
        cut_reads(call, (uint32_t)call->item_at);
        message->reads = reads;
        message->length = call->item_at; /* the data is the last of the arguments */
    }
    return true;
}

/* Where the results may go: READ's data, or all of the Reply. */
static bool offer(struct nfs3_client *client, struct nfs3_call *call,
                  struct session_message *message)
{
    if (call->way == NFS3_CHUNK && call->data_room > 0) {
        if (!expose(client, &call->data, NULL, call->data_room, LINK_PEER_WRITES))
            return false;
        cut(&call->data, call->data_segments);
        call->write = (struct rpcrdma1_write_chunk){
            .target = {.items = call->data_segments, .count = NFS3_SEGMENTS}};
        message->writes = (struct rpcrdma1_write_list){.items = &call->write, .count = 1};
    } else if (call->way == NFS3_EXTERNAL && call->reply_room > 0) {
        if (!expose(client, &call->reply, NULL, call->reply_room, LINK_PEER_WRITES))
            return false;
        cut(&call->reply, call->reply_segments);
        message->reply.present = true;
        message->reply.value.target =
            (struct rpcrdma1_segment_array){.items = call->reply_segments, .count = NFS3_SEGMENTS};
    }
    return true;
}

static uint32_t handle_to_invalidate(const struct nfs3_client *client, const struct nfs3_call *call)
{
    if (!client->invalidates)
        return 0;
    return call->given.octets   ? call->given.handle
           : call->data.octets  ? call->data.handle
           : call->reply.octets ? call->reply.handle
                                : 0;
}

/* What a Requester passes over: what answers none of its Calls, or no longer. */
static bool is_stray(const struct nfs3_client *client, const struct session_event *event)
{
    bool has_xid = event->type == SESSION_REPLY || event->type == SESSION_ERROR ||
                   event->type == SESSION_UNSENT;
    return has_xid && event->message.prefix.xid != client->xid;
}

/* A message in pieces may take many waits, and Calls of the peer's or strays may come before the
 * Reply; a peer that never replies does not keep us here. */
static bool wait_reply(struct nfs3_client *client, struct session_event *event)
{
    unsigned waits = 0;
    do {
        session_wait(client->session, client->timeout, event);
        if (event->type == SESSION_CALL)
            client->answered += requester_answer_in_session(client->session, event);
    } while (++waits < WAITS_MAX &&
             (event->type == SESSION_CALL || is_stray(client, event) ||
              (event->type == SESSION_NOTHING && session_waiting(client->session) > 0)));
    if (event->type == SESSION_CLOSED)
        return fail(client, client->link->why);
    if (event->type == SESSION_ERROR)
        return fail(client, rpcrdma_error_name(client->protocol, event->message.error.code)
                                ? rpcrdma_error_name(client->protocol, event->message.error.code)
                                : "an error");
    if (event->type == SESSION_REFUSED)
        return fail(client, "the peer refuses version 2");
    if (event->type == SESSION_UNSENT)
        return fail(client, "the Call was not sent: the peer has lowered what it takes");
    if (event->type != SESSION_REPLY || is_stray(client, event))
        return fail(client, "no Reply came");
    client->invalidated += event->invalidated;
    return true;
}

/* The Reply that is in the Reply chunk: as much of it as was returned. */
static bool take_external(struct nfs3_client *client, const struct nfs3_call *call,
                          const struct session_event *event, struct nfs3_read *reply)
{
    const struct rpcrdma1_write_chunk_opt *chunk = &event->message.chunks.rdma_reply;
    uint64_t length = chunk->present ? rpcrdma1_segments_length(&chunk->value.target) : 0;
    if (call->reply.octets == NULL || length > call->reply.length)
        return fail(client, "a Reply in a chunk that was not offered");
    *reply = (struct nfs3_read){call->reply.octets, (size_t)length};
    return true;
}

/* Send it, and find the results of the Reply, which stay until the next call with the session. */
static bool execute(struct nfs3_client *client, struct nfs3_call *call, struct nfs3_read *results)
{
    struct session_message message = {
        .direction = RPCRDMA_CALL, .xid = client->xid, .rpc = call->rpc, .length = call->length};
    struct session_event event;
    if (!give(client, call, &message) || !offer(client, call, &message))
        return false;
    message.invalidate = handle_to_invalidate(client, call);
    if (!session_send(client->session, &message))
        return fail(client, "the session does not take the Call");
    if (!wait_reply(client, &event))
        return false;
    struct nfs3_read reply = {event.payload, event.length};
    if (event.message.form == RPCRDMA_FORM_SPECIAL && !take_external(client, call, &event, &reply))
        return false;
    static const uint32_t rest[] = {1, 0, 0, 0, 0, 0}; /* after the XID; NFS3_OK is the last */
    if (reply.length < REPLY_HEADER + 4 || rpcrdma_xdr_load32(reply.octets) != client->xid)
        return fail(client, "the Reply is too short, or another Call's");
    for (size_t i = 0; i < COUNT(rest); i++)
        if (rpcrdma_xdr_load32(reply.octets + 4 + 4 * i) != rest[i])
            return fail(client, "the Call failed");
    *results = (struct nfs3_read){reply.octets + REPLY_HEADER + 4, reply.length - REPLY_HEADER - 4};
    return true;
}

/* ---- procedures ---- */

static bool lookup(struct nfs3_client *client, struct nfs3_call *call, const char *name,
                   struct nfs3_handle *handle)
{
    struct nfs3_read results;
    put_opaque(call, NULL, 0);
    put_opaque(call, name, strlen(name));
    if (!execute(client, call, &results))
        return false;
    handle->length = results.length < 4 ? UINT32_MAX : rpcrdma_xdr_load32(results.octets);
    if (handle->length > NFS3_HANDLE_MAX || handle->length > results.length - 4)
        return fail(client, "LOOKUP: the handle is too long");
    memcpy(handle->octets, results.octets + 4, handle->length);
    return true;
}

bool nfs3_lookup(struct nfs3_client *client, const char *name, struct nfs3_handle *handle)
{
    struct nfs3_call call;
    bool good =
        strlen(name) <= NFS3_NAME_MAX && begin(client, &call, NFS3_PAYLOAD, LOOKUP, NFS3_NAME_MAX);
    if (!good)
        return false;
    good = lookup(client, &call, name, handle);
    end(client, &call);
    return good;
}

static bool write_call(struct nfs3_client *client, struct nfs3_call *call,
                       const struct nfs3_handle *handle, uint64_t offset, const uint8_t *data,
                       uint32_t length)
{
    enum { FILE_SYNC = 2, COUNT_AT = 4 + 4 + ATTRIBUTES };
    struct nfs3_read results;
    put_opaque(call, handle->octets, handle->length);
    put(call, (uint32_t)(offset >> 32));
    put(call, (uint32_t)offset);
    put(call, length);
    put(call, FILE_SYNC);
    call->item_at = call->length + 4;
    call->item_length = length;
    put_opaque(call, data, length);
    call->reply_room = 512;
    if (!execute(client, call, &results))
        return false;
    if (results.length < COUNT_AT + 4 || rpcrdma_xdr_load32(results.octets + COUNT_AT) != length)
        return fail(client, "WRITE: the count is another");
    return true;
}

bool nfs3_write(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
                uint64_t offset, const uint8_t *data, uint32_t length)
{
    struct nfs3_call call;
    if (!begin(client, &call, way, WRITE, length))
        return false;
    bool good = write_call(client, &call, handle, offset, data, length);
    end(client, &call);
    return good;
}

/* READ3resok: attributes, the count, whether it is the end, the data's length and octets. */
static bool take_data(struct nfs3_client *client, const struct nfs3_call *call,
                      const struct nfs3_read *results, uint8_t *data, uint32_t length)
{
    enum { COUNT_AT = 4 + ATTRIBUTES, LENGTH_AT = COUNT_AT + 8, DATA_AT = LENGTH_AT + 4 };
    bool in_chunk = call->data.octets != NULL;
    if (results->length < DATA_AT || rpcrdma_xdr_load32(results->octets + COUNT_AT) != length ||
        rpcrdma_xdr_load32(results->octets + LENGTH_AT) != length)
        return fail(client, "READ: the count is another");
    if (results->length - DATA_AT != (in_chunk ? 0 : (length + 3) / 4 * 4))
        return fail(client, "READ: the results have another length");
    if (length > 0)
        memcpy(data, in_chunk ? call->data.octets : results->octets + DATA_AT, length);
    return true;
}

bool nfs3_read(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
               uint64_t offset, uint8_t *data, uint32_t length)
{
    struct nfs3_call call;
    struct nfs3_read results;
    if (!begin(client, &call, way, READ, 0))
        return false;
    put_opaque(&call, handle->octets, handle->length);
    put(&call, (uint32_t)(offset >> 32));
    put(&call, (uint32_t)offset);
    put(&call, length);
    call.data_room = length;
    call.reply_room = (size_t)length + 512;
    bool good =
        execute(client, &call, &results) && take_data(client, &call, &results, data, length);
    end(client, &call);
    return good;
}

/* One entry: its id, name and cookie. Octets that it takes, or 0. */
static size_t take_entry(const uint8_t *octets, size_t length, uint64_t *id, char *name,
                         uint64_t *cookie)
{
    uint32_t octets_of_name = length < 12 ? UINT32_MAX : rpcrdma_xdr_load32(octets + 8);
    if (octets_of_name > NFS3_NAME_MAX)
        return 0;
    size_t padded = (octets_of_name + 3) / 4 * 4;
    if (length < 12 + padded + 8)
        return 0;
    *id = rpcrdma_xdr_load64(octets);
    memcpy(name, octets + 12, octets_of_name);
    name[octets_of_name] = '\0';
    *cookie = rpcrdma_xdr_load64(octets + 12 + padded);
    return 12 + padded + 8;
}

static bool take_entries(struct nfs3_client *client, const struct nfs3_read *results,
                         uint64_t *cookie, bool *last, nfs3_entry *entry, void *arg)
{
    char name[NFS3_NAME_MAX + 1];
    size_t at = 4 + ATTRIBUTES + 8; /* attributes and the verifier */
    uint64_t id;
    while (results->length >= at + 4 && rpcrdma_xdr_load32(results->octets + at) == 1) {
        size_t taken =
            take_entry(results->octets + at + 4, results->length - at - 4, &id, name, cookie);
        if (taken == 0)
            return fail(client, "READDIR: an entry cannot be read");
        if (!entry(arg, name, id))
            return fail(client, "READDIR: an entry is another");
        at += 4 + taken;
    }
    if (results->length != at + 8)
        return fail(client, "READDIR: the results have another length");
    *last = rpcrdma_xdr_load32(results->octets + at + 4) != 0;
    return true;
}

bool nfs3_readdir(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
                  uint64_t *cookie, uint32_t count, bool *last, nfs3_entry *entry, void *arg)
{
    struct nfs3_call call;
    struct nfs3_read results;
    if (!begin(client, &call, way, READDIR, 0))
        return false;
    put_opaque(&call, handle->octets, handle->length);
    put(&call, (uint32_t)(*cookie >> 32));
    put(&call, (uint32_t)*cookie);
    put(&call, 0); /* the verifier */
    put(&call, 0);
    put(&call, count);
    call.reply_room = (size_t)count + 512;
    bool good = execute(client, &call, &results) &&
                take_entries(client, &results, cookie, last, entry, arg);
    end(client, &call);
    return good;
}
