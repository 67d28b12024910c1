#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kernel.sh DIR [VERSION|TREE]: a kernel with sanitizers for `make live KERNEL=DIR/VERSION`: KASAN, lockdep, checks for sleeping
# in atomic context and for hung tasks. Of Debian's package linux-source-VERSION, which is downloaded into DIR and not
# installed, and then with gcov's counters in sunrpc, xprtrdma and nfsd; or of a TREE of one's own, which is left as
# it is, and has been built nowhere (make mrproper): the kernel is then DIR/own.
#
# KASAN_ONLY in the environment: the folders whose accesses are checked (% for all). What the rest of the kernel
# allocates and frees is kept back all the same. JOBS: how many compilers, else one a processor.
set -eu

mkdir -p "$1"
dir=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
checked='net/sunrpc/% fs/nfs/% fs/nfsd/% fs/nfs_common/% fs/lockd/% drivers/infiniband/% lib/'

fail() {
    echo "kernel: $*" >&2
    exit 1
}

# Debian's source, with counters where a peer's messages go, and with KASAN where it is asked for: it takes a third of the time.
debian() {
    package=linux-source-$1
    source=$dir/$package
    [ ! -d "$source" ] || return 0
    echo "kernel: downloading $package"
    rm -rf "$source.part"
    mkdir "$source.part"
    (cd "$source.part" && timeout 900 apt-get -q download "$package") >"$dir/apt.log" 2>&1 || {
        cat "$dir/apt.log" >&2
        fail "apt-get download $package failed"
    }
    dpkg --fsys-tarfile "$source.part/$package"_*.deb | tar -xO "./usr/src/$package.tar.xz" |
        tar -xJ -C "$source.part" --strip-components=1
    rm "$source.part/$package"_*.deb
    for part in net/sunrpc net/sunrpc/xprtrdma fs/nfsd; do
        sed -i '1a GCOV_PROFILE := y' "$source.part/$part/Makefile"
    done
    # shellcheck disable=SC2016 # make's
    sed -i -e "1a KASAN_ONLY ?= $checked" -e 's,\$(CFLAGS_KASAN)\, ,$(if $(filter $(KASAN_ONLY)\,$(obj)/)\,$(CFLAGS_KASAN)\,$(CFLAGS_KASAN_NOSANITIZE))\, ,' \
        "$source.part/scripts/Makefile.lib"
    grep -q KASAN_ONLY "$source.part/scripts/Makefile.lib" || fail "$package: KASAN's flags are elsewhere"
    mv "$source.part" "$source"
}

of=${2:-}
if [ -z "$of" ]; then
    of=$(apt-cache depends linux-source 2>/dev/null | sed -n 's/.*Depends: linux-source-//p')
    [ -n "$of" ] || fail 'no package linux-source'
fi
if [ -d "$of" ]; then
    source=$(cd "$of" && pwd)
    build=$dir/own
else
    case $of in */*) fail "TREE=$of: no such folder" ;; esac
    debian "$of"
    build=$dir/$of
fi
[ -f "$source/Kconfig" ] || fail "$source: no source of a kernel"
mkdir -p "$build"
make -s -C "$source" O="$build" allnoconfig "KCONFIG_ALLCONFIG=$here/sanitizers.config" >"$dir/config.log" 2>&1 || {
    cat "$dir/config.log" >&2
    fail "$source: cannot be configured"
}
# What the fragment asks for, and this version does not know.
grep '=[ym]$' "$here/sanitizers.config" | while IFS='=' read -r option _; do
    grep -q "^$option=" "$build/.config" || echo "kernel: not in this version: $option"
done
echo "kernel: building, which takes a quarter of an hour on two processors"
make -s -C "$build" -j"${JOBS:-$(nproc)}" bzImage modules >"$dir/build.log" 2>&1 || {
    grep -v warning "$dir/build.log" | tail -n 20 >&2
    fail "$source: cannot be built; all of it: $dir/build.log"
}
echo "kernel: make live KERNEL=$build LIVE_MEMORY=2048"
