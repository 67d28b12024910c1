#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/xdrgen"
# What xdrgen makes of golden/shapes.x, to the letter: comments, the order of declarations and the annotations for
# proofs are held by no test of what the code does. header, source and tables are whole; for each other form of the
# calls there is what it changes in them, as diff prints it. golden/places.x puts every type in every place, of which
# only sums are kept: a sum that differs says that the output does, and which options change it.
#
#   golden_test.sh XDRGEN [renew]
#
# A change that is meant is taken over with "renew", and then read in `git diff`.
set -u

xdrgen=$1
golden=$(CDPATH='' cd -- "$(dirname "$0")/golden" && pwd) || exit 1
passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# generate NAME SPECIFICATION [OPTION]...: into $tmp/NAME.{header,source,tables}
generate() {
    name=$1 specification=$2
    shift 2
    "$xdrgen" --prefix=t_ --const-prefix=T_ --include="$specification.h" --header="$tmp/$name.header" \
        --source="$tmp/$name.source" --tables="$tmp/$name.tables" "$@" "$golden/$specification.x" ||
        echo "xdrgen failed: $name"
}

# shapes NAME [OPTION]...
shapes() {
    name=$1
    shift
    generate "$name" shapes --title='the golden file' --banner='// made' --offsets --root=message "$@"
}

# places NAME [OPTION]...
places() {
    name=$1
    shift
    generate "$name" places --strip=x_ --const-strip=X_ --names="$golden/places.names" "$@"
}

# compare FILE SEEN
compare() {
    if [ "${renew-}" ]; then
        cp "$2" "$golden/$1.expected"
    elif diff "$golden/$1.expected" "$2" >"$tmp/difference"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $1 is not as expected"
        head -n 20 "$tmp/difference"
    fi
}

renew=${2-}
shapes plain
for file in header source tables; do
    compare "$file" "$tmp/plain.$file"
done
for option in inline reduced acsl eva; do
    shapes "$option" "--$option"
    for file in header source tables; do
        diff "$tmp/plain.$file" "$tmp/$option.$file"
    done >"$tmp/$option"
    compare "$option" "$tmp/$option"
done

# With two roots, with one that is small, and without one: types alone.
mkdir "$tmp/places" || exit 1
places places/plain --root=x_all --root=x_other
for option in inline reduced acsl eva offsets title='RFC 1'; do
    places "places/${option%=*}" --root=x_all --root=x_other "--$option"
done
places places/proved --root=x_all --root=x_other --inline --reduced --acsl
places places/prefix --root=x_all --root=x_other --prefix=a_ --const-prefix=
places places/small --root=x_other --offsets
places places/types
(cd "$tmp/places" && cksum ./*) | sed 's|\./||' >"$tmp/sums"
compare places.sums "$tmp/sums"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
