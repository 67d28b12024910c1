# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live CODEC=yes`: the codec as a module of the kernel receives what the vectors
# ask of a testee, from /lines, and says how long it takes. Its answers go out of the guest, where they are judged.
# Functions are those of init.

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
    { cat /lines && echo time 20; } >/tmp/timed
    ask /tmp/timed >/tmp/answers
    result codec $? "$(tail -n 1 /tmp/answers)"
    must module-codec rmmod rpcrdma_testee
}
