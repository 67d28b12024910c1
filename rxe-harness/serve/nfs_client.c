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

struct client {
    struct requester *requester;
    struct nfs_session session;
    uint8_t opened[12], delegation[12];
    bool has_delegation;
    struct nfs_results results; /* of the last Call, without items */
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

static bool take_open(void *arg, const struct nfs_resop4 *result, bool is_out, unsigned number)
{
    (void)is_out, (void)number;
    struct client *client = arg;
    const struct nfs_OPEN4resok *opened = &result->opopen.resok4;
    if (result->resop != NFS_OP_OPEN || result->opopen.status != NFS_NFS4_OK)
        return true;
    memcpy(client->opened, opened->stateid.other, sizeof client->opened);
    client->has_delegation = opened->delegation.delegation_type == NFS_OPEN_DELEGATE_READ;
    if (client->has_delegation)
        memcpy(client->delegation, opened->delegation.read.stateid.other,
               sizeof client->delegation);
    return true;
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
    char wrong[128] = "";
    uint8_t *args = nfs_encode(compound, &shape);
    if (args && requester_begin(requester, &shape, &pending))
        receive(requester, &pending, &reply);
    bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0 &&
                nfs_read_results(&pending, &reply, &results) && results.status == NFS_NFS4_OK &&
                nfs_each_result(&reply, take_open, client, wrong) && (!reads || is_file(&results));
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
    nfs_open(&compound, &client->session, "file");
    return call(client, &compound, false);
}

static const char *read_file(struct client *client)
{
    struct nfs_compound compound;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < READS && wrong == NULL; i++) {
        nfs_begin_in_session(&compound, &client->session, false);
        nfs_lookup(&compound, "file", 4);
        nfs_read(&compound, (uint64_t)i * READ, READ);
        nfs_getattr(&compound);
        wrong = call(client, &compound, true);
    }
    return wrong;
}

static const char *return_delegation(struct client *client)
{
    struct nfs_compound compound;
    if (!client->has_delegation)
        return "OPEN brings no delegation";
    if (client->requester->recalled &&
        memcmp(client->requester->recalled_other, client->delegation, 12) != 0)
        return "another delegation is recalled than was given";
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_return_delegation(&compound, client->delegation);
    return call(client, &compound, false);
}

static const char *close_file(struct client *client)
{
    struct nfs_compound compound;
    nfs_begin_in_session(&compound, &client->session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_close(&compound, client->opened);
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

const char *serve_nfs_client(struct requester *requester, char text[256])
{
    static step *const steps[] = {identify,    begin_session, reclaim,           look,
                                  open_file,   read_file,     return_delegation, close_file,
                                  end_session, end_client};
    struct client client = {.requester = requester, .text = text};
    requester->program = NFS_PROGRAM;
    requester->version = NFS_VERSION;
    for (size_t i = 0; i < COUNT(steps); i++) {
        const char *wrong = steps[i](&client);
        if (wrong)
            return wrong;
    }
    return NULL;
}
