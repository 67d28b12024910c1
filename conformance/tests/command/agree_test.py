#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/rpcrdma"
"""All reports of one run say the same: JSON, TAP and JUnit XML, and what --merge makes of the JSON. A testee answers in
many ways, and a list expects some of its failures. And the table of `check` has the sums of its JSON.

usage: agree_test.py RPCRDMA
"""
import collections
import csv
import glob
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

rpcrdma = os.path.abspath(sys.argv[1])
vectors = os.path.abspath('vectors')
passed = failed = 0

TESTEE = '''
import sys, zlib
for line in sys.stdin:
    ways = ['accept', 'refuse', 'fail', 'limit', 'close', 'nonsense', 'accept 28']
    print(ways[zlib.crc32(line.encode()) % len(ways)], flush=True)
'''

EARLY = '''
import sys
for line in sys.stdin:
    print('accept 28\\naccept 28', flush=True)
'''


def verdict(name, good, more=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'not ok: {name}\n    {str(more)[:600]}')


def run(*arguments):
    return subprocess.run([rpcrdma, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def read_json(path):
    with open(path, encoding='utf-8') as file:
        objects = [json.loads(line) for line in file]
    return [o for o in objects if o['kind'] == 'result'], objects[-1]


def check_tap(text, results):
    """A line for each result: "not ok" for what failed, SKIP for what was not asked, TODO for what is expected."""
    cases = re.findall(r'^(not )?ok (\d+) - .*?( # (?:SKIP|TODO)\b.*)?$', text, re.M)
    verdict('TAP has a line for each result', len(cases) == len(results) and f'1..{len(results)}\n' in text)
    for (bad, number, directive), result in zip(cases, results):
        kind = directive.split()[1] if directive else None
        wanted = 'SKIP' if result['ending'] == 'not-applicable' else 'TODO' if result['known'] else None
        if kind != wanted or bool(bad) != fails(result) or int(number) != cases.index((bad, number, directive)) + 1:
            verdict(f'TAP says of {result["test"]} what JSON says', False, (bad, number, directive, result['ending']))
            return
    verdict('TAP says of each result what JSON says', True)


def fails(result):
    return result['ending'] in BAD


BAD = {'wrong-answer', 'closed', 'stalled', 'crashed', 'garbled', 'early'}


def check_junit(path, results):
    """Attributes are the sums of what is inside, for each suite and for all of them."""
    root = ElementTree.parse(path).getroot()
    names = {'failures': 'failure', 'errors': 'error', 'skipped': 'skipped'}
    for part in [root, *root.findall('testsuite')]:
        cases = part.findall('.//testcase')
        counted = {attribute: sum(case.find(name) is not None for case in cases) for attribute, name in names.items()}
        counted['tests'] = len(cases)
        said = {attribute: int(part.get(attribute)) for attribute in counted}
        verdict(f'the sums of {part.get("name")} are those of its cases', said == counted, (said, counted))
        time = sum(float(case.get('time')) for case in cases)
        verdict(f'the time of {part.get("name")} is that of its cases', abs(time - float(part.get('time'))) < 1e-3,
                (time, part.get('time')))
    cases = root.findall('.//testcase')
    verdict('JUnit has each result', len(cases) == len(results))
    for case, result in zip(cases, results):
        skipped = result['known'] or result['ending'] == 'not-applicable'
        bad = fails(result) and not skipped
        if (case.find('skipped') is not None) != skipped or \
                (case.find('failure') is not None or case.find('error') is not None) != bad:
            verdict(f'JUnit says of {result["test"]} what JSON says', False, ElementTree.tostring(case)[:300])
            return
    verdict('JUnit says of each result what JSON says', True)


def named(result):
    return result['test'] + (f':event {result["event"]}' if result['event'] else '')


def check_blocks(text, results):
    """What TAP says of each failure, line by line."""
    blocks = re.findall(r'^not ok \d+ - (\S+?(?::event \d+)?)(?: .*)?\n  ---\n((?:  .*\n)*?)  \.\.\.$', text, re.M)
    bad = [result for result in results if fails(result) and not result['known']]
    said = {name: {key: json.loads(value) for key, value in re.findall(r'^  (\w+): (".*")$', block, re.M)}
            for name, block in blocks}
    same = ('level', 'expected', 'actual', 'role', 'octets', 'requirement')
    wrong = [(named(result), key, said.get(named(result), {}).get(key)) for result in bad
             for key, member in [('vector', 'comment'), *zip(same, same)]
             if said.get(named(result), {}).get(key) != result.get(member)]
    wrong += [named(result) for result in bad
              if said.get(named(result), {}).get('ending') != result['ending'].replace('-', ' ')]
    verdict('TAP has the members of each failure', bad and not wrong, wrong[:3])


def check_failures(path, results):
    """What JUnit says of each failure."""
    for case, result in zip(ElementTree.parse(path).getroot().iter('testcase'), results):
        failure = case.find('failure')
        failure = case.find('error') if failure is None else failure
        good = case.get('name') == named(result)
        if failure is not None:
            good = good and failure.get('type') == result['ending'] and \
                failure.get('message') == f'expected {result["expected"]}; actual {result["actual"]}'
            lines = failure.text.split('\n')
            wanted = [result['comment'], f'role: {result["role"]}', f'octets: {result["octets"]}']
            good = good and lines[0] == wanted[0] and all(line in lines for line in wanted) and \
                ('requirement' not in result or f'requirement: {result["requirement"]}' in lines)
        if not good:
            verdict(f'JUnit has the members of {named(result)}', False, ElementTree.tostring(case)[:300])
            return
    verdict('JUnit has the members of each failure', True)


def check_groups(text, results):
    """What fails alike is one line: how often, and where first."""
    groups = {}
    for result in results:
        if fails(result) and not result['known']:
            key = f'expected {result["wanted"]}, got {result["got"]}: {result["cause"]}'
            groups.setdefault(key, []).append(named(result))
    flat = re.sub(r'\s+', ' ', text.split('\n\n')[0])
    said = {(int(count), what, first) for count, what, first in
            re.findall(r'(\d+) x (expected .*?), first in (\S+?(?::event \d+)?)(?= \d+ x |$)', flat)}
    wanted = {(len(names), key, names[0]) for key, names in groups.items()}
    verdict('what fails alike is counted, with the first', len(wanted) > 5 and said == wanted,
            sorted(said ^ wanted)[:4])


def check_page(path, results):
    """The page names each failure with what was expected and what came."""
    with open(path, encoding='utf-8') as file:
        page = re.sub(r'\s+', ' ', html.unescape(re.sub(r'<[^>]*>', ' ', file.read())))
    missing = [named(result) for result in results if fails(result) and not result['known'] and
               not all(re.sub(r'\s+', ' ', result[key]) in page for key in ('test', 'expected', 'actual'))]
    verdict('the page has what was expected and what came', not missing, missing[:3])


def check_summary(summary, results, what):
    verdict(f'{what}: the sum is that of the results', summary['results'] == len(results))
    verdict(f'{what}: so is that of the failures',
            summary['failed'] == sum(fails(r) and not r['known'] for r in results), summary)
    for ending in {r['ending'] for r in results}:
        verdict(f'{what}: so is that of {ending}', summary[ending] == sum(r['ending'] == ending for r in results))
    judged = [r for r in results if r.get('legal') and r['ending'] not in ('not-applicable', 'limit')]
    refused = sum(r.get('refused') and fails(r) for r in judged)
    verdict(f'{what}: legal Sends, and those refused', len(judged) > refused > 10 and
            summary['legalSends'] == len(judged) and summary['legalSendsRefused'] == refused, (summary, refused))
    return len(judged), refused


ROWS = {'rdma-read': 'RDMA Reads', 'rdma-write': 'RDMA Writes', 'private-data': 'private data',
        'disconnect': 'disconnects', 'atomic': 'atomics', 'not-ready': 'RNR NAKs', 'refused': 'refused RDMA'}


def check_table(path):
    """The table at the end of the text, against the events of the JSON: a row for each kind that occurs."""
    name = os.path.basename(path)
    events = [json.loads(line) for line in run('check', '--json', path).stdout.splitlines()]
    kinds = collections.Counter(e['type'] for e in events if e['kind'] == 'event')
    table = dict(re.findall(r'^(\w[\w ]*?)  .*?(\d+)$', run('check', path).stdout, re.M))
    for kind, row in ROWS.items():
        verdict(f'{name}: {row}', int(table.get(row, 0)) == kinds[kind], (table.get(row), kinds[kind]))
    verdict(f'{name}: Sends', int(table['all Sends']) == kinds['send'], (table['all Sends'], kinds['send']))
    sends = [e for e in events if e['kind'] == 'event' and e['type'] == 'send']
    for procedure in {e['procedure'] for e in sends} - {None}:
        wanted = sum(e['procedure'] == procedure for e in sends)
        verdict(f'{name}: {procedure}', int(table.get(procedure, 0)) == wanted, (table.get(procedure), wanted))
    return kinds


seen = collections.Counter()
for path in sorted(glob.glob('vectors/recorded/*.pcap') + glob.glob('conformance/tests/data/cases/miss-*.pcap')):
    seen += check_table(os.path.abspath(path))
verdict('each kind of event occurs', set(ROWS) <= set(seen), seen)

# What an answer means, to a Responder and to a Requester: as in rpcrdma-testee(7).
MEANINGS = {'discard': 2 * [{'discard'}], 'error err-chunk': 2 * [{'err-chunk'}], 'error err-vers': 2 * [{'err-vers'}],
            'close': 2 * [{'close'}], 'fail': [{'garbage-args'}, {'terminate'}],
            'accept': 2 * [{'process', 'garbage-args', 'terminate'}]}


def check_words(folder):
    """Who always says the same does what is required where a vector's reactions have it, and nowhere else."""
    files = [f'{vectors}/{name}.json' for name in ('errors', 'nomsg', 'chunks-read', 'transaction', 'call-and-answer', 'nfs3')]
    reactions = {}
    for path in files:
        with open(path, encoding='utf-8') as file:
            for test in json.load(file)['tests']:
                for number, event in enumerate(test['events']):
                    reactions[test['id'], number] = event.get('expect', {}).get('reaction')
    for word, meanings in MEANINGS.items():
        path = os.path.join(folder, 'words.json')
        run('vectors', '--testee', f"while read -r line; do echo '{word}'; done", '--json', path, *files)
        judged, wrong = 0, []
        for result in read_json(path)[0]:
            listed = reactions.get((result['test'], result['event']))
            if listed is None or result['ending'] == 'not-applicable' or result['opening']:
                continue
            meaning = meanings[result['role'] == 'Requester']
            is_error = int(result['octets'][24:32] or '0', 16) == 4  # which a Requester takes, and fails
            required = bool(meaning & set(listed)) or (word == 'fail' and result['role'] == 'Requester' and is_error
                                                       and 'process' in listed)
            judged += 1
            if (result['ending'] == 'as-required') != required:
                wrong.append((result['test'], result['event'], listed, result['ending']))
        verdict(f'{word}: required where it is listed', judged > 100 and not wrong, (judged, wrong[:3]))


def check_roles(folder):
    """Whose Send it is says for whom it is, until a server has spoken, which may have called."""
    path, tests = os.path.join(folder, 'roles.json'), {}
    for name in glob.glob(f'{vectors}/**/*.json', recursive=True):
        with open(name, encoding='utf-8') as file:
            tests.update({test['id']: test for test in json.load(file).get('tests', [])})
    run('vectors', '--testee', 'while read -r line; do echo refuse; done', '--json', path, vectors)
    unknown = [result for result in read_json(path)[0] if 'role is not known' in result['actual']]
    verdict('some roles are not known', unknown)
    for result in unknown:
        test = tests[result['test']]
        before = test['events'][:result['event']]
        verdict(f"{test['id']}: its role is not known", 'reverseDirection' in test.get('settings', {}) or
                any(event['from'] == 'server' and 'send' in event for event in before))


# Settings that a vector alone can have.
OF_VECTORS = {'told', 'counts', 'credits', 'continued'}


def without_blanks(event):
    """An event as a vector has it, and what is expected of it in one order."""
    event = {key: value.replace(' ', '').replace('\n', '') if isinstance(value, str) and key != 'gap' else
             dict(value, data=value['data'].replace(' ', '')) if isinstance(value, dict) and 'data' in value else value
             for key, value in event.items()}
    expected = event.pop('expect', {})
    return event, {'findings': sorted(expected.get('findings', []), key=lambda finding: finding['rule']),
                   'headerLength': expected.get('headerLength'), 'reaction': sorted(expected.get('reaction', []))}


def is_alike(recorded, vector):
    """The same events; and what the vector expects of them, which need not be all that there is to say."""
    if len(recorded) != len(vector):
        return False
    for (event, said), (wanted, expected) in zip(map(without_blanks, recorded), map(without_blanks, vector)):
        if event != wanted or len(said['findings']) != len(expected['findings']) or \
                any({**finding, **part} != finding for finding, part in zip(said['findings'], expected['findings'])) or \
                any(expected[key] and said[key] != expected[key] for key in ('headerLength', 'reaction')):
            return False
    return True


def check_settings(folder):
    """A vector that is recorded once more is of a connection with the same settings and events."""
    sides = [{'from': side, 'registered': {'access': 'read', 'handle': 7, 'offset': '0x0', 'length': 8}} for side in ('client', 'server')]
    made = os.path.join(folder, 'made.json')
    with open(f'{vectors}/registrations.json', encoding='utf-8') as file:
        vector = json.load(file)
    vector['tests'] = [{'id': f'of-{seen}', 'comment': seen, 'settings': {'registrations': seen},
                        'events': [{**sides[side], 'expect': {'findings': []}}]}
                       for seen, side in (('client', 0), ('server', 1), ('both', 0))]
    with open(made, 'w', encoding='utf-8') as file:
        json.dump(vector, file)
    recorded, judged = os.path.join(folder, '_Two  Words.9-.json'), 0
    for path in [made, *glob.glob(f'{vectors}/*.json'), *glob.glob(f'{vectors}/v2-*/*.json')]:
        with open(path, encoding='utf-8') as file:
            listed = json.load(file).get('tests', [])
        settings, events = ({test['id']: test.get(key, {}) for test in listed} for key in ('settings', 'events'))
        draft = ('--draft', path.split('/v2-')[1][:2]) if '/v2-' in path else ()
        if not settings:
            continue
        run('check', '--record', recorded, *draft, path)
        with open(recorded, encoding='utf-8') as file:
            whole = json.load(file)
        os.remove(recorded)
        tests = whole['tests']
        verdict(f'{path}: is said to be recorded', (whole['title'], whole['source']) ==
                ('Recorded traffic', {'origin': 'recorded', 'reference': path}), whole['source'])
        verdict(f'{path}: all are recorded', [test['comment'] for test in tests] == list(settings), len(tests))
        verdict(f'{path}: tests are numbered', [test['id'] for test in tests] ==
                [f'two-words-9-{number}' for number in range(1, len(tests) + 1)], tests[0]['id'])
        wrong = [test['comment'] for test in tests if not is_alike(test['events'], events[test['comment']])]
        verdict(f'{os.path.basename(path)}: recorded with its events', not wrong, wrong[:9])
        wrong = [(test['comment'], test['settings']) for test in tests if test['settings'] !=
                 {key: value for key, value in settings[test['comment']].items() if key not in OF_VECTORS}]
        verdict(f'{os.path.basename(path)}: recorded with its settings', not wrong, wrong[:2])
        judged += len(tests)
    verdict('vectors were recorded', judged > 300, judged)
    check_what_is_not_recorded(folder, vector, recorded)


def check_what_is_not_recorded(folder, vector, recorded):
    """A connection of which something was not seen, wherever; of version 2 what was not said to be of a draft."""
    made, whole = os.path.join(folder, 'gap.json'), f'{vectors}/header-length.json'
    send = {'from': 'client', 'send': '00000001 00000001 00000020 00000003'}
    gap = {'from': 'server', 'gap': 'not seen'}
    vector['tests'] = [{'id': f'gap-{number}', 'comment': 'x', 'events': events} for number, events in
                       enumerate(([gap, send], [send, gap, send], [send, gap]))]
    with open(made, 'w', encoding='utf-8') as file:
        json.dump(vector, file)
    for paths in ([made, whole, f'{vectors}/header-xdr.json'], [whole, made, f'{vectors}/header-xdr.json']):
        done, names = run('check', '--record', recorded, *paths), []
        for path in paths:
            with open(path, encoding='utf-8') as file:
                names += [test['id'] for test in json.load(file)['tests'] if path != made]
        with open(recorded, encoding='utf-8') as file:
            tests = json.load(file)['tests']
        verdict('files: all that is whole is recorded', [test['comment'] for test in tests] == names, done.stderr)
        verdict('files: and numbered', tests[-1]['id'] == f'two-words-9-{len(names)}', tests[-1]['id'])
        os.remove(recorded)
    for path, why in ((made, 'no connection was seen whole: nothing is recorded'),
                      (f'{vectors}/recorded/reference-version-2-07.pcap', 'version 2 is recorded with --draft alone')):
        done = run('check', '--record', recorded, path)
        verdict(f'{path}: is not recorded, as is said', done.returncode == 3 and f': {why}' in done.stderr and
                not os.path.exists(recorded), done.stderr)


def check_expected(path, folder):
    """What a list of expected failures takes out of the findings it adds to those that were expected."""
    def findings(*options):
        rows = json.loads(run('check', '--json', *options, path).stdout.splitlines()[-1])['rules']
        return {(row['rule'], row['from']): row['count'] for row in rows}
    all_of_them = findings()
    listed = sorted(all_of_them)[::2]
    known = os.path.join(folder, 'some.known')
    with open(known, 'w', encoding='utf-8') as file:
        file.writelines(f'{rule} {side} *\n' for rule, side in listed)
    verdict('what is expected is no finding', findings('--known', known) ==
            {key: count for key, count in all_of_them.items() if key not in listed})
    said = re.search(r'(\d+) expected', run('check', '--known', known, path).stdout)
    wanted = sum(all_of_them[key] for key in listed)
    verdict('as many are expected as the list takes out', said and int(said.group(1)) == wanted > len(listed) > 2,
            (said, wanted))
    for taken in listed, sorted(all_of_them):
        with open(known, 'w', encoding='utf-8') as file:
            file.writelines(f'{rule} {side} *\n' for rule, side in taken)
        run('check', '--known', known, '--html', os.path.join(folder, 'known.html'), path)
        with open(os.path.join(folder, 'known.html'), encoding='utf-8') as file:
            page = file.read()
        expected = sum(all_of_them[key] for key in taken)
        verdict('the page says how many are expected', f'notes</span>, {expected} expected by <code>{known}</code></p>' in page, expected)
        verdict('and that the list expects all that was found', 'No rule is broken' not in page and
                ('Nothing was found but what the list expects.' in page) == (len(taken) == len(all_of_them)), taken)


def check_findings(path, folder):
    """The sums of a capture are those of its events, in JSON, in the text's tables, in SARIF and in JUnit XML."""
    name, sarif, junit = os.path.basename(path), os.path.join(folder, 'all.sarif'), os.path.join(folder, 'all.xml')
    rows = [json.loads(line) for line in run('check', '--json', path).stdout.splitlines()]
    text = run('check', '--all', '--sarif', sarif, '--junit', junit, path).stdout
    events, summary, found = [row for row in rows if row['kind'] == 'event'], rows[-1], {}
    for event in events:
        for finding in event['findings']:
            key = finding['rule'], finding['severity'], finding['brokenBy']
            found.setdefault(key, []).append(event['frame'])
    severities = {severity: sum(len(frames) for key, frames in found.items() if key[1] == severity)
                  for severity in ('violation', 'warning', 'note')}
    verdict(f'{name}: events and findings are counted', summary['events'] == len(events) and
            all(summary[f'{severity}s'] == count for severity, count in severities.items()), severities)
    sums = {(*key, len(frames), min(frames), max(frames)) for key, frames in found.items()}
    told = {(row['rule'], row['severity'], row['from'], row['count'], row['first']['frame'], row['last']['frame'])
            for row in summary['rules']}
    verdict(f'{name}: each rule has its count, its first and its last', told == sums, sorted(told ^ sums)[:3])
    table = re.findall(r'^ *(\d+)  (\w+) +(client|server)  frame (\d+) +frame (\d+) +(\S+)$', text, re.M)
    told = {(rule, severity, side, int(count), int(first), int(last))
            for count, severity, side, first, last, rule in table}
    verdict(f'{name}: so has the table', told == sums and len(table) == len(sums), sorted(told ^ sums)[:3])
    end = re.search(r'^1 file, .* (\d+) events: (\d+) violations?, (\d+) warnings?, (\d+) notes?', text, re.M)
    wanted = [len(events), *severities.values()]
    verdict(f'{name}: the last line has the sums', end and list(map(int, end.groups())) == wanted, (end, wanted))
    with open(sarif, encoding='utf-8') as file:
        results = json.load(file)['runs'][0]['results']
    levels = {'error': 'violation', 'warning': 'warning', 'note': 'note'}
    told = collections.Counter((result['ruleId'], levels[result['level']], result['properties']['from'],
                                result['properties']['frame']) for result in results)
    wanted = collections.Counter((*key, frame) for key, frames in found.items() for frame in frames)
    verdict(f'{name}: SARIF has each finding', told == wanted, list((told - wanted) + (wanted - told))[:3])
    told = {case.get('name'): int(case.find('failure').get('message').split()[0])
            for case in ElementTree.parse(junit).getroot().iter('testcase') if case.find('failure') is not None}
    wanted = collections.Counter(key[0] for key, frames in found.items() if key[1] == 'violation' for _ in frames)
    verdict(f'{name}: JUnit counts the findings of each rule that is violated', told == dict(wanted), (told, wanted))
    return bool(sums)


def tests_of(files):
    found = {}
    for name in files:
        with open(name, encoding='utf-8') as file:
            found.update((test['id'], (name, test)) for test in json.load(file)['tests'])
    return found


def levels():
    """Rule: how binding it is, by the register."""
    found = {}
    for name in glob.glob('spec/requirements/rfc*.tsv'):
        with open(name, encoding='utf-8') as file:
            rows = [row for row in csv.reader(file, delimiter='\t') if len(row) > 5]
        found.update((row[0], row[2].replace('derived', 'should')) for row in rows)
    return found


def words_of(expected):
    """The answers that are as required."""
    return set(re.findall(r'[a-z-]+', re.sub(r'\(.*|\berror ', '', expected))) - {'or'}


def about_finding(row, test, findings, level):
    if len(findings) == 1:
        finding = findings[0]
        yield 'rule', row['rule'], finding['rule']
        yield 'breaks', row['breaks'], True
        yield 'offset', row['offset'], finding.get('offset')
        yield 'level', row['level'], 'advisory' if finding['severity'] == 'note' else level[finding['rule']]
    if not findings:
        yield 'rule', row['rule'], test.get('nearMiss', [None])[0]
        yield 'breaks', row['breaks'], False
        yield 'offset', row['offset'], None


def about_question(row, octets, expect, said):
    verb = row['question'].split(' ')[0]
    yield 'question', row['question'], f'{verb} {octets}'
    yield 'role', row['role'], {'call': 'Responder', 'reply': 'Requester'}[verb]
    if 'reaction' in expect:
        taking = {'process', 'garbage-args', 'terminate'}
        wanted = {'accept' if word in taking else word for word in expect['reaction']}
        yield 'expected', words_of(row['expected']), wanted
        yield 'legal', row['legal'], not expect.get('findings') and wanted == {'accept'}
    if 'headerLength' in expect and 'accept' in row['expected']:
        yield 'length', row['expected'].split()[1], str(expect['headerLength'])
    yield 'actual', row['actual'].split(': ')[0], said
    yield 'refused', row['refused'], said not in ('accept', 'limit')


def about(row, tests, level, said):
    """Of each member what it is and has to be."""
    name, test = tests[row['test']]
    event = test['events'][row['event']]
    expect = event.get('expect', {})
    yield 'file', row['file'], name
    yield 'comment', row['comment'], test['comment']
    yield 'from', row['from'], event.get('from')
    yield 'known', row['known'], False
    if 'send' not in event:
        yield 'ending', row['ending'], 'not-applicable'
        return
    octets = re.sub(r'\s', '', event['send'])
    yield 'octets', row['octets'], octets
    yield from about_finding(row, test, expect.get('findings', []), level)
    if row.get('question'):
        yield from about_question(row, octets, expect, said)
    else:
        yield 'ending', (row['ending'], row['actual'][:10]), ('not-applicable', 'not asked:')


def about_summary(rows, summary):
    endings = collections.Counter(row['ending'] for row in rows)
    for ending, count in endings.items():
        yield ending, summary[ending], count
    good = {'as-required', 'tolerated', 'limit', 'not-applicable'}
    yield 'results', summary['results'], len(rows)
    yield 'failed', summary['failed'], sum(count for ending, count in endings.items() if ending not in good)
    legal = [row for row in rows if row.get('legal') and row['ending'] != 'limit']  # which it might take
    yield 'legalSends', summary['legalSends'], len(legal)
    refused = [row for row in legal if row['refused'] and row['ending'] not in good]
    yield 'legalSendsRefused', summary['legalSendsRefused'], len(refused)


def check_members(said):
    """Each member of each result is what its vector has, of a testee that always says this; sums are sums of rows."""
    files = sorted(set(glob.glob('vectors/*.json')) - {'vectors/vector.schema.json'})
    with tempfile.NamedTemporaryFile(suffix='.json') as report:
        run('vectors', '--testee', f'while read -r line; do echo {said}; done', '--json', report.name, *files)
        results, summary = read_json(report.name)
    tests, level = tests_of(files), levels()
    wrong = [(row['test'], row['event'], *found) for row in results if row['file']
             for found in about(row, tests, level, said) if found[1] != found[2]]
    verdict(f'who says {said}: results have what the vectors have', len(results) > 2000 and not wrong, wrong[:3])
    wrong = [found for found in about_summary(results, summary) if found[1] != found[2]]
    verdict(f'who says {said}: the sums are those of the results', not wrong, wrong)


def check_stale(command, line, *operands):
    """A line of the list that did not occur is in each report, for the exit status is 1 for it alone."""
    with open('stale.known', 'w', encoding='utf-8') as file:
        file.write(f'{line}\n')
    sarif = ['--sarif', 'stale.sarif'] if command == 'check' else []
    ran = run(command, '--known', 'stale.known', '--junit', 'stale.xml', '--html', 'stale.html', *sarif, *operands)
    said = f"expected failure '{line}' did not occur"
    verdict(f'{command}: stale, status 1', ran.returncode == 1 and said in ran.stderr, ran.stderr)
    verdict(f'{command}: stale, in the text', '; 1 expected failure did not occur' in ran.stdout, ran.stdout[-300:])
    suites = ElementTree.parse('stale.xml').getroot()
    failures = [case for case in suites.iter('testcase') if case.find('failure') is not None]
    verdict(f'{command}: stale, in JUnit', [case.find('failure').get('type') for case in failures] == ['stale'] and
            line in failures[0].get('name') + (failures[0].find('failure').text or ''), failures)
    counts = suites if suites.get('failures') else suites.find('testsuite')
    verdict(f'{command}: stale, JUnit counts it', counts.get('failures') == '1' and
            counts.get('tests') == str(len(list(suites.iter('testcase')))), counts.attrib)
    with open('stale.html', encoding='utf-8') as file:
        verdict(f'{command}: stale, on the page', f'did not occur: <code>{line}</code>' in file.read())
    tap = run(command, '--known', 'stale.known', '--tap', *operands).stdout
    wrong = re.findall(r'^not ok (\d+) - (.*)(?:\n  ---\n(?:  .*\n)*?  \.\.\.)?', tap, re.M)
    verdict(f'{command}: stale, in TAP', len(wrong) == 1 and line in tap and f'1..{wrong[0][0]}\n' in tap, wrong)
    if sarif:
        with open('stale.sarif', encoding='utf-8') as file:
            verdict('check: stale, in SARIF', said in file.read())
        rows = run(command, '--known', 'stale.known', '--json', *operands).stdout.splitlines()
    else:
        run(command, '--known', 'stale.known', '--json', 'stale.json', *operands)
        with open('stale.json', encoding='utf-8') as file:
            rows = file.readlines()
    verdict(f'{command}: stale, in JSON', json.loads(rows[-1]).get('stale') == [line], rows[-1])


for word in ('refuse', 'limit'):
    check_members(word)
with tempfile.TemporaryDirectory() as folder:
    check_expected(f'{vectors}/recorded/linux-6.1-errors.pcap', folder)
    captures = glob.glob('vectors/recorded/*.pcap') + glob.glob('conformance/tests/data/cases/*.pcap')
    some = [check_findings(os.path.abspath(path), folder) for path in sorted(captures)]
    verdict('some captures have findings', sum(some) > 5, some)
    check_words(folder)
    check_roles(folder)
    check_settings(folder)
    os.chdir(folder)
    check_stale('check', 'rpcrdma2-07/6.3.7/position-zero-in-call client *', f'{vectors}/recorded/reference-version-2-07.pcap')
    check_stale('vectors', 'runt-of-27-octets wrong-answer', f'{vectors}/header-length.json')
    with open('testee.py', 'w', encoding='utf-8') as file:
        file.write(TESTEE)
    testee = f'{sys.executable} testee.py'
    files = [f'{vectors}/{name}.json' for name in ('nomsg', 'chunks-read', 'transaction', 'thresholds')]
    run('vectors', '--testee', testee, '--write-known', 'all.known', *files)
    with open('all.known', encoding='utf-8') as file:
        entries = [line for line in file if not line.startswith('#')]
    with open('some.known', 'w', encoding='utf-8') as file:
        file.writelines(entries[::3])
    tap = run('vectors', '--testee', testee, '--known', 'some.known', '--json', 'run.json', '--junit', 'run.xml',
              '--html', 'run.html', '--tap', *files)
    results, summary = read_json('run.json')
    check_blocks(tap.stdout, results)
    check_failures('run.xml', results)
    check_page('run.html', results)
    check_groups(run('vectors', '--testee', testee, '--known', 'some.known', *files).stdout, results)
    verdict('the run has results of many kinds', len({r['ending'] for r in results}) >= 5 and
            any(r['known'] for r in results), {r['ending'] for r in results})
    legal, refused = check_summary(summary, results, 'JSON')
    check_tap(tap.stdout, results)
    check_junit('run.xml', results)
    with open('early.py', 'w', encoding='utf-8') as file:
        file.write(EARLY)
    run('vectors', '--testee', f'{sys.executable} early.py', '--json', 'early.json', *files)
    early, early_summary = read_json('early.json')
    verdict('early answers are failures', early_summary['early'] > 0 and
            early_summary['failed'] == sum(map(fails, early)), early_summary)
    with open('classes.known', 'w', encoding='utf-8') as file:
        file.writelines(sorted({f'{r["rule"]}\n' for r in early if r['rule'] and fails(r)}))
    run('vectors', '--testee', f'{sys.executable} early.py', '--known', 'classes.known', '--json', 'early.json', *files)
    early, _ = read_json('early.json')
    verdict('no class covers an answer that came early', not any(r['known'] for r in early if r['ending'] == 'early'))
    merged = run('vectors', '--merge', '--html', 'merged.html', 'run.json')
    with open('merged.html', encoding='utf-8') as file:
        page = re.sub(r'<[^>]*>', ' ', file.read())
    verdict('--merge counts the same', re.search(rf'legal Sends refused\s+{refused} of {legal}\b', page), merged.stderr)

print(f'{passed} passed, {failed} failed, 0 skipped')
sys.exit(failed > 0)
