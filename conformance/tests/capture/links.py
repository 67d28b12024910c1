#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-errors.pcap
"""A capture of RoCEv2 over Ethernet, rewritten for every other link type and tunnel that is read.

usage: links.py RPCRDMA CAPTURE

The findings have to stay the same, and tshark, where it is installed, has to see as many packets.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from captures import is_roce, read_pcap, write_pcap

IP4, IP6, ROCE1 = b'\x08\x00', b'\x86\xdd', b'\x89\x15'
MACS = bytes(12)


def ethernet(ip):
    return MACS + IP4 + ip


def ip4(protocol, payload):
    """An outer packet, between two ends of a tunnel."""
    header = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return header + bytes([198, 51, 100, 1, 198, 51, 100, 2]) + payload


def udp(port, payload):
    return struct.pack('>HHHH', 50000, port, 8 + len(payload), 0) + payload


def mapped(address):
    return bytes(10) + b'\xff\xff' + address


def global_route(ip):
    """Base header and what follows, after a global route header instead of IP and UDP."""
    base = ip[28:]
    return (struct.pack('>IHBB', 0x60000000, len(base), 0x1b, 64) + mapped(ip[12:16]) +
            mapped(ip[16:20]) + base)


def local_route(ip, with_global):
    body = global_route(ip) if with_global else ip[28:]
    words = (8 + len(body)) // 4
    return (bytes([0, 3 if with_global else 2]) + b'\0' + ip[19:20] +
            struct.pack('>H', words) + b'\0' + ip[15:16] + body + bytes(2))


def erf(kind, frame, extensions=0):
    more = b''.join(bytes([0x80 if i + 1 < extensions else 0]) + bytes(7) for i in range(extensions))
    size = 16 + len(more) + len(frame)
    return (bytes(8) + bytes([kind | (0x80 if extensions else 0), 4]) +
            struct.pack('>HHH', size, 0, len(frame)) + more + frame)


def gre(kind, payload, flags=0, extra=b''):
    return ip4(47, struct.pack('>HH', flags, kind) + extra + payload)


ERSPAN3_IP_OPTION = struct.pack('>HHIHH', 0x2000, 0, 0, 0, 2 << 2 << 8 | 1)

# Name, link type as files have it, function; whether tshark sees the packets. Version 4.0 does not know
# link type 247, and takes a pseudowire and IP in ERSPAN or ERF for something else.
LINKS = [
    ('ethernet', 1, ethernet, True),
    ('vlan', 1, lambda ip: MACS + b'\x81\0\0\5' + IP4 + ip, True),
    ('qinq', 1, lambda ip: MACS + b'\x88\xa8\0\5\x81\0\0\6' + IP4 + ip, True),
    ('sll', 113, lambda ip: bytes(14) + IP4 + ip, True),
    ('sll2', 276, lambda ip: IP4 + bytes(18) + ip, True),
    ('null', 0, lambda ip: b'\2\0\0\0' + ip, True),
    ('loop', 108, lambda ip: b'\0\0\0\2' + ip, True),
    ('raw', 101, lambda ip: ip, True),
    ('ipv4', 228, lambda ip: ip, True),
    ('mpls', 1, lambda ip: MACS + b'\x88\x47\0\1\1\x40' + ip, True),
    ('mpls-two', 1, lambda ip: MACS + b'\x88\x47\0\1\0\x40\0\2\1\x40' + ip, True),
    ('mpls-pseudowire', 1, lambda ip: MACS + b'\x88\x47\0\1\1\x40' + bytes(4) + ethernet(ip), False),
    ('pppoe', 1, lambda ip: MACS + b'\x88\x64\x11\0\0\1' + struct.pack('>H', len(ip) + 2) +
     b'\0\x21' + ip, True),
    ('vxlan', 1, lambda ip: ethernet(ip4(17, udp(4789, b'\x08\0\0\0\0\0\5\0' + ethernet(ip)))), True),
    ('gre', 1, lambda ip: ethernet(gre(0x0800, ip)), True),
    ('gre-key-sequence', 1, lambda ip: ethernet(gre(0x0800, ip, 0x3000, bytes(8))), True),
    ('gre-check-sum', 1, lambda ip: ethernet(gre(0x0800, ip, 0x8000, bytes(4))), True),
    ('gre-ethernet', 1, lambda ip: ethernet(gre(0x6558, ethernet(ip))), True),
    ('ip-in-ip', 1, lambda ip: ethernet(ip4(4, ip)), True),
    ('erspan-1', 1, lambda ip: ethernet(gre(0x88be, ethernet(ip))), True),
    ('erspan-2', 1, lambda ip: ethernet(gre(0x88be, b'\x10\5\0\1\0\0\0\0' + ethernet(ip), 0x1000,
                                            bytes(4))), True),
    ('erspan-3', 1, lambda ip: ethernet(gre(0x22eb, b'\x20\5\0\1' + bytes(8) + ethernet(ip), 0x1000,
                                            bytes(4))), True),
    ('erspan-3-option', 1, lambda ip: ethernet(gre(0x22eb, b'\x20\5\0\1' + bytes(7) + b'\1' + bytes(8) +
                                                   ethernet(ip), 0x1000, bytes(4))), True),
    ('erspan-3-ip', 1, lambda ip: ethernet(gre(0x22eb, ERSPAN3_IP_OPTION + bytes(8) + ip, 0x1000,
                                               bytes(4))), False),
    ('gre-in-vxlan', 1, lambda ip: ethernet(ip4(17, udp(4789, b'\x08\0\0\0\0\0\5\0' +
                                                        ethernet(gre(0x0800, ip))))), True),
    ('roce-1', 1, lambda ip: MACS + ROCE1 + global_route(ip), True),
    ('roce-1-vlan', 1, lambda ip: MACS + b'\x81\0\0\5' + ROCE1 + global_route(ip), True),
    ('infiniband', 247, lambda ip: local_route(ip, True), False),
    ('infiniband-local', 247, lambda ip: local_route(ip, False), False),
    ('erf-ethernet', 197, lambda ip: erf(2, bytes(2) + ethernet(ip)), True),
    ('erf-extended', 197, lambda ip: erf(2, bytes(2) + ethernet(ip), 2), True),
    ('erf-infiniband', 197, lambda ip: erf(21, local_route(ip, True)), True),
    ('erf-ip', 197, lambda ip: erf(22, ip), False),
]


def block(kind, body):
    padded = body + bytes(-len(body) % 4)
    size = struct.pack('<I', len(padded) + 12)
    return struct.pack('<I', kind) + size + padded + size


def write_pcapng(path, frames):
    """Frames of all link types in one file, an interface each."""
    links = sorted({link for link, _ in frames})
    with open(path, 'wb') as file:
        file.write(block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1)))
        for link in links:
            file.write(block(1, struct.pack('<HHI', link, 0, 0)))
        for number, (link, octets) in enumerate(frames):
            file.write(block(6, struct.pack('<IIIII', links.index(link), 0, number, len(octets),
                                            len(octets)) + octets))


def findings(rpcrdma, path):
    """Every event with its findings, without the names of file and connection."""
    run = subprocess.run([rpcrdma, 'check', '--json', path], stdout=subprocess.PIPE, check=False)
    events = []
    for line in run.stdout.splitlines():
        event = json.loads(line)
        if event['kind'] == 'summary':
            events.append({key: event[key] for key in ('events', 'lost', 'cut', 'unread')})
            continue
        events.append([event[key] for key in ('event', 'type', 'frame', 'from', 'xid', 'direction')] +
                      [(finding['rule'], finding['text']) for finding in event['findings']])
    return events


def unseen_by_tshark(path, ips):
    """The link types of which tshark does not see every packet."""
    shown = [kind for kind in LINKS if kind[3]]
    write_pcapng(path, [(link, wrap(ip)) for _, link, wrap, _ in shown for ip in ips])
    run = subprocess.run(['tshark', '-r', path, '-T', 'fields', '-e', 'infiniband.bth.opcode'],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    lines = run.stdout.splitlines()
    return [kind[0] for n, kind in enumerate(shown)
            if sum(1 for line in lines[n * len(ips):(n + 1) * len(ips)] if line.strip()) != len(ips)]


class Verdicts:
    """Counts tests, and names those that fail."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, good, name):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print('not ok: %s' % name)

    def end(self):
        print('%d passed, %d failed, %d skipped' % (self.passed, self.failed, self.skipped))
        return self.failed > 0


def main():
    rpcrdma, capture = sys.argv[1:3]
    verdicts = Verdicts()
    ips = [octets[14:] for octets, _ in read_pcap(capture) if is_roce(octets)]
    ips = [ip[:int.from_bytes(ip[2:4], 'big')] for ip in ips]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'capture')
        reference = None
        for name, link, wrap, _ in LINKS:
            frames = [wrap(ip) for ip in ips]
            write_pcap(path, [(frame, len(frame)) for frame in frames], link)
            events = findings(rpcrdma, path)
            reference = reference or events
            verdicts.add(len(events) > 100 and events == reference,
                         '%s: %d events of %d' % (name, len(events), len(reference)))
        kinds = [kind for kind in LINKS if kind[0] != 'infiniband-local']  # it has other addresses
        write_pcapng(path, [(kinds[n % len(kinds)][1], kinds[n % len(kinds)][2](ip))
                            for n, ip in enumerate(ips)])
        verdicts.add(findings(rpcrdma, path) == reference, 'all link types in one file')
        if shutil.which('tshark'):
            unseen = unseen_by_tshark(path, ips)
            verdicts.add(not unseen, 'tshark misses packets of %s' % ' '.join(unseen))
        else:
            print('skip: no tshark to compare with')
            verdicts.skipped += 1
    return verdicts.end()


if __name__ == '__main__':
    sys.exit(main())
