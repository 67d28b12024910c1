#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much the tests notice: mutation testing of the sources, by sample.

usage: mutation.py [--seed N,N,...] [--mutants N] [--seconds S] [--groups A,B] [--patience S] [--again] [--verbose]
                   [--folder F] [--out FILE] [--equivalent FILE] [--jobs N] [--faults FILE]

One mutant: one point of one source is changed in a copy of the tree, what depends on it is compiled, and the tests
that run the changed line are run, those that have noticed most of that source first, until one fails. A mutant that
compiles to the same octets is not counted; neither is one that the list of equivalent mutants names. Prints the
survivors and, for each group, the share that was noticed, once by tests that say what is right and once with the sums,
lists of what the program did when they were written (SUMS=no switches them off). The exit status is 1 if a group is
below its goal without them. A test that fails on the unchanged sources ends the run.

--faults FILE judges faults that somebody thought of instead of a sample: lines of a source, what stands there once, and
what it becomes, with tabs between them.

The copy stays in --folder, with what each test runs, how long it takes, and the results. A run that was ended goes on
where it was; --again judges the survivors once more, after tests were written.
"""
import argparse
import glob
import json
import os
import random
import re
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutation_build import Broken, Tree, allowed, copy, read, timed, write  # noqa: E402
from mutation_cover import Cover  # noqa: E402
from mutation_points import ends, points  # noqa: E402

GROUPS = {
    'input': ['conformance/input/**/*.c'],
    'check': ['conformance/check/**/*.c', 'conformance/walk/*.c'],
    'codec': ['codec/*.c', 'codec/include/rpcrdma/xdr.h', 'codec/include/rpcrdma/xdr_runtime.h'],
    'gen': ['gen/**/*.c'],
    'reports': ['conformance/%s/**/*.c' % f for f in ('report', 'run', 'base', 'options', 'command', 'decode', 'describe')],
    'harness': ['rxe-harness/**/*.c'],
}
NOT_OURS = re.compile(r'/(tests|bench|examples?|proof|dist|peers|vm)/')
GOALS = {'check': 97, 'codec': 97, 'input': 93, 'gen': 93, 'reports': 85, 'harness': 85}
# Sources that no test of this list runs: by their own names for mutation_test.py.
# They need a device, tracefs or a kernel: live runs test them.
LEFT_OUT = ['rxe-harness/transport/verbs.c', 'rxe-harness/transport/no_verbs.c', 'rxe-harness/trace/tracefs.c',
            'codec/kernel/testee.c', 'codec/kernel/user.c']
COMMAND = 'build/rpcrdma'
# Of random tests, so many: what they notice at all they notice soon.
FEWER = {'CONVERSATIONS': '200', 'ORACLE_HEADERS': '20000', 'ORACLE_MESSAGES': '20000'}


# Where the lists of sums are read: a test that runs one of these compares with sums.
SUMS = re.compile(r'tests/support/(neighbours/(sums|list)|digests)\.c$')


class Item:
    """A test: what has to be built, and the command."""

    def __init__(self, needs, argv):
        self.needs, self.argv, self.name = needs.split(), argv, ' '.join(argv)
        self.seconds = self.clock = 0.0
        # A test that crashes has failed, and one process is quicker; a test of another process's end forks.
        self.env = {**FEWER, 'BUILD': 'build', 'CC': 'gcc', 'SANITIZE': '',
                    'CK_FORK': 'yes' if 'source_test' in argv[0] else 'no'}


def programs(*patterns):
    names = sorted(name[:-2] for p in patterns for name in glob.glob(p))
    return [Item('build/tests/' + name, ['build/tests/' + name]) for name in names]


def script(path, *more, needs=COMMAND):
    return Item(needs, ['python3', '-B', path, *more] if path.endswith('.py') else ['sh', path, *more])


def corpus(target, folder=None):
    binary = 'build/replayers/' + target
    return Item(binary, [binary, 'build/fuzz/corpus/' + (folder or target)])


def all_tests():
    # Not library_test.sh, nor scarce_memory_test: sizes and symbols, and where memory is taken, are others in a build
    # that counts lines.
    captures = 'conformance/tests/capture/'
    recorded = 'vectors/recorded/linux-6.1-errors.pcap'
    found = programs('codec/tests/*_test.c', 'gen/tests/*_test.c', 'conformance/tests/*_test.c',
                     'conformance/tests/*/*_test.c', 'vectors/tests/*_test.c', 'rxe-harness/tests/*_test.c',
                     'rxe-harness/tests/*/*_test.c')
    found += [corpus(t) for t in ('decode1', 'decode2', 'rpc', 'private_data', 'check', 'check2', 'capture', 'vectors',
                                  'xdrgen', 'session')]
    found += [corpus('oracle1', 'decode1'), corpus('oracle2', 'decode2'), corpus('oracle07', 'decode2'),
              corpus('message', 'decode2')]
    found += [Item(COMMAND, [COMMAND, 'vectors', 'vectors'])]
    folder = 'conformance/tests/command/'
    found += [script(folder + name, COMMAND) for name in
              ('cmd_test.sh', 'decode_test.sh', 'version2_test.py', 'reports_test.sh', 'evidence_test.sh',
               'annotate_test.sh', 'ladder_test.py', 'matrix_test.py', 'parts_test.py', 'stat_test.py',
               'unanswered_test.py')]
    found += [script(name, COMMAND) for name in
              ('conformance/tests/cases_test.sh', 'conformance/tests/traffic_test.sh',
               'conformance/tests/items_test.sh', 'rxe-harness/tests/probe_test.sh',
               'rxe-harness/tests/rules_test.sh', 'rxe-harness/tests/peers_test.sh', 'rxe-harness/tests/capture_test.sh',
               'rxe-harness/tests/wire_test.sh')]
    found += [script(captures + 'links.py', COMMAND, recorded),
              script(captures + 'transform.py', COMMAND, recorded, '100'),
              script('gen/tests/front_test.sh', 'build/xdrgen', needs='build/xdrgen'),
              script('gen/tests/back_test.sh', 'build/xdrgen', needs='build/xdrgen'),
              script('gen/tests/golden_test.sh', 'build/xdrgen', needs='build/xdrgen')]
    return found


# Which tests are run for a group: those that look at it. What others would notice besides does not count.
TESTS = {
    'input': r'tests/(capture|input|iwarp)/|command/(cmd_|version2_)test|replayers/(capture|check|vectors)|cases_test|'
             r'traffic_test|items_test|rpcrdma vectors',
    'check': r'conformance/tests/[^/]*_test |tests/(rules|capture)/|replayers/check|cases_test|rpcrdma vectors|(decode|items)_test|'
             r'cmd_test|traffic_test',
    'codec': r'(codec|gen)/tests/|replayers/(decode|oracle|message|rpc|private_data|check)|tests/rules/',
    'gen': r'(codec|gen)/tests/|replayers/(decode|oracle|message|rpc|xdrgen)|binding_test',
    'reports': r'tests/command/|cases_test|traffic_test|items_test|rpcrdma vectors|rxe-harness/tests/(runs/|probe_test|rules_test)|'
               r'input/source_test|replayers/vectors',
    'harness': r'rxe-harness/|replayers/session|(cmd|matrix)_test',
}


def tests_of(groups):
    return [item for item in all_tests() if 'scarce_memory_test' not in item.name and any(re.search(TESTS[g], item.name + ' ') for g in groups)]


class Mutants:
    """The tree, its tests, and what is known of them."""

    def __init__(self, folder, jobs, groups, patience):
        self.patience = patience
        root, self.state = os.path.join(folder, 'tree'), os.path.join(folder, 'state')
        os.makedirs(self.state, exist_ok=True)
        copy(root)
        self.root = os.path.abspath(root)
        self.tree = Tree(self.root, 'build', 'OPT=-O1')
        items = tests_of(groups)
        goals = sorted({need for item in items for need in item.needs})
        self.tree.prepare(goals, jobs)
        corpora = sorted({a for item in items for a in item.argv if a.startswith('build/fuzz/corpus/')})
        self.tree.make(*corpora)
        self.cover = Cover(self.root, self.state)
        self.items = self.cover.learn(items, goals, jobs)
        self.kills_file = os.path.join(self.state, 'kills.json')
        self.kills = json.loads(read(self.kills_file)) if os.path.exists(self.kills_file) else {}
        self.code = set()           # objects that a test has run something of
        self.took = {}              # test: seconds that it took to notice a mutant, the last time

    def sample(self, group, count, rng):
        """Classes of mutation by the root of how many there are, so that rare ones are met as well."""
        words, limits, classes = *known_words(self.root), {}
        for source in sources_of(group, self.root):
            with open(os.path.join(self.root, source)) as f:
                text = f.read()
            for kind, start, end, new in points(text, words, limits):
                classes.setdefault(kind, []).append((source, kind, start, end, new))
        kinds, chosen = sorted(classes), []
        weights = [len(classes[k]) ** 0.5 for k in kinds]
        possible = sum(len(c) for c in classes.values())
        while len(chosen) < min(count, possible):
            mutant = rng.choice(classes[rng.choices(kinds, weights)[0]])
            if mutant not in chosen:
                chosen.append(mutant)
        return chosen, possible

    def faults(self, group, name):
        """Those of the group, as mutants."""
        sources, found = set(sources_of(group, self.root)), []
        for row in read(name).decode().splitlines():
            if not row or row.startswith('#'):
                continue
            source, old, new = row.split('\t')
            if source not in sources:
                continue
            text = read(os.path.join(self.root, source)).decode()
            if text.count(old) != 1:
                sys.exit('%s: %s has `%s` %d times, not once' % (name, source, old, text.count(old)))
            found.append((source, 'fault', text.index(old), text.index(old) + len(old), new))
        return found

    def record(self, mutant):
        return record_of(self.root, mutant)

    def judge(self, record, mutant):
        """Write the mutant, run the tests that run it, put everything back."""
        source, _, start, end, new = mutant
        path = os.path.join(self.root, source)
        text = read(path).decode()
        self.tree.keep(source)
        write(path, (text[:start] + new + text[end:]).encode())
        begun = time.time()
        try:
            record['result'], record['by'] = self.noticed(record)
        except Broken as broken:
            record['result'], record['by'] = 'killed', 'the compiler, of ' + str(broken)
        finally:
            self.tree.restore()
        record['seconds'] = round(time.time() - begun, 1)
        if record['result'] == 'killed':
            kills = self.kills.setdefault(source, {})
            kills[record['by']] = kills.get(record['by'], 0) + 1
            with open(self.kills_file, 'w') as f:
                json.dump(self.kills, f)

    def noticed(self, record):
        source, tree = record['file'], self.tree
        users = tree.users[source]
        if source.endswith('.c'):
            try:
                if not any([tree.compiled(o) for o in users]):
                    return 'same object', ''
            except Broken:
                return 'not compiled', ''
        if any(o.startswith('build/obj/gen/') for o in users):
            changed = tree.generated()
            changes = set().union(*(tree.users.get(name, set()) for name in changed), users)
            near = None
        else:
            changes, near = users, self.cover.near(source, record['line'], record['last'])
        chosen = []
        for item in self.items:
            if near is None:
                wanted = changes & self.used(item)
            else:
                wanted = self.cover.runs(item.name, source, near) & changes
            if wanted:
                chosen.append((item, wanted))
        differs, left, skipped = source.endswith('.c'), self.patience, 0
        ordered = sorted(chosen, key=lambda pair: self.cost(source, *pair))
        # Those that compare with sums a second time, with the sums.
        for item, wanted, sums in [(*pair, False) for pair in ordered] + \
                [(*pair, True) for pair in ordered if self.compares(pair[0])]:
            if item.seconds > left:
                skipped += 1
                continue
            if not any([tree.built(need, wanted) for need in item.needs]):
                continue
            differs = True
            left -= item.seconds
            status, _, clock = timed(self.root, item.argv, *allowed(item.seconds, item.clock),
                                     {**item.env, 'SUMS': 'yes' if sums else 'no'})
            if status != 0:
                self.took[item.name] = clock
                return 'by sums' if sums else 'killed', item.name
        if not differs:
            return 'same object', ''
        return 'survived', '' if chosen and not skipped else 'no test runs it' if not chosen else \
            '%d tests not run, for want of patience' % skipped

    def compares(self, item):
        return any(SUMS.search(source) for files in self.cover.ran[item.name].values() for source in files)

    def used(self, item):
        """The objects that a test runs something of, and those of its programs that have nothing but data."""
        if not self.code:
            self.code = set().union(*self.cover.ran.values())
        linked = set().union(*(self.tree.members(need) for need in item.needs if need in self.tree.link))
        return set(self.cover.ran[item.name]) | (linked - self.code)

    def cost(self, source, item, wanted):
        """Seconds, and the less of them the more mutants the test has noticed, of this source and of all."""
        here = self.kills.get(source, {})
        everywhere = sum(sum(kills.values()) for kills in self.kills.values())
        share = sum(kills.get(item.name, 0) for kills in self.kills.values()) / (everywhere + 1)
        hope = (here.get(item.name, 0) + 2 * share) / (sum(here.values()) + 2)
        return (self.took.get(item.name, item.clock) + 0.1 + 0.3 * len(wanted)) / (0.05 + hope)


def sources_of(group, root='.'):
    return [source for pattern in GROUPS[group] for source in sorted(glob.glob(pattern, root_dir=root, recursive=True))
            if source not in LEFT_OUT and not NOT_OURS.search(source)]


def known_words(root='.'):
    """The words of all sources, and the constants that end their enums."""
    texts = [read(path).decode(errors='replace') for path in sorted(glob.glob(root + '/**/*.[ch]', recursive=True))
             if not re.match(r'cover/|build/(?!gen/)', os.path.relpath(path, root))]
    return set(re.findall(r'[A-Za-z_]\w+', '\n'.join(texts))), ends(texts)


def record_of(root, mutant):
    source, kind, start, end, new = mutant
    text = read(os.path.join(root, source)).decode()
    line = text.count('\n', 0, start)
    return {'file': source, 'line': line + 1, 'last': text.count('\n', 0, end) + 1, 'class': kind,
            'old': text[start:end], 'new': new, 'text': text.split('\n')[line].strip()}


def read_equivalent(name):
    """Lines: file, class, old, new, the source line, why; separated by tabs. "+-1" is a constant's two neighbours."""
    found = set()
    if name and os.path.exists(name):
        with open(name) as f:
            for row in f:
                if row.strip() and not row.startswith('#'):
                    found.add(tuple(row.rstrip('\n').split('\t')[:5]))
    return found


def identity(record):
    return tuple(re.sub(r'\s+', ' ', record[k]) for k in ('file', 'class', 'old', 'new', 'text'))


def excused(record, equivalent):
    row = identity(record)
    return row in equivalent or (record['class'] == 'constant' and (*row[:3], '+-1', row[4]) in equivalent)


def same(record):
    return (record['seed'], record['group'], record['line'], *identity(record))


def report(group, records, equivalent):
    survivors = [r for r in records if r['result'] == 'survived' and not excused(r, equivalent)]
    killed = sum(r['result'] == 'killed' for r in records)
    by_sums = [r for r in records if r['result'] == 'by sums']
    judged = max(1, killed + len(by_sums) + len(survivors))
    for r in by_sums:
        print('by the sums alone: %s:%d: %s: `%s` -> `%s` in `%s`' %
              tuple(r[k] for k in ('file', 'line', 'class', 'old', 'new', 'text')))
    for r in survivors:
        print('survived: %s:%d: %s: `%s` -> `%s` in `%s`%s' %
              (*(r[k] for k in ('file', 'line', 'class', 'old', 'new', 'text')), r['by'] and ': ' + r['by']))
    print('%s: %d mutants, %d noticed, %d by the sums alone, %d survived, %d equivalent, %d not compiled or the same: '
          '%.1f %% without the sums (goal %d), %.1f %% with them'
          % (group, len(records), killed, len(by_sums), len(survivors),
             sum(r['result'] == 'survived' for r in records) - len(survivors),
             sum(r['result'] in ('same object', 'not compiled') for r in records), 100 * killed / judged, GOALS[group],
             100 * (killed + len(by_sums)) / judged), flush=True)
    return 100 * killed / judged >= GOALS[group]


def load(name):
    if not os.path.exists(name):
        return []
    with open(name) as f:
        return [json.loads(line) for line in f]


def measure(mutants, group, a, until, out):
    """One group, all seeds; what --out has already is not judged again."""
    known = {same(r): r for r in load(out)}
    records = []
    for seed in map(int, a.seed.split(',')):
        if a.faults:
            chosen = mutants.faults(group, a.faults)
            print('%s: %d faults of %s' % (group, len(chosen), a.faults), flush=True)
        else:
            chosen, possible = mutants.sample(group, a.mutants, random.Random('%d %s' % (seed, group)))
            print('%s: %d of %d possible mutants, seed %d' % (group, len(chosen), possible, seed), flush=True)
        for number, mutant in enumerate(chosen):
            record = dict(mutants.record(mutant), seed=seed, group=group)
            if same(record) in known:
                records.append(known[same(record)])
                continue
            if time.time() > until:
                print('%s: out of time after %d mutants' % (group, len(records)))
                return records
            mutants.judge(record, mutant)
            records.append(record)
            with open(out, 'a') as f:
                f.write(json.dumps(record) + '\n')
            if a.verbose:
                print('%3d %-11s %5.1f s %s:%d `%s` -> `%s` %s' %
                      (number + 1, record['result'], record['seconds'], record['file'], record['line'],
                       record['old'][:40], record['new'][:40], record['by']), flush=True)
    return records


def again(mutants, groups, out):
    """Judge once more what survived; its line may have moved."""
    records = load(out)
    limits = known_words(mutants.root)[1]
    for record in records:
        if record['result'] not in ('survived', 'by sums') or record['group'] not in groups:
            continue
        with open(os.path.join(mutants.root, record['file'])) as f:
            text = f.read()
        found = [m for m in ((record['file'], *p) for p in points(text, {record['new']}, limits))
                 if identity(mutants.record(m)) == identity(record)]
        if found:
            found.sort(key=lambda m: abs(mutants.record(m)['line'] - record['line']))
            record.update(last=mutants.record(found[0])['last'], line=mutants.record(found[0])['line'])
            mutants.judge(record, found[0])
            print('%-11s %5.1f s %s:%d `%s` -> `%s` %s' % (record['result'], record['seconds'], record['file'],
                  record['line'], record['old'], record['new'], record['by']), flush=True)
    with open(out, 'w') as f:
        f.writelines(json.dumps(r) + '\n' for r in records)


def ended(*_):
    """A mutant is put back all the same, also where a second signal comes meanwhile."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    arguments.add_argument('--seed', default='1', help='one or more, with commas between them')
    arguments.add_argument('--mutants', type=int, default=60, help='of each group and seed')
    arguments.add_argument('--seconds', type=int, default=3600, help='for all groups together')
    arguments.add_argument('--groups', default=','.join(GROUPS))
    arguments.add_argument('--folder', default='build/mutation', help='of the copy of the tree, which is kept')
    arguments.add_argument('--equivalent', default='.ci/mutation.equivalent')
    arguments.add_argument('--out', help='results, one JSON object a line: what is in it is not judged again')
    arguments.add_argument('--again', action='store_true', help='judge once more what survived in --out')
    arguments.add_argument('--jobs', type=int, default=os.cpu_count(), help='to build with')
    arguments.add_argument('--patience', type=float, default=120,
                           help='seconds of tests for a mutant: one that none of them notices has survived')
    arguments.add_argument('--faults', help='judge these instead of a sample')
    arguments.add_argument('--verbose', action='store_true', help='print each mutant')
    a = arguments.parse_args()
    signal.signal(signal.SIGTERM, ended)
    out = a.out or os.path.join(a.folder, 'mutants.jsonl')
    mutants, groups = Mutants(a.folder, a.jobs, a.groups.split(','), a.patience), a.groups.split(',')
    if a.again:
        again(mutants, groups, out)
    end, good = time.time() + a.seconds, True
    equivalent = read_equivalent(a.equivalent)
    for number, group in enumerate(groups):
        until = time.time() + (end - time.time()) / (len(groups) - number)
        good &= report(group, measure(mutants, group, a, until, out), equivalent)
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
