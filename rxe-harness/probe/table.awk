# SPDX-License-Identifier: BSD-3-Clause
# Of every vector whose first event is a Send of the client, with reactions that are open to its
# receiver, a row for `probe`. The vectors' JSON is written line by line (vectors/make/json.c).
function text(line) {
    sub(/^[^:]*: "/, "", line)
    sub(/",?$/, "", line)
    return line
}
function reactions(line,   names, count, i, set) {
    gsub(/.*\[|\].*|"|,/, "", line)
    count = split(line, names, " ")
    for (i = 1; i <= count; i++) {
        gsub(/-/, "_", names[i])
        set = set (i > 1 ? " | " : "") "RPCRDMA_" toupper(names[i])
    }
    return set
}
function quoted(octets,   out) {
    gsub(/ /, "", octets)
    while (length(octets) > 80) {
        out = out "\n     \"" substr(octets, 1, 80) "\""
        octets = substr(octets, 81)
    }
    return out "\n     \"" octets "\""
}
function flush_test() {
    if (id != "" && from == "client" && send != "" && set != "" && !special)
        printf "    {\"%s\", \"%s\", %s, %s, %s,%s},\n", id, comment,
            rule != "" ? "\"" rule "\"" : "NULL", breaks ? "true" : "false", set, quoted(send)
    id = from = send = set = rule = ""
    breaks = special = events = 0
}
BEGIN {
    print "#include \"rxe-harness/probe/probe.h\""
    print ""
    print "#include <rpcrdma/check.h>"
    print ""
    print "const struct probe_row probe_table[] = {"
}
FNR == 1 { flush_test() }
/^      "id": / { flush_test(); id = text($0) }
/^      "comment": / { comment = text($0) }
/^      "nearMiss": / { near = $0; sub(/^[^[]*\["/, "", near); sub(/".*/, "", near); rule = near }
/^      "settings": / { special = /Inline|reverseDirection|"ulb": "nfs"/ }
/^          "from": / { if (++events == 1) from = text($0) }
events == 1 && /^          "send": / { send = text($0) }
events == 1 && /^          "invalidate": / { special = 1 }
events == 1 && /\{"rule": "/ && !breaks {
    rule = $0
    sub(/.*\{"rule": "/, "", rule)
    sub(/".*/, "", rule)
    breaks = 1
}
events == 1 && /^            "reaction": / { set = reactions($0) }
END {
    flush_test()
    print "    {NULL, NULL, NULL, false, 0, NULL},"
    print "};"
}
