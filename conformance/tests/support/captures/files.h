// SPDX-License-Identifier: BSD-3-Clause
/* The capture that was made up, as a file of another format: pcap or pcapng, of either byte order.
 */
#ifndef CONFORMANCE_FILES_H
#define CONFORMANCE_FILES_H

#include "conformance/tests/support/captures/seen.h"

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, PACKET, SIMPLE_PACKET = 3, ENHANCED_PACKET = 6 };

/* How a file is written: the packets in it are those of the capture that setup() began. */
struct format {
    bool next_generation;
    bool big_endian;
    bool nanoseconds; /* pcap only */
    bool simple;      /* pcapng only: packets without times */
    bool obsolete;    /* pcapng only: packets as they were before enhanced ones */
    uint32_t interface, snap;
    uint64_t ticks; /* pcapng only: when each packet came */
    struct option {
        unsigned code, size; /* size of the value: 8 octets, or fewer, the low ones first */
        uint64_t value;
    } options[3]; /* pcapng only: of the first interface; size 0 and code 0 after the last */
    int option_count;
};
extern struct format format;

#define SECOND INT64_C(1000000000) /* in nanoseconds */

/* Where it is written; also the capture, once it was converted. */
extern FILE *file;

void write16(unsigned value);
void write32(uint32_t value);

/* A block of the type whose body, a multiple of 4 octets, follows. */
void begin_block(uint32_t type, uint32_t body);
void write_interface(unsigned link, const struct option *of, int count);
/* A section of pcapng with its first interface. */
void begin_section(void);
void write_record(const uint8_t *frame, uint32_t length);

/* A connection with a Call, an acknowledgement and a Send: five frames. */
void make_capture(void);

/* The capture again, as a file of that format. */
void convert(void);

/* A fixture: files that are written here have times of their own. */
void own_times(void);

#endif
