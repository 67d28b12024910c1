#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/rpcrdma"
# The commands `rpcrdma probe` and `rpcrdma serve` over loopback: options, reports, exit status. Of
# `rpcrdma proxy`, which needs two peers, its options.
#
# usage: probe_test.sh PATH_TO_RPCRDMA

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA" >&2
    exit 2
fi
case $1 in
/*) rpcrdma=$1 ;;
*) rpcrdma=$PWD/$1 ;;
esac
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
passed=0 failed=0

# verdict TEXT COMMAND...
verdict() {
    text=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $text"
        sed 's/^/    /' out err | head -n 20
    fi
}

# try STATUS ARGUMENT...: run the command; out and err hold what it says.
what=
try() {
    wanted=$1
    shift
    what="rpcrdma $*"
    "$rpcrdma" "$@" >out 2>err </dev/null
    got=$?
    verdict "exits with $wanted, not $got" test "$got" -eq "$wanted"
}
says() {
    verdict "says '$1'" grep -q -- "$1" out err
}
lines() {
    verdict "has $2 to $3 lines in $1" awk -v least="$2" -v most="$3" \
        'END { exit !(NR >= least && NR <= most) }' "$1"
}

try 0 probe
says 'reference Responder: [0-9]* results, 0 failed'
try 0 probe loopback:
try 3 probe --log no.log --case smallest-call
says "no.log: No such file or directory"
echo 'Oops: before the first case' >peer.log
try 0 probe --log peer.log --case smallest-call
try 0 probe --list
says '^pull-1048576-in-32$'
says '^smallest-call$'
says '(hazardous: several-positions)$'
says '^# connections$'
lines out 900 2000
try 0 probe --list --json list.json
verdict 'lists cases as JSON' grep -q '^{"kind":"case","subject":"connections","id":"no-private-data",' list.json
try 0 probe --case smallest-call --case 'push-*'
says 'reference Responder: 18 results, 0 failed'
try 0 probe --case 'push-*' --skip push-0-in-1 --from push-1023-in-1 --skip push-1048576-in-32
says 'reference Responder: 10 results, 0 failed'
try 0 probe --rule rfc8797/5.2
says 'reference Responder: 3 results, 0 failed'
try 0 probe --case 'nfs*'
verdict "all are applicable" sh -c "! grep -q 'not applicable' out"
try 3 probe --case nfs-read-1-in-1 --case smallest-call --nfs-file no-such-file
says 'not applicable, 1: the peer has no regular file .no-such-file. (--nfs-file):$'
says "^rpcrdma: the peer has no regular file 'no-such-file' (--nfs-file): NFS status 2 (no such file) by operation 2: 1 case was not run$"
echo 'nfs-read-1-in-1 wrong-answer # mine' >known
try 3 probe --nfs-file no-such-file --known known --write-known known
says 'known: is not written: the peer has not the file of --nfs-file'
verdict 'the entry is left' grep -q mine known
try 0 probe --case nfs-getattr-inline --nfs-file no-such-file
try 2 probe --case smallest-call --skip smallest-call
says 'no case is left to run'
try 2 probe --skip no-such-case
says "no case 'no-such-case'"
try 0 probe --random=7 --seconds 0.5
says 'rpcrdma: seed 7: [0-9]* conversations of [0-9]* Calls'
says 'reference Responder: 14 results, 0 failed'
for draft in '' 04 07; do
    try 0 probe ${draft:+--draft "$draft"} --random=7 --conversations 60 --against loopback
    says 'reference Responder: 14 results, 0 failed'
done
try 4 probe --random=7 --against iwarp://127.0.0.1:1
try 2 probe --wait yes
try 0 probe --case pull-5-in-3 --tap
says '^ok 1 - pull-5-in-3'
lines out 2 4
try 0 probe --case smallest-call --json j --junit u --html h
lines j 2 4
verdict 'JSON names the case' grep -q '"test":"smallest-call"' j
verdict 'JUnit names the case' grep -q 'smallest-call' u
verdict 'HTML is whole' grep -q '</html>' h
try 2 probe --case no-such-case
says "no case 'no-such-case'"
try 2 probe --program NFS
try 2 probe --timeout 0
try 3 probe --known no-such-file
# A line however long is one entry, or one comment.
{ printf '# '; head -c 5000 /dev/zero | tr '\0' a; printf ' no-such-case\n'; } >long
try 0 probe --known long
{ printf 'no-such-case silent\nrfc8166/no/such-rule silent\n'; } >bad
try 3 probe --known bad
try 3 serve --known bad
# names LIST: each test in it is in what was printed.
names() {
    sed -n 's/^\([^#/ :]*\)[: ].*/\1/p' "$1" | sort -u >named
    awk '{ print $1 }' out | sort -u >listed
    [ -z "$(comm -23 named listed)" ]
}
# The lists of the tree, which nothing else reads but a guest: they can be read, and what they name is there.
for list in "$root"/rxe-harness/peers/*.known "$root"/rxe-harness/peers/*/*.known; do
    case $list in
    *-client*) set -- serve ;;
    *-random*) set -- probe --random ;;
    *-replay*) set -- probe --vectors "$root/vectors/recorded" ;;
    *) set -- probe ;;
    esac
    try 0 "$@" --known "$list" --list
    [ "${2:-}" = --random ] || verdict 'names no case that is gone' names "$list"
done
try 3 probe --vectors no-such-folder
try 0 probe --vectors "$root/vectors/header-length.json"
says '0 failed'
try 0 probe --hazardous
try 0 probe --hazardous=empty-read-segment,several-positions
try 2 probe --hazardous=several-positions,positions

# refused WHY ARGUMENT...: the command says what is wrong with how it is used, and does nothing.
refused() {
    why=$1
    shift
    try 2 "$@"
    verdict "says of $1 why: $why" grep -qxF -- "rpcrdma $1: $why" err
    verdict 'prints nothing' test ! -s out
}
for number in '' x 7x -1; do
    refused "option '--random' takes a number, not '$number'" probe "--random=$number"
done
refused "option '--against' goes with '--random' alone" probe --against loopback:
refused "option '--coverage' goes with '--random' alone" probe --coverage counters
# What guides random conversations: a file that is not there, another file, which stays as it is, one that nobody counts in,
# and one that is too large.
try 3 probe --random=1 --coverage no-such-file
says 'no-such-file: No such file or directory'
# A folder with counters of gcov as this compiler has them: of programs that ran, of which one function did not; cut; and what
# else may be called so.
try 3 probe --random=1 --coverage .
says '.: no counters of gcov (\*.gcda) are in this folder'
mkdir gcov
for name in main other; do
    echo 'int not_called(void); int not_called(void) { return 7; }' >"gcov/$name.c"
    echo 'int main(int argc, char **argv) { return argv[0] && argc > 1 ? 2 : 0; }' >>"gcov/$name.c"
    (cd gcov && "$CC" --coverage -c "$name.c" && "$CC" --coverage "$name.o" -o "$name" && "./$name")
done
try 3 probe --random=1 --coverage gcov
says 'gcov: no counter moved in a conversation: the peer does not count there'
says 'coverage: [1-9][0-9]* counters reached, 0 conversations kept'
for octets in 0 15 20 38; do
    mkdir "cut-$octets"
    cp gcov/main.gcda "cut-$octets/"
    head -c "$octets" gcov/other.gcda >"cut-$octets/other.gcda"
    try 3 probe --random=1 --coverage "cut-$octets"
    says "cut-$octets/other.gcda: these are not counters of gcov"
done
mkdir odd odd/folder.gcda pipe
try 3 probe --random=1 --coverage odd
says 'odd/folder.gcda: these are not counters of gcov'
mkfifo pipe/it.gcda
try 3 probe --random=1 --coverage pipe
says 'pipe/it.gcda: these are not counters of gcov'
for content in '' rpcrdma-counters 'yesterday, and more than sixteen octets'; do
    printf %s "$content" >counters
    try 3 probe --random=1 --coverage counters
    says 'counters: these are not the counters of a peer'
    verdict 'it stays as it was' test "$(cat counters)" = "$content"
done
printf rpcrdma-counters >counters
truncate -s 16777233 counters
try 3 probe --random=1 --coverage counters
says 'counters: these are not the counters of a peer'
truncate -s 65552 counters
try 3 probe --random=1 --conversations 9 --coverage counters
says 'counters: no counter moved in a conversation: the peer does not count there'
says 'seed 1: 1 conversations of [0-9]* Calls'
# A line of seeds is one conversation, the same each time; what is none is refused.
for run in 1 2; do
    try 0 probe --random=7+19,4x23 --json "line-$run"
    says 'seed 7+19,4x23: 1 conversations of [0-9]* Calls'
done
verdict 'the same conversation' cmp line-1 line-2
for line in 7+ ,7 7,8 7x8 7+8x9 7+x8 1,2,3,4,5x6x7x8x9 "7$(printf '+1%.0s' 1 2 3 4 5 6 7 8)$(printf '+2%.0s' 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4)"; do
    refused "option '--random' takes a number, not '$line'" probe "--random=$line"
done
path=$(printf '%0200d' 0)
for file in '' folder/ "0$path"; do
    refused "option '--nfs-file' takes the path of a file, up to 200 octets" probe --nfs-file "$file"
done
try 0 probe --nfs-file "$path" --list
refused "no case is about rule 'rfc8166/3.5.2/writes-before-reply': 'rpcrdma rules rfc8166/3.5.2/writes-before-reply' says what tests it" probe --rule rfc8166/3.5.2/writes-before-reply
refused "no case is about a rule or section 'rfc8166/99.9'" probe --rule rfc8166/99.9
refused "no case is about a rule or section 'msgp-not'; did you mean 'rfc8166/4.6.1/msgp-not-sent'?" probe --rule msgp-not
for option in --case --skip --from; do
    refused "there is no case 'headers/x'" probe "$option" headers/x
done
refused "there is no case 'connect'" probe --skip connect
refused "there is no case 'smalest-call'; did you mean 'smallest-call'?" probe --case smalest-call
refused "there is no case 'v2-first-conprop'; did you mean 'v2-first-connprop'?" probe --draft 07 --skip v2-first-conprop
refused "there is no case 'reply-of-unknown-id'; did you mean 'reply-of-unknown-xid'?" serve --case reply-of-unknown-id
refused "there is no class of hazardous cases 'positions'; see --list" probe --hazardous=positions
for command in probe serve; do
    refused 'more than one ADDRESS given' "$command" a b
    refused "option '--draft' takes 04 or 07, not '05'" "$command" --draft 05
    refused "there is no case 'no-such-case'" "$command" --case no-such-case
    for option in "--junit file" "--html file" "--tap" "--output folder" "--write-known file" "--log file" "--capture file"; do
        # shellcheck disable=SC2086 # words
        refused "option '--list' runs no case: it does not go with '${option%% *}'" "$command" --list $option
    done
    refused "there is no case 'no-such-case'" "$command" --draft 07 --case no-such-case
    refused "there is no case 'no-such-case'" "$command" --skip no-such-case
    refused 'no case is left to run' "$command" --skip '*'
done
# Several cases are chosen in the same way everywhere: with commas, by giving the option again, by *.
while read -r command a b pattern number; do
    files=
    [ "$command" != vectors ] || files=$root/vectors
    for cases in "--case $a,$b" "--case $a --case $b"; do
        # shellcheck disable=SC2086 # words are to be split
        try 0 "$command" $cases ${files:+"$files"}
        says ': 2 results, 0 failed'
    done
    try 0 "$command" --case "$pattern" ${files:+"$files"}
    says ": $number results, 0 failed"
    if [ "$command" != vectors ]; then
        try 0 "$command" --case "$pattern" --skip "$a,$b"
        says ": $((number - 2)) results, 0 failed"
    fi
done <<'END'
probe private-data-cut-off private-data-of-others private-data-* 7
serve reply-of-unknown-xid reply-twice reply-* 14
vectors msgp-call msgp-that-would-pass-for-msg msgp-* 8
END
for option in --same --hazardous; do
    refused "option '--draft' does not go with '--same', '--hazardous' and '--read'" serve --draft 07 "$option"
done
for operands in '' a 'a b c'; do
    # shellcheck disable=SC2086 # operands are words
    refused 'LISTEN and TARGET are needed' proxy $operands
done
for limit in 0 65537; do
    refused "option '--limit' takes 1 to 65536 MiB, not '$limit'" proxy --limit "$limit" a b
done
for limit in 1 65536; do
    try 0 proxy --limit "$limit" --faults
done
lines out 3 40
faults=$(awk '{ print $1 }' out)
for fault in drop-reply drop-reply: drop-reply:0 drop-reply:x drop:1; do
    refused "option '--fault' takes NAME:N, not '$fault'; see --faults" proxy --fault "$fault" a b
done
for fault in $faults; do
    try 0 proxy --fault "$fault:1" --faults
done

# What `trace` does not take, and what it takes: then the operand is wrong. Without libbpf there is none.
if "$rpcrdma" trace --help >out 2>err; then
    for snap in 0 511 4097; do
        refused "option '--snap' takes 512 to 4096 octets, not '$snap'" trace --snap "$snap"
    done
    for ring in 0 1025; do
        refused "option '--ring' takes 1 to 1024 MiB, not '$ring'" trace --ring "$ring"
    done
    for address in '' 192.0.2 2001:db8 name; do
        refused "option '--peer' takes an IP address, not '$address'" trace --peer "$address"
    done
    refused "option '--file-size' needs '--write'" trace --file-size 1
    refused "option '--files' needs '--file-size'" trace --write t --files 2
    for options in '' '--snap 512' '--snap 4096' '--ring 1' '--ring 1024' '--peer 192.0.2.1' '--peer 2001:db8::1' \
        '--write t --file-size 1 --files 2' '--side client' '--port 1 --sends-only --seconds 1'; do
        # shellcheck disable=SC2086 # words
        refused "takes no operand, not 'x'" trace $options x
    done
else
    echo 'skip: a command without trace'
    skipped=1
fi

# What fails at times only is listed so.
echo 'smallest-call wrong-answer,as-required # at times' >known
try 0 probe --case smallest-call --known known
echo 'smallest-call wrong-answer' >known
try 1 probe --case smallest-call --known known
says "'smallest-call wrong-answer' did not occur"

# What names no case is another fault.
# typo OPTIONS NAME MEANT
typo() {
    echo "$2 silent" >known
    # shellcheck disable=SC2086 # words
    try 1 $1 --known known
    says "expected failure '$2 silent' names no test here; did you mean '$3'?$"
}
typo probe smalest-call smallest-call
typo 'probe --draft 07' v2-first-conprop v2-first-connprop
typo "probe --vectors $root/vectors/header-length.json" runt-of-27-octet runt-of-27-octets
typo 'probe --case smallest-call' smalest-call smallest-call
typo serve reply-of-unknown-id reply-of-unknown-xid
typo 'serve --case reply-of-unknown-xid' reply-of-unknown-id reply-of-unknown-xid
typo 'serve --draft 07' serve-plainy serve-plainly
# That names are looked up does not begin what --from begins.
echo 'push-0-in-1 silent' >known
try 2 probe --from push-1023-in-1 --case push-0-in-1 --known known
says 'no case is left to run'

# A list that has gone stale is an error.
echo 'rfc8166/4.5/call-error-answered wrong-answer # it does' >known
try 1 probe --known known
says "'rfc8166/4.5/call-error-answered wrong-answer' did not occur"

# What a vector does not allow is reported, and can be an expected failure.
sed 's/"reaction": \["err-vers"\]/"reaction": ["discard"]/' \
    "$root/vectors/header-version.json" >wrong.json
try 1 probe --vectors wrong.json --write-known found --json report.json
says 'client sent: [0-9a-f]* 0000000[02] '
says 'server sent: [0-9a-f]* 0000000[02] [0-9a-f]* 00000004 00000001 00000001 00000001'
verdict 'what came back is in the report' grep -q '"answer":"[0-9a-f]*000000040000000100000001' \
    report.json
says 'expected: *discard'
says 'actual: *err-vers'
verdict 'the list is written, of tests' grep -q '^version-in-wrong-byte-order wrong-answer # ' found
try 0 probe --vectors wrong.json --known found

# What was recorded is replayed, and what differs from it is reported.
try 0 probe --case faults-in-a-row --record recorded.json --name 'the Responder'
verdict 'the recording says of whom it is' grep -q '"reference": *"the Responder"' recorded.json
try 0 vectors recorded.json
says '0 failed'
try 0 probe --vectors recorded.json
says '0 failed'
# Every Send of the conversation is sent: the probe's NULLs, a hundred faults, a NULL after each.
try 0 probe --vectors recorded.json --tap
lines out 210 300
sed 's/0000000400000002/0000000400000001/' recorded.json >other.json
try 0 probe --vectors other.json
says 'tolerated .* 50$'
try 0 probe --vectors "$root/vectors/recorded/linux-6.1-errors.json"
says '0 failed'
try 0 probe --vectors "$root/vectors/recorded/linux-6.1-nfs42.json"
says '350 results, 0 failed'
try 3 probe --case smallest-call --record no-such-folder/file
try 0 probe --list
says '^nfs-read-65536-in-5$'

# The same run is the same report, octet by octet; and a case sends
# the same whichever others are run.
for run in 1 2 3; do
    try 0 probe --json "cases-$run"
    try 0 probe --vectors "$root/vectors/recorded" --json "replay-$run"
    try 0 probe --random=5 --conversations 300 --seconds 600 --json "random-$run"
    try 0 serve --json "serve-$run"
done
for kind in cases replay random serve; do
    what="three runs, $kind"
    lines "$kind-1" 10 20000
    verdict 'the second run is as the first' cmp "$kind-1" "$kind-2"
    verdict 'the third run is as the first' cmp "$kind-1" "$kind-3"
done
# What is listed is what runs, in that order and with the same words. The reference Responder takes the hazardous, too.
of_list() { jq -r 'select(.kind == "case") | "\(.id) \(.comment)"' "$1" >listed; }
of_run() { jq -r 'select(.kind == "result") | "\(.test) \(.comment)"' "$1" >ran; }
alike() { test -s listed && cmp listed ran; }
what='the list and the run'
of_list list.json
of_run cases-1
verdict 'are of the same cases' alike
for draft in 04 07; do
    try 0 probe --draft $draft --list --json listed.json
    try 0 probe --draft $draft --json ran.json
    of_list listed.json
    of_run ran.json
    verdict "are of the same cases of draft -$draft" alike
done
for draft in '' 04 07; do
    what="the list of serve ${draft:+--draft $draft}"
    "$rpcrdma" serve ${draft:+--draft "$draft"} --list >out
    try 0 serve ${draft:+--draft "$draft"} --json ran.json
    "$rpcrdma" serve ${draft:+--draft "$draft"} --list | sed 's/ (hazardous[^)]*)$//' | tr -s ' \n' ' ' >listed
    jq -r 'select(.kind == "result") | "\(.test) \(.comment)"' ran.json | tr -s ' \n' ' ' >ran
    verdict 'is what runs, with the same words' alike
done
# One in seven cases says the same without the others, but for its XIDs. `serve` begins with a connection of its own.
rows() { jq -c 'select(.kind == "result" and .test != "serve-plainly") | del(.octets, .answer)' "$1"; }
for command in probe serve 'probe --draft 07' 'serve --draft 07'; do
    # shellcheck disable=SC2086 # words
    try 0 $command --json ran.json
    rows ran.json | awk 'NR % 7 == 4' >ran
    # shellcheck disable=SC2086 # words
    try 0 $command --case "$(jq -r .test ran | paste -sd ,)" --json some.json
    rows some.json >listed
    verdict 'one in seven cases says what it says among all' alike
done
try 0 probe --case position-one-above-a-word --case undefined-procedure-taken --json some
grep '"kind":"result"' some >alone
verdict 'a case alone sends what it sends among others' \
    sh -c 'test -s alone && ! grep -vxFf cases-1 alone'

# Version 2: most cases are vectors, and any of its vectors can be sent, or recorded.
for draft in 07:250 04:170; do
    number=${draft%:*}
    try 0 probe --draft "$number" --list
    lines out $((2 * ${draft#*:})) 1000
    says "^$number-call-of-48-octets\$"
    says '^v2-credits-zero$'
    try 0 probe --draft "$number" --record recorded-2.json
    says 'reference Responder: [0-9]* results, 0 failed'
    try 0 vectors recorded-2.json
    try 0 probe --draft "$number" --vectors recorded-2.json
    says 'reference Responder: [0-9]* results, 0 failed'
    try 0 probe --draft "$number" --vectors "$root/vectors/v2-$number"
    says 'reference Responder: [0-9]* results, 0 failed'
    try 0 probe --draft "$number" --vectors "$root/vectors/v2-$number/sends.json" \
        --case "$number-xid-zero"
    says 'reference Responder: 1 result, 0 failed'
done
try 2 probe --draft 04 --vectors "$root/vectors/v2-07"
says 'no case is left to run'

try 0 serve
says 'reference Requester: [0-9]* results, 0 failed'
for option in json read; do
    refused "option '--list' runs no case: it does not go with '--$option'" serve --list --$option file
done
refused "option '--list' runs no case: it does not go with '--record'" probe --list --record file
try 0 serve --list
says '^grant-of-zero$'
try 0 serve --draft 07 --case v2-reply-twice,v2-silence
says ': 2 results, 0 failed'
try 0 serve --case error-chunk --tap
says '^ok 1 - error-chunk'
try 2 serve --case no-such-case
try 2 serve a b
try 0 probe --help
try 0 serve --help

echo "$passed passed, $failed failed, ${skipped:-0} skipped"
[ "$failed" -eq 0 ]
