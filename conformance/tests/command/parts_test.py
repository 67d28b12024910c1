#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Captures of which one side, or the opening of the connections, was not recorded.

usage: parts_test.py RPCRDMA

They are made of recorded ones. What was not recorded accuses nobody, and each output says in its own way what was
not judged; --strict fails.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'capture'))

from captures import packets_of, read_pcap, write_pcap  # noqa: E402
from displace import is_opening  # noqa: E402
from links import Verdicts  # noqa: E402

UNOPENED = 'inline thresholds, remote invalidation and the first credits are not known'
ONE_SIDED = 'what needs both sides was not judged'
CLIENT = bytes((192, 168, 77, 2))


def parts(frames):
    """Name, frames, and what the connections lack."""
    packets = packets_of(frames)
    yield 'whole', frames, []
    yield 'without the opening', [frame for frame, packet in zip(frames, packets)
                                  if not is_opening(frame[0], packet)], ['unopened']
    for name, is_client in ('the client alone', True), ('the server alone', False):
        yield name, [frame for frame in frames if (frame[0][26:30] == CLIENT) == is_client], ['unopened', 'oneSided']


class Outputs:
    """All that `check` says of a capture."""

    def __init__(self, rpcrdma, path):
        self.rpcrdma, self.path = rpcrdma, path
        html, sarif, junit = (path + end for end in ('.html', '.sarif', '.xml'))
        self.status, self.text = self.run('--html', html, '--sarif', sarif, '--junit', junit)
        self.html = re.sub('<[^>]*>|\\s+', ' ', open(html, encoding='utf-8').read())
        self.junit = open(junit, encoding='utf-8').read()
        with open(sarif, encoding='utf-8') as file:
            self.notifications = json.load(file)['runs'][0]['invocations'][0].get('toolExecutionNotifications', [])
        self.json = json.loads(self.run('--json')[1].splitlines()[-1])
        self.tap = self.run('--tap')[1]
        self.strict, self.strict_tap = self.run('--strict', '--tap')

    def run(self, *options):
        run = subprocess.run([self.rpcrdma, 'check', *options, self.path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        return run.returncode, run.stdout.decode()


def last_test(tap):
    """Its line, and the block behind it."""
    return tap[re.search('^(not )?ok [0-9]+ - captures-checked-in-full', tap, re.MULTILINE).start():]


def judge(verdicts, name, said, kinds, accused):
    def expect(good, what):
        verdicts.add(good, '%s: %s' % (name, what))
    expect(said.json['violations'] == (accused if not kinds else 0), 'violations: %d' % said.json['violations'])
    expect(said.status == (1 if said.json['violations'] else 0), 'status %d' % said.status)
    for kind in 'unopened', 'oneSided':
        word = {'unopened': 'unopened', 'oneSided': 'one-sided'}[kind]
        reason = {'unopened': UNOPENED, 'oneSided': ONE_SIDED}[kind]
        sarif = {'unopened': 'connections whose opening was not recorded: %d',
                 'oneSided': 'connections of which one side alone was recorded: %d'}[kind]
        lacks = kind in kinds
        count = said.json[kind]
        expect((count > 0) == lacks, '%s is %d' % (kind, count))
        expect(any(row['kind'] == kind and row['reason'] == reason for row in said.json['missed']) == lacks,
               'JSON: the reason of %s' % kind)
        total = '%d %s' % (count, word)
        expect((total in said.text.splitlines()[-1]) == lacks, 'text: the last line and "%s"' % total)
        expect((reason in ' '.join(said.text.split())) == lacks, 'text: the reason of %s' % kind)
        expect((reason in said.html) == lacks, 'HTML: the reason of %s' % kind)
        expect(any(note['message']['text'] == sarif % count for note in said.notifications) == lacks,
               'SARIF: a notification of %s' % kind)
        expect((total in said.junit) == lacks, 'JUnit: "%s"' % total)
        for which, tap in ('TAP', said.tap), ('TAP with --strict', said.strict_tap):
            expect((total in last_test(tap)) == lacks, '%s: "%s"' % (which, total))
    expect(('# SKIP' in last_test(said.tap)) == bool(kinds), 'TAP: what was not judged is skipped')
    expect(last_test(said.strict_tap).startswith('not ok') == bool(kinds), 'TAP with --strict')
    expect(said.strict == (1 if kinds or said.json['violations'] else 0), '--strict: status %d' % said.strict)
    expect(('Nothing is known to be missing' in said.html) == (not kinds), 'HTML: the all-clear')


def main():
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        for transport in 'roce', 'iwarp':
            frames = read_pcap('vectors/recorded/linux-6.1-work-%s.pcap' % transport)
            accused = None
            for name, kept, kinds in parts(frames):
                path = os.path.join(folder, 'capture')
                write_pcap(path, kept)
                said = Outputs(sys.argv[1], path)
                accused = said.json['violations'] if accused is None else accused
                judge(verdicts, '%s, %s' % (transport, name), said, kinds, accused)
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
