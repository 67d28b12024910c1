#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A testee of RPC-over-RDMA version 2, draft-ietf-nfsv4-rpcrdma-version-two-07: a receiver written
from the draft's XDR. It answers single Sends (call07, reply07), and follows a connection (open, in,
out): pieces of messages, property messages, and which version is spoken."""
import sys

ERROR, GRANT, PROPERTIES_MIDDLE, PROPERTIES_FINAL, CALL_EXTERNAL, CALL_MIDDLE, CALL_INLINE = range(4, 11)
REPLY_EXTERNAL, REPLY_MIDDLE, REPLY_INLINE = range(11, 14)
MIDDLES, INLINES, CONTROL = (CALL_MIDDLE, REPLY_MIDDLE), (CALL_INLINE, REPLY_INLINE), (ERROR, GRANT)
ERROR_WORDS = {1: 2, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 2, 10: 1, 11: 0, 100: 0}  # after each code
HOST_AUTHENTICATION = 6  # the one property that is not a word


class Refused(Exception):
    """The answer, where a Send is not taken."""


class Reader:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, count):
        if count > len(self.octets) - self.at:
            raise Refused('error err-bad-xdr')
        self.at += count
        return self.octets[self.at - count:self.at]

    def word(self):
        return int.from_bytes(self.take(4), 'big')

    def present(self):
        word = self.word()
        if word > 1:
            raise Refused('error err-bad-xdr')
        return word == 1

    def segment(self):
        """Handle and length; the offset is not needed here."""
        handle, length = self.word(), self.word()
        self.take(8)
        return handle, length

    def segments(self):
        count = self.word()
        if count > (len(self.octets) - self.at) // 16:
            raise Refused('error err-bad-xdr')
        return [self.segment() for _ in range(count)]

    def reads(self):
        """Position, handle and length of each segment, in the order of their Positions."""
        entries = []
        while self.present():
            position = self.word()
            entries.append((position, *self.segment()))
        if any(a[0] > b[0] for a, b in zip(entries, entries[1:])):
            raise Refused('error err-bad-xdr')
        return entries

    def writes(self):
        chunks = []
        while self.present():
            chunks.append(self.segments())
        return chunks

    def optional_chunk(self):
        return self.segments() if self.present() else None

    def properties(self):
        """Every property is read before any is applied."""
        bad = False
        for _ in range(self.word()):
            which, length = self.word(), self.word()
            value = self.take(length)
            if any(self.take(-length % 4)):
                raise Refused('error err-bad-xdr')
            if 1 <= which <= 5:
                bad = bad or 0 < length < 4
            elif which == HOST_AUTHENTICATION and length > 0:
                inner = int.from_bytes(value[:4], 'big')
                bad = bad or length < 4 or inner > length - 4
        if bad:
            raise Refused('error err-bad-propval')


def check_reads(reads, call):
    """Chunks of a Call: the Call itself at Position zero, items after it, without overlap."""
    if any(entry[0] % 4 for entry in reads) or any(entry[0] == 0 for entry in reads) or any(e[0] for e in call):
        raise Refused('error err-bad-xdr')
    end, position = 0, None
    for entry in reads:
        if entry[0] != position and entry[0] < end:
            raise Refused('error err-bad-xdr')
        end = (end if entry[0] == position else entry[0]) + entry[2]
        position = entry[0]


def body(reader, kind, xid):
    """What follows the prefix. Returns (octets of the header, remaining or None)."""
    if kind == ERROR:
        code = reader.word()
        if code not in ERROR_WORDS:
            raise Refused('discard')
        reader.take(4 * ERROR_WORDS[code])
    elif kind in (PROPERTIES_MIDDLE, PROPERTIES_FINAL):
        reader.properties()
    elif kind in MIDDLES:
        remaining = reader.word()
        return payload(reader, kind), remaining
    elif kind in (CALL_EXTERNAL, CALL_INLINE):
        reader.word()  # the handle that may be invalidated
        call = reader.reads() if kind == CALL_EXTERNAL else []
        reads = reader.reads()
        reader.writes()
        reader.optional_chunk()
        check_reads(reads, call)
        if kind == CALL_EXTERNAL and (not call or sum(e[2] for e in call) % 4):
            raise Refused('error err-bad-xdr')
    elif kind == REPLY_EXTERNAL:
        reader.writes()
        chunk = reader.optional_chunk()
        if not chunk or sum(segment[1] for segment in chunk) % 4:
            raise Refused('discard')
    elif kind == REPLY_INLINE:
        reader.writes()
    return (payload(reader, kind) if kind in INLINES else reader.at), None


def payload(reader, kind):
    """At least a word follows. What is a Reply is not answered."""
    at = reader.at
    reader.word()
    return at


class Peer:
    """One side of a connection, or of none: then each Send is taken by itself."""

    def __init__(self, connected):
        self.connected, self.settled, self.range = connected, False, (0, 2 ** 32)
        self.asked = set()  # XIDs of what this side sent and may be answered
        self.open, self.told, self.failed = None, None, None  # the pieces and properties of the other side

    def receive(self, octets, requester):
        reader = Reader(octets)
        if len(octets) < 16:
            return 'discard'
        xid, version, _, kind = [reader.word() for _ in range(4)]
        if kind == ERROR and not requester and xid not in self.asked:
            return 'discard'  # nothing answers an error
        try:
            if kind != ERROR and (version != 2 or not self.range[0] <= version <= self.range[1]):
                raise Refused('error err-vers-mismatch' if self.settled and version == 1 else 'error err-vers')
            if self.connected and REPLY_EXTERNAL <= kind <= REPLY_INLINE and xid not in self.asked:
                raise Refused('discard')
            if not ERROR <= kind <= REPLY_INLINE:
                raise Refused('error err-inval-htype')
            self.follow(xid, kind)
            end, remaining = body(reader, kind, xid)
            self.join(xid, kind, remaining, len(octets) - end)
            self.settled = True
            starts = kind in MIDDLES + INLINES and not self.continues
            message = [int.from_bytes(octets[at:at + 4], 'big') for at in (end, end + 4)]
            if starts and message != [xid, kind >= REPLY_EXTERNAL]:
                raise Refused('error err-bad-xdr')
        except Refused as refused:
            is_reply = kind in (REPLY_EXTERNAL, REPLY_INLINE, REPLY_MIDDLE) or kind == ERROR
            return 'discard' if is_reply and 'bad-xdr' in str(refused) else str(refused)
        return 'more' if self.connected and kind in MIDDLES else f'accept {end}'

    def send(self, octets):
        """This side sent it: what may be answered, and what was said of versions."""
        words = [int.from_bytes(octets[at:at + 4], 'big') for at in range(0, 28, 4)]
        if words[3] < REPLY_EXTERNAL and words[3] != ERROR:
            self.asked.add(words[0])
        if words[1] == 1 and words[3] != ERROR:
            self.range = (1, 1)  # the version is settled
        if words[3:5] == [ERROR, 1]:
            self.range = tuple(words[5:7])
        return 'ok'

    def follow(self, xid, kind):
        """Whether this may follow what the other side sent last."""
        self.continues = False
        if not self.connected or kind in CONTROL:
            return
        if kind in (PROPERTIES_MIDDLE, PROPERTIES_FINAL):
            if self.open or self.told == PROPERTIES_FINAL:
                raise Refused('error err-inval-cont')
            self.told = kind
            return
        if self.told == PROPERTIES_MIDDLE:
            raise Refused('error err-inval-cont')
        if self.failed == xid:
            raise Refused('discard')  # the rest of a message that was refused
        if self.open:
            self.continues = self.open[0] == xid and kind in (self.open[1], self.open[1] + 1)
            if not self.continues:
                self.failed, self.open = self.open[0], None
                raise Refused('error err-inval-cont')

    def join(self, xid, kind, remaining, octets):
        """Count what came and what is still to come; whichever way the sender counts it."""
        if not self.connected or kind not in MIDDLES + INLINES:
            return
        if self.open and octets not in (self.open[2] - (remaining or 0), self.open[3] - (remaining or 0)):
            self.failed, self.open = xid, None
            raise Refused('error err-inval-cont')
        if kind in MIDDLES and remaining == 0:
            self.failed, self.open = xid, None
            raise Refused('error err-inval-cont')
        self.open = (xid, kind, remaining, remaining - octets) if kind in MIDDLES else None


def answer(line, peer):
    verb, *fields = line.split(' ')
    if verb == 'open' and len(fields) == 2:
        return ('ok', Peer(True), fields[1] == 'requester') if fields[0] == '07' else ('unsupported', None, False)
    if verb in ('call07', 'reply07') and fields:
        return Peer(False).receive(bytes.fromhex(fields[0]), verb == 'reply07'), *peer
    if verb == 'in' and peer[0]:
        return peer[0].receive(bytes.fromhex(fields[0]), peer[1]), *peer
    if verb == 'out' and peer[0]:
        return peer[0].send(bytes.fromhex(fields[0])), *peer
    return 'unsupported', *peer


now = (None, False)
for text in sys.stdin:
    said, *now = answer(text.rstrip('\r\n'), now)
    print(said, flush=True)
