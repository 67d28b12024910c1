// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/fpdus.h"
#include "conformance/tests/support/captures/synthetic.h"

static uint32_t check_sum(const uint8_t *octets, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count * 8; i++) {
        uint32_t bit = (octets[i / 8] >> i % 8 ^ crc) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78 : 0);
    }
    return ~crc;
}

/* One octet, after a marker if it is its turn. `begin`: where the FPDU's header is, or NULL. */
static void put_octet(struct fpdus *to, const size_t *begin, uint8_t octet)
{
    if (to->length + 8 >= sizeof to->octets) /* an assertion that holds writes to a file, too */
        ck_abort_msg("no room for more FPDUs");
    if (to->markers && to->length % 512 == 0) {
        size_t back = begin ? to->length - *begin : 0;
        put16(put16(to->octets + to->length, 0), (unsigned)back);
        to->length += 4;
    }
    to->octets[to->length++] = octet;
}

void put_fpdu(struct fpdus *to, const uint8_t *ulpdu, size_t length)
{
    size_t from = to->length, begin = 0;
    put_octet(to, NULL, (uint8_t)(length >> 8));
    begin = to->length - 1;
    put_octet(to, &begin, (uint8_t)length);
    for (size_t i = 0; i < length; i++)
        put_octet(to, &begin, ulpdu[i]);
    for (size_t i = length + 2; i % 4 != 0; i++)
        put_octet(to, &begin, 0);
    if (to->markers && to->length % 512 == 0) { /* between padding and check sum */
        put16(put16(to->octets + to->length, 0), (unsigned)(to->length - begin));
        to->length += 4;
    }
    uint32_t sum = to->crc ? check_sum(to->octets + from, to->length - from) : 0;
    for (int i = 0; i < 4; i++)
        to->octets[to->length++] = (uint8_t)(sum >> 8 * i);
}

static void put_segments(struct fpdus *to, uint8_t *header, size_t header_size,
                         const uint8_t *payload, size_t length)
{
    uint8_t ulpdu[65536];
    size_t room = (to->limit ? to->limit : 1400) - header_size, at = 0;
    do {
        size_t part = length - at < room ? length - at : room;
        header[0] = (uint8_t)((header[0] & 0x80) | (at + part == length ? 0x41 : 0x01));
        if (header_size == 18)
            put32(header + 14, (uint32_t)at);
        uint8_t *p = put(put(ulpdu, header, header_size), payload + at, part);
        put_fpdu(to, ulpdu, (size_t)(p - ulpdu));
        if (header_size == 14) /* addresses are below 2^32 here, or do not come close to it */
            put32(header + 10, load_be32(header + 10) + (uint32_t)part);
        at += part;
    } while (at < length);
}

void put_untagged(struct fpdus *to, unsigned opcode, uint32_t handle, const uint8_t *payload,
                  size_t length)
{
    uint8_t header[18] = {0x01, (uint8_t)(0x40 | opcode)};
    unsigned queue = opcode == DDP_OPCODE_READ_REQUEST ? 1 : opcode == DDP_OPCODE_TERMINATE ? 2 : 0;
    put32(header + 2, handle);
    put32(header + 6, queue);
    put32(header + 10, queue == 0 ? ++to->sends : queue == 1 ? ++to->reads : 1);
    put_segments(to, header, sizeof header, payload, length);
}

void put_tagged(struct fpdus *to, unsigned opcode, uint32_t handle, uint64_t offset,
                const uint8_t *payload, size_t length)
{
    uint8_t header[14] = {0x81, (uint8_t)(0x40 | opcode)};
    put32(put32(put32(header + 2, handle), (uint32_t)(offset >> 32)), (uint32_t)offset);
    put_segments(to, header, sizeof header, payload, length);
}

void put_send(struct fpdus *to, const uint8_t *payload, size_t length)
{
    put_untagged(to, DDP_OPCODE_SEND, 0, payload, length);
}

void put_read_request(struct fpdus *to, uint32_t sink, uint64_t sink_offset, uint32_t source,
                      uint64_t source_offset, uint32_t length)
{
    uint8_t request[28], *p = put32(request, sink);
    p = put32(put32(p, (uint32_t)(sink_offset >> 32)), (uint32_t)sink_offset);
    p = put32(put32(p, length), source);
    put32(put32(p, (uint32_t)(source_offset >> 32)), (uint32_t)source_offset);
    put_untagged(to, DDP_OPCODE_READ_REQUEST, 0, request, sizeof request);
}

size_t put_mpa_start(uint8_t *to, bool is_reply, uint8_t flags, uint8_t revision,
                     const uint8_t *private_data, size_t length)
{
    uint8_t *p = put(to, is_reply ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16);
    *p++ = flags;
    *p++ = revision;
    p = put(put16(p, (unsigned)length), private_data, length);
    return (size_t)(p - to);
}
