// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma trace`: what the kernel's NFS/RDMA client and server send, as a capture. */
#include "rxe-harness/commands/commands.h"
#include "conformance/base/clock.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/status.h"
#include "conformance/options/options.h"
#include "rxe-harness/trace/files.h"
#include "rxe-harness/trace/probes.h"
#include "rxe-harness/trace/trace.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define PAUSE 50 /* milliseconds between looks */
#define RING_DEFAULT 8
#define RING_MAX 1024u /* MiB */

struct tracing {
    struct options options;
    const char *write, *peer;
    struct trace_wish wish;
    struct assembler_filter filter;
    uint32_t snap, ring, seconds;
    uint32_t file_size; /* MiB; 0: one file */
    struct trace_files files;
    bool failed; /* to begin the next file */
    struct tracefs tracefs;
};

/* IPv4 as IPv6 has it. */
static bool read_address(const char *text, struct address *address)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    memcpy(address->octets, mapped, sizeof mapped);
    return inet_pton(AF_INET, text, address->octets + sizeof mapped) == 1 ||
           inet_pton(AF_INET6, text, address->octets) == 1;
}

static const int side_values[] = {TRACE_BOTH, TRACE_CLIENT, TRACE_SERVER};

static const struct option_row options_trace[] = {
    {"write", "FILE", "write the capture into this file, in place of standard output",
     SETS(OUTPUT, struct tracing, write)},
    {"side", "SIDE", "whose view: {words} (both)", .words = "both client server",
     .values = side_values, SETS(WORD, struct tracing, wish.sides),
     .more = "Traffic between a client and a server of one machine is seen twice, by each side, "
             "as two connections. RDMA Reads and Writes are seen by the server only."},
    {"port", "PORT", "of servers at this port only", SETS(PORT, struct tracing, filter.port)},
    {"peer", "ADDRESS", "of connections with this IP address at one of their ends only",
     SETS(TEXT, struct tracing, peer)},
    {"file-size", "MIB", "begin another file after this much: NAME-1.pcapng, NAME-2.pcapng and on",
     SETS(NUMBER, struct tracing, file_size),
     .more = "Each is a capture of its own; connections that were opened before it begin in their "
             "middle."},
    {"files", "NUMBER", "with --file-size: keep the latest NUMBER files of this run",
     SETS(NUMBER, struct tracing, files.keep)},
    {"snap", "OCTETS", "how much of each Send is read, 512 to 4096 (4096)",
     SETS(NUMBER, struct tracing, snap),
     .more = "What follows is marked as not recorded, as in other captures. A multiple of 512."},
    {"sends-only", NULL, "leave out RDMA Reads and Writes, and the client's registrations",
     SETS(FLAG, struct tracing, wish.sends_only),
     .more = "That costs less. Rules about them are not applied."},
    {"ring", "MIB", "the kernel's buffer for each processor (8)",
     SETS(NUMBER, struct tracing, ring)},
    {"seconds", "NUMBER", "end after this time", SETS(NUMBER, struct tracing, seconds)},
    OPTION_ROW_HELP,
    {0}};

const struct command command_trace = {
    .name = "trace",
    .run = cmd_trace,
    .summary = "capture what the kernel's NFS/RDMA sends, on any RDMA device",
    .operands = "",
    .text = "Watch the NFS/RDMA client and server of the running Linux kernel, and write each Send "
            "with its octets, the server's RDMA Reads and Writes, what the client registers and "
            "invalidates and when an RPC is over, and connections, as a capture "
            "(RoCEv2 in pcapng): rpcrdma trace | rpcrdma check -. It sees what "
            "tcpdump cannot where the device moves the data. It needs root, a kernel with BTF, and "
            "nothing else; SIGINT or SIGTERM ends it, and takes its probes out of the kernel.",
    .groups = (const struct option_group[]){{NULL, NULL, options_trace}, {0}},
    .status =
        "0 traced, also when ended by SIGINT or SIGTERM, 2 wrong usage, 3 the kernel cannot be "
        "watched or the capture cannot be written.",
};

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct tracing *tracing, int argc, char **argv)
{
    int status = options_parse(&command_trace, argc, argv, tracing, NULL);
    if (status >= 0)
        return status;
    if (tracing->snap < PROBE_PIECE || tracing->snap > PROBE_SEND_MAX)
        return usage_error("trace", "option '--snap' takes %u to %u octets, not '%" PRIu32 "'",
                           PROBE_PIECE, PROBE_SEND_MAX, tracing->snap);
    if (tracing->ring == 0 || tracing->ring > RING_MAX)
        return usage_error("trace", "option '--ring' takes 1 to %u MiB, not '%" PRIu32 "'",
                           RING_MAX, tracing->ring);
    tracing->wish.snap = tracing->snap;
    tracing->filter.has_peer = tracing->peer != NULL;
    if (tracing->peer && !read_address(tracing->peer, &tracing->filter.peer))
        return usage_error("trace", "option '--peer' takes an IP address, not '%s'", tracing->peer);
    if (tracing->file_size > 0 && tracing->write == NULL)
        return usage_error("trace", "option '--file-size' needs '--write'");
    if (tracing->files.keep > 0 && tracing->file_size == 0)
        return usage_error("trace", "option '--files' needs '--file-size'");
    tracing->files.name = tracing->write;
    tracing->files.size = (uint64_t)tracing->file_size << 20;
    if (optind < argc)
        return usage_error("trace", "takes no operand, not '%s'", argv[optind]);
    if (tracing->write == NULL && isatty(STDOUT_FILENO))
        return usage_error("trace", "standard output is a terminal: use --write FILE, or "
                                    "rpcrdma trace | rpcrdma check -");
    return -1;
}

/* What is lost is in the capture as a gap; here it is counted. */
static void summarise(const struct assembler_counts *counts, const struct trace_losses *losses)
{
    say("trace: %u connections, %" PRIu64 " Sends, %" PRIu64 " RDMA operations, %" PRIu64
        " registrations; %" PRIu64 " Sends were cut; lost: %" PRIu64 " records",
        counts->connections, counts->sends, counts->operations, counts->registrations, counts->cut,
        losses->overwritten + losses->missed + losses->broken);
    if (losses->overwritten > 0)
        say("trace: %" PRIu64 " records found no room: see --ring and --snap", losses->overwritten);
    if (losses->missed > 0)
        say("trace: %" PRIu64 " times a probe did not fire", losses->missed);
    if (losses->broken > 0)
        say("trace: %" PRIu64 " pages of the kernel could not be read", losses->broken);
    if (losses->unpaired > 0)
        say("trace: %" PRIu64 " record%s half of what is read at a function's entry; the other "
            "half was not seen, or not certain",
            losses->unpaired, losses->unpaired == 1 ? " was" : "s were");
    if (counts->unplaced > 0)
        say("trace: %" PRIu64 " Sends or lists of RDMA operations were too long to be read",
            counts->unplaced);
}

/* False after a complaint: the next file cannot be written. */
static bool watch(struct tracing *tracing, struct trace *trace, struct capture_file *capture)
{
    int64_t until = clock_milliseconds() + INT64_C(1000) * tracing->seconds;
    bool good = true;
    while (good && !interrupted() && (tracing->seconds == 0 || clock_milliseconds() < until)) {
        poll(NULL, 0, PAUSE);
        trace_read(trace, false);
        if (fflush(tracing->write ? tracing->files.output.stream : stdout) != 0)
            break; /* the reader has gone, or the disk is full */
        good = trace_files_turn(&tracing->files, capture);
    }
    interrupt_accept();
    return good;
}

/* The probes are set and write. */
static bool trace_into(struct tracing *tracing, FILE *out, char *error, size_t size)
{
    struct capture_file *capture = capture_create(out, SIZE_MAX);
    struct assembler *assembler =
        capture ? assembler_create(capture, &tracing->filter, &tracing->wish) : NULL;
    struct trace *trace = assembler ? trace_open(&tracing->tracefs, assembler, error, size) : NULL;
    if (trace) {
        say("trace: watching; SIGINT ends it");
        tracing->failed = !watch(tracing, trace, capture);
        tracefs_stop(&tracing->tracefs);
        trace_read(trace, true);
        summarise(assembler_counts(assembler), trace_losses(trace));
        trace_close(trace);
    }
    assembler_free(assembler);
    if (capture)
        capture_finish(capture);
    return trace != NULL;
}

/* False after a complaint. What could not be written is seen by who closes `out`. */
static bool trace_all(struct tracing *tracing, FILE *out)
{
    char error[256] = "not enough memory";
    struct tracefs *tracefs = &tracing->tracefs;
    bool good =
        tracefs_begin(tracefs, error, sizeof error) &&
        probe_lines(&tracing->wish, tracefs->group, tracefs_set, tracefs, error, sizeof error);
    if (good && *error)
        say("trace: what the client does with its memory is not watched: %s", error);
    good = good && tracefs_start(tracefs, tracing->ring << 10) &&
           trace_into(tracing, out, error, sizeof error);
    tracefs_end(tracefs);
    if (!good)
        say("trace: %s", error);
    return good;
}

static int run(struct tracing *tracing)
{
    FILE *out = trace_files_begin(&tracing->files);
    bool good = out && trace_all(tracing, out);
    good = trace_files_end(&tracing->files, good) && good;
    return good && !tracing->failed ? STATUS_GOOD : STATUS_UNREADABLE;
}

int cmd_trace(int argc, char **argv)
{
    struct tracing tracing = {.options = OPTIONS_DEFAULT,
                              .wish = {.sides = TRACE_BOTH, .registrations = true},
                              .snap = PROBE_SEND_MAX,
                              .ring = RING_DEFAULT};
    int status = parse_options(&tracing, argc, argv);
    return status >= 0 ? status : close_output(run(&tracing));
}
