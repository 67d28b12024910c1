# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/rpcrdma"
"""Every output option over every case, recording and group of vectors of the tree.

usage: outputs.py RPCRDMA
"""

import glob
import os
import sys
import tempfile

import ways

CASES = "conformance/tests/data/cases/*.*"
RECORDED = "vectors/recorded/*.pcap"
LARGE = 200000  # octets: of a larger one the ways that write all reports are enough


def captures():
    return sorted(f for f in glob.glob(CASES) if not f.endswith(".tsv")) + \
        sorted(glob.glob(RECORDED))


def is_vectors(file):
    return file.endswith(".json") and os.path.getsize(file) < LARGE


def run_all(rpcrdma, folder):
    """Yields the name of a run, and what is wrong with it or None."""
    check, decode, stat, vectors = (ways.Command(rpcrdma, n) for n in ("check", "decode", "stat", "vectors"))
    runs = [(c, f) for f in captures() for c in (check, decode, stat)]
    runs += [(vectors, f) for f in captures() + sorted(glob.glob("vectors/recorded/*.json"))
             if is_vectors(f)]
    for command, file in runs:
        small = os.path.getsize(file) < LARGE
        for options in command.ways() if small else command.main_ways():
            try:
                command.run(options, [file], folder)
                yield f"{command.name} {' '.join(options)} {file}", None
            except ways.Fault as fault:
                yield f"{command.name} {' '.join(options)} {file}", fault


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, fault in run_all(os.path.abspath(sys.argv[1]), folder):
            passed, failed = passed + (fault is None), failed + (fault is not None)
            if fault:
                print(f"{name}: {fault}")
    if passed + failed < 300:
        print(f"only {passed + failed} runs")
        failed += 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
