# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live CODEC=yes`: the codec as a module of the kernel receives what the vectors
# ask of a testee, from /lines, and says how long it takes, beside the same code in user space. Its answers go out of the
# guest, where they are judged. Functions are those of init.

begin() {
    mkdir -p /out
}

# ask FILE: the answers to its lines
ask() {
    { cat "$1" >&9 && cat <&9; } 9<>/dev/rpcrdma_testee
}

suite() {
    step codec
    must module-codec insmod /rpcrdma_testee.ko
    ask /lines >/out/answers
    result answers $? "$(wc -l </out/answers) lines"
    { cat /lines && echo time 50; } >/tmp/timed
    ask /tmp/timed >/tmp/answers
    status=$?
    # Of both the number before "ns each".
    { tail -n 1 /tmp/answers && /user 50 </lines; } >/tmp/times || status=1
    times=$(awk 'NR == 1 { kernel = $(NF - 2); printf "%s in the kernel", $0 }
        NR == 2 { printf ", %s in user space: %.2f times\n", $(NF - 2), kernel / $(NF - 2) }
        END { exit NR != 2 }' /tmp/times) || status=1
    result codec $status "$times"
    must module-codec rmmod rpcrdma_testee
}
