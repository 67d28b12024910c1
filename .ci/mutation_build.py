#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the tree that is built once by make, and then by make's own commands, one by one: see mutation.py.

make takes longer to find out what to do than the compiler takes for one file. So its commands are read once (make -n),
each test program is split into its object and its link, and of a mutant only those objects are compiled that a test runs.
"""
import glob
import math
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

MEMORY = 6 << 30
LINKER = next((' -fuse-ld=' + name for name in ('lld', 'gold') if shutil.which('ld.' + name)), '')


class Broken(Exception):
    """A mutant that does not compile, or whose generator fails: where."""


def limits(seconds):
    """Of processor time: on a busy machine a test that only waits for its turn is no test that fails."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def run(root, argv, cpu, wall, env=None, output=subprocess.DEVNULL):
    """The exit status, or 'time' after so many seconds; processes left behind are ended."""
    process = subprocess.Popen(argv, cwd=root, env=dict(os.environ, LC_ALL='C', **(env or {})),
                               stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                               start_new_session=True, preexec_fn=lambda: limits(cpu))
    try:
        status = process.wait(wall)
    except subprocess.TimeoutExpired:
        status = 'time'
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return status


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, octets):
    """All of it or nothing: a run may be ended at any time."""
    with open(path + '.part', 'wb') as f:
        f.write(octets)
    if os.path.exists(path):
        shutil.copymode(path, path + '.part')
    os.replace(path + '.part', path)


class Tree:
    """root: the copy of the sources. build: the folder in it. options: of make."""

    def __init__(self, root, build, *options):
        self.root, self.build = root, build
        self.options = ['-s', 'DEPS=no', 'WARNINGS=-w', 'BUILD=' + build, *options]
        self.compile, self.link, self.archive, self.generate = {}, {}, {}, {}
        self.users = {}             # source or header: the objects that are compiled from it
        self.kept = {}              # what the mutant has changed, as it was, and of when
        self.fresh = {}             # objects of this mutant: whether they differ
        self.linked = {}            # archives and programs: of how many objects of this mutant they know

    def path(self, name):
        return os.path.join(self.root, name)

    def make(self, *arguments):
        done = subprocess.run(['make', *self.options, *arguments], cwd=self.root, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit('mutation: make %s:\n%s' % (' '.join(arguments)[:200], done.stdout[-3000:]))
        return done.stdout

    def prepare(self, goals, jobs):
        """Read make's commands for the goals, and build all that they name."""
        text = self.make('-n', '-B', 'V=1', *goals).replace('\\\n', ' ')
        for line in text.split('\n'):
            if re.match(r'(\S*/)?(gcc|clang) ', line):
                self.compiler(line)
            elif re.match(r'ar [rq]cs ', line):
                self.archive[line.split()[2]] = line
            elif line.startswith(self.build + '/xdrgen '):
                made = re.findall(r'--(?:header|source|tables)=(\S+)', line)
                self.generate.setdefault(line, made)
        unknown = {part for _, parts in self.link.values() for part in parts
                   if part.startswith(self.build) and part.endswith('.a')} - set(self.archive)
        if unknown:
            sys.exit('mutation: how make makes these is not understood, no mutant would be in them: %s' % ' '.join(sorted(unknown)))
        programs = [goal for goal in goals if goal in self.link]
        own = {test for test in self.compile if test.endswith('.test.o')}
        self.make('-j%d' % jobs, *sorted(set(self.compile) - own), *self.archive,
                  *(goal for goal in goals if goal not in self.link))
        for test in sorted(own):
            self.compiled(test, missing=True)
        for name in self.compile:
            for source in self.sources(name):
                self.users.setdefault(source, set()).add(name)
        for program in programs:
            if '/tests/' not in program:
                self.built(program, set())
        self.linked = {}

    def compiler(self, line):
        words = shlex.split(line)
        target = words[words.index('-o') + 1]
        if '-c' in words:
            self.compile[target] = (line, next(w for w in words if w.endswith('.c')))
            return
        sources = [w for w in words if w.endswith('.c')]
        if sources:
            # A test program, which make compiles and links at once.
            test = target + '.test.o'
            self.compile[test] = (self.joined([w for w in words if not w.startswith(('-l', '-o', '-Wl')) and w != target
                                               and not w.endswith(('.o', '.a', '.so'))]) + ' -c -o ' + test, sources[0])
            words = [test if w == sources[0] else w for w in words]
            for option in ('-MMD', '-MP'):
                words = [w for w in words if w != option]
            if '-MF' in words:
                del words[words.index('-MF'):words.index('-MF') + 2]
        self.link[target] = (self.joined(words) + LINKER, [w for w in words if w.endswith(('.o', '.a', '.so')) and w != target])

    @staticmethod
    def joined(words):
        return ' '.join(shlex.quote(w) for w in words)

    def sources(self, name):
        """What an object was compiled from: by the compiler's notes."""
        for notes in (name[:-2] + '.d', name.replace('.test.o', '') + '.d'):
            if os.path.exists(self.path(notes)):
                text = read(self.path(notes)).decode().replace('\\\n', ' ')
                return {os.path.normpath(s) for s in text.split('\n')[0].split(':', 1)[1].split()} | \
                    {os.path.normpath(self.compile[name][1])}
        return {os.path.normpath(self.compile[name][1])}

    def shell(self, command, what):
        os.makedirs(os.path.dirname(self.path(what)), exist_ok=True)
        if run(self.root, ['sh', '-c', command], 60, 300) != 0:
            raise Broken(what)

    def keep(self, name, octets=None):
        path = self.path(name)
        if name not in self.kept:
            self.kept[name] = read(path) if octets is None else octets, os.stat(path).st_mtime_ns

    def compiled(self, name, missing=False):
        """Compile an object of the mutant, once; whether it differs from the one that is kept."""
        if name not in self.fresh:
            path = self.path(name)
            old = read(path) if os.path.exists(path) else b''
            if missing and old and os.path.getmtime(path) > max(
                    os.path.getmtime(self.path(s)) for s in self.sources(name)):
                return False
            when = os.stat(path).st_mtime_ns if old else None
            self.shell(self.compile[name][0], name)
            self.fresh[name] = read(path) != old
            if not missing and old:
                self.kept.setdefault(name, (old, when))
            if missing:
                del self.fresh[name]
                return True
        return self.fresh[name]

    def members(self, name):
        """The objects that a program or an archive is made of."""
        if name in self.archive:
            return self.archive[name].split()[3:]
        found = []
        for part in self.link[name][1]:
            found += self.members(part) if part in self.archive or part in self.link else [part]
        return found

    def built(self, name, wanted):
        """Bring a program or library up to date, of the objects that the mutant changes only those that are wanted; whether
        anything in it differs."""
        parts = self.archive[name].split()[3:] if name in self.archive else self.link[name][1]
        differs = False
        for part in parts:
            if part in self.archive or part in self.link:
                differs |= self.built(part, wanted)
            elif part in wanted:
                differs |= self.compiled(part)
        stale = self.linked.get(name) != len(self.fresh)
        if stale and (differs or name in self.link or not os.path.exists(self.path(name))):
            if name in self.archive:
                when = os.stat(self.path(name)).st_mtime_ns if os.path.exists(self.path(name)) else None
                self.shell('rm -f %s; %s' % (name, self.archive[name]), name)
                self.kept.setdefault(name, (None, when))
            else:
                self.linked_anew(name)
            self.linked[name] = len(self.fresh)
        return differs

    def linked_anew(self, name):
        self.shell(self.link[name][0], name)
        # No newer than what it is made of, so that make does not make anew what it has made.
        newest = max(os.stat(self.path(part)).st_mtime_ns for part in self.link[name][1])
        os.utime(self.path(name), ns=(newest, newest))

    def generated(self):
        """Run the generator: the files that it makes otherwise."""
        self.built(self.build + '/xdrgen', set(self.fresh))
        changed = set()
        for command, made in self.generate.items():
            for name in made:
                self.keep(name)
            if run(self.root, ['sh', '-c', command], 4, 60) != 0:
                raise Broken('the generator')
            changed |= {name for name in made if read(self.path(name)) != self.kept[name][0]}
        return changed

    def restore(self):
        """Everything as it was before the mutant. Programs are linked anew by the next one."""
        for name, (octets, _) in self.kept.items():
            if octets is not None:
                write(self.path(name), octets)
        for name, (octets, when) in self.kept.items():
            if octets is None:
                self.shell('rm -f %s; %s' % (name, self.archive[name]), name)
            if when is not None:
                os.utime(self.path(name), ns=(when, when))
        # make would use the mutant's generator.
        generator = self.build + '/xdrgen'
        if generator in self.linked:
            self.linked_anew(generator)
        self.kept, self.fresh, self.linked = {}, {}, {}


def copy(root):
    """The sources as they are now; what has not changed keeps its time."""
    files = subprocess.run(['sh', '.ci/files.sh'], capture_output=True, text=True, check=True).stdout.split('\n')
    files = {name for name in files if name and os.path.isfile(name)}
    for name in files:
        there = os.path.join(root, name)
        if not os.path.exists(there) or read(there) != read(name):
            os.makedirs(os.path.dirname(there), exist_ok=True)
            shutil.copy(name, there)
            if name.endswith(('Makefile', '.mk')):
                # Nothing depends on how it is made, and it may be made otherwise.
                for build in ('build', 'cover'):
                    shutil.rmtree(os.path.join(root, build), ignore_errors=True)
    for there in glob.glob(root + '/**/*.[ch]', recursive=True):
        name = os.path.relpath(there, root)
        if name not in files and not name.startswith(('build/', 'cover/')):
            os.remove(there)


def timed(root, argv, cpu, wall, env, output=subprocess.DEVNULL):
    """Status, seconds of processor time of it and of what it waited for, seconds by the clock."""
    begun = time.time()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = run(root, argv, cpu, wall, env, output)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.time() - begun


def allowed(seconds, clock):
    """Of processor time and by the clock, for a test that takes so long without a mutant."""
    return max(2, math.ceil(4 * seconds)), max(30, 10 * clock)
