# SPDX-License-Identifier: BSD-3-Clause
# run by: outputs.py and mutate.py, whose part it is
"""Every way in which a command prints or writes, and what has to hold of each whatever the input is.

The options come from the command's own --help: one that is not known here and takes an argument is
an error, so that a new one cannot be forgotten.
"""

import html.parser
import json
import os
import re
import shutil
import subprocess
import unicodedata
import xml.etree.ElementTree

TIMEOUT = 10  # seconds: more is a hang
SANITIZED = 99  # the status of a sanitizer's report

# An argument for each option that takes one and writes no file. None: it changes nothing of what is
# printed or needs another program, and other tests have it.
ARGUMENTS = {
    "check": {
        "format": None, "from": "server", "draft": "04", "port": "20049", "memory": "1M",
        "level": "must", "rule": "rfc8166/3.4.5/position-multiple-of-four", "connection": "x",
        "side": "server", "known": None, "binding": "none", "fail-on": "note", "color": "never",
        "site": "https://kit.example", "output": "{}/all",
    },
    "decode": {
        "format": None, "from": "server", "draft": "07", "port": "20049", "memory": "1M",
        "frame": "1-3", "xid": "1", "connection": "x",
        "rule": "rfc8166/3.4.5/position-multiple-of-four", "color": "never",
    },
    "stat": {
        "format": None, "from": "server", "draft": "07", "port": "20049", "memory": "1M",
        "connection": "x", "budget": None, "color": "never", "output": "{}/all",
    },
    "vectors": {
        "testee": None, "timeout": None, "seed": None, "case": "x",
        "rule": "rfc8166/3.4.5/position-multiple-of-four", "max-read": None, "max-segments": None,
        "max-chunk-segments": None,
        "max-read-chunks": None, "max-write-chunks": None, "versions": None, "offers": None, "known": None, "name": "x",
        "site": "https://kit.example", "color": "never", "output": "{}/all",
    },
}
# Flags that are of use with others only.
COMPANIONS = {"decode": (), "context": (), "merge": (), "compare": ()}
ALONE = {("check", "json"), ("check", "tap"), ("check", "explain"), ("check", "ladder"),
         ("decode", "json"), ("decode", "ladder")}  # exclude one another


class Fault(Exception):
    """What must not be."""


class Command:
    """A command of rpcrdma, with the options of its --help."""

    def __init__(self, rpcrdma, name):
        text = subprocess.run([rpcrdma, name, "--help"], capture_output=True, text=True,
                              timeout=TIMEOUT, check=True).stdout
        self.rpcrdma, self.name = rpcrdma, name
        self.flags, self.outputs, self.settings = [], [], []
        self.statuses = {int(n) for n in
                         re.findall(r"\b(\d+)\s", text[text.index("Exit status:"):])} - {130}
        for option, argument, words in re.findall(
                r"^  (?:-\w, )?--([a-z-]+)(?: ([A-Z]+))?(?: {2,}|\n {10,})(\w+)", text, re.M):
            self.sort(option, argument, words)
        if len(self.flags) + len(self.outputs) < 2:
            raise Fault(f"{name} --help is not understood")

    def sort(self, option, argument, word):
        """Into flags, files that are written, and settings."""
        known = ARGUMENTS[self.name]
        if argument == "FILE" and word == "write":
            self.outputs.append(option)
        elif option in known:
            if known[option] is not None:
                self.settings.append(f"--{option}={known[option]}")
        elif argument:
            raise Fault(f"{self.name} --{option}: ways.py has no argument for it")
        elif option not in COMPANIONS and option != "help":
            self.flags.append(f"--{option}")

    def ways(self):
        """Lists of options; "{}" stands for a folder to write to."""
        files = [f"--{name}={{}}/{name}" for name in self.outputs]
        yield files
        for flag in self.flags:
            yield [flag] + (files if flag in ("--json", "--tap") else [])
        for setting in self.settings:
            yield [setting]

    def main_ways(self):
        """The same, each output option once or more, in as few runs as can be."""
        files = [f"--{name}={{}}/{name}" for name in self.outputs]
        alone = [f for f in self.flags if (self.name, f[2:]) in ALONE] or [None]
        rest = [f for f in self.flags if (self.name, f[2:]) not in ALONE and f not in
                ("--lint", "--print-lines")]
        for flag in alone:
            yield ([flag] if flag else []) + rest + files

    def run(self, options, files, folder):
        """One run; raises Fault. Returns the status."""
        for name in os.listdir(folder):
            written = os.path.join(folder, name)
            shutil.rmtree(written) if os.path.isdir(written) else os.unlink(written)
        arguments = [self.rpcrdma, self.name] + [o.format(folder) for o in options] + files
        environment = dict(os.environ, ASAN_OPTIONS=f"exitcode={SANITIZED}",
                           UBSAN_OPTIONS=f"halt_on_error=1:exitcode={SANITIZED}", LC_ALL="C.UTF-8")
        try:
            done = subprocess.run(arguments, capture_output=True, stdin=subprocess.DEVNULL,
                                  timeout=TIMEOUT, env=environment, check=False)
        except subprocess.TimeoutExpired:
            raise Fault("hangs") from None
        if done.returncode < 0 or done.returncode not in self.statuses:
            raise Fault(f"status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
        check_text(done.stdout, "standard output")
        check_text(done.stderr, "standard error")
        if "--json" in options:
            check_json_lines(done.stdout)
        if "--tap" in options:
            check_tap(done.stdout)
        for place, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    octets = file.read()
                try:
                    FILES[GATHERED.get(name, name)](octets)
                except (ValueError, xml.etree.ElementTree.ParseError) as error:
                    raise Fault(f"--{name}: {error}") from None
        return done.returncode


# ---- what has to hold ----

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def check_text(octets, where):
    """Nothing in it steers a terminal."""
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"{where}: no UTF-8: {octets[error.start - 40:error.start + 10]!r}") from None
    found = STEERS.search(text)
    if found:
        at = found.start()
        raise Fault(f"{where}: U+{ord(found.group()):04X} {unicodedata.category(found.group())}: "
                    f"{text[max(0, at - 60):at + 20]!r}")


def check_json_lines(octets):
    """An object a line, the last of them the summary."""
    last = None
    for line in octets.decode().splitlines():
        try:
            last = json.loads(line)
        except ValueError as error:
            raise Fault(f"JSON line: {error}: {line[:200]!r}") from None
    if last is not None and not isinstance(last, dict):
        raise Fault(f"JSON line: no object: {last!r}")


def check_tap(octets):
    """The plan says how many points there are; they are numbered."""
    lines = octets.decode().splitlines()
    points = [m for m in (re.match(r"(?:not )?ok (\d+)", line) for line in lines) if m]
    plans = [re.match(r"1\.\.(\d+)", line) for line in lines]
    plans = [int(plan.group(1)) for plan in plans if plan]
    if not lines:
        return
    if [int(m.group(1)) for m in points] != list(range(1, len(points) + 1)):
        raise Fault("TAP: points are not numbered from 1")
    if plans != [len(points)] and not any(line.startswith("Bail out!") for line in lines):
        raise Fault(f"TAP: plan {plans}, {len(points)} points")


LINKS = r"#|\./[a-z]+\.[a-z]+$|https://www.rfc-editor.org/rfc/|https://datatracker.ietf.org/doc/"


class Page(html.parser.HTMLParser):
    """Collects the scripts of a page, and what else could run."""

    def __init__(self):
        super().__init__()
        self.scripts, self.in_script = [], False

    def handle_starttag(self, tag, attrs):
        self.in_script = tag == "script"
        for key, value in attrs:
            active = key.startswith("on") or "javascript:" in (value or "").lower()
            away = key in ("src", "href") and not re.match(LINKS, value or "")
            if active or away:
                raise Fault(f"--html: <{tag} {key}={value!r}>")
        if tag in ("iframe", "object", "embed", "link", "base", "form"):
            raise Fault(f"--html: <{tag}>")

    def handle_endtag(self, tag):
        self.in_script = False

    def handle_data(self, data):
        if self.in_script:
            self.scripts.append(data)


class Own:
    """The scripts of pages about harmless input."""

    scripts, is_complete = set(), False


def check_html(octets):
    """Only scripts that the page of a harmless input has, too."""
    page = Page()
    page.feed(octets.decode("utf-8"))
    page.close()
    if not Own.is_complete:
        Own.scripts.update(page.scripts)
    if not set(page.scripts) <= Own.scripts:
        raise Fault("--html: a script of the input's")


def check_sarif(octets):
    """One run, whose results name rules that are there."""
    run, = json.loads(octets)["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    for result in run["results"]:
        if result["ruleId"] not in rules:
            raise Fault(f"--sarif: {result['ruleId']} is not among the rules")


def check_junit(octets):
    """Its counts are those of its cases."""
    root = xml.etree.ElementTree.fromstring(octets)
    for suite in root.iter("testsuite"):
        cases = suite.findall("testcase")
        for key, child in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
            if int(suite.get(key, "0")) != sum(c.find(child) is not None for c in cases):
                raise Fault(f"--junit: {key} is not the number of its cases")
        if int(suite.get("tests")) != len(cases):
            raise Fault("--junit: tests is not the number of its cases")


def check_vectors(octets):
    """Vectors with tests in them."""
    if not json.loads(octets)["tests"]:
        raise Fault("--record: no tests")


def check_capture(octets):
    """Blocks whose two lengths agree, up to the end."""
    at, order = 0, "little"
    while at < len(octets):
        if octets[at:at + 4] == b"\n\r\r\n":
            order = "little" if octets[at + 8] == 0x4d else "big"
        length = int.from_bytes(octets[at + 4:at + 8], order)
        if length < 12 or length % 4 or octets[at + length - 4:at + length] != \
                octets[at + 4:at + 8]:
            raise Fault(f"--annotate: the block at {at} is not whole")
        at += length


def check_list(octets):
    """A file of text; what it keeps of the user's own list is the user's."""
    if octets and not octets.endswith(b"\n"):
        raise Fault("--write-known: the last line has no end")


FILES = {
    "html": check_html, "junit": check_junit, "sarif": check_sarif, "annotate": check_capture,
    "record": check_vectors, "write-known": check_list, "json": check_json_lines,
}
# In the folder of --output.
GATHERED = {
    "index.html": "html", "report.html": "html", "junit.xml": "junit", "findings.sarif": "sarif", "recorded.json": "record",
    "results.json": "json",
}
