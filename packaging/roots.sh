#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a user, a packager and the runner of a CI do, in a bare root of Debian: nothing is there but what debootstrap
# lays (minbase), make and git. As root; only Debian's packages are fetched. `make roots` calls it.
#
# usage: roots.sh ROOTS SUITE STEP...     ROOTS: a folder; ROOTS/SUITE is kept and used again
#
#   conform, test, check    the commands of README.md
#   deb                     packages, lintian, autopkgtest
#   rpm                     packages by Fedora's spec, their folders and flags
#   release                 make release
#   builds                  twice in two folders: the same octets; with LTO: the vectors
#   cross-ARCH              arm64, armhf, s390x: the command with Debian's libraries of ARCH, under qemu
#   container               the Containerfile by buildah, over this root
#   ci                      action.yml, templates/rpcrdma.yml and the hooks of pre-commit, step by step
#   kdevops, selftest       packaging/kernel by ansible on this node, and by the kernel's own runner
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

if [ "${1:-}" != --within ]; then
    roots=$1 suite=$2
    shift 2
    mkdir -p "$roots"
    root=$(cd "$roots" && pwd)/$suite
    if [ ! -e "$root/etc/os-release" ]; then
        debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
        cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || :
    fi
    cp /etc/resolv.conf "$root/etc/"
    rm -rf "$root/root/kit.git"
    git clone -q --bare "$here" "$root/root/kit.git"
    cp "$here/packaging/roots.sh" "$root/root/"
    # Mounts end with the namespace.
    # shellcheck disable=SC2016 # for the shell in there
    exec unshare -m sh -c 'mount --make-rprivate / && mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
        exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
            chroot "$0" sh /root/roots.sh --within "$@"' "$root" "$@"
fi
shift

kit=/root/kit status=0
fetch() { apt-get install -y -q --no-install-recommends "$@" >/root/apt.log 2>&1 || { tail /root/apt.log; return 1; }; }
if [ ! -x /usr/bin/git ] || [ ! -x /usr/bin/make ]; then
    apt-get update -q >/root/apt.log 2>&1 && fetch git ca-certificates make
fi
git config --global safe.directory '*'
git config --global advice.detachedHead false
[ -e "$kit/.git" ] || git clone -q /root/kit.git "$kit"
cd "$kit"
git fetch -q /root/kit.git HEAD && git checkout -q --force FETCH_HEAD
# last COMMAND...: its last line; its status is not that of the end of a pipe.
last() {
    "$@" >/root/said 2>&1 || { tail -n 20 /root/said && return 1; }
    tail -n 1 /root/said
}

# No bug of Debian's asks for the package yet.
deb() {
    rm -rf build/deb && make deb && fetch lintian autopkgtest && (cd build/deb && lintian -I --pedantic --fail-on warning \
        --allow-root --suppress-tags initial-upload-closes-no-bugs ./*.changes) && apt-get install -y -q ./build/deb/*.deb &&
        (cd /tmp && rpcrdma vectors >/dev/null) && autopkgtest build/deb/*.changes -- null
}

rpm() {
    make rpm && for package in build/rpm/RPMS/*/*.rpm; do
        echo "$package"
        command rpm -qlp "$package" | sed 's/^/    /'
    done && rm -rf build/rpm/unpacked && mkdir -p build/rpm/unpacked && cp build/rpm/RPMS/*/rpcrdma-[0-9]*.rpm build/rpm/unpacked/ &&
        (cd build/rpm/unpacked && fetch cpio && rpm2cpio ./*.rpm | cpio -idm 2>/dev/null && readelf -dW usr/bin/rpcrdma | grep -E 'BIND_NOW|FLAGS')
}

builds() {
    sh .ci/deps.sh build || return 1
    rm -rf /root/one /root/another-folder
    for folder in /root/one /root/another-folder; do
        git clone -q /root/kit.git "$folder"
        make -C "$folder" -s DEPS=no -j2 OPT="-O2 -g -ffile-prefix-map=$folder=." all >/dev/null &&
            (cd "$folder/build" && sha256sum rpcrdma librpcrdma*.a librpcrdma*.so) >"$folder.sums" || return 1
    done
    cmp /root/one.sums /root/another-folder.sums && cat /root/one.sums && rm -rf /root/another-folder &&
        make -C /root/one -s DEPS=no -j2 BUILD=build/lto OPT='-O2 -flto=auto' WERROR=-Werror all >/dev/null &&
        (cd /root/one && last build/lto/rpcrdma vectors vectors && last build/lto/rpcrdma probe)
}

cross() {
    case $1 in
    arm64) triple=aarch64-linux-gnu qemu=aarch64 ;;
    armhf) triple=arm-linux-gnueabihf qemu=arm ;;
    s390x) triple=s390x-linux-gnu qemu=s390x ;;
    esac
    sh .ci/deps.sh build && make -s DEPS=no -j2 all >/dev/null && dpkg --add-architecture "$1" && apt-get update -q >/root/apt.log 2>&1 &&
        fetch qemu-user "gcc-$triple" "libc6-dev-$1-cross" \
            "libjansson-dev:$1" "libpcap-dev:$1" "zlib1g-dev:$1" "liblzma-dev:$1" "libzstd-dev:$1" &&
        PKG_CONFIG_LIBDIR="/usr/lib/$triple/pkgconfig:/usr/share/pkgconfig" make -s DEPS=no -j2 NATIVE=build BUILD="build/$1" \
            CC="$triple-gcc" all >/dev/null || return 1
    file="build/$1/rpcrdma"
    readelf -h "$file" | grep -E 'Machine|Data|Class'
    recorded=vectors/recorded/linux-6.1-nfs42
    last "qemu-$qemu" "$file" vectors vectors && last "qemu-$qemu" "$file" check --known $recorded.known $recorded.pcap &&
        last "qemu-$qemu" "$file" probe || return 1
    # What it says is what this machine says, to the octet.
    for capture in vectors/recorded/*.pcap; do
        build/rpcrdma check --json "$capture" >/root/here.json || :
        "qemu-$qemu" "$file" check --json "$capture" >/root/there.json || :
        cmp /root/here.json /root/there.json || return 1
    done
}

container() {
    fetch buildah netavark crun || fetch buildah crun
    buildah="buildah --storage-driver vfs --root /root/buildah --runroot /root/buildah.run"
    # Those that are in force, for they cannot be raised everywhere. Debian 12's buildah lowers processes to pid_max itself.
    limits=$(awk -v most="$(cat /proc/sys/kernel/pid_max)" '/open files/ { print "--ulimit nofile=" $4 }
        /processes/ && $3 ~ /^[0-9]/ { print "--ulimit nproc=" ($3 > most + 0 ? most : $3) }' /proc/self/limits)
    # This root as the image that the Containerfile begins with.
    base=$($buildah from scratch)
    mnt=$($buildah mount "$base")
    tar -C / --one-file-system --exclude=./root --exclude=./proc --exclude=./sys --exclude=./dev --exclude=./tmp -cf - . | tar -C "$mnt" -xf -
    mkdir -p "$mnt/proc" "$mnt/sys" "$mnt/dev" "$mnt/tmp" "$mnt/root" && chmod 1777 "$mnt/tmp"
    # shellcheck disable=SC2086 # several words
    $buildah umount "$base" && $buildah commit -q "$base" debian-root &&
        $buildah build --isolation chroot $limits --network host \
            --build-arg BASE=localhost/debian-root -t rpcrdma -f packaging/container/Containerfile . &&
        $buildah images && made=$($buildah from --pull-never localhost/rpcrdma) && $buildah mount "$made" >/root/made &&
        du -sh "$(cat /root/made)" && last chroot "$(cat /root/made)" /usr/bin/rpcrdma vectors
    done=$?
    $buildah rm -a >/dev/null
    return "$done"
}

ci() { fetch python3 python3-yaml pre-commit ccache && PATH=/usr/lib/ccache:$PATH python3 packaging/tests/runner.py /root/kit.git; }

# Its runs have a network of their own. Where there is no soft RDMA device to be had, they are skipped, and say so.
kdevops() {
    fetch ansible rsync iproute2 && rm -rf /root/kdevops /data/rpcrdma && mkdir /root/kdevops && cp -r packaging/kernel/kdevops/. /root/kdevops &&
        (cd /root/kdevops && printf '[baseline]\nnode ansible_connection=local\n[dev]\n' >hosts && echo '{}' >extra_vars.yaml &&
            for tags in vars,install vars,run_tests,copy_results vars,accept; do
                unshare -n ansible-playbook -i hosts --tags "$tags" --extra-vars \
                    "topdir_path=/root/kdevops rpcrdma_git=/root/kit.git rpcrdma_git_tag=HEAD" playbooks/rpcrdma.yml || exit 1
            done && find workflows -type f && cat workflows/rpcrdma/results/last-run/*/node/*.tap)
}

# The kernel's own runner of self-tests, out of Debian's source of the kernel.
selftest() {
    name=$(apt-cache depends linux-source | sed -n 's/^ *Depends: //p' | head -n 1)
    (cd /root && { [ -e /root/selftests ] || { apt-get download -q "$name" >/dev/null && dpkg -x "$name"_*.deb /root/source && fetch xz-utils rsync iproute2 gcc libc6-dev &&
        rm -rf /root/part && mkdir -p /root/part && tar -C /root/part -xf /root/source/usr/src/"$name".tar.xz --wildcards --strip-components=1 \
            '*/tools/testing/selftests' '*/scripts' '*/Makefile' && mv /root/part /root/selftests && rm -rf /root/source "$name"_*.deb; }; }) &&
        folder=/root/selftests/tools/testing/selftests && rm -rf "$folder/net/rpcrdma" && cp -r packaging/kernel/selftest "$folder/net/rpcrdma" &&
        unshare -n make -C "$folder/net/rpcrdma" run_tests && unshare -n make -C "$folder/net/rpcrdma" install INSTALL_PATH=/root/installed-tests &&
        ls /root/installed-tests
}

# As if it were released today.
release() {
    sed -i 's/^\(## \[[0-9.]*\] - \)unreleased$/\12026-01-01/' CHANGELOG.md
    git -c user.name=x -c user.email=x@example.org commit -qam 'a date'
    fetch build-essential debhelper dh-python fakeroot rpm abigail-tools && make release URL=https://kit.example/rpcrdma MAINTAINER='Kit <kit@kit.example>' &&
        (cd build/release && sha256sum -c SHA256SUMS && tar -xzOf rpcrdma-[0-9]*.tar.gz --wildcards '*/action.yml' '*/templates/rpcrdma.yml' | grep -c kit.example)
}

for step; do
    begun=$(date +%s) step_status=0
    echo "== $step"
    case $step in
    conform | check) make "$step" ;;
    test) sh .ci/deps.sh check && make DEPS=no test ;;
    deb) deb ;;
    rpm) rpm ;;
    builds) builds ;;
    container) container ;;
    ci) ci ;;
    kdevops) kdevops ;;
    selftest) selftest ;;
    release) release ;;
    cross-*) cross "${step#cross-}" ;;
    *) echo "roots: no step '$step'" && false ;;
    esac >"/root/$step.log" 2>&1 || step_status=$?
    tail -n "${LINES_SHOWN:-25}" "/root/$step.log"
    echo "== $step: status $step_status, $(($(date +%s) - begun)) s, $(du -sm --one-file-system / 2>/dev/null | cut -f 1) MB in all"
    [ "$step_status" -eq 0 ] || status=1
done
exit "$status"
