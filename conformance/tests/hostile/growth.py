# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma" "$BUILD/make_capture"
"""What four times the input costs in processor time and memory: four times is right, sixteen times
would be a way to deny service.

usage: growth.py RPCRDMA MAKE_CAPTURE [MOST]

With MOST (up to 1,000,000) each doubling of the connections, or of the Calls on one connection, up to
there is measured and printed.
"""

import os
import subprocess
import sys
import tempfile

LEAST = 0.05  # seconds: below that the start of the process is what is measured
FACTOR = 4
MOST = 9  # times the processor time for FACTOR times the input; quadratic is 16
MEMORY = 48 << 10  # KiB that the reader may take more for it


def capture(make_capture, path, pairs, connections):
    """A capture of that many Calls on that many connections."""
    with open(path, "wb") as out:
        subprocess.run([make_capture, str(pairs), str(connections)], stdout=out, check=True,
                       timeout=600)


def hex_lines(path, count):
    """Runts: a finding each."""
    with open(path, "w", encoding="ascii") as out:
        for number in range(count):
            out.write(f"{number:08x}000000010000002000000000\n")


def vectors(path, count):
    """Tests with a finding each."""
    with open(path, "w", encoding="ascii") as out:
        out.write('{"schema":"rpcrdma-vectors-v1","protocol":"rpcrdma1","title":"x",'
                  '"source":{"origin":"made","reference":"x"},"tests":[')
        for number in range(count):
            out.write((", " if number else "") + f'{{"id":"t-{number}","comment":"x","events":['
                      f'{{"from":"client","send":"{number:08x}000000010000002000000000"}}]}}\n')
        out.write("]}\n")


def results(path, count):
    """Of a peer that fails every test."""
    with open(path, "w", encoding="ascii") as out:
        out.write('{"kind":"run","schema":"rpcrdma-results-v1","subject":"x"}\n')
        for number in range(count):
            out.write(f'{{"kind":"result","test":"t-{number}","event":0,"comment":"x",'
                      '"from":"client","type":"send","rule":null,"level":"must","ending":'
                      '"wrong-answer","expected":"x","actual":"y","octets":"00"}\n')
        out.write('{"kind":"summary"}\n')


def measure(arguments):
    """Seconds of the user's and KiB of memory, the least of up to three runs."""
    best = None
    for _ in range(3):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
            error = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(arguments)}: status {child.returncode}: {error[-300:]}")
        seconds = usage.ru_utime + usage.ru_stime
        best = min(best or (seconds, 0), (seconds, usage.ru_maxrss))
        if seconds > 5:
            break
    return max(best[0], 0.001), usage.ru_maxrss


def shapes(folder, rpcrdma, make_capture):
    """Name, small size, what makes an input of a size, and the command; bounded: in memory, too."""
    check, out = [rpcrdma, "check"], folder + "/out"
    return [
        ("connections", 8000, True, lambda p, n: capture(make_capture, p, 1, n), check),
        ("connections, --json", 6000, True, lambda p, n: capture(make_capture, p, 1, n),
         check + ["--json"]),
        ("connections, --record", 6000, True, lambda p, n: capture(make_capture, p, 1, n),
         check + ["--record", out]),
        ("connections, all reports", 6000, True, lambda p, n: capture(make_capture, p, 1, n),
         check + ["--html", out, "--junit", out + "2", "--sarif", out + "3", "--annotate",
                  out + "4", "--write-known", out + "5"]),
        ("Calls", 40000, True, lambda p, n: capture(make_capture, p, n, 1), check),
        ("Calls, --json", 15000, True, lambda p, n: capture(make_capture, p, n, 1),
         check + ["--json"]),
        ("Calls, --record", 15000, True, lambda p, n: capture(make_capture, p, n, 1),
         check + ["--record", out]),
        ("Sends with findings", 40000, False, hex_lines,
         check + ["--write-known", out, "--html", out + "2", "--sarif", out + "3"]),
        ("tests", 12000, False, vectors, check),
        ("tests of a testee", 2000, False, vectors,
         [rpcrdma, "vectors", "--testee", "while read -r l; do echo discard; done",
          "--html", out + "2", "--json", out + "3"]),
        ("results, --merge", 8000, False, results, [rpcrdma, "vectors", "--merge", "--html", out]),
    ]


def small(folder, rpcrdma, make_capture):
    """The test: returns how many shapes cost too much."""
    failed, all_shapes = 0, shapes(folder, rpcrdma, make_capture)
    for name, size, bounded, make, command in all_shapes:
        figures = []
        for count in (size, size * FACTOR):
            make(folder + "/in", count)
            figures.append(measure(command + [folder + "/in"]))
        (seconds, memory), (more_seconds, more_memory) = figures
        times = more_seconds / max(seconds, LEAST)
        wrong = times > MOST or (bounded and more_memory > memory + MEMORY)
        failed += wrong
        print(f"{'not ok' if wrong else 'ok'} {name}: {size} in {seconds:.2f} s, {memory >> 10} MB;"
              f" {FACTOR} times as many in {more_seconds:.2f} s ({times:.1f} times),"
              f" {more_memory >> 10} MB", flush=True)
    print(f"{len(all_shapes) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


def large(folder, rpcrdma, make_capture, most):
    """Prints what each doubling of a capture costs."""
    for name, _, bounded, make, command in shapes(folder, rpcrdma, make_capture):
        before, count = None, max(most // 128, 1)
        while bounded and count <= most:
            make(folder + "/in", count)
            seconds, memory = measure(command + [folder + "/in"])
            ratio = f"{seconds / before:.2f} times" if before else ""
            print(f"{count:9} {name:24} {seconds:7.2f} s {memory >> 10:5} MB  {ratio}", flush=True)
            before, count = seconds, count * 2
    return False


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        rpcrdma, make_capture = (os.path.abspath(a) for a in sys.argv[1:3])
        if len(sys.argv) > 3:
            return large(folder, rpcrdma, make_capture, int(sys.argv[3]))
        return small(folder, rpcrdma, make_capture)


if __name__ == "__main__":
    sys.exit(main())
