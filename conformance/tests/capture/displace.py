#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-work-roce.pcap 25 2
# check: "$BUILD/rpcrdma" vectors/recorded/reference-version-2-07.pcap 25
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-work-iwarp.pcap 100
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-nfs42.pcap 50 2
"""A capture in which single frames were recorded late or early, two were exchanged, or some are lost.

usage: displace.py RPCRDMA CAPTURE RUNS [SEED]

RUNS of each kind, with and without the opening of the connections; 0: each frame by each distance.

One frame in another place is no fault of the peers, and nothing is missing: all Sends are judged, nothing
is lost, and no accusation appears that the capture itself does not have. Where frames are lost, none
appears either, and all findings remain on a connection that lacks none. A run that fails is named with what
was done; KEEP=FILE in the environment keeps the capture of the last.

Not all runs pass yet: a second Call that was recorded before the first seems to exceed the first credit; and
without the opening, a large RDMA Read whose response was recorded late takes other packets with it.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from captures import CM, packets_of, read_pcap, write_pcap
from links import Verdicts

# How far a frame is displaced: by less than what the reader waits for (REORDER_FRAMES).
PLACES = 20

# Frames of a connection without its opening until it shows who sends what to whom.
BEGINNING = 8


def moved(at, places, order):
    """The frame at `at` is recorded a few places later, or earlier."""
    rest = order[:at] + order[at + 1:]
    to = max(0, at + places)
    return rest[:to] + [order[at]] + rest[to:]


def exchanged(at, places, order):
    to = at + places
    if not 0 <= to < len(order):
        return order
    order = list(order)
    order[at], order[to] = order[to], order[at]
    return order


def borders_of(frames):
    """Frames by which connections begin or end: of connection management, of TCP and of MPA."""
    def is_border(octets, packet):
        is_tcp = octets[12:14] == b'\x08\x00' and octets[23] == 6
        return (packet.opcode == CM if packet else
                is_tcp and (octets[47] & 7 != 0 or b'MPA ID Re' in octets))
    return [i for i, packet in enumerate(packets_of(frames)) if is_border(frames[i][0], packet)]


def without_opening(frames, borders):
    """As if only what comes between had been recorded; and of that the borders: where something is missing,
    and what follows until it shows who sends what to whom."""
    kept = [frame for i, frame in enumerate(frames) if i not in set(borders)]
    gaps = {i - n for n, i in enumerate(borders)}
    return kept, {i for gap in gaps for i in range(gap, gap + BEGINNING)}


class Judgement:
    """What the checker makes of a capture: counts, by what stays the same wherever it was recorded."""

    def __init__(self, rpcrdma, path):
        run = subprocess.run([rpcrdma, 'check', '--json', path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        self.crashed = run.returncode not in (0, 1)
        self.accused, self.found, self.sends, self.lost = Counter(), Counter(), Counter(), 0
        self.names = set()
        for line in run.stdout.splitlines():
            if b'"type":"send"' not in line and b'"findings":[]' in line:
                continue
            event = json.loads(line)
            if event['kind'] == 'summary':
                self.lost = event['lost']
            if event['kind'] != 'event':
                continue
            key = event['type'], event['from'], event.get('xid')
            self.names.add(event['connection'])
            self.sends[key] += event['type'] == 'send'
            for finding in event['findings']:
                if finding['severity'] != 'note':
                    self.accused[(finding['rule'],) + key] += 1
                    self.found[event['connection'], finding['rule']] += 1


class Capture:
    """A capture with all its frames, in their order, and how it is judged."""

    def __init__(self, rpcrdma, frames, borders, path):
        self.rpcrdma, self.frames, self.path = rpcrdma, frames, path
        self.packets = packets_of(frames)
        self.judged = self.judge(range(len(frames)))
        self.borders = set(borders)
        self.ends = [name.split('-') for name in self.judged.names if '?' not in name]

    def judge(self, order):
        write_pcap(self.path, [self.frames[i] for i in order])
        return Judgement(self.rpcrdma, self.path)

    def accusations(self, judged):
        more = judged.accused - self.judged.accused
        return ['crashed'] * judged.crashed + ['%s: %s of the %s, XID %s' % key for key in more]

    def is_opening(self, i):
        return self.packets[i] is not None and self.packets[i].opcode == CM

    def ends_of(self, i):
        """Of the frame's connection, as in its name: the packet names one. None: it may be any."""
        packet = self.packets[i]
        if packet is None:
            return None
        end = '%s:0x%x' % ('.'.join(map(str, packet.destination)), packet.queue_pair)
        return next((ends for ends in self.ends if end in ends), [end])

    def reach(self, at, places):
        """How far the frame can go: not across where a connection begins or ends, for nothing waits for a
        connection that is not known yet."""
        step = 1 if places > 0 else -1
        to = at
        while to != at + places and not {to, to + step} & self.borders and \
                0 <= to + step < len(self.frames):
            to += step
        return to

    def displaced(self, order):
        """What is wrong with how it is judged in this order."""
        judged = self.judge(order)
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
        left_out = set(range(len(self.frames))) - set(order)
        hurt = [self.ends_of(i) for i in left_out]
        gone = self.judged.found - judged.found
        if None in hurt or not self.borders.isdisjoint(left_out):
            gone = {}
        hurt = {end for ends in hurt if ends for end in ends}
        return self.accusations(judged) + ['%s is not found: %s' % (rule, name)
                                           for name, rule in gone if not hurt & set(name.split('-'))]


def displace(capture, at, places):
    """The frame is recorded a few places later, or earlier."""
    to = capture.reach(at, places)
    order = list(range(len(capture.frames)))
    del order[at]
    order.insert(to, at)
    return capture.displaced(order)


def exchange(capture, at, places):
    """It changes places with another one."""
    to = capture.reach(at, places)
    order = list(range(len(capture.frames)))
    order[at], order[to] = order[to], order[at]
    return capture.displaced(order)


def lose(chance, opening, capture, seed):
    dice = random.Random(seed)
    return capture.lossy([i for i in range(len(capture.frames))
                          if dice.random() >= chance or (not opening and capture.is_opening(i))])


def lose_of_one(capture, seed):
    """A tenth of one connection's packets."""
    dice = random.Random(seed)
    ends = dice.choice(capture.ends)
    return capture.lossy([i for i in range(len(capture.frames))
                          if capture.ends_of(i) != ends or dice.random() >= 0.1])


def lose_few(*rest):
    return lose(0.002, False, *rest)


def lose_some(*rest):
    return lose(0.01, False, *rest)


def lose_many(*rest):
    return lose(0.05, False, *rest)


def lose_any(*rest):
    return lose(0.01, True, *rest)


LOSSES = [lose_few, lose_some, lose_many, lose_any, lose_of_one]


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
                yield change, dice.randrange(len(capture.frames)), dice.choice(distances)
    for n in range(runs):
        yield LOSSES[n % len(LOSSES)], dice.randrange(1 << 30)


def main():
    rpcrdma, path, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    dice = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    frames = read_pcap(path)
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        for opening in True, False:
            borders = borders_of(frames)
            kept, borders = (frames, borders) if opening else without_opening(frames, borders)
            capture = Capture(rpcrdma, kept, borders, path)
            for change, *rest in cases(capture, runs, dice):
                wrong = change(capture, *rest)
                name = '%s%s %s' % (change.__name__, '' if opening else ' without the opening', rest)
                verdicts.add(not wrong, '%s: %s' % (name, '; '.join(wrong[:3])))
                if wrong and 'KEEP' in os.environ:
                    shutil.copy(path, os.environ['KEEP'])
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
