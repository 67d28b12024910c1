// SPDX-License-Identifier: BSD-3-Clause
/* The frames of a capture file. */
#ifndef CONFORMANCE_CAPTURE_FRAMES_H
#define CONFORMANCE_CAPTURE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FRAMES_ERROR 256

struct captured_frame {
    int link_type; /* as libpcap numbers them */
    const uint8_t *octets;
    size_t recorded, total; /* in the file, and on the wire */
    int64_t time;           /* nanoseconds since 1970 */
    uint32_t interface;     /* of the file: by which clock */
    bool sends_only;        /* RDMA Reads and Writes are not in the capture */
    bool within_client;     /* what the client did with its memory is */
};

enum frames_result { FRAMES_NEXT, FRAMES_END, FRAMES_DAMAGED };

struct records;

/* One of two readers. */
struct frames {
    struct pcap *pcap;
    struct records *records; /* what follows the header, where libpcap reads no more than that */
    struct pcapng *pcapng;
    int link_type;    /* of pcap: one for the file */
    bool owns_stream; /* frames_close() closes the stream */
    char error[FRAMES_ERROR];
};

/* False if it is not a capture: then `error` says why. */
bool frames_open(struct frames *frames, FILE *stream);

/* The next frame, whose octets stay until the next call. */
enum frames_result frames_next(struct frames *frames, struct captured_frame *frame);

/* The link type, where the file has only one; else -1. */
int frames_link_type(const struct frames *frames);

void frames_close(struct frames *frames);

#endif
