// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/segments.h"

uint16_t port[2];
uint32_t next[2];
struct fpdus made[2];
bool ip6, crc, markers;
size_t segment_size;
unsigned frame_number, frame_lost;

void begin(void)
{
    setup();
    port[0] = 900;
    port[1] = 20049;
    next[0] = 0xfffffe00; /* wraps soon */
    next[1] = 5000;
    memset(made, 0, sizeof made);
    ip6 = crc = markers = false;
    segment_size = 0;
    frame_lost = frame_number = 0;
}

static uint8_t *put_ip(uint8_t *p, enum rpcrdma_endpoint from, size_t length)
{
    if (ip6) {
        p = put16(put32(p, 0x60000000), (unsigned)length);
        p = put16(p, 0x0640);
        for (int i = 0; i < 2; i++, p += 16) {
            memset(p, 0, 16);
            put32(p, 0x20010db8);
            p[15] = (uint8_t)(1 + ((int)from ^ i));
        }
        return p;
    }
    p = put16(put16(p, 0x4500), (unsigned)(20 + length));
    p = put32(put32(p, 0), 0x40060000);
    p = put32(p, 0xc0000201u + (uint32_t)from);
    return put32(p, 0xc0000202u - (uint32_t)from);
}

void segment_at(enum rpcrdma_endpoint from, uint32_t sequence, unsigned flags,
                const uint8_t *payload, size_t length)
{
    static uint8_t octets_of_frame[70000];
    uint8_t *p = octets_of_frame + 12;
    memset(octets_of_frame, 0, 12);
    p = put_ip(put16(p, ip6 ? 0x86dd : 0x0800), from, 32 + length);
    p = put16(put16(p, port[from]), port[1 - (int)from]);
    p = put32(put32(p, sequence), next[1 - (int)from]);
    p = put16(put16(p, 0x8000 | flags), 1000);
    p = put32(put32(put32(p, 0), 0x0101080a), 0);
    p = put32(p, 0);
    p = put(p, payload, length);
    if (++frame_number != frame_lost)
        frame(octets_of_frame, (size_t)(p - octets_of_frame));
}

void segment(enum rpcrdma_endpoint from, unsigned flags, const uint8_t *payload, size_t length)
{
    segment_at(from, next[from], flags, payload, length);
    next[from] += (uint32_t)length + ((flags & (SYN | FIN)) != 0);
}

void start(enum rpcrdma_endpoint from, uint8_t flags, uint8_t revision, const void *data,
           size_t length)
{
    uint8_t to[MESSAGE_LENGTH + 512];
    size_t total = put_mpa_start(to, from == SERVER, flags, revision, data, length);
    segment(from, ACKS, to, total);
}

void connect_iwarp(void)
{
    uint8_t flags = (uint8_t)((markers ? 0x80 : 0) | (crc ? 0x40 : 0));
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    segment(CLIENT, ACKS, NULL, 0);
    start(CLIENT, flags, 1, NULL, 0);
    start(SERVER, flags, 1, NULL, 0);
    for (int i = 0; i < 2; i++)
        made[i] = (struct fpdus){.markers = markers, .crc = crc, .limit = made[i].limit};
}

void flush(enum rpcrdma_endpoint from)
{
    static size_t sent[2];
    struct fpdus *to = &made[from];
    if (to->length < sent[from] || to->sends + to->reads <= 1)
        sent[from] = 0;
    while (sent[from] < to->length) {
        size_t left = to->length - sent[from];
        size_t part = segment_size && segment_size < left ? segment_size : left;
        segment(from, ACKS, to->octets + sent[from], part);
        sent[from] += part;
    }
}

void send_call(uint32_t xid)
{
    put_send(&made[0], message(xid, RPCRDMA_CALL), MESSAGE_LENGTH);
    flush(CLIENT);
}

void send_reply(uint32_t xid)
{
    put_send(&made[1], message(xid, RPCRDMA_REPLY), MESSAGE_LENGTH);
    flush(SERVER);
}
