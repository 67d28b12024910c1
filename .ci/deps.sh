#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Install what building and testing need on Debian 12 and is missing here, and say what that is.
# DEPS=no only says it, and fails if anything is missing. Arguments are packages needed besides.
set -u

packages='gcc make clang libclang-rt-14-dev clang-format mawk pkg-config libc6-dev rpcsvc-proto
    libtirpc-dev libjansson-dev libpcap-dev check shellcheck tshark g++ jq python3 python3-jsonschema chromium
    mandoc zsh fish
    librdmacm-dev libibverbs-dev binutils'

missing=
for package in $packages "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
    [ "$status" = 'install ok installed' ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "${DEPS:-yes}" = no ]; then
    echo "Missing packages (DEPS=no: not installed):$missing" >&2
    exit 1
fi
echo "Installing:$missing"
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # one word a package
{
    $sudo apt-get update -q &&
        $sudo env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends $missing
} >"$log" 2>&1 || {
    cat "$log" >&2
    echo "Installing these packages failed:$missing" >&2
    exit 1
}
