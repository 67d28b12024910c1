// SPDX-License-Identifier: BSD-3-Clause
/* Memory as its owner sees it: what no capture shows, and a trace of the kernel does. */
#include "vectors/make/vectors.h"

/* 100 octets of an argument at 1000 of handle 0xa. */
#define REGISTERED "> registered-read:0xa:1000:100"
#define CALL "> msg read:40:0xa/100/1000 | call"
#define NEXT_CALL "> msg xid:8 read:40:0xa/100/1000 | call"
#define REPLY "< msg | accepted"
/* Room of 100 octets under handle 0xb. */
#define ROOM "> registered-write:0xb:1000:100"
#define WRITE_CALL "> msg write:0xb/100/1000 | call"
#define WRITE_REPLY "< msg write:0xb/0/1000 | accepted"
#define OTHER_CALL "> msg xid:8 | call"
#define OTHER_REPLY "< msg xid:8 | accepted"

#define NOT_REGISTERED(at) "W:3.4.5/memory-registered@" #at
#define FENCED "W:4.4.1/memory-fenced"

static const struct vector registration_vectors[] = {
    /* ---- registered ---- */
    {
        .id = "offered-not-registered",
        .comment = "A Call offers memory that was never registered.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{CALL, NOT_REGISTERED(24)}},
    },
    {
        .id = "offered-and-registered",
        .comment = "Registered, offered, taken back, and the RPC is over.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "3.4.5/memory-registered 4.4.1/memory-fenced",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {"< rdma-read:0xa:1000 | octets:100", NULL},
                   {REPLY, NULL},
                   {"> invalidated:0xa", ""},
                   {"> completed:0x2f0c0001", ""}},
    },
    {
        .id = "offered-after-invalidation",
        .comment = "The memory was taken back before the Call that offers it.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""}, {"> invalidated:0xa", ""}, {CALL, NOT_REGISTERED(24)}},
    },
    {
        .id = "offered-one-octet-more",
        .comment = "Of 100 octets that are offered, 99 are registered.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{"> registered-read:0xa:1000:99", ""}, {CALL, NOT_REGISTERED(24)}},
    },
    {
        .id = "offered-within-larger-registration",
        .comment = "More is registered than is offered, and to be written as well.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "3.4.5/memory-registered",
        .events = {{"> registered-both:0xa:0:4096", ""}, {CALL, NULL}},
    },
    {
        .id = "offered-to-be-read-registered-to-be-written",
        .comment = "What the Responder has to read is registered to be written alone.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{"> registered-write:0xa:1000:100", ""}, {CALL, NOT_REGISTERED(24)}},
    },
    {
        .id = "offered-to-be-written-registered-to-be-read",
        .comment = "What the Responder has to write is registered to be read alone.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{"> registered-read:0xb:1000:100", ""}, {WRITE_CALL, NOT_REGISTERED(28)}},
    },
    {
        .id = "registered-before-the-beginning",
        .comment = "What is seen begins later than the connection, and perhaps than the "
                   "registration.",
        .flags = "near-miss",
        .settings = "registrations mid",
        .near_miss = "3.4.5/memory-registered 4.4.1/memory-fenced",
        .events = {{CALL, NULL}, {REPLY, NULL}, {"> completed:0x2f0c0001", ""}},
    },

    /* ---- taken back ---- */
    {
        .id = "completed-while-registered",
        .comment = "The RPC is over, and the Responder can still read the memory.",
        .flags = "remarkable",
        .settings = "registrations",
        .events =
            {{REGISTERED, ""}, {CALL, NULL}, {REPLY, NULL}, {"> completed:0x2f0c0001", FENCED}},
    },
    {
        .id = "completed-while-one-is-registered",
        .comment = "Two handles were offered, and one is taken back in time.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""},
                   {ROOM, ""},
                   {"> msg read:40:0xa/100/1000 write:0xb/100/1000 | call", NULL},
                   {WRITE_REPLY, NULL},
                   {"> invalidated:0xa", ""},
                   {"> completed:0x2f0c0001", FENCED}},
    },
    {
        .id = "completed-after-remote-invalidation",
        .comment = "The Reply itself takes the handle back.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "4.4.1/memory-fenced",
        .events = {{"> private-data | 0xf6ab0e18 0x01010303", NULL},
                   {"< private-data | 0xf6ab0e18 0x01010303", NULL},
                   {REGISTERED, ""},
                   {CALL, NULL},
                   {"< msg invalidate:0xa | accepted", NULL},
                   {"> completed:0x2f0c0001", ""}},
    },
    {
        .id = "completed-after-error-while-registered",
        .comment = "An RDMA_ERROR ends the RPC, and the memory stays within reach.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {"< error:chunk", "terminate"},
                   {"> completed:0x2f0c0001", FENCED}},
    },
    {
        .id = "cancelled-while-registered",
        .comment = "The RPC is given up before its Reply, and the Responder can still read the "
                   "memory.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {"> completed:0x2f0c0001", "W:4.4.1/cancelled-calls-too"}},
    },
    {
        .id = "cancelled-after-invalidation",
        .comment = "The RPC is given up before its Reply, after its memory was taken back.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "4.4.1/cancelled-calls-too",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {"> invalidated:0xa", ""},
                   {"> completed:0x2f0c0001", ""}},
    },
    {
        .id = "registered-anew-before-completion",
        .comment = "By the end of the RPC the handle is registered again, for another Call.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "4.4.1/memory-fenced 8.1.2/no-persistent-memory",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {REPLY, NULL},
                   {"> invalidated:0xa", ""},
                   {REGISTERED, ""},
                   {NEXT_CALL, NULL},
                   {"> completed:0x2f0c0001", ""}},
    },

    /* ---- for how long ---- */
    {
        .id = "one-handle-for-two-calls",
        .comment = "Memory stays registered from one Call to the next.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {REPLY, NULL},
                   {NEXT_CALL, "N:8.1.2/no-persistent-memory@24"}},
    },
    {
        .id = "completed-with-one-handle-for-two-calls",
        .comment = "Memory that serves one Call after the other can be registered for good, and "
                   "the upper layer get a copy (section 4.4.3).",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "4.4.1/memory-fenced",
        .events = {{REGISTERED, ""},
                   {CALL, NULL},
                   {REPLY, NULL},
                   {NEXT_CALL, "N:8.1.2/no-persistent-memory@24"},
                   {OTHER_REPLY, NULL},
                   {"> completed:8", ""}},
    },
    {
        .id = "registered-before-another-call",
        .comment = "A Call came and was answered between the registration and its use.",
        .flags = "remarkable",
        .settings = "registrations",
        .events = {{REGISTERED, ""},
                   {OTHER_CALL, NULL},
                   {OTHER_REPLY, NULL},
                   {CALL, "N:8.1.3/registered-just-in-time@24"}},
    },
    {
        .id = "registered-before-another-reply",
        .comment = "What was answered meanwhile was called before the registration.",
        .flags = "near-miss",
        .settings = "registrations",
        .near_miss = "8.1.3/registered-just-in-time",
        .events = {{OTHER_CALL, NULL}, {REGISTERED, ""}, {OTHER_REPLY, NULL}, {CALL, NULL}},
    },
};

const struct vector_group registrations = {
    GROUP("registrations.json", registration_vectors),
    .title = "Memory as its owner sees it",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.5, 4.4.1, 8.1.2 and 8.1.3",
};
