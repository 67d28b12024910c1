// SPDX-License-Identifier: BSD-3-Clause
/* Words that the rows of several rule tests of version 2 share (support/play.h). */
#ifndef CONFORMANCE_TESTS_VERSION2_ROWS_H
#define CONFORMANCE_TESTS_VERSION2_ROWS_H

#include "conformance/tests/support/play.h"

#define ID "rpcrdma2-07/"
#define ID_04 "rpcrdma2-04/"
#define DRAFT_07                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_PROTOCOL_2_07                                                             \
    }
#define DRAFT_04                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_PROTOCOL_2_04                                                             \
    }

/* What settles the version, and gives both sides credit. */
#define OPEN "> 1 2 40 10 0 none call", "< 1 2 40 13 0 reply"
#define OPEN_04 "> 1 2 40 0 0 0 none call", "< 1 2 40 0 1 0 none reply"
#define CALL(xid) "> " #xid " 2 40 10 0 none call"
#define REPLY(xid) "< " #xid " 2 40 13 0 reply"
#define CALL_04(xid) "> " #xid " 2 40 0 0 0 none call"
#define REPLY_04(xid) "< " #xid " 2 40 0 1 0 none reply"

#endif
