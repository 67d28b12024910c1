# SPDX-License-Identifier: BSD-3-Clause
# Make a C table of rxe-harness/commands/rules.tsv: which live cases test a rule.
BEGIN {
    FS = "\t"
    print "#include \"conformance/run/vector_index.h\"\n"
    print "const struct live_index_row live_index[] = {"
}
/^#/ { next }
{
    cases = $3
    gsub(/,/, ", ", cases)
    gsub(/breaks:/, "vectors that break ", cases)
    printf "    {\"%s\", \"%s\", \"%s\"},\n", $1, $2, $3 == "-" ? "none: " $4 : cases
}
END { print "    {0, 0, 0},\n};" }
