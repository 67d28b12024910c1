#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: links.py, transform.py
"""Captures of RoCEv2 as lists of frames: read, written, taken apart as far as their order needs."""
import struct

CM = 0x64
SEND_ENDS = {2, 3, 4, 5, 0x16, 0x17}
SEND_BEGINS = {0, 4, 5, 0x17}
RESPONSES = {0x0d, 0x0e, 0x0f, 0x10}
ACKS = {0x11, 0x12}


def read_pcap(path):
    """Frames (octets, length on the wire) of an Ethernet capture."""
    with open(path, 'rb') as file:
        data = file.read()
    order = '<' if data[:4] == b'\xd4\xc3\xb2\xa1' else '>'
    frames, at = [], 24
    while at < len(data):
        kept, length = struct.unpack_from(order + '8xII', data, at)
        frames.append((data[at + 16:at + 16 + kept], length))
        at += 16 + kept
    return frames


def read_times(path):
    """Of each of its frames, as the file has them: seconds and their parts."""
    with open(path, 'rb') as file:
        data = file.read()
    order = '<' if data[:4] == b'\xd4\xc3\xb2\xa1' else '>'
    times, at = [], 24
    while at < len(data):
        seconds, parts, kept = struct.unpack_from(order + 'III', data, at)
        times.append((seconds, parts))
        at += 16 + kept
    return times


def write_pcap(path, frames, link=1, times=None):
    """Without times the frames are a millisecond apart."""
    with open(path, 'wb') as file:
        file.write(struct.pack('<IHHIIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for number, (octets, length) in enumerate(frames):
            seconds, parts = times[number] if times else (1 + number // 1000, number % 1000 * 1000)
            file.write(struct.pack('<IIII', seconds, parts, len(octets), length))
            file.write(octets)


class Packet:
    """What a RoCEv2 frame says of its place: its flow, its kind, its number."""

    def __init__(self, octets):
        ip = octets[14:]
        base = ip[28:]
        self.source, self.destination = ip[12:16], ip[16:20]
        self.opcode = base[0]
        self.queue_pair = int.from_bytes(base[5:8], 'big')
        self.psn = int.from_bytes(base[9:12], 'big')
        self.flow = (self.source, self.destination, self.queue_pair)
        self.syndrome = base[12] if self.opcode in ACKS else 0

    def is_request(self):
        return self.opcode <= 0x1f and self.opcode not in RESPONSES and self.opcode not in ACKS


def is_roce(octets):
    return octets[12:14] == b'\x08\x00' and octets[23] == 17 and octets[36:38] == b'\x12\xb7'


def packets_of(frames):
    return [Packet(octets) if is_roce(octets) else None for octets, _ in frames]
