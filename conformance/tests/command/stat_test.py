#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# test: "$BUILD/rpcrdma"
# needs: tshark editcap
"""`rpcrdma stat`: its figures of real captures against those of tshark; of conversations whose figures one knows;
budgets, comparisons and pages.

usage: stat_test.py RPCRDMA
"""
import calendar
import collections
import html.parser
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time as time_module

RPCRDMA = os.path.abspath(sys.argv[1])
RECORDED = os.path.abspath('vectors/recorded')
WORK = f'{RECORDED}/linux-6.1-work-roce.pcap'
LOSSY = os.path.abspath('conformance/tests/data/cases/json-silent-about-loss.pcap')
passed = failed = 0


def verdict(what, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'FAILED: {what}\n    {str(shown)[:1500]}')


def is_equal(what, got, wanted):
    verdict(what, got == wanted, f'{got}, not {wanted}')


def run(*arguments, status=0):
    done = subprocess.run([RPCRDMA, 'stat', *arguments], capture_output=True, timeout=60, text=True, check=False)
    is_equal(f'stat {" ".join(arguments)}: status', done.returncode, status)
    return done


def figures(*arguments, status=0):
    lines = [json.loads(line) for line in run('--json', *arguments, status=status).stdout.splitlines()]
    rows = {line['name']: line for line in lines if line['kind'] == 'procedure'}
    return rows, [line for line in lines if line['kind'] == 'connection'], lines[-1]


# ---- against tshark ----

FIELDS = ('frame.time_epoch ip.src infiniband.bth.opcode infiniband.reth.dmalen rpcordma.xid rpcordma.msg_type '
          'rpcordma.flow_control rpcordma.segment_count rpcordma.rdma_length rpc.msgtyp rpc.program rpc.programversion '
          'rpc.procedure rpcordma.reply_count').split()
WRITE_BEGINS, READ_REQUEST = ('6', '10'), '12'  # opcodes of RC: RDMA WRITE First and Only


def dissected(capture):
    command = ['tshark', '-r', capture, '-T', 'fields', '-E', 'aggregator= ']
    for field in FIELDS:
        command += ['-e', field]
    text = subprocess.run(command, capture_output=True, timeout=120, text=True, check=True).stdout
    for line in text.splitlines():
        yield dict(zip(FIELDS, line.split('\t')))


def number(text):
    return int(text.split(' ')[-1] or '0', 0)


class Dissected:
    """What tshark says of a capture of soft-RoCE, by (program, version, procedure)."""

    def __init__(self, capture):
        self.times = collections.defaultdict(list)
        self.writes = self.write_octets = self.reads = self.read_octets = 0
        self.segments = self.offered = self.reply_chunks = 0
        self.granted = set()
        waiting, client = {}, None
        for row in dissected(capture):
            opcode = row['infiniband.bth.opcode']
            if opcode in WRITE_BEGINS:
                self.writes += 1
                self.write_octets += number(row['infiniband.reth.dmalen'])
            elif opcode == READ_REQUEST:
                self.reads += 1
                self.read_octets += number(row['infiniband.reth.dmalen'])
            if not row['rpcordma.xid']:
                continue
            time = round(float(row['frame.time_epoch']) * 1e6)
            is_reply = row['rpc.msgtyp'].endswith('1')
            client = client or row['ip.src']
            if row['ip.src'] == client and not is_reply:  # tshark knows what it calls once its chunks were read
                self.segments += len(row['rpcordma.rdma_length'].split())
                self.offered += sum(int(length) for length in row['rpcordma.rdma_length'].split())
                self.reply_chunks += number(row['rpcordma.reply_count'])
                waiting[row['rpcordma.xid']] = time
            elif row['ip.src'] != client and is_reply:
                key = tuple(number(row[f'rpc.{part}']) for part in ('program', 'programversion', 'procedure'))
                self.granted.add(number(row['rpcordma.flow_control']))
                self.times[key].append(time - waiting.pop(row['rpcordma.xid']))
        self.unanswered = len(waiting)


PROGRAMS = {'NFS': 100003, 'NFSACL': 100227}
NAMES = {(100003, 3, 0): 'NULL', (100003, 3, 1): 'GETATTR', (100003, 3, 4): 'ACCESS', (100003, 3, 6): 'READ',
         (100003, 3, 12): 'REMOVE', (100003, 3, 17): 'READDIRPLUS', (100003, 3, 19): 'FSINFO'}


def against_tshark():
    for name in 'linux-6.1-work-roce', 'linux-6.1-nfs42':
        seen = Dissected(f'{RECORDED}/{name}.pcap')
        rows, connections, total = figures(f'{RECORDED}/{name}.pcap')
        table = run(f'{RECORDED}/{name}.pcap').stdout.split('  procedure\n')[1].split('\n\n')[0].split('\n')
        is_equal(f'{name}: the table has each name as --budget takes it',
                 [re.split(' (?:-|ns|us|ms|s)  ', line)[-1] for line in table], list(rows))
        rows = {key: row for key, row in rows.items() if not key.startswith('callback')}
        got = total['figures']
        by_version = collections.Counter()
        unseen = rows.get('procedure not seen', {'figures': {'replies': 0}})['figures']['replies']
        for key, row in rows.items():
            if key.startswith('procedure not seen'):
                continue  # a Long Call: tshark takes it out of its chunk
            program, version = key.split()[:2]
            by_version[PROGRAMS[program], int(version)] += row['figures']['replies']
        wanted = collections.Counter()
        for (program, version, _), times in seen.times.items():
            wanted[program, version] += len(times)
        verdict(f'{name}: Replies of each program', by_version <= wanted, (by_version, wanted))
        is_equal(f'{name}: Replies', sum(by_version.values()) + unseen, sum(wanted.values()))
        is_equal(f'{name}: Calls', sum(row['figures']['calls'] for row in rows.values()),
                 sum(wanted.values()) + seen.unanswered)
        is_equal(f'{name}: RDMA Writes', (got['rdmaWrites'], got['rdmaWriteOctets']), (seen.writes, seen.write_octets))
        is_equal(f'{name}: RDMA Reads', (got['rdmaReads'], got['rdmaReadOctets']), (seen.reads, seen.read_octets))
        is_equal(f'{name}: each has its Call', (got['strayReads'], got['strayWrites']), (0, 0))
        is_equal(f'{name}: segments offered', sum(got[key] for key in ('readSegments', 'writeSegments', 'replySegments')),
                 seen.segments)
        is_equal(f'{name}: octets offered', sum(got[key] for key in ('readOffered', 'writeOffered', 'replyOffered')),
                 seen.offered)
        is_equal(f'{name}: Reply chunks', got['replyChunks'], seen.reply_chunks)
        is_equal(f'{name}: granted', {got['grantedLeast'], got['grantedMost']}, seen.granted)
        times = sorted(time for of in seen.times.values() for time in of)
        client_times = [row for row in rows.values() if row['figures']['timeMost'] is not None]
        is_equal(f'{name}: longest time', max(row['figures']['timeMost'] for row in client_times) // 1000, times[-1])
        for key, word in NAMES.items():
            row = rows.get(f'NFS {key[1]} {word}')
            if key in seen.times and verdict_row(name, row, word):
                compare_times(f'{name}: {word}', row, seen.times[key])
        histogram = sum(bar[2] for row in rows.values() for bar in row['histogram'])
        is_equal(f'{name}: each Reply is in a histogram', histogram, len(times))
        verdict(f'{name}: a connection is named', all(':0x' in each['name'] for each in connections))


def verdict_row(name, row, word):
    verdict(f'{name}: {word} has a row', row)
    return row


def compare_times(what, row, times):
    times = sorted(times)
    got = row['figures']
    is_equal(f'{what}: Calls', got['calls'], len(times))
    is_equal(f'{what}: mean time', got['timeMean'] // 1000, sum(times) // len(times))
    for percent, key in (50, 'timeP50'), (90, 'timeP90'), (99, 'timeP99'):
        exact = times[-(-len(times) * percent // 100) - 1] * 1000
        verdict(f'{what}: {key}', exact <= got[key] <= exact * 9 / 8, f'{got[key]} of {exact}')


# ---- conversations whose figures one knows ----

NO_CREDENTIAL = (0, 0, 0, 0)


def call(xid, procedure=0, chunks='00000000 00000000 00000000', program=100003, version=3, credit=32,
         credential=NO_CREDENTIAL):
    return ''.join(f'{word:08x}' for word in (xid, 1, credit, 0)) + chunks.replace(' ', '') + \
        ''.join(f'{word:08x}' for word in (xid, 0, 2, program, version, procedure, *credential))


def words(*numbers):
    return ''.join(f'{number:08x}' for number in numbers)


def reply(xid, credit=16, chunks='00000000 00000000 00000000'):
    return ''.join(f'{word:08x}' for word in (xid, 1, credit, 0)) + chunks.replace(' ', '') + \
        ''.join(f'{word:08x}' for word in (xid, 1, 0, 0, 0, 0))


def segment(handle, length, offset=0):
    return struct.pack('>IIQ', handle, length, offset).hex()


def vectors(name, *conversations):
    with open(name, 'w', encoding='utf-8') as file:
        json.dump({'schema': 'rpcrdma-vectors-v1', 'protocol': 'rpcrdma1', 'title': 't', 'tests': [
            {'id': f'c{i}', 'comment': 'c', 'events': events} for i, events in enumerate(conversations)]}, file)
    return name


def client(octets):
    return {'from': 'client', 'send': octets}


def server(octets, **more):
    return {'from': 'server', 'send': octets, **more}


def check_counts(what, row, **wanted):
    for key, value in wanted.items():
        is_equal(f'{what}: {key}', row['figures'][key], value)


def many_connections():
    """A Call that waits when its connection ends is sent again only where the hosts are the same, and vectors have
    none. After 1000 connections the others are in the total."""
    _, connections, total = figures(vectors('many.json', *[[client(call(1)), server(reply(1, 7)), client(call(2))]] * 1005))
    check_counts('many connections', total, calls=2010, replies=1005, unanswered=1005, retransmitted=0, sends=3015,
                 grantedMost=7, inFlight=1)
    is_equal('many connections', (len(connections), total['connections']), (1000, 1005))


def random_conversation(dice):
    """Calls, copies of them, Replies to them and to nobody, with grants that rise and fall; and its figures."""
    events, waiting, grants = [], [], []
    sums = collections.Counter(dict.fromkeys(('calls', 'replies', 'retransmitted', 'strayReplies', 'inFlight', 'atGrant'), 0))
    for xid in range(1, 40):
        what = dice.choice(['call', 'call', 'reply', 'reply', 'copy', 'stray'])
        grant = dice.randint(1, 4)
        if what == 'reply' and waiting:
            events.append(server(reply(waiting.pop(dice.randrange(len(waiting))), grant)))
            sums['replies'] += 1
            grants.append(grant)
        elif what == 'stray':
            events.append(server(reply(1000 + xid, grant)))
            sums['strayReplies'] += 1
            grants.append(grant)
        elif what == 'copy' and waiting:
            events.append(client(call(dice.choice(waiting))))
            sums['retransmitted'] += 1
        else:
            events.append(client(call(xid)))
            waiting.append(xid)
            sums['calls'] += 1
            sums['atGrant'] += bool(grants) and len(waiting) >= grants[-1]
            sums['inFlight'] = max(sums['inFlight'], len(waiting))
    return events, dict(sums, sends=len(events), unanswered=len(waiting), grantedMost=max(grants, default=None),
                        grantedLeast=min(grants, default=None))


def random_conversations():
    dice = random.Random(28)
    several = [random_conversation(dice) for _ in range(30)]
    rows, connections, total = figures(vectors('random.json', *(events for events, _ in several)))
    for (_, wanted), connection in zip(several, connections):
        check_counts(connection['name'], connection, **wanted)
    alone = re.compile('granted|inFlight|time')  # which are the most, or the least
    for key, value in total['figures'].items():
        parts = [connection['figures'][key] or 0 for connection in connections]
        if not alone.match(key):
            is_equal(f'total: {key} is the sum of all connections', value, sum(parts))
        if not alone.match(key) and all(key in row['figures'] for row in rows.values()) and not key.startswith('stray'):
            verdict(f'total: {key} is no less than that of all procedures', value >= sum(r['figures'][key] for r in rows.values()))
    is_equal('total: the most in flight', total['figures']['inFlight'], max(wanted['inFlight'] for _, wanted in several))


def events_of(*arguments):
    done = subprocess.run([RPCRDMA, 'check', '--json', *arguments], capture_output=True, timeout=60, text=True, check=False)
    return [line for line in map(json.loads, done.stdout.splitlines()) if line['kind'] == 'event']


def nanoseconds(time):
    day, fraction = time[:-1].split('.')
    return calendar.timegm(time_module.strptime(day, '%Y-%m-%dT%H:%M:%S')) * 10**9 + int(fraction)


def captures():
    """How long it took; pieces of version 2; a connection without its opening."""
    name = f'{RECORDED}/linux-6.1-errors.pcap'
    _, _, total = figures(name)
    times = [nanoseconds(event['time']) for event in events_of(name)]
    is_equal('errors: from the first event to the last', total['nanoseconds'], max(times) - min(times))
    version2 = f'{RECORDED}/reference-version-2-07.pcap'
    forms = [event['form'] for event in events_of('--draft', '07', version2)]
    rows, _, total = figures('--draft', '07', version2)
    verdict('version 2: there are pieces', forms.count('piece') > 0)
    got = total['figures']
    check_counts('version 2', total, strayReplies=0, retransmitted=0, unanswered=0, grantedMost=None, replies=got['calls'])
    verdict('version 2: each Call has its Reply', got['calls'] > 5 and all(row['figures']['calls'] == row['figures']['replies']
                                                                           for row in rows.values()), rows)
    subprocess.run(['editcap', '-r', '-F', 'pcap', WORK, 'middle.pcap', '60-400'], check=True, capture_output=True)
    names = {event['connection'] for event in events_of('middle.pcap')}
    _, connections, _ = figures('middle.pcap')
    last = {}
    for event in events_of('middle.pcap'):
        last[event['connection'].split('-')[0]] = event['connection']
    verdict('a connection has the name that it has in the end', {each['name'] for each in connections} <= set(last.values()),
            (names, [each['name'] for each in connections]))


def known_conversations():
    # Two in flight at once, a grant of two, then of three; one waits for good; one is sent again; a Reply to nobody.
    file = vectors('credits.json', [
        client(call(1)), server(reply(1, 2)), client(call(2)), client(call(3)), server(reply(3, 3)), client(call(2)),
        server(reply(2, 3)), server(reply(9, 3)), client(call(4, 1))])
    rows, _, total = figures(file)
    check_counts('credits', total, calls=4, replies=3, unanswered=1, retransmitted=1, strayReplies=1, inFlight=2,
                 grantedLeast=2, grantedMost=3, atGrant=1, sends=9, errors=0, timeP50=None)
    check_counts('credits, NULL', rows['NFS 3 NULL'], calls=3, replies=3, retransmitted=1, unanswered=0)
    is_equal('credits: octets', rows['NFS 3 NULL']['figures']['callOctets'], 4 * 68)
    verdict('credits: a procedure has none', 'inFlight' not in rows['NFS 3 NULL']['figures'])
    silent = vectors('silent.json', [client(call(1))])
    _, _, total = figures(file, silent)
    check_counts('the least grant, beside a connection without one', total, grantedLeast=2, calls=5)
    error = '00000001 00000001 00000010 00000004 00000002'.replace(' ', '')
    _, _, total = figures(vectors('error.json', [client(call(1)), server(error)]))
    check_counts('an error is an answer', total, calls=1, replies=0, errors=1, unanswered=0, strayReplies=0)
    # A Write chunk of two segments, one of them used; a Reply chunk that is not.
    offered = '00000000' + '00000001 00000002' + segment(7, 100) + segment(8, 50) + '00000000' + '00000001 00000001' + \
        segment(9, 4000)
    returned = '00000000' + '00000001 00000002' + segment(7, 80) + segment(8, 0) + '00000000' + '00000001 00000001' + \
        segment(9, 0)
    write = {'from': 'server', 'rdmaWrite': {'handle': 7, 'offset': '0x0', 'data': 80 * '00'}}
    stray = {'from': 'server', 'rdmaWrite': {'handle': 77, 'offset': '0x0', 'data': 5 * '00'}}
    read = {'from': 'server', 'rdmaRead': {'handle': 5, 'offset': '0x0', 'data': 12 * '00'}}
    reads = '00000001 00000000' + segment(5, 12) + '00000000 00000000 00000000'
    rows, _, total = figures(vectors('chunks.json', [
        client(call(1, 6, offered)), write, stray, server(reply(1, 16, returned), invalidate=7),
        client(call(2, 7, reads)), read, server(reply(2))]))
    check_counts('chunks, READ', rows['NFS 3 READ'], writeChunks=1, writeSegments=2, writeOffered=150, writeChunksUsed=1,
                 writeReturned=80, replyChunks=1, replySegments=1, replyOffered=4000, replyChunksUsed=0,
                 replyReturned=0, rdmaWrites=1, rdmaWriteOctets=80, rdmaReads=0, invalidations=1, readSegments=0)
    check_counts('chunks, WRITE', rows['NFS 3 WRITE'], readSegments=1, readOffered=12, rdmaReads=1, rdmaReadOctets=12,
                 rdmaWrites=0, invalidations=0)
    check_counts('chunks', total, strayWrites=1, rdmaWrites=2, rdmaWriteOctets=85, strayReads=0)
    # Memory is registered for the Call that comes next.
    memory = {'from': 'client', 'registered': {'handle': 5, 'offset': '0x0', 'length': 12, 'access': 'read'}}
    more = {'from': 'client', 'registered': {'handle': 6, 'offset': '0x0', 'length': 12, 'access': 'write'}}
    rows, _, total = figures(vectors('memory.json', [
        client(call(1)), memory, more, client(call(2, 7, reads)), server(reply(1)), read, server(reply(2)), client(call(3)),
        server(reply(3)), memory]))
    check_counts('registrations', total, registrations=3)
    check_counts('registrations, WRITE', rows['NFS 3 WRITE'], registrations=2)
    check_counts('registrations, NULL', rows['NFS 3 NULL'], registrations=0)
    # A server's Calls are others.
    callback = [client(call(1)), server(reply(1)), server(call(1, 1, program=0x40000000, version=1)), client(reply(1, 77))]
    rows, _, total = figures(vectors('callback.json', callback))
    is_equal('callbacks have rows of their own', sorted(rows),
             ['NFS 3 NULL', 'callback program 1073741824 version 1 procedure 1'])
    check_counts('callbacks are not in flight', total, inFlight=1, grantedMost=16)
    # Of a program that the client has named they are NFS's, and have names.
    session = call(1, 1, version=4) + words(0, 1, 1, 43, *[0] * 4, *[0] * 14, 0x40000001, 0)
    recall = call(1, 1, program=0x40000001, version=1) + words(0, 1, 0, 2, 11, *[0] * 9, 4, *[0] * 5, 4, 7)
    unknown = call(3, 1, program=0x40000001, version=1) + words(0, 1, 0, 2, 4, *[0] * 5, 4, 7, 99)
    callbacks = [client(session), server(reply(1)), server(call(2, 0, program=0x40000001, version=1)), client(reply(2)),
                 server(recall), client(reply(1)), server(unknown), client(reply(3)),
                 server(call(4, 1, program=0x40000002, version=1))]
    rows, _, _ = figures(vectors('named.json', callbacks))
    is_equal('callbacks of a session have names', sorted(rows),
             ['NFS 4 CREATE_SESSION', 'NFS callback 1 CB_NULL', 'NFS callback 1 CB_RECALL', 'NFS callback 1 CB_RECALL, ...',
              'callback program 1073741826 version 1 procedure 1'])
    check_counts('callbacks of a session', rows['NFS callback 1 CB_RECALL'], calls=1, replies=1)
    # Rows by what RPCSEC_GSS hides: procedure and service, or a body that cannot be read.
    hidden = [(6, 20, 1, procedure, 9, service, 0, 0, 0) for procedure, service in ((0, 1), (0, 2), (0, 3), (0, 4), (3, 1))]
    rows, _, _ = figures(vectors('gss.json', [
        client(call(xid, 6, credential=credential)) for xid, credential in enumerate([*hidden, (6, 4, 1, 0, 0)])]))
    is_equal('RPCSEC_GSS', {name: row['figures']['calls'] for name, row in rows.items()},
             {'NFS 3 READ': 2, 'NFS 3 READ, integrity': 1, 'NFS 3 READ, privacy': 1, 'NFS 3 READ, context': 1,
              'NFS 3 READ, RPCSEC_GSS': 1})


# ---- limits ----

def budgets():
    def judged(text, status, *arguments):
        with open('budget', 'w', encoding='utf-8') as file:
            file.write(text + '\n')
        return run('--budget', 'budget', *arguments, status=status)

    kept = ['total: unanswered <= 0', 'NFS 3 READ: rdmaWrites per call <= 1.25  # five of four', 'connection: inFlight <= 1',
            'NFS 3 READ: timeP99 <= 5 ms', 'NFS 3 READ: rdmaWriteOctets >= 40k', 'total: calls >= 173', '',
            '# nothing', 'total: timeMost <= 1 s']
    judged('\n'.join(kept), 0, WORK)
    broken = ['total: calls <= 172', 'connection: calls <= 99', 'NFS 3 READ: timeP50 <= 1900 us',
              'NFS 3 READ: rdmaWrites per call >= 1.3', 'NFS 3 READ: rdmaWriteOctets >= 42k', 'NFS 2 READ: calls <= 5',
              'total: timeMost <= 0.1 s']
    for line in broken:
        said = judged('\n'.join(kept + [line]), 1, WORK).stdout
        verdict(f'{line}: is said', f'BROKEN {line}' in said and said.count('BROKEN') == 1, said[-600:])
    said = judged('connection: calls >= 80', 1, WORK).stdout
    verdict('the least is the worst where it is a least', re.search(r'BROKEN connection: calls >= 80: 73 of (?!\S+:0x12-)\S', said), said[-300:])
    said = judged('connection: calls <= 99', 1, WORK).stdout
    verdict('the connection is named', re.search(r'BROKEN connection: calls <= 99: 100 of \S+:0x12-', said), said[-300:])
    verdict('what does not occur is said', 'NFS 2 READ: calls <= 5: not known' in judged('NFS 2 READ: calls <= 5', 1, WORK).stdout)
    judged('NFS 3 NULL: timeP50 <= 1 s', 1, 'credits.json')  # vectors have no times
    judged('total: grantedMost >= 4', 1, 'credits.json')
    for line, complaint in (('total: cals <= 5', "line 1: there is no figure 'cals'; did you mean 'calls'?"),
                            ('total calls <= 5', 'line 1: has to be'), ('total: calls < 5', 'line 1: has to be'),
                            ('total: calls <= five', "line 1: 'five' is not a number"),
                            ('total: calls <= 5 ms', "line 1: '5 ms' is not a number"),
                            ('total: timeP50 <= 5', "line 1: '5' is not a time"),
                            ('total: calls <= nan', "line 1: 'nan' is not a number"),
                            ('total: inFlight per call <= 1', "line 1: 'inFlight' cannot be counted per call"),
                            ('NFS 3 READ: inFlight <= 1', 'not of a procedure'), ('# none', 'there is no limit in it'),
                            ('total: calls <= 5' + 5000 * ' ', 'line 1: is too long')):
        said = judged(line, 3, WORK).stderr
        verdict(f'{line[:40]}: complains', complaint in said, said)
    run('--budget', 'nowhere', WORK, status=3)


# ---- as text, and on the page, what the JSON has ----

def shown(unit, value):
    scales = ((1e9, ' s'), (1e6, ' ms'), (1e3, ' us'), (1, ' ns')) if unit == 'time' else \
        ((1e12, 'T'), (1e9, 'G'), (1e6, 'M'), (1e4, 'k'), (1, ''))
    start, suffix = next((scale for scale in scales if value >= scale[0]), scales[-1])
    part = value / (1e3 if start == 1e4 else start)
    return f'{part:.{0 if part >= 100 or part == int(part) else 1 if part >= 10 else 2}f}{suffix}'


def columns(row):
    got = dict(row['figures'])

    def mean(key, count):
        return shown('octets', got[key] / count) if count else '-'
    calls, got['segments'] = got['calls'], sum(got[f'{kind}Segments'] for kind in ('read', 'write', 'reply'))
    means = [mean('callOctets', calls + got['retransmitted']), mean('replyOctets', got['replies']),
             *(mean(key, calls) for key in ('rdmaReadOctets', 'rdmaWriteOctets', 'segments'))]
    times = ['-' if got[key] is None else shown('time', got[key]) for key in ('timeP50', 'timeP99')]
    return ' '.join([str(calls), *means, str(got['replyChunks']), str(got['replyChunksUsed']), *times, row['name']])


def tables(name):
    """Each line of the table, and each cell of the page, are of the figures that the JSON has."""
    rows, connections, total = figures(name)
    text = run('--html', 'table.html', name).stdout
    lines = [' '.join(line.split()) for line in text.split('  procedure\n')[1].split('\n\n')[0].split('\n')]
    is_equal(f'{name}: the table', lines, [columns(row) for row in rows.values()])
    verdict(f'{name}: the seconds', f' in {total["nanoseconds"] / 1e9:.3f} seconds' in text or total['nanoseconds'] == 0)
    with open('table.html', encoding='utf-8') as file:
        page = file.read()
    keys = 'calls callOctets replyOctets rdmaReadOctets rdmaWriteOctets replyChunks replyChunksUsed timeP50 timeP99'.split()
    for key, row in rows.items():
        cells = ''.join('<td class=count>%s</td>' % ('not known' if got is None else shown('time', got)
                        if each.startswith('time') else got) for each, got in ((each, row['figures'][each]) for each in keys))
        verdict(f'{name}: {key} on the page', f'>{key}</a></td>{cells}</tr>' in page, cells)
        part = page.split(f'>{key}</h3>')[1].split('<h')[0]
        is_equal(f'{name}: {key} has what is not 0', part.count('<tr>'), sum(bool(v) for v in row['figures'].values()))
        bars = [f'from {shown("time", bar[0])}: {bar[2]}</title>' for bar in row['histogram']]
        verdict(f'{name}: {key} has its bars', all(bar in part for bar in bars) and part.count('</title>') == len(bars), bars)
        verdict(f'{name}: {key}: bars have a width', all(bar[0] < bar[1] <= bar[0] * 9 // 8 + 1 for bar in row['histogram']))
    for each in [each for each in connections if each['timeline']]:
        most = [max((n or 0 for n in each['timeline'][key]), default=0) for key in ('inFlight', 'granted')]
        is_equal(f'{name}: the most', most, [each['figures']['inFlight'], each['figures']['grantedMost'] or 0])
        verdict(f'{name}: no grant is nothing', 0 not in each['timeline']['granted'])


def texts():
    for name in WORK, f'{RECORDED}/linux-6.1-errors.pcap', 'chunks.json', 'credits.json':
        tables(name)
    is_equal('credits, as text', run('credits.json').stdout.split('\n\n')[0], 'connection c0\n'
             '    4 Calls: 3 answered, 0 transport errors, 1 unanswered; 1 sent again\n'
             '    at most 2 in flight of 2 to 3 granted, used up by 1 Call\n    Replies to no Call that waits: 1')
    verdict('credits: the last line', run('credits.json').stdout.endswith('\n1 file, 1 connection, 9 events\n'))
    verdict('an error, as text', run('error.json').stdout.startswith('connection c0\n    1 Call: 0 answered, 1 transport error, 0 '
            'unanswered; 0 sent again\n    at most 1 in flight of 16 granted, used up by 0 Calls\n'))
    verdict('no grant, as text', '\n    at most 1 in flight; what was granted is not known\n' in run('silent.json').stdout)
    memory = {'from': 'client', 'registered': {'handle': 5, 'offset': '0x0', 'length': 12, 'access': 'read'}}
    gone = {'from': 'client', 'refused': {'operation': 'read', 'handle': 5, 'offset': '0x0', 'length': 12}}
    odd = [client(call(1)), *3 * [memory], {'from': 'server', 'notReady': 1}, *2 * [gone], {'from': 'server', 'gap': 'x'}]
    _, _, total = figures(vectors('odd.json', odd))
    check_counts('odd', total, notReady=1, refused=2, registrations=3, invalidations=0, rdmaReads=0)
    is_equal('odd: a gap is no event', total['events'], 7)
    verdict('odd, as text', '\n    Sends without a posted Receive: 1; RDMA operations refused: 2; memory registered: 3\n'
            in run('odd.json').stdout, run('odd.json').stdout)
    for count in (1, 20, 21, 22):
        text = run('--html', 'some.html', vectors('some.json', *[[client(call(1)), server(reply(1))]] * count)).stdout
        is_equal(f'{count} connections: are printed', text.count('connection c'), min(count, 20))
        verdict(f'{count} connections: of more it is said', ('after the first 20 are' in text) == (count > 20) and
                (f'\ntotal of {count} connections\n' in text) == (count > 1), text[-300:])
        with open('some.html', encoding='utf-8') as file:
            verdict(f'{count} connections: on the page', (f'<p class=dim>{count - 20} more</p>' in file.read()) == (count > 20))


def limits_elsewhere():
    with open('budget', 'w', encoding='utf-8') as file:
        file.write('# two\ntotal: calls <= 5G\nconnection: calls <= 99 # why\nNFS 3 READ: timeP50 >= 2 us\nNFS 9 X: calls >= 1\n')
    lines = run('--json', '--html', 'limits.html', '--budget', 'budget', WORK, status=1).stdout.splitlines()
    told = [tuple(row[key] for key in ('line', 'text', 'value', 'kept')) for row in map(json.loads, lines)
            if row['kind'] == 'limit']
    rows, connections, total = figures(WORK)
    is_equal('limits as JSON', told, [(2, 'total: calls <= 5G', total['figures']['calls'], True), (3, 'connection: calls <= 99', 100, False),
                                      (4, 'NFS 3 READ: timeP50 >= 2 us', rows['NFS 3 READ']['figures']['timeP50'], True),
                                      (5, 'NFS 9 X: calls >= 1', None, False)])
    verdict('whose', f'"connection":"{connections[0]["name"]}","kept":false' in lines[-4], lines[-4])
    grades = re.findall('<td class="grade (good|bad)">(kept|broken)</td>', open('limits.html', encoding='utf-8').read())
    is_equal('limits on the page', grades, [('good', 'kept'), ('bad', 'broken'), ('good', 'kept'), ('bad', 'broken')])
    is_equal('the files', figures('credits.json', 'error.json')[2]['files'], ['credits.json', 'error.json'])


# ---- two runs, a page ----

def compares():
    verdict('a file is as itself', run('--compare', WORK, WORK).stdout == 'no figure differs\n')
    one = vectors('one.json', [client(call(1)), server(reply(1)), client(call(2)), server(reply(2))])
    two = vectors('two.json', [client(call(1)), server(reply(1)), client(call(2)), client(call(3, 1))])
    lines = [json.loads(line) for line in run('--json', '--compare', one, two).stdout.splitlines()]
    told = {(line['where'], line['figure']): (line['first'], line['second'], line['perCall']) for line in lines}
    is_equal('an answer less a Call', told.get(('total', 'replies')), (1, 0.333, True))
    is_equal('a procedure more', told.get(('NFS 3 GETATTR', 'calls')), (None, 1, False))
    is_equal('a figure of a procedure that one has not', told.get(('NFS 3 GETATTR', 'replies')), (None, 0, True))
    is_equal('what is equal is not told', told.get(('total', 'callOctets')), None)
    many = [message for xid in range(1, 1101) for message in (client(call(xid)), server(reply(xid)))]
    files = [vectors(f'{calls}.json', many[:2 * calls]) for calls in (1000, 1001, 1002)]
    for file, differs in zip(files, (False, False, True)):  # by more than a thousandth of the larger
        figures = [json.loads(line)['figure'] for line in run('--json', '--compare', files[0], file).stdout.splitlines()]
        is_equal(f'{file} beside 1000 Calls', 'calls' in figures, differs)
    text = run('--compare', one, two).stdout
    verdict('as text', re.search(r'^    Replies, a Call +1 +0.33  x 0.33$', text, re.M), text)
    for arguments in ([one], [one, two, one], ['--html', 'x.html', one, two]):
        run('--compare', *arguments, status=2)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.rects = [], 0

    def handle_starttag(self, tag, attrs):
        self.rects += tag == 'rect'
        if tag not in ('meta', 'rect', 'path', 'br'):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ('rect', 'path'):
            assert self.open.pop() == tag, tag


def most_of_plots(text):
    """The number at the top of each plot of Calls and credits."""
    return [int(top) for top in re.findall(r'aria-label="Calls in flight[^>]*>.*?<text[^>]*>([0-9]+)</text>', text, re.S)]


def pages():
    said = run('--html', 'page.html', WORK).stdout
    verdict('the text is there as well', 'NFS 3 READDIRPLUS' in said)
    page = Page()
    with open('page.html', encoding='utf-8') as file:
        text = file.read()
    page.feed(text)
    verdict('the page is whole', not page.open, page.open)
    rows, connections, _ = figures(WORK)
    verdict('each procedure has a histogram', text.count('times from Call to Reply') >= len(rows), len(rows))
    is_equal('each connection has a plot, and the total', text.count('Calls in flight and credits granted'), len(connections) + 1)
    is_equal('one after the other, each with 64 credits', most_of_plots(text), [64, 64, 64])
    run('--html', 'twice.html', WORK, WORK)
    with open('twice.html', encoding='utf-8') as file:
        is_equal('at the same time, twice as many', most_of_plots(file.read()), [128, 64, 64, 64, 64])
    verdict('it names what it is of', 'linux-6.1-work-roce.pcap' in text and 'NFS 3 READDIRPLUS' in text)
    is_equal('one connection alone', run('--connection', connections[1]['name'], WORK).stdout.count('\nconnection '), 0)
    _, alone, total = figures('--connection', connections[1]['name'], WORK)
    is_equal('its figures are those of it among others', alone[0]['figures'], connections[1]['figures'])
    is_equal('and the total', total['figures'], connections[1]['figures'])
    run('--connection', 'nobody', WORK, status=2)
    with open('cut.pcap', 'wb') as cut, open(WORK, 'rb') as whole:
        cut.write(whole.read()[:40000])
    said = run('--html', 'cut.html', 'cut.pcap', status=3)
    verdict('the page says that it is incomplete', '<b>Incomplete: a file could not be read: cut' in open('cut.html', encoding='utf-8').read())
    run('--html', 'loss.html', LOSSY)
    verdict('and what is lost', '<p>Not counted: 1 lost.</p>' in open('loss.html', encoding='utf-8').read())
    verdict('what came before the damage is counted', 'a file could not be read in full\n' in said.stdout and 'NFS 4 NULL' in said.stdout)
    verdict('the damage is named once', (said.stdout + said.stderr).count('damaged after frame') == 1, said.stderr)
    verdict('a file that is missing is not among those read', '\n1 of 2 files, ' in run('cut.pcap', 'nowhere', status=3).stdout)
    is_equal('the object says which, and how many', json.loads(run('--json', 'nowhere', 'nor-there', WORK, status=3).stdout.splitlines()[-1])
             ['incomplete'], '2 files could not be read, the first: nowhere: cannot be opened: No such file or directory')


def main():
    global failed
    against_tshark()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        known_conversations()
        many_connections()
        random_conversations()
        captures()
        texts()
        budgets()
        limits_elsewhere()
        compares()
        pages()
        os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
