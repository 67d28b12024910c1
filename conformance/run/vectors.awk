# SPDX-License-Identifier: BSD-3-Clause
# Make a C table of which vectors break each rule, and which nearly do.
#
# usage: awk -f vectors.awk vectors/*.json
#
# The files are as vectors/make writes them: a test's id, a finding's rule and the list of near
# misses each on one line. A test holds this table against what a JSON reader finds in them.

function remember(text, near) {
    while (match(text, /"[^"]*\/[^"]*"/)) {
        rule = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        if (!((rule, id, near) in seen)) {
            seen[rule, id, near] = 1
            printf "    {\"%s\", \"%s\", \"%s\", %s},\n", rule, file, id, near ? "true" : "false"
        }
    }
}

BEGIN {
    print "/* Made by vectors.awk. */"
    print "#include \"conformance/run/vector_index.h\"\n"
    print "const struct vector_index_row vector_index[] = {"
}
FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }
/^      "id": / { id = $2; gsub(/[",]/, "", id) }
/^      "nearMiss": / { remember($0, 1) }
/\{"rule": / { remember($0, 0) }
END { print "    {0, 0, 0, false},\n};" }
