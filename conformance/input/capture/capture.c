// SPDX-License-Identifier: BSD-3-Clause
/*
 * Captures (pcap, pcapng): from the file to its packets.
 *
 * libpcap reads the file frame by frame, so that a capture of any size needs no more memory than
 * the messages that are being assembled. What one frame holds is found out without knowing the
 * others (packet.c); all that depends on earlier frames is done by demux.c and what it uses.
 */
#include "conformance/input/capture/capture.h"
#include "conformance/input/capture/demux.h"
#include "conformance/input/frame/packet.h"

#include <pcap/pcap.h>

#include <inttypes.h>
#include <sys/stat.h>

#define MEMORY_DEFAULT ((size_t)64 << 20)
#define PROGRESS_FRAMES 4096

struct capture {
    struct source_reader *reader;
    pcap_t *pcap;
    uint64_t size;
    uint64_t roce;
    struct capture_context context;
    struct demux demux;
};

static void show_progress(const struct capture *capture)
{
    const struct source_options *options = capture->reader->options;
    off_t at = options->progress ? ftello(capture->reader->stream) : -1;
    if (at >= 0)
        options->progress(options->progress_arg, (uint64_t)at, capture->size);
}

static void read_frame(struct capture *capture, int link_type, const struct pcap_pkthdr *header,
                       const uint8_t *frame)
{
    struct packet packet;
    uint64_t number = ++capture->reader->counts->frames;
    if (number % PROGRESS_FRAMES == 0)
        show_progress(capture);
    size_t recorded = header->caplen < header->len ? header->caplen : header->len;
    switch (packet_parse(link_type, frame, recorded, &packet)) {
    case PACKET_ROCE:
        capture->roce++;
        packet.frame = number;
        packet.time = header->ts.tv_sec * INT64_C(1000000000) + header->ts.tv_usec;
        demux_packet(&capture->demux, &packet);
        return;
    case PACKET_BAD:
        source_unread(capture->reader, number, "an RDMA packet of impossible length, or cut off");
        return;
    case PACKET_OTHER:
        return;
    }
}

static bool read_frames(struct capture *capture)
{
    struct pcap_pkthdr *header;
    const uint8_t *frame;
    int link_type = pcap_datalink(capture->pcap), result;
    struct source_reader *reader = capture->reader;
    if (!packet_link_known(link_type)) {
        const char *name = pcap_datalink_val_to_name(link_type);
        return source_fail(reader, "captured on a link of type %s, which is not supported",
                           name ? name : "unknown");
    }
    while (!capture->context.stop && (result = pcap_next_ex(capture->pcap, &header, &frame)) == 1)
        read_frame(capture, link_type, header, frame);
    if (!capture->context.stop && result == PCAP_ERROR)
        return source_fail(reader, "damaged after frame %" PRIu64 ": %s", reader->counts->frames,
                           pcap_geterr(capture->pcap));
    if (reader->counts->connections == 0)
        return source_fail(reader, "no RPC-over-RDMA traffic in %" PRIu64 " frames%s",
                           reader->counts->frames,
                           capture->roce ? "; there is RoCE: see --port and --all-qp" : "");
    return true;
}

bool source_read_capture(struct source_reader *reader)
{
    char why[PCAP_ERRBUF_SIZE];
    struct stat status;
    size_t memory = reader->options->memory ? reader->options->memory : MEMORY_DEFAULT;
    struct capture capture = {
        .reader = reader,
        .context = {.reader = reader, .memory.max = memory},
    };
    if (fstat(fileno(reader->stream), &status) == 0)
        capture.size = (uint64_t)status.st_size;
    capture.pcap =
        pcap_fopen_offline_with_tstamp_precision(reader->stream, PCAP_TSTAMP_PRECISION_NANO, why);
    if (capture.pcap == NULL)
        return source_fail(reader, "not a readable capture: %s", why);
    bool good = demux_init(&capture.demux, &capture.context) ? read_frames(&capture)
                                                             : source_fail(reader, "out of memory");
    demux_done(&capture.demux);
    pcap_close(capture.pcap);
    reader->stream = NULL; /* closed by libpcap */
    return good;
}
