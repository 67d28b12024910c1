#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: packaging/roots.sh, in a bare root
"""action.yml, templates/rpcrdma.yml and .pre-commit-hooks.yaml as their runners run them: expressions are put in, steps
run one by one in somebody's repository, by the shell that is named. Steps that only carry files away are left out.

usage: runner.py REPOSITORY_OF_THE_KIT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

KIT = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp()
passed = failed = 0


def verdict(about, good, output=''):
    global passed, failed
    if good:
        passed += 1
        print('ok:', about, flush=True)
    else:
        failed += 1
        print('FAILED: %s\n%s' % (about, output[-3000:]), flush=True)


def run(words, folder, **env):
    done = subprocess.run(words, cwd=folder, env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout.decode(errors='replace')


def clone(to):
    subprocess.run(['git', 'clone', '-q', KIT, to], check=True)
    return to


def github(action, user, **inputs):
    """One use of the action: status, output."""
    with open(os.path.join(action, 'action.yml')) as f:
        described = yaml.safe_load(f)
    unknown = set(inputs) - {name.replace('-', '_') for name in described['inputs']}
    assert not unknown, unknown
    values = {'github.action_path': action}
    for name, about in described['inputs'].items():
        values['inputs.' + name] = inputs.get(name.replace('-', '_'), about.get('default', ''))

    def filled(text):
        return re.sub(r'\$\{\{ *([a-z._-]+) *\}\}', lambda m: values[m.group(1)], text)
    status, output = 0, ''
    for step in described['runs']['steps']:
        if 'uses' in step or status != 0:
            continue
        env = {name: filled(str(value)) for name, value in step.get('env', {}).items()}
        assert step['shell'] == 'sh'
        status, text = run(['sh', '-e', '-c', filled(step['run'])], user, **env)
        output += text
    return status, output


def gitlab(template, user, **inputs):
    """One include of the component."""
    with open(template) as f:
        spec, job = f.read().split('\n---\n')
    described = yaml.safe_load(spec)['spec']['inputs']
    values = {name: about.get('default') for name, about in described.items()}
    values.update({name.replace('_', '-'): value for name, value in inputs.items()})
    for name, about in described.items():
        assert values[name] is not None, name
        assert 'options' not in about or values[name] in about['options'], name
    text = re.sub(r'\$\[\[ *inputs\.([a-z-]+) *\]\]', lambda m: values[m.group(1)], job)
    (name, job), = yaml.safe_load(text).items()
    assert name == 'rpcrdma-' + values['what']
    env = {key: str(value) for key, value in job['variables'].items()}
    status, output = run(['sh', '-e', '-c', '\n'.join(job['script'])], user, **env)
    missing = [path for path in job['artifacts']['paths'] if not os.path.exists(os.path.join(user, path))]
    return status, output + ''.join('missing: %s\n' % path for path in missing)


def somebody(kit):
    """A repository with a testee, a parser and captures."""
    user = os.path.join(WORK, 'user')
    os.makedirs(os.path.join(user, 'tests', 'captures'))
    shutil.copy(kit + '/vectors/testees/toy.py', user + '/tests/testee.py')
    shutil.copy(kit + '/fuzz/kit/careless.c', user + '/tests/parser.c')
    shutil.copy(kit + '/fuzz/kit/careless.known', user + '/tests/fuzz.known')
    for name in ('linux-6.1-nfs42.pcap', 'linux-6.1-errors.pcap'):
        shutil.copy(kit + '/vectors/recorded/' + name, user + '/tests/captures')
    shutil.copy(kit + '/vectors/recorded/linux-6.1-nfs42.known', user + '/tests/rpcrdma-captures.known')
    for words in (['init', '-q'], ['add', '-A'], ['-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '-m', 'x']):
        subprocess.run(['git'] + words, cwd=user, check=True)
    return user


def uses(name, use, user, reports):
    """The same seven uses of either."""
    toy = 'python3 tests/testee.py'
    bad = "sh -c '%s | sed -u s/err-vers/err-chunk/'" % toy
    one = 'tests/captures/linux-6.1-nfs42.pcap'

    def case(about, wanted, says, **inputs):
        shutil.rmtree(os.path.join(user, reports), ignore_errors=True)
        status, output = use(user, **inputs)
        verdict('%s: %s' % (name, about), (status == 0) == wanted and re.search(says, output) is not None
                and 'missing:' not in output, 'status %d\n%s' % (status, output))
    case('vectors, a good testee', True, ' 0 failed', what='vectors', testee=toy, known='')
    verdict(name + ': its reports', os.path.exists(os.path.join(user, reports, 'index.html')))
    case('vectors, a bad one', False, r' [1-9]\d* failed', what='vectors', testee=bad, known='')
    case('captures, with violations', False, 'violation', what='captures', captures='tests/captures/*errors.pcap', known='')
    case('captures, all expected', True, '0 violations', what='captures', captures=one)
    case('fuzz, a careless parser', False, 'disagree', what='fuzz', parser='tests/parser.c', known='', seconds='20')
    case('fuzz, expected disagreements', True, '0 disagreements', what='fuzz', parser='tests/parser.c', known='tests/fuzz.known',
         seconds='20')


def hooks(user):
    def hook(name, *files):
        return run(['pre-commit', 'try-repo', KIT, name, '--verbose', '--files', *files], user)
    status, output = hook('rpcrdma-captures', 'tests/captures/linux-6.1-errors.pcap')
    verdict('pre-commit: a capture with violations', status == 1 and 'violation' in output, output)
    status, output = hook('rpcrdma-captures', 'tests/testee.py')
    verdict('pre-commit: no capture among the files', status == 0 and 'no files to check' in output, output)


def main():
    action = clone(os.path.join(WORK, 'action'))
    user = somebody(action)
    uses('GitHub', lambda folder, **inputs: github(action, folder, **inputs), user, 'rpcrdma-reports')
    template = action + '/templates/rpcrdma.yml'
    shutil.rmtree('/tmp/rpcrdma-kit', ignore_errors=True)
    uses('GitLab', lambda folder, **inputs: gitlab(template, folder, kit=KIT, version='HEAD', **inputs), user,
         'rpcrdma-reports')
    hooks(user)
    shutil.rmtree(WORK)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    sys.exit(failed > 0)


main()
