/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who looks on, and where: at the client, at the server, or on the way, where what one side has sent may not have
 * reached the other. With TRACE what is seen is part of the state, so that every run is searched, and pan prints each
 * one that is complete, or that a forbidden step ended: a word for each event, of what, Call, credits and flag.
 */
#define CALL 1  /* what wires carry; its flag is which chunk it offers */
#define REPLY 2
#define ERROR 3
#define READ 4  /* the request of an RDMA Read, and what comes back */
#define DATA 5
#define WRITE 6
#define FORBIDDEN 128  /* added to what breaks a rule */
#define INVALIDATES 1  /* flags of a Reply; with STRAY: memory of another Call */
#define RETURNS 2      /* it says that the chunk was written */
#define TAKES 16       /* flag of a Call: it invalidates memory, as only an answer can */
#define STRAY 4        /* flag of WRITE: nobody offered the memory */
#define ELSEWHERE 8    /* flag of a Reply: the chunk that it returns is another */

#ifndef VIEW
#define VIEW 0
#endif
#define BETWEEN 2

#ifndef TRACE
#define TRACE 0
#endif

#if TRACE
#define EVENTS 48
byte seen[EVENTS * 4];
byte seen_count;

inline record(side, what_, n_, credits_, flag_)
{
    seen[seen_count * 4] = what_ + side * 64;
    seen[seen_count * 4 + 1] = n_ + 16 * xid[n_];
    seen[seen_count * 4 + 2] = credits_;
    seen[seen_count * 4 + 3] = flag_;
    seen_count++;
    over = over || (what_ >= FORBIDDEN && what_ != READ + FORBIDDEN)
}

active proctype printer()
{
    over -> c_code {
        int event;
        printf("run %d %d", now.left_out, now.invalidation);
        for (event = 0; event < now.seen_count * 4; event++)
            printf("%s%02x", event % 4 ? "" : " ", now.seen[event]);
        printf("\n");
    }
}
#else
#define record(side, what_, n_, credits_, flag_) skip
#endif

#if VIEW == BETWEEN
chan passing[2] = [6] of { byte, byte, byte, byte };
#define NOTHING_PASSES (len(passing[CLIENT]) + len(passing[SERVER]) == 0)
#define OBSERVES \
    :: atomic { passing[CLIENT]?what, n, credits, flag -> record(CLIENT, what, n, credits, flag); wire[CLIENT]!what, n, credits, flag } \
    :: atomic { passing[SERVER]?what, n, credits, flag -> record(SERVER, what, n, credits, flag); wire[SERVER]!what, n, credits, flag }
inline send(side, what_, n_, credits_, flag_)
{
    broken = ((what_) >= FORBIDDEN -> left_out : broken);
    passing[side]!what_, n_, credits_, flag_
}
#else
#define NOTHING_PASSES true
#define OBSERVES
inline send(side, what_, n_, credits_, flag_)
{
    broken = ((what_) >= FORBIDDEN -> left_out : broken);
    wire[side]!what_, n_, credits_, flag_;
    if
    :: TRACE && side == VIEW -> record(side, what_, n_, credits_, flag_)
    :: else
    fi
}
#endif

inline received()
{
    if
    :: TRACE && VIEW != BETWEEN && to == VIEW -> record(OTHER(to), what, n, credits, flag)
    :: else
    fi;
    mark = what & FORBIDDEN;
    what = what & 127
}

inline lost_sight()
{
#if VIEW == BETWEEN
    do
    :: passing[CLIENT]?_, _, _, _
    :: passing[SERVER]?_, _, _, _
    :: NOTHING_PASSES -> break
    od;
#endif
#if TRACE
    seen[seen_count * 4] = 0;
    seen_count++
#else
    skip
#endif
}

inline complete()
{
    over = TRACE
}
