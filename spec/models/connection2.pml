/* SPDX-License-Identifier: BSD-3-Clause */
/* Of version2.pml: credits; what is sent that is no RPC message; the connection, as it begins, is lost and begins anew. */
#define NEXT(s) (sent[s] + LIMIT)  /* what is compared with the limit */
#define MAY_SEND(s) (NEXT(s) <= limit[s])
#define IS_SPARE(s) (NEXT(s) == limit[s] + 1 && !beyond[s])
#define TOTAL(s) ((WORD -> came[s] : sent[s]) + ADVERTISED)
#define EXCESS (left_out == AS_ADVERTISED -> 2 : 0)
#define RECEIVES (ADVERTISED + (left_out == SPARE_RECEIVE -> 0 : 1))
/* The other side has sent all that it was told of, or all but one, and there is more. */
#define CAN_REFRESH(s) (told[s] <= (WORD -> came[s] : sent[s]) + EARLY && TOTAL(s) > told[s])
#define IS_OPEN(s) (version[s] == 2 && (came[s] > 0 || s == CLIENT) && sent[s] < SENDS && !IS_OVER)
#define MAY_CALL(s) (s == CLIENT || heard[s] == FINAL || !PROPERTIES)
#define AMID_REPLY(s) (piece[s] > 0 && REQUESTER(piece[s] - 1) != s)
#define MAY_BEGIN(s) (IS_OPEN(s) && MAY_SEND(s) && piece[s] == 0 && telling[s] != MIDDLE)

inline post(side, what_, n_, flag_)
{
    HOLDS(RECEIVES_POSTED, flying[side] < RECEIVES);
    if
    :: word = (left_out == TOTAL_ABOVE_COUNT && (what_) >= FORBIDDEN -> 0 : TOTAL(side) + EXCESS)
    :: ZERO && (what_) != REFRESH -> word = (told[side] > came[side] -> told[side] : came[side])
    fi;
    told[side] = word;
    sent[side]++;
    if
    :: flying[side] < ADVERTISED + 2 -> flying[side]++; send(side, what_, n_, word, flag_)
    :: else
    fi
}

/* What a side sends that is no RPC message. */
proctype control(byte s) provided (!over)
{
    do
    :: atomic { PROPERTIES && telling[s] != FINAL && IS_OPEN(s) && MAY_SEND(s) && piece[s] == 0 ->
        telling[s] = FINAL; post(s, FINAL, 0, 0) }
    :: atomic { PROPERTIES > 1 && telling[s] == 0 && IS_OPEN(s) && MAY_SEND(s) && piece[s] == 0 ->
        telling[s] = MIDDLE; post(s, MIDDLE, 0, 0) }
    :: atomic { IS_OPEN(s) && came[s] > 0 && (MAY_SEND(s) -> CAN_REFRESH(s) : IS_SPARE(s)) && left_out != REFRESHED_BY_GRANT &&
        (piece[s] == 0 || BETWEEN_PIECES) && telling[s] != MIDDLE && grants[s] < GRANTS ->
        grants[s] = grants[s] + (GRANTS < 9); beyond[s] = beyond[s] || !MAY_SEND(s); post(s, REFRESH, 0, 0) }

    :: atomic { FIRST_SHORT && s == CLIENT && sent[s] == 0 -> post(s, SHORT, 0, 0) }

    /* ---- forbidden ---- */
    :: atomic { BREAKS(ONE_GRANT_BEYOND) && IS_OPEN(s) && came[s] > 0 && !MAY_SEND(s) && beyond[s] ->
        post(s, REFRESH + FORBIDDEN, 0, 0) }
    :: atomic { BREAKS(CONTROL_PLAIN) && IS_OPEN(s) && came[s] > 0 && MAY_SEND(s) && piece[s] == 0 && telling[s] != MIDDLE ->
        post(s, REFRESH + FORBIDDEN, 0, INVALIDATES) }
    :: atomic { BREAKS(PROPERTIES_CONTINUE) && IS_OPEN(s) && came[s] > 0 && MAY_SEND(s) && telling[s] == MIDDLE ->
        post(s, REFRESH + FORBIDDEN, 0, 0) }
    :: atomic { BREAKS(NOTHING_AFTER_FINAL) && IS_OPEN(s) && MAY_SEND(s) && telling[s] == FINAL && piece[s] == 0 ->
        post(s, FINAL + FORBIDDEN, 0, 0) }
    :: atomic { BREAKS(CONTROL_BETWEEN) && IS_OPEN(s) && came[s] > 0 && MAY_SEND(s) && piece[s] > 0 && telling[s] != MIDDLE ->
        post(s, REFRESH + FORBIDDEN, 0, 0) }
    :: atomic { (AMID_REPLY(s) -> BREAKS(REPLY_CONTINUES) : BREAKS(CALL_CONTINUES)) && IS_OPEN(s) && MAY_SEND(s) && piece[s] > 0 ->
        telling[s] = FINAL; post(s, FINAL + FORBIDDEN, 0, 0) }
    :: atomic { BREAKS(SERVER_WAITS) && s == SERVER && version[s] == 0 ->
        version[s] = 1 + knows_2; telling[s] = FINAL; post(s, (knows_2 -> FINAL : VERSION_1) + FORBIDDEN, 0, !knows_2) }
    :: IS_OVER || sent[CLIENT] >= SENDS || sent[SERVER] >= SENDS -> break
    od
}

/* A server of version 1 alone: it drops what is short, and else says which versions it speaks. */
inline refuse()
{
    version[SERVER] = 1;
    if
    :: what == SHORT || left_out == VERSION_ANSWERED
    :: else -> flying[SERVER]++; send(SERVER, ERR_VERS, n, 0, 0)
    fi
}

inline connect()
{
    limit[CLIENT] = 1; limit[SERVER] = 1; version[CLIENT] = 2; version[SERVER] = 0;
    for (to : CLIENT .. SERVER) {
        sent[to] = 0; came[to] = 0; told[to] = 0; beyond[to] = false; grants[to] = 0; piece[to] = 0; joining[to] = 0;
        telling[to] = 0; heard[to] = 0; flying[to] = 0
    }
}

/* Everything that was under way is lost; Calls that wait are sent again on the next connection. */
inline lose()
{
    losses++;
    for (n : 0 .. CALLS - 1) {
        requester[n] = (requester[n] == DONE -> DONE : IDLE);
        registered[n] = false; responder[n] = IDLE; reading[n] = 0; written[n] = false; arrived[n] = false
    }
    empty_wires();
    if
    :: left_out == BEGINS_ANEW -> flying[CLIENT] = 0; flying[SERVER] = 0
    :: else -> connect()
    fi
}
