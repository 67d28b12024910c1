// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/fpdu.h"

#include "conformance/input/iwarp/crc32c.h"
#include "conformance/input/iwarp/mpa.h"

#include <string.h>

#define SEGMENT_MIN 128u   /* of TCP: a smaller one carries a part of an FPDU (5.1) */
#define ULPDU_MAX 0xffe0u  /* below what the length can say */
#define SEGMENT_MAX 65000u /* for which there is always room */

static size_t markers_in(size_t octets)
{
    return octets / (MPA_MARKER_INTERVAL - MPA_MARKER_SIZE) + 2;
}

size_t fpdu_ulpdu_max(size_t segment, bool markers)
{
    size_t size = segment < SEGMENT_MIN   ? SEGMENT_MIN
                  : segment > SEGMENT_MAX ? SEGMENT_MAX
                                          : segment;
    size_t taken = MPA_LENGTH_SIZE + MPA_CHECK_SUM_SIZE + size % 4;
    if (markers)
        taken += MPA_MARKER_SIZE * ((size + MPA_MARKER_INTERVAL - 1) / MPA_MARKER_INTERVAL);
    return size - taken < ULPDU_MAX ? size - taken : ULPDU_MAX;
}

bool fpdu_fits(struct fpdu_out *out, size_t length)
{
    size_t size = MPA_LENGTH_SIZE + length + 3 + MPA_CHECK_SUM_SIZE;
    size += out->markers ? MPA_MARKER_SIZE * markers_in(size) : 0;
    if (out->from > 0 && size > FPDU_ROOM - out->to) {
        memmove(out->octets, out->octets + out->from, out->to - out->from);
        out->to -= out->from;
        out->from = 0;
    }
    return size <= FPDU_ROOM - out->to;
}

/* On the wire as it is. */
static void add(struct fpdu_out *out, const uint8_t *octets, size_t count)
{
    memcpy(out->octets + out->to, octets, count);
    out->to += count;
    out->position += count;
    if (out->crc)
        out->check_sum = crc32c_add(out->check_sum, octets, count);
}

/* A marker, where one is due: it points `back` octets. */
static void mark(struct fpdu_out *out, uint64_t back)
{
    const uint8_t marker[MPA_MARKER_SIZE] = {0, 0, (uint8_t)(back >> 8), (uint8_t)back};
    if (out->markers && out->position % MPA_MARKER_INTERVAL == 0)
        add(out, marker, sizeof marker);
}

static void put(struct fpdu_out *out, const uint8_t *octets, size_t count)
{
    while (count > 0) {
        size_t part = count;
        mark(out, out->position - out->begin);
        if (out->markers) {
            size_t left = MPA_MARKER_INTERVAL - out->position % MPA_MARKER_INTERVAL;
            part = part < left ? part : left;
        }
        add(out, octets, part);
        octets += part;
        count -= part;
    }
}

void fpdu_begin(struct fpdu_out *out, size_t length)
{
    const uint8_t header[MPA_LENGTH_SIZE] = {(uint8_t)(length >> 8), (uint8_t)length};
    out->check_sum = CRC32C_BEGIN;
    mark(out, 0);
    out->begin = out->position;
    out->ulpdu = 0;
    put(out, header, sizeof header);
}

void fpdu_put(struct fpdu_out *out, const void *octets, size_t count)
{
    put(out, octets, count);
    out->ulpdu += count;
}

void fpdu_put_number(struct fpdu_out *out, unsigned size, uint64_t number)
{
    uint8_t octets[8];
    for (unsigned i = 0; i < size; i++)
        octets[i] = (uint8_t)(number >> 8 * (size - 1 - i));
    fpdu_put(out, octets, size);
}

void fpdu_end(struct fpdu_out *out)
{
    static const uint8_t zeros[4];
    put(out, zeros, (4 - (MPA_LENGTH_SIZE + out->ulpdu) % 4) % 4);
    mark(out, out->position - out->begin);
    uint32_t sum = out->crc ? crc32c_end(out->check_sum) : 0;
    const uint8_t octets[MPA_CHECK_SUM_SIZE] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16),
                                                (uint8_t)(sum >> 8), (uint8_t)sum};
    add(out, octets, sizeof octets);
}
