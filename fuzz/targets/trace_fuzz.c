// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: what tracefs hands out (rxe-harness/trace): the text of an event's format, the pages
 * of a ring, and records on their way to a capture, which then has to be readable. The first octet
 * chooses the path. Records come each after an octet with the probe's name, one with the field from
 * which on it is cut off, and one with its length.
 */
#include "fuzz/fuzz.h"
#include "fuzz/targets/input.h"
#include "rxe-harness/trace/assemble.h"
#include "rxe-harness/trace/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 3, CAPTURE_MAX = 1 << 20 };

/* ---- the text of a format ---- */

static void read_format(const uint8_t *octets, size_t length)
{
    struct ring_format format;
    char *text = malloc(length + 1);
    FUZZ_ASSERT(text != NULL);
    memcpy(text, octets, length);
    text[length] = '\0';
    if (ring_format_read(&format, text)) {
        uint64_t value;
        FUZZ_ASSERT(format.count <= RING_FIELDS);
        for (unsigned i = 0; i < format.count; i++) {
            FUZZ_ASSERT(memchr(format.fields[i].name, '\0', sizeof format.fields[i].name));
            FUZZ_ASSERT(ring_format_find(&format, format.fields[i].name) != NULL);
            ring_number(&format.fields[i], octets, length, &value);
        }
    }
    free(text);
}

/* ---- pages ---- */

static volatile uint64_t seen_octets; /* so that each is read */

static void walk_page(const uint8_t *octets, size_t length)
{
    struct ring_page page;
    const uint8_t *record;
    size_t size, records = 0;
    bool broken = false;
    unsigned id;
    if (!ring_page_begin(&page, octets, length))
        return;
    while (ring_page_next(&page, &record, &size, &broken)) {
        FUZZ_ASSERT(record >= octets && size <= length - (size_t)(record - octets));
        FUZZ_ASSERT(++records <= length);
        FUZZ_ASSERT(!broken);
        for (size_t i = 0; i < size; i++)
            seen_octets += record[i];
        ring_record_id(record, size, &id);
    }
}

/* ---- records ---- */

static const char *const probes[] = {
    "requests",       "accepts",      "server_receives", "operations",  "operation_rows",
    "server_replies", "server_calls", "server_sends",    "server_ends", "connects",
    "answers",        "client_sends", "client_receives", "disconnects",
};

/* A record has these in a row; the later ones are what a short record lacks. */
static const struct field {
    const char *name;
    size_t size;
} fields[] = {
    {"connection", 1}, {"id", 1},          {"kind", 1},        {"status", 1},      {"flags", 1},
    {"length", 2},     {"handle", 4},      {"header", 1},      {"opcode", 1},      {"pieces", 1},
    {"requests", 1},   {"head_length", 2}, {"page_length", 2}, {"tail_length", 2}, {"length0", 2},
    {"length1", 2},    {"length2", 2},     {"length3", 2},     {"memory", 1},      {"from", 28},
    {"to", 28},        {"head0", 40},      {"tail0", 16},      {"octets0", 48},    {"octets1", 48},
    {"memory0", 8},    {"memory1", 8},
};
#define FIELDS (sizeof fields / sizeof *fields)
_Static_assert(FIELDS <= RING_FIELDS, "a format has room for them");

/* Formats live as long as what is remembered of a record. */
static struct ring_format formats[FIELDS + 1];

static void make_formats(void)
{
    for (size_t count = 0; count <= FIELDS; count++) {
        size_t offset = 0;
        formats[count] = (struct ring_format){.id = 1, .count = (unsigned)count};
        for (size_t i = 0; i < count; i++) {
            struct ring_field *field = &formats[count].fields[i];
            snprintf(field->name, sizeof field->name, "%s", fields[i].name);
            field->offset = offset;
            field->size = fields[i].size;
            offset += fields[i].size;
        }
    }
}

static void take_records(struct assembler *assembler, const uint8_t *octets, size_t length)
{
    static struct sighting sighting;
    for (int64_t time = 1; length >= HEAD; time += 1000) {
        unsigned probe = octets[0], count = octets[1];
        size_t size = octets[2] < length - HEAD ? octets[2] : length - HEAD;
        if (probe >= 0xf0) {
            assembler_gap(assembler);
        } else {
            sighting.part[0].format = &formats[FIELDS - count % FIELDS];
            sighting.part[0].length = size;
            sighting.part[1].format = NULL;
            sighting.time = INT64_C(1700000000000000000) + time;
            memcpy(sighting.part[0].octets, octets + HEAD, size);
            assembler_take(assembler, probes[probe % (sizeof probes / sizeof *probes)], &sighting);
        }
        octets += HEAD + size;
        length -= HEAD + size;
    }
}

/* The capture can be read from its first octet to its last, and has no Send that was not counted.
 */
static void read_back(FILE *capture, const struct assembler_counts *counts)
{
    const struct source_options options = {.port = 20049, .memory = CAPTURE_MAX, .all_qp = true};
    struct input_seen seen = {0};
    long length = ftell(capture);
    FUZZ_ASSERT(length > 0);
    uint8_t *octets = malloc((size_t)length);
    FUZZ_ASSERT(octets != NULL);
    rewind(capture);
    FUZZ_ASSERT(fread(octets, 1, (size_t)length, capture) == (size_t)length);
    bool good =
        input_read(source_read_capture, input_stream(octets, (size_t)length), &options, &seen);
    FUZZ_ASSERT(good || counts->sends + counts->operations == 0);
    free(octets);
}

static void assemble(const uint8_t *octets, size_t length)
{
    static const struct assembler_filter all;
    const struct trace_wish wish = {.registrations = length % 2 == 0};
    FILE *stream = tmpfile();
    FUZZ_ASSERT(stream != NULL);
    struct capture_file *capture = capture_create(stream, CAPTURE_MAX);
    struct assembler *assembler = capture ? assembler_create(capture, &all, &wish) : NULL;
    FUZZ_ASSERT(assembler != NULL);
    take_records(assembler, octets, length);
    struct assembler_counts counts = *assembler_counts(assembler);
    assembler_free(assembler);
    FUZZ_ASSERT(capture_finish(capture));
    read_back(stream, &counts);
    fclose(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (formats[1].count == 0)
        make_formats();
    if (data[0] % 4 == 0)
        read_format(data + 1, size - 1);
    else if (data[0] % 4 == 1)
        walk_page(data + 1, size - 1);
    else
        assemble(data + 1, size - 1);
    return 0;
}
