// SPDX-License-Identifier: BSD-3-Clause
/* What probes of the kernel would have seen, one record after the other, and the capture that is
 * made of it. The server is 192.0.2.1 at port 20049, the client 192.0.2.2. */
#ifndef HARNESS_SIGHTING_STAGE_H
#define HARNESS_SIGHTING_STAGE_H

#include "rxe-harness/tests/support/links/capture_stage.h"
#include "rxe-harness/trace/assemble.h"

#define CONNECTION 0x1000u
#define ID 0x2000u
#define PID 77u

struct sighting_stage {
    char file[40];
    FILE *stream;
    struct capture_file *capture;
    struct assembler *assembler;
    struct assembler_filter filter; /* these are set before stage_begin(), and end with it */
    struct trace_wish wish;
    uint32_t pid;    /* of the thread, or 0: PID */
    unsigned client; /* which of the client's connections it is */
    struct sighting sighting;
};
extern struct sighting_stage stage;

void stage_begin(void);
/* What it wrote is read, by tshark as well, unless `captured` is NULL. */
void stage_end(struct captured *captured);

/* Begin a record, add fields to it, and hand it over as this probe's. */
void stage_record(void);
void stage_put(const char *name, const void *octets, size_t size);
void stage_number(const char *name, uint64_t value);
void stage_address(const char *name, uint8_t last, uint16_t port);
void stage_take(const char *name);

/* A client's connection, and a Reply to XID 9; `flags` are those of the completion, 4 says that it
 * invalidates handle 0xabcd (enum ib_wc_flags). */
void stage_connect_client(void);
void stage_answer(uint64_t flags);

#endif
