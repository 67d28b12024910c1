// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma request`: the reference Requester, for a Responder that wants one to talk to. */
#include "rxe-harness/commands/bad_wire.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/requester/nfs3_calls.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/transport/test_program.h"

#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>

#define LONGEST 1048576u /* octets of data, of NFS */

struct requesting {
    struct live live;
    unsigned draft; /* enum rpcrdma_protocol; AUTO: version 1 alone */
    uint32_t times, longest;
    bool nfs;
    struct bad_wire wire;
    struct results results;
    struct live_case about;
};

static const struct option_row options_request[] = {
    {"draft", "DRAFT", "offer version 2, as this draft has it: {words}", .words = LIVE_DRAFTS,
     .values = option_drafts + 1, SETS(WORD, struct requesting, draft),
     .more = "A Responder that refuses it, or says nothing, is spoken to by version 1."},
    {"nfs", NULL,
     "write, read and list by NFS version 3 in place of the test program, and compare the octets; "
     "needs --draft, and 'respond' on the other side",
     SETS(FLAG, struct requesting, nfs)},
    {"longest", "OCTETS", "of data by NFS (1048576)", SETS(NUMBER, struct requesting, longest)},
    {"times", "NUMBER", "do all of it so often, each time on a new connection (1)",
     SETS(NUMBER, struct requesting, times)},
    OPTION_ROW_WIRE(struct requesting, wire.option),
    OPTION_ROW_TIMEOUT("how long to wait for a Reply (5)"),
    {0}};

const struct command command_request = {
    .name = "request",
    .run = cmd_request,
    .summary = "be a strict Requester, for Responders to talk to",
    .operands = "ADDRESS",
    .text = "Connect to ADDRESS, HOST or HOST:PORT (20049), with roce:// or iwarp:// before it "
            "where there is no RDMA device, and make Calls of the test program (spec/testprog.x) "
            "inline, with each kind of chunk, and in a chunk as a whole. What comes back is "
            "checked against the rules, and its data compared. It sends nothing that is wrong: "
            "'probe' does.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_request}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status = LIVE_EXIT_STATUS,
};

/* The result of one time; `wrong` is NULL where all was as required. */
static void note(struct requesting *requesting, size_t before, const char *wrong)
{
    struct result *result =
        live_result(&requesting->results, &requesting->about, NULL, false, "server");
    bool broken = requesting->results.count > before + 1; /* findings came first */
    result->expected = alloc_text("Replies, with the data that was asked for");
    /* All waiting is over then, for an answer as well. */
    bool stopped = wrong && !broken && interrupted();
    result->actual = alloc_text(stopped ? "not run: interrupted"
                                : wrong ? wrong
                                        : "all Calls were answered");
    result->ending = stopped            ? ENDING_NOT_APPLICABLE
                     : wrong && !broken ? ENDING_WRONG
                                        : ENDING_REQUIRED;
}

static void on_finding(void *arg, const struct rpcrdma_event *event,
                       const struct rpcrdma_finding *finding)
{
    struct requesting *requesting = arg;
    if (finding->severity != RPCRDMA_NOTE)
        live_finding(&requesting->results, &requesting->about, event, finding);
}

/* ---- the test program ---- */

static bool call_test_program(struct requesting *requesting, struct transport *transport)
{
    const struct requester_options options = {.timeout = requesting->live.timeout,
                                              .draft = (enum rpcrdma_protocol)requesting->draft,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION,
                                              .finding = on_finding,
                                              .arg = requesting};
    char text[256];
    size_t before = requesting->results.count;
    struct requester *requester = requester_connect(transport, &options);
    if (requester == NULL)
        return false;
    note(requesting, before, requester_call_test(requester, false, requesting->live.timeout, text));
    requester_close(requester);
    return true;
}

/* ---- NFS ---- */

static bool exercise(struct requesting *requesting, struct transport *transport)
{
    const struct session_options options = {.protocol = (enum rpcrdma_protocol)requesting->draft,
                                            .active = true,
                                            .credits = 16,
                                            .send_size = SESSION_INLINE,
                                            .receive_size = SESSION_INLINE,
                                            .segments = 64,
                                            .reverse = SESSION_REVERSE_ALL,
                                            .message_max = 4 * LONGEST,
                                            .queue_max = 4 * LONGEST};
    const struct link_options receives = {.receive_size = SESSION_INLINE,
                                          .receives = session_receives(&options),
                                          .timeout = requesting->live.timeout};
    size_t before = requesting->results.count;
    struct link *link = transport->ops->connect(transport, &receives);
    if (link == NULL)
        return false;
    /* Memory of user space cannot be invalidated: no Call names a handle. */
    struct nfs3_client client = {.link = link,
                                 .xid = requester_fresh_xid(),
                                 .session = session_new(link, &options),
                                 .protocol = options.protocol,
                                 .timeout = requesting->live.timeout};
    bool good = client.session && nfs3_exercise(&client, requesting->longest);
    note(requesting, before, good ? NULL : client.session ? client.error : "not enough memory");
    session_free(client.session);
    link->ops->close(link);
    return true;
}

/* ---- the command ---- */

static int request_all(struct requesting *requesting, const char *address)
{
    struct transport *transport = live_verbs(address, false);
    bool reached = transport != NULL;
    for (uint32_t i = 0; reached && i < requesting->times && !interrupted(); i++) {
        char name[32];
        snprintf(name, sizeof name, "%s-%" PRIu32, requesting->nfs ? "nfs" : "calls", i + 1);
        requesting->about = (struct live_case){
            "request", name,
            requesting->nfs ? "Data of NFS version 3, in all ways that it can go"
                            : "Calls of the test program, with all kinds of chunks"};
        reached = requesting->nfs ? exercise(requesting, transport)
                                  : call_test_program(requesting, transport);
        if (!reached)
            say("%s: %s", address, transport->error);
    }
    if (transport)
        transport->ops->close(transport);
    if (!reached && requesting->results.count == 0)
        return STATUS_UNREACHABLE;
    int status = live_report(&requesting->live, "the Responder", &requesting->results);
    return reached ? status : STATUS_UNREACHABLE;
}

static int parse_options(struct requesting *requesting, int argc, char **argv)
{
    int status = options_parse(&command_request, argc, argv, requesting, NULL);
    if (status >= 0)
        return status;
    if (argc - optind != 1)
        return usage_error(argv[0],
                           argc == optind ? "no ADDRESS given" : "more than one ADDRESS given");
    if (requesting->nfs && requesting->draft == RPCRDMA_PROTOCOL_AUTO)
        return usage_error(argv[0], "option '--nfs' needs '--draft'");
    if (requesting->longest > LONGEST)
        return usage_error(argv[0], "option '--longest' takes at most %u", LONGEST);
    if (!live_address_fits(argv[0], argv[optind], false) ||
        !bad_wire_begin(&requesting->wire, argv[0], (const char *const *)argv + optind, false))
        return STATUS_USAGE;
    bad_wire_tell(&requesting->wire, &requesting->live);
    status = live_prepare(&requesting->live);
    return status == STATUS_GOOD ? -1 : status;
}

int cmd_request(int argc, char **argv)
{
    struct requesting requesting = {
        .live = LIVE_DEFAULT, .draft = RPCRDMA_PROTOCOL_AUTO, .times = 1, .longest = LONGEST};
    int status = parse_options(&requesting, argc, argv);
    if (status < 0)
        status = close_output(request_all(&requesting, argv[optind]));
    known_free(&requesting.live.reports.known);
    return status;
}
