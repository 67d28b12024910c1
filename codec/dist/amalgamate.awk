# SPDX-License-Identifier: BSD-3-Clause
# One file of many: headers in the order in which they need each other, each once; or sources, with
# the one header and the runtime before them. Every file keeps its notices.
#
# usage: awk -v include=FOLDER -v version=N -v out=header|source -f amalgamate.awk FILE...

function path(name) { return include "/rpcrdma/" name }

# The file's lines, where it includes others of ours theirs.
function put(file,    line, name) {
    if (file in seen)
        return
    seen[file] = 1
    name = file
    sub(/.*\//, "", name)
    printf "\n/* ==== %s ==== */\n", name
    while ((getline line <file) > 0) {
        if (line !~ /^#include <rpcrdma\//) {
            print line
            continue
        }
        sub(/^#include <rpcrdma\//, "", line)
        sub(/>.*/, "", line)
        if (out == "header")
            put(path(line))
        else if (line == "xdr_runtime.h")
            put_runtime()
    }
    close(file)
}

# Its inline functions are not all used here, which clang would say of a source.
function put_runtime() {
    if (path("xdr_runtime.h") in seen)
        return
    print "#ifdef __clang__"
    print "#pragma clang diagnostic push"
    print "#pragma clang diagnostic ignored \"-Wunused-function\""
    print "#endif"
    put(path("xdr_runtime.h"))
    print "#ifdef __clang__"
    print "#pragma clang diagnostic pop"
    print "#endif"
}

BEGIN {
    print "// SPDX-License-Identifier: BSD-3-Clause AND (BSD-3-Clause OR GPL-2.0-only)"
    print "/* Made by amalgamate.awk of rpcrdma " version " from codec/: do not edit. */"
    if (out == "header") {
        print "#ifndef RPCRDMA_AMALGAMATION_H"
        print "#define RPCRDMA_AMALGAMATION_H"
    } else {
        print "#include \"rpcrdma.h\""
    }
    for (i = 1; i < ARGC; i++) {
        if (out == "header" && ARGV[i] == path("xdr_runtime.h"))
            continue
        put(ARGV[i])
        if (out == "source") {
            print "#undef RPCRDMA_XDR_GETTER"
            print "#undef RPCRDMA_XDR_PUTTER"
        }
    }
    if (out == "header")
        print "\n#endif"
    exit
}
