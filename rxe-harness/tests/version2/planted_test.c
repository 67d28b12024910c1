// SPDX-License-Identifier: BSD-3-Clause
/*
 * Faults in either reference peer of version 2, each named by the rule that it breaks: those of the
 * Responder by `probe --draft`, those of the Requester by `serve --draft`. A fault is a change of
 * the octets on their way out, below the session, so that it is not one that our code could make in
 * reading as well. The sound peers have none, which probe2_test and serve2_test see.
 */
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/serve/version2/serve.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "conformance/base/register.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define OCTETS 16384

enum change {
    SET,   /* a word */
    ADD,   /* to a word */
    CUT,   /* this many octets off the end */
    TAIL,  /* this many octets of zero after the end */
    TWICE, /* sent twice */
    AGAIN, /* and once more, with another XID: in the header, and in this word of the RPC message */
    HANDLE, /* Send With Invalidate of the handle that this word is */
    DROP,   /* not sent */
    REFUSE, /* nothing of that XID is; but WRITE_RESOURCE, which says of the first chunk that this
               much is needed */
};

#define FAULT(of, by, name, sends, to, from, what, at, number)                                     \
    .rule = name, .draft = of, .of_requester = by, .type = sends, .direction = to, .nth = from,    \
    .change = what, .word = at, .value = number
#define RESPONDER07(...) FAULT(RPCRDMA_PROTOCOL_2_07, false, __VA_ARGS__)
#define RESPONDER04(...) FAULT(RPCRDMA_PROTOCOL_2_04, false, __VA_ARGS__)
#define REQUESTER07(...) FAULT(RPCRDMA_PROTOCOL_2_07, true, __VA_ARGS__)
#define REQUESTER04(...) FAULT(RPCRDMA_PROTOCOL_2_04, true, __VA_ARGS__)

/* Sends of this type (-04: of this direction, or -1) are changed, from the n-th of them on. */
static const struct fault {
    const char *rule;
    enum rpcrdma_protocol draft;
    bool of_requester;
    uint32_t type;
    int direction;
    unsigned nth; /* from 1 */
    enum change change;
    unsigned word;
    uint32_t value;
    bool once;         /* the n-th alone */
    size_t longer;     /* Sends of more octets alone */
    uint32_t is;       /* those with this in `word` alone; 0: all */
    uint32_t segments; /* that the Responder takes in one header; 0: as usual */
    unsigned receives; /* that it has; 0: as many as it says */
    const char *only;  /* this case alone is run; NULL: all */
    uint32_t more;     /* Sends that it takes to be allowed beyond those that are */
    bool applies;      /* it takes the first value of a set that it refuses */
    unsigned more_at;  /* or as much more in this word of what comes, if it is an error; 1: in the
                          version word, if that is 1 */
} faults[] = {
    /* ---- the Responder, -07: REPLY_INLINE 13, REPLY_MIDDLE 12, REPLY_EXTERNAL 11 ---- */
    {RESPONDER07("rpcrdma2-07/7.2/xid-equal", 13, -1, 2, ADD, 0, 0x100)},
    {RESPONDER07("rpcrdma2-07/3.1.3/reply-matches-call", 13, -1, 2, TWICE, 0, 0)},
    {RESPONDER07("rpcrdma2-07/4.3.3/server-version", 13, -1, 2, SET, 1, 1)},
    {RESPONDER07("rpcrdma2-07/4.2.1/total-above-count", 13, -1, 2, SET, 2, 0x80000000)},
    /* The 15th of many Calls at once is lost. */
    {RESPONDER07("rpcrdma2-07/4.2.1/receives-as-advertised", 13, -1, 15, DROP, 0, 0), .once = true,
     .only = "v2-credits-burst"},
    /* A piece finds no Receive. */
    {RESPONDER07("rpcrdma2-07/4.2.1/receives-as-advertised", 13, -1, 1, ADD, 0, 0),
     .only = "v2-store", .receives = 2},
    /* The Replies that wait for a GRANT: do not wait; or the last of them is lost. */
    {RESPONDER07("rpcrdma2-07/4.2.1/sends-within-limit", 13, -1, 3, ADD, 0, 0),
     .only = "v2-credits-zero", .more = 2},
    {RESPONDER07("rpcrdma2-07/4.2.1/sends-within-limit", 13, -1, 3, DROP, 0, 0), .once = true,
     .only = "v2-credits-zero"},
    /* The Call whose first piece went on another connection. */
    {RESPONDER07("rpcrdma2-07/6.6.2/pieces-joined", 13, -1, 4, DROP, 0, 0), .once = true,
     .only = "v2-pieces-left"},
    /* The Call after one whose pieces were refused. */
    {RESPONDER07("rpcrdma2-07/7.1.4/broken-continuation-dropped", 13, -1, 3, DROP, 0, 0),
     .once = true, .only = "v2-pieces-after-refused"},
    /* The version 1 that its ERR_VERS names is not spoken after all. */
    {RESPONDER07("rpcrdma2-07/7.1.1/unsupported-version-answered", 0, -1, 1, DROP, 0, 0),
     .only = "v2-version-3-then-1"},
    /* Its total stops at 100. */
    {RESPONDER07("rpcrdma2-07/4.2.1/total-above-count", 13, -1, 68, SET, 2, 100),
     .only = "v2-credits-300"},
    {RESPONDER07("rpcrdma2-07/6.1/type-defined", 13, -1, 2, SET, 3, 99)},
    {RESPONDER07("rpcrdma2-07/7.2/xdr-encoded", 13, -1, 2, SET, 4, 2)},
    {RESPONDER07("rpcrdma2-07/3.1.3/direction-of-type", 13, -1, 2, SET, 6, 0), .longer = 40},
    {RESPONDER07("rpcrdma2-07/4.5.3/payload-whole-words", 13, -1, 2, CUT, 0, 1)},
    {RESPONDER07("rpcrdma2-07/6.5/plain-send-if-zero", 13, -1, 1, HANDLE, 6, 0), .longer = 80},
    {RESPONDER07("rpcrdma2-07/4.5.2.1/segments-copied", 13, -1, 1, ADD, 6, 0x100), .longer = 80},
    {RESPONDER07("rpcrdma2-07/4.5.2.1/returned-length-within-offer", 13, -1, 1, ADD, 7, 0x100000),
     .longer = 80},
    {RESPONDER07("rpcrdma2-07/4.5.2.1/returned-length-written", 13, -1, 1, ADD, 7, -4U),
     .longer = 80},
    {RESPONDER07("rpcrdma2-07/6.3.9/reply-remaining", 12, -1, 2, ADD, 4, 4), .once = true},
    {RESPONDER07("rpcrdma2-07/6.3.9/reply-remaining", 12, -1, 1, SET, 4, 0)},
    /* The first piece of 9028 octets to a Requester whose Receives have 1024. */
    {RESPONDER07("rpcrdma2-07/5.2.2/send-within-receive-size", 12, -1, 1, TAIL, 4, 4), .is = 8024},
    {RESPONDER07("rpcrdma2-07/4.1/pieces-not-mixed", 12, -1, 2, ADD, 0, 1), .once = true},
    {RESPONDER07("rpcrdma2-07/6.3.8/reply-chunk-present", 11, -1, 1, SET, 5, 0)},
    {RESPONDER07("rpcrdma2-07/4.5.2.2/reply-chunk-copied", 11, -1, 1, ADD, 7, 0x100)},
    {RESPONDER07("rpcrdma2-07/4.5.2.2/reply-chunk-length-within-offer", 11, -1, 1, ADD, 8,
                 0x100000)},
    {RESPONDER07("rpcrdma2-07/6.1/ends-with-header", 4, -1, 1, TAIL, 0, 4)},
    /* Named by what the Send breaks that it answers. */
    {RESPONDER07("rpcrdma2-07/7.2/xdr-encoded", 4, -1, 1, SET, 4, 77)},
    {RESPONDER07("rpcrdma2-07/7/error-version", 4, -1, 1, SET, 1, 2), .is = 3},
    {RESPONDER07("rpcrdma2-07/7.1.1/version-range-ordered", 4, -1, 1, SET, 5, 9), .longer = 24},
    {RESPONDER07("rpcrdma2-07/6.1/defined-type-refused", 4, -1, 1, SET, 4, 4), .is = 2},
    {RESPONDER07("rpcrdma2-07/7.3.4/length-needed", 4, -1, 1, SET, 6, 1), .longer = 24, .is = 9000},
    {RESPONDER07("rpcrdma2-07/7.3.4/chunk-index", 4, -1, 1, SET, 5, 3), .longer = 24, .is = 1},
    {RESPONDER07("rpcrdma2-07/7.3.3/too-many-segments", 4, -1, 1, SET, 5, 64), .is = 16,
     .segments = 16},
    {RESPONDER07("rpcrdma2-07/7.3.3/too-many-segments", 4, -1, 1, SET, 4, 7), .is = 8,
     .segments = 16},
    {RESPONDER07("rpcrdma2-07/7.3.1/too-many-read-chunks", 4, -1, 1, SET, 5, 64), .is = 16,
     .segments = 16, .only = "v2-many-read-chunks"},
    {RESPONDER07("rpcrdma2-07/7.3.1/too-many-read-chunks", 13, -1, 3, ADD, 12, 1),
     .only = "v2-many-read-chunks"},
    {RESPONDER07("rpcrdma2-07/5.2.2/send-within-receive-size", 12, -1, 1, TAIL, 0, 4200),
     .only = "v2-receive-size-8192"},
    {RESPONDER07("rpcrdma2-07/7.1.4/broken-continuation-dropped", 4, -1, 1, TWICE, 4,
                 RPCRDMA2_07_ERR_BAD_XDR),
     .only = "v2-pieces-of-refused"},
    {RESPONDER07("rpcrdma2-07/7.2.2/bad-value-nothing-applied", 4, -1, 1, ADD, 0, 0),
     .only = "v2-receive-size-refused", .applies = true},
    {RESPONDER07("rpcrdma2-07/4.5.2/inline-for-empty-chunk", 13, -1, 3, DROP, 0, 0),
     .only = "v2-fetch-write-chunk-empty"},
    {RESPONDER07("rpcrdma2-07/4.5.2.1/chunks-used-in-order", 13, -1, 1, ADD, 13, 8), .longer = 80,
     .only = "v2-fetch-write-chunks-two"},
    {RESPONDER07("rpcrdma2-07/6.5/handle-of-call", 13, -1, 3, HANDLE, 10, 0),
     .only = "v2-invalidate-asked"},
    {RESPONDER07("rpcrdma2-07/6.5/plain-send-if-zero", 13, -1, 3, HANDLE, 6, 0),
     .only = "v2-invalidate-zero"},
    {RESPONDER07("rpcrdma2-07/6.6.4/continued-rather-than-refused", 12, -1, 2, DROP, 0, 0),
     .once = true, .only = "v2-reply-chunk-short"},
    {RESPONDER07("rpcrdma2-07/6.6.2/pieces-joined", 13, -1, 3, ADD, 12, 1),
     .only = "v2-store-odd-pieces"},
    {RESPONDER07("rpcrdma2-07/6.6.2/pieces-joined", 13, -1, 3, ADD, 12, -1U),
     .only = "v2-store-odd-pieces"},

    /* ---- the Responder, -04: MSG 0, NOMSG 1 ---- */
    {RESPONDER04("rfc8166/4.2.1/xid-equal", 0, 1, 2, ADD, 0, 0x100)},
    {RESPONDER04("rfc8166/2.2.2/reply-matches-call", 0, 1, 2, TWICE, 0, 0)},
    {RESPONDER04("rpcrdma2-04/7.3/replies-keep-version", 0, 1, 2, SET, 1, 1)},
    {RESPONDER04("rpcrdma2-04/6.2.4/procedure-defined", 0, 1, 2, SET, 3, 99)},
    {RESPONDER04("rpcrdma2-04/6.2/xdr-encoded", 0, 1, 2, SET, 4, 2)},
    {RESPONDER04("rpcrdma2-04/6.2.2/direction-of-message", 0, 1, 2, SET, 4, 0)},
    {RESPONDER04("rpcrdma2-04/6.2.3/plain-send", 0, 1, 1, HANDLE, 9, 0), .longer = 80},
    {RESPONDER04("rpcrdma2-04/6.2.1/error-without-payload", 4, -1, 1, TAIL, 0, 4)},
    {RESPONDER04("rpcrdma2-04/6.2/error-code-defined", 4, -1, 1, SET, 4, 77)},
    {RESPONDER04("rpcrdma2-04/6.2.4/error-version", 4, -1, 1, SET, 1, 2), .is = 3},
    {RESPONDER04("rfc8166/4.5.1/version-range-ordered", 4, -1, 1, SET, 5, 9), .longer = 24,
     .is = 1},
    {RESPONDER04("rpcrdma2-04/6.2.4/write-length-needed", 4, -1, 1, SET, 6, 1), .longer = 24,
     .is = 9000},
    {RESPONDER04("rpcrdma2-04/6.2.4/chunk-index", 4, -1, 1, SET, 5, 3), .longer = 24, .is = 1},
    {RESPONDER04("rfc8166/4.2.4/nomsg-ends-with-lists", 1, 1, 1, TAIL, 0, 4)},
    {RESPONDER04("rfc8166/3.3.1/grant-not-zero", 0, 1, 2, SET, 2, 0)},
    {RESPONDER04("rfc8166/3.3.1/request-of-zero", 0, 1, 3, DROP, 0, 0), .once = true,
     .only = "v2-credits-zero"},
    {RESPONDER04("rfc8166/2.3.2/receives-posted", 0, 1, 15, DROP, 0, 0), .once = true,
     .only = "v2-credits-burst"},
    {RESPONDER04("rpcrdma2-04/6.2.4/too-many-read-chunks", 0, 1, 3, ADD, 16, 1),
     .only = "v2-many-read-chunks"},
    {RESPONDER04("rpcrdma2-04/2.3/send-within-threshold", 1, 1, 1, TAIL, 0, 8200),
     .only = "v2-receive-size-8192"},
    {RESPONDER04("rpcrdma2-04/6.2.3/handle-of-call", 0, 1, 3, HANDLE, 13, 0),
     .only = "v2-invalidate-asked"},
    {RESPONDER04("rpcrdma2-04/6.2.3/plain-send", 0, 1, 3, HANDLE, 9, 0),
     .only = "v2-invalidate-zero"},
    {RESPONDER04("rpcrdma2-04/6.2.4/reply-too-long", 4, -1, 1, DROP, 0, 0),
     .only = "v2-reply-chunk-short"},
    {RESPONDER04("rpcrdma2-04/6.2.4/reply-too-long", 4, -1, 1, DROP, 0, 0),
     .only = "v2-fetch-write-chunk-empty"},
    {RESPONDER04("rpcrdma2-04/5.1.1/value-form", 6, -1, 1, SET, 5, 2)},
    /* It says that a request is done, and changes nothing. */
    {RESPONDER04("rpcrdma2-04/5.3.3/done-in-effect", 8, -1, 1, SET, 5, 1),
     .only = "v2-receive-size-asked"},
    {RESPONDER04("rpcrdma2-04/6.2.4/too-many-segments", 4, -1, 1, SET, 5, 64), .is = 16,
     .segments = 16},

    /* ---- the Requester, -07: CALL_INLINE 10, CALL_MIDDLE 9, CALL_EXTERNAL 8 ---- */
    {REQUESTER07("rpcrdma2-07/7.2/xid-equal", 10, -1, 2, ADD, 0, 0x100)},
    {REQUESTER07("rpcrdma2-07/4.2.1/total-above-count", 10, -1, 2, SET, 2, 0x90000000)},
    {REQUESTER07("rpcrdma2-07/4.3.3/client-version", 10, -1, 2, SET, 1, 1)},
    {REQUESTER07("rpcrdma2-07/6.1/type-defined", 10, -1, 2, SET, 3, 99)},
    {REQUESTER07("rpcrdma2-07/7.2/xdr-encoded", 10, -1, 2, SET, 5, 2)},
    {REQUESTER07("rpcrdma2-07/6.5/handle-offered", 10, -1, 2, SET, 4, 0x1234)},
    /* A second message before anything came. */
    {REQUESTER07("rpcrdma2-07/4.3/one-send-at-first", 7, -1, 1, TWICE, 0, 0), .once = true,
     .only = "v2-silence"},
    {REQUESTER07("rpcrdma2-07/4.3/first-send-of-1024", 7, -1, 1, TAIL, 0, 2000)},
    {REQUESTER07("rpcrdma2-07/6.3.3/properties-continue", 7, -1, 1, SET, 3, 6)},
    {REQUESTER07("rpcrdma2-07/4.5.1/position-multiple-of-four", 10, -1, 1, ADD, 6, 1), .is = 44},
    {REQUESTER07("rpcrdma2-07/4.5.1/position-in-bounds", 10, -1, 1, ADD, 6, 4000), .is = 44},
    {REQUESTER07("rpcrdma2-07/4.4.2/position-in-rpc-header", 10, -1, 1, SET, 6, 8), .is = 44},
    {REQUESTER07("rpcrdma2-07/6.3.7/position-zero-in-call", 10, -1, 1, SET, 6, 0), .is = 44},
    {REQUESTER07("rpcrdma2-07/6.3.6/call-remaining", 9, -1, 2, ADD, 4, 4), .once = true},
    {REQUESTER07("rpcrdma2-07/4.1/pieces-not-mixed", 9, -1, 2, ADD, 0, 1), .once = true},
    {REQUESTER07("rpcrdma2-07/4.1/pieces-not-mixed", 4, -1, 1, SET, 4, 100), .is = 5},
    {REQUESTER07("rpcrdma2-07/6.3.9/reply-remaining", 4, -1, 1, SET, 4, 100), .is = 5,
     .only = "v2-reply-remaining-wrong"},
    {REQUESTER07("rpcrdma2-07/6.3.9/reply-continues", 4, -1, 1, SET, 4, 100), .is = 5,
     .only = "v2-reply-pieces-then-external"},
    {REQUESTER07("rpcrdma2-07/7.2.2/bad-value-answered", 4, -1, 1, SET, 4, 2), .is = 3,
     .only = "v2-property-short"},
    {REQUESTER07("rpcrdma2-07/7.2.2/bad-value-answered", 4, -1, 1, DROP, 0, 0),
     .only = "v2-property-short"},
    {REQUESTER07("rpcrdma2-07/6.3.4/nothing-after-final", 4, -1, 1, DROP, 0, 0),
     .only = "v2-property-after-final"},
    {REQUESTER07("rpcrdma2-07/5.2.2/send-within-receive-size", 9, -1, 1, TAIL, 0, 400),
     .only = "v2-receive-size-1024"},
    /* It takes more for granted than is. Of grants that fall nothing shows whether the last one had
     * arrived when a Send was posted. */
    {REQUESTER07("rpcrdma2-07/4.2.1/sends-within-limit", 10, -1, 1, ADD, 0, 0), .more = 2,
     .only = "v2-credits-1"},
    {REQUESTER07("rpcrdma2-07/4.2.1/sends-within-limit", 10, -1, 1, ADD, 0, 0), .more = 2,
     .only = "v2-credits-2"},
    /* Versions 3 and 4 are taken for 1 to 4. */
    {REQUESTER07("rpcrdma2-07/7.1.1/refused-version-not-used", 0, -1, 1, ADD, 0, 0), .more = -2U,
     .more_at = 5, .only = "v2-refused-for-others"},
    /* Version 1 is taken for 2. */
    {REQUESTER07("rpcrdma2-07/4.3.3/server-version", 10, -1, 1, ADD, 0, 0), .more = 1, .more_at = 1,
     .only = "v2-first-answer-in-version-1"},
    {REQUESTER07("rpcrdma2-07/6.3.6/call-continues", 9, -1, 2, SET, 3, 12), .once = true},
    {REQUESTER07("rpcrdma2-07/4.2.1/sends-within-limit", 10, -1, 3, TWICE, 0, 0)},

    /* ---- the Requester, -04 ---- */
    {REQUESTER04("rfc8166/4.2.1/xid-equal", 0, 0, 2, ADD, 0, 0x100)},
    {REQUESTER04("rpcrdma2-04/6.2.2/direction-of-message", 0, 0, 2, SET, 4, 1)},
    {REQUESTER04("rpcrdma2-04/6.2.3/handle-offered", 0, 0, 2, SET, 5, 0x1234)},
    {REQUESTER04("rpcrdma2-04/6.2/xdr-encoded", 0, 0, 2, SET, 6, 2)},
    {REQUESTER04("rpcrdma2-04/6.2.4/procedure-defined", 0, 0, 2, SET, 3, 99)},
    {REQUESTER04("rpcrdma2-04/7/one-message-at-first", 0, 0, 1, AGAIN, 9, 1), .once = true,
     .only = "v2-silence"},
    {REQUESTER04("rpcrdma2-04/7/first-send-of-1024", 0, 0, 1, TAIL, 0, 2000), .once = true},
    {REQUESTER04("rpcrdma2-04/5.1.1/value-form", 6, -1, 1, SET, 5, 2)},
    {REQUESTER04("rfc8166/3.4.5/position-multiple-of-four", 0, 0, 1, ADD, 7, 1), .is = 44},
    {REQUESTER04("rfc8166/3.4.5/position-in-bounds", 0, 0, 1, ADD, 7, 4000), .is = 44},
    {REQUESTER04("rfc8166/3.4.2/position-in-rpc-header", 0, 0, 1, SET, 7, 8), .is = 44},
    {REQUESTER04("rpcrdma2-04/6.2/position-zero-in-msg", 0, 0, 1, SET, 7, 0), .is = 44},
    {REQUESTER04("rfc8166/4.2.4/nomsg-ends-with-lists", 1, 0, 1, TAIL, 0, 4)},
    {REQUESTER04("rpcrdma2-04/6.2.2/backward-direction-supported", 0, 1, 1, SET, 3, 4)},
    {REQUESTER04("rfc8166/3.3.1/calls-within-grant", 0, 0, 3, TWICE, 0, 0)},
};

/* What the drafts leave open: it is no failure. The lengths needed are those of the data cases. */
static const struct fault legal[] = {
    {RESPONDER07("rpcrdma2-07/7.3.4/length-needed", 4, -1, 1, SET, 6, 0), .is = 9000},
    {RESPONDER04("rpcrdma2-04/6.2.4/write-length-needed", 4, -1, 1, SET, 6, 0), .is = 9000},
    {RESPONDER04("rpcrdma2-04/6.2.4/reply-length-needed", 4, -1, 1, SET, 5, 0), .is = 9028},
    /* BAD_XDR to RDMA2_CONNPROP, which need not be supported. */
    {RESPONDER04("rpcrdma2-04/5.3/unsupported-operation-answered", 4, -1, 1, SET, 4, 9),
     .once = true, .is = 2, .only = "04-value-beyond-the-message"},
    {RESPONDER04("rpcrdma2-04/5.3/unsupported-operation-answered", 4, -1, 1, SET, 4, 9),
     .once = true, .is = 2, .only = "04-properties-beyond-the-message"},
    /* Fewer segments are taken than the Call has. */
    {RESPONDER07("rpcrdma2-07/7.3.3/too-many-segments", 4, -1, 1, SET, 5, 16), .is = 16,
     .segments = 16},
    {RESPONDER04("rpcrdma2-04/6.2.4/too-many-segments", 4, -1, 1, SET, 5, 16), .is = 16,
     .segments = 16},
    {RESPONDER07("rpcrdma2-07/7.3.1/too-many-read-chunks", 4, -1, 1, SET, 4, 6), .is = 8,
     .segments = 16, .only = "v2-many-read-chunks"},
    /* A Write chunk without room is too short as well; a length that is not known is 0. */
    {RESPONDER07("rpcrdma2-07/7.3.4/write-chunk-too-small", 12, -1, 1, REFUSE, 0, 9000),
     .only = "v2-fetch-write-chunk-empty"},
    {RESPONDER07("rpcrdma2-07/7.3.4/write-chunk-too-small", 12, -1, 1, REFUSE, 0, 0),
     .only = "v2-fetch-write-chunk-empty"},
    /* By the text of 4.2.1 a Send does not count itself. */
    {RESPONDER07("rpcrdma2-07/4.2.1/send-at-limit", 13, -1, 3, ADD, 0, 0),
     .only = "v2-credits-zero", .more = 1},
    /* BAD_PROPVAL is for properties that are known. */
    {RESPONDER07("rpcrdma2-07/7.2.2/bad-value-answered", 4, -1, 1, DROP, 4, 0), .is = 3},
};

/* ---- a link with a fault ---- */

static const struct fault *planted;
static unsigned met;
static uint32_t refused; /* XID, or 0 */
static const struct link_ops *own_ops;
static struct link_ops faulty_ops;

static bool is_meant(const uint8_t *octets, size_t length)
{
    if (length < 16 || rpcrdma_xdr_load32(octets + 12) != planted->type ||
        (planted->longer > 0 && length <= planted->longer))
        return false;
    if (planted->direction >= 0 &&
        (length < 20 || rpcrdma_xdr_load32(octets + 16) != (uint32_t)planted->direction))
        return false;
    if (planted->is != 0 && (length < 4 * (size_t)planted->word + 4 ||
                             rpcrdma_xdr_load32(octets + 4 * planted->word) != planted->is))
        return false;
    met++;
    return planted->once ? met == planted->nth : met >= planted->nth;
}

static bool send_refusal(struct link *link, const uint8_t *octets)
{
    enum { ERROR = 4, WRITE_RESOURCE = 9 };
    const uint32_t words[] = {ERROR, WRITE_RESOURCE, 1, planted->value};
    uint8_t error[28];
    memcpy(error, octets, 12);
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(error + 12 + 4 * i, words[i]);
    refused = rpcrdma_xdr_load32(octets);
    return own_ops->send(link, error, sizeof error, NULL);
}

static bool send_faulty(struct link *link, const void *sent, size_t length, const uint32_t *handle)
{
    uint8_t octets[OCTETS] = {0};
    uint32_t other;
    memcpy(octets, sent, length);
    if (refused != 0 && rpcrdma_xdr_load32(octets) == refused)
        return true;
    uint8_t *word = octets + 4 * planted->word;
    if (!is_meant(octets, length))
        return own_ops->send(link, sent, length, handle);
    switch (planted->change) {
    case SET:
        rpcrdma_xdr_store32(word, planted->value);
        break;
    case ADD:
        rpcrdma_xdr_store32(word, rpcrdma_xdr_load32(word) + planted->value);
        break;
    case CUT:
        length -= planted->value;
        break;
    case TAIL:
        length += planted->value;
        break;
    case HANDLE:
        other = rpcrdma_xdr_load32(word);
        handle = &other;
        break;
    case AGAIN:
        own_ops->send(link, octets, length, handle);
        rpcrdma_xdr_store32(octets, rpcrdma_xdr_load32(octets) + planted->value);
        rpcrdma_xdr_store32(word, rpcrdma_xdr_load32(word) + planted->value);
        break;
    case DROP:
        return true;
    case REFUSE:
        return send_refusal(link, octets);
    default: /* and the second time with this word, if any */
        own_ops->send(link, octets, length, handle);
        if (planted->value != 0)
            rpcrdma_xdr_store32(word, planted->value);
        break;
    }
    return own_ops->send(link, octets, length, handle);
}

/* -07: the credit word, the version word 1, or a word of an error is taken for more than it is. */
static void wait_for_more(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[OCTETS];
    size_t at = planted->more_at > 0 ? 4 * (size_t)planted->more_at : 8;
    size_t kind = planted->more_at == 1 ? 4 : 12;
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < at + 4 ||
        (planted->more_at > 0 && rpcrdma_xdr_load32(event->octets + kind) != (kind == 4 ? 1 : 4)))
        return;
    memcpy(octets, event->octets, event->length);
    rpcrdma_xdr_store32(octets + at, rpcrdma_xdr_load32(octets + at) + planted->more);
    event->octets = octets;
}

/* -07: of two properties the second one is refused, and the first one comes alone. */
static void apply_and_refuse(struct link *link, unsigned timeout, struct link_event *event)
{
    enum { FINAL = 7, AT_COUNT = 16, SECOND = 12 };
    static const uint32_t words[] = {4, RPCRDMA2_07_ERR_BAD_PROPVAL, 0, 0};
    static uint8_t octets[OCTETS];
    uint8_t error[28] = {0};
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < AT_COUNT + 4 ||
        rpcrdma_xdr_load32(event->octets + 12) != FINAL ||
        rpcrdma_xdr_load32(event->octets + AT_COUNT) != 2)
        return;
    memcpy(octets, event->octets, event->length);
    rpcrdma_xdr_store32(octets + AT_COUNT, 1);
    memcpy(error, octets, 12);
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(error + 12 + 4 * i, words[i]);
    event->octets = octets;
    event->length -= SECOND;
    link->ops->send(link, error, 20, NULL);
}

static void plant(struct link *link)
{
    own_ops = link->ops;
    faulty_ops = *own_ops;
    faulty_ops.send = send_faulty;
    if (planted->applies)
        faulty_ops.wait = apply_and_refuse;
    if (planted->more > 0)
        faulty_ops.wait = wait_for_more;
    link->ops = &faulty_ops;
}

/* ---- the Responder ---- */

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    plant(link);
    struct responder *responder = responder_new(link);
    struct session_options options = responder_session_options(planted->draft);
    if (planted->applies) /* it has longer Sends */
        options.send_size = OCTETS;
    if (planted->segments != 0)
        options.segments = planted->segments;
    ck_assert(responder_speak(responder, &options));
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static void probe_it(struct results *results)
{
    struct link_options options = *responder_options();
    if (planted->receives > 0)
        options.receives = planted->receives;
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end};
    struct probe probe = {.options = {.timeout = 50,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .draft = planted->draft,
                                      .hazards.all = true},
                          .peer = {.transport = transport_loopback(&peer),
                                   .invalidates = planted->change == HANDLE && planted->only,
                                   .forgets = true}};
    if (planted->only)
        chosen_add(&probe.options.cases, planted->only);
    probe2_begin(&probe);
    probe2_run_cases(&probe);
    probe_options_free(&probe.options);
    probe.peer.transport->ops->close(probe.peer.transport);
    free(probe.run.stopped);
    *results = probe.run.results;
}

/* ---- the Requester ---- */

static void tamper(void *arg, struct link *link)
{
    (void)arg;
    plant(link);
}

static void serve_it(struct results *results)
{
    struct serve2 serve = {.draft = planted->draft, .timeout = 50, .tamper = tamper};
    if (planted->only)
        chosen_add(&serve.selection.cases, planted->only);
    serve2_reference(&serve);
    chosen_free(&serve.selection.cases);
    *results = serve.results;
}

START_TEST(fault_is_named)
{
    struct results results;
    bool named = false;
    planted = &faults[_i];
    met = refused = 0;
    ck_assert_msg(register_find(planted->rule) >= 0, "%s", planted->rule);
    if (planted->of_requester)
        serve_it(&results);
    else
        probe_it(&results);
    ck_assert_msg(met >= planted->nth, "%s: it is not met", planted->rule);
    for (size_t i = 0; i < results.count; i++) {
        const struct result *result = &results.list[i];
        if (ending_is_failure(result->ending) && result->rule)
            named = named || strcmp(result->rule, planted->rule) == 0;
    }
    ck_assert_msg(named, "%s is not named", planted->rule);
    results_free(&results);
}
END_TEST

START_TEST(what_is_legal_is_no_failure)
{
    struct results results;
    planted = &legal[_i];
    met = refused = 0;
    probe_it(&results);
    ck_assert_msg(met >= planted->nth, "%s: it is not met", planted->rule);
    for (size_t i = 0; i < results.count; i++)
        ck_assert_msg(!ending_is_failure(results.list[i].ending), "%s: %s", results.list[i].test,
                      results.list[i].actual);
    results_free(&results);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("planted faults of version 2");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, fault_is_named, 0, COUNT(faults));
    tcase_add_loop_test(cases, what_is_legal_is_no_failure, 0, COUNT(legal));
    return run_tests("planted faults of version 2", cases);
}
