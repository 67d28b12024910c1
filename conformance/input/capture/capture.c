// SPDX-License-Identifier: BSD-3-Clause
/* Captures (pcap, pcapng): from the file to the packets of RoCEv2. */
#include "conformance/input/capture/packet.h"
#include "conformance/input/capture/connections.h"
#include "conformance/input/source.h"

#include <pcap/pcap.h>

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define MEMORY_DEFAULT ((size_t)64 << 20)
#define PROGRESS_FRAMES 4096

struct capture {
    pcap_t *pcap;
    FILE *stream;
    uint64_t size;
    uint64_t roce, bad;
    struct peers peers;
};

static void show_progress(struct capture *capture)
{
    const struct source_options *options = capture->peers.options;
    off_t at = options->progress ? ftello(capture->stream) : -1;
    if (at >= 0)
        options->progress(options->progress_arg, (uint64_t)at, capture->size);
}

static void read_frame(struct capture *capture, int link_type, const struct pcap_pkthdr *header,
                       const uint8_t *frame)
{
    struct packet packet;
    uint64_t number = ++capture->peers.counts->frames;
    if (number % PROGRESS_FRAMES == 0)
        show_progress(capture);
    size_t recorded = header->caplen < header->len ? header->caplen : header->len;
    switch (packet_parse(link_type, frame, recorded, &packet)) {
    case PACKET_ROCE:
        capture->roce++;
        packet.frame = number;
        peers_packet(&capture->peers, &packet);
        return;
    case PACKET_BAD:
        capture->bad++;
        return;
    case PACKET_OTHER:
        return;
    }
}

static bool read_frames(struct capture *capture, char *error, size_t error_size)
{
    struct pcap_pkthdr *header;
    const uint8_t *frame;
    int link_type = pcap_datalink(capture->pcap), result;
    const struct source_counts *counts = capture->peers.counts;
    if (!packet_link_known(link_type)) {
        const char *name = pcap_datalink_val_to_name(link_type);
        snprintf(error, error_size, "captured on a link of type %s, which is not supported",
                 name ? name : "unknown");
        return false;
    }
    while (!capture->peers.stop && (result = pcap_next_ex(capture->pcap, &header, &frame)) == 1)
        read_frame(capture, link_type, header, frame);
    if (!capture->peers.stop && result == PCAP_ERROR) {
        snprintf(error, error_size, "damaged after frame %" PRIu64 ": %s", counts->frames,
                 pcap_geterr(capture->pcap));
        return false;
    }
    if (counts->connections == 0) {
        snprintf(error, error_size, "no RPC-over-RDMA traffic in %" PRIu64 " frames%s",
                 counts->frames, capture->roce ? "; there is RoCE: see --port and --all-qp" : "");
        return false;
    }
    return true;
}

bool source_read_capture(FILE *stream, const char *file, const struct source_options *options,
                         const struct source_sink *sink, struct source_counts *counts, char *error,
                         size_t error_size)
{
    char why[PCAP_ERRBUF_SIZE];
    struct stat status;
    struct capture capture = {
        .stream = stream,
        .peers = {.options = options,
                  .sink = sink,
                  .counts = counts,
                  .file = file,
                  .memory_max = options->memory ? options->memory : MEMORY_DEFAULT},
    };
    if (fstat(fileno(stream), &status) == 0)
        capture.size = (uint64_t)status.st_size;
    capture.pcap = pcap_fopen_offline(stream, why);
    if (capture.pcap == NULL) {
        snprintf(error, error_size, "not a capture that can be read: %s", why);
        fclose(stream);
        return false;
    }
    bool read = peers_init(&capture.peers);
    if (read)
        read = read_frames(&capture, error, error_size);
    else
        snprintf(error, error_size, "out of memory");
    peers_done(&capture.peers);
    pcap_close(capture.pcap);
    return read;
}
