// SPDX-License-Identifier: BSD-3-Clause
/*
 * MPA: a frame that starts a connection, of any octets; and the parts of a segment of any octets,
 * in any state of their stream. What is given to the handler, the check sum and the buffer lies
 * within what was given.
 *
 * reaches: 20
 * options: -eva-slevel 2000 -eva-split-return-function mpa_start_parse:full
 * with: conformance/input/iwarp/mpa.c s|^.*if (MPA_LENGTH_SIZE + length + pad|//\@ split pad;\n&|
 * fault: private data cut off: conformance/input/iwarp/mpa.c s/HEADER < priv/HEADER + 1 < priv/
 * fault: FPDU cut off: conformance/input/iwarp/mpa.c s/SUM_SIZE > count)/SUM_SIZE > count + 1)/
 * fault: octet after a part: conformance/input/iwarp/mpa.c s/i < count; i/i <= count; i/
 */
#include "conformance/input/iwarp/mpa.c"

#include <__fc_builtin.h>

enum { LENGTH = 24 };

static uint8_t octets[LENGTH], assembled[LENGTH];
volatile int any;

static int touch(const uint8_t *p, size_t length)
{
    return length > 0 ? p[0] + p[length - 1] : 0;
}

/* ---- what MPA uses ---- */

int memcmp(const void *a, const void *b, size_t count)
{
    return touch(a, count) - touch(b, count) != any;
}

uint32_t crc32c_add(uint32_t crc, const uint8_t *p, size_t count)
{
    return crc + (uint32_t)touch(p, count) + (uint32_t)any;
}

uint32_t crc32c_end(uint32_t crc)
{
    return crc + (uint32_t)any;
}

bool buffer_add(struct memory *memory, struct buffer *buffer, const uint8_t *p, size_t count)
{
    (void)memory, (void)buffer;
    return touch(p, count) != any;
}

void buffer_free(struct memory *memory, struct buffer *buffer)
{
    (void)memory;
    *buffer = (struct buffer){0};
}

static void ulpdu(void *arg, const uint8_t *p, size_t recorded, size_t length, uint64_t frame)
{
    (void)arg, (void)frame, (void)length;
    touch(p, recorded);
}

static void lost(void *arg, enum mpa_loss loss, uint64_t frame)
{
    (void)arg, (void)loss, (void)frame;
}

static void unframed(void *arg, uint64_t frame)
{
    (void)arg, (void)frame;
}

static bool is_plausible(const uint8_t *p, size_t recorded, size_t length)
{
    (void)length;
    return touch(p, recorded) != any;
}

/* ---- what is proved ---- */

static const struct mpa_handler handler = {ulpdu, lost, unframed, is_plausible};

/* Any state, whether others have led to it or not. */
static struct mpa_stream any_stream(void)
{
    return (struct mpa_stream){
        .handler = &handler,
        .markers = any != 0,
        .crc = any != 0,
        .lost = any != 0,
        .cut = any != 0,
        .cut_marker = any != 0,
        .position = (uint64_t)(unsigned)any,
        .begin = (uint64_t)(unsigned)any,
        .count = (size_t)(unsigned)any,
        .header = (uint32_t)any,
        .check_sum = (uint32_t)any,
        .marker = (uint32_t)any,
        .crc_value = (uint32_t)any,
        .ulpdu = {.octets = assembled, .length = LENGTH},
    };
}

static void take(const uint8_t *p, size_t length)
{
    struct mpa_stream stream = any_stream();
    size_t more = (size_t)(unsigned)any;
    if (any)
        take_plain(&stream, p, length, 1);
    else if (any)
        take_plain(&stream, NULL, length, 1);
    else if (any)
        take_marker(&stream, p, length);
    else
        mpa_only_ulpdu(p, length, length + more, &more);
}

static int start(const uint8_t *p, size_t length)
{
    struct mpa_start found;
    if (mpa_is_request(p, length) || mpa_start_parse(p, length, any != 0, &found) != MPA_PARSED)
        return 0;
    return touch(found.private_data, found.private_length);
}

int main(void)
{
    size_t length = (size_t)Frama_C_interval_split(0, LENGTH);
    Frama_C_make_unknown((char *)octets, sizeof octets);
    Frama_C_make_unknown((char *)assembled, sizeof assembled);
    if (any)
        take(octets + LENGTH - length, length);
    return start(octets + LENGTH - length, length);
}
