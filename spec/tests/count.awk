# SPDX-License-Identifier: BSD-3-Clause
# Count the declarations of an XDR file, repaired or as printed.
#
# Prints one line: how many constants, enums, structs, unions, typedefs and programs it defines,
# and how many enumerators, members (struct fields and union arms) and case labels these hold.
# With -v names=1 prints the kind and name of each definition instead, one a line. It reads more
# than RFC 4506 allows, since the files as printed do.

function begin(token) {
    if (token ~ /^(const|enum|struct|union|typedef|program)$/) {
        kind = token
        count[kind]++
        name = ""
    }
}

# The name follows the keyword, but in constants stands before the sign and in typedefs last.
function define(token) {
    if (token == ";" && depth == 0) {
        if (names)
            print kind, name
        kind = ""
    } else if (token ~ /^[A-Za-z]/ && depth == 0 && !settled) {
        name = token
        settled = (kind != "const" && kind != "typedef")
    } else if (token ~ /^[=<[{]$/)
        settled = 1
}

function inside(token) {
    if (kind == "enum")
        count["enumerator"] += (token == "=")
    else if (kind == "struct" || kind == "union") {
        count["member"] += (token == ";")
        count["label"] += (token == "case" || token == "default")
    }
}

function take(token) {
    if (kind == "") {
        settled = 0
        begin(token)
        return
    }
    if (token == "}")
        depth--
    define(token)
    if (depth > 0)
        inside(token)
    if (token == "{")
        depth++
}

/^%/ { next }

{
    line = $0
    if (comment) {
        at = index(line, "*/")
        if (!at)
            next
        line = substr(line, at + 2)
        comment = 0
    }
    while ((at = index(line, "/*")) > 0) {
        rest = substr(line, at + 2)
        end = index(rest, "*/")
        line = substr(line, 1, at - 1) " " (end ? substr(rest, end + 2) : "")
        if (!end)
            comment = 1
    }
    gsub(/[][{}()<>=;:,*]/, " & ", line)
    tokens = split(line, token, " ")
    for (i = 1; i <= tokens; i++)
        take(token[i])
}

END {
    if (!names) {
        kinds = split("const enum struct union typedef program enumerator member label", order, " ")
        for (i = 1; i <= kinds; i++)
            printf "%s%s %d", (i > 1 ? " " : ""), order[i], count[order[i]]
        print ""
    }
}
