#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A testee: a small receiver of RPC-over-RDMA headers, to show how little it takes."""
import sys


class Reader:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def word(self, values=None):
        octets = self.octets[self.at : self.at + 4]
        word = int.from_bytes(octets, "big")
        if len(octets) < 4 or (values and word not in values):
            raise ValueError("the header is malformed")
        self.at += 4
        return word

    def words(self, count):
        return [self.word() for _ in range(count)]

    def chunk(self):
        """The length of a chunk: the sum over its segments (handle, length, offset)."""
        return sum([self.words(4)[1] for _ in range(self.word())])


def answer(octets, is_reply):
    reader, refuse = Reader(octets), "discard" if is_reply else "error err-chunk"
    if len(octets) < (20 if is_reply else 28):
        return "discard"
    _, version, _, procedure = reader.words(4)
    try:
        if procedure == 4:
            if is_reply and reader.word((1, 2)) == 1:
                reader.words(2)
            return f"accept {reader.at}" if is_reply else "discard"
        if version != 1:
            return "discard" if is_reply else "error err-vers"
        if procedure > 1 or len(octets) < 28:
            return "discard" if procedure == 3 else refuse
        reads = []
        while reader.word((0, 1)):
            reads.append(reader.words(5))
        while reader.word((0, 1)):
            reader.chunk()
        reply_chunk = reader.chunk() if reader.word((0, 1)) else 0
    except ValueError:
        return refuse
    # Exactly one thing holds the RPC message: what follows the header, or a chunk.
    held = sum(r[2] for r in reads if r[0] == 0) if not is_reply else reply_chunk
    inline = reader.at + 4 <= len(octets) and not (held if is_reply else any(r[0] == 0 for r in reads))
    holds = held > 0 if procedure == 1 else inline
    good = holds and not any(r[0] % 4 for r in reads) and not (is_reply and reads)
    return f"accept {reader.at}" if good else refuse


for line in sys.stdin:
    kind, _, digits = line.strip().partition(" ")
    print(answer(bytes.fromhex(digits), kind == "reply"), flush=True)
