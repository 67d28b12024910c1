#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-errors.pcap 20
# check: "$BUILD/rpcrdma" vectors/recorded/reference-version-2-07.pcap 10
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-work-roce.pcap 50
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-work-iwarp.pcap 50
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-nfs42.pcap 30
# once: "$BUILD/rpcrdma" vectors/recorded/reference-version-2-04.pcap 20
"""A capture in which frames were recorded late or early, one or several together, or were exchanged, or in
which some are lost.

usage: displace.py RPCRDMA CAPTURE RUNS [SEED]

RUNS of each kind, with and without the opening of the connections; 0: each frame by each distance.

Frames in another place are no fault of the peers, and nothing is missing: all Sends are judged, nothing
is lost, and no accusation appears that the whole capture does not have. Frames go wherever they go: also
before the opening of their connection, and behind its end. Single frames do so with their times, or with
those of their new places. Several take theirs with them: a Call that was recorded with its acknowledgement
before the first Reply and its own, in the order of the times too, is that of a client which did not wait,
and nothing else tells. Where frames are lost, no accusation appears
either, and all findings remain on a connection that lacks none. A run that fails is named with what was
done; KEEP=FILE in the environment keeps the capture of the last.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from captures import CM, packets_of, read_pcap, read_times, write_pcap
from links import Verdicts

# How far a frame is displaced: by less than what the reader waits for (REORDER_FRAMES).
PLACES = 20

# How many frames are displaced together.
SIZES = [2, 3, 4]

# Of an event as JSON: what stays the same wherever it was recorded.
KEY = re.compile(rb'"type":"([^"]*)","connection":"([^"]*)".*?"from":"([^"]*)","xid":(\w+)')


def is_tcp(octets):
    return octets[12:14] == b'\x08\x00' and octets[23] == 6


def is_opening(octets, packet):
    """A connection begins or ends by it: of connection management, of TCP or of MPA."""
    return (packet.opcode == CM if packet else
            is_tcp(octets) and (octets[47] & 7 != 0 or b'MPA ID Re' in octets))


def end_name(address, number):
    return '%s:%s' % ('.'.join(map(str, address)), number)


class Management:
    """Of a message of connection management: its ids, and the sender's queue pair where it names that."""

    REQUEST, REPLY = 0x10, 0x13

    def __init__(self, octets, packet):
        at = 14 + 28 + 12 + 8
        attribute = int.from_bytes(octets[at + 16:at + 18], 'big')
        self.ids = packet.source, octets[at + 24:at + 28]
        pair = {self.REQUEST: 32, self.REPLY: 12}.get(attribute)
        self.end = pair and end_name(packet.source, hex(int.from_bytes(
            octets[at + 24 + pair:at + 27 + pair], 'big')))


class Judgement:
    """What the checker makes of a capture: counts, by what stays the same wherever it was recorded."""

    def __init__(self, rpcrdma, path):
        run = subprocess.run([rpcrdma, 'check', '--json', path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        self.crashed = run.returncode not in (0, 1)
        self.accused, self.found, self.sends, self.lost = Counter(), Counter(), Counter(), 0
        self.names = set()
        for line in run.stdout.splitlines():
            if line.startswith(b'{"kind":"summary"'):
                self.lost = json.loads(line)['lost']
            event = line.startswith(b'{"kind":"event"') and KEY.search(line)
            if not event:
                continue
            kind, name, sender, xid = (part.decode() for part in event.groups())
            self.names.add(name)
            self.sends[xid] += kind == 'send'  # of either side: without an opening that is a guess
            if b'"findings":[]' in line:
                continue
            for finding in json.loads(line)['findings']:
                if finding['severity'] != 'note':
                    self.accused[finding['rule'], kind, sender, xid] += 1
                    self.found[name, finding['rule']] += 1


class Capture:
    """A capture with all its frames, in their order, and how it is judged."""

    def __init__(self, rpcrdma, frames, times, path, whole=None):
        self.rpcrdma, self.frames, self.times, self.path = rpcrdma, frames, times, path
        self.packets = packets_of(frames)
        self.judged = self.judge(range(len(frames)))
        self.known = self.judged.accused | (whole.judged.accused if whole else Counter())
        self.ends = [name.split('-') for name in self.judged.names if '?' not in name]
        self.managed = {}
        for (octets, _), packet in zip(frames, self.packets):
            if packet and packet.opcode == CM and Management(octets, packet).end:
                message = Management(octets, packet)
                self.managed[message.ids] = message.end

    def judge(self, order, own_times=True):
        write_pcap(self.path, [self.frames[i] for i in order],
                   times=[self.times[i] for i in order] if own_times else None)
        return Judgement(self.rpcrdma, self.path)

    def accusations(self, judged):
        more = judged.accused - self.known
        return ['crashed'] * judged.crashed + ['%s: %s of the %s, XID %s' % key for key in more]

    def is_management(self, i):
        return self.packets[i] is not None and self.packets[i].opcode == CM

    def ends_of(self, i):
        """Of the connections that the frame may belong to, as in their names: most packets name one end."""
        octets, packet = self.frames[i][0], self.packets[i]
        if packet is None and is_tcp(octets):
            ends = [end_name(octets[26:30], int.from_bytes(octets[34:36], 'big')),
                    end_name(octets[30:34], int.from_bytes(octets[36:38], 'big'))]
            return ends if ends in self.ends or ends[::-1] in self.ends else []
        if packet is None:
            return []
        end = (self.managed.get(Management(octets, packet).ids) if packet.opcode == CM else
               end_name(packet.destination, hex(packet.queue_pair)))
        return [name for ends in self.ends if end in ends for name in ends] or [end]

    def displaced(self, order, own_times):
        """What is wrong with how it is judged in this order."""
        judged = self.judge(order, own_times)
        gone = self.judged.sends - judged.sends
        wrong = self.accusations(judged)
        if gone:
            wrong.append('Sends not judged: %s' % list(gone.elements())[:3])
        if judged.lost > self.judged.lost:
            wrong.append('%d lost' % judged.lost)
        return wrong

    def lossy(self, order):
        """The same where frames were left out."""
        judged = self.judge(order)
        hurt = {end for i in set(range(len(self.frames))) - set(order) for end in self.ends_of(i)}
        gone = self.judged.found - judged.found
        return self.accusations(judged) + ['%s is not found: %s' % (rule, name)
                                           for name, rule in gone if not hurt & set(name.split('-'))]


def displace(capture, at, places, size=1, own_times=False):
    """The frames from there on are recorded a few places later, or earlier."""
    order = list(range(len(capture.frames)))
    block = order[at:at + size]
    del order[at:at + size]
    to = max(0, at + places)
    order[to:to] = block
    return capture.displaced(order, own_times)


def exchange(capture, at, places, size=1, own_times=False):
    """They change places with as many others, as far as these are others."""
    to = min(max(0, at + places), len(capture.frames) - 1)
    first, second = min(at, to), max(at, to)
    size = min(size, second - first, len(capture.frames) - second)
    order = list(range(len(capture.frames)))
    order[first:first + size], order[second:second + size] = (order[second:second + size],
                                                              order[first:first + size])
    return capture.displaced(order, own_times)


def lose(chance, opening, capture, seed):
    dice = random.Random(seed)
    return capture.lossy([i for i in range(len(capture.frames))
                          if dice.random() >= chance or (not opening and capture.is_management(i))])


def lose_of_one(capture, seed):
    """One connection's packets, one or more."""
    dice = random.Random(seed)
    ends, chance = dice.choice(capture.ends), dice.choice([0.002, 0.01, 0.05, 0.1])
    own = [i for i in range(len(capture.frames)) if set(ends) & set(capture.ends_of(i))]
    lost = {i for i in own if dice.random() < chance} | {dice.choice(own)}
    return capture.lossy([i for i in range(len(capture.frames)) if i not in lost])


def lose_few(*rest):
    return lose(0.002, False, *rest)


def lose_some(*rest):
    return lose(0.01, False, *rest)


def lose_many(*rest):
    return lose(0.05, False, *rest)


def lose_any(*rest):
    return lose(0.01, True, *rest)


LOSSES = [lose_few, lose_some, lose_many, lose_any, lose_of_one]


# What once went wrong, by capture, with and without the opening: tried in each run.
PAST = {
    ('linux-6.1-errors.pcap', True): [(exchange, 402, -19), (exchange, 522, 3), (exchange, 381, 17)],
    ('linux-6.1-work-roce.pcap', False): [(displace, 105, 10), (displace, 104, 2, 2, True)],
    ('linux-6.1-nfs42.pcap', True): [(displace, 41, -2, 2, True), (displace, 63, -6, 2, True),
                                     (displace, 63, -18, 2, True)],
    ('reference-version-2-07.pcap', True): [
        (displace, 3, 13), (displace, 5, -16), (exchange, 7, -2), (displace, 3, 2, 2, True),
        (displace, 3, 3, 2, True), (exchange, 0, 5, 3, True), (exchange, 6, -4, 3, True)],
    ('reference-version-2-04.pcap', True): [(displace, 11, -6), (exchange, 7, -9)],
}


def cases(capture, runs, dice):
    """Function, and the rest of its arguments."""
    distances = [d for n in range(1, PLACES + 1) for d in (n, -n)]
    if runs == 0:
        for change in displace, exchange:
            for at in range(len(capture.frames)):
                for places in distances:
                    yield change, at, places
        runs = 1000
    else:
        for change in displace, exchange:
            for _ in range(runs):
                yield (change, dice.randrange(len(capture.frames)), dice.choice(distances), 1,
                       dice.random() < 0.5)
    for change in displace, exchange:
        for _ in range(runs):
            yield (change, dice.randrange(len(capture.frames)), dice.choice(distances),
                   dice.choice(SIZES), True)
    for n in range(runs):
        yield LOSSES[n % len(LOSSES)], dice.randrange(1 << 30)


def main():
    rpcrdma, path, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    dice = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    source = os.path.basename(path)
    frames, times = read_pcap(path), read_times(path)
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        whole = None
        for opening in True, False:
            kept = [i for i, packet in enumerate(packets_of(frames))
                    if opening or not is_opening(frames[i][0], packet)]
            capture = Capture(rpcrdma, [frames[i] for i in kept], [times[i] for i in kept], path, whole)
            whole = whole or capture
            for change, *rest in PAST.get((source, opening), []) + list(cases(capture, runs, dice)):
                wrong = change(capture, *rest)
                name = '%s%s %s' % (change.__name__, '' if opening else ' without the opening', rest)
                verdicts.add(not wrong, '%s: %s' % (name, '; '.join(wrong[:3])))
                if wrong and 'KEEP' in os.environ:
                    shutil.copy(path, os.environ['KEEP'])
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
