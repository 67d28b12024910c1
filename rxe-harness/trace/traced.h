// SPDX-License-Identifier: BSD-3-Clause
/* Inside the assembler: the connections that are traced, and what waits for what it belongs to. */
#ifndef HARNESS_TRACE_TRACED_H
#define HARNESS_TRACE_TRACED_H

#include "rxe-harness/trace/assemble.h"

#define WAITING 64 /* payloads and words that wait for what they belong to */

struct traced {
    uint64_t key; /* of the kernel's: where its structure lies */
    uint64_t id;  /* the same of its rdma_cm_id; 0: not known */
    enum rpcrdma_endpoint side;
    bool ended, ignored;
    struct capture_flow flow;
};

/* Private data said before the connection is there. */
struct told {
    uint64_t id;
    struct sighting seen;
};

/* An RPC that was completed, and whose slot is not free yet. */
struct over {
    uint64_t connection;
    uint32_t xid; /* as the kernel has it */
};

struct assembler {
    struct capture_file *capture;
    struct assembler_filter filter;
    bool sends_only, registrations;
    struct traced *connections;
    size_t count, room;
    struct sighting payloads[WAITING]; /* of the Send that the same thread posts next */
    unsigned next_payload;
    struct sighting operations[WAITING]; /* of the requests that the same thread makes next */
    unsigned next_operations;
    struct told told[WAITING];
    unsigned next_told;
    struct over over[WAITING];
    unsigned next_over;
    struct assembler_counts counts;
};

/* The latest connection of this structure of the kernel's, which may have ended; or NULL. */
struct traced *traced_find(struct assembler *assembler, uint64_t key, enum rpcrdma_endpoint side);
/* Something of it is not known. */
void traced_gap(struct traced *traced);

/* ---- the client's memory (memory.c) ---- */

/* What is registered together with a Send. */
void traced_registers(struct assembler *assembler, struct traced *traced,
                      const struct sighting *sighting);
void traced_invalidation(struct assembler *assembler, const struct sighting *sighting);
void traced_completion(struct assembler *assembler, const struct sighting *sighting);
void traced_release(struct assembler *assembler, const struct sighting *sighting);

#endif
