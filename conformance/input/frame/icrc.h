// SPDX-License-Identifier: BSD-3-Clause
/*
 * The invariant CRC of InfiniBand (specification, 7.8.1): that of Ethernet over all that no switch
 * or router changes.
 */
#ifndef CONFORMANCE_ICRC_H
#define CONFORMANCE_ICRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ICRC_SIZE 4

/* Of a packet of RoCEv2: `ip` is its IP header of `ip_length` octets (20: version 4 without
 * options, or 40: version 6), a UDP header follows, and the base transport header; `length` octets
 * in all, without the CRC. As a number whose least significant octet is sent first. */
uint32_t icrc_compute(const uint8_t *ip, size_t ip_length, size_t length);

/* Whether `received` is the CRC of the packet above if the identification of its IPv4 header, which
 * a socket does not tell, is any: what is not known are 16 bits, so that 16 of the CRC still
 * protect. */
bool icrc_fits(const uint8_t *ip, size_t ip_length, size_t length, uint32_t received);

#endif
