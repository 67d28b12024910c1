#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# The command rpcrdma as its users meet it: output, exit status, complaints.
#
# usage: cmd_test.sh PATH_TO_RPCRDMA

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/command.sh"
# An NFSv4 NULL call; the same with a Read chunk at a Position that is no multiple of four; a header
# that ends in its third word.
call='00000001 00000001 00000020 00000000 00000000 00000000 00000000
      00000001 00000000 00000002 000186a3 00000004 00000000 00000000 00000000 00000000 00000000'
odd='00000002 00000001 00000020 00000000 00000001 0000002a 0000cafe 00000010 0000000100000000
     00000000 00000000 00000000
     00000002 00000000 00000002 000186a3 00000004 00000001 00000000 00000000 00000000 00000000'
runt='00000003 00000001 0000'
one_line() {
    echo "$*" | tr -d '\n '
    echo
}
one_line "$call" >call.hex
{ echo '# two Sends'; one_line "$call"; one_line "$odd"; } >odd.hex
{ one_line "$call"; one_line "$runt"; } >runt.hex
{ one_line "$odd"; echo 0102xy; } >damaged.hex
: >empty
echo 'Dear diary' >letter.txt
mkdir folder
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >header.raw
cat >group.json <<END
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "odd-position", "comment": "c", "events": [
    {"from": "client", "send": "$(one_line "$call")"},
    {"from": "client", "send": "$(one_line "$odd")"}]},
  {"id": "private", "comment": "c", "events": [
    {"from": "client", "privateData": "f6ab0e18 01000303"},
    {"from": "server", "disconnect": true}]}]}
END
sed 's/"disconnect"/"dissconnect"/' group.json >bad.json
rule=rfc8166/3.4.5/position-multiple-of-four


# ---- Help, version, wrong usage ----

for words in --help -h 'check --help' 'decode -h' 'rules --help'; do
    # shellcheck disable=SC2086 # words are to be split
    try 0 $words
    says Usage:
    says 'xit status'
    lines err 0
    verdict 'fits 80 columns' not grep -q '.\{81\}' out
done
try 0 --version
says 'rpcrdma '
lines out 1

try 0 help
cp out help.text
for word in --help -h; do
    try 0 $word
    verdict 'is the same by any name' cmp -s out help.text
done
try 2
verdict 'shows the commands to who gives none' cmp -s out help.text
try 0 check --help
cp out help.text
try 0 help check
verdict 'is the same as check --help' cmp -s out help.text
try 2 --verison
complains "unknown option '--verison'; did you mean '--version'?"
try 2 hepl
complains "unknown command 'hepl'; did you mean 'help'?"
try 2 help chekc
complains "unknown command 'chekc'; did you mean 'check'?"
for word in version -V; do
    try 0 $word
    says 'rpcrdma '
    lines out 1
done
try 2 cehck x
complains "unknown command 'cehck'; did you mean 'check'?"
try 2 check --jsno x
complains "unknown option '--jsno'; did you mean '--json'?"
try 2 check --anotate=x x
complains "unknown option '--anotate=x'; did you mean '--annotate'?"
try 2 nothing-alike
verdict 'suggests nothing that is not near' not grep -q 'did you mean' err
for word in frobnicate probing; do
    try 2 "$word"
    complains "unknown command '$word'"
    lines err 2
    lines out 0
done
try 2 --frobnicate
complains "unknown option '--frobnicate'"
for word in check decode; do
    try 2 "$word"
    complains 'no FILE given'
    complains "Try 'rpcrdma $word --help'."
    lines err 2
    try 2 "$word" --frobnicate x
    complains "unknown option '--frobnicate'"
    try 2 "$word" -z x
    complains "unknown option '-z'"
    try 2 "$word" --port
    complains "option '--port' needs an argument"
    try 2 "$word" --json=3 x
    complains "option '--json' takes no argument"
    for wrong in port=0 port=65536 port=2x port=-1 format=xml from=me memory=0 memory=1Q \
        memory=99999999999999999999 color=blue; do
        try 2 "$word" "--$wrong" call.hex
        complains "option '--${wrong%%=*}' takes "
        lines err 2
    done
done
try 2 check --level none call.hex
complains "option '--level' takes must, should or advisory, not 'none'"
try 2 check --rule rfc8166/3.4.5/position-multiple-of-for call.hex
complains "did you mean '$rule'?"
try 2 check --json --explain call.hex
complains 'exclude each other'

# ---- check ----

try 0 check call.hex
says_not "rpcrdma rules"
says 'RDMA_MSG                1          0          0          1'
says '0 violations'
lines err 0
try 1 check odd.hex
counts 1 "^'rpcrdma rules $rule' says what that rule asks, and what tests it$"
says 'odd.hex:line 3: violation: '
says "[$rule]"
says 'at octet 20, rdma_reads[0].position; call, XID 0x00000002, from client'
says 'why: '
says 'all Sends               2          0          0          2'
says_not 'odd.hex:line 2: violation'
try 1 check --explain odd.hex
says '>      20  0000002a           rdma_reads[0].position          42'
says '           ^^^^^^^^ '
try 1 check --from server odd.hex
says 'from server'
try 1 check --rule "$rule" --level must odd.hex
says '1 violation, 0 warnings, 0 notes'
try 1 check group.json
says 'group.json:odd-position:event 1: violation: '
says 'private data '
says '1 file, 2 connections, 4 events: '
try 0 check --connection private group.json
says '1 file, 1 connection, 2 events: 0 violations'
try 2 check --connection nobody group.json
complains "no connection is named 'nobody'; there are odd-position, private"
lines err 2
# An address means all of its connections; the beginning or end of one, or of an id, means none.
errors=$recorded/linux-6.1-errors.pcap
for name in 192.168.77.2 192.168.77.1 192.168.77.2:0x11; do
    "$rpcrdma" check --connection "$name" "$errors" >out 2>err
    says ' 0 notes'
done
for name in 192.168.77 0x11 192.168.77.11 92.168.77.2; do
    try 2 check --connection "$name" "$errors"
    complains "no connection is named '$name'; there are 192.168.77.2:"
done
try 2 check --connection odd group.json
complains "no connection is named 'odd'"
for name in 192.0.2.7:99999 192.0.2.7: '[::1' '' :20049 iwarp://127.0.0.1:x roce://:20049 iwarp:// loopback:1x; do
    try 2 probe "$name"
    complains 'not an address'
done
for name in http://127.0.0.1 ROCE://127.0.0.1; do
    for command in probe 'probe --random --against' serve request respond 'proxy roce://127.0.0.1' "proxy $name"; do
        # shellcheck disable=SC2086 # words of the command
        try 2 $command "$name"
        complains "$name: what is before :// is not verbs, roce or iwarp"
    done
done
try 2 respond roce://
complains 'there is no HOST'

# Every key of the contract, in its order, on every line.
keys='{"kind":"event","file":"[^"]*","test":[^,]*,"event":[0-9]*,"type":"[a-z-]*","connection":"[^"]*"'
keys=$keys',"frame":[^,]*,"from":"[a-z]*","xid":[^,]*,"version":[^,]*,"credit":[^,]*,"procedure":[^,]*'
keys=$keys',"direction":[^,]*,"headerLength":[^,]*,"reaction":\[[^]]*\],"findings":\[.*\][,}].*'
finding='{"rule":"[^"]*","level":"[a-z]*","severity":"[a-z]*","brokenBy":"[a-z]*","offset":[^,]*,"field":[^,]*,"text":".*"}.*'
summary='{"kind":"summary","events":[0-9]*,"violations":[0-9]*,"warnings":[0-9]*,"notes":[0-9]*[,}].*'
try 1 check --json odd.hex group.json call.hex runt.hex
lines out 10
sed '$d' out >out.events
verdict 'has the keys of the contract' not grep -qv "^$keys\$" out.events
verdict 'has the keys of a finding' grep -q "\"findings\":\[$finding" out.events
sed -n '$p' out >out.summary
verdict 'ends with the summary' grep -q "^$summary\$" out.summary
says '"events":9,'
says '"file":"odd.hex","test":null,"event":1,"type":"send","connection":"line 3","frame":null,"from":"client","xid":2,"version":1,"credit":32,"procedure":"RDMA_MSG","direction":"call",'
says "\"rule\":\"$rule\",\"level\":\"must\",\"severity\":\"violation\",\"brokenBy\":\"client\",\"offset\":20,\"field\":\"rdma_reads[0].position\""
says '"test":"private","event":0,"type":"private-data","connection":"private","frame":null,"from":"client","xid":null,"version":null,"credit":null,"procedure":null,"direction":null,"headerLength":null,"reaction":[]'
says '"test":"private","event":1,"type":"disconnect"'
says '"xid":3,"version":1,"credit":null,"procedure":null,"direction":null,"headerLength":null'
try 1 check --json --rule "$rule" odd.hex
says '"violations":1,"warnings":0,"notes":0,'
lines out 3
cp call.hex 'a"\
b'
try 0 check --json 'a"\
b'
says '"file":"a\"\\\nb"'
lines out 2

# ---- decode ----

try 0 decode call.hex
says 'call.hex:line 1: Send of 68 octets from client'
says '        0  00000001           rdma_xid                        1'
says '       12  00000000           proc                            RDMA_MSG (0)'
says '       28  00000001           xid                             1'
says '       40  000186a3           prog                            100003'
try 1 decode runt.hex
says '        4  00000001           rdma_vers                       1'
says '>       8  0000               rdma_credit                     does not decode'
try 1 decode header.raw
says 'header.raw: Send of 28 octets from client'
says '>      28'
try 0 decode group.json
says 'group.json:odd-position:event 1: Send of 92 octets from client'
says '       20  0000002a           rdma_reads[0].position          42'
says '       28  00000010           rdma_reads[0].target.length     16'
says '       32  00000001 00000000  rdma_reads[0].target.offset     0x100000000'
try 1 decode --json runt.hex
lines out 2
says '{"kind":"send","file":"runt.hex","line":1,"from":"client","length":68,"draft":null,"draftSure":null,"headerLength":28,"header":{"rdma_xid":1,"rdma_vers":1,"rdma_credit":32,"rdma_body":{"proc":"RDMA_MSG","rdma_msg":{"rdma_reads":[],"rdma_writes":[],"rdma_reply":null}}},"fields":[{"path":"rdma_xid","offset":0,"length":4,"value":1},'
says '"rpc":{"offset":28,"length":40,"message":{"xid":1,'
says '"headerLength":null,"header":{"rdma_xid":3,"rdma_vers":1},"fields":['
says '"rpc":null,"error":{"offset":8,"field":"rdma_credit","text":"'
try 0 decode --json group.json
says '"test":"odd-position","event":1,"from":"client","length":92,"draft":null,"draftSure":null,"headerLength":52,'
says '"rdma_reads":[{"position":42,"target":{"handle":51966,"length":16,"offset":"0x100000000"}}]'
printf '00000001 00000009 00000020 00000000 00000000 00000000 00000000\n' >version.hex
try 1 decode version.hex
says '>       4  00000009           rdma_vers                       does not decode'

# ---- Inputs that are not what they should be: status 3, one line, what came before is kept ----

for word in check decode; do
    for file in nowhere folder empty letter.txt bad.json; do
        try 3 "$word" "$file"
        lines err 1
        complains "rpcrdma: $file: "
    done
    try 3 "$word" damaged.hex
    complains 'damaged.hex: line 2, column 5:'
    lines err 1
    says 'damaged.hex:line 1: '
    try 3 "$word" nowhere odd.hex empty
    lines err 2
    says 'odd.hex:line 3: '
    try 3 "$word" --format capture odd.hex
    lines err 1
    try 3 "$word" --format vectors odd.hex
    lines err 1
    try 3 "$word" --format hex header.raw
    lines err 1
done
try 3 check bad.json
complains 'bad.json: test private: event 1: the event has an unknown member "dissconnect"'
says 'bad.json:odd-position:event 1: violation: '
try 3 check --json empty
says '{"kind":"summary","events":0,"violations":0,"warnings":0,"notes":0,'

# ---- Standard input, and output that cannot be written ----

for file in odd.hex group.json; do
    what="rpcrdma check - with $file in a pipe"
    # shellcheck disable=SC2002 # a pipe is the point
    cat "$file" | "$rpcrdma" check - >out 2>err
    verdict 'exits with 1' test $? -eq 1
    says 'standard input:'
done
if [ -c /dev/full ]; then
    for words in 'check call.hex' 'decode --json call.hex' 'rules --json' --help; do
        what="rpcrdma $words >/dev/full"
        : >out
        # shellcheck disable=SC2086 # words are to be split
        "$rpcrdma" $words >/dev/full 2>err
        verdict 'exits with 3' test $? -eq 3
        complains 'standard output: '
        lines err 1
    done
else
    skip 'no /dev/full'
fi
# 141 is the end by SIGPIPE, as of any filter.
for words in 'rules --json' 'check --json group.json' 'decode call.hex'; do
    what="rpcrdma $words into a pipe that nobody reads"
    : >out
    # shellcheck disable=SC2086 # words are to be split
    { sleep 0.2; "$rpcrdma" $words 2>err; echo $? >status; } | :
    verdict 'ends by SIGPIPE' grep -q '^141$' status
    verdict 'says nothing' test ! -s err
done

# ---- A capture that lacks a frame: the gap is for the checker, and no event of the contract ----

# find_frame N FILE: sets `at` and `size` to where frame N of the little-endian pcap FILE is.
find_frame() {
    at=24
    frame=1
    while :; do
        size=$(od -An -v -tu1 -j $((at + 8)) -N 4 "$2" |
            awk '{ print 16 + $1 + 256 * ($2 + 256 * ($3 + 256 * $4)) }')
        [ "$frame" -lt "$1" ] || break
        at=$((at + size))
        frame=$((frame + 1))
    done
}

# without_frame N FILE
without_frame() {
    find_frame "$1" "$2"
    head -c "$at" "$2"
    tail -c +$((at + size + 1)) "$2"
}
if [ -f "$recorded/linux-6.1-nfs42.pcap" ]; then
    without_frame 45 "$recorded/linux-6.1-nfs42.pcap" >gap.pcap
    what='rpcrdma check --json, on a capture without its frame 45'
    "$rpcrdma" check --json gap.pcap >out 2>err
    verdict 'exits with 0 or 1' test $? -le 1
    lines err 0
    sed '$d' out >out.events
    events=$(wc -l <out.events)
    verdict 'counts the events that it prints' grep -q "^{\"kind\":\"summary\",\"events\":$events," out
    verdict 'lacks few of the 865 events' test "$events" -ge 850 -a "$events" -lt 865
    verdict 'has the keys of the contract' not grep -qv "^$keys\$" out.events
    verdict 'has only the types of the contract' \
        not grep -qv '"type":"\(send\|rdma-read\|rdma-write\|private-data\|disconnect\)"' out.events
    what='rpcrdma check, on a capture without its frame 45'
    "$rpcrdma" check --level must gap.pcap >out 2>err
    verdict 'exits with 0 or 1' test $? -le 1
    says 'could not be checked: packets are missing'
    says "1 file, 1 connection, $events events: "
    for level in must should advisory; do
        case $level in must) below='derived|should|advisory' ;; should) below=advisory ;; *) below=none ;; esac
        what="rpcrdma check --level $level"
        "$rpcrdma" check --json --level $level "$recorded/linux-6.1-errors.pcap" >out 2>err
        verdict 'finds something of that level' grep -q '"level":"must"' out
        verdict 'finds nothing below it' not grep -qE "\"level\":\"($below)\"" out
    done
    "$rpcrdma" check --json "$recorded/linux-6.1-errors.pcap" | grep "\"kind\":\"event\"" >out
    some=rfc8166/4.6.1/msgp-not-sent
    found=$(grep -o "\"rule\":\"$some\"" out | wc -l) all=$(grep -o '"rule":"[^"]*","level"' out | wc -l)
    echo "$some client *" >some.known
    try 1 check --known some.known "$recorded/linux-6.1-errors.pcap"
    verdict 'some are expected, not all' test "$found" -gt 0 -a "$found" -lt "$all"
    says ", $found expected"
    what='rpcrdma check, on a capture that lacks its last Call and what acknowledged it'
    find_frame 46 "$recorded/linux-6.1-nfs42.pcap"
    head -c "$at" "$recorded/linux-6.1-nfs42.pcap" >whole.pcap
    without_frame 43 whole.pcap >half.pcap
    without_frame 42 half.pcap >last.pcap
    "$rpcrdma" check --record last.json last.pcap >out 2>err
    says 'note: no Call with XID 0x316fb858 waits for a Reply; what it answers may be missing from the capture'
    says '0 warnings, 2 notes' # the RDMA Write, too
    "$rpcrdma" vectors last.json >out 2>err
    verdict 'and the record holds' test $? -eq 0
    "$rpcrdma" check whole.pcap >out 2>err
    verdict 'notes nothing of the whole' not grep -q 'may be missing' out
    what='rpcrdma check, on a capture that ends in a frame'
    head -c 600000 gap.pcap >cut.pcap
    "$rpcrdma" check --json cut.pcap >out 2>err
    verdict 'exits with 3' test $? -eq 3
    lines err 1
    verdict 'has judged what comes before' test "$(wc -l <out)" -gt 400
else
    skip 'no recorded capture'
fi

# ---- Colour ----

escape=$(printf '\033')
try 1 check odd.hex
says_not "$escape"
try 1 check --color always odd.hex
says "${escape}[1;31m"
try 1 check --color never odd.hex
says_not "$escape"

# ---- rules ----

try 0 rules $rule
says $rule
says 'must'
says '1 requirement'
lines err 0
try 0 rules --json $rule
says "{\"kind\":\"requirement\",\"id\":\"$rule\",\"keyword\":"
lines out 1
try 0 rules --json
all=$(wc -l <out)
try 0 rules
says "$all requirements"
verdict 'fits 80 columns' not grep -q '.\{81\}' out
try 0 rules --json rfc8166/3.4.5
verdict 'lists that section only' not grep -qv '"id":"rfc8166/3\.4\.5[/.]' out
verdict 'lists more than one' test "$(wc -l <out)" -gt 1
try 0 rules --json --section 3.4
verdict 'lists sections 3.4 and below only' not grep -qv '"id":"[a-z0-9-]*/3\.4[/.]' out
says $rule
try 0 rules --json --protocol 2-07
verdict 'lists that draft, and what holds in all versions' not grep -qv '"id":"rpcrdma2-07/\|"id":"rfc8[27]' out
says '"id":"rpcrdma2-07/4.2.1/sends-within-limit","keyword":"MUST NOT"'
verdict 'names no rule of version 1' not grep -q '"id":"rfc8166' out
try 0 rules --json --protocol 2-04
says '"id":"rpcrdma2-04/6.2.4/error-xid"'
says "{\"kind\":\"requirement\",\"id\":\"$rule\","
verdict 'leaves out what does not hold there' not grep -q '"id":"rfc8166/4.2.2/version-one"' out
try 0 rules --json $rule
says "\"drafts\":{\"2-04\":\"$rule\",\"2-07\":\"rpcrdma2-07/4.5.1/position-multiple-of-four\"}"
try 0 rules rfc8166/4.2.2/version-one
says 'in 2-07   does not hold'
try 0 rules --json --protocol 1
verdict 'lists RFCs only' not grep -qv '"id":"rfc[0-9]*/' out
says $rule
try 0 rules --json --level must --role responder --scope transaction
verdict 'meets every filter' not grep -qv '"level":"must","role":"responder",.*"scope":"transaction"' out
verdict 'lists some' test "$(wc -l <out)" -gt 0
try 2 rules position-multiple-of-fore
complains "did you mean '$rule'?"
lines err 2
lines out 0
try 2 check --rule rfc8166/4.6.1/msgp call.hex
complains "did you mean 'rfc8166/4.6.1/msgp-not-sent'?"
# Of the section that was named, though others are more like it; or the same rule of another one.
try 2 check --rule rfc8166/3.4.5/nonsense call.hex
complains "did you mean 'rfc8166/3.4.5/"
try 2 rules rfc8166/4.2.2/xx
complains "did you mean 'rfc8166/4.2.2/"
for section in rfc8166/4.5 rfc8166/4.2 rpcrdma2-07/5.2.3; do
    try 2 check --rule $section/position-multiple-of-four call.hex
    complains "/position-multiple-of-four'?"
done
try 2 check --rule rfc8166/4.2/position-multiple-of-fore call.hex
complains "did you mean '$rule'?"
try 2 check --rule rfc8166/4.2/core-structures call.hex # more letters are as in four-words, which is there
complains "did you mean 'rpcrdma2-07/8.3/core-structures'?"
try 2 check --rule rfc8166/4.2/four-wrods call.hex
complains "did you mean 'rfc8166/4.2/four-words'?"
# Several rules: with commas, by giving the option again, by a section.
other=rfc8166/4.4.1/memory-fenced
for rules in "--rule $rule,$other" "--rule $other --rule $rule" '--rule rfc8166/3.4.5'; do
    # shellcheck disable=SC2086 # words are to be split
    try 1 check $rules odd.hex
    says "[$rule]"
    # shellcheck disable=SC2086
    try 0 decode $rules odd.hex
    says 'rdma_reads[0]'
done
try 2 decode --rule "$rule,rfc8166/3.99" odd.hex
complains "no rule 'rfc8166/3.99'; did you mean 'rfc8166/3'?"
# What may have been meant: a section without its document, the one around it, a word, a whole name.
# meant TYPED MEANT
meant() {
    proposal=${2:+"; did you mean '$2'?"}
    try 2 check --rule "$1" odd.hex
    verdict "proposes $2" grep -qxF "rpcrdma check: no rule '$1'$proposal" err
    try 2 vectors --rule "$1" "${recorded%/*}/header-length.json"
    verdict "proposes $2" grep -qxF "rpcrdma vectors: no test is, or is about, '$1'$proposal" err
}
meant 4.3.1 rfc8166/4.3.1
meant 3.4.99.9 rfc8166/3.4
meant rpcrdma2-07/6.1.99 rpcrdma2-07/6.1
meant msgp-not rfc8166/4.6.1/msgp-not-sent
meant rfc8166/4.6.1/msgp-not-snt rfc8166/4.6.1/msgp-not-sent
meant . ''
meant 99.9 ''
try 2 vectors --rule 1.9 "${recorded%/*}/header-length.json"
verdict 'proposes no section without vectors' grep -qxF "rpcrdma vectors: no test is, or is about, '1.9'" err
try 0 rules 3.4.6.2
cp out by-name
try 0 rules rfc8166/3.4.6.2
verdict 'takes a section without its document' cmp -s out by-name
try 0 rules --json msgp
verdict 'takes a word of the name' test "$(grep -c '"id":"[^"]*/[^"/]*msgp[^"/]*"' out)" -ge 2
verdict 'takes no other' not grep -qv '"id":"[^"]*/[^"/]*msgp[^"/]*"' out
try 2 rules xy
complains "no requirement 'xy'"
try 2 rules rfc8166/99
complains "no requirement 'rfc8166/99'"
try 2 rules --section 99
complains "no requirement of a section '99'"
try 2 rules --scope body
complains "option '--scope' takes header, "

# ---- who is at fault: the client, for what the server's RDMA Read fetched ----

long=${recorded%/*}/message.json
try 1 check --json --connection long-call-of-rpc-version-one "$long"
verdict 'the event is the server'"'"'s, the fault the client'"'"'s' \
    grep -q '"type":"rdma-read",.*"from":"server",.*"rule":"rfc8166/4/rpc-layout",.*"brokenBy":"client"' out
verdict 'so says the sum' grep -q '"rule":"rfc8166/4/rpc-layout","severity":"violation","from":"client"' out
try 1 check --side client --connection long-call-of-rpc-version-one "$long"
says 'from server, which fetched what the client wrote'
try 0 check --side server --connection long-call-of-rpc-version-one "$long"
echo 'rfc8166/4/rpc-layout client *' >long.known
try 0 check --known long.known --connection long-call-of-rpc-version-one "$long"
try 1 check --json --connection read-after-reply "${recorded%/*}/transfer.json"
verdict 'when it reads is its own matter' \
    grep -q '"rule":"rfc8166/3.4.5.1/reads-before-reply",.*"brokenBy":"server"' out

# ---- vectors: an index beside them, and no command of a parser ----

mkdir published
cp "${recorded%/*}/errors.json" "${recorded%/*}/vector.schema.json" published
echo '{"rules": {}}' >published/index.json # of the archive that make dist writes
try 0 vectors published
lines err 0
for nothing in '' ' '; do
    try 2 vectors --testee "$nothing" published
    complains "option '--testee' takes the command that starts the parser"
done

# ---- JSON as others read it ----

if command -v jq >/dev/null; then
    for words in 'check --json odd.hex group.json runt.hex' 'decode --json runt.hex group.json' \
        'rules --json'; do
        what="rpcrdma $words | jq"
        # shellcheck disable=SC2086 # words are to be split
        "$rpcrdma" $words >out 2>err
        verdict 'is JSON' jq -e .kind out
    done
else
    skip 'no jq'
fi

finish
