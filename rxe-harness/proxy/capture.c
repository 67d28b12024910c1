// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/proxy/capture.h"

#include "conformance/input/frame/packet.h"
#include <rpcrdma/xdr.h>

#include <pcap/pcap.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATH_MTU 4096
#define PATH_MTU_CODE 5
#define SERVICE_PORT 20049
#define SNAP_LENGTH 262144

enum { ETHERNET = 14, IPV4 = 20, UDP = 8, BASE = 12, HEADERS = ETHERNET + IPV4 + UDP + BASE };
enum {
    EXTENDED_MAX = 20,
    CHECK_SUM = 4,
    FRAME_MAX = HEADERS + EXTENDED_MAX + PATH_MTU + CHECK_SUM
};
#define FRAME_COST 128 /* octets that a frame takes at most, beside what it carries */

enum { MAD = 256, MAD_HEADER = 24, DATAGRAM = 8 };
enum { CM_REQUEST = 0x10, CM_REPLY = 0x13, CM_READY = 0x14, CM_DISCONNECT = 0x15 };
enum {
    REQUEST_PRIVATE = 176,
    REQUEST_PRIVATE_MAX = 56,
    REPLY_PRIVATE = 36,
    REPLY_PRIVATE_MAX = 196
};

struct capture_file {
    pcap_t *format;
    pcap_dumper_t *dumper;
    size_t room;
};

struct capture_frame {
    uint8_t octets[FRAME_MAX];
    size_t length;
};

/* ---- octets ---- */

static void put(struct capture_frame *frame, size_t octets, uint64_t value)
{
    for (size_t i = octets; i > 0; i--, value >>= 8)
        frame->octets[frame->length + i - 1] = (uint8_t)value;
    frame->length += octets;
}

static void set(uint8_t *at, size_t octets, uint64_t value)
{
    for (; octets > 0; value >>= 8)
        at[--octets] = (uint8_t)value;
}

static void put_octets(struct capture_frame *frame, const uint8_t *octets, size_t length)
{
    if (length > 0)
        memcpy(frame->octets + frame->length, octets, length);
    frame->length += length;
}

/* ---- frames ---- */

static uint32_t queue_pair(const struct capture_flow *flow, int side)
{
    return (2 * flow->number + (uint32_t)side) & 0xffffff;
}

/* Up to the base header; `from` is 0 for the client. */
static void begin(struct capture_frame *frame, int from, unsigned opcode, uint32_t destination,
                  uint32_t psn)
{
    uint32_t side = (uint32_t)from;
    frame->length = 0;
    put(frame, 6, 0x020000000002u - side);
    put(frame, 6, 0x020000000001u + side);
    put(frame, 2, 0x0800);
    put(frame, 4, 0x45000000);
    put(frame, 4, 0);
    put(frame, 4, 0x40110000); /* time to live, UDP */
    put(frame, 4, 0xc0000201u + side);
    put(frame, 4, 0xc0000202u - side);
    put(frame, 4, 49152u << 16 | 4791);
    put(frame, 4, 0);
    put(frame, 4, (uint32_t)opcode << 24 | 0xffff);
    put(frame, 4, destination);
    put(frame, 4, psn & 0xffffff);
}

static void finish(struct capture_file *file, struct capture_frame *frame, size_t padding)
{
    struct timespec now;
    put(frame, padding + CHECK_SUM, 0);
    frame->octets[ETHERNET + IPV4 + UDP + 1] |= (uint8_t)(padding << 4);
    set(frame->octets + ETHERNET + 2, 2, frame->length - ETHERNET);
    set(frame->octets + ETHERNET + IPV4 + 4, 2, frame->length - ETHERNET - IPV4);
    clock_gettime(CLOCK_REALTIME, &now);
    const struct pcap_pkthdr header = {.ts = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000},
                                       .caplen = (bpf_u_int32)frame->length,
                                       .len = (bpf_u_int32)frame->length};
    pcap_dump((u_char *)file->dumper, &header, frame->octets);
}

/* ---- connection management ---- */

/* Returns where the message begins that follows the common header. */
static uint8_t *begin_cm(struct capture_frame *frame, const struct capture_flow *flow, int from,
                         uint32_t attribute)
{
    memset(frame->octets, 0, sizeof frame->octets);
    begin(frame, from, OP_DATAGRAM, 1, 0);
    put(frame, 4, 0x80010000); /* its key */
    put(frame, 4, 1);
    uint8_t *message = frame->octets + frame->length + MAD_HEADER;
    put(frame, 4, 0x01070203); /* communication management, version 2, Send */
    set(frame->octets + frame->length + 12, 2, attribute);
    frame->length += MAD - 4;
    set(message, 4, 0x10000 + queue_pair(flow, from));
    if (attribute != CM_REQUEST)
        set(message + 4, 4, 0x10000 + queue_pair(flow, 1 - from));
    return message;
}

static void put_private(uint8_t *at, const struct link *link, size_t max)
{
    size_t length = link->private_length < max ? link->private_length : max;
    memcpy(at, link->private_data, length);
}

static void write_cm(struct capture_flow *flow, struct link *const links[2])
{
    struct capture_frame frame;
    uint8_t *message = begin_cm(&frame, flow, 0, CM_REQUEST);
    set(message + 8, 8, 0x01060000 + SERVICE_PORT);
    set(message + 32, 3, queue_pair(flow, 0));
    set(message + 44, 3, flow->psn[1]); /* what a side begins with is what the other expects */
    message[50] = PATH_MTU_CODE << 4;
    put_private(message + REQUEST_PRIVATE, links[0], REQUEST_PRIVATE_MAX);
    finish(flow->file, &frame, 0);
    message = begin_cm(&frame, flow, 1, CM_REPLY);
    set(message + 12, 3, queue_pair(flow, 1));
    set(message + 20, 3, flow->psn[0]);
    put_private(message + REPLY_PRIVATE, links[1], REPLY_PRIVATE_MAX);
    finish(flow->file, &frame, 0);
    begin_cm(&frame, flow, 0, CM_READY);
    finish(flow->file, &frame, 0);
}

static void write_end(struct capture_flow *flow, int from)
{
    struct capture_frame frame;
    set(begin_cm(&frame, flow, from, CM_DISCONNECT) + 8, 3, queue_pair(flow, 1 - from));
    finish(flow->file, &frame, 0);
}

/* ---- data ---- */

/* The opcodes of a message by the place of a packet in it. */
struct opcodes {
    unsigned first, middle, last, only;
};

static void put_remote(struct capture_frame *frame, const struct rpcrdma_event *event)
{
    put(frame, 8, event->offset);
    put(frame, 4, event->handle);
    put(frame, 4, event->length);
}

/* A message of as many packets as it takes, the headers of its first and last ones included.
 * Returns how many. */
static uint32_t write_message(struct capture_flow *flow, int from, uint32_t psn,
                              const struct opcodes *opcodes, const struct rpcrdma_event *event)
{
    struct capture_frame frame;
    const uint8_t *octets = event->data;
    size_t done = 0;
    uint32_t count = 0;
    do {
        size_t part = event->length - done < PATH_MTU ? event->length - done : PATH_MTU;
        bool first = done == 0, last = done + part == event->length;
        begin(&frame, from,
              first && last ? opcodes->only
              : first       ? opcodes->first
              : last        ? opcodes->last
                            : opcodes->middle,
              queue_pair(flow, 1 - from), psn + count);
        if (event->type == RPCRDMA_EVENT_RDMA_WRITE && first)
            put_remote(&frame, event);
        if (event->type == RPCRDMA_EVENT_RDMA_READ && (first || last))
            put(&frame, 4, 0x1f000000);
        if (event->type == RPCRDMA_EVENT_SEND && event->invalidate && last)
            put(&frame, 4, event->handle);
        put_octets(&frame, octets + done, part);
        finish(flow->file, &frame, (4 - part % 4) % 4);
        done += part;
        count++;
    } while (done < event->length);
    return count;
}

static void acknowledge(struct capture_flow *flow, int from, uint32_t psn)
{
    struct capture_frame frame;
    begin(&frame, from, OP_ACKNOWLEDGE, queue_pair(flow, 1 - from), psn);
    put(&frame, 4, 0x1f000000);
    finish(flow->file, &frame, 0);
}

static void write_data(struct capture_flow *flow, const struct rpcrdma_event *event)
{
    static const struct opcodes send = {OP_SEND_FIRST, OP_SEND_MIDDLE, OP_SEND_LAST, OP_SEND_ONLY},
                                invalidate = {OP_SEND_FIRST, OP_SEND_MIDDLE,
                                              OP_SEND_LAST_INVALIDATE, OP_SEND_ONLY_INVALIDATE},
                                write = {OP_WRITE_FIRST, OP_WRITE_MIDDLE, OP_WRITE_LAST,
                                         OP_WRITE_ONLY},
                                response = {OP_READ_FIRST, OP_READ_MIDDLE, OP_READ_LAST,
                                            OP_READ_ONLY};
    int from = event->from;
    uint32_t *psn = &flow->psn[from];
    if (event->type == RPCRDMA_EVENT_RDMA_READ) {
        struct capture_frame frame;
        begin(&frame, from, OP_READ_REQUEST, queue_pair(flow, 1 - from), *psn);
        put_remote(&frame, event);
        finish(flow->file, &frame, 0);
        *psn += write_message(flow, 1 - from, *psn, &response, event);
        return;
    }
    const struct opcodes *opcodes = event->type == RPCRDMA_EVENT_RDMA_WRITE ? &write
                                    : event->invalidate                     ? &invalidate
                                                                            : &send;
    *psn += write_message(flow, from, *psn, opcodes, event);
    acknowledge(flow, 1 - from, *psn - 1);
}

/* ---- what proxies call ---- */

struct capture_file *capture_create(const char *path, size_t room, char *error, size_t size)
{
    struct capture_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        snprintf(error, size, "not enough memory");
        return NULL;
    }
    file->room = room;
    file->format = pcap_open_dead(DLT_EN10MB, SNAP_LENGTH);
    file->dumper = file->format ? pcap_dump_open(file->format, path) : NULL;
    if (file->dumper)
        return file;
    /* It begins with the file's name, which is the caller's to say. */
    const char *why = file->format ? pcap_geterr(file->format) : "not enough memory";
    size_t name = strlen(path);
    bool named = strncmp(why, path, name) == 0 && strncmp(why + name, ": ", 2) == 0;
    snprintf(error, size, "%s", named ? why + name + 2 : why);
    if (file->format)
        pcap_close(file->format);
    free(file);
    return NULL;
}

bool capture_finish(struct capture_file *file)
{
    errno = 0;
    bool good = pcap_dump_flush(file->dumper) == 0 && !ferror(pcap_dump_file(file->dumper));
    int status = errno != 0 ? errno : EIO;
    pcap_dump_close(file->dumper);
    pcap_close(file->format);
    free(file);
    errno = status;
    return good;
}

/* Take this off the room, or end the flow. */
static bool afford(struct capture_flow *flow, uint64_t octets)
{
    struct capture_file *file = flow->file;
    if (octets <= file->room) {
        file->room -= (size_t)octets;
        return true;
    }
    file->room = 0;
    flow->file = NULL;
    return false;
}

bool capture_meet(struct capture_flow *flow, struct capture_file *file, unsigned number,
                  struct link *const links[2])
{
    *flow = (struct capture_flow){.file = file, .number = number, .psn = {1000, 2000}};
    if (file == NULL)
        return true;
    if (!afford(flow, 4 * (MAD + FRAME_COST))) /* of its end, too */
        return false;
    write_cm(flow, links);
    return true;
}

bool capture_add(struct capture_flow *flow, const struct rpcrdma_event *event)
{
    bool is_data = event->type == RPCRDMA_EVENT_SEND || event->type == RPCRDMA_EVENT_RDMA_READ ||
                   event->type == RPCRDMA_EVENT_RDMA_WRITE;
    if (flow->file == NULL)
        return true;
    uint64_t frames = (uint64_t)event->length / PATH_MTU + 2; /* with the acknowledgement */
    if (is_data && !afford(flow, event->length + FRAME_COST * frames))
        return false;
    if (event->type == RPCRDMA_EVENT_GAP)
        flow->psn[event->from]++;
    if (is_data)
        write_data(flow, event);
    else if (event->type == RPCRDMA_EVENT_DISCONNECT)
        write_end(flow, event->from);
    return true;
}
