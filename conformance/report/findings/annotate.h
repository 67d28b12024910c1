// SPDX-License-Identifier: BSD-3-Clause
/*
 * A capture with comments on its packets, as pcapng: Wireshark and tshark show them beside the
 * packets. libpcap cannot write comments, and when it reads pcapng it drops those that are there.
 * So blocks of pcapng are copied as they are, and a pcap file is rewritten as pcapng.
 */
#ifndef CONFORMANCE_ANNOTATE_H
#define CONFORMANCE_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* More are counted and left out. */
enum { ANNOTATE_MAX = 100000 };

/* Begins as zeros. */
struct annotations {
    struct annotation *list;
    size_t count, room;
    uint64_t left_out;
    uint64_t copied; /* frames */
};

/* A comment on a frame, counted from 1. */
void annotate_add(struct annotations *annotations, uint64_t frame, const char *text);

/*
 * Copy the capture with the comments. Returns false with a line of why in `error`: it is not a pcap
 * or pcapng file, it is damaged, or it cannot be written. What was copied before the damage is
 * whole.
 */
bool annotate_copy(struct annotations *annotations, FILE *in, FILE *out, char *error,
                   size_t error_size);

void annotate_free(struct annotations *annotations);

#endif
