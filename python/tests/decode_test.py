#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
"""The Python package says of each Send of all vectors what `rpcrdma decode --json` says.

usage: decode_test.py BUILD
"""
import glob
import json
import os
import subprocess
import sys
import typing

BUILD = os.path.abspath(sys.argv[1])
if 'LD_LIBRARY_PATH' not in os.environ:  # the linker reads it once, at the start
    os.environ['LD_LIBRARY_PATH'] = BUILD
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rpcrdma  # noqa: E402

# Where it is from, and what needs the Sends before it.
NOT_OF_A_SEND = ('kind', 'file', 'test', 'event', 'from', 'length', 'piece', 'upper', 'chunks')
DRAFTS = {'rpcrdma2-04': '04', 'rpcrdma2-07': '07'}
passed = failed = 0


def verdict(what, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'FAILED: {what}\n    {str(shown)[:1200]}')


def sends(path):
    """Its Sends: test, number of the event, octets, draft."""
    with open(path) as f:
        vectors = json.load(f)
    for test in vectors['tests']:
        for number, event in enumerate(test['events']):
            if 'send' in event:
                yield test['id'], number, bytes.fromhex(event['send']), DRAFTS.get(vectors['protocol'])


def compare(path):
    """How many Sends are decoded otherwise than the command does, with one of them, of how many."""
    out = subprocess.run([os.path.join(BUILD, 'rpcrdma'), 'decode', '--json', path], capture_output=True, text=True).stdout
    said = {(o['test'], o['event']): o for o in map(json.loads, out.splitlines()) if o['kind'] == 'send'}
    others, count = [], 0
    for test, number, octets, draft in sends(path):
        wanted = {k: v for k, v in said.pop((test, number)).items() if k not in NOT_OF_A_SEND}
        got = rpcrdma.decode(octets, draft)
        count += 1
        if got != wanted:
            others.append(f'{test}, event {number}: {got}\n    wanted: {wanted}')
    verdict(f'{path}: each Send is what the command says', not others, others[:1])
    verdict(f'{path}: the command has no Send more', not said, list(said)[:3])
    return count


def conforms(value, kind):
    """Whether a value is of the type that the annotations promise."""
    if kind is typing.Any:
        return True
    if typing.is_typeddict(kind):
        return isinstance(value, dict) and kind.__required_keys__ <= set(value) <= set(kind.__annotations__) and \
            all(conforms(value[k], t) for k, t in typing.get_type_hints(kind).items() if k in value)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return any(conforms(value, t) for t in args)
    if origin is list:
        return isinstance(value, list) and all(conforms(v, args[0]) for v in value)
    if origin is dict:
        return isinstance(value, dict) and all(conforms(k, args[0]) and conforms(v, args[1]) for k, v in value.items())
    return isinstance(value, kind)


def raises(error, *args):
    try:
        rpcrdma.decode(*args)
    except error:
        return True
    return False


def main():
    total = 0
    for path in sorted(glob.glob('vectors/*.json') + glob.glob('vectors/v2-*/*.json') + glob.glob('vectors/recorded/*.json')):
        if not path.endswith('schema.json'):
            total += compare(path)
    verdict('there are thousands of Sends', total > 4000, total)
    off = [(test, n) for path in glob.glob('vectors/*.json') + glob.glob('vectors/v2-*/*.json')
           if not path.endswith('schema.json') for test, n, octets, draft in sends(path)
           if not conforms(rpcrdma.decode(octets, draft), rpcrdma.Send)]
    verdict('each is of the types that are promised', not off, off[:3])

    call = bytes.fromhex('2f0c0001 00000001 00000020 00000000 00000000 00000000 00000000')
    verdict('each shorter one says where it ends',
            all(rpcrdma.decode(call[:n])['error']['offset'] <= n for n in range(len(call))))
    reads = b''.join(b'\0\0\0\1' + bytes(4) + bytes(16) for _ in range(5000))
    long = rpcrdma.decode(call[:16] + reads + bytes(12))
    verdict('one that is longer than the room at first', len(long['header']['rdma_body']['rdma_msg']['rdma_reads']) == 5000)
    verdict('octets can be a bytearray or a memoryview',
            rpcrdma.decode(bytearray(call)) == rpcrdma.decode(memoryview(b'x' + call)[1:]) == rpcrdma.decode(call))
    verdict('a number is no octets', raises(TypeError, 28))
    verdict('nor is a text', raises(TypeError, '2f0c'))
    verdict('there is no other draft', raises(ValueError, call, '05'))
    print(f'{total} Sends\n{passed} passed, {failed} failed, 0 skipped')
    sys.exit(failed > 0)


main()
