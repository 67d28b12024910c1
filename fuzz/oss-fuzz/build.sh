#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Build all targets as OSS-Fuzz and ClusterFuzzLite ask: CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE, OUT and WORK are in the environment. Each target comes with its seed corpus and
# its dictionary.
set -eu

: "${CC:?}" "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
build=${WORK:-$OUT}/rpcrdma
# The XDR compiler is built with the sanitizers too, and keeps its memory until it ends.
export ASAN_OPTIONS=detect_leaks=0
# CFLAGS goes by another name: the Makefile has its own. The compiler there is newer than ours, and
# what it warns of is no reason to stop fuzzing. The machine that fuzzes has none of the libraries:
# they go along, and are looked for beside the target, those that others need as well.
flags=${CFLAGS-}
# shellcheck disable=SC2016 # for make, and then for the loader
beside='-Wl,--disable-new-dtags -Wl,-rpath,'"'"'$$ORIGIN/lib'"'"
unset CFLAGS
make DEPS=no BUILD="$build" CC="$CC" FUZZ_LINK="${CXX:-$CC} ${CXXFLAGS-} $beside" \
    FUZZ_ENGINE="$LIB_FUZZING_ENGINE" OPT='-g' EXTRA_CFLAGS="$flags -Wno-error" LDFLAGS="$flags" \
    fuzzers fuzz-list

mkdir -p "$OUT/lib"
while IFS=: read -r target corpus; do
    cp "$build/fuzzers/$target" "$OUT/$target"
    ldd "$OUT/$target" | awk '/tirpc|jansson|pcap|gssapi|krb5|k5crypto|com_err|keyutils|dbus/ {
        print $3 }' | while read -r library; do
        [ -e "$OUT/lib/${library##*/}" ] || cp "$library" "$OUT/lib/"
    done
    cp "$build/fuzz/rpcrdma.dict" "$OUT/$target.dict"
    sh fuzz/corpus_files.sh unpack "fuzz/corpus/$corpus.hex" "$build/fuzz/corpus/$corpus"
    (cd "$build/fuzz/corpus/$corpus" && zip -q -r - .) >"$OUT/${target}_seed_corpus.zip"
done <"$build/fuzz/list"
