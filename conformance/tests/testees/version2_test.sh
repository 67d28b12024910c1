#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma" "$BUILD/testees"
# `rpcrdma vectors --testee` with vectors of version 2: a testee of -07 as a conversation and Send by
# Send, one that knows no version 2, and planted faults.
#
# usage: version2_test.sh PATH_TO_RPCRDMA [FOLDER_OF_TESTEES]
set -u

rpcrdma=$(realpath "$1")
testees=$(realpath "${2:-${BUILD:-build}/testees}")
root=$(cd "$(dirname "$0")/../../.." && pwd)
small=$root/conformance/tests/data/version2.json
own="python3 -B $root/vectors/testees/version2.py"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

verdict() {
    about=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $about"
        { head -n 25 out; head -n 5 err; } | cut -c 1-160 | sed 's/^/    /'
    fi
}
# ask STATUS TESTEE VECTORS [OPTION]...
ask() {
    wanted=$1 what=$2
    shift 2
    "$rpcrdma" vectors --timeout 60 --json results --testee "$what" "$@" >out 2>err </dev/null
    got=$?
    verdict "exits with $wanted, not $got" test "$got" -eq "$wanted"
}
says() { verdict "says '$1'" grep -qF -- "$1" out; }
# ends TEST EVENT ENDING
ends() {
    # shellcheck disable=SC2016 # jq's own
    verdict "$1:event $2 ends $3" jq -es --arg test "$1" --argjson event "$2" --arg ending "$3" \
        'map(select(.test == $test and .event == $event)) | length == 1 and .[0].ending == $ending' results
}
# asked TEXT: one of the lines begins so
# shellcheck disable=SC2016 # jq's own
asked() { verdict "asks '$1'" jq -es --arg line "$1" 'any(.[]; .question // "" | startswith($line))' results; }

# ---- the receiver of our codec, Send by Send ----

ask 0 "$testees/version2" "$root/vectors"
says '0 failed'
asked 'reply07 '
asked 'call04 '
for draft in 04 07; do ends opening-vector-$draft 0 as-required; done

# ---- a testee that follows a connection ----

ask 0 "$own" "$small"
says '0 failed'
says 'legal Sends refused: 0 of'
asked 'in 20220318'
asked 'call07 ' # the opening vector
for event in 0 1 2 3 4; do ends pieces $event as-required; done
ends opening-vector-07 0 as-required
ends properties-after-final 2 as-required
ends list-that-ends 0 as-required
ends version-of-another 1 not-applicable
ends version-of-another 2 as-required

# What it says wrong ends its conversation, and nothing else.
ask 1 "$own | sed -u 's/error err-inval-cont/accept 20/'" "$small"
says '1 failed'
ends properties-after-final 2 wrong-answer
ends properties-after-final 3 not-applicable
ends pieces 0 as-required
ends list-that-ends 0 as-required
ask 1 "$own | sed -u 's/^more$/discard/'" "$small"
ends pieces 0 wrong-answer
ends pieces 1 not-applicable
# What comes after the end of a connection is of another one.
jq '.tests = [.tests[1] | .id = "connected-again" |
    .events |= [.[0], .[1], {from: "client", disconnect: true}, .[0], .[1]]]' "$small" >again.json
ask 0 "$own" again.json
ends connected-again 0 as-required
ends connected-again 3 as-required
# A header may be four octets longer where the XDR counts the first word of the message to it.
ask 0 "$own | sed -u 's/accept 32/accept 36/'" "$small"
ask 1 "$own | sed -u 's/accept 32/accept 40/'" "$small"
ask 1 "$own | sed -u 's/^more$/unheard of/'" "$small"
ends pieces 0 garbled
# Fields of its header, as in version 1; of another version they are others.
for field in 'vers=2:0' 'vers=1:1' 'proc=0xa vers=2:0' 'proc=13:1' 'colour=2:1'; do
    ask "${field#*:}" "$own | sed -u 's/^accept 32$/accept 32 ${field%:*}/'" --case pieces "$small"
done
# What ends in a conversation ends that, and the next one begins.
ask 1 "$own | while read -r line; do case \$line in *err-inval-cont*) kill -KILL 0 ;; esac; echo \"\$line\"; done" "$small"
says '1 failed'
ends properties-after-final 2 crashed
ends properties-after-final 3 not-applicable
for test in list-that-ends pieces; do ends $test 0 as-required; done
verdict 'says why not' grep -q '"actual":"not judged: the conversation had ended before"' results
# Who receives it says as what it is asked.
# shellcheck disable=SC2016 # jq's own
verdict 'a Send of the client is for a Responder' jq -es 'map(select(.question and (.opening | not))) | length > 5 and
    all((.role == "Responder") == (.from == "client"))' results
# An error with its octets: ERR_BAD_XDR, which refuses what it has the XID of.
ask 0 "$own | sed -u 's/error err-bad-xdr/error 000000770000000200000010000000400000002/; s/400000002$/0400000002/'" "$small"
ends list-that-ends 0 as-required
ask 1 "$own | sed -u 's/error err-bad-xdr/error 0000007700000002000000100000000400000005/'" "$small"
ask 1 "$own | sed -u 's/error err-bad-xdr/error 0000007800000002000000100000000400000002/'" "$small"
ask 1 "$own | sed -u 's/error err-bad-xdr/error 00000077000000020000001000000004000000/'" "$small"
# It has to say what it would send in the words of version 2.
ask 0 "$own | sed -u 's/error err-bad-xdr/error err-chunk/'" "$small"
ask 1 "$own | sed -u 's/error err-bad-xdr/error err-system/'" "$small"

# ---- one that does not ----

ask 0 "$own | sed -u 's/^ok$/unsupported/'" "$small"
asked 'call07 20220318'
asked 'reply07 20220318'
# A strict receiver does not take a later piece by itself.
for event in 0 3; do ends pieces $event as-required; done
for event in 1 2 4; do ends pieces $event tolerated; done
ends list-that-ends 0 as-required
ask 0 "$own | sed -u 's/^ok$/unsupported/; s/error err-inval-cont/accept 20/'" "$small"
ask 1 "$own | sed -u 's/^ok$/unsupported/; s/error err-bad-xdr/accept 28/'" "$small"

# Nor need one that follows a connection take a Call without one.
ask 0 "sed -u 's/^call07.*/of no connection/' | $own" "$small"
ends opening-vector-07 0 not-applicable
ends pieces 0 as-required

# ---- one that knows no version 2: a row of its own, and no pass ----

toy="python3 -B $root/vectors/testees/toy.py"
for old in "$toy" "sed -u s/.*/unsupported/" "sed -u s/.*/discard/" "sh -c 'exit 1'"; do
    ask 1 "$old" "$small"
    verdict 'one result' test "$(jq -s 'map(select(.test)) | length' results)" -eq 1
    ends opening-vector-07 0 not-applicable
    verdict 'says that nothing was judged' grep -q 'nothing was judged' err
done
ask 0 "$toy" "$small" "$root/vectors/credits.json"
ends opening-vector-07 0 not-applicable
ends opening-vector 0 as-required
ask 1 "sed -u 's/^call07 .*/accept 31/; t; s/.*/unsupported/'" "$small" # it does, and wrongly
ends opening-vector-07 0 wrong-answer

# What is a Send With Invalidate is said to be one, in a conversation and without.
ask 0 "tee said | $own" --case 07-invalidate-offered "$root/vectors/v2-07"
verdict 'in a conversation' grep -Eq '^in [0-9a-f]* invalidate=0xb1$' said
verdict 'in that of either side, as far as it has something to judge' \
    test "$(cut -d ' ' -f 1 said | tr '\n' ' '):$(grep open said | cut -d ' ' -f 3 | tr '\n' ' ')" = \
    'open in open out in :responder requester '
"$rpcrdma" vectors --print-lines "$root/vectors/v2-07" >lines
verdict 'without one' grep -Eq '^reply07 [0-9a-f]* invalidate=0xb1$' lines

# It may speak one draft and not the other; and a codec is asked of none.
ask 0 "sed -u 's/^[a-z]*07 .*/none/; s/^open 07.*/none/' | $testees/version2" "$root/vectors/v2-04" "$root/vectors/v2-07"
ends opening-vector-04 0 as-required
ends opening-vector-07 0 not-applicable
verdict 'has no other row of -07' jq -es 'all(.[]; (.file // "" | test("v2-07") | not)) and
    (map(select(.file // "" | test("v2-04"))) | length > 100)' results
ask 1 "sed -u 's/.*/refuse/'" --decode "$small"
verdict 'a codec is asked of version 1 alone' test "$(jq -r 'select(.kind == "result") | .actual' results | sort -u)" = 'not asked: of another version'
# Without a testee the lines are those of one that follows no connection: what a server sends is a Reply, or a Call of its own.
"$rpcrdma" vectors --print-lines "$small" >lines
verdict 'a line for each Send that is asked' test "$(cut -d ' ' -f 1 lines | sort | uniq -c | xargs)" = \
    "$(jq -r '.tests[].events[] | select(.send and (.send[8:17] | gsub(" "; "") | startswith("00000001") | not)) | if .from == "server" then "reply07" else "call07" end' "$small" | sort | uniq -c | xargs)"
# There is one row for each draft that has vectors.
ask 1 "sed -u 's/.*/unsupported/'" --case '07-credits-off,04-done-raises-the-level' "$root/vectors/v2-04" "$root/vectors/v2-07"
for draft in 04:36 07:32; do
    # shellcheck disable=SC2016 # jq's own
    verdict "says of -${draft%:*} what was wanted, and what was said" jq -es --arg test "opening-vector-${draft%:*}" \
        --arg expected "accept ${draft#*:}" 'map(select(.test == $test)) | length == 1 and (.[0] | .expected == $expected and
        .role == "Responder" and .opening and .actual == "unsupported: it does not speak this draft, whose vectors are not asked")' results
done
verdict 'and has nothing else' test "$(jq -s 'map(select(.test)) | length' results)" -eq 2
# To close ends the conversation, also where that is right.
ask 1 "$own | sed -u 's/error err-inval-cont/close/'" --case properties-after-final "$small"
ends properties-after-final 2 closed
ends properties-after-final 3 not-applicable

# The opening vector of each draft is the seed's: another one for another, the same for the same.
for draft in 04 07; do
    for seed in 1 2 1; do
        ask 1 "sed -u s/.*/unsupported/" --seed $seed --case "${draft}*" "$root/vectors/v2-$draft"
        jq -r 'select(.opening) | .question' results
    done >"openings$draft"
    # shellcheck disable=SC2016 # awk's own
    verdict 'the seed makes the opening vector' awk -v begins="call$draft " 'index($0, begins) != 1 { bad = 1 } { line[NR] = $0 }
        END { exit bad || NR != 3 || line[1] == line[2] || line[1] != line[3] }' "openings$draft"
done

# ---- all vectors of -07 ----

if [ -d "$root/vectors/v2-07" ]; then
    ask 0 "$own" "$root/vectors/v2-07"
    says 'legal Sends refused: 0 of'
    # What begins in the middle, or where credits mean something else, is no conversation, and all else is one.
    # shellcheck disable=SC2016 # jq's own
    verdict 'tests that are no conversation' test "$(jq -r --slurpfile files "$root/vectors/v2-07/credits.json" \
        'select(.question) | (.question | test("^in ") | not) as $alone | .test as $test | $files[0].tests[] |
        select(.id == $test) | $alone == (.settings.midStream == true or (.settings.credits // "sum") != "sum")' results |
        sort -u)" = true
    ends 07-credits-off 2 as-required
    for reason in 'not asked: no Send' 'not asked: of version 1, which a testee of version 2 need not speak'; do
        verdict "says '$reason'" grep -qF "\"actual\":\"$reason\"" results
    done
    ask 0 "$own | sed -u 's/^ok$/unsupported/'" "$root/vectors/v2-07"
    says 'legal Sends refused: 0 of'
    # It never sent a Call of version 3, so it need not take what answers one.
    strict="sed -u 's/^[a-z0-9]* ........00000003........00000004.*/of version 3/' | $own | sed -u 's/^unsupported\$/discard/'"
    ask 0 "$strict" "$root/vectors/v2-07"
    ends 07-version-3-is-offered 1 tolerated
    ask 1 "$strict" --versions 2,3 "$root/vectors/v2-07"
    ends 07-version-3-is-offered 1 wrong-answer
    ask 0 "sed -u 's/^open.*/no connection/' | $strict" "$root/vectors/v2-07"
    ends 07-version-3-is-offered 1 tolerated
    [ ! -x "$testees/librpcrdma" ] || ask 1 "$testees/librpcrdma" "$root/vectors/v2-07" "$root/vectors/v2-04"
else
    echo 'skip: no vectors of -07'
    skipped=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
