#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD"
"""The kit and the runner of vectors judge a parser alike: whatever it answers to the Sends of the vectors, the kit's
table names what the runner calls wrong, as often, with the shortest Send and what is open.

usage: agree_test.py BUILD
"""
import collections
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

# What the kit's table says of each answer, and the word that it has in a name.
ANSWERS = {
    "accept": ("accepts", None),
    "accept 4096": ("accepts", None),
    "error err-vers": ("answers ERR_VERS", "err-vers"),
    "error err-chunk": ("answers ERR_CHUNK", "err-chunk"),
    "discard": ("discards", "discard"),
    "refuse": ("refuses", "refuse"),
    "limit": ("names a limit", "limit"),
    "close": ("ends the connection", "close"),
    "fail": ("ends the RPC", "fail"),
}
# Gives one answer to the questions of a file, judges no other, and tells how many it was asked.
TESTEE = """
import sys
asked, count = set(open(sys.argv[1]).read().split("\\n")), 0
for line in sys.stdin:
    count += 1
    print(sys.argv[2] if line.rstrip("\\n") in asked else "unsupported", flush=True)
open(sys.argv[1] + ".count", "w").write(str(count))
"""
# The kit's parser speaks version 1 on a connection of version 1.
OTHERWISE = {"rfc8166/7/later-version-offered": "rfc8166/4.2.2/version-one"}
# A violation that lets its receiver end the RPC and nothing else: it may not be refused either.
ENDS_RPC = "rfc8166/8.2.2/gss-elements-not-reduced"
DEFAULT_THRESHOLD = 1024  # a longer Send may be right or wrong by what came before
TAKING = {"process", "garbage-args", "terminate"}


class Verdicts:
    passed = failed = 0

    def check(self, what, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAILED: {what}: {detail}")


def alone():
    """Events that are judged by themselves as in their conversation: the first, and whatever has no finding."""
    found = set()
    for name in glob.glob("vectors/*.json"):
        with open(name, encoding="utf-8") as file:
            tests = json.load(file).get("tests", [])
        for test in tests:
            for number, event in enumerate(test["events"]):
                if not test.get("settings") and (number == 0 or not event.get("expect", {}).get("findings")):
                    found.add((test["id"], number))
    return found


def run_runner(build, work, answer):
    """Question: the rows of the runner's results."""
    command = f"while read -r line; do echo {answer}; done"
    files = [name for name in sorted(glob.glob("vectors/*.json")) if "schema.json" not in name]
    subprocess.run([f"{build}/rpcrdma", "vectors", "--testee", command, "--json", f"{work}/json", *files],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    found = collections.defaultdict(list)
    with open(f"{work}/json", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row.get("question") and not row["opening"] and row["ending"] != "not-applicable":
                found[row["question"]].append(row)
    return found


def choose(results):
    """{question: {answer: row}} of those whose answer is worth the same wherever they are asked."""
    events, found = alone(), {}
    for question in results["accept"]:
        rows = {answer: results[answer][question] for answer in results}
        verb, octets = split(question)
        if verb not in ("call", "reply") or len(octets) > DEFAULT_THRESHOLD:
            continue
        if verb == "reply" and octets[4:8] != b"\0\0\0\1" and rows["accept"][0]["event"] > 0:
            continue
        same = all(len({row["ending"] for row in of}) == 1 for of in rows.values())
        if same and any((row["test"], row["event"]) in events for row in rows["accept"]):
            found[question] = {answer: of[0] for answer, of in rows.items()}
    return found


def split(question):
    verb, _, digits = question.partition(" ")
    return verb, bytes.fromhex(digits)


# ---- what the kit has to say ----

def is_wrong(row):
    """To end the connection where less is asked for: the kit knows no milder word for it."""
    return row["ending"] in ("wrong-answer", "closed")


def header(octets):
    """Which lists a good header has, and where it ends."""
    def word(at):
        return int.from_bytes(octets[at:at + 4], "big")
    at, found = 16, []
    if word(12) == 4:
        return [], 28 if word(16) == 1 else 20
    if word(at):
        found.append("read-list")
    while word(at):
        at += 24
    at += 4
    if word(at):
        found.append("write-list")
    while word(at):
        at += 8 + 16 * word(at + 4)
    at += 4
    if word(at):
        return found + ["reply-chunk"], at + 8 + 16 * word(at + 4)
    return found, at + 4


def form(what, question):
    verb, octets = split(question)
    procedure = int.from_bytes(octets[12:16], "big")
    lists = "+".join(header(octets)[0])
    role = "requester" if verb == "reply" else "responder"
    words = ["kit", what, role, {0: "rdma-msg", 1: "rdma-nomsg", 4: "rdma-error"}[procedure]]
    return "/".join(words + [lists] * bool(lists))


def rule_of(row):
    return OTHERWISE.get(row["rule"], row["rule"]) + (f"#{row['way']}" if row["way"] else "")


def name_of(question, rows, answer):
    word = ANSWERS[answer][1]
    if is_wrong(rows["accept"]):
        return rule_of(rows["accept"]) + (f":{word}" if word else "")
    if not word:
        return form("header-length", question)
    if rows[answer]["rule"] == ENDS_RPC and rows[answer]["breaks"]:
        return f"{ENDS_RPC}:{word}"
    return form("refuses-valid", question)


def wanted(questions, answer):
    """Name: its questions."""
    found = collections.defaultdict(list)
    for question, rows in questions.items():
        if is_wrong(rows[answer]):
            found[name_of(question, rows, answer)].append(question)
    return found


def opens(row):
    """What the runner expects: whether to accept, and the other words."""
    words = re.findall(r"[a-z-]+", re.sub(r"\berror |tolerated", "", row["expected"]))
    return "accept" in words, set(words) - {"accept", "or"}


# ---- what it says ----

class Table:
    HEAD = re.compile(r"^(\d+) disagreements; (\d+) questions, of these (\d+) beyond a limit, "
                      r"(\d+) of known faults$", re.M)
    ROW = re.compile(r"^(\S+)  \((\d+) times, first after (\d+) s\)\n    (.*)\n    (\S*|\(an empty Send\))$", re.M)

    def __init__(self, build, work, answer, **settings):
        command = shlex.join(["python3", "-S", f"{work}/testee.py", f"{work}/asked", answer])
        begun = time.time()
        run = subprocess.run([f"{build}/replayers/kit_line", f"{work}/sends"], capture_output=True, text=True,
                             check=False, env=dict(os.environ, KIT_CONTINUE="1", KIT_TESTEE=command, **settings))
        self.seconds = time.time() - begun
        self.status, self.text = run.returncode, run.stderr
        head = self.HEAD.search(run.stderr)
        self.count, self.questions, self.limits, self.known = map(int, head.groups()) if head else (-1,) * 4
        self.rows = {row[0]: row[1:] for row in self.ROW.findall(run.stderr)}


def judge_row(verdicts, answer, name, row, questions, of):
    times, after, said, example = row
    octets = b"" if example.startswith("(") else bytes.fromhex(example)
    about = f"{answer}: {name}"
    verdicts.check(f"{about} is counted", int(times) == len(of), f"{times} times, not {len(of)}")
    verdicts.check(f"{about} shows the shortest Send", len(octets) == min(len(split(q)[1]) for q in of), example)
    if name.startswith("kit/header-length"):
        right = f"a header of {header(octets)[1]} octets, it says 4096"
        verdicts.check(f"{about} tells both lengths", said == right, said)
        return
    parts = re.fullmatch(r"as a (Responder|Requester) it (.*?); open: (.*?); (.*)", said)
    verdicts.check(f"{about} is described", parts and parts.group(2) == ANSWERS[answer][0], said)
    question = f"{'reply' if 'a Requester' in said else 'call'} {example}" if octets else "call "
    verdicts.check(f"{about} is about the Send that it shows", question in of, said)
    if parts and question in of:
        accepts, refusals = opens(questions[question][answer])
        told = set(parts.group(3).split(", "))
        # Of what has to be refused the runner does not say what is tolerated besides.
        good = (told - TAKING == refusals and told & TAKING) if accepts else refusals <= told
        verdicts.check(f"{about} tells what is open", good, f"{said}, not {refusals}")
        verdicts.check(f"{about} tells why", (parts.group(4) == "its header breaks no rule that forbids it") ==
                       name.startswith("kit/"), said)


def judge(verdicts, build, work, questions, answer):
    table, want = Table(build, work, answer), wanted(questions, answer)
    verdicts.check(f"{answer}: all that is wrong is named and nothing else", set(table.rows) == set(want),
                   sorted(set(table.rows) ^ set(want)))
    for name in set(table.rows) & set(want):
        judge_row(verdicts, answer, name, table.rows[name], questions, want[name])
    verdicts.check(f"{answer}: the table is sorted", list(table.rows) == sorted(table.rows))
    verdicts.check(f"{answer}: rows are counted", table.count == len(table.rows), table.count)
    with open(f"{work}/asked.count", encoding="utf-8") as file:
        verdicts.check(f"{answer}: questions are counted", table.questions == int(file.read()), table.questions)
    # What a parser of headers may take the runner counts as refused.
    limits = sum(rows["limit"]["ending"] == "limit" or
                 (rows["accept"]["ending"] == "tolerated" and header(split(question)[1])[0] != [])
                 for question, rows in questions.items()) if answer == "limit" else 0
    verdicts.check(f"{answer}: limits are counted", table.limits == limits, f"{table.limits}, not {limits}")
    verdicts.check(f"{answer}: the status", table.status == (1 if want else 0), table.status)
    verdicts.check(f"{answer}: the time of the first", all(int(row[1]) <= table.seconds + 1
                                                           for row in table.rows.values()))


def judge_list(verdicts, build, work, questions):
    """What one run writes as expected another has nothing to say of."""
    want = wanted(questions, "accept")
    Table(build, work, "accept", KIT_WRITE_KNOWN=f"{work}/known")
    with open(f"{work}/known", encoding="utf-8") as file:
        names = [line.split()[0] for line in file if not line.startswith("#")]
    verdicts.check("the list names each once", sorted(names) == sorted(want), names)
    table = Table(build, work, "accept", KIT_KNOWN=f"{work}/known")
    count = sum(map(len, want.values()))
    verdicts.check("what is expected is no disagreement", table.count == 0 and table.status == 0, table.text)
    verdicts.check("and is counted", table.known == count, f"{table.known}, not {count}")


def main():
    build, verdicts = sys.argv[1], Verdicts()
    with tempfile.TemporaryDirectory() as work:
        questions = choose({answer: run_runner(build, work, answer) for answer in ANSWERS})
        verdicts.check("there are questions to both", all(sum(q.startswith(verb) for q in questions) > 100
                                                          for verb in ("call", "reply")), len(questions))
        os.mkdir(f"{work}/sends")
        for number, octets in enumerate(sorted({split(question)[1] for question in questions})):
            with open(f"{work}/sends/{number}", "wb") as file:
                file.write(octets)
        with open(f"{work}/asked", "w", encoding="utf-8") as file:
            file.write("\n".join(questions))
        with open(f"{work}/testee.py", "w", encoding="utf-8") as file:
            file.write(TESTEE)
        for answer in ANSWERS:
            judge(verdicts, build, work, questions, answer)
        judge_list(verdicts, build, work, questions)
    print(f"{verdicts.passed} passed, {verdicts.failed} failed, 0 skipped")
    return 1 if verdicts.failed else 0


sys.exit(main())
