// SPDX-License-Identifier: BSD-3-Clause
/*
 * The invariant CRC of a packet of any octets, with a header of either version of IP.
 *
 * reaches: 8
 * options: -eva-slevel 100
 * with: conformance/input/frame/icrc.c /pthread.h/d; /PTHREAD/d
 * with: conformance/input/frame/icrc.c s/pthread_once(.*)/make_table()/
 * fault: eight of seven: conformance/input/frame/icrc.c s/length >= 8;/length >= 7;/
 * fault: head too small: conformance/input/frame/icrc.c s/LOCAL_ROUTE + 40/LOCAL_ROUTE + 39/
 */
#include "conformance/input/frame/icrc.c"

#include <__fc_builtin.h>

/* After the headers. */
enum { LENGTH = 9 };

static uint8_t octets[40 + UDP_SIZE + BASE_SIZE + LENGTH];
volatile int any;

int main(void)
{
    size_t ip = any ? IP4_SIZE : 40, after = (size_t)Frama_C_interval(0, LENGTH);
    size_t length = ip + UDP_SIZE + BASE_SIZE + after;
    Frama_C_make_unknown((char *)octets, sizeof octets);
    /*@ split ip; */
    /*@ split after; */
    return icrc_fits(octets + sizeof octets - length, ip, length, (uint32_t)any);
}
