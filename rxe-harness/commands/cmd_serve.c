// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma serve`: be the Responder, and test the Requester that connects. */
#include "rxe-harness/commands/bad_wire.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/commands/wire_capture.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/serve/version2/serve.h"

#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/nearest.h"

#define WAIT_FOR_PEER 60000 /* milliseconds */

struct serving {
    struct live live;
    struct serve serve;
    const char *draft; /* of version 2, by which to serve; or NULL: version 1 */
    struct serve2 serve2;
    const char *read;
    struct told_reads told;
    struct wire_capture capture;
    struct bad_wire wire;
};

static const struct option_row options_serve[] = {
    {"same", NULL,
     "the Requester does the same on each connection: Calls that it makes on the first connection "
     "only are a failure",
     SETS(FLAG, struct serving, serve.same),
     .more =
         "For instance it mounts by NFS version 3, lists the directory, reads any file in it and "
         "unmounts. A Call that is missing where something unexpected was sent shows that a "
         "Reply did not reach its caller. Where the Requester does not come back, the case "
         "ends as crashed."},
    {"read", "FILE", "what the Requester read by NFSv3 is written there, as by cksum",
     SETS(INPUT, struct serving, read),
     .more = "A line for each file that was read to its end: the sum, the length, the name; none "
             "for one that could not be read, which cksum itself may not notice: copy the file "
             "first. It is looked for when a connection has ended. FILE "
             "is a file that lines are added to, a FIFO, or - for the standard input. Every octet "
             "of a file then follows from its name, its offset and the case, so wrong data is "
             "found in any case. The cases read-* want this: the Replies to READ have other "
             "shapes there."},
    {"hazardous", NULL, "also run cases that may do worse than end a connection",
     SETS(FLAG, struct serving, serve.selection.hazardous)},
    {"list", NULL, "list the cases and run none", SETS(FLAG, struct serving, serve.selection.list)},
    {"case", "CASE",
     "only this case, hazardous or not, after one connection that is served normally; NAME* for "
     "all whose id begins so",
     SETS(NAMES, struct serving, serve.selection.cases)},
    {"skip", "CASE", "not this case, or those of NAME*",
     SETS(NAMES, struct serving, serve.selection.skipped)},
    {"draft", "DRAFT", "serve version 2 of the protocol, as this draft has it: 04 or 07",
     SETS(TEXT, struct serving, draft),
     .more = "The drafts have expired: a failure says what the draft asks for. The reference "
             "Requester then speaks version 2."},
    OPTION_ROW_CAPTURE(struct serving, capture.name),
    OPTION_ROW_WIRE(struct serving, wire.option),
    OPTION_ROW_LOG(struct serving, serve.log.path),
    OPTION_ROW_TIMEOUT("how long to wait for a connection or a Call (60)"),
    {0}};

const struct command command_serve = {
    .name = "serve",
    .run = cmd_serve,
    .summary = "test the Requester that connects",
    .operands = "[ADDRESS]",
    .text = "Wait on ADDRESS, HOST or HOST:PORT (20049), roce://HOST or iwarp://HOST without an "
            "RDMA device, for a "
            "Requester, and test it. Each "
            "connection that it opens is a case, in which something unexpected comes with the "
            "Replies from the second one on; the first connection is served normally. NULL of "
            "every program is answered, the test program, and as much of NFS versions 3 and 4.1 as "
            "it takes to mount, list and read. A client of version 4.1 is called as well, if its "
            "session has a back channel on the connection, and its delegation is recalled. Without "
            "ADDRESS the built-in reference Requester is tested.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_serve}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status = LIVE_EXIT_STATUS,
};

/* Tries the name of each case, whether it is to be run or not. */
static void each_name(void *arg, struct nearest *nearest)
{
    const struct serving *serving = arg;
    if (serving->draft)
        for (const struct serve2_case *each = serve2_cases(serving->serve2.draft); each->id; each++)
            nearest_try(nearest, each->id);
    else
        for (const struct serve_case *each = serve_cases; each->id; each++)
            nearest_try(nearest, each->id);
}

static void no_case(struct serving *serving, const char *name)
{
    char meant[NEAREST_TEXT];
    struct nearest nearest = nearest_begin(name);
    each_name(serving, &nearest);
    usage_error("serve", "there is no case '%s'%s", name, nearest_text(nearest.word, meant));
}

/* False, after a complaint, where a name means no case, or all are left out. */
static bool select_cases(struct serving *serving)
{
    struct serve_selection *selection = &serving->serve.selection;
    size_t count = 0;
    if (serving->draft)
        for (const struct serve2_case *each = serve2_cases(serving->serve2.draft); each->id; each++)
            count += serve_selects(selection, each->id, false);
    else
        for (const struct serve_case *each = serve_cases; each->id; each++)
            count += serve_selects(selection, each->id, each->hazardous);
    const char *missing = chosen_missing(&selection->cases);
    missing = missing ? missing : chosen_missing(&selection->skipped);
    if (missing)
        no_case(serving, missing);
    else if (count == 0)
        usage_error("serve", "no case is left to run");
    return missing == NULL && count > 0;
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct serving *serving, int argc, char **argv)
{
    int status = options_parse(&command_serve, argc, argv, serving, NULL);
    if (status >= 0)
        return status;
    if (argc - optind > 1)
        return usage_error(argv[0], "more than one ADDRESS given");
    if (serving->draft && !live_draft(serving->draft, &serving->serve2.draft))
        return usage_error(argv[0], "option '--draft' takes 04 or 07, not '%s'", serving->draft);
    if (serving->draft &&
        (serving->serve.same || serving->serve.selection.hazardous || serving->read))
        return usage_error(
            argv[0], "option '--draft' does not go with '--same', '--hazardous' and '--read'");
    const struct live_file files[] = {{"read", serving->read},
                                      {"log", serving->serve.log.path},
                                      {"capture", serving->capture.name},
                                      {0}};
    if (serving->serve.selection.list &&
        !live_list_fits(argv[0], &serving->live.reports, false, files))
        return STATUS_USAGE;
    if (serving->read && live_is_loopback(argv[optind]))
        return usage_error(argv[0], "option '--read' wants an ADDRESS: the reference Requester "
                                    "tells what it read by itself");
    if (!live_is_loopback(argv[optind]) && !live_address_fits(argv[0], argv[optind], true))
        return STATUS_USAGE;
    if (!wire_capture_fits(&serving->capture, argv[0], argv[optind]) ||
        !bad_wire_begin(&serving->wire, argv[0], (const char *const *)argv + optind, true))
        return STATUS_USAGE;
    bad_wire_tell(&serving->wire, &serving->live);
    const struct serve_selection *selection = &serving->serve.selection;
    serving->live.reports.known.partial =
        selection->cases.count > 0 || selection->skipped.count > 0;
    if (!select_cases(serving))
        return STATUS_USAGE;
    status = live_prepare(&serving->live);
    known_names(&serving->live.reports.known, each_name, serving);
    return status == STATUS_GOOD ? -1 : status;
}

static size_t not_run(const struct results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->list[i].ending == ENDING_NOT_APPLICABLE;
    return count;
}

/* STATUS_GOOD, or why there is nothing to report. */
static int outcome(bool list, const struct results *results, unsigned connections,
                   const char *nobody, const char *address)
{
    if (list || interrupted() || not_run(results) < results->count)
        return STATUS_GOOD;
    if (connections == 0)
        say("%s: no Requester connected", address);
    else
        say("%s: on none of %u connection%s were enough Calls made%s%s", address, connections,
            connections == 1 ? "" : "s", nobody ? ": " : "", nobody ? nobody : "");
    return STATUS_UNREACHABLE;
}

static void serve_reference_of(struct serving *serving)
{
    if (serving->draft)
        serve2_reference(&serving->serve2);
    else
        serve_reference(&serving->serve);
}

static int serve_peers_of(struct serving *serving, const char *address)
{
    struct transport *transport = live_verbs(address, true);
    if (transport == NULL)
        return STATUS_UNREACHABLE;
    if (serving->draft)
        serve2_peers(&serving->serve2, transport);
    else
        serve_peers(&serving->serve, transport);
    transport->ops->close(transport);
    return STATUS_GOOD;
}

static int run(struct serving *serving, const char *address)
{
    struct serve *serve = &serving->serve;
    struct results *results = serving->draft ? &serving->serve2.results : &serve->results;
    bool list = serve->selection.list, loopback = live_is_loopback(address);
    int status = STATUS_GOOD;
    serve->timeout = serving->live.timeout;
    if (serving->read && !told_open(&serving->told, serving->read))
        return STATUS_UNREADABLE;
    serve->told = serving->read ? &serving->told : NULL;
    serving->serve2.timeout = serve->timeout;
    serving->serve2.selection = serve->selection;
    serving->serve2.log = serve->log;
    if (loopback || list)
        serve_reference_of(serving);
    else
        status = serve_peers_of(serving, address);
    if (serving->read)
        told_close(&serving->told);
    if (status == STATUS_GOOD)
        status = serving->draft
                     ? outcome(list, results, serving->serve2.connections, serving->serve2.nobody,
                               address)
                     : outcome(list, results, serve->connections, serve->nobody, address);
    if (status == STATUS_GOOD && !list)
        status = live_report(&serving->live, loopback ? "reference Requester" : "the Requester",
                             results);
    else
        results_free(results);
    return close_output(status);
}

int cmd_serve(int argc, char **argv)
{
    struct serving serving = {.live = LIVE_DEFAULT};
    serving.live.timeout = WAIT_FOR_PEER;
    int status = parse_options(&serving, argc, argv);
    if (status < 0)
        status = wire_capture_begin(&serving.capture) && peer_log_begin(&serving.serve.log)
                     ? run(&serving, argv[optind])
                     : STATUS_UNREADABLE;
    if (!wire_capture_end(&serving.capture))
        status = STATUS_UNREADABLE;
    known_free(&serving.live.reports.known);
    chosen_free(&serving.serve.selection.cases);
    chosen_free(&serving.serve.selection.skipped);
    return status;
}
