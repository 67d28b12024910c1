/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RPC-over-RDMA version 1: two peers, two wires. Credits of both directions over one connection (RFC 8166 section 3.3,
 * RFC 8167), the life of a chunk (3.4, 3.5, 4.4), remote invalidation (RFC 8797), errors (4.5), and the loss of the
 * connection at every point.
 *
 * The peers keep all rules; `left_out` names one that they may break, once: the steps are below "forbidden". What has to
 * hold is an invariant: `checked` names one, or all are, if it is 0. Rules and invariants have the ids of the register
 * (../requirements). What the text leaves open is a choice, a macro.
 */

#include "bounds.pml"
/* ---- choices ---- */
#ifndef LOWERED_GRANT  /* 3.3.1: beyond a lowered grant Receives 0 stay until they are used, 1 are taken away at once, */
#define LOWERED_GRANT 0                                       /* as those of a Shared Receive Queue can be */
#endif
#ifndef RESENT_CALL    /* 3.3.1: a Call is sent again on its connection 0 never, 1 with a credit of its own, 2 without */
#define RESENT_CALL 0
#endif
#ifndef ERROR_IS_REPLY /* 3.3.3: RDMA_ERROR is the valid reply that opens the credits */
#define ERROR_IS_REPLY 1
#endif
#ifndef STRANDED_CALL  /* RFC 8167 section 6: a reverse Call that was lost with its connection, when the client has no */
#define STRANDED_CALL 0                                       /* more Calls to show itself by: 0 fails, 1 waits */
#endif

/* ---- rules ---- */
#define ONE_CREDIT_AT_FIRST       1  /* rfc8166/3.3.3/one-credit-at-first */
#define VALID_REPLY_FIRST         2  /* rfc8166/3.3.3/valid-reply-first */
#define CALLS_WITHIN_GRANT        3  /* rfc8166/3.3.1/calls-within-grant */
#define GRANT_NOT_ZERO            4  /* rfc8166/3.3.1/grant-not-zero */
#define REPLY_MATCHES_CALL        5  /* rfc8166/2.2.2/reply-matches-call */
#define XID_UNIQUE                6  /* rfc8166/2.2.2/xid-unique */
#define READS_BEFORE_REPLY        7  /* rfc8166/3.4.5.1/reads-before-reply */
#define WRITES_BEFORE_REPLY       8  /* rfc8166/3.5.2/writes-before-reply */
#define RETURNED_LENGTH_WRITTEN   9  /* rfc8166/3.4.6/returned-length-written, rfc8166/4.3.3/reply-chunk-length-written */
#define WITHIN_OFFERED_MEMORY    10  /* rfc8166/4.5.3/within-offered-memory */
#define INVALIDATE_OWN           11  /* rfc8797/4.1/invalidate-own-transaction */
#define PLAIN_SEND               12  /* rfc8797/4.1/plain-send-without-support, rfc8797/5.1/defaults-without-message */
#define REQUESTER_SENDS_NO_ERROR 13  /* rfc8166/4.2.4/requester-sends-no-error */
#define PEER_PREPARED            14  /* rfc8167/6/peer-prepared */
#define ONLY_RESPONDER_INITIATES 15  /* rfc8166/4.5.3/only-responder-initiates */
#define RECEIVES_BEFORE_GRANT    16  /* rfc8166/3.3.1/receives-before-larger-grant */
#define REPLY_RECEIVES           17  /* rfc8166/3.3.1/reply-receives-maintained */
#define CLIENT_RECEIVES          18  /* rfc8167/4.3.1/client-receives */
#define MEMORY_FENCED            19  /* rfc8166/4.4.1/memory-fenced */
#define RELEASE_AFTER_REPLY      20  /* rfc8166/3.4.5.1/release-after-reply */
#define CREDITS_BEGIN_ANEW       21  /* rfc8166/3.3.3/first-exchange */
#define CHUNK_COPIED             22  /* rfc8166/3.4.6/segment-count-copied, rfc8166/4.3.3/reply-chunk-copied */
#define MEMORY_FROM_REQUESTER    23  /* rfc8166/3.4.3/memory-from-requester */
#define BREAKS(rule) (left_out == rule && !broken && !FINISHED)

/* ---- invariants ---- */
#define RECEIVES_POSTED   1 /* rfc8166/2.3.2/receives-posted: a Send meets a Receive */
#define MEMORY_REGISTERED 2 /* rfc8166/3.4.5/memory-registered: an RDMA operation meets memory of a Call that waits */
#define OWN_ANSWER        3 /* rfc8166/2.2.2/reply-matches-call: an answer belongs to one Call that waits, and no other */
#define MEMORY_ALONE      4 /* rfc8166/4.4.1/memory-left-alone: of what the upper layer has nothing can change */
#define WRITES_ARRIVED    5 /* rfc8166/2.3.2/writes-ordered-by-send: what a Reply returns is there */
#define SUPPORTED         6 /* rfc8797/4.1/plain-send-without-support: who takes an invalidation knows of it */
#include "sides.pml"

#define IDLE 0 /* of a Call, at its Requester: not sent yet, or lost with its connection */
#define WAITING 1
#define ANSWERED 2
#define DONE 3 /* its upper layer has the result */
#define HAS 1  /* at its Responder */
#define REPLIED 2

byte left_out, checked, broken, losses;
bool up, over, introduced, invalidation; /* the client has sent a Call; both sides support remote invalidation */
byte requester[CALLS], responder[CALLS], offers[CALLS], reading[CALLS], xid[CALLS], copies[CALLS];
bool written[CALLS], registered[CALLS], arrived[CALLS];
byte posted[2];             /* Receives of a side, one queue for both directions; ... */
byte room[2], late[2];      /* ... those meant for Calls, those that it should have posted before */
byte pending[2];            /* Calls that a side has to answer */
byte flight[2], limit[2];   /* Calls of a side that wait, credits that it was granted last, ... */
bool replied[2], failed[2]; /* ... by a Reply, by an RDMA_ERROR */
bool called[2];             /* the side has received a Call */
chan wire[2] = [6] of { byte, byte, byte, byte }; /* by their sender: what, which Call, credits, flag */
#include "observer.pml"
#include "settings.pml"
#define ALL(n, what) (what(0) && (CALLS < 2 || what(1 % CALLS)) && (CALLS < 3 || what(2 % CALLS)) && (CALLS < 4 || what(3 % CALLS)))
#define IS_DONE(n) requester[n] == DONE
#define HAS_RETURNED(n) (requester[n] >= ANSWERED || REQUESTER(n) == SERVER)
#define FINISHED (ALL(n, IS_DONE) && len(wire[CLIENT]) + len(wire[SERVER]) == 0 && NOTHING_PASSES)
#define OPEN(s) (replied[s] || (ERROR_IS_REPLY && failed[s]))
#define HAS_CREDIT(s) (flight[s] < (OPEN(s) -> limit[s] : 1))
#define PREPARED(s) (s == CLIENT || called[SERVER])

/* One Receive for Calls at the server. The client has its own before its first Call, which shows it (RFC 8167, 4.3.1). */
inline connect()
{
    up = true;
    posted[SERVER] = 1; room[SERVER] = 1; posted[CLIENT] = 0; room[CLIENT] = 0; late[CLIENT] = 0; late[SERVER] = 0;
    pending[CLIENT] = 0; pending[SERVER] = 0; flight[CLIENT] = 0; flight[SERVER] = 0;
    called[CLIENT] = false; called[SERVER] = false;
    if
    :: left_out == CREDITS_BEGIN_ANEW && losses > 0
    :: else -> replied[CLIENT] = false; replied[SERVER] = false; failed[CLIENT] = false; failed[SERVER] = false;
        limit[CLIENT] = 0; limit[SERVER] = 0
    fi
}

inline send_call(forbidden)
{
    if
    :: BACK > 0 && s == CLIENT && !introduced && left_out != CLIENT_RECEIVES -> posted[CLIENT]++; room[CLIENT]++
    :: else
    fi;
    introduced = introduced || s == CLIENT;
    posted[s] = posted[s] + (left_out != REPLY_RECEIVES);
    flight[s]++;
    copies[n]++;
    registered[n] = (offers[n] != NO_CHUNK);
    requester[n] = WAITING;
    send(s, CALL + forbidden, n, GRANT, offers[n] + (forbidden && left_out == INVALIDATE_OWN -> TAKES : 0))
}

/* Before a side grants credits it has Receives for the Calls that may still come. */
inline answer(what, flags, forbidden)
{
    if
    :: credits = 1
    :: GRANT > 1 && !forbidden -> credits = GRANT
    fi;
    pending[r]--;
    need = (credits > pending[r] -> credits - pending[r] : 0);
    if
    :: need > room[r] && left_out == RECEIVES_BEFORE_GRANT -> late[r] = late[r] + need - room[r]; room[r] = need
    :: need > room[r] && left_out != RECEIVES_BEFORE_GRANT -> posted[r] = posted[r] + need - room[r]; room[r] = need
    :: need < room[r] && LOWERED_GRANT -> posted[r] = posted[r] - (room[r] - need); room[r] = need
    :: else
    fi;
    responder[n] = REPLIED;
    send(r, what + forbidden, n, credits, flags)
}

#define READY (up && responder[n] == HAS && reading[n] != 1) /* arguments that nobody needs are not read */

/* A Call, at both of its ends. */
proctype transaction(byte n) provided (!over)
{
    byte s = REQUESTER(n), r = OTHER(REQUESTER(n)), credits, need;
    do
    /* ---- its Requester ---- */
    :: atomic { up && requester[n] == IDLE && HAS_CREDIT(s) && PREPARED(s) -> offer(); send_call(0) }
    :: atomic { up && requester[n] == WAITING && copies[n] == 1 && (RESENT_CALL == 2 || (RESENT_CALL && HAS_CREDIT(s))) ->
        send_call(0) }
    :: atomic { requester[n] == ANSWERED ->
        registered[n] = registered[n] && left_out == MEMORY_FENCED;
        HOLDS(MEMORY_ALONE, !registered[n]);
        requester[n] = DONE }
    :: atomic { up && requester[n] == IDLE && s == SERVER && losses > 0 && !called[SERVER] && ALL(m, HAS_RETURNED) &&
        !STRANDED_CALL -> requester[n] = DONE }

    /* ---- its Responder ---- */
    :: atomic { up && responder[n] == HAS && READS(n) && reading[n] == 0 ->
        reading[n] = 1; send(r, READ, n, 0, 0) }
    :: atomic { up && responder[n] == HAS && WRITES(n) && !written[n] ->
        written[n] = true; send(r, WRITE, n, 0, 0) }
    :: atomic { CAN_REPLY -> answer(REPLY, RETURNED, 0) }
    :: atomic { CAN_REPLY && invalidation && offers[n] != NO_CHUNK -> answer(REPLY, RETURNED + INVALIDATES, 0) }
    :: atomic { ERRORS && READY -> answer(ERROR, 0, 0) }
    :: atomic { up && late[r] > 0 -> posted[r] = posted[r] + late[r]; late[r] = 0 }

    /* ---- forbidden ---- */
    :: atomic { up && requester[n] == IDLE && !HAS_CREDIT(s) && PREPARED(s) &&
        (OPEN(s) -> BREAKS(CALLS_WITHIN_GRANT) : (failed[s] -> BREAKS(VALID_REPLY_FIRST) : BREAKS(ONE_CREDIT_AT_FIRST))) ->
        offer(); send_call(FORBIDDEN) }
    :: atomic { up && BREAKS(PEER_PREPARED) && requester[n] == IDLE && HAS_CREDIT(s) && !PREPARED(s) ->
        offer(); send_call(FORBIDDEN) }
    :: atomic { up && BREAKS(INVALIDATE_OWN) && requester[n] == IDLE && HAS_CREDIT(s) && PREPARED(s) ->
        offer(); send_call(FORBIDDEN) }
    :: atomic { up && BREAKS(XID_UNIQUE) && requester[n] == IDLE && HAS_CREDIT(s) && s == CLIENT && n > 0 &&
        requester[0] == WAITING -> xid[n] = xid[0]; offer(); send_call(FORBIDDEN) }
    :: atomic { up && BREAKS(REQUESTER_SENDS_NO_ERROR) && requester[n] == ANSWERED && !called[s] ->
        send(s, ERROR + FORBIDDEN, n, 1, 0) }
    :: atomic { up && BREAKS(ONLY_RESPONDER_INITIATES) && requester[n] == WAITING && !called[s] ->
        send(s, WRITE + FORBIDDEN, n, 0, STRAY) }
    :: atomic { up && BREAKS(RELEASE_AFTER_REPLY) && requester[n] == WAITING && registered[n] ->
        registered[n] = false; broken = left_out }
    :: atomic { up && BREAKS(GRANT_NOT_ZERO) && CAN_REPLY ->
        pending[r]--; responder[n] = REPLIED; send(r, REPLY + FORBIDDEN, n, 0, RETURNED) }
    :: atomic { up && BREAKS(REPLY_MATCHES_CALL) && responder[n] == REPLIED ->
        send(r, REPLY + FORBIDDEN, n, 1, RETURNED) }
    :: atomic { up && BREAKS(READS_BEFORE_REPLY) && responder[n] == REPLIED && READS(n) && reading[n] == 0 ->
        reading[n] = 1; send(r, READ + FORBIDDEN, n, 0, 0) }
    :: atomic { up && BREAKS(WRITES_BEFORE_REPLY) && responder[n] == REPLIED && WRITES(n) && !written[n] ->
        written[n] = true; send(r, WRITE + FORBIDDEN, n, 0, 0) }
    :: atomic { BREAKS(RETURNED_LENGTH_WRITTEN) && READY && WRITES(n) && !written[n] ->
        answer(REPLY, RETURNS, FORBIDDEN) }
    :: atomic { up && BREAKS(WITHIN_OFFERED_MEMORY) && responder[n] == HAS -> send(r, WRITE + FORBIDDEN, n, 0, STRAY) }
    :: atomic { BREAKS(INVALIDATE_OWN) && CAN_REPLY && invalidation -> answer(REPLY, RETURNED + INVALIDATES + STRAY, FORBIDDEN) }
    :: atomic { BREAKS(INVALIDATE_OWN) && ERRORS && READY && invalidation -> answer(ERROR, INVALIDATES + STRAY, FORBIDDEN) }
    :: atomic { BREAKS(CHUNK_COPIED) && READY && WRITES(n) && written[n] -> answer(REPLY, RETURNS + ELSEWHERE, FORBIDDEN) }
    :: atomic { BREAKS(MEMORY_FROM_REQUESTER) && READY && offers[n] == NO_CHUNK -> answer(REPLY, RETURNS, FORBIDDEN) }
    :: atomic { BREAKS(PLAIN_SEND) && CAN_REPLY && !invalidation && offers[n] != NO_CHUNK ->
        answer(REPLY, RETURNED + INVALIDATES, FORBIDDEN) }
    :: FINISHED -> break
    od
}

#define SHARES_XID(m) (m != n && requester[m] == WAITING && xid[m] == xid[n] && REQUESTER(m) == REQUESTER(n))
#define ALONE(m) !SHARES_XID(m)
#define UNTOUCHED(m) requester[m] != WAITING

inline take_answer()
{
    HOLDS(OWN_ANSWER, RESENT_CALL || requester[n] == WAITING);
    HOLDS(OWN_ANSWER, ALL(m, ALONE));
    HOLDS(SUPPORTED, invalidation || !(flag & INVALIDATES));
    HOLDS(WRITES_ARRIVED, (arrived[n] && !(flag & ELSEWHERE)) || !(flag & RETURNS));
    HOLDS(MEMORY_REGISTERED, !(flag & STRAY)); /* the Responder of another Call will meet it no more */
    if
    :: requester[n] == WAITING ->
        flight[to]--; limit[to] = credits; requester[n] = ANSWERED;
        replied[to] = replied[to] || what == REPLY; failed[to] = failed[to] || what == ERROR;
        registered[n] = registered[n] && !(flag & INVALIDATES)
    :: else
    fi
}

inline arrive()
{
    if
    :: what <= ERROR -> HOLDS(RECEIVES_POSTED, posted[to] > 0); posted[to] = (posted[to] > 0 -> posted[to] - 1 : 0)
    :: else
    fi;
    if
    :: what == CALL && responder[n] != HAS ->
        room[to] = (room[to] > 0 -> room[to] - 1 : 0); called[to] = true; pending[to]++;
        responder[n] = HAS; reading[n] = 0; written[n] = false
    :: what == CALL && responder[n] == HAS -> posted[to]++  /* it is known, and dropped */
    :: (what == REPLY || what == ERROR) && to == REQUESTER(n) -> take_answer()
    :: (what == REPLY || what == ERROR) && to != REQUESTER(n)
    :: what == READ -> HOLDS(MEMORY_REGISTERED, registered[n]); send(to, DATA + mark, n, 0, 0)
    :: what == DATA -> reading[n] = 2
    :: what == WRITE -> HOLDS(MEMORY_REGISTERED, registered[n] && !(flag & STRAY)); arrived[n] = true
    fi
}

/* Everything that was under way is lost; Calls that wait are sent again on the next connection. */
inline lose()
{
    losses++; up = false; introduced = false;
    for (n : 0 .. CALLS - 1) {
        if
        :: requester[n] == WAITING -> requester[n] = IDLE; registered[n] = false
        :: else
        fi;
        responder[n] = IDLE; copies[n] = 0; reading[n] = 0; written[n] = false; arrived[n] = false
    }
    empty_wires()
}

proctype network() provided (!over)
{
    byte what, n, credits, flag, to, mark;
    do
    :: atomic { wire[CLIENT]?what, n, credits, flag -> to = SERVER; received(); arrive() }
    :: atomic { wire[SERVER]?what, n, credits, flag -> to = CLIENT; received(); arrive() }
    :: atomic { up && losses < LOSSES && !FINISHED -> lose() }
    :: atomic { !up -> connect() }
    OBSERVES
    :: FINISHED -> break
    od;
    complete()
}

init
{
    atomic {
        settings();
        if
        :: invalidation = true
        :: invalidation = false
        fi;
        byte i;
        for (i : 0 .. CALLS - 1) { xid[i] = (i < FORWARD -> i : i - FORWARD); run transaction(i) }
        connect();
        run network()
    }
}
