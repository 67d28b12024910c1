// SPDX-License-Identifier: BSD-3-Clause
/* How the cases of version 2 are written down. */
#ifndef HARNESS_SERVE2_WORDS_H
#define HARNESS_SERVE2_WORDS_H

#include "rxe-harness/serve/version2/serve.h"

#include <rpcrdma/check.h>

/* A Requester that does not know the property takes no notice of it. */
#define UNKNOWN RPCRDMA_PROCESS

#define X SERVE2_XID
#define Y SERVE2_NO_XID

#define ACCEPTED(xid) xid, 1, 0, 0, 0, 0
#define THEN(...)                                                                                  \
    .then = {__VA_ARGS__}, .then_count = sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)
#define WORDS(...)                                                                                 \
    .words = {__VA_ARGS__}, .count = sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

#endif
