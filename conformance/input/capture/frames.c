// SPDX-License-Identifier: BSD-3-Clause
/*
 * The frames of a capture file.
 *
 * libpcap knows pcap in all its variants; records.c reads what follows the header of the usual one.
 * Of pcapng libpcap reads only files whose interfaces share one link type, so pcapng has a reader
 * of its own; which of the two it is, the first octet shows.
 */
#include "conformance/input/capture/frames.h"
#include "conformance/input/capture/pcapng.h"
#include "conformance/input/capture/records.h"

#include <pcap/pcap.h>

#include <stdlib.h>

/* Since then both lengths of a frame are in their order. */
enum { MAJOR = 2, MINOR = 4 };

static bool open_pcap(struct frames *frames, FILE *stream)
{
    frames->records = records_recognise(stream);
    frames->pcap =
        pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, frames->error);
    bool usual = frames->pcap && pcap_major_version(frames->pcap) == MAJOR &&
                 pcap_minor_version(frames->pcap) == MINOR;
    if (!usual) {
        free(frames->records);
        frames->records = NULL;
    }
    if (frames->pcap == NULL)
        return false;
    frames->owns_stream = true;
    frames->link_type = pcap_datalink(frames->pcap);
    if (frames->records)
        records_limit(frames->records, (uint32_t)pcap_snapshot(frames->pcap));
    return true;
}

bool frames_open(struct frames *frames, FILE *stream)
{
    int first = getc(stream);
    *frames = (struct frames){0};
    if (first != EOF)
        ungetc(first, stream);
    if (first == PCAPNG_FIRST_OCTET) {
        frames->pcapng = pcapng_open(stream, frames->error);
        return frames->pcapng != NULL;
    }
    return open_pcap(frames, stream);
}

static enum frames_result next_of_pcap(struct frames *frames, struct captured_frame *frame)
{
    struct pcap_pkthdr *header;
    int result = pcap_next_ex(frames->pcap, &header, &frame->octets);
    if (result != 1) {
        if (result == PCAP_ERROR)
            snprintf(frames->error, sizeof frames->error, "%s", pcap_geterr(frames->pcap));
        return result == PCAP_ERROR ? FRAMES_DAMAGED : FRAMES_END;
    }
    frame->link_type = frames->link_type;
    frame->total = header->len;
    frame->recorded = header->caplen < header->len ? header->caplen : header->len;
    frame->time = header->ts.tv_sec * INT64_C(1000000000) + header->ts.tv_usec;
    frame->interface = 0;
    frame->sends_only = frame->within_client = false;
    return FRAMES_NEXT;
}

enum frames_result frames_next(struct frames *frames, struct captured_frame *frame)
{
    if (frames->pcapng)
        return pcapng_next(frames->pcapng, frame, frames->error);
    if (frames->records) {
        frame->link_type = frames->link_type;
        return records_next(frames->records, frame, frames->error);
    }
    return next_of_pcap(frames, frame);
}

int frames_link_type(const struct frames *frames)
{
    return frames->pcap ? frames->link_type : -1;
}

void frames_close(struct frames *frames)
{
    free(frames->records);
    if (frames->pcap)
        pcap_close(frames->pcap);
    pcapng_close(frames->pcapng);
}
