#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Hex text that comes through a pipe.

usage: pipe_test.py PATH_TO_RPCRDMA"""
import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

RPCRDMA = os.path.realpath(sys.argv[1])
passed = failed = 0


def verdict(name, good, what=''):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print('FAILED: %s\n    %s' % (name, what))


def test_half_a_line():
    """A line of hex text from a pipe is judged when it has come; what has come of one before an interrupt is no Send."""
    process = subprocess.Popen([RPCRDMA, 'check', '--json', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    late = threading.Timer(60, process.kill)
    late.start()
    process.stdin.write(b'00000001000000010000002000000007\n' * 20 + b'000000010000')
    process.stdin.flush()
    judged = [json.loads(process.stdout.readline())['connection'] for _ in range(20)]
    verdict('lines are judged as they come', judged == ['line %d' % line for line in range(1, 21)], judged)
    while struct.unpack('i', fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))) != (0,):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    late.cancel()
    sums = json.loads(out.splitlines()[-1])
    verdict('half a line is not judged', sums['events'] == 20 and sums['incomplete'] == 'interrupted', out + err)


signal.signal(signal.SIGINT, signal.SIG_DFL)  # who runs this may have had it ignored
test_half_a_line()
print('%d passed, %d failed, 0 skipped' % (passed, failed))
sys.exit(failed > 0)
