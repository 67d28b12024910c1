#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A testee: Wireshark's dissector. Each question becomes a RoCEv2 frame for one tshark, which is
started once and reads frames from a pipe; its PDML says what it took the octets for.

usage: rpcrdma vectors --decode --testee 'python3 tshark.py' FOLDER
"""
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml

AT = 54  # of the Send in its frame: Ethernet, IPv4, UDP, InfiniBand's BTH
NUMBERS = {"rpcordma.xid": "xid", "rpcordma.version": "vers", "rpcordma.flow_control": "credit",
           "rpcordma.msg_type": "proc"}


def frame(send, number):
    pad = -len(send) % 4
    bth = struct.pack("!BBHII", 0x04, 0x40 | pad << 4, 0xFFFF, 0x11, number & 0xFFFFFF)
    udp = bth + send + bytes(pad + 4)  # no check sum
    udp = struct.pack("!HHHH", 0xC000, 4791, 8 + len(udp), 0) + udp
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0,
                     b"\xc0\0\2\1", b"\xc0\0\2\2") + udp
    packet = bytes(12) + b"\x08\x00" + ip
    return struct.pack("<IIII", number, 0, len(packet), len(packet)) + packet


def number(field):
    return str(int(field.get("value"), 16))


def named(field, name):
    return [f for f in field.iter("field") if f.get("name") == name]


def segments(field):
    """HANDLE/LENGTH/OFFSET of all segments below a field, in their order."""
    parts = [[number(f) for f in named(field, "rpcordma.rdma_" + name)]
             for name in ("handle", "length", "offset")]
    return ["/".join(words) for words in zip(*parts)]


def is_whole(header):
    """Whether the last list is there, with as many segments as it says."""
    reply = named(header, "rpcordma.reply_count")
    counts = [int(number(f)) for f in named(reply[0], "rpcordma.segment_count")] if reply else []
    return bool(reply) and sum(counts) == len(segments(reply[0]))


def answer(packet):
    header = next((p for p in packet.iter("proto") if p.get("name") == "rpcordma"), None)
    if header is None:
        return "unsupported"  # it took the octets for something else
    malformed = any(p.get("name", "").startswith("_ws.malformed") for p in packet.iter())
    if malformed and not is_whole(header):
        return "refuse"  # else what is malformed comes after the header
    said = ["%s=%s" % (NUMBERS[f.get("name")], number(f)) for f in header if f.get("name") in NUMBERS]
    for field in header:
        found = segments(field)
        if field.get("name") == "rpcordma.reads_count":
            places = [number(f) for f in named(field, "rpcordma.position")]
            said.append("reads=" + ",".join("/".join(pair) for pair in zip(places, found)))
        elif field.get("name") == "rpcordma.writes_count":
            chunks = [f for f in field if named(f, "rpcordma.segment_count")]
            said.append("writes=" + "".join("[%s]" % ",".join(segments(f)) for f in chunks))
        elif field.get("name") == "rpcordma.reply_count":
            said.append("reply=" + ("[%s]" % ",".join(found) if number(field) != "0" else ""))
    end = max(int(f.get("pos")) + int(f.get("size")) for f in header.iter("field"))
    return "accept %d %s" % (end - AT, " ".join(said))


def main():
    tshark = subprocess.Popen(["tshark", "-l", "-Q", "-n", "-T", "pdml", "-r", "-"], bufsize=0,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tshark.stdin.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    parser = xml.XMLPullParser(["end"])
    for count, line in enumerate(sys.stdin):
        tshark.stdin.write(frame(bytes.fromhex(line.split(" ")[1]), count))
        packet = None
        while packet is None:
            parser.feed(tshark.stdout.read(65536))
            packet = next((e for _, e in parser.read_events() if e.tag == "packet"), None)
        print(answer(packet), flush=True)
        packet.clear()


main()
