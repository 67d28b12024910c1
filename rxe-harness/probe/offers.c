// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a Responder does with a first message of version 2, of either draft, and with versions that
 * are not defined. RFC 8166 asks for ERR_VERS with the versions that it supports
 * (section 4.5.1), and for silence below 28 octets (4.5); then the connection goes on in version 1.
 * A Responder that speaks version 2 may answer in it: such answers are not judged.
 */
#include "rxe-harness/requester/version2/offer.h"
#include "rxe-harness/probe/probe.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <string.h>

#define VERSION_2 2
#define UNDEFINED 0xffffffff /* a version that nobody speaks */
#define REPEATS 100
#define TRIES 8 /* messages that may come before the answer */

/* ---- what comes back ---- */

struct met {
    enum { SILENCE, ANSWER, CLOSED } what;
    bool alive; /* a NULL of version 1 was answered after it */
    uint32_t xid;
    uint8_t sent[REQUESTER_INLINE], came[REQUESTER_INLINE];
    size_t sent_length, came_length;
    struct rpcrdma_prefix prefix; /* of an answer */
    struct requester_reply reply;
};

static bool is_short(const struct met *met)
{
    return met->sent_length < RPCRDMA1_HEADER_MIN;
}

static void take(struct met *met, const struct link_event *event, const struct requester *peer)
{
    met->what = event->type == LINK_CLOSED ? CLOSED : ANSWER;
    if (met->what == CLOSED) {
        met->reply.outcome = RPCRDMA_CLOSE;
        snprintf(met->reply.text, sizeof met->reply.text, "the end of the connection: %.100s",
                 peer->link->why);
        return;
    }
    requester_read_reply(event, NULL, &met->reply);
    met->came_length = peer->came_length;
    memcpy(met->came, peer->came, peer->came_length);
    if (!rpcrdma_prefix_load(&met->prefix, met->came, met->came_length))
        met->prefix = (struct rpcrdma_prefix){.xid = met->reply.xid};
}

/* Silence is known by a NULL that is answered, and no answer beside it. */
static void confirm_silence(struct probe *probe, struct met *met)
{
    static const struct requester_call null = {.procedure = 0};
    struct requester *peer = probe->requester;
    struct requester_pending pending;
    struct link_event event = {.type = LINK_RECEIVED};
    bool begun = requester_begin(peer, &null, &pending);
    for (int tries = 0; begun && tries < TRIES && event.type == LINK_RECEIVED; tries++) {
        unsigned wanted = is_short(met) ? probe->peer.patience : probe->peer.late;
        requester_wait(peer, met->alive ? wanted : probe->options.timeout, &event);
        if (event.type == LINK_RECEIVED && event.length >= 4 &&
            rpcrdma_xdr_load32(event.octets) == pending.xid)
            met->alive = true;
        else if (event.type != LINK_NOTHING)
            take(met, &event, peer);
    }
    requester_forget(peer, &pending);
}

/* Send an offer on this connection. False: there is no memory for it. */
static bool offer_it(struct probe *probe, const struct probe_offer *offer, struct met *met)
{
    struct requester *peer = probe->requester;
    uint8_t rpc[REQUESTER_RPC];
    struct requester_memory memory = {.count = 0};
    struct link_memory piece;
    struct link_event event;
    *met = (struct met){.what = SILENCE, .xid = ++peer->xid, .reply.text = "silence"};
    requester_rpc(rpc, met->xid, peer->program, peer->version, 0);
    if (!requester_expose(peer, &memory, rpc, sizeof rpc, LINK_PEER_READS, &piece))
        return false;
    met->sent_length = offer_encode(peer, offer, &piece, met->sent);
    probe->run.current.offers_2 = offer->version == VERSION_2;
    probe->run.current.error_open = true;              /* the case itself judges what is answered */
    requester_send(peer, met->sent, met->sent_length); /* where it fails, the end is what comes */
    requester_wait(peer, probe->peer.patience, &event);
    if (event.type == LINK_NOTHING)
        confirm_silence(probe, met);
    else
        take(met, &event, peer);
    probe->run.current.offers_2 = probe->run.current.error_open = false;
    requester_hide(peer, &memory);
    return true;
}

/* ---- judgements ---- */

static bool in_range(const struct requester_reply *reply, uint32_t version)
{
    return reply->low <= version && version <= reply->high;
}

/* Whether it says so to a version that nobody speaks, on a connection beside that of the case. */
static bool speaks_2(struct probe *probe)
{
    static const struct probe_offer none = {.message = OFFER_NULL, .version = UNDEFINED};
    struct requester *own = probe->requester;
    struct met met;
    probe->run.xid = own->xid;
    probe->requester = NULL;
    bool speaks = probe_open(probe) && offer_it(probe, &none, &met) &&
                  met.reply.outcome == RPCRDMA_ERR_VERS && in_range(&met.reply, VERSION_2);
    probe_disconnect(probe);
    own->xid = probe->run.xid;
    probe->requester = own;
    return speaks;
}

/* A peer of version 1 that repeats the version word of what it was sent answers in version 1: who
 * speaks version 2 says so in its refusal of others. */
static bool is_of_version_2(struct probe *probe, const struct probe_offer *offer,
                            const struct met *met)
{
    return offer->version == VERSION_2 && met->what == ANSWER && met->prefix.version == VERSION_2 &&
           met->reply.outcome != RPCRDMA_ERR_VERS && speaks_2(probe);
}

/* What is wrong with a refusal, or NULL. */
static const char *fault_of(struct probe *probe, const struct probe_offer *offer, struct met *met)
{
    const struct requester_reply *reply = &met->reply;
    if (reply->vers != offer->version)
        return "in a message of another version";
    if (reply->xid != met->xid)
        return "with another XID";
    if (reply->low > reply->high)
        return "with the first greater than the last";
    if (in_range(reply, offer->version))
        return "the one that is refused among them";
    if (!in_range(reply, RPCRDMA_VERSION_1))
        return "without version 1, which it speaks";
    met->alive = met->alive || requester_null(probe->requester, probe->options.timeout);
    if (met->alive)
        return NULL;
    probe->run.current.tolerated = probe_is_gone(probe);
    return probe->run.current.tolerated ? "then the end of the connection"
                                        : "then no answer to NULL in version 1";
}

/* NULL if it is as RFC 8166 has it. */
static const char *judge(struct probe *probe, const struct probe_offer *offer, struct met *met,
                         char text[PROBE_TEXT])
{
    const char *wrong = "";
    if (met->what == SILENCE && !met->alive)
        wrong = "then no answer to NULL in version 1";
    else if (is_short(met) && met->what == SILENCE)
        wrong = NULL;
    else if (!is_short(met) && met->reply.outcome == RPCRDMA_ERR_VERS)
        wrong = fault_of(probe, offer, met);
    if (wrong == NULL)
        return NULL;
    probe->run.current.nothing = met->what == SILENCE  ? RPCRDMA_DISCARD
                                 : met->what == CLOSED ? RPCRDMA_CLOSE
                                                       : 0;
    snprintf(text, PROBE_TEXT, "%s%s%s", met->reply.text, *wrong ? ", " : "", wrong);
    return text;
}

/* ---- cases ---- */

/* Where it is wrong the report shows the offer, and not the NULL after it. */
static void show(struct requester *peer, const struct met *met)
{
    memcpy(peer->sent, met->sent, met->sent_length);
    peer->sent_length = met->sent_length;
    memcpy(peer->came, met->came, met->came_length);
    peer->came_length = met->came_length;
}

/* One offer on the connection at hand. `settled`: an answer in version 2 came. */
static const char *meet(struct probe *probe, const struct probe_offer *offer, bool *settled,
                        char text[PROBE_TEXT])
{
    struct met met;
    if (!offer_it(probe, offer, &met))
        return "memory cannot be registered";
    *settled = is_of_version_2(probe, offer, &met);
    const char *wrong = *settled ? NULL : judge(probe, offer, &met, text);
    if (wrong)
        show(probe->requester, &met);
    return wrong;
}

static const char *first(struct probe *probe, const struct probe_case *test_case,
                         char text[PROBE_TEXT])
{
    bool settled;
    if (!test_case->offer->later && probe_open(probe) == NULL)
        return "no connection";
    if (test_case->offer->length == OFFER_LARGEST &&
        probe->requester->send_limit <= OFFER_FIRST_MAX) {
        probe->run.current.inapplicable = true;
        return "the peer takes no Send of more than 1024 octets";
    }
    return meet(probe, test_case->offer, &settled, text);
}

/* The refusal grants credits, as every message of the peer's does: as many Calls of version 1 at
 * once are answered. */
static const char *fall_back(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    bool settled;
    if (probe_open(probe) == NULL)
        return "no connection";
    const char *wrong = meet(probe, test_case->offer, &settled, text);
    return wrong || settled ? wrong : probe_calls_at_once(probe, text);
}

static const char *step_down(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    static const struct probe_offer steps[] = {{.message = OFFER_NULL, .version = 4},
                                               {.message = OFFER_NULL, .version = 3},
                                               {.message = OFFER_NULL_07, .version = VERSION_2}};
    (void)test_case;
    bool settled = false;
    const char *wrong = probe_open(probe) ? NULL : "no connection";
    for (size_t i = 0; i < COUNT(steps) && wrong == NULL && !settled; i++)
        wrong = meet(probe, &steps[i], &settled, text);
    return wrong;
}

/* A Send that is refused uses a Receive, which has to be posted again. */
static const char *repeated(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    bool settled = false;
    const char *wrong = probe_open(probe) ? NULL : "no connection";
    for (unsigned i = 0; i < REPEATS && wrong == NULL && !settled; i++)
        wrong = meet(probe, test_case->offer, &settled, text);
    return wrong;
}

#define REFUSED "rfc8166/4.5.1/unsupported-version-answered"
#define DROPPED "rfc8166/4.5/short-message-discarded"
#define OFFER(name, requirement, text, ...)                                                        \
    {                                                                                              \
        .id = name, .comment = text, .rule = requirement, .run = first, .ending = ENDING_WRONG,    \
        .offer = &(const struct probe_offer)                                                       \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TWO(of) .message = OFFER_##of, .version = VERSION_2

/* clang-format off */
const struct probe_case probe_version_cases[] = {
    OFFER("v2-first-null-04", REFUSED, "The first Send is a NULL of version 2, draft -04.",
          TWO(NULL_04)),
    OFFER("v2-first-null-07", REFUSED, "The first Send is a NULL of version 2, draft -07.",
          TWO(NULL_07)),
    OFFER("v2-first-null-04-of-1024", REFUSED, "A NULL of -04 fills 1024 octets.",
          TWO(NULL_04), .length = OFFER_FIRST_MAX),
    OFFER("v2-first-null-07-of-1024", REFUSED, "A NULL of -07 fills 1024 octets.",
          TWO(NULL_07), .length = OFFER_FIRST_MAX),
    OFFER("v2-first-null-04-of-more", REFUSED, "A NULL of -04 fills the largest Send the peer takes.",
          TWO(NULL_04), .length = OFFER_LARGEST),
    OFFER("v2-first-null-07-of-more", REFUSED, "A NULL of -07 fills the largest Send the peer takes.",
          TWO(NULL_07), .length = OFFER_LARGEST),
    OFFER("v2-first-long-null-04", REFUSED, "A NULL of -04 in a Read chunk, which is not read.",
          TWO(LONG_NULL_04)),
    OFFER("v2-first-long-null-07", REFUSED, "A NULL of -07 in a Read chunk, which is not read.",
          TWO(LONG_NULL_07)),
    OFFER("v2-first-connprop-04", REFUSED, "CONNPROP of -04 with one property comes first.",
          TWO(CONNPROP_04)),
    OFFER("v2-first-connprop-07", REFUSED, "CONNPROP of -07 with one property comes first.",
          TWO(CONNPROP_07)),
    OFFER("v2-first-connprop-04-of-28", REFUSED,
          "CONNPROP of -04 of 28 octets, as many as the smallest header of version 1 has.",
          TWO(CONNPROP_04), .length = 28),
    OFFER("v2-first-connprop-04-of-24", DROPPED,
          "CONNPROP of -04 that says nothing: 24 octets, which version 1 drops.",
          TWO(CONNPROP_04), .length = 24),
    OFFER("v2-first-connprop-07-of-20", DROPPED,
          "CONNPROP of -07 that says nothing: 20 octets, which version 1 drops.",
          TWO(CONNPROP_07), .length = 20),
    OFFER("v2-first-piece-07-of-28", REFUSED,
          "The first two words of a NULL of -07, in 28 octets.", TWO(PIECE_07), .length = 28),
    OFFER("v2-first-piece-07-of-24", DROPPED,
          "The first word of a NULL of -07, in 24 octets, which version 1 drops.",
          TWO(PIECE_07), .length = 24),
    OFFER("v2-first-grant-07", DROPPED, "GRANT of -07: 16 octets, which version 1 drops.",
          TWO(GRANT_07)),
    OFFER("v2-first-version-0", REFUSED, "The first Send is a NULL of version 0.",
          .message = OFFER_NULL),
    OFFER("v2-first-version-3", REFUSED, "The first Send is a NULL of version 3.",
          .message = OFFER_NULL, .version = 3),
    OFFER("v2-first-version-4294967295", REFUSED, "The first Send is a NULL of version 4294967295.",
          .message = OFFER_NULL, .version = UNDEFINED),
    OFFER("v2-after-v1-null-04", REFUSED, "A NULL of version 2, draft -04, after one of version 1.",
          TWO(NULL_04), .later = true),
    OFFER("v2-after-v1-null-07", REFUSED, "A NULL of version 2, draft -07, after one of version 1.",
          TWO(NULL_07), .later = true),
    {.id = "v2-first-fallback",
     .comment = "After ERR_VERS for version 2 as many NULLs of version 1 at once as it granted.",
     .rule = REFUSED, .run = fall_back, .ending = ENDING_WRONG,
     .offer = &(const struct probe_offer){TWO(NULL_07)}},
    {.id = "v2-first-step-down",
     .comment = "NULLs of versions 4, 3 and 2 on one connection: each is refused.",
     .rule = REFUSED, .run = step_down, .ending = ENDING_WRONG},
    {.id = "v2-first-in-a-row",
     .comment = "A hundred NULLs of version 2, draft -04, one of version 1 after each.",
     .rule = REFUSED, .run = repeated, .ending = ENDING_WRONG,
     .offer = &(const struct probe_offer){TWO(NULL_04)}},
    {.id = NULL},
};
/* clang-format on */
