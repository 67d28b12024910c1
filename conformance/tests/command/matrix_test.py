#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""`rpcrdma matrix`: what is taken, what is refused, what is counted, and the results that are in the tree.

usage: matrix_test.py RPCRDMA
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

passed = failed = 0
rpcrdma = os.path.abspath(sys.argv[1])
ours = os.path.abspath('conformance/matrix')
ABOUT = ('--release', '1.2', '--transport', 'loopback')


def is_so(what, is_true, shown=''):
    global passed, failed
    passed += bool(is_true)
    failed += not is_true
    if not is_true:
        print(f'FAILED: {what}\n{shown}')


def run(status, *arguments):
    done = subprocess.run([rpcrdma, *arguments], capture_output=True, text=True, timeout=300, check=False)
    is_so(f'{arguments}: status {status}', done.returncode == status, f'{done.returncode} {done.stderr}')
    return done.stdout, done.stderr


def lines_of(name):
    with open(name, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def write(name, lines):
    with open(name, 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(line) + '\n' for line in lines)


def result(test, rule, level='must', ending='as-required', **more):
    return dict({'kind': 'result', 'file': None, 'test': test, 'event': 0, 'comment': 'a <comment>', 'from': 'client',
                 'type': 'send', 'rule': rule, 'breaks': True, 'way': None, 'level': level, 'ending': ending, 'known': False,
                 'expected': 'this & that', 'actual': 'nothing', 'offset': None, 'field': None,
                 'octets': '0000000100000001000000200000000000000000000000000000000000000001'}, **more)


def made(name, date, *results, **about):
    """A result file, of a run of these results."""
    run_line = {'kind': 'run', 'schema': 'rpcrdma-results-v1', 'version': '0.1.0', 'subject': 'x'}
    write('run.json', [run_line, *results, {'kind': 'summary'}])
    return run(about.pop('status', 0), 'matrix', '--submit', name, '--peer', about.get('peer', 'One <1>'), '--side',
               about.get('side', 'server'), *ABOUT, '--date', date, 'run.json')


class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.open, self.ids, self.links, self.text, self.is_good = [], set(), [], '', True
        self.cells = self.named = 0
        with open(name, encoding='utf-8') as file:
            self.feed(file.read())
        self.is_good = self.is_good and not self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.is_good = self.is_good and attrs.get('id', '-') not in self.ids
        self.ids.add(attrs.get('id'))
        self.cells += attrs.get('class') in ('cell', 'text')
        self.named += 'data-of' in attrs
        if 'href' in attrs:
            self.links.append(attrs['href'])
        if tag not in ('meta', 'br'):
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.is_good = self.is_good and bool(self.open) and self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


A, B = 'rfc8166/3.4.5/position-multiple-of-four', 'rfc8166/4.2.2/version-one'


def many_failures():
    """What is written is taken: the octets of failures after the first of each rule are left out before that."""
    many = [result('bad-%d' % i, (A, B)[i % 2], ending='wrong-answer', octets='ab' * 400, answer='cd' * 400, offset=4)
            for i in range(300)]
    many += [result('empty-%d' % i, A, ending='wrong-answer', octets='') for i in range(3)]
    os.mkdir('many')
    _, errors = made('many/a.json', '2026-01-02', *many)
    is_so('it is said', 'left out: the octets of 298 failures' in errors, errors)
    run(0, 'matrix', '--check', 'many')
    kept = [line for line in lines_of('many/a.json') if line['kind'] == 'result']
    is_so('all are there', len(kept) == 303 and
          all(line['octets'] == '' and line['octetsLeftOut'] and 'answer' not in line for line in kept[2:300]))
    is_so('of none it is not said', not any('octetsLeftOut' in line for line in kept[300:]))
    run(0, 'matrix', '--html', 'many.html', 'many')
    is_so('the page says it', Page('many.html').text.count('its octets were left out') == 298)
    is_so('and octets of each rule', [line['octets'] for line in kept[:2]] == ['ab' * 400] * 2)
    _, errors = made('few.json', '2026-01-02', *many[:50])
    is_so('few are written whole', errors == '' and all(line.get('octets') for line in lines_of('few.json')
                                                         if line['kind'] == 'result'), errors)
    many = [result('bad-%d' % i, A, ending='wrong-answer', comment='long ' * 300) for i in range(300)]
    _, errors = made('none.json', '2026-01-02', *many, status=1)
    is_so('what is too large in spite of that', 'larger than 256 KiB' in errors and not os.path.exists('none.json'), errors)


def two_dates():
    os.mkdir('two')
    first = [result('good', A), result('bad', A, ending='wrong-answer'), result('turns', B), result('none', B, 'should'),
             result('beside', B)]
    made('two/b.json', '2026-01-02', *first)  # dates decide, not the order of files
    now = [result('good', A), result('bad', A), result('turns', B, ending='silent'), result('none', B, 'should'),
           result('new', None), result('out', B, ending='not-applicable'), result('dark', B, unseen=True),
           result('beside', A, ending='wrong-answer'), result('beside', B)]  # a finding and the result of its own test
    made('two/a.json', '2026-02-01', *now)
    made('two/c.json', '2026-02-01', result('good', A), peer='Two', side='client')
    out, _ = run(0, 'matrix', '--html', 'two.html', 'two')
    is_so('the latest counts, and the changes', out == '''One <1>, server, 1.2, loopback, 2026-02-01
    must 4 of 6, should 1 of 1, advisory 0 of 0
    since 2026-01-02: 1 better, 2 worse
        better: bad, as required, before wrong answer
        worse: beside, wrong answer, before as required
        worse: turns, silent, before as required
Two, client, 1.2, loopback, 2026-02-01
    must 1 of 1, should 0 of 0, advisory 0 of 0
''', out)
    page = Page('two.html')
    is_so('the page is well formed', page.is_good, page.open)
    is_so('a narrow window names each cell that says something, in place of the head',
          page.cells and page.cells == page.named, page.cells - page.named)
    is_so('each number leads to its tests', {link[1:] for link in page.links} <= page.ids and
          {'#c0-rfc8166:3.4.5-must', '#c0-rfc8166:4.2.2-must', '#c0-rfc8166:4.2.2-should', '#c0-none-must',
           '#c1-rfc8166:3.4.5-must'} <= set(page.links), page.links)
    with open('two.html', encoding='utf-8') as file:
        text = file.read()
    cell = re.search(r'href="#c0-rfc8166:4.2.2-must"><span class="grade (\w+)">(.*?)<', text)
    is_so('a cell has the grade of its gravest', cell and cell.groups() == ('bad', '&#10007; 1/2'), cell)
    is_so('and so has a column', '<span class="grade bad">&#10007; 4/6<' in text and
          '<span class="grade good">&#10003; 4/6<' not in text, re.findall(r'<span class="grade .*?<', text))
    is_so('a failure has its octets and a ladder', text.count('<svg class=ladder') == 2 and
          '00000001 00000001 00000020' in page.text and 'this & that' in page.text)
    out, _ = run(0, 'matrix', '--badge', 'badge.svg', '--peer', 'One <1>', 'two')
    badge = tree.parse('badge.svg').getroot()
    is_so('the badge', badge.get('aria-label') == 'RFC 8166: MUST 4 of 6' and
          badge.find('{http://www.w3.org/2000/svg}title').text == 'One <1>, server, 2026-02-01', badge.attrib)
    run(2, 'matrix', '--badge', 'badge.svg', 'two')
    run(2, 'matrix', '--badge', 'badge.svg', '--peer', 'none', 'two')
    run(0, 'vectors', '--merge', '--html', 'merged.html', 'two/a.json', 'two/b.json')
    is_so('the files are results for others as well', 'good' in Page('merged.html').text)


def left_out():
    """What is hazardous by --list, and what was not survived, is left out, and refused where somebody wrote it in."""
    run(0, 'probe', '--list', '--json', 'list.json')
    hazardous = [case['id'] for case in lines_of('list.json') if case['hazard']]
    is_so('there are hazardous cases', len(hazardous) > 50, len(hazardous))
    results = [result('good', A), *(result(name, None) for name in hazardous),
               *(result(f'ended-{ending}', B, ending=ending) for ending in ('stalled', 'crashed', 'garbled', 'early'))]
    _, said = made('left.json', '2026-01-02', *results)
    is_so('it is said how many', f'left out: {len(results) - 1} results' in said, said)
    lines = lines_of('left.json')
    is_so('what is left', [line.get('tests') for line in lines if line['kind'] == 'ended'] == [['good']] and len(lines) == 3,
          lines)
    made('codec.json', '2026-01-02', *results, side='codec')
    is_so('a codec has no hazards', hazardous[0] in str(lines_of('codec.json')) and 'ended-' not in str(lines_of('codec.json')))
    for what, line, why in (
            ('a hazardous case', dict(lines[1], tests=['good', hazardous[0]]), f'{hazardous[0]}: a hazardous case'),
            ('a crash', result('dies', B, ending='crashed'), 'dies: a peer that did not survive'),
            ('a stall', result('dies', B, ending='stalled'), 'not for the public')):
        write('bad.json', [lines[0], line, lines[-1]])
        _, said = run(1, 'matrix', '--check', 'bad.json')
        is_so(f'{what} is refused', why in said, said)
        run(1, 'matrix', '--html', 'bad.html', 'bad.json')
        is_so('no page has it', not os.path.exists('bad.html'))


def refused():
    made('good.json', '2026-01-02', result('good', A))
    lines = lines_of('good.json')
    run(0, 'matrix', '--check', 'good.json')
    for key in 'peer', 'release', 'side', 'transport', 'date', 'kit':
        for change in {}, {key: ''}, {key: '2026-13-01'} if key == 'date' else {key: ''}:
            write('bad.json', [{**{k: v for k, v in lines[0].items() if k != key}, **change}, *lines[1:]])
            _, said = run(1, 'matrix', '--check', 'bad.json')
            is_so(f'without {key}', f'it has no {key}' in said, said)
    write('bad.json', [{k: v for k, v in lines[0].items() if k not in ('release', 'side', 'transport')}, *lines[1:]])
    _, said = run(1, 'matrix', '--check', 'bad.json')
    is_so('all that it has not, at once', 'no release; no side: server, client or codec; no transport\n' in said, said)
    write('bad.json', [*lines[:-1], dict(lines[-1], incomplete='stopped')])
    is_so('a run that stopped', 'not complete' in run(1, 'matrix', '--check', 'bad.json')[1])
    write('bad.json', [lines[0], dict(lines[1], ending='not-applicable'), lines[-1]])
    is_so('nothing judged', 'nothing was judged' in run(1, 'matrix', '--check', 'bad.json')[1])
    is_so('twice the same day', 'of the same date' in run(1, 'matrix', '--check', 'good.json', 'good.json')[1])
    write('bad.json', [lines[0], *[result(f'n{i}', A, ending='wrong-answer') for i in range(700)], lines[-1]])
    is_so('too large', 'larger than 256 KiB' in run(1, 'matrix', '--check', 'bad.json')[1])
    for change in {'ending': 'crashed'}, {'tests': []}, {'tests': ['a:0']}, {'tests': ['a:x']}, {'tests': [7]}, {'level': 'may'}:
        write('bad.json', [lines[0], {**lines[1], **change}, lines[-1]])
        _, said = run(3, 'matrix', '--check', 'bad.json')
        is_so(f'{change}', 'is not a list of tests that ended well' in said, said)
    made('none.json', '2026-01-02', result('good', A), side='middle', status=1)
    made('none.json', 'today', result('good', A), status=1)
    for file, side, status in ('probe', 'client', 1), ('serve', 'server', 1), ('probe', 'server', 0), ('serve', 'client', 0):
        _, said = made(f'{file}-{side}.json', '2026-01-02', result('good', A, file=file), side=side, status=status)
        is_so(f'{file} is not of a {side}', ('the run tests a' in said) == (status == 1), said)
    is_so('none was written', not os.path.exists('none.json'))
    for arguments in ((), ('--submit', 'x.json', 'good.json', 'good.json'), ('--check', '--html', 'x.html', 'good.json'),
                      ('--submit', 'x.json', '--check', 'good.json')):
        run(2, 'matrix', *arguments)


def in_the_tree():
    out, _ = run(0, 'matrix', '--html', 'ours.html', ours)
    run(0, 'matrix', '--check', ours)
    page = Page('ours.html')
    is_so('the page of ours is well formed, its links lead somewhere', page.is_good and
          {link[1:] for link in page.links} <= page.ids)
    is_so('and it is not too large', os.path.getsize('ours.html') < 2 << 20, os.path.getsize('ours.html'))
    for name in 'Reference peer, server', 'Reference peer, client', 'librpcrdma, codec':
        line = out[out.index(name):].split('\n')[1]
        is_so(f'{name} conforms', all(a == b for a, b in re.findall(r'(\d+) of (\d+)', line)), line)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in many_failures, two_dates, left_out, refused, in_the_tree:
            test()
        os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
