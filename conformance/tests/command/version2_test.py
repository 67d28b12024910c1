#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
"""`rpcrdma decode` of version 2: field by field what codec/tests/data/version2.txt says, by --draft
and by what each Send shows.

usage: version2_test.py PATH_TO_RPCRDMA"""
import json
import os
import re
import subprocess
import sys
import tempfile

EXAMPLES = 'codec/tests/data/version2.txt'
RDMA2 = {
    '04': {'rdma_proc': {0: 'MSG', 1: 'NOMSG', 4: 'ERROR', 5: 'OPTIONAL', 6: 'CONNPROP', 7: 'REQPROP',
                         8: 'RESPROP', 9: 'UPDPROP'},
           'rdma_err': {7: 'ERR_WRITE_RESOURCE', 9: 'ERR_INVALID_OPTION'},
           'rdma_which': {1: 'PROPID_RBSIZ', 2: 'PROPID_BRS'}},
    '07': {'rdma_htype': {4: 'ERROR', 5: 'GRANT', 6: 'CONNPROP_MIDDLE', 7: 'CONNPROP_FINAL', 8: 'CALL_EXTERNAL',
                          9: 'CALL_MIDDLE', 10: 'CALL_INLINE', 11: 'REPLY_EXTERNAL', 12: 'REPLY_MIDDLE',
                          13: 'REPLY_INLINE'},
           'rdma_err': {1: 'ERR_VERS', 5: 'ERR_INVAL_CONT', 6: 'ERR_READ_CHUNKS', 8: 'ERR_SEGMENTS',
                        9: 'ERR_WRITE_RESOURCE', 10: 'ERR_REPLY_RESOURCE', 11: 'ERR_VERS_MISMATCH'},
           'rdma_which': {1: 'PROPID_SBSIZ', 2: 'PROPID_RBSIZ', 3: 'PROPID_RSSIZ', 4: 'PROPID_RCSIZ',
                          5: 'PROPID_BRS'}},
}
OTHER = {'rdma_direction': {0: 'CALL', 1: 'REPLY'}, 'rdma_optdir': {0: 'CALL', 1: 'REPLY'},
         'proc': {0: 'RDMA_MSG'}}
# What a Send shows by itself, where that is not its draft: the guess, and whether it is sure.
SHOWS = {'04-properties/1': ('07', False), '07-negotiation/1': ('07', False),
         '07-negotiation/2': (None, None), '07-properties/2': ('07', False), '07-properties/3': ('07', False),
         '07-errors/1': ('07', False), '07-errors/2': ('07', False), '07-errors/5': (None, None)}

rpcrdma = sys.argv[1]
passed = failed = 0


def verdict(name, good, what=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'not ok: {name}: {what}')


def run(*arguments, text=None):
    return subprocess.run([rpcrdma, *arguments], input=text, text=True, capture_output=True)


class Send:
    def __init__(self, line):
        self.name, self.draft, self.side, header, self.hex = line.split()
        self.header = int(header)
        self.fields = []

    def add(self, line):
        at, length, path, what, value = re.fullmatch(
            r' +(\d+) (\d+) (\S+)(?: \((\w+)\))? = (\S+)', line).groups()
        self.fields.append((int(at), int(length), path, what, value))

    def expected(self):
        """Offset, length, path and value of each field as `decode --json` has them."""
        entries = {}
        for at, length, path, what, value in self.fields:
            name = path.split('.')[-1]
            if what == 'present' and path.endswith(']'):
                entries[path[:path.rindex('[')]] = entries.get(path[:path.rindex('[')], 0) + 1
            if what == 'end':
                yield at, length, f'{path}[{entries.get(path, 0)}]', False
            elif what in ('present', 'absent'):
                yield at, length, path, what == 'present'
            elif path in ('rdma_nochg', 'rdma_done', 'rdma_rejected') and what is None:
                entries[path] = entries.get(path, 0) + 1
                yield at, length, f'{path}[{entries[path] - 1}]', int(value, 0)
            elif name in ('rdma_data', 'rdma_optinfo') and what is None:
                yield at, length, path, value
            elif length == 8:
                yield at, length, path, hex(int(value, 0))
            else:
                yield (at, length, *self.named(path, name, int(value, 0)))

    def named(self, path, name, value):
        is_1 = self.name == '07-negotiation/2'
        if name == 'rdma_htype' and (is_1 or self.draft == '04'):
            path = name = 'proc' if is_1 else 'rdma_proc'  # their names of it
        if name == 'rdma_which':
            return path, value
        known = OTHER if is_1 else RDMA2[self.draft]
        number = known.get(name, OTHER.get(name, {})).get(value)
        return path, value if number is None else number if known is OTHER or name in (
            'rdma_direction', 'rdma_optdir') else 'RDMA2_' + number


def read_examples():
    sends = []
    for line in open(EXAMPLES):
        if line.startswith(' '):
            sends[-1].add(line.rstrip('\n'))
        elif not line.startswith('#') and line.strip():
            sends.append(Send(line))
    return sends


def check_json(send, said):
    fields = [field for field in said['fields'] if field['length'] > 0]
    got = [(f['offset'], (len(f['value']) // 2 if f['path'].endswith(('data', 'optinfo')) and isinstance(f['value'], str)
                          else f['length']), f['path'], f['value']) for f in fields]
    want = list(send.expected())
    verdict(f'{send.name}: fields', got == want, [pair for pair in zip(want, got) if pair[0] != pair[1]] or (want, got))
    verdict(f'{send.name}: header', said['headerLength'] == send.header and said['error'] is None, said)
    names = RDMA2[send.draft]['rdma_which']
    for field in fields:
        if field['path'].endswith('rdma_which'):
            name = names.get(field['value'])
            verdict(f'{send.name}: name of a property', field['name'] == (name and 'RDMA2_' + name), field)
    payload = len(send.hex) // 2 - send.header
    first = send.hex[2 * send.header:2 * send.header + 8]
    rpc = said['rpc'] and said['rpc']['offset']
    verdict(f'{send.name}: RPC header', rpc == (send.header if payload and first == send.hex[:8] else None), said['rpc'])


def check_examples(sends):
    for draft in ('04', '07'):
        mine = [send for send in sends if send.draft == draft]
        text = ''.join(send.hex + '\n' for send in mine)
        done = run('decode', '--json', '--format', 'hex', '--draft', draft, '-', text=text)
        verdict(f'-{draft}: status', done.returncode == 0, done.stderr)
        for send, line in zip(mine, done.stdout.splitlines(), strict=True):
            said = json.loads(line)
            check_json(send, said)
            is_1 = send.name == '07-negotiation/2'
            verdict(f'{send.name}: draft', (said['draft'], said['draftSure']) == ((None, None) if is_1 else (draft, True)),
                    said['draft'])


def check_auto(sends):
    text = ''.join(send.hex + '\n' for send in sends)
    done = run('decode', '--json', '--format', 'hex', '-', text=text)
    for send, line in zip(sends, done.stdout.splitlines(), strict=True):
        said = json.loads(line)
        verdict(f'{send.name}: auto', (said['draft'], said['draftSure']) == SHOWS.get(send.name, (send.draft, True)),
                (said['draft'], said['draftSure']))


def check_text(sends):
    """Each row of the table: offset and path; and what the heading says of the draft."""
    done = run('decode', '--format', 'hex', '--draft', '07', '-', text=''.join(
        send.hex + '\n' for send in sends if send.draft == '07'))
    parts = done.stdout.split('\n\n')
    for send, part in zip([send for send in sends if send.draft == '07'], parts, strict=True):
        heading, *rows = part.strip().split('\n')
        verdict(f'{send.name}: heading', heading.endswith(', version 2 as in draft -07') == (send.name != '07-negotiation/2'), heading)
        got = [(int(m[1]), m[2]) for row in rows
               if (m := re.match(r'[ >] +(\d+)  [0-9a-f]+(?: [0-9a-f]+)?  +(\S+)', row)) and int(m[1]) < send.header]
        verdict(f'{send.name}: rows', got == [(at, path) for at, length, path, value in send.expected()], part)
    words = ('RDMA2_GRANT (5)', 'RDMA2_ERR_INVAL_CONT (5)', 'RDMA2_PROPID_RBSIZ (2)', 'RDMA2_RVRSDIR_CONT (2)', '2147483646')
    for word in words:
        verdict(f'text says {word}', word in done.stdout)


def check_pieces(sends):
    events = [{'from': send.side, 'send': send.hex} for send in sends if send.name.startswith('07-continued')]
    vectors = {'schema': 'rpcrdma-vectors-v1', 'protocol': 'rpcrdma2-07', 'title': 't',
               'tests': [{'id': 'pieces', 'comment': 'c', 'events': events}]}
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(vectors, file)
        file.flush()
        done = run('decode', '--format', 'vectors', file.name)
        for line in ('Octets 0 to 27 of the 64 of a Call in pieces', 'Octets 28 to 51 of the 64 of a Call in pieces',
                     'Octets 52 to 63 of the 64 of a Call in pieces', 'Octets 0 to 39 of the 48 of a Reply in pieces',
                     'Octets 40 to 47 of the 48 of a Reply in pieces'):
            verdict(line, line in done.stdout.splitlines(), done.stdout + done.stderr)
        # The pieces alone, their beginning not seen.
        vectors['tests'][0]['events'] = events[1:3]
        file.seek(0)
        file.truncate()
        json.dump(vectors, file)
        file.flush()
        said = [json.loads(line) for line in run('decode', '--json', '--format', 'vectors', file.name).stdout.splitlines()]
        verdict('later pieces', [s['piece'] for s in said] == [{'first': None, 'total': None, 'length': 24},
                                                               {'first': None, 'total': None, 'length': 12}], said)


def check_wrong(sends):
    by_name = {send.name: send for send in sends}
    # The other draft is no help: what one sends is malformed in the other.
    for name, draft in (('07-chunks-invalidate/0', '04'), ('04-null/0', '07'), ('04-properties/0', '04')):
        done = run('decode', '--format', 'hex', '--draft', draft, '-', text=by_name[name].hex)
        verdict(f'{name} by -{draft}', done.returncode == (0 if name.startswith(draft) else 1), done.stdout)
    # Cut anywhere within its header, a Send does not decode, and says where.
    send = by_name['07-chunks-invalidate/0']
    text = ''.join(send.hex[:2 * length] + '\n' for length in range(16, send.header))
    said = run('decode', '--json', '--format', 'hex', '--draft', '07', '-', text=text)
    good = [json.loads(line)['error'] for line in said.stdout.splitlines()]
    verdict('each prefix', said.returncode == 1 and len(good) == send.header - 16 and all(good), said.stderr)
    done = run('decode', '--draft', '03', '-', text='00')
    verdict('an unknown draft', done.returncode == 2 and "'--draft'" in done.stderr, done.stderr)


def check_check(sends):
    """The keys of `check --json`, the table of types, and what is recorded."""
    text = ''.join(send.hex + '\n' for send in sends)
    done = run('check', '--json', '--format', 'hex', '-', text=text)
    said = [json.loads(line) for line in done.stdout.splitlines()][:-1]
    kinds = {'rpc': 'MSG NOMSG', 'grant': 'GRANT', 'properties': 'PROP', 'error': 'ERROR', 'optional': 'OPTIONAL'}
    for send, event in zip(sends, said, strict=True):
        if send.name in ('07-negotiation/1', '07-negotiation/2', '07-errors/5'):  # of version 1, or a refusal of 2
            verdict(f'{send.name}: check', event['draft'] is event['draftSure'] is event['messageKind'] is None, event)
            continue
        verdict(f'{send.name}: check', (event['draft'], event['draftSure']) == SHOWS.get(send.name, (send.draft, True)), event)
        if SHOWS.get(send.name, (send.draft,))[0] == send.draft:
            verdict(f'{send.name}: length', event['headerLength'] == send.header, event)
        name = event['procedure']
        kind = next((k for k, words in kinds.items() if any(name.endswith(w) or w in name for w in words.split())), 'rpc')
        verdict(f'{send.name}: kind', event['messageKind'] == kind, event)
        form = 'piece' if 'MIDDLE' in name else 'special' if name.endswith(('EXTERNAL', 'NOMSG')) else 'inline'
        verdict(f'{send.name}: form', event['form'] == (form if kind == 'rpc' else None), event)
    by_name = dict(zip((send.name for send in sends), said))
    verdict('remaining', [by_name[f'07-continued/{i}']['remaining'] for i in range(5)] == [36, 12, None, 8, None])
    done = run('check', '--format', 'hex', '-', text=text)
    for line in (r'RDMA2_CALL_MIDDLE +2 +0 +0 +2', r'RDMA2_UPDPROP +0 +0 +1 +1', r'RDMA_MSG +1 +0 +0 +1',
                 r'version 2: 16 Sends judged by draft -07, as they show',
                 r'version 2: 5 Sends judged by draft -07; none shows which it is: see --draft'):
        verdict(f'the table has {line}', re.search(f'^{line}$', done.stdout, re.M), done.stdout[-2500:])
    done = run('check', '--format', 'hex', '--draft', '07', '-', text=text)
    verdict('--draft', re.search(r'^version 2: 3\d Sends judged by draft -07, as --draft asks$', done.stdout, re.M), done.stdout[-500:])


def check_record():
    """What is recorded of version 2 is a vector of its draft, and holds."""
    with tempfile.TemporaryDirectory() as folder:
        file = f'{folder}/recorded.json'
        run('check', '--record', file, 'conformance/tests/data/version2.json')
        verdict('recorded', json.load(open(file))['protocol'] == 'rpcrdma2-07')
        done = run('vectors', file)
        verdict('the record holds', done.returncode == 0 and ', 0 failed' in done.stdout, done.stdout + done.stderr)


os.environ.pop('NO_COLOR', None)
sends = read_examples()
verdict('examples', len(sends) == 34, len(sends))
check_examples(sends)
check_auto(sends)
check_text(sends)
check_pieces(sends)
check_wrong(sends)
check_check(sends)
check_record()
print(f'{passed} passed, {failed} failed, 0 skipped')
sys.exit(failed > 0)
