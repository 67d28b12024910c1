#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
"""rpcrdma.check() judges all vectors as `rpcrdma check --json` does, and its structures are those of the header.

usage: check_test.py BUILD
"""
import os
import re
import subprocess
import sys

from support import BUILD, PATHS, command, conforms, end, package, raises, tests, verdict

rpcrdma = package()
from rpcrdma import _check, _library  # noqa: E402

# Where an event is from; of findings the address of the section, and what proves it, which the command remembers.
NOT_OF_A_JUDGEMENT = ('kind', 'file', 'test', 'event', 'type', 'connection', 'frame', 'from', 'time')
NOT_OF_A_FINDING = ('section', 'evidence')

# ---- vectors ----

PROPERTIES = ('sbsiz', 'rbsiz', 'rssiz', 'rcsiz', 'brs')
MEMBERS = {'maxReadChunk': 'max_read_chunk', 'reverseDirection': 'reverse_direction', 'midStream': 'mid_stream',
           'captured': 'seen_between', 'operations': 'operations_seen', 'credits': 'credits',
           'continued': 'continued_octets'}
TRANSFERS = {'rdmaRead': 'rdma-read', 'rdmaWrite': 'rdma-write', 'atomic': 'atomic'}


def sides(of, value):
    return tuple(value(of.get(side, {})) for side in ('client', 'server'))


def config_of(settings, draft):
    members = {MEMBERS[key]: value for key, value in settings.items() if key in MEMBERS}
    told, counts = settings.get('told', {}), settings.get('counts', {})
    registrations = settings.get('registrations')
    return rpcrdma.Config(
        **members, draft=draft, bindings=settings.get('ulb') == 'nfs',
        registrations_seen=tuple(registrations in (side, 'both') for side in ('client', 'server')),
        inline_threshold=(settings.get('clientToServerInline', 0), settings.get('serverToClientInline', 0)),
        properties_told=sides(told, lambda s: sum(1 << i for i, name in enumerate(PROPERTIES) if name in s)),
        property=sides(told, lambda s: tuple(s.get(name, 0) for name in PROPERTIES)),
        counts_known='counts' in settings, sent=sides(counts, lambda s: s.get('sent', 0)),
        limit=sides(counts, lambda s: s.get('limit', 0)))


def event_of(vector, draft):
    members = {'side': vector['from'], 'draft': draft}
    for key in ('send', 'privateData'):
        if key in vector:
            members.update(type='send' if key == 'send' else 'private-data', data=bytes.fromhex(vector[key]))
    for key, kind in TRANSFERS.items():
        if key in vector:
            members.update(type=kind, data=bytes.fromhex(vector[key].get('data', '')), handle=vector[key]['handle'],
                           offset=int(vector[key]['offset'], 16))
    if 'refused' in vector:
        refused = vector['refused']
        members.update(type='refused', is_read=refused['operation'] == 'read', handle=refused['handle'],
                       offset=int(refused['offset'], 16), length=refused['length'])
    if 'registered' in vector:
        registered = vector['registered']
        members.update(type='registered', access=registered['access'], handle=registered['handle'],
                       offset=int(registered['offset'], 16), length=registered['length'])
    if 'invalidated' in vector:
        members.update(type='invalidated', handle=vector['invalidated'])
    if 'completed' in vector:
        members.update(type='completed', xid=vector['completed'])
    if 'invalidate' in vector:
        members.update(invalidate=True, handle=vector['invalidate'])
    if 'notReady' in vector:
        members.update(type='not-ready', received=vector['notReady'])
    for kind in ('disconnect', 'gap'):
        if kind in vector:
            members.update(type=kind)
    return rpcrdma.Event(**members)


def cut(said):
    wanted = {k: v for k, v in said.items() if k not in NOT_OF_A_JUDGEMENT}
    wanted['findings'] = [{k: v for k, v in f.items() if k not in NOT_OF_A_FINDING} for f in said['findings']]
    return wanted


def compare(path):
    """How many findings there are."""
    said = command('check', '--json', path)
    others, off, count = [], [], 0
    vectors, draft = tests(path)
    for test in vectors:
        events = [event_of(event, draft) for event in test['events']]
        for number, got in enumerate(rpcrdma.check(events, config_of(test.get('settings', {}), draft))):
            wanted = cut(said.pop((test['id'], number)))
            count += len(got['findings'])
            if got != wanted:
                others.append(f'{test["id"]}, event {number}: {got}\n    wanted: {wanted}')
            if not conforms(got, rpcrdma.Judgement):
                off.append(f'{test["id"]}, event {number}: {got}')
    verdict(f'{path}: each event is judged as the command does', not others, others[:1])
    verdict(f'{path}: each judgement is of the types that are promised', not off, off[:1])
    verdict(f'{path}: the command has no event more', not said, list(said)[:3])
    return count


# ---- the header ----

def members(header, struct):
    """The names of a structure's members, in their order."""
    body = re.search(r'struct %s \{(.*?)\n\};' % struct, header, re.S).group(1)
    declared = re.sub(r'/\*.*?\*/', '', body, flags=re.S).split(';')
    return [re.sub(r'\[.*', '', part).split()[-1].lstrip('*') for line in declared if line.strip()
            for part in line.split(',')]


def compare_structures():
    include = ['-Icodec/include', '-Iconformance/include', '-I' + os.path.join(BUILD, 'gen')]
    with open('conformance/include/rpcrdma/check.h') as f:
        header = f.read()
    source = ['#include <rpcrdma/check.h>']

    def same(expression, number):
        source.append(f'_Static_assert(({expression}) == {number}, "{expression} is not {number}");')

    for kind, struct in ((_check.CEvent, 'rpcrdma_event'), (_check.CConfig, 'rpcrdma_check_config')):
        names = [name for name, *_ in kind._fields_]
        verdict(f'struct {struct} has these members', names == members(header, struct), members(header, struct))
        same(f'sizeof(struct {struct})', _check.ctypes.sizeof(kind))
        for name in names:
            same(f'offsetof(struct {struct}, {name})', getattr(kind, name).offset)
            same(f'sizeof(((struct {struct} *)0)->{name})', getattr(kind, name).size)
    for prefix, words in (('EVENT', _check.TYPES), ('CREDITS', _check.CREDITS)):
        for number, word in enumerate(words):
            same(f'RPCRDMA_{prefix}_{word.upper().replace("-", "_")}', number)
    for number, side in enumerate(_check.SIDES):
        same(f'RPCRDMA_{side.upper()}', number)
    for draft, number in _library.DRAFTS.items():
        same('RPCRDMA_PROTOCOL_' + (f'2_{draft}' if draft else 'AUTO'), number)
    same('RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE', _check.ACCESS.index('both'))
    same('RPCRDMA_ACCESS_WRITE', _check.ACCESS.index('write'))
    same('RPCRDMA_EVENT_TYPES', len(_check.TYPES))
    same('RPCRDMA_LIMITING_PROPERTIES', _check.PROPERTIES)
    same(f'(sizeof(struct rpcrdma_judgement) <= {_check.ctypes.sizeof(_check.CJudgement)})', 1)
    said = subprocess.run([os.environ.get('CC', 'cc'), '-std=c11', '-fsyntax-only', *include, '-xc', '-'],
                          input='\n'.join(source), capture_output=True, text=True)
    verdict('the structures and words are those of the header', said.returncode == 0, said.stderr)


compare_structures()
total = sum(map(compare, PATHS))
verdict('there are hundreds of findings', total > 900, total)


def refused(event=rpcrdma.Event('client'), **config):
    return raises(ValueError, lambda: list(rpcrdma.check([event], rpcrdma.Config(**config))))


verdict('there are two sides', refused(rpcrdma.Event('peer')))
verdict('there is no other event', refused(rpcrdma.Event('client', type='recv')))
verdict('a handle has 32 bits', refused(rpcrdma.Event('client', handle=1 << 32)))
verdict('an offset is not negative', refused(rpcrdma.Event('client', offset=-1)))
verdict('a draft is known', refused(rpcrdma.Event('client', draft='05')) and refused(draft='05'))
verdict('a threshold has 32 bits', refused(inline_threshold=(1 << 32, 0)))
verdict('a limit that is beyond the checker', raises(ValueError, rpcrdma.check, [], rpcrdma.Config(max_calls=1 << 21)))
with open('python/README.md') as f:
    pages = re.findall(r'```python\n(.*?)```', f.read(), re.S)
shown = subprocess.run([sys.executable, '-B', '-c', '\n'.join(pages)], capture_output=True, text=True,
                       env={**os.environ, 'PYTHONPATH': 'python'})
verdict('the examples of the page run', len(pages) == 2 and shown.returncode == 0, shown.stderr)
verdict('and find what is wrong', 'client violation rfc8166/4.6.2/done-not-sent' in shown.stdout, shown.stdout)
verdict('without an event there is no judgement', list(rpcrdma.check([])) == [])
end()
