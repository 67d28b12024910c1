#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-errors.pcap 100
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-nfs42.pcap 20
# once: "$BUILD/rpcrdma" vectors/recorded/reference-version-2-07.pcap 20 880210
"""A capture as other captures of the same traffic would have it: with packets lost, recorded in another
order, sent again, cut short, begun later or ended earlier.

usage: transform.py RPCRDMA CAPTURE RUNS [SEED]

None of this is a fault of the peers: no violation and no warning may appear that the capture itself does
not have. And whatever Send is missing has to be counted as lost, cut or not read. A run that fails is
named with its seed: RUNS 1 and that SEED repeat it, and the capture is kept.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from captures import ACKS, CM, RESPONSES, SEND_BEGINS, SEND_ENDS, packets_of, read_pcap, write_pcap
from links import Verdicts

# A transformed capture is a list of (index of the frame in the original, octets kept of it).


def lose(chance, frames, packets, dice):
    """Each frame is lost by itself, connection management excepted."""
    return [(i, kept) for i, kept in frames
            if packets[i] is None or packets[i].opcode == CM or dice.random() >= chance]


def lose_any(chance, frames, packets, dice):
    return [frame for frame in frames if dice.random() >= chance]


def lose_run(length, frames, packets, dice):
    """This many frames in a row, as if the machine that captures was busy."""
    at = dice.randrange(len(frames))
    return [(i, kept) for n, (i, kept) in enumerate(frames)
            if not at <= n < at + length or packets[i] is None or packets[i].opcode == CM]


def lose_requests(chance, frames, packets, dice):
    """Acknowledgements stay, so that what is missing shows."""
    return [(i, kept) for i, kept in frames
            if not is_request(packets[i]) or dice.random() >= chance]


def is_request(packet):
    return packet is not None and packet.opcode != CM and packet.is_request()


def swap(places, chance, frames, packets, dice):
    """Some frames are recorded a few places later. Acknowledgements stay: a capture in which a Reply and
    its acknowledgement come after the next Call is the same as that of a client which did not wait."""
    moved = []
    for n, (i, _) in enumerate(frames):
        stays = packets[i] is not None and packets[i].opcode in ACKS
        later = not stays and dice.random() < chance
        moved.append((n + (1 + dice.randrange(places) + 0.5 if later else 0), n))
    return [frames[n] for _, n in sorted(moved)]


def late(places, frames, packets, dice):
    """One frame is recorded this many places late at most, an acknowledgement as well. One that opens a
    connection stays: a connection that is not known yet cannot wait for it."""
    at = dice.randrange(len(frames))
    if packets[frames[at][0]] is None or packets[frames[at][0]].opcode == CM:
        return frames
    to = at + 1 + dice.randrange(places)
    return frames[:at] + frames[at + 1:to + 1] + [frames[at]] + frames[to + 1:]


def shift(places, frames, packets, dice):
    """One direction lags after the other by this many frames, in a part of the capture."""
    first = dice.randrange(len(frames))
    last = first + dice.randrange(400)
    host = next((p.source for p in packets if p), None)
    return [frames[n] for _, n in sorted(
        (n + (places + 0.5 if first <= n < last and packets[i] and packets[i].source == host else 0), n)
        for n, (i, _) in enumerate(frames))]


def send_again(chance, frames, packets, dice):
    """A sender that misses an acknowledgement goes back by some packets of its flow."""
    done, recent = [], {}
    for i, kept in frames:
        done.append((i, kept))
        packet = packets[i]
        if packet is None or packet.opcode == CM or not packet.is_request():
            continue
        sent = recent.setdefault(packet.flow, [])
        sent.append((i, kept))
        del sent[:-6]
        if dice.random() < chance:
            done.extend(sent[-1 - dice.randrange(6):])
    return done


def snap(lengths, frames, packets, dice):
    octets = dice.choice(lengths)
    return [(i, octets) for i, _ in frames]


def begin_later(frames, packets, dice):
    return frames[dice.randrange(len(frames) // 2):]


def end_earlier(frames, packets, dice):
    return frames[:len(frames) // 2 + dice.randrange(len(frames) // 2)]


# Name, functions in their order, whether missing Sends can be counted.
TRANSFORMATIONS = [
    ('loss', [lambda *a: lose(0.01, *a)], True),
    ('loss, much', [lambda *a: lose(0.2, *a)], True),
    ('loss in a row', [lambda *a: lose_run(40, *a)], True),
    ('loss of anything', [lambda *a: lose_any(0.03, *a)], False),
    ('swaps by one', [lambda *a: swap(1, 0.05, *a)], True),
    ('swaps by three', [lambda *a: swap(3, 0.02, *a)], True),
    ('one late', [lambda *a: late(20, *a)], True),
    ('lag', [lambda *a: shift(1, *a)], True),
    ('lag by three', [lambda *a: shift(3, *a)], True),
    ('sent again', [lambda *a: send_again(0.02, *a)], True),
    ('sent again and lost', [lambda *a: send_again(0.02, *a), lambda *a: lose(0.02, *a)], True),
    ('lost and swapped', [lambda *a: lose_requests(0.01, *a), lambda *a: swap(2, 0.02, *a)], True),
    ('cut', [lambda *a: snap([60, 70, 96, 128, 200, 256, 400, 1000], *a)], True),
    ('cut and lost', [lambda *a: snap([400, 1000], *a), lambda *a: lose(0.02, *a)], True),
    ('cut short and lost', [lambda *a: snap([60, 96, 200], *a), lambda *a: lose(0.02, *a)], False),
    ('begun later', [begin_later], False),
    ('begun later, sent again', [begin_later, lambda *a: send_again(0.02, *a)], False),
    ('begun later, lost', [begin_later, lambda *a: lose(0.02, *a)], False),
    ('begun later, swapped', [begin_later, lambda *a: swap(2, 0.02, *a)], False),
    ('ended earlier', [end_earlier], True),
    ('ended earlier, swapped, lost', [end_earlier, lambda *a: swap(2, 0.02, *a),
                                      lambda *a: lose_requests(0.02, *a)], True),
]


def judge(rpcrdma, path):
    """Accusations as (rule, frame, whose), frames of Sends, and what was counted as not judged."""
    run = subprocess.run([rpcrdma, 'check', '--json', path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    accused, sends, missed = [], [], 0
    for line in run.stdout.splitlines():
        if b'"findings":[]' in line:
            if b'"type":"send"' in line:
                sends.append(json.loads(line)['frame'])
            continue
        event = json.loads(line)
        if event['kind'] == 'summary':
            missed = event['lost'] + event['cut'] + event['unread']
            continue
        if event['type'] == 'send':
            sends.append(event['frame'])
        whose = event['type'], event['from'], event['xid']
        accused += [(finding['rule'], event['frame'], whose) for finding in event['findings']
                    if finding['severity'] != 'note']
    return accused, sends, missed, run.returncode


def messages(packets):
    """Frames of each Send, by the frame that completes it."""
    under_way, sends = {}, {}
    for i, packet in enumerate(packets):
        if packet is None or packet.opcode == CM or not packet.is_request():
            continue
        if packet.opcode in SEND_BEGINS:
            under_way[packet.flow] = []
        if packet.flow in under_way:
            under_way[packet.flow].append(i)
            if packet.opcode in SEND_ENDS:
                sends[i] = under_way.pop(packet.flow)
    return sends


def countable(packets, kept, sends):
    """Of the missing Sends those that something in the capture shows: a later number of the same flow,
    in a request, or in what the other side answered."""
    last = {}
    for i, _ in kept:
        packet = packets[i]
        if packet is None or packet.opcode == CM:
            continue
        if packet.is_request():
            last[packet.flow] = max(last.get(packet.flow, -1), i)
        elif packet.opcode in ACKS or packet.opcode in RESPONSES:
            key = (packet.destination, packet.source)
            number = packet.psn - (1 if packet.syndrome >> 5 & 3 else 0)
            last[key] = max(last.get(key, -1), number)
    shown = set()
    for end in sends:
        packet = packets[end]
        if last.get(packet.flow, -1) > end:
            shown.add(end)
    return shown


class Original:
    """The capture itself, and what is found in it."""

    def __init__(self, rpcrdma, path):
        self.rpcrdma = rpcrdma
        self.frames = read_pcap(path)
        self.packets = packets_of(self.frames)
        accused, sends, _, _ = judge(rpcrdma, path)
        self.accused = {(rule, frame) for rule, frame, _ in accused}
        # Of TCP another segment may complete the same Send.
        self.of_whom = set() if any(self.packets) else {(rule, whose) for rule, _, whose in accused}
        self.sends = set(sends)
        self.messages = messages(self.packets)

    def write(self, path, kept):
        write_pcap(path, [(self.frames[i][0][:octets], self.frames[i][1]) for i, octets in kept])

    def faults(self, kept, countable_kind, path):
        """What is wrong with the judgement of a transformed capture, as texts."""
        accused, sends, missed, status = judge(self.rpcrdma, path)
        origin = [i + 1 for i, _ in kept]
        wrong = ['%s in frame %d' % (rule, frame) for rule, frame, whose in accused
                 if (rule, origin[frame - 1]) not in self.accused and (rule, whose) not in self.of_whom]
        if status not in (0, 1, 3):
            wrong.append('status %d' % status)
        if countable_kind:
            seen = {origin[frame - 1] for frame in sends}
            due = {i + 1 for i in countable(self.packets, kept, self.messages)} & self.sends
            missing = due - seen
            if len(missing) > missed:
                wrong.append('%d Sends are missing, of which %d are counted: original frames %s' %
                             (len(missing), missed, sorted(missing)[:9]))
        return wrong


def main():
    rpcrdma, capture, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    original = Original(rpcrdma, capture)
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        for seed in range(first, first + runs):
            dice = random.Random(seed)
            name, functions, counts = TRANSFORMATIONS[seed % len(TRANSFORMATIONS)]
            kept = [(i, len(octets)) for i, (octets, _) in enumerate(original.frames)]
            for function in functions:
                kept = function(kept, original.packets, dice)
            original.write(path, kept)
            wrong = original.faults(kept, counts, path)
            verdicts.add(not wrong, 'seed %d (%s): %s' % (seed, name, '; '.join(wrong[:4])))
            if wrong and runs == 1:
                os.rename(path, 'transformed.pcap')
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
