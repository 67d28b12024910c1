# SPDX-License-Identifier: BSD-3-Clause
# run by: readme_test.sh, dist_test.sh
# The example of README.md as a function, receive(); readme_main.h makes a testee of it.
#
# usage: awk -f example.awk README.md
BEGIN {
    print "#include <rpcrdma/rpcrdma.h>"
    print "static ptrdiff_t receive(const void *send, size_t length, enum rpcrdma_role role)\n{"
}
/^```c$/ { inside = 1; next }
/^```$/ { inside = 0 }
inside
END { print "    return octets;\n}" }
