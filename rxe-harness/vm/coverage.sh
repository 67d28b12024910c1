#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# coverage.sh OUT: of the counters in OUT/gcov, which came out of a guest with a kernel that was built on this machine, the
# lines and branches that were reached: OUT/coverage/index.html, and one line for each side of RPC-over-RDMA.
set -eu

out=$1
command -v lcov >/dev/null || { echo "live: no lcov: the counters stay in $out/gcov" && exit 0; }
# lcov wants what the compiler wrote beside what was counted; both have the path of the build.
find "$out/gcov" -name '*.gcda' | while read -r counted; do
    object=/${counted#"$out"/gcov/}
    cp "${object%.gcda}.gcno" "${counted%.gcda}.gcno" 2>/dev/null || rm "$counted"
done
lcov -q -c -d "$out/gcov" -o "$out/coverage.info" --rc lcov_branch_coverage=1 >"$out/lcov.log" 2>&1 ||
    { tail -n 3 "$out/lcov.log" >&2 && exit 1; }
genhtml -q --branch-coverage --ignore-errors source -o "$out/coverage" "$out/coverage.info" >>"$out/lcov.log" 2>&1 ||
    { tail -n 3 "$out/lcov.log" >&2 && exit 1; }
awk -F '[:,]' '
    /^SF:/ { side = ""; if (/\/xprtrdma\//) side = /\/svc_/ ? "server" : "client" }
    /^DA:/ && side { lines[side]++; reached[side] += $3 > 0 }
    /^BRDA:/ && side { branches[side]++; taken[side] += $5 > 0 }
    END {
        for (side in lines)
            printf "live: xprtrdma, %s: %d of %d lines (%.1f %%), %d of %d branches (%.1f %%)\n", side,
                reached[side], lines[side], 100 * reached[side] / lines[side],
                taken[side], branches[side], 100 * taken[side] / (branches[side] + !branches[side])
    }' "$out/coverage.info"
echo "live: coverage: $out/coverage/index.html"
