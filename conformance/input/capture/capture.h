// SPDX-License-Identifier: BSD-3-Clause
/* The reader of captures. */
#ifndef CONFORMANCE_CAPTURE_CAPTURE_H
#define CONFORMANCE_CAPTURE_CAPTURE_H

#include "conformance/input/reader/reader.h"

/* Read pcap or pcapng. Returns what source_read() returns. */
bool source_read_capture(struct source_reader *reader);

#endif
