#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# fetch.sh DIR [KERNEL]: what the guest is made of, downloaded once and unpacked below DIR. Nothing
# is installed. KERNEL: a package file, a directory with boot/vmlinuz-* and lib/modules/, a build tree
# of the kernel, or "backports", the newer kernel that Debian has for its stable release; exit status 77 where it
# cannot be had. Without it, it is the stable release's own. With GSS in the environment, Kerberos as well.
set -eu

dir=$1
kernel=${2:-}
packages='nfs-common nfs-kernel-server libnfsidmap1 libwrap0 rpcbind iproute2 libibverbs1
    librdmacm1 ibverbs-providers libevent-core-2.1-7 libtirpc3 libtirpc-common libkeyutils1
    libsqlite3-0 libcap2 libmnl0 libnl-3-200 libnl-route-3-200 libbpf1 libelf1 tcpdump'
kerberos='krb5-kdc krb5-admin-server libkdb5-10 libkadm5srv-mit12 libgssrpc4 libverto1 libverto-libev1 libev4 libss2
    libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2'

# The file of a package that was downloaded; nothing where there is none.
file_of() {
    for file in "$dir/debs/$1"_*.deb; do
        [ ! -f "$file" ] || { echo "$file" && return; }
    done
}

# download PACKAGE... [-o APT-OPTION]...: those that are not there yet, by one call.
download() {
    wanted=
    for word; do
        case $word in
        -*) break ;;
        esac
        [ -n "$(file_of "$word")" ] || wanted="$wanted $word"
        shift
    done
    [ -n "$wanted" ] || return 0
    echo "live: downloading$wanted"
    # shellcheck disable=SC2086 # words
    (cd "$dir/debs" && timeout 900 apt-get -q $own_lists "$@" download $wanted) >"$dir/apt.log" 2>&1 || {
        cat "$dir/apt.log" >&2
        echo "live: apt-get download failed" >&2
        return 1
    }
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

# Options of apt for package lists below a folder: the machine's stay as they are.
lists_in() {
    mkdir -p "$1/lists/partial" "$1/archives/partial"
    echo "-o Dir::State::lists=$1/lists -o Dir::Cache=$1"
}

# Asked before anything is downloaded.
case $kernel in
'' | backports) ;;
*)
    [ -f "$kernel" ] || [ -f "$kernel/include/config/kernel.release" ] ||
        { ls "$kernel"/boot/vmlinuz-* && ls -d "$kernel"/lib/modules/*; } >/dev/null 2>&1 || {
        echo "live: KERNEL=$kernel: no package, no built tree of a kernel, and no folder with boot/vmlinuz-* and lib/modules/" >&2
        exit 1
    }
    ;;
esac
mkdir -p "$dir/debs"
dir=$(cd "$dir" && pwd)
: >"$dir/kernel.apt"
own_lists=
if { [ ! -f "$dir/tools/usr/bin/tcpdump" ] || { [ -n "${GSS:-}" ] && [ ! -d "$dir/kerberos" ]; }; } &&
    ! apt-cache show nfs-common >/dev/null 2>&1; then
    echo 'live: downloading package lists'
    own_lists=$(lists_in "$dir/stable")
    # shellcheck disable=SC2086 # words
    timeout 300 apt-get -q $own_lists update >"$dir/apt.log" 2>&1 || cat "$dir/apt.log" >&2
fi
# tools FOLDER PACKAGE...
tools() {
    to=$1
    shift
    download "$@"
    files=
    for package; do
        files="$files
$(file_of "$package")"
    done
    IFS='
'
    # shellcheck disable=SC2086 # one line a file
    unpack "$dir/$to" $files
    unset IFS
}
# The last package that was added: an older folder has not got it.
# shellcheck disable=SC2086 # words
[ -f "$dir/tools/usr/bin/tcpdump" ] || tools tools $packages
# shellcheck disable=SC2086 # words
[ -z "${GSS:-}" ] || [ -d "$dir/kerberos" ] || tools kerberos $kerberos

# The kernel package of a release, downloaded once: kernel_package NAME [APT-OPTION]...
kernel_package() {
    kernel=$(cat "$dir/kernel.$1" 2>/dev/null) || kernel=
    which=$1
    shift
    # For module.sh, which looks for the headers of this kernel.
    echo "$own_lists $*" >"$dir/kernel.apt"
    [ ! -f "$kernel" ] || return 0
    # shellcheck disable=SC2086 # words
    name=$(apt-cache $own_lists "$@" depends linux-image-amd64 2>/dev/null |
        sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | sed 1q)
    [ -n "$name" ] || return 1
    download "$name" "$@" || return 1
    kernel=$(file_of "$name")
    echo "$kernel" >"$dir/kernel.$which"
}

backports() {
    # shellcheck source=/dev/null
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    # shellcheck disable=SC2046 # words
    set -- $(lists_in "$dir/backports") -o "Dir::Etc::sourcelist=$dir/backports/sources.list" \
        -o Dir::Etc::sourceparts=-
    echo "deb http://deb.debian.org/debian $release-backports main" >"$dir/backports/sources.list"
    if [ ! -f "$dir/kernel.backports" ]; then
        timeout 120 apt-get -q "$@" update >"$dir/apt.log" 2>&1 || return 1
    fi
    kernel_package backports "$@"
}

case $kernel in
'') kernel_package stable || { echo 'live: no linux-image-amd64 can be had' >&2 && exit 1; } ;;
backports)
    backports || { echo 'live: SKIPPED: no kernel from backports can be had here' && exit 77; }
    ;;
esac
# What a build tree of the kernel has built, laid out as a package has it.
install_tree() {
    built=$1
    to=$2
    release=$(cat "$built/include/config/kernel.release")
    image=$(make -s --no-print-directory -C "$built" image_name)
    rm -rf "$to"
    mkdir -p "$to/boot"
    cp "$built/$image" "$to/boot/vmlinuz-$release"
    make -s --no-print-directory -C "$built" modules_install INSTALL_MOD_PATH="$to" \
        INSTALL_MOD_STRIP=1 >"$dir/modules.log" 2>&1 || {
        cat "$dir/modules.log" >&2
        return 1
    }
}

if [ -f "$kernel/include/config/kernel.release" ]; then
    tree=$dir/kernel-tree
    kernel=$(cd "$kernel" && pwd)
    # A build may have changed since: what was unpacked of it is stale.
    rm -rf "$dir/dep-kernel-tree"
    install_tree "$kernel" "$tree" || { echo "live: $kernel: nothing that can be installed" >&2; exit 1; }
elif [ -d "$kernel" ]; then
    tree=$kernel
else
    tree=$dir/kernel-$(basename "$kernel" .deb)
    [ -d "$tree" ] || { echo "live: unpacking $(basename "$kernel")" && unpack "$tree" "$kernel"; }
fi
echo "$tree" >"$dir/kernel.tree"
