#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD" 4
# The worked examples of the kit. The faults planted in careless.c are found by name, each within a
# minute of an empty corpus, and nothing else is reported of it; of the rpcgen codec nothing beyond
# rpcgen.known; a parser in another process is judged alike, and one that ends is found. A parser that
# crashes does not end the run. Foreign sources are compiled with their own flags alone.
#
# usage: example_test.sh BUILD [SECONDS]
set -u

build=$1 seconds=${2:-10}
kit=fuzz/kit dict=$build/fuzz/rpcrdma.dict
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

ok() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
        [ ! -f "$work/log" ] || tail -n 20 "$work/log"
    fi
}

# fuzz PARSER SECONDS KNOWN [CORPUS [RUNS]]: counting disagreements, from an empty corpus or another;
# RUNS make it the same run whatever the machine's speed
fuzz() {
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1"
    KIT_KNOWN=$3 KIT_CONTINUE=1 "$build/fuzzers/kit_$1" -dict="$dict" -max_total_time="$2" \
        -max_len=512 ${5:+-seed=1 -runs="$5"} -artifact_prefix="$work/" "$work/$1" ${4:+"$4"} >"$work/log" 2>&1
}

faults=$(grep -v '^#' "$kit/careless.known" | sed 's/ .*//')
KIT_UNTIL=$(echo "$faults" | wc -l)
export KIT_UNTIL
fuzz careless 60 ''
ok $? 'the careless parser is fuzzed'
for fault in $faults; do
    grep -qF "$fault " "$work/log"
    ok $? "the careless parser's fault is found: $fault"
done
unset KIT_UNTIL
export KIT_WRITE_KNOWN="$work/written.known"
! fuzz careless 60 '' '' 200000 && grep -q '^5 disagreements' "$work/log"
ok $? 'disagreements that are counted are a failure in the end'
! grep -q '(1 times' "$work/log" && [ "$(grep -c ' times, first after ' "$work/log")" -eq 5 ]
ok $? 'each is counted as often as it is met'
unset KIT_WRITE_KNOWN
[ "$(grep -v '^#' "$kit/careless.known" | sed 's/ .*//' | sort)" = "$(grep -v '^#' "$work/written.known" | sed 's/ .*//' | sort)" ]
ok $? 'the list that is written names the five faults'

for parser in careless rpcgen; do
    fuzz "$parser" "$seconds" "$kit/$parser.known" && grep -q '^0 disagreements' "$work/log"
    ok $? "nothing is reported of $parser beyond its list"
done

# In another process; without KIT_CONTINUE the first disagreement ends the run and is kept.
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/nomsg"
! KIT_TESTEE=$build/fuzz/testee "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q '^disagreement: rfc8166/4.2.4/nomsg-list-present' "$work/log"
ok $? 'the same parser in another process is found out'
KIT_KNOWN=$kit/careless.known KIT_TESTEE=$build/fuzz/testee \
    "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
ok $? 'a known disagreement is passed over'
! KIT_KNOWN=$kit/careless.known KIT_TESTEE='read -r line; exit 1' \
    "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 && grep -q 'the testee has ended' "$work/log"
ok $? 'a crash on a Send whose fault is known is found all the same'
! KIT_TESTEE='read -r line; exit 1' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q 'the testee has ended' "$work/log"
ok $? 'a parser that ends is found out'
! KIT_TIMEOUT=1 KIT_TESTEE='sleep 3' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q 'the testee hangs' "$work/log"
ok $? 'a parser that hangs is found out'
# shellcheck disable=SC2016
KIT_TIMEOUT=5 KIT_TESTEE='while read -r verb _; do
    sleep 0.7
    if [ "$verb" = call ]; then echo error err-chunk; else echo discard; fi
done' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
ok $? 'a parser that takes its time, which KIT_TIMEOUT gives it in seconds, does not hang'

# Without KIT_TIMEOUT these are 5 seconds.
KIT_KNOWN=$kit/careless.known KIT_TESTEE="sleep 1.2; $build/fuzz/testee" "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
ok $? 'a parser that takes a second does not hang'
! KIT_TESTEE='sleep 60' timeout 20 "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q 'the testee hangs' "$work/log"
ok $? 'one that takes a minute does'

# What cannot be asked at all is no list of crashes.
for testee in '' nowhere/testee 'exit 1'; do
    KIT_CONTINUE=1 KIT_TESTEE=$testee timeout 60 "$build/fuzzers/kit_line" -max_total_time=5 >"$work/log" 2>&1
    [ $? -eq 2 ] && grep -Eq 'no parser to fuzz|nothing is fuzzed' "$work/log" && ! grep -q disagreement "$work/log"
    ok $? "a testee that never answers, '$testee', is named, and not fuzzed"
done

# What it is asked at first is a Call that is good: NULL of version 1, of a program that users define.
KIT_CONTINUE=1 KIT_TESTEE="tee -a $work/asked | $build/fuzz/testee" "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
[ "$(head -n 1 "$work/asked")" = "call $(printf %s 00000001 00000001 00000020 00000000 00000000 00000000 00000000 \
    00000001 00000000 00000002 20008166 00000001 00000000 00000000 00000000 00000000 00000000)" ] &&
    [ "$(grep -c '^call' "$work/asked")" -eq 2 ] && [ "$(grep -c '^reply' "$work/asked")" -eq 1 ]
ok $? 'a testee is asked a good Call before the first Send'

# together LINE TESTEE SETTINGS: one process of a run of several, which have a table of disagreements in common
: >"$work/table"
truncate -s 4M "$work/table"
together() {
    # shellcheck disable=SC2086 # words
    env $3 KIT_TABLE_FD=9 KIT_CONTINUE=1 KIT_TESTEE="$2" "$build/replayers/$1" \
        "$work/nomsg" "$work/version2" 9<>"$work/table" >"$work/log" 2>&1
}
printf '\0\0\0\1\0\0\0\2\0\0\0\40\0\0\0\0' >"$work/version2"
many=0
while [ "$many" -lt 70 ]; do
    together kit_line 'read -r line; exit 1' KIT_CHILD=1
    many=$((many + 1))
done
together kit_line 'while read -r line; do echo error err-chunk; done' KIT_CHILD=1
DRAFT=07 together kit_line2 'while read -r line; do echo discard; done' KIT_CHILD=1
! grep -q disagreements "$work/log"
ok $? 'a process of a run prints no table at its end'
together kit_line 'while read -r line; do echo accept; done' "KIT_CHILD=1 KIT_UNTIL=1"
[ $? -eq 72 ] && ! grep -q disagreements "$work/log"
ok $? 'nor where enough was found: it ends as if it were interrupted, and its parent does so, too'
together kit_line 'while read -r line; do echo accept; done' KIT_UNTIL=1
grep -q '^kit/crashed/responder/rfc8166/4.2.4/nomsg-list-present  (70 times' "$work/log" &&
    [ "$(grep -c '^kit/crashed' "$work/log")" -eq 1 ]
ok $? 'each process that dies is counted, however many, and none that ends'

# answers ANSWER OCTETS NAME: a parser that always gives this answer; the first disagreement
answers() {
    printf '%b' "$2" >"$work/send"
    ! KIT_TESTEE="while read -r line; do echo $1; done" "$build/replayers/kit_line" "$work/send" \
        >"$work/log" 2>&1 && grep -qxF "disagreement: $3" "$work/log"
    ok $? "$1 is named $3"
}
reversed='\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\4\0\0\0\1\0\0\0\3\0\0\0\2'
answers discard "$reversed" rfc8166/4.5.1/version-range-ordered:discard
answers accept "$reversed" rfc8166/4.2.4/responder-drops-error
# What comes after the code is a warning's: it does not make the error another.
answers discard '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\4\0\0\0\2\0\0\0\0' kit/refuses-valid/requester/rdma-error
# The error that the RDMA_NOMSG calls for, with its octets.
# shellcheck disable=SC2016
KIT_TESTEE='while read -r verb _; do
    if [ "$verb" = call ]; then echo error 0000000100000001000000200000000400000002; else echo discard; fi
done' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
ok $? 'ERR_CHUNK with its octets is ERR_CHUNK'
# A Read list at Position zero in what its message type, 255, makes neither Call nor Reply.
neither='\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\7\0\0\0\1\0\0\0\0\0\0\0\0'
neither=$neither'\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\377'
answers accept "$neither" rfc8166/3.5.3/position-zero-in-msg
answers 'error err-chunk' "$reversed" rfc8166/4.2.4/responder-drops-error:err-chunk

# limit SEND SETTING MAY: a parser that refuses what is beyond a limit of its own, or answers no Call that it makes
limit() {
    refused='may not'
    env "$2" KIT_TESTEE='while read -r line; do echo refuse; done' "$build/replayers/kit_line" "$work/$1" >"$work/log" 2>&1 &&
        refused=may
    [ "$refused" = "$3" ]
    ok $? "$1 $3 be refused by $2"
}
segment='\0\0\0\1\0\0\0\100\0\0\0\0\0\0\0\0' # 64 octets
begin='\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\0'
call='\0\0\0\1\0\0\0\0\0\0\0\2\0\1\0206\0243\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
reply='\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
chunk="\0\0\0\1\0\0\0\1$segment" none='\0\0\0\0'
printf '%b' "$begin$none$chunk$chunk$none$none$call" >"$work/writes"
printf '%b' "$begin\0\0\0\1\0\0\0\50$segment\0\0\0\1\0\0\0\0150$segment$none$none$none$call" >"$work/reads"
printf '%b' "$begin$none\0\0\0\1\0\0\0\2$segment$segment$none$none$call" >"$work/segments"
printf '%b' "$begin$none$chunk$chunk$none$none$reply" >"$work/two-writes-come-back"
printf '%b' "$begin$none$chunk$none\0\0\0\1\0\0\0\1\0\0\0\1$none$none$none$reply" >"$work/both-come-back"
printf '%b' "$begin\0\0\0\1\0\0\0\50\0\0\0\1\0\020\0\0\0\0\0\0\0\0\0\0$none$none$none$call" >"$work/mebibyte"
printf '%b' "$begin\0\0\0\1\0\0\0\50\0\0\0\1\0\020\0\4\0\0\0\0\0\0\0\0$none$none$none$call" >"$work/more"
for length in 24 32; do # its header has 28 octets
    answers "accept $length" "$begin$none$none$none$call" kit/header-length/responder/rdma-msg
done
while read -r send setting may; do
    limit "$send" "$setting" "$may"
done <<'EOF'
writes KIT_MAX_WRITE_CHUNKS=1 may
writes KIT_MAX_SEGMENTS=1 may
writes KIT_MAX_WRITE_CHUNKS=2 may not
writes KIT_MAX_SEGMENTS=2 may not
writes KIT_MAX_CHUNK_SEGMENTS=1 may not
writes KIT_MAX_READ_CHUNKS=1 may not
writes KIT_MAX_READ=1 may not
reads KIT_MAX_READ_CHUNKS=1 may
reads KIT_MAX_READ=127 may
reads KIT_MAX_READ_CHUNKS=2 may not
reads KIT_MAX_READ=128 may not
reads KIT_MAX_WRITE_CHUNKS=1 may not
segments KIT_MAX_CHUNK_SEGMENTS=1 may
segments KIT_MAX_CHUNK_SEGMENTS=2 may not
segments KIT_MAX_WRITE_CHUNKS=1 may not
two-writes-come-back KIT_OFFERS_WRITE_CHUNKS=0 may
two-writes-come-back KIT_OFFERS_WRITE_CHUNKS=1 may not
two-writes-come-back KIT_OFFERS_WRITE_AND_REPLY=1 may
both-come-back KIT_OFFERS_WRITE_AND_REPLY=0 may
both-come-back KIT_OFFERS_WRITE_AND_REPLY=1 may not
both-come-back KIT_OFFERS_WRITE_CHUNKS=1 may
mebibyte KIT_MAX_READ= may not
more KIT_MAX_READ= may
EOF

# Of a kind of disagreement the shortest Send is kept, whichever comes first.
replayer=$(realpath "$build/replayers/kit_careless")
cat "$work/nomsg" "$work/nomsg" >"$work/longer"
for order in "nomsg longer" "longer nomsg"; do
    # shellcheck disable=SC2086 # two words
    (cd "$work" && KIT_CONTINUE=1 "$replayer" $order) >"$work/log" 2>&1
    grep -qx " *$(od -An -v -tx1 "$work/nomsg" | tr -d ' \n')" "$work/log"
    ok $? "the shortest example is kept of: $order"
done

# counts LIMITS KNOWN ANSWER SEND: the table tells what was asked, and why it was not judged
counts() {
    KIT_CONTINUE=1 KIT_KNOWN=$kit/careless.known KIT_TESTEE="while read -r line; do echo $3; done" \
        "$build/replayers/kit_line" "$work/$4" >"$work/log" 2>&1
    grep -q "^0 disagreements; [1-9][0-9]* questions, of these $1 beyond a limit, $2 of known faults$" "$work/log"
    ok $? "$3 of $4: $1 beyond a limit, $2 of known faults"
}
counts 0 0 unsupported writes
counts 1 0 limit writes
counts 0 '[12]' accept nomsg

# The list has the grammar of `rpcrdma vectors --known`, and each entry how it ends.
while IFS='|' read -r entry complaint; do
    echo "$entry" >"$work/bad.known"
    KIT_KNOWN=$work/bad.known "$build/replayers/kit_careless" "$work/nomsg" >"$work/log" 2>&1
    [ $? -eq 2 ] && grep -qF "rpcrdma: $work/bad.known: line 1: $complaint" "$work/log"
    ok $? "refused as an entry: $entry"
done <<'EOF'
no rule|'no' is not a name of the kit's table
rfc8166/4.2.4/nomsg-list-present|has to be a name of the kit's table, and how it ended
rfc8166/4.2.4/nomsg-list-prezent wrong-answer|there is no rule 'rfc8166/4.2.4/nomsg-list-prezent'; did you mean
rfc8166/4/xdr-encoded# wrong-answer|there is no way after '#'
rfc8166/4.2.4/nomsg-list-present: wrong-answer|there is no answer after ':'
rfc8166/4.2.4/nomsg-list-present crashed|'crashed' can be expected of a test, not of a whole rule
rfc8166/4.2.4/nomsg-list-present silent|'silent' is not an ending that the kit knows
kit/crashed/responder wrong-answer|a crash can be expected of a test, not of a whole form
EOF

# covers ENTRY FILE: whether the list of this entry makes the careless parser pass
covers() {
    echo "$1 wrong-answer # why" >"$work/one.known"
    KIT_KNOWN=$work/one.known "$build/replayers/kit_careless" "$2" >"$work/log" 2>&1
}
# A Read list that the Send's end cuts off.
printf '\012\0\011\374\0\0\0\1\051\0\0\010\0\0\0\1\0\0\0\1\0\0\0\0\0\010\0\0\0\1\0\0\0\1\0\0\0\1\377\144' >"$work/short"
! covers rfc8166/4.2.4/nomsg-list-present "$work/short" &&
    covers rfc8166/4/xdr-encoded#XDR_E_TRUNCATED "$work/short" && covers rfc8166/4/xdr-encoded "$work/short"
ok $? 'a class covers its ways'
! covers rfc8166/4/xdr-encoded#XDR_E_COUNT "$work/short" &&
    ! covers rfc8166/4/xdr-encoded:discard "$work/short" &&
    ! covers rfc8166/4.2.4/nomsg-list-present:discard "$work/nomsg"
ok $? 'an entry covers neither another way nor another answer'

# A Reply with two faults: who takes it has both, and a list of one of them hides none of the other.
two='\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\0\0\0\0\1\0\0\0\10'"$segment"'\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1'"$segment"
printf '%b' "$two\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" >"$work/two"
reads=rfc8166/4.3.1/reply-read-list-empty chunk=rfc8166/4.3.3/short-reply-leaves-chunk-unused
# named LIST NAME ("": none): the disagreement beside a list of these
named() {
    : >"$work/two.known"
    for entry in $1; do echo "$entry wrong-answer # why" >>"$work/two.known"; done
    KIT_KNOWN=$work/two.known KIT_TESTEE='while read -r line; do echo accept; done' \
        "$build/replayers/kit_line" "$work/two" >"$work/log" 2>&1
    [ "$(sed -n 's/^disagreement: //p' "$work/log")" = "$2" ]
    ok $? "beside a list of '$1' it is '$2'"
}
named '' $reads
named $reads $chunk
named $chunk $reads
named "$reads $chunk" ''

# It ends with the first kind where it has to end after one.
KIT_UNTIL=1 KIT_CONTINUE=1 "$replayer" "$work/short" "$work/nomsg" >"$work/log" 2>&1 && grep -q '^1 disagreements' "$work/log"
ok $? 'KIT_UNTIL=1 ends with the first kind'
KIT_UNTIL=2 KIT_CONTINUE=1 "$replayer" "$work/nomsg" >"$work/log" 2>&1
[ $? -eq 1 ] && grep -q '^1 disagreements' "$work/log"
ok $? 'fewer than KIT_UNTIL, and be it one, are a failure'

# ---- what is not as it should be ----
# refused STATUS TEXT SETTING...: the kit ends with this status, and says so
refused() {
    wanted=$1 text=$2
    shift 2
    env "$@" "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
    [ $? -eq "$wanted" ] && grep -qF -- "$text" "$work/log"
    ok $? "refused: $*"
}
none='while read -r line; do echo unsupported; done'
for name in READ SEGMENTS CHUNK_SEGMENTS READ_CHUNKS WRITE_CHUNKS; do
    refused 2 "KIT_MAX_$name is not a number: 12x" "KIT_MAX_$name=12x" KIT_TESTEE="$none"
    refused 0 '' "KIT_MAX_$name=" KIT_TESTEE="$none"
done
for name in WRITE_CHUNKS WRITE_AND_REPLY; do
    refused 2 "KIT_OFFERS_$name is not a number: yes" "KIT_OFFERS_$name=yes" KIT_TESTEE="$none"
done
refused 2 'KIT_UNTIL is not a number: one' KIT_UNTIL=one KIT_CONTINUE=1 KIT_TESTEE="$none"
refused 2 "$work/absent/list" KIT_WRITE_KNOWN="$work/absent/list" KIT_CONTINUE=1 KIT_TESTEE="$none"
refused 2 "$work/absent.known" KIT_KNOWN="$work/absent.known" KIT_TESTEE="$none"
refused 0 '' KIT_KNOWN= KIT_TESTEE="$none"
refused 2 'KIT_TESTEE has to be the command that starts the parser' -u KIT_TESTEE
limit reads KIT_MAX_READ=0x7f may
limit reads KIT_MAX_READ=0x80 'may not'

# says ANSWER HOW: what the kit makes of a line about the RDMA_NOMSG, whose Responder has to answer ERR_CHUNK
says() {
    KIT_TESTEE="while read -r verb _; do [ \$verb = reply ] && echo unsupported || printf '$1'; done" \
        "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
    status=$?
    case $2 in
    right) [ $status -eq 0 ] ;;
    *) [ $status -ne 0 ] && grep -qF -- "$2" "$work/log" ;;
    esac
    ok $? "'$1' is $2"
}
garbled='answers with a line that is not part of the protocol'
taken='disagreement: rfc8166/4.2.4/nomsg-list-present'
head=00000001000000010000002000000004
while IFS='|' read -r line how; do
    says "$line" "$how"
done <<EOF
error err-chunk\n|right
error err-chunk\r\n|right
unsupported\n|right
refuse\n|right
error ${head}00000002\n|right
error ${head}00000001\n|$taken:err-vers
error ${head}000000010000000100000001\n|$taken:err-vers
error ${head}00000003\n|$garbled
error ${head}0000000\n|$garbled
error ${head}0000000g\n|$garbled
error err-bad\n|$garbled
error\n|$garbled
discard\n|$taken:discard
close\n|$taken:close
fail\n|$taken:fail
accept\n|$taken
accept 28\n|$taken
accept 28 xid=1\n|$taken
accept 28x\n|$garbled
accept -1\n|$garbled
accept \n|$garbled
accepted\n|$garbled
\n|$garbled
EOF
refused 134 'the testee answers more than a line' KIT_TESTEE="tr '\\0' x </dev/zero"

# The first disagreement comes with its octets; a table shows no more than 1,024.
says 'accept\n' "$taken"
[ "$(sed -n '/^disagreement/,$p' "$work/log" | head -n 3)" = "$taken
    as a Responder it accepts; open: err-chunk; an RDMA_NOMSG has no chunk list at all
    $(od -An -v -tx1 "$work/nomsg" | tr -d ' \n')" ]
ok $? 'the first disagreement says why, and has its octets'
for length in 1024 1028; do
    { cat "$work/nomsg"; head -c $((length - 28)) /dev/zero; } >"$work/long"
    KIT_CONTINUE=1 "$replayer" "$work/long" >"$work/log" 2>&1
    shown=$(od -An -v -tx1 "$work/long" | tr -d ' \n' | head -c 2048)
    grep -qx "    $shown$([ $length -le 1024 ] || echo '\.\.\.')" "$work/log"
    ok $? "of $length octets no more than 1,024 are shown"
    "$replayer" "$work/long" >"$work/log" 2>&1
    grep -qx "    $shown" "$work/log"
    ok $? "nor of the first disagreement, of $length octets"
done

# asked SEND N: to how many receivers it is given; of no role, to both
asked() {
    KIT_CONTINUE=1 KIT_TESTEE=$none "$build/replayers/kit_line" "$work/$1" >"$work/log" 2>&1
    grep -q "^0 disagreements; $2 questions, " "$work/log"
    ok $? "$1 is asked of $2"
}
printf '\0\0\0\1\0\0\0\1' >"$work/short-of-a-header"
head -c 262144 /dev/zero >"$work/longest"
head -c 262145 /dev/zero >"$work/too-long"
asked writes 1
asked two-writes-come-back 1
asked short-of-a-header 2
asked longest 2
asked too-long 0
# A Send of no more than its XID and version 2 is for the two ends of both drafts as well.
printf '\0\0\0\1\0\0\0\2' >"$work/version2-alone"
KIT_CONTINUE=1 KIT_TESTEE=$none DRAFT=07 "$build/replayers/kit_line2" "$work/version2-alone" >"$work/log" 2>&1
grep -q '^0 disagreements; 6 questions, ' "$work/log"
ok $? 'the version alone makes it a Send of version 2'

# ---- the example of a parser in another process ----

while read -r question answer; do
    said=$(echo "${question%%=*} ${question#*=}" | "$build/fuzz/testee")
    [ "$said" = "$answer" ]
    ok $? "the example answers $question with $answer, not $said"
done <<EOF
call=${head%4}0000000000000000000000000${head%????????????????????????}0000000000000002 accept 28
call=${head%4}1000000000000000000000000 accept 28
reply=${head%4}1000000000000000000000000 accept 28
reply=${head%4}2000000000000000000000000 discard
call=00000001000000070000002000000000000000000000000000000000 error err-vers
reply=00000001000000070000002000000000000000000000000000000000 discard
call=${head%4}2000000000000000000000000 error err-chunk
reply=${head}00000002 accept 20
call=${head}00000002 discard
call= discard
EOF

# The longest Send, to which one line is the answer; its version is 0.
said=$({ printf 'call '; head -c 524288 /dev/zero | tr '\0' 0; echo; echo call; } | "$build/fuzz/testee" | tr '\n' ';')
[ "$said" = 'error err-vers;discard;' ]
ok $? "the example answers the longest Send with a line, not $said"

cat >"$work/each.c" <<'EOF'
/* Gives the answer that the first octet is; accepts as many octets as the second. */
#include "kit.h"
struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    size_t taken = length < 2 ? KIT_NO_LENGTH : octets[1] + (is_reply ? 100u : 0u);
    return (struct kit_answer){length ? (enum kit_kind)octets[0] : KIT_LIMIT, taken};
}
EOF
cc -Ifuzz/kit "$kit/testee.c" "$work/each.c" -o "$work/each" &&
    [ "$(for hex in 00 0007 01 02 03 04 05 06 07 08 0808; do echo "call $hex"; done | sed '$a reply 0007' | "$work/each" | tr '\n' ';')" = \
        'accept;accept 7;error err-vers;error err-chunk;discard;unsupported;refuse;limit;close;fail;fail;accept 107;' ]
ok $? 'it has a line for each answer'

sh fuzz/corpus_files.sh unpack fuzz/corpus/decode1.hex "$work/decode1"
for parser in careless rpcgen; do
    KIT_KNOWN=$kit/$parser.known "$build/replayers/kit_$parser" "$work/decode1" >"$work/log" 2>&1
    ok $? "the corpus shows nothing of $parser beyond its list"
done

# ---- options of libFuzzer ----

cat >"$work/engine.c" <<'EOF'
/* In place of libFuzzer: prints with which options it would run, and whether as a parent. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *, size_t))
{
    return argc && argv && run ? 0 : 1;
}
size_t LLVMFuzzerMutate(uint8_t *octets, size_t length, size_t room)
{
    return octets && length < room ? length : room;
}
int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        printf("%s ", argv[i]);
    puts(getenv("KIT_CHILD") ? "child" : "alone");
    return 0;
}
EOF
CCACHE_DISABLE=1 make --no-print-directory -s BUILD="$build" CC=clang SANITIZE=address,undefined \
    EXTRA_CFLAGS=-fsanitize=fuzzer-no-link KIT_PARSER=$kit/careless.c FUZZ_ENGINE="$work/engine.c" kit-parser >"$work/log" 2>&1
ok $? 'the kit builds with another engine'
# options SETTING ARGUMENTS SAID: the arguments that libFuzzer gets after these
options() {
    # shellcheck disable=SC2086 # words
    said=$(env $1 "$build/fuzzers/kit_parser" $2 2>"$work/log")
    [ "$said" = "$3" ]
    ok $? "with $1 and $2 it is '$3', not '$said'"
}
both='-max_len=8192 -timeout=10' ignoring='-ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1'
on=KIT_CONTINUE=1
options A=B corpus "corpus $both alone"
options A=B '-max_len=5 -timeout=6' '-max_len=5 -timeout=6 alone'
options $on corpus "corpus $both -fork=1 $ignoring child"
options $on "$work" "$work $both -fork=1 $ignoring child"
options $on "$work/nomsg" "$work/nomsg $both alone"
options $on '-merge=1 corpus' "-merge=1 corpus $both alone"
options $on '-jobs=2 corpus' "-jobs=2 corpus $both alone"
options $on '-fork=3 -ignore_ooms=0' "-fork=3 -ignore_ooms=0 $both -ignore_crashes=1 -ignore_timeouts=1 child"
options "$on KIT_CHILD=1" corpus 'corpus child'
options $on '-fork=0 corpus' "-fork=0 corpus $both alone"
options $on '-timeout=3 corpus' "-timeout=3 corpus -max_len=8192 -fork=1 $ignoring child"
options $on '-merge_control_file=f -jobs=1' "-merge_control_file=f -jobs=1 $both alone"
options KIT_CHILD=1 corpus 'corpus child'
# Beside as many as there is room for none is added.
many=$(seq -s ' ' -f '-x=%g' 55)
options A=B "$many" "$many $both alone"
options $on "$many" "$many $both -fork=1 $ignoring child"
options $on "$many -x=56" "$many -x=56 alone"

# ---- foreign sources ----

# parser NAME SOURCE FLAGS: build the kit around it
parser() {
    CCACHE_DISABLE=1 make --no-print-directory -s BUILD="$build" CC=clang SANITIZE=address,undefined \
        EXTRA_CFLAGS=-fsanitize=fuzzer-no-link KIT_PARSER="$2" KIT_PARSER_FLAGS="$3" kit-parser \
        >"$work/log" 2>&1 && mv "$build/fuzzers/kit_parser" "$build/fuzzers/kit_$1"
}

cat >"$work/crashes.cc" <<'EOF'
// Crashes on an empty Send and on a Reply chunk of two segments; refuses every Write list, and all of version 2.
#include "kit.h"
#include <rpcrdma/rpcrdma.h>
#include <cstdlib>
enum { RPCRDMA_VERSION = 1 };
extern "C" struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    struct rpcrdma1_header header;
    volatile uint8_t first = octets[0]; /* beyond an empty Send */
    (void)first;
    ptrdiff_t n = rpcrdma1_header_decode(&header, octets, length, nullptr, nullptr);
    const struct rpcrdma1_chunk_lists *lists = n < 0 ? nullptr : rpcrdma1_chunks(&header);
    if (lists && header.rdma_vers == RPCRDMA_VERSION && lists->rdma_reply.present &&
        lists->rdma_reply.value.target.count == 2)
        abort();
    if (lists && lists->rdma_writes.count != 0)
        return {KIT_CLOSE, 0};
    (void)is_reply;
    return {KIT_UNSUPPORTED, 0};
}
extern "C" struct kit_answer kit_parse2(const uint8_t *, size_t, enum kit_draft draft, bool)
{
    return {draft == KIT_DRAFT_07 ? KIT_CLOSE : KIT_UNSUPPORTED, 0};
}
EOF
parser crashes "$work/crashes.cc" '-std=c++17 -Wall -Wextra -Werror -Icodec/include -I'"$build/gen"
ok $? 'a parser in C++ with an enumerator RPCRDMA_VERSION builds'
mkdir "$work/sends"
call='\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\0\0\0\0\0'
rpc='\0\0\0\1\0\0\0\0\0\0\0\2\0\1\206\243\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
segment='\0\0\0\7\0\0\20\0\0\0\0\0\0\0\0\0'
printf '%b' "$call\0\0\0\1\0\0\0\1$segment\0\0\0\0\0\0\0\0$rpc" >"$work/sends/write-list"
printf '%b' "$call\0\0\0\0\0\0\0\1\0\0\0\2$segment$segment$rpc" >"$work/sends/reply-chunk"
printf '%b' '\0\0\0\0\0\0\0\2\0\0\0\40\0\0\0\5' >"$work/sends/grant"
# Its RPC message is of type 7, which no parser of headers sees.
printf '%b' "$call\0\0\0\1\0\0\0\1$segment\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\7" >"$work/sends/message-type"
export KIT_WRITE_KNOWN="$work/written.known"
! fuzz crashes 60 '' "$work/sends" 200 && grep -q '^kit/crashed/responder' "$work/log" &&
    grep -q '^kit/refuses-valid/[a-z]*/rdma-msg/write-list ' "$work/log"
ok $? 'crashes do not end the run, and the table is printed'
for role in responder requester; do
    grep -q "^kit/draft-07/refuses/$role/RDMA2_GRANT " "$work/log"
    ok $? "of version 2 what is refused is named by draft, role and type: $role"
done
unset KIT_WRITE_KNOWN
grep -q '^kit/refuses-valid/' "$work/written.known" && ! grep -q '^kit/crashed' "$work/written.known"
ok $? 'the list that is written has what is wrong, and no crash'
KIT_KNOWN=$work/written.known "$replayer" "$work/sends/write-list" >"$work/log" 2>&1
ok $? 'it can be read'
! grep -q '^rfc8166/\(2.2.2/message-type\|4.2.4/msg-has-payload\):close' "$work/log"
ok $? 'what the header does not show is not why a parser of headers closes'

rpcgen -C -h -o "$work/mine.h" "$build/spec/rfc8166.x" &&
    (cd "$work" && cp "$OLDPWD/$build/spec/rfc8166.x" mine.x && rpcgen -C -c -o mine_xdr.c mine.x)
cat >"$work/mine.c" <<'EOF'
/* What rpcgen makes of the RFC's XDR, as a user links it; with names that the kit uses as well. */
#include "kit.h"
#include "mine.h"
#include <stdlib.h>
int known_read, compare_judge(void), rpcrdma1_header_decode(void);
int compare_judge(void)
{
    return 1;
}
int rpcrdma1_header_decode(void)
{
    abort();
}
struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    XDR xdrs;
    (void)is_reply;
    xdrmem_create(&xdrs, (char *)(uintptr_t)octets, length < 28 ? (u_int)length : 28, XDR_DECODE);
    uint32 xid;
    bool_t good = xdr_uint32(&xdrs, &xid);
    xdr_destroy(&xdrs);
    return (struct kit_answer){good ? KIT_UNSUPPORTED : KIT_DISCARD, 0};
}
EOF
parser mine "$work/mine.c" "$work/mine_xdr.c -w $(pkg-config --cflags --libs libtirpc)"
ok $? "rpcgen's parser links together with libtirpc"
fuzz mine 2 '' && grep -q '^0 disagreements' "$work/log"
ok $? "rpcgen's parser is fuzzed"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
