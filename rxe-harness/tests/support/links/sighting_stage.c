// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/sighting_stage.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sighting_stage stage = {.file = "/tmp/rpcrdma-assemble-XXXXXX"};

static struct ring_format formats[16]; /* what is remembered has one of its own */
static unsigned records;
static struct ring_format *format;

void stage_begin(void)
{
    strcpy(strrchr(stage.file, '-') + 1, "XXXXXX");
    stage.stream = fdopen(mkstemp(stage.file), "wb");
    stage.capture = capture_create(stage.stream, SIZE_MAX);
    stage.assembler = assembler_create(stage.capture, &stage.filter, &stage.wish);
}

void stage_end(struct captured *captured)
{
    ck_assert(capture_finish(stage.capture));
    fclose(stage.stream);
    if (captured) {
        read_capture(stage.file, captured);
        if (has_tshark())
            ck_assert_uint_eq(seen_by_tshark(stage.file, "_ws.malformed"), 0);
    }
    assembler_free(stage.assembler);
    unlink(stage.file);
    stage.filter = (struct assembler_filter){0};
    stage.wish = (struct trace_wish){0};
    stage.pid = stage.client = 0;
}

/* ---- a record ---- */

void stage_record(void)
{
    format = &formats[records++ % 16];
    *format = (struct ring_format){.id = 1};
    stage.sighting.part[0].format = format;
    stage.sighting.part[0].length = 0;
    stage.sighting.part[1].format = NULL;
    stage.sighting.time = INT64_C(1700000000000000000);
    stage.sighting.pid = stage.pid ? stage.pid : PID;
}

void stage_put(const char *name, const void *octets, size_t size)
{
    struct ring_field *field = &format->fields[format->count++];
    ck_assert_uint_le(format->count, RING_FIELDS);
    snprintf(field->name, sizeof field->name, "%s", name);
    field->offset = stage.sighting.part[0].length;
    field->size = size;
    memcpy(stage.sighting.part[0].octets + field->offset, octets, size);
    stage.sighting.part[0].length += size;
}

void stage_number(const char *name, uint64_t value)
{
    stage_put(name, &value, sizeof value);
}

/* An IPv4 address as the kernel has it. */
void stage_address(const char *name, uint8_t last, uint16_t port)
{
    uint8_t octets[32] = {2, 0, (uint8_t)(port >> 8), (uint8_t)port, 192, 0, 2, last};
    const uint16_t family = 2;
    memcpy(octets, &family, sizeof family);
    stage_put(name, octets, sizeof octets);
}

void stage_take(const char *name)
{
    assembler_take(stage.assembler, name, &stage.sighting);
}

void stage_connect_client(void)
{
    static const uint8_t asked[8] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
    stage_record();
    stage_number("id", ID + stage.client);
    stage_address("from", 2, 1023);
    stage_address("to", 1, 20049);
    stage_number("length", sizeof asked);
    stage_put("octets0", asked, sizeof asked);
    stage_take("connects");
    stage_record();
    stage_number("id", ID + stage.client);
    stage_number("kind", 9); /* established */
    stage_number("length", sizeof asked);
    stage_put("octets0", asked, sizeof asked);
    stage_take("answers");
}

void stage_answer(uint64_t flags)
{
    static const uint8_t octets[52] = {0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, [31] = 9, [35] = 1};
    stage_record();
    stage_number("connection", ID + stage.client);
    stage_number("length", sizeof octets);
    stage_number("flags", flags);
    stage_number("handle", 0xabcd);
    stage_put("octets0", octets, sizeof octets);
    stage_take("client_receives");
}
