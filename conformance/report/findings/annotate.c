// SPDX-License-Identifier: BSD-3-Clause
/*
 * The formats are those of draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng. Every number in a
 * pcapng section has the byte order of the section, a pcap file that of its header; the blocks that
 * are made here from a pcap file keep its order, so that no number of it has to be read but
 * lengths.
 */
#include "conformance/report/findings/annotate.h"

#include "conformance/base/count.h"
#include "conformance/base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2, /* obsolete; laid out as the enhanced one */
    BLOCK_SIMPLE_PACKET = 3,
    BLOCK_ENHANCED_PACKET = 6,
    BLOCK_CUSTOM_NO_COPY = 0x40000bad,
};
enum { BYTE_ORDER_MAGIC = 0x1a2b3c4d, OPTION_END = 0, OPTION_COMMENT = 1, OPTION_RESOLUTION = 9 };
enum {
    BLOCK_MAX = 64 << 20,
    BLOCK_HEADER = 8,
    PCAP_HEADER = 24,
    PACKET_FIELDS = 20,
    COMMENT_MAX = 1000
};

struct annotation {
    uint64_t frame;
    size_t order; /* in which it came: sorting keeps that */
    char *text;
};

struct copy {
    FILE *in, *out;
    const struct annotations *annotations;
    size_t next; /* annotation */
    uint64_t frame;
    bool big_endian;
    uint32_t snap_length; /* of the section's first interface; 0: no limit */
    bool has_interface;
    uint8_t *block; /* its body, after type and length */
    size_t length, room;
    char *error;
    size_t error_size;
};

void annotate_add(struct annotations *annotations, uint64_t frame, const char *text)
{
    if (annotations->count == ANNOTATE_MAX) {
        annotations->left_out++;
        return;
    }
    annotations->list = alloc_room(annotations->list, annotations->count, &annotations->room,
                                   sizeof *annotations->list);
    annotations->list[annotations->count] =
        (struct annotation){.frame = frame, .order = annotations->count, .text = alloc_text(text)};
    annotations->count++;
}

void annotate_free(struct annotations *annotations)
{
    for (size_t i = 0; i < annotations->count; i++)
        free(annotations->list[i].text);
    free(annotations->list);
    *annotations = (struct annotations){0};
}

static int compare(const void *left, const void *right)
{
    const struct annotation *a = left, *b = right;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* ---- numbers and octets ---- */

static bool fail(struct copy *copy, const char *text)
{
    snprintf(copy->error, copy->error_size, "%s", text);
    return false;
}

static uint32_t load32(const struct copy *copy, const uint8_t *p)
{
    return copy->big_endian
               ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void put16(const struct copy *copy, uint32_t number)
{
    putc((int)(copy->big_endian ? number >> 8 : number) & 0xff, copy->out);
    putc((int)(copy->big_endian ? number : number >> 8) & 0xff, copy->out);
}

static void put32(const struct copy *copy, uint32_t number)
{
    put16(copy, copy->big_endian ? number >> 16 : number & 0xffff);
    put16(copy, copy->big_endian ? number & 0xffff : number >> 16);
}

static uint32_t padded(uint32_t length)
{
    return (length + 3) & ~(uint32_t)3;
}

static void put_padded(const struct copy *copy, const void *octets, uint32_t length)
{
    static const uint8_t zeros[4];
    fwrite(octets, 1, length, copy->out);
    fwrite(zeros, 1, padded(length) - length, copy->out);
}

/* Read exactly this many octets into the block. */
static bool read_body(struct copy *copy, size_t length)
{
    if (length > BLOCK_MAX)
        return fail(copy, "a block of the capture is too long");
    if (length > copy->room) {
        free(copy->block);
        copy->block = alloc_zeroed(length, 1);
        copy->room = length;
    }
    copy->length = fread(copy->block, 1, length, copy->in);
    return copy->length == length || fail(copy, "the capture ends within a packet");
}

/* ---- comments ---- */

static uint32_t comment_length(const struct annotation *annotation)
{
    size_t length = strlen(annotation->text);
    return (uint32_t)(length < COMMENT_MAX ? length : COMMENT_MAX);
}

/* Annotations of the frame: their number; *octets is what their options take. */
static size_t comments_of_frame(const struct copy *copy, uint32_t *octets)
{
    const struct annotations *all = copy->annotations;
    size_t count = 0;
    *octets = 0;
    while (copy->next + count < all->count && all->list[copy->next + count].frame == copy->frame) {
        *octets += 4 + padded(comment_length(&all->list[copy->next + count]));
        count++;
    }
    return count;
}

static void put_comments(struct copy *copy, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct annotation *annotation = &copy->annotations->list[copy->next++];
        put16(copy, OPTION_COMMENT);
        put16(copy, comment_length(annotation));
        put_padded(copy, annotation->text, comment_length(annotation));
    }
}

/* ---- pcapng ---- */

static void put_block(const struct copy *copy, uint32_t type)
{
    put32(copy, type);
    put32(copy, (uint32_t)copy->length + 12);
    fwrite(copy->block, 1, copy->length, copy->out);
    put32(copy, (uint32_t)copy->length + 12);
}

/* The comments go before the options that are there. */
static bool copy_packet(struct copy *copy, uint32_t type)
{
    uint32_t extra;
    copy->frame++;
    size_t count = comments_of_frame(copy, &extra);
    if (count == 0) {
        put_block(copy, type);
        return true;
    }
    if (copy->length < PACKET_FIELDS)
        return fail(copy, "a packet block is too short");
    uint32_t captured = load32(copy, copy->block + 12);
    if (captured > copy->length - PACKET_FIELDS || padded(captured) > copy->length - PACKET_FIELDS)
        return fail(copy, "a packet is longer than its block");
    size_t at = PACKET_FIELDS + padded(captured);
    bool ends = at < copy->length; /* with options that have an end of their own */
    uint32_t total = (uint32_t)copy->length + 12 + extra + (ends ? 0 : 4);
    put32(copy, type);
    put32(copy, total);
    fwrite(copy->block, 1, at, copy->out);
    put_comments(copy, count);
    if (ends)
        fwrite(copy->block + at, 1, copy->length - at, copy->out);
    else
        put32(copy, OPTION_END);
    put32(copy, total);
    return true;
}

/* It has no options: with a comment it becomes an enhanced packet block. */
static bool copy_simple_packet(struct copy *copy)
{
    uint32_t extra;
    copy->frame++;
    size_t count = comments_of_frame(copy, &extra);
    if (count == 0) {
        put_block(copy, BLOCK_SIMPLE_PACKET);
        return true;
    }
    if (copy->length < 4)
        return fail(copy, "a packet block is too short");
    uint32_t original = load32(copy, copy->block), captured = original;
    if (copy->snap_length > 0 && captured > copy->snap_length)
        captured = copy->snap_length;
    if (captured > copy->length - 4)
        captured = (uint32_t)copy->length - 4;
    uint32_t total = BLOCK_HEADER + PACKET_FIELDS + padded(captured) + extra + 4 + 4;
    put32(copy, BLOCK_ENHANCED_PACKET);
    put32(copy, total);
    for (int i = 0; i < 3; i++) /* interface 0; there is no time */
        put32(copy, 0);
    put32(copy, captured);
    put32(copy, original);
    put_padded(copy, copy->block + 4, captured);
    put_comments(copy, count);
    put32(copy, OPTION_END);
    put32(copy, total);
    return true;
}

/* Its length counts from here on as not known, since blocks grow. */
static bool copy_section(struct copy *copy, uint32_t length)
{
    uint8_t order[4];
    if (fread(order, 1, sizeof order, copy->in) != sizeof order)
        return fail(copy, "the capture ends within a section header");
    uint8_t swapped[4] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8),
                          (uint8_t)length}; /* as it was read, big endian */
    copy->big_endian = true;
    if (load32(copy, order) != BYTE_ORDER_MAGIC)
        copy->big_endian = false;
    if (load32(copy, order) != BYTE_ORDER_MAGIC)
        return fail(copy, "not a pcapng section");
    length = load32(copy, swapped);
    if (length < 28 || length % 4 != 0)
        return fail(copy, "a section header has an impossible length");
    if (!read_body(copy, length - 16))
        return false;
    memset(copy->block + 4, 0xff, 8);
    put32(copy, BLOCK_SECTION);
    put32(copy, length);
    put32(copy, BYTE_ORDER_MAGIC);
    fwrite(copy->block, 1, copy->length, copy->out);
    put32(copy, length);
    uint8_t trailer[4];
    if (fread(trailer, 1, sizeof trailer, copy->in) != sizeof trailer)
        return fail(copy, "the capture ends within a section header");
    copy->has_interface = false;
    copy->snap_length = 0;
    return true;
}

static bool copy_block(struct copy *copy, uint32_t type, uint32_t length)
{
    uint8_t trailer[4];
    if (length < 12 || length % 4 != 0)
        return fail(copy, "a block has an impossible length");
    if (!read_body(copy, length - 12))
        return false;
    if (fread(trailer, 1, sizeof trailer, copy->in) != sizeof trailer)
        return fail(copy, "the capture ends within a block");
    switch (type) {
    case BLOCK_ENHANCED_PACKET:
    case BLOCK_PACKET:
        return copy_packet(copy, type);
    case BLOCK_SIMPLE_PACKET:
        return copy_simple_packet(copy);
    case BLOCK_CUSTOM_NO_COPY:
        return true;
    case BLOCK_INTERFACE:
        if (!copy->has_interface && copy->length >= 8)
            copy->snap_length = load32(copy, copy->block + 4);
        copy->has_interface = true;
        break;
    default:
        break;
    }
    put_block(copy, type);
    return true;
}

static bool copy_next_block(struct copy *copy, const uint8_t header[BLOCK_HEADER])
{
    static const uint8_t section[] = {0x0a, 0x0d, 0x0d, 0x0a}; /* in both orders */
    if (memcmp(header, section, sizeof section) != 0)
        return copy_block(copy, load32(copy, header), load32(copy, header + 4));
    copy->big_endian = true;
    return copy_section(copy, load32(copy, header + 4));
}

/* `header` has been read: that of the first section. */
static bool copy_pcapng(struct copy *copy, uint8_t header[BLOCK_HEADER])
{
    size_t got = BLOCK_HEADER;
    while (got == BLOCK_HEADER) {
        if (!copy_next_block(copy, header))
            return false;
        got = fread(header, 1, BLOCK_HEADER, copy->in);
    }
    return got == 0 || fail(copy, "the capture ends within a block");
}

/* ---- pcap ---- */

struct pcap {
    bool nanoseconds;
    size_t record; /* octets of a packet's header */
    uint32_t snap_length, link_type;
};

static void put_section(const struct copy *copy, const struct pcap *pcap)
{
    put32(copy, BLOCK_SECTION);
    put32(copy, 28);
    put32(copy, BYTE_ORDER_MAGIC);
    put16(copy, 1); /* version 1.0 */
    put16(copy, 0);
    put32(copy, UINT32_MAX); /* length not known */
    put32(copy, UINT32_MAX);
    put32(copy, 28);
    put32(copy, BLOCK_INTERFACE);
    put32(copy, 32);
    put16(copy, pcap->link_type & 0xffff);
    put16(copy, 0);
    put32(copy, pcap->snap_length);
    put16(copy, OPTION_RESOLUTION);
    put16(copy, 1);
    putc(pcap->nanoseconds ? 9 : 6, copy->out);
    for (int i = 0; i < 3; i++)
        putc(0, copy->out);
    put32(copy, OPTION_END);
    put32(copy, 32);
}

static bool copy_record(struct copy *copy, const struct pcap *pcap, const uint8_t *header)
{
    uint32_t seconds = load32(copy, header), fraction = load32(copy, header + 4), extra;
    uint32_t captured = load32(copy, header + 8), original = load32(copy, header + 12);
    uint64_t time = (uint64_t)seconds * (pcap->nanoseconds ? 1000000000u : 1000000u) + fraction;
    if (!read_body(copy, captured))
        return false;
    copy->frame++;
    size_t count = comments_of_frame(copy, &extra);
    uint32_t total =
        BLOCK_HEADER + PACKET_FIELDS + padded(captured) + extra + (count > 0 ? 4 : 0) + 4;
    put32(copy, BLOCK_ENHANCED_PACKET);
    put32(copy, total);
    put32(copy, 0); /* interface */
    put32(copy, (uint32_t)(time >> 32));
    put32(copy, (uint32_t)time);
    put32(copy, captured);
    put32(copy, original);
    put_padded(copy, copy->block, captured);
    put_comments(copy, count);
    if (count > 0)
        put32(copy, OPTION_END);
    put32(copy, total);
    return true;
}

static bool copy_pcap(struct copy *copy, const struct pcap *pcap)
{
    uint8_t header[24];
    put_section(copy, pcap);
    for (;;) {
        size_t got = fread(header, 1, pcap->record, copy->in);
        if (got == 0)
            return true;
        if (got != pcap->record)
            return fail(copy, "the capture ends within a packet");
        if (!copy_record(copy, pcap, header))
            return false;
    }
}

/* ---- which it is ---- */

/* Also the variant with longer packet headers, of some old systems. */
static bool read_pcap_header(struct copy *copy, const uint8_t *header, struct pcap *pcap)
{
    static const struct {
        uint32_t magic;
        bool nanoseconds;
        size_t record;
    } kinds[] = {{0xa1b2c3d4, false, 16}, {0xa1b23c4d, true, 16}, {0xa1b2cd34, false, 24}};
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (int big_endian = 0; big_endian < 2; big_endian++) {
            copy->big_endian = big_endian;
            if (load32(copy, header) != kinds[i].magic)
                continue;
            *pcap = (struct pcap){.nanoseconds = kinds[i].nanoseconds,
                                  .record = kinds[i].record,
                                  .snap_length = load32(copy, header + 16),
                                  .link_type = load32(copy, header + 20)};
            return true;
        }
    return false;
}

bool annotate_copy(struct annotations *annotations, FILE *in, FILE *out, char *error,
                   size_t error_size)
{
    struct copy copy = {
        .in = in, .out = out, .annotations = annotations, .error = error, .error_size = error_size};
    struct pcap pcap;
    uint8_t header[PCAP_HEADER];
    if (annotations->count > 0)
        qsort(annotations->list, annotations->count, sizeof *annotations->list, compare);
    size_t got = fread(header, 1, BLOCK_HEADER, in);
    bool good = got == BLOCK_HEADER;
    if (good && load32(&copy, header) == BLOCK_SECTION)
        good = copy_pcapng(&copy, header);
    else if (good && fread(header + got, 1, PCAP_HEADER - got, in) == PCAP_HEADER - got &&
             read_pcap_header(&copy, header, &pcap))
        good = copy_pcap(&copy, &pcap);
    else
        good = fail(&copy, "is neither a pcap nor a pcapng file");
    if (good && ferror(in))
        good = fail(&copy, strerror(errno));
    free(copy.block);
    annotations->copied = copy.frame;
    return good;
}
