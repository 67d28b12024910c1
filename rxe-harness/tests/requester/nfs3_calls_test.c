// SPDX-License-Identifier: BSD-3-Clause
/* NFS version 3 on the Requester's side: its Calls word by word as RFC 1813 has them, their chunks,
 * and Replies that are not as they should be. By both drafts of version 2. */
#include "rxe-harness/requester/nfs3_calls.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

/* ---- a server that answers by what it is given ---- */

#define MOST 8192
#define SEGMENTS 8

static struct {
    struct link *link;
    struct session *session;
    struct transport *transport;
    unsigned calls;
    uint8_t payload[MOST];
    size_t length;
    bool is_external;
    unsigned reads, writes, replies; /* segments */
    uint32_t position[SEGMENTS];
    struct rpcrdma1_segment read[SEGMENTS], write[SEGMENTS], reply[SEGMENTS];
    uint8_t given[MOST]; /* what the Read segments hold */
    size_t given_length;
    /* the answer */
    uint8_t answer[MOST];
    size_t answer_length;
    uint8_t data[MOST]; /* into the Write chunk */
    size_t data_length;
    bool external; /* the answer is in the Reply chunk */
    bool is_silent, refuses, closes, invalidates;
    uint32_t other_xid; /* not 0: the Reply has it */
    uint32_t named;     /* the handle that may be invalidated, or 0 */
} peer;

static struct nfs3_client client;

static unsigned take_reads(const struct rpcrdma1_read_list *list, unsigned count)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        ck_assert_uint_lt(count, SEGMENTS);
        peer.position[count] = segment.position;
        peer.read[count++] = segment.target;
        ck_assert_uint_le(peer.given_length + segment.target.length, MOST);
        ck_assert(peer.link->ops->read(peer.link, segment.target.handle, segment.target.offset,
                                       peer.given + peer.given_length, segment.target.length));
        peer.given_length += segment.target.length;
    }
    return count;
}

static unsigned take_segments(const struct rpcrdma1_segment_array *array,
                              struct rpcrdma1_segment *into)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(array);
    unsigned count = 0;
    while (count < SEGMENTS && rpcrdma1_segment_array_next(&iter, &into[count]))
        count++;
    return count;
}

/* Write octets into segments, which come back as they were used. */
static void fill(const struct rpcrdma1_segment *segments, unsigned count, const uint8_t *octets,
                 size_t length, struct rpcrdma1_segment *used)
{
    for (unsigned i = 0; i < count; i++) {
        size_t part = length < segments[i].length ? length : segments[i].length;
        used[i] = segments[i];
        used[i].length = (uint32_t)part;
        if (part > 0)
            ck_assert(peer.link->ops->write(peer.link, segments[i].handle, segments[i].offset,
                                            octets, part));
        octets += part;
        length -= part;
    }
}

static void take_call(const struct session_event *event)
{
    const struct rpcrdma1_chunk_lists *lists = &event->message.chunks;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    peer.calls++;
    ck_assert_uint_le(event->length, MOST);
    memcpy(peer.payload, event->payload, event->length);
    peer.length = event->length;
    peer.is_external = event->message.form == RPCRDMA_FORM_SPECIAL;
    peer.given_length = peer.writes = peer.replies = 0;
    peer.reads = take_reads(&event->message.call_chunk, 0);
    peer.reads = take_reads(&lists->rdma_reads, peer.reads);
    if (rpcrdma1_write_list_next(&iter, &chunk))
        peer.writes = take_segments(&chunk.target, peer.write);
    ck_assert(!rpcrdma1_write_list_next(&iter, &chunk));
    if (lists->rdma_reply.present)
        peer.replies = take_segments(&lists->rdma_reply.value.target, peer.reply);
    peer.named = event->message.rpc.invalidate;
}

static void answer(uint32_t xid)
{
    struct rpcrdma1_segment writes[SEGMENTS], replies[SEGMENTS];
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = writes, .count = peer.writes}};
    struct session_message message = {.direction = RPCRDMA_REPLY,
                                      .xid = xid,
                                      .rpc = peer.answer,
                                      .length = peer.answer_length,
                                      .external = peer.external};
    rpcrdma_xdr_store32(peer.answer, peer.other_xid ? peer.other_xid : xid);
    fill(peer.write, peer.writes, peer.data, peer.data_length, writes);
    fill(peer.reply, peer.replies, peer.answer, peer.external ? peer.answer_length : 0, replies);
    if (peer.writes > 0)
        message.writes = (struct rpcrdma1_write_list){.items = &chunk, .count = 1};
    if (peer.replies > 0 && (peer.external || client.protocol == RPCRDMA_PROTOCOL_2_04)) {
        message.reply.present = true;
        message.reply.value.target =
            (struct rpcrdma1_segment_array){.items = replies, .count = peer.replies};
    }
    if (peer.invalidates && peer.named)
        message.invalidates = &peer.named;
    ck_assert(session_send(peer.session, &message));
}

static void *begin(void *arg, struct link *link)
{
    const struct session_options options = responder_session_options(client.protocol);
    (void)arg;
    peer.link = link;
    peer.session = session_new(link, &options);
    return &peer;
}

static bool step(void *arg)
{
    struct session_event event;
    (void)arg;
    if (peer.link == NULL)
        return false;
    session_wait(peer.session, 0, &event);
    if (event.type != SESSION_CALL)
        return event.type != SESSION_NOTHING && event.type != SESSION_CLOSED;
    uint32_t xid = event.message.prefix.xid;
    take_call(&event);
    if (peer.closes) {
        peer.link->ops->close(peer.link);
        peer.link = NULL;
    } else if (peer.refuses) {
        session_send_error(peer.session, xid, RPCRDMA2_07_ERR_BAD_XDR, (uint32_t[2]){0});
    } else if (!peer.is_silent) {
        answer(xid);
    }
    return true;
}

static void end(void *arg)
{
    (void)arg;
    session_free(peer.session);
    if (peer.link)
        peer.link->ops->close(peer.link);
    peer.link = NULL;
}

/* ---- the client ---- */

static void words(const uint32_t *list, size_t count)
{
    memset(peer.answer, 0, sizeof peer.answer);
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(peer.answer + 4 * i, list[i]);
    peer.answer_length = 4 * count;
}
#define WORDS(...)                                                                                 \
    words((const uint32_t[]){__VA_ARGS__},                                                         \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define ACCEPTED 0, 1, 0, 0, 0, 0
#define ATTRIBUTES 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

static const struct nfs3_handle file = {5, "abcde"};
static uint8_t data[4096], back[4096];
static struct session_options options;

static void open_client(enum rpcrdma_protocol draft)
{
    const struct loopback_peer side = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    options = (struct session_options){.protocol = draft,
                                       .active = true,
                                       .credits = 8,
                                       .send_size = SESSION_INLINE,
                                       .receive_size = SESSION_INLINE,
                                       .segments = 64,
                                       .message_max = 1 << 20,
                                       .queue_max = 1 << 20};
    const struct link_options receives = {.receive_size = SESSION_INLINE,
                                          .receives = session_receives(&options)};
    memset(&peer, 0, sizeof peer);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + 1);
    client = (struct nfs3_client){.protocol = draft, .timeout = 20, .invalidates = true};
    peer.transport = transport_loopback(&side);
    client.link = peer.transport->ops->connect(peer.transport, &receives);
    client.session = session_new(client.link, &options);
    ck_assert_ptr_nonnull(client.session);
}

static void close_client(void)
{
    session_free(client.session);
    client.link->ops->close(client.link);
    peer.transport->ops->close(peer.transport);
}

/* ---- what is called ---- */

static void called(const uint8_t *octets, size_t length, uint32_t procedure,
                   const uint32_t *arguments, size_t count)
{
    const uint32_t header[] = {client.xid, 0, 2, 100003, 3, procedure, 0, 0, 0, 0};
    ck_assert_uint_eq(length, sizeof header + 4 * count);
    for (size_t i = 0; i < COUNT(header); i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 4 * i), header[i]);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rpcrdma_xdr_load32(octets + 40 + 4 * i) == arguments[i], "argument %zu", i);
}
#define CALLED(octets, length, procedure, ...)                                                     \
    called(octets, length, procedure, (const uint32_t[]){__VA_ARGS__},                             \
           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define FILE_HANDLE 5, 0x61626364, 0x65000000

/* Three segments beside each other, of whole words but the last, for this many octets. */
static void is_cut(const struct rpcrdma1_segment *segments, unsigned count, size_t length)
{
    ck_assert_uint_eq(count, NFS3_SEGMENTS);
    ck_assert_uint_eq(segments[0].length % 4, 0);
    ck_assert_uint_eq(segments[1].length, segments[0].length);
    ck_assert_uint_lt(length - 3 * (size_t)segments[0].length, 12);
    ck_assert_uint_eq(segments[2].length, length - 2 * (size_t)segments[0].length);
    for (unsigned i = 1; i < count; i++) {
        ck_assert_uint_eq(segments[i].handle, segments[0].handle);
        ck_assert_uint_eq(segments[i].offset, segments[i - 1].offset + segments[i - 1].length);
    }
}

static void answer_read(uint32_t count, bool in_payload)
{
    WORDS(ACCEPTED, 0, ATTRIBUTES, count, 1, count);
    if (in_payload) {
        memcpy(peer.answer + peer.answer_length, data, count);
        peer.answer_length += (count + 3) & ~3u;
    }
}

static void answer_write(uint32_t count)
{
    WORDS(ACCEPTED, 0, 0, ATTRIBUTES, count, 2, 0, 0);
}

START_TEST(names_are_looked_up)
{
    struct nfs3_handle found = {0};
    open_client(drafts[_i]);
    WORDS(ACCEPTED, 0, 6, 0x61626364, 0x65660000, ATTRIBUTES, 0);
    ck_assert(nfs3_lookup(&client, "five5", &found));
    CALLED(peer.payload, peer.length, 3, 0, 5, 0x66697665, 0x35000000);
    ck_assert_uint_eq(found.length, 6);
    ck_assert_mem_eq(found.octets, "abcdef", 6);
    ck_assert(nfs3_lookup(&client, "", &found));
    ck_assert_uint_eq(client.xid, 2);
    CALLED(peer.payload, peer.length, 3, 0, 0);
    /* The longest name. */
    char name[NFS3_NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[NFS3_NAME_MAX] = '\0';
    ck_assert(nfs3_lookup(&client, name, &found));
    ck_assert_uint_eq(peer.length, 40 + 4 + 4 + NFS3_NAME_MAX);
    memcpy(name + NFS3_NAME_MAX, "n", 2);
    ck_assert(!nfs3_lookup(&client, name, &found));
    ck_assert_uint_eq(peer.calls, 3);
    close_client();
}
END_TEST

/* RFC 8267 section 6.1: WRITE's data may be in a chunk, at the Position after its length. */
START_TEST(data_are_written_in_three_ways)
{
    static const uint32_t lengths[] = {0, 1, 5, 100, 1001};
    open_client(drafts[_i]);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const uint32_t length = lengths[i], padded = (length + 3) & ~3u;
        answer_write(length);
        ck_assert_msg(nfs3_write(&client, NFS3_PAYLOAD, &file, 0x100000002, data, length), "%s",
                      client.error);
        ck_assert_uint_eq(peer.length, 40 + 12 + 16 + 4 + padded);
        CALLED(peer.payload, 40 + 32, 7, FILE_HANDLE, 1, 2, length, 2, length);
        ck_assert_mem_eq(peer.payload + 72, data, length);
        ck_assert_uint_eq(peer.reads + peer.writes + peer.replies, 0);
        ck_assert(nfs3_write(&client, NFS3_CHUNK, &file, 0x100000002, data, length));
        CALLED(peer.payload, peer.length, 7, FILE_HANDLE, 1, 2, length, 2, length);
        ck_assert_uint_eq(peer.reads, length > 0 ? 3 : 0);
        ck_assert_uint_eq(peer.given_length, length);
        ck_assert_mem_eq(peer.given, data, length);
        if (length > 0)
            is_cut(peer.read, peer.reads, length);
        for (unsigned j = 0; j < peer.reads; j++)
            ck_assert_uint_eq(peer.position[j], 72);
        ck_assert_uint_eq(peer.named, length > 0 ? peer.read[0].handle : 0);
        ck_assert(nfs3_write(&client, NFS3_EXTERNAL, &file, 0x100000002, data, length));
        ck_assert(peer.is_external);
        ck_assert_uint_eq(peer.length, 0);
        ck_assert_uint_eq(peer.given_length, 40 + 32 + padded);
        CALLED(peer.given, 40 + 32, 7, FILE_HANDLE, 1, 2, length, 2, length);
        ck_assert_mem_eq(peer.given + 72, data, length);
        is_cut(peer.read, peer.reads, peer.given_length);
        for (unsigned j = 0; j < peer.reads; j++)
            ck_assert_uint_eq(peer.position[j], 0);
        is_cut(peer.reply, peer.replies, 512);
        ck_assert_uint_eq(peer.named, peer.read[0].handle);
    }
    close_client();
}
END_TEST

START_TEST(data_are_read_in_three_ways)
{
    static const uint32_t lengths[] = {0, 1, 5, 100, 1001};
    open_client(drafts[_i]);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const uint32_t length = lengths[i];
        for (unsigned way = 0; way < NFS3_WAYS; way++) {
            bool in_chunk = way == NFS3_CHUNK && length > 0;
            answer_read(length, !in_chunk);
            memcpy(peer.data, data, length);
            peer.data_length = in_chunk ? length : 0;
            peer.external = way == NFS3_EXTERNAL;
            memset(back, 0, sizeof back);
            ck_assert_msg(nfs3_read(&client, (enum nfs3_way)way, &file, 0x300000004, back, length),
                          "%s", client.error);
            ck_assert_mem_eq(back, data, length);
            ck_assert_uint_eq(back[length], 0);
            const uint8_t *call = way == NFS3_EXTERNAL ? peer.given : peer.payload;
            CALLED(call, way == NFS3_EXTERNAL ? peer.given_length : peer.length, 6, FILE_HANDLE, 3,
                   4, length);
            ck_assert_uint_eq(peer.writes, in_chunk ? 3 : 0);
            if (in_chunk)
                is_cut(peer.write, peer.writes, length);
            ck_assert_uint_eq(peer.replies, peer.external ? 3 : 0);
            if (peer.external)
                is_cut(peer.reply, peer.replies, length + 512);
            ck_assert_uint_eq(peer.reads, peer.external ? 3 : 0);
            ck_assert_uint_eq(peer.named, peer.external ? peer.read[0].handle
                                          : in_chunk    ? peer.write[0].handle
                                                        : 0);
        }
    }
    close_client();
}
END_TEST

/* The first handle is invalidated, if the client wants that. */
START_TEST(handles_are_invalidated)
{
    open_client(drafts[_i]);
    answer_write(5);
    peer.invalidates = true;
    ck_assert(nfs3_write(&client, NFS3_PAYLOAD, &file, 0, data, 5));
    ck_assert_uint_eq(client.invalidated, 0);
    ck_assert(nfs3_write(&client, NFS3_CHUNK, &file, 0, data, 5));
    ck_assert_uint_eq(client.invalidated, 1);
    ck_assert(nfs3_write(&client, NFS3_EXTERNAL, &file, 0, data, 5));
    ck_assert_uint_eq(client.invalidated, 2);
    client.invalidates = false;
    ck_assert(nfs3_write(&client, NFS3_CHUNK, &file, 0, data, 5));
    ck_assert_uint_eq(client.invalidated, 2);
    ck_assert_uint_eq(peer.named, 0);
    close_client();
}
END_TEST

/* ---- READDIR ---- */

static unsigned entries;

static bool take_entry(void *arg, const char *name, uint64_t id)
{
    static const struct {
        const char *name;
        uint64_t id;
    } expected[] = {{"a", 0x500000006}, {"four", 7}};
    ck_assert_ptr_eq(arg, &entries);
    ck_assert_uint_lt(entries, 2);
    ck_assert_str_eq(name, expected[entries].name);
    return id == expected[entries++].id;
}

#define ENTRY_A 1, 5, 6, 1, 0x61000000, 8, 9
#define ENTRY_FOUR 1, 0, 7, 4, 0x666f7572, 0, 10
#define BEFORE ACCEPTED, 0, ATTRIBUTES, 0, 0

START_TEST(directories_are_read)
{
    open_client(drafts[_i]);
    for (uint32_t last = 0; last < 2; last++) {
        for (int external = 0; external < 2; external++) {
            uint64_t cookie = 0x100000002;
            bool end_of_it = !last;
            entries = 0;
            peer.external = external;
            WORDS(BEFORE, ENTRY_A, ENTRY_FOUR, 0, last);
            ck_assert_msg(nfs3_readdir(&client, external ? NFS3_EXTERNAL : NFS3_PAYLOAD, &file,
                                       &cookie, 777, &end_of_it, take_entry, &entries),
                          "%s", client.error);
            CALLED(external ? peer.given : peer.payload, external ? peer.given_length : peer.length,
                   16, FILE_HANDLE, 1, 2, 0, 0, 777);
            ck_assert_uint_eq(entries, 2);
            ck_assert_uint_eq(cookie, 10);
            ck_assert_int_eq(end_of_it, last);
            if (external)
                is_cut(peer.reply, peer.replies, 777 + 512);
        }
    }
    uint64_t cookie = 3;
    bool last = false;
    peer.external = false;
    WORDS(BEFORE, 0, 1);
    ck_assert(nfs3_readdir(&client, NFS3_PAYLOAD, &file, &cookie, 777, &last, take_entry, NULL));
    ck_assert_uint_eq(cookie, 3);
    ck_assert(last);
    close_client();
}
END_TEST

static void says(const char *why)
{
    ck_assert_msg(strlen(client.error) > 16 && strcmp(client.error + 16, why) == 0, "%s, not %s",
                  client.error, why);
}

/* Cut off, with more after it, with an entry that is another or too long. */
START_TEST(wrong_directories_are_found)
{
    uint64_t cookie = 0;
    bool last;
    open_client(drafts[_i]);
    WORDS(BEFORE, ENTRY_A, ENTRY_FOUR, 0, 1);
    for (size_t whole = peer.answer_length, length = 28 + 4 * 24; length < whole + 8; length += 4) {
        peer.answer_length = length;
        entries = 0;
        ck_assert_int_eq(
            nfs3_readdir(&client, NFS3_PAYLOAD, &file, &cookie, 777, &last, take_entry, &entries),
            length == whole);
    }
    says("READDIR: the results have another length");
    entries = 1; /* and not the first */
    WORDS(BEFORE, 1, 0, 6, 4, 0x666f7572, 0, 10, 0, 1);
    ck_assert(
        !nfs3_readdir(&client, NFS3_PAYLOAD, &file, &cookie, 777, &last, take_entry, &entries));
    says("READDIR: an entry is another");
    WORDS(BEFORE, 1, 0, 6, NFS3_NAME_MAX + 1);
    peer.answer_length += 100;
    ck_assert(
        !nfs3_readdir(&client, NFS3_PAYLOAD, &file, &cookie, 777, &last, take_entry, &entries));
    says("READDIR: an entry cannot be read");
    close_client();
}
END_TEST

/* ---- Replies that are wrong ---- */

/* Each of the words before the results has to be what a good Reply has there. */
START_TEST(failures_are_found)
{
    open_client(drafts[_i]);
    for (size_t word = 6; word >= 1; word--) { /* the last: no Reply of RPC any more */
        answer_write(5);
        rpcrdma_xdr_store32(peer.answer + 4 * word, word == 1 ? 2 : 1);
        ck_assert(!nfs3_write(&client, NFS3_PAYLOAD, &file, 0, data, 5));
        if (word > 1)
            says("the Call failed");
    }
    answer_write(5);
    peer.other_xid = client.xid + 2;
    ck_assert(!nfs3_write(&client, NFS3_PAYLOAD, &file, 0, data, 5));
    peer.other_xid = 0;
    answer_write(5);
    size_t whole = peer.answer_length;
    /* Up to the count there has to be all of it. */
    for (size_t length = 24; length <= whole; length += 4) {
        peer.answer_length = length;
        ck_assert_int_eq(nfs3_write(&client, NFS3_PAYLOAD, &file, 0, data, 5),
                         length >= whole - 12);
        if (length < 32)
            says(length == 24 ? "the Reply is too short, or another Call's"
                              : "WRITE: the count is another");
    }
    answer_write(4);
    ck_assert(!nfs3_write(&client, NFS3_PAYLOAD, &file, 0, data, 5));
    says("WRITE: the count is another");
    close_client();
}
END_TEST

START_TEST(wrong_handles_are_found)
{
    struct nfs3_handle found;
    open_client(drafts[_i]);
    WORDS(ACCEPTED, 0);
    ck_assert(!nfs3_lookup(&client, "name", &found));
    says("LOOKUP: the handle is too long");
    WORDS(ACCEPTED, 0, 5, 1);
    ck_assert(!nfs3_lookup(&client, "name", &found));
    WORDS(ACCEPTED, 0, NFS3_HANDLE_MAX);
    peer.answer_length += NFS3_HANDLE_MAX + 4;
    ck_assert(nfs3_lookup(&client, "name", &found));
    ck_assert_uint_eq(found.length, NFS3_HANDLE_MAX);
    rpcrdma_xdr_store32(peer.answer + 28, NFS3_HANDLE_MAX + 1);
    ck_assert(!nfs3_lookup(&client, "name", &found));
    close_client();
}
END_TEST

START_TEST(wrong_data_are_found)
{
    open_client(drafts[_i]);
    answer_read(5, true);
    size_t whole = peer.answer_length;
    for (size_t length = 28; length <= whole + 4; length += 4) {
        peer.answer_length = length;
        ck_assert_int_eq(nfs3_read(&client, NFS3_PAYLOAD, &file, 0, back, 5), length == whole);
        if (length != whole)
            says(length < whole - 8 ? "READ: the count is another"
                                    : "READ: the results have another length");
    }
    for (size_t before = 12; before <= 20; before += 8) { /* the length, and the count */
        answer_read(5, true);
        rpcrdma_xdr_store32(peer.answer + whole - before, 6);
        ck_assert(!nfs3_read(&client, NFS3_PAYLOAD, &file, 0, back, 5));
        says("READ: the count is another");
    }
    /* In the chunk there is nothing after the length. */
    answer_read(5, true);
    ck_assert(!nfs3_read(&client, NFS3_CHUNK, &file, 0, back, 5));
    says("READ: the results have another length");
    close_client();
}
END_TEST

START_TEST(no_answer_is_no_answer)
{
    struct nfs3_handle found;
    open_client(drafts[_i]);
    WORDS(ACCEPTED, 0, 4, 1);
    ck_assert(nfs3_lookup(&client, "name", &found));
    peer.is_silent = true;
    ck_assert(!nfs3_lookup(&client, "name", &found));
    says("no Reply came");
    peer.is_silent = false;
    peer.refuses = true;
    ck_assert(!nfs3_lookup(&client, "name", &found));
    says(rpcrdma_error_name(drafts[_i], 2));
    peer.refuses = false;
    peer.closes = true;
    ck_assert(!nfs3_lookup(&client, "name", &found));
    says(client.link->why);
    close_client();
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("Calls of NFS version 3");
    tcase_add_loop_test(tests, names_are_looked_up, 0, 2);
    tcase_add_loop_test(tests, data_are_written_in_three_ways, 0, 2);
    tcase_add_loop_test(tests, data_are_read_in_three_ways, 0, 2);
    tcase_add_loop_test(tests, handles_are_invalidated, 0, 2);
    tcase_add_loop_test(tests, directories_are_read, 0, 2);
    tcase_add_loop_test(tests, wrong_directories_are_found, 0, 2);
    tcase_add_loop_test(tests, failures_are_found, 0, 2);
    tcase_add_loop_test(tests, wrong_handles_are_found, 0, 2);
    tcase_add_loop_test(tests, wrong_data_are_found, 0, 2);
    tcase_add_loop_test(tests, no_answer_is_no_answer, 0, 2);
    return run_tests("Calls of NFS version 3", tests);
}
