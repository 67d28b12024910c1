# SPDX-License-Identifier: BSD-3-Clause
# run by: outputs_test.py
"""Processes that are interrupted, the peers that a live command needs, a small disk, and whether a report is whole."""
import json
import os
import re
import signal
import socket
import subprocess
import time
import xml.etree.ElementTree


def read(name):
    with open(name, 'rb') as f:
        return f.read()


def litter(folder='.'):
    return [name for name in os.listdir(folder) if name.startswith('.rpcrdma-')]


def free_port():
    with socket.socket() as any_port:
        any_port.bind(('127.0.0.1', 0))
        return any_port.getsockname()[1]


def is_alive(pid):
    try:
        return read('/proc/%d/stat' % pid).split(b') ')[1][:1] != b'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


class Peers:
    """Those that a live command needs, on loopback addresses of this process's own."""

    def __init__(self, rpcrdma, need):
        self.rpcrdma = rpcrdma
        number = os.getpid() % 0xffff
        self.server, self.proxy = ('127.%d.%d.%d' % (middle, number >> 8, number & 255) for middle in (81, 82))
        self.all = []
        # Port 4791 of the loopback is one test's at a time: who has 4790 has it (roce_test.c).
        self.port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for _ in range(6000):
            try:
                self.port.bind(('127.0.0.1', 4790))
                break
            except OSError:
                time.sleep(0.05)
        if need == 'server':
            self.start(['serve', '--timeout', '20', 'roce://' + self.server])

    def start(self, arguments):
        self.all.append(subprocess.Popen([self.rpcrdma] + arguments, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL))
        time.sleep(0.2)

    def end(self):
        for each in self.all:
            each.kill()
            each.wait()
        self.port.close()


class Client:
    """Sends Calls to the address, again and again, until it is ended."""

    def __init__(self, rpcrdma, address):
        again = 'while :; do "$0" request --timeout 2 "$1"; sleep 0.05; done'
        self.process = subprocess.Popen(['sh', '-c', again, rpcrdma, address], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def mounted(options_of_mount):
    """A file system of 256 KiB, or None where we may not mount one."""
    if os.geteuid() != 0:
        return None
    os.makedirs('small', exist_ok=True)
    done = subprocess.run(['mount', '-t', 'tmpfs', '-o', options_of_mount, 'tmpfs', 'small'],
                          capture_output=True, check=False)
    return 'small' if done.returncode == 0 else None


def fill(folder):
    with open(folder + '/filler', 'wb', buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass


def unmounted():
    subprocess.run(['umount', 'small'], capture_output=True, check=False)


def wait_for_handlers(process):
    """Before main() a signal ends the process as any other."""
    until = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until:
        caught = re.search(rb'SigCgt:\s*([0-9a-f]+)', read('/proc/%d/status' % process.pid))
        if int(caught.group(1), 16) >> (signal.SIGHUP - 1) & 1:
            return
        time.sleep(0.001)


def write(name, text):
    with open(name, 'w') as file:
        file.write(text)


def copy(source, target):
    with open(target, 'wb') as file:
        file.write(read(source))


def parses(name):
    if name.endswith(('.json', '.sarif')):
        lines = read(name).decode().splitlines()
        return all(isinstance(json.loads(line), dict) for line in lines) and len(lines) > 0
    if name.endswith('.junit'):
        return xml.etree.ElementTree.parse(name).getroot() is not None
    if name.endswith('.html'):
        return read(name).rstrip().endswith(b'</html>')
    return True
