#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of which source each test runs: a test that does not run a line cannot notice a mutant of it. By gcov."""
import glob
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile

from mutation_build import Tree, read, timed

SLOWEST = 150                       # seconds of processor time: a test that takes longer is not used


def digest(root, names):
    found = hashlib.sha1()
    for name in sorted(names):
        found.update(name.encode() + b'\0' + read(os.path.join(root, name)))
    return found.hexdigest()


class Cover:
    """A second build, with --coverage, in the same copy of the tree. What a test ran is kept as long as the test stays as
    it is, and so do the sources of which it runs a line: most of those that it is linked with it does not run at all."""

    def __init__(self, root, state):
        self.tree = Tree(root, 'cover', 'OPT=-O1 --coverage', 'LDFLAGS=--coverage')
        self.root, self.state = root, state
        self.lines = {}             # source: its lines that can be run
        self.functions = {}         # source: (first, last line) of its functions
        self.ran = {}               # test: {object: {source: lines}}
        self.ready = False
        self.digests = {}           # source: of its octets as they are now

    def digest_of(self, source):
        if source not in self.digests:
            there = os.path.exists(os.path.join(self.root, source))
            self.digests[source] = digest(self.root, [source]) if there else ''
        return self.digests[source]

    @staticmethod
    def sources_run(known):
        return {source for files in known.get('ran', {}).values() for source in files}

    def key(self, argv, sources):
        """Of what decides which lines a test runs: the test, and the sources that it ran."""
        named = [a.replace('build/tests/', '') + '.c' for a in argv] + list(argv)
        named = [n for n in named if os.path.isfile(os.path.join(self.root, n)) and not n.startswith('build/')]
        folder = os.path.dirname(named[0]) if named else ''
        support = glob.glob(os.path.join(self.root, folder.split('/tests')[0], 'tests/support/**/*.[ch]'), recursive=True)
        data = [a for a in argv if os.path.isdir(os.path.join(self.root, a))] + [folder.split('/tests')[0] + '/tests/data']
        listed = sorted(f for d in data for f in glob.glob(d + '/**', root_dir=self.root, recursive=True))
        if not all(os.path.exists(os.path.join(self.root, s)) for s in sources):
            return None
        return digest(self.root, sources) + hashlib.sha1('\n'.join(listed).encode()).hexdigest() + \
            digest(self.root, named + [os.path.relpath(p, self.root) for p in support])

    def learn(self, items, goals, jobs):
        """The tests, each with its time; what each runs. One that fails without a mutant says nothing of any: the end,
        when all of them are known."""
        good, bad = [], []
        for item in items:
            path = os.path.join(self.state, hashlib.sha1(item.name.encode()).hexdigest() + '.json.gz')
            known = json.loads(gzip.decompress(read(path))) if os.path.exists(path) else {}
            known = known if 'digests' in known else {}  # of an older form
            if not known or known['key'] != self.key(item.argv, self.sources_run(known)):
                if not self.ready:
                    print('building with --coverage', flush=True)
                    self.tree.prepare([goal.replace('build/', 'cover/', 1) for goal in goals], jobs)
                    self.ready = True
                known = self.measure(item)
                if known['seconds'] is None:
                    bad.append('mutation: %s fails on the unchanged sources, or takes more than %d seconds:\n%s' %
                               (item.name, SLOWEST, known['output']))
                    print(bad[-1], flush=True)
                    continue
                known['key'] = self.key(item.argv, self.sources_run(known))
                known['digests'] = {source: self.digest_of(source) for source in known['lines']}
                with gzip.open(path, 'wt') as f:
                    json.dump(known, f)
                print('%s: %.1f s' % (item.name, known['seconds']), flush=True)
            item.seconds, item.clock = known['seconds'], known['clock']
            good.append(item)
            self.ran[item.name] = {o: {s: set(lines) for s, lines in files.items()} for o, files in known['ran'].items()}
            for source, of_then in known['digests'].items():
                if of_then == self.digest_of(source):
                    self.lines.setdefault(source, set()).update(known['lines'][source])
                    self.functions.setdefault(source, set()).update(map(tuple, known['functions'].get(source, ())))
        if bad:
            sys.exit('\n'.join(bad))
        return good

    def measure(self, item):
        for path in glob.glob(self.root + '/cover/**/*.gcda', recursive=True):
            os.remove(path)
        for need in item.needs:
            self.tree.linked = {}
            need = 'cover/' + need[len('build/'):]
            if need in self.tree.link or need in self.tree.archive:
                self.tree.built(need, set())
        argv = [a.replace('build/', 'cover/', 1) if a.startswith('build/') and '/corpus/' not in a else a for a in item.argv]
        for _ in range(3):          # on a busy machine a test may fail once
            with tempfile.TemporaryFile() as output:
                status, seconds, clock = timed(self.root, argv, SLOWEST, 10 * SLOWEST, dict(item.env, BUILD='cover'), output)
                if status == 0:
                    break
                output.seek(0)
                said = output.read().decode(errors='replace')[-2000:]
        else:
            return {'seconds': None, 'output': said}
        counts = [os.path.relpath(p, self.root) for p in glob.glob(self.root + '/cover/**/*.gcda', recursive=True)]
        ran, lines, functions = {}, {}, {}
        for counted in counts:
            text = subprocess.run(['gcov', '-j', '-t', '-o', counted, counted], cwd=self.root, capture_output=True).stdout
            for line in text.decode(errors='replace').split('\n'):
                if not line.startswith('{'):
                    continue
                here = ran.setdefault('build/' + counted[len('cover/'):-len('.gcda')] + '.o', {})
                for f in json.loads(line)['files']:
                    source = os.path.normpath(f['file'])
                    if source.startswith('/'):
                        continue
                    hit = {entry['line_number'] for entry in f['lines'] if entry['count'] > 0}
                    if source.startswith('cover/'):
                        # Generated: whether it runs is enough.
                        here.setdefault(source, set()).update({1} if hit else ())
                        continue
                    here.setdefault(source, set()).update(hit)
                    lines.setdefault(source, set()).update(entry['line_number'] for entry in f['lines'])
                    functions.setdefault(source, set()).update((g['start_line'], g['end_line']) for g in f['functions'])
        return {'seconds': seconds, 'clock': clock, 'ran': {o: {s: sorted(x) for s, x in files.items() if x} for o, files in ran.items()},
                'lines': {s: sorted(x) for s, x in lines.items()},
                'functions': {s: sorted(x) for s, x in functions.items()}}

    def near(self, source, first, last):
        """The lines that stand for a change from the first to the last line, or None outside of functions."""
        if not any(a <= first <= b for a, b in self.functions.get(source, ())):
            return None
        before = [n for n in self.lines[source] if n <= first]
        return {n for n in self.lines[source] if first <= n <= last} | {max(before)} if before else set()

    def runs(self, name, source, near):
        """The objects in which a test runs one of these lines of a source."""
        return {o for o, files in self.ran[name].items()
                if source in files and (near is None or files[source] & near)}
