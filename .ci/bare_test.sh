#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
# `make test` wants Check and what the command is built with, nothing else: without tshark and python3 what asks them is
# skipped, and counted, and nothing fails. Nor does make complain before it has installed what it needs; and it numbers
# what it builds, where it is told of how many, as suite.sh does with what has ended; what runs for long is named.
#
# usage: bare_test.sh BUILD
set -u
build=$1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

mkdir "$work/bin"
echo "$PATH" | tr ':' '\n' | while read -r folder; do
    find "$folder/" -mindepth 1 -maxdepth 1 ! -name tshark ! -name 'python3*' -exec ln -s -t "$work/bin" {} + 2>/dev/null
done

# bare TOOL COMMAND...: it passes; what it skips for want of the tool is counted.
bare() {
    tool=$1
    shift
    if PATH=$work/bin "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: without $tool: $*"
        tail -n 5 "$work/out"
    fi
    ! grep -q "^skip: no $tool" "$work/out" || echo "$tool" >>"$work/skipped"
}
for source in $(find rxe-harness -name '*_test.c' -exec grep -lE 'links/(capture|sighting)_stage\.h"' {} + | sort); do
    bare tshark "$build/tests/${source%.c}"
done
bare python3 sh .ci/tour_test.sh "$build/rpcrdma"
for tool in tshark python3; do
    grep -q "$tool" "$work/skipped" || { failed=$((failed + 1)) && echo "not ok: nothing is skipped for want of $tool"; }
done
rm -f "$work/bin"/pkg-config "$work/bin"/*-pkg-config "$work/bin/pkgconf"
if PATH=$work/bin make -s help 2>&1 >/dev/null | grep .; then
    failed=$((failed + 1)) && echo 'not ok: make help without pkg-config'
else
    passed=$((passed + 1))
fi
few="BUILD=$work/few DEPS=no $work/few/xdrgen"
# shellcheck disable=SC2086 # words
total=$(make -n $few | grep -c "printf '  %-6s") && make SAY_OF="$total" $few >"$work/out" 2>&1
if awk -v total="$total" '$2 != ++n "/" total { exit 1 } END { exit n != total }' "$work/out"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "not ok: each of $total lines has its number" && tail -n 5 "$work/out"
fi
mkdir "$work/suites"
printf '%s\t\techo 1 passed, 0 failed, 0 skipped\n' one two >"$work/suites/list"
for number in 2 1; do sh .ci/suite.sh "$work/suites" $number; done >"$work/out" 2>&1
if [ "$(tr -s ' ' <"$work/out")" = 'two 1 passed 0 failed 0 skipped 1/2
one 1 passed 0 failed 0 skipped 2/2' ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo 'not ok: two suites, numbered as they end' && cat "$work/out"
fi
# The long one is named; the short one leaves nothing behind that holds its pipe.
mkdir "$work/long"
printf '%s\t\t%s echo 1 passed, 0 failed, 0 skipped\n' long 'sleep 6;' short '' >"$work/long/list"
# shellcheck disable=SC2016 # for the shell in there
said=$(SUITE_TELLS=1 sh .ci/suite.sh "$work/long" 1 && timeout 100 sh -c 'SUITE_TELLS=1000 sh .ci/suite.sh "$1" 2 | cat' sh "$work/long")
if [ "$(echo "$said" | tr -s ' ')" = 'long still running
long 1 passed 0 failed 0 skipped 1/2
short 1 passed 0 failed 0 skipped 2/2' ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo 'not ok: a suite that takes long is named' && echo "$said"
fi
# An installation, which takes minutes, says how far it is, and what it goes without; one that fails says why.
mkdir "$work/apt"
printf '#!/bin/sh\nexit 1\n' >"$work/apt/dpkg-query"
# shellcheck disable=SC2016 # the script's
printf '#!/bin/sh\nexec "$@"\n' >"$work/apt/sudo"
cat >"$work/apt/apt-get" <<'END'
#!/bin/sh
[ "$1" = update ] && { echo 'Get:1 http://deb.example stable InRelease [1 kB]' && exit 0; }
printf '%s\n' 'Reading package lists...' '2 upgraded, 8 newly installed, 0 to remove and 0 not upgraded.' 'Need to get 4 kB of archives.'
for n in 1 2 3 4 5 6 7 8 9 10; do echo "Get:$n http://deb.example stable/main p$n [1 kB]"; done
for n in 1 2 3 4 5; do echo "Unpacking p$n (1-1) ..."; done
echo 'Setting up p1 (1-1) ...'
for n in 6 7 8 9 10; do echo "Unpacking p$n (1-1) ..."; done
[ -z "$BREAKS" ] || { echo 'E: p7 is broken' && exit 100; }
for n in 2 3 4 5 6 7 8 9 10; do echo "Setting up p$n (1-1) ..."; done
END
cat >"$work/apt/apt-cache" <<'END'
#!/bin/sh
[ "$1 $2" != 'depends gcc' ] || echo '  Depends: gcc-12'
[ "$1" != policy ] || printf '%s:\n  Installed: (none)\n  Candidate: %s\n' "$2" "$([ "$2" = named ] && echo '(none)' || echo 1-1)"
END
chmod +x "$work/apt"/*
said=$(for doing in fetched unpacked 'set up'; do printf "  $doing %s of 10\n" 2 4 6 8 10; done)
installs() { PATH=$work/apt:$PATH DEPS=yes BREAKS=$1 sh .ci/deps.sh one 'named?' 'two?' >"$work/out" 2>&1; }
if installs '' && [ "$(cat "$work/out")" = "Left out, for apt has none: named
Installing, some minutes: one two
  10 packages: need to get 4 kB of archives.
$said" ] && ! installs yes && grep -qx 'E: p7 is broken' "$work/out" && grep -q '^Installing these packages failed: one two' "$work/out"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo 'not ok: an installation says how far it is, and why it fails' && cat "$work/out"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
