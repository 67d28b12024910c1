/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Version 2 by draft-ietf-nfsv4-rpcrdma-version-two-07: who begins and in which version (section 4.3), properties (6.3.3,
 * 6.3.4), credits (4.2.1), messages in pieces (6.3.6, 6.3.9), errors that end a transaction (7), remote invalidation (6.5),
 * the life of a chunk (3.2.2, 4.5.2), and the loss of the connection at every point.
 *
 * The peers keep all rules; `left_out` names one that they may break, once: the steps are below "forbidden". What has to
 * hold is an invariant: `checked` names one, or all are, if it is 0. Rules and invariants have the ids of the register
 * (../requirements). What is wrong with the text is in ../version-2-defects.md; the choices name its entries.
 */

#include "bounds.pml"
/* ---- choices ---- */
#ifndef WORD    /* 4.2.1, defect 1: the credit word counts 0 the Sends of its sender (the text), 1 its Receives */
#define WORD 1
#endif
#ifndef LIMIT   /* 4.2.1, defect 1: a Send is barred if the count is above the limit 0 before it (the text), 1 with it */
#define LIMIT 1
#endif
#ifndef BETWEEN_PIECES /* 6.3.6, defect 8: a GRANT between pieces 0 is forbidden (the text), 1 is allowed */
#define BETWEEN_PIECES 1
#endif
#ifndef FIRST_SHORT    /* 4.3, defect 3: the first message 0 has 28 octets at least, 1 can be shorter (the text) */
#define FIRST_SHORT 0
#endif
#ifndef EARLY   /* 4.2.1.1: a GRANT is sent when the other side may send 0 nothing more, 1 one message more */
#define EARLY 0
#endif

#ifndef PREFIX_20      /* 7, defect 2: a GRANT of 16 octets is 0 taken, 1 dropped, for the prefix is said to have 20 */
#define PREFIX_20 0
#endif
#ifndef FINAL_REFUSED  /* 7.2.2, defect 9: CONNPROP_FINAL is 0 taken, 1 refused */
#define FINAL_REFUSED 0
#endif
#ifndef ZERO    /* 4.2.1.1: a word grants 0 what is advertised, 1 or nothing */
#define ZERO 0
#endif

/* ---- rules ---- */
#define SENDS_WITHIN_LIMIT    1 /* rpcrdma2-07/4.2.1/sends-within-limit, rpcrdma2-07/4.2.1/send-at-limit, rpcrdma2-07/4.3/one-send-at-first */
#define SPARE_RECEIVE         2 /* rpcrdma2-07/4.2.1.1/spare-receive */
#define ONE_GRANT_BEYOND      3 /* rpcrdma2-07/4.2.1.1/one-grant-beyond */
#define TOTAL_ABOVE_COUNT     4 /* rpcrdma2-07/4.2.1/total-above-count */
#define AS_ADVERTISED        20 /* rpcrdma2-07/4.2.1/receives-as-advertised */
#define REFRESHED_BY_GRANT    5 /* rpcrdma2-07/4.2.1.1/refreshed-by-grant */
#define SERVER_WAITS          6 /* rpcrdma2-07/4.3.3/server-waits */
#define VERSION_ANSWERED      7 /* rpcrdma2-07/4.3.2/unsupported-version-answered */
#define REFUSED_NOT_USED      8 /* rpcrdma2-07/7.1.1/refused-version-not-used */
#define CLIENT_VERSION        9 /* rpcrdma2-07/4.3.3/client-version */
#define SERVER_VERSION       10 /* rpcrdma2-07/4.3.3/server-version */
#define PIECES_NOT_MIXED     11 /* rpcrdma2-07/4.1/pieces-not-mixed */
#define REPLY_MATCHES_CALL   12 /* rpcrdma2-07/3.1.3/reply-matches-call */
#define ERROR_ENDS           13 /* rpcrdma2-07/7/error-without-message */
#define PLAIN_SEND           14 /* rpcrdma2-07/6.5/plain-send-if-zero */
#define HANDLE_OF_CALL       15 /* rpcrdma2-07/6.5/handle-of-call */
#define WITH_LAST_PIECE      16 /* rpcrdma2-07/6.5/invalidates-with-last-piece */
#define CONTROL_PLAIN        17 /* rpcrdma2-07/6.5/control-not-invalidating */
#define PROPERTIES_CONTINUE  18 /* rpcrdma2-07/6.3.3/properties-continue, rpcrdma2-07/6.3.6/control-between */
#define NOTHING_AFTER_FINAL  19 /* rpcrdma2-07/6.3.4/nothing-after-final */
#define CONTROL_BETWEEN      21 /* rpcrdma2-07/6.3.6/control-between */
#define READS_BEFORE_REPLY   22 /* rpcrdma2-07/3.2.2.5/reads-before-reply */
#define WRITES_BEFORE_REPLY  23 /* rpcrdma2-07/3.2.2.4/writes-before-reply */
#define RETURNED_LENGTH_WRITTEN 24 /* rpcrdma2-07/4.5.2.1/returned-length-written, rpcrdma2-07/4.5.2.2/reply-chunk-length-written */
#define WITHIN_OFFERED_MEMORY 25 /* rpcrdma2-07/4/within-offered-memory */
#define BEGINS_ANEW          26 /* rpcrdma2-07/4.3/one-send-at-first */
#define REMAINING            27 /* rpcrdma2-07/6.3.6/call-remaining, rpcrdma2-07/6.3.9/reply-remaining */
#define CALL_CONTINUES       28 /* rpcrdma2-07/6.3.6/call-continues */
#define REPLY_CONTINUES      29 /* rpcrdma2-07/6.3.9/reply-continues */
#define AFTER_CALL           30 /* rpcrdma2-07/6.6.2/reply-before-call-ends */
#define BREAKS(rule) (left_out == rule && !broken && !over)

/* ---- invariants ---- */
#define RECEIVES_POSTED   1 /* rpcrdma2-07/4.2/within-peer-limits: a Send meets a Receive */
#define ONE_VERSION       2 /* rpcrdma2-07/4.3.1/answered-in-version-two: the two sides speak one version */
#define WHOLE_MESSAGES    3 /* rpcrdma2-07/4.1/pieces-in-order: what pieces are joined to is one message */
#define OWN_ANSWER        4 /* rpcrdma2-07/3.1.3/reply-matches-call: an answer belongs to a Call that waits */
#define MEMORY_ALONE      5 /* rpcrdma2-07/6.5/handle-of-call: what is invalidated was let go, and is not needed any more */
#define PROPERTIES_WHOLE  6 /* rpcrdma2-07/6.3.4/nothing-after-final: the properties of a side are one message after the other */
#define CREDITS_KEPT      7 /* rpcrdma2-07/4.2.1/running-total: what a side may send is not taken back */
#define MEMORY_REGISTERED 8 /* rpcrdma2-07/3.2.2.1/memory-registered: an RDMA operation meets memory of a Call that waits */
#define WRITES_ARRIVED    9 /* rpcrdma2-07/4.5.2.1/returned-length-written: what a Reply returns is there */
#include "sides.pml"

#define IDLE 0 /* of a Call, at its Requester */
#define CALLING 1 /* in pieces */
#define WAITING 2
#define DONE 3
#define HAS 1  /* at its Responder */
#define REPLYING 2
#define REPLIED 3
#define FAILED 4 /* by an error */

byte left_out, checked, broken, losses;
bool over, invalidation, knows_2;    /* Calls name a handle to be invalidated; the server speaks version 2 */
byte version[2];                     /* of the connection, as a side sees it; 0: not known */
byte sent[2], came[2], limit[2], told[2]; /* told: the last credit word of a side */
byte grants[2];                      /* counted where GRANTS is a bound */
bool beyond[2];                      /* one GRANT was sent above the limit, and no word came since */
byte requester[CALLS], responder[CALLS], xid[CALLS], offers[CALLS], reading[CALLS];
bool registered[CALLS], written[CALLS], arrived[CALLS];
hidden byte word;
byte piece[2];                       /* Call whose message a side is in the middle of, and 1; or 0 */
byte joining[2];                     /* the same, of what a side has received */
byte telling[2], heard[2];           /* properties: 0 not begun, MIDDLE, FINAL */
byte flying[2];                      /* Sends of a side that have not arrived */
chan wire[2] = [ADVERTISED + 4] of { byte, byte, byte, byte }; /* by their sender: what, which Call, credits, flag */
#define CALL_PIECE 7  /* besides those of the observer */
#define REPLY_PIECE 8
#define REFRESH 9
#define MIDDLE 10
#define FINAL 11
#define ERR_VERS 12
#define VERSION_1 13  /* a Call or Reply of version 1: no more is modelled of it */
#define SHORT 14      /* a first message of less than 28 octets */
#define FEW 8         /* flag of a piece: fewer octets remain than it takes to go on */
#include "observer.pml"
#include "settings.pml"
#define ALL(n, what) (what(0) && (CALLS < 2 || what(1 % CALLS)) && (CALLS < 3 || what(2 % CALLS)))
#define IS_DONE(n) requester[n] == DONE
#define IS_OVER (len(wire[CLIENT]) + len(wire[SERVER]) == 0 && NOTHING_PASSES && (version[CLIENT] == 1 || ALL(n, IS_DONE)))

#include "connection2.pml"

/* The lists come with the last piece. */
inline call()
{
    offer();
    registered[n] = invalidation || offers[n] != NO_CHUNK; requester[n] = WAITING; piece[s] = 0;
    post(s, CALL, n, offers[n])
}

#define AMID_CALL (joining[r] == n + 1 && responder[n] != FAILED)
#define READY (responder[n] == HAS && MAY_BEGIN(r) && reading[n] != 1) /* arguments that nobody needs are not read */

proctype transaction(byte n) provided (!over)
{
    byte s = REQUESTER(n), r = OTHER(REQUESTER(n));
    do
    /* ---- its Requester ---- */
    :: atomic { requester[n] == IDLE && MAY_BEGIN(s) && MAY_CALL(s) -> call() }
    :: atomic { PIECES && requester[n] == IDLE && MAY_BEGIN(s) && MAY_CALL(s) && sent[s] > 0 ->
        requester[n] = CALLING; piece[s] = n + 1; post(s, CALL_PIECE, n, 0) }
    :: atomic { requester[n] == CALLING && MAY_SEND(s) -> call() }

    /* ---- its Responder ---- */
    :: atomic { responder[n] == HAS && READS(n) && reading[n] == 0 -> reading[n] = 1; send(r, READ, n, 0, 0) }
    :: atomic { responder[n] == HAS && WRITES(n) && !written[n] -> written[n] = true; send(r, WRITE, n, 0, 0) }
    :: atomic { CAN_REPLY -> responder[n] = REPLIED; post(r, REPLY, n, RETURNED) }
    :: atomic { CAN_REPLY && invalidation -> responder[n] = REPLIED; post(r, REPLY, n, RETURNED + INVALIDATES) }
    :: atomic { PIECES && CAN_REPLY && offers[n] != REPLY_CHUNK ->
        responder[n] = REPLYING; piece[r] = n + 1; post(r, REPLY_PIECE, n, 0) }
    :: atomic { responder[n] == REPLYING && MAY_SEND(r) -> responder[n] = REPLIED; piece[r] = 0;
        post(r, REPLY, n, RETURNED + (invalidation -> INVALIDATES : 0)) }
    :: atomic { ERRORS && READY -> responder[n] = FAILED; post(r, ERROR, n, 0) }
    :: atomic { ERRORS > 1 && AMID_CALL && MAY_BEGIN(r) -> responder[n] = FAILED; joining[r] = 0; post(r, ERROR, n, 0) }

    /* ---- forbidden ---- */
    :: atomic { (BREAKS(SENDS_WITHIN_LIMIT) || (!TRACE && left_out == SENDS_WITHIN_LIMIT)) && requester[n] == IDLE && version[s] == 2 && !MAY_SEND(s) && piece[s] == 0 ->
        requester[n] = WAITING; post(s, CALL + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(TOTAL_ABOVE_COUNT) && responder[n] == HAS && MAY_BEGIN(r) && came[r] > 1 ->
        responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(PIECES_NOT_MIXED) && requester[n] == IDLE && IS_OPEN(s) && MAY_SEND(s) && piece[s] > 0 ->
        requester[n] = WAITING; post(s, CALL + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(PIECES_NOT_MIXED) && responder[n] == HAS && IS_OPEN(r) && MAY_SEND(r) && piece[r] > 0 ->
        responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(CONTROL_BETWEEN) && responder[n] == HAS && IS_OPEN(r) && MAY_SEND(r) && piece[r] > 0 ->
        responder[n] = FAILED; post(r, ERROR + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(REPLY_CONTINUES) && requester[n] == IDLE && IS_OPEN(s) && MAY_SEND(s) && MAY_CALL(s) && AMID_REPLY(s) ->
        requester[n] = WAITING; post(s, CALL + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(REMAINING) && PIECES && requester[n] == IDLE && MAY_BEGIN(s) && MAY_CALL(s) && sent[s] > 0 ->
        requester[n] = CALLING; piece[s] = n + 1; post(s, CALL_PIECE + FORBIDDEN, n, FEW) }
    :: atomic { BREAKS(REMAINING) && PIECES && CAN_REPLY ->
        responder[n] = REPLYING; piece[r] = n + 1; post(r, REPLY_PIECE + FORBIDDEN, n, FEW) }
    :: atomic { BREAKS(AFTER_CALL) && AMID_CALL && MAY_BEGIN(r) -> responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(CONTROL_PLAIN) && ERRORS && READY -> responder[n] = FAILED; post(r, ERROR + FORBIDDEN, n, INVALIDATES) }
    :: atomic { BREAKS(PROPERTIES_CONTINUE) && requester[n] == IDLE && IS_OPEN(s) && MAY_SEND(s) && telling[s] == MIDDLE ->
        requester[n] = WAITING; post(s, CALL + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(REPLY_MATCHES_CALL) && responder[n] == REPLIED && MAY_BEGIN(r) ->
        post(r, REPLY + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(ERROR_ENDS) && responder[n] >= REPLIED && MAY_BEGIN(r) -> post(r, ERROR + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(PLAIN_SEND) && responder[n] == HAS && MAY_BEGIN(r) && !invalidation ->
        responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, INVALIDATES) }
    :: atomic { BREAKS(HANDLE_OF_CALL) && responder[n] == HAS && MAY_BEGIN(r) && invalidation ->
        responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, INVALIDATES + STRAY) }
    :: atomic { BREAKS(WITH_LAST_PIECE) && PIECES && responder[n] == HAS && MAY_BEGIN(r) && invalidation ->
        responder[n] = REPLYING; piece[r] = n + 1; post(r, REPLY_PIECE + FORBIDDEN, n, INVALIDATES) }
    :: atomic { BREAKS(READS_BEFORE_REPLY) && responder[n] >= REPLIED && READS(n) && reading[n] == 0 ->
        reading[n] = 1; send(r, READ + FORBIDDEN, n, 0, 0) }
    :: atomic { BREAKS(WRITES_BEFORE_REPLY) && responder[n] >= REPLIED && WRITES(n) && !written[n] ->
        written[n] = true; send(r, WRITE + FORBIDDEN, n, 0, 0) }
    :: atomic { BREAKS(RETURNED_LENGTH_WRITTEN) && READY && WRITES(n) && !written[n] ->
        responder[n] = REPLIED; post(r, REPLY + FORBIDDEN, n, RETURNS) }
    :: atomic { BREAKS(WITHIN_OFFERED_MEMORY) && responder[n] == HAS -> send(r, WRITE + FORBIDDEN, n, 0, STRAY) }
    :: atomic { BREAKS(CLIENT_VERSION) && s == CLIENT && requester[n] == IDLE && came[s] > 0 && MAY_BEGIN(s) ->
        requester[n] = WAITING; post(s, VERSION_1 + FORBIDDEN, n, 0) }
    :: atomic { BREAKS(SERVER_VERSION) && s == CLIENT && responder[n] == HAS && MAY_BEGIN(r) ->
        responder[n] = REPLIED; post(r, VERSION_1 + FORBIDDEN, n, 1) }
    :: IS_OVER || sent[CLIENT] >= SENDS || sent[SERVER] >= SENDS -> break
    od
}

inline take()
{
    if
    :: what == READ -> HOLDS(MEMORY_REGISTERED, registered[n]); send(to, DATA + mark, n, 0, 0)
    :: what == DATA -> reading[n] = 2
    :: what == WRITE -> HOLDS(MEMORY_REGISTERED, registered[n] && !(flag & STRAY)); arrived[n] = true
    :: what == CALL || what == CALL_PIECE ->
        HOLDS(PROPERTIES_WHOLE, heard[to] != MIDDLE);
        HOLDS(WHOLE_MESSAGES, (joining[to] == 0 || joining[to] == n + 1) && !(flag & FEW));
        joining[to] = (what == CALL || responder[n] == FAILED -> 0 : n + 1);
        responder[n] = (what == CALL && responder[n] != FAILED -> HAS : responder[n])
    :: what == REPLY || what == REPLY_PIECE ->
        HOLDS(WHOLE_MESSAGES, (joining[to] == 0 || joining[to] == n + 1) && !(flag & FEW));
        joining[to] = (what == REPLY -> 0 : n + 1);
        HOLDS(OWN_ANSWER, requester[n] == WAITING);
        HOLDS(MEMORY_ALONE, !(flag & INVALIDATES) || (invalidation && registered[n] && what == REPLY && !(flag & STRAY)));
        HOLDS(WRITES_ARRIVED, arrived[n] || !(flag & RETURNS));
        registered[n] = registered[n] && what != REPLY;
        requester[n] = (what == REPLY -> DONE : requester[n])
    :: what == ERROR ->
        HOLDS(OWN_ANSWER, requester[n] == WAITING || (ERRORS > 1 && requester[n] == CALLING));
        HOLDS(MEMORY_ALONE, !(flag & INVALIDATES));
        piece[to] = (requester[n] == CALLING -> 0 : piece[to]); registered[n] = false; requester[n] = DONE
    :: what == REFRESH ->
        HOLDS(PROPERTIES_WHOLE, heard[to] != MIDDLE);
        HOLDS(MEMORY_ALONE, !(flag & INVALIDATES))
    :: what == MIDDLE || what == FINAL ->
        HOLDS(WHOLE_MESSAGES, joining[to] == 0); HOLDS(PROPERTIES_WHOLE, heard[to] != FINAL);
        heard[to] = (what == FINAL && FINAL_REFUSED -> heard[to] : what)
    :: else
    fi
}

inline arrive()
{
    if
    :: what >= READ && what <= WRITE -> take()
    :: else -> flying[OTHER(to)]--; take_send()
    fi
}

inline take_send()
{
    if
    :: to == SERVER && !knows_2 && what != VERSION_1 -> HOLDS(ONE_VERSION, version[SERVER] == 0); refuse()
    :: what == ERR_VERS && left_out == REFUSED_NOT_USED && !broken -> flying[to]++; send(to, CALL + FORBIDDEN, n, ADVERTISED, 0)
    :: what == ERR_VERS && (left_out != REFUSED_NOT_USED || broken) -> version[CLIENT] = 1; requester[n] = DONE
    :: what == VERSION_1 -> HOLDS(ONE_VERSION, version[to] == 1)
    :: what == REFRESH && PREFIX_20 && version[to] == 2 -> came[to]++
    :: else ->
        /* nobody granted the one credit before the first word, which may grant none (4.2.1.1) */
        HOLDS(CREDITS_KEPT, came[to] == 0 || credits >= limit[to]);
        version[to] = 2; came[to]++; limit[to] = credits; beyond[to] = false; take()
    fi
}

proctype network() provided (!over)
{
    byte what, n, credits, flag, to, mark;
    do
    :: atomic { wire[CLIENT]?what, n, credits, flag -> to = SERVER; received(); arrive() }
    :: atomic { wire[SERVER]?what, n, credits, flag -> to = CLIENT; received(); arrive() }
    :: atomic { losses < LOSSES && version[CLIENT] == 2 && !IS_OVER && sent[CLIENT] < SENDS && sent[SERVER] < SENDS -> lose() }
    OBSERVES
    :: IS_OVER || sent[CLIENT] >= SENDS || sent[SERVER] >= SENDS -> break
    od;
    complete()
}

init
{
    atomic {
        settings();
        byte to;
        connect();
        if
        :: invalidation = true
        :: invalidation = false
        fi;
        if
        :: knows_2 = true
        :: REFUSALS -> knows_2 = false
        fi;
        byte i;
        for (i : 0 .. CALLS - 1) { xid[i] = (i < FORWARD -> i : i - FORWARD); run transaction(i) }
        run control(CLIENT); run control(SERVER);
        run network()
    }
}
