#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/rpcrdma"
"""Each output option of each command, as `rpcrdma --generate files` lists them, against what a user or a
machine may do to it: no input is lost, and a report is whole or yesterday's. Then runs that are
interrupted, in a pipe: what was found is there.

usage: outputs_test.py PATH_TO_RPCRDMA [TABLE]

TABLE: a file for the matrix, as text. OUTPUT_KILLS: how often each run is killed (2); OUTPUT_SEED: of the
moments; both are printed."""
import html
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from processes import Client, Peers, copy, fill, free_port, is_alive, litter, mounted, parses, read, unmounted, wait_for_handlers, write  # noqa: E402

RPCRDMA = os.path.realpath(sys.argv[1])
TABLE = os.path.realpath(sys.argv[2]) if len(sys.argv) > 2 else None
KILLS = int(os.environ.get('OUTPUT_KILLS', '2'))
SEED = int(os.environ.get('OUTPUT_SEED', str(time.time_ns() % 1000000)))
RECORDED = os.path.realpath('vectors/recorded')
VECTORS = os.path.realpath('vectors')
MATRIX = os.path.realpath('conformance/matrix')
rand = random.Random(SEED)
passed = failed = skipped = 0
matrix = {}


PEER = 'iwarp://127.0.0.1:%d' % free_port()
LISTEN = 'iwarp://127.0.0.1:%d' % free_port()
# How a command is run so that all of its options have something to write: its arguments, and the file
# among them that is read, if it reads one. What vectors.json expects is wrong, so that something fails.
# Of `trace`, which would need the kernel of a peer, only what is refused at once is tried.
RUNS = {
    'check': (['capture.pcap'], 'capture.pcap'),
    'stat': (['capture.pcap'], 'capture.pcap'),
    'vectors': (['vectors.json'], 'vectors.json'),
    'probe': (['--vectors', 'vectors.json'], 'vectors.json'),
    'serve': ([], None),
    'proxy': (['--connections', '1', LISTEN, PEER], None),
    'request': ([PEER], None),
    'trace': ([], None),
    'matrix': (['--peer', 'one', '--release', '1', '--side', 'codec', '--transport', 'none', 'matrix.json'], 'matrix.json'),
}
# Packets are to be seen between two processes alone.
BY_PEER = {('probe', '--capture'): [PEER], ('serve', '--capture'): [LISTEN]}
OLD = 'yesterday\n' * 400


def verdict(name, good, what=''):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print('FAILED: %s\n    %s' % (name, what))
    return good


def note(name, column, text):
    matrix.setdefault(name, {})[column] = text


class Ran:
    def __init__(self, arguments, **more):
        client = Client(RPCRDMA, LISTEN) if LISTEN in arguments else None
        done = subprocess.run([RPCRDMA] + arguments, stdin=more.pop('stdin', subprocess.DEVNULL),
                              capture_output=True, timeout=120, check=False, **more)
        if client:
            client.end()
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.said = done.stderr.decode(errors='replace').split('\n')[0]


# ---- the options ----

def options():
    """(command, option) of each file that is written, those that read one, those that may update one."""
    written, reads, unknown = [], {}, []
    for line in Ran(['--generate', 'files']).out.decode().splitlines():
        command, option, _, direction = line.split()
        if direction == 'written':
            written.append((command, option))
        elif direction == 'read':
            reads.setdefault(command, []).append(option)
        else:
            unknown.append(line)
    verdict('each option says what it does with its file', not unknown, unknown)
    verdict('there are outputs', len(written) >= 20, written)
    return written, reads


def content(option, octets):
    """Without what is another each time: times, XIDs, handles; of a capture no more than that it is one."""
    if option == '--capture':
        return subprocess.run([RPCRDMA, 'check', '-'], input=octets, capture_output=True, check=False).returncode in (0, 1)
    if option == '--record':
        octets = re.sub(rb'"(0x)?[0-9a-f]{8,}"|"handle":[0-9]+', b'', octets)
    return re.sub(rb'(time|Z)="?[0-9.]*"?|"microseconds":[0-9]+', b'', octets)


# ---- what is refused before anything is done ----

def refused(name, column, arguments, both, kept):
    """Status 2, a line that names both, and the files as they were."""
    before = {file: read(file) if os.path.exists(file) else None for file in kept}
    ran = Ran(arguments)
    after = {file: read(file) if os.path.exists(file) else None for file in kept}
    good = ran.status == 2 and all(each in ran.said for each in both) and before == after
    verdict('%s, %s: is refused' % (name, column), good, (ran.status, ran.said, before == after))
    note(name, column, '%d, %s' % (ran.status, 'as it was' if before == after else 'CHANGED'))


def refuse_inputs(command, option, others, reads):
    name = '%s %s' % (command, option)
    arguments, own = RUNS[command]
    for link in ('symlink', 'hardlink'):
        if os.path.lexists(link):
            os.unlink(link)
    if own:
        os.symlink(own, 'symlink')
        os.link(own, 'hardlink')
        for column, file in (('same file', own), ('symlink', 'symlink'), ('hard link', 'hardlink'),
                             ('other spelling', './folder/../' + own)):
            refused(name, column, [command, option, file] + arguments, (option, own), (own,))
    if command in ('vectors', 'probe'):
        folder = [each.replace('vectors.json', 'folder') for each in arguments]
        refused(name, 'in the folder', [command, option, 'folder/in.json'] + folder, (option, 'folder'),
                ('folder/in.json',))
        refused(name, 'new in the folder', [command, option, 'folder/new'] + folder, (option, 'folder'),
                ('folder/new',))
        refused(name, 'linked into the folder', [command, option, 'outside.json'] + folder, (option, 'folder'),
                ('outside.json',))
    for other in others:
        if other == option:
            continue
        refused(name, 'two outputs, %s' % other, [command, option, 'one', other, './one'] + arguments,
                (option, other), ('one',))
        os.symlink('one', 'dangling')
        refused(name, 'two outputs, a link', [command, option, 'one', other, 'dangling'] + arguments,
                (option, other), ('one',))
        os.unlink('dangling')
    if '--known' in reads and option != '--write-known':
        write('list.known', '')
        refused(name, 'list that is read', [command, '--known', 'list.known', option, 'list.known'] + arguments,
                (option, '--known', 'list.known'), ('list.known',))


# ---- a run that writes ----

def arguments_of(command, option, file):
    return [command, option, file] + BY_PEER.get((command, option), RUNS[command][0])


def fails_whole(name, column, ran, file, wanted):
    same = os.path.exists(file) and read(file).decode(errors='replace') == OLD
    good = ran.status == 3 and wanted in ran.err.decode(errors='replace') and same
    verdict('%s, %s: yesterday\'s stays' % (name, column), good, (ran.status, ran.err[-200:], same))
    verdict('%s, %s: nothing lies about' % (name, column), not litter(os.path.dirname(file) or '.'))
    note(name, column, '%d, %s' % (ran.status, 'as it was' if same else 'CHANGED'))


def bad_places(command, option):
    global skipped
    name = '%s %s' % (command, option)
    ran = Ran(arguments_of(command, option, '/dev/full'))
    verdict('%s, /dev/full' % name, ran.status == 3 and b'/dev/full: No space left' in ran.err,
            (ran.status, ran.err[-200:]))
    note(name, '/dev/full', str(ran.status))
    ran = Ran(arguments_of(command, option, 'nowhere/out'))
    verdict('%s, no folder' % name, ran.status == 3 and b'nowhere/out: No such file' in ran.err,
            (ran.status, ran.err[-200:]))
    small = mounted('size=256k')
    if small is None:
        skipped += 2
        print('skipped: %s on a full and a read-only file system: only root may mount' % name)
        return
    try:
        write('small/out', OLD)
        fill('small')
        fails_whole(name, 'full disk', Ran(arguments_of(command, option, 'small/out')), 'small/out',
                    'small/out: No space left')
        os.unlink('small/filler')
        subprocess.run(['mount', '-o', 'remount,ro', 'small'], check=True)
        fails_whole(name, 'read-only', Ran(arguments_of(command, option, 'small/out')), 'small/out',
                    'small/out: Read-only file system')
    finally:
        unmounted()


def unreadable(command, option):
    name = '%s %s' % (command, option)
    own = RUNS[command][1]
    if own is None or (command, option) in BY_PEER:
        return
    write('out', OLD)
    arguments = [each.replace(own, 'nowhere') for each in arguments_of(command, option, 'out')]
    fails_whole(name, 'unreadable input', Ran(arguments), 'out', 'nowhere')


def good_run(command, option):
    """The output, as a new file, in place of an old one, through a link, and into a FIFO; of one name, for
    records have that in them."""
    name = '%s %s' % (command, option)
    for file in ('out', 'real/out'):
        if os.path.lexists(file):
            os.unlink(file)
    began = time.monotonic()
    ran = Ran(arguments_of(command, option, 'out'))
    took = time.monotonic() - began
    if not verdict('%s: writes' % name, ran.status in (0, 1) and os.path.exists('out'),
                   (ran.status, ran.err[-200:])):
        return None
    whole = content(option, read('out'))
    mask = os.umask(0o022)
    os.umask(mask)
    verdict('%s: has the mode of a new file' % name, os.stat('out').st_mode & 0o777 == 0o666 & ~mask)
    write('real/out', OLD)
    os.chmod('real/out', 0o640)
    Ran(arguments_of(command, option, 'link/out'))
    verdict('%s: a link stays one, and its file is replaced' % name,
            os.path.islink('link/out') and content(option, read('real/out')) == whole)
    verdict('%s: the mode stays' % name, os.stat('real/out').st_mode & 0o777 == 0o640)
    with open('got', 'wb') as got, subprocess.Popen(['cat', 'fifo/out'], stdout=got):
        Ran(arguments_of(command, option, 'fifo/out'))
    verdict('%s: a FIFO gets it as it comes' % name, content(option, read('got')) == whole)
    verdict('%s: nothing lies about' % name, not litter())
    return whole, took


def killed(command, option, whole, took):
    name = '%s %s' % (command, option)
    counts = {'yesterday\'s': 0, 'new': 0, 'other': 0}
    for number in range(KILLS):
        write('out', OLD)
        client = Client(RPCRDMA, LISTEN) if LISTEN in arguments_of(command, option, 'out') else None
        with subprocess.Popen([RPCRDMA] + arguments_of(command, option, 'out'), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            # Most in the second half of the run, where files are written.
            time.sleep(took * rand.uniform(0.4 if number % 2 else 0, 1.05))
            process.kill()
            process.wait()
        if client:
            client.end()
        now = read('out')
        counts['yesterday\'s' if now == OLD.encode() else 'new' if content(option, now) == whole else 'other'] += 1
        for left in litter(): # SIGKILL leaves what was written beside
            os.unlink(left)
    verdict('%s, killed: whole, or yesterday\'s' % name, counts['other'] == 0, counts)
    note(name, 'killed %d times' % KILLS, '%(yesterday\'s)d yesterday\'s, %(new)d new, %(other)d other' % counts)


# ---- --output ----

READERS = {'.json': lambda text: [json.loads(line) for line in text.splitlines()] if text.count('\n{') else json.loads(text),
           '.sarif': json.loads, '.xml': xml.etree.ElementTree.fromstring, '.html': lambda text: text.index('</html>')}


def gathers(command, written):
    """The folder has what the options of the same command write, whole, and a page that names each."""
    name = '%s --output' % command
    arguments, own = RUNS[command]
    ran = Ran([command, '--output', 'all'] + arguments)
    files = sorted(os.listdir('all'))
    kinds = {'--html': 'report.html', '--junit': 'junit.xml', '--json': 'results.json', '--sarif': 'findings.sarif'}
    wanted = {kinds[option] for of, option in written if of == command and option in kinds}
    verdict(name + ': every report is there', wanted | {'index.html'} <= set(files), (ran.status, ran.said, files))
    for file in files:
        try:
            READERS[os.path.splitext(file)[1]](read('all/' + file).decode())
        except (ValueError, xml.etree.ElementTree.ParseError) as error:
            verdict('%s: %s is whole' % (name, file), False, error)
    index = read('all/index.html').decode()
    linked = sorted(re.findall('href="./([^"]*)"', index))
    verdict(name + ': the page names each', linked == [file for file in files if file != 'index.html'], linked)
    good = {'check': 'no failure found', 'stat': 'counted; no limit is broken'}.get(command, 'all as required')
    verdict(name + ': and how it ended', 'Exit status %d: %s' % (ran.status, '' if ran.status else good + '. ') in index, index[-2000:])
    for other, link in (('elsewhere.html', '../elsewhere.html'), ('all/else & <where>?.html', './else%20%26%20%3Cwhere%3E%3F.html'),
                        (os.path.abspath('real/else:where.html'), '../real/else%3Awhere.html')):
        os.makedirs(os.path.dirname(os.path.abspath(other)), exist_ok=True)
        Ran([command, '--output', 'all', '--html', other] + arguments)
        row = '<a href="%s">%s</a></td><td class="count">%d</td>' % (link, html.escape(urllib.parse.unquote(link)),
                                                                      os.path.getsize(other) if os.path.exists(other) else -1)
        verdict('%s: a report may be elsewhere: %s' % (name, other), row in read('all/index.html').decode(), (row, read('all/index.html')[-600:]))
        if os.path.exists(other):
            os.unlink(other)
    again = Ran([command, '--output', 'all'] + arguments)
    verdict(name + ': it is written again', again.status == ran.status and sorted(os.listdir('all')) == files, again.said)
    for file in (set(kinds.values()) | {'recorded.json'}) - set(files):
        write('all/' + file, OLD) # of another command, which ran before
    Ran([command, '--output', 'all'] + arguments)
    again = sorted(re.findall('href="./([^"]*)"', read('all/index.html').decode()))
    verdict(name + ': the page names no other files', again == linked, again)
    if own:
        Ran([command, '--output', 'all'] + [each.replace(own, 'nowhere') for each in arguments])
        verdict(name + ': nor those of an earlier run', b'href' not in read('all/index.html'), read('all/index.html')[-400:])
    write('no-folder', OLD)
    bad = Ran([command, '--output', 'no-folder'] + arguments)
    verdict(name + ': a file is no folder', bad.status == 3 and read('no-folder') == OLD.encode(), (bad.status, bad.said))
    for file in ('all/report.html', 'all/index.html') if own else ():
        copy(own, file)
        bad = Ran([command, '--output', 'all'] + [each.replace(own, file) for each in arguments])
        verdict(name + ': what is read there stays', bad.status == 2 and read(file) == read(own), (bad.status, bad.said))
    bad = Ran([command, '--output', 'all', '--html', 'all/index.html'] + arguments)
    verdict(name + ': the first page is no report', bad.status == 2 and 'one file' in bad.said, (bad.status, bad.said))
    shutil.rmtree('all')


def bad_folders(command):
    """On a full disk and a read-only one every file of the folder stays, and none is new."""
    global skipped
    name = '%s --output' % command
    if mounted('size=256k') is None:
        skipped += 2
        return
    try:
        os.mkdir('small/all')
        for file in ('index.html', 'report.html', 'junit.xml'):
            write('small/all/' + file, OLD)
        before = {file: read('small/all/' + file) for file in os.listdir('small/all')}
        fill('small')
        for column, wanted in (('full disk', b'No space left'), ('read-only', b'Read-only file system')):
            ran = Ran([command, '--output', 'small/all'] + RUNS[command][0])
            same = before == {file: read('small/all/' + file) for file in os.listdir('small/all')}
            verdict('%s, %s: all stays' % (name, column), ran.status == 3 and wanted in ran.err and same,
                    (ran.status, ran.err[-200:], same))
            note(name, column, '%d, %s' % (ran.status, 'as it was' if same else 'CHANGED'))
            subprocess.run(['mount', '-o', 'remount,ro', 'small'], check=True)
    finally:
        unmounted()


def test_matrix():
    with subprocess.Popen([RPCRDMA, 'respond', PEER], stderr=subprocess.PIPE) as peer:
        peer.stderr.readline() # it waits
        try:
            fill_matrix()
        finally:
            peer.terminate()


def fill_matrix():
    written, reads = options()
    for command, option in written:
        others = [each for of, each in written if of == command]
        if not verdict('%s is a command that this test knows' % command, command in RUNS):
            continue
        refuse_inputs(command, option, others, reads.get(command, []))
        if option == '--output':
            gathers(command, written)
            bad_folders(command)
        if command == 'trace' or option == '--output':
            continue
        bad_places(command, option)
        unreadable(command, option)
        good = good_run(command, option)
        if good:
            killed(command, option, *good)


# ---- lists of expected failures ----

def test_reasons():
    Ran(['check', '--write-known', 'k', 'capture.pcap'])
    lines = read('k').decode().splitlines()
    lines[1] = lines[1].replace('reason: ', 'they know, and repair it in #17')
    lines[2:2] = ['', '# The rest is of today.', 'rfc8166/3.3.1/grant-not-zero server 192.0.2.7 # gone']
    write('k', '\n'.join(lines + ['# The end.']) + '\n')
    Ran(['check', '--known', 'k', '--write-known', 'k', 'capture.pcap'])
    del lines[4]
    verdict('reasons and remarks stay, what did not occur goes',
            read('k').decode() == '\n'.join(lines + ['# The end.']) + '\n', read('k'))
    ran = Ran(['check', '--known', 'k', '--write-known', 'k', '--side', 'client', 'capture.pcap'])
    verdict('of what a filter hides nothing goes', read('k').decode() == '\n'.join(lines + ['# The end.']) + '\n',
            read('k'))
    verdict('nor is it stale', ran.status == 0, ran.said)
    kept = lines[:4] + lines[5:] # without a finding
    write('k', '\n'.join(kept) + '\n')
    Ran(['check', '--known', 'k', '--write-known', 'k', 'capture.pcap'])
    new = read('k').decode().splitlines()
    verdict('what is new comes after what stays', new[:len(kept)] == kept and len(new) == len(kept) + 1 and
            new[-1].endswith('# reason: '), new[len(kept) - 1:])
    Ran(['vectors', '--json', 'results', 'vectors.json'])
    results = [json.loads(line) for line in read('results').splitlines()]
    bad = [each for each in results if each.get('ending') == 'wrong-answer' and each['rule'] and each['breaks']]
    rule = '%s wrong-answer # a class that we know\n' % bad[0]['rule']
    others = {each['test'] for each in results
              if each.get('ending') == 'wrong-answer' and each['rule'] != bad[0]['rule']}
    write('t', 'no-such-test wrong-answer # gone\n' + rule)
    Ran(['vectors', '--known', 't', '--write-known', 't', 'vectors.json'])
    new = read('t').decode()
    verdict('a class that occurred stays a class', new.startswith(rule) and 'no-such-test' not in new and others ==
            {line.split()[0].split(':')[0] for line in new.splitlines()[1:]}, new[:300])


# ---- interrupts ----

SLOW = 'echo $$ >testee.pid; while read -r line; do sleep 0.01; echo discard; done'
DEAF = 'echo $$ >testee.pid; trap "" HUP PIPE TERM INT; while :; do sleep 1; done'
REPORTS = ['--html', 'i.html', '--junit', 'i.junit', '--json', 'i.json']
INTERRUPTED = {
    'check, a pipe': (['check', '--html', 'i.html', '--junit', 'i.junit', '--sarif', 'i.sarif', '-'], 'pipe'),
    'check --json, a pipe': (['check', '--json', '-'], 'pipe'),
    'check --tap, a pipe': (['check', '--tap', '-'], 'pipe'),
    'check, a file': (['check', '--html', 'i.html', '--sarif', 'i.sarif', 'large.pcap'], None),
    'decode, a pipe': (['decode', '-'], 'pipe'),
    'decode, a file': (['decode', 'large.pcap'], None),
    'stat, a pipe': (['stat', '--html', 'i.html', '-'], 'pipe'),
    'stat --json, a file': (['stat', '--json', '--html', 'i.html', 'large.pcap'], None),
    'rules': (['rules'], None),
    'vectors': (['vectors'] + REPORTS + [VECTORS], None),
    'matrix': (['matrix', '--html', 'i.html', MATRIX], None),
    'vectors --testee': (['vectors', '--testee', SLOW] + REPORTS + ['vectors.json'], None),
    'vectors --testee, deaf': (['vectors', '--testee', DEAF, '--timeout', '60'] + REPORTS + ['vectors.json'], None),
    'probe': (['probe', '--record', 'i.record'] + REPORTS, None),
    'probe --draft 07': (['probe', '--draft', '07'] + REPORTS, None),
    'probe --vectors': (['probe', '--vectors', RECORDED + '/linux-6.1-nfs42.json'] + REPORTS, None),
    'probe --random': (['probe', '--random', '--seconds', '30'] + REPORTS, None),
    'serve': (['serve'] + REPORTS, None),
    'serve --draft 04': (['serve', '--draft', '04'] + REPORTS, None),
    'serve, nobody comes': (['serve'] + REPORTS + ['roce://SERVER'], None),
    'probe over a wire': (['probe'] + REPORTS + ['roce://SERVER'], 'server'),
    'proxy, nobody comes': (['proxy', '--connections', '1', '--record', 'i.record', '--capture', 'i.pcap'] + REPORTS +
                            ['roce://PROXY', 'roce://SERVER'], None),
}


def interrupt(name, number, longest):
    arguments, need = INTERRUPTED[name]
    for file in os.listdir('.'):
        if file.startswith('i.') or file == 'testee.pid':
            os.unlink(file)
    peers = Peers(RPCRDMA, need)
    arguments = [each.replace('SERVER', peers.server).replace('PROXY', peers.proxy) for each in arguments]
    process = subprocess.Popen([RPCRDMA] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.PIPE if need == 'pipe' else subprocess.DEVNULL)
    if need == 'pipe':
        octets = read('capture.pcap')
        process.stdin.write(octets[:len(octets) * rand.randrange(1, 10) // 10])
        process.stdin.flush()
    wait_for_handlers(process)
    moment = rand.uniform(0, longest)
    time.sleep(moment)
    over = process.poll() is not None
    number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[number % 3]
    process.send_signal(number)
    began = time.monotonic()
    out = err = b''
    watch = threading.Timer(20, process.kill)
    watch.start()
    try:
        out, err = (process.stdout.read(), process.stderr.read()) if need == 'pipe' else process.communicate(timeout=20)
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    watch.cancel()
    took = time.monotonic() - began
    if process.stdin:
        process.stdin.close()
    peers.end()
    what = '%s, %s after %.3f s' % (name, number.name, moment)
    check_interrupted(name, what, process.returncode, out, err, over)
    verdict('%s: ends soon' % what, took < 15, took)
    if os.path.exists('testee.pid') and read('testee.pid').strip():
        time.sleep(0.05)
        verdict('%s: the testee is ended' % what, not is_alive(int(read('testee.pid'))))


def check_interrupted(name, what, status, out, err, over):
    global interrupts
    files = [file for file in sorted(os.listdir('.')) if file.startswith('i.')]
    cut = status in (130, -signal.SIGINT)
    good = cut or status in (0, 1) or (status == 4 and name.startswith(('serve', 'proxy', 'probe over')))
    verdict('%s: its status' % what, good, (status, err[-300:]))
    verdict('%s: nothing lies about' % what, not litter(), litter())
    for file in files:
        try:
            whole = parses(file)
        except (ValueError, xml.etree.ElementTree.ParseError) as error:
            whole = error
        verdict('%s: %s is whole' % (what, file), whole is True, whole)
    if not cut or over:
        return
    interrupts[name] = interrupts.get(name, 0) + 1
    verdict('%s: says so' % what, b'interrupted' in out[-400:] + err[-400:] or name == 'rules',
            (out[-200:], err[-200:]))
    begun = b': interrupted' in err # there was nothing to report yet
    wanted = [each for each in INTERRUPTED[name][0] if each in ('i.html', 'i.junit', 'i.json', 'i.sarif')]
    for file in wanted:
        there = file in files
        verdict('%s: %s says so' % (what, file), (there and b'interrupted' in read(file)) or (begun and not there),
                err[-200:])
    if name == 'vectors --testee':
        verdict('%s: no accusation for it' % what, b'"ending":"stalled"' not in read('i.json'))
    if name == 'probe --random':
        verdict('%s: the seed is known' % what, re.match(rb'rpcrdma: seed \d+\n', err) is not None, err[:80])


def test_interrupts():
    # How long each takes if it is left alone, to strike in the midst of it.
    for name, (arguments, _) in INTERRUPTED.items():
        longest = 0.6
        if name in ('check, a file', 'decode, a file', 'stat --json, a file', 'rules', 'vectors', 'matrix', 'probe',
                                     'probe --draft 07',
                                     'probe --vectors', 'serve', 'serve --draft 04'):
            began = time.monotonic()
            Ran(arguments)
            longest = time.monotonic() - began
        for number in range(max(3, KILLS)):
            interrupt(name, number, longest)
        print('interrupted: %-24s %d of %d' % (name, interrupts.get(name, 0), max(3, KILLS)))


def test_second_interrupt():
    """Output that nobody takes: the first signal cannot end it, also where timeout(1) sends it twice; a later one does."""
    process = subprocess.Popen([RPCRDMA, 'check', '--all', '--html', 'i.html', 'large.pcap'], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    time.sleep(0.5)
    for _ in range(2):
        process.send_signal(signal.SIGTERM)
    time.sleep(0.4)
    verdict('a first signal waits for the output', process.poll() is None)
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
    verdict('a second signal ends it at once', process.returncode == -signal.SIGTERM, process.returncode)
    verdict('and leaves nothing lying about', not litter(), litter())


def print_matrix():
    if TABLE is None:
        return
    columns = []
    for row in matrix.values():
        columns += [column for column in row if column not in columns]
    with open(TABLE, 'w') as out:
        for name, row in matrix.items():
            for column in columns:
                if column in row:
                    out.write('%-22s %-28s %s\n' % (name, column, row[column]))


def main():
    print('seed %d, each run killed %d times' % (SEED, KILLS))
    with tempfile.TemporaryDirectory() as folder:
        copy(RECORDED + '/linux-6.1-errors.pcap', folder + '/capture.pcap')
        with open(VECTORS + '/nomsg.json') as file:
            vectors = json.load(file)
        os.chdir(folder)
        for event in [event for test in vectors['tests'] for event in test['events']]:
            if 'headerLength' in event.get('expect', {}):
                event['expect']['headerLength'] = 3
        write('vectors.json', json.dumps(vectors))
        Ran(['vectors', '--json', 'results', 'vectors.json'])
        Ran(['matrix', '--submit', 'matrix.json'] + RUNS['matrix'][0][:-1] + ['results'])
        octets = read('capture.pcap')
        with open('large.pcap', 'wb') as large:
            large.write(octets[:24] + octets[24:] * 100)
        for name in ('folder/deep', 'real', 'link', 'fifo'):
            os.makedirs(name)
        os.symlink('../real/out', 'link/out')
        os.mkfifo('fifo/out')
        copy('vectors.json', 'folder/in.json')
        copy('vectors.json', 'outside.json')
        os.symlink('../../outside.json', 'folder/deep/linked.json')
        try:
            test_matrix()
            test_reasons()
            test_interrupts()
            test_second_interrupt()
        finally:
            unmounted()
        print_matrix()
        os.chdir('/')
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return failed > 0


interrupts = {}
# A daemon or nohup may have had them ignored: children would inherit that.
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(each, signal.SIG_DFL)
sys.exit(main())
