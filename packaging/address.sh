#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Put the publisher's address and name in the place of the tree's example.org: `make release URL= MAINTAINER=`.
#
# usage: address.sh FOLDER URL MAINTAINER
set -eu
grep -rlIF example.org "$1" | while read -r file; do
    case $file in *address.sh | */tests/* | */.ci/*) continue ;; esac
    sed -i "s|https://example.org/rpcrdma|$2|g; s|RPC-over-RDMA conformance kit <maintainers@example.org>|$3|g" "$file"
done
