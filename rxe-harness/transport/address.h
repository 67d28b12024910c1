// SPDX-License-Identifier: BSD-3-Clause
/* Addresses as the command line has them. */
#ifndef HARNESS_ADDRESS_H
#define HARNESS_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

/* HOST, HOST:PORT, [HOST], [HOST]:PORT; an IPv6 address without brackets has no port. The host is
 * copied, the port is a place in `address` or the default. False: it is not among these. */
bool address_split(const char *address, char *host, size_t host_size, const char **port);

#endif
