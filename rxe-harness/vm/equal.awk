# SPDX-License-Identifier: BSD-3-Clause
# Compares what a capture has with what a trace of one of its two sides has: awk -v side=SIDE -v name=NAME -v what=WHAT -f
# equal.awk CAPTURE TRACE. SIDE is that of the trace, client or server; without it, both files have to have the same. Each file
# has a line for each message, "CONNECTION<tab>FROM<tab>MESSAGE", in order, and "CONNECTION<tab>end" where a connection ends.
#
# One alone has only what the other cannot have, and that is proved by the capture: its connection has ended. Of the traced side,
# what is in the trace alone comes after all that both have, for the device did not send it any more; of the other side, what is
# in the capture alone comes after all that both have, for the kernel did not receive it any more, and nothing answers it. Exit
# status 1 if there is anything else.

BEGIN { FS = "\t" }

function xid_of(message) {
    return substr(message, 1, 8)
}

FNR == 1 { file++ }
$2 == "end" {
    ended[file, $1] = 1
    next
}
{
    if (!((file, $1) in number))
        connection[file, ++connections[file]] = $1
    number[file, $1]++
    all[file]++
    n = ++count[file, $1, $2]
    message[file, $1, $2, n] = $3
    times[file, $2 FS $3]++
    at[file, $2 FS $3] = $1
    if (file == 1 && $2 == side)
        answered[$1, xid_of($3)] = 1
}

# Those are one connection that have the most of the messages which each file has once.
function pair_connections(key, part, one, two) {
    for (key in at) {
        split(key, part, SUBSEP)
        if (part[1] != 1 || times[1, part[2]] != 1 || times[2, part[2]] != 1)
            continue
        one = at[1, part[2]]
        two = at[2, part[2]]
        if (++shared[one, two] > most[1, one]) {
            most[1, one] = shared[one, two]
            partner[one] = two
        }
        if (shared[one, two] > most[2, two]) {
            most[2, two] = shared[one, two]
            partner_of[two] = one
        }
    }
    for (one in partner)
        if (partner_of[partner[one]] != one)
            complain("two connections of the capture are one of the trace: " one ", " partner_of[partner[one]])
}
function complain(text) {
    if (++complaints < 9)
        print text
}
function is_excused(own, one, from, i, last) {
    if (side == "" || !((1, one) in ended) || i <= last)
        return 0
    if (own == 2)
        return from == side
    return from != side && !((one, xid_of(message[1, one, from, i])) in answered)
}
# What one connection has in one direction; either name may be empty.
function compare(one, two, from, own, name_of, i, key, last) {
    for (i = 1; i <= count[2, two, from]; i++)
        there[2, message[2, two, from, i]]++
    for (i = 1; i <= count[1, one, from]; i++) {
        key = message[1, one, from, i]
        there[1, key]++
        equal += there[1, key] <= there[2, key]
    }
    for (own = 1; own <= 2; own++) {
        name_of = own == 1 ? one : two
        last = 0
        for (i = 1; i <= count[own, name_of, from]; i++) {
            key = message[own, name_of, from, i]
            met[key]++
            common[i] = met[key] <= there[3 - own, key]
            if (common[i])
                last = i
        }
        for (i = 1; i <= count[own, name_of, from]; i++)
            if (!common[i]) {
                alone[own]++
                if (!is_excused(own, one, from, i, last))
                    complain("only in the " (own == 1 ? "capture" : "trace") ", " from " of " name_of ", " i " of " \
                        count[own, name_of, from] ((1, one) in ended ? "" : ", not ended") ": " \
                        substr(message[own, name_of, from, i], 1, 90))
            }
        split("", met)
        split("", common)
    }
    split("", there)
}
END {
    pair_connections()
    for (i = 1; i <= connections[1]; i++) {
        one = connection[1, i]
        two = (one in partner) ? partner[one] : ""
        compare(one, two, "client")
        compare(one, two, "server")
    }
    for (i = 1; i <= connections[2]; i++)
        if (!(connection[2, i] in partner_of)) {
            compare("", connection[2, i], "client")
            compare("", connection[2, i], "server")
        }
    printf "%s: %d and %d %s of %d and %d connections, %d equal", name, all[1], all[2], what, connections[1], connections[2], equal
    if (alone[1] + alone[2] > 0)
        printf "; at the end of connections %d in the capture alone, %d in the trace", alone[1], alone[2]
    if (complaints > 0)
        printf "; %d without a reason", complaints
    print ""
    exit complaints > 0 || equal == 0
}
