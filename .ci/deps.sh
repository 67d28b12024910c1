#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Install what is missing on Debian 12, Debian 13 or Ubuntu, and say what that is.
# DEPS=no only says it, and fails if anything is missing.
#
# usage: deps.sh [build|test|live|kernel|prove|PACKAGE]...
#
# build: what compiles the libraries and the command. test: what the tests and `make fuzz` need
# besides. live: what `make live` needs besides. kernel: what `make kernel` does, prove: what `make prove`
# does. README.md names the packages of other systems. @gcc@ and @clang@ are the versions that apt's gcc and clang are;
# PACKAGE? can be done without: it is left out, and named, where apt has none and with DEPS=no.
set -u

build='gcc make mawk pkg-config libc6-dev libjansson-dev libpcap-dev librdmacm-dev? libibverbs-dev? libbpf-dev?
    zlib1g-dev? liblzma-dev? libzstd-dev?'
test='clang libclang-rt-@clang@-dev clang-format rpcsvc-proto libtirpc-dev check shellcheck tshark g++
    jq python3 python3-jsonschema python3-yaml chromium? mandoc zsh fish binutils git cmake meson ninja-build
    rustc golang-go lib32gcc-@gcc@-dev libc6-dev-i386 musl-tools gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user
    frama-c-base? xz-utils zstd spin'
prove='frama-c-base why3 cvc4'
kernel='gcc make flex bison bc perl libc6-dev libelf-dev libssl-dev apt xz-utils lcov'
live='qemu-system-x86 seabios busybox-static cpio kmod xz-utils zstd apt'

if ! command -v dpkg-query >/dev/null; then
    echo 'deps: not a Debian system: nothing is installed; README.md names the packages' >&2
    exit 0
fi

packages=
for word in "${@:-build}"; do
    case $word in
    build) packages="$packages $build" ;;
    test) packages="$packages $build $test" ;;
    live) packages="$packages $build $live" ;;
    kernel) packages="$packages $kernel" ;;
    prove) packages="$packages $prove" ;;
    *) packages="$packages $word" ;;
    esac
done

sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# version COMPILER: of the package that apt's default one depends on
version() {
    apt-cache depends "$1" 2>/dev/null | sed -n "s/^ *Depends: $1-\([0-9][0-9]*\)\$/\1/p"
}
# Ubuntu knows the name of chromium, and has no package.
has() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^ *Candidate: [^(]'; }
# A new system has no lists of packages yet.
case $packages:${DEPS:-yes} in
*:no) ;;
*[@?]*) [ -n "$(version gcc)" ] || $sudo apt-get update -q >"$log" 2>&1 ;;
esac

native=$(dpkg --print-architecture)
# After a cross build a package may be there for several architectures, or for another only: a line each.
installed() {
    dpkg-query -W -f '${Status} ${Architecture}\n' "$1" 2>/dev/null | grep -qE "^install ok installed ($native|all)\$"
}
missing=
for package in $packages; do
    case $package in
    *@*@*)
        compiler=${package#*@} compiler=${compiler%@*}
        package=${package%%@*}$(version "$compiler")${package##*@}
        ;;
    esac
    optional=no
    case $package in
    *'?') package=${package%'?'} optional=yes ;;
    esac
    case " $missing " in *" $package "*) continue ;; esac
    installed "$package" && continue
    # Which is what pkg-config stands for today, and what debian/control names.
    [ "$package" = pkg-config ] && installed pkgconf && continue
    if [ "$optional" = yes ] && [ "${DEPS:-yes}" = no ]; then
        echo "Left out (DEPS=no): $package" >&2
    elif [ "$optional" = yes ] && ! has "$package"; then
        echo "Left out, for apt has none: $package" >&2
    else
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0

if [ "${DEPS:-yes}" = no ]; then
    echo "Missing packages (DEPS=no: not installed):$missing" >&2
    exit 1
fi
# What apt-get says of an installation, in few lines: how much there is, and each fifth that is done. Returns the status
# in the last line.
tell() {
    all=0 fetched=0 unpacked=0 set=0
    while read -r first rest; do
        case $first in
        Get:*) doing=fetched count=$((fetched += 1)) ;;
        Unpacking) doing=unpacked count=$((unpacked += 1)) ;;
        Setting) doing='set up' count=$((set += 1)) ;;
        [0-9]*)
            case $rest in *' newly installed, '*) all=${rest#* } all=$((first + ${all%% *})) fetched=0 ;; esac
            continue
            ;;
        Need)
            echo "  $all packages: need $rest"
            continue
            ;;
        deps-status:) return "$rest" ;;
        *) continue ;;
        esac
        [ "$all" -gt 0 ] || continue # lists of packages
        [ $((count * 5 / all)) -eq $(((count - 1) * 5 / all)) ] || echo "  $doing $count of $all"
    done
    return 1
}
echo "Installing, some minutes:$missing"
# shellcheck disable=SC2086 # one word a package
{
    $sudo env LC_ALL=C apt-get update -q &&
        $sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
            apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends $missing
    echo "deps-status: $?"
} 2>&1 | tee "$log" | tell || {
    cat "$log" >&2
    echo "Installing these packages failed:$missing" >&2
    exit 1
}
