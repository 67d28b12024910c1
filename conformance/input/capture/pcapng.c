// SPDX-License-Identifier: BSD-3-Clause
/*
 * pcapng (draft-ietf-opsawg-pcapng): a sequence of blocks, each with its type and its length at
 * both ends.
 *
 * Only the blocks that lead to frames are read: sections, interfaces, packets; all others are
 * skipped by their length. Each section has its own octet order and its own interfaces, each
 * interface its own link type and unit of time. The length of a block is not believed before that
 * much was read, so a hostile one costs no memory.
 */
#include "conformance/input/capture/pcapng.h"

#include <pcap/dlt.h>

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2, /* obsolete */
    BLOCK_SIMPLE = 3,
    BLOCK_ENHANCED = 6,
};

enum {
    HEADER = 8,  /* type and length */
    TRAILER = 4, /* the length again */
    SECTION_MIN = 28,
    OPTION_DESCRIPTION = 3,
    OPTION_TIME_UNIT = 9,
    OPTION_TIME_OFFSET = 14,
    LINKTYPE_RAW = 101, /* the only one that libpcap numbers otherwise */
};

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define BLOCK_MAX ((size_t)16 << 20)
#define BLOCK_STEP ((size_t)65536)
#define INTERFACES_MAX 4096
#define NANOSECONDS UINT64_C(1000000000)

struct interface {
    uint32_t number; /* in the file */
    int link_type;
    uint32_t snap;  /* 0: no limit */
    uint64_t units; /* a second */
    int64_t offset; /* seconds */
    bool sends_only, within_client;
};

struct pcapng {
    FILE *stream;
    bool big_endian;
    struct interface *interfaces;
    size_t interface_count, interface_room;
    uint32_t interfaces_before; /* in earlier sections */
    uint8_t *block;
    size_t block_room;
};

static uint32_t get16(const struct pcapng *pcapng, const uint8_t *p)
{
    return pcapng->big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static uint32_t get32(const struct pcapng *pcapng, const uint8_t *p)
{
    return pcapng->big_endian ? get16(pcapng, p) << 16 | get16(pcapng, p + 2)
                              : get16(pcapng, p + 2) << 16 | get16(pcapng, p);
}

static bool fail(char error[FRAMES_ERROR], const char *why)
{
    snprintf(error, FRAMES_ERROR, "%s", why);
    return false;
}

/* ---- blocks ---- */

/* Make room for the block in steps, as far as the file has octets for it. */
static bool read_body(struct pcapng *pcapng, size_t length, char error[FRAMES_ERROR])
{
    for (size_t done = HEADER; done < length;) {
        size_t step = length - done < BLOCK_STEP ? length - done : BLOCK_STEP;
        if (done + step > pcapng->block_room) {
            uint8_t *block = realloc(pcapng->block, done + step);
            if (block == NULL)
                return fail(error, "out of memory");
            pcapng->block = block;
            pcapng->block_room = done + step;
        }
        if (fread(pcapng->block + done, 1, step, pcapng->stream) != step)
            return fail(error, "the file ends within a block");
        done += step;
    }
    return true;
}

/* A section header decides the octet order, its own length included. */
static bool read_order(struct pcapng *pcapng, char error[FRAMES_ERROR])
{
    uint8_t *magic = pcapng->block + HEADER;
    if (fread(magic, 1, 4, pcapng->stream) != 4)
        return fail(error, "the file ends within a block");
    for (int i = 4; i > 0; i--) /* the rest is read with the block */
        if (ungetc(magic[i - 1], pcapng->stream) == EOF)
            return fail(error, "cannot look ahead");
    pcapng->big_endian = true;
    if (get32(pcapng, magic) == BYTE_ORDER_MAGIC)
        return true;
    pcapng->big_endian = false;
    return get32(pcapng, magic) == BYTE_ORDER_MAGIC || fail(error, "a section of unknown order");
}

/* The next block is at pcapng->block; FRAMES_END at the end of the file. */
static enum frames_result read_block(struct pcapng *pcapng, uint32_t *type, size_t *length,
                                     char error[FRAMES_ERROR])
{
    size_t got = fread(pcapng->block, 1, HEADER, pcapng->stream);
    if (got == 0 && !ferror(pcapng->stream))
        return FRAMES_END;
    if (got != HEADER)
        return fail(error, "the file ends within a block"), FRAMES_DAMAGED;
    *type = get32(pcapng, pcapng->block);
    if (*type == BLOCK_SECTION && !read_order(pcapng, error))
        return FRAMES_DAMAGED;
    *length = get32(pcapng, pcapng->block + 4);
    if (*length < HEADER + TRAILER || *length % 4 != 0 || *length > BLOCK_MAX)
        return fail(error, "a block of impossible length"), FRAMES_DAMAGED;
    if (!read_body(pcapng, *length, error))
        return FRAMES_DAMAGED;
    if (get32(pcapng, pcapng->block + *length - TRAILER) != *length)
        return fail(error, "the two lengths of a block differ"), FRAMES_DAMAGED;
    *length -= TRAILER;
    return FRAMES_NEXT;
}

/* ---- interfaces ---- */

static uint64_t time_units(uint8_t value)
{
    uint64_t units = 1;
    unsigned exponent = value & 0x7f;
    if (value & 0x80)
        return exponent < 64 ? UINT64_C(1) << exponent : 0;
    for (; exponent > 0; exponent--)
        units = units > UINT64_MAX / 10 ? 0 : units * 10;
    return units;
}

/* Options are the last octets of the block. */
static void read_options(const struct pcapng *pcapng, struct interface *interface,
                         const uint8_t *end, size_t left)
{
    while (left >= 4) {
        size_t code = get16(pcapng, end - left), size = get16(pcapng, end - left + 2);
        left -= 4;
        if (code == 0 || size > left)
            return;
        if (code == OPTION_DESCRIPTION && size == sizeof PCAPNG_SENDS_ONLY - 1)
            interface->sends_only = memcmp(end - left, PCAPNG_SENDS_ONLY, size) == 0;
        if (code == OPTION_DESCRIPTION && size == sizeof PCAPNG_WITHIN_CLIENT - 1)
            interface->sends_only = interface->within_client =
                memcmp(end - left, PCAPNG_WITHIN_CLIENT, size) == 0;
        if (code == OPTION_TIME_UNIT && size == 1)
            interface->units = time_units(*(end - left));
        if (code == OPTION_TIME_OFFSET && size == 8) {
            uint64_t first = get32(pcapng, end - left), second = get32(pcapng, end - left + 4);
            interface->offset =
                (int64_t)(pcapng->big_endian ? first << 32 | second : second << 32 | first);
        }
        size = (size + 3) & ~(size_t)3;
        left = size < left ? left - size : 0;
    }
}

static bool add_interface(struct pcapng *pcapng, const uint8_t *end, char error[FRAMES_ERROR])
{
    if (end - pcapng->block < 16)
        return fail(error, "a block that is too short");
    if (pcapng->interface_count == INTERFACES_MAX)
        return fail(error, "too many interfaces");
    if (pcapng->interface_count == pcapng->interface_room) {
        size_t room = pcapng->interface_room ? 2 * pcapng->interface_room : 4;
        struct interface *grown = realloc(pcapng->interfaces, room * sizeof *grown);
        if (grown == NULL)
            return fail(error, "out of memory");
        pcapng->interfaces = grown;
        pcapng->interface_room = room;
    }
    struct interface *interface = &pcapng->interfaces[pcapng->interface_count++];
    int type = (int)get16(pcapng, pcapng->block + 8);
    *interface = (struct interface){.number = pcapng->interfaces_before +
                                              (uint32_t)pcapng->interface_count - 1,
                                    .link_type = type == LINKTYPE_RAW ? DLT_RAW : type,
                                    .snap = get32(pcapng, pcapng->block + 12),
                                    .units = 1000000};
    read_options(pcapng, interface, end, (size_t)(end - pcapng->block - 16));
    return true;
}

/* ---- packets ---- */

static int64_t time_of(const struct interface *interface, uint64_t ticks)
{
    uint64_t units = interface->units;
    if (units == 0)
        return 0;
    uint64_t seconds = ticks / units, rest = ticks % units;
    uint64_t nanoseconds = units <= UINT64_MAX / NANOSECONDS ? rest * NANOSECONDS / units
                                                             : rest / (units / NANOSECONDS);
    return (int64_t)((seconds + (uint64_t)interface->offset) * NANOSECONDS + nanoseconds);
}

/* A packet with its time in two words, then both lengths. */
static bool set_frame(const struct pcapng *pcapng, struct captured_frame *frame, size_t number,
                      const uint8_t *end, char error[FRAMES_ERROR])
{
    const uint8_t *p = pcapng->block + 12;
    if (end - p < 16)
        return fail(error, "a block that is too short");
    if (number >= pcapng->interface_count)
        return fail(error, "a packet of an unknown interface");
    size_t recorded = get32(pcapng, p + 8);
    if (recorded > (size_t)(end - p - 16))
        return fail(error, "a packet that is longer than its block");
    const struct interface *interface = &pcapng->interfaces[number];
    uint64_t ticks = (uint64_t)get32(pcapng, p) << 32 | get32(pcapng, p + 4);
    frame->link_type = interface->link_type;
    frame->octets = p + 16;
    frame->total = get32(pcapng, p + 12);
    frame->recorded = recorded < frame->total ? recorded : frame->total;
    frame->time = time_of(interface, ticks);
    frame->interface = interface->number;
    frame->sends_only = interface->sends_only;
    frame->within_client = interface->within_client;
    return true;
}

static bool set_simple_frame(const struct pcapng *pcapng, struct captured_frame *frame,
                             const uint8_t *end, char error[FRAMES_ERROR])
{
    const uint8_t *p = pcapng->block + 12;
    if (end - p < 0 || pcapng->interface_count == 0)
        return fail(error, "a packet of an unknown interface");
    const struct interface *interface = &pcapng->interfaces[0];
    size_t recorded = (size_t)(end - p);
    frame->link_type = interface->link_type;
    frame->octets = p;
    frame->total = get32(pcapng, p - 4);
    if (interface->snap > 0 && recorded > interface->snap)
        recorded = interface->snap;
    frame->recorded = recorded < frame->total ? recorded : frame->total;
    frame->time = 0;
    frame->interface = interface->number;
    frame->sends_only = interface->sends_only;
    frame->within_client = interface->within_client;
    return true;
}

/* The block up to its second length; FRAMES_END if it holds no frame. */
static enum frames_result take_block(struct pcapng *pcapng, uint32_t type, const uint8_t *end,
                                     struct captured_frame *frame, char error[FRAMES_ERROR])
{
    const uint8_t *body = pcapng->block + HEADER;
    bool good = true;
    switch (type) {
    case BLOCK_SECTION:
        pcapng->interfaces_before += (uint32_t)pcapng->interface_count;
        pcapng->interface_count = 0;
        good = end - pcapng->block >= SECTION_MIN - TRAILER ||
               fail(error, "a block that is too short");
        return good ? FRAMES_END : FRAMES_DAMAGED;
    case BLOCK_INTERFACE:
        return add_interface(pcapng, end, error) ? FRAMES_END : FRAMES_DAMAGED;
    case BLOCK_ENHANCED:
    case BLOCK_PACKET:
        if (end - body < 4)
            good = fail(error, "a block that is too short");
        else
            good = set_frame(pcapng, frame,
                             type == BLOCK_ENHANCED ? get32(pcapng, body) : get16(pcapng, body),
                             end, error);
        break;
    case BLOCK_SIMPLE:
        good = set_simple_frame(pcapng, frame, end, error);
        break;
    default:
        return FRAMES_END;
    }
    return good ? FRAMES_NEXT : FRAMES_DAMAGED;
}

enum frames_result pcapng_next(struct pcapng *pcapng, struct captured_frame *frame,
                               char error[FRAMES_ERROR])
{
    for (;;) {
        uint32_t type;
        size_t length;
        enum frames_result result = read_block(pcapng, &type, &length, error);
        if (result != FRAMES_NEXT)
            return result;
        result = take_block(pcapng, type, pcapng->block + length, frame, error);
        if (result != FRAMES_END)
            return result;
    }
}

struct pcapng *pcapng_open(FILE *stream, char error[FRAMES_ERROR])
{
    struct pcapng *pcapng = calloc(1, sizeof *pcapng);
    uint8_t *block = malloc(SECTION_MIN);
    if (pcapng == NULL || block == NULL) {
        free(pcapng);
        free(block);
        fail(error, "out of memory");
        return NULL;
    }
    pcapng->stream = stream;
    pcapng->block = block;
    pcapng->block_room = SECTION_MIN;
    uint32_t type;
    size_t length;
    if (read_block(pcapng, &type, &length, error) == FRAMES_NEXT && type == BLOCK_SECTION)
        return pcapng;
    if (error[0] == '\0')
        fail(error, "not pcapng");
    pcapng_close(pcapng);
    return NULL;
}

void pcapng_close(struct pcapng *pcapng)
{
    if (pcapng == NULL)
        return;
    free(pcapng->interfaces);
    free(pcapng->block);
    free(pcapng);
}
