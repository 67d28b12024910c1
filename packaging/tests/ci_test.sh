#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# needs: shellcheck
# The workflows for the CI of others, of vectors and of captures: GitHub's and GitLab's say the same,
# their steps are good shell, install what .ci/deps.sh builds with, and end green under a list of
# expected failures, red without. And what packaging/kernel makes of its variables, lists and machine.
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

# Variables as JOB-KIND.env, packages as JOB-KIND.packages, the step that judges as JOB-KIND.sh.
python3 - "$root" "$work" <<'END'
import sys, yaml
root, work = sys.argv[1:]
for job, folder, last in (('vectors', 'vectors', '--testee'), ('captures', 'conformance', '--sarif')):
    github = yaml.safe_load(open('%s/%s/ci/github.yml' % (root, folder)))
    gitlab = yaml.safe_load(open('%s/%s/ci/gitlab.yml' % (root, folder)))['rpcrdma-' + job]
    runs = [step['run'] for step in github['jobs'][job]['steps'] if 'run' in step]
    for kind, env, steps in (('github', github['env'], runs),
                             ('gitlab', gitlab['variables'], gitlab['before_script'] + gitlab['script'])):
        out = '%s/%s-%s' % (work, job, kind)
        open(out + '.env', 'w').writelines('%s=%r\n' % item for item in sorted(env.items()))
        install = next(step for step in steps if 'apt-get install' in step).replace('\\\n', ' ')
        words = install[install.index('recommends') + len('recommends'):].split()
        open(out + '.packages', 'w').write('\n'.join(sorted(words)) + '\n')
        open(out + '.all', 'w').write('#!/bin/sh\n' + '\n'.join(steps))
        open(out + '.sh', 'w').write(next(step for step in steps if last in step))
END
sed -n "/^build='/,/'\$/p" "$root/.ci/deps.sh" | tr -d "'?" | sed 's/^build=//' | tr -s ' ' '\n' |
    grep . | sort >"$work/built"
for job in vectors captures; do
    verdict "$job: both have the same variables" cmp "$work/$job-github.env" "$work/$job-gitlab.env"
    verdict "$job: both install the same" cmp "$work/$job-github.packages" "$work/$job-gitlab.packages"
    verdict "$job: they install what is built with" \
        test -z "$(comm -23 "$work/built" "$work/$job-github.packages")"
    for kind in github gitlab; do
        verdict "$job, $kind: the steps pass shellcheck" shellcheck -e SC2154 "$work/$job-$kind.all"
    done
done

# A machine without this package, or one whose packages are of other architectures: deps PATTERN [ARCHITECTURES]
mkdir "$work/bin"
# shellcheck disable=SC2016 # of the script
printf '#!/bin/sh\ncase $4 in $ABSENT) exit 1 ;; esac\nfor a in $INSTALLED; do echo "install ok installed $a"; done\n' >"$work/bin/dpkg-query"
chmod 755 "$work/bin/dpkg-query"
deps() { env PATH="$work/bin:$PATH" ABSENT="$1" INSTALLED="${2:-all}" DEPS=no sh "$root/.ci/deps.sh" build >"$work/out" 2>&1; }
verdict 'DEPS=no: without rdma-core it is built' deps 'lib*rdmacm-dev'
verdict 'and that is said' grep -q 'Left out.*: librdmacm-dev' "$work/out"
verdict 'DEPS=no: without libpcap it is not' not deps libpcap-dev
verdict 'DEPS=no: with pkgconf alone it is' deps pkg-config
verdict 'DEPS=no: without either it is not' not deps 'pkg*'
verdict 'DEPS=no: with the libraries of this machine it is' deps none "$(dpkg --print-architecture)"
verdict 'with those of two as well' deps none "another $(dpkg --print-architecture)"
verdict 'with those of another it is not' not deps none another

mkdir -p "$work/runner/kit/build" "$work/user"
ln -s "$rpcrdma" "$work/runner/kit/build/rpcrdma"
ln -s "$root/conformance/tests/data/vectors" "$work/runner/kit/vectors"
cd "$work/user" || exit 1
run() { # JOB KIND VARIABLE=VALUE...
    sed "s,/tmp/rpcrdma-kit,$work/runner/kit,g" "$work/$1-$2.sh" >"$work/step"
    shift 2
    env RUNNER_TEMP="$work/runner" OPTIONS='' "$@" sh -e "$work/step" >"$work/out" 2>&1
}
vectors() { run vectors "$1" TESTEE="$2" KNOWN="$3"; } # KIND TESTEE KNOWN
captures() { run captures "$1" CAPTURES="$2" KNOWN="$3"; }

# ---- vectors ----

toy="python3 $root/vectors/testees/toy.py"
"$rpcrdma" vectors --testee 'sed s/.*/refuse/' --write-known known "$work/runner/kit/vectors" >"$work/out" 2>&1
verdict 'a testee that refuses all gets no list' test ! -e known
bad="sh -c '$toy | sed -u s/err-vers/err-chunk/'"
"$rpcrdma" vectors --testee "$bad" --write-known known "$work/runner/kit/vectors" >"$work/out" 2>&1
for kind in github gitlab; do
    verdict "vectors, $kind: green" vectors "$kind" "$toy" none
    verdict "vectors, $kind: red" not vectors "$kind" "$bad" none
    verdict "vectors, $kind: green with a list" vectors "$kind" "$bad" known
    verdict "vectors, $kind: a listed failure that is gone is red" not vectors "$kind" "$toy" known
done
verdict 'the reports are where they are fetched' test -s "$work/runner/vectors/report.html"
verdict 'for both' test -s rpcrdma-vectors/junit.xml

# ---- captures ----

recorded=$root/vectors/recorded
for kind in github gitlab; do
    verdict "captures, $kind: red" not captures "$kind" "$recorded/*-nfs42.pcap" none
    verdict "captures, $kind: for its findings" grep -q 'violation.*rfc8' "$work/out"
    verdict "captures, $kind: green with a list" \
        captures "$kind" "$recorded/*-nfs42.pcap" "$recorded/linux-6.1-nfs42.known"
done
verdict 'the findings are where they are fetched' test -s "$work/runner/captures/findings.sarif"
verdict 'for both jobs' test -s rpcrdma-captures/findings.sarif

# ---- action.sh: each use has a list of its own ----

mkdir "$work/runner/kit/packaging" tests
cp "$root/packaging/action.sh" "$work/runner/kit/packaging"
cp known tests/rpcrdma.known
action() { env KNOWN=auto "$@" >"$work/out" 2>&1; }
acts=$work/runner/kit/packaging/action.sh
verdict 'action.sh: vectors take their list' action TESTEE="$bad" sh "$acts" vectors
verdict 'action.sh: captures do not take it' not action CAPTURES="$recorded/*-nfs42.pcap" sh "$acts" captures
verdict 'action.sh: they are red for their findings' grep -q 'violation.*rfc8' "$work/out"
cp "$recorded/linux-6.1-nfs42.known" tests/rpcrdma-captures.known
verdict 'action.sh: captures take their own' action CAPTURES="$recorded/*-nfs42.pcap" sh "$acts" captures

# ---- kselftest and kdevops ----

kernel=$root/packaging/kernel
cp -r "$kernel/selftest" "$work/selftest"
mkdir "$work/known" "$work/nfsd" "$work/net"
: >"$work/nfsd/portlist"
echo nfs >"$work/filesystems"
echo 'smallest-call silent' >"$work/known/server.known"
sed -i "s,^nfsd=.*,nfsd=$work/nfsd," "$work/selftest/server.sh"
sed -i "s,/proc/filesystems,$work/filesystems,; s,/proc/net/,$work/net/,g" "$work/selftest/client.sh"
# What they call: the kit says its arguments, one a line, and a program of somebody's listens.
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod 755 "$work/bin/$1"; }
# shellcheck disable=SC2016 # of the script
stub rpcrdma 'printf "%s\n" "$@"'
# shellcheck disable=SC2016 # of the script
stub rdma 'echo "link rxe0/1 cm-idn 3 state LISTEN ps TCP pid 7 comm x src-addr 192.0.2.1:$TAKEN dst-addr 0.0.0.0:0"'
stub id 'echo 0'
stub modprobe 'exit 1'
stub mount 'exit 1'
selftest() { env PATH="$work/bin:$PATH" RPCRDMA="$work/bin/rpcrdma" RPCRDMA_ADDRESS=192.0.2.1 "$@" >"$work/out" 2>&1; }
# shellcheck disable=SC2016 # of that shell
judge() { name=$1 && shift && selftest "$@" sh -c '. "$0/common.sh"; judge "$1" probe' "$work/selftest" "$name"; }
ends() { wanted=$1 && shift; "$@"; [ $? -eq "$wanted" ]; }
verdict 'selftest: options' judge server RPCRDMA_OPTIONS="--case 'nfs-*' --restart 'sh again'"
verdict 'are quoted as in a shell' grep -qx 'nfs-\*' "$work/out"
verdict 'with blanks' grep -qx 'sh again' "$work/out"
verdict 'selftest: options of the server' judge server RPCRDMA_SERVER_OPTIONS=--hazardous RPCRDMA_CLIENT_OPTIONS=--same
verdict 'are given to it' grep -qx -e --hazardous "$work/out"
verdict 'and those of the client are not' not grep -qx -e --same "$work/out"
verdict 'selftest: a folder of lists' judge server RPCRDMA_KNOWN="$work/known"
verdict 'has that of the server' grep -qx "$work/known/server.known" "$work/out"
verdict 'and of the client where there is one' judge client RPCRDMA_KNOWN="$work/known"
verdict 'which there is not' not grep -qx -e --known "$work/out"
verdict 'selftest: what links are made of is in config' \
    grep -qi "^CONFIG_$(sed -n 's/.*ip link add .* type \([a-z]*\).*/\1/p' "$work/selftest/common.sh")=" "$work/selftest/config"
verdict 'selftest: a port that something else has is left alone' ends 4 selftest TAKEN=20049 sh "$work/selftest/server.sh"
verdict 'and that is said' grep -q 'SKIP port 20049' "$work/out"
verdict 'nfsd was not asked' test ! -s "$work/nfsd/portlist"
echo 0 >"$work/nfsd/threads"
verdict 'selftest: another port does not matter' ends 0 selftest TAKEN=200490 sh "$work/selftest/server.sh"
verdict 'nfsd was asked' grep -q 'rdma 20049' "$work/nfsd/portlist"
echo '   0: 00000000:4E51 00000000:0000 0A 00000000:00000000' >"$work/net/tcp"
verdict 'selftest: a client without MOUNT is not judged' ends 4 selftest sh "$work/selftest/client.sh"
verdict 'and that is said' grep -q 'SKIP no MOUNT' "$work/out"
echo '   1: 00000000:4E50 00000000:0000 0A 00000000:00000000' >>"$work/net/tcp"
verdict 'with it it is' ends 0 selftest sh "$work/selftest/client.sh"

mkdir -p workflows/rpcrdma/results/last-run/6.1/node
printf 'not ok 1 - new rule\nnot ok 2 - old rule # TODO expected failure\nok 3 - good\n' \
    >workflows/rpcrdma/results/last-run/6.1/node/server.tap
make -s -f "$kernel/kdevops/workflows/rpcrdma/Makefile" Q=@ rpcrdma-show-results >"$work/out" 2>&1
verdict 'kdevops: the failed cases are shown' grep -q '6.1/node/server.tap:not ok 1 - new' "$work/out"
verdict 'and nothing else' test "$(wc -l <"$work/out")" -eq 1
verdict 'kdevops: lists of another kernel are removed before any are copied or written' python3 -c '
import sys, yaml
tasks = yaml.safe_load(open(sys.argv[1]))
def first(tag, test):
    return next(i for i, task in enumerate(tasks) if tag in task["tags"] and test(task))
def removes(task):
    what = task.get("ansible.builtin.file", {})
    return what.get("state") == "absent" and what["path"].endswith("{{ item }}.known")
assert first("run_tests", removes) < first("run_tests", lambda task: "ansible.builtin.copy" in task)
assert first("accept", removes) < first("accept", lambda task: "write-known" in str(task))
' "$kernel/kdevops/playbooks/roles/rpcrdma/tasks/main.yml"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
