# SPDX-License-Identifier: BSD-3-Clause
# run by: the tests beside it
# shellcheck shell=sh
# What tests of the command share: sourced with the test's arguments, the first of them the
# path of rpcrdma. The test goes on in an empty folder; $rpcrdma and $recorded are absolute.
#
# usage: . command.sh; ...; finish

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA" >&2
    exit 2
fi
rpcrdma=$(realpath "$1")
# shellcheck disable=SC2034 # for the test
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034
recorded=$(cd "$(dirname "$0")" && until [ -d vectors/recorded ]; do cd .. && [ "$PWD" != / ] || exit 1; done &&
    realpath vectors/recorded)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
unset NO_COLOR
passed=0 failed=0 skipped=0
: >out
: >err

# try STATUS ARGUMENT...: run the command; out and err hold what it says.
what=
try() {
    wanted=$1
    shift
    what="rpcrdma $*"
    "$rpcrdma" "$@" >out 2>err </dev/null
    got=$?
    verdict "exits with $wanted, not $got" test "$got" -eq "$wanted"
}
# verdict WHAT COMMAND...: count it as passed if the command succeeds.
verdict() {
    about=$1
    shift
    if "$@" >verdict.out 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: ${what:+$what: }$about" >&2
        tail -n 8 verdict.out | sed 's/^/    /' >&2
        head -n 30 out | sed 's/^/    stdout: /' >&2
        head -n 30 err | sed 's/^/    stderr: /' >&2
    fi
}
not() { ! "$@"; }
says() { verdict "says '$1'" grep -qF -- "$1" out; }
says_not() { verdict "does not say '$1'" not grep -qF -- "$1" out; }
complains() { verdict "complains '$1'" grep -qF -- "$1" err; }
lines() { verdict "$1 has $2 lines" test "$(wc -l <"$1")" -eq "$2"; }
holds() { verdict "$1 holds '$2'" grep -qF -- "$2" "$1"; }
# counts N PATTERN: this many lines of the output match.
counts() {
    verdict "$1 lines match '$2', not $(grep -c -- "$2" out)" test "$(grep -c -- "$2" out)" -eq "$1"
}
# asks FILTER [FILE]: jq says true of all objects of the file, or of the output.
asks() { verdict "is so of ${2:-out}: $1" jq -se "$1" "${2:-out}"; }
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
# finish: the last line of a test, and its status.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
