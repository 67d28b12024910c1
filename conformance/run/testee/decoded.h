// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a testee decoded, as blank-separated fields after `accept N`. All are optional; those that
 * are given have to agree with the Send. Numbers are decimal or 0x.
 *
 *   xid=N vers=N credit=N proc=N      the fixed words
 *   err=N                             the code of an RDMA_ERROR
 *   positions=P,P...                  one for each entry of the Read list
 *   reads=P/HANDLE/LENGTH/OFFSET,...  the entries of the Read list
 *   write-segments=N,N...             the number of segments of each Write chunk
 *   writes=[H/L/O,H/L/O][H/L/O]...    the Write chunks; [] is an empty one
 *   reply-segments=N                  of the Reply chunk; empty where there is none
 *   reply=[H/L/O,...]                 the Reply chunk
 *
 * proc is the message type in version 2; the lists of a Call are the provisional ones there.
 */
#ifndef CONFORMANCE_TESTEE_DECODED_H
#define CONFORMANCE_TESTEE_DECODED_H

#include <rpcrdma/message.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether these are fields as above, whatever their values. */
bool decoded_is_valid(const char *fields);

/* Whether they agree with the Send, whose header decodes. Where not, `why` gets both values and
 * `which` the field's name. */
bool decoded_agrees(const char *fields, enum rpcrdma_protocol protocol, const uint8_t *octets,
                    size_t length, FILE *why, FILE *which);

#endif
