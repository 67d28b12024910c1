// SPDX-License-Identifier: BSD-3-Clause
/*
 * Writes a capture to measure `rpcrdma check` with: one connection after the other, each with as
 * many NFS version 3 GETATTR Calls and their Replies, 16 in flight at a time, each Send
 * acknowledged. The same octets every time.
 *
 * usage: make_capture [PAIRS [CONNECTIONS]] >FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_DEFAULT 1000000
#define IN_FLIGHT 16
#define CREDITS 64

enum { OP_SEND_ONLY = 0x04, OP_ACKNOWLEDGE = 0x11, OP_DATAGRAM = 0x64 };
enum { CM_REQUEST = 0x10, CM_REPLY = 0x13, CM_DISCONNECT = 0x15 };
enum { CALL = 0, REPLY = 1 };
enum { HEADERS = 54, FRAME_MAX = 512 };

#define CONNECTIONS_MAX 4000000 /* queue pairs have 24 bits */

/* The sides of the connection, client first; the next one's are higher. */
static uint32_t queue_pair[2] = {0x11, 0x12}, comm_id[2] = {0x1111, 0x2222};
static const uint32_t first_psn[2] = {1000, 0xfff000};

/* A frame whose variable parts are filled in for each packet. */
struct made_frame {
    uint8_t octets[FRAME_MAX];
    size_t length; /* without the check sum */
};

static void fail(const char *why)
{
    fprintf(stderr, "make_capture: %s\n", why);
    exit(EXIT_FAILURE);
}

/* ---- octets ---- */

static void set(uint8_t *p, size_t octets, uint64_t value)
{
    for (; octets > 0; value >>= 8)
        p[--octets] = (uint8_t)value;
}

static void add(struct made_frame *frame, size_t octets, uint64_t value)
{
    set(frame->octets + frame->length, octets, value);
    frame->length += octets;
}

static void add_words(struct made_frame *frame, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(frame, 4, words[i]);
}

#define ADD_WORDS(frame, ...)                                                                      \
    add_words(frame, (const uint32_t[]){__VA_ARGS__},                                              \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* ---- frames ---- */

/* Ethernet, IPv4, UDP, InfiniBand base header; lengths follow with end_frame(). */
static void begin_frame(struct made_frame *frame, int from, uint8_t opcode, uint32_t destination)
{
    memset(frame, 0, sizeof *frame);
    add(frame, 6, 0x020000000002u - (uint64_t)from);
    add(frame, 6, 0x020000000001u + (uint64_t)from);
    add(frame, 2, 0x0800);
    ADD_WORDS(frame, 0x45000000, 0, 0x40110000, 0xc0000201u + (uint32_t)from,
              0xc0000202u - (uint32_t)from);
    ADD_WORDS(frame, 49152u << 16 | 4791, 0);
    ADD_WORDS(frame, (uint32_t)opcode << 24 | 0xffff, destination, 0);
}

static void end_frame(struct made_frame *frame)
{
    set(frame->octets + 16, 2, frame->length + 4 - 14);
    set(frame->octets + 38, 2, frame->length + 4 - 34);
}

static void write_frame(struct made_frame *frame, uint32_t psn)
{
    uint32_t octets = (uint32_t)frame->length + 4;
    uint32_t record[4] = {0, 0, octets, octets};
    set(frame->octets + 51, 3, psn & 0xffffff);
    fwrite(record, sizeof record, 1, stdout);
    fwrite(frame->octets, 1, octets, stdout);
}

/* ---- connection management ---- */

static void begin_datagram(struct made_frame *frame, int from, uint32_t attribute)
{
    begin_frame(frame, from, OP_DATAGRAM, 1);
    ADD_WORDS(frame, 0x80010000, 1, 0x01070203, 0, 0, 0, attribute << 16, 0);
}

static void write_datagram(struct made_frame *frame)
{
    frame->length = HEADERS + 8 + 256;
    end_frame(frame);
    write_frame(frame, 0);
}

static void write_private_data(struct made_frame *frame, size_t at)
{
    set(frame->octets + HEADERS + 32 + at, 8, 0xf6ab0e1801000303u); /* 4096 octets inline */
}

static void write_connect(void)
{
    struct made_frame frame;
    uint8_t *body = frame.octets + HEADERS + 32;
    begin_datagram(&frame, 0, CM_REQUEST);
    set(body, 4, comm_id[0]);
    set(body + 8, 8, 0x01060000 + 20049);
    set(body + 32, 3, queue_pair[0]);
    set(body + 44, 3, first_psn[1]);
    body[50] = 5 << 4; /* path MTU 4096 */
    write_private_data(&frame, 176);
    write_datagram(&frame);

    begin_datagram(&frame, 1, CM_REPLY);
    set(body, 4, comm_id[1]);
    set(body + 4, 4, comm_id[0]);
    set(body + 12, 3, queue_pair[1]);
    set(body + 20, 3, first_psn[0]);
    write_private_data(&frame, 36);
    write_datagram(&frame);
}

static void write_disconnect(void)
{
    struct made_frame frame;
    uint8_t *body = frame.octets + HEADERS + 32;
    begin_datagram(&frame, 0, CM_DISCONNECT);
    set(body, 4, comm_id[0]);
    set(body + 4, 4, comm_id[1]);
    set(body + 8, 3, queue_pair[1]);
    write_datagram(&frame);
}

/* ---- traffic ---- */

static void make_call(struct made_frame *frame)
{
    begin_frame(frame, 0, OP_SEND_ONLY, queue_pair[1]);
    ADD_WORDS(frame, 0, 1, CREDITS, 0, 0, 0, 0);
    ADD_WORDS(frame, 0, CALL, 2, 100003, 3, 1);
    ADD_WORDS(frame, 1, 28, 0, 4, 0x686f7374, 1000, 1000, 1, 1000, 0, 0); /* AUTH_SYS */
    ADD_WORDS(frame, 28, 1, 2, 3, 4, 5, 6, 7);                            /* the file handle */
    end_frame(frame);
}

static void make_reply(struct made_frame *frame)
{
    begin_frame(frame, 1, OP_SEND_ONLY, queue_pair[0]);
    ADD_WORDS(frame, 0, 1, CREDITS, 0, 0, 0, 0);
    ADD_WORDS(frame, 0, REPLY, 0, 0, 0, 0);
    ADD_WORDS(frame, 0, 1, 0644, 1, 1000, 1000, 0, 4096, 0, 4096, 0, 0); /* up to its device */
    ADD_WORDS(frame, 0, 1, 0, 2, 3, 0, 4, 0, 5, 0);                      /* id and times */
    end_frame(frame);
}

static void make_acknowledgement(struct made_frame *frame, int from)
{
    begin_frame(frame, from, OP_ACKNOWLEDGE, queue_pair[1 - from]);
    ADD_WORDS(frame, 0x1f000000);
    end_frame(frame);
}

static void write_send(struct made_frame *send, struct made_frame *acknowledgement, uint32_t psn,
                       uint32_t n)
{
    set(send->octets + HEADERS, 4, 0x10000000 + n);
    set(send->octets + HEADERS + 28, 4, 0x10000000 + n);
    write_frame(send, psn);
    write_frame(acknowledgement, psn);
}

static void write_pairs(uint32_t pairs)
{
    struct made_frame call, reply, client_acknowledges, server_acknowledges;
    make_call(&call);
    make_reply(&reply);
    make_acknowledgement(&client_acknowledges, 0);
    make_acknowledgement(&server_acknowledges, 1);
    /* One Call at first: more are not granted yet. */
    for (uint32_t begin = 0, count; begin < pairs; begin += count) {
        count = begin == 0 ? 1 : pairs - begin < IN_FLIGHT ? pairs - begin : IN_FLIGHT;
        for (uint32_t i = begin; i < begin + count; i++)
            write_send(&call, &server_acknowledges, first_psn[0] + i, i);
        for (uint32_t i = begin; i < begin + count; i++)
            write_send(&reply, &client_acknowledges, first_psn[1] + i, i);
    }
}

static void next_connection(void)
{
    for (int side = 0; side < 2; side++) {
        queue_pair[side] += 2;
        comm_id[side]++;
    }
}

static unsigned long take_number(const char *text, unsigned long most)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || number == 0 || number > most)
        fail("usage: make_capture [PAIRS [CONNECTIONS]] >FILE");
    return number;
}

int main(int argc, char **argv)
{
    static const uint32_t file_header[6] = {0xa1b2c3d4, 4u << 16 | 2, 0, 0, 262144, 1};
    unsigned long pairs = argc > 1 ? take_number(argv[1], 100000000) : PAIRS_DEFAULT;
    unsigned long connections = argc > 2 ? take_number(argv[2], CONNECTIONS_MAX) : 1;
    fwrite(file_header, sizeof file_header, 1, stdout);
    for (; connections > 0; connections--) {
        write_connect();
        write_pairs((uint32_t)pairs);
        write_disconnect();
        next_connection();
    }
    if (fclose(stdout) != 0)
        fail("cannot write");
    return EXIT_SUCCESS;
}
