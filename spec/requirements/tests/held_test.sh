#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test:
# needs: jq
# Each row that rules hold has vectors that break it, and each of these rules is reported by one of them.
# That the checker does report it is what `rpcrdma vectors` proves.
#
# usage: held_test.sh
set -eu

register=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
tab=$(printf '\t')

# The rules that each vector has reported: "vector rule".
jq -r '.tests[]? | .id as $id | [.events[]?.expect?.findings[]?.rule] | unique[] | "\($id) \(.)"' \
    "$register"/../../vectors/*.json "$register"/../../vectors/v2-*/*.json >"$work/reported"

# judge HELD: what is wrong with it, a line each.
judge() {
    awk -F "$tab" -v held="$1" -v reported="$work/reported" '
    function wrong(row, what) { print row ": " what; faults++ }
    BEGIN {
        while ((getline line <reported) > 0)
            is_reported[line] = 1
        while ((getline <held) > 0)
            if ($1 != "row") {
                if ($1 in vectors)
                    wrong($1, "twice")
                vectors[$1] = $2
            }
    }
    {
        for (i = NF; i > 0 && $i !~ /^none: held by (rfc|rpcrdma)/; i--)
            ;
        if (i == 0)
            next
        rows++
        list = substr($i, length("none: held by ") + 1)
        seen[$1] = 1
        if (!($1 in vectors)) {
            wrong($1, "no vector")
            next
        }
        many = split(vectors[$1], vector, ",")
        rules = split(list, rule, ", ")
        for (v = 1; v <= many; v++) {
            used = 0
            for (r = 1; r <= rules; r++)
                used += (vector[v] " " rule[r]) in is_reported
            if (!used)
                wrong($1, vector[v] " reports none of its rules")
        }
        for (r = 1; r <= rules; r++) {
            shown = 0
            for (v = 1; v <= many; v++)
                shown += (vector[v] " " rule[r]) in is_reported
            if (!shown)
                wrong($1, rule[r] " is reported by none of its vectors")
        }
    }
    END {
        for (row in vectors)
            if (!(row in seen))
                wrong(row, "not held by a rule")
        if (!rows)
            wrong("register", "no row is held by a rule")
        print "held: " rows + 0 " rows" >"/dev/stderr"
    }' "$register"/rfc*.tsv "$register"/rpcrdma2-*.tsv
}

verdict() { # EXPECTED GOT WHAT
    if [ "$1" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n  expected: %s\n  got: %s\n' "$3" "$1" "$2"
    fi
}

verdict '' "$(judge "$register/held.tsv")" 'the register'

# The test itself: each fault alone is named.
row=rfc8166/3.5.3/reply-form
planted() { # SCRIPT EXPECTED WHAT
    sed "$1" "$register/held.tsv" >"$work/held.tsv"
    verdict "$2" "$(judge "$work/held.tsv" 2>/dev/null)" "$3"
}
planted "\\:^$row:d" "$row: no vector" 'a row left out'
planted "\\:^$row:s:${tab}.*:${tab}-:" "$row: - reports none of its rules
$row: rfc8166/4.3.2/eligible-result-pushed is reported by none of its vectors
$row: rfc8166/3.5.3/reply-chunk-used is reported by none of its vectors" 'a row without a vector'
planted "\\:^$row:s:,long-reply-sent-inline::" \
    "$row: rfc8166/3.5.3/reply-chunk-used is reported by none of its vectors" 'one of two rules not shown'
planted "\\:^$row:s:inline$:inline,third-call-of-two:" \
    "$row: third-call-of-two reports none of its rules" 'a vector of another rule'
planted "\$a\\
rfc8166/3.3.1/calls-within-grant${tab}third-call-of-two" \
    'rfc8166/3.3.1/calls-within-grant: not held by a rule' 'a row that needs none'
planted "\\:^$row:p" "$row: twice" 'a row twice'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
