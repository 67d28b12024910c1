// SPDX-License-Identifier: BSD-3-Clause
/* RPCSEC_GSS: what is not reduced, and why there is nothing to push. */
#include "vectors/make/vectors.h"

/*
 * gss:0:S is a Call of 68 octets, its credential's body at 32 to 56, its verifier's at 64 to 68;
 * with another procedure than RPCSEC_GSS_DATA it has 60 octets.
 */
#define NOT_REDUCED "V:8.2.2.3/payload-not-reduced@20 err-chunk garbage-args"
#define ELEMENT "V:8.2.2/gss-elements-not-reduced@20 err-chunk garbage-args"
#define WRITES_OFFERED "W:8.2.2.3/write-list-under-gss@20 process"

static const struct vector gss_vectors[] = {
    /* ---- arguments ---- */
    {
        .id = "gss-integrity-argument-reduced",
        .comment = "Integrity: the arguments are one protected item.",
        .flags = "broken",
        .events = {{"> msg read:68:0xa/4/0 | gss:0:2", NOT_REDUCED}},
    },
    {
        .id = "gss-privacy-argument-reduced",
        .comment = "Privacy: the arguments are encrypted as a whole.",
        .flags = "broken",
        .events = {{"> msg read:68:0xa/4/0 | gss:0:3", NOT_REDUCED}},
    },
    {
        .id = "gss-authentication-argument-reduced",
        .comment = "Authentication alone leaves eligibility as it is.",
        .flags = "near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced 8.2.2/gss-elements-not-reduced",
        .events = {{"> msg read:68:0xa/4/0 | gss:0:1", NULL}},
    },
    {
        .id = "gss-privacy-long-call",
        .comment = "A Position-Zero chunk reduces nothing: protected Calls can be Long.",
        .flags = "near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced",
        .events = {{"> nomsg read:0:0xa/68/0", NULL},
                   {"< rdma-read:0xa:0 | 0x2f0c0001 0 2 0x20008166 1 1 6 24 1 0 9 3 4 0xc0ffee01 "
                    "6 4 0x5ea1ed01",
                    NULL}},
    },
    /* ---- credential and verifier ---- */
    {
        .id = "gss-credential-reduced",
        .comment = "The chunk lies in the body of the credential.",
        .flags = "broken",
        .events = {{"> msg read:52:0xa/4/0 | gss:0:1", ELEMENT}},
    },
    {
        .id = "gss-verifier-reduced",
        .comment = "The chunk takes the checksum in the verifier.",
        .flags = "broken",
        .events = {{"> msg read:64:0xa/4/0 | gss:0:1", ELEMENT}},
    },
    {
        .id = "gss-init-token-reduced",
        .comment = "The arguments of RPCSEC_GSS_INIT are RPCSEC_GSS's own.",
        .flags = "broken",
        .events = {{"> msg read:60:0xa/4/0 | gss:1:1", ELEMENT}},
    },
    {
        .id = "gss-destroy-reduced",
        .comment = "So are those of RPCSEC_GSS_DESTROY.",
        .flags = "broken",
        .events = {{"> msg read:60:0xa/4/0 | gss:3:1", ELEMENT}},
    },
    {
        .id = "gss-init-inline",
        .comment = "RPCSEC_GSS_INIT without chunks.",
        .flags = "near-miss",
        .near_miss = "8.2.2/gss-elements-not-reduced",
        .events = {{"> msg | gss:1:1 text:token", NULL}},
    },
    /* ---- results ---- */
    {
        .id = "gss-privacy-write-list",
        .comment = "Nothing can be pushed, so that the Write list serves nothing.",
        .flags = "broken",
        .events = {{"> msg write:0xa/4/0 | gss:0:3", WRITES_OFFERED}},
    },
    {
        .id = "gss-integrity-empty-write-chunk",
        .comment = "An empty Write chunk is a Write list too.",
        .flags = "broken",
        .events = {{"> msg write: | gss:0:2", WRITES_OFFERED}},
    },
    {
        .id = "gss-authentication-write-list",
        .comment = "Authentication alone: the result can be pushed.",
        .flags = "near-miss",
        .near_miss = "8.2.2.3/write-list-under-gss 8.2.2.3/result-not-reduced",
        .events = {{"> msg write:0xa/100/0 | gss:0:1", NULL},
                   {"< rdma-write:0xa:0 | octets:4", NULL},
                   {"< msg write:0xa/4/0 | accepted", NULL}},
    },
    {
        .id = "gss-integrity-reply-chunk",
        .comment = "A Reply chunk is for the whole Reply, protected or not.",
        .flags = "near-miss",
        .near_miss = "8.2.2.3/write-list-under-gss",
        .events = {{"> msg reply:0xa/100/0 | gss:0:2", NULL}, {"< nomsg reply:0xa/40/0", NULL}},
    },
    {
        .id = "gss-integrity-result-pushed",
        .comment = "A Write chunk took four octets of a protected result.",
        .flags = "aftermath to-requester",
        .events = {{"> msg write:0xa/100/0 | gss:0:2", WRITES_OFFERED},
                   {"< msg write:0xa/4/0 | accepted", "V:8.2.2.3/result-not-reduced@24 terminate"}},
    },
    {
        .id = "gss-integrity-result-inline",
        .comment = "The Write chunk of a protected Call comes back unused.",
        .flags = "near-miss aftermath",
        .near_miss = "8.2.2.3/result-not-reduced",
        .events = {{"> msg write:0xa/100/0 | gss:0:2", WRITES_OFFERED},
                   {"< msg write:0xa/0/0 | accepted", NULL}},
    },
    /* ---- Long Calls ---- */
    {
        .id = "gss-init-long-call-argument-reduced",
        .comment = "RPCSEC_GSS_INIT as a Long Call, its token in a Read chunk of its own.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa/64/0 read:64:0xb/8/0", NULL},
                   {"< rdma-read:0xa:0 | gss:1:1 8", "V:8.2.2/gss-elements-not-reduced"}},
    },
    {
        .id = "gss-init-long-call",
        .comment = "The token in the Position Zero chunk.",
        .flags = "near-miss",
        .near_miss = "8.2.2/gss-elements-not-reduced",
        .events = {{"> nomsg read:0:0xa/72/0", NULL}, {"< rdma-read:0xa:0 | gss:1:1 item:8", ""}},
    },
    {
        .id = "gss-long-call-credential-reduced",
        .comment = "A Long Call with a Read chunk in the body of its credential.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa/68/0 read:52:0xb/4/0", NULL},
                   {"< rdma-read:0xa:0 | gss:0:1", "V:8.2.2/gss-elements-not-reduced"}},
    },
    {
        .id = "gss-long-call-argument-reduced",
        .comment = "Authentication alone: the chunk is the first argument.",
        .flags = "near-miss",
        .near_miss = "8.2.2/gss-elements-not-reduced",
        .events = {{"> nomsg read:0:0xa/68/0 read:68:0xb/4/0", NULL},
                   {"< rdma-read:0xa:0 | gss:0:1", ""}},
    },
    {
        .id = "gss-integrity-long-call-argument-reduced",
        .comment = "Integrity: not in a Long Call either.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa/68/0 read:68:0xb/4/0", NULL},
                   {"< rdma-read:0xa:0 | gss:0:2", "V:8.2.2.3/payload-not-reduced"}},
    },
};

const struct vector_group gss = {
    GROUP("gss.json", gss_vectors),
    .title = "RPCSEC_GSS",
    .origin = "made",
    .reference = "RFC 8166 section 8.2.2",
};
