// SPDX-License-Identifier: BSD-3-Clause
/* Private data of the connection, and what follows from it. */
#include "vectors/make/vectors.h"

/* 4096 octets to send, 8192 to receive; with and without remote invalidation. */
#define PRIVATE "private-data | 0xf6ab0e18 0x01010307"
#define PRIVATE_PLAIN "private-data | 0xf6ab0e18 0x01000307"
#define PRIVATE_OTHER "private-data | 0x11223344 0x01010307"
#define CALL "> msg reply:0xa/100/0 | call"
#define INVALIDATING "< msg reply:0xa/0/0 invalidate:0xa | accepted"
#define PLAIN "< msg reply:0xa/0/0 | accepted"
#define VERSION_2                                                                                  \
    {                                                                                              \
        "> private-data | 0xf6ab0e18 0x02010307", "N:rfc8797/4/version-known@4"                    \
    }

static const struct vector private_data_vectors[] = {
    {
        .id = "private-data-of-seven-octets",
        .comment = "The last octet of the message is missing.",
        .flags = "broken",
        .events = {{"> private-data | 0xf6ab0e18 +3", "V:rfc8797/4/eight-octets@0"}},
    },
    {
        .id = "private-data-identifier-at-end",
        .comment = "The identifier is in the last four octets, with nothing after it.",
        .flags = "broken",
        .events = {{"> private-data | 0 0xf6ab0e18", "V:rfc8797/4/eight-octets@4"}},
    },
    {
        .id = "private-data-of-eight-octets",
        .comment = "The smallest sizes, 1024 octets each, and no flag.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4/eight-octets",
        .events = {{"> private-data | 0xf6ab0e18 0x01000000", NULL}},
    },
    {
        .id = "private-data-nearly-identifier",
        .comment = "One bit off: private data of somebody else.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4/eight-octets",
        .events = {{"> private-data | 0 0xf6ab0e19", NULL}},
    },
    {
        .id = "private-data-after-one-octet",
        .comment = "Other layers put an octet before the message: it is found all the same.",
        .flags = "remarkable",
        .events = {{"> private-data | 0x00f6ab0e 0x18010103 +1", "N:rfc8797/4/format-at-start@1"}},
    },
    {
        .id = "private-data-with-tail",
        .comment = "What follows the message says nothing.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4/format-at-start",
        .events = {{"> private-data | 0xf6ab0e18 0x01010300 *5", NULL}},
    },
    {
        .id = "private-data-version-two",
        .comment = "A format version that is not known here.",
        .flags = "remarkable",
        .events = {VERSION_2},
    },
    {
        .id = "private-data-version-one",
        .comment = "The same with version 1, from both sides.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4/version-known rfc8797/4/reserved-bits-zero",
        .events = {{"> " PRIVATE, NULL}, {"< " PRIVATE, NULL}},
    },
    {
        .id = "private-data-reserved-bit",
        .comment = "The bit next to the R bit is set.",
        .flags = "broken",
        .events = {{"> private-data | 0xf6ab0e18 0x01020303", "V:rfc8797/4/reserved-bits-zero@5"}},
    },
    {
        .id = "private-data-highest-reserved-bit",
        .comment = "The flags read from the wrong end: the R bit is the lowest.",
        .flags = "broken",
        .events = {{"> private-data | 0xf6ab0e18 0x01800303", "V:rfc8797/4/reserved-bits-zero@5"}},
    },
    /* ---- remote invalidation ---- */
    {
        .id = "invalidation-not-supported-by-server",
        .comment = "The server left the R bit clear and invalidates.",
        .flags = "broken",
        .events = {{"> " PRIVATE, NULL},
                   {"< " PRIVATE_PLAIN, NULL},
                   {CALL, NULL},
                   {INVALIDATING, "V:rfc8797/4.1/plain-send-without-support process close"}},
    },
    {
        .id = "invalidation-not-supported-by-client",
        .comment = "The client left the R bit clear.",
        .flags = "broken",
        .events = {{"> " PRIVATE_PLAIN, NULL},
                   {"< " PRIVATE, NULL},
                   {CALL, NULL},
                   {INVALIDATING, "V:rfc8797/4.1/plain-send-without-support process close"}},
    },
    {
        .id = "invalidation-supported-by-both",
        .comment = "Both R bits are set.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4.1/plain-send-without-support "
                     "rfc8797/4.1/invalidate-own-transaction",
        .events = {{"> " PRIVATE, NULL}, {"< " PRIVATE, NULL}, {CALL, NULL}, {INVALIDATING, NULL}},
    },
    {
        .id = "plain-send-without-support",
        .comment = "The client left the R bit clear, and the Reply is a plain Send.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4.1/plain-send-without-support",
        .events = {{"> " PRIVATE_PLAIN, NULL}, {"< " PRIVATE, NULL}, {CALL, NULL}, {PLAIN, NULL}},
    },
    /* ---- no message that conforms ---- */
    {
        .id = "long-send-without-message-of-client",
        .comment = "The client's private data has another identifier: 1024 octets are the limit.",
        .flags = "broken",
        .events = {{"> " PRIVATE_OTHER, NULL},
                   {"< " PRIVATE, NULL},
                   {"> msg | call", NULL},
                   {"< msg | accepted octets:976",
                    "V:rfc8797/5.1/defaults-without-message process close"}},
    },
    {
        .id = "default-send-without-message-of-client",
        .comment = "1024 octets, the default.",
        .flags = "near-miss",
        .near_miss = "rfc8797/5.1/defaults-without-message",
        .events = {{"> " PRIVATE_OTHER, NULL},
                   {"< " PRIVATE, NULL},
                   {"> msg | call", NULL},
                   {"< msg | accepted octets:972", NULL}},
    },
    {
        .id = "send-above-default-beside-silent-client",
        .comment = "The server announces 4096 octets, the client nothing: 1024 are the limit.",
        .flags = "broken",
        .events = {{"< " PRIVATE, NULL},
                   {"> msg | call", NULL},
                   {"< msg | accepted octets:976",
                    "W:rfc8797/5.1/defaults-in-silence process close"}},
    },
    {
        .id = "default-send-beside-silent-client",
        .comment = "1024 octets, the default.",
        .flags = "near-miss",
        .near_miss = "rfc8797/5.1/defaults-in-silence",
        .events = {{"< " PRIVATE, NULL},
                   {"> msg | call", NULL},
                   {"< msg | accepted octets:972", NULL}},
    },
    {
        .id = "invalidation-after-version-two",
        .comment = "Version 2 tells this version of the format nothing, whatever its R bit.",
        .flags = "aftermath",
        .events = {VERSION_2,
                   {"< " PRIVATE, NULL},
                   {CALL, NULL},
                   {INVALIDATING, "V:rfc8797/5.1/defaults-without-message process close"}},
    },
    {
        .id = "plain-send-after-version-two",
        .comment = "Version 2 tells this version of the format nothing: a plain Send.",
        .flags = "near-miss aftermath",
        .near_miss = "rfc8797/5.1/defaults-without-message",
        .events = {VERSION_2, {"< " PRIVATE, NULL}, {CALL, NULL}, {PLAIN, NULL}},
    },
};

const struct vector_group private_data = {
    GROUP("private-data.json", private_data_vectors),
    .title = "Private data",
    .origin = "made",
    .reference = "RFC 8797 sections 4, 4.1 and 5.1",
};
