#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write index.json and INDEX.md into a folder of vectors: the tests by rule, by flag and by section.

usage: vector_index.py RPCRDMA FOLDER
"""
import glob
import json
import os
import subprocess
import sys


def add(index, key, test):
    entries = index.setdefault(key, [])
    if test not in entries:
        entries.append(test)


def read(folder):
    rules, near, flags, sections = {}, {}, {}, {}
    for path in sorted(glob.glob(folder + '/*.json') + glob.glob(folder + '/v2-*/*.json')):
        with open(path) as f:
            content = json.load(f)
        if content.get('schema') != 'rpcrdma-vectors-v1':
            continue
        for test in content['tests']:
            name = '%s:%s' % (os.path.relpath(path, folder), test['id'])
            broken = {f['rule'] for event in test['events'] for f in event.get('expect', {}).get('findings', [])}
            for rule in sorted(broken):
                add(rules, rule, name)
            for rule in test.get('nearMiss', []):
                add(near, rule, name)
            for rule in sorted(broken | set(test.get('nearMiss', []))):
                add(sections, '/'.join(rule.split('/')[:2]), name)
            for flag in test.get('flags', []):
                add(flags, flag, name)
    return {'rules': rules, 'nearMisses': near, 'flags': flags, 'sections': sections}


def main():
    rpcrdma, folder = sys.argv[1:]
    index = read(folder)
    known = {}
    for line in subprocess.run([rpcrdma, 'rules', '--json'], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        row = json.loads(line)
        if 'id' in row:
            known[row['id']] = row.get('text', '')
    with open(folder + '/index.json', 'w') as f:
        json.dump(index, f, indent=1, sort_keys=True)
        f.write('\n')
    with open(folder + '/INDEX.md', 'w') as f:
        f.write('# Vectors by rule\n')
        for rule in sorted(set(index['rules']) | set(index['nearMisses'])):
            f.write('\n## %s\n\n%s\n\n' % (rule, known.get(rule, '')))
            for title, table in (('break it', 'rules'), ('nearly break it', 'nearMisses')):
                tests = index[table].get(rule, [])
                if tests:
                    f.write('Vectors that %s: %s\n\n' % (title, ', '.join('`%s`' % t for t in tests)))


if __name__ == '__main__':
    main()
