// SPDX-License-Identifier: BSD-3-Clause
/* What many tables of version 2 have. */
#ifndef VECTORS_MAKE_VERSION2_H
#define VECTORS_MAKE_VERSION2_H

#include "vectors/make/vectors.h"

#define DRAFT_07 .protocol = "rpcrdma2-07"
#define DRAFT_04 .protocol = "rpcrdma2-04"

/* Two events: a NULL Call and its Reply. From then on the version is settled, and each side has a
 * limit of 32 Sends or more. */
#define EXCHANGE_07                                                                                \
    {"> call-inline | call", NULL},                                                                \
    {                                                                                              \
        "< reply-inline | accepted", NULL                                                          \
    }
#define EXCHANGE_04                                                                                \
    {"> call-msg | call", NULL},                                                                   \
    {                                                                                              \
        "< reply-msg | accepted", NULL                                                             \
    }

#endif
