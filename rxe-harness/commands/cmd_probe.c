// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma probe`: drive a live Responder, or the reference Responder over loopback. */
#include "rxe-harness/commands/bad_wire.h"
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/commands/wire_capture.h"
#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/nearest.h"
#include "conformance/base/output.h"
#include "conformance/base/register.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/probe/around/around.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/random/version2/random.h"
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/responder.h"

#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPTION_NFS_FILE = OPTION_OWN, OPTION_MOUNT_PORT, OPTION_RANDOM, OPTION_AROUND };

#define NOT_GIVEN UINT32_MAX /* of a program or a version */

struct probe_command {
    struct live live;
    struct probe probe, other; /* other: --against */
    const char *against;       /* its ADDRESS, or NULL */
    const char *coverage;      /* file, or NULL */
    const char *vectors;       /* folder or file, or NULL */
    const char *record;        /* file, or NULL */
    const char *draft;         /* of version 2, by which to probe; or NULL: version 1 */
    bool list, is_random, is_around, cases2; /* cases2: those of version 2 */
    uint16_t rpcbind_port, mount_port;
    struct random_options random;
    struct recorder recorder;
    struct wire_capture capture;
    struct bad_wire wire;
};

#define WAIT 5000           /* milliseconds for a peer that died to come back */
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

/* Without a number, one that is printed. */
static bool set_seed(struct probe_command *probing, const char *number)
{
    probing->is_random = true;
    probing->random.line = (struct random_line)RANDOM_SEED((uint64_t)time(NULL));
    if (number == NULL || random_line_read(&probing->random.line, number))
        return true;
    usage_error("probe", "option '--random' takes a number, not '%s'", number);
    return false;
}

static bool set_port(uint16_t *port, const char *option, const char *argument)
{
    char *end = NULL;
    unsigned long number = strtoul(argument, &end, 10);
    *port = (uint16_t)number;
    if (number > 0 && number <= UINT16_MAX && argument[0] >= '0' && argument[0] <= '9' &&
        *end == '\0')
        return true;
    usage_error("probe", "option '%s' takes a port, not '%s'", option, argument);
    return false;
}

static bool set_around(struct probe_command *probing, const char *port)
{
    probing->is_around = true;
    return port == NULL || set_port(&probing->rpcbind_port, "--around", port);
}

static bool set_option(void *settings, int option, const char *argument)
{
    struct probe *probe = &((struct probe_command *)settings)->probe;
    switch (option) {
    case OPTION_NFS_FILE:
        return set_file(probe, argument);
    case OPTION_MOUNT_PORT:
        return set_port(&((struct probe_command *)settings)->mount_port, "--mount-port", argument);
    case OPTION_RANDOM:
        return set_seed((struct probe_command *)settings, argument);
    default: /* OPTION_AROUND */
        return set_around((struct probe_command *)settings, argument);
    }
}

static const struct option_row options_probe[] = {
    {"list", NULL, "list the cases by subject and run none; with --json FILE, into FILE",
     SETS(FLAG, struct probe_command, list)},
    {"case", "CASE", "only this case, hazardous or not; NAME* for all whose id begins so",
     SETS(NAMES, struct probe_command, probe.options.cases)},
    {"skip", "CASE", "not this case, or those of NAME*",
     SETS(NAMES, struct probe_command, probe.options.skipped)},
    {"from", "CASE", "none of the cases before this one",
     SETS(TEXT, struct probe_command, probe.options.from)},
    {"rule", "RULE", "only the cases about this rule, or about a section (rfc8166/4.5)",
     SETS(NAMES, struct probe_command, probe.options.rules)},
    {"restart", "COMMAND", "run COMMAND when the peer has died, then go on with the next case",
     SETS(TEXT, struct probe_command, probe.options.restart)},
    {"wait", "SECONDS",
     "how long to wait for a peer that died (5); when it does not come back the run stops",
     SETS(SECONDS, struct probe_command, probe.options.wait),
     .more = "After each case the peer has to accept a connection and to answer NULL. If it does "
             "not, the case has crashed it, whatever its own ending was. A run that stops says "
             "after which case and how many cases were not run; its exit status is not 0, with "
             "or without --known."},
    OPTION_ROW_LOG(struct probe_command, probe.run.log.path),
    {"vectors", "FOLDER",
     "instead of the built-in cases, send what the vectors in FOLDER (or a file) begin with; of "
     "recorded vectors all that the client sent, and compare the answers with the recorded ones",
     SETS(INPUT, struct probe_command, vectors),
     .more =
         "Every Send of a recorded client is sent again, in order, with new XIDs and memory that "
         "is registered now. Clients, sessions, file handles and state identifiers of NFSv4 that "
         "the recorded server chose are replaced by those that the peer chooses. A reaction that "
         "the specification does not allow fails, recorded or not, and so do equal results in "
         "other Write chunks or segments. Differences that belong to RPC or NFS (accept_stat, "
         "status, length of results) are reported as tolerated. A recording can hold operations "
         "that change files: replay only what you would send yourself. With --draft "
         "the vectors of that draft are taken, recorded or not: of each the Sends of the client "
         "that it is about, if the checker says the same of them without the rest."},
    {"random", "[SEED]",
     "instead of the built-in cases, hold random conversations: Calls that conform, and one Send "
     "in which one thing is changed",
     RETURNS(OPTION_RANDOM),
     .more =
         "What the peer may do with each Send the checker says. With --nfs-file a server of NFS "
         "version 4 is sent READs and WRITEs of that file, else NULLs. A conversation that "
         "fails is cut down to the shortest that still fails in the same way, printed with its "
         "seed, and written with --record; --vectors sends it again. The same SEED gives the "
         "same conversations."},
    {"against", "ADDRESS",
     "hold each conversation with this peer, too, or with the reference Responder ('loopback'), "
     "and tell only where the two part",
     SETS(TEXT, struct probe_command, against),
     .more = "Each has connections, memory and XIDs of its own. What both do, right or wrong, is "
             "not told. Where they part, twice in a row, a result says how, and what is open: it "
             "fails if either of them did something else, and is tolerated otherwise."},
    {"coverage", "FILE",
     "be guided by the peer's counters of its own code in FILE: keep conversations that reach what "
     "none has reached, and make half of those to come of them",
     SETS(INPUT, struct probe_command, coverage),
     .more = "The peer is compiled with -fsanitize-coverage and fuzz/kit/counters.c, and runs when "
             "this begins. FILE may be a folder with counters of gcov, of a kernel below "
             "/sys/kernel/debug/gcov. If none moves in a conversation, the run ends with status 3. "
             "One that comes of others has several seeds, as 7+19,4x23: --random= with them holds "
             "it again, alone. The same SEED is the same run where the same code is reached."},
    {"conversations", "NUMBER",
     "how many of them at most, which does not depend on how fast the peer is",
     SETS(NUMBER, struct probe_command, random.conversations)},
    {"seconds", "SECONDS", "how long to do so (10)",
     SETS(SECONDS, struct probe_command, random.time)},
    {"around", "[PORT]",
     "instead of the built-in cases, look at what stands beside the endpoint: rpcbind (at PORT, "
     "111), ports, NFS, MOUNT, NLM and NSM over TCP, the other family of addresses",
     RETURNS(OPTION_AROUND),
     .more = "A server of NFS version 4 has to be at port 20049 (RFC 8267, 6.3), one of versions 2 "
             "and 3 has to have MOUNT, NLM and NSM over TCP (5.1), and one whose clients may use "
             "RPCSEC_GSS has to be at TCP port 2049 (RFC 8166, 8.2.2.1): these can fail. Whatever "
             "else is found is said on standard error, with them, and fails nobody: entries by "
             "the netids rdma and rdma6, and whether NFS is there; private data; AUTH_TLS. What "
             "does not answer at all, as behind a firewall, is not judged."},
    {"record", "FILE", "write what was sent and received as vectors",
     SETS(OUTPUT, struct probe_command, record), .gathered = "recorded.json",
     .more = "Each connection becomes a test, up to 6 MiB in all; connections of more than 256 KiB "
             "are left out. RDMA operations are seen with the reference Responder only; for other "
             "peers they are concluded from the Replies and from the contents of the memory."},
    OPTION_ROW_CAPTURE(struct probe_command, capture.name),
    OPTION_ROW_WIRE(struct probe_command, wire.option),
    {"nfs-file", "PATH",
     "a regular file of an NFS server, for cases of READ and WRITE: its first MiB is "
     "overwritten, and a link is created beside it",
     RETURNS(OPTION_NFS_FILE),
     .more =
         "PATH is relative to the server's root. The link, PATH.link, is removed again, and so is "
         "a file rpcrdma-probe-NUMBER beside it, which one client opens to read and another to "
         "write, so that a delegation is recalled. Without this option these cases are not "
         "applicable; where the server has no such file they are not run, and the exit status is "
         "3. A server of NFS version 3 alone is asked for a file handle by MOUNT over TCP, of the "
         "folder of /PATH or of one that leads to it; it has to allow that to this machine, from a "
         "port that is not privileged."},
    {"mount-port", "PORT",
     "where MOUNT is, for a server of NFS version 3 alone (else rpcbind at port 111 says)",
     RETURNS(OPTION_MOUNT_PORT)},
    {"hazardous", "[CLASS]",
     "also run cases that may do worse to a peer than end its connection; --list shows the classes",
     SETS(NAMES, struct probe_command, probe.options.hazards),
     .more = "Without CLASS all classes run. With the reference Responder they always run."},
    {"draft", "DRAFT", "probe by version 2 of the protocol, as this draft has it: 04 or 07",
     SETS(TEXT, struct probe_command, draft),
     .more =
         "The drafts have expired: a failure says what the draft asks for. A peer that does not "
         "speak version 2 cannot be probed so; what it does with a first message of version 2 "
         "the cases v2-first-* of version 1 tell. The reference Responder then speaks both."},
    {"program", "NUMBER", "RPC program of NULL (100003, NFS; the test program without ADDRESS)",
     SETS(NUMBER, struct probe_command, probe.options.program)},
    {"version", "NUMBER", "its version (4 for NFS, else 1)",
     SETS(NUMBER, struct probe_command, probe.options.version)},
    OPTION_ROW_TIMEOUT("how long to wait for a connection or an answer (5)"),
    {0}};

const struct command command_probe = {
    .name = "probe",
    .run = cmd_probe,
    .summary = "test a live Responder",
    .operands = "[ADDRESS]",
    .text = "Drive a live Responder, both as a correct and as a hostile Requester. Each case has a "
            "connection of its own, with a NULL call before and after. ADDRESS is HOST or "
            "HOST:PORT (20049); with roce:// or iwarp:// before it no RDMA device is needed. "
            "Without it the built-in "
            "reference Responder is tested.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_probe}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status = LIVE_EXIT_STATUS,
};

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct probe_command *probing, int argc, char **argv)
{
    int status = options_parse(&command_probe, argc, argv, probing, set_option);
    if (status >= 0)
        return status;
    if (argc - optind > 1)
        return usage_error(argv[0], "more than one ADDRESS given");
    if (probing->draft && !live_draft(probing->draft, &probing->probe.options.draft))
        return usage_error(argv[0], "option '--draft' takes 04 or 07, not '%s'", probing->draft);
    const struct live_file files[] = {{"record", probing->record},
                                      {"log", probing->probe.run.log.path},
                                      {"capture", probing->capture.name},
                                      {0}};
    if (probing->list && !live_list_fits(argv[0], &probing->live.reports, true, files))
        return STATUS_USAGE;
    const char *const addresses[] = {argv[optind], probing->against};
    for (int i = 0; i < 2; i++)
        if (!live_is_loopback(addresses[i]) && !live_address_fits(argv[0], addresses[i], false))
            return STATUS_USAGE;
    if (!wire_capture_fits(&probing->capture, argv[0], argv[optind]) ||
        !bad_wire_begin(&probing->wire, argv[0], (const char *const *)argv + optind, false))
        return STATUS_USAGE;
    bad_wire_tell(&probing->wire, &probing->live);
    const char *missing = probe_hazard_missing(&probing->probe.options.hazards);
    if (missing)
        return usage_error(argv[0], "there is no class of hazardous cases '%s'; see --list",
                           missing);
    if (probing->is_around && (probing->draft || probing->is_random || probing->vectors))
        return usage_error(argv[0], "option '--around' does not go with '--draft', '--random' and "
                                    "'--vectors'");
    if (probing->is_around && !probing->list && live_is_loopback(argv[optind]))
        return usage_error(argv[0], "option '--around' takes an ADDRESS");
    if (probing->against && !probing->is_random)
        return usage_error(argv[0], "option '--against' goes with '--random' alone");
    if (probing->coverage && !probing->is_random)
        return usage_error(argv[0], "option '--coverage' goes with '--random' alone");
    probing->cases2 = probing->draft && !probing->is_random;
    const struct probe_options *options = &probing->probe.options;
    probing->live.reports.known.partial = options->cases.count > 0 || options->rules.count > 0 ||
                                          options->skipped.count > 0 || options->from;
    status = live_prepare(&probing->live);
    return status == STATUS_GOOD ? -1 : status;
}

static void run_all(struct probe_command *probing, const struct corpus *corpus)
{
    if (probing->is_around) {
        around_run(&probing->probe);
    } else if (probing->cases2 && probing->vectors) {
        probe2_run_corpus(&probing->probe, corpus);
    } else if (probing->cases2) {
        probe2_run_cases(&probing->probe);
    } else if (probing->is_random) {
        bool is_version1 = !rpcrdma_protocol_is_draft(probing->probe.options.draft);
        probing->random.play = probing->against ? random_play_both
                               : is_version1    ? random_play
                                                : random2_play;
        probing->random.announces = is_version1; /* version 2 makes nothing of private data */
        if (probing->probe.run.selection.mode == PROBE_RUN)
            random_run(&probing->probe, &probing->random);
    } else if (probing->vectors) {
        probe_run_corpus(&probing->probe, corpus);
    } else {
        probe_run_cases(&probing->probe);
        probe_run_table(&probing->probe);
    }
}

static void run_to_the_end(struct probe_command *probing, const struct corpus *corpus)
{
    run_all(probing, corpus);
    if (!probing->cases2)
        probe_end(&probing->probe);
    probe_name(&probing->probe, NULL, NULL);
}

struct cases {
    struct probe_command *probing;
    const struct corpus *corpus;
};

/* Tries the name of each, whether it is to be run or not. */
static void each_case(void *arg, struct nearest *nearest)
{
    const struct cases *cases = arg;
    struct probe_selection *selection = &cases->probing->probe.run.selection;
    selection->mode = PROBE_COUNT;
    selection->nearest = nearest;
    run_all(cases->probing, cases->corpus);
    selection->nearest = NULL;
}

/* And what can fail before the cases, and is none: no option can name it. */
static void each_name(void *arg, struct nearest *nearest)
{
    nearest_try(nearest, "connect");
    each_case(arg, nearest);
}

static int no_case(struct probe_command *probing, const struct corpus *corpus, const char *name)
{
    char meant[NEAREST_TEXT];
    struct cases cases = {probing, corpus};
    struct nearest nearest = nearest_begin(name);
    bool is_rule = name == chosen_missing(&probing->probe.options.rules);
    if (is_rule && register_find(name) >= 0)
        return usage_error("probe",
                           "no case is about rule '%s': 'rpcrdma rules %s' says what tests it",
                           name, name);
    if (is_rule)
        return usage_error("probe", "no case is about a rule or section '%s'%s", name,
                           register_meant(name, NULL, meant));
    each_case(&cases, &nearest);
    return usage_error("probe", "there is no case '%s'%s", name, nearest_text(nearest.word, meant));
}

/* Whether every name means a case; and how many cases there are to run. */
static int count_cases(struct probe_command *probing, const struct corpus *corpus)
{
    struct probe *probe = &probing->probe;
    struct cases cases = {probing, corpus};
    if (!probing->is_random) /* whose conversations have numbers */
        known_names(&probing->live.reports.known, each_name, &cases);
    probe->run.selection.wanted = 0;
    probe->run.selection.begun = false;
    probe->run.selection.mode = PROBE_COUNT;
    run_all(probing, corpus);
    const char *missing = probe_names_missing(&probe->options, &probe->run);
    if (missing)
        return no_case(probing, corpus, missing);
    if (probe->run.selection.wanted == 0 && !probing->is_random)
        return usage_error("probe", "no case is left to run");
    probe->run.selection.total = probe->run.selection.wanted;
    probe->run.selection.wanted = 0;
    probe->run.current.place = 0;
    probe->run.selection.begun = false;
    probe->run.selection.mode = PROBE_RUN;
    return STATUS_GOOD;
}

static int list_cases(struct probe_command *probing, const struct corpus *corpus)
{
    struct probe *probe = &probing->probe;
    struct output output = {.stream = NULL};
    if (probing->live.reports.json && !output_begin(&output, probing->live.reports.json))
        return STATUS_UNREADABLE;
    struct json json = {.out = output.stream};
    probe->run.selection.listing = json.out ? &json : NULL;
    probe->run.selection.mode = PROBE_LIST;
    run_all(probing, corpus);
    if (json.out && !output_end(&output))
        return STATUS_UNREADABLE;
    const char *missing = probe_names_missing(&probe->options, &probe->run);
    return missing ? no_case(probing, corpus, missing) : STATUS_GOOD;
}

/* A run that stopped early has not passed, whatever is known of the peer. */
static int status_of(const struct probe *probe, int status)
{
    if (probe->run.not_run == 0)
        return status;
    say("%s%s, %u case%s not run", probe->run.stopped ? "stopped at " : "",
        probe->run.stopped ? probe->run.stopped : "interrupted", probe->run.not_run,
        probe->run.not_run == 1 ? "" : "s");
    return status == STATUS_GOOD ? STATUS_VIOLATED : status;
}

/* Not all that was asked for was run: the peer has no such file. */
static int status_without_file(const struct probe_command *probing, int status)
{
    const struct probe *probe = &probing->probe;
    unsigned left = probe->run.fileless;
    bool is_random = probing->is_random && !probe->peer.has_test_program;
    if (probe->peer.no_file[0] == '\0' || (left == 0 && !is_random))
        return status;
    if (is_random)
        say("%s: NULLs were sent in place of READs and WRITEs", probe->peer.no_file);
    else
        say("%s: %u case%s not run", probe->peer.no_file, left, left == 1 ? " was" : "s were");
    return status == STATUS_INTERRUPTED ? status : STATUS_UNREADABLE;
}

/* A server without NFS version 4 may have version 3, which begins with MOUNT. */
static void enter_nfs3(struct probe_command *probing, const char *address)
{
    struct probe *probe = &probing->probe;
    struct around around;
    bool is_nfs = probe->options.program == NFS_PROGRAM && !probe->peer.has_nfs;
    if (!is_nfs || probing->cases2 || probing->is_around || probing->is_random ||
        probing->vectors || live_is_loopback(address))
        return;
    if (around_begin(&around, address, probing->rpcbind_port, probe->peer.nfs3.why) &&
        probe_connect(probe))
        mount_enter(probe, &around, probing->mount_port);
    probe_disconnect(probe);
}

static bool find_peer(const struct probe_command *probing, struct probe *probe, const char *who)
{
    if (probing->cases2 ? probe2_begin(probe) : probe_begin(probe))
        return true;
    say("%s: %s", who, interrupted() ? interrupt_text() : probe->peer.transport->error);
    results_free(&probe->run.results); /* what it sent in place of the answer */
    return false;
}

static int test_peer(struct probe_command *probing, const struct corpus *corpus,
                     const char *address)
{
    struct probe *probe = &probing->probe;
    const char *who = live_is_loopback(address) ? "reference Responder" : address;
    if (!find_peer(probing, probe, who) ||
        (probe->against && !find_peer(probing, probe->against, probing->against)))
        return STATUS_UNREACHABLE;
    if (probing->coverage && !(probing->random.guide = random_guide_open(probing->coverage))) {
        results_free(&probe->run.results);
        return STATUS_UNREADABLE;
    }
    enter_nfs3(probing, address);
    if (!probing->is_around && !probing->vectors)
        probe_find_file(probe);
    progress_start(&probe->run.progress, "probe");
    run_to_the_end(probing, corpus);
    if (probe_doubts_begin(probe)) {
        run_to_the_end(probing, corpus);
        probe_doubts_end(probe);
    }
    progress_clear(&probe->run.progress);
    interrupt_settle();
    if (probing->is_around)
        around_tell(probe);
    const char *name = probing->live.reports.name ? probing->live.reports.name : who;
    bool written = probing->record == NULL ||
                   record_write(&probing->recorder, probing->record, name) || interrupted();
    if (probe->run.fileless > 0 && probe->run.results.incomplete == NULL)
        probe->run.results.incomplete = "the peer has not the file of --nfs-file";
    int status = status_of(probe, live_report(&probing->live, who, &probe->run.results));
    status = status_without_file(probing, status);
    return written && !random_guide_is_blind(probing->random.guide) ? status : STATUS_UNREADABLE;
}

static int test_around(struct probe_command *probing, const char *address)
{
    struct around around;
    char error[128];
    if (!around_begin(&around, address, probing->rpcbind_port, error)) {
        say("%s: %s", address, error);
        return STATUS_UNREACHABLE;
    }
    probing->probe.around = &around;
    int status = test_peer(probing, NULL, address);
    around_end(&around);
    return status;
}

static int probe_peer(struct probe_command *probing, const char *address)
{
    struct probe *probe = &probing->probe;
    struct corpus corpus = {0};
    int status = STATUS_GOOD;
    if (probing->vectors)
        corpus_add(&corpus, probing->vectors);
    if (corpus.status != STATUS_GOOD || corpus.faults > 0)
        status = STATUS_UNREADABLE;
    else if (probing->list)
        status = list_cases(probing, &corpus);
    else
        status = count_cases(probing, &corpus);
    if (status == STATUS_GOOD && probe->run.selection.mode == PROBE_RUN)
        status = probing->is_around ? test_around(probing, address)
                                    : test_peer(probing, &corpus, address);
    corpus_free(&corpus);
    free(probe->run.stopped);
    return status;
}

static struct transport *open_peer(const struct probe_command *probing, const char *address)
{
    if (!live_is_loopback(address))
        return live_verbs(address, false);
    return probing->draft ? responder_loopback_version2(probing->probe.options.draft)
                          : responder_loopback();
}

static void close_peer(struct probe *probe)
{
    results_free(&probe->run.results);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* The second peer is asked as the first one is. */
static bool open_other(struct probe_command *probing)
{
    struct probe *other = &probing->other;
    if (probing->against == NULL)
        return true;
    other->options = probing->probe.options;
    other->options.restart = NULL;
    other->peer.invalidates = other->peer.forgets = live_is_loopback(probing->against);
    other->peer.transport = open_peer(probing, probing->against);
    if (other->peer.transport)
        probing->probe.against = other;
    return probing->probe.against != NULL;
}

static int run(struct probe_command *probing, const char *address)
{
    struct probe *probe = &probing->probe;
    bool loopback = live_is_loopback(address);
    bool has_program = probe->options.program != NOT_GIVEN;
    if (!has_program)
        probe->options.program = loopback ? (uint32_t)TEST_PROGRAM : NFS_PROGRAM;
    if (probe->options.version == NOT_GIVEN)
        probe->options.version = has_program || loopback ? 1 : NFS_VERSION;
    if (loopback && probe->options.nfs_file == NULL && !probing->is_random)
        probe->options.nfs_file = FILES_WRITTEN;
    probe->options.timeout = probing->live.timeout;
    probe->peer.invalidates = probe->peer.forgets = loopback;
    if (loopback && live_is_loopback(probing->against)) /* it is our own, and has nothing to fear */
        probe->options.hazards.all = true;
    probe->peer.transport = open_peer(probing, address);
    if (probe->peer.transport == NULL)
        return STATUS_UNREACHABLE;
    if (probing->draft) /* there a Call names what may be invalidated */
        probe->peer.invalidates = probe->peer.transport->invalidates;
    if (!open_other(probing)) {
        close_peer(probe);
        return STATUS_UNREACHABLE;
    }
    if (!wire_capture_begin(&probing->capture) || !peer_log_begin(&probe->run.log)) {
        if (probe->against)
            close_peer(probe->against);
        close_peer(probe);
        return STATUS_UNREADABLE;
    }
    if (probing->record) {
        probe->run.recording.recorder = &probing->recorder;
        probe->run.recording.left = PROBE_RECORD_MAX;
    }
    probe->peer.infers = !loopback && !transport_shows_packets(address);
    int status = probe_peer(probing, address);
    peer_log_end(&probe->run.log);
    record_free(&probing->recorder);
    if (probe->against)
        close_peer(probe->against);
    probe->peer.transport->ops->close(probe->peer.transport);
    if (!wire_capture_end(&probing->capture))
        status = STATUS_UNREADABLE;
    return close_output(status);
}

int cmd_probe(int argc, char **argv)
{
    struct probe_command probing = {.live = LIVE_DEFAULT,
                                    .random.time = 10000,
                                    .rpcbind_port = RPCBIND_PORT,
                                    .probe.options.wait = WAIT,
                                    .probe.options.program = NOT_GIVEN,
                                    .probe.options.version = NOT_GIVEN};
    int status = parse_options(&probing, argc, argv);
    if (status < 0)
        status = run(&probing, argv[optind]);
    random_guide_close(probing.random.guide);
    known_free(&probing.live.reports.known);
    probe_options_free(&probing.probe.options);
    return status;
}
