#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# version2.sh PEER DRAFT: make PEER-DRAFT, both reference peers by that draft of version 2, of PEER,
# which make has made, and this folder.
set -eu

here=$(dirname "$0")
folder=$1-$2
rm -rf "$folder"
mkdir -p "$folder"
cp "$1/start" "$folder/"
cp "$here/client-2" "$folder/client"
echo "$2" >"$folder/draft"
echo "reference peers, draft -$2" >"$folder/name"
echo "--draft $2 $(cat "$here/probe.options")" >"$folder/probe.options"
echo "--draft $2" >"$folder/serve.options"
echo "--draft $2" >"$folder/proxy.options"
