#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
"""Ladders, as text and as drawings in the report: which events, which direction, which rule, and the map of chunks.

usage: ladder_test.py RPCRDMA
"""
import html.parser
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

CLIENT, SERVER = 128, 584  # the sides in a drawing
passed = failed = 0
rpcrdma = os.path.abspath(sys.argv[1])
recorded = os.path.abspath('vectors/recorded')
with open('README.md', encoding='utf-8') as readme:
    README = readme.read()


def is_so(what, is_true, shown=''):
    global passed, failed
    if is_true:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {what}\n{shown}')


def run(status, *arguments):
    done = subprocess.run([rpcrdma, *arguments], capture_output=True, text=True, timeout=120, check=False)
    is_so(f'{arguments}: status {status}', done.returncode == status, f'{done.returncode} {done.stderr}')
    return done.stdout


def holds(what, text, part):
    is_so(what, part in text, f'--- wanted\n{part}\n--- got\n{text}')


# ---- conversations ----

XID = 0x2f0c0001
RPC_CALL = f'{XID:08x} 00000000 00000002 20008166 00000001 00000001 00000000 00000000 00000000 00000000'
RPC_REPLY = f'{XID:08x} 00000001 00000000 00000000 00000000 00000000'
HEADER = f'{XID:08x} 00000001 00000020 00000000 '


def segment(handle, length, offset):
    return f'{handle:08x} {length:08x} {offset:016x} '


def write_chunk(*segments):
    return f'00000001 {len(segments):08x} ' + ''.join(segment(*each) for each in segments) + '00000000 '


def send(side, octets):
    return {'from': side, 'send': octets, 'expect': {'findings': []}}


def rdma(kind, handle, offset, length):
    return {'from': 'server', kind: {'handle': handle, 'offset': hex(offset), 'data': '00' * length},
            'expect': {'findings': []}}


def call(chunk):
    return send('client', HEADER + '00000000 ' + chunk + '00000000 ' + RPC_CALL)


def reply(chunk):
    return send('server', HEADER + '00000000 ' + chunk + '00000000 ' + RPC_REPLY)


def vectors(name, events):
    with open(name, 'w', encoding='utf-8') as file:
        json.dump({'schema': 'rpcrdma-vectors-v1', 'protocol': 'rpcrdma1', 'title': 'ladders',
                   'source': {'origin': 'made', 'reference': 'none'},
                   'notes': {'broken': {'kind': 'malformed', 'description': 'broken'}},
                   'tests': [{'id': 'one', 'comment': 'one', 'flags': ['broken'], 'events': events}]}, file)


# ---- text ----

def maps():
    """Of 240 octets each of the 24 marks is of ten."""
    two = write_chunk((0xb, 240, 1000), (0xb, 240, 5000))
    rows = (
        ('a hole', [(1000, 100), (1200, 40)], 240, '##########..........####', '140 written, 100 returned'),
        ('twice', [(1000, 240), (1100, 20)], 240, '##########22############', '240 written, 20 twice, 7 returned'),
        ('outside', [(1200, 50)], 240, '....................####', '40 written, 10 outside, 9 returned'),
        ('early', [(990, 20)], 240, '#.......................', '10 written, 10 outside, 9 returned'),
        ('a part', [(1000, 15)], 240, '#:......................', '15 written, 9 returned'),
        ('none', [], 240, '........................', '0 written, 9 returned'),
    )
    for what, written, length, bar, text in rows:
        returned = int(text.split()[-2])
        vectors('map.json', [call(two), *(rdma('rdmaWrite', 0xb, *each) for each in written),
                             reply(write_chunk((0xb, returned, 1000), (0xb, 3, 5000)))])
        out = run(1, 'check', '--ladder', '--all', 'map.json')
        last = out[out.rindex('chunks of Call'):]
        holds(f'map of {what}', last,
              f'    Write chunk 0    0x0000000b [{bar}]\n    {length} octets offered, {text}\n'
              '    Write chunk 0    0x0000000b [........................]\n'
              '    240 octets offered, 0 written, 3 returned\n')
    vectors('map.json', [call(two), rdma('rdmaWrite', 0xb, 5000, 240), reply(write_chunk((0xb, 1, 1000), (0xb, 3, 5000)))])
    holds('the second segment', run(1, 'check', '--ladder', 'map.json'),
          '    240 octets offered, 0 written, 1 returned\n    Write chunk 0    0x0000000b [########################]\n')
    # A handle that came back belongs to the latest Call, and an XID that came back counts anew.
    earlier = [{**event, 'send': event['send'].replace(f'{XID:08x}', f'{XID - 1:08x}')} for event in
               (call(write_chunk((0xb, 8, 1000))), reply(write_chunk((0xb, 0, 1000))))]
    vectors('map.json', [*earlier, call(write_chunk((0xb, 240, 2000))), rdma('rdmaWrite', 0xb, 2230, 20)])
    holds('the latest Call with the handle', run(1, 'check', '--ladder', 'map.json'),
          '    240 octets offered, 10 written, 10 outside\n')
    vectors('map.json', [call(two), rdma('rdmaWrite', 0xb, 1000, 100), reply(write_chunk((0xb, 100, 1000), (0xb, 0, 5000))),
                         call(two), rdma('rdmaWrite', 0xb, 1200, 50)])
    holds('the latest Call with the XID', run(1, 'check', '--ladder', 'map.json'),
          '    240 octets offered, 40 written, 10 outside\n')
    read = ('00000001 00000028 ' + segment(0xa, 240, 1000) + '00000000 00000000 00000000 ' + RPC_CALL)
    vectors('map.json', [send('client', HEADER + read), rdma('rdmaRead', 0xa, 1120, 121)])
    holds('a Read chunk', run(1, 'check', '--ladder', 'map.json'),
          '    Read chunk at 40 0x0000000a [............############]\n'
          '    240 octets offered, 120 read, 1 outside\n')


def rows():
    vectors('rows.json', [call(write_chunk((0xb, 8, 1000))), rdma('rdmaWrite', 0xb, 1000, 9), reply('00000000 ')])
    out = run(1, 'check', '--ladder', 'rows.json')
    holds('the event at fault is marked, with its rule', out, '''
                        client                                          server
 event 0                |-- Call 0x2f0c0001, 92 octets --------------------->|
*event 1                |<== RDMA Write 9 octets, 0x0000000b ================|
                        ^ violation: rfc8166/4.5.3/within-offered-memory
''')
    is_so('no line is longer than 79 columns',
          all(len(line) < 80 for line in out.split('\n') if re.match(r'[ *]event|    .*[|^\[]', line)), out)
    # The Call of a late Reply is shown, and how many events came between.
    others = [send('client', f'{n:08x} 00000001 00000020 00000000 00000000 00000000 00000000 ' +
                   RPC_CALL.replace(f'{XID:08x}', f'{n:08x}', 1)) for n in range(20)]
    vectors('late.json', [call(write_chunk((0xb, 8, 1000))), *others, reply('00000000 ')])
    out = run(1, 'check', '--ladder', '--rule', 'rfc8166/3.4.6/segment-count-copied', 'late.json')
    holds('a late Reply: its Call', out, ' event 0                |-- Call 0x2f0c0001, 92 octets')
    holds('a late Reply: what was left out', out, '|   ... 17 other events')
    is_so('a late Reply: five rows', len(re.findall(r'^[ *]event', out, re.M)) == 5, out)
    vectors('late.json', [call(write_chunk((0xb, 8, 1000))), *others[:8], rdma('rdmaWrite', 0xb, 1000, 8), *others[8:],
                          reply('00000000 ')])
    out = run(1, 'check', '--ladder', '--rule', 'rfc8166/3.4.6/segment-count-copied', 'late.json')
    is_so('a late Reply: what was left out twice', re.findall(r'\|   \.\.\. (\d+) other events', out) == ['8', '9'], out)
    is_so('without --ladder there is none', '|-- Call' not in run(1, 'check', 'late.json'))
    run(2, 'check', '--json', '--ladder', 'late.json')
    run(2, 'decode', '--json', '--ladder', 'late.json')


def decoded():
    capture = os.path.join(recorded, 'linux-6.1-errors.pcap')
    out = run(0, 'decode', '--ladder', '--frame', '76-83', capture)
    is_so('decode --ladder', out == f'''{capture}: 192.168.77.2:0x14-192.168.77.1:0x14
                        client                                          server
 frame 76    +0.000000  |.. private data, 56 octets ........................>|
 frame 77    +0.000000  |<.. private data, 196 octets .......................|
 frame 79    +0.001468  |-- RDMA_MSG 0x11223344, 68 octets ----------------->|
                        ^ violation: rfc8166/4.2.2/version-one
 frame 81    +0.002794  |<-- RDMA_ERROR 0x11223344, ERR_VERS, 28 octets -----|
 frame 83    +0.003790  |-- Call 0xabcd0003, NULL, 68 octets --------------->|
''', out)
    events = len(run(1, 'decode', '--json', capture).splitlines())
    shown = run(0, 'decode', '--ladder', capture)
    is_so('decode --ladder: each event has a row', len(re.findall(r'^ frame', shown, re.M)) == events, events)


def gaps():
    """A gap has no place of its own: it stands before what it may explain, and names the frame that shows it."""
    capture = os.path.join(recorded, '../../conformance/tests/data/cases/json-silent-about-loss.pcap')
    is_so('a gap is in its place', run(0, 'decode', '--ladder', '--frame', '10-12', capture).split('\n')[2:] == [
        '                        |.. something was not seen, as frame 11 shows .......|',
        ' frame 10    +0.000000  |-- Call 0x00000003, 68 octets --------------------->|',
        ' frame 12    +0.000002  |<-- Reply 0x00000003, 52 octets --------------------|', ''])


def in_readme():
    shown = [line[4:] for line in README[:README.index('## A tour')].split('\n') if line.startswith('    ')]
    ladder = [line for line in shown if '|' in line]
    out = run(1, 'check', '--ladder', os.path.join(recorded, 'linux-6.1-nfs42.pcap')).split('\n')
    is_so('the README shows a ladder', len(ladder) >= 3, shown)
    for line in ladder:
        is_so(f'the README shows what is printed: {line}', line in out, '')


# ---- drawings ----

def drawings(page):
    return [one for one in re.findall(r'<svg.*?</svg>', page, re.S) if 'aria-label="Calls in flight' not in one]


def words(drawing):
    return [re.sub('<[^>]*>', '', text) for text in re.findall(r'<text[^>]*>.*?</text>', drawing)]


def report(status, *arguments):
    text = run(status, 'check', '--html', 'report.html', *arguments)
    with open('report.html', encoding='utf-8') as file:
        return text, file.read()


def drawn():
    text, page = report(1, '--ladder', os.path.join(recorded, 'linux-6.1-errors.pcap'))
    found, seen = drawings(page), {}
    in_text = text.split('client      ')[1:]
    is_so('each finding shown has a drawing', len(found) == page.count('<details'), len(found))
    by_frame = {re.search(r'\n\*(frame \d+)', ladder).group(1): ladder for ladder in in_text}
    is_so('each event with a finding has a ladder', len(by_frame) == len(in_text) >= 30, len(by_frame))
    for drawing in found:
        frame = re.search(r'class=marked.*?\n<text[^>]*>(frame \d+)<', drawing, re.S).group(1)
        ladder = by_frame.pop(frame, None) or seen[frame]
        seen[frame] = ladder
        arrows = re.findall(r'\|(<?)(?:--|==|\.\.) (.*?) (?:-|=|\.)+(>?)\|', ladder)
        tips = [int(x) for x in re.findall(r'class=tip d="M(\d+)', drawing)]
        is_so('a drawing has the rows of the text, and up to three more',
              0 <= len(tips) - len(arrows) <= 3 and len(arrows) > 0, (arrows, tips))
        is_so('arrows point the same way',
              [SERVER if right else CLIENT for _, _, right in arrows] == tips[:len(arrows)], (arrows, tips))
        for _, label, _ in arrows:
            is_so(f'a drawing says: {label}', label in words(drawing), words(drawing))
        is_so('one row is marked', drawing.count('class=marked') == 1, drawing)
        rule = re.search(r'\n\*frame.*\n +\^ (\S+: \S+)', ladder).group(1)
        is_so(f'the marked row names {rule}', rule in words(drawing), words(drawing))
        is_so('a drawing has no script', 'script' not in drawing and ' on' not in re.sub('>[^<]*<', '', drawing))
    # What follows the fault was not known when the text was printed.
    offered = [words(drawing) for drawing in found if 'frame 79' in words(drawing)]
    is_so('events after the fault are drawn', all('RDMA_ERROR 0x11223344, ERR_VERS, 28 octets' in drawing and
                                                  'Call 0xabcd0003, NULL, 68 octets' in drawing
                                                  for drawing in offered) and offered, offered)


def chunks_drawn():
    two = write_chunk((0xb, 114, 1000))
    vectors('map.json', [call(two), rdma('rdmaWrite', 0xb, 1000, 57), rdma('rdmaWrite', 0xb, 1020, 10),
                         reply(write_chunk((0xb, 9, 1000)))])
    _, page = report(0, '--rule', 'rfc8166/3.4.6/returned-length-written', 'map.json')
    bars = re.findall(r'<rect class=(\w+) x=(\d+) y=\d+ width=(\d+)', drawings(page)[0])
    is_so('a bar is drawn to scale', [each for each in bars if each[0] != 'marked'] == [
        ('offered', '128', '456'), ('moved', '128', '80'), ('twice', '208', '40'), ('moved', '248', '108')], bars)
    holds('its text', '\n'.join(words(drawings(page)[0])), '114 octets offered, 57 written, 10 twice, 9 returned')


def bounded():
    vectors('many.json', [send('client', '00000001 00000001 00000020 00000002 00000000 00000000 00000000')] * 150)
    _, page = report(1, '--all', 'many.json')
    is_so('a page has at most 100 drawings', len(drawings(page)) == 100, len(drawings(page)))
    holds('and says so', page, 'The first 100 have a ladder.')
    _, page = report(1, 'many.json')
    is_so('nor does it where all have one', 'The first 100' not in page)


# ---- results ----

def marked(drawing):
    """What the marked row says; of a drawing without one nothing."""
    found = re.search(r'class=marked.*?\n<text[^>]*>event \d+<.*?text-anchor=middle>(.*?)<', drawing, re.S)
    return found.group(1) if found else ''


class Elements(html.parser.HTMLParser):
    """Each element ends, in the order in which they began."""
    def __init__(self, page):
        super().__init__()
        self.open, self.is_good = [], True
        self.feed(page)
        self.is_good = self.is_good and not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in ('meta', 'br'):
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.is_good = self.is_good and bool(self.open) and self.open.pop() == tag


def page_of(name):
    with open(name, encoding='utf-8') as file:
        page = file.read()
    is_so(f'{name} is well formed', Elements(page).is_good)
    return page


def failed_vectors():
    """A vector that expects a finding where there is none: its events, the one that failed marked."""
    wrong = reply('00000000 ')
    wrong['expect'] = {'findings': [{'rule': 'rfc8166/4.2.1/xid-equal', 'severity': 'violation'}]}
    vectors('wrong.json', [call('00000000 '), wrong, call('00000000 ')])
    run(1, 'vectors', '--html', 'w.html', '--json', 'w.result', 'wrong.json')
    found = drawings(page_of('w.html'))
    is_so('a failed vector has a ladder', len(found) == 1, len(found))
    is_so('of its events', [word for word in words(found[0]) if 'octets' in word] ==
          ['Call 0x2f0c0001, 68 octets', 'Reply 0x2f0c0001, 52 octets', 'Call 0x2f0c0001, 68 octets'], words(found[0]))
    is_so('with the one that failed marked', marked(found[0]) == 'Reply 0x2f0c0001, 52 octets', found[0])
    run(0, 'vectors', '--merge', '--html', 'm.html', 'w.result')
    found = drawings(page_of('m.html'))
    is_so('merged, that Send is all that is known', len(found) == 1 and marked(found[0]) == 'Reply 0x2f0c0001, 52 octets',
          found)
    run(0, 'vectors', '--html', 'g.html', os.path.join(recorded, '..', 'header-length.json'))
    is_so('what did not fail has none', not drawings(page_of('g.html')))
    vectors('wrong.json', [call('00000000 '), wrong, *[call('00000000 ')] * 5])
    run(1, 'vectors', '--html', 'w.html', 'wrong.json')
    is_so('three events more are drawn, to see what came of it',
          len([word for word in words(drawings(page_of('w.html'))[0]) if 'octets' in word]) == 5)
    vectors('wrong.json', [call('00000000 '), *[wrong] * 150])
    run(1, 'vectors', '--html', 'w.html', 'wrong.json')
    is_so('a page has at most 100', len(drawings(page_of('w.html'))) == 100)
    holds('and says so', page_of('w.html'), 'The first 100 failures have a ladder.')


def started(*arguments):
    return subprocess.Popen([rpcrdma, *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def reaches(*arguments):
    """As run(), once the peer listens."""
    for _ in range(100):
        done = subprocess.run([rpcrdma, *arguments], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 4:
            break
        time.sleep(0.1)
    is_so(f'{arguments}: status 1', done.returncode == 1, f'{done.returncode} {done.stderr}')


def ends(process):
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)


def live():
    """A Reply with another XID, injected between two good peers: marked in the page of each that saw it."""
    port = 21100 + os.getpid() % 20000
    target, faulty, relay = (f'iwarp://127.0.0.{host}:{port}' for host in (24, 25, 26))
    for command, number in ('request', 2), ('probe', 12):
        peer = started('respond', target)
        fault = started('proxy', '--fault', f'xid-reply:{number}', faulty, target)
        proxy = started('proxy', '--html', 'p.html', relay, faulty)
        options = ['--case', 'ec*', '--case', 'pull-*'] if command == 'probe' else []
        reaches(command, *options, '--html', 'l.html', '--timeout', '2', relay)
        for process in proxy, fault, peer:
            ends(process)
        for who, page in ((command, page_of('l.html')), ('proxy', page_of('p.html'))):
            found = [drawing for drawing in drawings(page) if 'violation: rfc8166/4.2.1/xid-equal' in words(drawing)]
            is_so(f'{who}: the fault is drawn', len(found) >= 1, '')
            if who == command:
                is_so(f'{who}: its Reply is marked', found and marked(found[0]).startswith('Reply 0xfeed0002'), found)
            is_so(f'{who}: the Call stands before it', found and any(
                word.startswith('Call 0x') for word in words(found[0])[:words(found[0]).index(
                    'violation: rfc8166/4.2.1/xid-equal')]), found)
            is_so(f'{who}: with the time', found and any(re.fullmatch(r'\+\d+\.\d{6}', word)
                                                        for word in words(found[0])), found)
            is_so(f'{who}: findings of one case stand beside it', len(re.findall('<details', page)) > 1)


# ---- Calls in flight and credits over time ----

STEPS, LEFT, WIDTH, ROOM = 120, 56, 592, 104  # of the plot


def reckoned(capture):
    """By step: the most Calls of the client that wait, the most credits, whether there is a finding; from the JSON."""
    rows, waiting, granted = [], set(), 0
    for line in map(json.loads, run(1, 'check', '--all', '--json', capture).splitlines()):
        if line['kind'] != 'event' or not line['time']:
            continue
        seconds, fraction = line['time'].split('.')
        at = int(seconds[-2:]) * 10**9 + int(seconds[-5:-3]) * 60 * 10**9 + int(fraction[:9])
        if line['type'] == 'send' and line['from'] == 'client' and line['direction'] == 'call':
            waiting.add(line['xid'])
        if line['type'] == 'send' and line['from'] == 'server' and line['direction'] == 'reply':
            waiting.discard(line['xid'])
            granted = line['credit'] or granted
        rows.append((at, len(waiting), granted, bool(line['findings'])))
    width = 1000
    while (rows[-1][0] - rows[0][0]) // width >= STEPS:
        width *= 2
    steps = {}
    for at, flying, credits, found in rows:
        flown, had, marked_so = steps.get((at - rows[0][0]) // width, (0, 0, False))
        steps[(at - rows[0][0]) // width] = max(flown, flying), max(had, credits), marked_so or found
    return steps


def over_time():
    for name in 'linux-6.1-nfs42.pcap', 'linux-6.1-errors.pcap':
        capture = os.path.join(recorded, name)
        run(1, 'check', '--all', '--html', 'time.html', capture)
        plots = re.findall('<svg[^>]*aria-label="Calls in flight[^>]*>.*?</svg>', page_of('time.html'), re.S)
        if name == 'linux-6.1-errors.pcap':
            is_so(f'{name}: no plot where no two Calls wait together', not plots, len(plots))
            continue
        is_so(f'{name}: the connection with findings has a plot', len(plots) == 1, len(plots))
        steps, plot = reckoned(capture), plots[0]
        most = max(max(step[:2]) for step in steps.values())

        def step_of(x):
            return round((float(x) - LEFT) / ((WIDTH - 8 - LEFT) / STEPS))
        bars = {step_of(x): round(float(height) * most / ROOM)
                for x, height in re.findall(r'class=moved x=(\S+) y=\S+ width=\S+ height=(\S+) ', plot)}
        is_so('bars: Calls that wait', bars == {at: step[0] for at, step in steps.items() if step[0]}, bars)
        lines = {step_of(x): round((120 - float(y)) * most / ROOM) for x, y in re.findall(r'class=memory d="M(\S+) (\S+)h', plot)}
        is_so('lines: credits', all(lines.get(at, 0) == step[1] for at, step in steps.items()), lines)
        marks = {step_of(x) for x in re.findall(r'class=twice x=(\S+) ', plot)}
        is_so('marks: findings', marks == {at for at, step in steps.items() if step[2]}, marks)
    run(1, 'check', '--html', 'time.html', os.path.join(os.path.dirname(recorded), 'header-xdr.json'))
    is_so('no plot without times', 'Calls in flight' not in page_of('time.html'))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in maps, rows, decoded, gaps, in_readme, drawn, chunks_drawn, bounded, failed_vectors, over_time, live:
            test()
        os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
