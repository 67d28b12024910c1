#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# needs: tshark
"""The front end for Wireshark: the plugin shows the findings of `check`, and the sources of the extcap come through tshark.

usage: wireshark_test.py RPCRDMA
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wireshark')
PLUGIN = ['-X', 'lua_script:' + os.path.join(HERE, 'rpcrdma.lua')]
EXTCAP = os.path.join(HERE, 'rpcrdma-extcap')
RECORDED = os.path.abspath('vectors/recorded')
passed = failed = 0


def is_so(what, is_true, shown=''):
    global passed, failed
    passed += bool(is_true)
    failed += not is_true
    if not is_true:
        print(f'FAILED: {what}\n{shown}')


def output(*command, status=0, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)
    if status is not None:
        is_so(f'{command}: status {status}', done.returncode == status, f'{done.returncode} {done.stderr}')
    return done.stdout


# ---- the plugin ----

def shown(capture):
    """Each finding that the plugin shows: frame, severity, side, rule, page; and the expert informations, by the frame that
    shows them, which is a later one where the finding was not certain before."""
    names = ('frame.number', 'rpcrdma.finding.frame', 'rpcrdma.finding.severity', 'rpcrdma.finding.side', 'rpcrdma.finding.rule',
             'rpcrdma.finding.page', '_ws.expert.message')
    text = output('tshark', *PLUGIN, '-r', capture, '-Y', 'rpcrdma.finding.rule', '-T', 'fields', '-E', 'aggregator=\x01',
                  *(word for name in names for word in ('-e', name)))
    rows, experts = set(), {}
    for line in text.splitlines():
        frame, late, *columns, messages = line.split('\t')
        experts[int(frame)] = messages.split('\x01')
        found = list(zip(*(column.split('\x01') for column in columns)))
        frames = [int(number) for number in late.split('\x01') if number]
        rows.update((number, *row) for number, row in zip([int(frame)] * (len(found) - len(frames)) + frames, found))
    return rows, experts


def wanted(rpcrdma, capture, *options):
    """What `check` finds, as the plugin has to show it."""
    rows = set()
    for line in output(rpcrdma, 'check', '--json', '--all', *options, capture, status=1).splitlines():
        event = json.loads(line)
        for finding in event.get('findings', []) if event['kind'] == 'event' else []:
            document, section = finding['rule'].split('/')[:2]
            rows.add((event['frame'], finding['severity'], event['from'], finding['rule'],
                      f'https://www.rfc-editor.org/rfc/{document}#section-{section}'))
    return rows


def plugin(rpcrdma):
    capture = os.path.join(RECORDED, 'linux-6.1-errors.pcap')
    rows = wanted(rpcrdma, capture)
    output(rpcrdma, 'check', '--all', '--annotate', 'annotated.pcapng', capture, status=1)
    found, experts = shown('annotated.pcapng')
    is_so('the plugin shows each finding', found == rows and len(rows) > 30, found ^ rows)
    for frame, _, _, rule, page in rows:
        is_so(f'frame {frame} has an expert information with its page',
              any(message.endswith(f'[{rule}] {page}') for message in experts.get(frame, [])), experts.get(frame))
    errors = output('tshark', *PLUGIN, '-r', 'annotated.pcapng', '-q', '-z', 'expert,error')
    is_so('violations are errors', sum(row[1] == 'violation' for row in rows) ==
          sum(int(count) for count in re.findall(r'(\d+) +Protocol +RPCRDMA_FINDINGS', errors, re.I)), errors)
    found, _ = shown(capture)
    is_so('a capture without comments shows none', not found, found)


# ---- what Wireshark asks of the extcap ----

def asked():
    text = output(EXTCAP, '--extcap-interfaces')
    sources = re.findall(r'interface \{value=([a-z-]+)\}\{display=[^}]+\}', text)
    is_so('three sources', sources == ['rpcrdma-trace', 'rpcrdma-proxy', 'rpcrdma-check'], text)
    for source in sources:
        text = output(EXTCAP, '--extcap-dlts', '--extcap-interface', source)
        is_so(f'{source}: Ethernet', text == 'dlt {number=1}{name=EN10MB}{display=Ethernet}\n', text)
        text = output(EXTCAP, '--extcap-config', '--extcap-interface', source)
        is_so(f'{source}: options', all(re.fullmatch(r'arg \{number=\d+\}\{call=--\w+\}\{display=[^}]+\}\{type=\w+\}.*', line)
                                        for line in text.splitlines()) and text, text)
    output(EXTCAP, status=2)
    output(EXTCAP, '--capture', '--extcap-interface', 'rpcrdma-proxy', '--fifo', 'none', status=1)
    output(EXTCAP, '--capture', '--extcap-interface', 'rpcrdma-unknown', '--fifo', 'none', status=2)


# ---- captures ----

def started(*command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ends(process):
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)


def requested(rpcrdma, address, status):
    for _ in range(150):
        done = subprocess.run([rpcrdma, 'request', '--timeout', '2', address], capture_output=True, text=True, timeout=60,
                              check=False)
        if done.returncode != 4:
            break
        time.sleep(0.2)
    is_so(f'request {address}: status {status}', done.returncode == status, done.stderr)


def captured(name, source, *options):
    """tshark on that source; the extcap's options are preferences."""
    words = []
    for option in options:
        words += ['-o', f'extcap.{source.replace("-", "_")}.{option}']
    return started('tshark', *words, '-i', source, '-w', name)


def grows(name):
    """The capture has packets while it is taken."""
    for _ in range(100):
        if os.path.exists(name) and len(output('tshark', '-r', name, status=None).splitlines()) > 8:
            return True
        time.sleep(0.2)
    return False


def relayed(rpcrdma):
    """A relay that tshark began; what the peer behind it does wrong stands beside the packets."""
    peer = started(rpcrdma, 'respond', 'iwarp://127.0.0.1:23931')
    faulty = started(rpcrdma, 'proxy', '--fault', 'grant-zero:2', 'iwarp://127.0.0.1:23933', 'iwarp://127.0.0.1:23931')
    tshark = captured('proxy.pcapng', 'rpcrdma-proxy', 'listen:iwarp://127.0.0.1:23932', 'target:iwarp://127.0.0.1:23933')
    requested(rpcrdma, 'iwarp://127.0.0.1:23932', 1)
    is_so('the relay: packets come while it runs', grows('proxy.pcapng'))
    for process in tshark, faulty, peer:
        ends(process)
    found, _ = shown('proxy.pcapng')
    rows = wanted(rpcrdma, 'proxy.pcapng')
    is_so('the relay: findings are shown', found == rows and any('grant' in row[3] for row in rows), (found, rows))


def on_interface(rpcrdma):
    """Traffic on the loopback between two peers and a relay that injects a fault, judged while it is captured."""
    port = 23941
    peer = started(rpcrdma, 'respond', f'iwarp://127.0.0.1:{port}')
    relay = started(rpcrdma, 'proxy', '--fault', 'xid-reply:2', f'iwarp://127.0.0.1:{port + 1}', f'iwarp://127.0.0.1:{port}')
    tshark = captured('lo.pcapng', 'rpcrdma-check', 'device:lo', f'port:{port + 1}')
    time.sleep(5)
    requested(rpcrdma, f'iwarp://127.0.0.1:{port + 1}', 1)
    is_so('the interface: packets come while it runs', grows('lo.pcapng'))
    time.sleep(1)
    for process in tshark, relay, peer:
        ends(process)
    found, _ = shown('lo.pcapng')
    rows = wanted(rpcrdma, 'lo.pcapng', '--port', str(port + 1))
    is_so('the interface: findings are shown', found == rows and any('xid' in row[3] for row in rows), (found, rows))


def traced(rpcrdma):
    """A kernel that is watched is not to be had here: the program that the extcap starts gives a recorded trace."""
    with open('trace', 'w', encoding='utf-8') as program:
        program.write(f'#!/bin/sh\n[ "$1" = trace ] || exec {rpcrdma} "$@"\necho "$@" >words\n'
                      f'cat {os.path.abspath("annotated.pcapng")} >"$3"\nexec sleep 2\n')
    os.chmod('trace', 0o755)
    environment = dict(os.environ, RPCRDMA=os.path.abspath('trace'))
    output('tshark', '-i', 'rpcrdma-trace', '-o', 'extcap.rpcrdma_trace.side:client', '-w', 'traced.pcapng', env=environment)
    with open('words', encoding='utf-8') as words:
        text = words.read()
    is_so('trace: its options', re.fullmatch(r'trace --write \S+ --side client --port 20049\n', text), text)
    before, _ = shown('annotated.pcapng')
    found, _ = shown('traced.pcapng')
    is_so('trace: what it writes is judged', before == found, before ^ found)
    environment['RPCRDMA'] = os.path.abspath('fails')
    with open('fails', 'w', encoding='utf-8') as program:
        program.write('#!/bin/sh\necho "rpcrdma: no kernel" >&2; exit 4\n')
    os.chmod('fails', 0o755)
    done = subprocess.run(['tshark', '-i', 'rpcrdma-trace', '-w', 'none.pcapng'], capture_output=True, text=True, timeout=60,
                          env=environment, check=False)
    is_so('trace: why there is none is said', 'no kernel' in done.stderr, done.stderr)


def in_own_network(rpcrdma):
    """A network of its own, and Wireshark's folder of extcaps, over which ours is laid."""
    folders = output('tshark', '-G', 'folders')
    place = re.search(r'^Extcap path:\s+(\S+)', folders, re.M).group(1)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXTCAP, folder)
        return subprocess.run(['unshare', '-Urmn', 'sh', '-c',
                               'mount --bind "$1" "$2" && ip link set lo up && exec python3 -B "$3" "$4" inside', 'sh', folder,
                               place, os.path.abspath(__file__), rpcrdma], check=False).returncode


def main():
    rpcrdma = os.path.abspath(sys.argv[1])
    if sys.argv[2:] != ['inside']:
        return in_own_network(rpcrdma)
    os.environ['RPCRDMA'] = rpcrdma
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        plugin(rpcrdma)
        asked()
        traced(rpcrdma)
        relayed(rpcrdma)
        on_interface(rpcrdma)
        os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
