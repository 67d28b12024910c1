# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live GSS=yes`: NFS under RPCSEC_GSS, in place of the suite. A KDC of Kerberos is in the
# guest; for each service, krb5 (authentication alone), krb5i (integrity) and krb5p (privacy), the client mounts through the
# proxy, which has the last word on what the two sent. GSS='krb5i' takes one of them. Functions, $address and $device are those
# of init and of linux.sh.

# shellcheck source=rxe-harness/vm/linux.sh
. /linux.sh
whole=$(cat /gss.mib)

# The realm, with one principal that is the server as well as the client's machine.
kdc() {
    hostname guest
    mkdir -p /etc/krb5kdc /var/lib/krb5kdc /var/tmp
    cat >/etc/krb5.conf <<END
[libdefaults]
    default_realm = LIVE
    dns_canonicalize_hostname = false
    rdns = false
    permitted_enctypes = aes256-cts-hmac-sha1-96
[realms]
    LIVE = {
        kdc = $address
    }
[domain_realm]
    guest = LIVE
[logging]
    kdc = FILE:/tmp/kdc.log
END
    cat >/etc/krb5kdc/kdc.conf <<END
[realms]
    LIVE = {
        database_name = /var/lib/krb5kdc/principal
        key_stash_file = /etc/krb5kdc/stash
        supported_enctypes = aes256-cts-hmac-sha1-96:normal
    }
END
    # By NFS version 4 a principal is a user by name.
    cat >/etc/idmapd.conf <<END
[General]
    Domain = live
    Local-Realms = LIVE
[Translation]
    Method = static
    GSS-Methods = static
[Static]
    nfs/guest@LIVE = root
END
    kdb5_util create -s -r LIVE -P live && kadmin.local -r LIVE -q 'addprinc -randkey nfs/guest' &&
        kadmin.local -r LIVE -q 'ktadd nfs/guest' && krb5kdc 3>&-
}
# kept DAEMON...: it is started again where it ends by itself, as rpc.gssd of nfs-utils 2.6.2 does at times.
kept() {
    while :; do
        "$@"
        echo "$1 ended with status $?"
    done >"/tmp/$1.log" 2>&1 3>&- &
}
# Both daemons, and an export that takes nothing but Kerberos. A client makes its context over TCP (RFC 8166, 8.2.2.1).
secured() {
    for module in rpcsec_gss_krb5 cts cbc sha1_generic hmac; do
        modprobe "$module" || return 1
    done
    mkdir -p /var/lib/nfs/rpc_pipefs
    mount -t rpc_pipefs rpc_pipefs /var/lib/nfs/rpc_pipefs || return 1
    kdc || return 1
    kept rpc.svcgssd -f
    kept rpc.gssd -f
    exportfs -i -o rw,insecure,no_root_squash,no_subtree_check,async,fsid=0,sec=krb5:krb5i:krb5p '*:/export' &&
        echo 'tcp 2049' >/proc/fs/nfsd/portlist
}

# counted SERVICE: how many Calls had chunks, of which kind; those under integrity or privacy have none but for whole messages
# (8.2.2.3), in which everything of NFS is that is long.
counted() {
    /rpcrdma stat --json /tmp/proxy.pcapng >/tmp/stat.json || return
    awk -v service="$1" '
        function figure(name) {
            return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0
        }
        !/"kind":"procedure"/ { next }
        /procedure not seen/ { long += figure("calls"); next }
        {
            class = "other"
            if (/, integrity"/) class = "integrity"
            if (/, privacy"/) class = "privacy"
            calls[class] += figure("calls")
            reads[class] += figure("readSegments")
            writes[class] += figure("writeChunks")
            replies[class] += figure("replyChunks")
            used[class] += figure("replyChunksUsed")
        }
        function told(class) {
            if (calls[class])
                text = text sprintf("%s: %d Calls, %d Read segments, %d Write chunks, Reply chunks %d, used %d; ", class, calls[class],
                    reads[class], writes[class], replies[class], used[class])
        }
        END {
            told("integrity"); told("privacy"); told("other")
            print text long + 0 " Long Calls"
            hidden = service == "krb5i" ? "integrity" : service == "krb5p" ? "privacy" : "other"
            chunks = reads["integrity"] + writes["integrity"] + reads["privacy"] + writes["privacy"]
            # What is not hidden has its data in chunks; what is has them in whole messages, and shows nothing else.
            if (hidden == "other" ? !reads[hidden] || !writes[hidden] : !calls[hidden] || !long || !used[hidden]) exit 1
            if (chunks || (hidden != "other" && reads["other"] + writes["other"])) exit 1
        }' /tmp/stat.json >/tmp/counted.out
    status=$?
    result "$1-chunks" "$status" "$(cat /tmp/counted.out)"
}

suite() {
    step kerberos
    secured >/tmp/secured.out 2>&1
    status=$?
    [ "$status" -eq 0 ] || cat /tmp/secured.out /tmp/kdc.log
    result kerberos "$status" "$(tail -n 1 /tmp/kdc.log)"
    [ "$status" -eq 0 ] || return
    # Version 3 sends again what an emulated machine is still encrypting.
    timeo=600
    record='--capture /tmp/proxy.pcapng --limit 400'
    services=$(cat /gss)
    for security in $services; do
        proxied "$security"
        step "$security-chunks"
        counted "$security"
    done
    cat /tmp/rpc.*.log
}
