#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
"""The schemas of what is printed as JSON: each line that the commands print here is of its schema, and no line with a
member more, a member less, or one of another type is.

usage: schemas_test.py RPCRDMA [FILE...]

With FILEs: only those, JSON that was printed elsewhere.
"""
import glob
import json
import os
import socket
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print('skipped: no python3-jsonschema\n0 passed, 0 failed, 1 skipped')
    sys.exit(0)

RPCRDMA = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath('.')
passed = failed = 0
schemas, seen, keys = {}, {}, {}


def verdict(what, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'FAILED: {what}\n    {str(shown)[:1200]}')


def load():
    for path in sorted(glob.glob(os.path.join(ROOT, 'conformance/schemas/*.schema.json'))):
        with open(path, encoding='utf-8') as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        name = os.path.basename(path).replace('.schema.json', '')
        verdict(f'{name}: its $id is the name of its file', schema['$id'] == name, schema['$id'])
        loose = [key for key, part in schema['$defs'].items()
                 if part.get('type') == 'object' and part.get('additionalProperties') is not False and key != 'xdr']
        verdict(f'{name}: no object has other members', not loose, loose)
        schemas[name.split('-')[1]] = schema


def definition(schema, line):
    """One definition for each kind: so errors name the member, and not every definition that it is not."""
    for reference in schema['oneOf']:
        name = reference['$ref'].rsplit('/', 1)[1]
        kind = schema['$defs'][name]['properties']['kind']
        if line.get('kind') in kind.get('enum', [kind.get('const')]):
            return {'$ref': reference['$ref'], '$defs': schema['$defs']}
    return False


def check(which, what, text):
    lines = [json.loads(line) for line in text.splitlines()]
    verdict(f'{what}: there is something', lines)
    validators, wrong = {}, []
    for line in lines:
        kind = line.get('kind')
        if kind not in validators:
            validators[kind] = jsonschema.Draft202012Validator(definition(schemas[which], line))
        error = next(validators[kind].iter_errors(line), None)
        if error:
            wrong.append((list(error.absolute_path), error.message[:200]))
        note(which, kind, line)
    verdict(f'{what}: {len(lines)} lines are of the schema', not wrong, wrong[:5])


def note(which, kind, line):
    """Keep one line of each shape, to be changed afterwards."""
    keys.setdefault((which, kind), set()).update(line)
    shape = tuple((key, type(value).__name__, bool(value)) for key, value in line.items())
    known = seen.setdefault((which, kind), {})
    if len(known) < 40:
        known.setdefault(shape, line)


def run(*arguments):
    return subprocess.run([RPCRDMA, *arguments], capture_output=True, timeout=300, check=False).stdout.decode()


def written(command, *arguments):
    with open('out.json', 'w', encoding='utf-8'):
        pass
    run(command, '--json', 'out.json', *arguments)
    with open('out.json', encoding='utf-8') as out:
        return out.read()


# ---- what is printed ----

def traffic():
    recorded = sorted(glob.glob(os.path.join(ROOT, 'vectors/recorded/*.pcap')))
    made = sorted(glob.glob(os.path.join(ROOT, 'vectors/*.json')) + glob.glob(os.path.join(ROOT, 'vectors/v2-*/*.json')))
    made = [path for path in made if not path.endswith('.schema.json')]
    with open('sends.hex', 'w', encoding='utf-8') as file:
        file.write('00000001 00000001 00000020 00000000\n00000001 00000007\n00\n')
    with open('cut.pcap', 'wb') as file, open(recorded[0], 'rb') as whole:
        file.write(whole.read()[:60000])
    for option in (), ('--side', 'client', '--binding', 'none'):
        for group in recorded, made, ['sends.hex'], ['cut.pcap'], ['sends.hex', 'nosuch']:
            check('findings', f'check --json {group[0]}', run('check', '--json', *option, *group))
    with open('traffic.known', 'w', encoding='utf-8') as file:
        file.write('rfc8166/4.5/minimal-header client 192.0.2.99\n')
    check('findings', 'check --known', run('check', '--json', '--known', 'traffic.known', recorded[0]))
    with open('budget', 'w', encoding='utf-8') as file:
        file.write('total: calls >= 1\nNFS 4 READ: timeP99 <= 2 ms\nconnection: unanswered <= 0\n')
    for group in recorded, made, ['sends.hex'], ['cut.pcap'], ['sends.hex', 'nosuch']:
        check('statistics', f'stat --json {group[0]}', run('stat', '--json', '--budget', 'budget', *group))
    check('statistics', 'stat --compare', run('stat', '--json', '--compare', recorded[0], recorded[-1]))
    subprocess.run(['editcap', '-s', '120', os.path.join(ROOT, 'vectors/recorded/linux-6.1-nfs42.pcap'), 'short.pcap'], check=True)
    lossy = os.path.join(ROOT, 'conformance/tests/data/cases/json-silent-about-loss.pcap')
    for group in recorded, made, ['sends.hex'], ['short.pcap'], [lossy]:
        check('decode', f'decode --json {group[0]}', run('decode', '--json', *group))


def results():
    vectors = os.path.join(ROOT, 'vectors')
    check('results', 'vectors', written('vectors', vectors))
    with open('tests.known', 'w', encoding='utf-8') as file:
        file.write('runt-of-27-octets wrong-answer\n')
    check('results', 'vectors --known', written('vectors', '--known', 'tests.known', os.path.join(vectors, 'header-length.json')))
    check('results', 'vectors of version 2', written('vectors', os.path.join(vectors, 'v2-07'), os.path.join(vectors, 'v2-04')))
    testees = {
        'careless': 'while read -r l; do echo accept; done',
        'refusing': 'while read -r l; do echo refuse; done',
        'dying': 'read -r l; echo accept 28; read -r l; echo oh >&2; exit 3',
        'nonsense': 'while read -r l; do echo nonsense; echo more; done',
        'toy': f'python3 {vectors}/testees/toy.py',
    }
    for name, testee in testees.items():
        check('results', f'vectors --testee {name}', written('vectors', '--testee', testee, '--timeout', '5',
                                                             os.path.join(vectors, 'errors.json'),
                                                             os.path.join(vectors, 'header-xdr.json')))
    with open(os.path.join(vectors, 'header-version.json'), encoding='utf-8') as file:
        wrong = json.load(file)
    for test in wrong['tests']:
        for event in test['events']:
            event['expect']['findings'] = []
    with open('wrong.json', 'w', encoding='utf-8') as file:
        json.dump(wrong, file)
    check('results', 'vectors with wrong findings, and a file that is not there', written('vectors', 'wrong.json', 'nosuch'))
    lines = written('vectors', 'wrong.json').splitlines()
    with open('long.json', 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(dict(line, octets='00' * 20000) if line['kind'] == 'result' else line) + '\n'
                        for line in map(json.loads, lines))
    run('matrix', '--submit', 'short.json', '--peer', 'x', '--release', '1', '--side', 'codec', '--transport', 'none', 'long.json')
    with open('short.json', encoding='utf-8') as file:
        check('results', 'matrix --submit, shortened', file.read())
    check('results', 'vectors --list', written('vectors', '--list', f'{vectors}/header-length.json'))
    check('results', 'probe', written('probe'))
    check('results', 'probe --draft 07', written('probe', '--draft', '07'))
    check('results', 'probe --random', written('probe', '--random=7', '--seconds', '1'))
    check('results', 'probe --list', written('probe', '--list'))
    check('results', 'serve', written('serve'))
    check('results', 'serve --draft 04', written('serve', '--draft', '04'))


def free_port():
    with socket.socket() as any_port:
        any_port.bind(('127.0.0.1', 0))
        return any_port.getsockname()[1]


def peers():
    """A Responder, a Requester, and between them the proxy, which damages a message."""
    server, between = (f'iwarp://127.0.0.1:{free_port()}' for _ in range(2))
    with subprocess.Popen([RPCRDMA, 'respond', server], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as responder, \
         subprocess.Popen([RPCRDMA, 'proxy', '--json', 'proxy.json', '--fault', 'version-reply:3', '--connections', '1',
                           '--timeout', '10', between, server], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as proxy:
        for _ in range(100):
            probed = written('probe', '--case', 'smallest-call', '--wire', 'mtu=512,seed=7', server)
            if 'wire' in probed:
                check('results', 'probe --wire', probed)
                break
        for _ in range(100):
            reached = subprocess.run([RPCRDMA, 'request', '--timeout', '0.3', '--json', 'request.json', between],
                                     capture_output=True, timeout=60, check=False)
            if proxy.poll() is not None or reached.returncode in (0, 1):
                break
        try:
            proxy.wait(timeout=30)
        except subprocess.TimeoutExpired:
            proxy.terminate()
        responder.terminate()
        said = proxy.stderr.read().decode()
    for name in 'proxy.json', 'request.json':
        verdict(f'{name} was written', os.path.exists(name), said)
        if os.path.exists(name):
            with open(name, encoding='utf-8') as file:
                check('results', name, file.read())
    for path in sorted(glob.glob('conformance/matrix/*.json', root_dir=ROOT)):
        with open(os.path.join(ROOT, path), encoding='utf-8') as file:
            check('results', path, file.read())


# ---- what is changed ----

def paths(value, path=()):
    """Each member of each object, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield path + (key,)
            yield from paths(inner, path + (key,))
    elif isinstance(value, list):
        for i, inner in enumerate(value[:2]):
            yield from paths(inner, path + (i,))


def changed(line, path, change):
    copy = json.loads(json.dumps(line))
    at = copy
    for step in path[:-1]:
        at = at[step]
    change(at, path[-1])
    return copy


def rename(at, key):
    at[key + 'X'] = at.pop(key)


def retype(at, key):
    at[key] = {'another': ['type']}


def faults():
    for (which, kind), lines in sorted(seen.items()):
        missed, tried = [], 0
        for line in lines.values():
            validator = jsonschema.Draft202012Validator(definition(schemas[which], line))
            for path in paths(line):
                if which == 'decode' and kind == 'send' and ({'header', 'message'} & set(path[:-1])):
                    continue  # named by the XDR, not by the schema
                for change in rename, retype:
                    if change is retype and which == 'decode' and path[-1] in ('header', 'message'):
                        continue  # of any members
                    tried += 1
                    if validator.is_valid(changed(line, path, change)):
                        missed.append((change.__name__, path))
        verdict(f'{which}, {kind}: each of {tried} changes is refused', tried > 0 and not missed, missed[:5])
    wanted = {(which, kind)
              for which, schema in schemas.items() for reference in schema['oneOf']
              for kind in [schema['$defs'][reference['$ref'].rsplit('/', 1)[1]]['properties']['kind']]
              for kind in kind.get('enum', [kind.get('const')])}
    verdict('each kind of line was seen', wanted == set(seen), wanted ^ set(seen))


def older():
    """What was written before a member was added is still of the schema."""
    lines = [line for line in seen['findings', 'summary'].values() if line['unanswered']]
    verdict('findings: a summary with Calls without an answer was seen', lines)
    for line in lines:
        for row in line['unanswered']:
            del row['endedIn']
        valid = jsonschema.Draft202012Validator(definition(schemas['findings'], line)).is_valid(line)
        verdict('findings: the frame of the end may be absent', valid, line['unanswered'])


def members():
    """A member that no line has is an error in the schema, or a test that is missing."""
    everywhere = {'decode': set.union(*(keys[at] & {'test', 'event', 'frame', 'connection'}
                                        for at in keys if at[0] == 'decode'))}
    for which, kind in sorted(seen):
        schema = schemas[which]
        properties = schema['$defs'][definition(schema, {'kind': kind})['$ref'].rsplit('/', 1)[1]]['properties']
        unseen = set(properties) - keys[which, kind] - everywhere.get(which, set())
        verdict(f'{which}, {kind}: each member was seen', not unseen, unseen)


def main():
    load()
    if len(sys.argv) > 2:
        for path in sys.argv[2:]:
            with open(path, encoding='utf-8') as file:
                text = file.read()
            first = json.loads(text.splitlines()[0])
            kind = first['kind']
            check('results' if kind in ('run', 'case') else 'findings' if kind in ('event', 'summary') else
                  'statistics' if kind in ('procedure', 'connection', 'total', 'difference') else 'decode', path, text)
    else:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            traffic()
            results()
            peers()
            faults()
            older()
            members()
            os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
