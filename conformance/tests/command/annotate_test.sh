#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# needs: tshark
# `rpcrdma check --annotate`: the capture with its findings as comments, as tshark reads it. All else
# of the capture stays as it was: packets, times, interfaces, comments.
#
# usage: annotate_test.sh PATH_TO_RPCRDMA

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/command.sh"
not_grep() {
    ! grep -q "$@"
}
shark() {
    tshark -r "$@" 2>shark.err
}

# Every form of the same capture.
cat >forms.py <<'END'
import random, struct, sys
data = open(sys.argv[1], "rb").read()
records, at = [], 24
while at < len(data):
    seconds, micro, size, wire = struct.unpack_from("<IIII", data, at)
    records.append((seconds, micro, data[at + 16:at + 16 + size], wire))
    at += 16 + size
link = struct.unpack_from("<I", data, 20)[0]

def pcap(order, magic, scale, extra):
    out = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, link)
    for seconds, micro, octets, wire in records:
        out += struct.pack(order + "IIII", seconds, micro * scale, len(octets), wire) + extra + octets
    return out

def pad(octets):
    return octets + b"\0" * (-len(octets) % 4)

def block(order, type, body):
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", type) + size + body + size

def option(order, code, octets):
    return struct.pack(order + "HH", code, len(octets)) + pad(octets)

def section(order):
    size = struct.pack(order + "I", 28)
    return struct.pack(order + "I", 0x0a0d0d0a) + size + struct.pack(order + "IHHQ", 0x1a2b3c4d, 1, 0, 28) + size

def interface(order, options=b"", snap=65535):
    return block(order, 1, struct.pack(order + "HHI", link, 0, snap) + options)

def packet(order, record, options=b"", type=6):
    seconds, micro, octets, wire = record
    time = seconds * 1000000 + micro
    ids = struct.pack(order + "I", 0) if type == 6 else struct.pack(order + "HH", 0, 0xffff)
    return block(order, type, ids + struct.pack(order + "IIII", time >> 32, time & 0xffffffff,
                 len(octets), wire) + pad(octets) + options)

def simple(order, record):
    return block(order, 3, struct.pack(order + "I", record[3]) + pad(record[2]))

def pcapng(order, kind):
    out = section(order) + interface(order, option(order, 2, b"eth9") + option(order, 0, b""))
    if kind == "simple":  # whose packets are of the first interface
        out += interface(order, snap=40)
    for number, record in enumerate(records, 1):
        if kind == "comments":
            own = option(order, 1, b"comment %d" % number) + option(order, 2, struct.pack(order + "I", 1))
            out += packet(order, record, own + option(order, 0, b"") if number % 2 else own)
        elif kind == "simple":
            out += simple(order, record)
        else:
            out += packet(order, record, type=2 if kind == "obsolete" else 6)
        if number == 100:
            out += block(order, 5, struct.pack(order + "III", 0, 0, 0))
        if number == 1000 and kind in ("sections", "mixed"):
            if kind == "mixed":
                order = "<" if order == ">" else ">"
            out += section(order) + interface(order)
    out += block(order, 0x80000001, b"kept")
    out += block(order, 0x40000bad, struct.pack(order + "I", 32473) + b"lost")
    return out

files = {
    "little.pcap": pcap("<", 0xa1b2c3d4, 1, b""),
    "big.pcap": pcap(">", 0xa1b2c3d4, 1, b""),
    "nano.pcap": pcap("<", 0xa1b23c4d, 1000, b""),
    "longer.pcap": pcap("<", 0xa1b2cd34, 1, b"\0" * 8),
    "little.pcapng": pcapng("<", "plain"),
    "big.pcapng": pcapng(">", "plain"),
    "comments.pcapng": pcapng("<", "comments"),
    "obsolete.pcapng": pcapng(">", "obsolete"),
    "simple.pcapng": pcapng("<", "simple"),
    "sections.pcapng": pcapng("<", "sections"),
    "mixed.pcapng": pcapng("<", "mixed"),
}
for name, octets in files.items():
    open(name, "wb").write(octets)
# Damaged ones: every place a little, by a seed that does not change.
generator = random.Random(20049)
for number in range(60):
    octets = bytearray(files["little.pcapng" if number % 2 else "comments.pcapng"][:20000])
    for _ in range(generator.choice((1, 2, 8))):
        octets[generator.randrange(len(octets))] = generator.choice((0, 1, 0x7f, 0x80, 0xff))
    if number % 3 == 0:
        octets = octets[:generator.randrange(30, len(octets))]
    open("damaged%d.pcapng" % number, "wb").write(octets)
for number in range(30):
    octets = bytearray(files["little.pcap"][:20000])
    octets[24 + generator.randrange(2000)] = generator.choice((0, 1, 0x7f, 0x80, 0xff))
    open("damaged%d.pcap" % number, "wb").write(octets)
END
python3 forms.py "$recorded/linux-6.1-nfs42.pcap" || exit 1

"$rpcrdma" check --json little.pcap |
    jq -r 'select(.kind == "event") | . as $event | .findings[] |
        "\($event.frame)\trpcrdma: \(.severity) by the \($event.from): \(.text) [\(.rule)]"' >findings
verdict 'there are 74 findings' test "$(wc -l <findings)" -eq 74

for tool in gzip xz zstd; do
    for file in little.pcap comments.pcapng; do
        if command -v $tool >/dev/null; then
            $tool -q -k -f "$file"
            "$rpcrdma" check --annotate compressed.pcapng "$file".[gxz]* >out 2>err
            "$rpcrdma" check --annotate plain.pcapng "$file" >out 2>err
            verdict "$file is annotated as compressed by $tool" cmp plain.pcapng compressed.pcapng
            rm -f "$file".[gxz]*
        else
            skip "no $tool"
        fi
    done
done

for file in little.pcap big.pcap nano.pcap longer.pcap little.pcapng big.pcapng obsolete.pcapng \
    simple.pcapng sections.pcapng mixed.pcapng comments.pcapng; do
    "$rpcrdma" check --annotate "annotated.$file" "$file" >out 2>err
    verdict "$file: exits with 1" test $? -eq 1
    verdict "$file: says nothing" test ! -s err
    case $file in
    comments.pcapng) filter='frame.comment contains "rpcrdma"' ;;
    *) filter=frame.comment ;;
    esac
    shark "annotated.$file" -Y "$filter" -T fields -e frame.number -e frame.comment >comments
    case $file in
    comments.pcapng) # the new comment comes first, the old one stays
        shark "annotated.$file" -T fields -e frame.comment | grep -c 'comment [0-9]*$' >kept
        verdict "$file: every packet keeps its comment" test "$(cat kept)" -eq 2501
        sed -E 's/,comment [0-9]+$//' comments >comments.new
        mv comments.new comments
        ;;
    esac
    verdict "$file: each finding is a comment on its packet" diff findings comments
    verdict "$file: tshark complains of nothing" not_grep 'appears\|damaged\|corrupt' shark.err
    fields='-T fields -e frame.number -e frame.time_epoch -e frame.len -e frame.cap_len -e frame.interface_name -e ip.src -e udp.length -e infiniband.invariant.crc'
    # A packet without time in its own block has one now: 0.
    case $file in
    simple.pcapng) fields=$(echo "$fields" | sed 's/-e frame.time_epoch//; s/-e frame.interface_name//') ;;
    esac
    # shellcheck disable=SC2086 # a list
    shark "$file" $fields | head -n 2501 >before # tshark counts a custom block as a frame
    # shellcheck disable=SC2086 # a list
    shark "annotated.$file" $fields >after
    case $file in
    *.pcap) # which has no name of an interface
        cut -f 1-4,6- before >before.cut
        cut -f 1-4,6- after >after.cut
        mv before.cut before
        mv after.cut after
        ;;
    esac
    verdict "$file: the packets are as they were" cmp before after
    verdict "$file: all of them are there" test "$(wc -l <after)" -eq 2501
    "$rpcrdma" check --json "annotated.$file" | sed "s/annotated\\.$file/$file/g" >again.json
    "$rpcrdma" check --json "$file" >once.json
    verdict "$file: check finds the same in it" cmp once.json again.json
done 2>err.loop
cat err.loop >&2
verdict 'blocks of others are kept' grep -q kept annotated.little.pcapng
verdict 'but not those that are not to be copied' sh -c '! grep -q lost annotated.little.pcapng'

# ---- what is missing is annotated too ----

"$rpcrdma" check --rule rfc8166/3.3.1/grant-not-zero --annotate clean.pcapng little.pcap >out 2>err
verdict 'a clean capture: exits with 0' test $? -eq 0
verdict 'a clean capture has no comment' test -z "$(shark clean.pcapng -Y frame.comment)"
editcap little.pcap gap.pcap 45
"$rpcrdma" check --rule rfc8166/3.3.1/grant-not-zero --annotate gap.pcapng gap.pcap >out 2>err
verdict 'a gap is a comment' \
    grep -q 'rpcrdma: not checked: packets are missing' gap.pcapng

# ---- several comments on one packet ----

"$rpcrdma" check --annotate errors.pcapng "$recorded/linux-6.1-errors.pcap" >out 2>err
"$rpcrdma" check --json "$recorded/linux-6.1-errors.pcap" |
    jq -s 'map(select(.kind == "event") | .findings | length) | add' >count
shark errors.pcapng -T fields -E occurrence=a -E aggregator='|' -e frame.comment | tr '|' '\n' |
    grep -c '^rpcrdma: ' >comments
verdict 'each finding of a packet with several is there' cmp count comments

# ---- wrong usage, damage ----

"$rpcrdma" check --annotate out.pcapng little.pcap big.pcap >out 2>err
verdict 'two captures: exits with 2' test $? -eq 2
"$rpcrdma" check --annotate out.pcapng - <little.pcap >out 2>err
verdict 'standard input: exits with 2' test $? -eq 2
echo 00000001 >one.hex
"$rpcrdma" check --annotate out.pcapng one.hex >out 2>err
verdict 'no capture: exits with 3' test $? -eq 3
verdict 'no capture: says so' grep -q 'one.hex: is neither a pcap nor a pcapng file' err
"$rpcrdma" check --annotate nowhere/out.pcapng little.pcap >out 2>err
verdict 'nowhere to write: exits with 3' test $? -eq 3
head -c $(($(wc -c <little.pcap) - 20)) little.pcap >cut.pcap
"$rpcrdma" check --annotate cut.pcapng cut.pcap >out 2>err
verdict 'a capture that was cut: exits with 3' test $? -eq 3
verdict 'a capture that was cut: the frames before the cut are annotated' \
    test "$(shark cut.pcapng | wc -l)" -eq "$(($(shark little.pcap | wc -l) - 1))"
crashed=
for file in damaged*.pcapng damaged*.pcap; do
    "$rpcrdma" check --annotate out.pcapng "$file" >out 2>err
    status=$?
    if [ $status -gt 3 ] || [ $status -eq 2 ]; then
        crashed="$crashed $file($status)"
    fi
done
verdict 'no damaged capture does harm' test -z "$crashed"

finish
