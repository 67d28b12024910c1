// SPDX-License-Identifier: BSD-3-Clause
/* How the cases of version 2 are written down. */
#ifndef HARNESS_PROBE2_WORDS_H
#define HARNESS_PROBE2_WORDS_H

#include "rxe-harness/probe/version2/probe.h"

#define X PROBE2_XID
#define Y (PROBE2_XID + 1)
#define Z (PROBE2_XID + 2)

/* A Responder that does not know the property takes no notice of it. */
#define UNKNOWN RPCRDMA_PROCESS

/* An RPC Call of NULL, and what follows its XID. */
#define REST 0, 2, PROBE2_PROGRAM, PROBE2_VERSION, 0, 0, 0, 0, 0
#define NULL_CALL(xid) xid, REST
/* An RPC Reply: accepted, success. */
#define ACCEPTED(xid) xid, 1, 0, 0, 0, 0
/* An entry of a Read list. */
#define READ(position, handle, length) 1, position, handle, length, 0, 0
/* The one that has a Call of NULL. */
#define CALL_CHUNK(length) 1, 0, PROBE2_HANDLE, length, PROBE2_OFFSET_HIGH, PROBE2_OFFSET_LOW, 0

#define SEND(...)                                                                                  \
    {                                                                                              \
        {__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)                    \
    }
#define ONE(name, requirement, text, ...)                                                          \
    {                                                                                              \
        .id = name, .rule = RULE requirement, .comment = text, .sends = 1, .send = {               \
            SEND(__VA_ARGS__)                                                                      \
        }                                                                                          \
    }

#endif
