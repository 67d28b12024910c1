// SPDX-License-Identifier: BSD-3-Clause
/*
 * A message of connection management in a packet of any octets, recorded whole as roce:// has them;
 * the private data that it names lie within it.
 *
 * reaches: 8
 * options: -eva-slevel 2000 -eva-split-return full
 * fault: MAD cut: rxe-harness/transport/roce/management.c s/total < DATAGRAM/total + 1 < DATAGRAM/
 */
#include "rxe-harness/transport/roce/management.c"

#include <__fc_builtin.h>

enum { LENGTH = 280 };

static uint8_t octets[LENGTH];

int main(void)
{
    struct management message;
    struct packet packet;
    Frama_C_make_unknown((char *)octets, LENGTH);
    Frama_C_make_unknown((char *)&packet, sizeof packet);
    packet.total = packet.recorded = (size_t)Frama_C_interval_split(0, LENGTH);
    packet.payload = octets + LENGTH - packet.total;
    if (!management_take(&packet, &message) || message.private_length == 0)
        return 0;
    return message.private_data[0] + message.private_data[message.private_length - 1];
}
