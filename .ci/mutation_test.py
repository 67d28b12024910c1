#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once:
"""`make mutation`: no row of .ci/mutation.equivalent is stale or said twice, each source is in a group, and the forms
that excuse themselves are no points."""
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutation  # noqa: E402
from mutation_points import ends, points  # noqa: E402

ROWS_MAX = 250
passed = failed = 0


def verdict(name, problem):
    global passed, failed
    passed, failed = passed + (not problem), failed + bool(problem)
    if problem:
        print('not ok: %s\n%s' % (name, problem))


def mutants(text, words=()):
    return {(text[start:end], new) for _, start, end, new in points(text, set(words), ends([text]))}


def identities(source, words, limits):
    text = mutation.read(source).decode()
    return {mutation.identity(mutation.record_of('.', (source, *point))) for point in points(text, words, limits)}


def stale(rows):
    words, limits = mutation.known_words()
    found, bad = {}, []
    for row in rows:
        if row[0] not in found:
            found[row[0]] = identities(row[0], words, limits) if os.path.exists(row[0]) else set()
        here = [i for i in found[row[0]] if i[:3] == row[:3] and i[4] == row[4]]
        if not (row in here or (row[3] == '+-1' and row[1] == 'constant' and here)):
            bad.append('\t'.join(row))
    return bad


with open('.ci/mutation.equivalent') as f:
    listed = [tuple(row.rstrip('\n').split('\t')) for row in f if row.strip() and not row.startswith('#')]
rows = [row[:5] for row in listed]
verdict('each row has a reason', '\n'.join('\t'.join(row) for row in listed if len(row) != 6 or not row[5]))
verdict('no row is there twice', '\n'.join('\t'.join(row) for row in sorted(set(rows)) if rows.count(row) > 1))
verdict('no row is stale: of each there is such a mutant', '\n'.join(stale(rows)))
verdict('fewer than %d rows' % ROWS_MAX, '' if len(rows) < ROWS_MAX else '%d rows' % len(rows))

grouped = {source for group in mutation.GROUPS for source in mutation.sources_of(group)} | set(mutation.LEFT_OUT)
sources = {source for folder in ('codec', 'conformance', 'gen', 'rxe-harness')
           for source in glob.glob(folder + '/**/*.c', recursive=True)
           if not mutation.NOT_OURS.search(source)}
verdict('each source is in a group', '\n'.join(sorted(sources - grouped)))

loop = 'void f(void) { for (unsigned i = 0; i < n; i++) g(i); }'
verdict('a loop that counts up: != for < is no point', ('<', '!=') in mutants(loop))
verdict('and all else is', not {('<', '<='), ('<', '>')} <= mutants(loop))
verdict('a loop by twos', ('<', '!=') not in mutants(loop.replace('i++', 'i += 2')))
enum = 'enum e { A, B, C }; int f(int e) { if (e == %s) return 1; return 0; }'
verdict('the last of an enum', ('==', '>=') in mutants(enum % 'C') or ('==', '<=') not in mutants(enum % 'C'))
verdict('the first of an enum', ('==', '<=') in mutants(enum % 'A') or ('==', '>=') not in mutants(enum % 'A'))
verdict('one in the middle', not {('==', '<='), ('==', '>=')} <= mutants(enum % 'B'))
number = 'int f(%s x) { if (x > 0) return 1; return 0; }'
verdict('a number without sign', ('>', '!=') in mutants(number % 'unsigned'))
verdict('a number with a sign', ('>', '!=') not in mutants(number % 'int'))
least = 'int f(int a, int b) { return a < b ? %s : b; }'
verdict('the smaller of two', ('<', '<=') in mutants(least % 'a'))
verdict('a choice of another', ('<', '<=') not in mutants(least % 'c'))
null = 'int f(char *p) { if (p == NULL) return 1; return 0; }'
verdict('no pointer is below NULL', ('==', '<=') in mutants(null))
verdict('and all else is a point', not {('==', '!='), ('==', '<'), ('==', '>=')} <= mutants(null))
room = 'void f(int *a) { char text[24]; g(calloc(1, n + 2)); a[3] = h(4); }'
verdict('more room', bool({('24', '25'), ('1', '2'), ('2', '3')} & mutants(room)))
verdict('less room, and what is no room', not {('24', '23'), ('1', '0'), ('2', '1'), ('3', '4'), ('4', '5')} <= mutants(room))
print('%d passed, %d failed, 0 skipped' % (passed, failed))
sys.exit(failed > 0)
