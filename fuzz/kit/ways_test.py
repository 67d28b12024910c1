#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
"""The three ways to fuzz somebody's parser, `make kit`, workflow.yml and packaging/action.sh, start the same fuzzer
alike: around that parser, from the seeds, under the list of expected disagreements, and what is found is where it is
fetched. A compiler, git and libFuzzer are played.

usage: ways_test.py BUILD
"""
import collections
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skip: no python3-yaml\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
WORKFLOW = os.path.join(ROOT, "fuzz/kit/workflow.yml")
SECONDS = "77"
# In place of libFuzzer: writes down its arguments, leaves a file behind, and exits with STATUS.
FUZZER = """#!/usr/bin/env python3
import json, os, sys
options = dict(word.split("=", 1) for word in sys.argv[1:] if word.startswith("-"))
folders = [word for word in sys.argv[1:] if not word.startswith("-")]
told = {"options": options, "env": dict(os.environ), "there": os.path.exists(options.get("-dict", "")),
        "inputs": [len(os.listdir(folder)) if os.path.isdir(folder) else None for folder in folders]}
json.dump(told, open(os.environ["TOLD"], "w"))
open(options.get("-artifact_prefix", "") + "crash-1", "w").write("octets")
print("on stdout")
print("the table", file=sys.stderr)
sys.exit(int(os.environ["STATUS"]))
"""
# In place of make: what it would run is kept, and a fuzzer made.
MAKE = """#!/bin/sh
%(make)s -n "$@" >"$TOLD.make" 2>&1 || exit
for word; do case $word in BUILD=*) build=${word#BUILD=} ;; esac; done
mkdir -p "$build/fuzzers" "$build/fuzz"
cp "$FUZZER" "$build/fuzzers/kit_parser"
: >"$build/fuzz/rpcrdma.dict"
"""
# In place of git: a clone is this tree.
GIT = """#!/bin/sh
echo "$*" >>"$TOLD.git"
[ "$1" != init ] || sh "$SHADOW" "$3"
"""
# This tree without what was built in it. usage: shadow FOLDER
SHADOW = """
mkdir -p "$1" && for entry in %(root)s/* %(root)s/.ci; do
    case $entry in */build) ;; *) ln -s "$entry" "$1" ;; esac
done
"""
DPKG_QUERY = "#!/bin/sh\necho 'install ok installed all'\n"

verdicts = collections.Counter()


def check(about, good, detail=""):
    verdicts[bool(good)] += 1
    if not good:
        print(f"FAILED: {about}: {detail}")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


class Way:
    """A folder of somebody's, and programs that are not what they seem."""

    def __init__(self, work):
        self.work, self.user = work, f"{work}/user"
        self.told = f"{work}/told"
        os.makedirs(f"{self.user}/tests")
        os.makedirs(f"{work}/bin")
        names = {"root": shlex.quote(ROOT), "make": shutil.which("make")}
        for name, text in (("make", MAKE % names), ("git", GIT), ("dpkg-query", DPKG_QUERY)):
            write(f"{work}/bin/{name}", text)
        self.env = dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}", TOLD=self.told, DEPS="no",
                        FUZZER=write(f"{work}/fuzzer", FUZZER), SHADOW=write(f"{work}/shadow", SHADOW % names))
        for name in ("MAKEFLAGS", "MAKELEVEL", "BUILD", "CC", "SANITIZE", "KIT_KNOWN", "KIT_TESTEE"):
            self.env.pop(name, None)

    def run(self, words, **env):
        return subprocess.run(words, cwd=self.user, env=dict(self.env, **env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def shadow(self, folder):
        self.run(["sh", self.env["SHADOW"], folder])
        return folder

    # Each returns what was run, and the folder where it puts what was found.

    def make_kit(self, parser, flags, testee, known, status, *settings):
        words = [shutil.which("make"), "-C", self.shadow(f"{self.work}/kit"), "kit", f"BUILD={self.work}/built",
                 f"MAKE={self.work}/bin/make", *(settings or [f"KIT_SECONDS={SECONDS}"])]
        if parser:
            words += [f"KIT_PARSER={self.user}/{parser}", "KIT_PARSER_FLAGS=" + flags.replace("$(TOP)", self.user)]
        done = self.run(words, STATUS=status, KIT_TESTEE=testee, **({"KIT_KNOWN": known} if known else {}))
        return done, f"{self.work}/built/kit/found"

    def action(self, parser, flags, testee, known, status):
        done = self.run(["sh", self.shadow(f"{self.work}/kit") + "/packaging/action.sh", "fuzz"], STATUS=status,
                        PARSER=parser, PARSER_FLAGS=flags.replace("$(TOP)", "$TOP"), TESTEE=testee,
                        KNOWN=known or "none", SECONDS_A_RUN=SECONDS)
        return done, f"{self.user}/rpcrdma-reports"

    def workflow(self, parser, flags, testee, known, status):
        with open(WORKFLOW, encoding="utf-8") as file:
            described = yaml.safe_load(file)
        steps = described["jobs"]["fuzz"]["steps"]
        env = dict(described["env"], RUNNER_TEMP=self.work, STATUS=status, PARSER=parser, PARSER_FLAGS=flags,
                   KIT_TESTEE=testee, KNOWN=known or "none", SECONDS_A_RUN=SECONDS, KIT_VERSION="v7")
        for step in steps:
            if "run" in step and "apt-get" not in step["run"]:
                done = self.run(["sh", "-e", "-c", step["run"]], **env)
                if done.returncode:
                    break
        with open(f"{self.told}.git", encoding="utf-8") as file:
            check("workflow: the version that is asked for", f"fetch -q --depth 1 {env['KIT']} v7\n"
                  in file.read())
        fetched = [step for step in steps if "upload-artifact" in step.get("uses", "")]
        check("workflow: what is found is fetched, where it is red",
              [step["if"] for step in fetched] == ["failure()"])
        return done, fetched[0]["with"]["path"].replace("${{ runner.temp }}", self.work)


def seed_octets(folder):
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", "rb") as file:
            yield file.read().hex()


def corpus_octets():
    with open(f"{ROOT}/fuzz/corpus/decode1.hex", encoding="utf-8") as file:
        return [line.split()[0].replace("-", "") for line in file]


def examine(name, seeds, parser, listed, status):
    about = f"{name}, {parser or 'a testee'}{', a list' if listed else ''}, status {status}"
    flags = "-I$(TOP)/include $(TOP)/src/parse.c"  # which a testee does not need
    testee, known = "" if parser else "my testee --x", "tests/known" if listed else ""
    with tempfile.TemporaryDirectory() as work:
        way = Way(work)
        if listed:
            write(f"{way.user}/tests/known", "# none\n")
        done, found = getattr(way, name)(parser, flags, testee, known, status)
        if not os.path.exists(way.told):
            check(f"{about}: a fuzzer is started", False, (done.stdout + done.stderr)[-300:])
            return
        with open(way.told, encoding="utf-8") as file:
            told = json.load(file)
        with open(f"{way.told}.make", encoding="utf-8") as file:
            built = [line for line in file.read().replace("\\\n", "").split("\n")
                     if "kit_parser" in line and " -o " in line]
        options, env = told["options"], told["env"]
        check(f"{about}: it fuzzes as long as is said", options.get("-max_total_time") == SECONDS, options)
        check(f"{about}: it has the dictionary", told["there"], options)
        check(f"{about}: it begins with the seeds, and keeps what it makes elsewhere", told["inputs"] == [0, seeds],
              told["inputs"])
        check(f"{about}: it goes on after a disagreement", env.get("KIT_CONTINUE") == "1")
        check(f"{about}: it has the list, if there is one", env.get("KIT_KNOWN", "") == known, env.get("KIT_KNOWN"))
        check(f"{about}: it has the testee", env.get("KIT_TESTEE", "") == testee, env.get("KIT_TESTEE"))
        words, wanted = set(built[0].split()) if built else set(), set(flags.replace("$(TOP)", way.user).split())
        wanted = wanted | {f"{way.user}/{parser}"} if parser else {"fuzz/kit/line.c"}
        check(f"{about}: the seeds are the corpus, to the last octet", not parser or name != "make_kit" or
              sorted(seed_octets(f"{work}/built/kit/seeds")) == sorted(corpus_octets()), told["inputs"])
        check(f"{about}: it is built around the parser", wanted <= words, built)
        check(f"{about}: and around nothing else", parser or not any(way.user in word for word in words), built)
        check(f"{about}: by clang, with sanitizers", built and built[0].split()[0] == "clang" and
              "-fsanitize=address,undefined" in built[0] and "fuzzer" in built[0], built)
        check(f"{about}: what crashes the parser is where it is fetched", os.path.exists(f"{found}/crash-1"),
              options.get("-artifact_prefix"))
        # make has a status of its own.
        check(f"{about}: its status", done.returncode == int(status) or (name == "make_kit" and done.returncode == 2 and
                                                                         status != "0"), done.returncode)
        check(f"{about}: the table is shown", "the table" in done.stdout + done.stderr)
        if name != "make_kit":
            with open(f"{found}/report.txt", encoding="utf-8") as file:
                text = file.read()
            check(f"{about}: the report is there", "the table\n" in text and "on stdout\n" in text, text)


def examine_make_kit():
    """What `make kit` does besides: how long if nobody says so, and how somebody's sources are compiled and linked."""
    def built_with(parser, flags, *settings):
        with tempfile.TemporaryDirectory() as work:
            way = Way(work)
            done, _ = way.make_kit(parser, flags, "" if parser else "my testee", "", "0", *settings)
            if not os.path.exists(way.told):
                check(f"make kit: a fuzzer of {parser} {flags} {settings}", False, (done.stdout + done.stderr)[-300:])
                return {}, ""
            with open(f"{way.told}.make", encoding="utf-8") as file:
                built = [line for line in file.read().replace("\\\n", "").split("\n")
                         if "kit_parser" in line and " -o " in line]
            with open(way.told, encoding="utf-8") as file:
                return json.load(file)["options"], built[0] if built else ""

    options, built = built_with("p.c", "-Isome", "A=B")
    check("make kit: a minute where KIT_SECONDS is not set", options.get("-max_total_time") == "60", options)
    check("make kit: misaligned loads are permitted, nothing else of the sanitizers is",
          "-fno-sanitize=alignment" in built and "-fno-sanitize-recover=all" in built, built)
    check("make kit: C alone is no C++", "-lstdc++" not in built, built)
    check("make kit: the kit uses threads", "-pthread" in built, built)
    check("make kit: none of our flags but where kit.h is",
          [word for word in built.split() if word.startswith(("-I", "-W", "-std"))] == ["-Ifuzz/kit", "-Isome"], built)
    for parser, flags in (("p.cc", ""), ("p.cpp", ""), ("p.cxx", ""), ("p.c", "more.cc"), ("p.c", "more.cpp -Ix")):
        _, built = built_with(parser, flags)
        check(f"make kit: with {parser} {flags} the library of C++ is there", "-lstdc++" in built, built)
    _, built = built_with("p.c", "", "KIT_SANITIZE=-fsanitize=undefined")
    check("make kit: KIT_SANITIZE takes the place of our sanitizers",
          "-fsanitize=undefined " in built and "address" not in built.split("p.c")[0] and "alignment" not in built, built)
    with tempfile.TemporaryDirectory() as work:
        way = Way(work)
        done, _ = way.make_kit("", "", "", "", "0")
        check("make kit: without parser and testee nothing is made", done.returncode != 0 and
              "KIT_PARSER= names the source file" in done.stderr and not os.path.exists(way.told), done.stderr)


def examine_workflow():
    """It runs for each pull request, may read and nothing else, and has time for what it does."""
    with open(WORKFLOW, encoding="utf-8") as file:
        described = yaml.safe_load(file)
    job = described["jobs"]["fuzz"]
    check("workflow: for each pull request", described[True] == ["pull_request"], described.get(True))
    check("workflow: it may read", described["permissions"] == {"contents": "read"}, described["permissions"])
    check("workflow: a run fits its time", 2 * int(described["env"]["SECONDS_A_RUN"]) < 60 * job["timeout-minutes"])
    check("workflow: somebody's sources are there before they are built",
          [step.get("uses", "").split("@")[0] for step in job["steps"]].index("actions/checkout") <
          [step.get("name") for step in job["steps"]].index("Build the kit around the parser"))


def examine_seeds():
    """Packed and unpacked, a corpus is what it was; seeds are what the lines say, to the last octet."""
    script = f"{ROOT}/fuzz/corpus_files.sh"
    with tempfile.TemporaryDirectory() as work:
        lines = ["-", "00", "00ff10 found-it", "0a0d25"]
        write(f"{work}/c.hex", "".join(line + "\n" for line in lines))
        os.makedirs(f"{work}/f")
        write(f"{work}/f/old", "old")
        subprocess.run(["sh", script, "unpack", f"{work}/c.hex", f"{work}/f"], check=False)
        found = {}
        for name in os.listdir(f"{work}/f"):
            with open(f"{work}/f/{name}", "rb") as file:
                found[name] = file.read()
        check("seeds: each line is a file, and what was there is not", found == {
            "0001": b"", "0002": b"\0", "found-it": b"\0\xff\x10", "0004": b"\n\r%"}, found)
        again = subprocess.run(["sh", script, "pack", f"{work}/f"], capture_output=True, text=True, check=False).stdout
        check("seeds: packed again they are the same lines", again.splitlines() == lines, again)
        with open(f"{work}/new", "wb") as file:
            file.write(b"\0\x07")
        for named in (["found-two"], ["found-two"], []):
            subprocess.run(["sh", script, "add", f"{work}/c.hex", f"{work}/new", *named], check=False)
        with open(f"{work}/c.hex", encoding="utf-8") as file:
            found = file.read().splitlines()
        check("seeds: one that is added stands once by each name, in order",
              found == ["-", "00", "0007", "0007 found-two", *lines[2:]], found)


def examine_dictionary():
    """A constant is the word that it is on the wire; edges of counts are there; none twice."""
    with tempfile.TemporaryDirectory() as work:
        write(f"{work}/x.x", "const SEVEN = 0x1F0;\nconst TEN = 10 ;\nenum e {\n    ONE = 1,\n    LESS = -2,\n"
              "    HEX = 0xabcdef01,\n    LAST = 65536\n};\n/* NOT = 12, */\nconst AGAIN = 1;\nstruct s { int a; };\n")
        text = subprocess.run(["awk", "-f", f"{ROOT}/fuzz/dictionary.awk", f"{work}/x.x"], capture_output=True, text=True,
                              check=False).stdout
    words = dict(line.split("=", 1) for line in text.splitlines())
    wanted = {"SEVEN": 0x1F0, "TEN": 10, "ONE": 1, "LESS": 2**32 - 2, "HEX": 0xABCDEF01, "LAST": 65536,
              "count_wraps_by_16": 2**28, "count_just_below": 2**28 - 1, "largest_signed": 2**31 - 1,
              "all_ones": 2**32 - 1, "smallest_header": 28, "program_nfs": 100003, "nfs_acl": 100227}
    for name, number in wanted.items():
        octets = "".join(f"\\x{octet:02x}" for octet in number.to_bytes(4, "big"))
        check(f"dictionary: {name}", words.get(name) == f'"{octets}"', words.get(name))
    # RFC 8797 section 4: the identifier, then the version.
    check("dictionary: private data", words.get("private_data", "")[:21] == r'"\xf6\xab\x0e\x18\x01', words.get("private_data"))
    check("dictionary: none twice, and no comment", len(set(words.values())) == len(text.splitlines()) and
          not {"NOT", "AGAIN"} & set(words), text)


def main():
    with open(f"{ROOT}/fuzz/corpus/decode1.hex", encoding="utf-8") as file:
        seeds = len(file.readlines())
    cases = [("tests/kit_parser.c", True, "0"), ("", False, "1"), ("tests/kit_parser.c", False, "77")]
    for name, case in itertools.product(("make_kit", "workflow", "action"), cases):
        examine(name, seeds, *case)
    examine_make_kit()
    examine_workflow()
    examine_seeds()
    examine_dictionary()
    print(f"{verdicts[True]} passed, {verdicts[False]} failed, 0 skipped")
    return 1 if verdicts[False] else 0


sys.exit(main())
