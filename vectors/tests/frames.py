#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: dissector_test.sh
"""frames.py: Sends, as hex lines on standard input, to a capture of RoCEv2 on standard output.

Each goes into a frame of its own, as an RC SEND Only, so that any dissector can be asked about it.
"""
import struct
import sys

out = sys.stdout.buffer
out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
for number, line in enumerate(sys.stdin):
    send = bytes.fromhex(line)
    send += bytes(-len(send) % 4)
    bth = struct.pack("!BBHII", 0x04, 0x40 | (-len(bytes.fromhex(line)) % 4) << 4, 0xFFFF, 0x11, number)
    udp = bth + send + bytes(4)  # the check sum is not looked at
    udp = struct.pack("!HHHH", 0xC000, 4791, 8 + len(udp), 0) + udp
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0, b"\xc0\0\2\1", b"\xc0\0\2\2")
    frame = bytes(12) + b"\x08\x00" + ip + udp
    out.write(struct.pack("<IIII", number, 0, len(frame), len(frame)) + frame)
