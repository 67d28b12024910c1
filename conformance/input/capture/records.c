// SPDX-License-Identifier: BSD-3-Clause
/*
 * The frames of a pcap file.
 *
 * libpcap reads the header of the file, whatever its kind, and the frames of unusual kinds. Those
 * of the usual kind are read here: for a frame of a hundred octets, what libpcap does in between
 * costs as much as a twentieth of everything that is done with it.
 */
#include "conformance/input/capture/records.h"

#include "conformance/input/buffer/octets.h"

#include <stdlib.h>

enum { MAGIC = 4, HEADER = 16 };

/* Longer frames are damage, for all link types that are read. */
#define RECORD_MAX 262144

#define MAGIC_MICROSECONDS 0xa1b2c3d4u
#define MAGIC_NANOSECONDS 0xa1b23c4du

struct records {
    FILE *stream;
    bool big_endian;
    int64_t unit;
    uint32_t snap;
    uint8_t octets[RECORD_MAX]; /* of one frame */
};

static uint32_t get32(const struct records *records, const uint8_t *p)
{
    uint32_t value = load_be32(p);
    return records->big_endian ? value : __builtin_bswap32(value);
}

/* What the second word of a time counts, in nanoseconds; 0 if the file is of another kind. */
static int64_t unit_of(uint32_t magic)
{
    return magic == MAGIC_MICROSECONDS ? 1000 : magic == MAGIC_NANOSECONDS ? 1 : 0;
}

struct records *records_recognise(FILE *stream)
{
    uint8_t octets[MAGIC] = {0};
    for (size_t got = fread(octets, 1, MAGIC, stream); got > 0; got--)
        if (ungetc(octets[got - 1], stream) == EOF)
            return NULL;
    uint32_t magic = load_be32(octets);
    bool big_endian = unit_of(magic) > 0;
    int64_t unit = unit_of(big_endian ? magic : __builtin_bswap32(magic));
    struct records *records = unit > 0 ? malloc(sizeof *records) : NULL;
    if (records == NULL)
        return NULL;
    records->stream = stream;
    records->big_endian = big_endian;
    records->unit = unit;
    records->snap = RECORD_MAX;
    return records;
}

void records_limit(struct records *records, uint32_t snap)
{
    records->snap = snap < RECORD_MAX ? snap : RECORD_MAX;
}

static enum frames_result fail(const struct records *records, char error[FRAMES_ERROR],
                               const char *what, size_t wanted, size_t got)
{
    if (ferror(records->stream))
        snprintf(error, FRAMES_ERROR, "error reading dump file");
    else
        snprintf(error, FRAMES_ERROR,
                 "truncated dump file; tried to read %zu %s bytes, only got %zu", wanted, what,
                 got);
    return FRAMES_DAMAGED;
}

enum frames_result records_next(struct records *records, struct captured_frame *frame,
                                char error[FRAMES_ERROR])
{
    uint8_t header[HEADER];
    size_t got = fread(header, 1, HEADER, records->stream);
    if (got == 0 && !ferror(records->stream))
        return FRAMES_END;
    if (got != HEADER)
        return fail(records, error, "header", HEADER, got);
    uint32_t length = get32(records, header + 8), total = get32(records, header + 12);
    if (length > RECORD_MAX) {
        snprintf(error, FRAMES_ERROR, "invalid packet capture length %u, bigger than maximum of %u",
                 length, RECORD_MAX);
        return FRAMES_DAMAGED;
    }
    got = fread(records->octets, 1, length, records->stream);
    if (got != length)
        return fail(records, error, "captured", length, got);
    uint32_t recorded = length < records->snap ? length : records->snap;
    frame->octets = records->octets;
    frame->total = total;
    frame->recorded = recorded < total ? recorded : total;
    frame->time =
        get32(records, header) * INT64_C(1000000000) + get32(records, header + 4) * records->unit;
    frame->interface = 0;
    frame->sends_only = frame->within_client = false;
    return FRAMES_NEXT;
}
