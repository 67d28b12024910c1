#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
"""rpcrdma.decode() says of each Send of all vectors what `rpcrdma decode --json` says.

usage: decode_test.py BUILD
"""
import doctest

from support import PATHS, command, conforms, end, package, raises, tests, verdict

rpcrdma = package()

# Where it is from, and what needs the Sends before it.
NOT_OF_A_SEND = ('kind', 'file', 'test', 'event', 'from', 'length', 'piece', 'upper', 'chunks')


def compare(path):
    """How many Sends it has."""
    said = {at: o for at, o in command('decode', '--json', path).items() if o['kind'] == 'send'}
    others, off, count = [], [], 0
    vectors, draft = tests(path)
    for test in vectors:
        for number, event in enumerate(test['events']):
            if 'send' not in event:
                continue
            wanted = {k: v for k, v in said.pop((test['id'], number)).items() if k not in NOT_OF_A_SEND}
            got = rpcrdma.decode(bytes.fromhex(event['send']), draft)
            count += 1
            if got != wanted:
                others.append(f'{test["id"]}, event {number}: {got}\n    wanted: {wanted}')
            if not conforms(got, rpcrdma.Send):
                off.append(f'{test["id"]}, event {number}: {got}')
    verdict(f'{path}: each Send is what the command says', not others, others[:1])
    verdict(f'{path}: each is of the types that are promised', not off, off[:1])
    verdict(f'{path}: the command has no Send more', not said, list(said)[:3])
    return count


total = sum(map(compare, PATHS))
verdict('there are thousands of Sends', total > 4000, total)
call = bytes.fromhex('2f0c0001 00000001 00000020 00000000 00000000 00000000 00000000')
verdict('each shorter one says where it ends',
        all(rpcrdma.decode(call[:n])['error']['offset'] <= n for n in range(len(call))))
reads = bytes.fromhex('00000001 00000000 0000000a 00000010 00000000 00000000')
long = rpcrdma.decode(call[:16] + 5000 * reads + bytes(12))
verdict('one that is longer than the room at first', len(long['header']['rdma_body']['rdma_msg']['rdma_reads']) == 5000)
verdict('octets can be a bytearray or a memoryview',
        rpcrdma.decode(bytearray(call)) == rpcrdma.decode(memoryview(b'x' + call)[1:]) == rpcrdma.decode(call))
verdict('a number is no octets', raises(TypeError, rpcrdma.decode, 28))
verdict('nor is a text', raises(TypeError, rpcrdma.decode, '2f0c'))
verdict('there is no other draft', raises(ValueError, rpcrdma.decode, call, '05'))
failures, examples = doctest.testmod(rpcrdma)
verdict('the examples of the documentation', examples > 0 and failures == 0, failures)
end()
