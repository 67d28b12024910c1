// SPDX-License-Identifier: BSD-3-Clause
/*
 * Links over RoCEv2 in user space: UDP port 4791, no RDMA device, no kernel module, no privileges.
 *
 * For the peer it is an adapter: a thread acknowledges, serves RDMA Reads and takes RDMA Writes
 * while the link's owner does something else. One process of a machine can have an address: the
 * kernel's soft-RoCE takes the port for all addresses of its network namespace.
 */
#ifndef HARNESS_ROCE_H
#define HARNESS_ROCE_H

#include "rxe-harness/transport/transport.h"

/* "HOST", "HOST:PORT" or "[HOST]:PORT", as transport_verbs(). One that listens needs a host: the
 * CRC of a packet covers the address that it came to. NULL after writing why into `error`. */
struct transport *transport_roce(const char *address, bool listen, char *error, size_t error_size);

#endif
