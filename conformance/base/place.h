// SPDX-License-Identifier: BSD-3-Clause
/* Where an event is from, in words: "nfs.pcap:frame 120". */
#ifndef CONFORMANCE_PLACE_H
#define CONFORMANCE_PLACE_H

#include "conformance/input/source.h"

void place_print(FILE *out, const struct source_event *event);

const char *endpoint_name(enum rpcrdma_endpoint endpoint);

/* "rdma-read" */
const char *event_type_name(enum rpcrdma_event_type type);

#endif
