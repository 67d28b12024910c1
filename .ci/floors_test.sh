#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/floors"
# The order of the folders: what a folder's objects leave undefined is defined only in folders
# before it. Also that files and folders stay of a size to be read.
#
# usage: floors_test.sh FLOORS
#
# FLOORS has a line "folder object" for each object, the folders in their order (made by make).
set -u
floors=$1
passed=0 failed=0

# verdict NAME PROBLEM: passes if there is no problem
verdict() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n%s\n' "$1" "$2"
    fi
}

# Prints each use of a symbol that a later folder defines.
arrows_up() {
    cut -d ' ' -f 2 "$floors" | xargs nm -A | awk '
        FNR == NR { folder[$2] = $1; if (!($1 in rank)) rank[$1] = ++folders; next }
        { object = $1; sub(/:.*/, "", object); kind = $(NF - 1); sub(/.*:/, "", kind) }
        kind ~ /^[TDRBCVWu]$/ { home[$NF] = folder[object] }
        kind == "U" { used[folder[object] " " $NF] = object }
        END {
            for (use in used) {
                split(use, part, " ")
                if (part[2] in home && rank[home[part[2]]] > rank[part[1]])
                    print used[use] " uses " part[2] " of " home[part[2]]
            }
            if (folders < 20)
                print "only " folders " folders were looked at"
        }' "$floors" - | sort
}

# The largest files and folders. What is made of one subject each may have many files.
long_files() {
    sh .ci/files.sh | grep -E '\.(c|h|sh|awk|py)$' | xargs wc -l |
        awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }'
}

crowded_folders() {
    sh .ci/files.sh | grep -vE '^(gen/tests/(bad|good)|vectors/[^/]*\.json|vectors/make/|conformance/tests/data/)' |
        awk -F / '{ sub(/\/?[^\/]*$/, ""); if ($0 != "") count[$0]++ }
            END { for (folder in count) if (count[folder] > 25) print folder ": " count[folder] " files" }'
}

verdict 'no folder needs a later one' "$(arrows_up)"
verdict 'conformance/ does not name rxe-harness/' \
    "$(grep -rln 'rxe-harness' conformance --include='*.c' --include='*.h' --include='*.awk')"
verdict 'no file is above 600 lines' "$(long_files)"
verdict 'no folder of several subjects has more than 25 files' "$(crowded_folders)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
