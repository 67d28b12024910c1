// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/proxy/capture.h"

#include "conformance/base/count.h"
#include "conformance/input/capture/pcapng.h"
#include "conformance/input/frame/within.h"

#include <rpcrdma/xdr.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATH_MTU 4096
#define PATH_MTU_CODE 5
#define SERVICE_PORT 20049
#define SNAP_LENGTH 262144

enum { ETHERNET = 14, IPV4 = 20, IPV6 = 40, UDP = 8, BASE = 12 };
enum { EXTENDED_MAX = 20, CHECK_SUM = 4, FRAME_MAX = ETHERNET + CAPTURE_PACKET_MAX };
_Static_assert(IPV6 + UDP + BASE + EXTENDED_MAX + PATH_MTU + CHECK_SUM <= CAPTURE_PACKET_MAX,
               "a packet of ours has room");
/* Octets that a frame takes at most over IPv4, beside what it carries and a comment. */
#define FRAME_COST 128

enum { MAD = 256, MAD_HEADER = 24, DATAGRAM = 8 };
enum { CM_REQUEST = 0x10, CM_REPLY = 0x13, CM_READY = 0x14, CM_DISCONNECT = 0x15 };
enum {
    REQUEST_PRIVATE = 176,
    REQUEST_PRIVATE_MAX = 56,
    REPLY_PRIVATE = 36,
    REPLY_PRIVATE_MAX = 196
};

/* pcapng */
enum { BLOCK_SECTION = 0x0a0d0d0a, BLOCK_INTERFACE = 1, BLOCK_PACKET = 6 };
enum { OPTION_COMMENT = 1, OPTION_DESCRIPTION = 3, OPTION_RESOLUTION = 9 };
enum { INTERFACE_ALL, INTERFACE_SENDS_ONLY, INTERFACE_WITHIN };
#define LINK_ETHERNET 1
#define COMMENT_MAX 80

struct capture_file {
    FILE *stream;
    int error; /* `errno` when the stream failed first; 0: it did not */
    size_t room;
    int64_t time;
    char comment[COMMENT_MAX]; /* of the next frame */
};

struct capture_frame {
    uint8_t octets[FRAME_MAX];
    size_t length;
    size_t missing; /* octets of its payload that are not known: it ends before them */
    size_t ip;      /* of the IP header */
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

static bool is_v4(const struct address *address)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(address->octets, mapped, sizeof mapped) == 0;
}

static void put_network(struct capture_frame *frame, const struct address *source,
                        const struct address *destination)
{
    frame->ip = is_v4(source) && is_v4(destination) ? IPV4 : IPV6;
    put(frame, 2, frame->ip == IPV4 ? 0x0800 : 0x86dd);
    if (frame->ip == IPV4) {
        put(frame, 4, 0x45000000);
        put(frame, 4, 0);
        put(frame, 4, 0x40110000); /* time to live, UDP */
        put_octets(frame, source->octets + 12, 4);
        put_octets(frame, destination->octets + 12, 4);
    } else {
        put(frame, 4, 0x60000000);
        put(frame, 4, 0x1140); /* UDP, hop limit */
        put_octets(frame, source->octets, sizeof source->octets);
        put_octets(frame, destination->octets, sizeof destination->octets);
    }
}

/* Up to the base header; `from` is 0 for the client. */
static void begin(struct capture_frame *frame, const struct capture_flow *flow, int from,
                  unsigned opcode, uint32_t destination, uint32_t psn)
{
    uint32_t side = (uint32_t)from;
    frame->length = frame->missing = 0;
    put(frame, 6, 0x020000000002u - side);
    put(frame, 6, 0x020000000001u + side);
    put_network(frame, &flow->address[from], &flow->address[1 - from]);
    put(frame, 4, 49152u << 16 | 4791);
    put(frame, 4, 0);
    put(frame, 4, (uint32_t)opcode << 24 | 0xffff);
    put(frame, 4, destination);
    put(frame, 4, psn & 0xffffff);
}

/* ---- blocks of pcapng, in this machine's order ---- */

static void write_16(struct capture_file *file, size_t number)
{
    const uint16_t value = (uint16_t)number;
    fwrite(&value, sizeof value, 1, file->stream);
}

static void write_32(struct capture_file *file, uint64_t number)
{
    const uint32_t value = (uint32_t)number;
    fwrite(&value, sizeof value, 1, file->stream);
}

static size_t padded(size_t length)
{
    return (length + 3) & ~(size_t)3;
}

static void write_padded(struct capture_file *file, const void *octets, size_t length)
{
    static const uint8_t zeros[4];
    fwrite(octets, 1, length, file->stream);
    fwrite(zeros, 1, padded(length) - length, file->stream);
}

/* An option and the end of options: what they take. */
static size_t option_size(size_t length)
{
    return length > 0 ? 4 + padded(length) + 4 : 0;
}

static void write_option(struct capture_file *file, unsigned code, const void *octets,
                         size_t length)
{
    write_16(file, code);
    write_16(file, length);
    write_padded(file, octets, length);
}

static void write_section(struct capture_file *file)
{
    write_32(file, BLOCK_SECTION);
    write_32(file, 28);
    write_32(file, 0x1a2b3c4d);
    write_16(file, 1); /* version 1.0 */
    write_16(file, 0);
    write_32(file, UINT32_MAX); /* length not known */
    write_32(file, UINT32_MAX);
    write_32(file, 28);
}

static void write_interface(struct capture_file *file, const char *description)
{
    static const uint8_t nanoseconds = 9;
    size_t length = strlen(description);
    size_t total = 20 + 8 + option_size(length);
    write_32(file, BLOCK_INTERFACE);
    write_32(file, total);
    write_16(file, LINK_ETHERNET);
    write_16(file, 0);
    write_32(file, SNAP_LENGTH);
    write_option(file, OPTION_RESOLUTION, &nanoseconds, 1);
    write_option(file, OPTION_DESCRIPTION, description, length);
    write_32(file, 0);
    write_32(file, total);
}

static uint64_t time_of(const struct capture_file *file)
{
    struct timespec now;
    if (file->time > 0)
        return (uint64_t)file->time;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Later the stream says that it failed, but no more why. */
static void note_failure(struct capture_file *file)
{
    if (file->error == 0 && ferror(file->stream))
        file->error = errno != 0 ? errno : EIO;
}

static void write_frame(struct capture_file *file, unsigned interface,
                        const struct capture_frame *frame, size_t recorded)
{
    size_t comment = strlen(file->comment);
    size_t total = 32 + padded(recorded) + option_size(comment);
    uint64_t time = time_of(file);
    write_32(file, BLOCK_PACKET);
    write_32(file, total);
    write_32(file, interface);
    write_32(file, time >> 32);
    write_32(file, time);
    write_32(file, recorded);
    write_32(file, frame->length + frame->missing);
    write_padded(file, frame->octets, recorded);
    if (comment > 0) {
        write_option(file, OPTION_COMMENT, file->comment, comment);
        write_32(file, 0);
        file->comment[0] = '\0';
    }
    write_32(file, total);
    note_failure(file);
}

static void finish(struct capture_flow *flow, struct capture_frame *frame, size_t padding)
{
    size_t recorded = frame->length;
    put(frame, padding + CHECK_SUM, 0);
    if (frame->missing == 0)
        recorded = frame->length;
    size_t udp = frame->length + frame->missing - ETHERNET - frame->ip;
    frame->octets[ETHERNET + frame->ip + UDP + 1] |= (uint8_t)(padding << 4);
    if (frame->ip == IPV4)
        set(frame->octets + ETHERNET + 2, 2, udp + IPV4);
    else
        set(frame->octets + ETHERNET + 4, 2, udp);
    set(frame->octets + ETHERNET + frame->ip + 4, 2, udp);
    write_frame(flow->file, flow->interface, frame, recorded);
}

/* ---- connection management ---- */

/* Returns where the message begins that follows the common header. */
static uint8_t *begin_cm(struct capture_frame *frame, const struct capture_flow *flow, int from,
                         uint32_t attribute)
{
    memset(frame->octets, 0, sizeof frame->octets);
    begin(frame, flow, from, OP_DATAGRAM, 1, 0);
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

static void put_private(uint8_t *at, const struct capture_side *side, size_t max)
{
    if (side->private_length > 0)
        memcpy(at, side->private_data, side->private_length < max ? side->private_length : max);
}

static void write_cm(struct capture_flow *flow, const struct capture_side sides[2])
{
    struct capture_frame frame;
    uint8_t *message = begin_cm(&frame, flow, 0, CM_REQUEST);
    set(message + 8, 8, 0x01060000u + (sides[1].port ? sides[1].port : SERVICE_PORT));
    set(message + 32, 3, queue_pair(flow, 0));
    set(message + 44, 3, flow->psn[1]); /* what a side begins with is what the other expects */
    message[50] = PATH_MTU_CODE << 4;
    put_private(message + REQUEST_PRIVATE, &sides[0], REQUEST_PRIVATE_MAX);
    finish(flow, &frame, 0);
    message = begin_cm(&frame, flow, 1, CM_REPLY);
    set(message + 12, 3, queue_pair(flow, 1));
    set(message + 20, 3, flow->psn[0]);
    put_private(message + REPLY_PRIVATE, &sides[1], REPLY_PRIVATE_MAX);
    finish(flow, &frame, 0);
    begin_cm(&frame, flow, 0, CM_READY);
    finish(flow, &frame, 0);
}

static void write_end(struct capture_flow *flow, int from)
{
    struct capture_frame frame;
    set(begin_cm(&frame, flow, from, CM_DISCONNECT) + 8, 3, queue_pair(flow, 1 - from));
    finish(flow, &frame, 0);
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
    put(frame, 4, event->length + event->missing);
}

/* A message of as many packets as it takes, the headers of its first and last ones included.
 * Returns how many. */
static uint32_t write_message(struct capture_flow *flow, int from, uint32_t psn,
                              const struct opcodes *opcodes, const struct rpcrdma_event *event)
{
    struct capture_frame frame;
    const uint8_t *octets = event->data;
    size_t known = octets ? event->length : 0, total = event->length + event->missing, done = 0;
    uint32_t count = 0;
    do {
        size_t part = total - done < PATH_MTU ? total - done : PATH_MTU;
        size_t here = done >= known ? 0 : known - done < part ? known - done : part;
        bool first = done == 0, last = done + part == total;
        begin(&frame, flow, from,
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
        put_octets(&frame, here > 0 ? octets + done : NULL, here);
        frame.missing = part - here;
        finish(flow, &frame, (4 - part % 4) % 4);
        done += part;
        count++;
    } while (done < total);
    return count;
}

static void acknowledge(struct capture_flow *flow, int from, uint32_t psn)
{
    struct capture_frame frame;
    begin(&frame, flow, from, OP_ACKNOWLEDGE, queue_pair(flow, 1 - from), psn);
    put(&frame, 4, 0x1f000000);
    finish(flow, &frame, 0);
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
        begin(&frame, flow, from, OP_READ_REQUEST, queue_pair(flow, 1 - from), *psn);
        put_remote(&frame, event);
        finish(flow, &frame, 0);
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

static const char *const descriptions[] = {
    [INTERFACE_ALL] = "RPC-over-RDMA",
    [INTERFACE_SENDS_ONLY] = PCAPNG_SENDS_ONLY,
    [INTERFACE_WITHIN] = PCAPNG_WITHIN_CLIENT,
};

static void begin_stream(struct capture_file *file, FILE *stream)
{
    file->stream = stream;
    file->error = 0;
    write_section(file);
    for (size_t i = 0; i < COUNT(descriptions); i++)
        write_interface(file, descriptions[i]);
}

struct capture_file *capture_create(FILE *stream, size_t room)
{
    struct capture_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->room = room;
    begin_stream(file, stream);
    return file;
}

void capture_flush(struct capture_file *file)
{
    fflush(file->stream);
    note_failure(file); /* capture_finish() says so */
}

bool capture_continue(struct capture_file *file, FILE *stream)
{
    capture_flush(file);
    int status = file->error;
    begin_stream(file, stream);
    errno = status;
    return status == 0;
}

bool capture_finish(struct capture_file *file)
{
    capture_flush(file);
    int status = file->error;
    free(file);
    errno = status;
    return status == 0;
}

void capture_set(struct capture_file *file, int64_t time, const char *comment)
{
    file->time = time;
    snprintf(file->comment, sizeof file->comment, "%s", comment);
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

static uint64_t frame_cost(const struct capture_flow *flow)
{
    bool v4 = is_v4(&flow->address[0]) && is_v4(&flow->address[1]);
    return FRAME_COST + (v4 ? 0 : IPV6 - IPV4);
}

bool capture_meet(struct capture_flow *flow, struct capture_file *file, unsigned number,
                  const struct capture_side sides[2])
{
    static const struct address made[2] = {{{[10] = 0xff, [11] = 0xff, 192, 0, 2, 1}},
                                           {{[10] = 0xff, [11] = 0xff, 192, 0, 2, 2}}};
    *flow = (struct capture_flow){.file = file,
                                  .number = number,
                                  .psn = {1000, 2000},
                                  .interface = sides[0].within       ? INTERFACE_WITHIN
                                               : sides[0].sends_only ? INTERFACE_SENDS_ONLY
                                                                     : INTERFACE_ALL};
    for (int i = 0; i < 2; i++)
        flow->address[i] = sides[i].address ? *sides[i].address : made[i];
    if (file == NULL)
        return true;
    if (!afford(flow, 4 * (MAD + frame_cost(flow)))) /* of its end, too */
        return false;
    if (!sides[0].unseen)
        write_cm(flow, sides);
    return true;
}

static bool write_within(struct capture_flow *flow, int from, const uint8_t octets[WITHIN_OCTETS])
{
    struct capture_frame frame;
    if (!afford(flow, frame_cost(flow) + WITHIN_OCTETS))
        return false;
    begin(&frame, flow, from, OP_WITHIN, queue_pair(flow, 1 - from), 0);
    put_octets(&frame, octets, WITHIN_OCTETS);
    finish(flow, &frame, 0);
    return true;
}

bool capture_add(struct capture_flow *flow, const struct rpcrdma_event *event)
{
    uint8_t within[WITHIN_OCTETS];
    bool is_data = event->type == RPCRDMA_EVENT_SEND || event->type == RPCRDMA_EVENT_RDMA_READ ||
                   event->type == RPCRDMA_EVENT_RDMA_WRITE;
    if (flow->file == NULL)
        return true;
    /* with the acknowledgement */
    uint64_t frames = ((uint64_t)event->length + event->missing) / PATH_MTU + 2;
    if (is_data && !afford(flow, event->length + frame_cost(flow) * frames +
                                     option_size(strlen(flow->file->comment))))
        return false;
    if (event->type == RPCRDMA_EVENT_GAP)
        flow->psn[event->from]++;
    if (is_data)
        write_data(flow, event);
    else if (flow->interface == INTERFACE_WITHIN && within_write(event, within))
        return write_within(flow, event->from, within);
    else if (event->type == RPCRDMA_EVENT_DISCONNECT)
        write_end(flow, event->from);
    return true;
}

void capture_packet(struct capture_file *file, const uint8_t *packet, size_t length)
{
    struct capture_frame frame;
    if (length == 0 || length > CAPTURE_PACKET_MAX || file->room < length + FRAME_COST)
        return;
    file->room -= length + FRAME_COST;
    frame.length = frame.missing = 0;
    put(&frame, 6, 0x020000000002u);
    put(&frame, 6, 0x020000000001u);
    put(&frame, 2, packet[0] >> 4 == 6 ? 0x86dd : 0x0800);
    put_octets(&frame, packet, length);
    write_frame(file, 0, &frame, frame.length);
}
