# SPDX-License-Identifier: BSD-3-Clause
# Compares what a capture has with what a trace of one of its two sides has: awk -v side=SIDE -v name=NAME -v what=WHAT -f
# equal.awk CAPTURE TRACE. SIDE is that of the trace, client or server; without it, both files have to have the same. Each file
# has a line for each message, "CONNECTION<tab>FROM<tab>MESSAGE", in order, and "CONNECTION<tab>end" where a connection ends.
# FROM is client or server, or "by" where the message is only there to find which connections are the same.
#
# One alone has only what the other cannot have, and that is proved by the capture: its connection has ended. Of the traced side,
# what is in the trace alone comes after all that both have, for the device did not send it any more (in the trace it stands where
# its thread began to post it: what the three others of nfsd began later may have been posted before); of the other side, what is
# in the capture alone comes after all that both have, for the kernel did not receive it any more, and nothing answers it. At
# last the traced side's device may send what the kernel (ib_drain_sq) finds the end of its queue by, an RDMA Write of nothing.
# Exit status 1 if there is anything else.

BEGIN { FS = "\t" }

function xid_of(message) {
    return substr(message, 1, 8)
}

FNR == 1 { file++ }
$2 == "end" {
    ended[$1] = ended[$1] || file == 1
    next
}
{
    if (!((file, $1) in seen))
        connection[file, ++connections[file]] = $1
    seen[file, $1]
    times[file, $2 FS $3]++
    at[file, $2 FS $3] = $1
}
$2 != "by" {
    all[file]++
    message[file, $1, $2, ++count[file, $1, $2]] = $3
    if (file == 1 && $2 == side)
        answered[$1, xid_of($3)]
}

function complain(text) {
    if (++complaints < 9)
        print text
}
# A connection of the trace is that of the capture which has most of the messages that are once in each file. What the kernel
# did after it had told of the end of a connection is another one in the trace.
function pair_connections(key, part, one, two) {
    for (key in at) {
        split(key, part, SUBSEP)
        if (part[1] != 1 || times[1, part[2]] != 1 || times[2, part[2]] != 1)
            continue
        one = at[1, part[2]]
        two = at[2, part[2]]
        if (++shared[one, two] > most[two]) {
            most[two] = shared[one, two]
            capture_of[two] = one
        }
    }
}
# The messages of the trace, by connections of the capture.
function join_trace(from, i, k, two, one) {
    for (i = 1; i <= connections[2]; i++) {
        two = connection[2, i]
        one = (two in capture_of) ? capture_of[two] : "none that was captured, " two
        if (!(two in capture_of))
            connection[1, ++known] = one
        for (k = 1; k <= count[2, two, from]; k++)
            message["joined", one, from, ++count["joined", one, from]] = message[2, two, from, k]
    }
}
function is_excused(own, one, from, i, last) {
    if (side == "" || !ended[one])
        return 0
    if (own == "joined")
        return from == side && last - i <= 3
    if (i <= last)
        return 0
    if (from == side)
        return message[1, one, from, i] == "rdma-write 0 0x0 0"
    return !((one, xid_of(message[1, one, from, i])) in answered)
}
# What one connection has in one direction, and the other file has not.
function find_alone(own, other, one, from, i, last, common, there, met) {
    for (i = 1; i <= count[other, one, from]; i++)
        there[message[other, one, from, i]]++
    for (i = 1; i <= count[own, one, from]; i++) {
        common[i] = ++met[message[own, one, from, i]] <= there[message[own, one, from, i]]
        if (common[i])
            last = i
    }
    for (i = 1; i <= count[own, one, from]; i++) {
        if (common[i]) {
            equal += own == 1
            continue
        }
        alone[own]++
        if (!is_excused(own, one, from, i, last))
            complain("only in the " (own == 1 ? "capture" : "trace") ", " from " of " one ", " i " of " \
                count[own, one, from] (ended[one] ? "" : ", not ended") ": " substr(message[own, one, from, i], 1, 90))
    }
}
END {
    known = connections[1] + 0
    pair_connections()
    join_trace("client")
    join_trace("server")
    for (i = 1; i <= known; i++) {
        one = connection[1, i]
        if (done[one]++)
            continue
        find_alone(1, "joined", one, "client")
        find_alone(1, "joined", one, "server")
        find_alone("joined", 1, one, "client")
        find_alone("joined", 1, one, "server")
    }
    printf "%s: %d and %d %s, %d equal", name, all[1], all[2], what, equal
    if (alone[1] + alone["joined"] > 0)
        printf "; %d in the capture alone, %d in the trace", alone[1], alone["joined"]
    if (complaints > 0)
        printf "; %d without a reason", complaints
    print ""
    exit complaints > 0 || equal == 0
}
