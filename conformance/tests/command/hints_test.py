#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma" vectors/recorded/linux-6.1-nfs42.pcap
"""Files that hold no RPC-over-RDMA, as users have them: what was there instead is named, and no finding is made.

usage: hints_test.py RPCRDMA CAPTURE
"""
import bz2
import gzip
import io
import os
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'capture'))
from captures import CM, Packet, is_roce, read_pcap, write_pcap  # noqa: E402

MACS = bytes(12)
REQUEST = 0x10  # of connection management
DATAGRAM = 14 + 20 + 8 + 12  # Ethernet, IPv4, UDP, base header
MANAGEMENT = DATAGRAM + 8
MESSAGE = MANAGEMENT + 24
PAYLOAD = 14 + 20 + 8 + 12
passed = failed = 0


def ip4(protocol, payload, back=False):
    hosts = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
    header = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return MACS + b'\x08\x00' + header + hosts[back] + hosts[not back] + payload


def tcp(port, payload, flags=0x18, source=700, sequence=1, ack=1):
    octets = struct.pack('>HHIIBBHHH', source, port, sequence, ack, 0x50, flags, 512, 0, 0) + payload
    return ip4(6, octets, back=source == 20049)


def whole(frames):
    return [(octets, len(octets)) for octets in frames]


def cut(frames, snap):
    return [(octets[:snap], length) for octets, length in frames]


def other_protocol(frames, port):
    """The same connections, at another port and without private data; their Sends are commands of 64 octets."""
    for octets, length in frames:
        if not is_roce(octets):
            continue
        packet, changed = Packet(octets), bytearray(octets)
        if packet.opcode == CM and changed[MANAGEMENT + 17] == REQUEST:
            changed[MESSAGE + 14:MESSAGE + 16] = struct.pack('>H', port)
        if packet.opcode == CM:
            at = MESSAGE + (176 if changed[MANAGEMENT + 17] == REQUEST else 36)
            changed[at:MANAGEMENT + 256] = bytes(MANAGEMENT + 256 - at)
            yield bytes(changed), length
        elif packet.opcode == 4:  # a whole Send
            changed[PAYLOAD:] = (b'\x02\x40\x01\x00\x01\x00\x00\x00' * 100)[:len(changed) - PAYLOAD]
            yield bytes(changed), length


def sends_within(frames, count):
    """The number of frames up to that of this whole Send, from 1."""
    for i, frame in enumerate(frames):
        count -= Packet(frame[0]).opcode == 4
        if count == 0:
            return i + 1
    return len(frames)


def is_so(what, is_true, shown):
    global passed, failed
    if is_true:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {what}\n    {shown}')


def run(rpcrdma, name, options=()):
    done = subprocess.run([rpcrdma, 'check', *options, name], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def tries(rpcrdma, name, *words, without=()):
    """Status 3, these words, and no accusation."""
    status, out, err = run(rpcrdma, name)
    shown = f'status {status}: {err} {out}'
    is_so(f'{name}: status 3', status == 3, shown)
    for word in words:
        is_so(f'{name}: says "{word}"', word in err, shown)
    for word in without:
        is_so(f'{name}: does not say "{word}"', word not in err, shown)
    is_so(f'{name}: no finding', 'violation' not in out.replace('0 violations', '') and
          'rfc8166/' not in out, shown)


def captures(rpcrdma, recorded):
    roce = [(octets, length) for octets, length in recorded if is_roce(octets)]
    calls = tcp(2049, struct.pack('>III', 0x80000028, 1, 0) + bytes(36))
    tls = tcp(2049, b'\x17\x03\x03\x00\x20' + bytes(32))
    esp = ip4(50, bytes(64))
    macsec = MACS + b'\x88\xe5' + bytes(64)
    write_pcap('nfs.pcap', whole([calls] * 20))
    write_pcap('nfs-cut.pcap', cut(whole([calls] * 20), 60))
    write_pcap('tls.pcap', whole([calls] + [tls] * 19))
    write_pcap('esp.pcap', whole([esp] * 20))
    write_pcap('macsec.pcap', whole([macsec]))
    write_pcap('web.pcap', whole([tcp(443, b'\x17\x03\x03\x00\x20' + bytes(32))] * 3))
    write_pcap('strange.pcap', whole([calls]), link=9999)
    write_pcap('cut.pcap', cut(roce, 64))
    longer = sum(length > snap for _, length in roce for snap in (64, 70))
    write_pcap('cut-both.pcap', cut(roce, 64) + cut(roce, 70))
    write_pcap('nothing.pcap', [])
    tries(rpcrdma, 'nfs.pcap', 'in 20 frames; 20 frames are NFS over TCP (port 2049), not RDMA', without=['TLS'])
    tries(rpcrdma, 'nfs-cut.pcap', '20 frames are NFS over TCP (port 2049), not RDMA', without=['tcpdump'])
    tries(rpcrdma, 'tls.pcap', '20 frames are NFS over TCP with TLS (port 2049), not RDMA')
    refused = [tcp(20049, b'', 2), tcp(700, b'', 0x14, 20049, 0, 2)]
    again = [tcp(20049, b'', 2, 701), tcp(701, b'', 0x14, 20049, 0, 2)]
    agreed = refused[:1] + [tcp(700, b'', 0x12, 20049, 100, 2), tcp(20049, b'', 0x10, 700, 2, 101)]
    for name, frames, text in (
            ('refused', refused * 2, '1 connection request to TCP port 20049 without a connection: the server refuses it'),
            ('refusals', refused + again, '2 connection requests to TCP port 20049 without a connection: the server refuses them'),
            ('some', refused + again[:1], '2 connection requests to TCP port 20049 without a connection: the server refuses 1 of them'),
            ('silent', refused[:1] * 4, '1 connection request to TCP port 20049 without a connection'),
            ('stray', refused[:1] + again[1:], '1 connection request to TCP port 20049 without a connection'),
            ('closed', agreed + [tcp(700, b'', 0x11, 20049, 101, 2)], '1 TCP connection to port 20049 carries nothing'),
            ('reset', agreed + [tcp(700, b'', 0x14, 20049, 101, 2)], '1 TCP connection to port 20049 carries nothing'),
            ('one-sided', agreed[::2], '1 TCP connection to port 20049 carries nothing'),
            ('both', agreed + again, '1 TCP connection to port 20049 carries nothing; 1 connection request to TCP port 20049 '
                                     'without a connection: the server refuses it'),
            ('many', [tcp(20049, b'', 2, 1000 + i) for i in range(300)],
             'at least 64 connection requests to TCP port 20049 without a connection')):
        write_pcap(f'{name}.pcap', whole(frames))
        tries(rpcrdma, f'{name}.pcap', f'frames; {text}\n')
    write_pcap('moved.pcap', whole(refused[:1] + [calls[:36] + b'\x4e\x51' + calls[38:]] * 2))
    tries(rpcrdma, 'moved.pcap', '; TCP at port 20049, but no iWARP that is recorded from its beginning\n')
    tries(rpcrdma, 'esp.pcap', '20 frames are IPsec ESP: encrypted')
    tries(rpcrdma, 'macsec.pcap', '; 1 frame is MACsec')
    tries(rpcrdma, 'web.pcap', "in 3 frames; a device that moves the data by itself shows none of it here: see 'rpcrdma trace'\n",
          without=['NFS', 'TLS', 'there is RDMA'])
    tries(rpcrdma, 'strange.pcap', 'captured on a link of type 9999, which is not supported')
    tries(rpcrdma, 'cut.pcap', 'recorded with a snap length of 64: record anew with tcpdump -s 0', without=['--port'])
    tries(rpcrdma, 'cut-both.pcap', f'; {longer} of them are cut: record anew with tcpdump -s 0',
          without=['--port', 'snap length'])
    tries(rpcrdma, 'nothing.pcap', "in 0 frames; a device that moves the data by itself shows none of it here: see 'rpcrdma trace'\n")
    for port, name in (4420, 'NVMe over RDMA'), (3260, 'iSER'), (445, 'SMB Direct'):
        write_pcap(f'{port}.pcap', list(other_protocol(recorded, port)))
        tries(rpcrdma, f'{port}.pcap', f'to port {port} ({name})', without=['--all-qp', '--port'])
    write_pcap('20049.pcap', list(other_protocol(recorded, 20049)))
    tries(rpcrdma, '20049.pcap', '1 connection to port 20049 is of another protocol: no Send has a version of RPC-over-RDMA',
          without=['--all-qp', 'without a connection'])
    overruled = '1 connection, judged for --all-qp, may be of another protocol: its first Sends have no version of RPC-over-RDMA\n'
    for name in '20049.pcap', '4420.pcap':
        status, out, err = run(rpcrdma, name, ['--all-qp'])
        is_so(f'{name}, --all-qp: judged, and the doubt is said', status == 1 and 'violation' in out and
              err == f'rpcrdma: {name}: {overruled}', err + out[:400])
    half = list(other_protocol(recorded, 20049))
    write_pcap('two-sends.pcap', half[:sends_within(half, 2)])
    status, out, _ = run(rpcrdma, 'two-sends.pcap')
    is_so('two-sends.pcap: two Sends are too few to say so', status == 1 and 'violation' in out, out[:400])
    status, out, err = run(rpcrdma, 'two-sends.pcap', ['--all-qp'])
    is_so('two-sends.pcap, --all-qp: no doubt', status == 1 and err == '', err)
    write_pcap('5000.pcap', list(other_protocol(recorded, 5000)))
    tries(rpcrdma, '5000.pcap', 'to port 5000: if RPC-over-RDMA uses it, say --port 5000', without=['--all-qp'])
    asked = [(octets, length) for octets, length in roce
             if Packet(octets).opcode == CM and octets[MANAGEMENT + 17] == REQUEST]
    write_pcap('asked.pcap', asked + asked)  # the second time as sent again
    plural = '' if len(asked) == 1 else 's'
    tries(rpcrdma, 'asked.pcap', f'; {len(asked)} connection request{plural} to port 20049 without a connection',
          without=['--all-qp'])
    unmanaged = [frame for frame in other_protocol(recorded, 4420) if Packet(frame[0]).opcode != CM]
    write_pcap('unmanaged.pcap', unmanaged)
    tries(rpcrdma, 'unmanaged.pcap', f'in {len(unmanaged)} frames; there is RDMA: see --port and --all-qp')


def no_captures(rpcrdma):
    page = b'<!DOCTYPE html>\n<html><title>Please log in</title></html>\n'
    with zipfile.ZipFile('packed.zip', 'w') as packed:
        packed.writestr('nfs.pcap', bytes(40))
    with tarfile.open('packed.tar', 'w') as packed:
        info = tarfile.TarInfo('nfs.pcap')
        info.size = 40
        packed.addfile(info, io.BytesIO(bytes(40)))
    with open('packed.tar', 'rb') as packed, gzip.open('packed.tar.gz', 'wb') as twice:
        twice.write(packed.read())
    with bz2.open('packed.bz2', 'wb') as packed:
        packed.write(bytes(40))
    with gzip.open('text.pcap.gz', 'wb') as packed:
        packed.write(b'Minutes of the meeting\n')
    with gzip.open('text.gz', 'wb') as packed:
        packed.write(b'Minutes of the meeting\n')
    send = struct.pack('>IIIII', 1, 1, 32, 4, 2)
    for name, octets in {
            'page.pcap': page, 'page': page, 'text.pcap': b'Minutes of the meeting\n', 'hex.pcap': send.hex().encode(), 'zeros': bytes(4096), 'few-zeros': bytes(9),
            'zeros.pcap': bytes(4096), 'send.pcapng': send,
            'trace': b'TRAC' + bytes(12) + b'\1' * 189}.items():
        with open(name, 'wb') as file:
            file.write(octets)
    with open('sparse.pcap', 'wb') as file:
        file.truncate(1 << 30)
    for name in 'page.pcap', 'page':
        tries(rpcrdma, name, 'is an HTML page, not a capture')
    for name in 'zeros', 'few-zeros', 'zeros.pcap', 'sparse.pcap':
        tries(rpcrdma, name, 'begins with nothing but zeros: no capture, and no Send')
    for name, form in ('text.pcap', 'hex'), ('text.pcap.gz', 'hex'), ('hex.pcap', 'hex'), ('send.pcapng', 'raw'):
        tries(rpcrdma, name, f'is not a capture, though its name says so: if it is a single Send, use --format {form}\n')
    tries(rpcrdma, 'text.gz', "line 1, column 1: not hex text: 'M'")
    tries(rpcrdma, 'packed.zip', 'is a zip archive: unpack it')
    tries(rpcrdma, 'packed.tar', 'is a tar archive: unpack it')
    tries(rpcrdma, 'packed.bz2', 'is compressed by bzip2: unpack it')
    tries(rpcrdma, 'packed.tar.gz', 'is a tar archive: unpack it')
    tries(rpcrdma, 'trace', 'use --format raw')
    # What the user says is so is taken so.
    status, out, err = run(rpcrdma, 'hex.pcap', ['--format', 'hex'])
    is_so('hex.pcap as --format hex is judged', status == 0, f'status {status}: {err} {out}')
    status, out, err = run(rpcrdma, 'send.pcapng', ['--format', 'raw'])
    is_so('send.pcapng as --format raw is judged', status == 0, f'status {status}: {err} {out}')
    status, out, err = run(rpcrdma, 'zeros', ['--format', 'raw'])
    is_so('zeros as --format raw are judged', status == 1 and 'rfc8166/' in out, f'status {status}: {err} {out}')


def main():
    rpcrdma, recorded = os.path.abspath(sys.argv[1]), read_pcap(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        captures(rpcrdma, recorded)
        no_captures(rpcrdma)
        os.chdir('/')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed > 0


sys.exit(main())
