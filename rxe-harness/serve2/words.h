// SPDX-License-Identifier: BSD-3-Clause
/* How the cases of version 2 are written down. */
#ifndef HARNESS_SERVE2_WORDS_H
#define HARNESS_SERVE2_WORDS_H

#include "rxe-harness/serve2/serve2.h"

#include <rpcrdma/check.h>

#define X SERVE2_XID
#define Y (SERVE2_XID + 9) /* an XID that no Call has yet */

#define ACCEPTED(xid) xid, 1, 0, 0, 0, 0
#define WORDS(...)                                                                                 \
    .words = {__VA_ARGS__}, .count = sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

#endif
