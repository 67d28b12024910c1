#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Line and branch coverage of the codec and the checker, twice: under the corpora alone, and under
# the corpora and the tests. As text, and as HTML with the sources.
#
# usage: coverage.sh BUILD OUT TESTS TARGET[:CORPUS]...      TESTS: a list of programs in one word
set -eu

build=$1 out=$2 tests=$3
shift 3
# Debian's have the version in their names.
version=$(clang -dumpversion) version=-${version%%.*}
command -v "llvm-cov$version" >/dev/null || version=
cov=llvm-cov$version profdata=llvm-profdata$version
raw=$build/profile
rm -rf "$raw" "$out"
mkdir -p "$raw" "$out"

objects=
for name in "$@"; do
    target=${name%%:*}
    objects="$objects ${objects:+-object }$build/replayers/$target"
    sh fuzz/corpus_files.sh unpack "fuzz/corpus/${name#*:}.hex" "$build/fuzz/corpus/${name#*:}"
    LLVM_PROFILE_FILE=$raw/corpus-$target.profraw "$build/replayers/$target" \
        "$build/fuzz/corpus/${name#*:}" >/dev/null
done
"$profdata" merge -o "$build/corpora.profdata" "$raw"/corpus-*.profraw

number=0
for test in $tests; do
    number=$((number + 1))
    objects="$objects -object $test"
    LLVM_PROFILE_FILE=$raw/test-$number.profraw CK_DEFAULT_TIMEOUT=60 ORACLE_HEADERS=10000 \
        ORACLE_MESSAGES=10000 "$test" >"$raw/test.log" 2>&1 || { cat "$raw/test.log"; exit 1; }
done
"$profdata" merge -o "$build/all.profdata" "$raw"/*.profraw

# Of NFS only the binding: of its generated codecs it asks no more than it needs. Headers count too:
# what walks lists and arrays is in them.
sources=$(find codec conformance/check "$build/gen" -name "*.[ch]" ! -path "*/tests/*" \
    ! -path "*/bench/*" ! -path "*/test/*" ! -name "*_tables.c" ! -name "rules.c" \
    ! -path "$build/gen/nfs*")
for set in corpora all; do
    # shellcheck disable=SC2086 # lists
    "$cov" report $objects -instr-profile="$build/$set.profdata" -show-region-summary=false \
        -use-color=false $sources >"$out/$set.txt"
    # shellcheck disable=SC2086
    "$cov" show $objects -instr-profile="$build/$set.profdata" -format=html \
        -show-branches=count -output-dir="$out/$set" $sources >/dev/null
done
echo 'By the corpora alone:'
cat "$out/corpora.txt"
echo 'By the corpora and the tests:'
awk '/^Filename|^TOTAL/' "$out/all.txt"
echo "Line by line: $out/corpora/index.html, $out/all/index.html"
# What the corpora alone have to reach.
awk '/^TOTAL/ && ($7 + 0 < 95 || $10 + 0 < 85) {
    print "The corpora alone cover less than 95 % of lines or 85 % of branches"
    exit 1
}' "$out/corpora.txt"
