// SPDX-License-Identifier: BSD-3-Clause
/* The rules of transfer scope: RDMA Reads and Writes that break them, or nearly do. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"
#include "conformance/base/count.h"

#define CALL "> 7 1 32 0 none call"
#define REPLY "< 7 1 32 0 none reply"
/* 100 octets of an argument at 1000 of handle 0xa. */
#define READ_CALL "> 7 1 32 0 1 40 0xa 100 0 1000 0 0 0 call"
/* The same Call again, whose argument is at 0xe now. */
#define OTHER_FORM "> 7 1 32 0 1 40 0xe 100 0 1000 0 0 0 call"
/* Room of 100 and 50 octets, side by side under handle 0xb. */
#define WRITE_CALL "> 7 1 32 0 0 1 2 0xb 100 0 1000 0xb 50 0 1100 0 0 call"
#define WRITE_REPLY(first, second)                                                                 \
    "< 7 1 32 0 0 1 2 0xb " #first " 0 1000 0xb " #second " 0 1100 0 0 reply"
/* One that cannot be read, sent again so that it can: its first form may have offered anything. */
#define HALF_KNOWN                                                                                 \
    "?> 9 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", "?> 9 1 32 0 none call", "?< 9 1 32 0 none reply"
/* A Reply of success too early, and none. */
#define EVENTS(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define TOO_EARLY(broken, near)                                                                    \
    {                                                                                              \
        "N 3.5.2/answered-before-fetched -> process", broken, near, NULL, DEFAULTS                 \
    }
#define HALF "< read 0xa 1000 50"
#define BESIDE(segment) "> 8 1 32 0 1 40 0xa " segment " 0 0 0 call"
#define LONG_CALL "> 7 1 32 1 1 0 0xa 40 0 0 0 0 0"
#define REPLY_CALL "> 7 1 32 0 0 0 1 1 0xc 100 0 0 call"

/* The same memory, registered for its use. */
#define READ_MEMORY "> registered 0xa 1000 100 r"
#define WRITE_MEMORY "> registered 0xb 1000 150 w"
#define AGAIN "> 8 1 32 0 1 40 0xa 100 0 1000 0 0 0 call"
#define WITHIN                                                                                     \
    {                                                                                              \
        .registrations_seen = { true, false }                                                      \
    }
#define WITHIN_BOTH                                                                                \
    {                                                                                              \
        .registrations_seen = { true, true }                                                       \
    }
#define WITHIN_FROM_MIDDLE                                                                         \
    {                                                                                              \
        .registrations_seen = {true, false}, .mid_stream = true                                    \
    }
/* Eight registrations are remembered. */
#define WITHIN_EIGHT                                                                               \
    {                                                                                              \
        .registrations_seen = {true, false}, .max_calls = 1, .max_segments = 8                     \
    }
#define SEVEN_OTHERS                                                                               \
    "> registered 1 0 4 r", "> registered 2 0 4 r", "> registered 3 0 4 r",                        \
        "> registered 4 0 4 r", "> registered 5 0 4 r", "> registered 6 0 4 r",                    \
        "> registered 7 0 4 r"
#define OTHER_CALL "> 8 1 32 0 none call"
#define OTHER_REPLY "< 8 1 32 0 none reply"

static const struct play_row rows[] = {
    /* ---- registered ---- */
    {"W 3.4.5/memory-registered @24 -> process",
     {"> registered 0xb 1000 100 r", READ_CALL, "= handle 0xa is offered, and not registered"},
     {READ_MEMORY, READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @24 -> process",
     {READ_MEMORY, "> invalidated 0xa", READ_CALL},
     {"> invalidated 0xa", READ_MEMORY, "> invalidated 0xb", READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @24 -> process",
     {"> registered 0xa 1000 99 r", READ_CALL,
      "= at handle 0xa, 100 octets are offered from 0x3e8, which are not all registered"},
     {"> registered 0xa 1000 100 r", READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @24 -> process",
     {"> registered 0xa 1001 100 r", READ_CALL},
     {"> registered 0xa 999 101 r", READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @24 -> process",
     {"> registered 0xa 1000 100 w", READ_CALL,
      "= handle 0xa is offered to be read, and registered to be written alone"},
     {"> registered 0xa 1000 100 r w", READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @28 -> process",
     {"> registered 0xb 1000 150 r", WRITE_CALL,
      "= handle 0xb is offered to be written, and registered to be read alone"},
     {WRITE_MEMORY, WRITE_CALL},
     NULL,
     WITHIN},
    /* The second segment, and the Reply chunk. */
    {"W 3.4.5/memory-registered @44 -> process",
     {"> registered 0xb 1000 149 w", WRITE_CALL},
     {WRITE_MEMORY, "> 7 1 32 0 0 1 2 0xb 100 0 1000 0xc 0 0 1100 0 0 call"},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @32 -> process",
     {REPLY_CALL},
     {"> registered 0xc 0 100 w", REPLY_CALL},
     NULL,
     WITHIN},
    /* What is registered by the other side, and what was not seen. */
    {"W 3.4.5/memory-registered @24 -> process",
     {"< registered 0xa 1000 100 r", READ_CALL},
     {"< registered 0xa 1000 100 r", READ_MEMORY, READ_CALL},
     NULL,
     WITHIN_BOTH},
    {"W 3.4.5/memory-registered @24 -> process",
     {READ_MEMORY, "> invalidated 0xa", READ_CALL},
     {"> invalidated 0xa", READ_CALL},
     NULL,
     WITHIN_FROM_MIDDLE},
    {"W 3.4.5/memory-registered @24 -> process",
     {READ_MEMORY, "> invalidated 0xa", READ_CALL},
     {READ_MEMORY, "> invalidated 0xa", "> gap", READ_CALL},
     NULL,
     WITHIN},
    {"W 3.4.5/memory-registered @24 -> process",
     {READ_MEMORY, "> invalidated 0xa", READ_CALL},
     {READ_MEMORY, "> invalidated 0xa", "> end", READ_CALL},
     NULL,
     WITHIN},

    /* One too many to remember: of what was registered still, and forgotten, nothing is known,
     * whatever is forgotten after it. */
    {"W 3.4.5/memory-registered @24 -> process",
     {READ_MEMORY, "> invalidated 0xa", SEVEN_OTHERS, "> registered 8 0 4 r", READ_CALL},
     {READ_MEMORY, SEVEN_OTHERS, "> registered 8 0 4 r", "> invalidated 1", "> registered 9 0 4 r",
      READ_CALL},
     NULL,
     WITHIN_EIGHT},

    /* ---- taken back ---- */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> completed 7",
      "= the RPC with XID 0x7 ends while handle 0xa is still registered"},
     {READ_MEMORY, READ_CALL, REPLY, "> invalidated 0xa", "> completed 7"},
     "",
     WITHIN},
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, "?< 7 1 32 0 none reply inv:0xb", "> completed 7"},
     {READ_MEMORY, READ_CALL, "?< 7 1 32 0 none reply inv:0xa", "> completed 7"},
     "",
     WITHIN},
    /* The handle is registered again by then, and for another Call. */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> invalidated 0xb", "> completed 7"},
     {READ_MEMORY, READ_CALL, REPLY, "> invalidated 0xa", READ_MEMORY, "> completed 7"},
     "",
     WITHIN},
    /* One of two handles. */
    {"W 4.4.1/memory-fenced",
     {"> registered 0xb 1000 100 w", "> registered 0xd 0 50 w",
      "> 7 1 32 0 0 1 2 0xb 100 0 1000 0xd 50 0 0 0 0 call",
      "< 7 1 32 0 0 1 2 0xb 0 0 1000 0xd 0 0 0 0 0 reply", "> invalidated 0xb", "> completed 7",
      "= the RPC with XID 0x7 ends while handle 0xd is still registered"},
     {"> registered 0xb 1000 100 w", "> registered 0xd 0 50 w",
      "> 7 1 32 0 0 1 2 0xb 100 0 1000 0xd 50 0 0 0 0 call",
      "< 7 1 32 0 0 1 2 0xb 0 0 1000 0xd 0 0 0 0 0 reply", "> invalidated 0xb", "> invalidated 0xd",
      "> completed 7"},
     "",
     WITHIN},
    /* An RPC of the other side, one that is not known, and a registration that was not seen. */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> completed 7"},
     {READ_MEMORY, READ_CALL, REPLY, "< completed 7", "> completed 8"},
     "",
     WITHIN_BOTH},
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> completed 7"},
     {READ_CALL, REPLY, "> completed 7"},
     "",
     WITHIN_FROM_MIDDLE},
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> completed 7"},
     {READ_MEMORY, READ_CALL, REPLY, "> end", "> completed 7"},
     "",
     WITHIN},
    /* One handle for one Call after the other: what the note says of the Call. */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "> invalidated 0xa", READ_MEMORY, AGAIN, OTHER_REPLY,
      "> completed 8"},
     {READ_MEMORY, READ_CALL, REPLY,
      "?"
      "> 8 1 32 0 1 40 0xa 100 0 1000 0 0 0 call",
      OTHER_REPLY, "> completed 8", "> completed 7"},
     "",
     WITHIN},
    /* It is registered anew for the Call that is sent again, and serves that alone. */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, REPLY, "?" AGAIN, "> invalidated 0xa", READ_MEMORY, AGAIN,
      OTHER_REPLY, "> completed 8"},
     {READ_MEMORY, READ_CALL, REPLY, "?" AGAIN, AGAIN, OTHER_REPLY, "> completed 8"},
     "",
     WITHIN},
    /* Errors end an RPC as well, and so does its caller. */
    {"W 4.4.1/memory-fenced",
     {READ_MEMORY, READ_CALL, "< 7 1 32 4 2", "> completed 7"},
     {READ_MEMORY, READ_CALL, "< 7 1 32 4 2", "> invalidated 0xa", "> completed 7"},
     "",
     WITHIN},
    {"W 4.4.1/cancelled-calls-too",
     {READ_MEMORY, READ_CALL, "> completed 7",
      "= the RPC with XID 0x7 ends without a Reply while handle 0xa is registered"},
     {READ_MEMORY, READ_CALL, "> invalidated 0xa", "> completed 7"},
     "",
     WITHIN},

    /* ---- for how long ---- */
    {"N 8.1.2/no-persistent-memory @24 -> process",
     {READ_MEMORY, READ_CALL, REPLY, AGAIN,
      "= handle 0xa has stayed registered since an earlier Call offered it"},
     {READ_MEMORY, READ_CALL, REPLY, READ_MEMORY, AGAIN},
     NULL,
     WITHIN},
    /* Twice in one Call, or in the same Call that comes again. */
    {"N 8.1.2/no-persistent-memory @28 -> process",
     {WRITE_MEMORY, WRITE_CALL, WRITE_REPLY(0, 0),
      "> 8 1 32 0 0 1 2 0xb 100 0 1000 0xb 50 0 1100 0 0 call"},
     {WRITE_MEMORY, WRITE_CALL, WRITE_CALL},
     NULL,
     WITHIN},
    {"N 8.1.3/registered-just-in-time @24 -> process",
     {READ_MEMORY, OTHER_CALL, OTHER_REPLY, READ_CALL,
      "= handle 0xa was registered before another Call, which is answered already"},
     {"> 6 1 32 0 none call", "< 6 1 32 0 none reply", READ_MEMORY, OTHER_CALL, READ_CALL},
     NULL,
     WITHIN},
    /* What was answered meanwhile was called before. */
    {"N 8.1.3/registered-just-in-time @24 -> process",
     {OTHER_CALL, READ_MEMORY, OTHER_REPLY, "> 9 1 32 0 none call", "< 9 1 32 0 none reply",
      READ_CALL},
     {OTHER_CALL, READ_MEMORY, OTHER_REPLY, READ_CALL},
     NULL,
     WITHIN},

    /* ---- where ---- */
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xa 1000 101",
      "= 101 octets from 0x3e8 at handle 0xa, which no waiting Call offers"},
     {READ_CALL, "< read 0xa 1000 100"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xa 999 2",
      "= 2 octets from 0x3e7 at handle 0xa, which no waiting Call offers"},
     {READ_CALL, "< read 0xa 1099 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xf 1000 1"},
     {READ_CALL, "< read 0xa 1000 1", "< read 0xf 1000 0"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< write 0xa 1000 1"},
     {WRITE_CALL, "< write 0xb 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {WRITE_CALL, "< read 0xb 1000 1"},
     {REPLY_CALL, "< write 0xc 99 1"},
     "",
     DEFAULTS},
    /* One operation can go on into the next segment. */
    {"V 4.5.3/within-offered-memory",
     {WRITE_CALL, "< write 0xb 1050 101"},
     {WRITE_CALL, "< write 0xb 1000 150"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xa 0xffffffffffffffff 2"},
     {"> 7 1 32 0 1 40 0xa 1 0xffffffff 0xffffffff 0 0 0 call", "< read 0xa 0xffffffffffffffff 1"},
     "",
     DEFAULTS},
    /* A Responder can have taken what is not understood here: a presence word of 2, RDMA_MSGP, a
     * message type of 2; not so when it was answered. */
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "?> 8 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", "< 8 1 32 4 2", "< read 0xf 1000 1"},
     {READ_CALL, "?> 8 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xf 1000 1"},
     {READ_CALL, "?> 8 1 32 2 0 0 1 40 0xf 100 0 1000 0 0 0 call", "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "?> 8 1 32 0 1 12 0xf 100 0 1000 0 0 0 8 2", "< 8 1 32 4 2", "< read 0xf 1000 1"},
     {READ_CALL, "?> 8 1 32 0 1 12 0xf 100 0 1000 0 0 0 8 2", "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    /* A Call that is sent again in another form offers the memory of both. */
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, OTHER_FORM, "< read 0xf 1000 1"},
     {READ_CALL, OTHER_FORM, "< read 0xe 1000 100", "< read 0xa 1000 100"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xf 1000 1"},
     {READ_CALL, "?> 7 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, OTHER_FORM, REPLY, REPLY, "> 8 1 32 0 none call", "< read 0xf 1000 1"},
     {READ_CALL, "?> 7 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", OTHER_FORM, "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xf 1000 1"},
     {"?> 7 1 32 0 2 40 0xf 100 0 1000 0 0 0 call", READ_CALL, "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    /* What the checker has forgotten proves nothing. */
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xf 1000 1"},
     {READ_CALL, "> gap", "< read 0xf 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/only-responder-initiates",
     {READ_CALL, "> read 0xa 1000 1",
      "= 1 octets at handle 0xa, by a side that has no Call to answer"},
     {READ_CALL, "< read 0xa 1000 1"},
     "",
     DEFAULTS},
    {"V 4.5.3/only-responder-initiates",
     {"> write 0xa 1000 1"},
     {"> gap", "> write 0xa 1000 1"},
     "",
     DEFAULTS},

    /* ---- when ---- */
    {"V 3.4.5.1/reads-before-reply",
     {READ_CALL, REPLY, "< read 0xa 1000 100",
      "= 100 octets at handle 0xa, whose Call is answered already"},
     {READ_CALL, "< read 0xa 1000 100", REPLY, "> 8 1 32 0 1 40 0xa 100 0 1000 0 0 0 call",
      "< read 0xa 1000 100"},
     "",
     DEFAULTS},
    {"V 3.5.2/writes-before-reply",
     {WRITE_CALL, WRITE_REPLY(4, 0), "< write 0xb 1000 4",
      "= 4 octets at handle 0xb, whose Call is answered already"},
     {WRITE_CALL, "< write 0xb 1000 4", WRITE_REPLY(4, 0)},
     NULL,
     DEFAULTS},
    {"V 3.5.2/writes-before-reply",
     {REPLY_CALL, "< 7 1 32 1 0 0 1 1 0xc 24 0 0", "< write 0xc 0 24",
      "= 24 octets at handle 0xc, whose Call is answered already"},
     {REPLY_CALL, "< write 0xc 0 24", "< 7 1 32 1 0 0 1 1 0xc 24 0 0"},
     NULL,
     DEFAULTS},
    /* What is seen begins after a Call, which is then sent again: it is answered twice. */
    {"V 3.5.2/writes-before-reply",
     {WRITE_CALL, "< write 0xb 1000 4", WRITE_REPLY(4, 0), "< write 0xb 1000 4"},
     {"> gap", WRITE_CALL, "< write 0xb 1000 4", WRITE_REPLY(4, 0), "< write 0xb 1000 4"},
     "",
     DEFAULTS},
    /* What a Call offers is not known: that can be other arguments, but no results of this Call. */
    {"V 3.5.2/writes-before-reply",
     {HALF_KNOWN, WRITE_CALL, WRITE_REPLY(4, 0), "< write 0xb 1000 4"},
     {HALF_KNOWN, READ_CALL, REPLY, "< read 0xa 1000 100"},
     "",
     DEFAULTS},
    /* Seen on the way the last octets of a Read can pass the Reply. */
    {"V 3.5.2/writes-before-reply",
     {WRITE_CALL, WRITE_REPLY(4, 0), "< write 0xb 1000 4"},
     {READ_CALL, REPLY, "< read 0xa 1000 100"},
     "",
     {.seen_between = true}},
    {"V 3.4.5.1/reads-before-reply",
     {READ_CALL, OTHER_FORM, REPLY, REPLY, "< read 0xa 1000 100"},
     {READ_CALL, OTHER_FORM, REPLY, "< read 0xa 1000 100"},
     "",
     DEFAULTS},
    /* Of two copies of a Call one can be at work still. */
    {"V 3.4.5.1/reads-before-reply",
     {READ_CALL, REPLY, "< read 0xa 1000 100"},
     {READ_CALL, READ_CALL, REPLY, "< read 0xa 1000 100"},
     "",
     DEFAULTS},

    /* ---- all that the Call holds; up to three octets may be padding ---- */
    TOO_EARLY(
        EVENTS(READ_CALL, "< read 0xa 1000 96", REPLY,
               "= a Reply of success, though of 100 octets in Read chunks 4 were not fetched"),
        EVENTS(READ_CALL, "< read 0xa 1000 97", REPLY)),
    TOO_EARLY(EVENTS(READ_CALL, "< read 0xa 1000 40", "< read 0xa 1041 59", REPLY " 0"),
              EVENTS(READ_CALL, "< read 0xa 1041 59", "< read 0xa 1000 41", REPLY " 0")),
    /* The upper layer failed, or RPC did: the rest was not looked at. */
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY " 0"), EVENTS(READ_CALL, HALF, REPLY " 70")),
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY " 0"), EVENTS(READ_CALL, HALF, REPLY " 0 cut:4")),
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY),
              EVENTS(READ_CALL, HALF, "< 7 1 32 0 none 7 1 0 0 0 4")),
    /* That nothing was fetched at all is known where all operations are seen. */
    {"N 3.5.2/answered-before-fetched -> process",
     {READ_CALL, REPLY},
     {HALF_KNOWN, READ_CALL, REPLY},
     NULL,
     {.operations_seen = true}},
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY), EVENTS(READ_CALL, REPLY)),
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY), EVENTS(READ_CALL, HALF, REPLY " reading")),
    /* The answer of the first time; and octets that are offered twice. */
    TOO_EARLY(EVENTS(READ_CALL, HALF, REPLY), EVENTS(READ_CALL, READ_CALL, HALF, REPLY)),
    TOO_EARLY(EVENTS(CALL, REPLY, READ_CALL, BESIDE("100 0 1100"), HALF, REPLY),
              EVENTS(CALL, REPLY, READ_CALL, BESIDE("100 0 1099"), HALF, REPLY)),
    TOO_EARLY(EVENTS(CALL, REPLY, READ_CALL, BESIDE("100 0 900"), HALF, REPLY),
              EVENTS(CALL, REPLY, READ_CALL, BESIDE("101 0 900"), HALF, REPLY)),
    TOO_EARLY(
        EVENTS(LONG_CALL, "< read 0xa 0 20 7 0 2 100003 3", REPLY),
        EVENTS(LONG_CALL, "< read 0xa 0 20 7 0 2 100003 3", "< read 0xa 20 20 0 0 0 0 0", REPLY)),

    /* ---- how much ---- */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 10", WRITE_REPLY(12, 0),
      "= 12 octets are returned, but 10 were written"},
     {WRITE_CALL, "< write 0xb 1000 10", "< write 0xb 1010 2", WRITE_REPLY(12, 0)},
     NULL,
     DEFAULTS},
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 13", WRITE_REPLY(9, 0),
      "= 9 octets are returned, but 13 were written"},
     {WRITE_CALL, "< write 0xb 1000 120", WRITE_REPLY(100, 20)},
     NULL,
     DEFAULTS},
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 120", WRITE_REPLY(100, 50)},
     /* An unused chunk may hold anything; and none of it may have been seen. */
     {WRITE_CALL, "< write 0xb 1000 120", WRITE_REPLY(0, 0)},
     NULL,
     DEFAULTS},
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 10", WRITE_REPLY(12, 0)},
     {WRITE_CALL, "< write 0xb 1000 10", WRITE_CALL, "< write 0xb 1004 4", WRITE_REPLY(10, 0)},
     NULL,
     DEFAULTS},
    /* Seen on the way, an RDMA Read ends after the Reply that it precedes; the request tells. */
    {"V 3.4.5.1/reads-before-reply",
     {READ_CALL, REPLY, "< read 0xa 1000 4 sent:1",
      "= 4 octets at handle 0xa, whose Call is answered already"},
     {READ_CALL, REPLY, "< read 0xa 1000 4 sent:0"},
     "",
     {.max_calls = 16, .seen_between = true}},
    {"V 3.4.5.1/reads-before-reply",
     {READ_CALL, REPLY, "< read 0xa 1000 4 sent:2"},
     {READ_CALL, REPLY, "< read 0xa 1000 4"},
     "",
     {.max_calls = 16, .seen_between = true}},
    /* ---- what providers show ---- */
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, REPLY, "> 8 1 32 0 none call", "< notready 1"},
     /* Not the last of the Sends, and none that was granted. */
     {CALL, REPLY, "> 8 1 32 0 none call", "< notready 0"},
     "",
     DEFAULTS},
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, "< 7 1 1 0 none reply", "> 8 1 32 0 none call", "< notready 1"},
     {CALL, "< 7 1 1 0 none reply", "> 8 1 32 0 none call", "?> 9 1 32 0 none call",
      "< notready 2"},
     "",
     DEFAULTS},
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, "< notready 0"},
     {CALL, CALL, "< notready 1"},
     "",
     DEFAULTS},
    /* Before any answer one Call is granted, and no second one. */
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, "< notready 0"},
     {CALL, "?> 8 1 32 0 none call", "< notready 1"},
     "",
     DEFAULTS},
    /* What cannot be read has no right to a buffer, whatever the Send before it had. */
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, REPLY, "> 8 1 32 0 none call", "< notready 1"},
     {CALL, REPLY, "> 8 1 32 0 none call", "?> 9 1 32 9", "< notready 2"},
     "",
     DEFAULTS},
    /* A Call of the side that has no buffer is none that found none. */
    {"W 3.3.1/receives-before-larger-grant",
     {CALL, REPLY, "> 8 1 32 0 none call", "< notready 1"},
     {CALL, "?< 8 1 32 0 none reply", "?< 9 1 32 0 none reply", "> notready 0"},
     "",
     DEFAULTS},
    {"W 3.3.1/reply-receives-maintained",
     {CALL, REPLY, "> notready 0"},
     {"?> 7 1 32 0 none call", "?< 8 1 32 0 none reply", "> notready 0"},
     "",
     DEFAULTS},
    {"W 3.4.5/memory-registered",
     {READ_CALL, "> refused-read 0xa 1000 100",
      "= 100 octets at handle 0xa are offered by a Call that waits, and refused"},
     {READ_CALL, "> refused-read 0xa 1000 101"},
     "",
     DEFAULTS},
    {"W 3.4.5/memory-registered",
     {WRITE_CALL, "> refused-write 0xb 1100 50",
      "= 50 octets at handle 0xb are offered by a Call that waits, and refused"},
     {WRITE_CALL, "> refused-read 0xb 1100 50"},
     "",
     DEFAULTS},
    {"W 3.4.5/memory-registered",
     {READ_CALL, "> refused-read 0xa 1000 4"},
     {READ_CALL, REPLY, "> refused-read 0xa 1000 4"},
     "",
     DEFAULTS},
    /* From its middle to its end, and beyond. */
    {"W 3.4.5/memory-registered",
     {READ_CALL, "> refused-read 0xa 1060 40"},
     {READ_CALL, "> refused-read 0xa 1060 41"},
     "",
     DEFAULTS},
    {"W 4.5.3/only-read-and-write",
     {READ_CALL, "< atomic 0xa 1000 8", "= an atomic operation at handle 0xa"},
     {READ_CALL, "< read 0xa 1000 8"},
     "",
     DEFAULTS},
    /* Where too few octets were written the finding says how many. */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 10", "< write 0xb 1020 10", WRITE_REPLY(50, 0),
      "= 50 octets are returned, but 30 were written"},
     {WRITE_CALL, "< write 0xb 1000 10", "< write 0xb 1020 10", "< write 0xb 1010 40",
      WRITE_REPLY(50, 0)},
     NULL,
     DEFAULTS},
    /* As many as are returned, but those of the first segment are in the second. */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 90", "< write 0xb 1100 50", WRITE_REPLY(100, 40)},
     {WRITE_CALL, "< write 0xb 1000 100", "< write 0xb 1100 40", WRITE_REPLY(100, 40)},
     NULL,
     DEFAULTS},
    /* What the client offers is not all known: the octets may be in memory of another form. */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 10", WRITE_REPLY(12, 0)},
     {HALF_KNOWN, WRITE_CALL, "< write 0xb 1000 10", WRITE_REPLY(12, 0)},
     NULL,
     DEFAULTS},
    /* What was not recorded was moved all the same. */
    {"V 4.5.3/within-offered-memory",
     {READ_CALL, "< read 0xa 1000 104 1 2"},
     {READ_CALL, "< read 0xa 1000 100 1 2"},
     "",
     DEFAULTS},
    /* Octets in the middle, which no RDMA Write brings. */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 40", "< write 0xb 1060 40", "< write 0xb 1040 10",
      WRITE_REPLY(100, 0), "= 100 octets are returned, but not all of them were written"},
     {WRITE_CALL, "< write 0xb 1060 40", "< write 0xb 1000 60", WRITE_REPLY(100, 0)},
     NULL,
     DEFAULTS},
    /* Two places are closed one after the other, the lower one first. */
    {"W 3.4.6/returned-length-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1020 10", "< write 0xb 1060 40", "< write 0xb 1000 20",
      WRITE_REPLY(100, 0)},
     {WRITE_CALL, "< write 0xb 1020 10", "< write 0xb 1060 40", "< write 0xb 1000 20",
      "< write 0xb 1030 30", WRITE_REPLY(100, 0)},
     NULL,
     DEFAULTS},
    {"W 4.3.3/reply-chunk-length-written @24 -> process",
     {REPLY_CALL, "< write 0xc 0 40", "< 7 1 32 1 0 0 1 1 0xc 44 0 0",
      "= the Reply chunk returns 44 octets; RDMA Writes reached 40, and not all of them"},
     {REPLY_CALL, "< write 0xc 0 44", "< 7 1 32 1 0 0 1 1 0xc 44 0 0"},
     NULL,
     DEFAULTS},
    {"W 4.3.3/reply-chunk-length-written @24 -> process",
     {REPLY_CALL, "< write 0xc 0 20", "< write 0xc 40 20", "< 7 1 32 1 0 0 1 1 0xc 60 0 0",
      "= the Reply chunk returns 60 octets; RDMA Writes reached 60, and not all of them"},
     /* None of it may have been seen. */
     {REPLY_CALL, "< 7 1 32 1 0 0 1 1 0xc 60 0 0"},
     NULL,
     DEFAULTS},
    {"V 3.4.6.2/padding-not-written @24 -> process",
     {WRITE_CALL, "< write 0xb 1000 12", WRITE_REPLY(9, 0),
      "= 12 octets were written for a result of 9: its padding, too"},
     {WRITE_CALL, "< write 0xb 1000 9", WRITE_REPLY(9, 0)},
     NULL,
     DEFAULTS},
};
PLAY_ROWS(rows)

int main(void)
{
    return play_version1("transfer rules", RPCRDMA_SCOPE_TRANSFER, NULL);
}
