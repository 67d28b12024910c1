#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# module.sh DIR siw|rpcrdma|SOURCES: a module that Debian's kernels come without, for the kernel that fetch.sh has
# put into DIR, built against Debian's headers of that kernel: DIR/NAME-RELEASE/NAME.ko. NAME is siw, the kernel's soft
# iWARP, of Debian's source; rpcrdma, its NFS/RDMA, with the faults of registrations.sed; or rpcrdma_testee, of the
# SOURCES that `make dist-codec` makes, where a warning is an error; beside it the same for user space, user. Nothing is
# installed. Exit status 77 where the packages cannot be had.
set -eu

dir=$(cd "$1" && pwd)
sources=$2
tree=$(cat "$dir/kernel.tree")
apt_options=$(cat "$dir/kernel.apt")
release=$(find "$tree/lib/modules" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,;1q')
version=$(echo "$release" | cut -d. -f1,2)
faults=$(cd "$(dirname "$0")" && pwd)/registrations.sed
case $sources in
siw) name=siw part=drivers/infiniband/sw/siw config=CONFIG_RDMA_SIW ;;
rpcrdma) name=rpcrdma part=net/sunrpc/xprtrdma config=CONFIG_SUNRPC_XPRT_RDMA ;;
*) name=rpcrdma_testee ;;
esac
out=$dir/$name-$release
work=$out.part

skip() {
    echo "live: SKIPPED: $*"
    exit 77
}

[ "$name" != siw ] || [ ! -f "$out/siw.ko" ] || exit 0
[ "$name" != rpcrdma ] || [ -z "$(find "$out/rpcrdma.ko" -newer "$faults" 2>/dev/null)" ] || exit 0
rm -rf "$out" "$work"
mkdir -p "$work/debs"

# A kernel of one's own may have it; NFS/RDMA every kernel has.
own=$(find "$tree/lib/modules/$release" -name "$name.ko*" | sed 1q)
if [ -n "$own" ]; then
    cp "$own" "$work/"
    [ ! -f "$work/$name.ko.xz" ] || unxz "$work/$name.ko.xz"
    if [ "$name" != rpcrdma ]; then
        mv "$work" "$out"
        exit 0
    fi
fi

# download PACKAGE
download() {
    # shellcheck disable=SC2086 # words
    (cd "$work/debs" && timeout 500 apt-get -q $apt_options download "$1") >"$dir/apt.log" 2>&1 || {
        cat "$dir/apt.log" >&2
        skip "no $name: apt-get download $1 failed"
    }
}

# The packages of the headers, and what they depend on of the same kernel.
headers=linux-headers-$release
unpacked=$dir/headers-$release
if [ ! -d "$unpacked" ]; then
    # shellcheck disable=SC2086 # words
    needed=$(apt-cache $apt_options depends "$headers" 2>/dev/null |
        sed -n 's/.*Depends: \(linux-[^ ]*\).*/\1/p') || needed=
    [ -n "$needed" ] || skip "no $name: Debian has no $headers to build it against"
    echo "live: downloading the headers of $release"
    rm -rf "$unpacked.part"
    for package in "$headers" $needed; do
        download "$package"
    done
    for file in "$work"/debs/linux-*.deb; do
        dpkg -x "$file" "$unpacked.part"
    done
    sed -i "s,/usr/src/,$unpacked/usr/src/,g" "$unpacked.part/usr/src/$headers/Makefile"
    mv "$unpacked.part" "$unpacked"
fi

echo "live: building $name"
if [ "$name" != rpcrdma_testee ]; then
    download "linux-source-$version"
    dpkg --fsys-tarfile "$work/debs/linux-source-$version"_*.deb |
        tar -xO "./usr/src/linux-source-$version.tar.xz" |
        tar -xJ -C "$work" --strip-components=1 "linux-source-$version/$part"
    set -- "M=$work/$part" "$config=m"
    [ "$name" = siw ] || sed -i -f "$faults" "$work/$part/frwr_ops.c" "$work/$part/verbs.c"
else
    cp -r "$sources" "$work/sources"
    set -- "M=$work/sources/kernel" W=1
fi
# Without BTF, which would take pahole.
make -C "$unpacked/usr/src/$headers" "$@" CONFIG_DEBUG_INFO_BTF_MODULES= modules >"$dir/$name.log" 2>&1 || {
    cat "$dir/$name.log" >&2
    echo "live: $name cannot be built" >&2
    exit 1
}
if [ "$name" = rpcrdma_testee ] && grep -E 'warning:|objtool:' "$dir/$name.log" >&2; then
    echo "live: $name is not built without a warning" >&2
    exit 1
fi
built=$(find "$work" -mindepth 2 -name "$name.ko")
strip -g "$built"
# The types are those of the kernel's own, which `trace` reads by their names.
if [ "$name" = rpcrdma ]; then
    objcopy --dump-section ".BTF=$work/types" "$work/rpcrdma.ko"
    objcopy --add-section ".BTF=$work/types" "$built"
fi
mkdir "$out"
mv "$built" "$out/"
[ "$name" != rpcrdma_testee ] || ${CC:-cc} -O2 -static -I "$work/sources/version1" "$work/sources/kernel/user.c" \
    "$work/sources/version1/rpcrdma.c" -o "$out/user"
rm -rf "$work"
