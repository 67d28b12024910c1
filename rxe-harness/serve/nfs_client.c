// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/nfs_client.h"

#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE 1000 /* milliseconds for a Reply */
#define READ 4096     /* octets at a time */
#define READS 3
#define MESSAGES 64 /* that may come before a Reply */
#define FILE_NAME "file"
#define SEVERAL 3       /* READs of one COMPOUND */
#define ITEM_INLINE 200 /* octets of one without a chunk */
#define COMPOUNDS 200

struct client {
    struct requester *requester;
    struct nfs_session session;
    struct nfs_results results, opened; /* of the last Call, without items; of OPEN */
    char *text;
};

/* ---- a Call ---- */

/* Its Reply; Calls of the server's that come before it are answered. */
static void receive(struct requester *requester, struct requester_pending *pending,
                    struct requester_reply *reply)
{
    *reply = (struct requester_reply){.outcome = RPCRDMA_DISCARD, .text = "silence"};
    for (int i = 0; i < MESSAGES; i++) {
        struct link_event event;
        requester_wait(requester, PATIENCE, &event);
        if (event.type != LINK_RECEIVED)
            return;
        if (requester_answer_call(requester))
            continue;
        requester_read_reply(&event, pending, reply);
        if (reply->xid == pending->xid)
            return;
    }
}

/* READ octets of the file at a time: each begins the pattern anew. */
static bool is_file(const struct nfs_results *results)
{
    const struct nfs_item *item = &results->items[0];
    bool good = results->item_count == 1 && item->length == READ && item->in_chunk;
    for (uint32_t i = 0; good && i < READ; i++)
        good = item->octets[i] == TEST_OCTET(i);
    return good;
}

/* `reads`: the results are to bring octets of the file. */
static const char *call(struct client *client, const struct nfs_compound *compound, bool reads)
{
    struct requester *requester = client->requester;
    struct requester_call shape = {.write_segments = reads ? 2 : 0, .write_room = READ};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply = {.text = "a Call that cannot be sent"};
    struct nfs_results results = {.status = NFS_NFS4ERR_SERVERFAULT};
    uint8_t *args = nfs_encode(compound, &shape);
    if (args && requester_begin(requester, &shape, &pending))
        receive(requester, &pending, &reply);
    bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0 &&
                nfs_read_results(&pending, &reply, &results) && results.status == NFS_NFS4_OK &&
                (!reads || is_file(&results));
    snprintf(client->text, 256, "NFSv4.1, operation %u: %.100s, status %u%s%.60s",
             (unsigned)compound->operations[compound->count - 1].argop, reply.text, results.status,
             results.wrong[0] != '\0' ? ", " : "", results.wrong);
    requester_forget(requester, &pending);
    free(args);
    client->results = results;
    return good ? NULL : client->text;
}

/* ---- what it does ---- */

typedef const char *step(struct client *client);

static const char *identify(struct client *client)
{
    static const uint8_t verifier[8] = {1};
    struct nfs_compound compound;
    nfs_exchange_id(&compound, "reference Requester", verifier);
    const char *wrong = call(client, &compound, false);
    client->session = client->results.session;
    return wrong;
}

static const char *begin_session(struct client *client)
{
    struct nfs_compound compound;
    nfs_create_session(&compound, &client->session, NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN,
                       REVERSE_PROGRAM);
    const char *wrong = call(client, &compound, false);
    memcpy(client->session.id, client->results.session.id, sizeof client->session.id);
    return wrong;
}

static const char *reclaim(struct client *client)
{
    struct nfs_compound compound;
    nfs_reclaim_complete(&compound, &client->session);
    return call(client, &compound, false);
}

static const char *look(struct client *client)
{
    struct nfs_compound compound;
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_getattr(&compound);
    nfs_readdir(&compound, 4096);
    const char *wrong = call(client, &compound, false);
    return wrong ? wrong : client->results.entries == 1 ? NULL : "READDIR shows no file";
}

static const char *open_file(struct client *client)
{
    struct nfs_compound compound;
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_open(&compound, &client->session, FILE_NAME);
    const char *wrong = call(client, &compound, false);
    client->opened = client->results;
    return wrong;
}

static const char *read_file(struct client *client)
{
    struct nfs_compound compound;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < READS && wrong == NULL; i++) {
        nfs_begin_in_session(&compound, &client->session, false);
        nfs_lookup(&compound, FILE_NAME, strlen(FILE_NAME));
        nfs_read(&compound, (uint64_t)i * READ, READ);
        nfs_getattr(&compound);
        wrong = call(client, &compound, true);
    }
    return wrong;
}

static const char *return_delegation(struct client *client)
{
    struct nfs_compound compound;
    if (!client->opened.has_delegation)
        return "OPEN brings no delegation";
    if (client->requester->recalled &&
        memcmp(client->requester->recalled_other, client->opened.delegation, 12) != 0)
        return "another delegation is recalled than was given";
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_lookup(&compound, FILE_NAME, strlen(FILE_NAME));
    nfs_return_delegation(&compound, client->opened.delegation);
    return call(client, &compound, false);
}

static const char *close_file(struct client *client)
{
    struct nfs_compound compound;
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_lookup(&compound, FILE_NAME, strlen(FILE_NAME));
    nfs_close(&compound, client->opened.opened);
    return call(client, &compound, false);
}

static const char *end_session(struct client *client)
{
    struct nfs_compound compound;
    nfs_destroy_session(&compound, &client->session);
    return call(client, &compound, false);
}

static const char *end_client(struct client *client)
{
    struct nfs_compound compound;
    nfs_destroy_clientid(&compound, &client->session);
    return call(client, &compound, false);
}

static const char *take_steps(struct client *client, step *const *steps, size_t count)
{
    const char *wrong = NULL;
    client->requester->program = NFS_PROGRAM;
    client->requester->version = NFS_VERSION;
    for (size_t i = 0; i < count && wrong == NULL; i++)
        wrong = steps[i](client);
    return wrong;
}

const char *serve_nfs_client(struct requester *requester, char text[256])
{
    static step *const steps[] = {identify,    begin_session, reclaim,           look,
                                  open_file,   read_file,     return_delegation, close_file,
                                  end_session, end_client};
    struct client client = {.requester = requester, .text = text};
    return take_steps(&client, steps, COUNT(steps));
}

/* ---- several READs at once ---- */

/* The last of them in the file comes first, so that at the end a READ that brings nothing comes
 * before one that does. */
struct reader {
    struct client client;
    enum reads_fault fault;
    uint64_t offset;
    uint32_t sum;
    bool end;
    unsigned chunks, empty; /* Write chunks of the Call; those without segments, by bits */
    const struct requester_pending *pending;
    const struct requester_reply *reply;
    unsigned taken, used; /* READs of the Reply; chunks that are used up */
    struct span {
        uint64_t offset;
        uint32_t asked, length;
        bool eof;
        uint8_t data[READ];
    } spans[SEVERAL]; /* in the order of the READs */
};

static const char *complain(struct reader *reader, const char *why)
{
    snprintf(reader->client.text, 256, "octet %llu: %.150s", (unsigned long long)reader->offset,
             why);
    return reader->client.text;
}

static bool has_chunk(const struct reader *reader, unsigned number)
{
    return number < reader->chunks && !(reader->empty >> number & 1);
}

/* Whose memory has the data of this READ: that of its own number. */
static unsigned chunk_of(const struct reader *reader, unsigned number)
{
    bool counts = reader->fault == READS_COUNTS_USED || reader->fault == READS_NOTHING_IN_NONE;
    return reader->fault == READS_SECOND_INTO_FIRST && number == 1 ? 0
           : counts                                                ? reader->used
                                                                   : number;
}

static bool take_data(struct reader *reader, struct span *span,
                      const struct rpcrdma_xdr_opaque *data, bool is_out, unsigned number)
{
    const struct requester_pending *pending = reader->pending;
    bool trusts = reader->fault == READS_TRUSTS_LIST, in_chunk = has_chunk(reader, number);
    if (data->length > span->asked)
        return complain(reader, "READ: more data than were asked for"), false;
    bool is_inline = !is_out && data->length > 0;
    if (is_inline && in_chunk && reader->fault != READS_TAKES_INLINE)
        return complain(reader, "READ: the data are not in their chunk"), false;
    if (in_chunk && !is_inline && !trusts && data->length != reader->reply->chunk_lengths[number])
        return complain(reader, "READ: other data are in the chunk than the count says"), false;
    if (is_inline)
        memcpy(span->data, data->data, data->length);
    else if (data->length > 0)
        memcpy(span->data, pending->item + chunk_of(reader, number) * pending->item_room,
               data->length);
    span->length = data->length;
    reader->used += !is_inline && (data->length > 0 || reader->fault != READS_NOTHING_IN_NONE);
    return true;
}

static bool take_read(void *arg, const struct nfs_resop4 *result, bool is_out, unsigned number)
{
    struct reader *reader = arg;
    if (result->resop != NFS_OP_READ || reader->taken == SEVERAL)
        return true;
    struct span *span = &reader->spans[reader->taken++];
    if (result->opread.status == NFS_NFS4_OK) {
        span->eof = result->opread.resok4.eof;
        return take_data(reader, span, &result->opread.resok4.data, is_out, number);
    }
    if (reader->fault != READS_IGNORES_STATUS)
        return complain(reader, "READ failed"), false;
    const struct rpcrdma_xdr_opaque all = {.length = span->asked};
    return take_data(reader, span, &all, true, reader->taken - 1);
}

/* What came, in the order of the file, up to the first READ that brought less than it could. */
static void sum_up(struct reader *reader)
{
    bool goes_on = true;
    uint64_t begin = reader->offset;
    for (unsigned i = SEVERAL; i > 0 && goes_on; i--) {
        const struct span *span = &reader->spans[i - 1];
        reader->sum = told_sum(reader->sum, span->data, span->length);
        reader->offset += span->length;
        reader->end = reader->end || span->eof;
        goes_on = span->length == span->asked && !span->eof;
    }
    reader->end = reader->end || reader->offset == begin;
}

/* A chunk for each; for the first two; none for the second; none at all. */
static uint8_t *ask(struct reader *reader, unsigned number, struct requester_call *shape)
{
    static const struct {
        unsigned chunks, empty;
    } forms[] = {{SEVERAL, 0}, {2, 0}, {SEVERAL, 1 << 1}, {0, 0}};
    struct nfs_compound compound;
    uint64_t offset = reader->offset;
    reader->chunks = forms[number % COUNT(forms)].chunks;
    reader->empty = forms[number % COUNT(forms)].empty;
    reader->taken = reader->used = 0;
    for (unsigned i = SEVERAL; i > 0; i--) {
        struct span *span = &reader->spans[i - 1];
        span->asked = has_chunk(reader, i - 1) ? READ : ITEM_INLINE;
        span->offset = offset;
        span->length = 0;
        offset += span->asked;
    }
    nfs_begin_in_session(&compound, &reader->client.session, false);
    nfs_lookup(&compound, FILE_NAME, strlen(FILE_NAME));
    for (unsigned i = 0; i < SEVERAL; i++)
        nfs_read(&compound, reader->spans[i].offset, reader->spans[i].asked);
    *shape = (struct requester_call){.write_segments = reader->chunks > 0 ? 2 : 0,
                                     .write_room = READ,
                                     .write_chunks = reader->chunks,
                                     .empty_chunks = reader->empty};
    return nfs_encode(&compound, shape);
}

static const char *read_some(struct reader *reader, unsigned number)
{
    struct requester *requester = reader->client.requester;
    struct requester_call shape;
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply = {.text = "a Call that cannot be sent"};
    char wrong[128] = "";
    uint8_t *args = ask(reader, number, &shape);
    reader->client.text[0] = '\0';
    reader->pending = &pending;
    reader->reply = &reply;
    if (args && requester_begin(requester, &shape, &pending))
        receive(requester, &pending, &reply);
    bool trusts = reader->fault == READS_TRUSTS_LIST;
    if (trusts && reply.outcome == RPCRDMA_PROCESS)
        reply.chunks = reader->chunks;
    for (unsigned i = 0; trusts && i < reply.chunks; i++)
        reply.chunk_lengths[i] = has_chunk(reader, i);
    bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
    if (!good)
        complain(reader, reply.text);
    else if (reply.chunks != reader->chunks && reader->fault == READS_FAULTLESS)
        complain(reader, "another number of Write chunks than was offered");
    else if (!nfs_each_result(&reply, take_read, reader, wrong) && reader->client.text[0] == '\0')
        complain(reader, wrong);
    else if (reader->client.text[0] == '\0' && reader->taken < SEVERAL &&
             reader->fault != READS_IGNORES_STATUS)
        complain(reader, "fewer results than READs");
    sum_up(reader);
    requester_forget(requester, &pending);
    free(args);
    return reader->client.text[0] == '\0' ? NULL : reader->client.text;
}

const char *serve_nfs_reader(struct requester *requester, enum reads_fault fault,
                             struct told_reads *told, char text[256])
{
    static step *const before[] = {identify, begin_session, reclaim}, *const after[] = {end_session,
                                                                                        end_client};
    struct reader reader = {.client = {.requester = requester, .text = text}, .fault = fault};
    const char *wrong = take_steps(&reader.client, before, COUNT(before));
    for (unsigned number = 0; wrong == NULL && !reader.end && number < COMPOUNDS; number++)
        wrong = read_some(&reader, number);
    if (wrong == NULL)
        told_read(told, FILE_NAME, told_sum_end(reader.sum, reader.offset), reader.offset);
    char left[256]; /* the next one begins anew, whatever came of this one */
    reader.client.text = wrong ? left : text;
    const char *last = take_steps(&reader.client, after, COUNT(after));
    return wrong ? wrong : last;
}
