// SPDX-License-Identifier: BSD-3-Clause
/*
 * Records of a pcap file, which may end anywhere: what kind the file is, and a frame of any length,
 * in either order of octets, of any file. Frames that are read are shorter here.
 *
 * reaches: 12
 * options: -eva-slevel 500
 * with: conformance/input/capture/records.c s|RECORD_MAX 2.*|RECORD_MAX 64|
 * fault: length not looked at: conformance/input/capture/records.c s/length > RECORD_MAX/false/
 * fault: header cut off: conformance/input/capture/records.c s/got != HEADER/false/
 * fault: as long as on the wire: conformance/input/capture/records.c s/recorded < total/false/
 */
#include <stdio.h>
#include <stdlib.h>

#define fread proof_fread
#define malloc proof_malloc
static size_t proof_fread(void *octets, size_t size, size_t count, FILE *stream);
static void *proof_malloc(size_t size);

#include "conformance/input/capture/records.c"

#include <__fc_builtin.h>

static FILE stream;
volatile int any;

/* What it gives in part is not looked at. */
static size_t proof_fread(void *octets, size_t size, size_t count, FILE *from)
{
    size_t got = (size_t)(unsigned)any;
    (void)from;
    if (got < count)
        return got;
    if (count > 0)
        Frama_C_make_unknown(octets, count * size);
    return count;
}

static void *proof_malloc(size_t size)
{
    static struct records records;
    (void)size;
    return any ? &records : NULL;
}

int main(void)
{
    char error[FRAMES_ERROR];
    struct captured_frame frame;
    struct records *records = records_recognise(&stream);
    if (records == NULL)
        return 0;
    if (any)
        records_limit(records, (uint32_t)any);
    if (records_next(records, &frame, error) != FRAMES_NEXT)
        return 0;
    return (frame.recorded > 0 ? frame.octets[0] + frame.octets[frame.recorded - 1] : 0) +
           (frame.recorded < frame.total) + (frame.time < 0) + frame.sends_only +
           frame.within_client;
}
