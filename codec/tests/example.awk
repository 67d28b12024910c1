# SPDX-License-Identifier: BSD-3-Clause
# run by: readme_test.sh, dist_test.sh
# The example of README.md as a function, receive(); readme_main.h makes a testee of it. With
# -v version2=1 that of version 2 as well, receive07(), and receive04() of the other draft.
#
# usage: awk [-v version2=1] -f example.awk README.md
function begin(name, more) {
    printf "static ptrdiff_t %s(const void *send, size_t length, enum rpcrdma_role role%s)\n{\n", name, more
}
BEGIN {
    print "#include <rpcrdma/" (version2 ? "message" : "rpcrdma") ".h>"
    begin("receive", "")
}
/^```c$/ { inside = ++block <= 2; next }
/^```$/ { inside = 0 }
inside { text[block] = text[block] $0 "\n" }
END {
    printf "%s    return octets;\n}\n", text[1]
    for (draft = 7; version2 && draft >= 4; draft -= 3) {
        sub(/PROTOCOL_2_07/, "PROTOCOL_2_0" draft, text[2])
        begin("receive0" draft, ", struct rpcrdma_message *answer")
        printf "%s    *answer = message;\n    return octets;\n}\n", text[2]
    }
    if (version2)
        print "#define README_VERSION2"
}
