#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much the tests notice: mutation testing of the sources, by sample.

usage: mutation.py [--seed N] [--mutants N] [--seconds S] [--groups A,B] [--equivalent FILE] [--out FILE]

One mutant: one point of one source is changed in a copy of the tree, make compiles what depends on it, and
the tests of its group run, cheapest first, until one fails. A mutant that compiles to the same octets is
not counted; neither is one that the list of equivalent mutants names. Prints the survivors and, for each
group, the share that was noticed; the exit status is 1 if a group is below its goal (--goals).
"""
import argparse
import glob
import hashlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutation_points import points  # noqa: E402

GROUPS = {
    'check': ['conformance/check/*.c', 'conformance/check/*/*.c', 'conformance/walk/*.c'],
    'input': ['conformance/input/*.c', 'conformance/input/*/*.c'],
    'codec': ['codec/*.c', 'codec/include/rpcrdma/xdr.h', 'codec/include/rpcrdma/xdr_runtime.h'],
    'gen': ['gen/back/*.c'],
    'harness': ['rxe-harness/%s/*.c' % f for f in
                ('probe', 'serve', 'proxy', 'requester', 'responder', 'replay')],
}
GOALS = {'check': 97, 'codec': 97, 'input': 93, 'gen': 93, 'harness': 85}
MEMORY = 6 << 30


def program(name):
    return ('build/tests/%s' % name, ['build/tests/%s' % name])


def programs(pattern):
    return [program(p[:-2]) for p in sorted(glob.glob(pattern))]


def script(path, *more, needs='build/rpcrdma'):
    return (needs, ['sh', path, needs.split()[0], *more])


def corpus(target, folder=None):
    binary = 'build/replayers/%s' % target
    return (binary, [binary, 'fuzz/corpus/%s' % (folder or target)])


def tests_of(group):
    """Items (make's goals, command); they are put in order by the time that they take."""
    vectors = ('build/rpcrdma', ['build/rpcrdma', 'vectors', 'vectors'])
    tools = 'build/rpcrdma build/testees/librpcrdma build/testees/libtirpc build/make_vectors'
    shell = [script(s, *(['build/pages'] if 'options' in s else []),
                    needs=tools if 'vectors' in s else 'build/rpcrdma all' if 'options' in s else 'build/rpcrdma')
             for s in sorted(glob.glob('conformance/tests/*_test.sh') + glob.glob('conformance/tests/*/*_test.sh'))
             if 'example' not in s and 'readme' not in s]
    check = programs('conformance/tests/*_test.c') + programs('conformance/tests/*/*_test.c') + \
        [vectors, corpus('check'), corpus('capture')] + shell
    codec = programs('codec/tests/*_test.c') + programs('gen/tests/*_test.c') + \
        [corpus('decode1'), corpus('oracle1', 'decode1'), corpus('decode2'), corpus('oracle2', 'decode2'),
         corpus('rpc'), corpus('private_data'),
         ('all build/testees/librpcrdma', ['sh', 'codec/tests/library_test.sh'])]
    harness = programs('rxe-harness/tests/*_test.c') + programs('rxe-harness/tests/*/*_test.c') + \
        [script(s) for s in sorted(glob.glob('rxe-harness/tests/*_test.sh'))]
    gen = [('build/xdrgen', ['sh', 'gen/tests/back_test.sh', 'build/xdrgen']),
           ('build/xdrgen', ['sh', 'gen/tests/front_test.sh', 'build/xdrgen'])]
    return {'check': check + harness, 'input': check + [corpus('vectors')] + harness,
            'codec': codec + check, 'gen': gen + codec + check, 'harness': harness + shell}[group]


def limits(seconds):
    """Of processor time: on a busy machine a test that only waits for its turn is no test that fails."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


class Tree:
    """A copy of the sources in which everything is built, and put back after each mutant."""

    def __init__(self, root):
        self.root = root
        self.env = dict(os.environ, BUILD='build', CC='gcc', SANITIZE='', LC_ALL='C', CK_FORK='no')
        self.times = {}

    def run(self, argv, limit):
        """limit: seconds of processor time of each process; ten times as many may go by."""
        env = {k: v for k, v in self.env.items() if k != 'CK_FORK' or 'source_test' not in argv[0]}
        process = subprocess.Popen(argv, cwd=self.root, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=lambda: limits(limit))
        try:
            output, _ = process.communicate(timeout=10 * limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            output, status = b'', 'timeout'
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if status == 'timeout':
            process.communicate()
        return status, output.decode(errors='replace')

    def make(self, goals, limit=60):
        return self.run(['make', '-s', 'DEPS=no', 'OPT=-O1', 'WARNINGS=-w', 'BUILD=build', *goals.split()], limit)

    def objects(self):
        found = {}
        for path in glob.glob(self.root + '/build/**/*.o', recursive=True):
            with open(path, 'rb') as f:
                found[path] = hashlib.sha1(f.read()).hexdigest()
        return found


def prepare(tree, groups):
    """Build everything, and run each test once: for its time, and to see that it passes."""
    items = {}
    for group in groups:
        good = []
        for goals, argv in tests_of(group):
            name = ' '.join(argv)
            if name not in tree.times:
                status, output = tree.make(goals)
                if status != 0:
                    sys.exit('mutation: cannot build %s:\n%s' % (goals, output[-2000:]))
                begun = time.time()
                status, output = tree.run(argv, 900)
                tree.times[name] = time.time() - begun if status == 0 else None
                if status != 0:
                    print('not used, it fails without a mutation: %s' % name, flush=True)
            if tree.times[name] is not None:
                good.append((goals, argv))
        items[group] = sorted(good, key=lambda item: tree.times[' '.join(item[1])])
    return items


def sample(tree, group, count, rng):
    """Classes of mutation by the root of how many there are, so that rare ones are met as well."""
    words, classes = set(), {}
    for path in glob.glob(tree.root + '/**/*.[ch]', recursive=True):
        with open(path, errors='replace') as f:
            words |= set(re.findall(r'[A-Za-z_]\w+', f.read()))
    for pattern in GROUPS[group]:
        for source in sorted(glob.glob(pattern, root_dir=tree.root)):
            with open(os.path.join(tree.root, source)) as f:
                text = f.read()
            for kind, start, end, new in points(text, words):
                classes.setdefault(kind, []).append((source, kind, start, end, new))
    kinds, chosen = sorted(classes), []
    weights = [len(classes[k]) ** 0.5 for k in kinds]
    possible = sum(len(c) for c in classes.values())
    while len(chosen) < min(count, possible):
        mutant = rng.choice(classes[rng.choices(kinds, weights)[0]])
        if mutant not in chosen:
            chosen.append(mutant)
    return chosen, possible


def judge(tree, items, pristine):
    goals = ' '.join(sorted({g for item in items for g in item[0].split()
                             if not g.startswith(('build/tests', 'build/replayers'))}))
    status, output = tree.make(goals)
    if status != 0:
        # What the generator's mutant makes does not compile: that is noticed.
        return ('not compiled', output.strip().split('\n')[-1]) if 'xdrgen' not in goals or \
            'gen/back' in output else ('killed', 'the compiler')
    if items and all(pristine.get(path, digest) == digest for path, digest in tree.objects().items()):
        return 'same object', ''
    for goals, argv in items:
        status, output = tree.make(goals)
        if status != 0:
            return 'killed', 'the compiler, of ' + goals
        status, output = tree.run(argv, max(6, math.ceil(4 * tree.times[' '.join(argv)])))
        if status != 0:
            return 'killed', ' '.join(argv)
    return 'survived', ''


def one(tree, mutant, items, pristine):
    source, kind, start, end, new = mutant
    path = os.path.join(tree.root, source)
    with open(path) as f:
        text = f.read()
    line = text.count('\n', 0, start)
    record = {'file': source, 'line': line + 1, 'class': kind, 'old': text[start:end], 'new': new,
              'text': text.split('\n')[line].strip()}
    with open(path, 'w') as f:
        f.write(text[:start] + new + text[end:])
    try:
        record['result'], record['by'] = judge(tree, items, pristine)
    finally:
        with open(path, 'w') as f:
            f.write(text)
        tree.make(' '.join(sorted({g for item in items for g in item[0].split()
                                   if not g.startswith(('build/tests', 'build/replayers'))})))
    return record


def read_equivalent(name):
    """Lines: file, class, old, new, the source line, why; separated by tabs."""
    found = set()
    if name and os.path.exists(name):
        with open(name) as f:
            for row in f:
                if row.strip() and not row.startswith('#'):
                    found.add(tuple(row.rstrip('\n').split('\t')[:5]))
    return found


def identity(record):
    return tuple(re.sub(r'\s+', ' ', record[k]) for k in ('file', 'class', 'old', 'new', 'text'))


def report(group, records, equivalent):
    survivors = [r for r in records if r['result'] == 'survived' and identity(r) not in equivalent]
    killed = sum(r['result'] == 'killed' for r in records)
    share = 100 * killed / max(1, killed + len(survivors))
    for r in survivors:
        print('survived: %s:%d: %s: `%s` -> `%s` in `%s`' %
              (r['file'], r['line'], r['class'], r['old'], r['new'], r['text']))
    print('%s: %d mutants, %d noticed, %d survived, %d equivalent, %d not compiled or the same: %.1f %% (goal %d)'
          % (group, len(records), killed, len(survivors),
             sum(r['result'] == 'survived' for r in records) - len(survivors),
             sum(r['result'] in ('same object', 'not compiled') for r in records), share, GOALS[group]), flush=True)
    return share >= GOALS[group]


def copy_tree(root):
    shutil.rmtree(root, ignore_errors=True)
    files = subprocess.run(['sh', '.ci/files.sh'], capture_output=True, text=True, check=True).stdout.split('\n')
    for name in filter(None, files):
        if os.path.isfile(name):
            os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(name, os.path.join(root, name))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--mutants', type=int, default=60, help='of each group')
    arguments.add_argument('--seconds', type=int, default=3600, help='for all groups together')
    arguments.add_argument('--groups', default=','.join(GROUPS))
    arguments.add_argument('--tree', default='build/mutation/tree')
    arguments.add_argument('--equivalent', default='.ci/mutation.equivalent')
    arguments.add_argument('--out', default='build/mutation/mutants.jsonl')
    a = arguments.parse_args()
    os.makedirs(os.path.dirname(a.out), exist_ok=True)
    copy_tree(a.tree)
    tree, groups = Tree(os.path.abspath(a.tree)), a.groups.split(',')
    items = prepare(tree, groups)
    pristine, end, good = tree.objects(), time.time() + a.seconds, True
    equivalent = read_equivalent(a.equivalent)
    for number, group in enumerate(groups):
        chosen, possible = sample(tree, group, a.mutants, random.Random('%d %s' % (a.seed, group)))
        until = time.time() + (end - time.time()) / (len(groups) - number)
        print('%s: %d of %d possible mutants, seed %d' % (group, len(chosen), possible, a.seed), flush=True)
        records = []
        for mutant in chosen:
            if time.time() > until:
                print('%s: out of time after %d mutants' % (group, len(records)))
                break
            records.append(dict(one(tree, mutant, items[group], pristine), group=group))
            with open(a.out, 'a') as f:
                f.write(json.dumps(records[-1]) + '\n')
        good &= report(group, records, equivalent)
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
