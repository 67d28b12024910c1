#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# The reports of `rpcrdma check` for other programs: TAP, JUnit, SARIF, HTML. Each has every finding
# that `check --json` has, and says what could not be checked. The schema of SARIF is not in the tree:
# sarif.schema.json has the parts of it that are used.
#
# usage: reports_test.sh PATH_TO_RPCRDMA

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/command.sh"
cp "$tests/command/sarif.schema.json" .
cp "$recorded/linux-6.1-nfs42.pcap" nfs.pcap
cp "$recorded/linux-6.1-errors.pcap" errors.pcap
# asks FILTER FILE: jq says true of the one object of the file.
asks() { verdict "is so of $2: $1" jq -e "$1" "$2"; }
invalidate=rfc8797/4.1/plain-send-without-support
padding=rfc8166/3.4.6.2/room-for-padding

# A hostile name: it has to be escaped everywhere.
name='a&b<c>"d '\''e%.hex'
printf '%s\n%s\n' '# a comment' \
    00000002000000010000002000000000000000010000002a0000cafe00000010000000010000000000000000000000000000000000000002000000000000000200018686000000010000000000000000000000000000000000000000 >"$name"
odd=rfc8166/3.4.5/position-multiple-of-four

# ---- SARIF ----

cat >schema.py <<'END'
import json, sys, warnings
warnings.simplefilter("ignore")
import jsonschema
log = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator(json.load(open("sarif.schema.json"))).validate(log)
run = log["runs"][0]
rules = run["tool"]["driver"]["rules"]
assert len({rule["id"] for rule in rules}) == len(rules), "ids of rules occur twice"
for result in run["results"]:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
END
try 1 check --sarif nfs.sarif nfs.pcap errors.pcap "$name"
verdict 'the SARIF file is as its schema says' python3 schema.py nfs.sarif
"$rpcrdma" check --json nfs.pcap errors.pcap "$name" >all.json
jq -r 'select(.kind == "event") | . as $event | .findings[] |
    "\($event.frame) \($event.from) \(.rule) \({violation: "error", warning: "warning", note: "note"}[.severity])"' \
    all.json >findings
jq -r '.runs[0].results[] | "\(.properties.frame) \(.properties.from) \(.ruleId) \(.level)"' nfs.sarif >results
verdict 'has the findings of --json, in order' cmp findings results
verdict 'there are more than 100' test "$(wc -l <results)" -gt 100
asks '.runs[0].results | map(select(.ruleId == "'$odd'")) | last |
    .locations[0].physicalLocation == {"artifactLocation": {"uri": "a%26b%3Cc%3E%22d%20%27e%25.hex"}, "region": {"startLine": 2}}
    and .properties.offset == 20 and .properties.field == "rdma_reads[0].position"' nfs.sarif
asks '.runs[0].results[0] | .properties.frame == 45 and (.message.text | startswith("frame 45: ")) and
    (.properties.evidence | length) == 4' nfs.sarif
asks '.runs[0].invocations[0] | .executionSuccessful and .toolExecutionNotifications == []' nfs.sarif
asks '.runs[0].tool.driver.rules | map(select(.id == "'$padding'")) | .[0] | .defaultConfiguration.level == "warning" and
    .properties.level == "should" and .helpUri == "https://www.rfc-editor.org/rfc/rfc8166#section-3.4.6.2"' nfs.sarif
asks '.runs[0].results | map(.locations[0].logicalLocations[0]) | all(.kind == "connection") and
    (.[0].fullyQualifiedName == "192.168.77.2:0x11-192.168.77.1:0x11")' nfs.sarif
what='standard input'
verdict 'has a name' sh -c "'$rpcrdma' check --sarif stdin.sarif --junit stdin.xml - <nfs.pcap >out 2>err; [ \$? -eq 1 ]"
asks '.runs[0].results | length > 70 and all(.locations[0].physicalLocation.artifactLocation.uri == "standard-input")' stdin.sarif
# Both sides break one rule: each has its own.
jq -n '{schema: "rpcrdma-vectors-v1", protocol: "rpcrdma1", title: "t", tests: [{id: "both", comment: "c", events: [
    {from: "client", send: "00000001 00000001 00000020 00000000 00000002 00000000 00000000"},
    {from: "server", send: "00000001 00000001 00000020 00000000 00000002 00000000 00000000"},
    {from: "server", send: "00000002 00000001 00000020 00000000 00000002 00000000 00000000"}]}]}' >both.json
try 1 check --sarif both.sarif --html both.html --junit both.xml --rule rfc8166/4/xdr-encoded both.json
asks '.runs[0].results | map([.properties.from, .properties.event, .locations[0].logicalLocations[0].kind, .message.text[0:15]]) ==
    [["client", 0, "test", "event 0 of both"], ["server", 1, "test", "event 1 of both"], ["server", 2, "test", "event 2 of both"]]' both.sarif
verdict 'the page has each with its side' test "$(sed 's/<[^>]*>/ /g' both.html | grep -oE '(client|server)$|both:event [0-9]|xdr-encoded, (client|server)' |
    grep -vE '^(client|server)$' | tr '\n' ';')" = 'xdr-encoded, server;both:event 1;both:event 2;xdr-encoded, client;both:event 0;'
holds both.xml 'message="3 findings"'
try 1 check --sarif absolute.sarif "$PWD/errors.pcap"
asks '.runs[0].results | length > 0 and all(.locations[0].physicalLocation.artifactLocation.uri | . == "file://'"$PWD"'/errors.pcap")' \
    absolute.sarif
try 0 check --sarif clean.sarif --rule rfc8166/3.3.1/grant-not-zero nfs.pcap
verdict 'the SARIF file is as its schema says' python3 schema.py clean.sarif
asks '.runs[0].results == []' clean.sarif
try 3 check --sarif damaged.sarif nfs.pcap nowhere
asks '.runs[0].invocations[0].executionSuccessful == false' damaged.sarif
try 3 check --sarif none.sarif nowhere
verdict 'of nothing that could be read there is no report' test ! -e none.sarif
try 3 check --sarif nowhere/x.sarif nfs.pcap
complains 'nowhere/x.sarif: '

# ---- JUnit ----

cat >junit.py <<'END'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
cases = suite.findall("testcase")
failed = [case.get("name") for case in cases if case.find("failure") is not None]
assert int(suite.get("tests")) == len(cases) > 0, "tests"
assert int(suite.get("failures")) == len(failed), "failures"
print(suite.get("name"))
print("\n".join(failed))
END
try 1 check --junit nfs.xml nfs.pcap
python3 junit.py nfs.xml >failed.cases
verdict 'fails where a violation is' test "$(sed 1d failed.cases)" = $invalidate
holds nfs.xml 'message="70 findings"'
holds nfs.xml 'private-data: server: RPC-over-RDMA format version 1, R=0'
try 1 check --junit nfs.xml --fail-on warning nfs.pcap
python3 junit.py nfs.xml | sed 1d | sort >failed.cases
verdict 'fails where a warning is' test "$(xargs <failed.cases)" = "$padding $invalidate"
try 1 check --junit odd.xml --rule $odd "$name"
python3 junit.py odd.xml >failed.cases
verdict 'escapes the name of the file' test "$(head -n 1 failed.cases)" = "rpcrdma check $name"
verdict 'has the case of the filter and that of gaps' test "$(grep -c '<testcase' odd.xml)" -eq 2

# ---- in which order findings come: by frame within a connection ----

"$rpcrdma" check --all --json errors.pcap | jq -s 'map(select(.kind == "event"))' >events.json
asks 'group_by(.connection) | length > 1 and all(.[]; map(.frame) == (map(.frame) | sort))' events.json

# ---- what could not be read is said once ----

head -c 100000 nfs.pcap >cut.pcap
try 3 check --annotate cut.pcapng cut.pcap
counts 0 'damaged after frame'
says '; a file could not be read in full'
lines err 1
complains 'cut.pcap: damaged after frame'
try 3 check missing.pcap nfs.pcap cut.pcap
says '2 of 3 files, 2 connections, '
says '; 2 files could not be read in full, 1 of them not opened'
try 1 check nfs.pcap nfs.pcap
counts 1 '^2 files, '
# Of each file as many connections have a summary as there is room for, however many came before.
connections=$("$rpcrdma" check errors.pcap | grep -c '^connection ')
# shellcheck disable=SC2046 # as many operands
try 1 check $(yes errors.pcap | head -n $((1000 / connections + 1)))
counts $((connections * (1000 / connections + 1))) '^connection '
counts 0 '^connections after the first'

# ---- TAP ----

try 1 check --tap nfs.pcap
verdict 'begins as TAP does' test "$(head -n 1 out)" = 'TAP version 14'
plan=$(sed -n 's/^1\.\.//p' out)
verdict 'has as many tests as it plans' test "$(grep -cE '^(not )?ok [0-9]+ - ' out)" -eq "$plan"
verdict 'numbers them' test "$(grep -E '^(not )?ok ' out | sed 's/^not //' | awk '$2 != NR' | wc -l)" -eq 0
verdict 'fails one' test "$(grep '^not ok' out | sed 's/.* - //')" = $invalidate
holds out '  count: 70'
holds out '  place1: "nfs.pcap:frame 45"'
holds out 'ok '"$plan"' - captures-checked-in-full'
try 3 check --tap nfs.pcap missing.pcap
unread='a file could not be read: missing.pcap: cannot be opened: No such file or directory'
verdict 'passes nothing where not all was read' test "$(grep '^ok' out | grep -vc " # SKIP $unread\$")" -eq 0
verdict 'fails what it found' test "$(grep '^not ok' out | sed 's/.* - //')" = $invalidate
verdict 'bails out at the end' test "$(tail -n 1 out)" = "Bail out! $unread"
try 3 check --tap "$(printf 'miss\033ing')" missing.pcap
verdict 'names the first of several files, and masks it' \
    test "$(tail -n 1 out)" = 'Bail out! 2 files could not be read, the first: miss?ing: cannot be opened: No such file or directory'
try 2 check --tap --json nfs.pcap
try 1 check --tap=14 nfs.pcap
verdict 'is version 14 by its number' test "$(head -n 1 out)" = 'TAP version 14'
cp out tap.14
try 1 check --tap=13 nfs.pcap
verdict 'is version 13 where that is asked for' test "$(head -n 1 out)" = 'TAP version 13'
sed 1d tap.14 >rest.14
sed 1d out >rest.13
verdict 'differs in the first line only' cmp -s rest.13 rest.14
try 2 check --tap=12 nfs.pcap
verdict 'knows two versions' grep -q "takes 14 or 13, not '12'" err
try 0 probe --case 'smallest-*' --tap=13
if command -v prove >/dev/null; then
    cp out probe.tap
    verdict 'is taken by prove' prove -e cat probe.tap
    sed 's/^TAP version 13/TAP version 14/' probe.tap >14.tap
    verdict 'which refuses version 14' eval '! prove -e cat 14.tap'
fi

# ---- HTML ----

cat >page.py <<'END'
import sys
from html.parser import HTMLParser
class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.text = [], set(), [], ""
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            assert attributes["id"] not in self.ids, "an id occurs twice"
            self.ids.add(attributes["id"])
        for key in ("href", "src"):
            if key in attributes:
                self.links.append(attributes[key])
        if tag not in ("meta", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        self.text += data
page = Page()
page.feed(open(sys.argv[1]).read())
assert page.open == [], page.open
for link in page.links:
    assert link[1:] in page.ids if link[0] == "#" else link.startswith("https://www.rfc-editor.org/"), link
for text in sys.argv[2:]:
    assert text in page.text, text
END
try 1 check --html nfs.html nfs.pcap
verdict 'the page is well formed, its links lead somewhere, and it has the findings' \
    python3 page.py nfs.html "$invalidate" "$padding" 'frame 2240' 'Call in frame 42, 0.020186 s before' \
    '67 more' 'Nothing is known to be missing'
try 1 check --html odd.html "$name" nfs.pcap
verdict 'the page escapes the name of a file' python3 page.py odd.html "$name" 'e%.hex:line 2'
holds odd.html '<mark>0000002a</mark>'
try 3 check --html nowhere/x.html nfs.pcap
complains 'nowhere/x.html: '
row='https://kit.example/a&amp;b/rules.html#'
try 1 check --site 'https://kit.example/a&b/' --html site.html --sarif site.sarif nfs.pcap
holds site.html "<a href=\"$row$padding\">rule</a>, level should"
asks '.runs[0].tool.driver.rules[] | select(.id == "'$padding'").helpUri == "https://kit.example/a&b/rules.html#'$padding'"' site.sarif
try 0 probe --site 'https://kit.example/a&b' --case smallest-call --html site.html
verdict 'the page of probe has such links' grep -qE "<a href=\"${row}rfc8166/[^\"]*\">rule</a>, level" site.html

# ---- what could not be checked ----

cat >gap.py <<'END'
import struct, sys
data = open("nfs.pcap", "rb").read()
out, at, frame = data[:24], 24, 0
while at < len(data):
    size = struct.unpack_from("<I", data, at + 8)[0]
    frame += 1
    if frame != 45:
        out += data[at:at + 16 + size]
    at += 16 + size
open("gap.pcap", "wb").write(out)
END
python3 gap.py
try 0 check --rule rfc8166/3.3.1/grant-not-zero --sarif gap.sarif --html gap.html --junit gap.xml gap.pcap
verdict 'the SARIF file is as its schema says' python3 schema.py gap.sarif
asks '.runs[0].invocations[0].toolExecutionNotifications[0].message.text | . == "messages could not be checked: 1"' gap.sarif
verdict 'the page says what is missing' python3 page.py gap.html '1 lost' 'packets are missing'
python3 junit.py gap.xml | sed 1d >failed.cases
verdict 'no case fails' test "$(xargs <failed.cases)" = ''
try 1 check --rule rfc8166/3.3.1/grant-not-zero --strict --junit gap.xml --tap gap.pcap
python3 junit.py gap.xml | sed 1d >failed.cases
verdict 'with --strict the case of gaps fails' test "$(cat failed.cases)" = captures-checked-in-full
holds out 'not ok 2 - captures-checked-in-full'

# ---- no file is overwritten that is read ----

for option in html junit sarif annotate; do
    try 2 check "--$option" nfs.pcap nfs.pcap
    complains "'nfs.pcap' would be overwritten"
done
ln nfs.pcap link.pcap
try 2 check --html link.pcap nfs.pcap
verdict 'the capture is as it was' cmp nfs.pcap "$recorded/linux-6.1-nfs42.pcap"

finish
