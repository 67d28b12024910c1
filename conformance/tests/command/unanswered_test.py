#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Calls to which no answer was seen, though the capture goes on.

usage: unanswered_test.py RPCRDMA

The recorded capture of a mount ends with a Call, and after that one frame of something else comes: a moment later
the Call is under way, a second later it is named. It is no finding. A Call is named at once where the other side
ended the connection, and never where the answers were not recorded.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'capture'))

from captures import read_pcap, read_times, write_pcap  # noqa: E402
from links import Verdicts  # noqa: E402

CAPTURE = 'vectors/recorded/linux-6.1-nfs42.pcap'
FRAMES = 43  # the last are a Call and its acknowledgement
NOTHING = bytes(12) + b'\x08\x06' + bytes(28)  # ARP, of nobody


def check(rpcrdma, path, *options):
    run = subprocess.run([rpcrdma, 'check', *options, path], stdout=subprocess.PIPE, check=False)
    return run.returncode, run.stdout.decode()


def after_the_end(rpcrdma, verdicts):
    """A Call that was recorded, or sent, after the other side ended the connection did not wait for that."""
    capture, call, end = 'vectors/recorded/linux-6.1-errors.pcap', 315, 317
    frames, times = read_pcap(capture)[:330], read_times(capture)[:330]
    swapped = list(range(len(frames)))
    swapped.insert(call, swapped.pop(end))
    later = [(seconds + 3 * (i > call), rest) for i, (seconds, rest) in enumerate(times)]
    early = [(seconds - 3 * (i == end), rest) for i, (seconds, rest) in enumerate(times)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        for what, order, at in ('recorded after', swapped, times), ('seconds after', swapped, later), (
                'by its time', range(len(frames)), early):
            write_pcap(path, [frames[i] for i in order], times=at)
            rows = json.loads(check(rpcrdma, path, '--json')[1].splitlines()[-1])['unanswered']
            verdicts.add(rows == [] and 'no answer was seen' not in check(rpcrdma, path)[1], '%s: %s' % (what, rows))


def main():
    rpcrdma = sys.argv[1]
    frames, times = read_pcap(CAPTURE)[:FRAMES], read_times(CAPTURE)[:FRAMES]
    seconds, microseconds = times[-2]
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        for later, is_named in (0, False), (999999, False), (1000000, True), (62000000, True):
            total = microseconds + later
            write_pcap(path, frames + [(NOTHING, len(NOTHING))],
                       times=times + [(seconds + total // 1000000, total % 1000000)])
            status, text = check(rpcrdma, path)
            summary = json.loads(check(rpcrdma, path, '--json')[1].splitlines()[-1])
            rows = summary['unanswered']
            line = ('no answer was seen in %.1f s to 1 Call of the client; it is in frame 42, XID 0x316fb858'
                    % (later / 1000000))
            verdicts.add((line in text) == is_named, '%d: %s' % (later, text))
            verdicts.add(len(rows) == is_named, '%d: %s' % (later, rows))
            verdicts.add(status == 0 and check(rpcrdma, path, '--strict')[0] == 0, 'status %d' % status)
            if rows:
                known = {'file': path, 'connection': '192.168.77.2:0x11-192.168.77.1:0x11', 'from': 'client',
                         'count': 1, 'frame': 42, 'xid': '0x316fb858', 'milliseconds': later // 1000, 'endedIn': None}
                verdicts.add(rows[0] == known, str(rows))
            page = os.path.join(folder, 'page')
            check(rpcrdma, path, '--html', page)
            with open(page, encoding='utf-8') as file:
                verdicts.add((line in file.read()) == is_named, '%d: the page' % later)
        of_client = [(frame, time) for frame, time in zip(read_pcap(CAPTURE), read_times(CAPTURE))
                     if frame[0][26:30] == bytes((192, 168, 77, 2))]
        write_pcap(path, [frame for frame, _ in of_client], times=[time for _, time in of_client])
        text = check(rpcrdma, path)[1]
        verdicts.add('1 one-sided' in text and 'no answer' not in text, 'one side: %s' % text)
    summary = json.loads(check(rpcrdma, CAPTURE, '--json')[1].splitlines()[-1])
    verdicts.add(summary['unanswered'] == [], 'the whole capture: %s' % summary['unanswered'])
    errors = check(rpcrdma, 'vectors/recorded/linux-6.1-errors.pcap')[1]
    for frame, end in (316, 318), (525, 526):  # the server gave up these connections
        verdicts.add('until the server ended the connection in frame %d; it is in frame %d, XID 0x11223344'
                     % (end, frame) in errors, 'frame %d' % frame)
    after_the_end(rpcrdma, verdicts)
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
