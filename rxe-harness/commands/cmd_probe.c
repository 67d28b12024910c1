// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma probe`: drive a live Responder, or the reference Responder over loopback. */
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

enum {
    OPTION_LIST = OPTION_OWN,
    OPTION_CASE,
    OPTION_VECTORS,
    OPTION_PROGRAM,
    OPTION_VERSION,
    OPTION_HAZARDOUS,
    OPTION_NFS_FILE,
    OPTION_RECORD
};

struct probing {
    struct live live;
    struct probe probe;
    const char *vectors; /* folder or file, or NULL */
    const char *record;  /* file, or NULL */
    struct recorder recorder;
    bool has_program, has_version;
};

#define PATH_LENGTH_MAX 200 /* it has to fit into a Send */

static bool set_file(struct probe *probe, const char *path)
{
    size_t length = strlen(path);
    probe->options.nfs_file = path;
    if (length > 0 && length <= PATH_LENGTH_MAX && path[length - 1] != '/')
        return true;
    usage_error("probe", "option '--nfs-file' takes the path of a file, up to %d octets",
                PATH_LENGTH_MAX);
    return false;
}

static bool set_hazards(struct probe *probe, const char *names)
{
    probe->options.hazards = names;
    if (probe_hazards_exist(names))
        return true;
    usage_error("probe", "there is no class of hazardous cases in '%s'; see --list", names);
    return false;
}

static bool set_option(struct probing *probing, int option)
{
    struct probe *probe = &probing->probe;
    switch (option) {
    case OPTION_LIST:
        return probe->options.list = true;
    case OPTION_CASE:
        probe->options.only = optarg;
        return true;
    case OPTION_VECTORS:
        probing->vectors = optarg;
        return true;
    case OPTION_HAZARDOUS:
        return set_hazards(probe, optarg ? optarg : "");
    case OPTION_NFS_FILE:
        return set_file(probe, optarg);
    case OPTION_RECORD:
        probing->record = optarg;
        return true;
    case OPTION_PROGRAM:
        probing->has_program = true;
        return live_number("probe", "--program", optarg, &probe->options.program);
    case OPTION_VERSION:
        probing->has_version = true;
        return live_number("probe", "--version", optarg, &probe->options.version);
    default:
        return live_option(&probing->live, "probe", option);
    }
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct probing *probing, int argc, char **argv)
{
    static const struct option table[] = {LIVE_OPTIONS,
                                          {"list", no_argument, NULL, OPTION_LIST},
                                          {"case", required_argument, NULL, OPTION_CASE},
                                          {"vectors", required_argument, NULL, OPTION_VECTORS},
                                          {"program", required_argument, NULL, OPTION_PROGRAM},
                                          {"version", required_argument, NULL, OPTION_VERSION},
                                          {"hazardous", optional_argument, NULL, OPTION_HAZARDOUS},
                                          {"record", required_argument, NULL, OPTION_RECORD},
                                          {"nfs-file", required_argument, NULL, OPTION_NFS_FILE},
                                          {0}};
    int option;
    while ((option = options_next(argc, argv, table, &probing->live.options)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help_probe, stdout);
            return close_output(STATUS_GOOD);
        }
        if (!set_option(probing, option))
            return STATUS_USAGE;
    }
    if (argc - optind > 1)
        return usage_error(argv[0], "more than one ADDRESS given");
    int status = live_prepare(&probing->live);
    return status == STATUS_GOOD ? -1 : status;
}

static int run_all(struct probing *probing, struct corpus *corpus)
{
    struct probe *probe = &probing->probe;
    if (probing->vectors) {
        corpus_add(corpus, probing->vectors);
        if (corpus->status != STATUS_GOOD || corpus->faults > 0)
            return STATUS_UNREADABLE;
        probe_run_corpus(probe, corpus);
    } else {
        probe_run_cases(probe);
        probe_run_table(probe);
    }
    if (probe->options.only && probe->run.shown == 0)
        return usage_error("probe", "there is no case '%s'", probe->options.only);
    return STATUS_GOOD;
}

static int probe_peer(struct probing *probing, const char *address)
{
    struct probe *probe = &probing->probe;
    struct corpus corpus = {0};
    const char *who = live_is_loopback(address) ? "reference Responder" : address;
    if (!probe->options.list && !probe_begin(probe)) {
        fprintf(stderr, "rpcrdma: %s: %s\n", who, probe->peer.transport->error);
        return STATUS_UNREACHABLE;
    }
    int status = run_all(probing, &corpus);
    corpus_free(&corpus);
    if (status != STATUS_GOOD || probe->options.list) {
        results_free(&probe->run.results);
        return status;
    }
    const char *name = probing->live.name ? probing->live.name : who;
    bool written =
        probing->record == NULL || record_write(&probing->recorder, probing->record, name);
    status = live_report(&probing->live, who, &probe->run.results);
    return written ? status : STATUS_UNREADABLE;
}

static int run(struct probing *probing, const char *address)
{
    struct probe *probe = &probing->probe;
    bool loopback = live_is_loopback(address);
    if (!probing->has_program)
        probe->options.program = loopback ? (uint32_t)TEST_PROGRAM : NFS_PROGRAM;
    if (!probing->has_version)
        probe->options.version = probing->has_program || loopback ? 1 : NFS_VERSION;
    probe->options.timeout = probing->live.timeout;
    probe->peer.invalidates = loopback;
    if (loopback) /* it is our own, and has nothing to fear */
        probe->options.hazards = "";
    probe->peer.transport = loopback ? responder_loopback() : live_verbs(address, false);
    if (probe->peer.transport == NULL)
        return STATUS_UNREACHABLE;
    if (probing->record) {
        probe->run.recorder = &probing->recorder;
        probe->run.record_left = PROBE_RECORD_MAX;
        probe->peer.infers = !loopback;
    }
    int status = probe_peer(probing, address);
    record_free(&probing->recorder);
    probe->peer.transport->ops->close(probe->peer.transport);
    return close_output(status);
}

int cmd_probe(int argc, char **argv)
{
    struct probing probing = {.live = LIVE_DEFAULT};
    int status = parse_options(&probing, argc, argv);
    if (status < 0)
        status = run(&probing, argv[optind]);
    known_free(&probing.live.known);
    return status;
}
