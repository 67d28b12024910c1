#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# siw.sh DIR: the kernel's soft iWARP, DIR/siw-RELEASE/siw.ko, for the kernel that fetch.sh has put
# into DIR. Debian's kernels come without it, so it is built from Debian's source against Debian's
# headers of that kernel; nothing is installed. Exit status 77 where these cannot be had.
set -eu

dir=$(cd "$1" && pwd)
tree=$(cat "$dir/kernel.tree")
apt_options=$(cat "$dir/kernel.apt")
release=$(find "$tree/lib/modules" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,;1q')
version=$(echo "$release" | cut -d. -f1,2)
out=$dir/siw-$release
work=$out.part
driver=drivers/infiniband/sw/siw

skip() {
    echo "live: SKIPPED: $*"
    exit 77
}

[ ! -f "$out/siw.ko" ] || exit 0
rm -rf "$out" "$work"
mkdir -p "$work/debs" "$work/headers"

# A kernel of one's own may have it.
own=$(find "$tree/lib/modules/$release" -name 'siw.ko*' | sed 1q)
if [ -n "$own" ]; then
    cp "$own" "$work/"
    [ ! -f "$work/siw.ko.xz" ] || unxz "$work/siw.ko.xz"
    mv "$work" "$out"
    exit 0
fi

# The packages of the headers, and what they depend on of the same kernel.
headers=linux-headers-$release
# shellcheck disable=SC2086 # words
needed=$(apt-cache $apt_options depends "$headers" 2>/dev/null |
    sed -n 's/.*Depends: \(linux-[^ ]*\).*/\1/p') || needed=
[ -n "$needed" ] || skip "no siw: $release has none, and Debian has no $headers to build it against"
echo "live: downloading the source and the headers of $release"
for package in "$headers" $needed "linux-source-$version"; do
    # shellcheck disable=SC2086 # words
    (cd "$work/debs" && timeout 500 apt-get -q $apt_options download "$package") \
        >"$dir/apt.log" 2>&1 || {
        cat "$dir/apt.log" >&2
        skip "no siw: apt-get download $package failed"
    }
done
for file in "$work"/debs/linux-[!s]*.deb; do
    dpkg -x "$file" "$work/headers"
done
build=$work/headers/usr/src/$headers
sed -i "s,/usr/src/,$work/headers/usr/src/,g" "$build/Makefile"

echo 'live: building siw'
dpkg --fsys-tarfile "$work/debs/linux-source-$version"_*.deb |
    tar -xO "./usr/src/linux-source-$version.tar.xz" |
    tar -xJ -C "$work" --strip-components=4 "linux-source-$version/$driver"
make -C "$build" M="$work/siw" CONFIG_RDMA_SIW=m modules >"$dir/siw.log" 2>&1 || {
    cat "$dir/siw.log" >&2
    echo 'live: siw cannot be built' >&2
    exit 1
}
strip -g "$work/siw/siw.ko"
mkdir "$out"
mv "$work/siw/siw.ko" "$out/"
rm -rf "$work"
