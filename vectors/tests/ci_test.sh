#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The workflows for the CI of others: both say the same, their steps are good shell, install what
# .ci/deps.sh builds with, and run the vectors green under a list of expected failures, red without.
#
# usage: ci_test.sh PATH_TO_RPCRDMA
set -u

[ $# -eq 1 ] || { echo "usage: $0 PATH_TO_RPCRDMA" >&2; exit 2; }
rpcrdma=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() {
    about=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $about"
    fi
}
not() { ! "$@"; }
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo 'skip: no python3-yaml'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi

# Variables as KIND.env, packages as KIND.packages, the step that runs the vectors as KIND.sh.
python3 - "$root/vectors/ci" "$work" <<'END'
import sys, yaml
folder, work = sys.argv[1:]
github = yaml.safe_load(open(folder + '/github.yml'))
gitlab = yaml.safe_load(open(folder + '/gitlab.yml'))['rpcrdma-vectors']
runs = [step['run'] for step in github['jobs']['vectors']['steps'] if 'run' in step]
for kind, env, steps in (('github', github['env'], runs),
                         ('gitlab', gitlab['variables'], gitlab['before_script'] + gitlab['script'])):
    with open('%s/%s.env' % (work, kind), 'w') as out:
        out.writelines('%s=%r\n' % item for item in sorted(env.items()))
    install = next(step for step in steps if 'apt-get install' in step).replace('\\\n', ' ')
    words = install[install.index('recommends') + len('recommends'):].split()
    open('%s/%s.packages' % (work, kind), 'w').write('\n'.join(sorted(words)) + '\n')
    open('%s/%s.all' % (work, kind), 'w').write('#!/bin/sh\n' + '\n'.join(steps))
    open('%s/%s.sh' % (work, kind), 'w').write(next(step for step in steps if '--testee' in step))
END
verdict 'both have the same variables' cmp "$work/github.env" "$work/gitlab.env"
verdict 'both install the same' cmp "$work/github.packages" "$work/gitlab.packages"
sed -n "/^build='/,/'\$/p" "$root/.ci/deps.sh" | tr -d "'" | sed 's/^build=//' | tr -s ' ' '\n' |
    grep . | sort >"$work/built"
verdict 'they install what is built with' test -z "$(comm -23 "$work/built" "$work/github.packages")"

mkdir -p "$work/runner/kit/build" "$work/user"
ln -s "$rpcrdma" "$work/runner/kit/build/rpcrdma"
ln -s "$root/conformance/tests/data/vectors" "$work/runner/kit/vectors"
cd "$work/user" || exit 1
run() { # KIND TESTEE KNOWN
    sed "s,/tmp/rpcrdma-kit,$work/runner/kit,g" "$work/$1.sh" >"$work/step"
    RUNNER_TEMP=$work/runner TESTEE=$2 KNOWN=$3 OPTIONS='' sh -e "$work/step" >"$work/out" 2>&1
}
toy="python3 $root/vectors/testees/toy.py"
"$rpcrdma" vectors --testee 'sed s/.*/refuse/' --write-known known "$work/runner/kit/vectors" >"$work/out" 2>&1
verdict 'a testee that refuses all gets no list' test ! -e known
bad="sh -c '$toy | sed -u s/err-vers/err-chunk/'"
"$rpcrdma" vectors --testee "$bad" --write-known known "$work/runner/kit/vectors" >"$work/out" 2>&1
for kind in github gitlab; do
    if command -v shellcheck >/dev/null; then
        verdict "$kind: the steps pass shellcheck" shellcheck -e SC2154 "$work/$kind.all"
    fi
    verdict "$kind: green" run "$kind" "$toy" none
    verdict "$kind: red" not run "$kind" "$bad" none
    verdict "$kind: green with a list" run "$kind" "$bad" known
    verdict "$kind: a listed failure that is gone is red" not run "$kind" "$toy" known
done
verdict 'the reports are where they are fetched' test -s "$work/runner/vectors/report.html"
verdict 'for both' test -s rpcrdma-vectors/junit.xml

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
