#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD"
"""The kit and the runner of vectors judge a parser alike: whatever it answers to the Sends of the vectors, the kit's
table names what the runner calls wrong, as often, with the shortest Send and what is open.

usage: agree_test.py BUILD
"""
import collections
import csv
import glob
import json
import os
import re
import shlex
import shutil
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
# Gives its answer to each question of a file, judges no other, and tells how many it was asked.
TESTEE = """
import json, sys
asked, count = json.load(open(sys.argv[1])), 0
for line in sys.stdin:
    count += 1
    print(asked.get(line.rstrip("\\n"), "unsupported"), flush=True)
open(sys.argv[1] + ".count", "w").write(str(count))
"""
# The kit's parser speaks version 1 on a connection of version 1.
OTHERWISE = {"rfc8166/7/later-version-offered": "rfc8166/4.2.2/version-one"}
# A violation that lets its receiver end the RPC and nothing else: it may not be refused either.
ENDS_RPC = "rfc8166/8.2.2/gss-elements-not-reduced"
OPENING = "bcabdbec"  # how the opening vector begins, with the seed that the runner takes
WITH_FIRST_WORD = {9, 10, 12, 13}  # types of -07 whose XDR counts the first word of the RPC message to the header
SURPLUSES = (-8, -4, -1, 0, 1, 4, 8)
DEFAULT_THRESHOLD = 1024  # a longer Send may be right or wrong by what came before
TAKING = {"process", "garbage-args", "terminate"}
# A Send of -04 with two faults, those of them that are expected, and what is wrong with each answer to it. Who overlooks
# the first, as expected, answers to the second.
POSITION, MESSAGE_TYPE = "rfc8166/3.4.5/position-multiple-of-four", "rfc8166/2.2.2/message-type"
TWO_FAULTS = bytes.fromhex("00000001 00000002 00000010 00000000 00000000 00000000 00000001 00000029 00000007 00000040"
                           "0000000000000000 00000000 00000000 00000000 00000001 000000ff")
OF_TWO_FAULTS = (
    ((), {"accept": POSITION, "discard": POSITION, "close": POSITION, "error err-chunk": "", "refuse": ""}),
    ((POSITION,), {"accept": MESSAGE_TYPE, "discard": "", "close": MESSAGE_TYPE, "error err-chunk": "",
                   "error err-vers": MESSAGE_TYPE}),
    ((MESSAGE_TYPE,), {"accept": POSITION, "discard": POSITION, "error err-chunk": ""}),
    ((POSITION, MESSAGE_TYPE), {"accept": "", "discard": "", "close": "", "error err-vers": ""}))


class Verdicts:
    passed = failed = 0

    def check(self, what, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAILED: {what}: {detail}")


def files_of(draft):
    return sorted(set(glob.glob(f"vectors/v2-{draft}/*.json" if draft else "vectors/*.json")) -
                  {"vectors/vector.schema.json"})


def in_header():
    """The rules that a header breaks by itself."""
    found = set()
    for name in glob.glob("spec/requirements/*.tsv"):
        with open(name, encoding="utf-8") as file:
            found |= {row[0] for row in csv.reader(file, delimiter="\t") if len(row) > 5 and row[5] == "header"}
    return found


def header_lengths(draft):
    """{octets of a Send: how long the vectors say that its header is}"""
    found = {}
    for name in files_of(draft):
        with open(name, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
        for event in (event for test in tests for event in test["events"] if isinstance(event.get("send"), str)):
            if "headerLength" in event.get("expect", {}):
                found[bytes.fromhex(event["send"].replace(" ", ""))] = event["expect"]["headerLength"]
    return found


def alone(draft):
    """Events that are judged by themselves as in their conversation: the first, and whatever has no finding; of version
    2 not the first, but what a client sends with a fault of its header."""
    rules, found = in_header() if draft else set(), set()
    for name in files_of(draft):
        with open(name, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
        for test in tests:
            for number, event in enumerate(test["events"]):
                broken = {finding["rule"] for finding in event.get("expect", {}).get("findings", [])}
                mild = not broken or (broken <= rules and event["from"] == "client")
                if not test.get("settings") and (mild or (number == 0 and not draft)):
                    found.add((test["id"], number))
    return found


def run_runner(build, work, draft, answer):
    """Question: the rows of the runner's results. Whether the testee speaks version 2 is asked first."""
    command = f"""while read -r verb hex _; do
        case $verb$hex in open*) echo unsupported ;; call0?{OPENING}*) echo accept ;; *) echo {answer} ;; esac; done"""
    subprocess.run([f"{build}/rpcrdma", "vectors", "--testee", command, "--json", f"{work}/json", *files_of(draft)],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    found = collections.defaultdict(list)
    with open(f"{work}/json", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row.get("question") and not row["opening"] and row["ending"] != "not-applicable":
                found[row["question"].replace(f"{draft} ", " ", 1)].append(row)
    return found


def choose(draft, results):
    """{question: {answer: row}} of those whose answer is worth the same wherever they are asked."""
    events, found = alone(draft), {}
    for question in results["accept"]:
        rows = {answer: results[answer][question] for answer in results}
        if not re.fullmatch("(call|reply) [0-9a-f]*", question) or not all(rows.values()):
            continue
        verb, octets = split(question)
        version = b"\0\0\0\2" if draft else b"\0\0\0\1"
        first = rows["accept"][0]["event"] == 0 and not draft
        accepts, refusals = opens(rows["accept"][0])
        either = accepts and refusals and draft  # what came before leaves it open
        if len(octets) > DEFAULT_THRESHOLD or either or (octets[4:8] != version and not first):
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


def form(draft, what, question):
    verb, octets = split(question)
    procedure = int.from_bytes(octets[12:16], "big")
    lists = "+".join(header(octets)[0])
    role = "requester" if verb == "reply" else "responder"
    if draft:
        return f"kit/draft-{draft}/{what}/{role}"
    words = ["kit", what, role, {0: "rdma-msg", 1: "rdma-nomsg", 4: "rdma-error"}[procedure]]
    return "/".join(words + [lists] * bool(lists))


def type_names(build, draft):
    """{number: name} of the header types, as the XDR has them."""
    with open(f"{build}/spec/rpcrdma2-{draft}.x", encoding="utf-8") as file:
        found = re.findall(r"\b(RDMA2_(?!ERR_|PROPID_|BKREQSUP|RVRSDIR)\w+) *= *(\d+)", file.read())
    return {int(number): name for name, number in found}


def rule_of(row):
    return OTHERWISE.get(row["rule"], row["rule"]) + (f"#{row['way']}" if row["way"] else "")


def name_of(draft, question, rows, answer):
    word = ANSWERS[answer][1]
    if draft:
        return name_of_version_2(draft, question, rows, answer)
    if is_wrong(rows["accept"]):
        return rule_of(rows["accept"]) + (f":{word}" if word else "")
    if not word:
        return form(draft, "header-length", question)
    if rows[answer]["rule"] == ENDS_RPC and rows[answer]["breaks"]:
        return f"{ENDS_RPC}:{word}"
    return form(draft, "refuses-valid", question)


def what_of(answer):
    return "refuses" if ANSWERS[answer][1] else "accepts-invalid" if answer == "accept" else "header-length"


def name_of_version_2(draft, question, rows, answer):
    """Where the receiver may go on, too, what is wrong is named by its form."""
    if not is_wrong(rows["accept"]):
        return form(draft, what_of(answer), question)
    if not rows["accept"]["rule"].endswith("/xdr-encoded"):
        return rows["accept"]["rule"]
    return form(draft, "refuses" if ANSWERS[answer][1] else "accepts-invalid", question)


def opens(row):
    """What the runner expects: whether to accept, and the other words."""
    words = re.findall(r"[a-z-]+", re.sub(r"\berror |tolerated", "", row["expected"]))
    return "accept" in words, set(words) - {"accept", "or"}


# ---- what it says ----

class Table:
    HEAD = re.compile(r"^(\d+) disagreements; (\d+) questions, of these (\d+) beyond a limit, "
                      r"(\d+) of known faults$", re.M)
    ROW = re.compile(r"^(\S+)  \((\d+) times, first after (\d+) s\)\n    (.*)\n    (\S*|\(an empty Send\))$", re.M)

    def __init__(self, build, work, draft, answers, **settings):
        with open(f"{work}/asked", "w", encoding="utf-8") as file:
            json.dump(answers, file)
        command = shlex.join(["python3", "-S", f"{work}/testee.py", f"{work}/asked"])
        parser = "kit_line2" if draft else "kit_line"
        begun = time.time()
        settings.update(DRAFT=draft, KIT_CONTINUE="1", KIT_TESTEE=command)
        run = subprocess.run([f"{build}/replayers/{parser}", f"{work}/sends"], capture_output=True, text=True,
                             check=False, env=dict(os.environ, **settings))
        self.seconds = time.time() - begun
        self.status, self.text = run.returncode, run.stderr
        head = self.HEAD.search(run.stderr)
        self.count, self.questions, self.limits, self.known = map(int, head.groups()) if head else (-1,) * 4
        self.names, self.rows, self.types = [], collections.defaultdict(list), []
        for name, *row in self.ROW.findall(run.stderr):
            self.names.append(name)
            if name.startswith("kit/draft-"):
                self.types.append((name.rpartition("/")[2], row[3]))
            # Of version 2 what no rule explains is named by its type, too.
            self.rows[name.rpartition("/")[0] if name.startswith("kit/draft-") else name].append(row)


class Examination:
    """Of the kit, about the Sends of version 1 or of a draft."""

    def __init__(self, verdicts, build, work, draft):
        self.build, self.work, self.draft, self.verdicts = build, work, draft, verdicts
        self.questions = choose(draft, {answer: run_runner(build, work, draft, answer) for answer in ANSWERS})
        self.check("there are questions to both", all(sum(q.startswith(verb) for q in self.questions) > 20
                                                      for verb in ("call", "reply")), len(self.questions))
        os.makedirs(f"{work}/sends")
        for number, octets in enumerate(sorted({split(question)[1] for question in self.questions})):
            with open(f"{work}/sends/{number}", "wb") as file:
                file.write(octets)
        with open(f"{work}/testee.py", "w", encoding="utf-8") as file:
            file.write(TESTEE)

    def check(self, what, good, detail=""):
        self.verdicts.check(f"{self.draft or 'version 1'}: {what}", good, detail)

    def table(self, answer, **settings):
        return Table(self.build, self.work, self.draft, dict.fromkeys(self.questions, answer), **settings)

    def wanted(self, answer):
        """Name: its questions."""
        found = collections.defaultdict(list)
        for question, rows in self.questions.items():
            if is_wrong(rows[answer]):
                found[name_of(self.draft, question, rows, answer)].append(question)
        return found

    def limits(self, answer):
        """What a parser of headers may take the runner counts as refused."""
        return sum(rows["limit"]["ending"] == "limit" or
                   (not self.draft and rows["accept"]["ending"] == "tolerated" and header(split(question)[1])[0] != [])
                   for question, rows in self.questions.items()) if answer == "limit" else 0

    def describe(self, answer, name, said, octets, of):
        about = f"{answer}: {name}"
        if name.startswith("kit/header-length"):
            right = f"a header of {header(octets)[1]} octets, it says 4096"
            self.check(f"{about} tells both lengths", said == right, said)
            return
        parts = re.fullmatch(r"as a (Responder|Requester) it (.*?); open: (.*?); (.*)", said)
        self.check(f"{about} is described", parts and parts.group(2) == ANSWERS[answer][0], said)
        question = f"{'reply' if 'a Requester' in said else 'call'} {octets.hex()}"
        self.check(f"{about} is about the Send that it shows", question in of, said)
        if parts and question in of:
            accepts, refusals = opens(self.questions[question][answer])
            told = set(parts.group(3).split(", "))
            # Of what has to be refused the runner does not say what is tolerated besides.
            good = (told - TAKING == refusals and told & TAKING) if accepts else refusals <= told
            self.check(f"{about} tells what is open", good, f"{said}, not {refusals}")
            self.check(f"{about} tells why", (parts.group(4) == "its header breaks no rule that forbids it") ==
                       name.startswith("kit/"), said)

    def describe_version_2(self, answer, name, said, octets, of):
        about = f"{answer}: {name}"
        parts = re.fullmatch(r"as a (responder|requester) of draft -(..) it (.*); open: (.*)", said)
        what = name.split("/")[2] if name.startswith("kit/") else what_of(answer)
        self.check(f"{about} is described", parts and parts.group(2) == self.draft and
                   parts.group(3) in (what, what.replace("header-length", "accepts-invalid")), said)
        question = f"{'reply' if 'a requester' in said else 'call'} {octets.hex()}"
        self.check(f"{about} is about the Send that it shows", question in of, said)
        if parts and question in of:
            accepts, refusals = opens(self.questions[question][answer])
            # To take it may be tolerated, which the runner does not say of other answers.
            right = refusals if is_wrong(self.questions[question]["accept"]) else TAKING
            self.check(f"{about} tells what is open", parts.group(4) in right and (parts.group(4) in TAKING or
                                                                                   not accepts), said)

    def judge_row(self, answer, name, rows, of):
        octets = [b"" if row[3].startswith("(") else bytes.fromhex(row[3]) for row in rows]
        times, shortest = sum(int(row[0]) for row in rows), min(map(len, octets))
        self.check(f"{answer}: {name} is counted", times == len(of), f"{times} times, not {len(of)}")
        self.check(f"{answer}: {name} shows the shortest Send", shortest == min(len(split(q)[1]) for q in of), octets)
        for row, example in zip(rows, octets):
            (self.describe_version_2 if self.draft else self.describe)(answer, name, row[2], example, of)

    def judge(self, answer):
        table, want = self.table(answer), self.wanted(answer)
        self.check(f"{answer}: all that is wrong is named and nothing else", set(table.rows) == set(want),
                   sorted(set(table.rows) ^ set(want)))
        for name in set(table.rows) & set(want):
            self.judge_row(answer, name, table.rows[name], want[name])
        types = type_names(self.build, self.draft) if self.draft else {}
        wrong = [row for row in table.types if row[0] != types.get(int(row[1][24:32], 16), "other")]
        self.check(f"{answer}: what no rule explains is named by its type", not wrong, wrong)
        self.check(f"{answer}: the table is sorted", table.names == sorted(table.names))
        self.check(f"{answer}: rows are counted", table.count == len(table.names), table.count)
        with open(f"{self.work}/asked.count", encoding="utf-8") as file:
            asked = int(file.read())
        self.check(f"{answer}: questions are counted", self.draft or table.questions == asked, table.questions)
        limits = self.limits(answer)
        self.check(f"{answer}: limits are counted", table.limits == limits, f"{table.limits}, not {limits}")
        self.check(f"{answer}: the status", table.status == (1 if want else 0), table.status)
        self.check(f"{answer}: the time of the first", all(int(row[1]) <= table.seconds + 1
                                                           for rows in table.rows.values() for row in rows))

    def judge_lengths(self):
        """Whatever else there is to say of a Send, its header ends where the vector says that it does, and nowhere
        else."""
        lengths = {q: header_lengths(self.draft).get(split(q)[1]) for q in self.questions}
        for surplus in SURPLUSES:
            answers, want = {}, collections.Counter()
            for question, rows in self.questions.items():
                known, kind = lengths[question], int.from_bytes(split(question)[1][12:16], "big")
                answers[question] = "accept" if known is None else f"accept {known + surplus}"
                fits = (0, 4) if self.draft == "07" and kind in WITH_FIRST_WORD else (0,)
                alike = "accept" if known is None or surplus in fits else "accept 4096"
                if is_wrong(rows[alike]):
                    want[name_of(self.draft, question, rows, alike)] += 1
            table = Table(self.build, self.work, self.draft, answers)
            got = {name: sum(int(row[0]) for row in rows) for name, rows in table.rows.items()}
            self.check(f"headers that are said to be {surplus} octets longer are named", got == want,
                       sorted(set(got.items()) ^ set(want.items())))

    def judge_two_faults(self):
        with open(f"{self.work}/sends", "wb") as file:
            file.write(TWO_FAULTS)
        for expected, answers in OF_TWO_FAULTS:
            with open(f"{self.work}/known", "w", encoding="utf-8") as file:
                file.writelines(f"{rule} wrong-answer # why\n" for rule in expected)
            for answer, name in answers.items():
                table = Table(self.build, self.work, self.draft, {f"call {TWO_FAULTS.hex()}": answer},
                              KIT_KNOWN=f"{self.work}/known")
                about = f"two faults, {len(expected)} expected, {answer}"
                self.check(f"{about}: what is wrong", table.names == [name] * bool(name), table.text)
                self.check(f"{about}: whether it is not compared", table.known == (len(expected) == 2), table.text)

    def judge_list(self, answer):
        """What one run writes as expected another has nothing to say of."""
        names, known = self.table(answer, KIT_WRITE_KNOWN=f"{self.work}/known").names, f"{self.work}/known"
        with open(known, encoding="utf-8") as file:
            written = [line.split()[0] for line in file if not line.startswith("#")]
        self.check(f"{answer}: the list names each once", sorted(names) == sorted(written), written)
        table = self.table(answer, KIT_KNOWN=known)
        self.check(f"{answer}: what is expected is no disagreement", table.count == 0 and table.status == 0, table.text)
        # A rule that is expected is not compared; a form is.
        rules = sum(len(of) for name, of in self.wanted("accept").items() if not name.startswith("kit/"))
        wanted = rules if answer == "accept" else 0
        self.check(f"{answer}: and is counted", table.known == wanted, f"{table.known}, not {wanted}")


def main():
    verdicts = Verdicts()
    for draft in ("", "04", "07"):
        with tempfile.TemporaryDirectory() as work:
            examination = Examination(verdicts, sys.argv[1], work, draft)
            for answer in ANSWERS:
                examination.judge(answer)
            examination.judge_lengths()
            for answer in ("accept", "refuse"):
                examination.judge_list(answer)
            if draft == "04":
                shutil.rmtree(f"{work}/sends")
                examination.judge_two_faults()
    print(f"{verdicts.passed} passed, {verdicts.failed} failed, 0 skipped")
    return 1 if verdicts.failed else 0


sys.exit(main())
