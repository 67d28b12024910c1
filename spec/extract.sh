#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print the XDR that a specification carries after its /// markers.
#
# usage: extract.sh TEXT > FILE.x
#
# TEXT is a whole specification or one of the excerpts beside this script. The script printed in
# RFC 8166 wants exactly one blank before the marker; neither the RFC nor the version 2 drafts are
# set that way. Here any number of blanks, none included, may be there.
# Exit status: 0 done, 1 nothing to extract or TEXT unreadable, 2 wrong usage.

set -u

fail() {
    echo "extract.sh: $1" >&2
    exit 1
}

if [ $# -ne 1 ]; then
    echo "usage: extract.sh TEXT > FILE.x" >&2
    exit 2
fi
if [ ! -f "$1" ] || [ ! -r "$1" ]; then
    fail "$1: cannot be read"
fi

# The marker takes one blank after it along; white space at the end of a line means nothing in XDR
# and differs between renderings of the same text.
LC_ALL=C awk '
    sub(/^ *\/\/\/ ?/, "") {
        sub(/[ \t\r]+$/, "")
        print
        found = 1
    }
    END { exit found ? 0 : 3 }' <"$1"
case $? in
0) ;;
3) fail "$1: has no line marked ///" ;;
*) fail "$1: could not be extracted" ;;
esac
