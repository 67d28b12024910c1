#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How far Frama-C's Eva follows the checker in ten minutes: functions analysed, alarms, and where they
# are. This is no proof, for there are alarms; it is kept to see whether there are fewer.
#
# usage: eva.sh PROOF GENERATED [EVENTS [LENGTH [FIRST]]]
#        eva.sh PROOF GENERATED fresh|called|send
#
# PROOF has the generated sources, annotated for Eva. EVENTS: of the connection, each of any type from
# FIRST on (1 leaves out Sends) and of up to LENGTH octets; 0, the default, for rpcrdma_check_answer()
# alone. `fresh` is one event of any type but a Send, `called` the same after a Call; `send` is one Send
# of any 64 octets.
set -u

proof=$1 generated=$2 events=${3:-0} length=${4:-256} first=${5:-0}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT

# What is split in the driver stays apart only within this; rpcrdma_check_answer() splits nothing.
slevel=5000 driver=check calls=0 last=RPCRDMA_EVENT_TYPES-1
case $events in
0) slevel=0 ;;
fresh | called | send) slevel=100 driver=event length=56 first=1 ;;
esac
[ "$events" != called ] || calls=1
[ "$events" != send ] || { length=64 first=0 last=0; }

start=$(date +%s)
nice timeout 600 frama-c -machdep gcc_x86_64 -c11 -cpp-extra-args="-DEVENTS=$events -DCALLS=$calls -DLENGTH=$length \
-DFIRST=$first -DLAST=$last -I. -Icodec/include -Iconformance/include -I$generated -DRPCRDMA_API= -include codec/proof/stubs.h" \
    "conformance/proof/$driver.c" codec/*.c "$proof"/*.c "$generated"/*_tables.c "$generated/rules.c" \
    conformance/walk/*.c conformance/check/*.c conformance/check/*/*.c conformance/check/*/*/*.c \
    -eva -eva-split-return auto -eva-slevel "$slevel" >"$tmp/log" 2>&1
status=$?
grep -A2 'error' "$tmp/log" | grep -iE -A2 'user error|fatal' | head -n 6
if [ "$status" -eq 124 ]; then
    echo 'not finished in ten minutes'
fi
sed -nE 's/^ *([0-9]+ functions analyzed).*/\1/p; s/^ *([0-9]+ alarms?) generated.*/\1/p' "$tmp/log"
sed -nE 's/^\[eva:alarm\] ([^:]*):.*/\1/p' "$tmp/log" | sort | uniq -c | sort -rn
echo "$(($(date +%s) - start)) s"
[ "$status" -eq 0 ] || [ "$status" -eq 124 ]
