#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# needs: frama-c
# The quick part of `make prove`. Environment: BUILD.
set -u

: "${BUILD:?}"
make -s --no-print-directory BUILD="$BUILD" proof-sources >/dev/null || exit 1
sh codec/proof/prove.sh --quick "$BUILD/proof" "$BUILD/gen"
