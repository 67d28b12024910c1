#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
"""What the vectors find: subtle faults, one each in a receiver of headers, and the vector that names it.

A fault whose answer the text permits is named by no vector; its vector then has the receiver accused of nothing.

usage: faults_test.py PATH_TO_RPCRDMA
       faults_test.py --testee FAULT < questions
"""
import json
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

# A receiver without faults, in the terms of RFC 8166. A fault replaces a part of it.
SOUND = '''
def word(octets, at):
    if at + 4 > len(octets):
        raise ValueError
    return int.from_bytes(octets[at : at + 4], "big"), at + 4

def flag(octets, at):
    value, at = word(octets, at)
    if value > 1:
        raise ValueError
    return value, at

def segment(octets, at):
    handle, at = word(octets, at)
    length, at = word(octets, at)
    high, at = word(octets, at)
    low, at = word(octets, at)
    return (handle, length, high << 32 | low), at

def chunk(octets, at):
    count, at = word(octets, at)
    segments = []
    for _ in range(count):
        one, at = segment(octets, at)
        segments.append(one)
    return segments, at

def lists(octets, at):
    reads, writes, reply = [], [], None
    present, at = flag(octets, at)
    while present:
        position, at = word(octets, at)
        one, at = segment(octets, at)
        reads.append((position, one))
        present, at = flag(octets, at)
    present, at = flag(octets, at)
    while present:
        one, at = chunk(octets, at)
        writes.append(one)
        present, at = flag(octets, at)
    present, at = flag(octets, at)
    if present:
        reply, at = chunk(octets, at)
    return (reads, writes, reply), at

def total(segments):
    return sum(length for _, length, _ in segments)

def misaligned(reads):
    return any(position % 4 for position, _ in reads)

def empty_message(octets, at):
    return len(octets) - at < 4

def bad_call(octets, at, nomsg, reads, writes, reply):
    zero = [one for position, one in reads if position == 0]
    if misaligned(reads):
        return True
    if nomsg:
        return total(zero) == 0
    return len(zero) > 0 or empty_message(octets, at)

def bad_reply(octets, at, nomsg, reads, writes, reply):
    used = total(reply or [])
    if reads:
        return True
    if nomsg:
        return used == 0
    return used > 0 or empty_message(octets, at)

def error(octets):
    code, at = word(octets, 16)
    if code == 1:
        _, at = word(octets, at)
        _, at = word(octets, at)
    elif code != 2:
        raise ValueError
    return at

def show(one):
    return "%d/%d/%d" % one

def fields(octets, at, reads, writes, reply):
    text = " xid=%d vers=%d credit=%d proc=%d" % tuple(word(octets, n)[0] for n in (0, 4, 8, 12))
    text += " reads=" + ",".join("%d/%s" % (position, show(one)) for position, one in reads)
    text += " writes=" + "".join("[%s]" % ",".join(map(show, one)) for one in writes)
    text += " reply=" + ("" if reply is None else "[%s]" % ",".join(map(show, reply)))
    return text

def answer(octets, is_reply):
    shortest = 20 if is_reply else 28
    if len(octets) < shortest:
        return "discard"
    version, procedure = word(octets, 4)[0], word(octets, 12)[0]
    drop = "discard" if is_reply else "error err-chunk"
    if procedure == 4:
        if not is_reply:
            return "discard"
        try:
            return "accept %d" % error(octets)
        except ValueError:
            return "discard"
    if version != 1:
        return "discard" if is_reply else "error err-vers"
    if procedure == 3:
        return "discard"
    if procedure > 1:
        return drop
    if len(octets) < 28:
        return "discard"
    try:
        (reads, writes, reply), at = lists(octets, 16)
    except ValueError:
        return drop
    bad = bad_reply if is_reply else bad_call
    if bad(octets, at, procedure == 1, reads, writes, reply):
        return drop
    return "accept %d" % at + fields(octets, at, reads, writes, reply)
'''


class Fault(NamedTuple):
    name: str
    sound: str
    planted: str
    vector: str
    named: bool = True


FAULTS = (
    Fault(
        "position of the first entry only",
        "any(position % 4 for position, _ in reads)",
        "any(position % 4 for position, _ in reads[:1])",
        "position-misaligned-in-second-entry",
    ),
    Fault(
        "any presence word of the Reply chunk",
        "    present, at = flag(octets, at)\n    if present:",
        "    present, at = word(octets, at)\n    if present:",
        "reply-chunk-presence-of-two",
    ),
    Fault(
        "runts from 20 octets",
        "shortest = 20 if is_reply else 28\n",
        "shortest = 20\n",
        "runt-of-version-7",
    ),
    Fault(
        "runts below 27 octets",
        "shortest = 20 if is_reply else 28\n",
        "shortest = 20 if is_reply else 27\n",
        "reading-order-length-before-version",
    ),
    Fault(
        "RDMA_DONE answered",
        "    if procedure == 3:\n        return \"discard\"\n",
        "",
        "done-of-28-octets",
    ),
    Fault(
        "offset of 32 bits",
        "high << 32 | low",
        "low",
        "read-segment-exceeds-address-space",
    ),
    Fault(
        "handle of 31 bits",
        "return (handle, length",
        "return (handle & 0x7FFFFFFF, length",
        "svcrdma-failed-read-ends-connection",
    ),
    Fault(
        "ERR_VERS without its second word",
        "        _, at = word(octets, at)\n        _, at = word(octets, at)\n",
        "        _, at = word(octets, at)\n        at += 4\n",
        "err-vers-ends-inside-range",
    ),
    Fault(
        "the second Write chunk not in the fields",
        "map(show, one)) for one in writes)",
        "map(show, one)) for one in writes[:1])",
        "write-chunks-of-two-handles",
    ),
    Fault(
        "a Read list in a Long Reply",
        "    if reads:\n",
        "    if reads and not nomsg:\n",
        "long-reply-with-read-list-of-its-call",
    ),
    Fault(
        "a short Reply that names octets",
        "    return used > 0 or empty",
        "    return empty",
        "short-reply-names-one-octet-in-chunk",
    ),
    Fault(
        "Reply chunk summed in 32 bits",
        "used = total(reply or [])",
        "used = total(reply or []) & 0xFFFFFFFF",
        "long-reply-of-4294967296-octets",
    ),
    Fault(
        "Position Zero chunk: its last segment",
        "return total(zero) == 0",
        "return total(zero[-1:]) == 0",
        "long-call-with-empty-last-segment",
    ),
    Fault(
        "version before RDMA_ERROR",
        "        if not is_reply:\n            return \"discard\"\n",
        "        if not is_reply:\n            return \"discard\" if version == 1 else \"error err-vers\"\n",
        "reading-order-error-of-another-version-to-responder", named=False,
    ),
    Fault(
        "count times 16 in 32 bits",
        "    segments = []\n",
        "    if at + (count * 16 & 0xFFFFFFFF) > len(octets):\n        raise ValueError\n    segments = []\n    count &= 0xFFFFFFF\n",
        "write-chunk-count-wraps-to-one",
    ),
    Fault(
        "Position Zero summed in 32 bits",
        "return total(zero) == 0",
        "return total(zero) & 0xFFFFFFFF == 0",
        "long-call-of-4294967296-octets", named=False,
    ),
    Fault(
        "Position Zero chunk: its first segment",
        "return total(zero) == 0",
        "return total(zero[:1]) == 0",
        "long-call-first-segment-empty",
    ),
    Fault(
        "Reply chunk: its first segment",
        "used = total(reply or [])",
        "used = total((reply or [])[:1])",
        "long-reply-first-segment-empty",
    ),
    Fault(
        "Reply chunk: its last segment",
        "used = total(reply or [])",
        "used = total((reply or [])[-1:])",
        "long-reply-in-second-segment",
    ),
    Fault(
        "a length that is signed",
        "return sum(length for _, length, _ in segments)",
        "return sum(length if length < 1 << 31 else 0 for _, length, _ in segments)",
        "short-reply-names-4294967296-octets-in-chunk",
    ),
    Fault(
        "Position Zero by any entry of the list",
        "[one for position, one in reads if position == 0]",
        "[one for _, one in reads]",
        "long-call-at-position-four",
    ),
    Fault(
        "Position Zero by the first entry",
        "[one for position, one in reads if position == 0]",
        "[one for _, one in reads] if reads and reads[0][0] == 0 else []",
        "long-call-chunks-high-zero-low",
    ),
    Fault(
        "Position of 16 bits",
        "if position == 0]",
        "if position & 0xFFFF == 0]",
        "position-65536-behind-long-chunk",
    ),
    Fault(
        "a Long Call by any Read list",
        "    if nomsg:\n        return total(zero) == 0\n",
        "    if nomsg:\n        return not reads\n",
        "long-call-of-arguments-alone",
    ),
    Fault(
        "a Long Call by any chunk",
        "    if nomsg:\n        return total(zero) == 0\n",
        "    if nomsg:\n        return not (reads or writes)\n",
        "nomsg-of-write-list-alone",
    ),
    Fault(
        "a Long Reply by its Write list",
        "    if nomsg:\n        return used == 0\n",
        "    if nomsg:\n        return used == 0 and not writes\n",
        "reading-long-reply-in-write-list-alone",
    ),
    Fault(
        "a Long Reply without octets",
        "    if nomsg:\n        return used == 0\n",
        "    if nomsg:\n        return not reply\n",
        "long-reply-of-nothing",
    ),
    Fault(
        "a Long Reply by presence",
        "    if nomsg:\n        return used == 0\n",
        "    if nomsg:\n        return reply is None\n",
        "reading-requester-drops-long-reply-of-nothing",
    ),
    Fault(
        "Position Zero in an RDMA_MSG",
        "return len(zero) > 0 or empty",
        "return empty",
        "reading-position-zero-chunk-in-msg", named=False,
    ),
    Fault(
        "Position not aligned by two",
        "any(position % 4 for",
        "any(position % 2 for",
        "misaligned-call-taken",
    ),
    Fault(
        "Position of a Reply",
        "    if reads:\n        return True\n    if nomsg:\n        return used",
        "    if misaligned(reads):\n        return True\n    if nomsg:\n        return used",
        "reply-with-read-list",
    ),
    Fault(
        "an RDMA_MSG without payload",
        "return len(octets) - at < 4",
        "return False",
        "msg-without-payload", named=False,
    ),
    Fault(
        "a payload of one octet",
        "return len(octets) - at < 4",
        "return len(octets) - at < 1",
        "msg-without-payload-after-lists", named=False,
    ),
    Fault(
        "a presence word of 16 bits",
        "    if value > 1:\n",
        "    if value & ~0xFFFF:\n",
        "read-list-presence-of-two",
    ),
    Fault(
        "any presence word of the Write list",
        "    present, at = flag(octets, at)\n    while present:\n        one, at = chunk",
        "    present, at = word(octets, at)\n    while present:\n        one, at = chunk",
        "write-list-presence-of-two",
    ),
    Fault(
        "an error code of three",
        "    elif code != 2:\n",
        "    elif code > 3:\n",
        "error-code-three",
    ),
    Fault(
        "ERR_CHUNK with a range",
        "    if code == 1:\n",
        "    if code in (1, 2):\n",
        "two-calls-after-error",
    ),
    Fault(
        "RDMA_ERROR of another version",
        "        try:\n            return \"accept %d\" % error",
        "        if version != 1:\n            return \"discard\"\n        try:\n            return \"accept %d\" % error",
        "reading-err-vers-with-own-version", named=False,
    ),
    Fault(
        "RDMA_ERROR answered",
        "        if not is_reply:\n            return \"discard\"\n",
        "        if not is_reply:\n            return \"error err-chunk\"\n",
        "reading-padded-error-to-responder",
    ),
    Fault(
        "a version above is taken",
        "    if version != 1:\n",
        "    if version < 1:\n",
        "version-two-and-msgp",
    ),
    Fault(
        "version 0 is taken",
        "    if version != 1:\n",
        "    if version > 1:\n",
        "version-zero",
    ),
    Fault(
        "the version's low octet",
        "    if version != 1:\n",
        "    if version & 0xFF != 1:\n",
        "version-one-in-lower-octets",
    ),
    Fault(
        "procedure before version",
        "    if version != 1:\n",
        "    if version != 1 and procedure < 2:\n",
        "reading-order-version-before-procedure",
    ),
    Fault(
        "RDMA_MSGP taken as RDMA_MSG",
        "    if procedure > 1:\n",
        "    if procedure > 2:\n",
        "msgp-that-would-pass-for-msg",
    ),
    Fault(
        "the procedure's low octet",
        "word(octets, 12)[0]\n",
        "word(octets, 12)[0] & 0xFF\n",
        "procedure-zero-in-lower-octets",
    ),
    Fault(
        "Write chunk's count of 16 bits",
        "    count, at = word(octets, at)\n",
        "    count, at = word(octets, at)\n    count &= 0xFFFF\n",
        "svcrdma-segment-count-of-28-bits",
    ),
    Fault(
        "segments beyond sixteen left out",
        "    for _ in range(count):\n        one, at = segment(octets, at)\n        segments.append(one)\n",
        "    for n in range(count):\n        one, at = segment(octets, at)\n        if n < 16:\n            segments.append(one)\n",
        "evpl-seventeen-segments",
    ),
    Fault(
        "an empty Write chunk ends the list",
        "        writes.append(one)\n        present, at = flag(octets, at)\n",
        "        writes.append(one)\n        present, at = flag(octets, at) if one else (0, at)\n",
        "nfs-first-result-in-second-chunk",
    ),
    Fault(
        "one Write chunk beside a Reply chunk",
        "return (reads, writes, reply), at",
        "return (reads, writes[:1] if reply is not None else writes, reply), at",
        "all-three-lists",
    ),
    Fault(
        "a word of three octets",
        "    if at + 4 > len(octets):\n",
        "    if at + 3 > len(octets):\n",
        "err-vers-ends-inside-range",
    ),
    Fault(
        "the Read list reversed",
        "        reads.append((position, one))\n",
        "        reads.insert(0, (position, one))\n",
        "long-write-with-argument-reduced",
    ),
    Fault(
        "XID and credit exchanged",
        "(0, 4, 8, 12))",
        "(8, 4, 0, 12))",
        "all-three-lists",
    ),
)


def testee(name):
    planted = [fault for fault in FAULTS if fault.name == name]
    receiver = {}
    exec(SOUND.replace(planted[0].sound, planted[0].planted) if planted else SOUND, receiver)
    for line in sys.stdin:
        kind, _, digits = line.strip().partition(" ")
        print(receiver["answer"](bytes.fromhex(digits), kind == "reply"), flush=True)


def ask(rpcrdma, name, *options):
    """The exit status, and the tests that failed."""
    command = shlex.join(["python3", sys.argv[0], "--testee", name])
    with tempfile.TemporaryDirectory() as work:
        run = subprocess.run(
            [rpcrdma, "vectors", "--testee", command, "--json", f"{work}/json", *options, "vectors"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        with open(f"{work}/json", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    wrong = {row["test"] for row in rows if row.get("ending") == "wrong-answer"}
    return run.returncode, wrong, run.stdout + run.stderr


def judge(rpcrdma, fault):
    if SOUND.count(fault.sound) != 1:
        return "the receiver has that part once"
    status, failed, out = ask(rpcrdma, fault.name, "--case", fault.vector)
    if fault.named:
        return "" if status == 1 and fault.vector in failed else f"{fault.vector} names it\n{out}"
    return "" if status == 0 else f"{fault.vector} permits it\n{out}"


def main():
    rpcrdma, failed = sys.argv[1], 0
    status, _, out = ask(rpcrdma, "none")
    wrong = {} if status == 0 else {"none": f"the vectors accuse it of nothing\n{out}"}
    wrong.update((fault.name, judge(rpcrdma, fault)) for fault in FAULTS)
    for name, why in wrong.items():
        if why:
            failed += 1
            print(f"FAILED: {name}: {why}")
    print(f"{len(wrong) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if sys.argv[1] == "--testee":
    testee(sys.argv[2])
else:
    sys.exit(main())
