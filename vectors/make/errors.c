// SPDX-License-Identifier: BSD-3-Clause
/* RDMA_ERROR as it should be: after it the RPC is over, and the connection is not. */
#include "vectors.h"

static const struct vector errors_vectors[] = {
    {
        .id = "err-chunk-answers-broken-list",
        .comment =
            "A Read list that begins with the word 2 is answered by ERR_CHUNK; the next Call "
            "is served.",
        .flags = "aftermath",
        .near_miss = "4.5/error-code-defined 4.5/error-xid 4.5/error-version "
                     "4.2.4/error-ends-with-code",
        .events = {{"> msg @16=2 | call", "V:4/xdr-encoded@16 length:- err-chunk"},
                   {"< error:chunk", "length:20 terminate"},
                   {"> msg xid:9 | call", NULL},
                   {"< msg xid:9 | accepted", NULL}},
    },
    {
        .id = "err-vers-answers-version-two",
        .comment = "Version 2 is answered by ERR_VERS, which repeats the 2 and tells of version 1; "
                   "the Call comes again with version 1.",
        .flags = "aftermath",
        .near_miss = "4.5/error-code-defined 4.5.1/version-range-ordered "
                     "4.5.1/version-range-excludes-failed 4.5/error-version",
        .events = {{"> msg vers:2 | call", "V:4.2.2/version-one@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2", "length:28 terminate"},
                   {"> msg xid:9 | call", NULL},
                   {"< msg xid:9 | accepted", NULL}},
    },
    {
        .id = "error-code-three",
        .comment = "ERR_VERS is 1 and ERR_CHUNK 2: 3 is no error.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< error:chunk @16=3", "V:4.5/error-code-defined@16 length:- discard"}},
    },
    {
        .id = "error-code-zero",
        .comment = "No error is 0, as success is elsewhere.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< error:chunk @16=0", "V:4.5/error-code-defined@16 length:- discard"}},
    },
};

const struct vector_group errors = {
    GROUP("errors.json", errors_vectors),
    .title = "RDMA_ERROR",
    .origin = "made",
    .reference = "RFC 8166 section 4.5",
};
