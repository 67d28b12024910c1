#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Add up the counts that test.sh left in each build folder.
set -u
passed=0 failed=0 skipped=0
for build in "$@"; do
    read -r p f s <"$build/test.counts" || exit 1
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
