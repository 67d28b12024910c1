#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# fetch.sh DIR [KERNEL]: what the guest is made of, downloaded once and unpacked below DIR. Nothing
# is installed. KERNEL: a package file, or a directory with boot/vmlinuz-* and lib/modules/.
set -eu

dir=$1
kernel=${2:-}
packages='nfs-common nfs-kernel-server libnfsidmap1 libwrap0 rpcbind iproute2 libibverbs1
    librdmacm1 ibverbs-providers libevent-core-2.1-7 libtirpc3 libtirpc-common libkeyutils1
    libsqlite3-0 libcap2 libmnl0 libnl-3-200 libnl-route-3-200 libbpf1 libelf1'

# One package: the file of it, downloaded if there is none.
deb() {
    for file in "$dir/debs/$1"_*.deb; do
        [ ! -f "$file" ] || { echo "$file" && return; }
    done
    echo "live: downloading $1" >&2
    (cd "$dir/debs" && timeout 300 apt-get -q download "$1") >"$dir/apt.log" 2>&1 || {
        cat "$dir/apt.log" >&2
        echo "live: apt-get download $1 failed; are the package lists there (apt-get update)?" >&2
        exit 1
    }
    for file in "$dir/debs/$1"_*.deb; do
        echo "$file"
    done
}

# Unpack beside, then move: half a tree is never taken for a whole one.
unpack() {
    to=$1
    shift
    rm -rf "$to" "$to.part"
    mkdir -p "$to.part"
    for file; do
        dpkg -x "$file" "$to.part"
    done
    mv "$to.part" "$to"
}

mkdir -p "$dir/debs"
if [ ! -d "$dir/tools" ]; then
    files=
    for package in $packages; do
        file=$(deb "$package")
        files="$files
$file"
    done
    IFS='
'
    # shellcheck disable=SC2086 # one line a file
    unpack "$dir/tools" $files
    unset IFS
fi

if [ -z "$kernel" ]; then
    kernel=$(cat "$dir/kernel.package" 2>/dev/null) || kernel=
    if [ ! -f "$kernel" ]; then
        name=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p')
        [ -n "$name" ] || { echo 'live: apt knows no linux-image-amd64' >&2 && exit 1; }
        kernel=$(deb "$(echo "$name" | sed 1q)")
        echo "$kernel" >"$dir/kernel.package"
    fi
fi
if [ -d "$kernel" ]; then
    tree=$kernel
else
    [ -f "$kernel" ] || { echo "live: no kernel $kernel" >&2 && exit 1; }
    tree=$dir/kernel-$(basename "$kernel" .deb)
    [ -d "$tree" ] || { echo "live: unpacking $(basename "$kernel")" && unpack "$tree" "$kernel"; }
fi
echo "$tree" >"$dir/kernel.tree"
