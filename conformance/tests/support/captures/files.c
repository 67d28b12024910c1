// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/files.h"

struct format format;
FILE *file;

void write16(unsigned value)
{
    unsigned low = value & 0xff, high = value >> 8;
    putc((int)(format.big_endian ? high : low), file);
    putc((int)(format.big_endian ? low : high), file);
}

void write32(uint32_t value)
{
    write16(format.big_endian ? value >> 16 : value & 0xffff);
    write16(format.big_endian ? value & 0xffff : value >> 16);
}

static void begin_pcap(void)
{
    write32(format.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
    write16(2);
    write16(4);
    write32(0);
    write32(0);
    write32(262144);
    write32(LINK_ETHERNET);
}

void begin_block(uint32_t type, uint32_t body)
{
    write32(type);
    write32(body + 12);
}

static void write64(uint64_t value)
{
    write32((uint32_t)(format.big_endian ? value >> 32 : value));
    write32((uint32_t)(format.big_endian ? value : value >> 32));
}

static void write_option(const struct option *option)
{
    write16(option->code);
    write16(option->size);
    if (option->size == 8)
        write64(option->value);
    for (unsigned i = 0; i < ((option->size + 3) & ~3u) && option->size < 8; i++)
        putc(i < option->size ? (int)(option->value >> 8 * i & 0xff) : 0xff, file);
}

void write_interface(unsigned link, const struct option *of, int count)
{
    uint32_t body = 8;
    for (int i = 0; i < count; i++)
        body += 4 + (of[i].size > 8 ? 0 : (of[i].size + 3) & ~3u);
    begin_block(INTERFACE, body);
    write16(link);
    write16(0);
    write32(format.snap);
    for (int i = 0; i < count; i++)
        write_option(&of[i]);
    write32(body + 12);
}

void begin_section(void)
{
    begin_block(SECTION, 16);
    write32(0x1a2b3c4d);
    write16(1);
    write16(0);
    write32(0xffffffff); /* length of the section: not known */
    write32(0xffffffff);
    write32(28);
    write_interface(LINK_ETHERNET, format.options, format.option_count);
    begin_block(0xbad, 4); /* of a type to be passed over */
    write32(0);
    write32(16);
}

void write_record(const uint8_t *frame, uint32_t length)
{
    uint32_t padded = (length + 3) & ~3u;
    if (!format.next_generation) {
        write32(3);
        write32(7);
        write32(length);
        write32(length);
        fwrite(frame, 1, length, file);
        return;
    }
    uint32_t body = padded + (format.simple ? 4 : 20);
    begin_block(format.simple ? SIMPLE_PACKET : format.obsolete ? PACKET : ENHANCED_PACKET, body);
    if (!format.simple) {
        if (format.obsolete) {
            write16(format.interface);
            write16(0xffff); /* packets dropped: not known */
        } else {
            write32(format.interface);
        }
        write32((uint32_t)(format.ticks >> 32));
        write32((uint32_t)format.ticks);
        write32(length); /* recorded */
    }
    write32(length);
    fwrite(frame, 1, length, file);
    for (; length < padded; length++)
        putc(0, file);
    write32(body + 12);
}

void convert(void)
{
    uint8_t octets_of[16384];
    uint32_t record[4];
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    if (format.next_generation)
        begin_section();
    else
        begin_pcap();
    ck_assert_int_eq(fseek(capture, 24, SEEK_SET), 0);
    while (fread(record, sizeof record, 1, capture) == 1) {
        ck_assert_uint_le(record[2], sizeof octets_of);
        ck_assert_uint_eq(fread(octets_of, 1, record[2], capture), record[2]);
        write_record(octets_of, record[2]);
    }
    fclose(capture);
    capture = file;
}

void make_capture(void)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    request(SERVER, OP_SEND_ONLY, 2000, octets, 33);
}

void own_times(void)
{
    times_differ = true;
}
