// SPDX-License-Identifier: BSD-3-Clause
/*
 * Blocks of pcapng: taken apart, of any type, octets and length, after any interfaces; and read, in
 * steps, from a stream that ends anywhere, whatever room there was before. Blocks that are read are
 * shorter here: each length and each room is a case of its own.
 *
 * reaches: 17
 * options: -eva-slevel 500 -eva-split-return-function take_block:full
 * options: -eva-split-return-function set_frame:full,set_simple_frame:full
 * with: conformance/input/capture/pcapng.c s|BLOCK_MAX (.*|BLOCK_MAX (size_t)48|
 * with: conformance/input/capture/pcapng.c s|BLOCK_STEP (.*|BLOCK_STEP (size_t)20|
 * with: conformance/input/capture/pcapng.c s|^.*if (!read_body|//\@ split *length;\n&|
 * fault: option cut off: conformance/input/capture/pcapng.c s/size > left)/size > left + 1)/
 * fault: options of three: conformance/input/capture/pcapng.c s/left >= 4)/left >= 3)/
 * fault: packet block of 15: conformance/input/capture/pcapng.c s/end - p < 16/end - p < 15/
 * fault: interface of 15: conformance/input/capture/pcapng.c s/->block < 16/->block < 15/
 * fault: one interface more: conformance/input/capture/pcapng.c s/number >= pc/number > pc/
 * fault: packet too long: conformance/input/capture/pcapng.c s/ - p - 16))/ - p - 15))/
 * fault: room for a step less: conformance/input/capture/pcapng.c s/done + step > p/done > p/
 */
#include <stdlib.h>

#define realloc proof_realloc
static void *proof_realloc(void *old, size_t size);

#include "conformance/input/capture/pcapng.c"

#include <__fc_builtin.h>

enum { INTERFACES = 2 };

uint8_t proof_octets[PROOF_LENGTH];
static struct interface interfaces[2 * INTERFACES];
static FILE stream;
static bool reading;
volatile int any;

/* Ends where its object does, so that nothing lies beyond it. */
static void *proof_realloc(void *old, size_t size)
{
    if (any)
        return NULL;
    (void)old;
    return reading ? proof_octets + (PROOF_LENGTH - size)
                   : (uint8_t *)interfaces + (sizeof interfaces - size);
}

/* Any block that was read; of one of few lengths, the frame is looked at, too. */
static int take(struct pcapng *pcapng, size_t length, bool look)
{
    char error[FRAMES_ERROR];
    struct captured_frame frame;
    size_t room = (size_t)Frama_C_interval_split(0, INTERFACES);
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    Frama_C_make_unknown((char *)interfaces, sizeof interfaces);
    for (int i = 0; i < 2 * INTERFACES; i++) {
        interfaces[i].sends_only = Frama_C_interval(0, 1);
        interfaces[i].within_client = Frama_C_interval(0, 1);
    }
    pcapng->block = proof_octets + (PROOF_LENGTH - length);
    pcapng->interfaces = interfaces + (2 * INTERFACES - room);
    pcapng->interface_room = room;
    pcapng->interface_count = (size_t)Frama_C_interval_split(0, (int)room);
    if (take_block(pcapng, (uint32_t)any, proof_octets + PROOF_LENGTH, &frame, error) !=
        FRAMES_NEXT)
        return 0;
    if (look && frame.recorded > 0)
        return frame.octets[0] + frame.octets[frame.recorded - 1];
    return (frame.link_type < 0) + (frame.recorded < frame.total) + (frame.time < 0);
}

/* Any block that is read. */
static int get(struct pcapng *pcapng)
{
    char error[FRAMES_ERROR];
    uint32_t type;
    size_t length;
    size_t room = (size_t)Frama_C_interval_split(SECTION_MIN / 4, BLOCK_MAX / 4) * 4;
    pcapng->block = proof_octets + (PROOF_LENGTH - room);
    pcapng->block_room = room;
    if (read_block(pcapng, &type, &length, error) != FRAMES_NEXT)
        return 0;
    return pcapng->block[length - 1];
}

int main(void)
{
    struct pcapng pcapng = {.stream = &stream, .big_endian = any != 0};
    switch (any) {
    case 0:
        reading = true;
        return get(&pcapng);
    case 1:
        return take(&pcapng, (size_t)Frama_C_interval_split(7, 9) * 4, true);
    default:
        return take(&pcapng, (size_t)Frama_C_interval(HEADER, PROOF_LENGTH), false);
    }
}
