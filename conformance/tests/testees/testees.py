#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: testee_test.sh
"""Testees for testee_test.sh: the toy of vectors/testees, with one thing changed.

usage: testees.py NAME < questions
"""
import os
import sys

TOY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../vectors/testees/toy.py")
toy = {"__name__": "toy"}
with open(TOY) as source:
    exec(source.read().split("\nfor line in sys.stdin")[0], toy)
answer = toy["answer"]


def parse(octets):
    """Read list, Write list and Reply chunk of a header that is good."""
    reader = toy["Reader"](octets)
    fixed = reader.words(4)

    def chunk():
        return [reader.words(4) for _ in range(reader.word())]

    reads, writes = [], []
    while reader.word():
        reads.append(reader.words(5))
    while reader.word():
        writes.append(chunk())
    return fixed, reads, writes, chunk() if reader.word() else None


def lists(octets):
    try:
        return parse(octets)
    except ValueError:
        return None


def segments(parsed):
    _, reads, writes, reply = parsed
    return len(reads) + sum(len(chunk) for chunk in writes) + len(reply or [])


def limited(octets, is_reply):
    """Takes sixteen segments and fetches 1 MiB."""
    said, parsed = answer(octets, is_reply), lists(octets)
    if said.startswith("accept") and parsed:
        if segments(parsed) > 16 or (not is_reply and sum(read[2] for read in parsed[1]) > 1 << 20):
            return "discard" if is_reply else "error err-chunk"
    return said


def chunks(parsed):
    """Read chunks by the Positions in their order, and how many segments each chunk has."""
    _, reads, writes, reply = parsed
    runs = []
    for at, read in enumerate(reads):
        if at == 0 or read[0] != reads[at - 1][0]:
            runs.append(0)
        runs[-1] += 1
    return len(runs), runs + [len(chunk) for chunk in writes] + [len(reply or [])]


def one_read_chunk(octets, is_reply):
    said, parsed = answer(octets, is_reply), lists(octets)
    refuse = "discard" if is_reply else "error err-chunk"
    return refuse if said.startswith("accept") and parsed and chunks(parsed)[0] > 1 else said


def short_chunks(octets, is_reply):
    """Takes eight segments in a chunk."""
    said, parsed = answer(octets, is_reply), lists(octets)
    refuse = "discard" if is_reply else "error err-chunk"
    return refuse if said.startswith("accept") and parsed and max(chunks(parsed)[1]) > 8 else said


def changed(old, new):
    """The toy with one thing changed in its text."""
    with open(TOY) as lines:
        text = lines.read().split("\nfor line in sys.stdin")[0]
    if old not in text:
        sys.exit("the toy has no " + old)
    other = {"__name__": "toy"}
    exec(text.replace(old, new), other)
    return other["answer"]


def sums_in_32_bits(octets, is_reply):
    return changed("self.word())])", "self.word())]) & 0xffffffff")(octets, is_reply)


def last_segment(octets, is_reply):
    """Takes the length of a Position Zero chunk's last segment for that of the chunk."""
    return changed("sum(r[2] for r in reads if r[0] == 0)",
                   "([0] + [r[2] for r in reads if r[0] == 0])[-1]")(octets, is_reply)


def says_limit(octets, is_reply):
    """The same, and says so."""
    said, parsed = answer(octets, is_reply), lists(octets)
    if said.startswith("accept") and parsed:
        if segments(parsed) > 16 or (not is_reply and sum(read[2] for read in parsed[1]) > 1 << 20):
            return "limit"
    return said


def version_one(octets, is_reply):
    """Drops every answer of another version."""
    return "discard" if is_reply and octets[4:8] != b"\0\0\0\1" else answer(octets, is_reply)


def one_of_both(octets, is_reply):
    """Offers one Write chunk or a Reply chunk; drops the Reply to any other Call."""
    parsed = lists(octets)
    other = parsed and (len(parsed[2]) > 1 or (parsed[2] and parsed[3] is not None))
    return "discard" if is_reply and other else answer(octets, is_reply)


def good_or_bad(octets, is_reply):
    """Says accept or refuse and nothing else."""
    return "accept" if answer(octets, is_reply).startswith("accept") else "refuse"


def drops_errors(octets, is_reply):
    return "discard" if octets[12:16] == b"\0\0\0\4" else answer(octets, is_reply)


def refuse_all(octets, is_reply):
    return "refuse"


def limit_all(octets, is_reply):
    return "limit"


def fails(octets, is_reply):
    """Ends the RPC for each Reply that it would drop, and drops each Call that it would answer."""
    said = answer(octets, is_reply)
    if is_reply:
        return "fail" if said == "discard" else said
    return "discard" if said == "error err-chunk" else said


def fails_by_errors(octets, is_reply):
    """Takes each RDMA_ERROR whose header is good, and ends the RPC by it."""
    said = answer(octets, is_reply)
    return "fail" if is_reply and word_at(octets, 3) == 4 and said.startswith("accept") else said


def word_at(octets, index):
    return int.from_bytes(octets[4 * index:4 * index + 4], "big")


# What one that fails may begin to take: mutants of it, by name.
BEGINS = {
    "reply-with-read-list": lambda o, reply: reply and word_at(o, 3) == 0 and word_at(o, 4) == 1,
    "long-reply-with-read-list": lambda o, reply: reply and word_at(o, 3) == 1 and word_at(o, 4) == 1,
    "msgp-reply": lambda o, reply: reply and word_at(o, 3) == 2,
    "done-reply": lambda o, reply: reply and word_at(o, 3) == 3,
    "unknown-reply": lambda o, reply: reply and word_at(o, 3) > 4,
    "error-reply": lambda o, reply: reply and word_at(o, 3) == 4,
    "short-reply": lambda o, reply: reply and len(o) < 28,
    "msgp-call": lambda o, reply: not reply and word_at(o, 3) == 2,
    "unknown-call": lambda o, reply: not reply and word_at(o, 3) > 4,
    "nomsg-call": lambda o, reply: not reply and word_at(o, 3) == 1,
    "presence": lambda o, reply: word_at(o, 3) < 2 and word_at(o, 4) > 1,
    "position": lambda o, reply: not reply and word_at(o, 4) == 1 and word_at(o, 5) % 4 != 0,
}


def begins(octets, is_reply):
    """One of these accepts what it refused."""
    said = fails(octets, is_reply)
    takes = not said.startswith("accept") and BEGINS[sys.argv[2]](octets, is_reply)
    return "accept" if takes else said


def closes(octets, is_reply):
    said = answer(octets, is_reply)
    return said if said.startswith("accept") else "close"


def shown(octets, said, drop=False, hexadecimal=False):
    if not said.startswith("accept") or octets[12:16] not in (b"\0\0\0\0", b"\0\0\0\1"):
        return said
    fixed, reads, writes, reply = parse(octets)

    def number(n):
        return hex(n) if hexadecimal else str(n)

    def segment(words):
        return "/".join([number(words[0]), number(words[1]), number(words[2] << 32 | words[3])])

    def chunk(of):
        return "[" + ",".join(segment(s) for s in of) + "]"

    if drop and len(reads) > 1:
        reads = reads[:1] + reads[2:]
    return " ".join([
        said,
        "xid=%d vers=%d credit=%d proc=%d" % tuple(fixed),
        "positions=" + ",".join(str(r[0]) for r in reads),
        "reads=" + ",".join(number(r[0]) + "/" + segment(r[1:]) for r in reads),
        "write-segments=" + ",".join(str(len(w)) for w in writes),
        "writes=" + "".join(chunk(w) for w in writes),
        "reply-segments=" + ("" if reply is None else str(len(reply))),
        "reply=" + ("" if reply is None else chunk(reply)),
    ])


def fields(octets, is_reply):
    """Says all that it decoded."""
    return shown(octets, answer(octets, is_reply))


def fields_in_hex(octets, is_reply):
    return shown(octets, answer(octets, is_reply), hexadecimal=True)


def drops_a_read(octets, is_reply):
    """Loses the second read segment; the length of the header is right."""
    return shown(octets, answer(octets, is_reply), drop=True)


def altered(octets, is_reply):
    """Says all that it decoded, but of the field that is named the last digit is another."""
    said = shown(octets, answer(octets, is_reply))
    if octets[12:16] == b"\0\0\0\4" and said.startswith("accept"):
        said += " err=%d" % word_at(octets, 4)
    words = said.split(" ")
    for index, field in enumerate(words):
        name, _, value = field.partition("=")
        digits = value.rstrip("]")
        if name == sys.argv[2] and digits and digits[-1].isdigit():
            other = str((int(digits[-1]) + 9) % 10)
            words[index] = "%s=%s%s%s" % (name, digits[:-1], other, value[len(digits):])
    return " ".join(words)


def counts_chunks_twice(octets, is_reply):
    said = answer(octets, is_reply)
    if not said.startswith("accept "):
        return said
    length = int(said.split()[1])
    return f"accept {length + max(length - 28, 0)}"


def unknown_field(octets, is_reply):
    return answer(octets, is_reply) + " colour=7"


def word(n):
    return n.to_bytes(4, "big")


def error_octets(octets, said, xid=None, credit=32, low=1, high=1):
    head = (octets[:4] if xid is None else word(xid)) + octets[4:8] + word(credit) + word(4)
    if said == "error err-vers":
        return "error " + (head + word(1) + word(low) + word(high)).hex()
    return "error " + (head + word(2)).hex() if said == "error err-chunk" else said


def error_whole(octets, is_reply):
    """Sends the octets of its RDMA_ERROR."""
    return error_octets(octets, answer(octets, is_reply))


def error_xid(octets, is_reply):
    return error_octets(octets, answer(octets, is_reply), xid=1)


def error_credit(octets, is_reply):
    return error_octets(octets, answer(octets, is_reply), credit=0)


def error_range(octets, is_reply):
    return error_octets(octets, answer(octets, is_reply), low=2, high=1)


def error_cut(octets, is_reply):
    said = error_octets(octets, answer(octets, is_reply))
    return said[:-8] if said.startswith("error") else said


def chatty(octets, is_reply):
    """Writes to its standard error, and falls over version 7."""
    print("looking at %d octets" % len(octets), file=sys.stderr, flush=True)
    if octets[4:8] == b"\0\0\0\7":
        print("assertion failed: version", file=sys.stderr, flush=True)
        os.abort()
    return answer(octets, is_reply)


def main():
    if sys.argv[1] == "names":
        print(*BEGINS)
        return
    judge = globals()[sys.argv[1]]
    end = "\r\n" if sys.argv[2:] == ["cr"] else "\n"
    if sys.argv[2:] == ["banner"]:
        print("hello, I am a parser", flush=True)
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\n").partition(" ")
        digits = rest.split(" ")[0]
        print(judge(bytes.fromhex(digits), verb == "reply"), end=end, flush=True)


main()
