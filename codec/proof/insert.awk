# SPDX-License-Identifier: BSD-3-Clause
# Put the blocks of runtime.acsl into a header: "== before TEXT" before the line that begins the
# definition or declaration with TEXT, "== loop TEXT" before the first loop of that function.
#
# usage: awk -f insert.awk runtime.acsl HEADER

function begins(line, what) {
    return line ~ /^(static|RPCRDMA_API|struct|ptrdiff_t) / && index(line, what)
}

NR == FNR && /^== / {
    n++
    where[n] = $2
    what[n] = substr($0, length($1 $2) + 3)
    next
}
NR == FNR {
    if (n > 0 && NF > 0)
        block[n] = block[n] $0 "\n"
    next
}
{
    for (i = 1; i <= n; i++) {
        if (!begins($0, what[i]))
            continue
        if (where[i] == "before") {
            printf "%s", block[i]
            block[i] = ""
        } else {
            loop = i
        }
    }
    if (loop && /^    (for|while) /) {
        printf "%s", block[loop]
        loop = 0
    }
    print
}
