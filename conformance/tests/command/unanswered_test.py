#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Calls to which no answer was seen, though the capture goes on.

usage: unanswered_test.py RPCRDMA

The recorded capture of a mount ends with a Call, and after that one frame of something else comes: a moment later
the Call is under way, a second later it is named. It is no finding.
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
                         'count': 1, 'frame': 42, 'xid': '0x316fb858', 'milliseconds': later // 1000}
                verdicts.add(rows[0] == known, str(rows))
    summary = json.loads(check(rpcrdma, CAPTURE, '--json')[1].splitlines()[-1])
    verdicts.add(summary['unanswered'] == [], 'the whole capture: %s' % summary['unanswered'])
    errors = check(rpcrdma, 'vectors/recorded/linux-6.1-errors.pcap')[1]
    for frame in 316, 525:  # the server gave up these connections
        verdicts.add('in frame %d, XID 0x11223344' % frame in errors, 'frame %d' % frame)
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
