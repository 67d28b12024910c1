# SPDX-License-Identifier: BSD-3-Clause
# A page of the tree, as one reads it who has the command installed: how it is built is left out, and files are where
# they were installed.
#
# usage: awk -f installed.awk -v data=DATADIR -v testees=FOLDER -v docs=FOLDER PAGE.md

/^On your machine:$/ { skip = 1 }
/^## Source layout$/ { skip = 1 }
/^## A tour$/ || /^BSD-3-Clause/ { skip = 0 }
/^Ten minutes, after/ { print "Ten minutes. Each command ends with the exit status in its comment, or 0."; skip = 2; next }
skip == 2 && /^$/ { skip = 0 }
skip { next }
/^## A tour$/ {
    print "Folders named here that are not below " data " (`rxe-harness/`, `packaging/`, `spec/`, `fuzz/`, `codec/`, `python/` and others)"
    print "are in the archive of the sources."
    print ""
}
{
    gsub(/\/usr\/share\/rpcrdma/, data)
    gsub(/build\/rpcrdma/, "rpcrdma")
    if (/^    /) {
        gsub(/vectors\/testees/, testees)
        gsub(/ vectors\//, " " data "/vectors/")
        sub(/ vectors$/, " " data "/vectors")
    } else {
        gsub(/`vectors\/testees/, "`" testees)
        gsub(/`vectors\/README.md`/, "`" docs "/README.md`")
        gsub(/`vectors\/recorded\/README.md`/, "`" docs "/recorded.md`")
        gsub(/`vectors\/ci\/`/, "`" data "/ci/vectors/`")
        gsub(/`vectors\/rpcrdma-testee.7`/, "rpcrdma-testee(7)")
        gsub(/`man build\/pages\/rpcrdma.1`/, "rpcrdma(1)")
        gsub(/`vectors\//, "`" data "/vectors/")
    }
    gsub(/rpcrdma \/[^ ]*\/vectors$/, "rpcrdma vectors")
    print
}
