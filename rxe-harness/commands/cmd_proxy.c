// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma proxy`: relay between two live peers. */
#include "rxe-harness/commands/bad_wire.h"
#include "rxe-harness/commands/commands.h"
#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/output.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/proxy/arrivals.h"
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/transport/transport.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>

enum { OPTION_FAULT = OPTION_OWN };

#define SESSIONS 256    /* connections at a time */
#define LIMIT_DEFAULT 8 /* MiB that are recorded, or captured */
#define LIMIT_MAX 65536u
#define PAUSE 1                /* milliseconds between looks where nothing happens */
#define WAIT_FOR_CLIENT 60000u /* milliseconds */

struct proxying {
    struct live live;
    struct proxy proxy;
    struct recorder recorder;
    const char *record, *capture;
    struct output captured;
    uint32_t limit;       /* MiB of each */
    uint32_t connections; /* to relay, one after the other or together; 0: until stopped */
    bool list;
    struct bad_wire wire;
    struct transport *listener;
    struct arrivals arrivals;
    struct proxy_session *sessions[SESSIONS];
    unsigned count;
};

/* ---- options ---- */

static bool set_fault(void *settings, int option, const char *text)
{
    struct proxying *proxying = settings;
    (void)option; /* the only one */
    if (proxy_fault_read(&proxying->proxy.fault, text))
        return true;
    usage_error("proxy", "option '--fault' takes NAME:N, not '%s'; see --faults", text);
    return false;
}

static const struct option_row options_proxy[] = {
    {"draft", "DRAFT", "the draft that Sends of version 2 follow: {words} (auto)",
     .words = OPTION_DRAFTS, .values = option_drafts, SETS(WORD, struct proxying, proxy.draft),
     .more = "With auto, the draft is the one that the Sends show. --record needs its name."},
    {"connections", "NUMBER", "end after this many connections",
     SETS(NUMBER, struct proxying, connections)},
    {"record", "FILE", "write what was sent as vectors", SETS(OUTPUT, struct proxying, record)},
    {"capture", "FILE", "write it as a capture (RoCEv2 in pcapng)",
     SETS(OUTPUT, struct proxying, capture),
     .more =
         "It holds the packets that an ideal network would have shown. Addresses and queue pairs "
         "are made up, checksums are 0."},
    {"limit", "MIB", "size limit of the record and of the capture (8)",
     SETS(NUMBER, struct proxying, limit), .more = "What was sent before the limit is kept."},
    {"fault", "NAME:N", "inject this fault into message N of a side, such as drop-reply:3",
     RETURNS(OPTION_FAULT)},
    {"faults", NULL, "list the faults", SETS(FLAG, struct proxying, list)},
    OPTION_ROW_WIRE(struct proxying, wire.option),
    OPTION_ROW_TIMEOUT("how long to wait for a client (60)"),
    {0}};

const struct command command_proxy = {
    .name = "proxy",
    .run = cmd_proxy,
    .summary = "relay between two live peers, and check what they send",
    .operands = "LISTEN TARGET",
    .other = "--faults",
    .text = "Wait on LISTEN for clients, connect to TARGET for each of them, relay what the two "
            "send each other, and check it against the rules. Chunks are moved through memory of "
            "the proxy. Both addresses are HOST or HOST:PORT (20049); with roce:// or iwarp:// "
            "before it no RDMA device is needed. The proxy ends by SIGINT or "
            "SIGTERM, or when no client comes within the timeout.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_proxy}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status =
        "0 all as required, 1 something failed, or the fault was not injected, 2 wrong usage, "
        "3 a file is unreadable or cannot be written, 4 no peer could be reached, 130 "
        "interrupted.",
};

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct proxying *proxying, int argc, char **argv)
{
    int status = options_parse(&command_proxy, argc, argv, proxying, set_fault);
    if (status >= 0)
        return status;
    if (proxying->limit == 0 || proxying->limit > LIMIT_MAX)
        return usage_error("proxy", "option '--limit' takes 1 to %u MiB, not '%" PRIu32 "'",
                           LIMIT_MAX, proxying->limit);
    if (proxying->list) {
        for (const struct proxy_fault *each = proxy_faults; each->name; each++)
            printf("%-16s the n-th message of the %s %s\n", each->name,
                   each->from == RPCRDMA_CLIENT ? "client" : "server", each->text);
        return close_output(STATUS_GOOD);
    }
    if (argc - optind != 2)
        return usage_error(argv[0], "LISTEN and TARGET are needed");
    if (!live_address_fits(argv[0], argv[optind], true) ||
        !live_address_fits(argv[0], argv[optind + 1], false) ||
        !bad_wire_begin(&proxying->wire, argv[0], (const char *const *)argv + optind, true))
        return STATUS_USAGE;
    bad_wire_tell(&proxying->wire, &proxying->live);
    status = live_prepare(&proxying->live);
    return status == STATUS_GOOD ? -1 : status;
}

/* ---- relaying ---- */

static bool take_client(struct proxying *proxying)
{
    struct link *client, *server;
    if (!arrivals_take(&proxying->arrivals, &client, &server))
        return false;
    struct proxy_session *session = proxy_begin(&proxying->proxy, client, server);
    if (session) {
        proxying->sessions[proxying->count++] = session;
    } else {
        client->ops->close(client);
        server->ops->close(server);
    }
    return true;
}

static bool step_all(struct proxying *proxying)
{
    bool something = false;
    for (unsigned i = 0; i < proxying->count; i++) {
        struct proxy_session *session = proxying->sessions[i];
        something = proxy_step(session, 0) || something;
        if (proxy_gone(session)) {
            proxy_end(session);
            proxying->sessions[i--] = proxying->sessions[--proxying->count];
        }
    }
    return something;
}

static bool all_relayed(const struct proxying *proxying)
{
    return proxying->connections > 0 && proxying->proxy.connections >= proxying->connections;
}

static void relay_all(struct proxying *proxying)
{
    unsigned waited = 0;
    bool told = false;
    while (!interrupted() && (proxying->count > 0 || !all_relayed(proxying))) {
        bool full = proxying->count == SESSIONS;
        arrivals_hold(&proxying->arrivals, full);
        if (full && !told)
            say("%d connections are open; later ones wait until one of them ends", SESSIONS);
        told = told || full;
        bool something = !full && take_client(proxying);
        something = step_all(proxying) || something;
        if (something || proxying->count > 0)
            waited = 0;
        if (something)
            continue;
        poll(NULL, 0, PAUSE);
        if (proxying->count == 0 && (waited += PAUSE) >= proxying->live.timeout)
            break;
    }
    if (proxying->connections == 0)
        interrupt_accept();
    while (proxying->count > 0)
        proxy_end(proxying->sessions[--proxying->count]);
}

/* ---- the command ---- */

static int report(struct proxying *proxying, const char *listen, const char *target)
{
    struct proxy *proxy = &proxying->proxy;
    char who[600];
    if (proxy->connections == 0) {
        say("%s: %sno connection was relayed", listen, interrupted() ? "interrupted, " : "");
        return STATUS_UNREACHABLE;
    }
    bool written = true;
    interrupt_settle();
    if (proxying->record)
        written = record_write(&proxying->recorder, proxying->record,
                               proxying->live.reports.name ? proxying->live.reports.name : target);
    snprintf(who, sizeof who, "clients of %.250s, and %.250s", listen, target);
    bool missed = proxy_fault_missed(proxy);
    int status = live_report(&proxying->live, who, &proxy->results);
    if (missed && status == STATUS_GOOD)
        status = STATUS_VIOLATED;
    return written ? status : STATUS_UNREADABLE;
}

static bool open_files(struct proxying *proxying)
{
    struct proxy *proxy = &proxying->proxy;
    size_t limit = (size_t)proxying->limit << 20;
    if (proxying->record) {
        proxy->recorder = &proxying->recorder;
        proxy->record_left = limit;
    }
    if (proxying->capture == NULL)
        return true;
    if (!output_begin(&proxying->captured, proxying->capture))
        return false;
    proxy->capture = capture_create(proxying->captured.stream, limit);
    proxy->capture_is_read = proxying->captured.beside == NULL;
    if (proxy->capture)
        return true;
    output_drop(&proxying->captured);
    file_error(proxying->capture, "not enough memory");
    return false;
}

/* A capture of no connection replaces none. */
static bool close_capture(struct proxying *proxying)
{
    struct proxy *proxy = &proxying->proxy;
    if (proxy->capture == NULL)
        return true;
    bool good = capture_finish(proxy->capture);
    if (good && proxy->connections > 0)
        return output_end(&proxying->captured);
    int error = errno;
    output_drop(&proxying->captured);
    if (!good)
        file_error(proxying->capture, strerror(error));
    return good;
}

static int run(struct proxying *proxying, const char *listen, const char *target)
{
    struct proxy *proxy = &proxying->proxy;
    int status = STATUS_UNREACHABLE;
    if (!open_files(proxying))
        return STATUS_UNREADABLE;
    proxy->target = live_verbs(target, false);
    proxy->target_name = target;
    proxying->listener = proxy->target ? live_verbs(listen, true) : NULL;
    if (proxying->listener) {
        proxying->listener->meet = arrivals_meet;
        proxying->listener->meet_arg = &proxying->arrivals;
        if (arrivals_begin(&proxying->arrivals, proxy, proxying->listener, proxying->connections)) {
            relay_all(proxying);
            arrivals_end(&proxying->arrivals);
        }
        proxying->listener->ops->close(proxying->listener);
        status = report(proxying, listen, target);
    }
    if (proxy->target)
        proxy->target->ops->close(proxy->target);
    record_free(&proxying->recorder);
    return close_capture(proxying) ? status : STATUS_UNREADABLE;
}

int cmd_proxy(int argc, char **argv)
{
    struct proxying proxying = {
        .live = LIVE_DEFAULT, .proxy.timeout = 5000, .limit = LIMIT_DEFAULT};
    proxying.live.timeout = WAIT_FOR_CLIENT;
    proxying.live.reports.known.kind = KNOWN_TRAFFIC; /* a connection's number says nothing */
    int status = parse_options(&proxying, argc, argv);
    if (status < 0)
        status = close_output(run(&proxying, argv[optind], argv[optind + 1]));
    known_free(&proxying.live.reports.known);
    return status;
}
