#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Names of files, comments of vectors, arguments, lists and what a testee says, with octets that would steer
a terminal: none of them reaches stdout or stderr. What runs for long says on a terminal how far it is.

usage: terminal_test.py PATH_TO_RPCRDMA"""
import json
import os
import pty
import subprocess
import sys
import tempfile

RPCRDMA = os.path.realpath(sys.argv[1])
RECORDED = os.path.realpath('vectors/recorded')
VECTORS = os.path.realpath('vectors')
passed = failed = 0


def verdict(name, good, what=''):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print('FAILED: %s\n    %s' % (name, what))


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def write(name, octets):
    with open(name, 'wb') as file:
        file.write(octets)


def spoken(octets):
    """What may not reach a terminal."""
    text = octets.decode(errors='surrogateescape')
    return [hex(ord(c)) for c in text if (ord(c) < 0x20 and c not in '\n\t') or 0x7f <= ord(c) <= 0x9f or
            ord(c) == 0x61c or 0x200e <= ord(c) <= 0x200f or 0x2028 <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069 or
            0xdc80 <= ord(c) <= 0xdcff]


def test_terminal():
    evil = '\033]0;title\007\u009b31m\u202eEVIL\u2066\x7f\u061c'
    raw = evil.encode() + b'\xff\xc3'
    capture = b'c' + raw + b'.pcap'
    write(capture, read(RECORDED + '/linux-6.1-errors.pcap'))
    write('capture.pcap', read(capture))
    vectors = json.loads(read(VECTORS + '/nomsg.json'))
    write('vectors.json', read(VECTORS + '/nomsg.json'))
    for test in vectors['tests']:
        test['comment'] = evil
        for event in test['events']:
            event.get('expect', {})['headerLength'] = 3
    text = json.dumps(vectors, ensure_ascii=False)
    os.makedirs('evil', exist_ok=True)
    name = b'evil/v' + raw.replace(b'/', b'') + b'.json'
    for file in (name, b'evil.json'):
        write(file, text.encode())
    write('broken.json', b'{"schema":"x" ' + raw + b'}')
    write('known', raw + b' client *\n')
    write('known-tests', b'v' + raw + b' wrong-answer\n')
    # Results of somebody's: every text in them but the words that say what it is.
    subprocess.run([RPCRDMA, 'vectors', '--json', 'results', 'vectors.json'], capture_output=True, check=False)
    lines = [json.loads(line) for line in read('results').splitlines()]
    lines[0].update(wire='', peer='')
    for line in lines:
        for key in line:
            if isinstance(line[key], str) and key not in ('kind', 'schema', 'ending', 'level', 'octets'):
                line[key] += evil
            elif key == 'rule':
                line[key] = evil
        line.update(ending='wrong-answer') if line['kind'] == 'result' else None
    write('results', ''.join(json.dumps(line) + '\n' for line in lines).encode())
    words = 'printf "\\033]0;x\\007\\302\\233 words\\n" >&2; read -r line; printf "\\033[31m\\377\\302\\233\\n"'
    number = 0
    for arguments in (
            ['check', capture], ['check', '--tap', capture], ['check', capture, 'capture.pcap'], ['decode', capture],
            ['check', '--json', capture], ['decode', '--json', capture], ['stat', '--json', capture],
            ['vectors', '--json', '/dev/stdout', 'evil.json'],
            ['check', name], ['check', 'broken.json'], ['decode', 'broken.json'], ['check', b'nowhere' + raw],
            ['check', '--known', 'known', 'capture.pcap'], ['check', '--rule', raw, 'capture.pcap'],
            ['check', '--connection', raw, 'capture.pcap'], ['check', '--level', raw, 'capture.pcap'],
            ['check', b'--' + raw], ['check', '--html', capture, capture], ['check', '--html', b'no/' + raw, capture],
            ['check', '--annotate', b'a' + raw, capture], [raw], ['rules', raw],
            ['vectors', name], ['vectors', 'evil'], ['vectors', '--tap', 'evil.json'], ['vectors', '--all', 'evil.json'],
            ['vectors', 'broken.json'], ['vectors', '--lint', 'broken.json'], ['vectors', '--lint', name],
            ['vectors', '--case', raw, 'vectors.json'], ['vectors', '--name', raw, 'evil.json'],
            ['vectors', '--known', 'known-tests', 'evil.json'], ['vectors', '--testee', words, 'vectors.json'],
            ['vectors', '--tap', '--testee', words, 'vectors.json'], ['vectors', '--merge', '--html', 'm', 'broken.json'],
            ['vectors', '--merge', '--tap', 'results'], ['vectors', '--merge', '--tap', 'results', 'results'], ['matrix', 'results'],
            ['probe', '--vectors', name, '--list'], ['probe', '--vectors', 'broken.json'], ['probe', '--case', raw],
            ['probe', '--name', raw, '--case', 'smallest-call'], ['probe', raw], ['serve', raw], ['serve', '--case', raw],
            ['proxy', raw, raw], ['proxy', '--fault', raw, 'a', 'b']):
        ran = subprocess.run([RPCRDMA] + arguments, capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                             check=False)
        bad = spoken(ran.stdout) + spoken(ran.stderr)
        verdict('nothing steers the terminal: %r' % arguments, not bad and ran.returncode in range(5),
                (ran.returncode, bad[:5]))
        number += len(ran.stdout + ran.stderr) > 0
    verdict('each of them says something', number == 47, number)


def on_terminal(*arguments):
    """What is said on stderr, a terminal."""
    ours, terminal = pty.openpty()
    with subprocess.Popen([RPCRDMA, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=terminal) as process:
        os.close(terminal)
        said = b''
        try:
            while octets := os.read(ours, 65536):
                said += octets
        except OSError:
            pass  # closed at its other end
        process.wait()
    os.close(ours)
    return said


def test_progress():
    for limit in ['--seconds', '2'], ['--seconds', '100', '--conversations', '6000']:
        said = on_terminal('probe', '--random=7', *limit)
        verdict('probe --random %s says how far it is' % limit, b'\rrandom: ' in said and b' %' in said, said[-200:])
        verdict('%s: and leaves none of it beside what follows' % limit, b'\r\033[Krpcrdma: seed 7: ' in said, said[-200:])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_terminal()
    test_progress()
    os.chdir('/')
print('%d passed, %d failed, 0 skipped' % (passed, failed))
sys.exit(failed > 0)
