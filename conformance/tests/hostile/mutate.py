# SPDX-License-Identifier: BSD-3-Clause
# needs: zstd
# sanitized: "$BUILD/rpcrdma" "${HOSTILE_INPUTS:-300}"
"""Changed inputs of every kind through every output option: no crash, no hang, an exit status that
is documented, nothing that steers a terminal, and reports that can be parsed.

usage: mutate.py RPCRDMA INPUTS [SEED [FIRST]]

An input depends on the seed and its number alone: INPUTS 1 with FIRST makes one of them again.
KEEP=FOLDER keeps the inputs that show a fault.
"""

import glob
import gzip
import json
import lzma
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import ways

SEED = 20280
SMALL = 30000  # octets of a seed
CASES = "conformance/tests/data/cases/"
NASTY = ["\x1b]0;x\x07", "\x1b[2J", "\u009b31m", "\u202eabc", "\u2066", "\u200f", "\x7f", "\x00",
         "<script>alert(1)</script>", "\"'><b onload=x>", "]]>", "&#x1b;", "%s%n", "../../x",
         "a" * 5000, "\ud83d", "\ufeff", "\r\n", "# x", "", "\u2028"]
NUMBERS = [0, 1, 3, 4, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
           0xfffffffc, 0xffffffff]

# ---- octets ----


def change_octets(dice, octets, most=8):
    """A few changes that know nothing of the format."""
    data = bytearray(octets)
    for _ in range(dice.randint(1, most)):
        if not data:
            break
        at, length = dice.randrange(len(data)), dice.choice([1, 2, 4, 4, 16, 64])
        kind = dice.randrange(7)
        if kind == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            data[at:at + 4] = struct.pack(dice.choice("<>") + "I", dice.choice(NUMBERS))
        elif kind == 2:
            del data[at:at + length]
        elif kind == 3:
            data[at:at] = data[at:at + length]
        elif kind == 4:
            data[at:at] = dice.randbytes(length)
        elif kind == 5:
            data[at:at + length] = bytes(length)
        elif dice.random() < 0.3:
            del data[at:]
    return bytes(data)


# ---- captures ----


def read_pcap(octets):
    """Link type and frames of a pcap file of this tree."""
    order = "<" if octets[0] == 0xd4 else ">"
    link, = struct.unpack_from(order + "I", octets, 20)
    frames, at = [], 24
    while at + 16 <= len(octets):
        length, = struct.unpack_from(order + "I", octets, at + 8)
        frames.append(octets[at + 16:at + 16 + length])
        at += 16 + length
    return link, frames


def change_frames(dice, frames):
    """As a network, or one who forges, changes them."""
    frames = list(frames)
    for _ in range(dice.randint(0, 6)):
        at = dice.randrange(len(frames))
        kind = dice.randrange(8)
        if kind == 0 and len(frames) > 1:
            del frames[at]
        elif kind == 1:
            frames.insert(dice.randrange(len(frames)), frames[at])
        elif kind == 2:
            frames[at] = frames[at][:dice.randrange(len(frames[at]) + 1)]
        elif kind == 3:
            other = dice.randrange(len(frames))
            frames[at], frames[other] = frames[other], frames[at]
        elif kind == 4:
            frames[at] = frames[at] + dice.randbytes(dice.choice([1, 4, 1000]))
        elif kind == 5 and len(frames[at]) > 60:  # the InfiniBand headers and what follows
            data = bytearray(frames[at])
            data[dice.randrange(42, min(len(data), 140))] = dice.randrange(256)
            frames[at] = bytes(data)
        elif kind == 6 and len(frames[at]) > 46:  # another operation
            data = bytearray(frames[at])
            data[42] = dice.randrange(256)
            frames[at] = bytes(data)
        else:
            frames[at] = change_octets(dice, frames[at], 3)
    return frames


def lie(dice, number):
    """Nearly always the truth."""
    if dice.random() > 0.002:
        return number
    return dice.choice(NUMBERS + [number + 1, max(number - 1, 0), number * 2]) & 0xffffffff


def write_pcap(dice, link, frames):
    """In either order of octets, with lengths that sometimes lie."""
    order = dice.choice("<>")
    magic = dice.choice([0xa1b2c3d4, 0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34])
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, lie(dice, 262144), lie(dice, link))]
    for number, frame in enumerate(frames):
        out.append(struct.pack(order + "IIII", lie(dice, number), lie(dice, 0),
                               lie(dice, len(frame)), lie(dice, len(frame))))
        if magic == 0xa1b2cd34:
            out.append(struct.pack(order + "IHBB", 0, 0, 0, 0))
        out.append(frame)
    return b"".join(out)


class Pcapng:
    """A writer of blocks, whose lengths sometimes lie."""

    def __init__(self, dice):
        self.dice, self.order, self.out = dice, "<", []

    def options(self):
        """Of evil codes, lengths and texts."""
        out = b""
        for _ in range(self.dice.choice([0, 0, 0, 1, 3])):
            value = self.dice.choice([self.dice.choice(NASTY).encode(errors="surrogatepass"),
                                      self.dice.randbytes(self.dice.randrange(12))])
            code = self.dice.choice([0, 1, 2, 4, 5, 9, 11, 14, 2988, 0x8bad, 65535])
            length = lie(self.dice, len(value)) & 0xffff
            out += struct.pack(self.order + "HH", code, length) + value + bytes(-len(value) % 4)
        return out + (bytes(4) if out and self.dice.random() < 0.8 else b"")

    def block(self, kind, body):
        """One block, with its length before and behind."""
        body += bytes(-len(body) % 4)
        length = len(body) + 12
        self.out.append(struct.pack(self.order + "II", kind, lie(self.dice, length)) + body +
                        struct.pack(self.order + "I", lie(self.dice, length)))

    def section(self, links):
        """A section header and its interfaces."""
        self.order = self.dice.choice("<>")
        length = self.dice.choice([-1, -1, 0, 5, 1 << 62])
        self.block(0x0a0d0d0a, struct.pack(self.order + "IHHq", 0x1a2b3c4d,
                                           lie(self.dice, 1) & 0xffff, 0,
                                           length) + self.options())
        for link in links:
            self.block(1, struct.pack(self.order + "HHI", lie(self.dice, link) & 0xffff, 0,
                                      self.dice.choice([0, 64, 262144])) + self.options())

    def frame(self, frame, interfaces):
        """In one of the three blocks that hold one."""
        kind = self.dice.choice([6, 6, 6, 6, 3, 2])
        size = struct.pack(self.order + "II", lie(self.dice, len(frame)),
                           lie(self.dice, len(frame)))
        interface = lie(self.dice, self.dice.randrange(interfaces))
        padded = frame + bytes(-len(frame) % 4)
        if kind == 3:
            self.block(3, size[:4] + padded)
        elif kind == 2:
            self.block(2, struct.pack(self.order + "HHII", interface & 0xffff, 0, 0, 0) + size +
                       padded + self.options())
        else:
            self.block(6, struct.pack(self.order + "III", interface, lie(self.dice, 0), 0) + size +
                       padded + self.options())

    def other(self):
        """Names, statistics, secrets, unknown blocks."""
        kind = self.dice.choice([4, 5, 10, 0x80000001, 0xbad, 0x0b16b00b])
        self.block(kind, self.dice.randbytes(self.dice.randrange(40)))


def write_pcapng(dice, link, frames):
    """Several sections and interfaces."""
    writer = Pcapng(dice)
    interfaces = dice.choice([1, 1, 2, 3])
    links = [link] + [dice.choice([0, 1, 101, 113, 247, 276]) for _ in range(interfaces - 1)]
    writer.section(links)
    for frame in frames:
        if dice.random() < 0.02:
            writer.section(links)
        if dice.random() < 0.1:
            writer.other()
        writer.frame(frame, interfaces if dice.random() < 0.1 else 1)
    return b"".join(writer.out)


def make_capture(dice, seeds):
    """A capture file, and now and then one that is changed once more as octets."""
    link, frames = read_pcap(dice.choice(seeds["pcap"]))
    frames = change_frames(dice, frames)
    octets = dice.choice([write_pcap, write_pcapng, write_pcapng])(dice, link, frames)
    return change_octets(dice, octets) if dice.random() < 0.2 else octets


# ---- JSON ----


def paths_of(value, path=()):
    """The ways to all parts of a value."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths_of(value[key], path + (key,))
    elif isinstance(value, list):
        for index in range(min(len(value), 20)):
            yield from paths_of(value[index], path + (index,))


def other_value(dice, old):
    """Of the same kind or another, of evil sizes."""
    if isinstance(old, str) and dice.random() < 0.6:
        nasty = dice.choice(NASTY)
        at = dice.randrange(len(old) + 1)
        changed = "".join(dice.choice("0123456789abcdef") if dice.random() < 0.05 else c
                          for c in old)
        return dice.choice([changed, changed[:at], old[:at] + nasty + old[at:], nasty])
    if isinstance(old, list) and old and dice.random() < 0.6:
        return dice.choice([old[::-1], old + old, old[:len(old) // 2], old * 5, []])
    return dice.choice([None, True, -1, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 64, 1.5, 1e308, "",
                        [], {}, [[]], {"": {}}, "0x0", dice.choice(NASTY), dice.choice(NUMBERS)])


def change_json(dice, value):
    """Parts are replaced, left out, renamed."""
    value = json.loads(json.dumps(value))
    paths = list(paths_of(value))
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        path = dice.choice(paths)
        if not path:
            continue
        parent = value
        try:
            for step in path[:-1]:
                parent = parent[step]
            old = parent[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took it away
        if isinstance(parent, (str, int, float, type(None))):
            continue
        kind = dice.randrange(6)
        if kind == 0:
            del parent[path[-1]]
        elif kind == 1 and isinstance(parent, dict):
            parent[dice.choice(NASTY + ["send", "rdmaRead", "atomic"])] = old
        else:
            parent[path[-1]] = other_value(dice, old)
    return value


def write_json(dice, value):
    """As text; now and then no JSON any more."""
    text = json.dumps(value, ensure_ascii=dice.random() < 0.5)
    octets = text.encode(errors="surrogatepass")
    kind = dice.randrange(12)
    if kind == 0:
        octets = change_octets(dice, octets)
    elif kind == 1:
        nasty = dice.choice(NASTY).encode(errors="surrogatepass")
        at = dice.randrange(len(octets))
        octets = octets[:at] + nasty + octets[at:]
    elif kind == 2:
        octets = octets[:dice.randrange(len(octets))] + b"[" * dice.choice([1, 3000])
    return octets


def make_vectors(dice, seeds):
    """A vector file of few tests."""
    whole = dice.choice(seeds["vectors"])
    few = dict(whole, tests=dice.sample(whole["tests"], min(len(whole["tests"]), 4)))
    return write_json(dice, change_json(dice, few) if dice.random() < 0.95 else few)


def make_results(dice, seeds):
    """What --merge reads: an object a line."""
    first, *middle, last = dice.choice(seeds["results"])
    lines = [first] + dice.sample(middle, min(len(middle), 6)) + [last]
    out = [write_json(dice, change_json(dice, line)) if dice.random() < 0.3
           else json.dumps(line).encode() for line in lines]
    if dice.random() < 0.1:
        dice.shuffle(out)
    return b"\n".join(out) + b"\n"


# ---- text ----


def make_known(dice, seeds):
    """A list of expected failures."""
    lines = []
    for _ in range(dice.randint(1, 8)):
        words = dice.choice(seeds["known"]).split(" ")
        if dice.random() < 0.5:
            words[dice.randrange(len(words))] = dice.choice(NASTY)
        lines.append(" ".join(words).encode(errors="surrogatepass"))
    octets = b"\n".join(lines) + b"\n"
    return change_octets(dice, octets) if dice.random() < 0.2 else octets


def make_hex(dice, seeds):
    """A Send a line."""
    lines = []
    for _ in range(dice.randint(1, 6)):
        line = change_octets(dice, bytes.fromhex(dice.choice(seeds["hex"]))).hex()
        if dice.random() < 0.1:
            line = line.upper() + dice.choice(NASTY)
        lines.append(line.encode(errors="surrogatepass"))
    octets = b"\n".join(lines) + b"\n"
    return change_octets(dice, octets) if dice.random() < 0.1 else octets


def make_raw(dice, seeds):
    """One Send."""
    return change_octets(dice, bytes.fromhex(dice.choice(seeds["hex"])))


def zstd(octets):
    return subprocess.run(["zstd", "-qc"], input=octets, capture_output=True, timeout=10,
                          check=True).stdout


def make_compressed(dice, seeds):
    """Of one or two layers, damaged or followed by more."""
    make = dice.choice([make_capture, make_capture, make_vectors, make_hex])
    octets = make(dice, seeds)
    packers = [lambda o: gzip.compress(o, mtime=0), lzma.compress, zstd]
    for _ in range(dice.choice([1, 1, 1, 2])):
        octets = dice.choice(packers)(octets)
    kind = dice.randrange(4)
    if kind == 0:
        return change_octets(dice, octets)
    if kind == 1:
        return octets[:dice.randrange(len(octets))]
    return octets + (dice.randbytes(9) if kind == 2 else octets)


# ---- runs ----

KINDS = {"capture": (5, make_capture), "vectors": (4, make_vectors), "results": (1, make_results),
         "known": (1, make_known), "hex": (1, make_hex), "raw": (1, make_raw),
         "compressed": (2, make_compressed)}


def read_seeds(rpcrdma, folder):
    """What is changed: the cases, the vectors, and the results of a run of them."""
    seeds = {"pcap": [], "vectors": [], "results": [], "known": [], "hex": []}
    for name in sorted(glob.glob(CASES + "*.pcap")):
        with open(name, "rb") as file:
            seeds["pcap"].append(file.read())
    for name in sorted(glob.glob("vectors/*.json") + glob.glob(CASES + "miss-*.json")):
        if os.path.getsize(name) < SMALL and not name.endswith("schema.json"):
            with open(name, encoding="utf-8") as file:
                seeds["vectors"].append(json.load(file))
    for vectors in seeds["vectors"]:
        for test in vectors["tests"]:
            seeds["hex"] += [e["send"] for e in test["events"] if len(e.get("send", "")) > 56]
    for number, name in enumerate(("vectors/nomsg.json", "vectors/chunks-read.json",
                                   "vectors/header-length.json")):
        out = f"{folder}/results{number}"
        subprocess.run([rpcrdma, "vectors", "--testee", "while read -r l; do echo discard; done",
                        "--json", out, name], capture_output=True, timeout=60, check=False)
        with open(out, encoding="utf-8") as file:
            seeds["results"].append([json.loads(line) for line in file])
        os.unlink(out)
    for name in sorted(glob.glob("vectors/recorded/*.known") + glob.glob("rxe-harness/peers/*.known")):
        with open(name, encoding="utf-8") as file:
            seeds["known"] += [line.rstrip("\n") for line in file if line.strip()]
    if not all(seeds.values()):
        raise ways.Fault("a kind of input has nothing to begin with")
    return seeds


class Runs:
    """Puts inputs through the commands; counts what goes wrong."""

    def __init__(self, rpcrdma, folder):
        self.rpcrdma, self.folder = rpcrdma, folder
        self.seeds = read_seeds(rpcrdma, folder)
        self.commands = {n: ways.Command(rpcrdma, n) for n in ("check", "decode", "stat", "vectors")}
        self.main = {n: list(c.main_ways()) for n, c in self.commands.items()}
        self.statuses, self.count = {}, 0
        out = self.out = folder + "/out"
        os.mkdir(out)
        for name in self.commands:
            self.run(name, self.main[name][0], ["vectors/nomsg.json"])
        harmless = folder + "/input"
        with open(harmless, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in self.seeds["results"][0])
        self.run("vectors", ["--merge", "--tap", "--html={}/html"], [harmless])
        ways.Own.is_complete = True

    def run(self, name, options, files):
        """One run of a command."""
        status = self.commands[name].run(options, files, self.out)
        self.count += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def put(self, dice, kind, file):
        """An input through the ways that fit its kind."""
        if kind == "results":
            self.run("vectors", ["--merge", "--tap", "--html={}/html"], [file])
        elif kind == "known":
            self.run("check", dice.choice(self.main["check"]) + ["--known=" + file],
                     [CASES + "miss-rnr-nak-within-grant.pcap"])
            self.run("vectors", dice.choice(self.main["vectors"]) + ["--known=" + file],
                     ["vectors/nomsg.json"])
        else:
            formats = ["--format=" + {"raw": "raw", "hex": "hex"}[kind]] \
                if kind in ("raw", "hex") and dice.random() < 0.7 else []
            self.run("check", dice.choice(self.main["check"]) + formats, [file])
            self.run("decode", dice.choice([[], ["--json"]]) + formats, [file])
            self.run("stat", dice.choice(self.main["stat"]) + formats, [file])
            if kind == "vectors":
                self.run("vectors", dice.choice(self.main["vectors"] + [["--lint"]]), [file])

    def one(self, seed, number):
        """Makes input `number` and puts it through; returns what is wrong, or None."""
        dice = random.Random(seed * 1000003 + number)
        kind = dice.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
        file = f"{self.folder}/input.json" if kind == "vectors" else f"{self.folder}/input"
        with open(file, "wb") as out:
            out.write(KINDS[kind][1](dice, self.seeds))
        try:
            self.put(dice, kind, file)
        except ways.Fault as fault:
            keep = os.environ.get("KEEP")
            if keep:
                shutil.copy(file, f"{keep}/{number}-{kind}")
            return f"input {number} ({kind}): {fault}"
        return None


def main():
    rpcrdma, inputs = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed, first = (int(a) for a in (sys.argv[3:] + [SEED, 0][len(sys.argv) - 3:])[:2])
    print(f"seed {seed}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(rpcrdma, folder)
        for number in range(first, first + inputs):
            fault = runs.one(seed, number)
            if fault:
                failed += 1
                print(fault, flush=True)
    counts = ", ".join(f"{n} with status {s}" for s, n in sorted(runs.statuses.items()))
    print(f"{runs.count} runs: {counts}")
    print(f"{inputs - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
