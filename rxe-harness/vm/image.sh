#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# image.sh DIR OUT RPCRDMA PEERS RECORDED DEVICE RUNS SOAK [PEER]: of what fetch.sh has put into DIR, the guest's initramfs,
# OUT/initrd, and its kernel, OUT/vmlinuz. In PEERS may be what is known of kernels:
# linux-X.Y.known, -replay.known, -random.known, -around.known, -proxy.known and -client.known name expected failures of the server, of it
# while it is sent the vectors of RECORDED, of both, and of the client; linux-X.Y.options and
# -client.options are options for `probe` and `serve`. DEVICE is rxe (soft-RoCE) or siw (soft iWARP,
# by module.sh); where a peer has a list of its own over siw, linux-X.Y-siw.known and so on, it is that. RUNS is how
# often the suite runs in the guest; SOAK the seconds of random conversations in its place, or 0.
#
# In the environment: LIVE_LIMIT, the guest's time in seconds; LIVE_AFTER, a script that runs in the guest at the end;
# LIFE, WIRE, GSS: life.sh, wire.sh or gss.sh in place of the suite, these steps of it or, by yes, all; TRACE: so those of
# trace.sh, with files of TRACE_MIB MiB, as GSS has them of GSS_MIB; CODEC: codec.sh in its place; WRITE_KNOWN, a folder: lists are made, and not gone by; KNOWN, such a
# folder: they are gone by, in place of those of PEERS.
set -eu

dir=$1
out=$2
rpcrdma=$3
peers=$4
recorded=$5
device=$6
runs=$7
soak=$8
peer_dir=${9:-}
here=$(dirname "$0")
tools=$dir/tools
kerberos=$dir/kerberos
tree=$(cat "$dir/kernel.tree")
root=$out/root
modules='8250 crc32_pclmul crc32_generic crc32c_generic veth ib_core ib_uverbs rdma_cm rdma_ucm sunrpc
    rpcrdma nfsd nfs nfsv3 nfsv4'
[ -z "${GSS:-}" ] || modules="$modules rpcsec_gss_krb5 cts cbc sha1_generic hmac"
[ -z "$peer_dir" ] || modules="$modules virtio_pci virtio_blk $(cat "$peer_dir/modules" 2>/dev/null || true)"

fail() {
    echo "live: $*" >&2
    exit 1
}

# A program or library of the tools, or else of this machine, with what it is linked with.
LD_LIBRARY_PATH=$tools/lib/x86_64-linux-gnu:$tools/usr/lib/x86_64-linux-gnu
[ -z "${GSS:-}" ] ||
    LD_LIBRARY_PATH=$kerberos/lib/x86_64-linux-gnu:$kerberos/usr/lib/x86_64-linux-gnu:$LD_LIBRARY_PATH
libraries() {
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH ldd "$1" >"$out/ldd" || fail "$1: ldd failed"
    ! grep 'not found' "$out/ldd" >&2 || fail "$1: libraries are missing"
    awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' "$out/ldd" |
        while read -r library; do
            case $library in
            */ld-linux*) target=$root/lib64 ;;
            *) target=$root/lib ;;
            esac
            [ -f "$target/${library##*/}" ] || cp -L "$library" "$target/"
        done
}
program() {
    for file in "$tools/sbin/$1" "$tools/usr/sbin/$1" "$tools/bin/$1" "$tools/usr/bin/$1" "$kerberos/usr/sbin/$1"; do
        if [ -f "$file" ]; then
            cp -L "$file" "$root/sbin/$1"
            libraries "$file"
            return
        fi
    done
    fail "no $1 in the packages"
}

[ -n "$out" ] || fail 'no OUT'
mkdir -p "$out"
rm -rf "$root"
for sub in bin sbin lib lib64 etc/libibverbs.d proc sys dev run tmp export mnt lib/libibverbs \
    var/lib/nfs/nfsdcltrack var/lib/nfs/sm var/lib/nfs/sm.bak usr; do
    mkdir -p "$root/$sub"
done
ln -s ../lib "$root/usr/lib"
cp "$(command -v busybox)" "$root/bin/busybox"
ln -s ../bin/busybox "$root/sbin/modprobe"
# Not every busybox has it.
cp "$(command -v cksum)" "$root/bin/cksum"
libraries "$(command -v cksum)"
for name in rdma mount.nfs umount.nfs exportfs rpc.mountd rpc.statd rpcbind nfsdcltrack tcpdump; do
    program "$name"
done
# The command can be built without verbs: then it reaches no address, and is not asked to.
if [ -x "$rpcrdma" ]; then
    cp "$rpcrdma" "$root/rpcrdma"
    libraries "$rpcrdma"
    grep -q librdmacm "$out/ldd" || rm "$root/rpcrdma"
fi

# Loaded by name at run time: the verbs provider, and what cancels threads.
plugin=$(find "$tools/usr/lib" -name "lib$device-rdmav*.so" | sed 1q)
[ -n "$plugin" ] || fail "no $device provider in ibverbs-providers"
libraries "$plugin"
multiarch=$root/lib/x86_64-linux-gnu
mkdir -p "$multiarch/libibverbs"
cp -L "$plugin" "$multiarch/libibverbs/"
cp "$tools/etc/libibverbs.d/$device.driver" "$root/etc/libibverbs.d/"
gcc_s=$(find /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu -name libgcc_s.so.1 | sed 1q)
cp -L "$gcc_s" "$root/lib/"
cp "$tools/etc/netconfig" "$root/etc/"
for name in protocols services rpc; do
    [ ! -f "/etc/$name" ] || cp "/etc/$name" "$root/etc/"
done
printf 'root:x:0:0::/:/bin/sh\n_rpc:x:0:0::/run:/bin/sh\nstatd:x:0:0::/run:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files\nprotocols: files\nservices: files\nrpc: files\n' \
    >"$root/etc/nsswitch.conf"
printf '127.0.0.1 localhost\n10.0.9.1 guest\n' >"$root/etc/hosts"

# The modules, and all that they depend on.
release=$(find "$tree/lib/modules" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,;1q')
[ -n "$release" ] || fail "no modules in $tree"
# Expectations: those of this X.Y, or of the newest kernel before it. Each part has a list, probe and serve have options.
own=$(echo "$release" | cut -d. -f1,2)
of=$(find "$peers" -name 'linux-*.known' | sed -n 's,.*/linux-\([0-9]*\.[0-9]*\)\.known$,\1,p' | sort -t. -k1,1n -k2,2n |
    awk -F. -v own="$own" 'BEGIN { split(own, is, ".") } $1 < is[1] || ($1 == is[1] && $2 <= is[2]) { of = $0 } END { print of }')
# expect FILE SUFFIX
expect() {
    for file in "$peers/linux-$of$2" "$peers/linux-$of-$device$2"; do
        [ ! -f "$file" ] || cp "$file" "$root/$1"
    done
}
mkdir "$root/known"
: >"$root/probe.options"
: >"$root/serve.options"
if [ -n "${WRITE_KNOWN:-}" ]; then
    : >"$root/write-known" # without hazardous classes, which the other kernel may not survive
elif [ -n "$peer_dir" ] && [ -z "${KNOWN:-}" ]; then
    for file in "$peer_dir"/*.known; do
        [ ! -f "$file" ] || cp "$file" "$root/known/"
    done
elif [ -n "${KNOWN:-}" ]; then
    [ -f "$KNOWN/probe.known" ] || [ -f "$KNOWN/serve.known" ] || fail "$KNOWN: no probe.known, and no serve.known"
    cp "$KNOWN"/*.known "$root/known/"
    [ -n "$peer_dir" ] || cp "$KNOWN"/*.options "$root/" || fail "$KNOWN: made of another peer"
else
    [ "$own" = "$of" ] || echo "live: nothing is known of Linux $own; what differs from ${of:-no fault at all} fails (README: baselines)"
    expect probe.options .options
    expect serve.options -client.options
    expect known/probe.known .known
    expect known/serve.known -client.known
    for part in replay random around proxy; do
        expect "known/$part.known" "-$part.known"
    done
fi
limit=$((420 * runs + soak))
[ -z "${WIRE:-}" ] || limit=$((900 * runs + 3 * soak))
limit=${LIVE_LIMIT:-$limit}
echo "$limit" >"$out/limit"
echo "$((limit * 5 / 7 / runs))" >"$root/limit" # of a part
[ -z "${LIVE_AFTER:-}" ] || cp "$LIVE_AFTER" "$root/after"
[ -z "${LIFE:-}" ] || { cp "$here/life.sh" "$root/" && echo "$LIFE" >"$root/life"; }
[ -z "${WIRE:-}" ] || { cp "$here/wire.sh" "$root/" && echo "$WIRE" >"$root/wire"; }
if [ -n "${GSS:-}" ]; then
    cp "$here/gss.sh" "$root/"
    [ "$GSS" != yes ] || GSS='krb5 krb5i'
    echo "$GSS" >"$root/gss"
    echo "${GSS_MIB:-64}" >"$root/gss.mib"
    for name in rpc.gssd rpc.svcgssd krb5kdc kdb5_util kadmin.local; do
        program "$name"
    done
    # Loaded by name at run time: the KDC's database, who is who, and the KDC's event loop, beside the library that loads it.
    for plugin in krb5/plugins/kdb/db2.so libnfsidmap/static.so libverto-libev.so.1; do
        file=$(find "$kerberos/usr/lib" "$tools/usr/lib" -path "*/$plugin" | sed 1q)
        libraries "$file"
        to=$multiarch
        [ "${plugin%/*}" != "$plugin" ] || to=$root/lib
        mkdir -p "$(dirname "$to/$plugin")"
        cp -L "$file" "$to/$plugin"
    done
fi
if [ -n "${CODEC:-}" ]; then
    cp "$here/codec.sh" "$dir/rpcrdma_testee-$release"/* "$root/"
    # What a testee is asked, of the version that it speaks.
    # shellcheck disable=SC2016 # of the script
    echo 'while read -r line; do echo "$line" >>"$1" && echo unsupported; done' >"$out/record"
    "$rpcrdma" vectors --testee "sh $out/record $root/lines" "$here/../../vectors" >/dev/null 2>&1 || true
fi
if [ -n "${TRACE:-}" ]; then
    [ "$TRACE" != yes ] || TRACE='killed interrupted wire relayed unseen snap lost cost refused'
    echo "$TRACE" >"$root/trace"
    echo "${TRACE_MIB:-256}" >"$root/trace.mib"
fi
echo "$device" >"$root/device"
echo "$runs" >"$root/runs"
echo "$soak" >"$root/soak"
[ -z "${GUIDED:-}" ] || : >"$root/guided"
mkdir "$root/recorded"
cp "$recorded"/*.json "$root/recorded/"
dep=$dir/dep-$(basename "$tree")
if [ ! -f "$dep/done" ]; then
    rm -rf "$dep"
    mkdir -p "$dep/lib/modules"
    cp -a "$tree/lib/modules/$release" "$dep/lib/modules/"
    find "$dep" -name '*.ko.xz' -exec unxz -f {} +
    depmod -b "$dep" "$release"
    : >"$dep/done"
fi
case $device in
rxe) modules="$modules rdma_rxe" ;;
*)
    modules="$modules $device"
    cp "$dir/$device-$release/$device.ko" "$dep/lib/modules/$release/kernel/"
    depmod -b "$dep" "$release"
    ;;
esac
for module in $modules; do
    modprobe -d "$dep" -S "$release" --show-depends "$module" 2>/dev/null |
        awk '$1 == "insmod" { print $2 }'
done | sort -u | while read -r file; do
    inside=$root/lib/modules/$release/kernel/${file#*/modules/"$release"/kernel/}
    mkdir -p "${inside%/*}"
    cp "$file" "$inside"
done
case " ${TRACE:-} " in
*' registrations '*) cp "$dir/rpcrdma-$release/rpcrdma.ko" "$root/lib/modules/$release/kernel/net/sunrpc/xprtrdma/" ;;
esac
for name in modules.builtin modules.order modules.builtin.modinfo; do
    cp "$tree/lib/modules/$release/$name" "$root/lib/modules/$release/" 2>/dev/null || true
done
depmod -b "$root" "$release"

# A peer of the user's: the folder as it is, with the libraries of its programs.
if [ -n "$peer_dir" ]; then
    [ -f "$peer_dir/start" ] || [ -f "$peer_dir/client" ] || fail "$peer_dir: no start, and no client"
    mkdir -p "$root/peer"
    cp -RL "$peer_dir/." "$root/peer/"
    find "$root/peer" -type f | while read -r file; do
        [ "$(dd if="$file" bs=1 skip=1 count=3 2>/dev/null)" != ELF ] || libraries "$file"
    done
fi

cp "$here/init" "$here/linux.sh" "$here/trace.sh" "$here/equal.awk" "$here/peer.sh" "$here/crashed.awk" "$here/crash.words" "$root/"
chmod 755 "$root/init"

# The kernel as QEMU starts it at once: an emulated machine takes seconds to unpack it itself. Debian's
# are compressed by xz or by zstd, with something after the end; another is left as it is.
# unpack KERNEL MAGIC COMMAND...
unpack() {
    at=$(LC_ALL=C grep -aboF "$(printf '%b' "$2")" "$1" | LC_ALL=C sed 's/:.*//;1q')
    [ -n "$at" ] || return
    from=$1
    shift 2
    tail -c "+$((at + 1))" "$from" | "$@" 2>/dev/null
}
vmlinux() {
    for way in xz zstd; do
        case $way in
        xz) unpack "$1" '\0375\067zXZ' xz -dcq --single-stream ;;
        *) unpack "$1" '\0050\0265\0057\0375' zstd -dcq ;;
        esac >"$2" || true # for what comes after it
        # What QEMU looks for: note 18 of Xen is where the kernel begins.
        ! readelf -n "$2" 2>/dev/null | grep -q 0x00000012 || return 0
    done
    return 1
}
if [ ! -f "$dep/vmlinux" ]; then
    vmlinux "$tree/boot/vmlinuz-$release" "$dep/vmlinux.part" ||
        cp "$tree/boot/vmlinuz-$release" "$dep/vmlinux.part"
    mv "$dep/vmlinux.part" "$dep/vmlinux"
fi
ln -sf "$(cd "$dep" && pwd)/vmlinux" "$out/vmlinuz"
# Not compressed: an emulated machine takes longer to unpack it than this one to read it.
(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0) >"$out/initrd"
