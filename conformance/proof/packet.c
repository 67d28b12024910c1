// SPDX-License-Identifier: BSD-3-Clause
/*
 * A frame of any link type, of any octets and length, with any layers in any order.
 *
 * proof: conformance/input/frame/link.c conformance/input/frame/network.c
 * proof: conformance/input/frame/tunnel.c
 * reaches: 50
 * options: -eva-slevel 500 -eva-split-return-function find_link:full
 * options: -eva-split-return-function parse_view:full,parse_base:full
 * fault: IPv4 header of 19: conformance/input/frame/network.c s/< IP4_SIZE)$/< 19)/
 * fault: IPv6 extension: conformance/input/frame/network.c s/left(view) < 8/left(view) < 1/
 * fault: base header of 11: conformance/input/frame/packet.c s/(view) < BASE_SIZE/(view) < 11/
 * fault: ERSPAN header of 11: conformance/input/frame/tunnel.c s/(view) < ERSPAN3_SIZE/(view) < 11/
 */
#include "conformance/input/frame/packet.c"

#include <__fc_builtin.h>

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

int main(void)
{
    struct packet packet;
    struct view view = {.p = proof_octets + Frama_C_interval(0, PROOF_LENGTH),
                        .end = proof_octets + PROOF_LENGTH};
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    view_set_total(&view, (unsigned)any);
    switch (parse_view(any, &view, &packet)) {
    case PACKET_ROCE: /* all of it is set */
        return packet.opcode + packet.queue_pair + packet.psn + packet.offset + packet.handle +
                   packet.length + packet.syndrome + packet.recorded + packet.total >
               0;
    case PACKET_TCP:
        return packet.recorded < packet.total;
    default:
        return 0;
    }
}
