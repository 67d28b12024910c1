// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/synthetic.h"

struct wrapping wrapping;
FILE *capture;
uint64_t frames;
uint32_t seconds_late;
struct synthetic_peer peer[2];

static const struct synthetic_peer usual[2] = {{1, 0x11, 0x1111, 1000}, {2, 0x12, 0x2222, 2000}};
uint8_t *put16(uint8_t *p, unsigned v)
{
    *p++ = (uint8_t)(v >> 8);
    *p++ = (uint8_t)v;
    return p;
}

static uint8_t *put24(uint8_t *p, uint32_t v)
{
    *p++ = (uint8_t)(v >> 16);
    return put16(p, v & 0xffff);
}

uint8_t *put32(uint8_t *p, uint32_t v)
{
    return put16(put16(p, v >> 16), v & 0xffff);
}

uint8_t *put(uint8_t *p, const void *octets, size_t count)
{
    if (count > 0)
        memcpy(p, octets, count);
    return p + count;
}

static uint8_t *put_zeros(uint8_t *p, size_t count)
{
    memset(p, 0, count);
    return p + count;
}

void first_connection(void)
{
    memcpy(peer, usual, sizeof peer);
}

void begin_capture(void)
{
    struct pcap_file_header header = {.magic = 0xa1b2c3d4,
                                      .version_major = 2,
                                      .version_minor = 4,
                                      .snaplen = 262144,
                                      .linktype = (bpf_u_int32)wrapping.link};
    capture = tmpfile();
    ck_assert_ptr_nonnull(capture);
    ck_assert_uint_eq(fwrite(&header, sizeof header, 1, capture), 1);
    first_connection();
    seconds_late = 0;
    frames = 0;
}

/* The type that ends a link header, after VLAN tags. */
static uint8_t *put_type(uint8_t *p)
{
    for (unsigned i = 0; i < wrapping.vlan_tags; i++)
        p = put16(put16(p, i == 0 ? 0x88a8 : 0x8100), i);
    return put16(p, wrapping.ip6 ? 0x86dd : 0x0800);
}

static uint8_t *put_link(uint8_t *p)
{
    switch (wrapping.link) {
    case LINK_ETHERNET:
        return put_type(put_zeros(p, 12));
    case LINK_SLL:
        return put_type(put_zeros(p, 14));
    case LINK_SLL2:
        return put_zeros(put16(p, wrapping.ip6 ? 0x86dd : 0x0800), 18);
    case LINK_NULL:
    case LINK_LOOP:
        return put_zeros(p, 4);
    default:
        return p;
    }
}

static uint8_t *put_ip6(uint8_t *p, const struct synthetic_peer *from,
                        const struct synthetic_peer *to, size_t udp)
{
    static const uint8_t prefix[15] = {0x20, 0x01, 0x0d, 0xb8};
    p = put16(put32(p, 0x60000000), (unsigned)(udp + 8 * wrapping.ip6_extensions));
    *p++ = wrapping.ip6_extensions ? 60 : 17;
    *p++ = 64;
    p = put(p, prefix, sizeof prefix);
    *p++ = from->host;
    p = put(p, prefix, sizeof prefix);
    *p++ = to->host;
    for (unsigned i = 0; i < wrapping.ip6_extensions; i++) {
        p = put_zeros(p, 8);
        p[-8] = i + 1 < wrapping.ip6_extensions ? 60 : 17;
    }
    return p;
}

static uint8_t *put_ip4(uint8_t *p, const struct synthetic_peer *from,
                        const struct synthetic_peer *to, size_t udp)
{
    unsigned words = 5 + wrapping.ip4_options;
    *p++ = (uint8_t)(0x40 | words);
    *p++ = 0;
    p = put16(p, (unsigned)(words * 4 + udp));
    p = put16(put16(p, 0), wrapping.fragment);
    *p++ = 64;
    *p++ = 17;
    p = put32(put16(p, 0), 0xc0000200u | from->host);
    p = put32(p, 0xc0000200u | to->host);
    return put_zeros(p, 4 * wrapping.ip4_options);
}

void frame(const uint8_t *octets, size_t length)
{
    size_t kept = wrapping.snap && wrapping.snap < length ? wrapping.snap : length;
    uint32_t header[4] = {(uint32_t)frames + 1 - seconds_late, 7, (uint32_t)kept, (uint32_t)length};
    /* Each assertion writes to a file, even one that holds; there are very many frames. */
    if (fwrite(header, sizeof header, 1, capture) != 1 || fwrite(octets, 1, kept, capture) != kept)
        ck_abort_msg("a frame cannot be written");
    frames++;
}

size_t latest_frame(uint8_t octets[FRAME_MAX])
{
    uint32_t record[4];
    size_t length = 0;
    rewind(capture);
    ck_assert_int_eq(fseek(capture, 24, SEEK_SET), 0);
    while (fread(record, sizeof record, 1, capture) == 1) {
        length = record[2];
        ck_assert_uint_le(length, FRAME_MAX);
        ck_assert_uint_eq(fread(octets, 1, length, capture), length);
    }
    return length;
}

void packet(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t queue_pair, uint32_t psn,
            const void *extended, size_t extended_length, const void *payload, size_t length)
{
    static uint8_t octets[16384];
    const struct synthetic_peer *from = &peer[sender], *to = &peer[1 - (int)sender];
    size_t pad = -length & 3, udp = 8 + 12 + extended_length + length + pad + 4;
    ck_assert_uint_lt(udp, sizeof octets - 256);
    uint8_t *p = put_link(octets);
    p = wrapping.ip6 ? put_ip6(p, from, to, udp) : put_ip4(p, from, to, udp);
    p = put16(put16(p, 49152), 4791);
    p = put16(put16(p, (unsigned)udp), 0);
    *p++ = opcode;
    *p++ = (uint8_t)(pad << 4);
    p = put24(put24(p, 0xffff00), queue_pair);
    p = put24(put_zeros(p, 1), psn & 0xffffff);
    p = put(put(p, extended, extended_length), payload, length);
    p = put_zeros(p, pad + 4);
    frame(octets, (size_t)(p - octets));
}

void request(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, const void *payload,
             size_t length)
{
    packet(sender, opcode, peer[1 - (int)sender].queue_pair, psn, NULL, 0, payload, length);
}

void invalidate(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint32_t handle,
                const void *payload, size_t length)
{
    uint8_t ieth[4];
    put32(ieth, handle);
    packet(sender, opcode, peer[1 - (int)sender].queue_pair, psn, ieth, 4, payload, length);
}

void rdma(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint32_t handle,
          uint32_t total, const void *payload, size_t length)
{
    uint8_t reth[16];
    put32(put32(put32(put32(reth, 0x10), 0x20), handle), total);
    packet(sender, opcode, peer[1 - (int)sender].queue_pair, psn, reth, 16, payload, length);
}

void response(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn, uint8_t syndrome,
              const void *payload, size_t length)
{
    uint8_t aeth[4] = {syndrome};
    packet(sender, opcode, peer[1 - (int)sender].queue_pair, psn, aeth, 4, payload, length);
}

void ack(enum rpcrdma_endpoint sender, uint32_t psn, uint8_t syndrome)
{
    response(sender, OP_ACKNOWLEDGE, psn, syndrome, NULL, 0);
}

static void manage(enum rpcrdma_endpoint sender, unsigned attribute, const uint8_t body[232])
{
    static const uint8_t deth[8];
    uint8_t mad[256] = {1, 7, 2, 3};
    put16(mad + 16, attribute);
    put(mad + 24, body, 232);
    packet(sender, OP_DATAGRAM, 1, 0, deth, sizeof deth, mad, sizeof mad);
}

void cm_request(uint16_t port, const void *private_data, size_t length)
{
    uint8_t body[232] = {0};
    put32(body, peer[0].comm_id);
    put32(body + 12, 0x01060000u | port);
    put24(body + 32, peer[0].queue_pair);
    put24(body + 44, peer[1].first_psn); /* the first that it expects */
    body[50] = 3 << 4;                   /* path MTU 1024 */
    put(body + 140 + 36, private_data, length);
    manage(RPCRDMA_CLIENT, 0x10, body);
}

void cm_reply(const void *private_data, size_t length)
{
    uint8_t body[232] = {0};
    put32(put32(body, peer[1].comm_id), peer[0].comm_id);
    put24(body + 12, peer[1].queue_pair);
    put24(body + 20, peer[0].first_psn);
    put(body + 36, private_data, length);
    manage(RPCRDMA_SERVER, 0x13, body);
}

void cm_reject(void)
{
    uint8_t body[232] = {0};
    put32(body + 4, peer[0].comm_id);
    manage(RPCRDMA_SERVER, 0x12, body);
}

void cm_disconnect(enum rpcrdma_endpoint sender)
{
    uint8_t body[232] = {0};
    const struct synthetic_peer *from = &peer[sender], *to = &peer[1 - (int)sender];
    put24(put32(put32(body, from->comm_id), to->comm_id), to->queue_pair);
    manage(sender, 0x15, body);
}

void establish(void)
{
    cm_request(20049, NULL, 0);
    cm_reply(NULL, 0);
}

const uint8_t *message(uint32_t xid, enum rpcrdma_direction direction)
{
    static uint8_t octets[68];
    uint8_t *p = put32(put32(put32(octets, xid), 1), 32);
    p = put32(put32(put_zeros(p, 16), xid), (uint32_t)direction);
    put_zeros(p, (size_t)(octets + sizeof octets - p));
    return octets;
}

void call(enum rpcrdma_endpoint sender, uint32_t psn, uint32_t xid)
{
    request(sender, OP_SEND_ONLY, psn, message(xid, RPCRDMA_CALL), MESSAGE_LENGTH);
}

void reply(enum rpcrdma_endpoint sender, uint32_t psn, uint32_t xid)
{
    request(sender, OP_SEND_ONLY, psn, message(xid, RPCRDMA_REPLY), MESSAGE_LENGTH);
}
