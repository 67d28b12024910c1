// SPDX-License-Identifier: BSD-3-Clause
/*
 * Captures (pcap, pcapng): from the file to its packets.
 *
 * The file is read frame by frame, so that a capture of any size needs no more memory than the
 * messages that are being assembled. What one frame holds is found out without knowing the others
 * (input/frame); all that depends on earlier frames is done by demux.c and what it uses.
 */
#include "conformance/base/stop.h"
#include "conformance/input/capture/capture.h"
#include "conformance/input/capture/demux.h"
#include "conformance/input/capture/kinds.h"
#include "conformance/input/frame/packet.h"

#include <pcap/pcap.h>

#include <inttypes.h>
#include <sys/stat.h>

#define MEMORY_DEFAULT ((size_t)64 << 20)
#define PROGRESS_FRAMES 4096

#define SOUND_MAX 64 /* senders; the CRCs of more are not judged */

struct capture {
    struct source_reader *reader;
    struct frames frames;
    uint64_t size;
    struct kinds kinds;
    struct sound {
        struct address source;
        uint32_t interface;
    } sound[SOUND_MAX]; /* senders whose invariant CRCs are right */
    unsigned sound_count;
    bool readable;    /* a frame had a link type that is supported */
    int unknown_link; /* one that is not, or -1 */
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

/* Some devices hand packets to tcpdump before they have their CRCs, or without them. So a wrong one
 * counts only where the same sender had a right one before. */
static bool is_damaged(struct capture *capture, const struct packet *packet)
{
    enum packet_sum sum = packet_sum(packet);
    unsigned at = 0;
    while (at < capture->sound_count &&
           (!address_equal(&capture->sound[at].source, &packet->source) ||
            capture->sound[at].interface != packet->stamp.interface))
        at++;
    if (sum == SUM_RIGHT && at == capture->sound_count && at < SOUND_MAX)
        capture->sound[capture->sound_count++] =
            (struct sound){packet->source, packet->stamp.interface};
    return sum == SUM_WRONG && at < capture->sound_count;
}

static void take_packet(struct capture *capture, const struct captured_frame *frame,
                        uint64_t number)
{
    struct source_reader *reader = capture->reader;
    struct packet packet;
    capture->context.sends_only = frame->sends_only;
    capture->context.within_client = frame->within_client;
    enum packet_kind kind =
        packet_parse(frame->link_type, frame->octets, frame->recorded, frame->total, &packet);
    if (number == reader->options->frame)
        reader->counts->what = packet_what(kind, &packet);
    if (reader->counts->events == 0) /* else nobody asks what else there is */
        kinds_count(&capture->kinds, frame, kind, &packet, reader->options->port);
    switch (kind) {
    case PACKET_ROCE:
        packet.frame = number;
        packet.stamp = (struct stamp){frame->time, frame->interface};
        if (is_damaged(capture, &packet))
            source_unread(reader, number, "RDMA packets whose invariant CRC is wrong");
        else
            demux_packet(&capture->demux, &packet);
        return;
    case PACKET_BAD:
        source_unread(reader, number, "RDMA packets of impossible length, or cut off");
        return;
    case PACKET_CUT:
        if (frame->recorded < frame->total)
            source_unread(reader, number, "too little was recorded to show what it is");
        return;
    case PACKET_TCP:
        packet.frame = number;
        packet.stamp = (struct stamp){frame->time, frame->interface};
        demux_segment(&capture->demux, &packet);
        return;
    case PACKET_ESP:
    case PACKET_MACSEC:
    case PACKET_OTHER:
        return;
    }
}

static void take_frame(struct capture *capture, const struct captured_frame *frame)
{
    struct source_counts *counts = capture->reader->counts;
    uint64_t number = ++counts->frames;
    counts->until = frame->time > counts->until ? frame->time : counts->until;
    if (number % PROGRESS_FRAMES == 0)
        show_progress(capture);
    if (packet_link_known(frame->link_type)) {
        capture->readable = true;
        take_packet(capture, frame, number);
    } else {
        capture->unknown_link = frame->link_type;
        source_unread(capture->reader, number, "the link type is not supported");
    }
}

static bool fail_with_link(struct source_reader *reader, int link_type)
{
    const char *name = pcap_datalink_val_to_name(link_type);
    return source_fail(reader, "captured on a link of type %d%s%s%s, which is not supported",
                       link_type, name ? " (" : "", name ? name : "", name ? ")" : "");
}

static bool fail_without_traffic(struct capture *capture)
{
    struct source_reader *reader = capture->reader;
    if (capture->unknown_link >= 0 && !capture->readable)
        return fail_with_link(reader, capture->unknown_link);
    char instead[KINDS_TEXT];
    capture->kinds.others = capture->context.others;
    kinds_describe(&capture->kinds, &capture->demux.requests, reader->options->port, instead);
    uint64_t frames = reader->counts->frames;
    return source_fail(reader, "no RPC-over-RDMA traffic in %" PRIu64 " frame%s%s", frames,
                       frames == 1 ? "" : "s", instead);
}

static bool read_frames(struct capture *capture)
{
    struct captured_frame frame;
    enum frames_result result = FRAMES_END;
    struct source_reader *reader = capture->reader;
    int link_type = frames_link_type(&capture->frames);
    if (link_type >= 0 && !packet_link_known(link_type))
        return fail_with_link(reader, link_type);
    while (!capture->context.stop && !source_stopped() &&
           (result = frames_next(&capture->frames, &frame)) == FRAMES_NEXT)
        take_frame(capture, &frame);
    demux_end(&capture->demux);
    if (!capture->context.stop && !source_stopped() && result == FRAMES_DAMAGED)
        return source_fail(reader, "damaged after frame %" PRIu64 ": %s", reader->counts->frames,
                           capture->frames.error);
    return reader->counts->connections > 0 || fail_without_traffic(capture);
}

bool source_read_capture(struct source_reader *reader)
{
    struct stat status;
    size_t memory = reader->options->memory ? reader->options->memory : MEMORY_DEFAULT;
    struct capture capture = {
        .reader = reader,
        .unknown_link = -1,
        .context = {.reader = reader, .memory.max = memory},
    };
    if (fstat(fileno(reader->stream), &status) == 0)
        capture.size = (uint64_t)status.st_size;
    if (!frames_open(&capture.frames, reader->stream))
        return source_fail(reader, "not a readable capture: %s", capture.frames.error);
    bool good = demux_init(&capture.demux, &capture.context) ? read_frames(&capture)
                                                             : source_fail(reader, "out of memory");
    demux_done(&capture.demux);
    /* The last events are passed on, or are of another protocol. */
    if (good && capture.context.others > 0 && reader->counts->events == 0)
        good = fail_without_traffic(&capture);
    reader->counts->unreturned = capture.context.memory.used;
    memory_done(&capture.context.memory);
    frames_close(&capture.frames);
    if (capture.frames.owns_stream)
        reader->stream = NULL;
    return good;
}
