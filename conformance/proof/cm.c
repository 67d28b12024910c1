// SPDX-License-Identifier: BSD-3-Clause
/*
 * A datagram of any octets, any number of them recorded up to LENGTH; what it names as private data
 * lies within them. Nothing is read beyond the longest message, which is shorter than LENGTH.
 *
 * proof: conformance/input/frame/cm.c
 * reaches: 8
 * options: -eva-slevel 20000 -eva-split-return full
 * fault: datagram cut short: conformance/input/frame/cm.c s/ed < DATAGRAM_HEADER + MAD_SIZE/& - 1/
 * fault: class not there: conformance/input/frame/cm.c s/DATAGRAM_HEADER + 2/DATAGRAM_HEADER + 1/
 */
#include "conformance/input/frame/cm.h"

#include <__fc_builtin.h>

enum { LENGTH = 300 };

static uint8_t octets[LENGTH];

int main(void)
{
    struct packet packet;
    struct cm_message message;
    Frama_C_make_unknown((char *)octets, LENGTH);
    Frama_C_make_unknown((char *)&packet, sizeof packet);
    packet.recorded = (size_t)Frama_C_interval_split(0, LENGTH);
    packet.payload = octets + LENGTH - packet.recorded;
    if (cm_parse(&packet, &message) != CM_WHOLE || message.private_length == 0)
        return 0;
    return message.private_data[0] + message.private_data[message.private_length - 1];
}
