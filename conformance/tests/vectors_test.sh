#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/rpcrdma"
# The runner `rpcrdma vectors`: our checker, good and faulty testees, lint, expected failures, and
# reports.
#
# usage: vectors_test.sh PATH_TO_RPCRDMA [FOLDER_OF_TESTEES]
# FOLDER_OF_TESTEES holds the programs of vectors/testees, compiled: $BUILD/testees unless given.

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA [FOLDER_OF_TESTEES]" >&2
    exit 2
fi
absolute() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$PWD/$1" ;;
    esac
}
rpcrdma=$(absolute "$1")
build=$(absolute "${BUILD:-build}")
testees=$(absolute "${2:-$build/testees}")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
vectors=$here/data/vectors
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
unset NO_COLOR
passed=0 failed=0 skipped=0

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
# verdict WHAT COMMAND...: count it as passed if the command succeeds.
verdict() {
    about=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $about" >&2
        sed 's/^/    stdout: /' out | head -n 30 >&2
        sed 's/^/    stderr: /' err | head -n 30 >&2
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
not() { ! "$@"; }
says() { verdict "says '$1'" grep -qF -- "$1" out; }
says_not() { verdict "does not say '$1'" not grep -qF -- "$1" out; }
complains() { verdict "complains '$1'" grep -qF -- "$1" err; }
holds() { verdict "$1 holds '$2'" grep -qF -- "$2" "$1"; }
holds_not() { verdict "$1 does not hold '$2'" not grep -qF -- "$2" "$1"; }
# counts N ENDING: the table of endings says N of them.
counts() {
    # shellcheck disable=SC2016 # awk's own
    verdict "counts $1 $2" awk -v wanted="$1" -v ending="$2" \
        'index($0, ending) == 1 && $NF == wanted { found = 1 } END { exit !found }' out
}

# ---- our checker ----

try 0 vectors "$vectors"
counts 20 'as required'
says '20 results, 0 failed'
try 0 vectors "$vectors/headers.json"

# Every part of an expectation is looked at: change each, and the vector fails.
change() { # NAME FILTER: a copy of the vectors, changed by jq
    mkdir -p "$1"
    jq "$2" "$vectors/headers.json" >"$1/headers.json"
}
odd='.tests[2].events[0].expect'
change severity "$odd.findings[0].severity = \"warning\""
change offset "$odd.findings[0].offset = 24"
change rule "$odd.findings[0].rule = \"rfc8166/4/xdr-encoded\""
change second "$odd.findings += [{rule: \"rfc8166/4/xdr-encoded\", severity: \"violation\"}]"
change twice "$odd.findings += $odd.findings"
change none "del($odd)"
change length "$odd.headerLength = 48"
change reaction "$odd.reaction = [\"err-chunk\", \"discard\"]"
change header "$odd.header = {}"
for part in severity offset rule second twice none length reaction header; do
    try 1 vectors "$part"
    says 'read-position-odd: wrong answer'
    counts 1 'wrong answer'
    counts 19 'as required'
done
says 'header {}'
try 1 vectors reaction
verdict 'each reaction is said' test "$(tr -s '\n ' ' ' <out | grep -o 'reactions: [a-z, -]*' | tr '\n' ';')" = \
    'reactions: discard, err-chunk actual;reactions: err-chunk at octet;'
change nowhere "del($odd.findings[0].offset) | $odd.headerLength = 9"
try 1 vectors --json nowhere.json nowhere
verdict 'a place that the vector does not name is that of the finding' test "$(jq -r \
    'select(.test == "read-position-odd") | "\(.offset) \(.field) \(.level)"' nowhere.json)" = '20 rdma_reads[0].position must'
# The rule of a failure: broken, nearly broken, or found where the vector names none.
try 1 vectors offset
says 'read-position-odd: wrong answer [rfc8166/3.4.5/position-multiple-of-four]'
change near '.tests[1].events[0].expect.headerLength = 1'
try 1 vectors near
says 'read-list-complete: wrong answer [near miss of rfc8166/3.4.5/position-multiple-of-four]'
try 1 vectors none
says 'read-position-odd: wrong answer [wrongly found: rfc8166/3.4.5/position-multiple-of-four]'
try 1 vectors --json none.json none
verdict 'the rule is one that the vector does not name' test "$(jq -r 'select(.kind == "result" and .accused)
    | "\(.test) \(.rule) \(.breaks)"' none.json)" = 'read-position-odd rfc8166/3.4.5/position-multiple-of-four false'
"$rpcrdma" decode --json "$vectors/headers.json" 2>/dev/null |
    jq -s '[.[] | select(.test == "null-call-and-reply")][0].header' >decoded.header
change decoded ".tests[0].events[0].expect.header = $(cat decoded.header)"
try 0 vectors decoded

# ---- files ----

try 2 vectors --merge --html page.html
complains 'no FILE given'
# Without an operand: the vectors that came with the command, if any did.
mkdir -p moved/bin moved/share/rpcrdma/vectors
cp "$rpcrdma" moved/bin/rpcrdma
what='a command that was moved, without vectors'
verdict 'finds none' sh -c 'moved/bin/rpcrdma vectors >out 2>err; [ $? -eq 3 ]'
complains 'holds no *.json'
cp "$vectors/headers.json" moved/share/rpcrdma/vectors/
what='a command that was moved, with its vectors'
verdict 'takes those' sh -c 'moved/bin/rpcrdma vectors >out 2>err'
rm -r moved/share
what='a command alone'
verdict 'says so' sh -c 'moved/bin/rpcrdma vectors >out 2>err; [ $? -eq 2 ]'
complains 'no FILE given, and no vectors installed'
try 3 vectors absent
complains 'absent: cannot be opened'
says '; a file could not be opened'
says_not 'absent'
jq '.title = 1 | .extra = 2' "$vectors/headers.json" >two-faults
try 3 vectors --json report absent "$vectors/headers.json" two-faults
complains 'absent: cannot be opened'
verdict 'the report says which and how many' jq -es '.[-1].incomplete ==
    "2 files could not be read, the first: absent: cannot be opened: No such file or directory"' report
says '; 2 files could not be read in full, 1 of them not opened'
# Of one file as many faults are said as are said, and the others counted.
jq '.tests |= [.[0] as $test | range(25) as $i | $test | .id = "test-\($i)" | .comment = 1]' "$vectors/headers.json" >many
try 3 vectors many
complains 'many: and 5 more'
verdict 'twenty are said' test "$(grep -c 'many: .*comment' err)" -eq 20
try 3 vectors absent absent-too
says '; 2 files could not be opened'
mkdir empty
try 3 vectors empty
complains 'holds no *.json'
mkdir -p several/below/further several/.hidden
echo 'no JSON' >several/.hidden/a.json
echo 'no JSON' >several/.b.json
echo 'no JSON' >several/vector.schema.json
ln -s .. several/below/circle
for name in several/z several/below/further/b several/below/a; do
    jq ".tests = [.tests[0] | .events[0].expect.headerLength = 4 | .id = \"${name##*/}\"]" \
        "$vectors/headers.json" >$name.json
done
try 1 vectors several
says '6 results, 3 failed'
grep -F ': wrong answer' out | sed 's/:.*//' >order
printf 'several/%s.json\n' below/a below/further/b z >wanted
what='files of a folder'
verdict 'are taken in sorted order' cmp order wanted
try 1 vectors several/below/
verdict 'a slash more is none' grep -q '^several/below/a.json:a: wrong' out
mkdir linked && ln -s "$vectors/headers.json" linked/a.json && try 0 vectors linked
says '20 results'
try 3 vectors /dev/null
complains '/dev/null: is no regular file'
mkdir broken
cp "$vectors/headers.json" broken/good.json
echo '{"schema": ' >broken/cut.json
try 3 vectors broken
complains 'broken/cut.json: line'
says '20 results, 0 failed'
try 3 vectors --lint broken

# ---- lint: the schema ----

# bad NAME FILTER: what jq makes of the vectors breaks the schema.
bads=
bad() {
    change "bad-$1" "$2"
    bads="$bads bad-$1"
    try 3 vectors "bad-$1"
    try 1 vectors --lint "bad-$1"
    complains "$3"
}
first='.tests[0]'
event="$first.events[0]"
bad schema '.schema = "rpcrdma-vectors-v2"' 'schema: is not among the words'
bad protocol '.protocol = "rpcrdma3"' 'protocol: is not among'
bad title 'del(.title)' 'has no "title"'
bad member '.extra = 1' 'has an unknown member "extra"'
bad origin '.source.origin = "rumour"' 'source.origin: is not among'
bad note '.notes.whole.kind = "odd"' 'notes.whole.kind: is not among'
bad description 'del(.notes.whole.description)' 'notes.whole: has no "description"'
bad tests '.tests = []' 'tests: is empty'
bad id "$first.id = \"Null Call\"" 'tests[0].id: is not an id'
bad id-end "$first.id = \"null-\"" 'tests[0].id: is not an id'
bad comment "del($first.comment)" 'tests[0]: has no "comment"'
bad flag "$first.flags = [\"whole\", \"whole\"]" 'flags: has "whole" twice'
bad near-miss "$first.nearMiss = [\"rfc8166/4\"]" 'nearMiss[0]: is not a rule'
bad threshold "$first.settings.clientToServerInline = 1023" 'Inline: must be an integer >= 1024'
bad ulb "$first.settings.ulb = \"smb\"" 'ulb: is not among'
bad credits "$first.settings.credits = \"half\"" 'credits: is not among'
bad continued "$first.settings.continued = 0" 'continued: must be an integer >= 1'
bad told "$first.settings.told = {client: {speed: 1}}" 'client: has an unknown member "speed"'
bad counts "$first.settings.counts = {client: {sent: 1, limit: 2}}" 'counts: has no "server"'
bad count "$first.settings.counts = {client: {sent: 1}, server: {sent: 1, limit: 2}}" \
    'counts.client: has no "limit"'
# What only reads vectors says the same in its own words.
refuses() {
    try 3 check "bad-$1/headers.json"
    complains "$2"
}
refuses credits '"credits" is none of "sum", "halves", "off"'
refuses continued '"continued" is not an integer from 1 to 4294967295'
refuses told 'the set of properties has an unknown member "speed"'
refuses counts 'the count is not an object'
refuses count 'the count has no "limit"'
change settings-2 "$first.settings = {midStream: true, credits: \"halves\", continued: 8,
    told: {client: {brs: 1}, server: {}}, counts: {client: {sent: 1, limit: 2}, server: {sent: 0, limit: 1}}}"
try 0 vectors settings-2
bad events "$first.events = []" 'events: is empty'
bad from "$event.from = \"peer\"" 'from: is not among'
bad no-kind "del($event.send)" 'has none of send'
bad two-kinds "$event.disconnect = true" 'has more than one of send'
bad hex "$event.send = \"0g\"" 'send: is not a string of pairs'
bad hex-blanks "$event.send = \"00  00\"" 'send: is not a string of pairs'
bad hex-odd "$event.send = \"000\"" 'send: is not a string of pairs'
bad transfer "$event = {from: \"client\", rdmaRead: {handle: 1, offset: \"16\", data: \"\"}}" \
    'offset: is not "0x"'
bad handle "$event = {from: \"client\", rdmaWrite: {offset: \"0x16\", data: \"\"}}" 'no "handle"'
bad finding "$event.expect.findings = [{rule: \"rfc8166/4/xdr-encoded\"}]" 'has no "severity"'
bad rule "$event.expect.findings = [{rule: \"rfc8166/4./x\", severity: \"note\"}]" 'is not a rule'
bad reaction "$event.expect.reaction = []" 'reaction: is empty'
bad reaction-word "$event.expect.reaction = [\"panic\"]" 'reaction[0]: is not among'
bad header "$event.expect.header = []" 'header: is not an object'

# A real validator agrees on all of them.
schema=$root/vectors/vector.schema.json
what='python3-jsonschema'
if python3 -c 'import jsonschema' 2>/dev/null && [ -f "$schema" ]; then
    cat >validate.py <<'END'
import json, sys
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open(sys.argv[1])))
for name in sys.argv[2:]:
    print(name, "good" if validator.is_valid(json.load(open(name))) else "bad")
END
    : >names
    for name in $bads; do echo "$name/headers.json" >>names; done
    # shellcheck disable=SC2046 # names without blanks
    python3 validate.py "$schema" "$vectors/headers.json" \
        $(find "$root/vectors" -name '*.json' ! -name '*.schema.json') $(cat names) >out 2>err
    verdict 'refuses all that the runner refuses' not grep -q '^bad-.* good$' out
    verdict 'takes our vectors' not grep -q '^[^b].* bad$' out
    verdict 'saw all of them' test "$(grep -c '^bad-.* bad$' out)" -eq "$(wc -l <names)"
else
    skip 'no python3-jsonschema or no vectors/vector.schema.json: schema not compared'
fi

# ---- lint: what no schema says ----

# odd NAME FILTER TEXT: what jq makes of the vectors is well-formed, and lint complains.
odd() {
    change "odd-$1" "$2"
    try 1 vectors --lint "odd-$1"
    says "$3"
}
odd id-twice '.tests[1].id = .tests[0].id' 'has a test of this id too'
odd flag '.tests[0].flags += ["mystery"]' 'flag "mystery" is explained nowhere'
odd note '.notes.idle = {kind: "basic", description: "x"}' 'note "idle" explains a flag that no'
odd rule '.tests[2].events[0].expect.findings[0].rule = "rfc8166/3.4.5/position-multiple"' \
    "no rule 'rfc8166/3.4.5/position-multiple'"
odd near "$(printf '.tests[2].nearMiss = [.tests[2].events[0].expect.findings[0].rule]')" \
    'and is no near miss of it'
says 'no vector breaks rfc8166/'
says 'no near miss of rfc8166/'
try 1 vectors --lint odd-near/headers.json # somebody's own file need not have all rules
says '1 file, 15 tests, 20 events: 1 complaint'
jq '.notes = {} | .tests = [range(25) as $i | .tests[0] + {id: "t\($i)", comment: 5}]' "$vectors/headers.json" >many.json
try 1 vectors --lint many.json # not all are shown, but all are counted
says '0 events: 25 complaints'
complains 'many.json: and 5 more'
try 0 vectors --lint "$vectors/headers.json"
# Of several files: which has the id, too; and what a folder among them has to have.
mkdir two
for name in a b; do jq '.tests |= .[0:1] | .notes |= {whole}' "$vectors/headers.json" >two/$name.json; done
try 1 vectors --lint two/a.json two/b.json
says 'two/b.json: test null-call-and-reply: two/a.json has a test of this id too'
says '2 files, 2 tests, 4 events: 1 complaint'
try 1 vectors --lint two "$vectors/headers.json"
says '3 files, 17 tests, 24 events, 3' # rules

# ---- testees ----

try 0 vectors --testee "$testees/librpcrdma" "$vectors"
counts 18 'as required'
counts 1 tolerated
counts 2 'not applicable'
try 0 vectors --testee "python3 $root/vectors/testees/toy.py" "$vectors"
counts 18 'as required'
try 1 vectors --testee "$testees/libtirpc" "$vectors"
counts 4 'wrong answer'
for rule in 3.4.5/position-multiple-of-four 4/xdr-encoded 4.2.2/version-one \
    4.2.4/nomsg-list-present; do
    says "wrong answer [rfc8166/$rule]"
done

# faulty NAME SCRIPT: a testee that reads lines and does SCRIPT with each; the right answer is $a.
# shellcheck disable=SC2016 # the script's own variables
faulty() {
    cat >"$1.sh" <<END
#!/bin/sh
n=0
while read -r kind hex; do
    n=\$((n + 1))
    a=\$(echo "\$kind \$hex" | "$testees/librpcrdma")
    $2
done
END
}
whole='21 results'
# shellcheck disable=SC2016
faulty crashes 'case $n in *0) kill -SEGV $$ ;; esac; echo "$a"'
try 1 vectors --testee "sh crashes.sh" "$vectors"
says "$whole"
says 'killed by signal 11 (SIGSEGV)'
counts 1 crashed
counts 17 'as required'
# shellcheck disable=SC2016
faulty falls 'case $n in 5) echo fallen >&2; printf acc; kill -SEGV $$ ;; esac; echo "$a"'
try 1 vectors --json falls.json --testee "sh falls.sh" "$vectors"
what='a testee that crashes several times'
verdict 'each has its own standard error' jq -es 'map(select(.ending == "crashed") | .stderr) |
    length > 1 and all(split("fallen") | length == 2)' falls.json
verdict 'nor is half a line of the one before in front of an answer' jq -es 'all(.ending != "garbled")' falls.json
# shellcheck disable=SC2016
faulty hangs 'case $n in 5) sleep 60 ;; esac; echo "$a"'
try 1 vectors --timeout 0.3 --testee "sh hangs.sh" "$vectors"
says "$whole"
says 'no answer in 300 ms'
verdict 'names stalled ones' grep -q '^stalled  *[1-9]' out
says_not 'is each line flushed?'
try 1 vectors --timeout 0.3 --testee "sed s/.*/discard/" "$vectors"
says 'no answer in 3000 ms: is each line flushed?'
# shellcheck disable=SC2016
faulty garbles 'case $n in 4) echo "accept -1" ;; *) echo "$a" ;; esac'
try 1 vectors --testee "sh garbles.sh" "$vectors"
says "no answer of the protocol: 'accept -1'"
says "$whole"
verdict 'names garbled ones' grep -q '^garbled  *[1-9]' out
# shellcheck disable=SC2016
faulty closes 'case $n in 4) exec >&-; sleep 5 ;; esac; echo "$a"'
try 1 vectors --testee "exec sh closes.sh" "$vectors"
says 'closed its output'
says "$whole"
echo 'echo accept 28; while read -r line; do echo discard; done' >early.sh
try 1 vectors --testee "sh early.sh" "$vectors"
says 'before the question:'
verdict 'names early ones' grep -q '^early  *[1-9]' out
# One line more after the last answer, in one write with it and in another.
questions=$("$rpcrdma" vectors --print-lines "$vectors" | wc -l)
last='printf "discard\naccept 28\n"'
for more in "$last" "echo discard; sleep 0.2; echo accept 28"; do
    echo "n=0; while read -r line; do n=\$((n + 1))
        if [ \$n -lt $questions ]; then echo discard; else $more; fi; done" >surplus.sh
    try 1 vectors --testee "sh surplus.sh" "$vectors"
    says 'answered more than it was asked'
done
# It hangs at each question but the first, which would cost a timeout each.
echo 'read -r line; [ -e lazy.once ] || echo accept 28; touch lazy.once; sleep 77' >lazy.sh
start=$(date +%s)
try 1 vectors --timeout 0.2 --testee "sh lazy.sh" --json lazy.json "$vectors"
says 'the rest was not asked'
verdict 'hanging costs ten timeouts' test $(($(date +%s) - start)) -le 20
verdict 'the rest is said not to be asked' grep -q 'not asked: the testee has hung' lazy.json
verdict 'it hung as often as is said' jq -es '(map(.incomplete // empty)[0] | capture("hung (?<n>[0-9]+) times") | .n) ==
    (map(select(.ending == "stalled")) | length | tostring)' lazy.json
# What leaves the process group ends with the testee.
echo 'setsid sh -c "echo \$\$ >leaver.pid; exec sleep 78" & while read -r line; do echo discard; done' >leaver.sh
try 1 vectors --testee "sh leaver.sh" "$vectors"
# shellcheck disable=SC2016 # for the inner shell
verdict 'nothing of the testee lives on' sh -c '! kill -0 "$(cat leaver.pid)" 2>&-'
# Nor does it live on where the command is killed: not even behind a shell, and deaf.
echo 'trap "" HUP PIPE TERM; echo $$ >deaf.pid; while :; do sleep 1; done' >deaf.sh
"$rpcrdma" vectors --testee 'sh deaf.sh; :' --timeout 60 "$vectors" >out 2>err &
until [ -s deaf.pid ]; do sleep 0.1; done
kill -KILL $!
wait
lives() { grep -q ') [^Z]' "/proc/$(cat deaf.pid)/stat"; }
ends() { for _ in 1 2 3 4 5 6 7 8 9 10; do lives || return 0; sleep 0.5; done; return 1; }
verdict 'nor where the command is killed' ends
kill -KILL "$(cat deaf.pid)" 2>&-
echo 'while read -r line; do echo unsupported; done' >nothing.sh
try 1 vectors --testee "sh nothing.sh" "$vectors"
counts 21 'not applicable'
complains 'nothing was judged'
try 3 vectors --testee "./absent-command" "$vectors"
complains './absent-command: the command cannot be run: '
verdict 'says one line' test "$(wc -l <err)" -eq 1
verdict 'reports nothing' test ! -s out
try 2 vectors --testee x --timeout never "$vectors"

# ---- a list of them, as `probe --list` has it ----

try 0 vectors --list "$root/vectors"
verdict 'has a name alone' grep -qx runt-of-27-octets out
verdict 'has all of them, with what they are' test "$(grep -c '^    ' out)" -eq "$(cat "$root"/vectors/*.json "$root"/vectors/*/*.json | grep -c '"id": "')"
try 0 vectors --list --rule rfc8166/4.6.1/msgp-not-sent --json list.json "$root/vectors"
verdict 'prints nothing' test ! -s out
verdict 'writes a line each' grep -q '^{"kind":"case","subject":"[^"]*/header-version.json","id":"msgp-call","rule":"rfc8166/4.6.1/msgp-not-sent","breaks":true,"hazard":null,"comment":"RDMA_MSGP ' list.json
try 3 vectors --list no-such-file "$root/vectors/header-length.json"
verdict 'has a name alone' grep -qx runt-of-27-octets out
jq '.tests |= .[2:4]' "$vectors/headers.json" >two/c.json
try 0 vectors --list two/a.json two/c.json two/b.json
printf '%s\n' '# two/a.json' null-call-and-reply '' '# two/c.json' read-position-odd read-list-presence-two '' '# two/b.json' null-call-and-reply >wanted
verdict 'has a line for each file' sh -c 'grep -v "^    " out | cmp - wanted'
try 0 vectors --list --json list.json "$vectors/headers.json"
verdict 'has the rule that is nearly broken' grep -q '"id":"read-list-complete","rule":"rfc8166/3.4.5/position-multiple-of-four","breaks":false,' list.json
for options in '--print-lines --tap' '--print-lines --known x' '--print-lines --html x' '--print-lines --testee x' \
    '--lint --tap' '--lint --merge' '--lint --testee x' '--lint --known x' '--lint --html x' '--merge --tap --testee x' \
    '--merge --tap --junit x' '--merge --tap --write-known x'; do
    # shellcheck disable=SC2086 # words
    try 2 vectors $options "$vectors"
    complains "option '--"
done
for option in '--lint --case a' '--merge --tap --rule a' '--lint --print-lines'; do
    # shellcheck disable=SC2086 # words
    try 2 vectors $option "$vectors"
    complains "'--case', '--rule' and '--print-lines' do not go with '--lint' and '--merge'"
done
for option in --tap '--junit x' '--html x' '--output x' '--write-known x' --lint --print-lines '--testee x' --decode --context \
    '--seed 5' '--timeout 1' '--max-read 64' '--max-segments 8' '--max-chunk-segments 1' '--max-read-chunks 1' \
    '--max-write-chunks 1' '--versions 1' '--offers write-chunks' '--name x' --all; do
    # shellcheck disable=SC2086 # words
    try 2 vectors --list $option "$root/vectors/header-length.json"
    complains "option '--list' runs no test: it goes with '--case', '--rule' and '--json' alone"
done

# ---- expected failures ----

try 1 vectors --testee "$testees/libtirpc" --write-known fresh.known "$vectors"
verdict 'lists four tests' test "$(grep -c '^[a-z0-9-]*\(:[0-9]*\)\{0,1\} wrong-answer:accept # reason: $' fresh.known)" -eq 4
try 0 vectors --testee "$testees/libtirpc" --known fresh.known "$vectors"
counts 4 'wrong answer'
says '4 expected failures'
sed 1,2d fresh.known >short.known
try 1 vectors --testee "$testees/libtirpc" --known short.known "$vectors"
try 1 vectors --testee "$testees/librpcrdma" --known fresh.known "$vectors"
complains "expected failure 'version-seven wrong-answer:accept' did not occur"
# A Requester that never sent a version drops what answers it.
drops="while read -r asked octets; do
    if [ \$asked = reply ]; then echo discard; else echo \$asked \$octets | $testees/librpcrdma; fi
done"
try 1 vectors --testee "$drops" --versions 1,2 --case smallest-reply "$root/vectors/header-length.json"
try 0 vectors --testee "$drops" --versions 2 --case smallest-reply "$root/vectors/header-length.json"
# In version 1 a header is as long as it is.
try 1 vectors --testee "$testees/librpcrdma | sed -u 's/accept 28/accept 32/'" --case null-call-and-reply "$vectors"
counts 2 'wrong answer'
# Nor may a good Reply fail.
fails="while read -r asked octets; do
    if [ \$asked = reply ]; then echo fail; else echo \$asked \$octets | $testees/librpcrdma; fi
done"
try 1 vectors --testee "$fails" --case null-call-and-reply "$vectors"
says 'null-call-and-reply:event 1: wrong answer'
# What was not asked for need not fail, in a vector of one's own either.
try 0 vectors --testee "$testees/librpcrdma" --known fresh.known --rule rfc8166/4.5/minimal-header "$vectors"
try 0 vectors --testee "$testees/librpcrdma" --known fresh.known --case runt "$vectors"
# A name of no test is another fault than one that has become good, and so is one of a part that was not asked for.
printf '%s\n' 'version-sevn wrong-answer' 'zzzzzzzzzzzz silent' 'version-seven wrong-answer' >typo.known
try 1 vectors --known typo.known "$vectors"
complains "expected failure 'version-sevn wrong-answer' names no test here; did you mean 'version-seven'?"
verdict 'what is near to nothing' grep -q "'zzzzzzzzzzzz silent' names no test here$" err
complains "expected failure 'version-seven wrong-answer' did not occur"
verdict 'says nothing more of it' test "$(wc -l <err)" -eq 3
# A class: a rule, and one of the ways in which it can be broken.
{ grep -v 'xdr-encoded\|presence' fresh.known; echo 'rfc8166/4/xdr-encoded#XDR_E_PRESENCE wrong-answer # a class'; } >class.known
try 0 vectors --testee "$testees/libtirpc" --known class.known "$vectors"
sed 's/XDR_E_PRESENCE/XDR_E_COUNT/' class.known >other.known
try 1 vectors --testee "$testees/libtirpc" --known other.known "$vectors"
complains "'rfc8166/4/xdr-encoded#XDR_E_COUNT wrong-answer' did not occur"
# What makes a testee crash is covered by no class, and by no entry of another ending.
# shellcheck disable=SC2016
printf '%s\n' '#!/bin/sh' 'while read -r kind hex; do case $hex in' \
    '????????00000007*) kill -SEGV $$ ;; esac; echo accept; done' >falls.sh
try 1 vectors --testee "sh falls.sh" --write-known falls.known "$vectors"
verdict 'crashes are written as such' grep -q ' crashed # reason: $' falls.known
sed 's/ crashed/ wrong-answer/' falls.known >wrong.known
try 1 vectors --testee "sh falls.sh" --known wrong.known "$vectors"
complains 'did not occur'
refuse() { # LINE MESSAGE
    echo "$1" >bad.known
    try 3 vectors --testee "$testees/librpcrdma" --known bad.known "$vectors"
    complains "$2"
}
refuse 'rfc8166/3.4.5/no-such-rule wrong-answer' "there is no rule 'rfc8166/3.4.5/no-such-rule'"
refuse 'rfc8166/4/xdr-encoded' 'a test or a rule, and how it ended'
refuse 'rfc8166/4/xdr-encoded crashed' 'of a test, not of a whole rule'
refuse 'rfc8166/4/xdr-encoded wrong-answer,stalled' 'of a test, not of a whole rule'
refuse 'rfc8166/4/xdr-encoded# wrong-answer' "there is no way after '#'"
refuse 'some-test as-required' "'as-required' is not how a test fails"
refuse 'rfc8166/4/xdr-encoded wrong-answer,as-required' "'as-required' is not how a test fails"
refuse 'some-test:x wrong-answer' "'x' is not the number of an event"
refuse 'some-test wrong-answer surplus' 'a test or a rule, and how it ended'

# ---- reports ----

try 1 vectors --testee "$testees/libtirpc" --name rpcgen --tap --junit r.xml --json r.jsonl \
    --html r.html "$vectors"
verdict 'is TAP 14' grep -qx 'TAP version 14' out
verdict 'has a plan' grep -qx '1\.\.21' out
verdict 'has 4 lines of not ok' test "$(grep -c '^not ok' out)" -eq 4
verdict 'has 17 lines of ok' test "$(grep -c '^ok' out)" -eq 17
what='r.xml'
verdict 'is XML' python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' r.xml
verdict 'has 4 failures' test "$(grep -c '<failure' r.xml)" -eq 4
what='r.jsonl'
verdict 'is 21 results and a summary' jq -es 'map(.kind) | (map(select(. == "result")) | length) == 21' r.jsonl
verdict 'has endings' jq -es 'map(select(.ending == "wrong-answer")) | length == 4' r.jsonl
try 0 vectors --testee "$testees/librpcrdma" --name ours --json o.jsonl "$vectors"
try 0 vectors --merge --html both.html r.jsonl o.jsonl
try 0 vectors --merge --tap r.jsonl o.jsonl
# shellcheck disable=SC2016 # awk's own
verdict 'TAP: one plan, of both, counted through' awk -v r="$(jq -s 'map(select(.kind == "result")) | length' r.jsonl)" \
    -v o="$(jq -s 'map(select(.kind == "result")) | length' o.jsonl)" '
    /^1\.\./ { plans++; good = $0 == "1.." r + o }
    /^(not )?ok / { sub(/^not /, ""); bad += $2 != ++n; $4 == "rpcgen:" ? first++ : second += $4 == "ours:" }
    END { exit !(plans == 1 && good && !bad && first == r && second == o) }' out
verdict 'TAP: the failures of the first' test "$(grep -c '^not ok .* rpcgen: ' out)" -eq 4
head -c 200 r.jsonl >cut.jsonl
try 3 vectors --merge --tap cut.jsonl o.jsonl
verdict 'and nothing else is said' test ! -s out
try 2 vectors --merge r.jsonl o.jsonl
complains "needs '--html' or '--tap'"
try 2 vectors --merge --tap --json x r.jsonl
complains "goes with '--html' and '--tap' only"
what='both.html'
verdict 'names both peers' grep -q '>rpcgen<' both.html
verdict 'names both peers' grep -q '>ours<' both.html
for page in r both; do
    what="$page.html"
    verdict 'loads nothing' not grep -qE 'https?://[^"]*\.(js|css|png|woff)|<script src|<link|<img' $page.html
done
for file in --junit --json --html; do try 3 vectors $file absent/x "$vectors"; done

# Hostile names do not break out of a report.
jq '.tests[0].comment = "<script>alert(1)</script> & \"quoted\" ]]>"' "$vectors/headers.json" >hostile.json
try 0 vectors --junit h.xml --html h.html hostile.json
verdict 'is XML' python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' h.xml
verdict 'escapes markup' not grep -q '<script>alert' h.html

# ---- the corpus of the tree ----

# `rules` names just the vectors that a JSON reader finds to be about each rule.
"$rpcrdma" rules --json | jq -r '.id as $rule | (.vectors[] | "\($rule) \(.) breaks"),
    (.nearMisses[] | "\($rule) \(.) near")' | sort >index
for file in "$root"/vectors/*.json "$root"/vectors/v2-*/*.json; do
    case $file in *.schema.json) continue ;; esac
    jq -r --arg file "${file#"$root"/vectors/}" '.tests[] | .id as $id |
        ((.events[].expect.findings // [])[] | "\(.rule) \($file):\($id) breaks"),
        ((.nearMiss // [])[] | "\(.) \($file):\($id) near")' "$file"
done | sort -u >wanted
what='rules --json'
verdict 'names vectors' test -s index
verdict 'names the right ones' cmp index wanted

what='make_vectors'
mkdir made && "$build/make_vectors" made 2>err >out
verdict 'ends well, and leaks nothing' test $? -eq 0
for file in made/*.json made/v2-*/*.json; do
    verdict "makes the ${file#made/} of the tree" cmp "$file" "$root/vectors/${file#made/}"
done
try 0 vectors --case reply-with-misaligned-read-list --json first.json "$root/vectors"
verdict 'of rules of one level the first is the result'"'"'s' test "$(jq -r 'select(.kind == "result" and .event == 1)
    | .rule' first.json)" = rfc8166/3.4.5/position-multiple-of-four
try 0 vectors --lint "$root/vectors"
try 0 vectors "$root/vectors"
try 0 vectors --testee "$testees/librpcrdma" "$root/vectors"
try 0 vectors --testee "python3 $root/vectors/testees/toy.py" "$root/vectors"
# libtirpc clears 4 GiB where a count asks for them, which takes its time.
try 0 vectors --timeout 600 --testee "$testees/libtirpc" --known "$root/vectors/testees/libtirpc.known" "$root/vectors"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
