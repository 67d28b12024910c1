# SPDX-License-Identifier: BSD-3-Clause
# Which failures no list expected: awk -v part=NAME -f new.awk RESULTS, as --json writes them.
function member(name) {
    if (!match($0, "\"" name "\":(\"([^\"\\\\]|\\\\.)*\"|[^,}]*)"))
        return ""
    name = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", name)
    return name
}
/^\{"kind":"result"/ && member("known") == "false" {
    ending = member("ending")
    if (ending !~ /^(as-required|tolerated|not-applicable)$/)
        printf "live: %s: new: %s %s: %s\n", part, member("test"), ending, member("actual")
}
