// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma respond`: the reference Responder, for a Requester that wants one to talk to. */
#include "rxe-harness/commands/bad_wire.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/nfs4.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define TOO_FEW 2 /* Receives: enough for one Call at a time */
#define PAUSE 20  /* milliseconds before each is posted again */
#define LOOK 100  /* milliseconds after which a thread sees that all is over */

struct responding {
    unsigned draft; /* enum rpcrdma_protocol; AUTO: version 1 alone */
    uint32_t connections, call_back;
    unsigned fault; /* enum responder_fault */
    struct bad_wire wire;
    struct nfs4 *nfs4; /* of all connections */
    atomic_uint open;
};

struct served_client {
    struct responding *responding;
    struct responder *responder;
};

static const struct option_row options_respond[] = {
    {"draft", "DRAFT", "take version 2 as well, as this draft has it: {words}",
     .words = LIVE_DRAFTS, .values = option_drafts + 1, SETS(WORD, struct responding, draft),
     .more = "The first Send of a connection settles its version."},
    {"call-back", "NUMBER", "by version 2, call the client after each NUMBER of its Calls",
     SETS(NUMBER, struct responding, call_back),
     .more = "That is a NULL of the client's own program, if it takes Calls in the reverse "
             "direction."},
    {"connections", "NUMBER", "end after this many connections",
     SETS(NUMBER, struct responding, connections)},
    {"fault", "FAULT", "commit this fault all the time: {words}",
     .words = "none relies-on-write-order posts-too-few-receives "
              "answers-before-its-writes-are-acknowledged loses-work-requests",
     SETS(WORD, struct responding, fault),
     .more =
         "It writes zeros before the data, so that the order of RDMA Writes matters; it posts "
         "two Receives, whatever it grants; the Reply goes before the RDMA Writes of its data; it "
         "gives Replies the XID of another Call, after a Call in two Read chunks, a Long Reply "
         "and an RDMA_ERROR, of many segments each and in this order. "
         "These are faults that 'proxy --fault', which has those of messages, cannot commit "
         "for it."},
    OPTION_ROW_WIRE(struct responding, wire.option),
    OPTION_ROW_HELP,
    {0}};

const struct command command_respond = {
    .name = "respond",
    .run = cmd_respond,
    .summary = "be a strict Responder, for Requesters to talk to",
    .operands = "ADDRESS",
    .text =
        "Wait on ADDRESS, HOST or HOST:PORT (20049), with roce:// or iwarp:// before it where "
        "there is no RDMA device, for Requesters, and answer their Calls: NULL of every "
        "program, the test program and a little of NFS versions 3 and 4, whose directory and "
        "files are made up. What it does not know it refuses as RFC 8166 asks. It judges nobody: "
        "'serve' tests a Requester, and 'proxy' before this address checks both sides and "
        "injects faults. It ends by SIGINT or SIGTERM.",
    .groups = (const struct option_group[]){{NULL, NULL, options_respond}, {0}},
    .status = "0 after the last connection of --connections, 2 wrong usage, 4 ADDRESS cannot be "
              "waited on, 130 interrupted.",
};

static void *answer(void *arg)
{
    struct served_client *client = arg;
    bool is_slow = client->responding->fault == RESPONDER_POSTS_TOO_FEW_RECEIVES;
    while (!interrupted() && !responder_gone(client->responder)) {
        if (is_slow) /* what comes at once has to find no Receive */
            poll(NULL, 0, PAUSE);
        responder_step(client->responder, LOOK);
    }
    responder_free(client->responder);
    atomic_fetch_sub(&client->responding->open, 1);
    free(client);
    return NULL;
}

static void begin(struct responding *responding, struct link *link)
{
    pthread_t thread;
    struct served_client *client = malloc(sizeof *client);
    struct responder *responder = client ? responder_new(link) : NULL;
    if (responder == NULL)
        link->ops->close(link);
    if (responder &&
        (responding->draft == RPCRDMA_PROTOCOL_AUTO ||
         responder_speak_version2(responder, (enum rpcrdma_protocol)responding->draft))) {
        responder_speak_nfs4(responder, responding->nfs4);
        responder_call_back(responder, responding->call_back);
        responder_commit(responder, (enum responder_fault)responding->fault);
        *client = (struct served_client){responding, responder};
        atomic_fetch_add(&responding->open, 1);
        if (pthread_create(&thread, NULL, answer, client) == 0) {
            pthread_detach(thread);
            return;
        }
        atomic_fetch_sub(&responding->open, 1);
    }
    say("there is not enough memory for one connection more");
    if (responder)
        responder_free(responder);
    free(client);
}

static void answer_all(struct responding *responding, struct transport *transport)
{
    uint32_t count = 0;
    struct link_options options = *responder_options();
    if (responding->fault == RESPONDER_POSTS_TOO_FEW_RECEIVES)
        options.receives = TOO_FEW;
    while (!interrupted() && (responding->connections == 0 || count < responding->connections)) {
        transport->error[0] = '\0';
        struct link *link = transport->ops->accept(transport, &options, LOOK);
        if (link) {
            begin(responding, link);
            count++;
        } else if (transport->error[0] != '\0') {
            say("%s", transport->error);
        }
    }
    while (atomic_load(&responding->open) > 0)
        poll(NULL, 0, 1);
}

int cmd_respond(int argc, char **argv)
{
    struct responding responding = {.draft = RPCRDMA_PROTOCOL_AUTO};
    int status = options_parse(&command_respond, argc, argv, &responding, NULL);
    if (status >= 0)
        return status;
    if (argc - optind != 1)
        return usage_error(argv[0],
                           argc == optind ? "no ADDRESS given" : "more than one ADDRESS given");
    if (!live_address_fits(argv[0], argv[optind], true) ||
        !bad_wire_begin(&responding.wire, argv[0], (const char *const *)argv + optind, true))
        return STATUS_USAGE;
    struct transport *transport = live_verbs(argv[optind], true);
    if (transport == NULL)
        return STATUS_UNREACHABLE;
    const char *wire = bad_wire_words(&responding.wire);
    say("%s: waiting for Requesters%s%s", argv[optind], wire ? "; wire: " : "", wire ? wire : "");
    responding.nfs4 = nfs4_new(true);
    if (responding.nfs4)
        answer_all(&responding, transport);
    else
        say("there is not enough memory");
    nfs4_free(responding.nfs4);
    transport->ops->close(transport);
    return STATUS_GOOD;
}
