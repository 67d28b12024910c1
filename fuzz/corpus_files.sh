#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A corpus is one file, fuzz/corpus/NAME.hex: a line for each input, its octets in hexadecimal ("-" for none), and
# a name where it has one. Lines are sorted, so that the same inputs are the same file.
#
# usage: corpus_files.sh unpack NAME.hex FOLDER     what was in FOLDER is removed
#        corpus_files.sh add NAME.hex FILE [NAMED]
#        corpus_files.sh pack FOLDER >NAME.hex      names that are sums or numbers are dropped
set -eu
export LC_ALL=C

# line FILE [NAMED]
line() {
    octets=$(od -An -v -tx1 "$1" | tr -d ' \n')
    echo "${octets:--}${2:+ $2}"
}

case ${1-} in
add)
    line "$3" "${4-}" | sort -u -o "$2" - "$2"
    ;;
unpack)
    rm -rf "$3"
    mkdir -p "$3"
    awk -v folder="$3" '
        BEGIN { for (i = 0; i < 256; i++) octet[sprintf("%02x", i)] = i }
        {
            name = sprintf("%s/%s", folder, NF > 1 ? $2 : sprintf("%04d", NR))
            printf "" >name
            for (i = 1; $1 != "-" && i < length($1); i += 2)
                printf "%c", octet[substr($1, i, 2)] >name
            close(name)
        }' "$2"
    ;;
pack)
    for file in "$2"/*; do
        # Not a sum of libFuzzer's, nor a number of unpack's.
        line "$file" "$(echo "${file##*/}" | grep -vxE '[0-9a-f]{40}|[0-9]{4}')"
    done | sort -u
    ;;
*)
    sed -n '/^# usage/,/^set/s/^# //p' "$0" >&2
    exit 2
    ;;
esac
