# SPDX-License-Identifier: BSD-3-Clause
# The headings of specifications: in RFCs and drafts as they are published ("4.2.1.  Title",
# "Appendix A.  Title", "A.1.  Title"), with links in them ("[4.2.1](#). Title"), and as in the source
# of a draft ("## 4.2.1 Title", where what follows "-- back" are the appendices: 1 is A, 1.2 is A.2).
#
# usage: awk -f headings.awk -f ANOTHER.awk ...

# rfc8166 of folder/rfc8166.txt, rpcrdma2-07 of folder/draft-ietf-nfsv4-rpcrdma-version-two-07.txt.
function document_of(path) {
    sub(/.*\//, "", path)
    sub(/\.[^.]*$/, "", path)
    sub(/^draft-.*-version-two-/, "rpcrdma2-", path)
    in_back = 0
    return path
}

function is_page_break() {
    return $0 ~ /\[Page [0-9]+\]$/ || $0 ~ /^RFC [0-9]+ .* [0-9][0-9][0-9][0-9]$/ ||
        $0 ~ /^Internet-Draft .* [0-9][0-9][0-9][0-9]$/
}

function is_heading() {
    return $0 ~ /^\[?[0-9]+(\.[0-9]+)*(\.|\]\(#\)\.|\.\]\(#\))  ?[A-Z]/ || $0 ~ /^## [0-9]+(\.[0-9]+)* / ||
        $0 ~ /^Appendix [A-Z]\.  ?[A-Z]/ || $0 ~ /^[A-Z](\.[0-9]+)+\.  ?[A-Z]/
}

# The number of the section whose heading this line is, or nothing.
function heading(    name, first) {
    if ($0 == "-- back")
        in_back = 1
    if (!is_heading())
        return ""
    name = $0
    sub(/^(Appendix|##) /, "", name)
    sub(/^\[/, "", name)
    sub(/[^0-9A-Z.].*/, "", name)
    sub(/\.$/, "", name)
    if (in_back) {
        first = name
        sub(/\..*/, "", first)
        sub(/^[0-9]+/, substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", first, 1), name)
    }
    return name
}
