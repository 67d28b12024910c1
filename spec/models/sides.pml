/* SPDX-License-Identifier: BSD-3-Clause */
/* What both models have: two sides, their Calls, the chunks that these offer, and what is lost with a connection. */
#define HOLDS(invariant, condition) assert((checked && checked != invariant) || (condition))
/* And nobody is stuck: there is no invalid end state. */

#define CLIENT 0
#define SERVER 1
#define CALLS (FORWARD + BACK)
#define OTHER(side) (1 - (side))
#define REQUESTER(n) (n < FORWARD -> CLIENT : SERVER)

#define NO_CHUNK 0
#define READ_CHUNK 1
#define WRITE_CHUNK 2
#define REPLY_CHUNK 3
#define BOTH_CHUNKS 4 /* for arguments and for results */
#define READS(n) (offers[n] == READ_CHUNK || offers[n] == BOTH_CHUNKS)
#define WRITES(n) (offers[n] >= WRITE_CHUNK)
#define RETURNED (written[n] -> RETURNS : 0)
/* A Reply chunk can stay unused. */
#define CAN_REPLY (READY && (CHUNKS > REPLY_CHUNK || offers[n] != REPLY_CHUNK || written[n]))

inline offer()
{
    if
    :: offers[n] = NO_CHUNK
    :: CHUNKS >= READ_CHUNK -> offers[n] = READ_CHUNK
    :: CHUNKS >= WRITE_CHUNK -> offers[n] = WRITE_CHUNK
    :: CHUNKS >= REPLY_CHUNK -> offers[n] = REPLY_CHUNK
    :: CHUNKS >= BOTH_CHUNKS -> offers[n] = BOTH_CHUNKS
    fi
}

inline empty_wires()
{
    do
    :: wire[CLIENT]?_, _, _, _
    :: wire[SERVER]?_, _, _, _
    :: len(wire[CLIENT]) + len(wire[SERVER]) == 0 -> break
    od;
    lost_sight()
}
