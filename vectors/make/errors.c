// SPDX-License-Identifier: BSD-3-Clause
/*
 * RDMA_ERROR: after it the RPC is over, and the connection is not. Its code is at 16, the range
 * of ERR_VERS at 20 and 24. One that does not decode is dropped, and the Requester goes on waiting.
 */
#include "vectors/make/vectors.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> msg | call", NULL                                                                       \
    }
#define ANSWERED                                                                                   \
    {                                                                                              \
        "< msg | accepted", NULL                                                                   \
    }
#define VERSION_2_CALL                                                                             \
    {                                                                                              \
        "> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"                     \
    }
#define NO_CODE "V:4.5/error-code-defined@16 length:- discard"
#define LONGER(at, length) "W:4.2.4/error-ends-with-code@" #at " length:" #length " terminate"
#define UPSIDE_DOWN "V:4.5.1/version-range-ordered@20 length:28 terminate"
#define CONTRADICTION "V:4.5.1/version-range-excludes-failed@20 length:28 terminate"

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
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2", "length:28 terminate"},
                   {"> msg xid:9 | call", NULL},
                   {"< msg xid:9 | accepted", NULL}},
    },
    {
        .id = "error-code-three",
        .comment = "ERR_VERS is 1 and ERR_CHUNK 2: 3 is not an error.",
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
    {
        .id = "error-code-of-all-ones",
        .comment = "4294967295: no table is indexed by it.",
        .flags = "broken hostile to-requester",
        .events = {CALL, {"< error:chunk @16=0xffffffff", NO_CODE}, ANSWERED},
    },
    {
        .id = "error-code-in-wrong-octet-order",
        .comment = "The 2 of ERR_CHUNK, its octets turned round.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk @16=0x02000000", NO_CODE}, ANSWERED},
    },
    {
        .id = "error-code-two-in-lower-octets",
        .comment = "16777218: ERR_CHUNK for who keeps fewer octets than the word has.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk @16=0x01000002", NO_CODE}, ANSWERED},
    },
    {
        .id = "error-code-three-with-range",
        .comment = "A code of another version, in an RDMA_ERROR of version 1, with all that "
                   "ERR_VERS has.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:vers:2:2 @16=3", NO_CODE}, ANSWERED},
    },
    {
        .id = "error-code-three-of-version-two",
        .comment =
            "To a Call of version 2 an RDMA_ERROR of version 2, with a code that is for that "
            "version to define.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5/error-code-defined",
        .events = {VERSION_2_CALL, {"< error:vers:1:1 vers:2 @16=3", "length:- discard"}},
    },
    /* ---- too short ---- */
    {
        .id = "error-ends-inside-code",
        .comment = "Two octets of the code; a third and a fourth, and it would be ERR_CHUNK.",
        .flags = "broken hostile to-requester",
        .events = {CALL, {"< error:chunk cut:18", "V:4/xdr-encoded@16 length:- discard"}, ANSWERED},
    },
    {
        .id = "err-chunk-sent-as-err-vers",
        .comment = "20 octets, and the code of ERR_VERS: what follows is not a range.",
        .flags = "broken hostile to-requester",
        .events = {CALL, {"< error:chunk @16=1", "V:4/xdr-encoded@20 length:- discard"}, ANSWERED},
    },
    {
        .id = "err-vers-ends-inside-range",
        .comment = "One octet short of 28.",
        .flags = "aftermath hostile to-requester",
        .events = {VERSION_2_CALL,
                   {"< error:vers:1:1 vers:2 cut:27", "V:4/xdr-encoded@24 length:- discard"}},
    },
    /* ---- too long ---- */
    {
        .id = "err-chunk-with-one-octet-more",
        .comment = "The Requester has what it needs.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk | +1", LONGER(20, 20)}},
    },
    {
        .id = "err-chunk-with-range-of-versions",
        .comment = "ERR_CHUNK in the 28 octets of ERR_VERS.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk | 1 1", LONGER(20, 20)}},
    },
    {
        .id = "err-chunk-with-failed-call",
        .comment = "The Call that failed comes back after the code.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk | call", LONGER(20, 20)}},
    },
    {
        .id = "err-vers-with-one-octet-more",
        .comment = "One octet after the range.",
        .flags = "aftermath to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:1:1 vers:2 | +1", LONGER(28, 28)}},
    },
    /* ---- the range ---- */
    {
        .id = "version-range-from-four-to-three",
        .comment = "The lower version is the higher one.",
        .flags = "aftermath to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:4:3 vers:2", UPSIDE_DOWN}},
    },
    {
        .id = "version-range-from-one-to-zero",
        .comment = "The highest version was never set.",
        .flags = "aftermath to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:1:0 vers:2", UPSIDE_DOWN}},
    },
    {
        .id = "version-range-from-all-ones-to-one",
        .comment = "From -1 to 1, if versions had a sign: they have none.",
        .flags = "aftermath hostile to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:0xffffffff:1 vers:2", UPSIDE_DOWN}},
    },
    {
        .id = "version-range-from-one-to-failed-version",
        .comment = "Version 2 is refused by who speaks 1 and 2.",
        .flags = "aftermath to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:1:2 vers:2", CONTRADICTION}},
    },
    {
        .id = "version-range-of-every-version",
        .comment = "All versions there can be, and one of them is refused.",
        .flags = "aftermath hostile to-requester",
        .events = {VERSION_2_CALL, {"< error:vers:0:0xffffffff vers:2", CONTRADICTION}},
    },
    {
        .id = "version-one-refused-by-version-one",
        .comment = "The answer to a Call of version 1 says that only version 1 is supported.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:vers:1:1", CONTRADICTION}},
    },
    {
        .id = "version-one-refused-by-later-versions",
        .comment = "A Responder that speaks 2 and 3, and 1 no longer.",
        .flags = "conforming near-miss",
        .near_miss = "4.5.1/version-range-excludes-failed 4.5.1/version-range-ordered",
        .events = {CALL, {"< error:vers:2:3", "length:28 terminate"}},
    },
    {
        .id = "version-one-refused-by-reversed-range",
        .comment = "From 3 to 2. The version that failed is 1 and lies outside either way.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:vers:3:2", UPSIDE_DOWN}},
    },
    {
        .id = "version-one-refused-by-version-two",
        .comment = "From 2 to 2: one version is a range.",
        .flags = "conforming near-miss",
        .near_miss = "4.5.1/version-range-ordered 4.5.1/version-range-excludes-failed",
        .events = {CALL, {"< error:vers:2:2", "length:28 terminate"}},
    },
    {
        .id = "version-range-just-above-failed-version",
        .comment = "From 3 up to the last there can be: 2 is the one that is missing.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5.1/version-range-excludes-failed 4.5.1/version-range-ordered "
                     "4.2.4/error-ends-with-code",
        .events = {VERSION_2_CALL, {"< error:vers:3:0xffffffff vers:2", "length:28 terminate"}},
    },
    {
        .id = "version-range-just-below-failed-version",
        .comment = "0 and 1.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5.1/version-range-excludes-failed 4.5.1/version-range-ordered",
        .events = {VERSION_2_CALL, {"< error:vers:0:1 vers:2", "length:28 terminate"}},
    },
    /* ---- credits ---- */
    {
        .id = "err-chunk-that-is-due-grants-no-credit",
        .comment = "The ERR_CHUNK is right. It grants as a Reply does, one credit at least.",
        .flags = "aftermath to-requester",
        .events = {{"> msg @16=2 | call", "V:4/xdr-encoded@16 length:- err-chunk"},
                   {"< error:chunk credit:0", "V:3.3.1/grant-not-zero@8 length:20 terminate"}},
    },
    {
        .id = "err-vers-grants-no-credit",
        .comment = "The same in ERR_VERS.",
        .flags = "aftermath to-requester",
        .events = {VERSION_2_CALL,
                   {"< error:vers:1:1 vers:2 credit:0",
                    "V:3.3.1/grant-not-zero@8 length:28 terminate"}},
    },
    {
        .id = "err-chunk-grants-one-credit",
        .comment = "One credit, and a Call that uses it.",
        .flags = "near-miss conforming",
        .near_miss = "3.3.1/grant-not-zero",
        .events = {CALL,
                   {"< error:chunk credit:1", "length:20 terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
};

const struct vector_group errors = {
    GROUP("errors.json", errors_vectors),
    .title = "RDMA_ERROR",
    .origin = "made",
    .reference = "RFC 8166 section 4.5",
};
