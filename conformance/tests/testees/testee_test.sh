#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# `rpcrdma vectors --testee` is fair and repeatable: parsers with limits are not accused, answers with
# octets and fields are compared, two runs are the same, and what fails alike comes in one line.
#
# usage: testee_test.sh PATH_TO_RPCRDMA [FOLDER_OF_TESTEES]
set -u

rpcrdma=$(realpath "$1")
build=$(realpath "${BUILD:-build}")
testees=$(realpath "${2:-$build/testees}")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
vectors=$root/vectors
small=$root/conformance/tests/data/vectors
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

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
# ask STATUS NAME OPTION...: run the testee of that name over all vectors.
what=
ask() {
    wanted=$1 name=$2
    shift 2
    what="$name $*"
    "$rpcrdma" vectors --testee "python3 $here/testees.py $name" "$@" >out 2>err </dev/null
    got=$?
    verdict "exits with $wanted, not $got" test "$got" -eq "$wanted"
}
# tells TEXT: the results as JSON have it, which do not wrap.
tells() { verdict "tells '$1'" grep -qF -- "$1" results; }
says() { verdict "says '$1'" grep -qF -- "$1" out; }
# ends TEST EVENT ENDING: as the results say
ends() {
    # shellcheck disable=SC2016 # jq's own
    verdict "$1:event $2 ends $3" jq -es --arg test "$1" --argjson event "$2" --arg ending "$3" \
        'map(select(.test == $test and .event == $event)) | length == 1 and .[0].ending == $ending' results
}
complains() { verdict "complains '$1'" grep -qF -- "$1" err; }
not() { ! "$@"; }
# counts N ENDING: the table of endings has N of them; N may be "some".
counts() {
    # shellcheck disable=SC2016 # awk's own
    verdict "counts $1 $2" awk -v wanted="$1" -v ending="$2" \
        'index($0, ending) == 1 && ($NF == wanted || (wanted == "some" && $NF > 0)) { found = 1 }
        END { exit !found }' out
}

# ---- limits ----

ask 1 limited "$vectors"
says 'a legal Send'
verdict 'the limit of 16 is not the default' not grep -q 'legal Sends refused: 0' out
ask 0 limited --max-segments 16 "$vectors"
says '0 failed'
says 'legal Sends refused: 0 of'
counts some tolerated
ask 1 limited --max-segments 16 --max-read 16G "$vectors"
ask 0 says_limit "$vectors"
counts some limit
ask 1 limit_all --json results "$vectors" # a Send without chunks is beyond no limit
says 'nothing in the Send can be beyond a limit'
ends done-of-16-octets 0 as-required # it has to be dropped anyway
ends msgp-call 0 as-required
ends reading-empty-write-chunk 0 wrong-answer
ends svcrdma-empty-reply-chunk 0 wrong-answer
ends nfs-one-read-chunk-for-three-writes 0 limit
ask 0 fails_by_errors "$vectors"
says '0 failed'
ask 1 one_read_chunk "$vectors"
ask 0 one_read_chunk --max-read-chunks 1 "$vectors"
says '0 failed'
ask 1 one_read_chunk --max-read-chunks 2 "$vectors"
ask 1 short_chunks "$vectors"
ask 0 short_chunks --max-chunk-segments 8 "$vectors"
says '0 failed'
ask 1 short_chunks --max-chunk-segments 16 "$vectors"
ask 1 limited --max-chunk-segments 16 "$vectors" # of a chunk, not of a header
ask 0 version_one "$vectors"
says '0 failed'
ask 1 version_one --versions 1,2 "$vectors"
ask 0 one_of_both "$vectors"
says '0 failed'
ask 1 one_of_both --offers write-chunks,write-and-reply "$vectors"
ask 0 good_or_bad "$vectors"
says '0 failed'
ask 1 refuse_all "$vectors"
verdict 'every legal Send is counted' grep -q '^legal Sends refused: 1[5-9][0-9][0-9] of 1[5-9]' out
verdict 'they come first' awk 'NR == 1 && / x expected accept, got refuse: a legal Send/ { ok = 1 }
    END { exit !ok }' out
ask 1 drops_errors "$vectors" # a good ERR_CHUNK has to be taken
says 'x expected accept, got discard: a legal Send'
verdict 'and is counted' grep -q '^legal Sends refused: [1-9]' out
ask 1 closes "$vectors"
counts some closed
for bad in '--versions 1,x' '--versions 64' '--offers writes' '--max-segments many' '--seed x'; do
    # shellcheck disable=SC2086 # an option and its argument
    ask 2 answer $bad "$vectors"
done

# ---- lengths that are added ----

ask 1 sums_in_32_bits "$vectors"
verdict 'a sum of 2^32 is not nothing' grep -q '^[^ ]*:short-reply-names-4294967296-octets-in-chunk:event 1: wrong' out
verdict 'nor in a Long Reply' grep -q '^[^ ]*:long-reply-of-4294967296-octets:event 1: wrong' out
ask 1 last_segment "$vectors"
verdict 'an empty last segment is not the sum' grep -q '^[^ ]*:long-call-with-empty-last-segment: wrong' out

# A line of a group is wrapped.
group_says() {
    tr -s '\n ' ' ' <out >flat
    verdict "a group says: $1" grep -qF "$1" flat
}

# ---- fields ----

for name in fields fields_in_hex; do
    ask 0 $name "$vectors"
    says '0 failed'
done
ask 1 drops_a_read "$vectors"
group_says 'x expected the fields of the Send, got accept, fields differ: positions, first in'
verdict 'one fault is one group' test "$(grep -c ' x expected' out)" = 1
says ', but the Send has positions='
verdict 'only fields differ' not grep -q 'octets too' out
for field in xid vers credit proc err positions reads write-segments writes reply-segments reply; do
    ask 1 "altered $field" --json results "$vectors"/errors.json "$vectors"/chunks-*.json
    group_says "x expected the fields of the Send, got accept, fields differ: $field, first in"
    verdict 'one fault is one group' test "$(grep -c ' x expected' out)" = 1
    # shellcheck disable=SC2016 # jq's own
    verdict 'both values are there; no other Send is wrong' jq -es --arg field "$field" 'map(select(.kind == "result")) |
        all((.ending == "wrong-answer") == (.actual | test(": " + $field + "=[^ ]+, but the Send has " + $field + "=[^ ]+$"))
            and (.ending != "wrong-answer" or (.actual | capture($field + "=(?<a>[^ ]+), but the Send has [^=]*=(?<b>[^ ]+)$") |
                .a != .b))) and any(.ending == "wrong-answer")' results
done
ask 1 counts_chunks_twice "$vectors"
group_says 'x expected accept, got accept, header too long: with a Reply chunk, first in'
verdict 'one fault is one group for each shape, whatever is too long' test "$(grep -c ' x expected' out)" -le 7
says 'octets too long'
verdict 'what is misread is counted' grep -q '^legal Sends refused: 0 of [0-9]*, misread: [1-9]' out
ask 1 unknown_field "$small"
says 'no answer of the protocol:'

# ---- RDMA_ERROR with its octets ----

ask 0 error_whole "$vectors"
says '0 failed'
ask 1 error_xid --json results "$vectors"
tells 'its RDMA_ERROR has another XID than the Send'
group_says 'expected an RDMA_ERROR without fault, got error with octets: its RDMA_ERROR has another XID'
verdict 'one fault is one group, whatever was asked' test "$(grep -c ' x expected' out)" = 1
ask 1 error_credit --json results "$vectors"
tells 'its RDMA_ERROR breaks rfc8166/3.3.1/grant-not-zero'
group_says 'got error with octets: rfc8166/3.3.1/grant-not-zero, first in'
ask 1 error_range --json results "$vectors"
tells 'its RDMA_ERROR breaks rfc8166/4.5.1/'
ask 1 error_cut --json results "$vectors"
tells 'its octets are not a whole RDMA_ERROR of version 1'

# ---- decode ----

what='decode'
"$rpcrdma" vectors --decode --print-lines "$vectors" >lines
verdict 'asks to decode' not grep -v '^decode [0-9a-f]*$' lines
cat >decode.sh <<'END'
while read -r verb hex rest; do echo refuse; done
END
"$rpcrdma" vectors --decode --testee 'sh decode.sh' "$vectors" >out 2>err
verdict 'refusing everything fails' test $? = 1
verdict 'it is what is legal' grep -q 'expected accept, got refuse' out

# The example in C, which shares lines.h with other people's.
"$rpcrdma" vectors --decode --testee "$testees/librpcrdma" "$vectors" >out 2>err
verdict 'our codec passes' test $? = 0
says '0 failed'
echo 'decode 2f0c000100000001000000200000000000000001000000340000000a000000040000000000000000000000000000000000000000' |
    "$testees/librpcrdma" >out
verdict 'it tells fields' grep -qx 'accept 52 xid=789315585 credit=32 positions=52' out
{ echo 'decode 2f0c'; echo 'frobnicate 00'; echo; } | "$testees/librpcrdma" >out
verdict 'it refuses, and answers what it cannot be asked' test "$(tr '\n' ' ' <out)" = 'refuse unsupported unsupported '

# ---- the start ----

# start STATUS COMMAND OPTION...: a testee by its command
start() {
    wanted=$1 what="$2"
    shift
    "$rpcrdma" vectors --testee "$@" "$small" >out 2>err </dev/null
    got=$?
    verdict "exits with $wanted, not $got" test "$got" -eq "$wanted"
}
toy="exec python3 -B $root/vectors/testees/toy.py"
start 0 "sleep 2; $toy" --timeout 1
says '0 failed'
# Nor has one that is started again to be as quick as it is afterwards: it hangs once, at the fifth question.
start 1 "sleep 1.5; if [ -e hung ]; then $toy; fi; : >hung; $toy | awk 'NR == 5 { fflush(); system(\"sleep 60\") } { print; fflush() }'" \
    --timeout 1
counts 1 stalled
says ', 1 failed'
# The first question goes alone.
cat >alone.py <<END
import os, select, sys
line = sys.stdin.buffer.raw.readline()
print('more at once' if select.select([0], [], [], 0.3)[0] else 'unsupported', flush=True)
for line in sys.stdin:
    print('unsupported', flush=True)
END
start 1 'python3 -B alone.py'
verdict 'no other question is there before its answer' not grep -q 'more at once' out
start 1 'sleep 60' --timeout 0.1
says 'no answer in 1000 ms: is each line flushed? or still starting: see'
says 'not asked: the testee has answered nothing yet'
complains 'nothing was judged'
for never in 'python3 -B /nosuch.py' 'false' 'true' 'exit 3' 'kill -SEGV $$'; do
    start 3 "$never" --json none.json
    verdict 'in one line' test "$(cat out err | grep -v '^vectors: ' | grep -c .)" -le 2 # but for how far it is
    complains 'times without an answer: '
done
start 3 'echo again >>starts; exit 3'
verdict 'it was started as often as is said, twice and for sixteen questions' test "$(sed -n 's/.*: ended \([0-9]*\) times.*/\1/p' err):$(wc -l <starts)" = 18:18
# Who killed it is said, behind a shell that waits for it as well.
for dies in 'kill -SEGV $$' 'sh -c "kill -SEGV \$\$"; exit $?'; do
    start 1 "read -r line; echo accept; read -r line; $dies"
    says 'killed by signal 11 (SIGSEGV)'
done
start 3 'echo oh, no >&2; exit 3'
complains 'ended with status 3: oh, no'
start 1 'read -r line; echo accept; read -r line; exit 128' # of no signal
says 'ended with status 128'
start 1 'read -r line; echo accept; read -r line; exit 127' --case null-call-and-reply
says 'ended with status 127: there is no such command'

# ---- lines ----

ask 0 'answer cr' "$small"
says '0 failed'
ask 1 'answer banner' "$small"
says "garbled"
says "hello, I am a parser"
says 'not asked: the testee has answered nothing yet'
ask 1 chatty "$small"
counts 1 crashed
says 'stderr:'
says 'assertion failed: version'
ask 1 chatty --tap "$small"
verdict 'TAP has the standard error' grep -q 'stderr: ".*assertion failed: version' out
verdict 'TAP has the octets' grep -q 'octets: "[0-9a-f]*00000007' out
ask 1 chatty --junit j.xml --json j.json --html j.html "$small"
verdict 'that one alone, and as the others are answered' jq -es 'map(select(.kind == "result")) | length == 21 and
    map(select(.ending == "crashed").test) == ["version-seven"] and all(.ending | . == "crashed" or . == "as-required" or
    . == "not-applicable" or . == "tolerated")' j.json
for file in j.xml j.json j.html; do
    verdict "$file has the standard error" grep -q 'assertion failed: version' $file
    verdict "$file has the role" grep -q 'Responder' $file
    verdict "$file has the octets" grep -q '00000007' $file
    verdict "$file has the requirement" grep -qi 'version' $file
done
verdict 'classes have dots' grep -q 'classname="rfc8166.4.2.2.version-one"' j.xml
verdict 'cases have times' grep -q '<testcase [^>]* time="[0-9.]*"' j.xml

what='a testee that is started again and again'
"$rpcrdma" vectors --testee 'echo "began as $$" >&2; read -r line; echo accept; read -r line; exit 3' \
    --json began.json "$small" >out 2>err
verdict 'each has a standard error of its own' test "$(jq -s 'map(.stderr // empty) |
    length > 1 and length == (unique | length) and all(test("^began as [0-9]+$"))' began.json)" = true

# Of what it leaves on standard error the last lines are kept, whole, and of its signals the name.
what='a testee that talks a lot before it crashes'
# shellcheck disable=SC2016 # its own
"$rpcrdma" vectors --testee 'read -r line; echo accept; read -r line
    for n in 1 2 3 4 5 6 7 8 9; do printf "%01000d\n" $n >&2; done; exit 3' --json log.json "$small" >out 2>err
verdict 'its last lines are kept' test "$(jq -rs 'map(.stderr // empty)[0] | gsub("0"; "") | gsub("\n"; " ")' log.json)" = '6 7 8 9'
for signal in 6:ABRT 7:BUS 8:FPE 4:ILL 9:KILL 15:TERM 13:PIPE 5:TRAP 31:SYS 24:XCPU 1:HUP; do
    start 1 "read -r line; echo accept; read -r line; exec env --default-signal=HUP sh -c 'kill -${signal#*:} \$\$'" --case null-call-and-reply
    says "killed by signal ${signal%:*} (SIG${signal#*:})"
done
start 1 'read -r line; echo accept; read -r line; kill -USR1 $$' --case null-call-and-reply
says '(another signal)'
start 3 'printf "first\nlast of all\n" >&2; exit 3'
complains 'ended with status 3: last of all'
: >not-executable
start 3 ./not-executable
complains 'the command cannot be run: '
# Two starts may fail, not three.
for fails in 2:0 3:1; do
    rm -f starts
    start "${fails#*:}" "echo again >>starts; [ \$(wc -l <starts) -gt ${fails%:*} ] || exit 3; $toy"
done
# answered ANSWER ENDING: as the answer to a good Call
answered() {
    what="the answer '$(echo "$1" | cut -c 1-40)'"
    "$rpcrdma" vectors --case null-call-and-reply --json results --testee "while read -r line; do echo '$1'; done" \
        "$small" >out 2>err
    ends null-call-and-reply 0 "$2"
}
answered 'accept 000000000000000028' as-required
answered "accept 28 $(printf %65526s '')" as-required
answered 'accept 28  xid=1' as-required
answered 'error 00' wrong-answer
answered 'accept 28 vers=0x1 proc=00' as-required
answered 'accept 28 vers=2' wrong-answer
# What is no answer is quoted, not all of it and without what a terminal would obey.
for line in 'accept 0000000000000000028' 'accept  28' 'error 000A' 'error 000' 'error ' 'accept x' 'accept 0x1c' 'accept 28 xid' \
    "accept 28 $(printf %65527s '')" "error $(printf %0514d 0)"; do
    what="the line '$(echo "$line" | cut -c 1-40)'"
    "$rpcrdma" vectors --case null-call-and-reply --json results --testee "read -r line; echo accept
        while read -r line; do echo '$line'; done" "$small" >out 2>err
    ends null-call-and-reply 0 garbled
done
what='a line of 120 octets'
"$rpcrdma" vectors --json results --testee 'read -r line; echo accept; read -r line; printf "%0120d\n" 7' "$small" >out 2>err
# shellcheck disable=SC2016 # jq's own
verdict 'is quoted in part' jq -es --arg zeros "$(printf %0100d 0)" \
    'any(.actual == "no answer of the protocol: \u0027\($zeros)...\u0027")' results
"$rpcrdma" vectors --json results --testee 'read -r line; echo accept; read -r line; printf "a\033\303\244b\n"' "$small" >out 2>err
tells "no answer of the protocol: 'a???b'"
"$rpcrdma" vectors --case null-call-and-reply --json results --testee 'read -r line; echo accept; read -r line
    printf "a\033[1mb\303\244\n" >&2; printf "accept\000 28\n"; sleep 9' "$small" >out 2>err
ends null-call-and-reply 0 garbled # for the NUL
tells '"stderr":"a?[1mb??"'

what='a testee that takes its time for one question'
# shellcheck disable=SC2016 # its own
"$rpcrdma" vectors --testee 'n=0; while read -r line; do n=$((n + 1)); [ $n != 4 ] || sleep 0.7; echo accept; done' \
    --junit times.xml "$small" >out 2>err
verdict 'has its time there' test "$(sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' times.xml |
    sort -nr | head -n 1 | sed -E 's/^(0\.[7-9]|[1-9])[0-9.]* //')" = read-list-complete

what='--context'
cat >seen.sh <<'END'
while read -r line; do echo "$line" >>seen; echo accept; done
END
"$rpcrdma" vectors --context --testee 'sh seen.sh' "$small" >out 2>err
verdict 'a Reply comes with its Call' grep -q '^reply [0-9a-f]* direction=forward call=[0-9a-f]*$' seen
verdict 'a Call has its direction' grep -q '^call [0-9a-f]* direction=forward$' seen
"$testees/librpcrdma" <seen >answers
verdict 'an old testee does not mind' not grep -qx unsupported answers

# Of several it is the latest; nor is it what is no Send.
jq '.tests |= [.[0] | .events[0] as $call | .events = [$call, ($call | .send |= sub("00000020"; "00000019")),
    {from: "client", privateData: "00000001 00000001"}, .events[1]]]' "$small/headers.json" >both.json
"$rpcrdma" vectors --context --print-lines both.json >out
verdict 'a Reply comes with the latest Call' grep -q '^reply .* call=000000010000000100000019' out
"$rpcrdma" vectors --context --decode --print-lines both.json >out
verdict 'a codec gets no direction' not grep -v '^decode [0-9a-f]*$' out
# Of Sends of one XID its Call is the other side's.
jq '.tests |= [.[0] | .events[0] as $call | .events = [$call, ($call | .from = "server" | del(.expect) |
    .send |= sub("00000020"; "00000019")), .events[1]]]' "$small/headers.json" >both.json
"$rpcrdma" vectors --context --print-lines both.json >out
verdict 'a Reply comes with the Call of the other side' grep -q '^reply .* call=000000010000000100000020' out

# A server calls, too.
jq '.tests |= [.[0] | .events = [(.events[0] | .from = "server" | del(.expect)), (.events[1] | .from = "client" | del(.expect))]]' \
    "$small/headers.json" >back.json
"$rpcrdma" vectors --context --print-lines back.json >out
verdict 'a Call of the server goes backward' grep -q '^call [0-9a-f]* direction=backward$' out
verdict 'and so does its Reply' grep -q '^reply [0-9a-f]* direction=backward call=[0-9a-f]*$' out

# Once a server has called, a Send that shows no direction can be of either role, however much later it comes.
jq '.tests |= [.[0] | .events[0] as $call | .events = [$call, ($call | .from = "server" | del(.expect)), $call,
    {from: "server", send: "00000005 00000001"}]]' "$small/headers.json" >both.json
"$rpcrdma" vectors --print-lines both.json >out
verdict 'three Calls are asked, and nothing else' test "$(cut -d ' ' -f 1 out | uniq -c | tr -s ' \n' ' ')" = ' 3 call '

# ---- no run is longer than is said ----

what='a testee that floods'
"$rpcrdma" vectors --testee 'read -r line; echo accept; sleep 0.02; exec yes nonsense' --timeout 0.1 "$vectors" >out 2>err
verdict 'exits with 1' test $? -eq 1
says 'not asked: the testee has failed for too long'
says 'the testee failed for 30 times its --timeout: the rest was not asked'
verdict 'has rows for what it was asked' grep -qE ': (garbled|early)' out
# Thirty times 0.05 s, a hang, and the judging; each of these takes 25 s and more if nothing is counted.
for failing in 'exec yes nonsense' 'while read -r line; do echo bonjour; done' 'read -r line; kill -SEGV $$' \
    "exec tr '\\0' x </dev/zero"; do
    what="a testee that does: $failing"
    begun=$(date +%s)
    "$rpcrdma" vectors --testee "read -r line; echo accept; $failing" --timeout 0.05 "$vectors" >out 2>err
    verdict 'ends' test $(($(date +%s) - begun)) -le 15
    verdict 'and says why' grep -qE 'testee (failed for 30 times its --timeout|hung 10 times): the rest was not asked$' out
done
what='a testee that dies slowly' # 30 times 0.2 s are 40 deaths at most
"$rpcrdma" vectors --testee 'read -r line; echo accept; read -r line; sleep 0.15; exit 3' --timeout 0.2 --json results \
    "$vectors" >out 2>err
says 'the testee failed for 30 times its --timeout: the rest was not asked'
verdict 'has its time counted' jq -es 'map(select(.ending == "crashed")) | length > 5 and length <= 41' results
what='a testee that is slow' # where the machine is, too, it may seem to hang
"$rpcrdma" vectors --testee 'while read -r line; do sleep 0.03; echo accept; done' --timeout 0.1 "$vectors" >out 2>err
verdict 'exits with 1' test $? -eq 1
verdict 'is left' grep -qE 'not asked: the testee (takes too long|has hung too often)' out
verdict 'says so' grep -qE 'testee (took 300 times its --timeout|hung 10 times): the rest was not asked$' out

what='a testee that is interrupted'
timeout 4 "$rpcrdma" vectors --testee 'while read -r line; do echo accept; sleep 0.05; done' --junit junit "$vectors" >out 2>err
says 'not asked: interrupted'
verdict 'no test took hours' not grep -qE 'time="[0-9]{4}' junit
verdict 'nothing else is given for a reason' test "$(grep -c 'too long' out)" -eq 0
verdict 'and nothing goes on' test "$(grep -c '^vectors:' err)" -le 1

# ---- what is tolerated is said ----

for versions in 1 1,2; do
    what="a testee of versions $versions that refuses all"
    "$rpcrdma" vectors --testee 'while read -r line; do echo error err-vers; done' --versions $versions \
        --case err-vers-answers-version-two "$vectors" >out 2>err
    says 'expected: accept 28'
    verdict 'says what may be dropped, where the testee does not speak version 2' \
        test "$(grep -c 'expected: accept 28 (tolerated: discard)$' out):$versions" = "$([ $versions = 1 ] && echo 1:1 || echo 0:1,2)"
done

# To end the connection is more than to drop what may be dropped, and no wrong answer; where it has to be taken it is one.
for versions in 2:closed 1,2:wrong-answer; do
    what="a testee of versions ${versions%:*} that closes"
    "$rpcrdma" vectors --testee 'while read -r line; do echo close; done' --versions "${versions%:*}" --json results \
        --case smallest-reply "$vectors" >out 2>err
    ends smallest-reply 1 "${versions#*:}"
done

# What a vector says for itself: how long its header is, and what its Responder fetches.
jq '.tests |= [.[0] | .events[0].expect.headerLength = 32]' "$small/headers.json" >longer.json
"$rpcrdma" vectors --testee 'while read -r line; do echo accept 32; done' --json results longer.json >out 2>err
ends null-call-and-reply 0 as-required && ends null-call-and-reply 1 wrong-answer
for limits in 15:1G:tolerated 16:1G:wrong-answer 1000:15:tolerated 1000:16:wrong-answer; do
    jq ".tests |= [.[1] | .settings.maxReadChunk = ${limits%%:*}]" "$small/headers.json" >least.json
    what="a vector whose Responder fetches ${limits%%:*} octets"
    "$rpcrdma" vectors --testee 'while read -r line; do echo error err-chunk; done' --json results \
        --max-read "$(echo $limits | cut -d : -f 2)" least.json >out 2>err
    ends read-list-complete 0 "${limits##*:}"
done
# Each limit is an option: of three Write chunks, of four segments, and a Read chunk of two segments, 16 octets each.
jq '.tests |= [.[1] | .events[0].expect = {} | .events[0].send |= sub("0000cafe 00000010 00000000 00001000 00000000 00000000";
    "0000cafe 00000010 00000000 00001000 00000001 00000028 0000cafe 00000010 00000000 00001000 00000000 00000001 00000004" +
    (4 * " 0000000b 00000010 00000000 00000000") + (2 * " 00000001 00000000") + " 00000000")]' "$small/headers.json" >limits.json
for option in read:32 segments:6 chunk-segments:4 read-chunks:1 write-chunks:3; do
    for less in 0:wrong-answer 1:tolerated; do
        limit=$((${option#*:} - ${less%:*})) what="--max-$option less $less"
        [ $limit -gt 0 ] || continue # 0: any
        "$rpcrdma" vectors --testee 'while read -r line; do echo error err-chunk; done' --json results \
            "--max-${option%:*}" $limit limits.json >out 2>err
        ends read-list-complete 0 "${less#*:}"
    done
done

# ---- what is said of each result ----

ask 1 counts_chunks_twice --json results "$vectors"
verdict 'the shapes of headers' test "$(jq -r 'select(.got // "" | test("too long")) | .cause' results | sort -u | tr '\n' ';')" = \
    'with a Read list;with a Read list, a Reply chunk;with a Read list, a Write list;with a Read list, a Write list, a Reply chunk;with a Reply chunk;with a Write list;with a Write list, a Reply chunk;'
"$rpcrdma" vectors --seed 9 --testee 'while read -r line; do echo accept; done' --json results "$vectors" >out 2>err
verdict 'what was accepted breaks a rule, in one of its ways' jq -es 'map(select(.ending == "wrong-answer" and .breaks)) |
    length > 100 and any(.way) and all(.cause == .rule + (if .way then "#" + .way else "" end))' results
verdict 'the order is that of the files' test "$(jq -r 'select(.kind == "result" and .file) | .test' results | uniq)" = \
    "$(find "$vectors" -name '*.json' ! -name '*schema*' | LC_ALL=C sort | xargs jq -r '.tests[].id')"
verdict 'the seed' jq -es '.[0].seed == 9 and (map(select(.test == "opening-vector"))[0].comment | endswith("from the seed, 9: an answer shows that it was read."))' results
verdict 'a rule of the header is seen, of the connection it is not' jq -es 'map(select(.rule and .ending != "not-applicable")) |
    (map(select(.rule == "rfc8166/3.4.5/position-multiple-of-four").unseen) | any | not) and
    (map(select(.rule == "rfc8166/3.3.1/calls-within-grant").unseen) | length > 0 and all)' results
"$rpcrdma" vectors --decode --testee 'while read -r line; do echo accept; done' --json results "$vectors" >out 2>err
tells 'not asked: of another version' && tells 'not asked: the version is not 1, so the layout is not known'
# What is chosen: by name, by rule, by section, or by any of these.
chosen() { jq -r 'select(.kind == "result") | .test' results | uniq | tr '\n' ' '; }
for choice in "--rule rfc8166/4.6=msgp done " "--rule rfc8166/4=read-list-complete read-list-presence-two read-list-cut write-count-huge version-seven nomsg-without-lists runt msgp done " \
    "--rule rfc8166/4.6.2/done-not-sent,rfc8166/4.5=runt done " "--case runt --rule rfc8166/4.6=runt msgp done " "--case read-*,msgp=read-list-complete read-position-odd read-list-presence-two read-list-cut msgp "; do
    # shellcheck disable=SC2086 # words
    "$rpcrdma" vectors ${choice%%=*} --json results "$small" >out 2>err
    verdict "chooses by ${choice%%=*}, not $(chosen)" test "$(chosen)" = "${choice#*=}"
done
verdict 'unread is more than failed' sh -c "'$rpcrdma' vectors absent longer.json >out 2>err; [ \$? -eq 3 ]" && says ', 1 failed; a file could not be opened'

# ---- a list of expected failures says the answers ----

ask 1 fails --write-known told "$vectors"
verdict 'each wrong answer is said' not grep -q ' wrong-answer ' told
verdict 'and which it was' grep -q '^reply-with-read-list:1 wrong-answer:fail # reason: $' told
ask 0 fails --known told "$vectors"
says '0 failed'
for name in $(python3 "$here/testees.py" names); do
    ask 1 "begins $name" --known told "$vectors"
    verdict 'a refusal that is expected is no acceptance' grep -qE ' got accept|actual: +accept' out
    verdict 'the line is stale' grep -q "wrong-answer:[a-z]*' did not occur" err
done
sed 's/:[a-z]* # / # /' told >old
# A file alone: what other files hold need not occur, what none has is said.
ask 0 fails --known told "$vectors/header-xdr.json"
{ cat told; echo 'no-such-vector wrong-answer:fail'; } >longer
ask 1 fails --known longer "$vectors/header-xdr.json"
verdict 'one alone is said' test "$(grep -c 'expected failure' err)" -eq 1
complains "'no-such-vector wrong-answer:fail' names no test here"
ask 1 fails --known longer --case msgp-reply "$vectors/header-xdr.json" "$vectors/header-version.json"
verdict 'of a part, too' test "$(grep -c 'expected failure' err)" -eq 1
complains "'no-such-vector wrong-answer:fail' names no test here"
jq '.tests[0] |= (.id = "own" | .odd = 1)' "$vectors/header-xdr.json" >odd.json && echo 'own silent' >own && ask 3 fails --known own odd.json "$small"
verdict 'of a file that is not good nothing is' not grep -q 'expected failure' err
{ cat told; jq -r '.tests[0].id + " crashed"' "$vectors/header-xdr.json"; } >longer
ask 1 fails --known longer "$vectors/header-xdr.json"
complains " crashed' did not occur"
ask 0 fails --known old "$vectors" # one without answers goes on: any is meant
says '0 failed'
ask 0 'begins msgp-reply' --known old "$vectors"
sed 's/ wrong-answer:discard/ as-required,wrong-answer:fail,wrong-answer:discard/' told >several
ask 3 fails --known several "$vectors"
sed 's/ wrong-answer:discard/ wrong-answer:fail,wrong-answer:discard,as-required/' told >several
ask 0 fails --known several "$vectors"
for bad in 'a wrong-answer:' 'a silent:fail' 'a wrong-answer:fail,closed:'; do
    echo "$bad" >bad
    ask 3 fails --known bad "$small"
done

# ---- a part of the vectors ----

ask 1 chatty --case version-seven "$small"
counts 1 crashed
says ': 2 results, 1 failed'
ask 2 chatty --case no-such-case "$small"
complains "no test is, or is about, 'no-such-case'"
ask 2 chatty --case msgp-cal "$small"
complains "'msgp-cal'; did you mean 'msgp-call'?"
ask 2 chatty --rule version-one "$small"
complains "'version-one'; did you mean 'rfc8166/4.2.2/version-one'?"
ask 1 chatty --rule rfc8166/4.2.2/version-one "$small"
counts 1 crashed
what='--print-lines'
"$rpcrdma" vectors --print-lines --case version-seven "$small" >lines 2>err
verdict 'one line' test "$(wc -l <lines)" -eq 1
verdict 'the line' grep -q '^call [0-9a-f]\{8\}00000007' lines
verdict 'and a testee answers it' test "$("$testees/librpcrdma" <lines)" = 'error err-vers'

# ---- the opening vector ----

ask 0 answer --json a.json --seed 1 "$small"
says 'opening vector: seed 1'
ask 0 answer --json b.json --seed 2 "$small"
what='--seed'
opening() { jq -r 'select(.opening) | .octets' "$1"; }
verdict 'another seed, another vector' test "$(opening a.json)" != "$(opening b.json)"
for seed in 1 2 3 4 5 6 7 8 9 10; do
    ask 0 limited --seed $seed --json c.json --case null-call-and-reply "$small"
    verdict 'the opening is modest' test "$(jq -r 'select(.opening) | .ending' c.json)" = as-required
    opening c.json >opening.hex
    "$rpcrdma" decode --json opening.hex 2>err | jq -c '.header | .rdma_credit as $credit | .rdma_body.rdma_msg |
        [.rdma_writes[].target, .rdma_reply.target] as $chunks | [.rdma_reads, ($chunks | length), ($credit > 0 and $credit <= 1024),
        ($chunks | flatten | map(.length) | min >= 4096 and max < 69632)], ($chunks[] | length)' >>openings
done
verdict 'each offers two chunks, of 1 to 4 segments, each of 4 to 68 KiB' \
    test "$(sort -u openings | tr '\n' ' ')" = '1 2 3 4 [[],2,true,true] '
# A crash at it does not condemn the rest, and it is never expected.
printf '%s\n' 'read -r line; kill -SEGV $$' >first.sh
cat >opening.sh <<END
read -r line
case \$line in *$(opening a.json)*) kill -SEGV \$\$ ;; esac
{ echo "\$line"; cat; } | python3 $here/testees.py answer
END
what='a crash at the opening vector'
"$rpcrdma" vectors --seed 1 --testee 'exec sh opening.sh' --write-known known "$small" >out 2>err
verdict 'is a failure' test $? -ne 0
verdict 'of its own' grep -q ': 21 results, 1 failed' out
verdict 'and no list is written' test ! -e known
verdict 'as it says' grep -q 'is not written: the opening vector failed' err
echo 'opening-vector crashed' >listed
"$rpcrdma" vectors --seed 1 --testee 'exec sh opening.sh' --known listed "$small" >out 2>err
verdict 'is not expected' grep -q ': 21 results, 1 failed' out
verdict 'though it is listed' grep -q "'opening-vector crashed' did not occur" err
what='a testee that crashes at once'
"$rpcrdma" vectors --testee 'sh first.sh' "$vectors" >out 2>err
verdict 'is not asked on and on' test "$(grep -c '^[^ ].*: crashed' out)" -lt 20

# ---- ten times the same ----

what='ten runs'
for run in 1 2 3 4 5 6 7 8 9 10; do
    "$rpcrdma" vectors --testee "python3 $here/testees.py chatty" --json "run$run" "$small" >out 2>err
    "$rpcrdma" vectors --testee "$testees/librpcrdma" --json "all$run" "$vectors" >out 2>err
    verdict "run $run is as the first" cmp "run1" "run$run"
    verdict "run $run over all vectors is as the first" cmp "all1" "all$run"
done

# ---- a dash where a rule was not asked ----

what='the page'
"$rpcrdma" vectors --testee "$testees/librpcrdma" --html page.html "$vectors" >out 2>err
verdict 'a parser of headers was not asked about credits' \
    sh -c "tr -d '\n' <page.html | sed 's/<tr>/\n/g' | grep ':calls-within-grant\"' | grep -q ndash"
verdict 'but about Positions' \
    sh -c "tr -d '\n' <page.html | sed 's/<tr>/\n/g' | grep ':position-multiple-of-four\"' | grep -q 10003"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
