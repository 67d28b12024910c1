// SPDX-License-Identifier: BSD-3-Clause
/* The frames of a pcap file of the usual kind, behind its header. */
#ifndef CONFORMANCE_CAPTURE_RECORDS_H
#define CONFORMANCE_CAPTURE_RECORDS_H

#include "conformance/input/capture/frames.h"

struct records;

/* What the magic number of a stream says, which is put back: for free(). NULL if the file is of
 * another kind, or there is no memory. */
struct records *records_recognise(FILE *stream);

/* The header has been read: this many octets of a frame are passed on. */
void records_limit(struct records *records, uint32_t snap);

/* Fills all but the link type of the frame. */
enum frames_result records_next(struct records *records, struct captured_frame *frame,
                                char error[FRAMES_ERROR]);

#endif
