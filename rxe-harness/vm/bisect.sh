#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bisect.sh [VARIABLE=VALUE]...: `make live` of the kernel that is built in this folder, with such variables, as
# `git bisect run` takes it: exit status 0 is good, 1 bad, and 125 leaves the commit out, for nothing was judged of it.
set -u

outcome=$(mktemp) || exit 125
trap 'rm -f "$outcome"' EXIT
export LIVE_OUTCOME="$outcome"
make --no-print-directory -C "$(dirname "$0")/../.." live KERNEL="$PWD" "$@"
case $(cat "$outcome") in
passed) exit 0 ;;
failed) exit 1 ;;
*) exit 125 ;;
esac
