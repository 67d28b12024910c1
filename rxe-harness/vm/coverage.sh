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
awk '
    /^SF:/ { side = ""; if (/xprtrdma\//) side = /\/svc_/ ? "server" : "client" }
    /^(LF|LH|BRF|BRH):/ && side { split($0, part, ":"); sum[side, part[1]] += part[2] }
    END {
        for (i = split("server client", sides, " "); i > 0; i--) {
            side = sides[i]
            if (sum[side, "LF"] > 0 && sum[side, "BRF"] > 0)
                printf "live: xprtrdma, %s: %d of %d lines (%.1f %%), %d of %d branches (%.1f %%)\n", side,
                    sum[side, "LH"], sum[side, "LF"], 100 * sum[side, "LH"] / sum[side, "LF"],
                    sum[side, "BRH"], sum[side, "BRF"], 100 * sum[side, "BRH"] / sum[side, "BRF"]
        }
    }' "$out/coverage.info"
echo "live: coverage: $out/coverage/index.html"
