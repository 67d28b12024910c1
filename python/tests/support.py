# SPDX-License-Identifier: BSD-3-Clause
# run by: decode_test.py and check_test.py
"""What the tests of the package share: verdicts, the vectors, the types that are promised."""
import glob
import json
import os
import subprocess
import sys
import typing

BUILD = os.path.abspath(sys.argv[1])
DRAFTS = {'rpcrdma2-04': '04', 'rpcrdma2-07': '07'}
PATHS = [path for path in sorted(glob.glob('vectors/*.json') + glob.glob('vectors/v2-*/*.json') +
                                 glob.glob('vectors/recorded/*.json')) if not path.endswith('schema.json')]
passed = failed = 0


def verdict(what, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f'FAILED: {what}\n    {str(shown)[:1200]}')


def end():
    print(f'{passed} passed, {failed} failed, 0 skipped')
    sys.exit(failed > 0)


def package():
    """The package of this tree over the libraries of this build, whose path the linker reads at the start of a process."""
    if os.environ.get('LD_LIBRARY_PATH') != BUILD:
        os.environ['LD_LIBRARY_PATH'] = BUILD
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    sys.path.insert(0, os.path.abspath('python'))
    import rpcrdma
    return rpcrdma


def tests(path):
    """Its tests, and the draft that it is of."""
    with open(path) as f:
        vectors = json.load(f)
    return vectors['tests'], DRAFTS.get(vectors['protocol'])


def command(*words):
    """What the command prints as JSON, by test and number of the event."""
    out = subprocess.run([os.path.join(BUILD, 'rpcrdma'), *words], capture_output=True, text=True).stdout
    return {(o['test'], o['event']): o for o in map(json.loads, out.splitlines()) if 'test' in o}


def conforms(value, kind):
    """Whether a value is of the type that the annotations promise."""
    if kind is typing.Any:
        return True
    if typing.is_typeddict(kind):
        return isinstance(value, dict) and kind.__required_keys__ <= set(value) <= set(kind.__annotations__) and \
            all(conforms(value[k], t) for k, t in typing.get_type_hints(kind).items() if k in value)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return any(conforms(value, t) for t in args)
    if origin is list:
        return isinstance(value, list) and all(conforms(v, args[0]) for v in value)
    if origin is dict:
        return isinstance(value, dict) and all(conforms(k, args[0]) and conforms(v, args[1]) for k, v in value.items())
    return isinstance(value, kind)


def raises(error, function, *args):
    try:
        function(*args)
    except error:
        return True
    return False
