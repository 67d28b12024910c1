# SPDX-License-Identifier: BSD-3-Clause
# The numbers of programs, versions and procedures in XDR (RFC 5531 section 12), as an enum.
BEGIN {
    print "enum {"
}
/^ *(program|version) [A-Z_]+ \{$/ { open[++depth] = $2 }
/^ *[a-z_]+ [A-Z_]+\([a-z_]+\) = [0-9]+;$/ {
    name = $2
    sub(/\(.*/, "", name)
    number = $NF
    sub(/;/, "", number)
    print "    " name " = " number ","
}
/^ *\} = [0-9a-fx]+;$/ && depth > 0 {
    number = $NF
    sub(/;/, "", number)
    print "    " open[depth--] " = " number ","
}
END { print "};" }
