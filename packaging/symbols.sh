#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The symbols files of Debian's packages anew: what the libraries export, each with the version that had it first.
#
# usage: symbols.sh BUILD VERSION OUT
set -eu
build=$1 version=$2 out=$3
for library in librpcrdma librpcrdma-check; do
    file=${library}0.symbols kept=packaging/debian/${library}0.symbols
    [ -f "$kept" ] || kept=/dev/null
    nm -D --defined-only --with-symbol-versions "$build/$library.so" | LC_ALL=C sort -k 3 |
        awk -v library="$library" -v version="$version" '
            FILENAME != "-" { if (/^ /) since[$1] = $2; next }
            FNR == 1 {
                print library ".so.0 " library "0 #MINVER#"
                print "* Build-Depends-Package: librpcrdma-dev"
            }
            {
                name = $3
                sub(/@@/, "@", name)
                if (name !~ /@/) name = name "@" name
                print " " name, name in since ? since[name] : version
            }' "$kept" - >"$out/$file.new"
    mv "$out/$file.new" "$out/$file"
done
